// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Wrong calls of the JavaScript interface: each throws an error that names what is wrong, leaves no value behind, and
// never ends the module.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { bvh, check, command, dist, end, entry, folder, refused, run, same, shape } from './web.mjs';

const { VRM, cook, Document, init, loadAvatar, loadClip, migrate, updateAll } = await entry('index');
const { createMotion, init: initRagdoll, isLoop, Ragdoll, ragdollDefinition } = await entry('ragdoll');
const runtime = await entry('runtime');

/** Checks that the call throws an error of this type with words that match. */
async function throws(what, Type, words, job) {
  try {
    await job();
    check(`${what} is accepted`, false);
  } catch (error) {
    check(`${what}: ${error.name} ${error.message}`, error instanceof Type && words.test(error.message));
  }
}

run(command, 'sample', '-o', join(folder, 'full.vrm'));
const file = readFileSync(join(folder, 'full.vrm'));
const { bytes: plain } = shape('plain');
const [module, other, physics] = await Promise.all([init(), init(), initRagdoll(dist('vrm-ragdoll.wasm'))]);
const load = (options) => VRM.load(file, { module, keepDocument: true, instance: { springParameters: true }, ...options });
const vrm = await load();
const neighbour = await VRM.load(plain, { module });
const { avatar } = vrm;
const { document } = avatar;
const worldOf = (one) => { one.update(0); return [...one.world]; };

// --- arguments that cannot be converted: an error of this call, not the end of the module ---

const evil = { valueOf() { throw new Error('no number'); } };
await throws('a bigint as weight', TypeError, /BigInt/, () => vrm.expressionManager.setValue('happy', 1n));
await throws('an object without a value', TypeError, /primitive/, () => vrm.expressionManager.setLoudness(Object.create(null)));
await throws('a value that throws', Error, /no number/, () => vrm.setMorph(0, evil));
await throws('a symbol', TypeError, /Symbol/, () => vrm.springBoneManager.settle(Symbol('s')));
for (const dt of [1n, NaN, 'a', undefined, Infinity, Object.create(null)]) await throws('a time that is none', TypeError, /dt is .*finite number/, () => vrm.update(dt));
await throws('a time that is none for many', TypeError, /dt is no number/, () => updateAll([vrm, neighbour], NaN));
neighbour.update(0.1);
same('the module lives', module.dead, null);

// --- lists of another length ---

const lists = { 'vrm.lookAt.lookAt': (list) => vrm.lookAt.lookAt(list), target: (list) => { vrm.lookAt.target = list; },
  setHipsPosition: (list) => vrm.humanoid.setHipsPosition(list) };
const turns = { setNormalizedRotation: (list) => vrm.humanoid.setNormalizedRotation('head', list), setVowels: (list) => vrm.expressionManager.setVowels(list) };
const before = worldOf(vrm);
for (const [name, call] of Object.entries({ ...lists, ...turns })) {
  for (const list of [new Float64Array(300).fill(1), [0.5, 1], [1], [], [NaN, 0, 0], [NaN, 0, 0, 1], 'abc', {}, { x: 1 }, { x: 1, y: 0, z: NaN }]) {
    await throws(`${name}(${String(list).slice(0, 20)})`, TypeError, /expected [345] finite numbers/, () => call(list));
  }
}
same('nothing was moved', worldOf(vrm), before);
for (const call of Object.values(lists)) for (const list of [[0, 1, 0], new Float32Array([0, 1, 0]), new Float64Array([0, 1, 0]), { x: 0, y: 1, z: 0 }]) call(list);
vrm.reset();
(await VRM.load(plain, { module })).dispose(); // the heap is whole

// --- values that were refused do not stay ---

await throws('a yaw', TypeError, /yaw/, () => { vrm.lookAt.yaw = NaN; });
vrm.lookAt.pitch = 5;
vrm.lookAt.target = null;
await throws('a target', TypeError, /point/, () => { vrm.lookAt.target = [NaN, 0, 0]; });
same('the last target stays', vrm.lookAt.target, null);
for (const [what, job] of [['frequency', (value) => vrm.springBoneManager.setParams({ gravityScale: value })], ['root', (value) => { vrm.root = { scale: value }; }],
  ['collider', (value) => vrm.teleport({ translation: [value, 0, 0] })]]) await throws(what, TypeError, /number/, () => job(NaN));

// --- objects of the wrong kind or of another module ---

