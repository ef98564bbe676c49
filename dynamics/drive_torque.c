// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Computes drive torques for the host's physics engine: runs one step of the light solver's algorithm, and returns only
// the impulses of the drives. Also computes the explicit torques of the article named in ragdoll_drive.h.

#include "solver.h"

#include "base/abi.h"
#include "base/checks.h"
#include "base/float_environment.h"

static bool is_usable(const vrm_ragdoll_drive_params *in, const void *out)
{
    return VRM_ASSERT(in != NULL && out != NULL && VRMI_OPTIONS_FIT(vrm_ragdoll_drive_params, in) && in->def != NULL &&
                      in->def->body_count >= 1 && in->def->body_count <= VRM_RAGDOLL_MAX_BODIES && in->states != NULL &&
                      in->targets != NULL && in->dt > 0.0f && in->scale > 0.0f);
}

// One step of a ragdoll, or of several ragdolls in lanes. The step has no world, no limits and no contacts.
typedef struct company {
    const vrmi_step_kernel *kernel;
    const vrm_ragdoll_drive_params *members[VRMI_STEP_LANES]; // unused lanes repeat the first member
    const vrmi_step *step;
} company;

// Values that follow from a definition and its scale.
typedef struct body_constants {
    vrmi_art_tree tree;
    vrmi_solver_constant bodies[VRM_RAGDOLL_MAX_BODIES];
} body_constants;

static bool is_driven(const vrm_ragdoll_drive_params *in, uint32_t i)
{
    return in->targets[i].motion == VRM_RAGDOLL_MOTION_DYNAMIC;
}

// Whether a spring to the world holds the body's position or, for the root, its rotation.
static bool is_pinned(const vrm_ragdoll_drive_params *in, uint32_t i)
{
    return in->targets[i].pin_frequency > 0.0f || (i == 0 && in->targets[i].frequency > 0.0f);
}

static void find_constants(const vrm_ragdoll_drive_params *in, body_constants *out)
{
    vrmi_solver_tree(in->def, &out->tree);
    for (uint32_t i = 0; i < in->def->body_count; ++i) {
        vrmi_solver_scale_body(&in->def->bodies[i], in->scale, &out->bodies[i]);
    }
    vrmi_solver_find_held(in->def, out->bodies);
}

static void load_figure(const vrm_ragdoll_drive_params *in, const vrmi_step *step, uint32_t lane)
{
    vrmi_step_figure(step, VRMI_FIGURE_STEP)[lane] = in->dt;
    vrmi_step_figure(step, VRMI_FIGURE_RATE)[lane] = 1.0f / in->dt;
    vrmi_step_figure(step, VRMI_FIGURE_LATER)[lane] = 0.0f;
    vrmi_step_set3(vrmi_step_figure(step, VRMI_FIGURE_GRAVITY), step->lanes, lane, in->gravity);
    vrmi_step_figure(step, VRMI_FIGURE_FRICTION)[lane] = 0.0f;
    vrmi_step_figure(step, VRMI_FIGURE_SCALE)[lane] = in->scale;
    float mass = 0.0f;
    for (uint32_t i = 0; i < in->def->body_count; ++i) {
        mass += in->def->bodies[i].mass;
    }
    vrmi_step_figure(step, VRMI_FIGURE_MASS)[lane] = mass * in->scale * in->scale * in->scale;
    vrmi_step_figure(step, VRMI_FIGURE_HARDNESS)[lane] = vrmi_step_figure(step, VRMI_FIGURE_LIMIT)[lane] = 0.0f;
    vrmi_step_figure(step, VRMI_FIGURE_LEANING)[lane] = 0.0f;
    vrmi_step_figure(step, VRMI_FIGURE_OPEN)[lane] = 1.0f;
}

static void load_body(const vrm_ragdoll_drive_params *in, const vrmi_step *step, uint32_t lane, uint32_t i)
{
    const uint32_t lanes = step->lanes;
    const vrm_vec3 zero = {0.0f, 0.0f, 0.0f};
    vrmi_step_set_state(step, lane, i, &in->states[i]);
    vrmi_step_set3(vrmi_step_body(step, i, VRMI_STEP_BLOW), lanes, lane, zero);
    vrmi_step_set3(vrmi_step_body(step, i, VRMI_STEP_BLOW + 3), lanes, lane, zero);
    vrmi_step_set3(vrmi_step_body(step, i, VRMI_STEP_SLIDE), lanes, lane, zero);
    vrmi_step_set3(vrmi_step_body(step, i, VRMI_STEP_BENDING), lanes, lane, zero);
    vrmi_art_row(step->rows, lanes, i, VRMI_ART_PART)[lane] = 1.0f;
    vrm_ragdoll_target target;
    vrmi_solver_check_target(&in->targets[i], &in->states[i], &target);
    vrmi_step_set_target(step, lane, i, &target);
    float *change = vrmi_step_body(step, i, VRMI_STEP_CHANGE), *owed = vrmi_step_body(step, i, VRMI_STEP_OWED);
    vrmi_step_set3(change, lanes, lane, vrmi_vec3_scale(target.linear_acceleration, in->dt));
    vrmi_step_set3(change + (size_t)3 * lanes, lanes, lane, vrmi_vec3_scale(target.angular_acceleration, in->dt));
    vrmi_step_set3(owed, lanes, lane, zero);
    vrmi_step_set3(owed + (size_t)3 * lanes, lanes, lane, zero);
}

