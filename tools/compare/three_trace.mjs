// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Runs a trace script (docs/trace.md) with three-vrm in Node and returns the trace as an object.
//
// Departures of three-vrm from the specification are patched here, one by one, each with the reason. Departures that
// cannot be patched are excluded by name in compare.mjs. No departure is hidden by a wider tolerance.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as THREE from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { VRMLoaderPlugin, VRMLookAtBoneApplier } from '@pixiv/three-vrm';

globalThis.self ??= globalThis;
globalThis.ProgressEvent ??= class { constructor(type, init) { Object.assign(this, { type }, init); } };

const quiet = ['log', 'warn', 'error', 'info'];

/** Returns the file's bytes. A .gltf gets its other files as data URIs, because Node's fetch cannot read paths. */
export function readModel(path) {
  const file = readFileSync(path);
  if (!path.endsWith('.gltf')) {
    return file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength);
  }
  const json = JSON.parse(file);
  for (const buffer of json.buffers ?? []) {
    if (buffer.uri && !buffer.uri.startsWith('data:')) {
      const data = readFileSync(join(dirname(path), decodeURIComponent(buffer.uri)));
      buffer.uri = `data:application/octet-stream;base64,${data.toString('base64')}`;
    }
  }
  return JSON.stringify(json);
}

/** Extended colliders: three-vrm throws without a base shape and ignores them without specVersion; libvrm reads both. */
function completeColliders(json) {
  for (const collider of json.extensions?.VRMC_springBone?.colliders ?? []) {
    const extended = collider.extensions?.VRMC_springBone_extended_collider;
    if (extended) {
      extended.specVersion ??= '1.0';
      collider.shape ??= { sphere: { offset: [0, -10000, 0], radius: 0 } };
    }
  }
}

/** Loads a model without DOM: textures are empty objects, geometry and extensions are real. */
export async function loadThree(path, mode, Plugin = VRMLoaderPlugin, { patched = true, ...options } = {}) {
  const saved = quiet.map((name) => console[name]);
  quiet.forEach((name) => { console[name] = () => {}; });
  try {
    const loader = new GLTFLoader();
    // Creates a texture without an image. The loader still sets colour space, channel and transform.
    loader.register((parser) => {
      parser.loadTextureImage = (index) => {
        const texture = new THREE.Texture();
        texture.flipY = false;
        parser.associations.set(texture, { textures: index });
        return Promise.resolve(texture);
      };
      return { name: 'NO_IMAGES' };
    });
    if (patched) {
      loader.register((parser) => ({ name: 'COMPLETE_COLLIDERS', beforeRoot: async () => completeColliders(parser.json) }));
    }
    loader.register((parser) => new Plugin(parser, { autoUpdateHumanBones: mode === 'normalized', ...options }));
    const gltf = await loader.parseAsync(readModel(path), '');
    const vrm = gltf.userData.vrm ?? {
      // A plain glTF has only springs and node constraints.
      springBoneManager: gltf.userData.vrmSpringBoneManager,
      nodeConstraintManager: gltf.userData.vrmNodeConstraintManager,
      update(dt) {
        this.nodeConstraintManager?.update();
        this.springBoneManager?.update(dt);
      },
    };
    return { gltf, vrm, nodes: await gltf.parser.getDependencies('node'), json: gltf.parser.json };
  } finally {
    quiet.forEach((name, i) => { console[name] = saved[i]; });
  }
}

// --- patches -------------------------------------------------------------------------------------------------------

/**
 * VRM 0.x: orders joints as chains along first children, in the order of the groups' bones. three-vrm has a joint for
 * every node.
 */
function springJoints0(model, byNode, patched) {
  const { nodes, json } = model;
  const order = [];
  for (const group of json.extensions.VRM.secondaryAnimation?.boneGroups ?? []) {
    for (const root of group.bones ?? []) {
      const starts = [root];
      while (starts.length > 0) {
        const later = [];
        for (let node = starts.shift(); node !== undefined; node = json.nodes[node].children?.[0]) {
          const joint = byNode.get(nodes[node]);
          if (joint) {
            order.push(joint);
            // Gravity: it is left-handed like every vector of VRM 0.x, but three-vrm uses z unchanged.
            const { x, y, z } = group.gravityDir ?? { x: 0, y: -1, z: 0 };
            if (patched) joint.settings.gravityDir = new THREE.Vector3(x, y, -z);
          }
          later.unshift(...(json.nodes[node].children ?? []).slice(1));
        }
        starts.unshift(...later);
      }
    }
  }
  return order;
}

