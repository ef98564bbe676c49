// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

/** What a program holds of an avatar, under three-vrm's names. */
export class VRMCore {
  constructor({ scene, meta, humanoid, expressionManager, firstPerson, lookAt }) {
    Object.assign(this, { scene, meta, humanoid, expressionManager, firstPerson, lookAt });
    this._link = null;
  }

  /** Goes on by `delta` seconds; to be called before each picture. */
  update(delta) {
    this.lookAt?.update(delta);
    this._link?.run(delta);
    this.expressionManager?._applyOwn();
  }

  /** Gives the library's memory back; VRMUtils.deepDispose(vrm.scene) does so, too. */
  dispose() {
    this._link?.dispose();
  }

  /** The core's instance: everything that three-vrm has no name for (wind, clips, snapshots, ...). */
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

/** One frame of many avatars: a single call of the library updates them all. */
export function updateAll(vrms, delta) {
  const links = vrms.map((vrm) => vrm._link).filter((link) => link && !link.disposed);
  if (links.length === 0) return;
  const { module } = links[0];
  for (const vrm of vrms) vrm.lookAt?.update(delta);
  for (const link of links) link.push();
  const list = module.allocate(4 * links.length);
  links.forEach((link, i) => { module.u32[(list >> 2) + i] = link.vrm.pointer; });
  module.c.vrm_update_many(list, links.length, links[0].params(delta, 255), 0);
  module.c.free(list);
  for (const link of links) link.pull(delta);
  for (const vrm of vrms) vrm.expressionManager?._applyOwn();
}
