// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The nodes of an avatar in three's scene. An avatar has a few hundred nodes, but a program uses only some, or none. A
// node therefore fetches its transform and its world matrix when they are read. The scene's walk before each picture
// skips the nodes to which nothing was added.

import { Bone, Matrix4, Object3D } from 'three';
import { lightClass, wholeOf } from './light.js';

const inverse = /* @__PURE__ */ new Matrix4();
const linked = new WeakMap();

/** Returns the link of an avatar's scene, or undefined. */
export const linkOf = (scene) => linked.get(scene);

// --- light nodes -------------------------------------------------------------------------------------------------------------

/** Sets an object's transform to that of the file. */
export function fromFile(object, { matrix, translation, rotation, scale }) {
  if (matrix) object.applyMatrix4(new Matrix4().fromArray(matrix));
  else {
    if (translation) object.position.fromArray(translation);
    if (rotation) object.quaternion.fromArray(rotation);
    if (scale) object.scale.fromArray(scale);
  }
}

function nodeClass(Base) {
  class Node extends lightClass(Base) {
    constructor(name, def) {
      super();
      this.name = name;
      this._def = def; // definition in the file; null once there is a link
      this._given = def.name;
      this._link = null;
      this._index = -1;
      this._frame = -1; // number of the update that computed the world matrix
      this._moved = -1;
      this._composed = -1; // number of the update that computed the local matrix
    }

    _fill(whole) {
      if (this._link) this._link.follow(this._index, whole);
      else fromFile(whole, this._def);
    }

    // Returns the object with its transform as of the last update.
    _pulled() {
      const whole = wholeOf(this);
      this._link?.pullNodes();
      return whole;
    }

    // GLTFLoader and other code read userData.
    get userData() {
      const value = this._given ? { name: this._given } : {};
      Object.defineProperty(this, 'userData', { value, configurable: true, enumerable: true, writable: true });
      return value;
    }

    set userData(value) {
      Object.defineProperty(this, 'userData', { value, configurable: true, enumerable: true, writable: true });
    }

    get position() { return this._pulled().position; }
    get rotation() { return this._pulled().rotation; }
    get quaternion() { return this._pulled().quaternion; }
    get scale() { return this._pulled().scale; }

    get matrix() {
      const whole = this._pulled();
      if (this._link && this._composed !== this._link.frame) {
        this._composed = this._link.frame;
        if (this.matrixAutoUpdate) whole.updateMatrix();
      }
      return whole.matrix;
    }

    set matrix(given) { this.matrix.copy(given); }

    get matrixWorld() {
      const link = this._link;
      this._world ??= new Matrix4();
      if (link && (this._frame !== link.frame || this._moved !== link.moved) && !link.disposed) {
        this._frame = link.frame;
        this._moved = link.moved;
        link.worldOf(this._index, this._world);
      }
      return this._world;
    }

    set matrixWorld(given) { this.matrixWorld.copy(given); }

    updateWorldMatrix(parents, children) {
      // If no program has touched the node or a node above it, the library's world matrix is right.
      for (let at = this; ; at = at.parent) {
        if (at?._link !== this._link || !this._link) break;
        if (at._whole) {
          super.updateWorldMatrix(parents, children);
          return;
        }
      }
      if (!this._link) super.updateWorldMatrix(parents, children);
      else if (children) for (const child of this.children) child.updateWorldMatrix(false, true);
    }

    add(...objects) {
      this._link?.hosts.add(this);
      return super.add(...objects);
    }

    attach(object) {
      this._link?.hosts.add(this);
      return super.attach(object);
    }
  }
  Object.defineProperty(Node.prototype, 'constructor', { value: Base, configurable: true, writable: true });
  return Node;
}

let classes = null;

/** Returns a light node of the file; `def` is its definition in the file. */
export function makeNode(name, def) {
  classes ??= { bone: nodeClass(Bone), object: nodeClass(Object3D) };
  return new classes[def.isBone ? 'bone' : 'object'](name, def);
}

// --- nodes that others have made -----------------------------------------------------------------------------------------------

/** Makes a node fetch its transform and matrix from the library when they are read. */
function makeLazy(node, link, index) {
  const { position, rotation, quaternion, scale, matrix, matrixWorld } = node;
  let followed = false;
  const pull = () => {
    if (!followed) {
      followed = true;
      link.followOther(index, { position, quaternion, scale });
    }
    link.pullNodes();
  };
  let composed = -1;
  for (const [name, value] of Object.entries({ position, rotation, quaternion, scale, matrix })) {
    Object.defineProperty(node, name, {
      configurable: true, enumerable: true,
      get: name === 'matrix' ? () => {
        pull();
        if (composed !== link.frame && !link.disposed) {
          composed = link.frame;
          if (node.matrixAutoUpdate) matrix.compose(position, quaternion, scale);
        }
        return value;
      } : () => {
        pull();
        return value;
      },
      // three's own classes only ever replace the matrix (GLTFLoader does so by value).
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

/** Whether makeNode() has made a node. */
export const isLight = (node) => '_whole' in node;

export function linkNodes(link) {
  /** Light nodes to which objects were added. */
  link.hosts = new Set();
  link.others = [];
  link.nodes.forEach((node, i) => {
    if (!isLight(node)) {
      makeLazy(node, link, i);
      // Objects that the file does not contain may be added to a node: hats, lights, helpers.
      link.others.push({ node, children: node.children, count: node.children.length });
      return;
    }
    node._link = link;
    node._index = i;
    const touched = node._whole && !link.disposed;
    node._def = null;
    if (touched) link.followOther(i, node._whole);
  });
}

// --- the walk ------------------------------------------------------------------------------------------------------------------

// Places meshes at their nodes. For skinned meshes, bindMatrixInverse undoes the node's matrix of the update, because
// their palette is in world space already.
function placeMeshes(link) {
  for (const entry of link.meshes) {
    const { object, primitives, palette, gltfNode } = entry;
    if (!link.hasMoved(entry)) continue;
    const { matrixWorld } = object; // reading it updates it
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

function placeGuestsOf(link, { matrixWorld, children }) { // reading the matrix updates it
  let found = false;
  for (const child of children) {
    if (link.isResident(child)) continue;
    found = true;
    child.updateMatrixWorld(true);
  }
  return matrixWorld && found;
}

function placeGuests(link) {
  for (const { node, children, count } of link.others) if (children.length !== count) placeGuestsOf(link, node);
  for (const node of link.hosts) if (!placeGuestsOf(link, node)) link.hosts.delete(node);
}

/** Replaces the scene's walk before each picture: the library places the objects that belong to the avatar. */
export function linkScene(link) {
  const { scene } = link;
  linked.set(scene, link);
  link.moved = 0;
  const last = new Matrix4().copy(scene.matrixWorld);
  const own = [];
  for (const { node } of link.others) link.residents.add(node);
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
    const { children } = this;
    for (let i = 0; i < children.length; ++i) {
      // A child that belonged to the avatar in the last walk still does, and needs no check.
      if (children[i] === own[i]) continue;
      if (link.isResident(children[i])) own[i] = children[i];
      else children[i].updateMatrixWorld(deep);
    }
    placeMeshes(link);
    placeGuests(link);
  };
}
