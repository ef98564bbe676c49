// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "runtime/spring/spring_group.h"

#include "math/cpu.h"
#include "runtime/spring/spring_show.h"

#include <string.h>

enum {
    MAX_HOST_COLLIDERS = 16, // enabled ones, for plain chains to go in lanes
    MAX_CONTACTS = VRMI_SPRING_MAX_GROUP_COLLIDERS + MAX_HOST_COLLIDERS
};

uint32_t vrmi_spring_best_path(void)
{
    if (vrmi_spring_kernels_avx2() != NULL && vrmi_cpu_has_avx2()) {
        return VRMI_LANES_AVX2;
    }
    return vrmi_spring_kernels_four() != NULL ? VRMI_LANES_FOUR : VRMI_LANES_SCALAR;
}

// --- which chains --------------------------------------------------------------------------------------------------

static bool is_plain(const vrm_instance *instance, uint32_t chain)
{
    const vrmi_model *model = instance->model;
    const vrmi_chain_row *row = &vrmi_model_spring_chain(model)[chain];
    const vrmi_spring_chain_state *state = &instance->spring_chain_state[chain];
    if ((state->center >= 0 && instance->spring_driver[state->center].carrier >= 0) ||
        instance->spring_driver[state->root].carrier >= 0) {
        return false;
    }
    const uint32_t *colliders = vrmi_model_chain_collider(model) + row->first_collider;
    for (uint32_t i = 0; i < row->collider_count; ++i) {
        if (instance->spring_driver[instance->spring_collider_driver[colliders[i]]].carrier >= 0) {
            return false;
        }
    }
    return true;
}

// Chains whose joints carry a driver are not plain; chains and carried drivers both lie in joint order.
static void exclude_carriers(vrm_instance *instance)
{
    const vrmi_chain_row *rows = vrmi_model_spring_chain(instance->model);
    uint32_t chain = 0;
    for (uint32_t i = 0; i < instance->springs.carried_count; ++i) {
        const uint32_t joint = (uint32_t)instance->spring_driver[instance->spring_carried[i]].carrier;
        while (
            chain < instance->model->spring_chain.count && rows[chain].first_joint + rows[chain].joint_count <= joint) {
            ++chain;
        }
        if (chain < instance->model->spring_chain.count) {
            instance->spring_chain_state[chain].plain = false;
        }
    }
}

// Host colliders that hair moves: any chain may meet them.
static bool has_carried_host(const vrm_instance *instance)
{
    bool carried = false;
    for (uint32_t i = 0; i < instance->def.host_colliders; ++i) {
        const vrmi_spring_driver *driver = &instance->spring_driver[instance->springs.driver_count + i];
        carried |= driver->node != -2 && driver->carrier >= 0;
    }
    return carried;
}

static vrmi_spring_plain_lanes plain_lanes(const vrm_instance *instance, const vrmi_spring_group_row *group)
{
    vrmi_spring_plain_lanes plain = {.whole = true, .root = -1};
    bool differ = false;
    for (uint32_t lane = 0; lane < VRMI_LANES && group->chains[lane] >= 0; ++lane) {
        const uint32_t chain = (uint32_t)group->chains[lane];
        const vrmi_spring_chain_state *state = &instance->spring_chain_state[chain];
        plain.whole &= state->plain && state->live == vrmi_model_spring_chain(instance->model)[chain].joint_count;
        if (!state->plain || state->live == 0) {
            continue;
        }
        differ |= plain.all != 0 && plain.root != (int32_t)state->root;
        plain.root = (int32_t)state->root;
        plain.all |= (uint8_t)(1u << lane);
        plain.centered |= (uint8_t)((state->center >= 0 ? 1u : 0u) << lane);
        plain.row_count = state->live > plain.row_count ? state->live : plain.row_count;
        plain.joints[lane] = (float)state->live;
    }
    plain.root = differ ? -1 : plain.root;
    return plain;
}

