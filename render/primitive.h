// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef RENDER_PRIMITIVE_H
#define RENDER_PRIMITIVE_H

// A primitive during loading. primitive.c uploads vertices and indices, morph.c the morph targets.

#include <vrm/mesh.h>

#include "internal.h"

typedef struct vrmr_loader {
    vrm_render_model *model;
    vrm_renderer *renderer;
    const vrmr_primitive_source *source;
    vrmr_primitive *out;
    vrm_geometry *geometry;
    vrm_geometry_info info;
} vrmr_loader;

vrm_result vrmr_load_morphs(vrmr_loader *l);

#endif
