// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Helpers that show an avatar's axes of bones, gaze, springs and constraints.

import { AxesHelper, BufferAttribute, BufferGeometry, DoubleSide, Group, Line, LineBasicMaterial, LineSegments, MathUtils,
  Mesh, MeshBasicMaterial, Quaternion, Vector3 } from 'three';

const p = /* @__PURE__ */ new Vector3();
const q = /* @__PURE__ */ new Quaternion();
const r = /* @__PURE__ */ new Quaternion();
const s = /* @__PURE__ */ new Vector3();
const over = { depthTest: false, depthWrite: false };

const geometryOf = (points) => new BufferGeometry().setAttribute('position', new BufferAttribute(new Float32Array(points.flat()), 3));

/** Returns the segments of an arc about `centre`, from the direction `u` towards `v`. */
function arc(centre, u, v, radius, turn = 2 * Math.PI, pieces = 32) {
  const at = (i) => {
    const angle = turn * i / pieces;
    return centre.map((value, k) => value + radius * (Math.cos(angle) * u[k] + Math.sin(angle) * v[k]));
  };
  return Array.from({ length: pieces }, (_, i) => [at(i), at(i + 1)]).flat();
}
const X = [1, 0, 0], Y = [0, 1, 0], Z = [0, 0, 1];
const sphere = (centre, radius) => [...arc(centre, X, Y, radius), ...arc(centre, Y, Z, radius), ...arc(centre, Z, X, radius)];

function capsule(from, to, radius) {
  const axis = to.clone().sub(from);
  if (axis.length() < 1e-9) return sphere(from.toArray(), radius);
  // Rotates +X to the axis: first upwards, then about Y.
  q.setFromAxisAngle(p.set(0, 1, 0), -Math.atan2(axis.z, axis.x))
    .multiply(r.setFromAxisAngle(p.set(0, 0, 1), Math.atan2(axis.y, Math.hypot(axis.x, axis.z))));
  const [u, v, w] = [X, Y, Z].map((direction) => p.fromArray(direction).applyQuaternion(q).toArray());
  const back = u.map((value) => -value);
  const a = from.toArray(), b = to.toArray();
  const half = Math.PI / 2;
  return [v, w].flatMap((side) => {
    const other = side.map((value) => -value);
    const edge = (direction) => [a, b].map((end) => end.map((value, k) => value + radius * direction[k]));
    return [...arc(a, side, back, radius, 2 * half, 16), ...arc(b, side, u, radius, 2 * half, 16), ...edge(side), ...edge(other)];
  }).concat(arc(a, v, w, radius), arc(b, v, w, radius));
}

function plane(offset, normal) {
  q.setFromUnitVectors(p.set(0, 0, 1), s.copy(normal).normalize());
  const at = (...point) => p.fromArray(point).applyQuaternion(q).add(offset).toArray();
  const corners = [[-0.5, -0.5, 0], [0.5, -0.5, 0], [0.5, 0.5, 0], [-0.5, 0.5, 0]].map((corner) => at(...corner));
  return [...corners.flatMap((corner, i) => [corner, corners[(i + 1) % 4]]), at(0, 0, 0), at(0, 0, 0.25)];
}

/**
 * Lines in the space of an object that moves. `describe(scale)` returns [key, points]; the points are computed again when
 * the key changes.
 */
class Lines extends Group {
  #object;
  #describe;
  #key = null;

  constructor(object, color, describe) {
    super();
    this.matrixAutoUpdate = false;
    this.#object = object;
    this.#describe = describe;
    this.lines = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ color, ...over }));
    this.lines.frustumCulled = false;
    this.add(this.lines);
  }

  dispose() {
    this.lines.geometry.dispose();
    this.lines.material.dispose();
  }

  updateMatrixWorld(force) {
    this.#object.updateWorldMatrix(true, false);
    this.matrix.copy(this.#object.matrixWorld);
    const [key, points] = this.#describe(p.setFromMatrixColumn(this.matrix, 0).length());
    if (key !== this.#key) {
      this.#key = key;
      this.lines.geometry.dispose();
      this.lines.geometry = geometryOf(points());
    }
    super.updateMatrixWorld(force);
  }
}

export class VRMSpringBoneColliderHelper extends Lines {
  constructor(collider) {
    super(collider, 0xff00ff, (scale) => {
      const { type, offset, tail, normal, radius } = collider.shape;
      const r0 = radius / scale;
      if (type === 'plane') return [[...offset, ...normal].join(), () => plane(offset, normal)];
      return [[r0, ...offset, ...(tail ?? [])].join(), () => (type === 'capsule' ? capsule(offset, tail, r0) : sphere(offset.toArray(), r0))];
    });
    this.collider = collider;
  }
}

export class VRMSpringBoneJointHelper extends Lines {
  constructor(springBone) {
    super(springBone.bone, 0xffff00, (scale) => {
      const tail = springBone.initialLocalChildPosition, radius = springBone.settings.hitRadius / scale;
      return [[radius, ...tail].join(), () => [...sphere(tail.toArray(), radius), [0, 0, 0], tail.toArray()]];
    });
    this.springBone = springBone;
  }
}

