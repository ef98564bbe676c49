// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The interface of @pixiv/three-vrm 3 and @pixiv/three-vrm-animation 3, implemented by libvrm.

import type { AnimationClip, Color, Euler, Group, KeyframeTrack, Loader, LoadingManager, Material, Matrix4, NumberKeyframeTrack, Object3D,
  Quaternion, QuaternionKeyframeTrack, ShaderMaterial, ShaderMaterialParameters, Texture, Vector2, Vector3, VectorKeyframeTrack, Mesh } from 'three';
import type { GLTF, GLTFLoader, GLTFLoaderPlugin, GLTFParser } from 'three/addons/loaders/GLTFLoader.js';
import type { Module, VRM as Instance } from '../index.js';

// --- words ---

type Side<T extends string> = `left${T}` | `right${T}`;
type Finger = `${'Index' | 'Middle' | 'Ring' | 'Little'}${'Proximal' | 'Intermediate' | 'Distal'}` | `Thumb${'Metacarpal' | 'Proximal' | 'Distal'}`;
export type VRMHumanBoneName = 'hips' | 'spine' | 'chest' | 'upperChest' | 'neck' | 'head' | 'jaw' | Side<'Eye' | 'UpperLeg' |
  'LowerLeg' | 'Foot' | 'Toes' | 'Shoulder' | 'UpperArm' | 'LowerArm' | 'Hand' | Finger>;
export const VRMHumanBoneName: { readonly [K in Capitalize<VRMHumanBoneName>]: Uncapitalize<K> };
export const VRMHumanBoneList: VRMHumanBoneName[];
export const VRMHumanBoneParentMap: { [bone in VRMHumanBoneName]: VRMHumanBoneName | null };
export type VRMRequiredHumanBoneName = 'hips' | 'spine' | 'head' | Side<'UpperLeg' | 'LowerLeg' | 'Foot' | 'UpperArm' | 'LowerArm' | 'Hand'>;
export const VRMRequiredHumanBoneName: { readonly [K in Capitalize<VRMRequiredHumanBoneName>]: Uncapitalize<K> };
export type VRMExpressionPresetName = 'aa' | 'ih' | 'ou' | 'ee' | 'oh' | 'blink' | 'happy' | 'angry' | 'sad' | 'relaxed' | 'surprised' |
  'lookUp' | 'lookDown' | 'lookLeft' | 'lookRight' | 'blinkLeft' | 'blinkRight' | 'neutral';
export const VRMExpressionPresetName: { readonly [K in Capitalize<VRMExpressionPresetName>]: Uncapitalize<K> };
export type VRMExpressionOverrideType = 'none' | 'block' | 'blend';
export const VRMExpressionOverrideType: { readonly [K in Capitalize<VRMExpressionOverrideType>]: Uncapitalize<K> };
export type VRMExpressionMaterialColorType = 'color' | 'emissionColor' | 'shadeColor' | 'matcapColor' | 'rimColor' | 'outlineColor';
export const VRMExpressionMaterialColorType: { readonly [K in Capitalize<VRMExpressionMaterialColorType>]: Uncapitalize<K> };
export type VRMFirstPersonMeshAnnotationType = 'auto' | 'both' | 'thirdPersonOnly' | 'firstPersonOnly';
export const VRMFirstPersonMeshAnnotationType: { readonly [K in Capitalize<VRMFirstPersonMeshAnnotationType>]: Uncapitalize<K> };
export type VRMLookAtTypeName = 'bone' | 'expression';
export const VRMLookAtTypeName: { readonly [K in Capitalize<VRMLookAtTypeName>]: Uncapitalize<K> };

// --- humanoid ---

export interface VRMHumanBone { node: Object3D }
export type VRMHumanBones = { [bone in VRMHumanBoneName]?: VRMHumanBone } & { [bone in VRMRequiredHumanBoneName]: VRMHumanBone };
/**
 * Differences to the rest pose; metres and quaternions.
 */
export type VRMPose = { [bone in VRMHumanBoneName]?: VRMPoseTransform };
export interface VRMPoseTransform { position?: [number, number, number]; rotation?: [number, number, number, number] }

