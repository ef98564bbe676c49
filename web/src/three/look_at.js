// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

import { Euler, MathUtils, Quaternion, Vector3 } from 'three';

const { DEG2RAD, RAD2DEG } = MathUtils;
const v = /* @__PURE__ */ new Vector3();
const w = /* @__PURE__ */ new Vector3();
const q = /* @__PURE__ */ new Quaternion();
const r = /* @__PURE__ */ new Quaternion();
const euler = /* @__PURE__ */ new Euler();

const azimuth = ({ x, z }) => Math.atan2(-z, x);
const altitude = ({ x, y, z }) => Math.atan2(y, Math.hypot(x, z));
const wrapped = (angle) => angle - 2 * Math.PI * Math.round(angle / 2 / Math.PI);
const isForward = (direction) => direction.x * direction.x + direction.y * direction.y + (direction.z - 1) ** 2 < 0.01;
// Rotates +Z to a direction.
const facing = (target, direction) => (isForward(direction) ? target.identity()
  : target.setFromEuler(euler.set(0, Math.PI / 2 + azimuth(direction), altitude(direction), 'YZX')));

/** A map of look-at angles: the eyes rotate by outputScale at inputMaxValue degrees and beyond. */
export class VRMLookAtRangeMap {
  constructor(inputMaxValue, outputScale) {
    this.inputMaxValue = inputMaxValue;
    this.outputScale = outputScale;
  }

  map(source) {
    return this.outputScale * Math.min(Math.max(source / this.inputMaxValue, 0), 1);
  }
}

/** Moves the eyes by the library, with the maps of the file. */
class Applier {
  constructor(owner, rangeMapHorizontalInner, rangeMapHorizontalOuter, rangeMapVerticalDown, rangeMapVerticalUp) {
    Object.assign(this, { rangeMapHorizontalInner, rangeMapHorizontalOuter, rangeMapVerticalDown, rangeMapVerticalUp });
    this._link = null;
  }

