// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "naive_springs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- basic mathematics -------------------------------------------------------------------------------------------

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

static vrm_vec3 transform_direction(const float *m, vrm_vec3 v)
{
    return (vrm_vec3){m[0] * v.x + m[4] * v.y + m[8] * v.z, m[1] * v.x + m[5] * v.y + m[9] * v.z,
        m[2] * v.x + m[6] * v.y + m[10] * v.z};
}

static void compose(const vrm_transform *rest, vrm_quat q, float *m)
{
    const float x = q.x, y = q.y, z = q.z, w = q.w;
    const vrm_vec3 t = rest->translation, s = rest->scale;
    const float matrix[16] = {s.x * (1 - 2 * (y * y + z * z)), s.x * 2 * (x * y + w * z), s.x * 2 * (x * z - w * y), 0,
        s.y * 2 * (x * y - w * z), s.y * (1 - 2 * (x * x + z * z)), s.y * 2 * (y * z + w * x), 0,
        s.z * 2 * (x * z + w * y), s.z * 2 * (y * z - w * x), s.z * (1 - 2 * (x * x + y * y)), 0, t.x, t.y, t.z, 1};
    memcpy(m, matrix, sizeof(matrix));
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

// Returns the rotation of a matrix without shear.
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
    const vrm_vec3 x = {m[0], m[1], m[2]}, y = {m[4], m[5], m[6]}, z = {m[8], m[9], m[10]}, t = {m[12], m[13], m[14]};
    const vrm_vec3 yz = cross(y, z);
    const float factor = 1.0f / dot(x, yz);
    const vrm_vec3 a = scale(yz, factor), b = scale(cross(z, x), factor), c = scale(cross(x, y), factor);
    const float inverse[16] = {
        a.x, b.x, c.x, 0, a.y, b.y, c.y, 0, a.z, b.z, c.z, 0, -dot(a, t), -dot(b, t), -dot(c, t), 1};
    memcpy(out, inverse, sizeof(inverse));
}

// --- springs -------------------------------------------------------------------------------------------------------

static void make_joint(naive_springs *out, const vrm_spring_chain *chain, const vrm_spring_joint *joint)
{
    const vrm_vec3 axis = normalize(joint->tail), up = {0, 1, 0};
    const vrm_quat turn = axis.y < -0.999999f ? (vrm_quat){1, 0, 0, 0} : from_to(up, axis);
    out->joints[out->joint_count++] = (naive_joint){.node = (int)joint->node,
        .center = chain->center,
        .stiffness = joint->params.stiffness,
        .gravity_power = joint->params.gravity_power,
        .drag = joint->params.drag_force,
        .hit_radius = joint->params.hit_radius,
        .gravity_dir = joint->params.gravity_dir,
        .bone_axis = axis,
        .tail_length = length(joint->tail),
        .limit = joint->limit,
        .limit_space = mul(turn, joint->limit.rotation),
        .first_collider = (int)chain->first_collider,
        .collider_count = (int)chain->collider_count};
}

static bool is_joint(const naive_springs *springs, int node)
{
    for (int i = 0; i < springs->joint_count; ++i) {
        if (springs->joints[i].node == node) {
            return true;
        }
    }
    return false;
}

// Lists the nodes between a joint and the joint above it. The list is empty if there is no joint above.
static void find_between(naive_springs *out, naive_joint *joint, int *count)
{
    int above = out->nodes[joint->node].parent, length = 0;
    while (above >= 0 && !is_joint(out, above)) {
        above = out->nodes[above].parent;
        ++length;
    }
    joint->first_between = *count;
    if (above < 0) {
        return;
    }
    joint->between_count = length;
    *count += length;
    for (int node = out->nodes[joint->node].parent; length > 0; node = out->nodes[node].parent) {
        out->between[joint->first_between + --length] = node;
    }
}

