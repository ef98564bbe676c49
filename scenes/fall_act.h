// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef SCENES_FALL_ACT_H
#define SCENES_FALL_ACT_H

// An act in which a standing figure is pushed over, lies and gets up, and measurements of the act.

#include "get_up.h"
#include "motion_meter.h"

typedef struct scene_fall_act {
    const vrm_avatar *avatar;
    const vrm_gltf *gltf;
    const vrm_ragdoll_def *def;
    bool gets_up;  // false: the figure stays on the ground
    vrm_vec3 push; // impulse on the chest when the figure goes limp, N s
    double when;   // seconds of idling before the push
    uint32_t seed;
    bool thrown;     // instead of the push, an explosion beside the feet
    bool limp;       // the fall has no protective motion
    bool keeps_root; // the host does not move the root to the lying figure
} scene_fall_act;

// The parts of the body that touch the ground.
typedef enum scene_fall_part {
    SCENE_FALL_HAND, // or forearm
    SCENE_FALL_KNEE,
    SCENE_FALL_SEAT,  // hips, thighs
    SCENE_FALL_TRUNK, // spine, chest
    SCENE_FALL_HEAD,
    SCENE_FALL_PARTS
} scene_fall_part;

typedef struct scene_fall_report {
    double landed[SCENE_FALL_PARTS]; // seconds after the push, -1: never
    double direction;                // the side of the trunk that is below when it lands, degrees from front to left
    double knees;                    // angle of the more bent knee when the trunk lands, degrees
    double hand_height;              // height of the lower hand when the trunk lands, metres
    double plank;      // longest time, seconds, in which no joint moves by 5 degrees while the trunk rotates by 30
    double head_speed; // downward speed of the head when it lands, m/s
    double cut,
        // The largest excess of a joint's rotation (degrees) and displacement (millimetres) in a frame over the
        // neighbouring frames, as in motion_meter.h.
        cut_way;
    double limb_cut, limb_cut_way; // `cut` and `cut_way` of hands, feet and head within 0.05 s of their own landing
    int cut_bone;                  // of `cut`
    double cut_at;                 // seconds after the push
    double fastest;                // highest angular speed of a body, rad/s
    double asleep;    // time at which the ragdoll fell asleep, seconds after the push; -1: not within ten seconds
    double feet_down; // seconds from the trunk's landing until both feet stay no higher than 100 mm
    double hand_aloft, foot_aloft; // height of the lowest point of the higher hand or foot of the lying figure, mm
    double knee_aloft;             // height of the higher knee of the lying figure, fraction of the figure's height
    // Getting up.
    vrm_get_up_way way;
    bool stands;       // the figure has returned to its motion
    double seconds;    // duration
    double settled_at; // time at which getting up began, seconds from the start of the act
    scene_meter_report rise;
} scene_fall_report;

// Errors: OUT_OF_MEMORY, or any error of creating the figure.
vrm_result scene_fall_act_run(const scene_fall_act *act, scene_fall_report *out);

#endif
