// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The kernels of kernel_matrix.h, for the files that define VRMI_MATRIX_KERNELS, the declaration of the table. No guard:
// it is a body.

#include "runtime/core/kernel_matrix.h"
#include "runtime/core/kernel_vector.h"

// --- world matrices --------------------------------------------------------------------------------------------------

// A row of the product (put_row() of kernel_matrix.c).
static inline void put_product(const vrmi_f8 a[4], vrmi_f8 b[3][4], vrmi_f8 out[4])
{
    for (int c = 0; c < 4; ++c) {
        out[c] = ADD(ADD(MUL(a[0], b[0][c]), MUL(a[1], b[1][c])), MUL(a[2], b[2][c]));
    }
    out[3] = ADD(out[3], a[3]);
}

static void nodes(const vrmi_hierarchy_rows *rows, const uint32_t *list, uint32_t count)
{
    for (uint32_t first = 0; first < count; first += VRMI_LANES) {
        const float *local[VRMI_LANES], *above[VRMI_LANES], *above_rotation[VRMI_LANES];
        float *world[VRMI_LANES], *world_rotation[VRMI_LANES];
        for (uint32_t lane = 0; lane < VRMI_LANES; ++lane) {
            const uint32_t node = list[first + lane < count ? first + lane : count - 1]; // the last one again
            const int32_t parent = rows->parents[node];
            local[lane] = &rows->local[node].translation.x;
            above[lane] = parent >= 0 ? &rows->world[parent].m[0][0] : &rows->root_world->m[0][0];
            above_rotation[lane] = parent >= 0 ? &rows->world_rotation[parent].x : &rows->root_rotation->x;
            world[lane] = &rows->world[node].m[0][0];
            world_rotation[lane] = &rows->world_rotation[node].x;
        }
        // A transform is ten floats: translation, rotation, scale.
        vrmi_f8 translation[4], rotation[4], scale[4], parent_rotation[4], own[3][4];
        vrmi_f8_load_rows(local, 0, translation);
        vrmi_f8_load_rows(local, 3, rotation);
        vrmi_f8_load_rows(local, 6, scale);
        vrmi_f8_load_rows(above_rotation, 0, parent_rotation);
        const v4 q = {rotation[0], rotation[1], rotation[2], rotation[3]};
        const v4 parent = {parent_rotation[0], parent_rotation[1], parent_rotation[2], parent_rotation[3]};
        put_transform(translation, q, scale + 1, own);
        for (int r = 0; r < 3; ++r) {
            vrmi_f8 row[4], product[4];
            vrmi_f8_load_rows(above, 4 * r, row);
            put_product(row, own, product);
            vrmi_f8_store_rows(world, 4 * r, product);
        }
        const v4 turned = quat_mul(parent, q);
        const vrmi_f8 columns[4] = {turned.x, turned.y, turned.z, turned.w};
        vrmi_f8_store_rows(world_rotation, 0, columns);
    }
}

// --- palettes --------------------------------------------------------------------------------------------------------

// Two rows of products, each half one: a's row times b's three rows, and a's translation added to the last column alone.
// Adding -0 changes nothing, not even a zero's sign.
VRMI_SIMD_INLINE vrmi_f8 two_rows(vrmi_f8 a, const vrmi_f8 b[3], vrmi_m8 last_column)
{
    const vrmi_f8 sum =
        ADD(ADD(MUL(vrmi_f8_spread_0(a), b[0]), MUL(vrmi_f8_spread_1(a), b[1])), MUL(vrmi_f8_spread_2(a), b[2]));
    return ADD(sum, vrmi_f8_select(last_column, a, vrmi_f8_all(-0.0f)));
}

// Two joints of a palette, which may be the same.
VRMI_SIMD_INLINE void put_joints(const vrm_mat34 *world, const uint32_t *list, const vrm_mat34 *inverse_binds,
    uint32_t i, uint32_t k, vrm_mat34 *out)
{
    const vrmi_m8 last_column = vrmi_m8_from_bits(0x88);
    const vrm_mat34 *wi = &world[list[i]], *wk = &world[list[k]], *bi = &inverse_binds[i], *bk = &inverse_binds[k];
    vrmi_f8 first[3], second[3], mixed[3];
    for (int row = 0; row < 3; ++row) {
        const vrmi_f4 a = vrmi_f4_load(bi->m[row]), b = vrmi_f4_load(bk->m[row]);
        first[row] = vrmi_f8_of_halves(a, a);
        second[row] = vrmi_f8_of_halves(b, b);
        mixed[row] = vrmi_f8_of_halves(a, b);
    }
    vrmi_f8_store(out[i].m[0], two_rows(vrmi_f8_load(wi->m[0]), first, last_column));
    vrmi_f8_store(out[k].m[0], two_rows(vrmi_f8_load(wk->m[0]), second, last_column));
    const vrmi_f8 third =
        two_rows(vrmi_f8_of_halves(vrmi_f4_load(wi->m[2]), vrmi_f4_load(wk->m[2])), mixed, last_column);
    vrmi_f4_store(out[i].m[2], vrmi_f8_low(third));
    vrmi_f4_store(out[k].m[2], vrmi_f8_high(third));
}

