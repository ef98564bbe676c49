// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Vectors, matrices and rotations of `real`, which is one float or eight. Include real_one.h or real_eight.h before
// this file; it is included once per width. The operations and their order are the same at every width, so the results
// are identical bit by bit.

typedef struct v3 {
    real x, y, z;
} v3;
typedef struct s3 { // symmetric
    real xx, xy, xz, yy, yz, zz;
} s3;
typedef struct m3 { // rows
    v3 x, y, z;
} m3;
VRMI_SIMD_INLINE v3 v3_add(v3 a, v3 b)
{
    return (v3){ADD(a.x, b.x), ADD(a.y, b.y), ADD(a.z, b.z)};
}
VRMI_SIMD_INLINE v3 v3_sub(v3 a, v3 b)
{
    return (v3){SUB(a.x, b.x), SUB(a.y, b.y), SUB(a.z, b.z)};
}
VRMI_SIMD_INLINE v3 v3_scale(v3 a, real s)
{
    return (v3){MUL(a.x, s), MUL(a.y, s), MUL(a.z, s)};
}
VRMI_SIMD_INLINE v3 v3_mul(v3 a, v3 b)
{
    return (v3){MUL(a.x, b.x), MUL(a.y, b.y), MUL(a.z, b.z)};
}
VRMI_SIMD_INLINE real v3_dot(v3 a, v3 b)
{
    return ADD(ADD(MUL(a.x, b.x), MUL(a.y, b.y)), MUL(a.z, b.z));
}
VRMI_SIMD_INLINE v3 v3_cross(v3 a, v3 b)
{
    return (v3){
        SUB(MUL(a.y, b.z), MUL(a.z, b.y)), SUB(MUL(a.z, b.x), MUL(a.x, b.z)), SUB(MUL(a.x, b.y), MUL(a.y, b.x))};
}
VRMI_SIMD_INLINE v3 v3_select(mask k, v3 a, v3 b)
{
    return (v3){SELECT(k, a.x, b.x), SELECT(k, a.y, b.y), SELECT(k, a.z, b.z)};
}
VRMI_SIMD_INLINE v3 v3_all(vrm_vec3 v)
{
    return (v3){ALL(v.x), ALL(v.y), ALL(v.z)};
}
VRMI_SIMD_INLINE real v3_length(v3 a)
{
    return SQRT(v3_dot(a, a));
}
// Returns the unit vector, or `fallback` if the vector is too short.
VRMI_SIMD_INLINE v3 v3_normalize_or(v3 a, v3 fallback)
{
    const real length = v3_length(a);
    return v3_select(LT(ALL(1e-18f), length), v3_scale(a, DIV(ALL(1.0f), length)), fallback);
}
// Returns the vector to a point from the nearest point of a segment. The segment is `b` from its start; `from_start` is
// the vector from its start to the point. `inverse` is 1 / (b . b), or 0 for a segment without length.
VRMI_SIMD_INLINE v3 v3_from_segment(v3 b, real inverse, v3 from_start)
{
    const real along = MAX(ALL(0.0f), MIN(ALL(1.0f), MUL(v3_dot(b, from_start), inverse)));
    return v3_sub(from_start, v3_scale(b, along));
}
// Rounds a decaying value so that it ends in 0 instead of denormals, which are slow on many processors and which some
// hosts flush to zero. The function adds and subtracts a constant: small components are rounded to multiples of
// 1.4e-20, large ones change by less than 3e-13.
VRMI_SIMD_INLINE real real_snap(real x)
{
    const real step = ALL(2.2737367544323206e-13f); // 2^-42
    return SUB(ADD(x, step), step);
}
VRMI_SIMD_INLINE v3 v3_snap(v3 v)
{
    return (v3){real_snap(v.x), real_snap(v.y), real_snap(v.z)};
}
VRMI_SIMD_INLINE s3 s3_add(s3 a, s3 b)
{
    return (s3){ADD(a.xx, b.xx), ADD(a.xy, b.xy), ADD(a.xz, b.xz), ADD(a.yy, b.yy), ADD(a.yz, b.yz), ADD(a.zz, b.zz)};
}
VRMI_SIMD_INLINE s3 s3_sub(s3 a, s3 b)
{
    return (s3){SUB(a.xx, b.xx), SUB(a.xy, b.xy), SUB(a.xz, b.xz), SUB(a.yy, b.yy), SUB(a.yz, b.yz), SUB(a.zz, b.zz)};
}
VRMI_SIMD_INLINE s3 s3_scale(s3 a, real s)
{
    return (s3){MUL(a.xx, s), MUL(a.xy, s), MUL(a.xz, s), MUL(a.yy, s), MUL(a.yz, s), MUL(a.zz, s)};
}
VRMI_SIMD_INLINE s3 s3_select(mask k, s3 a, s3 b)
{
    return (s3){SELECT(k, a.xx, b.xx), SELECT(k, a.xy, b.xy), SELECT(k, a.xz, b.xz), SELECT(k, a.yy, b.yy),
        SELECT(k, a.yz, b.yz), SELECT(k, a.zz, b.zz)};
}
// s * a a'
VRMI_SIMD_INLINE s3 s3_outer(v3 a, real s)
{
    const v3 b = v3_scale(a, s);
    return (s3){MUL(b.x, a.x), MUL(b.x, a.y), MUL(b.x, a.z), MUL(b.y, a.y), MUL(b.y, a.z), MUL(b.z, a.z)};
}
VRMI_SIMD_INLINE v3 s3_row_x(s3 a)
{
    return (v3){a.xx, a.xy, a.xz};
}
VRMI_SIMD_INLINE v3 s3_row_y(s3 a)
{
    return (v3){a.xy, a.yy, a.yz};
}
VRMI_SIMD_INLINE v3 s3_row_z(s3 a)
{
    return (v3){a.xz, a.yz, a.zz};
}
VRMI_SIMD_INLINE v3 s3_mul(s3 a, v3 v)
{
    return (v3){v3_dot(s3_row_x(a), v), v3_dot(s3_row_y(a), v), v3_dot(s3_row_z(a), v)};
}
VRMI_SIMD_INLINE v3 m3_mul(m3 a, v3 v)
{
    return (v3){v3_dot(a.x, v), v3_dot(a.y, v), v3_dot(a.z, v)};
}
// a' v
VRMI_SIMD_INLINE v3 m3_mul_transposed(m3 a, v3 v)
{
    return v3_add(v3_add(v3_scale(a.x, v.x), v3_scale(a.y, v.y)), v3_scale(a.z, v.z));
}
VRMI_SIMD_INLINE m3 m3_transpose(m3 a)
{
    return (m3){{a.x.x, a.y.x, a.z.x}, {a.x.y, a.y.y, a.z.y}, {a.x.z, a.y.z, a.z.z}};
}
VRMI_SIMD_INLINE m3 s3_rows(s3 a)
{
    return (m3){s3_row_x(a), s3_row_y(a), s3_row_z(a)};
}
// Returns a' b, if this product is known to be symmetric.
VRMI_SIMD_INLINE s3 m3_mul_symmetric(m3 a, m3 b)
{
    const m3 t = m3_transpose(a), u = m3_transpose(b);
    return (s3){
        v3_dot(t.x, u.x), v3_dot(t.x, u.y), v3_dot(t.x, u.z), v3_dot(t.y, u.y), v3_dot(t.y, u.z), v3_dot(t.z, u.z)};
}
// Return a b, and the upper half of a matrix that is known to be symmetric.
VRMI_SIMD_INLINE m3 m3_mul_m3(m3 a, m3 b)
{
    return (m3){m3_mul_transposed(b, a.x), m3_mul_transposed(b, a.y), m3_mul_transposed(b, a.z)};
}
VRMI_SIMD_INLINE s3 m3_upper(m3 a)
{
    return (s3){a.x.x, a.x.y, a.x.z, a.y.y, a.y.z, a.z.z};
}
VRMI_SIMD_INLINE m3 m3_add(m3 a, m3 b)
{
    return (m3){v3_add(a.x, b.x), v3_add(a.y, b.y), v3_add(a.z, b.z)};
}
VRMI_SIMD_INLINE m3 m3_sub(m3 a, m3 b)
{
    return (m3){v3_sub(a.x, b.x), v3_sub(a.y, b.y), v3_sub(a.z, b.z)};
}
VRMI_SIMD_INLINE m3 m3_select(mask k, m3 a, m3 b)
{
    return (m3){v3_select(k, a.x, b.x), v3_select(k, a.y, b.y), v3_select(k, a.z, b.z)};
}
VRMI_SIMD_INLINE m3 m3_scale(m3 a, real s)
{
    return (m3){v3_scale(a.x, s), v3_scale(a.y, s), v3_scale(a.z, s)};
}
// Returns the matrix of cofactors, which is the transposed inverse times the determinant. It transforms normals if `a`
// transforms the surface.
VRMI_SIMD_INLINE m3 m3_cofactors(m3 a)
{
    return (m3){v3_cross(a.y, a.z), v3_cross(a.z, a.x), v3_cross(a.x, a.y)};
}
// Returns the inverse, or 0 if there is none.
VRMI_SIMD_INLINE m3 m3_inverse(m3 a)
{
    const m3 cofactors = m3_cofactors(a);
    const real determinant = v3_dot(a.x, cofactors.x), size = MAX(determinant, NEG(determinant));
    const mask regular = AND(LT(ALL(1e-30f), size), LT(size, ALL(1e30f)));
    return m3_transpose(m3_scale(cofactors, SELECT(regular, DIV(ALL(1.0f), determinant), ALL(0.0f))));
}
// Returns the rows as perpendicular unit vectors, right-handed: if they mirror, x is reversed. Gram-Schmidt: with
// shear, x keeps its direction, y is made perpendicular to x, and z is their cross product.
VRMI_SIMD_INLINE m3 m3_square(m3 a)
{
    const real zero = ALL(0.0f), one = ALL(1.0f);
    const mask mirrored = LT(v3_dot(v3_cross(a.x, a.y), a.z), zero);
    const v3 unit_x = {one, zero, zero}, unit_y = {zero, one, zero};
    const v3 x = v3_scale(v3_normalize_or(a.x, unit_x), SELECT(mirrored, NEG(one), one));
    const v3 raw_y = v3_normalize_or(a.y, unit_y);
    const v3 y = v3_normalize_or(v3_sub(raw_y, v3_scale(x, v3_dot(x, raw_y))), unit_y);
    return (m3){x, y, v3_cross(x, y)};
}
// r x a, column by column
VRMI_SIMD_INLINE m3 cross_m3(v3 r, m3 a)
{
    return (m3){v3_sub(v3_scale(a.z, r.y), v3_scale(a.y, r.z)), v3_sub(v3_scale(a.x, r.z), v3_scale(a.z, r.x)),
        v3_sub(v3_scale(a.y, r.x), v3_scale(a.x, r.y))};
}
VRMI_SIMD_INLINE m3 cross_s3(v3 r, s3 a)
{
    return cross_m3(r, s3_rows(a));
}
// A positive definite matrix as L D L', with the inverse of D. The bodies beyond a pinned hand can be 10,000 times
// stiffer in one direction than in another. An inverse would spread the rounding error of the stiff direction over the
// soft one; factors do not. Pivots that rounding would make negative are kept positive.
typedef struct ldl {
    real l21, l31, l32;
    v3 inverse;
} ldl;

