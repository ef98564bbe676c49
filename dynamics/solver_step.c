// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Divides the time of a call into steps and makes them, for one ragdoll or for eight in lanes.

#include "base/abi.h"
#include "solver.h"

#include "base/checks.h"
#include "base/float_environment.h"

#include <string.h>

// The distance, metres, at which floats lose too much precision and the solver's origin follows the ragdoll.
static const float FAR_AWAY = 16.0f;
// Self-contacts have converged when a pass changes no velocity by more than SETTLED, m/s, or by more than SETTLED_PART
// of the first pass's change. The next step corrects the remainder.
static const float SETTLED = 0.01f, SETTLED_PART = 0.2f;

// --- a call's beginning --------------------------------------------------------------------------------------------

static bool are_usable(const vrm_ragdoll_solver *solver, const vrm_ragdoll_targets *t, float dt)
{
    return VRMI_OPTIONS_FIT(vrm_ragdoll_targets, t) && t->body_count == solver->def.body_count && t->bodies != NULL &&
           (t->impulses != NULL || t->impulse_count == 0) && vrmi_finite(dt) && dt >= 0.0f &&
           vrmi_dvec3_finite(t->origin) && t->root.scale >= 0.01f && t->root.scale <= 100.0f;
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

// If the ragdoll is far from the solver's origin, moves this origin to the targets' origin. Returns the vector from the
// origin of the targets to the origin of the solver.
static vrm_vec3 follow(vrm_ragdoll_solver *solver, vrm_dvec3 origin)
{
    const vrm_vec3 shift = vrmi_vec3_between(solver->origin, origin);
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
    solver->origin = origin;
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
    vrm_ragdoll_solver *solver, uint32_t body, const vrm_dvec3 *point_world, const vrm_vec3 *impulse)
{
    if (solver == NULL || point_world == NULL || impulse == NULL || body >= solver->def.body_count ||
        !vrmi_dvec3_finite(*point_world) || !vrmi_vec3_finite(*impulse)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    blow(solver, body, vrmi_vec3_between(solver->origin, *point_world), *impulse);
    vrm_ragdoll_solver_wake(solver);
    return VRM_SUCCESS;
}

// Prepares a call; returns the number of steps.
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
        vrmi_solver_take_anchors(solver, targets, true);
        vrmi_solver_place(solver);
        vrm_ragdoll_solver_wake(solver);
    }
    vrmi_solver_take_anchors(solver, targets, false);
    solver->frame.shift = follow(solver, targets->origin);
    take_blows(solver, targets, solver->frame.shift);
    if (solver->asleep && vrmi_solver_is_disturbed(solver)) {
        vrm_ragdoll_solver_wake(solver);
    }
    if (solver->asleep) {
        return 0; // the elapsed time is dropped
    }
    const double h = (double)solver->params.step;
    solver->frame.share = (float)((h - solver->rest) / h);
    solver->rest += (double)dt;
    // The tolerance keeps rounding from costing a step if the frame is a whole number of steps.
    double steps = solver->rest / h + 1e-4;
    if (steps >= (double)solver->params.max_steps + 1.0) {
        solver->status |= VRM_RAGDOLL_SOLVER_TIME_CLAMPED;
        solver->rest = (double)solver->params.max_steps * h;
        steps = (double)solver->params.max_steps;
        solver->frame.share = 1.0f;
    }
    solver->frame.steps = (uint32_t)steps;
    solver->frame.later = (float)(solver->rest - h);
    if (solver->frame.steps == 0) {
        vrmi_solver_lead_on(solver, dt);
        return 0;
    }
    solver->frame.dt = dt;
    vrmi_solver_take_targets(solver);
    vrmi_solver_bend_hinges(solver);
    return solver->frame.steps;
}

// --- a step --------------------------------------------------------------------------------------------------------

// A kernel, and the solver in each lane.
typedef struct company {
    const vrmi_step_kernel *kernel;
    vrm_ragdoll_solver *members[VRMI_STEP_LANES];
    uint32_t active; // one bit per lane that still has steps to make
    vrmi_step step;
} company;

