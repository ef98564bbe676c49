// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The 1,000 frames of frames.c in JavaScript, for Node and for pages. Their checksum must be the same.

// Each step is rounded to a float, as in C.
const swing = (frame, period) => Math.fround((frame % period) / period) - 0.5;
const BONES = ['head', 'spine', 'leftUpperArm', 'rightUpperLeg'];

export function setInputs(vrm, frame) {
  BONES.forEach((bone, i) => {
    if (vrm.humanoid.humanBones[bone] !== undefined) {
      vrm.humanoid.setNormalizedRotation(bone, [i === 2 ? swing(frame, 50) : 0, swing(frame, 40 + 10 * i), i === 1 ? 0.125 : 0, 1]);
    }
  });
  vrm.lookAt.target = [(frame % 90) / 30 - 1.5, 1.25, 2];
  vrm.root = { translation: [(frame % 200) / 100, 0, frame / 64], rotation: [0, swing(frame, 128), 0, 1] };
  const { names } = vrm.expressionManager;
  if (names.length > 0) vrm.expressionManager.setValue(names[Math.floor(frame / 50) % names.length], (frame % 50) / 64);
  if (frame === 500) vrm.springBoneManager.setWind([0.25, 0, -0.125]);
}

/** A checksum to which add(vrm) adds all outputs of the last update. `text` has the form that frames.c prints. */
export class Sum {
  #a = 2166136261;
  #b = 2166136261;

  add(vrm) {
    let [a, b] = [this.#a, this.#b];
    for (const view of [vrm.world, vrm.palette, vrm.morphs, vrm.materials, vrm.expressionWeights, vrm.meshBoxes]) {
      const words = new Uint32Array(view.buffer, view.byteOffset, view.length);
      for (let i = 0; i < words.length; ++i) {
        a = Math.imul(a ^ words[i], 16777619);
        b = Math.imul(b + words[i], 2246822507);
        b ^= b >>> 13;
      }
    }
    [this.#a, this.#b] = [a, b];
  }

  get text() {
    return [this.#a, this.#b].map((sum) => (sum >>> 0).toString(16).padStart(8, '0')).join('');
  }
}

export const stepOf = (frame) => (frame < 600 ? 1 / 64 : 3 / 256);

/** Returns the checksum over all frames. `between(frame)` is called between two frames. */
export function sumOfFrames(vrm, between = () => {}, frames = 1000) {
  const sum = new Sum();
  for (let frame = 0; frame < frames; ++frame) {
    setInputs(vrm, frame);
    vrm.update(stepOf(frame));
    between(frame);
    sum.add(vrm);
  }
  return sum.text;
}
