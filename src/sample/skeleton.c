// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "sample/figure.h"

#include <string.h>

// Bones in the order of VRM_HUMAN_BONES, then the helpers. Only the left half is listed, and the right half is
// mirrored. At rest, arms are rotated so that +Y points along them, and eyes look slightly outwards. A reader that
// assumes identity rest rotations therefore shows visible faults.

static const char *const bone_names[] = {
#define BONE_NAME(name, number, json, parent, required, needs) [number] = json,
    VRM_HUMAN_BONES(BONE_NAME)
#undef BONE_NAME
};

static const int bone_parents[] = {
#define BONE_PARENT(name, number, json, parent, required, needs) [number] = VRM_HUMAN_BONE_##parent,
    VRM_HUMAN_BONES(BONE_PARENT)
#undef BONE_PARENT
};

int vrmi_sample_add_node(vrmi_sample_figure *figure, const char *name, int parent, vrm_vec3 position, vrm_quat rotation)
{
    if (!VRM_ASSERT(figure->node_count < VRMI_SAMPLE_MAX_NODES)) {
        return 0;
    }
    vrmi_sample_node *node = &figure->nodes[figure->node_count];
    *node =
        (vrmi_sample_node){.parent = parent, .mirror = figure->node_count, .position = position, .rotation = rotation};
    size_t length = strlen(name);
    if (length >= sizeof(node->name)) {
        length = sizeof(node->name) - 1;
    }
    memcpy(node->name, name, length);
    return figure->node_count++;
}

void vrmi_sample_pair_nodes(vrmi_sample_figure *figure, int left, int right)
{
    figure->nodes[left].mirror = right;
    figure->nodes[right].mirror = left;
}

// Returns a rotation mirrored at x = 0.
static vrm_quat mirror_rotation(vrm_quat q)
{
    return (vrm_quat){q.x, -q.y, -q.z, q.w};
}

// Returns the left bone that a right bone mirrors; -1 for all other bones.
static int left_of(int bone)
{
    if (strncmp(bone_names[bone], "right", 5) != 0) {
        return -1;
    }
    for (int b = 0; b < VRM_HUMAN_BONE_COUNT; ++b) {
        if (strncmp(bone_names[b], "left", 4) == 0 && strcmp(bone_names[b] + 4, bone_names[bone] + 5) == 0) {
            return b;
        }
    }
    return -1;
}

static bool is_arm(int bone)
{
    while (bone != VRM_HUMAN_BONE_HIPS) {
        if (bone == VRM_HUMAN_BONE_LEFT_UPPER_ARM) {
            return true;
        }
        bone = bone_parents[bone];
    }
    return false;
}

static vrm_quat left_rest_rotation(int bone)
{
    const vrm_vec3 y = {0.0f, 1.0f, 0.0f};
    if (bone == VRM_HUMAN_BONE_LEFT_THUMB_METACARPAL || bone == VRM_HUMAN_BONE_LEFT_THUMB_PROXIMAL ||
        bone == VRM_HUMAN_BONE_LEFT_THUMB_DISTAL) {
        return vrmi_quat_from_to(y, vrmi_vec3_normalize_or(vrmi_vec3(1.0f, 0.0f, 1.0f), y));
    }
    if (is_arm(bone)) {
        return vrmi_quat_from_to(y, vrmi_vec3(1.0f, 0.0f, 0.0f));
    }
    if (bone == VRM_HUMAN_BONE_LEFT_UPPER_LEG || bone == VRM_HUMAN_BONE_LEFT_LOWER_LEG) {
        return vrmi_quat_from_axis_angle(vrmi_vec3(1.0f, 0.0f, 0.0f), VRMI_PI);
    }
    return vrmi_quat_identity();
}

static void place_bone(vrmi_sample_figure *figure, const vrmi_sample_bones *bones, int bone)
{
    const int parent = bone == VRM_HUMAN_BONE_HIPS ? 0 : bone_parents[bone] + 1;
    const int left = left_of(bone);
    if (left >= 0) {
        const vrmi_sample_node *source = &figure->nodes[left + 1];
        const vrm_vec3 p = {-source->position.x, source->position.y, source->position.z};
        const int node = vrmi_sample_add_node(figure, bone_names[bone], parent, p, mirror_rotation(source->rotation));
        vrmi_sample_pair_nodes(figure, left + 1, node);
        return;
    }
    vrm_vec3 position = {0.0f, 0.0f, 0.0f};
    vrm_quat rotation = left_rest_rotation(bone);
    for (int i = 0; i < bones->count; ++i) {
        if ((int)bones->places[i].bone == bone) {
            position = bones->places[i].position;
        }
    }
    if (bone == VRM_HUMAN_BONE_LEFT_EYE) {
        position = bones->eye;
        rotation = vrmi_quat_from_yaw_pitch(vrmi_atan2(bones->eye_direction.x, bones->eye_direction.z), 0.0f);
    }
    vrmi_sample_add_node(figure, bone_names[bone], parent, position, rotation);
}

void vrmi_sample_add_helper_pair(vrmi_sample_figure *figure, const vrmi_sample_helper *helper, int out[2])
{
    const vrmi_sample_node *nodes = figure->nodes;
    const int p = vrmi_sample_bone(helper->parent);
    const vrm_vec3 position = vrmi_vec3_lerp(
        nodes[vrmi_sample_bone(helper->from)].position, nodes[vrmi_sample_bone(helper->to)].position, helper->t);
    const vrm_quat rotation = nodes[p].rotation;
    out[0] = vrmi_sample_add_node(figure, helper->names[0], p, position, rotation);
    out[1] = vrmi_sample_add_node(figure, helper->names[1], nodes[p].mirror,
        vrmi_vec3(-position.x, position.y, position.z), mirror_rotation(rotation));
    vrmi_sample_pair_nodes(figure, out[0], out[1]);
}

void vrmi_sample_constrain(vrmi_sample_figure *figure, const vrmi_sample_constraint *left, const char *right_axis)
{
    if (!VRM_ASSERT(figure->constraint_count + 2 <= VRMI_SAMPLE_MAX_CONSTRAINTS)) {
        return;
    }
    figure->constraints[figure->constraint_count++] = *left;
    figure->constraints[figure->constraint_count++] = (vrmi_sample_constraint){
        figure->nodes[left->node].mirror, figure->nodes[left->source].mirror, left->type, right_axis, left->weight};
}

void vrmi_sample_add_bones(vrmi_sample_figure *figure, const vrmi_sample_bones *bones)
{
    vrmi_sample_add_node(figure, "Root", -1, vrmi_vec3(0.0f, 0.0f, 0.0f), vrmi_quat_identity());
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        place_bone(figure, bones, bone);
    }
}
