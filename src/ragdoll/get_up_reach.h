// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RAGDOLL_GET_UP_REACH_H
#define VRMI_RAGDOLL_GET_UP_REACH_H

// Arms and legs while getting up: they reach a position, and their middle joints stay out of the ground.

#include "ragdoll/get_up.h"

typedef struct vrmi_get_up_limb {
    int32_t upper, lower, end;
    vrm_vec3 hinge; // the axis of the middle joint in the T-pose
} vrmi_get_up_limb;

extern const vrmi_get_up_limb vrmi_get_up_legs[2], vrmi_get_up_arms[2]; // left and right

// The target of a limb, and the direction in which its middle joint bends.
typedef struct vrmi_get_up_goal {
    vrm_vec3 target, pole; // `pole` is relative to the limb's root
    vrm_vec3 out;          // direction away from the body
    float inwards;         // if the middle joint is farther than this angle to the inner side, it stays there, radians
    vrm_vec3 start;        // axis of the middle joint in the lying pose, in the axes of the limb's parent
    float start_part;      // weight of `start`
    float clear;           // least height of the middle joint
    float up;              // weight with which the middle joint bends upwards while the limb points at the pole
    float twist;           // largest rotation of the upper bone about its own axis, radians; 0: any
    const vrm_vec3 *side;  // where the middle joint points if this is known already, or NULL
} vrmi_get_up_goal;

// Returns the direction in which the middle joint points.
vrm_vec3 vrmi_get_up_reach(
    const vrm_get_up_body *body, const vrmi_get_up_limb *limb, const vrmi_get_up_goal *goal, vrmi_get_up_pose *pose);

#endif
