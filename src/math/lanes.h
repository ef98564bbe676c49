// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MATH_LANES_H
#define VRMI_MATH_LANES_H

// Data in lanes: eight vectors side by side, one array per component, so that kernels (math/simd.h) load eight at a
// time. This header reads and writes single lanes for code outside kernels.

#include <vrm/math.h>

// With VRM_LANES=FOUR, eight lanes are two registers of four lanes instead of plain C. Kernels of other widths are not
// built.
#if defined(VRM_LANES_FOUR)
#undef VRMI_SIMD_SCALAR
#endif

// Forces inlining, because in a kernel of a thousand operations compilers would otherwise emit calls. Not forced in
// instrumented builds and in plain C with loops over arrays of floats, where it takes a compiler minutes.
#if defined(VRMI_SIMD_SCALAR)
#define VRMI_SIMD_INLINE static inline
#elif defined(__GNUC__) && defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define VRMI_SIMD_INLINE static inline __attribute__((always_inline))
#elif defined(_MSC_VER)
#define VRMI_SIMD_INLINE static __forceinline
#else
#define VRMI_SIMD_INLINE static inline
#endif
// Marks a rare path of a kernel. If it were inlined, it would take registers from the common path.
#if defined(__GNUC__)
#define VRMI_SIMD_RARE static __attribute__((noinline, unused))
#else
#define VRMI_SIMD_RARE static inline
#endif

enum { VRMI_LANES = 8 };

typedef struct vrmi_vec3_lanes {
    float x[VRMI_LANES], y[VRMI_LANES], z[VRMI_LANES];
} vrmi_vec3_lanes;

typedef struct vrmi_quat_lanes {
    float x[VRMI_LANES], y[VRMI_LANES], z[VRMI_LANES], w[VRMI_LANES];
} vrmi_quat_lanes;

static inline vrm_vec3 vrmi_lane_vec3(const vrmi_vec3_lanes *lanes, uint32_t lane)
{
    return (vrm_vec3){lanes->x[lane], lanes->y[lane], lanes->z[lane]};
}

static inline void vrmi_lane_set_vec3(vrmi_vec3_lanes *lanes, uint32_t lane, vrm_vec3 v)
{
    lanes->x[lane] = v.x;
    lanes->y[lane] = v.y;
    lanes->z[lane] = v.z;
}

static inline vrm_quat vrmi_lane_quat(const vrmi_quat_lanes *lanes, uint32_t lane)
{
    return (vrm_quat){lanes->x[lane], lanes->y[lane], lanes->z[lane], lanes->w[lane]};
}

static inline void vrmi_lane_set_quat(vrmi_quat_lanes *lanes, uint32_t lane, vrm_quat q)
{
    lanes->x[lane] = q.x;
    lanes->y[lane] = q.y;
    lanes->z[lane] = q.z;
    lanes->w[lane] = q.w;
}

#endif
