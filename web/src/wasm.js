// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

import { address, bytesOf } from './check.js';
import { VRMError } from './error.js';
import { Module } from './module.js';
import { know } from './struct.js';

// A module with a function that creates a v128 and adds to it, which is valid only for engines with SIMD.
const DETECTOR = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11];

/** Returns true if this engine has WebAssembly SIMD. */
export const hasSimd = () => WebAssembly.validate(new Uint8Array(DETECTOR));

async function fetched(url) {
  const refused = (cause) => { throw failed(url, cause.message, cause); };
  if (url.protocol === 'file:' && typeof process !== 'undefined' && process.versions?.node) {
    // The name is in a variable, so that bundlers for browsers do not try to resolve it.
    const files = 'node:fs/promises';
    return (await import(/* @vite-ignore */ /* webpackIgnore: true */ files)).readFile(url).catch(refused);
  }
  return fetch(url).catch(refused);
}

const failed = (url, why, cause) => Object.assign(new VRMError('LOAD', `${url}: ${why}`), { cause });

/** Returns the response if the request succeeded; otherwise throws. */
function good(response) {
  if (response.ok === false) throw failed(response.url, `HTTP status ${response.status}`);
  return response;
}

async function instantiate(source, imports) {
  const given = await source;
  if (given instanceof WebAssembly.Module) return WebAssembly.instantiate(given, imports);
  if (typeof Response !== 'undefined' && given instanceof Response) {
    try {
      // instantiateStreaming() fails if the server does not send the type application/wasm.
      return (WebAssembly.instantiateStreaming && /^application\/wasm/i.test(good(given).headers.get('content-type'))
        ? await WebAssembly.instantiateStreaming(given, imports) : await WebAssembly.instantiate(await given.arrayBuffer(), imports)).instance;
    } catch (error) {
      throw error instanceof VRMError ? error : failed(given.url, `${error} (type ${given.headers.get('content-type')})`, error);
    }
  }
  return (await WebAssembly.instantiate(given, imports)).instance;
}

/**
 * Starts a copy of the library from a URL, its text, a Response, bytes, or a compiled WebAssembly.Module (which can be
 * sent to workers), or from a promise of one of these. `layouts`: the entry's descriptions of structs, in addition to
 * layout.js.
 */
export async function start(source, ...layouts) {
  know(layouts);
  const given = await source;
  const module = new Module(hasSimd());
  let running = false;
  const imports = { env: { emscripten_notify_memory_growth: () => { if (running) module.refresh(); } } };
  const instance = await instantiate(typeof given === 'string' || given instanceof URL
    ? fetched(address(given)) : given, imports);
  module.attach(instance.exports);
  running = true;
  module.refresh();
  return module;
}

/** Returns the shared promise of a module. A module that is dead after a trap is replaced. */
export function shared(make) {
  let promise = null;
  return async () => {
    if (promise && (await promise.catch(() => null))?.dead !== null) promise = null;
    promise ??= make();
    return promise;
  };
}

/** Returns the bytes of a load function's source: bytes, a Blob, a Response, or a URL. */
export async function read(source) {
  let given = await source;
  if (typeof given === 'string' || given instanceof URL) given = await fetched(address(given));
  const bytes = bytesOf(given);
  if (bytes) return bytes;
  if (typeof given?.arrayBuffer !== 'function') throw new TypeError('neither bytes nor a Blob, Response or URL');
  return new Uint8Array(await good(given).arrayBuffer());
}
