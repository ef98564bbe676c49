// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Avatars in a worker, seen from the page. Values that the page sets wait for the next frame. Two buffers are
// exchanged: one is drawn while the worker fills the other. No memory is shared, so the server does not have to send
// special headers.

import { address, bytesOf } from './check.js';
import { VRMError } from './error.js';
import { copySlices } from './slices.js';
import { buffersOf } from './worker_calls.js';
import { errorOf, WorkerClip, WorkerVRM } from './worker_vrm.js';

export { VRMError, WorkerClip, WorkerVRM };

// Converts a source to a value that can be sent to the worker. Addresses are relative to the page, not to the worker's
// script.
async function sendable(source) {
  const given = await source;
  if (typeof given === 'string' || given instanceof URL) return String(address(given));
  if (typeof Response !== 'undefined' && given instanceof Response) {
    if (!given.ok) throw new VRMError('LOAD', `${given.url}: HTTP status ${given.status}`);
    return given.blob();
  }
  return given;
}

// Bundlers recognise the address in `new Worker(new URL(...))`. If they saw it elsewhere, they would copy the file
// unbundled.
const NAME = 'worker_thread.js';
const script = () => new URL(NAME, import.meta.url);

async function startWorker() {
  if (typeof Worker !== 'function') {
    const threads = 'node:worker_threads'; // in a variable, so that bundlers for browsers do not try to resolve it
    const { Worker: Thread } = await import(/* @vite-ignore */ /* webpackIgnore: true */ threads);
    return new Thread(script());
  }
  const { origin } = script();
  if (/^https?:/.test(origin) && /^https?:/.test(globalThis.location?.origin) && origin !== globalThis.location.origin) {
    // A worker's script must be from the same origin, but it may import modules of other origins.
    const text = `import ${JSON.stringify(script().href)};`;
    return new Worker(URL.createObjectURL(new Blob([text], { type: 'text/javascript' })), { type: 'module' });
  }
  return new Worker(new URL('./worker_thread.js', import.meta.url), { type: 'module' });
}

/** A worker with a copy of the library. */
export class VRMWorker {
  #worker;
  #waiting = new Map();
  #last = 0;
  #requests = [];

  /** The error after which the worker can no longer be used, or null. */
  dead = null;

  /**
   * Starts a worker. `wasm`: the source for init(), by default vrm.wasm or vrm-scalar.wasm; `worker`: a worker that
   * already runs worker_thread.js, for pages that are bundled into one script.
   */
  static async start({ wasm, worker } = {}) {
    const made = new VRMWorker();
    made.#listen(worker ?? await startWorker());
    const { simd, version } = await made.request('start', { wasm: await sendable(wasm) });
    /** True for the build with SIMD. */
    made.simd = simd;
    made.version = version;
    return made;
  }

  #listen(worker) {
    this.#worker = worker;
    const failed = (error) => this.#end(new VRMError('LOAD', `the worker does not run: ${error?.message ?? script()}`));
    if (worker.addEventListener) {
      worker.addEventListener('message', ({ data }) => this.#receive(data));
      worker.addEventListener('error', failed);
    } else {
      worker.on('message', (data) => this.#receive(data));
      worker.on('error', failed);
    }
  }

  #receive(answers) {
    for (const { id, value, error } of answers) {
      const { done, failed } = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error) failed(errorOf(error));
      else done(value);
    }
    if (this.#waiting.size === 0) this.#worker.unref?.(); // Node may end
  }

  #end(error) {
    this.dead ??= error;
    for (const { failed } of this.#waiting.values()) failed(error);
    this.#waiting.clear();
    this.#worker.terminate();
  }

  /** Returns a promise of the answer. Requests of the same task are sent in one message. @internal */
  request(kind, values, transfer = []) {
    if (this.dead) return Promise.reject(this.dead);
    return new Promise((done, failed) => {
      const id = ++this.#last;
      if (this.#waiting.size === 0) this.#worker.ref?.();
      this.#waiting.set(id, { done, failed });
      if (this.#requests.length === 0) queueMicrotask(() => this.#send());
      this.#requests.push({ request: { id, kind, ...values }, transfer });
    });
  }

  #send() {
    const requests = this.#requests.splice(0);
    if (this.dead) return;
    try {
      this.#worker.postMessage(requests.map(({ request }) => request), requests.flatMap(({ transfer }) => [...transfer]));
    } catch (error) { // thrown for values that cannot be copied
      for (const { request: { id } } of requests) {
        this.#waiting.get(id).failed(error);
        this.#waiting.delete(id);
      }
    }
  }

  /** Frees an object to which nothing on the page refers any more. @internal */
  forget(handle) {
    this.request('dispose', { handle }).catch(() => {});
  }

  async #load(kind, source, { transfer = false, ...options }) {
    const given = await sendable(source);
    const bytes = bytesOf(given);
    if (transfer || !bytes) return this.request(kind, { source: given, options }, transfer ? buffersOf(given) : []);
    const copy = new Uint8Array(bytes.length);
    await copySlices(bytes, () => copy);
    return this.request(kind, { source: copy, options }, [copy.buffer]);
  }

  /**
   * Reads an avatar and creates a VRM of it. `options`: those of loadAvatar() except `module`; `instance`: those of the
   * VRM; `transfer`: the bytes are transferred to the worker instead of copied. The worker itself reads a Blob or an
   * address.
   */
  async load(source, options = {}) {
    return new WorkerVRM(this, await this.#load('load', source, options));
  }

  /** Reads a motion for avatars of this worker. */
  async loadClip(source, options = {}) {
    return new WorkerClip(this, await this.#load('loadClip', source, options));
  }

  /** Checks a file: see validate() of libvrm. */
  validate(source, options = {}) {
    return this.#load('validate', source, options);
  }

  /** Converts an older file to VRM 1.0; see migrate() of libvrm. */
  migrate(source, options = {}) {
    return this.#load('migrate', source, options);
  }

  /** Ends the worker with all its objects. */
  terminate() {
    this.#end(new VRMError('DISPOSED', 'the worker was terminated'));
  }
}
