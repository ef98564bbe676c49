// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Runs plans on `vrm rpc` like the suite's runner, and scores the results against three-vrm, both unchanged and
// patched.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPng } from './png.mjs';
import { pose, springFrames } from './reference.mjs';
import { Rpc } from './rpc.mjs';
import { blankness, penetration, pictureScore, poseScore, positionScore } from './score.mjs';
import { scene } from './families.mjs';

export const columns = ['unpatched', 'patched'];
const steps60 = (root) => Math.max(1, Math.round(root.duration_seconds * root.fps));
const mix = (a, b, t) => a.map((v, k) => v + (b[k] - v) * t);

/** Returns the position of the root in each update of the plan. */
function rootOf(plan) {
  const { settle = 0, root, sweep } = plan;
  if (sweep) {
    // As in the suite's render_sequence: one step of 1/60 s per frame.
    return { frames: settle + sweep.frames, at: (i) => (i < settle ? [0, 0, 0] : mix(sweep.start, sweep.end, (i - settle) / (sweep.frames - 1))) };
  }
  const steps = root ? steps60(root) : 0;
  return { frames: settle + steps, at: (i) => (i < settle ? [0, 0, 0] : mix(root.translation_start, root.translation_end, (i - settle + 1) / steps)) };
}

export class Runner {
  /** `browser`: the result of openPage() in tools/picture/browser.mjs with plan_page.mjs and `modelPath`; null: no pictures. */
  constructor(command, folder, { browser = null, size = 1024, rpc = [] } = {}) {
    Object.assign(this, { folder, browser, size, rpc: new Rpc(command, ...rpc), pictures: new Map() });
    mkdirSync(folder, { recursive: true });
    this.modelPath = join(folder, 'model.vrm');
  }

  async end() { return this.rpc.end(); }

  async ours(plan, session, clipPath) {
    const out = {};
    const ask = (method, params) => this.rpc.ask(method, { session_id: session, ...params });
    await ask('set_camera', plan.camera ?? scene.camera);
    await ask('set_lighting', scene.lighting);
    await ask('set_post_processing', scene.post_processing);
    if (clipPath) {
      const { vrma_handle: handle } = await this.rpc.ask('load_vrma', { vrma_path: clipPath });
      await ask('apply_vrma_at_time', { vrma_handle: handle, vrm_handle: 0, time_seconds: plan.time });
      const [body, weights, gaze] = [await ask('dump_humanoid_pose', {}), await ask('dump_expression_weights', {}), await ask('dump_look_at_state', {})];
      out.pose = { bones: Object.fromEntries(body.bones.map((b) => [b.name, b.local_rotation_quat])), hips: body.hips_translation,
        weights: { ...weights.presets, ...weights.custom }, yaw: gaze.yaw_deg, pitch: gaze.pitch_deg };
    }
    if (plan.settle !== undefined) await ask('reset_physics', { settle_steps: plan.settle });
    if (plan.root) await ask('animate_root_transform', plan.root);
    if (plan.sweep) {
      const { frames } = await ask('render_sequence', { width: 8, height: 8, color_space: 'Srgb', msaa: 4, output_type: 'Color',
        output_dir: join(this.folder, 'frames'), frame_count: plan.sweep.frames, frame_hz: 60, physics_dt_seconds: 1 / 60,
        output_format: 'png_sequence', capture_positions: true,
        animate_root_transform: { translation_start: plan.sweep.start, translation_end: plan.sweep.end } });
      out.frames = frames.map((frame) => frame.spring_positions);
    }
    if (this.browser && plan.what.includes('picture')) {
      const path = join(this.folder, `${plan.id}_libvrm.png`);
      await ask('render', { width: this.size, height: this.size, color_space: 'Srgb', msaa: 4, output_type: 'Color', output_path: path });
      out.picture = readPng(readFileSync(path));
    }
    if (plan.what.includes('positions')) out.springs = (await ask('dump_bone_positions', {})).springs;
    return out;
  }

