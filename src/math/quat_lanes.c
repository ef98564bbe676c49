// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Plain loops: a compiler makes lanes of them where it can, and a processor takes their rounds side by side where not.

#include "math/quat_lanes.h"

#include "math/scalar.h"
#include "math/series.h"

#define EACH_LANE(i) for (int i = 0; i < VRMI_LANES; ++i)

void vrmi_quat_normalize_lanes(vrmi_quat_lanes *q)
{
    EACH_LANE(i)
    {
        const float x = q->x[i], y = q->y[i], z = q->z[i], w = q->w[i];
        const float length = vrmi_sqrt(x * x + y * y + z * z + w * w);
        const float s = 1.0f / length;
        const bool has_length = length > 1e-15f && vrmi_finite(length);
        q->x[i] = has_length ? x * s : 0.0f;
        q->y[i] = has_length ? y * s : 0.0f;
        q->z[i] = has_length ? z * s : 0.0f;
        q->w[i] = has_length ? w * s : 1.0f;
    }
}

// vrmi_atan2() of what is neither negative nor both 0.
static void angles(const float sine[VRMI_LANES], const float cosine[VRMI_LANES], float out[VRMI_LANES])
{
    double t[VRMI_LANES], offset[VRMI_LANES], sum[VRMI_LANES];
    EACH_LANE(i)
    {
        const double y = (double)sine[i], x = (double)cosine[i];
        const double part = y <= x ? y / x : x / y, turned = (part - 1.0) / (part + 1.0);
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
        out[i] = (float)(sine[i] <= cosine[i] ? angle : vrmi_half_pi - angle);
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
