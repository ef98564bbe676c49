// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Compares objects of libvrm/three with those of GLTFLoader and three-vrm for the same file: the scene's tree; reading, moving,
// adding and searching in it; expressions by a mixer. Also measures memory over 200 loads.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, command, end, folder, run, same } from './web.mjs';
import { load, modules, ownLoader } from './three_load.mjs';

const { THREE, GLTFLoader, cloneSkinned, theirs, ours } = await modules();
const { init } = await import(join(folder, 'dist/index.js'));

const near = (what, found, expected, error = 1e-5) => {
  const [one, other] = [[...found], [...expected]];
  check(`${what}: ${one}, expected ${other}`, one.length === other.length && one.every((value, i) => Math.abs(value - other[i]) <= error));
};
const isOwn = (object) => !/^VRMHumanoidRig|^Normalized_|^VRMExpression/.test(object.name) && object.type !== 'VRMExpression';
const flat = (scene) => {
  const found = [];
  const walk = (object, depth) => {
    if (!isOwn(object)) return;
    found.push([depth, object]);
    for (const child of object.children) walk(child, depth + 1);
  };
  walk(scene, 0);
  return found;
};

const minimal = join(folder, 'minimal.vrm');
run(command, 'sample', '--minimal', '-o', minimal);
const file = readFileSync(minimal);
const a = (await load(theirs, file)).userData.vrm;
const gltf = await load(ours, file);
const b = gltf.userData.vrm;

// --- the tree ---

const plain = await load(null, file);
const [tree, built] = [flat(plain.scene), flat(b.scene)];
same('the tree', built.map(([depth, { name, type }]) => `${depth} ${type} ${name}`), tree.map(([depth, { name, type }]) => `${depth} ${type} ${name}`));
for (const [i, [, their]] of tree.entries()) {
  const [, object] = built[i];
  same(`userData of ${object.name}`, object.userData, their.userData);
  same(`flags of ${object.name}`, [object.isObject3D, object.isBone, object.visible, object.frustumCulled, object.layers.mask, object.matrixAutoUpdate,
    object.parent?.name], [their.isObject3D, their.isBone, their.visible, their.frustumCulled, their.layers.mask, their.matrixAutoUpdate, their.parent?.name]);
  check(`${object.name} is an Object3D`, object instanceof THREE.Object3D && (!their.isBone || object instanceof THREE.Bone));
}
same('names are their own', new Set(built.map(([, { uuid }]) => uuid)).size, built.length);
same('and numbers', new Set(built.map(([, { id }]) => id)).size, built.length);
const skinned = (scene) => { const found = []; scene.traverse((object) => object.isSkinnedMesh && found.push(object)); return found; };
same('bones of skeletons', skinned(b.scene).map(({ skeleton }) => skeleton.bones.length > 0 && skeleton.bones.every((bone) => bone.isBone)),
  skinned(a.scene).map(() => true));
for (const kind of ['rawRestPose', 'normalizedRestPose']) {
  const [x, y] = [a.humanoid[kind], b.humanoid[kind]];
  same(`bones of ${kind}`, Object.keys(y).sort(), Object.keys(x).sort());
  for (const [bone, { position, rotation }] of Object.entries(x)) near(`${kind} of ${bone}`, [...y[bone].position, ...y[bone].rotation], [...position, ...rotation]);
}

// --- what is read and moved ---

const compareNodes = (what, list = ['hips', 'head', 'leftHand', 'rightFoot', 'leftIndexDistal']) => {
  a.scene.updateMatrixWorld();
  b.scene.updateMatrixWorld();
  for (const bone of list) {
    const [x, y] = [a, b].map(({ humanoid }) => humanoid.getRawBoneNode(bone));
    near(`${what}: place of ${bone}`, y.getWorldPosition(new THREE.Vector3()), x.getWorldPosition(new THREE.Vector3()));
    near(`${what}: world of ${bone}`, y.matrixWorld.elements, x.matrixWorld.elements);
    near(`${what}: turn of ${bone}`, y.quaternion, x.quaternion);
    y.updateMatrix();
    near(`${what}: matrix of ${bone}`, y.matrix.elements, x.matrix.elements);
  }
};
const both = (job) => [a, b].map(job);
const pose = ({ humanoid }) => {
  humanoid.getNormalizedBoneNode('leftUpperArm').rotation.set(0.3, 0.2, -0.9);
  humanoid.getNormalizedBoneNode('head').quaternion.set(0, Math.sin(0.2), 0, Math.cos(0.2));
  humanoid.getNormalizedBoneNode('hips').position.y -= 0.2;
};
both(pose);
both((vrm) => vrm.update(0));
compareNodes('a pose');
both(({ scene }) => { scene.position.set(1, 2, -3); scene.rotation.y = 0.7; });
compareNodes('moved after the update');
both((vrm) => vrm.update(0));
compareNodes('moved before it');
// If a program rotates a raw bone after the update, the rotation is shown. The next update restores the normalized
// bone's rotation.
both(({ humanoid }) => { humanoid.getRawBoneNode('rightUpperArm').rotation.z += 0.5; });
compareNodes('a raw bone', ['rightUpperArm', 'rightHand', 'rightIndexDistal']);
both((vrm) => vrm.update(0));
compareNodes('and back', ['rightUpperArm', 'rightHand']);

