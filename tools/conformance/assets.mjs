// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Models and motions like those of the conformance suite's generator (docs/conformance.md), created from its
// description.

import { deflateSync } from 'node:zlib';
import { crc32 } from './png.mjs';

/** Collects accessors over one buffer and writes GLB. */
class Buffer3 {
  constructor() { Object.assign(this, { chunks: [], size: 0, views: [], accessors: [] }); }

  view(bytes, target) {
    const padded = Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
    this.views.push({ buffer: 0, byteOffset: this.size, byteLength: bytes.length, ...(target ? { target } : {}) });
    this.chunks.push(padded);
    this.size += padded.length;
    return this.views.length - 1;
  }

  floats(values, type, { bounds = false, target = 34962 } = {}) {
    const width = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 }[type];
    const data = Float32Array.from(values);
    const entry = { bufferView: this.view(Buffer.from(data.buffer), target), componentType: 5126, count: data.length / width, type };
    if (bounds) {
      const column = (pick) => Array.from({ length: width }, (_, k) => pick(...[...data].filter((_, i) => i % width === k)));
      Object.assign(entry, { min: column(Math.min), max: column(Math.max) });
    }
    return this.accessors.push(entry) - 1;
  }

  integers(values, type, array, componentType, target) {
    const data = array.from(values);
    const count = data.length / (type === 'VEC4' ? 4 : 1);
    return this.accessors.push({ bufferView: this.view(Buffer.from(data.buffer), target), componentType, count, type }) - 1;
  }

  glb(document) {
    const binary = Buffer.concat(this.chunks);
    const whole = { ...document, buffers: [{ byteLength: binary.length }], bufferViews: this.views, accessors: this.accessors };
    const text = Buffer.from(JSON.stringify(whole));
    const json = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, ' ')]);
    const head = Buffer.alloc(20);
    [0x46546c67, 2, 28 + json.length + binary.length, json.length, 0x4e4f534a].forEach((v, i) => head.writeUInt32LE(v, 4 * i));
    const tail = Buffer.alloc(8);
    [binary.length, 0x004e4942].forEach((v, i) => tail.writeUInt32LE(v, 4 * i));
    return Buffer.concat([head, json, tail, binary]);
  }
}

// --- rig ---------------------------------------------------------------------------------------------------------------

const sides = (side, x) => [
  [`${side}Shoulder`, 'chest', [0.05 * x, 0.18, 0]], [`${side}UpperArm`, `${side}Shoulder`, [0.1 * x, 0, 0]],
  [`${side}LowerArm`, `${side}UpperArm`, [0.25 * x, 0, 0]], [`${side}Hand`, `${side}LowerArm`, [0.25 * x, 0, 0]]];
const legs = (side, x) => [[`${side}UpperLeg`, 'hips', [0.1 * x, 0, 0]], [`${side}LowerLeg`, `${side}UpperLeg`, [0, -0.4, 0]],
  [`${side}Foot`, `${side}LowerLeg`, [0, -0.4, 0]]];
export const rig = [['hips', null, [0, 0.86, 0]], ['spine', 'hips', [0, 0.1, 0]], ['chest', 'spine', [0, 0.1, 0]],
  ['neck', 'chest', [0, 0.2, 0]], ['head', 'neck', [0, 0.1, 0]], ...sides('left', 1), ...sides('right', -1), ...legs('left', 1),
  ...legs('right', -1)];
const headHeight = 1.36;

function rigNodes() {
  const nodes = rig.map(([name, , translation]) => ({ name, translation }));
  rig.forEach(([, parent], i) => {
    const above = rig.findIndex(([name]) => name === parent);
    if (above >= 0) (nodes[above].children ??= []).push(i);
  });
  return nodes;
}

const boneIndex = (name) => rig.findIndex(([bone]) => bone === name);

// --- meshes ------------------------------------------------------------------------------------------------------------

/** Triangles are wound inside out, as in the suite: i0, i1, i0 + 1. */
function sphere(radius, rings, segments) {
  const positions = [];
  const normals = [];
  const uvs = [];
  const indices = [];
  for (let r = 0; r <= rings; ++r) {
    const theta = (Math.PI * r) / rings;
    for (let s = 0; s <= segments; ++s) {
      const phi = (2 * Math.PI * s) / segments;
      const normal = [Math.sin(theta) * Math.cos(phi), Math.cos(theta), Math.sin(theta) * Math.sin(phi)];
      normals.push(...normal);
      positions.push(...normal.map((c) => c * radius));
      uvs.push(s / segments, r / rings);
      if (r < rings && s < segments) {
        const i0 = r * (segments + 1) + s;
        const i1 = i0 + segments + 1;
        indices.push(i0, i1, i0 + 1, i0 + 1, i1, i1 + 1);
      }
    }
  }
  return { positions, normals, uvs, indices };
}

