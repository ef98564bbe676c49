// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Sets and reads the states of the bodies, and reads sums over all bodies.

#include "solver.h"

#include "base/abi.h"
#include "base/checks.h"
#include "base/float_environment.h"

void vrmi_solver_place(vrm_ragdoll_solver *solver)
{
    for (uint32_t i = 1; i < solver->def.body_count; ++i) {
        if (!vrmi_solver_is_held(solver, i)) {
            const vrm_ragdoll_state *parent = &solver->bodies[solver->tree.parent[i]].state;
            solver->bodies[i].state.position =
                vrmi_vec3_add(parent->position, vrmi_quat_rotate(parent->rotation, solver->bodies[i].anchor));
        }
    }
}

void vrmi_solver_take_anchors(vrm_ragdoll_solver *solver, const vrm_ragdoll_targets *targets, bool put)
{
    for (uint32_t i = 0; i < solver->def.body_count; ++i) {
        vrmi_solver_body *body = &solver->bodies[i];
        body->next_anchor = solver->constants[i].anchor;
        if (i > 0 && targets != NULL && targets->anchors != NULL) {
            const vrm_vec3 anchor = vrmi_vec3_scale(targets->anchors[i], solver->scale);
            const bool usable = vrmi_vec3_finite(anchor);
            body->next_anchor = usable ? anchor : body->next_anchor;
            solver->status |= usable ? 0u : (uint32_t)VRM_RAGDOLL_SOLVER_INPUT_NOT_FINITE;
        }
        body->anchor = put ? body->next_anchor : body->anchor;
    }
}

// --- put -----------------------------------------------------------------------------------------------------------

static void set_state(vrm_ragdoll_solver *solver, uint32_t i, const vrm_ragdoll_state *s, vrm_vec3 shift)
{
    vrmi_solver_body *body = &solver->bodies[i];
    *body = (vrmi_solver_body){.state = *s, .part = 1.0f, .anchor = body->anchor, .next_anchor = body->next_anchor};
    body->state.position = vrmi_vec3_add(s->position, shift);
    body->state.rotation = vrmi_quat_normalize(s->rotation);
    const vrmi_tensor inertia = vrmi_tensor_rotated(&solver->constants[i].inertia, body->state.rotation);
    body->spin = vrmi_tensor_mul(&inertia, s->angular_velocity);
    solver->contacts[i].count = 0;
}

static bool is_finite_place(const vrm_ragdoll_state *s)
{
    return vrmi_vec3_finite(s->position) && vrmi_vec3_finite(s->linear_velocity) &&
           vrmi_vec3_finite(s->angular_velocity) && vrmi_finite(vrmi_quat_dot(s->rotation, s->rotation));
}

void vrm_ragdoll_solver_put(
    vrm_ragdoll_solver *solver, const vrm_ragdoll_targets *targets, const vrm_ragdoll_state *places)
{
    if (!VRM_ASSERT(
            solver != NULL && targets != NULL && places != NULL && VRMI_OPTIONS_FIT(vrm_ragdoll_targets, targets)) ||
        targets->body_count != solver->def.body_count) {
        return;
    }
    const vrmi_float_environment host = vrmi_float_enter();
    if (targets->root.scale != solver->scale && targets->root.scale >= 0.01f && targets->root.scale <= 100.0f) {
        vrmi_solver_scale(solver, targets->root.scale);
    }
    const vrm_dvec3 to = targets->origin;
    solver->origin = (vrm_dvec3){vrmi_finite_double(to.x) ? to.x : solver->origin.x,
        vrmi_finite_double(to.y) ? to.y : solver->origin.y, vrmi_finite_double(to.z) ? to.z : solver->origin.z};
    for (uint32_t i = 0; i < solver->def.body_count; ++i) {
        if (is_finite_place(&places[i])) {
            set_state(solver, i, &places[i], vrmi_vec3(0.0f, 0.0f, 0.0f));
        } else {
            solver->status |= VRM_RAGDOLL_SOLVER_INPUT_NOT_FINITE;
        }
        solver->targets[i].motion = targets->bodies != NULL ? targets->bodies[i].motion : VRM_RAGDOLL_MOTION_DYNAMIC;
    }
    for (uint32_t i = 0; i < solver->pair_count; ++i) {
        solver->pairs[i].impulse = 0.0f;
    }
    vrmi_solver_take_anchors(solver, targets, true);
    vrmi_solver_put_hinges(solver);
    vrmi_solver_place(solver);
    solver->rest = 0.0;
    solver->placed = true;
    solver->meeting_count = 0;
    vrm_ragdoll_solver_wake(solver);
    vrmi_float_leave(host);
}

