// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Sleep: a ragdoll that is still is not stepped until something happens.

#include "solver.h"

#include "base/checks.h"

// A body is still if its centre of mass is slower than STILL_SPEED, m/s, and its rotation slower than STILL_TURN,
// rad/s. The ragdoll sleeps when all bodies have been still for STILL_TIME, seconds.
static const float STILL_SPEED = 0.05f, STILL_TURN = 0.25f, STILL_TIME = 0.5f;
// A ragdoll is slow below SLOW times these speeds. While it is slow its joints stiffen by STIFFENING per second, for at
// most STIFFEST_TIME seconds, because contacts in a loop of limbs may otherwise tremble for ever.
static const float SLOW = 4.0f, STIFFENING = 2.0f, STIFFEST_TIME = 2.0f;

// Whether a target moves, however slowly.
static bool moves(const vrm_ragdoll_target *t)
{
    const vrm_vec3 v = t->state.linear_velocity, w = t->state.angular_velocity;
    return vrmi_vec3_dot(v, v) + vrmi_vec3_dot(w, w) > 1e-6f;
}

static bool follows(const vrm_ragdoll_solver *solver)
{
    for (uint32_t i = 0; i < solver->def.body_count; ++i) {
        const vrm_ragdoll_target *t = &solver->targets[i];
        const bool driven = t->frequency > 0.0f || t->pin_frequency > 0.0f || t->rotation_weight > 0.0f ||
                            t->translation_weight > 0.0f || t->motion != VRM_RAGDOLL_MOTION_DYNAMIC;
        if (driven && moves(t)) {
            return true;
        }
    }
    return false;
}

// Whether a body that has to be exactly at its target moves.
static bool is_led(const vrm_ragdoll_solver *solver)
{
    for (uint32_t i = 0; i < solver->def.body_count; ++i) {
        if (vrmi_solver_is_held(solver, i) && moves(&solver->targets[i])) {
            return true;
        }
    }
    return false;
}

float vrmi_solver_joint_friction(const vrm_ragdoll_solver *solver)
{
    return solver->params.joint_friction * (1.0f + STIFFENING * vrmi_min(solver->drowsy, STIFFEST_TIME));
}

void vrmi_solver_rest(vrm_ragdoll_solver *solver, float speed, float turn)
{
    // Under the same gravity, smaller figures move like large ones, but with lower speeds and faster rotations, by the
    // square root of the size.
    const float size = solver->scale;
    const float still_speed = STILL_SPEED * STILL_SPEED * size;
    const float still_turn = STILL_TURN * STILL_TURN / vrmi_min(size, 1.0f);
    const bool still = speed <= still_speed && turn <= still_turn;
    const bool slow = solver->params.sleep && speed <= SLOW * SLOW * still_speed && turn <= SLOW * SLOW * still_turn;
    solver->calm = still ? solver->calm + solver->params.step : 0.0f;
    solver->drowsy = slow && !follows(solver) ? solver->drowsy + solver->params.step : 0.0f;
    if (!solver->params.sleep || solver->calm < STILL_TIME || is_led(solver)) {
        return;
    }
    solver->rest = 0.0;
    solver->asleep = true;
}

void vrmi_solver_stop(vrm_ragdoll_solver *solver)
{
    const vrm_vec3 zero = {0.0f, 0.0f, 0.0f};
    for (uint32_t i = 0; i < solver->def.body_count; ++i) {
        vrmi_solver_body *b = &solver->bodies[i];
        b->state.linear_velocity = b->state.angular_velocity = b->spin = zero;
        b->owed = b->ahead = (vrm_ragdoll_velocity){zero, zero};
    }
}

static bool is_driven(const vrm_ragdoll_target *t, vrm_ragdoll_drive drive)
{
    return t->motion != VRM_RAGDOLL_MOTION_DYNAMIC ||
           (drive == VRM_RAGDOLL_DRIVE_TORQUE ? t->frequency > 0.0f || t->pin_frequency > 0.0f || t->load > 0.0f
                                              : t->rotation_weight > 0.0f || t->translation_weight > 0.0f);
}

