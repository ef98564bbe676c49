// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

import { ClipPlayer } from './clip.js';
import { ExpressionManager } from './expression.js';
import { Humanoid } from './humanoid.js';
import { LookAt } from './look_at.js';
import { index, number } from './check.js';
import { VRMError } from './error.js';
import { Owned } from './module.js';
import { layoutOf, offsetOf, read, write } from './struct.js';
import { SpringBoneManager } from './spring.js';

const STATUS = ['inputNotFinite', 'springReset', 'timeClamped', 'degenerate', 'ragdollLost', 'inputClamped'];

/** The arrays of vrm_outputs: [type, member with their count, numbers per element]. */
const ARRAYS = {
  world: [Float32Array, 'nodeCount', 12],
  palette: [Float32Array, 'paletteJointCount', 12],
  morphs: [Float32Array, 'morphCount', 1],
  materials: [Float32Array, 'materialCount', 0],
  expressions: [Float32Array, 'expressionCount', 2],
  meshBoxes: [Float32Array, 'meshCount', 6],
};
const CHANGES = { nodeChanges: 'nodeCount', paletteChanges: 0, morphChanges: 'meshCount', materialChanges: 'materialCount' };

function create(avatar, options) {
  const module = avatar?.module;
  const address = Owned.address(module, avatar, 'vrm_avatar_release', 'an avatar');
  if (options.ragdollBodies) module.needRagdolls();
  return module.made((place) => module.scope((take) => {
    const def = module.params(take, 'vrm_instance_def', options, 'options');
    module.u32[(def + offsetOf('vrm_instance_def', 'avatar')) >> 2] = address;
    return module.c.vrm_instance_create(def, place);
  }));
}

// Engines compile a function of the library when it first runs. That is here, so that no frame waits for it.
function warmUp(module, pointer) {
  if (module.isWarm) return;
  module.isWarm = true;
  module.scope((take) => {
    const place = take(8);
    if (module.c.vrm_instance_clone(pointer, place) !== 0) return;
    const other = module.u32[place >> 2];
    module.c.vrm_update_dt(other, 1 / 60);
    module.c.vrm_instance_destroy(other);
  });
}

/** An avatar that moves: its inputs, its state, and the results of an update for the renderer. */
export class Instance extends Owned {
  #outputs; // a vrm_outputs in the module's memory; its pointers do not change while the instance lives
  #views = {};
  #fresh = false;
  #parts = {};
  #driver = null;

