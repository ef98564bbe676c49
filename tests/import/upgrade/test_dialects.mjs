// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The same avatar in five dialects (tools/dialects) moves and looks the same. Its 1.0 form agrees with three-vrm, and
// each form follows its schema if there is one.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const tools = new URL('../../../tools/dialects/', import.meta.url);
const { dialects, say } = await import(new URL('dialects.mjs', tools));
const { compileSchemas, installed } = await import(new URL('schemas.mjs', tools));
const command = process.env.VRM_COMMAND ?? 'build/release/bin/vrm';
const schemas = join(process.env.VRM_SHARED ?? '../shared', 'spec/schema');
const temporary = mkdtempSync(join(tmpdir(), 'vrm-dialects-'));
process.on('exit', () => rmSync(temporary, { recursive: true }));

let failures = 0;
const fail = (text) => { ++failures; console.log(`FAILED ${text}`); };

// --- motion --------------------------------------------------------------------------------------------------------

const frames = 240;
/** Rotates by half a turn about Y: from the world, in which 1.0 faces +Z, to the file's space of 0.x, and back. */
const turn = ([x, y, z, w]) => (w === undefined ? [-x, y, -z] : [-x, y, -z, w]);

function script(old) {
  const t = old ? turn : (v) => v;
  const about = ([x, y, z], angle) => {
    const s = Math.sin(angle / 2) / Math.hypot(x, y, z);
    return t([x * s, y * s, z * s, Math.cos(angle / 2)]);
  };
  const events = [];
  for (let frame = 0; frame < frames; ++frame) {
    const s = frame / 60;
    events.push({ frame,
      humanBoneRotation: { hips: about([0.1, 1, 0.2], 0.6 * Math.sin(3 * s)), head: about([1, 0.4, -0.3], 0.5 * Math.sin(5 * s)),
        leftThumbProximal: about([0, 1, 0], 0.4 * Math.sin(s)), leftUpperArm: about([0, 0.2, 1], Math.sin(2 * s)) },
      humanBoneTranslation: { hips: t([0.05 * Math.sin(4 * s), 0.9, 0.03 * Math.sin(2 * s)]) },
      root: { translation: t([0.3 * Math.sin(s), 0, 0.2 * Math.sin(2 * s)]), rotation: about([0, 1, 0], 0.8 * Math.sin(s)) },
      lookAtTarget: t([1.5 * Math.sin(2 * s), 1.4 + Math.sin(3 * s), 2]),
      expression: { happy: 0.5 + 0.5 * Math.sin(s), aa: 0.5, mine: 0.25, blinkLeft: 1 } });
  }
  return { frames, dt: 1 / 60, mode: 'normalized', time: 'reference', events };
}

function trace(dialect) {
  const at = (name) => join(temporary, `${dialect}-${name}`);
  writeFileSync(at('avatar.gltf'), JSON.stringify(say(dialect)));
  writeFileSync(at('script.json'), JSON.stringify(script(dialect === '0.x')));
  execFileSync(command, ['trace', '--quiet', at('avatar.gltf'), at('script.json'), '-o', at('trace.json')]);
  return JSON.parse(readFileSync(at('trace.json')));
}

const chunks = (list, size) => Array.from({ length: list.length / size }, (_, i) => list.slice(size * i, size * i + size));

/** Returns all numbers of a material in a fixed order: colours, opacity, texture transforms. */
function numbers(value) {
  if (typeof value === 'number') return [value];
  return (Array.isArray(value) ? value : Object.keys(value).sort().map((key) => value[key])).flatMap(numbers);
}

