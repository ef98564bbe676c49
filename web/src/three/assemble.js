// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

import { VRM as Instance } from '../index.js';
import { fileBinds } from './binds.js';
import { VRMNodeConstraintManager } from './constraint.js';
import { VRMExpression, VRMExpressionManager, VRMExpressionMaterialColorBind, VRMExpressionMorphTargetBind,
  VRMExpressionTextureTransformBind } from './expression.js';
import { VRMFirstPerson } from './first_person.js';
import { VRMHumanoid } from './humanoid.js';
import { Link } from './link.js';
import { VRMLookAt, VRMLookAtBoneApplier, VRMLookAtExpressionApplier, VRMLookAtRangeMap } from './look_at.js';
import { VRMSpringBoneManager } from './spring.js';
import { VRM } from './vrm.js';

const DEGREES = 180 / Math.PI;

function makeHumanoid(link, options) {
  const { humanBones } = link.vrm.avatar;
  const humanoid = new VRMHumanoid(Object.fromEntries(Object.entries(humanBones).map(([bone, order]) =>
    [bone, { node: link.nodeByOrder(order) }])), options, link);
  link.house(link.scene, humanoid.normalizedHumanBonesRoot);
  return humanoid;
}

function makeExpressions(link) {
  const manager = new VRMExpressionManager();
  link.vrm.avatar.expressions.forEach((described, i) => {
    const expression = new VRMExpression(described.name);
    expression._index = i;
    expression.isBinary = described.isBinary;
    expression.overrideBlink = described.overrideBlink;
    expression.overrideLookAt = described.overrideLookAt;
    expression.overrideMouth = described.overrideMouth;
    expression._describe = () => fileBinds(link, described).map(({ kind, ...values }) => new {
      morph: VRMExpressionMorphTargetBind, color: VRMExpressionMaterialColorBind, texture: VRMExpressionTextureTransformBind,
    }[kind](values));
    manager.registerExpression(expression);
    link.house(link.scene, expression);
  });
  manager._attach(link);
  return manager;
}

function makeLookAt(link, humanoid, expressions) {
  const { type, offsetFromHeadBone, horizontalInner, horizontalOuter, verticalDown, verticalUp } = link.vrm.avatar.lookAt;
  if (type === 'none') return null;
  const unit = type === 'bone' ? DEGREES : 1;
  const maps = [horizontalInner, horizontalOuter, verticalDown, verticalUp].map(({ inputMax, outputScale }) =>
    new VRMLookAtRangeMap(inputMax * DEGREES, outputScale * unit));
  const applier = type === 'bone' ? new VRMLookAtBoneApplier(humanoid, ...maps) : new VRMLookAtExpressionApplier(expressions, ...maps);
  applier._link = link;
  const lookAt = new VRMLookAt(humanoid, applier);
  lookAt.offsetFromHeadBone.fromArray(offsetFromHeadBone);
  if (link.vrm.avatar.dialect === '0.x') {
    lookAt.faceFront.set(0, 0, -1);
    applier.faceFront?.set(0, 0, -1);
  }
  return lookAt;
}

function makeFirstPerson(link, humanoid) {
  const firstPerson = new VRMFirstPerson(humanoid, link.meshes.map(({ object, primitives, firstPerson: type }) =>
    ({ meshes: [...primitives], type })));
  firstPerson._link = link;
  return firstPerson;
}

/**
 * Creates a VRM from an avatar of the core and the objects of its file: {scene, nodes (by glTF index), binds, materialOf
 * (Map of a mesh to the file's material), mtoon (MToon's materials), meta}. `options`: those of VRMLoaderPlugin.
 */
export function assemble(avatar, parts, { instance, springTime, autoUpdateHumanBones }) {
  const options = { instance, springTime, autoUpdateHumanBones };
  const link = new Link(new Instance(avatar, { springParameters: true, ...instance }), parts, options);
  const humanoid = makeHumanoid(link, options);
  const expressionManager = makeExpressions(link);
  const springBoneManager = new VRMSpringBoneManager();
  const nodeConstraintManager = new VRMNodeConstraintManager();
  springBoneManager._link = link;
  nodeConstraintManager._link = link;
  const vrm = new VRM({
    scene: parts.scene, meta: parts.meta, humanoid, expressionManager, springBoneManager, nodeConstraintManager,
    firstPerson: makeFirstPerson(link, humanoid), lookAt: makeLookAt(link, humanoid, expressionManager), materials: parts.mtoon,
  });
  vrm._link = link;
  return vrm;
}
