// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Morph targets as a texture of deltas, each only as long as the range of vertices that it moves.

#include "primitive.h"

#include <stdlib.h>
#include <string.h>

typedef struct deltas {
    float *texels;
    uint32_t count, capacity;
    float *position, *normal; // one target, three floats per vertex
} deltas;

static bool moves(const float *v)
{
    return v[0] != 0.0f || v[1] != 0.0f || v[2] != 0.0f;
}

static vrm_result read_deltas(vrmr_loader *l, uint32_t target, const char *format, float *out)
{
    const vrmr_primitive_source *s = l->source;
    const uint32_t count = l->file_vertex_count;
    const int64_t accessor = vrmr_json_integer(s->gltf, -1, format, s->mesh->gltf_mesh, s->primitive, target);
    vrm_gltf_accessor info = {.struct_size = sizeof info};
    memset(out, 0, (size_t)l->out->vertex_count * 3 * sizeof *out);
    if (accessor < 0) {
        return VRM_SUCCESS;
    }
    if (vrm_gltf_get_accessor(s->gltf, (uint32_t)accessor, &info) != VRM_SUCCESS || info.count != count ||
        info.components != 3) {
        return vrmr_read_error(l, VRM_ERROR_UNSUPPORTED, "a morph target");
    }
    const vrm_result result = vrm_gltf_read_floats(s->gltf, (uint32_t)accessor, 0, count, out);
    for (uint32_t v = count; v < l->out->vertex_count; ++v) { // copies that tangents needed
        memcpy(out + 3 * (size_t)v, out + 3 * (size_t)l->origins[v - count], 3 * sizeof *out);
    }
    return result == VRM_SUCCESS ? VRM_SUCCESS : vrmr_read_error(l, result, "a morph target");
}

static vrm_result add_target(vrmr_loader *l, uint32_t target, deltas *d)
{
    vrmr_primitive *p = l->out;
    vrmr_morph *morph = &p->morphs[target];
    vrm_result result = read_deltas(l, target, "/meshes/%u/primitives/%u/targets/%u/POSITION", d->position);
    if (result == VRM_SUCCESS) {
        result = read_deltas(l, target, "/meshes/%u/primitives/%u/targets/%u/NORMAL", d->normal);
    }
    if (result != VRM_SUCCESS) {
        return result;
    }
    uint32_t first = 0, end = p->vertex_count;
    while (first < end && !moves(d->position + 3 * first) && !moves(d->normal + 3 * first)) {
        ++first;
    }
    while (end > first && !moves(d->position + 3 * (end - 1)) && !moves(d->normal + 3 * (end - 1))) {
        --end;
    }
    *morph = (vrmr_morph){d->count, 1, 0};
    if (first == end) {
        return VRM_SUCCESS;
    }
    *morph = (vrmr_morph){d->count, first, end - 1};
    const uint64_t needed = d->count + (uint64_t)(end - first) * (uint32_t)p->texels_per_delta;
    // First texels travel as floats, which hold whole numbers up to here; it is also 1,024 x 16,384 texels.
    if (needed > 1u << 24 || needed > (uint64_t)VRMR_TEXEL_ROW * l->renderer->max_texture_size) {
        return vrmr_fail(l->renderer, VRM_ERROR_LIMIT, "mesh %u, primitive %u: more morph targets than fit a texture",
            l->source->mesh->gltf_mesh, l->source->primitive);
    }
    if (!vrmr_reserve((void **)&d->texels, &d->capacity, (uint32_t)needed + VRMR_TEXEL_ROW, 4 * sizeof(float))) {
        return vrmr_fail(l->renderer, VRM_ERROR_OUT_OF_MEMORY, "no memory for morph targets");
    }
    for (uint32_t v = first; v < end; ++v) {
        float *to = d->texels + (size_t)d->count * 4;
        memcpy(to, d->position + 3 * v, 3 * sizeof *to);
        to[3] = 0.0f;
        if (p->texels_per_delta == 2) {
            memcpy(to + 4, d->normal + 3 * v, 3 * sizeof *to);
            to[7] = 0.0f;
        }
        d->count += (uint32_t)p->texels_per_delta;
    }
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
    const unsigned mesh = s->mesh->gltf_mesh, primitive = s->primitive;
    p->texels_per_delta = 1;
    while (p->morph_count < s->mesh->morph_count &&
           vrmr_json_exists(s->gltf, "/meshes/%u/primitives/%u/targets/%u", mesh, primitive, p->morph_count)) {
        if (p->has_normals &&
            vrmr_json_exists(s->gltf, "/meshes/%u/primitives/%u/targets/%u/NORMAL", mesh, primitive, p->morph_count)) {
            p->texels_per_delta = 2;
        }
        ++p->morph_count;
    }
    if (p->morph_count == 0) {
        return VRM_SUCCESS;
    }
    deltas d = {0};
    p->morphs = calloc(p->morph_count, sizeof *p->morphs);
    d.position = malloc((size_t)p->vertex_count * 12 + 1);
    d.normal = malloc((size_t)p->vertex_count * 12 + 1);
    vrm_result result = p->morphs != NULL && d.position != NULL && d.normal != NULL
                            ? VRM_SUCCESS
                            : vrmr_fail(l->renderer, VRM_ERROR_OUT_OF_MEMORY, "no memory for morph targets");
    for (uint32_t i = 0; i < p->morph_count && result == VRM_SUCCESS; ++i) {
        result = add_target(l, i, &d);
    }
    if (result == VRM_SUCCESS) {
        upload_deltas(l, &d);
    }
    free(d.position);
    free(d.normal);
    free(d.texels);
    return result;
}
