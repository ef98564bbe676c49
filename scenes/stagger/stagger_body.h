// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef SCENES_STAGGER_BODY_H
#define SCENES_STAGGER_BODY_H

// The proportions of a figure on which its balance depends, measured from the avatar and its skin.

#include <vrm/ragdoll_build.h>

// Metres, in the T-pose.
typedef struct scene_stagger_body {
    double height;
    double center;                  // height of the mass centre
    double leg;                     // hip to ankle
    double hips;                    // distance between the hip joints
    double push;                    // height of the chest's mass centre, where scene_stagger_run() pushes
    double duration;                // duration of the push, seconds
    double half_width, half_length; // of a sole
    double apart;                   // distance between the middles of the soles
    double behind;                  // distance of an ankle behind the middle of its sole
} scene_stagger_body;

// A walk straight ahead.
typedef struct scene_stagger_gait {
    double length, width; // of a step, between consecutive footholds
    double time;          // seconds from one touch-down to the next
} scene_stagger_gait;

// Measures a figure. Soles are derived from the feet's vertices near the ground. Without such vertices, or if `gltf` is
// NULL, they are derived from the shapes of the feet's bodies. Errors: OUT_OF_MEMORY, INVALID_ARGUMENT for a body
// without legs.
vrm_result scene_stagger_measure(
    const vrm_avatar *avatar, const vrm_gltf *gltf, const vrm_ragdoll_def *def, scene_stagger_body *out);
// Measures the built-in walk at a speed, m/s. Errors: those of scene_stage_motion_begin_at().
vrm_result scene_stagger_measure_gait(
    const vrm_avatar *avatar, const vrm_ragdoll_def *def, float speed, scene_stagger_gait *out);

#endif
