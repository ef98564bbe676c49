// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Compares avatars cloned by VRMUtils.clone() of libvrm/three with the same file loaded again: tree, motion, morphs and
// materials. Also tests which objects clones share, when these objects are freed, and errors of VRMLoader.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, command, end, folder, refused, run, same, shape } from './web.mjs';
import { load, modules, ownLoader } from './three_load.mjs';

const { THREE, ours } = await modules();
const { updateAll, VRMUtils } = ours;
const loader = ownLoader(ours);

const path = join(folder, 'minimal.vrm');
run(command, 'sample', '--minimal', '-o', path);
const minimal = readFileSync(path);

const tree = ({ scene }) => {
  const found = [];
  scene.traverse(({ type, name, children, parent, renderOrder }) => found.push([type, name, children.length, parent?.name, renderOrder].join()));
  return found;
};
const meshes = ({ scene }) => { const found = []; scene.traverse((object) => { if (object.isMesh) found.push(object); }); return found; };
const materials = (vrm) => meshes(vrm).flatMap(({ material }) => material);
const colors = (vrm) => materials(vrm).map((material) => [material.name, material.opacity, ...['color', 'emissive', 'shadeColorFactor', 'outlineColorFactor']
  .map((name) => material[name]?.toArray()), material.map && [...material.map.offset.toArray(), ...material.map.repeat.toArray()]]);
const state = (vrm) => {
  vrm.scene.updateMatrixWorld();
  return {
    bones: meshes(vrm).map(({ skeleton }) => skeleton && [...skeleton.boneMatrices]), morphs: meshes(vrm).map(({ morphTargetInfluences: list }) => list && [...list]),
    colors: colors(vrm), head: vrm.humanoid.getRawBoneNode('head').matrixWorld.toArray(), yaw: vrm.lookAt?.yaw,
  };
};
const target = new THREE.Object3D();
target.position.set(0.3, 1.5, 2);
function move(vrm, frame) {
  vrm.scene.position.x = 0.01 * frame;
  vrm.humanoid.getNormalizedBoneNode('leftUpperArm').rotation.z = 0.02 * frame;
  vrm.humanoid.getNormalizedBoneNode('head').rotation.y = 0.01 * frame;
  for (const [i, { expressionName }] of vrm.expressionManager.expressions.entries()) vrm.expressionManager.setValue(expressionName, (frame * (i + 1) % 60) / 60);
  if (vrm.lookAt) vrm.lookAt.target = target;
}

// A clone moves like a newly loaded avatar, whatever the original does at the same time.
for (const [name, file] of [['minimal', minimal], ...['sample', 'scaled', 'armature', 'mirrored'].map((one) => [one, shape(one).bytes])]) {
  const first = await loader.parseAsync(file);
  const alone = await loader.parseAsync(file);
  for (let frame = 1; frame < 20; ++frame) { move(first, frame + 30); first.update(1 / 60); }
  const posed = state(first);
  first.scene.position.set(0, 0, 0);
  const made = [VRMUtils.clone(first)];
  made.push(VRMUtils.clone(made[0]));
  for (const vrm of made) same(`${name}: tree`, tree(vrm), tree(alone));
  for (let frame = 0; frame < 30; ++frame) {
    for (const vrm of [alone, ...made]) { move(vrm, frame); }
    alone.update(1 / 60);
    updateAll(made, 1 / 60);
  }
  for (const vrm of made) same(`${name}: state of a clone`, state(vrm), state(alone));
  first.scene.position.x = 0.49;
  same(`${name}: the first stays as it is`, state(first).colors, posed.colors);
  same(`${name}: its morphs`, state(first).morphs, posed.morphs);
  for (const vrm of [first, ...made, alone]) VRMUtils.deepDispose(vrm.scene);
}

// --- what is shared ---

const first = await loader.parseAsync(minimal);
const second = VRMUtils.clone(first);
const third = VRMUtils.clone(first);
same('the library has one avatar', second.instance.avatar === first.instance.avatar, true);
check('geometries are the same', meshes(first).every(({ geometry }, i) => geometry === meshes(second)[i].geometry));
// Each material with a scrolling texture has its own clock.
const scrolls = ({ uvAnimationScrollXSpeedFactor: x, uvAnimationScrollYSpeedFactor: y, uvAnimationRotationSpeedFactor: turn }) => Boolean(x || y || turn);
same('materials are, but for those that scroll', materials(first).map((material, i) => material === materials(second)[i]), materials(first).map((one) => !scrolls(one)));
check('meshes and nodes are not', meshes(first).every((mesh, i) => mesh !== meshes(second)[i] && (!mesh.skeleton || mesh.skeleton !== meshes(second)[i].skeleton)));
same('members', [second.meta.name, second.materials.length, second.firstPerson.meshAnnotations.length],
  [first.meta.name, first.materials.length, first.firstPerson.meshAnnotations.length]);

