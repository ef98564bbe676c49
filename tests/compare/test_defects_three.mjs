// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Random defects of the sample, one in each file. libvrm must load every part of VRM's extensions that three-vrm loads,
// and keep as many joints, colliders, expressions and binds. Avatars must move in the same way in both, except for the
// differences in docs/validation.md. If libvrm repairs a file on loading, the avatar must move as the output of `vrm
// validate --fix` moves in three-vrm. VRM_DEFECTS: the number of defects (60). VRM_SEED: the first seed (0).

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeDefect, parts } from '../fixtures/defects.mjs';

const tools = new URL('../../tools/compare/', import.meta.url);
if (!existsSync(new URL('node_modules/three/package.json', tools))) {
  console.log('skipped: npm packages of tools/compare are not installed (npm ci --prefix tools/compare)');
  process.exit(77);
}
const { makeScript, whatMovesOtherwise } = await import(new URL('compare.mjs', tools));
const { loadThree, threeTrace } = await import(new URL('three_trace.mjs', tools));

const command = process.env.VRM_COMMAND ?? 'build/release/bin/vrm';
const count = Number(process.env.VRM_DEFECTS ?? 60);
const first = Number(process.env.VRM_SEED ?? 0);
const temporary = mkdtempSync(join(tmpdir(), 'vrm-defects-'));
process.on('exit', () => rmSync(temporary, { recursive: true }));
process.on('unhandledRejection', () => {}); // three-vrm's binds load asynchronously, and their errors are not awaited

