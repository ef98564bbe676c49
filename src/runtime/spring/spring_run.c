// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// One step over all chains: drivers' poses, colliders, then joint after joint from root to tip; what hangs on a joint
// gets its pose from it in the same step.

#include "runtime/spring/spring_run.h"

#include "runtime/spring/kernel_spring.h"
#include "runtime/spring/spring_group.h"
#include "runtime/spring/spring_joint.h"
#include "runtime/spring/spring_place.h"
#include "runtime/spring/spring_show.h"

// What is the same for all joints of a chain in a step.
typedef struct chain_run {
    const vrmi_spring_step *step;
    bool shows; // to the outputs
    vrmi_spring_carry carry;
    vrmi_spring_contacts contacts;
    uint32_t limit;       // next of spring_limit
    uint32_t joint, live; // the joint at hand, from the chain's first; how many of them are simulated
    bool lost;            // a state is not finite
} chain_run;

// What decays would end in denormals, slow on many processors and flushed by some hosts. With this added and taken away
// again a small component has steps of 1.4e-20, and ends in 0; a large one is off by less than 3e-13.
static float snap(float x)
{
    return (x + VRMI_SPRING_SNAP) - VRMI_SPRING_SNAP;
}

static vrm_vec3 snap3(vrm_vec3 v)
{
    return (vrm_vec3){snap(v.x), snap(v.y), snap(v.z)};
}

static void gather(const vrm_instance *instance, uint32_t slot, const chain_run *run, vrmi_spring_bone *bone)
{
    const vrm_spring_settings *settings = &instance->springs.settings;
    const vrm_spring_joint_params params =
        vrmi_spring_lane_params(&vrmi_spring_param_rows(instance)[slot / VRMI_LANES], slot % VRMI_LANES);
    const vrm_vec3 gravity = vrmi_vec3_scale(params.gravity_dir, params.gravity_power * settings->gravity_scale);
    const vrmi_spring_motion motion = vrmi_spring_get_motion(instance, slot);
    bone->force = vrmi_vec3_add(gravity, settings->external);
    bone->stiffness = params.stiffness * settings->stiffness_scale;
    bone->keep = 1.0f - params.drag_force;
    bone->hit_radius = params.hit_radius;
    bone->tail = vrmi_spring_carry_vector(&run->carry, motion.tail);
    bone->velocity = vrmi_spring_carry_vector(&run->carry, motion.velocity);
    const vrm_vec3 old_head = vrmi_spring_carry_point(&run->carry, motion.head);
    bone->base = vrmi_vec3_add(bone->tail, vrmi_vec3_sub(old_head, bone->head));
}

// The rotation, in the joint's rest space, that turns the bone to a tail.
static vrm_quat swing_to(const vrmi_spring_bone *bone, vrm_vec3 tail)
{
    const vrm_vec3 direction = vrmi_vec3_scale(tail, bone->inverse_length);
    return vrmi_quat_from_to(bone->axis, vrmi_quat_rotate(vrmi_quat_conjugate(bone->rest), direction));
}

static void store(vrm_instance *instance, uint32_t slot, vrm_vec3 head, vrm_vec3 tail, vrm_vec3 velocity)
{
    const vrmi_spring_motion motion = {snap3(tail), snap3(velocity), head};
    vrmi_spring_set_motion(instance, slot, &motion);
}

// The state of a joint that is not simulated: as it is shown, and as fast as the joint that it hangs on, where it is to be
// simulated from here on.
static void store_held(
    vrm_instance *instance, uint32_t slot, const vrmi_spring_bone *bone, const vrmi_spring_pose *pose, bool inherits)
{
    const vrm_vec3 zero = {0.0f, 0.0f, 0.0f};
    // Down a chain slots go by eights.
    const vrm_vec3 velocity = inherits ? vrmi_spring_get_motion(instance, slot - VRMI_LANES).velocity : zero;
    const vrm_vec3 tail = vrmi_vec3_scale(vrmi_quat_rotate(pose->rotation, bone->axis), bone->length);
    store(instance, slot, bone->head, tail, velocity);
    vrmi_spring_set_hit(instance, slot, false);
}

