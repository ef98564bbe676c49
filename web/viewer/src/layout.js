// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// What the reader and WebGL's side of a model agree on.

/** Texels in a row of the textures that hold data. */
export const ROW = 1024;

/** Mesh nodes of one mesh, skin and number of morphs share their primitives. */
export const meshKey = ({ gltfMesh, palette, morphCount }) => `${gltfMesh} ${palette} ${morphCount}`;
