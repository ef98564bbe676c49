// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

import { Avatar, Instance, Module } from './vrm.js';
import type { InstanceOptions, Source, WasmSource } from './vrm.js';

export * from './vrm.js';

/** Starts a copy of the library: without a source the .wasm beside this file. */
export function init(source?: WasmSource | PromiseLike<WasmSource>): Promise<Module>;
/** The module of those who name none. */
export function defaultModule(): Promise<Module>;

/** Opens a cooked avatar of this version of the library. */
export function loadAvatar(source: Source | PromiseLike<Source>, options?: { readonly module?: Module }): Promise<Avatar>;

/** One figure that moves. */
export class VRM extends Instance {
  static load(
    source: Source | PromiseLike<Source>, options?: { readonly module?: Module; readonly instance?: InstanceOptions },
  ): Promise<VRM>;
}
