// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

import { MToonMaterialLoaderPlugin } from '@pixiv/three-vrm-materials-mtoon';
import { VRMMaterialsHDREmissiveMultiplierLoaderPlugin } from '@pixiv/three-vrm-materials-hdr-emissive-multiplier';
import { VRMMaterialsV0CompatPlugin } from '@pixiv/three-vrm-materials-v0compat';
import { defaultModule, VRM as Instance } from '../index.js';
import { VRMNodeConstraintManager } from './constraint.js';
import { VRMExpression, VRMExpressionManager, VRMExpressionMaterialColorBind, VRMExpressionMorphTargetBind,
  VRMExpressionTextureTransformBind } from './expression.js';
import { readFile } from './file.js';
import { FileMaterials } from './file_materials.js';
import { FileNodes } from './file_nodes.js';
import { VRMFirstPerson } from './first_person.js';
import { addHelpers } from './helpers.js';
import { VRMHumanoid } from './humanoid.js';
import { Link } from './link.js';
import { VRMLookAt, VRMLookAtBoneApplier, VRMLookAtExpressionApplier, VRMLookAtRangeMap } from './look_at.js';
import { fileBinds } from './binds.js';
import { VRMMetaLoaderPlugin } from './meta.js';
import { mtoonClass } from './mtoon.js';
import { VRMSpringBoneManager } from './spring.js';
import { VRM } from './vrm.js';

const DEGREES = 180 / Math.PI;

function makeHumanoid(link, options) {
  const { humanBones } = link.vrm.avatar;
  const humanoid = new VRMHumanoid(Object.fromEntries(Object.entries(humanBones).map(([bone, order]) =>
    [bone, { node: link.nodeByOrder(order) }])), options, link);
  link.house(link.scene, humanoid.normalizedHumanBonesRoot);
  return humanoid;
}

function makeExpressions(link) {
  const manager = new VRMExpressionManager();
  link.vrm.avatar.expressions.forEach((described, i) => {
    const expression = new VRMExpression(described.name);
    expression._index = i;
    expression.isBinary = described.isBinary;
    expression.overrideBlink = described.overrideBlink;
    expression.overrideLookAt = described.overrideLookAt;
    expression.overrideMouth = described.overrideMouth;
    expression._describe = () => fileBinds(link, described).map(({ kind, ...values }) => new {
      morph: VRMExpressionMorphTargetBind, color: VRMExpressionMaterialColorBind, texture: VRMExpressionTextureTransformBind,
    }[kind](values));
    manager.registerExpression(expression);
    link.house(link.scene, expression);
  });
  manager._attach(link);
  return manager;
}

function makeLookAt(link, humanoid, expressions) {
  const { type, offsetFromHeadBone, horizontalInner, horizontalOuter, verticalDown, verticalUp } = link.vrm.avatar.lookAt;
  if (type === 'none') return null;
  const unit = type === 'bone' ? DEGREES : 1;
  const maps = [horizontalInner, horizontalOuter, verticalDown, verticalUp].map(({ inputMax, outputScale }) =>
    new VRMLookAtRangeMap(inputMax * DEGREES, outputScale * unit));
  const applier = type === 'bone' ? new VRMLookAtBoneApplier(humanoid, ...maps) : new VRMLookAtExpressionApplier(expressions, ...maps);
  applier._link = link;
  const lookAt = new VRMLookAt(humanoid, applier);
  lookAt.offsetFromHeadBone.fromArray(offsetFromHeadBone);
  if (link.vrm.avatar.dialect === '0.x') {
    lookAt.faceFront.set(0, 0, -1);
    applier.faceFront?.set(0, 0, -1);
  }
  return lookAt;
}

function makeFirstPerson(link, humanoid) {
  const firstPerson = new VRMFirstPerson(humanoid, link.meshes.map(({ object, primitives, firstPerson: type }) =>
    ({ meshes: [...primitives], type })));
  firstPerson._link = link;
  return firstPerson;
}

async function readAvatar(parser, running) {
  const document = await readFile(parser, running);
  try {
    return document.toAvatar();
  } finally {
    document.dispose();
  }
}

/** Makes VRMs of what GLTFLoader reads: loader.register((parser) => new VRMLoaderPlugin(parser)). */
export class VRMLoaderPlugin {
  name = 'VRMLoaderPlugin';

  /**
   * `options` are three-vrm's (helperRoot, autoUpdateHumanBones, metaPlugin, mtoonMaterialPlugin, ...), and `module` (a Module of
   * libvrm), `instance` (what its instance is made for), `springTime` ("default" or "reference": one step with each frame's time).
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
    let link;
    try {
      link = new Link(new Instance(avatar, { springParameters: true, ...options.instance }), nodes, gltf, options);
    } finally {
      avatar.dispose(); // the instance keeps it alive
    }
    const humanoid = makeHumanoid(link, options);
    const expressionManager = makeExpressions(link);
    const springBoneManager = new VRMSpringBoneManager();
    const nodeConstraintManager = new VRMNodeConstraintManager();
    springBoneManager._link = link;
    nodeConstraintManager._link = link;
    const { userData } = gltf;
    const vrm = new VRM({
      scene: gltf.scene, meta: userData.vrmMeta, humanoid, expressionManager, springBoneManager, nodeConstraintManager,
      firstPerson: makeFirstPerson(link, humanoid), lookAt: makeLookAt(link, humanoid, expressionManager),
      materials: userData.vrmMToonMaterials,
    });
    vrm._link = link;
    Object.assign(userData, {
      vrm, vrmCore: vrm, vrmHumanoid: humanoid, vrmExpressionManager: expressionManager, vrmLookAt: vrm.lookAt,
      vrmFirstPerson: vrm.firstPerson, vrmSpringBoneManager: springBoneManager, vrmNodeConstraintManager: nodeConstraintManager,
    });
    if (options.helperRoot) addHelpers(options.helperRoot, vrm);
  }
}

