// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Compares `vrm split` with three-vrm. For each node, both show the same triangles to a camera in the head, and both
// show the same triangles to all other cameras. The two parts of a split together contain each triangle of the file
// once.
//
// Not compared: primitives without indices, on which three-vrm throws, and lines and points, which it does not split.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const tools = new URL('../../tools/compare/', import.meta.url);
if (!existsSync(new URL('node_modules/three/package.json', tools))) {
  console.log('skipped: npm packages of tools/compare are not installed (npm ci --prefix tools/compare)');
  process.exit(77);
}
const { loadThree } = await import(new URL('three_trace.mjs', tools));
const command = process.env.VRM_COMMAND ?? 'build/release/bin/vrm';
const shared = process.env.VRM_SHARED ?? '../shared';
const temporary = mkdtempSync(join(tmpdir(), 'vrm-split-'));
process.on('exit', () => rmSync(temporary, { recursive: true }));

const models = [];
for (const seed of [0, 1]) {
  models.push(join(temporary, `sample-${seed}.vrm`));
  execFileSync(command, ['sample', '--minimal', '-o', models.at(-1), '--seed', String(seed)]);
}
for (const folder of ['avatars', 'blender', 'conformance']) {
  const where = join(shared, 'models', folder);
  if (existsSync(where)) {
    models.push(...readdirSync(where).filter((name) => name.endsWith('.vrm')).sort().map((name) => join(where, name)));
  } else {
    console.log(`skipped: ${where} is not there`);
  }
}

/** Reads the document and the BIN chunk of a GLB. */
function readGlb(path) {
  const file = readFileSync(path);
  const size = file.readUInt32LE(12);
  return { json: JSON.parse(file.subarray(20, 20 + size)), bin: file.subarray(28 + size) };
}

function readIndices({ json, bin }, primitive) {
  if (primitive.indices === undefined) {
    return Array.from({ length: json.accessors[primitive.attributes.POSITION].count }, (_, i) => i);
  }
  const accessor = json.accessors[primitive.indices];
  const at = (json.bufferViews[accessor.bufferView].byteOffset ?? 0) + (accessor.byteOffset ?? 0);
  const [bytes, read] = { 5121: [1, 'readUInt8'], 5123: [2, 'readUInt16LE'], 5125: [4, 'readUInt32LE'] }[accessor.componentType];
  return Array.from({ length: accessor.count }, (_, i) => bin[read](at + i * bytes));
}

/** Triangles of a node, each as "accessor of the positions: three vertices in their winding", with their number. */
class Triangles {
  counts = new Map();
  add(position, vertices, part) {
    for (let i = 0; i + 2 < vertices.length; i += 3) {
      const key = `${part} ${position}: ${vertices[i]} ${vertices[i + 1]} ${vertices[i + 2]}`;
      this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
    }
  }
  differences(other) {
    const keys = new Set([...this.counts.keys(), ...other.counts.keys()]);
    return [...keys].filter((key) => this.counts.get(key) !== other.counts.get(key));
  }
}

const views = ['first', 'third'];
const seenBy = {
  both: views, thirdPersonOnly: ['third'], firstPersonOnly: ['first'],
  Both: views, ThirdPersonOnly: ['third'], FirstPersonOnly: ['first'],
};

/** Returns the triangles that libvrm's file shows to each camera, by node of the input. */
function ours(glb, nodeCount) {
  const { VRMC_vrm: vrm1, VRM: vrm0 } = glb.json.extensions;
  const parents = new Map(glb.json.nodes.flatMap((node, i) => (node.children ?? []).map((child) => [child, i])));
  const result = new Map();
  glb.json.nodes.forEach((node, i) => {
    if (node.mesh === undefined) return;
    const type = vrm1 ? vrm1.firstPerson.meshAnnotations.find((a) => a.node === i).type
      : vrm0.firstPerson.meshAnnotations.find((a) => a.mesh === node.mesh).firstPersonFlag;
    const of = i < nodeCount ? i : parents.get(i);
    const triangles = result.get(of) ?? result.set(of, new Triangles()).get(of);
    for (const primitive of glb.json.meshes[node.mesh].primitives) {
      if ((primitive.mode ?? 4) === 4) {
        for (const view of seenBy[type]) triangles.add(primitive.attributes.POSITION, readIndices(glb, primitive), view);
      }
    }
  });
  return result;
}

