// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Declarations of libvrm/three. A program for three-vrm compiles under --strict with a changed import. Everything that
// three-vrm declares is declared or listed in three_absent.json, and everything that is declared exists.

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compiled, diagnostics, ts } from './declarations.mjs';
import { check, end, folder, package_, root, same } from './web.mjs';

const tools = join(root, 'tools');
if (!existsSync(join(tools, 'compare/node_modules/@types/three/package.json'))) {
  console.log('skipped: npm packages of tools/compare are not installed (scripts/install-npm tools/compare)');
  process.exit(77);
}
const modules = join(folder, 'node_modules');
mkdirSync(modules);
for (const name of readdirSync(join(tools, 'compare/node_modules')).filter((one) => !one.startsWith('.'))) {
  symlinkSync(join(tools, 'compare/node_modules', name), join(modules, name));
}
cpSync(package_, join(modules, 'libvrm'), { recursive: true });
cpSync(join(package_, 'package.json'), join(folder, 'package.json'));

function write(name, text) {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

// --- programs ---

const text = readFileSync(join(root, 'tests/web/types_three.ts'), 'utf8');
const changed = text.replaceAll("'@pixiv/three-vrm-animation'", "'libvrm/three'").replaceAll("'@pixiv/three-vrm'", "'libvrm/three'");
const programs = [write('theirs.mts', text), write('ours.mts', changed),
  write('more.mts', `import { updateAll, VRMLoaderPlugin } from 'libvrm/three';
import { VRMLoader, VRMUtils } from 'libvrm/three';
import type { VRM } from 'libvrm/three';
export async function crowd(url: string, bytes: Uint8Array): Promise<VRM[]> {
  const loader = new VRMLoader(undefined, { springTime: 'reference', instance: { hairInputs: true }, prepare: (other) => { other.setDRACOLoader(null); } });
  const first: VRM = await loader.loadAsync(url);
  loader.load(url, (vrm) => vrm.update(0), undefined, console.error);
  return [first, VRMUtils.clone(first), await loader.setPath('avatars/').parseAsync(bytes)];
}
export function frame(vrms: VRM[], delta: number): void {
  updateAll(vrms, delta);
  const wind: [number, number, number] = [1, 0, 0];
  for (const { instance } of vrms) instance?.springBoneManager.setWind(wind);
}
export const plugins = [VRMLoaderPlugin];
`)];
const wrong = ['vrm.update()', "vrm.expressionManager?.setValue(3, 1)", "vrm.humanoid.getRawBoneNode('tail')", 'vrm.sceen', "vrm.lookAt!.target = 'camera'"];
const refused = wrong.map((line, i) => write(`wrong${i}.mts`, `import type { VRM } from 'libvrm/three';\ndeclare const vrm: VRM;\n${line};\n`));
const list = write('list.mts', `export * as core from '@pixiv/three-vrm';\nexport * as animation from '@pixiv/three-vrm-animation';\nexport * as ours from 'libvrm/three';\n`);
const options = { lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'], types: [], preserveSymlinks: true };
const whole = compiled('bundler', [...programs, ...refused, list], options);
same('what tsc says (bundler)', diagnostics(whole, (path) => programs.includes(path)), []);
// Node does not accept three-vrm's own declarations as modules.
const forNode = programs.slice(1);
same('what tsc says (nodenext)', diagnostics(compiled('nodenext', forNode, options), (path) => forNode.includes(path)), []);
refused.forEach((file, i) => check(`types refuse ${wrong[i]}`, diagnostics(whole, (path) => path === file).length > 0));

// --- what is declared ---

const declarations = join(modules, 'libvrm/dist/three/index.d.ts');
check('the declarations belong to the program', whole.getSourceFile(declarations) !== undefined);
same('what tsc says of the declarations', diagnostics(whole, (path) => path === declarations), []);

const checker = whole.getTypeChecker();
const exported = Object.fromEntries(checker.getExportsOfModule(checker.getSymbolAtLocation(whole.getSourceFile(list))).map((symbol) =>
  [symbol.name, new Map(checker.getExportsOfModule(checker.getAliasedSymbol(symbol)).map((one) => [one.name, one.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(one) : one]))]));
const isPublic = (symbol) => !symbol.name.startsWith('_') && !symbol.name.startsWith('#') && !(symbol.declarations ?? []).some((node) =>
  ts.getCombinedModifierFlags(node) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected));
const members = (symbol) => checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol)).filter(isPublic).map(({ name }) => name);

// The names and members that three-vrm declares and libvrm/three does not.
const ABSENT = JSON.parse(readFileSync(join(root, 'tests/web/three_absent.json')));
const missing = {};
for (const [name, symbol] of [...exported.core, ...exported.animation]) {
  const own = exported.ours.get(name);
  if (!own) (missing.names ??= []).push(name);
  else if (symbol.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface)) {
    const mine = new Set(members(own));
    const left = members(symbol).filter((member) => !mine.has(member));
    if (left.length) missing[name] = left.sort();
  }
}
missing.names?.sort();
same('what three-vrm declares and libvrm/three does not', missing, ABSENT);

// --- what is there ---

globalThis.self = globalThis;
cpSync(join(root, 'tests/web/three_modules.mjs'), join(folder, 'three_modules.mjs'));
const three = await import(join(modules, 'libvrm/dist/three/index.js'));
const values = [...exported.ours].filter(([, { flags }]) => flags & ts.SymbolFlags.Value).map(([name]) => name).sort();
same('values that are declared', values, Object.keys(three).sort());
end();
