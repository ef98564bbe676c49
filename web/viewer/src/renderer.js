// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Draws an avatar with WebGL 2 in the way of libvrm-render: into a target that stores linear light, which is then
// encoded onto the page.

import { FEATURE, features, vectors } from './material.js';
import { ROW } from './layout.js';
import { from, multiply } from './matrix.js';
import { dataTexture } from './model.js';
import { Programs, UNIT } from './programs.js';

const AMBIENT = 0.1;
const LIGHT = 0.92;
const ENVIRONMENT = 0.5;
const TRIANGLES = 4;
const GROUND = 4; // radius of the grid around the root, metres
const SHADOWS = ['leftFoot', 'rightFoot', 'leftToes', 'rightToes', 'hips', 'leftHand', 'rightHand', 'head'];

export class Renderer {
  #gl;
  #programs;
  #white;
  #largest; // largest width of a target, pixels
  #target = null;
  #frame = new Float32Array(4 * ROW);
  #frameTexture = null;
  #frameRows = 0;
  #lines;

  /** Throws if the page has no WebGL 2. */
  constructor(canvas) {
    const gl = canvas.getContext('webgl2', { antialias: false, premultipliedAlpha: true, powerPreference: 'high-performance' });
    if (!gl) throw new Error('WebGL 2 is not there');
    this.#gl = gl;
    this.start();
  }

  get gl() {
    return this.#gl;
  }

  /** Sets the size of the picture to that of its place on the page, in pixels. */
  resize() {
    const { canvas } = this.#gl;
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const most = this.#largest;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((x) => Math.min(most, Math.max(1, Math.round(x * ratio))));
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  }

