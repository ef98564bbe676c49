// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// VRMC_vrm-1.0 lookAt. LookAt space hangs on the head: origin at the head's world matrix times offsetFromHeadBone, axes
// those of the model in the rest pose, turned with the head. The gaze is resolved against the head's pose of this
// frame, so the eyes do not lag (three-vrm's do by one frame).

#include "runtime/core/hierarchy.h"
#include "runtime/look/look_at_space.h"
#include "runtime/stages.h"

void vrmi_look_at_space(const vrm_instance *instance, vrm_vec3 *out_origin, vrm_quat *out_rotation)
{
    const vrmi_model *model = instance->model;
    const int32_t head = model->head.bone_node[VRM_HUMAN_BONE_HEAD];
    if (head < 0) { // a plain glTF scene
        *out_origin = vrmi_mat34_point(&instance->root_world, model->head.look_at.offset_from_head_bone);
        *out_rotation = instance->root.rotation;
        return;
    }
    *out_origin = vrmi_mat34_point(&instance->world[head], model->head.look_at.offset_from_head_bone);
    *out_rotation = vrmi_quat_normalize(
        vrmi_quat_mul(instance->world_rotation[head], vrmi_quat_conjugate(vrmi_model_node_rest_rotation(model)[head])));
}

// The target seen from the root. Subtracted in double, else a target 100 km out would jump by centimetres; what is too
// far for squares in float is drawn nearer along its line, because only the direction counts.
vrm_vec3 vrmi_look_at_target(const vrm_instance *instance)
{
    double way[3], largest = 0.0;
    for (int i = 0; i < 3; ++i) {
        // Halves: the difference of two finite numbers may not be.
        way[i] = 0.5 * instance->gaze.target[i] - 0.5 * instance->root.translation[i];
        const double size = way[i] < 0.0 ? -way[i] : way[i];
        largest = size > largest ? size : largest;
    }
    const double nearer = largest > 1e9 ? 1e9 / largest : 2.0;
    return vrmi_vec3((float)(way[0] * nearer), (float)(way[1] * nearer), (float)(way[2] * nearer));
}

// The host's gaze, or that of a clip where the host has none.
static bool has_gaze(const vrm_instance *instance)
{
    return instance->gaze.mode != VRMI_GAZE_NONE || instance->clip_gaze;
}

// Yaw and pitch of the gaze in LookAt space.
static void resolve_gaze(vrm_instance *instance)
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
    const vrm_vec3 target = vrmi_look_at_target(instance);
    const vrm_vec3 p = vrmi_quat_rotate(vrmi_quat_conjugate(rotation), vrmi_vec3_sub(target, origin));
    instance->look_yaw = vrmi_atan2(p.x, p.z);
    instance->look_pitch = vrmi_atan2(-p.y, vrmi_sqrt(p.x * p.x + p.z * p.z));
}

const vrm_range_map *vrmi_look_at_map(const vrm_look_at *look, vrm_look_direction direction)
{
    const vrm_range_map *const maps[VRM_LOOK_DIRECTION_COUNT] = {
        &look->horizontal_inner, &look->horizontal_outer, &look->vertical_down, &look->vertical_up};
    return maps[direction];
}

// A curve of VRM 0.x: cubic Hermite between its keys, constant outside.
static float evaluate_curve(const vrm_curve_key *keys, uint32_t count, float time)
{
    if (!(time > keys[0].time)) {
        return keys[0].value;
    }
    if (time >= keys[count - 1].time) {
        return keys[count - 1].value;
    }
    uint32_t low = 0, high = count - 1;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (keys[middle].time <= time) {
            low = middle;
        } else {
            high = middle;
        }
    }
    const vrm_curve_key *a = &keys[low], *b = &keys[high];
    const float step = b->time - a->time, t = (time - a->time) / step, u = 1.0f - t;
    return u * u * ((1.0f + 2.0f * t) * a->value + t * step * a->out_tangent) +
           t * t * ((3.0f - 2.0f * t) * b->value - u * step * b->in_tangent);
}

// min(|v|, max) / max * scale, in 0.x through a curve. With max 0: scale unless v is 0.
float vrmi_look_at_mapped(const vrmi_model *model, vrm_look_direction direction, float v)
{
    const vrm_range_map *map = vrmi_look_at_map(&model->head.look_at, direction);
    const vrmi_range curve = model->head.look_curve[direction];
    const float size = vrmi_abs(v);
    float part = size > 0.0f ? 1.0f : 0.0f;
    if (map->input_max > 0.0f) {
        part = vrmi_min(size, map->input_max) / map->input_max;
    }
    if (curve.count != 0) {
        part = evaluate_curve(vrmi_model_look_curve_key(model) + curve.first, curve.count, part);
    }
    return part * map->output_scale;
}

