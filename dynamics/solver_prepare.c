// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// A step's beginning: bodies, targets and what they touch become the rows of the articulated-body algorithm.

#include "solver.h"

// Of a penetration, how much a step takes back, and how fast at most, m/s; and what is let be, metres.
static const float RETURN = 0.1f, RETURN_SPEED = 0.5f, SLOP = 0.0005f;
// Of a joint: rad/s^2 for each 1/s of damping, and the speed (rad/s) below which it is damping too.
static const float DRY_FRICTION = 2.5f, SLOW_TURN = 0.1f;

// Where the rows of one lane are.
typedef struct lane_rows {
    float *rows;
    uint32_t lanes, lane;
} lane_rows;

static float *at(const lane_rows *r, uint32_t body, uint32_t row)
{
    return vrmi_art_row(r->rows, r->lanes, body, row) + r->lane;
}
static void set(const lane_rows *r, uint32_t body, uint32_t row, float x)
{
    *at(r, body, row) = x;
}
static void set3(const lane_rows *r, uint32_t body, uint32_t row, vrm_vec3 v)
{
    float *p = at(r, body, row);
    p[0] = v.x;
    p[r->lanes] = v.y;
    p[2 * r->lanes] = v.z;
}

// --- targets -------------------------------------------------------------------------------------------------------

static bool is_finite_state(const vrm_ragdoll_state *s)
{
    const float length = vrmi_quat_dot(s->rotation, s->rotation);
    return vrmi_vec3_finite(s->position) && vrmi_vec3_finite(s->linear_velocity) &&
           vrmi_vec3_finite(s->angular_velocity) && length > 0.25f && length < 4.0f;
}

static bool is_finite_target(const vrm_ragdoll_target *t)
{
    return is_finite_state(&t->state) && vrmi_finite(t->rotation_weight) && vrmi_finite(t->translation_weight) &&
           vrmi_finite(t->frequency) && vrmi_finite(t->damping_ratio) && vrmi_finite(t->max_torque) &&
           vrmi_finite(t->pin_frequency);
}

// The frame's target as it was `later` before, relative to the solver's origin. One that cannot be used asks nothing.
static void take_target(vrm_ragdoll_solver *solver, uint32_t body, float later)
{
    const vrmi_solver_frame *frame = &solver->frame;
    const vrm_ragdoll_target *wanted = &frame->targets->bodies[body];
    vrm_ragdoll_target *t = &solver->targets[body];
    if (!is_finite_target(wanted)) {
        solver->status |= VRM_RAGDOLL_SOLVER_INPUT_NOT_FINITE;
        *t = (vrm_ragdoll_target){.state = solver->bodies[body].state, .motion = wanted->motion};
        t->state.linear_velocity = t->state.angular_velocity = vrmi_vec3(0.0f, 0.0f, 0.0f);
        return;
    }
    *t = *wanted;
    vrm_ragdoll_state *s = &t->state;
    s->rotation = vrmi_quat_normalize(s->rotation);
    const vrm_vec3 center = vrmi_quat_rotate(s->rotation, solver->constants[body].center);
    const vrm_vec3 speed = vrmi_velocity_at(s->linear_velocity, s->angular_velocity, vrmi_vec3_scale(center, -1.0f));
    s->position = vrmi_vec3_sub(vrmi_vec3_add(s->position, frame->shift), vrmi_vec3_scale(speed, later));
    if (later != 0.0f) {
        s->rotation = vrmi_quat_mul(vrmi_quat_from_vector(vrmi_vec3_scale(s->angular_velocity, -later)), s->rotation);
    }
}

// --- drives --------------------------------------------------------------------------------------------------------

static float angular_frequency(float hertz)
{
    return 2.0f * VRMI_PI * vrmi_clamp(hertz, 0.0f, 100.0f);
}

