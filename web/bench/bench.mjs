// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Compares libvrm's package with three-vrm in one process. The two take turns frame by frame, with the same avatar,
// motion and frames. On both sides an update ends when bones and morphs are ready to draw; setting the pose is not
// timed.
//
//     node web/bench/bench.mjs [--native NAME=BUILD]... [MODEL.vrm]
//
// Needs scripts/web, `npm ci --prefix tools/compare`, and bench_frame in build/release (which writes the motion) or
// --native. Prints medians. --native adds the time of another build's bench_frame, for example one with
// -DVRM_LANES=FOUR, which is SSE2.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeActor, median, timeFrame } from '../../tools/compare/three_frame.mjs';
import { loadThree } from '../../tools/compare/three_trace.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const builds = { release: join(root, 'build/release') };
let path = null;
for (let i = 2; i < process.argv.length; ++i) {
  if (process.argv[i] === '--native') {
    const [name, build] = process.argv[++i].split('=');
    builds[name] = build;
  } else {
    path = process.argv[i];
  }
}
const temporary = mkdtempSync(join(tmpdir(), 'vrm-bench-'));
process.on('exit', () => rmSync(temporary, { recursive: true }));
if (!path) {
  path = join(temporary, 'sample.vrm');
  execFileSync(join(builds.release, 'bin/vrm'), ['sample', '--minimal', '-o', path]);
}
const bytes = readFileSync(path);
const posesPath = join(temporary, 'poses.json');
const native = Object.entries(builds).map(([name, build]) => [name,
  JSON.parse(execFileSync(join(build, 'bench_frame'), [path, '--json', '--poses', posesPath], { encoding: 'utf8' })).rates[60].us_per_update]);
const poses = JSON.parse(readFileSync(posesPath));

const dist = join(root, 'build/web/package/dist');
const full = await import(join(dist, 'index.js'));
const runtime = await import(join(dist, 'runtime.js'));
const wasm = (name) => readFileSync(join(dist, name));
const simd = await full.init(wasm('vrm.wasm'));
const kinds = {
  'vrm.wasm': [full, simd, bytes],
  'vrm-scalar.wasm': [full, await full.init(wasm('vrm-scalar.wasm')), bytes],
  'vrm-runtime.wasm': [runtime, await runtime.init(wasm('vrm-runtime.wasm')), full.cook(await full.loadAvatar(bytes, { module: simd }))],
};

// --- loading ---

const times = async (count, job) => {
  const found = [];
  for (let i = 0; i < count; ++i) {
    const start = performance.now();
    await job();
    found.push(performance.now() - start);
  }
  return median(found);
};
console.log(`load, ms: three-vrm ${(await times(15, () => loadThree(path, 'normalized'))).toFixed(2)}`
  + `, vrm.wasm ${(await times(15, async () => (await full.VRM.load(bytes, { module: simd })).dispose())).toFixed(2)}`
  + `, vrm-runtime.wasm (cooked) ${(await times(15, async () => {
    const [entry, module, cooked] = kinds['vrm-runtime.wasm'];
    (await entry.VRM.load(cooked, { module })).dispose();
  })).toFixed(3)}`);

// --- updates ---

function pose(vrm, values, rest) {
  for (const [bone, value] of Object.entries(values)) {
    if (bone === 'way') vrm.humanoid.setHipsPosition(rest.map((at, i) => at + value[i]));
    else if (vrm.humanoid.humanBones[bone] !== undefined) vrm.humanoid.setNormalizedRotation(bone, value);
  }
}

async function compare(count, frames, warm) {
  const actors = [];
  for (let i = 0; i < count; ++i) actors.push(await makeActor(path));
  const crowds = {};
  for (const [name, [entry, module, source]] of Object.entries(kinds)) {
    const avatar = await entry.loadAvatar(source, { module });
    const before = module.memoryBytes;
    const vrms = Array.from({ length: count }, () => avatar.createInstance());
    crowds[name] = { vrms, entry, rest: avatar.nodes[avatar.humanBones.hips].restPosition, found: [], grown: module.memoryBytes - before };
    for (const vrm of vrms) vrm.lookAt.target = [0.4, 1.4, 2];
  }
  const theirs = [];
  for (let frame = 0; frame < frames; ++frame) {
    const values = poses[frame % poses.length];
    let spent = 0;
    for (const actor of actors) spent += timeFrame(actor, values, 1 / 60).update;
    if (frame >= warm) theirs.push(spent);
    for (const { vrms, entry, rest, found } of Object.values(crowds)) {
      for (const vrm of vrms) pose(vrm, values, rest);
      const start = performance.now();
      if (count === 1) vrms[0].update(1 / 60);
      else entry.updateAll(vrms, 1 / 60);
      if (frame >= warm) found.push(performance.now() - start);
    }
  }
  const three = median(theirs);
  console.log(`${count} avatar${count > 1 ? 's' : ''}, us each: three-vrm ${((1e3 * three) / count).toFixed(1)}`);
  for (const [name, { vrms, found, grown }] of Object.entries(crowds)) {
    const ours = median(found);
    console.log(`  ${name} ${((1e3 * ours) / count).toFixed(1)}, three-vrm ${(three / ours).toFixed(1)} times; `
      + native.map(([build, us]) => `${((1e3 * ours) / count / us).toFixed(2)} of native ${build} (${us.toFixed(1)})`).join(', ')
      + (count > 1 ? `; ${(grown / count / 1024).toFixed(0)} KB an avatar` : ''));
    for (const vrm of vrms) vrm.dispose();
  }
}

await compare(1, 3000, 2000);
await compare(50, 200, 60);
