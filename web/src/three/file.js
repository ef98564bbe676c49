// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

const aligned = (size) => Math.ceil(size / 4) * 4;

// A binary glTF of a document and one buffer.
function glb(text, parts, length) {
  const json = new TextEncoder().encode(text);
  const bytes = new Uint8Array(12 + 8 + aligned(json.length) + 8 + aligned(length));
  const data = new DataView(bytes.buffer);
  const words = (at, ...values) => values.forEach((value, i) => data.setUint32(at + 4 * i, value, true));
  words(0, 0x46546c67, 2, bytes.length, aligned(json.length), 0x4e4f534a);
  bytes.fill(0x20, 20, 20 + aligned(json.length));
  bytes.set(json, 20);
  const body = 20 + aligned(json.length);
  words(body, aligned(length), 0x004e4942);
  for (const { at, part } of parts) bytes.set(new Uint8Array(part), body + 8 + at);
  return bytes;
}

/** The file that a GLTFParser reads, as bytes: what GLTFLoader has fetched is not fetched again. To be called before plugins
 * change the parsed JSON. */
export async function fileBytes(parser) {
  const binary = parser.extensions.KHR_binary_glTF;
  const { json } = parser;
  if (binary?.body && json.buffers?.length === 1) return glb(binary.content, [{ at: 0, part: binary.body }], binary.body.byteLength);
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
  return glb(JSON.stringify(copy), placed, length);
}