export class VRMHumanoidHelper extends Group {
  constructor(humanoid) {
    super();
    this.vrmHumanoid = humanoid;
    this.axes = Object.values(humanoid.humanBones).map(({ node }) => {
      const axes = new AxesHelper(1);
      axes.matrixAutoUpdate = false;
      Object.assign(axes.material, over);
      this.add(axes);
      return { node, axes };
    });
  }

  dispose() {
    for (const { axes } of this.axes) axes.dispose();
  }

  updateMatrixWorld(force) {
    for (const { node, axes } of this.axes) {
      node.updateWorldMatrix(true, false);
      node.matrixWorld.decompose(p, q, s);
      axes.matrix.copy(node.matrixWorld).scale(p.set(0.1, 0.1, 0.1).divide(s));
    }
    super.updateMatrixWorld(force);
  }
}

// A sector of a circle with a radius of half a metre, from +Z to +X.
class Sector extends Mesh {
  #angle = null;

  constructor(color) {
    super(new BufferGeometry(), new MeshBasicMaterial({ color, transparent: true, opacity: 0.5, side: DoubleSide, ...over }));
    this.frustumCulled = false;
  }

  turn(angle) {
    if (angle === this.#angle) return;
    this.#angle = angle;
    const edge = arc([0, 0, 0], Z, X, 0.5, angle, 63);
    const points = [];
    for (let i = 0; i < edge.length; i += 2) points.push([0, 0, 0], edge[i], edge[i + 1]);
    this.geometry.dispose();
    this.geometry = geometryOf(points);
  }
}

export class VRMLookAtHelper extends Group {
  constructor(lookAt) {
    super();
    this.matrixAutoUpdate = false;
    this.vrmLookAt = lookAt;
    this.pitchSector = new Sector(0x00ff00);
    this.yawSector = new Sector(0xff0000);
    this.target = new LineSegments(geometryOf([]), new LineBasicMaterial({ color: 0xffffff, ...over }));
    this.target.frustumCulled = false;
    this.add(this.pitchSector, this.yawSector, this.target);
  }

  dispose() {
    for (const { geometry, material } of this.children) {
      geometry.dispose();
      material.dispose();
    }
  }

  updateMatrixWorld(force) {
    const { vrmLookAt: lookAt, yawSector, pitchSector, target } = this;
    const yaw = MathUtils.degToRad(lookAt.yaw);
    yawSector.turn(yaw);
    pitchSector.turn(MathUtils.degToRad(lookAt.pitch));
    lookAt.getLookAtWorldPosition(yawSector.position);
    lookAt.getLookAtWorldQuaternion(yawSector.quaternion).multiply(lookAt.getFaceFrontQuaternion(r));
    pitchSector.position.copy(yawSector.position);
    pitchSector.quaternion.copy(yawSector.quaternion).multiply(q.setFromAxisAngle(p.set(0, 1, 0), yaw))
      .multiply(q.setFromAxisAngle(p.set(0, 0, 1), -Math.PI / 2));
    if (lookAt.target && lookAt.autoUpdate) {
      const tail = lookAt.target.getWorldPosition(p).sub(yawSector.position).toArray();
      target.geometry.dispose();
      target.geometry = geometryOf([...sphere(tail, 0.1), [0, 0, 0], tail]);
      target.position.copy(yawSector.position);
    }
    super.updateMatrixWorld(force);
  }
}

export class VRMNodeConstraintHelper extends Group {
  constructor(constraint) {
    super();
    this.constraint = constraint;
    this.line = new Line(geometryOf([[0, 0, 0], [0, 0, 0]]), new LineBasicMaterial({ color: 0xff00ff, ...over }));
    this.line.frustumCulled = false;
    this.add(this.line);
  }

  dispose() {
    this.line.geometry.dispose();
    this.line.material.dispose();
  }

  updateMatrixWorld(force) {
    const { position } = this.line.geometry.attributes;
    [this.constraint.destination, this.constraint.source].forEach((node, i) => {
      p.setFromMatrixPosition(node.matrixWorld);
      position.setXYZ(i, p.x, p.y, p.z);
    });
    position.needsUpdate = true;
    super.updateMatrixWorld(force);
  }
}

/** Adds helpers for all parts of an avatar below `root`. */
export function addHelpers(root, vrm) {
  const helpers = [
    new VRMHumanoidHelper(vrm.humanoid),
    ...(vrm.lookAt ? [new VRMLookAtHelper(vrm.lookAt)] : []),
    ...vrm.springBoneManager.colliders.map((collider) => new VRMSpringBoneColliderHelper(collider)),
    ...[...vrm.springBoneManager.joints].map((joint) => new VRMSpringBoneJointHelper(joint)),
    ...[...vrm.nodeConstraintManager.constraints].map((constraint) => new VRMNodeConstraintHelper(constraint)),
  ];
  for (const helper of helpers) {
    helper.renderOrder = root.renderOrder;
    root.add(helper);
  }
}