void vrmi_spring_find_plain(vrm_instance *instance)
{
    const bool none = has_carried_host(instance);
    const vrmi_spring_group_row *groups = vrmi_model_spring_group(instance->model);
    for (uint32_t i = 0; i < instance->model->spring_group.count; ++i) {
        for (uint32_t lane = 0; lane < VRMI_LANES && groups[i].chains[lane] >= 0; ++lane) {
            const uint32_t chain = (uint32_t)groups[i].chains[lane];
            instance->spring_chain_state[chain].plain =
                !none && (groups[i].lanes >> lane & 1u) != 0 && is_plain(instance, chain);
        }
    }
    exclude_carriers(instance);
    vrmi_spring_globals *springs = &instance->springs;
    springs->has_plain = springs->has_plain_centered = springs->chosen = false;
    springs->all_plain = true;
    for (uint32_t i = 0; i < instance->model->spring_group.count; ++i) {
        instance->spring_plain[i] = plain_lanes(instance, &groups[i]);
        springs->has_plain |= instance->spring_plain[i].all != 0;
        springs->has_plain_centered |= instance->spring_plain[i].centered != 0;
    }
    for (uint32_t i = 0; i < instance->model->spring_chain.count; ++i) {
        springs->all_plain &= instance->spring_chain_state[i].plain;
    }
}

// --- a step --------------------------------------------------------------------------------------------------------

bool vrmi_spring_uses_lanes(const vrm_instance *instance, const vrmi_spring_step *step)
{
    if (instance->lanes == VRMI_LANES_NONE || instance->springs.scaled || !instance->springs.has_plain ||
        step->kind == VRMI_SPRING_STEP_STAND) {
        return false;
    }
    uint32_t enabled = 0;
    for (uint32_t i = 0; i < instance->def.host_colliders; ++i) {
        enabled += instance->spring_host_collider[i].chain != -2;
    }
    return enabled <= MAX_HOST_COLLIDERS;
}

// What moves the state of chains with a center, in their lanes. Centers are few: the last one's carrying is kept.
static void put_carries(const vrm_instance *instance, const vrmi_spring_group_row *group, uint32_t centered,
    const vrmi_spring_step *step, vrmi_spring_lane_run *run)
{
    const vrmi_spring_chain_state *last = NULL;
    vrmi_spring_carry carry = vrmi_spring_step_carry(step);
    run->turns = carry.turns ? run->lanes : 0;
    run->centered = centered != 0;
    if (centered == 0) {
        return;
    }
    vrmi_lanes_fill_vec3(&run->carry_translation, carry.translation);
    vrmi_lanes_fill_quat(&run->carry_rotation, carry.rotation);
    for (uint32_t lane = 0; centered >> lane != 0; ++lane) {
        if ((centered >> lane & 1u) == 0) {
            continue;
        }
        const vrmi_spring_chain_state *state = &instance->spring_chain_state[group->chains[lane]];
        if (last == NULL || last->center != state->center ||
            memcmp(&last->center_tick, &state->center_tick, sizeof(state->center_tick)) != 0) {
            carry = vrmi_spring_carry_between(&state->center_tick, &instance->spring_driver[state->center].pose);
            last = state;
        }
        vrmi_lane_set_vec3(&run->carry_translation, lane, carry.translation);
        vrmi_lane_set_quat(&run->carry_rotation, lane, carry.rotation);
    }
    run->turns |= centered;
}

static vrmi_spring_lane_contact contact_with(const vrmi_spring_collider *collider, uint32_t lanes)
{
    vrmi_spring_contact_kind kind =
        collider->inverse != 0.0f ? VRMI_SPRING_CONTACT_CAPSULE : VRMI_SPRING_CONTACT_SPHERE;
    if (collider->side != 1.0f) {
        kind = collider->side == 0.0f ? VRMI_SPRING_CONTACT_PLANE : VRMI_SPRING_CONTACT_INSIDE;
    }
    return (vrmi_spring_lane_contact){collider, lanes, kind};
}

// The colliders that the lanes meet; their number.
static uint32_t list_contacts(
    const vrm_instance *instance, const vrmi_spring_group_row *group, uint32_t lanes, vrmi_spring_lane_contact *out)
{
    const vrmi_spring_group_collider *own = vrmi_model_spring_group_collider(instance->model) + group->first_collider;
    uint32_t count = 0;
    for (uint32_t i = 0; i < group->collider_count; ++i) {
        out[count] = contact_with(&instance->spring_collider[own[i].collider], own[i].lanes & lanes);
        count += out[count].lanes != 0;
    }
    for (uint32_t i = 0; i < instance->def.host_colliders; ++i) {
        const vrmi_spring_collider *collider = &instance->spring_host_collider[i];
        uint32_t meets = collider->chain == -1 ? lanes : 0;
        for (uint32_t lane = 0; collider->chain >= 0 && lane < VRMI_LANES; ++lane) {
            meets |= group->chains[lane] == collider->chain ? lanes & 1u << lane : 0;
        }
        if (meets != 0) {
            out[count++] = contact_with(collider, meets);
        }
    }
    return count;
}