  // As in three-vrm, programs may still call an avatar that has been disposed of.
  get #lives() {
    return this._link !== null && !this._link.disposed;
  }

  /** Rotates the eyes; degrees, yaw to the left, pitch down. */
  applyYawPitch(yaw, pitch) {
    if (!this.#lives) return;
    const { vrm, module } = this._link;
    module.check(module.c.vrm_instance_set_look_at_angles(vrm.pointer, yaw * DEG2RAD, pitch * DEG2RAD));
  }

  /** Lets the eyes follow a point of the world. @internal */
  _follow(point) {
    if (!this.#lives) return;
    const { vrm, module } = this._link;
    const { f64, scratch } = module;
    f64[scratch >> 3] = point.x;
    f64[(scratch >> 3) + 1] = point.y;
    f64[(scratch >> 3) + 2] = point.z;
    module.check(module.c.vrm_instance_set_look_at_target(vrm.pointer, module.scratch));
  }

  /** Stops moving the eyes. @internal */
  _release() {
    if (this.#lives) this._link.module.c.vrm_instance_clear_look_at(this._link.vrm.pointer);
  }

  lookAt({ x, y }) {
    this.applyYawPitch(RAD2DEG * y, RAD2DEG * x);
  }
}

export class VRMLookAtBoneApplier extends Applier {
  static type = 'bone';

  constructor(humanoid, ...maps) {
    super(humanoid, ...maps);
    this.humanoid = humanoid;
    this.faceFront = new Vector3(0, 0, 1);
  }
}

export class VRMLookAtExpressionApplier extends Applier {
  static type = 'expression';

  constructor(expressions, ...maps) {
    super(expressions, ...maps);
    this.expressions = expressions;
  }
}

/** The gaze. Angles are degrees: yaw to the left, pitch down. */
export class VRMLookAt {
  static EULER_ORDER = 'YXZ';

  constructor(humanoid, applier) {
    this.humanoid = humanoid;
    this.applier = applier;
    this.offsetFromHeadBone = new Vector3();
    this.faceFront = new Vector3(0, 0, 1);
    this.autoUpdate = true;
    this.target = null;
    this._yaw = 0;
    this._pitch = 0;
    this._needsUpdate = false;
    this._following = false;
    this._restHeadWorldQuaternion = this.getLookAtWorldQuaternion(new Quaternion());
  }

  // While the library follows the target, the angles are the library's.
  #angle(which, own) {
    const link = this.applier?._link;
    return this._following && link && !link.disposed ? link.gaze[which] * RAD2DEG : own;
  }

  get yaw() { return this.#angle(0, this._yaw); }
  set yaw(value) {
    this._pitch = this.pitch;
    this._following = false;
    this._yaw = value;
    this._needsUpdate = true;
  }

  get pitch() { return this.#angle(1, this._pitch); }
  set pitch(value) {
    this._yaw = this.yaw;
    this._following = false;
    this._pitch = value;
    this._needsUpdate = true;
  }

  get euler() { return this.getEuler(new Euler()); }

  getEuler(target) {
    return target.set(DEG2RAD * this.pitch, DEG2RAD * this.yaw, 0, 'YXZ');
  }

  copy(source) {
    if (this.humanoid !== source.humanoid) throw new Error('VRMLookAt: humanoid must be same in order to copy');
    this.offsetFromHeadBone.copy(source.offsetFromHeadBone);
    this.applier = source.applier;
    this.autoUpdate = source.autoUpdate;
    this.target = source.target;
    this.faceFront.copy(source.faceFront);
    return this;
  }

  clone() {
    return new VRMLookAt(this.humanoid, this.applier).copy(this);
  }

  /** Lets the eyes look straight ahead, and leaves them to the program. */
  reset() {
    this._yaw = 0;
    this._pitch = 0;
    this._following = false;
    this._needsUpdate = false;
    if (this.applier?._release) this.applier._release();
    else this._needsUpdate = true;
    for (const eye of ['leftEye', 'rightEye']) this.humanoid.getNormalizedBoneNode(eye)?.quaternion.identity();
  }

  getLookAtWorldPosition(target) {
    return target.copy(this.offsetFromHeadBone).applyMatrix4(this.humanoid.getRawBoneNode('head').matrixWorld);
  }

  getLookAtWorldQuaternion(target) {
    this.humanoid.getRawBoneNode('head').matrixWorld.decompose(w, target, new Vector3());
    return target;
  }

  getFaceFrontQuaternion(target) {
    return facing(target, this.faceFront).premultiply(q.copy(this._restHeadWorldQuaternion).invert());
  }

  getLookAtWorldDirection(target) {
    this.getLookAtWorldQuaternion(r);
    target.set(0, 0, 1).applyQuaternion(r).applyQuaternion(this.getFaceFrontQuaternion(r));
    return target.applyEuler(this.getEuler(euler));
  }

  /** Looks at a point of the world. */
  lookAt(position) {
    const turn = this.getLookAtWorldQuaternion(r).invert().premultiply(this._restHeadWorldQuaternion);
    const direction = v.copy(position).sub(this.getLookAtWorldPosition(w)).applyQuaternion(turn).normalize();
    this._following = false;
    this._yaw = RAD2DEG * wrapped(azimuth(direction) - azimuth(this.faceFront));
    this._pitch = RAD2DEG * wrapped(altitude(this.faceFront) - altitude(direction));
    this._needsUpdate = true;
  }

  /** Called by VRM.update(). A program's own class may replace it. */
  update() {
    if (this.target && this.autoUpdate) {
      const point = this.target.getWorldPosition(v);
      if (this.applier._follow) {
        this.applier._follow(point);
        this._following = true;
        this._needsUpdate = false;
      } else {
        this.lookAt(point);
      }
    } else if (this._following) {
      // The target is gone, so the eyes keep their angles.
      this._yaw = this.yaw;
      this._pitch = this.pitch;
      this._following = false;
      this._needsUpdate = true;
    }
    if (this._needsUpdate) {
      this._needsUpdate = false;
      this.applier.applyYawPitch(this._yaw, this._pitch);
    }
  }
}
