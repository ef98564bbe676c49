// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Runs the same avatar, motion and frames in both libraries, in turns of a few frames each. Setting the pose is not
// measured.

import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import * as theirs from 'three-vrm';
import * as ours from 'libvrm/three';
import { defaultModule, loadAvatar, VRM } from 'libvrm';

const libraries = { theirs, ours };
const DT = 1 / 60;
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
const BONES = ['spine', 'chest', 'neck', 'head', 'leftUpperArm', 'rightUpperArm', 'leftLowerArm', 'rightLowerArm', 'leftUpperLeg',
  'rightUpperLeg', 'leftLowerLeg', 'rightLowerLeg', 'leftHand', 'rightHand'];

function loaderOf(library, images) {
  const loader = new GLTFLoader();
  if (!images) {
    loader.register((parser) => {
      parser.loadTextureImage = () => {
        const texture = new THREE.Texture();
        texture.flipY = false;
        return Promise.resolve(texture);
      };
      return { name: 'NO_IMAGES' };
    });
  }
  if (library) loader.register((parser) => new library.VRMLoaderPlugin(parser));
  return loader;
}

const shown = (vrm) => {
  vrm.scene.traverse((object) => { object.frustumCulled = false; });
  return vrm;
};

async function load(library, bytes, images = false) {
  return shown((await loaderOf(library, images).parseAsync(bytes.slice(0), '')).userData.vrm);
}

// Loads the same file by the package's own loader.
const own = new ours.VRMLoader(undefined, { decodeImage: () => null });
const loadOwn = async (bytes) => shown(await own.parseAsync(bytes));

function pose({ humanoid, expressionManager }, frame, shift) {
  const t = frame / 60 + shift;
  BONES.forEach((bone, i) => humanoid.getNormalizedBoneNode(bone)?.rotation.set(0.2 * Math.sin(t + i), 0.2 * Math.cos(1.3 * t + i), 0.1 * Math.sin(2 * t)));
  expressionManager.setValue('blink', 0.5 + 0.5 * Math.sin(5 * t));
  expressionManager.setValue('aa', 0.5 + 0.5 * Math.sin(3 * t));
}

// A scene with some avatars. step() runs a frame up to the point where the renderer could draw, and returns the
// milliseconds of its parts. A part is short, so that other programs seldom interrupt it: one avatar with three-vrm,
// ten with libvrm, which updates them in one call.
function stage(name, vrms) {
  const scene = new THREE.Scene();
  const target = new THREE.Object3D();
  target.position.set(0.4, 1.4, 2);
  scene.add(target);
  const skeletons = vrms.map((vrm, i) => {
    vrm.scene.position.set(0.8 * (i % 10) - 3.6, 0, -0.8 * Math.floor(i / 10));
    vrm.lookAt.target = target;
    scene.add(vrm.scene);
    const found = new Set();
    vrm.scene.traverse((object) => object.isSkinnedMesh && found.add(object.skeleton));
    return [...found];
  });
  const draw = (i) => {
    vrms[i].scene.updateMatrixWorld();
    for (const skeleton of skeletons[i]) skeleton.update();
  };
  const parts = name !== 'theirs' && vrms.length > 1
    ? Array.from({ length: vrms.length / 10 }, (_, k) => vrms.slice(10 * k, 10 * k + 10)).map((ten, k) => () => {
      ours.updateAll(ten, DT);
      ten.forEach((_, i) => draw(10 * k + i));
    })
    : vrms.map((vrm, i) => () => { vrm.update(DT); draw(i); });
  let frame = 0;
  const step = () => {
    vrms.forEach((vrm, i) => pose(vrm, frame, i));
    ++frame;
    return parts.map((run) => {
      const start = performance.now();
      run();
      return performance.now() - start;
    });
  };
  return { scene, step };
}

// Measures the microseconds per avatar. The result is the sum over the parts of each part's smallest time of all turns,
// which other programs have disturbed least.
async function measureUpdate(bytes, count, turns, frames) {
  const stages = {}, times = {};
  const first = await loadOwn(bytes);
  const ways = { theirs: () => load(theirs, bytes), ours: () => load(ours, bytes), ...(count > 1 ? { clones: () => shown(ours.VRMUtils.clone(first)) } : {}) };
  for (const [name, make] of Object.entries(ways)) {
    const vrms = [];
    for (let i = 0; i < count; ++i) vrms.push(await make());
    stages[name] = stage(name, vrms);
    for (let i = 0; i < 3000 / count; ++i) stages[name].step(); // until the engine has optimised the code
    times[name] = [];
  }
  for (let turn = 0; turn < turns; ++turn) {
    for (const name of Object.keys(ways)) {
      const sums = [];
      for (let i = 0; i < frames; ++i) stages[name].step().forEach((time, part) => { sums[part] = (sums[part] ?? 0) + time; });
      times[name].push(sums);
    }
  }
  const each = (name) => times[name][0].reduce((sum, _, part) => sum + Math.min(...times[name].map((sums) => sums[part])), 0) * 1000 / frames / count;
  return { times: Object.fromEntries(Object.keys(ways).map((name) => [name, each(name)])), stages };
}

