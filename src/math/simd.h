// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MATH_SIMD_H
#define VRMI_MATH_SIMD_H

// Parallel floats for kernel_*.c. Four lanes are SSE2, NEON, WebAssembly SIMD or plain C; eight lanes are AVX2 or two
// fours. The target of the file selects the version (VRMI_SIMD_SCALAR selects plain C). All versions process data in
// the same order and use only operations that IEEE 754 rounds correctly, so they give the same bits. There are no
// estimates (rcp, rsqrt) and no fused multiply-add; minimum and maximum are comparisons.

#include "math/lanes.h"
#include "math/scalar.h"

// VRMI_SIMD_FOUR: the target's processors have four lanes. NEON on 32-bit ARM is not used, because it flushes denormals
// to zero.
#if !defined(VRM_LANES_SCALAR)
#if defined(__SSE2__) || defined(_M_X64)
#define VRMI_SIMD_FOUR "SSE2"
#include <emmintrin.h>
#elif defined(__aarch64__) || defined(_M_ARM64)
#define VRMI_SIMD_FOUR "NEON"
#include <arm_neon.h>
#elif defined(__wasm_simd128__)
#define VRMI_SIMD_FOUR "WebAssembly SIMD"
#include <wasm_simd128.h>
#endif
#endif

// --- four lanes: a matrix row, a quaternion, half of eight -----------------------------------------------------------

// All bits of a lane of vrmi_m4 are set, or all are clear. min is a < b ? a : b and max is a > b ? a : b, also for NaN
// and for two zeros. x86's instructions do exactly this; those of other processors do not.

#if !defined(VRMI_SIMD_SCALAR) && defined(VRMI_SIMD_FOUR) && (defined(__SSE2__) || defined(_M_X64))

typedef __m128 vrmi_f4;
typedef __m128 vrmi_m4;

VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_load(const float *p)
{
    return _mm_loadu_ps(p);
}
VRMI_SIMD_INLINE void vrmi_f4_store(float *p, vrmi_f4 a)
{
    _mm_storeu_ps(p, a);
}
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_all(float x)
{
    return _mm_set1_ps(x);
}
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_set(float a, float b, float c, float d)
{
    return _mm_setr_ps(a, b, c, d);
}
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_add(vrmi_f4 a, vrmi_f4 b)
{
    return _mm_add_ps(a, b);
}
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_sub(vrmi_f4 a, vrmi_f4 b)
{
    return _mm_sub_ps(a, b);
}
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_mul(vrmi_f4 a, vrmi_f4 b)
{
    return _mm_mul_ps(a, b);
}
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_div(vrmi_f4 a, vrmi_f4 b)
{
    return _mm_div_ps(a, b);
}
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_sqrt(vrmi_f4 a)
{
    return _mm_sqrt_ps(a);
}
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_neg(vrmi_f4 a)
{
    return _mm_xor_ps(a, _mm_set1_ps(-0.0f));
}
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_min(vrmi_f4 a, vrmi_f4 b)
{
    return _mm_min_ps(a, b);
}
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_max(vrmi_f4 a, vrmi_f4 b)
{
    return _mm_max_ps(a, b);
}
VRMI_SIMD_INLINE vrmi_m4 vrmi_f4_lt(vrmi_f4 a, vrmi_f4 b)
{
    return _mm_cmplt_ps(a, b);
}
VRMI_SIMD_INLINE vrmi_m4 vrmi_f4_eq(vrmi_f4 a, vrmi_f4 b)
{
    return _mm_cmpeq_ps(a, b);
}
VRMI_SIMD_INLINE vrmi_m4 vrmi_m4_and(vrmi_m4 a, vrmi_m4 b)
{
    return _mm_and_ps(a, b);
}
VRMI_SIMD_INLINE vrmi_m4 vrmi_m4_or(vrmi_m4 a, vrmi_m4 b)
{
    return _mm_or_ps(a, b);
}
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_select(vrmi_m4 m, vrmi_f4 a, vrmi_f4 b)
{
    return _mm_or_ps(_mm_and_ps(m, a), _mm_andnot_ps(m, b));
}
VRMI_SIMD_INLINE uint32_t vrmi_m4_bits(vrmi_m4 m)
{
    return (uint32_t)_mm_movemask_ps(m);
}
VRMI_SIMD_INLINE vrmi_m4 vrmi_m4_from_bits(uint32_t bits)
{
    const __m128i each = _mm_setr_epi32(1, 2, 4, 8);
    return _mm_castsi128_ps(_mm_cmpeq_epi32(_mm_and_si128(_mm_set1_epi32((int)bits), each), each));
}
#define VRMI_F4_SPREAD(a, lane) _mm_shuffle_ps(a, a, (lane)*0x55)
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_zip_low(vrmi_f4 a, vrmi_f4 b)
{
    return _mm_unpacklo_ps(a, b);
}
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_zip_high(vrmi_f4 a, vrmi_f4 b)
{
    return _mm_unpackhi_ps(a, b);
}