export class VRMHumanoid {
  constructor(humanBones: VRMHumanBones, options?: { autoUpdateHumanBones?: boolean });
  /** If true (default), an update moves the raw bones like the normalized bones. */
  autoUpdateHumanBones: boolean;
  readonly humanBones: VRMHumanBones;
  readonly rawHumanBones: VRMHumanBones;
  readonly normalizedHumanBones: VRMHumanBones;
  readonly normalizedHumanBonesRoot: Object3D;
  readonly rawRestPose: VRMPose;
  readonly normalizedRestPose: VRMPose;
  getRawAbsolutePose(): VRMPose;
  getNormalizedAbsolutePose(): VRMPose;
  getRawPose(): VRMPose;
  getNormalizedPose(): VRMPose;
  setRawPose(pose: VRMPose): void;
  setNormalizedPose(pose: VRMPose): void;
  resetRawPose(): void;
  resetNormalizedPose(): void;
  getRawBone(name: VRMHumanBoneName): VRMHumanBone | undefined;
  getNormalizedBone(name: VRMHumanBoneName): VRMHumanBone | undefined;
  getRawBoneNode(name: VRMHumanBoneName): Object3D | null;
  getNormalizedBoneNode(name: VRMHumanBoneName): Object3D | null;
  /** Runs only this part of an update. */
  update(): void;
  /** @deprecated */ readonly restPose: VRMPose;
  /** @deprecated */ getAbsolutePose(): VRMPose;
  /** @deprecated */ getPose(): VRMPose;
  /** @deprecated */ setPose(pose: VRMPose): void;
  /** @deprecated */ resetPose(): void;
  /** @deprecated */ getBone(name: VRMHumanBoneName): VRMHumanBone | undefined;
  /** @deprecated */ getBoneNode(name: VRMHumanBoneName): Object3D | null;
}

// --- expressions ---

export interface VRMExpressionBind { applyWeight(weight: number): void; clearAppliedWeight(): void }
export class VRMExpressionMorphTargetBind implements VRMExpressionBind {
  constructor(options: { primitives: Mesh[]; index: number; weight: number });
  readonly primitives: Mesh[];
  readonly index: number;
  readonly weight: number;
  applyWeight(weight: number): void;
  clearAppliedWeight(): void;
}
export class VRMExpressionMaterialColorBind implements VRMExpressionBind {
  constructor(options: { material: Material; type: VRMExpressionMaterialColorType; targetValue: Color; targetAlpha?: number });
  readonly material: Material;
  readonly type: VRMExpressionMaterialColorType;
  readonly targetValue: Color;
  readonly targetAlpha: number;
  applyWeight(weight: number): void;
  clearAppliedWeight(): void;
}
export class VRMExpressionTextureTransformBind implements VRMExpressionBind {
  constructor(options: { material: Material; scale: Vector2; offset: Vector2 });
  readonly material: Material;
  readonly scale: Vector2;
  readonly offset: Vector2;
  applyWeight(weight: number): void;
  clearAppliedWeight(): void;
}
export class VRMExpression extends Object3D {
  constructor(expressionName: string);
  expressionName: string;
  /** 0 to 1; takes effect with the next update. */
  weight: number;
  isBinary: boolean;
  overrideBlink: VRMExpressionOverrideType;
  overrideLookAt: VRMExpressionOverrideType;
  overrideMouth: VRMExpressionOverrideType;
  readonly binds: readonly VRMExpressionBind[];
  readonly outputWeight: number;
  readonly overrideBlinkAmount: number;
  readonly overrideLookAtAmount: number;
  readonly overrideMouthAmount: number;
  addBind(bind: VRMExpressionBind): void;
  deleteBind(bind: VRMExpressionBind): void;
  applyWeight(options?: { multiplier?: number }): void;
  clearAppliedWeight(): void;
}
export class VRMExpressionManager {
  readonly expressions: VRMExpression[];
  readonly expressionMap: { [name: string]: VRMExpression };
  readonly presetExpressionMap: { [name in VRMExpressionPresetName]?: VRMExpression };
  readonly customExpressionMap: { [name: string]: VRMExpression };
  blinkExpressionNames: string[];
  lookAtExpressionNames: string[];
  mouthExpressionNames: string[];
  copy(source: VRMExpressionManager): this;
  clone(): VRMExpressionManager;
  getExpression(name: VRMExpressionPresetName | (string & {})): VRMExpression | null;
  registerExpression(expression: VRMExpression): void;
  unregisterExpression(expression: VRMExpression): void;
  getValue(name: VRMExpressionPresetName | (string & {})): number | null;
  /** Clamped to 0 to 1; a name that the avatar lacks is ignored. */
  setValue(name: VRMExpressionPresetName | (string & {}), weight: number): void;
  resetValues(): void;
  getExpressionTrackName(name: VRMExpressionPresetName | (string & {})): string | null;
  update(): void;
}

