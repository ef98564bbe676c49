// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The kernels of kernel_clip.h, for the files that define VRMI_CLIP_KERNELS, the declaration of the table. No guard: it is a body.

#include "runtime/clip/kernel_clip.h"
#include "runtime/core/kernel_vector.h"

static inline v4 load(const float *v)
{
    return (v4){vrmi_f8_load(v), vrmi_f8_load(v + VRMI_LANES), vrmi_f8_load(v + 2 * VRMI_LANES),
        vrmi_f8_load(v + 3 * VRMI_LANES)};
}

static inline void store(float *v, v4 q)
{
    vrmi_f8_store(v, q.x);
    vrmi_f8_store(v + VRMI_LANES, q.y);
    vrmi_f8_store(v + 2 * VRMI_LANES, q.z);
    vrmi_f8_store(v + 3 * VRMI_LANES, q.w);
}

// sin(t angle) / sin(angle) from cos(angle) - 1, by the series of Eberly, "A fast and accurate algorithm for computing slerp"
// (2011): exact at 0 and 1. Seven terms leave 1e-7 for angles up to an eighth of a turn, which is all that is asked here.
static inline vrmi_f8 share(vrmi_f8 t, vrmi_f8 below_one)
{
    static const float u[7] = {1.0f / 3, 1.0f / 10, 1.0f / 21, 1.0f / 36, 1.0f / 55, 1.0f / 78, 1.0f / 105};
    static const float v[7] = {1.0f / 3, 2.0f / 5, 3.0f / 7, 4.0f / 9, 5.0f / 11, 6.0f / 13, 7.0f / 15};
    const vrmi_f8 one = vrmi_f8_all(1.0f), squared = vrmi_f8_mul(t, t);
    vrmi_f8 sum = one;
    for (int i = 6; i >= 0; --i) {
        const vrmi_f8 factor = vrmi_f8_sub(vrmi_f8_mul(vrmi_f8_all(u[i]), squared), vrmi_f8_all(v[i]));
        sum = vrmi_f8_add(one, vrmi_f8_mul(vrmi_f8_mul(factor, below_one), sum));
    }
    return vrmi_f8_mul(t, sum);
}

// Slerp by halves: the middle of a and b is their sum, and each half spans at most an eighth of a turn.
static inline v4 slerp(v4 a, v4 b, vrmi_f8 part)
{
    const vrmi_f8 zero = vrmi_f8_all(0.0f), one = vrmi_f8_all(1.0f), half = vrmi_f8_all(0.5f);
    const vrmi_f8 cosine = v4_dot(a, b);
    const vrmi_f8 side = vrmi_f8_select(vrmi_f8_lt(cosine, zero), vrmi_f8_all(-1.0f), one);
    b = v4_scale(b, side);
    const vrmi_f8 half_cosine =
        vrmi_f8_min(vrmi_f8_sqrt(vrmi_f8_mul(half, vrmi_f8_add(one, vrmi_f8_mul(cosine, side)))), one);
    const v4 middle = v4_scale(v4_add(a, b), vrmi_f8_div(half, half_cosine));
    const vrmi_m8 first = vrmi_f8_lt(part, half);
    const vrmi_f8 doubled = vrmi_f8_add(part, part);
    const vrmi_f8 t = vrmi_f8_select(first, doubled, vrmi_f8_sub(doubled, one));
    const vrmi_f8 below_one = vrmi_f8_sub(half_cosine, one);
    return v4_add(v4_scale(v4_select(first, a, middle), share(vrmi_f8_sub(one, t), below_one)),
        v4_scale(v4_select(first, middle, b), share(t, below_one)));
}

static void between(const float *a, const float *b, float part, uint32_t groups, vrmi_pose_lanes *out)
{
    for (uint32_t group = 0; group < VRMI_POSE_GROUPS; ++group) {
        if ((groups >> group & 1u) != 0) {
            store(&out->v[group][0][0], slerp(load(a), load(b), vrmi_f8_all(part)));
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
            const vrmi_f8 part = vrmi_f8_load(parts + (size_t)group * VRMI_POSE_GROUP);
            store(own, slerp(load(own), load(&b->v[group][0][0]), part));
        }
    }
}

static inline void store_quats(vrm_quat out[VRMI_POSE_GROUP], v4 q)
{
    vrmi_f8 rows[4] = {q.x, q.y, q.z, q.w};
    vrmi_f8_transpose(rows);
    for (int i = 0; i < 4; ++i) {
        vrmi_f4_store(&out[i].x, vrmi_f8_low(rows[i]));
        vrmi_f4_store(&out[i + 4].x, vrmi_f8_high(rows[i]));
    }
}

static void fit(const vrmi_pose_lanes *before, const vrmi_pose_lanes *pose, const vrmi_pose_lanes *after,
    uint32_t groups, vrm_quat out[VRMI_POSE_LANES])
{
    for (uint32_t group = 0; group < VRMI_POSE_GROUPS; ++group) {
        if ((groups >> group & 1u) != 0) {
            const v4 raw = quat_mul(
                quat_mul(load(&before->v[group][0][0]), load(&pose->v[group][0][0])), load(&after->v[group][0][0]));
            store_quats(&out[group * VRMI_POSE_GROUP],
                v4_scale(raw, vrmi_f8_div(vrmi_f8_all(1.0f), vrmi_f8_sqrt(v4_dot(raw, raw)))));
        }
    }
}

VRMI_CLIP_KERNELS = {between, blend, fit};
