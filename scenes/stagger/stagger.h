// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef SCENES_STAGGER_H
#define SCENES_STAGGER_H

// A figure that stands or walks is pushed at the chest, and keeps its balance by recovery steps or falls. The outcome
// is judged by the shown pose. Tests and the stagger campaign share this code.

#include "ragdoll_scene.h"

// Outcomes in order of severity.
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
    const char *motion; // a motion's name in stage_motion.h
    float speed;        // impulse per mass of the figure, m/s
    float angle;        // direction of the push, radians: 0 is ahead, pi / 2 is to the figure's left
    float assist;       // vrm_ragdoll_params.step_assist
    double rate;        // frames per second
    bool keeps_root;    // the host does not move the root with the steps
    float walk;         // speed of a walk ahead, which replaces `motion`, m/s; 0: no such walk
    float part;         // time of the push's middle, as a fraction of a stride after the left foot's touch-down
} scene_stagger_push;

typedef struct scene_stagger {
    scene_stagger_outcome outcome;
    uint32_t steps;
    double touch_down; // seconds from the push until the last foot came down
    float share;       // of the push, taken by an external force until the last foot comes down (stagger_share.h)
    float drift;       // largest displacement of the mass centre from 2 to 5 s after touch_down, metres
    float outside;     // largest distance of the mass centre outside of the soles in this time, metres; negative inside
    float away;        // horizontal distance from the root to the hips at the end, metres
    vrm_vec3 went;     // displacement of the root; in a walk, sideways from the animated path
    float speed;       // in a walk: forward speed of the hips at the end, m/s
} scene_stagger;

// Errors: OUT_OF_MEMORY, INVALID_ARGUMENT.
vrm_result scene_stagger_run(const scene_stagger_push *push, scene_stagger *out);

#endif
