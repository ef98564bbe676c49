// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The torque drive for an engine of the host's: a step of the light solver's algorithm, of which only the drive's own
// impulses are told. And the article's explicit torques.

#include "solver.h"

#include "base/checks.h"
#include "base/float_environment.h"

#include <stddef.h>
#include <string.h>

static bool is_usable(const vrm_ragdoll_drive_input *in, const void *out)
{
    return VRM_ASSERT(in != NULL && out != NULL && in->struct_size == sizeof(*in) && in->def != NULL &&
                      in->def->body_count <= VRM_RAGDOLL_MAX_BODIES && in->states != NULL && in->targets != NULL &&
                      in->dt > 0.0f && in->scale > 0.0f);
}

// A solver that lives for one call: no world, no contacts.
typedef struct workspace {
    vrm_ragdoll_solver solver;
    vrmi_solver_body bodies[VRM_RAGDOLL_MAX_BODIES];
    vrmi_solver_constant constants[VRM_RAGDOLL_MAX_BODIES];
    vrmi_tensor inertias[VRM_RAGDOLL_MAX_BODIES];
    vrmi_solver_contacts contacts[VRM_RAGDOLL_MAX_BODIES];
    vrm_ragdoll_target targets[VRM_RAGDOLL_MAX_BODIES];
    float rows[VRM_RAGDOLL_MAX_BODIES * VRMI_ART_ROWS];
} workspace;

static void fill(workspace *w, const vrm_ragdoll_drive_input *in, const vrm_ragdoll_targets *targets)
{
    // Only as much as there are bodies: most of it is room.
    const size_t n = in->def->body_count;
    vrm_ragdoll_solver *s = &w->solver;
    memset(s, 0, offsetof(vrm_ragdoll_solver, def));
    memcpy(&s->def, in->def, offsetof(vrm_ragdoll_def, bodies) + n * sizeof(in->def->bodies[0]));
    memset((char *)s + offsetof(vrm_ragdoll_solver, tree), 0, sizeof(*s) - offsetof(vrm_ragdoll_solver, tree));
    memset(w->bodies, 0, n * sizeof(w->bodies[0]));
    memset(w->contacts, 0, n * sizeof(w->contacts[0]));
    memset(w->targets, 0, n * sizeof(w->targets[0]));
    memset(w->rows, 0, n * VRMI_ART_ROWS * sizeof(w->rows[0]));
    s->params.step = in->dt;
    s->params.gravity = in->gravity;
    s->bodies = w->bodies;
    s->constants = w->constants;
    s->inertias = w->inertias;
    s->contacts = w->contacts;
    s->targets = w->targets;
    s->rows = w->rows;
    s->frame.targets = targets;
    vrmi_solver_tree(s);
    vrmi_solver_scale(s, in->scale);
    for (uint32_t i = 0; i < in->def->body_count; ++i) {
        w->bodies[i].state = in->states[i];
        w->bodies[i].part = 1.0f;
        const vrmi_tensor inertia = vrmi_tensor_rotated(&w->constants[i].inertia, in->states[i].rotation);
        w->bodies[i].spin = vrmi_tensor_mul(&inertia, in->states[i].angular_velocity);
    }
}

static vrm_vec3 row3(const workspace *w, uint32_t body, uint32_t row)
{
    const float *p = w->rows + (size_t)body * VRMI_ART_ROWS + row;
    return vrmi_vec3(p[0], p[1], p[2]);
}

// Of the springs to the world.
static void add_pin(const workspace *w, uint32_t i, float rate, vrm_ragdoll_wrench *out)
{
    const vrmi_pin hold = vrmi_solver_pin(&w->solver, i);
    const vrm_vec3 angular = row3(w, i, VRMI_ART_VELOCITY), linear = row3(w, i, VRMI_ART_VELOCITY + 3);
    const vrm_vec3 force = vrmi_vec3_sub(hold.linear, vrmi_vec3_scale(linear, hold.mass));
    const vrm_vec3 torque = vrmi_vec3_sub(hold.angular, vrmi_vec3_scale(angular, hold.inertia));
    // It acts at the joint; told at the centre of mass, it turns about that.
    const vrm_vec3 center = vrmi_quat_rotate(w->bodies[i].state.rotation, w->constants[i].center);
    out->force = vrmi_vec3_add(out->force, vrmi_vec3_scale(force, rate));
    out->torque =
        vrmi_vec3_add(out->torque, vrmi_vec3_scale(vrmi_vec3_sub(torque, vrmi_vec3_cross(center, force)), rate));
}

