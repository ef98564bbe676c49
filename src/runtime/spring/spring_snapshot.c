// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "math/cursor.h"
#include "runtime/spring/spring_joint.h"
#include "runtime/spring/spring_run.h"

static void walk_pose(vrmi_cursor *cursor, vrmi_spring_pose *pose)
{
    vrmi_cursor_vec3(cursor, &pose->position);
    vrmi_cursor_quat(cursor, &pose->rotation);
}

static void walk_globals(vrm_instance *instance, vrmi_cursor *cursor)
{
    vrmi_spring_globals *springs = &instance->springs;
    vrm_spring_settings *settings = &springs->settings;
    vrmi_cursor_bool(cursor, &settings->paused);
    vrmi_cursor_float(cursor, &settings->root_motion, 0.0f, 1.0f);
    vrmi_cursor_vec3(cursor, &settings->external);
    vrmi_cursor_float(cursor, &settings->gravity_scale, -VRMI_FLOAT_MAX, VRMI_FLOAT_MAX);
    vrmi_cursor_float(cursor, &settings->stiffness_scale, 0.0f, VRMI_FLOAT_MAX);
    vrmi_cursor_u32(cursor, &springs->pending, VRMI_SPRING_PENDING_ALL);
    vrmi_cursor_float(cursor, &springs->settle, 0.0f, 10.0f);
    vrmi_cursor_double(cursor, &springs->ticks, -1.0, 2.0);
    vrmi_cursor_bool(cursor, &springs->frozen);
    vrmi_cursor_bool(cursor, &springs->thaws);
    vrmi_cursor_float(cursor, &springs->tip_mix, 0.0f, 1.0f);
    for (int k = 0; k < 3; ++k) {
        vrmi_cursor_double(cursor, &springs->origin[k], -VRMI_DOUBLE_MAX, VRMI_DOUBLE_MAX);
    }
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
    vrm_host_collider *collider = &host->collider;
    vrmi_cursor_bool(cursor, &host->used);
    vrmi_cursor_bool(cursor, &host->jumped);
    vrmi_cursor_bool(cursor, &collider->enabled);
    const uint32_t shape = vrmi_cursor_steer(cursor, (uint32_t)collider->shape, VRM_COLLIDER_PLANE);
    const uint32_t nodes = instance->model->node_parent.count, chains = instance->model->spring_chain.count;
    const uint32_t node = vrmi_cursor_steer(cursor, (uint32_t)(collider->node + 1), nodes);
    const uint32_t chain = vrmi_cursor_steer(cursor, (uint32_t)(collider->chain + 1), chains);
    vrmi_cursor_float(cursor, &collider->radius, 0.0f, VRMI_FLOAT_MAX);
    for (int k = 0; k < 3; ++k) {
        vrmi_cursor_double(cursor, &collider->offset[k], -VRMI_DOUBLE_MAX, VRMI_DOUBLE_MAX);
        vrmi_cursor_double(cursor, &collider->tail[k], -VRMI_DOUBLE_MAX, VRMI_DOUBLE_MAX);
        vrmi_cursor_double(cursor, &host->last_offset[k], -VRMI_DOUBLE_MAX, VRMI_DOUBLE_MAX);
        vrmi_cursor_double(cursor, &host->last_tail[k], -VRMI_DOUBLE_MAX, VRMI_DOUBLE_MAX);
    }
    if (cursor->mode == VRMI_CURSOR_LOAD && !cursor->failed) {
        vrmi_spring_driver *driver = &instance->spring_driver[instance->springs.driver_count + slot];
        collider->shape = (vrm_collider_shape)shape;
        collider->node = (int32_t)node - 1;
        collider->chain = (int32_t)chain - 1;
        driver->node = host->used && node != 0 ? (int32_t)node - 1 : -2;
        driver->carrier = driver->node < 0 ? -1 : vrmi_spring_carrier(instance, driver->node);
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

static void walk_joints(vrm_instance *instance, vrmi_cursor *cursor)
{
    for (uint32_t i = 0; i < instance->model->spring_joint.count && !cursor->failed; ++i) {
        const uint32_t slot = vrmi_spring_slot(instance, i);
        vrmi_spring_motion motion = vrmi_spring_get_motion(instance, slot);
        vrm_quat shown = vrmi_spring_get_shown(instance, slot);
        vrmi_cursor_vec3(cursor, &motion.tail);
        vrmi_cursor_vec3(cursor, &motion.velocity);
        vrmi_cursor_vec3(cursor, &motion.head);
        vrmi_cursor_quat(cursor, &shown);
        const uint32_t hit = vrmi_cursor_steer(cursor, vrmi_spring_get_hit(instance, slot) ? 1u : 0u, 1);
        if (cursor->mode == VRMI_CURSOR_LOAD) {
            vrmi_spring_set_motion(instance, slot, &motion);
            vrmi_spring_set_shown(instance, slot, shown);
            vrmi_spring_set_hit(instance, slot, hit != 0);
        }
        if (instance->def.spring_parameters) {
            walk_params(instance, cursor, slot);
        }
    }
}

void vrmi_spring_snapshot(vrm_instance *instance, vrmi_cursor *cursor)
{
    const vrmi_spring_globals *springs = &instance->springs;
    walk_globals(instance, cursor);
    walk_joints(instance, cursor);
    for (uint32_t i = 0; i < instance->model->spring_chain.count && !cursor->failed; ++i) {
        vrmi_spring_chain_state *chain = &instance->spring_chain_state[i];
        vrmi_cursor_float(cursor, &chain->weight, 0.0f, 1.0f);
        if (chain->center >= 0) {
            walk_pose(cursor, &chain->center_tick);
        }
    }
    for (uint32_t i = 0; i < instance->def.host_colliders && !cursor->failed; ++i) {
        walk_host(instance, cursor, i);
    }
    for (uint32_t i = 0; i < springs->driver_count + instance->def.host_colliders && !cursor->failed; ++i) {
        vrmi_spring_driver *driver = &instance->spring_driver[i];
        walk_pose(cursor, &driver->last);
        walk_pose(cursor, &driver->tick);
    }
    if (cursor->mode == VRMI_CURSOR_LOAD && !cursor->failed) {
        vrmi_spring_count_live(instance);
        vrmi_spring_sort_carried(instance);
        instance->springs.may_scale = true;
    }
}
