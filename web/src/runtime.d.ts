// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

import { Avatar, Instance, Module } from './vrm.js';
import type { InstanceOptions, Source, WasmSource } from './vrm.js';

export * from './vrm.js';

/** Starts a copy of the library. The default source is the .wasm file beside this file. */
export function init(source?: WasmSource | PromiseLike<WasmSource>): Promise<Module>;
/**
 * The module for calls that name none.
 */
export function defaultModule(): Promise<Module>;

/** Opens a cooked avatar of this version of the library. */
export function loadAvatar(source: Source | PromiseLike<Source>, options?: { readonly module?: Module }): Promise<Avatar>;

/** An avatar that moves. */
export class VRM extends Instance {
  static load(
    source: Source | PromiseLike<Source>, options?: { readonly module?: Module; readonly instance?: InstanceOptions },
  ): Promise<VRM>;
}
