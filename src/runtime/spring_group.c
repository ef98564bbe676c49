// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "runtime/spring_group.h"

#include "math/cpu.h"

#include <string.h>

enum {
    MAX_OWN_COLLIDERS = 32, // of a plain chain
    MAX_HOST_COLLIDERS = 16 // enabled ones, for plain chains to go in lanes
};

uint32_t vrmi_spring_best_path(void)
{
    if (vrmi_spring_has_avx2() && vrmi_cpu_has_avx2()) {
        return VRMI_LANES_AVX2;
    }
    return vrmi_spring_has_four() ? VRMI_LANES_FOUR : VRMI_LANES_SCALAR;
}

// --- which chains --------------------------------------------------------------------------------------------------

static bool joints_are_plain(const vrmi_model *model, const vrmi_chain_row *row)
{
    const vrm_spring_joint *joints = vrmi_model_spring_joint(model);
    const int32_t *parents = vrmi_model_node_parent(model);
    for (uint32_t j = row->first_joint; j < row->first_joint + row->joint_count; ++j) {
        const bool follows = j == row->first_joint || parents[joints[j].node] == (int32_t)joints[j - 1].node;
        if (!follows || joints[j].limit.type != VRM_SPRING_LIMIT_NONE || !vrmi_spring_turns(&joints[j]) ||
            !(vrmi_vec3_length(joints[j].tail) > 1e-9f)) {
            return false;
        }
    }
    return row->joint_count != 0;
}

static bool is_plain(const vrm_instance *instance, uint32_t chain)
{
    const vrmi_model *model = instance->model;
    const vrmi_chain_row *row = &vrmi_model_spring_chain(model)[chain];
    const vrmi_spring_chain_state *state = &instance->spring_chain_state[chain];
    if ((state->center >= 0 && instance->spring_driver[state->center].carrier >= 0) ||
        instance->spring_driver[state->root].carrier >= 0 || row->collider_count > MAX_OWN_COLLIDERS ||
        !joints_are_plain(model, row)) {
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
        while (chain < instance->model->spring_chain.count && rows[chain].first_joint + rows[chain].joint_count <= joint) {
            ++chain;
        }
        if (chain < instance->model->spring_chain.count) {
            instance->spring_is_plain[chain] = 0;
        }
    }
}

// Longest chains first, so that chains of about one length share a group; Shell's sort, ties by number.
static void sort_by_length(uint32_t *chains, uint32_t count, const vrmi_chain_row *rows)
{
    for (uint32_t gap = count / 2; gap > 0; gap /= 2) {
        for (uint32_t i = gap; i < count; ++i) {
            const uint32_t moved = chains[i], length = rows[moved].joint_count;
            uint32_t k = i;
            for (; k >= gap; k -= gap) {
                const uint32_t before = chains[k - gap], other = rows[before].joint_count;
                if (other > length || (other == length && before < moved)) {
                    break;
                }
                chains[k] = before;
            }
            chains[k] = moved;
        }
    }
}

void vrmi_spring_find_plain(vrm_instance *instance)
{
    vrmi_spring_globals *springs = &instance->springs;
    const uint32_t chains = instance->model->spring_chain.count;
    for (uint32_t i = 0; i < chains; ++i) {
        instance->spring_is_plain[i] = is_plain(instance, i);
    }
    exclude_carriers(instance);
    for (uint32_t i = 0; i < instance->def.host_colliders; ++i) {
        const vrmi_spring_driver *driver = &instance->spring_driver[springs->driver_count + i];
        if (driver->node != -2 && driver->carrier >= 0 && chains != 0) {
            memset(instance->spring_is_plain, 0, chains); // any chain may meet what hair moves
        }
    }
    const vrmi_chain_row *rows = vrmi_model_spring_chain(instance->model);
    springs->plain_count = 0;
    for (uint32_t i = 0; i < chains; ++i) {
        if (instance->spring_is_plain[i] && instance->spring_chain_state[i].center < 0) {
            instance->spring_plain[springs->plain_count++] = i;
        }
    }
    springs->plain_free = springs->plain_count;
    for (uint32_t i = 0; i < chains; ++i) {
        if (instance->spring_is_plain[i] && instance->spring_chain_state[i].center >= 0) {
            instance->spring_plain[springs->plain_count++] = i;
        }
    }
    sort_by_length(instance->spring_plain, springs->plain_free, rows);
    sort_by_length(instance->spring_plain + springs->plain_free, springs->plain_count - springs->plain_free, rows);
}

