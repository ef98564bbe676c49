// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "sample/full/clothes.h"

#include "base/text.h"

// Shorts, socks, shoes and cords.

void vrmi_full_add_shorts(vrmi_sample_figure *figure, float low, float more, float v, float v_height)
{
    // Shorts under a skirt are drawn with the socks' texture.
    const int part = figure->style.outfit == VRM_SAMPLE_OUTFIT_UNIFORM ? VRMI_FULL_SHOES : VRMI_FULL_BOTTOM;
    enum { ROWS = 7, PELVIS = 8 };
    vrmi_sample_grid_begin(figure, ROWS + 2, 16, true);
    for (uint32_t r = 0; r < ROWS + 2; ++r) {
        // The hem is turned inwards by the first two rows.
        const float t = r < 2 ? 0.0f : (float)(r - 2) / (float)(ROWS - 1);
        const float y = vrmi_lerp(low, 0.905f, t) + (r == 0 ? 0.012f : 0.0f);
        const float flare = more * (1.0f + 0.5f * (1.0f - t));
        const vrmi_full_ring ring = vrmi_full_leg(y, r == 0 ? 0.003f : (r == 1 ? flare - 0.0015f : flare));
        vrmi_full_ring_y(figure, r, &ring, v + v_height * (1.0f - t), vrmi_full_leg_skin(figure, y));
    }
    vrmi_sample_grid_emit_pair(figure, part, 0);
    static const float pelvis[PELVIS][3] = {{0.786f, 0.0f, 0.0f}, {0.788f, 0.35f, 0.45f}, {0.796f, 0.70f, 0.80f},
        {0.815f, 0.90f, 0.96f}, {0.850f, 0.99f, 1.0f}, {0.890f, 1.0f, 1.0f}, {0.930f, 1.0f, 1.0f},
        {0.975f, 1.0f, 1.0f}};
    vrmi_sample_grid_begin(figure, PELVIS, 18, true);
    for (uint32_t r = 0; r < PELVIS; ++r) {
        vrmi_full_ring ring = vrmi_full_trunk(pelvis[r][0], more * 0.8f);
        ring.left = ring.right = ring.left * pelvis[r][1];
        ring.front *= pelvis[r][2];
        ring.back *= pelvis[r][2];
        vrmi_full_ring_y(figure, r, &ring, v + 0.5f * v_height * (1.0f - (float)r / (float)PELVIS),
            vrmi_full_trunk_skin(pelvis[r][0]));
    }
    vrmi_sample_grid_emit(figure, part, 0);
}

void vrmi_full_add_socks(vrmi_sample_figure *figure, float high)
{
    enum { ROWS = 11 };
    vrmi_sample_grid_begin(figure, ROWS + 2, 16, true);
    for (uint32_t r = 0; r < ROWS + 2; ++r) {
        const float t = vrmi_min((float)r / (float)(ROWS - 1), 1.0f), y = vrmi_lerp(0.045f, high, t);
        // The upper rim is thicker and turned inwards.
        const float more =
            r == ROWS + 1 ? -0.003f : (r == ROWS ? 0.0022f : 0.0016f + 0.0016f * vrmi_sample_smooth(0.93f, 1.0f, t));
        const float place = y - (r == ROWS + 1 ? 0.006f : 0.0f);
        const vrmi_full_ring ring = vrmi_full_leg(place, more);
        // The rim has stripes, so it gets a larger share of the texture.
        vrmi_full_ring_y(
            figure, r, &ring, VRMI_FULL_V_SOCK + 0.115f * vrmi_sqrt(1.0f - t), vrmi_full_leg_skin(figure, place));
        for (uint32_t c = 0; c <= figure->grid.columns; ++c) {
            figure->grid.points[r][c].u *= 0.25f; // the texture is as fine around the leg as along it
        }
    }
    vrmi_sample_grid_emit_pair(figure, VRMI_FULL_SHOES, 0);
}