  /** Creates everything that does not belong to a model. Called again after the context was lost. */
  start() {
    const gl = this.#gl;
    /** Number of contexts so far. Objects of an earlier context are lost. */
    this.generation = (this.generation ?? 0) + 1;
    this.#programs = new Programs(gl);
    this.#largest = gl.getParameter(gl.MAX_RENDERBUFFER_SIZE);
    this.#white = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, this.#white);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, Uint8Array.of(255, 255, 255, 255));
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    this.#target = null;
    this.#frameTexture = null;
    this.#frameRows = 0;
    this.#lines = { array: gl.createVertexArray(), buffer: gl.createBuffer() };
    gl.bindVertexArray(this.#lines.array);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#lines.buffer);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 28, 0);
    gl.enableVertexAttribArray(1);
    gl.vertexAttribPointer(1, 4, gl.FLOAT, false, 28, 12);
    gl.bindVertexArray(null);
  }

  // --- target ---

  #prepareTarget(width, height) {
    const gl = this.#gl;
    const last = this.#target;
    if (last && last.width === width && last.height === height) return last;
    if (last) {
      for (const framebuffer of [last.drawn, last.resolved]) gl.deleteFramebuffer(framebuffer);
      for (const buffer of [last.color, last.depth]) gl.deleteRenderbuffer(buffer);
      gl.deleteTexture(last.texture);
    }
    const samples = Math.min(4, gl.getParameter(gl.MAX_SAMPLES));
    const made = { width, height, drawn: gl.createFramebuffer(), resolved: gl.createFramebuffer(), color: gl.createRenderbuffer(),
      depth: gl.createRenderbuffer(), texture: gl.createTexture() };
    gl.bindFramebuffer(gl.FRAMEBUFFER, made.drawn);
    gl.bindRenderbuffer(gl.RENDERBUFFER, made.color);
    gl.renderbufferStorageMultisample(gl.RENDERBUFFER, samples, gl.SRGB8_ALPHA8, width, height);
    gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, made.color);
    gl.bindRenderbuffer(gl.RENDERBUFFER, made.depth);
    gl.renderbufferStorageMultisample(gl.RENDERBUFFER, samples, gl.DEPTH_COMPONENT24, width, height);
    gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.RENDERBUFFER, made.depth);
    gl.bindFramebuffer(gl.FRAMEBUFFER, made.resolved);
    gl.activeTexture(gl.TEXTURE0 + UNIT.slots);
    gl.bindTexture(gl.TEXTURE_2D, made.texture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.SRGB8_ALPHA8, width, height);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, made.texture, 0);
    return this.#target = made;
  }

  #show(target) {
    const gl = this.#gl;
    const { width, height } = target;
    gl.bindFramebuffer(gl.READ_FRAMEBUFFER, target.drawn);
    gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, target.resolved);
    gl.blitFramebuffer(0, 0, width, height, 0, 0, width, height, gl.COLOR_BUFFER_BIT, gl.NEAREST);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, width, height);
    gl.disable(gl.DEPTH_TEST);
    gl.disable(gl.CULL_FACE);
    gl.disable(gl.BLEND);
    const uniforms = this.#programs.use('show', FEATURE.encode);
    gl.activeTexture(gl.TEXTURE0 + UNIT.slots);
    gl.bindTexture(gl.TEXTURE_2D, target.texture);
    gl.uniform2i(uniforms.corner, 0, 0);
    gl.bindVertexArray(null);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }

  // --- what the vertex shader reads ---

  #reserve(texels) {
    const rows = Math.ceil(texels / ROW) + 1;
    if (4 * rows * ROW > this.#frame.length) {
      const grown = new Float32Array(4 * rows * ROW * 2);
      grown.set(this.#frame);
      this.#frame = grown;
    }
  }

  #uploadFrame(texels) {
    const gl = this.#gl;
    const rows = Math.max(1, Math.ceil(texels / ROW));
    gl.activeTexture(gl.TEXTURE0 + UNIT.frame);
    if (rows > this.#frameRows) {
      gl.deleteTexture(this.#frameTexture);
      this.#frameRows = 2 * rows;
      this.#frameTexture = dataTexture(gl, this.#frameRows);
    }
    gl.bindTexture(gl.TEXTURE_2D, this.#frameTexture);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, ROW, rows, gl.RGBA, gl.FLOAT, this.#frame.subarray(0, 4 * ROW * rows));
  }

  // --- surfaces ---

  // Lists the surfaces in the specification's order: opaque, masked, transparent with depth writes, transparent. The
  // last two groups are sorted by queue, then from far to near.
  #list(vrm, model, view) {
    const { world, morphs, palette } = vrm;
    let texels = palette.length / 4;
    this.#reserve(texels);
    this.#frame.set(palette);
    const draws = [];
    for (const { node, primitives } of model.meshes) {
      const at = 12 * node.node;
      for (const primitive of primitives) {
        const { params } = model.materials[primitive.material];
        const group = params.alphaMode === 'opaque' ? 0 : params.alphaMode === 'mask' ? 1 : params.transparentWithZWrite ? 2 : 3;
        this.#reserve(texels + primitive.morphs.length);
        const first = texels;
        primitive.morphs.forEach((morph, i) => {
          const weight = morphs[node.firstMorph + i];
          if (weight !== 0 && morph.first <= morph.last) {
            this.#frame.set([morph.texel, morph.first, morph.last, weight], 4 * texels++);
          }
        });
        draws.push({ primitive, node, params, group, queue: group >= 2 ? params.renderQueueOffset : 0, order: draws.length,
          depth: group >= 2 ? view[2] * world[at + 3] + view[6] * world[at + 7] + view[10] * world[at + 11] + view[14] : 0,
          joints: node.palette >= 0 ? 3 * vrm.avatar.palettes[node.palette].firstJoint : -1, morphs: first, morphCount: texels - first });
      }
    }
    this.#uploadFrame(texels);
    return draws.sort((a, b) => a.group - b.group || a.queue - b.queue || a.depth - b.depth || a.order - b.order);
  }

  #bindTextures(model, primitive) {
    const gl = this.#gl;
    model.textures[primitive.material].forEach((bound, slot) => {
      gl.activeTexture(gl.TEXTURE0 + UNIT.slots + slot);
      gl.bindTexture(gl.TEXTURE_2D, bound?.texture ?? this.#white);
      gl.bindSampler(UNIT.slots + slot, bound?.sampler ?? null);
    });
    gl.activeTexture(gl.TEXTURE0 + UNIT.morph);
    gl.bindTexture(gl.TEXTURE_2D, primitive.texture);
  }

  #pass(scene, draw, world, material, outline) {
    const gl = this.#gl;
    const { primitive, params } = draw;
    const isSkinned = draw.joints >= 0;
    const uniforms = this.#programs.use(...programOf(draw, material, outline));
    const isBlended = params.alphaMode === 'blend';
    (outline || !params.doubleSided ? gl.enable : gl.disable).call(gl, gl.CULL_FACE);
    gl.cullFace(outline ? gl.FRONT : gl.BACK);
    gl.frontFace(!isSkinned && determinant(world) < 0 ? gl.CW : gl.CCW);
    (isBlended ? gl.enable : gl.disable).call(gl, gl.BLEND);
    gl.depthMask(!isBlended || params.transparentWithZWrite);
    gl.uniformMatrix4fv(uniforms.world, false, world);
    gl.uniformMatrix4fv(uniforms.view, false, scene.view32);
    gl.uniformMatrix4fv(uniforms.projection, false, scene.projection32);
    gl.uniform4i(uniforms.vertex, draw.joints, draw.morphs, draw.morphCount, primitive.step);
    gl.uniform4fv(uniforms.material, material.vectors);
    gl.uniform4fv(uniforms.material_outline, material.vectors.subarray(116, 124));
    gl.uniform2i(uniforms.options, 0, params.doubleSided ? 1 : 0);
    gl.uniform4fv(uniforms.light, scene.light);
    gl.drawElements(primitive.mode, primitive.count, primitive.indexType, 0);
  }

  // Returns the shader's values of each material, recomputed where the last update has changed them.
  #currentMaterials(vrm, model) {
    const changes = vrm.materialChanges;
    model.materials.forEach(({ params }, i) => {
      if (model.current[i] && !(changes[i >> 5] >> (i & 31) & 1)) return;
      const values = i < vrm.avatar.counts.materials ? vrm.materialValues(i) : null;
      model.current[i] = { vectors: vectors(params, values), features: features(params, values, false),
        outlineFeatures: features(params, values, true) };
    });
    return model.current;
  }

  #drawSurfaces(vrm, model, scene) {
    const gl = this.#gl;
    const materials = this.#currentMaterials(vrm, model);
    const draws = this.#list(vrm, model, scene.view32);
    const world = new Float32Array(16);
    for (const draw of draws) {
      const from34 = vrm.world.subarray(12 * draw.node.node, 12 * draw.node.node + 12);
      for (let row = 0; row < 3; ++row) for (let column = 0; column < 4; ++column) world[4 * column + row] = from34[4 * row + column];
      world[15] = 1;
      this.#bindTextures(model, draw.primitive);
      gl.bindVertexArray(draw.primitive.array);
      const material = materials[draw.primitive.material];
      this.#pass(scene, draw, world, material, false);
      if (hasOutline(draw)) {
        this.#pass(scene, draw, world, material, true);
      }
    }
    for (let slot = 0; slot < 11; ++slot) gl.bindSampler(UNIT.slots + slot, null);
    gl.bindVertexArray(null);
    gl.depthMask(true);
  }

  #drawLines(lines, clip) {
    const gl = this.#gl;
    const uniforms = this.#programs.use('line', 0);
    gl.disable(gl.BLEND);
    gl.uniformMatrix4fv(uniforms.clip, false, clip);
    this.#drawVertices(lines, gl.LINES);
  }

  // Draws a grid of metres around the root that fades out, and round shadows under parts near the ground.
  #drawGround(vrm, clip) {
    const gl = this.#gl;
    const { world, origin, avatar: { humanBones } } = vrm;
    const blots = new Float32Array(32);
    SHADOWS.filter((bone) => bone in humanBones).forEach((bone, i) => {
      const at = 12 * humanBones[bone];
      const radius = (bone === 'hips' ? 0.16 : 0.07) + 0.25 * Math.max(0, world[at + 7] + origin[1]);
      blots.set([world[at + 3], world[at + 11], radius, 0.5 * 0.07 / radius], 4 * i);
    });
    const y = -origin[1];
    const corners = [[-1, -1], [1, -1], [-1, 1], [1, 1]].flatMap(([x, z]) => [x * GROUND, y, z * GROUND, 0, 0, 0, 0]);
    const uniforms = this.#programs.use('ground', 0);
    gl.uniformMatrix4fv(uniforms.clip, false, clip);
    gl.uniform4fv(uniforms.blots, blots);
    gl.uniform4f(uniforms.grid, origin[0] - Math.floor(origin[0]), origin[2] - Math.floor(origin[2]), GROUND, 1);
    gl.enable(gl.BLEND);
    this.#drawVertices(Float32Array.from(corners), gl.TRIANGLE_STRIP);
    gl.enable(gl.DEPTH_TEST);
  }

  // Draws vertices of 7 numbers each: position and colour.
  #drawVertices(vertices, mode) {
    const gl = this.#gl;
    gl.disable(gl.DEPTH_TEST);
    gl.disable(gl.CULL_FACE);
    gl.bindVertexArray(this.#lines.array);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#lines.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, vertices, gl.DYNAMIC_DRAW);
    gl.drawArrays(mode, 0, vertices.length / 7);
    gl.bindVertexArray(null);
  }

  #begin() {
    const gl = this.#gl;
    gl.depthMask(true);
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    // Defaults for attributes that a primitive lacks: a normal, no tangent, no UVs, no joints, white.
    gl.vertexAttrib4f(1, 0, 0, 1, 0);
    for (const location of [2, 3, 4, 6, 8]) gl.vertexAttrib4f(location, 0, 0, 0, 0);
    for (const location of [5, 7]) gl.vertexAttribI4ui(location, 0, 0, 0, 0);
    gl.vertexAttrib4f(9, 1, 1, 1, 1);
  }

  /** Compiles the programs that a model needs; `pause` is awaited meanwhile. */
  async prepare(model, pause) {
    const wanted = new Map();
    for (const { node, primitives } of model.meshes) {
      for (const primitive of primitives) {
        const { params } = model.materials[primitive.material];
        const draw = { primitive, params, joints: node.palette };
        const material = { features: features(params, null, false), outlineFeatures: features(params, null, true) };
        for (const outline of hasOutline(draw) ? [false, true] : [false]) {
          const program = programOf(draw, material, outline);
          wanted.set(program.join(' '), program);
        }
      }
    }
    await this.#programs.prepare([...wanted.values()], pause);
  }

  /**
   * Draws a picture. `scene`: view and projection (16 numbers by columns), light (the direction to it), background (r, g,
   * b, a in linear light), ground (true to draw it), lines (7 numbers per point: position, colour; or null). `vrm` and
   * `model` may be null. A model of a lost context is not drawn.
   */
  draw(vrm, model, { view, projection, light, background, ground, lines }) {
    const gl = this.#gl;
    const target = this.#prepareTarget(gl.drawingBufferWidth, gl.drawingBufferHeight);
    gl.bindFramebuffer(gl.FRAMEBUFFER, target.drawn);
    gl.viewport(0, 0, target.width, target.height);
    this.#begin();
    gl.clearColor(...background.slice(0, 3).map((x) => x * background[3]), background[3]);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    if (vrm) {
      const near = from(view, vrm.origin);
      const clip = Float32Array.from(multiply(projection, near));
      const length = Math.hypot(...light);
      if (ground) this.#drawGround(vrm, clip);
      const scene = {
        view32: Float32Array.from(near), projection32: Float32Array.from(projection),
        light: Float32Array.of(...light.map((x) => x / length), 0, LIGHT, LIGHT, LIGHT, 0, AMBIENT, AMBIENT, AMBIENT, 0,
          AMBIENT, AMBIENT, AMBIENT, 0, ENVIRONMENT, ENVIRONMENT, ENVIRONMENT, 0),
      };
      if (model?.generation === this.generation) this.#drawSurfaces(vrm, model, scene);
      if (lines?.length) this.#drawLines(lines, clip);
    }
    this.#show(target);
  }
}

const hasOutline = ({ primitive, params }) => params.type === 'mtoon' && primitive.mode === TRIANGLES && params.outlineMode !== 'none'
  && params.outlineWidth > 0;

// Returns the name and the features of the program that draws a surface.
function programOf({ primitive, params, joints }, material, outline) {
  const isLit = primitive.mode === TRIANGLES || primitive.hasNormals;
  const isSkinned = joints >= 0;
  const hasTangents = primitive.hasTangents && params.textures[2].index >= 0;
  return [outline ? 'outline' : isLit ? params.type : 'unlit',
    (outline ? material.outlineFeatures : material.features) | (hasTangents ? FEATURE.tangents : 0)
    | (primitive.hasNormals ? 0 : FEATURE.flat) | (isSkinned ? FEATURE.skin : 0)
    | (isSkinned && primitive.hasEightJoints ? FEATURE.eightJoints : 0)];
}

const determinant = (m) => m[0] * (m[5] * m[10] - m[9] * m[6]) - m[4] * (m[1] * m[10] - m[9] * m[2]) + m[8] * (m[1] * m[6] - m[5] * m[2]);
