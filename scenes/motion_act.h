// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef SCENES_MOTION_ACT_H
#define SCENES_MOTION_ACT_H

// A short act in front of a motion meter: a figure moves, an event happens, and every frame is measured.

#include "motion_meter.h"
#include "ragdoll_scene.h"
#include "stage_motion.h"

typedef enum scene_event {
    SCENE_EVENT_NONE, // the ragdoll is not simulated at all
    SCENE_EVENT_HIT,
    SCENE_EVENT_EXPLOSION, // beside the feet; lies, gets up
    SCENE_EVENT_DROP,      // all weights go to 0; lies, gets up
    SCENE_EVENT_LIMP_ARM,  // the left arm without muscle, everything else kinematic
    SCENE_EVENT_PIN,       // limp, held by its left hand
    SCENE_EVENT_COUNT
} scene_event;

typedef struct scene_act {
    const vrm_avatar *avatar;
    const vrm_ragdoll_def *def;
    const char *motion; // a word of stage_motion.h
    scene_event event;
    double when, duration; // seconds
    double rate;           // frames per second
    bool uneven;           // frames of 0.4 and 1.6 times that length take turns
    vrm_human_bone bone;   // SCENE_EVENT_HIT: the bone that is hit, at its joint
    vrm_vec3 impulse;      // and by how much, N s
    vrm_ragdoll_drive drive;
    bool steps;                // recovery steps
    scene_engine_make *engine; // NULL: the light solver
    const vrm_gltf *gltf;      // for the skin of a figure that gets up; NULL: the skin is estimated
} scene_act;

// Plays the act into the meter. Errors: OUT_OF_MEMORY, INVALID_ARGUMENT (also for the motion).
vrm_result scene_act_run(const scene_act *act, scene_meter *meter);

#endif