// The joint's spring, as rows.
static void drive_joint(const vrm_ragdoll_solver *solver, const lane_rows *r, uint32_t body)
{
    const vrm_ragdoll_target *t = &solver->targets[body];
    const float h = solver->params.step, w = angular_frequency(t->frequency);
    const float damping = 2.0f * vrmi_clamp(t->damping_ratio, 0.0f, 100.0f) * w * h;
    set(r, body, VRMI_ART_SPRING, w * w * h * h + damping);
    set(r, body, VRMI_ART_STRENGTH, vrmi_max(t->max_torque, 0.0f) * h);
    if (w == 0.0f) {
        set3(r, body, VRMI_ART_WANTED, vrmi_vec3(0.0f, 0.0f, 0.0f));
        return;
    }
    const uint32_t parent = (uint32_t)solver->tree.parent[body];
    const vrm_ragdoll_state *s = &t->state, *p = &solver->targets[parent].state;
    // From the target's world into this one: by the parent's rotation.
    const vrm_quat turn = vrmi_quat_mul(solver->bodies[parent].state.rotation, vrmi_quat_conjugate(p->rotation));
    const vrm_quat wanted = vrmi_quat_mul(turn, s->rotation);
    const vrm_vec3 error =
        vrmi_turn_of(vrmi_quat_mul(wanted, vrmi_quat_conjugate(solver->bodies[body].state.rotation)));
    const vrm_vec3 speed = vrmi_quat_rotate(turn, vrmi_vec3_sub(s->angular_velocity, p->angular_velocity));
    set3(r, body, VRMI_ART_WANTED, vrmi_vec3_add(vrmi_vec3_scale(error, w * w * h), vrmi_vec3_scale(speed, damping)));
}

vrmi_pin vrmi_solver_pin(const vrm_ragdoll_solver *solver, uint32_t body)
{
    const vrm_ragdoll_target *t = &solver->targets[body];
    const vrm_ragdoll_state *s = &solver->bodies[body].state;
    const vrmi_solver_constant *c = &solver->constants[body];
    const float h = solver->params.step, ratio = 2.0f * vrmi_clamp(t->damping_ratio, 0.0f, 100.0f);
    vrmi_pin out = {0};
    const float w = angular_frequency(t->pin_frequency);
    if (w > 0.0f) {
        const vrm_vec3 center = vrmi_quat_rotate(t->state.rotation, c->center);
        const vrm_vec3 speed =
            vrmi_velocity_at(t->state.linear_velocity, t->state.angular_velocity, vrmi_vec3_scale(center, -1.0f));
        const vrm_vec3 error = vrmi_vec3_sub(t->state.position, s->position);
        out.mass = c->held_mass * (w * w * h * h + ratio * w * h);
        out.linear = vrmi_vec3_scale(
            vrmi_vec3_add(vrmi_vec3_scale(error, w * w * h), vrmi_vec3_scale(speed, ratio * w * h)), c->held_mass);
    }
    const float u = body == 0 ? angular_frequency(t->frequency) : 0.0f;
    if (u > 0.0f) {
        const vrm_vec3 error = vrmi_turn_of(vrmi_quat_mul(t->state.rotation, vrmi_quat_conjugate(s->rotation)));
        out.inertia = c->held_inertia * (u * u * h * h + ratio * u * h);
        out.angular = vrmi_vec3_scale(
            vrmi_vec3_add(vrmi_vec3_scale(error, u * u * h), vrmi_vec3_scale(t->state.angular_velocity, ratio * u * h)),
            c->held_inertia);
        const float strength = vrmi_max(t->max_torque, 0.0f) * h, asked = vrmi_vec3_length(out.angular);
        if (strength > 0.0f && asked > strength) {
            out.inertia *= strength / asked;
            out.angular = vrmi_vec3_scale(out.angular, strength / asked);
        }
    }
    return out;
}

// Velocities as the article's drive sets them before the step; the algorithm then fits them to the joints.
static void drive_velocities(vrm_ragdoll_solver *solver)
{
    vrm_ragdoll_state states[VRM_RAGDOLL_MAX_BODIES];
    vrm_ragdoll_velocity velocities[VRM_RAGDOLL_MAX_BODIES];
    for (uint32_t i = 0; i < solver->def.body_count; ++i) {
        states[i] = solver->bodies[i].state;
    }
    vrm_ragdoll_drive_input input;
    vrm_ragdoll_drive_input_default(&input);
    input.def = &solver->def;
    input.states = states;
    input.targets = solver->targets;
    input.scale = solver->scale;
    input.dt = solver->params.step;
    vrm_ragdoll_drive_velocities(&input, velocities);
    for (uint32_t i = 0; i < solver->def.body_count; ++i) {
        vrmi_solver_body *body = &solver->bodies[i];
        body->state.linear_velocity = velocities[i].linear;
        if (solver->targets[i].rotation_weight > 0.0f) {
            body->state.angular_velocity = velocities[i].angular;
            body->spin = vrmi_tensor_mul(&solver->inertias[i], velocities[i].angular);
        }
    }
}

