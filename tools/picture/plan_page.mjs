// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Runs in the page: draws a plan of the conformance suite with three-vrm, either as published or with patches (those of
// exact.mjs, and the layers of first person). The joints' rotations were simulated by tools/compare.

import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { VRMLoaderPlugin } from '@pixiv/three-vrm';
import { giveTangents, mend } from './exact.mjs';

let renderer;

window.drawPlan = async ({ url, size, camera: view, lighting, root, rotations, patched }) => {
  const loader = new GLTFLoader();
  loader.register((parser) => new VRMLoaderPlugin(parser));
  const gltf = await loader.loadAsync(url);
  const { vrm } = gltf.userData;
  gltf.scene.traverse((object) => {
    const rotation = rotations?.[gltf.parser.associations.get(object)?.nodes];
    if (!rotation) return;
    object.quaternion.fromArray(rotation);
    object.updateMatrix(); // three-vrm also updates the matrices of joints itself
  });
  vrm.scene.position.fromArray(root ?? [0, 0, 0]);
  const scene = new THREE.Scene();
  scene.background = new THREE.Color(0xff00ff);
  scene.add(vrm.scene);
  vrm.scene.traverse((object) => {
    object.frustumCulled = false;
    for (const material of [object.material ?? []].flat()) {
      if (patched) mend(material, {});
      else material.update?.(0);
    }
    if (patched) giveTangents(object);
  });
  const { directional, ambient } = lighting;
  const sun = new THREE.DirectionalLight(new THREE.Color(...directional.color), directional.intensity * Math.PI);
  sun.position.fromArray(directional.dir).multiplyScalar(-5);
  scene.add(sun, sun.target, new THREE.AmbientLight(new THREE.Color(...ambient.color), ambient.intensity * Math.PI));
  const camera = new THREE.PerspectiveCamera(view.fov_degrees, 1, 0.01, 100);
  camera.position.fromArray(view.position);
  camera.up.fromArray(view.up);
  camera.lookAt(...view.target);
  if (patched && vrm.firstPerson) {
    vrm.firstPerson.setup();
    camera.layers.enable(vrm.firstPerson.thirdPersonOnlyLayer);
  }
  renderer ??= new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
  renderer.setPixelRatio(1);
  renderer.setSize(size, size);
  renderer.toneMapping = THREE.NoToneMapping;
  renderer.render(scene, camera);
  const data = renderer.domElement.toDataURL('image/png');
  vrm.scene.traverse((object) => object.geometry?.dispose());
  return data.split(',')[1];
};
