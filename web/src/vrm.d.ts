// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

import type { Finding } from './error.js';

export type { ErrorCode, Finding, Severity } from './error.js';
export { VRMError } from './error.js';

/** Three numbers, or an object that has them. A list of another length throws. */
export type Vector = readonly [number, number, number] | Float32Array | Float64Array | { readonly x: number; readonly y: number; readonly z: number };
/** x, y, z, w, or an object that has them. */
export type Quaternion =
  | readonly [number, number, number, number]
  | Float32Array
  | Float64Array
  | { readonly x: number; readonly y: number; readonly z: number; readonly w: number };
export type Numbers3 = [number, number, number];
export type Numbers4 = [number, number, number, number];

/** Bytes, or their address. */
export type Source = ArrayBuffer | ArrayBufferView | Blob | Response | URL | string;
export type WasmSource = BufferSource | Response | URL | string | WebAssembly.Module;

export type HumanBoneName =
  | 'hips' | 'spine' | 'chest' | 'upperChest' | 'neck' | 'head' | 'leftEye' | 'rightEye' | 'jaw'
  | 'leftUpperLeg' | 'leftLowerLeg' | 'leftFoot' | 'leftToes' | 'rightUpperLeg' | 'rightLowerLeg' | 'rightFoot' | 'rightToes'
  | 'leftShoulder' | 'leftUpperArm' | 'leftLowerArm' | 'leftHand' | 'rightShoulder' | 'rightUpperArm' | 'rightLowerArm' | 'rightHand'
  | 'leftThumbMetacarpal' | 'leftThumbProximal' | 'leftThumbDistal'
  | 'leftIndexProximal' | 'leftIndexIntermediate' | 'leftIndexDistal'
  | 'leftMiddleProximal' | 'leftMiddleIntermediate' | 'leftMiddleDistal'
  | 'leftRingProximal' | 'leftRingIntermediate' | 'leftRingDistal'
  | 'leftLittleProximal' | 'leftLittleIntermediate' | 'leftLittleDistal'
  | 'rightThumbMetacarpal' | 'rightThumbProximal' | 'rightThumbDistal'
  | 'rightIndexProximal' | 'rightIndexIntermediate' | 'rightIndexDistal'
  | 'rightMiddleProximal' | 'rightMiddleIntermediate' | 'rightMiddleDistal'
  | 'rightRingProximal' | 'rightRingIntermediate' | 'rightRingDistal'
  | 'rightLittleProximal' | 'rightLittleIntermediate' | 'rightLittleDistal';

export type ExpressionName =
  | 'happy' | 'angry' | 'sad' | 'relaxed' | 'surprised' | 'aa' | 'ih' | 'ou' | 'ee' | 'oh' | 'blink' | 'blinkLeft' | 'blinkRight'
  | 'lookUp' | 'lookDown' | 'lookLeft' | 'lookRight' | 'neutral' | (string & {});

/** A running copy of the library, with its own memory. */
export class Module {
  private constructor();
  /** Whether the engine has SIMD. */
  readonly simd: boolean;
  /** The error of the trap after which the module can no longer be used, or null. */
  readonly dead: Error | null;
  /** Size of the module's memory, bytes. It grows and never shrinks. */
  readonly memoryBytes: number;
  /** "0.1.0" */
  readonly version: string;
}

/** An object that dispose() frees; where `using` exists, also at the end of its block. Using it afterwards throws. */
export interface Disposable {
  readonly module: Module;
  readonly disposed: boolean;
  dispose(): void;
}

export interface Transform {
  /** Metres. */
  translation: Numbers3;
  /** Unit. */
  rotation: Numbers4;
  scale: Numbers3;
}

export interface PartialTransform {
  readonly translation?: Vector;
  readonly rotation?: Quaternion;
  readonly scale?: Vector;
}

export interface Root {
  /** World, metres. */
  translation: Numbers3;
  rotation: Numbers4;
  /** 0.01 to 100. */
  scale: number;
}

export interface PartialRoot {
  readonly translation?: Vector;
  readonly rotation?: Quaternion;
  readonly scale?: number;
}

export interface Box {
  min: Numbers3;
  max: Numbers3;
}

// --- avatar --------------------------------------------------------------------------------------------------------------

export interface Counts {
  readonly nodes: number;
  readonly expressions: number;
  readonly morphs: number;
  readonly meshes: number;
  readonly palettes: number;
  readonly paletteJoints: number;
  readonly materials: number;
  readonly springChains: number;
  readonly springJoints: number;
  readonly colliders: number;
  readonly constraints: number;
  readonly flags: number;
  readonly bytes: number;
}

