// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

import { Document } from '../document.js';
import { Owned } from '../module.js';
import { copySlices } from '../slices.js';

const aligned = (size) => Math.ceil(size / 4) * 4;

/** Writes a binary glTF into the module's memory, from a document's text and parts of its single buffer, [{at, part}]. */
async function readParts(module, text, parts, length) {
  const json = new TextEncoder().encode(text);
  const body = 20 + aligned(json.length);
  const byteLength = body + 8 + aligned(length);
  const copy = new Owned(module, module.allocate(byteLength), 'free');
  const at = copy.pointer;
  const words = (first, ...values) => values.forEach((value, i) => module.data.setUint32(at + first + 4 * i, value, true));
  words(0, 0x46546c67, 2, byteLength, aligned(json.length), 0x4e4f534a);
  module.u8.set(json, at + 20);
  module.u8.fill(0x20, at + 20 + json.length, at + body);
  words(body, aligned(length), 0x004e4942);
  module.u8.fill(0, at + body + 8 + length, at + byteLength);
  try {
    let end = 0;
    for (const { at: first, part } of parts) {
      module.u8.fill(0, at + body + 8 + end, at + body + 8 + first);
      await copySlices(new Uint8Array(part), () => module.u8.subarray(at + body + 8 + first));
      end = first + part.byteLength;
    }
  } catch (error) {
    copy.dispose();
    throw error;
  }
  return new Document(module, { byteLength }, copy);
}

/**
 * Returns the file that a GLTFParser reads; data that GLTFLoader has fetched is not fetched again. Call this function
 * before plugins change the parsed JSON. `running` is a promise of a module.
 */
export async function readFile(parser, running) {
  const binary = parser.extensions.KHR_binary_glTF;
  const { json } = parser;
  if (binary?.body && json.buffers?.length === 1) return readParts(await running, binary.content, [{ at: 0, part: binary.body }], binary.body.byteLength);
  const copy = JSON.parse(binary?.content ?? JSON.stringify(json));
  const parts = await Promise.all((copy.buffers ?? []).map((_, i) => parser.getDependency('buffer', i)));
  let length = 0;
  const placed = parts.map((part) => {
    const at = length;
    length += aligned(part.byteLength);
    return { at, part };
  });
  for (const view of copy.bufferViews ?? []) {
    view.byteOffset = (view.byteOffset ?? 0) + placed[view.buffer].at;
    view.buffer = 0;
  }
  copy.buffers = length > 0 ? [{ byteLength: length }] : undefined;
  return readParts(await running, JSON.stringify(copy), placed, length);
}
