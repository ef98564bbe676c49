// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Converts a solver's state to bytes and back: bodies, their last targets, the state of contacts, the world's shapes,
// time.

#include "solver.h"

#include "base/checks.h"
#include "base/float_environment.h"
#include "math/cursor.h"

#define SNAPSHOT_MAGIC 0x44524d56u // "VMRD"
#define SNAPSHOT_VERSION 4u

static void walk_float(vrmi_cursor *cursor, float *value)
{
    vrmi_cursor_float(cursor, value, -VRMI_FLOAT_MAX, VRMI_FLOAT_MAX);
}

static void walk_state(vrmi_cursor *cursor, vrm_ragdoll_state *state)
{
    vrmi_cursor_vec3(cursor, &state->position);
    vrmi_cursor_quat(cursor, &state->rotation);
    vrmi_cursor_vec3(cursor, &state->linear_velocity);
    vrmi_cursor_vec3(cursor, &state->angular_velocity);
}

static void walk_body(vrmi_cursor *cursor, vrmi_solver_body *body)
{
    walk_state(cursor, &body->state);
    vrmi_cursor_vec3(cursor, &body->spin);
    vrmi_cursor_vec3(cursor, &body->blow);
    vrmi_cursor_vec3(cursor, &body->blow_spin);
    vrmi_cursor_vec3(cursor, &body->anchor);
    vrmi_cursor_vec3(cursor, &body->next_anchor);
    vrmi_cursor_vec3(cursor, &body->owed.linear);
    vrmi_cursor_vec3(cursor, &body->owed.angular);
    vrmi_cursor_vec3(cursor, &body->ahead.linear);
    vrmi_cursor_vec3(cursor, &body->ahead.angular);
    vrmi_cursor_quat(cursor, &body->bend);
    vrmi_cursor_float(cursor, &body->part, 0.0f, 1.0f);
    for (uint32_t i = 0; i < VRMI_ART_CONTACTS; ++i) {
        vrmi_cursor_u32(cursor, &body->feature[i], VRMI_FEATURE_LAST);
        vrmi_cursor_float(cursor, &body->push[i], 0.0f, VRMI_FLOAT_MAX);
        vrmi_cursor_float(cursor, &body->drag[i], 0.0f, VRMI_FLOAT_MAX);
    }
    for (uint32_t i = 0; i < VRMI_ART_LIMITS; ++i) {
        vrmi_cursor_bool(cursor, &body->limited[i]);
    }
}

// Walks the values of a target that decide whether a sleeping ragdoll is disturbed, and which bodies are held.
static void walk_target(vrmi_cursor *cursor, vrm_ragdoll_target *target)
{
    uint32_t motion = (uint32_t)target->motion;
    vrmi_cursor_u32(cursor, &motion, VRM_RAGDOLL_MOTION_DYNAMIC);
    target->motion = (vrm_ragdoll_motion)motion;
    vrmi_cursor_vec3(cursor, &target->state.position);
    float *rotation[4] = {&target->state.rotation.x, &target->state.rotation.y, &target->state.rotation.z,
        &target->state.rotation.w}; // all 0 before the first step
    for (int i = 0; i < 4; ++i) {
        vrmi_cursor_float(cursor, rotation[i], -1.001f, 1.001f);
    }
    walk_float(cursor, &target->rotation_weight);
    walk_float(cursor, &target->translation_weight);
    walk_float(cursor, &target->frequency);
    walk_float(cursor, &target->pin_frequency);
    walk_float(cursor, &target->load);
    walk_float(cursor, &target->max_torque);
}