const freed = new Set();
const listen = (one) => one.addEventListener('dispose', () => freed.add(one));
const shared = [...new Set(meshes(first).flatMap(({ geometry, material }) => [geometry, ...[material].flat()]))];
const textures = new Set(materials(first).flatMap(({ map, shadeMultiplyTexture }) => [map, shadeMultiplyTexture]).filter(Boolean));
check('there are textures', textures.size > 0);
[...shared, ...textures].forEach(listen);
VRMUtils.deepDispose(first.scene);
VRMUtils.deepDispose(first.scene); // counts once
same('nothing is freed while clones are left', freed.size, 0);
second.update(1 / 60);
VRMUtils.deepDispose(second.scene);
same('nor with the second', freed.size, 0);
third.update(1 / 60);
check('the last one moves', meshes(third).every(({ skeleton }) => !skeleton || [...skeleton.boneMatrices].every(Number.isFinite)));
VRMUtils.deepDispose(third.scene);
same('all is freed with the last', freed.size, shared.length + textures.size);

// --- what a program has changed in the first ---

const changed = await loader.parseAsync(minimal);
VRMUtils.removeUnnecessaryVertices(changed.scene);
VRMUtils.combineMorphs(changed);
changed.firstPerson.setup();
const hat = new THREE.Object3D();
changed.humanoid.getRawBoneNode('head').add(hat);
const other = VRMUtils.clone(changed);
let hats = 0;
other.scene.traverse((object) => { hats += object.name === '' && object.type === 'Object3D' && object.children.length === 0 ? 1 : 0; });
same('a hat is not cloned', hats, 0);
for (const vrm of [changed, other]) { move(vrm, 17); vrm.update(1 / 60); }
const own = (vrm) => meshes(vrm).filter(({ name }) => !name.endsWith('(erase)')).map(({ morphTargetInfluences: list }) => list && [...list]);
same('combined morphs', own(other), own(changed));
check('and they move', own(other).flat().some((value) => value > 0));
same('binds of an expression', other.expressionManager.getExpression('aa').binds.map(({ index, weight }) => [index, weight]),
  changed.expressionManager.getExpression('aa').binds.map(({ index, weight }) => [index, weight]));
other.firstPerson.setup();
same('its first person', meshes(other).map(({ layers }) => layers.mask), meshes(changed).map(({ layers }) => layers.mask));
for (const vrm of [changed, other]) VRMUtils.deepDispose(vrm.scene);

// An avatar that GLTFLoader has read can be cloned, too.
const byPlugin = (await load(ours, minimal)).userData.vrm;
const twin = VRMUtils.clone(byPlugin);
same('a clone of the plugin\'s', tree(twin), tree(byPlugin));
for (const vrm of [byPlugin, twin]) VRMUtils.deepDispose(vrm.scene);

// --- errors and memory ---

await refused('no glTF', 'ERROR_NOT_GLTF', () => loader.parseAsync(Buffer.concat([minimal.subarray(0, 20), Buffer.alloc(200)])));
const without = (() => {
  const length = minimal.readUInt32LE(12);
  const json = JSON.parse(minimal.subarray(20, 20 + length));
  delete json.extensions;
  const text = Buffer.from(JSON.stringify(json).padEnd(length));
  return Buffer.concat([minimal.subarray(0, 20), text, minimal.subarray(20 + length)]);
})();
await refused('no VRM', 'ERROR_INVALID_ASSET', () => loader.parseAsync(without));
await new Promise((done) => {
  loader.parse(without, '', () => check('no VRM is loaded', false), (error) => { same('parse() hands over errors', error.code, 'ERROR_INVALID_ASSET'); done(); });
});

const { module } = (await loader.parseAsync(minimal)).instance;
async function round() {
  const vrm = await loader.parseAsync(minimal);
  const clones = [VRMUtils.clone(vrm), VRMUtils.clone(vrm)];
  vrm.update(1 / 60);
  VRMUtils.deepDispose(vrm.scene);
  for (const one of clones) { move(one, 20); one.update(1 / 60); }
  for (const one of clones) VRMUtils.deepDispose(one.scene);
}
for (let i = 0; i < 5; ++i) await round();
const before = module.memoryBytes;
for (let i = 0; i < 200; ++i) await round();
same('memory of the module after 200 loads, 400 clones and disposals', module.memoryBytes, before);
end();
