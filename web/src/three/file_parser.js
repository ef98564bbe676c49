// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Replaces GLTFLoader's parser, with the members that plugins use, for an ordinary .vrm: a single buffer inside the
// file, images that the browser decodes, materials that file_materials.js makes. GLTFLoader reads all other files.

import { LinearFilter, LinearMipmapLinearFilter, LinearMipmapNearestFilter, MirroredRepeatWrapping, ClampToEdgeWrapping, NearestFilter,
  NearestMipmapLinearFilter, NearestMipmapNearestFilter, PropertyBinding, RepeatWrapping, Texture } from 'three';
import { isPlainMaterial, makePlainMaterial } from './file_materials.js';

const FILTERS = { 9728: NearestFilter, 9729: LinearFilter, 9984: NearestMipmapNearestFilter, 9985: LinearMipmapNearestFilter,
  9986: NearestMipmapLinearFilter, 9987: LinearMipmapLinearFilter };
const WRAPPINGS = { 33071: ClampToEdgeWrapping, 33648: MirroredRepeatWrapping, 10497: RepeatWrapping };
const RESERVED = /[\s[\].:/]/; // what three.js replaces in names
const IMAGES = ['image/png', 'image/jpeg', 'image/webp'];
const TRANSFORM = 'KHR_texture_transform';
// Extensions that a file may require: those read here, and those that move and colour an avatar, which the library
// reads.
const READ = /^(VRM|VRMC_.*|KHR_texture_transform|KHR_mesh_quantization|KHR_materials_(unlit|emissive_strength))$/;
// Extensions that GLTFLoader does not copy into userData.
const KNOWN = [TRANSFORM, 'KHR_materials_unlit', 'KHR_materials_emissive_strength', 'VRMLoaderPlugin'];

const chunk = (view, at) => ({ size: view.getUint32(at, true), type: view.getUint32(at + 4, true), at: at + 8 });

// The springs are a fifth of a file's JSON. Only the library reads them.
const SPRINGS = [['VRMC_springBone'], ['VRM', 'secondaryAnimation']];

const textOf = (bytes, first, end) => new TextDecoder().decode(bytes.subarray(first, end));

/** Returns the JSON at `first` to `end` of the file's bytes. The springs are parsed when they are first read. */
function parse(bytes, first, end, document) {
  for (const names of SPRINGS) {
    const place = document.placeOf(['', 'extensions', ...names].join('/'));
    if (!place) continue;
    const json = JSON.parse(`${textOf(bytes, first, place[0])}null${textOf(bytes, place[1], end)}`);
    const name = names.at(-1);
    const object = names.slice(0, -1).reduce((above, below) => above[below], json.extensions);
    const own = (value) => Object.defineProperty(object, name, { value, configurable: true, enumerable: true, writable: true })[name];
    Object.defineProperty(object, name, { configurable: true, enumerable: true, get: () => own(JSON.parse(textOf(bytes, ...place))), set: own });
    return json;
  }
  return JSON.parse(textOf(bytes, first, end));
}

/**
 * Returns the JSON and the binary part of a binary glTF that the library has read: {json, body}; null for any other file.
 */
function partsOf(bytes, document) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.byteLength < 20 || view.getUint32(0, true) !== 0x46546c67) return null;
  const text = chunk(view, 12);
  const json = parse(bytes, text.at, text.at + text.size, document);
  const next = text.at + text.size;
  const body = next + 8 <= view.byteLength ? chunk(view, next) : null;
  return body?.type === 0x004e4942 ? { json, body: bytes.subarray(body.at, body.at + body.size) } : null;
}

/** Returns true for a file whose parts are all of the kinds that this parser reads. */
function isOrdinary({ buffers, scenes, images = [], textures = [], materials = [], extensionsRequired = [] }) {
  return buffers?.length === 1 && buffers[0].uri === undefined && scenes?.length === 1 && extensionsRequired.every((name) => READ.test(name)) &&
    images.every(({ uri, bufferView, mimeType }) => uri === undefined && bufferView !== undefined && IMAGES.includes(mimeType)) &&
    textures.every(({ source, extensions }) => source !== undefined && !extensions) && materials.every(isPlainMaterial);
}

/** Returns a texture with a KHR_texture_transform applied. */
function moved(texture, { texCoord, offset, rotation, scale }) {
  if ((texCoord === undefined || texCoord === texture.channel) && !offset && rotation === undefined && !scale) return texture;
  const made = texture.clone();
  if (texCoord !== undefined) made.channel = texCoord;
  if (offset) made.offset.fromArray(offset);
  if (rotation !== undefined) made.rotation = rotation;
  if (scale) made.repeat.fromArray(scale);
  made.needsUpdate = true;
  return made;
}

/** What a material must do for its vertices, as bits: derive tangents (1), apply colours (2), be flat (4). */
const kindOf = (tangent, color, normal) => (tangent === undefined ? 1 : 0) | (color === undefined ? 0 : 2) | (normal === undefined ? 4 : 0);

/** Decodes an image in the way of GLTFLoader. */
const decode = (bytes, mimeType) => createImageBitmap(new Blob([bytes], { type: mimeType }), { premultiplyAlpha: 'none', colorSpaceConversion: 'none' });

export class FileParser {
  #body;
  #decode;
  #images = new Map();
  #textures = new Map();
  #materials = new Map();
  #final = new Map();
  #kinds = new Map(); // by material of the file: the kinds of the primitives that use it
  #names = new Map();
  #plugin;

  /** Returns a parser for a file that the library has read as a document; null if the file is not ordinary. */
  static of(bytes, document, options) {
    const parts = partsOf(bytes, document);
    return parts && isOrdinary(parts.json) ? new FileParser(parts, document, options) : null;
  }

