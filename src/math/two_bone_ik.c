// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Two-bone inverse kinematics by the law of cosines, with a soft reach as in A. Nicholas, "Soft IK". Beyond a fraction
// of its length the limb follows the target exponentially more slowly, so that it never snaps straight.

#include <vrm/clip.h>

#include "base/checks.h"
#include "base/float_environment.h"
#include "math/quat.h"

static float soft_reach(float wanted, float length, float soft)
{
    const float margin = length * vrmi_clamp(soft, 0.0f, 0.5f), start = length - margin;
    if (!(margin > 1e-6f * length)) {
        return vrmi_min(wanted, length);
    }
    return wanted <= start ? wanted : start + margin * (1.0f - vrmi_exp(-(wanted - start) / margin));
}

// Computes the normalised component of `v` perpendicular to the unit vector `d`. Returns false if there is none.
static bool across(vrm_vec3 v, vrm_vec3 d, vrm_vec3 *out)
{
    const vrm_vec3 side = vrmi_vec3_sub(v, vrmi_vec3_scale(d, vrmi_vec3_dot(v, d)));
    const float length = vrmi_vec3_length(side);
    if (!(length > 1e-5f * (vrmi_vec3_length(v) + 1e-12f))) {
        return false;
    }
    *out = vrmi_vec3_scale(side, 1.0f / length);
    return true;
}

static void solve(const vrm_two_bone_limb *limb, vrm_quat *out_upper, vrm_quat *out_lower)
{
    const vrm_vec3 upper = vrmi_vec3_sub(limb->middle, limb->root), lower = vrmi_vec3_sub(limb->end, limb->middle);
    const vrm_vec3 way = vrmi_vec3_sub(limb->target, limb->root);
    const float a = vrmi_vec3_length(upper), b = vrmi_vec3_length(lower), distance = vrmi_vec3_length(way);
    if (!(a > 1e-9f) || !(b > 1e-9f) || !(distance > 1e-9f) || !vrmi_finite(a + b + distance)) {
        return;
    }
    const vrm_vec3 d = vrmi_vec3_scale(way, 1.0f / distance);
    const float c = vrmi_max(soft_reach(distance, a + b, limb->soft), vrmi_abs(a - b) + 1e-6f * (a + b));
    // The middle joint bends towards the pole. If the pole is in line with the limb, the joint bends to its current
    // side. If the limb is also straight, the joint bends to any side.
    const vrm_vec3 end = vrmi_vec3_normalize_or(vrmi_vec3_sub(limb->end, limb->root), d);
    vrm_vec3 side, own;
    if (!across(vrmi_vec3_sub(limb->pole, limb->root), d, &side)) {
        const bool bent = across(upper, end, &own);
        const vrm_quat turn = vrmi_quat_from_to(end, d);
        if (!bent || !across(vrmi_quat_rotate(turn, own), d, &side)) {
            const vrm_vec3 any = vrmi_abs(d.x) < 0.7f ? vrmi_vec3(1.0f, 0.0f, 0.0f) : vrmi_vec3(0.0f, 1.0f, 0.0f);
            (void)across(any, d, &side);
        }
    }
    const float cosine = vrmi_clamp((a * a + c * c - b * b) / (2.0f * a * c), -1.0f, 1.0f);
    const float sine = vrmi_sqrt(1.0f - cosine * cosine);
    const vrm_vec3 middle = vrmi_vec3_add(vrmi_vec3_scale(d, a * cosine), vrmi_vec3_scale(side, a * sine));
    const vrm_vec3 rest = vrmi_vec3_sub(vrmi_vec3_scale(d, c), middle);
    *out_upper = vrmi_quat_from_to(vrmi_vec3_scale(upper, 1.0f / a), vrmi_vec3_normalize_or(middle, d));
    *out_lower = vrmi_quat_from_to(vrmi_vec3_scale(lower, 1.0f / b), vrmi_vec3_normalize_or(rest, d));
}

void vrm_two_bone_ik(const vrm_two_bone_limb *limb, vrm_quat *out_upper, vrm_quat *out_lower)
{
    if (!VRM_ASSERT(limb != NULL && out_upper != NULL && out_lower != NULL)) {
        return;
    }
    *out_upper = *out_lower = vrmi_quat_identity();
    const vrmi_float_environment host = vrmi_float_enter();
    solve(limb, out_upper, out_lower);
    const float weight = limb->weight > 0.0f ? vrmi_min(limb->weight, 1.0f) : 0.0f;
    if (weight < 1.0f) {
        *out_upper = vrmi_quat_slerp(vrmi_quat_identity(), *out_upper, weight);
        *out_lower = vrmi_quat_slerp(vrmi_quat_identity(), *out_lower, weight);
    }
    vrmi_float_leave(host);
}
