// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Plain loops: a compiler makes lanes of them where it can, and a processor takes their rounds side by side where not.

#include "math/quat_lanes.h"

#include "math/quat.h"
#include "math/series.h"

#define EACH_LANE(i) for (int i = 0; i < VRMI_LANES; ++i)

void vrmi_quat_conjugate_lanes(const vrmi_quat_lanes *q, vrmi_quat_lanes *out)
{
    EACH_LANE(i)
    {
        out->x[i] = -q->x[i];
        out->y[i] = -q->y[i];
        out->z[i] = -q->z[i];
        out->w[i] = q->w[i];
    }
}

void vrmi_quat_mul_lanes(const vrmi_quat_lanes *a, const vrmi_quat_lanes *b, vrmi_quat_lanes *out)
{
    vrmi_quat_lanes product;
    EACH_LANE(i)
    {
        product.x[i] = a->w[i] * b->x[i] + a->x[i] * b->w[i] + a->y[i] * b->z[i] - a->z[i] * b->y[i];
        product.y[i] = a->w[i] * b->y[i] - a->x[i] * b->z[i] + a->y[i] * b->w[i] + a->z[i] * b->x[i];
        product.z[i] = a->w[i] * b->z[i] + a->x[i] * b->y[i] - a->y[i] * b->x[i] + a->z[i] * b->w[i];
        product.w[i] = a->w[i] * b->w[i] - a->x[i] * b->x[i] - a->y[i] * b->y[i] - a->z[i] * b->z[i];
    }
    *out = product;
}

void vrmi_quat_normalize_lanes(vrmi_quat_lanes *q)
{
    EACH_LANE(i)
    {
        const float x = q->x[i], y = q->y[i], z = q->z[i], w = q->w[i];
        const float length = vrmi_sqrt(x * x + y * y + z * z + w * w);
        const float s = 1.0f / length, ux = x * s, uy = y * s, uz = z * s, uw = w * s;
        const bool has_length = (length > 1e-15f) & vrmi_finite(length);
        q->x[i] = has_length ? ux : 0.0f;
        q->y[i] = has_length ? uy : 0.0f;
        q->z[i] = has_length ? uz : 0.0f;
        q->w[i] = has_length ? uw : 1.0f;
    }
}

// vrmi_quat_rotate(), of unit length; the vector itself where that cannot be.
static void turned_axes(const vrmi_quat_lanes *q, const vrmi_vec3_lanes *axis, vrmi_vec3_lanes *out)
{
    EACH_LANE(i)
    {
        const float x = axis->x[i], y = axis->y[i], z = axis->z[i];
        const float tx = (q->y[i] * z - q->z[i] * y) * 2.0f, ty = (q->z[i] * x - q->x[i] * z) * 2.0f;
        const float tz = (q->x[i] * y - q->y[i] * x) * 2.0f;
        const float vx = x + tx * q->w[i] + (q->y[i] * tz - q->z[i] * ty);
        const float vy = y + ty * q->w[i] + (q->z[i] * tx - q->x[i] * tz);
        const float vz = z + tz * q->w[i] + (q->x[i] * ty - q->y[i] * tx);
        const float length = vrmi_sqrt(vx * vx + vy * vy + vz * vz), s = 1.0f / length;
        const bool has_length = length > 1e-18f;
        out->x[i] = has_length ? vx * s : x;
        out->y[i] = has_length ? vy * s : y;
        out->z[i] = has_length ? vz * s : z;
    }
}

void vrmi_quat_swing_lanes(const vrmi_quat_lanes *q, const vrmi_vec3_lanes *axis, vrmi_quat_lanes *out)
{
    vrmi_vec3_lanes to;
    bool opposite = false;
    turned_axes(q, axis, &to);
    EACH_LANE(i)
    {
        const float x = axis->x[i], y = axis->y[i], z = axis->z[i];
        const float sx = x + to.x[i], sy = y + to.y[i], sz = z + to.z[i];
        out->x[i] = y * sz - z * sy;
        out->y[i] = z * sx - x * sz;
        out->z[i] = x * sy - y * sx;
        out->w[i] = 0.5f * (sx * sx + sy * sy + sz * sz);
        opposite |= !(out->w[i] > 1e-12f);
    }
    vrmi_quat_lanes turn = *out;
    vrmi_quat_normalize_lanes(&turn);
    for (uint32_t i = 0; i < VRMI_LANES && opposite; ++i) {
        if (!(out->w[i] > 1e-12f)) { // half a turn, or no number
            vrmi_lane_set_quat(&turn, i, vrmi_quat_from_to(vrmi_lane_vec3(axis, i), vrmi_lane_vec3(&to, i)));
        }
    }
    *out = turn;
}

