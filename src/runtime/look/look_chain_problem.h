// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_LOOK_CHAIN_PROBLEM_H
#define VRMI_RUNTIME_LOOK_CHAIN_PROBLEM_H

// A frame of the look chain, and how its bones and target become a problem for the solver.

#include "math/look_solve.h"
#include "runtime/core/instance.h"

typedef struct vrmi_look_frame {
    vrm_instance *instance;
    vrmi_look_chain *chain;
    bool aiming, driven; // there is a target; there is a target or an orientation
    bool eyes;           // the first bone is the avatar's eyes
    uint32_t first;      // first bone that is a node
    uint32_t top;        // node above which nothing turns
    vrmi_eye_limits eye_limits;
    vrm_quat animated[VRM_LOOK_CHAIN_MAX_BONES]; // the pose without the chain
    vrm_quat base[VRM_LOOK_CHAIN_MAX_BONES];     // where the chain starts: the pose or rest
    vrmi_look_problem problem;
    vrm_vec3 target; // the problem's may stand elsewhere, see vrmi_look_vrmi_look_keep_side()
} vrmi_look_frame;

// A node's rotation at rest.
vrm_quat vrmi_look_rest(const vrm_instance *instance, int32_t node);
// The problem of the first `count` bones of the chain.
void vrmi_look_gather(vrmi_look_frame *f, uint32_t count);
// A target that crosses behind the back would throw the chain from one shoulder to the other. It counts as still on its
// old side until it is `behind_margin` across. Where it is out of reach it counts as no farther round than can be reached
// at its height: the shortest way there goes over the top of the head, and people look over the shoulder.
void vrmi_look_keep_side(vrmi_look_frame *f);

#endif