  /** `options`: members of vrm_instance_def, such as hostColliders, springParameters and hairInputs. */
  constructor(avatar, options = {}, pointer = create(avatar, options)) {
    super(avatar.module, pointer, 'vrm_instance_destroy');
    avatar.use(1);
    /** The avatar of this instance. */
    this.avatar = avatar;
    this.options = options;
    const { module } = this;
    const { size } = layoutOf('vrm_outputs');
    this.#outputs = new Owned(module, module.allocate(size), 'free');
    module.u8.fill(0, this.#outputs.pointer, this.#outputs.pointer + size);
    module.u32[this.#outputs.pointer >> 2] = size;
    warmUp(module, pointer);
  }

  /** Frees the instance, and its avatar if nothing else uses it. */
  dispose() {
    if (this.disposed) return;
    this.#driver?.dispose();
    for (const part of Object.values(this.#parts)) part.dispose?.();
    super.dispose();
    this.#outputs.dispose();
    this.#views = {};
    this.avatar.use(-1);
  }

  #part(name, Part) {
    return this.#parts[name] ??= new Part(this);
  }

  /** Advances by `dt` seconds. If `dt` is negative, no time passes. */
  update(dt) {
    number(dt, 'dt');
    if (this.#driver) this.#driver.update(this.pointer, dt);
    else this.module.c.vrm_update_dt(this.pointer, dt);
    this.#fresh = false;
  }

  /** True if a ragdoll runs the instance's frames. @internal */
  get driven() {
    return this.#driver !== null;
  }

  /** Lets a ragdoll run the instance's frames. @internal */
  drive(driver) {
    if (driver && this.#driver) throw new VRMError('ERROR_INVALID_ARGUMENT', 'the VRM has a ragdoll already');
    this.#driver = driver;
  }

  /** Runs an update with options: {dt, stages, springTime: "default" | "reference"}. */
  updateWith(params) {
    if (this.#driver) throw new VRMError('ERROR_INVALID_ARGUMENT', 'a VRM with a ragdoll is updated by update()');
    this.module.scope((take) => this.module.c.vrm_update(this.pointer, this.module.params(take, 'vrm_update_params', params)));
    this.#fresh = false;
  }

  /** Records that a call for several instances has updated this one. @internal */
  updated() {
    this.#fresh = false;
  }

  get meta() {
    return this.avatar.meta;
  }

  get humanoid() {
    return this.#part('humanoid', Humanoid);
  }

  get expressionManager() {
    return this.#part('expressionManager', ExpressionManager);
  }

  get lookAt() {
    return this.#part('lookAt', LookAt);
  }

  get springBoneManager() {
    return this.#part('springBoneManager', SpringBoneManager);
  }

  /** Plays clips in four layers. Created when it is first read. */
  get clips() {
    return this.#part('clips', ClipPlayer);
  }

  // --- where it stands ---

  /** {translation, rotation, scale} of the root in the world. */
  get root() {
    const { scratch } = this.module;
    this.module.c.vrm_instance_get_root(this.pointer, scratch);
    return read(this.module, 'vrm_root', scratch);
  }

  set root(root) {
    this.#place('vrm_instance_set_root', root);
  }

  /** Moves the avatar without moving its hair. */
  teleport(root) {
    this.#place('vrm_instance_teleport', root);
  }

  #place(call, root) {
    const { module } = this;
    module.c.vrm_instance_get_root(this.pointer, module.scratch);
    write(module, 'vrm_root', module.scratch, root, 'root');
    module.check(module.c[call](this.pointer, module.scratch));
  }

  // --- nodes ---

  /** Returns a node's local input transform (node order): {translation, rotation, scale}. */
  getLocal(node) {
    const { module } = this;
    module.check(module.c.vrm_instance_get_local(this.pointer, index(node, this.avatar.counts.nodes, 'node'), module.scratch));
    return read(module, 'vrm_transform', module.scratch);
  }

  /** Sets the given members of a node's input transform. */
  setLocal(node, transform) {
    const { module } = this;
    module.check(module.c.vrm_instance_get_local(this.pointer, index(node, this.avatar.counts.nodes, 'node'), module.scratch));
    write(module, 'vrm_transform', module.scratch, transform, 'transform');
    module.check(module.c.vrm_instance_set_local(this.pointer, node, module.scratch));
  }

  /** Sets a morph weight, which is added to the weight from expressions. */
  setMorph(morph, weight) {
    this.module.check(this.module.c.vrm_instance_set_morph(this.pointer, index(morph, this.avatar.counts.morphs, 'morph'), weight));
  }

  /** Returns to the initial state: rest pose, no inputs, springs at rest, no ragdoll. Clips continue to play. */
  reset() {
    this.#driver?.dispose();
    this.module.c.vrm_instance_reset(this.pointer);
    this.#fresh = false;
    this.#parts.clips?.attach();
    this.#parts.lookAt?.reset();
  }

  // --- results of the last update ---

  // Returns the struct of the outputs; after an update it is read again.
  #struct() {
    if (!this.#fresh || this.disposed) {
      this.module.c.vrm_instance_get_outputs(this.pointer, this.#outputs.pointer);
      this.#fresh = true;
    }
    return this.#outputs.pointer;
  }

  #view(name) {
    const at = this.#struct();
    const { module } = this;
    const last = this.#views[name];
    if (last && last.buffer === module.u8.buffer) return last;
    const { members } = layoutOf('vrm_outputs');
    const number = (member) => module.u32[(at + members[member].at) >> 2];
    let view;
    if (name in ARRAYS) {
      const [Type, counter, width] = ARRAYS[name];
      view = new Type(module.u8.buffer, number(name), number(counter) * (width || layoutOf('vrm_material_values').size / 4));
    } else {
      const count = CHANGES[name] ? number(CHANGES[name]) : this.avatar.counts.palettes;
      view = new Uint32Array(module.u8.buffer, number(name), Math.ceil(count / 32));
    }
    return this.#views[name] = view;
  }

  /**
   * World matrices of all nodes, 3x4 by rows, relative to `origin`. All views are read-only and overwritten by the next
   * update. They are created again when the memory has grown, so read the property again in each frame.
   */
  get world() { return this.#view('world'); }
  /** Skinning matrices of all palettes, one after the other, 3x4 by rows. */
  get palette() { return this.#view('palette'); }
  /** Morph weights of all mesh nodes. */
  get morphs() { return this.#view('morphs'); }
  /** The material values that expressions and time change; materialValues() reads those of one material. */
  get materials() { return this.#view('materials'); }
  /** Pairs of input and applied weight of all expressions. */
  get expressionWeights() { return this.#view('expressions'); }
  /** Boxes of mesh nodes: min x y z, max x y z. */
  get meshBoxes() { return this.#view('meshBoxes'); }
  /** A bit for each node whose matrix has changed: bit i % 32 of word i >> 5. */
  get nodeChanges() { return this.#view('nodeChanges'); }
  get paletteChanges() { return this.#view('paletteChanges'); }
  /** A bit for each mesh node whose morph weights have changed. */
  get morphChanges() { return this.#view('morphChanges'); }
  get materialChanges() { return this.#view('materialChanges'); }

  /** The changing values of a material as an object: colors, uvScale, ... */
  materialValues(material) {
    const before = index(material, this.avatar.counts.materials, 'material') * layoutOf('vrm_material_values').size;
    return read(this.module, 'vrm_material_values', this.materials.byteOffset + before);
  }

  #output(member) {
    return read(this.module, 'vrm_outputs', this.#struct())[member];
  }

  /** The root's translation. Matrices and boxes are relative to it. */
  get origin() {
    const at = (this.#struct() + offsetOf('vrm_outputs', 'origin')) >> 3;
    return Array.from(this.module.f64.subarray(at, at + 3));
  }

  /** The box around all meshes: {min, max}, relative to `origin`. */
  get box() { return this.#output('box'); }
  /** First-person viewpoint: {translation, rotation, scale}, relative to `origin`. */
  get viewpoint() { return this.#output('viewpoint'); }
  /** Angles of the gaze after the last update, radians. */
  get gaze() {
    const { lookYaw, lookPitch } = read(this.module, 'vrm_outputs', this.#struct());
    return { yaw: lookYaw, pitch: lookPitch };
  }

  /** Inputs that updates had to refuse or repair since the last clearStatus(): ["inputNotFinite", ...]. */
  get status() {
    const bits = this.module.c.vrm_instance_get_status(this.pointer);
    return STATUS.filter((_, bit) => bits >> bit & 1);
  }

  clearStatus() {
    this.module.c.vrm_instance_clear_status(this.pointer);
  }

  // --- copies ---

  /**
   * Writes the local transforms of all glTF nodes, 10 numbers each (translation, rotation, scale), into `out` or a new
   * array.
   */
  gltfLocals(out = new Float32Array(10 * this.avatar.counts.nodes)) {
    const { module } = this;
    const count = Math.floor(out.length / 10);
    const at = module.allocate(40 * count);
    try {
      module.check(module.c.vrm_instance_write_gltf_locals(this.pointer, 0, count, at));
      out.set(module.f32.subarray(at >> 2, (at >> 2) + 10 * count));
    } finally {
      module.c.free(at);
    }
    return out;
  }

  /** Returns inputs and state as bytes, for restore(). */
  snapshot() {
    const { module } = this;
    module.check(module.c.vrm_instance_snapshot(this.pointer, 0, this.#sized(0)));
    const size = module.u32[module.scratch >> 2];
    const at = module.allocate(size);
    try {
      module.check(module.c.vrm_instance_snapshot(this.pointer, at, this.#sized(size)));
      return module.copyOut(at, size);
    } finally {
      module.c.free(at);
    }
  }

  #sized(size) {
    this.module.u32[this.module.scratch >> 2] = size;
    return this.module.scratch;
  }

  /** Restores a snapshot of an instance with the same avatar and options. */
  restore(bytes) {
    const { module } = this;
    const at = module.copyIn(bytes);
    try {
      module.check(module.c.vrm_instance_restore(this.pointer, at, bytes.byteLength));
    } finally {
      module.c.free(at);
    }
  }

  /** Returns another instance in the same state. */
  clone() {
    const pointer = this.module.made((place) => this.module.c.vrm_instance_clone(this.pointer, place));
    return new this.constructor(this.avatar, this.options, pointer);
  }
}

/** Updates VRMs of one module by the vrm_update_params that `params(take)` writes. @internal */
export function updateMany(vrms, params) {
  if (vrms.length === 0) return;
  const [{ module }] = vrms;
  const addresses = vrms.map((vrm) => {
    if (vrm.driven) throw new VRMError('ERROR_INVALID_ARGUMENT', 'updateAll() takes no VRMs with ragdolls');
    return Owned.address(module, vrm, 'vrm_instance_destroy', 'a VRM');
  });
  const at = module.allocate(4 * vrms.length);
  try {
    module.u32.set(addresses, at >> 2);
    module.scope((take) => module.c.vrm_update_many(at, vrms.length, params(take), 0));
  } finally {
    if (!module.dead) module.c.free(at);
  }
  for (const vrm of vrms) vrm.updated();
}

/** Updates many avatars of one module in a single call. */
export function updateAll(vrms, dt) {
  updateMany(vrms, (take) => vrms[0].module.params(take, 'vrm_update_params', { dt }));
}
