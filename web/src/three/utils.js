// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

import { BufferAttribute, BufferGeometry } from 'three';
import { clone } from './clone.js';
import { VRMExpressionMorphTargetBind } from './expression.js';
import { texturesOf } from './material.js';
import { linkOf } from './node.js';

/**
 * Frees the GPU resources of all objects below `object`, except those that a clone of an avatar still uses, and an
 * avatar's memory in the library.
 */
function deepDispose(object) {
  const link = linkOf(object);
  link?.dispose();
  const kept = link?.release();
  const free = (one) => { if (!kept?.has(one)) one?.dispose?.(); };
  object.traverse(({ geometry, skeleton, material }) => {
    free(geometry);
    skeleton?.dispose?.();
    for (const one of material ? [material].flat() : []) {
      texturesOf(one).forEach(free);
      free(one);
    }
  });
}

/** Rotates an avatar of VRM 0.x, which faces -Z, to face +Z like one of VRM 1.0. */
function rotateVRM0(vrm) {
  if (vrm.meta?.metaVersion === '0') vrm.scene.rotation.y = Math.PI;
}

// Returns an attribute with only the elements `kept`.
function chosen(attribute, kept) {
  const { itemSize, normalized } = attribute;
  const array = new attribute.array.constructor(kept.length * itemSize);
  const { array: from } = attribute;
  const stride = attribute.isInterleavedBufferAttribute ? attribute.data.stride : itemSize;
  const first = attribute.isInterleavedBufferAttribute ? attribute.offset : 0;
  for (let i = 0; i < kept.length; ++i) {
    for (let k = 0; k < itemSize; ++k) array[i * itemSize + k] = from[first + kept[i] * stride + k];
  }
  return new BufferAttribute(array, itemSize, normalized);
}

function compacted(geometry) {
  const { index, attributes, morphAttributes } = geometry;
  const place = new Int32Array(attributes.position.count).fill(-1);
  const kept = [];
  for (let i = 0; i < index.count; ++i) {
    const vertex = index.getX(i);
    if (place[vertex] < 0) place[vertex] = 0;
  }
  for (let vertex = 0; vertex < place.length; ++vertex) if (place[vertex] === 0) place[vertex] = kept.push(vertex) - 1;
  if (kept.length === place.length) return geometry;
  const made = new BufferGeometry();
  made.name = geometry.name;
  made.morphTargetsRelative = geometry.morphTargetsRelative;
  made.userData = geometry.userData;
  made.boundingBox = geometry.boundingBox?.clone() ?? null;
  made.boundingSphere = geometry.boundingSphere?.clone() ?? null;
  made.setDrawRange(geometry.drawRange.start, geometry.drawRange.count);
  for (const { start, count, materialIndex } of geometry.groups) made.addGroup(start, count, materialIndex);
  made.setIndex(new BufferAttribute(index.array.map((vertex) => place[vertex]), 1));
  for (const [name, attribute] of Object.entries(attributes)) made.setAttribute(name, chosen(attribute, kept));
  const moves = Object.entries(morphAttributes).map(([name, list]) => [name, list.map((attribute) => chosen(attribute, kept))]);
  // Morph targets that move none of these vertices are not drawn. Their weights stay where programs expect them.
  if (moves.some(([, list]) => list.some(({ array }) => array.some((value) => value !== 0)))) made.morphAttributes = Object.fromEntries(moves);
  return made;
}

/** Removes vertices that no triangle uses. Exporters write all of a mesh's vertices for each of its materials. */
function removeUnnecessaryVertices(root) {
  const made = new Map();
  root.traverse((mesh) => {
    if (!mesh.isMesh || !mesh.geometry.index) return;
    if (!made.has(mesh.geometry)) made.set(mesh.geometry, compacted(mesh.geometry));
    mesh.geometry = made.get(mesh.geometry);
  });
  for (const [before, after] of made) if (before !== after) before.dispose();
}

/** Does nothing, because the meshes of an avatar share the library's palettes, which contain each joint once. */
function combineSkeletons() {}
const removeUnnecessaryJoints = combineSkeletons;

function sum(attributes, binds, relative) {
  const total = relative ? 1 : binds.reduce((all, { weight }) => all + weight, 0);
  const { count } = attributes[0];
  const array = new Float32Array(3 * count);
  for (const { index, weight } of binds) {
    const from = attributes[index];
    for (let i = 0; i < count; ++i) {
      array[3 * i] += from.getX(i) * weight / total;
      array[3 * i + 1] += from.getY(i) * weight / total;
      array[3 * i + 2] += from.getZ(i) * weight / total;
    }
  }
  return new BufferAttribute(array, 3);
}

/**
 * Combines all morph targets that an expression moves in a mesh into one, so that faces with many morph targets have few
 * to draw.
 */
function combineMorphs(vrm) {
  const link = vrm._link;
  const byMesh = new Map();
  for (const expression of vrm.expressionManager?.expressions ?? []) {
    if (expression._index < 0) continue;
    for (const bind of expression.binds.filter((one) => one instanceof VRMExpressionMorphTargetBind)) {
      expression.deleteBind(bind);
      if (bind.weight === 0) continue;
      for (const mesh of bind.primitives) {
        if (!byMesh.has(mesh)) byMesh.set(mesh, new Map());
        const binds = byMesh.get(mesh);
        if (!binds.has(expression)) binds.set(expression, []);
        binds.get(expression).push(bind);
      }
    }
  }
  link.combined ??= new Map();
  for (const [mesh, binds] of byMesh) {
    const { morphAttributes, morphTargetsRelative } = mesh.geometry;
    mesh.geometry.morphAttributes = {}; // otherwise clone() would copy the morph targets
    const geometry = mesh.geometry.clone();
    mesh.geometry.morphAttributes = morphAttributes;
    mesh.geometry = geometry;
    const names = ['position', 'normal'].filter((name) => morphAttributes[name]);
    for (const name of names) geometry.morphAttributes[name] = [...binds.values()].map((list) => sum(morphAttributes[name], list, morphTargetsRelative));
    mesh.morphTargetDictionary = {};
    mesh.morphTargetInfluences = [];
    [...binds.keys()].forEach((expression, index) => {
      mesh.morphTargetDictionary[expression.expressionName] = index;
      mesh.morphTargetInfluences.push(0);
      expression.addBind(new VRMExpressionMorphTargetBind({ index, weight: 1, primitives: [mesh] }));
    });
    link.combined.set(mesh, [...binds.keys()].map(({ _index }) => _index));
  }
}

export class VRMUtils {
  static clone = clone;
  static combineMorphs = combineMorphs;
  static combineSkeletons = combineSkeletons;
  static deepDispose = deepDispose;
  static removeUnnecessaryJoints = removeUnnecessaryJoints;
  static removeUnnecessaryVertices = removeUnnecessaryVertices;
  static rotateVRM0 = rotateVRM0;
}
