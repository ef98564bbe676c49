// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The viewer page: opens files, shows one avatar, and lets one try what it can do.

import { hasSimd, init, loadAvatar, loadClip, validate, VRM } from '../../src/index.js';
import scalarWasm from 'vrm-scalar.wasm';
import simdWasm from 'vrm.wasm';
import { conditions } from './conditions.js';
import { springLines } from './lines.js';
import { loadModel } from './model.js';
import { Orbit } from './orbit.js';
import { Renderer } from './renderer.js';
import { currentLanguage, say, speak } from './words.js';

const $ = (id) => document.getElementById(id);
const LONGEST_STEP = 0.1; // seconds; a hidden tab comes back without a leap
const ARMS_DOWN = 1.25; // radians from the T-pose

const pause = () => new Promise((resume) => { setTimeout(resume, 0); });

const shown = { vrm: null, model: null, bytes: null, name: '', loadTime: 0, clips: [], pointer: null };
let renderer = null;
let library = null;
let orbit = null;
let lastTime = 0;
let times = [];
let opening = Promise.resolve();

// --- words -------------------------------------------------------------------------------------------------------------------

function tell(text) {
  $('status').textContent = text;
}

function warn(text) {
  $('alert').textContent = text;
}

function fill(list, pairs) {
  list.replaceChildren(...pairs.flatMap(([term, text]) => {
    const dt = document.createElement('dt');
    const dd = document.createElement('dd');
    dt.textContent = term;
    dd.textContent = text;
    return [dt, dd];
  }));
}

const describeCanvas = () => $('canvas').setAttribute('aria-label',
  shown.vrm ? say('canvas', { name: shown.vrm.meta.name || shown.name }) : say('canvasEmpty'));

// --- panels ------------------------------------------------------------------------------------------------------------------

function slider(name) {
  const label = document.createElement('label');
  const text = document.createElement('span');
  const input = document.createElement('input');
  text.textContent = name;
  Object.assign(input, { type: 'range', min: 0, max: 1, step: 0.01, value: 0 });
  input.dataset.expression = name;
  input.addEventListener('input', () => shown.vrm.expressionManager.setValue(name, Number(input.value)));
  label.append(text, input);
  return label;
}

function fillExpressions() {
  const { names } = shown.vrm.expressionManager;
  const empty = document.createElement('p');
  empty.textContent = say('none');
  $('expressions').replaceChildren(...(names.length ? names.map(slider) : [empty]));
}

async function fillReport() {
  const { bytes } = shown;
  $('report-count').textContent = '';
  $('findings').replaceChildren();
  const { findings } = await validate(bytes, { module: library });
  if (bytes !== shown.bytes) return; // another avatar has come meanwhile
  const items = [...findings, ...shown.model.problems].map(({ severity, sentence, path }) => {
    const item = document.createElement('li');
    const place = document.createElement('code');
    item.textContent = `${say(severity === 'hint' ? 'hint_' : severity)}: ${sentence} `;
    place.textContent = path;
    item.append(place);
    return item;
  });
  $('report-count').textContent = `(${items.length})`;
  if (items.length === 0) {
    const item = document.createElement('li');
    item.textContent = say('reportClean');
    items.push(item);
  }
  $('findings').replaceChildren(...items);
}

function fillStatistics() {
  const { vrm, model } = shown;
  const { counts, dialect, body } = vrm.avatar;
  const { statistics } = model;
  const update = times.length ? times.reduce((sum, t) => sum + t.update, 0) / times.length : 0;
  const span = times.length > 1 ? times.at(-1).at - times[0].at : 0;
  fill($('statistics'), [
    [say('file'), shown.name], [say('size'), `${(shown.bytes.byteLength / 1e6).toFixed(1)} MB`], [say('dialect'), `VRM ${dialect}`],
    [say('height'), `${body.height.toFixed(2)} m`], [say('triangles'), statistics.triangles], [say('vertices'), statistics.vertices],
    [say('primitives'), statistics.primitives], [say('textures'), statistics.textures], [say('nodes'), counts.nodes],
    [say('expressions'), counts.expressions], [say('springJoints'), counts.springJoints],
    [say('loadTime'), `${shown.loadTime.toFixed(0)} ms`], [say('updateTime'), `${(1000 * update).toFixed(0)} µs`],
    [say('frameRate'), span > 0 ? ((times.length - 1) * 1000 / span).toFixed(0) : '–'], [say('camera'), orbit.text],
  ].map(([term, value]) => [term, String(value)]));
}

function fillPanels() {
  for (const list of document.querySelectorAll('dl.meta')) if (!list.closest('dialog')) fill(list, conditions(shown.vrm.meta));
  fillStatistics();
  describeCanvas();
}

