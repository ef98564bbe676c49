// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Compares pictures of programs for three-vrm with those of the same programs with a changed import. Two pages of our
// own and, if available, two pages that others wrote. For all pages: node tests/web/pages.mjs (scripts/campaign).

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { check, command, end, folder, package_, root } from './web.mjs';
import { compare, hasTheirs, pages, runs, sample } from './pages.mjs';

if (!runs) {
  console.log('skipped: no Chromium or no node_modules (npm ci --prefix tools/picture, tools/compare)');
  process.exit(77);
}
const model = sample(command, folder, '--minimal');

function judge({ name, ssim, problems }, least = 0.98) {
  for (const problem of problems) check(`${name}: ${problem}`, false);
  check(`${name}: SSIM ${ssim}, at least ${least}`, ssim >= least);
  console.log(`${name}: SSIM ${ssim?.toFixed(4)}`);
}

const common = { package: package_, models: {}, model, folder, report: judge };
const old = join(root, '../shared/models/avatars/Godette_vrm_v4.vrm');
await compare({ ...common, list: [{ name: 'own', file: 'own.html' }], prefixes: ['three-vrm-own', 'libvrm-own'] });
// Compares two ways of loading with libvrm: VRMLoader with clones, and three loads with the plugin.
await compare({ ...common, models: { 'old.vrm': old }, report: (result) => judge(result, 0.9999), prefixes: ['libvrm-loads', 'libvrm-own'],
  list: [{ name: 'loader', file: 'loader.html' }, ...(existsSync(old) ? [{ name: 'loader, VRM 0.x', file: 'loader.html', model: 'old.vrm' }] : [])] });
if (hasTheirs) await compare({ ...common, list: pages.filter(({ name }) => ['animations', 'firstperson'].includes(name)) });
else console.log('pages of others: ../shared/pages is not here');
end();
