// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "sample/minimal/minimal.h"
#include "sample/surface.h"

// Jacket, shorts, socks, boots and the ribbon. CLOTH and SHOES share one texture: torso from 0 to 0.4 of its height,
// sleeves 0.42 to 0.6, socks 0.62 to 0.8, collar 0.82 to 0.88, then swatches (texture.c).

static const vrm_vec3 axis_x = {1.0f, 0.0f, 0.0f};
static const vrm_vec3 axis_y = {0.0f, 1.0f, 0.0f};
static const vrm_vec3 axis_z = {0.0f, 0.0f, 1.0f};

#define SWATCH_SHORTS 0.905f
#define SWATCH_BOOT 0.945f
#define SWATCH_SOLE 0.985f

static vrmi_sample_influence trunk_skin(float y)
{
    const int joints[4] = {vrmi_sample_bone(VRM_HUMAN_BONE_HIPS), vrmi_sample_bone(VRM_HUMAN_BONE_SPINE),
        vrmi_sample_bone(VRM_HUMAN_BONE_CHEST), vrmi_sample_bone(VRM_HUMAN_BONE_UPPER_CHEST)};
    static const float starts[4] = {0.5f, 0.935f, 1.005f, 1.085f};
    return vrmi_sample_along(joints, starts, 4, 0.035f, y);
}

// Sets a row to a ring of the trunk. `shape` is half width, front, back. u = 0 is the middle of the front.
static void trunk_ring(vrmi_sample_figure *figure, uint32_t row, float y, const float shape[3], float v)
{
    const vrmi_sample_ring ring = {.center = {0.0f, y, 0.0f},
        .axis_a = axis_z,
        .axis_b = axis_x,
        .radius_a = 1.0f,
        .radius_b = shape[0],
        .v = v,
        .u1 = 1.0f,
        .skin = trunk_skin(y)};
    vrmi_sample_grid_ring(figure, row, &ring);
    for (uint32_t c = 0; c <= figure->grid.columns; ++c) {
        vrm_vec3 *p = &figure->grid.points[row][c].position;
        p->z *= p->z > 0.0f ? shape[1] : shape[2];
    }
}

static void add_jacket(vrmi_sample_figure *figure)
{
    // Columns, from the lining of the hem up: height, half width, front, back, texture row.
    static const float rows[][5] = {{0.928f, 0.098f, 0.080f, 0.082f, 0.400f}, {0.912f, 0.120f, 0.104f, 0.104f, 0.398f},
        {0.945f, 0.101f, 0.085f, 0.084f, 0.340f}, {0.978f, 0.083f, 0.062f, 0.060f, 0.290f},
        {1.010f, 0.082f, 0.062f, 0.058f, 0.240f}, {1.045f, 0.090f, 0.072f, 0.061f, 0.190f},
        {1.080f, 0.098f, 0.086f, 0.065f, 0.145f}, {1.110f, 0.103f, 0.086f, 0.068f, 0.105f},
        {1.140f, 0.104f, 0.070f, 0.068f, 0.070f}, {1.165f, 0.096f, 0.053f, 0.064f, 0.040f},
        {1.180f, 0.076f, 0.038f, 0.058f, 0.020f}, {1.187f, 0.046f, 0.020f, 0.050f, 0.0f}};
    vrmi_sample_grid_begin(figure, (uint32_t)VRMI_COUNT_OF(rows), 14, true);
    for (uint32_t r = 0; r < VRMI_COUNT_OF(rows); ++r) {
        trunk_ring(figure, r, rows[r][0], &rows[r][1], rows[r][4]);
    }
    vrmi_sample_grid_emit(figure, VRMI_MINIMAL_CLOTH, 0);
}

static void add_shorts(vrmi_sample_figure *figure)
{
    static const float rows[][4] = {{0.757f, 0.0f, 0.0f, 0.0f}, {0.765f, 0.085f, 0.045f, 0.050f},
        {0.800f, 0.118f, 0.066f, 0.076f}, {0.860f, 0.108f, 0.072f, 0.088f}, {0.940f, 0.086f, 0.064f, 0.066f}};
    vrmi_sample_grid_begin(figure, (uint32_t)VRMI_COUNT_OF(rows), 8, true);
    for (uint32_t r = 0; r < VRMI_COUNT_OF(rows); ++r) {
        trunk_ring(figure, r, rows[r][0], &rows[r][1], SWATCH_SHORTS);
    }
    vrmi_sample_grid_emit(figure, VRMI_MINIMAL_CLOTH, 0);
}

