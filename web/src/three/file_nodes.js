// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

import { makeNode } from './node.js';

const HOOKS = ['loadNode', 'createNodeMesh', 'createNodeAttachment'];
const BUILT_IN = /^(KHR|EXT|MSFT)_/; // these look at a node's mesh and extensions alone

/** The nodes of a file while GLTFLoader reads it: those that are nothing but a place become light ones, at once. */
export class FileNodes {
  #parser;
  #light; // whether each node is one, and all below it
  #made = new Map();
  #loaded = new Map();

  constructor(parser, plugin) {
    this.#parser = parser;
    const nodes = parser.json.nodes ?? [];
    const foreign = Object.values(parser.plugins).some((other) => other !== plugin && !BUILT_IN.test(other.name) && HOOKS.some((hook) => other[hook]));
    // Skins ask for joints in GLTFLoader's own way.
    const shallow = parser._loadNodeShallow;
    const below = new Set(nodes.flatMap(({ children = [] }) => children));
    const order = nodes.map((_, i) => i).filter((i) => !below.has(i));
    for (let at = 0; at < order.length && order.length <= nodes.length; ++at) order.push(...(nodes[order[at]]?.children ?? []));
    // In a file whose nodes are no tree GLTFLoader does as it does.
    const able = !foreign && order.length === nodes.length && typeof shallow === 'function' && typeof parser.createUniqueName === 'function';
    const alone = nodes.map((def) => able && ['mesh', 'camera', 'skin', 'extras', 'extensions'].every((name) => def[name] === undefined));
    this.#light = [...alone];
    for (const i of order.reverse()) this.#light[i] &&= (nodes[i].children ?? []).every((child) => this.#light[child]);
    if (able) parser._loadNodeShallow = (i) => (alone[i] ? Promise.resolve(this.#make(i)) : shallow.call(parser, i));
  }

  #make(index) {
    let node = this.#made.get(index);
    if (!node) {
      const { json, associations } = this.#parser;
      const def = json.nodes[index];
      node = makeNode(def.name ? this.#parser.createUniqueName(def.name) : '', def);
      associations.set(node, { nodes: index });
      this.#made.set(index, node);
    }
    return node;
  }

  #tree(index) {
    if (this.#loaded.has(index)) return this.#loaded.get(index);
    const node = this.#make(index);
    this.#loaded.set(index, node);
    const { children } = this.#parser.json.nodes[index];
    if (children) {
      node.children = children.map((child) => this.#tree(child)); // as long as it must be, where add() takes room for sixteen more
      for (const child of node.children) child.parent = node;
    }
    return node;
  }

  /** A promise of a node with all below it, or null for GLTFLoader to make it. */
  load(index) {
    return this.#light[index] ? Promise.resolve(this.#tree(index)) : null;
  }

  /** A promise of all nodes. */
  all() {
    const { nodes = [] } = this.#parser.json;
    return Promise.all(nodes.map((_, i) => this.#loaded.get(i) ?? this.#parser.getDependency('node', i)));
  }
}
