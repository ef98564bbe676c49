// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Uploads morph targets as a texture of deltas. A target's deltas cover only the range of vertices that it moves.

#include "primitive.h"

#include <stdlib.h>
#include <string.h>

typedef struct deltas {
    float *texels;
    uint32_t count, capacity;
    vrm_morph_deltas read; // deltas of one target
} deltas;

static vrm_result add_target(vrmr_loader *l, uint32_t target, deltas *d)
{
    vrmr_primitive *p = l->out;
    const uint32_t step = (uint32_t)p->texels_per_delta;
    const vrm_result result = vrm_geometry_read_deltas(l->geometry, target, &d->read);
    if (result != VRM_SUCCESS) {
        return result;
    }
    p->morphs[target] = (vrmr_morph){d->count, 1, 0};
    if (d->read.count == 0) {
        return VRM_SUCCESS;
    }
    const uint32_t first = d->read.vertices[0], last = d->read.vertices[d->read.count - 1];
    p->morphs[target] = (vrmr_morph){d->count, first, last};
    const uint64_t needed = d->count + ((uint64_t)last - first + 1) * step;
    // Offsets are passed to the shader as floats, which represent integers exactly up to this limit. The limit is also
    // 1,024 x 16,384 texels.
    if (needed > 1u << 24 || needed > (uint64_t)VRMR_TEXEL_ROW * l->renderer->max_texture_size) {
        return vrmr_fail(l->renderer, VRM_ERROR_LIMIT,
            "mesh %u, primitive %u: there are more morph targets than fit into a texture", l->source->mesh->gltf_mesh,
            l->source->primitive);
    }
    if (!vrmr_reserve((void **)&d->texels, &d->capacity, (uint32_t)needed + VRMR_TEXEL_ROW, 4 * sizeof(float))) {
        return vrmr_fail(l->renderer, VRM_ERROR_OUT_OF_MEMORY, "out of memory for morph targets");
    }
    memset(d->texels + (size_t)d->count * 4, 0, ((size_t)needed - d->count) * 4 * sizeof(float));
    for (uint32_t i = 0; i < d->read.count; ++i) {
        float *to = d->texels + (d->count + (size_t)(d->read.vertices[i] - first) * step) * 4;
        memcpy(to, &d->read.positions[i], sizeof(vrm_vec3));
        if (step == 2) {
            memcpy(to + 4, &d->read.normals[i], sizeof(vrm_vec3));
        }
    }
    d->count = (uint32_t)needed;
    return VRM_SUCCESS;
}

static void upload_deltas(vrmr_loader *l, deltas *d)
{
    const uint32_t rows = (d->count + VRMR_TEXEL_ROW - 1) / VRMR_TEXEL_ROW;
    if (rows == 0) {
        return;
    }
    memset(d->texels + (size_t)d->count * 4, 0, ((size_t)rows * VRMR_TEXEL_ROW - d->count) * 4 * sizeof(float));
    glGenTextures(1, &l->out->morph_texture);
    glActiveTexture(GL_TEXTURE0 + VRMR_UNIT_MORPH);
    glBindTexture(GL_TEXTURE_2D, l->out->morph_texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA32F, VRMR_TEXEL_ROW, (GLsizei)rows);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, VRMR_TEXEL_ROW, (GLsizei)rows, GL_RGBA, GL_FLOAT, d->texels);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    l->model->statistics.buffer_bytes += (uint64_t)rows * VRMR_TEXEL_ROW * 16;
}

vrm_result vrmr_load_morphs(vrmr_loader *l)
{
    vrmr_primitive *p = l->out;
    const vrmr_primitive_source *s = l->source;
    p->morph_count = s->mesh->morph_count < l->info.target_count ? s->mesh->morph_count : l->info.target_count;
    p->texels_per_delta = 1;
    for (uint32_t i = 0; i < p->morph_count && p->has_normals; ++i) {
        vrm_gltf_target target = {.struct_size = sizeof target};
        (void)vrm_gltf_get_target(s->gltf, s->mesh->gltf_mesh, s->primitive, i, &target);
        p->texels_per_delta = target.has_normals ? 2 : p->texels_per_delta;
    }
    if (p->morph_count == 0) {
        return VRM_SUCCESS;
    }
    deltas d = {.read = {.struct_size = sizeof d.read, .capacity = p->vertex_count}};
    p->morphs = calloc(p->morph_count, sizeof *p->morphs);
    d.read.positions = malloc(p->vertex_count * sizeof *d.read.positions);
    d.read.normals = malloc(p->vertex_count * sizeof *d.read.normals);
    d.read.vertices = malloc(p->vertex_count * sizeof *d.read.vertices);
    vrm_result result =
        p->morphs != NULL && d.read.positions != NULL && d.read.normals != NULL && d.read.vertices != NULL
            ? VRM_SUCCESS
            : vrmr_fail(l->renderer, VRM_ERROR_OUT_OF_MEMORY, "out of memory for morph targets");
    for (uint32_t i = 0; i < p->morph_count && result == VRM_SUCCESS; ++i) {
        result = add_target(l, i, &d);
    }
    if (result == VRM_SUCCESS) {
        upload_deltas(l, &d);
    }
    free(d.read.positions);
    free(d.read.normals);
    free(d.read.vertices);
    free(d.texels);
    return result;
}
