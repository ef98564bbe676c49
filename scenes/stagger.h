// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef SCENES_STAGGER_H
#define SCENES_STAGGER_H

// A figure that stands or walks is pushed at the chest and keeps its balance by recovery steps, or falls: the outcome,
// judged by the shown pose. The same in tests and campaign.

#include "ragdoll_scene.h"

// In order of severity.
typedef enum scene_stagger_outcome {
    SCENE_STAGGER_SWAYS,
    SCENE_STAGGER_ONE_STEP,
    SCENE_STAGGER_STEPS, // two or more
    SCENE_STAGGER_FALLS,
    SCENE_STAGGER_OUTCOMES
} scene_stagger_outcome;

typedef struct scene_stagger_push {
    const vrm_avatar *avatar;
    const vrm_ragdoll_def *def;
    const char *motion; // a word of stage_motion.h
    float speed;        // impulse per mass of the figure, m/s
    float angle;        // radians: 0 pushes it ahead, a quarter turn to its left
    float assist;       // vrm_ragdoll_params.step_assist
    double rate;        // frames per second
    bool keeps_root;    // the host refuses to move the root along
    float walk;         // m/s: it walks ahead, and `motion` is ignored; 0: it does not walk
    float part;         // fraction of a stride, from the left foot's touch-down: the middle of the push
} scene_stagger_push;

typedef struct scene_stagger {
    scene_stagger_outcome outcome;
    uint32_t steps;
    double touch_down; // seconds from the push to when the last foot came down
    float drift;       // largest displacement of the mass centre within 3 s, starting 2 s after that, metres
    float outside;     // farthest that it lies outside of the soles then; below 0 inside
    float away;        // from the root to the hips over the ground at the end
    vrm_vec3 went;     // displacement of the root; in a walk, sideways from the animated path
    float speed;       // in a walk: forward speed of the hips at the end, m/s
} scene_stagger;

// scene_ragdoll_frame() of a host that may keep its root.
void scene_stagger_frame(scene_ragdoll *scene, const vrm_update_params *params, bool keeps_root);

// Errors: OUT_OF_MEMORY, INVALID_ARGUMENT.
vrm_result scene_stagger_run(const scene_stagger_push *push, scene_stagger *out);

#endif
