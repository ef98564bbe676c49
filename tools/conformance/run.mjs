// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// node run.mjs VRM FOLDER [--only REGEX] [--size PIXELS] [--no-pictures] [--web-blend]
//
// Runs all plans, or those whose id matches REGEX, and scores the results. Prints a table by family, then the failures.
// Writes pictures and results.json to FOLDER.

import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { available, openPage } from '../picture/browser.mjs';
import { plans } from './families.mjs';
import { Runner, summarize } from './runner.mjs';

const [command, folder, ...rest] = process.argv.slice(2);
const option = (name) => (rest.includes(name) ? rest[rest.indexOf(name) + 1] : undefined);
if (!folder) {
  console.error('usage: node run.mjs VRM FOLDER [--only REGEX] [--size PIXELS] [--no-pictures] [--web-blend]');
  process.exit(2);
}
const pictures = available && !rest.includes('--no-pictures');
const wanted = plans.filter(({ id, what }) => new RegExp(option('--only') ?? '').test(id) && (pictures || what.join() !== 'picture'));
const model = resolve(folder, 'model.vrm');
const browser = pictures ? await openPage('plan_page.mjs', 'window.drawPlan', () => model) : null;
const runner = new Runner(command, resolve(folder), { browser, size: Number(option('--size') ?? 1024), rpc: rest.includes('--web-blend') ? ['--web-blend'] : [] });
const results = [];
try {
  for (const plan of wanted) results.push(await runner.run(plan));
} finally {
  await runner.end();
  await browser?.close();
}
writeFileSync(join(folder, 'results.json'), JSON.stringify(results, null, 1));

const fixed = (x, digits) => (x === undefined ? '' : x.toFixed(digits));
console.log(`${results.length} plans, self-scored${browser ? `, pictures on ${browser.gpu}` : ', without pictures'}\n`);
console.log('| family | plans | against unpatched | against patched | worst picture | worst joint, mm | three-vrm unpatched against patched |');
console.log('| --- | --- | --- | --- | --- | --- | --- |');
for (const { family, count, pass, worst } of summarize(results)) {
  console.log(`| ${family} | ${count} | ${pass.unpatched} | ${pass.patched} | ${fixed(worst.unpatched.picture, 4)} / ${fixed(worst.patched.picture, 4)} | `
    + `${fixed(worst.unpatched.mm, 3)} / ${fixed(worst.patched.mm, 3)} | ${pass.three} |`);
}
for (const { id, excluded, unpatched, patched, three, differs } of results) {
  const say = (s) => `${s.pass ? 'passes' : 'FAILS'} ${JSON.stringify(s, (key, v) => (typeof v === 'number' ? Number(v.toPrecision(4)) : v))}`;
  if (!unpatched.pass || !patched.pass) console.log(`${id}${excluded ? ` (${excluded})` : ''}\n  unpatched ${say(unpatched)}\n  patched ${say(patched)}\n  three-vrm ${say(three)}`);
  if (differs !== undefined) console.log(`${id}: similarity to its sibling ${differs.toFixed(4)}`);
}
process.exit(0);