function compare(dialect, mine, theirs) {
  const t = dialect === '0.x' ? turn : (v) => v;
  const names = new Map(say('1.0').nodes.map((node, i) => [i, node.name]));
  const own = say(dialect).nodes;
  let worst = 0;
  let where = '';
  const note = (a, b, text) => {
    const d = Math.max(...a.map((v, i) => Math.abs(v - b[i])));
    if (!(d <= worst)) { worst = d; where = text; }
  };
  theirs.frames.forEach((frame, f) => {
    const other = mine.frames[f];
    const rotations = chunks(other.nodes.r, 4);
    const worlds = chunks(other.nodes.w, 16);
    chunks(frame.nodes.r, 4).forEach((q, i) => {
      const k = own.findIndex(({ name }) => name === names.get(i));
      if (k < 0 || names.get(i) === 'end') return; // in 0.x this node is virtual
      if (dialect === '0.x' && names.get(i) === 'follower') return; // 0.x has no constraints
      const r = t(rotations[k]);
      const sign = r.reduce((sum, v, j) => sum + v * q[j], 0) < 0 ? -1 : 1;
      note(r.map((v) => sign * v), q, `frame ${f} rotation of ${names.get(i)}`);
      note(t(worlds[k].slice(12, 15)), frame.nodes.w.slice(16 * i + 12, 16 * i + 15), `frame ${f} place of ${names.get(i)}`);
    });
    chunks(frame.springTails, 3).forEach((tail, i) => note(t(chunks(other.springTails, 3)[i]), tail, `frame ${f} tail ${i}`));
    note(Object.values(other.morphs)[0], Object.values(frame.morphs)[0], `frame ${f} morphs`);
    for (const [index, material] of Object.entries(frame.materials)) {
      note(numbers(other.materials[index]), numbers(material), `frame ${f} material ${index}`);
    }
    note([other.lookAt.yaw / 57.3, other.lookAt.pitch / 57.3], [frame.lookAt.yaw / 57.3, frame.lookAt.pitch / 57.3], `frame ${f} gaze`);
  });
  console.log(`${dialect}: differs from 1.0 by ${worst.toExponential(1)}${where && ` (${where})`}`);
  if (!(worst <= 1e-5)) fail(`${dialect}: ${worst} at ${where}`);
}

const reference = trace('1.0');
if (reference.springJoints.length !== 6) fail(`${reference.springJoints.length} spring joints`);
if (reference.stats.constraints !== 1 || reference.stats.materials !== 2) fail('constraints or materials are missing');
for (const [index, least] of [[0, 20], [1, 4]]) { // the binds change colours and textures
  const [first, later] = [0, 100].map((frame) => numbers(reference.frames[frame].materials[index]));
  if (first.length < least) fail(`material ${index} has ${first.length} numbers`);
  if (index === 0 && !first.some((v, i) => Math.abs(v - later[i]) > 0.01)) fail('no bind reaches the material');
}
for (const dialect of [...dialects, 'draft-2020']) {
  if (dialect !== '1.0') compare(dialect, trace(dialect), reference);
}

// --- dialects are recognised, and doubts reported --------------------------------------------------------------------

const told = { '0.x': '0.x', 'draft-prose': '1.0-draft', 'draft-schema': '1.0-draft', 'draft-2020': '1.0-draft', '1.0-beta': '1.0-beta', '1.0': '1.0' };
for (const dialect of [...dialects, 'draft-2020']) {
  const report = JSON.parse(execFileSync(command, ['inspect', '--format', 'json', join(temporary, `${dialect}-avatar.gltf`)])).files[0];
  if (report.dialect !== told[dialect]) fail(`${dialect} is told as ${report.dialect}`);
  const codes = report.findings.map(({ code }) => code);
  const expected = { '0.x': ['VRM0_VRM_EXTENSION'], 'draft-prose': ['VRM1_DRAFT', 'VRM1_LOOK_AT_UNIT'],
    'draft-schema': ['VRM1_DRAFT', 'VRM1_LOOK_AT_UNIT'], 'draft-2020': ['VRM1_DRAFT', 'VRM1_LOOK_AT_UNIT'], '1.0-beta': ['VRM1_LOOK_AT_UNIT'], '1.0': [] }[dialect];
  if (codes.join() !== expected.join()) fail(`${dialect}: found ${codes}`);
  if (dialect === 'draft-prose' && report.meta.oldTerms.gameUsage !== 'true') fail('gameUsage is not kept');
}
// If the caller chooses the unit, nothing is in doubt.
const chosen = JSON.parse(execFileSync(command,
  ['inspect', '--format', 'json', '--look-at-unit', 'degrees', join(temporary, '1.0-beta-avatar.gltf')])).files[0];
