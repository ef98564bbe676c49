// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Reads FBX and COLLADA as Mixamo writes them, through assimp. Rotations are compared with three.js' FBXLoader bone by
// bone, positions with FBX's own formula joint by joint. On an avatar with random rest rotations, the limbs must point
// in the same directions as the file's.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { writeDae, writeFbx } from './fbx_file.mjs';
import { namings, skeleton, worstLimb } from '../fixtures/figure.mjs';

const tools = new URL('../../tools/compare/', import.meta.url);
const command = process.env.VRM_COMMAND ?? 'build/release/bin/vrm';
const reader = join(dirname(command), 'vrm-assimp');
if (!existsSync(new URL('node_modules/three/package.json', tools)) || !existsSync(reader)) {
  console.log('skipped: npm packages of tools/compare are not installed, or vrm-assimp is not built (libassimp-dev)');
  process.exit(77);
}
const { generator } = await import(new URL('compare.mjs', tools));
const { randomAvatar } = await import(new URL('random_avatar.mjs', tools));
const { fbxFrames, fbxLocals, fbxReference, glbFrames, plainName } = await import(new URL('three_fbx.mjs', tools));
const THREE = await import(new URL('node_modules/three/build/three.module.js', tools));

const temporary = mkdtempSync(join(tmpdir(), 'vrm-fbx-'));
process.on('exit', () => rmSync(temporary, { recursive: true }));
let failures = 0;
const check = (good, text) => {
  console.log(`${good ? '' : 'FAILED '}${text}`);
  failures += good ? 0 : 1;
};

const toDegrees = (q) => {
  const e = new THREE.Euler().setFromQuaternion(q, 'ZYX');
  return [e.x, e.y, e.z].map((v) => v * 180 / Math.PI);
};

/**
 * Returns the figure as FBX joints. It rests in a T-pose or A-pose, reached by random pre-rotations and rotations.
 */
function figure(seed, { naming, pivots, slope, scale }) {
  const random = generator(seed);
  const turn = (size) => new THREE.Quaternion(...[0, 0, 0].map(() => (random() - 0.5) * size), 1).normalize();
  const world = {};
  const place = {};
  const joints = {};
  const rotations = {};
  for (const [bone, [parent, offset]] of Object.entries(skeleton)) {
    const name = naming[bone];
    const hang = /(LowerArm|Hand)$/.test(bone) ? slope * Math.PI / 180 : 0;
    const [x, y, z] = [offset[0] * Math.cos(hang), offset[1] - Math.abs(offset[0]) * Math.sin(hang), offset[2]].map((v) => v * scale);
    const above = parent ? world[parent] : new THREE.Quaternion();
    // The joint's rotation at rest: the pre-rotation and a small rotation after it.
    const pre = turn(2);
    const local = turn(0.6);
    world[bone] = above.clone().multiply(pre).multiply(local);
    const v = new THREE.Vector3(x, y + (parent ? 0 : 0.95 * scale), z).applyQuaternion(above.clone().invert());
    joints[name] = { parent: parent ? naming[parent] : null, preRotation: toDegrees(pre), rotation: toDegrees(local) };
    if (pivots && /Shoulder|spine|chest|neck|head/.test(bone)) {
      // At rest a pivot has no effect only if the rotation offset compensates for it. Limbs have no pivots, since a
      // limb with a pivot would move with each rotation.
      const pivot = new THREE.Vector3(random() - 0.5, random() - 0.5, random() - 0.5).multiplyScalar(0.05 * scale);
      const turned = pivot.clone().applyQuaternion(pre.clone().multiply(local));
      joints[name].rotationPivot = pivot.toArray();
      joints[name].rotationOffset = turned.clone().sub(pivot).toArray();
    }
    joints[name].translation = v.toArray();
    rotations[name] = [pre, local];
    place[bone] = v;
  }
  const frames = Array.from({ length: 20 }, () => ({ rotation: {}, translation: {} }));
  for (const [bone] of Object.entries(skeleton)) {
    const name = naming[bone];
    let way = new THREE.Quaternion();
    frames.forEach((frame) => {
      // Small rotations stay away from the poles of Euler angles, where three interpolated curves have no defined
      // result.
      way = way.multiply(turn(0.12));
      frame.rotation[name] = toDegrees(rotations[name][1].clone().multiply(way));
      if (bone === 'hips') frame.translation[name] = place.hips.toArray().map((v) => v + (random() - 0.5) * 0.1 * scale);
    });
  }
  return { joints, frames };
}

function angle(a, b) {
  const dot = Math.abs(a.reduce((sum, v, i) => sum + v * b[i], 0)) / Math.hypot(...a) / Math.hypot(...b);
  return 2 * Math.acos(Math.min(1, dot)) * 180 / Math.PI;
}