/** Author and conditions of use, in the terms of VRM 1.0. A use that the file does not state is not allowed. */
export interface Meta {
  /** "0" for VRM 0.x. */
  readonly metaVersion: '0' | '1';
  readonly name: string;
  readonly version: string;
  readonly copyrightInformation: string;
  readonly contactInformation: string;
  readonly thirdPartyLicenses: string;
  readonly licenseUrl: string;
  readonly otherLicenseUrl: string;
  readonly authors: readonly string[];
  readonly references: readonly string[];
  /** Image of the file, or -1. */
  readonly thumbnailImage: number;
  /** Bits of vrm_meta_field: the fields that the file itself states. */
  readonly stated: number;
  readonly avatarPermission: 'onlyAuthor' | 'onlySeparatelyLicensedPerson' | 'everyone';
  readonly commercialUsage: 'personalNonProfit' | 'personalProfit' | 'corporation';
  readonly creditNotation: 'required' | 'unnecessary';
  readonly modification: 'prohibited' | 'allowModification' | 'allowModificationRedistribution';
  readonly allowExcessivelyViolentUsage: boolean;
  readonly allowExcessivelySexualUsage: boolean;
  readonly allowPoliticalOrReligiousUsage: boolean;
  readonly allowAntisocialOrHateUsage: boolean;
  readonly allowRedistribution: boolean;
  /** The terms of an older dialect: key, value, key, value, ... */
  readonly oldTerms: readonly string[];
}

export interface Node {
  readonly name: string;
  /** Node order, -1 for a root. */
  readonly parent: number;
  readonly subtreeEnd: number;
  /** Index in the file. */
  readonly gltfNode: number;
  /** Number of the bone, or -1. */
  readonly humanBone: number;
  /** Mesh node, or -1. */
  readonly mesh: number;
  readonly rest: Transform;
  readonly restRotation: Numbers4;
  readonly restPosition: Numbers3;
}

export type ExpressionGroup = 'none' | 'blink' | 'lookAt' | 'mouth';
export type ExpressionOverride = 'none' | 'block' | 'blend';

export interface Expression {
  readonly name: string;
  /** Name of its preset, "custom" for other expressions. */
  readonly preset: string;
  readonly group: ExpressionGroup;
  readonly overrideMouth: ExpressionOverride;
  readonly overrideBlink: ExpressionOverride;
  readonly overrideLookAt: ExpressionOverride;
  readonly isBinary: boolean;
  readonly binaryThreshold: number;
  readonly morphBindCount: number;
  readonly colorBindCount: number;
  readonly textureBindCount: number;
}

export interface RangeMap {
  /** Radians. */
  readonly inputMax: number;
  /** Radians for bones, a weight for expressions. */
  readonly outputScale: number;
}

export interface LookAtDescription {
  readonly type: 'none' | 'bone' | 'expression';
  readonly offsetFromHeadBone: Numbers3;
  readonly horizontalInner: RangeMap;
  readonly horizontalOuter: RangeMap;
  readonly verticalDown: RangeMap;
  readonly verticalUp: RangeMap;
}

export interface Constraint {
  readonly type: 'roll' | 'aim' | 'rotation' | (string & {});
  readonly node: number;
  readonly source: number;
  readonly axis: Numbers3;
  readonly weight: number;
  readonly [member: string]: unknown;
}

export type ColliderShape = 'sphere' | 'capsule' | 'insideSphere' | 'insideCapsule' | 'plane';

export interface Collider {
  readonly shape: ColliderShape;
  readonly node: number;
  readonly offset: Numbers3;
  readonly tail: Numbers3;
  readonly radius: number;
}

export interface SpringJointParams {
  /** Metres. */
  hitRadius: number;
  stiffness: number;
  gravityPower: number;
  gravityDir: Numbers3;
  /** 0 to 1. */
  dragForce: number;
}

export interface SpringJoint {
  /** Node order. */
  readonly node: number;
  readonly tailNode: number;
  readonly tail: Numbers3;
  /** Index among the file's springs; `joint` is the index within that spring. */
  readonly spring: number;
  readonly joint: number;
  readonly params: Readonly<SpringJointParams>;
  readonly limit: { readonly type: 'none' | 'cone' | 'hinge' | 'spherical'; readonly angle: number; readonly yaw: number; readonly rotation: Numbers4 };
}

