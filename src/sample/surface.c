// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "sample/surface.h"

#include <string.h>

// Returns the slope at key i: the slope between its two neighbours.
static float curve_slope(const float *keys, int count, int stride, int column, int i)
{
    const int before = i > 0 ? i - 1 : i;
    const int after = i < count - 1 ? i + 1 : i;
    return (keys[after * stride + column] - keys[before * stride + column]) /
           (keys[after * stride] - keys[before * stride]);
}

float vrmi_sample_curve(const float *keys, int count, int stride, int column, float x)
{
    if (x <= keys[0]) {
        return keys[column];
    }
    if (x >= keys[(count - 1) * stride]) {
        return keys[(count - 1) * stride + column];
    }
    int i = 0;
    while (x > keys[(i + 1) * stride]) {
        ++i;
    }
    const float x0 = keys[i * stride];
    const float width = keys[(i + 1) * stride] - x0;
    const float y0 = keys[i * stride + column];
    const float y1 = keys[(i + 1) * stride + column];
    const float m0 = curve_slope(keys, count, stride, column, i) * width;
    const float m1 = curve_slope(keys, count, stride, column, i + 1) * width;
    const float t = (x - x0) / width;
    return y0 + t * (m0 + t * (3.0f * (y1 - y0) - 2.0f * m0 - m1 + t * (2.0f * (y0 - y1) + m0 + m1)));
}

vrmi_sample_influence vrmi_sample_one(int joint)
{
    return (vrmi_sample_influence){.joint = {joint, 0, 0, 0}, .weight = {1.0f, 0.0f, 0.0f, 0.0f}};
}

vrmi_sample_influence vrmi_sample_along(const int *joints, const float *starts, int count, float band, float t)
{
    int i = 0;
    while (i + 1 < count && t >= starts[i + 1]) {
        ++i;
    }
    if (i + 1 < count && t > starts[i + 1] - band) {
        const float w = vrmi_sample_smooth(starts[i + 1] - band, starts[i + 1] + band, t);
        return vrmi_sample_mix(vrmi_sample_one(joints[i]), vrmi_sample_one(joints[i + 1]), w);
    }
    if (i > 0 && t < starts[i] + band) {
        const float w = vrmi_sample_smooth(starts[i] - band, starts[i] + band, t);
        return vrmi_sample_mix(vrmi_sample_one(joints[i - 1]), vrmi_sample_one(joints[i]), w);
    }
    return vrmi_sample_one(joints[i]);
}

vrmi_sample_influence vrmi_sample_mix(vrmi_sample_influence a, vrmi_sample_influence b, float t)
{
    int joints[8];
    float weights[8];
    int count = 0;
    for (int i = 0; i < 8; ++i) {
        const int joint = i < 4 ? a.joint[i] : b.joint[i - 4];
        const float weight = i < 4 ? a.weight[i] * (1.0f - t) : b.weight[i - 4] * t;
        if (weight <= 0.0f) {
            continue;
        }
        int k = 0;
        while (k < count && joints[k] != joint) {
            ++k;
        }
        if (k == count) {
            joints[count] = joint;
            weights[count++] = 0.0f;
        }
        weights[k] += weight;
    }
    vrmi_sample_influence out = {{0, 0, 0, 0}, {0.0f, 0.0f, 0.0f, 0.0f}};
    float sum = 0.0f;
    for (int n = 0; n < 4; ++n) {
        int best = -1;
        for (int k = 0; k < count; ++k) {
            if (weights[k] > 0.0f && (best < 0 || weights[k] > weights[best])) {
                best = k;
            }
        }
        if (best >= 0) {
            out.joint[n] = joints[best];
            out.weight[n] = weights[best];
            sum += weights[best];
            weights[best] = 0.0f;
        }
    }
    for (int n = 0; n < 4 && sum > 0.0f; ++n) {
        out.weight[n] /= sum;
    }
    return out;
}

// Rounds weights to 1/256. The first, largest weight gets the remainder, so that the sum is exactly 1.
static vrmi_sample_influence round_weights(vrmi_sample_influence skin)
{
    int left = 256;
    int counts[4] = {0, 0, 0, 0};
    for (int i = 1; i < 4; ++i) {
        counts[i] = (int)(skin.weight[i] * 256.0f + 0.5f);
        left -= counts[i];
    }
    counts[0] = left;
    for (int i = 0; i < 4; ++i) {
        skin.weight[i] = (float)counts[i] / 256.0f;
        if (counts[i] == 0) {
            skin.joint[i] = 0;
        }
    }
    return skin;
}

