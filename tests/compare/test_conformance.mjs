// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Runs twenty-five plans of the conformance suite by `vrm rpc` and three-vrm (docs/conformance-scores.md has all
// plans), and checks the formulas of the scores on cases with known results. Pictures need Chromium; everything else
// runs without it.

import { mkdtempSync, rmSync } from 'node:fs';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';

const tools = new URL('../../tools/', import.meta.url);
const command = process.env.VRM_COMMAND ?? 'build/release/bin/vrm';
if (!existsSync(new URL('compare/node_modules/three/package.json', tools))) {
  console.log('skipped: npm packages of tools/compare are not installed (npm ci --prefix tools/compare)');
  process.exit(77);
}
if (spawnSync(command, ['rpc', 'describe']).status === 5) {
  console.log('skipped: vrm-render is not built');
  process.exit(77);
}
const { plans } = await import(new URL('conformance/families.mjs', tools));
const { Runner } = await import(new URL('conformance/runner.mjs', tools));
const { blankness, penetration, pictureScore, poseScore, positionScore } = await import(new URL('conformance/score.mjs', tools));
const { available, openPage } = await import(new URL('picture/browser.mjs', tools));

let failures = 0;
function check(condition, what) {
  if (!condition) {
    ++failures;
    console.log(`FAILED ${what}`);
  }
}
const near = (a, b, limit = 1e-9) => Math.abs(a - b) <= limit;

// --- formulas ----------------------------------------------------------------------------------------------------------

const image = (width, height, color) => {
  const pixels = Buffer.alloc(4 * width * height, 255);
  for (let i = 0; i < width * height; ++i) color(i % width, Math.floor(i / width)).forEach((c, k) => { pixels[4 * i + k] = c; });
  return { width, height, pixels };
};
const grey = (level) => image(16, 12, () => [level, level, level]);
check(near(pictureScore(grey(90), grey(90)), 1), 'a picture like itself');
// In windows of one colour, SSIM depends only on the means.
const c1 = (0.01 * 255) ** 2;
check(near(pictureScore(grey(100), grey(200)), (2 * 100 * 200 + c1) / (100 ** 2 + 200 ** 2 + c1)), 'two greys');
// A chessboard and its inverse: their covariance is minus the variance.
const board = (flip) => image(16, 16, (x, y) => Array(3).fill((x + y + flip) % 2 ? 255 : 0));
const [variance, c2] = [127.5 ** 2, (0.03 * 255) ** 2];
check(near(pictureScore(board(0), board(1)), (-2 * variance + c2) / (2 * variance + c2)), 'a chessboard and its opposite');
check(blankness(image(10, 10, (x, y) => (x + y === 0 ? [1, 2, 3] : [255, 0, 255]))) === 0.99, 'share of the commonest colour');
const chain = (shift) => [{ joint_positions: [[0, 0, 0], [shift, 0, 0], [0, 0, shift]] }];
check(near(positionScore(chain(0), chain(0.004), false).sum, 8) && positionScore(chain(0), chain(0.004), false).pass, 'joints 4 mm apart');
check(!positionScore(chain(0), chain(0.006), false).pass && positionScore(chain(0), chain(0.006), true).pass, 'joints 6 mm apart');
check(!positionScore(chain(0), [{ joint_positions: [[0, 0, 0]] }], true).pass, 'other numbers of joints');
const bent = (angle) => ({ bones: { head: [Math.sin(angle / 2), 0, 0, Math.cos(angle / 2)] }, hips: [0, 1, 0], weights: { aa: angle }, yaw: 0, pitch: 0 });
check(near(poseScore(bent(0), bent(0.3)).bone, 0.3) && near(poseScore(bent(0), bent(0.3)).weight, 0.3), 'a bent head');
check(poseScore(bent(0), bent(0.004)).pass && !poseScore(bent(0), bent(0.006)).pass, 'tolerance of weights');
const ball = [{ type: 'sphere', center: [0, 0, 0], radius: 0.1 }];
check(near(penetration([chain(0.07)], ball).depth, 0.1) && penetration([[{ joint_positions: [[0.099, 0, 0]] }]], ball).pass, 'depth in a ball');
check(near(penetration([[{ joint_positions: [[0.05, 0.3, 0]] }]], [{ type: 'capsule', a: [0, 0, 0], b: [0, 1, 0], radius: 0.08 }]).depth, 0.03), 'depth in a capsule');

// --- plans -------------------------------------------------------------------------------------------------------------

const chosen = ['mtoon_default', 'mtoon_shadingShift_neg0p5', 'mtoon_rimLightingMix_0p75', 'mtoon_outline_screen_0p03', 'mtoon_alpha_mask_cutoff_0p75',
  'mtoon_emissive_multiplier_2', 'mtoon_uvxform_all', 'mtoon_matcap_0p5', 'mtoon_pbrtex_normal_1', 'mtoon_firstperson_thirdPersonOnly',
  'doublesided_quad_false', 'doublesided_quad_true', 'springbone_joints_8', 'swing_springbone_drag_0p2', 'springbone_collider_capsule_x0p02_r0p05',
  'swing_springbone_collider_sphere_xneg0p02_r0p1', 'swing_springbone_extended_icaps_ptight', 'swing_springbone_taper_stiffness_expdecay',
  'springbone_multichain_n3_sp0p05_share_alt', 'ccd_capsule_r0p02_fast', 'sb0_leaftail_out_n4', 'vrma_humanoid_leftLowerArm_y',
  'vrma_expression_custom_Smug', 'vrma_lookat_pitch_pos30_bone', 'vrma_hips_trans_crouch'];
const folder = mkdtempSync(join(tmpdir(), 'vrm-conformance-'));
process.on('exit', () => rmSync(folder, { recursive: true }));
check(chosen.length === 25 && chosen.every((id) => plans.some((plan) => plan.id === id)), 'twenty-five plans');
check(plans.length === 361 && new Set(plans.map(({ id }) => id)).size === plans.length, `${plans.length} plans`);

const browser = available ? await openPage('plan_page.mjs', 'window.drawPlan', () => join(folder, 'model.vrm')) : null;
const runner = new Runner(command, folder, { browser, size: 160 });
let [passed, drawn] = [0, 0];
for (const id of chosen) {
  const plan = plans.find((p) => p.id === id);
  if (!browser && plan.what.join() === 'picture') continue;
  const { patched, differs, unpatched } = await runner.run(plan);
  ++passed;
  // Only rounding separates libvrm from the patched package; in a picture of 160 pixels, edges are a large part.
  const { picture, positions, pose } = patched;
  check(patched.pass, `${id}: ${JSON.stringify(patched)}`);
  if (picture !== undefined) {
    ++drawn;
    check(picture >= 0.95, `${id}: picture ${picture}`);
  }
  if (positions) check(positions.max < 0.01, `${id}: joints ${positions.max} mm apart`);
  if (pose) check(pose.bone < 1e-3 && pose.hips < 1e-5 && pose.weight < 1e-5 && pose.gaze < 1e-3, `${id}: ${JSON.stringify(pose)}`);
  if (id === 'doublesided_quad_true') check(browser === null || differs <= 0.85, `${id}: ${differs} like its single side`);
  // The unpatched package stretches bones while their parents move. The score must show this.
  if (id.startsWith('swing_springbone_collider')) check(unpatched.positions.max > 1, `${id}: ${unpatched.positions.max} mm from the unpatched package`);
}
check(await runner.end() === 0, 'vrm rpc ends with 0');
await browser?.close();
console.log(`${passed} plans, ${drawn} pictures, ${failures} failed checks`);
process.exit(failures > 0 ? 1 : 0);
