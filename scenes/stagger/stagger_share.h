// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef SCENES_STAGGER_SHARE_H
#define SCENES_STAGGER_SHARE_H

// Measures what an external force takes of a push, from the motion of the bodies alone. The ground can only act within
// the soles on it. Where the zero moment point (the centre of pressure that the motion needs) is outside of them, an
// external force must act. The sum of the least moments of such forces about the ground, against the push, divided by
// the moment of the push, is the share.

#include "ragdoll_scene.h"

typedef struct scene_stagger_share {
    scene_engine engine; // moves the bodies
    vrm_ragdoll_solver *solver;
    const vrm_ragdoll_def *def;
    vrm_vec3 momentum, moment; // after the last step; the moment of momentum about the world's origin
    bool known;
    vrm_vec3 push, taken; // N m s: the push and the external force, in their directions, times their heights
} scene_stagger_share;

// Puts the measurement between a scene and its light solver. `share` must live as long as the scene.
void scene_stagger_share_begin(scene_stagger_share *share, scene_ragdoll *scene);
// Returns the share until now; more than 1 if the force is larger than the push.
float scene_stagger_share_read(const scene_stagger_share *share);

#endif
