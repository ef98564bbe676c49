// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

import { Matrix4, Quaternion, Vector3 } from 'three';
import { layoutOf, numberOf, offsetOf } from '../struct.js';
import { Owned } from '../module.js';
import { linkMaterials } from './material.js';
import { linkNodes, linkScene } from './node.js';
import { linkSkeletons } from './skeleton.js';

const HOST = 4; // VRM_EXPRESSION_LAYER_HOST
const place = /* @__PURE__ */ new Vector3();
const turn = /* @__PURE__ */ new Quaternion();
const halfTurn = /* @__PURE__ */ new Quaternion(0, 1, 0, 0);
const size = /* @__PURE__ */ new Vector3();
const matrix = /* @__PURE__ */ new Matrix4();

/** Whether ten numbers are those of a node's transform, and makes them so. */
function take(known, at, p, q, s) {
  if (known[at] === p.x && known[at + 1] === p.y && known[at + 2] === p.z && known[at + 3] === q.x && known[at + 4] === q.y &&
    known[at + 5] === q.z && known[at + 6] === q.w && known[at + 7] === s.x && known[at + 8] === s.y && known[at + 9] === s.z) {
    return false;
  }
  known[at] = p.x;
  known[at + 1] = p.y;
  known[at + 2] = p.z;
  known[at + 3] = q.x;
  known[at + 4] = q.y;
  known[at + 5] = q.z;
  known[at + 6] = q.w;
  known[at + 7] = s.x;
  known[at + 8] = s.y;
  known[at + 9] = s.z;
  return true;
}

/**
 * What ties an instance of libvrm to the objects that GLTFLoader has made: what a program has changed in them goes in before an
 * update, and what the update says comes out.
 *
 * Vertices never wait for the nodes: their matrices lie in the module's memory, where three's texture reads them. A node takes
 * its new transform and matrix when it is looked at (node.js).
 */
export class Link {
  #owned = [];
  #seen; // transforms of the nodes as this link has last seen or written them, 10 numbers each, by glTF index
  #out; // and as the library has last said them
  #locals;
  #fresh = -1;
  #order; // the library's number of each node of the file
  #byOrder;
  #movable = [];
  #root = new Matrix4();
  #update;
  #outputs;
  #gaze;
  #origin; // place of the root's translation in the module's doubles