// --- rows ----------------------------------------------------------------------------------------------------------

static void set_body(vrm_ragdoll_solver *solver, const lane_rows *r, uint32_t body)
{
    vrmi_solver_body *b = &solver->bodies[body];
    const vrmi_solver_constant *c = &solver->constants[body];
    const vrmi_tensor *inertia = &solver->inertias[body];
    const vrm_vec3 center = vrmi_quat_rotate(b->state.rotation, c->center);
    const vrmi_pin hold = vrmi_solver_pin(solver, body);
    const float square = vrmi_vec3_dot(center, center);
    const float moments[6] = {square - center.x * center.x, -center.x * center.y, -center.x * center.z,
        square - center.y * center.y, -center.y * center.z, square - center.z * center.z};
    for (uint32_t k = 0; k < 6; ++k) {
        const float own = inertia->v[k] + c->mass * moments[k];
        set(r, body, VRMI_ART_INERTIA + k, k == 0 || k == 3 || k == 5 ? own + hold.inertia : own);
    }
    set(r, body, VRMI_ART_MASS, c->mass + hold.mass);
    set3(r, body, VRMI_ART_MASS_CENTER, vrmi_vec3_scale(center, c->mass));
    vrm_vec3 linear = vrmi_vec3_scale(
        vrmi_vec3_add(b->state.linear_velocity, vrmi_vec3_scale(solver->params.gravity, solver->params.step)), c->mass);
    linear = vrmi_vec3_add(linear, b->blow);
    const vrm_vec3 spin = vrmi_vec3_add(b->spin, b->blow_spin);
    set3(r, body, VRMI_ART_MOMENTUM, vrmi_vec3_add(vrmi_vec3_add(spin, vrmi_vec3_cross(center, linear)), hold.angular));
    set3(r, body, VRMI_ART_MOMENTUM + 3, vrmi_vec3_add(linear, hold.linear));
    b->blow = b->blow_spin = vrmi_vec3(0.0f, 0.0f, 0.0f);
}

// A held body moves so that it is at its target at the step's end.
static void set_held(const vrm_ragdoll_solver *solver, const lane_rows *r, uint32_t body)
{
    const bool held = vrmi_solver_is_held(solver, body);
    set(r, body, VRMI_ART_HELD, held ? 1.0f : 0.0f);
    if (held) {
        const vrm_ragdoll_state *from = &solver->bodies[body].state, *to = &solver->targets[body].state;
        const float rate = 1.0f / solver->params.step;
        const vrm_quat turn = vrmi_quat_mul(to->rotation, vrmi_quat_conjugate(from->rotation));
        set3(r, body, VRMI_ART_VELOCITY, vrmi_vec3_scale(vrmi_turn_of(turn), rate));
        set3(r, body, VRMI_ART_VELOCITY + 3, vrmi_vec3_scale(vrmi_vec3_sub(to->position, from->position), rate));
    }
}

// Damping of a joint, 1/s: what the host asks for, and dry friction, which slows by as much per second at any speed and
// so brings to rest what damping alone would leave swinging for ever.
static float friction_of(const vrm_ragdoll_solver *solver, uint32_t body)
{
    const float viscous = solver->params.joint_friction;
    const float dry = DRY_FRICTION * viscous;
    const vrm_vec3 relative = vrmi_vec3_sub(
        solver->bodies[body].state.angular_velocity, solver->bodies[solver->tree.parent[body]].state.angular_velocity);
    return viscous + dry / vrmi_max(vrmi_vec3_length(relative), SLOW_TURN);
}

