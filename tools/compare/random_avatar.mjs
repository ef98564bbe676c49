// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Generates random avatars as .gltf text. They have the required bones and some more, with random rest rotations;
// spring chains with centers and with colliders of every kind; constraints of every kind; expressions with morphs,
// colours and texture transforms; look-at with random range maps. Features that three-vrm does not support (skipped
// joints) are left out.

import { generator } from './compare.mjs';

const skeleton = [
  // columns: bone, parent, offset from the parent in model space
  ['hips', null, [0, 0.95, 0]], ['spine', 'hips', [0, 0.1, 0]], ['chest', 'spine', [0, 0.12, 0]],
  ['upperChest', 'chest', [0, 0.1, 0]], ['neck', 'upperChest', [0, 0.12, 0]], ['head', 'neck', [0, 0.08, 0]],
  ['leftEye', 'head', [0.03, 0.07, 0.06]], ['rightEye', 'head', [-0.03, 0.07, 0.06]],
];
for (const [side, x] of [['left', 1], ['right', -1]]) {
  skeleton.push([`${side}UpperLeg`, 'hips', [0.09 * x, -0.05, 0]], [`${side}LowerLeg`, `${side}UpperLeg`, [0, -0.4, 0]],
    [`${side}Foot`, `${side}LowerLeg`, [0, -0.42, 0]], [`${side}Shoulder`, 'upperChest', [0.04 * x, 0.08, 0]],
    [`${side}UpperArm`, `${side}Shoulder`, [0.1 * x, 0, 0]], [`${side}LowerArm`, `${side}UpperArm`, [0.25 * x, 0, 0]],
    [`${side}Hand`, `${side}LowerArm`, [0.23 * x, 0, 0]]);
}

const conjugate = ([x, y, z, w]) => [-x, -y, -z, w];
const multiply = (a, b) => [
  a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
  a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]];
const rotate = (q, [x, y, z]) => multiply(multiply(q, [x, y, z, 0]), conjugate(q)).slice(0, 3);

