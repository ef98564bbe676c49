// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// `vrm bake` must undo this test's changes to an avatar. The test rotates and scales every node at random, gives meshes
// other units and axes, and rewrites all data in a node's axes, in plain JavaScript and double. The baked file must
// equal the original avatar and move as the changed avatar does: skin by skin, spring by spring.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const command = process.env.VRM_COMMAND ?? 'build/release/bin/vrm';
const shared = process.env.VRM_SHARED ?? '../shared';
const temporary = mkdtempSync(join(tmpdir(), 'vrm-bake-'));
process.on('exit', () => rmSync(temporary, { recursive: true }));
const at = (name) => join(temporary, name);

let failures = 0;
function check(condition, what) {
  if (!condition) {
    ++failures;
    console.log(`FAILED ${what}`);
  }
}

// --- mathematics -----------------------------------------------------------------------------------------------------

const conjugate = ([x, y, z, w]) => [-x, -y, -z, w];
const multiply = (a, b) => [
  a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
  a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]];
const rotate = (q, [x, y, z]) => multiply(multiply(q, [x, y, z, 0]), conjugate(q)).slice(0, 3);
const unit = (v) => v.map((c) => c / (Math.hypot(...v) || 1));
const fromTo = (a, b) => {
  const w = 1 + a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  return w < 1e-9 ? [1, 0, 0, 0] : unit([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0], w]);
};
/** Returns the 4x4 matrix T * R * S, column by column; a single number is a uniform scale. */
function matrix(t, q, s) {
  const axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map((axis, k) => rotate(q, axis).map((c) => c * (s[k] ?? s)));
  return [...axes[0], 0, ...axes[1], 0, ...axes[2], 0, ...t, 1];
}
const times = (a, b) => Array.from({ length: 16 }, (_, i) => {
  let sum = 0;
  for (let k = 0; k < 4; ++k) sum += a[i % 4 + 4 * k] * b[(i >> 2) * 4 + k];
  return sum;
});
const apply = (m, [x, y, z]) => [0, 1, 2].map((i) => m[i] * x + m[i + 4] * y + m[i + 8] * z + m[i + 12]);

function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

// --- files -----------------------------------------------------------------------------------------------------------

/** Reads JSON and bytes of a GLB or of a .gltf with one data URI. */
function read(path) {
  const file = readFileSync(path);
  if (file.toString('latin1', 0, 4) !== 'glTF') {
    const json = JSON.parse(file);
    return { json, bin: Buffer.from((json.buffers?.[0]?.uri ?? ',').split(',')[1], 'base64') };
  }
  const size = file.readUInt32LE(12);
  return { json: JSON.parse(file.subarray(20, 20 + size)), bin: file.subarray(28 + size) };
}

function writeGlb(path, { json, bin }) {
  const pad = (bytes, fill) => Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3, fill)]);
  json.buffers = [{ byteLength: bin.length }];
  const text = pad(Buffer.from(JSON.stringify(json)), 0x20);
  const data = pad(bin, 0);
  const head = Buffer.alloc(20);
  head.write('glTF', 'latin1');
  [2, 28 + text.length + data.length, text.length, 0x4e4f534a].forEach((value, i) => head.writeUInt32LE(value, 4 + 4 * i));
  const middle = Buffer.alloc(8);
  middle.writeUInt32LE(data.length);
  middle.writeUInt32LE(0x004e4942, 4);
  writeFileSync(path, Buffer.concat([head, text, middle, data]));
}

const sizes = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };
const readers = { 5121: [1, 'readUInt8', 255], 5123: [2, 'readUInt16LE', 65535], 5125: [4, 'readUInt32LE', 1], 5126: [4, 'readFloatLE', 1] };

/** Returns an accessor's elements as arrays of numbers. */
function elements({ json, bin }, index) {
  const accessor = json.accessors[index];
  const width = sizes[accessor.type];
  const part = (view, offset, type, count, columns, stride) => {
    const [bytes, method] = readers[type];
    const start = (json.bufferViews[view].byteOffset ?? 0) + (offset ?? 0);
    return Array.from({ length: count }, (_, i) => Array.from({ length: columns },
      (_, k) => bin[method](start + i * (stride ?? bytes * columns) + k * bytes)));
  };
  const out = accessor.bufferView === undefined
    ? Array.from({ length: accessor.count }, () => Array(width).fill(0))
    : part(accessor.bufferView, accessor.byteOffset, accessor.componentType, accessor.count, width, json.bufferViews[accessor.bufferView].byteStride);
  if (accessor.sparse) {
    const { count, indices, values } = accessor.sparse;
    const where = part(indices.bufferView, indices.byteOffset, indices.componentType, count, 1);
    part(values.bufferView, values.byteOffset, accessor.componentType, count, width).forEach((value, i) => { out[where[i][0]] = value; });
  }
  return accessor.normalized ? out.map((row) => row.map((v) => v / readers[accessor.componentType][2])) : out;
}