// --- a step --------------------------------------------------------------------------------------------------------

bool vrmi_spring_uses_lanes(const vrm_instance *instance, const vrmi_spring_step *step)
{
    if (instance->lanes == VRMI_LANES_NONE || instance->springs.scaled || instance->springs.plain_count == 0 ||
        step->kind == VRMI_SPRING_STEP_STAND) {
        return false;
    }
    uint32_t enabled = 0;
    for (uint32_t i = 0; i < instance->def.host_colliders; ++i) {
        enabled += instance->spring_host_collider[i].chain != -2;
    }
    return enabled <= MAX_HOST_COLLIDERS;
}

static void put_collider(vrmi_spring_collider_lanes *out, uint32_t lane, const vrmi_spring_collider *c)
{
    out->a[0][lane] = c->a.x;
    out->a[1][lane] = c->a.y;
    out->a[2][lane] = c->a.z;
    out->b[0][lane] = c->b.x;
    out->b[1][lane] = c->b.y;
    out->b[2][lane] = c->b.z;
    out->radius[lane] = c->radius;
    out->inverse[lane] = c->inverse;
    out->side[lane] = c->side;
}

// Transposes the colliders of a lane's chain; their number.
static uint32_t put_colliders(
    const vrm_instance *instance, uint32_t chain, vrmi_spring_collider_lanes *out, uint32_t lane)
{
    const vrmi_chain_row *row = &vrmi_model_spring_chain(instance->model)[chain];
    const uint32_t *indices = vrmi_model_chain_collider(instance->model) + row->first_collider;
    uint32_t count = row->collider_count;
    for (uint32_t i = 0; i < count; ++i) {
        put_collider(&out[i], lane, &instance->spring_collider[indices[i]]);
    }
    for (uint32_t i = 0; i < instance->def.host_colliders; ++i) {
        const int32_t only = instance->spring_host_collider[i].chain;
        if (only == -1 || only == (int32_t)chain) {
            put_collider(&out[count++], lane, &instance->spring_host_collider[i]);
        }
    }
    return count;
}

static void put_vector(float out[3][VRMI_LANES], uint32_t lane, vrm_vec3 v)
{
    out[0][lane] = v.x;
    out[1][lane] = v.y;
    out[2][lane] = v.z;
}

static void put_quat(float out[4][VRMI_LANES], uint32_t lane, vrm_quat q)
{
    out[0][lane] = q.x;
    out[1][lane] = q.y;
    out[2][lane] = q.z;
    out[3][lane] = q.w;
}

static void put_lane(
    const vrm_instance *instance, uint32_t chain, const vrmi_spring_step *step, vrmi_spring_group *group, uint32_t lane)
{
    const vrmi_spring_chain_state *state = &instance->spring_chain_state[chain];
    const vrmi_spring_pose *pose = &instance->spring_driver[state->root].pose;
    const vrmi_spring_carry carry =
        state->center >= 0 ? vrmi_spring_carry_between(&state->center_tick, &instance->spring_driver[state->center].pose)
                           : vrmi_spring_step_carry(step);
    put_vector(group->position, lane, pose->position);
    put_quat(group->rotation, lane, pose->rotation);
    put_vector(group->carry_translation, lane, carry.translation);
    put_quat(group->carry_rotation, lane, carry.rotation);
    group->turns = carry.turns; // alike in all lanes
    group->first_joint[lane] = vrmi_model_spring_chain(instance->model)[chain].first_joint;
}

