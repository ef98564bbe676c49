// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Compares libvrm's `vrm trace` with three-vrm on one model:
//   free run   300 frames of bones, expressions and gaze from the same inputs
//   one step   each frame starts from three-vrm's own spring tails
// The tolerances are explained in docs/three-vrm.md.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadThree, threeTrace } from './three_trace.mjs';

export const tolerance = {
  angle: 1e-4, // rad, free run
  position: 1e-4, // m, free run
  value: 1e-5, // morphs, colours, texture transforms
  stepAngle: 1e-5, // rad, one step; stepLength / bone length is added
  stepLength: 1e-6, // m, one step; divided by the bone's length
};

// --- scripts -------------------------------------------------------------------------------------------------------

/** Seeded random numbers in [0, 1). */
export function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

function axisAngle([x, y, z], angle) {
  const s = Math.sin(angle / 2) / Math.hypot(x, y, z);
  return [x * s, y * s, z * s, Math.cos(angle / 2)];
}

function multiply(a, b) {
  return [
    a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
    a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
    a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
    a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
  ];
}

const bones = ['hips', 'spine', 'chest', 'neck', 'head', 'leftUpperArm', 'rightUpperArm', 'leftLowerArm', 'rightLowerArm',
  'leftUpperLeg', 'rightUpperLeg', 'leftLowerLeg', 'rightLowerLeg', 'leftHand', 'rightHand', 'leftIndexProximal'];

/** Creates a smooth seeded motion of everything that the model has. */
export function makeScript(model, { seed, frames, mode }) {
  const random = generator(seed);
  const humanoid = model.vrm.humanoid;
  const moving = bones.filter((bone) => humanoid?.getRawBoneNode(bone)).map((bone) => ({
    bone, axis: [random() - 0.5, random() - 0.5, random() - 0.5], amplitude: 0.15 + 0.35 * random(),
    frequency: 0.3 + 1.2 * random(), phase: 6.28 * random(), rest: humanoid.getRawBoneNode(bone).quaternion.toArray(),
  }));
  // In a plain glTF, springs and constraints move the nodes, so only nodes that they do not drive are animated.
  const plain = humanoid ? [] : model.nodes.map((node, i) => ({ node: i, rest: node.quaternion.toArray() }))
    .filter(({ node }) => !drivenNodes(model.json).has(node)).slice(0, 12).map((entry) => ({
      ...entry, axis: [random() - 0.5, random() - 0.5, random() - 0.5], amplitude: 0.3 + 0.4 * random(),
      frequency: 0.3 + random(), phase: 6.28 * random(),
    }));
  const expressions = (model.vrm.expressionManager?.expressions ?? []).map((e) => e.expressionName)
    .filter((name) => !name.startsWith('look'));
  const hips = humanoid?.getNormalizedBoneNode('hips');
  const hipsRest = (mode === 'normalized' ? hips : humanoid?.getRawBoneNode('hips'))?.position.toArray();
  const events = [];
  for (let frame = 0; frame < frames; ++frame) {
    const t = frame / 60;
    const event = { frame };
    const rotation = ({ axis, amplitude, frequency, phase, rest }, raw) => {
      const q = axisAngle(axis, amplitude * (Math.sin(6.28 * frequency * t + phase) - Math.sin(phase)));
      return raw ? multiply(q, rest) : q;
    };
    if (moving.length > 0) {
      event.humanBoneRotation = Object.fromEntries(moving.map((m) => [m.bone, rotation(m, mode === 'raw')]));
      const sway = [0.04 * Math.sin(3 * t), 0.03 * Math.sin(5 * t), 0.05 * Math.sin(2 * t)];
      event.humanBoneTranslation = { hips: hipsRest.map((value, i) => value + sway[i]) };
    }
    if (plain.length > 0) {
      event.nodeRotation = Object.fromEntries(plain.map((p) => [p.node, rotation(p, true)]));
    }
    event.root = { translation: [0.3 * Math.sin(1.3 * t), 0, 0.2 * Math.sin(0.9 * t)],
      rotation: axisAngle([0, 1, 0], 0.6 * Math.sin(0.7 * t)) };
    if (frame % 45 === 0 && expressions.length > 0) {
      const name = expressions[Math.floor(random() * expressions.length)];
      event.expression = { [name]: Math.round(random() * 100) / 100 };
    }
    if (model.vrm.lookAt) {
      const ahead = model.json.extensions?.VRM ? -1 : 1; // 0.x faces -Z
      event.lookAtTarget = [1.5 * Math.sin(0.8 * t), 1.3 + 0.9 * Math.sin(1.1 * t), ahead * (1.6 + 0.6 * Math.sin(0.5 * t))];
    }
    events.push(event);
  }
  return { dt: 1 / 60, frames, mode, time: 'reference', sample: { every: 1 }, events };
}

