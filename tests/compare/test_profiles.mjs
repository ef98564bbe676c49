// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Behaviour profiles (docs/profiles.md). The profile three-vrm is compared with the unpatched package for 300 frames:
// springs, colliders, gaze and overrides agree within 1e-4 rad, while libvrm's default differs by more. The profile
// UniVRM is compared with UniVRM's formulas, written below in double.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const tools = new URL('../../tools/', import.meta.url);
const command = process.env.VRM_COMMAND ?? 'build/release/bin/vrm';
if (!existsSync(new URL('compare/node_modules/three/package.json', tools))) {
  console.log('skipped: npm packages of tools/compare are not installed (npm ci --prefix tools/compare)');
  process.exit(77);
}
const { makeScript } = await import(new URL('compare/compare.mjs', tools));
const { loadThree, threeTrace } = await import(new URL('compare/three_trace.mjs', tools));
const { makeModel, makeOldModel, rig } = await import(new URL('conformance/assets.mjs', tools));

let failures = 0;
function check(condition, what) {
  if (!condition) {
    ++failures;
    console.log(`FAILED ${what}`);
  }
}
const folder = mkdtempSync(join(tmpdir(), 'vrm-profiles-'));
process.on('exit', () => rmSync(folder, { recursive: true }));
const file = (name, bytes) => { const path = join(folder, name); writeFileSync(path, bytes); return path; };

function trace(path, script, profile) {
  const [input, output] = [file('script.json', JSON.stringify(script)), join(folder, 'trace.json')];
  execFileSync(command, ['trace', '-q', path, input, '-o', output, '--profile', profile]);
  return JSON.parse(readFileSync(output));
}

/** Returns the largest angle between local rotations of any node in any frame. */
function worst(a, b) {
  let most = 0;
  a.frames.forEach(({ nodes: { r } }, f) => {
    const other = b.frames[f].nodes.r;
    for (let n = 0; n < r.length; n += 4) {
      const side = Math.sign([0, 1, 2, 3].reduce((sum, k) => sum + r[n + k] * other[n + k], 0)) || 1;
      most = Math.max(most, 4 * Math.asin(Math.min(1, 0.5 * Math.hypot(...[0, 1, 2, 3].map((k) => r[n + k] - side * other[n + k])))));
    }
  });
  return most;
}

// --- three-vrm -----------------------------------------------------------------------------------------------------------

/** An avatar with eyes whose maps differ up and down, a lid that follows an eye by a constraint, and a happy face that blocks the gaze. */
function gazeModel() {
  const nodes = rig.map(([name, , translation]) => ({ name, translation }));
  rig.forEach(([, parent], i) => {
    const above = rig.findIndex(([name]) => name === parent);
    if (above >= 0) (nodes[above].children ??= []).push(i);
  });
  const first = nodes.length;
  const constraint = { VRMC_node_constraint: { specVersion: '1.0', constraint: { rotation: { source: first, weight: 1 } } } };
  nodes.push({ name: 'leftEye', translation: [0.03, 0.06, 0.05] }, { name: 'rightEye', translation: [-0.03, 0.06, 0.05] },
    { name: 'lid', translation: [0.03, 0.07, 0.05], extensions: constraint });
  nodes[rig.findIndex(([name]) => name === 'head')].children = [first, first + 1, first + 2];
  const bones = Object.fromEntries([...rig.map(([name]) => name), 'leftEye', 'rightEye'].map((name, node) => [name, { node }]));
  const map = (inputMaxValue, outputScale) => ({ inputMaxValue, outputScale });
  return JSON.stringify({ asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [0] }], nodes,
    extensionsUsed: ['VRMC_vrm', 'VRMC_node_constraint'],
    extensions: { VRMC_vrm: { specVersion: '1.0', meta: { name: 'gaze', authors: ['generated'], licenseUrl: 'https://vrm.dev/licenses/1.0/' },
      humanoid: { humanBones: bones }, expressions: { preset: { happy: { overrideLookAt: 'block' }, sad: { overrideLookAt: 'blend' } } },
      lookAt: { type: 'bone', offsetFromHeadBone: [0, 0.06, 0.02], rangeMapHorizontalInner: map(60, 9), rangeMapHorizontalOuter: map(90, 12),
        rangeMapVerticalDown: map(40, 15), rangeMapVerticalUp: map(90, 5) } } } });
}

const sphere = [{ shape: { sphere: { offset: [0.02, -0.12, 0], radius: 0.05 } } }];
const capsule = [{ shape: { capsule: { offset: [0.01, -0.09, 0.01], radius: 0.04, tail: [0.05, -0.2, 0] } } }];
const inside = [{ shape: { sphere: { offset: [0, -1000, 0], radius: 0 } }, extensions: { VRMC_springBone_extended_collider: {
  specVersion: '1.0', shape: { sphere: { offset: [0.02, -0.1, 0], radius: 0.12, inside: true } } } } }];
