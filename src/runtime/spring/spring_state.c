// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The state of the springs: initialisation, stillness, saving and restoring.

#include "math/cursor.h"
#include "runtime/spring/spring_step.h"

#include <string.h>

// Displacement per tick relative to the bone's length: 0.2 degrees per second. Rounding moves hair at rest by a
// thirtieth of this.
static const float still_displacement = 5e-5f;

static void init_anchors(vrm_instance *instance)
{
    for (uint32_t i = 0; i < instance->model->spring_anchor.count; ++i) {
        vrmi_spring_clear_anchor(instance, i, vrmi_model_spring_anchor(instance->model)[i].scale);
    }
    for (uint32_t i = 0; i < instance->def.host_colliders; ++i) {
        instance->spring_host[i] = (vrmi_spring_host){.jumped = true};
        vrm_host_collider_def_default(&instance->spring_host[i].collider);
        vrmi_spring_attach_host(instance, i, -2);
    }
    for (uint32_t i = 0; i < instance->model->collider.count; ++i) {
        instance->spring_collider[i].shape = (uint32_t)vrmi_model_collider(instance->model)[i].shape;
        instance->spring_collider[i].chain = -1;
        instance->spring_ahead[i] = instance->spring_collider[i];
    }
}

void vrmi_spring_init(vrm_instance *instance)
{
    const vrmi_model *model = instance->model;
    vrmi_spring_globals *springs = &instance->springs;
    *springs = (vrmi_spring_globals){.pending = VRMI_SPRING_PENDING_RESET};
    vrm_spring_params_default(&springs->settings);
    springs->turn = vrmi_quat_identity();
    springs->root = springs->platform = springs->platform_last = instance->root;
    init_anchors(instance);
    if (model->spring_joint.count == 0) {
        return;
    }
    for (uint32_t i = 0; i < model->spring_chain.count; ++i) {
        instance->spring_weight[i] = 1.0f;
    }
    memset(instance->spring_state, 0, model->spring_row.count * sizeof(*instance->spring_state));
    if (instance->def.spring_parameters) {
        memcpy(instance->spring_params, vrmi_model_spring_param_lanes(model),
            model->spring_param_lanes.count * sizeof(*instance->spring_params));
    }
    vrmi_spring_begin(instance);
    vrmi_spring_show_rest(instance);
    vrmi_spring_stand(instance);
}

bool vrmi_spring_is_still(const vrm_instance *instance)
{
    const vrmi_spring_globals *springs = &instance->springs;
    if (instance->model->spring_joint.count == 0) {
        return true;
    }
    if (springs->settings.paused) {
        return (springs->pending & ~(uint32_t)VRMI_SPRING_PENDING_CARRY) == 0;
    }
    bool still = springs->pending == 0;
    for (uint32_t j = 0; still && j < instance->model->spring_joint.count; ++j) {
        const uint32_t slot = vrmi_model_spring_slot(instance->model)[j];
        const vrmi_spring_motion motion = vrmi_spring_get_motion(instance->spring_state, slot);
        const float squared = vrmi_vec3_dot(motion.velocity, motion.velocity);
        still = squared <= still_displacement * still_displacement * vrmi_vec3_dot(motion.tail, motion.tail);
    }
    return still;
}

// --- snapshots -----------------------------------------------------------------------------------------------------

static void walk_pose(vrmi_cursor *cursor, vrmi_pose *pose)
{
    vrmi_cursor_vec3(cursor, &pose->position);
    vrmi_cursor_quat(cursor, &pose->rotation);
}

