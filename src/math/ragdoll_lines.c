// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Draws a ragdoll as lines. Shapes are wireframes, joints are axes, and a limit is the rim that the bone's direction
// may reach. Also draws the exchange with the host: the bodies' targets, the forces towards them, and the contacts.

#include <vrm/ragdoll_build.h>

#include "base/abi.h"
#include "base/checks.h"
#include "math/quat.h"

enum { CIRCLE = 16, RIM = 24 };

#define WHITE 0xffffffffu
#define YELLOW 0xffdc28ffu
#define GREEN 0x3ce65affu
#define ORANGE 0xff9628ffu
#define MAGENTA 0xf046e6ffu
#define CYAN 0x3cdcf0ffu
#define RED 0xfa3c32ffu
#define BLUE 0x3c78faffu

typedef struct lines {
    vrm_debug_line *items;
    uint32_t capacity, count;
} lines;

// A body's pose: transforms from body to world.
typedef struct place {
    vrm_vec3 position;
    vrm_quat rotation;
    float scale;
} place;

static void add(lines *out, vrm_vec3 from, vrm_vec3 to, uint32_t color)
{
    if (out->count < out->capacity) {
        out->items[out->count] = (vrm_debug_line){from, to, color};
    }
    ++out->count;
}

static vrm_vec3 point(const place *p, vrm_vec3 local)
{
    return vrmi_vec3_add(p->position, vrmi_quat_rotate(p->rotation, vrmi_vec3_scale(local, p->scale)));
}

// Adds the arc a * cos + b * sin about `center`, through `angle` radians.
static void add_arc(lines *out, const place *p, vrm_vec3 center, vrm_vec3 a, vrm_vec3 b, float angle, uint32_t color)
{
    vrm_vec3 last = point(p, vrmi_vec3_add(center, a));
    for (uint32_t i = 1; i <= CIRCLE; ++i) {
        float sine, cosine;
        vrmi_sincos(angle * (float)i / (float)CIRCLE, &sine, &cosine);
        const vrm_vec3 offset = vrmi_vec3_add(vrmi_vec3_scale(a, cosine), vrmi_vec3_scale(b, sine));
        const vrm_vec3 next = point(p, vrmi_vec3_add(center, offset));
        add(out, last, next, color);
        last = next;
    }
}

static void add_capsule(lines *out, const place *p, const vrm_ragdoll_shape *shape, uint32_t color)
{
    const vrm_vec3 x = vrmi_quat_rotate(shape->rotation, vrmi_vec3(shape->radius, 0, 0));
    const vrm_vec3 y = vrmi_quat_rotate(shape->rotation, vrmi_vec3(0, shape->radius, 0));
    const vrm_vec3 z = vrmi_quat_rotate(shape->rotation, vrmi_vec3(0, 0, shape->radius));
    const vrm_vec3 half = vrmi_quat_rotate(shape->rotation, vrmi_vec3(0, shape->half_length, 0));
    for (int end = -1; end <= 1; end += 2) {
        const vrm_vec3 center = vrmi_vec3_add(shape->center, vrmi_vec3_scale(half, (float)end));
        add_arc(out, p, center, x, z, 2.0f * VRMI_PI, color);
        add_arc(out, p, center, x, vrmi_vec3_scale(y, (float)end), VRMI_PI, color);
        add_arc(out, p, center, z, vrmi_vec3_scale(y, (float)end), VRMI_PI, color);
    }
    for (int side = -1; side <= 1; side += 2) {
        const vrm_vec3 sides[2] = {vrmi_vec3_scale(x, (float)side), vrmi_vec3_scale(z, (float)side)};
        for (uint32_t i = 0; i < 2; ++i) {
            const vrm_vec3 at = vrmi_vec3_add(shape->center, sides[i]);
            add(out, point(p, vrmi_vec3_sub(at, half)), point(p, vrmi_vec3_add(at, half)), color);
        }
    }
}

static void add_box(lines *out, const place *p, const vrm_ragdoll_shape *shape, uint32_t color)
{
    vrm_vec3 corners[8];
    for (uint32_t i = 0; i < 8; ++i) {
        const vrm_vec3 h = shape->half_extents;
        const vrm_vec3 corner = {(i & 1u) != 0 ? h.x : -h.x, (i & 2u) != 0 ? h.y : -h.y, (i & 4u) != 0 ? h.z : -h.z};
        corners[i] = point(p, vrmi_vec3_add(shape->center, vrmi_quat_rotate(shape->rotation, corner)));
    }
    for (uint32_t i = 0; i < 8; ++i) {
        for (uint32_t bit = 1; bit < 8; bit *= 2) {
            if ((i & bit) == 0) {
                add(out, corners[i], corners[i | bit], color);
            }
        }
    }
}

