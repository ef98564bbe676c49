// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "math/scalar.h"

#include "math/series.h"

#include <string.h>

// The functions of this file compute in double and round once. IEEE 754 arithmetic in a fixed order gives the same bits
// on every machine, and double is precise enough for plain series. The functions of libm differ between C libraries.

// Returns the nearest whole number; x must fit an int64_t.
static double round_to_int(double x, int64_t *out)
{
    *out = (int64_t)(x < 0.0 ? x - 0.5 : x + 0.5);
    return (double)*out;
}

void vrmi_sincos(float x, float *out_sin, float *out_cos)
{
    // Outside this range a float does not even determine the quadrant, and the conversion below must not overflow.
    if (!(x > -1e15f && x < 1e15f)) {
        *out_sin = x - x; // 0 for huge finite numbers, NaN for infinity and NaN
        *out_cos = 1.0f + (x - x);
        return;
    }
    int64_t quadrant;
    const double k = round_to_int((double)x / vrmi_half_pi, &quadrant);
    const double r = vrmi_series_reduce((double)x, k), s = vrmi_series_sin(r), c = vrmi_series_cos(r);
    const double sines[4] = {s, c, -s, -c};
    const uint64_t q = (uint64_t)quadrant & 3u;
    *out_sin = (float)sines[q];
    *out_cos = (float)sines[(q + 1u) & 3u];
}

// Arc tangent of t in [0, 1].
static double atan_unit(double t)
{
    double offset = 0.0;
    if (t > vrmi_tan_pi_8) {
        t = (t - 1.0) / (t + 1.0);
        offset = 0.5 * vrmi_half_pi;
    }
    const double z = t * t;
    double sum = 0.0;
    for (int n = VRMI_ATAN_TERMS - 1; n >= 0; --n) {
        sum = vrmi_atan_terms[n] + z * sum;
    }
    return offset + t * sum;
}

static double atan2_double(double y, double x)
{
    const double ax = x < 0.0 ? -x : x;
    const double ay = y < 0.0 ? -y : y;
    if (ax == 0.0 && ay == 0.0) {
        return 0.0;
    }
    double angle = ay <= ax ? atan_unit(ay / ax) : vrmi_half_pi - atan_unit(ax / ay);
    angle = x < 0.0 ? 2.0 * vrmi_half_pi - angle : angle;
    return y < 0.0 ? -angle : angle;
}

float vrmi_atan2(float y, float x)
{
    return (float)atan2_double((double)y, (double)x);
}

float vrmi_atan2_fast(float y, float x)
{
    const float ax = vrmi_abs(x), ay = vrmi_abs(y);
    const float larger = ax > ay ? ax : ay, smaller = ax > ay ? ay : ax;
    if (!(larger > 0.0f)) {
        return larger; // 0, or NaN
    }
    float t = smaller / larger, offset = 0.0f;
    if (t > 0.41421356f) {
        t = (t - 1.0f) / (t + 1.0f);
        offset = 0.25f * VRMI_PI;
    }
    // A polynomial in t^2 through Chebyshev nodes in [0, tan^2(pi / 8)].
    const float z = t * t;
    const float series = ((((-0.06451928f * z + 0.10743731f) * z - 0.14263956f) * z + 0.19999540f) * z - 0.33333332f);
    float angle = offset + (t + t * z * series);
    angle = ay > ax ? 0.5f * VRMI_PI - angle : angle;
    angle = x < 0.0f ? VRMI_PI - angle : angle;
    return y < 0.0f ? -angle : angle;
}

float vrmi_acos(float x)
{
    const double c = (double)vrmi_clamp(x, -1.0f, 1.0f);
    return (float)atan2_double(sqrt((1.0 - c) * (1.0 + c)), c);
}

float vrmi_asin(float x)
{
    const double s = (double)vrmi_clamp(x, -1.0f, 1.0f);
    return (float)atan2_double(s, sqrt((1.0 - s) * (1.0 + s)));
}

float vrmi_exp(float x)
{
    if (!(x > -87.0f)) {
        return x <= -87.0f ? 0.0f : x; // NaN stays NaN
    }
    if (x > 88.0f) {
        return 3.40282347e38f;
    }
    const double ln2 = 0.69314718055994530942;
    int64_t exponent;
    const double k = round_to_int((double)x / ln2, &exponent);
    const double r = (double)x - k * ln2;
    double sum = 1.0;
    for (int n = 12; n >= 1; --n) {
        sum = 1.0 + sum * r / (double)n;
    }
    const uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return (float)(sum * power);
}