void vrmi_sample_grid_begin(vrmi_sample_figure *figure, uint32_t rows, uint32_t columns, bool closed)
{
    VRM_VALIDATE(rows <= VRMI_SAMPLE_GRID_ROWS && columns <= VRMI_SAMPLE_GRID_COLUMNS);
    memset(&figure->grid, 0, sizeof(figure->grid));
    figure->grid.rows = rows;
    figure->grid.columns = columns;
    figure->grid.closed = closed;
}

void vrmi_sample_grid_ring(vrmi_sample_figure *figure, uint32_t row, const vrmi_sample_ring *ring)
{
    vrmi_sample_grid *grid = &figure->grid;
    for (uint32_t c = 0; c <= grid->columns; ++c) {
        const float turn = (float)c / (float)grid->columns;
        // The last column is exactly at the first one, so that the seam has no gap.
        const float angle = c == grid->columns ? 0.0f : turn * 2.0f * VRMI_PI;
        float sine, cosine;
        vrmi_sincos(angle, &sine, &cosine);
        vrmi_sample_vertex *point = &grid->points[row][c];
        point->position =
            vrmi_vec3_add(ring->center, vrmi_vec3_add(vrmi_vec3_scale(ring->axis_a, ring->radius_a * cosine),
                                            vrmi_vec3_scale(ring->axis_b, ring->radius_b * sine)));
        point->u = vrmi_lerp(ring->u0, ring->u1, turn);
        point->v = ring->v;
        point->skin = ring->skin;
    }
}

uint32_t vrmi_sample_add_vertex(vrmi_sample_figure *figure, int part_id, const vrmi_sample_vertex *vertex)
{
    vrmi_sample_part *part = &figure->parts[part_id];
    if (!VRM_ASSERT(part->vertex_count < part->vertex_capacity)) {
        return 0;
    }
    part->vertices[part->vertex_count] = *vertex;
    part->vertices[part->vertex_count].skin = round_weights(vertex->skin);
    return part->vertex_count++;
}

void vrmi_sample_add_triangle(vrmi_sample_figure *figure, int part_id, uint32_t a, uint32_t b, uint32_t c)
{
    vrmi_sample_part *part = &figure->parts[part_id];
    if (!VRM_ASSERT(part->index_count + 3 <= part->index_capacity)) {
        return;
    }
    part->indices[part->index_count++] = (uint16_t)a;
    part->indices[part->index_count++] = (uint16_t)b;
    part->indices[part->index_count++] = (uint16_t)c;
}

static bool has_area(vrm_vec3 a, vrm_vec3 b, vrm_vec3 c)
{
    return vrmi_vec3_length(vrmi_vec3_cross(vrmi_vec3_sub(b, a), vrmi_vec3_sub(c, a))) > 1e-10f;
}

// Returns the unit normal of point (r, c): the sum over the adjacent quads, also across the seam of a closed grid.
static vrm_vec3 grid_normal(const vrmi_sample_grid *grid, uint32_t row, uint32_t column)
{
    vrm_vec3 sum = {0.0f, 0.0f, 0.0f};
    for (int dr = -1; dr <= 0; ++dr) {
        for (int dc = -1; dc <= 0; ++dc) {
            const int r = (int)row + dr;
            int c = (int)column + dc;
            if (r < 0 || r + 1 >= (int)grid->rows) {
                continue;
            }
            if (grid->closed) {
                c = (c + (int)grid->columns) % (int)grid->columns;
            } else if (c < 0 || c + 1 >= (int)grid->columns) {
                continue;
            }
            const vrm_vec3 p00 = grid->points[r][c].position;
            const vrm_vec3 p01 = grid->points[r][c + 1].position;
            const vrm_vec3 p10 = grid->points[r + 1][c].position;
            const vrm_vec3 p11 = grid->points[r + 1][c + 1].position;
            // The cross product of the diagonals has the direction of the quad's normal and the length of twice its
            // area.
            sum = vrmi_vec3_add(sum, vrmi_vec3_cross(vrmi_vec3_sub(p11, p00), vrmi_vec3_sub(p10, p01)));
        }
    }
    return sum;
}

