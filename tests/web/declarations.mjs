// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// TypeScript's compiler, for tests of the package's declarations. A test puts its files into few programs, because a
// program reads the declarations of the whole platform.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './web.mjs';

const typescript = join(root, 'tools/web/node_modules/typescript');
if (!existsSync(join(typescript, 'package.json'))) {
  console.log('skipped: npm packages of tools/web are not installed (npm ci --prefix tools/web)');
  process.exit(77);
}
export const ts = (await import(join(typescript, 'lib/typescript.js'))).default;

/** Returns a program of these files, under --strict; `resolution`: "bundler" or "nodenext". */
export const compiled = (resolution, files, more = {}) => ts.createProgram(files, {
  strict: true, noEmit: true, target: ts.ScriptTarget.ES2022, lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
  ...(resolution === 'bundler' ? { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler }
    : { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext }),
  ...more,
});

/** Returns what tsc says of the program and of those of its files that `wanted(path)` chooses. Only these are checked. */
export const diagnostics = (program, wanted) => program.getSourceFiles().filter(({ fileName }) => wanted(fileName))
  .flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)])
  .concat(program.getOptionsDiagnostics(), program.getGlobalDiagnostics())
  .map(({ messageText, file, start }) => `${file?.fileName ?? ''}:${file ? file.getLineAndCharacterOfPosition(start).line + 1 : ''} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`);
