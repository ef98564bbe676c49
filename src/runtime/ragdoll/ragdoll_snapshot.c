// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The ragdoll in a snapshot: settings, weights, phase, bodies. The definition is not saved: the restored instance must
// already have the same one, which a checksum verifies.

#include "math/cursor.h"
#include "runtime/core/instance.h"
#include "runtime/ragdoll/ragdoll.h"

#include <string.h>

static uint32_t mixed(uint32_t hash, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return (hash ^ bits) * 16777619u; // FNV-1a, one 32-bit word at a time
}

static uint32_t hash_of_bodies(const vrm_instance *instance)
{
    uint32_t hash = 2166136261u;
    for (uint32_t i = 0; i < instance->ragdoll.body_count; ++i) {
        const vrm_ragdoll_body *body = &instance->ragdoll_bodies[i];
        const float values[] = {(float)body->node, body->mass, body->inertia.x, body->inertia.y, body->inertia.z,
            body->joint.anchor.x, body->joint.anchor.y, body->joint.anchor.z, body->center_of_mass.y};
        for (size_t k = 0; k < sizeof(values) / sizeof(values[0]); ++k) {
            hash = mixed(hash, values[k]);
        }
    }
    return hash;
}

static void walk_settings(vrm_ragdoll_params *s, vrmi_cursor *cursor)
{
    uint32_t drive = (uint32_t)s->drive, recovery = (uint32_t)s->recovery;
    vrmi_cursor_u32(cursor, &drive, VRM_RAGDOLL_DRIVE_TORQUE);
    vrmi_cursor_u32(cursor, &recovery, VRM_RAGDOLL_RECOVERY_MANUAL);
#define WALK(field, key) vrmi_cursor_bool(cursor, &s->field);
    VRMI_RAGDOLL_SWITCHES(WALK)
#undef WALK
#define WALK(field, key, unit, least, most) vrmi_cursor_float(cursor, &s->field, least, most);
    VRMI_RAGDOLL_NUMBERS(WALK)
#undef WALK
    if (cursor->mode == VRMI_CURSOR_LOAD && !cursor->failed) {
        s->drive = (vrm_ragdoll_drive)drive;
        s->recovery = (vrm_ragdoll_recovery)recovery;
    }
}

static void walk_weights(vrm_ragdoll_weights *weights, vrmi_cursor *cursor)
{
    vrmi_cursor_float(cursor, &weights->pin, 0.0f, 1.0f);
    vrmi_cursor_float(cursor, &weights->muscle, 0.0f, 1.0f);
    vrmi_cursor_float(cursor, &weights->mapping, 0.0f, 1.0f);
}

static void walk_body_state(vrm_ragdoll_state *state, vrmi_cursor *cursor)
{
    vrmi_cursor_vec3(cursor, &state->position);
    vrmi_cursor_quat(cursor, &state->rotation);
    vrmi_cursor_vec3(cursor, &state->linear_velocity);
    vrmi_cursor_vec3(cursor, &state->angular_velocity);
}