// Where the chains hang; lanes that do not run follow the first one.
static void put_roots(
    const vrm_instance *instance, const vrmi_spring_group_row *group, int32_t root, vrmi_spring_lane_run *run)
{
    run->root = root >= 0 ? &instance->spring_driver[root].pose : NULL;
    for (uint32_t lane = 0; root < 0 && lane < VRMI_LANES; ++lane) {
        const uint32_t chain = (uint32_t)group->chains[group->chains[lane] >= 0 ? lane : 0];
        const vrmi_spring_pose *pose = &instance->spring_driver[instance->spring_chain_state[chain].root].pose;
        vrmi_lane_set_vec3(&run->position, lane, pose->position);
        vrmi_lane_set_quat(&run->rotation, lane, pose->rotation);
    }
}

// Makes lanes of a group ready for a step.
static void set_up_run(const vrm_instance *instance, uint32_t index, uint32_t lanes, const vrmi_spring_step *step,
    vrmi_spring_lane_run *run, vrmi_spring_lane_contact *contacts)
{
    const vrmi_spring_group_row *group = &vrmi_model_spring_group(instance->model)[index];
    const vrmi_spring_plain_lanes *plain = &instance->spring_plain[index];
    run->group = index;
    run->first_row = group->first_row;
    run->row_count = plain->row_count;
    run->lanes = lanes;
    run->lost = 0;
    run->lane_joints = plain->joints;
    run->whole = plain->whole && lanes == plain->all;
    run->shows = instance->springs.shown ? plain->shown & lanes : 0;
    put_roots(instance, group, plain->root, run);
    put_carries(instance, group, lanes & plain->centered, step, run);
    run->contacts = contacts;
    run->contact_count = step->skims ? 0 : list_contacts(instance, group, lanes, contacts);
    run->meets = 0;
    for (uint32_t i = 0; i < run->contact_count; ++i) {
        run->meets |= contacts[i].lanes;
    }
}

// What is left to do for a group's chains after their step.
static void finish_run(
    vrm_instance *instance, const vrmi_spring_lane_run *run, const vrmi_spring_step *step, vrmi_spring_lost *on_lost)
{
    const vrmi_spring_group_row *group = &vrmi_model_spring_group(instance->model)[run->group];
    for (uint32_t lane = 0; run->lost >> lane != 0; ++lane) {
        if ((run->lost >> lane & 1u) != 0) {
            on_lost(instance, (uint32_t)group->chains[lane], step);
        }
    }
    const uint32_t centered =
        vrmi_spring_step_is_kept(step) ? run->lanes & instance->spring_plain[run->group].centered : 0;
    for (uint32_t lane = 0; centered >> lane != 0; ++lane) {
        if ((centered >> lane & 1u) != 0) {
            vrmi_spring_chain_state *state = &instance->spring_chain_state[group->chains[lane]];
            state->center_tick = instance->spring_driver[state->center].pose;
        }
    }
}

static uint32_t lanes_that_run(const vrm_instance *instance, uint32_t group, vrmi_spring_which which)
{
    const vrmi_spring_plain_lanes *plain = &instance->spring_plain[group];
    const uint32_t free = plain->all & ~(uint32_t)plain->centered;
    return (which & VRMI_SPRING_FREE ? free : 0u) | (which & VRMI_SPRING_CENTERED ? plain->centered : 0u);
}

void vrmi_spring_run_plain(
    vrm_instance *instance, const vrmi_spring_step *step, vrmi_spring_which which, vrmi_spring_lost *on_lost)
{
    vrmi_spring_lane_contact contacts[VRMI_SPRING_BATCH][MAX_CONTACTS];
    vrmi_spring_lane_run runs[VRMI_SPRING_BATCH];
    uint32_t next = 0;
    while (next < instance->model->spring_group.count) {
        uint32_t count = 0;
        for (; next < instance->model->spring_group.count && count < VRMI_SPRING_BATCH; ++next) {
            const uint32_t lanes = lanes_that_run(instance, next, which);
            if (lanes != 0) {
                runs[count].ahead = step->kind == VRMI_SPRING_STEP_LOOK_AHEAD && which == VRMI_SPRING_FREE;
                set_up_run(instance, next, lanes, step, &runs[count], contacts[count]);
                ++count;
            }
        }
        vrmi_spring_kernels_of(instance->lanes)->groups(instance, runs, count, step);
        for (uint32_t i = 0; i < count; ++i) {
            finish_run(instance, &runs[i], step, on_lost);
        }
    }
}
