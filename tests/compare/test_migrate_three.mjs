// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Compares files of VRM 0.x in three-vrm with the output of `vrm migrate`: both move the same, frame by frame, except
// for the half turn between them. Compared are bones, springs, gaze and expressions, with the tolerances of
// docs/three-vrm.md.
//
// Not compared: colours, which three-vrm converts differently for 0.x (tests/export/test_migrate.c compares them), and
// the gaze of files with look-at curves, which 1.0 cannot express and `vrm migrate` reports.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const tools = new URL('../../tools/compare/', import.meta.url);
if (!existsSync(new URL('node_modules/three/package.json', tools))) {
  console.log('skipped: npm packages of tools/compare are not installed (npm ci --prefix tools/compare)');
  process.exit(77);
}
const { compareFreeRun, makeScript, tolerance } = await import(new URL('compare.mjs', tools));
const { loadThree, threeTrace } = await import(new URL('three_trace.mjs', tools));
const { randomAvatar0 } = await import(new URL('random_avatar0.mjs', tools));
const { say } = await import(new URL('../../tools/dialects/dialects.mjs', import.meta.url));
const command = process.env.VRM_COMMAND ?? 'build/release/bin/vrm';
const shared = process.env.VRM_SHARED ?? '../shared';
const temporary = mkdtempSync(join(tmpdir(), 'vrm-migrate-'));
process.on('exit', () => rmSync(temporary, { recursive: true }));

const models = [join(temporary, 'dialects.gltf')];
writeFileSync(models[0], JSON.stringify(say('0.x')));
for (const seed of [2, 3]) {
  models.push(join(temporary, `chance-${seed}.gltf`));
  writeFileSync(models.at(-1), randomAvatar0(seed));
}
for (const folder of ['avatars', 'blender']) {
  const where = join(shared, 'models', folder);
  if (existsSync(where)) {
    models.push(...readdirSync(where).filter((name) => name.endsWith('.vrm')).sort().map((name) => join(where, name)));
  } else {
    console.log(`skipped: ${where} is not there`);
  }
}

let failures = 0;
let compared = 0;
function check(name, what, found, limit) {
  if (!(found.value <= limit)) {
    ++failures;
    console.log(`FAILED ${name}: ${what} ${found.value.toExponential(2)} > ${limit} at ${found.where}`);
  }
}

/** Rotates vectors and rotations by half a turn about Y. */
const turn = ([x, y, z, w]) => (w === undefined ? [-x, y, -z] : [-x, y, -z, w]);
const chunks = (list, size) => Array.from({ length: list.length / size }, (_, i) => list.slice(size * i, size * i + size));

/** Returns the same motion for an avatar that faces the other way. */
function turnScript(script) {
  const all = (values) => values && Object.fromEntries(Object.entries(values).map(([key, v]) => [key, turn(v)]));
  const events = script.events.map((event) => ({ ...event,
    humanBoneRotation: all(event.humanBoneRotation), humanBoneTranslation: all(event.humanBoneTranslation),
    root: { ...event.root, translation: turn(event.root.translation), rotation: turn(event.root.rotation) },
    ...(event.lookAtTarget ? { lookAtTarget: turn(event.lookAtTarget) } : {}) }));
  events.forEach((event) => Object.keys(event).forEach((key) => event[key] === undefined && delete event[key]));
  return { ...script, events };
}

/**
 * Converts the migrated run to the original's form: rotated back, with its joints in the original's order. If a node above
 * the roots has the half turn, local rotations stay unchanged.
 */
function turnBack(migrated, original, how) {
  const rows = original.springJoints.map(({ node }) => migrated.springJoints.findIndex((other) => other.node === node));
  return { frames: migrated.frames.map((frame) => {
    const tails = chunks(frame.springTails, 3);
    return { ...frame,
      nodes: { r: how === 'root' ? frame.nodes.r : chunks(frame.nodes.r, 4).flatMap(turn),
        w: chunks(frame.nodes.w, 16).flatMap((m) => [...m.slice(0, 12), ...turn(m.slice(12, 15)), 1]) },
      springTails: rows.flatMap((row) => (row < 0 ? [NaN, NaN, NaN] : turn(tails[row]))) };
  }) };
}

async function compare(path, model, how) {
  const name = `${basename(path)} (${how})`;
  const output = join(temporary, `out-${basename(path)}`);
  const run = spawnSync(command, ['migrate', path, '-o', output, '--turn', how], { encoding: 'utf8' });
  if (run.status !== 0) {
    ++failures;
    console.log(`FAILED ${name}: exit code ${run.status}: ${run.stderr}`);
    return;
  }
  const curved = run.stderr.includes('MIGRATE_LOOK_AT_CURVE');
  const script = makeScript(model, { seed: 1, frames: 300, mode: 'normalized' });
  if (curved) script.events.forEach((event) => delete event.lookAtTarget);
  const theirs = await threeTrace(path, script, { curves: !curved });
  const migrated = await threeTrace(output, turnScript(script));
  if (migrated.springJoints.length !== theirs.springJoints.length) {
    ++failures;
    console.log(`FAILED ${name}: ${migrated.springJoints.length} spring joints of ${theirs.springJoints.length}`);
  }
  const mine = turnBack(migrated, theirs, how);
  let free = compareFreeRun(mine, theirs);
  if (free.angle.value > tolerance.angle || theirs.drag.some((drag) => drag < 0.4)) {
    free = compareFreeRun(mine, theirs, await threeTrace(path, script, { float: true, curves: !curved }));
  }
  check(name, 'rotation', free.angle, tolerance.angle);
  check(name, 'position', free.position, tolerance.position);
  check(name, 'morphs', free.morphs, tolerance.value);
  check(name, 'materials', free.materials, tolerance.value);
  check(name, 'gaze', free.lookAt, tolerance.angle);
  check(name, 'tails of loose chains, of their limit', free.loose, 1);
  console.log(`${name}: rotation ${free.angle.value.toExponential(1)} rad, position ${free.position.value.toExponential(1)} m, `
    + `morphs ${free.morphs.value.toExponential(1)}, gaze ${curved ? 'left out (curves)' : free.lookAt.value.toExponential(1)}; `
    + `${theirs.springJoints.length} spring joints, ${free.looseJoints} loose: ${free.loose.value.toFixed(2)} of their limit`);
}

for (const path of models) {
  const model = await loadThree(path, 'normalized');
  if (model.json.extensions?.VRM) {
    for (const how of ['data', 'root']) await compare(path, model, how);
    ++compared;
  }
}
console.log(`${compared} models compared, ${failures} failures`);
process.exit(failures === 0 ? 0 : 1);
