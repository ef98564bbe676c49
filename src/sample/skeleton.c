// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "sample/figure.h"

#include <string.h>

// Bones in the order of VRM_HUMAN_BONES, then the helpers. Only the left half is written down; the right one is its
// image. Arms are turned at rest so that +Y runs along them, and eyes look the way they lie in the face: readers that
// believe rest rotations to be identity are then wrong at sight.

typedef struct bone_place {
    vrm_human_bone bone;
    vrm_vec3 position;
} bone_place;

static const bone_place places[] = {
    {VRM_HUMAN_BONE_HIPS, {0.0f, 0.865f, 0.0f}},
    {VRM_HUMAN_BONE_SPINE, {0.0f, 0.925f, -0.002f}},
    {VRM_HUMAN_BONE_CHEST, {0.0f, 1.0f, -0.006f}},
    {VRM_HUMAN_BONE_UPPER_CHEST, {0.0f, 1.085f, -0.01f}},
    {VRM_HUMAN_BONE_NECK, {0.0f, 1.192f, -0.018f}},
    {VRM_HUMAN_BONE_HEAD, {0.0f, 1.262f, -0.01f}},
    {VRM_HUMAN_BONE_JAW, {0.0f, 1.287f, 0.012f}},
    {VRM_HUMAN_BONE_LEFT_UPPER_LEG, {0.066f, 0.83f, 0.0f}},
    {VRM_HUMAN_BONE_LEFT_LOWER_LEG, {0.060f, 0.45f, 0.005f}},
    {VRM_HUMAN_BONE_LEFT_FOOT, {0.056f, 0.078f, -0.012f}},
    {VRM_HUMAN_BONE_LEFT_TOES, {0.056f, 0.022f, 0.062f}},
    {VRM_HUMAN_BONE_LEFT_SHOULDER, {0.026f, 1.163f, -0.012f}},
    {VRM_HUMAN_BONE_LEFT_UPPER_ARM, {0.112f, 1.158f, -0.012f}},
    {VRM_HUMAN_BONE_LEFT_LOWER_ARM, {0.315f, 1.158f, -0.012f}},
    {VRM_HUMAN_BONE_LEFT_HAND, {0.506f, 1.158f, -0.010f}},
    {VRM_HUMAN_BONE_LEFT_THUMB_METACARPAL, {0.520f, 1.152f, 0.010f}},
    {VRM_HUMAN_BONE_LEFT_THUMB_PROXIMAL, {0.541f, 1.149f, 0.031f}},
    {VRM_HUMAN_BONE_LEFT_THUMB_DISTAL, {0.557f, 1.149f, 0.047f}},
    {VRM_HUMAN_BONE_LEFT_INDEX_PROXIMAL, {0.572f, 1.158f, 0.0155f}},
    {VRM_HUMAN_BONE_LEFT_INDEX_INTERMEDIATE, {0.602f, 1.158f, 0.0165f}},
    {VRM_HUMAN_BONE_LEFT_INDEX_DISTAL, {0.620f, 1.158f, 0.0170f}},
    {VRM_HUMAN_BONE_LEFT_MIDDLE_PROXIMAL, {0.574f, 1.159f, -0.003f}},
    {VRM_HUMAN_BONE_LEFT_MIDDLE_INTERMEDIATE, {0.607f, 1.159f, -0.003f}},
    {VRM_HUMAN_BONE_LEFT_MIDDLE_DISTAL, {0.627f, 1.159f, -0.003f}},
    {VRM_HUMAN_BONE_LEFT_RING_PROXIMAL, {0.571f, 1.158f, -0.0205f}},
    {VRM_HUMAN_BONE_LEFT_RING_INTERMEDIATE, {0.601f, 1.158f, -0.0215f}},
    {VRM_HUMAN_BONE_LEFT_RING_DISTAL, {0.619f, 1.158f, -0.0220f}},
    {VRM_HUMAN_BONE_LEFT_LITTLE_PROXIMAL, {0.565f, 1.156f, -0.0370f}},
    {VRM_HUMAN_BONE_LEFT_LITTLE_INTERMEDIATE, {0.589f, 1.156f, -0.0390f}},
    {VRM_HUMAN_BONE_LEFT_LITTLE_DISTAL, {0.604f, 1.156f, -0.0400f}},
};

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

