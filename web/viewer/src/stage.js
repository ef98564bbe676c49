// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The avatar that is shown, and its frames.

import { Body } from './body.js';
import { springLines } from './lines.js';
import { Motions } from './motions.js';
import { $ } from './page.js';

const LONGEST_STEP = 0.1; // seconds; a hidden tab continues without a sudden jump
const ARMS_DOWN = 1.25; // radians from the T-pose
const TIMES = 60;
const FOLLOW = 3; // 1/s; rate at which the camera follows a body that moves away

/** The objects on the stage. `model` is the part of `vrm` that WebGL draws; all are null before the first avatar. */
export class Stage {
  vrm = null;
  model = null;
  motions = null;
  body = null;
  name = '';
  file = null;
  findings = null; // findings of validation; null before it has finished
  loadTime = 0; // milliseconds
  times = []; // times of the last frames: {at, update}
  pointer = null; // position of the pointer, -1 to 1
  ended = () => {}; // called when a motion ends and another one begins
  moved = () => {}; // called after each update
  #lastTime = 0;
  #followed = null;

  constructor(renderer, orbit) {
    this.renderer = renderer;
    this.orbit = orbit;
  }

  /** Shows another avatar and frees the last one. */
  adopt({ vrm, model, name, file, loadTime }) {
    this.motions?.dispose();
    this.vrm?.dispose();
    this.model?.dispose();
    Object.assign(this, { vrm, model, name, file, loadTime, findings: null, times: [] });
    this.motions = new Motions(vrm);
    this.motions.makeOwn();
    this.body = new Body(vrm);
    this.begin();
  }

  /** Returns to the initial state: the avatar idles in the middle. */
  begin() {
    const { vrm, motions } = this;
    this.body.dispose();
    vrm.reset();
    this.applyPose();
    this.applySettings();
    motions.play(motions.isOwn('idle') ? 'idle' : '', 0);
    this.ended();
    this.#frameAvatar();
    vrm.springBoneManager.settle(1);
  }

  // --- inputs ---

  applyPose() {
    const turn = $('pose').value === 'relaxed' ? ARMS_DOWN : 0;
    for (const [bone, sign] of [['leftUpperArm', -1], ['rightUpperArm', 1]]) {
      if (bone in this.vrm.humanoid.humanBones) {
        this.vrm.humanoid.setNormalizedRotation(bone, [0, 0, Math.sin(sign * turn / 2), Math.cos(turn / 2)]);
      }
    }
  }

  applySettings() {
    this.vrm.expressionManager.setBlink({ enabled: $('blink').checked });
    this.body.set({ steps: $('steps').checked, fall: $('protects').checked });
  }

  #applyGaze() {
    const { vrm, pointer, orbit } = this;
    if ($('gaze').checked && pointer) vrm.lookAt.target = orbit.pointAt(...pointer, 0.6);
    else if (vrm.lookAt.target) vrm.lookAt.reset();
  }

  // Wind in gusts, across the picture.
  #applyWind(now) {
    const gust = Number($('wind').value) * (0.6 + 0.4 * Math.sin(now * 0.0017) * Math.sin(now * 0.0041));
    this.vrm.springBoneManager.setWind([gust * Math.cos(this.orbit.yaw), 0, -gust * Math.sin(this.orbit.yaw)]);
  }

  // --- camera ---

  #frameAvatar() {
    const { vrm, orbit } = this;
    vrm.update(0);
    const isThere = vrm.box.min[0] <= vrm.box.max[0];
    const { min, max } = isThere ? vrm.box : { min: [-0.3, 0, 0], max: [0.3, 1.6, 0] };
    const height = Math.max(max[1] - min[1], (max[0] - min[0]) / this.#aspect(), 0.01);
    const { origin } = vrm;
    orbit.place([origin[0] + (min[0] + max[0]) / 2, origin[1] + (min[1] + max[1]) / 2, origin[2]], 0, 0.06,
      1.12 * height / 2 / Math.tan(35 * Math.PI / 360));
    this.#followed = null;
  }

  #aspect() {
    const { clientWidth, clientHeight } = $('canvas');
    return Math.max(1, clientWidth) / Math.max(1, clientHeight);
  }

  // Keeps the body in the picture if it is thrown aside or gets up elsewhere.
  #follow(dt) {
    const { vrm, orbit, body } = this;
    const { hips } = vrm.avatar.humanBones;
    const at = 12 * hips;
    const thrown = body.phase !== 'off' && hips !== undefined;
    const goal = [0, 8].map((row, i) => vrm.origin[2 * i] + (thrown ? vrm.world[at + row + 3] : 0));
    const last = this.#followed ?? goal;
    const way = goal.map((x, i) => (x - last[i]) * (1 - Math.exp(-FOLLOW * dt)));
    this.#followed = last.map((x, i) => x + way[i]);
    orbit.shift([way[0], 0, way[1]]);
  }

  // --- frames ---

  /** Runs and draws the frame at `now` milliseconds. */
  step(now) {
    const dt = Math.min(LONGEST_STEP, Math.max(0, (now - this.#lastTime) / 1000));
    this.#lastTime = now;
    if (this.vrm) this.#move(now, $('paused').checked ? 0 : dt);
    if (this.renderer.gl.isContextLost()) return;
    this.renderer.resize();
    this.draw();
  }

  /** Runs one frame of a sixtieth of a second while the stage is paused. */
  stepOnce() {
    if (this.vrm && $('paused').checked) this.#move(this.#lastTime, 1 / 60);
  }

  #move(now, dt) {
    this.#applyGaze();
    this.#applyWind(now);
    const start = performance.now();
    this.vrm.update(dt);
    this.times.push({ at: now, update: performance.now() - start });
    if (this.times.length > TIMES) this.times.shift();
    if (this.motions.step()) this.ended();
    this.moved();
    this.#follow(dt);
  }

  #lines() {
    const all = [];
    if ($('lines').checked) all.push(springLines(this.vrm));
    if ($('bodies').checked) all.push(this.body.lines);
    const lines = new Float32Array(all.reduce((sum, { length }) => sum + length, 0));
    all.reduce((at, part) => (lines.set(part, at), at + part.length), 0);
    return lines;
  }

  draw() {
    const { renderer, orbit, vrm, model } = this;
    const { canvas } = renderer.gl;
    renderer.draw(vrm, model, { view: orbit.view, projection: orbit.projection(canvas.width / canvas.height), light: orbit.light,
      background: backgroundLight(), ground: vrm !== null && $('ground').checked, lines: vrm ? this.#lines() : null });
  }
}

function backgroundLight() {
  const [r, g, b] = getComputedStyle($('stage')).backgroundColor.match(/\d+/g).map(Number);
  const decode = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  return [decode(r / 255), decode(g / 255), decode(b / 255), 1];
}
