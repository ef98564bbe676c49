// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_STEP_GAIT_H
#define VRMI_RUNTIME_STEP_GAIT_H

// How the animated pose walks, watched from frame to frame: when feet come down and where. Nothing else tells when the next
// one will, since a host may set its poses by any means.

#include <vrm/active_ragdoll.h>

#include "runtime/ragdoll/step_flat.h"

typedef struct vrmi_gait {
    bool known;         // `points` are of the frame before
    bool down[2];       // feet on the ground: left, right
    float up[2];        // seconds for which a foot has been in the air
    uint32_t lead;      // the foot that came down last
    uint32_t count;     // of touch-downs in turns
    float since;        // seconds since the last one
    float step_time;    // between the last two
    vrmi_flat step[2];  // where a foot came down, from the other one, in the root's axes
    vrmi_flat ground;   // its velocity, m/s in the root's axes: 0 but for a walk on the spot
    float lost;         // seconds since anything stood on it
    vrm_vec3 points[4]; // heel and tip, left and right, from `origin`
    vrm_dvec3 origin;
    vrm_quat rotation; // the root's
} vrmi_gait;

// A frame of the animated pose as it stands in `world`.
void vrmi_gait_watch(vrm_instance *instance, float dt);
// Does it walk? Then `step_time` and `step` are known.
bool vrmi_gait_walks(const vrmi_gait *gait);

#endif
