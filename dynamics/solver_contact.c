// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The contacts of a body with the host's shapes in this step, found before they touch. The kernel finds the contacts
// with the ground.

#include "base/abi.h"
#include "solver.h"

// Adds a contact. If there is no room, only the contacts with the smallest gaps are kept.
static void add_contact(vrmi_solver_contacts *contacts, const vrmi_solver_contact *contact)
{
    uint32_t slot = contacts->count;
    if (slot == VRMI_ART_CONTACTS) {
        slot = 0;
        for (uint32_t i = 1; i < VRMI_ART_CONTACTS; ++i) {
            slot = contacts->slot[i].gap > contacts->slot[slot].gap ? i : slot;
        }
        if (!(contact->gap < contacts->slot[slot].gap)) {
            return;
        }
    } else {
        ++contacts->count;
    }
    contacts->slot[slot] = *contact;
}

// A body's shape in the world: its capsule, and the half edges of its box.
typedef struct outline {
    vrm_vec3 origin, center, axis; // relative to the solver's origin; the axis is a vector
    float radius, margin;
    bool box;
    vrm_vec3 side[3]; // half edges of a box
} outline;

static vrm_vec3 corner_of(const outline *o, uint32_t i)
{
    vrm_vec3 p = o->center;
    for (uint32_t k = 0; k < 3; ++k) {
        p = vrmi_vec3_add(p, vrmi_vec3_scale(o->side[k], (i >> k & 1u) != 0 ? 1.0f : -1.0f));
    }
    return p;
}

static void outline_of(
    const vrm_ragdoll_solver *solver, const vrmi_step *step, uint32_t lane, uint32_t body, outline *out)
{
    const vrmi_solver_constant *c = &solver->constants[body];
    vrm_ragdoll_state state;
    vrmi_step_get_state(step, lane, body, &state);
    const float speed = vrmi_vec3_length(state.linear_velocity) + vrmi_vec3_length(state.angular_velocity) * c->reach;
    out->origin = state.position;
    out->center = vrmi_step_get3(vrmi_step_body(step, body, VRMI_STEP_MIDST), step->lanes, lane);
    out->axis = vrmi_step_get3(vrmi_step_body(step, body, VRMI_STEP_ALONG), step->lanes, lane);
    out->radius = c->shape_radius;
    out->margin = VRMI_CONTACT_MARGIN * solver->scale + (1.5f * solver->params.step + VRMI_BRAKE_TIME) * speed;
    out->box = c->box > 0.0f;
    for (uint32_t k = 0; out->box && k < 3; ++k) {
        out->side[k] = vrmi_quat_rotate(state.rotation, c->sides[k]);
    }
}

// --- the host's shapes ---------------------------------------------------------------------------------------------

static float sign_of(float x)
{
    return x < 0.0f ? -1.0f : 1.0f;
}

// Returns the distance of a point from a box whose centre is the origin, and the direction out of the box.
static float box_distance(vrm_vec3 e, vrm_vec3 p, vrm_vec3 *out_normal)
{
    const vrm_vec3 q = {vrmi_clamp(p.x, -e.x, e.x), vrmi_clamp(p.y, -e.y, e.y), vrmi_clamp(p.z, -e.z, e.z)};
    const vrm_vec3 off = vrmi_vec3_sub(p, q);
    const float distance = vrmi_vec3_length(off);
    if (distance > 1e-6f) {
        *out_normal = vrmi_vec3_scale(off, 1.0f / distance);
        return distance;
    }
    const float x = e.x - vrmi_abs(p.x), y = e.y - vrmi_abs(p.y), z = e.z - vrmi_abs(p.z);
    if (x < y && x < z) {
        *out_normal = vrmi_vec3(sign_of(p.x), 0.0f, 0.0f);
        return -x;
    }
    if (y < z) {
        *out_normal = vrmi_vec3(0.0f, sign_of(p.y), 0.0f);
        return -y;
    }
    *out_normal = vrmi_vec3(0.0f, 0.0f, sign_of(p.z));
    return -z;
}

// Returns the distance of a point from a shape, and the direction out of the shape, in the shape's axes.
static float shape_distance(const vrm_ragdoll_world_shape_def *shape, vrm_vec3 p, vrm_vec3 *out_normal)
{
    if (shape->type == VRM_RAGDOLL_WORLD_BOX) {
        return box_distance(shape->half_extents, p, out_normal);
    }
    const float half = shape->type == VRM_RAGDOLL_WORLD_CAPSULE ? shape->half_length : 0.0f;
    const vrm_vec3 off = vrmi_vec3_sub(p, vrmi_vec3(0.0f, vrmi_clamp(p.y, -half, half), 0.0f));
    *out_normal = vrmi_vec3_normalize_or(off, vrmi_vec3(1.0f, 0.0f, 0.0f));
    return vrmi_vec3_length(off) - shape->radius;
}

