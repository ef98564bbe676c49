// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef TESTS_SPRING_MOTIONS_H
#define TESTS_SPRING_MOTIONS_H

// Motions for judging spring time: a chain of 1, 6 or 12 joints on a head that nods, walks or turns, at any frame rate,
// against the published algorithm at a steady 60 Hz in double precision ("truth"; between its ticks by Catmull-Rom).
// The grid is every combination of the values below: 864 motions.

#include <vrm/output.h>

#include "model_fixture.h"
#include "spring_reference.h"
#include "test_random.h"

typedef enum motion_kind { MOTION_NOD_1, MOTION_NOD_3, MOTION_WALK, MOTION_TURN, MOTION_KIND_COUNT } motion_kind;

// What a motion has beside the grid's features.
typedef enum motion_extra {
    MOTION_PLAIN,
    MOTION_CAPSULE,
    MOTION_PLANE,
    MOTION_INSIDE,
    MOTION_CONE,
    MOTION_HINGE,
    MOTION_SPHERICAL,
    MOTION_CENTER,
    MOTION_BRANCH,
    MOTION_SCALE,
    MOTION_EXTRA_COUNT
} motion_extra;

static const char *const motion_extra_names[] = {"nothing", "capsule on the body", "plane", "inside sphere",
    "cone limit", "hinge limit", "spherical limit", "center on the head", "chain under a chain", "scaled nodes"};

typedef struct motion_case {
    uint32_t joints;
    float drag, stiffness, gravity;
    bool collider;
    motion_kind kind;
    motion_extra extra;
} motion_case;

enum {
    MOTION_GRID = 864,
    MOTION_SECONDS = 4,
    MOTION_TICKS = MOTION_SECONDS * 60 + 4,
    MOTION_MAX_FRAMES = MOTION_SECONDS * 300
};

// A row of the grid.
static inline motion_case motion_at(uint32_t i)
{
    static const uint32_t joints[] = {1, 6, 12};
    static const float drags[] = {0.1f, 0.4f, 0.7f, 1.0f}, stiffnesses[] = {0.2f, 1.0f, 4.0f};
    static const float gravities[] = {0.0f, 0.3f, 1.0f};
    motion_case out = {.extra = MOTION_PLAIN};
    out.kind = (motion_kind)(i % 4);
    out.collider = i / 4 % 2 != 0;
    out.gravity = gravities[i / 8 % 3];
    out.stiffness = stiffnesses[i / 24 % 3];
    out.drag = drags[i / 72 % 4];
    out.joints = joints[i / 288 % 3];
    return out;
}

// The i-th of 16 calm motions with an extra.
static inline motion_case motion_with(motion_extra extra, uint32_t i)
{
    return (motion_case){
        6, i / 4 % 2 != 0 ? 0.7f : 0.4f, i / 8 != 0 ? 4.0f : 1.0f, 0.3f, false, (motion_kind)(i % 4), extra};
}

static inline double motion_smooth(double x)
{
    x = fmax(0, fmin(1, x));
    return x * x * x * (x * (6 * x - 15) + 10);
}

static inline float motion_bone_length(uint32_t joints)
{
    return joints == 1 ? 0.1f : joints == 6 ? 0.06f : 0.04f;
}
static inline double motion_chain_length(uint32_t joints)
{
    return joints * (double)motion_bone_length(joints);
}

typedef struct motion_stage {
    fixture f;
    int32_t head;
    vrm_avatar *avatar;
    ref_vec truth[MOTION_TICKS]; // the tip at ticks 0, 1, 2, ...
} motion_stage;

// Head rotation and root position at a time.
static inline void motion_pose(motion_kind kind, double t, ref_quat *out_head, ref_vec *out_root)
{
    const double in = motion_smooth(t / 0.5);
    *out_root = ref_v(0, 0, 0);
    *out_head = (ref_quat){{0, 0, 0, 1}};
    if (kind == MOTION_NOD_1) {
        *out_head = ref_axis_angle(ref_v(1, 0, 0), 0.35 * in * sin(2 * REF_PI * t) + 1e-9);
    } else if (kind == MOTION_NOD_3) {
        *out_head = ref_axis_angle(ref_v(1, 0, 0), 0.15 * in * sin(6 * REF_PI * t) + 1e-9);
    } else if (kind == MOTION_TURN) {
        *out_head = ref_axis_angle(ref_v(0, 1, 0), REF_PI / 2 * motion_smooth((t - 0.5) / 0.5) + 1e-9);
    } else {
        // 1.3 m/s from 0.5 to 2.5 s, a third of a second to start and to stop: the integral of a trapezium.
        const double start = t - 0.5, stop = t - 2.5, ramp = 1.0 / 3;
        const double a = start < 0 ? 0 : start < ramp ? start * start / (2 * ramp) : start - ramp / 2;
        const double b = stop < 0 ? 0 : stop < ramp ? stop * stop / (2 * ramp) : stop - ramp / 2;
        const double step = motion_smooth(start / ramp) - motion_smooth(stop / ramp);
        *out_root = ref_v(0, 0.025 * step * sin(4 * REF_PI * t), 1.3 * (a - b));
    }
}

