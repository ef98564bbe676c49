// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "ragdoll/anatomy.h"

#include "base/checks.h"
#include "model/names.h"

#define AT(detail) (1u << VRM_RAGDOLL_DETAIL_##detail)
#define EVERYWHERE (AT(7) | AT(11) | AT(16) | AT(ALL))
#define FROM_11 (AT(11) | AT(16) | AT(ALL))
#define FROM_16 (AT(16) | AT(ALL))

#define CONE VRM_RAGDOLL_SHAPE_CAPSULE, VRM_RAGDOLL_JOINT_CONE
#define HINGE VRM_RAGDOLL_SHAPE_CAPSULE, VRM_RAGDOLL_JOINT_HINGE
#define BOX_CONE VRM_RAGDOLL_SHAPE_BOX, VRM_RAGDOLL_JOINT_CONE
#define BOX_HINGE VRM_RAGDOLL_SHAPE_BOX, VRM_RAGDOLL_JOINT_HINGE

#define GROUP(name) VRM_RAGDOLL_GROUP_##name
#define UP \
    { \
        0, 1, 0 \
    }
#define DOWN \
    { \
        0, -1, 0 \
    }
#define LEFT \
    { \
        1, 0, 0 \
    }
#define FORWARD \
    { \
        0, 0, 1 \
    }
#define BACK \
    { \
        0, 0, -1 \
    }
#define THUMB \
    { \
        0.70710678f, 0, 0.70710678f \
    }

