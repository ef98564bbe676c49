// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Agreement with three-vrm on hair of every shape that three-vrm handles correctly (scenes/avatar_shapes.h,
// docs/three-vrm.md). test_three_vrm.mjs makes the same comparison with other people's files and takes longer.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const tools = new URL('../../tools/compare/', import.meta.url);
const build = process.env.VRM_BUILD_DIR ?? 'build/release';
const makeShape = join(build, 'make_shape');
if (!existsSync(new URL('node_modules/three/package.json', tools))) {
  console.log('skipped: npm packages of tools/compare are not installed (npm ci --prefix tools/compare)');
  process.exit(77);
}
const { compareModel, tolerance } = await import(new URL('compare.mjs', tools));
const command = process.env.VRM_COMMAND ?? join(build, 'bin/vrm');
const temporary = mkdtempSync(join(tmpdir(), 'vrm-shapes-'));
process.on('exit', () => rmSync(temporary, { recursive: true }));

// three-vrm has no limits, and moves tails away from their nodes under mirrored and uneven scales.
const wrong = ['limits', 'mirrored', 'uneven'];
const names = execFileSync(makeShape, { encoding: 'utf8' }).trim().split('\n').filter((name) => !wrong.includes(name));

let failures = 0;
function check(name, what, found, limit) {
  if (!(found.value <= limit)) {
    ++failures;
    console.log(`FAILED ${name}: ${what} ${found.value.toExponential(2)} > ${limit} at ${found.where}`);
  }
}

for (const name of process.argv.length > 2 ? process.argv.slice(2) : names) {
  const path = join(temporary, `${name}.vrm`);
  execFileSync(makeShape, [name, path]);
  const { free, step, joints, ours } = await compareModel(command, path, { frames: name === 'many' ? 10 : 30 });
  if (joints !== ours || joints === 0) {
    ++failures;
    console.log(`FAILED ${name}: ${ours} spring joints, three-vrm has ${joints}`);
  }
  console.log(`${name}: rotation ${free.angle.value.toExponential(1)} rad, position ${free.position.value.toExponential(1)} m, `
    + `${free.looseJoints} loose joints ${free.loose.value.toFixed(2)} of their limit; one step of ${joints} joints ${step.value.toFixed(2)} of the tolerance`);
  check(name, 'rotation', free.angle, tolerance.angle);
  check(name, 'position', free.position, tolerance.position);
  // Rounding adds up over a row of 136 joints. A comparison of single steps says little there, and the limit of loose
  // chains, which is made for chains of usual length, is doubled.
  check(name, 'tails of loose chains, of their limit', free.loose, name === 'row' ? 2 : 1);
  if (name !== 'row') check(name, 'one step', step, 1);
}
process.exit(failures === 0 ? 0 : 1);
