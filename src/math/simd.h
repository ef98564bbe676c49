// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MATH_SIMD_H
#define VRMI_MATH_SIMD_H

// Eight floats in lockstep: AVX2, pairs of SSE2, or plain C, by what the file is compiled for (VRMI_SIMD_SCALAR asks
// for plain C). All three walk data in the same order and use operations that IEEE 754 rounds correctly, so that they
// give the same bits: no estimates (rcp, rsqrt), no fused multiply-add, min and max as comparisons. For kernel_*.c.

#include "math/scalar.h"

enum { VRMI_LANES = 8 };

#if !defined(VRMI_SIMD_SCALAR) && defined(__AVX2__)

#include <immintrin.h>

typedef __m256 vrmi_f8;
typedef __m256 vrmi_m8; // a lane's bits are all set or all clear

static inline vrmi_f8 vrmi_f8_load(const float *p) { return _mm256_loadu_ps(p); }
static inline void vrmi_f8_store(float *p, vrmi_f8 a) { _mm256_storeu_ps(p, a); }
static inline vrmi_f8 vrmi_f8_all(float x) { return _mm256_set1_ps(x); }
static inline vrmi_f8 vrmi_f8_set(float a, float b, float c, float d, float e, float f, float g, float h)
{
    return _mm256_setr_ps(a, b, c, d, e, f, g, h);
}
static inline vrmi_f8 vrmi_f8_add(vrmi_f8 a, vrmi_f8 b) { return _mm256_add_ps(a, b); }
static inline vrmi_f8 vrmi_f8_sub(vrmi_f8 a, vrmi_f8 b) { return _mm256_sub_ps(a, b); }
static inline vrmi_f8 vrmi_f8_mul(vrmi_f8 a, vrmi_f8 b) { return _mm256_mul_ps(a, b); }
static inline vrmi_f8 vrmi_f8_div(vrmi_f8 a, vrmi_f8 b) { return _mm256_div_ps(a, b); }
static inline vrmi_f8 vrmi_f8_sqrt(vrmi_f8 a) { return _mm256_sqrt_ps(a); }
static inline vrmi_f8 vrmi_f8_neg(vrmi_f8 a) { return _mm256_xor_ps(a, _mm256_set1_ps(-0.0f)); }
// a < b ? a : b and a > b ? a : b: the instructions take b when the comparison fails, as the scalar ones do.
static inline vrmi_f8 vrmi_f8_min(vrmi_f8 a, vrmi_f8 b) { return _mm256_min_ps(a, b); }
static inline vrmi_f8 vrmi_f8_max(vrmi_f8 a, vrmi_f8 b) { return _mm256_max_ps(a, b); }
static inline vrmi_m8 vrmi_f8_lt(vrmi_f8 a, vrmi_f8 b) { return _mm256_cmp_ps(a, b, _CMP_LT_OQ); }
static inline vrmi_m8 vrmi_f8_eq(vrmi_f8 a, vrmi_f8 b) { return _mm256_cmp_ps(a, b, _CMP_EQ_OQ); }
static inline vrmi_m8 vrmi_m8_and(vrmi_m8 a, vrmi_m8 b) { return _mm256_and_ps(a, b); }
static inline vrmi_m8 vrmi_m8_or(vrmi_m8 a, vrmi_m8 b) { return _mm256_or_ps(a, b); }
static inline vrmi_f8 vrmi_f8_select(vrmi_m8 m, vrmi_f8 a, vrmi_f8 b) { return _mm256_blendv_ps(b, a, m); }
static inline uint32_t vrmi_m8_bits(vrmi_m8 m) { return (uint32_t)_mm256_movemask_ps(m); }

#elif !defined(VRMI_SIMD_SCALAR) && (defined(__SSE2__) || defined(_M_X64))

#include <emmintrin.h>

typedef struct vrmi_f8 {
    __m128 l, h;
} vrmi_f8;
typedef vrmi_f8 vrmi_m8;

