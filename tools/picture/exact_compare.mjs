// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// node exact_compare.mjs VRM-COMMAND OUT-FOLDER [NAME...]
//
// Draws the same pictures with `vrm render` and with three-vrm in headless Chromium: same matrices, light, size and
// blend space, no tone mapping, and the same driver if Chromium can use it. Prints the differences over the area of the
// figure, and leaves both pictures in the folder. The exit code is 1 if a difference exceeds `limits` (or the picture's
// own `allow`, which states its reason), and 77 if there is no browser.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { available, here, openPage } from './browser.mjs';
import { spheresGlb, sweeps } from './spheres.mjs';

const shared = process.env.VRM_SHARED ?? join(here, '../../../shared');
// Limits for the same driver, and for two different ones. Rasterisers differ in lines thinner than a pixel and where
// surfaces nearly touch.
const limits = {
  system: { ssim: 0.998, union: 0.999, off: 0.001, difference: 0.4 },
  swiftshader: { ssim: 0.955, union: 0.995, off: 0.025, difference: 2.6 },
};

const [command, folder, ...wanted] = [process.argv[2], resolve(process.argv[3] ?? 'pictures'), ...process.argv.slice(4)];
if (!command || !available) {
  console.log(command ? 'skipped: no Chromium or no node_modules (npm ci --prefix tools/picture)' : 'usage: see the head of this file');
  process.exit(command ? 77 : 2);
}
await mkdir(folder, { recursive: true });

const sample = join(folder, 'sample.vrm');
execFileSync(command, ['sample', '--minimal', '-o', sample]);
const full = join(folder, 'full.vrm');
execFileSync(command, ['sample', '-o', full]);
const conformance = (name) => join(shared, 'models/conformance', name + '.vrm');
// Standard materials without an environment: three.js omits the Fresnel factor of the specification in the diffuse
// term.
const standard = { ssim: 0.99, difference: 0.9 };
// three-vrm decodes the colours of VRM 0.x by the power 2.2, libvrm by sRGB's curve.
const power = { difference: 0.8 };
// Writes a VRM 0.x file without its look-at curves, which three-vrm does not read. With curves, even eyes that look
// ahead differ.
async function withoutCurves(file) {
  if (!existsSync(file)) return file;
  const bytes = await readFile(file), length = bytes.readUInt32LE(12);
  const json = JSON.parse(bytes.subarray(20, 20 + length).toString());
  for (const part of Object.values(json.extensions.VRM.firstPerson)) delete part?.curve;
  const text = Buffer.alloc(length, 0x20), out = join(folder, 'without-curves.vrm');
  text.write(JSON.stringify(json)); // the JSON is shorter than before; the remaining bytes stay blank
  await writeFile(out, Buffer.concat([bytes.subarray(0, 20), text, bytes.subarray(20 + length)]));
  return out;
}

// middle: height of the picture's middle; shown: height of the visible area, metres; yaw in degrees.
const pictures = [
  { name: 'body', file: sample, middle: 0.8, shown: 1.75 },
  { name: 'body-no-outline', file: sample, middle: 0.8, shown: 1.75, noOutline: true },
  { name: 'back', file: sample, middle: 0.8, shown: 1.75, yaw: 160 },
  { name: 'face', file: sample, middle: 1.42, shown: 0.4 },
  { name: 'face-side', file: sample, middle: 1.42, shown: 0.4, yaw: 60 },
  { name: 'happy', file: sample, middle: 1.42, shown: 0.4, expressions: { happy: 1 } },
  { name: 'blink-aa', file: sample, middle: 1.42, shown: 0.4, expressions: { blink: 1, aa: 0.7 } },
  { name: 'angry', file: sample, middle: 1.42, shown: 0.4, yaw: 20, expressions: { angry: 1 } },
  { name: 'full-body', file: full, middle: 0.8, shown: 1.75, yaw: 25 },
  { name: 'full-face', file: full, middle: 1.42, shown: 0.4, yaw: 20, expressions: { happy: 0.6 } },
  { name: 'first-person', file: sample, middle: 0.8, shown: 1.75, yaw: 30, firstPerson: true },
  { name: 'hands', file: sample, middle: 1.25, shown: 1.3, yaw: 30 },
  { name: 'godette', file: await withoutCurves(join(shared, 'models/avatars/Godette_vrm_v4.vrm')), middle: 0.75, shown: 1.7, older: true, allow: standard },
  ...['mtoon_default', 'mtoon_rimLightingMix_0p5', 'mtoon_shadingShift_1', 'mtoon_shadingToony_0'].map((name) => (
    { name, file: conformance(name), middle: 0, shown: 2.6, doubleSided: true })),
  { name: 'mtoon_uv_animation', file: conformance('VRMC_materials_mtoon_UV_Animation_Test'), middle: 0.8, shown: 1.9, time: 0.5 },
  ...['multi_uv_vrm1', 'mtoon1_2_20_61_vrm1', 'debug_robot', 'custom_normal'].map((name) => (
    { name, file: join(shared, 'models/blender', name + '.vrm'), middle: 0.8, shown: 1.9, yaw: 25,
      allow: name === 'custom_normal' ? power : {} })),
  ...await Promise.all(Object.entries(sweeps).map(async ([name, sweep]) => {
    const file = join(folder, `sweep-${name}.glb`);
    await writeFile(file, spheresGlb(sweep));
    return { name: `sweep-${name}`, file, middle: 0, shown: 7.6, time: sweep.time, environment: sweep.environment, allow: sweep.allow };
  })),
];

