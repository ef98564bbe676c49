// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Files written by `vrm migrate`. The avatar of tools/dialects gives the same result from each of its dialects. Results
// follow the JSON Schemas of 1.0, have no error in `vrm validate` and no new error in Khronos' validator, and migrating
// them again changes nothing.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const tools = new URL('../../tools/', import.meta.url);
const { dialects, say } = await import(new URL('dialects/dialects.mjs', tools));
const { compileSchemas, installed } = await import(new URL('dialects/schemas.mjs', tools));
const command = process.env.VRM_COMMAND ?? 'build/release/bin/vrm';
const shared = process.env.VRM_SHARED ?? '../shared';
if (!existsSync(command)) {
  console.log(`skipped: ${command} is not there`);
  process.exit(77);
}
const temporary = mkdtempSync(join(tmpdir(), 'vrm-migrate-files-'));
process.on('exit', () => rmSync(temporary, { recursive: true }));

let failures = 0;
const fail = (text) => { ++failures; console.log(`FAILED ${text}`); };

function migrate(path, output, ...options) {
  const run = spawnSync(command, ['migrate', path, '-o', output, ...options], { encoding: 'utf8' });
  if (run.status !== 0) fail(`${basename(path)}: exit code ${run.status}: ${run.stderr}`);
  return run.stderr;
}

function readJson(path) {
  const file = readFileSync(path);
  return JSON.parse(file.toString('latin1', 0, 4) === 'glTF' ? file.subarray(20, 20 + file.readUInt32LE(12)) : file);
}

// --- one avatar, five dialects ---------------------------------------------------------------------------------------

/** Returns a material without glTF's defaults and without members that have no meaning: a matcap's texture is not transformed. */
function look({ name, doubleSided = false, alphaMode = 'OPAQUE', emissiveFactor, emissiveTexture, pbrMetallicRoughness, extensions }) {
  const { VRMC_materials_mtoon: mtoon, KHR_materials_unlit: unlit } = extensions;
  const { baseColorFactor, baseColorTexture } = pbrMetallicRoughness;
  return { name, doubleSided, alphaMode, emissiveFactor: emissiveFactor ?? [0, 0, 0], emissiveTexture, baseColorFactor, baseColorTexture, unlit,
    mtoon: mtoon && { transparentWithZWrite: false, renderQueueOffsetNumber: 0, ...mtoon, matcapTexture: mtoon.matcapTexture?.index } };
}

/** Returns the content of a document, by names instead of indices, without defaults and members that nobody reads. */
function meaning(json) {
  const parents = new Map(json.nodes.flatMap((node, i) => (node.children ?? []).map((child) => [child, i])));
  const name = (i) => (parents.has(i) && /end$/.test(json.nodes[i].name) ? `${json.nodes[parents.get(i)].name} end` : json.nodes[i].name);
  const { VRMC_vrm: vrm, VRMC_springBone: springs } = json.extensions;
  const sorted = (list) => [...(list ?? [])].sort((a, b) => (a.type < b.type ? -1 : 1));
  const expression = (e) => ({ binds: e.morphTargetBinds.map((b) => ({ ...b, node: name(b.node) })), isBinary: e.isBinary ?? false,
    colors: sorted(e.materialColorBinds), textures: e.textureTransformBinds ?? [],
    overrides: ['Mouth', 'Blink', 'LookAt'].map((kind) => e[`override${kind}`] ?? 'none') });
  const all = (map) => Object.fromEntries(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)).map(([k, e]) => [k, expression(e)]));
  return {
    versions: [vrm.specVersion, springs.specVersion],
    nodes: Object.fromEntries(json.nodes.map((node, i) => [name(i), { translation: node.translation ?? [0, 0, 0], mesh: node.mesh,
      parent: parents.has(i) ? name(parents.get(i)) : '', extensions: node.extensions }]).sort(([a], [b]) => (a < b ? -1 : 1))),
    bones: Object.fromEntries(Object.entries(vrm.humanoid.humanBones).map(([bone, { node }]) => [bone, name(node)]).sort(([a], [b]) => (a < b ? -1 : 1))),
    firstPerson: vrm.firstPerson.meshAnnotations.map(({ node, type }) => [name(node), type]),
    lookAt: Object.fromEntries(Object.entries(vrm.lookAt).sort(([a], [b]) => (a < b ? -1 : 1))),
    preset: all(vrm.expressions.preset), custom: all(vrm.expressions.custom),
    colliders: springs.colliders.map(({ node, shape }) => [name(node), shape.sphere.offset, shape.sphere.radius]),
    groups: springs.colliderGroups.map(({ colliders }) => colliders),
    springs: springs.springs.map((spring) => ({ name: spring.name, groups: spring.colliderGroups,
      tail: name(spring.joints.at(-1).node),
      joints: spring.joints.slice(0, -1).map(({ node, ...rest }) => [name(node), ...Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1))]) })),
    materials: json.materials.map(look),
    accessors: json.accessors, buffers: json.buffers, used: [...json.extensionsUsed].sort(),
  };
}

