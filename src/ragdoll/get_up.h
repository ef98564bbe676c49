// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RAGDOLL_GET_UP_H
#define VRMI_RAGDOLL_GET_UP_H

// Getting up: a body's measures, the poses that it goes through, and the pose of a moment. Everything is normalized: a bone's
// rotation is what turned it from the T-pose, in the axes of a frame whose z is where the figure will face, y up, and whose
// ground is y = 0. Lengths are the model's.

#include <vrm/get_up.h>

#include "math/quat.h"
#include "model/model.h"

enum { VRMI_GET_UP_DIRECTIONS = 26 };

// The skin's farthest points of a bone, from its joint in the T-pose's axes: nothing else can be its lowest point.
typedef struct vrmi_get_up_skin {
    uint32_t count;
    vrm_vec3 points[VRMI_GET_UP_DIRECTIONS];
} vrmi_get_up_skin;

struct vrm_get_up_body {
    vrm_allocator allocator;
    const vrm_avatar *avatar;
    const vrmi_model *model;
    int32_t parent[VRM_HUMAN_BONE_COUNT]; // the nearest bone above that exists, -1; of those that do not exist -2
    vrm_vec3 rest[VRM_HUMAN_BONE_COUNT];  // joints in the T-pose
    float height, leg, arm, trunk;        // leg: hip to ankle; arm: shoulder to wrist; trunk: hips to shoulders
    float thigh, shank, ankle;            // ankle: its height at rest
    float foot;                           // ankle to the tip of the toes, over the ground
    vrm_vec3 pelvis;                      // the middle of the hip joints at rest
    vrmi_get_up_skin skin[VRM_HUMAN_BONE_COUNT];
};

// How low the skin of a bone reaches below its joint when it is turned so.
float vrmi_get_up_depth(const vrm_get_up_body *body, int32_t bone, vrm_quat turn);

// The same of a foot with its toes, below the ankle.
float vrmi_get_up_sole(const vrm_get_up_body *body, int side, vrm_quat turn);

// --- poses ---------------------------------------------------------------------------------------------------------

// A key of a get-up. What moves smoothly through the keys comes first; hands and feet go from contact to contact.
typedef struct vrmi_get_up_key {
    float time;
    float x, y, z;       // of the pelvis; y above the ground
    float pitch;         // of the pelvis, radians, + forward
    float bend;          // of the spine as a whole, + forward
    float hand[2][3];    // wrists on the ground, left and right; y is found
    float hand_free[2];  // 0: there, 1: where the arm hangs
    float foot[2][3];    // ankles; y above where the foot of this pitch touches the ground
    float foot_pitch[2]; // of the foot in the world, radians, + toes down
    float knee_out[2];   // 0: knees go ahead of the pelvis, 1: outward
} vrmi_get_up_key;

enum { VRMI_GET_UP_KEYS = 10 };

typedef struct vrmi_get_up_plan {
    uint32_t count;
    vrmi_get_up_key keys[VRMI_GET_UP_KEYS]; // the first one: as it lies
    vrm_quat lean;                          // what the pelvis is turned by besides its pitch at the beginning
    vrm_vec3 hinge[2][2]; // what knees and elbows bent about then, left and right, in the axes of pelvis and chest
    float knee;           // height of a knee that kneels
} vrmi_get_up_plan;

// A pose: rotations in the frame, joints' places.
typedef struct vrmi_get_up_pose {
    vrm_quat turn[VRM_HUMAN_BONE_COUNT];
    vrm_vec3 place[VRM_HUMAN_BONE_COUNT];
} vrmi_get_up_pose;

// What is found out about the pose that lies there, and how it got there.
typedef struct vrmi_get_up_start {
    vrm_get_up_way way;
    vrmi_get_up_pose pose;
} vrmi_get_up_start;

// What knees and elbows bend about in the pose that lies there.
void vrmi_get_up_find_hinges(const vrm_get_up_body *body, const vrmi_get_up_pose *pose, vrmi_get_up_plan *plan);
void vrmi_get_up_make_plan(const vrm_get_up_body *body, const vrmi_get_up_start *start, vrmi_get_up_plan *out);

// How much higher parts must be than the plan has them, and how much of the beginning's difference is left.
typedef struct vrmi_get_up_lift {
    float trunk, hand[2], foot[2];
} vrmi_get_up_lift;

// The pose of a moment. `difference`: of the pose that lies there from the plan's at time 0, by bone in its parent's axes, and
// of the hips' place; NULL: none.
typedef struct vrmi_get_up_difference {
    vrm_quat turn[VRM_HUMAN_BONE_COUNT];
    vrm_vec3 hips;
} vrmi_get_up_difference;

void vrmi_get_up_solve(const vrm_get_up_body *body, const vrmi_get_up_plan *plan, float time,
    const vrmi_get_up_lift *lift, const vrmi_get_up_difference *difference, vrmi_get_up_pose *out);
// A bone's rotation from its parent's.
vrm_quat vrmi_get_up_local(const vrm_get_up_body *body, const vrmi_get_up_pose *pose, int32_t bone);
// How much must be added to the lift so that nothing is under the ground.
vrmi_get_up_lift vrmi_get_up_sunk(const vrm_get_up_body *body, const vrmi_get_up_pose *pose);

#endif
