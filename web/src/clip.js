// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

import { index, number } from './check.js';
import { Owned } from './module.js';
import { offsetOf } from './struct.js';

/** A motion that any avatar can play. */
export class Clip extends Owned {
  constructor(module, pointer, findings = []) {
    super(module, pointer, 'vrm_clip_release');
    /** Findings of loading. */
    this.findings = findings;
    const { name, duration, hasHipsPosition, hasGaze, additive } =
      module.describe('vrm_clip_info', 'vrm_clip_get_info', pointer);
    this.name = name;
    /** Seconds. */
    this.duration = duration;
    this.hasHipsPosition = hasHipsPosition;
    this.hasGaze = hasGaze;
    this.additive = additive;
  }
}

const LAYERS = 4;

/** Plays clips on a VRM, in layers that are blended in order. */
export class ClipPlayer extends Owned {
  #vrm;
  #playing = new Array(LAYERS).fill(null);

  constructor(vrm) {
    const { module } = vrm;
    super(module, module.made((place) => module.scope((take) => {
      const def = module.params(take, 'vrm_clip_player_def', { layers: LAYERS });
      module.u32[(def + offsetOf('vrm_clip_player_def', 'avatar')) >> 2] = vrm.avatar.pointer;
      return module.c.vrm_clip_player_create(def, place);
    })), 'vrm_clip_player_destroy');
    this.#vrm = vrm;
    this.attach();
  }

  /** Connects the player to its VRM. @internal */
  attach() {
    this.module.check(this.module.c.vrm_instance_set_clip_player(this.#vrm.pointer, this.pointer));
  }

  /** The clip of each layer; null for a layer that has played none. */
  get playing() {
    return [...this.#playing];
  }

  /** Plays a clip: {layer, wrap: "hold" | "loop" | "pingPong", speed, start, seconds (of the fade), transition, align}. */
  play(clip, { layer = 0, ...params } = {}) {
    const { module } = this;
    const address = clip === null ? 0 : Owned.address(module, clip, 'vrm_clip_release', 'a clip');
    module.scope((take) => module.check(module.c.vrm_clip_player_play(
      this.pointer, index(layer, LAYERS, 'layer'), address, module.params(take, 'vrm_clip_play_params', params, 'params'))));
    this.#playing[layer] = clip;
  }

  /** Fades the layer out over `seconds`. */
  stop({ layer = 0, seconds = 0 } = {}) {
    this.play(null, { layer, seconds });
  }

  /** Sets the weights of a layer: {weight, humanoidWeight, expressionWeight, gazeWeight, rootMotion, footWeight, ...}. */
  setLayer(layer, params) {
    const { module } = this;
    module.scope((take) => module.check(module.c.vrm_clip_player_set_layer(
      this.pointer, index(layer, LAYERS, 'layer'), module.params(take, 'vrm_clip_layer_params', params, 'params'))));
  }

  /** Jumps to a time, in seconds of the clip. */
  setTime(seconds, layer = 0) {
    this.module.check(this.module.c.vrm_clip_player_set_time(this.pointer, index(layer, LAYERS, 'layer'), number(seconds, 'seconds')));
  }

  getTime(layer = 0) {
    return this.module.c.vrm_clip_player_get_time(this.pointer, index(layer, LAYERS, 'layer'));
  }

  isFinished(layer = 0) {
    return this.module.c.vrm_clip_player_is_finished(this.pointer, index(layer, LAYERS, 'layer')) !== 0;
  }

  /** Movement of the hips over the ground in the last update (layer 0 with rootMotion), metres of the model. */
  get rootMotion() {
    const { module } = this;
    module.c.vrm_clip_player_get_root_motion(this.pointer, module.scratch);
    return Array.from(module.f32.subarray(module.scratch >> 2, (module.scratch >> 2) + 3));
  }
}
