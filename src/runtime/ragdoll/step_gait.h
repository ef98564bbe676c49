// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_STEP_GAIT_H
#define VRMI_RUNTIME_STEP_GAIT_H

// The gait of the animated pose, measured frame by frame: the times and positions at which feet touch down. The next
// touch-down can only be predicted from these, since a host may set its poses in any way.

#include <vrm/active_ragdoll.h>

#include "runtime/ragdoll/step_flat.h"

typedef struct vrmi_gait {
    bool known;          // `points` are from the previous frame
    bool down[2];        // feet on the ground: left, right
    float off[2];        // distance of a foot from the ground, in height or speed; from 1 on it is in the air
    float up[2];         // seconds for which a foot has been in the air
    uint32_t lead;       // the foot that came down last
    uint32_t count;      // number of alternating touch-downs
    float since;         // seconds since the last touch-down
    float step_time;     // seconds between the last two touch-downs
    vrmi_flat step[2];   // position of a touch-down relative to the other foot, in the root's axes
    vrm_vec3 landing[2]; // vector from a foot's hip joint to its ankle at its last touch-down, in the root's axes
    vrmi_flat ground;    // velocity of the ground, m/s in the root's axes: 0 except in a walk on the spot
    float lost;          // seconds since a point was on the ground
    vrm_vec3 points[4];  // heel and ball, left and right, relative to `origin`
    vrm_dvec3 origin;
    vrm_quat rotation; // the root's rotation
} vrmi_gait;

// Reads one frame of the animated pose in `world`.
void vrmi_gait_watch(vrm_instance *instance, float dt);
// Whether the animation walks. If so, `step_time` and `step` are known.
bool vrmi_gait_walks(const vrmi_gait *gait);

#endif
