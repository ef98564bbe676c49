// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// VRMC_vrm-1.0 lookAt. The gaze is computed from the head's pose of this frame, so the eyes do not lag behind. (In
// three-vrm they lag by one frame.)

#include "runtime/core/hierarchy.h"
#include "runtime/core/output.h"
#include "runtime/stages.h"

// Returns true if the host has set a gaze, or a clip has one.
static bool has_gaze(const vrm_instance *instance)
{
    return instance->gaze.mode != VRMI_GAZE_NONE || instance->clip_gaze;
}

// Computes yaw and pitch of the gaze in LookAt space.
static void resolve_gaze(vrm_instance *instance, vrm_profile profile)
{
    const vrmi_gaze *gaze = &instance->gaze;
    if (gaze->mode == VRMI_GAZE_NONE && instance->clip_gaze) {
        instance->look_yaw = instance->clip_yaw;
        instance->look_pitch = instance->clip_pitch;
        return;
    }
    if (gaze->mode != VRMI_GAZE_TARGET) {
        instance->look_yaw = gaze->mode == VRMI_GAZE_ANGLES ? gaze->yaw : 0.0f;
        instance->look_pitch = gaze->mode == VRMI_GAZE_ANGLES ? gaze->pitch : 0.0f;
        return;
    }
    vrm_vec3 origin;
    vrm_quat rotation;
    vrmi_look_at_space(instance, &origin, &rotation);
    if (profile == VRM_PROFILE_THREE_VRM && gaze->has_last) {
        const vrm_dvec3 from = gaze->last_origin, root = instance->root.translation;
        origin = (vrm_vec3){(float)(from.x - root.x), (float)(from.y - root.y), (float)(from.z - root.z)};
        rotation = gaze->last_rotation;
    }
    const vrm_vec3 target = vrmi_look_at_target(instance);
    const vrm_vec3 p = vrmi_quat_rotate(vrmi_quat_conjugate(rotation), vrmi_vec3_sub(target, origin));
    instance->look_yaw = vrmi_atan2(p.x, p.z);
    instance->look_pitch = vrmi_atan2(-p.y, vrmi_sqrt(p.x * p.x + p.z * p.z));
}

// Returns the rotation of an eye for angles in LookAt space. Eyes and their parents may have rest rotations, so the
// rotation is applied in the axes of the eye's parent in the model at rest, as in three-vrm. (The specification's
// `localRotation = euler` is correct only for eyes without rest rotations.)
static vrm_quat turned_eye(const vrm_instance *instance, uint32_t node, float yaw, float pitch)
{
    const vrm_quat turn = vrmi_quat_from_yaw_pitch(yaw, pitch);
    const vrm_quat parent = vrmi_rest_parent_rotation(instance->model, node);
    const vrm_quat in_parent = vrmi_quat_mul(vrmi_quat_mul(vrmi_quat_conjugate(parent), turn), parent);
    const vrm_quat rest = vrmi_model_node_rest(instance->model)[node].rotation;
    return vrmi_quat_normalize(vrmi_quat_mul(in_parent, rest));
}

// Converts a gaze to an eye's angles through the range maps. `left` is true for the avatar's left eye.
static void map_eye(
    const vrmi_model *model, bool left, vrm_profile profile, const float gaze[2], float *out_yaw, float *out_pitch)
{
    const bool swapped = profile == VRM_PROFILE_THREE_VRM;
    const vrm_look_direction down = swapped ? VRM_LOOK_VERTICAL_UP : VRM_LOOK_VERTICAL_DOWN;
    const vrm_look_direction up = swapped ? VRM_LOOK_VERTICAL_DOWN : VRM_LOOK_VERTICAL_UP;
    const float yaw = gaze[0], pitch = gaze[1];
    const bool outward = (yaw > 0.0f) == left;
    const float size = vrmi_look_at_mapped(model, outward ? VRM_LOOK_HORIZONTAL_OUTER : VRM_LOOK_HORIZONTAL_INNER, yaw);
    *out_yaw = yaw > 0.0f ? size : -size;
    *out_pitch = pitch > 0.0f ? vrmi_look_at_mapped(model, down, pitch) : -vrmi_look_at_mapped(model, up, pitch);
}

