// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

import { FileLoader, Group, Loader, LoaderUtils } from 'three';
import { isGLB, needBytes } from '../check.js';
import { Document } from '../document.js';
import { VRMError } from '../error.js';
import { defaultModule } from '../index.js';
import { describe } from './file_meshes.js';
import { FileParser } from './file_parser.js';
import { VRMLoaderPlugin } from './plugin.js';

// Creates the scene of a file.
async function makeScene(parser, plugin) {
  const [def] = parser.json.scenes;
  const scene = new Group();
  if (def.name) scene.name = parser.createUniqueName(def.name);
  describe(parser, scene, def);
  const nodes = await Promise.all((def.nodes ?? []).map((index) => parser.getDependency('node', index)));
  if (nodes.length) scene.add(...nodes);
  const gltf = { scene, parser, userData: {} };
  await plugin.afterRoot(gltf);
  return gltf;
}

/** Returns an ordinary file in the form of GLTFLoader's result; null for other files. */
async function readOrdinary(bytes, options) {
  const document = await Document.read(await (options.module ?? defaultModule()), bytes);
  let plugin = null;
  try {
    const parser = FileParser.of(bytes, document, options);
    if (!parser) return null;
    const { VRMC_vrm, VRM } = parser.json.extensions ?? {};
    if (!(VRMC_vrm ?? VRM)) document.toAvatar().dispose(); // throws, as the file has no VRM
    plugin = parser.plugin = new VRMLoaderPlugin(parser, options);
    await plugin.beforeRoot();
    return plugin._complete ? await makeScene(parser, plugin) : null;
  } finally {
    document.dispose();
    plugin?._avatar?.then((avatar) => avatar.dispose(), () => {}); // a VRM made of the avatar keeps it
  }
}

/** Reads any file by GLTFLoader with the plugin, and returns the same result as the function above. */
async function readOther(bytes, path, loader) {
  const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');
  const other = new GLTFLoader(loader.manager).setCrossOrigin(loader.crossOrigin).setWithCredentials(loader.withCredentials)
    .setRequestHeader(loader.requestHeader);
  other.register((parser) => new VRMLoaderPlugin(parser, loader.options));
  loader.prepare?.(other);
  return other.parseAsync(bytes.slice().buffer, path);
}

/**
 * Loads VRMs as three's loaders do: `await new VRMLoader().loadAsync('avatar.vrm')`. The library reads the file, and
 * three's objects are made from it at once, without GLTFLoader. Files with features that VRM exporters do not use (Draco,
 * other images, several buffers, ...) are read by GLTFLoader with the plugin; the result is the same.
 */
export class VRMLoader extends Loader {
  /**
   * `options`: those of VRMLoaderPlugin except the plugins; `decodeImage(bytes, mimeType)` replaces createImageBitmap().
   * `prepare(gltfLoader)` may set decoders (Draco, KTX2) for files that GLTFLoader reads.
   */
  constructor(manager, { prepare = null, ...options } = {}) {
    super(manager);
    this.options = options;
    this.prepare = prepare;
  }

  load(url, onLoad, onProgress, onError) {
    const { manager } = this;
    const failed = (error) => {
      if (onError) onError(error);
      else console.error(error);
      manager.itemError(url);
      manager.itemEnd(url);
    };
    const base = LoaderUtils.extractUrlBase(url);
    const path = this.resourcePath || (this.path ? LoaderUtils.resolveURL(base, this.path) : base);
    manager.itemStart(url);
    new FileLoader(manager).setPath(this.path).setResponseType('arraybuffer').setRequestHeader(this.requestHeader)
      .setWithCredentials(this.withCredentials).load(url, (data) => this.parse(data, path, (vrm) => {
        onLoad?.(vrm);
        manager.itemEnd(url);
      }, failed), onProgress, failed);
  }

  /** Reads bytes; `path` is the folder of the files beside them. */
  parse(data, path, onLoad, onError) {
    this.parseAsync(data, path).then(onLoad, onError ?? console.error);
  }

  async parseAsync(data, path = '') {
    return (await this._read(needBytes(data), path)).userData.vrm;
  }

  /** Reads a file in the form of GLTFLoader's result, with the scene and the associations of the objects. @internal */
  async _read(bytes, path) {
    let gltf;
    try {
      gltf = (isGLB(bytes) ? await readOrdinary(bytes, this.options) : null) ?? await readOther(bytes, path, this);
    } catch (error) {
      if (error instanceof VRMError) throw error;
      // For a file that is no glTF, the library finds better words than GLTFLoader.
      if (!isGLB(bytes) && bytes[0] !== 0x7b) (await Document.read(await (this.options.module ?? defaultModule()), bytes)).dispose();
      // The library mends more than three.js can.
      throw Object.assign(new VRMError('ERROR_INVALID_ASSET', `the scene cannot be created: ${error.message}`), { cause: error });
    }
    if (!gltf.userData.vrm) throw new VRMError('ERROR_INVALID_ASSET', 'the file has no VRM extension');
    return gltf;
  }
}
