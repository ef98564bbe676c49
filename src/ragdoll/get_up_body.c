// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Measures an avatar for getting up.

#include "ragdoll/get_up.h"

#include <string.h>

#include "base/abi.h"
#include "base/checks.h"

void(vrm_get_up_body_def_default)(vrm_get_up_body_def *def, size_t size)
{
    const vrm_get_up_body_def own = {.struct_size = sizeof own};
    vrmi_write_defaults(def, size, &own, sizeof own);
}

static bool measure(vrm_get_up_body *body)
{
    static const int32_t needed[] = {VRM_HUMAN_BONE_HIPS, VRM_HUMAN_BONE_HEAD, VRM_HUMAN_BONE_LEFT_UPPER_LEG,
        VRM_HUMAN_BONE_LEFT_LOWER_LEG, VRM_HUMAN_BONE_LEFT_FOOT, VRM_HUMAN_BONE_RIGHT_UPPER_LEG,
        VRM_HUMAN_BONE_RIGHT_LOWER_LEG, VRM_HUMAN_BONE_RIGHT_FOOT, VRM_HUMAN_BONE_LEFT_UPPER_ARM,
        VRM_HUMAN_BONE_LEFT_LOWER_ARM, VRM_HUMAN_BONE_LEFT_HAND, VRM_HUMAN_BONE_RIGHT_UPPER_ARM,
        VRM_HUMAN_BONE_RIGHT_LOWER_ARM, VRM_HUMAN_BONE_RIGHT_HAND};
    const int32_t *nodes = body->model->head.bone_node;
    for (int32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        body->parent[bone] = nodes[bone] < 0 ? -2 : body->model->head.bone_parent[bone];
        if (nodes[bone] >= 0) {
            body->rest[bone] = vrmi_mat34_translation(&vrmi_model_node_rest_matrix(body->model)[nodes[bone]]);
        }
    }
    for (size_t i = 0; i < VRMI_COUNT_OF(needed); ++i) {
        if (nodes[needed[i]] < 0) {
            return false;
        }
    }
    const vrm_vec3 *r = body->rest;
    const vrm_vec3 hip = r[VRM_HUMAN_BONE_LEFT_UPPER_LEG], knee = r[VRM_HUMAN_BONE_LEFT_LOWER_LEG];
    const vrm_vec3 ankle = r[VRM_HUMAN_BONE_LEFT_FOOT], shoulder = r[VRM_HUMAN_BONE_LEFT_UPPER_ARM];
    const vrm_vec3 elbow = r[VRM_HUMAN_BONE_LEFT_LOWER_ARM], wrist = r[VRM_HUMAN_BONE_LEFT_HAND];
    body->thigh = vrmi_vec3_length(vrmi_vec3_sub(knee, hip));
    body->shank = vrmi_vec3_length(vrmi_vec3_sub(ankle, knee));
    body->leg = body->thigh + body->shank;
    body->arm = vrmi_vec3_length(vrmi_vec3_sub(elbow, shoulder)) + vrmi_vec3_length(vrmi_vec3_sub(wrist, elbow));
    body->pelvis = vrmi_vec3_lerp(hip, r[VRM_HUMAN_BONE_RIGHT_UPPER_LEG], 0.5f);
    body->trunk = shoulder.y - body->pelvis.y;
    body->ankle = ankle.y;
    return body->thigh > 1e-4f && body->shank > 1e-4f && body->arm > 1e-4f && body->trunk > 1e-4f;
}

static float toes_of(const vrm_get_up_body *body)
{
    const vrm_vec3 ankle = body->rest[VRM_HUMAN_BONE_LEFT_FOOT], toes = body->rest[VRM_HUMAN_BONE_LEFT_TOES];
    const float foot = vrmi_get_up_ahead(body, VRM_HUMAN_BONE_LEFT_FOOT);
    const float tip = body->parent[VRM_HUMAN_BONE_LEFT_TOES] > -2
                          ? vrmi_get_up_ahead(body, VRM_HUMAN_BONE_LEFT_TOES) + toes.z - ankle.z
                          : 0.0f;
    const float far = foot > 0.0f ? vrmi_max(foot, tip) : 0.12f * body->height;
    return vrmi_max(far, 0.05f * body->height);
}

vrm_result vrm_get_up_body_create(const vrm_get_up_body_def *def, vrm_get_up_body **out_body)
{
    vrm_get_up_body_def own;
    vrm_get_up_body_def_default(&own);
    if (out_body != NULL) {
        *out_body = NULL;
    }
    if (out_body == NULL || def == NULL || !VRMI_READ_OPTIONS(vrm_get_up_body_def, &own, def) || own.avatar == NULL ||
        (own.gltf != NULL && !vrm_avatar_is_from(own.avatar, own.gltf))) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    vrm_allocator allocator;
    vrmi_resolve_allocator(&own.allocator, &allocator);
    vrm_get_up_body *body = vrmi_allocate(&allocator, sizeof *body, 16);
    if (body == NULL) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    memset(body, 0, sizeof *body);
    body->allocator = allocator;
    body->model = own.avatar->model;
    body->avatar = own.avatar;
    vrm_result result = measure(body) ? vrmi_get_up_read_skin(body, own.gltf) : VRM_ERROR_NOT_FOUND;
    if (result != VRM_SUCCESS) {
        vrmi_get_up_free_skin(body);
        vrmi_release(&allocator, body, sizeof *body);
        return result;
    }
    body->foot = toes_of(body);
    vrmi_get_up_weigh(body);
    body->avatar = vrm_avatar_retain((vrm_avatar *)(uintptr_t)own.avatar);
    *out_body = body;
    return VRM_SUCCESS;
}

void vrm_get_up_body_destroy(vrm_get_up_body *body)
{
    if (body != NULL) {
        const vrm_allocator allocator = body->allocator;
        vrm_avatar_release((vrm_avatar *)(uintptr_t)body->avatar);
        vrmi_get_up_free_skin(body);
        vrmi_release(&allocator, body, sizeof *body);
    }
}