static uint32_t color_of(vrm_ragdoll_group group)
{
    switch (group) {
    case VRM_RAGDOLL_GROUP_PELVIS:
    case VRM_RAGDOLL_GROUP_TORSO:
        return YELLOW;
    case VRM_RAGDOLL_GROUP_LEFT_ARM:
    case VRM_RAGDOLL_GROUP_LEFT_LEG:
        return GREEN;
    case VRM_RAGDOLL_GROUP_RIGHT_ARM:
    case VRM_RAGDOLL_GROUP_RIGHT_LEG:
        return ORANGE;
    default:
        return WHITE;
    }
}

// Returns the end of the joint's X axis after a swing, `length` long, in the parent body's axes.
static vrm_vec3 swung(const vrm_ragdoll_joint *joint, float y, float z, float length)
{
    const float angle = vrmi_sqrt(y * y + z * z);
    const vrm_vec3 axis = vrmi_vec3_normalize_or(vrmi_vec3(0, y, z), vrmi_vec3(0, 1, 0));
    const vrm_quat swing = vrmi_quat_from_axis_angle(axis, angle);
    const vrm_vec3 direction = vrmi_quat_rotate(swing, vrmi_vec3(length, 0, 0));
    return vrmi_quat_rotate(joint->frame, direction);
}

static void add_cone(lines *out, const place *parent, const vrm_ragdoll_joint *joint, float length)
{
    const vrm_vec3 apex = point(parent, joint->anchor);
    vrm_vec3 last = {0, 0, 0};
    for (uint32_t i = 0; i <= RIM; ++i) {
        float sine, cosine;
        vrmi_sincos(2.0f * VRMI_PI * (float)i / (float)RIM, &sine, &cosine);
        const vrm_vec3 reach =
            swung(joint, joint->center_y + cosine * joint->swing_y, joint->center_z + sine * joint->swing_z, length);
        const vrm_vec3 next = point(parent, vrmi_vec3_add(joint->anchor, reach));
        if (i > 0) {
            add(out, last, next, MAGENTA);
        }
        if (i % (RIM / 4) == 0 && i < RIM) {
            add(out, apex, next, MAGENTA);
        }
        last = next;
    }
}

// Draws the arc through which the bone's tip can swing about the hinge.
static void add_hinge(lines *out, const place *parent, const vrm_ragdoll_joint *joint, vrm_vec3 direction, float length)
{
    const vrm_vec3 axis = vrmi_quat_rotate(joint->frame, vrmi_vec3(1, 0, 0));
    const vrm_vec3 flat = vrmi_vec3_sub(direction, vrmi_vec3_scale(axis, vrmi_vec3_dot(direction, axis)));
    const vrm_vec3 straight = vrmi_vec3_scale(vrmi_vec3_normalize_or(flat, vrmi_vec3(0, 0, 1)), length);
    const vrm_vec3 first = vrmi_quat_rotate(vrmi_quat_from_axis_angle(axis, joint->min_angle), straight);
    const float angle = joint->max_angle - joint->min_angle;
    const vrm_vec3 last = vrmi_quat_rotate(vrmi_quat_from_axis_angle(axis, joint->max_angle), straight);
    const vrm_vec3 apex = point(parent, joint->anchor);
    add_arc(out, parent, joint->anchor, first, vrmi_vec3_cross(axis, first), angle, CYAN);
    add(out, apex, point(parent, vrmi_vec3_add(joint->anchor, first)), CYAN);
    add(out, apex, point(parent, vrmi_vec3_add(joint->anchor, last)), CYAN);
}

static void add_joint(lines *out, const vrm_ragdoll_body *body, const place *own, const place *parent, uint32_t what)
{
    static const uint32_t colors[3] = {RED, GREEN, BLUE};
    const float length = 0.5f * vrmi_max(vrmi_vec3_length(body->shape.center), 0.02f);
    for (uint32_t axis = 0; axis < 3 && (what & VRM_RAGDOLL_LINE_JOINTS) != 0; ++axis) {
        const vrm_vec3 unit = {axis == 0 ? length : 0.0f, axis == 1 ? length : 0.0f, axis == 2 ? length : 0.0f};
        const vrm_vec3 end = vrmi_quat_rotate(body->joint.frame, unit);
        add(out, own->position, point(own, end), colors[axis]);
    }
    if ((what & VRM_RAGDOLL_LINE_LIMITS) != 0) {
        if (body->joint.type == VRM_RAGDOLL_JOINT_CONE) {
            add_cone(out, parent, &body->joint, 2.0f * length);
        } else {
            add_hinge(out, parent, &body->joint, body->shape.center, 2.0f * length);
        }
    }
}

void(vrm_ragdoll_lines_params_default)(vrm_ragdoll_lines_params *params, size_t size)
{
    const vrm_ragdoll_lines_params own = {.struct_size = sizeof own,
        .what = VRM_RAGDOLL_LINE_SHAPES | VRM_RAGDOLL_LINE_JOINTS | VRM_RAGDOLL_LINE_LIMITS,
        .scale = 1.0f};
    vrmi_write_defaults(params, size, &own, sizeof own);
}