// --- gaze ---

export class VRMLookAtRangeMap {
  constructor(inputMaxValue: number, outputScale: number);
  /** Degrees. */
  inputMaxValue: number;
  /** Degrees, or a weight if expressions move the eyes. */
  outputScale: number;
  map(source: number): number;
}
export interface VRMLookAtApplier {
  /** Degrees: yaw to the left, pitch down. */
  applyYawPitch(yaw: number, pitch: number): void;
  /** @deprecated */ lookAt(euler: Euler): void;
}
export class VRMLookAtBoneApplier implements VRMLookAtApplier {
  static readonly type: 'bone';
  constructor(humanoid: VRMHumanoid, horizontalInner: VRMLookAtRangeMap, horizontalOuter: VRMLookAtRangeMap,
    verticalDown: VRMLookAtRangeMap, verticalUp: VRMLookAtRangeMap);
  readonly humanoid: VRMHumanoid;
  rangeMapHorizontalInner: VRMLookAtRangeMap;
  rangeMapHorizontalOuter: VRMLookAtRangeMap;
  rangeMapVerticalDown: VRMLookAtRangeMap;
  rangeMapVerticalUp: VRMLookAtRangeMap;
  faceFront: Vector3;
  applyYawPitch(yaw: number, pitch: number): void;
  /** @deprecated */ lookAt(euler: Euler): void;
}
export class VRMLookAtExpressionApplier implements VRMLookAtApplier {
  static readonly type: 'expression';
  constructor(expressions: VRMExpressionManager, horizontalInner: VRMLookAtRangeMap, horizontalOuter: VRMLookAtRangeMap,
    verticalDown: VRMLookAtRangeMap, verticalUp: VRMLookAtRangeMap);
  readonly expressions: VRMExpressionManager;
  rangeMapHorizontalInner: VRMLookAtRangeMap;
  rangeMapHorizontalOuter: VRMLookAtRangeMap;
  rangeMapVerticalDown: VRMLookAtRangeMap;
  rangeMapVerticalUp: VRMLookAtRangeMap;
  applyYawPitch(yaw: number, pitch: number): void;
  /** @deprecated */ lookAt(euler: Euler): void;
}
export class VRMLookAt {
  static readonly EULER_ORDER: 'YXZ';
  constructor(humanoid: VRMHumanoid, applier: VRMLookAtApplier);
  readonly humanoid: VRMHumanoid;
  applier: VRMLookAtApplier;
  /** Metres, in the head bone's space. */
  offsetFromHeadBone: Vector3;
  /** Object that the eyes follow while `autoUpdate` is true. */
  target: Object3D | null;
  autoUpdate: boolean;
  faceFront: Vector3;
  /** Degrees, to the left. */
  yaw: number;
  /** Degrees, down. */
  pitch: number;
  protected _yaw: number;
  protected _pitch: number;
  protected _needsUpdate: boolean;
  /** @deprecated */ readonly euler: Euler;
  getEuler(target: Euler): Euler;
  copy(source: VRMLookAt): this;
  clone(): VRMLookAt;
  reset(): void;
  getLookAtWorldPosition(target: Vector3): Vector3;
  getLookAtWorldQuaternion(target: Quaternion): Quaternion;
  getFaceFrontQuaternion(target: Quaternion): Quaternion;
  getLookAtWorldDirection(target: Vector3): Vector3;
  lookAt(position: Vector3): void;
  update(delta: number): void;
}

// --- first person ---

