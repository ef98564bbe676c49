// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "stagger/stagger_soles.h"

#include "math/quat.h"

enum { DIRECTIONS = 72 };

bool scene_soles_has(const vrm_ragdoll_body *body)
{
    return body->bone == VRM_HUMAN_BONE_LEFT_FOOT || body->bone == VRM_HUMAN_BONE_RIGHT_FOOT;
}

void scene_soles_find(const vrm_ragdoll_body *foot, const vrm_ragdoll_state *state, vrm_vec3 out[SCENE_SOLES_CORNERS])
{
    const vrm_vec3 h = foot->shape.half_extents;
    for (int k = 0; k < SCENE_SOLES_CORNERS; ++k) {
        const vrm_vec3 corner = {k & 1 ? h.x : -h.x, k & 2 ? h.y : -h.y, k & 4 ? h.z : -h.z};
        const vrm_vec3 own = vrmi_vec3_add(foot->shape.center, vrmi_quat_rotate(foot->shape.rotation, corner));
        out[k] = vrmi_vec3_add(state->position, vrmi_quat_rotate(state->rotation, own));
    }
}

float scene_soles_outside(const vrm_vec3 *corners, uint32_t count, vrm_vec3 point, vrm_vec3 *out_direction)
{
    float out = -1e9f;
    for (int k = 0; k < DIRECTIONS; ++k) {
        float sine, cosine, farthest = -1e9f;
        vrmi_sincos((float)k * 2.0f * VRMI_PI / DIRECTIONS, &sine, &cosine);
        for (uint32_t i = 0; i < count; ++i) {
            farthest = vrmi_max(farthest, corners[i].x * cosine + corners[i].z * sine);
        }
        const float far = point.x * cosine + point.z * sine - farthest;
        if (far > out) {
            out = far;
            *out_direction = vrmi_vec3(cosine, 0.0f, sine);
        }
    }
    return out;
}
