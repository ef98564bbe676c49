// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The packages that test_web_three.mjs imports by name, from a folder beside them.

export * as THREE from 'three';
export { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
export { clone as cloneSkinned } from 'three/addons/utils/SkeletonUtils.js';
export * as theirs from '@pixiv/three-vrm';