const models = [['loose.vrm', makeModel({ name: 'loose', chains: [{ joints: 8, drag: 0.4 }] })],
  ['sphere.vrm', makeModel({ name: 'sphere', chains: [{ joints: 6, groups: [0] }], colliders: sphere })],
  ['capsule.vrm', makeModel({ name: 'capsule', chains: [{ joints: 5, segment: 0.08, groups: [0], gravity: 0.1 }], colliders: capsule })],
  ['inside.vrm', makeModel({ name: 'inside', chains: [{ joints: 5, groups: [0] }, { x: 0.1, joints: 3, stiffness: 0.1 }], colliders: inside })],
  ['drag.vrm', makeModel({ name: 'drag', chains: [{ joints: 5, drag: undefined }] })],
  ['gaze.gltf', gazeModel()], ['old.vrm', makeOldModel({ name: 'old', way: [0.04, -0.02, 0.03], joints: 4, gravity: 0.3 })],
].map(([name, bytes]) => file(name, bytes));
const stranger = join(process.env.VRM_SHARED ?? '../shared', 'models/avatars/Godette_vrm_v4.vrm');
if (existsSync(stranger)) models.push(stranger);

for (const path of models) {
  const three = await loadThree(path, 'normalized', undefined, { patched: false });
  const script = makeScript(three, { seed: 3, frames: 300, mode: 'normalized' });
  const theirs = await threeTrace(path, script, { patched: false });
  const [as, plain] = ['three-vrm', 'spec'].map((profile) => worst(trace(path, script, profile), theirs));
  console.log(`${basename(path)}: ${as.toExponential(1)} rad from three-vrm by its profile, ${plain.toExponential(1)} without`);
  check(as <= 1e-4, `${basename(path)}: ${as} rad from three-vrm`);
  check(plain > 1e-3, `${basename(path)}: only ${plain} rad without the profile`);
}

// --- UniVRM --------------------------------------------------------------------------------------------------------------

const add = (a, b, s = 1) => a.map((v, k) => v + s * b[k]);
const dot = (a, b) => a.reduce((sum, v, k) => sum + v * b[k], 0);
const unit = (a) => a.map((v) => v / Math.sqrt(dot(a, a)));
const rootAt = (frame) => [0.1 * Math.sin(frame / 7), 0, 0.06 * Math.sin(frame / 11)];

/** Computes the tails of one bone of 0.1 m below the head, frame by frame, by UniVRM's step. */
function uniTails(frames, collide) {
  const [long, dt, stiffness, drag, gravity] = [0.1, 1 / 60, 0.5, 0.4, 0.7];
  let [tail, before] = [[0, 1.16, 0], [0, 1.16, 0]];
  const out = [];
  for (let frame = 0; frame < frames; ++frame) {
    const root = rootAt(frame);
    const head = add([0, 1.26, 0], root);
    let next = add(tail, add(tail, before, -1), 1 - drag);
    next = add(next, [0, -1, 0], (stiffness + gravity) * dt);
    const fit = (p) => add(head, unit(add(p, head, -1)), long);
    next = collide(fit(next), head, add([0, 1.36, 0], root), fit);
    [before, tail] = [tail, next];
    out.push(add(head, unit(add(next, head, -1)), long)); // the picture shows only the direction of the tail
  }
  return out;
}

const chain = { joints: 2, segment: 0.1, stiffness: 0.5, drag: 0.4, gravity: 0.7, groups: [0] };
const script = { frames: 120, dt: 1 / 60, mode: 'raw',
  events: Array.from({ length: 120 }, (_, frame) => ({ frame, root: { translation: rootAt(frame) } })) };
