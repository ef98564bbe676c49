// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Compares BVH with three.js' BVHLoader. The motions vary in the joints' names, which follow several tools, in the rest
// pose (T or A), in the axis that points up (Y or Z) and in the unit (metres, centimetres or inches). They are
// retargeted to an avatar with random rest rotations. Its limbs must point in the same directions as the limbs of the
// source.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { namings, skeleton, worstLimb } from '../fixtures/figure.mjs';

const tools = new URL('../../tools/compare/', import.meta.url);
if (!existsSync(new URL('node_modules/three/package.json', tools))) {
  console.log('skipped: npm packages of tools/compare are not installed (npm ci --prefix tools/compare)');
  process.exit(77);
}
const { generator } = await import(new URL('compare.mjs', tools));
const { randomAvatar } = await import(new URL('random_avatar.mjs', tools));
const { bvhFrames } = await import(new URL('three_bvh.mjs', tools));
const { glbFrames } = await import(new URL('three_fbx.mjs', tools));

const command = process.env.VRM_COMMAND ?? 'build/release/bin/vrm';
const temporary = mkdtempSync(join(tmpdir(), 'vrm-bvh-'));
process.on('exit', () => rmSync(temporary, { recursive: true }));

function makeBvh(seed, naming, { slope = 0, zUp = false, unit = 0.01, order = 'ZXY' }) {
  const random = generator(seed);
  const turn = ([x, y, z], bone) => {
    // In an A-pose the arms hang down by `slope` degrees.
    const arm = /(LowerArm|Hand)$/.test(bone) ? slope * Math.PI / 180 : 0;
    const [c, s] = [Math.cos(arm), Math.sin(arm)];
    const hung = [x * c, y - Math.abs(x) * s, z];
    return (zUp ? [hung[0], -hung[2], hung[1]] : hung).map((v) => v / unit);
  };
  const lines = ['HIERARCHY'];
  const channels = [];
  const write = (bone, depth) => {
    const tab = '\t'.repeat(depth);
    const offset = bone === 'hips' ? [0, 0, 0] : turn(skeleton[bone][1], bone);
    lines.push(`${tab}${bone === 'hips' ? 'ROOT' : 'JOINT'} ${namings[naming][bone]}`, `${tab}{`, `${tab}\tOFFSET ${offset.map((v) => v.toFixed(6)).join(' ')}`);
    const rotation = [...order].map((axis) => `${axis}rotation`).join(' ');
    lines.push(`${tab}\tCHANNELS ${bone === 'hips' ? `6 Xposition Yposition Zposition ${rotation}` : `3 ${rotation}`}`);
    channels.push(...(bone === 'hips' ? ['p', 'p', 'p'] : []), 'r', 'r', 'r');
    const children = Object.keys(skeleton).filter((child) => skeleton[child][0] === bone);
    children.forEach((child) => write(child, depth + 1));
    if (children.length === 0) lines.push(`${tab}\tEnd Site`, `${tab}\t{`, `${tab}\t\tOFFSET ${turn(/Foot/.test(bone) ? [0, -0.06, 0.1] : [0, 0.1, 0], bone).map((v) => v.toFixed(6)).join(' ')}`, `${tab}\t}`);
    lines.push(`${tab}}`);
  };
  write('hips', 0);
  const frames = 12;
  lines.push('MOTION', `Frames: ${frames}`, 'Frame Time: 0.1');
  for (let f = 0; f < frames; ++f) {
    lines.push(channels.map((kind) => (kind === 'p' ? random() / unit : 100 * (random() - 0.5)).toFixed(5)).join(' '));
  }
  return `${lines.join('\n')}\n`;
}

/** Compares joint by joint. A T-pose needs no guess, so the clip's rotations are the joints' rotations in the world. */
async function jointByJoint(seed, naming, order) {
  const text = makeBvh(seed, naming, { order, unit: 0.01 });
  writeFileSync(join(temporary, 'joints.bvh'), text);
  execFileSync(command, ['convert-motion', '--quiet', '--unit', '0.01', join(temporary, 'joints.bvh'), '-o', join(temporary, 'joints.vrma')]);
  const times = Array.from({ length: 12 }, (_, f) => Math.fround(0.1 * f));
  const theirs = bvhFrames(text, times, true);
  const ours = await glbFrames(readFileSync(join(temporary, 'joints.vrma')), times);
  let worst = 0;
  times.forEach((_, f) => {
    for (const bone of Object.keys(skeleton)) {
      const [mine, other] = [ours[f][bone], theirs[f][namings[naming][bone]]];
      const sign = Math.sign(mine.world.reduce((sum, v, i) => sum + v * other.world[i], 0));
      worst = Math.max(worst, Math.hypot(...mine.world.map((v, i) => v - sign * other.world[i])), ...(bone === 'hips' ? mine.position.map((v, i) => Math.abs(v - other.position[i] * 0.01)) : []));
    }
  });
  return worst;
}

let failures = 0;
for (const [i, order] of ['ZXY', 'XYZ', 'YXZ', 'ZYX'].entries()) {
  const worst = await jointByJoint(90 + i, 'mixamo', order);
  console.log(`joint by joint, ${order}: within ${worst.toExponential(1)}`);
  if (!(worst < 1e-5)) {
    ++failures;
    console.log('FAILED');
  }
}
const avatar = join(temporary, 'avatar.gltf');
writeFileSync(avatar, randomAvatar(1));
const conditions = [{}, { slope: 45 }, { zUp: true, order: 'XYZ' }, { slope: 35, zUp: true, unit: 1 }, { unit: 0.0254, order: 'YXZ' }];
let seed = 1;
for (const naming of Object.keys(namings)) {
  for (const condition of conditions) {
    const text = makeBvh(++seed, naming, condition);
    const clip = join(temporary, 'clip.bvh');
    writeFileSync(clip, text);
    const script = { dt: 0.1, frames: 12, mode: 'normalized', time: 'reference', events: [] };
    writeFileSync(join(temporary, 'script.json'), JSON.stringify(script));
    execFileSync(command, ['trace', '--quiet', '--motion', clip, avatar, join(temporary, 'script.json'), '-o', join(temporary, 'trace.json')]);
    const ours = JSON.parse(readFileSync(join(temporary, 'trace.json')));
    const theirs = bvhFrames(text, Array.from({ length: 12 }, (_, f) => 0.1 * f));
    const [worst, where] = worstLimb(ours, theirs, (bone) => namings[naming][bone], condition.zUp ? ([x, y, z]) => [x, z, -y] : (v) => v);
    console.log(`${naming} ${JSON.stringify(condition)}: limbs within ${worst.toFixed(4)} degrees`);
    if (!(worst < 0.5)) {
      ++failures;
      console.log(`FAILED at ${where}`);
    }
  }
}
process.exit(failures === 0 ? 0 : 1);
