// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Limits the targets of a fall to the joints' ranges. Physics engines let a joint follow its target beyond a limit,
// since a clip may bend a knee sideways. If the ground has pushed a joint beyond its limit, a target computed from that
// pose would keep the joint there.

#include "fall.h"

vrm_quat vrmi_fall_within_limits(const vrm_ragdoll_joint *joint, vrm_quat rotation)
{
    float angles[3];
    vrm_ragdoll_get_joint_angles(joint, vrmi_quat_identity(), rotation, angles);
    const float twist = vrmi_clamp(angles[0], joint->min_angle, joint->max_angle);
    float y = 0.0f, z = 0.0f;
    if (joint->type == VRM_RAGDOLL_JOINT_CONE) { // move a swing outside of the cone to the cone's edge
        const float off_y = angles[1] - joint->center_y, off_z = angles[2] - joint->center_z;
        const float at_y = off_y / joint->swing_y, at_z = off_z / joint->swing_z;
        const float factor = 1.0f / vrmi_max(vrmi_sqrt(at_y * at_y + at_z * at_z), 1.0f);
        y = joint->center_y + off_y * factor;
        z = joint->center_z + off_z * factor;
    }
    const vrm_quat swing = vrmi_quat_from_vector(vrmi_vec3(0.0f, y, z));
    const vrm_quat turn = vrmi_quat_mul(swing, vrmi_quat_from_vector(vrmi_vec3(twist, 0.0f, 0.0f)));
    const vrm_quat within = vrmi_quat_mul(vrmi_quat_mul(joint->frame, turn), vrmi_quat_conjugate(joint->frame));
    return vrmi_quat_normalize(within);
}
