// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MATH_LOOK_SOLVE_H
#define VRMI_MATH_LOOK_SOLVE_H

// The solver of the look chain on plain data, without nodes or time. Each bone of the chain has a fixed rotation and
// offset to the next (nodes in between do not rotate), so the cost of a pass depends only on the length of the chain.

#include <vrm/look_chain.h>

#include "math/quat.h"

// Limits of yaw and pitch in the limit frame, whose axes are: x to the left, y up, z ahead.
typedef struct vrmi_look_limits {
    float yaw, up, down;
} vrmi_look_limits;

typedef struct vrmi_look_solve_bone {
    // Input. For the last bone of the chain, `hold` is its parent's rotation and `offset` is its own position, both in
    // the space that contains the chain.
    vrm_quat hold;    // rotation from the axes of the bone's parent to the axes of the chain's next bone
    vrm_vec3 offset;  // position of the bone in the axes of the chain's next bone, world units
    vrm_quat local;   // rotation in the parent; input: the start, output: the result
    vrm_vec3 forward; // unit, in the bone's own axes
    vrm_quat frame;   // rotation from the limit frame to the parent; limits are measured from the limit frame's z axis
    vrmi_look_limits limits;
    bool asymmetric; // false: the limit is a cone of limits.yaw
    bool box;        // limits yaw and pitch separately, as VRM's range maps do for eyes
    float roll;      // limit of the roll about the frame's z, relative to `rest`; no limit from pi on
    vrm_quat rest;   // the bone's rotation in its parent at rest
    float around_up;
    // Computed.
    vrm_quat parent, world;
    vrm_vec3 position;
    vrm_quat frame_hold; // hold * frame
    vrm_quat framed;     // the bone's rotation in the limit frame, in which the solver computes
    vrm_quat world_from_frame;
    float slack;       // factor on limits: a bone that starts beyond its limit may stay there, but not go further
    float free_cosine; // cosine of the angle at which the soft part of a cone begins
    bool at_limit;
} vrmi_look_solve_bone;

typedef struct vrmi_look_problem {
    uint32_t count; // at least 1
    vrmi_look_solve_bone bones[VRM_LOOK_CHAIN_MAX_BONES];
    vrm_vec3 target, up; // world space; `up` is a unit vector
    float unit;          // length of the first bone's forward vector, world units
    float soft;          // fraction of the limits that is soft
    bool blend_axis;     // true: `around_up` blends rotation axes, as in the article; false: rotations
    uint32_t max_passes;
    // Computed.
    uint32_t passes;
    float error;     // radians
    bool degenerate; // true if the target is at the first bone's position
} vrmi_look_problem;

enum { VRMI_LOOK_MAX_PASSES = 4 };

// Computes rotations, positions, `slack` and `free_cosine`. All input must be set.
void vrmi_look_prepare(vrmi_look_problem *problem);
// Rotates the bones. Call vrmi_look_prepare() first.
void vrmi_look_solve(vrmi_look_problem *problem);
// Returns the forward vector and the target vector of a bone in the current pose.
void vrmi_look_vectors(const vrmi_look_problem *problem, uint32_t bone, vrm_vec3 *out_forward, vrm_vec3 *out_target);
// Convert between a unit vector and two numbers: the angle from +z, in the direction of the vector's x and y. The eyes'
// limits apply to these two numbers.
void vrmi_look_log(vrm_vec3 direction, float *out_x, float *out_y);
vrm_vec3 vrmi_look_exp(float x, float y);
// Softens an angle near its limit. Small angles stay as they are; angles from limit * (1 + soft) on become `limit`.
float vrmi_look_soften(float angle, float limit, float soft);

#endif