static void load(const company *c)
{
    const vrmi_step *s = c->step;
    for (uint32_t lane = 0; lane < s->lanes; ++lane) {
        load_figure(c->members[lane], s, lane);
    }
    for (uint32_t i = 0; i < s->tree->body_count; ++i) {
        for (uint32_t lane = 0; lane < s->lanes; ++lane) {
            load_body(c->members[lane], s, lane, i);
        }
    }
}

// Closes all lanes except those in which a drive's strength limited its torque. Returns false if no lane stays open.
static bool find_limited(const vrmi_step *s)
{
    bool any = false;
    for (uint32_t lane = 0; lane < s->lanes; ++lane) {
        bool limited = false;
        for (uint32_t i = 1; i < s->tree->body_count; ++i) {
            limited = limited || vrmi_art_row(s->rows, s->lanes, i, VRMI_ART_PART)[lane] < 1.0f;
        }
        vrmi_step_figure(s, VRMI_FIGURE_OPEN)[lane] = limited ? 1.0f : 0.0f;
        any = any || limited;
    }
    return any;
}

static void solve(const company *c)
{
    const vrmi_step *s = c->step;
    c->kernel->aim(s);
    c->kernel->spin(s);
    c->kernel->prepare(s);
    c->kernel->solve(s->tree, &s->settings, VRMI_ART_PASS_FREE, s->rows, NULL);
    const bool limited = find_limited(s);
    for (int pass = 0; limited && pass < 3; ++pass) {
        c->kernel->solve(s->tree, &s->settings, VRMI_ART_PASS_BOUND, s->rows, NULL);
    }
}

static vrm_vec3 row3(const vrmi_step *s, uint32_t lane, uint32_t body, uint32_t row)
{
    return vrmi_step_get3(vrmi_art_row(s->rows, s->lanes, body, row), s->lanes, lane);
}

// Adds the force and torque of the springs that connect a body to the world.
static void add_pin(const vrmi_step *s, uint32_t lane, uint32_t i, float rate, vrm_ragdoll_wrench *out)
{
    const size_t lanes = s->lanes;
    const float *hold = vrmi_step_body(s, i, VRMI_STEP_HOLD);
    const vrm_vec3 angular = row3(s, lane, i, VRMI_ART_VELOCITY), linear = row3(s, lane, i, VRMI_ART_VELOCITY + 3);
    const vrm_vec3 asked = vrmi_step_get3(hold + 2 * lanes, s->lanes, lane);
    const vrm_vec3 asked_turn = vrmi_step_get3(hold + 5 * lanes, s->lanes, lane);
    const vrm_vec3 force = vrmi_vec3_sub(asked, vrmi_vec3_scale(linear, hold[lane]));
    const vrm_vec3 torque = vrmi_vec3_sub(asked_turn, vrmi_vec3_scale(angular, hold[lanes + lane]));
    // The force acts at the joint. An equal force at the centre of mass needs an additional moment.
    const vrm_vec3 center = vrmi_step_get3(vrmi_step_body(s, i, VRMI_STEP_ARM), s->lanes, lane);
    out->force = vrmi_vec3_add(out->force, vrmi_vec3_scale(force, rate));
    out->torque =
        vrmi_vec3_add(out->torque, vrmi_vec3_scale(vrmi_vec3_sub(torque, vrmi_vec3_cross(center, force)), rate));
}

static void read(const company *c, uint32_t lane, vrm_ragdoll_wrench *out)
{
    const vrm_ragdoll_drive_params *in = c->members[lane];
    const uint32_t n = in->def->body_count;
    const vrm_ragdoll_wrench none = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
    const float rate = 1.0f / in->dt;
    for (uint32_t i = 0; i < n; ++i) {
        out[i] = none;
    }
    for (uint32_t i = 0; i < n; ++i) {
        if (!is_driven(in, i)) {
            continue;
        }
        if (is_pinned(in, i)) {
            add_pin(c->step, lane, i, rate, &out[i]);
        }
        if (i != 0 && (in->targets[i].frequency > 0.0f || in->targets[i].load > 0.0f)) {
            const vrm_vec3 torque = vrmi_vec3_scale(row3(c->step, lane, i, VRMI_ART_DRIVEN), rate);
            const uint32_t parent = (uint32_t)c->step->tree->parent[i];
            out[i].torque = vrmi_vec3_add(out[i].torque, torque);
            out[parent].torque = vrmi_vec3_sub(out[parent].torque, torque);
        }
    }
    for (uint32_t i = 0; i < n; ++i) {
        if (!is_driven(in, i) || !vrmi_vec3_finite(out[i].torque) || !vrmi_vec3_finite(out[i].force)) {
            out[i] = none;
        }
    }
}

