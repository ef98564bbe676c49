// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Runs in the page: measures three-vrm in the same way as bench/bench_render.c measures libvrm.

import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { VRMLoaderPlugin, VRMUtils } from '@pixiv/three-vrm';

const side = 1024;
const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
const now = () => performance.now();
const background = new THREE.Color(0.2, 0.3, 0.4);
let renderer, camera, gl;

function begin() {
  renderer = new THREE.WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
  renderer.setPixelRatio(1);
  renderer.setSize(side, side);
  renderer.setClearColor(background, 1);
  camera = new THREE.PerspectiveCamera(20, 1, 0.1, 20);
  camera.position.set(0, 0.8, 5);
  gl = renderer.getContext();
}

// Waits until the picture is finished.
const finish = () => gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));

async function load(bytes) {
  const loader = new GLTFLoader();
  loader.register((parser) => new VRMLoaderPlugin(parser));
  const gltf = await loader.parseAsync(bytes, '');
  const scene = new THREE.Scene();
  scene.add(gltf.scene, new THREE.AmbientLight(0xffffff, 0.1 * Math.PI));
  const sun = new THREE.DirectionalLight(0xffffff, 0.92 * Math.PI);
  sun.position.set(-0.35, 0.5, 0.79);
  scene.add(sun);
  gltf.userData.vrm.update(0);
  renderer.render(scene, camera);
  finish();
  return { vrm: gltf.userData.vrm, scene };
}

function update({ vrm }, i) {
  const bone = (name) => vrm.humanoid.getNormalizedBoneNode(name).rotation, wave = Math.sin((i / 60) * 6.28);
  bone('spine').z = 0.1 * wave;
  bone('head').y = 0.2 * wave;
  bone('leftUpperLeg').x = 0.4 * wave;
  bone('rightUpperLeg').x = -0.4 * wave;
  vrm.update(1 / 60);
}

window.bench = async (url, loads, frames, submissions) => {
  const bytes = await (await fetch(url)).arrayBuffer(), times = { loads: [], frames: [], submissions: [] };
  let start = now();
  begin();
  let shown = await load(bytes);
  const first = now() - start;
  for (let i = 0; i < loads; ++i) {
    VRMUtils.deepDispose(shown.scene);
    start = now();
    shown = await load(bytes);
    times.loads.push(now() - start);
  }
  for (let i = 0; i < frames; ++i) {
    start = now();
    update(shown, i);
    renderer.render(shown.scene, camera);
    finish();
    times.frames.push(now() - start);
  }
  // Replaces every function of the OpenGL context by one that does nothing.
  for (const name in gl) if (typeof gl[name] === 'function') gl[name] = () => null;
  for (let i = 0; i < submissions; ++i) {
    start = now();
    for (let k = 0; k < 8; ++k) { // repeated, because the page's clock is coarse
      update(shown, 8 * i + k);
      renderer.render(shown.scene, camera);
    }
    times.submissions.push((now() - start) / 8);
  }
  return { first_ms: first, load_ms: median(times.loads), frame_ms: median(times.frames), submit_us: 1e3 * median(times.submissions) };
};