void vrm_ragdoll_drive_torques(const vrm_ragdoll_drive_input *input, vrm_ragdoll_wrench *out)
{
    if (!is_usable(input, out)) {
        return;
    }
    const vrmi_float_environment host = vrmi_float_enter();
    const vrm_ragdoll_targets targets = {.drive = VRM_RAGDOLL_DRIVE_TORQUE,
        .body_count = input->def->body_count,
        .bodies = input->targets,
        .active = true};
    workspace w;
    fill(&w, input, &targets);
    const uint32_t n = input->def->body_count;
    vrmi_solver_prepare(&w.solver, 0.0f, w.rows, 1, 0);
    const float zero = 0.0f;
    float changed = 0.0f;
    const vrmi_art_settings settings = {0.0f, &zero, &zero, &changed};
    vrmi_articulated_solve(&w.solver.tree, &settings, VRMI_ART_PASS_FREE, w.rows);
    bool limited = false;
    for (uint32_t i = 1; i < n; ++i) {
        limited = limited || w.rows[(size_t)i * VRMI_ART_ROWS + VRMI_ART_PART] < 1.0f;
    }
    for (int pass = 0; limited && pass < 3; ++pass) {
        vrmi_articulated_solve(&w.solver.tree, &settings, VRMI_ART_PASS_BOUND, w.rows);
    }
    const float rate = 1.0f / input->dt;
    memset(out, 0, n * sizeof(*out));
    for (uint32_t i = 0; i < n; ++i) {
        if (input->targets[i].motion != VRM_RAGDOLL_MOTION_DYNAMIC) {
            continue;
        }
        add_pin(&w, i, rate, &out[i]);
        if (i != 0) {
            const vrm_vec3 torque = vrmi_vec3_scale(row3(&w, i, VRMI_ART_DRIVEN), rate);
            const uint32_t parent = (uint32_t)w.solver.tree.parent[i];
            out[i].torque = vrmi_vec3_add(out[i].torque, torque);
            out[parent].torque = vrmi_vec3_sub(out[parent].torque, torque);
        }
    }
    for (uint32_t i = 0; i < n; ++i) {
        if (input->targets[i].motion != VRM_RAGDOLL_MOTION_DYNAMIC || !vrmi_vec3_finite(out[i].torque) ||
            !vrmi_vec3_finite(out[i].force)) {
            out[i] = (vrm_ragdoll_wrench){{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
        }
    }
    vrmi_float_leave(host);
}

void vrm_ragdoll_drive_torques_explicit(
    const vrm_ragdoll_drive_input *input, vrm_ragdoll_explicit kind, float k, float m, vrm_ragdoll_wrench *out)
{
    if (!is_usable(input, out)) {
        return;
    }
    const vrmi_float_environment host = vrmi_float_enter();
    for (uint32_t i = 0; i < input->def->body_count; ++i) {
        const vrm_ragdoll_state *s = &input->states[i];
        out[i] = (vrm_ragdoll_wrench){{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
        if (input->targets[i].motion != VRM_RAGDOLL_MOTION_DYNAMIC) {
            continue;
        }
        vrm_vec3 way =
            vrmi_quat_to_vector(vrmi_quat_mul(input->targets[i].state.rotation, vrmi_quat_conjugate(s->rotation)));
        if (kind == VRM_RAGDOLL_EXPLICIT_PRINTED) {
            way = vrmi_vec3_normalize_or(way, vrmi_vec3(0.0f, 0.0f, 0.0f));
        }
        const vrm_vec3 torque = vrmi_vec3_sub(vrmi_vec3_scale(way, k), vrmi_vec3_scale(s->angular_velocity, m));
        out[i].torque = vrmi_vec3_finite(torque) ? torque : out[i].torque;
    }
    vrmi_float_leave(host);
}