static void turn_eyes(vrm_instance *instance, vrm_profile profile)
{
    const vrmi_model_head *head = &instance->model->head;
    const vrmi_look_at_row *look = &head->look_at;
    const vrmi_look_chain *chain = &instance->look;
    const bool follows = look->type == VRM_LOOK_AT_BONE && has_gaze(instance);
    const bool fed = look->type == VRM_LOOK_AT_BONE && chain->feeds_eyes;
    // overrideLookAt moves the gaze back to straight ahead, as in UniVRM. The specification mentions only expressions.
    const float kept = profile == VRM_PROFILE_THREE_VRM ? 1.0f : 1.0f - instance->face.look_at_rate;
    const float gaze[2] = {instance->look_yaw * kept, instance->look_pitch * kept};
    for (int side = 0; side < 2; ++side) {
        const int32_t node = head->bone_node[side == 0 ? VRM_HUMAN_BONE_LEFT_EYE : VRM_HUMAN_BONE_RIGHT_EYE];
        const vrmi_eye *eye = &instance->gaze.eyes[side];
        if (node < 0) {
            continue;
        }
        float yaw, pitch;
        vrm_quat *rotation = &vrmi_local(instance, node)->rotation;
        const float owned = chain->has_eye[side] && look->type == VRM_LOOK_AT_BONE ? chain->has_eye_part : 0.0f;
        if (eye->active) {
            *rotation = turned_eye(instance, (uint32_t)node, eye->yaw, eye->pitch);
        } else {
            if (follows && owned < 1.0f && !(fed && chain->feed_mix >= 1.0f)) {
                map_eye(instance->model, side == 0, profile, gaze, &yaw, &pitch);
                *rotation = turned_eye(instance, (uint32_t)node, yaw, pitch);
            }
            if (fed) {
                yaw = chain->feed[side][0] * kept;
                pitch = chain->feed[side][1] * kept;
                const vrm_quat to = turned_eye(instance, (uint32_t)node, yaw, pitch);
                *rotation = chain->feed_mix >= 1.0f ? to : vrmi_quat_slerp(*rotation, to, chain->feed_mix);
            }
            if (owned > 0.0f) { // blends with the chain's rotation; overrides reduce the result
                if (follows && owned < 1.0f) {
                    *rotation = vrmi_quat_slerp(*rotation, chain->eye_to[side], owned);
                }
                if (kept < 1.0f) {
                    *rotation = vrmi_quat_slerp(turned_eye(instance, (uint32_t)node, 0.0f, 0.0f), *rotation, kept);
                }
            }
        }
        if (eye->active || follows || fed || owned > 0.0f) {
            vrmi_hierarchy_update_subtree(instance, (uint32_t)node);
        }
    }
}

static void expression_weights(const vrmi_model *model, float yaw, float pitch, float *out)
{
    const float side = vrmi_look_at_mapped(model, VRM_LOOK_HORIZONTAL_OUTER, yaw);
    out[VRMI_LOOK_LEFT] = yaw > 0.0f ? side : 0.0f;
    out[VRMI_LOOK_RIGHT] = yaw > 0.0f ? 0.0f : side;
    out[VRMI_LOOK_DOWN] = pitch > 0.0f ? vrmi_look_at_mapped(model, VRM_LOOK_VERTICAL_DOWN, pitch) : 0.0f;
    out[VRMI_LOOK_UP] = pitch > 0.0f ? 0.0f : vrmi_look_at_mapped(model, VRM_LOOK_VERTICAL_UP, pitch);
}

// Computes the weights of the look expressions. Both sides use the outer map, because one expression rotates both eyes.
static void weigh_look_expressions(vrm_instance *instance)
{
    const vrmi_look_at_row *look = &instance->model->head.look_at;
    const vrmi_look_chain *chain = &instance->look;
    const bool fed = chain->feeds_eyes;
    instance->look_active = look->type == VRM_LOOK_AT_EXPRESSION && (has_gaze(instance) || fed);
    expression_weights(instance->model, instance->look_yaw, instance->look_pitch, instance->look_weights);
    if (look->type == VRM_LOOK_AT_EXPRESSION && fed) {
        float weights[VRMI_LOOK_COUNT];
        const float yaw = chain->feed[0][0] / chain->def.expression_yaw;
        const float pitch = chain->feed[0][1] / chain->def.expression_pitch;
        weights[VRMI_LOOK_LEFT] = vrmi_max(yaw, 0.0f);
        weights[VRMI_LOOK_RIGHT] = vrmi_max(-yaw, 0.0f);
        weights[VRMI_LOOK_DOWN] = vrmi_max(pitch, 0.0f);
        weights[VRMI_LOOK_UP] = vrmi_max(-pitch, 0.0f);
        for (int i = 0; i < VRMI_LOOK_COUNT; ++i) {
            instance->look_weights[i] = vrmi_lerp(instance->look_weights[i], weights[i], chain->feed_mix);
        }
    }
}

void vrmi_look_at_keep(vrm_instance *instance)
{
    vrmi_gaze *gaze = &instance->gaze;
    const vrm_dvec3 root = instance->root.translation;
    vrm_vec3 origin;
    vrmi_look_at_space(instance, &origin, &gaze->last_rotation);
    gaze->last_origin = (vrm_dvec3){root.x + (double)origin.x, root.y + (double)origin.y, root.z + (double)origin.z};
    gaze->has_last = true;
}

void vrmi_stage_look_at(vrm_instance *instance, vrm_profile profile)
{
    resolve_gaze(instance, profile);
    if (instance->look.feeds_eyes) {
        vrmi_look_chain_feed(instance);
    }
    turn_eyes(instance, profile);
    weigh_look_expressions(instance);
    vrmi_look_chain_measure(instance);
}