/** Writes all values of an accessor into new bytes, without a sparse part. */
function replace(glb, index, rows) {
  const data = Buffer.alloc(rows.length * rows[0].length * 4);
  rows.flat().forEach((value, i) => data.writeFloatLE(value, 4 * i));
  const { json } = glb;
  glb.bin = Buffer.concat([glb.bin, Buffer.alloc(-glb.bin.length & 3), data]);
  json.bufferViews.push({ buffer: 0, byteOffset: glb.bin.length - data.length, byteLength: data.length });
  const { type } = json.accessors[index];
  const accessor = { bufferView: json.bufferViews.length - 1, componentType: 5126, count: rows.length, type };
  if (json.accessors[index].min || type === 'VEC3') {
    accessor.min = rows[0].map((_, k) => Math.fround(Math.min(...rows.map((row) => Math.fround(row[k])))));
    accessor.max = rows[0].map((_, k) => Math.fround(Math.max(...rows.map((row) => Math.fround(row[k])))));
  }
  json.accessors[index] = accessor;
}

// --- twisting --------------------------------------------------------------------------------------------------------

const capsules = (shape) => [shape?.sphere, shape?.capsule].filter(Boolean);

/** Rewrites all data in a node's axes, in every dialect, by `vector(node, v)`, `length(node)` and `turn(node)`. */
function say(json, { vector, length, turn, places }) {
  const round = (shape, node) => {
    for (const object of [...capsules(shape), shape?.plane].filter(Boolean)) {
      if (object.offset || shape.plane) object.offset = vector(node, object.offset ?? [0, 0, 0]);
      if (object.tail) object.tail = vector(node, object.tail);
      if (object.radius !== undefined) object.radius *= length(node);
      if (shape.plane) object.normal = rotate(turn(node), object.normal ?? [0, 0, 1]);
    }
  };
  const xyz = (object, node) => {
    const [x, y, z] = vector(node, [object.x, object.y, -object.z]);
    Object.assign(object, { x, y, z: -z });
  };
  const { VRMC_vrm: vrm1, VRM: vrm0, VRMC_springBone: springs } = json.extensions;
  for (const collider of springs?.colliders ?? []) {
    round(collider.shape, collider.node);
    round(collider.extensions?.VRMC_springBone_extended_collider?.shape, collider.node);
  }
  json.nodes.forEach((node, i) => (node.extensions?.VRMC_node_collider?.shapes ?? []).forEach((shape) => round(shape, i)));
  for (const group of vrm0?.secondaryAnimation?.colliderGroups ?? []) {
    group.colliders.forEach((collider) => { xyz(collider.offset, group.node); collider.radius *= length(group.node); });
  }
  for (const { joints } of springs?.springs ?? []) {
    joints.forEach(({ node, extensions }, i) => {
      const limit = extensions?.VRMC_springBone_limit?.limit;
      const kind = limit?.cone ?? limit?.hinge ?? limit?.spherical;
      if (!kind || i + 1 === joints.length) return;
      // The limit's rotation: from +Y to the bone, then the file's rotation. The result is the same in the world, but
      // expressed in the node's new axes.
      const way = unit(places[joints[i + 1].node].map((c, k) => c - places[node][k]));
      const inWorld = multiply(fromTo([0, 1, 0], way), kind.rotation ?? [0, 0, 0, 1]);
      const own = fromTo([0, 1, 0], rotate(turn(node), way));
      kind.rotation = multiply(conjugate(own), multiply(turn(node), inWorld));
    });
  }
  const head = vrm1?.humanoid.humanBones.head.node ?? vrm0.humanoid.humanBones.find(({ bone }) => bone === 'head').node;
  if (vrm1?.lookAt) vrm1.lookAt.offsetFromHeadBone = vector(head, vrm1.lookAt.offsetFromHeadBone);
  if (vrm0?.firstPerson?.firstPersonBoneOffset) xyz(vrm0.firstPerson.firstPersonBoneOffset, head);
  json.nodes.forEach((node, i) => {
    const aim = node.extensions?.VRMC_constraints?.aim;
    if (aim) {
      aim.aimVector = rotate(turn(i), aim.aimVector ?? [0, 0, 1]);
      aim.upVector = rotate(turn(i), aim.upVector ?? [0, 1, 0]);
    }
  });
}

const axisNames = ['PositiveX', 'NegativeX', 'PositiveY', 'NegativeY', 'PositiveZ', 'NegativeZ'];
const axisOf = (name) => [0, 1, 2].map((k) => (Math.floor(axisNames.indexOf(name) / 2) === k ? (name.startsWith('P') ? 1 : -1) : 0));
const nameOf = (v) => axisNames.find((name) => axisOf(name).every((c, k) => Math.abs(c - v[k]) < 0.5));

function positions(json) {
  const out = [];
  const visit = (i, above) => {
    out[i] = (json.nodes[i].translation ?? [0, 0, 0]).map((c, k) => c + above[k]);
    (json.nodes[i].children ?? []).forEach((child) => visit(child, out[i]));
  };
  const children = new Set(json.nodes.flatMap((node) => node.children ?? []));
  json.nodes.forEach((_, i) => children.has(i) || visit(i, [0, 0, 0]));
  return out;
}

