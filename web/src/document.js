// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

import { Avatar } from './avatar.js';
import { Geometry } from './geometry.js';
import { Owned } from './module.js';
import { withReport } from './report.js';
import { copySlices } from './slices.js';
import { layoutOf, read } from './struct.js';

/** Numbers of vrm_gltf_array. */
const ARRAYS = { animations: 1, images: 5, materials: 6, meshes: 7, nodes: 8, scenes: 10, skins: 11, textures: 12 };

/** A file as it is: its JSON, and what is drawn of it. */
export class Document extends Owned {
  #bytes;

  /** Reads .vrm, .glb or .gltf bytes, which are copied. Findings are in `findings`; what cannot be read throws. */
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
    /** What was found while reading it. */
    this.findings = findings;
    this.#bytes = copy;
  }

  /** The same, a slice at a time where the file is large. @internal */
  static async read(module, bytes) {
    const copy = new Owned(module, module.allocate(bytes.length), 'free');
    await copySlices(bytes, () => module.u8.subarray(copy.pointer));
    return new Document(module, bytes, copy);
  }

  dispose() {
    super.dispose();
    this.#bytes.dispose();
  }

  /** The avatar in it. `options`: strict, allowPlainGltf, prefer, lookAtUnit. */
  toAvatar(options = {}, kept = null) {
    const { module } = this;
    return withReport(module, (report, found) => {
      const pointer = module.made((place) => module.scope((take) => module.c.vrm_avatar_import(
        module.params(take, 'vrm_avatar_def', options, 'options'), this.pointer, report, place)),
      () => [...this.findings, ...found()]);
      return new Avatar(module, pointer, [...this.findings, ...found()], kept);
    });
  }

  /** Elements of an array of the file: "meshes", "images", ... */
  count(array) {
    return this.module.c.vrm_gltf_get_count(this.pointer, ARRAYS[array]);
  }

  /** The value at a JSON pointer, "" for the whole document; undefined where there is none. */
  json(pointer = '') {
    const { module } = this;
    return module.withText(pointer, (at) => {
      const result = module.c.vrm_gltf_get_json(this.pointer, at, module.scratch);
      return result === 0 ? JSON.parse(module.string(module.scratch)) : undefined;
    });
  }

  /** A mesh: {name, primitiveCount, targetCount}. */
  mesh(index) {
    return this.module.describe('vrm_gltf_mesh', 'vrm_gltf_get_mesh', this.pointer, index);
  }

  /** A texture: {image, wrapS, wrapT, magFilter, minFilter, ...} by GL's numbers. */
  texture(index) {
    return this.module.describe('vrm_gltf_texture', 'vrm_gltf_get_texture', this.pointer, index);
  }

  /** An image, not decoded: {bytes (a copy, or null), mimeType, width, height, name}. */
  image(index) {
    const { module } = this;
    const { bytes, size, ...rest } = module.describe('vrm_gltf_image', 'vrm_gltf_get_image', this.pointer, index);
    return { ...rest, bytes: bytes ? module.copyOut(bytes, size) : null };
  }

  /** A primitive ready for the GPU. `options`: mesh, primitive, tangents, fourJoints, flatNormals, firstJoint, ... */
  geometry(options) {
    return new Geometry(this, options);
  }

  /** Which parts of each mesh node's primitives the wearer sees: [{mesh, primitive, mode, indices, ranges}]. */
  firstPerson(avatar) {
    const { module } = this;
    const split = module.made((place) => module.c.vrm_first_person_split_create(0, this.pointer, avatar.pointer, place));
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

  /** Rewrites it as VRM 1.0; save() it afterwards. Returns what was found. */
  migrate(avatar, options = {}) {
    const { module } = this;
    return withReport(module, (report, findings) => {
      module.check(module.scope((take) => module.c.vrm_migrate(
        module.params(take, 'vrm_migrate_params', options, 'options'), this.pointer, avatar.pointer, report)), findings());
      return findings();
    });
  }

  /** Its bytes: a GLB, or JSON if it came as that. */
  save() {
    return savedBytes(this.module, (at) => this.module.c.vrm_gltf_save(this.pointer, at));
  }
}

/** A copy of the vrm_bytes that a call makes. */
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
