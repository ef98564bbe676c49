// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The ragdoll's bodies meeting each other, as the capsules that stand for their shapes. These contacts close loops that
// the articulated-body algorithm does not have, so they go beside it: equal and opposite impulses, corrected after each
// pass by the velocity that it found. An impulse is sized by the mass that both bodies would show without their joints;
// with them they show more, so that none ever does too much, and what one step lacks the next one adds.

#include "solver.h"

// Of an overlap, how much a step takes back, and how fast at most, m/s.
static const float RETURN = 0.1f, RETURN_SPEED = 0.5f;
// How much of the last step's impulse is taken for granted.
static const float WARM = 0.9f;

// The nearest points of two segments center +- axis (Ericson 2005, Real-Time Collision Detection, 5.1.9).
static void nearest_of_segments(
    vrm_vec3 center_a, vrm_vec3 axis_a, vrm_vec3 center_b, vrm_vec3 axis_b, vrm_vec3 *out_a, vrm_vec3 *out_b)
{
    const vrm_vec3 between = vrmi_vec3_sub(center_b, center_a);
    const float aa = vrmi_max(vrmi_vec3_dot(axis_a, axis_a), 1e-12f),
                bb = vrmi_max(vrmi_vec3_dot(axis_b, axis_b), 1e-12f);
    const float ab = vrmi_vec3_dot(axis_a, axis_b), da = vrmi_vec3_dot(axis_a, between),
                db = vrmi_vec3_dot(axis_b, between);
    const float square = aa * bb - ab * ab;
    float s = square > 1e-6f * aa * bb ? vrmi_clamp((da * bb - db * ab) / square, -1.0f, 1.0f) : 0.0f;
    const float t = vrmi_clamp((s * ab - db) / bb, -1.0f, 1.0f);
    s = vrmi_clamp((t * ab + da) / aa, -1.0f, 1.0f);
    *out_a = vrmi_vec3_add(center_a, vrmi_vec3_scale(axis_a, s));
    *out_b = vrmi_vec3_add(center_b, vrmi_vec3_scale(axis_b, t));
}

static vrm_vec3 center_of(const vrm_ragdoll_solver *solver, uint32_t body)
{
    const vrm_ragdoll_state *state = &solver->bodies[body].state;
    return vrmi_vec3_add(state->position, vrmi_quat_rotate(state->rotation, solver->constants[body].shape_center));
}

// How fast a push of 1 N s along the normal at `at` (from the body's origin) makes that point, if the body were alone;
// 0 for a held one.
static float mobility(const vrm_ragdoll_solver *solver, uint32_t body, vrm_vec3 at, vrm_vec3 normal)
{
    if (vrmi_solver_is_held(solver, body)) {
        return 0.0f;
    }
    const vrmi_solver_constant *c = &solver->constants[body];
    const vrm_quat rotation = solver->bodies[body].state.rotation;
    const vrm_ragdoll_body *b = &solver->def.bodies[body];
    const vrm_vec3 arm = vrmi_vec3_sub(at, vrmi_quat_rotate(rotation, c->center));
    const vrm_quat principal = vrmi_quat_mul(rotation, b->inertia_rotation);
    const vrm_vec3 turn = vrmi_quat_rotate(vrmi_quat_conjugate(principal), vrmi_vec3_cross(arm, normal));
    const float scale = solver->scale, size = scale * scale * scale * scale * scale;
    return 1.0f / c->mass +
           (turn.x * turn.x / b->inertia.x + turn.y * turn.y / b->inertia.y + turn.z * turn.z / b->inertia.z) / size;
}

// Gives `impulse` to a body's momentum.
static void push(float *rows, uint32_t lanes, uint32_t lane, uint32_t body, vrm_vec3 at, vrm_vec3 impulse)
{
    float *momentum = vrmi_art_row(rows, lanes, body, VRMI_ART_MOMENTUM) + lane;
    const vrm_vec3 moment = vrmi_vec3_cross(at, impulse);
    momentum[0] += moment.x;
    momentum[lanes] += moment.y;
    momentum[2 * lanes] += moment.z;
    momentum[3 * lanes] += impulse.x;
    momentum[4 * lanes] += impulse.y;
    momentum[5 * lanes] += impulse.z;
}

static void push_both(const vrm_ragdoll_solver *solver, const vrmi_solver_meeting *m, float impulse, float *rows,
    uint32_t lanes, uint32_t lane)
{
    const vrm_vec3 p = vrmi_vec3_scale(m->normal, impulse);
    push(rows, lanes, lane, solver->pairs[m->pair].a, m->at_a, p);
    push(rows, lanes, lane, solver->pairs[m->pair].b, m->at_b, vrmi_vec3_scale(p, -1.0f));
}

static vrm_vec3 velocity_of(const float *rows, uint32_t lanes, uint32_t lane, uint32_t body, vrm_vec3 at)
{
    const float *v = rows + ((size_t)body * VRMI_ART_ROWS + VRMI_ART_VELOCITY) * lanes + lane;
    return vrmi_velocity_at(
        vrmi_vec3(v[3 * lanes], v[4 * lanes], v[5 * lanes]), vrmi_vec3(v[0], v[lanes], v[2 * lanes]), at);
}