/** Rotates and scales all nodes of a baked avatar, whose look does not change. */
function twist(glb, seed) {
  const { json } = glb;
  const random = generator(seed);
  const between = (low, high) => low + (high - low) * random();
  const quarter = () => { // one of the 24 rotations that map axes to axes
    let q = [0, 0, 0, 1];
    const h = Math.SQRT1_2;
    for (let i = 0; i < 4; ++i) q = multiply([[h, 0, 0, h], [0, h, 0, h], [0, 0, h, h], [0, 0, 0, 1]][Math.floor(random() * 4)], q);
    return unit(q);
  };
  const any = () => unit([between(-1, 1), between(-1, 1), between(-1, 1), between(-1, 1)]);
  const places = positions(json);
  const parents = [];
  json.nodes.forEach((node, i) => (node.children ?? []).forEach((child) => { parents[child] = i; }));
  // Constraints of the final 1.0 name axes and use their parents' axes. All of these nodes are rotated by the same
  // quarter rotation.
  const alike = new Set();
  json.nodes.forEach((node, i) => {
    const { roll, rotation, aim } = node.extensions?.VRMC_node_constraint?.constraint ?? {};
    for (const one of [roll, rotation, aim].filter(Boolean)) [i, parents[i], one.source, parents[one.source]].forEach((n) => alike.add(n));
  });
  const common = json.extensions.VRMC_vrm?.specVersion?.startsWith('1.0') && !Array.isArray(json.extensions.VRMC_vrm.expressions)
    ? quarter() : [0, 0, 0, 1];
  const turns = json.nodes.map((_, i) => (alike.has(i) ? common : any()));
  const scales = json.nodes.map(() => 2 ** between(-1, 1));
  // In 0.x the last joint's virtual tail is 7 cm long in its node's scale.
  const leaf0 = json.extensions.VRM ? 1 : undefined;
  const scale = (i) => leaf0 ?? scales[i];
  const turn = (i) => conjugate(turns[i]);
  const vector = (i, v) => rotate(turn(i), v).map((c) => c / scale(i));
  say(json, { vector, length: (i) => 1 / scale(i), turn, places });
  json.nodes.forEach((node, i) => {
    const p = parents[i];
    const [q, s, t] = p === undefined ? [[0, 0, 0, 1], 1, [0, 0, 0]] : [turns[p], scale(p), places[p]];
    Object.assign(node, { translation: rotate(conjugate(q), places[i].map((c, k) => c - t[k])).map((c) => c / s),
      rotation: multiply(conjugate(q), turns[i]), scale: Array(3).fill(scale(i) / s) });
    const { roll, aim } = node.extensions?.VRMC_node_constraint?.constraint ?? {};
    if (aim) aim.aimAxis = nameOf(rotate(turn(i), axisOf(aim.aimAxis)));
    if (roll) roll.rollAxis = nameOf(rotate(turn(i), axisOf(`Positive${roll.rollAxis}`))).at(-1);
  });
  // Skinned vertices are stored in centimetres and in rotated axes; other meshes are transformed by their nodes.
  const inverse = (i) => matrix(rotate(turn(i), places[i]).map((c) => -c / scale(i)), turn(i), 1 / scale(i));
  const bind = [any(), 0.01];
  for (const skin of json.skins ?? []) {
    replace(glb, skin.inverseBindMatrices, skin.joints.map((joint) => times(inverse(joint), matrix([0.1, -0.2, 0.05], ...bind))));
  }
  const unbind = ([x, y, z]) => rotate(conjugate(bind[0]), [x - 0.1, y + 0.2, z - 0.05]).map((c) => c / bind[1]);
  const done = new Map();
  const once = (accessor, change) => {
    if (accessor !== undefined && !done.has(accessor)) {
      done.set(accessor, elements(glb, accessor));
      replace(glb, accessor, done.get(accessor).map(change));
    }
  };
  json.nodes.forEach((node, i) => {
    const skinned = node.skin !== undefined;
    const [q, s] = skinned ? bind : [turns[i], scale(i)];
    const direction = (v) => rotate(conjugate(q), v);
    const offset = (v) => direction(v).map((c) => c / s);
    for (const { attributes, targets } of node.mesh === undefined || glb.bin.length === 0 ? [] : json.meshes[node.mesh].primitives) {
      once(attributes.POSITION, skinned ? unbind : offset);
      once(attributes.NORMAL, direction);
      for (const target of targets ?? []) {
        once(target.POSITION, offset);
        once(target.NORMAL, direction);
      }
    }
  });
  for (const { channels, samplers } of json.animations ?? []) {
    for (const { sampler, target: { node, path } } of channels) {
      const p = parents[node];
      const [q, s] = p === undefined ? [[0, 0, 0, 1], 1] : [turns[p], scale(p)];
      if (path === 'rotation') once(samplers[sampler].output, (v) => multiply(multiply(conjugate(q), v), turns[node]));
      if (path === 'translation') once(samplers[sampler].output, (v) => rotate(conjugate(q), v).map((c) => c / s));
      if (path === 'scale') once(samplers[sampler].output, (v) => v.map((c) => c * scale(node) / s));
    }
  }
  return glb;
}

// --- comparing -------------------------------------------------------------------------------------------------------

/** Returns the largest difference of two JSON values, relative to the length of vectors above 1. Infinity if anything else differs. */
function difference(a, b, where, notes, size = 1) {
  if (typeof a === 'number' && typeof b === 'number') {
    const d = Math.abs(a - b) / Math.max(size, Math.abs(a));
    if (d > notes.worst) Object.assign(notes, { worst: d, where });
  } else if (a !== null && b !== null && typeof a === 'object' && typeof b === 'object') {
    // A quaternion and its negative are the same rotation.
    if (/rotation$/.test(where) && a.length === 4 && b.length === 4 && a.reduce((sum, v, i) => sum + v * b[i], 0) < 0) {
      b = b.map((v) => -v);
    }
    const most = Array.isArray(a) ? Math.max(1, ...a.map((v) => (typeof v === 'number' ? Math.abs(v) : 1))) : 1;
    new Set([...Object.keys(a), ...Object.keys(b)]).forEach((key) => difference(a[key], b[key], `${where}/${key}`, notes, most));
  } else if (a !== b && !(a === undefined && /rotation$/.test(where) && Math.abs(b[3]) > 1 - 1e-6)) { // none at all
    Object.assign(notes, { worst: Infinity, where: `${where}: ${JSON.stringify(a)} ${JSON.stringify(b)}` });
  }
  return notes;
}

