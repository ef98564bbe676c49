// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_STEP_FLAT_H
#define VRMI_RUNTIME_STEP_FLAT_H

// Vectors on the ground plane for recovery steps: x to the avatar's left, z ahead.

#include "math/scalar.h"

typedef struct vrmi_flat {
    float x, z;
} vrmi_flat;

static inline vrmi_flat vrmi_flat_of(float x, float z)
{
    return (vrmi_flat){x, z};
}

static inline vrmi_flat vrmi_flat_add(vrmi_flat a, vrmi_flat b)
{
    return vrmi_flat_of(a.x + b.x, a.z + b.z);
}

static inline vrmi_flat vrmi_flat_sub(vrmi_flat a, vrmi_flat b)
{
    return vrmi_flat_of(a.x - b.x, a.z - b.z);
}

static inline vrmi_flat vrmi_flat_scale(vrmi_flat a, float s)
{
    return vrmi_flat_of(a.x * s, a.z * s);
}

static inline vrmi_flat vrmi_flat_more(vrmi_flat a, vrmi_flat b, float s) // a + b * s
{
    return vrmi_flat_of(a.x + b.x * s, a.z + b.z * s);
}

static inline float vrmi_flat_dot(vrmi_flat a, vrmi_flat b)
{
    return a.x * b.x + a.z * b.z;
}

static inline float vrmi_flat_length(vrmi_flat a)
{
    return vrmi_sqrt(vrmi_flat_dot(a, a));
}

static inline vrmi_flat vrmi_flat_unit(vrmi_flat a)
{
    const float l = vrmi_flat_length(a);
    return l > 1e-9f ? vrmi_flat_scale(a, 1.0f / l) : vrmi_flat_of(0.0f, 0.0f);
}

static inline float vrmi_step_smooth(float t)
{
    const float u = vrmi_clamp01(t);
    return u * u * (3.0f - 2.0f * u);
}

#endif
