// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

import { Matrix4, Quaternion, Vector3 } from 'three';
import { layoutOf, numberOf, offsetOf } from '../struct.js';
import { Owned } from '../module.js';
import { LinkedMaterials } from './material.js';
import { linkNodes, linkScene } from './node.js';
import { linkSkeletons } from './skeleton.js';

const HOST = 4; // VRM_EXPRESSION_LAYER_HOST
const place = /* @__PURE__ */ new Vector3();
const turn = /* @__PURE__ */ new Quaternion();
const halfTurn = /* @__PURE__ */ new Quaternion(0, 1, 0, 0);
const size = /* @__PURE__ */ new Vector3();
const [SMALLEST, LARGEST] = [0.01, 100]; // of a root's scale in the library
const matrix = /* @__PURE__ */ new Matrix4();
const whole = /* @__PURE__ */ new Matrix4();

/** Copies a node's transform into ten numbers. Returns true if they have changed. */
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
 * Connects an instance of libvrm with the objects of its file in three. Changes by the program are sent to the library
 * before an update, and results are fetched after it. Vertices do not depend on the nodes: three's bone texture reads the
 * joint matrices in the module's memory. A node fetches its new transform and matrix when the program reads it (node.js).
 */
export class Link {
  #owned = [];
  // Nodes whose transform the program has read: {index, position, quaternion, scale, seen, out}. `seen` has the ten
  // numbers that this link has last seen or written, `out` those that the library has last returned.
  #followed = [];
  #locals;
  #fresh = -1;
  #order; // the library's index of each node of the file
  #byOrder;
  #root = new Matrix4(); // the root in the library
  #placed = new Matrix4(); // the scene's matrix for which it was set
  #update;
  #outputs;
  #gaze;
  #origin; // index of the root's translation in the module's doubles

  /** `vrm`: the instance of the core; the other parameters are those of assemble(). */
  constructor(vrm, parts, options) {
    const { module, avatar } = vrm;
    this.vrm = vrm;
    this.module = module;
    const { nodes, scene } = parts;
    this.nodes = nodes;
    this.scene = scene;
    this.parts = parts;
    this.options = options;
    /** Resources shared with other avatars of the same file; see clone.js. */
    this.shared = null;
    this.residents = new Set();
    /** Number of updates. */
    this.frame = 0;
    /** True for VRM 0.x, which faces -Z. The library rotates its roots by 180 degrees, three-vrm does not. */
    this.turned = avatar.dialect === '0.x';
    this.humanoid = null;
    this.expressions = []; // expressions whose weight a program has set since the last update
    this.joints = [];
    this.combined = null;
    const count = nodes.length;
    this.#locals = this.allocate(40 * count);
    this.#order = Uint32Array.from(nodes, (_, i) => module.c.vrm_avatar_find_gltf_node(avatar.pointer, i));
    this.#byOrder = new Uint32Array(count);
    this.#order.forEach((order, i) => { this.#byOrder[order] = i; });
    const params = this.allocate(layoutOf('vrm_update_params').size);
    module.c.vrm_update_params_default(params, layoutOf('vrm_update_params').size);
    module.u32[(params + offsetOf('vrm_update_params', 'springTime')) >> 2] = numberOf('vrm_spring_time', options.springTime ?? 'default');
    this.#update = { params, dt: (params + offsetOf('vrm_update_params', 'dt')) >> 2, stages: (params + offsetOf('vrm_update_params', 'stages')) >> 2 };
    this.#locate();
    this.meshes = this.#meshes();
    this.skeletons = linkSkeletons(this);
    this.materials = new LinkedMaterials(this);
    this.run(0);
    linkNodes(this);
    linkScene(this);
  }

  /** Allocates bytes in the module's memory, which are freed together with this link. */
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
    this.vrm.dispose();
    for (const owned of this.#owned) owned.dispose();
  }

  /** Releases the resources that clones share. Returns those that the remaining clones still use, or undefined. */
  release() {
    return this.shared?.release(this) ? this.shared : undefined;
  }

