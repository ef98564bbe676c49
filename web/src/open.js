// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

import { Avatar } from './avatar.js';
import { Module } from './module.js';
import { read } from './wasm.js';

/** Returns a promise of the bytes of a source and of the module that is to read them. */
export async function inputs(source, module) {
  const [bytes, running] = await Promise.all([read(source), module]);
  if (!(running instanceof Module)) throw new TypeError('module is none that init() has started');
  return [bytes, running];
}

/** Opens the bytes of a cooked avatar. */
export function openCooked(module, bytes) {
  const at = module.copyIn(bytes);
  try {
    return new Avatar(module, module.made((place) => module.c.vrm_avatar_open(
      at, bytes.byteLength, module.c.vrm_web_allocator(), place)));
  } finally {
    if (!module.dead) module.c.free(at);
  }
}
