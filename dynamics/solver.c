// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Creates and destroys a solver, which is one block of memory.

#include "solver.h"

#include "base/abi.h"
#include "base/block.h"
#include "base/checks.h"
#include "base/float_environment.h"

#include <string.h>

void(vrm_ragdoll_solver_def_default)(vrm_ragdoll_solver_def *params, size_t size)
{
    const vrm_ragdoll_solver_def own = {
        .struct_size = sizeof own,
        .shape_slots = 8,
        .step = 1.0f / 120.0f,
        .max_steps = 30,
        .iterations = 8,
        .gravity = {0.0f, -9.81f, 0.0f},
        .joint_friction = 2.0f,
        .friction = 0.8f,
        .ground = true,
        .self_contact = true,
        .sleep = true,
    };
    vrmi_write_defaults(params, size, &own, sizeof own);
}

static bool in_range(float x, float low, float high)
{
    return x >= low && x <= high;
}

// Reads a def of any struct size. Returns false if it is NULL or a value is out of range.
static bool read_def(const vrm_ragdoll_solver_def *given, vrm_ragdoll_solver_def *p)
{
    vrm_ragdoll_solver_def_default(p);
    return given != NULL && VRMI_READ_OPTIONS(vrm_ragdoll_solver_def, p, given) && p->shape_slots <= VRMI_STEP_SHAPES &&
           vrm_ragdoll_def_check(p->def, NULL) == VRM_SUCCESS && in_range(p->step, 1.0f / 480.0f, 1.0f / 29.9f) &&
           p->max_steps >= 1 && p->max_steps <= 240 && p->iterations >= 1 && p->iterations <= 16 &&
           vrmi_vec3_finite(p->gravity) && in_range(p->joint_friction, 0.0f, 100.0f) &&
           in_range(p->friction, 0.0f, 10.0f) && vrmi_finite_double(p->ground_height) &&
           (p->allocator.allocate == NULL) == (p->allocator.release == NULL);
}

static bool may_meet(const vrm_ragdoll_def *def, uint32_t a, uint32_t b)
{
    return def->bodies[b].parent != (int32_t)a && def->bodies[a].parent != (int32_t)b &&
           (def->bodies[a].no_contact >> b & 1u) == 0;
}

static uint32_t count_pairs(const vrm_ragdoll_solver_def *params, vrmi_solver_pair *out)
{
    uint32_t count = 0;
    for (uint32_t a = 0; params->self_contact && a < params->def->body_count; ++a) {
        for (uint32_t b = a + 1; b < params->def->body_count; ++b) {
            if (may_meet(params->def, a, b)) {
                if (out != NULL) {
                    out[count] = (vrmi_solver_pair){(uint8_t)a, (uint8_t)b, 0.0f};
                }
                ++count;
            }
        }
    }
    return count;
}

// Returns the size of the block, which begins with the solver. Unless `solver` is NULL, also sets its pointers to the
// arrays in the block.
static size_t lay_out(const vrm_ragdoll_solver_def *params, vrm_ragdoll_solver *solver)
{
    const size_t n = params->def->body_count;
    size_t total = sizeof(vrm_ragdoll_solver);
    vrm_ragdoll_solver unused;
    vrm_ragdoll_solver *s = solver != NULL ? solver : &unused;
    s->bodies = vrmi_block_take(solver, n, sizeof(*s->bodies), &total);
    s->constants = vrmi_block_take(solver, n, sizeof(*s->constants), &total);
    s->contacts = vrmi_block_take(solver, n, sizeof(*s->contacts), &total);
    s->pairs = vrmi_block_take(solver, count_pairs(params, NULL), sizeof(*s->pairs), &total);
    s->shapes = vrmi_block_take(solver, params->shape_slots, sizeof(*s->shapes), &total);
    s->targets = vrmi_block_take(solver, n, sizeof(*s->targets), &total);
    s->rows = vrmi_block_take(solver, vrmi_step_floats((uint32_t)n, 1, true), sizeof(*s->rows), &total);
    return vrmi_block_size(total);
}

size_t vrm_ragdoll_solver_get_size(const vrm_ragdoll_solver_def *params)
{
    vrm_ragdoll_solver_def own;
    return read_def(params, &own) ? lay_out(&own, NULL) : 0;
}

// --- life ----------------------------------------------------------------------------------------------------------

void vrmi_solver_tree(const vrm_ragdoll_def *def, vrmi_art_tree *out)
{
    out->body_count = def->body_count;
    for (uint32_t i = 0; i < def->body_count; ++i) {
        out->parent[i] = (int8_t)def->bodies[i].parent;
        out->joint[i] = i == 0                                                 ? VRMI_ART_FREE
                        : def->bodies[i].joint.type == VRM_RAGDOLL_JOINT_HINGE ? VRMI_ART_HINGE
                                                                               : VRMI_ART_BALL;
    }
}

static void set_up(vrm_ragdoll_solver *solver)
{
    const vrmi_float_environment host = vrmi_float_enter();
    vrmi_solver_tree(&solver->def, &solver->tree);
    for (uint32_t i = 0; i < solver->def.body_count; ++i) {
        solver->bodies[i].state.rotation = vrmi_quat_identity();
        solver->bodies[i].part = 1.0f;
        solver->targets[i].motion = VRM_RAGDOLL_MOTION_DYNAMIC;
    }
    vrmi_solver_scale(solver, 1.0f);
    vrmi_solver_take_anchors(solver, NULL, true);
    vrmi_solver_put_hinges(solver);
    vrmi_solver_place(solver);
    vrmi_float_leave(host);
}

vrm_result vrm_ragdoll_solver_init(
    const vrm_ragdoll_solver_def *params, void *memory, size_t size, vrm_ragdoll_solver **out_solver)
{
    if (out_solver == NULL) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    *out_solver = NULL;
    vrm_ragdoll_solver_def own;
    const size_t needed = read_def(params, &own) ? lay_out(&own, NULL) : 0;
    if (!vrmi_block_fits(memory, size, needed)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    memset(memory, 0, needed);
    vrm_ragdoll_solver *solver = memory;
    solver->params = own;
    vrm_ragdoll_def_default(&solver->def);
    (void)VRMI_READ_OPTIONS(vrm_ragdoll_def, &solver->def, own.def); // cannot fail, as read_def() has checked the def
    solver->params.def = &solver->def;
    solver->size = needed;
    lay_out(&solver->params, solver);
    solver->lanes = vrmi_step_lanes(VRMI_STEP_PATH_BEST);
    solver->pair_count = count_pairs(&solver->params, solver->pairs);
    set_up(solver);
    *out_solver = solver;
    return VRM_SUCCESS;
}

void vrm_ragdoll_solver_destroy(vrm_ragdoll_solver *solver)
{
    if (solver != NULL && solver->owned) {
        const vrm_allocator allocator = solver->allocator;
        allocator.release(solver, solver->size, allocator.user);
    }
}

const vrm_ragdoll_def *vrm_ragdoll_solver_get_ragdoll_def(const vrm_ragdoll_solver *solver)
{
    return solver != NULL ? &solver->def : NULL;
}