// Returns the point on the segment center + t * axis, -1 <= t <= 1, that is nearest to the shape. Found by alternating
// projections, which converge for convex shapes.
static vrm_vec3 nearest_on_segment(const vrm_ragdoll_world_shape_def *shape, vrm_vec3 center, vrm_vec3 axis)
{
    const float square = vrmi_max(vrmi_vec3_dot(axis, axis), 1e-12f);
    vrm_vec3 p = center;
    for (int i = 0; i < 8; ++i) {
        vrm_vec3 normal;
        const float distance = shape_distance(shape, p, &normal);
        const vrm_vec3 there = vrmi_vec3_sub(p, vrmi_vec3_scale(normal, distance));
        const float t = vrmi_clamp(vrmi_vec3_dot(vrmi_vec3_sub(there, center), axis) / square, -1.0f, 1.0f);
        p = vrmi_vec3_add(center, vrmi_vec3_scale(axis, t));
    }
    return p;
}

// A shape relative to the solver's origin.
typedef struct obstacle {
    const vrm_ragdoll_world_shape_def *shape;
    vrm_vec3 center;
    float margin; // the distance that the shape may move in the step
    uint32_t feature;
} obstacle;

static void meet_point(
    const outline *o, const obstacle *b, vrm_vec3 p, float radius, uint32_t feature, vrmi_solver_contacts *out)
{
    vrm_vec3 normal;
    const float gap = shape_distance(b->shape, p, &normal) - radius;
    if (!(gap < o->margin + b->margin)) {
        return;
    }
    normal = vrmi_quat_rotate(b->shape->rotation, normal);
    const vrm_vec3 arm = vrmi_quat_rotate(b->shape->rotation, p);
    const vrm_vec3 place = vrmi_vec3_sub(vrmi_vec3_add(b->center, arm), vrmi_vec3_scale(normal, radius));
    const vrm_vec3 surface = vrmi_velocity_at(b->shape->linear_velocity, b->shape->angular_velocity, arm);
    add_contact(out, &(vrmi_solver_contact){.feature = b->feature + feature,
                         .point = vrmi_vec3_sub(place, o->origin),
                         .place = place,
                         .normal = normal,
                         .surface = surface,
                         .gap = gap});
}

static void meet_shape(const outline *o, const obstacle *b, vrmi_solver_contacts *out)
{
    const vrm_quat back = vrmi_quat_conjugate(b->shape->rotation);
    const vrm_vec3 center = vrmi_quat_rotate(back, vrmi_vec3_sub(o->center, b->center));
    const vrm_vec3 axis = vrmi_quat_rotate(back, o->axis);
    const vrm_vec3 nearest = nearest_on_segment(b->shape, center, axis);
    vrm_vec3 normal;
    const float reach =
        o->box ? vrmi_vec3_length(o->side[0]) + vrmi_vec3_length(o->side[1]) + vrmi_vec3_length(o->side[2]) : o->radius;
    if (!(shape_distance(b->shape, nearest, &normal) - reach < o->margin + b->margin)) {
        return;
    }
    if (o->box) {
        for (uint32_t i = 0; i < 8; ++i) {
            const vrm_vec3 p = vrmi_quat_rotate(back, vrmi_vec3_sub(corner_of(o, i), b->center));
            meet_point(o, b, p, 0.0f, VRMI_FEATURE_CORNER + i, out);
        }
        // The box's capsule represents the edges between the corners. Its radius is reduced, so that corners have
        // priority on flat ground.
        meet_point(o, b, nearest, 0.9f * o->radius, VRMI_FEATURE_MIDDLE, out);
        return;
    }
    meet_point(o, b, vrmi_vec3_sub(center, axis), o->radius, VRMI_FEATURE_END, out);
    meet_point(o, b, vrmi_vec3_add(center, axis), o->radius, VRMI_FEATURE_END + 1, out);
    meet_point(o, b, nearest, o->radius, VRMI_FEATURE_MIDDLE, out);
}

// Returns the speed of the shape's fastest point.
static float speed_of(const vrm_ragdoll_world_shape_def *shape)
{
    const float reach = shape->type == VRM_RAGDOLL_WORLD_BOX ? vrmi_vec3_length(shape->half_extents)
                                                             : shape->radius + shape->half_length;
    return vrmi_vec3_length(shape->linear_velocity) + vrmi_vec3_length(shape->angular_velocity) * reach;
}

