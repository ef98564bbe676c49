// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MATH_LOOK_SOLVE_H
#define VRMI_MATH_LOOK_SOLVE_H

// The solver of the look chain on plain data: no nodes, no time. Each bone of the chain has a fixed rotation and offset
// to the bone before it (nodes in between do not rotate), so a pass costs only the length of the chain.

#include <vrm/look_chain.h>

#include "math/quat.h"

// Limits along the axes of the limit frame: x to the left, y up, z ahead.
typedef struct vrmi_look_limits {
    float yaw, up, down;
} vrmi_look_limits;

typedef struct vrmi_look_solve_bone {
    // Input. "Above" is the next bone of the chain; for the last bone it is the space that contains the chain, with
    // `hold` its rotation and `offset` its position.
    vrm_quat hold;    // above from the bone's parent
    vrm_vec3 offset;  // of the bone in the axes of above, world units
    vrm_quat local;   // rotation in the parent; in: where it starts, out: where it looks
    vrm_vec3 forward; // unit, the bone's own axes
    vrm_quat frame;   // parent from limit frame: its z is the direction that limits are measured from
    vrmi_look_limits limits;
    bool asymmetric; // false: a cone of limits.yaw
    bool box;        // yaw and pitch are limited separately, as VRM's range maps of eyes do it
    float roll;      // about z of the frame, relative to `rest`; from pi on there is no limit
    vrm_quat rest;   // the bone's rotation in its parent at rest
    float around_up;
    // Computed.
    vrm_quat parent, world;
    vrm_vec3 position;
    vrm_quat frame_hold; // hold * frame
    vrm_quat framed;     // the bone's rotation in the limit frame, where everything is computed
    vrm_quat world_from_frame;
    float slack;       // factor on limits: a bone that starts beyond its limit may stay, but not go further
    float free_cosine; // cosine of the angle at which a cone begins to be soft
    bool at_limit;
} vrmi_look_solve_bone;

typedef struct vrmi_look_problem {
    uint32_t count; // at least 1
    vrmi_look_solve_bone bones[VRM_LOOK_CHAIN_MAX_BONES];
    vrm_vec3 target, up; // of the world; up is unit
    float unit;          // length that forward vectors have in addition to the bones' distances
    float soft;          // fraction of the limits that is soft
    bool blend_axis;     // around_up blends the axis of a rotation, as the article does, instead of the rotation
    uint32_t max_passes;
    // Computed.
    uint32_t passes;
    float error;     // radians
    bool degenerate; // the target is inside the first bone
} vrmi_look_problem;

enum { VRMI_LOOK_MAX_PASSES = 4 };

// Computes rotations, positions, slack and where limits begin to be soft; all input must be set.
void vrmi_look_prepare(vrmi_look_problem *problem);
// Turns the bones; needs vrmi_look_prepare().
void vrmi_look_solve(vrmi_look_problem *problem);
// The forward and target vector of a bone in the current pose.
void vrmi_look_vectors(const vrmi_look_problem *problem, uint32_t bone, vrm_vec3 *out_forward, vrm_vec3 *out_target);
// Converts between a unit vector and `angle` from +z in the direction of x, y. The eyes' limits apply to these two
// numbers.
void vrmi_look_log(vrm_vec3 direction, float *out_x, float *out_y);
vrm_vec3 vrmi_look_exp(float x, float y);
// Softens an angle near its limit: follows `angle`, and reaches `limit` for angles from limit * (1 + soft) on.
float vrmi_look_soften(float angle, float limit, float soft);

#endif
