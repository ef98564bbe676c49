// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_IMPORT_MOTION_RIG_H
#define VRMI_IMPORT_MOTION_RIG_H

// Maps any skeleton (BVH, glTF without a VRM extension) to the humanoid: finds the joint of each bone, the skeleton's
// orientation, and its rest pose's difference from the T-pose.

#include <vrm/humanoid.h>
#include <vrm/result.h>

#include "math/quat.h"

typedef struct vrmi_rig_joint {
    int32_t parent; // index of an earlier joint; -1 for a root
    bool end;       // an end site, which is only the tip of its parent
    vrm_string name;
    vrm_vec3 position; // in the rest pose, in the file's axes
} vrmi_rig_joint;

typedef struct vrmi_rig {
    int32_t joint[VRM_HUMAN_BONE_COUNT];       // or -1
    vrm_quat basis;                            // rotates the file's axes to model axes
    vrm_quat correction[VRM_HUMAN_BONE_COUNT]; // rotation from rest pose to T-pose in model axes
    bool corrected;                            // some correction is not the identity
    vrm_vec3
        rest[VRM_HUMAN_BONE_COUNT]; // positions in the T-pose, in model axes and the file's units; the ground is at 0
    uint32_t unmapped;              // number of joints without a bone, except end sites
    bool by_shape;                  // bones were found by shape because names gave too few
} vrmi_rig;

// Finds bones first by the lines of `map` (see vrm_clip_def), then by the names that VRM, Mixamo, MotionBuilder, CMU,
// Rokoko, Xsens and similar tools use. Joints between hips and shoulders become spine, chest and upperChest by their
// order. If names give less than half of the limbs, the skeleton's shape decides. A line of `map` whose joint does not
// exist is reported.
void vrmi_rig_map(vrmi_rig *rig, const vrmi_rig_joint *joints, uint32_t count, vrm_string map, vrm_report *report);
// Finds bones by the skeleton's shape alone (motion_shape.c), except those in `stated`. Returns false if the shape is
// not human.
bool vrmi_rig_map_by_shape(vrmi_rig *rig, const vrmi_rig_joint *joints, uint32_t count, uint64_t stated);
// Computes the basis, the corrections and the positions in the T-pose.
void vrmi_rig_align(vrmi_rig *rig, const vrmi_rig_joint *joints, uint32_t count);

#endif
