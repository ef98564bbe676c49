// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "runtime/spring/kernel_spring.h"

vrm_vec3 vrmi_spring_limit_direction(const vrmi_spring_limit_data *limit, vrm_vec3 t)
{
    const float c = limit->cos_angle, s = limit->sin_angle;
    switch (limit->type) {
    case VRM_SPRING_LIMIT_CONE: {
        if (!(t.y < c)) {
            return t;
        }
        const float across = vrmi_sqrt(t.x * t.x + t.z * t.z);
        // Straight back there is no direction towards the cone: +X, so that it is the same everywhere.
        const bool straight_back = !(across > 1e-12f);
        const float scale = straight_back ? 0.0f : s / across;
        return (vrm_vec3){straight_back ? s : t.x * scale, c, t.z * scale};
    }
    case VRM_SPRING_LIMIT_HINGE: {
        const float radius = vrmi_sqrt(t.y * t.y + t.z * t.z);
        const bool on_axis = !(radius > 1e-12f); // along the hinge's axis: the rest direction
        const float y = on_axis ? 1.0f : t.y / radius, z = on_axis ? 0.0f : t.z / radius;
        return y < c ? (vrm_vec3){0.0f, c, z < 0.0f ? -s : s} : (vrm_vec3){0.0f, y, z};
    }
    case VRM_SPRING_LIMIT_SPHERICAL: {
        // pitch = atan2(z, y), yaw = asin(x), clamped one by one, without the angles themselves.
        const float radius = vrmi_sqrt(t.y * t.y + t.z * t.z);
        const bool no_pitch = !(radius > 1e-12f);
        const float cos_pitch = no_pitch ? 1.0f : t.y / radius, sin_pitch = no_pitch ? 0.0f : t.z / radius;
        const bool over = cos_pitch < c;
        const float x = vrmi_clamp(t.x, -limit->sin_yaw, limit->sin_yaw);
        const float cos_yaw = vrmi_sqrt(vrmi_max(1.0f - x * x, 0.0f));
        return (vrm_vec3){
            x, cos_yaw * (over ? c : cos_pitch), cos_yaw * (over ? (sin_pitch < 0.0f ? -s : s) : sin_pitch)};
    }
    default:
        return t;
    }
}

// From the nearest point of a sphere's middle or a capsule's line to the tail. (A sphere is a capsule without length.)
static inline vrm_vec3 from_middle(const vrmi_spring_collider *collider, vrm_vec3 from_a)
{
    if (collider->inverse == 0.0f) {
        return from_a;
    }
    const float along = vrmi_clamp(vrmi_vec3_dot(collider->b, from_a) * collider->inverse, 0.0f, 1.0f);
    return vrmi_vec3_sub(from_a, vrmi_vec3_scale(collider->b, along));
}

float vrmi_spring_distance(
    const vrmi_spring_collider *collider, vrm_vec3 tail, float hit_radius, vrm_vec3 *out_direction)
{
    const vrm_vec3 from_a = vrmi_vec3_sub(tail, collider->a);
    if (collider->side == 0.0f) {
        *out_direction = collider->b;
        return vrmi_vec3_dot(from_a, collider->b) - hit_radius;
    }
    // What keeps in has its sign turned: one formula.
    const vrm_vec3 d = from_middle(collider, from_a);
    const float length = vrmi_vec3_length(d);
    *out_direction = vrmi_vec3_scale(d, length > 1e-12f ? collider->side / length : 0.0f);
    return collider->side * (length - collider->radius) - hit_radius;
}

// Whether the tail is in a collider (or out of one that keeps in), without a square root: most are not met.
static inline bool touches(const vrmi_spring_collider *collider, vrm_vec3 tail, float hit_radius)
{
    const vrm_vec3 from_a = vrmi_vec3_sub(tail, collider->a);
    if (collider->side == 0.0f) {
        return vrmi_vec3_dot(from_a, collider->b) - hit_radius < 0.0f;
    }
    const vrm_vec3 d = from_middle(collider, from_a);
    const float squared = vrmi_vec3_dot(d, d), reach = collider->radius + collider->side * hit_radius;
    return collider->side > 0.0f ? squared < reach * reach : reach < 0.0f || reach * reach < squared;
}

static vrm_vec3 apply_limit(const vrmi_spring_bone *bone, vrm_vec3 tail)
{
    if (bone->limit == NULL) {
        return tail;
    }
    const vrm_quat from_limit = vrmi_quat_mul(bone->rest, bone->limit->rotation);
    const vrm_vec3 unit = vrmi_vec3_scale(tail, bone->inverse_length);
    const vrm_vec3 limited =
        vrmi_spring_limit_direction(bone->limit, vrmi_quat_rotate(vrmi_quat_conjugate(from_limit), unit));
    return vrmi_vec3_scale(vrmi_quat_rotate(from_limit, limited), bone->length);
}

// The bone has its length and keeps its limit; a tail on its head has no direction: the rest one.
static inline vrm_vec3 constrain(const vrmi_spring_bone *bone, vrm_vec3 rest_direction, vrm_vec3 tail)
{
    const float length = vrmi_vec3_length(tail);
    return apply_limit(bone,
        length > 1e-18f ? vrmi_vec3_scale(tail, bone->length / length) : vrmi_vec3_scale(rest_direction, bone->length));
}

