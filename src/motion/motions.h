// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MOTION_MOTIONS_H
#define VRMI_MOTION_MOTIONS_H

// Built-in motions. Each motion is a function that returns the avatar's pose at a time.

#include "motion/figure.h"

typedef struct vrmi_gait {
    float speed, period; // `speed`: m/s; `period`: seconds for a stride of two steps
    // Fractions of the stride at which a landed foot is flat, begins to lift its heel, and leaves the ground.
    float flat, heel_off, toe_off;
    float strike, push; // pitch of the sole in degrees: toes up at landing, heel up at take-off
    float lift;         // extra height of the ankle during the swing
    float landing;      // fraction of the walking speed that a foot still has when it lands
    float under;        // fraction of the stride at which the ankle is below the hip
    // `bob`: amplitude of the hips' height, metres; `peak`: fraction of the stride at which the hips are highest.
    float bob, peak;
    // `sway`: amplitude of the hips' sideways movement, metres; `width`: factor on the feet's distance in the T-pose.
    float sway, width;
    float pelvis_yaw, pelvis_roll, lean;
    float arm_swing, elbow, elbow_swing, arm_middle; // degrees
    // Degrees; `arm_out`: outwards from the hanging arm; `arm_twist`: inwards.
    float arm_out, arm_twist;
    float hips; // height at which standing legs reach the ground
} vrmi_gait;

// Computes a gait for the avatar. `speed` is in m/s; 0 selects a comfortable speed.
void vrmi_gait_walk(const vrmi_figure *figure, float speed, vrmi_gait *out);
void vrmi_gait_run(const vrmi_figure *figure, float speed, vrmi_gait *out);
// Computes the pose, in place, at the fraction `part` of the stride, 0 to 1.
void vrmi_gait_pose(const vrmi_figure *figure, const vrmi_gait *gait, float part, vrmi_figure_pose *out);

extern const float vrmi_idle_seconds, vrmi_wave_seconds, vrmi_bow_seconds, vrmi_sit_seconds;
void vrmi_idle_pose(const vrmi_figure *figure, float time, vrmi_figure_pose *out);
void vrmi_wave_pose(const vrmi_figure *figure, float time, vrmi_figure_pose *out);
void vrmi_bow_pose(const vrmi_figure *figure, float time, vrmi_figure_pose *out);
void vrmi_sit_pose(const vrmi_figure *figure, float time, vrmi_figure_pose *out);

#endif
