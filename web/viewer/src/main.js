// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The viewer page: opens files, shows one avatar, and lets the user try its functions.

import { hasSimd } from '../../src/index.js';
import { init } from '../../src/ragdoll.js';
import ragdollWasm from 'vrm-ragdoll.wasm';
import scalarWasm from 'vrm-scalar.wasm';
import { Files } from './files.js';
import { Orbit } from './orbit.js';
import { $, tell, warn } from './page.js';
import { describeCanvas, fillPanels, fillStatistics, resetFace, showPhase, showPlaying } from './panels.js';
import { Renderer } from './renderer.js';
import { Stage } from './stage.js';
import { currentLanguage, say, speak } from './words.js';

let stage = null;
let files = null;

const strength = () => Number($('strength').value);

// --- the picture ---------------------------------------------------------------------------------------------------------------

// With Alt, Ctrl or Command the pointer pushes the body instead of moving the camera; with Shift as well, it drags the
// body.
function handOf(event) {
  const chosen = $('hand').value;
  if (event.button !== 0 || chosen !== 'camera') return event.button === 0 ? chosen : 'camera';
  if (!event.altKey && !event.ctrlKey && !event.metaKey) return 'camera';
  return event.shiftKey ? 'drag' : 'push';
}

// Runs an action on the body. If the avatar cannot have a body, the page shows the reason and nothing else changes.
function onBody(job) {
  try {
    return job(stage.body);
  } catch (error) {
    warn(say('failedBody', { why: error.message }));
    return false;
  }
}

const hand = {
  pointed: (x, y) => { stage.pointer = [x, y]; },
  taken(x, y, event) {
    const what = handOf(event);
    if (what === 'camera' || !stage.vrm || $('body-controls').disabled) return false;
    const ray = stage.orbit.ray(x, y);
    return onBody((body) => (what === 'push' ? body.push(ray, strength()) : body.hold(ray)));
  },
  dragged(x, y) {
    if (stage.body.isHeld) stage.body.drag(stage.orbit.ray(x, y));
  },
  released: () => stage.body.letGo(),
};

function reset() {
  resetFace(stage);
  stage.begin();
  showPlaying(stage);
  tell(say('resetDone'));
}

// Keys on the picture, in addition to those of the camera.
const KEYS = {
  ' ': () => $('paused').click(),
  '.': () => stage.stepOnce(),
  r: reset,
  s: savePicture,
  p: () => $('push').click(),
  d: () => $('drop').click(),
  e: () => $('explode').click(),
  g: () => $('get-up').click(),
};

function onKey(event) {
  const action = KEYS[event.key.toLowerCase()];
  if (!action || !stage.vrm || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  action();
}

function savePicture() {
  stage.draw(); // in the same task, while the picture can still be read
  stage.renderer.gl.canvas.toBlob((blob) => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = `${stage.name.replace(/\.[^.]*$/, '') || 'avatar'}.png`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
}

// --- the panel -----------------------------------------------------------------------------------------------------------------

function open(list) {
  if (!files) return;
  if (list.length) files.open(list);
  else warn(say('noFile'));
}

function listenToFiles() {
  $('open').addEventListener('click', () => $('file').click());
  $('file').addEventListener('change', () => {
    open($('file').files);
    $('file').value = '';
  });
  for (const type of ['dragenter', 'dragover']) {
    document.addEventListener(type, (event) => {
      event.preventDefault();
      document.body.classList.add('dropping');
    });
  }
  document.addEventListener('dragleave', ({ relatedTarget }) => {
    if (!relatedTarget) document.body.classList.remove('dropping');
  });
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    document.body.classList.remove('dropping');
    open(event.dataTransfer.files);
  });
}

function listenToPanel() {
  $('language').addEventListener('click', () => {
    speak(currentLanguage() === 'en' ? 'ja' : 'en');
    if (stage.vrm) fillPanels(stage, true);
    else describeCanvas(stage);
  });
  $('reset-face').addEventListener('click', () => resetFace(stage));
  $('reset-springs').addEventListener('click', () => stage.vrm.springBoneManager.reset());
  $('pose').addEventListener('change', () => stage.vrm && stage.applyPose());
  for (const id of ['blink', 'steps', 'protects']) $(id).addEventListener('change', () => stage.vrm && stage.applySettings());
  $('push').addEventListener('click', () => onBody((body) => body.pushChest(stage.orbit.ray(0, 0).direction, strength())));
  $('drop').addEventListener('click', () => onBody((body) => body.drop()));
  $('explode').addEventListener('click', () => onBody((body) => body.explode(strength())));
  $('get-up').addEventListener('click', () => stage.body.getUp());
  $('stop-body').addEventListener('click', () => stage.body.stop());
  $('bodies').addEventListener('change', () => {
    if ($('bodies').checked && !onBody((body) => body.make())) $('bodies').checked = false;
  });
  $('screenshot').addEventListener('click', savePicture);
  $('reset').addEventListener('click', reset);
  $('canvas').addEventListener('keydown', onKey);
  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || $('conditions').open) return;
    if (!$('progress').hidden) $('cancel').click();
    else warn('');
  });
  for (const input of document.querySelectorAll('label.value input')) {
    const show = () => { input.nextElementSibling.textContent = input.value; };
    input.addEventListener('input', show);
    show();
  }
}

// --- start ---------------------------------------------------------------------------------------------------------------------

function survive(canvas) {
  canvas.addEventListener('webglcontextlost', (event) => {
    event.preventDefault();
    warn(say('lost'));
  });
  canvas.addEventListener('webglcontextrestored', async () => {
    stage.renderer.start();
    try {
      await files.restore();
      warn('');
    } catch (error) {
      warn(say('failed', { name: stage.name, why: error.message }));
    }
  });
}

function start() {
  speak();
  listenToFiles();
  let renderer;
  try {
    renderer = new Renderer($('canvas'));
  } catch {
    warn(say('noWebGL'));
    return;
  }
  stage = new Stage(renderer, new Orbit($('canvas'), hand));
  stage.ended = () => showPlaying(stage);
  stage.moved = () => showPhase(stage);
  describeCanvas(stage);
  survive($('canvas'));
  const wasm = WebAssembly.compile(hasSimd() ? ragdollWasm : scalarWasm);
  files = new Files(stage, init(wasm), wasm);
  listenToPanel();
  setInterval(() => stage.vrm && fillStatistics(stage), 500);
  const run = (now) => {
    requestAnimationFrame(run);
    stage.step(now);
  };
  requestAnimationFrame(run);
}

start();
