// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// node bench.mjs [MODEL...]: megabytes per second of vrm's verbs over files, beside Khronos' glTF validator and
// glTF-Transform's inspect, in one run. A verb is a process that starts, reads, works, prints and ends (what it writes goes
// nowhere, so that no disk is measured); the others run in this process and have been warmed up. Medians of nine rounds;
// memory is the most that the process held.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Logger, NodeIO } from '@gltf-transform/core';
import { inspect } from '@gltf-transform/functions';
import validator from 'gltf-validator';

const command = process.env.VRM_COMMAND ?? 'build/release/bin/vrm';
const temporary = mkdtempSync(join(tmpdir(), 'vrm-bench-'));
process.on('exit', () => rmSync(temporary, { recursive: true }));
const models = process.argv.slice(2);
if (models.length === 0) {
  models.push(join(temporary, 'sample.vrm'));
  execFileSync(command, ['sample', '-q', models[0]]);
}

const rounds = 9;
const median = (list) => list.toSorted((a, b) => a - b)[list.length >> 1];
const verbs = {
  inspect: (path) => ['inspect', '-q', '-f', 'json', path],
  validate: (path) => ['validate', '-q', '-f', 'json', path],
  migrate: (path) => ['migrate', '-q', path, '-o', '-'],
};

/** Seconds of a verb, and the kilobytes that it held; NaN when it failed. */
function run(verb, path) {
  const time = existsSync('/usr/bin/time') ? ['/usr/bin/time', '-f', '%M'] : [];
  const [program, ...rest] = [...time, command, ...verbs[verb](path)];
  const start = performance.now();
  const { status, stderr } = spawnSync(program, rest, { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] });
  const seconds = (performance.now() - start) / 1000;
  const done = status === 0 || (verb === 'validate' && status === 1); // 1: it has found errors
  return { seconds: done ? seconds : NaN, memory: time.length > 0 ? Number(stderr.trim().split('\n').at(-1)) : NaN };
}

const others = {
  'gltf-validator': (bytes) => validator.validateBytes(bytes, { maxIssues: 100 }),
  'glTF-Transform inspect': async (bytes) => inspect(await new NodeIO().setLogger(new Logger(Logger.Verbosity.SILENT)).readBinary(bytes)),
};

for (const path of models) {
  const bytes = new Uint8Array(readFileSync(path));
  const size = bytes.length / 1e6;
  console.log(`${basename(path)}, ${size.toFixed(2)} MB`);
  const tell = (name, seconds, more = '') =>
    console.log(`  ${name.padEnd(24)} ${(1000 * seconds).toFixed(1).padStart(8)} ms ${(size / seconds).toFixed(0).padStart(6)} MB/s${more}`);
  for (const verb of Object.keys(verbs)) {
    const found = Array.from({ length: rounds }, () => run(verb, path));
    const memory = Math.max(...found.map((f) => f.memory)) / 1000;
    tell(`vrm ${verb}`, median(found.map((f) => f.seconds)), `, ${memory.toFixed(1)} MB (${(memory / size).toFixed(1)} times the file)`);
  }
  for (const [name, work] of Object.entries(others)) {
    try {
      await work(bytes);
      const found = [];
      for (let i = 0; i < rounds; ++i) {
        const start = performance.now();
        await work(bytes);
        found.push((performance.now() - start) / 1000);
      }
      tell(name, median(found));
    } catch (error) {
      console.log(`  ${name}: ${error.message}`);
    }
  }
}
