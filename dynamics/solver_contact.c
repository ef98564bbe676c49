// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// What a body may touch of the world in this step: the ground and the host's shapes. Contacts are found before they
// happen (the step then keeps the gap from becoming negative), so that nothing tunnels and nothing bounces.

#include "solver.h"

// Contacts farther away than this, and than the body can come in the step, are not looked at.
static const float MARGIN = 0.02f;

enum {
    FEATURE_END = 1,       // and 2: the ends of a capsule
    FEATURE_MIDDLE = 3,    // where a capsule is nearest
    FEATURE_CORNER = 4,    // to 11: of a box
    FEATURES_OF_SHAPE = 16 // the ground has the first, shape k those from (k + 1) * 16
};

// Keeps the slots with the smallest gaps.
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

// A body in the world: its capsule, or the corners of its box.
typedef struct outline {
    vrm_vec3 origin, center, axis; // relative to the solver's origin; the axis is a vector
    float radius, margin;
    bool box;
    vrm_vec3 side[3];
} outline;

static vrm_vec3 corner_of(const outline *o, uint32_t i)
{
    vrm_vec3 p = o->center;
    for (uint32_t k = 0; k < 3; ++k) {
        p = vrmi_vec3_add(p, vrmi_vec3_scale(o->side[k], (i >> k & 1u) != 0 ? 1.0f : -1.0f));
    }
    return p;
}

static void outline_of(const vrm_ragdoll_solver *solver, uint32_t body, outline *out)
{
    const vrmi_solver_constant *c = &solver->constants[body];
    const vrm_ragdoll_state *state = &solver->bodies[body].state;
    const vrm_ragdoll_shape *shape = &solver->def.bodies[body].shape;
    const float speed = vrmi_vec3_length(state->linear_velocity) + vrmi_vec3_length(state->angular_velocity) * c->reach;
    out->origin = state->position;
    out->center = vrmi_vec3_add(state->position, vrmi_quat_rotate(state->rotation, c->shape_center));
    out->axis = vrmi_quat_rotate(state->rotation, c->shape_axis);
    out->radius = c->shape_radius;
    out->margin = MARGIN * solver->scale + 1.5f * solver->params.step * speed;
    out->box = shape->type == VRM_RAGDOLL_SHAPE_BOX;
    if (out->box) {
        const vrm_quat rotation = vrmi_quat_mul(state->rotation, shape->rotation);
        const vrm_vec3 e = vrmi_vec3_scale(shape->half_extents, solver->scale);
        out->side[0] = vrmi_quat_rotate(rotation, vrmi_vec3(e.x, 0.0f, 0.0f));
        out->side[1] = vrmi_quat_rotate(rotation, vrmi_vec3(0.0f, e.y, 0.0f));
        out->side[2] = vrmi_quat_rotate(rotation, vrmi_vec3(0.0f, 0.0f, e.z));
    }
}

// --- the ground ----------------------------------------------------------------------------------------------------

static void meet_ground(const outline *o, float height, vrmi_solver_contacts *out)
{
    const uint32_t points = o->box ? 8 : 2;
    const float radius = o->box ? 0.0f : o->radius;
    for (uint32_t i = 0; i < points; ++i) {
        vrm_vec3 p =
            o->box ? corner_of(o, i) : vrmi_vec3_add(o->center, vrmi_vec3_scale(o->axis, i == 0 ? -1.0f : 1.0f));
        p.y -= radius;
        const float gap = p.y - height;
        if (gap < o->margin) {
            add_contact(out, &(vrmi_solver_contact){.feature = (o->box ? FEATURE_CORNER : FEATURE_END) + i,
                                 .point = vrmi_vec3_sub(p, o->origin),
                                 .place = p,
                                 .normal = {0.0f, 1.0f, 0.0f},
                                 .gap = gap});
        }
    }
}

// --- the host's shapes ---------------------------------------------------------------------------------------------

static float sign_of(float x)
{
    return x < 0.0f ? -1.0f : 1.0f;
}

// Distance of a point from a box about the origin, and the direction that leads out.
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

// The same for any shape, in its own axes.
static float shape_distance(const vrm_ragdoll_world_shape *shape, vrm_vec3 p, vrm_vec3 *out_normal)
{
    if (shape->type == VRM_RAGDOLL_WORLD_BOX) {
        return box_distance(shape->half_extents, p, out_normal);
    }
    const float half = shape->type == VRM_RAGDOLL_WORLD_CAPSULE ? shape->half_length : 0.0f;
    const vrm_vec3 off = vrmi_vec3_sub(p, vrmi_vec3(0.0f, vrmi_clamp(p.y, -half, half), 0.0f));
    *out_normal = vrmi_vec3_normalize_or(off, vrmi_vec3(1.0f, 0.0f, 0.0f));
    return vrmi_vec3_length(off) - shape->radius;
}

