// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Writes GLB files with three spheres side by side. In each file the spheres' MToon materials differ in one factor.

import { deflateSync } from 'node:zlib';

const rings = 48, sides = 96, texels = 16;

function sphere() {
  const positions = [], uvs = [], indices = [];
  for (let i = 0; i <= rings; ++i) {
    for (let k = 0; k <= sides; ++k) {
      const theta = (Math.PI * i) / rings, phi = (2 * Math.PI * k) / sides;
      const p = [Math.sin(theta) * Math.sin(phi), Math.cos(theta), Math.sin(theta) * Math.cos(phi)];
      positions.push(...p);
      uvs.push(0.5 + 0.5 * p[0], 0.5 - 0.5 * p[1]);
    }
  }
  for (let i = 0; i < rings; ++i) {
    for (let k = 0; k < sides; ++k) {
      const a = i * (sides + 1) + k, b = a + sides + 1;
      indices.push(a, b, a + 1, a + 1, b, b + 1);
    }
  }
  return { positions: Float32Array.from(positions), uvs: Float32Array.from(uvs), indices: Uint16Array.from(indices) };
}

function crc(bytes) {
  let c = ~0;
  for (const byte of bytes) {
    c ^= byte;
    for (let k = 0; k < 8; ++k) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
  }
  return ~c >>> 0;
}

// Encodes RGBA rows as PNG.
export function png(width, height, pixels) {
  const chunk = (name, data) => {
    const out = Buffer.alloc(data.length + 12);
    out.writeUInt32BE(data.length);
    out.write(name, 4, 'latin1');
    out.set(data, 8);
    out.writeUInt32BE(crc(out.subarray(4, -4)), data.length + 8);
    return out;
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width);
  head.writeUInt32BE(height, 4);
  head.set([8, 6], 8);
  const rows = Buffer.alloc(height * (width * 4 + 1));
  for (let y = 0; y < height; ++y) rows.set(pixels.subarray(y * width * 4, (y + 1) * width * 4), y * (width * 4 + 1) + 1);
  return Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]), chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]);
}

// A texture that is smooth and different in every channel. The normal map leans by up to half a radian.
function texture(normals) {
  const pixels = new Uint8Array(texels * texels * 4);
  for (let y = 0; y < texels; ++y) {
    for (let x = 0; x < texels; ++x) {
      const at = 4 * (y * texels + x), u = Math.sin((2 * Math.PI * x) / texels), v = Math.sin((2 * Math.PI * y) / texels);
      pixels.set(normals ? [128 + 60 * u, 128 + 60 * v, 220, 255] : [40 + 12 * x, 240 - 9 * y, 30 + 6 * (x + y), 255 - 14 * x], at);
    }
  }
  return png(texels, texels, pixels);
}

