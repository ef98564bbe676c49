// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Compares pictures of programs for three-vrm with those of the same programs with a changed import. One page of our
// own and, if available, two pages that others wrote. For all pages: node tests/web/pages.mjs (scripts/campaign).

import { check, command, end, folder, package_ } from './web.mjs';
import { compare, hasTheirs, pages, runs, sample } from './pages.mjs';

if (!runs) {
  console.log('skipped: no Chromium or no node_modules (npm ci --prefix tools/picture, tools/compare)');
  process.exit(77);
}
const model = sample(command, folder, '--minimal');

function judge({ name, ssim, problems }) {
  for (const problem of problems) check(`${name}: ${problem}`, false);
  check(`${name}: SSIM ${ssim}, at least 0.98`, ssim >= 0.98);
  console.log(`${name}: SSIM ${ssim?.toFixed(4)}`);
}

const common = { package: package_, models: {}, model, folder, report: judge };
await compare({ ...common, list: [{ name: 'own', file: 'own.html' }], prefixes: ['three-vrm-own', 'libvrm-own'] });
if (hasTheirs) await compare({ ...common, list: pages.filter(({ name }) => ['animations', 'firstperson'].includes(name)) });
else console.log('pages of others: ../shared/pages is not here');
end();
