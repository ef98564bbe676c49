// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// What test_web_three.mjs imports by name, from beside the packages.

export * as THREE from 'three';
export { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
export * as theirs from '@pixiv/three-vrm';
