// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// A file that is being read: by a worker, so that the page and its avatar keep moving, or on the page if the browser
// has no workers.

import { loadAvatar } from '../../src/index.js';
import workerText from 'reader text';
import { readAvatar } from './read.js';

/** Thrown if reading was cancelled. */
export class Cancelled extends Error {}

const pause = () => new Promise((resume) => { setTimeout(resume, 0); });

function startWorker() {
  const address = URL.createObjectURL(new Blob([workerText], { type: 'text/javascript' }));
  try {
    return new Worker(address);
  } finally {
    URL.revokeObjectURL(address);
  }
}

export class Reading {
  #file;
  #library;
  #limit;
  #worker = null;
  #parts = [];
  #heard = false;
  #wake = () => {};
  #failure = null;
  #settle;

  /** Fraction of the file that has been read, 0 to 1. */
  share = 0;
  /** A promise that is only ever rejected, when reading fails. */
  failed;
  #reject;
  /**
   * A promise of {definition, skin, findings}: the ragdoll's bodies, and the findings of validation. It is never
   * rejected.
   */
  later;
  #later = { definition: null, skin: null, findings: [] };

  /**
   * `file`: a Blob; `library`: a promise of the page's module; `wasm`: the compiled library, or a promise of it; `limit`:
   * largest width of a texture in pixels.
   */
  constructor(file, library, wasm, limit) {
    this.#file = file;
    this.#library = library;
    this.#limit = limit;
    this.later = new Promise((done) => { this.#settle = done; });
    this.failed = new Promise((_, reject) => { this.#reject = reject; });
    this.failed.catch(() => {}); // prevents an error if nobody waits for this promise
    this.#start(wasm);
  }

  async #start(wasm) {
    try {
      const worker = this.#worker = startWorker();
      worker.onmessage = ({ data }) => this.#receive(data);
      worker.onerror = (event) => {
        event.preventDefault();
        if (this.#heard) this.#fail(new Error(event.message));
        else this.#readHere();
      };
      worker.postMessage({ file: this.#file, wasm: await wasm, limit: this.#limit });
    } catch {
      this.#readHere();
    }
  }

  async #readHere() {
    this.#worker?.terminate();
    this.#worker = null;
    try {
      await readAvatar(await this.#library, new Uint8Array(await this.#file.arrayBuffer()), this.#limit, async (part) => {
        if (this.#failure) throw this.#failure;
        this.#receive(part);
        await pause();
      });
    } catch (error) {
      this.#fail(error);
    }
  }

  #receive(part) {
    this.#heard = true;
    if (part.kind === 'progress') {
      this.share = part.share;
    } else if (part.kind === 'error') {
      this.#fail(Object.assign(new Error(part.error.message), part.error));
    } else if (part.kind === 'body') {
      Object.assign(this.#later, { definition: part.definition, skin: part.skin });
    } else if (part.kind === 'report') {
      this.#later.findings = part.findings;
      this.#end();
    } else {
      this.#parts.push(part);
    }
    this.#wake();
  }

  #fail(error) {
    this.#failure ??= error;
    this.#reject(error);
    this.#end();
    this.#wake();
  }

  #end() {
    this.#settle(this.#later);
    this.#worker?.terminate();
  }

  cancel() {
    this.#fail(new Cancelled());
  }

  get isCancelled() {
    return this.#failure instanceof Cancelled;
  }

  async #next() {
    while (this.#parts.length === 0 && !this.#failure) await new Promise((resume) => { this.#wake = resume; });
    if (this.#failure) throw this.#failure;
    return this.#parts.shift();
  }

  /** Returns the avatar, which is the first part, in a module of the page. */
  async avatar(module) {
    const { cooked } = await this.#next();
    return loadAvatar(cooked, { module });
  }

  /** Adds all other parts to a ModelMaker. */
  async fill(maker) {
    for (let part = await this.#next(); part.kind !== 'end'; part = await this.#next()) await maker.add(part);
  }
}