const none = { translation: [0, 0, 0], rotation: [0, 0, 0, 1], scale: [1, 1, 1] };

/** Returns the nodes, vertices, keys and VRM data that a bake affects. */
function content(glb, { meshes = true } = {}) {
  const { json } = glb;
  const values = (index) => (index === undefined ? undefined : elements(glb, index));
  return {
    nodes: json.nodes.map(({ name, translation, rotation, scale, mesh, skin, children, extensions }) => ({ name,
      translation: translation ?? none.translation, rotation: rotation ?? none.rotation, scale: scale ?? none.scale,
      mesh, skin, children, extensions })),
    skins: json.skins?.map((skin) => ({ joints: skin.joints, matrices: values(skin.inverseBindMatrices) })),
    meshes: !meshes ? [] : json.meshes?.map(({ primitives }) => primitives.map(({ attributes, targets, indices }) => ({
      positions: values(attributes.POSITION), normals: values(attributes.NORMAL), indices: values(indices),
      targets: targets?.map((target) => [values(target.POSITION), values(target.NORMAL)]) }))),
    extensions: json.extensions,
    animations: json.animations?.map(({ channels, samplers }) => channels.map(({ sampler, target }) => ({ target,
      input: values(samplers[sampler].input), [target.path]: values(samplers[sampler].output).map(
        (q) => (target.path === 'rotation' && q[3] < 0 ? q.map((c) => -c) : q)) }))),
  };
}

function bake(input, output, ...options) {
  const run = spawnSync(command, ['bake', input, '-o', output, ...options], { encoding: 'utf8' });
  check(run.status === 0, `${basename(input)}: exit code ${run.status}: ${run.stderr}`);
  return run.stderr;
}

function script(bones, seed, frames, springs) {
  const random = generator(seed);
  const about = (angle) => {
    const axis = unit([random() - 0.5, random() - 0.5, random() - 0.5]);
    const half = angle * (random() - 0.5);
    return [...axis.map((c) => c * Math.sin(half)), Math.cos(half)];
  };
  const poses = Array.from({ length: springs ? 4 : frames }, () => Object.fromEntries(bones.map((bone) => [bone, about(1.6)])));
  const events = Array.from({ length: frames }, (_, frame) => {
    if (!springs) {
      return { frame, humanBoneRotation: poses[frame], humanBoneTranslation: { hips: [random() - 0.5, 0.9, random() - 0.5] }, resetSprings: true };
    }
    const t = frame / 60;
    const sway = Object.fromEntries(bones.map((bone) => [bone, unit([0, 0, 0, 1].map((c, k) => c + 0.3 * Math.sin(3 * t) * poses[0][bone][k]))]));
    return { frame, humanBoneRotation: sway, root: { translation: [0.3 * Math.sin(2 * t), 0, 0.2 * Math.sin(3 * t)], rotation: [0, Math.sin(0.4 * Math.sin(t)), 0, Math.cos(0.4 * Math.sin(t))] },
      lookAtTarget: [1.5 * Math.sin(2 * t), 1.4, 2], expression: { happy: 0.5 + 0.5 * Math.sin(t), aa: 0.5 } };
  });
  return { frames, dt: 1 / 60, mode: 'normalized', time: 'reference', sample: { every: springs ? 8 : 1, start: 0 }, events };
}

function trace(model, what) {
  writeFileSync(at('script.json'), JSON.stringify(what));
  execFileSync(command, ['trace', '--quiet', model, at('script.json'), '-o', at('trace.json')]);
  return JSON.parse(readFileSync(at('trace.json')));
}

// Eyes and thumbs are left out; thumbs have other names in older dialects.
const bonesOf = (json) => Object.keys(json.extensions.VRMC_vrm?.humanoid.humanBones
  ?? Object.fromEntries(json.extensions.VRM.humanoid.humanBones.map(({ bone }) => [bone, 0]))).filter((bone) => !/Eye$|Thumb/.test(bone));
const chunks = (list, size) => Array.from({ length: list.length / size }, (_, i) => list.slice(size * i, size * i + size));

/** Computes the vertices of every mesh node in a frame of a trace, in double. */
function skinned(glb, world) {
  const { json } = glb;
  return json.nodes.flatMap(({ mesh, skin }, node) => (mesh === undefined ? [] : json.meshes[mesh].primitives.map(({ attributes }) => {
    const vertices = elements(glb, attributes.POSITION);
    if (skin === undefined || attributes.JOINTS_0 === undefined) return vertices.map((v) => apply(world[node], v));
    const inverse = json.skins[skin].inverseBindMatrices === undefined ? [] : elements(glb, json.skins[skin].inverseBindMatrices);
    const palette = json.skins[skin].joints.map((joint, i) => (inverse[i] ? times(world[joint], inverse[i]) : world[joint]));
    const joints = elements(glb, attributes.JOINTS_0);
    const weights = elements(glb, attributes.WEIGHTS_0);
    return vertices.map((v, i) => {
      const sum = [0, 0, 0];
      weights[i].forEach((w, k) => { if (w > 0) apply(palette[joints[i][k]], v).forEach((c, n) => { sum[n] += w * c; }); });
      return sum;
    });
  })));
}

