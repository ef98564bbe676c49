// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "sample/minimal/minimal.h"
#include "sample/surface.h"

// The visible skin: neck, hands and thighs.

static const vrm_vec3 axis_x = {1.0f, 0.0f, 0.0f};
static const vrm_vec3 axis_y = {0.0f, 1.0f, 0.0f};
static const vrm_vec3 axis_z = {0.0f, 0.0f, 1.0f};

static void add_neck(vrmi_sample_figure *figure)
{
    // Columns: height, radius, depth of the axis, texture row. The top is in the shadow of the chin.
    static const float rows[][4] = {{1.165f, 0.048f, -0.016f, 0.30f}, {1.195f, 0.0365f, -0.018f, 0.24f},
        {1.225f, 0.0335f, -0.016f, 0.16f}, {1.250f, 0.033f, -0.013f, 0.05f}, {1.280f, 0.036f, -0.010f, 0.0f}};
    const int joints[3] = {vrmi_sample_bone(VRM_HUMAN_BONE_UPPER_CHEST), vrmi_sample_bone(VRM_HUMAN_BONE_NECK),
        vrmi_sample_bone(VRM_HUMAN_BONE_HEAD)};
    static const float starts[3] = {1.0f, 1.192f, 1.255f};
    vrmi_sample_grid_begin(figure, (uint32_t)VRMI_COUNT_OF(rows), 8, true);
    for (uint32_t r = 0; r < VRMI_COUNT_OF(rows); ++r) {
        const vrmi_sample_ring ring = {.center = {0.0f, rows[r][0], rows[r][2]},
            .axis_a = axis_z,
            .axis_b = axis_x,
            .radius_a = rows[r][1],
            .radius_b = rows[r][1],
            .v = rows[r][3],
            .u1 = 1.0f,
            .skin = vrmi_sample_along(joints, starts, 3, 0.025f, rows[r][0])};
        vrmi_sample_grid_ring(figure, r, &ring);
    }
    vrmi_sample_grid_emit(figure, VRMI_MINIMAL_BODY_SKIN, 0);
}

static void add_palm(vrmi_sample_figure *figure)
{
    // Columns: X, height, half thickness, half width, Z.
    static const float rows[][5] = {{0.478f, 1.158f, 0.0150f, 0.0175f, -0.010f},
        {0.512f, 1.158f, 0.0135f, 0.0190f, -0.009f}, {0.545f, 1.158f, 0.0128f, 0.0285f, -0.010f},
        {0.576f, 1.158f, 0.0095f, 0.0285f, -0.011f}, {0.581f, 1.158f, 0.0f, 0.0f, -0.011f}};
    const int joints[3] = {vrmi_sample_bone(VRM_HUMAN_BONE_LEFT_LOWER_ARM), figure->helpers.lower_arm_twist[0],
        vrmi_sample_bone(VRM_HUMAN_BONE_LEFT_HAND)};
    static const float starts[3] = {0.3f, 0.42f, 0.505f};
    vrmi_sample_grid_begin(figure, (uint32_t)VRMI_COUNT_OF(rows), 6, true);
    for (uint32_t r = 0; r < VRMI_COUNT_OF(rows); ++r) {
        const vrmi_sample_ring ring = {.center = {rows[r][0], rows[r][1], rows[r][4]},
            .axis_a = axis_y,
            .axis_b = axis_z,
            .radius_a = rows[r][2],
            .radius_b = rows[r][3],
            .v = 0.5f + 0.08f * (float)r,
            .u1 = 1.0f,
            .skin = vrmi_sample_along(joints, starts, 3, 0.015f, rows[r][0])};
        vrmi_sample_grid_ring(figure, r, &ring);
    }
    vrmi_sample_grid_emit_pair(figure, VRMI_MINIMAL_BODY_SKIN, 0);
}