#elif !defined(VRMI_SIMD_SCALAR) && defined(VRMI_SIMD_FOUR) && defined(__wasm_simd128__)

typedef v128_t vrmi_f4;
typedef v128_t vrmi_m4;

VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_load(const float *p)
{
    return wasm_v128_load(p);
}
VRMI_SIMD_INLINE void vrmi_f4_store(float *p, vrmi_f4 a)
{
    wasm_v128_store(p, a);
}
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_all(float x)
{
    return wasm_f32x4_splat(x);
}
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_set(float a, float b, float c, float d)
{
    return wasm_f32x4_make(a, b, c, d);
}
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_add(vrmi_f4 a, vrmi_f4 b)
{
    return wasm_f32x4_add(a, b);
}
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_sub(vrmi_f4 a, vrmi_f4 b)
{
    return wasm_f32x4_sub(a, b);
}
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_mul(vrmi_f4 a, vrmi_f4 b)
{
    return wasm_f32x4_mul(a, b);
}
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_div(vrmi_f4 a, vrmi_f4 b)
{
    return wasm_f32x4_div(a, b);
}
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_sqrt(vrmi_f4 a)
{
    return wasm_f32x4_sqrt(a);
}
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_neg(vrmi_f4 a)
{
    return wasm_f32x4_neg(a);
}
// pmin(x, y) is y < x ? y : x, pmax(x, y) is x < y ? y : x.
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_min(vrmi_f4 a, vrmi_f4 b)
{
    return wasm_f32x4_pmin(b, a);
}
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_max(vrmi_f4 a, vrmi_f4 b)
{
    return wasm_f32x4_pmax(b, a);
}
VRMI_SIMD_INLINE vrmi_m4 vrmi_f4_lt(vrmi_f4 a, vrmi_f4 b)
{
    return wasm_f32x4_lt(a, b);
}
VRMI_SIMD_INLINE vrmi_m4 vrmi_f4_eq(vrmi_f4 a, vrmi_f4 b)
{
    return wasm_f32x4_eq(a, b);
}
VRMI_SIMD_INLINE vrmi_m4 vrmi_m4_and(vrmi_m4 a, vrmi_m4 b)
{
    return wasm_v128_and(a, b);
}
VRMI_SIMD_INLINE vrmi_m4 vrmi_m4_or(vrmi_m4 a, vrmi_m4 b)
{
    return wasm_v128_or(a, b);
}
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_select(vrmi_m4 m, vrmi_f4 a, vrmi_f4 b)
{
    return wasm_v128_bitselect(a, b, m);
}
VRMI_SIMD_INLINE uint32_t vrmi_m4_bits(vrmi_m4 m)
{
    return (uint32_t)wasm_i32x4_bitmask(m);
}
VRMI_SIMD_INLINE vrmi_m4 vrmi_m4_from_bits(uint32_t bits)
{
    const v128_t each = wasm_i32x4_make(1, 2, 4, 8);
    return wasm_i32x4_eq(wasm_v128_and(wasm_i32x4_splat((int32_t)bits), each), each);
}
#define VRMI_F4_SPREAD(a, lane) wasm_i32x4_shuffle(a, a, lane, lane, lane, lane)
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_zip_low(vrmi_f4 a, vrmi_f4 b)
{
    return wasm_i32x4_shuffle(a, b, 0, 4, 1, 5);
}
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_zip_high(vrmi_f4 a, vrmi_f4 b)
{
    return wasm_i32x4_shuffle(a, b, 2, 6, 3, 7);
}

#elif !defined(VRMI_SIMD_SCALAR) && defined(VRMI_SIMD_FOUR)

typedef float32x4_t vrmi_f4;
typedef uint32x4_t vrmi_m4;

VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_load(const float *p)
{
    return vld1q_f32(p);
}
VRMI_SIMD_INLINE void vrmi_f4_store(float *p, vrmi_f4 a)
{
    vst1q_f32(p, a);
}
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_all(float x)
{
    return vdupq_n_f32(x);
}
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_set(float a, float b, float c, float d)
{
    const float lanes[4] = {a, b, c, d};
    return vld1q_f32(lanes);
}
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_add(vrmi_f4 a, vrmi_f4 b)
{
    return vaddq_f32(a, b);
}
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_sub(vrmi_f4 a, vrmi_f4 b)
{
    return vsubq_f32(a, b);
}
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_mul(vrmi_f4 a, vrmi_f4 b)
{
    return vmulq_f32(a, b);
}
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_div(vrmi_f4 a, vrmi_f4 b)
{
    return vdivq_f32(a, b);
}
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_sqrt(vrmi_f4 a)
{
    return vsqrtq_f32(a);
}
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_neg(vrmi_f4 a)
{
    return vnegq_f32(a);
}
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_min(vrmi_f4 a, vrmi_f4 b)
{
    return vbslq_f32(vcltq_f32(a, b), a, b);
}
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_max(vrmi_f4 a, vrmi_f4 b)
{
    return vbslq_f32(vcgtq_f32(a, b), a, b);
}
VRMI_SIMD_INLINE vrmi_m4 vrmi_f4_lt(vrmi_f4 a, vrmi_f4 b)
{
    return vcltq_f32(a, b);
}
VRMI_SIMD_INLINE vrmi_m4 vrmi_f4_eq(vrmi_f4 a, vrmi_f4 b)
{
    return vceqq_f32(a, b);
}
VRMI_SIMD_INLINE vrmi_m4 vrmi_m4_and(vrmi_m4 a, vrmi_m4 b)
{
    return vandq_u32(a, b);
}
VRMI_SIMD_INLINE vrmi_m4 vrmi_m4_or(vrmi_m4 a, vrmi_m4 b)
{
    return vorrq_u32(a, b);
}
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_select(vrmi_m4 m, vrmi_f4 a, vrmi_f4 b)
{
    return vbslq_f32(m, a, b);
}
VRMI_SIMD_INLINE uint32_t vrmi_m4_bits(vrmi_m4 m)
{
    static const uint32_t weights[4] = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(m, vld1q_u32(weights)));
}
VRMI_SIMD_INLINE vrmi_m4 vrmi_m4_from_bits(uint32_t bits)
{
    static const uint32_t each[4] = {1, 2, 4, 8};
    return vtstq_u32(vdupq_n_u32(bits), vld1q_u32(each));
}
#define VRMI_F4_SPREAD(a, lane) vdupq_laneq_f32(a, lane)
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_zip_low(vrmi_f4 a, vrmi_f4 b)
{
    return vzip1q_f32(a, b);
}
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_zip_high(vrmi_f4 a, vrmi_f4 b)
{
    return vzip2q_f32(a, b);
}

#else

typedef struct vrmi_f4 {
    float v[4];
} vrmi_f4;
typedef struct vrmi_m4 {
    uint32_t v[4]; // 0 or 1
} vrmi_m4;

#define VRMI_F4_MAP(type, expression) \
    type r; \
    for (int i = 0; i < 4; ++i) { \
        r.v[i] = (expression); \
    } \
    return r

VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_load(const float *p)
{
    VRMI_F4_MAP(vrmi_f4, p[i]);
}
VRMI_SIMD_INLINE void vrmi_f4_store(float *p, vrmi_f4 a)
{
    for (int i = 0; i < 4; ++i) {
        p[i] = a.v[i];
    }
}
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_all(float x)
{
    VRMI_F4_MAP(vrmi_f4, x);
}
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_set(float a, float b, float c, float d)
{
    return (vrmi_f4){{a, b, c, d}};
}
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_add(vrmi_f4 a, vrmi_f4 b)
{
    VRMI_F4_MAP(vrmi_f4, a.v[i] + b.v[i]);
}
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_sub(vrmi_f4 a, vrmi_f4 b)
{
    VRMI_F4_MAP(vrmi_f4, a.v[i] - b.v[i]);
}
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_mul(vrmi_f4 a, vrmi_f4 b)
{
    VRMI_F4_MAP(vrmi_f4, a.v[i] * b.v[i]);
}
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_div(vrmi_f4 a, vrmi_f4 b)
{
    VRMI_F4_MAP(vrmi_f4, a.v[i] / b.v[i]);
}
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_sqrt(vrmi_f4 a)
{
    VRMI_F4_MAP(vrmi_f4, vrmi_sqrt(a.v[i]));
}
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_neg(vrmi_f4 a)
{
    VRMI_F4_MAP(vrmi_f4, -a.v[i]);
}
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_min(vrmi_f4 a, vrmi_f4 b)
{
    VRMI_F4_MAP(vrmi_f4, vrmi_min(a.v[i], b.v[i]));
}
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_max(vrmi_f4 a, vrmi_f4 b)
{
    VRMI_F4_MAP(vrmi_f4, vrmi_max(a.v[i], b.v[i]));
}
VRMI_SIMD_INLINE vrmi_m4 vrmi_f4_lt(vrmi_f4 a, vrmi_f4 b)
{
    VRMI_F4_MAP(vrmi_m4, a.v[i] < b.v[i]);
}
VRMI_SIMD_INLINE vrmi_m4 vrmi_f4_eq(vrmi_f4 a, vrmi_f4 b)
{
    VRMI_F4_MAP(vrmi_m4, a.v[i] == b.v[i]);
}
VRMI_SIMD_INLINE vrmi_m4 vrmi_m4_and(vrmi_m4 a, vrmi_m4 b)
{
    VRMI_F4_MAP(vrmi_m4, a.v[i] & b.v[i]);
}
VRMI_SIMD_INLINE vrmi_m4 vrmi_m4_or(vrmi_m4 a, vrmi_m4 b)
{
    VRMI_F4_MAP(vrmi_m4, a.v[i] | b.v[i]);
}
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_select(vrmi_m4 m, vrmi_f4 a, vrmi_f4 b)
{
    VRMI_F4_MAP(vrmi_f4, m.v[i] != 0 ? a.v[i] : b.v[i]);
}
VRMI_SIMD_INLINE uint32_t vrmi_m4_bits(vrmi_m4 m)
{
    return m.v[0] | m.v[1] << 1 | m.v[2] << 2 | m.v[3] << 3;
}
VRMI_SIMD_INLINE vrmi_m4 vrmi_m4_from_bits(uint32_t bits)
{
    VRMI_F4_MAP(vrmi_m4, bits >> i & 1u);
}
#define VRMI_F4_SPREAD(a, lane) vrmi_f4_all((a).v[lane])
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_zip_low(vrmi_f4 a, vrmi_f4 b)
{
    return vrmi_f4_set(a.v[0], b.v[0], a.v[1], b.v[1]);
}
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_zip_high(vrmi_f4 a, vrmi_f4 b)
{
    return vrmi_f4_set(a.v[2], b.v[2], a.v[3], b.v[3]);
}

#undef VRMI_F4_MAP

#endif

// Broadcasts one of the four lanes to all lanes.
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_spread_0(vrmi_f4 a)
{
    return VRMI_F4_SPREAD(a, 0);
}
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_spread_1(vrmi_f4 a)
{
    return VRMI_F4_SPREAD(a, 1);
}
VRMI_SIMD_INLINE vrmi_f4 vrmi_f4_spread_2(vrmi_f4 a)
{
    return VRMI_F4_SPREAD(a, 2);
}

#undef VRMI_F4_SPREAD

// Transposes four rows of four in place; its own inverse.
VRMI_SIMD_INLINE void vrmi_f4_transpose(vrmi_f4 r[4])
{
    const vrmi_f4 a = vrmi_f4_zip_low(r[0], r[2]), b = vrmi_f4_zip_low(r[1], r[3]);
    const vrmi_f4 c = vrmi_f4_zip_high(r[0], r[2]), d = vrmi_f4_zip_high(r[1], r[3]);
    r[0] = vrmi_f4_zip_low(a, b);
    r[1] = vrmi_f4_zip_high(a, b);
    r[2] = vrmi_f4_zip_low(c, d);
    r[3] = vrmi_f4_zip_high(c, d);
}

// --- eight lanes: as many chains, bones or ragdolls ------------------------------------------------------------------

#if !defined(VRMI_SIMD_SCALAR) && !defined(VRM_LANES_SCALAR) && defined(__AVX2__)

#include <immintrin.h>

typedef __m256 vrmi_f8;
typedef __m256 vrmi_m8;

