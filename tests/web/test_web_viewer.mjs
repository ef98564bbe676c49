// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The viewer page as a person uses it: opened from a folder in headless Chromium, with files dropped on it, pointer and
// keys. Pictures are compared with those of vrm render.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answered, camera, drop, foreignRequests, frames, goOn, isAsking, launchViewer, likeTheCommand, openViewer, picture, press, refusal, ruler,
  setPaused, sharply, show, SIZE, still, text } from './viewer_page.mjs';
import { bvh, check, command, end, folder, run, same, shape } from './web.mjs';

// --- what one does ---

async function tryControls(page) {
  await setPaused(page, true);
  const rest = await picture(page);
  check('a still figure gives the same picture', rest === await picture(page));

  await page.focus('input[data-expression="happy"]');
  await page.keyboard.press('End');
  check('an expression shows', rest !== await picture(page));
  await page.click('#reset-face');
  check('the neutral face is back', rest === await picture(page));

  await page.focus('#canvas');
  const before = await camera(page);
  await page.keyboard.press('ArrowLeft');
  const turned = await picture(page);
  check('an arrow key turns', turned !== rest);
  await page.focus('#canvas');
  await page.keyboard.press('Home');
  check('Home goes back', rest === await picture(page));
  await page.mouse.move(SIZE / 2, SIZE / 2);
  await page.mouse.down();
  await page.mouse.move(SIZE / 2 + 60, SIZE / 2, { steps: 3 });
  await page.mouse.up();
  check('the pointer turns', rest !== await picture(page));
  await page.mouse.wheel({ deltaY: -200 });
  await page.waitForFunction((last) => document.querySelector('#statistics dd:last-of-type').textContent !== last, {}, before);
  await page.focus('#canvas');
  await page.keyboard.press('Home');

  await page.click('#gaze');
  const eyes = [];
  for (const x of [10, SIZE - 10]) {
    await page.mouse.move(x, SIZE / 4);
    await frames(page, 30);
    eyes.push(await picture(page));
  }
  check('the eyes follow the pointer', eyes[0] !== eyes[1]);
  await page.click('#gaze');

  await page.click('#lines');
  check('spring bones show', rest !== await picture(page));
  await page.click('#lines');
  check('all is as it was', rest === await picture(page));

  // Only the wind changes: without wind, the hair of this file is at rest.
  await page.$eval('#wind', (wind) => { wind.value = 2; });
  await setPaused(page, false);
  await frames(page, 20);
  await setPaused(page, true);
  check('wind moves hair', rest !== await picture(page));
  await page.$eval('#wind', (wind) => { wind.value = 0; });
}

async function tryWords(page) {
  const keys = () => page.$$eval('[data-say]', (elements) => elements.filter((e) => e.textContent === '' || e.textContent === e.dataset.say)
    .map((e) => e.dataset.say));
  same('texts that are missing', await keys(), []);
  await page.$eval('#panel', (panel) => { panel.scrollTop = 0; });
  await page.click('#language');
  same('language', await page.$eval('html', (html) => html.lang), 'ja');
  same('texts that are missing in Japanese', await keys(), []);
  check('headings are Japanese', /表情/.test(await text(page, '#controls')));
  await page.click('#language');
  const nameless = await page.$$eval('button, input:not([hidden]), select, canvas', (controls) => controls
    .filter((c) => !(c.labels?.length || c.getAttribute('aria-label') || c.textContent.trim())).map((c) => c.id || c.outerHTML));
  same('controls without a name for screen readers', nameless, []);
}

async function tryFiles(page, name) {
  await setPaused(page, true);
  const rest = await picture(page);
  const cut = join(folder, 'cut.vrm');
  writeFileSync(cut, readFileSync(shape(name).path).subarray(0, 4000));
  const why = await refusal(page, cut);
  check(`a damaged file is named: ${why}`, /cut\.vrm.*cannot be opened: .{10,}/.test(why));
  check('the avatar stays', rest === await picture(page));

  await drop(page, shape('branching').path);
  await answered(page);
  check('the next avatar asks', await isAsking(page));
  await page.click('#refuse');
  await frames(page, 5);
  check('refused, the avatar stays', rest === await picture(page));

  const moves = join(folder, 'walk.glb');
  const motion = join(folder, 'walk.vrma');
  run(command, 'simulate', shape(name).path, '-q', '-o', moves, '--motion', 'walk', '--duration', '1');
  run(command, 'convert-motion', '-q', moves, '-o', motion);
  await drop(page, motion);
  await page.waitForSelector('[data-motion="walk.vrma"][aria-pressed="true"]');
  await setPaused(page, false);
  await frames(page, 20);
  const walking = await picture(page);
  check('the motion plays', walking !== rest);
  await press(page, '');
  await frames(page, 30);
}