// Colours and data have separate images, because three.js keeps one colour space for textures with the same image and
// sampler.
const image = { index: 0 }, data = { index: 2 };
// Metal, without an environment and in one that is the same in all directions.
const metal = [0.1, 0.5, 0.9].map((roughnessFactor) => ({ pbr: { metallicFactor: 1, roughnessFactor }, extensions: { VRMC_materials_mtoon: undefined } }));
// three.js adds the light that rough metal reflects more than once. Appendix B of the glTF specification does not.
const rough = { ssim: 0.96, off: 0.28, difference: 13 };
// name: three materials, each given by its changes to the plain one. `m` has MToon's members; `time` is in seconds.
const mtoon = (...rows) => rows.map((m) => ({ m }));
export const sweeps = {
  metal: { spheres: metal, allow: rough },
  metalEnvironment: { spheres: metal, environment: 0.5, allow: rough },
  base: { spheres: [[1, 0, 0, 1], [0.2, 0.7, 0.3, 1], [0, 0.1, 0.9, 1]].map((c) => ({ pbr: { baseColorFactor: c } })) },
  baseTexture: { spheres: [0.2, 0.6, 1].map((c) => ({ pbr: { baseColorFactor: [c, 1, 1, 1], baseColorTexture: image } })) },
  textureTransform: { spheres: [0, 0.7, -2].map((rotation) => ({ pbr: { baseColorTexture: { index: 0,
    extensions: { KHR_texture_transform: { rotation, scale: [2, 1.5], offset: [0.2, 0.3] } } } } })) },
  alphaCutoff: { spheres: [0.3, 0.5, 0.8].map((alphaCutoff) => ({ pbr: { baseColorTexture: image }, more: { alphaMode: 'MASK', alphaCutoff } })) },
  alphaBlend: { spheres: [0.2, 0.5, 0.9].map((a) => ({ pbr: { baseColorFactor: [1, 0.5, 0.2, a] }, more: { alphaMode: 'BLEND' } })) },
  transparentWithZWrite: { spheres: [0.2, 0.5, 0.9].map((a) => ({ pbr: { baseColorFactor: [1, 0.5, 0.2, a] },
    m: { transparentWithZWrite: true }, more: { alphaMode: 'BLEND', doubleSided: true } })) },
  doubleSided: { spheres: [0.1, 0.3, 0.6].map((alphaCutoff) => ({ pbr: { baseColorTexture: image },
    more: { alphaMode: 'MASK', alphaCutoff, doubleSided: true } })) },
  shadeColor: { spheres: mtoon(...[[0, 0, 0], [0.5, 0.2, 0.7], [1, 1, 1]].map((shadeColorFactor) => ({ shadeColorFactor }))) },
  shadeTexture: { spheres: mtoon(...[0.2, 0.6, 1].map((c) => ({ shadeColorFactor: [c, 1, c], shadeMultiplyTexture: image }))) },
  shadingShift: { spheres: mtoon(...[-0.8, 0.2, 0.9].map((shadingShiftFactor) => ({ shadingShiftFactor }))) },
  shadingShiftTexture: { spheres: mtoon(...[-0.5, 0.4, 1].map((scale) => ({ shadingShiftTexture: { index: 2, scale } }))) },
  shadingToony: { spheres: mtoon(...[0, 0.5, 0.97].map((shadingToonyFactor) => ({ shadingToonyFactor }))) },
  giEqualization: { spheres: mtoon(...[0, 0.5, 1].map((giEqualizationFactor) => ({ giEqualizationFactor }))) },
  matcap: { spheres: mtoon(...[[0.2, 0.2, 0.2], [1, 0.3, 0.1], [1, 1, 1]].map((matcapFactor) => ({ matcapFactor, matcapTexture: image }))) },
  rimColor: { spheres: mtoon(...[[0.2, 0, 0], [0, 0.6, 0.2], [1, 1, 1]].map((parametricRimColorFactor) => ({ parametricRimColorFactor }))) },
  rimPower: { spheres: mtoon(...[0, 1, 20].map((parametricRimFresnelPowerFactor) => ({ parametricRimColorFactor: [0.6, 0.5, 0.2], parametricRimFresnelPowerFactor }))) },
  rimLift: { spheres: mtoon(...[-0.4, 0.2, 0.7].map((parametricRimLiftFactor) => ({ parametricRimColorFactor: [0.6, 0.5, 0.2], parametricRimLiftFactor }))) },
  rimTexture: { spheres: mtoon(...[1, 2, 5].map((parametricRimFresnelPowerFactor) => ({ parametricRimColorFactor: [1, 1, 1], parametricRimFresnelPowerFactor, rimMultiplyTexture: image }))) },
  rimLightingMix: { spheres: mtoon(...[0, 0.5, 1].map((rimLightingMixFactor) => ({ parametricRimColorFactor: [0.8, 0.5, 0.3], parametricRimFresnelPowerFactor: 1, rimLightingMixFactor }))) },
  emission: { spheres: [[0.1, 0, 0], [0, 0.5, 0.2], [0.3, 0.3, 1]].map((emissiveFactor) => ({ more: { emissiveFactor } })) },
  emissionTexture: { spheres: [0.3, 0.6, 1].map((c) => ({ more: { emissiveFactor: [c, c, c], emissiveTexture: image } })) },
  emissionStrength: { spheres: [0, 1.5, 5].map((emissiveStrength) => ({ more: { emissiveFactor: [0.1, 0.05, 0.2] },
    extensions: { KHR_materials_emissive_strength: { emissiveStrength } } })) },
  outlineWorld: { spheres: mtoon(...[0.02, 0.08, 0.2].map((w) => ({ outlineWidthMode: 'worldCoordinates', outlineWidthFactor: w, outlineColorFactor: [0.8, 0, 0.1], outlineLightingMixFactor: 0 }))) },
  outlineScreen: { spheres: mtoon(...[0.005, 0.015, 0.03].map((w) => ({ outlineWidthMode: 'screenCoordinates', outlineWidthFactor: w, outlineColorFactor: [0.8, 0, 0.1], outlineLightingMixFactor: 0 }))) },
  outlineTexture: { spheres: mtoon(...[0.05, 0.1, 0.2].map((w) => ({ outlineWidthMode: 'worldCoordinates', outlineWidthFactor: w, outlineWidthMultiplyTexture: data, outlineColorFactor: [0.8, 0, 0.1], outlineLightingMixFactor: 0 }))) },
  outlineColor: { spheres: mtoon(...[[0, 0, 0], [0.2, 0.9, 0.1], [1, 1, 1]].map((outlineColorFactor) => ({ outlineWidthMode: 'worldCoordinates', outlineWidthFactor: 0.15, outlineColorFactor, outlineLightingMixFactor: 0 }))) },
  outlineLightingMix: { spheres: mtoon(...[0, 0.5, 1].map((outlineLightingMixFactor) => ({ outlineWidthMode: 'worldCoordinates', outlineWidthFactor: 0.2, outlineColorFactor: [1, 0.9, 0.8], outlineLightingMixFactor, shadingToonyFactor: 0.3 }))) },
  uvScrollX: { time: 0.5, spheres: mtoon(...[-0.6, 0.3, 1].map((uvAnimationScrollXSpeedFactor) => ({ uvAnimationScrollXSpeedFactor, shadeMultiplyTexture: image }))) },
  uvScrollY: { time: 0.5, spheres: mtoon(...[-0.6, 0.3, 1].map((uvAnimationScrollYSpeedFactor) => ({ uvAnimationScrollYSpeedFactor, shadeMultiplyTexture: image }))) },
  uvRotation: { time: 0.5, spheres: mtoon(...[-1.5, 0.5, 3].map((uvAnimationRotationSpeedFactor) => ({ uvAnimationRotationSpeedFactor, shadeMultiplyTexture: image }))) },
  uvMask: { time: 0.5, spheres: mtoon(...[-0.6, 0.5, 1].map((w) => ({ uvAnimationScrollXSpeedFactor: w, uvAnimationRotationSpeedFactor: w, uvAnimationMaskTexture: data, shadeMultiplyTexture: image }))) },
  normalScale: { spheres: [-1, 0.5, 1].map((scale) => ({ more: { normalTexture: { index: 1, scale } }, m: { shadingToonyFactor: 0.3 } })) },
};

