// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Eight lanes in two registers.

#include "kernel_articulated.h"

#if !defined(VRM_SCALAR) && (defined(__SSE2__) || defined(_M_X64))

#define VRMI_ART_KERNEL vrmi_articulated_sse2

#include "kernel_articulated_body.h"

bool vrmi_articulated_has_sse2(void)
{
    return true;
}

#else

void vrmi_articulated_sse2(
    const vrmi_art_tree *tree, const vrmi_art_settings *settings, vrmi_art_pass pass, float *rows)
{
    vrmi_articulated_scalar_lanes(tree, settings, pass, rows);
}

bool vrmi_articulated_has_sse2(void)
{
    return false;
}

#endif
