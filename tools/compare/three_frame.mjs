// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// An avatar of three-vrm for benchmarks. The time of its update includes world matrices and skeletons, because the time
// of libvrm's update does. The time of setting the pose is not included.

import * as THREE from 'three';
import { loadThree } from './three_trace.mjs';

/** Loads an avatar into a scene. It looks at a point. */
export async function makeActor(path) {
  const model = await loadThree(path, 'normalized');
  const scene = new THREE.Scene();
  scene.add(model.gltf.scene);
  const skeletons = new Set();
  scene.traverse((object) => object.isSkinnedMesh && skeletons.add(object.skeleton));
  if (model.vrm.lookAt) {
    model.vrm.lookAt.target = new THREE.Object3D();
    model.vrm.lookAt.target.position.set(0.4, 1.4, 2);
    model.vrm.lookAt.target.updateMatrixWorld(true);
  }
  const hips = model.vrm.humanoid.getNormalizedBoneNode('hips');
  return { ...model, scene, skeletons, hips, rest: hips.position.clone() };
}

/** Runs one frame with a pose written by bench_frame. Returns the milliseconds of the whole update and of its springs. */
export function timeFrame({ vrm, scene, skeletons, hips, rest }, pose, dt) {
  for (const [bone, value] of Object.entries(pose)) {
    if (bone === 'way') hips.position.fromArray(value).add(rest);
    else vrm.humanoid.getNormalizedBoneNode(bone)?.quaternion.fromArray(value);
  }
  const start = performance.now();
  vrm.humanoid.update();
  vrm.lookAt?.update(dt);
  vrm.expressionManager?.update();
  vrm.nodeConstraintManager?.update();
  const before = performance.now();
  vrm.springBoneManager?.update(dt);
  const after = performance.now();
  scene.updateMatrixWorld(true);
  skeletons.forEach((skeleton) => skeleton.update());
  return { update: performance.now() - start, springs: after - before };
}

export const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
