// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Functions that the tests of the npm package share.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));
export const build = process.env.VRM_BUILD_DIR ?? join(root, 'build/release');
export const package_ = join(root, 'build/web/package');
export const command = process.env.VRM_COMMAND ?? join(build, 'bin/vrm');

if (!existsSync(join(package_, 'dist/vrm.wasm'))) {
  console.log('skipped: scripts/web has not built the package');
  process.exit(77);
}

/** A temporary folder that is deleted when the test ends. */
export const folder = mkdtempSync(join(tmpdir(), 'vrm-web-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

export const run = (program, ...args) => execFileSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 26 });
export const dist = (name) => readFileSync(join(package_, 'dist', name));

/** Imports an entry of the package, for example "index" or "runtime". */
export const entry = (name) => import(`file://${package_}/dist/${name}.js`);

/** Returns the bytes and the path of a shape of scenes/avatar_shapes.h. */
export function shape(name) {
  const path = join(folder, `${name}.vrm`);
  if (!existsSync(path)) run(join(build, 'make_shape'), name, path);
  return { path, bytes: readFileSync(path) };
}

/** A motion of a second that lifts the left leg by 60 degrees. */
export const bvh = `HIERARCHY
ROOT hips
{
  OFFSET 0 90 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT leftUpperLeg
  {
    OFFSET 10 0 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 -40 0
    }
  }
}
MOTION
Frames: 2
Frame Time: 1
0 90 0 0 0 0 0 0 0
0 90 0 0 0 0 0 -60 0
`;

let failures = 0;

/** Counts a failed check and prints it. */
export function check(what, good) {
  if (!good) {
    ++failures;
    console.log(`FAILED ${what}`);
  }
}

export function same(what, found, expected) {
  check(`${what}: ${JSON.stringify(found)}, expected ${JSON.stringify(expected)}`, JSON.stringify(found) === JSON.stringify(expected));
}

/** Checks that the call throws a VRMError with this code. */
export async function refused(what, code, job) {
  try {
    await job();
    check(`${what} does not throw`, false);
    return null;
  } catch (error) {
    same(`code of ${what} (${error.message})`, error.code, code);
    return error;
  }
}

export function end() {
  process.exitCode = failures ? 1 : 0;
  console.log(failures ? `${failures} failed` : 'ok');
}