function compare(a, b, where) {
  if (typeof a === 'number' && typeof b === 'number') {
    if (!(Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(b)))) fail(`${where}: ${a} instead of ${b}`);
  } else if (a && b && typeof a === 'object' && typeof b === 'object') {
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) compare(a[key], b[key], `${where}/${key}`);
  } else if (a !== b) {
    fail(`${where}: ${JSON.stringify(a)} instead of ${JSON.stringify(b)}`);
  }
}

const made = [];
const wanted = meaning(say('1.0'));
const withoutConstraint = structuredClone(say('1.0')); // the avatar as 0.x can express it
for (const node of withoutConstraint.nodes) if (node.extensions?.VRMC_node_constraint) delete node.extensions;
withoutConstraint.extensionsUsed = withoutConstraint.extensionsUsed.filter((extension) => extension !== 'VRMC_node_constraint');
for (const dialect of [...dialects, 'draft-2020']) {
  const path = join(temporary, `${dialect}.gltf`);
  const output = join(temporary, `${dialect}-new.gltf`);
  writeFileSync(path, JSON.stringify(say(dialect)));
  const said = migrate(path, output, '--strict');
  const json = readJson(output);
  compare(meaning(json), dialect === '0.x' ? meaning(withoutConstraint) : wanted, dialect);
  if (/^warning/m.test(said.replace(/^warning VRM1_(LOOK_AT_UNIT|OLD_THUMB_NAMES).*$/gm, ''))) fail(`${dialect}: ${said}`);
  if (JSON.stringify(json).match(/"(VRM|VRMC_node_collider|olderTerms)"/g)?.includes('"VRM"')) fail(`${dialect}: VRM 0.x is left`);
  made.push({ name: dialect, path, output });
  console.log(`${dialect}: says the same as 1.0`);
}
for (const [dialect, term] of [['0.x', 'licenseName'], ['draft-prose', 'gameUsage'], ['draft-schema', 'modification']]) {
  const { meta } = readJson(join(temporary, `${dialect}-new.gltf`)).extensions.VRMC_vrm;
  if (meta.extras.olderTerms[term] === undefined) fail(`${dialect}: ${term} is not kept`);
}

// --- other people's files --------------------------------------------------------------------------------------------

