// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "sample/full/clothes.h"

// The blouse with short sleeves, the sailor collar and the bow. The skirt is in skirt.c.

#define COLUMNS 28

static void add_blouse(vrmi_sample_figure *figure)
{
    static const float heights[] = {0.966f, 0.978f, 0.996f, 1.014f, 1.032f, 1.050f, 1.068f, 1.084f, 1.098f, 1.112f,
        1.128f, 1.146f, 1.166f, 1.186f, 1.204f, 1.220f, 1.233f, 1.243f, 1.250f, 1.254f};
    vrmi_sample_grid_begin(figure, (uint32_t)VRMI_COUNT_OF(heights), COLUMNS, true);
    for (uint32_t r = 0; r < VRMI_COUNT_OF(heights); ++r) {
        const float y = heights[r];
        // The cloth bulges a little above the waistband.
        const float bag = 0.0050f * vrmi_full_bump(y - 1.026f, 0.0f, 0.024f, 1.0f);
        // The cloth is closer to the body below the collar and the bare neck.
        const float cloth = y > 1.235f ? -0.0030f : (y > 1.18f ? 0.0010f : 0.0030f);
        const vrmi_full_ring ring = vrmi_full_trunk(y, cloth + bag);
        vrmi_full_ring_y(figure, r, &ring, vrmi_full_trunk_v(y), vrmi_full_trunk_skin(y));
        for (uint32_t c = 0; c <= COLUMNS; ++c) {
            vrm_vec3 *p = &figure->grid.points[r][c].position;
            p->z += vrmi_full_chest(*p, 0.0160f);
        }
    }
    vrmi_sample_grid_emit(figure, VRMI_FULL_TOP, 0);
}

static void add_sleeves(vrmi_sample_figure *figure)
{
    // Columns: position along X, distance of cloth from the arm.
    static const float rows[][2] = {{0.052f, 0.0020f}, {0.070f, 0.0030f}, {0.088f, 0.0045f}, {0.104f, 0.0070f},
        {0.120f, 0.0115f}, {0.137f, 0.0140f}, {0.154f, 0.0150f}, {0.170f, 0.0140f}, {0.181f, 0.0110f},
        {0.186f, 0.0098f}, {0.200f, 0.0098f}, {0.201f, 0.0075f}, {0.186f, 0.0015f}};
    vrmi_sample_grid_begin(figure, (uint32_t)VRMI_COUNT_OF(rows), 18, true);
    for (uint32_t r = 0; r < VRMI_COUNT_OF(rows); ++r) {
        const vrmi_full_ring ring = vrmi_full_arm(rows[r][0], rows[r][1]);
        const float t = vrmi_min((float)r / 10.0f, 1.0f);
        vrmi_full_ring_x(figure, r, &ring, VRMI_FULL_V_SLEEVE + 0.18f * t, vrmi_full_arm_skin(figure, rows[r][0]));
    }
    vrmi_sample_grid_emit_pair(figure, VRMI_FULL_TOP, 0);
}

// Adds the collar, from the neck outwards on the trunk. In front both edges come down to a V; at the back the outer
// edge is a square.
static void add_collar(vrmi_sample_figure *figure)
{
    enum { ROWS = 8, AROUND = 36 };
    vrmi_sample_grid_begin(figure, ROWS, AROUND, true);
    for (uint32_t r = 0; r < ROWS; ++r) {
        for (uint32_t c = 0; c <= AROUND; ++c) {
            const float turn = (float)(c % AROUND) / (float)AROUND; // 0: back, 0.5: front
            const float front = 1.0f - 2.0f * vrmi_abs(turn - 0.5f);
            const float inner = vrmi_full_neckline(front);
            const float flap = 1.0f - vrmi_sample_smooth(0.24f, 0.50f, front);
            const float outer = vrmi_lerp(1.2080f, 1.1300f, flap) - 0.0980f * vrmi_sample_smooth(0.62f, 1.0f, front);
            // Rows go up. The first row is turned under, the last one stands up at the neck.
            const float t = vrmi_clamp(((float)r - 1.0f) / (float)(ROWS - 3), 0.0f, 1.0f);
            const float y = vrmi_lerp(outer, inner, t);
            const float lift = r == 0 ? 0.0025f : (r == ROWS - 1 ? 0.0050f : 0.0110f - 0.0035f * t);
            const vrmi_full_ring ring = vrmi_full_trunk(vrmi_min(y, 1.2535f), lift);
            float sine, cosine;
            vrmi_sincos(turn * 2.0f * VRMI_PI, &sine, &cosine);
            vrmi_sample_vertex *p = &figure->grid.points[r][c];
            p->position =
                vrmi_vec3(-sine * ring.left, y + 0.4f * lift, -cosine * (cosine > 0.0f ? ring.back : ring.front));
            p->position.z += vrmi_full_chest(p->position, 0.0160f);
            p->u = (float)c / (float)AROUND; // the last column has u = 1, not 0
            p->v = VRMI_FULL_V_COLLAR + 0.08f * (1.0f - t);
            p->skin = vrmi_full_trunk_skin(y);
        }
    }
    vrmi_sample_grid_emit(figure, VRMI_FULL_TOP, 0);
}

