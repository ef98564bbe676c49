// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Bones without a body move with the animation, which does not fit a lying body: its shoulders would continue to
// breathe, and its fingers would jump at the start of a get-up clip. So these bones keep their pose from the moment
// when the body went limp, and return to the animation as the body regains its strength. Fingers stretch: the shape of
// a hand is that of stretched fingers, and curled ones would be in the ground.

#include "runtime/core/hierarchy.h"
#include "runtime/ragdoll/ragdoll.h"

#include <string.h>

static float smooth(float x)
{
    return x * x * (3.0f - 2.0f * x);
}

// Updates the nodes below the rotated bones that carry bodies, since the targets need them. The second half updates all
// nodes, unless there are no states.
static void update_below(vrm_instance *instance, uint64_t rotated)
{
    const uint32_t count = instance->model->node_parent.count;
    const uint32_t *ends = vrmi_model_node_subtree_end(instance->model);
    uint32_t below = 0;
    for (uint32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        const int32_t node = instance->model->head.bone_node[bone];
        below += (rotated >> bone & 1u) != 0 ? ends[node] - (uint32_t)node : 0;
    }
    // One by one, nodes take twice as long.
    if (!instance->ragdoll.has_states || 2 * below > count) {
        vrmi_hierarchy_update(instance, 0, count);
        return;
    }
    for (uint32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) { // parents come before their children
        if ((rotated >> bone & 1u) != 0) {
            vrmi_hierarchy_update_subtree(instance, (uint32_t)instance->model->head.bone_node[bone]);
        }
    }
}

void vrmi_ragdoll_keep(vrm_instance *instance)
{
    vrmi_ragdoll *ragdoll = &instance->ragdoll;
    const float strength = vrmi_ragdoll_strength(ragdoll);
    if (!vrmi_ragdoll_runs(ragdoll) || strength >= 1.0f) {
        ragdoll->keeps = false;
        return;
    }
    const bool begins = !ragdoll->keeps;
    // If the body falls again during its return, its bones keep the blend that they had reached.
    const bool again = ragdoll->keeps && strength < ragdoll->kept_strength;
    uint64_t rotated = 0;
    const float part = smooth(strength), before = smooth(ragdoll->kept_strength);
    for (uint32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        if ((ragdoll->bodiless >> bone & 1u) == 0) {
            continue;
        }
        const bool carries = (ragdoll->carriers >> bone & 1u) != 0;
        vrm_quat *rotation = &vrmi_local(instance, instance->model->head.bone_node[bone])->rotation;
        vrm_quat *kept = &instance->ragdoll_kept[bone];
        if (begins) {
            *kept = *rotation;
        } else if (again) {
            *kept = vrmi_quat_slerp(*kept, *rotation, before);
        }
        const vrm_quat animated = *rotation;
        *rotation = part > 0.0f || carries ? vrmi_quat_slerp(*kept, animated, part) : *kept;
        rotated |= (uint64_t)(carries && memcmp(rotation, &animated, sizeof animated) != 0) << bone;
    }
    ragdoll->keeps = true;
    ragdoll->kept_strength = strength;
    update_below(instance, rotated);
}

// Returns the fraction of the way to `to` by which a finger moves in `dt`. Most fingers need no function of an angle.
static float finger_step(float cosine, float dt)
{
    static const float seconds = 0.3f, fastest = 200.0f * VRMI_PI / 180.0f;
    static const float slow = 0.866f; // cosine of half the angle that takes `seconds` at the fastest speed
    const float usual = dt / seconds;
    const float part = cosine > slow ? usual : vrmi_min(usual, fastest * dt / (2.0f * vrmi_acos(cosine)));
    return vrmi_min(part, 1.0f);
}

void vrmi_ragdoll_stretch_fingers(vrm_instance *instance, float dt)
{
    static const float arrived = 1.0f - 1e-6f; // cosine of half of 0.16 degrees
    const vrmi_ragdoll *ragdoll = &instance->ragdoll;
    for (uint32_t bone = VRM_HUMAN_BONE_LEFT_THUMB_METACARPAL; ragdoll->keeps && bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        if ((ragdoll->bodiless >> bone & 1u) == 0) {
            continue;
        }
        vrm_quat *kept = &instance->ragdoll_kept[bone];
        const vrm_quat rest = vrmi_model_node_rest(instance->model)[instance->model->head.bone_node[bone]].rotation;
        const float cosine = vrmi_abs(vrmi_quat_dot(rest, *kept));
        *kept = cosine < arrived ? vrmi_quat_nlerp(*kept, rest, finger_step(cosine, dt)) : rest;
    }
}