// Differences in how a defect is read, each with a row in docs/validation.md: code, possible paths (below VRM's
// extensions and the nodes), what may differ, and why. A finding excuses only the defect at its own path.
const joint = String.raw`/VRMC_springBone/springs/\d+/joints/\d+`;
const collider = String.raw`/VRMC_springBone/colliders/\d+`;
const constraint = String.raw`/nodes/\d+/extensions/VRMC_node_constraint`;
const bind = String.raw`/VRMC_vrm/expressions/(preset|custom)/\w+/(morphTarget|materialColor|textureTransform)Binds/\d+`;
const shape = String.raw`(/extensions/VRMC_springBone_extended_collider)?(/shape.*)?`;
const axis = String.raw`(/\d+)?`;
const atDefect = [
  ['VALUE_NOT_IN_RANGE', `${joint}/(dragForce|stiffness|gravityPower|hitRadius|gravityDir${axis})`, 'motion', 'clamped; three-vrm computes with what is there'],
  ['VALUE_NOT_IN_RANGE', `${collider}${shape}`, 'motion', 'clamped'],
  ['VALUE_NOT_IN_RANGE', `${constraint}/constraint/\\w+/weight`, 'motion', 'clamped'],
  ['VALUE_NOT_IN_RANGE', `/VRMC_vrm/lookAt/(offsetFromHeadBone${axis}|rangeMap\\w+/\\w+)`, 'motion', 'clamped'],
  ['VALUE_NOT_IN_RANGE', `${bind}/(node|index|material)`, 'fewer', 'left out; three-vrm keeps a bind that does nothing'],
  ['VALUE_NOT_IN_RANGE', `${bind}/(weight|targetValue${axis}|scale${axis}|offset${axis})`, 'motion', 'clamped'],
  ['TYPE_MISMATCH', `${joint}(/\\w+)*`, 'motion fewer', 'the default, or left out; three-vrm takes what JavaScript makes of it'],
  ['TYPE_MISMATCH', String.raw`/VRMC_springBone/(springs/\d+(/(center|colliderGroups|joints)${axis})?|colliderGroups/\d+(/colliders(/\d+)?)?)`, 'motion fewer', 'left out'],
  ['TYPE_MISMATCH', `${collider}${shape}`, 'motion fewer', 'the default, or left out'],
  ['TYPE_MISMATCH', `${constraint}(/.*)?`, 'motion', 'the default, or left out'],
  ['TYPE_MISMATCH', String.raw`/VRMC_vrm/(lookAt|humanoid/humanBones)(/.*)?`, 'motion', 'the default, or left out'],
  ['TYPE_MISMATCH', String.raw`/VRMC_vrm/expressions(/.*)?`, 'motion fewer', 'the default, or left out'],
  ['ARRAY_LENGTH_NOT_IN_LIST', `(${joint}/gravityDir|${collider}${shape}|/VRMC_vrm/lookAt/offsetFromHeadBone|${bind}/\\w+)`, 'motion fewer', 'the default where numbers lack; NaN in three-vrm'],
  ['VALUE_NOT_IN_LIST', `(${bind}/type|/VRMC_vrm/expressions/.*/(override\\w+|isBinary)|/VRMC_vrm/lookAt/type|${constraint}/.*[aA]xis)`, 'motion fewer', 'the default, or left out; three-vrm keeps the word'],
  ['UNRESOLVED_REFERENCE', `(${joint}/node|/VRMC_springBone/.*|${constraint}/.*|${bind}/\\w+|/VRMC_vrm/humanoid/humanBones/\\w+/node)`, 'motion fewer', 'left out'],
  ['UNDEFINED_PROPERTY', `(${joint}|${collider}${shape}|${constraint}/.*|${bind}|/VRMC_vrm/humanoid/humanBones/\\w+|/VRMC_springBone/(springs|colliderGroups)/\\d+)(/\\w+)?`, 'motion fewer', 'left out, or the default'],
  ['VRM1_SPEC_VERSION', '/(extensions|nodes/\\d+/extensions)/\\w+(/specVersion)?', 'motion fewer', 'read as 1.0; three-vrm leaves the extension out'],
  ['VRM1_LOOK_AT_RANGE', '/VRMC_vrm/lookAt/rangeMap\\w+(/.*)?', 'motion', 'limited to 180 degrees'],
  ['TYPE_MISMATCH', `/nodes/\\d+/(rotation|translation|scale)${axis}`, 'motion', "the default; three.js takes what JavaScript makes of it"],
  ['ROTATION_NON_UNIT', '/nodes/\\d+/rotation', 'motion', 'normalized; three.js computes with what is there'],
  ['MESH_PRIMITIVES_UNEQUAL_TARGETS_COUNT', '/meshes/\\d+/primitives/\\d+', 'motion', 'as many weights as the longest list; three.js takes the first primitive'],
];
// Findings that may appear away from the defect: in another spring or at another bone.
const anywhere = [
  ['VRM1_SPRING_JOINT_NOT_DESCENDANT', joint, 'motion fewer', 'left out; three-vrm turns the joint before towards it'],
  ['VRM1_SPRING_OVERLAP', '/VRMC_springBone/springs/\\d+', 'motion fewer', 'each node moves once; in three-vrm twice'],
  ['VRM1_SPRING_CENTER', '/VRMC_springBone/springs/\\d+/center', 'motion', 'dropped; three-vrm keeps it'],
  ['VRM1_SPRING_CYCLE', '/VRMC_springBone/springs/\\d+', 'motion', 'one spring goes ahead; in three-vrm another one'],
  ['VRM1_BONE_HIERARCHY', '/VRMC_vrm/humanoid/humanBones/\\w+', 'motion', 'the next bone above counts; three-vrm turns the node from the rest of the bone in the table'],
  ['VRM1_COLLIDER_PLANE_NORMAL_ZERO', collider, 'motion fewer', 'left out'],
  ['VRM1_COLOR_BIND_NO_TARGET', bind, 'fewer', 'left out; three-vrm keeps a bind that does nothing'],
  ['UNRESOLVED_REFERENCE', String.raw`/VRMC_springBone/(springs/\d+/colliderGroups|colliderGroups/\d+/colliders)/\d+`, 'motion fewer', 'left out'],
  ['VRM1_BONE_NOT_UNIQUE', '/VRMC_vrm/humanoid/humanBones/\\w+(/node)?', 'motion', 'the first bone has the node; in three-vrm both'],
  ['UNDECLARED_EXTENSION', '', 'motion fewer', 'read; three-vrm leaves it out'],
];

