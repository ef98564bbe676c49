// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "runtime_points.h"

#include <string.h>

enum { UNIVRM = 1 << VRM_PROFILE_UNIVRM, THREE_VRM = 1 << VRM_PROFILE_THREE_VRM };

static vrm_avatar_counts counts_of(const cli_model *model)
{
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(model->avatar, &counts);
    return counts;
}

static bool has_json(const cli_model *model, const char *pointer)
{
    vrm_string text;
    return model->gltf != NULL && vrm_gltf_get_json(model->gltf, pointer, &text) == VRM_SUCCESS;
}

static vrm_spring_joint joint_of(const cli_model *model, uint32_t index)
{
    vrm_spring_joint joint = {.struct_size = sizeof joint};
    (void)vrm_avatar_get_spring_joint(model->avatar, index, &joint);
    return joint;
}

static vrm_node node_of(const cli_model *model, uint32_t index)
{
    vrm_node node = {.struct_size = sizeof node};
    (void)vrm_avatar_get_node(model->avatar, index, &node);
    return node;
}

static uint32_t count_shapes(const cli_model *model, uint32_t shapes)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < counts_of(model).colliders; ++i) {
        vrm_collider collider = {.struct_size = sizeof collider};
        (void)vrm_avatar_get_collider(model->avatar, i, &collider);
        found += shapes >> collider.shape & 1;
    }
    return found;
}

static uint32_t count_capsules(const cli_model *model)
{
    return count_shapes(model, 1u << VRM_COLLIDER_CAPSULE);
}

static uint32_t count_inside(const cli_model *model)
{
    return count_shapes(
        model, 1u << VRM_COLLIDER_INSIDE_SPHERE | 1u << VRM_COLLIDER_INSIDE_CAPSULE | 1u << VRM_COLLIDER_PLANE);
}

static bool is_scaled(const cli_model *model, int32_t node)
{
    for (; node >= 0; node = node_of(model, (uint32_t)node).parent) {
        const vrm_vec3 s = node_of(model, (uint32_t)node).rest.scale;
        if (s.x != 1.0f || s.y != 1.0f || s.z != 1.0f) {
            return true;
        }
    }
    return false;
}

static uint32_t count_scaled(const cli_model *model)
{
    const vrm_avatar_counts counts = counts_of(model);
    uint32_t found = 0;
    for (uint32_t i = 0; i < counts.colliders; ++i) {
        vrm_collider collider = {.struct_size = sizeof collider};
        (void)vrm_avatar_get_collider(model->avatar, i, &collider);
        found += is_scaled(model, (int32_t)collider.node);
    }
    for (uint32_t i = 0; i < counts.spring_joints; ++i) {
        found += is_scaled(model, (int32_t)joint_of(model, i).node);
    }
    return found;
}

static uint32_t count_skipping(const cli_model *model)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < counts_of(model).spring_joints; ++i) {
        const vrm_spring_joint joint = joint_of(model, i);
        found += joint.tail_node >= 0 && node_of(model, (uint32_t)joint.tail_node).parent != (int32_t)joint.node;
    }
    return found;
}

static uint32_t count_joints(const cli_model *model)
{
    return counts_of(model).spring_joints;
}

static uint32_t count_limits(const cli_model *model)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < counts_of(model).spring_joints; ++i) {
        found += joint_of(model, i).limit.type != VRM_SPRING_LIMIT_NONE;
    }
    return found;
}

static uint32_t count_missing_drag(const cli_model *model)
{
    char pointer[128];
    uint32_t found = 0;
    for (uint32_t i = 0; i < counts_of(model).spring_joints; ++i) {
        const vrm_spring_joint joint = joint_of(model, i);
        static const char place[] = "/extensions/VRMC_springBone/springs/%u/joints/%u%s";
        if (has_json(model, vrmi_format(pointer, sizeof pointer, place, joint.spring, joint.joint, ""))) {
            found +=
                !has_json(model, vrmi_format(pointer, sizeof pointer, place, joint.spring, joint.joint, "/dragForce"));
        }
    }
    return found;
}

static uint32_t count_centers(const cli_model *model)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < counts_of(model).spring_chains; ++i) {
        vrm_spring_chain chain = {.struct_size = sizeof chain};
        (void)vrm_avatar_get_spring_chain(model->avatar, i, &chain);
        found += chain.center >= 0;
    }
    return found;
}

// Counts the chains whose first joint is not a child of a bone. three-vrm measures them before their positions are
// known.
static uint32_t count_apart(const cli_model *model)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < counts_of(model).spring_chains; ++i) {
        vrm_spring_chain chain = {.struct_size = sizeof chain};
        (void)vrm_avatar_get_spring_chain(model->avatar, i, &chain);
        const int32_t parent =
            chain.joint_count > 0 ? node_of(model, joint_of(model, chain.first_joint).node).parent : -1;
        found += parent >= 0 && node_of(model, (uint32_t)parent).human_bone < 0;
    }
    return found;
}

