// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// All of an avatar that WebGL draws: vertices, morph targets and images.

import { COLORS, defaultMaterial, SLOT } from './material.js';
import { UNIT } from './programs.js';

/** Texels in a row of the textures that hold data. */
export const ROW = 1024;

/** A texture of floats, four a texel. */
export function dataTexture(gl, rows) {
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA32F, ROW, rows);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  return texture;
}

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

function uploadImage(gl, bitmap, isColor) {
  const texture = gl.createTexture();
  gl.activeTexture(gl.TEXTURE0 + UNIT.slots);
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texImage2D(gl.TEXTURE_2D, 0, isColor ? gl.SRGB8_ALPHA8 : gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE, bitmap);
  gl.generateMipmap(gl.TEXTURE_2D);
  return texture;
}

/** Textures by image and colour space. What cannot be decoded is drawn white, and is told. */
async function loadImages(gl, document, materials, problems) {
  const limit = gl.getParameter(gl.MAX_TEXTURE_SIZE);
  const wanted = new Map();
  for (const { params } of materials) {
    params.textures.forEach(({ index }, slot) => {
      const image = index >= 0 ? document.texture(index).image : -1;
      if (image >= 0) wanted.set(`${image} ${COLORS.has(slot)}`, [image, COLORS.has(slot)]);
    });
  }
  const made = new Map();
  const bitmaps = new Map();
  for (const [key, [image, isColor]] of wanted) {
    try {
      if (!bitmaps.has(image)) bitmaps.set(image, await decode(document.image(image), limit));
      made.set(key, uploadImage(gl, bitmaps.get(image), isColor));
    } catch (error) {
      problems.push({ severity: 'warning', path: `/images/${image}`, sentence: `the picture cannot be read: ${error.message}` });
    }
  }
  for (const bitmap of bitmaps.values()) bitmap.close();
  return made;
}

function makeSampler(gl, { wrapS, wrapT, magFilter, minFilter }) {
  const sampler = gl.createSampler();
  gl.samplerParameteri(sampler, gl.TEXTURE_MAG_FILTER, magFilter || gl.LINEAR);
  gl.samplerParameteri(sampler, gl.TEXTURE_MIN_FILTER, minFilter || gl.LINEAR_MIPMAP_LINEAR);
  gl.samplerParameteri(sampler, gl.TEXTURE_WRAP_S, wrapS);
  gl.samplerParameteri(sampler, gl.TEXTURE_WRAP_T, wrapT);
  return sampler;
}

// --- primitives ----------------------------------------------------------------------------------------------------------------

function attribute(gl, location, values, size, isInteger = false) {
  const buffer = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW);
  gl.enableVertexAttribArray(location);
  if (isInteger) gl.vertexAttribIPointer(location, size, gl.UNSIGNED_SHORT, 0, 0);
  else gl.vertexAttribPointer(location, size, gl.FLOAT, false, 0, 0);
  return buffer;
}

// UV sets share attributes in pairs.
function uvPair(geometry, set, count) {
  const first = geometry.attribute('texCoord', { set });
  if (set + 1 >= count) return [first, 2];
  const second = geometry.attribute('texCoord', { set: set + 1 });
  const both = new Float32Array(2 * first.length);
  for (let i = 0; i < first.length; i += 2) both.set([first[i], first[i + 1], second[i], second[i + 1]], 2 * i);
  return [both, 4];
}

function uploadVertices(gl, geometry, isSkinned) {
  const { info } = geometry;
  const buffers = [attribute(gl, 0, geometry.attribute('position'), 3)];
  if (info.hasNormals) buffers.push(attribute(gl, 1, geometry.attribute('normal'), 3));
  if (info.hasTangents) buffers.push(attribute(gl, 2, geometry.attribute('tangent'), 4));
  for (let set = 0; set < Math.min(info.texCoordSets, 4); set += 2) {
    buffers.push(attribute(gl, 3 + set / 2, ...uvPair(geometry, set, info.texCoordSets)));
  }
  for (let set = 0; isSkinned && set < Math.min(info.jointSets, 2); ++set) {
    buffers.push(attribute(gl, 5 + 2 * set, geometry.attribute('joints', { set }), 4, true));
    buffers.push(attribute(gl, 6 + 2 * set, geometry.attribute('weights', { set }), 4));
  }
  if (info.colorSets) buffers.push(attribute(gl, 9, geometry.attribute('color'), 4));
  return buffers;
}

const isMoved = (values, i) => values[3 * i] !== 0 || values[3 * i + 1] !== 0 || values[3 * i + 2] !== 0;

