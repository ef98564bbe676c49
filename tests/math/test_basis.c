// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Axes and units of hosts, compared with the results of each host's own importer, and properties of every basis.

#include <vrm/basis.h>

#include "math/mat34.h"
#include "test.h"
#include "test_random.h"

#include <math.h>
#include <string.h>

// Results of the hosts' importers: UniVRM's Axes.X (ReverseX of Vector3 and Quaternion), FVector::ForwardVector,
// RightVector and UpVector in centimetres, Godot's Vector3.MODEL_FRONT, Blender's io_import_gltf2 (convert_loc and
// convert_rotation with "Y up").
static const struct {
    vrm_basis_preset preset;
    const char *name;
    float position[3]; // result for the position (1, 2, 3): one metre to the left, two up, three ahead
    float rotation[4]; // result for the quaternion (0.1, 0.2, 0.3, w)
    float scale[3];    // result for the scale (2, 3, 4)
} hosts[] = {
    {VRM_BASIS_VRM, "vrm", {1, 2, 3}, {0.1f, 0.2f, 0.3f}, {2, 3, 4}},
    {VRM_BASIS_UNITY, "unity", {-1, 2, 3}, {0.1f, -0.2f, -0.3f}, {2, 3, 4}},
    {VRM_BASIS_UNREAL, "unreal", {300, -100, 200}, {-0.3f, 0.1f, -0.2f}, {4, 2, 3}},
    {VRM_BASIS_GODOT, "godot", {1, 2, 3}, {0.1f, 0.2f, 0.3f}, {2, 3, 4}},
    {VRM_BASIS_BLENDER, "blender", {1, -3, 2}, {0.1f, -0.3f, 0.2f}, {2, 4, 3}},
};

static void hosts_by_name(void)
{
    const float w = sqrtf(1.0f - 0.14f);
    CHECK_INT(sizeof hosts / sizeof *hosts, VRM_BASIS_PRESET_COUNT);
    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; ++i) {
        vrm_basis basis;
        CHECK_INT(vrm_basis_get_preset(hosts[i].preset, &basis), VRM_SUCCESS);
        CHECK_STRING(vrm_basis_preset_name(hosts[i].preset), hosts[i].name);
        vrm_transform t = {{1, 2, 3}, {0.1f, 0.2f, 0.3f, w}, {2, 3, 4}};
        vrm_dvec3 place = {1, 2, 3};
        vrm_vec3 direction = {1, 2, 3};
        CHECK_INT(vrm_basis_to_host(&basis, VRM_BASIS_TRANSFORM, &t, 0, 1), VRM_SUCCESS);
        CHECK_INT(vrm_basis_to_host(&basis, VRM_BASIS_DOUBLE_POSITION, &place, 0, 1), VRM_SUCCESS);
        CHECK_INT(vrm_basis_to_host(&basis, VRM_BASIS_DIRECTION, &direction, 0, 1), VRM_SUCCESS);
        const float *p = hosts[i].position, *q = hosts[i].rotation, *s = hosts[i].scale;
        const double got[] = {(double)t.translation.x - (double)p[0], (double)t.translation.y - (double)p[1],
            (double)t.translation.z - (double)p[2], (double)t.rotation.x - (double)q[0],
            (double)t.rotation.y - (double)q[1], (double)t.rotation.z - (double)q[2], (double)t.rotation.w - (double)w,
            (double)t.scale.x - (double)s[0], (double)t.scale.y - (double)s[1], (double)t.scale.z - (double)s[2],
            place.x - (double)p[0], place.y - (double)p[1], place.z - (double)p[2]};
        for (size_t k = 0; k < sizeof got / sizeof *got; ++k) {
            CHECK_NEAR(got[k], 0, 3e-5);
        }
        const double unit = (double)basis.unit;
        CHECK_NEAR(direction.x, (double)p[0] * unit, 1e-6);
        CHECK_NEAR(direction.y, (double)p[1] * unit, 1e-6);
        CHECK_NEAR(direction.z, (double)p[2] * unit, 1e-6);
    }
}

// A forearm that points to the avatar's left and bends forward by 90 degrees points forward in every host.
static void left_hands_turn_the_other_way(void)
{
    const float half = sqrtf(0.5f);
    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; ++i) {
        vrm_basis basis;
        CHECK_INT(vrm_basis_get_preset(hosts[i].preset, &basis), VRM_SUCCESS);
        vrm_quat bend = {0, -half, 0, half}; // about the vertical: +X goes to +Z
        vrm_vec3 lines[2] = {{1, 0, 0}, {0, 0, 1}}, spin = {0, -1, 0};
        CHECK_INT(vrm_basis_to_host(&basis, VRM_BASIS_ROTATION, &bend, 0, 1), VRM_SUCCESS);
        CHECK_INT(vrm_basis_to_host(&basis, VRM_BASIS_DIRECTION, lines, 0, 2), VRM_SUCCESS);
        CHECK_INT(vrm_basis_to_host(&basis, VRM_BASIS_AXIAL, &spin, 0, 1), VRM_SUCCESS);
        // The arithmetic that rotates a vector by a quaternion is the same for both handednesses.
        const vrm_vec3 ahead = vrmi_quat_rotate(bend, lines[0]);
        CHECK_NEAR(vrmi_vec3_length(vrmi_vec3_sub(ahead, lines[1])), 0, 1e-6);
        CHECK_NEAR(vrmi_vec3_dot(spin, vrmi_vec3(bend.x, bend.y, bend.z)), (double)half, 1e-6);
    }
}

static bool is_basis(uint32_t up, uint32_t forward)
{
    return up % 3 != forward % 3;
}

