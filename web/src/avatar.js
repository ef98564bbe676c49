// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

import { Owned } from './module.js';
import { layoutOf, read } from './struct.js';
import { Instance } from './vrm.js';

/** An avatar as loaded from a file. It is read-only, and shared by all VRMs created from it. */
export class Avatar extends Owned {
  #users = 0;
  #released = false;
  #cache = {};

  constructor(module, pointer, findings = [], document = null) {
    super(module, pointer, 'vrm_avatar_release');
    /** Findings of loading; a warning means that a value was repaired. */
    this.findings = findings;
    /** The file with its meshes and images; null unless loaded with keepDocument. */
    this.document = document;
  }

  /** Disposes of this handle. The memory is freed together with the avatar's last VRM. */
  dispose() {
    this.#released = true;
    if (this.#users === 0) {
      this.document?.dispose();
      super.dispose();
    }
  }

  /** @internal */
  use(count) {
    this.#users += count;
    if (this.#users === 0 && this.#released) this.dispose();
  }

  #once(name, make) {
    return this.#cache[name] ??= make();
  }

  #all(count, struct, call) {
    return Array.from({ length: count }, (_, i) => this.module.describe(struct, call, this.pointer, i));
  }

  /** Numbers of nodes, expressions, morphs, springJoints, ... */
  get counts() {
    return this.#once('counts', () => this.module.describe('vrm_avatar_counts', 'vrm_avatar_get_counts', this.pointer));
  }

  /** "1.0", "1.0-beta", "1.0-draft", "0.x", or "" for a glTF without VRM. */
  get dialect() {
    return this.module.text(this.module.c.vrm_avatar_get_dialect(this.pointer));
  }

  /** Measures of the rest pose in metres: height, eyeHeight, hipsHeight. */
  get body() {
    return this.#once('body', () => this.module.describe('vrm_avatar_body', 'vrm_avatar_get_body', this.pointer));
  }

  /** Author and conditions of use, in the terms of VRM 1.0. */
  get meta() {
    return this.#once('meta', () => this.module.scope((take) => {
      const m = this.module;
      const { size, members } = layoutOf('vrm_meta');
      const at = take(size);
      m.u32[at >> 2] = size;
      m.c.vrm_avatar_get_meta(this.pointer, at);
      const made = read(m, 'vrm_meta', at);
      const strings = (name, count) => Array.from({ length: count }, (_, i) => m.string(m.u32[(at + members[name].at) >> 2] + 8 * i));
      made.authors = strings('authors', made.authorCount);
      made.references = strings('references', made.referenceCount);
      made.oldTerms = strings('oldTerms', 2 * made.oldTermCount);
      made.metaVersion = this.dialect === '0.x' ? '0' : '1';
      for (const name of ['authorCount', 'referenceCount', 'oldTermCount']) delete made[name];
      return made;
    }));
  }

  /** All nodes in node order: parents before children. */
  get nodes() {
    return this.#once('nodes', () => this.#all(this.counts.nodes, 'vrm_node', 'vrm_avatar_get_node'));
  }

  /** Node of each humanoid bone that the avatar has: {hips: 3, ...}. */
  get humanBones() {
    return this.#once('bones', () => {
      const { c } = this.module;
      const made = {};
      for (const [name, bone] of this.module.bones) {
        const node = c.vrm_avatar_get_bone_node(this.pointer, bone);
        if (node >= 0) made[name] = node;
      }
      return made;
    });
  }

  get expressions() {
    return this.#once('expressions', () => this.#all(this.counts.expressions, 'vrm_expression', 'vrm_avatar_get_expression'));
  }

  /** Returns the index of the expression with this name, or -1. */
  findExpression(name) {
    return this.module.withText(name, (at, length) => this.module.c.vrm_avatar_find_expression(this.pointer, at, length));
  }

  /** Returns the first node with this name, as an index in node order; -1 if there is none. */
  findNode(name) {
    return this.module.withText(name, (at, length) => this.module.c.vrm_avatar_find_node(this.pointer, at, length));
  }

  /** Converts a node index of the file to node order; -1 if there is no such node. */
  findGltfNode(index) {
    return this.module.c.vrm_avatar_find_gltf_node(this.pointer, index);
  }

  get lookAt() {
    return this.#once('lookAt', () => this.module.describe('vrm_look_at', 'vrm_avatar_get_look_at', this.pointer));
  }

  get constraints() {
    return this.#once('constraints', () => this.#all(this.counts.constraints, 'vrm_constraint', 'vrm_avatar_get_constraint'));
  }

  get springChains() {
    return this.#once('chains', () => this.#all(this.counts.springChains, 'vrm_spring_chain', 'vrm_avatar_get_spring_chain'));
  }

  get springJoints() {
    return this.#once('joints', () => this.#all(this.counts.springJoints, 'vrm_spring_joint', 'vrm_avatar_get_spring_joint'));
  }

  get colliders() {
    return this.#once('colliders', () => this.#all(this.counts.colliders, 'vrm_collider', 'vrm_avatar_get_collider'));
  }

  /** Materials with name and params; colours are linear. */
  get materials() {
    return this.#once('materials', () => this.#all(this.counts.materials, 'vrm_material', 'vrm_avatar_get_material'));
  }

  /** Nodes with a mesh. */
  get meshNodes() {
    return this.#once('meshes', () => this.#all(this.counts.meshes, 'vrm_mesh_node', 'vrm_avatar_get_mesh_node'));
  }

  /** Palettes: firstJoint, jointCount, nodes (node order of each joint). */
  get palettes() {
    return this.#once('palettes', () => this.#all(this.counts.palettes, 'vrm_palette', 'vrm_avatar_get_palette').map((palette) => ({
      ...palette, nodes: Array.from(this.module.u32.subarray(palette.nodes >> 2, (palette.nodes >> 2) + palette.jointCount)),
    })));
  }

  /** Names of all morph weights, in the order of VRM.morphs. */
  get morphNames() {
    return this.#once('morphs', () => this.module.scope((take) => {
      const at = take(8);
      return Array.from({ length: this.counts.morphs }, (_, i) => {
        this.module.c.vrm_avatar_get_morph_name(this.pointer, i, at);
        return this.module.string(at);
      });
    }));
  }

  /** Creates a VRM of this avatar. */
  createInstance(options) {
    return new Instance(this, options);
  }
}