static bool row_is_pole(const vrmi_sample_grid *grid, uint32_t row)
{
    for (uint32_t c = 1; c < grid->columns; ++c) {
        const vrm_vec3 d = vrmi_vec3_sub(grid->points[row][c].position, grid->points[row][0].position);
        if (vrmi_vec3_length(d) > 1e-6f) {
            return false;
        }
    }
    return true;
}

static void compute_normals(vrmi_sample_grid *grid, unsigned flags)
{
    const uint32_t columns = grid->columns + (grid->closed ? 1u : 0u);
    for (uint32_t r = 0; r < grid->rows; ++r) {
        vrm_vec3 pole = {0.0f, 0.0f, 0.0f};
        for (uint32_t c = 0; c < grid->columns; ++c) {
            pole = vrmi_vec3_add(pole, grid_normal(grid, r, c));
        }
        const bool is_pole = row_is_pole(grid, r);
        for (uint32_t c = 0; c < columns; ++c) {
            const uint32_t from = grid->closed ? c % grid->columns : c;
            vrm_vec3 normal = is_pole ? pole : grid_normal(grid, r, from);
            normal = vrmi_vec3_normalize_or(normal, vrmi_vec3(0.0f, 1.0f, 0.0f));
            grid->points[r][c].normal =
                (flags & VRMI_SAMPLE_EMIT_FLIPPED) != 0 ? vrmi_vec3_scale(normal, -1.0f) : normal;
        }
    }
}

void vrmi_sample_grid_normals(vrmi_sample_figure *figure)
{
    compute_normals(&figure->grid, 0);
}

static vrmi_sample_vertex mirrored(const vrmi_sample_figure *figure, vrmi_sample_vertex vertex)
{
    vertex.position.x = -vertex.position.x;
    vertex.normal.x = -vertex.normal.x;
    for (int i = 0; i < 4; ++i) {
        vertex.skin.joint[i] = figure->nodes[vertex.skin.joint[i]].mirror;
    }
    return vertex;
}

void vrmi_sample_grid_emit(vrmi_sample_figure *figure, int part_id, unsigned flags)
{
    vrmi_sample_grid *grid = &figure->grid;
    if ((flags & VRMI_SAMPLE_EMIT_NORMALS) == 0) {
        compute_normals(grid, flags);
    }
    const uint32_t columns = grid->columns + (grid->closed ? 1u : 0u);
    const bool mirror = (flags & VRMI_SAMPLE_EMIT_MIRRORED) != 0;
    const bool flip = mirror != ((flags & VRMI_SAMPLE_EMIT_FLIPPED) != 0);
    const uint32_t base = figure->parts[part_id].vertex_count;
    for (uint32_t r = 0; r < grid->rows; ++r) {
        for (uint32_t c = 0; c < columns; ++c) {
            const vrmi_sample_vertex *point = &grid->points[r][c];
            const vrmi_sample_vertex vertex = mirror ? mirrored(figure, *point) : *point;
            vrmi_sample_add_vertex(figure, part_id, &vertex);
        }
    }
    for (uint32_t r = 0; r + 1 < grid->rows; ++r) {
        for (uint32_t c = 0; c + 1 < columns; ++c) {
            const uint32_t i00 = base + r * columns + c, i01 = i00 + 1, i10 = i00 + columns, i11 = i10 + 1;
            const vrm_vec3 p00 = grid->points[r][c].position, p01 = grid->points[r][c + 1].position;
            const vrm_vec3 p10 = grid->points[r + 1][c].position, p11 = grid->points[r + 1][c + 1].position;
            if (has_area(p00, p01, p11)) {
                vrmi_sample_add_triangle(figure, part_id, i00, flip ? i11 : i01, flip ? i01 : i11);
            }
            if (has_area(p00, p11, p10)) {
                vrmi_sample_add_triangle(figure, part_id, i00, flip ? i10 : i11, flip ? i11 : i10);
            }
        }
    }
}

void vrmi_sample_grid_emit_pair(vrmi_sample_figure *figure, int part_id, unsigned flags)
{
    vrmi_sample_grid_emit(figure, part_id, flags);
    // The first call computed the grid's normals, which its mirror image needs unchanged.
    vrmi_sample_grid_emit(figure, part_id, flags | VRMI_SAMPLE_EMIT_NORMALS | VRMI_SAMPLE_EMIT_MIRRORED);
}
