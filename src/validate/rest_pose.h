// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_VALIDATE_REST_POSE_H
#define VRMI_VALIDATE_REST_POSE_H

#include "math/scalar.h"
#include "validate/run.h"

#define VRMI_SLIGHT 1e-4f // differences of rotation or scale up to this are rounding

static inline bool vrmi_is_scaled(vrm_vec3 s)
{
    return vrmi_abs(s.x - 1.0f) > VRMI_SLIGHT || vrmi_abs(s.y - 1.0f) > VRMI_SLIGHT ||
           vrmi_abs(s.z - 1.0f) > VRMI_SLIGHT;
}

// Positions of joints in the rest pose of an avatar or a motion. The figure should face +Z in the space of these
// positions.
typedef struct vrmi_rest_pose {
    vrmi_run *run;
    int32_t gltf_node[VRM_HUMAN_BONE_COUNT]; // -1: missing bone
    vrm_vec3 place[VRM_HUMAN_BONE_COUNT];
    vrm_vec3 above_hips; // position of the hips' parent; zero if there is none
    float soles[2];      // left and right: height of the sole, or VRMI_NO_SOLE
    bool thumbs_at_45;   // thumbs point as in 1.0; earlier versions of the specification have another angle, or none
} vrmi_rest_pose;

// Reports hints from the positions alone (check_pose.c).
void vrmi_check_rest_pose(const vrmi_rest_pose *pose);

#endif
