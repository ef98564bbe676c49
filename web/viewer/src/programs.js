// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The shaders of libvrm-render, which are the same texts; a program for each kind and set of features, made on first use.

import avatarFragment from '../../../render/shaders/avatar.frag.glsl';
import avatarVertex from '../../../render/shaders/avatar.vert.glsl';
import lineFragment from '../../../render/shaders/line.frag.glsl';
import lineVertex from '../../../render/shaders/line.vert.glsl';
import material from '../../../render/shaders/material.glsl';
import outlineWidth from '../../../render/shaders/outline_width.glsl';
import showFragment from '../../../render/shaders/show.frag.glsl';
import showVertex from '../../../render/shaders/show.vert.glsl';

/** Texture units: two for data that the vertex shader reads, then one for each slot of a material. */
export const UNIT = { frame: 0, morph: 1, slots: 2 };

const SLOTS = ['t_base', 't_metallic_roughness', 't_normal', 't_occlusion', 't_emissive', 't_shade', 't_shift', 't_matcap', 't_rim',
  't_outline_width', 't_uv_mask'];
const HEAD = '#version 300 es\nprecision highp float;\nprecision highp int;\nprecision mediump sampler2D;\n';
const RECIPES = {
  mtoon: ['#define MTOON\n', avatarVertex, material + avatarFragment],
  outline: ['#define MTOON\n#define OUTLINE\n', outlineWidth + avatarVertex, material + avatarFragment],
  unlit: ['#define UNLIT\n', avatarVertex, material + avatarFragment],
  pbr: ['#define PBR\n', avatarVertex, material + avatarFragment],
  line: ['', lineVertex, lineFragment],
  show: ['', showVertex, showFragment],
};

export class Programs {
  #gl;
  #made = new Map();

  constructor(gl) {
    this.#gl = gl;
  }

  #compile(stage, name, text) {
    const gl = this.#gl;
    const shader = gl.createShader(stage);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost()) {
      throw new Error(`a shader of "${name}" does not compile: ${gl.getShaderInfoLog(shader)}`);
    }
    return shader;
  }

  #link(name, features) {
    const gl = this.#gl;
    const [defines, vertex, fragment] = RECIPES[name];
    const head = `${HEAD}${defines}const int FEATURES = ${features};\n`;
    const program = gl.createProgram();
    gl.attachShader(program, this.#compile(gl.VERTEX_SHADER, name, head + vertex));
    gl.attachShader(program, this.#compile(gl.FRAGMENT_SHADER, name, head + fragment));
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
      throw new Error(`the program "${name}" does not link: ${gl.getProgramInfoLog(program)}`);
    }
    return program;
  }

  /** Makes a program current: its uniforms' locations by name. */
  use(name, features) {
    const gl = this.#gl;
    const key = `${name} ${features}`;
    const known = this.#made.get(key);
    if (known) {
      gl.useProgram(known.program);
      return known.uniforms;
    }
    const program = this.#link(name, features);
    gl.useProgram(program);
    const uniforms = {};
    for (const uniform of ['world', 'view', 'projection', 'vertex', 'material', 'material_outline', 'options', 'light', 'clip', 'corner']) {
      uniforms[uniform] = gl.getUniformLocation(program, `u_${uniform}`);
    }
    gl.uniform1i(gl.getUniformLocation(program, 'u_frame'), UNIT.frame);
    gl.uniform1i(gl.getUniformLocation(program, 'u_morph'), UNIT.morph);
    SLOTS.forEach((slot, i) => gl.uniform1i(gl.getUniformLocation(program, slot), UNIT.slots + i));
    this.#made.set(key, { program, uniforms });
    return uniforms;
  }
}
