// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Compares files loaded by libvrm/three, by its plugin and by its loader, with the same files loaded by GLTFLoader and
// three-vrm: the tree, geometries, all members of materials that a renderer reads, and associations.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, command, end, folder, root, run, same, shape } from './web.mjs';
import { load, modules, ownLoader } from './three_load.mjs';

const { THREE, theirs, ours } = await modules();
const own = ownLoader(ours);

const isOwn = ({ name, type }) => !/^VRMHumanoidRig|^Normalized_|^VRMExpression/.test(name) && type !== 'VRMExpression';
const flat = (object, depth = 0) => (isOwn(object) ? [[depth, object], ...object.children.flatMap((child) => flat(child, depth + 1))] : []);
const round = (value) => (typeof value === 'number' ? Number(value.toPrecision(6)) : value);

// Returns the comparable content of a value: numbers, texts, the members of vectors and textures.
function plain(value, depth = 0) {
  if (value?.isTexture) {
    const { name, channel, wrapS, wrapT, magFilter, minFilter, colorSpace, flipY, userData, offset, repeat, rotation, center } = value;
    return { name, channel, wrapS, wrapT, magFilter, minFilter, colorSpace, flipY, userData, rotation, places: [offset, repeat, center].map((v) => v.toArray()) };
  }
  if (typeof value?.toArray === 'function') return value.toArray().map(round);
  if (Array.isArray(value)) return value.map((one) => plain(one, depth + 1));
  if (value !== null && typeof value === 'object') {
    return depth > 6 ? '' : Object.fromEntries(Object.keys(value).sort().map((name) => [name, plain(value[name], depth + 1)]));
  }
  return typeof value === 'function' ? 'function' : round(value);
}

const text = (value) => JSON.stringify(plain(value));
const attribute = (one) => one && [one.array.constructor.name, one.itemSize, one.normalized, one.count, ...Array.from({ length: one.count * one.itemSize },
  (_, i) => round(one.getComponent(Math.floor(i / one.itemSize), i % one.itemSize)))].join();
const attributes = (list) => Object.fromEntries(Object.keys(list).sort().map((name) => [name, [list[name]].flat().map(attribute)]));

function near(what, { elements: x }, { elements: y }) {
  check(`${what}: ${x}, expected ${y}`, x.every((value, i) => Math.abs(value - y[i]) <= 1e-6 * Math.max(1, Math.abs(y[i]))));
}

function compareGeometry(what, x, y) {
  same(`${what}: attributes`, attributes(y.attributes), attributes(x.attributes));
  same(`${what}: morphs`, attributes(y.morphAttributes), attributes(x.morphAttributes));
  same(`${what}: index`, attribute(y.index), attribute(x.index));
  same(`${what}: the rest`, text([y.groups, y.userData, y.morphTargetsRelative, y.boundingBox, y.boundingSphere, y.name]),
    text([x.groups, x.userData, x.morphTargetsRelative, x.boundingBox, x.boundingSphere, x.name]));
}

// Members that are not compared: three-vrm writes opacity and alpha test to its uniforms in an update, libvrm before it
// draws.
const LATE = ['uniformsNeedUpdate', 'version', 'uuid', 'id', 'uniforms', 'onBeforeRender', '_listeners'];

function compareMaterial(what, x, y) {
  for (const name in x) {
    if (LATE.includes(name) || typeof x[name] === 'function') continue;
    same(`${what}: ${name}`, text(y[name]), text(x[name]));
  }
  same(`${what}: class`, [y instanceof THREE.Material, y.isMToonMaterial, y.isShaderMaterial, y.type], [true, x.isMToonMaterial, x.isShaderMaterial, x.type]);
  if (!x.uniforms) return;
  for (const name in x.uniforms) {
    check(`${what}: uniform ${name}`, name in y.uniforms);
    same(`${what}: uniform ${name}`, text(y.uniforms[name].value), text(x.uniforms[name].value));
  }
  same(`${what}: program`, text(compiled(y)), text(compiled(x)));
}

// Returns the shaders in the form in which the renderer compiles them.
function compiled(material) {
  const shader = { vertexShader: 'VERTEX', fragmentShader: 'FRAGMENT' };
  material.onBeforeCompile(shader);
  return shader;
}

// Returns the textures that disposing of a scene does not free.
function kept({ VRMUtils }, scene) {
  const left = new Set();
  const listen = (texture) => {
    if (!texture?.isTexture || left.has(texture)) return;
    left.add(texture);
    texture.addEventListener('dispose', () => left.delete(texture));
  };
  scene.traverse(({ material }) => [material ?? []].flat().forEach((one) => {
    for (const name in one.uniforms) listen(one.uniforms[name].value);
    for (const name in one) listen(one[name]);
  }));
  check('an avatar has textures', left.size > 0);
  VRMUtils.deepDispose(scene);
  return [...left].map(({ name, uuid }) => name || uuid);
}

// The tree is compared with GLTFLoader alone, since three-vrm adds objects to it. The materials are compared with
// three-vrm.
async function compareFile(what, file) {
  const [plainly, a] = [await load(null, file), await load(theirs, file)];
  compareLoaded(`${what}, plugin`, plainly, a, await load(ours, file));
  compareLoaded(`${what}, loader`, plainly, a, await own._read(file));
  theirs.VRMUtils.deepDispose(a.scene);
}

