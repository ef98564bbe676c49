// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MATH_SERIES_H
#define VRMI_MATH_SERIES_H

// The series for sine, cosine and arc tangent in double, for one number (scalar.c) and for lanes
// (kernel_constraint_body.h).

static const double vrmi_half_pi = 1.57079632679489661923;
static const double vrmi_tan_pi_8 = 0.41421356237309504880;

// Returns x minus k right angles. pi/2 is split into two parts so that the product with the first part is exact (Cody
// and Waite).
static inline double vrmi_series_reduce(double x, double k)
{
    return (x - k * 1.57079632673412561417) - k * 6.07710050650619224932e-11;
}

// Sine and cosine of at most an eighth of a turn.
static inline double vrmi_series_sin(double r)
{
    const double z = r * r;
    return r * (1.0 + z * (-1.0 / 6.0 +
                              z * (1.0 / 120.0 +
                                      z * (-1.0 / 5040.0 + z * (1.0 / 362880.0 + z * (-1.0 / 39916800.0 +
                                                                                         z * (1.0 / 6227020800.0)))))));
}

static inline double vrmi_series_cos(double r)
{
    const double z = r * r;
    return 1.0 +
           z * (-0.5 + z * (1.0 / 24.0 + z * (-1.0 / 720.0 + z * (1.0 / 40320.0 + z * (-1.0 / 3628800.0 +
                                                                                          z * (1.0 / 479001600.0))))));
}

// For t up to tan(pi / 8), the arc tangent is t times the sum of terms[n] t^(2n).
enum { VRMI_ATAN_TERMS = 13 };
static const double vrmi_atan_terms[VRMI_ATAN_TERMS] = {1.0, -1.0 / 3.0, 1.0 / 5.0, -1.0 / 7.0, 1.0 / 9.0, -1.0 / 11.0,
    1.0 / 13.0, -1.0 / 15.0, 1.0 / 17.0, -1.0 / 19.0, 1.0 / 21.0, -1.0 / 23.0, 1.0 / 25.0};

#endif