VRMI_SIMD_INLINE real pivot(real x, real of)
{
    return DIV(ALL(1.0f), MAX(MAX(x, MUL(of, ALL(1e-6f))), ALL(1e-20f)));
}
VRMI_SIMD_INLINE ldl s3_factor(s3 a)
{
    const real i1 = pivot(a.xx, a.xx);
    const real l21 = MUL(a.xy, i1), l31 = MUL(a.xz, i1);
    const real i2 = pivot(SUB(a.yy, MUL(l21, a.xy)), a.yy);
    const real n = SUB(a.yz, MUL(l31, a.xy));
    const real l32 = MUL(n, i2);
    const real i3 = pivot(SUB(SUB(a.zz, MUL(l31, a.xz)), MUL(l32, n)), a.zz);
    return (ldl){l21, l31, l32, {i1, i2, i3}};
}
// L^-1 v
VRMI_SIMD_INLINE v3 ldl_forward(const ldl *f, v3 v)
{
    const real y = SUB(v.y, MUL(f->l21, v.x));
    return (v3){v.x, y, SUB(SUB(v.z, MUL(f->l31, v.x)), MUL(f->l32, y))};
}
// L'^-1 v
VRMI_SIMD_INLINE v3 ldl_back(const ldl *f, v3 v)
{
    const real y = SUB(v.y, MUL(f->l32, v.z));
    return (v3){SUB(SUB(v.x, MUL(f->l21, y)), MUL(f->l31, v.z)), y, v.z};
}
VRMI_SIMD_INLINE v3 ldl_scale(const ldl *f, v3 v)
{
    return v3_mul(v, f->inverse);
}
VRMI_SIMD_INLINE v3 ldl_solve(const ldl *f, v3 v)
{
    return ldl_back(f, ldl_scale(f, ldl_forward(f, v)));
}
// Return L^-1 a, and D^-1 times a matrix, row by row.
VRMI_SIMD_INLINE m3 ldl_forward_m3(const ldl *f, m3 a)
{
    const v3 y = v3_sub(a.y, v3_scale(a.x, f->l21));
    return (m3){a.x, y, v3_sub(v3_sub(a.z, v3_scale(a.x, f->l31)), v3_scale(y, f->l32))};
}
VRMI_SIMD_INLINE m3 ldl_scale_m3(const ldl *f, m3 a)
{
    return (m3){v3_scale(a.x, f->inverse.x), v3_scale(a.y, f->inverse.y), v3_scale(a.z, f->inverse.z)};
}

