// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Writes one avatar in five dialects: VRM 0.x, the draft of March 2021 as its specification describes it, the same
// draft as its JSON schemas describe it, 1.0-beta and 1.0. No files of the drafts were published. Here all files come
// from one description, so they must move alike and look alike. The avatar uses every feature of the dialects. Its
// materials are in materials.mjs.
//
//     node dialects.mjs DIALECT > avatar.gltf

import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { colorBinds, materialProperties, materialValues, materials, textureBinds, texturedParts } from './materials.mjs';

const bones = [['hips', null, [0, 0.9, 0]], ['spine', 'hips', [0, 0.1, 0]], ['chest', 'spine', [0, 0.15, 0]],
  ['neck', 'chest', [0, 0.2, 0]], ['head', 'neck', [0, 0.08, 0.01]],
  ['leftEye', 'head', [0.03, 0.06, 0.07]], ['rightEye', 'head', [-0.03, 0.06, 0.07]],
  ['leftUpperArm', 'chest', [0.15, 0.15, 0]], ['leftLowerArm', 'leftUpperArm', [0.25, 0, 0]],
  ['leftHand', 'leftLowerArm', [0.25, 0, 0]], ['leftThumbMetacarpal', 'leftHand', [0.03, 0, 0.03]],
  ['leftThumbProximal', 'leftThumbMetacarpal', [0.03, 0, 0.01]], ['leftThumbDistal', 'leftThumbProximal', [0.02, 0, 0]],
  ['rightUpperArm', 'chest', [-0.15, 0.15, 0]], ['rightLowerArm', 'rightUpperArm', [-0.25, 0, 0]],
  ['rightHand', 'rightLowerArm', [-0.25, 0, 0]],
  ['leftUpperLeg', 'hips', [0.1, -0.05, 0]], ['leftLowerLeg', 'leftUpperLeg', [0, -0.4, 0]],
  ['leftFoot', 'leftLowerLeg', [0, -0.4, 0]], ['rightUpperLeg', 'hips', [-0.1, -0.05, 0]],
  ['rightLowerLeg', 'rightUpperLeg', [0, -0.4, 0]], ['rightFoot', 'rightLowerLeg', [0, -0.4, 0]]];
// Two strands. The last node of each is a leaf, 7 cm away in the strand's direction, like the one that VRM 0.x implies.
const strands = [[[0.02, 0.1, -0.05], [0.02, -0.05, -0.02], [0, -0.05, -0.03]],
  [[-0.04, 0.1, -0.04], [0, -0.06, -0.01], [0.01, -0.05, 0]]];
const spring = { stiffness: 0.8, gravityPower: 0.3, gravityDir: [0.2, -1, 0.1], dragForce: 0.5, hitRadius: 0.02 };
const collider = { offset: [0.01, 0.05, -0.02], radius: 0.09 };
const expressions = [
  { name: 'happy', old: 'joy', morph: 0, weight: 0.75, looks: true }, { name: 'aa', old: 'a', morph: 1, weight: 1 },
  { name: 'blinkLeft', old: 'blink_l', morph: 2, weight: 0.5 }, { name: 'mine', old: null, morph: 0, weight: 0.25 }];
// A node that rotates by half of its source's rotation. VRM 0.x has no such constraint.
const follower = { node: 'follower', parent: 'chest', translation: [0.05, 0.1, -0.1], source: 'leftUpperArm', weight: 0.5 };
const ranges = { HorizontalInner: [80, 9], HorizontalOuter: [70, 12], VerticalDown: [60, 10], VerticalUp: [50, 8] };
const offset = [0.005, 0.065, 0.02];
const upper = (word) => word[0].toUpperCase() + word.slice(1);
const lower = (word) => word[0].toLowerCase() + word.slice(1);
const thumbs = { ThumbMetacarpal: 'ThumbProximal', ThumbProximal: 'ThumbIntermediate' };
const oldBone = (name) => name.replace(/Thumb(Metacarpal|Proximal)/, (found) => thumbs[found]);

/** say() also takes 'draft-2020': the draft's schemas, with springs named by their roots, as before March 2021. */
export const dialects = ['0.x', 'draft-prose', 'draft-schema', '1.0-beta', '1.0'];

