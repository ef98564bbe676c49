// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Loads a solver's state and targets into a lane of a step.

#include "solver.h"

#include <string.h>

// --- targets -------------------------------------------------------------------------------------------------------

// Returns 0 if all components are finite, else NaN. One comparison of a sum takes half the time of one by one.
static float blank(vrm_vec3 a)
{
    return (a.x - a.x) + (a.y - a.y) + (a.z - a.z);
}

static bool is_finite_target(const vrm_ragdoll_target *t)
{
    const vrm_vec3 drive = {t->frequency, t->damping_ratio, t->max_torque};
    const vrm_vec3 weights = {t->rotation_weight, t->translation_weight, t->load};
    const float sum = blank(t->state.position) + blank(t->state.linear_velocity) + blank(t->state.angular_velocity) +
                      blank(t->linear_acceleration) + blank(t->angular_acceleration) + blank(drive) + blank(weights) +
                      (t->pin_frequency - t->pin_frequency);
    const float length = vrmi_quat_dot(t->state.rotation, t->state.rotation);
    return sum == 0.0f && length > 0.25f && length < 4.0f;
}

bool vrmi_solver_check_target(const vrm_ragdoll_target *wanted, const vrm_ragdoll_state *state, vrm_ragdoll_target *out)
{
    if (!is_finite_target(wanted)) {
        *out = (vrm_ragdoll_target){.state = *state, .motion = wanted->motion};
        out->state.linear_velocity = out->state.angular_velocity = vrmi_vec3(0.0f, 0.0f, 0.0f);
        return false;
    }
    *out = *wanted;
    const float off = vrmi_quat_dot(wanted->state.rotation, wanted->state.rotation) - 1.0f;
    if (vrmi_abs(off) > 1e-6f) {
        out->state.rotation = vrmi_quat_normalize(wanted->state.rotation);
    }
    return true;
}

void vrmi_solver_take_targets(vrm_ragdoll_solver *solver)
{
    const vrm_ragdoll_targets *targets = solver->frame.targets;
    for (uint32_t i = 0; i < solver->def.body_count; ++i) {
        vrm_ragdoll_target *t = &solver->targets[i];
        if (!vrmi_solver_check_target(&targets->bodies[i], &solver->bodies[i].state, t)) {
            solver->status |= VRM_RAGDOLL_SOLVER_INPUT_NOT_FINITE;
            continue;
        }
        t->state.position = vrmi_vec3_add(t->state.position, solver->frame.shift);
        if (targets->drive != VRM_RAGDOLL_DRIVE_TORQUE) {
            t->frequency = 0.0f;
            t->pin_frequency = i == 0 ? 0.0f : t->pin_frequency;
        }
    }
}

// --- changes of velocity ---------------------------------------------------------------------------------------------

// Between frames the animation moves in a straight line, so its velocity changes only at the beginnings of frames, and a
// step may lie in several frames. A body that follows its target exactly has in each step the target's mean velocity in
// that step. The load has to add the change of this mean. `owed` and `ahead` carry what is left of it from call to call.
// (With accelerations of frames a walk was off by 5 degrees in frames of 27 and 7 ms in turns, and by 2 to 4 degrees in
// frames shorter than a step.)

// Changes above this value, m/s or rad/s, and values that are not finite are ignored.
static const float LARGEST_CHANGE = 1e4f;

// Whether the drive bears a load. If not, the animation's velocity changes without it.
static bool leads(const vrm_ragdoll_solver *solver, uint32_t i)
{
    const vrm_ragdoll_targets *targets = solver->frame.targets;
    return targets->bodies[i].load > 0.0f && targets->drive == VRM_RAGDOLL_DRIVE_TORQUE;
}

