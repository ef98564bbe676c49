// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef TESTS_PLAIN_QUAT_H
#define TESTS_PLAIN_QUAT_H

// Products of rotations written out, so that tests do not use the library's own.

#include <vrm/math.h>

static inline vrm_quat times(vrm_quat a, vrm_quat b)
{
    return (vrm_quat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

static inline vrm_quat inverse(vrm_quat q)
{
    return (vrm_quat){-q.x, -q.y, -q.z, q.w};
}

#endif