// --- rotations -----------------------------------------------------------------------------------------------------

typedef struct q4 {
    real x, y, z, w;
} q4;

VRMI_SIMD_INLINE q4 q4_conjugate(q4 q)
{
    return (q4){NEG(q.x), NEG(q.y), NEG(q.z), q.w};
}
// The product rotates by b first, then by a.
VRMI_SIMD_INLINE q4 q4_mul(q4 a, q4 b)
{
    return (q4){
        SUB(ADD(ADD(MUL(a.w, b.x), MUL(a.x, b.w)), MUL(a.y, b.z)), MUL(a.z, b.y)),
        ADD(ADD(SUB(MUL(a.w, b.y), MUL(a.x, b.z)), MUL(a.y, b.w)), MUL(a.z, b.x)),
        ADD(SUB(ADD(MUL(a.w, b.z), MUL(a.x, b.y)), MUL(a.y, b.x)), MUL(a.z, b.w)),
        SUB(SUB(SUB(MUL(a.w, b.w), MUL(a.x, b.x)), MUL(a.y, b.y)), MUL(a.z, b.z)),
    };
}
VRMI_SIMD_INLINE v3 q4_rotate(q4 q, v3 v)
{
    const v3 axis = {q.x, q.y, q.z};
    const v3 t = v3_scale(v3_cross(axis, v), ALL(2.0f));
    return v3_add(v3_add(v, v3_scale(t, q.w)), v3_cross(axis, t));
}
VRMI_SIMD_INLINE q4 q4_select(mask k, q4 a, q4 b)
{
    return (q4){SELECT(k, a.x, b.x), SELECT(k, a.y, b.y), SELECT(k, a.z, b.z), SELECT(k, a.w, b.w)};
}
VRMI_SIMD_INLINE q4 q4_all(vrm_quat q)
{
    return (q4){ALL(q.x), ALL(q.y), ALL(q.z), ALL(q.w)};
}
VRMI_SIMD_INLINE q4 q4_add(q4 a, q4 b)
{
    return (q4){ADD(a.x, b.x), ADD(a.y, b.y), ADD(a.z, b.z), ADD(a.w, b.w)};
}
VRMI_SIMD_INLINE q4 q4_scale(q4 q, real s)
{
    return (q4){MUL(q.x, s), MUL(q.y, s), MUL(q.z, s), MUL(q.w, s)};
}
VRMI_SIMD_INLINE real q4_dot(q4 a, q4 b)
{
    return ADD(ADD(ADD(MUL(a.x, b.x), MUL(a.y, b.y)), MUL(a.z, b.z)), MUL(a.w, b.w));
}
// Returns the unit quaternion; the identity if q cannot be normalised. Square roots of finite floats are below 1e20.
VRMI_SIMD_INLINE q4 q4_normalize(q4 q)
{
    const real length = SQRT(q4_dot(q, q)), zero = ALL(0.0f), one = ALL(1.0f);
    const mask good = AND(LT(ALL(1e-15f), length), LT(length, ALL(1e20f)));
    return q4_select(good, q4_scale(q, DIV(one, length)), (q4){zero, zero, zero, one});
}
// Returns half a turn about an axis perpendicular to `from`, for opposite unit vectors.
VRMI_SIMD_RARE q4 half_turn(const v3 *from)
{
    const v3 a = *from;
    const real zero = ALL(0.0f), one = ALL(1.0f);
    const v3 x = {one, zero, zero}, y = {zero, one, zero};
    v3 axis = v3_sub(x, v3_scale(a, a.x));
    const mask along_x = LT(v3_dot(axis, axis), ALL(1e-6f));
    axis = v3_normalize_or(v3_select(along_x, v3_sub(y, v3_scale(a, a.y)), axis), x);
    return (q4){axis.x, axis.y, axis.z, zero};
}