VRMI_SIMD_INLINE vrmi_f8 vrmi_f8_load(const float *p)
{
    return _mm256_loadu_ps(p);
}
VRMI_SIMD_INLINE void vrmi_f8_store(float *p, vrmi_f8 a)
{
    _mm256_storeu_ps(p, a);
}
VRMI_SIMD_INLINE vrmi_f8 vrmi_f8_all(float x)
{
    return _mm256_set1_ps(x);
}
VRMI_SIMD_INLINE vrmi_f8 vrmi_f8_set(float a, float b, float c, float d, float e, float f, float g, float h)
{
    return _mm256_setr_ps(a, b, c, d, e, f, g, h);
}
VRMI_SIMD_INLINE vrmi_f8 vrmi_f8_add(vrmi_f8 a, vrmi_f8 b)
{
    return _mm256_add_ps(a, b);
}
VRMI_SIMD_INLINE vrmi_f8 vrmi_f8_sub(vrmi_f8 a, vrmi_f8 b)
{
    return _mm256_sub_ps(a, b);
}
VRMI_SIMD_INLINE vrmi_f8 vrmi_f8_mul(vrmi_f8 a, vrmi_f8 b)
{
    return _mm256_mul_ps(a, b);
}
VRMI_SIMD_INLINE vrmi_f8 vrmi_f8_div(vrmi_f8 a, vrmi_f8 b)
{
    return _mm256_div_ps(a, b);
}
VRMI_SIMD_INLINE vrmi_f8 vrmi_f8_sqrt(vrmi_f8 a)
{
    return _mm256_sqrt_ps(a);
}
VRMI_SIMD_INLINE vrmi_f8 vrmi_f8_neg(vrmi_f8 a)
{
    return _mm256_xor_ps(a, _mm256_set1_ps(-0.0f));
}
VRMI_SIMD_INLINE vrmi_f8 vrmi_f8_min(vrmi_f8 a, vrmi_f8 b)
{
    return _mm256_min_ps(a, b);
}
VRMI_SIMD_INLINE vrmi_f8 vrmi_f8_max(vrmi_f8 a, vrmi_f8 b)
{
    return _mm256_max_ps(a, b);
}
VRMI_SIMD_INLINE vrmi_m8 vrmi_f8_lt(vrmi_f8 a, vrmi_f8 b)
{
    return _mm256_cmp_ps(a, b, _CMP_LT_OQ);
}
VRMI_SIMD_INLINE vrmi_m8 vrmi_f8_eq(vrmi_f8 a, vrmi_f8 b)
{
    return _mm256_cmp_ps(a, b, _CMP_EQ_OQ);
}
VRMI_SIMD_INLINE vrmi_m8 vrmi_m8_and(vrmi_m8 a, vrmi_m8 b)
{
    return _mm256_and_ps(a, b);
}
VRMI_SIMD_INLINE vrmi_m8 vrmi_m8_or(vrmi_m8 a, vrmi_m8 b)
{
    return _mm256_or_ps(a, b);
}
VRMI_SIMD_INLINE vrmi_f8 vrmi_f8_select(vrmi_m8 m, vrmi_f8 a, vrmi_f8 b)
{
    return _mm256_blendv_ps(b, a, m);
}
VRMI_SIMD_INLINE uint32_t vrmi_m8_bits(vrmi_m8 m)
{
    return (uint32_t)_mm256_movemask_ps(m);
}
VRMI_SIMD_INLINE vrmi_m8 vrmi_m8_from_bits(uint32_t bits)
{
    const __m256i each = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    return _mm256_castsi256_ps(_mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)bits), each), each));
}