/** Returns the nodes whose rotation is written by a constraint or a spring. */
function drivenNodes(json) {
  const driven = new Set();
  (json.nodes ?? []).forEach((node, i) => node.extensions?.VRMC_node_constraint && driven.add(i));
  for (const spring of json.extensions?.VRMC_springBone?.springs ?? []) {
    spring.joints.forEach((joint) => driven.add(joint.node));
  }
  return driven;
}

// --- differences ---------------------------------------------------------------------------------------------------

function angleBetween(a, i, b, j) {
  const conjugate = [-a[i], -a[i + 1], -a[i + 2], a[i + 3]];
  const d = multiply(conjugate, [b[j], b[j + 1], b[j + 2], b[j + 3]]);
  return 2 * Math.atan2(Math.hypot(d[0], d[1], d[2]), Math.abs(d[3]));
}

function worst(into, value, where) {
  if (!(value <= into.value)) { // NaN counts
    into.value = value;
    into.where = where;
  }
}

const nothing = () => ({ value: 0, where: '' });

function flatten(value, path, out) {
  if (typeof value === 'number') {
    out.set(path, value);
  } else if (value && typeof value === 'object') {
    for (const [key, member] of Object.entries(value)) flatten(member, `${path}/${key}`, out);
  }
  return out;
}

/** Finds the largest difference of numbers. A number that only one side has is also a difference, unless it is excluded. */
function compareValues(ours, theirs, where, result) {
  const mine = flatten(ours, '', new Map());
  for (const [path, value] of flatten(theirs, '', new Map())) {
    worst(result, mine.has(path) ? Math.abs(mine.get(path) - value) : Infinity, `${where}${path}`);
  }
}

/** Returns the index of the joint above joint `j` in its chain, or -1. */
const above = (theirs, j) => theirs.springJoints.findIndex((other) => other.tail === theirs.springJoints[j].node);

/**
 * Returns the weight of each joint's rotation. Near half a turn the axis of the shortest rotation is arbitrary: the
 * difference of a tail is 1 / cos(swing / 2) times as large in the rotation, and nodes below rotate with it.
 */
function rotationWeights(theirs, frame) {
  const weights = new Map();
  theirs.springJoints.forEach((joint, j) => {
    const swing = angleBetween(theirs.frames[frame].nodes.r, 4 * joint.node, theirs.rest, 4 * joint.node);
    const parent = theirs.springJoints[above(theirs, j)];
    weights.set(joint.node, Math.min(Math.cos(swing / 2), weights.get(parent?.node) ?? 1));
  });
  return weights;
}

/** Returns the chain of each joint as a list of joints. Joints of a chain follow each other. */
function chainsOf(theirs) {
  const chains = [];
  theirs.springJoints.forEach((_, j) => {
    if (above(theirs, j) < 0) chains.push([]);
    chains.at(-1).push(j);
  });
  return chains;
}

/** Returns the effect of rounding to floats on a chain in three-vrm's own run: the largest angle of its tails in all frames. */
function roundingOf(chain, theirs, rounded) {
  const found = nothing();
  chain.forEach((j) => theirs.frames.forEach((frame, f) =>
    worst(found, tailAngle(rounded.frames[f], frame, theirs.springJoints[j], j), '')));
  return found.value;
}

