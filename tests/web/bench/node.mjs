// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// node tests/web/bench/node.mjs AVATAR.vrm
//
// Measures what bench.mjs measures in Chromium in Node, by the processor's time, which other programs disturb less: loads
// without images, and an update of each of 50 avatars with world matrices. Run by hand; docs/web-three.md has the results.

import { readFileSync } from 'node:fs';
import { load, modules, ownLoader } from '../three_load.mjs';

const { THREE, theirs, ours } = await modules();
const bytes = readFileSync(process.argv[2]);
const loader = ownLoader(ours);
const first = await loader.parseAsync(bytes);
const ways = {
  'three-vrm': [theirs, async () => (await load(theirs, bytes)).userData.vrm],
  'the plugin': [ours, async () => (await load(ours, bytes)).userData.vrm],
  VRMLoader: [ours, () => loader.parseAsync(bytes)],
  'a clone': [ours, async () => ours.VRMUtils.clone(first)],
};
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

// Processor time of all threads, milliseconds, so that it includes the collection of garbage.
const loads = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
for (let turn = 0; turn < 120; ++turn) {
  for (const [name, [library, make]] of Object.entries(ways)) {
    const start = process.cpuUsage();
    const vrm = await make();
    const { user, system } = process.cpuUsage(start);
    if (turn >= 20) loads[name].push((user + system) / 1000);
    library.VRMUtils.deepDispose(vrm.scene);
  }
}
const rest = median(loads['three-vrm']);
for (const [name, list] of Object.entries(loads)) console.log(`load, ${name}: ${median(list).toFixed(2)} ms of the processor, ${(rest / median(list)).toFixed(1)} times as fast`);

const BONES = ['spine', 'chest', 'neck', 'head', 'leftUpperArm', 'rightUpperArm', 'leftLowerArm', 'rightLowerArm', 'leftUpperLeg',
  'rightUpperLeg', 'leftLowerLeg', 'rightLowerLeg', 'leftHand', 'rightHand'];
const target = new THREE.Object3D();
target.position.set(0.4, 1.4, 2);
function pose({ humanoid, expressionManager }, t) {
  BONES.forEach((bone, i) => humanoid.getNormalizedBoneNode(bone)?.rotation.set(0.2 * Math.sin(t + i), 0.2 * Math.cos(1.3 * t + i), 0.1 * Math.sin(2 * t)));
  expressionManager.setValue('blink', 0.5 + 0.5 * Math.sin(5 * t));
  expressionManager.setValue('aa', 0.5 + 0.5 * Math.sin(3 * t));
}
const COUNT = 50, times = {};
for (const [name, [, make]] of Object.entries(ways)) {
  const vrms = [];
  while (vrms.length < COUNT) vrms.push(await make());
  const skeletons = vrms.map(({ scene }) => {
    const found = new Set();
    scene.traverse((object) => object.isSkinnedMesh && found.add(object.skeleton));
    return [...found];
  });
  for (const vrm of vrms) vrm.lookAt.target = target;
  // A part takes a short time, so that the shortest of its times is undisturbed. It is one avatar of three-vrm, or ten
  // of libvrm in one call.
  const size = name === 'three-vrm' ? 1 : 10;
  const parts = Array.from({ length: COUNT / size }, (_, k) => ({ first: k * size, vrms: vrms.slice(k * size, k * size + size), least: Infinity }));
  for (let frame = 0; frame < (name === 'three-vrm' ? 60 : 400); ++frame) {
    vrms.forEach((vrm, i) => pose(vrm, frame / 60 + i));
    for (const part of parts) {
      const start = performance.now();
      if (size === 1) part.vrms[0].update(1 / 60);
      else ours.updateAll(part.vrms, 1 / 60);
      part.vrms.forEach(({ scene }, i) => {
        scene.updateMatrixWorld();
        for (const skeleton of skeletons[part.first + i]) skeleton.update();
      });
      part.least = Math.min(part.least, performance.now() - start);
    }
  }
  times[name] = parts.reduce((sum, { least }) => sum + least, 0);
  for (const { scene } of vrms) ways[name][0].VRMUtils.deepDispose(scene);
  console.log(`update of each of ${COUNT}, ${name}: ${(times[name] * 1000 / COUNT).toFixed(1)} us, ${(times['three-vrm'] / times[name]).toFixed(1)} times as fast`);
}
