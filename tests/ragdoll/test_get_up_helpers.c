// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Getting up computes the same poses as the runtime for nodes of the skin that constraints move. A bug once put a knee
// up to 5 cm too low, because half of its skin follows a constraint.

#include <math.h>

#include <vrm/vrm.h>

#include "minimal_sample.h"
#include "plain_instance.h"
#include "ragdoll/get_up.h"
#include "reference_math.h"
#include "test.h"

static vrm_quat any_turn(uint32_t seed)
{
    const double angle = 0.2 + 0.9 * (double)(seed * 2654435761u >> 8 & 0xffff) / 65535.0;
    const double x = sin(12.9 * seed), y = cos(7.7 * seed), z = sin(3.1 * seed + 1.0);
    const ref_quat q = ref_axis_angle(ref_v(x, y, z), angle);
    return (vrm_quat){(float)q.q[0], (float)q.q[1], (float)q.q[2], (float)q.q[3]};
}

static vrm_vec3 place_of(const vrm_outputs *out, uint32_t node)
{
    const vrm_world *w = &out->world[node];
    return (vrm_vec3){w->m[0][3], w->m[1][3], w->m[2][3]};
}

// Points beside the node show its rotation as well as its position.
static double distance_of(const vrm_get_up_body *body, const vrm_outputs *out, const vrmi_get_up_joints *joints,
    const vrm_mat34 *rest, uint32_t helper)
{
    const vrmi_get_up_helper *h = &body->skin.helpers[helper];
    double worst = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const vrm_vec3 local = {axis == 0 ? 0.1f : 0.0f, axis == 1 ? 0.1f : 0.0f, axis == 2 ? 0.1f : 0.0f};
        const vrm_vec3 shown = vrmi_mat34_point(&out->world[h->node], local);
        const vrm_vec3 at_rest = vrmi_mat34_point(&rest[h->node], local);
        const int32_t joint = (int32_t)(VRM_HUMAN_BONE_COUNT + helper);
        const vrm_vec3 found =
            vrmi_vec3_add(joints->place[joint], vrmi_quat_rotate(joints->turn[joint], vrmi_vec3_sub(at_rest, h->rest)));
        worst = fmax(worst, (double)vrmi_vec3_length(vrmi_vec3_sub(shown, found)));
    }
    return worst;
}

static void helpers_are_where_the_runtime_has_them(void)
{
    vrm_bytes bytes = {0};
    vrm_gltf *gltf = NULL;
    vrm_avatar *avatar = NULL;
    CHECK_INT(scene_minimal_sample(0, &bytes), VRM_SUCCESS);
    CHECK_INT(vrm_gltf_load(NULL, bytes.data, bytes.size, NULL, &gltf), VRM_SUCCESS);
    CHECK_INT(vrm_avatar_import(NULL, gltf, NULL, &avatar), VRM_SUCCESS);
    vrm_instance *instance = plain_instance(avatar);
    vrm_get_up_body *body = NULL;
    vrm_get_up_body_def def;
    vrm_get_up_body_def_default(&def);
    def.avatar = avatar;
    def.gltf = gltf;
    CHECK_INT(vrm_get_up_body_create(&def, &body), VRM_SUCCESS);
    uint32_t kinds[3] = {0};
    for (uint32_t i = 0; i < body->skin.helper_count; ++i) {
        ++kinds[body->skin.helpers[i].type];
    }
    // The sample's constraints: twists of four parts of the arms, two shoulder pads that aim, two knees.
    CHECK_INT(kinds[VRM_CONSTRAINT_ROLL], 4);
    CHECK_INT(kinds[VRM_CONSTRAINT_AIM], 2);
    CHECK_INT(kinds[VRM_CONSTRAINT_ROTATION], 2);
    for (uint32_t pose = 0; pose < 20; ++pose) {
        for (int bone = 0; bone <= VRM_HUMAN_BONE_RIGHT_HAND; ++bone) {
            const vrm_quat turn = any_turn(pose * 97 + (uint32_t)bone);
            (void)vrm_instance_set_normalized_rotation(instance, (vrm_human_bone)bone, &turn);
        }
        vrm_update_dt(instance, 0.0f);
        vrm_outputs out = {.struct_size = sizeof out};
        vrm_instance_get_outputs(instance, &out);
        vrmi_get_up_pose shown = {.place = {{0, 0, 0}}};
        for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
            const int32_t node = vrm_avatar_get_bone_node(avatar, (vrm_human_bone)bone);
            vrm_transform t = {.rotation = {0, 0, 0, 1}};
            if (node >= 0) {
                (void)vrmi_mat34_decompose(&out.world[node], &t);
                const vrm_quat rest = vrmi_model_node_rest_rotation(body->model)[node];
                shown.turn[bone] = vrmi_quat_mul(t.rotation, vrmi_quat_conjugate(rest));
                shown.place[bone] = place_of(&out, (uint32_t)node);
            }
        }
        vrmi_get_up_joints joints;
        vrmi_get_up_place_joints(body, &shown, &joints);
        for (uint32_t i = 0; i < body->skin.helper_count; ++i) {
            const double off = distance_of(body, &out, &joints, vrmi_model_node_rest_matrix(body->model), i);
            CHECK_NEAR(off, 0.0, 2e-5);
        }
    }
    vrm_get_up_body_destroy(body);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
    vrm_gltf_destroy(gltf);
    vrm_bytes_free(&bytes);
}

static const test_case cases[] = {
    {"helpers_are_where_the_runtime_has_them", helpers_are_where_the_runtime_has_them},
};

RUN_TESTS(cases)
