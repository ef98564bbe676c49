// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Compares `vrm validate` with Khronos' glTF validator on generated files, on every file of ../shared/models, and on
// seeded mutations of these (of the generated files if there are no others). `vrm validate` must report every error
// code that Khronos' validator reports, except codes of images and the differences named below. To run more mutations
// by hand: VRM_MUTATIONS=5000 VRM_SEED=7 node tests/validate/test_validate_khronos.mjs

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

const SKIPPED = 77;
let validator;
try {
  validator = createRequire(new URL('../../tools/validate/', import.meta.url))('gltf-validator');
} catch {
  console.log('SKIPPED: gltf-validator is not installed (npm ci in tools/validate)');
  process.exit(SKIPPED);
}
const shared = join(process.env.VRM_SHARED ?? '../shared', 'models');
const command = process.env.VRM_COMMAND ?? 'build/release/bin/vrm';
const temporary = mkdtempSync(join(tmpdir(), 'vrm-khronos-'));
process.on('exit', () => rmSync(temporary, { recursive: true }));

const hasBadSparse = (own) => own.has('ACCESSOR_SPARSE_INDICES_NON_INCREASING') || own.has('ACCESSOR_SPARSE_INDEX_OOB');
// Codes of Khronos' validator that `vrm validate` need not report, and why; at most eleven.
const DIFFERENCES = {
  // A chunk that does not fit is reported once, and the rest of the file is not read.
  GLB_UNEXPECTED_END_OF_CHUNK_DATA: (own) => own.has('GLB_CHUNK_TOO_BIG') || own.has('GLB_LENGTH_MISMATCH'),
  GLB_LENGTH_MISMATCH: (own) => own.has('GLB_CHUNK_TOO_BIG'),
  INVALID_JSON: (own) => own.has('GLB_CHUNK_TOO_BIG'),
  // Khronos' validator takes NaN in the first element as minimum and maximum. `vrm validate` reports wrong sparse
  // indices and does not check the elements of that accessor.
  ACCESSOR_MIN_MISMATCH: (own) => own.has('ACCESSOR_INVALID_FLOAT') || hasBadSparse(own),
  ACCESSOR_MAX_MISMATCH: (own) => own.has('ACCESSOR_INVALID_FLOAT') || hasBadSparse(own),
  ACCESSOR_ELEMENT_OUT_OF_MIN_BOUND: hasBadSparse,
  ACCESSOR_ELEMENT_OUT_OF_MAX_BOUND: hasBadSparse,
  ACCESSOR_SPARSE_INDICES_NON_INCREASING: (own) => own.has('ACCESSOR_SPARSE_INDEX_OOB'),
  // A rotation with NaN is reported as an invalid float.
  ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION: (own) => own.has('ACCESSOR_INVALID_FLOAT'),
  // If several times are wrong, only the first one is reported.
  ACCESSOR_ANIMATION_INPUT_NON_INCREASING: (own) => own.has('ACCESSOR_ANIMATION_INPUT_NEGATIVE'),
  // 32-bit weights are already an error, and Khronos' validator reads them as signed.
  ACCESSOR_WEIGHTS_NEGATIVE: (own) => own.has('MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT'),
};
// With damaged containers, Khronos' validator throws outside of its promises.
let breakOff = () => {};
process.on('uncaughtException', (error) => breakOff(error));

// Warnings of glTF's own rules that `vrm validate` has, too.
const WARNINGS = new Set(['ACCESSOR_JOINTS_USED_ZERO_WEIGHT', 'NODE_SKINNED_MESH_NON_ROOT', 'NODE_SKINNED_MESH_LOCAL_TRANSFORMS',
  'MATERIAL_ALPHA_CUTOFF_INVALID_MODE']);
const isCompared = ({ severity, code }) => severity === 0 || WARNINGS.has(code);
const isImageCode = (code) => code.startsWith('IMAGE_');

// --- files ---------------------------------------------------------------------------------------------------------

function* walk(folder) {
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) {
      yield* walk(path);
    } else if (/\.(vrm|vrma|glb|gltf)$/.test(name)) {
      yield path;
    }
  }
}

const GLB = 0x46546c67, JSON_CHUNK = 0x4e4f534a, BIN_CHUNK = 0x004e4942;

/** Returns { json, bin } of a GLB or .gltf, null if the file is neither. */
function open(bytes) {
  try {
    if (bytes.readUInt32LE(0) !== GLB) {
      return { json: JSON.parse(bytes.toString('utf8')), bin: null };
    }
    const length = bytes.readUInt32LE(12), at = 20 + length;
    const bin = at + 8 <= bytes.length ? Buffer.from(bytes.subarray(at + 8, at + 8 + bytes.readUInt32LE(at))) : null;
    return { json: JSON.parse(bytes.subarray(20, at).toString('utf8')), bin, glb: true };
  } catch {
    return null;
  }
}

function chunk(type, data, fill) {
  const padded = Buffer.concat([data, Buffer.alloc((4 - data.length % 4) % 4, fill)]);
  const header = Buffer.alloc(8);
  header.writeUInt32LE(padded.length, 0);
  header.writeUInt32LE(type, 4);
  return Buffer.concat([header, padded]);
}

