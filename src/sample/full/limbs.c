// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "sample/full/full.h"

// Shapes and skin weights of trunk, arms and legs, which the skin and the clothes share.

// Columns: height; X and Z of the middle; radii at the sides, in front, at the back.
static const float leg[][6] = {
    {0.060f, 0.0600f, -0.0120f, 0.0235f, 0.0260f, 0.0280f},
    {0.085f, 0.0600f, -0.0130f, 0.0230f, 0.0250f, 0.0270f},
    {0.120f, 0.0600f, -0.0130f, 0.0245f, 0.0250f, 0.0290f},
    {0.170f, 0.0602f, -0.0125f, 0.0290f, 0.0290f, 0.0340f},
    {0.230f, 0.0607f, -0.0110f, 0.0350f, 0.0330f, 0.0420f},
    {0.300f, 0.0615f, -0.0080f, 0.0400f, 0.0370f, 0.0490f},
    {0.345f, 0.0620f, -0.0055f, 0.0412f, 0.0380f, 0.0505f},
    {0.390f, 0.0625f, -0.0010f, 0.0400f, 0.0380f, 0.0460f},
    {0.430f, 0.0630f, 0.0040f, 0.0383f, 0.0380f, 0.0400f},
    {0.470f, 0.0635f, 0.0075f, 0.0392f, 0.0405f, 0.0375f},
    {0.505f, 0.0637f, 0.0080f, 0.0412f, 0.0410f, 0.0400f},
    {0.560f, 0.0645f, 0.0075f, 0.0462f, 0.0455f, 0.0465f},
    {0.640f, 0.0655f, 0.0060f, 0.0525f, 0.0525f, 0.0535f},
    {0.720f, 0.0670f, 0.0035f, 0.0580f, 0.0580f, 0.0600f},
    {0.800f, 0.0685f, 0.0010f, 0.0625f, 0.0615f, 0.0660f},
    {0.850f, 0.0695f, -0.0010f, 0.0650f, 0.0620f, 0.0700f},
    {0.900f, 0.0700f, -0.0030f, 0.0640f, 0.0600f, 0.0680f},
};

// Columns: position along X; height and Z of the middle; radii up, down, in front and at the back.
static const float arm[][6] = {
    {0.060f, 1.2060f, -0.0140f, 0.0240f, 0.0340f, 0.0330f},
    {0.090f, 1.2110f, -0.0140f, 0.0255f, 0.0430f, 0.0390f},
    {0.120f, 1.2150f, -0.0140f, 0.0280f, 0.0430f, 0.0395f},
    {0.150f, 1.2160f, -0.0140f, 0.0310f, 0.0370f, 0.0375f},
    {0.200f, 1.2160f, -0.0140f, 0.0292f, 0.0320f, 0.0330f},
    {0.260f, 1.2160f, -0.0140f, 0.0272f, 0.0290f, 0.0305f},
    {0.305f, 1.2160f, -0.0140f, 0.0260f, 0.0265f, 0.0285f},
    {0.325f, 1.2160f, -0.0140f, 0.0262f, 0.0262f, 0.0290f},
    {0.355f, 1.2160f, -0.0130f, 0.0272f, 0.0275f, 0.0295f},
    {0.395f, 1.2160f, -0.0122f, 0.0265f, 0.0270f, 0.0290f},
    {0.440f, 1.2160f, -0.0120f, 0.0232f, 0.0237f, 0.0258f},
    {0.490f, 1.2160f, -0.0120f, 0.0182f, 0.0186f, 0.0222f},
    {0.515f, 1.2160f, -0.0120f, 0.0164f, 0.0168f, 0.0215f},
};

// Columns: height, half width, front, back.
static const float trunk[][4] = {
    {0.780f, 0.1150f, 0.0640f, 0.0760f},
    {0.840f, 0.1330f, 0.0800f, 0.0940f},
    {0.885f, 0.1340f, 0.0880f, 0.0970f},
    {0.930f, 0.1210f, 0.0840f, 0.0850f},
    {0.985f, 0.0990f, 0.0740f, 0.0690f},
    {1.030f, 0.0975f, 0.0750f, 0.0670f},
    {1.070f, 0.1010f, 0.0780f, 0.0690f},
    {1.105f, 0.1040f, 0.0800f, 0.0730f},
    {1.140f, 0.1065f, 0.0770f, 0.0780f},
    {1.175f, 0.1085f, 0.0680f, 0.0800f},
    {1.205f, 0.1070f, 0.0560f, 0.0770f},
    {1.225f, 0.0980f, 0.0455f, 0.0690f},
    {1.239f, 0.0760f, 0.0355f, 0.0610f},
    {1.248f, 0.0550f, 0.0270f, 0.0540f},
    {1.254f, 0.0420f, 0.0210f, 0.0480f},
};

#define AT(table, columns, column, x) vrmi_sample_curve(&(table)[0][0], (int)VRMI_COUNT_OF(table), columns, column, x)

vrmi_full_ring vrmi_full_leg(float y, float more)
{
    const float side = AT(leg, 6, 3, y) + more;
    return (vrmi_full_ring){.center = {AT(leg, 6, 1, y), y, AT(leg, 6, 2, y)},
        .left = side,
        .right = side,
        .front = AT(leg, 6, 4, y) + more,
        .back = AT(leg, 6, 5, y) + more};
}