/** A skinned tube of eight sides along joints one below the other. */
function tube(joints, radius) {
  const out = { positions: [], normals: [], uvs: [], indices: [], joints: [], weights: [] };
  const around = 8;
  joints.forEach(([x, y, z], j) => {
    for (let s = 0; s <= around; ++s) {
      const angle = (2 * Math.PI * s) / around;
      out.positions.push(x + radius * Math.cos(angle), y, z + radius * Math.sin(angle));
      out.normals.push(Math.cos(angle), 0, Math.sin(angle));
      out.uvs.push(s / around, j / (joints.length - 1));
      out.joints.push(j, 0, 0, 0);
      out.weights.push(1, 0, 0, 0);
      if (j + 1 < joints.length && s < around) {
        const i0 = j * (around + 1) + s;
        const i1 = i0 + around + 1;
        out.indices.push(i0, i0 + 1, i1, i1, i0 + 1, i1 + 1);
      }
    }
  });
  return out;
}

function quad(size) {
  return { positions: [-size, -size, 0, size, -size, 0, size, size, 0, -size, size, 0], normals: [0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1],
    uvs: [0, 1, 1, 1, 1, 0, 0, 0], indices: [0, 1, 2, 0, 2, 3] };
}

function addMesh(buffer, mesh, material) {
  const attributes = { POSITION: buffer.floats(mesh.positions, 'VEC3', { bounds: true }), NORMAL: buffer.floats(mesh.normals, 'VEC3'),
    TEXCOORD_0: buffer.floats(mesh.uvs, 'VEC2') };
  if (mesh.joints) {
    attributes.JOINTS_0 = buffer.integers(mesh.joints, 'VEC4', Uint16Array, 5123, 34962);
    attributes.WEIGHTS_0 = buffer.floats(mesh.weights, 'VEC4');
  }
  return { primitives: [{ attributes, indices: buffer.integers(mesh.indices, 'SCALAR', Uint32Array, 5125, 34963), material, mode: 4 }] };
}

// --- materials ---------------------------------------------------------------------------------------------------------

/** 16 x 16 pixels, quadrants red and green over blue and yellow. */
function checker() {
  const rows = Buffer.alloc(16 * 49);
  for (let y = 0; y < 16; ++y) {
    for (let x = 0; x < 16; ++x) {
      const color = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 0]][(y >= 8 ? 2 : 0) + (x >= 8 ? 1 : 0)];
      color.forEach((c, k) => { rows[y * 49 + 1 + 3 * x + k] = c; });
    }
  }
  const chunk = (name, data) => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const out = Buffer.alloc(12 + data.length);
    out.writeUInt32BE(data.length, 0);
    body.copy(out, 4);
    out.writeUInt32BE(crc32(body), 8 + data.length);
    return out;
  };
  const head = Buffer.from([0, 0, 0, 16, 0, 0, 0, 16, 8, 2, 0, 0, 0]);
  return Buffer.concat([Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), chunk('IHDR', head), chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0))]);
}

const mtoonDefaults = { specVersion: '1.0', shadeColorFactor: [0.5, 0.5, 0.5], shadingShiftFactor: 0, shadingToonyFactor: 0.9,
  giEqualizationFactor: 0.9, matcapFactor: [1, 1, 1], parametricRimColorFactor: [0, 0, 0], parametricRimFresnelPowerFactor: 5,
  parametricRimLiftFactor: 0, rimLightingMixFactor: 0, outlineWidthMode: 'none', outlineWidthFactor: 0,
  outlineColorFactor: [0, 0, 0], outlineLightingMixFactor: 1, renderQueueOffsetNumber: 0, transparentWithZWrite: false };

function materialOf({ name, mtoon = {}, material = {}, extensions = {} }) {
  return { name, alphaMode: 'OPAQUE', doubleSided: false,
    pbrMetallicRoughness: { baseColorFactor: [1, 1, 1, 1], metallicFactor: 0, roughnessFactor: 0.9, ...material.pbr },
    ...Object.fromEntries(Object.entries(material).filter(([key]) => key !== 'pbr')),
    extensions: { KHR_materials_unlit: {}, VRMC_materials_mtoon: { ...mtoonDefaults, ...mtoon }, ...extensions } };
}

// --- models ------------------------------------------------------------------------------------------------------------

