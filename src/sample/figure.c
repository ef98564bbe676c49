// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "sample/figure.h"

bool vrmi_sample_make_room(vrmi_sample_figure *figure)
{
    for (int p = 0; p < figure->plan->part_count; ++p) {
        vrmi_sample_part *part = &figure->parts[p];
        part->vertex_capacity = figure->plan->parts[p].vertices;
        part->index_capacity = figure->plan->parts[p].indices;
        part->vertices = vrmi_arena_alloc(&figure->arena, part->vertex_capacity, sizeof(*part->vertices));
        part->indices = vrmi_arena_alloc(&figure->arena, part->index_capacity, sizeof(*part->indices));
        if (part->vertices == NULL || part->indices == NULL) {
            return false;
        }
    }
    return true;
}

static vrm_vec3 resize(const vrmi_sample_style *style, float hips, vrm_vec3 p)
{
    p.y = p.y < hips ? p.y * style->legs : p.y + hips * (style->legs - 1.0f);
    return vrmi_vec3_scale(p, style->height);
}

void vrmi_sample_resize(vrmi_sample_figure *figure, float hips, int rigid)
{
    const vrmi_sample_style *style = &figure->style;
    for (int n = 0; n < figure->node_count; ++n) {
        figure->nodes[n].position = resize(style, hips, figure->nodes[n].position);
    }
    for (int p = 0; p < figure->plan->part_count; ++p) {
        for (uint32_t v = 0; v < figure->parts[p].vertex_count; ++v) {
            vrm_vec3 *position = &figure->parts[p].vertices[v].position;
            *position = p == rigid ? vrmi_vec3_scale(*position, style->height) : resize(style, hips, *position);
        }
        for (int m = 0; m < figure->plan->morph_count && p < figure->plan->morph_parts; ++m) {
            for (uint32_t v = 0; v < figure->parts[p].vertex_count; ++v) {
                figure->morphs[m][p][v] = vrmi_vec3_scale(figure->morphs[m][p][v], style->height);
            }
        }
    }
}
