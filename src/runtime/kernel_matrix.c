// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "runtime/kernel_matrix.h"

#include "math/simd.h"

// A row of the product: a's row times b's three rows, and a's translation added to the last column alone. Adding -0
// changes nothing, not even a zero's sign.
static inline void put_row(const float *a, const vrmi_f4 b[3], float *out)
{
    const vrmi_f4 sum = vrmi_f4_add(
        vrmi_f4_add(vrmi_f4_mul(vrmi_f4_all(a[0]), b[0]), vrmi_f4_mul(vrmi_f4_all(a[1]), b[1])),
        vrmi_f4_mul(vrmi_f4_all(a[2]), b[2]));
    vrmi_f4_store(out, vrmi_f4_add(sum, vrmi_f4_set(-0.0f, -0.0f, -0.0f, a[3])));
}

// vrmi_mat34_from_transform()
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
        const vrm_quat rotation = parent >= 0 ? rows->world_rotation[parent] : rows->root_rotation;
        vrmi_f4 local[3];
        put_transform(&rows->local[node], local);
        for (int row = 0; row < 3; ++row) {
            put_row(above->m[row], local, rows->world[node].m[row]);
        }
        rows->world_rotation[node] = vrmi_quat_mul(rotation, rows->local[node].rotation);
    }
}

bool vrmi_kernel_palette(const vrm_mat34 *world, const uint32_t *nodes, const uint32_t *changed_bits,
    const vrm_mat34 *inverse_binds, uint32_t count, vrm_mat34 *out)
{
    bool changed = false;
    for (uint32_t j = 0; j < count; ++j) {
        const uint32_t node = nodes[j];
        if ((changed_bits[node / 32] >> (node % 32) & 1u) == 0) {
            continue;
        }
        const vrmi_f4 b[3] = {vrmi_f4_load(inverse_binds[j].m[0]), vrmi_f4_load(inverse_binds[j].m[1]),
            vrmi_f4_load(inverse_binds[j].m[2])};
        for (int row = 0; row < 3; ++row) {
            put_row(world[node].m[row], b, out[j].m[row]);
        }
        changed = true;
    }
    return changed;
}

bool vrmi_kernel_has_scale(const vrm_transform *transforms, uint32_t count)
{
    const vrmi_f4 one = vrmi_f4_all(1.0f);
    vrmi_m4 unscaled = vrmi_f4_eq(one, one);
    for (uint32_t i = 0; i < count; ++i) { // the rotation's w, which does not count, and the scale
        unscaled = vrmi_m4_and(unscaled, vrmi_f4_eq(vrmi_f4_load(&transforms[i].rotation.w), one));
    }
    return (vrmi_m4_bits(unscaled) | 1u) != 0xfu;
}

// Of zero -0, which nothing here tells from it.
static inline vrmi_f4 magnitude(vrmi_f4 a)
{
    return vrmi_f4_max(a, vrmi_f4_neg(a));
}

static inline vrmi_f4 transformed(const vrmi_f4 columns[3], vrm_vec3 v)
{
    return vrmi_f4_add(vrmi_f4_add(vrmi_f4_mul(columns[0], vrmi_f4_all(v.x)), vrmi_f4_mul(columns[1], vrmi_f4_all(v.y))),
        vrmi_f4_mul(columns[2], vrmi_f4_all(v.z)));
}

void vrmi_kernel_grow_box(const vrm_mat34 *world, const vrmi_bound_row *bounds, uint32_t count, vrm_box *box)
{
    vrmi_f4 low = vrmi_f4_set(box->min.x, box->min.y, box->min.z, 0.0f);
    vrmi_f4 high = vrmi_f4_set(box->max.x, box->max.y, box->max.z, 0.0f);
    for (uint32_t i = 0; i < count; ++i) {
        const vrm_box *own = &bounds[i].box;
        if (own->min.x > own->max.x) {
            continue;
        }
        const vrm_mat34 *m = &world[bounds[i].node];
        // Rows to columns: the fourth is the translation, each one's fourth number nothing.
        vrmi_f4 columns[4] = {
            vrmi_f4_load(m->m[0]), vrmi_f4_load(m->m[1]), vrmi_f4_load(m->m[2]), vrmi_f4_all(0.0f)};
        vrmi_f4_transpose(columns);
        const vrm_vec3 middle = vrmi_vec3_scale(vrmi_vec3_add(own->min, own->max), 0.5f);
        const vrm_vec3 half = vrmi_vec3_scale(vrmi_vec3_sub(own->max, own->min), 0.5f);
        const vrmi_f4 centre = vrmi_f4_add(transformed(columns, middle), columns[3]);
        const vrmi_f4 sizes[3] = {magnitude(columns[0]), magnitude(columns[1]), magnitude(columns[2])};
        vrmi_f4 extent = transformed(sizes, half);
        // A little wider than computed, so that the rounding of whoever skins the vertices stays inside.
        const vrmi_f4 wider = vrmi_f4_mul(vrmi_f4_all(4e-6f), vrmi_f4_add(extent, magnitude(centre)));
        extent = vrmi_f4_add(extent, wider);
        low = vrmi_f4_min(low, vrmi_f4_sub(centre, extent));
        high = vrmi_f4_max(high, vrmi_f4_add(centre, extent));
    }
    float l[4], h[4];
    vrmi_f4_store(l, low);
    vrmi_f4_store(h, high);
    *box = (vrm_box){{l[0], l[1], l[2]}, {h[0], h[1], h[2]}};
}