static void add_bow(vrmi_sample_figure *figure)
{
    const vrmi_sample_influence skin = vrmi_sample_one(vrmi_sample_bone(VRM_HUMAN_BONE_UPPER_CHEST));
    const vrm_vec3 knot = {0.0f, 1.1330f, 0.0955f};
    // Columns of a loop, from the knot outwards: position, half height, half thickness.
    static const float loop[][3] = {{0.000f, 0.0060f, 0.0050f}, {0.010f, 0.0095f, 0.0085f}, {0.024f, 0.0165f, 0.0105f},
        {0.038f, 0.0210f, 0.0100f}, {0.048f, 0.0205f, 0.0070f}, {0.054f, 0.0150f, 0.0035f}, {0.056f, 0.0f, 0.0f}};
    vrmi_sample_grid_begin(figure, (uint32_t)VRMI_COUNT_OF(loop), 10, true);
    for (uint32_t r = 0; r < VRMI_COUNT_OF(loop); ++r) {
        const float x = loop[r][0];
        const vrmi_full_ring ring = {
            {x, knot.y + 0.10f * x, knot.z - 0.22f * x}, loop[r][1], loop[r][1] * 1.05f, loop[r][2], loop[r][2], 0.0f};
        vrmi_full_ring_x(figure, r, &ring, (float)r / (float)VRMI_COUNT_OF(loop), skin);
    }
    vrmi_sample_grid_emit_pair(figure, VRMI_FULL_RIBBON, 0);
    static const float ball[][2] = {{-0.0105f, 0.0f}, {-0.0085f, 0.0065f}, {-0.003f, 0.0095f}, {0.003f, 0.0095f},
        {0.0085f, 0.0065f}, {0.0105f, 0.0f}};
    vrmi_sample_grid_begin(figure, (uint32_t)VRMI_COUNT_OF(ball), 10, true);
    for (uint32_t r = 0; r < VRMI_COUNT_OF(ball); ++r) {
        const float size = ball[r][1];
        const vrmi_full_ring ring = {
            {0.0f, knot.y + ball[r][0], knot.z + 0.0035f}, size, size, size * 0.9f, size * 0.7f, 0.0f};
        vrmi_full_ring_y(figure, r, &ring, 0.5f, skin);
    }
    vrmi_sample_grid_emit(figure, VRMI_FULL_RIBBON, 0);
    const vrmi_full_cord tail = {
        "bow", {0.0050f, 1.1290f, 0.0975f}, {0.0270f, 1.0420f, 0.1010f}, 0.0070f, 0.0130f, 0.0022f};
    vrmi_full_add_cords(figure, &tail);
}

void vrmi_full_add_uniform(vrmi_sample_figure *figure)
{
    add_blouse(figure);
    add_sleeves(figure);
    add_collar(figure);
    add_bow(figure);
    vrmi_full_add_shorts(figure, 0.770f, 0.0030f, VRMI_FULL_V_SOCK + 0.07f, 0.02f);
    vrmi_full_add_socks(figure, 0.400f);
    vrmi_full_add_shoes(figure, 0.0f);
    vrmi_full_add_skirt(figure);
}
