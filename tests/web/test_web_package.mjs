// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The package as a user gets it: packed, installed in an empty folder, with the README's program; also its types, a
// bundle by esbuild, and its sizes. No test here reads the checkout's web/, except for the README.

import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compiled, diagnostics } from './declarations.mjs';
import { bvh, check, command, end, folder, package_, root, run, same } from './web.mjs';

const tools = join(root, 'tools/web');
const node = process.execPath;
const npm = (cwd, ...args) => run('npm', '--prefix', cwd, ...args, '--no-audit', '--no-fund', '--offline', '--loglevel=error');

// --- packed and installed ---

const [packed] = JSON.parse(run('npm', 'pack', package_, '--pack-destination', folder, '--json', '--loglevel=error'));
const files = packed.files.map(({ path }) => path);
check(`no file of the tests or sources' tools is packed: ${files}`, files.every((path) => /^(dist\/(?:three\/)?[\w-]+\.(js|d\.ts|wasm)|package\.json|README\.md|LICENSE|CHANGELOG\.md)$/.test(path)));
const manifest = JSON.parse(readFileSync(join(package_, 'package.json'), 'utf8'));
same('version is that of the headers', manifest.version, run(command, '--version').match(/\d+\.\d+\.\d+/)[0]);
same('no dependencies, no scripts', [manifest.dependencies, manifest.scripts], [undefined, undefined]);
for (const target of Object.values(manifest.exports).flatMap((value) => (typeof value === 'string' ? value : Object.values(value)))) {
  check(`${target} of the exports is packed`, files.includes(target.slice(2)));
}
for (const value of Object.values(manifest.exports)) {
  check('types come first', typeof value === 'string' || Object.keys(value)[0] === 'types');
}

const home = join(folder, 'home');
mkdirSync(home);
writeFileSync(join(home, 'package.json'), '{"private": true, "type": "module"}');
npm(home, 'install', join(folder, packed.filename));
same('one package is installed', readdirSync(join(home, 'node_modules')).filter((name) => !name.startsWith('.')), ['libvrm']);

const programs = [...readFileSync(join(root, 'web/README.md'), 'utf8').matchAll(/```js\n([^]*?)```/g)].map((found) => found[1]);
const [program] = programs;
check('ten lines', program.trim().split('\n').length <= 12);
run(command, 'sample', '--minimal', '-o', join(home, 'avatar.vrm'));
writeFileSync(join(home, 'readme.mjs'), program.replaceAll("'avatar.vrm'", JSON.stringify(join(home, 'avatar.vrm'))));
const said = run(node, join(home, 'readme.mjs')).trim();
check(`the README's program says "${said}"`, /^.+ \d+ skinning matrices$/.test(said) && !said.includes(' 0 skinning'));

// The longer programs of the README.
writeFileSync(join(home, 'walk.vrma'), bvh.replace('0 -40 0', '0 -90 0')); // legs as long as the hips are high
for (const [i, words] of [/^0 \d+ \d{3,} \d{3,} 1$/, /^\w+ active$/].entries()) {
  const text = programs[i + 1].replaceAll(/'(avatar.vrm|walk.vrma)'/g, (_, name) => JSON.stringify(join(home, name)));
  writeFileSync(join(home, `readme${i}.mjs`), text);
  const printed = run(node, join(home, `readme${i}.mjs`)).trim();
  check(`the README's program ${i + 2} says "${printed}"`, words.test(printed));
}

// --- types ---

cpSync(join(root, 'tests/web/types.ts'), join(home, 'types.ts'));
// Wrong programs are refused.
const wrong = ["VRM.load(3)", "vrm.humanoid.setNormalizedRotation('tail', [0, 0, 0, 1])", 'vrm.update()', 'vrm.worlds',
  'vrm.springBoneManager.setParams({ wind: [0, 0, 0] })', 'vrm.humanoid.setHipsPosition([0, 1])', "vrm.clips.play('walk')"];