  /** `vrm`: the core's instance, `nodes`: three's objects by glTF index, `gltf`: what GLTFLoader gives. */
  constructor(vrm, nodes, gltf, { springTime = 'default' } = {}) {
    const { module, avatar } = vrm;
    this.vrm = vrm;
    this.module = module;
    this.nodes = nodes;
    this.scene = gltf.scene;
    this.gltf = gltf;
    /** Counts updates. */
    this.frame = 0;
    /** VRM 0.x faces -Z: the library puts half a turn above its roots, three-vrm does not. */
    this.turned = avatar.dialect === '0.x';
    this.humanoid = null;
    this.expressions = [];
    this.joints = [];
    this.combined = null;
    const count = nodes.length;
    this.positions = nodes.map((node) => node.position);
    this.quaternions = nodes.map((node) => node.quaternion);
    this.scales = nodes.map((node) => node.scale);
    this.#seen = new Float64Array(10 * count);
    this.#locals = this.allocate(40 * count);
    this.#order = Uint32Array.from(nodes, (_, i) => module.c.vrm_avatar_find_gltf_node(avatar.pointer, i));
    this.#byOrder = new Uint32Array(count);
    this.#order.forEach((order, i) => { this.#byOrder[order] = i; });
    this.#probe();
    for (let i = 0; i < count; ++i) take(this.#seen, 10 * i, this.positions[i], this.quaternions[i], this.scales[i]);
    const params = this.allocate(layoutOf('vrm_update_params').size);
    module.c.vrm_update_params_default(params, layoutOf('vrm_update_params').size);
    module.u32[(params + offsetOf('vrm_update_params', 'springTime')) >> 2] = numberOf('vrm_spring_time', springTime);
    this.#update = { params, dt: (params + offsetOf('vrm_update_params', 'dt')) >> 2, stages: (params + offsetOf('vrm_update_params', 'stages')) >> 2 };
    this.#locate();
    this.meshes = this.#meshes();
    this.skeletons = linkSkeletons(this);
    this.materials = linkMaterials(this);
    this.run(0);
    this.#out = Float32Array.from(this.#seen); // what the update has moved at once comes out with the first look
    linkNodes(this);
    linkScene(this);
  }

  /** Bytes in the module's memory that live as long as this link. */
  allocate(bytes) {
    const owned = new Owned(this.module, this.module.allocate(bytes), 'free');
    this.module.u8.fill(0, owned.pointer, owned.pointer + bytes);
    this.#owned.push(owned);
    return owned.pointer;
  }

  get disposed() {
    return this.vrm.disposed;
  }

  dispose() {
    this.#fresh = this.frame;
    this.vrm.dispose();
    for (const owned of this.#owned) owned.dispose();
  }

  // Where the instance's outputs lie, as indices of the module's f32 and u32; they stay there as long as it lives.
  #locate() {
    const { module } = this;
    const { size, members } = layoutOf('vrm_outputs');
    this.#outputs = this.allocate(size);
    module.u32[this.#outputs >> 2] = size;
    module.c.vrm_instance_get_outputs(this.vrm.pointer, this.#outputs);
    const pointer = (name) => module.u32[(this.#outputs + members[name].at) >> 2] >> 2;
    this.at = Object.fromEntries(['world', 'morphs', 'materials', 'expressions', 'nodeChanges', 'paletteChanges', 'morphChanges',
      'materialChanges'].map((name) => [name, pointer(name)]));
    this.#origin = (this.#outputs + members.origin.at) >> 3;
    this.#gaze = [(this.#outputs + members.lookYaw.at) >> 2, (this.#outputs + members.lookPitch.at) >> 2];
  }

  /** Whether a bit of one of the outputs' changes is set. */
  changed(words, bit) {
    return (this.module.u32[words + (bit >> 5)] >>> (bit & 31) & 1) === 1;
  }

  /** Angles of the gaze as it shows, radians: [yaw, pitch]. */
  get gaze() {
    return this.#gaze.map((at) => this.module.f32[at]);
  }

  // Nodes that a host may move: hair takes its rest transform alone.
  #probe() {
    const { module, vrm } = this;
    const { c, scratch } = module;
    for (let i = 0; i < this.nodes.length; ++i) {
      module.f32.fill(2, scratch >> 2, (scratch >> 2) + 3);
      if (c.vrm_instance_set_scale(vrm.pointer, this.#order[i], scratch) === 0) this.#movable.push(i);
    }
    c.vrm_instance_reset_pose(vrm.pointer);
  }

  // Mesh nodes with what three has of them.
  #meshes() {
    const owners = new Set(this.nodes);
    return this.vrm.avatar.meshNodes.map((mesh) => {
      const index = this.#byOrder[mesh.node];
      const node = this.nodes[index];
      const primitives = node.isMesh ? [node] : node.children.filter((child) => child.isMesh && !owners.has(child));
      return { ...mesh, gltfNode: index, object: node, primitives, last: new Float32Array(mesh.morphCount) };
    });
  }

  /** Adds an object of the avatar's own to a node, which the walk before a picture need not visit. */
  house(node, object) {
    node.add(object);
    this.residents.add(object);
    const index = this.nodes.indexOf(node);
    if (index >= 0) ++this.counts[index];
  }

  /** Another object that shows what a mesh shows. */
  adopt(mesh, made) {
    const { primitives } = this.meshes.find((entry) => entry.primitives.includes(mesh));
    primitives.push(made);
    made.updateMatrixWorld = () => {}; // its place is that of the others
    for (let i = 0; i < (made.morphTargetInfluences?.length ?? 0); ++i) made.morphTargetInfluences[i] = mesh.morphTargetInfluences[i];
  }

  /** Node of three by the library's node order. */
  nodeByOrder(order) {
    return this.nodes[this.#byOrder[order]];
  }

  // --- in ------------------------------------------------------------------------------------------------------------------

  #setLocal(i) {
    const { module } = this;
    const at = module.scratch >> 2;
    for (let k = 0; k < 10; ++k) module.f32[at + k] = this.#seen[10 * i + k];
    module.c.vrm_instance_set_local(this.vrm.pointer, this.#order[i], module.scratch);
  }

  // What a program has written into nodes; whether there was anything.
  #pushNodes() {
    const driven = this.humanoid?._driven;
    let found = false;
    for (const i of this.#movable) {
      if (!take(this.#seen, 10 * i, this.positions[i], this.quaternions[i], this.scales[i])) continue;
      found = true;
      this.#setLocal(i);
      // What is driven by the normalized humanoid is so again from the next update on.
      if (driven?.has(i)) {
        driven.get(i).stale = true;
        this.#out[10 * i + 3] = NaN;
      }
    }
    return found;
  }

  /** Hands over what a program has changed since the last update. */
  push() {
    const { module, vrm, humanoid } = this;
    this.#pushNodes();
    if (humanoid?.autoUpdateHumanBones) humanoid._push(this);
    for (const expression of this.expressions) {
      if (expression.weight === expression._sent) continue;
      expression._sent = expression.weight;
      module.c.vrm_instance_set_expression(vrm.pointer, HOST, expression._index, expression.weight);
    }
    for (const joint of this.joints) joint._push(this);
    this.#pushRoot();
  }

  /** Before drawing: bones that were moved since the update are so in the picture, as in three-vrm, without time going on. */
  settle() {
    if (this.disposed || !this.#pushNodes()) return;
    this.module.c.vrm_update(this.vrm.pointer, this.params(0, 255));
    this.pull(0);
  }

  #pushRoot() {
    const { module, scene } = this;
    scene.updateWorldMatrix(true, false);
    if (this.#root.equals(scene.matrixWorld) && this.frame > 0) return;
    this.#root.copy(scene.matrixWorld);
    this.#root.decompose(place, turn, size);
    if (this.turned) turn.multiply(halfTurn);
    const { members } = layoutOf('vrm_root');
    const at = module.scratch;
    place.toArray(module.f64, (at + members.translation.at) >> 3);
    turn.toArray(module.f32, (at + members.rotation.at) >> 2);
    module.f32[(at + members.scale.at) >> 2] = size.x;
    module.check(module.c.vrm_instance_set_root(this.vrm.pointer, at));
  }

  // --- the update ----------------------------------------------------------------------------------------------------------

  /** Parameters of the C update in memory. */
  params(dt, stages) {
    const { f32, u32 } = this.module;
    f32[this.#update.dt] = dt;
    u32[this.#update.stages] = stages;
    return this.#update.params;
  }

  /** One update of all stages, or of some. */
  run(dt, stages = 255) {
    if (this.disposed) return;
    this.push();
    this.module.c.vrm_update(this.vrm.pointer, this.params(dt, stages));
    this.pull(dt);
  }

  // --- out -----------------------------------------------------------------------------------------------------------------

  /** Hands on what the update has said, but for the nodes, which are read when they are looked at. */
  pull(dt) {
    this.vrm.updated();
    this.module.c.vrm_instance_get_outputs(this.vrm.pointer, this.#outputs);
    ++this.frame;
    for (const skeleton of this.skeletons) skeleton.pull();
    this.#pullMorphs();
    this.materials.pull(dt);
  }

  #pullMorphs() {
    const { f32 } = this.module;
    for (let m = 0; m < this.meshes.length; ++m) {
      const { firstMorph, last, primitives } = this.meshes[m];
      if (last.length === 0 || !this.changed(this.at.morphChanges, m)) continue;
      const first = this.at.morphs + firstMorph;
      for (let i = 0; i < last.length; ++i) {
        const value = f32[first + i];
        if (value === last[i]) continue;
        last[i] = value;
        for (const mesh of primitives) if (!this.combined?.has(mesh)) mesh.morphTargetInfluences[i] = value;
      }
    }
    if (!this.combined) return;
    for (const [mesh, expressions] of this.combined) {
      for (let i = 0; i < expressions.length; ++i) mesh.morphTargetInfluences[i] = f32[this.at.expressions + 2 * expressions[i] + 1];
    }
  }

  #readLocals() {
    const { module, nodes } = this;
    module.c.vrm_instance_write_gltf_locals(this.vrm.pointer, 0, nodes.length, this.#locals);
    const at = this.#locals >> 2;
    return module.f32.subarray(at, at + 10 * nodes.length);
  }

  /** Whether the nodes are as the last update has left them. */
  get isFresh() {
    return this.#fresh === this.frame;
  }

  /** Gives all nodes their local transforms, once an update. */
  pullNodes() {
    if (this.#fresh === this.frame || !this.#out) return;
    this.#fresh = this.frame;
    const now = this.#readLocals();
    const last = this.#out;
    const seen = this.#seen;
    for (let i = 0, k = 0; i < this.nodes.length; ++i, k += 10) {
      let changed = false;
      for (let j = 0; j < 10; ++j) if (now[k + j] !== last[k + j]) { changed = true; break; }
      if (!changed) continue;
      const p = this.positions[i], q = this.quaternions[i], s = this.scales[i];
      if (now[k] !== last[k] || now[k + 1] !== last[k + 1] || now[k + 2] !== last[k + 2]) p.set(now[k], now[k + 1], now[k + 2]);
      q.set(now[k + 3], now[k + 4], now[k + 5], now[k + 6]);
      if (now[k + 7] !== last[k + 7] || now[k + 8] !== last[k + 8] || now[k + 9] !== last[k + 9]) s.set(now[k + 7], now[k + 8], now[k + 9]);
      last.set(now.subarray(k, k + 10), k);
      take(seen, k, p, q, s);
    }
  }

  /** Writes a node's world matrix as the last update has it, and carried along with the scene where that has moved since. */
  worldOf(index, target, now = true) {
    const { f32: world, f64 } = this.module;
    const at = this.at.world + 12 * this.#order[index];
    target.set(world[at], world[at + 1], world[at + 2], world[at + 3] + f64[this.#origin], world[at + 4], world[at + 5], world[at + 6],
      world[at + 7] + f64[this.#origin + 1], world[at + 8], world[at + 9], world[at + 10], world[at + 11] + f64[this.#origin + 2], 0, 0, 0, 1);
    if (now && !this.#root.equals(this.scene.matrixWorld)) target.premultiply(matrix.copy(this.#root).invert().premultiply(this.scene.matrixWorld));
  }
}
