// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Motions (.vrma) as clips for three's AnimationMixer, under the names of @pixiv/three-vrm-animation.

import { AnimationClip, Euler, Matrix4, MathUtils, NumberKeyframeTrack, Object3D, Quaternion, QuaternionKeyframeTrack, Vector3 } from 'three';
import { VRMLookAt } from './look_at.js';
import { VRMExpressionPresetName, VRMHumanBoneParentMap } from './names.js';

const EXTENSION = 'VRMC_vrm_animation';
const presets = new Set(Object.values(VRMExpressionPresetName));

/** A motion for any avatar. */
export class VRMAnimation {
  constructor() {
    this.duration = 0;
    this.restHipsPosition = new Vector3();
    this.humanoidTracks = { translation: new Map(), rotation: new Map() };
    this.expressionTracks = { preset: new Map(), custom: new Map() };
    this.lookAtTrack = null;
  }
}

/** An object that represents the gaze in the scene, so that an AnimationMixer can rotate it. */
export class VRMLookAtQuaternionProxy extends Object3D {
  constructor(lookAt) {
    super();
    this.vrmLookAt = lookAt;
    this.type = 'VRMLookAtQuaternionProxy';
    const angles = new Euler();
    for (const value of [this.rotation, this.quaternion]) {
      const before = value._onChangeCallback;
      value._onChange(() => {
        before();
        angles.setFromQuaternion(this.quaternion, VRMLookAt.EULER_ORDER);
        this.vrmLookAt.yaw = angles.y * MathUtils.RAD2DEG;
        this.vrmLookAt.pitch = angles.x * MathUtils.RAD2DEG;
      });
    }
  }
}

// Applies a function to each value of a track, which has `size` numbers. The function changes an array in place.
function mapped(track, size, change) {
  const made = track.clone();
  made.values = Float32Array.from(track.values);
  for (let i = 0; i < made.values.length; i += size) change(made.values, i);
  return made;
}

/** Adds gltf.userData.vrmAnimations to the results of GLTFLoader. */
export class VRMAnimationLoaderPlugin {
  constructor(parser) {
    this.parser = parser;
  }

  get name() {
    return EXTENSION;
  }

  async afterRoot(gltf) {
    const { json } = gltf.parser;
    const extension = json.extensions?.[EXTENSION];
    if (!extension) return;
    const { specVersion } = extension;
    if (specVersion !== undefined && specVersion !== '1.0' && specVersion !== '1.0-draft') {
      console.warn(`VRMAnimationLoaderPlugin: specVersion is "${specVersion}", expected "1.0"`);
      return;
    }
    gltf.scene.updateWorldMatrix(false, true);
    const nodes = await gltf.parser.getDependencies('node');
    const file = this.#describe(extension, nodes);
    gltf.userData.vrmAnimations = gltf.animations.map((clip, i) => this.#read(clip, json.animations[i], file));
  }

  #describe({ humanoid, expressions, lookAt }, nodes) {
    const bones = new Map(), faces = new Map(), world = new Map();
    for (const [bone, { node }] of Object.entries(humanoid?.humanBones ?? {})) {
      bones.set(node, bone);
      world.set(bone, nodes[node].matrixWorld);
    }
    for (const [name, { node }] of [...Object.entries(expressions?.preset ?? {}), ...Object.entries(expressions?.custom ?? {})]) {
      faces.set(node, name);
    }
    const hips = nodes[humanoid?.humanBones?.hips?.node];
    return { bones, faces, world, gaze: lookAt?.node, hipsParent: hips?.parent?.matrixWorld ?? new Matrix4(),
      hips: hips ? new Vector3().setFromMatrixPosition(hips.matrixWorld) : new Vector3() };
  }

