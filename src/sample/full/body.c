// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "sample/full/clothes.h"

// The visible skin, except the hands.

#define AT(keys, column, y) vrmi_sample_curve(&(keys)[0][0], (int)VRMI_COUNT_OF(keys), 4, column, y)

// The neck with the skin inside the collar, from below the clothes' edge to the chin. The uniform's neckline shows the
// collarbones.
static void add_neck(vrmi_sample_figure *figure)
{
    // Columns: height, radius, depth of the axis, texture row. The top is in the shadow of the chin.
    static const float keys[][4] = {{1.263f, 0.0365f, -0.0195f, 0.19f}, {1.275f, 0.0345f, -0.019f, 0.17f},
        {1.300f, 0.0335f, -0.016f, 0.10f}, {1.322f, 0.0340f, -0.013f, 0.04f}, {1.350f, 0.0370f, -0.012f, 0.0f}};
    static const float heights[] = {1.254f, 1.263f, 1.276f, 1.300f, 1.324f, 1.350f};
    enum { LOW = 5, COLUMNS = 20 };
    const int joints[3] = {vrmi_sample_bone(VRM_HUMAN_BONE_UPPER_CHEST), vrmi_sample_bone(VRM_HUMAN_BONE_NECK),
        vrmi_sample_bone(VRM_HUMAN_BONE_HEAD)};
    static const float starts[3] = {1.0f, 1.262f, 1.318f}; // the clothes around the neck have the same weights
    const bool open = figure->style.outfit == VRM_SAMPLE_OUTFIT_UNIFORM;
    vrmi_sample_grid_begin(figure, LOW + (uint32_t)VRMI_COUNT_OF(heights), COLUMNS, true);
    for (uint32_t r = 0; r < LOW + VRMI_COUNT_OF(heights); ++r) {
        for (uint32_t c = 0; c <= COLUMNS; ++c) {
            const float turn = (float)(c % COLUMNS) / (float)COLUMNS; // 0: back, 0.5: front
            const float front = 1.0f - 2.0f * vrmi_abs(turn - 0.5f);
            // The lower edge is below the collar's edge. In front it is above the bib.
            const float edge = vrmi_max(vrmi_full_neckline(open ? front : 0.0f) - 0.012f, VRMI_FULL_BIB);
            const float y = r < LOW ? vrmi_lerp(edge, 1.2475f, (float)r / (float)(LOW - 1)) : heights[r - LOW];
            vrmi_full_ring ring = vrmi_full_trunk(y, r < LOW - 1 ? 0.0034f : 0.0018f);
            float v = 0.22f + 1.252f - y;
            if (r > LOW) {
                const float radius = AT(keys, 1, y);
                ring = (vrmi_full_ring){{0.0f, y, AT(keys, 2, y)}, radius, radius, radius, radius * 1.05f, 0.0f};
                v = AT(keys, 3, y);
            }
            figure->grid.points[r][c] =
                vrmi_full_ring_point(&ring, turn, v, vrmi_sample_along(joints, starts, 3, 0.035f, y));
            figure->grid.points[r][c].u = (float)c / (float)COLUMNS;
        }
    }
    vrmi_sample_grid_emit(figure, VRMI_FULL_BODY_SKIN, 0);
}

static void add_arm(vrmi_sample_figure *figure, float from)
{
    enum { ROWS = 17 };
    vrmi_sample_grid_begin(figure, ROWS, 14, true);
    for (uint32_t r = 0; r < ROWS; ++r) {
        const float x = vrmi_lerp(from, 0.515f, (float)r / (float)(ROWS - 1));
        const vrmi_full_ring ring = vrmi_full_arm(x, 0.0f);
        vrmi_full_ring_x(figure, r, &ring, 0.50f, vrmi_full_arm_skin(figure, x));
        for (uint32_t c = 0; c <= figure->grid.columns; ++c) {
            // The elbow uses a row of the texture with a warmer tone.
            vrmi_sample_vertex *p = &figure->grid.points[r][c];
            const float elbow = vrmi_full_bump(x - 0.326f, p->position.z + 0.045f, 0.030f, 0.030f);
            p->v = 0.50f - 0.06f * elbow;
        }
    }
    vrmi_sample_grid_emit_pair(figure, VRMI_FULL_BODY_SKIN, 0);
}

static void add_leg(vrmi_sample_figure *figure, float low)
{
    enum { ROWS = 17 };
    vrmi_sample_grid_begin(figure, ROWS, 16, true);
    for (uint32_t r = 0; r < ROWS; ++r) {
        const float y = vrmi_lerp(low, 0.895f, (float)r / (float)(ROWS - 1));
        const vrmi_full_ring ring = vrmi_full_leg(y, 0.0f);
        vrmi_full_ring_y(figure, r, &ring, 0.50f, vrmi_full_leg_skin(figure, y));
        for (uint32_t c = 0; c <= figure->grid.columns; ++c) {
            vrmi_sample_vertex *p = &figure->grid.points[r][c];
            const vrm_vec3 d = vrmi_vec3_sub(p->position, ring.center);
            // The kneecap and its warmer tone in the texture.
            const float knee = d.z > 0.0f ? vrmi_full_bump(d.x, y - 0.478f, 0.030f, 0.034f) : 0.0f;
            p->position.z += 0.0045f * knee;
            p->v = 0.50f - 0.06f * knee;
        }
    }
    vrmi_sample_grid_emit_pair(figure, VRMI_FULL_BODY_SKIN, 0);
}

void vrmi_full_add_body(vrmi_sample_figure *figure)
{
    const bool uniform = figure->style.outfit == VRM_SAMPLE_OUTFIT_UNIFORM;
    add_neck(figure);
    vrmi_full_add_hands(figure);
    if (uniform) {
        add_arm(figure, 0.150f);
    }
    add_leg(figure, uniform ? 0.385f : 0.125f);
}
