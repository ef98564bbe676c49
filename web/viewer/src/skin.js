// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Reduces a GLB to the data that its skin needs. A body that gets up keeps its vertices above the ground, and the page
// needs no second copy of the images for that.

const GLB = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const BIN_CHUNK = 0x004e4942;
const NEEDED = /^(POSITION|JOINTS_\d|WEIGHTS_\d)$/;

const align = (length) => (length + 3) & ~3;

function chunksOf(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 20 || view.getUint32(0, true) !== GLB) return null;
  const length = view.getUint32(12, true);
  const at = 20 + length;
  const bin = at + 8 <= bytes.length && view.getUint32(at + 4, true) === BIN_CHUNK
    ? bytes.subarray(at + 8, at + 8 + view.getUint32(at, true)) : new Uint8Array(0);
  return { json: JSON.parse(new TextDecoder().decode(bytes.subarray(20, at))), bin };
}

// The used indices of a list, in the order of their first use.
class Used {
  #places = new Map();

  constructor(list = []) {
    this.list = list;
  }

  place(index) {
    if (!this.#places.has(index)) this.#places.set(index, this.#places.size);
    return this.#places.get(index);
  }

  get kept() {
    return [...this.#places.keys()].map((index) => ({ ...this.list[index] }));
  }
}

function join(json, bin) {
  const text = new TextEncoder().encode(JSON.stringify(json));
  const out = new Uint8Array(20 + align(text.length) + 8 + align(bin.length));
  const view = new DataView(out.buffer);
  [GLB, 2, out.length, align(text.length), JSON_CHUNK].forEach((word, i) => view.setUint32(4 * i, word, true));
  out.fill(32, 20, 20 + align(text.length));
  out.set(text, 20);
  const at = 20 + align(text.length);
  view.setUint32(at, align(bin.length), true);
  view.setUint32(at + 4, BIN_CHUNK, true);
  out.set(bin, at + 8);
  return out;
}

/**
 * Returns the bytes of such a GLB; null if the file is not a GLB or has its vertices in another file. `bytes` must have
 * been read as a document already.
 */
export function skinOf(bytes) {
  const parts = chunksOf(bytes);
  if (!parts || parts.json.buffers?.length !== 1 || parts.json.buffers[0].uri !== undefined) return null;
  const { json, bin } = parts;
  if (json.extensionsRequired?.some((name) => /compression/i.test(name))) return null;
  const accessors = new Used(json.accessors);
  const views = new Used(json.bufferViews);
  const meshes = (json.meshes ?? []).map(({ primitives, weights }) => ({ weights, primitives: primitives.map((primitive) => ({
    mode: primitive.mode,
    ...(primitive.indices !== undefined && { indices: accessors.place(primitive.indices) }),
    attributes: Object.fromEntries(Object.entries(primitive.attributes).filter(([name]) => NEEDED.test(name))
      .map(([name, index]) => [name, accessors.place(index)])),
  })) }));
  const skins = json.skins?.map((skin) => ({ ...skin,
    ...(skin.inverseBindMatrices !== undefined && { inverseBindMatrices: accessors.place(skin.inverseBindMatrices) }) }));
  const keptAccessors = accessors.kept.map((accessor) => ({ ...accessor,
    ...(accessor.bufferView !== undefined && { bufferView: views.place(accessor.bufferView) }),
    ...(accessor.sparse && { sparse: { ...accessor.sparse,
      indices: { ...accessor.sparse.indices, bufferView: views.place(accessor.sparse.indices.bufferView) },
      values: { ...accessor.sparse.values, bufferView: views.place(accessor.sparse.values.bufferView) } } }) }));
  let length = 0;
  const places = views.kept.map((view) => {
    const from = view.byteOffset ?? 0;
    const place = { from, to: length, view: { ...view, byteOffset: length } };
    length = align(length + view.byteLength);
    return place;
  });
  const out = new Uint8Array(length);
  for (const { from, to, view } of places) out.set(bin.subarray(from, from + view.byteLength), to);
  return join({ asset: json.asset, scene: json.scene, scenes: json.scenes, nodes: json.nodes, meshes, skins, materials: json.materials?.map(() => ({})),
    accessors: keptAccessors, bufferViews: places.map(({ view }) => view), buffers: [{ byteLength: length }] }, out);
}
