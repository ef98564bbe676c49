// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Creates a file's materials as GLTFLoader and the MToon plugin do, but without asking twenty plugins for each material.

import { Color, DoubleSide, LinearSRGBColorSpace, MeshBasicMaterial, MeshStandardMaterial, SRGBColorSpace, Vector2 } from 'three';
import { describe } from './file_meshes.js';

const EXTENSION = 'VRMC_materials_mtoon';
const UNLIT = 'KHR_materials_unlit';
const STRENGTH = 'KHR_materials_emissive_strength';
const HOOKS = ['loadMaterial', 'getMaterialType', 'extendMaterialParams'];
const VERSIONS = ['1.0', '1.0-beta'];
const COLORS = ['shadeColorFactor', 'matcapFactor', 'parametricRimColorFactor', 'outlineColorFactor'];
const VALUES = ['transparentWithZWrite', 'shadingShiftFactor', 'shadingToonyFactor', 'giEqualizationFactor', 'rimLightingMixFactor',
  'parametricRimFresnelPowerFactor', 'parametricRimLiftFactor', 'outlineWidthMode', 'outlineWidthFactor', 'outlineLightingMixFactor',
  'uvAnimationScrollXSpeedFactor', 'uvAnimationScrollYSpeedFactor', 'uvAnimationRotationSpeedFactor'];
const COLOR_TEXTURES = ['shadeMultiplyTexture', 'shadingShiftTexture', 'matcapTexture', 'rimMultiplyTexture'];
const TEXTURES = ['outlineWidthMultiplyTexture', 'uvAnimationMaskTexture'];

const linear = ([r, g, b]) => new Color().setRGB(r, g, b, LinearSRGBColorSpace);

// Returns the values that MToon's materials and GLTFLoader's own have in common.
function surfaceOf({ pbrMetallicRoughness: { baseColorFactor } = {}, doubleSided, alphaMode, alphaCutoff = 0.5 }) {
  const values = { transparent: alphaMode === 'BLEND' };
  if (Array.isArray(baseColorFactor)) {
    values.color = linear(baseColorFactor);
    values.opacity = baseColorFactor[3];
  }
  if (doubleSided === true) values.side = DoubleSide;
  if (values.transparent) values.depthWrite = false;
  if (alphaMode === 'MASK') values.alphaTest = alphaCutoff;
  return values;
}

function setStrength(values, { extensions }) {
  const strength = extensions?.[STRENGTH]?.emissiveStrength;
  if (strength !== undefined) values.emissiveIntensity = strength;
}

/** Returns true for materials that are made here: MToon, PBR, or unlit without other extensions. */
export function isPlainMaterial({ extensions = {} }) {
  const { [EXTENSION]: mtoon, ...others } = extensions;
  return (!mtoon || VERSIONS.includes(mtoon.specVersion)) && Object.keys(others).every((name) => name === UNLIT || name === STRENGTH);
}

/** Returns a promise of a PBR or unlit material. */
export async function makePlainMaterial(parser, index) {
  const def = parser.json.materials[index];
  const { extensions = {}, pbrMetallicRoughness: { baseColorTexture, metallicRoughnessTexture, metallicFactor = 1, roughnessFactor = 1 } = {},
    normalTexture, occlusionTexture, emissiveFactor, emissiveTexture } = def;
  const values = surfaceOf(def);
  const pending = [];
  const assign = (key, texture, space) => { if (texture) pending.push(parser.assignTexture(values, key, texture, space)); };
  assign('map', baseColorTexture, SRGBColorSpace);
  if (!extensions[UNLIT]) {
    values.metalness = metallicFactor;
    values.roughness = roughnessFactor;
    assign('metalnessMap', metallicRoughnessTexture);
    assign('roughnessMap', metallicRoughnessTexture);
    if (normalTexture) values.normalScale = new Vector2(1, 1).multiplyScalar(normalTexture.scale ?? 1);
    assign('normalMap', normalTexture);
    assign('aoMap', occlusionTexture);
    if (occlusionTexture?.strength !== undefined) values.aoMapIntensity = occlusionTexture.strength;
    if (emissiveFactor) values.emissive = linear(emissiveFactor);
    assign('emissiveMap', emissiveTexture, SRGBColorSpace);
    setStrength(values, def);
  }
  await Promise.all(pending);
  const material = new (extensions[UNLIT] ? MeshBasicMaterial : MeshStandardMaterial)(values);
  if (def.name) material.name = def.name;
  describe(parser, material, def);
  parser.associations.set(material, { materials: index });
  return material;
}

export class FileMaterials {
  #parser;
  #mtoon;
  #able;

  /** `plugin`: the loader plugin; `mtoon`: the plugin of MToon's materials. */
  constructor(parser, plugin, mtoon) {
    this.#parser = parser;
    this.#mtoon = mtoon;
    const foreign = ({ name }) => !/^(KHR|EXT|MSFT)_/.test(name);
    this.#able = typeof parser.assignTexture === 'function' && !Object.values(parser.plugins).some((other) =>
      other !== plugin && foreign(other) && HOOKS.some((hook) => other[hook]));
  }

  /** Returns a promise of a material, or null if GLTFLoader has to make it. */
  load(index) {
    const def = this.#parser.json.materials[index];
    const { [EXTENSION]: mtoon, ...others } = def.extensions ?? {};
    if (!this.#able || !mtoon || !VERSIONS.includes(mtoon.specVersion) || Object.keys(others).some((name) => name !== STRENGTH)) return null;
    return this.#make(index, def, mtoon);
  }

  async #make(index, def, mtoon) {
    const { materialType: Material, v0CompatShade, debugMode } = this.#mtoon;
    const { name, pbrMetallicRoughness: { baseColorTexture } = {}, normalTexture, emissiveFactor, emissiveTexture } = def;
    const values = { v0CompatShade, debugMode, ...surfaceOf(def) };
    const pending = [];
    const assign = (key, texture, space) => { if (texture) pending.push(this.#parser.assignTexture(values, key, texture, space)); };
    if (emissiveFactor) values.emissive = linear(emissiveFactor);
    setStrength(values, def);
    if (normalTexture) values.normalScale = new Vector2(1, 1).multiplyScalar(normalTexture.scale ?? 1);
    assign('map', baseColorTexture, SRGBColorSpace);
    assign('normalMap', normalTexture);
    assign('emissiveMap', emissiveTexture, SRGBColorSpace);
    for (const key of COLORS) if (mtoon[key]) values[key] = linear(mtoon[key]);
    for (const key of VALUES) if (mtoon[key] != null) values[key] = mtoon[key];
    for (const key of COLOR_TEXTURES) assign(key, mtoon[key], SRGBColorSpace);
    for (const key of TEXTURES) assign(key, mtoon[key]);
    if (mtoon.shadingShiftTexture?.scale != null) values.shadingShiftTextureScale = mtoon.shadingShiftTexture.scale;
    await Promise.all(pending);
    const material = new Material(values);
    if (name) material.name = name;
    describe(this.#parser, material, def);
    this.#parser.associations.set(material, { materials: index });
    return material;
  }
}