// Broadcasts one of the four lanes within each half.
VRMI_SIMD_INLINE vrmi_f8 vrmi_f8_spread_0(vrmi_f8 a)
{
    return _mm256_permute_ps(a, 0x00);
}
VRMI_SIMD_INLINE vrmi_f8 vrmi_f8_spread_1(vrmi_f8 a)
{
    return _mm256_permute_ps(a, 0x55);
}
VRMI_SIMD_INLINE vrmi_f8 vrmi_f8_spread_2(vrmi_f8 a)
{
    return _mm256_permute_ps(a, 0xaa);
}
// Transposes four rows of eight to eight rows of four: out[i] contains rows i and i + 4. The function is its own
// inverse.
VRMI_SIMD_INLINE void vrmi_f8_transpose(vrmi_f8 r[4])
{
    const __m256 a = _mm256_unpacklo_ps(r[0], r[2]), b = _mm256_unpacklo_ps(r[1], r[3]);
    const __m256 c = _mm256_unpackhi_ps(r[0], r[2]), d = _mm256_unpackhi_ps(r[1], r[3]);
    r[0] = _mm256_unpacklo_ps(a, b);
    r[1] = _mm256_unpackhi_ps(a, b);
    r[2] = _mm256_unpacklo_ps(c, d);
    r[3] = _mm256_unpackhi_ps(c, d);
}
VRMI_SIMD_INLINE vrmi_f8 vrmi_f8_of_halves(vrmi_f4 l, vrmi_f4 h)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256(l), h, 1);
}
VRMI_SIMD_INLINE vrmi_f4 vrmi_f8_low(vrmi_f8 a)
{
    return _mm256_castps256_ps128(a);
}
VRMI_SIMD_INLINE vrmi_f4 vrmi_f8_high(vrmi_f8 a)
{
    return _mm256_extractf128_ps(a, 1);
}

#else

typedef struct vrmi_f8 {
    vrmi_f4 l, h;
} vrmi_f8;
typedef struct vrmi_m8 {
    vrmi_m4 l, h;
} vrmi_m8;

VRMI_SIMD_INLINE vrmi_f8 vrmi_f8_load(const float *p)
{
    return (vrmi_f8){vrmi_f4_load(p), vrmi_f4_load(p + 4)};
}
VRMI_SIMD_INLINE void vrmi_f8_store(float *p, vrmi_f8 a)
{
    vrmi_f4_store(p, a.l);
    vrmi_f4_store(p + 4, a.h);
}
VRMI_SIMD_INLINE vrmi_f8 vrmi_f8_all(float x)
{
    return (vrmi_f8){vrmi_f4_all(x), vrmi_f4_all(x)};
}
VRMI_SIMD_INLINE vrmi_f8 vrmi_f8_set(float a, float b, float c, float d, float e, float f, float g, float h)
{
    return (vrmi_f8){vrmi_f4_set(a, b, c, d), vrmi_f4_set(e, f, g, h)};
}

#define VRMI_F8_TWICE(type, op, a, b) \
    return (type) \
    { \
        op((a).l, (b).l), op((a).h, (b).h) \
    }

