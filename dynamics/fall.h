// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_DYNAMICS_FALL_H
#define VRMI_DYNAMICS_FALL_H

// Internals of a protective fall: the state of the bodies in a frame, and the poses of the fall.

#include <vrm/fall.h>

#include "math/quat.h"

// The state of the bodies in a frame.
typedef struct vrmi_fall_view {
    const vrm_ragdoll_def *def;
    vrm_ragdoll_state states[VRM_RAGDOLL_MAX_BODIES]; // positions, with heights from the ground
    int32_t body[VRM_HUMAN_BONE_COUNT];               // index of the bone's body, -1 if the bone has no body
    uint32_t trunk;                                   // index of the upper trunk's body
    float scale, time_scale;                          // time_scale: factor on durations, sqrt(height / 1.6 m)
    float mass;
    vrm_vec3 center, velocity, angular;   // mass centre and its velocity; angular velocity of the trunk
    float lowest[VRM_RAGDOLL_MAX_BODIES]; // height of each shape's lowest point above the ground
    float landing;                        // seconds until the trunk lands, as predicted
    vrm_quat predicted;                   // rotation of the trunk when it lands
} vrmi_fall_view;

// Writes the goal of each joint: the rotation of each body relative to its parent.
void vrmi_fall_pose(const vrm_fall *fall, const vrmi_fall_view *view, uint32_t seed, vrm_quat *out_joints);

enum { VRMI_FALL_LIMBS = 4 };
// Lowers the arms and legs of a lying figure if they are in the air. Writes the joints of the bodies that move, and
// returns one bit for each of these bodies.
uint64_t vrmi_fall_lie(const vrmi_fall_view *view, vrm_quat *joints);
// Whether all arms and legs are on the ground.
bool vrmi_fall_limbs_lie(const vrmi_fall_view *view);

// Seconds in which the muscles of a lying figure relax, for hips that are 0.9 m high when the figure stands.
#define VRMI_FALL_LET_GO 0.4f

typedef struct vrmi_fall_muscle {
    float frequency, damping_ratio, torque; // frequency in hertz; damping ratio; torque in N m per kilogram of mass and
                                            // metre of height
} vrmi_fall_muscle;

vrmi_fall_muscle vrmi_fall_muscle_of(const vrm_fall *fall, const vrmi_fall_view *view, uint32_t body);
bool vrmi_fall_is_foot(vrm_human_bone bone); // or toes
// Returns the rotation within the joint's limits that is nearest to `rotation`, relative to the parent.
vrm_quat vrmi_fall_within_limits(const vrm_ragdoll_joint *joint, vrm_quat rotation);

#endif
