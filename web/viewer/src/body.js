// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The avatar's body under physics, and the actions of the pointer on it. The body is created when it is first needed.

import { Document } from '../../src/index.js';
import { Ragdoll } from '../../src/ragdoll.js';
import { add } from './matrix.js';

export class Body {
  /** Number of bodies for which a VRM must have room. */
  static COUNT = 16;
  #vrm;
  #ragdoll = null;
  #distance = 0; // distance of the held point along the ray
  #known = { definition: null, skin: null };
  #settings = { fall: true, steps: true };

  constructor(vrm) {
    this.#vrm = vrm;
  }

  /** Returns true if this copy of the library has ragdolls, which need SIMD. */
  static isKnown(module) {
    return module.c.vrm_web_puppet_create !== undefined;
  }

  /**
   * Sets the bodies' shapes and the skin that the reader has built. Without them the shapes are estimated from the bones.
   */
  know({ definition, skin }) {
    this.#known = { definition, skin };
  }

  #make() {
    const { fall, steps } = this.#settings;
    const { definition, skin } = this.#known;
    const document = skin ? new Document(this.#vrm.module, skin) : null;
    try {
      return new Ragdoll(this.#vrm, { definition, document, fall: fall ? 'protective' : 'limp', params: { steps } });
    } finally {
      document?.dispose();
    }
  }

  #need() {
    if (!this.#ragdoll) {
      this.#ragdoll = this.#make();
      this.#vrm.springBoneManager.setParams({ ground: true });
    }
    return this.#ragdoll;
  }

  /** Creates the body before the first event. */
  make() {
    return this.#need() !== null;
  }

  /**
   * "off", "active", "limp", "lying", "recovering", "blending". The motion of getting up lasts longer than the ragdoll's
   * own phases "recovering" and "blending", and is called "recovering" to its end.
   */
  get phase() {
    if (!this.#ragdoll) return 'off';
    return this.#ragdoll.isGettingUp ? 'recovering' : this.#ragdoll.info.phase;
  }

  /** Changes {fall: protects itself, steps: keeps its balance}. A change of `fall` creates a new body. */
  set(settings) {
    const last = this.#settings;
    this.#settings = { ...last, ...settings };
    if (this.#settings.fall !== last.fall) this.dispose();
    else this.#ragdoll?.setParams({ steps: this.#settings.steps });
  }

  // --- hands ---

  /** Pushes the body that a ray of the world meets, in the ray's direction. Returns false if it meets none. */
  push({ origin, direction }, strength) {
    const met = this.#need().touch(origin, direction);
    if (met) this.#ragdoll.hit(met.point, direction.map((x) => strength * x), met.bone);
    return met !== null;
  }

  /** Pushes the chest, or the body nearest to it. */
  pushChest(direction, strength) {
    const ragdoll = this.#need(); // first: it may grow the memory, which ends views such as `world`
    const { world, origin, avatar: { humanBones } } = this.#vrm;
    const at = 12 * (humanBones.upperChest ?? humanBones.chest ?? humanBones.spine ?? humanBones.hips);
    ragdoll.hit([3, 7, 11].map((k, i) => world[at + k] + origin[i]), direction.map((x) => strength * x));
  }

  /** Holds the point that a ray meets. Returns false if it meets none. */
  hold({ origin, direction }) {
    const met = this.#need().touch(origin, direction);
    if (!met) return false;
    this.#ragdoll.hold(met.bone, met.point);
    this.#distance = met.distance;
    return true;
  }

  get isHeld() {
    return this.#ragdoll?.held != null;
  }

  /** Moves the hand along another ray. */
  drag({ origin, direction }) {
    this.#ragdoll.moveHand(add(origin, direction, this.#distance));
  }

  letGo() {
    this.#ragdoll?.letGo();
  }

  // --- events ---

  drop() {
    this.#need().drop();
  }

  /** Triggers an explosion in front of the left foot. */
  explode(strength) {
    const { origin } = this.#vrm;
    this.#need().explode([origin[0] + 0.2, origin[1] + 0.1, origin[2] + 0.4], 20 * strength, 3);
  }

  getUp() {
    if (['limp', 'lying'].includes(this.phase)) this.#ragdoll.recover();
  }

  /** Returns to the animation at once. */
  stop() {
    this.#ragdoll?.stop();
  }

  get lines() {
    return this.#ragdoll?.lines ?? [];
  }

  dispose() {
    if (this.#ragdoll && !this.#vrm.disposed) this.#vrm.springBoneManager.setParams({ ground: false });
    this.#ragdoll?.dispose();
    this.#ragdoll = null;
  }
}
