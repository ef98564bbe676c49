// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Computes three-vrm's results for a plan, in Node: joints frame by frame, and poses. Uses either the package as
// published, or the package with the patches of tools/compare/three_trace.mjs, which make it follow the specification.

import { clipFrames } from '../compare/three_clip.mjs';
import { threeTrace } from '../compare/three_trace.mjs';

/**
 * Returns the springs after each of `frames` updates: `places` [{joint_positions}] of the file's springs, and the last local
 * `rotations` of the joints by node. `root(frame)` is a translation.
 */
export async function springFrames(path, frames, root, patched) {
  const events = Array.from({ length: frames }, (_, frame) => ({ frame, root: { translation: root(frame) } }));
  const trace = await threeTrace(path, { mode: 'normalized', frames, dt: 1 / 60, events }, { patched });
  const chains = [];
  for (const { node, tail } of trace.springJoints) {
    const last = chains.at(-1);
    if (last && last.at(-1) === node) last.push(...(tail >= 0 ? [tail] : []));
    else chains.push(tail >= 0 ? [node, tail] : [node]);
  }
  const { r } = trace.frames.at(-1).nodes;
  return {
    places: trace.frames.map(({ nodes: { w } }) => chains.map((chain) => ({
      joint_positions: chain.map((node) => [12, 13, 14].map((k) => w[16 * node + k])) }))),
    rotations: Object.fromEntries(chains.flat().map((node) => [node, r.slice(4 * node, 4 * node + 4)])),
  };
}

/** Returns poses in the form of score.mjs. */
export async function pose(model, clip, time) {
  const { frames: [frame] } = await clipFrames(model, clip, [time]);
  const [yaw, pitch] = frame.gaze ?? [];
  return { bones: frame.bones, hips: frame.hips, weights: frame.expressions, ...(frame.gaze ? { yaw, pitch } : {}) };
}
