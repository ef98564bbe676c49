// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// libvrm for three.js, under the names of @pixiv/three-vrm and @pixiv/three-vrm-animation: a program only changes its
// imports.

export { MToonMaterial, MToonMaterialDebugMode, MToonMaterialLoaderPlugin, MToonMaterialOutlineWidthMode } from '@pixiv/three-vrm-materials-mtoon';
export * from './animation.js';
export * from './constraint.js';
export * from './expression.js';
export * from './first_person.js';
export { VRMHumanoidHelper, VRMLookAtHelper, VRMNodeConstraintHelper, VRMSpringBoneColliderHelper, VRMSpringBoneJointHelper } from './helpers.js';
export * from './humanoid.js';
export { VRMLoader } from './loader.js';
export * from './look_at.js';
export * from './meta.js';
export * from './names.js';
export * from './plugin.js';
export * from './spring.js';
export { updateAll, VRM, VRMCore } from './vrm.js';
export * from './utils.js';
