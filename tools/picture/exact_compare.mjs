// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// node exact_compare.mjs VRM-COMMAND OUT-FOLDER [NAME...]
//
// Draws the same pictures with `vrm render` and with three-vrm in headless Chromium: same matrices, light, size and blend
// space, no tone mapping. Prints how far they are apart, over the figure, and leaves both pictures in the folder. The
// exit code is 1 when a picture is farther away than `limits` (or than its own `allow`, with its reason), 77 when there
// is no browser.

import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join, normalize, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '../..');
const shared = process.env.VRM_SHARED ?? join(root, '../shared');
export const limits = { ssim: 0.985, union: 0.995, off: 0.005, difference: 1 };

const [command, folder, ...wanted] = [process.argv[2], resolve(process.argv[3] ?? 'pictures'), ...process.argv.slice(4)];
const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium';
if (!command || !existsSync(chromium) || !existsSync(join(here, 'node_modules/puppeteer-core'))) {
  console.log(command ? 'skipped: no Chromium or no node_modules (npm ci --prefix tools/picture)' : 'usage: see the head of this file');
  process.exit(command ? 77 : 2);
}
const { default: puppeteer } = await import('puppeteer-core');
await mkdir(folder, { recursive: true });

const sample = join(folder, 'sample.vrm');
execFileSync(command, ['sample', sample]);
const conformance = (name) => join(shared, 'models/conformance', name + '.vrm');
// Lines thinner than a pixel between surfaces that nearly touch fall to either side: with outlines of 1 mm and pixels of
// 3 mm three draws more of them. Without outlines (body-no-outline) the same picture is within the limits.
const thin = { ssim: 0.955, off: 0.022, difference: 1.8 };
// A 0.x file: eyes stand otherwise, and its grey metal has three's multiple scattering.
const older = { ssim: 0.965, off: 0.025, difference: 2.6 };
// middle and shown: height of the picture's middle and of what it shows, metres; yaw in degrees.
const pictures = [
  { name: 'body', file: sample, middle: 0.8, shown: 1.75, allow: thin },
  { name: 'body-no-outline', file: sample, middle: 0.8, shown: 1.75, noOutline: true },
  { name: 'back', file: sample, middle: 0.8, shown: 1.75, yaw: 160, allow: thin },
  { name: 'face', file: sample, middle: 1.42, shown: 0.4, allow: { off: 0.006 } },
  { name: 'face-side', file: sample, middle: 1.42, shown: 0.4, yaw: 60 },
  { name: 'happy', file: sample, middle: 1.42, shown: 0.4, expressions: { happy: 1 } },
  { name: 'blink-aa', file: sample, middle: 1.42, shown: 0.4, expressions: { blink: 1, aa: 0.7 } },
  { name: 'angry', file: sample, middle: 1.42, shown: 0.4, yaw: 20, expressions: { angry: 1 } },
  { name: 'hands', file: sample, middle: 1.25, shown: 1.3, yaw: 30, allow: thin },
  { name: 'godette', file: join(shared, 'models/avatars/Godette_vrm_v4.vrm'), middle: 0.75, shown: 1.7, allow: older },
  ...['mtoon_default', 'mtoon_rimLightingMix_0p5', 'mtoon_shadingShift_1', 'mtoon_shadingToony_0'].map((name) => (
    { name, file: conformance(name), middle: 0, shown: 2.6, doubleSided: true })),
];

function matrices({ middle, shown, yaw = 0 }) {
  const fov = (20 * Math.PI) / 180, distance = shown / 2 / Math.tan(fov / 2), f = 1 / Math.tan(fov / 2);
  const near = distance * 0.1, far = distance * 10, a = (yaw * Math.PI) / 180, c = Math.cos(a), s = Math.sin(a);
  return {
    view: [c, 0, s, 0, 0, 1, 0, 0, -s, 0, c, 0, 0, -middle, -distance, 1],
    projection: [f, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, (2 * far * near) / (near - far), 0],
  };
}

