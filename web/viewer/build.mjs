// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
// node web/viewer/build.mjs PACKAGE OUT: builds a single script that contains the library, the shaders and the worker.
// The page therefore also opens from a folder, where browsers load neither modules nor other files.

import { copyFile, mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const { build } = createRequire(path.join(here, '../../tools/web/package.json'))('esbuild');
const [packagePath, out] = process.argv.slice(2).map((argument) => path.resolve(argument));

const builtPackage = {
  name: 'the built package',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.\/\.\.\/src\/\w+\.js$/ }, ({ path: name }) => ({ path: path.join(packagePath, 'dist', path.basename(name)) }));
    onResolve({ filter: /^vrm-\w+\.wasm$/ }, ({ path: name }) => ({ path: path.join(packagePath, 'dist', name) }));
  },
};

const bundle = (entry, options) => build({
  entryPoints: [path.join(here, 'src', entry)],
  bundle: true,
  minify: true,
  format: 'iife',
  target: ['chrome91', 'firefox89', 'safari16.4'],
  loader: { '.glsl': 'text', '.wasm': 'binary' },
  define: { 'import.meta.url': 'self.location.href' },
  ...options,
});

const worker = await bundle('reader.js', { write: false, plugins: [builtPackage] });
const workerText = {
  name: 'the worker as text',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^reader text$/ }, () => ({ path: 'reader', namespace: 'worker' }));
    onLoad({ filter: /.*/, namespace: 'worker' }, () => ({ contents: worker.outputFiles[0].text, loader: 'text' }));
  },
};

await mkdir(out, { recursive: true });
await bundle('main.js', { outfile: path.join(out, 'viewer.js'), plugins: [builtPackage, workerText] });
await Promise.all(['index.html', 'viewer.css'].map((file) => copyFile(path.join(here, file), path.join(out, file))));