static void set_joint(const vrm_ragdoll_solver *solver, const lane_rows *r, uint32_t body)
{
    set(r, body, VRMI_ART_LIMIT_COUNT, 0.0f);
    if (body == 0) {
        set3(r, body, VRMI_ART_OFFSET, vrmi_vec3(0.0f, 0.0f, 0.0f));
        return;
    }
    const uint32_t parent = (uint32_t)solver->tree.parent[body];
    const vrm_ragdoll_state *p = &solver->bodies[parent].state;
    set3(r, body, VRMI_ART_OFFSET, vrmi_vec3_sub(solver->bodies[body].state.position, p->position));
    set3(r, body, VRMI_ART_AXIS, vrmi_quat_rotate(p->rotation, solver->constants[body].axis));
    set(r, body, VRMI_ART_FRICTION, friction_of(solver, body) * solver->params.step);
    set(r, body, VRMI_ART_PART, solver->bodies[body].part);
    drive_joint(solver, r, body);
    float limits[VRMI_ART_LIMITS][VRMI_ART_LIMIT_ROWS] = {{0}};
    const uint32_t count = vrmi_solver_limits(solver, body, limits);
    set(r, body, VRMI_ART_LIMIT_COUNT, (float)count);
    for (uint32_t i = 0; i < VRMI_ART_LIMITS; ++i) {
        for (uint32_t k = 0; k < VRMI_ART_LIMIT_ROWS; ++k) {
            set(r, body, VRMI_ART_LIMIT + i * VRMI_ART_LIMIT_ROWS + k, limits[i][k]);
        }
    }
}

// How fast the gap has to change at least.
static float target_of(float gap, float step)
{
    if (gap > 0.0f) {
        return -gap / step;
    }
    return vrmi_min(vrmi_max(-gap - SLOP, 0.0f) * RETURN / step, RETURN_SPEED);
}

static void set_contacts(vrm_ragdoll_solver *solver, const lane_rows *r, uint32_t body)
{
    vrmi_solver_find_contacts(solver, body);
    const vrmi_solver_contacts *contacts = &solver->contacts[body];
    const vrmi_solver_body *b = &solver->bodies[body];
    set(r, body, VRMI_ART_CONTACT_COUNT, (float)contacts->count);
    for (uint32_t i = 0; i < VRMI_ART_CONTACTS; ++i) {
        const uint32_t row = VRMI_ART_CONTACT + i * VRMI_ART_CONTACT_ROWS;
        set(r, body, row + VRMI_ART_CONTACT_ON, i < contacts->count ? 1.0f : 0.0f);
        if (i >= contacts->count) {
            continue;
        }
        const vrmi_solver_contact *c = &contacts->slot[i];
        set3(r, body, row + VRMI_ART_CONTACT_POINT, c->point);
        set3(r, body, row + VRMI_ART_CONTACT_NORMAL, c->normal);
        set3(r, body, row + VRMI_ART_CONTACT_SURFACE, c->surface);
        set(r, body, row + VRMI_ART_CONTACT_TARGET, target_of(c->gap, solver->params.step));
        set(r, body, row + VRMI_ART_CONTACT_IMPULSE, 0.0f);
        float push = 0.0f, drag = 0.0f;
        for (uint32_t k = 0; k < VRMI_ART_CONTACTS; ++k) {
            if (b->feature[k] == c->feature) {
                push = b->push[k];
                drag = b->drag[k];
            }
        }
        set(r, body, row + VRMI_ART_CONTACT_PUSH, push);
        set(r, body, row + VRMI_ART_CONTACT_DRAG, drag);
    }
}

void vrmi_solver_prepare(vrm_ragdoll_solver *solver, float later, float *rows, uint32_t lanes, uint32_t lane)
{
    const lane_rows r = {rows, lanes, lane};
    const uint32_t n = solver->def.body_count;
    const vrm_ragdoll_drive drive = solver->frame.targets->drive;
    for (uint32_t i = 0; i < n; ++i) {
        take_target(solver, i, later);
        solver->inertias[i] = vrmi_tensor_rotated(&solver->constants[i].inertia, solver->bodies[i].state.rotation);
        if (drive != VRM_RAGDOLL_DRIVE_TORQUE) {
            solver->targets[i].frequency = solver->targets[i].pin_frequency = 0.0f;
        }
    }
    if (drive == VRM_RAGDOLL_DRIVE_VELOCITY) {
        drive_velocities(solver);
    }
    for (uint32_t i = 0; i < n; ++i) {
        set_body(solver, &r, i);
        set_held(solver, &r, i);
        set_joint(solver, &r, i);
        set_contacts(solver, &r, i);
    }
}
