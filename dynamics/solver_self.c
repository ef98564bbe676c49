// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Collisions between bodies of the ragdoll, with capsules instead of their shapes. These contacts close loops, which
// the articulated-body algorithm does not have. So they are solved separately, as equal and opposite impulses. Each
// pass corrects them by its velocities. An impulse is sized by the masses of both bodies without their joints. With
// joints the bodies resist more, so no impulse is too large, and the next step adds the missing amount. (Impulses 1.7
// times as large converge a little sooner, but one fall in a thousand gains energy.)

#include "solver.h"

// Returns the speed that an impulse of 1 N s along the normal gives to the point `at` (from the body's origin) of a
// free body without joints; 0 for a held body.
static float mobility(
    const vrm_ragdoll_solver *solver, const vrmi_step *step, uint32_t lane, uint32_t body, vrm_vec3 at, vrm_vec3 normal)
{
    if (vrmi_solver_is_held(solver, body)) {
        return 0.0f;
    }
    const vrm_quat rotation = vrmi_step_get4(vrmi_step_body(step, body, VRMI_STEP_ROTATION), step->lanes, lane);
    const vrm_vec3 center = vrmi_step_get3(vrmi_step_body(step, body, VRMI_STEP_ARM), step->lanes, lane);
    const vrm_ragdoll_body *b = &solver->def.bodies[body];
    const vrm_quat principal = vrmi_quat_mul(rotation, b->inertia_rotation);
    const vrm_vec3 arm = vrmi_vec3_sub(at, center);
    const vrm_vec3 turn = vrmi_quat_rotate(vrmi_quat_conjugate(principal), vrmi_vec3_cross(arm, normal));
    const float scale = solver->scale, size = scale * scale * scale * scale * scale;
    return 1.0f / solver->constants[body].mass +
           (turn.x * turn.x / b->inertia.x + turn.y * turn.y / b->inertia.y + turn.z * turn.z / b->inertia.z) / size;
}

// Adds `impulse` to a body's momentum.
static void push(const vrmi_step *step, uint32_t lane, uint32_t body, vrm_vec3 at, vrm_vec3 impulse)
{
    const uint32_t lanes = step->lanes;
    float *momentum = vrmi_art_row(step->rows, lanes, body, VRMI_ART_MOMENTUM) + lane;
    const vrm_vec3 moment = vrmi_vec3_cross(at, impulse);
    momentum[0] += moment.x;
    momentum[lanes] += moment.y;
    momentum[2 * lanes] += moment.z;
    momentum[3 * lanes] += impulse.x;
    momentum[4 * lanes] += impulse.y;
    momentum[5 * lanes] += impulse.z;
}

static void push_both(
    const vrm_ragdoll_solver *solver, const vrmi_solver_meeting *m, float impulse, const vrmi_step *step, uint32_t lane)
{
    const vrm_vec3 p = vrmi_vec3_scale(m->normal, impulse);
    push(step, lane, solver->pairs[m->pair].a, m->at_a, p);
    push(step, lane, solver->pairs[m->pair].b, m->at_b, vrmi_vec3_scale(p, -1.0f));
}

static vrm_vec3 velocity_of(const vrmi_step *step, uint32_t lane, uint32_t body, vrm_vec3 at)
{
    const float *v = vrmi_art_row(step->rows, step->lanes, body, VRMI_ART_VELOCITY);
    return vrmi_velocity_at(
        vrmi_step_get3(v + (size_t)3 * step->lanes, step->lanes, lane), vrmi_step_get3(v, step->lanes, lane), at);
}

static bool may_push(const vrm_ragdoll_solver *solver, uint32_t a, uint32_t b)
{
    const vrm_ragdoll_motion ma = solver->targets[a].motion, mb = solver->targets[b].motion;
    return ma != VRM_RAGDOLL_MOTION_OFF && mb != VRM_RAGDOLL_MOTION_OFF &&
           (ma == VRM_RAGDOLL_MOTION_DYNAMIC || mb == VRM_RAGDOLL_MOTION_DYNAMIC);
}

// Two bodies that overlap or nearly touch in the target pose may overlap by this much more, metres at scale 1.
// Otherwise even the smallest contact impulse would disturb the swing of soft arms.
static const float OVERLAP_ROOM = 0.005f;

// The largest acceleration with which a contact pushes the lighter one of two driven bodies, m/s^2 at scale 1: half of
// its weight (with all of it, a hit amid getting up cut a foot by 8 degrees). An animation may press limbs together, and
// a joint at its limit may be unable to yield. Without this bound the impulse grew from step to step, to the momentum of
// the whole figure at 1 m/s, and threw the limb away when it came free.
static const float DRIVEN_PUSH = 5.0f;
// The bound holds for bodies that overlap in the target pose or are nearer to each other than this, metres at scale 1.
// A limb that passes another one at a distance is not meant to touch it, and is kept out with the full force.
static const float PRESSED_ROOM = 0.02f;

