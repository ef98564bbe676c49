// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

import { Matrix4, Object3D, Vector3 } from 'three';
import { layoutOf } from '../struct.js';

export class VRMSpringBoneColliderShape {}

export class VRMSpringBoneColliderShapeSphere extends VRMSpringBoneColliderShape {
  constructor({ offset = new Vector3(), radius = 0, inside = false } = {}) {
    super();
    Object.assign(this, { offset, radius, inside });
  }

  get type() { return 'sphere'; }
}

export class VRMSpringBoneColliderShapeCapsule extends VRMSpringBoneColliderShape {
  constructor({ offset = new Vector3(), tail = new Vector3(), radius = 0, inside = false } = {}) {
    super();
    Object.assign(this, { offset, tail, radius, inside });
  }

  get type() { return 'capsule'; }
}

export class VRMSpringBoneColliderShapePlane extends VRMSpringBoneColliderShape {
  constructor({ offset = new Vector3(), normal = new Vector3(0, 0, 1) } = {}) {
    super();
    Object.assign(this, { offset, normal });
  }

  get type() { return 'plane'; }
}

/** A collider, as a child of the node to which it is attached. */
export class VRMSpringBoneCollider extends Object3D {
  constructor(shape) {
    super();
    this.shape = shape;
    this.colliderMatrix = new Matrix4();
  }

  updateWorldMatrix(parents, children) {
    super.updateWorldMatrix(parents, children);
    this.colliderMatrix.copy(this.matrixWorld).setPosition(new Vector3().copy(this.shape.offset).applyMatrix4(this.matrixWorld));
  }
}

/** A joint of a spring bone. Changes of its settings reach the library with the next update. */
export class VRMSpringBoneJoint {
  constructor(bone, child, { hitRadius = 0, stiffness = 1, gravityPower = 0, gravityDir = new Vector3(0, -1, 0), dragForce = 0.5 } = {},
    colliderGroups = []) {
    this.bone = bone;
    this.child = child;
    this.settings = { hitRadius, stiffness, gravityPower, gravityDir: gravityDir.clone(), dragForce };
    this.colliderGroups = colliderGroups;
    this.center = null;
    this.initialLocalChildPosition = new Vector3();
    this._index = -1;
    this._seen = this.#numbers();
  }

  #numbers() {
    const { hitRadius, stiffness, gravityPower, gravityDir: { x, y, z }, dragForce } = this.settings;
    return [hitRadius, stiffness, gravityPower, x, y, z, dragForce];
  }

  get dependencies() {
    return new Set([this.bone.parent, ...this.colliderGroups.flatMap(({ colliders }) => colliders)].filter(Boolean));
  }

  /** @internal */
  _push({ module, vrm }) {
    const { settings: s, _seen: seen } = this;
    if (s.stiffness === seen[1] && s.hitRadius === seen[0] && s.gravityPower === seen[2] && s.dragForce === seen[6] &&
      s.gravityDir.x === seen[3] && s.gravityDir.y === seen[4] && s.gravityDir.z === seen[5]) {
      return;
    }
    this._seen = this.#numbers();
    const { members } = layoutOf('vrm_spring_joint_params');
    const at = (name) => (module.scratch + members[name].at) >> 2;
    for (const name of ['hitRadius', 'stiffness', 'gravityPower', 'dragForce']) module.f32[at(name)] = s[name];
    s.gravityDir.toArray(module.f32, at('gravityDir'));
    module.check(module.c.vrm_instance_set_spring_joint(vrm.pointer, this._index, module.scratch));
  }
}

function shapeOf({ shape, offset, tail, radius }) {
  const at = new Vector3().fromArray(offset);
  const inside = shape.startsWith('inside');
  if (shape === 'plane') return new VRMSpringBoneColliderShapePlane({ offset: at, normal: new Vector3().fromArray(tail) });
  return /capsule/i.test(shape) ? new VRMSpringBoneColliderShapeCapsule({ offset: at, tail: new Vector3().fromArray(tail), radius, inside })
    : new VRMSpringBoneColliderShapeSphere({ offset: at, radius, inside });
}

/** The spring bones of hair and clothes. Objects for joints and colliders are created when they are first read. */
export class VRMSpringBoneManager {
  #joints = null;

  constructor() {
    this._link = null;
  }

  #make() {
    if (this.#joints) return this.#joints;
    this.#joints = new Set();
    const link = this._link;
    if (!link || link.disposed) return this.#joints;
    const { avatar, module } = link.vrm;
    const colliders = avatar.colliders.map((collider) => {
      const made = new VRMSpringBoneCollider(shapeOf(collider));
      link.house(link.nodeByOrder(collider.node), made);
      return made;
    });
    const list = module.c.vrm_avatar_get_chain_colliders(avatar.pointer) >> 2;
    for (const chain of avatar.springChains) {
      const group = { name: chain.name, colliders: [] };
      for (let i = 0; i < chain.colliderCount; ++i) group.colliders.push(colliders[module.u32[list + chain.firstCollider + i]]);
      for (let i = chain.firstJoint; i < chain.firstJoint + chain.jointCount; ++i) {
        const { node, tailNode, tail, params } = avatar.springJoints[i];
        const joint = new VRMSpringBoneJoint(link.nodeByOrder(node), tailNode < 0 ? null : link.nodeByOrder(tailNode),
          { ...params, gravityDir: new Vector3().fromArray(params.gravityDir) }, group.colliders.length ? [group] : []);
        joint._index = i;
        joint.initialLocalChildPosition.fromArray(tail);
        joint.center = chain.center < 0 ? null : link.nodeByOrder(chain.center);
        this.#joints.add(joint);
      }
    }
    link.joints = [...this.#joints];
    return this.#joints;
  }

  get joints() { return this.#make(); }
  get springBones() { return this.joints; }

  get colliderGroups() {
    return [...new Set([...this.joints].flatMap(({ colliderGroups }) => colliderGroups))];
  }

  get colliders() {
    return [...new Set(this.colliderGroups.flatMap(({ colliders }) => colliders))];
  }

  /** Does nothing, because the rest shape is that of the file. */
  setInitState() {
    this.reset();
  }

  /** Returns to the rest shape. */
  reset() {
    const link = this._link;
    if (link && !link.disposed) link.module.c.vrm_instance_reset_springs(link.vrm.pointer);
  }

  /** Runs only this part of an update. */
  update(delta) {
    this._link?.run(delta, 0xc0); // VRM_STAGE_SPRING and VRM_STAGE_OUTPUT
  }
}