static void add_collar(vrmi_sample_figure *figure)
{
    static const float rows[][5] = {{1.176f, 0.102f, 0.084f, 0.084f, 0.88f}, {1.200f, 0.084f, 0.070f, 0.074f, 0.85f},
        {1.217f, 0.056f, 0.050f, 0.062f, 0.82f}, {1.190f, 0.040f, 0.028f, 0.046f, 0.83f}};
    const uint32_t columns = 10;
    vrmi_sample_grid_begin(figure, (uint32_t)VRMI_COUNT_OF(rows), columns, true);
    for (uint32_t r = 0; r < VRMI_COUNT_OF(rows); ++r) {
        trunk_ring(figure, r, rows[r][0], &rows[r][1], rows[r][4]);
        for (uint32_t c = 0; c <= columns; ++c) {
            // The collar is lower in front, so that the throat is visible.
            vrm_vec3 *p = &figure->grid.points[r][c].position;
            p->y -= r < 3 ? 0.030f * vrmi_sample_smooth(-0.02f, 0.04f, p->z) : 0.0f;
        }
    }
    vrmi_sample_grid_emit(figure, VRMI_MINIMAL_CLOTH, 0);
}

static void add_sleeve(vrmi_sample_figure *figure)
{
    // Columns: position along X, height, radius, texture row. The texture is stretched at the stripes.
    static const float rows[][4] = {{0.064f, 1.140f, 0.016f, 0.420f}, {0.080f, 1.139f, 0.034f, 0.422f},
        {0.108f, 1.145f, 0.0415f, 0.425f}, {0.145f, 1.152f, 0.0435f, 0.430f}, {0.195f, 1.158f, 0.0375f, 0.490f},
        {0.310f, 1.158f, 0.0325f, 0.500f}, {0.390f, 1.158f, 0.0355f, 0.505f}, {0.445f, 1.158f, 0.0400f, 0.510f},
        {0.498f, 1.158f, 0.0475f, 0.600f}, {0.478f, 1.158f, 0.0240f, 0.605f}};
    const int joints[6] = {vrmi_sample_bone(VRM_HUMAN_BONE_LEFT_SHOULDER), figure->helpers.shoulder_pad[0],
        vrmi_sample_bone(VRM_HUMAN_BONE_LEFT_UPPER_ARM), figure->helpers.upper_arm_twist[0],
        vrmi_sample_bone(VRM_HUMAN_BONE_LEFT_LOWER_ARM), figure->helpers.lower_arm_twist[0]};
    static const float starts[6] = {0.0f, 0.078f, 0.132f, 0.235f, 0.318f, 0.410f};
    vrmi_sample_grid_begin(figure, (uint32_t)VRMI_COUNT_OF(rows), 8, true);
    for (uint32_t r = 0; r < VRMI_COUNT_OF(rows); ++r) {
        const vrmi_sample_ring ring = {.center = {rows[r][0], rows[r][1], -0.012f},
            .axis_a = axis_y,
            .axis_b = axis_z,
            .radius_a = rows[r][2],
            .radius_b = rows[r][2],
            .v = rows[r][3],
            .u1 = 1.0f,
            .skin = vrmi_sample_along(joints, starts, 6, 0.03f, rows[r][0])};
        vrmi_sample_grid_ring(figure, r, &ring);
    }
    vrmi_sample_grid_emit_pair(figure, VRMI_MINIMAL_CLOTH, 0);
}

static void add_sock(vrmi_sample_figure *figure)
{
    // Columns: height, X and Z of the middle, radius, texture row.
    static const float rows[][5] = {{0.556f, 0.0610f, 0.006f, 0.0450f, 0.620f},
        {0.560f, 0.0610f, 0.006f, 0.0512f, 0.622f}, {0.500f, 0.0605f, 0.007f, 0.0435f, 0.720f},
        {0.450f, 0.0600f, 0.006f, 0.0400f, 0.735f}, {0.395f, 0.0592f, 0.000f, 0.0400f, 0.745f},
        {0.320f, 0.0580f, -0.009f, 0.0415f, 0.760f}, {0.150f, 0.0565f, -0.013f, 0.0280f, 0.790f}};
    const int joints[4] = {vrmi_sample_bone(VRM_HUMAN_BONE_LEFT_UPPER_LEG), figure->helpers.knee[0],
        vrmi_sample_bone(VRM_HUMAN_BONE_LEFT_LOWER_LEG), vrmi_sample_bone(VRM_HUMAN_BONE_LEFT_FOOT)};
    static const float starts[4] = {-1.0f, -0.480f, -0.425f, -0.085f};
    vrmi_sample_grid_begin(figure, (uint32_t)VRMI_COUNT_OF(rows), 8, true);
    for (uint32_t r = 0; r < VRMI_COUNT_OF(rows); ++r) {
        const vrmi_sample_ring ring = {.center = {rows[r][1], rows[r][0], rows[r][2]},
            .axis_a = axis_z,
            .axis_b = {-1.0f, 0.0f, 0.0f},
            .radius_a = rows[r][3],
            .radius_b = rows[r][3] * 0.97f,
            .v = rows[r][4],
            .u1 = 1.0f,
            .skin = vrmi_sample_along(joints, starts, 4, 0.03f, -rows[r][0])};
        vrmi_sample_grid_ring(figure, r, &ring);
    }
    vrmi_sample_grid_emit_pair(figure, VRMI_MINIMAL_CLOTH, 0);
}

