// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Pairs of four lanes: what every x86-64 processor has.

#include "runtime/kernel_clip.h"

#if !defined(VRM_SCALAR) && (defined(__SSE2__) || defined(_M_X64))

#define VRMI_CLIP_KERNELS static const vrmi_clip_kernels table

#include "runtime/kernel_clip_body.h"

const vrmi_clip_kernels *vrmi_clip_kernels_sse2(void)
{
    return &table;
}

#else

const vrmi_clip_kernels *vrmi_clip_kernels_sse2(void)
{
    return NULL;
}

#endif
