// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
// Layout of the 33 vectors of u_material, which material.c writes.
//  0..5  colours: base, emission, shade, matcap, rim, outline
//  6     shading shift, toony, giEqualization, fresnel power
//  7     rim lift, rim lighting mix, outline width, outline lighting mix
//  8     alpha cutoff, emissive strength, metallic, roughness
//  9     UV scroll x, y, UV rotation, scale of the shading shift texture
//  10    normal scale, occlusion strength, outline mode, alpha mode
//  11+2s first row of a texture's transform, its UV set;  12+2s second row, 1 when there is a texture
const int BASE = 0, METALLIC_ROUGHNESS = 1, NORMAL = 2, OCCLUSION = 3, EMISSIVE = 4, SHADE = 5, SHIFT = 6, MATCAP = 7;
const int RIM = 8, OUTLINE_WIDTH = 9, UV_MASK = 10;
// Bits of FEATURES, which is defined before every shader's text. The lowest bits are those of the slots.
const int UV23 = 11, ANIMATED = 12, MASK = 13, BLEND = 14, TANGENTS = 15, FLAT = 16, RIM_LIGHT = 17, LIT = 18;
const int ENCODE = 19, CHANNEL = 20;
bool has(int feature) { return (FEATURES >> feature & 1) != 0; }
