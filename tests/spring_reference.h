// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef TESTS_SPRING_REFERENCE_H
#define TESTS_SPRING_REFERENCE_H

// The published spring algorithm (VRMC_springBone-1.0 with extended colliders and limits) in double precision and world
// space, written from the specification's text as plainly as can be: matrices of all nodes, angles as angles. It takes
// the avatar's description from the model's tables and shares no arithmetic with the library.

#include "model/model.h"
#include "reference_math.h"

#include <stdlib.h>
#include <string.h>

enum { REF_MAX_NODES = 128, REF_MAX_JOINTS = 64, REF_MAX_COLLIDERS = 16 };

typedef struct ref_collider {
    vrm_collider_shape shape;
    ref_vec a, b; // world; b: capsule's end, plane's normal
    double radius;
} ref_collider;

typedef struct ref_springs {
    const vrmi_model *model;
    int node_count;
    ref_vec t[REF_MAX_NODES], s[REF_MAX_NODES];
    ref_quat r[REF_MAX_NODES];
    ref_vec root_t;
    ref_quat root_r;
    double root_scale;
    ref_vec current[REF_MAX_JOINTS], previous[REF_MAX_JOINTS]; // world, or center space
    ref_vec wind;
    ref_collider world_colliders[REF_MAX_COLLIDERS]; // of the host
    int world_collider_count;
    ref_mat world[REF_MAX_NODES]; // valid up to ref_update_world()
    ref_quat rotation[REF_MAX_NODES];
} ref_springs;

static inline void ref_update_node(ref_springs *ref, int node)
{
    const int parent = vrmi_model_node_parent(ref->model)[node];
    const ref_vec scale = ref_v(ref->root_scale, ref->root_scale, ref->root_scale);
    const ref_mat above = parent >= 0 ? ref->world[parent] : ref_trs(ref->root_t, ref->root_r, scale);
    ref->world[node] = ref_mat_mul(above, ref_trs(ref->t[node], ref->r[node], ref->s[node]));
    ref->rotation[node] = ref_mul(parent >= 0 ? ref->rotation[parent] : ref->root_r, ref->r[node]);
}

static inline void ref_update_world(ref_springs *ref, int first)
{
    const int end = (int)vrmi_model_node_subtree_end(ref->model)[first];
    for (int node = first; node < end; ++node) {
        ref_update_node(ref, node);
    }
}

static inline void ref_update_all(ref_springs *ref)
{
    for (int node = 0; node < ref->node_count; ++node) {
        ref_update_node(ref, node);
    }
}

static inline ref_vec ref_position(const ref_mat *m)
{
    return ref_v(m->m[0][3], m->m[1][3], m->m[2][3]);
}

static inline ref_vec ref_linear(const ref_mat *m, ref_vec v)
{
    return ref_sub(ref_point(*m, v), ref_position(m));
}

static inline double ref_max_scale(const ref_mat *m)
{
    double largest = 0;
    for (int c = 0; c < 3; ++c) {
        largest = fmax(largest, ref_length(ref_linear(m, ref_v(c == 0, c == 1, c == 2))));
    }
    return largest;
}

// The inverse, for rotation, translation and any scale.
static inline ref_mat ref_mat_inverse(const ref_mat *a)
{
    const double(*m)[4] = a->m;
    ref_mat out;
    double c[3][3];
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            c[i][j] = m[i1][j1] * m[i2][j2] - m[i1][j2] * m[i2][j1];
        }
    }
    const double det = m[0][0] * c[0][0] + m[0][1] * c[0][1] + m[0][2] * c[0][2];
    for (int i = 0; i < 3; ++i) {
        out.m[i][3] = 0;
        for (int j = 0; j < 3; ++j) {
            out.m[i][j] = c[j][i] / det;
            out.m[i][3] -= out.m[i][j] * m[j][3];
        }
    }
    return out;
}

static inline void ref_springs_begin(ref_springs *ref, const vrmi_model *model)
{
    memset(ref, 0, sizeof(*ref));
    ref->model = model;
    ref->node_count = (int)model->node_parent.count;
    ref->root_r = (ref_quat){{0, 0, 0, 1}};
    ref->root_scale = 1;
    for (int i = 0; i < ref->node_count; ++i) {
        const vrm_transform *rest = &vrmi_model_node_rest(model)[i];
        ref->t[i] = ref_vec_of(rest->translation);
        ref->r[i] = ref_normalized(ref_quat_of(rest->rotation));
        ref->s[i] = ref_vec_of(rest->scale);
    }
}

