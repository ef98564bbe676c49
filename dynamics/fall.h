// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_DYNAMICS_FALL_H
#define VRMI_DYNAMICS_FALL_H

// A protective fall: the state of the bodies in a frame, and the poses for it.

#include <vrm/fall.h>

#include "math/quat.h"

// The bodies in a frame.
typedef struct vrmi_fall_view {
    const vrm_ragdoll_def *def;
    vrm_ragdoll_state states[VRM_RAGDOLL_MAX_BODIES]; // heights from the ground
    int32_t body[VRM_HUMAN_BONE_COUNT];               // -1: a bone without a body
    uint32_t trunk;                                   // body of the upper trunk
    float scale, time_scale;                          // time_scale: of times, the square root of the height over 1.6 m
    float mass;
    vrm_vec3 center, velocity, angular;   // of the whole figure; `angular` of the trunk
    float lowest[VRM_RAGDOLL_MAX_BODIES]; // of the shapes, above the ground
    float landing;                        // seconds until the trunk lands, if it falls as now
    vrm_quat predicted;                   // rotation of the trunk then
} vrmi_fall_view;

// The goal of each joint: rotations of bodies relative to their parents.
void vrmi_fall_pose(const vrm_fall *fall, const vrmi_fall_view *view, uint32_t seed, vrm_quat *out_joints);

enum { VRMI_FALL_LIMBS = 4 };
// Lowers the arms and legs of a lying figure that are in the air: writes their joints, returns a bit for each body that
// moves.
uint64_t vrmi_fall_lie(const vrmi_fall_view *view, vrm_quat *joints);
// Whether all arms and legs lie.
bool vrmi_fall_limbs_lie(const vrmi_fall_view *view);

// Seconds, for a height of the hips of 0.9 m, in which the muscles of a lying figure relax.
#define VRMI_FALL_LET_GO 0.4f

typedef struct vrmi_fall_muscle {
    float frequency, damping_ratio, torque; // hertz; N m per kilogram and metre of height
} vrmi_fall_muscle;

vrmi_fall_muscle vrmi_fall_muscle_of(const vrm_fall *fall, const vrmi_fall_view *view, uint32_t body);
bool vrmi_fall_is_foot(vrm_human_bone bone); // or toes
// The nearest rotation of a body relative to its parent within the joint's limits.
vrm_quat vrmi_fall_within_limits(const vrm_ragdoll_joint *joint, vrm_quat rotation);

#endif
