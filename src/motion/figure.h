// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MOTION_FIGURE_H
#define VRMI_MOTION_FIGURE_H

// An avatar's proportions and poses in the normalized humanoid: +X left, +Y up, +Z forward. Angles are in degrees,
// because they are tuned by hand. A leg or a hanging arm moves forward about -X, a knee bends about +X, a left arm is
// lowered about -Z.

#include <vrm/motion.h>

#include "math/quat.h"

typedef struct vrmi_figure {
    bool there[VRM_HUMAN_BONE_COUNT];
    int32_t parent[VRM_HUMAN_BONE_COUNT]; // the nearest existing ancestor bone
    vrm_vec3 rest[VRM_HUMAN_BONE_COUNT];  // T-pose positions, model space
    float thigh, shin, leg, arm;          // lengths
    float ankle;                          // height of the ankle above the ground
    // Distances along the sole: from the ankle back to the heel, from the ankle forward to the ball and to the tip.
    float heel, ball, tip;
    float hang; // angle in degrees to lower an arm so that it hangs clear of the trunk
    // `lap`: distance from a thigh's joint to its front; `palm`: from a hand's joint to its palm.
    float lap, palm;
    float size; // size of the avatar: 1 if the legs are 80 cm long
} vrmi_figure;

// Returns false for an avatar without complete legs and arms.
bool vrmi_figure_init(vrmi_figure *figure, const vrm_avatar *avatar, const vrm_ragdoll_def *ragdoll);

typedef struct vrmi_figure_pose {
    vrm_quat turns[VRM_HUMAN_BONE_COUNT];
    vrm_vec3 hips;
} vrmi_figure_pose;

vrm_quat vrmi_turn(float degrees, float x, float y, float z);
// Combines rotations: pitch (nod) first, then roll (lean), then yaw.
vrm_quat vrmi_bend(vrm_vec3 pitch_yaw_roll);

// Sets the T-pose.
void vrmi_pose_begin(const vrmi_figure *figure, vrmi_figure_pose *pose);
// Divide a bend among the bones of the trunk, or between neck and head.
void vrmi_pose_trunk(const vrmi_figure *figure, vrmi_figure_pose *pose, vrm_vec3 bend);
void vrmi_pose_head(const vrmi_figure *figure, vrmi_figure_pose *pose, vrm_vec3 bend);

typedef struct vrmi_arm {
    float down, forward; // degrees from the T-pose; `forward` rotates the lowered arm about the shoulder's axis
    float twist;         // inwards
    float elbow;
    float curl; // bend of the fingers, 0 to 1
} vrmi_arm;

// `side` 0: left, 1: right.
void vrmi_pose_arm(vrmi_figure_pose *pose, int side, const vrmi_arm *arm);

// Bends an arm so that its hand rests on the thigh of the same side, or is `lift` metres above it, as far down as the
// arm reaches. Pose trunk and legs first.
void vrmi_pose_hand_on_thigh(const vrmi_figure *figure, vrmi_figure_pose *pose, int side, float lift);

typedef struct vrmi_foot {
    vrm_vec3 ankle; // model space
    float pitch;    // toes up
    float out;      // rotation that points the toes outwards
    float toes;     // bend of the toes up, relative to the foot
} vrmi_foot;

// Bends a leg so that its foot has this position and these angles. Pose hips and trunk first.
void vrmi_pose_leg(const vrmi_figure *figure, vrmi_figure_pose *pose, int side, const vrmi_foot *foot);
// Returns the position of a bone; `out_world` receives its rotation.
vrm_vec3 vrmi_pose_place(const vrmi_figure *figure, const vrmi_figure_pose *pose, int32_t bone, vrm_quat *out_world);

// Returns a foot in its T-pose position, turned slightly outwards.
vrmi_foot vrmi_foot_at_rest(const vrmi_figure *figure, int side);

// Rises smoothly from 0 to 1 while x goes from 0 to 1, with speed and acceleration 0 at both ends.
float vrmi_ease(float x);
// Sine of an angle that is given in full turns.
float vrmi_wave(float turns);

#endif
