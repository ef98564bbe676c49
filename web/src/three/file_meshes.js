// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Creates the meshes of a glTF as GLTFLoader and the MToon plugin do, but without a promise for each step.

import { Group, Matrix4, Mesh, SkinnedMesh } from 'three';
import { FileGeometry, hasEvenTargets } from './file_geometry.js';
import { Skin } from './skeleton.js';

/** Copies extras, and extensions that neither GLTFLoader nor its plugins know, into an object's userData. */
export function describe({ extensions: known }, object, { extras, extensions }) {
  if (extras !== null && typeof extras === 'object') Object.assign(object.userData, extras);
  for (const name in extensions) if (known[name] === undefined) (object.userData.gltfExtensions ??= {})[name] = extensions[name];
}

// Returns true for triangles with a material and without compression.
const isOrdinary = (primitive) => (primitive.mode ?? 4) === 4 && primitive.material !== undefined && !primitive.extensions && hasEvenTargets(primitive);

function morphNames({ extras, weights = [] }, mesh) {
  const { morphTargetInfluences: influences } = mesh;
  if (!influences) return;
  for (let i = 0; i < weights.length; ++i) influences[i] = weights[i];
  const names = extras?.targetNames;
  if (!Array.isArray(names)) return;
  if (names.length === influences.length) mesh.morphTargetDictionary = Object.fromEntries(names.map((name, i) => [name, i]));
  else console.warn('libvrm: extras.targetNames has another length than there are targets; the names are not used');
}

/** The meshes of the file that a GLTFParser reads. */
export class FileMeshes {
  #parser;
  #mtoon;
  #geometry;
  #materials = new Map();

  constructor(parser, mtoon) {
    this.#parser = parser;
    this.#mtoon = mtoon;
    this.#geometry = new FileGeometry(parser);
  }

  /**
   * Returns true if this class can make all of the file's meshes as GLTFLoader would: meshes of triangles, each at a
   * single node.
   */
  get able() {
    const { nodes = [], meshes = [] } = this.#parser.json;
    const used = nodes.filter(({ mesh }) => mesh !== undefined);
    return typeof this.#mtoon._setupPrimitive === 'function' && typeof this.#parser.assignFinalMaterial === 'function' &&
      new Set(used.map(({ mesh }) => mesh)).size === used.length && used.every(({ mesh }) => meshes[mesh]) &&
      meshes.every(({ primitives, extensions }) => !extensions && primitives?.every(isOrdinary));
  }

  /** Reads the data of all meshes. */
  async read() {
    const { meshes = [], skins = [] } = this.#parser.json;
    const primitives = meshes.flatMap((mesh) => mesh.primitives);
    const indices = [...new Set(primitives.map(({ material }) => material))];
    const [materials] = await Promise.all([
      Promise.all(indices.map((index) => this.#parser.getDependency('material', index))),
      this.#geometry.read(primitives, skins.map(({ inverseBindMatrices }) => inverseBindMatrices).filter((index) => index !== undefined)),
    ]);
    indices.forEach((index, i) => this.#materials.set(index, materials[i]));
  }

  #primitive(def, primitive, name) {
    const geometry = this.#geometry.make(primitive);
    const skinned = def.isSkinnedMesh === true && geometry.hasAttribute('skinIndex') && geometry.hasAttribute('skinWeight');
    const mesh = new (skinned ? SkinnedMesh : Mesh)(geometry, this.#materials.get(primitive.material));
    if (skinned && !this.#geometry.normalizeSkinWeights(geometry)) mesh.normalizeSkinWeights();
    morphNames(def, mesh);
    mesh.name = this.#parser.createUniqueName(name);
    describe(this.#parser, mesh, { extras: def.extras });
    this.#parser.assignFinalMaterial(mesh);
    this.#mtoon._setupPrimitive(mesh, primitive.material);
    return mesh;
  }

  /** Returns a mesh: an object, or a group of objects. */
  make(index) {
    const def = this.#parser.json.meshes[index];
    const { associations } = this.#parser;
    const made = def.primitives.map((primitive, i) => {
      const mesh = this.#primitive(def, primitive, def.name || `mesh_${index}`);
      associations.set(mesh, { meshes: index, primitives: i });
      return mesh;
    });
    if (made.length === 1) return made[0];
    const group = new Group();
    associations.set(group, { meshes: index });
    return made.length ? group.add(...made) : group;
  }

  /** Binds an object of make() to the bones of a skin. `nodeOf` finds a node by its index. */
  bind(object, index, nodeOf) {
    const { joints, inverseBindMatrices } = this.#parser.json.skins[index];
    const inverses = inverseBindMatrices === undefined ? null : this.#geometry.attribute(inverseBindMatrices).array;
    const skin = new Skin(joints.map(nodeOf), inverses ?? Float32Array.from(joints.flatMap(() => new Matrix4().elements)));
    object.traverse((mesh) => { if (mesh.isSkinnedMesh) mesh.skeleton = skin; });
  }
}
