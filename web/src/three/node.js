// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Nodes of an avatar in three's scene. Of a few hundred a program looks at some, if any: a node asks for its transform and its
// world matrix when they are read, and the scene's walk before each picture leaves nodes out that nothing hangs on.

import { Matrix4, Object3D } from 'three';

const inverse = /* @__PURE__ */ new Matrix4();
const linked = new WeakMap();

/** The link of an avatar's scene, or undefined. */
export const linkOf = (scene) => linked.get(scene);

/** Lets a node's transform and matrix be read from the library when somebody asks. */
function makeLazy(node, link, index) {
  const { position, rotation, quaternion, scale, matrix, matrixWorld } = node;
  for (const [name, value] of Object.entries({ position, rotation, quaternion, scale, matrix })) {
    Object.defineProperty(node, name, {
      configurable: true, enumerable: true,
      get: name === 'matrix' ? () => {
        if (!link.isFresh && node.matrixAutoUpdate) {
          link.pullNodes();
          matrix.compose(position, quaternion, scale);
        }
        return value;
      } : () => {
        link.pullNodes();
        return value;
      },
      // three's own classes replace the matrix alone (GLTFLoader does so by value).
      set: name === 'matrix' ? (given) => { matrix.copy(given); } : undefined,
    });
  }
  let frame = -1, moved = -1;
  Object.defineProperty(node, 'matrixWorld', {
    configurable: true, enumerable: true,
    get() {
      if ((frame !== link.frame || moved !== link.moved) && !link.disposed) {
        frame = link.frame;
        moved = link.moved;
        link.worldOf(index, matrixWorld);
      }
      return matrixWorld;
    },
    set(given) { matrixWorld.copy(given); },
  });
}

export function linkNodes(link) {
  link.nodes.forEach((node, i) => makeLazy(node, link, i));
  // Children that were not there in the file hang on a node: hats, lights, helpers.
  link.children = link.nodes.map((node) => node.children);
  link.counts = link.children.map(({ length }) => length);
}

// Meshes are placed where their nodes are; skinned ones by the inverse of where they were in the update, because their palette
// is in the world already.
function placeMeshes(link) {
  for (const { object, primitives, palette, gltfNode } of link.meshes) {
    const { matrixWorld } = object; // brings it up to date
    if (palette >= 0) {
      link.worldOf(gltfNode, inverse, false);
      inverse.invert();
    }
    for (const mesh of primitives) {
      if (mesh !== object) mesh.matrixWorld.copy(matrixWorld);
      if (palette >= 0 && mesh.isSkinnedMesh) mesh.bindMatrixInverse.copy(inverse);
    }
  }
}

function placeGuests({ nodes, children, counts, residents }) {
  for (let i = 0; i < counts.length; ++i) {
    if (children[i].length === counts[i]) continue;
    nodes[i].matrixWorld; // eslint-disable-line no-unused-expressions -- brings it up to date
    for (const child of children[i]) if (!residents.has(child)) child.updateMatrixWorld(true);
  }
}

/** The scene's walk before each picture: what belongs to the avatar itself is placed by the library. */
export function linkScene(link) {
  const { scene } = link;
  linked.set(scene, link);
  link.moved = 0;
  const last = new Matrix4().copy(scene.matrixWorld);
  link.residents = new Set(link.nodes);
  for (const { primitives } of link.meshes) for (const mesh of primitives) link.residents.add(mesh);
  scene.updateMatrixWorld = function (force) {
    if (link.disposed) {
      Object3D.prototype.updateMatrixWorld.call(this, force);
      return;
    }
    if (this.matrixAutoUpdate) this.updateMatrix();
    let deep = force;
    if (this.matrixWorldNeedsUpdate || force) {
      if (this.matrixWorldAutoUpdate) {
        if (this.parent === null) this.matrixWorld.copy(this.matrix);
        else this.matrixWorld.multiplyMatrices(this.parent.matrixWorld, this.matrix);
      }
      this.matrixWorldNeedsUpdate = false;
      deep = true;
    }
    link.settle();
    if (!last.equals(this.matrixWorld)) {
      last.copy(this.matrixWorld);
      ++link.moved;
    }
    for (const child of this.children) if (!link.residents.has(child)) child.updateMatrixWorld(deep);
    placeMeshes(link);
    placeGuests(link);
  };
}