static void walk_globals(vrm_instance *instance, vrmi_cursor *cursor)
{
    vrmi_spring_globals *springs = &instance->springs;
    vrm_spring_params *settings = &springs->settings;
    vrmi_cursor_bool(cursor, &settings->paused);
    vrmi_cursor_float(cursor, &settings->root_motion, 0.0f, 1.0f);
    vrmi_cursor_vec3(cursor, &settings->external);
    vrmi_cursor_float(cursor, &settings->gravity_scale, -VRMI_FLOAT_MAX, VRMI_FLOAT_MAX);
    vrmi_cursor_float(cursor, &settings->stiffness_scale, 0.0f, VRMI_FLOAT_MAX);
    vrmi_cursor_bool(cursor, &settings->ground);
    vrmi_cursor_double(cursor, &settings->ground_height, -VRMI_LARGEST_PLACE, VRMI_LARGEST_PLACE);
    vrmi_cursor_float(cursor, &settings->hanging, 0.0f, 1.0f);
    vrmi_cursor_u32(cursor, &springs->pending, VRMI_SPRING_PENDING_ALL);
    vrmi_cursor_float(cursor, &springs->settle, 0.0f, 10.0f);
    vrmi_cursor_double(cursor, &springs->ticks, -1.0, 2.0);
    vrmi_cursor_dvec3(cursor, &springs->origin);
    vrmi_cursor_quat(cursor, &springs->turn);
    vrmi_cursor_root(cursor, &springs->root);
    vrmi_cursor_bool(cursor, &springs->has_platform);
    vrmi_cursor_bool(cursor, &springs->had_platform);
    const uint32_t platforms = vrmi_cursor_steer(cursor, springs->has_platform || springs->had_platform, 1);
    if (platforms) {
        vrmi_cursor_root(cursor, &springs->platform);
        vrmi_cursor_root(cursor, &springs->platform_last);
    }
}

static void walk_host(vrm_instance *instance, vrmi_cursor *cursor, uint32_t slot)
{
    vrmi_spring_host *host = &instance->spring_host[slot];
    vrm_host_collider_def *collider = &host->collider;
    vrmi_cursor_bool(cursor, &host->used);
    vrmi_cursor_bool(cursor, &host->jumped);
    vrmi_cursor_bool(cursor, &collider->enabled);
    const uint32_t shape = vrmi_cursor_steer(cursor, (uint32_t)collider->shape, VRM_COLLIDER_PLANE);
    const uint32_t nodes = instance->model->node_parent.count, chains = instance->model->spring_chain.count;
    const uint32_t node = vrmi_cursor_steer(cursor, (uint32_t)(collider->node + 1), nodes);
    const uint32_t chain = vrmi_cursor_steer(cursor, (uint32_t)(collider->chain + 1), chains);
    vrmi_cursor_float(cursor, &collider->radius, 0.0f, VRMI_FLOAT_MAX);
    vrm_dvec3 *const places[4] = {&collider->offset, &collider->tail, &host->last_offset, &host->last_tail};
    for (uint32_t i = 0; i < 12; ++i) { // all x, then all y, then all z
        vrmi_cursor_double(cursor, vrmi_dvec3_axis(places[i % 4], i / 4), -VRMI_DOUBLE_MAX, VRMI_DOUBLE_MAX);
    }
    if (cursor->mode == VRMI_CURSOR_LOAD && !cursor->failed) {
        collider->shape = (vrm_collider_shape)shape;
        collider->node = (int32_t)node - 1;
        collider->chain = (int32_t)chain - 1;
        vrmi_spring_attach_host(instance, slot, host->used && node != 0 ? (int32_t)node - 1 : -2);
    }
}

static void walk_joint(vrm_instance *instance, vrmi_cursor *cursor, uint32_t slot)
{
    const uint32_t at = slot / VRMI_LANES, lane = slot % VRMI_LANES;
    vrmi_spring_motion motion = vrmi_spring_get_motion(instance->spring_state, slot);
    vrm_quat shown = vrmi_lane_quat(&instance->spring_state[at].shown, lane);
    uint8_t *hits = &instance->spring_hit[at];
    vrmi_cursor_vec3(cursor, &motion.tail);
    vrmi_cursor_vec3(cursor, &motion.velocity);
    vrmi_cursor_vec3(cursor, &motion.head);
    vrmi_cursor_quat(cursor, &shown);
    const uint32_t hit = vrmi_cursor_steer(cursor, (uint32_t)*hits >> lane & 1u, 1);
    if (cursor->mode == VRMI_CURSOR_LOAD) {
        vrmi_spring_set_motion(instance->spring_state, slot, &motion);
        vrmi_lane_set_quat(&instance->spring_state[at].shown, lane, shown);
        *hits = (uint8_t)((*hits & ~(1u << lane)) | hit << lane);
    }
}