// Returns the change that no step has made yet, with the change at the beginning of this frame of `dt` seconds.
static vrm_ragdoll_velocity owed_now(const vrm_ragdoll_solver *solver, uint32_t i, float dt)
{
    const vrm_ragdoll_targets *targets = solver->frame.targets;
    const vrm_ragdoll_target *target = &targets->bodies[i];
    const bool known = targets->struct_size > offsetof(vrm_ragdoll_targets, velocity_changes);
    const vrm_ragdoll_velocity *given = known ? targets->velocity_changes : NULL;
    const vrm_vec3 linear = given != NULL ? given[i].linear : vrmi_vec3_scale(target->linear_acceleration, dt);
    const vrm_vec3 angular = given != NULL ? given[i].angular : vrmi_vec3_scale(target->angular_acceleration, dt);
    const vrm_ragdoll_velocity owed = solver->bodies[i].owed;
    const float size = vrmi_vec3_dot(linear, linear) + vrmi_vec3_dot(angular, angular);
    if (!(size < LARGEST_CHANGE * LARGEST_CHANGE)) {
        return owed;
    }
    return (vrm_ragdoll_velocity){vrmi_vec3_add(owed.linear, linear), vrmi_vec3_add(owed.angular, angular)};
}

// Divides the change among the first two steps.
static void load_change(const vrm_ragdoll_solver *solver, const vrmi_step *step, uint32_t lane, uint32_t i)
{
    const uint32_t lanes = step->lanes;
    const float share = solver->frame.share, rate = 1.0f / solver->params.step;
    const vrm_vec3 none = {0.0f, 0.0f, 0.0f};
    float *change = vrmi_step_body(step, i, VRMI_STEP_CHANGE), *next = vrmi_step_body(step, i, VRMI_STEP_OWED);
    vrm_ragdoll_velocity owed = {none, none}, first = {none, none};
    if (leads(solver, i)) {
        const vrm_ragdoll_velocity *ahead = &solver->bodies[i].ahead;
        owed = owed_now(solver, i, solver->frame.dt);
        first.linear = vrmi_vec3_add(vrmi_vec3_scale(owed.linear, share), vrmi_vec3_scale(ahead->linear, rate));
        first.angular = vrmi_vec3_add(vrmi_vec3_scale(owed.angular, share), vrmi_vec3_scale(ahead->angular, rate));
    }
    vrmi_step_set3(change, lanes, lane, first.linear);
    vrmi_step_set3(change + (size_t)3 * lanes, lanes, lane, first.angular);
    vrmi_step_set3(next, lanes, lane, vrmi_vec3_sub(owed.linear, first.linear));
    vrmi_step_set3(next + (size_t)3 * lanes, lanes, lane, vrmi_vec3_sub(owed.angular, first.angular));
}

// Keeps what the steps of this call have not made. A second step makes all that the first one has left.
static void store_change(vrmi_solver_body *body, const vrmi_step *step, uint32_t lane, uint32_t i, float later)
{
    const float *next = vrmi_step_body(step, i, VRMI_STEP_CHANGE);
    body->owed.linear = vrmi_step_get3(next, step->lanes, lane);
    body->owed.angular = vrmi_step_get3(next + (size_t)3 * step->lanes, step->lanes, lane);
    body->ahead.linear = vrmi_vec3_scale(body->owed.linear, later);
    body->ahead.angular = vrmi_vec3_scale(body->owed.angular, later);
}

void vrmi_solver_lead_on(vrm_ragdoll_solver *solver, float dt)
{
    const vrm_vec3 none = {0.0f, 0.0f, 0.0f};
    for (uint32_t i = 0; i < solver->def.body_count; ++i) {
        vrmi_solver_body *body = &solver->bodies[i];
        if (!leads(solver, i)) {
            body->owed = body->ahead = (vrm_ragdoll_velocity){none, none};
            continue;
        }
        solver->targets[i].load = solver->frame.targets->bodies[i].load;
        body->owed = owed_now(solver, i, dt);
        body->ahead.linear = vrmi_vec3_add(body->ahead.linear, vrmi_vec3_scale(body->owed.linear, dt));
        body->ahead.angular = vrmi_vec3_add(body->ahead.angular, vrmi_vec3_scale(body->owed.angular, dt));
    }
}

