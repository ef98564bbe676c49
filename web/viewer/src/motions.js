// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The motions that an avatar plays: built-in ones, generated for its proportions, and those of files.

import { createMotion, isLoop, motionNames } from '../../src/ragdoll.js';

const FADE = 0.4; // seconds
// Motions that keep their last pose. Other motions that are not loops return to the first motion.
const HOLDS = new Set(['sitDown']);

export class Motions {
  #vrm;
  #clips = new Map();
  #playing = '';

  constructor(vrm) {
    this.#vrm = vrm;
  }

  /** Generates the built-in motions. There are none for an avatar without legs or arms, nor in a module without them. */
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

  /** Keys of all motions: words of built-in motions, names of files. */
  get keys() {
    return [...this.#clips.keys()];
  }

  isOwn(key) {
    return this.#clips.get(key)?.own === true;
  }

  /** Key of the motion that plays; "" if the avatar stands still. */
  get playing() {
    return this.#playing;
  }

  /** Adds a file's motion. It replaces another motion of that name. */
  add(name, clip) {
    const last = this.#clips.get(name);
    this.#clips.set(name, { clip, loop: true, holds: true, own: false });
    this.play(name);
    last?.clip.dispose();
  }

  /** Plays a motion from its beginning; "" stops. */
  play(key, seconds = FADE) {
    const { clips } = this.#vrm;
    const found = this.#clips.get(key);
    if (found) clips.play(found.clip, { wrap: found.loop ? 'loop' : 'hold', seconds });
    else clips.stop({ seconds });
    this.#playing = found ? key : '';
  }

  /**
   * Called after an update: a motion that has ended is followed by standing. Returns true if another motion plays now.
   */
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
