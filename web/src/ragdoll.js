// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

import { number, numbers } from './check.js';
import { VRMError } from './error.js';
import { layout as full } from './layout_full.js';
import { layout } from './layout_ragdoll.js';
import { Owned } from './module.js';
import { withReport } from './report.js';
import { layoutOf, numberOf, offsetOf, read, write } from './struct.js';
import { start } from './wasm.js';

export { createMotion, isLoop, motionNames } from './motion.js';

/** Starts a copy of the library with ragdolls. It needs SIMD. See init() of libvrm. */
export function init(source) {
  return start(source ?? new URL('./vrm-ragdoll.wasm', import.meta.url), full, layout);
}

const addressOf = (module, document) => (document ? Owned.address(module, document, 'vrm_gltf_destroy', 'a document') : 0);

/**
 * Builds the bodies of an avatar as bytes for the option `definition`. They serve any number of VRMs with the same
 * version of the library, and may be built in a worker. `options`: detail, document.
 */
export function ragdollDefinition(avatar, { detail = '16', document = avatar?.document } = {}) {
  const module = avatar?.module;
  const address = Owned.address(module, avatar, 'vrm_avatar_release', 'an avatar');
  module.needRagdolls();
  const { size } = layoutOf('vrm_ragdoll_def');
  const at = module.allocate(size);
  try {
    module.c.vrm_ragdoll_def_default(at, size);
    withReport(module, (report, findings) => module.scope((take) => module.check(module.c.vrm_ragdoll_def_build(
      address, addressOf(module, document), module.params(take, 'vrm_ragdoll_build_params', { detail }), report, at), findings())));
    return module.copyOut(at, size);
  } finally {
    if (!module.dead) module.c.free(at);
  }
}

const ZERO = [0, 0, 0];
const GET_UP_LAYER = 3; // of vrm.clips
const LINES = 8192;

/**
 * An active ragdoll: physics moves the body, and the animation pulls it. When pushed, the figure takes steps, falls, and
 * gets up. vrm.update() advances the ragdoll too; nothing is simulated before the first event. The VRM's module must come
 * from init() of this file, and the VRM's option ragdollBodies must be at least the number of bodies (16 for the default
 * detail).
 */
export class Ragdoll extends Owned {
  #vrm;
  #lines = null;
  #count;
  #held = null;

  /**
   * `options`: detail "16" | "11" | "7" | "all"; document, from whose vertices the shapes are built (default:
   * avatar.document); definition, the result of ragdollDefinition(), used instead of building the shapes; fall
   * "protective" | "limp"; getUp, by a motion generated for the lying pose in layer 3 of vrm.clips (default true, unless
   * params.recovery is set); params; solver: {ground, gravity, ...}.
   */
  constructor(vrm, { detail = '16', document = vrm?.avatar?.document, definition = null, fall = 'protective', params = {}, solver = {},
    getUp = params.recovery === undefined } = {}) {
    const module = vrm?.module;
    const instance = Owned.address(module, vrm, 'vrm_instance_destroy', 'a VRM');
    const file = addressOf(module, document);
    module.needRagdolls();
    const { c } = module;
    if (fall !== 'protective' && fall !== 'limp') throw new RangeError(`fall is ${JSON.stringify(fall)}, expected "protective" or "limp"`);
    super(module, c.vrm_web_puppet_create(fall === 'protective', getUp), 'vrm_web_puppet_free');
    try {
      write(module, 'vrm_ragdoll_build_params', c.vrm_web_puppet_build(this.pointer), { detail }, 'options');
      write(module, 'vrm_ragdoll_params', c.vrm_web_puppet_settings(this.pointer), params, 'params');
      write(module, 'vrm_ragdoll_solver_def', c.vrm_web_puppet_engine(this.pointer), solver, 'solver');
      if (definition && definition.byteLength !== layoutOf('vrm_ragdoll_def').size) {
        throw new VRMError('ERROR_INVALID_ARGUMENT', 'the definition is of another version of the library');
      }
      const made = definition ? module.copyIn(definition) : 0;
      try {
        withReport(module, (report, findings) => module.check(c.vrm_web_puppet_begin(
          this.pointer, instance, file, vrm.clips.pointer, GET_UP_LAYER, made, report), findings()));
      } finally {
        if (made && !module.dead) c.free(made);
      }
      vrm.drive(this);
    } catch (error) {
      const count = module.dead ? 0 : this.#bodyCount();
      const { ragdollBodies = 0 } = vrm.options;
      super.dispose();
      if (count > ragdollBodies) throw new VRMError('ERROR_INVALID_ARGUMENT', `the ragdoll has ${count} bodies, but the VRM's option ragdollBodies is ${ragdollBodies}`);
      throw error;
    }
    this.#vrm = vrm;
    this.#count = this.#bodyCount();
    const first = this.definition + offsetOf('vrm_ragdoll_def', 'bodies');
    const step = layoutOf('vrm_ragdoll_body').size;
    /** Bone of each body, in the order of the bodies. */
    this.bones = Array.from({ length: this.#count }, (_, i) => read(module, 'vrm_ragdoll_body', first + i * step).bone);
  }

  /** Returns the figure to its animation and frees the ragdoll. */
  dispose() {
    if (this.disposed) return;
    if (!this.#vrm.disposed) {
      this.#vrm.drive(null);
      if (!this.module.dead) {
        this.module.c.vrm_web_puppet_end(this.pointer);
        this.#vrm.clips.stop({ layer: GET_UP_LAYER }); // the layer may still be fading
      }
    }
    this.#lines?.dispose();
    super.dispose();
  }

  /** Its vrm_ragdoll_def. @internal */
  get definition() {
    return this.module.c.vrm_web_puppet_def(this.pointer);
  }

  /** Runs a frame of the VRM. @internal */
  update(instance, dt) {
    this.module.c.vrm_web_puppet_update(this.pointer, dt);
  }

  #bodyCount() {
    return this.module.u32[(this.definition + offsetOf('vrm_ragdoll_def', 'bodyCount')) >> 2];
  }

  // The physics engine, which is freed together with the ragdoll.
  get #solver() {
    return this.module.c.vrm_web_puppet_solver(this.pointer);
  }

