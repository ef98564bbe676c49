// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_HUMANOID_H
#define VRM_HUMANOID_H

/// @file humanoid.h
/// The 55 humanoid bones of VRM 1.0 (VRMC_vrm-1.0 humanoid).

#include <vrm/base.h>

/// X(NAME, number, "jsonName", PARENT, required, needs_parent): every bone. A parent comes before its children. If an
/// optional parent is missing, the parent's parent is used instead. `needs_parent`: the bone may exist only if PARENT
/// does.
#define VRM_HUMAN_BONES(X) \
    X(HIPS, 0, "hips", HIPS, 1, 0) \
    X(SPINE, 1, "spine", HIPS, 1, 0) \
    X(CHEST, 2, "chest", SPINE, 0, 0) \
    X(UPPER_CHEST, 3, "upperChest", CHEST, 0, 1) \
    X(NECK, 4, "neck", UPPER_CHEST, 0, 0) \
    X(HEAD, 5, "head", NECK, 1, 0) \
    X(LEFT_EYE, 6, "leftEye", HEAD, 0, 0) \
    X(RIGHT_EYE, 7, "rightEye", HEAD, 0, 0) \
    X(JAW, 8, "jaw", HEAD, 0, 0) \
    X(LEFT_UPPER_LEG, 9, "leftUpperLeg", HIPS, 1, 0) \
    X(LEFT_LOWER_LEG, 10, "leftLowerLeg", LEFT_UPPER_LEG, 1, 0) \
    X(LEFT_FOOT, 11, "leftFoot", LEFT_LOWER_LEG, 1, 0) \
    X(LEFT_TOES, 12, "leftToes", LEFT_FOOT, 0, 0) \
    X(RIGHT_UPPER_LEG, 13, "rightUpperLeg", HIPS, 1, 0) \
    X(RIGHT_LOWER_LEG, 14, "rightLowerLeg", RIGHT_UPPER_LEG, 1, 0) \
    X(RIGHT_FOOT, 15, "rightFoot", RIGHT_LOWER_LEG, 1, 0) \
    X(RIGHT_TOES, 16, "rightToes", RIGHT_FOOT, 0, 0) \
    X(LEFT_SHOULDER, 17, "leftShoulder", UPPER_CHEST, 0, 0) \
    X(LEFT_UPPER_ARM, 18, "leftUpperArm", LEFT_SHOULDER, 1, 0) \
    X(LEFT_LOWER_ARM, 19, "leftLowerArm", LEFT_UPPER_ARM, 1, 0) \
    X(LEFT_HAND, 20, "leftHand", LEFT_LOWER_ARM, 1, 0) \
    X(RIGHT_SHOULDER, 21, "rightShoulder", UPPER_CHEST, 0, 0) \
    X(RIGHT_UPPER_ARM, 22, "rightUpperArm", RIGHT_SHOULDER, 1, 0) \
    X(RIGHT_LOWER_ARM, 23, "rightLowerArm", RIGHT_UPPER_ARM, 1, 0) \
    X(RIGHT_HAND, 24, "rightHand", RIGHT_LOWER_ARM, 1, 0) \
    X(LEFT_THUMB_METACARPAL, 25, "leftThumbMetacarpal", LEFT_HAND, 0, 0) \
    X(LEFT_THUMB_PROXIMAL, 26, "leftThumbProximal", LEFT_THUMB_METACARPAL, 0, 1) \
    X(LEFT_THUMB_DISTAL, 27, "leftThumbDistal", LEFT_THUMB_PROXIMAL, 0, 1) \
    X(LEFT_INDEX_PROXIMAL, 28, "leftIndexProximal", LEFT_HAND, 0, 0) \
    X(LEFT_INDEX_INTERMEDIATE, 29, "leftIndexIntermediate", LEFT_INDEX_PROXIMAL, 0, 1) \
    X(LEFT_INDEX_DISTAL, 30, "leftIndexDistal", LEFT_INDEX_INTERMEDIATE, 0, 1) \
    X(LEFT_MIDDLE_PROXIMAL, 31, "leftMiddleProximal", LEFT_HAND, 0, 0) \
    X(LEFT_MIDDLE_INTERMEDIATE, 32, "leftMiddleIntermediate", LEFT_MIDDLE_PROXIMAL, 0, 1) \
    X(LEFT_MIDDLE_DISTAL, 33, "leftMiddleDistal", LEFT_MIDDLE_INTERMEDIATE, 0, 1) \
    X(LEFT_RING_PROXIMAL, 34, "leftRingProximal", LEFT_HAND, 0, 0) \
    X(LEFT_RING_INTERMEDIATE, 35, "leftRingIntermediate", LEFT_RING_PROXIMAL, 0, 1) \
    X(LEFT_RING_DISTAL, 36, "leftRingDistal", LEFT_RING_INTERMEDIATE, 0, 1) \
    X(LEFT_LITTLE_PROXIMAL, 37, "leftLittleProximal", LEFT_HAND, 0, 0) \
    X(LEFT_LITTLE_INTERMEDIATE, 38, "leftLittleIntermediate", LEFT_LITTLE_PROXIMAL, 0, 1) \
    X(LEFT_LITTLE_DISTAL, 39, "leftLittleDistal", LEFT_LITTLE_INTERMEDIATE, 0, 1) \
    X(RIGHT_THUMB_METACARPAL, 40, "rightThumbMetacarpal", RIGHT_HAND, 0, 0) \
    X(RIGHT_THUMB_PROXIMAL, 41, "rightThumbProximal", RIGHT_THUMB_METACARPAL, 0, 1) \
    X(RIGHT_THUMB_DISTAL, 42, "rightThumbDistal", RIGHT_THUMB_PROXIMAL, 0, 1) \
    X(RIGHT_INDEX_PROXIMAL, 43, "rightIndexProximal", RIGHT_HAND, 0, 0) \
    X(RIGHT_INDEX_INTERMEDIATE, 44, "rightIndexIntermediate", RIGHT_INDEX_PROXIMAL, 0, 1) \
    X(RIGHT_INDEX_DISTAL, 45, "rightIndexDistal", RIGHT_INDEX_INTERMEDIATE, 0, 1) \
    X(RIGHT_MIDDLE_PROXIMAL, 46, "rightMiddleProximal", RIGHT_HAND, 0, 0) \
    X(RIGHT_MIDDLE_INTERMEDIATE, 47, "rightMiddleIntermediate", RIGHT_MIDDLE_PROXIMAL, 0, 1) \
    X(RIGHT_MIDDLE_DISTAL, 48, "rightMiddleDistal", RIGHT_MIDDLE_INTERMEDIATE, 0, 1) \
    X(RIGHT_RING_PROXIMAL, 49, "rightRingProximal", RIGHT_HAND, 0, 0) \
    X(RIGHT_RING_INTERMEDIATE, 50, "rightRingIntermediate", RIGHT_RING_PROXIMAL, 0, 1) \
    X(RIGHT_RING_DISTAL, 51, "rightRingDistal", RIGHT_RING_INTERMEDIATE, 0, 1) \
    X(RIGHT_LITTLE_PROXIMAL, 52, "rightLittleProximal", RIGHT_HAND, 0, 0) \
    X(RIGHT_LITTLE_INTERMEDIATE, 53, "rightLittleIntermediate", RIGHT_LITTLE_PROXIMAL, 0, 1) \
    X(RIGHT_LITTLE_DISTAL, 54, "rightLittleDistal", RIGHT_LITTLE_INTERMEDIATE, 0, 1)

/// The bones of VRM 1.0, in the order of VRM_HUMAN_BONES: parents before children.
typedef enum vrm_human_bone {
#define VRM_HUMAN_BONE_ENUM(name, number, json, parent, required, needs_parent) VRM_HUMAN_BONE_##name = (number),
    VRM_HUMAN_BONES(VRM_HUMAN_BONE_ENUM)
#undef VRM_HUMAN_BONE_ENUM
        VRM_HUMAN_BONE_COUNT = 55
} vrm_human_bone;

/// Returns the bone's name in VRM 1.0 ("leftUpperArm"); "" for a value outside the enum. The string is static.
VRM_API const char *vrm_human_bone_name(vrm_human_bone bone);
/// Returns the bone with this name in VRM 1.0 (case matters), or -1.
VRM_API int32_t vrm_human_bone_from_name(const char *name, size_t length);
/// Returns the bone's parent in the specification's table; -1 for the hips.
VRM_API int32_t vrm_human_bone_parent(vrm_human_bone bone);

#endif
