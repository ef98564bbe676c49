// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include <vrm/ragdoll.h>

#include "math/quat.h"

// q = swing * twist: the twist is the part about X, and what remains has its axis across X.
void vrm_ragdoll_get_joint_angles(
    const vrm_ragdoll_joint *joint, vrm_quat parent_rotation, vrm_quat child_rotation, float out_angles[3])
{
    const vrm_quat relative = vrmi_quat_mul(vrmi_quat_conjugate(parent_rotation), child_rotation);
    const vrm_quat back = vrmi_quat_conjugate(joint->frame);
    vrm_quat q = vrmi_quat_mul(vrmi_quat_mul(back, relative), joint->frame);
    if (q.w < 0.0f) {
        q = (vrm_quat){-q.x, -q.y, -q.z, -q.w};
    }
    const float length = vrmi_sqrt(q.x * q.x + q.w * q.w);
    // Folded back on itself, a bone has any twist: none then.
    const vrm_quat twist = length > 1e-6f ? (vrm_quat){q.x / length, 0.0f, 0.0f, q.w / length} : vrmi_quat_identity();
    const vrm_quat swing = vrmi_quat_mul(q, vrmi_quat_conjugate(twist));
    const float sine = vrmi_sqrt(swing.y * swing.y + swing.z * swing.z);
    // angle / sin(angle / 2), which is 2 for small angles.
    const float factor = sine > 1e-6f ? 2.0f * vrmi_atan2(sine, swing.w) / sine : 2.0f;
    out_angles[0] = 2.0f * vrmi_atan2(twist.x, twist.w);
    out_angles[1] = swing.y * factor;
    out_angles[2] = swing.z * factor;
}
