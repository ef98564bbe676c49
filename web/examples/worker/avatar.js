// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

/** An avatar in a worker: frames are asked for and drawn by the page, computed there. */
export class WorkerAvatar {
  #worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  #waiting = [];
  #free = [];

  constructor() {
    this.#worker.onmessage = ({ data }) => {
      const { done, failed } = this.#waiting.shift();
      if (data.type === 'error') failed(Object.assign(new Error(data.message), data));
      else done(data);
    };
  }

  #ask(message, transfer) {
    return new Promise((done, failed) => {
      this.#waiting.push({ done, failed });
      this.#worker.postMessage(message, transfer);
    });
  }

  /** `bytes` is an ArrayBuffer, which goes to the worker. */
  async load(bytes) {
    this.info = await this.#ask({ type: 'load', library: import.meta.resolve('libvrm'), bytes }, [bytes]);
    const size = 4 * (this.info.palette + this.info.morphs);
    this.#free = [new ArrayBuffer(size), new ArrayBuffer(size)];
  }

  /** A frame: {palette, morphs}, the caller's until it gives it to release(). Null while both buffers are on their way. */
  async update(dt, inputs = {}) {
    const buffer = this.#free.pop();
    if (!buffer) return null;
    const answer = await this.#ask({ type: 'frame', dt, buffer, ...inputs }, [buffer]);
    const { palette, morphs } = this.info;
    return { palette: new Float32Array(answer.buffer, 0, palette), morphs: new Float32Array(answer.buffer, 4 * palette, morphs) };
  }

  release({ palette }) {
    this.#free.push(palette.buffer);
  }

  terminate() {
    this.#worker.terminate();
  }
}
