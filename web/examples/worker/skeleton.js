// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Draws the bones of an avatar that is loaded and animated in a worker. The page itself loads no WebAssembly and never
// waits.

import { VRMWorker } from 'libvrm/worker';

const canvas = /** @type {HTMLCanvasElement} */ (document.querySelector('canvas'));
const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
const input = /** @type {HTMLInputElement} */ (document.querySelector('input'));
const output = /** @type {HTMLOutputElement} */ (document.querySelector('output'));

// Not awaited here: a file may be chosen before the worker runs.
const starting = VRMWorker.start();
starting.catch((error) => { output.textContent = String(error); });
/** @type {import('libvrm/worker').WorkerVRM | null} */
let vrm = null;

/** @param {import('libvrm/worker').WorkerVRM} shown */
function draw({ world, avatar: { nodes, body } }) {
  const scale = 0.8 * canvas.height / Math.max(body.height, 0.1);
  // Matrices have three rows of four numbers; the fourth number of each row is the position.
  const place = (/** @type {number} */ node) => [canvas.width / 2 + scale * world[12 * node + 3], 0.9 * canvas.height - scale * world[12 * node + 7]];
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.beginPath();
  nodes.forEach(({ parent }, node) => {
    if (parent < 0) return;
    const [[x, y], [toX, toY]] = [place(parent), place(node)];
    context.moveTo(x, y);
    context.lineTo(toX, toY);
  });
  context.stroke();
}

let last = performance.now();
/** @param {number} now */
function frame(now) {
  if (vrm) {
    const swing = Math.sin(now / 500) / 4;
    vrm.humanoid.setNormalizedRotation('spine', [0, 0, swing, Math.sqrt(1 - swing * swing)]);
    vrm.update((now - last) / 1000); // not awaited: the last frame that arrived is drawn
    draw(vrm);
  }
  last = now;
  requestAnimationFrame(frame);
}
requestAnimationFrame(frame);

input.addEventListener('change', async () => {
  const file = input.files?.[0];
  if (!file) return;
  try {
    const worker = await starting;
    const loaded = await worker.load(file);
    vrm?.dispose();
    vrm = loaded;
    output.textContent = vrm.meta.name;
  } catch (error) {
    output.textContent = String(error);
  }
});
