// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Agreement with three-vrm (docs/three-vrm.md) on the sample and on other people's files. Each file's allowed
// differences are listed with their reasons.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const tools = new URL('../../tools/compare/', import.meta.url);
if (!existsSync(new URL('node_modules/three/package.json', tools))) {
  console.log('skipped: npm packages of tools/compare are not installed (npm ci --prefix tools/compare)');
  process.exit(77);
}
const { compareModel, tolerance } = await import(new URL('compare.mjs', tools));
const { randomAvatar } = await import(new URL('random_avatar.mjs', tools));
const { randomAvatar0 } = await import(new URL('random_avatar0.mjs', tools));

const command = process.env.VRM_COMMAND ?? 'build/release/bin/vrm';
const shared = process.env.VRM_SHARED ?? '../shared';
const temporary = mkdtempSync(join(tmpdir(), 'vrm-three-'));
process.on('exit', () => rmSync(temporary, { recursive: true }));

const models = [];
for (const seed of [0, 1, 2]) {
  const path = join(temporary, `sample-${seed}.vrm`);
  execFileSync(command, ['sample', '--minimal', '-o', path, '--seed', String(seed)]);
  models.push({ path, modes: seed === 0 ? ['normalized', 'raw'] : ['normalized'] });
}
for (const options of [['--seed=0'], ['--seed=1', '--outfit=hoodie', '--hair=short']]) {
  const path = join(temporary, `full${options.join('')}.vrm`);
  execFileSync(command, ['sample', '-o', path, ...options]);
  models.push({ path, modes: ['normalized'] });
}
for (const seed of [1, 2, 3, 4, 5, 6, 7]) {
  const path = join(temporary, `random-${seed}.gltf`);
  writeFileSync(path, randomAvatar(seed, { lowDrag: seed === 7 }));
  models.push({ path, modes: ['normalized'] });
}
for (const seed of [1, 3]) {
  const path = join(temporary, `random-0.x-${seed}.gltf`);
  writeFileSync(path, randomAvatar0(seed));
  models.push({ path, modes: ['normalized'] });
}
for (const folder of ['conformance', 'blender', 'avatars', 'gltf/three-vrm-springbone', 'gltf/three-vrm-node-constraint']) {
  const where = join(shared, 'models', folder);
  if (!existsSync(where)) {
    console.log(`skipped: ${where} is not there`);
    continue;
  }
  for (const file of readdirSync(where).sort()) {
    if (/\.(vrm|glb|gltf)$/.test(file)) models.push({ path: join(where, file), modes: ['normalized'] });
  }
}

let failures = 0;
function check(name, what, found, limit) {
  if (!(found.value <= limit)) {
    ++failures;
    console.log(`FAILED ${name}: ${what} ${found.value.toExponential(2)} > ${limit} at ${found.where}`);
  }
}

for (const { path, modes } of models) {
  for (const mode of modes) {
    const name = `${basename(path)} (${mode})`;
    const result = await compareModel(command, path, { mode, frames: 300 });
    if (result.joints !== result.ours) {
      ++failures;
      console.log(`FAILED ${name}: ${result.ours} spring joints, three-vrm has ${result.joints}`);
    }
    const { free, step } = result;
    console.log(`${name}: rotation ${free.angle.value.toExponential(1)} rad, position ${free.position.value.toExponential(1)} m, `
      + `morphs ${free.morphs.value.toExponential(1)}, materials ${free.materials.value.toExponential(1)}, `
      + `gaze ${free.lookAt.value.toExponential(1)} rad; ${free.looseJoints} loose joints ${free.loose.value.toFixed(2)} of their limit; one step of ${result.joints} joints ${step.value.toFixed(2)} of the tolerance`);
    check(name, 'rotation', free.angle, tolerance.angle);
    check(name, 'position', free.position, tolerance.position);
    check(name, 'morphs', free.morphs, tolerance.value);
    check(name, 'materials', free.materials, tolerance.value);
    check(name, 'gaze', free.lookAt, tolerance.angle);
    check(name, 'tails of loose chains, of their limit', free.loose, 1);
    check(name, 'one step', step, 1);
  }
}
console.log(`${models.length} models, ${failures} failures`);
process.exit(failures === 0 ? 0 : 1);
