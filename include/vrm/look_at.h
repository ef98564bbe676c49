// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_LOOK_AT_H
#define VRM_LOOK_AT_H

/// @file look_at.h
/// Static description of how an avatar's eyes follow a gaze (VRMC_vrm-1.0 lookAt). Angles are in radians here, and in
/// degrees only in the file. Yaw is positive to the avatar's left (+X), pitch is positive down.

#include <vrm/math.h>

/// How an avatar looks: VRMC_vrm, lookAt.type.
typedef enum vrm_look_at_type {
    VRM_LOOK_AT_NONE = 0,      ///< The file has no lookAt.
    VRM_LOOK_AT_BONE = 1,      ///< Rotates leftEye and rightEye.
    VRM_LOOK_AT_EXPRESSION = 2 ///< Sets lookUp, lookDown, lookLeft, lookRight.
} vrm_look_at_type;

/// A range map: output = min(|v|, input_max) / input_max * output_scale, with the sign of v. If input_max is 0, the
/// output is 0 for 0, else output_scale.
typedef struct vrm_range_map {
    float input_max;    ///< Radians, 0 to pi; may be larger with VRM_LOOK_AT_RANGE_TEXT.
    float output_scale; ///< Bone: radians. Expression: weight.
} vrm_range_map;

/// How the avatar's eyes follow a gaze: VRMC_vrm, lookAt.
typedef struct vrm_look_at {
    uint32_t struct_size; ///< Set by the caller: sizeof(vrm_look_at).
    vrm_look_at_type type;
    vrm_vec3 offset_from_head_bone; ///< Origin of the gaze in the head bone's local space, metres.
    vrm_range_map horizontal_inner, horizontal_outer, vertical_down, vertical_up;
} vrm_look_at;

/// The range maps of vrm_look_at, for vrm_avatar_get_look_curve().
typedef enum vrm_look_direction {
    VRM_LOOK_HORIZONTAL_INNER = 0,
    VRM_LOOK_HORIZONTAL_OUTER = 1,
    VRM_LOOK_VERTICAL_DOWN = 2,
    VRM_LOOK_VERTICAL_UP = 3,
    VRM_LOOK_DIRECTION_COUNT = 4
} vrm_look_direction;

/// A key of a curve of VRM 0.x (lookAtHorizontalInner.curve and the like). Curves are cubic Hermite between keys and
/// constant outside. Times are min(|v|, input_max) / input_max; values are multiplied by output_scale.
typedef struct vrm_curve_key {
    float time;        ///< Time, 0 to 1; ascending.
    float value;       ///< Value; 1 gives output_scale.
    float in_tangent;  ///< Incoming slope, value per time.
    float out_tangent; ///< Outgoing slope, value per time.
} vrm_curve_key;

#endif
