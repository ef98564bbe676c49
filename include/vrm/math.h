// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_MATH_H
#define VRM_MATH_H

/// @file math.h
/// Plain value types. No functions: every engine has its own.

#include <vrm/base.h>

/// A position (m), direction or linear colour.
typedef struct vrm_vec3 {
    float x, y, z;
} vrm_vec3;

/// A position in the world in double precision (m), exact far from the origin.
typedef struct vrm_dvec3 {
    double x, y, z;
} vrm_dvec3;

/// Four components: a colour with alpha.
typedef struct vrm_vec4 {
    float x, y, z, w;
} vrm_vec4;

/// A rotation, unit quaternion, xyzw, right-handed.
typedef struct vrm_quat {
    float x, y, z, w;
} vrm_quat;

/// Local transform of a node, glTF's TRS: parent_from_local = T * R * S.
typedef struct vrm_transform {
    vrm_vec3 translation; ///< Metres.
    vrm_quat rotation;    ///< Unit.
    vrm_vec3 scale;       ///< Scale factors; 0 hides the node's children, too.
} vrm_transform;

/// Affine matrix, three rows of four: `m[row][column]`, the last column is the translation. (Rows, because this is how
/// a palette goes to a GPU in 48 bytes; vrm_instance_write_world() and vrm_instance_write_palette() also give
/// column-major 4x4.)
typedef struct vrm_mat34 {
    float m[3][4]; ///< Rows.
} vrm_mat34;

/// Axis-aligned box; empty when min > max.
typedef struct vrm_box {
    vrm_vec3 min, max;
} vrm_box;

/// Position of the avatar: the space above the glTF roots. The translation is in double because the runtime computes
/// relative to it, so that hair behaves the same 100 km from the origin.
typedef struct vrm_root {
    vrm_dvec3 translation; ///< World, metres.
    vrm_quat rotation;     ///< World from root, unit.
    float scale;           ///< Uniform, 0.01 to 100; lengths, radii and forces of springs follow it.
} vrm_root;

#endif