/** Returns true if a vertex has no joint: a bake gives it one, so that it moves. */
function elementsWithoutWeights(glb) {
  const { json } = glb;
  return json.nodes.some(({ mesh, skin }) => mesh !== undefined && skin !== undefined && json.meshes[mesh].primitives.some(
    ({ attributes }) => attributes.WEIGHTS_0 !== undefined && elements(glb, attributes.WEIGHTS_0).some((w) => !w.some((v) => v > 0))));
}

const distance = (a, b) => Math.hypot(...a.map((c, i) => c - b[i]));
const worst = (a, b) => {
  let most = 0;
  a.forEach((list, i) => list.forEach((v, k) => { most = Math.max(most, distance(v, b[i][k])); }));
  return most;
};

/** Computes the world matrices of a frame from its local values, in double. */
function worlds({ json }, { t, r, s }) {
  const local = json.nodes.map((_, i) => matrix(t.slice(3 * i, 3 * i + 3), unit(r.slice(4 * i, 4 * i + 4)), s.slice(3 * i, 3 * i + 3)));
  const parents = [];
  json.nodes.forEach((node, i) => (node.children ?? []).forEach((child) => { parents[child] = i; }));
  const out = [];
  const world = (i) => (out[i] ??= parents[i] === undefined ? local[i] : times(world(parents[i]), local[i]));
  return local.map((_, i) => world(i));
}

/** Writes two files without springs, for comparisons that must not depend on the motion of hair. */
function withoutSprings(paths) {
  return paths.map((path, i) => {
    const { json, bin } = read(path);
    const { VRMC_springBone, ...extensions } = json.extensions;
    if (extensions.VRM) extensions.VRM = { ...extensions.VRM, secondaryAnimation: undefined };
    const still = at(`still-${i}.vrm`);
    writeGlb(still, { json: { ...json, extensions }, bin });
    return still;
  });
}

/** Returns the largest distance of any vertex in `poses` random poses (0: at rest). Another test compares springs. */
function comparePoses(before, after, poses) {
  const files = [before, after].map(read);
  const what = script(poses === 0 ? [] : bonesOf(files[0].json), 5, Math.max(poses, 1), false);
  if (poses === 0) what.events = [];
  const frames = withoutSprings([before, after]).map((path) => trace(path, what).frames);
  let most = 0;
  frames[0].forEach((frame, i) => {
    const sets = [frame, frames[1][i]].map(({ nodes }, k) => skinned(files[k], worlds(files[k], nodes)));
    most = Math.max(most, worst(...sets));
  });
  return most;
}

/** Returns the largest difference of positions (m), gaze (rad) and weights during a motion. */
function compareMotion(before, after) {
  const what = script(bonesOf(read(before).json), 9, 240, true);
  const [a, b] = [before, after].map((path) => trace(path, what));
  let most = 0;
  a.frames.forEach((frame, i) => {
    const other = b.frames[i];
    chunks(frame.nodes.w, 16).forEach((world, n) => { most = Math.max(most, distance(world.slice(12, 15), other.nodes.w.slice(16 * n + 12, 16 * n + 15))); });
    chunks(frame.springTails, 3).forEach((tail, n) => { most = Math.max(most, distance(tail, other.springTails.slice(3 * n, 3 * n + 3))); });
    most = Math.max(most, Math.abs(frame.lookAt.yaw - other.lookAt.yaw) / 57.3, Math.abs(frame.lookAt.pitch - other.lookAt.pitch) / 57.3);
    most = Math.max(most, difference(frame.morphs, other.morphs, 'morphs', { worst: 0 }).worst);
  });
  return most;
}

// --- the generated avatar, twisted and baked ---------------------------------------------------------------------------