// A pair's meeting, if it is near enough for this step.
static bool meet(
    const vrm_ragdoll_solver *solver, uint32_t pair, vrm_vec3 center_a, vrm_vec3 center_b, vrmi_solver_meeting *out)
{
    const uint32_t a = solver->pairs[pair].a, b = solver->pairs[pair].b;
    const vrm_ragdoll_state *sa = &solver->bodies[a].state, *sb = &solver->bodies[b].state;
    const vrmi_solver_constant *ca = &solver->constants[a], *cb = &solver->constants[b];
    vrm_vec3 pa, pb;
    nearest_of_segments(center_a, vrmi_quat_rotate(sa->rotation, ca->shape_axis), center_b,
        vrmi_quat_rotate(sb->rotation, cb->shape_axis), &pa, &pb);
    const vrm_vec3 off = vrmi_vec3_sub(pa, pb);
    const float distance = vrmi_vec3_length(off), gap = distance - ca->shape_radius - cb->shape_radius;
    if (!(gap < 0.02f * solver->scale) || !(distance > 1e-5f)) {
        return false; // the axes cross: there is no way out to tell
    }
    const float step = solver->params.step;
    *out = (vrmi_solver_meeting){.pair = pair,
        .normal = vrmi_vec3_scale(off, 1.0f / distance),
        .gap = gap,
        .target = gap > 0.0f ? -gap / step : vrmi_min(-gap * RETURN / step, RETURN_SPEED)};
    pa = vrmi_vec3_sub(pa, vrmi_vec3_scale(out->normal, ca->shape_radius));
    pb = vrmi_vec3_add(pb, vrmi_vec3_scale(out->normal, cb->shape_radius));
    out->at_a = vrmi_vec3_sub(pa, sa->position);
    out->at_b = vrmi_vec3_sub(pb, sb->position);
    out->mass = 1.0f / (mobility(solver, a, out->at_a, out->normal) + mobility(solver, b, out->at_b, out->normal));
    out->impulse = gap > 0.0f ? 0.0f : WARM * solver->pairs[pair].impulse;
    return true;
}

static bool may_push(const vrm_ragdoll_solver *solver, uint32_t a, uint32_t b)
{
    const vrm_ragdoll_motion ma = solver->targets[a].motion, mb = solver->targets[b].motion;
    return ma != VRM_RAGDOLL_MOTION_OFF && mb != VRM_RAGDOLL_MOTION_OFF &&
           (ma == VRM_RAGDOLL_MOTION_DYNAMIC || mb == VRM_RAGDOLL_MOTION_DYNAMIC);
}

void vrmi_solver_find_meetings(vrm_ragdoll_solver *solver, float *rows, uint32_t lanes, uint32_t lane)
{
    solver->meeting_count = 0;
    vrm_vec3 centers[VRM_RAGDOLL_MAX_BODIES];
    float reaches[VRM_RAGDOLL_MAX_BODIES];
    for (uint32_t i = 0; solver->pair_count != 0 && i < solver->def.body_count; ++i) {
        centers[i] = center_of(solver, i);
        reaches[i] = vrmi_vec3_length(solver->constants[i].shape_axis) + solver->constants[i].shape_radius;
    }
    for (uint32_t i = 0; i < solver->pair_count; ++i) {
        const uint32_t a = solver->pairs[i].a, b = solver->pairs[i].b;
        const vrm_vec3 off = vrmi_vec3_sub(centers[a], centers[b]);
        const float reach = reaches[a] + reaches[b] + 0.02f * solver->scale;
        const bool near = vrmi_vec3_dot(off, off) < reach * reach && may_push(solver, a, b);
        vrmi_solver_meeting *meeting = &solver->meetings[solver->meeting_count];
        if (near && solver->meeting_count < VRMI_SOLVER_SELF && meet(solver, i, centers[a], centers[b], meeting)) {
            push_both(solver, meeting, meeting->impulse, rows, lanes, lane);
            ++solver->meeting_count;
        }
        solver->pairs[i].impulse = 0.0f; // told anew at the step's end
    }
}

float vrmi_solver_correct_meetings(vrm_ragdoll_solver *solver, float *rows, uint32_t lanes, uint32_t lane)
{
    float most = 0.0f;
    for (uint32_t i = 0; i < solver->meeting_count; ++i) {
        vrmi_solver_meeting *m = &solver->meetings[i];
        const vrmi_solver_pair *pair = &solver->pairs[m->pair];
        const vrm_vec3 speed = vrmi_vec3_sub(
            velocity_of(rows, lanes, lane, pair->a, m->at_a), velocity_of(rows, lanes, lane, pair->b, m->at_b));
        const float impulse = vrmi_max(m->impulse + m->mass * (m->target - vrmi_vec3_dot(m->normal, speed)), 0.0f);
        push_both(solver, m, impulse - m->impulse, rows, lanes, lane);
        most = vrmi_max(most, vrmi_abs(impulse - m->impulse) / m->mass);
        m->impulse = impulse;
    }
    return most;
}

void vrmi_solver_end_meetings(vrm_ragdoll_solver *solver)
{
    for (uint32_t i = 0; i < solver->meeting_count; ++i) {
        solver->pairs[solver->meetings[i].pair].impulse = solver->meetings[i].impulse;
    }
}
