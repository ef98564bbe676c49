// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

import { DataTexture, FloatType, Matrix4, RGBAFormat, Skeleton, SkinnedMesh } from 'three';
import { layoutOf, numberOf, offsetOf } from '../struct.js';

/** Bones and the numbers of their inverse matrices, before there is a skeleton. */
export class Skin {
  constructor(bones, boneInverses) {
    this.bones = bones;
    this.boneInverses = boneInverses;
  }

  dispose() {}

  clone() {
    return this.toSkeleton();
  }

  /** Returns an ordinary skeleton. */
  toSkeleton() {
    return new Skeleton(this.bones, this.bones.map((_, i) => new Matrix4().fromArray(this.boneInverses, 16 * i)));
  }
}

/**
 * A skeleton whose matrices the library writes into the memory that three's bone texture reads. Nothing is computed or
 * copied here.
 */
export class PaletteSkeleton extends Skeleton {
  constructor(link, palette, bones, boneInverses) {
    super([], []);
    this.bones = bones;
    const side = Math.max(4, Math.ceil(Math.sqrt(4 * bones.length) / 4) * 4);
    this._link = link;
    this._palette = palette;
    this._side = side;
    this._changed = true;
    // Few programs need these matrices (rays, exporters), and a Matrix4 is three times as large as its numbers.
    const numbers = boneInverses[0] instanceof Matrix4 ? Float32Array.from(boneInverses.flatMap(({ elements }) => elements)) : boneInverses;
    let inverses = null;
    /** The numbers of the inverse matrices, 16 for each bone. */
    this.inverseNumbers = numbers;
    Object.defineProperty(this, 'boneInverses', {
      configurable: true, enumerable: true,
      get: () => inverses ??= bones.map((_, i) => new Matrix4().fromArray(numbers, 16 * i)),
      set: (given) => { inverses = given; },
    });
    const { module } = link;
    this._at = link.allocate(4 * 4 * side * side);
    const { size } = layoutOf('vrm_matrix_target');
    this._target = link.allocate(size);
    module.u32[this._target >> 2] = size;
    module.u32[(this._target + offsetOf('vrm_matrix_target', 'memory')) >> 2] = this._at;
    module.u32[(this._target + offsetOf('vrm_matrix_target', 'format')) >> 2] = numberOf('vrm_matrix_format', '4x4Columns');
    this._view();
  }

  _view() {
    const { u8 } = this._link.module;
    this.boneMatrices = new Float32Array(u8.buffer, this._at, 4 * this._side * this._side);
    if (this.boneTexture) this.boneTexture.image.data = this.boneMatrices;
  }

  /** Called after an update. @internal */
  pull() {
    const { vrm, module, at } = this._link;
    if (this.boneMatrices.buffer !== module.u8.buffer) this._view();
    if (this._link.frame > 1 && !this._link.changed(at.paletteChanges, this._palette)) return;
    module.c.vrm_instance_write_palette(vrm.pointer, this._palette, this._target);
    this._changed = true;
  }

  /** Called by the renderer before a picture. */
  update() {
    if (this._link.disposed) return;
    if (this.boneMatrices.buffer !== this._link.module.u8.buffer) {
      this._view();
      this._changed = true;
    }
    if (this._changed && this.boneTexture) {
      this._changed = false;
      this.boneTexture.needsUpdate = true;
    }
  }

  computeBoneTexture() {
    this.boneTexture = new DataTexture(this.boneMatrices, this._side, this._side, RGBAFormat, FloatType);
    this.boneTexture.needsUpdate = true;
    return this;
  }

  /** Returns an ordinary skeleton with the same bones. */
  clone() {
    return new Skeleton(this.bones, this.boneInverses);
  }
}

const inverse = /* @__PURE__ */ new Matrix4();

// Moves a vertex for rays and boxes. They use the matrices of the nodes, which have followed the scene since the update,
// while bindMatrixInverse is for the matrices of the update, by which the GPU moves it.
function applyBoneTransform(index, target) {
  const { bindMatrixInverse } = this;
  if (!this.skeleton._link?.isPlaced) this.bindMatrixInverse = inverse.copy(this.matrixWorld).invert();
  SkinnedMesh.prototype.applyBoneTransform.call(this, index, target);
  this.bindMatrixInverse = bindMatrixInverse;
  return target;
}

/** Sets the skeletons of an avatar's skinned meshes to PaletteSkeletons, one for each palette. Returns the skeletons. */
export function linkSkeletons(link) {
  const made = new Map();
  for (const { palette, primitives } of link.meshes) {
    for (const mesh of primitives) {
      if (!mesh.isSkinnedMesh) continue;
      if (palette < 0) {
        mesh.skeleton = mesh.skeleton.toSkeleton?.() ?? mesh.skeleton;
        continue;
      }
      if (!made.has(palette)) made.set(palette, new PaletteSkeleton(link, palette, mesh.skeleton.bones, mesh.skeleton.boneInverses));
      mesh.skeleton.dispose();
      mesh.skeleton = made.get(palette);
      mesh.applyBoneTransform = applyBoneTransform;
    }
  }
  return [...made.values()];
}