/** VRM 0.x: three-vrm ignores the curves of look-at. They are cubic Hermite curves between keys, as in Unity. */
function patchCurves(model) {
  const first = model.json.extensions?.VRM?.firstPerson;
  const applier = model.vrm.lookAt?.applier;
  if (!first || !applier) return;
  for (const direction of ['HorizontalInner', 'HorizontalOuter', 'VerticalDown', 'VerticalUp']) {
    const { curve } = first[`lookAt${direction}`] ?? {};
    if (!curve || curve.length % 4 !== 0) continue;
    const keys = curve.reduce((list, value, i) => (i % 4 === 0 ? [...list, [value]] : (list.at(-1).push(value), list)), []);
    applier[`rangeMap${direction}`].map = function (source) {
      const x = Math.min(Math.max(source, 0), this.inputMaxValue) / this.inputMaxValue;
      const next = keys.findIndex(([time]) => time > x);
      if (next === 0) return keys[0][1] * this.outputScale;
      if (next < 0) return keys.at(-1)[1] * this.outputScale;
      const [[t0, v0, , m0], [t1, v1, m1]] = [keys[next - 1], keys[next]];
      const d = t1 - t0;
      const t = (x - t0) / d;
      const value = (2 * t ** 3 - 3 * t ** 2 + 1) * v0 + (t ** 3 - 2 * t ** 2 + t) * m0 * d
        + (3 * t ** 2 - 2 * t ** 3) * v1 + (t ** 3 - t ** 2) * m1 * d;
      return value * this.outputScale;
    };
  }
}

/** Returns the spring joints in the order of the file. `patched`: with the patches that make them follow the specification. */
function springJoints(model, patched) {
  const manager = model.vrm.springBoneManager;
  if (!manager) {
    return [];
  }
  const order = [];
  const springs = model.json.extensions?.VRMC_springBone?.springs ?? [];
  const byNode = new Map([...manager.joints].map((joint) => [joint.bone, joint]));
  if (model.json.extensions?.VRM) order.push(...springJoints0(model, byNode, patched));
  for (const spring of springs) {
    for (let i = 0; i + 1 < spring.joints.length; ++i) {
      const joint = byNode.get(model.nodes[spring.joints[i].node]);
      const tail = model.nodes[spring.joints[i + 1].node];
      if (joint && joint.child === tail) {
        order.push(joint);
        if (patched && spring.joints[i].dragForce === undefined) {
          joint.settings.dragForce = 0.5; // the schema's default; three-vrm uses 0.4
        }
      }
    }
  }
  if (!patched) {
    return order;
  }
  for (const { shape } of manager.colliders) {
    // Radius: it grows with the scale of the collider's node, as in UniVRM, but three-vrm does not scale it.
    const plain = shape.calculateCollision;
    shape.calculateCollision = function (matrix, ...rest) {
      const { radius } = this;
      this.radius = radius * matrix.getMaxScaleOnAxis();
      const distance = plain.call(this, matrix, ...rest);
      this.radius = radius;
      return distance;
    };
  }
  for (const joint of order) {
    // Bone axis: three-vrm uses the tail node's own local position. If joints are skipped between head and tail, this
    // position is not in the head's space.
    const setInitState = joint.setInitState;
    joint.setInitState = function () {
      const { child } = this;
      if (child && child.parent !== this.bone) {
        child.updateWorldMatrix(true, false);
        const position = new THREE.Vector3().setFromMatrixPosition(child.matrixWorld);
        this.child = { position: this.bone.worldToLocal(position) };
      }
      setInitState.call(this);
      this.child = child;
    };
    // Bone length: three-vrm uses the tail's world matrix from before this frame's rotation of the parent, so bones
    // stretch while their parent moves. The patch transforms the rest offset by the bone's current matrix.
    joint._calcWorldSpaceBoneLength = function () {
      const head = new THREE.Vector3().setFromMatrixPosition(this.bone.matrixWorld);
      const tail = this.initialLocalChildPosition.clone().applyMatrix4(this.bone.matrixWorld);
      this._worldSpaceBoneLength = head.sub(tail).length();
    };
  }
  return order;
}