static vrm_quat any_rotation(test_random *random)
{
    const vrm_quat q = {test_random_float(random, -1, 1), test_random_float(random, -1, 1),
        test_random_float(random, -1, 1), test_random_float(random, 0.1f, 1)};
    const float inverse = 1.0f / sqrtf(vrmi_quat_dot(q, q));
    return (vrm_quat){q.x * inverse, q.y * inverse, q.z * inverse, q.w * inverse};
}

// All 48 bases, with and without a unit. Values convert to the host and back, and converted matrices transform points
// as before.
static void every_basis(void)
{
    test_random random = test_random_make(11);
    uint32_t found = 0;
    for (uint32_t up = 0; up < 6; ++up) {
        for (uint32_t forward = 0; forward < 6; ++forward) {
            for (uint32_t hand = 0; hand < 2; ++hand) {
                const vrm_basis basis = {(vrm_handedness)hand, (vrm_axis)up, (vrm_axis)forward, 0.25f};
                vrm_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
                const vrm_result result = vrm_basis_to_host(&basis, VRM_BASIS_DIRECTION, axes, 0, 3);
                CHECK_INT(result, is_basis(up, forward) ? VRM_SUCCESS : VRM_ERROR_INVALID_ARGUMENT);
                if (result != VRM_SUCCESS) {
                    CHECK(axes[0].x == 1.0f && axes[1].y == 1.0f && axes[2].z == 1.0f);
                    continue;
                }
                ++found;
                const float *upwards = &axes[1].x, *ahead = &axes[2].x;
                CHECK(upwards[up % 3] == (up < 3 ? 1.0f : -1.0f) && ahead[forward % 3] == (forward < 3 ? 1.0f : -1.0f));
                CHECK_NEAR(vrmi_vec3_dot(axes[0], vrmi_vec3_cross(axes[1], axes[2])), hand == 0 ? 1 : -1, 0);
                const vrm_transform t = {{test_random_float(&random, -2, 2), test_random_float(&random, -2, 2), 1},
                    any_rotation(&random), {1.5f, 0.5f, 2}};
                vrm_transform there = t;
                vrm_vec3 point = {test_random_float(&random, -1, 1), 0.3f, test_random_float(&random, -1, 1)};
                vrm_mat34 matrix, made;
                vrmi_mat34_from_transform(&t, &matrix);
                vrm_vec3 moved = vrmi_mat34_point(&matrix, point);
                CHECK_INT(vrm_basis_to_host(&basis, VRM_BASIS_TRANSFORM, &there, 0, 1), VRM_SUCCESS);
                CHECK_INT(vrm_basis_to_host(&basis, VRM_BASIS_MATRIX_3X4, &matrix, 0, 1), VRM_SUCCESS);
                CHECK_INT(vrm_basis_to_host(&basis, VRM_BASIS_POSITION, &point, 0, 1), VRM_SUCCESS);
                CHECK_INT(vrm_basis_to_host(&basis, VRM_BASIS_POSITION, &moved, 0, 1), VRM_SUCCESS);
                vrmi_mat34_from_transform(&there, &made);
                for (int k = 0; k < 12; ++k) {
                    CHECK_NEAR(made.m[k / 4][k % 4], matrix.m[k / 4][k % 4], 1e-5);
                }
                CHECK_NEAR(vrmi_vec3_length(vrmi_vec3_sub(vrmi_mat34_point(&matrix, point), moved)), 0, 1e-4);
                CHECK_INT(vrm_basis_from_host(&basis, VRM_BASIS_TRANSFORM, &there, 0, 1), VRM_SUCCESS);
                CHECK(memcmp(&there, &t, sizeof t) == 0); // a unit of 0.25 is exact
            }
        }
    }
    CHECK_INT(found, 48);
}

static void strides_and_wrong_calls(void)
{
    vrm_basis unity;
    CHECK_INT(vrm_basis_get_preset(VRM_BASIS_UNITY, &unity), VRM_SUCCESS);
    float rows[2][5] = {{1, 2, 3, 7, 8}, {4, 5, 6, 9, 10}};
    CHECK_INT(vrm_basis_to_host(&unity, VRM_BASIS_POSITION, rows, sizeof rows[0], 2), VRM_SUCCESS);
    CHECK(rows[0][0] == -1 && rows[1][0] == -4 && rows[0][3] == 7 && rows[0][4] == 8 && rows[1][4] == 10);
    CHECK_INT(vrm_basis_to_host(&unity, VRM_BASIS_POSITION, NULL, 0, 0), VRM_SUCCESS);
    CHECK_INT(vrm_basis_to_host(&unity, VRM_BASIS_POSITION, NULL, 0, 1), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_basis_to_host(NULL, VRM_BASIS_POSITION, rows, 0, 1), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_basis_from_host(NULL, VRM_BASIS_POSITION, rows, 0, 1), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_basis_to_host(&unity, VRM_BASIS_ITEM_COUNT, rows, 0, 1), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_basis_get_preset(VRM_BASIS_PRESET_COUNT, &unity), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_basis_get_preset(VRM_BASIS_UNITY, NULL), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_STRING(vrm_basis_preset_name(VRM_BASIS_PRESET_COUNT), "");
    const float wrong[] = {0.0f, -1.0f, NAN, INFINITY};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        unity.unit = wrong[i];
        CHECK_INT(vrm_basis_to_host(&unity, VRM_BASIS_POSITION, rows, 0, 1), VRM_ERROR_INVALID_ARGUMENT);
    }
    CHECK(rows[0][0] == -1);
}

static const test_case cases[] = {
    {"hosts_by_name", hosts_by_name},
    {"left_hands_turn_the_other_way", left_hands_turn_the_other_way},
    {"every_basis", every_basis},
    {"strides_and_wrong_calls", strides_and_wrong_calls},
};

RUN_TESTS(cases)