export const chainDefaults = { joints: 4, segment: 0.05, stiffness: 0.5, drag: 0.5, gravity: 0.5, direction: [0, -1, 0], radius: 0.02 };

/**
 * A model of VRM 1.0. `chains`: [{joints, segment, x, stiffness ...}]. A number may be a function of the position along the
 * chain, 0 to 1. `colliders`: [{node, shape, extensions}].
 */
export function makeModel(options) {
  const { name, chains = [], colliders = [], expressions = { preset: {} }, lookAtType = 'bone', annotation = 'both', shape = 'sphere',
    texture = false } = options;
  const buffer = new Buffer3();
  const nodes = rigNodes();
  const skins = [];
  const meshes = [addMesh(buffer, shape === 'quad' ? quad(0.4) : sphere(0.3, 32, 64), 0)];
  const springs = chains.map((given, c) => {
    const chain = { ...chainDefaults, ...given };
    const first = nodes.length;
    const x = chain.x ?? 0;
    for (let i = 0; i < chain.joints; ++i) {
      const translation = chain.way ? chain.way : [i === 0 ? x : 0, -chain.segment, 0];
      nodes.push({ name: `${name}_chain${c}_${i}`, translation, ...(i + 1 < chain.joints ? { children: [first + i + 1] } : {}) });
    }
    nodes[boneIndex('head')].children = [...(nodes[boneIndex('head')].children ?? []), first];
    const places = Array.from({ length: chain.joints }, (_, i) => [x, headHeight - (i + 1) * chain.segment, 0]);
    meshes.push(addMesh(buffer, tube(places, 0.02), 0));
    skins.push({ joints: places.map((_, i) => first + i), inverseBindMatrices: buffer.floats(
      places.flatMap(([px, py, pz]) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -px, -py, -pz, 1]), 'MAT4', { target: 0 }) });
    const at = (value, i) => (typeof value === 'function' ? value(i / Math.max(1, chain.joints - 2)) : value);
    return { name: `${name}_chain${chains.length > 1 ? c : ''}`, ...(chain.groups ? { colliderGroups: chain.groups } : {}),
      joints: places.map((_, i) => ({ node: first + i, stiffness: at(chain.stiffness, i), dragForce: at(chain.drag, i),
        gravityPower: at(chain.gravity, i), gravityDir: chain.direction, hitRadius: chain.radius })) };
  });
  const shown = [nodes.length];
  nodes.push({ name: `${name}_shape`, mesh: 0 });
  nodes[boneIndex('head')].children = [...(nodes[boneIndex('head')].children ?? []), shown[0]];
  const roots = [0];
  skins.forEach((_, c) => {
    shown.push(nodes.length);
    roots.push(nodes.length);
    nodes.push({ name: `${name}_tube${c}`, mesh: c + 1, skin: c });
  });
  const images = texture ? [{ bufferView: buffer.view(checker()), mimeType: 'image/png' }] : [];
  const meta = { name, version: '1', authors: ['generated'], licenseUrl: 'https://vrm.dev/licenses/1.0/', avatarPermission: 'everyone',
    modification: 'allowModification', allowRedistribution: true };
  const range = { inputMaxValue: 90, outputScale: lookAtType === 'bone' ? 10 : 1 };
  const document = {
    asset: { version: '2.0', generator: 'libvrm, conformance' }, scene: 0, scenes: [{ nodes: roots }], nodes, meshes,
    ...(skins.length ? { skins } : {}), materials: [materialOf(options)],
    ...(texture ? { images, samplers: [{ magFilter: 9728, minFilter: 9728, wrapS: 10497, wrapT: 10497 }],
      textures: [{ source: 0, sampler: 0 }] } : {}),
    extensionsUsed: ['VRMC_vrm', 'VRMC_materials_mtoon', 'KHR_materials_unlit', 'KHR_texture_transform',
      'VRMC_materials_hdr_emissiveMultiplier', ...(springs.length ? ['VRMC_springBone'] : []),
      ...(colliders.some((c) => c.extensions) ? ['VRMC_springBone_extended_collider'] : [])],
    extensions: { VRMC_vrm: { specVersion: '1.0', meta,
      humanoid: { humanBones: Object.fromEntries(rig.map(([bone], node) => [bone, { node }])) },
      firstPerson: { meshAnnotations: shown.map((node) => ({ node, type: annotation })) }, expressions,
      lookAt: { type: lookAtType, offsetFromHeadBone: [0, 0.06, 0], rangeMapHorizontalInner: range, rangeMapHorizontalOuter: range,
        rangeMapVerticalDown: range, rangeMapVerticalUp: range } } },
  };
  if (springs.length) {
    document.extensions.VRMC_springBone = { specVersion: '1.0', ...(colliders.length ? {
      colliders: colliders.map(({ bone = 'head', ...rest }) => ({ node: boneIndex(bone), ...rest })),
      colliderGroups: colliders.map((_, i) => ({ name: `group${i}`, colliders: [i] })) } : {}), springs };
  }
  return buffer.glb(document);
}