bool naive_springs_make(naive_springs *out, const vrm_avatar *avatar)
{
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(avatar, &counts);
    *out = (naive_springs){.collider_indices = vrm_avatar_get_chain_colliders(avatar),
        .node_count = (int)counts.nodes,
        .collider_count = (int)counts.colliders};
    out->joints = calloc(counts.spring_joints + 1, sizeof(*out->joints));
    out->nodes = calloc(counts.nodes, sizeof(*out->nodes));
    out->colliders = calloc(counts.colliders + 1, sizeof(*out->colliders));
    out->between = calloc(counts.nodes, sizeof(*out->between));
    out->world = calloc(counts.nodes, sizeof(*out->world));
    out->rotations = calloc(counts.nodes, sizeof(*out->rotations));
    if (out->joints == NULL || out->nodes == NULL || out->colliders == NULL || out->between == NULL ||
        out->world == NULL || out->rotations == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < counts.nodes; ++i) {
        vrm_node node = {.struct_size = sizeof node};
        (void)vrm_avatar_get_node(avatar, i, &node);
        out->nodes[i] = (naive_node){node.parent, node.rest};
    }
    for (uint32_t i = 0; i < counts.colliders; ++i) {
        vrm_collider c = {.struct_size = sizeof c};
        (void)vrm_avatar_get_collider(avatar, i, &c);
        out->colliders[i] = (naive_collider){(int)c.node, c.shape, c.offset, c.tail, c.radius, c.radius};
    }
    bool known = true;
    for (uint32_t chain = 0; chain < counts.spring_chains; ++chain) {
        vrm_spring_chain row = {.struct_size = sizeof row};
        (void)vrm_avatar_get_spring_chain(avatar, chain, &row);
        for (uint32_t i = 0; i < row.joint_count; ++i) {
            vrm_spring_joint joint = {.struct_size = sizeof joint};
            (void)vrm_avatar_get_spring_joint(avatar, row.first_joint + i, &joint);
            make_joint(out, &row, &joint);
            known = known && out->nodes[joint.node].parent >= 0;
        }
    }
    int between_count = 0;
    for (int i = 0; i < out->joint_count; ++i) {
        find_between(out, &out->joints[i], &between_count);
    }
    return known;
}

void naive_springs_free(naive_springs *springs)
{
    free(springs->joints);
    free(springs->nodes);
    free(springs->colliders);
    free(springs->between);
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
    }
}

// Whether the axes of a matrix have equal lengths and right angles between them.
static bool is_even(const float *m)
{
    const vrm_vec3 x = {m[0], m[1], m[2]}, y = {m[4], m[5], m[6]}, z = {m[8], m[9], m[10]};
    const float square = dot(x, x), most = 1e-4f * square;
    return fabsf(dot(y, y) - square) < most && fabsf(dot(z, z) - square) < most && fabsf(dot(x, y)) < most &&
           fabsf(dot(y, z)) < most && fabsf(dot(z, x)) < most;
}

void naive_springs_rest(naive_springs *springs)
{
    for (int i = 0; i < springs->collider_count; ++i) {
        naive_collider *c = &springs->colliders[i];
        const float *m = springs->world[c->node];
        const float x = length((vrm_vec3){m[0], m[1], m[2]}), y = length((vrm_vec3){m[4], m[5], m[6]});
        c->world_radius = c->radius * fmaxf(fmaxf(x, y), length((vrm_vec3){m[8], m[9], m[10]}));
    }
    for (int i = 0; i < springs->joint_count; ++i) {
        naive_joint *joint = &springs->joints[i];
        const float *world = springs->world[joint->node];
        const vrm_vec3 bone = transform_direction(world, scale(joint->bone_axis, joint->tail_length));
        vrm_vec3 tail = add(bone, (vrm_vec3){world[12], world[13], world[14]});
        joint->bone_length = length(bone);
        joint->uneven = !is_even(world);
        if (joint->center >= 0) {
            float inverse[16];
            invert(springs->world[joint->center], inverse);
            tail = transform(inverse, tail);
        }
        joint->current_tail = joint->previous_tail = tail;
    }
}

// The pose of a joint in this step.
typedef struct naive_pose {
    vrm_vec3 head;
    float initial[16], inverse[16]; // `initial` is the joint's world matrix with its initial rotation
    vrm_quat limit_space;           // world
} naive_pose;

// Returns a direction within the joint's limit (VRMC_springBone_limit-1.0-draft).
static vrm_vec3 limited(const naive_joint *joint, const naive_pose *pose, vrm_vec3 direction)
{
    const vrm_quat q = pose->limit_space;
    const float angle = joint->limit.angle;
    vrm_vec3 t = rotate((vrm_quat){-q.x, -q.y, -q.z, q.w}, direction);
    if (joint->limit.type == VRM_SPRING_LIMIT_CONE) {
        if (acosf(fmaxf(-1.0f, fminf(1.0f, t.y))) > angle) {
            const float around = atan2f(t.z, t.x);
            t = (vrm_vec3){sinf(angle) * cosf(around), cosf(angle), sinf(angle) * sinf(around)};
        }
    } else if (joint->limit.type == VRM_SPRING_LIMIT_HINGE) {
        const float pitch = fmaxf(-angle, fminf(angle, atan2f(t.z, t.y)));
        t = (vrm_vec3){0, cosf(pitch), sinf(pitch)};
    } else {
        const float most = joint->limit.yaw;
        const float pitch = fmaxf(-angle, fminf(angle, atan2f(t.z, t.y)));
        const float yaw = fmaxf(-most, fminf(most, asinf(fmaxf(-1.0f, fminf(1.0f, t.x)))));
        t = (vrm_vec3){sinf(yaw), cosf(yaw) * cosf(pitch), cosf(yaw) * sinf(pitch)};
    }
    return rotate(q, t);
}