const isWithin = (path, above) => path === above || path.startsWith(`${above}/`);

/** The nodes of the scene; three.js neither shows nor updates the others. */
function nodesOfScene(json) {
  const found = new Set();
  const visit = (node) => {
    if (found.has(node)) return;
    found.add(node);
    const children = json.nodes[node]?.children;
    if (Array.isArray(children)) children.forEach(visit);
  };
  for (const node of json.scenes[json.scene ?? 0].nodes) visit(node);
  return found;
}

/** Whether a spring lists a collider twice, which then collides once in libvrm and twice in three-vrm. */
function listsTwice({ extensions: { VRMC_springBone: { springs, colliderGroups } } }) {
  return springs.some((spring) => {
    const all = (spring?.colliderGroups ?? []).flatMap((group) => colliderGroups[group]?.colliders ?? []);
    return new Set(all).size < all.length;
  });
}

/** Returns why motions can't be compared, whatever the findings, or null. */
function incomparable(json, defect, wholeScene) {
  if (Math.abs(Number(defect.now)) >= 1e9) return 'floats here, doubles there';
  if (defect.part === 'nodes' && nodesOfScene(json).size < wholeScene) return 'three.js does not update nodes outside the scene';
  if (defect.part === 'colliderGroups' && listsTwice(json)) return 'a collider that is listed twice';
  return null;
}

/** Returns the script without bones and expressions that libvrm does not find in the file. */
function without(script, file) {
  const bones = new Set(Object.keys(file.bones));
  const expressions = new Set((file.expressions ?? []).map((expression) => expression.name));
  const only = (values, names) => values && Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name)));
  return { ...script, events: script.events.map((event) => ({ ...event,
    ...event.humanBoneRotation && { humanBoneRotation: only(event.humanBoneRotation, bones) },
    ...event.expression && { expression: only(event.expression, expressions) } })) };
}

/** Returns true if a finding excuses that `what` ('motion', 'fewer') differs. */
function isReadDifferently(findings, defect, what) {
  const says = (rows, finding) => rows.some(([code, where, differs]) => (
    code === finding.code && differs.includes(what) && new RegExp(`${where}(/\\w+)?$`).test(finding.pointer ?? '')));
  return findings.some((finding) => says(anywhere, finding) || (says(atDefect, finding)
    && (isWithin(finding.pointer ?? '', defect.path) || isWithin(defect.path, finding.pointer ?? ''))));
}

// Defects that three-vrm loads and libvrm refuses: code, path, reason. A mesh's data and the node of a mesh have no
// default.
const refused = [
  ['NODE_PARENT_OVERRIDE', String.raw`/nodes/\d+/children/\d+`, 'a node in two places; three.js shows it at the last'],
  ['TYPE_MISMATCH', String.raw`/nodes/\d+(/(mesh|skin))?`, 'a node or its mesh is no such thing: a part of the figure would be missing'],
  ['\\w+', String.raw`/meshes/\d+/primitives/\d+/(attributes(/\w+)?|indices)`, 'another number or type of values than the vertices have: they would be drawn wrongly'],
  ['\\w+', String.raw`/accessors/\d+(/.*)?`, 'values of vertices that cannot be found; those of morph targets alone are left out'],
];

function readGlb(bytes) {
  const length = bytes.readUInt32LE(12);
  return { json: bytes.subarray(20, 20 + length).toString(), rest: bytes.subarray(20 + length) };
}

function writeGlb(path, json, rest) {
  let text = Buffer.from(JSON.stringify(json));
  text = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, 0x20)]);
  const head = Buffer.alloc(20);
  head.write('glTF');
  head.writeUInt32LE(2, 4);
  head.writeUInt32LE(20 + text.length + rest.length, 8);
  head.writeUInt32LE(text.length, 12);
  head.write('JSON', 16);
  writeFileSync(path, Buffer.concat([head, text, rest]));
}