function matrices({ middle, shown, yaw = 0 }) {
  const fov = (20 * Math.PI) / 180, distance = shown / 2 / Math.tan(fov / 2), f = 1 / Math.tan(fov / 2);
  const near = distance * 0.1, far = distance * 10, a = (yaw * Math.PI) / 180, c = Math.cos(a), s = Math.sin(a);
  return {
    view: [c, 0, s, 0, 0, 1, 0, 0, -s, 0, c, 0, 0, -middle, -distance, 1],
    projection: [f, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, (2 * far * near) / (near - far), 0],
  };
}

const light = { yaw: -25, pitch: 35, strength: 0.92, ambient: 0.1 };
const background = '#30ff90';

async function drawOurs(picture, m) {
  const base = join(folder, picture.name);
  await writeFile(base + '.view.json', JSON.stringify(m.view));
  await writeFile(base + '.projection.json', JSON.stringify(m.projection));
  const expressions = Object.entries(picture.expressions ?? {}).map(([n, w]) => `${n}=${w}`).join(',');
  execFileSync(command, ['render', '-q', picture.file, '-o', base + '.png', '-s', '512', '--pose', 't', '--settle', '0',
    '--view-matrix', base + '.view.json', '--projection', base + '.projection.json', '--web-blend', '-b', background,
    '--light', `${light.yaw},${light.pitch},${light.strength}`, '--ambient', String(light.ambient), '--environment', String(picture.environment ?? 0),
    ...(expressions ? ['--expression', expressions] : []), ...(picture.doubleSided ? ['--double-sided'] : []),
    ...(picture.noOutline ? ['--no-outline'] : []), ...(picture.firstPerson ? ['-c', 'first-person'] : []),
    ...(picture.time ? ['--time', String(picture.time)] : [])]);
  return 'data:image/png;base64,' + (await readFile(base + '.png')).toString('base64');
}

const { page, gpu, system, close } = await openPage(
  'exact.mjs', 'window.drawThree && window.measure', (index) => pictures[index].file);
let failed = 0;
try {
  const said = spawnSync(command, ['render', sample, '-o', join(folder, 'driver.png'), '-s', '16', '--statistics']).stderr;
  console.log(`three-vrm by ${gpu}\nlibvrm by    ${said.toString().trim().split('\n').at(-1)}`);
  console.log('picture                    SSIM    union   >32 %   mean |d|  light    worst');
  for (const [i, picture] of pictures.entries()) {
    if ((wanted.length && !wanted.includes(picture.name)) || !existsSync(picture.file)) continue;
    const m = matrices(picture), yaw = (light.yaw * Math.PI) / 180, pitch = (light.pitch * Math.PI) / 180;
    const direction = [Math.sin(yaw) * Math.cos(pitch), Math.sin(pitch), Math.cos(yaw) * Math.cos(pitch)];
    const theirs = await page.evaluate((o) => window.drawThree(o), { ...picture, url: `/avatar/${i}`, ...m, direction,
      light: light.strength, ambient: light.ambient, environment: picture.environment ?? 0, background });
    await writeFile(join(folder, picture.name + '.three.png'), Buffer.from(theirs.split(',')[1], 'base64'));
    const d = await page.evaluate((a, b, c) => window.measure(a, b, c), theirs, await drawOurs(picture, m), background);
    const allow = { ...limits[system ? 'system' : 'swiftshader'], ...(system ? picture.allow : {}) };
    const good = d.figure > 2000 && d.ssim >= allow.ssim && d.union >= allow.union && d.off <= allow.off &&
      d.difference <= allow.difference;
    failed += !good;
    console.log(`${picture.name.padEnd(26)} ${d.ssim.toFixed(4)}  ${d.union.toFixed(4)}  ${(100 * d.off).toFixed(3)}  ` +
      `${d.difference.toFixed(3)}     ${d.light.toFixed(3).padStart(6)}   ${d.worst}${good ? '' : '   BEYOND'}`);
  }
} finally {
  await close();
}
console.log(failed ? `${failed} pictures are too far apart` : 'all pictures agree');
process.exit(failed ? 1 : 0);
