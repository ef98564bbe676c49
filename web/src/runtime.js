// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

import { isGLB } from './check.js';
import { VRMError } from './error.js';
import { Module } from './module.js';
import { inputs, openCooked } from './open.js';
import { Instance, updateAll } from './vrm.js';
import { hasSimd, shared, start } from './wasm.js';

export { Avatar } from './avatar.js';
export { Clip } from './clip.js';
export { hasSimd, Instance, Module, updateAll, VRMError };

/** Starts a copy of the smaller library, which opens only cooked avatars and needs SIMD. See init() of libvrm. */
export function init(source) {
  return start(source ?? new URL('./vrm-runtime.wasm', import.meta.url));
}

const usual = /* @__PURE__ */ shared(init);

/** The module for calls that name none. */
export const defaultModule = () => usual();

/** Opens an avatar that cook() of libvrm or `vrm cook` has written with this version of the library. */
export async function loadAvatar(source, { module } = {}) {
  const [bytes, running] = await inputs(source, module ?? usual());
  if (isGLB(bytes)) {
    throw new VRMError('ERROR_INVALID_ASSET', 'the file is not cooked; cook() of libvrm or `vrm cook` makes a file for libvrm/runtime of it');
  }
  return openCooked(running, bytes);
}

/** An avatar that moves. */
export class VRM extends Instance {
  static async load(source, { instance, ...options } = {}) {
    const avatar = await loadAvatar(source, options);
    try {
      return new VRM(avatar, instance);
    } finally {
      avatar.dispose(); // the VRM keeps it alive
    }
  }
}
