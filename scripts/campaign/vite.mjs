// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// node scripts/campaign/vite.mjs: a page that imports libvrm, libvrm/inline, libvrm/runtime and libvrm/worker. Vite
// builds it from the packed package, and its development server serves it. In Chromium it must give the same frames as
// Node. scripts/web must have built the package.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { available, launch } from '../../tools/picture/browser.mjs';
import { sumOfFrames } from '../../tests/web/frames.mjs';
import { check, end, entry, folder, package_, root, run, same, shape } from '../../tests/web/web.mjs';

if (!available) {
  console.log('skipped: there is no Chromium');
  process.exit(77);
}
execFileSync(join(root, 'scripts/install-npm'), ['tools/vite', 'tools/picture'], { cwd: root, stdio: 'inherit' });
const { build, createServer, preview } = await import(join(root, 'tools/vite/node_modules/vite/dist/node/index.js'));

const { cook, loadAvatar, VRM } = await entry('index');
const { bytes } = shape('plain');
const expected = sumOfFrames(await VRM.load(bytes), undefined, 50);
const home = join(folder, 'home');
mkdirSync(join(home, 'public'), { recursive: true });
writeFileSync(join(home, 'package.json'), '{"private": true, "type": "module"}');
const [packed] = JSON.parse(run('npm', 'pack', package_, '--pack-destination', folder, '--json', '--loglevel=error'));
run('npm', '--prefix', home, 'install', join(folder, packed.filename), '--no-audit', '--no-fund', '--offline', '--loglevel=error');
writeFileSync(join(home, 'public/avatar.vrm'), bytes);
writeFileSync(join(home, 'public/avatar.cooked'), cook(await loadAvatar(bytes)));
cpSync(join(root, 'tests/web/frames.mjs'), join(home, 'frames.mjs'));
writeFileSync(join(home, 'index.html'), '<!doctype html><title>Vite</title><script type="module" src="/main.js"></script>');
writeFileSync(join(home, 'main.js'), `
import { VRM } from 'libvrm';
import * as inline from 'libvrm/inline';
import * as runtime from 'libvrm/runtime';
import { VRMWorker } from 'libvrm/worker';
import { setInputs, stepOf, Sum, sumOfFrames } from './frames.mjs';

async function inWorker() {
  const worker = await VRMWorker.start();
  const vrm = await worker.load('/avatar.vrm');
  const sum = new Sum();
  for (let frame = 0; frame < 50; ++frame) {
    setInputs(vrm, frame);
    await vrm.update(stepOf(frame));
    sum.add(vrm);
  }
  return sum.text;
}

const found = {};
for (const [name, job] of Object.entries({
  libvrm: async () => sumOfFrames(await VRM.load('/avatar.vrm'), undefined, 50),
  inline: async () => sumOfFrames(await inline.VRM.load('/avatar.vrm'), undefined, 50),
  runtime: async () => sumOfFrames(await runtime.VRM.load('/avatar.cooked'), undefined, 50),
  worker: inWorker,
})) found[name] = await job().catch((error) => String(error));
window.result = found;
`);

async function visit(browser, url) {
  const page = await browser.newPage();
  page.on('pageerror', (error) => check(`${url}: ${error}`, false));
  await page.goto(url);
  await page.waitForFunction('window.result', { timeout: 60000 });
  const result = await page.evaluate('window.result');
  await page.close();
  return result;
}

const options = { root: home, configFile: false, logLevel: 'warn', server: { host: '127.0.0.1', port: 0 }, preview: { host: '127.0.0.1', port: 0 } };
const browser = await launch('swiftshader');
try {
  const { output } = await build({ ...options, build: { target: 'es2022' } });
  for (const file of output) console.log(`${String((file.code ?? file.source).length).padStart(8)} bytes  ${file.fileName}`);
  const built = await preview(options);
  same('built', await visit(browser, built.resolvedUrls.local[0]), { libvrm: expected, inline: expected, runtime: expected, worker: expected });
  await built.close?.();
  const server = await createServer({ ...options, optimizeDeps: { exclude: ['libvrm'] } });
  await server.listen();
  same('served', await visit(browser, server.resolvedUrls.local[0]), { libvrm: expected, inline: expected, runtime: expected, worker: expected });
  await server.close();
  // Without optimizeDeps.exclude, Vite moves the modules, but not the files beside them. libvrm/inline needs no files
  // beside it.
  const plain = await createServer({ ...options, cacheDir: join(folder, 'cache') });
  await plain.listen();
  const found = await visit(browser, plain.resolvedUrls.local[0]);
  same('inline, served without optimizeDeps.exclude', found.inline, expected);
  console.log(`libvrm, served without optimizeDeps.exclude: ${found.libvrm}`);
  await plain.close();
} finally {
  await browser.close();
}
end();
process.exit(); // Vite's servers keep the process alive
