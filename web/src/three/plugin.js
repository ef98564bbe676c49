// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

import { MToonMaterialLoaderPlugin } from '@pixiv/three-vrm-materials-mtoon';
import { VRMMaterialsHDREmissiveMultiplierLoaderPlugin } from '@pixiv/three-vrm-materials-hdr-emissive-multiplier';
import { VRMMaterialsV0CompatPlugin } from '@pixiv/three-vrm-materials-v0compat';
import { defaultModule } from '../index.js';
import { assemble } from './assemble.js';
import { describeBinds } from './binds.js';
import { readFile } from './file.js';
import { FileMaterials } from './file_materials.js';
import { FileNodes } from './file_nodes.js';
import { addHelpers } from './helpers.js';
import { VRMMetaLoaderPlugin } from './meta.js';
import { mtoonClass } from './mtoon.js';

async function readAvatar(parser, running) {
  if (parser.document) return parser.document.toAvatar();
  const document = await readFile(parser, running);
  try {
    return document.toAvatar();
  } finally {
    document.dispose();
  }
}

// Returns the file's material index of each mesh.
function materialsOf({ json, associations }) {
  const found = new Map();
  for (const [mesh, where] of associations) {
    const index = mesh.isMesh ? json.meshes[where?.meshes]?.primitives[where.primitives ?? 0]?.material : undefined;
    if (index !== undefined) found.set(mesh, index);
  }
  return found;
}

/** Creates VRMs from the results of GLTFLoader: loader.register((parser) => new VRMLoaderPlugin(parser)). */
export class VRMLoaderPlugin {
  name = 'VRMLoaderPlugin';

  /**
   * `options` are those of three-vrm (helperRoot, autoUpdateHumanBones, metaPlugin, mtoonMaterialPlugin, ...), and
   * `module` (a Module of libvrm), `instance` (options of its instance), `springTime` ("default", or "reference": one
   * step of the frame's length in each frame).
   */
  constructor(parser, options = {}) {
    this.parser = parser;
    this.options = options;
    this.metaPlugin = options.metaPlugin ?? new VRMMetaLoaderPlugin(parser);
    this.mtoonMaterialPlugin = options.mtoonMaterialPlugin ?? new MToonMaterialLoaderPlugin(parser, { materialType: mtoonClass() });
    this.materialsHDREmissiveMultiplierPlugin =
      options.materialsHDREmissiveMultiplierPlugin ?? new VRMMaterialsHDREmissiveMultiplierLoaderPlugin(parser);
    this.materialsV0CompatPlugin = options.materialsV0CompatPlugin ?? new VRMMaterialsV0CompatPlugin(parser);
    this._avatar = null;
    this._nodes = null;
    this._materials = null;
  }

  async beforeRoot() {
    const { extensions = {} } = this.parser.json;
    if (extensions.VRMC_vrm ?? extensions.VRM) {
      // Reading begins before the plugins below write into the parsed JSON, and continues while GLTFLoader decodes
      // images.
      this._avatar = readAvatar(this.parser, this.options.module ?? defaultModule());
      this._avatar.catch(() => {}); // afterRoot() throws the error
      this._nodes = new FileNodes(this.parser, this);
      if (!this.options.mtoonMaterialPlugin) this._materials = new FileMaterials(this.parser, this, this.mtoonMaterialPlugin);
    }
    await this.materialsV0CompatPlugin.beforeRoot();
    await this.mtoonMaterialPlugin.beforeRoot();
  }

  /** True if all objects of the file are made here. @internal */
  get _complete() {
    return this._nodes.complete && this._materials !== null;
  }

  loadNode(index) {
    return this._nodes?.load(index) ?? null;
  }

  loadMesh(index) {
    return this.mtoonMaterialPlugin.loadMesh(index);
  }

  loadMaterial(index) {
    return this._materials?.load(index) ?? null;
  }

  getMaterialType(index) {
    return this.mtoonMaterialPlugin.getMaterialType(index);
  }

  async extendMaterialParams(index, params) {
    await this.materialsHDREmissiveMultiplierPlugin.extendMaterialParams(index, params);
    await this.mtoonMaterialPlugin.extendMaterialParams(index, params);
  }

  async afterRoot(gltf) {
    await this.metaPlugin.afterRoot(gltf);
    await this.mtoonMaterialPlugin.afterRoot(gltf);
    if (!this._avatar) return;
    const avatar = await this._avatar;
    const nodes = await this._nodes.all();
    const { options } = this;
    const { userData, scene } = gltf;
    let vrm;
    try {
      vrm = assemble(avatar, {
        scene, nodes, binds: describeBinds(this.parser.json), materialOf: materialsOf(this.parser), meta: userData.vrmMeta,
        mtoon: userData.vrmMToonMaterials,
      }, options);
    } finally {
      avatar.dispose(); // the instance keeps it alive
    }
    Object.assign(userData, {
      vrm, vrmCore: vrm, vrmHumanoid: vrm.humanoid, vrmExpressionManager: vrm.expressionManager, vrmLookAt: vrm.lookAt,
      vrmFirstPerson: vrm.firstPerson, vrmSpringBoneManager: vrm.springBoneManager, vrmNodeConstraintManager: vrm.nodeConstraintManager,
    });
    if (options.helperRoot) addHelpers(options.helperRoot, vrm);
  }
}

