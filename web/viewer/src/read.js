// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Reads a file into data that the page can use without further work: a cooked avatar, arrays of vertices, decoded
// images. Runs in a worker (reader.js), or on the page if there are no workers.

import { cook, loadAvatar, validate } from '../../src/index.js';
import { ragdollDefinition } from '../../src/ragdoll.js';
import { meshKey, ROW } from './layout.js';
import { COLORS, defaultMaterial, SLOT } from './material.js';
import { skinOf } from './skin.js';

// --- images --------------------------------------------------------------------------------------------------------------------

async function decode(image, limit) {
  if (!image.bytes) throw new Error('there are no bytes');
  const options = { premultiplyAlpha: 'none', colorSpaceConversion: 'none' };
  const longest = Math.max(image.width, image.height);
  if (longest > limit) {
    options.resizeWidth = Math.max(1, Math.round(image.width * limit / longest));
    options.resizeHeight = Math.max(1, Math.round(image.height * limit / longest));
    options.resizeQuality = 'high';
  }
  return createImageBitmap(new Blob([image.bytes], { type: image.mimeType }), options);
}

/** Returns the images that materials use, and for each whether it is used as colours, as numbers, or as both. */
function imagesOf(document, materials) {
  const wanted = new Map();
  for (const { params } of materials) {
    params.textures.forEach(({ index }, slot) => {
      const image = index >= 0 ? document.texture(index).image : -1;
      if (image >= 0) wanted.set(image, (wanted.get(image) ?? new Set()).add(COLORS.has(slot)));
    });
  }
  return wanted;
}

async function readImages(document, materials, limit, send) {
  const wanted = imagesOf(document, materials);
  let done = 0;
  for (const [image, spaces] of wanted) {
    try {
      const bitmap = await decode(document.image(image), limit);
      await send({ kind: 'image', image, spaces: [...spaces], bitmap }, [bitmap]);
    } catch (error) {
      await send({ kind: 'problem', problem: { severity: 'warning', path: `/images/${image}`,
        sentence: `The picture cannot be read: ${error.message}` } });
    }
    await send({ kind: 'progress', share: 0.4 + 0.6 * ++done / wanted.size });
  }
}

// --- primitives ----------------------------------------------------------------------------------------------------------------

// UV sets share attributes in pairs.
function uvPair(geometry, set, count) {
  const first = geometry.attribute('texCoord', { set });
  if (set + 1 >= count) return [first, 2];
  const second = geometry.attribute('texCoord', { set: set + 1 });
  const both = new Float32Array(2 * first.length);
  for (let i = 0; i < first.length; i += 2) both.set([first[i], first[i + 1], second[i], second[i + 1]], 2 * i);
  return [both, 4];
}

/** Returns [location, values, numbers per vertex] of all attributes of the shaders. */
function attributesOf(geometry, isSkinned) {
  const { info } = geometry;
  const made = [[0, geometry.attribute('position'), 3]];
  if (info.hasNormals) made.push([1, geometry.attribute('normal'), 3]);
  if (info.hasTangents) made.push([2, geometry.attribute('tangent'), 4]);
  for (let set = 0; set < Math.min(info.texCoordSets, 4); set += 2) made.push([3 + set / 2, ...uvPair(geometry, set, info.texCoordSets)]);
  for (let set = 0; isSkinned && set < Math.min(info.jointSets, 2); ++set) {
    made.push([5 + 2 * set, geometry.attribute('joints', { set }), 4], [6 + 2 * set, geometry.attribute('weights', { set }), 4]);
  }
  if (info.colorSets) made.push([9, geometry.attribute('color'), 4]);
  return made;
}

const isMoved = (values, i) => values[3 * i] !== 0 || values[3 * i + 1] !== 0 || values[3 * i + 2] !== 0;

// Returns the deltas of all targets, one after the other. Each target has those from its first moved vertex to its
// last.
function morphsOf(geometry, count) {
  const vertices = geometry.info.vertexCount;
  const targets = Array.from({ length: count }, (_, i) => geometry.deltas(i));
  const hasNormals = geometry.info.hasNormals && targets.some(({ normals }) => normals.some((x) => x !== 0));
  const step = hasNormals ? 2 : 1;
  let texels = 0;
  const morphs = targets.map(({ positions, normals }) => {
    let first = 0;
    let last = vertices - 1;
    const moves = (i) => isMoved(positions, i) || (hasNormals && isMoved(normals, i));
    while (first <= last && !moves(first)) ++first;
    while (last >= first && !moves(last)) --last;
    const morph = { texel: texels, first, last };
    texels += (last - first + 1) * step;
    return morph;
  });
  if (texels === 0) return { morphs: [], step, data: null };
  const data = new Float32Array(4 * ROW * Math.ceil(texels / ROW));
  targets.forEach(({ positions, normals }, target) => {
    const { texel, first, last } = morphs[target];
    for (let vertex = first; vertex <= last; ++vertex) {
      const at = 4 * (texel + (vertex - first) * step);
      data.set(positions.subarray(3 * vertex, 3 * vertex + 3), at);
      if (hasNormals) data.set(normals.subarray(3 * vertex, 3 * vertex + 3), at + 4);
    }
  });
  return { morphs, step, data };
}

