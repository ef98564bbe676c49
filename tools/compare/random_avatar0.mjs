// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Generates random avatars of VRM 0.x: hair that branches, groups of bones and colliders, centers, winds, ranges of
// gaze, and expressions of meshes that two nodes show. Bones have no rest rotation, as VRM 0.x requires, but a few
// nodes between them have one.

import { generator } from './compare.mjs';

const skeleton = [['hips', null, [0, 0.9, 0]], ['spine', 'hips', [0, 0.1, 0]], ['chest', 'spine', [0, 0.15, 0]],
  ['neck', 'chest', [0, 0.2, 0]], ['head', 'neck', [0, 0.08, 0]], ['leftEye', 'head', [-0.03, 0.06, -0.07]],
  ['rightEye', 'head', [0.03, 0.06, -0.07]]];
for (const [side, x] of [['left', -1], ['right', 1]]) {
  skeleton.push([`${side}UpperArm`, 'chest', [0.15 * x, 0.15, 0]], [`${side}LowerArm`, `${side}UpperArm`, [0.25 * x, 0, 0]],
    [`${side}Hand`, `${side}LowerArm`, [0.25 * x, 0, 0]], [`${side}IndexProximal`, `${side}Hand`, [0.08 * x, 0, 0]],
    [`${side}UpperLeg`, 'hips', [0.1 * x, -0.05, 0]], [`${side}LowerLeg`, `${side}UpperLeg`, [0, -0.4, 0]],
    [`${side}Foot`, `${side}LowerLeg`, [0, -0.4, 0]]);
}

/** Returns the document as text. */
export function randomAvatar0(seed) {
  const random = generator(seed);
  const between = (low, high) => low + (high - low) * random();
  const pick = (list) => list[Math.floor(random() * list.length)];
  const vector = (size) => [0, 0, 0].map(() => between(-size, size));
  const nodes = skeleton.map(([name, , translation]) => ({ name, translation }));
  const indexOf = (name) => skeleton.findIndex(([other]) => other === name);
  const hang = (parent, node) => {
    (nodes[parent].children ??= []).push(nodes.length);
    nodes.push(node);
    return nodes.length - 1;
  };
  skeleton.forEach(([, parent], i) => parent && (nodes[indexOf(parent)].children ??= []).push(i));
  const rotation = () => {
    const [x, y, z] = vector(0.4);
    return [x, y, z, Math.sqrt(1 - x * x - y * y - z * z)];
  };
  const strand = (parent, depth) => {
    const node = hang(parent, { name: `hair ${nodes.length}`, translation: [between(-0.04, 0.04), between(-0.08, -0.03), between(-0.04, 0.04)] });
    if (depth > 0) {
      for (let i = random() < 0.3 ? 2 : 1; i > 0; --i) strand(node, depth - 1);
      if (random() < 0.3) nodes[node].rotation = rotation(); // leaves have no rotation: runtimes disagree about their
                                                             // tails
    }
    return node;
  };
  const colliderGroups = ['head', 'chest', 'leftUpperArm', 'hips'].map((bone) => ({ node: indexOf(bone),
    colliders: Array.from({ length: 1 + Math.floor(2 * random()) }, () => {
      const [x, y, z] = vector(0.06);
      return { offset: { x, y, z }, radius: between(0.03, 0.08) };
    }) }));
  const boneGroups = ['head', 'head', 'hips', 'chest'].map((bone, g) => {
    const [x, , z] = vector(0.5);
    // The node between the body and the hair may be rotated.
    const root = random() < 0.5 ? indexOf(bone)
      : hang(indexOf(bone), { name: `between ${g}`, translation: vector(0.05), rotation: rotation() });
    return { comment: `group ${g}`, stiffiness: between(0.2, 2), gravityPower: between(0, 0.6), gravityDir: { x, y: -1, z },
      dragForce: between(0.45, 0.9), hitRadius: between(0, 0.03), center: random() < 0.3 ? indexOf(bone) : -1,
      bones: Array.from({ length: 1 + Math.floor(2 * random()) }, () => strand(root, 1 + Math.floor(3 * random()))),
      colliderGroups: colliderGroups.map((_, i) => i).filter(() => random() < 0.6) };
  });
  const mesh = nodes.length;
  nodes.push({ name: 'face', mesh: 0 }, { name: 'face again', mesh: 0 });
  const map = () => ({ curve: [0, 0, 0, 1, 1, 1, 1, 0], xRange: between(30, 90), yRange: between(5, 20) });
  const bytes = Buffer.from(new Float32Array([0, 1, 0, 1, 0, 0, 0, 0, 0]).buffer).toString('base64');
  const groups = ['joy', 'a', 'blink_l', 'unknown'].map((presetName, i) => ({ name: `expression ${i}`, presetName, isBinary: random() < 0.3,
    binds: [0, 1, 2].filter(() => random() < 0.6).map((index) => ({ mesh: 0, index, weight: between(0, 100) })) }));
  const first = indexOf('head');
  const [x, y, z] = vector(0.05);
  return JSON.stringify({ asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [0, mesh, mesh + 1] }], nodes,
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, targets: [0, 0, 0].map(() => ({ POSITION: 0 })) }] }],
    accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 0] }],
    bufferViews: [{ buffer: 0, byteLength: 36 }],
    buffers: [{ byteLength: 36, uri: `data:application/octet-stream;base64,${bytes}` }],
    extensionsUsed: ['VRM'], extensions: { VRM: { specVersion: '0.0',
      meta: { title: `Chance ${seed}`, author: 'libvrm', allowedUserName: pick(['OnlyAuthor', 'Everyone']), licenseName: 'Other' },
      humanoid: { humanBones: skeleton.map(([bone], node) => ({ bone, node, useDefaultValues: true })) },
      firstPerson: { firstPersonBone: first, firstPersonBoneOffset: { x, y: y + 0.06, z }, lookAtTypeName: 'Bone', meshAnnotations: [],
        lookAtHorizontalInner: map(), lookAtHorizontalOuter: map(), lookAtVerticalDown: map(), lookAtVerticalUp: map() },
      blendShapeMaster: { blendShapeGroups: groups }, secondaryAnimation: { boneGroups, colliderGroups }, materialProperties: [] } } });
}
