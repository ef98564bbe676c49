// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MODEL_POSE_FIT_H
#define VRMI_MODEL_POSE_FIT_H

// Converts normalized rotations N to an avatar's local rotations: local = before * N * after. The factors depend on the
// avatar alone, so all players of a crowd share them.

#include "model/pose_lanes.h"

typedef struct vrmi_pose_fit {
    vrmi_pose_lanes before, after; // identity for missing bones
    vrm_mat34 hips_from_model;     // from model space to the space that contains the hips, at rest
    uint64_t bones;                // bones of the avatar
    uint64_t folds;                // existing bones whose humanoid parent is missing
} vrmi_pose_fit;

#endif