const pressed = (page) => page.$$eval('[aria-pressed="true"]', (buttons) => buttons.map(({ dataset }) => dataset.motion));

// The motions made for the avatar. Each gives another picture than standing still, and a motion that ends leads back to
// idling.
async function tryMotions(page) {
  same('motion at first', await pressed(page), ['idle']);
  await setPaused(page, true);
  const seen = new Set([await picture(page)]);
  for (const motion of ['', 'walk', 'sitDown']) {
    await press(page, motion);
    await setPaused(page, false);
    await goOn(page, 0.4);
    await setPaused(page, true);
    same('motion that plays', await pressed(page), [motion]);
    seen.add(await picture(page));
  }
  same('pictures of motions', seen.size, 4);
  await setPaused(page, false);
  await press(page, 'bow');
  await page.waitForSelector('[data-motion="idle"][aria-pressed="true"]');
}

const phase = (page) => page.$eval('#phase', (output) => output.textContent);
async function waitForPhase(page, words) {
  try {
    await page.waitForFunction((all) => all.includes(document.getElementById('phase').textContent), {}, words);
  } catch (cause) {
    throw new Error(`the body "${await phase(page)}", expected "${words.join('" or "')}"`, { cause });
  }
}

// The body is pushed by button, pointer, finger and key. When it is dropped, it gets up and continues its motion.
async function tryBody(page) {
  const before = await camera(page);
  await page.$eval('#strength', (input) => { input.value = 30; });
  await page.keyboard.down('Control');
  await page.mouse.click(SIZE / 2, SIZE * 0.35);
  await page.keyboard.up('Control');
  await waitForPhase(page, ['reacts', 'returns to its motion']);
  await waitForPhase(page, ['animated']);
  await page.keyboard.down('Control');
  await page.mouse.click(8, 8);
  await page.keyboard.up('Control');
  await frames(page, 40);
  same('after a push beside it', await phase(page), 'animated');

  await page.select('#hand', 'drag');
  await page.mouse.move(SIZE / 2, SIZE * 0.2);
  await page.mouse.down();
  await page.mouse.move(SIZE / 2 + 40, SIZE * 0.2, { steps: 4 });
  await waitForPhase(page, ['reacts']);
  await page.mouse.up();
  await page.select('#hand', 'camera');

  await page.click('#bodies');
  await page.focus('#canvas');
  // The page itself records the phases, since a slow test could miss the phase of getting up.
  await page.evaluate(() => {
    const shown = document.getElementById('phase');
    window.phases = [];
    new MutationObserver(() => window.phases.push(shown.textContent)).observe(shown, { childList: true, characterData: true, subtree: true });
  });
  await page.keyboard.press('d');
  await waitForPhase(page, ['falls', 'lies']);
  await waitForPhase(page, ['animated']);
  const phases = await page.evaluate(() => window.phases);
  check(`a dropped body gets up: ${phases}`, phases.includes('gets up'));
  await page.click('#bodies');
  same('motion after getting up', await pressed(page), ['idle']);
  await page.click('#explode');
  await waitForPhase(page, ['falls', 'lies']);
  await page.click('#stop-body');
  await waitForPhase(page, ['animated']);
  await page.click('#reset');
  await page.waitForFunction((first) => document.querySelector('#statistics dd:last-of-type').textContent === first, {}, before);
}

const click = (page, selector) => page.$eval(selector, (control) => control.click());

// Shows `count` frames of a sixtieth of a second of the paused figure; returns the phases that follow each other.
const step = (page, count) => page.evaluate((n) => {
  const phases = [];
  for (let i = 0; i < n; ++i) {
    document.getElementById('canvas').dispatchEvent(new KeyboardEvent('keydown', { key: '.' }));
    const phase = document.getElementById('phase').textContent;
    if (phases.at(-1) !== phase) phases.push(phase);
  }
  return phases;
}, count);

// Returns the camera when the statistics are next filled in. It follows the hips of a moved body.
const nextCamera = async (page) => {
  await page.evaluate(() => new Promise((done) => {
    new MutationObserver((_, observer) => { observer.disconnect(); done(); }).observe(document.getElementById('statistics'), { childList: true });
  }));
  return (await camera(page)).split(/[,:]/).map(Number);
};

const key = async (page, name) => {
  await page.focus('#canvas');
  await page.keyboard.press(name);
};