static inline void motion_add_extra(fixture *f, const motion_case *c, int32_t head, int32_t root, int32_t first)
{
    const uint32_t h = (uint32_t)head;
    if (c->extra == MOTION_CAPSULE) {
        fixture_collider(f,
            (vrm_collider){VRM_COLLIDER_CAPSULE, (uint32_t)root, {-0.2f, 1.35f, -0.06f}, {0.2f, 1.35f, -0.06f}, 0.05f});
    } else if (c->extra == MOTION_PLANE) {
        fixture_collider(f, (vrm_collider){VRM_COLLIDER_PLANE, h, {0, 0, -0.11f}, {0, 0, -1}, 0});
    } else if (c->extra == MOTION_INSIDE) {
        fixture_collider(f, (vrm_collider){VRM_COLLIDER_INSIDE_SPHERE, h, {0, -0.1f, -0.12f}, {0, 0, 0}, 0.2f});
    } else if (c->extra >= MOTION_CONE && c->extra <= MOTION_SPHERICAL) {
        for (uint32_t i = 0; i < f->builder.spring_joint.count; ++i) {
            FIXTURE_ROW(f, spring_joint, vrm_spring_joint, i)->limit = (vrm_spring_limit){
                (vrm_spring_limit_type)(VRM_SPRING_LIMIT_CONE + c->extra - MOTION_CONE), 0.1f, 0.05f, {0, 0, 0, 1}};
        }
    } else if (c->extra == MOTION_CENTER) {
        FIXTURE_ROW(f, spring_chain, vrmi_chain_row, 0)->center = head;
    } else if (c->extra == MOTION_BRANCH) {
        int32_t nodes[3];
        for (int i = 0; i < 3; ++i) {
            nodes[i] = fixture_node_add(f, i == 0 ? first : nodes[i - 1], "branch", fixture_at(0.03f, -0.05f, 0));
        }
        fixture_chain(f, nodes, 3, fixture_joint_params(c->stiffness, c->gravity, c->drag, 0.02f), -1);
    } else if (c->extra == MOTION_SCALE) {
        f->nodes[first].rest.scale = (vrm_vec3){0.7f, 0.7f, 0.7f};
    }
}

static inline void motion_stage_begin(motion_stage *stage, const motion_case *c)
{
    fixture *f = &stage->f;
    fixture_begin(f);
    const int32_t root = fixture_node_add(f, -1, "root", fixture_at(0, 0, 0));
    stage->head = fixture_node_add(f, root, "head", fixture_at(0, 1.5f, 0));
    int32_t nodes[16];
    const float length = motion_bone_length(c->joints);
    for (uint32_t i = 0; i <= c->joints; ++i) {
        nodes[i] = fixture_node_add(f, i == 0 ? stage->head : nodes[i - 1], "hair",
            i == 0 ? fixture_at(0, 0.1f, -0.1f) : fixture_at(0, -length, 0));
    }
    fixture_chain(f, nodes, c->joints + 1, fixture_joint_params(c->stiffness, c->gravity, c->drag, 0.02f), -1);
    if (c->collider) {
        fixture_collider(
            f, (vrm_collider){VRM_COLLIDER_SPHERE, (uint32_t)stage->head, {0, 0.02f, -0.01f}, {0, 0, 0}, 0.085f});
    }
    motion_add_extra(f, c, stage->head, root, nodes[0]);
    stage->avatar = fixture_finish(f);
    static ref_springs ref;
    ref_springs_begin(&ref, stage->avatar->model);
    const int head = stage->f.order[stage->head], tip = ref.node_count - 1;
    for (int i = 0; i < MOTION_TICKS; ++i) {
        motion_pose(c->kind, i / 60.0, &ref.r[head], &ref.root_t);
        if (i == 0) {
            ref_springs_reset(&ref);
        } else {
            ref_springs_step(&ref, 1.0 / 60);
        }
        stage->truth[i] = ref_position(&ref.world[tip]);
    }
}

