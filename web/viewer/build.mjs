// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
//
// node web/viewer/build.mjs PACKAGE OUT: one script, with the library and the shaders inside, so that the page also opens from a
// folder, where browsers load no modules and no other files.

import { copyFile, mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const { build } = createRequire(path.join(here, '../../tools/web/package.json'))('esbuild');
const [packagePath, out] = process.argv.slice(2).map((argument) => path.resolve(argument));

await mkdir(out, { recursive: true });
await build({
  entryPoints: [path.join(here, 'src/main.js')],
  outfile: path.join(out, 'viewer.js'),
  bundle: true,
  minify: true,
  format: 'iife',
  target: ['chrome91', 'firefox89', 'safari16.4'],
  loader: { '.glsl': 'text', '.wasm': 'binary' },
  define: { 'import.meta.url': 'document.baseURI' },
  plugins: [{
    name: 'the built package',
    setup({ onResolve }) {
      onResolve({ filter: /^\.\.\/\.\.\/src\/index\.js$/ }, () => ({ path: path.join(packagePath, 'dist/index.js') }));
      onResolve({ filter: /^vrm(-scalar)?\.wasm$/ }, ({ path: name }) => ({ path: path.join(packagePath, 'dist', name) }));
    },
  }],
});
await Promise.all(['index.html', 'viewer.css'].map((file) => copyFile(path.join(here, file), path.join(out, file))));