export function randomAvatar(seed, { lowDrag = false } = {}) {
  const random = generator(seed);
  const between = (low, high) => low + (high - low) * random();
  const direction = () => {
    const v = [between(-1, 1), between(-1, 1), between(-1, 1)];
    const length = Math.hypot(...v) || 1;
    return v.map((c) => c / length);
  };
  const rotation = (angle) => {
    const a = between(-angle, angle) / 2;
    return [...direction().map((c) => c * Math.sin(a)), Math.cos(a)];
  };

  const nodes = [];
  const worldOf = []; // rest rotations in model space
  const index = {};
  /** Adds a node. `offset` is in model space, so that the figure has the same shape for all rest rotations. */
  function add(name, parent, offset, restAngle = 1.2) {
    const above = parent === null ? [0, 0, 0, 1] : worldOf[parent];
    const world = multiply(rotation(restAngle), above);
    const i = nodes.length;
    nodes.push({ name, translation: rotate(conjugate(above), offset), rotation: multiply(conjugate(above), world) });
    worldOf.push(world);
    if (parent !== null) (nodes[parent].children ??= []).push(i);
    return i;
  }
  const humanBones = {};
  for (const [bone, parent, offset] of skeleton) {
    index[bone] = add(bone, parent === null ? null : index[parent], offset);
    humanBones[bone] = { node: index[bone] };
  }

  // Colliders of all kinds, on parts of the body that move.
  const colliders = ['head', 'upperChest', 'hips', 'leftUpperArm', 'rightUpperLeg'].flatMap((bone) => {
    const offset = [between(-0.05, 0.05), between(-0.05, 0.05), between(-0.05, 0.05)];
    const tail = offset.map((v) => v + between(-0.1, 0.1));
    const radius = between(0.04, 0.09);
    const node = index[bone];
    return [{ node, shape: { sphere: { offset, radius } } }, { node, shape: { capsule: { offset, tail, radius } } }];
  });
  const extended = (node, shape) => ({ node, shape: { sphere: { offset: [0, -10000, 0], radius: 0 } },
    extensions: { VRMC_springBone_extended_collider: { specVersion: '1.0', shape } } });
  colliders.push(extended(index.head, { sphere: { offset: [0, 0, 0], radius: 0.45, inside: true } }));
  colliders.push(extended(index.chest, { capsule: { offset: [0, 0.2, 0], tail: [0, -0.4, 0], radius: 0.5, inside: true } }));
  colliders.push(extended(index.hips, { plane: { offset: [0, -0.6, 0], normal: direction() } }));
  const colliderGroups = colliders.map((_, i) => ({ colliders: [i] }));

  // Chains of hair and cloth.
  const springs = [];
  for (let chain = 0; chain < 12; ++chain) {
    const anchor = ['head', 'head', 'upperChest', 'hips', 'leftHand'][chain % 5];
    const angle = between(0, 6.28);
    let parent = add(`chain${chain}`, index[anchor], [0.08 * Math.cos(angle), between(-0.05, 0.12), 0.08 * Math.sin(angle)]);
    const joint = (node) => ({
      node, hitRadius: between(0, 0.02), stiffness: between(0.2, 2), gravityPower: between(0, 0.6),
      gravityDir: chain % 3 === 0 ? direction() : [0, -1, 0], dragForce: lowDrag ? between(0.08, 0.35) : between(0.4, 0.95),
    });
    const joints = [joint(parent)];
    for (let i = 0; i < 3 + (chain % 4); ++i) {
      parent = add(`chain${chain}_${i}`, parent, [between(-0.03, 0.03), -between(0.05, 0.1), between(-0.03, 0.03)]);
      joints.push(joint(parent));
    }
    const spring = { joints, colliderGroups: [0, 1, 2, 3].map((i) => (Math.floor(random() * 3) + 3 * i + chain) % colliderGroups.length) };
    if (chain % 4 === 1) spring.center = index[anchor];
    springs.push(spring);
  }

  // Constraints: roll, aim, rotation, one that follows another.
  const constrained = (parent, constraint) => {
    const node = add(`constraint${nodes.length}`, index[parent], [0.05, 0.02, 0]);
    nodes[node].extensions = { VRMC_node_constraint: { specVersion: '1.0', constraint } };
    return node;
  };
  for (const axis of ['X', 'Y', 'Z']) {
    constrained('leftUpperArm', { roll: { source: index.leftLowerArm, rollAxis: axis, weight: between(0.2, 1) } });
  }
  for (const axis of ['PositiveX', 'NegativeX', 'PositiveY', 'NegativeY', 'PositiveZ', 'NegativeZ']) {
    constrained('hips', { aim: { source: index.rightHand, aimAxis: axis, weight: between(0.2, 1) } });
  }
  const follower = constrained('head', { rotation: { source: index.leftHand, weight: between(0.2, 1) } });
  constrained('chest', { rotation: { source: follower, weight: between(0.2, 1) } });

  // A triangle with morphs, two materials.
  const floats = [];
  const view = () => ({ buffer: 0, byteOffset: (floats.length - 9) * 4, byteLength: 36 });
  const bufferViews = [];
  const morphs = 6;
  for (let i = 0; i <= morphs; ++i) {
    for (let k = 0; k < 9; ++k) floats.push(between(-0.2, 0.2));
    bufferViews.push(view());
  }
  const minmax = (i, f) => [0, 1, 2].map((k) => Math.fround(f(floats[9 * i + k], floats[9 * i + 3 + k], floats[9 * i + 6 + k])));
  const accessors = bufferViews.map((_, i) => ({ bufferView: i, componentType: 5126, count: 3, type: 'VEC3',
    min: minmax(i, Math.min), max: minmax(i, Math.max) }));
  const meshNode = nodes.length;
  nodes.push({ name: 'face', mesh: 0 });
  const color = () => [random(), random(), random(), random()];
  const transform = () => ({ KHR_texture_transform: { offset: [random(), random()], scale: [between(0.5, 2), between(0.5, 2)] } });
  const materials = [
    { name: 'plain', alphaMode: 'BLEND', pbrMetallicRoughness: { baseColorFactor: color(), baseColorTexture: { index: 0, extensions: transform() } },
      emissiveFactor: color().slice(0, 3) },
    { name: 'toon', alphaMode: 'BLEND', pbrMetallicRoughness: { baseColorFactor: color(), baseColorTexture: { index: 0 } }, emissiveFactor: color().slice(0, 3),
      extensions: { VRMC_materials_mtoon: { specVersion: '1.0', shadeColorFactor: color().slice(0, 3), matcapFactor: color().slice(0, 3),
        parametricRimColorFactor: color().slice(0, 3), outlineColorFactor: color().slice(0, 3), outlineWidthMode: 'none',
        shadeMultiplyTexture: { index: 0, extensions: transform() } } } },
  ];
  const overrides = ['none', 'block', 'blend'];
  const pick = (list) => list[Math.floor(random() * list.length)];
  const expression = () => ({
    isBinary: random() < 0.25, overrideMouth: pick(overrides), overrideBlink: pick(overrides), overrideLookAt: pick(overrides),
    morphTargetBinds: [{ node: meshNode, index: Math.floor(random() * morphs), weight: random() },
      { node: meshNode, index: Math.floor(random() * morphs), weight: random() }],
    materialColorBinds: [{ material: 0, type: pick(['color', 'emissionColor']), targetValue: color() },
      { material: 1, type: pick(['color', 'emissionColor', 'shadeColor', 'matcapColor', 'rimColor', 'outlineColor']), targetValue: color() }],
    textureTransformBinds: [{ material: pick([0, 1]), scale: [between(0.5, 2), between(0.5, 2)], offset: [random(), random()] }],
  });
  const preset = {};
  for (const name of ['happy', 'angry', 'sad', 'relaxed', 'surprised', 'aa', 'ih', 'ou', 'ee', 'oh', 'blink', 'blinkLeft',
    'blinkRight', 'lookUp', 'lookDown', 'lookLeft', 'lookRight', 'neutral']) {
    preset[name] = expression();
  }
  const type = seed % 2 === 0 ? 'bone' : 'expression';
  const range = () => ({ inputMaxValue: between(20, 120), outputScale: type === 'bone' ? between(5, 30) : between(0.3, 1) });
  return JSON.stringify({
    asset: { version: '2.0', generator: 'libvrm random avatar' },
    extensionsUsed: ['VRMC_vrm', 'VRMC_springBone', 'VRMC_springBone_extended_collider', 'VRMC_node_constraint',
      'VRMC_materials_mtoon', 'KHR_texture_transform'],
    extensions: {
      VRMC_vrm: {
        specVersion: '1.0',
        meta: { name: `random ${seed}`, authors: ['chance'], licenseUrl: 'https://vrm.dev/licenses/1.0/' },
        humanoid: { humanBones },
        expressions: { preset, custom: { wink: expression() } },
        lookAt: { type, offsetFromHeadBone: [between(-0.02, 0.02), between(0.02, 0.1), between(0, 0.08)],
          rangeMapHorizontalInner: range(), rangeMapHorizontalOuter: range(), rangeMapVerticalDown: range(), rangeMapVerticalUp: range() },
      },
      VRMC_springBone: { specVersion: '1.0', colliders, colliderGroups, springs },
    },
    scene: 0, scenes: [{ nodes: [0, meshNode] }], nodes,
    meshes: [{ primitives: materials.map((_, material) => ({ attributes: { POSITION: 0 }, material,
      targets: Array.from({ length: morphs }, (_, i) => ({ POSITION: i + 1 })) })) }],
    materials, textures: [{ source: 0 }],
    images: [{ uri: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==' }],
    accessors, bufferViews,
    buffers: [{ byteLength: floats.length * 4, uri: `data:application/octet-stream;base64,${Buffer.from(new Float32Array(floats).buffer).toString('base64')}` }],
  });
}