static void walk_params(vrm_instance *instance, vrmi_cursor *cursor, uint32_t slot)
{
    vrmi_spring_param_lanes *row = &instance->spring_params[slot / VRMI_LANES];
    vrm_spring_joint_params params = vrmi_spring_lane_params(row, slot % VRMI_LANES);
    vrmi_cursor_float(cursor, &params.hit_radius, 0.0f, VRMI_FLOAT_MAX);
    vrmi_cursor_float(cursor, &params.stiffness, 0.0f, VRMI_FLOAT_MAX);
    vrmi_cursor_float(cursor, &params.gravity_power, 0.0f, VRMI_FLOAT_MAX);
    vrmi_cursor_vec3(cursor, &params.gravity_dir);
    vrmi_cursor_float(cursor, &params.drag_force, 0.0f, 1.0f);
    if (cursor->mode == VRMI_CURSOR_LOAD) {
        vrmi_spring_set_lane_params(row, slot % VRMI_LANES, &params);
    }
}

// Visits the stretches of anchors. They are saved because chains collide with colliders on the joints of later chains
// in the last pose, including its scale.
static void walk_stretches(vrm_instance *instance, vrmi_cursor *cursor)
{
    vrmi_cursor_bool(cursor, &instance->scaled);
    const bool stretched = vrmi_cursor_steer(cursor, instance->springs.stretched, 1) != 0;
    for (uint32_t i = 0; i < vrmi_spring_anchor_count(instance) && !cursor->failed; ++i) {
        vrmi_spring_stretch stretch = instance->spring_stretch[i];
        for (int k = 0; k < 9 && stretched; ++k) {
            vrmi_cursor_float(cursor, &stretch.m[k], -VRMI_FLOAT_MAX, VRMI_FLOAT_MAX);
        }
        if (cursor->mode == VRMI_CURSOR_LOAD) {
            vrmi_spring_set_stretch(instance, i, stretched ? &stretch : NULL);
        }
    }
    if (cursor->mode == VRMI_CURSOR_LOAD) {
        instance->springs.stretched = stretched;
    }
}

void vrmi_spring_snapshot(vrm_instance *instance, vrmi_cursor *cursor)
{
    walk_globals(instance, cursor);
    for (uint32_t i = 0; i < instance->model->spring_joint.count && !cursor->failed; ++i) {
        const uint32_t slot = vrmi_model_spring_slot(instance->model)[i];
        walk_joint(instance, cursor, slot);
        if (instance->def.spring_parameters) {
            walk_params(instance, cursor, slot);
        }
    }
    for (uint32_t i = 0; i < instance->model->spring_chain.count && !cursor->failed; ++i) {
        vrmi_cursor_float(cursor, &instance->spring_weight[i], 0.0f, 1.0f);
    }
    for (uint32_t i = 0; i < instance->def.host_colliders && !cursor->failed; ++i) {
        walk_host(instance, cursor, i);
    }
    for (uint32_t i = 0; i < vrmi_spring_anchor_count(instance) && !cursor->failed; ++i) {
        walk_pose(cursor, &instance->spring_anchor[i].last);
        walk_pose(cursor, &instance->spring_anchor[i].tick);
    }
    walk_stretches(instance, cursor);
    if (cursor->mode == VRMI_CURSOR_LOAD && !cursor->failed) {
        instance->springs.hosts_changed = true;
        instance->local_set = true;
        instance->springs.chosen = false;
    }
}