const stranger = await load({ module: other });
const clip = await loadClip(new TextEncoder().encode(bvh), { module });
const strange = await loadClip(new TextEncoder().encode(bvh), { module: other });
await refused('a clip of another module', 'ERROR_INVALID_ARGUMENT', () => vrm.clips.play(strange));
vrm.clips.play(clip);
for (const wrong of [undefined, 'walk', 5, {}, vrm, avatar, document]) await throws('no clip', TypeError, /expected a clip/, () => vrm.clips.play(wrong));
same('the clip still plays', vrm.clips.playing[0] === clip, true);
for (const wrong of [undefined, null, vrm, document, {}]) {
  await throws('a VRM of no avatar', TypeError, /expected an avatar/, () => new VRM(wrong));
  await throws('nothing to cook', TypeError, /expected an avatar/, () => cook(wrong));
  await throws('no avatar for firstPerson()', TypeError, /expected an avatar/, () => document.firstPerson(wrong));
  await throws('no avatar for a motion', TypeError, /expected an avatar/, () => createMotion(wrong, 'walk'));
  await throws('no VRM for a ragdoll', TypeError, /expected a VRM/, () => new Ragdoll(wrong === vrm ? avatar : wrong));
}
await refused('firstPerson() of another module', 'ERROR_INVALID_ARGUMENT', () => document.firstPerson(stranger.avatar));
await refused('migrate() of another module', 'ERROR_INVALID_ARGUMENT', () => document.migrate(stranger.avatar));
await refused('VRMs of two modules', 'ERROR_INVALID_ARGUMENT', () => updateAll([vrm, stranger], 0.1));
await throws('no VRM among many', TypeError, /expected a VRM/, () => updateAll([vrm, avatar], 0.1));

// --- indices, names and options ---

for (const wrong of [NaN, undefined, 'x', -1, 0.5, 1e9, null]) {
  for (const [what, job] of Object.entries({ mesh: () => document.mesh(wrong), image: () => document.image(wrong), texture: () => document.texture(wrong),
    getLocal: () => vrm.getLocal(wrong), setLocal: () => vrm.setLocal(wrong, {}), setMorph: () => vrm.setMorph(wrong, 1), materialValues: () => vrm.materialValues(wrong),
    getJoint: () => vrm.springBoneManager.getJoint(wrong), setJoint: () => vrm.springBoneManager.setJoint(wrong, {}), layer: () => vrm.clips.play(clip, { layer: wrong ?? null }),
    getTime: () => vrm.clips.getTime(wrong ?? null), chain: () => vrm.springBoneManager.setChainWeight(wrong, 1) })) {
    await refused(`${what} ${wrong}`, 'ERROR_INVALID_ARGUMENT', job);
  }
}
await throws('an array of no file', RangeError, /array is foo, expected one of animations, /, () => document.count('foo'));
await throws('an array of no file', RangeError, /expected one of/, () => document.count('constructor'));
const geometry = document.geometry({ mesh: 0 });
await throws('a format', RangeError, /format is "x", expected one of float32/, () => geometry.attribute('position', { format: 'x' }));
await throws('a semantic', RangeError, /semantic is "toString"/, () => geometry.attribute('toString'));
await refused('a target', 'ERROR_INVALID_ARGUMENT', () => geometry.deltas(undefined));
await throws('a name of every object', TypeError, /has no "constructor"/, () => vrm.springBoneManager.setParams({ constructor: 1 }));
await throws('a number for a word', RangeError, /wrap is 1, expected one of hold/, () => vrm.clips.play(clip, { wrap: 1 }));
const { buffer } = Uint8Array.from(vrm.snapshot());
const moved = worldOf(vrm);
vrm.restore(buffer);
same('a buffer is restored', worldOf(vrm), moved);
new Document(module, Uint8Array.from(plain).buffer).dispose();
await throws('a text for bytes', TypeError, /expected an ArrayBuffer/, () => vrm.restore('abc'));
check('a clone is a VRM', vrm.clone() instanceof VRM);

// --- disposal ---

geometry.attribute('position');
const lone = (await load()).avatar;
const read = lone.document.geometry({ mesh: 0 });
lone.document.dispose();
for (const [what, job] of Object.entries({ attribute: () => read.attribute('position'), indices: () => read.indices(), deltas: () => read.deltas(0) })) {
  await refused(`${what} of a document that is gone`, 'DISPOSED', job);
}
read.dispose();

// What a program forgets is freed after the collection of its garbage.
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
const forgetful = await init();
let settled = 0;
for (let i = 0; i < 48; ++i) {
  const forgotten = await VRM.load(plain, { module: forgetful, keepDocument: true });
  forgotten.clips.stop();
  forgotten.avatar.document.geometry({ mesh: 0 });
  if (i % 4 === 3) {
    collect();
    await new Promise((done) => { setTimeout(done); });
  }
  if (i === 11) settled = forgetful.memoryBytes;
}
check(`memory of what was forgotten grows from ${settled} to ${forgetful.memoryBytes} bytes, without a collection to five times that`,
  forgetful.memoryBytes < 1.25 * settled);

// --- modules and sources ---