// Returns the lanes that need more passes after the first one, which has no contacts. In the other lanes a further pass
// would only repeat the first.
static uint32_t find_unsettled(const company *c)
{
    const vrmi_step *s = &c->step;
    bool more[VRMI_STEP_LANES] = {false};
    for (uint32_t i = 0; i < s->tree->body_count; ++i) {
        const float *part = vrmi_art_row(s->rows, s->lanes, i, VRMI_ART_PART);
        const float *limit_count = vrmi_art_row(s->rows, s->lanes, i, VRMI_ART_LIMIT_COUNT);
        const float *count = vrmi_art_row(s->rows, s->lanes, i, VRMI_ART_CONTACT_COUNT);
        for (uint32_t lane = 0; lane < s->lanes; ++lane) {
            more[lane] = more[lane] || (i != 0 && part[lane] < 1.0f);
            for (uint32_t k = 0; k < (uint32_t)limit_count[lane] && !more[lane]; ++k) {
                const uint32_t push = VRMI_ART_LIMIT + k * VRMI_ART_LIMIT_ROWS + VRMI_ART_LIMIT_PUSH;
                more[lane] = vrmi_art_row(s->rows, s->lanes, i, push)[lane] > 0.0f;
            }
            for (uint32_t k = 0; k < (uint32_t)count[lane] && !more[lane]; ++k) {
                const uint32_t push = k * VRMI_ART_CONTACT_ROWS + VRMI_ART_CONTACT_PUSH;
                more[lane] = vrmi_art_contact(s->contacts, s->lanes, i)[push * s->lanes + lane] > 0.0f;
            }
        }
    }
    uint32_t found = 0;
    for (uint32_t lane = 0; lane < s->lanes; ++lane) {
        const bool meets = vrmi_step_has(c->active, lane) && c->members[lane]->meeting_count != 0;
        found |= more[lane] || meets ? 1u << lane : 0u;
    }
    return found & c->active;
}

// Makes one more pass in the open lanes and corrects their self-contacts. Returns the lanes that stay open.
static uint32_t pass_again(const company *c, bool late, uint32_t open, float *most)
{
    const vrmi_step *s = &c->step;
    for (uint32_t lane = 0; lane < s->lanes; ++lane) {
        s->settings.changed[lane] = 0.0f;
        vrmi_step_figure(s, VRMI_FIGURE_OPEN)[lane] = vrmi_step_has(open, lane) ? 1.0f : 0.0f;
    }
    c->kernel->solve(s->tree, &s->settings, late ? VRMI_ART_PASS_LAST : VRMI_ART_PASS_BOUND, s->rows, s->contacts);
    for (uint32_t lane = 0; lane < s->lanes; ++lane) {
        const float moved = vrmi_step_has(open, lane) ? vrmi_solver_correct_meetings(c->members[lane], s, lane) : 0.0f;
        most[lane] = vrmi_max(moved, most[lane]);
        if (s->settings.changed[lane] == 0.0f && moved <= vrmi_max(SETTLED, SETTLED_PART * most[lane])) {
            open &= ~(1u << lane);
        }
    }
    return open;
}

// Prepares the rows of a step: work of all lanes together, then of single lanes.
static void begin_step(const company *c, uint32_t index)
{
    const vrmi_step *s = &c->step;
    for (uint32_t lane = 0; lane < s->lanes; ++lane) {
        const vrm_ragdoll_solver *member = c->members[lane];
        vrmi_step_figure(s, VRMI_FIGURE_LATER)[lane] = member->frame.later - (float)index * member->params.step;
        vrmi_step_figure(s, VRMI_FIGURE_FRICTION)[lane] = vrmi_solver_joint_friction(member);
        vrmi_step_figure(s, VRMI_FIGURE_OPEN)[lane] = 1.0f;
    }
    c->kernel->aim(s);
    for (uint32_t lane = 0; lane < s->lanes; ++lane) {
        if (vrmi_step_has(c->active, lane) && c->members[lane]->frame.targets->drive == VRM_RAGDOLL_DRIVE_VELOCITY) {
            vrmi_solver_drive_velocities(c->members[lane], s, lane);
        }
    }
    c->kernel->prepare(s);
    c->kernel->bound(s);
    for (uint32_t lane = 0; lane < s->lanes; ++lane) {
        if (vrmi_step_has(c->active, lane)) {
            vrmi_solver_meet_shapes(c->members[lane], s, lane);
        }
    }
    c->kernel->remember(s);
    vrmi_solver_find_meetings(c->members, c->active, c->kernel, s);
}

