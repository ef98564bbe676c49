// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Finds the nodes that belong to the head. The silhouettes that locate a face need this information for each joint.

#include "internal.h"

#include <stdlib.h>

// Marks spring chains. The head moves the hair, but long hair does not belong to a face.
static void mark_springs(uint8_t *parts, const vrm_avatar *avatar, uint32_t joints)
{
    for (uint32_t i = 0; i < joints; ++i) {
        vrm_spring_joint joint = {.struct_size = sizeof joint};
        vrm_node node = {.struct_size = sizeof node};
        (void)vrm_avatar_get_spring_joint(avatar, i, &joint);
        (void)vrm_avatar_get_node(avatar, joint.node, &node);
        for (uint32_t n = joint.node; n < node.subtree_end; ++n) {
            parts[n] &= (uint8_t)~VRMR_PART_HEAD;
        }
    }
}

bool vrmr_load_parts(vrm_render_model *model, const vrm_avatar *avatar)
{
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(avatar, &counts);
    uint32_t joints = 0;
    for (uint32_t i = 0; i < counts.palettes; ++i) {
        vrm_palette palette = {.struct_size = sizeof palette};
        (void)vrm_avatar_get_palette(avatar, i, &palette);
        joints =
            palette.first_joint + palette.joint_count > joints ? palette.first_joint + palette.joint_count : joints;
    }
    model->node_parts = calloc(counts.nodes + 1u, 1);
    model->joint_parts = calloc(joints + 1u, 1);
    if (model->node_parts == NULL || model->joint_parts == NULL) {
        return false;
    }
    const int32_t head = vrm_avatar_get_bone_node(avatar, VRM_HUMAN_BONE_HEAD);
    vrm_node node = {.struct_size = sizeof node};
    if (head >= 0 && vrm_avatar_get_node(avatar, (uint32_t)head, &node) == VRM_SUCCESS) {
        for (uint32_t n = (uint32_t)head; n < node.subtree_end; ++n) {
            model->node_parts[n] = VRMR_PART_HEAD | VRMR_PART_CARRIED;
        }
        mark_springs(model->node_parts, avatar, counts.spring_joints);
    }
    for (uint32_t i = 0; i < counts.palettes; ++i) {
        vrm_palette palette = {.struct_size = sizeof palette};
        (void)vrm_avatar_get_palette(avatar, i, &palette);
        for (uint32_t j = 0; j < palette.joint_count; ++j) {
            model->joint_parts[palette.first_joint + j] = model->node_parts[palette.nodes[j]];
        }
    }
    return true;
}