const refused = wrong.map((line, i) => {
  const file = join(home, `wrong${i}.ts`);
  writeFileSync(file, `import { VRM } from 'libvrm';\ndeclare const vrm: VRM;\n${line};\n`);
  return file;
});
const right = (path) => path.startsWith(home) && !refused.includes(path);
for (const resolution of ['bundler', 'nodenext']) {
  const typed = compiled(resolution, [join(home, 'types.ts'), ...(resolution === 'bundler' ? refused : [])]);
  check(`declarations of the installed package are read by ${resolution}`, typed.getSourceFile(join(home, 'node_modules/libvrm/dist/index.d.ts')) !== undefined);
  same(`types by ${resolution}`, diagnostics(typed, right), []);
  if (resolution === 'bundler') refused.forEach((file, i) => check(`types refuse ${wrong[i]}`, diagnostics(typed, (path) => path === file).length > 0));
}
// The examples must also compile with these types.
const examples = readdirSync(join(root, 'web/examples'), { recursive: true }).filter((name) => name.endsWith('.js')).map((name) => {
  const copy = join(home, `example-${name.replaceAll('/', '-')}`);
  cpSync(join(root, 'web/examples', name), copy);
  return copy;
});
check('there are examples', examples.length > 0);
same('types of the examples', diagnostics(compiled('bundler', examples, { allowJs: true, checkJs: true }), right), []);
// Everything that the declarations promise exists.
const declared = (file) => [...readFileSync(join(package_, 'dist', file), 'utf8').matchAll(/^export (?:class|function) (\w+)/gm)].map((found) => found[1]);
for (const [name, types] of [['index', ['index.d.ts', 'vrm.d.ts', 'error.d.ts']], ['inline', ['index.d.ts', 'vrm.d.ts', 'error.d.ts']], ['runtime', ['runtime.d.ts', 'vrm.d.ts', 'error.d.ts']],
  ['ragdoll', ['ragdoll.d.ts']], ['worker', ['worker.d.ts', 'error.d.ts']]]) {
  const exported = await import(`file://${package_}/dist/${name}.js`);
  for (const word of types.flatMap(declared)) check(`${name}.js exports ${word}`, typeof exported[word] === 'function');
  for (const word of Object.keys(exported)) {
    check(`${word} of ${name}.js is declared`, types.flatMap(declared).includes(word));
  }
}

// --- bundled ---

const { buildSync } = await import(`file://${tools}/node_modules/esbuild/lib/main.js`);
writeFileSync(join(home, 'bundle.mjs'), `${program.replaceAll("'avatar.vrm'", JSON.stringify(join(home, 'avatar.vrm')))
  .replace('VRM.load(', 'VRM.load(').replace("import { VRM } from 'libvrm';", "import { init, VRM } from 'libvrm';\nimport wasm from 'libvrm/vrm.wasm';\nconst module = await init(wasm);")
  .replace(/readFile\((.*?)\)\)/, 'readFile($1), { module })')}`);
const bundled = buildSync({ entryPoints: [join(home, 'bundle.mjs')], outdir: join(home, 'out'), bundle: true, format: 'esm', minify: true,
  platform: 'node', target: 'es2022', loader: { '.wasm': 'binary' }, outExtension: { '.js': '.mjs' }, logLevel: 'silent', metafile: true });
same('esbuild warns of nothing', bundled.warnings.map(({ text }) => text), []);
same("esbuild's bundle says the same", run(node, join(home, 'out/bundle.mjs')).trim(), said);
// Bundlers remove code that is not used.
writeFileSync(join(home, 'part.mjs'), "export { VRMError } from 'libvrm';\n");
const part = buildSync({ entryPoints: [join(home, 'part.mjs')], bundle: true, format: 'esm', minify: true, write: false, logLevel: 'silent' });
check(`an import of VRMError alone is ${part.outputFiles[0].contents.length} bytes`, part.outputFiles[0].contents.length < 2000);

// --- sizes ---

const sizes = JSON.parse(run('python3', '-B', join(root, 'web/make/sizes.py'), 'json', package_, tools));
const committed = JSON.parse(readFileSync(join(root, 'web/sizes.json'), 'utf8'));
same('measured files', Object.keys(sizes).sort(), Object.keys(committed).sort());
for (const [name, size] of Object.entries(sizes)) {
  console.log(`${String(size).padStart(8)} bytes gzipped, ${(100 * (size / committed[name] - 1)).toFixed(1)} % above the committed: ${name}`);
  check(`${name} has ${size} bytes, more than 2 % above the ${committed[name]} of web/sizes.json (scripts/web writes it: VRM_RENEW=1)`,
    size <= 1.02 * committed[name]);
}
end();