  async theirs(plan, patched, clipPath) {
    const out = {};
    if (plan.settle !== undefined) {
      const { frames, at } = rootOf(plan);
      const { places, rotations } = await springFrames(this.modelPath, frames, at, patched);
      Object.assign(out, { springs: places.at(-1), frames: places.slice(plan.settle), rotations });
    }
    if (clipPath) out.pose = await pose(this.modelPath, clipPath, plan.time);
    if (this.browser && plan.what.includes('picture')) {
      const data = await this.browser.page.evaluate((o) => window.drawPlan(o), { url: `/avatar/${this.count}`, size: this.size, patched,
        camera: plan.camera ?? scene.camera, lighting: scene.lighting, root: plan.root?.translation_end, rotations: out.rotations });
      out.picture = readPng(Buffer.from(data, 'base64'));
    }
    return out;
  }

  /** Scores `a` against `b`. Returns {picture, positions, pose, penetration}, and whether all requested scores pass. */
  score(plan, a, b) {
    const out = {};
    if (a.picture) {
      out.picture = pictureScore(a.picture, b.picture);
      out.blank = [a, b].some(({ picture }) => blankness(picture) >= 0.995);
    }
    if (a.springs && b.springs) out.positions = positionScore(a.springs, b.springs, Boolean(plan.root));
    if (a.pose && b.pose) out.pose = poseScore(a.pose, b.pose);
    if (plan.what.includes('penetration')) {
      // No runtime can keep joints out of a collider that moves with them, so the depth must be the same as the other
      // runtime's.
      const [ours, other] = [a, b].map(({ frames }) => penetration(frames, plan.colliders));
      out.penetration = { depth: ours.depth, other: other.depth, pass: ours.pass || Math.abs(ours.depth - other.depth) <= 0.002 };
    }
    out.pass = (out.picture === undefined || (out.picture >= plan.threshold && (!out.blank || Boolean(plan.blank))))
      && ['positions', 'pose', 'penetration'].every((key) => out[key]?.pass ?? true);
    return out;
  }

  async run(plan) {
    this.count = (this.count ?? -1) + 1;
    writeFileSync(this.modelPath, plan.make());
    const clipPath = plan.clip ? join(this.folder, 'clip.vrma') : null;
    if (clipPath) writeFileSync(clipPath, plan.clip());
    const { session_id: session } = await this.rpc.ask('load_vrm', { path: this.modelPath });
    const ours = await this.ours(plan, session, clipPath);
    await this.rpc.ask('dispose', { session_id: session });
    const [unpatched, patched] = [await this.theirs(plan, false, clipPath), await this.theirs(plan, true, clipPath)];
    const result = { id: plan.id, family: plan.family, excluded: plan.excluded, unpatched: this.score(plan, ours, unpatched),
      patched: this.score(plan, ours, patched), three: this.score(plan, unpatched, patched) };
    if (ours.picture) {
      this.pictures.set(plan.id, ours.picture);
      if (plan.differs) result.differs = pictureScore(ours.picture, this.pictures.get(plan.differs));
    }
    return result;
  }
}

/** Returns a row for each family: the number of passes in each column, and the worst of each score. */
export function summarize(results) {
  const rows = new Map();
  for (const result of results.filter((r) => !r.excluded)) {
    const row = rows.get(result.family) ?? { family: result.family, count: 0, pass: { unpatched: 0, patched: 0, three: 0 }, worst: {} };
    rows.set(result.family, row);
    ++row.count;
    for (const column of ['unpatched', 'patched', 'three']) {
      const { picture, positions, pose: p, pass } = result[column];
      row.pass[column] += pass ? 1 : 0;
      const worst = (row.worst[column] ??= {});
      if (picture !== undefined) worst.picture = Math.min(worst.picture ?? 1, picture);
      if (positions) worst.mm = Math.max(worst.mm ?? 0, positions.max);
      if (p) worst.pose = { bone: Math.max(worst.pose?.bone ?? 0, p.bone), hips: Math.max(worst.pose?.hips ?? 0, p.hips),
        weight: Math.max(worst.pose?.weight ?? 0, p.weight), gaze: Math.max(worst.pose?.gaze ?? 0, p.gaze) };
    }
  }
  return [...rows.values()];
}
