// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// A material's current values in the layout of the shaders, and the shader features that the material needs.
// render/shaders/material.glsl describes the layout.

/** Slots of vrm_material_params.textures. */
export const SLOT = { base: 0, normal: 2, matcap: 7, outlineWidth: 9, uvMask: 10, count: 11 };
/** Slots whose images are colours, in sRGB. */
export const COLORS = new Set([0, 4, 5, 7, 8]);
/** Bits of FEATURES; those of the slots come first. */
export const FEATURE = { uv23: 1 << 11, animated: 1 << 12, mask: 1 << 13, blend: 1 << 14, tangents: 1 << 15, flat: 1 << 16, rim: 1 << 17,
  lit: 1 << 18, encode: 1 << 19, skin: 1 << 21, eightJoints: 1 << 22 };
const VECTORS = 33;
const ALPHA = { opaque: 0, mask: 1, blend: 2 };
const OUTLINE = { none: 0, worldCoordinates: 1, screenCoordinates: 2 };
const RIM_COLOR = 4;

/** glTF's default material, for primitives that name none. */
export const defaultMaterial = {
  name: '',
  params: { type: 'pbr', alphaMode: 'opaque', alphaCutoff: 0.5, doubleSided: false, transparentWithZWrite: false, renderQueueOffset: 0,
    colors: [[1, 1, 1, 1], ...Array.from({ length: 5 }, () => [0, 0, 0, 0])], emissiveStrength: 1, metallic: 1, roughness: 1,
    shadingShift: 0, shadingToony: 0, giEqualization: 0, rimFresnelPower: 0, rimLift: 0, rimLightingMix: 0, outlineMode: 'none',
    outlineWidth: 0, outlineLightingMix: 0, uvScrollSpeed: [0, 0], uvRotationSpeed: 0,
    textures: Array.from({ length: SLOT.count }, () => ({ index: -1, texCoord: 0, scale: 1,
      transform: { scale: [1, 1], offset: [0, 0], rotation: 0 } })) },
};

/** `values`: the values of the last update (VRM.materialValues), or null. */
export function vectors(params, values, out = new Float32Array(4 * VECTORS)) {
  (values ?? params).colors.forEach((color, i) => out.set(color, 4 * i));
  const { textures } = params;
  out.set([params.shadingShift, params.shadingToony, params.giEqualization, params.rimFresnelPower,
    params.rimLift, params.rimLightingMix, params.outlineWidth, params.outlineLightingMix,
    params.alphaCutoff, params.emissiveStrength, params.metallic, params.roughness,
    values?.uvScroll[0] ?? 0, values?.uvScroll[1] ?? 0, values?.uvRotation ?? 0, textures[6].scale,
    textures[SLOT.normal].scale, textures[3].scale, OUTLINE[params.outlineMode], ALPHA[params.alphaMode]], 24);
  textures.forEach(({ index, texCoord, transform }, slot) => {
    const moves = values && slot !== SLOT.matcap;
    const [width, height] = moves ? transform.scale.map((s, i) => values.uvBase * s + values.uvScale[i]) : transform.scale;
    const [x, y] = moves ? transform.offset.map((o, i) => values.uvBase * o + values.uvOffset[i]) : transform.offset;
    const c = Math.cos(transform.rotation);
    const s = Math.sin(transform.rotation);
    out.set([width * c, height * s, x, texCoord, -width * s, height * c, y, index >= 0 ? 1 : 0], 44 + 8 * slot);
  });
  return out;
}

const isBlack = ([r, g, b]) => r === 0 && g === 0 && b === 0;
const bit = (condition, feature) => (condition ? feature : 0);

export function features(params, values, outline) {
  let made = 0;
  params.textures.forEach(({ index, texCoord }, slot) => {
    if (index >= 0) made |= 1 << slot | bit(texCoord > 1, FEATURE.uv23);
  });
  const lit = !outline || params.outlineLightingMix !== 0;
  if (!lit) made &= 1 << SLOT.base | 1 << SLOT.outlineWidth | 1 << SLOT.uvMask | FEATURE.uv23;
  const animated = params.uvScrollSpeed[0] !== 0 || params.uvScrollSpeed[1] !== 0 || params.uvRotationSpeed !== 0;
  const rim = !isBlack(params.colors[RIM_COLOR]) || (values && !isBlack(values.colors[RIM_COLOR]));
  return made | bit(animated, FEATURE.animated) | bit(lit && rim, FEATURE.rim) | bit(lit && outline, FEATURE.lit)
    | bit(params.alphaMode === 'mask', FEATURE.mask) | bit(params.alphaMode === 'blend', FEATURE.blend);
}
