// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef TESTS_SKELETON_JSON_H
#define TESTS_SKELETON_JSON_H

// JSON of skeletons for files that a test writes: children out of a list of parents, and humanoids of either kind.

#include <stdio.h>
#include <string.h>

enum { SKELETON_BONES = 15 };

// The bones that every VRM 1.0 must have, as nodes 0 to 14, and the nodes that they hang on.
static const char *const skeleton_bones[SKELETON_BONES] = {"hips", "spine", "head", "leftUpperLeg", "leftLowerLeg",
    "leftFoot", "rightUpperLeg", "rightLowerLeg", "rightFoot", "leftUpperArm", "leftLowerArm", "leftHand",
    "rightUpperArm", "rightLowerArm", "rightHand"};
static const int skeleton_parents[SKELETON_BONES] = {-1, 0, 1, 0, 3, 4, 0, 6, 7, 1, 9, 10, 1, 12, 13};

// `,"children":[...]` of a node, or nothing. Returns `out`.
static inline const char *skeleton_children(char *out, size_t size, const int *parents, int count, int node)
{
    size_t at = 0;
    out[0] = '\0';
    for (int i = 0; i < count; ++i) {
        if (parents[i] == node) {
            at += (size_t)snprintf(out + at, size - at, "%s%d", at == 0 ? ",\"children\":[" : ",", i);
        }
    }
    if (at != 0) {
        snprintf(out + at, size - at, "]");
    }
    return out;
}

// The members of humanBones: `"hips":{"node":0},...` of 1.0, `{"bone":"hips","node":0},...` of 0.x. Returns `out`.
static inline const char *skeleton_human_bones(char *out, size_t size, const char *const *names, int count, int is_vrm0)
{
    size_t at = 0;
    for (int i = 0; i < count; ++i) {
        at += (size_t)snprintf(out + at, size - at,
            is_vrm0 ? "%s{\"bone\":\"%s\",\"node\":%d}" : "%s\"%s\":{\"node\":%d}", i == 0 ? "" : ",", names[i], i);
    }
    return out;
}

#endif