static inline void motion_stage_end(motion_stage *stage)
{
    vrm_avatar_release(stage->avatar);
}

static inline ref_vec motion_truth_at(const motion_stage *stage, double t)
{
    const double x = t * 60;
    const int i = (int)floor(x + 1e-6);
    const double u = x - i;
    if (fabs(u) < 1e-5) {
        return stage->truth[i];
    }
    const ref_vec p1 = stage->truth[i], p2 = stage->truth[i + 1], p3 = stage->truth[i + 2];
    const ref_vec p0 = i > 0 ? stage->truth[i - 1] : p1;
    ref_vec out;
    for (int k = 0; k < 3; ++k) {
        const double a = p0.v[k], b = p1.v[k], c = p2.v[k], d = p3.v[k];
        out.v[k] = b + 0.5 * u * (c - a + u * (2 * a - 5 * b + 4 * c - d + u * (3 * (b - c) + d - a)));
    }
    return out;
}

typedef struct motion_error {
    double rms, max; // of the tip's distance from truth, over the chain's length
    double jitter;   // RMS of the tip's second difference over that of truth; frames of one length only
    double common;   // largest error at times that are ticks
} motion_error;

// Frames of 1 / rate seconds, or irregular ones of 4 to 40 ms when rate is 0.
static inline motion_error motion_run(const motion_stage *stage, const motion_case *c, int rate, vrm_spring_time time)
{
    static ref_vec shown[MOTION_MAX_FRAMES], right[MOTION_MAX_FRAMES];
    vrm_instance *instance = fixture_instance(stage->avatar);
    test_random random = test_random_make(c->joints + (uint32_t)c->kind);
    const uint32_t head = (uint32_t)stage->f.order[stage->head];
    motion_error out = {0, 0, 0, 0};
    double t = 0, sum = 0;
    int frames = 0;
    for (; frames < MOTION_MAX_FRAMES; ++frames) {
        const double dt = frames == 0 ? 0 : rate != 0 ? 1.0 / rate : (double)test_random_float(&random, 0.004f, 0.04f);
        t = rate != 0 ? (double)frames / rate : t + dt;
        if (t > MOTION_SECONDS - 0.04) {
            break;
        }
        ref_quat q;
        ref_vec p;
        motion_pose(c->kind, t, &q, &p);
        const vrm_quat rotation = {(float)q.q[0], (float)q.q[1], (float)q.q[2], (float)q.q[3]};
        vrm_instance_set_rotation(instance, head, &rotation);
        vrm_instance_set_root(instance, &(vrm_root){{p.v[0], p.v[1], p.v[2]}, {0, 0, 0, 1}, 1.0f});
        vrm_update_params params;
        vrm_update_params_default(&params);
        params.dt = (float)dt;
        params.spring_time = time;
        vrm_update(instance, &params);
        vrm_outputs outputs;
        vrm_instance_get_outputs(instance, &outputs);
        const vrm_world *tip = &outputs.world[outputs.node_count - 1];
        for (int k = 0; k < 3; ++k) {
            shown[frames].v[k] = outputs.origin[k] + (double)tip->m[k][3];
        }
        right[frames] = motion_truth_at(stage, t);
        const double error = ref_length(ref_sub(shown[frames], right[frames])) / motion_chain_length(c->joints);
        sum += error * error;
        out.max = fmax(out.max, error);
        if (fabs(t * 60 - round(t * 60)) < 1e-6) {
            out.common = fmax(out.common, error);
        }
    }
    out.rms = sqrt(sum / frames);
    double shaking = 0, truth = 0;
    for (int i = 1; i + 1 < frames; ++i) {
        const ref_vec a = ref_sub(ref_add(shown[i - 1], shown[i + 1]), ref_scale(shown[i], 2));
        const ref_vec b = ref_sub(ref_add(right[i - 1], right[i + 1]), ref_scale(right[i], 2));
        shaking += ref_dot(a, a);
        truth += ref_dot(b, b);
    }
    out.jitter = sqrt(shaking / fmax(truth, 1e-30));
    vrm_instance_destroy(instance);
    return out;
}

static inline int motion_compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The value that a part of all (0 to 1) are below. Sorts the values.
static inline double motion_percentile(double *values, int count, double part)
{
    qsort(values, (size_t)count, sizeof(*values), motion_compare);
    const int at = (int)(part * (count - 1) + 0.5);
    return values[at];
}

#endif
