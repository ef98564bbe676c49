// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MATH_RIGID_H
#define VRMI_MATH_RIGID_H

// Poses, the rigid motions between them, and rigid motions of the world in double precision.

#include "math/quat.h"

typedef struct vrmi_pose {
    vrm_vec3 position;
    vrm_quat rotation;
} vrmi_pose;

// A rotation followed by a translation.
typedef struct vrmi_rigid {
    bool turns; // false: the rotation is the identity
    vrm_quat rotation;
    vrm_vec3 translation;
} vrmi_rigid;

// Corrects the length of a quaternion by one Newton step, because products of unit quaternions drift from unit length.
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

// Returns the motion that takes one pose to another.
static inline vrmi_rigid vrmi_rigid_between(const vrmi_pose *from, const vrmi_pose *to)
{
    const vrm_quat rotation = vrmi_quat_unit(vrmi_quat_mul(to->rotation, vrmi_quat_conjugate(from->rotation)));
    return (vrmi_rigid){true, rotation, vrmi_vec3_sub(to->position, vrmi_quat_rotate(rotation, from->position))};
}

static inline vrm_dvec3 vrmi_quat_rotate_double(vrm_quat q, vrm_dvec3 v)
{
    const double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;
    const vrm_dvec3 t = {2.0 * (y * v.z - z * v.y), 2.0 * (z * v.x - x * v.z), 2.0 * (x * v.y - y * v.x)};
    return (vrm_dvec3){
        v.x + w * t.x + (y * t.z - z * t.y), v.y + w * t.y + (z * t.x - x * t.z), v.z + w * t.z + (x * t.y - y * t.x)};
}

// A rigid motion of the world with a scale. It scales about the point `from` and moves this point to `to`.
typedef struct vrmi_warp {
    vrm_dvec3 from, to;
    double scale;
    vrm_quat rotation;
} vrmi_warp;

static inline vrm_dvec3 vrmi_warp_point(const vrmi_warp *w, vrm_dvec3 point)
{
    const vrm_dvec3 arm = vrmi_dvec3_scale(vrmi_dvec3_sub(point, w->from), w->scale);
    return vrmi_dvec3_add(w->to, vrmi_quat_rotate_double(w->rotation, arm));
}

static inline void vrmi_warp_root(const vrmi_warp *w, vrm_root *root)
{
    root->translation = vrmi_warp_point(w, root->translation);
    root->rotation = vrmi_quat_normalize(vrmi_quat_mul(w->rotation, root->rotation));
}

#endif