// --- pose --------------------------------------------------------------------------------------------------------------------

function applyPose() {
  const turn = $('pose').value === 'relaxed' ? ARMS_DOWN : 0;
  for (const [bone, sign] of [['leftUpperArm', -1], ['rightUpperArm', 1]]) {
    if (bone in shown.vrm.humanoid.humanBones) {
      shown.vrm.humanoid.setNormalizedRotation(bone, [0, 0, Math.sin(sign * turn / 2), Math.cos(turn / 2)]);
    }
  }
}

function applySettings() {
  const { vrm } = shown;
  applyPose();
  vrm.expressionManager.setBlink({ enabled: $('blink').checked });
}

function frameAvatar() {
  const { vrm } = shown;
  vrm.update(0);
  const { box } = vrm;
  const isThere = box.min[0] <= box.max[0];
  const height = isThere ? box.max[1] - box.min[1] : 1.6;
  const middle = isThere ? (box.max[1] + box.min[1]) / 2 : 0.8;
  const width = isThere ? Math.min(box.max[0] - box.min[0], 0.8 * height) : 0.6;
  const aspect = $('canvas').clientWidth / Math.max(1, $('canvas').clientHeight);
  const tangent = Math.tan(35 * Math.PI / 360);
  orbit.place([vrm.origin[0], vrm.origin[1] + middle, vrm.origin[2]], 0, 0.06, 1.12 * Math.max(height, width / aspect) / 2 / tangent);
}

function lookAlong(x, y) {
  shown.pointer = [x, y];
}

function applyGaze() {
  const { vrm, pointer } = shown;
  if ($('gaze').checked && pointer) vrm.lookAt.target = orbit.pointAt(...pointer, 0.6);
  else if (vrm.lookAt.target) vrm.lookAt.reset();
}

// Wind in gusts, across the picture.
function applyWind(now) {
  const strength = Number($('wind').value);
  const gust = strength * (0.6 + 0.4 * Math.sin(now * 0.0017) * Math.sin(now * 0.0041));
  shown.vrm.springBoneManager.setWind([gust * Math.cos(orbit.yaw), 0, -gust * Math.sin(orbit.yaw)]);
}

// --- frames ------------------------------------------------------------------------------------------------------------------

function resize() {
  const { canvas } = renderer.gl;
  const ratio = Math.min(window.devicePixelRatio || 1, 2);
  const width = Math.max(1, Math.round(canvas.clientWidth * ratio));
  const height = Math.max(1, Math.round(canvas.clientHeight * ratio));
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
}

function backgroundLight() {
  const [r, g, b] = getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number);
  const decode = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  return [decode(r / 255), decode(g / 255), decode(b / 255), 1];
}

function draw() {
  const { canvas } = renderer.gl;
  renderer.draw(shown.vrm, shown.model, { view: orbit.view, projection: orbit.projection(canvas.width / canvas.height),
    light: orbit.light, background: backgroundLight(), lines: shown.vrm && $('lines').checked ? springLines(shown.vrm) : null });
}

function step(now) {
  const dt = Math.min(LONGEST_STEP, Math.max(0, (now - lastTime) / 1000));
  lastTime = now;
  if (shown.vrm) {
    applyGaze();
    applyWind(now);
    const start = performance.now();
    shown.vrm.update($('paused').checked ? 0 : dt);
    times.push({ at: now, update: performance.now() - start });
    if (times.length > 60) times.shift();
  }
  if (!renderer.gl.isContextLost()) {
    resize();
    draw();
  }
}

function run(now) {
  requestAnimationFrame(run);
  step(now);
}

// --- files -------------------------------------------------------------------------------------------------------------------

/** Shows who made it and what is allowed; true when one wants to go on. */
function ask(meta) {
  fill($('conditions').querySelector('dl'), conditions(meta));
  $('conditions').showModal();
  $('accept').focus();
  return new Promise((answer) => {
    const close = (yes) => {
      $('conditions').close();
      answer(yes);
    };
    $('accept').onclick = () => close(true);
    $('refuse').onclick = () => close(false);
    $('conditions').oncancel = () => answer(false);
  });
}

