// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Reads a motion with three.js' loaders: FBX with FBXLoader, .glb with GLTFLoader. Returns local rotations, world
// rotations and positions of every bone at given times, by the bone's name without separators.

import * as THREE from 'three';
import { FBXLoader } from 'three/examples/jsm/loaders/FBXLoader.js';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';

export const plainName = (name) => name.replace(/[^A-Za-z0-9]/g, '');

function frames(scene, clip, times) {
  const mixer = new THREE.AnimationMixer(scene);
  const action = mixer.clipAction(clip);
  action.setLoop(THREE.LoopOnce);
  action.clampWhenFinished = true;
  return times.map((time) => {
    action.reset().play();
    mixer.setTime(time);
    scene.updateMatrixWorld(true);
    const bones = {};
    scene.traverse((node) => {
      bones[plainName(node.name)] = { rotation: node.quaternion.toArray(), world: node.getWorldQuaternion(new THREE.Quaternion()).toArray(),
        position: new THREE.Vector3().setFromMatrixPosition(node.matrixWorld).toArray() };
    });
    return bones;
  });
}

export function fbxFrames(text, times) {
  const scene = new FBXLoader().parse(new TextEncoder().encode(text).buffer, '');
  return frames(scene, scene.animations[0], times);
}

export async function glbFrames(bytes, times) {
  const gltf = await new GLTFLoader().parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength), '');
  return frames(gltf.scene, gltf.animations[0], times);
}

/**
 * FBX's own formula (FBX SDK, "Computing transformation matrices"): returns the matrix of each joint in its parent, in
 * the file's units.
 */
export function fbxLocals(joints, eulers, translations) {
  const radians = (v) => v.map((degrees) => degrees * Math.PI / 180);
  const turn = (v) => new THREE.Matrix4().makeRotationFromEuler(new THREE.Euler(...radians(v ?? [0, 0, 0]), 'ZYX'));
  const move = (v) => new THREE.Matrix4().makeTranslation(...(v ?? [0, 0, 0]));
  return Object.fromEntries(Object.entries(joints).map(([name, joint]) => {
    const pivot = move(joint.rotationPivot);
    return [name, move(translations[name] ?? joint.translation).multiply(move(joint.rotationOffset)).multiply(pivot)
      .multiply(turn(joint.preRotation)).multiply(turn(eulers[name])).multiply(turn(joint.postRotation).invert())
      .multiply(pivot.clone().invert())];
  }));
}

/** Returns the world positions of joints. */
export function fbxReference(joints, eulers, translations) {
  const world = {};
  const positions = {};
  for (const [name, local] of Object.entries(fbxLocals(joints, eulers, translations))) {
    world[name] = joints[name].parent ? world[joints[name].parent].clone().multiply(local) : local;
    positions[name] = new THREE.Vector3().setFromMatrixPosition(world[name]).toArray();
  }
  return positions;
}