/** Bone look-at: three-vrm maps up through rangeMapVerticalDown and down through rangeMapVerticalUp. */
function patchLookAt(vrm) {
  const applier = vrm.lookAt?.applier;
  if (applier instanceof VRMLookAtBoneApplier) {
    [applier.rangeMapVerticalDown, applier.rangeMapVerticalUp] =
      [applier.rangeMapVerticalUp, applier.rangeMapVerticalDown];
  }
}

/** Bone gaze: three-vrm does not let overrideLookAt damp it (UniVRM and libvrm do). */
function patchGazeOverride(vrm) {
  const applier = vrm.lookAt?.applier;
  if (applier instanceof VRMLookAtBoneApplier && vrm.expressionManager) {
    const apply = applier.applyYawPitch;
    applier.applyYawPitch = function (yaw, pitch) {
      const part = vrm.expressionManager._calculateWeightMultipliers().lookAt;
      apply.call(this, yaw * part, pitch * part);
    };
  }
}

/** Overrides: three-vrm does not exempt expressions of the overridden kind itself (VRMC_vrm-1.0 expressions). */
function patchExpressions(vrm) {
  const manager = vrm.expressionManager;
  if (!manager) {
    return;
  }
  const kinds = { blink: 'Blink', lookAt: 'LookAt', mouth: 'Mouth' };
  manager._calculateWeightMultipliers = function () {
    const result = {};
    for (const [kind, Kind] of Object.entries(kinds)) {
      const own = this[`${kind}ExpressionNames`];
      const sum = this.expressions
        .filter((e) => !own.includes(e.expressionName))
        .reduce((total, e) => total + e[`override${Kind}Amount`], 0);
      result[kind] = Math.max(0, 1 - sum);
    }
    return result;
  };
}

// --- events --------------------------------------------------------------------------------------------------------

function boneNode(state, bone) {
  const humanoid = state.model.vrm.humanoid;
  const node = state.script.mode === 'normalized' ? humanoid.getNormalizedBoneNode(bone) : humanoid.getRawBoneNode(bone);
  if (!node) {
    throw new Error(`no bone ${bone}`);
  }
  return node;
}

const setQuaternion = (node, q) => node.quaternion.set(...q).normalize();

function applyEvent(state, event) {
  const { model: { vrm, nodes }, root } = state;
  for (const [key, value] of Object.entries(event)) {
    switch (key) {
      case 'frame': break;
      case 'humanBoneRotation':
        Object.entries(value).forEach(([bone, q]) => setQuaternion(boneNode(state, bone), q));
        break;
      case 'humanBoneTranslation':
        Object.entries(value).forEach(([bone, t]) => boneNode(state, bone).position.set(...t));
        break;
      case 'nodeTranslation': Object.entries(value).forEach(([i, t]) => nodes[i].position.set(...t)); break;
      case 'nodeRotation': Object.entries(value).forEach(([i, q]) => setQuaternion(nodes[i], q)); break;
      case 'nodeScale': Object.entries(value).forEach(([i, s]) => nodes[i].scale.set(...s)); break;
      case 'root':
        if (value.translation) root.position.set(...value.translation);
        if (value.rotation) setQuaternion(root, value.rotation);
        if (value.scale) root.scale.setScalar(Array.isArray(value.scale) ? value.scale[0] : value.scale);
        break;
      case 'expression':
        Object.entries(value).forEach(([name, weight]) => vrm.expressionManager.setValue(name, weight));
        break;
      case 'lookAtTarget':
        vrm.lookAt.target = value === null ? null : new THREE.Object3D();
        if (vrm.lookAt.target) {
          vrm.lookAt.target.position.set(...value);
          vrm.lookAt.target.updateMatrixWorld(true);
        }
        break;
      case 'yawPitch':
        vrm.lookAt.target = null;
        vrm.lookAt.yaw = value[0];
        vrm.lookAt.pitch = value[1];
        break;
      case 'resetSprings': state.resetSprings = true; break;
      case 'springTails':
        state.joints.forEach((joint, j) => {
          const place = (tail, values) => tail.fromArray(values, 3 * j).applyMatrix4(joint._getMatrixWorldToCenter());
          place(joint._currentTail, value.current);
          place(joint._prevTail, value.previous);
        });
        break;
      case 'dt': state.dt = value; break;
      default: throw new Error(`event key ${key} is not for three-vrm`);
    }
  }
}