// Returns the shortest rotation between unit vectors. 1 + dot is half the squared length of a + b, and a x b is a x (a
// + b). Near opposite vectors, the plain formulas lose both values to rounding, but the sum is exact.
VRMI_SIMD_INLINE q4 q4_from_to(v3 a, v3 b)
{
    const v3 sum = v3_add(a, b);
    const real w = MUL(ALL(0.5f), v3_dot(sum, sum));
    const v3 axis = v3_cross(a, sum);
    q4 usual = {axis.x, axis.y, axis.z, w};
    usual = q4_scale(usual, DIV(ALL(1.0f), SQRT(q4_dot(usual, usual))));
    const mask is_usual = LT(ALL(1e-12f), w);
    if (BITS(is_usual) == FULL) {
        return usual;
    }
    const v3 from = a; // passed by address as a copy: otherwise compilers keep `a` in memory or copy it in halves
    return q4_select(is_usual, usual, half_turn(&from));
}
VRMI_SIMD_INLINE m3 q4_matrix(q4 q)
{
    const real x = ADD(q.x, q.x), y = ADD(q.y, q.y), z = ADD(q.z, q.z), one = ALL(1.0f);
    const real xx = MUL(q.x, x), yy = MUL(q.y, y), zz = MUL(q.z, z);
    const real xy = MUL(q.x, y), xz = MUL(q.x, z), yz = MUL(q.y, z);
    const real wx = MUL(q.w, x), wy = MUL(q.w, y), wz = MUL(q.w, z);
    return (m3){{SUB(one, ADD(yy, zz)), SUB(xy, wz), ADD(xz, wy)}, {ADD(xy, wz), SUB(one, ADD(xx, zz)), SUB(yz, wx)},
        {SUB(xz, wy), ADD(yz, wx), SUB(one, ADD(xx, yy))}};
}
// The rotation matrix after a scale, as in vrmi_mat34_from_transform() without the translation.
VRMI_SIMD_INLINE m3 q4_matrix_scaled(q4 q, v3 scale)
{
    const m3 m = q4_matrix(q);
    return (m3){v3_mul(m.x, scale), v3_mul(m.y, scale), v3_mul(m.z, scale)};
}
VRMI_SIMD_INLINE real real_abs(real x)
{
    return MAX(x, NEG(x));
}
// Like vrmi_atan2_fast(): error below 4e-7.
VRMI_SIMD_INLINE real real_atan2(real y, real x)
{
    const real zero = ALL(0.0f), ax = real_abs(x), ay = real_abs(y);
    const real larger = MAX(ax, ay), smaller = MIN(ay, ax);
    real t = DIV(smaller, MAX(larger, ALL(1e-30f)));
    const mask steep = LT(ALL(0.41421356f), t);
    t = SELECT(steep, DIV(SUB(t, ALL(1.0f)), ADD(t, ALL(1.0f))), t);
    const real z = MUL(t, t);
    real series = ADD(MUL(ALL(-0.06451928f), z), ALL(0.10743731f));
    series = SUB(MUL(series, z), ALL(0.14263956f));
    series = ADD(MUL(series, z), ALL(0.19999540f));
    series = SUB(MUL(series, z), ALL(0.33333332f));
    real angle = ADD(SELECT(steep, ALL(0.25f * VRMI_PI), zero), ADD(t, MUL(MUL(t, z), series)));
    angle = SELECT(LT(ax, ay), SUB(ALL(0.5f * VRMI_PI), angle), angle);
    angle = SELECT(LT(x, zero), SUB(ALL(VRMI_PI), angle), angle);
    return SELECT(LT(y, zero), NEG(angle), angle);
}
// Returns the rotation vector of the short way round.
VRMI_SIMD_INLINE v3 q4_to_vector(q4 q)
{
    const real sign = SELECT(LT(q.w, ALL(0.0f)), ALL(-1.0f), ALL(1.0f));
    const v3 v = v3_scale((v3){q.x, q.y, q.z}, sign);
    const real sine = SQRT(v3_dot(v, v));
    const real turn = DIV(MUL(ALL(2.0f), real_atan2(sine, MUL(sign, q.w))), MAX(sine, ALL(1e-6f)));
    return v3_scale(v, SELECT(LT(ALL(1e-6f), sine), turn, ALL(2.0f)));
}
// Converts a rotation vector of at most half a turn.
VRMI_SIMD_INLINE q4 q4_from_vector(v3 v)
{
    const real angle = SQRT(v3_dot(v, v));
    const real a = MUL(ALL(0.5f), MIN(angle, ALL(VRMI_PI))), z = MUL(a, a);
    // Taylor series; the omitted terms are below 1e-7 at a quarter of a turn.
    real sine = SUB(ALL(2.7557319e-6f), MUL(z, ALL(2.5052108e-8f)));
    sine = ADD(ALL(-1.9841270e-4f), MUL(z, sine));
    sine = ADD(ALL(8.3333333e-3f), MUL(z, sine));
    sine = ADD(ALL(-0.16666667f), MUL(z, sine));
    sine = ADD(a, MUL(a, MUL(z, sine)));
    real cosine = ADD(ALL(-2.7557319e-7f), MUL(z, ALL(2.0876757e-9f)));
    cosine = ADD(ALL(2.4801587e-5f), MUL(z, cosine));
    cosine = ADD(ALL(-1.3888889e-3f), MUL(z, cosine));
    cosine = ADD(ALL(4.1666667e-2f), MUL(z, cosine));
    cosine = ADD(ALL(-0.5f), MUL(z, cosine));
    cosine = ADD(ALL(1.0f), MUL(z, cosine));
    const v3 axis = v3_scale(v, SELECT(LT(ALL(1e-6f), angle), DIV(sine, MAX(angle, ALL(1e-6f))), ALL(0.5f)));
    return q4_normalize((q4){axis.x, axis.y, axis.z, cosine});
}

