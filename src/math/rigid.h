// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MATH_RIGID_H
#define VRMI_MATH_RIGID_H

// Poses, the rigid motions that lead from one to another, and such motions of the world in double.

#include "math/quat.h"

typedef struct vrmi_pose {
    vrm_vec3 position;
    vrm_quat rotation;
} vrmi_pose;

// Rotation, then translation.
typedef struct vrmi_rigid {
    bool turns; // else the rotation is identity
    vrm_quat rotation;
    vrm_vec3 translation;
} vrmi_rigid;

// A product of unit quaternions drifts: one Newton step brings it back.
static inline vrm_quat vrmi_quat_unit(vrm_quat q)
{
    const float s = 1.5f - 0.5f * vrmi_quat_dot(q, q);
    return (vrm_quat){q.x * s, q.y * s, q.z * s, q.w * s};
}

static inline vrm_vec3 vrmi_rigid_vector(const vrmi_rigid *motion, vrm_vec3 v)
{
    return motion->turns ? vrmi_quat_rotate(motion->rotation, v) : v;
}

static inline vrm_vec3 vrmi_rigid_point(const vrmi_rigid *motion, vrm_vec3 p)
{
    return vrmi_vec3_add(vrmi_rigid_vector(motion, p), motion->translation);
}

static inline void vrmi_rigid_pose(const vrmi_rigid *motion, vrmi_pose *pose)
{
    pose->position = vrmi_rigid_point(motion, pose->position);
    pose->rotation = motion->turns ? vrmi_quat_unit(vrmi_quat_mul(motion->rotation, pose->rotation)) : pose->rotation;
}

// What takes a pose to another.
static inline vrmi_rigid vrmi_rigid_between(const vrmi_pose *from, const vrmi_pose *to)
{
    const vrm_quat rotation = vrmi_quat_unit(vrmi_quat_mul(to->rotation, vrmi_quat_conjugate(from->rotation)));
    return (vrmi_rigid){true, rotation, vrmi_vec3_sub(to->position, vrmi_quat_rotate(rotation, from->position))};
}

static inline void vrmi_quat_rotate_double(vrm_quat q, const double *v, double *out)
{
    const double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;
    const double t[3] = {2.0 * (y * v[2] - z * v[1]), 2.0 * (z * v[0] - x * v[2]), 2.0 * (x * v[1] - y * v[0])};
    const double turned[3] = {v[0] + w * t[0] + (y * t[2] - z * t[1]), v[1] + w * t[1] + (z * t[0] - x * t[2]),
        v[2] + w * t[2] + (x * t[1] - y * t[0])};
    out[0] = turned[0];
    out[1] = turned[1];
    out[2] = turned[2];
}

// A rigid motion of the world with a factor about `from`, which it takes to `to`.
typedef struct vrmi_warp {
    double from[3], to[3];
    double scale;
    vrm_quat rotation;
} vrmi_warp;

static inline void vrmi_warp_point(const vrmi_warp *w, double *point)
{
    double v[3];
    for (int k = 0; k < 3; ++k) {
        v[k] = (point[k] - w->from[k]) * w->scale;
    }
    vrmi_quat_rotate_double(w->rotation, v, v);
    for (int k = 0; k < 3; ++k) {
        point[k] = w->to[k] + v[k];
    }
}

#endif