static void walk_shape(vrmi_cursor *cursor, vrmi_solver_shape *s)
{
    vrmi_cursor_bool(cursor, &s->used);
    uint32_t type = (uint32_t)s->shape.type;
    vrmi_cursor_u32(cursor, &type, VRM_RAGDOLL_WORLD_SHAPE_COUNT - 1);
    s->shape.type = (vrm_ragdoll_world_shape_type)type;
    vrmi_cursor_dvec3(cursor, &s->shape.center);
    float *rotation[4] = {&s->shape.rotation.x, &s->shape.rotation.y, &s->shape.rotation.z, &s->shape.rotation.w};
    for (int i = 0; i < 4; ++i) {
        vrmi_cursor_float(cursor, rotation[i], -1.001f, 1.001f); // all 0 in an empty slot
    }
    vrmi_cursor_float(cursor, &s->shape.radius, 0.0f, VRMI_FLOAT_MAX);
    vrmi_cursor_float(cursor, &s->shape.half_length, 0.0f, VRMI_FLOAT_MAX);
    vrmi_cursor_vec3(cursor, &s->shape.half_extents);
    vrmi_cursor_vec3(cursor, &s->shape.linear_velocity);
    vrmi_cursor_vec3(cursor, &s->shape.angular_velocity);
}

static void walk(void *state, vrmi_cursor *cursor)
{
    vrm_ragdoll_solver *s = state;
    const uint32_t expected[] = {
        SNAPSHOT_MAGIC, SNAPSHOT_VERSION, s->def.body_count, s->pair_count, s->params.shape_slots};
    vrmi_cursor_header(cursor, expected, VRMI_COUNT_OF(expected));
    vrmi_cursor_dvec3(cursor, &s->origin);
    vrmi_cursor_double(cursor, &s->rest, -1.0, 100.0);
    vrmi_cursor_float(cursor, &s->scale, 0.01f, 100.0f);
    vrmi_cursor_float(cursor, &s->calm, 0.0f, VRMI_FLOAT_MAX);
    vrmi_cursor_float(cursor, &s->drowsy, 0.0f, VRMI_FLOAT_MAX);
    vrmi_cursor_bool(cursor, &s->placed);
    vrmi_cursor_bool(cursor, &s->asleep);
    vrmi_cursor_u32(cursor, &s->moved, UINT32_MAX);
    vrmi_cursor_u32(cursor, &s->status, UINT32_MAX);
    vrmi_cursor_bool(cursor, &s->params.ground);
    vrmi_cursor_double(cursor, &s->params.ground_height, -VRMI_DOUBLE_MAX, VRMI_DOUBLE_MAX);
    for (uint32_t i = 0; i < s->def.body_count; ++i) {
        walk_body(cursor, &s->bodies[i]);
        walk_target(cursor, &s->targets[i]);
    }
    for (uint32_t i = 0; i < s->pair_count; ++i) {
        vrmi_cursor_float(cursor, &s->pairs[i].impulse, 0.0f, VRMI_FLOAT_MAX);
    }
    for (uint32_t i = 0; i < s->params.shape_slots; ++i) {
        walk_shape(cursor, &s->shapes[i]);
    }
}

vrm_result vrm_ragdoll_solver_snapshot(const vrm_ragdoll_solver *solver, void *buffer, size_t *size)
{
    if (solver == NULL || size == NULL) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    vrm_ragdoll_solver *unchanged = (vrm_ragdoll_solver *)solver; // saving does not change the solver
    return vrmi_snapshot_save(walk, unchanged, buffer, size);
}

vrm_result vrm_ragdoll_solver_restore(vrm_ragdoll_solver *solver, const void *buffer, size_t size)
{
    if (solver == NULL || buffer == NULL) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const vrmi_float_environment host = vrmi_float_enter();
    const vrm_result result = vrmi_snapshot_load(walk, solver, buffer, size);
    if (result == VRM_SUCCESS) {
        vrmi_solver_scale(solver, solver->scale);
        for (uint32_t i = 0; i < solver->def.body_count; ++i) {
            solver->contacts[i].count = 0; // contacts are only reported to the host, so they are not restored
        }
        solver->meeting_count = 0;
    }
    vrmi_float_leave(host);
    return result;
}
