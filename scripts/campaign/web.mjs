// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// node scripts/campaign/web.mjs [COUNT]: loads damaged files by VRM.load() and by VRMLoader of the npm package, by default
// 2,000 of the sample and of two shapes. Each must give an avatar or an exception of the library, never a trap, and the
// module must stay usable. scripts/web must have built the package; tests/web runs 50 of these files.

import { join } from 'node:path';
import { damaged } from '../../tests/web/damage.mjs';
import { modules, ownLoader } from '../../tests/web/three_load.mjs';
import { check, dist, end, folder, shape } from '../../tests/web/web.mjs';

const count = Number(process.argv[2] ?? 2000);
const { ours } = await modules();
const { init, VRM } = await import(join(folder, 'dist/index.js'));
const module = await init(dist('vrm.wasm'));
const loader = ownLoader(ours, { module });
// Silences the messages of GLTFLoader and three about parts of a file that they ignore.
for (const name of ['warn', 'error']) console[name] = () => {};

/** Returns a word that describes how VRMLoader has read a file. */
async function byLoader(made) {
  try {
    const vrm = await loader.parseAsync(made);
    for (let frame = 0; frame < 3; ++frame) vrm.update(1 / 60);
    ours.VRMUtils.deepDispose(vrm.scene);
    return 'loaded';
  } catch (error) {
    return error.code ? 'refused' : String(error);
  }
}

for (const [i, name] of ['sample', 'branching', 'limits'].entries()) {
  const { bytes } = shape(name);
  const found = {}, inThree = {};
  let slowest = 0;
  for (const made of damaged(bytes, Math.ceil(count / 3), 1000 + i)) {
    const start = performance.now();
    let outcome = 'loaded';
    try {
      const vrm = await VRM.load(made, { module });
      for (let frame = 0; frame < 10; ++frame) vrm.update(1 / 60);
      check('outputs are finite', vrm.world.every(Number.isFinite));
      vrm.dispose();
    } catch (error) {
      outcome = error.code ?? String(error);
    }
    found[outcome] = (found[outcome] ?? 0) + 1;
    slowest = Math.max(slowest, performance.now() - start);
    const shown = await byLoader(made);
    inThree[shown] = (inThree[shown] ?? 0) + 1;
    check(`VRMLoader: ${shown}`, shown === 'refused' || (shown === 'loaded' && outcome === 'loaded'));
    check(`no trap: ${module.dead}`, module.dead === null);
    if (module.dead) process.exit(1);
  }
  check(`outcomes ${Object.keys(found)}`, Object.keys(found).every((outcome) => outcome === 'loaded' || /^ERROR_/.test(outcome)));
  const whole = await VRM.load(bytes, { module });
  whole.update(1 / 60);
  check('usable afterwards', whole.world.every(Number.isFinite));
  whole.dispose();
  console.log(`${name}: ${JSON.stringify(found)}, VRMLoader ${JSON.stringify(inThree)}, slowest ${slowest.toFixed(0)} ms, memory ${(module.memoryBytes / 2 ** 20).toFixed(1)} MB`);
}
end();