VRMI_SIMD_INLINE bool has_changed(const uint32_t *changed_bits, uint32_t node)
{
    return (changed_bits[node / 32] >> (node % 32) & 1u) != 0;
}

static bool palette(const vrm_mat34 *world, const uint32_t *list, const uint32_t *changed_bits,
    const vrm_mat34 *inverse_binds, uint32_t count, vrm_mat34 *out)
{
    bool any = false;
    uint32_t i = 0;
    for (; i + 1 < count; i += 2) {
        const bool first = has_changed(changed_bits, list[i]), second = has_changed(changed_bits, list[i + 1]);
        if (first && second) {
            put_joints(world, list, inverse_binds, i, i + 1, out);
        } else if (first || second) {
            put_joints(world, list, inverse_binds, first ? i : i + 1, first ? i : i + 1, out);
        }
        any = any || first || second;
    }
    if (i < count && has_changed(changed_bits, list[i])) {
        put_joints(world, list, inverse_binds, i, i, out);
        any = true;
    }
    return any;
}

// --- boxes -----------------------------------------------------------------------------------------------------------

// Of zero -0, which nothing here tells from it.
static inline vrmi_f8 magnitude(vrmi_f8 a)
{
    return vrmi_f8_max(a, vrmi_f8_neg(a));
}

static void grow_box(const vrm_mat34 *world, const vrmi_bound_row *bounds, uint32_t count, vrm_box *box)
{
    const float least[3] = {box->min.x, box->min.y, box->min.z}, most[3] = {box->max.x, box->max.y, box->max.z};
    const vrmi_f8 half = vrmi_f8_all(0.5f), little = vrmi_f8_all(4e-6f);
    vrmi_f8 low[4], high[4];
    for (int axis = 0; axis < 3; ++axis) {
        low[axis] = vrmi_f8_all(least[axis]);
        high[axis] = vrmi_f8_all(most[axis]);
    }
    for (uint32_t first = 0; first < count; first += VRMI_LANES) {
        const float *boxes[VRMI_LANES], *matrices[VRMI_LANES];
        for (uint32_t lane = 0; lane < VRMI_LANES; ++lane) {
            const vrmi_bound_row *bound =
                &bounds[first + lane < count ? first + lane : count - 1]; // the last one again
            boxes[lane] = &bound->box.min.x;
            matrices[lane] = &world[bound->node].m[0][0];
        }
        vrmi_f8 own_min[4], own_max[4]; // x, y, z and the x that follows; the z before and x, y, z
        vrmi_f8_load_rows(boxes, 0, own_min);
        vrmi_f8_load_rows(boxes, 2, own_max);
        const vrmi_m8 holds_nothing = vrmi_f8_lt(own_max[1], own_min[0]);
        const v3 middle = {MUL(ADD(own_min[0], own_max[1]), half), MUL(ADD(own_min[1], own_max[2]), half),
            MUL(ADD(own_min[2], own_max[3]), half)};
        const v3 sizes = {MUL(SUB(own_max[1], own_min[0]), half), MUL(SUB(own_max[2], own_min[1]), half),
            MUL(SUB(own_max[3], own_min[2]), half)};
        for (int axis = 0; axis < 3; ++axis) {
            vrmi_f8 row[4];
            vrmi_f8_load_rows(matrices, 4 * axis, row);
            const v3 turned = {row[0], row[1], row[2]};
            const v3 turned_sizes = {magnitude(row[0]), magnitude(row[1]), magnitude(row[2])};
            const vrmi_f8 centre = ADD(v3_dot(turned, middle), row[3]);
            vrmi_f8 extent = v3_dot(turned_sizes, sizes);
            // A little wider than computed, so that the rounding of whoever skins the vertices stays inside.
            extent = ADD(extent, MUL(little, ADD(extent, magnitude(centre))));
            low[axis] = vrmi_f8_select(holds_nothing, low[axis], vrmi_f8_min(low[axis], SUB(centre, extent)));
            high[axis] = vrmi_f8_select(holds_nothing, high[axis], vrmi_f8_max(high[axis], ADD(centre, extent)));
        }
    }
    float lows[3], highs[3];
    for (int axis = 0; axis < 3; ++axis) {
        float l[VRMI_LANES], h[VRMI_LANES];
        vrmi_f8_store(l, low[axis]);
        vrmi_f8_store(h, high[axis]);
        lows[axis] = l[0];
        highs[axis] = h[0];
        for (int lane = 1; lane < VRMI_LANES; ++lane) {
            lows[axis] = vrmi_min(lows[axis], l[lane]);
            highs[axis] = vrmi_max(highs[axis], h[lane]);
        }
    }
    *box = (vrm_box){{lows[0], lows[1], lows[2]}, {highs[0], highs[1], highs[2]}};
}

VRMI_MATRIX_KERNELS = {nodes, palette, grow_box};
