// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// node scripts/campaign/viewer.mjs [PART...]: tests of the viewer page that take too long for the suite. Pictures
// compared with vrm render, broken files, files of 60 and 200 MB, ten files at once, a hundred avatars, a hidden page.
// scripts/web must have built the page. Uses files of ../shared/models if available.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { padded } from '../../tests/web/padded.mjs';
import { answered, camera, drop, foreignRequests, frames, isAsking, launchViewer, likeTheCommand, openViewer, refusal, ruler, show,
  statistics, still, text } from '../../tests/web/viewer_page.mjs';
import { bvh, check, command, end, folder, root, run, same, shape } from '../../tests/web/web.mjs';

const models = join(root, '../shared/models');
const listed = (name) => (existsSync(join(models, name)) ? readdirSync(join(models, name)).map((file) => join(models, name, file)) : []);
const named = (...files) => files.map((file) => join(models, file)).filter(existsSync);
const sample = join(folder, 'sample.vrm');
run(command, 'sample', '-q', '-o', sample);
const { browser, bound } = await launchViewer();

// --- pictures ------------------------------------------------------------------------------------------------------------------

async function pictures() {
  const measure = await ruler(browser);
  const files = [sample, shape('scaled').path, shape('many').path, ...named('avatars/Godette_vrm_v4.vrm', 'blender/custom_normal.vrm',
    'blender/debug_robot.vrm', 'blender/multi_uv_vrm1.vrm', 'blender/VrmaInspector_Example.vrm', 'conformance/mtoon_default.vrm',
    'conformance/springbone_extended_plane_pmed.vrm')];
  for (const file of files) {
    const page = await openViewer(browser);
    await show(page, file);
    await still(page);
    await likeTheCommand(page, measure, file, bound);
    await page.close();
  }
}

// --- files ---------------------------------------------------------------------------------------------------------------------

async function broken() {
  const page = await openViewer(browser);
  await show(page, sample);
  const files = [...listed('negative'), ...listed('bvh').filter((file) => /malformed/.test(file)), ...listed('gltf').filter((file) => /Box\.glb$/.test(file))];
  for (const file of files) {
    const why = await refusal(page, file);
    console.log(`  ${why || `${file} is shown`}`);
    check(`${file} is shown or refused in words: ${why}`, why === '' || /cannot be opened: .{10,}/.test(why));
  }
  for (const file of listed('bvh').filter((name) => /valid-/.test(name) && !/malformed/.test(name))) {
    await drop(page, file);
    await page.waitForFunction((name) => document.getElementById('alert').textContent
      || document.querySelector(`[data-motion="${name}"]`), {}, file.replace(/.*\//, ''));
    console.log(`  ${file.replace(/.*\//, '')}: ${await text(page, '#alert') || 'plays'}`);
  }
  check('an avatar is still there', /\.vrm$/.test((await statistics(page)).File));
  await page.close();
}

async function several() {
  const page = await openViewer(browser);
  const files = [shape('plain').path, shape('branching').path];
  for (let i = 0; i < 8; ++i) {
    files.push(join(folder, `${i}.bvh`));
    writeFileSync(files.at(-1), bvh);
  }
  await drop(page, ...files.reverse());
  for (let i = 0; i < 2; ++i) {
    await page.waitForFunction(() => document.getElementById('conditions').open);
    await page.click('#accept');
  }
  await page.waitForSelector('[data-motion="7.bvh"], [data-motion="0.bvh"][aria-pressed="true"]');
  await frames(page, 30);
  same('motions of ten files at once', await page.$$eval('[data-motion$=".bvh"]', (buttons) => buttons.length), 8);
  mkdirSync(join(folder, 'a folder'));
  console.log(`  ${await refusal(page, join(folder, 'a folder'))}`);
  await page.close();
}

// --- large files ---------------------------------------------------------------------------------------------------------------

// Returns a PNG of noise: 12.6 MB for 2048 pixels.
function noise(size) {
  const rows = Buffer.alloc((1 + 3 * size) * size);
  for (let i = 0, seed = 1; i < rows.length; ++i, seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) if (i % (1 + 3 * size)) rows[i] = seed >>> 24;
  const table = Int32Array.from({ length: 256 }, (_, n) => { for (let k = 0; k < 8; ++k) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1; return n; });
  const chunk = (type, data) => {
    const made = Buffer.alloc(12 + data.length);
    made.writeUInt32BE(data.length, 0);
    made.write(type, 4, 'latin1');
    data.copy(made, 8);
    let crc = -1;
    for (const byte of made.subarray(4, 8 + data.length)) crc = table[(crc ^ byte) & 255] ^ (crc >>> 8);
    made.writeInt32BE(~crc, 8 + data.length);
    return made;
  };
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0]);
  head.writeUInt32BE(size, 0);
  head.writeUInt32BE(size, 4);
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', head), chunk('IDAT', deflateSync(rows, { level: 1 })),
    chunk('IEND', Buffer.alloc(0))]);
}

