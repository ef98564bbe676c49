// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

import { Color, Vector2 } from 'three';
import { LightObject } from './light.js';
import { colorProperty, textureProperties } from './material.js';
import { VRMExpressionPresetName } from './names.js';

/** Moves a morph of some meshes. */
export class VRMExpressionMorphTargetBind {
  constructor({ primitives, index, weight }) {
    this.primitives = primitives;
    this.index = index;
    this.weight = weight;
  }

  #add(weight) {
    for (const { morphTargetInfluences: influences } of this.primitives) {
      if (influences?.[this.index] !== undefined) influences[this.index] += weight;
    }
  }

  applyWeight(weight) {
    this.#add(this.weight * weight);
  }

  clearAppliedWeight() {
    for (const { morphTargetInfluences: influences } of this.primitives) {
      if (influences?.[this.index] !== undefined) influences[this.index] = 0;
    }
  }
}

/** Blends a colour of a material. */
export class VRMExpressionMaterialColorBind {
  #color;
  #opacity;

  constructor({ material, type, targetValue, targetAlpha = 1 }) {
    Object.assign(this, { material, type, targetValue, targetAlpha });
    const [color, opacity] = colorProperty(material, type) ?? [];
    if (!color) console.warn(`VRMExpressionMaterialColorBind: the material ${material.name} has no ${type}`);
    this.#color = color && { name: color, first: material[color].clone() };
    this.#opacity = opacity && { name: opacity, first: material[opacity] };
  }

  applyWeight(weight) {
    if (this.#color) {
      const { name, first } = this.#color;
      this.material[name].add(new Color().copy(this.targetValue).sub(first).multiplyScalar(weight));
    }
    if (this.#opacity) this.material[this.#opacity.name] += weight * (this.targetAlpha - this.#opacity.first);
  }

  clearAppliedWeight() {
    if (this.#color) this.material[this.#color.name].copy(this.#color.first);
    if (this.#opacity) this.material[this.#opacity.name] = this.#opacity.first;
  }
}

/** Moves the textures of a material. */
export class VRMExpressionTextureTransformBind {
  #textures;

  constructor({ material, scale, offset }) {
    Object.assign(this, { material, scale, offset });
    this.#textures = textureProperties(material).map((name) => {
      const texture = material[name] = material[name].clone();
      return { texture, offset: texture.offset.clone(), repeat: texture.repeat.clone() };
    });
  }

  applyWeight(weight) {
    const step = new Vector2();
    for (const { texture, offset, repeat } of this.#textures) {
      texture.offset.add(step.copy(this.offset).sub(offset).multiplyScalar(weight));
      texture.repeat.add(step.copy(this.scale).sub(repeat).multiplyScalar(weight));
    }
  }

  clearAppliedWeight() {
    for (const { texture, offset, repeat } of this.#textures) {
      texture.offset.copy(offset);
      texture.repeat.copy(repeat);
    }
  }
}

/** An expression and its weight. It is an object of the scene, so that an AnimationMixer can find it. */
export class VRMExpression extends LightObject {
  constructor(expressionName) {
    super();
    this.expressionName = expressionName;
    this.name = `VRMExpression_${expressionName}`;
    this.type = 'VRMExpression';
    this.visible = false;
    this._weight = 0;
    this.isBinary = false;
    this.overrideBlink = 'none';
    this.overrideLookAt = 'none';
    this.overrideMouth = 'none';
    this._binds = [];
    this._describe = null; // creates the binds of the file
    this._index = -1; // index in the library; -1 for an expression that the program has made
    this._changed = null; // list to which this expression is added when its weight is set, for the library
    this._waits = false;
    this._shown = 0;
  }

  get weight() { return this._weight; }
  set weight(value) {
    if (Number.isNaN(value)) return; // the last weight stays, as in the library
    if (this._changed && !this._waits && value !== this._weight) {
      this._waits = true;
      this._changed.push(this);
    }
    this._weight = value;
  }

  // The expression has no position.
  updateMatrixWorld() {}

  get binds() {
    if (this._describe) {
      this._binds.unshift(...this._describe());
      this._describe = null;
    }
    return this._binds;
  }

  get outputWeight() {
    if (!this.isBinary) return this.weight;
    return this.weight > 0.5 ? 1 : 0;
  }

