// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MATH_SCALAR_H
#define VRMI_MATH_SCALAR_H

// Scalar functions with the same bits everywhere: comparison for min and max, square root from the processor (IEEE 754
// demands it correctly rounded), sine, cosine and arc functions of our own (scalar.c).

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

// Errors below 1e-7 absolute over |x| <= 1000; NaN gives NaN.
void vrmi_sincos(float x, float *out_sin, float *out_cos);
// In (-pi, pi]; atan2(0, 0) = 0.
float vrmi_atan2(float y, float x);
// The same in float alone, for code that computes many: error below 4e-7.
float vrmi_atan2_fast(float y, float x);
// Arguments outside [-1, 1] are clamped.
float vrmi_acos(float x);
float vrmi_asin(float x);
// e^x, relative error below 1e-6; 0 below -87, largest finite above 88.
float vrmi_exp(float x);

#endif