// One joint: from its parent's pose (`*pose`, that of node `parent`) to its own.
static void run_joint(vrm_instance *instance, uint32_t joint, int32_t parent, chain_run *run, vrmi_spring_pose *pose)
{
    const vrm_spring_joint *row = &vrmi_model_spring_joint(instance->model)[joint];
    const int32_t node = (int32_t)row->node;
    const uint32_t slot = vrmi_spring_slot(instance, joint);
    const vrmi_spring_limit_data *limit =
        row->limit.type == VRM_SPRING_LIMIT_NONE ? NULL : &instance->spring_limit[run->limit++];
    vrm_quat between;
    const vrm_vec3 offset = vrmi_spring_scaled(instance, parent, vrmi_spring_path_to(instance, node, parent, &between));
    const vrm_vec3 head = vrmi_vec3_add(pose->position, vrmi_quat_rotate(pose->rotation, offset));
    const bool is_child = vrmi_model_node_parent(instance->model)[node] == parent;
    const vrm_quat parent_rotation =
        is_child ? pose->rotation : vrmi_spring_unit(vrmi_quat_mul(pose->rotation, between));
    const vrm_vec3 span = vrmi_spring_scaled(instance, node, row->tail);
    const float length = vrmi_vec3_length(span);
    const vrmi_spring_step_kind kind = run->step->kind;
    const vrm_vec3 zero = {0.0f, 0.0f, 0.0f};
    pose->position = head;
    if (!vrmi_spring_turns(row) || !(length > 1e-9f)) {
        pose->rotation = vrmi_spring_unit(vrmi_quat_mul(parent_rotation, instance->local[node].rotation));
        if (kind != VRMI_SPRING_STEP_LOOK_AHEAD) {
            store(instance, slot, head, zero, zero);
        }
        return;
    }
    vrmi_spring_bone bone = {.head = head, .length = length, .inverse_length = 1.0f / length, .limit = limit};
    const vrm_quat rest = vrmi_model_node_rest(instance->model)[node].rotation;
    bone.rest = vrmi_quat_mul(parent_rotation, rest);
    bone.axis = vrmi_vec3_scale(span, bone.inverse_length);
    if (kind == VRMI_SPRING_STEP_STAND || kind == VRMI_SPRING_STEP_SHOW || run->joint >= run->live) {
        const vrm_quat shown = vrmi_spring_get_shown(instance, slot);
        pose->rotation = vrmi_spring_unit(vrmi_quat_mul(parent_rotation, shown));
        if (vrmi_spring_step_is_kept(run->step)) {
            store_held(instance, slot, &bone, pose, kind == VRMI_SPRING_STEP_TICK && run->joint > 0);
        }
    } else {
        gather(instance, slot, run, &bone);
        vrm_vec3 tail;
        const bool was_hit = vrmi_spring_get_hit(instance, slot);
        if (kind == VRMI_SPRING_STEP_TICK) {
            bool hit;
            if (run->step->lead > 0.0f) {
                vrmi_spring_lead(&bone, &run->contacts, run->step->dt, run->step->lead, was_hit);
            }
            tail = vrmi_spring_solve(&bone, &run->contacts, run->step->dt, &hit);
            // Where it lies on something that moves, all of that motion would be in the first of two ticks.
            const bool slides = run->step->lead > 0.0f && hit && was_hit;
            const vrm_vec3 velocity =
                slides ? vrmi_vec3_scale(vrmi_vec3_sub(tail, bone.first_base), 0.5f) : vrmi_vec3_sub(tail, bone.base);
            store(instance, slot, head, tail, velocity);
            vrmi_spring_set_hit(instance, slot, hit);
        } else if (run->step->skims) {
            const vrmi_spring_step *step = run->step;
            tail = vrmi_spring_skim(&bone, step->dt, step->lead, step->part, was_hit);
        } else {
            tail = vrmi_spring_look_ahead(&bone, &run->contacts, run->step->dt, run->step->part, was_hit);
        }
        const vrm_quat shown = vrmi_quat_mul(rest, swing_to(&bone, tail));
        vrmi_spring_set_shown(instance, slot, shown);
        pose->rotation = vrmi_spring_unit(vrmi_quat_mul(parent_rotation, shown));
    }
    if (run->shows) {
        vrmi_spring_show_joint(instance, (uint32_t)node, vrmi_spring_get_shown(instance, slot), pose);
    }
    const vrmi_spring_motion motion = vrmi_spring_get_motion(instance, slot);
    const vrm_vec3 check = vrmi_vec3_add(vrmi_vec3_add(motion.tail, motion.velocity), motion.head);
    run->lost |= !vrmi_vec3_finite(check) || !vrmi_finite(vrmi_spring_get_shown(instance, slot).w);
}