// A medium push makes the figure step away with recovery steps, and only lean without. A falling body gets up by button
// or key before it lies. The first push also creates the body. A body that does not protect itself falls in another way.
async function tryButtons(page, measure) {
  await setPaused(page, true);
  await page.$eval('#strength', (input) => { input.value = 40; });
  const ways = [];
  for (const push of [() => click(page, '#push'), () => key(page, 'p')]) {
    await click(page, '#reset');
    const first = await nextCamera(page);
    await push();
    const phases = await step(page, 60);
    check(`a medium push does not throw it down: ${phases}`, phases[0] === 'reacts' && !phases.includes('falls'));
    ways.push(first[5] - (await nextCamera(page))[5]);
    await click(page, '#steps');
  }
  check(`ways after a push, with steps and without: ${ways}`, ways[0] > 0.1 && Math.abs(ways[1]) < 0.03);
  for (const getUp of [() => click(page, '#get-up'), () => key(page, 'g')]) {
    await click(page, '#reset');
    await click(page, '#drop');
    same('dropped', await step(page, 30), ['falls']);
    await getUp();
    const phases = await step(page, 900);
    same('it gets up at once', [phases[0], phases.at(-1), phases.includes('lies')], ['gets up', 'animated', false]);
  }
  await page.$eval('#strength', (input) => { input.value = 200; });
  const falls = [];
  for (const protects of [true, false, true]) {
    if (await page.$eval('#protects', ({ checked }) => checked) !== protects) await click(page, '#protects');
    await click(page, '#reset');
    await click(page, '#push');
    same(`pushed over, protecting itself: ${protects}`, (await step(page, 40)).at(-1), 'falls');
    falls.push(await picture(page));
  }
  const [alike, other] = [(await measure(falls[0], falls[2])).ssim, (await measure(falls[0], falls[1])).ssim];
  check(`a body that does not protect itself falls in another way: SSIM ${alike} and ${other}`, alike > 0.8 && other < 0.6);
  await click(page, '#reset');
  await nextCamera(page);
  await setPaused(page, false);
}

// The saved picture is that of the canvas.
async function tryScreenshot(page, measure) {
  const client = await page.createCDPSession();
  await client.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: folder, eventsEnabled: true });
  const done = new Promise((resume) => { client.on('Browser.downloadProgress', ({ state }) => { if (state === 'completed') resume(); }); });
  const shot = await picture(page);
  await click(page, '#screenshot');
  await done;
  const saved = join(folder, 'sample.png');
  check('the saved picture is named after the avatar', existsSync(saved));
  const bytes = readFileSync(saved);
  same('kind and size of the saved picture', [bytes.toString('latin1', 1, 4), bytes.readUInt32BE(16), bytes.readUInt32BE(20)], ['PNG', SIZE, SIZE]);
  const { ssim, figure } = await measure(shot, bytes.toString('base64'));
  check(`the saved picture is that of the page: SSIM ${ssim} over ${figure} pixels`, ssim > 0.999 && figure > 1000);
  const again = new Promise((resume) => { client.on('Browser.downloadWillBegin', ({ suggestedFilename }) => resume(suggestedFilename)); });
  await key(page, 's');
  same('what the key S saves', await again, 'sample.png');
  await client.detach();
}

// Cancels by button and by Escape, and the avatar stays: a worker that never answers, and one that stops while the user
// reads the conditions.
async function tryCancel(page) {
  const rest = await picture(page);
  await page.evaluate(() => {
    window.heard = Object.getOwnPropertyDescriptor(Worker.prototype, 'onmessage');
    Object.defineProperty(Worker.prototype, 'onmessage', { configurable: true, set(hear) {
      window.heard.set.call(this, (event) => { if (window.hears(event.data)) hear(event); });
    } });
  });
  for (const asks of [false, true]) {
    await page.evaluate((yes) => { window.hears = yes ? ({ cooked }) => cooked !== undefined : () => false; }, asks);
    for (const cancel of [() => click(page, '#cancel'), () => page.keyboard.press('Escape')]) {
      await drop(page, shape('mirrored').path);
      if (asks) {
        await answered(page);
        await click(page, '#accept');
      }
      await page.waitForFunction(() => !document.getElementById('progress').hidden);
      await cancel();
      await page.waitForFunction(() => document.getElementById('progress').hidden && /still shown/.test(document.getElementById('status').textContent));
      same('messages after cancelling', await text(page, '#alert'), '');
    }
  }
  await page.evaluate(() => { Object.defineProperty(Worker.prototype, 'onmessage', window.heard); });
  check('cancelled, the avatar stays', rest === await picture(page));
}

