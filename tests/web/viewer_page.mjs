// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The viewer page in headless Chromium, for its test and its campaign. It is opened from a folder, and files are
// dropped on it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { available, launch } from '../../tools/picture/browser.mjs';
import { check, command, folder, package_, root, run, same } from './web.mjs';

if (!available) {
  console.log('skipped: no Chromium, or npm packages of tools/picture are not installed (npm ci --prefix tools/picture)');
  process.exit(77);
}

export const SIZE = 384;
const PANEL = 336; // width of the panel beside the picture, pixels
const out = join(folder, 'viewer');
const requests = [];
run(process.execPath, join(root, 'web/viewer/build.mjs'), package_, out);

// --- the page ---

// Most checks do not need a sharp picture, and a software driver needs four times as long to draw twice as many rows.
const COARSE = 0.5; // pixels of the picture to a pixel of the page

// Puts frames at least so many milliseconds apart in the time of the page, so that a fall takes fewer of them.
function spread(least) {
  const { requestAnimationFrame } = window;
  let last = 0;
  let time = 0;
  window.requestAnimationFrame = (job) => requestAnimationFrame.call(window, (now) => {
    if (now !== last) time += Math.max(least, now - last);
    last = now;
    job(time);
  });
}

/** Opens the page, after `prepare` has run in it. `frame`: the least time of a frame, milliseconds. */
export async function openViewer(browser, { prepare = () => {}, frame = 0, viewport = { width: SIZE + PANEL, height: SIZE, deviceScaleFactor: COARSE } } = {}) {
  const page = await browser.newPage();
  page.on('pageerror', (error) => check(`the page throws ${error.message}`, false));
  page.on('request', (request) => requests.push(request.url()));
  page.setDefaultTimeout(180000); // the machine may be busy, and getting up takes many frames
  await page.setViewport(viewport);
  await page.evaluateOnNewDocument(prepare);
  await page.evaluateOnNewDocument(spread, frame);
  await page.goto(pathToFileURL(join(out, 'index.html')).href);
  return page;
}

/** Returns the addresses that pages have requested and that are not their own. */
export const foreignRequests = () => requests.filter((url) => !url.startsWith(pathToFileURL(out).href) && !/^(data|blob):/.test(url));

/** Does a job while the picture has a pixel for each pixel of the page. */
export async function sharply(page, job) {
  const coarse = page.viewport();
  await page.setViewport({ ...coarse, deviceScaleFactor: 1 });
  await frames(page, 2);
  const result = await job();
  await page.setViewport(coarse);
  await frames(page, 2);
  return result;
}

export const text = (page, selector) => page.$eval(selector, (element) => element.textContent);
export const isAsking = (page) => page.$eval('#conditions', (dialog) => dialog.open);