VRMI_SIMD_INLINE vrmi_f8 vrmi_f8_add(vrmi_f8 a, vrmi_f8 b)
{
    VRMI_F8_TWICE(vrmi_f8, vrmi_f4_add, a, b);
}
VRMI_SIMD_INLINE vrmi_f8 vrmi_f8_sub(vrmi_f8 a, vrmi_f8 b)
{
    VRMI_F8_TWICE(vrmi_f8, vrmi_f4_sub, a, b);
}
VRMI_SIMD_INLINE vrmi_f8 vrmi_f8_mul(vrmi_f8 a, vrmi_f8 b)
{
    VRMI_F8_TWICE(vrmi_f8, vrmi_f4_mul, a, b);
}
VRMI_SIMD_INLINE vrmi_f8 vrmi_f8_div(vrmi_f8 a, vrmi_f8 b)
{
    VRMI_F8_TWICE(vrmi_f8, vrmi_f4_div, a, b);
}
VRMI_SIMD_INLINE vrmi_f8 vrmi_f8_sqrt(vrmi_f8 a)
{
    return (vrmi_f8){vrmi_f4_sqrt(a.l), vrmi_f4_sqrt(a.h)};
}
VRMI_SIMD_INLINE vrmi_f8 vrmi_f8_neg(vrmi_f8 a)
{
    return (vrmi_f8){vrmi_f4_neg(a.l), vrmi_f4_neg(a.h)};
}
VRMI_SIMD_INLINE vrmi_f8 vrmi_f8_min(vrmi_f8 a, vrmi_f8 b)
{
    VRMI_F8_TWICE(vrmi_f8, vrmi_f4_min, a, b);
}
VRMI_SIMD_INLINE vrmi_f8 vrmi_f8_max(vrmi_f8 a, vrmi_f8 b)
{
    VRMI_F8_TWICE(vrmi_f8, vrmi_f4_max, a, b);
}
VRMI_SIMD_INLINE vrmi_m8 vrmi_f8_lt(vrmi_f8 a, vrmi_f8 b)
{
    VRMI_F8_TWICE(vrmi_m8, vrmi_f4_lt, a, b);
}
VRMI_SIMD_INLINE vrmi_m8 vrmi_f8_eq(vrmi_f8 a, vrmi_f8 b)
{
    VRMI_F8_TWICE(vrmi_m8, vrmi_f4_eq, a, b);
}
VRMI_SIMD_INLINE vrmi_m8 vrmi_m8_and(vrmi_m8 a, vrmi_m8 b)
{
    VRMI_F8_TWICE(vrmi_m8, vrmi_m4_and, a, b);
}
VRMI_SIMD_INLINE vrmi_m8 vrmi_m8_or(vrmi_m8 a, vrmi_m8 b)
{
    VRMI_F8_TWICE(vrmi_m8, vrmi_m4_or, a, b);
}
VRMI_SIMD_INLINE vrmi_f8 vrmi_f8_select(vrmi_m8 m, vrmi_f8 a, vrmi_f8 b)
{
    return (vrmi_f8){vrmi_f4_select(m.l, a.l, b.l), vrmi_f4_select(m.h, a.h, b.h)};
}
VRMI_SIMD_INLINE uint32_t vrmi_m8_bits(vrmi_m8 m)
{
    return vrmi_m4_bits(m.l) | vrmi_m4_bits(m.h) << 4;
}
VRMI_SIMD_INLINE vrmi_m8 vrmi_m8_from_bits(uint32_t bits)
{
    return (vrmi_m8){vrmi_m4_from_bits(bits), vrmi_m4_from_bits(bits >> 4)};
}
VRMI_SIMD_INLINE vrmi_f8 vrmi_f8_spread_0(vrmi_f8 a)
{
    return (vrmi_f8){vrmi_f4_spread_0(a.l), vrmi_f4_spread_0(a.h)};
}
VRMI_SIMD_INLINE vrmi_f8 vrmi_f8_spread_1(vrmi_f8 a)
{
    return (vrmi_f8){vrmi_f4_spread_1(a.l), vrmi_f4_spread_1(a.h)};
}
VRMI_SIMD_INLINE vrmi_f8 vrmi_f8_spread_2(vrmi_f8 a)
{
    return (vrmi_f8){vrmi_f4_spread_2(a.l), vrmi_f4_spread_2(a.h)};
}
VRMI_SIMD_INLINE vrmi_f8 vrmi_f8_of_halves(vrmi_f4 l, vrmi_f4 h)
{
    return (vrmi_f8){l, h};
}
VRMI_SIMD_INLINE vrmi_f4 vrmi_f8_low(vrmi_f8 a)
{
    return a.l;
}
VRMI_SIMD_INLINE vrmi_f4 vrmi_f8_high(vrmi_f8 a)
{
    return a.h;
}
VRMI_SIMD_INLINE void vrmi_f8_transpose(vrmi_f8 r[4])
{
    vrmi_f4 l[4] = {r[0].l, r[1].l, r[2].l, r[3].l}, h[4] = {r[0].h, r[1].h, r[2].h, r[3].h};
    vrmi_f4_transpose(l);
    vrmi_f4_transpose(h);
    for (int i = 0; i < 4; ++i) {
        r[i] = (vrmi_f8){l[i], h[i]};
    }
}

#undef VRMI_F8_TWICE

#endif

// Loads four numbers from each of eight addresses, at an offset of `at` floats. out[0] receives the first number of
// each, and so on.
VRMI_SIMD_INLINE void vrmi_f8_load_rows(const float *const rows[VRMI_LANES], int at, vrmi_f8 out[4])
{
    for (int i = 0; i < 4; ++i) {
        out[i] = vrmi_f8_of_halves(vrmi_f4_load(rows[i] + at), vrmi_f4_load(rows[i + 4] + at));
    }
    vrmi_f8_transpose(out);
}
// Stores four numbers to each of eight addresses, as vrmi_f8_load_rows() loads them.
VRMI_SIMD_INLINE void vrmi_f8_store_rows(float *const rows[VRMI_LANES], int at, const vrmi_f8 in[4])
{
    vrmi_f8 r[4] = {in[0], in[1], in[2], in[3]};
    vrmi_f8_transpose(r);
    for (int i = 0; i < 4; ++i) {
        vrmi_f4_store(rows[i] + at, vrmi_f8_low(r[i]));
        vrmi_f4_store(rows[i + 4] + at, vrmi_f8_high(r[i]));
    }
}

#endif