const twisted = []; // pairs of files: [before, after]
for (const seed of [0, 3]) {
  execFileSync(command, ['sample', '--minimal', '-o', at('sample.vrm'), '--seed', String(seed)]);
  bake(at('sample.vrm'), at('clean.vrm'));
  const clean = read(at('clean.vrm'));
  for (const node of clean.json.nodes) {
    const { rotation = none.rotation, scale = none.scale } = node;
    check(rotation.join() === '0,0,0,1' && scale.join() === '1,1,1', `${node.name} is still turned or scaled`);
  }
  // Adds a clip that moves every bone to the file's own animations.
  const frames = script(bonesOf(clean.json), 1, 3, false).events;
  clean.json.animations = [{ channels: [], samplers: [] }];
  const add = (rows, type) => {
    clean.json.accessors.push({ type, componentType: 5126, count: rows.length });
    replace(clean, clean.json.accessors.length - 1, rows);
    if (type !== 'SCALAR') { delete clean.json.accessors.at(-1).min; delete clean.json.accessors.at(-1).max; }
    return clean.json.accessors.length - 1;
  };
  clean.json.accessors.push({ type: 'SCALAR', componentType: 5126, count: 3, min: [0] });
  replace(clean, clean.json.accessors.length - 1, [[0], [0.5], [1]]);
  const input = clean.json.accessors.length - 1;
  const [{ channels, samplers }] = clean.json.animations;
  for (const [bone, { node }] of Object.entries(clean.json.extensions.VRMC_vrm.humanoid.humanBones)) {
    if (!frames[0].humanBoneRotation[bone]) continue;
    channels.push({ sampler: samplers.length, target: { node, path: 'rotation' } });
    samplers.push({ input, output: add(frames.map((f) => f.humanBoneRotation[bone]), 'VEC4') });
    if (bone !== 'head' && bone !== 'hips') continue;
    channels.push({ sampler: samplers.length, target: { node, path: 'translation' } });
    samplers.push({ input, output: add(frames.map((_, i) => [0.1 * i, 1, 0.2]), 'VEC3') });
    channels.push({ sampler: samplers.length, target: { node, path: 'scale' } });
    samplers.push({ input, output: add(frames.map((_, i) => Array(3).fill(1 + 0.1 * i)), 'VEC3') });
  }
  // Adds limits of every kind to some strands.
  clean.json.extensions.VRMC_springBone.springs.filter((_, i) => i % 4 === 0).forEach(({ joints }, i) => {
    const turned = unit([0.1 * i, 0.3, -0.2, 1]);
    const kinds = [{ cone: { angle: 0.6 } }, { hinge: { angle: 0.5, rotation: turned } }, { spherical: { pitch: 0.4, yaw: 0.7, rotation: turned } }];
    for (const joint of joints.slice(0, -1)) {
      joint.extensions = { VRMC_springBone_limit: { specVersion: '1.0-draft', limit: structuredClone(kinds[i % 3]) } };
    }
  });
  clean.json.extensionsUsed.push('VRMC_springBone_limit');
  writeGlb(at('clean.vrm'), clean);

  writeGlb(at('twisted.vrm'), twist(read(at('clean.vrm')), seed + 1));
  const said = bake(at('twisted.vrm'), at('baked.vrm'));
  check(said === '', `sample ${seed}: reported: ${said}`);
  const notes = difference(content(read(at('clean.vrm'))), content(read(at('baked.vrm'))), '', { worst: 0, where: '' });
  check(notes.worst <= 1e-5, `sample ${seed}: the baked avatar differs by ${notes.worst} at ${notes.where}`);
  const rest = comparePoses(at('twisted.vrm'), at('baked.vrm'), 0);
  check(rest <= 1e-5, `sample ${seed}: the rest pose differs by ${rest} m`);
  const poses = comparePoses(at('twisted.vrm'), at('baked.vrm'), 20);
  check(poses <= 1e-5, `sample ${seed}: 20 poses differ by ${poses} m`);
  const motion = compareMotion(at('twisted.vrm'), at('baked.vrm'));
  check(motion <= 2e-4, `sample ${seed}: in motion it differs by ${motion}`);
  bake(at('baked.vrm'), at('again.vrm'));
  check(readFileSync(at('baked.vrm')).equals(readFileSync(at('again.vrm'))), `sample ${seed}: baked twice differs from baked once`);
  const grown = readFileSync(at('baked.vrm')).length / readFileSync(at('twisted.vrm')).length;
  check(grown < 1.001, `sample ${seed}: the file has grown to ${grown}`);
  console.log(`sample ${seed}: baked ${notes.worst.toExponential(1)} (${notes.where}), rest ${rest.toExponential(1)} m, 20 poses ${poses.toExponential(1)} m, motion ${motion.toExponential(1)} m`);
  const pair = ['twisted', 'baked'].map((name) => at(`${name}-${seed}.vrm`));
  pair.forEach((path, i) => writeFileSync(path, readFileSync(at(['twisted.vrm', 'baked.vrm'][i]))));
  twisted.push(pair);
}

// --- T-pose ------------------------------------------------------------------------------------------------------------

const about = (axis, degrees) => [...axis.map((c) => c * Math.sin((degrees * Math.PI) / 360)), Math.cos((degrees * Math.PI) / 360)];
const boneNodes = (json) => {
  const bones = json.extensions.VRMC_vrm?.humanoid.humanBones ?? json.extensions.VRM.humanoid.humanBones;
  return Array.isArray(bones) ? Object.fromEntries(bones.map(({ bone, node }) => [bone, node]))
    : Object.fromEntries(Object.entries(bones).map(([bone, { node }]) => [bone, node]));
};
/** Lets the arms hang. With `limbs`, elbows, hands and fingers bend, too, and the legs are spread. */
function relax(json, limbs) {
  const bones = boneNodes(json);
  const facing = json.extensions.VRM ? -1 : 1;
  for (const [side, x] of [['left', 1], ['right', -1]]) {
    const turn = (bone, axis, degrees) => { if (bones[side + bone] !== undefined) json.nodes[bones[side + bone]].rotation = about(axis, degrees); };
    turn('UpperArm', [0, 0, 1], -50 * x * facing);
    if (!limbs) continue;
    turn('LowerArm', [0, 1, 0], -25 * x);
    turn('Hand', [0, 0, 1], -15 * x * facing);
    for (const finger of ['Index', 'Middle', 'Ring', 'Little']) turn(`${finger}Intermediate`, [0, 0, 1], -30 * x * facing);
    turn('UpperLeg', [0, 0, 1], 30 * x * facing);
  }
}

