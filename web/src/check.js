// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Checks of what a program passes. The library itself sees only addresses and numbers.

import { VRMError } from './error.js';

const shown = (value) => (Array.isArray(value) ? `[${value}]` : typeof value === 'object' && value ? 'an object' : String(value));

/** Returns a finite number. */
export function number(value, what) {
  if (!Number.isFinite(value)) throw new TypeError(`${what} is ${shown(value)}, expected a finite number`);
  return value;
}

/** Returns `count` finite numbers: a list of them, or the x, y, z and w of an object. */
export function numbers(value, count, what) {
  const list = typeof value?.x !== 'number' ? value : count === 3 ? [value.x, value.y, value.z] : [value.x, value.y, value.z, value.w];
  let good = list?.length === count;
  for (let i = 0; good && i < count; ++i) good = Number.isFinite(list[i]);
  if (!good) throw new TypeError(`${what} is ${shown(value)}, expected ${count} finite numbers`);
  return list;
}

/** Returns an index below `count`. */
export function index(value, count, what) {
  if (!Number.isInteger(value) || value < 0 || value >= count) throw new VRMError('ERROR_INVALID_ARGUMENT', `there is no ${what} ${shown(value)} of ${count}`);
  return value;
}

/**
 * Returns the URL of an address. It is relative to the page or to the worker's own script; elsewhere, as in Node, it must
 * be absolute.
 */
export function address(text) {
  const base = globalThis.document?.baseURI ?? globalThis.location?.href;
  try {
    return new URL(text, base);
  } catch {
    throw new VRMError('LOAD', `"${text}" is no address${base ? '' : ' (expected one with a scheme such as file:, or the bytes)'}`);
  }
}

/** Returns a buffer or a view of one as bytes, without copying; null for anything else. */
export function bytesOf(value) {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return value instanceof ArrayBuffer || (typeof SharedArrayBuffer !== 'undefined' && value instanceof SharedArrayBuffer) ? new Uint8Array(value) : null;
}

/** Returns a buffer or a view of one as bytes, without copying. */
export function needBytes(value) {
  const bytes = bytesOf(value);
  if (!bytes) throw new TypeError('expected an ArrayBuffer or a view of one');
  return bytes;
}

/** Returns true for the bytes of a GLB. */
export const isGLB = (bytes) => String.fromCharCode(...bytes.subarray(0, 4)) === 'glTF';
