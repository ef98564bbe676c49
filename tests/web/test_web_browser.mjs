// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// A page with an import map in headless Chromium, under a Content-Security-Policy that allows its own files and
// 'wasm-unsafe-eval': the same bits as in Node, a server with a wrong type, a worker with two buffers that go round, no
// request but its own files. Without 'wasm-unsafe-eval' it must fail, or the policy would not be in force.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { sumOfFrames } from './frames.mjs';
import { check, end, entry, package_, root, same, shape } from './web.mjs';

const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium';
const puppeteerAt = join(root, 'tools/picture/node_modules/puppeteer-core/lib/esm/puppeteer/puppeteer-core.js');
if (!existsSync(chromium) || !existsSync(puppeteerAt)) {
  console.log('skipped: Chromium or puppeteer-core (npm ci --prefix tools/picture) is missing');
  process.exit(77);
}
const { default: puppeteer } = await import(puppeteerAt);

const avatar = shape('plain').bytes;
const imports = JSON.stringify({ imports: { libvrm: '/package/dist/index.js' } });
const hash = `'sha256-${createHash('sha256').update(imports).digest('base64')}'`;
const html = `<!doctype html><meta charset="utf-8"><title>libvrm</title><link rel="icon" href="data:,">
<script type="importmap">${imports}</script><script type="module" src="/tests/web/page.js"></script>`;
const types = { '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm' };
const asked = [];

const server = createServer((request, response) => {
  const path = normalize(request.url.split('?')[0]);
  asked.push(path);
  if (path === '/' || path === '/refused') {
    const eval_ = path === '/' ? "'wasm-unsafe-eval'" : '';
    response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy':
      `default-src 'none'; script-src 'self' ${eval_} ${hash}; connect-src 'self'; worker-src 'self'; img-src data:` });
    response.end(html);
    return;
  }
  const file = path === '/avatar.vrm' ? null : path.startsWith('/package/') ? join(package_, path.slice(9))
    : path.startsWith('/as-text/') ? join(package_, 'dist', path.slice(9)) : join(root, path);
  try {
    const bytes = file === null ? avatar : readFileSync(file);
    response.writeHead(200, { 'content-type': path.startsWith('/as-text/') ? 'text/plain' : types[extname(path)] ?? 'application/octet-stream',
      // A worker has the policy of its own response.
      'content-security-policy': "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'" });
    response.end(bytes);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((done) => { server.listen(0, '127.0.0.1', done); });
const browser = await puppeteer.launch({ executablePath: chromium, protocolTimeout: 120000, timeout: 60000, args: ['--headless',
  '--no-sandbox', '--disable-gpu', '--no-proxy-server', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'] });
const outside = [];

async function visit(path) {
  const page = await browser.newPage();
  page.on('request', (request) => { if (!/^(http:\/\/127\.0\.0\.1|data:)/.test(request.url())) outside.push(request.url()); });
  await page.goto(`http://127.0.0.1:${server.address().port}${path}`);
  await page.waitForFunction('window.result', { timeout: 100000 });
  const result = await page.evaluate('window.result');
  await page.close();
  return result;
}

try {
  const found = await visit('/');
  same('the page runs', found.error, undefined);
  const { VRM } = await entry('index');
  const expected = sumOfFrames(await VRM.load(avatar), undefined, 200);
  for (const [name, sum] of Object.entries(found.sums ?? {})) same(`200 frames, ${name}`, sum, expected);
  same('kinds', Object.keys(found.sums ?? {}).length, 4);
  same('the worker', found.worker, { same: true, third: null, refused: 'ERROR_NOT_GLTF 1' });
  same('validated, not found, violations', [found.errors, found.notFound, found.violations], [0, 'LOAD', []]);
  console.log(`SIMD: ${found.simd}; load ${found.milliseconds?.load.toFixed(1)} ms, first update ${found.milliseconds?.first.toFixed(2)} ms`);
  const refused = await visit('/refused');
  check(`without 'wasm-unsafe-eval': ${refused.error}`, /CompileError/.test(refused.error));
  same('requests to elsewhere', outside, []);
  check(`requests: ${[...new Set(asked)]}`, asked.every((path) => /^\/($|refused$|avatar\.vrm$|nothing\.vrm$|package\/dist\/|as-text\/|tests\/web\/|web\/examples\/worker\/)/.test(path)));
} finally {
  await browser.close();
  server.close();
}
end();