  #amount(kind) {
    if (kind === 'none') return 0;
    return kind === 'block' ? Number(this.outputWeight > 0) : this.outputWeight;
  }

  get overrideBlinkAmount() { return this.#amount(this.overrideBlink); }
  get overrideLookAtAmount() { return this.#amount(this.overrideLookAt); }
  get overrideMouthAmount() { return this.#amount(this.overrideMouth); }

  addBind(bind) {
    this.binds.push(bind);
  }

  deleteBind(bind) {
    const at = this.binds.indexOf(bind);
    if (at >= 0) this.binds.splice(at, 1);
  }

  /** Applies the weight of an expression that the program has made. The library applies those of the file. */
  applyWeight({ multiplier = 1 } = {}) {
    let weight = this.outputWeight * multiplier;
    if (this.isBinary && weight < 1) weight = 0;
    for (const bind of this.binds) bind.applyWeight(weight);
  }

  clearAppliedWeight() {
    for (const bind of this.binds) bind.clearAppliedWeight();
  }
}

const presets = new Set(Object.values(VRMExpressionPresetName));

/** Expressions by name. */
export class VRMExpressionManager {
  constructor() {
    this._expressions = [];
    this._expressionMap = {};
    this._link = null;
    this.blinkExpressionNames = ['blink', 'blinkLeft', 'blinkRight'];
    this.lookAtExpressionNames = ['lookLeft', 'lookRight', 'lookUp', 'lookDown'];
    this.mouthExpressionNames = ['aa', 'ee', 'ih', 'oh', 'ou'];
  }

  /** @internal */
  _attach(link) {
    this._link = link;
    for (const expression of this._expressions) if (expression._index >= 0) expression._changed = link.expressions;
  }

  get expressions() { return [...this._expressions]; }
  get expressionMap() { return { ...this._expressionMap }; }

  #filtered(test) {
    return Object.fromEntries(Object.entries(this._expressionMap).filter(([name]) => test(name)));
  }

  get presetExpressionMap() { return this.#filtered((name) => presets.has(name)); }
  get customExpressionMap() { return this.#filtered((name) => !presets.has(name)); }

  copy(source) {
    for (const expression of this.expressions) this.unregisterExpression(expression);
    for (const expression of source._expressions) this.registerExpression(expression);
    for (const names of ['blinkExpressionNames', 'lookAtExpressionNames', 'mouthExpressionNames']) this[names] = [...source[names]];
    this._link = source._link;
    return this;
  }

  clone() {
    return new VRMExpressionManager().copy(this);
  }

  getExpression(name) {
    return this._expressionMap[name] ?? null;
  }

  registerExpression(expression) {
    this._expressions.push(expression);
    this._expressionMap[expression.expressionName] = expression;
  }

  unregisterExpression(expression) {
    const at = this._expressions.indexOf(expression);
    if (at < 0) {
      console.warn('VRMExpressionManager: the expression is not registered');
      return;
    }
    this._expressions.splice(at, 1);
    delete this._expressionMap[expression.expressionName];
  }

  getValue(name) {
    return this.getExpression(name)?.weight ?? null;
  }

  setValue(name, weight) {
    const expression = this.getExpression(name);
    if (expression) expression.weight = Math.min(Math.max(weight, 0), 1);
  }

  resetValues() {
    for (const expression of this._expressions) expression.weight = 0;
  }

  getExpressionTrackName(name) {
    const expression = this.getExpression(name);
    return expression ? `${expression.name}.weight` : null;
  }

  // Applies the expressions that the program has made, on top of the library's values.
  _applyOwn() {
    for (const expression of this._expressions) {
      if (expression._index >= 0 || (expression.weight === 0 && expression._shown === 0)) continue;
      for (const bind of expression.binds) {
        if (bind instanceof VRMExpressionMorphTargetBind) bind.applyWeight(expression.outputWeight - expression._shown);
        else {
          bind.clearAppliedWeight();
          bind.applyWeight(expression.outputWeight);
        }
      }
      expression._shown = expression.outputWeight;
    }
  }

  /** Runs only this part of an update. */
  update() {
    this._link?.run(0, 0x90); // VRM_STAGE_EXPRESSION and VRM_STAGE_OUTPUT
    this._applyOwn();
  }
}
