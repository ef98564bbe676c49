// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

import { index } from './check.js';
import { Owned } from './module.js';
import { withReport } from './report.js';
import { numberOf, offsetOf } from './struct.js';

const KINDS = { float32: [Float32Array, 4], unorm8: [Uint8Array, 1], unorm16: [Uint16Array, 2], snorm8: [Int8Array, 1],
  snorm16: [Int16Array, 2], uint8: [Uint8Array, 1], uint16: [Uint16Array, 2], uint32: [Uint32Array, 4], float16: [Uint16Array, 2] };
const COMPONENTS = { position: 3, normal: 3, tangent: 4, texCoord: 2, color: 4, joints: 4, weights: 4 };

/** A primitive's vertices, indices and morph targets. Arrays are copies. */
export class Geometry extends Owned {
  constructor(document, { indices, ...options } = {}) {
    const { module } = document;
    const list = indices ? module.copyIn(indices) : 0;
    try {
      super(module, withReport(module, (report, findings) => module.made((place) => module.scope((take) => {
        const def = module.params(take, 'vrm_geometry_def', { ...options, indexCount: indices?.length ?? 0 }, 'options');
        module.u32[(def + offsetOf('vrm_geometry_def', 'indices')) >> 2] = list;
        return module.c.vrm_geometry_create(document.pointer, def, report, place);
      }), findings)), 'vrm_geometry_destroy');
    } finally {
      if (list && !module.dead) module.c.free(list);
    }
    /** The document that it reads. Reading from it after the document's disposal throws. */
    this.document = document;
    /** {mode, material, vertexCount, indexCount, targetCount, hasNormals, hasTangents, texCoordSets, colorSets, jointSets}. */
    this.info = module.describe('vrm_geometry_info', 'vrm_geometry_get_info', this.pointer);
  }

  get pointer() {
    void this.document.pointer;
    return super.pointer;
  }

  /**
   * Returns one attribute of all vertices, packed. `semantic`: "position", "normal", "tangent", "texCoord", "color",
   * "joints", "weights"; `format`: "float32", "unorm8", ...; default: "uint16" for joints, "float32" for all others.
   */
  attribute(semantic, { set = 0, format = semantic === 'joints' ? 'uint16' : 'float32', components = COMPONENTS[semantic] } = {}) {
    const { module } = this;
    const words = [numberOf('vrm_vertex_semantic', semantic, 'semantic'), set, numberOf('vrm_vertex_format', format, 'format'), components, 0];
    const [Type, bytes] = KINDS[format];
    const length = this.info.vertexCount * components;
    const at = module.allocate(length * bytes);
    try {
      module.scope((take) => {
        const attribute = take(20);
        words.forEach((word, i) => { module.u32[(attribute >> 2) + i] = word; });
        const target = module.sized(take, 'vrm_vertex_target', { memory: at, size: length * bytes, stride: components * bytes,
          attributes: attribute, attributeCount: 1 });
        module.check(module.c.vrm_geometry_write_vertices(this.pointer, target));
      });
      return new Type(module.u8.buffer.slice(at, at + length * bytes));
    } finally {
      if (!module.dead) module.c.free(at);
    }
  }

  /** Returns a Uint16Array for up to 65,536 vertices, otherwise a Uint32Array. */
  indices() {
    const { module } = this;
    const bytes = this.info.vertexCount <= 65536 ? 2 : 4;
    const size = this.info.indexCount * bytes;
    const at = module.allocate(size);
    try {
      module.check(module.c.vrm_geometry_write_indices(this.pointer, bytes, at, size));
      return new (bytes === 2 ? Uint16Array : Uint32Array)(module.u8.buffer.slice(at, at + size));
    } finally {
      if (!module.dead) module.c.free(at);
    }
  }

  /** Returns a morph target's differences, with three numbers per vertex: {positions, normals}. */
  deltas(target) {
    const { module } = this;
    const count = this.info.vertexCount;
    const at = module.allocate(24 * count);
    try {
      module.scope((take) => module.check(module.c.vrm_geometry_read_deltas(this.pointer, index(target, this.info.targetCount, 'target'),
        module.sized(take, 'vrm_morph_deltas', { positions: at, normals: at + 12 * count, capacity: count }))));
      const numbers = (first) => module.f32.slice(first >> 2, (first >> 2) + 3 * count);
      return { positions: numbers(at), normals: numbers(at + 12 * count) };
    } finally {
      if (!module.dead) module.c.free(at);
    }
  }
}