// All joints from root to tip. False when a state is not finite.
static bool run_joints(
    vrm_instance *instance, uint32_t chain, const vrmi_spring_step *step, chain_run *run, uint32_t *cursor)
{
    const vrmi_chain_row *row = &vrmi_model_spring_chain(instance->model)[chain];
    const vrmi_spring_chain_state *state = &instance->spring_chain_state[chain];
    const vrmi_spring_driver *root = &instance->spring_driver[state->root];
    vrmi_spring_pose pose = root->pose;
    int32_t parent = root->node;
    run->step = step;
    run->shows = step->shows && vrmi_spring_is_shown(instance, chain);
    run->limit = state->first_limit;
    run->live = state->live;
    run->lost = false;
    for (uint32_t i = 0; i < row->joint_count; ++i) {
        const uint32_t joint = row->first_joint + i;
        run->joint = i;
        run_joint(instance, joint, parent, run, &pose);
        parent = (int32_t)vrmi_model_spring_joint(instance->model)[joint].node;
        vrmi_spring_carry_drivers(instance, joint, &pose, vrmi_spring_step_is_kept(step), cursor);
    }
    return !run->lost;
}

static void show_chain_rest(vrm_instance *instance, uint32_t chain)
{
    const vrmi_chain_row *row = &vrmi_model_spring_chain(instance->model)[chain];
    const vrm_spring_joint *joints = vrmi_model_spring_joint(instance->model);
    for (uint32_t i = row->first_joint; i < row->first_joint + row->joint_count; ++i) {
        const vrm_quat rest = vrmi_model_node_rest(instance->model)[joints[i].node].rotation;
        vrmi_spring_set_shown(instance, vrmi_spring_slot(instance, i), rest);
    }
}

// From rest: still lost only while its parent's pose is.
static void restart_chain(
    vrm_instance *instance, uint32_t chain, const vrmi_spring_step *step, chain_run *run, uint32_t *cursor)
{
    vrmi_spring_step stand = *step;
    stand.kind = VRMI_SPRING_STEP_STAND;
    instance->status |= VRM_STATUS_SPRING_RESET;
    show_chain_rest(instance, chain);
    (void)run_joints(instance, chain, &stand, run, cursor);
}

static void restart_plain_chain(vrm_instance *instance, uint32_t chain, const vrmi_spring_step *step)
{
    chain_run run = {.step = step};
    uint32_t cursor = instance->springs.carried_count; // nothing hangs on it
    restart_chain(instance, chain, step, &run, &cursor);
}

static void run_chain(
    vrm_instance *instance, uint32_t chain, const vrmi_spring_step *step, bool ahead, uint32_t *cursor)
{
    vrmi_spring_chain_state *state = &instance->spring_chain_state[chain];
    const vrmi_spring_pose *center = state->center >= 0 ? &instance->spring_driver[state->center].pose : NULL;
    const uint32_t first_carried = *cursor;
    chain_run run = {.step = step};
    run.carry = center != NULL ? vrmi_spring_carry_between(&state->center_tick, center) : vrmi_spring_step_carry(step);
    if (!step->skims) {
        run.contacts = vrmi_spring_chain_contacts(instance, chain, step, ahead);
    }
    if (!run_joints(instance, chain, step, &run, cursor)) {
        *cursor = first_carried;
        restart_chain(instance, chain, step, &run, cursor);
    }
    if (center != NULL && vrmi_spring_step_is_kept(step)) {
        state->center_tick = *center;
    }
}