for (const folder of ['avatars', 'blender', 'conformance']) {
  const where = join(shared, 'models', folder);
  if (!existsSync(where)) {
    console.log(`skipped: ${where} is not there`);
    continue;
  }
  for (const name of readdirSync(where).filter((file) => file.endsWith('.vrm')).sort()) {
    const path = join(where, name);
    const output = join(temporary, name);
    migrate(path, output);
    made.push({ name, path, output });
  }
}
for (const { name, path, output } of made) {
  const again = output.replace(/(\.\w+)$/, '-again$1');
  migrate(output, again);
  if (!readFileSync(again).equals(readFileSync(output))) fail(`${name}: migrated twice it differs`);
  if (readJson(path).extensions.VRMC_vrm?.specVersion === '1.0' && !readFileSync(path).equals(readFileSync(output))) {
    fail(`${name}: of 1.0 already, and changed`);
  }
  const { issues } = JSON.parse(spawnSync(command, ['validate', '--format', 'ndjson', output], { encoding: 'utf8' }).stdout);
  if (issues.numErrors !== 0 && readJson(path).extensions.VRMC_vrm?.specVersion !== '1.0') {
    fail(`${name}: vrm validate finds ${JSON.stringify(issues.messages.filter(({ severity }) => severity === 0))}`);
  }
  if (!readJson(path).extensions.VRM) continue;
  // Parts that do not belong to VRM are unchanged.
  const [before, after] = [readJson(path), readJson(output)];
  for (const key of ['asset', 'images', 'textures', 'samplers', 'bufferViews', 'scenes', 'skins']) {
    if (JSON.stringify(before[key]) !== JSON.stringify(after[key])) fail(`${name}: ${key} changed`);
  }
  before.nodes.forEach(({ name: old }, i) => old !== after.nodes[i].name && fail(`${name}: node ${i} is called otherwise`));
  // The output has no new faults. Faults of the file itself, such as an image's colour profile, remain.
  const known = new Set(JSON.parse(spawnSync(command, ['validate', '--format', 'ndjson', path], { encoding: 'utf8' }).stdout).issues.messages
    .map(({ code }) => code));
  const made = issues.messages.filter(({ severity, code }) => severity === 1 && !known.has(code));
  if (made.length !== 0) fail(`${name}: vrm validate warns: ${JSON.stringify(made)}`);
}

// --- schemas ---------------------------------------------------------------------------------------------------------

function checkSchemas() {
  const folders = ['VRMC_vrm-1.0', 'VRMC_springBone-1.0', 'VRMC_materials_mtoon-1.0', 'VRMC_node_constraint-1.0'];
  const schema = compileSchemas(...folders.map((folder) => join(shared, 'spec/schema', folder)));
  const check = (name, extension, value) => {
    const validate = schema(`${extension}.schema.json`);
    if (value !== undefined && !validate(value)) fail(`${name}, ${extension}: ${JSON.stringify(validate.errors.slice(0, 3))}`);
  };
  for (const { name, path, output } of made) {
    if (readJson(path).extensions.VRMC_vrm?.specVersion === '1.0') continue; // unchanged
    const json = readJson(output);
    check(name, 'VRMC_vrm', json.extensions.VRMC_vrm);
    check(name, 'VRMC_springBone', json.extensions.VRMC_springBone);
    for (const { extensions } of json.materials ?? []) check(name, 'VRMC_materials_mtoon', extensions?.VRMC_materials_mtoon);
    for (const { extensions } of json.nodes) check(name, 'VRMC_node_constraint', extensions?.VRMC_node_constraint);
  }
}

if (installed && existsSync(join(shared, 'spec/schema'))) {
  checkSchemas();
} else {
  console.log('schemas not checked: they or the npm packages of tools/dialects are not there');
}

// --- Khronos' validator ----------------------------------------------------------------------------------------------

async function errorsOf(validator, path) {
  const options = { maxIssues: 1000, externalResourceFunction: () => Promise.reject(new Error('none')) };
  const { issues } = await validator.validateBytes(new Uint8Array(readFileSync(path)), options);
  return issues.messages.filter(({ severity }) => severity === 0).map(({ code }) => code).sort();
}

if (existsSync(new URL('validate/node_modules/gltf-validator/package.json', tools))) {
  const validator = createRequire(new URL('validate/package.json', tools))('gltf-validator');
  for (const { name, path, output } of made) {
    const before = await errorsOf(validator, path);
    for (const code of await errorsOf(validator, output)) {
      const at = before.indexOf(code);
      if (at < 0) fail(`${name}: the validator finds ${code}, which the source has not`);
      else before.splice(at, 1);
    }
  }
} else {
  console.log('gltf-validator is not installed (npm ci --prefix tools/validate)');
}

console.log(`${made.length} files, ${failures} failures`);
process.exit(failures === 0 ? 0 : 1);