const nodeOfTail = rig.length + 1;
function farthest(name, colliders, collide) {
  const path = file(`${name}.vrm`, makeModel({ name, chains: [chain], colliders }));
  const wanted = uniTails(120, collide);
  const far = (profile) => Math.max(...trace(path, script, profile).frames.map(({ nodes: { w } }, f) =>
    Math.hypot(...[12, 13, 14].map((k, i) => w[16 * nodeOfTail + k] - wanted[f][i]))));
  const [uni, spec] = [far('univrm'), far('spec')];
  console.log(`${name}: ${uni.toExponential(1)} m from UniVRM's formula by its profile, ${spec.toExponential(1)} by the specification`);
  check(uni < 2e-5, `${name}: ${uni} m from UniVRM's formula`);
  check(spec > 5e-4, `${name}: the specification's is only ${spec} m away`);
}
// The capsule is beside the bone, so that the points nearest to head and tail differ.
const along = { offset: [0.05, -0.05, 0.01], tail: [0.05, -0.35, 0.03], radius: 0.03 };
farthest('capsule_by_head', [{ shape: { capsule: along } }], (tail, head, place, fit) => {
  const [a, b] = [add(place, along.offset), add(place, along.tail)];
  const way = add(b, a, -1);
  const t = Math.min(1, Math.max(0, dot(add(head, a, -1), way) / dot(way, way)));
  const center = add(a, way, t);
  const off = add(tail, center, -1);
  const reach = along.radius + 0.02;
  return Math.sqrt(dot(off, off)) < reach ? fit(add(center, unit(off), reach)) : tail;
});
const normal = unit([-0.8, 0.5, 0.2]);
farthest('plane_without_length', [{ shape: inside[0].shape, extensions: { VRMC_springBone_extended_collider: { specVersion: '1.0',
  shape: { plane: { offset: [0.01, -0.1, 0], normal } } } } }], (tail, head, place) => {
  const depth = dot(add(tail, add(place, [0.01, -0.1, 0]), -1), normal) - 0.02;
  return depth < 0 ? add(tail, normal, -depth) : tail;
});

// Constraints run before the gaze, so a lid that follows an eye keeps its input pose.
const gaze = trace(join(folder, 'gaze.gltf'), { frames: 3, events: [{ frame: 0, lookAtTarget: [1, 1.6, 1] }] }, 'univrm').frames[2].nodes.r;
const followed = trace(join(folder, 'gaze.gltf'), { frames: 3, events: [{ frame: 0, lookAtTarget: [1, 1.6, 1] }] }, 'spec').frames[2].nodes.r;
const turned = (r, node) => 2 * Math.acos(Math.min(1, Math.abs(r[4 * node + 3])));
check(turned(gaze, rig.length) > 0.05 && turned(gaze, rig.length + 2) < 1e-6, 'UniVRM: the lid follows the eye');
check(turned(followed, rig.length + 2) > 0.05, 'specification: the lid does not follow the eye');

// --- the command -----------------------------------------------------------------------------------------------------------

const compared = JSON.parse(execFileSync(command, ['compare-runtimes', '-q', '--format', 'json', '--motion', 'walk', join(folder, 'capsule.vrm')]));
const degrees = Object.fromEntries(compared.runtimes.map(({ name, degrees: value }) => [name, value]));
check(degrees.spec === 0 && degrees.libvrm < 1e-3 && degrees['three-vrm'] > 0.05 && degrees.univrm > 0.05, JSON.stringify(degrees));
check(compared.points.some(({ name, count, shown }) => name.startsWith('capsules') && count === 1 && shown.join() === 'univrm'), JSON.stringify(compared.points));
check(compared.runtimes.find(({ name }) => name === 'univrm').basis === 'its source, not run', 'basis');

// A motion file gives the same result as the built-in motion from which it was recorded, until the file ends.
const walk = join(folder, 'walk.glb');
execFileSync(command, ['simulate', '-q', join(folder, 'capsule.vrm'), '--motion', 'walk', '--duration', '1.5', '--no-blink', '--no-look-at', '-o', walk]);
const [played, generated] = [['--motion', walk], ['--motion', 'walk', '--duration', '1.5']].map((motion) => (
  JSON.parse(execFileSync(command, ['compare-runtimes', '-q', '--format', 'json', ...motion, join(folder, 'capsule.vrm')]))));
const degreesOf = ({ runtimes }, wanted) => runtimes.find(({ name }) => name === wanted).degrees;
check(Math.abs(played.duration - 1.5) < 0.02, `a file's duration: ${played.duration}`);
for (const name of ['three-vrm', 'univrm']) {
  const [own, other] = [degreesOf(played, name), degreesOf(generated, name)];
  check(own > 0.05 && Math.abs(own - other) < 0.05 * other, `a file's motion by ${name}: ${own} degrees, the generated one ${other}`);
}

// vrm simulate takes the profile, too.
const baked = ['spec', 'three-vrm', 'univrm'].map((profile) => {
  const output = join(folder, `${profile}.glb`);
  execFileSync(command, ['simulate', '-q', join(folder, 'capsule.vrm'), '--motion', 'sway', '--duration', '1', '--profile', profile, '-o', output]);
  return readFileSync(output).toString('base64');
});
check(new Set(baked).size === 3, 'simulate: profiles that make no difference');
console.log(`${models.length} models, ${failures} failed checks`);
process.exit(failures > 0 ? 1 : 0);