export interface SpringChain {
  readonly name: string;
  readonly firstJoint: number;
  readonly jointCount: number;
  readonly firstCollider: number;
  readonly colliderCount: number;
  readonly center: number;
  readonly spring: number;
}

export interface TextureUse {
  /** glTF texture, or -1. */
  readonly index: number;
  readonly texCoord: number;
  readonly scale: number;
  readonly transform: { readonly scale: [number, number]; readonly offset: [number, number]; readonly rotation: number };
}

export interface MaterialParams {
  readonly type: 'pbr' | 'unlit' | 'mtoon';
  readonly alphaMode: 'opaque' | 'mask' | 'blend';
  readonly alphaCutoff: number;
  readonly doubleSided: boolean;
  readonly transparentWithZWrite: boolean;
  readonly renderQueueOffset: number;
  /** base, emission, shade, matcap, rim, outline; linear. */
  readonly colors: readonly Numbers4[];
  readonly emissiveStrength: number;
  readonly metallic: number;
  readonly roughness: number;
  readonly shadingShift: number;
  readonly shadingToony: number;
  readonly giEqualization: number;
  readonly rimFresnelPower: number;
  readonly rimLift: number;
  readonly rimLightingMix: number;
  readonly outlineMode: 'none' | 'worldCoordinates' | 'screenCoordinates';
  readonly outlineWidth: number;
  readonly outlineLightingMix: number;
  readonly uvScrollSpeed: [number, number];
  readonly uvRotationSpeed: number;
  /** baseColor, metallicRoughness, normal, occlusion, emissive, shadeMultiply, shadingShift, matcap, rimMultiply,
   * outlineWidthMultiply, uvAnimationMask. */
  readonly textures: readonly TextureUse[];
}

export interface Material {
  readonly name: string;
  readonly params: MaterialParams;
}

export interface MaterialValues {
  /** base, emission, shade, matcap, rim, outline; linear. */
  readonly colors: readonly Numbers4[];
  readonly uvBase: number;
  readonly uvScale: [number, number];
  readonly uvOffset: [number, number];
  readonly uvScroll: [number, number];
  readonly uvRotation: number;
}

export type FirstPerson = 'auto' | 'both' | 'thirdPersonOnly' | 'firstPersonOnly';

export interface MeshNode {
  readonly node: number;
  readonly gltfMesh: number;
  readonly gltfSkin: number;
  /** Palette of the mesh's skin, or -1. */
  readonly palette: number;
  readonly firstMorph: number;
  readonly morphCount: number;
  readonly firstPerson: FirstPerson;
}

export interface Palette {
  readonly firstJoint: number;
  readonly jointCount: number;
  /** Node of each joint. */
  readonly nodes: readonly number[];
}

export interface InstanceOptions {
  /** Slots for springBoneManager.setCollider(); default 0. */
  readonly hostColliders?: number;
  /** Allows springBoneManager.setJoint(); default false. */
  readonly springParameters?: boolean;
  /** Allows the program to move nodes of spring chains; default false. */
  readonly hairInputs?: boolean;
  readonly lookChainBones?: number;
  readonly lookChainLinks?: number;
  readonly ragdollBodies?: number;
}

/** An avatar as loaded from a file. It is read-only, and shared by all VRMs created from it. */
export class Avatar implements Disposable {
  protected constructor();
  readonly module: Module;
  readonly disposed: boolean;
  /** Findings of loading; a warning means that a value was repaired. */
  readonly findings: readonly Finding[];
  readonly counts: Counts;
  /** "1.0", "1.0-beta", "1.0-draft", "0.x", or "" for a glTF without VRM. */
  readonly dialect: string;
  /** Measures of the rest pose, metres. */
  readonly body: { readonly height: number; readonly eyeHeight: number; readonly hipsHeight: number };
  readonly meta: Meta;
  readonly nodes: readonly Node[];
  /** Node of each humanoid bone that the avatar has. */
  readonly humanBones: Readonly<Partial<Record<HumanBoneName, number>>>;
  readonly expressions: readonly Expression[];
  readonly lookAt: LookAtDescription;
  readonly constraints: readonly Constraint[];
  readonly springChains: readonly SpringChain[];
  readonly springJoints: readonly SpringJoint[];
  readonly colliders: readonly Collider[];
  readonly materials: readonly Material[];
  readonly meshNodes: readonly MeshNode[];
  readonly palettes: readonly Palette[];
  readonly morphNames: readonly string[];
  /** Index, or -1. */
  findExpression(name: string): number;
  findNode(name: string): number;
  findGltfNode(index: number): number;
  createInstance(options?: InstanceOptions): Instance;
  /** Disposes of this handle. The memory is freed together with the avatar's last VRM. */
  dispose(): void;
}

