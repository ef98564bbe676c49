// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

/** A node that follows another one. The library computes the constraint. */
export class VRMNodeConstraint {
  constructor(destination, source, weight = 1) {
    this.destination = destination;
    this.source = source;
    this.weight = weight;
  }

  get dependencies() {
    return new Set([this.source]);
  }
}
export class VRMRollConstraint extends VRMNodeConstraint {}
export class VRMAimConstraint extends VRMNodeConstraint {}
export class VRMRotationConstraint extends VRMNodeConstraint {}

const classes = { roll: VRMRollConstraint, aim: VRMAimConstraint, rotation: VRMRotationConstraint };

/** The avatar's constraints, for inspection. */
export class VRMNodeConstraintManager {
  #constraints = null;

  constructor() {
    this._link = null;
  }

  get constraints() {
    if (!this.#constraints) {
      const link = this._link?.disposed ? null : this._link;
      this.#constraints = new Set(link?.vrm.avatar.constraints.map(({ type, node, source, weight }) =>
        new (classes[type] ?? VRMNodeConstraint)(link.nodeByOrder(node), link.nodeByOrder(source), weight)));
    }
    return this.#constraints;
  }

  setInitState() {}

  /** Runs only this part of an update. */
  update() {
    this._link?.run(0, 0xa0); // VRM_STAGE_CONSTRAINT and VRM_STAGE_OUTPUT
  }
}
