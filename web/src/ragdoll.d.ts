// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

import type { Avatar, Clip, Document } from './index.js';
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
  /** Instead of shapes made here: what ragdollDefinition() gave. */
  readonly definition?: Uint8Array | null;
  readonly params?: RagdollParams;
  readonly solver?: SolverParams;
  /** How it falls; default 'protective': as people do. */
  readonly fall?: 'protective' | 'limp';
  /** Gets up by a motion that is made for how it lies, in layer 3 of vrm.clips; default true, unless params.recovery says otherwise. */
  readonly getUp?: boolean;
}

/** The bodies of an avatar, for any number of VRMs; made where nobody waits, as in a worker. Of the same version of the library. */
export function ragdollDefinition(avatar: Avatar, options?: Pick<RagdollOptions, 'detail' | 'document'>): Uint8Array;

export interface RagdollInfo {
  readonly phase: 'off' | 'active' | 'limp' | 'lying' | 'recovering' | 'blending';
  readonly phaseTime: number;
  readonly lying: 'not' | 'back' | 'front' | 'leftSide' | 'rightSide';
  readonly speed: number;
  readonly deviation: number;
  readonly bodyCount: number;
  readonly balance: 'none' | 'sways' | 'steps' | 'gathers' | 'stands' | 'gaveUp' | 'staggers';
  readonly stepCount: number;
}

/** A motion that is made for an avatar. */
export type MotionName = 'idle' | 'walk' | 'run' | 'wave' | 'bow' | 'sitDown' | 'standUp';

export interface MotionOptions {
  /** Of walk and run, m/s; default: comfortable for the legs. */
  readonly speed?: number;
  /** Walk and run on the spot. */
  readonly inPlace?: boolean;
  /** Knows the length of the soles. */
  readonly ragdoll?: Ragdoll;
}

export function motionNames(): MotionName[];
export function isLoop(module: Module, motion: MotionName): boolean;
/** A motion for the proportions of this avatar; throws for one without legs or arms. */
export function createMotion(avatar: Avatar, motion: MotionName, options?: MotionOptions): Clip;

/**
 * An active ragdoll: physics moves the body, the animation attracts it; it takes steps when it is pushed (unless params.steps is
 * false), falls as people do, and gets up. vrm.update() steps it.
 */
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
  /** Bone that is held, or null. */
  readonly held: HumanBoneName | null;
  /** For debugging: 7 numbers for each of the two points of a line, its place relative to vrm.origin and its colour. */
  readonly lines: Float32Array;
  /** What a ray of the world touches first; null: nothing. */
  touch(origin: Vector, direction: Vector): { bone: HumanBoneName; point: Numbers3; distance: number } | null;
  /** A hand takes hold of a bone at a point of the world, until letGo(). */
  hold(bone: HumanBoneName, point: Vector): void;
  moveHand(point: Vector): void;
  letGo(): void;
  /** Changes some of the params. */
  setParams(params: RagdollParams): void;
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
