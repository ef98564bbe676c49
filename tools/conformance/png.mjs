// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Reads PNG files with 8 bits per channel, RGB or RGBA, as vrm and browsers write them.

import { inflateSync } from 'node:zlib';

const table = Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; ++k) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});

export function crc32(bytes) {
  let c = 0xffffffff;
  for (const byte of bytes) c = table[(c ^ byte) & 255] ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}

/** { width, height, pixels }: RGBA rows from the top. */
export function readPng(file) {
  const parts = [];
  let width = 0;
  let height = 0;
  let wide = 0;
  for (let at = 8; at < file.length;) {
    const size = file.readUInt32BE(at);
    const name = file.toString('latin1', at + 4, at + 8);
    const data = file.subarray(at + 8, at + 8 + size);
    if (name === 'IHDR') {
      [width, height, wide] = [data.readUInt32BE(0), data.readUInt32BE(4), { 2: 3, 6: 4 }[data[9]]];
      if (data[8] !== 8 || !wide || data[12] !== 0) throw new Error('not a PNG of 8 bits, RGB or RGBA, without interlace');
    } else if (name === 'IDAT') parts.push(data);
    at += 12 + size;
  }
  const raw = inflateSync(Buffer.concat(parts));
  const line = width * wide;
  const rows = Buffer.alloc(height * line);
  for (let y = 0; y < height; ++y) {
    const how = raw[y * (line + 1)];
    for (let i = 0; i < line; ++i) {
      const at = y * line + i;
      const a = i >= wide ? rows[at - wide] : 0;
      const b = y > 0 ? rows[at - line] : 0;
      const c = i >= wide && y > 0 ? rows[at - line - wide] : 0;
      const p = a + b - c;
      const [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)];
      const paeth = pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
      rows[at] = raw[y * (line + 1) + 1 + i] + [0, a, b, (a + b) >> 1, paeth][how];
    }
  }
  const pixels = Buffer.alloc(4 * width * height, 255);
  for (let i = 0; i < width * height; ++i) {
    for (let k = 0; k < wide; ++k) pixels[4 * i + k] = rows[i * wide + k];
  }
  return { width, height, pixels };
}