// --- read ----------------------------------------------------------------------------------------------------------

// Returns a body's displacement and rotation in `time` seconds after the last step. With its load borne it also follows
// the animation where that has left the straight line of the last step.
static vrm_ragdoll_velocity way_of(const vrm_ragdoll_solver *solver, uint32_t i, float time)
{
    const vrmi_solver_body *body = &solver->bodies[i];
    const float load = vrmi_clamp(solver->targets[i].load, 0.0f, 1.0f);
    return (vrm_ragdoll_velocity){
        vrmi_vec3_add(vrmi_vec3_scale(body->state.linear_velocity, time), vrmi_vec3_scale(body->ahead.linear, load)),
        vrmi_vec3_add(vrmi_vec3_scale(body->state.angular_velocity, time), vrmi_vec3_scale(body->ahead.angular, load))};
}

void vrmi_solver_carry(const vrm_ragdoll_solver *solver, float time, vrm_ragdoll_state *out_states)
{
    for (uint32_t i = 0; i < solver->def.body_count; ++i) {
        const vrm_ragdoll_state *s = &solver->bodies[i].state;
        out_states[i] = *s;
        const vrm_ragdoll_velocity way = time > 0.0f ? way_of(solver, i, time) : (vrm_ragdoll_velocity){0};
        if (time > 0.0f) {
            const vrm_quat turn = vrmi_quat_from_vector(way.angular);
            out_states[i].rotation = vrmi_quat_normalize(vrmi_quat_mul(turn, s->rotation));
        }
        if (time > 0.0f && (i == 0 || vrmi_solver_is_held(solver, i))) {
            const vrm_vec3 center = vrmi_quat_rotate(s->rotation, solver->constants[i].center);
            const vrm_vec3 moved = vrmi_velocity_at(way.linear, way.angular, vrmi_vec3_scale(center, -1.0f));
            out_states[i].position = vrmi_vec3_add(s->position, moved);
        } else if (time > 0.0f || (solver->asleep && i > 0 && !vrmi_solver_is_held(solver, i))) {
            // A joint that moved too little to wake the ragdoll is still shown at its position of this frame.
            const vrm_ragdoll_state *parent = &out_states[solver->tree.parent[i]];
            out_states[i].position =
                vrmi_vec3_add(parent->position, vrmi_quat_rotate(parent->rotation, solver->bodies[i].next_anchor));
        }
    }
}

void vrm_ragdoll_solver_get_states(
    const vrm_ragdoll_solver *solver, const vrm_dvec3 *origin, vrm_ragdoll_state *out_states, uint32_t count)
{
    if (!VRM_ASSERT(solver != NULL && origin != NULL && (out_states != NULL || count == 0))) {
        return;
    }
    const vrmi_float_environment host = vrmi_float_enter();
    vrm_ragdoll_state states[VRM_RAGDOLL_MAX_BODIES];
    vrmi_solver_carry(solver, solver->asleep ? 0.0f : (float)solver->rest, states);
    const vrm_vec3 shift = vrmi_vec3_between(*origin, solver->origin);
    for (uint32_t i = 0; i < solver->def.body_count && i < count; ++i) {
        out_states[i] = states[i];
        out_states[i].position = vrmi_vec3_add(states[i].position, shift);
    }
    vrmi_float_leave(host);
}

uint32_t vrm_ragdoll_solver_get_status(const vrm_ragdoll_solver *solver)
{
    return solver != NULL ? solver->status : 0;
}

void vrm_ragdoll_solver_clear_status(vrm_ragdoll_solver *solver)
{
    if (solver != NULL) {
        solver->status = 0;
    }
}

// Converts a position to the world.
static vrm_dvec3 get_place(const vrm_ragdoll_solver *solver, vrm_vec3 place)
{
    return vrmi_dvec3_add(solver->origin, vrmi_dvec3_from(place));
}

