// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Constants that read.js and the WebGL part of a model share.

/** Texels in a row of the textures that hold data. */
export const ROW = 1024;

/** Mesh nodes with the same key share their primitives. */
export const meshKey = ({ gltfMesh, palette, morphCount }) => `${gltfMesh} ${palette} ${morphCount}`;
