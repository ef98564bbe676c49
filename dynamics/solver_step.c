// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Time: what a call brings, and the steps that it makes, for one ragdoll and for eight in lanes.

#include "solver.h"

#include "base/checks.h"
#include "base/float_environment.h"
#include "kernel_articulated.h"

#include <string.h>

// From there on floats lose what matters; the origin follows.
static const float FAR_AWAY = 16.0f;
// Self-contacts have settled when a pass changes no velocity by more than this, m/s.
static const float SETTLED = 0.01f;

// --- a call's beginning --------------------------------------------------------------------------------------------

static bool are_usable(const vrm_ragdoll_solver *solver, const vrm_ragdoll_targets *t, float dt)
{
    return t->body_count == solver->def.body_count && t->bodies != NULL && vrmi_finite(dt) && dt >= 0.0f &&
           vrmi_finite_double(t->origin[0]) && vrmi_finite_double(t->origin[1]) && vrmi_finite_double(t->origin[2]) &&
           t->root.scale >= 0.01f && t->root.scale <= 100.0f;
}

static void put(vrm_ragdoll_solver *solver, const vrm_ragdoll_targets *targets)
{
    if (targets->places != NULL) {
        vrm_ragdoll_solver_put(solver, targets, targets->places);
    } else {
        vrm_ragdoll_state places[VRM_RAGDOLL_MAX_BODIES];
        for (uint32_t i = 0; i < solver->def.body_count; ++i) {
            places[i] = targets->bodies[i].state;
        }
        vrm_ragdoll_solver_put(solver, targets, places);
    }
    solver->moved = targets->moved;
}

// Moves the origin to the targets' when the ragdoll is far from its own; returns the way from the targets' to it.
static vrm_vec3 follow(vrm_ragdoll_solver *solver, const double *origin)
{
    vrm_vec3 shift = {(float)(origin[0] - solver->origin[0]), (float)(origin[1] - solver->origin[1]),
        (float)(origin[2] - solver->origin[2])};
    if (!(vrmi_vec3_dot(shift, shift) > FAR_AWAY * FAR_AWAY)) {
        return shift;
    }
    for (uint32_t i = 0; i < solver->def.body_count; ++i) {
        solver->bodies[i].state.position = vrmi_vec3_sub(solver->bodies[i].state.position, shift);
        solver->targets[i].state.position = vrmi_vec3_sub(solver->targets[i].state.position, shift);
        for (uint32_t k = 0; k < solver->contacts[i].count; ++k) {
            solver->contacts[i].slot[k].place = vrmi_vec3_sub(solver->contacts[i].slot[k].place, shift);
        }
    }
    memcpy(solver->origin, origin, sizeof(solver->origin));
    return vrmi_vec3(0.0f, 0.0f, 0.0f);
}

static void blow(vrm_ragdoll_solver *solver, uint32_t body, vrm_vec3 point, vrm_vec3 impulse)
{
    vrmi_solver_body *b = &solver->bodies[body];
    const vrm_vec3 center =
        vrmi_vec3_add(b->state.position, vrmi_quat_rotate(b->state.rotation, solver->constants[body].center));
    b->blow = vrmi_vec3_add(b->blow, impulse);
    b->blow_spin = vrmi_vec3_add(b->blow_spin, vrmi_vec3_cross(vrmi_vec3_sub(point, center), impulse));
}

static void take_blows(vrm_ragdoll_solver *solver, const vrm_ragdoll_targets *targets, vrm_vec3 shift)
{
    for (uint32_t i = 0; i < targets->impulse_count; ++i) {
        const vrm_ragdoll_impulse *b = &targets->impulses[i];
        if (b->body >= solver->def.body_count || !vrmi_vec3_finite(b->point) || !vrmi_vec3_finite(b->impulse)) {
            solver->status |= VRM_RAGDOLL_SOLVER_INPUT_NOT_FINITE;
            continue;
        }
        blow(solver, b->body, vrmi_vec3_add(b->point, shift), b->impulse);
        vrm_ragdoll_solver_wake(solver);
    }
}

