// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// An avatar has some three hundred objects in three's scene, but a program uses only a few of them. Each Object3D takes
// 2.5 KB for vectors, matrices and closures. A light object has only a name, a parent and children of its own; the rest
// of an Object3D is created when it is first read.

import { Layers, MathUtils, Matrix4, Object3D } from 'three';

// Small properties that three.js reads of every object when it walks or searches the scene.
const SMALL = {
  uuid: () => MathUtils.generateUUID(),
  layers: () => new Layers(),
  matrixWorld: () => new Matrix4(),
};

/** Returns the full object of a light one. It is created at the first call, with the transform that `_fill` writes. */
export function wholeOf(light) {
  if (!light._whole) {
    light._whole = new light._Base();
    light._fill(light._whole);
  }
  return light._whole;
}

function own(object, name, value) {
  Object.defineProperty(object, name, { value, configurable: true, enumerable: true, writable: true });
  return value;
}

/** Returns a class of light objects for a class of three. Its constructor calls none of three's constructors. */
export function lightClass(Base) {
  function Light() {
    this.name = '';
    this.parent = null;
    this.children = [];
    this._whole = null;
  }
  Light.prototype = Object.create(Base.prototype, {
    // With this constructor, clone() and toJSON() create ordinary objects.
    constructor: { value: Base, configurable: true, writable: true },
    _Base: { value: Base },
    _fill: { value() {}, configurable: true, writable: true },
  });
  const sample = new Base();
  for (const name of Object.getOwnPropertyNames(sample)) {
    const value = sample[name];
    const make = SMALL[name];
    if (['name', 'parent', 'children'].includes(name)) continue;
    const { writable } = Object.getOwnPropertyDescriptor(sample, name);
    if (make) {
      Object.defineProperty(Light.prototype, name, {
        configurable: true, get() { return own(this, name, make()); }, set(given) { own(this, name, given); },
      });
    } else if (name === 'id' || (typeof value === 'object' && value !== null)) {
      Object.defineProperty(Light.prototype, name, {
        configurable: true, get() { return wholeOf(this)[name]; }, set: writable ? function (given) { own(this, name, given); } : undefined,
      });
    } else {
      Object.defineProperty(Light.prototype, name, { value, configurable: true, enumerable: true, writable: true });
    }
  }
  return Light;
}

/** A light Object3D. */
export const LightObject = /* @__PURE__ */ lightClass(Object3D);