const small = await runtime.init();
for (const [what, job] of Object.entries({ VRM: () => VRM.load(file, { module: small }), clip: () => loadClip(new TextEncoder().encode(bvh), { module: small }),
  migrate: () => migrate(file, { module: small }) })) await throws(`${what} by the module of libvrm/runtime`, Error, /libvrm\/runtime opens only cooked/, job);
await throws('no module', TypeError, /module is none/, () => VRM.load(file, { module: {} }));
await throws('no module for libvrm/runtime', TypeError, /module is none/, () => runtime.VRM.load(cook(avatar), { module: {} }));
await throws('a file for libvrm/runtime', Error, /not cooked/, () => runtime.VRM.load(file));
await refused('a file that is not there', 'LOAD', () => VRM.load(new URL('file:///nothing.vrm')));
await throws('ragdollBodies without the module', Error, /libvrm\/ragdoll/, () => load({ instance: { ragdollBodies: 16 } }));
await throws('a motion without the module', Error, /libvrm\/ragdoll/, () => createMotion(avatar, 'walk'));
await throws('isLoop() without the module', Error, /libvrm\/ragdoll/, () => isLoop(module, 'walk'));
await throws('bodies without the module', Error, /libvrm\/ragdoll/, () => ragdollDefinition(avatar));
// A size above 2 ** 32 would lose its upper bits.
for (const size of [2 ** 31 + 1, 2 ** 32 - 32, 2 ** 32 + 64, NaN]) await refused(`${size} bytes`, 'ERROR_OUT_OF_MEMORY', () => module.allocate(size));

// --- ragdolls ---

const figure = await load({ module: physics, instance: { ragdollBodies: 16 } });
await throws('few bodies', Error, /16 bodies, but .* ragdollBodies is 7/, async () => new Ragdoll(await load({ module: physics, instance: { ragdollBodies: 7 } })));
await throws('detail 16', RangeError, /detail is 16, expected one of/, () => new Ragdoll(figure, { detail: 16 }));
await refused("another module's document", 'ERROR_INVALID_ARGUMENT', () => new Ragdoll(figure, { document }));
await throws('no ragdoll for a motion', TypeError, /expected a ragdoll/, () => createMotion(figure.avatar, 'walk', { ragdoll: { definition: 12345 } }));
const ragdoll = new Ragdoll(figure, { params: { recovery: 'manual' } });
for (const [what, job] of Object.entries({ hit: (list) => ragdoll.hit(list, [0, 0, 1]), impulse: (list) => ragdoll.hit([0, 1, 0], list), explode: (list) => ragdoll.explode(list, 1, 1),
  hold: (list) => ragdoll.hold('head', list), moveHand: (list) => ragdoll.moveHand(list), origin: (list) => ragdoll.touch(list, [0, 0, 1]), direction: (list) => ragdoll.touch([0, 1, 0], list) })) {
  for (const list of [[0, 1], new Float32Array(99), [NaN, 0, 0], undefined]) await throws(what, TypeError, /expected 3 finite numbers/, () => job(list));
}
same('nothing is held', ragdoll.held, null);
for (const frequency of [NaN, -1]) await throws('frequency', Error, /./, () => ragdoll.setParams({ frequency }));
ragdoll.setParams({ steps: false });
await throws('ground', TypeError, /ground/, () => { ragdoll.ground = NaN; });
await throws('updateWith()', Error, /ragdoll/, () => figure.updateWith({ dt: 1 / 60 }));
figure.update(0.1);
figure.reset();
for (const [what, job] of Object.entries({ states: () => ragdoll.states, ground: () => { ragdoll.ground = null; }, info: () => ragdoll.info, drop: () => ragdoll.drop(),
  recover: () => ragdoll.recover(), stop: () => ragdoll.stop(), hit: () => ragdoll.hit([0, 1, 0], [0, 0, 1]), explode: () => ragdoll.explode([0, 1, 0], 1, 1),
  setWeights: () => ragdoll.setWeights({}), setParams: () => ragdoll.setParams({}), lines: () => ragdoll.lines, held: () => ragdoll.hold('head', [0, 1, 0]) })) {
  await refused(`${what} of a ragdoll that is gone`, 'DISPOSED', job);
}
figure.updateWith({ dt: 1 / 60 });
for (const one of [module, other, physics]) same('all modules live', one.dead, null);
(await loadAvatar(plain, { module })).dispose();

// --- what the engine has to provide ---

for (const name of ['vrm', 'vrm-scalar', 'vrm-runtime', 'vrm-ragdoll']) {
  same(`imports of ${name}.wasm`, WebAssembly.Module.imports(new WebAssembly.Module(dist(`${name}.wasm`))).map(({ module: from, name: word, kind }) => `${from}.${word} ${kind}`),
    ['env.emscripten_notify_memory_growth function']);
}
same('memory is aligned to 64 bytes', [1, 63, 64, 100, 4097].map((size) => module.allocate(size) % 64), [0, 0, 0, 0, 0]);
end();
