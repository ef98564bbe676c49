// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

import { Clip } from './clip.js';
import { layout } from './layout_ragdoll.js';
import { Owned } from './module.js';
import { enumOf, know, numberOf, offsetOf } from './struct.js';

/** Words of the motions that are made for an avatar: "idle", "walk", "run", "wave", "bow", "sitDown", "standUp". */
export function motionNames() {
  know([layout]);
  return [...enumOf('vrm_motion').byWord.keys()];
}

/** Returns true for a motion that is a loop. */
export function isLoop(module, motion) {
  module.needRagdolls();
  return module.c.vrm_motion_is_loop(numberOf('vrm_motion', motion, 'motion')) !== 0;
}

/**
 * Generates a motion for the proportions of this avatar, as a clip. An avatar without legs or arms cannot have one.
 * `options`: speed (m/s, of walk and run), inPlace, ragdoll (with the length of the soles).
 */
export function createMotion(avatar, motion, { ragdoll, ...options } = {}) {
  const module = avatar?.module;
  const address = Owned.address(module, avatar, 'vrm_avatar_release', 'an avatar');
  module.needRagdolls();
  if (ragdoll) Owned.address(module, ragdoll, 'vrm_web_puppet_free', 'a ragdoll');
  return new Clip(module, module.made((place) => module.scope((take) => {
    const def = module.params(take, 'vrm_motion_def', { motion, ...options }, 'options');
    module.u32[(def + offsetOf('vrm_motion_def', 'avatar')) >> 2] = address;
    module.u32[(def + offsetOf('vrm_motion_def', 'ragdoll')) >> 2] = ragdoll?.definition ?? 0;
    return module.c.vrm_motion_create(def, place);
  })));
}