void vrmi_spring_run(vrm_instance *instance, const vrmi_spring_step *step)
{
    const bool looks_ahead = step->kind == VRMI_SPRING_STEP_LOOK_AHEAD;
    bool ahead = looks_ahead;
    vrmi_spring_place_drivers(instance, step);
    const bool thaws = instance->springs.thaws && vrmi_spring_step_is_kept(step);
    const bool in_lanes = !thaws && vrmi_spring_uses_lanes(instance, step);
    const bool only_shows = step->kind == VRMI_SPRING_STEP_SHOW;
    vrmi_spring_choose_shown(instance, step);
    // In center space the tick under way is seen from where the center is now: so are the colliders.
    if (in_lanes && looks_ahead && !step->skims && instance->springs.has_plain_centered) {
        vrmi_spring_place_colliders(instance, step, false);
        vrmi_spring_run_plain(instance, step, VRMI_SPRING_CENTERED, restart_plain_chain);
    }
    if (!step->skims) {
        vrmi_spring_place_colliders(instance, step, ahead);
    }
    if (in_lanes) {
        vrmi_spring_run_plain(instance, step, looks_ahead && !step->skims ? VRMI_SPRING_FREE : VRMI_SPRING_ANY_CENTER,
            restart_plain_chain);
    }
    uint32_t cursor = 0;
    const bool all_ran = in_lanes && instance->springs.all_plain;
    for (uint32_t chain = 0; !all_ran && chain < instance->model->spring_chain.count; ++chain) {
        const bool is_plain = instance->spring_chain_state[chain].plain;
        if (is_plain ? in_lanes : only_shows) {
            continue;
        }
        const bool wants_ahead = looks_ahead && instance->spring_chain_state[chain].center < 0;
        if (wants_ahead != ahead && !step->skims) {
            ahead = wants_ahead;
            vrmi_spring_place_colliders(instance, step, ahead);
        }
        run_chain(instance, chain, step, ahead, &cursor);
    }
    if (thaws) {
        vrmi_spring_thaw(instance);
    }
}

void vrmi_spring_show_rest(vrm_instance *instance)
{
    for (uint32_t chain = 0; chain < instance->model->spring_chain.count; ++chain) {
        show_chain_rest(instance, chain);
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
    for (int k = 0; k < 3; ++k) {
        springs->origin[k] = instance->root.translation[k];
    }
    const vrmi_spring_step step = {.kind = VRMI_SPRING_STEP_STAND, .between = 1.0, .turn = vrmi_quat_identity()};
    vrmi_spring_run(instance, &step);
    vrmi_spring_keep_drivers(instance);
}

void vrmi_spring_carry_chains(vrm_instance *instance, const vrmi_spring_step *step)
{
    const vrmi_spring_carry to_last = vrmi_spring_step_carry(step);
    vrmi_spring_place_drivers(instance, step);
    uint32_t cursor = 0;
    for (uint32_t chain = 0; chain < instance->model->spring_chain.count; ++chain) {
        const vrmi_chain_row *row = &vrmi_model_spring_chain(instance->model)[chain];
        vrmi_spring_chain_state *state = &instance->spring_chain_state[chain];
        const vrmi_spring_driver *root = &instance->spring_driver[state->root];
        vrmi_spring_carry carry;
        if (state->center >= 0) {
            const vrmi_spring_pose center = instance->spring_driver[state->center].pose;
            carry = vrmi_spring_carry_between(&state->center_tick, &center);
            state->center_tick = center;
        } else if (root->carrier >= 0) {
            carry = vrmi_spring_carry_between(&root->tick, &root->pose);
        } else {
            const vrmi_spring_carry moved = vrmi_spring_carry_between(&root->last, &root->pose);
            carry.turns = true;
            carry.rotation = vrmi_spring_unit(vrmi_quat_mul(moved.rotation, to_last.rotation));
            carry.translation = vrmi_spring_carry_point(&moved, to_last.translation);
        }
        for (uint32_t joint = row->first_joint; joint < row->first_joint + row->joint_count; ++joint) {
            const uint32_t slot = vrmi_spring_slot(instance, joint);
            const vrmi_spring_motion motion = vrmi_spring_get_motion(instance, slot);
            const vrmi_spring_motion carried = {vrmi_spring_carry_vector(&carry, motion.tail),
                vrmi_spring_carry_vector(&carry, motion.velocity), vrmi_spring_carry_point(&carry, motion.head)};
            vrmi_spring_set_motion(instance, slot, &carried);
            for (; cursor < instance->springs.carried_count; ++cursor) {
                vrmi_spring_driver *driver = &instance->spring_driver[instance->spring_carried[cursor]];
                if ((uint32_t)driver->carrier > joint) {
                    break;
                }
                // Where it is at the last tick moves as the chain that it hangs on does.
                driver->pose = driver->tick;
                vrmi_spring_carry_pose(&carry, &driver->pose);
            }
        }
    }
    for (uint32_t i = 0; i < vrmi_spring_driver_rows(instance); ++i) {
        instance->spring_driver[i].tick = instance->spring_driver[i].pose;
    }
}