// Drops files on the page, as from the desktop.
export async function drop(page, ...files) {
  const client = await page.createCDPSession();
  const data = { items: [], files, dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop']) await client.send('Input.dispatchDragEvent', { type, x: 100, y: 100, data });
  await client.detach();
}

export const answered = (page) => page.waitForFunction(() => document.getElementById('conditions').open
  || document.getElementById('alert').textContent !== '');

export async function show(page, file) {
  await drop(page, file);
  await answered(page);
  await page.keyboard.press('Enter'); // the button that agrees has the focus
  await page.waitForFunction(() => document.getElementById('alert').textContent
    || (!document.getElementById('conditions').open && /shown|表示して/.test(document.getElementById('status').textContent)));
  same(`what ${file} is said to be wrong with`, await text(page, '#alert'), '');
}

export const press = (page, motion) => page.click(`[data-motion="${motion}"]`);

// Brings the figure to rest: no motion, no blinking, no gaze, hair at rest, no ground.
export async function still(page) {
  for (const id of ['blink', 'gaze', 'ground']) await page.$eval(`#${id}`, (box) => { if (box.checked) box.click(); });
  await page.select('#pose', 't');
  await press(page, '');
  await goOn(page, 0.5);
  await page.click('#reset-springs');
  await goOn(page, 3.5);
}

/** Waits until so many seconds of the avatar's time have passed: in one frame at most a tenth of a second passes. */
export const goOn = (page, seconds) => page.evaluate((wanted) => new Promise((done) => {
  let last = performance.now();
  let passed = -0.1;
  const next = (now) => {
    passed += Math.min(0.1, Math.max(0, now - last) / 1000);
    last = now;
    if (passed < wanted) requestAnimationFrame(next);
    else done();
  };
  requestAnimationFrame(next);
}), seconds);

export const setPaused = (page, paused) => page.$eval('#paused', (box, yes) => { if (box.checked !== yes) box.click(); }, paused);

// Waits for `count` frames, however slow the machine is.
export const frames = (page, count) => page.evaluate((n) => new Promise((done) => {
  const next = () => (n-- > 0 ? requestAnimationFrame(next) : done());
  next();
}), count);

// Takes a picture of the figure, without messages and the mark of the focus.
export async function picture(page) {
  await frames(page, 2);
  await page.evaluate(() => {
    document.activeElement.blur();
    for (const id of ['status', 'alert']) document.getElementById(id).style.visibility = 'hidden';
  });
  return page.screenshot({ clip: { x: 0, y: 0, width: SIZE, height: SIZE }, encoding: 'base64' });
}

export const camera = (page) => page.$$eval('#statistics dd', (values) => values.at(-1).textContent);

// --- comparing ---

export async function ruler(browser) {
  const page = await browser.newPage();
  const source = readFileSync(join(root, 'tools/picture/measure.mjs'), 'utf8').replaceAll('export ', '');
  await page.addScriptTag({ content: `${source}\nwindow.measure = measure;` });
  return (a, b) => page.evaluate((x, y) => window.measure(x, y, '#f4f5f7'), `data:image/png;base64,${a}`, `data:image/png;base64,${b}`);
}

export async function likeTheCommand(page, measure, file, bound) {
  const drawn = join(folder, 'command.png');
  const shot = await sharply(page, () => picture(page));
  run(command, 'render', file, '-q', '-f', '-o', drawn, '-s', `${SIZE}x${SIZE}`, '-c', await camera(page), '--pose', 't', '--settle', '4',
    '--background', '#f4f5f7');
  const { ssim, figure } = await measure(shot, readFileSync(drawn).toString('base64'));
  console.log(`${file.replace(/.*\//, '')}: SSIM ${ssim.toFixed(4)} beside vrm render, over ${figure} pixels`);
  check(`${file}: SSIM ${ssim} over ${figure} pixels, at least ${bound}`, ssim >= bound && figure > 1000);
}

// --- the browser ---

async function hasGL(browser) {
  const page = await browser.newPage();
  const good = await page.evaluate(() => document.createElement('canvas').getContext('webgl2') !== null);
  await page.close();
  return good;
}

/** Returns {browser, bound}. If possible, the driver is that of vrm render; another driver rounds differently. */
export async function launchViewer() {
  const browser = await launch('system');
  if (await hasGL(browser)) return { browser, bound: 0.985 };
  await browser.close();
  return { browser: await launch('swiftshader'), bound: 0.955 };
}

/** Returns the numbers of the statistics by their English names. */
export const statistics = (page) => page.$$eval('#statistics dt', (terms) => Object.fromEntries(
  terms.map((term) => [term.textContent, term.nextElementSibling.textContent])));

/** Waits for a message that says why something cannot be opened; returns the message. */
export async function refusal(page, ...files) {
  await page.$eval('#alert', (alert) => { alert.textContent = ''; });
  await drop(page, ...files);
  await page.waitForFunction(() => document.getElementById('alert').textContent
    || document.getElementById('status').textContent.endsWith('is shown.')
    || (document.getElementById('conditions').open && (document.getElementById('accept').click(), false)));
  return text(page, '#alert');
}
