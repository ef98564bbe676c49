// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef SCENES_FIGURE_SHAPES_H
#define SCENES_FIGURE_SHAPES_H

// Figures with other proportions and bones than the sample's; no motion of a body may depend on these.

#include <vrm/gltf.h>

// The sample as another figure: 0.9 to 2.1 m high, long or short in legs, arms and trunk, broad or narrow, with or without
// upperChest, shoulders, neck and toes. The same seed gives the same bytes everywhere. Skins keep the sample's bind matrices:
// vertices go with their bones and are stretched between them.
vrm_result scene_figure_create(uint32_t seed, vrm_bytes *out_bytes);

#endif
