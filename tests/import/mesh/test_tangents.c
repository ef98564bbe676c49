// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Tangents on surfaces where they are known. With the arguments IN OUT, the program computes the tangents of a mesh in
// a file, for test_tangents_three.mjs. IN has the vertex and index counts, vertices of eight floats, and indices; OUT
// gets four floats per index.

#include "base/allocator.h"
#include "import/mesh/tangent.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>

enum { SIDE = 9 };

// Makes a square grid of SIDE x SIDE vertices, bent by `height`. UVs are rotated by `angle`; `mirror` is -1 or 1 for
// the half x < 0.
static void make_grid(float *vertices, uint32_t *indices, double angle, double mirror, double height)
{
    for (int i = 0; i < SIDE * SIDE; ++i) {
        float *v = vertices + 8 * i;
        const double x = 2.0 * (i % SIDE) / (SIDE - 1) - 1.0, y = 2.0 * (i / SIDE) / (SIDE - 1) - 1.0;
        const double across = x < 0.0 ? mirror * x : x, c = cos(angle), s = sin(angle);
        const double slope = -2.0 * height * x, length = sqrt(1.0 + slope * slope);
        const double values[8] = {
            x, y, -height * x * x, -slope / length, 0.0, 1.0 / length, c * across + s * y, c * y - s * across};
        for (int k = 0; k < 8; ++k) {
            v[k] = (float)values[k];
        }
    }
    uint32_t *to = indices;
    for (uint32_t y = 0; y + 1 < SIDE; ++y) {
        for (uint32_t x = 0; x + 1 < SIDE; ++x) {
            const uint32_t a = y * SIDE + x, corners[6] = {a, a + 1, a + SIDE, a + SIDE, a + 1, a + SIDE + 1};
            memcpy(to, corners, sizeof corners);
            to += 6;
        }
    }
}

static float vertices[SIDE * SIDE * 8];
static uint32_t indices[(SIDE - 1) * (SIDE - 1) * 6];
static float corners[(SIDE - 1) * (SIDE - 1) * 6][4];
static const uint32_t index_count = (SIDE - 1) * (SIDE - 1) * 6;

static vrm_allocator allocator;

static void solve(void)
{
    const vrmi_tangent_mesh mesh = {vertices, SIDE * SIDE, indices, index_count};
    CHECK(vrmi_tangents(&mesh, &allocator, corners));
}

static void a_plane_has_the_direction_of_growing_u(void)
{
    for (int i = 0; i < 8; ++i) {
        const double angle = 0.7 * i;
        make_grid(vertices, indices, angle, 1.0, 0.0);
        solve();
        for (uint32_t k = 0; k < index_count; ++k) {
            CHECK_NEAR(corners[k][0], cos(angle), 1e-5);
            CHECK_NEAR(corners[k][1], sin(angle), 1e-5);
            CHECK_NEAR(corners[k][2], 0.0, 1e-6);
            CHECK_INT(corners[k][3], -1); // these UVs are not mirrored if v points up, so they are mirrored in glTF
        }
    }
}

// Vertices in the middle belong to both halves and have a tangent for each half.
static void a_mirrored_half_keeps_its_own(void)
{
    make_grid(vertices, indices, 0.0, -1.0, 0.0);
    solve();
    for (uint32_t k = 0; k < index_count; ++k) {
        float middle = 0.0f;
        for (uint32_t i = k - k % 3; i < k - k % 3 + 3; ++i) {
            middle += vertices[8 * indices[i]] / 3.0f;
        }
        CHECK_NEAR(corners[k][0], middle < 0.0f ? -1.0 : 1.0, 1e-6);
        CHECK_INT(corners[k][3], middle < 0.0f ? 1 : -1);
    }
}

static void a_bent_surface_has_tangents_in_the_plane_of_its_normals(void)
{
    make_grid(vertices, indices, 0.0, 1.0, 0.4);
    solve();
    for (uint32_t k = 0; k < index_count; ++k) {
        const float *n = vertices + 8 * indices[k] + 3;
        CHECK_NEAR(corners[k][0], n[2], 1e-5); // (1, 0, slope), normalised: the normal rotated by a right angle
        CHECK_NEAR(corners[k][1], 0.0, 1e-5);
        CHECK_NEAR(corners[k][2], -n[0], 1e-5);
    }
}

// Triangles without area, in space or in UVs, give no NaN. They take the tangents of their neighbours.
static void degenerate_triangles_follow_their_neighbours(void)
{
    make_grid(vertices, indices, 0.0, 1.0, 0.0);
    indices[4] = indices[3];      // a triangle that uses a corner twice
    for (int k = 0; k < 3; ++k) { // a triangle that has a single UV, far from all others
        vertices[8 * indices[60 + k] + 6] = 0.25f;
        vertices[8 * indices[60 + k] + 7] = 0.25f;
    }
    solve();
    for (uint32_t k = 0; k < index_count; ++k) {
        const double length =
            sqrt((double)corners[k][0] * (double)corners[k][0] + (double)corners[k][1] * (double)corners[k][1] +
                 (double)corners[k][2] * (double)corners[k][2]);
        CHECK(length < 1.0001 && (corners[k][3] == 1.0f || corners[k][3] == -1.0f));
    }
    CHECK_NEAR(corners[3][0], 1.0, 1e-5);
    CHECK_NEAR(corners[4][0], 1.0, 1e-5);
    const vrmi_tangent_mesh nothing = {vertices, SIDE * SIDE, indices, 0};
    CHECK(vrmi_tangents(&nothing, &allocator, corners));
}

static int solve_file(const char *in, const char *out)
{
    uint32_t counts[2] = {0, 0};
    FILE *file = fopen(in, "rb");
    if (file == NULL || fread(counts, sizeof counts, 1, file) != 1) {
        return 2;
    }
    float *read_vertices = malloc(counts[0] * 32 + 1), (*result)[4] = malloc(counts[1] * 16 + 1);
    uint32_t *read_indices = malloc(counts[1] * 4 + 1);
    bool good = read_vertices != NULL && result != NULL && read_indices != NULL &&
                fread(read_vertices, 32, counts[0], file) == counts[0] &&
                fread(read_indices, 4, counts[1], file) == counts[1];
    fclose(file);
    file = fopen(out, "wb");
    good = good && file != NULL &&
           vrmi_tangents(&(vrmi_tangent_mesh){read_vertices, counts[0], read_indices, counts[1]}, &allocator, result) &&
           fwrite(result, 16, counts[1], file) == counts[1];
    good = file != NULL && fclose(file) == 0 && good;
    free(read_vertices);
    free(read_indices);
    free(result);
    return good ? 0 : 2;
}

static const test_case cases[] = {
    {"a_plane_has_the_direction_of_growing_u", a_plane_has_the_direction_of_growing_u},
    {"a_mirrored_half_keeps_its_own", a_mirrored_half_keeps_its_own},
    {"a_bent_surface_has_tangents_in_the_plane_of_its_normals",
        a_bent_surface_has_tangents_in_the_plane_of_its_normals},
    {"degenerate_triangles_follow_their_neighbours", degenerate_triangles_follow_their_neighbours},
};

int main(int argc, char **argv)
{
    vrmi_default_allocator(&allocator);
    return argc == 3 ? solve_file(argv[1], argv[2]) : test_main(cases, sizeof cases / sizeof cases[0], argc, argv);
}