// --- parts of a VRM ------------------------------------------------------------------------------------------------------

/** Differences to the rest pose, as in three-vrm. */
export type Pose = { readonly [bone in HumanBoneName]?: { readonly rotation?: readonly number[]; readonly position?: readonly number[] } };

export interface Humanoid {
  readonly humanBones: Readonly<Partial<Record<HumanBoneName, number>>>;
  /** Rotates a bone from the T-pose, about the model's axes. */
  setNormalizedRotation(bone: HumanBoneName, rotation: Quaternion): void;
  getNormalizedRotation(bone: HumanBoneName): Numbers4;
  /** Position in the model, metres. */
  setHipsPosition(position: Vector): void;
  setNormalizedPose(pose: Pose): void;
  getNormalizedPose(): Pose;
  resetNormalizedPose(): void;
  setRawPose(pose: Pose): void;
  getRawPose(): Pose;
  resetRawPose(): void;
}

export type ExpressionLayer = 'clip' | 'emotion' | 'procedural' | 'tracker' | 'host';

export interface BlinkParams {
  readonly enabled?: boolean;
  readonly seed?: number;
  /** Seconds between blinks. */
  readonly intervalMin?: number;
  readonly intervalMax?: number;
  readonly closeTime?: number;
  readonly holdTime?: number;
  readonly openTime?: number;
  readonly doubleChance?: number;
}

export interface ExpressionManager {
  readonly names: readonly string[];
  readonly mouthExpressionNames: readonly string[];
  readonly blinkExpressionNames: readonly string[];
  readonly lookAtExpressionNames: readonly string[];
  getExpression(name: ExpressionName): Expression | null;
  /** 0 to 1. A name that the avatar lacks is ignored. */
  setValue(name: ExpressionName, weight: number, layer?: ExpressionLayer): void;
  /** Weight before overrides, as merged by the last update; null for a name that the avatar lacks. */
  getValue(name: ExpressionName): number | null;
  /** Weight after overrides, as applied by the last update. */
  getAppliedValue(name: ExpressionName): number;
  resetValues(layer?: ExpressionLayer): void;
  /** Fades this emotion to `weight` and all others to 0, over `seconds` (0.2). */
  fadeEmotion(name: ExpressionName | null, weight?: number, seconds?: number): void;
  setBlink(params: BlinkParams): void;
  blink(): void;
  /** aa, ih, ou, ee, oh */
  setVowels(weights: ArrayLike<number>): void;
  setLoudness(loudness: number): void;
  clearLipSync(): void;
}

export interface LookAt {
  /** The point of the world that the eyes follow. */
  target: Vector | null;
  lookAt(point: Vector): void;
  /** Degrees, + left. */
  yaw: number;
  /** Degrees, + down. */
  pitch: number;
  reset(): void;
}

export interface SpringParams {
  paused: boolean;
  /** 0 to 1 */
  rootMotion: number;
  external: Numbers3;
  gravityScale: number;
  stiffnessScale: number;
  ground: boolean;
  groundHeight: number;
  /** 0 to 1: fraction of the stiffness that acts as weight */
  hanging: number;
}

export interface HostCollider {
  readonly enabled?: boolean;
  readonly shape?: ColliderShape;
  /** -1: the world. */
  readonly node?: number;
  readonly offset?: Vector;
  readonly tail?: Vector;
  readonly radius?: number;
  /** -1: all. */
  readonly chain?: number;
}

export interface SpringBoneManager {
  readonly joints: readonly SpringJoint[];
  readonly colliders: readonly Collider[];
  readonly params: SpringParams;
  reset(): void;
  settle(seconds: number): void;
  setParams(params: Partial<SpringParams>): void;
  setWind(force: Vector): void;
  getJoint(joint: number): SpringJointParams;
  setJoint(joint: number, params: Partial<SpringJointParams>): void;
  /** Tails of all joints in the world, x y z each, in the order of the file's springs and their joints. */
  getTails(): Float64Array;
  setChainWeight(chain: number, weight: number): void;
  setCollider(slot: number, collider: HostCollider | null): void;
}