if (chosen.findings.length !== 0) fail('a chosen unit is doubted');
if (Math.abs(chosen.lookAt.rangeMapHorizontalInner.outputScale - (9 * Math.PI) / 180) > 1e-6) fail('chosen degrees');

// --- differences of the prose and the beta ---------------------------------------------------------------------------

// Prose and beta have no schemas. Each row reverts one difference (docs/dialects.md): the path, the later name (null if
// the member was dropped), and the later value. After all rows are applied, no difference may remain.
const degrees = (radians) => Number(((radians * 180) / Math.PI).toPrecision(12));
const lower = (word) => word[0].toLowerCase() + word.slice(1);
const isNow = (from, to) => (value) => (value === from ? to : `${value}, which was to be ${from}`);
const differences = {
  'draft-prose': ['draft-schema', [
    ['specVersion', 'specVersion', isNow('1.0.0', '1.0-draft')],
    ['expressions.*.textureTransformBinds.*.scale', 'scaling'],
    ['meta.copyrights', 'copyrightInformation'],
    ['meta.reference', 'references', (text) => [text]],
    ['meta.violentUsage', 'allowExcessivelyViolentUsage'],
    ['meta.gameUsage', null],
    ['meta.modify', 'modification', lower],
    ['meta.avatarPermission', 'avatarPermission', lower],
    ['meta.commercialUsage', 'commercialUsage', isNow('PersonalCommercial', 'personalProfit')],
    ['meta.creditNotation', 'creditNotation', lower],
    ['firstPerson.meshAnnotations.*.firstPersonFlag', 'firstPersonType'],
    ...['HorizontalInner', 'HorizontalOuter', 'VerticalDown', 'VerticalUp'].flatMap((map) => [
      [`lookAt.${lower(map)}`, `lookAt${map}`], [`lookAt.lookAt${map}.outputScale`, 'outputScale', degrees]]),
  ]],
  '1.0-beta': ['1.0', [
    ['specVersion', 'specVersion', isNow('1.0-beta', '1.0')],
    ...['HorizontalInner', 'HorizontalOuter', 'VerticalDown', 'VerticalUp'].map(
      (map) => [`lookAt.rangeMap${map}.outputScale`, 'outputScale', degrees]),
  ]],
};

/** Reverts a row's difference; returns the number of places where it occurred. */
function takeBack(value, [key, ...rest], name, change) {
  if (key === '*') return (value ?? []).reduce((sum, item) => sum + takeBack(item, rest, name, change), 0);
  if (value?.[key] === undefined) return 0;
  if (rest.length !== 0) return takeBack(value[key], rest, name, change);
  const old = value[key];
  delete value[key];
  if (name !== null) value[name] = change(old);
  return 1;
}

const sorted = (value) => (value === null || typeof value !== 'object' ? value : Array.isArray(value) ? value.map(sorted)
  : Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, item]) => [key, sorted(item)])));
for (const [dialect, [later, rows]] of Object.entries(differences)) {
  const vrm = say(dialect).extensions.VRMC_vrm;
  const wanted = JSON.stringify(sorted(say(later).extensions.VRMC_vrm));
  if (JSON.stringify(sorted(vrm)) === wanted) fail(`${dialect} is said as ${later}`);
  for (const [path, name, change = (v) => v] of rows) {
    const before = JSON.stringify(vrm);
    if (takeBack(vrm, path.split('.'), name, change) === 0) fail(`${dialect} does not say ${path}`);
    if (JSON.stringify(vrm) === before) fail(`${dialect}: ${path} is no difference`);
  }
  if (JSON.stringify(sorted(vrm)) !== wanted) fail(`${dialect} differs from ${later} beyond the table: ${JSON.stringify(sorted(vrm))}, ${wanted}`);
  else console.log(`${dialect}: ${rows.length} differences from ${later}, and no other`);
}

// --- schemas ---------------------------------------------------------------------------------------------------------

function checkSchema(dialect, folder, name, value) {
  const validate = compileSchemas(join(schemas, folder))(name);
  if (!validate(value)) fail(`${dialect} against ${folder}/${name}: ${JSON.stringify(validate.errors.slice(0, 3))}`);
  else console.log(`${dialect}: ${name} is followed`);
}

