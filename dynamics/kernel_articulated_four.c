// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Two fours: what every x86-64 and 64-bit ARM processor has, and WebAssembly built for SIMD.

#include "kernel_articulated.h"
#include "math/simd.h"

#if defined(VRMI_SIMD_FOUR)

#define VRMI_ART_KERNEL vrmi_articulated_four

#include "kernel_articulated_body.h"

bool vrmi_articulated_has_four(void)
{
    return true;
}

#else

void vrmi_articulated_four(
    const vrmi_art_tree *tree, const vrmi_art_settings *settings, vrmi_art_pass pass, float *rows)
{
    vrmi_articulated_scalar_lanes(tree, settings, pass, rows);
}

bool vrmi_articulated_has_four(void)
{
    return false;
}

#endif
