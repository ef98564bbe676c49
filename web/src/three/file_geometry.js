// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Creates the geometries of a glTF as GLTFLoader does, but all at once. GLTFLoader creates a promise for each accessor
// and view, and a slice for each view; an avatar has some hundred of them.

import { Box3, BufferAttribute, BufferGeometry, Sphere, Vector3 } from 'three';

const NAMES = { POSITION: 'position', NORMAL: 'normal', TANGENT: 'tangent', TEXCOORD_0: 'uv', TEXCOORD_1: 'uv1', TEXCOORD_2: 'uv2',
  TEXCOORD_3: 'uv3', COLOR_0: 'color', WEIGHTS_0: 'skinWeight', JOINTS_0: 'skinIndex' };
const MORPHS = { POSITION: 'position', NORMAL: 'normal', COLOR_0: 'color' };
const SIZES = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT2: 4, MAT3: 9, MAT4: 16 };
const TYPES = { 5120: Int8Array, 5121: Uint8Array, 5122: Int16Array, 5123: Uint16Array, 5125: Uint32Array, 5126: Float32Array };
const FULL = { 5120: 127, 5121: 255, 5122: 32767, 5123: 65535 };
const NEAR = 1024; // two views with at most this many bytes between them are copied together

/** Returns the accessors that primitives name, and the requested others. */
function accessorsOf(primitives, others) {
  const found = new Set(others);
  for (const { attributes, indices, targets = [] } of primitives) {
    if (indices !== undefined) found.add(indices);
    for (const names of [attributes, ...targets]) for (const name in names) found.add(names[name]);
  }
  return [...found];
}

// Returns true if an accessor's values are stored without gaps.
function isTight({ bufferView, componentType, type }, views) {
  const { byteStride, extensions } = views[bufferView] ?? {};
  return !extensions && (!byteStride || byteStride === SIZES[type] * TYPES[componentType]?.BYTES_PER_ELEMENT);
}

// Returns an array of numbers at an offset in `bytes`. It is a copy if the offset is not aligned for the type.
function numbers({ bytes, at }, offset, Type, length) {
  const start = at + offset;
  return start % Type.BYTES_PER_ELEMENT === 0 ? new Type(bytes, start, length)
    : new Type(bytes.slice(start, start + length * Type.BYTES_PER_ELEMENT));
}

// Returns 0 for an accessor of an unknown type, which the library ignores.
const paddedSize = (Type, length) => Math.ceil(length * Type?.BYTES_PER_ELEMENT / 4) * 4 || 0;

// Allocates the arrays of these accessors at once. Returns a function that returns the next array, filled with zeros.
function reserve(defs) {
  const bytes = new ArrayBuffer(defs.reduce((sum, { componentType, type, count }) => sum + paddedSize(TYPES[componentType], SIZES[type] * count), 0));
  let end = 0;
  return (Type, length) => {
    const at = end;
    end += paddedSize(Type, length);
    return new Type(bytes, at, length);
  };
}

/** Returns true if all morph targets of a primitive have the same attributes; otherwise GLTFLoader has to read them. */
export function hasEvenTargets({ targets = [] }) {
  return Object.keys(MORPHS).every((name) => targets.every((target) => (name in target) === (name in targets[0])));
}

// Scales the weights of each vertex so that their sum is 1.
function normalizeWeights({ array }) {
  for (let i = 0; i < array.length; i += 4) {
    const sum = Math.abs(array[i]) + Math.abs(array[i + 1]) + Math.abs(array[i + 2]) + Math.abs(array[i + 3]);
    if (sum === 1) continue;
    const scale = 1 / sum;
    for (let k = 0; k < 4; ++k) array[i + k] = scale === Infinity ? Number(k === 0) : array[i + k] * scale;
  }
}

/** The primitives of a glTF as geometries of three. */
export class FileGeometry {
  #parser;
  #attributes = new Map();
  #zeros = new Map();
  #normalized = new Set();

  constructor(parser) {
    this.#parser = parser;
  }