// --- guests ---

const hats = both(({ humanoid }) => {
  const hat = new THREE.Object3D();
  hat.position.set(0, 0.2, 0);
  humanoid.getRawBoneNode('head').add(hat);
  return hat;
});
both(({ humanoid }) => { humanoid.getNormalizedBoneNode('neck').rotation.x = 0.4; });
both((vrm) => vrm.update(0));
both(({ scene }) => scene.updateMatrixWorld());
near('a hat', hats[1].matrixWorld.elements, hats[0].matrixWorld.elements);
const stage = new THREE.Scene();
const moved = both(({ humanoid }, i) => {
  const ring = new THREE.Object3D();
  (i ? stage : new THREE.Scene()).add(ring);
  ring.updateMatrixWorld();
  humanoid.getRawBoneNode('leftHand').attach(ring);
  return ring;
});
both((vrm) => vrm.update(0));
both(({ scene }) => scene.updateMatrixWorld());
near('an attached ring', moved[1].matrixWorld.elements, moved[0].matrixWorld.elements);
hats[1].removeFromParent();
same('a hat taken off', hats[1].parent, null);

// --- searches, copies, motions ---

const named = a.humanoid.getRawBoneNode('head').name;
same('found by its name', b.scene.getObjectByName(named), b.humanoid.getRawBoneNode('head'));
same('found by its uuid', b.scene.getObjectByProperty('uuid', b.humanoid.getRawBoneNode('neck').uuid), b.humanoid.getRawBoneNode('neck'));
same('found by its number', b.scene.getObjectById(b.humanoid.getRawBoneNode('neck').id), b.humanoid.getRawBoneNode('neck'));
const copy = b.humanoid.getRawBoneNode('leftHand').clone();
same('a copy is an ordinary bone', [copy.constructor, copy.children.length > 0, Object.hasOwn(copy, 'position')], [THREE.Bone, true, true]);
near('at the same place', copy.position, b.humanoid.getRawBoneNode('leftHand').position);
const mixers = both(({ scene, expressionManager, humanoid }) => {
  const mixer = new THREE.AnimationMixer(scene);
  mixer.clipAction(new THREE.AnimationClip('clip', 1, [
    new THREE.NumberKeyframeTrack(expressionManager.getExpressionTrackName('blink'), [0, 1], [0, 1]),
    new THREE.QuaternionKeyframeTrack(`${humanoid.getNormalizedBoneNode('spine').name}.quaternion`, [0, 1], [0, 0, 0, 1, 0.6, 0, 0, 0.8]),
  ])).play();
  return mixer;
});
for (const [i, mixer] of mixers.entries()) {
  mixer.setTime(0.5);
  [a, b][i].update(0);
}
same('blink by a mixer', b.expressionManager.getValue('blink'), 0.5);
compareNodes('spine by a mixer', ['spine', 'head']);
const influences = (scene) => skinned(scene).map(({ morphTargetInfluences = [] }) => [...morphTargetInfluences]).flat();
near('morphs of it', influences(b.scene), influences(a.scene));

// --- a plugin of the program's own that makes nodes is asked ---

const asked = [];
const loader = new GLTFLoader();
loader.register((parser) => {
  parser.loadTextureImage = () => Promise.resolve(new THREE.Texture());
  return { name: 'OWN', createNodeAttachment(index) { asked.push(index); return null; } };
});
loader.register((parser) => new ours.VRMLoaderPlugin(parser));
const own = await loader.parseAsync(file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength), '');
same('a foreign plugin is asked for each node', new Set(asked).size, own.parser.json.nodes.length);
own.userData.vrm.update(0);
ours.VRMUtils.deepDispose(own.scene);

