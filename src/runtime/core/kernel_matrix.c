// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Computes the world transforms of nodes one by one, with one row of a matrix per register. Used for parts of the tree.

#include "runtime/core/kernel_matrix.h"

#include "math/simd.h"

// Writes one row of the product: a's row times b's three rows, plus a's translation in the last column only. In the
// other columns, adding -0 changes nothing, not even the sign of a zero.
static inline void put_row(const float *a, const vrmi_f4 b[3], float *out)
{
    const vrmi_f4 sum =
        vrmi_f4_add(vrmi_f4_add(vrmi_f4_mul(vrmi_f4_all(a[0]), b[0]), vrmi_f4_mul(vrmi_f4_all(a[1]), b[1])),
            vrmi_f4_mul(vrmi_f4_all(a[2]), b[2]));
    vrmi_f4_store(out, vrmi_f4_add(sum, vrmi_f4_set(-0.0f, -0.0f, -0.0f, a[3])));
}

// The same as vrmi_mat34_from_transform().
static inline void put_transform(const vrm_transform *t, vrmi_f4 out[3])
{
    const vrm_quat q = t->rotation;
    const vrm_vec3 s = t->scale;
    const float x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
    const float xx = q.x * x2, xy = q.x * y2, xz = q.x * z2;
    const float yy = q.y * y2, yz = q.y * z2, zz = q.z * z2;
    const float wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
    out[0] = vrmi_f4_set((1.0f - (yy + zz)) * s.x, (xy - wz) * s.y, (xz + wy) * s.z, t->translation.x);
    out[1] = vrmi_f4_set((xy + wz) * s.x, (1.0f - (xx + zz)) * s.y, (yz - wx) * s.z, t->translation.y);
    out[2] = vrmi_f4_set((xz - wy) * s.x, (yz + wx) * s.y, (1.0f - (xx + yy)) * s.z, t->translation.z);
}

void vrmi_kernel_worlds(const vrmi_hierarchy_rows *rows, uint32_t first, uint32_t end)
{
    for (uint32_t node = first; node < end; ++node) {
        const int32_t parent = rows->parents[node];
        const vrm_mat34 *above = parent >= 0 ? &rows->world[parent] : rows->root_world;
        const uint32_t pose = rows->pose[node];
        const vrm_transform *own = vrmi_hierarchy_local(rows, node, node - first);
        vrmi_f4 local[3];
        put_transform(own, local);
        for (int row = 0; row < 3; ++row) {
            put_row(above->m[row], local, rows->world[node].m[row]);
        }
        if (pose < rows->pose_rows) {
            rows->world_rotation[pose] = vrmi_quat_mul(*vrmi_hierarchy_rotation_above(rows, parent), own->rotation);
        }
    }
}