{
  bake(twisted[0][1], at('clean.vrm'));
  const clean = read(at('clean.vrm'));
  const relaxed = structuredClone(clean.json);
  delete relaxed.animations; // with another rest pose, the animations would give other poses
  for (const node of relaxed.nodes) delete node.extensions; // the constraints' axes would not be axes of the model
  const untied = { json: { ...clean.json, animations: undefined, nodes: clean.json.nodes.map(({ extensions, ...node }) => node) }, bin: clean.bin };
  relax(relaxed, false);
  writeGlb(at('relaxed.vrm'), { json: relaxed, bin: clean.bin });
  // The skin is bound in the T-pose, but the rest pose is another one. Baking the T-pose gives the bind pose again.
  bake(at('relaxed.vrm'), at('t-pose.vrm'), '--t-pose');
  const notes = difference(content(untied), content(read(at('t-pose.vrm'))), '', { worst: 0 });
  check(notes.worst <= 1e-5, `--t-pose: differs by ${notes.worst} at ${notes.where}`);
  const said = bake(at('relaxed.vrm'), at('baked.vrm'));
  check(/BAKE_REST_NOT_BIND/.test(said), `an A-pose bound in a T-pose: ${said}`);
  const rest = comparePoses(at('relaxed.vrm'), at('baked.vrm'), 0);
  const poses = comparePoses(at('relaxed.vrm'), at('baked.vrm'), 20);
  const apart = Number(/up to ([0-9.e-]+) m apart/.exec(said)?.[1]);
  check(rest <= 1e-5 && poses > 1e-4 && poses <= apart, `A-pose: rest ${rest}, poses ${poses}, reported ${apart}`);
  console.log(`T-pose: back within ${notes.worst.toExponential(1)}; A-pose baked as it is: 20 poses ${poses.toExponential(1)} m of ${apart.toExponential(1)} m that are reported`);
}

/** Checks that the limbs are in the T-pose: arms along X, legs down, soles as high as before. */
function checkStance(before, after, name) {
  const places = positions(after);
  const bones = boneNodes(after);
  const facing = after.extensions.VRM ? -1 : 1;
  for (const [side, x] of [['left', facing], ['right', -facing]]) {
    for (const [from, to, wanted, bound] of [['UpperArm', 'LowerArm', [x, 0, 0], 1e-5], ['LowerArm', 'Hand', [x, 0, 0], 1e-5],
      ['UpperLeg', 'LowerLeg', [0, -1, 0], 1e-5], ['IndexProximal', 'IndexIntermediate', [x, 0, 0], 0.18]]) {
      if (bones[side + from] === undefined || bones[side + to] === undefined) continue;
      const way = unit(places[bones[side + to]].map((c, k) => c - places[bones[side + from]][k]));
      check(distance(way, wanted) <= bound, `${name}: ${side}${from} points along ${way}`);
    }
  }
  const world = (json) => worlds({ json }, { t: json.nodes.flatMap((node) => node.translation ?? none.translation),
    r: json.nodes.flatMap((node) => node.rotation ?? none.rotation), s: json.nodes.flatMap((node) => node.scale ?? none.scale) });
  const sole = (json) => Math.min(...['leftFoot', 'rightFoot'].map((bone) => world(json)[boneNodes(json)[bone]][13]));
  check(Math.abs(sole(before) - sole(after)) <= 1e-5, `${name}: feet were at ${sole(before)}, are at ${sole(after)}`);
}
const { dialects, say: sayDialect } = await import(new URL('../../tools/dialects/dialects.mjs', import.meta.url));
for (const dialect of ['0.x', '1.0']) {
  const json = sayDialect(dialect);
  relax(json, true);
  writeFileSync(at('stands.gltf'), JSON.stringify(json));
  bake(at('stands.gltf'), at('t-pose.gltf'), '--t-pose', '--quiet');
  checkStance(json, read(at('t-pose.gltf')).json, `${dialect} --t-pose`);
}

// --- every dialect ---------------------------------------------------------------------------------------------------

for (const dialect of dialects) {
  const json = sayDialect(dialect);
  if (dialect.startsWith('draft')) { // constraints in the model's space, of the kinds that 1.0 removed
    const bones = json.extensions.VRMC_vrm.humanoid.humanBones;
    const spaces = { source: bones.rightHand.node, sourceSpace: 'model', destinationSpace: 'model' };
    const add = (bone, constraint) => { (json.nodes[bones[bone].node].extensions ??= {}).VRMC_constraints = constraint; };
    add('leftFoot', { position: { ...spaces, freezeAxes: [true, false, true] } });
    add('rightFoot', { rotation: { ...spaces, freezeAxes: [true, true, false] } });
    add('leftHand', { aim: { ...spaces, aimVector: [0, 0.6, 0.8], upVector: [0, 0.8, -0.6] } });
    add('head', { aim: spaces });
    json.extensionsUsed.push('VRMC_constraints');
  }
  const files = ['clean', 'twisted', 'baked', 'again'].map((name) => at(`${dialect}-${name}.gltf`));
  const save = (path, value) => writeFileSync(path, JSON.stringify(value));
  save(files[0], json);
  save(files[1], twist({ json: structuredClone(json), bin: Buffer.alloc(0) }, 7).json);
  const said = bake(files[1], files[2], '--quiet');
  json.nodes.forEach(({ extensions }) => { // the changed file had to add these members
    const aim = extensions?.VRMC_constraints?.aim;
    if (aim) Object.assign(aim, { aimVector: aim.aimVector ?? [0, 0, 1], upVector: aim.upVector ?? [0, 1, 0] });
  });
  save(files[0], json);
  check(said === '', `${dialect}: ${said}`);
  const notes = difference(content(read(files[0]), { meshes: false }), content(read(files[2]), { meshes: false }), '', { worst: 0, where: '' });
  check(notes.worst <= 1e-5, `${dialect}: the baked avatar differs by ${notes.worst} at ${notes.where}`);
  const motion = compareMotion(files[1], files[2]);
  check(motion <= 1e-4, `${dialect}: in motion it differs by ${motion}`);
  bake(files[2], files[3], '--quiet');
  check(readFileSync(files[2]).equals(readFileSync(files[3])), `${dialect}: baked twice differs from baked once`);
  console.log(`${dialect}: baked ${notes.worst.toExponential(1)}, motion ${motion.toExponential(1)} m`);
}

