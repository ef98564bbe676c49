// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Avatars of one file share its model in the library, its geometries and its textures. They share its materials until
// an expression changes them. Each avatar has its own nodes, meshes, bone texture, morph weights and state.

import { assemble } from './assemble.js';
import { VRMExpressionMorphTargetBind } from './expression.js';
import { texturesOf } from './material.js';
import { isLight, makeNode } from './node.js';
import { PaletteSkeleton, Skin } from './skeleton.js';

/** GPU resources that avatars of one file share. They are freed together with the last avatar. */
class Shared {
  #users;
  #kept = new Set();

  constructor(link) {
    this.#users = new Set([link]);
    for (const { primitives } of link.meshes) {
      for (const { geometry, material } of primitives) {
        this.#kept.add(geometry);
        for (const one of [material].flat()) for (const kept of [one, ...texturesOf(one)]) this.#kept.add(kept);
      }
    }
  }

  use(link) {
    this.#users.add(link);
  }

  /** Records that an avatar is disposed of. Returns true if other avatars are left. */
  release(link) {
    this.#users.delete(link);
    if (this.#users.size > 0) return true;
    for (const one of this.#kept) one.dispose();
    this.#kept.clear();
    return false;
  }

  has(one) {
    return this.#kept.has(one);
  }
}

function copyMesh(mesh, materials) {
  const made = new mesh.constructor(mesh.geometry, Array.isArray(mesh.material) ? mesh.material.map(materials) : materials(mesh.material));
  made.morphTargetDictionary = mesh.morphTargetDictionary;
  made.morphTargetInfluences = mesh.morphTargetInfluences && mesh.morphTargetInfluences.map(() => 0);
  made.renderOrder = mesh.renderOrder;
  made.castShadow = mesh.castShadow;
  made.receiveShadow = mesh.receiveShadow;
  made.frustumCulled = mesh.frustumCulled;
  return made;
}

// Binds a copied mesh to the copied bones. All bones must be copied already.
function bind(made, { skeleton }, copies) {
  const bones = skeleton.bones.map((bone) => copies.get(bone));
  if (skeleton instanceof PaletteSkeleton) made.skeleton = new Skin(bones, skeleton.inverseNumbers);
  else {
    made.skeleton = skeleton.clone();
    made.skeleton.bones = bones;
  }
}

/** A copy of an avatar's objects from its file. */
class Copy {
  #link;
  #material;
  #copies = new Map();
  #materials;
  #parts; // meshes and groups below nodes, which have no index in the file

  constructor(link) {
    this.#link = link;
    const materials = new Map();
    this.#material = (material) => {
      if (!materials.has(material)) materials.set(material, link.materials.share(material));
      return materials.get(material);
    };
    this.#parts = new Set(link.meshes.flatMap(({ own, object }) => own.flatMap((mesh) => (mesh === object ? [] : [mesh, mesh.parent]))));
    for (const node of link.nodes) if (!node.parent || !this.#isFile(node.parent)) this.#object(node);
    for (const { own } of link.meshes) {
      for (const mesh of own) if (mesh.isSkinnedMesh && this.#copies.has(mesh)) bind(this.#copies.get(mesh), mesh, this.#copies);
    }
    this.#materials = materials;
  }

  /** Returns the copy of an object of the file. */
  of(object) {
    return this.#copies.get(object);
  }

  #isFile(object) {
    return this.#link.indexOf(object) >= 0 || this.#parts.has(object);
  }

  #object(object) {
    const made = isLight(object) ? makeNode(object.name, { isBone: object.isBone, name: object._given })
      : object.isMesh ? copyMesh(object, this.#material) : new object.constructor();
    made.name = object.name;
    if (Object.hasOwn(object, 'userData')) made.userData = { ...object.userData };
    this.#copies.set(object, made);
    const children = object.children.filter((child) => this.#isFile(child)).map((child) => this.#object(child));
    for (const child of children) child.parent = made;
    if (children.length) made.children = children;
    return made;
  }

  /** The objects for assemble(). */
  get parts() {
    const { scene, nodes, parts } = this.#link;
    const copies = this.#copies;
    const stage = new scene.constructor();
    stage.name = scene.name;
    stage.userData = { ...scene.userData };
    stage.position.copy(scene.position);
    stage.quaternion.copy(scene.quaternion);
    stage.scale.copy(scene.scale);
    const roots = scene.children.filter((child) => copies.has(child)).map((child) => copies.get(child));
    if (roots.length) stage.add(...roots);
    const materialOf = new Map([...parts.materialOf].filter(([mesh]) => copies.has(mesh)).map(([mesh, index]) => [copies.get(mesh), index]));
    return {
      ...parts, scene: stage, nodes: nodes.map((node) => copies.get(node)), materialOf, mtoon: parts.mtoon?.map(this.#material),
      sharedMaterials: [...this.#materials].filter(([before, after]) => before === after).map(([material]) => material),
    };
  }
}

// Shares the morph targets that combineMorphs() has made for expressions.
function shareCombined({ combined }, copy, { _link: link, expressionManager }) {
  link.combined = new Map([...combined].map(([mesh, expressions]) => [copy.of(mesh), expressions]));
  for (const expression of expressionManager._expressions) {
    const describe = expression._describe;
    expression._describe = () => [
      ...describe().filter((bind) => !(bind instanceof VRMExpressionMorphTargetBind)),
      ...[...link.combined].filter(([, list]) => list.includes(expression._index)).map(([mesh, list]) =>
        new VRMExpressionMorphTargetBind({ primitives: [mesh], index: list.indexOf(expression._index), weight: 1 })),
    ];
  }
}

/** Creates another avatar of the same file, in its initial state, at the position of this avatar's scene. */
export function clone(vrm) {
  const link = vrm._link;
  const copy = new Copy(link);
  const made = assemble(link.vrm.avatar, copy.parts, link.options);
  if (link.combined) shareCombined(link, copy, made);
  link.shared ??= new Shared(link);
  link.shared.use(made._link);
  made._link.shared = link.shared;
  return made;
}
