// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// node bench/beside/bench.mjs [MODEL...]
//
// Measures inspect, validate and migrate, compared with Khronos' glTF validator and glTF-Transform's inspect. Each is
// measured twice: as whole processes that start, read, work, print and end, and as calls in warm processes
// (build/release/bench_files, and this Node after a first call that is not measured). The times are those of the
// fastest round. All programs take turns in a round, because other work slows some rounds. The memory of a process is
// its peak, minus the peak of the same program doing nothing. Without a model, the models are the sample and a file
// with the sample's meshes thirty times.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { enlarge } from './enlarge.mjs';

const here = dirname(fileURLToPath(import.meta.url));
if (!existsSync(join(here, 'node_modules'))) {
  console.log('skipped: npm packages of bench/beside are not installed (npm ci --prefix bench/beside)');
  process.exit(77);
}
const { Logger, NodeIO } = await import('@gltf-transform/core');
const { inspect } = await import('@gltf-transform/functions');
const { default: validator } = await import('gltf-validator');
const command = process.env.VRM_COMMAND ?? 'build/release/bin/vrm';
const calls = join(dirname(command), '..', 'bench_files');
const temporary = mkdtempSync(join(tmpdir(), 'vrm-bench-'));
process.on('exit', () => rmSync(temporary, { recursive: true }));
const models = process.argv.slice(2);
if (models.length === 0) {
  models.push(join(temporary, 'sample.vrm'), join(temporary, 'sample-30.vrm'));
  execFileSync(command, ['sample', '--minimal', '-q', '-o', models[0]]);
  writeFileSync(models[1], enlarge(new Uint8Array(readFileSync(models[0])), 30));
}

const rounds = 9;
const least = (list) => Math.min(...list);
const validatorProgram = `
const v = require('gltf-validator'), fs = require('fs');
v.validateBytes(new Uint8Array(fs.readFileSync(process.argv[1])), { maxIssues: 100 }).then((r) => console.log(JSON.stringify(r)));`;

/** name: [program, arguments, the same program doing nothing] */
const processes = (path) => ({
  'vrm inspect': [command, ['inspect', '-q', '--format', 'json', path], ['--version']],
  'vrm validate': [command, ['validate', '-q', '--format', 'json', path], ['--version']],
  'vrm migrate': [command, ['migrate', '-q', path, '-o', '-'], ['--version']],
  'gltf-validator': ['node', ['-e', validatorProgram, path], ['-e', '0']],
  'gltf-transform inspect': ['node', [join(here, 'node_modules/.bin/gltf-transform'), 'inspect', path], ['-e', '0']],
});

/** Returns the seconds of a process and its peak of memory, megabytes. */
function run(program, parameters) {
  const measured = existsSync('/usr/bin/time');
  const [first, ...rest] = [...(measured ? ['/usr/bin/time', '-f', '%M'] : []), program, ...parameters];
  const cwd = program === 'node' ? here : undefined;
  const start = performance.now();
  const { status, stderr } = spawnSync(first, rest, { encoding: 'utf8', cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  const seconds = (performance.now() - start) / 1000;
  if (status > 1) throw new Error(`${program} ${parameters[0]} ended with ${status}: ${stderr}`); // 1: the file has errors
  return { seconds, memory: measured ? Number(stderr.trim().split('\n').at(-1)) / 1000 : NaN };
}

const warm = {
  'gltf-validator': (bytes) => validator.validateBytes(bytes, { maxIssues: 100 }),
  'glTF-Transform inspect': async (bytes) =>
    inspect(await new NodeIO().setLogger(new Logger(Logger.Verbosity.SILENT)).readBinary(bytes)),
};

const row = (...cells) => console.log(`| ${cells.join(' | ')} |`);
const speed = (size, seconds) => (size / seconds).toFixed(size / seconds < 10 ? 1 : 0);

async function benchProcesses(path, size) {
  row('process', 'ms', 'MB/s', 'peak MB', 'less the empty one', 'of the file');
  row('---', '---', '---', '---', '---', '---');
  const list = Object.entries(processes(path));
  const found = list.map(() => []);
  for (let round = 0; round < rounds; ++round) {
    list.forEach(([, [program, parameters]], i) => found[i].push(run(program, parameters)));
  }
  list.forEach(([name, [program, , nothing]], i) => {
    const seconds = least(found[i].map((f) => f.seconds)), peak = least(found[i].map((f) => f.memory));
    const own = peak - run(program, nothing).memory;
    row(name, (1000 * seconds).toFixed(1), speed(size, seconds), peak.toFixed(1), own.toFixed(1), (own / size).toFixed(1));
  });
}

async function benchCalls(path, size) {
  const bytes = new Uint8Array(readFileSync(path));
  const seconds = {}, memory = {};
  const add = (name, value) => (seconds[name] ??= []).push(value);
  for (const work of Object.values(warm)) await work(bytes);
  for (let round = 0; round < rounds; ++round) {
    for (const [name, figures] of Object.entries(JSON.parse(execFileSync(calls, [path, '--json'])))) {
      add(`vrm ${name}`, figures.seconds);
      memory[`vrm ${name}`] = figures.bytes / 1e6;
    }
    for (const [name, work] of Object.entries(warm)) {
      const start = performance.now();
      await work(bytes);
      add(name, (performance.now() - start) / 1000);
    }
  }
  row('warm call', 'ms', 'MB/s', 'MB besides the file');
  row('---', '---', '---', '---');
  for (const name in seconds) {
    const own = name in memory ? memory[name].toFixed(2) : '';
    row(name, (1000 * least(seconds[name])).toFixed(2), speed(size, least(seconds[name])), own);
  }
}

for (const path of models) {
  const size = readFileSync(path).length / 1e6;
  console.log(`\n${basename(path)}, ${size.toFixed(2)} MB\n`);
  await benchProcesses(path, size);
  console.log();
  await benchCalls(path, size);
}
