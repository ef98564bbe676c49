// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

import { Object3D, Quaternion, Vector3 } from 'three';
import { enumOf } from '../struct.js';
import { LightObject, wholeOf } from './light.js';
import { VRMHumanBoneList, VRMHumanBoneParentMap } from './names.js';

const p = /* @__PURE__ */ new Vector3();
const q = /* @__PURE__ */ new Quaternion();

/** Poses of a set of bones, as differences to the pose in which the set was created. */
class Rig {
  #rest;

  // `rest` is a function that returns the present pose. It is given if the pose can be found without the nodes'
  // vectors.
  constructor(humanBones, rest) {
    this.humanBones = humanBones;
    this.#rest = rest ?? this.getAbsolutePose();
  }

  get restPose() {
    if (typeof this.#rest === 'function') this.#rest = this.#rest();
    return this.#rest;
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

/** A normalized bone. It is light, because most of them are never rotated. */
class NormalizedBone extends LightObject {
  constructor(name, rest) {
    super();
    this.name = name;
    this._rest = rest;
    this._driver = null; // drives the raw bone; null before there is a link
  }

  _fill(whole) {
    whole.position.fromArray(this._rest);
    this._driver?.wake();
  }
}

// With this constructor, clone() creates ordinary objects, as for all light objects.
Object.defineProperty(NormalizedBone.prototype, 'constructor', { value: Object3D });

/** Creates bones that have no rotation at rest and the model's axes. Programs and motions write into them. */
function normalizedBones(raw, link) {
  const root = new Object3D();
  root.name = 'VRMHumanoidRig';
  const places = {};
  const bones = {};
  for (const bone of VRMHumanBoneList) {
    const node = raw[bone]?.node;
    if (!node) continue;
    places[bone] = (link ? link.placeOf(node, p) : node.getWorldPosition(p)).toArray();
    let above = VRMHumanBoneParentMap[bone];
    while (above && !places[above]) above = VRMHumanBoneParentMap[above];
    const made = new NormalizedBone(`Normalized_${node.name}`, places[bone].map((value, i) => value - (above ? places[above][i] : 0)));
    (above ? bones[above].node : root).add(made);
    bones[bone] = { node: made };
  }
  return { root, bones };
}

const normalizedRest = (bones) => () => Object.fromEntries(Object.entries(bones).map(([bone, { node }]) =>
  [bone, { position: [...node._rest], rotation: [0, 0, 0, 1] }]));

// Rotates a raw bone like its normalized bone.
class Driver {
  constructor(humanoid, node, number, withPlace) {
    this.humanoid = humanoid;
    this.node = node;
    this.number = number;
    this.x = 0;
    this.y = 0;
    this.z = 0;
    this.w = 1;
    this.place = withPlace ? [...node._rest] : null;
    this.stale = false; // true if a program has moved the raw bone
    this.awake = false;
  }

  wake() {
    if (this.awake) return;
    this.awake = true;
    this.humanoid._awake.push(this);
  }

  push({ module, vrm }, sign) {
    const { c, scratch } = module;
    const { quaternion: { x, y, z, w }, position } = wholeOf(this.node);
    const at = scratch >> 2;
    if (this.stale || x !== this.x || y !== this.y || z !== this.z || w !== this.w) {
      this.x = x;
      this.y = y;
      this.z = z;
      this.w = w;
      const { f32 } = module;
      f32[at] = sign * x;
      f32[at + 1] = y;
      f32[at + 2] = sign * z;
      f32[at + 3] = w;
      c.vrm_instance_set_normalized_rotation(vrm.pointer, this.number, scratch);
    }
    const { place } = this;
    if (place && (this.stale || position.x !== place[0] || position.y !== place[1] || position.z !== place[2])) {
      position.toArray(place);
      const { f32 } = module;
      f32[at] = sign * position.x;
      f32[at + 1] = position.y;
      f32[at + 2] = sign * position.z;
      c.vrm_instance_set_hips_position(vrm.pointer, scratch);
    }
    this.stale = false;
  }
}

/** The humanoid's bones. Raw bones are the nodes of the file; programs and motions move the normalized bones. */
export class VRMHumanoid {
  constructor(humanBones, { autoUpdateHumanBones = true } = {}, link = null) {
    /** If true, an update moves the raw bones like the normalized bones. */
    this.autoUpdateHumanBones = autoUpdateHumanBones;
    this._raw = new Rig(humanBones, link?.restOf(humanBones));
    const { root, bones } = normalizedBones(humanBones, link);
    this._normalized = new Rig(bones, normalizedRest(bones));
    this._root = root;
    this._link = link;
    this._driven = new Map(); // drivers by the raw bone's glTF index
    this._awake = []; // drivers whose normalized bone a program has read
    if (link) this.#attach(link);
  }

  #attach(link) {
    const { byWord } = enumOf('vrm_human_bone');
    for (const [bone, { node }] of Object.entries(this.normalizedHumanBones)) {
      const driver = node._driver = new Driver(this, node, byWord.get(bone), bone === 'hips');
      this._driven.set(link.indexOf(this.humanBones[bone].node), driver);
    }
    link.humanoid = this;
  }

  /** Records that a program has moved a raw bone. The next update moves it like the normalized bone again. @internal */
  _overrule(index) {
    const driver = this._driven.get(index);
    driver.stale = true;
    driver.wake();
  }

  /** Sends the normalized bones that were rotated since the last update to the library. @internal */
  _push(link) {
    const sign = link.turned ? -1 : 1; // in the library, VRM 0.x has the axes of 1.0
    for (const driver of this._awake) driver.push(link, sign);
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

  // Deprecated names of three-vrm.
  get restPose() { return this.rawRestPose; }
  getAbsolutePose() { return this.getRawAbsolutePose(); }
  getPose() { return this.getRawPose(); }
  setPose(pose) { this.setRawPose(pose); }
  resetPose() { this.resetRawPose(); }
  getBone(name) { return this.getRawBone(name); }
  getBoneNode(name) { return this.getRawBoneNode(name); }

  /** Runs only this part of an update. */
  update() {
    this._link?.run(0, 0x81); // VRM_STAGE_POSE and VRM_STAGE_OUTPUT
  }
}
