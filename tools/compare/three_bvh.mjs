// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Reads a BVH motion with three.js' BVHLoader. Returns the world positions of joints by name, with `whole` also their
// world rotations.

import * as THREE from 'three';
import { BVHLoader } from 'three/examples/jsm/loaders/BVHLoader.js';

export function bvhFrames(text, times, whole = false) {
  const { skeleton, clip } = new BVHLoader().parse(text);
  const root = skeleton.bones[0];
  const scene = new THREE.Scene();
  scene.add(root);
  // Tracks are evaluated one by one, because the mixer's property paths do not allow every name.
  const tracks = clip.tracks.map((track) => {
    const [, name, property] = /^(?:\.bones\[)?(.*?)\]?\.(position|quaternion)$/.exec(track.name);
    return { bone: skeleton.bones.find((bone) => bone.name === name), property, interpolant: track.createInterpolant() };
  });
  return times.map((time) => {
    for (const { bone, property, interpolant } of tracks) bone[property].fromArray(interpolant.evaluate(time));
    scene.updateMatrixWorld(true);
    return Object.fromEntries(skeleton.bones.map((bone) => {
      const position = new THREE.Vector3().setFromMatrixPosition(bone.matrixWorld).toArray();
      return [bone.name, whole ? { position, world: bone.getWorldQuaternion(new THREE.Quaternion()).toArray() } : position];
    }));
  });
}