/**
 * With little drag, or between several colliders, every difference lasts long and grows. The limit is then three times
 * the effect of rounding. This is used for each chain with a drag below 0.4, and for each chain for which it exceeds the
 * tolerance.
 */
function looseLimits(theirs, rounded) {
  const limits = new Map();
  for (const chain of chainsOf(theirs)) {
    const rounding = roundingOf(chain, theirs, rounded);
    if (3 * rounding > tolerance.angle || chain.some((j) => theirs.drag[j] < 0.4)) {
      chain.forEach((j) => limits.set(j, Math.max(tolerance.angle, 3 * rounding)));
    }
  }
  return limits;
}

/**
 * Colours of VRM 0.x are sRGB. three-vrm raises them to the power 2.2 instead, and does not convert an expression's
 * colours. (libvrm's colours are tested against the formula.)
 */
const withoutColors = (materials) => Object.fromEntries(Object.entries(materials).map(([i, { opacity, textures }]) =>
  [i, { opacity, textures }]));

/** Without `springs`, the rotations of joints and the directions of tails are not compared. */
export function compareFreeRun(ours, theirs, rounded, { springs = true } = {}) {
  const result = { angle: nothing(), position: nothing(), morphs: nothing(), materials: nothing(), lookAt: nothing(),
    loose: nothing(), looseJoints: 0 };
  const outside = new Set(theirs.outside);
  const limits = rounded ? looseLimits(theirs, rounded) : new Map();
  result.looseJoints = limits.size;
  // Nodes below a joint with its own limit follow that joint. So only the tails are compared there, each with its
  // limit.
  const left = springs ? [...limits.keys()] : [...theirs.springJoints.keys()];
  const loose = new Set(left.flatMap((j) => [theirs.springJoints[j].node, theirs.springJoints[j].tail]));
  theirs.frames.forEach((frame, f) => {
    const mine = ours.frames[f];
    const weights = rotationWeights(theirs, f);
    for (let node = 0; node < frame.nodes.r.length / 4; ++node) {
      const where = `frame ${f} node ${node}`;
      if (loose.has(node)) continue;
      worst(result.angle, (weights.get(node) ?? 1) * angleBetween(mine.nodes.r, 4 * node, frame.nodes.r, 4 * node), where);
      if (outside.has(node)) continue;
      const w = 16 * node + 12;
      worst(result.position, Math.hypot(...[0, 1, 2].map((i) => mine.nodes.w[w + i] - frame.nodes.w[w + i])), where);
    }
    theirs.springJoints.forEach((joint, j) => {
      if (!springs) return;
      const angle = tailAngle(mine, frame, joint, j);
      const where = `frame ${f} tail of node ${joint.node}`;
      worst(limits.has(j) ? result.loose : result.angle, limits.has(j) ? angle / limits.get(j) : angle, where);
    });
    compareValues(mine.morphs, frame.morphs, `frame ${f} morphs`, result.morphs);
    compareValues(mine.materials, theirs.vrm0 ? withoutColors(frame.materials) : frame.materials,
      `frame ${f} materials`, result.materials);
    if (frame.lookAt && mine.lookAt) {
      // Angles of gaze are in degrees. For a target straight above or behind they may differ by a whole turn.
      for (const key of ['yaw', 'pitch']) {
        const d = Math.abs(mine.lookAt[key] - frame.lookAt[key]) % 360;
        worst(result.lookAt, (Math.min(d, 360 - d) * Math.PI) / 180, `frame ${f} ${key}`);
      }
    }
  });
  return result;
}

