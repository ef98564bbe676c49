// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

import type { AvatarOptions, ClipOptions, Document, FirstPersonPrimitive, GeometryOptions, Image, Texture, Validation, VertexArray } from './index.js';
import type {
  Avatar, Box, ExpressionManager, Finding, Humanoid, HumanBoneName, InstanceOptions, LayerParams, LookAt, Meta, Numbers3,
  Numbers4, PartialRoot, PartialTransform, PlayParams, Pose, Source, SpringBoneManager, SpringJointParams, Status, Transform, WasmSource,
} from './vrm.js';

export type { Finding } from './error.js';
export { VRMError } from './error.js';

export interface WorkerOptions {
  /** Source for init(); default: vrm.wasm beside this file, or vrm-scalar.wasm for engines without SIMD. */
  readonly wasm?: WasmSource | PromiseLike<WasmSource>;
  /**
   * A worker that already runs libvrm/worker_thread.js, for programs that consist of one script; default: a new worker.
   */
  readonly worker?: Worker;
}

/**
 * `transfer`: bytes are transferred to the worker, which detaches them here, instead of copied. The worker itself reads a
 * Blob or an address.
 */
export interface Transfer {
  readonly transfer?: boolean;
}

/** A worker with a copy of the library. */
export class VRMWorker {
  private constructor();
  static start(options?: WorkerOptions): Promise<VRMWorker>;
  readonly simd: boolean;
  readonly version: string;
  /** The error after which the worker can no longer be used, or null. */
  readonly dead: Error | null;
  /** Reads an avatar and creates a VRM of it. */
  load(
    source: Source | PromiseLike<Source>, options?: Omit<AvatarOptions, 'module'> & Transfer & { readonly instance?: InstanceOptions },
  ): Promise<WorkerVRM>;
  /** Reads a motion for avatars of this worker. */
  loadClip(source: Source | PromiseLike<Source>, options?: Omit<ClipOptions, 'module'> & Transfer): Promise<WorkerClip>;
  validate(source: Source | PromiseLike<Source>, options?: Transfer): Promise<Validation>;
  migrate(
    source: Source | PromiseLike<Source>, options?: Transfer & { readonly turn?: 'data' | 'root'; readonly strict?: boolean },
  ): Promise<{ readonly bytes: Uint8Array; readonly findings: readonly Finding[] }>;
  /** Ends the worker with all its objects. */
  terminate(): void;
}

/** An object in the worker. */
export interface Remote {
  readonly worker: VRMWorker;
  readonly disposed: boolean;
  dispose(): void;
}

/** A motion that avatars of the same worker can play. */
export class WorkerClip implements Remote {
  private constructor();
  readonly worker: VRMWorker;
  readonly disposed: boolean;
  readonly findings: readonly Finding[];
  readonly name: string;
  /** Seconds. */
  readonly duration: number;
  readonly hasHipsPosition: boolean;
  readonly hasGaze: boolean;
  readonly additive: boolean;
  dispose(): void;
}

/** All data of a primitive. */
export interface WorkerGeometry {
  readonly info: import('./index.js').Geometry['info'];
  readonly indices: Uint16Array | Uint32Array;
  /** The attributes by their names: "position", "normal", "tangent", "texCoord0", "color0", "joints0", "weights0" and so on. */
  readonly attributes: Readonly<Record<string, VertexArray>>;
  /** Differences of each morph target. */
  readonly deltas: readonly { readonly positions: Float32Array; readonly normals: Float32Array }[];
}

/** The file of an avatar. Each method returns a promise of the result of Document's method. */
export interface WorkerDocument {
  count(array: Parameters<Document['count']>[0]): Promise<number>;
  json(pointer?: string): Promise<any>;
  mesh(index: number): Promise<ReturnType<Document['mesh']>>;
  texture(index: number): Promise<Texture>;
  image(index: number): Promise<Image>;
  firstPerson(): Promise<FirstPersonPrimitive[]>;
  /** `attributes`: names of the requested attributes; default: all. */
  geometry(options?: GeometryOptions & { readonly attributes?: readonly string[] }): Promise<WorkerGeometry>;
  save(): Promise<Uint8Array>;
}