// Adds a finger with three bones from `first` on. Its tip is `end` metres beyond the last bone.
static void add_finger(vrmi_sample_figure *figure, int first, float radius, float end)
{
    const int bones[3] = {first, first + 1, first + 2};
    vrm_vec3 points[4];
    for (int i = 0; i < 3; ++i) {
        points[i] = figure->nodes[bones[i]].position;
    }
    const vrm_vec3 direction = vrmi_vec3_normalize_or(vrmi_vec3_sub(points[2], points[1]), axis_x);
    points[3] = vrmi_vec3_add(points[2], vrmi_vec3_scale(direction, end));
    points[0] = vrmi_vec3_add(points[0], vrmi_vec3_scale(direction, -0.010f));
    points[2] = vrmi_vec3_lerp(points[2], points[3], 0.45f);
    const vrm_vec3 across = vrmi_vec3_normalize_or(vrmi_vec3_cross(direction, axis_y), axis_z);
    const vrm_vec3 up = vrmi_vec3_cross(across, direction);
    vrmi_sample_grid_begin(figure, 4, 4, true);
    for (uint32_t r = 0; r < 4; ++r) {
        const float size = r == 3 ? 0.0f : radius * (1.0f - 0.09f * (float)r);
        const int below = r == 0 ? vrmi_sample_bone(VRM_HUMAN_BONE_LEFT_HAND) : bones[r - 1];
        const int here = bones[r < 2 ? r : 2];
        const vrmi_sample_ring ring = {.center = points[r],
            .axis_a = up,
            .axis_b = across,
            .radius_a = size,
            .radius_b = size * 1.05f,
            .v = 0.75f + 0.08f * (float)r,
            .u1 = 1.0f,
            .skin = vrmi_sample_mix(vrmi_sample_one(below), vrmi_sample_one(here), r < 2 ? 0.5f : 1.0f)};
        vrmi_sample_grid_ring(figure, r, &ring);
    }
    vrmi_sample_grid_emit_pair(figure, VRMI_MINIMAL_BODY_SKIN, 0);
}

static void add_hand(vrmi_sample_figure *figure)
{
    add_palm(figure);
    add_finger(figure, vrmi_sample_bone(VRM_HUMAN_BONE_LEFT_THUMB_METACARPAL), 0.0098f, 0.024f);
    add_finger(figure, vrmi_sample_bone(VRM_HUMAN_BONE_LEFT_INDEX_PROXIMAL), 0.0080f, 0.019f);
    add_finger(figure, vrmi_sample_bone(VRM_HUMAN_BONE_LEFT_MIDDLE_PROXIMAL), 0.0082f, 0.021f);
    add_finger(figure, vrmi_sample_bone(VRM_HUMAN_BONE_LEFT_RING_PROXIMAL), 0.0078f, 0.019f);
    add_finger(figure, vrmi_sample_bone(VRM_HUMAN_BONE_LEFT_LITTLE_PROXIMAL), 0.0068f, 0.016f);
}

static void add_thigh(vrmi_sample_figure *figure)
{
    // Columns: height, X and Z of the middle, radius.
    static const float rows[][4] = {{0.820f, 0.0655f, -0.002f, 0.0620f}, {0.740f, 0.0645f, 0.002f, 0.0600f},
        {0.640f, 0.0625f, 0.005f, 0.0530f}, {0.560f, 0.0610f, 0.006f, 0.0475f}, {0.530f, 0.0608f, 0.006f, 0.0405f}};
    const int joints[2] = {vrmi_sample_bone(VRM_HUMAN_BONE_HIPS), vrmi_sample_bone(VRM_HUMAN_BONE_LEFT_UPPER_LEG)};
    static const float starts[2] = {-1.0f, -0.81f};
    vrmi_sample_grid_begin(figure, (uint32_t)VRMI_COUNT_OF(rows), 8, true);
    for (uint32_t r = 0; r < VRMI_COUNT_OF(rows); ++r) {
        const vrmi_sample_ring ring = {.center = {rows[r][1], rows[r][0], rows[r][2]},
            .axis_a = axis_z,
            .axis_b = {-1.0f, 0.0f, 0.0f},
            .radius_a = rows[r][3],
            .radius_b = rows[r][3] * 0.97f,
            .v = 0.40f + 0.02f * (float)r,
            .u1 = 1.0f,
            .skin = vrmi_sample_along(joints, starts, 2, 0.05f, -rows[r][0])};
        vrmi_sample_grid_ring(figure, r, &ring);
    }
    vrmi_sample_grid_emit_pair(figure, VRMI_MINIMAL_BODY_SKIN, 0);
}

void vrmi_minimal_add_body(vrmi_sample_figure *figure)
{
    add_neck(figure);
    add_hand(figure);
    add_thigh(figure);
}
