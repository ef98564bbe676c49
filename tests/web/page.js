// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Runs in the page of test_web_browser.mjs; the result goes to window.result.

import { hasSimd, init, validate, VRM } from 'libvrm';
import { VRMWorker } from 'libvrm/worker';
import { setInputs, stepOf, Sum, sumOfFrames } from '/tests/web/frames.mjs';

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

const messageOf = (promise) => promise.then(() => 'nothing', ({ code, message }) => `${code} ${message}`);

async function inWorker() {
  const worker = await VRMWorker.start();
  const vrm = await worker.load('/avatar.vrm');
  const sum = new Sum();
  for (let frame = 0; frame < 200; ++frame) {
    setInputs(vrm, frame);
    await vrm.update(stepOf(frame));
    sum.add(vrm);
  }
  let refused = '';
  await worker.load(new ArrayBuffer(4)).catch(({ code, findings }) => { refused = `${code} ${findings.length}`; });
  worker.terminate();
  const missing = await messageOf(VRMWorker.start({ wasm: '/nothing.wasm' }));
  return { sum: sum.text, refused, missing };
}

/** Returns the longest time, in milliseconds, for which nothing else runs on this page during the job. */
async function longestBlock(job) {
  const { port1, port2 } = new MessageChannel();
  let last = performance.now();
  let longest = 0;
  const look = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  port1.onmessage = () => {
    look();
    port2.postMessage(null);
  };
  port2.postMessage(null);
  const made = await job();
  look();
  port1.close();
  made.dispose();
  return longest;
}

/** Loads a large file, on this page and in a worker. Returns the best of several runs, since other programs delay the page, too. */
async function blocks() {
  const worker = await VRMWorker.start();
  const file = await (await fetch('/large.vrm')).blob();
  const bytes = await file.arrayBuffer();
  const found = {};
  for (const [name, job] of Object.entries({ page: () => VRM.load(file, { keepDocument: true }), worker: () => worker.load(file),
    'worker, from bytes': () => worker.load(bytes) })) {
    found[name] = Infinity;
    for (let i = 0; i < 10 && (i < 2 || found[name] > 50); ++i) found[name] = Math.min(found[name], await longestBlock(job));
  }
  worker.terminate();
  return found;
}

try {
  const start = performance.now();
  const vrm = await VRM.load('/avatar.vrm');
  const loaded = performance.now();
  vrm.update(1 / 60);
  const updated = performance.now();
  let notFound = '';
  await VRM.load('/nothing.vrm').catch(({ code }) => { notFound = code; });
  window.result = { simd: hasSimd(), sums: await sums(), worker: await inWorker(), blocks: await blocks(), errors: (await validate('/avatar.vrm')).counts.error,
    notFound, violations, missing: await messageOf(init('/nothing.wasm')), page: await messageOf(init('/web/README.md')), milliseconds: { load: loaded - start, first: updated - loaded } };
} catch (error) {
  window.result = { error: String(error), violations };
}