// Measures the page's tasks while it reads, by the browser's own trace: the duration of each task, and its processor
// time.
async function tasksDuring(page, job) {
  await page.tracing.start({ categories: ['toplevel', 'devtools.timeline', 'gpu'] });
  await job();
  const { traceEvents: events } = JSON.parse(Buffer.from(await page.tracing.stop()).toString());
  const main = new Set(events.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain').map(({ pid, tid }) => `${pid} ${tid}`));
  const mine = events.filter(({ pid, tid, ph }) => ph === 'X' && main.has(`${pid} ${tid}`));
  const most = (of, member) => of.reduce((largest, event) => Math.max(largest, event[member] ?? 0), 0) / 1000;
  const tasks = mine.filter(({ name }) => name === 'RunTask');
  return { lasted: most(tasks, 'dur'), worked: most(tasks, 'tdur'), waited: most(mine.filter(({ name }) => /Wait/.test(name)), 'dur') };
}

async function large() {
  const page = await openViewer(browser, { viewport: { width: 640, height: 400 } });
  page.setDefaultTimeout(300000);
  await show(page, sample);
  const file = join(folder, 'large.vrm');
  writeFileSync(file, padded(readFileSync(sample), 6, 3, 0, noise(2048)));
  const { lasted, worked, waited } = await tasksDuring(page, () => show(page, file));
  console.log(`  60 MB: tasks of the page lasted at most ${lasted.toFixed(1)} ms, worked ${worked.toFixed(1)} ms, waited for the driver ${
    waited.toFixed(1)} ms; ${(await statistics(page))['Loaded in']}`);
  check(`a task of 60 MB works ${worked} ms`, worked <= 50);

  await drop(page, file);
  await page.waitForFunction(() => !document.getElementById('progress').hidden || document.getElementById('conditions').open);
  if (await isAsking(page)) await page.click('#accept');
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => document.getElementById('progress').hidden && /stays|shown/.test(document.getElementById('status').textContent));

  writeFileSync(file, padded(readFileSync(sample), 2, 12, 16 << 20));
  const before = performance.now();
  await drop(page, file);
  await answered(page);
  console.log(`  200 MB: ${await isAsking(page) ? 'it asks' : await text(page, '#alert')} after ${(performance.now() - before).toFixed(0)} ms`);
  await page.close();
}

// --- time ----------------------------------------------------------------------------------------------------------------------

const AVATARS = Number(process.env.VRM_AVATARS ?? 100);

async function memory() {
  const page = await openViewer(browser);
  const client = await page.createCDPSession();
  const files = [shape('plain').path, shape('branching').path];
  const used = [];
  for (let i = 0; i < AVATARS; ++i) {
    await show(page, files[i % 2]);
    if (i % 5 === 0) await page.click('#drop');
    if (i % 10 !== 9) continue;
    await client.send('HeapProfiler.collectGarbage');
    const { usedSize } = await client.send('Runtime.getHeapUsage');
    used.push(usedSize / 1e6);
  }
  console.log(`  ${AVATARS} avatars, MB of JavaScript: ${used.map((size) => size.toFixed(1)).join(' ')}`);
  check(`memory grows from ${used[0]} to ${used.at(-1)} MB`, used.at(-1) < used[0] * 1.2 + 1);
  await page.close();
}

async function hidden() {
  const page = await openViewer(browser);
  await show(page, shape('plain').path);
  await page.click('#push');
  const other = await browser.newPage();
  await other.bringToFront();
  await new Promise((resume) => { setTimeout(resume, 60000); });
  await page.bringToFront();
  await frames(page, 5);
  check('after a minute in the background it reacts or is animated', ['reacts', 'animated', 'returns to its motion'].includes(await text(page, '#phase')));
  check('the camera is where it was', Math.abs(Number((await camera(page)).split(',')[0])) < 0.5);
  await other.close();
  await page.close();
}

const parts = { pictures, broken, several, large, memory, hidden };
const wanted = process.argv.slice(2);
for (const [name, part] of Object.entries(parts)) {
  if (wanted.length && !wanted.includes(name)) continue;
  console.log(name);
  await part();
}
same('requests for anything but the page\'s own files', foreignRequests(), []);
await browser.close();
end();
