// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "math/align.h"

#include "math/quat.h"

vrm_vec3 vrmi_vec3_across(vrm_vec3 v, vrm_vec3 unit)
{
    return vrmi_vec3_sub(v, vrmi_vec3_scale(unit, vrmi_vec3_dot(v, unit)));
}

float vrmi_angle_about(vrm_vec3 axis, vrm_vec3 from, vrm_vec3 to)
{
    return vrmi_atan2(vrmi_vec3_dot(vrmi_vec3_cross(from, to), axis), vrmi_vec3_dot(from, to));
}

vrm_quat vrmi_align(vrm_vec3 from, vrm_vec3 hinge, vrm_vec3 to, vrm_vec3 to_hinge)
{
    const vrm_quat first = vrmi_quat_from_to(from, to);
    const vrm_vec3 turned = vrmi_quat_rotate(first, hinge);
    const float angle = vrmi_angle_about(to, vrmi_vec3_across(turned, to), vrmi_vec3_across(to_hinge, to));
    return vrmi_quat_normalize(vrmi_quat_mul(vrmi_quat_from_axis_angle(to, angle), first));
}