static void walk_row(vrm_instance *instance, uint32_t body, bool runs, vrmi_cursor *cursor)
{
    vrmi_ragdoll_row *row = &instance->ragdoll_rows[body];
    uint32_t motion = (uint32_t)row->motion;
    vrmi_cursor_u32(cursor, &motion, VRM_RAGDOLL_MOTION_DYNAMIC);
    vrmi_cursor_require(cursor, motion != VRM_RAGDOLL_MOTION_OFF);
    walk_weights(&row->from, cursor);
    walk_weights(&row->to, cursor);
    vrmi_cursor_double(cursor, &row->elapsed, 0.0, VRMI_DOUBLE_MAX);
    vrmi_cursor_double(cursor, &row->duration, 0.0, VRMI_DOUBLE_MAX);
    vrmi_cursor_float(cursor, &row->strength_scale, 0.0f, 1.0f);
    vrm_ragdoll_joint_drive *drive = &instance->ragdoll_bodies[body].joint.drive;
    vrmi_cursor_float(cursor, &drive->frequency, 0.0f, 60.0f);
    vrmi_cursor_float(cursor, &drive->damping_ratio, 0.0f, 10.0f);
    vrmi_cursor_float(cursor, &drive->max_torque, 0.0f, 1e9f);
    if (cursor->mode == VRMI_CURSOR_LOAD && !cursor->failed) {
        row->motion = (vrm_ragdoll_motion)motion;
    }
    if (runs) { // without a simulation, these values are not used
        vrmi_cursor_vec3(cursor, &row->last_position);
        vrmi_cursor_quat(cursor, &row->last_rotation);
        walk_body_state(&row->state, cursor);
        vrmi_cursor_bool(cursor, &row->lost);
        // The next frame compares the bodies with their last targets, and continues from the targets' accelerations.
        vrm_ragdoll_target *target = &instance->ragdoll_targets[body];
        walk_body_state(&target->state, cursor);
        vrmi_cursor_vec3(cursor, &target->linear_acceleration);
        vrmi_cursor_vec3(cursor, &target->angular_acceleration);
        vrmi_cursor_vec3(cursor, &row->last_acceleration);
        vrmi_cursor_vec3(cursor, &row->last_turning);
        vrmi_cursor_vec3(cursor, &row->aside);
    }
}

static void walk_blows(vrm_instance *instance, vrmi_cursor *cursor)
{
    vrmi_ragdoll *ragdoll = &instance->ragdoll;
    const uint32_t count = vrmi_cursor_steer(cursor, ragdoll->blow_count, 2 * instance->def.ragdoll_bodies);
    for (uint32_t i = 0; i < count && !cursor->failed; ++i) {
        vrmi_ragdoll_blow *blow = &instance->ragdoll_blows[i];
        vrmi_cursor_u32(cursor, &blow->body, ragdoll->body_count - 1);
        vrmi_cursor_vec3(cursor, &blow->arm);
        vrmi_cursor_vec3(cursor, &blow->impulse);
        vrmi_cursor_float(cursor, &blow->loss, 0.0f, VRMI_FLOAT_MAX);
        vrmi_cursor_float(cursor, &blow->elapsed, 0.0f, VRMI_FLOAT_MAX);
        vrmi_cursor_float(cursor, &blow->done, 0.0f, 1.0f);
    }
    if (cursor->mode == VRMI_CURSOR_LOAD && !cursor->failed) {
        ragdoll->blow_count = count;
        ragdoll->impulse_count = 0; // the impulses of the saved frame were already used
    }
}

static void walk_flats(vrmi_flat *flats, uint32_t count, vrmi_cursor *cursor)
{
    for (uint32_t i = 0; i < count; ++i) {
        vrmi_cursor_float(cursor, &flats[i].x, -VRMI_FLOAT_MAX, VRMI_FLOAT_MAX);
        vrmi_cursor_float(cursor, &flats[i].z, -VRMI_FLOAT_MAX, VRMI_FLOAT_MAX);
    }
}

static void walk_floats(float *const *floats, size_t count, vrmi_cursor *cursor)
{
    for (size_t i = 0; i < count; ++i) {
        vrmi_cursor_float(cursor, floats[i], -VRMI_FLOAT_MAX, VRMI_FLOAT_MAX);
    }
}

