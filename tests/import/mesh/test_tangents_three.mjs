// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Compares tangents with MikkTSpace itself, in the JavaScript shipped with three. The meshes are random triangles with
// shared corners, mirrored and equal UVs and triangles without area, and the meshes of real files.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const library = new URL('../../../tools/picture/node_modules/three/examples/jsm/libs/mikktspace.module.js', import.meta.url);
const program = join(process.env.VRM_BUILD_DIR ?? 'build/release', 'test_tangents');
if (!existsSync(library) || !existsSync(program)) {
  console.log('skipped: no packages in tools/picture (npm ci --prefix tools/picture)');
  process.exit(77);
}
const MikkTSpace = await import(library);
const temporary = mkdtempSync(join(tmpdir(), 'vrm-tangents-'));
process.on('exit', () => rmSync(temporary, { recursive: true }));

let state = 1;
const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
const whole = (n) => Math.floor(random() * n);

// Few different positions and UVs, so that corners are shared in every way.
function soup() {
  const count = 4 + whole(30), vertices = [];
  for (let i = 0; i < count; ++i) {
    const n = [random() - 0.5, random() - 0.5, random() + 0.2], length = Math.hypot(...n);
    vertices.push(whole(4), whole(4), whole(2), ...n.map((c) => c / length), whole(5) / 4, whole(5) / 4);
  }
  return { vertices: Float32Array.from(vertices), indices: Uint32Array.from({ length: 3 * (1 + whole(60)) }, () => whole(count)) };
}

// Reads the triangles of a GLB that have positions, normals and UVs.
function meshes(path) {
  const file = readFileSync(path), size = file.readUInt32LE(12), bin = file.subarray(28 + size), out = [];
  const json = JSON.parse(file.subarray(20, 20 + size));
  const read = (index, components) => {
    const a = json.accessors[index], view = json.bufferViews[a.bufferView];
    const [bytes, name] = { 5121: [1, 'readUInt8'], 5123: [2, 'readUInt16LE'], 5125: [4, 'readUInt32LE'], 5126: [4, 'readFloatLE'] }[a.componentType];
    const start = (view.byteOffset ?? 0) + (a.byteOffset ?? 0), stride = view.byteStride ?? bytes * components;
    return Array.from({ length: a.count * components }, (_, i) =>
      bin[name](start + Math.floor(i / components) * stride + (i % components) * bytes));
  };
  for (const { attributes: a, indices, mode = 4 } of json.meshes.flatMap((mesh) => mesh.primitives)) {
    if (mode !== 4 || indices === undefined || [a.POSITION, a.NORMAL, a.TEXCOORD_0].includes(undefined)) continue;
    const p = read(a.POSITION, 3), n = read(a.NORMAL, 3), uv = read(a.TEXCOORD_0, 2), vertices = new Float32Array(p.length / 3 * 8);
    for (let i = 0; i < p.length / 3; ++i) vertices.set([...p.slice(3 * i, 3 * i + 3), ...n.slice(3 * i, 3 * i + 3), ...uv.slice(2 * i, 2 * i + 2)], 8 * i);
    out.push({ vertices, indices: Uint32Array.from(read(indices, 1)) });
  }
  return out;
}

function compare({ vertices, indices }, name) {
  const pick = (first, count) => Float32Array.from({ length: indices.length * count }, (_, i) => vertices[8 * indices[Math.floor(i / count)] + first + (i % count)]);
  const theirs = MikkTSpace.generateTangents(pick(0, 3), pick(3, 3), pick(6, 2));
  const path = join(temporary, 'mesh');
  writeFileSync(path, Buffer.concat([Uint32Array.of(vertices.length / 8, indices.length), vertices, indices].map((a) => Buffer.from(a.buffer))));
  execFileSync(program, [path, path + '.out']);
  const bytes = readFileSync(path + '.out'), ours = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  let off = 0;
  for (let i = 0; i < indices.length; ++i) {
    const t = [0, 1, 2, 3].map((k) => theirs[4 * i + k] * (k === 3 ? -1 : 1)); // MikkTSpace's v points up, glTF's down
    // If triangles cancel each other out, the direction depends on rounding.
    const difference = Math.hypot(...[0, 1, 2].map((k) => t[k] - ours[4 * i + k]));
    off += difference > 1e-3 || t[3] !== ours[4 * i + 3];
  }
  if (off) console.log(`${name}: ${off} of ${indices.length} corners differ`);
  return off;
}

let corners = 0, off = 0;
for (let i = 0; i < 300; ++i) {
  const mesh = soup();
  corners += mesh.indices.length;
  off += compare(mesh, `soup ${i}`);
}
console.log(`soups: ${off} of ${corners} corners differ`);
let failed = off > 0;
const sample = join(temporary, 'sample.vrm');
const files = [sample];
execFileSync(process.env.VRM_COMMAND ?? 'build/release/bin/vrm', ['sample', '--minimal', '-o', sample]);
const folder = join(process.env.VRM_SHARED ?? '../shared', 'models/avatars');
if (existsSync(folder)) files.push(...readdirSync(folder).filter((n) => n.endsWith('.vrm')).map((n) => join(folder, n)));
for (const file of files) {
  for (const [i, mesh] of meshes(file).entries()) failed = compare(mesh, `${file}, primitive ${i}`) > 0 || failed;
}
process.exit(failed ? 1 : 0);