static inline vrmi_f8 vrmi_f8_load(const float *p) { return (vrmi_f8){_mm_loadu_ps(p), _mm_loadu_ps(p + 4)}; }
static inline void vrmi_f8_store(float *p, vrmi_f8 a)
{
    _mm_storeu_ps(p, a.l);
    _mm_storeu_ps(p + 4, a.h);
}
static inline vrmi_f8 vrmi_f8_all(float x) { return (vrmi_f8){_mm_set1_ps(x), _mm_set1_ps(x)}; }
static inline vrmi_f8 vrmi_f8_set(float a, float b, float c, float d, float e, float f, float g, float h)
{
    return (vrmi_f8){_mm_setr_ps(a, b, c, d), _mm_setr_ps(e, f, g, h)};
}
static inline vrmi_f8 vrmi_f8_add(vrmi_f8 a, vrmi_f8 b) { return (vrmi_f8){_mm_add_ps(a.l, b.l), _mm_add_ps(a.h, b.h)}; }
static inline vrmi_f8 vrmi_f8_sub(vrmi_f8 a, vrmi_f8 b) { return (vrmi_f8){_mm_sub_ps(a.l, b.l), _mm_sub_ps(a.h, b.h)}; }
static inline vrmi_f8 vrmi_f8_mul(vrmi_f8 a, vrmi_f8 b) { return (vrmi_f8){_mm_mul_ps(a.l, b.l), _mm_mul_ps(a.h, b.h)}; }
static inline vrmi_f8 vrmi_f8_div(vrmi_f8 a, vrmi_f8 b) { return (vrmi_f8){_mm_div_ps(a.l, b.l), _mm_div_ps(a.h, b.h)}; }
static inline vrmi_f8 vrmi_f8_sqrt(vrmi_f8 a) { return (vrmi_f8){_mm_sqrt_ps(a.l), _mm_sqrt_ps(a.h)}; }
static inline vrmi_f8 vrmi_f8_neg(vrmi_f8 a)
{
    const __m128 sign = _mm_set1_ps(-0.0f);
    return (vrmi_f8){_mm_xor_ps(a.l, sign), _mm_xor_ps(a.h, sign)};
}
static inline vrmi_f8 vrmi_f8_min(vrmi_f8 a, vrmi_f8 b) { return (vrmi_f8){_mm_min_ps(a.l, b.l), _mm_min_ps(a.h, b.h)}; }
static inline vrmi_f8 vrmi_f8_max(vrmi_f8 a, vrmi_f8 b) { return (vrmi_f8){_mm_max_ps(a.l, b.l), _mm_max_ps(a.h, b.h)}; }
static inline vrmi_m8 vrmi_f8_lt(vrmi_f8 a, vrmi_f8 b)
{
    return (vrmi_m8){_mm_cmplt_ps(a.l, b.l), _mm_cmplt_ps(a.h, b.h)};
}
static inline vrmi_m8 vrmi_f8_eq(vrmi_f8 a, vrmi_f8 b)
{
    return (vrmi_m8){_mm_cmpeq_ps(a.l, b.l), _mm_cmpeq_ps(a.h, b.h)};
}
static inline vrmi_m8 vrmi_m8_and(vrmi_m8 a, vrmi_m8 b) { return (vrmi_m8){_mm_and_ps(a.l, b.l), _mm_and_ps(a.h, b.h)}; }
static inline vrmi_m8 vrmi_m8_or(vrmi_m8 a, vrmi_m8 b) { return (vrmi_m8){_mm_or_ps(a.l, b.l), _mm_or_ps(a.h, b.h)}; }
static inline vrmi_f8 vrmi_f8_select(vrmi_m8 m, vrmi_f8 a, vrmi_f8 b)
{
    return (vrmi_f8){_mm_or_ps(_mm_and_ps(m.l, a.l), _mm_andnot_ps(m.l, b.l)),
        _mm_or_ps(_mm_and_ps(m.h, a.h), _mm_andnot_ps(m.h, b.h))};
}
static inline uint32_t vrmi_m8_bits(vrmi_m8 m)
{
    return (uint32_t)_mm_movemask_ps(m.l) | (uint32_t)_mm_movemask_ps(m.h) << 4;
}

#else

typedef struct vrmi_f8 {
    float v[VRMI_LANES];
} vrmi_f8;
typedef struct vrmi_m8 {
    uint32_t v[VRMI_LANES]; // 0 or 1
} vrmi_m8;

#define VRMI_F8_MAP(type, expression) \
    type r; \
    for (int i = 0; i < VRMI_LANES; ++i) { \
        r.v[i] = (expression); \
    } \
    return r