/** Returns the angle between both sides' directions from head to tail of joint `j`. */
function tailAngle(mine, theirs, joint, j) {
  const direction = (frame) => [0, 1, 2].map((i) => frame.springTails[3 * j + i] - frame.nodes.w[16 * joint.node + 12 + i]);
  const a = direction(mine);
  const b = direction(theirs);
  const cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  return Math.atan2(Math.hypot(...cross), a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
}

/**
 * Compares the directions of all tails after one step from three-vrm's state, in units of the tolerance. With `rounded`,
 * the unit is three times the effect of rounding on three-vrm's own steps if this is larger, since the effect adds up in
 * chains that begin on one another.
 */
export function compareSteps(ours, theirs, rounded) {
  const result = nothing();
  for (const chain of chainsOf(theirs)) {
    const rounding = rounded ? roundingOf(chain, theirs, rounded) : 0;
    for (const j of chain) {
      const joint = theirs.springJoints[j];
      const limit = Math.max(tolerance.stepAngle + tolerance.stepLength / joint.length, 3 * rounding);
      for (let f = 2; f < theirs.frames.length; ++f) {
        worst(result, tailAngle(ours.frames[f], theirs.frames[f], joint, j) / limit, `frame ${f} joint ${j} node ${joint.node}`);
      }
    }
  }
  return result;
}

// --- run -----------------------------------------------------------------------------------------------------------

export function vrmTrace(command, model, script) {
  const folder = mkdtempSync(join(tmpdir(), 'vrm-compare-'));
  try {
    writeFileSync(join(folder, 'script.json'), JSON.stringify(script));
    execFileSync(command, ['trace', '--quiet', model, join(folder, 'script.json'), '-o', join(folder, 'trace.json')],
      { stdio: ['ignore', 'ignore', 'pipe'] });
    return JSON.parse(readFileSync(join(folder, 'trace.json')));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns libvrm's trace in which every frame's springs start from three-vrm's state, and the script of it. */
function traceSteps(command, path, script, theirs) {
  const steps = structuredClone(script);
  for (let f = 2; f < theirs.frames.length; ++f) {
    const { springTails: current, previousTails: previous } = theirs.frames[f - 1];
    steps.events[f].springTails = { current, previous };
  }
  return { steps, stepped: vrmTrace(command, path, steps) };
}

/**
 * Compares the motions of a model in libvrm and three-vrm. Differences of springs only count if single steps differ, too:
 * between several colliders a run amplifies the rounding of floats. Returns what differs, or null.
 */
export function whatMovesOtherwise(command, path, script, theirs) {
  const ours = vrmTrace(command, path, script);
  const within = (free) => free.angle.value <= tolerance.angle && free.morphs.value <= tolerance.value
    && free.lookAt.value <= tolerance.angle;
  const free = compareFreeRun(ours, theirs);
  if (within(free)) return null;
  if (within(compareFreeRun(ours, theirs, undefined, { springs: false })) && ours.springJoints.length >= theirs.springJoints.length
    && compareSteps(traceSteps(command, path, script, theirs).stepped, theirs).value <= 1) return null;
  return `${free.angle.value} ${free.angle.where}, morphs ${free.morphs.value} ${free.morphs.where}, gaze ${free.lookAt.value}`;
}

/** Runs both comparisons of one model. `frames` is the length of the free run. */
export async function compareModel(command, path, { seed = 1, frames = 300, mode = 'normalized' } = {}) {
  const model = await loadThree(path, mode);
  const script = makeScript(model, { seed, frames, mode });
  const theirs = await threeTrace(path, script);
  const ours = vrmTrace(command, path, script);
  let free = compareFreeRun(ours, theirs);
  if (free.angle.value > tolerance.angle || theirs.drag.some((drag) => drag < 0.4)) {
    free = compareFreeRun(ours, theirs, await threeTrace(path, script, { float: true }));
  }
  let step = nothing();
  if (theirs.springJoints.length > 0) {
    const { steps, stepped } = traceSteps(command, path, script, theirs);
    step = compareSteps(stepped, theirs);
    if (step.value > 1) {
      step = compareSteps(stepped, theirs, await threeTrace(path, steps, { float: true }));
    }
  }
  return { free, step, joints: theirs.springJoints.length, ours: ours.springJoints.length };
}
