// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// three, three-vrm and the package side by side in Node, and files that they read without images.

import { cpSync, existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { folder, package_, root } from './web.mjs';

/** Returns {THREE, GLTFLoader, theirs, ours}, which all use the same three. Ends the test if they are not installed. */
export async function modules() {
  const tools = join(root, 'tools/compare/');
  if (!existsSync(join(tools, 'node_modules/three/package.json'))) {
    console.log('skipped: npm packages of tools/compare are not installed (npm ci --prefix tools/compare)');
    process.exit(77);
  }
  globalThis.self = globalThis;
  globalThis.ProgressEvent ??= class {};
  symlinkSync(join(tools, 'node_modules'), join(folder, 'node_modules'));
  cpSync(join(package_, 'dist'), join(folder, 'dist'), { recursive: true });
  // Node 18 treats a .js file as a module only if its package says so.
  cpSync(join(package_, 'package.json'), join(folder, 'package.json'));
  cpSync(join(root, 'tests/web/three_modules.mjs'), join(folder, 'three_modules.mjs'));
  Object.assign(loaded, await import(join(folder, 'three_modules.mjs')));
  return { ...loaded, ours: await import(join(folder, 'dist/three/index.js')) };
}

const loaded = {};

// A plugin whose textures have no image.
function noImages(parser) {
  parser.loadImageSource = (index) => {
    const texture = new loaded.THREE.Texture();
    texture.userData.mimeType = parser.json.images[index].mimeType;
    return Promise.resolve(texture);
  };
  return { name: 'NO_IMAGES' };
}

/** A VRMLoader whose textures have no image. */
export const ownLoader = ({ VRMLoader }, options) =>
  new VRMLoader(undefined, { decodeImage: () => null, prepare: (other) => other.register(noImages), ...options });

/** Loads a file by GLTFLoader with a library's plugin, or without a plugin. Textures have no image. */
export async function load(library, bytes, options) {
  const loader = new loaded.GLTFLoader().register(noImages);
  if (library) loader.register((parser) => new library.VRMLoaderPlugin(parser, options));
  const { buffer, byteOffset, byteLength } = bytes;
  return loader.parseAsync(buffer.slice(byteOffset, byteOffset + byteLength), '');
}