// Opening is cancelled while the driver compiles the shaders, after everything has been read.
async function tryCancelLate(page) {
  await page.evaluate(() => {
    const { getProgramParameter } = WebGL2RenderingContext.prototype;
    const DONE = 0x91b1; // COMPLETION_STATUS_KHR
    WebGL2RenderingContext.prototype.getProgramParameter = function (program, name) {
      return name === DONE && window.compiles ? false : getProgramParameter.call(this, program, name);
    };
    window.compiles = true;
  });
  await drop(page, shape('branching').path);
  await answered(page);
  await click(page, '#accept');
  await page.waitForFunction(() => !document.getElementById('progress').hidden && !document.getElementById('bar').hasAttribute('value'));
  await click(page, '#cancel');
  await page.evaluate(() => { window.compiles = false; });
  await page.waitForFunction(() => document.getElementById('progress').hidden);
  same('messages after cancelling late', await text(page, '#alert'), '');
  check('cancelled late, no avatar is shown', await page.$eval('#controls', (controls) => controls.hidden));
}

// Returns the texts whose contrast with their background is below 4.5 by the formula of WCAG 2.
const faint = (page) => page.evaluate(() => {
  const numbers = (color) => color.match(/[\d.]+/g).map(Number);
  const light = (color) => numbers(color).slice(0, 3).map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const backOf = (element) => {
    const { backgroundColor } = getComputedStyle(element);
    return numbers(backgroundColor)[3] === 0 ? backOf(element.parentElement) : backgroundColor;
  };
  return [...document.body.querySelectorAll('*')].filter((e) => [...e.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim())
    && !['SCRIPT', 'STYLE'].includes(e.tagName)).map((e) => {
    const [a, b] = [light(getComputedStyle(e).color), light(backOf(e))].sort((x, y) => y - x);
    return [e.id || e.textContent, (a + 0.05) / (b + 0.05)];
  }).filter(([, contrast]) => !(contrast >= 4.5));
});

async function tryColours(page) {
  const seen = [];
  await page.$eval('#alert', (alert) => { alert.textContent = 'wrong'; });
  for (const value of ['light', 'dark']) {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }, { name: 'prefers-reduced-motion', value: 'reduce' }]);
    same(`texts of too little contrast, ${value}`, await faint(page), []);
    seen.push(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), await picture(page));
  }
  check('dark is another colour, also behind the figure', seen[0] !== seen[2] && seen[1] !== seen[3]);
  await page.emulateMediaFeatures([]);
  await page.$eval('#alert', (alert) => { alert.textContent = ''; });
}

// Other things that a person may drop before an avatar is shown.
async function tryOddities(page) {
  const motion = join(folder, 'alone.bvh');
  writeFileSync(motion, bvh);
  check('a motion wants an avatar', /alone\.bvh.*open an avatar first/.test(await refusal(page, motion)));
  const note = join(folder, 'note.txt');
  writeFileSync(note, 'a note');
  check('a text is none of these', /note\.txt.*one of \.vrm/.test(await refusal(page, note)));
  check('a folder says so', /folder cannot be opened/.test(await refusal(page, folder)));
  await page.evaluate(() => document.dispatchEvent(Object.assign(new DragEvent('drop', { dataTransfer: new DataTransfer() }))));
  check('dropped words are no file', /No file was dropped/.test(await text(page, '#alert')));
}

// The context is lost while the body falls, and the picture is one pixel large for a while. The fall continues, and the
// figure comes back.
async function tryLostWhileFalling(page) {
  await setPaused(page, false);
  await page.click('#reset');
  await page.click('#drop');
  await waitForPhase(page, ['falls']);
  await page.evaluate(() => window.lost.loseContext());
  await page.waitForFunction(() => document.getElementById('alert').textContent !== '');
  const viewport = page.viewport();
  await page.setViewport({ width: 1, height: 1 });
  await frames(page, 3);
  await page.setViewport(viewport);
  await page.evaluate(() => window.lost.restoreContext());
  await page.waitForFunction(() => document.getElementById('alert').textContent === '');
  check('the fall goes on', ['falls', 'lies', 'gets up'].includes(await phase(page)));
  await page.click('#reset');
  await waitForPhase(page, ['animated']);
}

