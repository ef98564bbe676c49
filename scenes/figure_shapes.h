// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef SCENES_FIGURE_SHAPES_H
#define SCENES_FIGURE_SHAPES_H

// Figures whose proportions and bones differ from the sample's. No motion of a body may depend on proportions or
// optional bones.

#include <vrm/gltf.h>

// Creates the sample as another figure: 0.9 to 2.1 m high, with long or short legs, arms and trunk, broad or narrow,
// with or without upperChest, shoulders, neck and toes. The same seed gives the same bytes on every machine. Skins keep
// the sample's bind matrices, so vertices move with their bones and are stretched between them.
vrm_result scene_figure_create(uint32_t seed, vrm_bytes *out_bytes);

#endif
