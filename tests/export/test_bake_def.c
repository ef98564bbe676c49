// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The T-pose option of a bake: an arm that hangs at rest is straightened, or keeps its pose without the option.

#include <vrm/bake.h>

#include "sample_avatar.h"
#include "test.h"

#include <math.h>
#include <stdio.h>

// Height of the upper arm above the hand at rest, metres.
static float drop_of(const vrm_avatar *avatar)
{
    vrm_node arm = {.struct_size = sizeof arm}, hand = {.struct_size = sizeof hand};
    CHECK_INT(
        vrm_avatar_get_node(avatar, (uint32_t)vrm_avatar_get_bone_node(avatar, VRM_HUMAN_BONE_LEFT_UPPER_ARM), &arm),
        VRM_SUCCESS);
    CHECK_INT(vrm_avatar_get_node(avatar, (uint32_t)vrm_avatar_get_bone_node(avatar, VRM_HUMAN_BONE_LEFT_HAND), &hand),
        VRM_SUCCESS);
    return arm.rest_position.y - hand.rest_position.y;
}

static void arms_are_stretched_when_asked_for(void)
{
    for (int t_pose = 0; t_pose < 2; ++t_pose) {
        vrm_bytes bytes = sample_bytes(0);
        vrm_gltf *gltf = NULL;
        vrm_avatar *avatar = NULL, *baked = NULL;
        vrm_node arm = {.struct_size = sizeof arm};
        CHECK_INT(vrm_gltf_load(NULL, bytes.data, bytes.size, NULL, &gltf), VRM_SUCCESS);
        CHECK_INT(vrm_avatar_import(NULL, gltf, NULL, &avatar), VRM_SUCCESS);
        CHECK_NEAR(drop_of(avatar), 0, 0.01f);
        // Rotates by 45 degrees about the model's Z, before the node's own rotation.
        CHECK_INT(vrm_avatar_get_node(
                      avatar, (uint32_t)vrm_avatar_get_bone_node(avatar, VRM_HUMAN_BONE_LEFT_UPPER_ARM), &arm),
            VRM_SUCCESS);
        vrm_node up = {.struct_size = sizeof up};
        CHECK_INT(vrm_avatar_get_node(avatar, (uint32_t)arm.parent, &up), VRM_SUCCESS);
        const double s = -sin(3.14159265 / 8), c = cos(3.14159265 / 8);
        const vrm_quat p = up.rest_rotation, r = arm.rest.rotation;
        // The model's Z in the parent's axes: Z rotated by the inverse of the parent's rest rotation.
        const double x = 2 * ((double)p.x * (double)p.z - (double)p.w * (double)p.y);
        const double y = 2 * ((double)p.y * (double)p.z + (double)p.w * (double)p.x);
        const double z = 1 - 2 * ((double)p.x * (double)p.x + (double)p.y * (double)p.y);
        const double a[4] = {s * x, s * y, s * z, c}, b[4] = {(double)r.x, (double)r.y, (double)r.z, (double)r.w};
        char pointer[64], json[160];
        snprintf(pointer, sizeof pointer, "/nodes/%u/rotation", arm.gltf_node);
        const int length =
            snprintf(json, sizeof json, "[%.9g,%.9g,%.9g,%.9g]", a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
                a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
                a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
                a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]);
        CHECK_INT(vrm_gltf_set_json(gltf, pointer, json, (size_t)length), VRM_SUCCESS);
        vrm_bytes posed = {0};
        CHECK_INT(vrm_gltf_save(gltf, &posed), VRM_SUCCESS);
        vrm_gltf_destroy(gltf);
        CHECK_INT(vrm_gltf_load(NULL, posed.data, posed.size, NULL, &gltf), VRM_SUCCESS);
        vrm_bytes_free(&posed);
        vrm_avatar_release(avatar);
        avatar = NULL;
        CHECK_INT(vrm_avatar_import(NULL, gltf, NULL, &avatar), VRM_SUCCESS);
        const float hanging = drop_of(avatar);
        CHECK(fabsf(hanging) > 0.1f);
        vrm_bake_params def;
        vrm_bake_params_default(&def);
        def.t_pose = t_pose != 0;
        CHECK_INT(vrm_bake(&def, gltf, avatar, NULL), VRM_SUCCESS);
        vrm_bytes written = {0};
        CHECK_INT(vrm_gltf_save(gltf, &written), VRM_SUCCESS);
        CHECK_INT(vrm_avatar_load(NULL, written.data, written.size, NULL, &baked), VRM_SUCCESS);
        vrm_bytes_free(&written);
        CHECK_NEAR(drop_of(baked), t_pose ? 0.0f : hanging, 0.01f);
        vrm_avatar_release(avatar);
        vrm_avatar_release(baked);
        vrm_gltf_destroy(gltf);
        vrm_bytes_free(&bytes);
    }
}

static const test_case cases[] = {{"arms_are_stretched_when_asked_for", arms_are_stretched_when_asked_for}};

RUN_TESTS(cases)