// Meets one collider; true when it pushed.
static inline bool meet(const vrmi_spring_bone *bone, vrm_vec3 head, const vrmi_spring_collider *collider,
    vrm_vec3 rest_direction, vrm_vec3 *tail)
{
    const vrm_vec3 point = vrmi_vec3_add(head, *tail);
    if (!touches(collider, point, bone->hit_radius)) {
        return false;
    }
    vrm_vec3 direction;
    const float distance = vrmi_spring_distance(collider, point, bone->hit_radius, &direction);
    float way = -distance;
    if (collider->side < 0.0f) {
        // A joint bigger than the room that holds it goes to the middle; beyond it would swing through every step.
        const float to_middle = collider->radius - bone->hit_radius - distance;
        way = vrmi_min(way, to_middle);
    }
    *tail = constrain(bone, rest_direction, vrmi_vec3_add(*tail, vrmi_vec3_scale(direction, way)));
    return true;
}

static inline bool meet_all(const vrmi_spring_bone *bone, vrm_vec3 head, const vrmi_spring_contacts *contacts,
    vrm_vec3 rest_direction, vrm_vec3 *tail)
{
    bool hit = false;
    for (uint32_t i = 0; i < contacts->count; ++i) {
        hit |= meet(bone, head, &contacts->colliders[contacts->indices[i]], rest_direction, tail);
    }
    for (uint32_t i = 0; i < contacts->host_count; ++i) {
        const vrmi_spring_collider *collider = &contacts->host[i];
        if (collider->chain == -1 || collider->chain == contacts->chain) {
            hit |= meet(bone, head, collider, rest_direction, tail);
        }
    }
    return hit;
}

// Inertia, stiffness and forces: how far the tail wants to go.
static inline vrm_vec3 wish(const vrmi_spring_bone *bone, vrm_vec3 rest_direction, float dt)
{
    const vrm_vec3 inertia = vrmi_vec3_scale(bone->velocity, bone->keep);
    const vrm_vec3 stiffness = vrmi_vec3_scale(rest_direction, dt * bone->stiffness);
    return vrmi_vec3_add(vrmi_vec3_add(inertia, stiffness), vrmi_vec3_scale(bone->force, dt));
}

vrm_vec3 vrmi_spring_solve(const vrmi_spring_bone *bone, const vrmi_spring_contacts *contacts, float dt, bool *out_hit)
{
    const vrm_vec3 rest_direction = vrmi_quat_rotate(bone->rest, bone->axis);
    vrm_vec3 tail = constrain(bone, rest_direction, vrmi_vec3_add(bone->base, wish(bone, rest_direction, dt)));
    *out_hit = meet_all(bone, bone->head, contacts, rest_direction, &tail);
    return tail;
}

void vrmi_spring_lead(vrmi_spring_bone *bone, const vrmi_spring_contacts *contacts, float dt, float part, bool hit)
{
    const vrm_vec3 rest_direction = vrmi_quat_rotate(bone->rest, bone->axis);
    const vrm_vec3 way = vrmi_vec3_sub(bone->base, bone->tail);
    const vrm_vec3 start = vrmi_vec3_add(bone->tail, vrmi_vec3_scale(way, part));
    vrm_vec3 tail = constrain(bone, rest_direction, vrmi_vec3_add(start, wish(bone, rest_direction, dt)));
    if (hit) {
        // Where it lies on something the way into that would be taken for a motion. The end of both ticks serves: what
        // lies still has no other place.
        (void)meet_all(bone, bone->head, contacts, rest_direction, &tail);
    }
    bone->first_base = bone->base;
    bone->velocity = vrmi_vec3_sub(tail, start);
    bone->tail = tail;
    bone->base = vrmi_vec3_add(tail, vrmi_vec3_scale(way, 1.0f - part));
}

vrm_vec3 vrmi_spring_skim(vrmi_spring_bone *bone, float dt, float lead, float part, bool hit)
{
    const vrmi_spring_contacts none = {.count = 0};
    if (!hit) {
        if (lead > 0.0f) {
            vrmi_spring_lead(bone, &none, dt, lead, false);
        }
        return vrmi_spring_look_ahead(bone, &none, dt, part, false);
    }
    const float ticks = lead > 0.0f ? 1.0f + part : part;
    const vrm_vec3 sliding = vrmi_vec3_add(bone->base, vrmi_vec3_scale(bone->velocity, ticks));
    return constrain(bone, vrmi_quat_rotate(bone->rest, bone->axis), sliding);
}

vrm_vec3 vrmi_spring_look_ahead(
    const vrmi_spring_bone *bone, const vrmi_spring_contacts *contacts, float dt, float part, bool hit)
{
    const vrm_vec3 rest_direction = vrmi_quat_rotate(bone->rest, bone->axis);
    const vrm_vec3 whole = wish(bone, rest_direction, dt);
    const vrm_vec3 seen = constrain(bone, rest_direction, vrmi_vec3_add(bone->base, vrmi_vec3_scale(whole, part)));
    if (contacts->count + contacts->host_count == 0) {
        return seen;
    }
    // In contact a plain part of a step flickers by half a millimetre: go part of the way to where the whole tick will
    // end, the head and the colliders going on as since the last one.
    const vrm_vec3 way_so_far = vrmi_vec3_sub(bone->tail, bone->base);
    const vrm_vec3 head_way = vrmi_vec3_scale(way_so_far, 1.0f / part);
    const vrm_vec3 head = contacts->ahead ? vrmi_vec3_add(bone->head, vrmi_vec3_sub(head_way, way_so_far)) : bone->head;
    vrm_vec3 end = constrain(bone, rest_direction, vrmi_vec3_sub(vrmi_vec3_add(bone->tail, whole), head_way));
    if (!meet_all(bone, head, contacts, rest_direction, &end) && !hit) {
        return seen;
    }
    const vrm_vec3 way = vrmi_vec3_sub(end, bone->tail);
    return constrain(bone, rest_direction, vrmi_vec3_add(bone->tail, vrmi_vec3_scale(way, part)));
}
