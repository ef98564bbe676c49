// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The materials of the avatar in dialects.mjs: an MToon material with every feature that all dialects have, and an
// unlit one. Colours are linear, as in VRM 1.0. Where VRM 0.x stores them for Unity, they are converted to sRGB.

const base = { baseColor: [0.6, 0.5, 0.4, 1], emissive: [0.05, 0.1, 0.15] };
const transform = { scale: [0.5, 0.25], offset: [0.1, 0.2] };
const mtoon = { shade: [0.3, 0.2, 0.1], rim: [0.2, 0.1, 0.3], outline: [0.1, 0.05, 0.02], rimFresnel: 4, rimLift: 0.1, rimLighting: 0.6,
  outlineWidth: 0.004, outlineLighting: 0.7, scroll: [0.1, -0.2], rotation: 0.5, giEqualization: 0.75 };
// Before VRM 1.0, MToon's shading changes between `shift` and lerp(1, shift, toony). VRM 1.0 specifies the middle and
// the sharpness of this range.
const oldShading = { shift: 0.2, toony: 0.8 };
const high = 1 + (oldShading.shift - 1) * oldShading.toony;
const shading = { shift: -(high + oldShading.shift) / 2, toony: (2 - (high - oldShading.shift)) / 2 };
const unlit = [0.9, 0.8, 0.7, 1];
// The values to which an expression changes the first material.
const target = { color: [1, 0.25, 0.125, 1], emissionColor: [0.5, 0.4, 0.3, 1], shadeColor: [0.1, 0.6, 0.2, 1],
  rimColor: [0.7, 0.1, 0.2, 1], outlineColor: [0.4, 0.3, 0.9, 1] };
const moved = { scale: [0.75, 0.5], offset: [0.3, -0.1] };

const srgb = (c) => (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055);
const encode = ([r, g, b, a = 1]) => [srgb(r), srgb(g), srgb(b), a];
/** Returns Unity's scale and offset, with V upwards: [sx, sy, ox, oy]. */
const st = ({ scale: [sx, sy], offset: [ox, oy] }) => [sx, sy, ox, 1 - oy - sy];