/** Returns the document as an object. */
export function say(dialect) {
  const old = dialect === '0.x';
  const draft = dialect.startsWith('draft');
  const prose = dialect === 'draft-prose';
  const rooted = dialect === 'draft-2020';
  const turned = ([x, y, z]) => (old ? [-x, y, -z] : [x, y, z]); // 0.x faces -Z
  const nodes = bones.map(([name, , translation]) => ({ name, translation: turned(translation) }));
  const indexOf = (name) => bones.findIndex(([other]) => other === name);
  const hang = (child, parent) => (nodes[parent].children ??= []).push(child);
  bones.forEach(([, parent], i) => parent && hang(i, indexOf(parent)));
  const head = indexOf('head');
  const joints = strands.map((strand) => strand.map((translation, i) => {
    nodes.push({ name: `strand ${nodes.length}`, translation: turned(translation) });
    hang(nodes.length - 1, i === 0 ? head : nodes.length - 2);
    return nodes.length - 1;
  }));
  if (!old && !rooted) {
    joints.forEach((strand, s) => {
      const last = strands[s].at(-1);
      nodes.push({ name: 'end', translation: last.map((v) => (v * 0.07) / Math.hypot(...last)) });
      hang(nodes.length - 1, strand.at(-1));
      strand.push(nodes.length - 1);
    });
  }
  nodes.push({ name: 'face', mesh: 0 });
  const face = nodes.length - 1;
  nodes.push({ name: follower.node, translation: turned(follower.translation) });
  hang(nodes.length - 1, indexOf(follower.parent));
  const side = old ? -1 : 1;
  const triangle = new Float32Array([0, 1, 0, side, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1]); // and its UVs
  const json = {
    asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [0, face] }], nodes, extensionsUsed: [], extensions: {},
    meshes: [{ primitives: [0, 1].map((material) => ({ attributes: { POSITION: 0, TEXCOORD_0: 1 }, material,
      targets: [0, 0, 0].map(() => ({ POSITION: 0 })) })) }],
    ...texturedParts(), materials: materials(dialect),
    accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3',
      min: [Math.min(side, 0), 0, 0], max: [Math.max(side, 0), 1, 0] },
    { bufferView: 1, componentType: 5126, count: 3, type: 'VEC2' }],
    bufferViews: [{ buffer: 0, byteLength: 36 }, { buffer: 0, byteOffset: 36, byteLength: 24 }],
    buffers: [{ byteLength: 60, uri: `data:application/octet-stream;base64,${Buffer.from(triangle.buffer).toString('base64')}` }],
  };
  const xyz = ([x, y, z]) => ({ x, y, z });
  if (old) {
    // Converts to left-handed axes: negates z in the file, which is x in the turned model.
    const unity = ([x, y, z]) => xyz([-x, y, z]);
    const map = ([xRange, yRange]) => ({ curve: [0, 0, 0, 1, 1, 1, 1, 0], xRange, yRange });
    json.extensions.VRM = {
      exporterVersion: 'libvrm tools/dialects', specVersion: '0.0',
      meta: { title: 'Dialects', version: '1', author: 'libvrm', contactInformation: '', reference: '',
        allowedUserName: 'Everyone', violentUssageName: 'Disallow', sexualUssageName: 'Disallow',
        commercialUssageName: 'Allow', otherPermissionUrl: '', licenseName: 'Other', otherLicenseUrl: '' },
      humanoid: { humanBones: bones.map(([name], node) => ({ bone: oldBone(name), node, useDefaultValues: true })) },
      firstPerson: { firstPersonBone: head, firstPersonBoneOffset: unity(offset),
        meshAnnotations: [{ mesh: 0, firstPersonFlag: 'Both' }], lookAtTypeName: 'Bone', ...Object.fromEntries(Object.entries(ranges).map(([k, v]) => [`lookAt${k}`, map(v)])) },
      blendShapeMaster: { blendShapeGroups: expressions.map((e) => ({ name: e.old ?? e.name,
        presetName: e.old ?? 'unknown', binds: [{ mesh: 0, index: e.morph, weight: e.weight * 100 }],
        materialValues: e.looks ? materialValues() : [], isBinary: false })) },
      secondaryAnimation: {
        boneGroups: [{ comment: 'hair', stiffiness: spring.stiffness, gravityPower: spring.gravityPower,
          gravityDir: unity(spring.gravityDir), dragForce: spring.dragForce, hitRadius: spring.hitRadius, center: -1,
          bones: joints.map(([first]) => first), colliderGroups: [0] }],
        colliderGroups: [{ node: head, colliders: [{ offset: unity(collider.offset), radius: collider.radius }] }] },
      materialProperties: materialProperties(),
    };
    json.extensionsUsed = ['VRM', 'KHR_materials_unlit', 'KHR_texture_transform'];
    return json;
  }
  const word = prose ? upper : (text) => text;
  const binds = (e) => ({ morphTargetBinds: [{ node: face, index: e.morph, weight: e.weight }],
    ...(e.looks ? { materialColorBinds: colorBinds, textureTransformBinds: textureBinds(dialect) } : {}) });
  const degrees = Math.PI / 180;
  const map = ([inputMaxValue, scale]) =>
    ({ inputMaxValue, outputScale: prose || dialect === '1.0-beta' ? scale * degrees : scale });
  const prefix = prose ? '' : draft ? 'lookAt' : 'rangeMap';
  const vrm = {
    specVersion: prose ? '1.0.0' : draft ? '1.0-draft' : dialect,
    meta: { name: 'Dialects', version: '1', authors: ['libvrm'],
      ...(draft ? {} : { licenseUrl: 'https://vrm.dev/licenses/1.0/' }),
      ...(prose ? { copyrights: 'libvrm', reference: 'none', violentUsage: false, gameUsage: true, modify: 'Inherited' }
        : { copyrightInformation: 'libvrm', references: ['none'], allowExcessivelyViolentUsage: false,
          modification: draft ? 'inherited' : 'allowModification' }),
      avatarPermission: word('everyone'), commercialUsage: prose ? 'PersonalCommercial' : 'personalProfit',
      creditNotation: word('required'), allowRedistribution: false },
    humanoid: { humanBones: Object.fromEntries(bones.map(([name], node) => [draft ? oldBone(name) : name, { node }])) },
    firstPerson: { meshAnnotations: [{ node: face, [prose ? 'firstPersonFlag' : draft ? 'firstPersonType' : 'type']: 'both' }] },
    lookAt: { [draft ? 'lookAtType' : 'type']: 'bone', offsetFromHeadBone: offset,
      ...Object.fromEntries(Object.entries(ranges).map(([k, v]) => [prefix ? prefix + k : lower(k), map(v)])) },
    expressions: draft
      ? expressions.map((e) => ({ preset: e.old ? e.name : 'custom', name: e.old ? '' : e.name, ...binds(e) }))
      : { preset: Object.fromEntries(expressions.filter((e) => e.old).map((e) => [e.name, binds(e)])),
        custom: Object.fromEntries(expressions.filter((e) => !e.old).map((e) => [e.name, binds(e)])) },
  };
  const chains = joints.map((strand) => ({ name: 'hair', joints: strand.map((node) => ({ node, ...spring })) }));
  json.extensions = draft
    ? { VRMC_vrm: vrm, VRMC_springBone: { springs: chains.map((chain) => ({ ...chain, colliders: [head] })) } }
    : { VRMC_vrm: vrm, VRMC_springBone: { specVersion: dialect, colliders: [{ node: head, shape: { sphere: collider } }],
      colliderGroups: [{ name: 'head', colliders: [0] }],
      springs: chains.map((chain) => ({ ...chain, colliderGroups: [0] })) } };
  if (rooted) {
    const { hitRadius, ...setting } = spring;
    json.extensions.VRMC_springBone = { settings: [setting],
      springs: joints.map(([springRoot]) => ({ name: 'hair', setting: 0, springRoot, hitRadius, colliders: [head] })) };
  }
  if (draft) nodes[head].extensions = { VRMC_node_collider: { shapes: [{ sphere: collider }] } };
  const { weight } = follower;
  const source = indexOf(follower.source);
  nodes.find(({ name }) => name === follower.node).extensions = draft
    ? { VRMC_constraints: { rotation: { source, sourceSpace: 'local', destinationSpace: 'local', freezeAxes: [true, true, true], weight } } }
    : { VRMC_node_constraint: { specVersion: dialect, constraint: { rotation: { source, weight } } } };
  json.extensionsUsed = ['VRMC_vrm', 'VRMC_springBone', 'VRMC_materials_mtoon', 'KHR_materials_unlit', 'KHR_texture_transform',
    ...(draft ? ['VRMC_node_collider', 'VRMC_constraints'] : ['VRMC_node_constraint'])];
  return json;
}

if (process.argv[1] && fileURLToPath(import.meta.url) === realpathSync(process.argv[1])) {
  process.stdout.write(JSON.stringify(say(process.argv[2] ?? '1.0'), null, 1));
}
