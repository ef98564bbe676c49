// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

import type { Document } from './index.js';
import type { Disposable, HumanBoneName, Instance, Module, Numbers3, Numbers4, Vector, WasmSource } from './vrm.js';

/** Starts the copy of the library that has ragdolls besides everything else; it needs SIMD. */
export function init(source?: WasmSource | PromiseLike<WasmSource>): Promise<Module>;

export interface RagdollParams {
  readonly drive?: 'velocity' | 'torque';
  /** Hz */
  readonly frequency?: number;
  readonly dampingRatio?: number;
  /** N m; 0: each joint's own. */
  readonly maxTorque?: number;
  readonly pinFrequency?: number;
  readonly always?: boolean;
  readonly hitSpeed?: number;
  readonly hitSpread?: number;
  readonly hitRecovery?: number;
  readonly detectFall?: boolean;
  readonly fallHeight?: number;
  readonly fallTilt?: number;
  readonly recovery?: 'automatic' | 'manual';
  readonly growTime?: number;
  readonly blendTime?: number;
  readonly steps?: boolean;
  readonly [member: string]: unknown;
}

export interface SolverParams {
  /** Seconds of a step; default 1/120. */
  readonly step?: number;
  readonly iterations?: number;
  readonly gravity?: Vector;
  readonly jointFriction?: number;
  readonly friction?: number;
  readonly ground?: boolean;
  readonly selfContact?: boolean;
  readonly sleep?: boolean;
  readonly groundHeight?: number;
  readonly maxSteps?: number;
}

export interface RagdollOptions {
  readonly detail?: '16' | '11' | '7' | 'all';
  /** The avatar's file, for shapes by its vertices; default avatar.document. */
  readonly document?: Document | null;
  readonly params?: RagdollParams;
  readonly solver?: SolverParams;
}

export interface RagdollInfo {
  readonly phase: 'off' | 'active' | 'limp' | 'lying' | 'recovering' | 'blending';
  readonly phaseTime: number;
  readonly lying: 'not' | 'back' | 'front' | 'leftSide' | 'rightSide';
  readonly speed: number;
  readonly deviation: number;
  readonly bodyCount: number;
  readonly balance: 'none' | 'sways' | 'steps' | 'gathers' | 'stands' | 'gaveUp';
  readonly stepCount: number;
}

/** An active ragdoll: physics moves the body, the animation attracts it; vrm.update() steps it. */
export class Ragdoll implements Disposable {
  constructor(vrm: Instance, options?: RagdollOptions);
  readonly module: Module;
  readonly disposed: boolean;
  /** Bone of each body. */
  readonly bones: readonly HumanBoneName[];
  readonly info: RagdollInfo;
  readonly states: readonly {
    readonly position: Numbers3;
    readonly rotation: Numbers4;
    readonly linearVelocity: Numbers3;
    readonly angularVelocity: Numbers3;
  }[];
  /** World, metres; null: none. */
  set ground(height: number | null);
  hit(point: Vector, impulse: Vector, bone?: HumanBoneName): void;
  explode(center: Vector, impulse: number, radius: number): void;
  drop(): void;
  recover(): void;
  stop(): void;
  setWeights(weights: { readonly pin?: number; readonly muscle?: number; readonly mapping?: number }, group?: string, seconds?: number): void;
  dispose(): void;
}