// --- scales that the library's root does not accept ---

// A vertex in the world, as the vertex shader places it, and as three finds it for rays.
function drawn({ scene }) {
  const [mesh] = skinned(scene);
  mesh.skeleton.update();
  const { skinIndex, skinWeight, position } = mesh.geometry.attributes;
  const start = new THREE.Vector4(...new THREE.Vector3().fromBufferAttribute(position, 7), 1).applyMatrix4(mesh.bindMatrix);
  const sum = new THREE.Vector4(0, 0, 0, 0);
  for (let i = 0; i < 4; ++i) {
    const bone = new THREE.Matrix4().fromArray(mesh.skeleton.boneMatrices, 16 * skinIndex.getComponent(7, i));
    sum.addScaledVector(start.clone().applyMatrix4(bone), skinWeight.getComponent(7, i));
  }
  return [...sum.applyMatrix4(mesh.bindMatrixInverse).applyMatrix4(mesh.matrixWorld)].slice(0, 3);
}
const met = ({ scene }) => { const [mesh] = skinned(scene); return mesh.localToWorld(mesh.getVertexPosition(7, new THREE.Vector3())); };

// The figure moves on, and both are drawn at the same places. For a scale of 0, three-vrm's places are NaN.
const scales = [[1, 1, 1], [0.001, 0.001, 0.001], [-1, 1, 1], [101, 101, 101], [1, 2, 0.5], [-0.002, 0.002, 300], [0, 0, 0], [0, 1, 1], [1e-30, 1e-30, 1e-30]];
for (const [i, scale] of scales.entries()) {
  both((vrm) => {
    vrm.scene.scale.set(...scale);
    vrm.scene.rotation.y = i;
    vrm.humanoid.getNormalizedBoneNode('head').rotation.x = 0.1 + 0.03 * i;
    vrm.update(0);
    vrm.scene.updateMatrixWorld();
  });
  const [x, y] = both(({ humanoid }) => ['hips', 'head', 'leftHand'].flatMap((bone) => humanoid.getRawBoneNode(bone).matrixWorld.elements));
  const error = 2e-5 * Math.max(1, ...scale);
  if (Math.abs(scale[0]) > 1e-6) {
    near(`scale ${scale}: bones`, y, x, error);
    near(`scale ${scale}: a vertex`, drawn(b), drawn(a), error);
    near(`scale ${scale}: a vertex for rays`, met(b), met(a), error);
  } else {
    check(`scale ${scale}: numbers`, [...y, ...drawn(b)].every(Number.isFinite));
  }
}
both(({ scene }) => scene.scale.setScalar(1));
b.scene.position.x = NaN;
b.update(0.1);
b.scene.position.copy(a.scene.position);
both((vrm) => vrm.update(0));
compareNodes('after NaN');

// --- wrong calls ---

const foreign = (await load(ours, file, { module: await init() })).userData.vrm;
try {
  ours.updateAll([b, foreign], 0);
  check('avatars of two modules are accepted', false);
} catch ({ code }) {
  same('avatars of two modules', [code, b.instance.module.dead, foreign.instance.module.dead], ['ERROR_INVALID_ARGUMENT', null, null]);
}
b.expressionManager.setValue('happy', 0.25);
b.expressionManager.setValue('happy', NaN);
same('a weight that is none', b.expressionManager.getValue('happy'), 0.25);
for (const [what, bytes, words] of [['null', null, 'expected an ArrayBuffer'], ['a text', '', 'expected an ArrayBuffer'], ['3 bytes', new Uint8Array(3), 'not a glTF']]) {
  const error = await ownLoader(ours).parseAsync(bytes).then(() => null, (cause) => cause);
  check(`${what}: ${error?.message}`, error?.message.includes(words));
}

// --- a ragdoll on the instance ---

const { init: initRagdoll, Ragdoll } = await import(join(folder, 'dist/ragdoll.js'));
const figure = (await load(ours, file, { module: await initRagdoll(), instance: { ragdollBodies: 16 } })).userData.vrm;
const heads = () => figure.humanoid.getRawBoneNode('head').getWorldPosition(new THREE.Vector3()).y;
figure.update(1 / 60);
const standing = heads();
const ragdoll = new Ragdoll(figure.instance, { params: { recovery: 'manual' } });
ragdoll.drop();
for (let i = 0; i < 120; ++i) figure.update(1 / 60);
check(`the head falls from ${standing} to ${heads()}`, standing > 1 && heads() < 0.4 && heads() > 0);
ragdoll.stop();
figure.update(1 / 60);
near('and stands again', [heads()], [standing]);
ours.VRMUtils.deepDispose(figure.scene);