function readPrimitive(document, avatar, node, split, materials) {
  const isSkinned = node.palette >= 0;
  const material = document.json(`/meshes/${node.gltfMesh}/primitives/${split.primitive}/material`);
  const index = material in avatar.materials ? material : materials.length - 1;
  const normalMap = materials[index].params.textures[SLOT.normal];
  const geometry = document.geometry({ mesh: node.gltfMesh, primitive: split.primitive,
    jointCount: isSkinned ? avatar.palettes[node.palette].jointCount : 0,
    tangents: normalMap.index >= 0 ? 'missing' : 'file', tangentTexCoord: normalMap.texCoord,
    ...(split.indices && { indices: split.indices, mode: split.mode }) });
  try {
    const { info } = geometry;
    if (info.indexCount === 0) return null;
    return { attributes: attributesOf(geometry, isSkinned), indices: geometry.indices(), mode: info.mode, vertices: info.vertexCount,
      material: index, hasNormals: info.hasNormals, hasTangents: info.hasTangents, hasEightJoints: isSkinned && info.jointSets > 1,
      ...morphsOf(geometry, Math.min(node.morphCount, info.targetCount)) };
  } finally {
    geometry.dispose();
  }
}

async function readMeshes(document, avatar, materials, send) {
  const done = new Set();
  const splits = document.firstPerson(avatar);
  const nodes = avatar.meshNodes;
  let cursor = 0;
  for (const [i, node] of nodes.entries()) {
    const count = document.mesh(node.gltfMesh).primitiveCount;
    const key = meshKey(node);
    for (let k = 0; k < count && !done.has(key); ++k) {
      const primitive = readPrimitive(document, avatar, node, splits[cursor + k], materials);
      if (!primitive) continue;
      const { attributes, indices, data } = primitive;
      await send({ kind: 'primitive', mesh: key, primitive },
        [...new Set([...attributes.map(([, { buffer }]) => buffer), indices.buffer, ...(data ? [data.buffer] : [])])]);
    }
    done.add(key);
    cursor += count;
    await send({ kind: 'progress', share: 0.1 + 0.3 * (i + 1) / nodes.length });
  }
}

// --- the body ------------------------------------------------------------------------------------------------------------------

// Builds the ragdoll from the vertices, which takes a fifth of a second.
async function readBody(avatar, bytes, send) {
  try {
    if (!avatar.module.c.vrm_web_puppet_create) return;
    const definition = ragdollDefinition(avatar);
    const skin = skinOf(bytes);
    await send({ kind: 'body', definition, skin }, [definition.buffer, ...(skin ? [skin.buffer] : [])]);
  } catch {
    // The avatar can have no body; a push will show the reason.
  }
}

// --- all of it -----------------------------------------------------------------------------------------------------------------

/**
 * Reads an avatar and sends its parts in this order: avatar, textures, primitives, images (or problems), end, body,
 * report; in between, progress. `limit`: largest width of a texture in pixels. Throws for a file that is not an avatar;
 * the report is only sent for an avatar.
 */
export async function readAvatar(module, bytes, limit, send) {
  const avatar = await loadAvatar(bytes, { module, keepDocument: true });
  try {
    const { document } = avatar;
    if (!document) throw new Error('a cooked avatar has no meshes');
    const materials = [...avatar.materials, defaultMaterial];
    const cooked = cook(avatar);
    await send({ kind: 'avatar', cooked }, [cooked.buffer]);
    await send({ kind: 'textures', textures: Array.from({ length: document.count('textures') }, (_, i) => document.texture(i)) });
    await readMeshes(document, avatar, materials, send);
    await readImages(document, materials, limit, send);
    await send({ kind: 'end' });
    await readBody(avatar, bytes, send);
  } finally {
    avatar.dispose();
  }
  const { findings } = await validate(bytes, { module });
  await send({ kind: 'report', findings });
}
