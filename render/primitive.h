// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef RENDER_PRIMITIVE_H
#define RENDER_PRIMITIVE_H

// A primitive while it is loaded: primitive.c reads vertices and indices, morph.c its morph targets.

#include "internal.h"

enum { VRMR_ATTRIBUTE_COUNT = 12, VRMR_LOCATION_COUNT = 10 };

typedef struct vrmr_loader {
    vrm_render_model *model;
    vrm_renderer *renderer;
    const vrmr_primitive_source *source;
    vrmr_primitive *out;
    GLenum mode;
    int64_t accessors[VRMR_ATTRIBUTE_COUNT];
    uint32_t offsets[VRMR_LOCATION_COUNT]; // in the interleaved vertex
    bool present[VRMR_LOCATION_COUNT];
    int tangent_set; // UV set that tangents are made for, -1: none
    uint32_t stride;
    uint32_t file_vertex_count; // without the copies that tangents needed
    uint8_t *vertices;
    void *scratch; // a whole accessor of up to four components
    uint32_t *indices;
    uint32_t *origins; // of the copies: the file's vertex
} vrmr_loader;

// error.c
vrm_result vrmr_read_error(vrmr_loader *l, vrm_result result, const char *what);
vrm_result vrmr_load_morphs(vrmr_loader *l);

#endif
