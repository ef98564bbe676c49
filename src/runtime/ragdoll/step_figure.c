// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "runtime/ragdoll/step_figure.h"

const vrm_human_bone vrmi_step_legs[2][3] = {
    {VRM_HUMAN_BONE_LEFT_UPPER_LEG, VRM_HUMAN_BONE_LEFT_LOWER_LEG, VRM_HUMAN_BONE_LEFT_FOOT},
    {VRM_HUMAN_BONE_RIGHT_UPPER_LEG, VRM_HUMAN_BONE_RIGHT_LOWER_LEG, VRM_HUMAN_BONE_RIGHT_FOOT},
};
// A foot that is faster than this in the animation is walking, m/s at scale 1.
static const float still_foot = 0.25f;
static const float lean_shown = 0.8f; // sum of the fractions of the lean below the neck in step_pose.c
int32_t vrmi_step_body_of(const vrm_instance *instance, vrm_human_bone bone)
{
    for (uint32_t i = 0; i < instance->ragdoll.body_count; ++i) {
        if (instance->ragdoll_bodies[i].bone == bone) {
            return (int32_t)i;
        }
    }
    return -1;
}

static bool is_driven(const vrm_instance *instance, vrm_human_bone bone)
{
    const int32_t body = vrmi_step_body_of(instance, bone);
    const vrmi_ragdoll_row *row = body >= 0 ? &instance->ragdoll_rows[body] : NULL;
    return row != NULL && row->motion == VRM_RAGDOLL_MOTION_DYNAMIC && row->to.muscle > 0.5f && !row->lost;
}

bool vrmi_step_has_legs(const vrm_instance *instance)
{
    bool has = instance->ragdoll.body_count > 0;
    for (int side = 0; side < 2; ++side) {
        for (int i = 0; i < 3; ++i) {
            const vrm_human_bone bone = vrmi_step_legs[side][i];
            has = has && vrmi_step_body_of(instance, bone) >= 0 && vrmi_step_node(instance, bone) >= 0;
        }
    }
    return has;
}

bool vrmi_step_is_able(const vrm_instance *instance)
{
    bool able = instance->ragdoll.settings.drive == VRM_RAGDOLL_DRIVE_TORQUE &&
                is_driven(instance, VRM_HUMAN_BONE_HIPS) && instance->ragdoll_rows[0].to.pin > 0.5f &&
                vrmi_step_node(instance, VRM_HUMAN_BONE_HIPS) >= 0;
    for (int side = 0; side < 2; ++side) {
        for (int i = 0; i < 3; ++i) {
            able = able && is_driven(instance, vrmi_step_legs[side][i]) &&
                   vrmi_step_node(instance, vrmi_step_legs[side][i]) >= 0;
        }
    }
    const vrm_vec3 up = vrmi_step_to_world(instance, 0.0f, 1.0f, 0.0f);
    return able && up.y > 0.99f;
}

// Measures the centre of the sole and half its size, from the foot's shape in the animated pose.
static void measure_sole(const vrm_instance *instance, int side, vrmi_step_body *out)
{
    const int32_t body = vrmi_step_body_of(instance, vrmi_step_legs[side][2]);
    const vrm_ragdoll_shape *shape = &instance->ragdoll_bodies[body].shape;
    const vrm_quat turn = vrmi_ragdoll_animated(instance, (uint32_t)body);
    const float scale = instance->root.scale;
    const vrm_vec3 ankle = vrmi_step_to_root(instance, vrmi_step_place(instance, vrmi_step_legs[side][2]));
    const vrm_vec3 arm = vrmi_step_to_root(instance, vrmi_quat_rotate(turn, vrmi_vec3_scale(shape->center, scale)));
    const bool box = shape->type == VRM_RAGDOLL_SHAPE_BOX;
    const vrm_vec3 along = box ? vrmi_vec3(0.0f, 0.0f, 1.0f) : vrmi_vec3(0.0f, 1.0f, 0.0f);
    const vrm_quat whole = vrmi_quat_mul(turn, shape->rotation);
    vrm_vec3 ahead = vrmi_step_to_root(instance, vrmi_quat_rotate(whole, along));
    ahead.y = 0.0f;
    ahead = vrmi_vec3_normalize_or(ahead, vrmi_vec3(0.0f, 0.0f, 1.0f));
    out->ahead[side] = ahead.z < 0.0f ? (vrmi_flat){-ahead.x, -ahead.z} : vrmi_step_flatten(ahead);
    out->sole[side] = (vrmi_flat){ankle.x + arm.x, ankle.z + arm.z};
    out->ankles[side] = (vrmi_flat){-arm.x, -arm.z};
    const float half_x = (box ? shape->half_extents.x : shape->radius) * scale;
    const float half_z = (box ? shape->half_extents.z : shape->half_length + shape->radius) * scale;
    const int32_t toes = vrmi_step_node(instance, side == 0 ? VRM_HUMAN_BONE_LEFT_TOES : VRM_HUMAN_BONE_RIGHT_TOES);
    out->ball[side] = arm.x * out->ahead[side].x + arm.z * out->ahead[side].z + half_z;
    if (toes >= 0) {
        const vrm_vec3 joint = vrmi_step_to_root(instance, vrmi_mat34_translation(&instance->world[toes]));
        out->ball[side] = (joint.x - ankle.x) * out->ahead[side].x + (joint.z - ankle.z) * out->ahead[side].z;
        out->ball_height[side] = joint.y;
    }
    out->half.x += 0.5f * half_x;
    out->half.z += 0.5f * half_z;
    out->ankle += 0.5f * ankle.y;
}

