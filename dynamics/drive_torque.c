// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The torque drive for an engine of the host's: a step of the light solver's algorithm, of which only the drive's own
// impulses are told. And the article's explicit torques.

#include "solver.h"

#include "base/checks.h"
#include "base/float_environment.h"

static bool is_usable(const vrm_ragdoll_drive_input *in, const void *out)
{
    return VRM_ASSERT(in != NULL && out != NULL && in->struct_size == sizeof(*in) && in->def != NULL &&
                      in->def->body_count >= 1 && in->def->body_count <= VRM_RAGDOLL_MAX_BODIES && in->states != NULL &&
                      in->targets != NULL && in->dt > 0.0f && in->scale > 0.0f);
}

// A step of one ragdoll that lives for one call: no world, no limits, no contacts.
typedef struct workspace {
    vrmi_art_tree tree;
    vrmi_step step;
    vrmi_solver_constant constants[VRM_RAGDOLL_MAX_BODIES];
    float floats[VRMI_FIGURE_ROWS + VRM_RAGDOLL_MAX_BODIES * (VRMI_STEP_ROWS + VRMI_ART_ROWS)];
} workspace;

static bool is_driven(const vrm_ragdoll_drive_input *in, uint32_t i)
{
    return in->targets[i].motion == VRM_RAGDOLL_MOTION_DYNAMIC;
}

// A spring to the world holds the body's place or, of the root, its rotation.
static bool is_pinned(const vrm_ragdoll_drive_input *in, uint32_t i)
{
    return in->targets[i].pin_frequency > 0.0f || (i == 0 && in->targets[i].frequency > 0.0f);
}

static void load_figure(const vrm_ragdoll_drive_input *in, const vrmi_step *step)
{
    *vrmi_step_figure(step, VRMI_FIGURE_STEP) = in->dt;
    *vrmi_step_figure(step, VRMI_FIGURE_RATE) = 1.0f / in->dt;
    *vrmi_step_figure(step, VRMI_FIGURE_LATER) = 0.0f;
    vrmi_step_set3(vrmi_step_figure(step, VRMI_FIGURE_GRAVITY), 1, 0, in->gravity);
    *vrmi_step_figure(step, VRMI_FIGURE_FRICTION) = 0.0f;
    *vrmi_step_figure(step, VRMI_FIGURE_HARDNESS) = *vrmi_step_figure(step, VRMI_FIGURE_LIMIT) = 0.0f;
    *vrmi_step_figure(step, VRMI_FIGURE_LEANING) = 0.0f;
    *vrmi_step_figure(step, VRMI_FIGURE_OPEN) = 1.0f;
}

static void load(workspace *w, const vrm_ragdoll_drive_input *in)
{
    vrmi_solver_tree(in->def, &w->tree);
    vrmi_step_lay_out(&w->step, &w->tree, 1, false, w->floats);
    load_figure(in, &w->step);
    bool pinned = false;
    for (uint32_t i = 0; i < in->def->body_count; ++i) {
        vrmi_solver_scale_body(&in->def->bodies[i], in->scale, &w->constants[i]);
        w->constants[i].held_mass = w->constants[i].held_inertia = 0.0f;
        pinned = pinned || is_pinned(in, i);
    }
    if (pinned) {
        vrmi_solver_find_held(in->def, w->constants);
    }
    const vrm_vec3 zero = {0.0f, 0.0f, 0.0f};
    for (uint32_t i = 0; i < in->def->body_count; ++i) {
        const vrm_ragdoll_state *state = &in->states[i];
        vrmi_solver_load_constant(&w->constants[i], &w->step, 0, i);
        vrmi_step_set_state(&w->step, 0, i, state);
        const vrmi_tensor inertia = vrmi_tensor_rotated(&w->constants[i].inertia, state->rotation);
        vrmi_step_set3(
            vrmi_step_body(&w->step, i, VRMI_STEP_SPIN), 1, 0, vrmi_tensor_mul(&inertia, state->angular_velocity));
        vrmi_step_set3(vrmi_step_body(&w->step, i, VRMI_STEP_BLOW), 1, 0, zero);
        vrmi_step_set3(vrmi_step_body(&w->step, i, VRMI_STEP_BLOW + 3), 1, 0, zero);
        *vrmi_art_row(w->step.rows, 1, i, VRMI_ART_PART) = 1.0f;
        vrm_ragdoll_target target;
        vrmi_solver_check_target(&in->targets[i], state, &target);
        vrmi_step_set_target(&w->step, 0, i, &target);
    }
}

