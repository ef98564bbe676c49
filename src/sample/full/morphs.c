// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "sample/full/expressions.h"

// Builds the whole face for each morph. The morph target is the difference to the face at rest.

bool vrmi_full_add_morphs(vrmi_sample_figure *figure)
{
    // The faces are built in a second figure, which has memory only for the parts of the face.
    vrmi_sample_figure *other = vrmi_arena_alloc(&figure->arena, 1, sizeof(*other));
    if (other == NULL) {
        return false;
    }
    *other = *figure;
    for (int p = 0; p < VRMI_FULL_FACE_PARTS; ++p) {
        vrmi_sample_part *part = &other->parts[p];
        part->vertices = vrmi_arena_alloc(&figure->arena, part->vertex_capacity, sizeof(*part->vertices));
        part->indices = vrmi_arena_alloc(&figure->arena, part->index_capacity, sizeof(*part->indices));
        if (part->vertices == NULL || part->indices == NULL) {
            return false;
        }
    }
    for (int m = 0; m < VRMI_FULL_MORPH_COUNT; ++m) {
        vrmi_full_face face;
        vrmi_full_face_of((vrmi_full_morph)m, &face);
        for (int p = 0; p < VRMI_FULL_FACE_PARTS; ++p) {
            other->parts[p].vertex_count = other->parts[p].index_count = 0;
        }
        vrmi_full_add_face(other, &face);
        for (int p = 0; p < VRMI_FULL_FACE_PARTS; ++p) {
            const uint32_t count = figure->parts[p].vertex_count;
            VRM_VALIDATE(count == other->parts[p].vertex_count);
            vrm_vec3 *deltas = vrmi_arena_alloc(&figure->arena, count, sizeof(*deltas));
            if (deltas == NULL) {
                return false;
            }
            // Face tracking sends mouthClose together with jawOpen, so mouthClose subtracts its opening of the mouth.
            const float sign = m == VRMI_FULL_MORPH_mouthClose ? -1.0f : 1.0f;
            for (uint32_t v = 0; v < count; ++v) {
                const vrm_vec3 at = other->parts[p].vertices[v].position, rest = figure->parts[p].vertices[v].position;
                deltas[v] = vrmi_vec3_scale(vrmi_vec3_sub(at, rest), sign);
            }
            figure->morphs[m][p] = deltas;
        }
    }
    return true;
}
