// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Compares the look chain's solver with the same solver written with three.js' vectors and quaternions, in one run:
// `node tools/compare/bench_look_chain.mjs [--build build/release]`. Both solve the same problems, and the answers are
// compared. The values are medians of rounds.

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { MathUtils, Quaternion, Vector3 } from 'three';

const args = process.argv.slice(2);
const buildAt = args.indexOf('--build');
const build = buildAt >= 0 ? args[buildAt + 1] : 'build/release';
const ours = JSON.parse(execFileSync(join(build, 'bench_look_chain'), ['--json'], { encoding: 'utf8' }));

const soft = 0.2;
const unit = 1.4;
const up = new Vector3(0, 1, 0);
const ahead = new Vector3(0, 0, 1);
const chain = [[10, 0, [0, 0.06, 0.08]], [45, 0, [0, 0.08, 0]], [25, 0, [0, 0.25, 0]], [12, 0.1, [0, 0.12, 0]],
  [12, 0.2, [0, 0.12, 0]], [15, 0.7, [0, 1, 0]]].map(([degrees, aroundUp, offset]) => ({
  limit: MathUtils.degToRad(degrees), aroundUp, offset: new Vector3(...offset), local: new Quaternion(),
  parent: new Quaternion(), world: new Quaternion(), position: new Vector3(), atLimit: false,
}));

// Scratch objects, as is usual in three.js code that must not allocate.
const eye = new Vector3(), forward = new Vector3(), to = new Vector3(), arm = new Vector3(), from = new Vector3();
const goal = new Vector3(), a = new Vector3(), b = new Vector3(), now = new Vector3(), turned = new Vector3();
const wanted = new Vector3(), led = new Vector3(), c = new Vector3();
const turn = new Quaternion(), yaw = new Quaternion(), inverse = new Quaternion(), lead = new Quaternion();
const delta = new Quaternion(), none = new Quaternion();

const soften = (angle, limit) => {
  const width = soft * limit, begin = limit - width;
  if (angle <= begin) return angle;
  const x = (angle - begin) / width;
  return x < 2 ? begin + width * (x - x * x / 4) : limit;
};
const harden = (angle, limit) => {
  const width = soft * limit, begin = limit - width;
  if (angle <= begin) return angle;
  const y = (angle - begin) / width;
  return begin + width * (2 - 2 * Math.sqrt(y < 1 ? 1 - y : 0));
};
const saturation = (angle, limit) => MathUtils.clamp(0.5 * (angle - (1 - soft) * limit) / (soft * limit), 0, 1);
const angleOf = (d) => Math.atan2(Math.hypot(d.x, d.y), d.z);
const atAngle = (out, d, angle) => {
  const across = Math.hypot(d.x, d.y), s = Math.sin(angle);
  return across > 1e-12 ? out.set(d.x / across * s, d.y / across * s, Math.cos(angle)) : out.set(s, 0, Math.cos(angle));
};
const nlerp = (out, p, q, t) => {
  const side = p.dot(q) < 0 ? -t : t;
  return out.set(p.x * (1 - t) + q.x * side, p.y * (1 - t) + q.y * side, p.z * (1 - t) + q.z * side,
    p.w * (1 - t) + q.w * side).normalize();
};

function partWithin(q, d, angle) {
  if (angleOf(c.copy(d).applyQuaternion(q)) <= angle + 1e-6) return;
  const side = q.w < 0 ? -1 : 1, half = Math.hypot(q.x, q.y, q.z);
  if (half < 1e-9) return;
  a.set(q.x, q.y, q.z).multiplyScalar(side / half);
  const whole = 2 * Math.atan2(half, side * q.w), still = a.dot(d) * a.z;
  const along = d.z - still, across = b.crossVectors(a, d).z, size = Math.hypot(along, across);
  const ratio = size > 1e-12 ? MathUtils.clamp((Math.cos(angle) - still) / size, -1, 1) : 1;
  q.setFromAxisAngle(a, MathUtils.clamp(Math.min(whole, Math.atan2(across, along) + Math.acos(ratio)), 0, whole));
}