// Columns, from heel to toe: depth, half width, height of the top. The lower half is a flat sole on the ground.
static void add_shoe(vrmi_sample_figure *figure)
{
    static const float rows[][3] = {{-0.060f, 0.0f, 0.030f}, {-0.055f, 0.0200f, 0.060f}, {-0.030f, 0.0310f, 0.100f},
        {0.010f, 0.0340f, 0.088f}, {0.050f, 0.0375f, 0.060f}, {0.085f, 0.0370f, 0.050f}, {0.112f, 0.0270f, 0.040f},
        {0.122f, 0.0f, 0.026f}};
    const int foot = vrmi_sample_bone(VRM_HUMAN_BONE_LEFT_FOOT), toes = vrmi_sample_bone(VRM_HUMAN_BONE_LEFT_TOES);
    vrmi_sample_grid_begin(figure, (uint32_t)VRMI_COUNT_OF(rows), 8, true);
    for (uint32_t r = 0; r < VRMI_COUNT_OF(rows); ++r) {
        const float z = rows[r][0], width = rows[r][1], top = rows[r][2];
        const bool pole = width == 0.0f;
        for (uint32_t c = 0; c <= 8; ++c) {
            float sine, cosine;
            vrmi_sincos((float)(c % 8) * 0.25f * VRMI_PI, &sine, &cosine);
            vrmi_sample_vertex *p = &figure->grid.points[r][c];
            const float sole = 0.016f;
            const bool below = sine < -0.5f;
            const float x = below ? width * (cosine > 0.5f ? 0.96f : (cosine < -0.5f ? -0.96f : 0.0f)) : width * cosine;
            const float y = below ? 0.0f : sole + (top - sole) * vrmi_max(sine, 0.0f);
            p->position = vrmi_vec3(0.056f + x, pole ? 0.5f * top : y, z);
            p->u = 0.5f;
            p->v = below && !pole ? SWATCH_SOLE
                                  : (sine > 0.5f ? SWATCH_BOOT : 0.9620f); // the border is just above the ground
            p->skin =
                vrmi_sample_mix(vrmi_sample_one(foot), vrmi_sample_one(toes), vrmi_sample_smooth(0.045f, 0.08f, z));
        }
    }
    vrmi_sample_grid_emit_pair(figure, VRMI_MINIMAL_SHOES, 0);
}

static void add_boot_shaft(vrmi_sample_figure *figure)
{
    static const float rows[][3] = {{0.055f, 0.0310f, 0.950f}, {0.168f, 0.0375f, 0.940f}, {0.160f, 0.0280f, 0.940f}};
    const int joints[2] = {vrmi_sample_bone(VRM_HUMAN_BONE_LEFT_FOOT), vrmi_sample_bone(VRM_HUMAN_BONE_LEFT_LOWER_LEG)};
    static const float starts[2] = {0.0f, 0.095f};
    vrmi_sample_grid_begin(figure, (uint32_t)VRMI_COUNT_OF(rows), 8, true);
    for (uint32_t r = 0; r < VRMI_COUNT_OF(rows); ++r) {
        const vrmi_sample_ring ring = {.center = {0.0565f, rows[r][0], -0.013f},
            .axis_a = axis_z,
            .axis_b = axis_x,
            .radius_a = rows[r][1],
            .radius_b = rows[r][1] * 0.95f,
            .v = rows[r][2],
            .u0 = 0.5f,
            .u1 = 0.5f,
            .skin = vrmi_sample_along(joints, starts, 2, 0.03f, rows[r][0])};
        vrmi_sample_grid_ring(figure, r, &ring);
    }
    vrmi_sample_grid_emit_pair(figure, VRMI_MINIMAL_SHOES, 0);
}

// --- ribbon --------------------------------------------------------------------------------------------------------

// A row of a tapering body: middle, half height, half depth.
typedef struct ribbon_row {
    vrm_vec3 center;
    float height, depth;
} ribbon_row;

