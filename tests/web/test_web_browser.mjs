// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// A page with an import map in headless Chromium, under a Content-Security-Policy that allows its own files and
// 'wasm-unsafe-eval'. Tests that the bits are the same as in Node, that a wrong MIME type of the server does no harm,
// libvrm/worker, that 60 MB do not block the page, and that the page requests only its own files. Without
// 'wasm-unsafe-eval' the page must fail; otherwise the policy would not be in force. Also uses the example of a worker
// as a person does.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sumOfFrames } from './frames.mjs';
import { padded } from './padded.mjs';
import { check, command, end, entry, folder, package_, root, run, same, shape } from './web.mjs';

const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium';
const puppeteerAt = join(root, 'tools/picture/node_modules/puppeteer-core/lib/esm/puppeteer/puppeteer-core.js');
const esbuildAt = join(root, 'tools/web/node_modules/esbuild/lib/main.js');
if (![chromium, puppeteerAt, esbuildAt].every(existsSync)) {
  console.log('skipped: Chromium, puppeteer-core (npm ci --prefix tools/picture) or esbuild (npm ci --prefix tools/web) is missing');
  process.exit(77);
}
const { default: esbuild } = await import(esbuildAt);
const { default: puppeteer } = await import(puppeteerAt);

const avatar = shape('plain').bytes;
run(command, 'sample', '-o', join(folder, 'あ バ.vrm'));
const files = { '/avatar.vrm': avatar, '/large.vrm': padded(readFileSync(join(folder, 'あ バ.vrm')), 8, 8, 4400000) };
const imports = JSON.stringify({ imports: { libvrm: '/package/dist/index.js', 'libvrm/worker': '/package/dist/worker.js' } });
const hash = `'sha256-${createHash('sha256').update(imports).digest('base64')}'`;
const html = `<!doctype html><meta charset="utf-8"><title>libvrm</title><link rel="icon" href="data:,">
<script type="importmap">${imports}</script><script type="module" src="/tests/web/page.js"></script>`;
const types = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm' };
const asked = [];
/** The example's worker receives its module only when a file has been chosen, as on a slow connection. */
let choose = () => {};
const chosen = new Promise((done) => { choose = done; });

/** Returns the file of a path. /as-text/ is the package from a server that does not know WebAssembly's MIME type. */
function fileOf(path) {
  for (const [first, home] of [['/package/', package_], ['/as-text/', join(package_, 'dist')], ['/node_modules/libvrm/', package_]]) {
    if (path.startsWith(first)) return readFileSync(join(home, path.slice(first.length)));
  }
  return files[path] ?? readFileSync(join(root, path));
}