// Deltas of all targets, one after the other, each from its first vertex that moves to its last.
function uploadMorphs(gl, geometry, count) {
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
  if (texels === 0) return { morphs: [], step, texture: null };
  const rows = Math.ceil(texels / ROW);
  const data = new Float32Array(4 * ROW * rows);
  targets.forEach(({ positions, normals }, target) => {
    const { texel, first, last } = morphs[target];
    for (let vertex = first; vertex <= last; ++vertex) {
      const at = 4 * (texel + (vertex - first) * step);
      data.set(positions.subarray(3 * vertex, 3 * vertex + 3), at);
      if (hasNormals) data.set(normals.subarray(3 * vertex, 3 * vertex + 3), at + 4);
    }
  });
  gl.activeTexture(gl.TEXTURE0 + UNIT.morph);
  const texture = dataTexture(gl, rows);
  gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, ROW, rows, gl.RGBA, gl.FLOAT, data);
  return { morphs, step, texture };
}

function loadPrimitive(gl, document, avatar, mesh, split, materials) {
  const isSkinned = mesh.palette >= 0;
  const material = document.json(`/meshes/${mesh.gltfMesh}/primitives/${split.primitive}/material`);
  const index = material in avatar.materials ? material : materials.length - 1;
  const normalMap = materials[index].params.textures[SLOT.normal];
  const geometry = document.geometry({ mesh: mesh.gltfMesh, primitive: split.primitive,
    jointCount: isSkinned ? avatar.palettes[mesh.palette].jointCount : 0,
    tangents: normalMap.index >= 0 ? 'missing' : 'file', tangentTexCoord: normalMap.texCoord,
    ...(split.indices && { indices: split.indices, mode: split.mode }) });
  try {
    const { info } = geometry;
    if (info.indexCount === 0) return null;
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    const buffers = uploadVertices(gl, geometry, isSkinned);
    const indices = geometry.indices();
    const elements = gl.createBuffer();
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, elements);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, indices, gl.STATIC_DRAW);
    gl.bindVertexArray(null);
    return { array, buffers: [...buffers, elements], mode: info.mode, count: info.indexCount, vertices: info.vertexCount,
      indexType: indices instanceof Uint16Array ? gl.UNSIGNED_SHORT : gl.UNSIGNED_INT, material: index,
      hasNormals: info.hasNormals, hasTangents: info.hasTangents, hasEightJoints: isSkinned && info.jointSets > 1,
      ...uploadMorphs(gl, geometry, Math.min(mesh.morphCount, info.targetCount)) };
  } finally {
    geometry.dispose();
  }
}

// --- all of it -----------------------------------------------------------------------------------------------------------------

/** Loads what `avatar.document` has; `pause` is awaited between the parts, so that the page stays alive. */
export async function loadModel(gl, avatar, pause) {
  const { document } = avatar;
  const materials = [...avatar.materials, defaultMaterial];
  const problems = [];
  const images = await loadImages(gl, document, materials, problems);
  const samplers = Array.from({ length: document.count('textures') }, (_, i) => makeSampler(gl, document.texture(i)));
  const textures = materials.map(({ params }) => params.textures.map(({ index }, slot) => {
    const texture = index >= 0 ? images.get(`${document.texture(index).image} ${COLORS.has(slot)}`) : undefined;
    return texture ? { texture, sampler: samplers[index] } : null;
  }));
  const shared = new Map();
  const meshes = [];
  const splits = document.firstPerson(avatar);
  let cursor = 0;
  for (const node of avatar.meshNodes) {
    const key = `${node.gltfMesh} ${node.palette} ${node.morphCount}`;
    const count = document.mesh(node.gltfMesh).primitiveCount;
    if (!shared.has(key)) {
      const primitives = [];
      for (let i = 0; i < count; ++i) {
        const primitive = loadPrimitive(gl, document, avatar, node, splits[cursor + i], materials);
        if (primitive) primitives.push(primitive);
        await pause();
      }
      shared.set(key, primitives);
    }
    cursor += count;
    meshes.push({ node, primitives: shared.get(key) });
  }
  const all = [...shared.values()].flat();
  return {
    materials, meshes, textures, problems,
    current: [], // by material, what the renderer made of its values
    statistics: { vertices: all.reduce((sum, p) => sum + p.vertices, 0), primitives: all.length, textures: images.size,
      triangles: all.reduce((sum, p) => sum + (p.mode === 4 ? p.count / 3 : 0), 0) },
    dispose() {
      for (const { array, buffers, texture } of all) {
        gl.deleteVertexArray(array);
        buffers.forEach((buffer) => gl.deleteBuffer(buffer));
        gl.deleteTexture(texture);
      }
      images.forEach((texture) => gl.deleteTexture(texture));
      samplers.forEach((sampler) => gl.deleteSampler(sampler));
    },
  };
}