  #read(clip, { channels }, file) {
    const motion = new VRMAnimation();
    motion.duration = clip.duration;
    motion.restHipsPosition.copy(file.hips);
    channels.forEach(({ target: { node, path } }, i) => {
      const track = clip.tracks[i];
      const bone = file.bones.get(node), face = file.faces.get(node);
      if (bone && path === 'rotation') motion.humanoidTracks.rotation.set(bone, this.#normalized(track, bone, file));
      else if (bone === 'hips' && path === 'translation') {
        const place = new Vector3();
        motion.humanoidTracks.translation.set(bone, mapped(track, 3, (values, at) =>
          place.fromArray(values, at).applyMatrix4(file.hipsParent).toArray(values, at)));
      } else if (face && path === 'translation') {
        const weights = track.values.filter((_, at) => at % 3 === 0);
        motion.expressionTracks[presets.has(face) ? 'preset' : 'custom'].set(face,
          new NumberKeyframeTrack(`${face}.weight`, track.times, weights));
      } else if (node !== undefined && node === file.gaze && path === 'rotation') {
        motion.lookAtTrack = track;
      } else if (bone || face) {
        console.warn(`VRMAnimationLoaderPlugin: ${bone ?? face} has a track of "${path}", which is left out`);
      }
    });
    return motion;
  }

  // Converts a track to rotations from the rest pose, about the model's axes.
  #normalized(track, bone, { world, hipsParent }) {
    let above = VRMHumanBoneParentMap[bone];
    while (above && !world.has(above)) above = VRMHumanBoneParentMap[above];
    const rotation = (matrix) => {
      const made = new Quaternion();
      matrix.decompose(new Vector3(), made, new Vector3());
      return made;
    };
    const before = rotation(above ? world.get(above) : hipsParent), after = rotation(world.get(bone)).invert();
    const turn = new Quaternion();
    return mapped(track, 4, (values, at) => turn.fromArray(values, at).premultiply(before).multiply(after).toArray(values, at));
  }
}

/**
 * Returns {translation, rotation}: tracks for an avatar's normalized bones, by bone. They are turned for VRM 0.x, which
 * faces the other way.
 */
export function createVRMAnimationHumanoidTracks(motion, humanoid, metaVersion) {
  const old = metaVersion === '0';
  const translation = new Map(), rotation = new Map();
  for (const [bone, track] of motion.humanoidTracks.rotation) {
    const node = humanoid.getNormalizedBoneNode(bone);
    if (!node) continue;
    rotation.set(bone, new QuaternionKeyframeTrack(`${node.name}.quaternion`, track.times,
      track.values.map((value, i) => (old && i % 2 === 0 ? -value : value))));
  }
  for (const [bone, track] of motion.humanoidTracks.translation) {
    const node = humanoid.getNormalizedBoneNode(bone);
    if (!node) continue;
    const scale = humanoid.normalizedRestPose.hips.position[1] / motion.restHipsPosition.y;
    const made = track.clone();
    made.values = track.values.map((value, i) => (old && i % 3 !== 1 ? -value : value) * scale);
    made.name = `${node.name}.position`;
    translation.set(bone, made);
  }
  return { translation, rotation };
}

/** Returns {preset, custom}: tracks for an avatar's expressions, by name. */
export function createVRMAnimationExpressionTracks(motion, expressions) {
  const tracks = (from) => new Map([...from].flatMap(([name, track]) => {
    const target = expressions.getExpressionTrackName(name);
    if (!target) return [];
    const made = track.clone();
    made.name = target;
    return [[name, made]];
  }));
  return { preset: tracks(motion.expressionTracks.preset), custom: tracks(motion.expressionTracks.custom) };
}

/** Returns the gaze's track under a name, or null. */
export function createVRMAnimationLookAtTrack(motion, name) {
  if (!motion.lookAtTrack) return null;
  const made = motion.lookAtTrack.clone();
  made.name = name;
  return made;
}

/** Returns a clip for an AnimationMixer on vrm.scene. */
export function createVRMAnimationClip(motion, vrm) {
  const { translation, rotation } = createVRMAnimationHumanoidTracks(motion, vrm.humanoid, vrm.meta.metaVersion);
  const tracks = [...translation.values(), ...rotation.values()];
  if (vrm.expressionManager) {
    const { preset, custom } = createVRMAnimationExpressionTracks(motion, vrm.expressionManager);
    tracks.push(...preset.values(), ...custom.values());
  }
  if (vrm.lookAt && motion.lookAtTrack) {
    let proxy = vrm.scene.children.find((child) => child instanceof VRMLookAtQuaternionProxy);
    if (!proxy) vrm.scene.add(proxy = new VRMLookAtQuaternionProxy(vrm.lookAt));
    proxy.name ||= 'VRMLookAtQuaternionProxy';
    tracks.push(createVRMAnimationLookAtTrack(motion, `${proxy.name}.quaternion`));
  }
  return new AnimationClip('Clip', motion.duration, tracks);
}
