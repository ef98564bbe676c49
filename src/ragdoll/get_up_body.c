// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// An avatar's measures for getting up. Its skin is read as for a ragdoll with a body for every bone, and of each bone's
// vertices those are kept that are the farthest in 26 directions.

#include "ragdoll/get_up.h"

#include <string.h>

#include "base/abi.h"
#include "base/checks.h"
#include "ragdoll/build.h"

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

// The 26 directions of a cube's faces, edges and corners.
static vrm_vec3 direction_of(uint32_t index)
{
    const uint32_t cell = index < 13 ? index : index + 1; // without the middle
    return vrmi_vec3((float)(cell % 3) - 1.0f, (float)(cell / 3 % 3) - 1.0f, (float)(cell / 9) - 1.0f);
}

static void keep_farthest(vrmi_get_up_skin *skin, const vrmi_ragdoll_points *points)
{
    for (uint32_t d = 0; d < VRMI_GET_UP_DIRECTIONS && points->count > 0; ++d) {
        const vrm_vec3 direction = direction_of(d);
        vrm_vec3 best = points->items[0];
        for (uint32_t i = 1; i < points->count; ++i) {
            best =
                vrmi_vec3_dot(points->items[i], direction) > vrmi_vec3_dot(best, direction) ? points->items[i] : best;
        }
        bool there = false;
        for (uint32_t i = 0; i < skin->count; ++i) {
            there = there || vrmi_vec3_same(skin->points[i], best);
        }
        if (!there) {
            skin->points[skin->count++] = best;
        }
    }
}

// Without vertices: a ball about the joint.
static void guess_skin(vrmi_get_up_skin *skin, float radius)
{
    for (uint32_t d = 0; d < VRMI_GET_UP_DIRECTIONS; ++d) {
        const vrm_vec3 direction = direction_of(d);
        skin->points[skin->count++] = vrmi_vec3_scale(direction, radius / vrmi_vec3_length(direction));
    }
}

static vrm_result read_skin(vrm_get_up_body *body, const vrm_gltf *gltf)
{
    vrm_ragdoll_build_params params;
    vrm_ragdoll_build_params_default(&params);
    params.detail = VRM_RAGDOLL_DETAIL_ALL;
    params.allocator = body->allocator;
    vrm_ragdoll_def def = {.struct_size = sizeof def};
    vrmi_ragdoll_build build = {.report = NULL};
    const vrm_result result = vrmi_ragdoll_gather(&build, body->avatar, gltf, &params, &def);
    for (uint32_t i = 0; i < def.body_count && result == VRM_SUCCESS; ++i) {
        const int32_t bone = (int32_t)def.bodies[i].bone;
        keep_farthest(&body->skin[bone], &build.points[i]);
        if (body->skin[bone].count == 0 && gltf == NULL) {
            guess_skin(&body->skin[bone], vrmi_anatomy_of((vrm_human_bone)bone)->girth * build.def->height);
        }
    }
    body->height = build.def->height;
    vrmi_ragdoll_release(&build);
    return result;
}

static float toes_of(const vrm_get_up_body *body)
{
    static const int32_t bones[] = {VRM_HUMAN_BONE_LEFT_FOOT, VRM_HUMAN_BONE_LEFT_TOES};
    float far = 0.12f * body->height;
    for (size_t b = 0; b < VRMI_COUNT_OF(bones); ++b) {
        const vrmi_get_up_skin *skin = &body->skin[bones[b]];
        const float ahead =
            body->parent[bones[b]] > -2 ? body->rest[bones[b]].z - body->rest[VRM_HUMAN_BONE_LEFT_FOOT].z : 0.0f;
        for (uint32_t i = 0; i < skin->count; ++i) {
            far = b == 0 && i == 0 ? 0.0f : far;
            far = vrmi_max(far, ahead + skin->points[i].z);
        }
    }
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
    vrm_result result = measure(body) ? read_skin(body, own.gltf) : VRM_ERROR_NOT_FOUND;
    if (result != VRM_SUCCESS) {
        vrmi_release(&allocator, body, sizeof *body);
        return result;
    }
    body->foot = toes_of(body);
    body->avatar = vrm_avatar_retain((vrm_avatar *)(uintptr_t)own.avatar);
    *out_body = body;
    return VRM_SUCCESS;
}

void vrm_get_up_body_destroy(vrm_get_up_body *body)
{
    if (body != NULL) {
        const vrm_allocator allocator = body->allocator;
        vrm_avatar_release((vrm_avatar *)(uintptr_t)body->avatar);
        vrmi_release(&allocator, body, sizeof *body);
    }
}

float vrmi_get_up_depth(const vrm_get_up_body *body, int32_t bone, vrm_quat turn)
{
    const vrmi_get_up_skin *skin = &body->skin[bone];
    const vrm_vec3 down = vrmi_quat_rotate(vrmi_quat_conjugate(turn), vrmi_vec3(0.0f, -1.0f, 0.0f));
    float depth = 0.0f;
    for (uint32_t i = 0; i < skin->count; ++i) {
        depth = vrmi_max(depth, vrmi_vec3_dot(skin->points[i], down));
    }
    return depth;
}