// Masses: means of women and men in P. de Leva, "Adjustments to Zatsiorsky-Seluyanov's segment inertia parameters",
// Journal of Biomechanics 29 (1996), table 4: head with neck 6.81, upper trunk 15.705, middle trunk 15.49, lower trunk
// 11.82, upper arm 2.63, forearm 1.50, hand 0.585, thigh 14.47, shank 4.57, foot 1.33. If the humanoid has more bones
// than that table has segments, a segment's mass is divided by estimated volumes.
//
// Limits: American Academy of Orthopaedic Surgeons, "Joint Motion: Method of Measuring and Recording" (1965), relative
// to the T-pose. Palms down is the end of pronation, so the hand has the whole range of supination. The forearm is a
// hinge, so its rotation belongs to the wrist. The spine's range is divided among three bones, the neck's between two.
// Ranges that are not in the book (shoulder girdle, foot about its leg, fingers' twist) are estimated.
//
// Hinges bend about the axes of the draft of VRM 1.0: elbow Y, knee and toes X, fingers Z, thumb Y.
static const vrmi_anatomy left[VRM_HUMAN_BONE_COUNT] = {
    [VRM_HUMAN_BONE_HIPS] = {EVERYWHERE, GROUP(PELVIS), 11.82f, 0.075f, VRM_RAGDOLL_SHAPE_CAPSULE,
        VRM_RAGDOLL_JOINT_FREE, VRMI_FRAME_FIXED, UP, FORWARD, 0, 0, 0, 0, 0, 0},
    // Positive directions of spine to head: z forward. The range of y, to the sides, is symmetric.
    [VRM_HUMAN_BONE_SPINE] = {FROM_16, GROUP(TORSO), 15.49f, 0.065f, CONE, VRMI_FRAME_FIXED, UP, FORWARD, //
        -15, 15, -15, 40, -10, 10},
    [VRM_HUMAN_BONE_CHEST] = {EVERYWHERE, GROUP(TORSO), 8.005f, 0.07f, CONE, VRMI_FRAME_FIXED, UP, FORWARD, //
        -12, 12, -6, 25, -20, 20},
    [VRM_HUMAN_BONE_UPPER_CHEST] = {AT(ALL), GROUP(TORSO), 5.3f, 0.065f, CONE, VRMI_FRAME_FIXED, UP, FORWARD, //
        -8, 8, -4, 15, -15, 15},
    [VRM_HUMAN_BONE_NECK] = {AT(ALL), GROUP(HEAD), 1.1f, 0.03f, CONE, VRMI_FRAME_FIXED, UP, FORWARD, //
        -20, 20, -20, 20, -25, 25},
    [VRM_HUMAN_BONE_HEAD] = {EVERYWHERE, GROUP(HEAD), 5.71f, 0.06f, CONE, VRMI_FRAME_FIXED, UP, FORWARD, //
        -25, 25, -25, 25, -35, 35},
    // Positive directions: y back, z outwards, twist inwards.
    [VRM_HUMAN_BONE_LEFT_UPPER_LEG] = {EVERYWHERE, GROUP(LEFT_LEG), 14.47f, 0.045f, CONE, VRMI_FRAME_T_POSE, DOWN, LEFT,
        -120, 30, -30, 45, -45, 45},
    [VRM_HUMAN_BONE_LEFT_LOWER_LEG] = {FROM_11, GROUP(LEFT_LEG), 4.57f, 0.032f, HINGE, VRMI_FRAME_T_POSE, LEFT, UP, //
        0, 0, 0, 0, 0, 135},
    // Positive directions: y toes down, z toes outwards, twist outer edge up.
    [VRM_HUMAN_BONE_LEFT_FOOT] = {FROM_16, GROUP(LEFT_LEG), 1.1f, 0.025f, BOX_CONE, VRMI_FRAME_FIXED, FORWARD, LEFT, //
        -20, 50, -15, 15, -35, 15},
    [VRM_HUMAN_BONE_LEFT_TOES] = {AT(ALL), GROUP(LEFT_LEG), 0.23f, 0.02f, BOX_HINGE, VRMI_FRAME_FIXED, LEFT, UP, //
        0, 0, 0, 0, -70, 45},
    // Positive directions: y back, z up.
    [VRM_HUMAN_BONE_LEFT_SHOULDER] = {AT(ALL), GROUP(TORSO), 1.2f, 0.03f, CONE, VRMI_FRAME_BONE, LEFT, UP, //
        -20, 20, -10, 30, -10, 10},
    // Positive directions: y back, z up, twist inwards.
    [VRM_HUMAN_BONE_LEFT_UPPER_ARM] = {EVERYWHERE, GROUP(LEFT_ARM), 2.63f, 0.027f, CONE, VRMI_FRAME_T_POSE, LEFT, UP, //
        -135, 45, -105, 90, -90, 70},
    [VRM_HUMAN_BONE_LEFT_LOWER_ARM] = {FROM_11, GROUP(LEFT_ARM), 1.5f, 0.023f, HINGE, VRMI_FRAME_T_POSE, DOWN, FORWARD,
        0, 0, 0, 0, 0, 150},
    // Positive directions: y towards the little finger, z up, twist palm back.
    [VRM_HUMAN_BONE_LEFT_HAND] = {FROM_16, GROUP(LEFT_ARM), 0.3f, 0.02f, CONE, VRMI_FRAME_BONE, LEFT, UP, //
        -20, 30, -80, 70, -150, 10},
    [VRM_HUMAN_BONE_LEFT_THUMB_METACARPAL] = {AT(ALL), GROUP(LEFT_ARM), 0.019f, 0.007f, CONE, VRMI_FRAME_BONE, THUMB,
        UP, -20, 15, -30, 30, -15, 15},
    [VRM_HUMAN_BONE_LEFT_THUMB_PROXIMAL] = {AT(ALL), GROUP(LEFT_ARM), 0.019f, 0.006f, HINGE, VRMI_FRAME_FIXED, UP,
        THUMB, 0, 0, 0, 0, 0, 50},
    [VRM_HUMAN_BONE_LEFT_THUMB_DISTAL] = {AT(ALL), GROUP(LEFT_ARM), 0.019f, 0.006f, HINGE, VRMI_FRAME_FIXED, UP, THUMB,
        0, 0, 0, 0, -20, 80},
#define FINGER(name) \
    [VRM_HUMAN_BONE_LEFT_##name##_PROXIMAL] = {AT(ALL), GROUP(LEFT_ARM), 0.019f, 0.006f, CONE, VRMI_FRAME_BONE, LEFT, \
        UP, -20, 20, -90, 45, -10, 10}, \
    [VRM_HUMAN_BONE_LEFT_##name##_INTERMEDIATE] = {AT(ALL), GROUP(LEFT_ARM), 0.019f, 0.005f, HINGE, VRMI_FRAME_FIXED, \
        BACK, UP, 0, 0, 0, 0, 0, 100}, \
    [VRM_HUMAN_BONE_LEFT_##name##_DISTAL] = { \
        AT(ALL), GROUP(LEFT_ARM), 0.019f, 0.005f, HINGE, VRMI_FRAME_FIXED, BACK, UP, 0, 0, 0, 0, 0, 90}
    FINGER(INDEX),
    FINGER(MIDDLE),
    FINGER(RING),
    FINGER(LITTLE),
#undef FINGER
};

