// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// node tests/web/pages.mjs VRM-COMMAND PACKAGE OUT-FOLDER [NAME...]
//
// Runs pages that others wrote for three-vrm (../shared/pages) twice in headless Chromium: with three-vrm, and with the
// same names imported from libvrm/three. Nothing else in a page is changed. If a page loads a model, it gets the
// generated sample or a file of ../shared. Time advances only by the requested frames, so that both runs draw the same
// moments. Prints the difference of the pictures (SSIM over the pixels that are not background in both) and leaves them
// in the folder. Exit code 1 if a page does not run though it does with three-vrm, or is below its bound; 77 without a
// browser.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { available, launch } from '../../tools/picture/browser.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const modules = join(root, 'tools/compare/node_modules');
export const shared = resolve(process.env.VRM_SHARED ?? join(root, '../shared'));
const theirs = join(shared, 'pages/packages');
const own = fileURLToPath(new URL('pages/', import.meta.url));

/** True if a browser and the npm packages are available. */
export const runs = available && existsSync(join(modules, 'three/package.json'));
/** True if the pages of others are available. */
export const hasTheirs = existsSync(theirs);

const types = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm', '.json': 'application/json' };

const three = {
  three: '/modules/three/build/three.module.js',
  'three/webgpu': '/modules/three/build/three.webgpu.js',
  'three/tsl': '/modules/three/build/three.tsl.js',
  'three/addons/': '/modules/three/examples/jsm/',
};
const imports = {
  'three-vrm': {
    ...three,
    '@pixiv/three-vrm': '/modules/@pixiv/three-vrm/lib/three-vrm.module.js',
    '@pixiv/three-vrm/nodes': '/modules/@pixiv/three-vrm/lib/nodes/index.module.js',
    '@pixiv/three-vrm-animation': '/modules/@pixiv/three-vrm-animation/lib/three-vrm-animation.module.js',
  },
  libvrm: {
    ...three,
    '@pixiv/three-vrm': '/libvrm/three/index.js',
    '@pixiv/three-vrm-animation': '/libvrm/three/index.js',
    '@pixiv/three-vrm/nodes': '/modules/@pixiv/three-vrm-materials-mtoon/lib/nodes/index.module.js',
    '@pixiv/three-vrm-materials-mtoon': '/modules/@pixiv/three-vrm-materials-mtoon/lib/three-vrm-materials-mtoon.module.js',
    '@pixiv/three-vrm-materials-v0compat': '/modules/@pixiv/three-vrm-materials-v0compat/lib/three-vrm-materials-v0compat.module.js',
    '@pixiv/three-vrm-materials-hdr-emissive-multiplier':
      '/modules/@pixiv/three-vrm-materials-hdr-emissive-multiplier/lib/three-vrm-materials-hdr-emissive-multiplier.module.js',
  },
};

imports.bench = { ...imports.libvrm, 'three-vrm': imports['three-vrm']['@pixiv/three-vrm'], 'libvrm/three': '/libvrm/three/index.js',
  libvrm: '/libvrm/index.js' };

/** Returns the page with the import map of a library. */
function withImports(html, library) {
  const map = `<script type="importmap">${JSON.stringify({ imports: imports[library] })}</script>`;
  return html.replace(/<script type="importmap">[\s\S]*?<\/script>/, map);
}

/**
 * A website on this machine: /three-vrm/... and /libvrm-page/... are the pages with either import map, /libvrm/... is the
 * package, /modules/... what npm installed. Any .vrm is the file that `site.model` names.
 */