export interface VRMFirstPersonMeshAnnotation { meshes: Object3D[]; type: VRMFirstPersonMeshAnnotationType }
export class VRMFirstPerson {
  static readonly DEFAULT_FIRSTPERSON_ONLY_LAYER: 9;
  static readonly DEFAULT_THIRDPERSON_ONLY_LAYER: 10;
  constructor(humanoid: VRMHumanoid, meshAnnotations: VRMFirstPersonMeshAnnotation[]);
  readonly humanoid: VRMHumanoid;
  meshAnnotations: VRMFirstPersonMeshAnnotation[];
  readonly firstPersonOnlyLayer: number;
  readonly thirdPersonOnlyLayer: number;
  copy(source: VRMFirstPerson): this;
  clone(): VRMFirstPerson;
  setup(options?: { firstPersonOnlyLayer?: number; thirdPersonOnlyLayer?: number }): void;
}

// --- springs and constraints ---

export abstract class VRMSpringBoneColliderShape { abstract get type(): string; offset: Vector3 }
export class VRMSpringBoneColliderShapeSphere extends VRMSpringBoneColliderShape {
  constructor(params?: { offset?: Vector3; radius?: number; inside?: boolean });
  get type(): 'sphere';
  radius: number; inside: boolean;
}
export class VRMSpringBoneColliderShapeCapsule extends VRMSpringBoneColliderShape {
  constructor(params?: { offset?: Vector3; tail?: Vector3; radius?: number; inside?: boolean });
  get type(): 'capsule';
  tail: Vector3; radius: number; inside: boolean;
}
export class VRMSpringBoneColliderShapePlane extends VRMSpringBoneColliderShape {
  constructor(params?: { offset?: Vector3; normal?: Vector3 });
  get type(): 'plane';
  normal: Vector3;
}
export class VRMSpringBoneCollider extends Object3D {
  constructor(shape: VRMSpringBoneColliderShape);
  readonly shape: VRMSpringBoneColliderShape;
  readonly colliderMatrix: Matrix4;
}
export interface VRMSpringBoneColliderGroup { colliders: VRMSpringBoneCollider[]; name?: string }
export interface VRMSpringBoneJointSettings {
  hitRadius: number; stiffness: number; gravityPower: number; gravityDir: Vector3; dragForce: number;
}
export class VRMSpringBoneJoint {
  constructor(bone: Object3D, child: Object3D | null, settings?: Partial<VRMSpringBoneJointSettings>, colliderGroups?: VRMSpringBoneColliderGroup[]);
  readonly bone: Object3D;
  readonly child: Object3D | null;
  /** May be changed; the next update uses the changed values. */
  settings: VRMSpringBoneJointSettings;
  readonly colliderGroups: VRMSpringBoneColliderGroup[];
  readonly center: Object3D | null;
  readonly initialLocalChildPosition: Vector3;
  readonly dependencies: Set<Object3D>;
}
export class VRMSpringBoneManager {
  readonly joints: Set<VRMSpringBoneJoint>;
  readonly colliderGroups: VRMSpringBoneColliderGroup[];
  readonly colliders: VRMSpringBoneCollider[];
  /** @deprecated */ readonly springBones: Set<VRMSpringBoneJoint>;
  setInitState(): void;
  reset(): void;
  update(delta: number): void;
}
export class VRMNodeConstraint {
  readonly destination: Object3D;
  readonly source: Object3D;
  readonly weight: number;
  readonly dependencies: Set<Object3D>;
}
export class VRMRollConstraint extends VRMNodeConstraint {}
export class VRMAimConstraint extends VRMNodeConstraint {}
export class VRMRotationConstraint extends VRMNodeConstraint {}
export class VRMNodeConstraintManager {
  readonly constraints: Set<VRMNodeConstraint>;
  setInitState(): void;
  update(): void;
}

// --- helpers ---

export class VRMHumanoidHelper extends Group { constructor(humanoid: VRMHumanoid); readonly vrmHumanoid: VRMHumanoid; dispose(): void }
export class VRMLookAtHelper extends Group { constructor(lookAt: VRMLookAt); readonly vrmLookAt: VRMLookAt; dispose(): void }
export class VRMSpringBoneJointHelper extends Group { constructor(joint: VRMSpringBoneJoint); readonly springBone: VRMSpringBoneJoint; dispose(): void }
export class VRMSpringBoneColliderHelper extends Group { constructor(collider: VRMSpringBoneCollider); readonly collider: VRMSpringBoneCollider; dispose(): void }
export class VRMNodeConstraintHelper extends Group { constructor(constraint: VRMNodeConstraint); readonly constraint: VRMNodeConstraint; dispose(): void }

