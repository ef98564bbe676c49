// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The eyes of the look chain: their position, the direction to the target from there, and the range of their range
// maps.

#include "runtime/core/output.h"
#include "runtime/look/look.h"

bool vrmi_has_eyes(const vrmi_model *model)
{
    const vrmi_model_head *head = &model->head;
    if (head->bone_node[VRM_HUMAN_BONE_HEAD] < 0) {
        return false;
    }
    return head->look_at.type == VRM_LOOK_AT_EXPRESSION ||
           (head->look_at.type == VRM_LOOK_AT_BONE &&
               (head->bone_node[VRM_HUMAN_BONE_LEFT_EYE] >= 0 || head->bone_node[VRM_HUMAN_BONE_RIGHT_EYE] >= 0));
}

// Returns the largest angle of a map, 0 if it has no inverse. `full` is the angle of output 1.
static float most_of(const vrmi_model *model, vrm_look_direction direction, float full, float largest_output)
{
    const vrm_range_map *map = vrmi_look_at_map(&model->head.look_at, direction);
    if (!(map->input_max > 0.0f) || !(map->output_scale > 0.0f)) {
        return 0.0f;
    }
    const float most = vrmi_look_at_mapped(model, direction, map->input_max); // a curve of VRM 0.x need not end at 1
    return vrmi_clamp(most, 0.0f, largest_output) * full;
}

int vrmi_look_side_of(const vrmi_model *model, int32_t node)
{
    const int32_t *bones = model->head.bone_node;
    return node < 0                                  ? -1
           : node == bones[VRM_HUMAN_BONE_LEFT_EYE]  ? 0
           : node == bones[VRM_HUMAN_BONE_RIGHT_EYE] ? 1
                                                     : -1;
}

void vrmi_look_chain_find_eyes(vrm_instance *instance)
{
    vrmi_look_chain *chain = &instance->look;
    chain->has_eye[0] = chain->has_eye[1] = false;
    for (uint32_t i = 0; i < chain->bone_count + chain->link_count; ++i) {
        const int32_t node =
            i < chain->bone_count ? instance->look_bones[i].node : instance->look_links[i - chain->bone_count].node;
        const int side = vrmi_look_side_of(instance->model, node);
        if (side >= 0) {
            chain->has_eye[side] = true;
        }
    }
}

void vrmi_eye_limits_of(const vrmi_model *model, const vrm_look_chain_def *def, vrmi_eye_limits *out)
{
    const float half_turn = 0.5f * VRMI_PI;
    if (model->head.look_at.type == VRM_LOOK_AT_EXPRESSION) {
        // One expression rotates both eyes, so only the outer map applies.
        out->limits.yaw = most_of(model, VRM_LOOK_HORIZONTAL_OUTER, def->expression_yaw, 1.0f);
        out->limits.up = most_of(model, VRM_LOOK_VERTICAL_UP, def->expression_pitch, 1.0f);
        out->limits.down = most_of(model, VRM_LOOK_VERTICAL_DOWN, def->expression_pitch, 1.0f);
    } else {
        out->limits.yaw = vrmi_min(most_of(model, VRM_LOOK_HORIZONTAL_INNER, 1.0f, half_turn),
            most_of(model, VRM_LOOK_HORIZONTAL_OUTER, 1.0f, half_turn));
        out->limits.up = most_of(model, VRM_LOOK_VERTICAL_UP, 1.0f, half_turn);
        out->limits.down = most_of(model, VRM_LOOK_VERTICAL_DOWN, 1.0f, half_turn);
    }
    out->fixed_maps = (out->limits.yaw > 0.0f ? 0u : (uint32_t)VRM_LOOK_MAP_HORIZONTAL) |
                      (out->limits.up > 0.0f ? 0u : (uint32_t)VRM_LOOK_MAP_UP) |
                      (out->limits.down > 0.0f ? 0u : (uint32_t)VRM_LOOK_MAP_DOWN);
}

