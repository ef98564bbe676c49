// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Compares a dozen pictures with three-vrm's, with the same matrices and light; scripts/campaign compares all of them.

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
  'back', 'face-side', 'first-person', 'hands', 'mtoon_shadingToony_0', 'sweep-alphaCutoff', 'sweep-alphaBlend', 'sweep-shadingToony',
  'sweep-matcap', 'sweep-rimLift', 'sweep-outlineLightingMix', 'sweep-uvMask', 'sweep-normalScale'], { stdio: 'inherit' });
rmSync(folder, { recursive: true, force: true });
process.exit(result.status ?? 1);