// Adds a contact found by the kernel, starting with the last step's impulse. `overlap` is the overlap in the target
// pose.
static void add_meeting(
    vrm_ragdoll_solver *solver, uint32_t pair, const float *found, float overlap, const vrmi_step *step, uint32_t lane)
{
    const uint32_t a = solver->pairs[pair].a, b = solver->pairs[pair].b, lanes = step->lanes;
    if (solver->meeting_count == VRMI_SOLVER_SELF || !may_push(solver, a, b)) {
        return;
    }
    const float led =
        vrmi_min(vrmi_step_body(step, a, VRMI_STEP_LED)[lane], vrmi_step_body(step, b, VRMI_STEP_LED)[lane]);
    const float room = led * vrmi_max(overlap + OVERLAP_ROOM * solver->scale, 0.0f);
    const float gap = found[VRMI_MEET_GAP * lanes + lane] + room, h = solver->params.step;
    vrmi_solver_meeting *m = &solver->meetings[solver->meeting_count++];
    *m = (vrmi_solver_meeting){.pair = pair,
        .at_a = vrmi_step_get3(found + (size_t)VRMI_MEET_A * lanes, lanes, lane),
        .at_b = vrmi_step_get3(found + (size_t)VRMI_MEET_B * lanes, lanes, lane),
        .normal = vrmi_step_get3(found + (size_t)VRMI_MEET_NORMAL * lanes, lanes, lane),
        .gap = gap,
        .target = vrmi_solver_contact_target(gap, led, h)};
    const float light = vrmi_min(solver->constants[a].mass, solver->constants[b].mass);
    const bool pressed = overlap > -PRESSED_ROOM * solver->scale;
    m->most = pressed ? light * DRIVEN_PUSH * solver->scale * h / vrmi_max(led, 1e-3f) : 1e30f;
    m->impulse = vrmi_min(solver->pairs[pair].impulse, m->most);
    if (m->impulse != 0.0f) {
        push_both(solver, m, m->impulse, step, lane);
    }
}

// Returns the mass that an impulse between the two bodies moves. Most contacts never push, so it is computed when one
// does.
static float mass_of(const vrm_ragdoll_solver *solver, vrmi_solver_meeting *m, const vrmi_step *step, uint32_t lane)
{
    if (m->mass == 0.0f) {
        const vrmi_solver_pair *pair = &solver->pairs[m->pair];
        m->mass = 1.0f / (mobility(solver, step, lane, pair->a, m->at_a, m->normal) +
                             mobility(solver, step, lane, pair->b, m->at_b, m->normal));
    }
    return m->mass;
}

void vrmi_solver_find_meetings(
    vrm_ragdoll_solver *const *members, uint32_t active, const vrmi_step_kernel *kernel, const vrmi_step *step)
{
    const vrm_ragdoll_solver *first = NULL;
    for (uint32_t lane = 0; lane < step->lanes; ++lane) {
        if (vrmi_step_has(active, lane)) {
            members[lane]->meeting_count = 0;
            first = members[lane]; // all members have the same pairs
        }
    }
    float found[VRMI_MEET_ROWS * VRMI_STEP_LANES], overlaps[VRMI_STEP_LANES];
    for (uint32_t i = 0; first != NULL && i < first->pair_count; ++i) {
        const uint32_t near = kernel->meet(step, first->pairs[i].a, first->pairs[i].b, found) & active;
        if (near != 0) {
            kernel->overlap(step, first->pairs[i].a, first->pairs[i].b, overlaps);
        }
        for (uint32_t lane = 0; near >> lane != 0; ++lane) {
            if (vrmi_step_has(near, lane)) {
                add_meeting(members[lane], i, found, overlaps[lane], step, lane);
            }
        }
    }
    for (uint32_t lane = 0; lane < step->lanes; ++lane) {
        for (uint32_t i = 0; vrmi_step_has(active, lane) && i < members[lane]->pair_count; ++i) {
            members[lane]->pairs[i].impulse = 0.0f; // the step's end sets the impulse again
        }
    }
}

float vrmi_solver_correct_meetings(vrm_ragdoll_solver *solver, const vrmi_step *step, uint32_t lane)
{
    float most = 0.0f;
    for (uint32_t i = 0; i < solver->meeting_count; ++i) {
        vrmi_solver_meeting *m = &solver->meetings[i];
        const vrmi_solver_pair *pair = &solver->pairs[m->pair];
        const vrm_vec3 speed =
            vrmi_vec3_sub(velocity_of(step, lane, pair->a, m->at_a), velocity_of(step, lane, pair->b, m->at_b));
        const float missing = m->target - vrmi_vec3_dot(m->normal, speed);
        if (m->impulse == 0.0f && missing <= 0.0f) {
            continue; // the bodies do not push each other
        }
        const float mass = mass_of(solver, m, step, lane);
        const float impulse = vrmi_clamp(m->impulse + mass * missing, 0.0f, m->most);
        if (impulse != m->impulse) {
            push_both(solver, m, impulse - m->impulse, step, lane);
            step->settings.changes->bodies |= (uint64_t)1 << pair->a | (uint64_t)1 << pair->b;
            most = vrmi_max(most, vrmi_abs(impulse - m->impulse) / mass);
            m->impulse = impulse;
        }
    }
    return most;
}

void vrmi_solver_end_meetings(vrm_ragdoll_solver *solver)
{
    for (uint32_t i = 0; i < solver->meeting_count; ++i) {
        solver->pairs[solver->meetings[i].pair].impulse = solver->meetings[i].impulse;
    }
}
