// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "sample/full/clothes.h"

// A wide hoodie with cords, shorts and sneakers.

static void add_trunk(vrmi_sample_figure *figure)
{
    // Columns: height, distance of cloth from the trunk. The ribbed hem is tight.
    static const float rows[][2] = {{0.836f, 0.0030f}, {0.824f, 0.0120f}, {0.826f, 0.0150f}, {0.842f, 0.0165f},
        {0.858f, 0.0170f}, {0.866f, 0.0210f}, {0.882f, 0.0270f}, {0.905f, 0.0310f}, {0.930f, 0.0350f},
        {0.955f, 0.0390f}, {0.985f, 0.0420f}, {1.015f, 0.0400f}, {1.045f, 0.0340f}, {1.075f, 0.0280f},
        {1.105f, 0.0235f}, {1.135f, 0.0195f}, {1.165f, 0.0160f}, {1.195f, 0.0125f}, {1.215f, 0.0105f},
        {1.231f, 0.0095f}, {1.243f, 0.0090f}, {1.252f, 0.0080f}};
    enum { COLUMNS = 32 };
    vrmi_sample_grid_begin(figure, (uint32_t)VRMI_COUNT_OF(rows), COLUMNS, true);
    for (uint32_t r = 0; r < VRMI_COUNT_OF(rows); ++r) {
        const float y = rows[r][0];
        const vrmi_full_ring ring = vrmi_full_trunk(y, rows[r][1]);
        vrmi_full_ring_y(figure, r, &ring, vrmi_full_trunk_v(y), vrmi_full_trunk_skin(y));
        for (uint32_t c = 0; c <= COLUMNS; ++c) {
            vrm_vec3 *p = &figure->grid.points[r][c].position;
            p->z += vrmi_full_chest(*p, 0.0100f);
        }
    }
    vrmi_sample_grid_emit(figure, VRMI_FULL_TOP, 0);
}

static void add_sleeves(vrmi_sample_figure *figure)
{
    // Columns: position along X, distance of cloth from the arm, texture row. Rows are closest at the shoulder, which
    // bends when the arm is lowered.
    static const float rows[][3] = {{0.052f, 0.0030f, 0.00f}, {0.078f, 0.0045f, 1.12f}, {0.098f, 0.0063f, 1.92f},
        {0.116f, 0.0086f, 2.53f}, {0.134f, 0.0112f, 3.13f}, {0.154f, 0.0146f, 3.80f}, {0.195f, 0.0165f, 5.00f},
        {0.245f, 0.0170f, 6.47f}, {0.290f, 0.0170f, 8.00f}, {0.310f, 0.0175f, 9.00f}, {0.330f, 0.0180f, 10.00f},
        {0.352f, 0.0175f, 11.00f}, {0.380f, 0.0180f, 12.00f}, {0.410f, 0.0200f, 13.00f}, {0.440f, 0.0225f, 14.00f},
        {0.462f, 0.0230f, 15.00f}, {0.476f, 0.0190f, 16.00f}, {0.482f, 0.0095f, 17.00f}, {0.500f, 0.0090f, 18.00f},
        {0.516f, 0.0090f, 19.00f}, {0.5175f, 0.0065f, 19.00f}, {0.500f, 0.0012f, 19.00f}};
    vrmi_sample_grid_begin(figure, (uint32_t)VRMI_COUNT_OF(rows), 18, true);
    for (uint32_t r = 0; r < VRMI_COUNT_OF(rows); ++r) {
        const vrmi_full_ring ring = vrmi_full_arm(rows[r][0], rows[r][1]);
        vrmi_full_ring_x(figure, r, &ring, VRMI_FULL_V_SLEEVE + 0.18f * rows[r][2] / 19.0f,
            vrmi_full_arm_skin(figure, vrmi_min(rows[r][0], 0.512f)));
    }
    vrmi_sample_grid_emit_pair(figure, VRMI_FULL_TOP, 0);
}

// Adds the hood as a roll of cloth around the neck. It is thick and hangs at the back; in front, where its ends meet,
// it is lower and thin.
static void add_hood(vrmi_sample_figure *figure)
{
    enum { ROWS = 25, AROUND = 12 };
    vrmi_sample_grid_begin(figure, ROWS, AROUND, true);
    for (uint32_t r = 0; r < ROWS; ++r) {
        // t goes from the front over the right side, the back and the left side. 0 and 1 are in front.
        const float t = (float)r / (float)(ROWS - 1);
        float sine, cosine;
        vrmi_sincos(t * 2.0f * VRMI_PI, &sine, &cosine);
        const float behind = vrmi_sample_smooth(0.1f, 1.0f, 0.5f - 0.5f * cosine);
        const vrm_vec3 center = {-0.064f * sine * (1.0f + 0.10f * behind),
            vrmi_lerp(1.2360f, 1.2500f, vrmi_sample_smooth(0.0f, 0.3f, 0.5f - 0.5f * cosine)) - 0.022f * behind,
            0.052f * cosine - 0.012f - 0.020f * behind};
        const vrm_vec3 away =
            vrmi_vec3_normalize_or(vrmi_vec3(center.x, 0.0f, center.z + 0.012f), vrmi_vec3(0.0f, 0.0f, 1.0f));
        const float wide = vrmi_lerp(0.0130f, 0.0260f, behind), high = vrmi_lerp(0.0190f, 0.0400f, behind);
        for (uint32_t c = 0; c <= AROUND; ++c) {
            float s, k;
            vrmi_sincos((float)(c % AROUND) / (float)AROUND * 2.0f * VRMI_PI, &s, &k);
            vrmi_sample_vertex *p = &figure->grid.points[r][c];
            p->position = vrmi_vec3_add(center, vrmi_vec3_scale(away, wide * k));
            p->position.y += high * s;
            p->u = (float)c / (float)AROUND;
            p->v = VRMI_FULL_V_HOOD + 0.02f * vrmi_abs(2.0f * t - 1.0f);
            p->skin = vrmi_sample_one(vrmi_sample_bone(VRM_HUMAN_BONE_UPPER_CHEST));
        }
    }
    vrmi_sample_grid_emit(figure, VRMI_FULL_TOP, 0);
}

void vrmi_full_add_hoodie(vrmi_sample_figure *figure)
{
    add_trunk(figure);
    add_sleeves(figure);
    add_hood(figure);
    const vrmi_full_cord cord = {
        "cord", {0.0200f, 1.2120f, 0.0800f}, {0.0240f, 1.1080f, 0.1240f}, 0.0026f, 0.0034f, 0.0026f};
    vrmi_full_add_cords(figure, &cord);
    vrmi_full_add_shorts(figure, 0.705f, 0.0090f, 0.30f, 0.10f);
    vrmi_full_add_socks(figure, 0.135f);
    vrmi_full_add_shoes(figure, 0.0060f);
}
