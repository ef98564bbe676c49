// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_MATH_H
#define VRM_MATH_H

/// @file math.h
/// Plain value types. There are no functions, because every engine has its own.

#include <vrm/base.h>

/// A position (metres), a direction or a linear colour.
typedef struct vrm_vec3 {
    float x, y, z;
} vrm_vec3;

/// A position in the world in double precision (metres), exact far from the origin.
typedef struct vrm_dvec3 {
    double x, y, z;
} vrm_dvec3;

/// Four components: a colour with alpha.
typedef struct vrm_vec4 {
    float x, y, z, w;
} vrm_vec4;

/// A rotation as a unit quaternion, xyzw, right-handed.
typedef struct vrm_quat {
    float x, y, z, w;
} vrm_quat;

/// Local transform of a node, as in glTF: parent_from_local = T * R * S.
typedef struct vrm_transform {
    vrm_vec3 translation; ///< Metres.
    vrm_quat rotation;    ///< Unit.
    vrm_vec3 scale;       ///< Scale factors; 0 hides the node's children, too.
} vrm_transform;

/// Affine matrix of three rows and four columns: `m[row][column]`; the last column is the translation. It is stored by
/// rows because palettes are uploaded to the GPU in this form, 48 bytes per matrix. vrm_instance_write_world() and
/// vrm_instance_write_palette() can also write column-major 4x4 matrices.
typedef struct vrm_mat34 {
    float m[3][4]; ///< Rows.
} vrm_mat34;

/// Axis-aligned box; empty if min > max.
typedef struct vrm_box {
    vrm_vec3 min, max;
} vrm_box;

/// World transform of an avatar: the parent of its glTF root nodes. The translation is in double precision, and the
/// runtime computes relative to it, so that hair behaves the same 100 km from the origin.
typedef struct vrm_root {
    vrm_dvec3 translation; ///< Position in the world, metres.
    vrm_quat rotation;     ///< Rotation from the root's axes to the world's, unit.
    float scale;           ///< Uniform scale, 0.01 to 100; lengths, radii and forces of springs scale with it.
} vrm_root;

#endif