// World positions to and from the space that a chain's tails are kept in.
static inline ref_vec ref_to_center(const ref_springs *ref, const vrmi_chain_row *chain, ref_vec p)
{
    return chain->center < 0 ? p : ref_point(ref_mat_inverse(&ref->world[chain->center]), p);
}
static inline ref_vec ref_from_center(const ref_springs *ref, const vrmi_chain_row *chain, ref_vec p)
{
    return chain->center < 0 ? p : ref_point(ref->world[chain->center], p);
}

// Rest tails in the pose at hand.
static inline void ref_springs_reset(ref_springs *ref)
{
    const vrm_spring_joint *joints = vrmi_model_spring_joint(ref->model);
    for (uint32_t j = 0; j < ref->model->spring_joint.count; ++j) {
        ref->r[joints[j].node] = ref_normalized(ref_quat_of(vrmi_model_node_rest(ref->model)[joints[j].node].rotation));
    }
    ref_update_all(ref);
    for (uint32_t c = 0; c < ref->model->spring_chain.count; ++c) {
        const vrmi_chain_row *chain = &vrmi_model_spring_chain(ref->model)[c];
        for (uint32_t j = chain->first_joint; j < chain->first_joint + chain->joint_count; ++j) {
            const ref_vec tail = ref_point(ref->world[joints[j].node], ref_vec_of(joints[j].tail));
            ref->current[j] = ref->previous[j] = ref_to_center(ref, chain, tail);
        }
    }
}

static inline ref_vec ref_limit(const vrm_spring_limit *limit, ref_quat rest, ref_vec axis, ref_vec direction)
{
    if (limit->type == VRM_SPRING_LIMIT_NONE) {
        return direction;
    }
    const ref_vec up = ref_v(0, 1, 0);
    const ref_quat turn = axis.v[1] < -1 + 1e-12 ? (ref_quat){{1, 0, 0, 0}} : ref_from_to(up, axis);
    const ref_quat space = ref_mul(ref_mul(rest, turn), ref_normalized(ref_quat_of(limit->rotation)));
    ref_vec t = ref_rotate(ref_inverse(space), direction);
    const double angle = fmin((double)limit->angle, REF_PI), yaw_max = fmin((double)limit->yaw, REF_PI / 2);
    if (limit->type == VRM_SPRING_LIMIT_CONE) {
        if (acos(fmax(-1, fmin(1, t.v[1]))) > angle) {
            const double around = atan2(t.v[2], t.v[0]);
            t = ref_v(sin(angle) * cos(around), cos(angle), sin(angle) * sin(around));
        }
    } else if (limit->type == VRM_SPRING_LIMIT_HINGE) {
        const double pitch = atan2(t.v[2], t.v[1]), kept = fmax(-angle, fmin(angle, pitch));
        t = ref_v(0, cos(kept), sin(kept));
    } else {
        const double pitch = fmax(-angle, fmin(angle, atan2(t.v[2], t.v[1])));
        const double yaw = fmax(-yaw_max, fmin(yaw_max, asin(fmax(-1, fmin(1, t.v[0])))));
        t = ref_v(sin(yaw), cos(yaw) * cos(pitch), cos(yaw) * sin(pitch));
    }
    return ref_rotate(space, t);
}

// Distance and direction as the texts give them; distance 1 where there is no direction.
static inline double ref_collide(const ref_collider *c, ref_vec tail, double hit_radius, ref_vec *out_direction)
{
    if (c->shape == VRM_COLLIDER_PLANE) {
        *out_direction = c->b;
        return ref_dot(ref_sub(tail, c->a), c->b) - hit_radius;
    }
    ref_vec d = ref_sub(tail, c->a);
    if (c->shape == VRM_COLLIDER_CAPSULE || c->shape == VRM_COLLIDER_INSIDE_CAPSULE) {
        const ref_vec span = ref_sub(c->b, c->a);
        const double dot = ref_dot(span, d), squared = ref_dot(span, span);
        if (dot > 0 && dot >= squared) {
            d = ref_sub(tail, c->b);
        } else if (dot > 0) {
            d = ref_sub(d, ref_scale(span, dot / squared));
        }
    }
    const double length = ref_length(d);
    if (length < 1e-12) {
        return 1;
    }
    const int inside = c->shape == VRM_COLLIDER_INSIDE_SPHERE || c->shape == VRM_COLLIDER_INSIDE_CAPSULE;
    *out_direction = ref_scale(d, (inside ? -1 : 1) / length);
    return inside ? c->radius - hit_radius - length : length - c->radius - hit_radius;
}