// Returns the rotation of perpendicular unit axes, computed from its largest component.
VRMI_SIMD_INLINE q4 q4_from_axes(v3 x, v3 y, v3 z)
{
    const real one = ALL(1.0f);
    const real w4 = ADD(ADD(ADD(one, x.x), y.y), z.z), x4 = SUB(SUB(ADD(one, x.x), y.y), z.z);
    const real y4 = SUB(ADD(SUB(one, x.x), y.y), z.z), z4 = ADD(SUB(SUB(one, x.x), y.y), z.z);
    q4 q = {SUB(y.z, z.y), SUB(z.x, x.z), SUB(x.y, y.x), w4};
    real largest = w4;
    const q4 by_x = {x4, ADD(x.y, y.x), ADD(z.x, x.z), SUB(y.z, z.y)};
    q = q4_select(LT(largest, x4), by_x, q);
    largest = MAX(largest, x4);
    const q4 by_y = {ADD(x.y, y.x), y4, ADD(y.z, z.y), SUB(z.x, x.z)};
    q = q4_select(LT(largest, y4), by_y, q);
    largest = MAX(largest, y4);
    const q4 by_z = {ADD(z.x, x.z), ADD(y.z, z.y), z4, SUB(x.y, y.x)};
    return q4_normalize(q4_select(LT(largest, z4), by_z, q));
}

