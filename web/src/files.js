// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

import { hasSimd } from './wasm.js';

/** Default source of init(): the .wasm file beside this file. In libvrm/inline the module is contained in the script. */
export const ownWasm = () => (hasSimd() ? new URL('./vrm.wasm', import.meta.url) : new URL('./vrm-scalar.wasm', import.meta.url));