static void add_ribbon_piece(vrmi_sample_figure *figure, const ribbon_row *rows, uint32_t count, uint32_t columns,
    vrm_vec3 up, float v0, float v1)
{
    const vrm_vec3 along = vrmi_vec3_normalize_or(vrmi_vec3_sub(rows[count - 1].center, rows[0].center), axis_x);
    const vrm_vec3 side = vrmi_vec3_normalize_or(vrmi_vec3_cross(along, up), axis_z);
    vrmi_sample_grid_begin(figure, count, columns, true);
    for (uint32_t r = 0; r < count; ++r) {
        const vrmi_sample_ring ring = {.center = rows[r].center,
            .axis_a = up,
            .axis_b = side,
            .radius_a = rows[r].height,
            .radius_b = rows[r].depth,
            .v = vrmi_lerp(v0, v1, (float)r / (float)(count - 1)),
            .u1 = 1.0f,
            .skin = vrmi_sample_one(vrmi_sample_bone(VRM_HUMAN_BONE_UPPER_CHEST))};
        vrmi_sample_grid_ring(figure, r, &ring);
    }
}

static void add_ribbon(vrmi_sample_figure *figure)
{
    static const ribbon_row knot[] = {{{-0.011f, 1.152f, 0.084f}, 0.0f, 0.0f},
        {{-0.009f, 1.152f, 0.084f}, 0.0105f, 0.0075f}, {{0.0f, 1.152f, 0.086f}, 0.0125f, 0.0095f},
        {{0.009f, 1.152f, 0.084f}, 0.0105f, 0.0075f}, {{0.011f, 1.152f, 0.084f}, 0.0f, 0.0f}};
    add_ribbon_piece(figure, knot, 5, 6, axis_y, 0.02f, 0.2f);
    vrmi_sample_grid_emit(figure, VRMI_MINIMAL_RIBBON, 0);
    static const ribbon_row loop[] = {{{0.004f, 1.152f, 0.080f}, 0.0070f, 0.0060f},
        {{0.022f, 1.156f, 0.083f}, 0.0155f, 0.0095f}, {{0.045f, 1.160f, 0.077f}, 0.0245f, 0.0105f},
        {{0.059f, 1.161f, 0.069f}, 0.0225f, 0.0075f}, {{0.064f, 1.161f, 0.066f}, 0.0f, 0.0f}};
    add_ribbon_piece(figure, loop, 5, 6, axis_y, 0.25f, 1.0f);
    vrmi_sample_grid_emit_pair(figure, VRMI_MINIMAL_RIBBON, 0);
    static const ribbon_row tail[] = {{{0.003f, 1.150f, 0.081f}, 0.0050f, 0.0030f},
        {{0.014f, 1.120f, 0.094f}, 0.0115f, 0.0030f}, {{0.024f, 1.088f, 0.0965f}, 0.0155f, 0.0030f},
        {{0.032f, 1.068f, 0.092f}, 0.0020f, 0.0012f}};
    const vrm_vec3 across = vrmi_vec3_normalize_or(vrmi_vec3(0.94f, 0.34f, 0.0f), axis_x);
    add_ribbon_piece(figure, tail, 4, 4, across, 0.2f, 1.0f);
    vrmi_sample_grid_emit_pair(figure, VRMI_MINIMAL_RIBBON, 0);
}

// Adds the pin: a star in its node's own space, with its back against the hair. The node is not a joint, so the mesh is
// rigid.
static void add_pin(vrmi_sample_figure *figure)
{
    vrmi_sample_grid_begin(figure, 3, 10, true);
    for (uint32_t r = 0; r < 3; ++r) {
        for (uint32_t c = 0; c <= 10; ++c) {
            float sine, cosine;
            vrmi_sincos((float)(c % 10) * 0.2f * VRMI_PI, &sine, &cosine);
            static const float sizes[3] = {0.9f, 1.0f, 0.0f}, depths[3] = {-0.005f, 0.001f, 0.0075f};
            const float radius = (c % 2 == 0 ? 0.0230f : 0.0118f) * sizes[r];
            vrmi_sample_vertex *p = &figure->grid.points[r][c];
            p->position = vrmi_vec3(sine * radius, cosine * radius, depths[r]);
            p->u = 0.5f + 0.5f * sine * sizes[r];
            p->v = 0.5f - 0.5f * cosine * sizes[r];
        }
    }
    // Flipped, because rows come forward while columns go clockwise as seen from the front.
    vrmi_sample_grid_emit(figure, VRMI_MINIMAL_PIN, VRMI_SAMPLE_EMIT_FLIPPED);
}

void vrmi_minimal_add_clothes(vrmi_sample_figure *figure)
{
    add_jacket(figure);
    add_shorts(figure);
    add_collar(figure);
    add_sleeve(figure);
    add_sock(figure);
    add_shoe(figure);
    add_boot_shaft(figure);
    add_ribbon(figure);
    add_pin(figure);
}
