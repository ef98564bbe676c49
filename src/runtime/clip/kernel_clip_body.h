// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The kernels of kernel_clip.h over `real`. The including file defines VRMI_CLIP_KERNELS, the declaration of the table.

#include "math/real_vector.h"
#include "runtime/clip/kernel_clip.h"

// Returns sin(t angle) / sin(angle), where below_one is cos(angle) - 1. Uses the series of Eberly, "A fast and accurate
// algorithm for computing slerp" (2011), which is exact at t = 0 and 1. Seven terms have an error of 1e-7 for angles up
// to an eighth of a turn, the largest used here.
static inline real share(real t, real below_one)
{
    static const float u[7] = {1.0f / 3, 1.0f / 10, 1.0f / 21, 1.0f / 36, 1.0f / 55, 1.0f / 78, 1.0f / 105};
    static const float v[7] = {1.0f / 3, 2.0f / 5, 3.0f / 7, 4.0f / 9, 5.0f / 11, 6.0f / 13, 7.0f / 15};
    const real one = ALL(1.0f), squared = MUL(t, t);
    real sum = one;
    for (int i = 6; i >= 0; --i) {
        const real factor = SUB(MUL(ALL(u[i]), squared), ALL(v[i]));
        sum = ADD(one, MUL(MUL(factor, below_one), sum));
    }
    return MUL(t, sum);
}

// Slerp in two halves: the middle between a and b is their normalised sum, and each half spans at most an eighth of a
// turn.
static inline q4 slerp(q4 a, q4 b, real part)
{
    const real zero = ALL(0.0f), one = ALL(1.0f), half = ALL(0.5f);
    const real cosine = q4_dot(a, b);
    const real side = SELECT(LT(cosine, zero), ALL(-1.0f), one);
    b = q4_scale(b, side);
    const real half_cosine = MIN(SQRT(MUL(half, ADD(one, MUL(cosine, side)))), one);
    const q4 middle = q4_scale(q4_add(a, b), DIV(half, half_cosine));
    const mask first = LT(part, half);
    const real doubled = ADD(part, part);
    const real t = SELECT(first, doubled, SUB(doubled, one));
    const real below_one = SUB(half_cosine, one);
    return q4_add(q4_scale(q4_select(first, a, middle), share(SUB(one, t), below_one)),
        q4_scale(q4_select(first, middle, b), share(t, below_one)));
}

static void between(const float *a, const float *b, float part, uint32_t groups, vrmi_pose_lanes *out)
{
    for (uint32_t group = 0; group < VRMI_POSE_GROUPS; ++group) {
        if ((groups >> group & 1u) != 0) {
            store4(&out->v[group][0][0], slerp(load4(a), load4(b), ALL(part)));
            a += VRMI_POSE_GROUP_FLOATS;
            b += VRMI_POSE_GROUP_FLOATS;
        }
    }
}

static void blend(vrmi_pose_lanes *a, const vrmi_pose_lanes *b, const float *parts, uint32_t groups)
{
    for (uint32_t group = 0; group < VRMI_POSE_GROUPS; ++group) {
        if ((groups >> group & 1u) != 0) {
            float *own = &a->v[group][0][0];
            const real part = LOAD(parts + (size_t)group * VRMI_POSE_GROUP);
            store4(own, slerp(load4(own), load4(&b->v[group][0][0]), part));
        }
    }
}

VRMI_SIMD_INLINE void store_quats(vrm_quat out[VRMI_POSE_GROUP], q4 q)
{
    float *places[WIDTH];
    for (int i = 0; i < WIDTH; ++i) {
        places[i] = &out[i].x;
    }
    store_rows(places, 0, q);
}

static void fit(const vrmi_pose_lanes *before, const vrmi_pose_lanes *pose, const vrmi_pose_lanes *after,
    uint32_t groups, vrm_quat out[VRMI_POSE_LANES])
{
    for (uint32_t group = 0; group < VRMI_POSE_GROUPS; ++group) {
        if ((groups >> group & 1u) != 0) {
            const q4 raw = q4_mul(
                q4_mul(load4(&before->v[group][0][0]), load4(&pose->v[group][0][0])), load4(&after->v[group][0][0]));
            store_quats(&out[group * VRMI_POSE_GROUP], q4_scale(raw, DIV(ALL(1.0f), SQRT(q4_dot(raw, raw)))));
        }
    }
}

VRMI_CLIP_KERNELS = {between, blend, fit};
