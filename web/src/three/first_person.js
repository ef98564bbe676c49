// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

import { Group, SkinnedMesh } from 'three';

/** Returns the indices of the triangles of a skinned mesh that no joint of `head` moves. */
function headless(geometry, head) {
  const { index, attributes: { position, skinIndex, skinWeight } } = geometry;
  const onHead = new Uint8Array(position.count);
  for (let i = 0; i < position.count; ++i) {
    for (let k = 0; k < 4; ++k) if (skinWeight.getComponent(i, k) > 0 && head.has(skinIndex.getComponent(i, k))) onHead[i] = 1;
  }
  const count = index ? index.count : position.count;
  const corner = (i) => (index ? index.getX(i) : i);
  const kept = [];
  for (let i = 0; i + 2 < count; i += 3) {
    const a = corner(i), b = corner(i + 1), c = corner(i + 2);
    if (!(onHead[a] || onHead[b] || onHead[c])) kept.push(a, b, c);
  }
  return kept;
}

/** The meshes that a camera in the avatar's head sees, and those that other cameras see. */
export class VRMFirstPerson {
  static DEFAULT_FIRSTPERSON_ONLY_LAYER = 9;
  static DEFAULT_THIRDPERSON_ONLY_LAYER = 10;

  #first = VRMFirstPerson.DEFAULT_FIRSTPERSON_ONLY_LAYER;
  #third = VRMFirstPerson.DEFAULT_THIRDPERSON_ONLY_LAYER;
  #done = false;

  constructor(humanoid, meshAnnotations) {
    this.humanoid = humanoid;
    this.meshAnnotations = meshAnnotations;
    this._link = null;
  }

  copy(source) {
    if (this.humanoid !== source.humanoid) throw new Error('VRMFirstPerson: humanoid must be same in order to copy');
    this.meshAnnotations = source.meshAnnotations.map(({ meshes, type }) => ({ meshes: [...meshes], type }));
    this._link = source._link;
    return this;
  }

  clone() {
    return new VRMFirstPerson(this.humanoid, this.meshAnnotations).copy(this);
  }

  get firstPersonOnlyLayer() { return this.#first; }
  get thirdPersonOnlyLayer() { return this.#third; }

  /** Sets the layers of the meshes. A mesh that only its wearer sees without a head is drawn by two objects. */
  setup({ firstPersonOnlyLayer = this.#first, thirdPersonOnlyLayer = this.#third } = {}) {
    if (this.#done) return;
    this.#done = true;
    this.#first = firstPersonOnlyLayer;
    this.#third = thirdPersonOnlyLayer;
    for (const { meshes, type } of this.meshAnnotations) {
      for (const mesh of meshes) {
        if (type === 'firstPersonOnly') this.#only(mesh, this.#first);
        else if (type === 'thirdPersonOnly') this.#only(mesh, this.#third);
        else if (type === 'auto') this.#split(mesh);
      }
    }
  }

  #only(object, layer) {
    object.traverse((child) => child.layers.set(layer));
  }

  #split(object) {
    if (object.isGroup) {
      object.layers.set(this.#third);
      if (this.#isOnHead(object)) {
        this.#only(object, this.#third);
        return;
      }
      const parent = new Group();
      parent.name = `_headless_${object.name}`;
      parent.layers.set(this.#first);
      object.parent.add(parent);
      for (const child of object.children.filter((mesh) => mesh.isSkinnedMesh)) this.#splitSkinned(parent, child);
    } else if (object.isSkinnedMesh) {
      this.#splitSkinned(object.parent, object);
    } else if (this.#isOnHead(object)) {
      this.#only(object, this.#third);
    }
  }

  #splitSkinned(parent, mesh) {
    const head = new Set(mesh.skeleton.bones.flatMap((bone, i) => (this.#isOnHead(bone) ? [i] : [])));
    if (head.size === 0) {
      mesh.layers.enable(this.#third);
      mesh.layers.enable(this.#first);
      return;
    }
    mesh.layers.set(this.#third);
    const geometry = mesh.geometry.clone();
    geometry.setIndex(headless(geometry, head));
    // Each pass (surface, outline) draws all the triangles that are left.
    geometry.groups.forEach((group) => { group.count = Math.min(group.count, geometry.index.count); });
    const made = new SkinnedMesh(geometry, mesh.material);
    made.name = `${mesh.name}(erase)`;
    made.frustumCulled = mesh.frustumCulled;
    made.renderOrder = mesh.renderOrder;
    made.layers.set(this.#first);
    made.onBeforeRender = mesh.onBeforeRender;
    made.bind(mesh.skeleton, mesh.bindMatrix);
    parent.add(made);
    this._link?.adopt(mesh, made);
  }

  #isOnHead(object) {
    const head = this.humanoid.getRawBoneNode('head');
    for (let at = object; at; at = at.parent) if (at === head) return true;
    return false;
  }
}