vrmi_full_ring vrmi_full_arm(float x, float more)
{
    const float deep = AT(arm, 6, 5, x) + more;
    return (vrmi_full_ring){.center = {x, AT(arm, 6, 1, x), AT(arm, 6, 2, x)},
        .left = AT(arm, 6, 3, x) + more,
        .right = AT(arm, 6, 4, x) + more,
        .front = deep,
        .back = deep};
}

vrmi_full_ring vrmi_full_trunk(float y, float more)
{
    const float side = AT(trunk, 4, 1, y) + more;
    return (vrmi_full_ring){.center = {0.0f, y, 0.0f},
        .left = side,
        .right = side,
        .front = AT(trunk, 4, 2, y) + more,
        .back = AT(trunk, 4, 3, y) + more,
        .square = 0.25f};
}

// Computes cosine and sine of a turn, pushed towards the corners of a square.
static void section(float turn, float square, float *out_cosine, float *out_sine)
{
    vrmi_sincos(turn * 2.0f * VRMI_PI, out_sine, out_cosine);
    const float corner = 1.0f + square * 0.9f * *out_cosine * *out_cosine * *out_sine * *out_sine;
    *out_cosine *= corner;
    *out_sine *= corner;
}

vrmi_sample_vertex vrmi_full_ring_point(const vrmi_full_ring *ring, float turn, float v, vrmi_sample_influence skin)
{
    float cosine, sine;
    section(turn, ring->square, &cosine, &sine);
    const float x = -sine * (sine > 0.0f ? ring->right : ring->left);
    const float z = -cosine * (cosine > 0.0f ? ring->back : ring->front);
    return (vrmi_sample_vertex){
        .position = vrmi_vec3_add(ring->center, vrmi_vec3(x, 0.0f, z)), .u = turn, .v = v, .skin = skin};
}

void vrmi_full_ring_y(
    vrmi_sample_figure *figure, uint32_t row, const vrmi_full_ring *ring, float v, vrmi_sample_influence skin)
{
    vrmi_sample_grid *grid = &figure->grid;
    for (uint32_t c = 0; c <= grid->columns; ++c) {
        const float turn = c == grid->columns ? 0.0f : (float)c / (float)grid->columns;
        grid->points[row][c] = vrmi_full_ring_point(ring, turn, v, skin);
        grid->points[row][c].u = (float)c / (float)grid->columns; // the last column has u = 1, not 0
    }
}

void vrmi_full_ring_x(
    vrmi_sample_figure *figure, uint32_t row, const vrmi_full_ring *ring, float v, vrmi_sample_influence skin)
{
    vrmi_sample_grid *grid = &figure->grid;
    for (uint32_t c = 0; c <= grid->columns; ++c) {
        float cosine, sine;
        section(c == grid->columns ? 0.0f : (float)c / (float)grid->columns, ring->square, &cosine, &sine);
        const float y = -cosine * (cosine > 0.0f ? ring->right : ring->left);
        const float z = -sine * (sine > 0.0f ? ring->back : ring->front);
        grid->points[row][c] = (vrmi_sample_vertex){.position = vrmi_vec3_add(ring->center, vrmi_vec3(0.0f, y, z)),
            .u = 0.25f * (float)c / (float)grid->columns, // the texture is as fine around the arm as along it
            .v = v,
            .skin = skin};
    }
}

vrmi_sample_influence vrmi_full_leg_skin(const vrmi_sample_figure *figure, float y)
{
    const int joints[6] = {vrmi_sample_bone(VRM_HUMAN_BONE_HIPS), figure->helpers.hip[0],
        vrmi_sample_bone(VRM_HUMAN_BONE_LEFT_UPPER_LEG), figure->helpers.knee[0],
        vrmi_sample_bone(VRM_HUMAN_BONE_LEFT_LOWER_LEG), vrmi_sample_bone(VRM_HUMAN_BONE_LEFT_FOOT)};
    static const float starts[6] = {-2.0f, -0.905f, -0.835f, -0.500f, -0.440f, -0.095f};
    return vrmi_sample_along(joints, starts, 6, 0.030f, -y);
}

vrmi_sample_influence vrmi_full_arm_skin(const vrmi_sample_figure *figure, float x)
{
    const vrmi_sample_helpers *h = &figure->helpers;
    const int joints[8] = {vrmi_sample_bone(VRM_HUMAN_BONE_LEFT_SHOULDER), h->shoulder_pad[0],
        vrmi_sample_bone(VRM_HUMAN_BONE_LEFT_UPPER_ARM), h->upper_arm_twist[0], h->elbow[0],
        vrmi_sample_bone(VRM_HUMAN_BONE_LEFT_LOWER_ARM), h->lower_arm_twist[0],
        vrmi_sample_bone(VRM_HUMAN_BONE_LEFT_HAND)};
    static const float starts[8] = {0.0f, 0.085f, 0.132f, 0.215f, 0.300f, 0.345f, 0.425f, 0.510f};
    return vrmi_sample_along(joints, starts, 8, 0.022f, x);
}

vrmi_sample_influence vrmi_full_trunk_skin(float y)
{
    const int joints[5] = {vrmi_sample_bone(VRM_HUMAN_BONE_HIPS), vrmi_sample_bone(VRM_HUMAN_BONE_SPINE),
        vrmi_sample_bone(VRM_HUMAN_BONE_CHEST), vrmi_sample_bone(VRM_HUMAN_BONE_UPPER_CHEST),
        vrmi_sample_bone(VRM_HUMAN_BONE_NECK)};
    static const float starts[5] = {0.0f, 0.965f, 1.045f, 1.130f, 1.262f};
    return vrmi_sample_along(joints, starts, 5, 0.035f, y);
}
