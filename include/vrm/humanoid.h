// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_HUMANOID_H
#define VRM_HUMANOID_H

/// @file humanoid.h
/// The 55 humanoid bones of VRM 1.0 (VRMC_vrm-1.0 humanoid).

#include <vrm/base.h>

/// X(NAME, "jsonName", PARENT, required, needs_parent). A parent comes before its children; a missing optional parent
/// is replaced by its own. `needs_parent`: the bone may exist only when PARENT does.
#define VRM_HUMAN_BONES(X) \
    X(HIPS, "hips", HIPS, 1, 0) \
    X(SPINE, "spine", HIPS, 1, 0) \
    X(CHEST, "chest", SPINE, 0, 0) \
    X(UPPER_CHEST, "upperChest", CHEST, 0, 1) \
    X(NECK, "neck", UPPER_CHEST, 0, 0) \
    X(HEAD, "head", NECK, 1, 0) \
    X(LEFT_EYE, "leftEye", HEAD, 0, 0) \
    X(RIGHT_EYE, "rightEye", HEAD, 0, 0) \
    X(JAW, "jaw", HEAD, 0, 0) \
    X(LEFT_UPPER_LEG, "leftUpperLeg", HIPS, 1, 0) \
    X(LEFT_LOWER_LEG, "leftLowerLeg", LEFT_UPPER_LEG, 1, 0) \
    X(LEFT_FOOT, "leftFoot", LEFT_LOWER_LEG, 1, 0) \
    X(LEFT_TOES, "leftToes", LEFT_FOOT, 0, 0) \
    X(RIGHT_UPPER_LEG, "rightUpperLeg", HIPS, 1, 0) \
    X(RIGHT_LOWER_LEG, "rightLowerLeg", RIGHT_UPPER_LEG, 1, 0) \
    X(RIGHT_FOOT, "rightFoot", RIGHT_LOWER_LEG, 1, 0) \
    X(RIGHT_TOES, "rightToes", RIGHT_FOOT, 0, 0) \
    X(LEFT_SHOULDER, "leftShoulder", UPPER_CHEST, 0, 0) \
    X(LEFT_UPPER_ARM, "leftUpperArm", LEFT_SHOULDER, 1, 0) \
    X(LEFT_LOWER_ARM, "leftLowerArm", LEFT_UPPER_ARM, 1, 0) \
    X(LEFT_HAND, "leftHand", LEFT_LOWER_ARM, 1, 0) \
    X(RIGHT_SHOULDER, "rightShoulder", UPPER_CHEST, 0, 0) \
    X(RIGHT_UPPER_ARM, "rightUpperArm", RIGHT_SHOULDER, 1, 0) \
    X(RIGHT_LOWER_ARM, "rightLowerArm", RIGHT_UPPER_ARM, 1, 0) \
    X(RIGHT_HAND, "rightHand", RIGHT_LOWER_ARM, 1, 0) \
    X(LEFT_THUMB_METACARPAL, "leftThumbMetacarpal", LEFT_HAND, 0, 0) \
    X(LEFT_THUMB_PROXIMAL, "leftThumbProximal", LEFT_THUMB_METACARPAL, 0, 1) \
    X(LEFT_THUMB_DISTAL, "leftThumbDistal", LEFT_THUMB_PROXIMAL, 0, 1) \
    X(LEFT_INDEX_PROXIMAL, "leftIndexProximal", LEFT_HAND, 0, 0) \
    X(LEFT_INDEX_INTERMEDIATE, "leftIndexIntermediate", LEFT_INDEX_PROXIMAL, 0, 1) \
    X(LEFT_INDEX_DISTAL, "leftIndexDistal", LEFT_INDEX_INTERMEDIATE, 0, 1) \
    X(LEFT_MIDDLE_PROXIMAL, "leftMiddleProximal", LEFT_HAND, 0, 0) \
    X(LEFT_MIDDLE_INTERMEDIATE, "leftMiddleIntermediate", LEFT_MIDDLE_PROXIMAL, 0, 1) \
    X(LEFT_MIDDLE_DISTAL, "leftMiddleDistal", LEFT_MIDDLE_INTERMEDIATE, 0, 1) \
    X(LEFT_RING_PROXIMAL, "leftRingProximal", LEFT_HAND, 0, 0) \
    X(LEFT_RING_INTERMEDIATE, "leftRingIntermediate", LEFT_RING_PROXIMAL, 0, 1) \
    X(LEFT_RING_DISTAL, "leftRingDistal", LEFT_RING_INTERMEDIATE, 0, 1) \
    X(LEFT_LITTLE_PROXIMAL, "leftLittleProximal", LEFT_HAND, 0, 0) \
    X(LEFT_LITTLE_INTERMEDIATE, "leftLittleIntermediate", LEFT_LITTLE_PROXIMAL, 0, 1) \
    X(LEFT_LITTLE_DISTAL, "leftLittleDistal", LEFT_LITTLE_INTERMEDIATE, 0, 1) \
    X(RIGHT_THUMB_METACARPAL, "rightThumbMetacarpal", RIGHT_HAND, 0, 0) \
    X(RIGHT_THUMB_PROXIMAL, "rightThumbProximal", RIGHT_THUMB_METACARPAL, 0, 1) \
    X(RIGHT_THUMB_DISTAL, "rightThumbDistal", RIGHT_THUMB_PROXIMAL, 0, 1) \
    X(RIGHT_INDEX_PROXIMAL, "rightIndexProximal", RIGHT_HAND, 0, 0) \
    X(RIGHT_INDEX_INTERMEDIATE, "rightIndexIntermediate", RIGHT_INDEX_PROXIMAL, 0, 1) \
    X(RIGHT_INDEX_DISTAL, "rightIndexDistal", RIGHT_INDEX_INTERMEDIATE, 0, 1) \
    X(RIGHT_MIDDLE_PROXIMAL, "rightMiddleProximal", RIGHT_HAND, 0, 0) \
    X(RIGHT_MIDDLE_INTERMEDIATE, "rightMiddleIntermediate", RIGHT_MIDDLE_PROXIMAL, 0, 1) \
    X(RIGHT_MIDDLE_DISTAL, "rightMiddleDistal", RIGHT_MIDDLE_INTERMEDIATE, 0, 1) \
    X(RIGHT_RING_PROXIMAL, "rightRingProximal", RIGHT_HAND, 0, 0) \
    X(RIGHT_RING_INTERMEDIATE, "rightRingIntermediate", RIGHT_RING_PROXIMAL, 0, 1) \
    X(RIGHT_RING_DISTAL, "rightRingDistal", RIGHT_RING_INTERMEDIATE, 0, 1) \
    X(RIGHT_LITTLE_PROXIMAL, "rightLittleProximal", RIGHT_HAND, 0, 0) \
    X(RIGHT_LITTLE_INTERMEDIATE, "rightLittleIntermediate", RIGHT_LITTLE_PROXIMAL, 0, 1) \
    X(RIGHT_LITTLE_DISTAL, "rightLittleDistal", RIGHT_LITTLE_INTERMEDIATE, 0, 1)

/// The bones of VRM 1.0 in the order of VRM_HUMAN_BONES: parents before children.
typedef enum vrm_human_bone {
#define VRM_HUMAN_BONE_ENUM(name, json, parent, required, needs_parent) VRM_HUMAN_BONE_##name,
    VRM_HUMAN_BONES(VRM_HUMAN_BONE_ENUM)
#undef VRM_HUMAN_BONE_ENUM
        VRM_HUMAN_BONE_COUNT
} vrm_human_bone;

/// The bone's name in VRM 1.0 ("leftUpperArm"). Static; "" outside the enum.
VRM_API const char *vrm_human_bone_name(vrm_human_bone bone);
/// The bone of a VRM 1.0 name (case matters), or -1.
VRM_API int32_t vrm_human_bone_from_name(const char *name, size_t length);
/// The parent by the specification's table, or -1 for the hips.
VRM_API int32_t vrm_human_bone_parent(vrm_human_bone bone);

#endif