// --- velocity drive ------------------------------------------------------------------------------------------------

void vrmi_solver_drive_velocities(const vrm_ragdoll_solver *solver, const vrmi_step *step, uint32_t lane)
{
    const uint32_t lanes = step->lanes;
    vrm_ragdoll_state states[VRM_RAGDOLL_MAX_BODIES];
    vrm_ragdoll_target targets[VRM_RAGDOLL_MAX_BODIES];
    vrm_ragdoll_velocity velocities[VRM_RAGDOLL_MAX_BODIES];
    for (uint32_t i = 0; i < solver->def.body_count; ++i) {
        vrmi_step_get_state(step, lane, i, &states[i]);
        targets[i] = solver->targets[i];
        targets[i].state.position = vrmi_step_get3(vrmi_step_body(step, i, VRMI_STEP_WANTED), lanes, lane);
        targets[i].state.rotation = vrmi_step_get4(vrmi_step_body(step, i, VRMI_STEP_WANTED_ROTATION), lanes, lane);
    }
    vrm_ragdoll_drive_params input;
    vrm_ragdoll_drive_params_default(&input);
    input.def = &solver->def;
    input.states = states;
    input.targets = targets;
    input.scale = solver->scale;
    input.dt = solver->params.step;
    vrm_ragdoll_drive_velocities(&input, velocities);
    for (uint32_t i = 0; i < solver->def.body_count; ++i) {
        vrmi_step_set3(vrmi_step_body(step, i, VRMI_STEP_LINEAR), lanes, lane, velocities[i].linear);
        if (targets[i].rotation_weight > 0.0f) {
            vrmi_tensor inertia;
            for (uint32_t k = 0; k < 6; ++k) {
                inertia.v[k] = vrmi_step_body(step, i, VRMI_STEP_TURNED + k)[lane];
            }
            const vrm_vec3 spin = vrmi_tensor_mul(&inertia, velocities[i].angular);
            vrmi_step_set3(vrmi_step_body(step, i, VRMI_STEP_ANGULAR), lanes, lane, velocities[i].angular);
            vrmi_step_set3(vrmi_step_body(step, i, VRMI_STEP_SPIN), lanes, lane, spin);
        }
    }
}

// --- in ------------------------------------------------------------------------------------------------------------

void vrmi_solver_load_constant(
    const vrmi_solver_constant *constant, const vrmi_step *step, uint32_t lane, uint32_t body)
{
    enum { AT_ONCE = 4, WHOLE = VRMI_STEP_CONSTANTS / AT_ONCE * AT_ONCE };
    _Static_assert(sizeof(*constant) == VRMI_STEP_CONSTANTS * sizeof(float), "rows and members are the same");
    float values[VRMI_STEP_CONSTANTS];
    memcpy(values, constant, sizeof(values));
    const size_t lanes = step->lanes;
    float *row = vrmi_step_body(step, body, 0) + lane;
    for (uint32_t k = 0; k < WHOLE; k += AT_ONCE, row += AT_ONCE * lanes) { // half the time of one by one
        row[0] = values[k];
        row[lanes] = values[k + 1];
        row[2 * lanes] = values[k + 2];
        row[3 * lanes] = values[k + 3];
    }
    for (uint32_t k = WHOLE; k < VRMI_STEP_CONSTANTS; ++k, row += lanes) {
        *row = values[k];
    }
}

