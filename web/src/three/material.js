// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Applies the material values that expressions change. three's materials keep the values that their loader gave them;
// what is added is the difference between the library's value and its value at rest. The two may therefore read colours
// of VRM 0.x differently.

import { layoutOf } from '../struct.js';
import { tell } from './mtoon.js';

// The library's colours in order, under their names in three's materials.
const COLORS = {
  isMToonMaterial: ['color', 'emissive', 'shadeColorFactor', 'matcapFactor', 'parametricRimColorFactor', 'outlineColorFactor'],
  isMeshStandardMaterial: ['color', 'emissive'],
  isMeshBasicMaterial: ['color'],
};
const TEXTURES = {
  isMToonMaterial: ['map', 'normalMap', 'emissiveMap', 'shadeMultiplyTexture', 'shadingShiftTexture', 'rimMultiplyTexture',
    'outlineWidthMultiplyTexture', 'uvAnimationMaskTexture'],
  isMeshStandardMaterial: ['map', 'emissiveMap', 'bumpMap', 'normalMap', 'displacementMap', 'roughnessMap', 'metalnessMap', 'alphaMap', 'aoMap'],
  isMeshBasicMaterial: ['map', 'specularMap', 'alphaMap'],
};

/** Property of a material's colour by the words of VRM: [color, opacity or null]; null where it has none. */
export function colorProperty(material, type) {
  const kind = Object.keys(COLORS).find((name) => material[name] === true);
  const index = ['color', 'emissionColor', 'shadeColor', 'matcapColor', 'rimColor', 'outlineColor'].indexOf(type);
  const name = kind && COLORS[kind][index];
  return name ? [name, index === 0 ? 'opacity' : null] : null;
}

/** Properties of a material that hold textures which texture transforms of expressions move. */
export function textureProperties(material) {
  const kind = Object.keys(TEXTURES).find((name) => material[name] === true);
  return kind ? TEXTURES[kind].filter((name) => material[name]) : [];
}

class LinkedMaterial {
  constructor(material, rest) {
    this.material = material;
    this.rest = rest;
    const kind = Object.keys(COLORS).find((name) => material[name] === true);
    this.colors = kind ? COLORS[kind].map((name) => material[name]) : [];
    this.firsts = Float64Array.from(this.colors.flatMap(({ r, g, b }) => [r, g, b]));
    this.opacity = material.opacity;
    this.textures = null;
  }

  // Clones the textures, which materials share until an expression moves them.
  #ownTextures() {
    this.textures = textureProperties(this.material).map((name) => {
      const texture = this.material[name].clone();
      this.material[name] = texture;
      return { texture, offset: texture.offset.clone(), repeat: texture.repeat.clone() };
    });
  }

  pull(f32, at, members) {
    const { rest, material, firsts } = this;
    this.colors.forEach((color, i) => {
      const k = at + 4 * i;
      color.setRGB(firsts[3 * i] + f32[k] - rest[4 * i], firsts[3 * i + 1] + f32[k + 1] - rest[4 * i + 1],
        firsts[3 * i + 2] + f32[k + 2] - rest[4 * i + 2]);
    });
    material.opacity = this.opacity + f32[at + 3] - rest[3];
    material.uniformsNeedUpdate = true; // needed if a picture is drawn with only one material
    const base = f32[at + members.base], sx = f32[at + members.scale], sy = f32[at + members.scale + 1],
      ox = f32[at + members.offset], oy = f32[at + members.offset + 1];
    if (!this.textures) {
      if (base === 1 && sx === 0 && sy === 0 && ox === 0 && oy === 0) return;
      this.#ownTextures();
    }
    for (const { texture, offset, repeat } of this.textures) {
      texture.offset.set(base * offset.x + ox, base * offset.y + oy);
      texture.repeat.set(base * repeat.x + sx, base * repeat.y + sy);
    }
    material._texturesMoved = true;
  }
}

function toldByRenderer(material, clock) {
  if ('_clock' in material) {
    material._clock = clock;
    return;
  }
  const { onBeforeRender } = material;
  const state = { _shown: clock.now, _told: NaN, _toldAlphaTest: NaN };
  material.onBeforeRender = function (...args) {
    tell(this, state, clock.now);
    onBeforeRender.apply(this, args);
  };
}

/** What ties an avatar's materials to three's: {pull(dt)}. */
export function linkMaterials(link, gltf) {
  const { module } = link;
  const { json, associations } = gltf.parser;
  const { size, members: all } = layoutOf('vrm_material_values');
  const members = { base: all.uvBase.at >> 2, scale: all.uvScale.at >> 2, offset: all.uvOffset.at >> 2 };
  const at = (index) => link.at.materials + index * (size >> 2);
  const byIndex = new Map();
  for (const { primitives } of link.meshes) {
    for (const mesh of primitives) {
      const where = associations.get(mesh);
      const index = where && json.meshes[where.meshes]?.primitives[where.primitives ?? 0]?.material;
      if (index === undefined) continue;
      if (!byIndex.has(index)) byIndex.set(index, new Set());
      for (const material of [mesh.material].flat()) byIndex.get(index).add(material);
    }
  }
  let linked = null;
  // Before the first update, the values are those at rest.
  const bind = () => [...byIndex].map(([index, materials]) => {
    const rest = module.f32.slice(at(index), at(index) + 24);
    return { index, list: [...materials].map((material) => new LinkedMaterial(material, rest)) };
  });
  const clock = { now: 0 };
  for (const material of gltf.userData.vrmMToonMaterials ?? []) if (material.update) toldByRenderer(material, clock);
  return {
    byIndex,
    pull(dt) {
      clock.now += dt;
      if (!linked) {
        linked = bind();
        return;
      }
      for (const { index, list } of linked) {
        if (link.changed(link.at.materialChanges, index)) for (const one of list) one.pull(module.f32, at(index), members);
      }
    },
  };
}