// A collider of the avatar in the world.
static inline ref_collider ref_place(const ref_springs *ref, const vrm_collider *c)
{
    const ref_mat *m = &ref->world[c->node];
    ref_collider out = {c->shape, ref_point(*m, ref_vec_of(c->offset)), ref_point(*m, ref_vec_of(c->tail)),
        (double)c->radius * ref_max_scale(m)};
    if (c->shape == VRM_COLLIDER_PLANE) {
        out.b = ref_rotate(ref->rotation[c->node], ref_unit(ref_vec_of(c->tail)));
    }
    return out;
}

static inline void ref_step_joint(ref_springs *ref, const vrmi_chain_row *chain, uint32_t j, double dt)
{
    const vrm_spring_joint *joint = &vrmi_model_spring_joint(ref->model)[j];
    const int node = (int)joint->node, parent = vrmi_model_node_parent(ref->model)[node];
    const double drag = (double)joint->params.drag_force, size = ref->root_scale;
    const ref_quat initial = ref_normalized(ref_quat_of(vrmi_model_node_rest(ref->model)[node].rotation));
    const ref_quat rest = ref_mul(parent >= 0 ? ref->rotation[parent] : ref->root_r, initial);
    const ref_vec axis = ref_unit(ref_vec_of(joint->tail));
    const double hit_radius = (double)joint->params.hit_radius * size;
    ref_update_node(ref, node);
    const ref_vec head = ref_position(&ref->world[node]);
    const double length = ref_length(ref_linear(&ref->world[node], ref_vec_of(joint->tail)));
    const ref_vec force =
        ref_add(ref_scale(ref_vec_of(joint->params.gravity_dir), (double)joint->params.gravity_power), ref->wind);
    const ref_vec inertia = ref_scale(ref_sub(ref->current[j], ref->previous[j]), 1 - drag);
    ref_vec next = ref_from_center(ref, chain, ref_add(ref->current[j], inertia));
    next = ref_add(next, ref_scale(ref_rotate(rest, axis), dt * (double)joint->params.stiffness * size));
    next = ref_add(next, ref_scale(force, dt * size));
#define REF_KEEP() \
    (next = ref_add(head, ref_scale(ref_limit(&joint->limit, rest, axis, ref_unit(ref_sub(next, head))), length)))
    REF_KEEP();
    for (uint32_t i = 0; i < chain->collider_count + (uint32_t)ref->world_collider_count; ++i) {
        const uint32_t own =
            i < chain->collider_count ? vrmi_model_chain_collider(ref->model)[chain->first_collider + i] : 0;
        const ref_collider placed = i < chain->collider_count ? ref_place(ref, &vrmi_model_collider(ref->model)[own])
                                                              : ref->world_colliders[i - chain->collider_count];
        ref_vec direction;
        const double distance = ref_collide(&placed, next, hit_radius, &direction);
        if (distance < 0) {
            next = ref_sub(next, ref_scale(direction, distance));
            REF_KEEP();
        }
    }
#undef REF_KEEP
    ref->previous[j] = ref->current[j];
    ref->current[j] = ref_to_center(ref, chain, next);
    const ref_vec to = ref_rotate(ref_inverse(rest), ref_unit(ref_sub(next, head)));
    ref->r[node] = ref_mul(initial, ref_from_to(axis, to));
    ref_update_world(ref, node);
}

// One step; `t`, `r`, `s` of nodes that are no joints and the root are this frame's.
static inline void ref_springs_step(ref_springs *ref, double dt)
{
    ref_update_all(ref);
    for (uint32_t c = 0; c < ref->model->spring_chain.count; ++c) {
        const vrmi_chain_row *chain = &vrmi_model_spring_chain(ref->model)[c];
        for (uint32_t j = chain->first_joint; j < chain->first_joint + chain->joint_count; ++j) {
            ref_step_joint(ref, chain, j, dt);
        }
    }
}

#endif