// Whether a held body, which is shown at its target, is more than LED_WAY, metres, or LED_TURN, radians, away from it.
static const float LED_WAY = 2e-4f, LED_TURN = 4e-4f;

static bool is_away(const vrm_ragdoll_state *state, const vrm_ragdoll_state *target, vrm_vec3 shift)
{
    const vrm_vec3 way = vrmi_vec3_sub(vrmi_vec3_add(target->position, shift), state->position);
    const vrm_quat turn = vrmi_quat_mul(target->rotation, vrmi_quat_conjugate(state->rotation));
    const vrm_vec3 half = {turn.x, turn.y, turn.z};
    return vrmi_vec3_dot(way, way) > LED_WAY * LED_WAY || 4.0f * vrmi_vec3_dot(half, half) > LED_TURN * LED_TURN;
}

// Whether a body's target differs from its target at the time when the ragdoll fell asleep.
static bool differs(
    const vrm_ragdoll_target *asleep, const vrm_ragdoll_target *now, vrm_vec3 shift, vrm_ragdoll_drive drive)
{
    if (asleep->motion != now->motion) {
        return true;
    }
    if (!is_driven(now, drive)) {
        return false;
    }
    if (drive == VRM_RAGDOLL_DRIVE_TORQUE
            ? asleep->frequency != now->frequency || asleep->pin_frequency != now->pin_frequency ||
                  asleep->load != now->load || asleep->max_torque != now->max_torque
            : asleep->rotation_weight != now->rotation_weight ||
                  asleep->translation_weight != now->translation_weight) {
        return true;
    }
    const vrm_vec3 moved = vrmi_vec3_sub(vrmi_vec3_add(now->state.position, shift), asleep->state.position);
    const float dot = vrmi_quat_dot(now->state.rotation, asleep->state.rotation);
    return vrmi_vec3_dot(moved, moved) > 1e-6f ||
           1.0f - dot * dot > 1e-6f; // more than a millimetre, or two thousandths of a radian
}

bool vrmi_solver_is_disturbed(const vrm_ragdoll_solver *solver)
{
    const vrm_ragdoll_targets *targets = solver->frame.targets;
    for (uint32_t i = 0; i < solver->def.body_count; ++i) {
        const vrm_ragdoll_target *now = &targets->bodies[i];
        const bool held = now->motion != VRM_RAGDOLL_MOTION_DYNAMIC;
        if (differs(&solver->targets[i], now, solver->frame.shift, targets->drive) ||
            (held && is_away(&solver->bodies[i].state, &now->state, solver->frame.shift))) {
            return true;
        }
        const vrm_vec3 moved = vrmi_vec3_sub(solver->bodies[i].next_anchor, solver->bodies[i].anchor);
        if (vrmi_vec3_dot(moved, moved) > 1e-6f) {
            return true;
        }
    }
    for (uint32_t i = 0; i < solver->params.shape_slots; ++i) {
        const vrm_ragdoll_world_shape_def *s = &solver->shapes[i].shape;
        if (solver->shapes[i].used && (vrmi_vec3_dot(s->linear_velocity, s->linear_velocity) > 0.0f ||
                                          vrmi_vec3_dot(s->angular_velocity, s->angular_velocity) > 0.0f)) {
            return true;
        }
    }
    return false;
}

bool vrm_ragdoll_solver_is_asleep(const vrm_ragdoll_solver *solver)
{
    return solver != NULL && solver->asleep;
}

void vrm_ragdoll_solver_wake(vrm_ragdoll_solver *solver)
{
    if (VRM_ASSERT(solver != NULL)) {
        solver->asleep = false;
        solver->calm = solver->drowsy = 0.0f;
    }
}
