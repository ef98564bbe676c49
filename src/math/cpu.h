// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MATH_CPU_H
#define VRMI_MATH_CPU_H

// Processor features beyond those that the build requires. They are read with cpuid, because the compilers' helpers
// call the compilers' runtime libraries, which libvrm-runtime must not need.

#include <stdbool.h>
#include <stdint.h>

#if defined(_MSC_VER) && !defined(__clang__) && defined(_M_X64)
#include <intrin.h>
#endif

#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))

static inline void vrmi_cpuid(uint32_t leaf, uint32_t out[4])
{
    __asm__ volatile("cpuid" : "=a"(out[0]), "=b"(out[1]), "=c"(out[2]), "=d"(out[3]) : "a"(leaf), "c"(0));
}

static inline uint32_t vrmi_saved_registers(void)
{
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

#define VRMI_HAS_CPUID 1

#elif defined(_MSC_VER) && !defined(__clang__) && defined(_M_X64)

static inline void vrmi_cpuid(uint32_t leaf, uint32_t out[4])
{
    int values[4];
    __cpuidex(values, (int)leaf, 0);
    for (int i = 0; i < 4; ++i) {
        out[i] = (uint32_t)values[i];
    }
}

static inline uint32_t vrmi_saved_registers(void)
{
    return (uint32_t)_xgetbv(0);
}

#define VRMI_HAS_CPUID 1

#endif

// Returns true if the processor has AVX2 and the operating system saves the AVX registers.
static inline bool vrmi_cpu_has_avx2(void)
{
#if defined(VRMI_HAS_CPUID)
    uint32_t r[4];
    vrmi_cpuid(0, r);
    if (r[0] < 7) {
        return false;
    }
    vrmi_cpuid(1, r);
    const uint32_t saves_and_avx = 1u << 27 | 1u << 28;
    if ((r[2] & saves_and_avx) != saves_and_avx || (vrmi_saved_registers() & 6u) != 6u) {
        return false;
    }
    vrmi_cpuid(7, r);
    return (r[1] >> 5 & 1u) != 0;
#else
    return false;
#endif
}

#endif
