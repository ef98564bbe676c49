// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Fills the panel with the data of the avatar on the stage.

import { Body } from './body.js';
import { conditions } from './conditions.js';
import { $, element, fill } from './page.js';
import { say } from './words.js';

// --- expressions -------------------------------------------------------------------------------------------------------------

function slider({ expressionManager }, name) {
  const label = document.createElement('label');
  const value = element('output', '0');
  const input = Object.assign(document.createElement('input'), { type: 'range', min: 0, max: 1, step: 0.01, value: 0 });
  input.dataset.expression = name;
  input.addEventListener('input', () => {
    expressionManager.setValue(name, Number(input.value));
    value.textContent = input.value;
  });
  label.append(element('span', say(`expression.${name}`, {}, name)), input, value);
  return label;
}

function fillExpressions({ vrm }) {
  const { names } = vrm.expressionManager;
  const last = new Map([...$('expressions').querySelectorAll('input')].map((input) => [input.dataset.expression, input.value]));
  $('expressions').replaceChildren(...(names.length ? names.map((name) => slider(vrm, name)) : [element('p', say('none'))]));
  return last;
}

/** Sets all sliders, and the expressions, to 0. */
export function resetFace({ vrm }) {
  vrm.expressionManager.resetValues();
  fillExpressions({ vrm });
}

// --- motions -----------------------------------------------------------------------------------------------------------------

/** Creates a button for each motion. The button of the playing motion is pressed. */
export function fillMotions(stage) {
  const { motions } = stage;
  const button = (key, text) => {
    const made = element('button', text, { type: 'button' });
    made.dataset.motion = key;
    made.setAttribute('aria-pressed', String(motions.playing === key));
    made.addEventListener('click', () => {
      motions.play(key);
      showPlaying(stage);
    });
    return made;
  };
  const focused = document.activeElement?.dataset?.motion;
  $('motions').replaceChildren(button('', say('motion.still')), ...motions.keys.map((key) =>
    button(key, motions.isOwn(key) ? say(`motion.${key}`) : key)));
  if (focused !== undefined) [...$('motions').children].find(({ dataset }) => dataset.motion === focused)?.focus();
}

/** Marks the motion that plays. */
export function showPlaying({ motions }) {
  for (const made of $('motions').children) made.setAttribute('aria-pressed', String(made.dataset.motion === motions.playing));
}

// --- report ------------------------------------------------------------------------------------------------------------------

function finding({ severity, sentence, path }) {
  const item = element('li', `${say(`severity.${severity}`)}: ${sentence} `);
  item.append(element('code', path));
  return item;
}

/** Shows the findings of validation, and the parts that could not be drawn. */
export function fillReport({ findings, model }) {
  if (!findings) {
    $('report-count').textContent = '';
    $('findings').replaceChildren(element('li', say('reportBusy')));
    return;
  }
  const all = [...findings, ...model.problems];
  $('report-count').textContent = `(${all.length})`;
  $('findings').replaceChildren(...(all.length ? all.map(finding) : [element('li', say('reportClean'))]));
}

// --- body --------------------------------------------------------------------------------------------------------------------

/** Says what the body does. */
export function showPhase({ body }) {
  const phase = say(`phase.${body.phase}`);
  if ($('phase').textContent !== phase) $('phase').textContent = phase;
}

// --- statistics --------------------------------------------------------------------------------------------------------------

export function fillStatistics({ vrm, model, times, name, file, loadTime, orbit }) {
  const { counts, dialect, body: { height } } = vrm.avatar;
  const { statistics } = model;
  const update = times.length ? times.reduce((sum, t) => sum + t.update, 0) / times.length : 0;
  const span = times.length > 1 ? times.at(-1).at - times[0].at : 0;
  fill($('statistics'), [
    [say('file'), name], [say('size'), `${(file.size / 1e6).toFixed(1)} MB`], [say('dialect'), `VRM ${dialect}`],
    [say('height'), `${height.toFixed(2)} m`], [say('triangles'), statistics.triangles], [say('vertices'), statistics.vertices],
    [say('primitives'), statistics.primitives], [say('textures'), statistics.textures], [say('nodes'), counts.nodes],
    [say('expressions'), counts.expressions], [say('springJoints'), counts.springJoints],
    [say('loadTime'), `${loadTime.toFixed(0)} ms`], [say('updateTime'), `${(1000 * update).toFixed(0)} µs`],
    [say('frameRate'), span > 0 ? ((times.length - 1) * 1000 / span).toFixed(0) : '–'], [say('camera'), orbit.text],
  ]);
}

// --- all of it ---------------------------------------------------------------------------------------------------------------

/** Sets the description of the picture for screen readers. */
export const describeCanvas = ({ vrm, name }) => $('canvas').setAttribute('aria-label',
  vrm ? say('canvas', { name: vrm.meta.name || name }) : say('canvasEmpty'));

/** Fills all panels after a change of avatar or language. With `sameAvatar` the sliders keep their values. */
export function fillPanels(stage, sameAvatar = false) {
  const last = fillExpressions(stage);
  for (const input of $('expressions').querySelectorAll('input')) {
    if (!sameAvatar || !last.has(input.dataset.expression)) continue;
    input.value = last.get(input.dataset.expression);
    input.nextElementSibling.textContent = input.value;
  }
  fillMotions(stage);
  fillReport(stage);
  fill($('panel').querySelector('dl.meta'), conditions(stage.vrm.meta));
  $('body-controls').disabled = !Body.isKnown(stage.vrm.module);
  $('no-body').hidden = !$('body-controls').disabled;
  showPhase(stage);
  fillStatistics(stage);
  describeCanvas(stage);
}
