// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef SCENES_MOTION_ACT_H
#define SCENES_MOTION_ACT_H

// A short act for a motion meter: a figure moves, an event happens to it, and every frame is measured.

#include "motion_meter.h"
#include "ragdoll_scene.h"
#include "stage_motion.h"

typedef enum scene_event {
    SCENE_EVENT_NONE, // the ragdoll is not simulated at all
    SCENE_EVENT_HIT,
    SCENE_EVENT_EXPLOSION, // beside the feet; the figure lies and gets up
    SCENE_EVENT_DROP,      // all weights go to 0; the figure lies and gets up
    SCENE_EVENT_LIMP_ARM,  // the left arm has no muscle force, all other bodies are kinematic
    SCENE_EVENT_PIN,       // the figure is limp and hangs by its left hand
    SCENE_EVENT_COUNT
} scene_event;

typedef struct scene_act {
    const vrm_avatar *avatar;
    const vrm_ragdoll_def *def;
    const char *motion; // a motion's name in stage_motion.h
    vrm_clip *clip;     // is played once instead of `motion`; NULL: none
    scene_event event;
    double when, duration; // seconds
    double rate;           // frames per second
    bool uneven;           // lengths of frames alternate between 0.4 and 1.6 times 1 / rate
    vrm_human_bone bone;   // SCENE_EVENT_HIT: this bone is hit at its joint
    vrm_vec3 impulse;      // SCENE_EVENT_HIT: the impulse, N s
    vrm_ragdoll_drive drive;
    bool always;               // simulates in every frame, not only around the event
    bool steps;                // the figure may take recovery steps
    scene_engine_make *engine; // NULL: the light solver
    const vrm_gltf *gltf;      // for the skin of a figure that gets up; NULL: the skin is estimated
} scene_act;

// Plays the act and adds every frame to the meter. Errors: OUT_OF_MEMORY, INVALID_ARGUMENT (also for an unknown
// motion).
vrm_result scene_act_run(const scene_act *act, scene_meter *meter);
// Plays the act and returns its figures from the event on. `gltf` is the meter's, for vertices, or NULL. `beside`: they
// are compared with the same act without its event. Errors as above.
vrm_result scene_act_measure(const scene_act *act, const vrm_gltf *gltf, bool beside, scene_meter_report *out);

#endif