// Measures the centre of mass of the animated pose, and its displacement per radian of the trunk's lean.
static void measure_mass(const vrm_instance *instance, vrmi_step_body *out)
{
    const vrmi_ragdoll *ragdoll = &instance->ragdoll;
    float hips = 0.0f; // mean height of the hip joints
    for (int side = 0; side < 2; ++side) {
        hips += 0.5f * vrmi_step_to_root(instance, vrmi_step_place(instance, vrmi_step_legs[side][0])).y;
    }
    float height = 0.0f, lever = 0.0f;
    for (uint32_t i = 0; i < ragdoll->body_count; ++i) {
        const vrm_ragdoll_body *body = &instance->ragdoll_bodies[i];
        const vrm_vec3 place = vrmi_mat34_translation(&instance->world[body->node]);
        const vrm_vec3 center =
            vrmi_step_to_root(instance, vrmi_ragdoll_center(instance, i, place, vrmi_ragdoll_animated(instance, i)));
        const bool leg = body->group == VRM_RAGDOLL_GROUP_LEFT_LEG || body->group == VRM_RAGDOLL_GROUP_RIGHT_LEG;
        height += body->mass * center.y;
        lever += leg || i == 0 ? 0.0f : body->mass * (center.y - hips);
    }
    out->center = height / ragdoll->mass;
    out->lever = lean_shown * lever / ragdoll->mass;
    out->height = ragdoll->height > 0.0f ? ragdoll->height * instance->root.scale : out->center / 0.5625f;
}

bool vrmi_step_measure(const vrm_instance *instance, float dt, vrmi_step_body *out)
{
    *out = (vrmi_step_body){.height = 0.0f};
    measure_mass(instance, out);
    measure_sole(instance, 0, out);
    measure_sole(instance, 1, out);
    const vrmi_flat middle = {0.5f * (out->sole[0].x + out->sole[1].x), 0.5f * (out->sole[0].z + out->sole[1].z)};
    bool stands = out->center > 0.0f && out->height > 0.0f;
    for (int side = 0; side < 2; ++side) {
        const vrm_vec3 hip = vrmi_step_place(instance, vrmi_step_legs[side][0]),
                       knee = vrmi_step_place(instance, vrmi_step_legs[side][1]);
        const vrm_vec3 ankle = vrmi_step_place(instance, vrmi_step_legs[side][2]);
        const float length = vrmi_vec3_length(vrmi_vec3_sub(knee, hip)) + vrmi_vec3_length(vrmi_vec3_sub(ankle, knee));
        const vrm_vec3 at = vrmi_step_to_root(instance, hip);
        out->leg += 0.5f * length;
        out->hip += 0.5f * at.y;
        out->joints[side] = hip.y - ankle.y;
        out->hips[side] = vrmi_flat_sub(vrmi_step_flatten(at), middle);
        const float rest = vrmi_mat34_translation(
            &vrmi_model_node_rest_matrix(instance->model)[vrmi_step_node(instance, vrmi_step_legs[side][2])])
                               .y;
        const float above = vrmi_step_to_root(instance, ankle).y - rest * instance->root.scale;
        const vrmi_ragdoll_row *row = &instance->ragdoll_rows[vrmi_step_body_of(instance, vrmi_step_legs[side][2])];
        const vrm_vec3 now =
            vrmi_ragdoll_center(instance, (uint32_t)vrmi_step_body_of(instance, vrmi_step_legs[side][2]), ankle,
                vrmi_ragdoll_animated(instance, (uint32_t)vrmi_step_body_of(instance, vrmi_step_legs[side][2])));
        const vrm_vec3 travel = vrmi_vec3_between(instance->ragdoll.last_origin, instance->root.translation);
        const float way = vrmi_vec3_length(vrmi_vec3_add(vrmi_vec3_sub(now, row->last_position), travel));
        stands = stands && hip.y - ankle.y > 0.85f * length && vrmi_abs(above) < 0.03f * out->height &&
                 (!instance->ragdoll.has_last || way <= still_foot * instance->root.scale * dt);
    }
    return stands;
}
