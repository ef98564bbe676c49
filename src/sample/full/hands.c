// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "sample/full/full.h"

// Palm and fingers. Fingers begin inside the palm, which closes the gaps between them.

static void add_palm(vrmi_sample_figure *figure)
{
    // Columns: position along X, height; radii up, down, front, back.
    static const float keys[][6] = {{0.500f, 1.2160f, 0.0165f, 0.0169f, 0.0210f, 0.0210f},
        {0.520f, 1.2160f, 0.0160f, 0.0166f, 0.0219f, 0.0218f}, {0.540f, 1.2158f, 0.0138f, 0.0165f, 0.0275f, 0.0262f},
        {0.560f, 1.2160f, 0.0124f, 0.0150f, 0.0310f, 0.0300f}, {0.578f, 1.2168f, 0.0108f, 0.0120f, 0.0330f, 0.0325f},
        {0.588f, 1.2170f, 0.0096f, 0.0098f, 0.0322f, 0.0325f}, {0.596f, 1.2170f, 0.0066f, 0.0068f, 0.0290f, 0.0300f},
        {0.599f, 1.2170f, 0.0f, 0.0f, 0.0f, 0.0f}};
    vrmi_sample_grid_begin(figure, (uint32_t)VRMI_COUNT_OF(keys), 16, true);
    for (uint32_t r = 0; r < VRMI_COUNT_OF(keys); ++r) {
        const float *k = keys[r];
        const vrmi_full_ring ring = {{k[0], k[1], -0.012f}, k[2], k[3], k[4], k[5], 0.35f};
        vrmi_full_ring_x(figure, r, &ring, 0.52f + 0.02f * (float)r, vrmi_full_arm_skin(figure, k[0]));
    }
    vrmi_sample_grid_emit_pair(figure, VRMI_FULL_BODY_SKIN, 0);
}

typedef struct finger {
    vrm_human_bone first;
    float radius, end, root; // end: length from the last joint to the tip; root: length inside the palm
} finger;

// Returns the weights along a finger. Its bones begin at the fractions starts[0..2] of its length.
static vrmi_sample_influence finger_skin(int first, const float starts[3], float t)
{
    const int joints[4] = {vrmi_sample_bone(VRM_HUMAN_BONE_LEFT_HAND), first, first + 1, first + 2};
    const float all[4] = {-1.0f, starts[0], starts[1], starts[2]};
    return vrmi_sample_along(joints, all, 4, 0.055f, t);
}

static void add_finger(vrmi_sample_figure *figure, const finger *f)
{
    // Columns: position along the finger, thickness, which is slightly larger at the joints.
    static const float shape[][2] = {{0.0f, 0.96f}, {0.15f, 1.02f}, {0.32f, 0.95f}, {0.50f, 0.98f}, {0.63f, 0.90f},
        {0.74f, 0.90f}, {0.85f, 0.83f}, {0.93f, 0.66f}, {0.98f, 0.36f}, {1.0f, 0.0f}};
    const int bone = vrmi_sample_bone(f->first);
    vrm_vec3 points[5];
    for (int i = 0; i < 3; ++i) {
        points[i + 1] = figure->nodes[bone + i].position;
    }
    const vrm_vec3 x = {1.0f, 0.0f, 0.0f}, y = {0.0f, 1.0f, 0.0f}, z = {0.0f, 0.0f, 1.0f};
    const vrm_vec3 direction = vrmi_vec3_normalize_or(vrmi_vec3_sub(points[3], points[2]), x);
    points[0] = vrmi_vec3_sub(points[1], vrmi_vec3_scale(direction, f->root));
    points[4] = vrmi_vec3_add(points[3], vrmi_vec3_scale(direction, f->end));
    float length[5] = {0.0f};
    for (int i = 1; i < 5; ++i) {
        length[i] = length[i - 1] + vrmi_vec3_length(vrmi_vec3_sub(points[i], points[i - 1]));
    }
    const float starts[3] = {length[1] / length[4], length[2] / length[4], length[3] / length[4]};
    const vrm_vec3 around = vrmi_vec3_normalize_or(vrmi_vec3_cross(direction, y), z);
    const vrm_vec3 up = vrmi_vec3_cross(around, direction);
    enum { COLUMNS = 8 };
    vrmi_sample_grid_begin(figure, (uint32_t)VRMI_COUNT_OF(shape), COLUMNS, true);
    for (uint32_t r = 0; r < VRMI_COUNT_OF(shape); ++r) {
        const float at = shape[r][0] * length[4];
        int i = 0;
        while (i < 3 && length[i + 1] < at) {
            ++i;
        }
        const vrm_vec3 center =
            vrmi_vec3_lerp(points[i], points[i + 1], (at - length[i]) / (length[i + 1] - length[i]));
        const float size = f->radius * shape[r][1];
        // The ring begins at the underside of the finger and goes over its upper side. The nail is on the upper side of
        // the last third.
        const vrmi_sample_ring ring = {.center = center,
            .axis_a = vrmi_vec3_scale(up, -1.0f),
            .axis_b = vrmi_vec3_scale(around, -1.0f),
            .radius_a = size * 0.93f,
            .radius_b = size,
            .v = 0.70f + 0.30f * shape[r][0],
            .u1 = 1.0f,
            .skin = finger_skin(bone, starts, shape[r][0])};
        vrmi_sample_grid_ring(figure, r, &ring);
    }
    vrmi_sample_grid_emit_pair(figure, VRMI_FULL_BODY_SKIN, 0);
}

void vrmi_full_add_hands(vrmi_sample_figure *figure)
{
    static const finger fingers[] = {
        {VRM_HUMAN_BONE_LEFT_THUMB_METACARPAL, 0.0096f, 0.0260f, 0.004f},
        {VRM_HUMAN_BONE_LEFT_INDEX_PROXIMAL, 0.0078f, 0.0220f, 0.016f},
        {VRM_HUMAN_BONE_LEFT_MIDDLE_PROXIMAL, 0.0081f, 0.0235f, 0.016f},
        {VRM_HUMAN_BONE_LEFT_RING_PROXIMAL, 0.0077f, 0.0220f, 0.016f},
        {VRM_HUMAN_BONE_LEFT_LITTLE_PROXIMAL, 0.0067f, 0.0190f, 0.014f},
    };
    add_palm(figure);
    for (size_t i = 0; i < VRMI_COUNT_OF(fingers); ++i) {
        add_finger(figure, &fingers[i]);
    }
}
