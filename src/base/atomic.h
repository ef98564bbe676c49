// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_BASE_ATOMIC_H
#define VRMI_BASE_ATOMIC_H

// A shared reference count. <stdatomic.h> is not used because MSVC has it only with a switch, and because the count is
// in a block that is also saved as plain bytes.

#include <vrm/base.h>

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#endif

static inline void vrmi_atomic_retain(uint32_t *count)
{
#if defined(_MSC_VER) && !defined(__clang__)
    (void)_InterlockedIncrement((volatile long *)count);
#else
    // Relaxed order suffices: the caller already has a reference, so this operation publishes no data.
    (void)__atomic_add_fetch(count, 1u, __ATOMIC_RELAXED);
#endif
}

// Returns true if this was the last reference. All writes that other threads made before they released theirs are then
// visible.
static inline bool vrmi_atomic_release(uint32_t *count)
{
#if defined(_MSC_VER) && !defined(__clang__)
    return _InterlockedDecrement((volatile long *)count) == 0;
#else
    return __atomic_sub_fetch(count, 1u, __ATOMIC_ACQ_REL) == 0;
#endif
}

#endif
