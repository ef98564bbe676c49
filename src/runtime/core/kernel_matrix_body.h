// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The kernels of kernel_matrix.h over `real`. The including file defines VRMI_MATRIX_KERNELS, the declaration of the
// table.

#include "math/real_vector.h"
#include "runtime/core/kernel_matrix.h"

// --- world matrices --------------------------------------------------------------------------------------------------

static void nodes(const vrmi_hierarchy_rows *rows, const uint32_t *list, uint32_t count)
{
    for (uint32_t first = 0; first < count; first += WIDTH) {
        const float *local[WIDTH], *above[WIDTH], *above_rotation[WIDTH];
        float *world[WIDTH], *world_rotation[WIDTH], nowhere[4];
        for (uint32_t lane = 0; lane < WIDTH; ++lane) {
            const uint32_t at = first + lane < count ? first + lane : count - 1; // unused lanes repeat the last node
            const uint32_t node = list[at], pose = rows->pose[node];
            const int32_t parent = rows->parents[node];
            local[lane] = &vrmi_hierarchy_local(rows, node, at)->translation.x;
            above[lane] = parent >= 0 ? &rows->world[parent].m[0][0] : &rows->root_world->m[0][0];
            above_rotation[lane] = &vrmi_hierarchy_rotation_above(rows, parent)->x;
            world[lane] = &rows->world[node].m[0][0];
            world_rotation[lane] = pose < rows->pose_rows ? &rows->world_rotation[pose].x : nowhere;
        }
        // A transform is ten floats: translation, rotation, scale. Each load reads four of them.
        const q4 t = load_rows(local, 0), rotation = load_rows(local, 3), s = load_rows(local, 6);
        const v3 translation = {t.x, t.y, t.z};
        const m3 own = q4_matrix_scaled(rotation, (v3){s.y, s.z, s.w});
        const q4 parent_rotation = load_rows(above_rotation, 0);
        for (int r = 0; r < 3; ++r) {
            const q4 a = load_rows(above, 4 * r);
            const v3 turn = {a.x, a.y, a.z}, product = m3_mul_transposed(own, turn);
            store_rows(world, 4 * r, (q4){product.x, product.y, product.z, ADD(v3_dot(turn, translation), a.w)});
        }
        store_rows(world_rotation, 0, q4_mul(parent_rotation, rotation));
    }
}

// --- palettes --------------------------------------------------------------------------------------------------------

// Computes two rows of the product, one in each half: a's row times b's three rows, plus a's translation in the last
// column only. In the other columns, adding -0 changes nothing, not even the sign of a zero.
VRMI_SIMD_INLINE vrmi_f8 two_rows(vrmi_f8 a, const vrmi_f8 b[3], vrmi_m8 last_column)
{
    const vrmi_f8 sum =
        ADD(ADD(MUL(vrmi_f8_spread_0(a), b[0]), MUL(vrmi_f8_spread_1(a), b[1])), MUL(vrmi_f8_spread_2(a), b[2]));
    return ADD(sum, vrmi_f8_select(last_column, a, vrmi_f8_all(-0.0f)));
}

// Writes the matrices of two joints of a palette, which may be the same joint.
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

static void grow_box(const vrm_mat34 *world, const vrmi_bound_row *bounds, uint32_t count, vrm_box *box)
{
    const float least[3] = {box->min.x, box->min.y, box->min.z}, most[3] = {box->max.x, box->max.y, box->max.z};
    const real half = ALL(0.5f), little = ALL(4e-6f);
    real low[4], high[4];
    for (int axis = 0; axis < 3; ++axis) {
        low[axis] = ALL(least[axis]);
        high[axis] = ALL(most[axis]);
    }
    for (uint32_t first = 0; first < count; first += WIDTH) {
        const float *boxes[WIDTH], *matrices[WIDTH];
        for (uint32_t lane = 0; lane < WIDTH; ++lane) {
            const vrmi_bound_row *bound =
                &bounds[first + lane < count ? first + lane : count - 1]; // unused lanes repeat the last box
            boxes[lane] = &bound->box.min.x;
            matrices[lane] = &world[bound->node].m[0][0];
        }
        real own_min[4], own_max[4]; // minimum x, y, z and maximum x; minimum z and maximum x, y, z
        LOAD_ROWS(boxes, 0, own_min);
        LOAD_ROWS(boxes, 2, own_max);
        const mask holds_nothing = LT(own_max[1], own_min[0]);
        const v3 middle = {MUL(ADD(own_min[0], own_max[1]), half), MUL(ADD(own_min[1], own_max[2]), half),
            MUL(ADD(own_min[2], own_max[3]), half)};
        const v3 sizes = {MUL(SUB(own_max[1], own_min[0]), half), MUL(SUB(own_max[2], own_min[1]), half),
            MUL(SUB(own_max[3], own_min[2]), half)};
        for (int axis = 0; axis < 3; ++axis) {
            real row[4];
            LOAD_ROWS(matrices, 4 * axis, row);
            const v3 turned = {row[0], row[1], row[2]};
            const v3 turned_sizes = {real_abs(row[0]), real_abs(row[1]), real_abs(row[2])};
            const real centre = ADD(v3_dot(turned, middle), row[3]);
            real extent = v3_dot(turned_sizes, sizes);
            // The box is slightly enlarged, so that it also contains vertices that skinning code rounds outwards.
            extent = ADD(extent, MUL(little, ADD(extent, real_abs(centre))));
            low[axis] = SELECT(holds_nothing, low[axis], MIN(low[axis], SUB(centre, extent)));
            high[axis] = SELECT(holds_nothing, high[axis], MAX(high[axis], ADD(centre, extent)));
        }
    }
    float lows[3], highs[3];
    for (int axis = 0; axis < 3; ++axis) {
        float l[WIDTH], h[WIDTH];
        STORE(l, low[axis]);
        STORE(h, high[axis]);
        lows[axis] = l[0];
        highs[axis] = h[0];
        for (int lane = 1; lane < WIDTH; ++lane) {
            lows[axis] = vrmi_min(lows[axis], l[lane]);
            highs[axis] = vrmi_max(highs[axis], h[lane]);
        }
    }
    *box = (vrm_box){{lows[0], lows[1], lows[2]}, {highs[0], highs[1], highs[2]}};
}

VRMI_MATRIX_KERNELS = {nodes, palette, grow_box};
