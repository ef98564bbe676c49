// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef SCENES_FALL_ACT_H
#define SCENES_FALL_ACT_H

// A standing figure is pushed over, lies and gets up; and the figures that describe this.

#include "get_up.h"
#include "motion_meter.h"

typedef struct scene_fall_act {
    const vrm_avatar *avatar;
    const vrm_gltf *gltf;
    const vrm_ragdoll_def *def;
    bool gets_up;  // false: it stays on the ground
    vrm_vec3 push; // N s, on the chest, during the time in which it loses its balance
    double when;   // seconds of idling before
    uint32_t seed;
    bool thrown; // instead, an explosion beside its feet
    bool limp;   // without a protective motion
} scene_fall_act;

// The parts that touch the ground.
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
    double direction;                // of the trunk when it lands, degrees from front to left: the side that is below
    double knees;                    // degrees of the more bent knee when the trunk lands
    double hand_height;              // of the lower hand at that time, metres
    double plank;                    // longest time in which no joint moves by 5 degrees while the trunk turns by 30
    double head_speed;               // m/s downwards, when it lands
    double cut, cut_way;             // degrees and millimetres beyond the neighbouring frames, as in the meter
    double limb_cut, limb_cut_way;   // of hands, feet and head within 0.05 s of their own landing
    int cut_bone;                    // of `cut`
    double cut_at;                   // seconds after the push
    double fastest;                  // of a body, rad/s
    double asleep;                   // seconds after the push, -1: never within ten
    double feet_down;                // seconds from the trunk's landing until both feet stay at most 100 mm up
    double hand_aloft, foot_aloft;   // millimetres above the ground, of the lowest point of the higher one while lying
    // Getting up.
    vrm_get_up_way way;
    bool stands;       // it has returned to its motion
    double seconds;    // duration
    double settled_at; // second of the act at which it began
    scene_meter_report rise;
} scene_fall_report;

// OUT_OF_MEMORY, or any error of creating the figure.
vrm_result scene_fall_act_run(const scene_fall_act *act, scene_fall_report *out);

#endif