static void walk_step(vrmi_step_plan *plan, vrmi_cursor *cursor)
{
    const uint32_t phase = vrmi_cursor_steer(cursor, (uint32_t)plan->phase, VRMI_STEP_PHASE_COUNT - 1);
    if (phase != VRMI_STEP_OFF) {
        vrmi_step_body *b = &plan->body;
        float *const measures[] = {&b->height, &b->center, &b->leg, &b->hip, &b->ankle, &b->lever, &b->ball[0],
            &b->ball[1], &b->joints[0], &b->joints[1], &b->ball_height[0], &b->ball_height[1]};
        walk_floats(measures, sizeof(measures) / sizeof(measures[0]), cursor);
        walk_flats(&b->half, 1, cursor);
        walk_flats(b->ahead, 2, cursor);
        walk_flats(b->sole, 2, cursor);
        walk_flats(b->ankles, 2, cursor);
        walk_flats(b->hips, 2, cursor);
        vrmi_cursor_u32(cursor, &plan->foot, 1);
        vrmi_cursor_u32(cursor, &plan->steps, UINT32_MAX);
        vrmi_flat *const flats[] = {
            &plan->center, &plan->drive, &plan->lean, &plan->lean_rate, &plan->pressure, &plan->target, &plan->from};
        for (size_t i = 0; i < sizeof(flats) / sizeof(flats[0]); ++i) {
            walk_flats(flats[i], 1, cursor);
        }
        for (int foot = 0; foot < 2; ++foot) {
            vrmi_step_foot *f = &plan->feet[foot];
            walk_flats(&f->place, 1, cursor);
            walk_flats(&f->velocity, 1, cursor);
            walk_flats(&f->acceleration, 1, cursor);
            walk_flats(&f->shift, 1, cursor);
            float *const numbers[] = {&f->height, &f->pitch, &f->pitch_rate, &f->tilt.pitch, &f->tilt.roll,
                &f->tilt.yaw, &f->tilt_rate.pitch, &f->tilt_rate.roll, &f->tilt_rate.yaw};
            walk_floats(numbers, sizeof(numbers) / sizeof(numbers[0]), cursor);
        }
        float *const numbers[] = {&plan->duration, &plan->time, &plan->wait, &plan->calm, &plan->drop, &plan->drop_rate,
            &plan->drop_change, &plan->hold, &plan->spread, &plan->rest, &plan->free};
        walk_floats(numbers, sizeof(numbers) / sizeof(numbers[0]), cursor);
        vrmi_cursor_bool(cursor, &plan->home);
    }
    if (cursor->mode == VRMI_CURSOR_LOAD && !cursor->failed) {
        plan->phase = (vrmi_step_phase)phase;
    }
}

static void walk_gait(vrmi_gait *gait, vrmi_cursor *cursor)
{
    vrmi_cursor_bool(cursor, &gait->known);
    vrmi_cursor_u32(cursor, &gait->lead, 1);
    vrmi_cursor_u32(cursor, &gait->count, 3);
    float *const numbers[] = {
        &gait->off[0], &gait->off[1], &gait->up[0], &gait->up[1], &gait->since, &gait->step_time, &gait->lost};
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); ++i) {
        vrmi_cursor_float(cursor, numbers[i], 0.0f, VRMI_FLOAT_MAX);
    }
    for (uint32_t foot = 0; foot < 2; ++foot) {
        vrmi_cursor_bool(cursor, &gait->down[foot]);
        walk_flats(&gait->step[foot], 1, cursor);
        vrmi_cursor_vec3(cursor, &gait->landing[foot]);
    }
    walk_flats(&gait->ground, 1, cursor);
    for (uint32_t i = 0; i < 4; ++i) {
        vrmi_cursor_vec3(cursor, &gait->points[i]);
    }
    for (uint32_t k = 0; k < 3; ++k) {
        vrmi_cursor_double(cursor, vrmi_dvec3_axis(&gait->origin, k), -VRMI_DOUBLE_MAX, VRMI_DOUBLE_MAX);
    }
    vrmi_cursor_quat(cursor, &gait->rotation);
}