  constructor({ json, body }, document, { decodeImage = decode } = {}) {
    this.json = json;
    this.options = {};
    this.plugins = {};
    this.extensions = Object.fromEntries(KNOWN.map((name) => [name, true]));
    this.associations = new Map();
    this.#body = body;
    this.#decode = decodeImage;
    /** The file as a document of the library. */
    this.document = document;
    const { nodes = [], meshes = [], skins = [] } = json;
    for (const { primitives } of meshes) {
      for (const { material, attributes: { TANGENT, COLOR_0, NORMAL } } of primitives) {
        if (!this.#kinds.has(material)) this.#kinds.set(material, new Set());
        this.#kinds.get(material).add(kindOf(TANGENT, COLOR_0, NORMAL));
      }
    }
    for (const { joints } of skins) for (const joint of joints) nodes[joint].isBone = true;
    for (const { mesh, skin } of nodes) if (mesh !== undefined && skin !== undefined) meshes[mesh].isSkinnedMesh = true;
  }

  /** The plugin that makes nodes and materials. */
  set plugin(plugin) { this.#plugin = plugin; }

  /** Returns a promise of the object for an index of the file. */
  getDependency(kind, index) {
    switch (kind) {
      case 'buffer': return Promise.resolve(this.#body);
      case 'bufferView': return Promise.resolve(this.#view(index).slice().buffer);
      case 'texture': return this.#texture(index);
      case 'material': return this.#material(index);
      case 'node': return this.#plugin.loadNode(index);
      default: return Promise.reject(new Error(`libvrm: ${kind} ${index} is not as exporters write it`));
    }
  }

  // GLTFLoader's name for the function that makes a single node. FileNodes makes all nodes and replaces this function.
  _loadNodeShallow(index) {
    return this.getDependency('shallow node', index);
  }

  #view(index) {
    const { byteOffset = 0, byteLength } = this.json.bufferViews[index];
    return this.#body.subarray(byteOffset, byteOffset + byteLength);
  }

  #image(index) {
    if (!this.#images.has(index)) {
      const { bufferView, mimeType } = this.json.images[index];
      this.#images.set(index, Promise.resolve(this.#decode(this.#view(bufferView), mimeType)).catch((error) => {
        console.error(`libvrm: image ${index} cannot be read`, error);
        return undefined;
      }));
    }
    return this.#images.get(index);
  }

  #texture(index) {
    const { sampler, source, name } = this.json.textures[index];
    const key = `${source}:${sampler}`;
    if (!this.#textures.has(key)) this.#textures.set(key, this.#makeTexture(index, source, this.json.samplers?.[sampler] ?? {}, name));
    return this.#textures.get(key);
  }

  // Returns null if the image cannot be read.
  async #makeTexture(index, source, { magFilter, minFilter, wrapS, wrapT }, name) {
    const image = await this.#image(source);
    if (image === undefined) return null;
    const { mimeType, name: imageName, extras } = this.json.images[source];
    const texture = new Texture(image ?? undefined);
    texture.needsUpdate = image !== null;
    texture.flipY = false;
    texture.name = name || imageName || '';
    texture.magFilter = FILTERS[magFilter] ?? LinearFilter;
    texture.minFilter = FILTERS[minFilter] ?? LinearMipmapLinearFilter;
    texture.wrapS = WRAPPINGS[wrapS] ?? RepeatWrapping;
    texture.wrapT = WRAPPINGS[wrapT] ?? RepeatWrapping;
    texture.generateMipmaps = texture.minFilter !== NearestFilter && texture.minFilter !== LinearFilter;
    if (typeof extras === 'object') Object.assign(texture.userData, extras);
    texture.userData.mimeType = mimeType;
    this.associations.set(texture, { textures: index });
    return texture;
  }

  #material(index) {
    if (!this.#materials.has(index)) this.#materials.set(index, this.#plugin.loadMaterial(index) ?? makePlainMaterial(this, index));
    return this.#materials.get(index);
  }

  /** Adds a texture to a material's values. Returns a promise. */
  async assignTexture(values, key, { index, texCoord = 0, extensions }, colorSpace) {
    let texture = await this.getDependency('texture', index);
    if (!texture) return;
    if (texCoord > 0) {
      texture = texture.clone();
      texture.channel = texCoord;
    }
    if (extensions?.[TRANSFORM]) texture = moved(texture, extensions[TRANSFORM]);
    if (colorSpace !== undefined) texture.colorSpace = colorSpace;
    values[key] = texture;
  }

  /** Sets a mesh's material to a variant for the attributes of its vertices, as GLTFLoader creates it. */
  assignFinalMaterial(mesh) {
    const { material, geometry: { attributes } } = mesh;
    const kind = kindOf(attributes.tangent, attributes.color, attributes.normal);
    if (kind === 0) return;
    if (!this.#final.has(material)) this.#final.set(material, []);
    mesh.material = this.#final.get(material)[kind] ??= this.#variant(material, kind);
  }

  #variant(material, kind) {
    const where = this.associations.get(material);
    // The material itself is used if no other kind of primitive uses it.
    const made = this.#kinds.get(where?.materials)?.size === 1 ? material : material.clone();
    if (kind & 2) made.vertexColors = true;
    if (kind & 4) made.flatShading = true;
    if (kind & 1 && made.normalScale) made.normalScale.y *= -1;
    this.associations.set(made, where);
    return made;
  }

  /** Returns a name that no other object has. */
  createUniqueName(given = '') {
    const name = typeof given === 'string' && !RESERVED.test(given) ? given : PropertyBinding.sanitizeNodeName(given);
    const used = this.#names.get(name);
    this.#names.set(name, used === undefined ? 0 : used + 1);
    return used === undefined ? name : `${name}_${used + 1}`;
  }
}
