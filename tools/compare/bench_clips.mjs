// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Compares clips on a crowd of avatars between libvrm and three.js' AnimationMixer with three-vrm-animation, in one
// run: `node tools/compare/bench_clips.mjs [--build build/release] [CLIP.vrma...]`. Both have the same avatar (the
// generated sample) and the same clips: a generated one with every bone at 30 keys a second, and the named ones.
// "applied" includes the mixer, three-vrm's humanoid (from normalized to raw bones), expressions and gaze. "with world
// matrices" also includes the world matrices of the whole scene. All values are medians.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import * as THREE from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { VRMHumanBoneList, VRMHumanBoneParentMap } from '@pixiv/three-vrm';
import { VRMAnimationLoaderPlugin, VRMLookAtQuaternionProxy, createVRMAnimationClip } from '@pixiv/three-vrm-animation';
import { loadThree, readModel } from './three_trace.mjs';

const args = process.argv.slice(2);
const buildAt = args.indexOf('--build');
const build = buildAt >= 0 ? args.splice(buildAt, 2)[1] : 'build/release';
const temporary = mkdtempSync(join(tmpdir(), 'vrm-bench-'));
process.on('exit', () => rmSync(temporary, { recursive: true }));

/** A clip of ten seconds with 30 keys a second: every bone except the eyes, and five expressions. */
function makeClip() {
  const bones = VRMHumanBoneList.filter((bone) => !/Eye$|jaw/.test(bone));
  const keys = 301;
  const floats = [];
  const accessors = [];
  const add = (values, type, width) => {
    accessors.push({ bufferView: 0, byteOffset: floats.length * 4, componentType: 5126, count: values.length / width, type,
      ...(width === 1 ? { min: [values[0]], max: [values.at(-1)] } : {}) });
    for (const value of values) floats.push(value);
    return accessors.length - 1;
  };
  const frames = Array.from({ length: keys }, (_, k) => k);
  const times = add(frames.map((k) => k / 30), 'SCALAR', 1);
  const nodes = [{ name: 'root', children: [1] }];
  const samplers = [];
  const channels = [];
  const animate = (node, path, width, value) => {
    samplers.push({ input: times, output: add(frames.flatMap(value), width === 4 ? 'VEC4' : 'VEC3', width) });
    channels.push({ sampler: samplers.length - 1, target: { node, path } });
  };
  const humanBones = {};
  bones.forEach((bone, i) => {
    let parent = VRMHumanBoneParentMap[bone];
    while (parent && !humanBones[parent]) parent = VRMHumanBoneParentMap[parent];
    humanBones[bone] = { node: nodes.length };
    if (parent) (nodes[humanBones[parent].node].children ??= []).push(nodes.length);
    nodes.push({ name: bone, translation: [0, bone === 'hips' ? 1 : 0.1, 0] });
    animate(nodes.length - 1, 'rotation', 4, (k) => {
      const v = [Math.sin(k / 20 + i), Math.sin(k / 31 + 2 * i), Math.sin(k / 13 + 3 * i)].map((c) => 0.3 * c);
      const length = Math.hypot(...v, 1);
      return [...v, 1].map((c) => c / length);
    });
  });
  animate(humanBones.hips.node, 'translation', 3, (k) => [0.1 * Math.sin(k / 20), 1 + 0.05 * Math.sin(k / 9), 0]);
  const preset = {};
  ['happy', 'aa', 'ih', 'blink', 'relaxed'].forEach((name, i) => {
    preset[name] = { node: nodes.length };
    nodes.push({ name });
    animate(nodes.length - 1, 'translation', 3, (k) => [0.5 + 0.5 * Math.sin(k / 10 + i), 0, 0]);
  });
  const bytes = Buffer.from(Float32Array.from(floats).buffer);
  const roots = nodes.map((_, i) => i).filter((i) => !nodes.some((node) => node.children?.includes(i)));
  return JSON.stringify({ asset: { version: '2.0' }, extensionsUsed: ['VRMC_vrm_animation'], scene: 0, scenes: [{ nodes: roots }], nodes,
    animations: [{ samplers, channels }], accessors, bufferViews: [{ buffer: 0, byteLength: bytes.length }],
    buffers: [{ byteLength: bytes.length, uri: `data:application/octet-stream;base64,${bytes.toString('base64')}` }],
    extensions: { VRMC_vrm_animation: { specVersion: '1.0', humanoid: { humanBones }, expressions: { preset } } } });
}

const avatar = join(temporary, 'sample.vrm');
execFileSync(join(build, 'bin/vrm'), ['sample', '--minimal', '-o', avatar]);
const made = join(temporary, 'made.gltf');
writeFileSync(made, makeClip());
const clips = [made, ...args];
const ours = JSON.parse(execFileSync(join(build, 'bench_clips'), [avatar, ...clips, '--json'], { encoding: 'utf8' }));

const { warn } = console;
console.warn = () => {};
const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
const count = 20;
for (const [i, path] of clips.entries()) {
  const loader = new GLTFLoader();
  loader.register((parser) => new VRMAnimationLoaderPlugin(parser));
  const animation = (await loader.parseAsync(readModel(path), '')).userData.vrmAnimations[0];
  const crowd = [];
  for (let k = 0; k < count; ++k) {
    const { vrm, gltf } = await loadThree(avatar, 'normalized');
    if (vrm.lookAt) {
      const proxy = new VRMLookAtQuaternionProxy(vrm.lookAt);
      proxy.name = 'lookAtQuaternionProxy';
      vrm.scene.add(proxy);
    }
    const mixer = new THREE.AnimationMixer(vrm.scene);
    const action = mixer.clipAction(createVRMAnimationClip(animation, vrm));
    action.play();
    action.time = animation.duration * k / count;
    crowd.push({ vrm, mixer, scene: gltf.scene });
  }
  const applied = [];
  const placed = [];
  for (let f = 0; f < 500; ++f) {
    for (const { vrm, mixer, scene } of crowd) {
      const start = performance.now();
      mixer.update(1 / 60);
      vrm.humanoid.update();
      const between = performance.now();
      scene.updateMatrixWorld(true);
      if (f >= 200) {
        applied.push(between - start);
        placed.push(performance.now() - start);
      }
    }
  }
  const row = (what, mine, theirs) => console.log(`${basename(path).padEnd(20)} ${what.padEnd(22)} libvrm ${mine.toFixed(3)} us, three-vrm ${theirs.toFixed(1)} us: ${(theirs / mine).toFixed(1)} x; ${(1e3 / mine).toFixed(0)} avatars a millisecond beside ${(1e3 / theirs).toFixed(1)}`);
  row('applied', ours[i].apply_us, median(applied) * 1e3);
  row('with world matrices', ours[i].update_us, median(placed) * 1e3);
}
console.warn = warn;
