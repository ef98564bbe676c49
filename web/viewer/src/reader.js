// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The script of the worker that reads files. A message {file, wasm, limit} begins; the parts are sent back as messages
// (see read.js).

import { init } from '../../src/ragdoll.js';
import { readAvatar } from './read.js';

const send = (message, transfer = []) => self.postMessage(message, transfer);

self.onmessage = async ({ data: { file, wasm, limit } }) => {
  try {
    const [module, buffer] = await Promise.all([init(wasm), file.arrayBuffer()]);
    await readAvatar(module, new Uint8Array(buffer), limit, send);
  } catch (error) {
    send({ kind: 'error', error: { name: error.name, message: error.message, code: error.code, findings: error.findings } });
  }
};
