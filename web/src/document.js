// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

import { Avatar } from './avatar.js';
import { index } from './check.js';
import { Geometry } from './geometry.js';
import { Owned } from './module.js';
import { withReport } from './report.js';
import { copySlices } from './slices.js';
import { layoutOf, read } from './struct.js';

/** Numbers of vrm_gltf_array. */
const ARRAYS = { __proto__: null, animations: 1, images: 5, materials: 6, meshes: 7, nodes: 8, scenes: 10, skins: 11, textures: 12 };

const addressOf = ({ module }, avatar) => Owned.address(module, avatar, 'vrm_avatar_release', 'an avatar');

/** A file without conversion: its JSON, and its meshes and images. */
export class Document extends Owned {
  #bytes;

  /**
   * Reads .vrm, .glb or .gltf bytes, which are copied. The result's `findings` are those of reading; a file that cannot
   * be read throws a VRMError.
   */
  constructor(module, bytes, copy = new Owned(module, module.copyIn(bytes), 'free')) {
    let findings = [];
    try {
      super(module, withReport(module, (report, found) => module.made((place) => module.scope((take) => {
        const def = module.params(take, 'vrm_gltf_def', { borrowBytes: true });
        const result = module.c.vrm_gltf_load(def, copy.pointer, bytes.byteLength, report, place);
        findings = found();
        return result;
      }), () => findings)), 'vrm_gltf_destroy');
    } catch (error) {
      copy.dispose();
      throw error;
    }
    /** Findings of reading the file. */
    this.findings = findings;
    this.#bytes = copy;
  }

  /** Like the constructor, but copies a large file in slices. @internal */
  static async read(module, bytes) {
    const copy = new Owned(module, module.allocate(bytes.length), 'free');
    await copySlices(bytes, () => module.u8.subarray(copy.pointer));
    return new Document(module, bytes, copy);
  }

  dispose() {
    super.dispose();
    this.#bytes.dispose();
  }

  /** Creates the avatar of this file. `options`: strict, allowPlainGltf, prefer, lookAtUnit. */
  toAvatar(options = {}, kept = null) {
    const { module } = this;
    return withReport(module, (report, found) => {
      const pointer = module.made((place) => module.scope((take) => module.c.vrm_avatar_import(
        module.params(take, 'vrm_avatar_def', options, 'options'), this.pointer, report, place)),
      () => [...this.findings, ...found()]);
      return new Avatar(module, pointer, [...this.findings, ...found()], kept);
    });
  }

  /** Returns the length of an array of the file, such as "meshes" or "images". */
  count(array) {
    if (!(array in ARRAYS)) throw new RangeError(`array is ${String(array)}, expected one of ${Object.keys(ARRAYS).join(', ')}`);
    return this.module.c.vrm_gltf_get_count(this.pointer, ARRAYS[array]);
  }

  /** Returns the value at a JSON pointer ("" for the whole document), or undefined. */
  json(pointer = '') {
    const { module } = this;
    return module.withText(pointer, (at) => {
      const result = module.c.vrm_gltf_get_json(this.pointer, at, module.scratch);
      return result === 0 ? JSON.parse(module.string(module.scratch)) : undefined;
    });
  }

  /** Returns the place of the value at a JSON pointer in the file's bytes: [first, end]; null if there is none. @internal */
  placeOf(pointer) {
    const { module } = this;
    return module.withText(pointer, (at) => {
      const place = module.scratch;
      if (module.c.vrm_gltf_get_json(this.pointer, at, place) !== 0) return null;
      const first = module.u32[place >> 2] - this.#bytes.pointer;
      return [first, first + module.u32[(place >> 2) + 1]];
    });
  }

  /** Describes a mesh: {name, primitiveCount, targetCount}. */
  mesh(mesh) {
    return this.module.describe('vrm_gltf_mesh', 'vrm_gltf_get_mesh', this.pointer, index(mesh, this.count('meshes'), 'mesh'));
  }

  /** Describes a texture: {image, wrapS, wrapT, magFilter, minFilter, ...}, with WebGL's constants. */
  texture(texture) {
    return this.module.describe('vrm_gltf_texture', 'vrm_gltf_get_texture', this.pointer, index(texture, this.count('textures'), 'texture'));
  }

  /** Returns an image without decoding it: {bytes (a copy, or null), mimeType, width, height, name}. */
  image(image) {
    const { module } = this;
    const { bytes, size, ...rest } = module.describe('vrm_gltf_image', 'vrm_gltf_get_image', this.pointer, index(image, this.count('images'), 'image'));
    return { ...rest, bytes: bytes ? module.copyOut(bytes, size) : null };
  }

  /** Reads a primitive for the GPU. `options`: mesh, primitive, tangents, fourJoints, flatNormals, firstJoint, ... */
  geometry(options) {
    return new Geometry(this, options);
  }

  /**
   * Returns the parts of each mesh node's primitives that the wearer sees: [{mesh, primitive, mode, indices, ranges}].
   */
  firstPerson(avatar) {
    const { module } = this;
    const split = module.made((place) => module.c.vrm_first_person_split_create(0, this.pointer, addressOf(this, avatar), place));
    try {
      return Array.from({ length: module.c.vrm_first_person_split_get_count(split) }, (_, i) => {
        const made = module.describe('vrm_first_person_primitive', 'vrm_first_person_split_get_primitive', split, i);
        const count = made.ranges[0].count + made.ranges[1].count;
        return { ...made, indices: made.indices ? module.u32.slice(made.indices >> 2, (made.indices >> 2) + count) : null };
      });
    } finally {
      module.c.vrm_first_person_split_destroy(split);
    }
  }

  /** Rewrites the file as VRM 1.0; call save() afterwards. Returns the findings. */
  migrate(avatar, options = {}) {
    const { module } = this;
    return withReport(module, (report, findings) => {
      module.check(module.scope((take) => module.c.vrm_migrate(
        module.params(take, 'vrm_migrate_params', options, 'options'), this.pointer, addressOf(this, avatar), report)), findings());
      return findings();
    });
  }

  /** Returns the file's bytes: a GLB, or JSON if the file was read as JSON. */
  save() {
    return savedBytes(this.module, (at) => this.module.c.vrm_gltf_save(this.pointer, at));
  }
}

/** Returns a copy of the vrm_bytes that a call creates. */
export function savedBytes(module, call) {
  return module.scope((take) => {
    const at = take(layoutOf('vrm_bytes').size);
    module.check(call(at));
    const { data, size } = read(module, 'vrm_bytes', at);
    const bytes = module.copyOut(data, size);
    module.c.vrm_bytes_free(at);
    return bytes;
  });
}