static inline vrmi_f8 vrmi_f8_load(const float *p) { VRMI_F8_MAP(vrmi_f8, p[i]); }
static inline void vrmi_f8_store(float *p, vrmi_f8 a)
{
    for (int i = 0; i < VRMI_LANES; ++i) {
        p[i] = a.v[i];
    }
}
static inline vrmi_f8 vrmi_f8_all(float x) { VRMI_F8_MAP(vrmi_f8, x); }
static inline vrmi_f8 vrmi_f8_set(float a, float b, float c, float d, float e, float f, float g, float h)
{
    return (vrmi_f8){{a, b, c, d, e, f, g, h}};
}
static inline vrmi_f8 vrmi_f8_add(vrmi_f8 a, vrmi_f8 b) { VRMI_F8_MAP(vrmi_f8, a.v[i] + b.v[i]); }
static inline vrmi_f8 vrmi_f8_sub(vrmi_f8 a, vrmi_f8 b) { VRMI_F8_MAP(vrmi_f8, a.v[i] - b.v[i]); }
static inline vrmi_f8 vrmi_f8_mul(vrmi_f8 a, vrmi_f8 b) { VRMI_F8_MAP(vrmi_f8, a.v[i] * b.v[i]); }
static inline vrmi_f8 vrmi_f8_div(vrmi_f8 a, vrmi_f8 b) { VRMI_F8_MAP(vrmi_f8, a.v[i] / b.v[i]); }
static inline vrmi_f8 vrmi_f8_sqrt(vrmi_f8 a) { VRMI_F8_MAP(vrmi_f8, vrmi_sqrt(a.v[i])); }
static inline vrmi_f8 vrmi_f8_neg(vrmi_f8 a) { VRMI_F8_MAP(vrmi_f8, -a.v[i]); }
static inline vrmi_f8 vrmi_f8_min(vrmi_f8 a, vrmi_f8 b) { VRMI_F8_MAP(vrmi_f8, vrmi_min(a.v[i], b.v[i])); }
static inline vrmi_f8 vrmi_f8_max(vrmi_f8 a, vrmi_f8 b) { VRMI_F8_MAP(vrmi_f8, vrmi_max(a.v[i], b.v[i])); }
static inline vrmi_m8 vrmi_f8_lt(vrmi_f8 a, vrmi_f8 b) { VRMI_F8_MAP(vrmi_m8, a.v[i] < b.v[i]); }
static inline vrmi_m8 vrmi_f8_eq(vrmi_f8 a, vrmi_f8 b) { VRMI_F8_MAP(vrmi_m8, a.v[i] == b.v[i]); }
static inline vrmi_m8 vrmi_m8_and(vrmi_m8 a, vrmi_m8 b) { VRMI_F8_MAP(vrmi_m8, a.v[i] & b.v[i]); }
static inline vrmi_m8 vrmi_m8_or(vrmi_m8 a, vrmi_m8 b) { VRMI_F8_MAP(vrmi_m8, a.v[i] | b.v[i]); }
static inline vrmi_f8 vrmi_f8_select(vrmi_m8 m, vrmi_f8 a, vrmi_f8 b)
{
    VRMI_F8_MAP(vrmi_f8, m.v[i] != 0 ? a.v[i] : b.v[i]);
}
static inline uint32_t vrmi_m8_bits(vrmi_m8 m)
{
    uint32_t bits = 0;
    for (int i = 0; i < VRMI_LANES; ++i) {
        bits |= m.v[i] << i;
    }
    return bits;
}

#undef VRMI_F8_MAP

#endif

// --- four lanes: a matrix row or a quaternion ------------------------------------------------------------------------

#if !defined(VRMI_SIMD_SCALAR) && !defined(VRM_SCALAR) && (defined(__SSE2__) || defined(_M_X64))

#include <emmintrin.h>

typedef __m128 vrmi_f4;

static inline vrmi_f4 vrmi_f4_load(const float *p) { return _mm_loadu_ps(p); }
static inline void vrmi_f4_store(float *p, vrmi_f4 a) { _mm_storeu_ps(p, a); }
static inline vrmi_f4 vrmi_f4_all(float x) { return _mm_set1_ps(x); }
static inline vrmi_f4 vrmi_f4_set(float a, float b, float c, float d) { return _mm_setr_ps(a, b, c, d); }
static inline vrmi_f4 vrmi_f4_add(vrmi_f4 a, vrmi_f4 b) { return _mm_add_ps(a, b); }
static inline vrmi_f4 vrmi_f4_mul(vrmi_f4 a, vrmi_f4 b) { return _mm_mul_ps(a, b); }

#else

typedef struct vrmi_f4 {
    float v[4];
} vrmi_f4;

static inline vrmi_f4 vrmi_f4_load(const float *p) { return (vrmi_f4){{p[0], p[1], p[2], p[3]}}; }
static inline void vrmi_f4_store(float *p, vrmi_f4 a)
{
    for (int i = 0; i < 4; ++i) {
        p[i] = a.v[i];
    }
}
static inline vrmi_f4 vrmi_f4_all(float x) { return (vrmi_f4){{x, x, x, x}}; }
static inline vrmi_f4 vrmi_f4_set(float a, float b, float c, float d) { return (vrmi_f4){{a, b, c, d}}; }
static inline vrmi_f4 vrmi_f4_add(vrmi_f4 a, vrmi_f4 b)
{
    return (vrmi_f4){{a.v[0] + b.v[0], a.v[1] + b.v[1], a.v[2] + b.v[2], a.v[3] + b.v[3]}};
}
static inline vrmi_f4 vrmi_f4_mul(vrmi_f4 a, vrmi_f4 b)
{
    return (vrmi_f4){{a.v[0] * b.v[0], a.v[1] * b.v[1], a.v[2] * b.v[2], a.v[3] * b.v[3]}};
}

#endif
#endif