static vrm_vec3 row3(const workspace *w, uint32_t body, uint32_t row)
{
    return vrmi_step_get3(vrmi_art_row(w->step.rows, 1, body, row), 1, 0);
}

// Of the springs to the world.
static void add_pin(const workspace *w, uint32_t i, float rate, vrm_ragdoll_wrench *out)
{
    const float *hold = vrmi_step_body(&w->step, i, VRMI_STEP_HOLD);
    const vrm_vec3 angular = row3(w, i, VRMI_ART_VELOCITY), linear = row3(w, i, VRMI_ART_VELOCITY + 3);
    const vrm_vec3 force = vrmi_vec3_sub(vrmi_step_get3(hold + 2, 1, 0), vrmi_vec3_scale(linear, hold[0]));
    const vrm_vec3 torque = vrmi_vec3_sub(vrmi_step_get3(hold + 5, 1, 0), vrmi_vec3_scale(angular, hold[1]));
    // It acts at the joint; told at the centre of mass, it turns about that.
    const vrm_vec3 center = vrmi_step_get3(vrmi_step_body(&w->step, i, VRMI_STEP_ARM), 1, 0);
    out->force = vrmi_vec3_add(out->force, vrmi_vec3_scale(force, rate));
    out->torque =
        vrmi_vec3_add(out->torque, vrmi_vec3_scale(vrmi_vec3_sub(torque, vrmi_vec3_cross(center, force)), rate));
}

static void solve(workspace *w)
{
    const vrmi_step *s = &w->step;
    vrmi_step_one.aim(s);
    vrmi_step_one.prepare(s);
    vrmi_step_one.solve(s->tree, &s->settings, VRMI_ART_PASS_FREE, s->rows, NULL);
    bool limited = false;
    for (uint32_t i = 1; i < s->tree->body_count; ++i) {
        limited = limited || *vrmi_art_row(s->rows, 1, i, VRMI_ART_PART) < 1.0f;
    }
    for (int pass = 0; limited && pass < 3; ++pass) {
        vrmi_step_one.solve(s->tree, &s->settings, VRMI_ART_PASS_BOUND, s->rows, NULL);
    }
}

void vrm_ragdoll_drive_torques(const vrm_ragdoll_drive_input *input, vrm_ragdoll_wrench *out)
{
    if (!is_usable(input, out)) {
        return;
    }
    const vrmi_float_environment host = vrmi_float_enter();
    const uint32_t n = input->def->body_count;
    const vrm_ragdoll_wrench none = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
    const float rate = 1.0f / input->dt;
    workspace w;
    load(&w, input);
    solve(&w);
    for (uint32_t i = 0; i < n; ++i) {
        out[i] = none;
    }
    for (uint32_t i = 0; i < n; ++i) {
        if (!is_driven(input, i)) {
            continue;
        }
        if (is_pinned(input, i)) {
            add_pin(&w, i, rate, &out[i]);
        }
        if (i != 0 && input->targets[i].frequency > 0.0f) {
            const vrm_vec3 torque = vrmi_vec3_scale(row3(&w, i, VRMI_ART_DRIVEN), rate);
            const uint32_t parent = (uint32_t)w.tree.parent[i];
            out[i].torque = vrmi_vec3_add(out[i].torque, torque);
            out[parent].torque = vrmi_vec3_sub(out[parent].torque, torque);
        }
    }
    for (uint32_t i = 0; i < n; ++i) {
        if (!is_driven(input, i) || !vrmi_vec3_finite(out[i].torque) || !vrmi_vec3_finite(out[i].force)) {
            out[i] = none;
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