vrm_vec3 vrmi_eye_middle(const vrm_instance *instance)
{
    const int32_t left = instance->model->head.bone_node[VRM_HUMAN_BONE_LEFT_EYE];
    const int32_t right = instance->model->head.bone_node[VRM_HUMAN_BONE_RIGHT_EYE];
    if (left >= 0 && right >= 0) {
        return vrmi_vec3_lerp(
            vrmi_mat34_translation(&instance->world[left]), vrmi_mat34_translation(&instance->world[right]), 0.5f);
    }
    if (left >= 0 || right >= 0) {
        return vrmi_mat34_translation(&instance->world[left >= 0 ? left : right]);
    }
    vrm_vec3 origin;
    vrm_quat rotation;
    vrmi_look_at_space(instance, &origin, &rotation);
    return origin;
}

void vrmi_eye_wanted(const vrm_instance *instance, vrm_vec3 eye, float *out_x, float *out_y)
{
    vrm_vec3 origin;
    vrm_quat rotation;
    vrmi_look_at_space(instance, &origin, &rotation);
    const vrm_vec3 way = vrmi_vec3_sub(vrmi_look_at_target(instance), eye);
    const vrm_vec3 seen = vrmi_quat_rotate(vrmi_quat_conjugate(rotation), way);
    vrmi_look_log(vrmi_vec3_normalize_or(seen, vrmi_vec3(0.0f, 0.0f, 1.0f)), out_x, out_y);
}

void vrmi_eye_clamp(const vrmi_look_limits *limits, float *x, float *y)
{
    *x = vrmi_clamp(*x, -limits->yaw, limits->yaw);
    *y = vrmi_clamp(*y, -limits->down, limits->up);
}

// --- feeding the look-at stage -------------------------------------------------------------------------------------

// Returns an eye's angle for a desired angle. This is the desired angle itself, limited to the map's range, because the
// map's input is computed by its inverse. With `authored` it is the map's output for `gaze`. `full` is the angle of
// output 1.
static float through_map(
    const vrm_instance *instance, vrm_look_direction direction, float full, float wanted, float gaze, bool authored)
{
    const bool by_expression = instance->model->head.look_at.type == VRM_LOOK_AT_EXPRESSION;
    const float largest_output = by_expression ? 1.0f : VRMI_PI; // a weight is at most 1, even if outputScale is larger
    if (authored) {
        const float size = vrmi_min(vrmi_look_at_mapped(instance->model, direction, gaze), largest_output) * full;
        return gaze < 0.0f ? -size : size;
    }
    const float most = most_of(instance->model, direction, full, largest_output);
    return vrmi_clamp(wanted, -most, most);
}

// Computes `feed` of one eye from the desired angles. Returns the distance between result and desired angles.
static float feed_eye(vrm_instance *instance, int side, float yaw, float pitch)
{
    vrmi_look_chain *chain = &instance->look;
    const vrm_look_chain_def *def = &chain->def;
    const bool by_expression = instance->model->head.look_at.type == VRM_LOOK_AT_EXPRESSION;
    const uint32_t fixed = chain->state.fixed_maps;
    const bool fixed_yaw = (fixed & VRM_LOOK_MAP_HORIZONTAL) != 0;
    // For a map without an inverse the chain asks for no pitch, so the pitch of the gaze decides which map applies.
    const float vertical = vrmi_abs(pitch) > 1e-3f ? pitch : instance->look_pitch;
    const bool fixed_pitch = (fixed & (uint32_t)(vertical > 0.0f ? VRM_LOOK_MAP_DOWN : VRM_LOOK_MAP_UP)) != 0;
    // A map without an inverse uses the gaze itself, as if there were no chain.
    const float gaze_yaw = fixed_yaw ? instance->look_yaw : yaw;
    const float gaze_pitch = fixed_pitch ? instance->look_pitch : pitch;
    const bool outward = by_expression || (gaze_yaw > 0.0f) == (side == 0);
    float *feed = chain->feed[side];
    feed[0] = through_map(instance, outward ? VRM_LOOK_HORIZONTAL_OUTER : VRM_LOOK_HORIZONTAL_INNER,
        by_expression ? def->expression_yaw : 1.0f, yaw, gaze_yaw, fixed_yaw || def->map_as_authored);
    feed[1] = through_map(instance, gaze_pitch > 0.0f ? VRM_LOOK_VERTICAL_DOWN : VRM_LOOK_VERTICAL_UP,
        by_expression ? def->expression_pitch : 1.0f, pitch, gaze_pitch, fixed_pitch || def->map_as_authored);
    const float off_yaw = feed[0] - yaw, off_pitch = feed[1] - pitch;
    return vrmi_sqrt(off_yaw * off_yaw + off_pitch * off_pitch);
}