// Returns the tail at the bone's length from the head, within the limit.
static vrm_vec3 constrain(const naive_joint *joint, const naive_pose *pose, vrm_vec3 tail)
{
    vrm_vec3 direction = normalize(sub(tail, pose->head));
    if (joint->limit.type != VRM_SPRING_LIMIT_NONE) {
        direction = limited(joint, pose, direction);
    }
    const float bone_length =
        joint->uneven ? joint->tail_length / length(transform_direction(pose->inverse, direction)) : joint->bone_length;
    return add(pose->head, scale(direction, bone_length));
}

static vrm_vec3 collide(const naive_springs *springs, const naive_joint *joint, const naive_pose *pose, vrm_vec3 tail)
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
            distance = c->world_radius - joint->hit_radius - length(delta);
        } else {
            direction = normalize(delta);
            distance = length(delta) - c->world_radius - joint->hit_radius;
        }
        if (distance < 0) {
            tail = constrain(joint, pose, sub(tail, scale(direction, distance)));
        }
    }
    return tail;
}

static void place_node(naive_springs *springs, int node, vrm_quat rotation)
{
    float local[16];
    compose(&springs->nodes[node].rest, rotation, local);
    multiply(springs->world[springs->nodes[node].parent], local, springs->world[node]);
}

static void step_joint(naive_springs *springs, naive_joint *joint, float dt)
{
    for (int i = 0; i < joint->between_count; ++i) {
        const int node = springs->between[joint->first_between + i];
        place_node(springs, node, springs->nodes[node].rest.rotation);
    }
    const naive_node *node = &springs->nodes[joint->node];
    const vrm_quat rest_rotation = node->rest.rotation;
    const float *parent = springs->world[node->parent];
    naive_pose pose = {.head = transform(parent, node->rest.translation)};
    float local[16], inverse[16];
    compose(&node->rest, rest_rotation, local);
    multiply(parent, local, pose.initial);
    invert(pose.initial, pose.inverse);
    if (joint->limit.type != VRM_SPRING_LIMIT_NONE) {
        pose.limit_space = mul(rotation_of(pose.initial), joint->limit_space);
    }
    vrm_vec3 current = joint->current_tail, previous = joint->previous_tail;
    if (joint->center >= 0) {
        current = transform(springs->world[joint->center], current);
        previous = transform(springs->world[joint->center], previous);
    }
    const vrm_vec3 rest = normalize(transform_direction(pose.initial, joint->bone_axis));
    const vrm_vec3 inertia = scale(sub(current, previous), 1.0f - joint->drag);
    const vrm_vec3 stiffness = scale(rest, dt * joint->stiffness);
    const vrm_vec3 external = scale(joint->gravity_dir, dt * joint->gravity_power);
    vrm_vec3 next = constrain(joint, &pose, add(add(add(current, inertia), stiffness), external));
    next = collide(springs, joint, &pose, next);
    joint->previous_tail = current;
    joint->current_tail = next;
    if (joint->center >= 0) {
        invert(springs->world[joint->center], inverse);
        joint->previous_tail = transform(inverse, current);
        joint->current_tail = transform(inverse, next);
    }
    // to = (next * inverse(parent.world * initial local)).normalized
    const vrm_vec3 to = normalize(transform(pose.inverse, next));
    springs->rotations[joint->node] = mul(rest_rotation, from_to(joint->bone_axis, to));
    place_node(springs, joint->node, springs->rotations[joint->node]);
}

void naive_springs_step(naive_springs *springs, float dt)
{
    for (int i = 0; i < springs->joint_count; ++i) {
        step_joint(springs, &springs->joints[i], dt);
    }
}

double naive_springs_difference(const naive_springs *springs, const vrm_outputs *outputs)
{
    double most = 0.0;
    for (int i = 0; i < springs->joint_count; ++i) {
        const naive_joint *joint = &springs->joints[i];
        const vrm_vec3 tail = scale(joint->bone_axis, joint->tail_length);
        const vrm_vec3 here = transform(springs->world[joint->node], tail);
        const float(*m)[4] = outputs->world[joint->node].m;
        const vrm_vec3 there = {m[0][0] * tail.x + m[0][1] * tail.y + m[0][2] * tail.z + m[0][3],
            m[1][0] * tail.x + m[1][1] * tail.y + m[1][2] * tail.z + m[1][3],
            m[2][0] * tail.x + m[2][1] * tail.y + m[2][2] * tail.z + m[2][3]};
        most = fmax(most, (double)length(sub(here, there)));
    }
    return most;
}