// A rotation seen in the mirror x = 0.
static vrm_quat mirror_rotation(vrm_quat q)
{
    return (vrm_quat){q.x, -q.y, -q.z, q.w};
}

// The bone that a right one mirrors, -1 for all others.
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

static void place_bone(vrmi_sample_figure *figure, int bone)
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
    for (size_t i = 0; i < VRMI_COUNT_OF(places); ++i) {
        if ((int)places[i].bone == bone) {
            position = places[i].position;
        }
    }
    if (bone == VRM_HUMAN_BONE_LEFT_EYE) {
        vrm_vec3 direction;
        vrmi_sample_eye_frame(0, &position, &direction);
        rotation = vrmi_quat_from_yaw_pitch(vrmi_atan2(direction.x, direction.z), 0.0f);
    }
    vrmi_sample_add_node(figure, bone_names[bone], parent, position, rotation);
}

// A helper on the left arm or leg and its image: at `t` of the way between two bones, turned like `parent`.
static void add_helper_pair(vrmi_sample_figure *figure, const char *const names[2], vrm_human_bone parent,
    vrm_human_bone from, vrm_human_bone to, float t, int out[2])
{
    const vrmi_sample_node *nodes = figure->nodes;
    const int p = vrmi_sample_bone(parent);
    const vrm_vec3 position =
        vrmi_vec3_lerp(nodes[vrmi_sample_bone(from)].position, nodes[vrmi_sample_bone(to)].position, t);
    const vrm_quat rotation = nodes[p].rotation;
    out[0] = vrmi_sample_add_node(figure, names[0], p, position, rotation);
    out[1] = vrmi_sample_add_node(
        figure, names[1], nodes[p].mirror, vrmi_vec3(-position.x, position.y, position.z), mirror_rotation(rotation));
    vrmi_sample_pair_nodes(figure, out[0], out[1]);
}

void vrmi_sample_add_skeleton(vrmi_sample_figure *figure)
{
    vrmi_sample_add_node(figure, "Root", -1, vrmi_vec3(0.0f, 0.0f, 0.0f), vrmi_quat_identity());
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        place_bone(figure, bone);
    }
    static const char *const upper[2] = {"leftUpperArmTwist", "rightUpperArmTwist"};
    static const char *const lower[2] = {"leftLowerArmTwist", "rightLowerArmTwist"};
    static const char *const pads[2] = {"leftShoulderPad", "rightShoulderPad"};
    static const char *const knees[2] = {"leftKnee", "rightKnee"};
    vrmi_sample_helpers *h = &figure->helpers;
    add_helper_pair(figure, upper, VRM_HUMAN_BONE_LEFT_UPPER_ARM, VRM_HUMAN_BONE_LEFT_UPPER_ARM,
        VRM_HUMAN_BONE_LEFT_LOWER_ARM, 0.5f, h->upper_arm_twist);
    add_helper_pair(figure, lower, VRM_HUMAN_BONE_LEFT_LOWER_ARM, VRM_HUMAN_BONE_LEFT_LOWER_ARM,
        VRM_HUMAN_BONE_LEFT_HAND, 0.5f, h->lower_arm_twist);
    add_helper_pair(figure, pads, VRM_HUMAN_BONE_LEFT_SHOULDER, VRM_HUMAN_BONE_LEFT_UPPER_ARM,
        VRM_HUMAN_BONE_LEFT_LOWER_ARM, 0.0f, h->shoulder_pad);
    add_helper_pair(figure, knees, VRM_HUMAN_BONE_LEFT_UPPER_LEG, VRM_HUMAN_BONE_LEFT_UPPER_LEG,
        VRM_HUMAN_BONE_LEFT_LOWER_LEG, 1.0f, h->knee);
    h->pin = vrmi_sample_add_node(figure, "HairPin", vrmi_sample_bone(VRM_HUMAN_BONE_HEAD),
        vrmi_vec3(0.0880f, 1.4285f, 0.0805f), vrmi_quat_from_yaw_pitch(0.83f, -0.32f));
}