/** A motion that any avatar can play. */
export class Clip implements Disposable {
  private constructor();
  readonly module: Module;
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

export interface PlayParams {
  /** 0 to 3; default 0. */
  readonly layer?: number;
  readonly wrap?: 'hold' | 'loop' | 'pingPong';
  readonly speed?: number;
  /** Seconds. */
  readonly start?: number;
  /** Length of the transition; default 0. */
  readonly seconds?: number;
  readonly transition?: 'fade' | 'inertial';
  readonly align?: boolean;
}

export interface LayerParams {
  readonly weight?: number;
  readonly humanoidWeight?: number;
  readonly expressionWeight?: number;
  readonly gazeWeight?: number;
  /** Bit 1 << number of each bone that may move. */
  readonly bones?: bigint;
  readonly hipsPosition?: boolean;
  readonly rootMotion?: boolean;
  readonly rootTurn?: boolean;
  readonly footWeight?: number;
}

export interface ClipPlayer {
  readonly playing: readonly (Clip | null)[];
  play(clip: Clip, params?: PlayParams): void;
  stop(params?: { readonly layer?: number; readonly seconds?: number }): void;
  setLayer(layer: number, params: LayerParams): void;
  setTime(seconds: number, layer?: number): void;
  getTime(layer?: number): number;
  isFinished(layer?: number): boolean;
  readonly rootMotion: Numbers3;
}

export interface UpdateParams {
  readonly dt: number;
  /** Bits of vrm_stage; default all. */
  readonly stages?: number;
  readonly springTime?: 'default' | 'reference';
}

export type Status = 'inputNotFinite' | 'springReset' | 'timeClamped' | 'degenerate' | 'ragdollLost' | 'inputClamped';

/**
 * An avatar that moves. Views are read-only and overwritten by the next update; read the properties again in each frame.
 */
export class Instance implements Disposable {
  constructor(avatar: Avatar, options?: InstanceOptions);
  readonly module: Module;
  readonly disposed: boolean;
  readonly avatar: Avatar;
  readonly options: InstanceOptions;
  readonly meta: Meta;
  readonly humanoid: Humanoid;
  readonly expressionManager: ExpressionManager;
  readonly lookAt: LookAt;
  readonly springBoneManager: SpringBoneManager;
  readonly clips: ClipPlayer;
  /** Advances by `dt` seconds. If `dt` is negative, no time passes. */
  update(dt: number): void;
  /** Runs an update with options. A VRM with a ragdoll accepts only update(). */
  updateWith(params: UpdateParams): void;
  get root(): Root;
  set root(root: PartialRoot);
  /** Moves the avatar without moving its hair. */
  teleport(root: PartialRoot): void;
  /** Node order. */
  getLocal(node: number): Transform;
  setLocal(node: number, transform: PartialTransform): void;
  setMorph(morph: number, weight: number): void;
  reset(): void;
  /** World matrix of each node, 3x4 by rows, relative to `origin`. */
  readonly world: Float32Array;
  /** Skinning matrix of each joint of all palettes, 3x4 by rows. */
  readonly palette: Float32Array;
  readonly morphs: Float32Array;
  readonly materials: Float32Array;
  /** Input and applied weight of each expression. */
  readonly expressionWeights: Float32Array;
  /** Box of each mesh node: min x y z, max x y z. */
  readonly meshBoxes: Float32Array;
  /** Bit i % 32 of word i >> 5 is set for each node i whose matrix has changed. */
  readonly nodeChanges: Uint32Array;
  readonly paletteChanges: Uint32Array;
  readonly morphChanges: Uint32Array;
  readonly materialChanges: Uint32Array;
  materialValues(material: number): MaterialValues;
  readonly origin: Numbers3;
  readonly box: Box;
  readonly viewpoint: Transform;
  /** Radians. */
  readonly gaze: { readonly yaw: number; readonly pitch: number };
  readonly status: readonly Status[];
  clearStatus(): void;
  /** Local translation, rotation and scale of each glTF node. */
  gltfLocals(out?: Float32Array): Float32Array;
  snapshot(): Uint8Array;
  restore(bytes: ArrayBuffer | ArrayBufferView): void;
  /** Returns another instance in the same state. */
  clone(): this;
  dispose(): void;
}

/** Updates many avatars of one module in a single call. */
export function updateAll(vrms: readonly Instance[], dt: number): void;
/**
 * Returns true if this engine has WebAssembly SIMD.
 */
export function hasSimd(): boolean;