bool vrmi_anatomy_is_middle(vrm_human_bone bone)
{
    return vrmi_human_bone_mirror(bone) == bone;
}

bool vrmi_anatomy_is_right(vrm_human_bone bone)
{
    return vrm_human_bone_name(bone)[0] == 'r' && !vrmi_anatomy_is_middle(bone);
}

const vrmi_anatomy *vrmi_anatomy_of(vrm_human_bone bone)
{
    return &left[vrmi_anatomy_is_right(bone) ? vrmi_human_bone_mirror(bone) : bone];
}

int32_t vrmi_anatomy_tip(vrm_human_bone bone, uint32_t choice)
{
    // The bones to which a bone with several children may point. Every other bone points to its only child.
    static const struct {
        vrm_human_bone bone;
        vrm_human_bone tips[3];
    } special[] = {
        {VRM_HUMAN_BONE_HIPS, {VRM_HUMAN_BONE_SPINE, VRM_HUMAN_BONE_CHEST, VRM_HUMAN_BONE_HEAD}},
        {VRM_HUMAN_BONE_CHEST, {VRM_HUMAN_BONE_UPPER_CHEST, VRM_HUMAN_BONE_NECK, VRM_HUMAN_BONE_HEAD}},
        {VRM_HUMAN_BONE_SPINE, {VRM_HUMAN_BONE_CHEST, VRM_HUMAN_BONE_NECK, VRM_HUMAN_BONE_HEAD}},
        {VRM_HUMAN_BONE_UPPER_CHEST, {VRM_HUMAN_BONE_NECK, VRM_HUMAN_BONE_HEAD, VRM_HUMAN_BONE_HEAD}},
        {VRM_HUMAN_BONE_LEFT_HAND, {VRM_HUMAN_BONE_LEFT_MIDDLE_PROXIMAL, VRM_HUMAN_BONE_LEFT_INDEX_PROXIMAL,
                                       VRM_HUMAN_BONE_LEFT_RING_PROXIMAL}},
        {VRM_HUMAN_BONE_RIGHT_HAND, {VRM_HUMAN_BONE_RIGHT_MIDDLE_PROXIMAL, VRM_HUMAN_BONE_RIGHT_INDEX_PROXIMAL,
                                        VRM_HUMAN_BONE_RIGHT_RING_PROXIMAL}},
    };
    for (uint32_t i = 0; i < VRMI_COUNT_OF(special); ++i) {
        if (special[i].bone == bone) {
            return choice < VRMI_COUNT_OF(special[i].tips) ? (int32_t)special[i].tips[choice] : -1;
        }
    }
    for (int32_t child = 0; child < VRM_HUMAN_BONE_COUNT && bone != VRM_HUMAN_BONE_HEAD; ++child) {
        if (child != (int32_t)bone && vrm_human_bone_parent((vrm_human_bone)child) == (int32_t)bone) {
            return choice == 0 ? child : -1;
        }
    }
    return -1;
}
