// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

import { Object3D, Quaternion, Vector3 } from 'three';
import { enumOf } from '../struct.js';
import { VRMHumanBoneList, VRMHumanBoneParentMap } from './names.js';

const p = /* @__PURE__ */ new Vector3();
const q = /* @__PURE__ */ new Quaternion();

/** Poses of a set of bones, as differences to the pose in which it was made. */
class Rig {
  constructor(humanBones) {
    this.humanBones = humanBones;
    this.restPose = this.getAbsolutePose();
  }

  getAbsolutePose() {
    return Object.fromEntries(Object.entries(this.humanBones).map(([bone, { node }]) =>
      [bone, { position: node.position.toArray(), rotation: node.quaternion.toArray() }]));
  }

  getPose() {
    return Object.fromEntries(Object.entries(this.humanBones).map(([bone, { node }]) => {
      const { position, rotation } = this.restPose[bone];
      return [bone, {
        position: p.fromArray(position).negate().add(node.position).toArray(),
        rotation: q.fromArray(rotation).invert().premultiply(node.quaternion).toArray(),
      }];
    }));
  }

  setPose(pose) {
    for (const [bone, state] of Object.entries(pose)) {
      const node = this.getBoneNode(bone);
      if (!node) continue;
      const rest = this.restPose[bone];
      if (state?.position) node.position.fromArray(state.position).add(p.fromArray(rest.position));
      if (state?.rotation) node.quaternion.fromArray(state.rotation).multiply(q.fromArray(rest.rotation));
    }
  }

  resetPose() {
    for (const [bone, { position, rotation }] of Object.entries(this.restPose)) {
      const node = this.getBoneNode(bone);
      node.position.fromArray(position);
      node.quaternion.fromArray(rotation);
    }
  }

  getBone(name) {
    return this.humanBones[name];
  }

  getBoneNode(name) {
    return this.humanBones[name]?.node ?? null;
  }
}

/** Bones without rotations at rest, in the model's axes: programs and motions write into these. */
function normalizedBones(raw) {
  const root = new Object3D();
  root.name = 'VRMHumanoidRig';
  const places = {};
  const bones = {};
  for (const bone of VRMHumanBoneList) {
    const node = raw[bone]?.node;
    if (!node) continue;
    places[bone] = node.getWorldPosition(new Vector3());
    let above = VRMHumanBoneParentMap[bone];
    while (above && !places[above]) above = VRMHumanBoneParentMap[above];
    const made = new Object3D();
    made.name = `Normalized_${node.name}`;
    made.position.copy(places[bone]);
    if (above) made.position.sub(places[above]);
    (above ? bones[above].node : root).add(made);
    bones[bone] = { node: made };
  }
  return { root, bones };
}

/** The humanoid's bones: raw ones are the file's nodes, normalized ones are what programs and motions move. */
export class VRMHumanoid {
  constructor(humanBones, { autoUpdateHumanBones = true } = {}) {
    /** Whether an update moves the raw bones as the normalized ones are. */
    this.autoUpdateHumanBones = autoUpdateHumanBones;
    this._raw = new Rig(humanBones);
    const { root, bones } = normalizedBones(humanBones);
    this._normalized = new Rig(bones);
    this._root = root;
    this._link = null;
    this._driven = new Map();
  }

  /** @internal */
  _attach(link) {
    this._link = link;
    const { byWord } = enumOf('vrm_human_bone');
    const indexOf = new Map(link.nodes.map((node, i) => [node, i]));
    for (const [bone, { node }] of Object.entries(this.normalizedHumanBones)) {
      const { quaternion, position } = node;
      this._driven.set(indexOf.get(this.humanBones[bone].node), {
        number: byWord.get(bone), quaternion, position: bone === 'hips' ? position : null, stale: false,
        x: 0, y: 0, z: 0, w: 1, place: position.clone(),
      });
    }
    link.humanoid = this;
  }

  // Normalized bones that were turned since the last update.
  _push({ module, vrm, turned }) {
    const { c, scratch } = module;
    const sign = turned ? -1 : 1; // the library's axes of VRM 0.x are those of 1.0
    const at = scratch >> 2;
    for (const bone of this._driven.values()) {
      const { quaternion: { x, y, z, w }, position } = bone;
      if (bone.stale || x !== bone.x || y !== bone.y || z !== bone.z || w !== bone.w) {
        bone.x = x;
        bone.y = y;
        bone.z = z;
        bone.w = w;
        const { f32 } = module;
        f32[at] = sign * x;
        f32[at + 1] = y;
        f32[at + 2] = sign * z;
        f32[at + 3] = w;
        c.vrm_instance_set_normalized_rotation(vrm.pointer, bone.number, scratch);
      }
      if (position && (bone.stale || !position.equals(bone.place))) {
        bone.place.copy(position);
        module.f32[at] = sign * position.x;
        module.f32[at + 1] = position.y;
        module.f32[at + 2] = sign * position.z;
        c.vrm_instance_set_hips_position(vrm.pointer, scratch);
      }
      bone.stale = false;
    }
  }

  get humanBones() { return this._raw.humanBones; }
  get rawHumanBones() { return this._raw.humanBones; }
  get normalizedHumanBones() { return this._normalized.humanBones; }
  get normalizedHumanBonesRoot() { return this._root; }
  get rawRestPose() { return this._raw.restPose; }
  get normalizedRestPose() { return this._normalized.restPose; }
  getRawAbsolutePose() { return this._raw.getAbsolutePose(); }
  getNormalizedAbsolutePose() { return this._normalized.getAbsolutePose(); }
  getRawPose() { return this._raw.getPose(); }
  getNormalizedPose() { return this._normalized.getPose(); }
  setRawPose(pose) { this._raw.setPose(pose); }
  setNormalizedPose(pose) { this._normalized.setPose(pose); }
  resetRawPose() { this._raw.resetPose(); }
  resetNormalizedPose() { this._normalized.resetPose(); }
  getRawBone(name) { return this._raw.getBone(name); }
  getNormalizedBone(name) { return this._normalized.getBone(name); }
  getRawBoneNode(name) { return this._raw.getBoneNode(name); }
  getNormalizedBoneNode(name) { return this._normalized.getBoneNode(name); }

  // Names that three-vrm has given up.
  get restPose() { return this.rawRestPose; }
  getAbsolutePose() { return this.getRawAbsolutePose(); }
  getPose() { return this.getRawPose(); }
  setPose(pose) { this.setRawPose(pose); }
  resetPose() { this.resetRawPose(); }
  getBone(name) { return this.getRawBone(name); }
  getBoneNode(name) { return this.getRawBoneNode(name); }

  /** Only this part of an update. */
  update() {
    this._link?.run(0, 0x81); // VRM_STAGE_POSE and OUTPUT
  }
}
