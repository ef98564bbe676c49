// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// node tests/web/bench/bench.mjs AVATAR.vrm PACKAGE
//
// Measures libvrm/three and three-vrm in one page of headless Chromium: the update until bones and morphs are ready to
// draw, loading, heap, whole frames. Run by hand; docs/web-three.md has the figures. Exit code 77 without a browser.

import { resolve } from 'node:path';
import { launch } from '../../../tools/picture/browser.mjs';
import { runs, serve } from '../pages.mjs';

if (!runs) process.exit(77);

const [model, folder] = process.argv.slice(2);
const site = { package: resolve(folder), models: {}, model: resolve(model) };
const { origin, close } = await serve(site);
const browser = await launch('swiftshader', ['--js-flags=--expose-gc', '--enable-precise-memory-info']);
async function open() {
  const page = await browser.newPage();
  page.on('pageerror', (error) => console.log(String(error.stack ?? error)));
  await page.goto(`${origin}/bench/bench.html`);
  await page.waitForFunction('window.ready', { polling: 100 });
  return page;
}
const firsts = [];
for (let i = 0; i < 5; ++i) {
  const fresh = await open();
  firsts.push(await fresh.evaluate(() => window.measure.measureFirst('/bench/avatar.vrm')));
  await fresh.close();
}
console.log(`first update of the core in a fresh page: ${firsts.map((ms) => ms.toFixed(2)).join(', ')} ms`);
const page = await open();
const call = (name, ...args) => page.evaluate((n, list) => window.measure[n]('/bench/avatar.vrm', ...list), name, args);
const ratio = (a, b) => `${(a / b).toFixed(1)} times`;
try {
  for (const [count, turns, frames] of [[1, 200, 4], [50, 40, 1]]) {
    const { theirs, ours, clones } = await call('measureUpdate', count, turns, frames);
    console.log(`update, ${count} avatar${count > 1 ? 's' : ''}: three-vrm ${theirs.toFixed(1)} us each, libvrm ${ours.toFixed(1)} us: ${ratio(theirs, ours)} as fast${
      clones ? `; clones ${clones.toFixed(1)} us: ${ratio(theirs, clones)}` : ''}`);
  }
  const load = await call('measureLoad', 40);
  for (const kind of ['first', 'best', 'median']) {
    const three = load.theirs[kind];
    const text = { ours: 'the plugin', own: 'VRMLoader', clone: 'a clone', core: 'the core alone', loader: 'GLTFLoader alone', json: 'its reading of JSON' };
    console.log(`load without images, ${kind}: three-vrm ${three.toFixed(1)} ms; ${Object.entries(text).map(([name, words]) =>
      `${words} ${load[name][kind].toFixed(2)}, ${ratio(three, load[name][kind])}`).join('; ')}`);
  }
  const heap = await call('measureHeap', 20);
  for (const [name, { heap: js, vertices, wasm }] of Object.entries(heap)) {
    console.log(`heap of an avatar, ${name}: ${(js / 1024).toFixed(0)} KiB, of it vertices ${(vertices / 1024).toFixed(0)}; ${(wasm / 1024).toFixed(0)} KiB of wasm`);
  }
  const frames = await call('measureFrames', 20, 15);
  for (const [name, [all, update, draw]] of Object.entries(frames)) {
    const part = (ms) => `${ms.toFixed(1)} ms (${(100 * ms / all).toFixed(0)} %)`;
    console.log(`a frame of 20 avatars, ${name}: ${all.toFixed(1)} ms: pose and update ${part(update)}, three's drawing calls ${part(draw)}, the driver's vertices and pixels ${part(all - update - draw)}`);
  }
  const own = ([, update, draw]) => update + draw;
  console.log(`rate of frames: ${ratio(frames.theirs[0], frames.ours[0])}; of their JavaScript and wasm, without the driver: ${ratio(own(frames.theirs), own(frames.ours))}`);
} finally {
  await browser.close();
  close();
}
