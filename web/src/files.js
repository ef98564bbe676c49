// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

import { hasSimd } from './wasm.js';

/** What init() takes when it is given nothing: the .wasm beside this file. libvrm/inline has it inside. */
export const ownWasm = () => (hasSimd() ? new URL('./vrm.wasm', import.meta.url) : new URL('./vrm-scalar.wasm', import.meta.url));