/** A texture that all materials show. */
export const texturedParts = () => ({ textures: [{ source: 0 }], images: [{ mimeType: 'image/png', uri: 'data:image/png;base64,'
  + 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==' }] });

const matcap = { index: 0 };
const info = { index: 0, extensions: { KHR_texture_transform: transform } };

function newMtoon(specVersion) {
  return { specVersion, shadeColorFactor: mtoon.shade, shadeMultiplyTexture: info, shadingShiftFactor: shading.shift,
    shadingToonyFactor: shading.toony, giEqualizationFactor: mtoon.giEqualization, matcapFactor: [1, 1, 1], matcapTexture: matcap,
    parametricRimColorFactor: mtoon.rim, rimMultiplyTexture: info, rimLightingMixFactor: mtoon.rimLighting,
    parametricRimFresnelPowerFactor: mtoon.rimFresnel, parametricRimLiftFactor: mtoon.rimLift,
    outlineWidthMode: 'worldCoordinates', outlineWidthFactor: mtoon.outlineWidth, outlineWidthMultiplyTexture: info,
    outlineColorFactor: mtoon.outline, outlineLightingMixFactor: mtoon.outlineLighting, uvAnimationMaskTexture: info,
    uvAnimationScrollXSpeedFactor: mtoon.scroll[0], uvAnimationScrollYSpeedFactor: mtoon.scroll[1],
    uvAnimationRotationSpeedFactor: mtoon.rotation };
}

/** Uses the draft's keys. Its textures are indices, with the transform of baseColorTexture. */
function draftMtoon() {
  return { version: '1.0-draft', shadeFactor: mtoon.shade, shadeMultiplyTexture: 0, shadingShiftFactor: oldShading.shift,
    shadingToonyFactor: oldShading.toony, giIntensityFactor: 1 - mtoon.giEqualization, additiveTexture: 0, rimFactor: mtoon.rim,
    rimMultiplyTexture: 0, rimLightingMixFactor: mtoon.rimLighting, rimFresnelPowerFactor: mtoon.rimFresnel, rimLiftFactor: mtoon.rimLift,
    outlineWidthMode: 'worldCoordinates', outlineWidthFactor: mtoon.outlineWidth, outlineWidthMultiplyTexture: 0,
    outlineColorMode: 'mixedLighting', outlineFactor: mtoon.outline, outlineLightingMixFactor: mtoon.outlineLighting,
    uvAnimationMaskTexture: 0, uvAnimationScrollXSpeedFactor: mtoon.scroll[0], uvAnimationScrollYSpeedFactor: mtoon.scroll[1],
    uvAnimationRotationSpeedFactor: mtoon.rotation };
}

/** Returns glTF's materials. */
export function materials(dialect) {
  const old = dialect === '0.x';
  const draft = dialect.startsWith('draft');
  const skin = { name: 'skin', doubleSided: true, emissiveFactor: base.emissive, emissiveTexture: draft ? { index: 0 } : info,
    pbrMetallicRoughness: { baseColorFactor: base.baseColor, baseColorTexture: info } };
  if (!old) skin.extensions = { VRMC_materials_mtoon: draft ? draftMtoon() : newMtoon(dialect) };
  return [skin, { name: 'eye', alphaMode: 'BLEND', pbrMetallicRoughness: { baseColorFactor: unlit },
    extensions: { KHR_materials_unlit: {} } }];
}

/** Returns Unity's materials, which VRM 0.x has in addition. */
export function materialProperties() {
  const [sx, sy, ox, oy] = st(transform);
  const other = { renderQueue: -1, keywordMap: {}, tagMap: {} };
  return [{ name: 'skin', shader: 'VRM/MToon', ...other,
    floatProperties: { _BlendMode: 0, _CullMode: 0, _ShadeShift: oldShading.shift, _ShadeToony: oldShading.toony,
      _IndirectLightIntensity: 1 - mtoon.giEqualization, _RimFresnelPower: mtoon.rimFresnel, _RimLift: mtoon.rimLift,
      _RimLightingMix: mtoon.rimLighting, _OutlineWidthMode: 1, _OutlineWidth: mtoon.outlineWidth * 100, _OutlineColorMode: 1,
      _OutlineLightingMix: mtoon.outlineLighting, _UvAnimScrollX: mtoon.scroll[0], _UvAnimScrollY: -mtoon.scroll[1],
      _UvAnimRotation: mtoon.rotation / (2 * Math.PI) },
    vectorProperties: { _Color: encode(base.baseColor), _ShadeColor: encode(mtoon.shade), _EmissionColor: [...base.emissive, 1],
      _RimColor: encode(mtoon.rim), _OutlineColor: encode(mtoon.outline), _MainTex: [ox, oy, sx, sy] },
    textureProperties: { _MainTex: 0, _ShadeTexture: 0, _EmissionMap: 0, _SphereAdd: 0, _RimTexture: 0, _OutlineWidthTexture: 0,
      _UvAnimMaskTexture: 0 } },
  { name: 'eye', shader: 'VRM/UnlitTransparent', ...other, renderQueue: 3000, floatProperties: {}, textureProperties: {},
    vectorProperties: { _Color: encode(unlit) } }];
}

/** Returns an expression's binds: by the material's index, in VRM 0.x by its name. */
export const colorBinds = Object.entries(target).map(([type, targetValue]) => ({ material: 0, type, targetValue }));
export const textureBinds = (dialect) => [{ material: 0, [dialect === 'draft-schema' || dialect === 'draft-2020' ? 'scaling' : 'scale']: moved.scale,
  offset: moved.offset }];
export function materialValues() {
  const property = { color: '_Color', emissionColor: '_EmissionColor', shadeColor: '_ShadeColor', rimColor: '_RimColor', outlineColor: '_OutlineColor' };
  return [...Object.entries(target).map(([type, value]) => ({ materialName: 'skin', propertyName: property[type],
    targetValue: type === 'emissionColor' ? value : encode(value) })),
  { materialName: 'skin', propertyName: '_MainTex_ST', targetValue: st(moved) }];
}