function turnBone(bone) {
  turn.setFromUnitVectors(a.copy(from).normalize(), b.copy(goal).normalize());
  if (bone.aroundUp > 0) {
    a.copy(from).addScaledVector(up, -from.dot(up));
    b.copy(goal).addScaledVector(up, -goal.dot(up));
    const size = a.length() * b.length(), cosine = a.dot(b) / size;
    yaw.set(0, a.cross(b).dot(up) / size, 0, 1 + cosine).normalize();
    nlerp(turn, turn, yaw, bone.aroundUp);
  }
  inverse.copy(bone.parent).invert();
  turn.premultiply(inverse).multiply(bone.parent);
  now.copy(ahead).applyQuaternion(bone.local);
  turned.copy(now).applyQuaternion(turn);
  let rate = 0;
  const free = Math.cos((1 - soft) * bone.limit);
  if (now.z < free || turned.z < free) {
    const angle = angleOf(now), raw = harden(Math.min(angle, bone.limit), bone.limit);
    if (raw > angle) atAngle(wanted, now, raw).applyQuaternion(turn);
    else wanted.copy(turned);
    const asked = angleOf(wanted), within = soften(asked, bone.limit);
    rate = saturation(asked, bone.limit);
    lead.setFromUnitVectors(turned, atAngle(led, wanted, within));
    nlerp(lead, none, lead, 1 - bone.aroundUp);
    turn.premultiply(lead);
    if (bone.aroundUp > 0) {
      partWithin(turn, now, within);
      c.copy(now).applyQuaternion(turn);
      if (angleOf(c) > within) turn.premultiply(lead.setFromUnitVectors(c, atAngle(led, c, within)));
    }
  }
  bone.atLimit = rate >= 1;
  delta.copy(bone.world).invert();
  bone.local.premultiply(turn).normalize();
  delta.premultiply(inverse.multiplyQuaternions(bone.parent, bone.local));
  return rate;
}

function place() {
  for (let i = chain.length - 1; i >= 0; --i) {
    const bone = chain[i], above = chain[i + 1];
    bone.parent.copy(above ? above.world : none);
    bone.position.copy(bone.offset);
    if (above) bone.position.applyQuaternion(above.world).add(above.position);
    bone.world.multiplyQuaternions(bone.parent, bone.local);
  }
}

function error(target) {
  forward.copy(ahead).applyQuaternion(chain[0].world);
  to.copy(target).sub(chain[0].position).normalize();
  return Math.atan2(a.crossVectors(forward, to).length(), forward.dot(to));
}

function solve(target) {
  for (const bone of chain) { bone.local.identity(); bone.atLimit = false; }
  place();
  let off = error(target);
  for (let pass = 0; pass < 4; ++pass) {
    const before = off;
    eye.copy(chain[0].position);
    forward.copy(ahead).applyQuaternion(chain[0].world);
    let share = 1;
    for (let i = 0; i < chain.length && share > 0; ++i) {
      const bone = chain[i];
      to.copy(target).sub(eye).normalize();
      if (to.distanceToSquared(forward) < 1e-12) break;
      if (share < 1) to.copy(forward).applyQuaternion(nlerp(lead, none, lead.setFromUnitVectors(forward, goal.copy(to)), share));
      arm.copy(eye).sub(bone.position);
      from.copy(forward).multiplyScalar(unit);
      goal.copy(to).multiplyScalar(unit);
      if (pass === 0) { from.add(arm); goal.add(arm); }
      const rate = turnBone(bone);
      eye.copy(arm).applyQuaternion(delta).add(bone.position);
      forward.applyQuaternion(delta);
      share *= i === 0 ? 1 : 1 - (1 - rate) * (1 - bone.aroundUp);
    }
    place();
    off = error(target);
    if (off < 0.005 * Math.PI / 180 || (chain.every((bone) => bone.atLimit) && off > before - 0.0005 * Math.PI / 180)) break;
  }
}

const targets = Array.from({ length: 256 }, (_, i) => {
  const turnOf = 2.2 * Math.sin(0.37 * i);
  return new Vector3(2 * Math.sin(turnOf), 1.5 + 0.5 * Math.sin(1.7 * i), 2 * Math.cos(turnOf));
});
const differences = ours.forward.map((mine, i) => {
  solve(targets[i]);
  return forward.copy(ahead).applyQuaternion(chain[0].world).distanceTo(new Vector3(...mine));
}).sort((x, y) => x - y);
const rounds = [];
for (let round = 0; round < 15; ++round) {
  const start = performance.now();
  for (let i = 0; i < 256 * 40; ++i) solve(targets[i % 256]);
  rounds.push((performance.now() - start) * 1e3 / (256 * 40));
}
const theirs = rounds.sort((x, y) => x - y)[7];
console.log(`six bones, solver: libvrm ${ours.solver_us.toFixed(2)} us, three.js ${theirs.toFixed(2)} us (${(theirs / ours.solver_us).toFixed(1)} x); gazes differ by ${differences[8].toExponential(1)} rad (median), ${differences.at(-1).toExponential(1)} (worst)`);
console.log(`stage in a frame of the sample, with the nodes below the chain placed anew: ${ours.stage_us.toFixed(2)} us`);
process.exit(differences[8] < 1e-3 && differences.at(-1) < 1e-2 ? 0 : 1);