uint32_t vrm_ragdoll_get_lines(const vrm_ragdoll_lines_params *params, vrm_debug_line *out_lines, uint32_t capacity)
{
    vrm_ragdoll_lines_params own;
    vrm_ragdoll_lines_params_default(&own);
    if (!VRM_ASSERT(params != NULL && VRMI_READ_OPTIONS(vrm_ragdoll_lines_params, &own, params))) {
        return 0;
    }
    const vrm_ragdoll_def *def = own.def;
    const vrm_ragdoll_state *states = own.states;
    const uint32_t what = own.what;
    if (!VRM_ASSERT(def != NULL && def->body_count <= VRM_RAGDOLL_MAX_BODIES && (out_lines != NULL || capacity == 0))) {
        return 0;
    }
    lines out = {out_lines, capacity, 0};
    place places[VRM_RAGDOLL_MAX_BODIES];
    for (uint32_t i = 0; i < def->body_count; ++i) {
        const vrm_ragdoll_body *body = &def->bodies[i];
        places[i] = (place){{0, 0, 0}, vrmi_quat_identity(), own.scale};
        if (states != NULL) {
            places[i].position = states[i].position;
            places[i].rotation = states[i].rotation;
        } else if (body->parent >= 0) {
            places[i].position = point(&places[body->parent], body->joint.anchor);
        }
        if ((what & VRM_RAGDOLL_LINE_SHAPES) != 0) {
            if (body->shape.type == VRM_RAGDOLL_SHAPE_CAPSULE) {
                add_capsule(&out, &places[i], &body->shape, color_of(body->group));
            } else {
                add_box(&out, &places[i], &body->shape, color_of(body->group));
            }
        }
        if (body->parent >= 0) {
            add_joint(&out, body, &places[i], &places[body->parent], what);
        }
    }
    return out.count;
}

// --- exchange ------------------------------------------------------------------------------------------------------

// Metres of line per N m, per N and per N s; the length of the longest line.
static const float PER_TORQUE = 0.01f, PER_FORCE = 0.001f, PER_IMPULSE = 0.05f, LONGEST = 0.5f;

// Adds a line, unless it is not finite or too short to be seen.
static void add_way(lines *out, vrm_vec3 from, vrm_vec3 way, uint32_t color)
{
    const vrm_vec3 to = vrmi_vec3_add(from, way);
    if (vrmi_vec3_length(way) > 1e-4f && vrmi_vec3_finite(to)) {
        add(out, from, to, color);
    }
}

static void add_arrow(lines *out, vrm_vec3 from, vrm_vec3 way, float per, uint32_t color)
{
    const vrm_vec3 sized = vrmi_vec3_scale(way, per);
    const float length = vrmi_vec3_length(sized);
    add_way(out, from, length > LONGEST ? vrmi_vec3_scale(sized, LONGEST / length) : sized, color);
}

uint32_t vrm_ragdoll_get_exchange_lines(
    const vrm_ragdoll_exchange_params *exchange, vrm_debug_line *out_lines, uint32_t capacity)
{
    if (!VRM_ASSERT(exchange != NULL && VRMI_OPTIONS_FIT(vrm_ragdoll_exchange_params, exchange) &&
                    exchange->def != NULL && exchange->targets != NULL && exchange->states != NULL &&
                    (out_lines != NULL || capacity == 0))) {
        return 0;
    }
    lines out = {out_lines, capacity, 0};
    const vrm_ragdoll_def *def = exchange->def;
    const vrm_ragdoll_target *wanted = exchange->targets->bodies;
    const vrm_dvec3 origin = exchange->targets->origin;
    for (uint32_t i = 0; i < def->body_count && i < exchange->targets->body_count; ++i) {
        const vrm_vec3 target = wanted[i].state.position, is = exchange->states[i].position;
        if (def->bodies[i].parent >= 0) {
            const vrm_vec3 above = wanted[def->bodies[i].parent].state.position;
            add_way(&out, above, vrmi_vec3_sub(target, above), BLUE);
        }
        add_way(&out, is, vrmi_vec3_sub(target, is), RED);
        if (exchange->wrenches != NULL) {
            add_arrow(&out, is, exchange->wrenches[i].torque, PER_TORQUE, MAGENTA);
            add_arrow(&out, is, exchange->wrenches[i].force, PER_FORCE, YELLOW);
        }
    }
    for (uint32_t i = 0; i < exchange->contact_count; ++i) {
        const vrm_ragdoll_contact *c = &exchange->contacts[i];
        const vrm_vec3 at = vrmi_vec3_between(origin, c->point);
        add_arrow(&out, at, vrmi_vec3_scale(c->normal, c->impulse), PER_IMPULSE, GREEN);
    }
    return out.count;
}

void(vrm_ragdoll_exchange_params_default)(vrm_ragdoll_exchange_params *exchange, size_t size)
{
    const vrm_ragdoll_exchange_params own = {.struct_size = sizeof own};
    vrmi_write_defaults(exchange, size, &own, sizeof own);
}
