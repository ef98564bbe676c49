// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The generated avatars in other tools: Khronos' glTF validator reports nothing, and zlib unpacks their images.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inflateSync } from 'node:zlib';

const command = process.env.VRM_COMMAND ?? 'build/release/bin/vrm';
if (!existsSync(command)) {
  console.log(`skipped: ${command} is not there`);
  process.exit(77);
}
const temporary = mkdtempSync(join(tmpdir(), 'vrm-sample-'));
process.on('exit', () => rmSync(temporary, { recursive: true }));
let failures = 0;

function check(condition, what) {
  if (!condition) {
    console.log(`failed: ${what}`);
    ++failures;
  }
}

function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let k = 0; k < 8; ++k) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/** Checks the chunks of a PNG, and the number of pixels that the header promises. */
function checkPng(png, name) {
  check(png.subarray(0, 8).equals(Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])), `${name}: signature`);
  const data = [];
  let width, height, channels;
  for (let at = 8; at < png.length;) {
    const size = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    check(crc32(png.subarray(at + 4, at + 8 + size)) === png.readUInt32BE(at + 8 + size), `${name}: CRC of ${type}`);
    const body = png.subarray(at + 8, at + 8 + size);
    if (type === 'IHDR') {
      width = body.readUInt32BE(0);
      height = body.readUInt32BE(4);
      channels = { 2: 3, 6: 4 }[body[9]];
    } else if (type === 'IDAT') {
      data.push(body);
    }
    at += size + 12;
  }
  const pixels = inflateSync(Buffer.concat(data)); // inflateSync() checks the Adler sum
  check(pixels.length === height * (1 + width * channels), `${name}: ${pixels.length} bytes of pixels`);
  for (let y = 0; y < height; ++y) {
    const filter = pixels[y * (1 + width * channels)];
    check(filter === 1 || filter === 2, `${name}: filter ${filter} in row ${y}`);
  }
}

const files = [];
for (const options of [['--minimal'], ['--minimal', '--seed=77'], [], ['--seed=1', '--outfit=hoodie'], ['--seed=2', '--hair=short']]) {
  const path = join(temporary, `sample-${files.length}.vrm`);
  execFileSync(command, ['sample', '-o', path, ...options], { stdio: 'ignore' });
  files.push(path);
  const bytes = readFileSync(path);
  const length = bytes.readUInt32LE(12);
  const json = JSON.parse(bytes.toString('utf8', 20, 20 + length));
  for (const image of json.images) {
    const view = json.bufferViews[image.bufferView];
    const start = 28 + length + view.byteOffset;
    checkPng(bytes.subarray(start, start + view.byteLength), `${options.join(' ')} ${image.name}`);
  }
}

const validate = fileURLToPath(new URL('../../tools/validate/validate.mjs', import.meta.url));
const run = spawnSync(process.execPath, [validate, ...files], { encoding: 'utf8' });
process.stdout.write(run.stdout);
check(run.status === 0 || run.status === 77, 'the validator finds errors or warnings');
console.log(`${files.length} files, ${failures} failed checks`);
process.exit(failures > 0 ? 1 : run.status);