// --- MToon's materials, which are those of @pixiv/three-vrm-materials-mtoon ---

export type MToonMaterialOutlineWidthMode = 'none' | 'worldCoordinates' | 'screenCoordinates';
export const MToonMaterialOutlineWidthMode: { readonly [K in Capitalize<MToonMaterialOutlineWidthMode>]: Uncapitalize<K> };
export type MToonMaterialDebugMode = 'none' | 'normal' | 'litShadeRate' | 'uv';
export const MToonMaterialDebugMode: { readonly None: 'none'; readonly Normal: 'normal'; readonly LitShadeRate: 'litShadeRate'; readonly UV: 'uv' };
interface MToonMaterialValues {
  color: Color; map: Texture | null; normalMap: Texture | null; normalScale: Vector2; emissive: Color; emissiveIntensity: number;
  emissiveMap: Texture | null; shadeColorFactor: Color; shadeMultiplyTexture: Texture | null; shadingShiftFactor: number;
  shadingShiftTexture: Texture | null; shadingShiftTextureScale: number; shadingToonyFactor: number; giEqualizationFactor: number;
  matcapFactor: Color; matcapTexture: Texture | null; parametricRimColorFactor: Color; rimMultiplyTexture: Texture | null;
  rimLightingMixFactor: number; parametricRimFresnelPowerFactor: number; parametricRimLiftFactor: number;
  outlineWidthMode: MToonMaterialOutlineWidthMode; outlineWidthMultiplyTexture: Texture | null; outlineWidthFactor: number;
  outlineColorFactor: Color; outlineLightingMixFactor: number; uvAnimationMaskTexture: Texture | null;
  uvAnimationScrollXSpeedFactor: number; uvAnimationScrollYSpeedFactor: number; uvAnimationRotationSpeedFactor: number;
  ignoreVertexColor: boolean; v0CompatShade: boolean; debugMode: MToonMaterialDebugMode; isOutline: boolean;
}
export interface MToonMaterialParameters extends Omit<ShaderMaterialParameters, keyof MToonMaterialValues>, Partial<MToonMaterialValues> {
  transparentWithZWrite?: boolean;
}
export interface MToonMaterial extends MToonMaterialValues {}
export class MToonMaterial extends ShaderMaterial {
  constructor(parameters?: MToonMaterialParameters);
  readonly isMToonMaterial: true;
  normalMapType: 0 | 1;
  uvAnimationScrollXOffset: number;
  uvAnimationScrollYOffset: number;
  uvAnimationRotationPhase: number;
  /** @deprecated */ shadeTexture?: Texture | null;
  /** Advances by `delta` seconds. An avatar's materials advance by themselves. */
  update(delta: number): void;
}
export interface MToonMaterialLoaderPluginOptions {
  materialType?: typeof Material; renderOrderOffset?: number; v0CompatShade?: boolean; debugMode?: MToonMaterialDebugMode;
}
export class MToonMaterialLoaderPlugin implements GLTFLoaderPlugin {
  constructor(parser: GLTFParser, options?: MToonMaterialLoaderPluginOptions);
  static EXTENSION_NAME: string;
  readonly parser: GLTFParser;
  readonly name: string;
  materialType: typeof Material;
  readonly renderOrderOffset: number;
  readonly v0CompatShade: boolean;
  readonly debugMode: MToonMaterialDebugMode;
  beforeRoot(): Promise<void>;
  afterRoot(gltf: GLTF): Promise<void>;
  getMaterialType(index: number): typeof Material | null;
  extendMaterialParams(index: number, params: { [key: string]: unknown }): Promise<void> | null;
  loadMesh(index: number): Promise<Group | Mesh>;
}

// --- VRM ---

