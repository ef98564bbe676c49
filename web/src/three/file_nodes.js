// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

import { describe, FileMeshes } from './file_meshes.js';
import { fromFile, makeNode } from './node.js';

const HOOKS = ['loadNode', 'createNodeMesh', 'createNodeAttachment', 'loadMesh', 'loadBufferView'];
const BUILT_IN = /^(KHR|EXT|MSFT)_/; // plugins that depend only on a node's mesh and extensions

// Returns true if GLTFLoader would add nothing but a mesh to the node.
const isPlain = ({ camera, extras, extensions }) => camera === undefined && extras?.pivot === undefined &&
  (extensions === undefined || !Object.keys(extensions).some((name) => BUILT_IN.test(name)));

/**
 * The nodes of a file while GLTFLoader reads it. Nodes that have only a transform become light nodes at once. In an
 * ordinary file, so do all nodes and meshes; otherwise GLTFLoader makes the others.
 */
export class FileNodes {
  #parser;
  #meshes;
  #light; // for each node: true if the node and all nodes below it are created here
  #names = new Map();
  #made = new Map();
  #loaded = new Map();
  #read = null;

  constructor(parser, plugin) {
    this.#parser = parser;
    const nodes = parser.json.nodes ?? [];
    const foreign = Object.values(parser.plugins).some((other) => other !== plugin && !BUILT_IN.test(other.name) && HOOKS.some((hook) => other[hook]));
    // Skins request their joints by this private function of GLTFLoader.
    const shallow = parser._loadNodeShallow;
    const below = new Set();
    for (const { children } of nodes) for (const child of children ?? []) below.add(child);
    const order = nodes.map((_, i) => i).filter((i) => !below.has(i));
    for (let at = 0; at < order.length && order.length <= nodes.length; ++at) for (const child of nodes[order[at]]?.children ?? []) order.push(child);
    // Files whose nodes do not form a tree are left to GLTFLoader.
    const able = !foreign && order.length === nodes.length && typeof shallow === 'function' && typeof parser.createUniqueName === 'function';
    const plain = nodes.map(isPlain);
    const meshes = able && plain.every(Boolean) ? new FileMeshes(parser, plugin.mtoonMaterialPlugin) : null;
    this.#meshes = meshes?.able ? meshes : null;
    const alone = nodes.map((def, i) => able && def.mesh === undefined && plain[i]);
    this.#light = [...alone];
    for (const i of order.reverse()) this.#light[i] = this.#meshes !== null || (alone[i] && (nodes[i].children ?? []).every((child) => this.#light[child]));
    if (able) parser._loadNodeShallow = (i) => (alone[i] ? Promise.resolve(this.#make(i)) : shallow.call(parser, i));
  }

  #name(index) {
    if (!this.#names.has(index)) {
      const { name } = this.#parser.json.nodes[index];
      this.#names.set(index, name ? this.#parser.createUniqueName(name) : '');
    }
    return this.#names.get(index);
  }

  // Names the nodes in GLTFLoader's order, before the meshes.
  #nameTree(index) {
    const { nodes, skins } = this.#parser.json;
    const { children = [], skin } = nodes[index];
    this.#name(index);
    for (const child of children) this.#nameTree(child);
    for (const joint of skins?.[skin]?.joints ?? []) this.#name(joint);
  }

  #make(index) {
    let node = this.#made.get(index);
    if (!node) {
      const { json, associations } = this.#parser;
      const def = json.nodes[index];
      const object = def.mesh === undefined ? null : this.#makeMesh(def);
      if (object && !def.isBone) {
        node = object;
        if (def.name) {
          node.name = this.#name(index);
          node.userData.name = def.name;
        }
        fromFile(node, def);
      } else {
        node = makeNode(this.#name(index), def);
        if (object) node.add(object);
      }
      if (def.extras || def.extensions) describe(this.#parser, node, def);
      associations.set(node, { ...associations.get(node), nodes: index });
      this.#made.set(index, node);
    }
    return node;
  }

  #makeMesh({ mesh, skin, weights }) {
    const object = this.#meshes.make(mesh);
    if (weights) object.traverse(({ morphTargetInfluences: influences }) => weights.forEach((weight, i) => { if (influences) influences[i] = weight; }));
    if (skin !== undefined) this.#meshes.bind(object, skin, (joint) => this.#make(joint));
    return object;
  }

  #tree(index) {
    if (this.#loaded.has(index)) return this.#loaded.get(index);
    const node = this.#make(index);
    this.#loaded.set(index, node);
    const { children = [] } = this.#parser.json.nodes[index];
    const made = children.map((child) => this.#tree(child)); // exact length; add() would reserve room for sixteen more
    for (const child of made) child.parent = node;
    if (made.length) node.children = node.children.length ? [...node.children, ...made] : made;
    return node;
  }

  async #whole(index) {
    await (this.#read ??= this.#meshes.read());
    return this.#tree(index);
  }

  /** Returns a promise of a node with all nodes below it, or null if GLTFLoader has to make it. */
  load(index) {
    if (!this.#light[index]) return null;
    if (!this.#meshes) return Promise.resolve(this.#tree(index));
    this.#nameTree(index);
    return this.#whole(index);
  }

  /** True if all nodes and meshes are made here. */
  get complete() {
    return this.#meshes !== null;
  }

  /** Returns all nodes, or a promise of them. */
  all() {
    const { nodes = [] } = this.#parser.json;
    const made = nodes.map((_, i) => this.#loaded.get(i) ?? this.#parser.getDependency('node', i));
    return this.#loaded.size === nodes.length ? made : Promise.all(made);
  }
}