static void write_contact(const vrm_ragdoll_solver *solver, uint32_t body, uint32_t slot, vrm_ragdoll_contact *out)
{
    const vrmi_solver_contact *c = &solver->contacts[body].slot[slot];
    *out = (vrm_ragdoll_contact){
        .body = body, .other = -1, .normal = c->normal, .gap = c->gap, .impulse = solver->contacts[body].impulse[slot]};
    out->point = get_place(solver, c->place);
}

static void write_meeting(const vrm_ragdoll_solver *solver, const vrmi_solver_meeting *m, vrm_ragdoll_contact *out)
{
    const vrmi_solver_pair *pair = &solver->pairs[m->pair];
    *out = (vrm_ragdoll_contact){
        .body = pair->a, .other = pair->b, .normal = m->normal, .gap = m->gap, .impulse = m->impulse};
    out->point = get_place(solver, vrmi_vec3_add(solver->bodies[pair->a].state.position, m->at_a));
}

uint32_t vrm_ragdoll_solver_get_contacts(
    const vrm_ragdoll_solver *solver, vrm_ragdoll_contact *out_contacts, uint32_t count)
{
    if (!VRM_ASSERT(solver != NULL && (out_contacts != NULL || count == 0))) {
        return 0;
    }
    uint32_t found = 0;
    for (uint32_t i = 0; i < solver->def.body_count; ++i) {
        for (uint32_t k = 0; k < solver->contacts[i].count; ++k, ++found) {
            if (found < count) {
                write_contact(solver, i, k, &out_contacts[found]);
            }
        }
    }
    for (uint32_t i = 0; i < solver->meeting_count; ++i, ++found) {
        if (found < count) {
            write_meeting(solver, &solver->meetings[i], &out_contacts[found]);
        }
    }
    return found;
}

// --- energy --------------------------------------------------------------------------------------------------------

void vrm_ragdoll_solver_get_energy(const vrm_ragdoll_solver *solver, vrm_ragdoll_energy *out_energy)
{
    if (!VRM_ASSERT(solver != NULL && out_energy != NULL)) {
        return;
    }
    const vrmi_float_environment host = vrmi_float_enter();
    vrm_vec3 centers[VRM_RAGDOLL_MAX_BODIES];
    vrm_vec3 sum = {0.0f, 0.0f, 0.0f}, momentum = {0.0f, 0.0f, 0.0f}, spin = {0.0f, 0.0f, 0.0f};
    float kinetic = 0.0f;
    for (uint32_t i = 0; i < solver->def.body_count; ++i) {
        const vrmi_solver_body *b = &solver->bodies[i];
        const float mass = solver->constants[i].mass;
        const vrm_vec3 v = b->state.linear_velocity;
        centers[i] = vrmi_vec3_add(b->state.position, vrmi_quat_rotate(b->state.rotation, solver->constants[i].center));
        sum = vrmi_vec3_add(sum, vrmi_vec3_scale(centers[i], mass));
        momentum = vrmi_vec3_add(momentum, vrmi_vec3_scale(v, mass));
        kinetic += 0.5f * (mass * vrmi_vec3_dot(v, v) + vrmi_vec3_dot(b->state.angular_velocity, b->spin));
    }
    const vrm_vec3 center = vrmi_vec3_scale(sum, 1.0f / solver->total_mass);
    for (uint32_t i = 0; i < solver->def.body_count; ++i) {
        const vrmi_solver_body *b = &solver->bodies[i];
        const vrm_vec3 p = vrmi_vec3_scale(b->state.linear_velocity, solver->constants[i].mass);
        spin = vrmi_vec3_add(spin, vrmi_vec3_add(b->spin, vrmi_vec3_cross(vrmi_vec3_sub(centers[i], center), p)));
    }
    vrm_ragdoll_energy energy = {.kinetic = kinetic, .momentum = momentum, .angular_momentum = spin};
    const vrm_dvec3 at = get_place(solver, center), g = vrmi_dvec3_from(solver->params.gravity);
    energy.center_of_mass = at;
    energy.potential = -(float)((double)solver->total_mass * (g.x * at.x + g.y * at.y + g.z * at.z));
    vrmi_float_leave(host);
    (void)VRM_ASSERT(VRMI_WRITE_OUTPUT(vrm_ragdoll_energy, out_energy, &energy));
}
