// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

import { updateMany } from '../vrm.js';

/** An avatar with the names of three-vrm. */
export class VRMCore {
  constructor({ scene, meta, humanoid, expressionManager, firstPerson, lookAt }) {
    Object.assign(this, { scene, meta, humanoid, expressionManager, firstPerson, lookAt });
    this._link = null;
  }

  /** Advances by `delta` seconds. Call it before each picture. */
  update(delta) {
    this.lookAt?.update(delta);
    this._link?.run(delta);
    this.expressionManager?._applyOwn();
  }

  /** Frees the memory in the library. VRMUtils.deepDispose(vrm.scene) does this too. */
  dispose() {
    this._link?.dispose();
  }

  /** The instance of the core, with everything for which three-vrm has no name: wind, clips, snapshots, ... */
  get instance() {
    return this._link?.vrm ?? null;
  }
}

export class VRM extends VRMCore {
  constructor(params) {
    super(params);
    const { materials, springBoneManager, nodeConstraintManager } = params;
    Object.assign(this, { materials, springBoneManager, nodeConstraintManager });
  }
}

/** Updates many avatars by a single call of the library. */
export function updateAll(vrms, delta) {
  const links = vrms.map((vrm) => vrm._link).filter((link) => link && !link.disposed);
  if (links.length === 0) return;
  for (const vrm of vrms) vrm.lookAt?.update(delta);
  for (const link of links) link.push();
  updateMany(links.map(({ vrm }) => vrm), () => links[0].params(delta, 255));
  for (const link of links) link.pull(delta);
  for (const vrm of vrms) vrm.expressionManager?._applyOwn();
}
