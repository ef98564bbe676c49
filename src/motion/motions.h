// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MOTION_MOTIONS_H
#define VRMI_MOTION_MOTIONS_H

// Each motion is a function of time: the pose of a figure, and how long it takes.

#include "motion/figure.h"

typedef struct vrmi_gait {
    float speed, period; // m/s, seconds of a stride of two steps
    // Parts of the stride at which a foot that has come down is flat, begins to lift its heel and leaves the ground.
    float flat, heel_off, toe_off;
    float strike, push; // degrees of the sole: toes up as it comes down, heel up as it leaves
    float lift;         // of the ankle between, beyond what its ways at both ends give
    float landing;      // part of the speed over the ground that a foot still has as it comes down
    float under;        // part of the stride at which the ankle is below the hip
    float bob, peak;    // of the hips, metres, and the part of the stride at which they are highest
    float sway, width;  // aside over the foot that stands; feet from the middle line
    float pelvis_yaw, pelvis_roll, lean;
    float arm_swing, elbow, elbow_swing, arm_middle; // degrees
    float arm_out, arm_twist;                        // away from where arms hang, inwards
    float hips;                                      // height, such that standing legs reach the ground
} vrmi_gait;

// `speed` 0: comfortable.
void vrmi_gait_walk(const vrmi_figure *figure, float speed, vrmi_gait *out);
void vrmi_gait_run(const vrmi_figure *figure, float speed, vrmi_gait *out);
// `part` of the stride, 0 to 1, on the spot.
void vrmi_gait_pose(const vrmi_figure *figure, const vrmi_gait *gait, float part, vrmi_figure_pose *out);

extern const float vrmi_idle_seconds, vrmi_wave_seconds, vrmi_bow_seconds, vrmi_sit_seconds;
void vrmi_idle_pose(const vrmi_figure *figure, float time, vrmi_figure_pose *out);
void vrmi_wave_pose(const vrmi_figure *figure, float time, vrmi_figure_pose *out);
void vrmi_bow_pose(const vrmi_figure *figure, float time, vrmi_figure_pose *out);
void vrmi_sit_pose(const vrmi_figure *figure, float time, vrmi_figure_pose *out);

#endif
