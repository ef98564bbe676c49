// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

import { isGLB } from './check.js';
import { Clip } from './clip.js';
import { Document, savedBytes } from './document.js';
import { VRMError } from './error.js';
import { ownWasm } from './files.js';
import { layout } from './layout_full.js';
import { Module, Owned } from './module.js';
import { inputs, openCooked } from './open.js';
import { withReport } from './report.js';
import { Instance, updateAll } from './vrm.js';
import { hasSimd, shared, start } from './wasm.js';

export { Avatar } from './avatar.js';
export { Clip } from './clip.js';
export { Document } from './document.js';
export { Geometry } from './geometry.js';
export { hasSimd, Instance, Module, updateAll, VRMError };

/**
 * Starts a copy of the library. The source is a URL, a Response, bytes or a compiled WebAssembly.Module. By default it is
 * vrm.wasm beside this file, or vrm-scalar.wasm for engines without SIMD.
 */
export function init(source) {
  return start(source ?? ownWasm(), layout);
}

const usual = /* @__PURE__ */ shared(init);

/** The module for calls that name none. */
export const defaultModule = () => usual();

async function given(source, module) {
  const [bytes, running] = await inputs(source, module ?? usual());
  if (!running.c.vrm_report_create) throw new VRMError('ERROR_UNSUPPORTED', 'the module of libvrm/runtime opens only cooked avatars, by functions of libvrm/runtime');
  return [bytes, running];
}

/** Reads an avatar: .vrm, .glb, .gltf of any dialect, or cooked. `options`: module, keepDocument, strict, prefer, ... */
export async function loadAvatar(source, { module, keepDocument = false, ...options } = {}) {
  const [bytes, running] = await given(source, module);
  if (!isGLB(bytes) && isCooked(running, bytes)) return openCooked(running, bytes);
  const document = await Document.read(running, bytes);
  try {
    const avatar = document.toAvatar(options, keepDocument ? document : null);
    if (!keepDocument) document.dispose();
    return avatar;
  } catch (error) {
    document.dispose();
    throw error;
  }
}

function isCooked(module, bytes) {
  const at = module.copyIn(bytes.subarray(0, 64));
  try {
    return module.c.vrm_avatar_is_cooked(at, Math.min(bytes.byteLength, 64)) !== 0;
  } finally {
    if (!module.dead) module.c.free(at);
  }
}

/** An avatar that moves. */
export class VRM extends Instance {
  /**
   * Reads an avatar and creates a VRM of it. `options`: those of loadAvatar(), and `instance`: those of the constructor.
   */
  static async load(source, { instance, ...options } = {}) {
    const avatar = await loadAvatar(source, options);
    try {
      return new VRM(avatar, instance);
    } finally {
      avatar.dispose(); // the VRM keeps it alive
    }
  }
}

/** Reads a motion: .vrma, .glb, .vrm or .bvh. `options`: module, animation, unit. */
export async function loadClip(source, { module, ...options } = {}) {
  const [bytes, m] = await given(source, module);
  const at = m.copyIn(bytes);
  try {
    return withReport(m, (report, findings) => new Clip(m, m.made((place) => m.scope((take) => m.c.vrm_clip_load(
      m.params(take, 'vrm_clip_def', options, 'options'), at, bytes.byteLength, report, place)), findings), findings()));
  } finally {
    if (!m.dead) m.c.free(at);
  }
}

/** Validates a file completely. Returns {findings, counts: {error, warning, info, hint}, info}. */
export async function validate(source, { module, ...options } = {}) {
  const [bytes, m] = await given(source, module);
  const at = m.copyIn(bytes);
  try {
    return withReport(m, (report, findings) => {
      let info = null;
      m.scope((take) => {
        const place = take(8);
        const result = m.c.vrm_validate(m.params(take, 'vrm_validate_params', options, 'options'), at, bytes.byteLength, report, place);
        const validation = m.u32[place >> 2];
        if (validation) {
          info = m.describe('vrm_validate_info', 'vrm_validation_get_info', validation);
          m.c.vrm_validation_destroy(validation);
        } else {
          m.check(result, findings());
        }
      });
      const counts = { error: 0, warning: 0, info: 0, hint: 0 };
      const found = findings();
      for (const { severity } of found) ++counts[severity];
      return { findings: found, counts, info };
    });
  } finally {
    if (!m.dead) m.c.free(at);
  }
}

/** Converts an older file to VRM 1.0. Returns {bytes, findings}. `options`: module, turn: "data" | "root", strict. */
export async function migrate(source, { module, ...options } = {}) {
  const [bytes, running] = await given(source, module);
  const document = await Document.read(running, bytes);
  try {
    const avatar = document.toAvatar();
    try {
      const findings = document.migrate(avatar, options);
      return { bytes: document.save(), findings };
    } finally {
      avatar.dispose();
    }
  } finally {
    document.dispose();
  }
}

/** Returns the avatar as bytes that the same version of libvrm/runtime opens in microseconds. */
export function cook(avatar) {
  const module = avatar?.module;
  const address = Owned.address(module, avatar, 'vrm_avatar_release', 'an avatar');
  module.u32[module.scratch >> 2] = 0;
  module.check(module.c.vrm_avatar_save(address, 0, module.scratch));
  const size = module.u32[module.scratch >> 2];
  const at = module.allocate(size);
  try {
    module.check(module.c.vrm_avatar_save(address, at, module.scratch));
    return module.copyOut(at, size);
  } finally {
    if (!module.dead) module.c.free(at);
  }
}
