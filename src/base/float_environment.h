// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_BASE_FLOAT_ENVIRONMENT_H
#define VRMI_BASE_FLOAT_ENVIRONMENT_H

// Audio and game threads often run with flush-to-zero or with floating-point traps. An update therefore sets IEEE's
// defaults while it computes and then restores the host's settings, so that results do not depend on them. Between
// enter and leave, call only functions of other files: the compiler does not know that arithmetic depends on the
// control word, and could move it.

#include <stdint.h>

// Stops the compiler from moving reads and writes of memory across this point.
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
    // The wanted settings: all exceptions masked, round to nearest, no FTZ, no DAZ. The six lowest bits are sticky
    // flags. Loading the register is slow, so it is skipped if the host already has these settings.
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

#else // WebAssembly has no settings; other processors keep the host's settings

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
