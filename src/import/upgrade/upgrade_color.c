// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "import/upgrade/upgrade_color.h"

// Computes x^0.4 for x > 0 as the fifth root of x^2, by Newton's method. Unlike pow(), this gives the same bits on
// every machine.
static double power_two_fifths(double x)
{
    const double y = x * x;
    double root = y > 1.0 ? y : 1.0;
    for (int i = 0; i < 100; ++i) { // starts above the root and decreases
        const double square = root * root;
        const double next = (4.0 * root + y / (square * square)) / 5.0;
        if (!(next < root)) {
            break;
        }
        root = next;
    }
    return root;
}

// The transfer function of sRGB (IEC 61966-2-1).
static float linear(float srgb)
{
    const double x = srgb < 0.0f ? -(double)srgb : (double)srgb;
    if (!(x < 1e6)) { // too large for a colour, or NaN
        return srgb;
    }
    const double base = (x + 0.055) / 1.055;
    const double y = x <= 0.04045 ? x / 12.92 : base * base * power_two_fifths(base);
    return (float)(srgb < 0.0f ? -y : y);
}

vrm_vec4 vrmi_linear(vrm_vec4 srgb)
{
    return (vrm_vec4){linear(srgb.x), linear(srgb.y), linear(srgb.z), srgb.w};
}