function compareLoaded(what, plainly, a, b) {
  same(`${what}: JSON of the extensions`, JSON.stringify(b.parser.json.extensions), JSON.stringify(plainly.parser.json.extensions));
  const [left, right] = [flat(plainly.scene), flat(b.scene)];
  const tree = (list) => list.map(([depth, { name, type }]) => `${depth} ${type} ${name}`);
  same(`${what}: tree`, tree(right), tree(left));
  for (const [i, [, x]] of left.entries()) {
    const [, y] = right[i] ?? [];
    if (!y) break;
    const name = `${what}: ${x.name}`;
    same(`${name}: userData`, text(y.userData), text(x.userData));
    same(`${name}: association`, text(b.parser.associations.get(y)), text(plainly.parser.associations.get(x)));
    near(`${name}: place`, y.matrix, x.matrix);
    if (x.isMesh) same(`${name}: morphs`, text([y.morphTargetInfluences, y.morphTargetDictionary]), text([x.morphTargetInfluences, x.morphTargetDictionary]));
    if (x.isSkinnedMesh) {
      same(`${name}: bones`, y.skeleton.bones.map((bone) => bone.name), x.skeleton.bones.map((bone) => bone.name));
      same(`${name}: inverse matrices`, text(y.skeleton.boneInverses), text(x.skeleton.boneInverses));
    }
  }
  const [mine, others] = [b, a].map(({ scene }) => flat(scene).map(([, object]) => object).filter(({ isMesh }) => isMesh));
  same(`${what}: meshes`, mine.map(({ name }) => name), others.map(({ name }) => name));
  for (const [i, x] of others.entries()) {
    const y = mine[i];
    const name = `${what}: ${x.name}`;
    same(name, text([y.renderOrder, y.visible, y.bindMode]), text([x.renderOrder, x.visible, x.bindMode]));
    compareGeometry(name, x.geometry, y.geometry);
    const [m, n] = [y, x].map(({ material }) => [material].flat());
    same(`${name}: materials`, m.map(({ name: own }) => own), n.map(({ name: own }) => own));
    n.forEach((material, k) => m[k] && compareMaterial(`${name}: ${material.name}`, material, m[k]));
  }
  const [m, n] = [a, b].map(({ userData }) => userData.vrm.materials ?? []);
  same(`${what}: materials`, n.map(({ name }) => name).sort(), m.map(({ name }) => name).sort());
  same(`${what}: numbers of materials`, new Set(n.map(({ id }) => id)).size, n.length);
  same(`${what}: textures that deepDispose() leaves`, kept(ours, b.scene), []);
}

for (const options of [['--minimal'], ['--seed', '3']]) {
  const path = join(folder, `sample${options.join('')}.vrm`);
  run(command, 'sample', ...options, '-o', path);
  await compareFile(`sample ${options.join(' ')}`, readFileSync(path));
}
for (const name of ['scaled', 'armature', 'mirrored', ...process.argv.slice(2)]) await compareFile(name, existsSync(name) ? readFileSync(name) : shape(name).bytes);

// --- files that are not as exporters write them ---

const minimal = readFileSync(join(folder, 'sample--minimal.vrm'));

function edited(change) {
  const length = minimal.readUInt32LE(12);
  const json = JSON.parse(minimal.subarray(20, 20 + length));
  change(json);
  const text = Buffer.from(JSON.stringify(json));
  const words = Buffer.concat([text, Buffer.alloc((4 - text.length % 4) % 4, ' ')]);
  const file = Buffer.concat([minimal.subarray(0, 20), words, minimal.subarray(20 + length)]);
  file.writeUInt32LE(file.length, 8);
  file.writeUInt32LE(words.length, 12);
  return file;
}
const skinned = ({ nodes }) => nodes.find(({ skin }) => skin !== undefined);
const odd = {
  'two scenes': (json) => json.scenes.push({ nodes: json.scenes[0].nodes }),
  'a mesh at two nodes': (json) => json.scenes[0].nodes.push(json.nodes.push({ ...skinned(json), name: 'again' }) - 1),
  'weights of a node': (json) => { json.nodes.find(({ mesh }) => mesh === 0).weights = json.meshes[0].primitives[0].targets.map((_, i) => i / 100); },
  'no normals': (json) => { for (const { attributes } of json.meshes[0].primitives) delete attributes.NORMAL; },
  'colours of vertices': (json) => { for (const { attributes } of json.meshes[0].primitives) attributes.COLOR_0 = attributes.NORMAL; },
  'points and strips': (json) => json.meshes[1].primitives.forEach((primitive, i) => { primitive.mode = [0, 5, 6][i] ?? 4; }),
  'a primitive without a material': (json) => { delete json.meshes[1].primitives[0].material; },
  'a skin that is missing': (json) => { delete skinned(json).skin; },
  'materials without MToon': (json) => { for (const material of json.materials) delete material.extensions; },
  'extras that are no objects': (json) => { json.nodes[3].extras = 'words'; json.meshes[0].primitives[0].extras = null; },
  'a morph target of an unknown type': ({ accessors }) => { accessors.find(({ sparse }) => sparse).type = 'VEC8'; },
  'other extensions': (json) => { json.nodes[3].extensions = { MY_words: [1] }; json.materials[0].extensions.MY_words = {}; },
};
for (const [what, change] of Object.entries(odd)) await compareFile(what, edited(change));
const godette = join(root, '../shared/models/avatars/Godette_vrm_v4.vrm');
if (existsSync(godette)) await compareFile('Godette', readFileSync(godette));
end();