static void load_figure(const vrm_ragdoll_solver *solver, const vrmi_step *step, uint32_t lane)
{
    const vrm_ragdoll_solver_def *params = &solver->params;
    vrmi_step_figure(step, VRMI_FIGURE_STEP)[lane] = params->step;
    vrmi_step_figure(step, VRMI_FIGURE_RATE)[lane] = 1.0f / params->step;
    vrmi_step_set3(vrmi_step_figure(step, VRMI_FIGURE_GRAVITY), step->lanes, lane, params->gravity);
    vrmi_step_figure(step, VRMI_FIGURE_SCALE)[lane] = solver->scale;
    vrmi_step_figure(step, VRMI_FIGURE_MASS)[lane] = solver->total_mass;
    vrmi_step_figure(step, VRMI_FIGURE_GROUND)[lane] = params->ground ? 1.0f : 0.0f;
    vrmi_step_figure(step, VRMI_FIGURE_HEIGHT)[lane] = (float)(params->ground_height - solver->origin.y);
    vrmi_step_figure(step, VRMI_FIGURE_HARDNESS)[lane] = solver->hardness;
    vrmi_step_figure(step, VRMI_FIGURE_LIMIT)[lane] = solver->limit_hardness;
}

static void load_body(const vrm_ragdoll_solver *solver, const vrmi_step *step, uint32_t lane, uint32_t i)
{
    const uint32_t lanes = step->lanes;
    const vrmi_solver_body *body = &solver->bodies[i];
    vrmi_solver_load_constant(&solver->constants[i], step, lane, i);
    vrmi_step_set_state(step, lane, i, &body->state);
    vrmi_step_set3(vrmi_step_body(step, i, VRMI_STEP_SPIN), lanes, lane, body->spin);
    vrmi_step_set3(vrmi_step_body(step, i, VRMI_STEP_BLOW), lanes, lane, body->blow);
    vrmi_step_set3(vrmi_step_body(step, i, VRMI_STEP_BLOW + 3), lanes, lane, body->blow_spin);
    for (uint32_t k = 0; k < VRMI_ART_CONTACTS; ++k) {
        const vrm_vec3 last = {(float)body->feature[k], body->push[k], body->drag[k]};
        vrmi_step_set3(vrmi_step_body(step, i, VRMI_STEP_LAST + 3 * k), lanes, lane, last);
    }
    for (uint32_t k = 0; k < VRMI_ART_LIMITS; ++k) {
        vrmi_step_body(step, i, VRMI_STEP_LIMITED + k)[lane] = body->limited[k] ? 1.0f : 0.0f;
    }
    vrmi_art_row(step->rows, lanes, i, VRMI_ART_PART)[lane] = body->part;
    vrmi_step_set_target(step, lane, i, &solver->targets[i]);
    load_change(solver, step, lane, i);
    const float rate =
        1.0f / (solver->frame.later + solver->params.step); // the joints' positions are reached at the frame's end
    const vrm_vec3 way = vrmi_vec3_sub(body->next_anchor, body->anchor);
    vrmi_step_set4(vrmi_step_body(step, i, VRMI_STEP_BEND), lanes, lane, body->bend);
    vrmi_step_set3(vrmi_step_body(step, i, VRMI_STEP_BENDING), lanes, lane, body->bending);
    vrmi_step_set3(
        vrmi_step_body(step, i, VRMI_STEP_AXIS), lanes, lane, vrmi_quat_rotate(body->bend, solver->constants[i].axis));
    if (solver->frame.targets->drive != VRM_RAGDOLL_DRIVE_TORQUE) {
        vrmi_step_body(step, i, VRMI_STEP_BORNE)[lane] = 0.0f;
    }
    vrmi_step_set3(vrmi_step_body(step, i, VRMI_STEP_ANCHOR), lanes, lane, body->next_anchor);
    vrmi_step_set3(vrmi_step_body(step, i, VRMI_STEP_SLIDE), lanes, lane, vrmi_vec3_scale(way, rate));
}

// Loads body by body, so that rows are written while they are in the cache.
void vrmi_solver_load(vrm_ragdoll_solver *const *members, uint32_t which, const vrmi_step *step)
{
    for (uint32_t lane = 0; which >> lane != 0; ++lane) {
        if (vrmi_step_has(which, lane)) {
            load_figure(members[lane], step, lane);
        }
    }
    for (uint32_t i = 0; i < step->tree->body_count; ++i) {
        for (uint32_t lane = 0; which >> lane != 0; ++lane) {
            if (vrmi_step_has(which, lane)) {
                load_body(members[lane], step, lane, i);
            }
        }
    }
}

