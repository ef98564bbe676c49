// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_IMPORT_MOTION_RIG_H
#define VRMI_IMPORT_MOTION_RIG_H

// Any skeleton (BVH, glTF without VRM extension) as a humanoid: which joint is which bone, how the skeleton is
// oriented, and how its rest pose differs from the T-pose.

#include <vrm/humanoid.h>
#include <vrm/result.h>

#include "math/quat.h"

typedef struct vrmi_rig_joint {
    int32_t parent; // before its children, -1 for a root
    bool end;       // an end site: only the tip of its parent
    vrm_string name;
    vrm_vec3 position; // at rest, in the file's axes
} vrmi_rig_joint;

typedef struct vrmi_rig {
    int32_t joint[VRM_HUMAN_BONE_COUNT];       // or -1
    vrm_quat basis;                            // model axes from the file's
    vrm_quat correction[VRM_HUMAN_BONE_COUNT]; // T-pose from rest pose, model axes
    bool corrected;                            // any correction is not the identity
    vrm_vec3 rest[VRM_HUMAN_BONE_COUNT];       // T-pose positions, model axes, the file's units; ground at 0
    uint32_t unmapped;                         // joints that are no bone, without end sites
    bool by_shape;                             // bones were found by shape, since names identified too few
} vrmi_rig;

// Finds bones: first by the lines of `map` (see vrm_clip_def), then by the names of VRM, Mixamo, MotionBuilder, CMU,
// Rokoko, Xsens and similar tools. Joints between hips and shoulders become spine, chest, upperChest by their order. If
// names identify less than half of the limbs, the structure of the skeleton decides. A line about a joint that does not
// exist is reported.
void vrmi_rig_map(vrmi_rig *rig, const vrmi_rig_joint *joints, uint32_t count, vrm_string map, vrm_report *report);
// Finds bones by the skeleton's shape alone (motion_shape.c), except those in `stated`. False for a skeleton without a
// human shape.
bool vrmi_rig_map_by_shape(vrmi_rig *rig, const vrmi_rig_joint *joints, uint32_t count, uint64_t stated);
// Computes basis, corrections and T-pose positions.
void vrmi_rig_align(vrmi_rig *rig, const vrmi_rig_joint *joints, uint32_t count);

#endif
