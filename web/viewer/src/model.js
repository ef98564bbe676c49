// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The part of an avatar that WebGL draws: vertices, morph targets and images, uploaded in the order in which read.js
// sends them.

import { meshKey, ROW } from './layout.js';
import { COLORS, defaultMaterial } from './material.js';
import { settled, UNIT } from './programs.js';

const STRIP = 1 << 22; // bytes that are uploaded at once
const MOST = 1 << 23; // bytes that the driver may have pending before an upload waits

/** Creates a texture with four floats per texel. */
export function dataTexture(gl, rows) {
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA32F, ROW, rows);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  return texture;
}

function makeSampler(gl, { wrapS, wrapT, magFilter, minFilter }) {
  const sampler = gl.createSampler();
  gl.samplerParameteri(sampler, gl.TEXTURE_MAG_FILTER, magFilter || gl.LINEAR);
  gl.samplerParameteri(sampler, gl.TEXTURE_MIN_FILTER, minFilter || gl.LINEAR_MIPMAP_LINEAR);
  gl.samplerParameteri(sampler, gl.TEXTURE_WRAP_S, wrapS);
  gl.samplerParameteri(sampler, gl.TEXTURE_WRAP_T, wrapT);
  return sampler;
}

/** An avatar's model while its parts arrive. */
export class ModelMaker {
  #gl;
  #pause;
  #waiting = 0; // bytes that may be pending in the driver
  #samplers = [];
  #textures = [];
  #images = new Map(); // textures by image and colour space
  #meshes = new Map();
  #problems = [];

  #generation;

  /** `pause` is awaited between parts, so that the page can respond. */
  constructor(renderer, pause) {
    this.#gl = renderer.gl;
    this.#generation = renderer.generation;
    this.#pause = pause;
  }

  async #uploaded(bytes) {
    this.#waiting += bytes;
    if (this.#waiting < MOST) return;
    this.#waiting = 0;
    await settled(this.#gl, this.#pause);
  }

  /** Adds a part. */
  async add(part) {
    if (part.kind === 'textures') {
      this.#textures = part.textures;
      this.#samplers = part.textures.map((texture) => makeSampler(this.#gl, texture));
    } else if (part.kind === 'image') {
      for (const isColor of part.spaces) await this.#addImage(`${part.image} ${isColor}`, part.bitmap, isColor);
      part.bitmap.close();
    } else if (part.kind === 'primitive') {
      const { mesh, primitive } = part;
      this.#meshes.set(mesh, [...(this.#meshes.get(mesh) ?? []), await this.#makePrimitive(primitive)]);
    } else if (part.kind === 'problem') {
      this.#problems.push(part.problem);
    }
  }

  // Uploads an image in strips, because a large image takes longer than a frame.
  async #addImage(key, bitmap, isColor) {
    const gl = this.#gl;
    const { width, height } = bitmap;
    const texture = gl.createTexture();
    this.#images.set(key, texture);
    const bind = () => {
      gl.activeTexture(gl.TEXTURE0 + UNIT.slots);
      gl.bindTexture(gl.TEXTURE_2D, texture);
    };
    bind();
    gl.texStorage2D(gl.TEXTURE_2D, 1 + Math.floor(Math.log2(Math.max(width, height))), isColor ? gl.SRGB8_ALPHA8 : gl.RGBA8, width, height);
    const rows = Math.max(1, Math.floor(STRIP / (4 * width)));
    for (let y = 0; y < height; y += rows) {
      bind();
      gl.pixelStorei(gl.UNPACK_SKIP_ROWS, y);
      gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, y, width, Math.min(rows, height - y), gl.RGBA, gl.UNSIGNED_BYTE, bitmap);
      gl.pixelStorei(gl.UNPACK_SKIP_ROWS, 0);
      await this.#uploaded(4 * width * Math.min(rows, height - y));
    }
    bind();
    gl.generateMipmap(gl.TEXTURE_2D);
  }

  async #makePrimitive({ attributes, indices, data, ...rest }) {
    const gl = this.#gl;
    const array = gl.createVertexArray();
    const made = { ...rest, array, buffers: [], texture: null, count: indices.length,
      indexType: indices instanceof Uint16Array ? gl.UNSIGNED_SHORT : gl.UNSIGNED_INT };
    const fillBuffer = (target, values) => {
      made.buffers.push(gl.createBuffer());
      gl.bindBuffer(target, made.buffers.at(-1));
      gl.bufferData(target, values, gl.STATIC_DRAW);
    };
    for (const [location, values, size] of attributes) {
      gl.bindVertexArray(array);
      fillBuffer(gl.ARRAY_BUFFER, values);
      gl.enableVertexAttribArray(location);
      if (values instanceof Uint16Array) gl.vertexAttribIPointer(location, size, gl.UNSIGNED_SHORT, 0, 0);
      else gl.vertexAttribPointer(location, size, gl.FLOAT, false, 0, 0);
      gl.bindVertexArray(null);
      await this.#uploaded(values.byteLength);
    }
    gl.bindVertexArray(array);
    fillBuffer(gl.ELEMENT_ARRAY_BUFFER, indices);
    gl.bindVertexArray(null);
    await this.#uploaded(indices.byteLength);
    if (data) made.texture = await this.#makeMorphTexture(data);
    return made;
  }

  async #makeMorphTexture(data) {
    const gl = this.#gl;
    const rows = data.length / (4 * ROW);
    const most = STRIP / (16 * ROW);
    gl.activeTexture(gl.TEXTURE0 + UNIT.morph);
    const texture = dataTexture(gl, rows);
    for (let row = 0; row < rows; row += most) {
      const count = Math.min(most, rows - row);
      gl.activeTexture(gl.TEXTURE0 + UNIT.morph);
      gl.bindTexture(gl.TEXTURE_2D, texture);
      gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, row, ROW, count, gl.RGBA, gl.FLOAT, data.subarray(4 * ROW * row, 4 * ROW * (row + count)));
      await this.#uploaded(16 * ROW * count);
    }
    return texture;
  }

  #free() {
    const gl = this.#gl;
    for (const { array, buffers, texture } of [...this.#meshes.values()].flat()) {
      gl.deleteVertexArray(array);
      buffers.forEach((buffer) => gl.deleteBuffer(buffer));
      gl.deleteTexture(texture);
    }
    this.#images.forEach((texture) => gl.deleteTexture(texture));
    this.#samplers.forEach((sampler) => gl.deleteSampler(sampler));
  }

  /** Frees the parts added so far. */
  dispose() {
    this.#free();
  }

  /** Returns the model of all parts. */
  finish(avatar) {
    const materials = [...avatar.materials, defaultMaterial];
    const all = [...this.#meshes.values()].flat();
    const textures = materials.map(({ params }) => params.textures.map(({ index }, slot) => {
      const texture = index >= 0 ? this.#images.get(`${this.#textures[index].image} ${COLORS.has(slot)}`) : undefined;
      return texture ? { texture, sampler: this.#samplers[index] } : null;
    }));
    return {
      materials, textures, problems: this.#problems, generation: this.#generation,
      meshes: avatar.meshNodes.map((node) => ({ node, primitives: this.#meshes.get(meshKey(node)) ?? [] })),
      current: [], // values of each material as the renderer uses them
      statistics: { vertices: all.reduce((sum, p) => sum + p.vertices, 0), primitives: all.length, textures: this.#images.size,
        triangles: all.reduce((sum, p) => sum + (p.mode === 4 ? p.count / 3 : 0), 0) },
      dispose: () => this.#free(),
    };
  }
}