// --- copies of the scene, and the end ---

for (const [what, clone] of [['clone()', () => b.scene.clone()], ["SkeletonUtils' clone()", () => cloneSkinned(b.scene)], ['the rig', () => b.humanoid.normalizedHumanBonesRoot.clone()]]) {
  const made = clone();
  same(`${what} has all objects`, flat(made).map(([, { name }]) => name), flat(what === 'the rig' ? b.humanoid.normalizedHumanBonesRoot : b.scene).map(([, { name }]) => name));
  made.updateMatrixWorld();
  const head = b.humanoid.getNormalizedBoneNode('head');
  near(`${what}: the normalized head`, made.getObjectByName(head.name).position, head.position);
}
const ended = (await load(ours, file)).userData.vrm;
const outer = new THREE.Scene().add(ended.scene);
const last = new THREE.AnimationMixer(ended.scene);
last.clipAction(new THREE.AnimationClip('clip', 1, [new THREE.QuaternionKeyframeTrack(`${ended.humanoid.getRawBoneNode('spine').name}.quaternion`, [0, 1], [0, 0, 0, 1, 0.6, 0, 0, 0.8])])).play();
last.update(0.1);
ended.update(0.1);
ours.VRMUtils.deepDispose(ended.scene);
last.update(0.1);
ended.update(0.1);
outer.updateMatrixWorld(); // a scene that still has the avatar is drawn

// What a program may still call after the disposal throws in neither library.
for (const library of [theirs, ours]) {
  const { vrm } = (await load(library, file)).userData;
  vrm.update(0.1);
  library.VRMUtils.deepDispose(vrm.scene);
  const calls = {
    'springBoneManager.reset': () => vrm.springBoneManager.reset(),
    'springBoneManager.joints': () => [...vrm.springBoneManager.joints, ...vrm.springBoneManager.colliders],
    'springBoneManager.setInitState': () => vrm.springBoneManager.setInitState(),
    'lookAt.target': () => { vrm.lookAt.target = new THREE.Object3D(); vrm.lookAt.target.position.set(1, 1, 2); vrm.update(0.1); },
    'lookAt.lookAt': () => vrm.lookAt.lookAt(new THREE.Vector3(1, 1, 1)),
    'lookAt.yaw': () => { vrm.lookAt.target = null; vrm.lookAt.yaw = 10; vrm.update(0.1); return vrm.lookAt.pitch; },
    'lookAt.reset': () => vrm.lookAt.reset(),
    'applier.applyYawPitch': () => vrm.lookAt.applier.applyYawPitch(1, 2),
    'expressionManager.setValue': () => { vrm.expressionManager.setValue('happy', 1); vrm.expressionManager.update(); },
    'expressionManager.expressions': () => vrm.expressionManager.expressions.map(({ binds }) => binds),
    'humanoid.setRawPose': () => { vrm.humanoid.setRawPose(vrm.humanoid.getRawPose()); vrm.humanoid.update(); },
    'humanoid.setNormalizedPose': () => { vrm.humanoid.setNormalizedPose({ head: { rotation: [0, 1, 0, 0] } }); vrm.update(0.1); },
    'nodeConstraintManager': () => { vrm.nodeConstraintManager.setInitState(); vrm.nodeConstraintManager.update(); return [...vrm.nodeConstraintManager.constraints]; },
    'firstPerson.setup': () => vrm.firstPerson.setup(),
    'a second disposal': () => library.VRMUtils.deepDispose(vrm.scene),
  };
  for (const [name, call] of Object.entries(calls)) {
    let thrown = null;
    try {
      call();
    } catch (error) {
      thrown = error;
    }
    check(`${name} after the disposal, ${library === ours ? 'libvrm' : 'three-vrm'}: ${thrown}`, thrown === null);
  }
}

// --- memory ---

const { module } = b.instance;
for (let i = 0; i < 5; ++i) ours.VRMUtils.deepDispose((await load(ours, file)).scene);
const before = module.memoryBytes;
for (let i = 0; i < 200; ++i) {
  const { scene, userData: { vrm } } = await load(ours, file);
  vrm.update(1 / 60);
  ours.VRMUtils.deepDispose(scene);
  vrm.update(1 / 60); // has no effect after the disposal
}
same('memory of the module after 200 loads and disposals', module.memoryBytes, before);
end();
