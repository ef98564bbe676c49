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

/**
 * Returns the material's properties for a colour type of VRM: [color, opacity or null]. Returns null if the material has
 * none.
 */
export function colorProperty(material, type) {
  const kind = Object.keys(COLORS).find((name) => material[name] === true);
  const index = ['color', 'emissionColor', 'shadeColor', 'matcapColor', 'rimColor', 'outlineColor'].indexOf(type);
  const name = kind && COLORS[kind][index];
  return name ? [name, index === 0 ? 'opacity' : null] : null;
}

/** Returns the material's properties with textures that texture transforms of expressions move. */
export function textureProperties(material) {
  const kind = Object.keys(TEXTURES).find((name) => material[name] === true);
  return kind ? TEXTURES[kind].filter((name) => material[name]) : [];
}

/** Returns the textures of a material and of its uniforms. */
export function texturesOf(material) {
  const values = Object.values(material);
  const { uniforms } = material;
  // Reading `uniforms.name` would create the uniform.
  if (uniforms?.each) uniforms.each((i, value) => values.push(value));
  else for (const name in uniforms) values.push(uniforms[name].value);
  return values.filter((value) => value?.isTexture);
}

/** Returns true if MToon's clock moves the material's textures. */
const isAnimated = ({ uvAnimationScrollXSpeedFactor: x, uvAnimationScrollYSpeedFactor: y, uvAnimationRotationSpeedFactor: turn }) => Boolean(x || y || turn);

// A material that an update has changed, with the values that it had before.
class ChangedMaterial {
  constructor(material) {
    const kind = Object.keys(COLORS).find((name) => material[name] === true);
    this.names = kind ? COLORS[kind] : [];
    this.colors = this.names.map((name) => material[name]);
    this.firsts = this.colors.flatMap((color) => color.toArray());
    this.opacity = material.opacity;
    this.textures = null;
    this.material = material;
  }

  // Clones the textures, which materials share until an expression moves them.
  #ownTextures() {
    this.textures = textureProperties(this.material).map((name) => {
      const shared = this.material[name];
      const texture = this.material[name] = shared.clone();
      return { name, shared, texture, offset: texture.offset.clone(), repeat: texture.repeat.clone() };
    });
  }

  /** Adds the differences between the library's values at `at` and those at rest. */
  pull(f32, at, rest, first, members) {
    const { material, firsts, colors } = this;
    for (let i = 0, k = at, r = first, f = 0; i < colors.length; ++i, k += 4, r += 4, f += 3) {
      colors[i].setRGB(firsts[f] + f32[k] - rest[r], firsts[f + 1] + f32[k + 1] - rest[r + 1], firsts[f + 2] + f32[k + 2] - rest[r + 2]);
    }
    material.opacity = this.opacity + f32[at + 3] - rest[first + 3];
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

  /** Returns a copy of the material in its initial state. */
  cloneFirst() {
    const made = this.material.clone();
    this.names.forEach((name, i) => made[name].fromArray(this.firsts, 3 * i));
    made.opacity = this.opacity;
    for (const { name, shared } of this.textures ?? []) made[name] = shared;
    return made;
  }
}

function toldByRenderer(material, clock) {
  if (!material.update) return;
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

/** Connects an avatar's materials with three's. */
export class LinkedMaterials {
  #link;
  #size;
  #members;
  #rest = null; // the library's values before the first update
  #seen = null; // the library's values that the materials show
  #shown; // the number of a material's values that are compared; three's clock scrolls textures
  #changed = new Map();
  #shared = new Set(); // materials that other avatars show too
  #clock = { now: 0 };

  constructor(link) {
    const { materialOf, mtoon = [], sharedMaterials = [] } = link.parts;
    const { size, members } = layoutOf('vrm_material_values');
    this.#link = link;
    this.#size = size >> 2;
    this.#shown = members.uvScroll.at >> 2;
    this.#members = { base: members.uvBase.at >> 2, scale: members.uvScale.at >> 2, offset: members.uvOffset.at >> 2 };
    /** three's materials by their index in the file. */
    this.byIndex = new Map();
    for (const { primitives } of link.meshes) {
      for (const mesh of primitives) {
        const index = materialOf.get(mesh);
        if (index === undefined) continue;
        if (!this.byIndex.has(index)) this.byIndex.set(index, new Set());
        for (const material of [mesh.material].flat()) this.byIndex.get(index).add(material);
      }
    }
    this.#shared = new Set(sharedMaterials);
    for (const material of mtoon) if (!this.#shared.has(material)) toldByRenderer(material, this.#clock);
  }

  /** Called after an update of `dt` seconds. */
  pull(dt) {
    const { module, at, vrm } = this.#link;
    this.#clock.now += dt;
    if (!this.#rest) {
      this.#rest = module.f32.slice(at.materials, at.materials + vrm.avatar.counts.materials * this.#size);
      this.#seen = this.#rest.slice();
      return;
    }
    for (const [index, materials] of this.byIndex) if (this.#link.changed(at.materialChanges, index)) this.#pull(index, materials);
  }

  // Returns true if values that the materials show have changed, and records the new values.
  #see(first, from) {
    const { f32 } = this.#link.module;
    const seen = this.#seen;
    let same = true;
    for (let i = 0; same && i < this.#shown; ++i) same = seen[first + i] === f32[from + i];
    for (let i = 0; !same && i < this.#shown; ++i) seen[first + i] = f32[from + i];
    return !same;
  }

  #pull(index, materials) {
    const { module, at } = this.#link;
    const first = index * this.#size;
    if (!this.#see(first, at.materials + first)) return;
    for (let material of this.#shared.size ? [...materials] : materials) {
      if (this.#shared.has(material)) material = this.#own(material, index);
      if (!this.#changed.has(material)) this.#changed.set(material, new ChangedMaterial(material));
      this.#changed.get(material).pull(module.f32, at.materials + first, this.#rest, first, this.#members);
    }
  }

  // If another avatar shows the material too, gives this avatar a material of its own from now on.
  #own(before, index) {
    const after = before.clone();
    const { meshes, parts: { mtoon } } = this.#link;
    toldByRenderer(after, this.#clock);
    for (const { primitives } of meshes) {
      for (const mesh of primitives) {
        if (mesh.material === before) mesh.material = after;
        else if (Array.isArray(mesh.material)) mesh.material = mesh.material.map((material) => (material === before ? after : material));
      }
    }
    this.byIndex.get(index).delete(before);
    this.byIndex.get(index).add(after);
    const place = mtoon?.indexOf(before) ?? -1;
    if (place >= 0) mtoon[place] = after;
    this.#shared.delete(before);
    return after;
  }

  /** Returns the material for a clone of the avatar: this one, unless it changes with this avatar alone. */
  share(material) {
    const changed = this.#changed.get(material);
    if (changed) return changed.cloneFirst();
    if (isAnimated(material)) return material.clone();
    this.#shared.add(material);
    return material;
  }
}
