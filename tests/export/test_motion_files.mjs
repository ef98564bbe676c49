// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Written motions. VRMA written as VRMA, and VRMA written as BVH and then as VRMA, play the same in
// three-vrm-animation. The written files pass the glTF validator and load there.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const tools = new URL('../../tools/compare/', import.meta.url);
if (!existsSync(new URL('node_modules/@pixiv/three-vrm-animation/package.json', tools))) {
  console.log('skipped: npm packages of tools/compare are not installed (npm ci --prefix tools/compare)');
  process.exit(77);
}
const { makeClip } = await import(new URL('../fixtures/vrma_file.mjs', import.meta.url));
const { clipFrames } = await import(new URL('three_clip.mjs', tools));
const validate = fileURLToPath(new URL('../../tools/validate/validate.mjs', import.meta.url));

const command = process.env.VRM_COMMAND ?? 'build/release/bin/vrm';
const shared = process.env.VRM_SHARED ?? '../shared';
const temporary = mkdtempSync(join(tmpdir(), 'vrm-motion-'));
process.on('exit', () => rmSync(temporary, { recursive: true }));

let failures = 0;
const avatar = join(temporary, 'sample.vrm');
execFileSync(command, ['sample', '--minimal', '-o', avatar]);
const times = Array.from({ length: 120 }, (_, f) => f / 60);

const degrees = (a, b) => {
  const dot = Math.abs(a.reduce((sum, v, i) => sum + v * b[i], 0)) / Math.hypot(...a) / Math.hypot(...b);
  return 2 * Math.atan2(Math.sqrt(Math.max(0, 1 - dot * dot)), dot) * 180 / Math.PI;
};

async function compare(title, original, written, { face = true } = {}) {
  const before = await clipFrames(avatar, original, times);
  const after = await clipFrames(avatar, written, times);
  let [turned, moved, weights] = [0, 0, 0];
  before.frames.forEach((frame, f) => {
    const mine = after.frames[f];
    for (const [bone, rotation] of Object.entries(frame.bones)) turned = Math.max(turned, degrees(rotation, mine.bones[bone] ?? [0, 0, 0, 1]));
    moved = Math.max(moved, ...frame.hips.map((v, i) => Math.abs(v - mine.hips[i])));
    if (face) {
      for (const [name, weight] of Object.entries(frame.expressions)) weights = Math.max(weights, Math.abs(weight - mine.expressions[name]));
      if (frame.gaze) weights = Math.max(weights, ...frame.gaze.map((v, i) => Math.abs(v - mine.gaze[i])));
    }
  });
  const good = turned < 0.05 && moved < 1e-4 && weights < 1e-3;
  failures += good ? 0 : 1;
  console.log(`${good ? '' : 'FAILED '}${title}: bones within ${turned.toFixed(4)} degrees, hips ${(moved * 1000).toFixed(4)} mm, face ${weights.toExponential(1)}`);
}

const convert = (from, to, ...options) => {
  execFileSync(command, ['convert-motion', '--quiet', from, '-o', to, ...options]);
  return to;
};
const folder = join(shared, 'models/animations');
const real = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.vrma')).sort().map((file) => join(folder, file)) : [];
const made = [{}, { expressions: false }, { humanoid: false }, { humanoid: false, expressions: false }].map((options, i) => {
  const path = join(temporary, `made-${i}.gltf`);
  writeFileSync(path, makeClip(60 + i, options));
  return path;
});
const written = [];
for (const path of [...made, ...real]) {
  written.push(convert(path, join(temporary, `${basename(path)}.vrma`)));
  await compare(`${basename(path)} -> .vrma`, path, written.at(-1));
}
for (const path of real) { // these have human skeletons
  const bvh = convert(path, join(temporary, `${basename(path)}.bvh`), '--fps', '60');
  written.push(convert(bvh, join(temporary, `${basename(path)}.again.vrma`), '--unit', '0.01'));
  await compare(`${basename(path)} -> .bvh -> .vrma`, path, written.at(-1), { face: false });
}
if (existsSync(new URL('../../tools/validate/node_modules/gltf-validator/package.json', import.meta.url))) {
  try {
    execFileSync(process.execPath, [validate, ...written], { encoding: 'utf8' });
    console.log(`${written.length} files pass the glTF validator`);
  } catch (error) {
    ++failures;
    console.log(`FAILED ${error.stdout}`);
  }
}
process.exit(failures === 0 ? 0 : 1);
