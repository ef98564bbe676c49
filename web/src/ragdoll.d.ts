// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

import type { Avatar, Clip, Document } from './index.js';
import type { Disposable, HumanBoneName, Instance, Module, Numbers3, Numbers4, Vector, WasmSource } from './vrm.js';

/** Starts a copy of the library with ragdolls. It needs SIMD. */
export function init(source?: WasmSource | PromiseLike<WasmSource>): Promise<Module>;

export interface RagdollParams {
  readonly drive?: 'velocity' | 'torque';
  /** Hz */
  readonly frequency?: number;
  readonly dampingRatio?: number;
  /** N m; 0: the value of each joint. */
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
  /** The avatar's file, from whose vertices the shapes are built; default avatar.document. */
  readonly document?: Document | null;
  /** Result of ragdollDefinition(), used instead of building the shapes. */
  readonly definition?: Uint8Array | null;
  readonly params?: RagdollParams;
  readonly solver?: SolverParams;
  /** How the figure falls; 'protective' (default): with reactions that protect the body. */
  readonly fall?: 'protective' | 'limp';
  /**
   * Gets up by a motion generated for the lying pose, in layer 3 of vrm.clips. Default true, unless params.recovery is
   * set.
   */
  readonly getUp?: boolean;
}

/**
 * Builds the bodies of an avatar, for any number of its VRMs, for example in a worker. The bytes are valid for the same
 * version of the library.
 */
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

/** A motion that is generated for an avatar. */
export type MotionName = 'idle' | 'walk' | 'run' | 'wave' | 'bow' | 'sitDown' | 'standUp';

export interface MotionOptions {
  /** Speed of walk and run, m/s; default: comfortable for the legs. */
  readonly speed?: number;
  /** Walk and run on the spot. */
  readonly inPlace?: boolean;
  /** Provides the length of the soles. */
  readonly ragdoll?: Ragdoll;
}

export function motionNames(): MotionName[];
export function isLoop(module: Module, motion: MotionName): boolean;
/**
 * Generates a motion for the proportions of this avatar. Throws for an avatar without legs or arms.
 */
export function createMotion(avatar: Avatar, motion: MotionName, options?: MotionOptions): Clip;

/**
 * An active ragdoll: physics moves the body, and the animation pulls it. When pushed, the figure takes steps (unless
 * params.steps is false), falls, and gets up. vrm.update() advances the ragdoll.
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
  /** True while the motion of getting up plays, also after the physics has ended. */
  readonly isGettingUp: boolean;
  /** The bone that the hand holds, or null. */
  readonly held: HumanBoneName | null;
  /** Lines for debugging, with 7 numbers for each of their two points: position relative to vrm.origin, and colour. */
  readonly lines: Float32Array;
  /** Returns the first point that a ray of the world meets, or null. */
  touch(origin: Vector, direction: Vector): { bone: HumanBoneName; point: Numbers3; distance: number } | null;
  /** Holds a bone at a point of the world, until letGo(). */
  hold(bone: HumanBoneName, point: Vector): void;
  moveHand(point: Vector): void;
  letGo(): void;
  /** Changes the given params. */
  setParams(params: RagdollParams): void;
  /** Height of the ground in the world, metres; null: none. */
  set ground(height: number | null);
  hit(point: Vector, impulse: Vector, bone?: HumanBoneName): void;
  explode(center: Vector, impulse: number, radius: number): void;
  drop(): void;
  recover(): void;
  stop(): void;
  setWeights(weights: { readonly pin?: number; readonly muscle?: number; readonly mapping?: number }, group?: string, seconds?: number): void;
  dispose(): void;
}
