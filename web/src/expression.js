// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

import { VRMError } from './error.js';
import { numberOf } from './struct.js';

/** Weights of expressions by name. Values set here are the layer "host"; trackers and the like may use another one. */
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

  /** What the file says of an expression, or null. */
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

  /** The weight as the last update merged it, before overrides; null for a name that the avatar lacks. */
  getValue(name) {
    const index = this.#index.get(name) ?? this.#vrm.avatar.findExpression(name);
    return index < 0 ? null : this.#vrm.expressionWeights[2 * index];
  }

  /** The weight as the last update shows it. */
  getAppliedValue(name) {
    return this.#vrm.expressionWeights[2 * this.#find(name) + 1];
  }

  /** The layer no longer says anything. */
  resetValues(layer = 'host') {
    const { module, pointer } = this.#vrm;
    module.check(module.c.vrm_instance_clear_expressions(pointer, numberOf('vrm_expression_layer', layer)));
  }

  /** This emotion (null: none) goes to `weight`, all others to 0, in `seconds`. */
  fadeEmotion(name, weight = 1, seconds = 0.2) {
    const { module, pointer } = this.#vrm;
    module.check(module.c.vrm_instance_fade_emotion(pointer, name === null ? -1 : this.#find(name), weight, seconds));
  }

  /** Automatic blinking: {enabled, seed, intervalMin, intervalMax, ...}. */
  setBlink(params) {
    const { module, pointer } = this.#vrm;
    module.scope((take) => module.check(
      module.c.vrm_instance_set_blink(pointer, module.params(take, 'vrm_blink_params', { enabled: true, ...params }))));
  }

  /** Blinks now. */
  blink() {
    this.#vrm.module.c.vrm_instance_blink(this.#vrm.pointer);
  }

  /** Lip-sync by the weights of aa, ih, ou, ee, oh. */
  setVowels(weights) {
    const { module, pointer } = this.#vrm;
    for (let i = 0; i < 5; ++i) module.f32[(module.scratch >> 2) + i] = weights[i];
    module.check(module.c.vrm_instance_set_vowels(pointer, module.scratch));
  }

  /** Lip-sync by how loud the voice is, 0 to 1. */
  setLoudness(loudness) {
    this.#vrm.module.check(this.#vrm.module.c.vrm_instance_set_loudness(this.#vrm.pointer, loudness));
  }

  clearLipSync() {
    this.#vrm.module.c.vrm_instance_clear_lip_sync(this.#vrm.pointer);
  }
}