// --- sampling ------------------------------------------------------------------------------------------------------

function meshesOf(node, nodeSet) {
  const own = node.isMesh ? [node] : [];
  return own.concat(node.children.filter((child) => child.isMesh && !nodeSet.has(child)));
}

function materialOf(model, index) {
  let found = null;
  model.gltf.scene.traverse((object) => {
    const where = object.isMesh && model.gltf.parser.associations.get(object);
    if (!found && where && where.meshes !== undefined) {
      const primitive = model.json.meshes[where.meshes].primitives[where.primitives ?? 0];
      if (primitive.material === index) {
        found = Array.isArray(object.material) ? object.material[0] : object.material;
      }
    }
  });
  return found;
}

const textureSlots = ['map', 'normalMap', 'emissiveMap', 'shadeMultiplyTexture', 'shadingShiftTexture',
  'rimMultiplyTexture', 'outlineWidthMultiplyTexture', 'uvAnimationMaskTexture'];

function sampleMaterial(material) {
  const out = { opacity: material.opacity, color: material.color.toArray() };
  if (material.emissive) out.emissive = material.emissive.toArray();
  if (material.isMToonMaterial) {
    out.shadeColor = material.shadeColorFactor.toArray();
    out.matcap = material.matcapFactor.toArray();
    out.rimColor = material.parametricRimColorFactor.toArray();
    out.outlineColor = material.outlineColorFactor.toArray();
  }
  out.textures = {};
  for (const slot of textureSlots) {
    const texture = material[slot];
    if (texture) {
      out.textures[slot] = { offset: texture.offset.toArray(), scale: texture.repeat.toArray(), rotation: texture.rotation };
    }
  }
  return out;
}

function sample(state, frame) {
  const { model: { vrm, nodes }, joints } = state;
  const out = { frame, nodes: { t: [], r: [], s: [], w: [] }, expressions: {}, morphs: {}, materials: {} };
  for (const node of nodes) {
    out.nodes.t.push(...node.position.toArray());
    out.nodes.r.push(...node.quaternion.toArray());
    out.nodes.s.push(...node.scale.toArray());
    out.nodes.w.push(...node.matrixWorld.elements);
  }
  for (const expression of vrm.expressionManager?.expressions ?? []) {
    out.expressions[expression.expressionName] = { weight: expression.weight };
  }
  const nodeSet = new Set(nodes);
  nodes.forEach((node, i) => {
    const mesh = meshesOf(node, nodeSet).find((m) => m.morphTargetInfluences?.length);
    if (mesh) out.morphs[i] = [...mesh.morphTargetInfluences];
  });
  state.materials.forEach((material, i) => {
    if (material) out.materials[i] = sampleMaterial(material);
  });
  if (vrm.lookAt) out.lookAt = { yaw: vrm.lookAt.yaw, pitch: vrm.lookAt.pitch };
  // Both tails are in the world of this frame. With a center, the previous tail has moved with the center.
  const world = new THREE.Vector3();
  const inWorld = (tail) => joints.flatMap((joint) =>
    world.copy(joint[tail]).applyMatrix4(joint._getMatrixCenterToWorld()).toArray());
  out.springTails = inWorld('_currentTail');
  out.previousTails = inWorld('_prevTail');
  return out;
}

// Methods of three.js that return their own object: the original method, and one that rounds the numbers to floats.
const roundable = [];

function findRoundable() {
  const fields = { Vector3: ['x', 'y', 'z'], Quaternion: ['_x', '_y', '_z', '_w'] };
  const roundNames = (names) => (target) => { for (const name of names) target[name] = Math.fround(target[name]); };
  const roundMatrix = ({ elements }) => { for (let i = 0; i < 16; ++i) elements[i] = Math.fround(elements[i]); };
  for (const type of ['Vector3', 'Quaternion', 'Matrix4']) {
    const { prototype } = THREE[type];
    const roundFields = fields[type] ? roundNames(fields[type]) : roundMatrix;
    for (const name of Object.getOwnPropertyNames(prototype)) {
      const { value: plain } = Object.getOwnPropertyDescriptor(prototype, name);
      if (typeof plain !== 'function' || name === 'constructor' || name.startsWith('_')) continue;
      const rounding = function (...args) {
        const result = plain.apply(this, args);
        if (result === this) roundFields(this);
        return result;
      };
      roundable.push({ prototype, name, plain, rounding });
    }
  }
}

