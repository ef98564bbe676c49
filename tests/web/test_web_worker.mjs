// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// libvrm/worker in Node's threads: the same bits as on the page's side, frame by frame; refused calls and questions; a
// file's meshes and images; frames that nobody waits for; the end of a worker. test_web_browser.mjs tests the same in
// Chromium.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setInputs, stepOf, Sum, sumOfFrames } from './frames.mjs';
import { bvh, check, command, dist, end, entry, folder, refused, run, same, shape } from './web.mjs';

const { loadAvatar, validate, VRM } = await entry('index');
const { VRMWorker } = await entry('worker');
const worker = await VRMWorker.start();
same('version', worker.version, (await (await entry('index')).defaultModule()).version);

// --- frames ---

const { bytes, path } = shape('branching');
const here = await VRM.load(bytes);
const there = await worker.load(`file://${path}`);
const sum = new Sum();
for (let frame = 0; frame < 300; ++frame) {
  setInputs(there, frame);
  await there.update(stepOf(frame));
  sum.add(there);
}
const expected = new Sum();
for (let frame = 0; frame < 300; ++frame) {
  setInputs(here, frame);
  here.update(stepOf(frame));
  expected.add(here);
}
same('300 frames', sum.text, expected.text);
same('frames that have come', there.frames, 300);
for (const name of ['nodeChanges', 'paletteChanges', 'morphChanges', 'materialChanges']) same(name, [...there[name]], [...here[name]]);
for (const name of ['origin', 'box', 'viewpoint', 'gaze', 'status']) same(name, there[name], here[name]);
for (const name of ['counts', 'meta', 'nodes', 'materials', 'springJoints', 'humanBones', 'morphNames']) same(name, there.avatar[name], here.avatar[name]);
const { names } = here.expressionManager;
same('weights', names.map((name) => there.expressionManager.getValue(name)), names.map((name) => here.expressionManager.getValue(name)));
same('names', there.expressionManager.names, names);

// --- questions, and what is set before them ---

there.humanoid.setNormalizedRotation('head', { x: 0, y: 0.6, z: 0, w: 0.8 });
const turn = await there.humanoid.getNormalizedRotation('head');
check(`the head's turn ${turn}`, Math.abs(turn[1] - 0.6) < 1e-6 && Math.abs(turn[3] - 0.8) < 1e-6);
here.humanoid.setNormalizedRotation('head', [0, 0.6, 0, 0.8]);
same('locals', [...await there.gltfLocals()], [...here.gltfLocals()]);
const saved = await there.snapshot();
await there.update(0.5);
const moved = [...there.world];
there.restore(saved);
await there.update(0.5);
same('restored', [...there.world], moved);

// --- refused ---

const before = there.frames;
there.humanoid.setNormalizedRotation('tail', [0, 0, 0, 1]);
there.expressionManager.setValue(names[0], 1);
await refused('a bone that is none', 'ERROR_NOT_FOUND', () => there.update(0));
same('its frame has come', there.frames, before + 1);
same('what was not refused is done', there.expressionManager.getValue(names[0]), 1);
const error = await refused('no glTF', 'ERROR_NOT_GLTF', () => worker.load(new Uint8Array(100)));
same('findings travel', error.findings.length > 0 && error.findings[0].severity, 'error');
await refused('no file', 'LOAD', () => worker.load('file:///nothing.vrm'));
check('a wrong option is a TypeError', await worker.load(bytes, { wrong: 1 }).catch((thrown) => thrown instanceof TypeError));

// --- loading: copied, handed over, cooked for this side ---

const copy = Uint8Array.from(bytes);
(await worker.load(copy)).dispose();
same('bytes are copied', copy.length, bytes.length);
const given = await worker.load(copy, { transfer: true, keepDocument: true });
same('bytes are handed over', copy.length, 0);
const cooked = await VRM.load(await given.avatar.cook());
same('read there, runs here', sumOfFrames(cooked, undefined, 50), sumOfFrames(await VRM.load(bytes), undefined, 50));
same('validate', (await worker.validate(bytes)).findings, (await validate(bytes)).findings);

// --- the file's document ---