/** Counts the parts of a model in three-vrm; parts with NaN do not count. Returns null if the model does not load or shows nothing. */
async function readThree(path) {
  let model;
  try {
    model = await loadThree(path, 'normalized');
    if (model.gltf.userData.vrm === undefined) return null;
    await new Promise((resolve) => { setTimeout(resolve, 0); }); // three-vrm's binds load later
    model.vrm.update(1 / 60);
    model.gltf.scene.updateMatrixWorld(true);
  } catch {
    return null;
  }
  const { vrm, nodes, gltf } = model;
  if (!nodes.every((node) => node.matrixWorld.elements.every((x) => Number.isFinite(Math.fround(x))))) return null;
  const joints = [...(vrm.springBoneManager?.joints ?? [])].filter((joint) => joint.bone && joint.child);
  const tests = joints.reduce((sum, joint) => sum + new Set(joint.colliderGroups.flatMap((group) => group.colliders)).size, 0);
  const expressions = vrm.expressionManager?.expressions ?? [];
  const index = (bind) => gltf.parser.associations.get(bind.material)?.materials;
  const binds = expressions.reduce((sum, expression) => sum + new Set(expression._binds.map((bind) => (
    bind.primitives ? `${bind.primitives[0]?.uuid}/${bind.index}` : `${index(bind)}/${bind.type ?? 'texture'}`))).size, 0);
  return { joints: joints.length, tests, expressions: expressions.length, binds };
}

function readOurs(file) {
  if (file.result !== 'SUCCESS') return null;
  const sum = (list, of) => (list ?? []).reduce((total, item) => total + of(item), 0);
  return {
    joints: sum(file.springChains, (chain) => chain.joints),
    tests: sum(file.springChains, (chain) => chain.joints * chain.colliders),
    expressions: (file.expressions ?? []).length,
    binds: sum(file.expressions, (e) => e.morphTargetBinds + e.materialColorBinds + e.textureTransformBinds),
  };
}

const sample = join(temporary, 'sample.vrm');
execFileSync(command, ['sample', '--minimal', '-o', sample]);
const { json: sound, rest } = readGlb(readFileSync(sample));
const wholeScript = makeScript(await loadThree(sample, 'normalized'), { seed: 1, frames: 12, mode: 'normalized' });

const wholeScene = nodesOfScene(JSON.parse(sound)).size;

let failures = 0;
const fail = (defect, what) => {
  ++failures;
  console.log(`FAILED ${defect.seed} ${defect.path}: ${defect.was} -> ${defect.now}: ${what}`);
};
const tally = Object.fromEntries(Object.keys(parts).map((part) => [part,
  { files: 0, ours: 0, repaired: 0, theirs: 0, both: 0, fewer: 0, alike: 0, otherwise: 0 }]));
const totals = { ours: { joints: 0, tests: 0, expressions: 0, binds: 0 }, theirs: { joints: 0, tests: 0, expressions: 0, binds: 0 } };

// A repair keeps these parts as libvrm reads them, but three-vrm reads them differently.
const keptAsRead = new Set(['VRM1_BONE_HIERARCHY', 'VRM1_BONE_NOT_UNIQUE', 'VRM1_SPRING_CYCLE', 'VRM1_COLOR_BIND_NO_TARGET']);
// A repair of these parts is not compared: three-vrm has another default or refuses a texture without an image, or the
// script moves the bone that was removed. An accessor that cannot be read is not repaired.
const otherDefaults = /^\/(textures\/|accessors\/|extensions\/VRMC_vrm\/(lookAt|humanoid\/humanBones))/;
const repaired = { files: 0, alike: 0 };