// --- real files ------------------------------------------------------------------------------------------------------

const real = [];
for (const folder of ['avatars', 'blender', 'conformance']) {
  const where = join(shared, 'models', folder);
  if (!existsSync(where)) {
    console.log(`skipped: ${where} is not there`);
    continue;
  }
  for (const name of readdirSync(where).filter((file) => file.endsWith('.vrm')).sort()) {
    const output = at(`${folder}-${name}`);
    const run = spawnSync(command, ['bake', join(where, name), '-o', output], { encoding: 'utf8' });
    if (run.status !== 0) {
      check(run.status === 5, `${name}: exit code ${run.status}: ${run.stderr}`); // the asset does not load
      continue;
    }
    real.push([join(where, name), output]);
  }
}
let most = [0, 0];
for (const [before, after] of real) {
  const again = at('again.vrm');
  const said = bake(before, after);
  const apart = Math.max(0, ...[...said.matchAll(/up to ([0-9.e-]+) m apart/g)].map((match) => Number(match[1])));
  const unweighted = elementsWithoutWeights(read(before));
  const rest = unweighted ? 0 : comparePoses(before, after, 0);
  const poses = unweighted || said.includes('BAKE_SCALE_UNEVEN') ? 0 : comparePoses(before, after, 20);
  check(rest <= 1e-5, `${basename(before)}: the rest pose differs by ${rest} m`);
  check(poses <= apart + 1e-5, `${basename(before)}: 20 poses differ by ${poses} m, ${apart} was reported`);
  bake(after, again, '--quiet');
  check(readFileSync(after).equals(readFileSync(again)), `${basename(before)}: baked twice differs from baked once`);
  if (apart > 0) console.log(`${basename(before)}: 20 poses differ by ${poses.toExponential(1)} m of ${apart.toExponential(1)} m that are reported`);
  most = [Math.max(most[0], rest), Math.max(most[1], apart > 0 ? 0 : poses)];
}
console.log(`${real.length} real files: rest ${most[0].toExponential(1)} m, 20 poses ${most[1].toExponential(1)} m`);

// --- Khronos' validator: no error that the source did not have ---------------------------------------------------------

const validator = await import(new URL('../../tools/validate/node_modules/gltf-validator/index.js', import.meta.url)).catch(() => null);
if (validator) {
  const errors = async (path) => {
    const { issues } = await validator.default.validateBytes(new Uint8Array(readFileSync(path)), { maxIssues: 1000 });
    const counts = new Map();
    issues.messages.filter(({ severity }) => severity === 0).forEach(({ code }) => counts.set(code, (counts.get(code) ?? 0) + 1));
    return counts;
  };
  for (const [before, after] of [...twisted, ...real]) {
    const old = await errors(before);
    for (const [code, count] of await errors(after)) {
      check(count <= (old.get(code) ?? 0), `${basename(before)}: ${count} ${code} after, ${old.get(code) ?? 0} before`);
    }
  }
  console.log(`gltf-validator: ${twisted.length + real.length} files`);
} else {
  console.log('skipped: gltf-validator is not installed (npm ci --prefix tools/validate)');
}

// --- three-vrm loads them, and poses them the same
// --------------------------------------------------------------------

const compare = new URL('../../tools/compare/', import.meta.url);
if (existsSync(new URL('node_modules/three/package.json', compare))) {
  const { threeTrace } = await import(new URL('three_trace.mjs', compare));
  for (const pair of twisted) {
    const what = script(bonesOf(read(pair[0]).json), 5, 20, false);
    const traces = [];
    for (const path of withoutSprings(pair)) traces.push(await threeTrace(path, what));
    let far = 0;
    traces[0].frames.forEach(({ nodes }, i) => chunks(nodes.w, 16).forEach((world, n) => {
      far = Math.max(far, distance(world.slice(12, 15), traces[1].frames[i].nodes.w.slice(16 * n + 12, 16 * n + 15)));
    }));
    check(far <= 1e-5, `three-vrm: ${basename(pair[1])} differs by ${far} m`);
    console.log(`three-vrm: ${basename(pair[1])} differs by ${far.toExponential(1)} m`);
    await threeTrace(pair[1], { ...what, frames: 1, events: [] }); // three-vrm with its springs
  }
} else {
  console.log('skipped: npm packages of tools/compare are not installed (npm ci --prefix tools/compare)');
}
console.log(`${failures} failures`);
process.exit(failures === 0 ? 0 : 1);
