// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

import { Avatar } from './avatar.js';

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
