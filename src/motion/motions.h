// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MOTION_MOTIONS_H
#define VRMI_MOTION_MOTIONS_H

// Each motion is a function of time: the figure's pose, and the duration.

#include "motion/figure.h"

typedef struct vrmi_gait {
    float speed, period; // m/s, duration of a stride of two steps in seconds
    // Fractions of the stride at which a foot that has landed is flat, begins to lift its heel and leaves the ground.
    float flat, heel_off, toe_off;
    float strike, push; // pitch of the sole in degrees: toes up at landing, heel up at leaving
    float lift;         // extra height of the ankle during the swing
    float landing;      // fraction of the walking speed that a foot still has when it lands
    float under;        // fraction of the stride at which the ankle is below the hip
    float bob, peak;    // hips up and down, metres; part of the stride at which they are highest
    float sway, width;  // sideways over the standing foot; distance of the feet from the middle line
    float pelvis_yaw, pelvis_roll, lean;
    float arm_swing, elbow, elbow_swing, arm_middle; // degrees
    float arm_out, arm_twist;                        // outwards from the hanging arm, inwards
    float hips;                                      // height at which standing legs reach the ground
} vrmi_gait;

// `speed` 0: comfortable speed.
void vrmi_gait_walk(const vrmi_figure *figure, float speed, vrmi_gait *out);
void vrmi_gait_run(const vrmi_figure *figure, float speed, vrmi_gait *out);
// The pose at the fraction `part` of the stride, 0 to 1, in place.
void vrmi_gait_pose(const vrmi_figure *figure, const vrmi_gait *gait, float part, vrmi_figure_pose *out);

extern const float vrmi_idle_seconds, vrmi_wave_seconds, vrmi_bow_seconds, vrmi_sit_seconds;
void vrmi_idle_pose(const vrmi_figure *figure, float time, vrmi_figure_pose *out);
void vrmi_wave_pose(const vrmi_figure *figure, float time, vrmi_figure_pose *out);
void vrmi_bow_pose(const vrmi_figure *figure, float time, vrmi_figure_pose *out);
void vrmi_sit_pose(const vrmi_figure *figure, float time, vrmi_figure_pose *out);

#endif
