// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_BASE_CHECKS_H
#define VRMI_BASE_CHECKS_H

#include <vrm/base.h>

// Checks a condition in every build, and reports a caller's bug to the assertion hook. The calling code must then
// continue safely: `if (!VRM_ASSERT(x)) return ...;`.
// Programs without an operating system set no hook, and the texts of the checks would be a tenth of their data.
#if defined(VRM_BARE)
#define VRM_ASSERT(condition) ((condition) ? true : (vrm_assert_failed("", "", 0), false))
#else
#define VRM_ASSERT(condition) ((condition) ? true : (vrm_assert_failed(#condition, __FILE__, __LINE__), false))
#endif

// Checks an internal invariant, in debug builds only.
#if defined(VRM_DEBUG)
#define VRM_VALIDATE(condition) ((void)VRM_ASSERT(condition))
#else
#define VRM_VALIDATE(condition) ((void)0)
#endif

#define VRMI_COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

// Size arithmetic with overflow check. Returns false if the result does not fit.
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