/** A model of VRM 0.x that faces -Z, with one spring whose leaf has no child. */
export function makeOldModel({ name, way, joints = 3, stiffness = 0.5, gravity = 0 }) {
  const buffer = new Buffer3();
  const nodes = rigNodes();
  for (const node of nodes) node.translation = [-node.translation[0], node.translation[1], -node.translation[2]];
  const first = nodes.length;
  for (let i = 0; i < joints; ++i) {
    nodes.push({ name: `${name}_${i}`, translation: way, ...(i + 1 < joints ? { children: [first + i + 1] } : {}) });
  }
  const shape = nodes.length;
  nodes.push({ name: `${name}_shape`, mesh: 0 });
  nodes[boneIndex('head')].children = [first, shape];
  const curve = { curve: [0, 0, 0, 1, 1, 1, 1, 0], xRange: 90, yRange: 10 };
  return buffer.glb({
    asset: { version: '2.0', generator: 'libvrm, conformance' }, scene: 0, scenes: [{ nodes: [0] }], nodes,
    meshes: [addMesh(buffer, sphere(0.3, 32, 64), 0)], materials: [{ name, pbrMetallicRoughness: { metallicFactor: 0 } }],
    extensionsUsed: ['VRM'],
    extensions: { VRM: { specVersion: '0.0', exporterVersion: 'libvrm, conformance', meta: { title: name, version: '1', author: 'generated',
      allowedUserName: 'Everyone', licenseName: 'CC0' },
      humanoid: { humanBones: rig.map(([bone], node) => ({ bone, node, useDefaultValues: true })) },
      firstPerson: { firstPersonBone: boneIndex('head'), firstPersonBoneOffset: { x: 0, y: 0.06, z: 0 }, meshAnnotations: [],
        lookAtTypeName: 'Bone', lookAtHorizontalInner: curve, lookAtHorizontalOuter: curve, lookAtVerticalDown: curve, lookAtVerticalUp: curve },
      blendShapeMaster: { blendShapeGroups: [] },
      secondaryAnimation: { boneGroups: [{ comment: name, stiffiness: stiffness, gravityPower: gravity, gravityDir: { x: 0, y: -1, z: 0 },
        dragForce: 0.4, center: -1, hitRadius: 0.02, bones: [first], colliderGroups: [] }], colliderGroups: [] },
      materialProperties: [{ name, shader: 'VRM_USE_GLTFSHADER', renderQueue: 2000, floatProperties: {}, vectorProperties: {},
        textureProperties: {}, keywordMap: {}, tagMap: {} }] } },
  });
}

/** A VRM animation for the rig. Tracks: [{bone|expression|custom|lookAt|hips, times, values}]. */
export function makeAnimation(tracks) {
  const buffer = new Buffer3();
  const nodes = rigNodes();
  const roots = [0];
  const extra = (name) => { roots.push(nodes.length); return nodes.push({ name }) - 1; };
  const out = { specVersion: '1.0', humanoid: { humanBones: Object.fromEntries(rig.map(([bone], node) => [bone, { node }])) } };
  const samplers = [];
  const channels = tracks.map(({ bone, expression, custom, lookAt, hips, times, values }) => {
    let node = boneIndex(bone ?? 'hips');
    if (expression) ((out.expressions ??= {}).preset ??= {})[expression] = { node: (node = extra(expression)) };
    if (custom) ((out.expressions ??= {}).custom ??= {})[custom] = { node: (node = extra(custom)) };
    if (lookAt) out.lookAt = { node: (node = extra('lookAt')), offsetFromHeadBone: [0, 0.06, 0] };
    const turns = Boolean(bone || lookAt);
    samplers.push({ input: buffer.floats(times, 'SCALAR', { bounds: true, target: 0 }), interpolation: 'LINEAR',
      output: buffer.floats(values.flat(), turns ? 'VEC4' : 'VEC3', { target: 0 }) });
    return { sampler: samplers.length - 1, target: { node, path: turns ? 'rotation' : 'translation' } };
  });
  return buffer.glb({ asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: roots }], nodes, extensionsUsed: ['VRMC_vrm_animation'],
    extensions: { VRMC_vrm_animation: out }, animations: [{ samplers, channels }] });
}
