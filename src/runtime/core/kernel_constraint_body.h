// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The kernel of kernel_constraint.h over `real`. The including file defines VRMI_CONSTRAINT_KERNEL, its result type and
// name.

#include "math/mat34.h"
#include "math/real_vector.h"

#include "math/constraint_body.h"
#include "math/series.h"
#include "runtime/core/kernel_constraint.h"
#include "runtime/core/kernel_matrix.h"

// Returns the same as vrmi_atan2(), for arguments that are not negative and not both 0. The computation in double is in
// loops without branches, which compilers vectorize: k is 0 or 1, and its products are exact.
VRMI_SIMD_INLINE real angle_of(real sine, real cosine)
{
    float less[WIDTH], more[WIDTH], flat[WIDTH], steep[WIDTH];
    double ratio[WIDTH], k[WIDTH], t[WIDTH], sum[WIDTH];
    STORE(less, MIN(cosine, sine));
    STORE(more, MAX(sine, cosine));
    for (int i = 0; i < WIDTH; ++i) {
        ratio[i] = (double)less[i] / (double)more[i];
    }
    for (int i = 0; i < WIDTH; ++i) {
        k[i] = ratio[i] > vrmi_tan_pi_8 ? 1.0 : 0.0;
    }
    for (int i = 0; i < WIDTH; ++i) {
        t[i] = (ratio[i] - k[i]) / (k[i] * ratio[i] + 1.0);
        sum[i] = 0.0;
    }
    for (int n = VRMI_ATAN_TERMS - 1; n >= 0; --n) {
        for (int i = 0; i < WIDTH; ++i) {
            sum[i] = vrmi_atan_terms[n] + t[i] * t[i] * sum[i];
        }
    }
    for (int i = 0; i < WIDTH; ++i) {
        const double angle = k[i] * (0.5 * vrmi_half_pi) + t[i] * sum[i];
        flat[i] = (float)angle;
        steep[i] = (float)(vrmi_half_pi - angle);
    }
    return SELECT(LT(cosine, sine), LOAD(steep), LOAD(flat));
}

// Returns the same sine as vrmi_sincos(), for angles from 0 to 90 degrees. Above 45 degrees it is the cosine of the
// complement. No float is close enough to 45 degrees for vrmi_sincos() to round to the other case.
VRMI_SIMD_INLINE real sine_of(real angle)
{
    const mask is_near = LT(angle, ALL(0.25f * VRMI_PI));
    float x[WIDTH], k[WIDTH], sine[WIDTH], cosine[WIDTH];
    STORE(x, angle);
    STORE(k, SELECT(is_near, ALL(0.0f), ALL(1.0f)));
    for (int i = 0; i < WIDTH; ++i) {
        const double r = vrmi_series_reduce((double)x[i], (double)k[i]);
        sine[i] = (float)vrmi_series_sin(r);
        cosine[i] = (float)vrmi_series_cos(r);
    }
    return SELECT(is_near, LOAD(sine), LOAD(cosine));
}

// The same as vrmi_quat_slerp().
VRMI_SIMD_INLINE q4 slerp(q4 a, q4 b, real t)
{
    const real one = ALL(1.0f), dot = q4_dot(a, b);
    const real side = SELECT(LT(dot, ALL(0.0f)), ALL(-1.0f), one), cosine = MUL(dot, side);
    const real squared = SUB(one, MUL(cosine, cosine)), rest = SUB(one, t);
    const mask is_apart = LT(ALL(1e-6f), squared);
    const real angle = angle_of(SQRT(squared), cosine);
    const real from = SELECT(is_apart, sine_of(MUL(rest, angle)), rest);
    const real to = SELECT(is_apart, sine_of(MUL(t, angle)), t);
    return q4_normalize(q4_add(q4_scale(a, from), q4_scale(q4_scale(b, side), to)));
}

// Computes the directions from the nodes to their sources, and reads the rotations of the nodes' parents.
static void get_aims(const vrm_instance *instance, const vrmi_constraint_row *const constraints[WIDTH],
    float way[3 * WIDTH], const float *parent_rotation[WIDTH])
{
    for (uint32_t i = 0; i < WIDTH; ++i) {
        const uint32_t node = constraints[i]->node, source = constraints[i]->source;
        const int32_t parent = vrmi_model_node_parent(instance->model)[node];
        parent_rotation[i] = parent >= 0 ? &vrmi_world_rotation(instance, parent)->x : &instance->root_rotation.x;
        for (uint32_t k = 0; k < 3; ++k) {
            way[k * WIDTH + i] = instance->world[source].m[k][3] - instance->world[node].m[k][3];
        }
    }
}

// Runs the first WIDTH of the given constraints.
static void run(vrm_instance *instance, const vrmi_constraint_row *const *constraints, uint32_t count)
{
    const vrm_transform *rests = vrmi_model_node_rest(instance->model);
    const vrmi_constraint_row *each[WIDTH];
    const float *own[WIDTH], *at_rest[WIDTH], *source_at_rest[WIDTH], *source_now[WIDTH];
    float *out[WIDTH];
    uint32_t rolls = 0, aims = 0;
    for (uint32_t i = 0; i < WIDTH; ++i) {
        const vrmi_constraint_row *constraint = each[i] =
            constraints[i < count ? i : count - 1]; // unused lanes repeat the last constraint
        own[i] = &constraint->axis.x;               // the weight follows the axis
        at_rest[i] = &rests[constraint->node].rotation.x;
        source_at_rest[i] = &rests[constraint->source].rotation.x;
        source_now[i] = &vrmi_local(instance, constraint->source)->rotation.x;
        out[i] = &vrmi_local(instance, constraint->node)->rotation.x;
        rolls |= (constraint->type == VRM_CONSTRAINT_ROLL ? 1u : 0u) << i;
        aims |= (constraint->type == VRM_CONSTRAINT_AIM ? 1u : 0u) << i;
    }
    const q4 rest = load_rows(at_rest, 0), source_rest = load_rows(source_at_rest, 0);
    const q4 axis_and_weight = load_rows(own, 0);
    const v3 axis = {axis_and_weight.x, axis_and_weight.y, axis_and_weight.z};
    const q4 delta = turn_of_source(source_rest, load_rows(source_now, 0));
    q4 target = rotation_constraint(rest, delta);
    if (rolls != 0) {
        target = q4_select(FROM_BITS(rolls), roll_constraint(rest, source_rest, delta, axis), target);
    }
    if (aims != 0) {
        const float *parent_rotation[WIDTH];
        float way[3 * WIDTH];
        mask lost;
        get_aims(instance, each, way, parent_rotation);
        const q4 aimed = aim_constraint(rest, load_rows(parent_rotation, 0), axis, load3(way), &lost);
        target = q4_select(FROM_BITS(aims), aimed, target);
        instance->status |= (BITS(lost) & aims) != 0 ? VRM_STATUS_DEGENERATE : 0;
    }
    target = q4_normalize(target);
    const mask in_part = LT(axis_and_weight.w, ALL(1.0f));
    if (BITS(in_part) != 0) {
        target = q4_select(in_part, slerp(rest, target, axis_and_weight.w), target);
    }
    store_rows(out, 0, target);
}

VRMI_CONSTRAINT_KERNEL(vrm_instance *instance, const vrmi_constraint_row *const *constraints, uint32_t count)
{
    for (uint32_t first = 0; first < count; first += WIDTH) {
        run(instance, constraints + first, count - first);
    }
}
