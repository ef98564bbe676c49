// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Freezing the tips of chains: which joints, how they come to rest, and how they move again.

#include <vrm/lod.h>

#include "base/checks.h"
#include "runtime/spring/spring_group.h"
#include "runtime/spring/spring_joint.h"
#include "runtime/spring/spring_run.h"

// A tip is what swings by little: of the avatar's eye height.
static const float tip_length = 0.125f;
static const float freeze_seconds = 0.5f; // in which tips go to their rest rotation
static const float thaw_seconds = 0.5f;   // in which they come back from it

// In the pose at rest, where a chain is as long as it is made.
uint32_t vrmi_spring_first_tip(const vrmi_model *model, uint32_t chain)
{
    const vrmi_chain_row *row = &vrmi_model_spring_chain(model)[chain];
    const vrm_spring_joint *joints = vrmi_model_spring_joint(model) + row->first_joint;
    const vrm_mat34 *worlds = vrmi_model_node_rest_matrix(model);
    const float longest = tip_length * model->head.body.eye_height;
    float length = 0.0f;
    uint32_t first = row->joint_count;
    for (; first > 0; --first) {
        const vrm_spring_joint *joint = &joints[first - 1];
        length += vrmi_vec3_length(vrmi_mat34_vector(&worlds[joint->node], joint->tail));
        if (!(length <= longest)) {
            break;
        }
    }
    return first;
}

uint32_t vrm_instance_frozen_joints(const vrm_instance *instance)
{
    uint32_t frozen = 0;
    if (!VRM_ASSERT(instance != NULL)) {
        return frozen;
    }
    for (uint32_t c = 0; c < instance->model->spring_chain.count; ++c) {
        frozen += vrmi_model_spring_chain(instance->model)[c].joint_count - instance->spring_chain_state[c].tips;
    }
    return frozen;
}

void vrmi_spring_count_live(vrm_instance *instance)
{
    const bool tips = instance->springs.frozen || instance->springs.thaws;
    for (uint32_t c = 0; c < instance->model->spring_chain.count; ++c) {
        vrmi_spring_chain_state *state = &instance->spring_chain_state[c];
        state->live = tips ? state->tips : vrmi_model_spring_chain(instance->model)[c].joint_count;
    }
    vrmi_spring_find_plain(instance);
}

void vrmi_spring_follow_level(vrm_instance *instance)
{
    vrmi_spring_globals *springs = &instance->springs;
    const bool freezes = instance->lod.level >= VRM_LOD_TIPS_FROZEN;
    // What froze goes to rest first: from there it comes back unseen, wherever that which it meets has gone meanwhile.
    if (freezes == springs->frozen || (springs->frozen && springs->tip_mix < 1.0f)) {
        return;
    }
    const bool are_out = springs->thaws; // frozen until the next tick
    springs->frozen = freezes;
    springs->thaws = !freezes;
    if (freezes && !are_out) {
        vrmi_spring_count_live(instance);
    }
}

void vrmi_spring_thaw(vrm_instance *instance)
{
    instance->springs.thaws = false;
    vrmi_spring_count_live(instance);
}

bool vrmi_spring_tips_are_still(const vrmi_spring_globals *springs)
{
    return springs->tip_mix == (springs->frozen ? 1.0f : 0.0f);
}

// What is simulated, or was left when it froze, is mixed with the rest rotation where it is shown, and nowhere else: so
// neither freezing nor its end is seen, whenever it comes.
void vrmi_spring_mix_tips(vrm_instance *instance, float dt)
{
    vrmi_spring_globals *springs = &instance->springs;
    const float way = springs->frozen ? dt / freeze_seconds : -dt / thaw_seconds;
    const float mix = vrmi_clamp(springs->tip_mix + way, 0.0f, 1.0f);
    springs->chosen &= mix == springs->tip_mix;
    springs->tip_mix = mix;
}