async function checkRepair(defect, path, codes, script) {
  if (otherDefaults.test(defect.path)) return;
  const fixed = join(temporary, 'fixed.vrm');
  const done = spawnSync(command, ['validate', '--fix', path, '-o', fixed, '--format', 'ndjson'], { encoding: 'utf8', maxBuffer: 1 << 26 });
  ++repaired.files;
  try {
    const differs = whatMovesOtherwise(command, path, script, await threeTrace(fixed, script));
    if (differs === null) {
      ++repaired.alike;
    } else if (!codes.some((code) => keptAsRead.has(code))) {
      fail(defect, `the repaired file moves otherwise in three-vrm: ${differs} (${codes})`);
    }
  } catch (error) {
    if (!codes.some((code) => keptAsRead.has(code))) fail(defect, `repaired, three-vrm: ${String(error.message).slice(0, 400)} ${done.stderr}`);
  }
}

for (let seed = first; seed < first + count; ++seed) {
  const json = JSON.parse(sound);
  const defect = makeDefect(json, seed);
  const path = join(temporary, 'defect.vrm');
  writeGlb(path, json, rest);
  const inspected = spawnSync(command, ['inspect', '--format', 'ndjson', path], { encoding: 'utf8', maxBuffer: 1 << 26 });
  if (inspected.status === null || inspected.status > 6) {
    fail(defect, `inspect ended with ${inspected.status ?? inspected.signal}`);
    continue;
  }
  const file = JSON.parse(inspected.stdout);
  const codes = file.findings.map((finding) => finding.code);
  const script = file.result === 'SUCCESS' ? without(wholeScript, file) : wholeScript;
  const notCompared = incomparable(json, defect, wholeScene);
  const ours = readOurs(file);
  const theirs = await readThree(path);
  if (file.repaired === true && notCompared === null) await checkRepair(defect, path, codes, script);
  const row = tally[defect.part];
  ++row.files;
  row.ours += ours !== null;
  row.repaired += file.repaired === true;
  row.theirs += theirs !== null;
  if (theirs !== null && ours === null) {
    const errors = file.findings.filter((f) => f.severity === 0);
    const why = refused.find(([code, where]) => errors.some((f) => new RegExp(`^${code}$`).test(f.code) && new RegExp(`^${where}$`).test(f.pointer)));
    if (why === undefined || !['nodes', 'meshes', 'skins', 'accessors'].includes(defect.part)) {
      fail(defect, `refused (${errors.map((f) => `${f.code} ${f.pointer}`)})`);
    } else {
      console.log(`refused: ${seed} ${defect.path}: ${defect.was} -> ${defect.now}: ${why[2]}`);
    }
  }
  if (theirs === null || ours === null) continue;
  ++row.both;
  for (const [what, number] of Object.entries(theirs)) {
    totals.ours[what] += ours[what];
    totals.theirs[what] += number;
    if (ours[what] < number) {
      ++row.fewer;
      if (!isReadDifferently(file.findings, defect, 'fewer')) {
        fail(defect, `${ours[what]} ${what}, three-vrm ${number} (${codes})`);
      } else {
        console.log(`fewer: ${seed} ${defect.path}: ${defect.was} -> ${defect.now}: ${what} ${ours[what]} of ${number} (${[...new Set(codes)]})`);
      }
    }
  }
  let why = null;
  try {
    why = whatMovesOtherwise(command, path, script, await threeTrace(path, script));
  } catch (error) {
    why = String(error.message).slice(0, 400);
  }
  const alike = why === null;
  row.alike += alike;
  row.otherwise += !alike;
  if (!alike && notCompared !== null) {
    console.log(`not compared: ${seed} ${defect.path}: ${defect.was} -> ${defect.now}: ${notCompared}`);
  } else if (!alike && !isReadDifferently(file.findings, defect, 'motion')) {
    fail(defect, `moves otherwise: ${why} (${codes})`);
  }
}

console.log(`${repaired.files} repaired files, ${repaired.alike} of them move alike`);
console.log('| part | files | loaded | repaired | three-vrm loads | both | fewer kept | move alike | read otherwise |');
console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- |');
for (const [part, row] of Object.entries(tally)) console.log(`| ${part} | ${Object.values(row).join(' | ')} |`);
console.log(JSON.stringify(totals));
console.log(`${count} defects, ${failures} failures`);
process.exit(failures === 0 ? 0 : 1);
