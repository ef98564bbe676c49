// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Measures springs on hair of every shape (scenes/avatar_shapes.h) with libvrm, with a plain C program that was written
// from the specification's text, and with three-vrm, in one run: `node tools/compare/bench_shapes.mjs [--build
// build/release] [--json] [MODEL]`. MODEL is an additional avatar of another author with few joints. In each of seven
// rounds all three programs and all shapes take turns. The values are medians of the rounds, each the median of its
// frames. docs/benchmarks.md explains the figures; bench/shapes runs this program.

import { execFileSync, fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeActor, median, timeFrame } from './three_frame.mjs';

const args = process.argv.slice(2);
const ROUNDS = 7;
const ACTORS = 20; // avatars per shape, as in bench.mjs; a single avatar would take two thirds of the time per avatar
const WARM = 30; // frames of all avatars before the first round
const FRAMES = 10; // in a round
if (args[0] === '--actors') await serveActors(args[1], args[2]); // never returns

const buildAt = args.indexOf('--build');
const build = buildAt >= 0 ? args.splice(buildAt, 2)[1] : 'build/release';
const jsonAt = args.indexOf('--json');
if (jsonAt >= 0) args.splice(jsonAt, 1);
const temporary = mkdtempSync(join(tmpdir(), 'vrm-shapes-'));
process.on('exit', () => rmSync(temporary, { recursive: true }));

const run = (program, ...rest) => execFileSync(join(build, program), rest, { encoding: 'utf8', maxBuffer: 1 << 26 });
function posesOf(path) {
  const poses = `${join(temporary, basename(path))}.poses`;
  run('bench_frame', path, '--json', '--poses', poses);
  return poses;
}

// --- three-vrm -----------------------------------------------------------------------------------------------------

/**
 * Runs a process for each shape. In one process, the compiler's adaptation to one shape (above all to Proxies) would
 * slow the others.
 */
async function serveActors(path, posesPath) {
  const actors = [];
  for (let i = 0; i < ACTORS; ++i) actors.push(await makeActor(path));
  const poses = JSON.parse(readFileSync(posesPath));
  let clock = 0;
  process.on('message', (frames) => {
    const times = [];
    for (let i = 0; i < frames; ++i, ++clock) {
      times.push(...actors.map((actor) => timeFrame(actor, poses[clock % poses.length], 1 / 60)));
    }
    process.send({ springs: median(times.map((t) => t.springs)) * 1e3, update: median(times.map((t) => t.update)) * 1e3 });
  });
  process.on('disconnect', () => process.exit(0));
  await new Promise(() => {});
}

function startThree(path, poses) {
  const child = fork(fileURLToPath(import.meta.url), ['--actors', path, poses]);
  return {
    run: (frames) => new Promise((done, fail) => {
      child.once('exit', () => fail(new Error(`three-vrm ended with ${path}`)));
      child.once('message', (times) => {
        child.removeAllListeners('exit');
        done(times);
      });
      child.send(frames);
    }),
    end: () => child.disconnect(),
  };
}

// --- goals ---------------------------------------------------------------------------------------------------------

const alone = ['strung', 'row']; // chains that begin on one another
const slowed = ['sample', 'centers']; // not comparable, since three-vrm wraps the matrices of centers in a Proxy
const absent = ['limits']; // three-vrm has no limits

/**
 * The project's goals: the largest time per joint relative to the shape "plain", and the smallest speed relative to
 * three-vrm.
 */
function goalsOf(name, joints) {
  const few = joints < 100;
  const measured = !slowed.includes(name) && !absent.includes(name);
  return {
    plain: name === 'row' ? 3.5 : few || alone.includes(name) ? 2.5 : 1.6,
    springs: measured ? (name === 'plain' ? 100 : few ? 40 : 60) : null,
    update: measured && !few ? 50 : null,
  };
}

// --- run -----------------------------------------------------------------------------------------------------------

const shapes = [];
for (const name of run('make_shape').trim().split('\n')) {
  const path = join(temporary, `${name}.vrm`);
  run('make_shape', name, path);
  shapes.push({ name, path });
}
const poses = posesOf(shapes[0].path);
shapes.forEach((shape) => { shape.poses = poses; });
for (const path of args) {
  shapes.push({ name: basename(path).split(/[_.]/)[0].toLowerCase(), path, poses: posesOf(path) });
}
for (const shape of shapes) {
  shape.rounds = [];
  shape.three = startThree(shape.path, shape.poses);
  await shape.three.run(WARM);
}
for (let round = 0; round < ROUNDS; ++round) {
  const ours = JSON.parse(run('bench_shapes', '--round', ...shapes.map(({ path }) => path)));
  for (const [i, shape] of shapes.entries()) {
    shape.rounds.push({ ...ours[i], three: await shape.three.run(FRAMES) });
  }
}
shapes.forEach(({ three }) => three.end());

// --- report --------------------------------------------------------------------------------------------------------

const rows = shapes.map(({ name, rounds }) => {
  const [{ joints, difference }] = rounds;
  const of = (figure) => median(rounds.map(figure));
  return {
    shape: name,
    joints,
    difference,
    libvrm_ns: of((r) => r.springs_us) * 1e3 / joints,
    plain_c_ns: of((r) => r.plain_us) * 1e3 / joints,
    three_ns: of((r) => r.three.springs) * 1e3 / joints,
    libvrm_update_us: of((r) => r.update_us),
    three_update_us: of((r) => r.three.update),
    goals: goalsOf(name, joints),
  };
});
const plain = rows.find(({ shape }) => shape === 'plain').libvrm_ns;
rows.forEach((row) => {
  row.of_plain = row.libvrm_ns / plain;
  row.plain_c_times = row.plain_c_ns / row.libvrm_ns;
  row.three_times = row.three_ns / row.libvrm_ns;
  row.three_update_times = row.three_update_us / row.libvrm_update_us;
});

if (jsonAt >= 0) {
  console.log(JSON.stringify(rows));
} else {
  let missed = 0;
  /** Formats a figure with its goal, and a star if the goal is missed. */
  const beside = (value, goal, good, digits) => {
    if (goal === null) return value.toFixed(digits);
    missed += good ? 0 : 1;
    return `${value.toFixed(digits)} (${goal})${good ? '' : ' *'}`;
  };
  console.log('| shape | joints | ns a joint | of plain (at most) | plain C, ns | times | three-vrm, ns | times (at least) | '
    + 'update, us | three-vrm, us | times (at least) |');
  console.log(`|${' --- |'.repeat(11)}`);
  for (const row of rows) {
    const { goals } = row;
    console.log(`| ${[row.shape, row.joints, row.libvrm_ns.toFixed(1), beside(row.of_plain, goals.plain, row.of_plain <= goals.plain, 2),
      row.plain_c_ns.toFixed(0), row.plain_c_times.toFixed(1), row.three_ns.toFixed(0),
      beside(row.three_times, goals.springs, row.three_times >= goals.springs, 0), row.libvrm_update_us.toFixed(2),
      row.three_update_us.toFixed(0), beside(row.three_update_times, goals.update, row.three_update_times >= goals.update, 0),
    ].join(' | ')} |`);
  }
  console.log(`\n* ${missed} figures miss the goal beside them`);
}
