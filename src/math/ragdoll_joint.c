// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include <vrm/ragdoll.h>

#include "base/checks.h"
#include "math/quat.h"

// Splits the rotation into q = swing * twist. The twist is about X; the axis of the swing is perpendicular to X.
void vrm_ragdoll_get_joint_angles(
    const vrm_ragdoll_joint *joint, vrm_quat parent_rotation, vrm_quat child_rotation, float out_angles[3])
{
    if (!VRM_ASSERT(out_angles != NULL)) {
        return;
    }
    out_angles[0] = out_angles[1] = out_angles[2] = 0.0f;
    if (!VRM_ASSERT(joint != NULL)) {
        return;
    }
    const vrm_quat relative = vrmi_quat_mul(vrmi_quat_conjugate(parent_rotation), child_rotation);
    const vrm_quat back = vrmi_quat_conjugate(joint->frame);
    vrm_quat q = vrmi_quat_mul(vrmi_quat_mul(back, relative), joint->frame);
    if (q.w < 0.0f) {
        q = (vrm_quat){-q.x, -q.y, -q.z, -q.w};
    }
    const float length = vrmi_sqrt(q.x * q.x + q.w * q.w);
    // A bone folded back on itself can have any twist; no twist is assumed.
    const vrm_quat twist = length > 1e-6f ? (vrm_quat){q.x / length, 0.0f, 0.0f, q.w / length} : vrmi_quat_identity();
    const vrm_quat swing = vrmi_quat_mul(q, vrmi_quat_conjugate(twist));
    const float sine = vrmi_sqrt(swing.y * swing.y + swing.z * swing.z);
    // angle / sin(angle / 2), which is 2 for small angles.
    const float factor = sine > 1e-6f ? 2.0f * vrmi_atan2(sine, swing.w) / sine : 2.0f;
    out_angles[0] = 2.0f * vrmi_atan2(twist.x, twist.w);
    out_angles[1] = swing.y * factor;
    out_angles[2] = swing.z * factor;
}

// Returns the size of a swing relative to its ellipse: 1 on the rim.
static float size_on_ellipse(const vrm_ragdoll_joint *joint, const float angles[3])
{
    const float y = (angles[1] - joint->center_y) / joint->swing_y, z = (angles[2] - joint->center_z) / joint->swing_z;
    return vrmi_sqrt(y * y + z * z);
}

// Returns the axis about which the child must rotate to change its swing by a unit vector perpendicular to the twist
// axis, in the joint's axes. The component along the swing rotates about the swing's own axis. The component
// perpendicular to the swing moves around the cone, with a smaller factor.
static vrm_vec3 turn_of_swing(const float angles[3], vrm_vec3 change)
{
    const float swing = vrmi_sqrt(angles[1] * angles[1] + angles[2] * angles[2]);
    float sine, cosine;
    vrmi_sincos(swing, &sine, &cosine);
    if (sine < 1e-3f) {
        return change;
    }
    const vrm_vec3 along = {0.0f, angles[1] / swing, angles[2] / swing}, across = {0.0f, -along.z, along.y};
    const vrm_vec3 around = {sine, cosine * across.y, cosine * across.z};
    return vrmi_vec3_add(vrmi_vec3_scale(along, vrmi_vec3_dot(along, change)),
        vrmi_vec3_scale(around, vrmi_vec3_dot(across, change) * swing / sine));
}

static vrm_ragdoll_joint_row row_of_rim(
    const vrm_ragdoll_joint *joint, const float angles[3], float rim, vrm_quat parent_frame)
{
    const float size = size_on_ellipse(joint, angles);
    if (size < 1e-6f) {
        return (vrm_ragdoll_joint_row){.gap = rim * vrmi_min(joint->swing_y, joint->swing_z)};
    }
    // The gradient of the ellipse. The gap is the distance to the rim along this gradient.
    const vrm_vec3 out = {0.0f, (angles[1] - joint->center_y) / (joint->swing_y * joint->swing_y),
        (angles[2] - joint->center_z) / (joint->swing_z * joint->swing_z)};
    const float slope = vrmi_vec3_length(out);
    const vrm_vec3 axis = turn_of_swing(angles, vrmi_vec3_scale(out, 1.0f / slope));
    return (vrm_ragdoll_joint_row){vrmi_quat_rotate(parent_frame, axis), (rim - size) * size / slope, false};
}

uint32_t vrm_ragdoll_get_joint_rows(const vrm_ragdoll_joint *joint, const vrm_quat rotations[2],
    const vrm_quat targets[2], vrm_ragdoll_joint_row out_rows[VRM_RAGDOLL_JOINT_ROWS])
{
    if (!VRM_ASSERT(joint != NULL && rotations != NULL && out_rows != NULL)) {
        return 0;
    }
    const vrm_vec3 x = {1.0f, 0.0f, 0.0f};
    const vrm_quat parent = vrmi_quat_mul(rotations[0], joint->frame);
    const vrm_vec3 parent_x = vrmi_quat_rotate(parent, x);
    const vrm_vec3 child_x = vrmi_quat_rotate(vrmi_quat_mul(rotations[1], joint->frame), x);
    float angles[3], wanted[3] = {0.0f, 0.0f, 0.0f}, low = joint->min_angle, high = joint->max_angle, rim = 1.0f;
    vrm_ragdoll_get_joint_angles(joint, rotations[0], rotations[1], angles);
    if (targets != NULL) {
        vrm_ragdoll_get_joint_angles(joint, targets[0], targets[1], wanted);
        low = vrmi_min(low, wanted[0]);
        high = vrmi_max(high, wanted[0]);
    }
    // The twist axis is the bisector of the parent's and the child's X axes. The larger the angle between these two
    // axes, the faster the twist changes.
    const float near = vrmi_max(1.0f + vrmi_vec3_dot(parent_x, child_x), 0.1f);
    const vrm_vec3 twist = vrmi_vec3_scale(vrmi_vec3_add(parent_x, child_x), 1.0f / near);
    out_rows[0] = (vrm_ragdoll_joint_row){twist, high - angles[0], false};
    out_rows[1] = (vrm_ragdoll_joint_row){vrmi_vec3_scale(twist, -1.0f), angles[0] - low, false};
    if (joint->type == VRM_RAGDOLL_JOINT_HINGE) {
        const vrm_quat swing = vrmi_quat_from_vector((vrm_vec3){0.0f, wanted[1], wanted[2]});
        const vrm_vec3 off = vrmi_vec3_cross(child_x, vrmi_quat_rotate(parent, vrmi_quat_rotate(swing, x)));
        const vrm_vec3 y = vrmi_quat_rotate(parent, (vrm_vec3){0.0f, 1.0f, 0.0f});
        const vrm_vec3 z = vrmi_quat_rotate(parent, (vrm_vec3){0.0f, 0.0f, 1.0f});
        out_rows[2] = (vrm_ragdoll_joint_row){y, vrmi_vec3_dot(off, y), true};
        out_rows[3] = (vrm_ragdoll_joint_row){z, vrmi_vec3_dot(off, z), true};
        return 4;
    }
    if (joint->type != VRM_RAGDOLL_JOINT_CONE) {
        return 0;
    }
    rim = targets != NULL ? vrmi_max(rim, size_on_ellipse(joint, wanted)) : rim;
    out_rows[2] = row_of_rim(joint, angles, rim, parent);
    return 3;
}
