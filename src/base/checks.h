// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_BASE_CHECKS_H
#define VRMI_BASE_CHECKS_H

#include <vrm/base.h>

// Reports a caller's bug to the hook in every build. The calling code must then continue safely; use it as `if
// (!VRM_ASSERT(x)) return ...;`.
#if defined(VRM_BARE) // no program sets the hook there, and the texts would be a tenth of its data
#define VRM_ASSERT(condition) ((condition) ? true : (vrm_assert_failed("", "", 0), false))
#else
#define VRM_ASSERT(condition) ((condition) ? true : (vrm_assert_failed(#condition, __FILE__, __LINE__), false))
#endif

// An internal invariant: debug builds only.
#if defined(VRM_DEBUG)
#define VRM_VALIDATE(condition) ((void)VRM_ASSERT(condition))
#else
#define VRM_VALIDATE(condition) ((void)0)
#endif

#define VRMI_COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

// Overflow-checked size arithmetic: false when the result does not fit.
static inline bool vrmi_add_size(size_t a, size_t b, size_t *out)
{
    *out = a + b;
    return *out >= a;
}

static inline bool vrmi_mul_size(size_t a, size_t b, size_t *out)
{
    *out = a * b;
    return b == 0 || *out / b == a;
}

#endif