static void angles_of(float x, float y, float *out_yaw, float *out_pitch)
{
    const vrm_vec3 d = vrmi_look_exp(x, y);
    *out_yaw = vrmi_atan2(d.x, d.z);
    *out_pitch = -vrmi_asin(d.y);
}

void vrmi_look_chain_feed(vrm_instance *instance)
{
    vrmi_look_chain *chain = &instance->look;
    const vrmi_model_head *head = &instance->model->head;
    const vrm_vec3 middle = vrmi_eye_middle(instance);
    vrmi_eye_limits can;
    vrmi_eye_limits_of(instance->model, &chain->def, &can);
    float x = chain->eye_x, y = chain->eye_y, now_x = chain->then_x, now_y = chain->then_y;
    if (chain->state.aiming) {
        // If the head has rotated since the chain ran, the eyes compensate.
        vrmi_eye_wanted(instance, middle, &now_x, &now_y);
        x += now_x - chain->then_x;
        y += now_y - chain->then_y;
        if (chain->def.idle && chain->def.mode == VRM_LOOK_CHAIN_MODE_DEFAULT) {
            x += chain->idle_x;
            y += chain->idle_y;
        }
    }
    vrmi_eye_clamp(&can.limits, &x, &y);
    angles_of(x, y, &chain->state.eye_yaw, &chain->state.eye_pitch);
    // For diagonal directions, yaw is slightly larger than x.
    chain->state.eye_yaw = vrmi_clamp(chain->state.eye_yaw, -can.limits.yaw, can.limits.yaw);
    chain->state.eye_pitch = vrmi_clamp(chain->state.eye_pitch, -can.limits.up, can.limits.down);
    chain->state.map_error = 0.0f;
    const bool converge = chain->def.vergence && chain->def.mode == VRM_LOOK_CHAIN_MODE_DEFAULT &&
                          chain->state.aiming && head->look_at.type == VRM_LOOK_AT_BONE;
    for (int side = 0; side < 2; ++side) {
        const int32_t node = head->bone_node[side == 0 ? VRM_HUMAN_BONE_LEFT_EYE : VRM_HUMAN_BONE_RIGHT_EYE];
        float yaw = chain->state.eye_yaw, pitch = chain->state.eye_pitch;
        if (converge && node >= 0) {
            float own_x, own_y;
            vrmi_eye_wanted(instance, vrmi_mat34_translation(&instance->world[node]), &own_x, &own_y);
            own_x += x - now_x;
            own_y += y - now_y;
            angles_of(own_x, own_y, &yaw, &pitch);
        }
        const float missed = feed_eye(instance, side, yaw, pitch);
        chain->state.map_error = vrmi_max(chain->state.map_error, missed);
    }
}

// --- remaining angle to the target -----------------------------------------------------------------------------------