static uint32_t run_group(vrm_instance *instance, const vrmi_spring_group *group, const vrmi_spring_step *step)
{
    switch (instance->lanes) {
    case VRMI_LANES_AVX2:
        return vrmi_spring_group_avx2(instance, group, step);
    case VRMI_LANES_FOUR:
        return vrmi_spring_group_four(instance, group, step);
    default:
        return vrmi_spring_group_scalar(instance, group, step);
    }
}

// Fills the lanes with chains; the lanes that are left over repeat the first one and are not stored.
static void fill_group(vrm_instance *instance, const uint32_t *chains, const vrmi_spring_step *step,
    vrmi_spring_group *group, vrmi_spring_collider_lanes *colliders)
{
    // Far away: what a lane with fewer colliders than others never meets.
    const vrmi_spring_collider none = {.radius = -1e30f, .side = 1.0f};
    const vrmi_chain_row *rows = vrmi_model_spring_chain(instance->model);
    group->joint_count = rows[chains[0]].joint_count;
    for (uint32_t lane = 0; lane < VRMI_LANES; ++lane) {
        const uint32_t chain = chains[lane < group->lane_count ? lane : 0];
        put_lane(instance, chain, step, group, lane);
        if (lane < group->lane_count) {
            group->lane_joints[lane] = rows[chain].joint_count;
            group->lane_colliders[lane] = put_colliders(instance, chain, colliders, lane);
        }
        if (group->lane_colliders[lane] > group->collider_count) {
            group->collider_count = group->lane_colliders[lane];
        }
    }
    for (uint32_t lane = 0; lane < VRMI_LANES; ++lane) {
        for (uint32_t i = group->lane_colliders[lane]; i < group->collider_count; ++i) {
            put_collider(&colliders[i], lane, &none);
        }
    }
}

// Chains of spring_plain from `first` to `end` - 1.
static void run_range(vrm_instance *instance, const vrmi_spring_step *step, uint32_t first, uint32_t end, bool ahead,
    vrmi_spring_lost *on_lost)
{
    vrmi_spring_collider_lanes colliders[MAX_OWN_COLLIDERS + MAX_HOST_COLLIDERS];
    for (; first < end; first += VRMI_LANES) {
        const uint32_t *chains = &instance->spring_plain[first];
        vrmi_spring_group group = {
            .lane_count = end - first < VRMI_LANES ? end - first : VRMI_LANES, .ahead = ahead, .colliders = colliders};
        fill_group(instance, chains, step, &group, colliders);
        const uint32_t lost = run_group(instance, &group, step);
        for (uint32_t lane = 0; lane < group.lane_count; ++lane) {
            if ((lost >> lane & 1u) != 0) {
                on_lost(instance, chains[lane], step);
            }
            vrmi_spring_chain_state *state = &instance->spring_chain_state[chains[lane]];
            if (state->center >= 0 && step->kind != VRMI_SPRING_STEP_LOOK_AHEAD) {
                state->center_tick = instance->spring_driver[state->center].pose;
            }
        }
    }
}

void vrmi_spring_run_plain(vrm_instance *instance, const vrmi_spring_step *step, vrmi_spring_lost *on_lost)
{
    const vrmi_spring_globals *springs = &instance->springs;
    const bool looks_ahead = step->kind == VRMI_SPRING_STEP_LOOK_AHEAD;
    if (looks_ahead && springs->plain_free < springs->plain_count) {
        // In center space the tick under way is seen from where the center is now: so are the colliders.
        vrmi_spring_place_colliders(instance, step, false);
        run_range(instance, step, springs->plain_free, springs->plain_count, false, on_lost);
        vrmi_spring_place_colliders(instance, step, true);
    } else {
        run_range(instance, step, springs->plain_free, springs->plain_count, false, on_lost);
    }
    run_range(instance, step, 0, springs->plain_free, looks_ahead, on_lost);
}