run(command, 'sample', '-o', join(folder, 'full.vrm'));
const file = await worker.load(readFileSync(join(folder, 'full.vrm')), { keepDocument: true });
const { document } = await loadAvatar(readFileSync(join(folder, 'full.vrm')), { keepDocument: true });
same('asset', await file.avatar.document.json('/asset'), document.json('/asset'));
const mesh = { mesh: 0, primitive: 0 };
const geometry = document.geometry(mesh);
const sent = await file.avatar.document.geometry(mesh);
same('info', sent.info, geometry.info);
same('positions', [...sent.attributes.position], [...geometry.attribute('position')]);
same('joints', [...sent.attributes.joints0], [...geometry.attribute('joints')]);
same('indices', [...sent.indices], [...geometry.indices()]);
same('deltas', sent.deltas.map(({ positions }) => [...positions]), sent.deltas.map((_, i) => [...geometry.deltas(i).positions]));
same('one attribute', Object.keys((await file.avatar.document.geometry({ ...mesh, attributes: ['normal'] })).attributes), ['normal']);
same('image', [...(await file.avatar.document.image(0)).bytes], [...document.image(0).bytes]);
same('first person', (await file.avatar.document.firstPerson()).length > 0, true);
await refused('no such mesh', 'ERROR_INVALID_ARGUMENT', () => file.avatar.document.mesh(9999));

// --- frames that nobody waits for ---

const lazy = await worker.load(bytes);
lazy.expressionManager.setValue(names[0], 0.5);
lazy.update(1 / 60); // sent
lazy.expressionManager.setValue(names[0], 0); // for the next frame
lazy.update(1 / 60);
await lazy.update(1 / 60);
same('two more in one', lazy.frames, 2);
const sequence = await VRM.load(bytes);
sequence.expressionManager.setValue(names[0], 0.5);
sequence.update(1 / 60);
const changed = [...sequence.morphChanges];
sequence.expressionManager.setValue(names[0], 0);
sequence.update(1 / 60 + 1 / 60);
same('the seconds add up', [...lazy.world], [...sequence.world]);
const both = changed.map((word, i) => (word | sequence.morphChanges[i]) >>> 0);
check('some morphs have changed', both.some((word) => word !== 0));
same('what changed in either has changed', [...lazy.morphChanges], both);

// --- motions ---

const another = await there.avatar.createInstance();
const clip = await worker.loadClip(new TextEncoder().encode(bvh));
same('the clip', [clip.duration, clip.hasHipsPosition], [1, true]);
another.clips.play(clip, { wrap: 'loop' });
const rest = [...another.world];
await another.update(0.5);
check('the clip moves it', another.world.some((value, i) => Math.abs(value - rest[i]) > 0.01));
same('where it is', await another.clips.getTime(), 0.5);
const brief = await worker.loadClip(new TextEncoder().encode(bvh));
another.clips.play(brief, { wrap: 'loop' });
brief.dispose(); // the worker keeps it for the command
await another.update(0.25);
same('a clip that was disposed of after play() plays', await another.clips.getTime(), 0.25);
const gone = await refused('the disposed clip', 'DISPOSED', () => another.clips.play(brief));
same('its words', gone?.message, 'this WorkerClip was disposed of');
for (const wrong of [undefined, 'walk', 3, another]) await refused('no clip', undefined, () => another.clips.play(wrong));
await refused('no time', undefined, () => another.update(NaN));
await another.update(0.25);
same('it still plays', await another.clips.getTime(), 0.5);
const second = await VRMWorker.start({ wasm: dist('vrm.wasm') });
const foreign = await second.load(bytes);
await refused('a clip of another worker', 'ERROR_INVALID_ARGUMENT', () => foreign.clips.play(clip));

// --- the end ---

another.dispose();
another.dispose();
await refused('disposed of', 'DISPOSED', () => another.update(0));
const last = foreign.update(1);
second.terminate();
await last;
await refused('terminated', 'DISPOSED', () => foreign.update(0));
await refused('terminated, loading', 'DISPOSED', () => second.load(bytes));
await refused('no address', 'LOAD', () => worker.load('x.vrm'));
await refused('no wasm', 'LOAD', () => VRMWorker.start({ wasm: 'file:///nothing.wasm' }));
end(); // the first worker does not keep the process alive
