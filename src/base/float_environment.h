// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_BASE_FLOAT_ENVIRONMENT_H
#define VRMI_BASE_FLOAT_ENVIRONMENT_H

// Audio and game threads often run with flush-to-zero set, or with traps. An update computes with IEEE's defaults and
// then restores the host's settings, so that the results do not depend on them. The code between enter and leave must
// be calls of functions in other files: compilers do not know that arithmetic depends on the control word.

#include <stdint.h>

// The compiler moves no read or write of memory across this.
#if defined(__GNUC__)
#define VRMI_FLOAT_BARRIER() __asm__ volatile("" : : : "memory")
#else
#define VRMI_FLOAT_BARRIER() ((void)0)
#endif

#if defined(__SSE2__) || defined(_M_X64) || (defined(_M_IX86_FP) && _M_IX86_FP >= 2)

#include <xmmintrin.h>

typedef uint32_t vrmi_float_environment;

static inline vrmi_float_environment vrmi_float_enter(void)
{
    const uint32_t host = _mm_getcsr();
    // All exceptions masked, round to nearest, neither FTZ nor DAZ. The six lowest bits are sticky flags. Loading the
    // register is slow, so it is skipped where the host already has these settings.
    if ((host & 0xffc0u) != 0x1f80u) {
        _mm_setcsr(0x1f80u);
    }
    VRMI_FLOAT_BARRIER();
    return host;
}

static inline void vrmi_float_leave(vrmi_float_environment host)
{
    VRMI_FLOAT_BARRIER();
    if ((host & 0xffc0u) != 0x1f80u) {
        _mm_setcsr(host);
    }
}

#elif defined(__aarch64__) && defined(__GNUC__)

typedef uint64_t vrmi_float_environment;

static inline vrmi_float_environment vrmi_float_enter(void)
{
    uint64_t host;
    __asm__ volatile("mrs %0, fpcr" : "=r"(host));
    if (host != 0) {
        __asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)0) : "memory");
    }
    return host;
}

static inline void vrmi_float_leave(vrmi_float_environment host)
{
    if (host != 0) {
        __asm__ volatile("msr fpcr, %0" : : "r"(host) : "memory");
    }
}

#else // WebAssembly has nothing to set; other processors keep the host's settings

typedef uint32_t vrmi_float_environment;

static inline vrmi_float_environment vrmi_float_enter(void)
{
    return 0;
}
static inline void vrmi_float_leave(vrmi_float_environment host)
{
    (void)host;
}

#endif
#endif
