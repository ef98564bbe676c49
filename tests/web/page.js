// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// What test_web_browser.mjs has a page do; the result goes to window.result.

import { hasSimd, init, validate, VRM } from 'libvrm';
import { sumOfFrames } from '/tests/web/frames.mjs';
import { WorkerAvatar } from '/web/examples/worker/avatar.js';

const violations = [];
document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => violations.push(`${violatedDirective} ${blockedURI}`));

async function sums() {
  const found = {};
  const modules = { default: undefined, 'another type': await init(new URL('/as-text/vrm.wasm', location.href)),
    scalar: await init(new URL('/package/dist/vrm-scalar.wasm', location.href)),
    compiled: await init(WebAssembly.compileStreaming(fetch('/package/dist/vrm.wasm'))) };
  for (const [name, module] of Object.entries(modules)) {
    const vrm = await VRM.load('/avatar.vrm', { module });
    found[name] = sumOfFrames(vrm, undefined, 200);
    vrm.dispose();
  }
  return found;
}

async function inWorker() {
  const bytes = await (await fetch('/avatar.vrm')).arrayBuffer();
  const here = await VRM.load(bytes);
  const there = new WorkerAvatar();
  await there.load(bytes.slice(0));
  const inputs = { expressions: { happy: 0.5 }, target: [1, 1.5, 2] };
  here.expressionManager.setValue('happy', 0.5);
  here.lookAt.target = inputs.target;
  // Two at once, and none for a third.
  const pair = [there.update(1 / 60, inputs), there.update(1 / 60, inputs)];
  const third = await there.update(1 / 60);
  let last = null;
  for (const frame of await Promise.all(pair)) {
    here.update(1 / 60);
    last = frame.palette.every((value, i) => value === here.palette[i]) && frame.morphs.every((value, i) => value === here.morphs[i])
      && frame.morphs.some((value) => value > 0);
    there.release(frame);
  }
  for (let i = 0; i < 20; ++i) {
    const frame = await there.update(1 / 60);
    here.update(1 / 60);
    last &&= frame.palette.every((value, k) => value === here.palette[k]);
    there.release(frame);
  }
  let refused = '';
  await there.load(new ArrayBuffer(4)).catch(({ code, findings }) => { refused = `${code} ${findings.length}`; });
  there.terminate();
  return { same: last, third, refused };
}

try {
  const start = performance.now();
  const vrm = await VRM.load('/avatar.vrm');
  const loaded = performance.now();
  vrm.update(1 / 60);
  const updated = performance.now();
  let notFound = '';
  await VRM.load('/nothing.vrm').catch(({ code }) => { notFound = code; });
  window.result = { simd: hasSimd(), sums: await sums(), worker: await inWorker(), errors: (await validate('/avatar.vrm')).counts.error,
    notFound, violations, milliseconds: { load: loaded - start, first: updated - loaded } };
} catch (error) {
  window.result = { error: String(error), violations };
}