// --- out -----------------------------------------------------------------------------------------------------------

static void store_contacts(vrm_ragdoll_solver *solver, const vrmi_step *step, uint32_t lane, uint32_t i)
{
    const uint32_t lanes = step->lanes;
    vrmi_solver_body *body = &solver->bodies[i];
    vrmi_solver_contacts *contacts = &solver->contacts[i];
    const vrm_vec3 place = vrmi_step_get3(vrmi_step_body(step, i, VRMI_STEP_PLACE), lanes, lane);
    contacts->count = (uint32_t)vrmi_art_row(step->rows, lanes, i, VRMI_ART_CONTACT_COUNT)[lane];
    for (uint32_t k = 0; k < VRMI_ART_CONTACTS; ++k) {
        const vrm_vec3 last = vrmi_step_get3(vrmi_step_body(step, i, VRMI_STEP_LAST + 3 * k), lanes, lane);
        body->feature[k] = (uint32_t)last.x;
        body->push[k] = last.y;
        body->drag[k] = last.z;
    }
    for (uint32_t k = 0; k < contacts->count; ++k) {
        const float *row = vrmi_art_contact(step->contacts, lanes, i) + (size_t)k * VRMI_ART_CONTACT_ROWS * lanes;
        const vrm_vec3 point = vrmi_step_get3(row + (size_t)VRMI_ART_CONTACT_POINT * lanes, lanes, lane);
        contacts->slot[k] = (vrmi_solver_contact){.feature = body->feature[k],
            .point = point,
            .place = vrmi_vec3_add(place, point),
            .normal = vrmi_step_get3(row + (size_t)VRMI_ART_CONTACT_NORMAL * lanes, lanes, lane),
            .surface = vrmi_step_get3(row + (size_t)VRMI_ART_CONTACT_SURFACE * lanes, lanes, lane),
            .gap = row[VRMI_ART_CONTACT_GAP * lanes + lane]};
        contacts->impulse[k] = row[VRMI_ART_CONTACT_IMPULSE * lanes + lane];
    }
}

static void store_body(vrm_ragdoll_solver *solver, const vrmi_step *step, uint32_t lane, uint32_t i)
{
    vrmi_solver_body *body = &solver->bodies[i];
    vrmi_step_get_state(step, lane, i, &body->state);
    body->spin = vrmi_step_get3(vrmi_step_body(step, i, VRMI_STEP_SPIN), step->lanes, lane);
    body->blow = body->blow_spin = vrmi_vec3(0.0f, 0.0f, 0.0f);
    const float later = vrmi_step_figure(step, VRMI_FIGURE_LATER)[lane];
    const vrm_vec3 slide = vrmi_step_get3(vrmi_step_body(step, i, VRMI_STEP_SLIDE), step->lanes, lane);
    const vrm_vec3 anchor = vrmi_step_get3(vrmi_step_body(step, i, VRMI_STEP_ANCHOR), step->lanes, lane);
    body->anchor = vrmi_vec3_sub(anchor, vrmi_vec3_scale(slide, later));
    store_change(body, step, lane, i, later);
    body->part = i == 0 ? 1.0f : vrmi_art_row(step->rows, step->lanes, i, VRMI_ART_PART)[lane];
    for (uint32_t k = 0; k < VRMI_ART_LIMITS; ++k) {
        body->limited[k] = vrmi_step_body(step, i, VRMI_STEP_LIMITED + k)[lane] > 0.0f;
    }
    store_contacts(solver, step, lane, i);
}

void vrmi_solver_store(vrm_ragdoll_solver *const *members, uint32_t which, const vrmi_step *step)
{
    for (uint32_t i = 0; which != 0 && i < step->tree->body_count; ++i) {
        for (uint32_t lane = 0; which >> lane != 0; ++lane) {
            if (vrmi_step_has(which, lane)) {
                store_body(members[lane], step, lane, i);
            }
        }
    }
}