// Returns the GLB of a sweep.
export function spheresGlb({ spheres }) {
  const s = sphere(), parts = [s.positions, s.uvs, s.indices, texture(false), texture(true)];
  const bytes = parts.map((p) => Buffer.from(p.buffer, p.byteOffset, p.byteLength));
  const views = [];
  let size = 0;
  for (const b of bytes) {
    views.push({ buffer: 0, byteOffset: size, byteLength: b.length });
    size += (b.length + 3) & ~3;
  }
  const binary = Buffer.alloc(size);
  bytes.forEach((b, i) => binary.set(b, views[i].byteOffset));
  const count = s.positions.length / 3, floats = { componentType: 5126, count };
  const json = {
    asset: { version: '2.0' },
    extensionsUsed: ['VRMC_materials_mtoon', 'KHR_texture_transform', 'KHR_materials_emissive_strength'],
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ children: [1, 2, 3] }, ...[-1, 0, 1].map((x, mesh) => ({ mesh, translation: [2.4 * x, 0, 0] }))],
    meshes: spheres.map((_, material) => ({ primitives: [{ attributes: { POSITION: 0, NORMAL: 0, TEXCOORD_0: 1 }, indices: 2, material }] })),
    materials: spheres.map(({ pbr = {}, m = {}, more = {}, extensions = {} }) => ({
      pbrMetallicRoughness: { baseColorFactor: [0.9, 0.6, 0.4, 1], ...pbr }, ...more,
      extensions: { VRMC_materials_mtoon: { specVersion: '1.0', shadeColorFactor: [0.3, 0.2, 0.5], shadingToonyFactor: 0.7, ...m }, ...extensions },
    })),
    images: [3, 4].map((bufferView) => ({ bufferView, mimeType: 'image/png' })),
    samplers: [0, 1].map(() => ({ magFilter: 9729, minFilter: 9987 })),
    textures: [[0, 0], [1, 0], [0, 1]].map(([source, sampler]) => ({ source, sampler })),
    accessors: [
      { bufferView: 0, ...floats, type: 'VEC3', min: [-1, -1, -1], max: [1, 1, 1] },
      { bufferView: 1, ...floats, type: 'VEC2' },
      { bufferView: 2, componentType: 5123, count: s.indices.length, type: 'SCALAR' },
    ],
    bufferViews: views,
    buffers: [{ byteLength: size }],
  };
  const text = Buffer.from(JSON.stringify(json));
  const padded = Buffer.alloc((text.length + 3) & ~3, 0x20);
  padded.set(text);
  const head = Buffer.alloc(20), middle = Buffer.alloc(8);
  [0x46546c67, 2, 28 + padded.length + size, padded.length, 0x4e4f534a].forEach((v, i) => head.writeUInt32LE(v, 4 * i));
  [size, 0x004e4942].forEach((v, i) => middle.writeUInt32LE(v, 4 * i));
  return Buffer.concat([head, padded, middle, binary]);
}
