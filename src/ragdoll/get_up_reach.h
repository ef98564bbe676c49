// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RAGDOLL_GET_UP_REACH_H
#define VRMI_RAGDOLL_GET_UP_REACH_H

// Arms and legs of who gets up: they reach a place, and their middle joints stay out of the ground.

#include "ragdoll/get_up.h"

typedef struct vrmi_get_up_limb {
    int32_t upper, lower, end;
    vrm_vec3 hinge; // in the T-pose: what the middle joint bends about
} vrmi_get_up_limb;

extern const vrmi_get_up_limb vrmi_get_up_legs[2], vrmi_get_up_arms[2]; // left and right

// Where a limb goes, and to which side its middle joint bends.
typedef struct vrmi_get_up_goal {
    vrm_vec3 target, pole; // the pole from the limb's root
    vrm_vec3 out;          // away from the body
    float inwards;         // farther than that to the inner side it stays there, radians
    vrm_vec3 start;        // what the middle joint bent about as it lay, in the axes of what holds the limb
    float start_part;      // how much that still counts
    float clear;           // least height of the middle joint
    float up;              // how much a middle joint goes up while the limb points where the pole is
} vrmi_get_up_goal;

void vrmi_get_up_reach(
    const vrm_get_up_body *body, const vrmi_get_up_limb *limb, const vrmi_get_up_goal *goal, vrmi_get_up_pose *pose);

#endif