const server = createServer(async (request, response) => {
  const path = normalize(request.url.split('?')[0]);
  asked.push(path);
  if (path === '/' || path === '/refused') {
    const eval_ = path === '/' ? "'wasm-unsafe-eval'" : '';
    response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy':
      `default-src 'none'; script-src 'self' ${eval_} ${hash}; connect-src 'self'; worker-src 'self'; img-src data:` });
    response.end(html);
    return;
  }
  if (/^\/node_modules\/libvrm\/.*\.wasm$/.test(path)) await chosen;
  try {
    const bytes = fileOf(path);
    // A worker has the policy of its own response. The example has its import map in the page itself.
    const policy = path.startsWith('/web/examples/') ? {} : { 'content-security-policy': "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'" };
    response.writeHead(200, { 'content-type': path.startsWith('/as-text/') ? 'text/plain' : types[extname(path)] ?? 'application/octet-stream', ...policy });
    response.end(bytes);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((done) => { server.listen(0, '127.0.0.1', done); });
const browser = await puppeteer.launch({ executablePath: chromium, protocolTimeout: 120000, timeout: 60000, args: ['--headless',
  '--no-sandbox', '--disable-gpu', '--no-proxy-server', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'] });
const outside = [];

async function open(path) {
  const page = await browser.newPage();
  page.on('request', (request) => { if (!/^(http:\/\/127\.0\.0\.1|data:)/.test(request.url())) outside.push(request.url()); });
  await page.goto(`http://127.0.0.1:${server.address().port}${path}`);
  return page;
}

async function visit(path) {
  const page = await open(path);
  await page.waitForFunction('window.result', { timeout: 100000 });
  const result = await page.evaluate('window.result');
  await page.close();
  return result;
}

/** Makes a page without modules and servers: libvrm/inline, the avatar and the test's frames in one script. */
async function openFromFolder() {
  const home = join(folder, '二 つ');
  mkdirSync(home);
  writeFileSync(join(home, 'main.mjs'), `
    import avatar from ${JSON.stringify(shape('plain').path)};
    import { VRM } from ${JSON.stringify(join(package_, 'dist/inline.js'))};
    import { sumOfFrames } from ${JSON.stringify(join(root, 'tests/web/frames.mjs'))};
    VRM.load(avatar).then((vrm) => ({ sum: sumOfFrames(vrm, undefined, 200), simd: vrm.module.simd }))
      .catch((error) => String(error)).then((result) => { window.result = result; });`);
  esbuild.buildSync({ entryPoints: [join(home, 'main.mjs')], outfile: join(home, 'main.js'), bundle: true, format: 'iife', minify: true, target: 'es2022',
    loader: { '.vrm': 'binary' }, logLevel: 'error' });
  writeFileSync(join(home, 'ページ.html'), '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script src="main.js"></script>');
  const page = await browser.newPage();
  await page.goto(pathToFileURL(join(home, 'ページ.html')).href);
  await page.waitForFunction('window.result', { timeout: 60000 });
  const result = await page.evaluate('window.result');
  await page.close();
  return result;
}

/** Opens a file on the example's page; returns the number of drawn pixels on its canvas at two moments. */
async function tryExample() {
  const page = await open('/web/examples/worker/index.html');
  const drawn = () => page.evaluate(() => {
    const canvas = document.querySelector('canvas');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    return Array.from({ length: data.length / 4 }, (_, i) => i).filter((i) => data[4 * i + 3] > 0);
  });
  await (await page.$('input')).uploadFile(join(folder, 'あ バ.vrm'));
  choose();
  await page.waitForFunction("document.querySelector('output').textContent !== ''", { timeout: 60000 });
  const name = await page.$eval('output', (output) => output.textContent);
  await page.waitForFunction(() => new Promise((done) => { setTimeout(() => done(true), 300); }));
  const first = await drawn();
  await page.waitForFunction(() => new Promise((done) => { setTimeout(() => done(true), 300); }));
  const second = await drawn();
  await page.close();
  return { name, first, second };
}

try {
  const found = await visit('/');
  same('the page runs', found.error, undefined);
  const { VRM } = await entry('index');
  const expected = sumOfFrames(await VRM.load(avatar), undefined, 200);
  for (const [name, sum] of Object.entries(found.sums ?? {})) same(`200 frames, ${name}`, sum, expected);
  same('kinds', Object.keys(found.sums ?? {}).length, 4);
  same('the worker', [found.worker?.sum, found.worker?.refused], [expected, 'ERROR_NOT_GLTF 1']);
  for (const [message, pattern] of [[found.missing, /^LOAD http.*\/nothing\.wasm: HTTP status 404$/], [found.worker?.missing, /^LOAD http.*\/nothing\.wasm: HTTP status 404$/],
    [found.page, /^LOAD http.*README\.md: CompileError: .*\(type application\/octet-stream\)$/]]) {
    check(`"${message}" is not ${pattern}`, pattern.test(message));
  }
  same('libvrm/inline in one script, opened from a folder', await openFromFolder(), { sum: expected, simd: true });
  for (const [where, longest] of Object.entries(found.blocks ?? {})) {
    console.log(`60 MB, ${where}: the page is blocked for at most ${longest.toFixed(1)} ms`);
    check(`loading 60 MB (${where}) blocks the page for ${longest} ms, at most 50 are allowed`, longest <= 50);
  }
  same('validated, not found, violations', [found.errors, found.notFound, found.violations], [0, 'LOAD', []]);
  console.log(`SIMD: ${found.simd}; load ${found.milliseconds?.load.toFixed(1)} ms, first update ${found.milliseconds?.first.toFixed(2)} ms`);
  const refused = await visit('/refused');
  check(`without 'wasm-unsafe-eval': ${refused.error}`, /CompileError/.test(refused.error));
  const { name, first, second } = await tryExample();
  check(`the example shows ${name} by ${first.length} pixels`, name !== '' && first.length > 500);
  check('the example moves', first.length !== second.length || first.some((at, i) => at !== second[i]));
  same('requests to elsewhere', outside, []);
  check(`requests: ${[...new Set(asked)]}`, asked.every((path) => /^\/($|refused$|(avatar|large|nothing)\.vrm$|nothing\.wasm$|web\/README\.md$|package\/dist\/|as-text\/|tests\/web\/|web\/examples\/|node_modules\/libvrm\/|favicon)/.test(path)));
} finally {
  await browser.close();
  server.close();
}
end();
