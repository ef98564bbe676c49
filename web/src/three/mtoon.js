// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Light versions of the MToon materials of three-vrm's package. An avatar has some twenty materials, and the package's
// constructor merges and copies seventy uniforms for each. A light material has MToonMaterial as its prototype. It has
// only the uniforms that were read or set, and the values that differ from a sample.

import { MathUtils, Matrix3, UniformsUtils } from 'three';
import { MToonMaterial } from '@pixiv/three-vrm-materials-mtoon';

// Matrices of missing textures are never written, so all materials share one.
const noTransform = /* @__PURE__ */ new Matrix3();

/** Returns a copy of a value for another material; textures are shared. */
function copied(value) {
  if (value === null || typeof value !== 'object' || value.isTexture) return value;
  if (Array.isArray(value)) return [...value];
  return typeof value.clone === 'function' ? value.clone() : { ...value };
}

/** Returns a class of uniforms with the names and values of `first`. Each uniform is created when it is first read. */
function uniformsClass(first) {
  const names = Object.keys(first);
  class Uniforms {
    #cells = new Array(names.length);

    constructor(source) {
      source?.each((i, value) => { this.#cells[i] = { value: value === noTransform ? value : copied(value) }; });
    }

    each(job) {
      this.#cells.forEach((cell, i) => job(i, cell.value));
    }

    static at(uniforms, i) {
      return uniforms.#cells[i] ??= { value: names[i].endsWith('UvTransform') ? noTransform : copied(first[names[i]].value) };
    }

    static put(uniforms, i, cell) {
      uniforms.#cells[i] = cell;
    }
  }
  Object.defineProperty(Uniforms.prototype, 'each', { enumerable: false });
  names.forEach((name, i) => Object.defineProperty(Uniforms.prototype, name, {
    enumerable: true, // three.js iterates over uniforms by "for in" and "in"
    get() { return Uniforms.at(this, i); },
    set(cell) { Uniforms.put(this, i, cell); },
  }));
  return Uniforms;
}

// Properties that each material has for itself. three's shader materials do not copy flatShading either.
const OWN = new Set(['uuid', 'flatShading', 'version', 'uniforms', '_number', '_clock', '_shown', '_told', '_toldAlphaTest']);
let nextNumber = -(2 ** 30); // three's own materials are numbered from 0

/** MToon's material without the cost of its constructor. */
class LightMToon {
  constructor(parameters, uniforms) {
    this.uniforms = uniforms;
    this.name = '';
    this.version = 0;
    this.uniformsNeedUpdate = true;
    this._number = nextNumber++;
    this._clock = null; // {now}: the avatar's time in seconds
    this._shown = 0;
    this._told = NaN; // opacity in the uniforms
    this._toldAlphaTest = NaN;
    this._texturesMoved = false;
    if (!parameters) return;
    const { transparentWithZWrite, ...values } = parameters;
    if (transparentWithZWrite) values.depthWrite = true;
    this.setValues(values);
    this._uploadUniformsWorkaround();
  }

  get id() { return this._number; }

  customProgramCacheKey() {
    const spaces = [this.matcapTexture, this.shadeMultiplyTexture, this.rimMultiplyTexture].map((texture) => texture?.colorSpace ?? '-');
    return [...Object.entries(this._generateDefines()), ...spaces].join();
  }

  onBeforeCompile(shader) {
    const defines = Object.entries({ ...this._generateDefines(), ...this.defines }).filter(([, value]) => value)
      .map(([name, value]) => `#define ${name} ${value}\n`).join('');
    shader.vertexShader = defines + shader.vertexShader;
    shader.fragmentShader = defines + shader.fragmentShader;
  }

  _updateTextureMatrix(texture, transform) {
    if (texture.value && transform.value === noTransform) transform.value = new Matrix3();
    super._updateTextureMatrix(texture, transform);
  }

  onBeforeRender() {
    if (this._clock) tell(this, this, this._clock.now);
  }

  clone() {
    const made = new this.constructor(null, this.uniforms);
    for (const name of Object.keys(this)) if (!OWN.has(name)) made[name] = copied(this[name]);
    made.needsUpdate = true;
    return made;
  }
}

/**
 * Updates MToon's uniforms for opacity, alpha test and texture transforms, and its clock, right before the material is
 * drawn. `state` records the last values: {_shown, _told, _toldAlphaTest}.
 */
export function tell(material, state, now) {
  const passed = now - state._shown;
  const { opacity, alphaTest } = material;
  state._shown = now;
  if (opacity === state._told && alphaTest === state._toldAlphaTest && !material._texturesMoved && (passed === 0 ||
    !(material.uvAnimationScrollXSpeedFactor || material.uvAnimationScrollYSpeedFactor || material.uvAnimationRotationSpeedFactor))) return;
  state._told = opacity;
  state._toldAlphaTest = alphaTest;
  material._texturesMoved = false;
  material.update(passed);
}

// Defines a material's property on the prototype: a plain value as it is, an object as a getter that copies it when it
// is first read.
function share(prototype, name, value) {
  const own = (object, mine) => {
    Object.defineProperty(object, name, { value: mine, configurable: true, enumerable: true, writable: true });
    return mine;
  };
  if (typeof value !== 'object' || value === null) {
    Object.defineProperty(prototype, name, { value, configurable: true, enumerable: true, writable: true });
    return;
  }
  Object.defineProperty(prototype, name, {
    configurable: true,
    enumerable: true,
    get() { return own(this, copied(value)); },
    set(given) { own(this, given); },
  });
}

let made = null;

/**
 * Returns the class for MToon materials of GLTFLoader. If three-vrm's package has changed properties on which the light
 * material depends, the package's own class is returned.
 */
export function mtoonClass() {
  if (made) return made;
  const { prototype } = MToonMaterial;
  if (['_generateDefines', '_uploadUniformsWorkaround', '_updateTextureMatrix', 'update'].some((name) => typeof prototype[name] !== 'function')) {
    return made = MToonMaterial;
  }
  const sample = new MToonMaterial();
  const Uniforms = uniformsClass(sample.uniforms);
  const light = LightMToon.prototype;
  Object.setPrototypeOf(light, prototype);
  for (const name of Object.keys(sample)) if (!OWN.has(name) && !Object.hasOwn(light, name) && name !== 'id') share(light, name, sample[name]);
  Object.defineProperty(light, 'uuid', {
    configurable: true,
    enumerable: true,
    get() { return this.uuid = MathUtils.generateUUID(); },
    set(value) { Object.defineProperty(this, 'uuid', { value, configurable: true, enumerable: true, writable: true }); },
  });
  return made = class MToon extends LightMToon {
    constructor(parameters = {}, like = null) {
      super(parameters, like instanceof Uniforms || !like ? new Uniforms(like) : UniformsUtils.clone(like));
    }
  };
}