export async function serve(site) {
  const folders = { 'three-vrm': theirs, 'libvrm-page': theirs, 'three-vrm-own': own, 'libvrm-own': own, 'libvrm-loads': own, bench: join(own, '../bench'), modules,
    libvrm: join(site.package, 'dist') };
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(request.url.split('?')[0]));
    const [, first, ...rest] = path.split('/');
    try {
      const file = path.endsWith('.vrm') ? site.models[rest.at(-1)] ?? site.model : join(folders[first], ...rest);
      const bytes = await readFile(file);
      const library = { 'three-vrm': 'three-vrm', 'libvrm-page': 'libvrm', 'three-vrm-own': 'three-vrm', 'libvrm-own': 'libvrm', 'libvrm-loads': 'libvrm', bench: 'bench' }[first];
      const type = types[extname(path)] ?? 'application/octet-stream';
      response.writeHead(200, { 'content-type': type, 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' });
      response.end(library && type === 'text/html' ? withImports(bytes.toString(), library) : bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { origin: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

async function loaded(page, objects, problems) {
  for (let waited = 0; waited < 30000; waited += 25) {
    if (problems.length || await page.evaluate((n) => window.frozen.objects >= n && (n === 0 || window.frozen.runs), objects)) return;
    await new Promise((done) => { setTimeout(done, 25); });
  }
  problems.push('nothing was loaded within 30 s');
}

/** Runs a page; returns {picture: data URL, problems: [text]}. `act(page, step, load)` does what a person would do. */
export async function shoot(browser, url, { objects = 1, frames = 40, act, size = [640, 480] } = {}) {
  const page = await browser.newPage();
  const problems = [];
  page.on('pageerror', (error) => problems.push(String(error.stack ?? error)));
  page.on('console', (message) => { if (message.type() === 'error' && !/favicon|404/.test(message.text() + message.location().url)) problems.push(message.text()); });
  try {
    await page.setViewport({ width: size[0], height: size[1] });
    await page.evaluateOnNewDocument(await readFile(join(own, 'freeze.js'), 'utf8'));
    await page.goto(url);
    const load = (count) => loaded(page, count, problems);
    const step = (count) => page.evaluate((n) => window.frozen.step(n), count);
    await load(objects);
    await step(frames);
    if (act) await act({ page, step, load });
    return { picture: `data:image/png;base64,${await page.screenshot({ encoding: 'base64' })}`, problems };
  } finally {
    await page.close();
  }
}

const press = async ({ page, step }) => { await page.keyboard.press('a'); await step(1); };
// Moves the pointer for half a second, then waits for a second, so that hair and clothes come to rest.
const point = async ({ page, step }) => {
  for (let i = 1; i <= 30; ++i) {
    await page.mouse.move(320 + 2 * i, 240 - 3 * i);
    await step(1);
  }
  await step(60);
};
const drop = (url, name, objects) => async ({ page, step, load }) => {
  await page.evaluate((u, n) => window.frozen.drop(u, n), url, name);
  await load(objects);
  await step(20);
};

/** The pages and the actions on them; `model`: the model that a page gets. */
export const pages = [
  { name: 'index', file: 'three-vrm/examples/index.html', objects: 0, frames: 1 },
  { name: 'animations', file: 'three-vrm/examples/animations.html' },
  { name: 'basic', file: 'three-vrm/examples/basic.html' },
  { name: 'bones', file: 'three-vrm/examples/bones.html' },
  // three-vrm draws a collider's plane at the wrong position, since it rotates the offset with the normal. So this page
  // gets a model without planes.
  { name: 'debug', file: 'three-vrm/examples/debug.html', model: 'second.vrm' },
  { name: 'dnd', file: 'three-vrm/examples/dnd.html', act: drop('/models/second.vrm', 'second.vrm', 2) },
  { name: 'expressions', file: 'three-vrm/examples/expressions.html' },
  { name: 'firstperson', file: 'three-vrm/examples/firstperson.html' },
  { name: 'firstperson-key', file: 'three-vrm/examples/firstperson.html', act: press },
  { name: 'humanoidAnimation', file: 'three-vrm/examples/humanoidAnimation/index.html', model: 'second.vrm' },
  { name: 'lookat', file: 'three-vrm/examples/lookat.html', act: point },
  { name: 'lookat-advanced', file: 'three-vrm/examples/lookat-advanced.html' },
  { name: 'materials-debug', file: 'three-vrm/examples/materials-debug.html' },
  { name: 'materials-debug-key', file: 'three-vrm/examples/materials-debug.html', act: press },
  { name: 'meta', file: 'three-vrm/examples/meta.html' },
  { name: 'mouse', file: 'three-vrm/examples/mouse.html', act: point },
  // Does not run with three-vrm, either: three no longer has a function that three-vrm's nodes import.
  { name: 'webgpu-dnd', fails: true, file: 'three-vrm/examples/webgpu-dnd.html', act: drop('/models/second.vrm', 'second.vrm', 2) },
  { name: 'animation/index', file: 'three-vrm-animation/examples/index.html', objects: 0, frames: 1 },
  { name: 'animation/loader-plugin', file: 'three-vrm-animation/examples/loader-plugin.html' },
  { name: 'animation/dnd', file: 'three-vrm-animation/examples/dnd.html', objects: 2 },
];

/** Opens a page that measures pictures. */
async function ruler(browser, origin) {
  const page = await browser.newPage();
  await page.goto(`${origin}/modules/three/package.json`);
  const text = (await readFile(join(root, 'tools/picture/measure.mjs'), 'utf8')).replaceAll('export ', '');
  await page.addScriptTag({ content: `${text}\nwindow.measure = measure;` });
  return (a, b) => page.evaluate((x, y) => window.measure(x, y, '#000000'), a, b);
}

/** Runs pages with both libraries; returns [{name, ssim, problems, ...}]. Writes the pictures to `folder`. */
export async function compare({ package: folderOfPackage, models, model, folder, list, only = [], prefixes = ['three-vrm', 'libvrm-page'], report = () => {} }) {
  const site = { package: folderOfPackage, models, model };
  const { origin, close } = await serve(site);
  const browser = await launch('swiftshader');
  const results = [];
  try {
    const measure = await ruler(browser, origin);
    for (const entry of list) {
      site.model = models[entry.model] ?? model;
      const shots = {};
      for (const [which, prefix] of [['theirs', prefixes[0]], ['ours', prefixes[1]]]) {
        if (only.length && !only.includes(which)) continue;
        shots[which] = await shoot(browser, `${origin}/${prefix}/${entry.file}`, entry)
          .catch((error) => ({ problems: [String(error)] }));
        if (!shots[which].picture) continue;
        const name = `${entry.name.replace('/', '-')}.${which}.png`;
        await writeFile(join(folder, name), Buffer.from(shots[which].picture.split(',')[1], 'base64'));
      }
      const problems = [...(shots.theirs?.problems ?? []).map((p) => `three-vrm: ${p}`), ...(shots.ours?.problems ?? [])];
      results.push({ name: entry.name, fails: entry.fails === true && shots.theirs?.problems.length > 0, problems, ...(shots.theirs?.picture && shots.ours?.picture ? await measure(shots.theirs.picture, shots.ours.picture) : {}) });
      report(results.at(-1));
    }
  } finally {
    await browser.close();
    close();
  }
  return results;
}

/** Writes a generated sample into a folder as a model. */
export function sample(command, folder, ...options) {
  const file = join(folder, `sample${options.join('')}.vrm`);
  execFileSync(command, ['sample', ...options, '-o', file]);
  return file;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [command, folderOfPackage, out, ...names] = process.argv.slice(2);
  if (!out || !runs || !hasTheirs) {
    console.log(out ? 'skipped: no Chromium, no npm packages or no ../shared/pages' : 'usage: see the head of this file');
    process.exit(out ? 77 : 2);
  }
  const folder = resolve(out);
  await mkdir(folder, { recursive: true });
  const godette = join(shared, 'models/avatars/Godette_vrm_v4.vrm');
  const model = process.env.VRM_MODEL ?? sample(command, folder);
  const only = process.env.ONLY ? [process.env.ONLY] : [];
  let failed = 0;
  let absent = 0; // pages that run with neither library
  const report = ({ name, fails, ssim, problems, union, off, difference }) => {
    const good = problems.length === 0 && !(ssim < 0.98);
    absent += !good && fails;
    failed += !good && !fails;
    console.log(`${good ? 'ok  ' : fails ? 'none' : 'FAIL'} ${name.padEnd(24)} SSIM ${ssim?.toFixed(4)} cover ${union?.toFixed(4)} off ${off?.toFixed(4)} difference ${difference?.toFixed(2)}`);
    for (const problem of problems) console.log(`     ${problem.split('\n').slice(0, 4).join('\n     ')}`);
  };
  const results = await compare({
    package: resolve(folderOfPackage), folder, only, model,
    models: { 'second.vrm': existsSync(godette) ? godette : sample(command, folder, '--seed=1') },
    report, list: pages.filter(({ name }) => names.length === 0 || names.includes(name)),
  });
  console.log(`${results.length - failed - absent} of ${results.length}`);
  process.exit(failed ? 1 : 0);
}
