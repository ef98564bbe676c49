// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Eight lanes in one register. The build compiles this file for AVX2; it runs where cpuid says so.

#include "kernel_articulated.h"

#if !defined(VRM_SCALAR) && defined(__AVX2__)

#define VRMI_ART_KERNEL vrmi_articulated_avx2

#include "kernel_articulated_body.h"

bool vrmi_articulated_has_avx2(void)
{
    return true;
}

#else

void vrmi_articulated_avx2(
    const vrmi_art_tree *tree, const vrmi_art_settings *settings, vrmi_art_pass pass, float *rows)
{
    vrmi_articulated_scalar_lanes(tree, settings, pass, rows);
}

bool vrmi_articulated_has_avx2(void)
{
    return false;
}

#endif