/** Returns the triangles that three-vrm's layers show to each camera. */
async function theirs(path) {
  const model = await loadThree(path, 'raw');
  const { firstPerson } = model.vrm;
  const erased = new Map(); // copy without head -> its source mesh
  const create = firstPerson._createErasedMesh;
  firstPerson._createErasedMesh = function (source, ...rest) {
    const copy = create.call(this, source, ...rest);
    erased.set(copy, source);
    return copy;
  };
  firstPerson.setup();
  const nodeOf = (object) => {
    for (let o = object; o; o = o.parent) {
      const index = model.nodes.indexOf(o);
      if (index >= 0) return index;
    }
    return -1;
  };
  const layer = { first: firstPerson.firstPersonOnlyLayer, third: firstPerson.thirdPersonOnlyLayer };
  const result = new Map();
  model.gltf.scene.traverse((object) => {
    const source = erased.get(object) ?? object;
    const where = object.isMesh && model.gltf.parser.associations.get(source);
    if (!where || where.primitives === undefined) return;
    const node = nodeOf(source);
    const primitive = model.json.meshes[where.meshes].primitives[where.primitives];
    const triangles = result.get(node) ?? result.set(node, new Triangles()).get(node);
    const { geometry } = object;
    const vertices = geometry.index ? Array.from(geometry.index.array)
      : Array.from({ length: geometry.attributes.position.count }, (_, i) => i);
    for (const view of views) {
      const mask = 1 | (1 << layer[view]); // layers that the camera sees
      if (object.layers.mask & mask) triangles.add(primitive.attributes.POSITION, vertices, view);
    }
  });
  return { result, json: model.json };
}

let failures = 0;
let compared = 0;
function check(condition, what) {
  if (!condition) {
    ++failures;
    console.log(`FAILED ${what}`);
  }
}

for (const path of models) {
  const name = basename(path);
  const output = join(temporary, 'out.glb');
  const run = spawnSync(command, ['split', path, '-o', output], { encoding: 'utf8' });
  if (run.status !== 0) {
    check(run.status === 1 || run.status === 5, `${name}: exit code ${run.status}: ${run.stderr}`);
    console.log(`${name}: not split: ${run.stderr.trim().split('\n').at(-1)}`);
    continue;
  }
  const before = readGlb(path);
  const after = ours(readGlb(output), before.json.nodes.length);
  const sum = (map) => [...map.values()].reduce((total, t) => total + [...t.counts].reduce((n, [key, count]) =>
    n + (key.startsWith('third') ? count : 0), 0), 0);
  const whole = before.json.nodes.filter((node) => node.mesh !== undefined)
    .flatMap((node) => before.json.meshes[node.mesh].primitives).filter((p) => (p.mode ?? 4) === 4)
    .reduce((total, p) => total + Math.floor(readIndices(before, p).length / 3), 0);
  const marked = JSON.stringify(before.json.extensions).toLowerCase().includes('"firstpersononly"');
  check(marked || sum(after) === whole, `${name}: third persons see ${sum(after)} of ${whole} triangles`);

  let three;
  try {
    three = await theirs(path);
  } catch (error) {
    // three-vrm does not split primitives without indices.
    check(/index buffer/.test(error.message), `${name}: three-vrm: ${error.message}`);
    console.log(`${name}: excluded: ${error.message}`);
    continue;
  }
  let triangles = 0;
  for (const [node, wanted] of three.result) {
    const found = after.get(node) ?? new Triangles();
    const different = found.differences(wanted);
    check(different.length === 0, `${name}: node ${node}: ${different.length} triangles differ, e.g. ${different[0]}`);
    triangles += found.counts.size;
  }
  ++compared;
  console.log(`${name}: ${three.result.size} mesh nodes, ${triangles} triangles and views agree; ${run.stderr.trim().split('\n').at(-1)}`);
}
check(compared > 1, `only ${compared} models compared`);
console.log(`${compared} models compared, ${failures} failures`);
process.exit(failures === 0 ? 0 : 1);