void vrmi_full_add_shoes(vrmi_sample_figure *figure, float size)
{
    // Columns, from heel to toe: depth, half width, height.
    static const float keys[][3] = {{-0.066f, 0.0f, 0.030f}, {-0.064f, 0.0130f, 0.046f}, {-0.056f, 0.0225f, 0.062f},
        {-0.042f, 0.0275f, 0.074f}, {-0.022f, 0.0295f, 0.080f}, {-0.002f, 0.0305f, 0.077f}, {0.018f, 0.0322f, 0.066f},
        {0.040f, 0.0348f, 0.055f}, {0.065f, 0.0372f, 0.046f}, {0.090f, 0.0370f, 0.039f}, {0.112f, 0.0335f, 0.034f},
        {0.130f, 0.0262f, 0.029f}, {0.141f, 0.0160f, 0.024f}, {0.146f, 0.0f, 0.018f}};
    enum { COLUMNS = 12 };
    const int joints[2] = {vrmi_sample_bone(VRM_HUMAN_BONE_LEFT_FOOT), vrmi_sample_bone(VRM_HUMAN_BONE_LEFT_TOES)};
    static const float starts[2] = {-1.0f, 0.060f};
    vrmi_sample_grid_begin(figure, (uint32_t)VRMI_COUNT_OF(keys), COLUMNS, true);
    for (uint32_t r = 0; r < VRMI_COUNT_OF(keys); ++r) {
        const float z = keys[r][0] + size * (keys[r][0] < 0.0f ? -0.8f : 1.0f);
        for (uint32_t c = 0; c <= COLUMNS; ++c) {
            float sine, cosine;
            vrmi_sincos((float)(c % COLUMNS) / (float)COLUMNS * 2.0f * VRMI_PI, &sine, &cosine);
            const float sole = 0.013f + size, wide = keys[r][1] > 0.0f ? keys[r][1] + size : 0.0f;
            // Above the sole the section is half an ellipse, below it a wall and the flat ground. Toes point slightly
            // outwards.
            const float y =
                sine > 0.0f ? sole + (keys[r][2] + size - sole) * sine : vrmi_max(sole * (1.0f + 1.7f * sine), 0.0f);
            const float x =
                0.0600f + 0.05f * (z + 0.014f) + wide * (sine > 0.0f ? cosine : cosine * (1.0f + 0.35f * sine * sine));
            vrmi_sample_vertex *p = &figure->grid.points[r][c];
            p->position = vrmi_vec3(x, y, z);
            p->u = (float)c / (float)COLUMNS;
            p->v =
                y < sole * 0.9f ? VRMI_FULL_V_SOLE : VRMI_FULL_V_SHOE + 0.06f * (float)r / (float)VRMI_COUNT_OF(keys);
            p->skin = vrmi_sample_along(joints, starts, 2, 0.022f, z);
        }
    }
    vrmi_sample_grid_emit_pair(figure, VRMI_FULL_SHOES, 0);
}

void vrmi_full_add_cords(vrmi_sample_figure *figure, const vrmi_full_cord *cord)
{
    enum { LINKS = 4, ROWS = 9, COLUMNS = 6 };
    vrmi_sample_chain *chains[2];
    for (int side = 0; side < 2; ++side) {
        vrmi_sample_chain *chain = chains[side] = &figure->chains[figure->chain_count++];
        *chain = (vrmi_sample_chain){
            .kind = VRMI_FULL_CHAIN_CORD, .side = side == 0 ? 1 : -1, .count = LINKS, .radius = 0.008f};
        vrmi_format(chain->name, sizeof(chain->name), "%s_%s", side == 0 ? "left" : "right", cord->name);
        int parent = vrmi_sample_bone(VRM_HUMAN_BONE_UPPER_CHEST);
        for (int k = 0; k < LINKS; ++k) {
            vrm_vec3 p = vrmi_vec3_lerp(cord->start, cord->end, (float)k / (float)(LINKS - 1));
            p.x = side == 0 ? p.x : -p.x;
            char name[32];
            vrmi_format(name, sizeof(name), "%s_%d", chain->name, k);
            parent = chain->nodes[k] = vrmi_sample_add_node(figure, name, parent, p, vrmi_quat_identity());
        }
    }
    for (int k = 0; k < LINKS; ++k) {
        vrmi_sample_pair_nodes(figure, chains[0]->nodes[k], chains[1]->nodes[k]);
    }
    const vrm_vec3 down = vrmi_vec3_normalize_or(vrmi_vec3_sub(cord->end, cord->start), vrmi_vec3(0.0f, -1.0f, 0.0f));
    const vrm_vec3 front = {0.0f, 0.0f, 1.0f};
    const vrm_vec3 across = vrmi_vec3_normalize_or(vrmi_vec3_cross(down, front), vrmi_vec3(-1.0f, 0.0f, 0.0f));
    const vrm_vec3 out = vrmi_vec3_cross(across, down);
    const int joints[LINKS] = {
        vrmi_sample_bone(VRM_HUMAN_BONE_UPPER_CHEST), chains[0]->nodes[0], chains[0]->nodes[1], chains[0]->nodes[2]};
    static const float starts[LINKS] = {-1.0f, 0.02f, 0.333f, 0.667f};
    vrmi_sample_grid_begin(figure, ROWS, COLUMNS, true);
    for (uint32_t r = 0; r < ROWS; ++r) {
        const float t = r == ROWS - 1 ? 1.0f : (float)r / (float)(ROWS - 2);
        const float end = r == ROWS - 1 ? 0.0f : 1.0f;
        const vrmi_sample_ring ring = {.center = vrmi_vec3_lerp(cord->start, cord->end, t),
            .axis_a = out,
            .axis_b = across,
            .radius_a = cord->thickness * end,
            .radius_b = vrmi_lerp(cord->width, cord->end_width, t) * end,
            .v = t,
            .u1 = 1.0f,
            .skin = vrmi_sample_along(joints, starts, LINKS, 0.15f, t)};
        vrmi_sample_grid_ring(figure, r, &ring);
    }
    vrmi_sample_grid_emit_pair(figure, VRMI_FULL_RIBBON, 0);
}