static uint32_t count_gaze(const cli_model *model)
{
    vrm_look_at look = {.struct_size = sizeof look};
    vrm_avatar_get_look_at(model->avatar, &look);
    const bool eyes = vrm_avatar_get_bone_node(model->avatar, VRM_HUMAN_BONE_LEFT_EYE) >= 0 ||
                      vrm_avatar_get_bone_node(model->avatar, VRM_HUMAN_BONE_RIGHT_EYE) >= 0;
    return look.type == VRM_LOOK_AT_EXPRESSION || (look.type == VRM_LOOK_AT_BONE && eyes);
}

static uint32_t count_unlike_maps(const cli_model *model)
{
    vrm_look_at look = {.struct_size = sizeof look};
    vrm_avatar_get_look_at(model->avatar, &look);
    return count_gaze(model) && look.type == VRM_LOOK_AT_BONE &&
           (look.vertical_down.input_max != look.vertical_up.input_max ||
               look.vertical_down.output_scale != look.vertical_up.output_scale);
}

static uint32_t count_curves(const cli_model *model)
{
    uint32_t found = 0;
    for (int i = 0; i < VRM_LOOK_DIRECTION_COUNT; ++i) {
        uint32_t keys = 0;
        found += vrm_avatar_get_look_curve(model->avatar, (vrm_look_direction)i, &keys) != NULL;
    }
    return found;
}

static uint32_t count_overrides(const cli_model *model)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < counts_of(model).expressions; ++i) {
        vrm_expression e = {.struct_size = sizeof e};
        (void)vrm_avatar_get_expression(model->avatar, i, &e);
        found += e.override_look_at != VRM_EXPRESSION_OVERRIDE_NONE ||
                 (e.group == VRM_EXPRESSION_GROUP_BLINK && e.override_blink != VRM_EXPRESSION_OVERRIDE_NONE) ||
                 (e.group == VRM_EXPRESSION_GROUP_MOUTH && e.override_mouth != VRM_EXPRESSION_OVERRIDE_NONE);
    }
    return found;
}

static uint32_t count_eye_constraints(const cli_model *model)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < counts_of(model).constraints; ++i) {
        vrm_constraint c = {.struct_size = sizeof c};
        (void)vrm_avatar_get_constraint(model->avatar, i, &c);
        for (int32_t node = (int32_t)c.source; node >= 0; node = node_of(model, (uint32_t)node).parent) {
            const int32_t bone = node_of(model, (uint32_t)node).human_bone;
            found += bone == VRM_HUMAN_BONE_LEFT_EYE || bone == VRM_HUMAN_BONE_RIGHT_EYE;
        }
    }
    return found;
}

static uint32_t count_old_gravity(const cli_model *model)
{
    char pointer[100];
    uint32_t found = 0;
    for (uint32_t i = 0;
         has_json(model, vrmi_format(pointer, sizeof pointer, "/extensions/VRM/secondaryAnimation/boneGroups/%u", i));
         ++i) {
        vrm_string text;
        double z = 0.0;
        (void)vrmi_format(pointer, sizeof pointer, "/extensions/VRM/secondaryAnimation/boneGroups/%u/gravityDir/z", i);
        if (vrm_gltf_get_json(model->gltf, pointer, &text) == VRM_SUCCESS) {
            (void)vrmi_parse_double(text.data, text.length, &z);
        }
        found += z != 0.0;
    }
    return found;
}

const runtime_point runtime_points[] = {
    {"spring joints, which keep their length of the last frame", THREE_VRM, 0, count_joints},
    {"capsules, which collide at the point nearest to the head", UNIVRM, 0, count_capsules},
    {"planes and inside colliders, which change the joint's length", UNIVRM, 0, count_inside},
    {"joints without dragForce, for which 0.4 is used", THREE_VRM, 0, count_missing_drag},
    {"joints with limits, which are ignored", THREE_VRM, 0, count_limits},
    {"joints that skip nodes and therefore have another axis", 0, UNIVRM | THREE_VRM, count_skipping},
    {"joints and colliders on scaled nodes", 0, UNIVRM | THREE_VRM, count_scaled},
    {"springs with a center", 0, THREE_VRM, count_centers},
    {"springs below nodes that are not bones, which start differently", 0, THREE_VRM, count_apart},
    {"the gaze, which starts from the head of the last frame", THREE_VRM, 0, count_gaze},
    {"bone gaze whose maps for up and down differ, and are swapped", THREE_VRM, 0, count_unlike_maps},
    {"curves of a 0.x gaze, which are read as straight lines", THREE_VRM, 0, count_curves},
    {"expressions that override the gaze or their own kind", THREE_VRM, 0, count_overrides},
    {"constraints with eyes as sources, which run before the gaze", UNIVRM, 0, count_eye_constraints},
    {"0.x gravity along z, whose axes are not converted", THREE_VRM, 0, count_old_gravity},
};
const uint32_t runtime_point_count = sizeof runtime_points / sizeof runtime_points[0];
