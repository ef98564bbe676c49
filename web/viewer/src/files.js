// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Files that the user drops or chooses: recognised, read one after the other, and shown on the stage.

import { loadClip, VRM } from '../../src/index.js';
import { Body } from './body.js';
import { conditions } from './conditions.js';
import { ModelMaker } from './model.js';
import { $, fill, tell, warn } from './page.js';
import { fillMotions, fillPanels, fillReport } from './panels.js';
import { Cancelled, Reading } from './reading.js';
import { say } from './words.js';

const MOTION = /\.(vrma|bvh)$/i;
const EITHER = /\.(glb|gltf)$/i;
const KNOWN = /\.(vrm|glb|gltf|vrma|bvh)$/i;

const pause = () => new Promise((resume) => { setTimeout(resume, 0); });

/** Shows the author and the conditions of use. Returns true if the user accepts them. */
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

// Returns the reason of a failure: the first error of the file with its place, and the number of other errors.
function reason({ message, findings = [] }) {
  const [first, ...others] = findings.filter(({ severity }) => severity === 'error');
  if (!first) return message;
  const { sentence, found, expected, path } = first;
  return [sentence, found && say('found', { found }), expected && say('expected', { expected }), path && say('place', { path }),
    others.length && say('others', { count: others.length })].filter(Boolean).join(' ');
}

// Shows a progress bar if reading takes longer than a moment. Screen readers announce the bar by its role.
function showProgress(name, reading) {
  const bar = $('bar');
  const timer = setInterval(() => {
    $('progress').hidden = $('conditions').open;
    if (reading.share < 1) bar.value = reading.share;
    else bar.removeAttribute('value'); // shaders are compiled, which takes an unknown time
  }, 150);
  $('progress-name').textContent = say('loading', { name });
  $('cancel').onclick = () => reading.cancel();
  return () => {
    clearInterval(timer);
    $('progress').hidden = true;
    if (document.activeElement === $('cancel')) $('canvas').focus();
  };
}

export class Files {
  #stage;
  #library;
  #wasm;
  #last = Promise.resolve();

  /** `library`: a promise of the running module; `wasm`: a promise of the compiled module, for workers. */
  constructor(stage, library, wasm) {
    this.#stage = stage;
    this.#library = library;
    this.#wasm = wasm;
  }

  /** Opens files one after the other, the avatar before its motions. */
  open(files) {
    const sorted = [...files].sort((a, b) => MOTION.test(a.name) - MOTION.test(b.name));
    for (const file of sorted) this.#last = this.#last.then(() => this.#open(file));
    return this.#last;
  }

  async #open(file) {
    const { name } = file;
    warn('');
    tell(say('loading', { name }));
    try {
      await file.slice(0, 1).arrayBuffer().catch(() => { throw new Error(say('unreadable')); });
      if (!KNOWN.test(name)) throw new Error(say('unknownKind'));
      if (!await this.#openEither(file)) tell(this.#stage.vrm ? say('kept') : '');
    } catch (error) {
      tell(this.#stage.vrm ? say('kept') : '');
      warn(say('failed', { name, why: reason(error) }));
    }
  }

  // Opens a .glb as an avatar; without a humanoid it is a motion, if there is an avatar to move.
  async #openEither(file) {
    if (MOTION.test(file.name)) return this.#openMotion(file);
    try {
      return await this.#openAvatar(file);
    } catch (error) {
      if (!this.#stage.vrm || !EITHER.test(file.name)) throw error;
      return this.#openMotion(file).catch(() => { throw error; });
    }
  }

  #read(file) {
    const { gl } = this.#stage.renderer;
    return new Reading(file, this.#library, this.#wasm, gl.getParameter(gl.MAX_TEXTURE_SIZE));
  }

  // The rest of the file is read while the user reads the conditions.
  async #openAvatar(file) {
    const { name } = file;
    const stage = this.#stage;
    const start = performance.now();
    const reading = this.#read(file);
    const done = showProgress(name, reading);
    const maker = new ModelMaker(stage.renderer, pause);
    let avatar = null;
    try {
      avatar = await reading.avatar(await this.#library);
      const asked = performance.now();
      if (!await Promise.race([ask(avatar.meta), reading.failed])) throw new Cancelled();
      const waited = performance.now() - asked;
      await reading.fill(maker);
      const model = maker.finish(avatar);
      await stage.renderer.prepare(model, pause);
      if (reading.isCancelled) throw new Cancelled();
      const vrm = new VRM(avatar, { ragdollBodies: Body.isKnown(avatar.module) ? Body.COUNT : 0 });
      stage.adopt({ vrm, model, name, file, loadTime: performance.now() - start - waited });
    } catch (error) {
      $('conditions').close();
      reading.cancel();
      maker.dispose();
      if (error instanceof Cancelled) return false;
      throw error;
    } finally {
      done();
      avatar?.dispose(); // the VRM keeps it alive
    }
    this.#show(reading);
    if (stage.model.generation !== stage.renderer.generation) await this.restore(); // context lost meanwhile
    return true;
  }

  #show(reading) {
    const stage = this.#stage;
    const { vrm, name } = stage;
    $('hint').hidden = true;
    $('controls').hidden = false;
    fillPanels(stage);
    tell(say('loaded', { name: vrm.meta.name || name }));
    reading.later.then(({ findings, ...body }) => {
      if (stage.vrm !== vrm) return; // the user has opened another avatar
      stage.body.know(body);
      stage.findings = findings;
      fillReport(stage);
    });
  }

  /** Reads the avatar's meshes and images again after WebGL has lost them. */
  async restore() {
    const stage = this.#stage;
    const { vrm, file } = stage;
    if (!vrm) return;
    const reading = this.#read(file);
    const maker = new ModelMaker(stage.renderer, pause);
    try {
      (await reading.avatar(vrm.module)).dispose();
      await reading.fill(maker);
      if (stage.vrm === vrm) stage.model = maker.finish(vrm.avatar);
    } finally {
      reading.cancel();
      if (stage.vrm !== vrm) maker.dispose();
    }
  }

  async #openMotion(file) {
    const { name } = file;
    const stage = this.#stage;
    if (!stage.vrm) throw new Error(say('needsAvatar'));
    stage.motions.add(name, await loadClip(file, { module: await this.#library }));
    fillMotions(stage);
    tell(say('motionPlays', { name }));
    return true;
  }
}