// vrmi_atan2() of what is neither negative nor both 0.
static void angles(const float sine[VRMI_LANES], const float cosine[VRMI_LANES], float out[VRMI_LANES])
{
    double t[VRMI_LANES], offset[VRMI_LANES], sum[VRMI_LANES];
    EACH_LANE(i)
    {
        const bool is_steep = sine[i] > cosine[i];
        const double less = (double)(is_steep ? cosine[i] : sine[i]), more = (double)(is_steep ? sine[i] : cosine[i]);
        const double part = less / more, turned = (part - 1.0) / (part + 1.0);
        const bool is_far = part > vrmi_tan_pi_8;
        t[i] = is_far ? turned : part;
        offset[i] = is_far ? 0.5 * vrmi_half_pi : 0.0;
        sum[i] = 0.0;
    }
    for (int n = VRMI_ATAN_TERMS - 1; n >= 0; --n) {
        EACH_LANE(i)
        {
            sum[i] = vrmi_atan_terms[n] + t[i] * t[i] * sum[i];
        }
    }
    EACH_LANE(i)
    {
        const double angle = offset[i] + t[i] * sum[i];
        out[i] = (float)(sine[i] > cosine[i] ? vrmi_half_pi - angle : angle);
    }
}

// The sines that vrmi_sincos() gives, of angles from 0 to a right one.
static void sines(const float x[VRMI_LANES], float out[VRMI_LANES])
{
    EACH_LANE(i)
    {
        const double angle = (double)x[i];
        const bool is_far = angle / vrmi_half_pi + 0.5 >= 1.0;
        const double r = vrmi_series_reduce(angle, is_far ? 1.0 : 0.0);
        const double s = vrmi_series_sin(r), c = vrmi_series_cos(r);
        out[i] = (float)(is_far ? c : s);
    }
}

void vrmi_quat_slerp_lanes(
    const vrmi_quat_lanes *a, const vrmi_quat_lanes *b, const float t[VRMI_LANES], vrmi_quat_lanes *out)
{
    float side[VRMI_LANES], squared[VRMI_LANES], sine[VRMI_LANES], cosine[VRMI_LANES], angle[VRMI_LANES];
    float rest[VRMI_LANES], to[VRMI_LANES], from_share[VRMI_LANES], to_share[VRMI_LANES];
    EACH_LANE(i)
    {
        const float dot = a->x[i] * b->x[i] + a->y[i] * b->y[i] + a->z[i] * b->z[i] + a->w[i] * b->w[i];
        side[i] = dot < 0.0f ? -1.0f : 1.0f;
        cosine[i] = dot * side[i];
        squared[i] = 1.0f - cosine[i] * cosine[i];
        sine[i] = vrmi_sqrt(squared[i]);
    }
    angles(sine, cosine, angle);
    EACH_LANE(i)
    {
        rest[i] = (1.0f - t[i]) * angle[i];
        to[i] = t[i] * angle[i];
    }
    sines(rest, from_share);
    sines(to, to_share);
    EACH_LANE(i)
    {
        const bool is_apart = squared[i] > 1e-6f;
        const float from = is_apart ? from_share[i] : 1.0f - t[i], share = is_apart ? to_share[i] : t[i];
        out->x[i] = a->x[i] * from + b->x[i] * side[i] * share;
        out->y[i] = a->y[i] * from + b->y[i] * side[i] * share;
        out->z[i] = a->z[i] * from + b->z[i] * side[i] * share;
        out->w[i] = a->w[i] * from + b->w[i] * side[i] * share;
    }
    vrmi_quat_normalize_lanes(out);
}