// Loads the same constants into all lanes.
static void load_constants(const body_constants *constants, const vrmi_step *step)
{
    for (uint32_t i = 0; i < constants->tree.body_count; ++i) {
        for (uint32_t lane = 0; lane < step->lanes; ++lane) {
            vrmi_solver_load_constant(&constants->bodies[i], step, lane, i);
        }
    }
}

// Computes up to one input per lane. All inputs have the same definition and scale, and the constants are already
// loaded.
static void drive(const vrmi_step_kernel *kernel, const vrmi_step *step, const vrm_ragdoll_drive_params *const *inputs,
    vrm_ragdoll_wrench *const *out, uint32_t count)
{
    company c = {.kernel = kernel, .step = step};
    for (uint32_t lane = 0; lane < step->lanes; ++lane) {
        c.members[lane] = inputs[lane < count ? lane : 0];
    }
    load(&c);
    solve(&c);
    for (uint32_t lane = 0; lane < count; ++lane) {
        read(&c, lane, out[lane]);
    }
}

static void drive_one(const body_constants *constants, const vrm_ragdoll_drive_params *input, vrm_ragdoll_wrench *out)
{
    float rows[VRMI_FIGURE_ROWS + VRM_RAGDOLL_MAX_BODIES * (VRMI_STEP_ROWS + VRMI_ART_ROWS)];
    vrmi_step step;
    vrmi_step_lay_out(&step, &constants->tree, 1, false, rows);
    load_constants(constants, &step);
    drive(&vrmi_step_one, &step, &input, &out, 1);
}

void vrm_ragdoll_drive_torques(const vrm_ragdoll_drive_params *input, vrm_ragdoll_wrench *out)
{
    if (!is_usable(input, out)) {
        return;
    }
    const vrmi_float_environment host = vrmi_float_enter();
    body_constants constants;
    find_constants(input, &constants);
    drive_one(&constants, input, out);
    vrmi_float_leave(host);
}

// --- in lanes ------------------------------------------------------------------------------------------------------

size_t vrm_ragdoll_drive_get_scratch_size(uint32_t body_count)
{
    const uint32_t bodies = body_count < VRM_RAGDOLL_MAX_BODIES ? body_count : VRM_RAGDOLL_MAX_BODIES;
    return vrmi_step_floats(bodies, VRMI_STEP_LANES, false) * sizeof(float);
}

static bool are_alike(const vrm_ragdoll_drive_params *a, const vrm_ragdoll_drive_params *b)
{
    return a->def == b->def && a->scale == b->scale;
}

void vrmi_drive_torques_many(const vrmi_step_kernel *kernel, const vrm_ragdoll_drive_params *const *inputs,
    vrm_ragdoll_wrench *const *out, uint32_t count, void *scratch, size_t scratch_size)
{
    enum { WORTH_LANES = 3 }; // below this number of inputs, computing them one by one is faster
    const vrmi_float_environment host = vrmi_float_enter();
    const bool lanes = kernel != NULL && scratch != NULL && (uintptr_t)scratch % 64 == 0;
    body_constants constants;
    const vrm_ragdoll_drive_params *known = NULL; // the input from which `constants` were computed
    vrmi_step step;
    bool loaded = false; // `constants` are loaded into the step's lanes
    for (uint32_t i = 0, group = 1; i < count; i += group, group = 1) {
        if (!is_usable(inputs[i], out[i])) {
            continue;
        }
        if (known == NULL || !are_alike(known, inputs[i])) {
            find_constants(inputs[i], &constants);
            loaded = false;
        }
        known = inputs[i];
        while (lanes && group < kernel->lanes && i + group < count && is_usable(inputs[i + group], out[i + group]) &&
               are_alike(known, inputs[i + group])) {
            ++group;
        }
        if (group >= WORTH_LANES && vrm_ragdoll_drive_get_scratch_size(known->def->body_count) <= scratch_size) {
            if (!loaded) {
                vrmi_step_lay_out(&step, &constants.tree, kernel->lanes, false, scratch);
                load_constants(&constants, &step);
                loaded = true;
            }
            drive(kernel, &step, inputs + i, &out[i], group);
            continue;
        }
        for (uint32_t k = 0; k < group; ++k) {
            drive_one(&constants, inputs[i + k], out[i + k]);
        }
    }
    vrmi_float_leave(host);
}

void vrm_ragdoll_drive_torques_many(
    const vrm_ragdoll_drive_params *const *inputs, vrm_ragdoll_wrench *const *out, uint32_t count, vrm_scratch scratch)
{
    if (VRM_ASSERT(count == 0 || (inputs != NULL && out != NULL))) {
        vrmi_drive_torques_many(vrmi_step_lanes(VRMI_STEP_PATH_BEST), inputs, out, count, scratch.memory, scratch.size);
    }
}

// --- explicit ------------------------------------------------------------------------------------------------------

void vrm_ragdoll_drive_torques_explicit(
    const vrm_ragdoll_drive_params *input, vrm_ragdoll_explicit kind, float k, float m, vrm_ragdoll_wrench *out)
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