static float angle_to_target(const vrm_instance *instance, vrm_vec3 eye, vrm_vec3 forward)
{
    const vrm_vec3 way = vrmi_vec3_sub(vrmi_look_at_target(instance), eye);
    const vrm_vec3 to = vrmi_vec3_normalize_or(way, forward); // a target inside the eye gives an angle of 0
    return vrmi_atan2(vrmi_vec3_length(vrmi_vec3_cross(forward, to)), vrmi_vec3_dot(forward, to));
}

// Returns the angle from a node's forward vector to the target. `forward` is in the node's own axes.
static float angle_of_node(const vrm_instance *instance, int32_t node, vrm_vec3 forward)
{
    const vrm_quat world = vrmi_quat_normalize(*vrmi_world_rotation(instance, node));
    return angle_to_target(instance, vrmi_mat34_translation(&instance->world[node]), vrmi_quat_rotate(world, forward));
}

// Returns the angle of eyes that expressions rotate. They have no bones, so the angle is computed from the weights.
static float angle_of_expressions(const vrm_instance *instance)
{
    const vrm_look_chain_def *def = &instance->look.def;
    const float *w = instance->look_weights, kept = 1.0f - instance->face.look_at_rate;
    const float left = vrmi_clamp01(w[VRMI_LOOK_LEFT]) - vrmi_clamp01(w[VRMI_LOOK_RIGHT]);
    const float down = vrmi_clamp01(w[VRMI_LOOK_DOWN]) - vrmi_clamp01(w[VRMI_LOOK_UP]);
    const vrm_quat turn =
        vrmi_quat_from_yaw_pitch(left * kept * def->expression_yaw, down * kept * def->expression_pitch);
    vrm_vec3 origin;
    vrm_quat rotation;
    vrmi_look_at_space(instance, &origin, &rotation);
    const vrm_vec3 forward = vrmi_quat_rotate(vrmi_quat_mul(rotation, turn), vrmi_vec3(0.0f, 0.0f, 1.0f));
    return angle_to_target(instance, vrmi_eye_middle(instance), forward);
}

// Returns the angle of eyes with bones. Parallel eyes look from the middle between them; with vergence, each eye looks
// from its own position.
static float angle_of_bone_eyes(const vrm_instance *instance)
{
    const vrmi_model *model = instance->model;
    const bool converge = instance->look.def.vergence && instance->look.def.mode == VRM_LOOK_CHAIN_MODE_DEFAULT;
    const vrm_vec3 middle = vrmi_eye_middle(instance), ahead = {0.0f, 0.0f, 1.0f};
    float largest = 0.0f;
    for (int side = 0; side < 2; ++side) {
        const int32_t node = model->head.bone_node[side == 0 ? VRM_HUMAN_BONE_LEFT_EYE : VRM_HUMAN_BONE_RIGHT_EYE];
        if (node < 0) {
            continue;
        }
        const vrm_quat rest = vrmi_quat_conjugate(vrmi_model_node_rest_rotation(model)[node]);
        const vrm_quat world = vrmi_quat_mul(vrmi_quat_normalize(*vrmi_world_rotation(instance, node)), rest);
        const vrm_vec3 from = converge ? vrmi_mat34_translation(&instance->world[node]) : middle;
        largest = vrmi_max(largest, angle_to_target(instance, from, vrmi_quat_rotate(world, ahead)));
    }
    return largest;
}

void vrmi_look_chain_measure(vrm_instance *instance)
{
    vrm_look_chain_state *state = &instance->look.state;
    if (!state->aiming) {
        return;
    }
    const vrmi_look_bone *first = &instance->look_bones[0];
    const bool eyes = first->node == VRM_LOOK_CHAIN_EYES || vrmi_look_side_of(instance->model, first->node) >= 0;
    if (eyes && instance->model->head.look_at.type == VRM_LOOK_AT_EXPRESSION) {
        state->error = angle_of_expressions(instance);
    } else if (first->node == VRM_LOOK_CHAIN_EYES) {
        state->error = angle_of_bone_eyes(instance);
    } else {
        state->error = angle_of_node(instance, first->node, first->forward);
    }
}