async function openAvatar(name, bytes) {
  const start = performance.now();
  const avatar = await loadAvatar(bytes, { module: library, keepDocument: true });
  let vrm = null;
  let model = null;
  try {
    let waited = performance.now();
    if (!await ask(avatar.meta)) return false;
    waited = performance.now() - waited;
    model = await loadModel(renderer.gl, avatar, pause);
    vrm = new VRM(avatar);
    shown.vrm?.dispose();
    shown.model?.dispose();
    Object.assign(shown, { vrm, model, bytes, name, loadTime: performance.now() - start - waited });
  } catch (error) {
    model?.dispose();
    throw error;
  } finally {
    avatar.dispose(); // the VRM keeps it
  }
  times = [];
  for (const clip of shown.clips.splice(0)) clip.dispose();
  $('motions').replaceChildren();
  $('hint').hidden = true;
  $('controls').hidden = false;
  fillExpressions();
  frameAvatar();
  applySettings();
  vrm.springBoneManager.settle(1);
  fillPanels();
  tell(say('loaded', { name: vrm.meta.name || name }));
  fillReport();
  return true;
}

async function openMotion(name, bytes) {
  if (!shown.vrm) throw new Error(say('needsAvatar', { name }));
  const clip = await loadClip(bytes, { module: library });
  shown.clips.push(clip);
  const { vrm } = shown;
  const play = () => vrm.clips.play(clip, { wrap: 'loop', seconds: 0.3 });
  play();
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = name;
  button.addEventListener('click', play);
  $('motions').append(button);
  tell(say('motion', { name }));
}

// What went wrong, and where the file has it.
function reason({ message, findings = [] }) {
  const [first] = findings;
  return !first || message.includes(first.sentence) ? message : `${message}: ${first.sentence} ${first.found ?? ''} ${first.path}`;
}

// A .glb may be either: without a humanoid it is a motion, where an avatar is there to move.
async function open(file) {
  const { name } = file;
  warn('');
  tell(say('loading', { name }));
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    if (/\.(vrma|bvh)$/i.test(name)) {
      await openMotion(name, bytes);
    } else {
      try {
        if (!await openAvatar(name, bytes)) tell('');
      } catch (error) {
        if (!shown.vrm || !/\.(glb|gltf)$/i.test(name)) throw error;
        await openMotion(name, bytes).catch(() => { throw error; });
      }
    }
  } catch (error) {
    tell(shown.vrm ? say('kept') : '');
    warn(say('failed', { name, why: reason(error) }));
  }
}

// One after the other: several dropped files are an avatar and its motions.
function openAll(files) {
  const sorted = [...files].sort((a, b) => /\.(vrma|bvh)$/i.test(a.name) - /\.(vrma|bvh)$/i.test(b.name));
  for (const file of sorted) opening = opening.then(() => open(file));
}

// --- start -------------------------------------------------------------------------------------------------------------------

function savePicture() {
  draw(); // in this task, so that the picture is still there to be read
  renderer.gl.canvas.toBlob((blob) => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = `${shown.name.replace(/\.[^.]*$/, '') || 'avatar'}.png`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
}

function listen() {
  $('open').addEventListener('click', () => $('file').click());
  $('file').addEventListener('change', () => {
    openAll($('file').files);
    $('file').value = '';
  });
  document.addEventListener('dragover', (event) => event.preventDefault());
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    openAll(event.dataTransfer.files);
  });
  $('language').addEventListener('click', () => {
    speak(currentLanguage() === 'en' ? 'ja' : 'en');
    if (shown.vrm) fillPanels();
    describeCanvas();
  });
  $('reset-face').addEventListener('click', () => {
    shown.vrm.expressionManager.resetValues();
    for (const input of $('expressions').querySelectorAll('input')) input.value = 0;
  });
  $('stop').addEventListener('click', () => shown.vrm.clips.stop({ seconds: 0.3 }));
  $('reset-springs').addEventListener('click', () => shown.vrm.springBoneManager.reset());
  for (const id of ['pose', 'blink']) $(id).addEventListener('change', () => shown.vrm && applySettings());
  $('screenshot').addEventListener('click', savePicture);
}

function survive(canvas) {
  canvas.addEventListener('webglcontextlost', (event) => {
    event.preventDefault();
    warn(say('lost'));
  });
  canvas.addEventListener('webglcontextrestored', async () => {
    renderer.start();
    if (shown.vrm) shown.model = await loadModel(renderer.gl, shown.vrm.avatar, pause);
    warn('');
  });
}

async function start() {
  speak();
  describeCanvas();
  listen();
  try {
    renderer = new Renderer($('canvas'));
  } catch {
    warn(say('noWebGL'));
    return;
  }
  survive($('canvas'));
  orbit = new Orbit($('canvas'), () => {}, lookAlong);
  library = await init(hasSimd() ? simdWasm : scalarWasm);
  setInterval(() => shown.vrm && fillStatistics(), 500);
  requestAnimationFrame((now) => {
    lastTime = now;
    run(now);
  });
}

start();