  // Calls a function of the VRM's ragdoll.
  #call(name, ...args) {
    void this.pointer; // throws after dispose()
    this.module.check(this.module.c[name](this.#vrm.pointer, ...args));
  }

  #bodyOf(bone) {
    const body = this.bones.indexOf(bone);
    if (body < 0) throw new VRMError('ERROR_NOT_FOUND', `the ragdoll has no body of "${bone}"`);
    return body;
  }

  #vectors(point, vector, words = ['point', 'impulse']) {
    const { module } = this;
    module.f64.set(numbers(point, 3, words[0]), module.scratch >> 3);
    module.f32.set(numbers(vector, 3, words[1]), (module.scratch + 24) >> 2);
    return [module.scratch, module.scratch + 24];
  }

  /**
   * Hits the figure with an impulse (N s) at a point, both in the world. `bone` names the body; by default it is the
   * nearest one.
   */
  hit(point, impulse, bone) {
    this.#call('vrm_instance_hit_ragdoll', bone === undefined ? -1 : this.#bodyOf(bone), ...this.#vectors(point, impulse));
  }

  /** Pushes all bodies within `radius` metres away from a point of the world, by at most `impulse` N s. */
  explode(center, impulse, radius) {
    this.#call('vrm_instance_explode_ragdoll', this.#vectors(center, ZERO, ['center'])[0], number(impulse, 'impulse'), number(radius, 'radius'));
  }

  /** Makes the muscles limp, so that the figure falls. */
  drop() {
    this.#call('vrm_instance_drop_ragdoll');
  }

  /** Lets the muscles recover, then returns to the animation. */
  recover() {
    this.#call('vrm_instance_recover_ragdoll');
  }

  /** Returns to the animation at once. */
  stop() {
    this.#call('vrm_instance_stop_ragdoll');
  }

  /** Returns the first point that a ray meets: {bone, point, distance}, all in the world; null if there is none. */
  touch(origin, direction) {
    const { module } = this;
    const way = [...numbers(direction, 3, 'direction')];
    const length = Math.hypot(...way);
    module.f64.set([...numbers(origin, 3, 'origin'), ...way.map((x) => x / length)], module.scratch >> 3);
    const body = module.c.vrm_web_puppet_touch(this.pointer, module.scratch, module.scratch + 48);
    if (body < 0) return null;
    const [x, y, z, distance] = module.f64.subarray((module.scratch + 48) >> 3, (module.scratch + 80) >> 3);
    return { bone: this.bones[body], point: [x, y, z], distance };
  }

  /** Holds a bone at a point of the world, until letGo(). */
  hold(bone, point) {
    this.module.c.vrm_web_puppet_hold(this.pointer, this.#bodyOf(bone), this.#vectors(point, ZERO)[0]);
    this.#held = bone;
  }

  /** Moves the hand that holds a bone. */
  moveHand(point) {
    this.module.c.vrm_web_puppet_move_hand(this.pointer, this.#vectors(point, ZERO)[0]);
  }

  letGo() {
    this.module.c.vrm_web_puppet_let_go(this.pointer);
    this.#held = null;
  }

  /** True while the motion of getting up plays, also after the physics has ended. */
  get isGettingUp() {
    return this.module.c.vrm_web_puppet_is_getting_up(this.pointer) !== 0;
  }

  /** The bone that is held, or null. */
  get held() {
    return this.#held;
  }

  /** Changes the given params. */
  setParams(params) {
    const { module } = this;
    const settings = module.c.vrm_web_puppet_settings(this.pointer);
    const { size } = layoutOf('vrm_ragdoll_params');
    module.scope((take) => {
      const at = take(size);
      module.u8.copyWithin(at, settings, settings + size);
      write(module, 'vrm_ragdoll_params', at, params, 'params');
      this.#call('vrm_instance_set_ragdoll_params', at);
      module.u8.copyWithin(settings, at, at + size);
    });
  }

  /** Sets {pin, muscle, mapping} of a group ("all", "head", "torso", ...), each from 0 to 1, reached after `seconds`. */
  setWeights({ pin = 0, muscle = 1, mapping = 1 }, group = 'all', seconds = 0) {
    const { module } = this;
    module.f32.set(numbers([pin, muscle, mapping], 3, 'weights'), module.scratch >> 2);
    this.#call('vrm_instance_set_ragdoll_weights', numberOf('vrm_ragdoll_group', group), module.scratch, number(seconds, 'seconds'));
  }

  /** {phase: "off" | "active" | "limp" | ..., phaseTime, lying, speed, deviation, bodyCount, balance, stepCount}. */
  get info() {
    void this.pointer;
    return this.module.describe('vrm_ragdoll_info', 'vrm_instance_get_ragdoll_info', this.#vrm.pointer);
  }

  /** States of the bodies: {position, rotation, linearVelocity, angularVelocity} in the world. */
  get states() {
    const { module } = this;
    return module.scope((take) => {
      const step = layoutOf('vrm_ragdoll_state').size;
      const at = take(step * this.#count);
      module.c.vrm_ragdoll_solver_get_states(this.#solver, take(24), at, this.#count);
      return Array.from({ length: this.#count }, (_, i) => read(module, 'vrm_ragdoll_state', at + i * step));
    });
  }

  /** Height of the ground in the world, metres; null: none. */
  set ground(height) {
    const { c } = this.module;
    if (height !== null) number(height, 'ground');
    this.module.check(height === null ? c.vrm_ragdoll_solver_clear_ground(this.#solver) : c.vrm_ragdoll_solver_set_ground(this.#solver, height));
    if (height !== null) c.vrm_web_puppet_set_ground(this.pointer, height);
  }

  /**
   * Bodies, joints, limits, targets, torques and contacts as lines for debugging. Each of a line's two points has 7
   * numbers: position relative to vrm.origin, and colour.
   */
  get lines() {
    const { module } = this;
    const { size, members } = layoutOf('vrm_debug_line');
    this.#lines ??= new Owned(module, module.allocate(LINES * size), 'free');
    const at = this.#lines.pointer;
    const count = Math.min(LINES, module.c.vrm_web_puppet_lines(this.pointer, at, LINES));
    const out = new Float32Array(14 * count);
    for (let i = 0; i < count; ++i) {
      const rgba = module.u32[(at + i * size + members.color.at) >> 2];
      const color = [24, 16, 8, 0].map((shift) => (rgba >>> shift & 255) / 255);
      ['from', 'to'].forEach((end, k) => {
        const from = (at + i * size + members[end].at) >> 2;
        out.set(module.f32.subarray(from, from + 3), 14 * i + 7 * k);
        out.set(color, 14 * i + 7 * k + 3);
      });
    }
    return out;
  }
}
