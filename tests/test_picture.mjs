// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// A few pictures beside three-vrm's, by the same matrices and light; all of them: tools/picture/exact_compare.mjs.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const command = resolve(process.env.VRM_COMMAND ?? 'build/release/bin/vrm');
if (process.env.VRM_SANITIZE || !existsSync(join(dirname(command), 'vrm-render'))) {
  console.log('skipped: no vrm-render in this build');
  process.exit(77);
}
const folder = mkdtempSync(join(tmpdir(), 'vrm-pictures-'));
const result = spawnSync(process.execPath, ['tools/picture/exact_compare.mjs', command, folder,
  'body-no-outline', 'face', 'face-side', 'happy', 'blink-aa', 'angry', 'mtoon_default', 'mtoon_rimLightingMix_0p5',
  'mtoon_shadingShift_1', 'mtoon_shadingToony_0'], { stdio: 'inherit' });
rmSync(folder, { recursive: true, force: true });
process.exit(result.status ?? 1);
