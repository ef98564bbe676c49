// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

import { index } from './check.js';
import { layoutOf, read, write } from './struct.js';

/** The spring bones of hair and clothes. */
export class SpringBoneManager {
  #vrm;

  constructor(vrm) {
    this.#vrm = vrm;
  }

  /** All joints of the file, in the order of simulation. */
  get joints() {
    return this.#vrm.avatar.springJoints;
  }

  get colliders() {
    return this.#vrm.avatar.colliders;
  }

  /** Returns to the rest shape with the next update. */
  reset() {
    this.#vrm.module.c.vrm_instance_reset_springs(this.#vrm.pointer);
  }

  /** Lets the next update first simulate `seconds` (at most 10), so that hair hangs at once. */
  settle(seconds) {
    this.#vrm.module.check(this.#vrm.module.c.vrm_instance_settle_springs(this.#vrm.pointer, seconds));
  }

  /** Settings of all joints: {paused, rootMotion, external, gravityScale, stiffnessScale, ground, groundHeight, hanging}. */
  get params() {
    return this.#withParams((at) => read(this.#vrm.module, 'vrm_spring_params', at));
  }

  /** Changes the given settings. */
  setParams(params) {
    const { module, pointer } = this.#vrm;
    this.#withParams((at) => {
      write(module, 'vrm_spring_params', at, params, 'params');
      module.check(module.c.vrm_instance_set_spring_params(pointer, at));
    });
  }

  #withParams(job) {
    const { module, pointer } = this.#vrm;
    return module.scope((take) => {
      const { size } = layoutOf('vrm_spring_params');
      const at = take(size);
      module.u32[at >> 2] = size;
      module.c.vrm_instance_get_spring_params(pointer, at);
      return job(at);
    });
  }

  /** Sets wind, or another force on every joint: [x, y, z] in the world, in the unit of gravityPower. */
  setWind(force) {
    this.setParams({ external: force });
  }

  #joint(joint) {
    const { module, pointer, avatar } = this.#vrm;
    module.check(module.c.vrm_instance_get_spring_joint(pointer, index(joint, avatar.counts.springJoints, 'joint'), module.scratch));
  }

  /** Returns a joint's current {hitRadius, stiffness, gravityPower, gravityDir, dragForce}. */
  getJoint(joint) {
    const { module } = this.#vrm;
    this.#joint(joint);
    return read(module, 'vrm_spring_joint_params', module.scratch);
  }

  /** Changes the given values of a joint. Needs the option springParameters. */
  setJoint(joint, params) {
    const { module, pointer } = this.#vrm;
    this.#joint(joint);
    write(module, 'vrm_spring_joint_params', module.scratch, params, 'params');
    module.check(module.c.vrm_instance_set_spring_joint(pointer, joint, module.scratch));
  }

  /** Returns the tails of all joints in the world, x y z each, in the order of the file's springs and their joints. */
  getTails() {
    const { module, pointer, avatar } = this.#vrm;
    const count = avatar.counts.springJoints;
    const at = module.allocate(24 * count);
    try {
      module.check(module.c.vrm_instance_get_spring_tails(pointer, at, 0, count));
      return module.f64.slice(at >> 3, (at >> 3) + 3 * count);
    } finally {
      module.c.free(at);
    }
  }

  /** Sets the fraction of a chain's motion that is shown, 0 to 1. */
  setChainWeight(chain, weight) {
    const { module, pointer, avatar } = this.#vrm;
    module.check(module.c.vrm_instance_set_chain_weight(pointer, index(chain, avatar.counts.springChains, 'chain'), weight));
  }

  /**
   * Puts a collider of the program into a slot (option hostColliders): {shape, node, offset, tail, radius, chain}; null
   * empties the slot.
   */
  setCollider(slot, collider) {
    const { module, pointer, options } = this.#vrm;
    module.scope((take) => module.check(module.c.vrm_instance_set_host_collider(
      pointer, index(slot, options.hostColliders ?? 0, 'slot'), collider ? module.params(take, 'vrm_host_collider_def', collider, 'collider') : 0)));
  }
}