// Measures milliseconds: three-vrm, the plugin, VRMLoader, a clone, GLTFLoader alone, GLTFLoader with nothing to load (it reads the JSON),
// the core.
async function measureLoad(bytes, turns) {
  const first = await loadOwn(bytes);
  const nothing = (parser) => ({ name: 'NOTHING', beforeRoot() { parser.json.scenes = [{ nodes: [] }]; } });
  const jobs = {
    theirs: () => load(theirs, bytes),
    ours: () => load(ours, bytes),
    own: () => loadOwn(bytes),
    clone: async () => shown(ours.VRMUtils.clone(first)),
    loader: () => loaderOf(null).parseAsync(bytes.slice(0), ''),
    json: () => new GLTFLoader().register(nothing).parseAsync(bytes.slice(0), ''),
    core: async () => {
      const vrm = await VRM.load(bytes);
      vrm.update(0);
      vrm.dispose();
    },
  };
  const times = Object.fromEntries(Object.keys(jobs).map((name) => [name, []]));
  for (let turn = 0; turn < turns; ++turn) {
    for (const [name, job] of Object.entries(jobs)) {
      const start = performance.now();
      const made = await job();
      times[name].push(performance.now() - start);
      if (name === 'theirs') theirs.VRMUtils.deepDispose(made.scene);
      else if (['ours', 'own', 'clone'].includes(name)) ours.VRMUtils.deepDispose(made.scene);
    }
  }
  ours.VRMUtils.deepDispose(first.scene);
  return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, { first: list[0], best: Math.min(...list), median: median(list) }]));
}

// Returns the bytes of all vertices. The browser also counts them as heap, and no library can do without them.
function bytesOfVertices(scene) {
  const buffers = new Set();
  scene.traverse(({ geometry }) => {
    if (!geometry) return;
    for (const { array } of [geometry.index, ...Object.values(geometry.attributes), ...Object.values(geometry.morphAttributes).flat()]) buffers.add(array.buffer);
  });
  return [...buffers].reduce((sum, { byteLength }) => sum + byteLength, 0);
}

// Measures the bytes of JavaScript and of the module for each of several avatars that are kept.
async function measureHeap(bytes, count) {
  const module = await defaultModule();
  const collect = async () => {
    for (let i = 0; i < 4; ++i) {
      gc();
      await new Promise((done) => { setTimeout(done, 50); });
    }
    return performance.memory.usedJSHeapSize;
  };
  const found = {};
  let first = null;
  const ways = { theirs: [theirs, () => load(theirs, bytes)], ours: [ours, () => load(ours, bytes)], own: [ours, () => loadOwn(bytes)],
    clone: [ours, async () => shown(ours.VRMUtils.clone(first ??= await loadOwn(bytes)))] };
  for (const [name, [library, make]] of Object.entries(ways)) {
    for (let i = 0; i < count; ++i) {
      const vrm = await make(); // warms up until the code is compiled
      vrm.update(DT);
      library.VRMUtils.deepDispose(vrm.scene);
    }
    const kept = [];
    const before = await collect(), wasm = module.memoryBytes;
    for (let i = 0; i < count; ++i) {
      const vrm = await make();
      vrm.update(DT);
      kept.push(vrm);
    }
    found[name] = { heap: ((await collect()) - before) / count, vertices: bytesOfVertices(kept[0].scene), wasm: (module.memoryBytes - wasm) / count };
    for (const vrm of kept) library.VRMUtils.deepDispose(vrm.scene);
  }
  const kept = [];
  const avatar = await loadAvatar(bytes);
  const before = await collect(), wasm = module.memoryBytes;
  for (let i = 0; i < 10 * count; ++i) kept.push(avatar.createInstance());
  for (const vrm of kept) vrm.update(DT);
  found.core = { heap: ((await collect()) - before) / kept.length, vertices: 0, wasm: (module.memoryBytes - wasm) / kept.length };
  for (const vrm of kept) vrm.dispose();
  avatar.dispose();
  return found;
}

async function measureFrames(stages, frames) {
  const renderer = new THREE.WebGLRenderer();
  renderer.setSize(320, 180);
  const camera = new THREE.PerspectiveCamera(40, 16 / 9, 0.1, 50);
  camera.position.set(0, 1.5, 6);
  camera.lookAt(0, 0.8, 0);
  const pixel = new Uint8Array(4), gl = renderer.getContext();
  const found = {};
  const draw = ({ scene, step }) => {
    const start = performance.now();
    step();
    const updated = performance.now();
    renderer.render(scene, camera);
    const drawn = performance.now();
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    return [performance.now() - start, updated - start, drawn - updated];
  };
  for (const name of Object.keys(libraries)) {
    stages[name].scene.add(new THREE.DirectionalLight(0xffffff, 3));
    for (let i = 0; i < 3; ++i) draw(stages[name]);
    found[name] = [[], [], []];
  }
  for (let i = 0; i < frames; ++i) {
    for (const name of Object.keys(libraries)) draw(stages[name]).forEach((time, k) => found[name][k].push(time));
  }
  return Object.fromEntries(Object.entries(found).map(([name, lists]) => [name, lists.map(median)]));
}

// Milliseconds of the first update after the page's first avatar was loaded.
async function measureFirst(bytes) {
  const vrm = await VRM.load(bytes);
  const start = performance.now();
  vrm.update(DT);
  return performance.now() - start;
}

window.measure = { measureFirst: async (url) => measureFirst(await bytesOf(url)),
  measureUpdate: async (url, ...rest) => (await measureUpdate(await bytesOf(url), ...rest)).times,
  measureLoad: async (url, ...rest) => measureLoad(await bytesOf(url), ...rest),
  measureHeap: async (url, ...rest) => measureHeap(await bytesOf(url), ...rest),
  measureFrames: async (url, count, frames) => measureFrames((await measureUpdate(await bytesOf(url), count, 1, 1)).stages, frames) };
async function bytesOf(url) {
  return (await fetch(url)).arrayBuffer();
}
window.ready = true;
