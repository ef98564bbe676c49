// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

import { number, numbers } from './check.js';

const DEGREES = 180 / Math.PI;

/** The gaze. Angles are degrees here, as in three-vrm: yaw + left, pitch + down. */
export class LookAt {
  #vrm;
  #target = null;
  #yaw = 0;
  #pitch = 0;

  constructor(vrm) {
    this.#vrm = vrm;
  }

  /** The point of the world that the eyes follow: [x, y, z], {x, y, z}, or null. Set it again when the object moves. */
  get target() {
    return this.#target;
  }

  set target(target) {
    if (target) this.lookAt(target);
    else this.#vrm.module.c.vrm_instance_clear_look_at(this.#vrm.pointer);
    this.#target = target;
  }

  /** Lets the eyes look at a point of the world. */
  lookAt(point) {
    const { module, pointer } = this.#vrm;
    module.f64.set(numbers(point, 3, 'point'), module.scratch >> 3);
    module.check(module.c.vrm_instance_set_look_at_target(pointer, module.scratch));
  }

  #turn() {
    const { module, pointer } = this.#vrm;
    module.check(module.c.vrm_instance_set_look_at_angles(pointer, this.#yaw / DEGREES, this.#pitch / DEGREES));
  }

  /** Angle after the last update. Setting it ends the following of the target. */
  get yaw() {
    return this.#vrm.gaze.yaw * DEGREES;
  }

  set yaw(degrees) {
    this.#yaw = number(degrees, 'yaw');
    this.#turn();
  }

  get pitch() {
    return this.#vrm.gaze.pitch * DEGREES;
  }

  set pitch(degrees) {
    this.#pitch = number(degrees, 'pitch');
    this.#turn();
  }

  /** Removes the gaze: the eyes keep their pose. */
  reset() {
    this.#target = null;
    this.#yaw = this.#pitch = 0;
    this.#vrm.module.c.vrm_instance_clear_look_at(this.#vrm.pointer);
  }
}
