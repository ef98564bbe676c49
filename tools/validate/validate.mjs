// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// node validate.mjs FILE...
//
// Prints the findings of Khronos' glTF validator. The exit code is 1 if a file has an error or a warning, 77 if the
// validator is not installed (npm ci in this folder). Extensions that the validator does not know are infos, and are
// not printed.

import { readFile } from 'node:fs/promises';

let validator;
try {
  validator = (await import('gltf-validator')).default;
} catch {
  console.log('gltf-validator is not installed: run npm ci in tools/validate');
  process.exit(77);
}

let bad = false;
for (const path of process.argv.slice(2)) {
  const report = await validator.validateBytes(new Uint8Array(await readFile(path)), { maxIssues: 1000 });
  const { numErrors, numWarnings, numInfos, numHints, messages } = report.issues;
  console.log(`${path}: ${numErrors} errors, ${numWarnings} warnings, ${numInfos} infos, ${numHints} hints`);
  for (const m of messages) {
    if (m.code !== 'UNSUPPORTED_EXTENSION') {
      console.log(`  ${['error', 'warning', 'info', 'hint'][m.severity]} ${m.code} ${m.pointer ?? ''}: ${m.message}`);
    }
  }
  bad ||= numErrors + numWarnings > 0;
}
process.exit(bad ? 1 : 0);
