// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

import { numbers } from './check.js';
import { VRMError } from './error.js';
import { enumOf } from './struct.js';

const multiply = ([ax, ay, az, aw], [bx, by, bz, bw]) => [
  aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
  aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz];
const conjugate = ([x, y, z, w]) => [-x, -y, -z, w];
const plus = (a, b, sign = 1) => a.map((value, i) => value + sign * b[i]);

/**
 * The humanoid's pose. Poses have the form of three-vrm: {bone: {rotation, position}}, as differences to the rest pose.
 */
export class Humanoid {
  #vrm;

  constructor(vrm) {
    this.#vrm = vrm;
  }

  /** Node of each bone that the avatar has. */
  get humanBones() {
    return this.#vrm.avatar.humanBones;
  }

  #bone(name) {
    const number = enumOf('vrm_human_bone').byWord.get(name);
    if (number === undefined) throw new VRMError('ERROR_NOT_FOUND', `"${name}" is no bone of a humanoid`);
    return number;
  }

  /** Rotates a bone from the T-pose, about the model's axes; [x, y, z, w] or {x, y, z, w}. */
  setNormalizedRotation(bone, rotation) {
    const { module, pointer } = this.#vrm;
    module.f32.set(numbers(rotation, 4, 'rotation'), module.scratch >> 2);
    module.check(module.c.vrm_instance_set_normalized_rotation(pointer, this.#bone(bone), module.scratch));
  }

  /** Returns a bone's rotation from the T-pose, as it was set. */
  getNormalizedRotation(bone) {
    const { module, pointer } = this.#vrm;
    module.check(module.c.vrm_instance_get_normalized_rotation(pointer, this.#bone(bone), module.scratch));
    return Array.from(module.f32.subarray(module.scratch >> 2, (module.scratch >> 2) + 4));
  }

  /** Sets the position of the hips in the model, metres. */
  setHipsPosition(position) {
    const { module, pointer } = this.#vrm;
    module.f32.set(numbers(position, 3, 'position'), module.scratch >> 2);
    module.check(module.c.vrm_instance_set_hips_position(pointer, module.scratch));
  }

  /**
   * Sets the rotations of several bones. Bones that are not named keep theirs; bones that the avatar lacks are ignored.
   */
  setNormalizedPose(pose) {
    for (const [bone, { rotation, position } = {}] of Object.entries(pose)) {
      if (this.humanBones[bone] === undefined) continue;
      if (rotation) this.setNormalizedRotation(bone, rotation);
      if (position && bone === 'hips') {
        this.setHipsPosition(plus(this.#vrm.avatar.nodes[this.humanBones.hips].restPosition, position));
      }
    }
  }

  getNormalizedPose() {
    const pose = {};
    for (const bone of Object.keys(this.humanBones)) pose[bone] = { rotation: this.getNormalizedRotation(bone) };
    return pose;
  }

  resetNormalizedPose() {
    this.#vrm.module.c.vrm_instance_reset_pose(this.#vrm.pointer);
  }

  /** Sets local transforms of bones. Rotations and positions are differences to the node's rest. */
  setRawPose(pose) {
    for (const [bone, { rotation, position } = {}] of Object.entries(pose)) {
      const node = this.humanBones[bone];
      if (node === undefined) continue;
      const { rest } = this.#vrm.avatar.nodes[node];
      this.#vrm.setLocal(node, {
        rotation: rotation && multiply(rotation, rest.rotation),
        translation: position && plus(position, rest.translation),
      });
    }
  }

  getRawPose() {
    const pose = {};
    for (const [bone, node] of Object.entries(this.humanBones)) {
      const { rest } = this.#vrm.avatar.nodes[node];
      const { rotation, translation } = this.#vrm.getLocal(node);
      pose[bone] = { rotation: multiply(rotation, conjugate(rest.rotation)), position: plus(translation, rest.translation, -1) };
    }
    return pose;
  }

  resetRawPose() {
    this.resetNormalizedPose();
  }
}
