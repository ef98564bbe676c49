// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// node tools/picture/bench.mjs [--build build/release] [MODEL.vrm]
//
// Compares rendering by libvrm and by three-vrm in headless Chromium, in one run. Both use the same driver if Chromium
// can use it. Measured are the time from bytes to the first picture, a frame of 1024 x 1024 pixels, and the CPU time to
// update and submit a frame, with all functions of OpenGL replaced by empty ones on both sides. The figures are in
// docs/render.md.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { available, openPage } from './browser.mjs';

const args = process.argv.slice(2);
const buildAt = args.indexOf('--build');
const build = buildAt >= 0 ? args.splice(buildAt, 2)[1] : 'build/release';
if (!available) {
  console.log('skipped: no Chromium or no node_modules (npm ci --prefix tools/picture)');
  process.exit(77);
}
const temporary = mkdtempSync(join(tmpdir(), 'vrm-bench-'));
process.on('exit', () => rmSync(temporary, { recursive: true }));
let path = args[0];
if (!path) {
  path = join(temporary, 'sample.vrm');
  execFileSync(join(build, 'bin/vrm'), ['sample', '--minimal', '-o', path]);
}

const { page, gpu, close } = await openPage('bench_page.mjs', 'window.bench', () => resolve(path));
const theirs = await page.evaluate((...a) => window.bench(...a), '/avatar/0', 6, 40, 100);
await close();
const ours = JSON.parse(execFileSync(join(build, 'bench_render'), [path, '--json'], { encoding: 'utf8' }));

console.log(`libvrm by    ${ours.driver}\nthree-vrm by ${gpu}\n`);
console.log(`${''.padEnd(44)} ${'libvrm'.padStart(10)} ${'three-vrm'.padStart(10)}`);
for (const [what, key, unit] of [['bytes to picture, the first of the process', 'first_ms', 'ms'],
  ['bytes to picture, another avatar', 'load_ms', 'ms'], ['frame of 1024 x 1024', 'frame_ms', 'ms'],
  ['update and submission without OpenGL', 'submit_us', 'us']]) {
  console.log(`${what.padEnd(44)} ${ours[key].toFixed(2).padStart(10)} ${theirs[key].toFixed(2).padStart(10)} ${unit} ${(theirs[key] / ours[key]).toFixed(1).padStart(7)} x`);
}
