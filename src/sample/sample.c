// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "sample/face_shape.h"

#include <string.h>

#include "base/abi.h"
#include "base/checks.h"

void(vrm_sample_params_default)(vrm_sample_params *def, size_t size)
{
    const vrm_sample_params own = {.struct_size = sizeof own};
    vrmi_write_defaults(def, size, &own, sizeof own);
}

static bool make_room(vrmi_sample_figure *figure)
{
    static const uint32_t room[VRMI_SAMPLE_PART_COUNT][2] = {
#define PART_ROOM(name, mesh, material, vertices, indices) {vertices, indices},
        VRMI_SAMPLE_PARTS(PART_ROOM)
#undef PART_ROOM
    };
    for (int p = 0; p < VRMI_SAMPLE_PART_COUNT; ++p) {
        vrmi_sample_part *part = &figure->parts[p];
        part->vertex_capacity = room[p][0];
        part->index_capacity = room[p][1];
        part->vertices = vrmi_arena_alloc(&figure->arena, part->vertex_capacity, sizeof(*part->vertices));
        part->indices = vrmi_arena_alloc(&figure->arena, part->index_capacity, sizeof(*part->indices));
        if (part->vertices == NULL || part->indices == NULL) {
            return false;
        }
    }
    return true;
}

// The figure is modelled in one size; the style's legs and height come last, over skin, bones and morphs alike.
static vrm_vec3 resize(const vrmi_sample_style *style, vrm_vec3 p)
{
    const float hips = 0.865f;
    p.y = p.y < hips ? p.y * style->legs : p.y + hips * (style->legs - 1.0f);
    return vrmi_vec3_scale(p, style->height);
}

static void resize_figure(vrmi_sample_figure *figure)
{
    const vrmi_sample_style *style = &figure->style;
    for (int n = 0; n < figure->node_count; ++n) {
        figure->nodes[n].position = resize(style, figure->nodes[n].position);
    }
    for (int p = 0; p < VRMI_SAMPLE_PART_COUNT; ++p) {
        for (uint32_t v = 0; v < figure->parts[p].vertex_count; ++v) {
            vrm_vec3 *position = &figure->parts[p].vertices[v].position;
            // The pin is modelled around its node.
            *position = p == VRMI_SAMPLE_PIN ? vrmi_vec3_scale(*position, style->height) : resize(style, *position);
        }
        for (int m = 0; m < VRMI_SAMPLE_MORPH_COUNT && p < VRMI_SAMPLE_FACE_PARTS; ++m) {
            for (uint32_t v = 0; v < figure->parts[p].vertex_count; ++v) {
                figure->morphs[m][p][v] = vrmi_vec3_scale(figure->morphs[m][p][v], style->height);
            }
        }
    }
}

static vrm_result make(vrmi_sample_figure *figure, uint32_t seed, const vrm_allocator *allocator, vrm_bytes *out_bytes)
{
    vrmi_sample_style_from_seed(seed, &figure->style);
    if (!make_room(figure)) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    vrmi_sample_face face;
    vrmi_sample_face_default(&face);
    vrmi_sample_add_skeleton(figure);
    vrmi_sample_add_head(figure, &face);
    vrmi_sample_add_body(figure);
    vrmi_sample_add_clothes(figure);
    vrmi_sample_add_skirt(figure);
    vrmi_sample_add_hair(figure);
    if (!vrmi_sample_add_morphs(figure) || !vrmi_sample_paint_textures(figure)) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    resize_figure(figure);
    if (!vrmi_sample_paint_thumbnail(figure)) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    return vrmi_sample_write(figure, allocator, out_bytes);
}

vrm_result vrm_sample_create(const vrm_sample_params *def, vrm_bytes *out_bytes)
{
    if (!VRM_ASSERT(out_bytes != NULL)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    memset(out_bytes, 0, sizeof(*out_bytes));
    vrm_sample_params own;
    vrm_sample_params_default(&own);
    if (!VRM_ASSERT(VRMI_READ_OPTIONS(vrm_sample_params, &own, def))) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    def = &own;
    vrm_allocator allocator;
    vrmi_resolve_allocator(&def->allocator, &allocator);
    vrmi_arena arena;
    vrmi_arena_init(&arena, &allocator, 0);
    vrm_result result = VRM_ERROR_OUT_OF_MEMORY;
    vrmi_sample_figure *figure = vrmi_arena_alloc(&arena, 1, sizeof(*figure));
    if (figure != NULL) {
        figure->arena = arena;
        result = make(figure, def->seed, &allocator, out_bytes);
        arena = figure->arena;
    }
    vrmi_arena_free(&arena);
    return result;
}
