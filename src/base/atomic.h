// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_BASE_ATOMIC_H
#define VRMI_BASE_ATOMIC_H

// A shared reference count. Not <stdatomic.h>: MSVC has it only with a switch, and the count lies in a block that is
// also saved as plain bytes.

#include <vrm/base.h>

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#endif

static inline void vrmi_atomic_retain(uint32_t *count)
{
#if defined(_MSC_VER) && !defined(__clang__)
    (void)_InterlockedIncrement((volatile long *)count);
#else
    // Relaxed: whoever retains already holds a reference, so nothing is published here.
    (void)__atomic_add_fetch(count, 1u, __ATOMIC_RELAXED);
#endif
}

// True when this was the last reference: everything that other threads did with theirs is then visible.
static inline bool vrmi_atomic_release(uint32_t *count)
{
#if defined(_MSC_VER) && !defined(__clang__)
    return _InterlockedDecrement((volatile long *)count) == 0;
#else
    return __atomic_sub_fetch(count, 1u, __ATOMIC_ACQ_REL) == 0;
#endif
}

#endif
