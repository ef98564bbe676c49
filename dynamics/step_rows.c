// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Writes and reads a lane of a step's rows.

#include "step.h"

#include "math/scalar.h"

enum { CONTACT_FLOATS = VRMI_ART_CONTACTS * VRMI_ART_CONTACT_ROWS };

size_t vrmi_step_floats(uint32_t bodies, uint32_t lanes, bool contacts)
{
    const size_t per_body = VRMI_STEP_ROWS + VRMI_ART_ROWS + (contacts ? CONTACT_FLOATS : 0);
    return (VRMI_FIGURE_ROWS + bodies * per_body) * lanes;
}

void vrmi_step_lay_out(vrmi_step *step, const vrmi_art_tree *tree, uint32_t lanes, bool contacts, float *memory)
{
    const size_t n = tree->body_count;
    *step = (vrmi_step){.tree = tree, .lanes = lanes, .figure = memory};
    step->bodies = step->figure + (size_t)VRMI_FIGURE_ROWS * lanes;
    step->rows = step->bodies + n * VRMI_STEP_ROWS * lanes;
    step->contacts = contacts ? step->rows + n * VRMI_ART_ROWS * lanes : NULL;
    step->settings.hardness = vrmi_step_figure(step, VRMI_FIGURE_HARDNESS);
    step->settings.limit_hardness = vrmi_step_figure(step, VRMI_FIGURE_LIMIT);
    step->settings.open = vrmi_step_figure(step, VRMI_FIGURE_OPEN);
    step->settings.leaning = vrmi_step_figure(step, VRMI_FIGURE_LEANING);
    step->settings.changes = &step->changes;
    step->settings.changed = vrmi_step_figure(step, VRMI_FIGURE_CHANGED);
}

// Writes thirteen rows: position, rotation, linear and angular velocity.
static void set_state(float *row, uint32_t lanes, uint32_t lane, const vrm_ragdoll_state *state)
{
    vrmi_step_set3(row, lanes, lane, state->position);
    vrmi_step_set4(row + (size_t)3 * lanes, lanes, lane, state->rotation);
    vrmi_step_set3(row + (size_t)7 * lanes, lanes, lane, state->linear_velocity);
    vrmi_step_set3(row + (size_t)10 * lanes, lanes, lane, state->angular_velocity);
}

void vrmi_step_set_state(const vrmi_step *step, uint32_t lane, uint32_t body, const vrm_ragdoll_state *state)
{
    set_state(vrmi_step_body(step, body, VRMI_STEP_POSITION), step->lanes, lane, state);
}

void vrmi_step_get_state(const vrmi_step *step, uint32_t lane, uint32_t body, vrm_ragdoll_state *out)
{
    const uint32_t lanes = step->lanes;
    out->position = vrmi_step_get3(vrmi_step_body(step, body, VRMI_STEP_POSITION), lanes, lane);
    out->rotation = vrmi_step_get4(vrmi_step_body(step, body, VRMI_STEP_ROTATION), lanes, lane);
    out->linear_velocity = vrmi_step_get3(vrmi_step_body(step, body, VRMI_STEP_LINEAR), lanes, lane);
    out->angular_velocity = vrmi_step_get3(vrmi_step_body(step, body, VRMI_STEP_ANGULAR), lanes, lane);
}

static float angular_frequency(float hertz)
{
    return 2.0f * VRMI_PI * vrmi_clamp(hertz, 0.0f, 100.0f);
}

void vrmi_step_set_target(const vrmi_step *step, uint32_t lane, uint32_t body, const vrm_ragdoll_target *target)
{
    set_state(vrmi_step_body(step, body, VRMI_STEP_TARGET), step->lanes, lane, &target->state);
    vrmi_step_body(step, body, VRMI_STEP_FREQUENCY)[lane] = angular_frequency(target->frequency);
    vrmi_step_body(step, body, VRMI_STEP_RATIO)[lane] = 2.0f * vrmi_clamp(target->damping_ratio, 0.0f, 100.0f);
    vrmi_step_body(step, body, VRMI_STEP_STRENGTH)[lane] = vrmi_max(target->max_torque, 0.0f);
    vrmi_step_body(step, body, VRMI_STEP_PIN)[lane] = angular_frequency(target->pin_frequency);
    const float load = vrmi_clamp(target->load, 0.0f, 1.0f);
    vrmi_step_body(step, body, VRMI_STEP_BORNE)[lane] = vrmi_step_body(step, body, VRMI_STEP_LED)[lane] = load;
    vrmi_art_row(step->rows, step->lanes, body, VRMI_ART_HELD)[lane] =
        target->motion != VRM_RAGDOLL_MOTION_DYNAMIC ? 1.0f : 0.0f;
}