// The place on the segment center + t * axis, -1 <= t <= 1, that is nearest to the shape: projected to and fro, which
// converges for what is convex.
static vrm_vec3 nearest_on_segment(const vrm_ragdoll_world_shape *shape, vrm_vec3 center, vrm_vec3 axis)
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

// A shape with the solver's origin.
typedef struct obstacle {
    const vrm_ragdoll_world_shape *shape;
    vrm_vec3 center;
    float margin; // what it may come in the step
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
            meet_point(o, b, p, 0.0f, FEATURE_CORNER + i, out);
        }
        // An edge between the corners: the capsule inside, drawn in so that corners come first on flat ground.
        meet_point(o, b, nearest, 0.9f * o->radius, FEATURE_MIDDLE, out);
        return;
    }
    meet_point(o, b, vrmi_vec3_sub(center, axis), o->radius, FEATURE_END, out);
    meet_point(o, b, vrmi_vec3_add(center, axis), o->radius, FEATURE_END + 1, out);
    meet_point(o, b, nearest, o->radius, FEATURE_MIDDLE, out);
}

// Of its fastest point.
static float speed_of(const vrm_ragdoll_world_shape *shape)
{
    const float reach = shape->type == VRM_RAGDOLL_WORLD_BOX ? vrmi_vec3_length(shape->half_extents)
                                                             : shape->radius + shape->half_length;
    return vrmi_vec3_length(shape->linear_velocity) + vrmi_vec3_length(shape->angular_velocity) * reach;
}

void vrmi_solver_find_contacts(vrm_ragdoll_solver *solver, uint32_t body)
{
    vrmi_solver_contacts *contacts = &solver->contacts[body];
    contacts->count = 0;
    if (solver->targets[body].motion != VRM_RAGDOLL_MOTION_DYNAMIC) {
        return;
    }
    outline o;
    outline_of(solver, body, &o);
    if (solver->params.ground) {
        meet_ground(&o, (float)(solver->params.ground_height - solver->origin[1]), contacts);
    }
    for (uint32_t i = 0; i < solver->params.shape_slots; ++i) {
        const vrmi_solver_shape *s = &solver->shapes[i];
        if (s->used) {
            const double *center = s->shape.center;
            const obstacle b = {&s->shape,
                {(float)(center[0] - solver->origin[0]), (float)(center[1] - solver->origin[1]),
                    (float)(center[2] - solver->origin[2])},
                1.5f * solver->params.step * speed_of(&s->shape), FEATURES_OF_SHAPE * (i + 1)};
            meet_shape(&o, &b, contacts);
        }
    }
}

// --- setting -------------------------------------------------------------------------------------------------------

void vrm_ragdoll_world_shape_default(vrm_ragdoll_world_shape *shape)
{
    if (shape == NULL) {
        return;
    }
    *shape = (vrm_ragdoll_world_shape){.struct_size = sizeof(*shape),
        .type = VRM_RAGDOLL_WORLD_BOX,
        .rotation = vrmi_quat_identity(),
        .radius = 0.5f,
        .half_length = 0.5f,
        .half_extents = {0.5f, 0.5f, 0.5f}};
}

static bool is_valid_shape(const vrm_ragdoll_world_shape *s)
{
    const float off = vrmi_quat_dot(s->rotation, s->rotation) - 1.0f;
    return s->struct_size == sizeof(*s) && (uint32_t)s->type < VRM_RAGDOLL_WORLD_SHAPE_COUNT &&
           vrmi_finite_double(s->center[0]) && vrmi_finite_double(s->center[1]) && vrmi_finite_double(s->center[2]) &&
           vrmi_abs(off) < 1e-3f && vrmi_finite(s->radius) && s->radius > 0.0f && vrmi_finite(s->half_length) &&
           s->half_length >= 0.0f && vrmi_vec3_finite(s->half_extents) && s->half_extents.x > 0.0f &&
           s->half_extents.y > 0.0f && s->half_extents.z > 0.0f && vrmi_vec3_finite(s->linear_velocity) &&
           vrmi_vec3_finite(s->angular_velocity);
}

vrm_result vrm_ragdoll_solver_set_shape(vrm_ragdoll_solver *solver, uint32_t slot, const vrm_ragdoll_world_shape *shape)
{
    if (solver == NULL || slot >= solver->params.shape_slots || (shape != NULL && !is_valid_shape(shape))) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    vrm_ragdoll_solver_wake(solver);
    solver->shapes[slot] = (vrmi_solver_shape){.used = shape != NULL};
    if (shape != NULL) {
        solver->shapes[slot].shape = *shape;
    }
    return VRM_SUCCESS;
}

vrm_result vrm_ragdoll_solver_set_ground(vrm_ragdoll_solver *solver, bool ground, double height)
{
    if (solver == NULL || !vrmi_finite_double(height)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    if (ground != solver->params.ground || height != solver->params.ground_height) {
        vrm_ragdoll_solver_wake(solver);
    }
    solver->params.ground = ground;
    solver->params.ground_height = height;
    return VRM_SUCCESS;
}
