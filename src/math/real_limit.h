// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The limits of VRMC_springBone_limit-1.0-draft on directions of `real`, computed without angles. Include real_vector.h
// first.

#include <vrm/spring.h>

// Moves a unit direction, +Y at rest, inside the limit of its lane. `type` is a vrm_spring_limit_type, `c` and `s` are
// the cosine and sine of the limit's angle (spherical: of the pitch), `most` is the sine of the yaw.
VRMI_SIMD_INLINE v3 v3_limited(real type, real c, real s, real most, v3 t)
{
    const real zero = ALL(0.0f), one = ALL(1.0f), tiny = ALL(1e-12f);
    // If several points of the limit are equally near, the draft of August 2026 decides. Cone: a direction straight
    // back goes to the boundary on the side of +Z.
    const real across = SQRT(ADD(MUL(t.x, t.x), MUL(t.z, t.z)));
    const mask aside = LT(tiny, across);
    const real inwards = DIV(s, SELECT(aside, across, one));
    const v3 on_cone = {SELECT(aside, MUL(t.x, inwards), zero), c, SELECT(aside, MUL(t.z, inwards), s)};
    const v3 cone = v3_select(LT(t.y, c), on_cone, t);
    // Hinge and spherical: use the direction around X. A direction along X has none, so it is replaced by +Y, the rest
    // direction. A direction straight back goes to the boundary on the side of +Z.
    const real radius = SQRT(ADD(MUL(t.y, t.y), MUL(t.z, t.z)));
    const mask pitched = LT(tiny, radius);
    const real inverse = DIV(one, SELECT(pitched, radius, one));
    real y = SELECT(pitched, MUL(t.y, inverse), one), z = SELECT(pitched, MUL(t.z, inverse), zero);
    const mask over = LT(y, c);
    z = SELECT(over, SELECT(LT(z, zero), NEG(s), s), z);
    y = SELECT(over, c, y);
    const v3 hinge = {zero, y, z};
    // Spherical: pitch = atan2(z, y) and yaw = asin(x) are clamped separately, without computing the angles.
    const real x = MAX(NEG(most), MIN(t.x, most));
    const real cos_yaw = SQRT(MAX(SUB(one, MUL(x, x)), zero));
    const v3 spherical = {x, MUL(cos_yaw, y), MUL(cos_yaw, z)};
    const v3 turned = v3_select(LT(type, ALL(VRM_SPRING_LIMIT_HINGE + 0.5f)), hinge, spherical);
    const v3 any = v3_select(LT(type, ALL(VRM_SPRING_LIMIT_CONE + 0.5f)), cone, turned);
    return v3_select(LT(type, ALL(VRM_SPRING_LIMIT_NONE + 0.5f)), t, any);
}
