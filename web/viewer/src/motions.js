// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The motions that an avatar plays: built-in ones, generated for its proportions, and those of files.

import { createMotion, isLoop, motionNames } from '../../src/ragdoll.js';

const FADE = 0.4; // seconds
const HOLDS = new Set(['sitDown']); // keeps its last pose; other motions that are not loops return to the first motion

export class Motions {
  #vrm;
  #clips = new Map();
  #playing = '';

  constructor(vrm) {
    this.#vrm = vrm;
  }

  /** Makes the built-in motions; an avatar without legs or arms has none, and so has a module without them. */
  makeOwn() {
    const { module, avatar } = this.#vrm;
    if (!module.c.vrm_motion_create) return;
    try {
      for (const name of motionNames()) {
        const loop = isLoop(module, name);
        this.#clips.set(name, { clip: createMotion(avatar, name, { inPlace: true }), loop, holds: loop || HOLDS.has(name), own: true });
      }
    } catch (error) {
      if (error.code !== 'ERROR_INVALID_ARGUMENT') throw error;
    }
  }

  /** Keys of all: words of built-in motions, names of files. */
  get keys() {
    return [...this.#clips.keys()];
  }

  isOwn(key) {
    return this.#clips.get(key)?.own === true;
  }

  /** Key of what plays; "": nothing, it stands still. */
  get playing() {
    return this.#playing;
  }

  /** Adds a file's motion; another one of that name is replaced. */
  add(name, clip) {
    const last = this.#clips.get(name);
    this.#clips.set(name, { clip, loop: true, holds: true, own: false });
    this.play(name);
    last?.clip.dispose();
  }

  /** Plays one, from its beginning; "" stops. */
  play(key, seconds = FADE) {
    const { clips } = this.#vrm;
    const found = this.#clips.get(key);
    if (found) clips.play(found.clip, { wrap: found.loop ? 'loop' : 'hold', seconds });
    else clips.stop({ seconds });
    this.#playing = found ? key : '';
  }

  /** After an update: what has ended leads back to standing. True if what plays is another one now. */
  step() {
    const found = this.#clips.get(this.#playing);
    if (!found || found.holds || !this.#vrm.clips.isFinished()) return false;
    this.play('idle');
    return true;
  }

  dispose() {
    for (const { clip } of this.#clips.values()) clip.dispose();
    this.#clips.clear();
  }
}