// --- rows of memory ------------------------------------------------------------------------------------------------

VRMI_SIMD_INLINE v3 load3(const float *p)
{
    return (v3){LOAD(p), LOAD(p + WIDTH), LOAD(p + 2 * WIDTH)};
}
VRMI_SIMD_INLINE s3 load6(const float *p)
{
    return (s3){
        LOAD(p), LOAD(p + WIDTH), LOAD(p + 2 * WIDTH), LOAD(p + 3 * WIDTH), LOAD(p + 4 * WIDTH), LOAD(p + 5 * WIDTH)};
}
VRMI_SIMD_INLINE m3 load9(const float *p)
{
    return (m3){load3(p), load3(p + 3 * WIDTH), load3(p + 6 * WIDTH)};
}
VRMI_SIMD_INLINE void store3(float *p, v3 a)
{
    STORE(p, a.x);
    STORE(p + WIDTH, a.y);
    STORE(p + 2 * WIDTH, a.z);
}
VRMI_SIMD_INLINE void store6(float *p, s3 a)
{
    store3(p, s3_row_x(a));
    STORE(p + 3 * WIDTH, a.yy);
    STORE(p + 4 * WIDTH, a.yz);
    STORE(p + 5 * WIDTH, a.zz);
}
VRMI_SIMD_INLINE q4 load4(const float *p)
{
    return (q4){LOAD(p), LOAD(p + WIDTH), LOAD(p + 2 * WIDTH), LOAD(p + 3 * WIDTH)};
}
VRMI_SIMD_INLINE void store4(float *p, q4 a)
{
    STORE(p, a.x);
    STORE(p + WIDTH, a.y);
    STORE(p + 2 * WIDTH, a.z);
    STORE(p + 3 * WIDTH, a.w);
}
// Loads four adjacent numbers for each lane from the lane's own address, at an offset of `at` floats.
VRMI_SIMD_INLINE q4 load_rows(const float *const places[WIDTH], int at)
{
    real columns[4];
    LOAD_ROWS(places, at, columns);
    return (q4){columns[0], columns[1], columns[2], columns[3]};
}
VRMI_SIMD_INLINE void store_rows(float *const places[WIDTH], int at, q4 a)
{
    const real columns[4] = {a.x, a.y, a.z, a.w};
    STORE_ROWS(places, at, columns);
}
// Loads a matrix for each lane, nine adjacent numbers in row order.
VRMI_SIMD_INLINE m3 load_matrices(const float *const places[WIDTH])
{
    const q4 a = load_rows(places, 0), b = load_rows(places, 4), c = load_rows(places, 5);
    return (m3){{a.x, a.y, a.z}, {a.w, b.x, b.y}, {b.z, b.w, c.w}};
}
VRMI_SIMD_INLINE void store_matrices(float *const places[WIDTH], m3 a)
{
    store_rows(places, 0, (q4){a.x.x, a.x.y, a.x.z, a.y.x});
    store_rows(places, 4, (q4){a.y.y, a.y.z, a.z.x, a.z.y});
    store_rows(places, 5, (q4){a.y.z, a.z.x, a.z.y, a.z.z});
}
// Loads a pose (rigid.h) for each lane, seven adjacent numbers.
VRMI_SIMD_INLINE void load_poses(const float *const places[WIDTH], v3 *out_position, q4 *out_rotation)
{
    const q4 a = load_rows(places, 0);
    *out_position = (v3){a.x, a.y, a.z};
    *out_rotation = load_rows(places, 3);
}
VRMI_SIMD_INLINE void store_poses(float *const places[WIDTH], v3 position, q4 rotation)
{
    store_rows(places, 0, (q4){position.x, position.y, position.z, rotation.x});
    store_rows(places, 3, rotation);
}
VRMI_SIMD_INLINE void store9(float *p, m3 a)
{
    store3(p, a.x);
    store3(p + 3 * WIDTH, a.y);
    store3(p + 6 * WIDTH, a.z);
}
VRMI_SIMD_INLINE float *row(float *body, uint32_t k)
{
    return body + (size_t)k * WIDTH;
}
// Returns the largest value of a row's lanes, at least 0.
VRMI_SIMD_INLINE float most(const float *p)
{
    float found = 0.0f;
    for (int lane = 0; lane < WIDTH; ++lane) {
        found = p[lane] > found ? p[lane] : found;
    }
    return found;
}