/** An avatar as loaded from a file, read-only. */
export interface WorkerAvatar extends Pick<Avatar, 'findings' | 'counts' | 'dialect' | 'body' | 'meta' | 'nodes' | 'humanBones' | 'expressions'
  | 'lookAt' | 'constraints' | 'springChains' | 'springJoints' | 'colliders' | 'materials' | 'meshNodes' | 'palettes' | 'morphNames'> {
  /** The file; null unless loaded with keepDocument. */
  readonly document: WorkerDocument | null;
  /**
   * Returns bytes for loadAvatar() of libvrm or libvrm/runtime on the page: the worker reads the avatar, and the page
   * runs it.
   */
  cook(): Promise<Uint8Array>;
  createInstance(options?: InstanceOptions): Promise<WorkerVRM>;
}

/**
 * An avatar that moves in the worker. Values that are set are applied, in order, with the next frame; an invalid value
 * rejects the promise of that frame. Values that are read are those of the last frame that has arrived. Views are valid
 * until the next frame arrives.
 */
export class WorkerVRM implements Remote {
  private constructor();
  readonly worker: VRMWorker;
  readonly disposed: boolean;
  readonly avatar: WorkerAvatar;
  readonly meta: Meta;
  /** Number of frames that have arrived. */
  readonly frames: number;
  /**
   * Requests the frame `dt` seconds later. While a frame is being computed, the seconds are added up for the next one.
   * The promise is fulfilled when the frame has arrived.
   */
  update(dt: number): Promise<void>;
  readonly humanoid: Pick<Humanoid, 'humanBones' | 'setNormalizedRotation' | 'setHipsPosition' | 'setNormalizedPose' | 'resetNormalizedPose'
    | 'setRawPose' | 'resetRawPose'> & {
    getNormalizedRotation(bone: HumanBoneName): Promise<Numbers4>;
    getNormalizedPose(): Promise<Pose>;
    getRawPose(): Promise<Pose>;
  };
  readonly expressionManager: ExpressionManager;
  readonly lookAt: LookAt;
  readonly springBoneManager: Pick<SpringBoneManager, 'joints' | 'colliders' | 'reset' | 'settle' | 'setParams' | 'setWind' | 'setJoint'
    | 'setChainWeight' | 'setCollider'> & {
    getJoint(joint: number): Promise<SpringJointParams>;
    getTails(): Promise<Float64Array>;
  };
  readonly clips: {
    play(clip: WorkerClip | null, params?: PlayParams): void;
    stop(params?: { readonly layer?: number; readonly seconds?: number }): void;
    setLayer(layer: number, params: LayerParams): void;
    setTime(seconds: number, layer?: number): void;
    getTime(layer?: number): Promise<number>;
    isFinished(layer?: number): Promise<boolean>;
  };
  /** The root that was set last, or null. */
  get root(): PartialRoot | null;
  set root(root: PartialRoot);
  teleport(root: PartialRoot): void;
  setLocal(node: number, transform: PartialTransform): void;
  getLocal(node: number): Promise<Transform>;
  setMorph(morph: number, weight: number): void;
  reset(): void;
  clearStatus(): void;
  gltfLocals(): Promise<Float32Array>;
  snapshot(): Promise<Uint8Array>;
  restore(bytes: Uint8Array): void;
  readonly world: Float32Array;
  readonly palette: Float32Array;
  readonly morphs: Float32Array;
  readonly materials: Float32Array;
  readonly expressionWeights: Float32Array;
  readonly meshBoxes: Float32Array;
  readonly nodeChanges: Uint32Array;
  readonly paletteChanges: Uint32Array;
  readonly morphChanges: Uint32Array;
  readonly materialChanges: Uint32Array;
  readonly origin: Numbers3;
  readonly box: Box;
  readonly viewpoint: Transform;
  /** Radians. */
  readonly gaze: { readonly yaw: number; readonly pitch: number };
  readonly status: readonly Status[];
  dispose(): void;
}
