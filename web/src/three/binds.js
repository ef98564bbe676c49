// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

import { Color, Vector2 } from 'three';

const OLD = { a: 'aa', i: 'ih', u: 'ou', e: 'ee', o: 'oh', joy: 'happy', sorrow: 'sad', fun: 'relaxed', blink_l: 'blinkLeft',
  blink_r: 'blinkRight', lookup: 'lookUp', lookdown: 'lookDown', lookleft: 'lookLeft', lookright: 'lookRight' };

/** Returns the parts of a file's JSON that fileBinds() needs. */
export function describeBinds({ extensions: { VRMC_vrm: now, VRM: old } }) {
  return now ? { expressions: now.expressions ?? {} } : { groups: old?.blendShapeMaster?.blendShapeGroups };
}

/**
 * Returns the binds of an expression of the file: [{kind: "morph" | "color" | "texture", ...}]. They are for programs
 * that inspect or combine binds; the library has read them for itself. For VRM 0.x only morphs are returned.
 */
export function fileBinds(link, { name }) {
  const { expressions, groups = [] } = link.parts.binds;
  const primitivesOf = (test) => link.meshes.filter(test).flatMap(({ primitives }) => primitives);
  if (expressions) {
    const { morphTargetBinds = [], materialColorBinds = [], textureTransformBinds = [] } =
      expressions.preset?.[name] ?? expressions.custom?.[name] ?? {};
    const materials = (index) => [...(link.materials.byIndex.get(index) ?? [])];
    return [
      ...morphTargetBinds.map(({ node, index, weight }) =>
        ({ kind: 'morph', primitives: primitivesOf(({ gltfNode }) => gltfNode === node), index, weight: weight ?? 1 })),
      ...materialColorBinds.flatMap(({ material, type, targetValue }) => materials(material).map((target) =>
        ({ kind: 'color', material: target, type, targetValue: new Color().fromArray(targetValue), targetAlpha: targetValue[3] }))),
      ...textureTransformBinds.flatMap(({ material, scale, offset }) => materials(material).map((target) =>
        ({ kind: 'texture', material: target, scale: new Vector2().fromArray(scale ?? [1, 1]), offset: new Vector2().fromArray(offset ?? [0, 0]) }))),
    ];
  }
  const group = groups.find(({ presetName, name: own }) => {
    const preset = presetName?.toLowerCase();
    return (preset && preset !== 'unknown' ? OLD[preset] ?? preset : own) === name;
  });
  return (group?.binds ?? []).map(({ mesh, index, weight }) =>
    ({ kind: 'morph', primitives: primitivesOf(({ gltfMesh }) => gltfMesh === mesh), index, weight: 0.01 * weight }));
}