export interface VRM1Meta {
  metaVersion: '1'; name: string; version?: string; authors: string[]; copyrightInformation?: string; contactInformation?: string;
  references?: string[]; thirdPartyLicenses?: string; thumbnailImage?: HTMLImageElement; licenseUrl: string;
  avatarPermission?: 'onlyAuthor' | 'onlySeparatelyLicensedPerson' | 'everyone'; allowExcessivelyViolentUsage?: boolean;
  allowExcessivelySexualUsage?: boolean; commercialUsage?: 'personalNonProfit' | 'personalProfit' | 'corporation';
  allowPoliticalOrReligiousUsage?: boolean; allowAntisocialOrHateUsage?: boolean; creditNotation?: 'required' | 'unnecessary';
  allowRedistribution?: boolean; modification?: 'prohibited' | 'allowModification' | 'allowModificationRedistribution'; otherLicenseUrl?: string;
}
export interface VRM0Meta {
  metaVersion: '0'; allowedUserName?: string; author?: string; commercialUssageName?: string; contactInformation?: string;
  licenseName?: string; otherLicenseUrl?: string; otherPermissionUrl?: string; reference?: string; sexualUssageName?: string;
  texture?: Texture; title?: string; version?: string; violentUssageName?: string;
}
export type VRMMeta = VRM0Meta | VRM1Meta;

export interface VRMCoreParameters {
  scene: Group; meta: VRMMeta; humanoid: VRMHumanoid; expressionManager?: VRMExpressionManager; firstPerson?: VRMFirstPerson; lookAt?: VRMLookAt;
}
export interface VRMParameters extends VRMCoreParameters {
  materials?: Material[]; springBoneManager?: VRMSpringBoneManager; nodeConstraintManager?: VRMNodeConstraintManager;
}
export class VRMCore {
  constructor(params: VRMCoreParameters);
  readonly scene: Group;
  readonly meta: VRMMeta;
  readonly humanoid: VRMHumanoid;
  readonly expressionManager?: VRMExpressionManager;
  readonly firstPerson?: VRMFirstPerson;
  lookAt?: VRMLookAt;
  /** The instance of the core, with everything for which three-vrm has no name: wind, clips, snapshots, ... */
  readonly instance: Instance | null;
  /** Advances by `delta` seconds. */
  update(delta: number): void;
  /** Frees the memory in the library. VRMUtils.deepDispose(vrm.scene) does this too. */
  dispose(): void;
}
export class VRM extends VRMCore {
  constructor(params: VRMParameters);
  readonly materials?: Material[];
  readonly springBoneManager?: VRMSpringBoneManager;
  readonly nodeConstraintManager?: VRMNodeConstraintManager;
}
/** Updates many avatars of one module by a single call of the library. */
export function updateAll(vrms: readonly VRM[], delta: number): void;