// Returns the least speed at which the gap has to change; negative while it may shrink.
float vrmi_solver_contact_target(float gap, float led, float step)
{
    if (gap > 0.0f) {
        const float close = vrmi_min(gap, VRMI_BRAKE_GAP), rate = 1.0f / step,
                    soft = vrmi_min(1.0f / VRMI_BRAKE_TIME, rate);
        return -(close * rate + (gap - close) * vrmi_lerp(soft, rate, led));
    }
    return vrmi_min(vrmi_max(-gap - VRMI_CONTACT_SLOP, 0.0f) * VRMI_CONTACT_RETURN / step, VRMI_CONTACT_RETURN_SPEED);
}

// These two functions read and write the contacts in a body's rows.
static void take_slots(const float *rows, uint32_t lanes, uint32_t lane, vrmi_solver_contacts *contacts)
{
    for (uint32_t i = 0; i < contacts->count; ++i) {
        const float *row = rows + (size_t)i * VRMI_ART_CONTACT_ROWS * lanes;
        contacts->slot[i] = (vrmi_solver_contact){.feature = (uint32_t)row[VRMI_ART_CONTACT_FEATURE * lanes + lane],
            .point = vrmi_step_get3(row + (size_t)VRMI_ART_CONTACT_POINT * lanes, lanes, lane),
            .normal = vrmi_step_get3(row + (size_t)VRMI_ART_CONTACT_NORMAL * lanes, lanes, lane),
            .gap = row[VRMI_ART_CONTACT_GAP * lanes + lane]};
    }
}

static void give_slots(
    const vrmi_solver_contacts *contacts, float *rows, uint32_t lanes, uint32_t lane, float led, float step)
{
    for (uint32_t i = 0; i < contacts->count; ++i) {
        const vrmi_solver_contact *c = &contacts->slot[i];
        float *row = rows + (size_t)i * VRMI_ART_CONTACT_ROWS * lanes;
        vrmi_step_set3(row + (size_t)VRMI_ART_CONTACT_POINT * lanes, lanes, lane, c->point);
        vrmi_step_set3(row + (size_t)VRMI_ART_CONTACT_NORMAL * lanes, lanes, lane, c->normal);
        vrmi_step_set3(row + (size_t)VRMI_ART_CONTACT_SURFACE * lanes, lanes, lane, c->surface);
        row[VRMI_ART_CONTACT_TARGET * lanes + lane] = vrmi_solver_contact_target(c->gap, led, step);
        row[VRMI_ART_CONTACT_ON * lanes + lane] = 1.0f;
        row[VRMI_ART_CONTACT_IMPULSE * lanes + lane] = 0.0f;
        row[VRMI_ART_CONTACT_FEATURE * lanes + lane] = (float)c->feature;
        row[VRMI_ART_CONTACT_GAP * lanes + lane] = c->gap;
    }
}

// Switches off, in all lanes, the rows of contacts that only this lane is about to use.
static void clear_slots(float *rows, uint32_t lanes, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; ++i) {
        float *row = rows + ((size_t)i * VRMI_ART_CONTACT_ROWS + VRMI_ART_CONTACT_ON) * lanes;
        for (uint32_t lane = 0; lane < lanes; ++lane) {
            row[lane] = 0.0f;
        }
    }
}

static uint32_t most_slots(const float *counts, uint32_t lanes)
{
    float most = 0.0f;
    for (uint32_t lane = 0; lane < lanes; ++lane) {
        most = vrmi_max(counts[lane], most);
    }
    return (uint32_t)most;
}

// Collects the shapes that are in use.
static uint32_t find_obstacles(const vrm_ragdoll_solver *solver, obstacle out[VRMI_STEP_SHAPES])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < solver->params.shape_slots; ++i) {
        const vrm_ragdoll_world_shape_def *shape = &solver->shapes[i].shape;
        if (solver->shapes[i].used) {
            out[count++] = (obstacle){shape, vrmi_vec3_between(solver->origin, shape->center),
                1.5f * solver->params.step * speed_of(shape), VRMI_FEATURES * (i + 1)};
        }
    }
    return count;
}

void vrmi_solver_meet_shapes(const vrm_ragdoll_solver *solver, const vrmi_step *step, uint32_t lane)
{
    obstacle obstacles[VRMI_STEP_SHAPES];
    const uint32_t count = find_obstacles(solver, obstacles);
    for (uint32_t body = 0; count != 0 && body < solver->def.body_count; ++body) {
        if (vrmi_solver_is_held(solver, body)) {
            continue;
        }
        float *counts = vrmi_art_row(step->rows, step->lanes, body, VRMI_ART_CONTACT_COUNT);
        float *rows = vrmi_art_contact(step->contacts, step->lanes, body);
        vrmi_solver_contacts contacts = {.count = (uint32_t)counts[lane]};
        take_slots(rows, step->lanes, lane, &contacts);
        outline o;
        outline_of(solver, step, lane, body, &o);
        for (uint32_t i = 0; i < count; ++i) {
            meet_shape(&o, &obstacles[i], &contacts);
        }
        clear_slots(rows, step->lanes, most_slots(counts, step->lanes), contacts.count);
        const float led = vrmi_step_body(step, body, VRMI_STEP_LED)[lane];
        give_slots(&contacts, rows, step->lanes, lane, led, solver->params.step);
        counts[lane] = (float)contacts.count;
    }
}