// An eye turned by angles in LookAt space. Eyes and what holds them may have rest rotations, so the turn is made in the
// axes that the eye's parent had in the model at rest (as three-vrm; the text's `localRotation = euler` holds only for
// eyes without one).
static vrm_quat turned_eye(const vrm_instance *instance, uint32_t node, float yaw, float pitch)
{
    const vrm_quat turn = vrmi_quat_from_yaw_pitch(yaw, pitch);
    const vrm_quat parent = vrmi_rest_parent_rotation(instance->model, node);
    const vrm_quat in_parent = vrmi_quat_mul(vrmi_quat_mul(vrmi_quat_conjugate(parent), turn), parent);
    const vrm_quat rest = vrmi_model_node_rest(instance->model)[node].rotation;
    return vrmi_quat_normalize(vrmi_quat_mul(in_parent, rest));
}

// An eye's angles for a gaze, through the range maps. `left`: the avatar's left eye.
static void map_eye(const vrmi_model *model, bool left, const float gaze[2], float *out_yaw, float *out_pitch)
{
    const float yaw = gaze[0], pitch = gaze[1];
    const bool outward = (yaw > 0.0f) == left;
    const float size = vrmi_look_at_mapped(model, outward ? VRM_LOOK_HORIZONTAL_OUTER : VRM_LOOK_HORIZONTAL_INNER, yaw);
    *out_yaw = yaw > 0.0f ? size : -size;
    *out_pitch = pitch > 0.0f ? vrmi_look_at_mapped(model, VRM_LOOK_VERTICAL_DOWN, pitch)
                              : -vrmi_look_at_mapped(model, VRM_LOOK_VERTICAL_UP, pitch);
}

static void turn_eyes(vrm_instance *instance)
{
    const vrmi_model_head *head = &instance->model->head;
    const vrm_look_at *look = &head->look_at;
    const vrmi_look_chain *chain = &instance->look;
    const bool follows = look->type == VRM_LOOK_AT_BONE && has_gaze(instance);
    const bool fed = look->type == VRM_LOOK_AT_BONE && chain->feeds_eyes;
    // overrideLookAt takes the gaze back to straight ahead, as in UniVRM; the specification speaks of expressions only.
    const float kept = 1.0f - vrmi_face_look_at_rate(instance);
    const float gaze[2] = {instance->look_yaw * kept, instance->look_pitch * kept};
    for (int side = 0; side < 2; ++side) {
        const int32_t node = head->bone_node[side == 0 ? VRM_HUMAN_BONE_LEFT_EYE : VRM_HUMAN_BONE_RIGHT_EYE];
        const vrmi_eye *eye = &instance->gaze.eyes[side];
        if (node < 0) {
            continue;
        }
        float yaw, pitch;
        vrm_quat *rotation = &instance->local[node].rotation;
        if (eye->active) {
            *rotation = turned_eye(instance, (uint32_t)node, eye->yaw, eye->pitch);
        } else {
            if (follows && !(fed && chain->feed_mix >= 1.0f)) {
                map_eye(instance->model, side == 0, gaze, &yaw, &pitch);
                *rotation = turned_eye(instance, (uint32_t)node, yaw, pitch);
            }
            if (fed) {
                yaw = chain->feed[side][0] * kept;
                pitch = chain->feed[side][1] * kept;
                const vrm_quat to = turned_eye(instance, (uint32_t)node, yaw, pitch);
                *rotation = chain->feed_mix >= 1.0f ? to : vrmi_quat_slerp(*rotation, to, chain->feed_mix);
            }
        }
        if (eye->active || follows || fed) {
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

// Both sides use Outer, because one expression turns both eyes.
static void weigh_look_expressions(vrm_instance *instance)
{
    const vrm_look_at *look = &instance->model->head.look_at;
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

void vrmi_stage_look_at(vrm_instance *instance)
{
    resolve_gaze(instance);
    if (instance->look.feeds_eyes) {
        vrmi_look_chain_feed(instance);
    }
    turn_eyes(instance);
    weigh_look_expressions(instance);
}
