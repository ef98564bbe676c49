// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The script of the worker that worker.js starts. The avatars are kept here. Requests arrive in lists, and each request
// is answered.

import { cook, init, loadAvatar, loadClip, migrate, validate, VRM } from './index.js';
import { ARRAYS, buffersOf, CHANGES, COMMANDS, DESCRIPTION, DOCUMENT_QUESTIONS, QUESTIONS, SETTERS, STATE } from './worker_calls.js';

let module;
const objects = new Map();
let last = 0;

function keep(object) {
  objects.set(++last, object);
  return last;
}

const partOf = (vrm, part) => (part ? vrm[part] : vrm);

function allowed(list, name) {
  if (!list?.includes(name)) throw new TypeError(`there is no "${name}"`);
}

/** Applies the values that the page has set since the last request. An invalid value does not stop the others. */
function apply(vrm, commands) {
  let error = null;
  for (const [part, name, ...args] of commands) {
    try {
      const target = partOf(vrm, part);
      if (SETTERS[part]?.includes(name)) {
        [target[name]] = args;
      } else {
        allowed(COMMANDS[part], name);
        target[name](...(part === 'clips' && name === 'play' ? [objects.get(args[0]), args[1]] : args));
      }
    } catch (caught) {
      error ??= caught;
    }
  }
  return error;
}

/** Copies the outputs of the last update into a buffer for the page. */
function frame(vrm, buffer) {
  const arrays = [...ARRAYS, ...CHANGES].map((name) => vrm[name]);
  const filled = buffer ?? new ArrayBuffer(4 * arrays.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const values of arrays) {
    new values.constructor(filled, at, values.length).set(values);
    at += values.byteLength;
  }
  return { buffer: filled, lengths: arrays.map(({ length }) => length), state: Object.fromEntries(STATE.map((name) => [name, vrm[name]])) };
}

/**
 * Creates a VRM, and a frame with its rest pose. Another VRM computes that frame, because the first placement of the new
 * one must not move its hair.
 */
function put(avatar, options) {
  const resting = new VRM(avatar, options);
  try {
    resting.update(0);
    return { ...frame(resting), handle: keep(new VRM(avatar, options)) };
  } finally {
    resting.dispose();
  }
}

/** Returns all data of a primitive in one answer. */
function geometry(document, { attributes, ...options } = {}) {
  const made = document.geometry(options);
  try {
    const { info } = made;
    const sets = (semantic, count) => Array.from({ length: count }, (_, set) => [`${semantic}${set}`, semantic, { set }]);
    const all = [['position', 'position'], ...(info.hasNormals ? [['normal', 'normal']] : []), ...(info.hasTangents ? [['tangent', 'tangent']] : []),
      ...sets('texCoord', info.texCoordSets), ...sets('color', info.colorSets), ...sets('joints', info.jointSets), ...sets('weights', info.jointSets)];
    const wanted = attributes ? all.filter(([key]) => attributes.includes(key)) : all;
    return { info, indices: made.indices(),
      attributes: Object.fromEntries(wanted.map(([key, semantic, which]) => [key, made.attribute(semantic, which)])),
      deltas: Array.from({ length: info.targetCount }, (_, target) => made.deltas(target)) };
  } finally {
    made.dispose();
  }
}

const KINDS = {
  async start({ wasm }) {
    module = await init(wasm);
    return { simd: module.simd, version: module.version };
  },

  async load({ source, options: { instance, ...options } }) {
    const avatar = await loadAvatar(source, { ...options, module });
    try {
      return { ...put(avatar, instance), avatar: Object.fromEntries(DESCRIPTION.map((name) => [name, avatar[name]])),
        hasDocument: avatar.document !== null };
    } finally {
      avatar.dispose(); // the VRM keeps it alive
    }
  },

  instance: ({ handle, instance }) => put(objects.get(handle).avatar, instance),

  async loadClip({ source, options }) {
    const clip = await loadClip(source, { ...options, module });
    const { findings, name, duration, hasHipsPosition, hasGaze, additive } = clip;
    return { handle: keep(clip), clip: { findings, name, duration, hasHipsPosition, hasGaze, additive } };
  },

  validate: ({ source }) => validate(source, { module }),
  migrate: ({ source, options }) => migrate(source, { ...options, module }),

  frame({ handle, dt, commands, buffer }) {
    const vrm = objects.get(handle);
    const error = apply(vrm, commands);
    vrm.update(dt);
    return { ...frame(vrm, buffer), error: error && described(error) };
  },

  ask({ handle, commands, part, name, args }) {
    const vrm = objects.get(handle);
    const error = apply(vrm, commands);
    if (error) throw error;
    allowed(QUESTIONS[part], name);
    return partOf(vrm, part)[name](...args);
  },

  document({ handle, name, args }) {
    const { avatar } = objects.get(handle);
    if (name === 'geometry') return geometry(avatar.document, ...args);
    if (name === 'firstPerson') return avatar.document.firstPerson(avatar);
    allowed(DOCUMENT_QUESTIONS, name);
    return avatar.document[name](...args);
  },

  cook: ({ handle }) => cook(objects.get(handle).avatar),

  dispose({ handle }) {
    objects.get(handle)?.dispose();
    objects.delete(handle);
  },
};

const described = ({ name, code, message, findings }) => ({ name, code, message, findings });

/**
 * Answers all requests. Those that can be answered at once share a message; the others are answered when they are ready.
 */
function serve(port, requests) {
  const send = (answers) => port.postMessage(answers, [...buffersOf(answers)]);
  const answers = [];
  for (const { id, kind, ...request } of requests) {
    try {
      const value = KINDS[kind](request);
      if (typeof value?.then === 'function') {
        value.then((result) => send([{ id, value: result }]), (error) => send([{ id, error: described(error) }]));
      } else {
        answers.push({ id, value });
      }
    } catch (error) {
      answers.push({ id, error: described(error) });
    }
  }
  if (answers.length) send(answers);
}

if (typeof postMessage === 'function') {
  addEventListener('message', ({ data }) => serve(globalThis, data));
} else {
  const threads = 'node:worker_threads'; // in a variable, so that bundlers for browsers do not try to resolve it
  import(/* @vite-ignore */ /* webpackIgnore: true */ threads).then(({ parentPort }) => {
    parentPort.on('message', (requests) => serve(parentPort, requests));
  });
}