  // Finds the instance's outputs, as indices of the module's f32 and u32. They do not move while the instance lives.
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

  /** Returns true if a bit is set in one of the outputs' bit lists of changes. */
  changed(words, bit) {
    return (this.module.u32[words + (bit >> 5)] >>> (bit & 31) & 1) === 1;
  }

  /** Angles of the gaze after the last update, radians: [yaw, pitch]. */
  get gaze() {
    return this.#gaze.map((at) => this.module.f32[at]);
  }

  // Returns the mesh nodes with their objects in three.
  #meshes() {
    const owners = new Set(this.nodes);
    return this.vrm.avatar.meshNodes.map((mesh) => {
      const index = this.#byOrder[mesh.node];
      const node = this.nodes[index];
      const parts = node.isMesh ? [node] : node.children.filter((child) => !owners.has(child)).flatMap((child) => (child.isGroup ? child.children : [child]));
      const primitives = parts.filter(({ isMesh }) => isMesh);
      return { ...mesh, gltfNode: index, object: node, own: primitives, primitives: [...primitives], last: new Float32Array(mesh.morphCount), place: new Float64Array(17).fill(NaN), frame: -1 };
    });
  }

  /** Adds an object that belongs to the avatar to a node. The walk before a picture does not visit it. */
  house(node, object) {
    node.add(object);
    this.residents.add(object);
    const other = this.others.find((entry) => entry.node === node);
    if (other) ++other.count;
  }

  /** Returns true if an object belongs to the avatar. */
  isResident(object) {
    return object._link === this || this.residents.has(object);
  }

  /** Adds another object that shows the same mesh. */
  adopt(mesh, made) {
    const { primitives } = this.meshes.find((entry) => entry.primitives.includes(mesh));
    primitives.push(made);
    made.updateMatrixWorld = () => {}; // its matrix is set together with those of the other primitives
    for (let i = 0; i < (made.morphTargetInfluences?.length ?? 0); ++i) made.morphTargetInfluences[i] = mesh.morphTargetInfluences[i];
  }

  /** Returns the index in the file of a node. */
  indexOf(node) {
    return node._link === this ? node._index : this.nodes.indexOf(node);
  }

  /** Returns a function that returns the present transforms of these bones: {head: {position, rotation}}. */
  restOf(humanBones) {
    const { module, nodes } = this;
    module.c.vrm_instance_write_gltf_locals(this.vrm.pointer, 0, nodes.length, this.#locals);
    const names = Object.keys(humanBones);
    const numbers = new Float32Array(7 * names.length);
    names.forEach((bone, i) => {
      const at = (this.#locals >> 2) + 10 * this.indexOf(humanBones[bone].node);
      numbers.set(module.f32.subarray(at, at + 7), 7 * i);
    });
    return () => Object.fromEntries(names.map((bone, i) =>
      [bone, { position: [...numbers.subarray(7 * i, 7 * i + 3)], rotation: [...numbers.subarray(7 * i + 3, 7 * i + 7)] }]));
  }

  /** Returns three's node for an index in the library's node order. */
  nodeByOrder(order) {
    return this.nodes[this.#byOrder[order]];
  }

  // --- in ------------------------------------------------------------------------------------------------------------------

  #setLocal({ index, seen }) {
    const { module } = this;
    module.f32.set(seen, module.scratch >> 2);
    return module.c.vrm_instance_set_local(this.vrm.pointer, this.#order[index], module.scratch);
  }

  // Keeps a record of a node's ten numbers, and updates the node from now on.
  #follow(index, { position, quaternion, scale }) {
    const entry = { index, position, quaternion, scale, seen: new Float64Array(10), out: null, movable: true };
    take(entry.seen, 0, position, quaternion, scale);
    entry.out = Float32Array.from(entry.seen);
    this.#followed.push(entry);
    return entry;
  }

  /** Follows a node that GLTFLoader has made. It has the file's values and receives the changes of an update. */
  followOther(index, object) {
    this.#follow(index, object);
    this.#fresh = -1;
  }

  /** Sets an object's transform to that of its node, and updates it from now on. */
  follow(index, whole) {
    if (this.disposed) return;
    const entry = this.#follow(index, whole);
    this.module.c.vrm_instance_write_gltf_locals(this.vrm.pointer, index, 1, this.#locals);
    this.#show(entry, this.#locals >> 2);
  }

  // Sends the transforms that a program has changed to the library. Returns true if there were any.
  #pushNodes() {
    const { humanoid } = this;
    const driven = humanoid?._driven;
    let found = false;
    for (const entry of this.#followed) {
      if (!entry.movable || !take(entry.seen, 0, entry.position, entry.quaternion, entry.scale)) continue;
      // A node of a spring chain accepts only its rest transform.
      if (this.#setLocal(entry) !== 0) {
        entry.movable = false;
        continue;
      }
      found = true;
      // From the next update on, a node that the normalized humanoid drives is driven again.
      if (driven?.has(entry.index)) {
        humanoid._overrule(entry.index);
        entry.out[3] = NaN;
      }
    }
    return found;
  }

  /** Sends the program's changes since the last update to the library. */
  push() {
    const { module, vrm, humanoid } = this;
    this.#pushNodes();
    if (humanoid?.autoUpdateHumanBones) humanoid._push(this);
    for (const expression of this.expressions) {
      expression._waits = false;
      module.c.vrm_instance_set_expression(vrm.pointer, HOST, expression._index, expression.weight);
    }
    this.expressions.length = 0;
    for (const joint of this.joints) joint._push(this);
    this.#pushRoot();
  }

  /**
   * Applies, before drawing, the program's changes of bones since the update without advancing time, as three-vrm does.
   */
  settle() {
    if (this.disposed || !this.#pushNodes()) return;
    this.module.c.vrm_update(this.vrm.pointer, this.params(0, 255));
    this.pull(0);
  }

  // Places the root like the scene. The library accepts no mirrored, uneven, very small or very large scale, and no NaN.
  // It then gets the nearest root that it accepts, or keeps the last one, and worldOf() adds the rest.
  #pushRoot() {
    const { module, scene: { matrixWorld } } = this;
    this.scene.updateWorldMatrix(true, false);
    if (this.#placed.equals(matrixWorld) && this.frame > 0) return;
    this.#placed.copy(matrixWorld);
    matrixWorld.decompose(place, turn, size);
    const scale = Math.min(Math.max(Math.abs(size.x), SMALLEST), LARGEST);
    const isPlain = matrixWorld.determinant() > 0 && scale === size.x && Math.abs(size.y - scale) + Math.abs(size.z - scale) < 1e-4 * scale;
    const root = isPlain ? matrixWorld : whole.compose(place, turn, size.setScalar(scale));
    if (this.turned) turn.multiply(halfTurn);
    const { members } = layoutOf('vrm_root');
    const at = module.scratch;
    place.toArray(module.f64, (at + members.translation.at) >> 3);
    turn.toArray(module.f32, (at + members.rotation.at) >> 2);
    module.f32[(at + members.scale.at) >> 2] = scale;
    if (module.c.vrm_instance_set_root(this.vrm.pointer, at) === 0) this.#root.copy(root);
  }

  // --- the update ----------------------------------------------------------------------------------------------------------

  /** Writes the parameters of the C update and returns their address. */
  params(dt, stages) {
    const { f32, u32 } = this.module;
    f32[this.#update.dt] = dt;
    u32[this.#update.stages] = stages;
    return this.#update.params;
  }

  /** Runs an update of all stages, or of the given ones. */
  run(dt, stages = 255) {
    if (this.disposed) return;
    this.push();
    if (this.vrm.driven && stages === 255) this.vrm.update(dt); // by its ragdoll
    else this.module.c.vrm_update(this.vrm.pointer, this.params(dt, stages));
    this.pull(dt);
  }

  // --- out -----------------------------------------------------------------------------------------------------------------

  /** Fetches the results of the update, except those of the nodes, which are fetched when they are read. */
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

  // Writes those of a node's ten numbers that have changed in the library into the node.
  #show({ position: p, quaternion: q, scale: s, seen, out }, at) {
    const { f32 } = this.module;
    let changed = false;
    for (let j = 0; j < 10; ++j) if (f32[at + j] !== out[j]) { changed = true; break; }
    if (!changed) return;
    if (f32[at] !== out[0] || f32[at + 1] !== out[1] || f32[at + 2] !== out[2]) p.set(f32[at], f32[at + 1], f32[at + 2]);
    q.set(f32[at + 3], f32[at + 4], f32[at + 5], f32[at + 6]);
    if (f32[at + 7] !== out[7] || f32[at + 8] !== out[8] || f32[at + 9] !== out[9]) s.set(f32[at + 7], f32[at + 8], f32[at + 9]);
    for (let j = 0; j < 10; ++j) out[j] = f32[at + j];
    take(seen, 0, p, q, s);
  }

  /** Writes the local transforms of the followed nodes, once after each update. */
  pullNodes() {
    if (this.#fresh === this.frame || this.disposed) return; // after the disposal, nodes keep their values
    this.#fresh = this.frame;
    const { module, vrm } = this;
    const write = module.c.vrm_instance_write_gltf_locals;
    if (this.#followed.length > 16) {
      write(vrm.pointer, 0, this.nodes.length, this.#locals);
      for (const entry of this.#followed) this.#show(entry, (this.#locals >> 2) + 10 * entry.index);
      return;
    }
    for (const entry of this.#followed) {
      write(vrm.pointer, entry.index, 1, this.#locals);
      this.#show(entry, this.#locals >> 2);
    }
  }

  /** Returns true if a mesh's node has moved since the last call, or if the mesh has a new object. */
  hasMoved(mesh) {
    const { f32, f64 } = this.module;
    const { place, primitives } = mesh;
    const order = this.#order[mesh.gltfNode];
    const at = this.at.world + 12 * order;
    let same = place[15] === this.moved && place[16] === primitives.length;
    for (let i = 0; i < 3; ++i) same &&= place[12 + i] === f64[this.#origin + i];
    // Its matrix need not be compared if this was asked after the last update, too, and the update says that it is the same.
    const known = mesh.frame === this.frame || (mesh.frame === this.frame - 1 && !this.changed(this.at.nodeChanges, order));
    for (let i = 0; !known && i < 12; ++i) same &&= place[i] === f32[at + i];
    mesh.frame = this.frame;
    if (same) return false;
    for (let i = 0; i < 12; ++i) place[i] = f32[at + i];
    for (let i = 0; i < 3; ++i) place[12 + i] = f64[this.#origin + i];
    place[15] = this.moved;
    place[16] = primitives.length;
    return true;
  }

  /** Returns the world position of a node of the file. */
  placeOf(node, target) {
    return target.setFromMatrixPosition(this.worldOf(this.indexOf(node), whole));
  }

  /** Whether the scene is where the library placed the root in the last update. */
  get isPlaced() {
    return this.#root.equals(this.scene.matrixWorld);
  }

  /** Writes a node's world matrix of the last update, corrected by the movement of the scene since then. */
  worldOf(index, target, now = true) {
    const { f32, f64 } = this.module;
    const at = this.at.world + 12 * this.#order[index];
    target.set(f32[at], f32[at + 1], f32[at + 2], f32[at + 3] + f64[this.#origin], f32[at + 4], f32[at + 5], f32[at + 6],
      f32[at + 7] + f64[this.#origin + 1], f32[at + 8], f32[at + 9], f32[at + 10], f32[at + 11] + f64[this.#origin + 2], 0, 0, 0, 1);
    if (now && !this.isPlaced) target.premultiply(matrix.copy(this.#root).invert().premultiply(this.scene.matrixWorld));
    return target;
  }
}
