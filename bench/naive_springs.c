// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "naive_springs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- the usual mathematics -----------------------------------------------------------------------------------------

static vrm_vec3 add(vrm_vec3 a, vrm_vec3 b)
{
    return (vrm_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}
static vrm_vec3 sub(vrm_vec3 a, vrm_vec3 b)
{
    return (vrm_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}
static vrm_vec3 scale(vrm_vec3 a, float s)
{
    return (vrm_vec3){a.x * s, a.y * s, a.z * s};
}
static float dot(vrm_vec3 a, vrm_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static float length(vrm_vec3 a)
{
    return sqrtf(dot(a, a));
}

static vrm_vec3 cross(vrm_vec3 a, vrm_vec3 b)
{
    return (vrm_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static vrm_vec3 normalize(vrm_vec3 a)
{
    const float l = length(a);
    return l > 0.0f ? scale(a, 1.0f / l) : a;
}

static vrm_quat mul(vrm_quat a, vrm_quat b)
{
    return (vrm_quat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

static vrm_vec3 rotate(vrm_quat q, vrm_vec3 v)
{
    const vrm_vec3 axis = {q.x, q.y, q.z};
    const vrm_vec3 t = scale(cross(axis, v), 2.0f);
    return add(add(v, scale(t, q.w)), cross(axis, t));
}

static vrm_quat from_to(vrm_vec3 a, vrm_vec3 b)
{
    const vrm_vec3 c = cross(a, b);
    const vrm_quat q = {c.x, c.y, c.z, 1.0f + dot(a, b)};
    const float l = sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return (vrm_quat){q.x / l, q.y / l, q.z / l, q.w / l};
}

static vrm_vec3 transform(const float *m, vrm_vec3 p)
{
    return (vrm_vec3){m[0] * p.x + m[4] * p.y + m[8] * p.z + m[12], m[1] * p.x + m[5] * p.y + m[9] * p.z + m[13],
        m[2] * p.x + m[6] * p.y + m[10] * p.z + m[14]};
}

static void compose(vrm_vec3 t, vrm_quat q, float *m)
{
    const float x = q.x, y = q.y, z = q.z, w = q.w;
    const float rotation[16] = {1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y), 0,
        2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x), 0, 2 * (x * z + w * y), 2 * (y * z - w * x),
        1 - 2 * (x * x + y * y), 0, t.x, t.y, t.z, 1};
    memcpy(m, rotation, sizeof(rotation));
}

static void multiply(const float *a, const float *b, float *out)
{
    for (int c = 0; c < 4; ++c) {
        for (int r = 0; r < 4; ++r) {
            float sum = 0.0f;
            for (int k = 0; k < 4; ++k) {
                sum += a[4 * k + r] * b[4 * c + k];
            }
            out[4 * c + r] = sum;
        }
    }
}

// Of a matrix without shear.
static vrm_quat rotation_of(const float *m)
{
    const vrm_vec3 x = normalize((vrm_vec3){m[0], m[1], m[2]}), y = normalize((vrm_vec3){m[4], m[5], m[6]});
    const vrm_vec3 z = normalize((vrm_vec3){m[8], m[9], m[10]});
    const float trace = x.x + y.y + z.z;
    if (trace > 0) {
        const float s = 0.5f / sqrtf(trace + 1.0f);
        return (vrm_quat){(y.z - z.y) * s, (z.x - x.z) * s, (x.y - y.x) * s, 0.25f / s};
    }
    if (x.x > y.y && x.x > z.z) {
        const float s = 2.0f * sqrtf(1.0f + x.x - y.y - z.z);
        return (vrm_quat){0.25f * s, (y.x + x.y) / s, (z.x + x.z) / s, (y.z - z.y) / s};
    }
    if (y.y > z.z) {
        const float s = 2.0f * sqrtf(1.0f + y.y - x.x - z.z);
        return (vrm_quat){(y.x + x.y) / s, 0.25f * s, (z.y + y.z) / s, (z.x - x.z) / s};
    }
    const float s = 2.0f * sqrtf(1.0f + z.z - x.x - y.y);
    return (vrm_quat){(z.x + x.z) / s, (z.y + y.z) / s, 0.25f * s, (x.y - y.x) / s};
}

static void invert(const float *m, float *out)
{
    const vrm_quat q = rotation_of(m);
    const vrm_quat back = {-q.x, -q.y, -q.z, q.w};
    const vrm_vec3 t = rotate(back, (vrm_vec3){-m[12], -m[13], -m[14]});
    compose(t, back, out);
}

// --- springs -------------------------------------------------------------------------------------------------------

int naive_springs_make(naive_springs *out, const vrm_avatar *avatar)
{
    vrm_avatar_counts counts;
    vrm_avatar_get_counts(avatar, &counts);
    *out = (naive_springs){.collider_indices = vrm_avatar_chain_colliders(avatar)};
    out->joints = calloc(counts.spring_joints + 1, sizeof(*out->joints));
    out->colliders = calloc(counts.colliders + 1, sizeof(*out->colliders));
    out->world = calloc(counts.nodes, sizeof(*out->world));
    out->rotations = calloc(counts.nodes, sizeof(*out->rotations));
    int known = out->joints != NULL && out->colliders != NULL && out->world != NULL && out->rotations != NULL;
    for (uint32_t i = 0; known && i < counts.colliders; ++i) {
        vrm_collider c;
        (void)vrm_avatar_get_collider(avatar, i, &c);
        out->colliders[i] = (naive_collider){(int)c.node, c.shape, c.offset, c.tail, c.radius};
    }
    for (uint32_t chain = 0; known && chain < counts.spring_chains; ++chain) {
        vrm_spring_chain row;
        (void)vrm_avatar_get_spring_chain(avatar, chain, &row);
        for (uint32_t i = 0; i < row.joint_count; ++i) {
            vrm_spring_joint joint;
            vrm_node node;
            (void)vrm_avatar_get_spring_joint(avatar, row.first_joint + i, &joint);
            (void)vrm_avatar_get_node(avatar, joint.node, &node);
            known = known && joint.limit.type == VRM_SPRING_LIMIT_NONE && node.parent >= 0;
            out->joints[out->joint_count++] = (naive_joint){.node = (int)joint.node,
                .parent = node.parent,
                .center = row.center,
                .stiffness = joint.params.stiffness,
                .gravity_power = joint.params.gravity_power,
                .drag = joint.params.drag_force,
                .hit_radius = joint.params.hit_radius,
                .gravity_dir = joint.params.gravity_dir,
                .rest_rotation = node.rest.rotation,
                .rest_translation = node.rest.translation,
                .bone_axis = normalize(joint.tail),
                .bone_length = length(joint.tail),
                .first_collider = (int)row.first_collider,
                .collider_count = (int)row.collider_count};
        }
    }
    return known;
}

void naive_springs_free(naive_springs *springs)
{
    free(springs->joints);
    free(springs->colliders);
    free(springs->world);
    free(springs->rotations);
    *springs = (naive_springs){.joint_count = 0};
}

void naive_springs_place(naive_springs *springs, const vrm_outputs *outputs)
{
    for (uint32_t i = 0; i < outputs->node_count; ++i) {
        for (int r = 0; r < 3; ++r) {
            for (int c = 0; c < 4; ++c) {
                springs->world[i][4 * c + r] = outputs->world[i].m[r][c];
            }
        }
        springs->world[i][15] = 1.0f;
        springs->rotations[i] = outputs->local[i].rotation;
    }
    for (int i = 0; i < springs->joint_count; ++i) {
        naive_joint *joint = &springs->joints[i];
        vrm_vec3 tail = transform(springs->world[joint->node], scale(joint->bone_axis, joint->bone_length));
        if (joint->center >= 0) {
            float inverse[16];
            invert(springs->world[joint->center], inverse);
            tail = transform(inverse, tail);
        }
        joint->current_tail = joint->previous_tail = tail;
    }
}

static vrm_vec3 collide(const naive_springs *springs, const naive_joint *joint, vrm_vec3 head, vrm_vec3 tail)
{
    for (int i = 0; i < joint->collider_count; ++i) {
        const naive_collider *c = &springs->colliders[springs->collider_indices[joint->first_collider + i]];
        const vrm_vec3 start = transform(springs->world[c->node], c->offset);
        vrm_vec3 delta = sub(tail, start), direction;
        float distance;
        if (c->shape == VRM_COLLIDER_CAPSULE || c->shape == VRM_COLLIDER_INSIDE_CAPSULE) {
            const vrm_vec3 along = sub(transform(springs->world[c->node], c->tail), start);
            const float t = dot(along, delta);
            if (t >= dot(along, along)) {
                delta = sub(delta, along);
            } else if (t > 0) {
                delta = sub(delta, scale(along, t / dot(along, along)));
            }
        }
        if (c->shape == VRM_COLLIDER_PLANE) {
            direction = normalize(rotate(rotation_of(springs->world[c->node]), c->tail));
            distance = dot(delta, direction) - joint->hit_radius;
        } else if (c->shape == VRM_COLLIDER_INSIDE_SPHERE || c->shape == VRM_COLLIDER_INSIDE_CAPSULE) {
            direction = scale(normalize(delta), -1.0f);
            distance = c->radius - joint->hit_radius - length(delta);
        } else {
            direction = normalize(delta);
            distance = length(delta) - c->radius - joint->hit_radius;
        }
        if (distance < 0) {
            tail = sub(tail, scale(direction, distance));
            tail = add(head, scale(normalize(sub(tail, head)), joint->bone_length));
        }
    }
    return tail;
}

static void step_joint(naive_springs *springs, naive_joint *joint, float dt)
{
    const float *parent = springs->world[joint->parent];
    float *world = springs->world[joint->node], local[16], inverse[16];
    const vrm_vec3 head = transform(parent, joint->rest_translation);
    vrm_vec3 current = joint->current_tail, previous = joint->previous_tail;
    if (joint->center >= 0) {
        current = transform(springs->world[joint->center], current);
        previous = transform(springs->world[joint->center], previous);
    }
    const vrm_quat rest = mul(rotation_of(parent), joint->rest_rotation);
    const vrm_vec3 inertia = scale(sub(current, previous), 1.0f - joint->drag);
    const vrm_vec3 stiffness = scale(rotate(rest, joint->bone_axis), dt * joint->stiffness);
    const vrm_vec3 external = scale(joint->gravity_dir, dt * joint->gravity_power);
    vrm_vec3 next = add(add(add(current, inertia), stiffness), external);
    next = add(head, scale(normalize(sub(next, head)), joint->bone_length));
    next = collide(springs, joint, head, next);
    joint->previous_tail = current;
    joint->current_tail = next;
    if (joint->center >= 0) {
        invert(springs->world[joint->center], inverse);
        joint->previous_tail = transform(inverse, current);
        joint->current_tail = transform(inverse, next);
    }
    // to = (next * inverse(parent.world * initial local)).normalized
    float initial[16];
    compose(joint->rest_translation, joint->rest_rotation, local);
    multiply(parent, local, initial);
    invert(initial, inverse);
    const vrm_vec3 to = normalize(transform(inverse, next));
    springs->rotations[joint->node] = mul(joint->rest_rotation, from_to(joint->bone_axis, to));
    compose(joint->rest_translation, springs->rotations[joint->node], local);
    multiply(parent, local, world);
}

void naive_springs_step(naive_springs *springs, float dt)
{
    for (int i = 0; i < springs->joint_count; ++i) {
        step_joint(springs, &springs->joints[i], dt);
    }
}