// Returns the rotation after a step, to the first order.
static vrm_quat turned(vrm_quat q, vrm_vec3 angular, float h)
{
    const vrm_quat w = {angular.x * 0.5f * h, angular.y * 0.5f * h, angular.z * 0.5f * h, 0.0f};
    const vrm_quat d = vrmi_quat_mul(w, q);
    return vrmi_quat_normalize((vrm_quat){q.x + d.x, q.y + d.y, q.z + d.z, q.w + d.w});
}

void vrmi_solver_move_shapes(vrm_ragdoll_solver *solver)
{
    const float h = solver->params.step;
    for (uint32_t i = 0; i < solver->params.shape_slots; ++i) {
        vrm_ragdoll_world_shape_def *s = &solver->shapes[i].shape;
        if (solver->shapes[i].used) {
            s->center = vrmi_dvec3_add(s->center, vrmi_dvec3_from(vrmi_vec3_scale(s->linear_velocity, h)));
            s->rotation = turned(s->rotation, s->angular_velocity, h);
        }
    }
}

// --- setting -------------------------------------------------------------------------------------------------------

void(vrm_ragdoll_world_shape_def_default)(vrm_ragdoll_world_shape_def *shape, size_t size)
{
    const vrm_ragdoll_world_shape_def own = {.struct_size = sizeof own,
        .type = VRM_RAGDOLL_WORLD_BOX,
        .rotation = vrmi_quat_identity(),
        .radius = 0.5f,
        .half_length = 0.5f,
        .half_extents = {0.5f, 0.5f, 0.5f}};
    vrmi_write_defaults(shape, size, &own, sizeof own);
}

static bool is_valid_shape(const vrm_ragdoll_world_shape_def *s)
{
    const float off = vrmi_quat_dot(s->rotation, s->rotation) - 1.0f;
    return (uint32_t)s->type < VRM_RAGDOLL_WORLD_SHAPE_COUNT && vrmi_dvec3_finite(s->center) && vrmi_abs(off) < 1e-3f &&
           vrmi_finite(s->radius) && s->radius > 0.0f && vrmi_finite(s->half_length) && s->half_length >= 0.0f &&
           vrmi_vec3_finite(s->half_extents) && s->half_extents.x > 0.0f && s->half_extents.y > 0.0f &&
           s->half_extents.z > 0.0f && vrmi_vec3_finite(s->linear_velocity) && vrmi_vec3_finite(s->angular_velocity);
}

vrm_result vrm_ragdoll_solver_set_shape(
    vrm_ragdoll_solver *solver, uint32_t slot, const vrm_ragdoll_world_shape_def *shape)
{
    vrm_ragdoll_world_shape_def own;
    vrm_ragdoll_world_shape_def_default(&own);
    if (solver == NULL || slot >= solver->params.shape_slots ||
        !VRMI_READ_OPTIONS(vrm_ragdoll_world_shape_def, &own, shape) || !is_valid_shape(&own)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    vrm_ragdoll_solver_wake(solver);
    solver->shapes[slot] = (vrmi_solver_shape){.used = shape != NULL};
    if (shape != NULL) {
        solver->shapes[slot].shape = own;
    }
    return VRM_SUCCESS;
}

static vrm_result put_ground(vrm_ragdoll_solver *solver, bool ground, double height)
{
    if (ground != solver->params.ground || height != solver->params.ground_height) {
        vrm_ragdoll_solver_wake(solver);
    }
    solver->params.ground = ground;
    solver->params.ground_height = height;
    return VRM_SUCCESS;
}

vrm_result vrm_ragdoll_solver_set_ground(vrm_ragdoll_solver *solver, double height)
{
    const bool usable = solver != NULL && vrmi_finite_double(height);
    return usable ? put_ground(solver, true, height) : VRM_ERROR_INVALID_ARGUMENT;
}

vrm_result vrm_ragdoll_solver_clear_ground(vrm_ragdoll_solver *solver)
{
    return solver != NULL ? put_ground(solver, false, solver->params.ground_height) : VRM_ERROR_INVALID_ARGUMENT;
}