const avatar = join(temporary, 'avatar.gltf');
writeFileSync(avatar, randomAvatar(3));
const variants = {
  mixamo: { naming: namings.mixamo, pivots: false, slope: 0, scale: 100 },
  'with skin': { naming: namings.mixamo, pivots: false, slope: 0, scale: 100, body: true },
  'pivots, A-pose': { naming: namings.mixamo, pivots: true, slope: 40, scale: 100 },
  'metres, no colon': { naming: Object.fromEntries(Object.entries(namings.mixamo).map(([bone, name]) => [bone, name.replace(':', '')])),
    pivots: true, slope: 0, scale: 1, unit: 100 },
  'numbered, underscore': { naming: Object.fromEntries(Object.entries(namings.mixamo).map(([bone, name]) => [bone, name.replace('mixamorig:', 'mixamorig7_')])),
    pivots: false, slope: 0, scale: 100 },
};
let seed = 40;
for (const [title, variant] of Object.entries(variants)) {
  const { joints, frames } = figure(++seed, variant);
  const text = writeFbx(joints, frames, variant);
  const file = join(temporary, 'motion.fbx');
  writeFileSync(file, text);
  const times = frames.map((_, f) => f / 30);

  // Compares bone by bone.
  const theirs = fbxFrames(text, times);
  const ours = await glbFrames(execFileSync(reader, ['fbx'], { input: text }), times);
  let turned = 0;
  let moved = 0;
  frames.forEach((frame, f) => {
    const formula = fbxReference(joints, frame.rotation, frame.translation);
    for (const name of Object.keys(joints)) {
      const [mine, other] = [ours[f][plainName(name)], theirs[f][plainName(name)]];
      turned = Math.max(turned, angle(mine.rotation, other.rotation));
      moved = Math.max(moved, Math.hypot(...mine.position.map((v, i) => v * variant.scale - formula[name][i])) / variant.scale);
    }
  });
  check(turned < 0.1, `${title}: rotations within ${turned.toFixed(4)} degrees of FBXLoader's`);
  check(moved < 1e-4, `${title}: joints within ${(moved * 1000).toFixed(4)} mm of FBX's formula`);

  // Compares on an avatar.
  writeFileSync(join(temporary, 'script.json'), JSON.stringify({ dt: 1 / 30, frames: frames.length, mode: 'normalized', time: 'reference', events: [] }));
  const positions = frames.map((frame) => fbxReference(joints, frame.rotation, frame.translation));
  const rows = (locals) => Object.fromEntries(Object.entries(locals).map(([name, matrix]) => [name, matrix.clone().transpose().elements]));
  const rest = fbxLocals(joints, Object.fromEntries(Object.entries(joints).map(([name, joint]) => [name, joint.rotation])), {});
  writeFileSync(join(temporary, 'motion.dae'), writeDae(Object.fromEntries(Object.entries(joints).map(([name, joint]) => [name, joint.parent])),
    rows(rest), frames.map((frame) => rows(fbxLocals(joints, frame.rotation, frame.translation)))));
  for (const input of [file, join(temporary, 'motion.dae')]) {
    execFileSync(command, ['trace', '--quiet', '--motion', input, avatar, join(temporary, 'script.json'), '-o', join(temporary, 'trace.json')]);
    const [worst, where] = worstLimb(JSON.parse(readFileSync(join(temporary, 'trace.json'))), positions, (bone) => variant.naming[bone]);
    check(worst < 0.5, `${title}: limbs of the avatar within ${worst.toFixed(4)} degrees from ${input.slice(-3)} (${where})`);
  }
}

// A take that begins after its first keys: the T-pose before it is not part of the motion.
{
  const { joints, frames } = figure(77, variants.mixamo);
  const start = 4;
  const whole = frames.slice(start).map((_, f) => f / 30);
  const read = (text, times) => glbFrames(execFileSync(reader, ['fbx'], { input: text }), times);
  const ours = await read(writeFbx(joints, frames, { start }), whole);
  const alone = await read(writeFbx(joints, frames.slice(start)), whole);
  let turned = 0;
  whole.forEach((_, f) => Object.keys(joints).forEach((name) => {
    turned = Math.max(turned, angle(ours[f][plainName(name)].rotation, alone[f][plainName(name)].rotation));
  }));
  check(turned < 0.05, `a take that begins after its first key: within ${turned.toFixed(4)} degrees of the take alone`);
  const glb = execFileSync(reader, ['fbx'], { input: writeFbx(joints, frames, { start }) });
  const document = JSON.parse(glb.subarray(20, 20 + glb.readUInt32LE(12)));
  const starts = document.animations[0].samplers.map((s) => document.accessors[s.input].min[0]);
  check(starts.every((t) => t === 0), `it begins at 0 s: ${Math.min(...starts)} to ${Math.max(...starts)}`);
}
process.exit(failures === 0 ? 0 : 1);
