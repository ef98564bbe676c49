// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Compares warnings of glTF's own rules with those of Khronos' validator on generated files: the same codes at the same
// paths.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import zlib from 'node:zlib';

let validator;
try {
  validator = createRequire(new URL('../../tools/validate/', import.meta.url))('gltf-validator');
} catch {
  console.log('SKIPPED: gltf-validator is not installed (npm ci in tools/validate)');
  process.exit(77);
}
const command = process.env.VRM_COMMAND ?? 'build/release/bin/vrm';
const temporary = mkdtempSync(join(tmpdir(), 'vrm-warnings-'));
process.on('exit', () => rmSync(temporary, { recursive: true }));
const compared = new Set(['MULTIPLE_EXTENSIONS', 'MESH_PRIMITIVE_GENERATED_TANGENT_SPACE', 'IMAGE_FEATURES_UNSUPPORTED',
  'MATERIAL_ALPHA_CUTOFF_INVALID_MODE', 'NODE_SKINNED_MESH_NON_ROOT', 'NODE_SKINNED_MESH_LOCAL_TRANSFORMS']);

// --- pictures --------------------------------------------------------------------------------------------------------

const words = (...numbers) => {
  const bytes = Buffer.alloc(4 * numbers.length);
  numbers.forEach((number, i) => bytes.writeUInt32BE(number, 4 * i));
  return bytes;
};
// Node 18 lacks zlib.crc32.
const sum = zlib.crc32 ?? ((bytes) => {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; ++bit) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  }
  return (value ^ 0xffffffff) >>> 0;
});
const chunk = (name, data) => {
  const named = Buffer.concat([Buffer.from(name), data]);
  return Buffer.concat([words(data.length), named, words(sum(named))]);
};
const png = (...more) => Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
  chunk('IHDR', Buffer.concat([words(4, 4), Buffer.from([8, 2, 0, 0, 0])])), ...more, chunk('IDAT', zlib.deflateSync(Buffer.alloc(52))),
  chunk('IEND', Buffer.alloc(0))]);
const webp = (flags) => {
  const body = Buffer.from([...Buffer.from('WEBPVP8X'), 10, 0, 0, 0, flags, 0, 0, 0, 3, 0, 0, 3, 0, 0]);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(body.length);
  return Buffer.concat([Buffer.from('RIFF'), size, body]);
};
const primaries = (white) => chunk('cHRM', words(white, 32900, 64000, 33000, 30000, 60000, 15000, 6000));
const srgb = chunk('sRGB', Buffer.from([0]));
const pixels = (x, y, unit) => chunk('pHYs', Buffer.concat([words(x, y), Buffer.from([unit])]));
const profile = chunk('iCCP', Buffer.from('name\0\0data'));
const pictures = {
  plain: png(), profile: png(profile), 'profile beside sRGB': png(srgb, profile), 'primaries of sRGB': png(primaries(31270)),
  'other primaries': png(primaries(31271)), 'sRGB before primaries': png(srgb, primaries(31271)),
  'sRGB after primaries': png(primaries(31271), srgb), 'gamma of sRGB': png(chunk('gAMA', words(45455))),
  'linear gamma': png(chunk('gAMA', words(100000))), 'other gamma': png(chunk('gAMA', words(50000))),
  'other gamma beside sRGB': png(chunk('gAMA', words(50000)), srgb), 'square pixels': png(pixels(100, 100, 1)),
  'wide pixels': png(pixels(100, 200, 1)), 'wide pixels of no unit': png(pixels(1, 2, 0)), 'text': png(chunk('tEXt', Buffer.from('a\0b'))),
};

// --- documents -------------------------------------------------------------------------------------------------------

const asset = { version: '2.0' };
const picture = (bytes, type) => ({
  asset, images: [{ uri: `data:${type};base64,${bytes.toString('base64')}` }],
  textures: [type === 'image/png' ? { source: 0 } : { extensions: { EXT_texture_webp: { source: 0 } } }],
  ...(type === 'image/png' ? {} : { extensionsUsed: ['EXT_texture_webp'] }),
});
const triangle = (attributes, material) => ({
  asset, textures: [{}], materials: [material], extensionsUsed: ['KHR_materials_clearcoat'],
  accessors: [{ componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [0, 0, 0] }, { componentType: 5126, count: 3, type: 'VEC2' },
    { componentType: 5126, count: 3, type: 'VEC4' }],
  meshes: [{ primitives: [{ attributes: { POSITION: 0, NORMAL: 0, TEXCOORD_0: 1, ...attributes }, material: 0 }] }],
});
const normal = { normalTexture: { index: 0 } };
const documents = {
  'normal map, no tangents': triangle({}, normal), 'normal map and tangents': triangle({ TANGENT: 2 }, normal),
  'no normal map': triangle({}, {}), 'normal map and coat': triangle({}, { ...normal, extensions: { KHR_materials_clearcoat: {} } }),
  'cutoff without mask': { asset, materials: [{ alphaCutoff: 0.5 }] },
};
for (const [name, bytes] of Object.entries(pictures)) documents[name] = picture(bytes, 'image/png');
for (const flags of [0, 0x02, 0x08, 0x10, 0x20, 0x22]) documents[`webp ${flags}`] = picture(webp(flags), 'image/webp');
const extensions = ['unlit', 'pbrSpecularGlossiness', 'clearcoat', 'sheen', 'ior', 'emissive_strength'].map((name) => `KHR_materials_${name}`);
extensions.forEach((a, i) => extensions.slice(i).forEach((b) => {
  documents[`${a} ${b}`] = { asset, extensionsUsed: [...new Set([a, b])], materials: [{ extensions: { [a]: {}, [b]: {} } }] };
}));

let failures = 0;
let told = 0;
for (const [name, document] of Object.entries(documents)) {
  const path = join(temporary, 'made.gltf');
  writeFileSync(path, JSON.stringify(document));
  const theirs = (await validator.validateString(JSON.stringify(document))).issues.messages;
  const ours = JSON.parse(spawnSync(command, ['validate', '--format', 'ndjson', path], { encoding: 'utf8' }).stdout).issues.messages;
  const lines = (messages) => messages.filter(({ code }) => compared.has(code)).map(({ code, severity, pointer }) => (
    `${code} ${severity} ${pointer}`)).sort().join(', ');
  told += lines(theirs) !== '';
  if (lines(ours) !== lines(theirs)) {
    ++failures;
    console.log(`FAILED ${name}: "${lines(ours)}", Khronos' validator "${lines(theirs)}"`);
  }
}

// The sample has normal maps without tangents and unlit materials as MToon's fallback. VRM specifies both, so there are
// no warnings.
const sample = join(temporary, 'sample.vrm');
execFileSync(command, ['sample', '--minimal', '-q', '-o', sample]);
const report = JSON.parse(spawnSync(command, ['validate', '--format', 'ndjson', sample], { encoding: 'utf8' }).stdout);
if (report.issues.messages.some(({ code }) => compared.has(code))) {
  ++failures;
  console.log('FAILED the sample', report.issues.messages);
}
console.log(`${Object.keys(documents).length} files, ${told} with warnings, ${failures} failures`);
process.exit(failures === 0 && told > 20 ? 0 : 1);
