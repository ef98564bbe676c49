// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// One step of all chains: anchors and colliders first, then in each wave the groups, and the anchors on their joints.

#include "runtime/spring/spring_step.h"

#include "runtime/core/kernel_matrix.h"

#include <string.h>

// Groups that run together, and their rows for the current pose.
typedef struct batch {
    const vrmi_spring_kernels *kernels;
    vrmi_spring_group_run runs[VRMI_SPRING_BATCH];
    vrmi_spring_posed posed[VRMI_SPRING_BATCH];
    uint32_t count;
} batch;

static const vrmi_spring_group_row *group_of(const vrm_instance *instance, uint32_t index)
{
    return &vrmi_model_spring_group(instance->model)[index];
}

// --- a group ready for a step --------------------------------------------------------------------------------------

// Writes the motion that moves the state of each lane to this step. There are few centers, so the motion of the last
// one is cached.
static void put_carries(const vrm_instance *instance, const vrmi_spring_step *step, vrmi_spring_group_run *run)
{
    const vrmi_spring_group_row *group = run->group;
    const vrmi_rigid of_step = vrmi_spring_step_carry(step);
    vrmi_rigid of_center = of_step;
    uint32_t last = UINT32_MAX;
    for (uint32_t lane = 0; lane < VRMI_LANES; ++lane) {
        const bool centered = (group->centered >> lane & 1u) != 0;
        if (centered && group->centers[lane] != last) {
            last = group->centers[lane];
            of_center = vrmi_rigid_between(&instance->spring_anchor[last].tick, &instance->spring_anchor[last].pose);
        }
        const vrmi_rigid *carry = centered ? &of_center : &of_step;
        vrmi_lane_set_vec3(&run->carry_translation, lane, carry->translation);
        vrmi_lane_set_quat(&run->carry_rotation, lane, carry->rotation);
    }
}

static bool is_uneven(const vrm_instance *instance, const vrmi_spring_group_row *group)
{
    bool uneven = group->uneven != 0;
    for (uint32_t lane = 0; instance->springs.stretched && lane < group->chain_count; ++lane) {
        uneven |= instance->spring_anchor[group->anchors[lane]].stretch == VRMI_SPRING_STRETCHED;
    }
    return uneven;
}

// Prepares a run of the group `index`. `posed` is memory for rows in the current pose.
static void set_up(const vrm_instance *instance, uint32_t index, const vrmi_spring_step *step, vrmi_spring_posed *posed,
    vrmi_spring_group_run *run)
{
    const vrmi_spring_group_row *group = group_of(instance, index);
    run->group = group;
    run->posed = NULL;
    if (instance->springs.posed) {
        posed->group = *group;
        posed->group.uneven = 1;
        run->group = &posed->group;
        run->posed = posed;
    }
    run->lane = run->lost = 0;
    run->only = 0xffu;
    run->shows = instance->springs.shows ? instance->spring_shows[index] : 0;
    run->uneven = is_uneven(instance, run->group);
    run->stretched = instance->springs.stretched;
    run->centered = group->centered != 0;
    run->ahead = step->kind == VRMI_SPRING_STEP_LOOK_AHEAD ? ~group->centered & 0xffu : 0;
    run->turns = run->centered || vrmi_spring_step_carry(step).turns;
    if (run->centered) {
        put_carries(instance, step, run);
    }
}

static void show_lane_rest(vrm_instance *instance, const vrmi_spring_group_row *group, uint32_t lane)
{
    for (uint32_t at = group->first_row; at < group->first_row + group->row_count; ++at) {
        const vrm_quat rest = vrmi_lane_quat(&vrmi_model_spring_row(instance->model)[at].rest, lane);
        vrmi_lane_set_quat(&instance->spring_state[at].shown, lane, rest);
    }
}

static vrm_vec3 kept_within(vrm_vec3 v)
{
    return vrmi_vec3_finite(v) ? v : vrmi_vec3(0.0f, 0.0f, 0.0f);
}

// Replaces values that are not finite by 0, for the case that even the rest pose overflows because scales of its nodes
// multiply.
static void keep_lane_finite(vrm_instance *instance, const vrmi_spring_group_row *group, uint32_t lane)
{
    for (uint32_t at = group->first_row; at < group->first_row + group->row_count; ++at) {
        const uint32_t slot = at * VRMI_LANES + lane;
        const vrmi_spring_motion motion = vrmi_spring_get_motion(instance->spring_state, slot);
        const vrmi_spring_motion kept = {.tail = kept_within(motion.tail),
            .velocity = kept_within(motion.velocity),
            .head = kept_within(motion.head)};
        vrmi_spring_set_motion(instance->spring_state, slot, &kept);
    }
}

