// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// VRM animations made for tests.

import { generator } from '../tools/compare/compare.mjs';

const bones = ['hips', 'spine', 'chest', 'neck', 'head', 'leftUpperArm', 'leftLowerArm', 'leftHand', 'rightUpperArm',
  'rightLowerArm', 'rightHand', 'leftUpperLeg', 'leftLowerLeg', 'leftFoot', 'rightUpperLeg', 'rightLowerLeg', 'rightFoot'];
const above = { spine: 'hips', chest: 'spine', neck: 'chest', head: 'neck', leftUpperArm: 'chest', leftLowerArm: 'leftUpperArm',
  leftHand: 'leftLowerArm', rightUpperArm: 'chest', rightLowerArm: 'rightUpperArm', rightHand: 'rightLowerArm',
  leftUpperLeg: 'hips', leftLowerLeg: 'leftUpperLeg', leftFoot: 'leftLowerLeg', rightUpperLeg: 'hips',
  rightLowerLeg: 'rightUpperLeg', rightFoot: 'rightLowerLeg' };

/** A .vrma as glTF text: random rest rotations, random keys; hips and gaze as spline and steps. */
export function makeClip(seed, { expressions = true, humanoid = true, lookAt = true, specVersion = '1.0' } = {}) {
  const random = generator(seed);
  const quat = (size) => {
    const v = [0, 0, 0].map(() => (random() - 0.5) * size);
    const length = Math.hypot(...v, 1);
    return [...v, 1].map((c) => c / length);
  };
  const floats = [];
  const accessors = [];
  const accessor = (values, type, width) => {
    accessors.push({ bufferView: 0, byteOffset: floats.length * 4, componentType: 5126, count: values.length / width, type,
      ...(type === 'SCALAR' ? { min: [Math.min(...values)], max: [Math.max(...values)] } : {}) });
    floats.push(...values);
    return accessors.length - 1;
  };
  // At the origin: three-vrm-animation moves tangents of the hips as if they were points.
  const nodes = [{ name: 'root', rotation: quat(1), children: [] }];
  const index = {};
  const samplers = [];
  const channels = [];
  const animate = (node, path, value, width, interpolation = 'LINEAR') => {
    const keys = 6;
    const times = Array.from({ length: keys }, (_, k) => 0.1 + 0.37 * k + 0.1 * random());
    const output = times.flatMap(() => {
      const key = value();
      const tangent = () => key.map(() => 0.5 * (random() - 0.5));
      return interpolation === 'CUBICSPLINE' ? [...tangent(), ...key, ...tangent()] : key;
    });
    samplers.push({ input: accessor(times, 'SCALAR', 1), output: accessor(output, width === 4 ? 'VEC4' : 'VEC3', width), interpolation });
    channels.push({ sampler: samplers.length - 1, target: { node, path } });
  };
  const extension = { ...(specVersion ? { specVersion } : {}) };
  if (humanoid) {
    extension.humanoid = { humanBones: {} };
    for (const bone of bones) {
      index[bone] = nodes.length;
      const parent = bone === 'hips' ? 0 : index[above[bone]];
      (nodes[parent].children ??= []).push(nodes.length);
      nodes.push({ name: bone, rotation: quat(2), translation: bone === 'hips' ? [0, 1.3, 0] : [0.02, 0.1, 0.05] });
      extension.humanoid.humanBones[bone] = { node: index[bone] };
      animate(index[bone], 'rotation', () => quat(2), 4);
    }
    animate(index.hips, 'translation', () => [random(), 1 + random(), random()], 3, 'CUBICSPLINE');
  }
  if (expressions) {
    extension.expressions = { preset: {}, custom: {} };
    for (const name of ['happy', 'aa', 'blink', 'angry']) {
      extension.expressions.preset[name] = { node: nodes.length };
      animate(nodes.length, 'translation', () => [1.4 * random() - 0.2, random(), random()], 3);
      nodes.push({ name: `expression ${name}` });
    }
  }
  if (lookAt) {
    extension.lookAt = { node: nodes.length, offsetFromHeadBone: [0, 0.06, 0] };
    animate(nodes.length, 'rotation', () => {
      const [yaw, pitch] = [random() - 0.5, 0.8 * (random() - 0.5)];
      const [sy, cy, sp, cp] = [Math.sin(yaw / 2), Math.cos(yaw / 2), Math.sin(pitch / 2), Math.cos(pitch / 2)];
      return [cy * sp, sy * cp, -sy * sp, cy * cp];
    }, 4, seed % 2 ? 'STEP' : 'CUBICSPLINE');
    nodes.push({ name: 'gaze' });
  }
  const bytes = Buffer.from(Float32Array.from(floats).buffer);
  const roots = nodes.map((_, i) => i).filter((i) => !nodes.some((node) => node.children?.includes(i)));
  nodes.forEach((node) => { if (node.children?.length === 0) delete node.children; });
  return JSON.stringify({ asset: { version: '2.0' }, extensionsUsed: ['VRMC_vrm_animation'], scene: 0, scenes: [{ nodes: roots }],
    nodes, animations: [{ samplers, channels }], accessors, bufferViews: [{ buffer: 0, byteLength: bytes.length }],
    buffers: [{ byteLength: bytes.length, uri: `data:application/octet-stream;base64,${bytes.toString('base64')}` }],
    extensions: { VRMC_vrm_animation: extension } });
}