// Resets bodies to their targets, at rest, after a step whose result was not finite.
static void start_again(vrm_ragdoll_solver *solver)
{
    vrm_ragdoll_state places[VRM_RAGDOLL_MAX_BODIES];
    const double rest = solver->rest;
    for (uint32_t i = 0; i < solver->def.body_count; ++i) {
        const vrm_ragdoll_state *wanted = &solver->frame.targets->bodies[i].state;
        places[i] = (vrm_ragdoll_state){.position = wanted->position, .rotation = wanted->rotation};
        // A target that is not finite is replaced, too.
        places[i].rotation = vrmi_finite(vrmi_quat_dot(places[i].rotation, places[i].rotation)) ? places[i].rotation
                                                                                                : vrmi_quat_identity();
        places[i].position = vrmi_vec3_finite(places[i].position) ? places[i].position : vrmi_vec3(0.0f, 0.0f, 0.0f);
    }
    vrm_ragdoll_solver_put(solver, solver->frame.targets, places);
    solver->frame.shift = vrmi_vec3(0.0f, 0.0f, 0.0f);
    vrmi_solver_take_targets(solver);
    solver->rest = rest;
    solver->status |= VRM_RAGDOLL_SOLVER_NOT_FINITE;
}

// Ends a step. Returns false if the lane's solver has no more steps in this call.
static bool end_step(const company *c, uint32_t lane, uint32_t index)
{
    vrm_ragdoll_solver *solver = c->members[lane];
    const vrmi_step *s = &c->step;
    vrmi_solver_end_meetings(solver);
    vrmi_solver_move_shapes(solver);
    solver->rest -= (double)solver->params.step;
    const float sum = vrmi_step_figure(s, VRMI_FIGURE_SUM)[lane];
    if (!(sum > -1e6f && sum < 1e6f)) {
        start_again(solver);
        vrmi_solver_load(c->members, 1u << lane, s); // also resets the limits to those of the definition
    } else {
        vrmi_solver_rest(
            solver, vrmi_step_figure(s, VRMI_FIGURE_SPEED)[lane], vrmi_step_figure(s, VRMI_FIGURE_TURN)[lane]);
    }
    return index + 1 < solver->frame.steps && !solver->asleep;
}

// Stores the lanes that have finished their steps of this call.
static void leave(company *c, uint32_t which)
{
    vrmi_solver_store(c->members, which, &c->step);
    for (uint32_t lane = 0; lane < c->step.lanes; ++lane) {
        if (vrmi_step_has(which, lane) && c->members[lane]->asleep) {
            vrmi_solver_stop(c->members[lane]);
        }
    }
    c->active &= ~which;
}

// Makes step number `index` of the call for all members. Repeats passes until no limit or contact is switched on or
// off.
static void step_together(company *c, uint32_t index)
{
    const vrmi_step *s = &c->step;
    begin_step(c, index);
    c->kernel->solve(s->tree, &s->settings, VRMI_ART_PASS_FREE, s->rows, s->contacts);
    uint32_t open = find_unsettled(c);
    float most[VRMI_STEP_LANES] = {0};
    for (uint32_t lane = 0; lane < s->lanes; ++lane) {
        // A ragdoll that pushed against the world in the last step starts with the contacts of that step. For such a
        // ragdoll the velocities of the pass without contacts are useless.
        if (vrmi_step_has(open, lane) && s->settings.leaning[lane] == 0.0f) {
            vrmi_solver_correct_meetings(c->members[lane], s, lane);
        }
    }
    const uint32_t iterations = c->members[0]->params.iterations;
    for (uint32_t i = 0; open != 0 && i < iterations; ++i) {
        open = pass_again(c, 2 * i >= iterations, open, most);
    }
    c->kernel->integrate(s);
    uint32_t done = 0;
    for (uint32_t lane = 0; lane < s->lanes; ++lane) {
        done |= vrmi_step_has(c->active, lane) && !end_step(c, lane, index) ? 1u << lane : 0u;
    }
    leave(c, done);
}

