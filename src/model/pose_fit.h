// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MODEL_POSE_FIT_H
#define VRMI_MODEL_POSE_FIT_H

// How an avatar takes normalized rotations N: local = before * N * after. This depends on the avatar alone, so that all
// players of a crowd read the same memory.

#include "model/pose_lanes.h"

typedef struct vrmi_pose_fit {
    vrmi_pose_lanes before, after; // identity for missing bones
    vrm_mat34 hips_from_model;     // of the space that contains the hips, at rest
    uint64_t bones;                // bones of the avatar
    uint64_t folds;                // its bones below a bone that it lacks
} vrmi_pose_fit;

#endif
