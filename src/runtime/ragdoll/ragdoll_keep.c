// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Bones without a body move with the animation, which does not fit a lying body: its shoulders would continue to
// breathe, and its fingers would jump at the start of a get-up clip. So these bones keep their pose from the moment
// when the body went limp, and return to the animation as the body regains its strength. Fingers stretch: the shape of
// a hand is that of stretched fingers, and curled ones would be in the ground.

#include "runtime/core/hierarchy.h"
#include "runtime/ragdoll/ragdoll.h"

static float smooth(float x)
{
    return x * x * (3.0f - 2.0f * x);
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
    const float part = smooth(strength), before = smooth(ragdoll->kept_strength);
    for (uint32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        if ((ragdoll->bodiless >> bone & 1u) == 0) {
            continue;
        }
        vrm_quat *rotation = &vrmi_local(instance, instance->model->head.bone_node[bone])->rotation;
        vrm_quat *kept = &instance->ragdoll_kept[bone];
        if (begins) {
            *kept = *rotation;
        } else if (again) {
            *kept = vrmi_quat_slerp(*kept, *rotation, before);
        }
        *rotation = vrmi_quat_slerp(*kept, *rotation, part);
    }
    ragdoll->keeps = true;
    ragdoll->kept_strength = strength;
    vrmi_hierarchy_update(instance, 0, instance->model->node_parent.count);
}

void vrmi_ragdoll_stretch_fingers(vrm_instance *instance, float dt)
{
    static const float seconds = 0.3f, fastest = 200.0f * VRMI_PI / 180.0f;
    const vrmi_ragdoll *ragdoll = &instance->ragdoll;
    for (uint32_t bone = VRM_HUMAN_BONE_LEFT_THUMB_METACARPAL; ragdoll->keeps && bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        if ((ragdoll->bodiless >> bone & 1u) != 0) {
            vrm_quat *kept = &instance->ragdoll_kept[bone];
            const vrm_quat rest = vrmi_model_node_rest(instance->model)[instance->model->head.bone_node[bone]].rotation;
            const vrm_vec3 way = vrmi_quat_to_vector(vrmi_quat_mul(rest, vrmi_quat_conjugate(*kept)));
            const float angle = vrmi_vec3_length(way), step = vrmi_min(angle / seconds, fastest) * dt;
            const float part = angle > step ? step / angle : 1.0f;
            *kept = vrmi_quat_normalize(vrmi_quat_mul(vrmi_quat_from_vector(vrmi_vec3_scale(way, part)), *kept));
        }
    }
}