// The report of a file that is opened by the button has the findings of vrm validate.
async function tryReport(page) {
  const { path } = shape('mirrored');
  const [chooser] = await Promise.all([page.waitForFileChooser(), click(page, '#open')]);
  await chooser.accept([path]);
  await answered(page);
  await click(page, '#accept');
  await page.waitForFunction(() => document.getElementById('status').textContent.endsWith('is shown.'));
  await page.evaluate(() => { document.getElementById('report').open = true; });
  await page.waitForFunction(() => document.getElementById('report-count').textContent !== '');
  const { issues } = JSON.parse(run(command, 'validate', '--format', 'json', path));
  const expected = issues.messages.map(({ severity, message, pointer }) => `${['Error', 'Warning', 'Note', 'Hint'][severity]}: ${message} ${pointer}`);
  same('findings', (await page.$$eval('#findings li', (rows) => rows.map((row) => row.textContent))).sort(), expected.sort());
  check('there are findings', expected.length > 1);
  const rows = await page.$$eval('#statistics dt', (terms) => terms.length);
  check('statistics are filled in', rows > 10);
}

async function tryLostContext(page) {
  const rest = await picture(page);
  await page.evaluate(() => {
    window.lost = document.getElementById('canvas').getContext('webgl2').getExtension('WEBGL_lose_context');
    window.lost.loseContext();
  });
  await page.waitForFunction(() => document.getElementById('alert').textContent !== '');
  await page.evaluate(() => window.lost.restoreContext());
  await page.waitForFunction(() => document.getElementById('alert').textContent === '');
  check('the picture comes back after a lost context', rest === await picture(page));
}

async function tryPhone(page) {
  await frames(page, 3);
  const layout = await page.evaluate(() => {
    const box = document.getElementById('canvas').getBoundingClientRect();
    return { wide: document.documentElement.scrollWidth, width: box.width, height: box.height };
  });
  check(`on a phone nothing is wider than the screen, and the figure has room: ${JSON.stringify(layout)}`,
    layout.wide <= 390 && layout.width === 390 && layout.height > 300);
  const before = await camera(page);
  const client = await page.createCDPSession();
  const fingers = (...xs) => xs.map((x, id) => ({ x, y: 200, id }));
  await client.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: fingers(150, 250) });
  await client.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: fingers(100, 300) });
  await client.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await page.waitForFunction((last) => document.querySelector('#statistics dd:last-of-type').textContent !== last, {}, before);
}

// --- all of it ---

const FRAME = 50; // milliseconds
const { browser, bound } = await launchViewer();
try {
  const measure = await ruler(browser);
  const sample = join(folder, 'sample.vrm');
  run(command, 'sample', '--minimal', '-q', '-o', sample);

  const page = await openViewer(browser, { frame: FRAME });
  await tryOddities(page);
  await drop(page, sample);
  await answered(page);
  check('conditions come before the avatar', await isAsking(page) && await page.$eval('#controls', (controls) => controls.hidden));
  check('they have its name and its terms', /libvrm sample/.test(await text(page, '#conditions')) && /Commercial use/.test(await text(page, '#conditions')));
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => !document.getElementById('controls').hidden);
  await tryMotions(page);
  await tryButtons(page, measure);
  await tryBody(page);
  await still(page);
  await likeTheCommand(page, measure, sample, bound);
  await tryControls(page);
  await sharply(page, () => tryScreenshot(page, measure));
  await tryWords(page);
  await tryColours(page);
  await frames(page, 60);
  await tryLostContext(page);
  await tryLostWhileFalling(page);
  await tryFiles(page, 'mirrored');
  await setPaused(page, true);
  await tryCancel(page);
  await tryReport(page);
  await page.close();

  const phone = await openViewer(browser, { viewport: { width: 390, height: 844, hasTouch: true, isMobile: true } });
  await show(phone, sample);
  await tryPhone(phone);
  await phone.close();

  const plain = await openViewer(browser, { frame: FRAME, prepare: () => { WebAssembly.validate = () => false; } });
  await tryCancelLate(plain);
  await show(plain, shape('branching').path);
  check('without SIMD there is no body, and it says why', await plain.$eval('#body-controls', (set) => set.disabled)
    && await plain.$eval('#no-body', (p) => !p.hidden && /SIMD/.test(p.textContent)));
  await still(plain);
  await likeTheCommand(plain, measure, shape('branching').path, bound);
  await plain.close();

  const blind = await openViewer(browser, { prepare: () => { HTMLCanvasElement.prototype.getContext = () => null; } });
  await blind.waitForFunction(() => document.getElementById('alert').textContent !== '');
  check('a browser without WebGL 2 is told so', /WebGL 2/.test(await text(blind, '#alert')));
  await blind.close();

  same('requests for anything but the page\'s own files', foreignRequests(), []);
} finally {
  await browser.close();
}
end();