function serve() {
  const types = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript' };
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(request.url.split('?')[0]));
    const index = path.match(/^\/avatar\/(\d+)$/);
    try {
      const bytes = await readFile(index ? pictures[Number(index[1])].file : join(here, path));
      response.writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream' });
      response.end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  return new Promise((done) => server.listen(0, '127.0.0.1', () => done(server)));
}

const light = { yaw: -25, pitch: 35, strength: 0.92, ambient: 0.1 };
const background = '#30ff90';

async function drawOurs(picture, m) {
  const base = join(folder, picture.name);
  await writeFile(base + '.view.json', JSON.stringify(m.view));
  await writeFile(base + '.projection.json', JSON.stringify(m.projection));
  const expressions = Object.entries(picture.expressions ?? {}).map(([n, w]) => `${n}=${w}`).join(',');
  execFileSync(command, ['render', '-q', picture.file, '-o', base + '.png', '-s', '512', '--pose', 't', '--settle', '0',
    '--view-matrix', base + '.view.json', '--projection', base + '.projection.json', '--web-blend', '-b', background,
    '--light', `${light.yaw},${light.pitch},${light.strength}`, '--ambient', String(light.ambient),
    ...(expressions ? ['--expression', expressions] : []), ...(picture.doubleSided ? ['--double-sided'] : []),
    ...(picture.noOutline ? ['--no-outline'] : [])]);
  return 'data:image/png;base64,' + (await readFile(base + '.png')).toString('base64');
}

const server = await serve();
const browser = await puppeteer.launch({
  executablePath: chromium,
  args: ['--headless', '--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
    '--force-color-profile=srgb', '--no-proxy-server', '--disable-background-networking', '--disable-component-update',
    '--disable-sync', '--no-first-run'],
});
let failed = 0;
try {
  const page = await browser.newPage();
  page.on('pageerror', (error) => console.log(`page: ${error}`));
  await page.goto(`http://127.0.0.1:${server.address().port}/exact.html`);
  await page.waitForFunction('window.drawThree && window.measure');
  console.log('picture                    SSIM    union   >32 %   mean |d|  light    worst');
  for (const [i, picture] of pictures.entries()) {
    if ((wanted.length && !wanted.includes(picture.name)) || !existsSync(picture.file)) continue;
    const m = matrices(picture), yaw = (light.yaw * Math.PI) / 180, pitch = (light.pitch * Math.PI) / 180;
    const direction = [Math.sin(yaw) * Math.cos(pitch), Math.sin(pitch), Math.cos(yaw) * Math.cos(pitch)];
    const theirs = await page.evaluate((o) => window.drawThree(o), { url: `/avatar/${i}`, ...m, direction,
      light: light.strength, ambient: light.ambient, background, expressions: picture.expressions,
      doubleSided: picture.doubleSided, noOutline: picture.noOutline });
    await writeFile(join(folder, picture.name + '.three.png'), Buffer.from(theirs.split(',')[1], 'base64'));
    const d = await page.evaluate((a, b, c) => window.measure(a, b, c), theirs, await drawOurs(picture, m), background);
    const allow = { ...limits, ...picture.allow };
    const good = d.figure > 2000 && d.ssim >= allow.ssim && d.union >= allow.union && d.off <= allow.off &&
      d.difference <= allow.difference;
    failed += !good;
    console.log(`${picture.name.padEnd(26)} ${d.ssim.toFixed(4)}  ${d.union.toFixed(4)}  ${(100 * d.off).toFixed(3)}  ` +
      `${d.difference.toFixed(3)}     ${d.light.toFixed(3).padStart(6)}   ${d.worst}${good ? '' : '   BEYOND'}`);
  }
} finally {
  await browser.close();
  server.close();
}
console.log(failed ? `${failed} pictures are too far apart` : 'all pictures agree');
process.exit(failed ? 1 : 0);
