// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Compares clips with @pixiv/three-vrm-animation: bones, hips, expressions and gaze over whole clips, other people's
// and generated ones, on the sample and on avatars with random rest rotations. three-vrm-animation plays steps and
// splines of bones and expressions as lines, so these tracks are linear here, and test_clip.c covers steps and splines.
// Hips and gaze keep their interpolation.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const tools = new URL('../../tools/compare/', import.meta.url);
if (!existsSync(new URL('node_modules/@pixiv/three-vrm-animation/package.json', tools))) {
  console.log('skipped: npm packages of tools/compare are not installed (npm ci --prefix tools/compare)');
  process.exit(77);
}
const { makeClip } = await import(new URL('../fixtures/vrma_file.mjs', import.meta.url));
const { randomAvatar } = await import(new URL('random_avatar.mjs', tools));
const { clipFrames } = await import(new URL('three_clip.mjs', tools));

const command = process.env.VRM_COMMAND ?? 'build/release/bin/vrm';
const shared = process.env.VRM_SHARED ?? '../shared';
const temporary = mkdtempSync(join(tmpdir(), 'vrm-vrma-'));
process.on('exit', () => rmSync(temporary, { recursive: true }));

const tolerance = { angle: 1e-4, position: 1e-4, weight: 1e-5 };

// --- comparison ----------------------------------------------------------------------------------------------------

function angle(a, b) {
  const dot = Math.abs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]) / Math.hypot(...a) / Math.hypot(...b);
  const chord = Math.sqrt(Math.max(0, 1 - dot * dot));
  return 2 * Math.atan2(chord, dot);
}

let failures = 0;

async function compare(avatar, clip) {
  const frames = 90;
  const dt = 1 / 30;
  const script = { dt, frames, mode: 'normalized', time: 'reference', events: [] };
  writeFileSync(join(temporary, 'script.json'), JSON.stringify(script));
  execFileSync(command, ['trace', '--quiet', '--motion', clip, avatar, join(temporary, 'script.json'), '-o', join(temporary, 'trace.json')]);
  const ours = JSON.parse(readFileSync(join(temporary, 'trace.json')));
  // The trace adds up dt as a float.
  const times = ours.frames.map((_, i) => i * Math.fround(dt));
  const theirs = await clipFrames(avatar, clip, times);
  const worst = { angle: [0, ''], position: [0, ''], weight: [0, ''], gaze: [0, ''] };
  const note = (what, value, where) => { if (!(value <= worst[what][0])) worst[what] = [value, where]; };
  theirs.frames.forEach((frame, f) => {
    const mine = ours.frames[f];
    for (const [bone, rotation] of Object.entries(frame.bones)) {
      if (theirs.folds.includes(bone)) continue; // test_clip.c covers these bones
      const node = ours.humanBones[bone];
      note('angle', angle(mine.nodes.r.slice(4 * node, 4 * node + 4), rotation), `frame ${f} ${bone}`);
    }
    const hips = ours.humanBones.hips;
    note('position', Math.hypot(...frame.hips.map((c, i) => c - mine.nodes.t[3 * hips + i])), `frame ${f}`);
    for (const [name, weight] of Object.entries(frame.expressions)) {
      // The specification requires clamping; three-vrm's mixer bypasses the setter that clamps.
      note('weight', Math.abs(mine.expressions[name].weight - Math.min(1, Math.max(0, weight))), `frame ${f} ${name}`);
    }
    if (frame.gaze) {
      note('gaze', Math.hypot(mine.lookAt.yaw - frame.gaze[0], mine.lookAt.pitch - frame.gaze[1]) * Math.PI / 180, `frame ${f}`);
    }
  });
  const limits = { angle: tolerance.angle, position: tolerance.position, weight: tolerance.weight, gaze: tolerance.angle };
  const text = Object.entries(worst).map(([what, [value]]) => `${what} ${value.toExponential(1)}`).join(', ');
  console.log(`${basename(avatar)} x ${basename(clip)}: ${text}; ${theirs.moved} bones`);
  for (const [what, limit] of Object.entries(limits)) {
    if (!(worst[what][0] <= limit)) {
      ++failures;
      console.log(`FAILED ${what} ${worst[what][0]} > ${limit} at ${worst[what][1]}`);
    }
  }
}

const avatars = [join(temporary, 'sample.vrm')];
execFileSync(command, ['sample', '--minimal', '-o', avatars[0]]);
for (const seed of [1, 2]) {
  avatars.push(join(temporary, `random-${seed}.gltf`));
  writeFileSync(avatars.at(-1), randomAvatar(seed));
}
const clips = [];
const made = [{}, { expressions: false }, { humanoid: false }, { humanoid: false, expressions: false }, { specVersion: null }];
made.forEach((options, i) => {
  clips.push(join(temporary, `made-${i}.gltf`));
  writeFileSync(clips.at(-1), makeClip(20 + i, options));
});
const folder = join(shared, 'models/animations');
if (existsSync(folder)) {
  clips.push(...readdirSync(folder).filter((file) => file.endsWith('.vrma')).sort().map((file) => join(folder, file)));
} else {
  console.log(`skipped: ${folder} is not there`);
}
const godette = join(shared, 'models/avatars/Godette_vrm_v4.vrm'); // VRM 0.x
if (existsSync(godette)) avatars.push(godette);
for (const avatar of avatars) {
  for (const clip of clips) await compare(avatar, clip);
}
console.log(`${avatars.length} avatars, ${clips.length} clips, ${failures} failures`);
process.exit(failures === 0 ? 0 : 1);