// --- planes of eight (lanes.h), from a lane on ---------------------------------------------------------------------

VRMI_SIMD_INLINE v3 load_vec3(const vrmi_vec3_lanes *in, uint32_t lane)
{
    return (v3){LOAD(&in->x[lane]), LOAD(&in->y[lane]), LOAD(&in->z[lane])};
}

VRMI_SIMD_INLINE q4 load_quat(const vrmi_quat_lanes *in, uint32_t lane)
{
    return (q4){LOAD(&in->x[lane]), LOAD(&in->y[lane]), LOAD(&in->z[lane]), LOAD(&in->w[lane])};
}

VRMI_SIMD_INLINE m3 load_matrix(const float planes[9][VRMI_LANES], uint32_t lane)
{
    return (m3){{LOAD(&planes[0][lane]), LOAD(&planes[1][lane]), LOAD(&planes[2][lane])},
        {LOAD(&planes[3][lane]), LOAD(&planes[4][lane]), LOAD(&planes[5][lane])},
        {LOAD(&planes[6][lane]), LOAD(&planes[7][lane]), LOAD(&planes[8][lane])}};
}

VRMI_SIMD_INLINE void store_vec3(vrmi_vec3_lanes *out, uint32_t lane, v3 v)
{
    STORE(&out->x[lane], v.x);
    STORE(&out->y[lane], v.y);
    STORE(&out->z[lane], v.z);
}

VRMI_SIMD_INLINE void store_matrix(float planes[9][VRMI_LANES], uint32_t lane, m3 a)
{
    const v3 rows[3] = {a.x, a.y, a.z};
    for (int k = 0; k < 3; ++k) {
        STORE(&planes[3 * k][lane], rows[k].x);
        STORE(&planes[3 * k + 1][lane], rows[k].y);
        STORE(&planes[3 * k + 2][lane], rows[k].z);
    }
}

VRMI_SIMD_INLINE void store_quat(vrmi_quat_lanes *out, uint32_t lane, q4 q)
{
    STORE(&out->x[lane], q.x);
    STORE(&out->y[lane], q.y);
    STORE(&out->z[lane], q.z);
    STORE(&out->w[lane], q.w);
}
