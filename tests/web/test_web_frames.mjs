// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The same bits as the native library: 1,000 frames of several avatars in each build, also if memory grows between
// frames.

import { join } from 'node:path';
import { sumOfFrames } from './frames.mjs';
import { build, command, dist, end, entry, folder, run, same, shape } from './web.mjs';

const SHAPES = ['sample', 'branching', 'mirrored', 'limits', 'carried', 'armature'];
const program = join(folder, 'frames');
run(process.env.CC ?? 'cc', '-std=c17', '-O1', '-Iinclude', 'tests/web/frames.c', join(build, 'libvrm.a'), '-lm', '-pthread', '-o', program);

const full = await entry('index');
const runtime = await entry('runtime');
const modules = {
  simd: await full.init(dist('vrm.wasm')),
  scalar: await full.init(dist('vrm-scalar.wasm')),
};
const small = await runtime.init(dist('vrm-runtime.wasm'));

run(command, 'sample', '-o', join(folder, 'full.vrm'));
for (const { path, bytes } of [...SHAPES.map(shape), shape('full')]) {
  const expected = run(program, path).trim();
  const name = path.split('/').pop();
  for (const [kind, module] of Object.entries(modules)) {
    const vrm = await full.VRM.load(bytes, { module });
    same(`${name}, ${kind}`, sumOfFrames(vrm), expected);
    if (kind === 'simd') {
      const cooked = full.cook(vrm.avatar);
      const other = await runtime.VRM.load(cooked, { module: small });
      same(`${name}, runtime`, sumOfFrames(other), expected);
      other.dispose();
    }
    vrm.dispose();
  }
}

// Memory grows between two frames, which makes every view invalid.
const { bytes, path } = shape('sample');
const module = await full.init(dist('vrm.wasm'));
const vrm = await full.VRM.load(bytes, { module });
const before = module.memoryBytes;
const old = vrm.world;
const blocks = [];
const sum = sumOfFrames(vrm, (frame) => {
  if (frame % 100 === 50) blocks.push(module.allocate(1 << 20));
});
same('with growing memory', sum, run(program, path).trim());
same('memory has grown', module.memoryBytes > before && old.length === 0, true);
vrm.dispose();
end();
