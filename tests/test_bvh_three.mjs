// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// BVH against three.js' BVHLoader: motions with the names of several tools, in T-pose and A-pose, Y up and Z up, in metres,
// centimetres and inches, retargeted to an avatar with random rest rotations: limbs point where the source's do.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const tools = new URL('../tools/compare/', import.meta.url);
if (!existsSync(new URL('node_modules/three/package.json', tools))) {
  console.log('skipped: npm packages of tools/compare are not installed (npm ci --prefix tools/compare)');
  process.exit(77);
}
const { generator } = await import(new URL('compare.mjs', tools));
const { randomAvatar } = await import(new URL('random_avatar.mjs', tools));
const { bvhFrames } = await import(new URL('three_bvh.mjs', tools));

const command = process.env.VRM_COMMAND ?? 'build/release/bin/vrm';
const temporary = mkdtempSync(join(tmpdir(), 'vrm-bvh-'));
process.on('exit', () => rmSync(temporary, { recursive: true }));

// bone: [parent, T-pose offset in metres]; spine1 is between spine and chest and no bone of the avatar's.
const skeleton = { hips: [null, [0, 0, 0]], spine: ['hips', [0, 0.1, 0]], chest: ['spine', [0, 0.15, 0]],
  neck: ['chest', [0, 0.25, 0]], head: ['neck', [0, 0.1, 0]] };
for (const [side, x] of [['left', 1], ['right', -1]]) {
  Object.assign(skeleton, { [`${side}Shoulder`]: ['chest', [0.05 * x, 0.2, 0]],
    [`${side}UpperArm`]: [`${side}Shoulder`, [0.12 * x, 0, 0]], [`${side}LowerArm`]: [`${side}UpperArm`, [0.28 * x, 0, 0]],
    [`${side}Hand`]: [`${side}LowerArm`, [0.25 * x, 0, 0]], [`${side}UpperLeg`]: ['hips', [0.1 * x, -0.05, 0]],
    [`${side}LowerLeg`]: [`${side}UpperLeg`, [0, -0.42, 0]], [`${side}Foot`]: [`${side}LowerLeg`, [0, -0.43, 0]] });
}
const limbs = ['left', 'right'].flatMap((side) => [[`${side}UpperArm`, `${side}LowerArm`], [`${side}LowerArm`, `${side}Hand`],
  [`${side}UpperLeg`, `${side}LowerLeg`], [`${side}LowerLeg`, `${side}Foot`]]);

const capital = (side) => side[0].toUpperCase() + side.slice(1);
const sided = (pattern) => Object.fromEntries(['left', 'right'].flatMap((side) =>
  Object.entries(pattern).map(([bone, name]) => [side + bone, name(side)])));
const namings = {
  mixamo: { hips: 'mixamorig:Hips', spine: 'mixamorig:Spine', chest: 'mixamorig:Spine1', neck: 'mixamorig:Neck', head: 'mixamorig:Head',
    ...sided({ Shoulder: (s) => `mixamorig:${capital(s)}Shoulder`, UpperArm: (s) => `mixamorig:${capital(s)}Arm`,
      LowerArm: (s) => `mixamorig:${capital(s)}ForeArm`, Hand: (s) => `mixamorig:${capital(s)}Hand`,
      UpperLeg: (s) => `mixamorig:${capital(s)}UpLeg`, LowerLeg: (s) => `mixamorig:${capital(s)}Leg`, Foot: (s) => `mixamorig:${capital(s)}Foot` }) },
  cmu: { hips: 'Hips', spine: 'LowerBack', chest: 'Spine', neck: 'Neck', head: 'Head',
    ...sided({ Shoulder: (s) => `${capital(s)}Shoulder`, UpperArm: (s) => `${capital(s)}Arm`, LowerArm: (s) => `${capital(s)}ForeArm`,
      Hand: (s) => `${capital(s)}Hand`, UpperLeg: (s) => `${capital(s)}UpLeg`, LowerLeg: (s) => `${capital(s)}Leg`, Foot: (s) => `${capital(s)}Foot` }) },
  xsens: { hips: 'Hips', spine: 'Chest', chest: 'Chest2', neck: 'Neck', head: 'Head',
    ...sided({ Shoulder: (s) => `${capital(s)}Collar`, UpperArm: (s) => `${capital(s)}Shoulder`, LowerArm: (s) => `${capital(s)}Elbow`,
      Hand: (s) => `${capital(s)}Wrist`, UpperLeg: (s) => `${capital(s)}Hip`, LowerLeg: (s) => `${capital(s)}Knee`, Foot: (s) => `${capital(s)}Ankle` }) },
  rokoko: { hips: 'Hips', spine: 'Spine', chest: 'Spine2', neck: 'Neck', head: 'Head',
    ...sided({ Shoulder: (s) => `${capital(s)}Shoulder`, UpperArm: (s) => `${capital(s)}Arm`, LowerArm: (s) => `${capital(s)}ForeArm`,
      Hand: (s) => `${capital(s)}Hand`, UpperLeg: (s) => `${capital(s)}Thigh`, LowerLeg: (s) => `${capital(s)}Shin`, Foot: (s) => `${capital(s)}Foot` }) },
  short: { hips: 'pelvis', spine: 'abdomen', chest: 'thorax', neck: 'neck', head: 'head',
    ...sided({ Shoulder: (s) => `clavicle.${capital(s)[0]}`, UpperArm: (s) => `upper_arm.${capital(s)[0]}`, LowerArm: (s) => `forearm.${capital(s)[0]}`,
      Hand: (s) => `hand.${capital(s)[0]}`, UpperLeg: (s) => `thigh.${capital(s)[0]}`, LowerLeg: (s) => `shin.${capital(s)[0]}`, Foot: (s) => `foot.${capital(s)[0]}` }) },
};

function makeBvh(seed, naming, { slope = 0, zUp = false, unit = 0.01, order = 'ZXY' }) {
  const random = generator(seed);
  const turn = ([x, y, z], bone) => {
    // A-pose: arms hang by `slope` degrees.
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

let failures = 0;
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
    execFileSync(command, ['trace', '--quiet', '--motion', clip, avatar, join(temporary, 'script.json'), join(temporary, 'trace.json')]);
    const ours = JSON.parse(readFileSync(join(temporary, 'trace.json')));
    const theirs = bvhFrames(text, Array.from({ length: 12 }, (_, f) => 0.1 * f));
    let worst = 0;
    let where = '';
    theirs.forEach((positions, f) => {
      for (const [upper, lower] of limbs) {
        const place = (bone) => [0, 1, 2].map((i) => ours.frames[f].nodes.w[16 * ours.humanBones[bone] + 12 + i]);
        const difference = (a, b) => b.map((v, i) => v - a[i]);
        const a = difference(place(upper), place(lower));
        const p = difference(positions[namings[naming][upper]], positions[namings[naming][lower]]);
        const b = condition.zUp ? [p[0], p[2], -p[1]] : p;
        const cosine = a.reduce((sum, v, i) => sum + v * b[i], 0) / Math.hypot(...a) / Math.hypot(...b);
        const angle = Math.acos(Math.min(1, cosine)) * 180 / Math.PI;
        if (!(angle <= worst)) [worst, where] = [angle, `frame ${f} ${upper}`];
      }
    });
    console.log(`${naming} ${JSON.stringify(condition)}: limbs within ${worst.toFixed(4)} degrees`);
    if (!(worst < 0.5)) {
      ++failures;
      console.log(`FAILED at ${where}`);
    }
  }
}
process.exit(failures === 0 ? 0 : 1);