function close({ json, bin, glb }) {
  const text = Buffer.from(JSON.stringify(json));
  if (!glb) {
    return text;
  }
  const chunks = [chunk(JSON_CHUNK, text, 0x20), ...(bin ? [chunk(BIN_CHUNK, bin, 0)] : [])];
  const header = Buffer.alloc(12);
  header.writeUInt32LE(GLB, 0);
  header.writeUInt32LE(2, 4);
  header.writeUInt32LE(12 + chunks.reduce((sum, c) => sum + c.length, 0), 8);
  return Buffer.concat([header, ...chunks]);
}

// --- mutations -----------------------------------------------------------------------------------------------------

function generator(seed) { // mulberry32
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  return { below: (n) => Math.floor(next() * n), of: (list) => list[Math.floor(next() * list.length)] };
}

/** Returns a random place in glTF's own arrays: [container, key]. Khronos' validator does not check extensions and extras. */
function place(random, json) {
  const roots = Object.keys(json).filter((key) => !['extensions', 'extras', 'images'].includes(key));
  let container = json, key = random.of(roots);
  for (;;) {
    const value = container[key];
    const inside = value && typeof value === 'object'
      ? (Array.isArray(value) ? value.map((_, i) => i) : Object.keys(value).filter((k) => k !== 'extensions' && k !== 'extras'))
      : [];
    if (inside.length === 0 || random.below(8) === 0) {
      return [container, key];
    }
    container = value;
    key = random.of(inside);
  }
}

const VALUES = [null, true, false, 0, 1, -1, 2, 3, 4, 5, 7, 100, 65535, 4294967295, 0.5, -0.5, 1e30, '', 'x', 'VEC2', 'VEC3', 'VEC4',
  'SCALAR', 'MAT4', 'MAT3', 5120, 5121, 5122, 5123, 5125, 5126, 34962, 34963, [], {}, [0], [1, 2, 3], [0, 0], { a: 1 }, 'rotation',
  'scale', 'weights', 'translation', 'CUBICSPLINE', 'STEP', '2.0', '1.0', '3.0', '2.1', 'MASK'];
const NAMES = ['matrix', 'rotation', 'translation', 'scale', 'weights', 'skin', 'mesh', 'camera', 'children', 'byteStride', 'byteOffset', 'target',
  'normalized', 'sparse', 'min', 'max', 'uri', 'skeleton', 'inverseBindMatrices', 'TANGENT', 'TEXCOORD_3', 'JOINTS_1', 'NONSENSE',
  'NORMAL', 'indices', 'mode', 'targets', 'material', 'alphaCutoff', 'texCoord', 'minVersion'];

const MUTATIONS = {
  replace(random, file) {
    const [container, key] = place(random, file.json);
    container[key] = structuredClone(random.of(VALUES));
  },
  nudge(random, file) {
    for (let i = 0; i < 100; ++i) {
      const [container, key] = place(random, file.json);
      if (typeof container[key] === 'number') {
        container[key] += random.of([1, -1, 4, -4, 0.25, 1000]);
        return;
      }
    }
  },
  remove(random, file) {
    const [container, key] = place(random, file.json);
    if (Array.isArray(container)) {
      container.splice(key, 1);
    } else {
      delete container[key];
    }
  },
  repeat(random, file) {
    for (let i = 0; i < 100; ++i) {
      const [container] = place(random, file.json);
      if (Array.isArray(container)) {
        container.push(structuredClone(random.of(container)));
        return;
      }
    }
  },
  add(random, file) {
    for (let i = 0; i < 100; ++i) {
      const [container] = place(random, file.json);
      if (!Array.isArray(container)) {
        container[random.of(NAMES)] = structuredClone(random.of(VALUES));
        return;
      }
    }
  },
  copy(random, file) { // copies a value of the same key from another object
    const [container, key] = place(random, file.json);
    for (let i = 0; i < 200; ++i) {
      const [other, otherKey] = place(random, file.json);
      if (otherKey === key || typeof other[otherKey] === typeof container[key]) {
        container[key] = structuredClone(other[otherKey]);
        return;
      }
    }
  },
  bytes(random, file) {
    for (let i = 0; file.bin && i < 4; ++i) {
      const at = random.below(file.bin.length / 4) * 4;
      file.bin.writeFloatLE(random.of([0, -1, 2, NaN, Infinity, 1e9, 0.3]), at);
    }
  },
  noise(random, file) {
    for (let i = 0; file.bin && i < 8; ++i) {
      file.bin[random.below(file.bin.length)] = random.below(256);
    }
  },
};

/** Damages the finished container. */
function damage(random, bytes) {
  const at = random.of([0, 4, 8, 12, 16, bytes.readUInt32LE(12) + 20, bytes.readUInt32LE(12) + 24]);
  const result = Buffer.from(bytes);
  if (at + 4 <= result.length) {
    result.writeUInt32LE((result.readUInt32LE(at) + random.of([1, -1, 4, -4, 2, 1000])) >>> 0, at);
  }
  return random.below(4) === 0 ? result.subarray(0, random.below(result.length)) : result;
}

