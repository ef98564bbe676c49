// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

import { VRMError } from './error.js';
import { layout as full } from './layout_full.js';
import { layout } from './layout_ragdoll.js';
import { Owned } from './module.js';
import { withReport } from './report.js';
import { layoutOf, numberOf, offsetOf, read } from './struct.js';
import { start } from './wasm.js';

/** Starts the copy of the library that has ragdolls besides everything else; it needs SIMD. See init() of libvrm. */
export function init(source) {
  return start(source ?? new URL('./vrm-ragdoll.wasm', import.meta.url), full, layout);
}

const ZERO = [0, 0, 0];

/**
 * An active ragdoll: physics moves the body, the animation attracts it. vrm.update() then steps it too; nothing is simulated until
 * something happens. The VRM's module is of this file's init(), and its option ragdollBodies at least the number of bodies
 * (16 for the default detail).
 */
export class Ragdoll extends Owned {
  #vrm;
  #memory;
  #update;
  #targets;
  #states;
  #count;

  /** `options`: detail "16" | "11" | "7" | "all", document (for shapes by vertices), params, solver: {ground, gravity, ...}. */
  constructor(vrm, { detail = '16', document = vrm.avatar.document, params = {}, solver = {} } = {}) {
    const { module } = vrm;
    const { c } = module;
    if (!c.vrm_ragdoll_def_build) throw new VRMError('ERROR_UNSUPPORTED', 'ragdolls need the module of init() of libvrm/ragdoll');
    const size = layoutOf('vrm_ragdoll_def').size;
    const memory = new Owned(module, module.allocate(size), 'free');
    const def = memory.pointer;
    try {
      c.vrm_ragdoll_def_default(def, size);
      withReport(module, (report, findings) => module.scope((take) => module.check(c.vrm_ragdoll_def_build(vrm.avatar.pointer,
        document?.pointer ?? 0, module.params(take, 'vrm_ragdoll_build_params', { detail }), report, def), findings())));
      module.scope((take) => module.check(c.vrm_instance_set_ragdoll(vrm.pointer, def,
        module.params(take, 'vrm_ragdoll_params', params, 'params'))));
      super(module, module.made((place) => module.scope((take) => {
        const wanted = module.params(take, 'vrm_ragdoll_solver_def', solver, 'solver');
        module.u32[(wanted + offsetOf('vrm_ragdoll_solver_def', 'def')) >> 2] = def;
        return c.vrm_ragdoll_solver_create(wanted, place);
      })), 'vrm_ragdoll_solver_destroy');
    } catch (error) {
      memory.dispose();
      throw error;
    }
    this.#vrm = vrm;
    this.#count = module.u32[(def + offsetOf('vrm_ragdoll_def', 'bodyCount')) >> 2];
    /** Bone of each body, in their order. */
    const first = def + offsetOf('vrm_ragdoll_def', 'bodies');
    const step = layoutOf('vrm_ragdoll_body').size;
    this.bones = Array.from({ length: this.#count }, (_, i) => read(module, 'vrm_ragdoll_body', first + i * step).bone);
    // What a frame needs, side by side: update params, targets, states.
    memory.dispose();
    const places = [layoutOf('vrm_update_params').size, layoutOf('vrm_ragdoll_targets').size,
      this.#count * layoutOf('vrm_ragdoll_state').size].map((bytes) => Math.ceil(bytes / 16) * 16);
    const all = places.reduce((sum, bytes) => sum + bytes);
    this.#memory = new Owned(module, module.allocate(all), 'free');
    this.#update = this.#memory.pointer;
    module.u8.fill(0, this.#update, this.#update + all);
    this.#targets = this.#update + places[0];
    this.#states = this.#targets + places[1];
    c.vrm_update_params_default(this.#update, layoutOf('vrm_update_params').size);
    module.u32[this.#targets >> 2] = layoutOf('vrm_ragdoll_targets').size;
    vrm.drive(this);
  }

  /** Gives the body back to its animation and frees it. */
  dispose() {
    if (this.disposed) return;
    if (!this.#vrm.disposed) {
      this.#vrm.drive(null);
      if (!this.module.dead) this.module.c.vrm_instance_clear_ragdoll(this.#vrm.pointer);
    }
    this.#memory.dispose();
    super.dispose();
  }

  /** A frame of its VRM. @internal */
  update(instance, dt) {
    const { c, data } = this.module;
    data.setFloat32(this.#update + offsetOf('vrm_update_params', 'dt'), dt, true);
    c.vrm_update_pose(instance, this.#update);
    c.vrm_instance_take_requested_root(instance);
    if (c.vrm_instance_get_ragdoll_targets(instance, this.#targets) === 0
      && data.getUint8(this.#targets + offsetOf('vrm_ragdoll_targets', 'active'))) {
      const origin = this.#targets + offsetOf('vrm_ragdoll_targets', 'origin');
      c.vrm_ragdoll_solver_step(this.pointer, this.#targets, dt);
      c.vrm_ragdoll_solver_get_states(this.pointer, origin, this.#states, this.#count);
      c.vrm_instance_set_ragdoll_states(instance, origin, this.#states, this.#count);
    }
    c.vrm_update_secondary(instance, this.#update);
  }

  #call(name, ...args) {
    this.module.check(this.module.c[name](this.#vrm.pointer, ...args));
  }

  #vectors(point, vector) {
    const { module } = this;
    const list = (value) => (typeof value.x === 'number' ? [value.x, value.y, value.z] : value);
    module.f64.set(list(point), module.scratch >> 3);
    module.f32.set(list(vector), (module.scratch + 24) >> 2);
    return [module.scratch, module.scratch + 24];
  }

  /** A hit: N s at a point, both of the world; `bone` names the body, else it is the nearest. */
  hit(point, impulse, bone) {
    const body = bone === undefined ? -1 : this.bones.indexOf(bone);
    if (bone !== undefined && body < 0) throw new VRMError('ERROR_NOT_FOUND', `the ragdoll has no body of "${bone}"`);
    this.#call('vrm_instance_hit_ragdoll', body, ...this.#vectors(point, impulse));
  }

  /** Pushes everything within `radius` metres of a point of the world away, by `impulse` N s at most. */
  explode(center, impulse, radius) {
    this.#call('vrm_instance_explode_ragdoll', this.#vectors(center, ZERO)[0], impulse, radius);
  }

  /** All strength goes. */
  drop() {
    this.#call('vrm_instance_drop_ragdoll');
  }

  /** Strength comes back, then the animation. */
  recover() {
    this.#call('vrm_instance_recover_ragdoll');
  }

  /** The animation shows at once. */
  stop() {
    this.#call('vrm_instance_stop_ragdoll');
  }

  /** {pin, muscle, mapping} of a group ("all", "head", "torso", ...), each 0 to 1, reached in `seconds`. */
  setWeights({ pin = 0, muscle = 1, mapping = 1 }, group = 'all', seconds = 0) {
    const { module } = this;
    module.f32.set([pin, muscle, mapping], module.scratch >> 2);
    this.#call('vrm_instance_set_ragdoll_weights', numberOf('vrm_ragdoll_group', group), module.scratch, seconds);
  }

  /** {phase: "off" | "active" | "limp" | ..., phaseTime, lying, speed, deviation, bodyCount, balance, stepCount}. */
  get info() {
    return this.module.describe('vrm_ragdoll_info', 'vrm_instance_get_ragdoll_info', this.#vrm.pointer);
  }

  /** Where the bodies are: {position, rotation, linearVelocity, angularVelocity} of the world. */
  get states() {
    const { module } = this;
    return module.scope((take) => {
      const step = layoutOf('vrm_ragdoll_state').size;
      const at = take(step * this.#count);
      module.c.vrm_ragdoll_solver_get_states(this.pointer, take(24), at, this.#count);
      return Array.from({ length: this.#count }, (_, i) => read(module, 'vrm_ragdoll_state', at + i * step));
    });
  }

  /** A plane to lie on, metres of the world; null: none. */
  set ground(height) {
    const { c } = this.module;
    this.module.check(height === null ? c.vrm_ragdoll_solver_clear_ground(this.pointer) : c.vrm_ragdoll_solver_set_ground(this.pointer, height));
  }
}