export interface VRMMetaLoaderPluginOptions { needThumbnailImage?: boolean; acceptLicenseUrls?: string[]; acceptV0Meta?: boolean }
export class VRMMetaLoaderPlugin implements GLTFLoaderPlugin {
  constructor(parser: GLTFParser, options?: VRMMetaLoaderPluginOptions);
  readonly parser: GLTFParser;
  readonly name: string;
  needThumbnailImage: boolean;
  acceptLicenseUrls: string[];
  acceptV0Meta: boolean;
  afterRoot(gltf: GLTF): Promise<void>;
}
export interface VRMLoaderPluginOptions {
  /** Object below which helpers of all parts are shown. */
  helperRoot?: Object3D;
  autoUpdateHumanBones?: boolean;
  metaPlugin?: VRMMetaLoaderPlugin;
  mtoonMaterialPlugin?: GLTFLoaderPlugin;
  materialsHDREmissiveMultiplierPlugin?: GLTFLoaderPlugin;
  materialsV0CompatPlugin?: GLTFLoaderPlugin;
  /** A copy of libvrm; default: the shared one. */
  module?: Module | Promise<Module>;
  /** Options of the instance: hostColliders, hairInputs, ...; see VRM of the core. */
  instance?: object;
  /**
   * "default": the same motion at every frame rate; "reference": one step of the frame's length in each frame, as in
   * three-vrm.
   */
  springTime?: 'default' | 'reference';
}
export class VRMLoaderPlugin implements GLTFLoaderPlugin {
  constructor(parser: GLTFParser, options?: VRMLoaderPluginOptions);
  readonly name: string;
  readonly parser: GLTFParser;
  readonly metaPlugin: VRMMetaLoaderPlugin;
  readonly mtoonMaterialPlugin: GLTFLoaderPlugin;
  readonly materialsHDREmissiveMultiplierPlugin: GLTFLoaderPlugin;
  readonly materialsV0CompatPlugin: GLTFLoaderPlugin;
  beforeRoot(): Promise<void>;
  loadMesh(index: number): Promise<Group | Mesh>;
  getMaterialType(index: number): typeof Material | null;
  extendMaterialParams(index: number, params: { [key: string]: unknown }): Promise<void>;
  afterRoot(gltf: GLTF): Promise<void>;
}
export interface VRMLoaderOptions extends Omit<VRMLoaderPluginOptions, 'metaPlugin' | 'mtoonMaterialPlugin' |
  'materialsHDREmissiveMultiplierPlugin' | 'materialsV0CompatPlugin'> {
  /** Decodes the image of a texture; null: no image. Default: createImageBitmap(). */
  decodeImage?: (bytes: Uint8Array<ArrayBuffer>, mimeType: string) => ImageBitmap | HTMLImageElement | HTMLCanvasElement | null |
    PromiseLike<ImageBitmap | HTMLImageElement | HTMLCanvasElement | null>;
  /**
   * Sets decoders (Draco, KTX2, meshopt) of the GLTFLoader that reads files with features that VRM exporters do not use.
   */
  prepare?: (loader: GLTFLoader) => void;
}
/** Loads .vrm files without GLTFLoader. The VRM is the same as with the plugin. */
export class VRMLoader extends Loader<VRM> {
  constructor(manager?: LoadingManager, options?: VRMLoaderOptions);
  load(url: string, onLoad?: (vrm: VRM) => void, onProgress?: (event: ProgressEvent) => void, onError?: (error: unknown) => void): void;
  /** Reads bytes; `path` is the folder of the files beside them. */
  parse(data: ArrayBuffer | ArrayBufferView, path: string, onLoad: (vrm: VRM) => void, onError?: (error: unknown) => void): void;
  parseAsync(data: ArrayBuffer | ArrayBufferView, path?: string): Promise<VRM>;
}
export class VRMUtils {
  /**
   * Creates another avatar of the same file, in its initial state. The two share geometries and textures, and materials
   * until an expression changes them.
   */
  static clone(vrm: VRM): VRM;
  static combineMorphs(vrm: VRM): void;
  /** Does nothing, because meshes share the library's palettes. */
  static combineSkeletons(root: Object3D): void;
  static deepDispose(object: Object3D): void;
  /** As combineSkeletons(). */
  static removeUnnecessaryJoints(root: Object3D, options?: object): void;
  static removeUnnecessaryVertices(root: Object3D): void;
  static rotateVRM0(vrm: VRM): void;
}

// --- motions ---

export class VRMAnimation {
  /** Seconds. */
  duration: number;
  restHipsPosition: Vector3;
  humanoidTracks: { translation: Map<'hips', VectorKeyframeTrack>; rotation: Map<VRMHumanBoneName, QuaternionKeyframeTrack> };
  expressionTracks: { preset: Map<VRMExpressionPresetName, NumberKeyframeTrack>; custom: Map<string, NumberKeyframeTrack> };
  lookAtTrack: QuaternionKeyframeTrack | null;
}
export class VRMAnimationLoaderPlugin implements GLTFLoaderPlugin {
  constructor(parser: GLTFParser);
  readonly parser: GLTFParser;
  readonly name: string;
  afterRoot(gltf: GLTF): Promise<void>;
}
export class VRMLookAtQuaternionProxy extends Object3D {
  constructor(lookAt: VRMLookAt);
  readonly vrmLookAt: VRMLookAt;
}
export function createVRMAnimationClip(motion: VRMAnimation, vrm: VRMCore): AnimationClip;
export function createVRMAnimationHumanoidTracks(motion: VRMAnimation, humanoid: VRMHumanoid, metaVersion: '0' | '1'):
  { translation: Map<'hips', VectorKeyframeTrack>; rotation: Map<VRMHumanBoneName, QuaternionKeyframeTrack> };
export function createVRMAnimationExpressionTracks(motion: VRMAnimation, expressions: VRMExpressionManager):
  { preset: Map<VRMExpressionPresetName, NumberKeyframeTrack>; custom: Map<string, NumberKeyframeTrack> };
export function createVRMAnimationLookAtTrack(motion: VRMAnimation, name: string): KeyframeTrack | null;
