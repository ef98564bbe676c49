// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Finds the points of a pose that are below the ground, and the trunk, hands or feet that must rise to lift them.

#include "ragdoll/get_up_reach.h"

static bool is_below(const vrm_get_up_body *body, int32_t bone, int32_t above)
{
    while (bone >= 0 && bone != above) {
        bone = body->parent[bone];
    }
    return bone == above;
}

// Returns the position of a point along its bone: 0 at the bone's joint, 1 at the joint `next`.
static float along_of(const vrm_get_up_body *body, const vrmi_get_up_low *low, int32_t next)
{
    const vrm_vec3 way = vrmi_vec3_sub(body->rest[next], body->rest[low->bone]);
    return vrmi_clamp01(vrmi_vec3_dot(low->place, way) / vrmi_max(vrmi_vec3_dot(way, way), 1e-9f));
}

static void raise(float *lift, float sunk)
{
    *lift = vrmi_max(*lift, sunk);
}

static void add_sunk(
    const vrm_get_up_body *body, const vrmi_get_up_low *low, const float kneels[2], vrmi_get_up_lift *out)
{
    const float sunk = -low->height;
    for (int side = 0; side < 2; ++side) {
        const vrmi_get_up_limb *leg = &vrmi_get_up_legs[side];
        const bool shank = low->bone == leg->lower;
        if (shank ||
            low->bone == leg->upper) { // near a knee: the knee rises if it bears, otherwise both ends of the leg
            const float along = along_of(body, low, shank ? leg->end : leg->lower), bears = kneels[side];
            const float free = sunk * (1.0f - bears), knee = shank ? 1.0f - along : along;
            raise(&out->knee[side], sunk * bears * knee);
            raise(&out->trunk, shank ? free * knee : free + sunk * bears * (1.0f - knee));
            raise(&out->foot[side], shank ? free + sunk * bears * along : free * along);
            return;
        }
    }
    float *part = &out->trunk;
    for (int side = 0; side < 2; ++side) {
        part = is_below(body, low->bone, vrmi_get_up_arms[side].lower) ? &out->hand[side] : part;
        part = is_below(body, low->bone, vrmi_get_up_legs[side].end) ? &out->foot[side] : part;
    }
    raise(part, sunk);
}

vrmi_get_up_lift vrmi_get_up_sunk(const vrm_get_up_body *body, const vrmi_get_up_pose *pose, const float kneels[2])
{
    vrmi_get_up_lift out = {0.0f, {0.0f, 0.0f}, {0.0f, 0.0f}, {0.0f, 0.0f}};
    vrmi_get_up_joints joints;
    vrmi_get_up_place_joints(body, pose, &joints);
    for (uint32_t patch = 0; patch < body->skin.patches.count; ++patch) {
        vrmi_get_up_low low;
        if (vrmi_get_up_lowest(body, &joints, patch, 0.0f, &low)) {
            add_sunk(body, &low, kneels, &out);
        }
    }
    return out;
}