// Makes all steps of a call for `count` members for which are_alike() holds. Lanes without a member repeat the first
// one.
static void run(const vrmi_step_kernel *kernel, vrm_ragdoll_solver *const *members, uint32_t count, float *memory)
{
    company c = {.kernel = kernel, .active = (1u << count) - 1u};
    vrmi_step_lay_out(&c.step, &members[0]->tree, kernel->lanes, true, memory);
    c.step.settings.friction = members[0]->params.friction;
    for (uint32_t lane = 0; lane < kernel->lanes; ++lane) {
        c.members[lane] = members[lane < count ? lane : 0];
    }
    vrmi_solver_load(c.members, (1u << kernel->lanes) - 1u, &c.step);
    kernel->admit(&c.step);
    for (uint32_t index = 0; c.active != 0; ++index) {
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
        run(&vrmi_step_one, &solver, 1, solver->rows);
    }
    vrmi_float_leave(host);
}

// --- in lanes ------------------------------------------------------------------------------------------------------

static bool have_same_pairs(const vrm_ragdoll_solver *a, const vrm_ragdoll_solver *b)
{
    bool same = a->pair_count == b->pair_count;
    for (uint32_t i = 0; same && i < a->pair_count; ++i) {
        same = a->pairs[i].a == b->pairs[i].a && a->pairs[i].b == b->pairs[i].b;
    }
    return same;
}

static bool are_alike(const vrm_ragdoll_solver *a, const vrm_ragdoll_solver *b)
{
    const size_t n = a->tree.body_count;
    return n == b->tree.body_count && memcmp(a->tree.parent, b->tree.parent, n * sizeof(*a->tree.parent)) == 0 &&
           memcmp(a->tree.joint, b->tree.joint, n * sizeof(*a->tree.joint)) == 0 &&
           a->params.iterations == b->params.iterations && a->params.friction == b->params.friction &&
           have_same_pairs(a, b);
}

// Below this number of ragdolls, stepping them one by one is faster.
enum { WORTH_LANES = 3 };

static void run_group(const vrmi_step_kernel *kernel, vrm_ragdoll_solver *const *members, uint32_t count, float *memory)
{
    if (count >= WORTH_LANES) {
        run(kernel, members, count, memory);
        return;
    }
    for (uint32_t i = 0; i < count; ++i) {
        run(&vrmi_step_one, &members[i], 1, members[i]->rows);
    }
}

size_t vrm_ragdoll_solver_get_scratch_size(uint32_t body_count)
{
    const uint32_t bodies = body_count < VRM_RAGDOLL_MAX_BODIES ? body_count : VRM_RAGDOLL_MAX_BODIES;
    return vrmi_step_floats(bodies, VRMI_STEP_LANES, true) * sizeof(float);
}

void vrmi_solver_step_many(const vrmi_step_kernel *kernel, vrm_ragdoll_solver *const *solvers,
    const vrm_ragdoll_targets *const *targets, uint32_t count, float dt, void *scratch, size_t scratch_size)
{
    const vrmi_float_environment host = vrmi_float_enter();
    const bool lanes = kernel != NULL && scratch != NULL && (uintptr_t)scratch % 64 == 0;
    vrm_ragdoll_solver *group[VRMI_STEP_LANES];
    uint32_t waiting = 0;
    for (uint32_t i = 0; i <= count; ++i) {
        const bool goes =
            i < count && VRM_ASSERT(solvers[i] != NULL && targets[i] != NULL) && begin(solvers[i], targets[i], dt) != 0;
        if (waiting != 0 && (i == count || waiting == VRMI_STEP_LANES || (goes && !are_alike(group[0], solvers[i])))) {
            run_group(kernel, group, waiting, scratch);
            waiting = 0;
        }
        if (goes && lanes && vrm_ragdoll_solver_get_scratch_size(solvers[i]->def.body_count) <= scratch_size) {
            group[waiting++] = solvers[i];
        } else if (goes) {
            run(&vrmi_step_one, &solvers[i], 1, solvers[i]->rows);
        }
    }
    vrmi_float_leave(host);
}

void vrm_ragdoll_solver_step_many(vrm_ragdoll_solver *const *solvers, const vrm_ragdoll_targets *const *targets,
    uint32_t count, float dt, vrm_scratch scratch)
{
    if (VRM_ASSERT(count == 0 || (solvers != NULL && targets != NULL))) {
        const vrmi_step_kernel *kernel = count != 0 && solvers[0] != NULL ? solvers[0]->lanes : NULL;
        vrmi_solver_step_many(kernel, solvers, targets, count, dt, scratch.memory, scratch.size);
    }
}