/** Switches rounding on or off: every vector, quaternion and matrix operation of three.js rounds its result to floats. */
function setRounding(on) {
  if (on && roundable.length === 0) findRoundable();
  // The original methods of three.js are restored afterwards: a wrapper would slow every later run by a sixth.
  for (const { prototype, name, plain, rounding } of roundable) prototype[name] = on ? rounding : plain;
}

/**
 * Runs the script and samples every frame. Without `curves`, the curves of look-at are ignored, as by three-vrm. Without
 * `patched`, the package is used as published, with one update per frame.
 */
export async function threeTrace(path, script, { float = false, curves = true, patched = true } = {}) {
  setRounding(float);
  const model = await loadThree(path, script.mode, undefined, { patched });
  const root = new THREE.Group();
  root.add(model.gltf.scene);
  const scene = new THREE.Scene();
  scene.add(root);
  if (curves && patched) patchCurves(model);
  if (patched) {
    patchLookAt(model.vrm);
    patchExpressions(model.vrm);
    patchGazeOverride(model.vrm);
  }
  const joints = springJoints(model, patched);
  const state = { model, root, script, joints, dt: script.dt ?? 1 / 60, resetSprings: false };
  state.materials = (model.json.materials ?? []).map((_, i) => materialOf(model, i));
  // The loader captures spring tails before the world matrices are right, so the tails are captured again here.
  if (patched) {
    scene.updateMatrixWorld(true);
    model.vrm.springBoneManager?.setInitState();
  }

  const rest = model.nodes.flatMap((node) => node.quaternion.toArray());

  const frames = [];
  const events = script.events ?? [];
  for (let frame = 0; frame < script.frames; ++frame) {
    events.filter((event) => event.frame === frame).forEach((event) => applyEvent(state, event));
    // Computes the pose of this frame and its world matrices before look-at reads the head. In three-vrm, look-at is a
    // frame late.
    if (patched || state.resetSprings) {
      model.vrm.humanoid?.update();
      scene.updateMatrixWorld(true);
    }
    if (state.resetSprings) {
      model.vrm.nodeConstraintManager?.update();
      scene.updateMatrixWorld(true);
      model.vrm.springBoneManager?.reset();
      state.resetSprings = false;
    }
    model.vrm.update(state.dt);
    scene.updateMatrixWorld(true);
    frames.push(sample(state, frame));
  }
  setRounding(false);
  const nodeIndex = (object) => model.nodes.indexOf(object);
  const inScene = new Set();
  scene.traverse((object) => inScene.add(object));
  return {
    springJoints: joints.map((joint) => ({ node: nodeIndex(joint.bone), tail: joint.child ? nodeIndex(joint.child) : -1,
      length: joint.initialLocalChildPosition.length() })),
    rest,
    drag: joints.map((joint) => joint.settings.dragForce),
    vrm0: Boolean(model.json.extensions?.VRM),
    // Nodes that are in no scene. three-vrm does not put them under the root.
    outside: model.nodes.flatMap((node, i) => (inScene.has(node) ? [] : [i])),
    frames,
  };
}

/**
 * Runs the script with another library that has three-vrm's interface, unpatched. `tails(vrm)` returns the tails of its
 * springs.
 */
export async function namesakeTrace(path, script, { Plugin, options, tails }) {
  const model = await loadThree(path, script.mode, Plugin, options);
  const root = new THREE.Group();
  root.add(model.gltf.scene);
  const scene = new THREE.Scene();
  scene.add(root);
  const state = { model, root, script, joints: [], dt: script.dt ?? 1 / 60 };
  state.materials = (model.json.materials ?? []).map((_, i) => materialOf(model, i));
  const frames = [];
  for (let frame = 0; frame < script.frames; ++frame) {
    script.events.filter((event) => event.frame === frame).forEach((event) => applyEvent(state, event));
    model.vrm.update(state.dt);
    scene.updateMatrixWorld(true);
    frames.push({ ...sample(state, frame), springTails: tails(model.vrm) });
  }
  return { frames, vrm: model.vrm };
}