static void walk_kept(vrm_instance *instance, vrmi_cursor *cursor)
{
    vrmi_ragdoll *ragdoll = &instance->ragdoll;
    const bool keeps = vrmi_cursor_steer(cursor, ragdoll->keeps ? 1 : 0, 1) != 0;
    for (uint32_t bone = 0; keeps && bone < VRM_HUMAN_BONE_COUNT && !cursor->failed; ++bone) {
        if ((ragdoll->bodiless >> bone & 1u) != 0) {
            vrmi_cursor_quat(cursor, &instance->ragdoll_kept[bone]);
        }
    }
    vrmi_cursor_float(cursor, &ragdoll->kept_strength, 0.0f, 1.0f);
    if (cursor->mode == VRMI_CURSOR_LOAD && !cursor->failed) {
        ragdoll->keeps = keeps;
    }
}

static void walk_phase(vrmi_ragdoll *ragdoll, uint32_t phase, vrmi_cursor *cursor)
{
    float *const times[] = {&ragdoll->phase_time, &ragdoll->still_time, &ragdoll->blend_seconds, &ragdoll->idle_time,
        &ragdoll->speed, &ragdoll->deviation, &ragdoll->last_dt, &ragdoll->last_span};
    for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); ++i) {
        vrmi_cursor_float(cursor, times[i], 0.0f, VRMI_FLOAT_MAX);
    }
    vrmi_cursor_float(cursor, &ragdoll->shown, 0.0f, 1.0f);
    bool *const flags[] = {
        &ragdoll->has_last, &ragdoll->has_states, &ragdoll->get_up, &ragdoll->gets_up, &ragdoll->has_velocity};
    for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); ++i) {
        vrmi_cursor_bool(cursor, flags[i]);
    }
    for (uint32_t k = 0; k < 3; ++k) {
        vrmi_cursor_double(cursor, vrmi_dvec3_axis(&ragdoll->last_origin, k), -VRMI_DOUBLE_MAX, VRMI_DOUBLE_MAX);
        vrmi_cursor_double(cursor, vrmi_dvec3_axis(&ragdoll->state_origin, k), -VRMI_DOUBLE_MAX, VRMI_DOUBLE_MAX);
    }
    const bool wants_root = vrmi_cursor_steer(cursor, ragdoll->wants_root ? 1 : 0, 1) != 0;
    if (wants_root) {
        vrmi_cursor_root(cursor, &ragdoll->wanted_root);
    }
    vrmi_cursor_float(cursor, &ragdoll->last_scale, 0.01f, 100.0f);
    vrmi_cursor_u32(cursor, &ragdoll->moved, UINT32_MAX);
    vrmi_cursor_u32(cursor, &ragdoll->placed, UINT32_MAX);
    if (cursor->mode == VRMI_CURSOR_LOAD && !cursor->failed) {
        ragdoll->phase = (vrm_ragdoll_phase)phase;
        ragdoll->wants_root = wants_root;
    }
}

void vrmi_ragdoll_snapshot(vrm_instance *instance, vrmi_cursor *cursor)
{
    vrmi_ragdoll *ragdoll = &instance->ragdoll;
    const uint32_t bodies = vrmi_cursor_steer(cursor, ragdoll->body_count, VRM_RAGDOLL_MAX_BODIES);
    vrmi_cursor_require(cursor, bodies == ragdoll->body_count);
    if (bodies == 0 || cursor->failed) {
        return;
    }
    const uint32_t hash = hash_of_bodies(instance);
    vrmi_cursor_require(cursor, vrmi_cursor_steer(cursor, hash, UINT32_MAX) == hash);
    walk_settings(&ragdoll->settings, cursor);
    const uint32_t phase = vrmi_cursor_steer(cursor, (uint32_t)ragdoll->phase, VRM_RAGDOLL_PHASE_COUNT - 1);
    walk_phase(ragdoll, phase, cursor);
    for (uint32_t i = 0; i < bodies && !cursor->failed; ++i) {
        walk_row(instance, i, phase != VRM_RAGDOLL_PHASE_OFF || ragdoll->has_last, cursor);
    }
    walk_blows(instance, cursor);
    walk_kept(instance, cursor);
    walk_step(&ragdoll->step, cursor);
    walk_gait(instance->ragdoll_gait, cursor);
}
