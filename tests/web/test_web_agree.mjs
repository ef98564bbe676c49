// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Compares 300 frames of libvrm/three with three-vrm: the same script, through the same names, within the tolerances of
// the native comparison (tests/compare/test_three_vrm.mjs), whose patches of three-vrm are used here, too.

import { cpSync, existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { command, check, end, folder, package_, root, run } from './web.mjs';

const tools = join(root, 'tools/compare/');
if (!existsSync(join(tools, 'node_modules/three/package.json'))) {
  console.log('skipped: npm packages of tools/compare are not installed (npm ci --prefix tools/compare)');
  process.exit(77);
}
const { compareFreeRun, makeScript, tolerance } = await import(join(tools, 'compare.mjs'));
const { loadThree, namesakeTrace, threeTrace } = await import(join(tools, 'three_trace.mjs'));
const { randomAvatar } = await import(join(tools, 'random_avatar.mjs'));
const { randomAvatar0 } = await import(join(tools, 'random_avatar0.mjs'));

// Both must use the same copy of three as the comparison.
symlinkSync(join(tools, 'node_modules'), join(folder, 'node_modules'));
cpSync(join(package_, 'dist'), join(folder, 'dist'), { recursive: true });
// Node 18 treats a script as a module if the package around it says so.
cpSync(join(package_, 'package.json'), join(folder, 'package.json'));
const { VRMLoaderPlugin: Plugin } = await import(join(folder, 'dist/three/index.js'));

const tails = ({ instance }) => instance.springBoneManager.getTails();

const models = [];
for (const options of [['--minimal'], ['--minimal', '--seed=1'], ['--seed=2']]) {
  const path = join(folder, `sample${options.join('')}.vrm`);
  run(command, 'sample', '-o', path, ...options);
  models.push({ path, mode: 'normalized' });
}
models.push({ path: models[0].path, mode: 'raw' });
// In this file of VRM 0.x the gravity points straight down. Otherwise three-vrm would read it in the world's axes,
// libvrm in those of the avatar that looks along +Z.
const old = JSON.parse(randomAvatar0(1));
for (const group of old.extensions.VRM.secondaryAnimation.boneGroups) group.gravityDir = { x: 0, y: -1, z: 0 };
for (const [name, text] of [['random', randomAvatar(1)], ['random-0.x', JSON.stringify(old)]]) {
  const path = join(folder, `${name}.gltf`);
  writeFileSync(path, text);
  models.push({ path, mode: 'normalized' });
}

for (const { path, mode } of models) {
  const name = `${path.split('/').pop()} (${mode})`;
  const model = await loadThree(path, mode);
  const script = makeScript(model, { seed: 1, frames: 300, mode });
  const theirs = await threeTrace(path, script);
  const ours = await namesakeTrace(path, script, { Plugin, options: { springTime: 'reference' }, tails });
  let found = compareFreeRun(ours, theirs);
  if (found.angle.value > tolerance.angle || theirs.drag.some((drag) => drag < 0.4)) {
    found = compareFreeRun(ours, theirs, await threeTrace(path, script, { float: true }));
  }
  const { angle, position, morphs, materials, lookAt, loose } = found;
  console.log(`${name}: angle ${angle.value.toExponential(1)}, position ${position.value.toExponential(1)}, morphs ${
    morphs.value.toExponential(1)}, materials ${materials.value.toExponential(1)}, gaze ${lookAt.value.toExponential(1)}`);
  for (const [what, { value, where }, limit] of [['angle', angle, tolerance.angle], ['position', position, tolerance.position],
    ['morphs', morphs, tolerance.value], ['materials', materials, tolerance.value], ['gaze', lookAt, tolerance.angle], ['loose', loose, 1]]) {
    check(`${name}, ${what}: ${value} at ${where}, at most ${limit}`, value <= limit);
  }
  ours.vrm.dispose();
}
end();
