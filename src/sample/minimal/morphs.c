// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "sample/minimal/face_shape.h"

#include <string.h>

// Faces for all presets and a wink. Each face is built completely. The morph targets are the differences to the face at
// rest.

static void emotion(vrmi_minimal_morph_id id, vrmi_minimal_face *f)
{
    switch (id) {
    case VRMI_MINIMAL_MORPH_happy:
        f->close[0] = f->close[1] = 1.0f;
        f->smile[0] = f->smile[1] = 1.0f;
        f->brow_y = 0.003f;
        f->mouth_open = 0.0105f;
        f->mouth_lower = 0.95f;
        f->mouth_round = 0.5f;
        f->mouth_width = 1.12f;
        f->mouth_corner = 0.0035f;
        break;
    case VRMI_MINIMAL_MORPH_angry:
        f->close[0] = f->close[1] = 0.14f;
        f->lower_lid[0] = f->lower_lid[1] = 0.5f;
        f->brow_y = -0.0025f;
        f->brow_inner = -0.0065f;
        f->mouth_corner = -0.0035f;
        f->mouth_width = 0.9f;
        break;
    case VRMI_MINIMAL_MORPH_sad:
        f->close[0] = f->close[1] = 0.28f;
        f->gaze_y = -0.002f;
        f->brow_inner = 0.0060f;
        f->brow_y = -0.001f;
        f->mouth_corner = -0.0030f;
        f->mouth_width = 0.8f;
        break;
    case VRMI_MINIMAL_MORPH_relaxed:
        f->close[0] = f->close[1] = 0.34f;
        f->lower_lid[0] = f->lower_lid[1] = 0.4f;
        f->brow_y = 0.0015f;
        f->mouth_corner = 0.0040f;
        f->mouth_width = 1.08f;
        break;
    case VRMI_MINIMAL_MORPH_surprised:
        f->close[0] = f->close[1] = -0.8f;
        f->iris = 0.84f;
        f->brow_y = 0.0060f;
        f->mouth_open = 0.0110f;
        f->mouth_width = 0.55f;
        f->mouth_round = 1.0f;
        f->mouth_corner = 0.0f;
        break;
    default:
        break;
    }
}

// Columns for each of the five vowels: height, width, roundness and fraction below the line of the mouth's opening.
static void vowel(vrmi_minimal_morph_id id, vrmi_minimal_face *f)
{
    static const float shapes[5][4] = {{0.0150f, 0.92f, 0.75f, 0.80f}, {0.0050f, 1.25f, 0.20f, 0.60f},
        {0.0065f, 0.45f, 1.00f, 0.50f}, {0.0080f, 1.12f, 0.50f, 0.70f}, {0.0120f, 0.62f, 1.00f, 0.65f}};
    const int i = (int)id - (int)VRMI_MINIMAL_MORPH_aa;
    if (i < 0 || i >= 5) {
        return;
    }
    f->mouth_open = shapes[i][0];
    f->mouth_width = shapes[i][1];
    f->mouth_round = shapes[i][2];
    f->mouth_lower = shapes[i][3];
}

static void eyes(vrmi_minimal_morph_id id, vrmi_minimal_face *f)
{
    switch (id) {
    case VRMI_MINIMAL_MORPH_blink:
        f->close[0] = f->close[1] = 1.0f;
        break;
    case VRMI_MINIMAL_MORPH_blinkLeft:
        f->close[0] = 1.0f;
        break;
    case VRMI_MINIMAL_MORPH_blinkRight:
        f->close[1] = 1.0f;
        break;
    case VRMI_MINIMAL_MORPH_lookUp:
        f->gaze_y = 0.0050f;
        f->close[0] = f->close[1] = -0.25f;
        break;
    case VRMI_MINIMAL_MORPH_lookDown:
        f->gaze_y = -0.0050f;
        f->close[0] = f->close[1] = 0.25f;
        break;
    case VRMI_MINIMAL_MORPH_lookLeft:
        f->gaze_x = 0.0055f;
        break;
    case VRMI_MINIMAL_MORPH_lookRight:
        f->gaze_x = -0.0055f;
        break;
    case VRMI_MINIMAL_MORPH_neutral:
        f->mouth_corner = 0.0012f;
        break;
    case VRMI_MINIMAL_MORPH_wink:
        f->close[0] = 1.0f;
        f->smile[0] = 1.0f;
        f->brow_y = 0.002f;
        f->mouth_open = 0.0070f;
        f->mouth_lower = 0.9f;
        f->mouth_corner = 0.0035f;
        break;
    default:
        break;
    }
}

bool vrmi_minimal_add_morphs(vrmi_sample_figure *figure)
{
    // The faces are built in a second figure, which has memory only for the parts of the face.
    vrmi_sample_figure *other = vrmi_arena_alloc(&figure->arena, 1, sizeof(*other));
    if (other == NULL) {
        return false;
    }
    *other = *figure;
    for (int p = 0; p < VRMI_MINIMAL_FACE_PARTS; ++p) {
        vrmi_sample_part *part = &other->parts[p];
        part->vertices = vrmi_arena_alloc(&figure->arena, part->vertex_capacity, sizeof(*part->vertices));
        part->indices = vrmi_arena_alloc(&figure->arena, part->index_capacity, sizeof(*part->indices));
        if (part->vertices == NULL || part->indices == NULL) {
            return false;
        }
    }
    for (int m = 0; m < VRMI_MINIMAL_MORPH_COUNT; ++m) {
        vrmi_minimal_face face;
        vrmi_minimal_face_default(&face);
        emotion((vrmi_minimal_morph_id)m, &face);
        vowel((vrmi_minimal_morph_id)m, &face);
        eyes((vrmi_minimal_morph_id)m, &face);
        for (int p = 0; p < VRMI_MINIMAL_FACE_PARTS; ++p) {
            other->parts[p].vertex_count = other->parts[p].index_count = 0;
        }
        vrmi_minimal_add_head(other, &face);
        for (int p = 0; p < VRMI_MINIMAL_FACE_PARTS; ++p) {
            const uint32_t count = figure->parts[p].vertex_count;
            VRM_VALIDATE(count == other->parts[p].vertex_count);
            vrm_vec3 *deltas = vrmi_arena_alloc(&figure->arena, count, sizeof(*deltas));
            if (deltas == NULL) {
                return false;
            }
            for (uint32_t v = 0; v < count; ++v) {
                deltas[v] = vrmi_vec3_sub(other->parts[p].vertices[v].position, figure->parts[p].vertices[v].position);
            }
            figure->morphs[m][p] = deltas;
        }
    }
    return true;
}
