// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

import { numbers } from './check.js';
import { VRMError } from './error.js';
import { numberOf } from './struct.js';

/**
 * Weights of expressions by name. Values set here belong to the layer "host"; other sources, such as trackers, may use
 * another layer.
 */
export class ExpressionManager {
  #vrm;
  #index;

  constructor(vrm) {
    this.#vrm = vrm;
    this.#index = new Map(vrm.avatar.expressions.map(({ name }, i) => [name, i]));
  }

  #find(name) {
    const index = this.#index.get(name) ?? this.#vrm.avatar.findExpression(name);
    if (index < 0) throw new VRMError('ERROR_NOT_FOUND', `the avatar has no expression "${name}"`);
    return index;
  }

  /** Names of all expressions, in the order of their indices. */
  get names() {
    return [...this.#index.keys()];
  }

  #group(group) {
    return this.#vrm.avatar.expressions.filter((expression) => expression.group === group).map(({ name }) => name);
  }

  get mouthExpressionNames() { return this.#group('mouth'); }
  get blinkExpressionNames() { return this.#group('blink'); }
  get lookAtExpressionNames() { return this.#group('lookAt'); }

  /** Returns an expression of the file, or null. */
  getExpression(name) {
    return this.#index.has(name) ? this.#vrm.avatar.expressions[this.#index.get(name)] : null;
  }

  /** Sets a weight, 0 to 1. A name that the avatar lacks is ignored, as three-vrm does. */
  setValue(name, weight, layer = 'host') {
    const { module, pointer } = this.#vrm;
    const index = this.#index.get(name) ?? this.#vrm.avatar.findExpression(name);
    if (index < 0) return;
    module.check(module.c.vrm_instance_set_expression(pointer, numberOf('vrm_expression_layer', layer), index, weight));
  }

  /** Returns the weight before overrides, as merged by the last update; null for a name that the avatar lacks. */
  getValue(name) {
    const index = this.#index.get(name) ?? this.#vrm.avatar.findExpression(name);
    return index < 0 ? null : this.#vrm.expressionWeights[2 * index];
  }

  /** Returns the weight that the last update applied. */
  getAppliedValue(name) {
    return this.#vrm.expressionWeights[2 * this.#find(name) + 1];
  }

  /** Clears all values of a layer. */
  resetValues(layer = 'host') {
    const { module, pointer } = this.#vrm;
    module.check(module.c.vrm_instance_clear_expressions(pointer, numberOf('vrm_expression_layer', layer)));
  }

  /** Fades this emotion to `weight` and all others to 0 (null: all to 0), over `seconds`. */
  fadeEmotion(name, weight = 1, seconds = 0.2) {
    const { module, pointer } = this.#vrm;
    module.check(module.c.vrm_instance_fade_emotion(pointer, name === null ? -1 : this.#find(name), weight, seconds));
  }

  /** Sets automatic blinking: {enabled, seed, intervalMin, intervalMax, ...}. */
  setBlink(params) {
    const { module, pointer } = this.#vrm;
    module.scope((take) => module.check(
      module.c.vrm_instance_set_blink(pointer, module.params(take, 'vrm_blink_params', { enabled: true, ...params }))));
  }

  /** Blinks now. */
  blink() {
    this.#vrm.module.c.vrm_instance_blink(this.#vrm.pointer);
  }

  /** Sets lip-sync by the weights of aa, ih, ou, ee, oh. */
  setVowels(weights) {
    const { module, pointer } = this.#vrm;
    module.f32.set(numbers(weights, 5, 'weights'), module.scratch >> 2);
    module.check(module.c.vrm_instance_set_vowels(pointer, module.scratch));
  }

  /** Sets lip-sync by the loudness of the voice, 0 to 1. */
  setLoudness(loudness) {
    this.#vrm.module.check(this.#vrm.module.c.vrm_instance_set_loudness(this.#vrm.pointer, loudness));
  }

  clearLipSync() {
    this.#vrm.module.c.vrm_instance_clear_lip_sync(this.#vrm.pointer);
  }
}
