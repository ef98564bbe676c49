// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { VRMLoaderPlugin } from '@pixiv/three-vrm';

// Yaw of the camera around the figure, height of the picture's middle, height of the visible area. Heights are
// fractions of the figure's height.
const views = {
  front: [0, 0.5, 1.1],
  quarter: [35, 0.5, 1.1],
  side: [90, 0.5, 1.1],
  back: [180, 0.5, 1.1],
  'back-quarter': [145, 0.5, 1.1],
  bust: [12, 0.82, 0.46],
  face: [0, 0.895, 0.24],
  'face-quarter': [38, 0.895, 0.24],
  'face-side': [88, 0.895, 0.24],
  hands: [0, 0.6, 0.5],
  feet: [25, 0.12, 0.3],
};

const degrees = (x, y, z) => new THREE.Euler((x * Math.PI) / 180, (y * Math.PI) / 180, (z * Math.PI) / 180);

const poses = {
  t: {},
  relaxed: {
    leftUpperArm: degrees(0, 0, -68),
    rightUpperArm: degrees(0, 0, 68),
    leftLowerArm: degrees(0, -14, 0),
    rightLowerArm: degrees(0, 14, 0),
  },
  hello: {
    leftUpperArm: degrees(0, 0, -66),
    leftLowerArm: degrees(0, -20, 0),
    rightUpperArm: degrees(0, 20, 42),
    rightLowerArm: degrees(0, 10, -122),
    rightHand: degrees(0, 0, 8),
    head: degrees(0, 4, -6),
    chest: degrees(0, 4, 1),
    hips: degrees(0, -4, 0),
    leftUpperLeg: degrees(0, 5, 2),
    rightUpperLeg: degrees(2, -6, -2),
  },
  bend: {
    leftUpperArm: degrees(0, -40, -40),
    leftLowerArm: degrees(0, -100, 0),
    rightUpperArm: degrees(0, 0, 60),
    leftUpperLeg: degrees(-70, 0, 0),
    leftLowerLeg: degrees(80, 0, 0),
    spine: degrees(10, 10, 0),
  },
};

function applyFingers(vrm) {
  for (const side of ['left', 'right']) {
    const sign = side === 'left' ? -1 : 1;
    for (const finger of ['Index', 'Middle', 'Ring', 'Little']) {
      for (const part of ['Proximal', 'Intermediate', 'Distal']) {
        const node = vrm.humanoid.getNormalizedBoneNode(side + finger + part);
        if (node) node.rotation.z = sign * 0.22;
      }
    }
  }
}

function makeRenderer(width, height, options) {
  const renderer = new THREE.WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
  renderer.setPixelRatio(1);
  renderer.setSize(width, height);
  renderer.toneMapping = THREE.NoToneMapping;
  const clear = options.background === 'transparent';
  renderer.setClearColor(new THREE.Color(clear ? '#000000' : options.background), clear ? 0 : 1);
  renderer.setScissorTest(true);
  return renderer;
}

async function load() {
  const loader = new GLTFLoader();
  loader.register((parser) => new VRMLoaderPlugin(parser));
  const gltf = await loader.loadAsync('/avatar');
  return gltf.userData.vrm;
}

function settle(vrm, options) {
  const pose = poses[options.pose] ?? {};
  for (const [bone, rotation] of Object.entries(pose)) {
    vrm.humanoid.getNormalizedBoneNode(bone)?.rotation.copy(rotation);
  }
  if (options.pose !== 't') applyFingers(vrm);
  for (const item of (options.expression ?? '').split(',').filter(Boolean)) {
    const [name, weight] = item.split('=');
    vrm.expressionManager.setValue(name, Number(weight ?? 1));
  }
  if (options['look-at']) {
    vrm.lookAt.target = new THREE.Object3D();
    vrm.lookAt.target.position.fromArray(options['look-at'].split(',').map(Number));
    vrm.lookAt.target.updateMatrixWorld();
  }
  vrm.springBoneManager?.reset();
  const steps = Math.round(Number(options.time) * 60);
  for (let i = 0; i < steps; ++i) vrm.update(1 / 60);
}

window.draw = async (options) => {
  const [width, height] = options.size.split('x').map(Number);
  const names = options.camera.split(',');
  const vrm = await load();
  const scene = new THREE.Scene();
  scene.add(vrm.scene);
  vrm.scene.traverse((o) => { o.frustumCulled = false; });
  const sun = new THREE.DirectionalLight(0xffffff, Math.PI * 0.92);
  scene.add(sun, new THREE.AmbientLight(0xffffff, Math.PI * 0.1));
  settle(vrm, options);
  // The camera shows the whole figure at rest, whatever its arms do.
  const tall = new THREE.Box3().setFromObject(vrm.scene).max.y;
  const renderer = makeRenderer(width * names.length, height, options);
  document.body.append(renderer.domElement);
  names.forEach((name, i) => {
    const [yaw, middle, shown] = views[name];
    const turn = ((yaw + Number(options.yaw ?? 0)) * Math.PI) / 180;
    const fov = 20;
    const distance = (shown * tall) / 2 / Math.tan((fov * Math.PI) / 360);
    const camera = new THREE.PerspectiveCamera(fov, width / height, 0.05, 50);
    camera.position.set(Math.sin(turn) * distance, middle * tall, Math.cos(turn) * distance);
    camera.lookAt(0, middle * tall, 0);
    // The light comes from over the camera's left shoulder.
    sun.position.set(Math.sin(turn - 0.5) * 2, 1.6, Math.cos(turn - 0.5) * 2);
    renderer.setViewport(i * width, 0, width, height);
    renderer.setScissor(i * width, 0, width, height);
    renderer.render(scene, camera);
  });
  return renderer.domElement.toDataURL('image/png');
};