vrm_result vrm_ragdoll_solver_apply_impulse(
    vrm_ragdoll_solver *solver, uint32_t body, const double *point_world, const vrm_vec3 *impulse)
{
    if (solver == NULL || point_world == NULL || impulse == NULL || body >= solver->def.body_count ||
        !vrmi_finite_double(point_world[0]) || !vrmi_finite_double(point_world[1]) ||
        !vrmi_finite_double(point_world[2]) || !vrmi_vec3_finite(*impulse)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const vrm_vec3 point = {(float)(point_world[0] - solver->origin[0]), (float)(point_world[1] - solver->origin[1]),
        (float)(point_world[2] - solver->origin[2])};
    blow(solver, body, point, *impulse);
    vrm_ragdoll_solver_wake(solver);
    return VRM_SUCCESS;
}

// How many steps the time makes, and what they need to know.
static uint32_t begin(vrm_ragdoll_solver *solver, const vrm_ragdoll_targets *targets, float dt)
{
    solver->frame = (vrmi_solver_frame){.targets = targets};
    if (!are_usable(solver, targets, dt)) {
        solver->status |= VRM_RAGDOLL_SOLVER_INPUT_NOT_FINITE;
        return 0;
    }
    if (!targets->active) {
        solver->placed = false;
        return 0;
    }
    if (!solver->placed || targets->moved != solver->moved) {
        put(solver, targets);
    }
    if (targets->root.scale != solver->scale) {
        vrmi_solver_scale(solver, targets->root.scale);
        vrmi_solver_place(solver);
        vrm_ragdoll_solver_wake(solver);
    }
    solver->frame.shift = follow(solver, targets->origin);
    take_blows(solver, targets, solver->frame.shift);
    if (solver->asleep && vrmi_solver_is_disturbed(solver)) {
        vrm_ragdoll_solver_wake(solver);
    }
    if (solver->asleep) {
        return 0; // and time passes by
    }
    const double h = (double)solver->params.step;
    solver->rest += (double)dt;
    // A frame that is a whole number of steps but for rounding makes that many.
    double steps = solver->rest / h + 1e-4;
    if (steps >= (double)solver->params.max_steps + 1.0) {
        solver->status |= VRM_RAGDOLL_SOLVER_TIME_CLAMPED;
        solver->rest = (double)solver->params.max_steps * h;
        steps = (double)solver->params.max_steps;
    }
    solver->frame.steps = (uint32_t)steps;
    solver->frame.later = (float)(solver->rest - h);
    return solver->frame.steps;
}

// --- a step --------------------------------------------------------------------------------------------------------

// A width of the algorithm, and who is in which lane.
typedef struct company {
    vrmi_articulated_kernel *kernel;
    vrm_ragdoll_solver *members[VRMI_ART_LANES];
    uint32_t count, lanes;
    float *rows;
} company;

// Whether the first pass, without contacts, was not the last word: further passes would only repeat it.
static bool lane_needs_more(const float *rows, uint32_t lanes, uint32_t lane, uint32_t bodies)
{
    for (uint32_t i = 0; i < bodies; ++i) {
        const float *body = rows + (size_t)i * VRMI_ART_ROWS * lanes + lane;
        if (i != 0 && body[VRMI_ART_PART * lanes] < 1.0f) {
            return true;
        }
        const uint32_t limits = (uint32_t)body[VRMI_ART_LIMIT_COUNT * lanes];
        for (uint32_t k = 0; k < limits; ++k) {
            if (body[(VRMI_ART_LIMIT + k * VRMI_ART_LIMIT_ROWS + VRMI_ART_LIMIT_PUSH) * lanes] > 0.0f) {
                return true;
            }
        }
        const uint32_t contacts = (uint32_t)body[VRMI_ART_CONTACT_COUNT * lanes];
        for (uint32_t k = 0; k < contacts; ++k) {
            if (body[(VRMI_ART_CONTACT + k * VRMI_ART_CONTACT_ROWS + VRMI_ART_CONTACT_PUSH) * lanes] > 0.0f) {
                return true;
            }
        }
    }
    return false;
}

static bool needs_more(const company *c, uint32_t lane)
{
    return c->members[lane]->meeting_count != 0 ||
           lane_needs_more(c->rows, c->lanes, lane, c->members[lane]->def.body_count);
}

static bool is_finite(const vrm_ragdoll_solver *solver)
{
    float sum = 0.0f;
    for (uint32_t i = 0; i < solver->def.body_count; ++i) {
        const vrmi_solver_body *b = &solver->bodies[i];
        const vrm_ragdoll_state *s = &b->state;
        sum += s->position.x + s->position.y + s->position.z + s->linear_velocity.x + s->linear_velocity.y +
               s->linear_velocity.z + b->spin.x + b->spin.y + b->spin.z + vrmi_quat_dot(s->rotation, s->rotation);
    }
    return sum > -1e6f && sum < 1e6f;
}

// What came of a step, or the targets at rest where nothing useful did.
static void end(vrm_ragdoll_solver *solver)
{
    vrmi_solver_end_meetings(solver);
    if (!is_finite(solver)) {
        vrm_ragdoll_state places[VRM_RAGDOLL_MAX_BODIES];
        const double rest = solver->rest;
        for (uint32_t i = 0; i < solver->def.body_count; ++i) {
            places[i] = (vrm_ragdoll_state){.position = solver->frame.targets->bodies[i].state.position,
                .rotation = solver->frame.targets->bodies[i].state.rotation};
            // A target that is no help either.
            places[i].rotation = vrmi_finite(vrmi_quat_dot(places[i].rotation, places[i].rotation))
                                     ? places[i].rotation
                                     : vrmi_quat_identity();
            places[i].position =
                vrmi_vec3_finite(places[i].position) ? places[i].position : vrmi_vec3(0.0f, 0.0f, 0.0f);
        }
        vrm_ragdoll_solver_put(solver, solver->frame.targets, places);
        solver->frame.shift = vrmi_vec3(0.0f, 0.0f, 0.0f);
        solver->rest = rest;
        solver->status |= VRM_RAGDOLL_SOLVER_NOT_FINITE;
        return;
    }
    vrmi_solver_rest(solver);
}

static void begin_step(const company *c, uint32_t lane, uint32_t index)
{
    vrm_ragdoll_solver *s = c->members[lane];
    const float later = s->frame.later - (float)index * s->params.step;
    vrmi_solver_prepare(s, vrmi_abs(later) < 1e-5f ? 0.0f : later, c->rows, c->lanes, lane);
    vrmi_solver_find_meetings(s, c->rows, c->lanes, lane);
}

// The lane's rows are its answer. Further passes for the others' sake do what they like to them.
static void end_step(const company *c, uint32_t lane)
{
    vrm_ragdoll_solver *s = c->members[lane];
    vrmi_solver_integrate(s, c->rows, c->lanes, lane);
    s->rest -= (double)s->params.step;
    end(s);
}

// One more pass for the lanes that are open, with their self-contacts corrected before; returns those that stay open.
static uint32_t pass_again(const company *c, const vrmi_art_settings *settings, bool late, uint32_t open)
{
    float moved[VRMI_ART_LANES] = {0};
    for (uint32_t lane = 0; lane < c->count; ++lane) {
        settings->changed[lane] = 0.0f;
        if ((open >> lane & 1u) != 0) {
            moved[lane] = vrmi_solver_correct_meetings(c->members[lane], c->rows, c->lanes, lane);
        }
    }
    c->kernel(&c->members[0]->tree, settings, late ? VRMI_ART_PASS_LAST : VRMI_ART_PASS_BOUND, c->rows);
    for (uint32_t lane = 0; lane < c->count; ++lane) {
        if ((open >> lane & 1u) != 0 && settings->changed[lane] == 0.0f && moved[lane] < SETTLED) {
            open &= ~(1u << lane);
            end_step(c, lane);
        }
    }
    return open;
}

// Step number `index` of the call, for all members: passes until nothing is switched any more.
static void step_together(const company *c, uint32_t index)
{
    float hardness[VRMI_ART_LANES], limit_hardness[VRMI_ART_LANES], changed[VRMI_ART_LANES] = {0};
    for (uint32_t lane = 0; lane < VRMI_ART_LANES; ++lane) {
        const vrm_ragdoll_solver *member = c->members[lane < c->count ? lane : 0];
        hardness[lane] = member->hardness;
        limit_hardness[lane] = member->limit_hardness;
    }
    for (uint32_t lane = 0; lane < c->count; ++lane) {
        begin_step(c, lane, index);
    }
    const vrm_ragdoll_solver_params *params = &c->members[0]->params;
    const vrmi_art_settings settings = {params->friction, hardness, limit_hardness, changed};
    c->kernel(&c->members[0]->tree, &settings, VRMI_ART_PASS_FREE, c->rows);
    uint32_t open = 0;
    for (uint32_t lane = 0; lane < c->count; ++lane) {
        if (needs_more(c, lane)) {
            open |= 1u << lane;
        } else {
            end_step(c, lane);
        }
    }
    for (uint32_t i = 0; open != 0 && i < params->iterations; ++i) {
        open = pass_again(c, &settings, 2 * i >= params->iterations, open);
    }
    for (uint32_t lane = 0; lane < c->count; ++lane) {
        if ((open >> lane & 1u) != 0) {
            end_step(c, lane);
        }
    }
}

static bool goes_on(const vrm_ragdoll_solver *solver, uint32_t index)
{
    return index < solver->frame.steps && !solver->asleep;
}

static void step_alone(vrm_ragdoll_solver *solver)
{
    const company c = {vrmi_articulated_solve, {solver}, 1, 1, solver->rows};
    for (uint32_t index = 0; goes_on(solver, index); ++index) {
        step_together(&c, index);
    }
}

void vrm_ragdoll_solver_step(vrm_ragdoll_solver *solver, const vrm_ragdoll_targets *targets, float dt)
{
    if (!VRM_ASSERT(solver != NULL && targets != NULL)) {
        return;
    }
    const vrmi_float_environment host = vrmi_float_enter();
    if (begin(solver, targets, dt) != 0) {
        step_alone(solver);
    }
    vrmi_float_leave(host);
}

// --- in lanes ------------------------------------------------------------------------------------------------------

static bool are_alike(const vrm_ragdoll_solver *a, const vrm_ragdoll_solver *b)
{
    const size_t n = a->tree.body_count;
    return n == b->tree.body_count && memcmp(a->tree.parent, b->tree.parent, n * sizeof(*a->tree.parent)) == 0 &&
           memcmp(a->tree.joint, b->tree.joint, n * sizeof(*a->tree.joint)) == 0 &&
           a->params.iterations == b->params.iterations && a->params.friction == b->params.friction;
}

// Below this many, single file is faster.
enum { WORTH_LANES = 3 };

static void step_group(vrm_ragdoll_solver *const *members, uint32_t count, vrmi_articulated_kernel *kernel, float *rows)
{
    for (uint32_t index = 0;; ++index) {
        company c = {kernel, {NULL}, 0, VRMI_ART_LANES, rows};
        for (uint32_t i = 0; i < count; ++i) {
            if (goes_on(members[i], index)) {
                c.members[c.count++] = members[i];
            }
        }
        if (c.count == 0) {
            return;
        }
        if (c.count >= WORTH_LANES) {
            if (c.count < VRMI_ART_LANES) {
                memset(rows, 0, vrm_ragdoll_solver_scratch_size(members[0]->def.body_count));
            }
            step_together(&c, index);
            continue;
        }
        for (uint32_t i = 0; i < c.count; ++i) {
            const company alone = {vrmi_articulated_solve, {c.members[i]}, 1, 1, c.members[i]->rows};
            step_together(&alone, index);
        }
    }
}

size_t vrm_ragdoll_solver_scratch_size(uint32_t body_count)
{
    const size_t bodies = body_count < VRM_RAGDOLL_MAX_BODIES ? body_count : VRM_RAGDOLL_MAX_BODIES;
    return bodies * VRMI_ART_ROWS * VRMI_ART_LANES * sizeof(float);
}

void vrm_ragdoll_solver_step_many(vrm_ragdoll_solver *const *solvers, const vrm_ragdoll_targets *const *targets,
    uint32_t count, float dt, void *scratch, size_t scratch_size)
{
    if (!VRM_ASSERT(count == 0 || (solvers != NULL && targets != NULL))) {
        return;
    }
    vrmi_articulated_kernel *kernel = vrmi_articulated_lanes(VRMI_ART_PATH_BEST);
    const vrmi_float_environment host = vrmi_float_enter();
    vrm_ragdoll_solver *group[VRMI_ART_LANES];
    uint32_t waiting = 0;
    for (uint32_t i = 0; i <= count; ++i) {
        const bool goes = i < count && begin(solvers[i], targets[i], dt) != 0;
        if (waiting != 0 && (i == count || waiting == VRMI_ART_LANES || (goes && !are_alike(group[0], solvers[i])))) {
            step_group(group, waiting, kernel, scratch);
            waiting = 0;
        }
        if (goes && (kernel == NULL || scratch == NULL || (uintptr_t)scratch % 64 != 0 ||
                        vrm_ragdoll_solver_scratch_size(solvers[i]->def.body_count) > scratch_size)) {
            step_alone(solvers[i]);
        } else if (goes) {
            group[waiting++] = solvers[i];
        }
    }
    vrmi_float_leave(host);
}
