// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MATH_SCALAR_H
#define VRMI_MATH_SCALAR_H

// Scalar functions that return the same bits on every machine. Minimum and maximum are comparisons. The square root is
// the processor's, which IEEE 754 requires to be correctly rounded. Sine, cosine and arc functions are in scalar.c.

#include <vrm/math.h>

#include <math.h> // sqrtf, which -fno-math-errno makes one instruction; nothing else

#define VRMI_PI 3.14159265358979323846f

static inline float vrmi_min(float a, float b)
{
    return a < b ? a : b;
}
static inline float vrmi_max(float a, float b)
{
    return a > b ? a : b;
}
static inline float vrmi_clamp(float x, float low, float high)
{
    return x < low ? low : (x > high ? high : x);
}
// NaN gives 0.
static inline float vrmi_clamp01(float x)
{
    return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f;
}
static inline float vrmi_abs(float x)
{
    return x < 0.0f ? -x : x;
}
static inline float vrmi_sqrt(float x)
{
    return sqrtf(x);
}
static inline float vrmi_lerp(float a, float b, float t)
{
    return a + (b - a) * t;
}
// x - x is NaN for infinities and NaN.
static inline bool vrmi_finite(float x)
{
    return x - x == 0.0f;
}
static inline bool vrmi_finite_double(double x)
{
    return x - x == 0.0;
}

// Absolute error below 1e-7 for |x| <= 1000; NaN gives NaN.
void vrmi_sincos(float x, float *out_sin, float *out_cos);
// Result in (-pi, pi]; atan2(0, 0) = 0.
float vrmi_atan2(float y, float x);
// vrmi_atan2() computed in float only, for code that calls it often: error below 4e-7.
float vrmi_atan2_fast(float y, float x);
// Clamps arguments outside [-1, 1].
float vrmi_acos(float x);
float vrmi_asin(float x);
// e^x with a relative error below 1e-6; 0 for x below -87, the largest finite float above 88.
float vrmi_exp(float x);

#endif