const seed = 'drafts/seed-dialect@4f382ff';
if (!installed) {
  console.log('schemas not checked: npm packages of tools/dialects are not installed (npm ci --prefix tools/dialects)');
} else if (!existsSync(schemas)) {
  console.log(`schemas not checked: ${schemas} is not there`);
} else {
  const of = (dialect) => say(dialect).extensions;
  checkSchema('0.x', '0.0', 'vrm.schema.json', of('0.x').VRM);
  checkSchema('1.0', 'VRMC_vrm-1.0', 'VRMC_vrm.schema.json', of('1.0').VRMC_vrm);
  checkSchema('1.0', 'VRMC_springBone-1.0', 'VRMC_springBone.schema.json', of('1.0').VRMC_springBone);
  checkSchema('draft-schema', `${seed}/VRMC_vrm-1.0_draft`, 'VRMC_vrm.schema.json', of('draft-schema').VRMC_vrm);
  checkSchema('draft-schema', `${seed}/VRMC_springBone-1.0_draft`, 'VRMC_springBone.schema.json', of('draft-schema').VRMC_springBone);
  checkSchema('draft-2020', 'drafts/VRMC_springBone-1.0_draft@ed82b2d', 'VRMC_springBone.schema.json', of('draft-2020').VRMC_springBone);
  checkSchema('1.0-beta', 'drafts/VRMC_springBone-1.0_draft@2331103parent', 'VRMC_springBone.schema.json', of('1.0-beta').VRMC_springBone);
  const on = (dialect, name) => say(dialect).nodes.find(({ extensions }) => extensions?.[name]).extensions[name];
  const mtoon = (dialect) => say(dialect).materials[0].extensions.VRMC_materials_mtoon;
  checkSchema('draft-schema', 'drafts/VRMC_node_collider_1.0_draft', 'VRMC_node_collider.json', on('draft-schema', 'VRMC_node_collider'));
  checkSchema('draft-schema', `${seed}/VRMC_constraints-1.0_draft`, 'VRMC_constraints.schema.json', on('draft-schema', 'VRMC_constraints'));
  checkSchema('draft-schema', `${seed}/VRMC_materials_mtoon-1.0_draft`, 'VRMC_materials_mtoon.schema.json', mtoon('draft-schema'));
  checkSchema('1.0-beta', 'drafts/VRMC_node_constraint-1.0_draft@066d816parent', 'VRMC_node_constraint.schema.json', on('1.0-beta', 'VRMC_node_constraint'));
  for (const dialect of ['1.0-beta', '1.0']) {
    checkSchema(dialect, 'VRMC_materials_mtoon-1.0', 'VRMC_materials_mtoon.schema.json', mtoon(dialect));
  }
  checkSchema('1.0', 'VRMC_node_constraint-1.0', 'VRMC_node_constraint.schema.json', on('1.0', 'VRMC_node_constraint'));
}

// --- three-vrm -------------------------------------------------------------------------------------------------------

const comparison = new URL('../../../tools/compare/', import.meta.url);
if (!existsSync(new URL('node_modules/three/package.json', comparison))) {
  console.log('not held against three-vrm: npm packages of tools/compare are not installed (npm ci --prefix tools/compare)');
} else {
  const { compareModel, tolerance } = await import(new URL('compare.mjs', comparison));
  const { free, step, joints, ours } = await compareModel(command, join(temporary, '1.0-avatar.gltf'), { mode: 'normalized', frames: 240 });
  const limits = { angle: tolerance.angle, position: tolerance.position, morphs: tolerance.value, materials: tolerance.value,
    lookAt: tolerance.angle, loose: 1 };
  for (const [what, limit] of Object.entries(limits)) {
    if (!(free[what].value <= limit)) fail(`1.0 beside three-vrm: ${what} ${free[what].value} at ${free[what].where}`);
  }
  if (!(step.value <= 1) || joints !== ours) fail(`1.0 beside three-vrm: one step ${step.value}, ${joints} joints for ${ours}`);
  console.log(`1.0 beside three-vrm: rotation ${free.angle.value.toExponential(1)}, materials ${free.materials.value.toExponential(1)}`);
}

console.log(`${dialects.length} dialects, ${failures} failures`);
process.exit(failures === 0 ? 0 : 1);
