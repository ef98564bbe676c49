// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

import { Avatar as RuntimeAvatar, Clip, Instance, Module } from './vrm.js';
import type { Disposable, Finding, FirstPerson, InstanceOptions, Severity, Source, WasmSource } from './vrm.js';

export * from './vrm.js';

/**
 * Starts a copy of the library. The default source is vrm.wasm beside this file, or vrm-scalar.wasm for engines without
 * SIMD.
 */
export function init(source?: WasmSource | PromiseLike<WasmSource>): Promise<Module>;
/**
 * The module for calls that name none.
 */
export function defaultModule(): Promise<Module>;

export interface AvatarOptions {
  /** Default: defaultModule(). */
  readonly module?: Module;
  /** Keeps the file with its meshes and images as `avatar.document`; default false. */
  readonly keepDocument?: boolean;
  /** Refuses files that are otherwise repaired with a warning; default false. */
  readonly strict?: boolean;
  readonly allowPlainGltf?: boolean;
  /** VRM to read from a file that contains both; default "1.0". */
  readonly prefer?: '1.0' | '0.x';
  readonly lookAtUnit?: 'auto' | 'degrees' | 'radians';
}

export class Avatar extends RuntimeAvatar {
  /** The file; null unless loaded with keepDocument. */
  readonly document: Document | null;
}

/** Reads an avatar: .vrm, .glb or .gltf of any dialect, or cooked. A cooked file has no document, and needs no other option than `module`. */
export function loadAvatar(source: Source | PromiseLike<Source>, options?: AvatarOptions): Promise<Avatar>;

/** An avatar that moves. */
export class VRM extends Instance {
  readonly avatar: Avatar;
  static load(source: Source | PromiseLike<Source>, options?: AvatarOptions & { readonly instance?: InstanceOptions }): Promise<VRM>;
}

export interface ClipOptions {
  readonly module?: Module;
  /** Index in the file; default 0. */
  readonly animation?: number;
  /** BVH: metres per unit; default 0, guessed. */
  readonly unit?: number;
}

/** Reads a motion: .vrma, .glb, .vrm or .bvh. */
export function loadClip(source: Source | PromiseLike<Source>, options?: ClipOptions): Promise<Clip>;

export interface Validation {
  readonly findings: readonly Finding[];
  readonly counts: Readonly<Record<Severity, number>>;
  /** Null if the file is not a glTF. */
  readonly info: {
    readonly mimeType: string;
    readonly isGltf: boolean;
    readonly version: string;
    readonly generator: string;
    /** "0.x", "1.0", "1.0-beta", "1.0-draft", "animation" or "". */
    readonly dialect: string;
    readonly animationCount: number;
    readonly materialCount: number;
    readonly drawCallCount: number;
    readonly totalVertexCount: bigint;
    readonly totalTriangleCount: bigint;
    readonly [member: string]: unknown;
  } | null;
}

/** Validates a file completely. */
export function validate(source: Source | PromiseLike<Source>, options?: { readonly module?: Module }): Promise<Validation>;

/** Converts an older file to VRM 1.0. */
export function migrate(
  source: Source | PromiseLike<Source>,
  options?: { readonly module?: Module; readonly turn?: 'data' | 'root'; readonly strict?: boolean },
): Promise<{ readonly bytes: Uint8Array; readonly findings: readonly Finding[] }>;

/** Returns the avatar as bytes for the same version of libvrm/runtime. */
export function cook(avatar: RuntimeAvatar): Uint8Array;

// --- what is drawn -------------------------------------------------------------------------------------------------------

export interface Image {
  readonly name: string;
  /** Recognised by content; "" if unknown. */
  readonly mimeType: string;
  readonly width: number;
  readonly height: number;
  /** Encoded bytes; null if there are none. */
  readonly bytes: Uint8Array | null;
}

export interface Texture {
  /** -1: none. */
  readonly image: number;
  readonly compressedImage: number;
  readonly wrapS: number;
  readonly wrapT: number;
  readonly magFilter: number;
  readonly minFilter: number;
}

export interface FirstPersonPrimitive {
  /** Mesh node. */
  readonly mesh: number;
  readonly primitive: number;
  readonly mode: number;
  /** Null: the indices of the file. */
  readonly indices: Uint32Array | null;
  readonly ranges: readonly { readonly part: FirstPerson; readonly first: number; readonly count: number }[];
}

/** A file as it is. */
export class Document implements Disposable {
  constructor(module: Module, bytes: ArrayBuffer | ArrayBufferView);
  readonly module: Module;
  readonly disposed: boolean;
  readonly findings: readonly Finding[];
  toAvatar(options?: Omit<AvatarOptions, 'module' | 'keepDocument'>): Avatar;
  count(array: 'animations' | 'images' | 'materials' | 'meshes' | 'nodes' | 'scenes' | 'skins' | 'textures'): number;
  /** Returns the value at a JSON pointer, or undefined. */
  json(pointer?: string): any;
  mesh(index: number): { readonly name: string; readonly primitiveCount: number; readonly targetCount: number };
  texture(index: number): Texture;
  image(index: number): Image;
  geometry(options?: GeometryOptions): Geometry;
  firstPerson(avatar: RuntimeAvatar): FirstPersonPrimitive[];
  migrate(avatar: RuntimeAvatar, options?: { readonly turn?: 'data' | 'root'; readonly strict?: boolean }): readonly Finding[];
  save(): Uint8Array;
  dispose(): void;
}

export interface GeometryOptions {
  readonly mesh?: number;
  readonly primitive?: number;
  /** Vertices to draw instead of the file's: FirstPersonPrimitive.indices, with its mode. */
  readonly indices?: Uint32Array | null;
  readonly mode?: number;
  readonly tangents?: 'file' | 'missing' | 'made';
  readonly tangentTexCoord?: number;
  readonly flatNormals?: boolean;
  readonly fourJoints?: boolean;
  readonly flipV?: boolean;
  readonly firstJoint?: number;
  readonly jointCount?: number;
}

export type VertexFormat = 'float32' | 'float16' | 'unorm8' | 'unorm16' | 'snorm8' | 'snorm16' | 'uint8' | 'uint16' | 'uint32';
export type VertexArray = Float32Array | Uint8Array | Uint16Array | Uint32Array | Int8Array | Int16Array;

/** A primitive for the GPU. Arrays are copies. */
export class Geometry implements Disposable {
  private constructor();
  readonly module: Module;
  readonly disposed: boolean;
  /** The document that it reads. Reading from it after the document's disposal throws. */
  readonly document: Document;
  readonly info: {
    readonly mode: number;
    readonly material: number;
    readonly vertexCount: number;
    readonly indexCount: number;
    readonly targetCount: number;
    readonly hasNormals: boolean;
    readonly hasTangents: boolean;
    readonly texCoordSets: number;
    readonly colorSets: number;
    readonly jointSets: number;
  };
  attribute(
    semantic: 'position' | 'normal' | 'tangent' | 'texCoord' | 'color' | 'joints' | 'weights',
    options?: { readonly set?: number; readonly format?: VertexFormat; readonly components?: number },
  ): VertexArray;
  indices(): Uint16Array | Uint32Array;
  deltas(target: number): { readonly positions: Float32Array; readonly normals: Float32Array };
  dispose(): void;
}