// --- comparison ----------------------------------------------------------------------------------------------------

async function theirs(path) {
  const broken = new Promise((_, reject) => { breakOff = reject; });
  const report = await Promise.race([broken, validator.validateBytes(new Uint8Array(readFileSync(path)), { maxIssues: 0,
    externalResourceFunction: async (uri) => new Uint8Array(readFileSync(join(dirname(path), decodeURIComponent(uri)))) })]);
  return new Set(report.issues.messages.filter(isCompared).map((m) => m.code));
}

function ours(folder) {
  let out;
  try {
    out = execFileSync(command, ['validate', '-q', '--format', 'ndjson', ...folder], { maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'inherit'] });
  } catch (error) {
    if (error.status === null || error.status >= 70) {
      throw error;
    }
    out = error.stdout;
  }
  const reports = out.toString().split('\n').filter((line) => line).map((line) => JSON.parse(line));
  return new Map(reports.map((report) => [report.uri, report.issues.messages.filter(isCompared)]));
}

// Writes the generated files: a skinned avatar with springs, the same avatar split for first person, in motion, and
// baked. They have every kind of vertex data.
function makeFiles() {
  const path = (name) => join(temporary, name);
  execFileSync(command, ['sample', '-q', '--minimal', '-o', path('made.vrm')]);
  execFileSync(command, ['split', '-q', path('made.vrm'), '-o', path('made-split.glb')]);
  execFileSync(command, ['simulate', '-q', path('made.vrm'), '--duration', '0.2', '-o', path('made-moves.glb')]);
  execFileSync(command, ['bake', '-q', path('made.vrm'), '-o', path('made-baked.vrm')]);
  return ['made.vrm', 'made-split.glb', 'made-moves.glb', 'made-baked.vrm'].map(path);
}

const made = makeFiles();
const sources = (existsSync(shared) ? [...walk(shared)] : made).map((path) => ({ path, file: open(readFileSync(path)) }));
const seed = Number(process.env.VRM_SEED ?? 1), wanted = Number(process.env.VRM_MUTATIONS ?? 200);
const random = generator(seed);
const small = sources.filter(({ path, file }) => file?.glb && statSync(path).size < 600000);
const cases = [...new Set([...made, ...sources.map(({ path }) => path)])].map((path) => ({ path, what: 'as it is' }));
for (let i = 0; i < wanted; ++i) {
  const source = random.of(small), path = join(temporary, `${String(i).padStart(5, '0')}.glb`);
  const kind = random.below(20) === 0 ? 'container' : random.of(Object.keys(MUTATIONS));
  const file = structuredClone({ ...source.file, bin: null });
  file.bin = source.file.bin && Buffer.from(source.file.bin);
  if (kind !== 'container') {
    MUTATIONS[kind](random, file);
  }
  const bytes = close(file);
  writeFileSync(path, kind === 'container' ? damage(random, bytes) : bytes);
  cases.push({ path, what: `${kind} of ${basename(source.path)}` });
}

const mine = ours(cases.map(({ path }) => path));
const missing = new Map(), met = new Map(), extra = new Map();
let failures = 0;
for (const { path, what } of cases) {
  let codes;
  try {
    codes = await theirs(path);
  } catch {
    continue; // Khronos' validator does not recognise the bytes as glTF
  }
  const own = new Set((mine.get(path) ?? []).map((m) => m.code));
  for (const code of codes) {
    met.set(code, (met.get(code) ?? 0) + 1);
    if (own.has(code) || isImageCode(code)) {
      continue;
    }
    const named = DIFFERENCES[code]?.(own) ?? false;
    if (!named && failures < 40) {
      console.log(`FAILED ${code} is missing: ${path === what ? '' : basename(path)} ${what}; ours: ${[...own].join(' ')}`);
    }
    failures += named ? 0 : 1;
    missing.set(code, (missing.get(code) ?? 0) + 1);
  }
  for (const code of own) {
    if (!codes.has(code) && !code.startsWith('VRM')) {
      extra.set(code, (extra.get(code) ?? 0) + 1);
    }
  }
  if (process.env.VRM_KEEP && [...codes].some((c) => !own.has(c) && !isImageCode(c) && !DIFFERENCES[c]?.(own))) {
    mkdirSync(process.env.VRM_KEEP, { recursive: true });
    writeFileSync(join(process.env.VRM_KEEP, basename(path)), readFileSync(path));
  }
}
const list = (map) => [...map].sort((a, b) => b[1] - a[1]).map(([code, count]) => `${code} ${count}`).join(', ');
console.log(`${cases.length} files: ${met.size} error codes of Khronos' validator were met: ${list(met)}`);
console.log(`errors that only we report: ${list(extra) || 'none'}`);
console.log(`missing: ${list(missing) || 'none'}`);
process.exit(failures === 0 ? 0 : 1);