// Restarts chains whose state is not finite from rest. They become invalid again only while their anchor is not finite.
static void restart(vrm_instance *instance, const vrmi_spring_group_run *run, const vrmi_spring_step *step)
{
    const vrmi_spring_step stand = {
        .kind = VRMI_SPRING_STEP_STAND, .between = step->between, .turn = vrmi_quat_identity()};
    instance->status |= VRM_STATUS_SPRING_RESET;
    for (uint32_t lane = 0; run->lost >> lane != 0; ++lane) {
        if ((run->lost >> lane & 1u) == 0) {
            continue;
        }
        const vrmi_spring_kernels *one = vrmi_spring_kernels_one();
        const uint32_t own = run->lane + lane;
        vrmi_spring_group_run alone = *run;
        alone.lane = one != NULL ? own : 0;
        alone.only = 1u << own;
        show_lane_rest(instance, run->group, own);
        (one != NULL ? one : vrmi_spring_kernels_of(instance->lanes))->groups(instance, &alone, 1, &stand);
        keep_lane_finite(instance, run->group, own);
    }
}

static void flush(vrm_instance *instance, batch *b, const vrmi_spring_step *step)
{
    if (b->count != 0) {
        b->kernels->groups(instance, b->runs, b->count, step);
    }
    for (uint32_t i = 0; i < b->count; ++i) {
        if (b->runs[i].lost != 0) {
            restart(instance, &b->runs[i], step);
        }
    }
    b->count = 0;
}

static void add(vrm_instance *instance, batch *b, uint32_t index, uint32_t lane, const vrmi_spring_step *step)
{
    set_up(instance, index, step, &b->posed[b->count], &b->runs[b->count]);
    b->runs[b->count].lane = lane;
    if (++b->count == VRMI_SPRING_BATCH) {
        flush(instance, b, step);
    }
}

// Runs the groups of a wave. A chain that is alone uses the kernel of one lane if there is one: eight lanes take twice
// as long.
static void run_groups(vrm_instance *instance, const vrmi_spring_wave_row *wave, const vrmi_spring_step *step)
{
    const bool alone = wave->group_count == 1 && group_of(instance, wave->first_group)->chain_count == 1;
    const bool one = vrmi_spring_kernels_one() != NULL && (alone || instance->lanes == VRMI_LANES_ONE);
    batch b;
    b.kernels = one ? vrmi_spring_kernels_one() : vrmi_spring_kernels_of(instance->lanes);
    b.count = 0;
    for (uint32_t i = wave->first_group; i < wave->first_group + wave->group_count; ++i) {
        const uint32_t runs = one ? group_of(instance, i)->chain_count : 1;
        for (uint32_t lane = 0; lane < runs; ++lane) {
            add(instance, &b, i, lane, step);
        }
    }
    flush(instance, &b, step);
}

// --- the whole step --------------------------------------------------------------------------------------------------

void vrmi_spring_run(vrm_instance *instance, const vrmi_spring_step *step)
{
    const vrmi_model *model = instance->model;
    const bool looks_ahead = step->kind == VRMI_SPRING_STEP_LOOK_AHEAD;
    const bool moves = looks_ahead || step->kind == VRMI_SPRING_STEP_TICK;
    instance->springs.shows = step->shows;
    vrmi_spring_place_anchors(instance, step);
    if (looks_ahead) {
        vrmi_spring_look_ahead(instance, step);
    }
    for (uint32_t i = 0; i < model->spring_wave.count; ++i) {
        if (i > 0) {
            vrmi_spring_place_carried(instance, i, step);
        }
        if (moves && (!looks_ahead || model->head.any_center)) {
            vrmi_spring_place_colliders(instance, i, step, false);
        }
        if (looks_ahead) {
            vrmi_spring_place_colliders(instance, i, step, true);
        }
        run_groups(instance, &vrmi_model_spring_wave(model)[i], step);
    }
    if (vrmi_spring_step_is_kept(step)) {
        vrmi_spring_keep_ticks(instance);
    }
    instance->springs.shown |= step->shows;
    instance->springs.shows = false;
}

