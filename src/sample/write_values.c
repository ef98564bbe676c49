// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "sample/write.h"

float vrmi_sample_linear(float srgb)
{
    if (srgb <= 0.04045f) {
        return srgb / 12.92f;
    }
    // x to the power 2.4 is x^2 times the fifth root of x^2. Newton's method finds the root.
    const double x = ((double)srgb + 0.055) / 1.055;
    const double square = x * x;
    double root = 1.0;
    for (int i = 0; i < 24; ++i) {
        const double r2 = root * root;
        root -= (r2 * r2 * root - square) / (5.0 * r2 * r2);
    }
    return (float)(square * root);
}

void vrmi_sample_put_floats(vrmi_text *text, const float *values, int count)
{
    for (int i = 0; i < count; ++i) {
        vrmi_text_add_string(text, i == 0 ? "[" : ",");
        vrmi_text_add_float(text, values[i] == 0.0f ? 0.0f : values[i]);
    }
    vrmi_text_add_string(text, "]");
}

void vrmi_sample_put_color(vrmi_text *text, vrm_vec3 color)
{
    const float values[3] = {color.x, color.y, color.z};
    for (int i = 0; i < 3; ++i) {
        vrmi_text_add_string(text, i == 0 ? "[" : ",");
        vrmi_text_add_digits(text, (double)vrmi_sample_linear(vrmi_clamp(values[i], 0.0f, 1.0f)), 4);
    }
    vrmi_text_add_string(text, "]");
}