  /** Reads the data of these primitives and of further accessors. */
  async read(primitives, accessors) {
    const parser = this.#parser;
    const { bufferViews = [], accessors: defs = [] } = parser.json;
    const wanted = accessorsOf(primitives, accessors);
    const plain = [], others = [];
    // Compressed, interleaved and unusual accessors are left to GLTFLoader.
    for (const index of wanted) (isTight(defs[index], bufferViews) ? plain : others).push(index);
    await Promise.all(others.map(async (index) => { this.#attributes.set(index, await parser.getDependency('accessor', index)); }));
    const used = new Set(plain.map((index) => defs[index].bufferView));
    used.delete(undefined);
    const views = [...used].map((index) => ({ byteOffset: 0, ...bufferViews[index], index })).sort((a, b) => a.buffer - b.buffer || a.byteOffset - b.byteOffset);
    const buffers = (await Promise.all((parser.json.buffers ?? []).map((_, i) => parser.getDependency('buffer', i)))).map((buffer) =>
      (ArrayBuffer.isView(buffer) ? { bytes: buffer.buffer, at: buffer.byteOffset } : { bytes: buffer, at: 0 }));
    const places = this.#copy(views, buffers);
    const file = (index) => {
      const { buffer, byteOffset = 0 } = bufferViews[index];
      return { bytes: buffers[buffer].bytes, at: buffers[buffer].at + byteOffset };
    };
    const take = reserve(plain.map((index) => defs[index]).filter(({ sparse }) => sparse));
    for (const index of plain) this.#attributes.set(index, this.#attribute(defs[index], places, file, take));
  }

  // Copies each run of neighbouring views once. The copies leave out what is not drawn, above all images, so that the
  // file's memory can be freed.
  #copy(views, buffers) {
    const places = new Map();
    for (let first = 0; first < views.length;) {
      const { buffer, byteOffset } = views[first];
      const from = byteOffset & ~3;
      let last = first, end = from;
      for (; last < views.length && views[last].buffer === buffer && views[last].byteOffset <= end + NEAR; ++last) {
        end = Math.max(end, views[last].byteOffset + views[last].byteLength);
      }
      const { bytes: whole, at } = buffers[buffer];
      const bytes = whole.slice(at + from, at + end);
      for (; first < last; ++first) places.set(views[first].index, { bytes, at: views[first].byteOffset - from });
    }
    return places;
  }

  #attribute({ bufferView, sparse, componentType, type, count, byteOffset = 0, normalized = false }, places, file, take) {
    const Type = TYPES[componentType];
    const size = SIZES[type];
    if (bufferView === undefined && !sparse) return this.#zero(Type, size, count, normalized);
    const stored = bufferView === undefined ? null : numbers(places.get(bufferView), byteOffset, Type, count * size);
    let array = stored;
    if (sparse) {
      const { indices, values } = sparse;
      array = take(Type, count * size);
      if (stored) array.set(stored);
      const at = numbers(file(indices.bufferView), indices.byteOffset ?? 0, TYPES[indices.componentType], sparse.count);
      const moved = numbers(file(values.bufferView), values.byteOffset ?? 0, Type, sparse.count * size);
      for (let i = 0; i < at.length; ++i) for (let k = 0; k < size; ++k) array[at[i] * size + k] = moved[i * size + k];
    }
    return new BufferAttribute(array, size, normalized);
  }

  // Returns the shared zeros for morph targets that move nothing.
  #zero(Type, size, count, normalized) {
    const key = `${Type.name} ${size} ${count} ${normalized}`;
    if (!this.#zeros.has(key)) this.#zeros.set(key, new BufferAttribute(new Type(count * size), size, normalized));
    return this.#zeros.get(key);
  }

  /** Returns the attribute made from an accessor. */
  attribute(index) {
    return this.#attributes.get(index);
  }

  /** Returns a primitive's geometry. */
  make(primitive) {
    const { attributes, indices, targets = [] } = primitive;
    const geometry = new BufferGeometry();
    for (const name in attributes) geometry.setAttribute(NAMES[name] ?? name.toLowerCase(), this.attribute(attributes[name]));
    if (indices !== undefined) geometry.setIndex(this.attribute(indices));
    if (typeof primitive.extras === 'object') Object.assign(geometry.userData, primitive.extras);
    for (const name in MORPHS) {
      if (!targets.length || targets[0][name] === undefined) continue;
      geometry.morphAttributes[MORPHS[name]] = targets.map((target) => this.attribute(target[name]));
      geometry.morphTargetsRelative = true;
    }
    this.#bound(geometry, primitive);
    return geometry;
  }

  /**
   * Scales a skinned geometry's weights so that their sum is 1. Returns false for weights of a form that it does not
   * handle.
   */
  normalizeSkinWeights({ attributes: { skinWeight } }) {
    if (!(skinWeight.array instanceof Float32Array) || skinWeight.isInterleavedBufferAttribute) return false;
    if (!this.#normalized.has(skinWeight)) normalizeWeights(skinWeight);
    this.#normalized.add(skinWeight);
    return true;
  }

  // Sets the bounds from the accessors' min and max, extended by all movements of morph targets.
  #bound(geometry, { attributes: { POSITION }, targets = [] }) {
    const { accessors } = this.#parser.json;
    const extent = (index) => {
      const { min, max, normalized, componentType } = accessors[index] ?? {};
      return min && max && [min, max].map((list) => new Vector3().fromArray(list).divideScalar(normalized ? FULL[componentType] : 1));
    };
    const own = extent(POSITION);
    if (!own) return;
    const box = geometry.boundingBox = new Box3(...own);
    const most = new Vector3();
    for (const target of targets) {
      const moved = target.POSITION !== undefined && extent(target.POSITION);
      if (moved) for (const { x, y, z } of moved) most.max({ x: Math.abs(x), y: Math.abs(y), z: Math.abs(z) });
    }
    box.expandByVector(most);
    geometry.boundingSphere = new Sphere(box.getCenter(new Vector3()), box.min.distanceTo(box.max) / 2);
  }
}
