// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The shader programs, from the same texts as in libvrm-render. There is a program for each kind and set of features,
// compiled on first use.

import avatarFragment from '../../../render/shaders/avatar.frag.glsl';
import avatarVertex from '../../../render/shaders/avatar.vert.glsl';
import groundFragment from '../../../render/shaders/ground.frag.glsl';
import groundVertex from '../../../render/shaders/ground.vert.glsl';
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
const UNIFORMS = ['world', 'view', 'projection', 'vertex', 'material', 'material_outline', 'options', 'light', 'clip', 'corner', 'blots', 'grid'];
const HEAD = '#version 300 es\nprecision highp float;\nprecision highp int;\nprecision mediump sampler2D;\n';
const RECIPES = {
  mtoon: ['#define MTOON\n', avatarVertex, material + avatarFragment],
  outline: ['#define MTOON\n#define OUTLINE\n', outlineWidth + avatarVertex, material + avatarFragment],
  unlit: ['#define UNLIT\n', avatarVertex, material + avatarFragment],
  pbr: ['#define PBR\n', avatarVertex, material + avatarFragment],
  ground: ['', groundVertex, groundFragment],
  line: ['', lineVertex, lineFragment],
  show: ['', showVertex, showFragment],
};

/**
 * Waits until the driver has finished its work. With much pending work, the next call that needs an answer or adds work
 * would block the page.
 */
export async function settled(gl, pause) {
  const sync = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
  gl.flush();
  do await pause(); while (sync && !gl.isContextLost() && gl.getSyncParameter(sync, gl.SYNC_STATUS) !== gl.SIGNALED);
  gl.deleteSync(sync);
}

export class Programs {
  #gl;
  #made = new Map();
  #parallel;

  constructor(gl) {
    this.#gl = gl;
    this.#parallel = gl.getExtension('KHR_parallel_shader_compile');
  }

  // Begins to compile. The driver is not asked for the result here, because the answer would wait for its compiler.
  #begin(name, features) {
    const gl = this.#gl;
    const key = `${name} ${features}`;
    const known = this.#made.get(key);
    if (known) return known;
    const [defines, vertex, fragment] = RECIPES[name];
    const head = `${HEAD}${defines}const int FEATURES = ${features};\n`;
    const program = gl.createProgram();
    const shaders = [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]].map(([stage, text]) => {
      const shader = gl.createShader(stage);
      gl.shaderSource(shader, head + text);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
      return shader;
    });
    gl.linkProgram(program);
    const made = { name, program, shaders, uniforms: null };
    this.#made.set(key, made);
    return made;
  }

  #finish(made) {
    const gl = this.#gl;
    const { name, program, shaders } = made;
    if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
      throw new Error(`the shaders "${name}" do not compile: ${[...shaders.map((shader) => gl.getShaderInfoLog(shader)),
        gl.getProgramInfoLog(program)].join(' ').trim()}`);
    }
    for (const shader of shaders) gl.deleteShader(shader);
    made.uniforms = Object.fromEntries(UNIFORMS.map((uniform) => [uniform, gl.getUniformLocation(program, `u_${uniform}`)]));
    gl.useProgram(program);
    gl.uniform1i(gl.getUniformLocation(program, 'u_frame'), UNIT.frame);
    gl.uniform1i(gl.getUniformLocation(program, 'u_morph'), UNIT.morph);
    SLOTS.forEach((slot, i) => gl.uniform1i(gl.getUniformLocation(program, slot), UNIT.slots + i));
  }

  /** Compiles programs ([name, features] each) before they are needed. `pause` is awaited while the driver compiles. */
  async prepare(list, pause) {
    const gl = this.#gl;
    const all = list.map(([name, features]) => this.#begin(name, features)).filter(({ uniforms }) => !uniforms);
    const isDone = ({ program }) => gl.isContextLost() || gl.getProgramParameter(program, this.#parallel.COMPLETION_STATUS_KHR);
    for (const made of this.#parallel ? all : []) while (!isDone(made)) await pause();
    if (all.length) await settled(gl, pause);
    for (const made of all) if (!made.uniforms) this.#finish(made);
  }

  /** Makes a program current. Returns the locations of its uniforms by name. */
  use(name, features) {
    const made = this.#begin(name, features);
    if (made.uniforms) this.#gl.useProgram(made.program);
    else this.#finish(made);
    return made.uniforms;
  }
}
