// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Compares libvrm with three-vrm in one run: `node tools/compare/bench.mjs [--build build/release] [--no-centers]
// [--json] [MODEL]`. Both have the same model, the same motion (written by bench_frame) and the same frames, without
// images. The time of setting the pose is not included. For three-vrm the fastest load and the median update are used.
// --no-centers removes the center from every spring of a .glb, because three-vrm wraps the matrices of centers in a
// Proxy, which is slow. The figures are in docs/benchmarks.md; bench/peer runs this program with and without centers.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeActor, median, timeFrame } from './three_frame.mjs';
import { loadThree } from './three_trace.mjs';

const args = process.argv.slice(2);
if (args[0] === '--load-peak') {
  // The first load runs in a process of its own. Measures the rise of resident memory, without the file's bytes.
  readFileSync(args[1]);
  const before = process.resourceUsage().maxRSS;
  const start = performance.now();
  await loadThree(args[1], 'normalized');
  console.log(JSON.stringify({ first: performance.now() - start, peak: (process.resourceUsage().maxRSS - before) * 1024 }));
  process.exit(0);
}
const buildAt = args.indexOf('--build');
const build = buildAt >= 0 ? args.splice(buildAt, 2)[1] : 'build/release';
const centersAt = args.indexOf('--no-centers');
if (centersAt >= 0) args.splice(centersAt, 1);
const jsonAt = args.indexOf('--json');
if (jsonAt >= 0) args.splice(jsonAt, 1);
const temporary = mkdtempSync(join(tmpdir(), 'vrm-bench-'));
process.on('exit', () => rmSync(temporary, { recursive: true }));
let path = args[0];
if (!path) {
  path = join(temporary, 'sample.vrm');
  execFileSync(join(build, 'bin/vrm'), ['sample', '--minimal', '-o', path]);
}
if (centersAt >= 0) {
  const glb = readFileSync(path);
  const end = 20 + glb.readUInt32LE(12);
  const json = JSON.parse(glb.toString('utf8', 20, end));
  const springs = json.extensions?.VRMC_springBone?.springs ?? json.extensions?.VRM?.secondaryAnimation?.boneGroups ?? [];
  springs.forEach((spring) => delete spring.center);
  const text = Buffer.from(JSON.stringify(json).padEnd(end - 20)); // padded, so that the chunk keeps its length
  path = join(temporary, 'no-centers.vrm');
  writeFileSync(path, Buffer.concat([glb.subarray(0, 20), text, glb.subarray(end)]));
}

const now = () => performance.now();

const count = 20; // enough for three-vrm's steady cost; a thousand would need too much memory

const posesPath = join(temporary, 'poses.json');
const run = (program, ...rest) => JSON.parse(execFileSync(join(build, program), rest, { encoding: 'utf8' }));
const ours = run('bench_frame', path, '--json', '--poses', posesPath);
const crowdOfOurs = run('bin/vrm', 'bench', path, '-n', String(count), '--format', 'json');
const poses = JSON.parse(readFileSync(posesPath));

const once = JSON.parse(execFileSync(process.execPath, [fileURLToPath(import.meta.url), '--load-peak', path],
  { encoding: 'utf8' }));

// --- three-vrm -----------------------------------------------------------------------------------------------------

const loads = [];
let model;
for (let i = 0; i < 15; ++i) {
  const start = now();
  model = await loadThree(path, 'normalized');
  loads.push(now() - start);
}

const crowd = [];
globalThis.gc?.();
const heapBefore = process.memoryUsage().rss;
for (let i = 0; i < count; ++i) crowd.push(await makeActor(path));
const resident = (process.memoryUsage().rss - heapBefore) / count;

const totals = [];
const springs = [];

// Each avatar is timed by itself: interruptions by other programs affect only a few of them, and the median ignores
// those.
for (let i = 0; i < 600; ++i) {
  for (const actor of crowd) {
    const time = timeFrame(actor, poses[i % poses.length], 1 / 60);
    if (i >= 200) {
      totals.push(time.update);
      springs.push(time.springs);
    }
  }
}
const theirs = { load: Math.min(...loads), update: median(totals) * 1e3, springs: median(springs) * 1e3 };

// --- report --------------------------------------------------------------------------------------------------------

const at60 = ours.rates[60];
const rows = [
  ['load without images', ours.load_ms, theirs.load, 'ms'],
  ['load, the first one of the process', ours.first_load_ms, once.first, 'ms'],
  ['open cooked, beside a load', crowdOfOurs.cookedOpenUs / 1e3, theirs.load, 'ms'],
  ['load, peak besides the file', ours.load_peak_bytes / 1e6, once.peak / 1e6, 'MB'],
  ['update at 60 Hz, with world and palettes', at60.us_per_update, theirs.update, 'us'],
  [`the same, each of ${count}`, crowdOfOurs.crowdUsPerUpdate, theirs.update, 'us'],
  ['springs at 60 Hz', at60.spring, theirs.springs, 'us'],
  ['springs, per joint', at60.ns_per_spring_joint, (theirs.springs * 1e3) / ours.joints, 'ns'],
  [`springs, per joint, each of ${count}`, crowdOfOurs.crowdNsPerSpringJoint, (theirs.springs * 1e3) / ours.joints, 'ns'],
  ['memory per avatar', ours.bytes_per_instance / 1e6, resident / 1e6, 'MB'],
];
if (jsonAt >= 0) {
  console.log(JSON.stringify(rows.map(([what, libvrm, three, unit]) => ({ what, libvrm, three, unit, ratio: three / libvrm }))));
} else {
  const head = `${ours.nodes} nodes, ${ours.joints} spring joints${centersAt >= 0 ? ', no centers' : ''}`;
  console.log(`${head.padEnd(42)} ${'libvrm'.padStart(10)} ${'three-vrm'.padStart(10)}`);
  for (const [what, mine, their, unit] of rows) {
    const figures = [mine, their].map((value) => value.toFixed(mine < 0.1 ? 3 : 2).padStart(10)).join(' ');
    console.log(`${what.padEnd(42)} ${figures} ${unit.padEnd(3)} ${(their / mine).toFixed(1).padStart(7)} x`);
  }
  console.log(`avatar block of libvrm, shared by its instances: ${(ours.avatar_bytes / 1e3).toFixed(0)} kB`);
}