// Places host colliders that were newly attached to joints. A joint's pose is known only during a step, so a step runs
// that shows the hair's present pose again.
static void place_newly_carried(vrm_instance *instance)
{
    const vrmi_spring_step step = {.kind = VRMI_SPRING_STEP_SHOW, .between = 1.0, .turn = vrmi_quat_identity()};
    bool any = false;
    for (uint32_t i = 0; i < instance->def.host_colliders; ++i) {
        any |= instance->spring_host[i].jumped && instance->spring_host[i].anchor.carrier >= 0;
    }
    if (any) {
        vrmi_spring_run(instance, &step);
    }
}

void vrmi_spring_begin(vrm_instance *instance)
{
    vrmi_spring_refresh(instance);
    place_newly_carried(instance);
    for (uint32_t i = 0; i < instance->def.host_colliders; ++i) {
        if (instance->spring_host[i].jumped) {
            vrmi_spring_forget_host(instance, i);
        }
    }
}

void vrmi_spring_show_rest(vrm_instance *instance)
{
    for (uint32_t i = 0; i < instance->model->spring_group.count; ++i) {
        for (uint32_t lane = 0; lane < VRMI_LANES; ++lane) {
            show_lane_rest(instance, group_of(instance, i), lane);
        }
    }
}

void vrmi_spring_stand(vrm_instance *instance)
{
    vrmi_spring_globals *springs = &instance->springs;
    for (uint32_t i = 0; i < instance->def.host_colliders; ++i) {
        vrmi_spring_forget_host(instance, i);
    }
    springs->root = instance->root;
    springs->platform_last = springs->platform;
    springs->had_platform = springs->has_platform;
    springs->turn = vrmi_quat_identity();
    springs->ticks = 0.0;
    springs->origin = instance->root.translation;
    const vrmi_spring_step step = {.kind = VRMI_SPRING_STEP_STAND, .between = 1.0, .turn = vrmi_quat_identity()};
    vrmi_spring_run(instance, &step);
    vrmi_spring_keep(instance);
}

// Returns the motion that moves the state of the chains on this anchor: `to_last`, then the motion of the topmost
// anchor that moves them.
static vrmi_rigid carry_with_top(const vrm_instance *instance, uint32_t index, const vrmi_rigid *to_last)
{
    const vrmi_spring_anchor *top = &instance->spring_anchor[vrmi_spring_anchor_row_of(instance, index)->top];
    const vrmi_rigid moved = vrmi_rigid_between(&top->last, &top->pose);
    return (vrmi_rigid){true, vrmi_quat_unit(vrmi_quat_mul(moved.rotation, to_last->rotation)),
        vrmi_rigid_point(&moved, to_last->translation)};
}

static void carry_lane(
    vrm_instance *instance, const vrmi_spring_group_row *group, uint32_t lane, const vrmi_rigid *carry)
{
    for (uint32_t at = group->first_row; at < group->first_row + group->row_count; ++at) {
        const uint32_t slot = at * VRMI_LANES + lane;
        const vrmi_spring_motion motion = vrmi_spring_get_motion(instance->spring_state, slot);
        const vrmi_spring_motion carried = vrmi_spring_moved(carry, &motion);
        vrmi_spring_set_motion(instance->spring_state, slot, &carried);
    }
}

void vrmi_spring_carry_chains(vrm_instance *instance, const vrmi_spring_step *step)
{
    const vrmi_rigid to_last = vrmi_spring_step_carry(step);
    vrmi_spring_place_anchors(instance, step);
    for (uint32_t i = 0; i < vrmi_spring_anchor_count(instance); ++i) {
        if (vrmi_spring_anchor_row_of(instance, i)->carrier >= 0) {
            const vrmi_rigid carry = carry_with_top(instance, i, &to_last);
            instance->spring_anchor[i].pose = instance->spring_anchor[i].tick;
            vrmi_rigid_pose(&carry, &instance->spring_anchor[i].pose);
        }
    }
    for (uint32_t i = 0; i < instance->model->spring_group.count; ++i) {
        const vrmi_spring_group_row *group = group_of(instance, i);
        for (uint32_t lane = 0; lane < group->chain_count; ++lane) {
            const vrmi_spring_anchor *center = &instance->spring_anchor[group->centers[lane]];
            const vrmi_rigid carry = (group->centered >> lane & 1u) != 0
                                         ? vrmi_rigid_between(&center->tick, &center->pose)
                                         : carry_with_top(instance, group->anchors[lane], &to_last);
            carry_lane(instance, group, lane, &carry);
        }
    }
    vrmi_spring_keep_ticks(instance);
}
