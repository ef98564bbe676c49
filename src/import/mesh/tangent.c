// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Computes tangents like MikkTSpace, which glTF 2.0 prescribes and tools use to bake normal maps (Mikkelsen, Simulation
// of wrinkled surfaces revisited, 2008). Corners with equal position, normal and UV are one vertex. Triangles at a
// vertex that share edges and have the same UV orientation form a group. A group's tangent is the mean of its
// triangles' directions of increasing u, projected to the plane of the normal and weighted by the triangles' angles
// there.

#include "import/mesh/tangent.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "base/block.h"
#include "math/vec3.h"

enum { NONE = -1 };

typedef struct face {
    vrm_vec3 along_u, along_v; // unit vectors; 0 if the UVs do not define a direction
    bool degenerate;           // two equal corners: takes the tangent of a neighbour
    bool any;                  // without area in UV space: joins groups of either orientation
    bool mirrored;
    int32_t neighbours[3]; // indexed by corner: the face that shares the edge from this corner to the next
    int32_t groups[3];
} face;

typedef struct edge {
    uint32_t low, high; // vertices at the ends of the edge, after welding
    uint32_t face, side;
} edge;

typedef struct group {
    uint32_t vertex, first, count; // first and count: range of `members`
    bool mirrored;
} group;

// A face's contribution to a group's tangent: directions in the plane of the normal, and the angle at the vertex.
typedef struct share {
    vrm_vec3 along_u, along_v;
    float angle; // 0 if the face's UVs do not define a direction
    bool any;
} share;

typedef struct work {
    const vrmi_tangent_mesh *mesh;
    uint32_t face_count;
    uint32_t *welded; // indexed by vertex: the first vertex with the same values
    face *faces;
    edge *edges;
    group *groups;
    uint32_t group_count;
    uint32_t *members; // faces, sorted by group
    uint32_t member_count;
    uint32_t *stack; // faces still to visit
    share *shares;   // contributions to the current group
} work;

static vrm_vec3 added(vrm_vec3 a, vrm_vec3 b, float t)
{
    return vrmi_vec3_add(a, vrmi_vec3_scale(b, t));
}

static vrm_vec3 unit(vrm_vec3 a)
{
    const float length = vrmi_vec3_length(a);
    return length > FLT_MIN ? vrmi_vec3_scale(a, 1.0f / length) : a;
}

static vrm_vec3 in_plane(vrm_vec3 a, vrm_vec3 normal)
{
    return unit(added(a, normal, -vrmi_vec3_dot(normal, a)));
}

static const float *vertex_values(const vrmi_tangent_mesh *m, uint32_t vertex)
{
    return m->vertices + (size_t)vertex * 8;
}

static vrm_vec3 position(const vrmi_tangent_mesh *m, uint32_t vertex)
{
    const float *v = vertex_values(m, vertex);
    return (vrm_vec3){v[0], v[1], v[2]};
}

static vrm_vec3 normal_of(const vrmi_tangent_mesh *m, uint32_t vertex)
{
    const float *v = vertex_values(m, vertex);
    return (vrm_vec3){v[3], v[4], v[5]};
}

// Replaces each vertex by the first vertex with the same values.
static void weld(work *w, int32_t *table, size_t capacity)
{
    memset(table, 0xff, capacity * sizeof *table);
    for (uint32_t v = 0; v < w->mesh->vertex_count; ++v) {
        const float *values = vertex_values(w->mesh, v);
        uint32_t words[8], hash = 2166136261u;
        memcpy(words, values, sizeof words);
        for (int i = 0; i < 8; ++i) {
            hash = (hash ^ (values[i] == 0.0f ? 0u : words[i])) * 16777619u; // 0 and -0 are equal
            hash ^= hash >> 15;
        }
        size_t at = hash & (capacity - 1);
        for (;; at = (at + 1) & (capacity - 1)) {
            if (table[at] == NONE) {
                table[at] = (int32_t)v;
                break;
            }
            const float *other = vertex_values(w->mesh, (uint32_t)table[at]);
            bool same = true;
            for (int i = 0; i < 8 && same; ++i) {
                same = values[i] == other[i];
            }
            if (same) {
                break;
            }
        }
        w->welded[v] = (uint32_t)table[at];
    }
}

static uint32_t corner(const work *w, uint32_t face_index, uint32_t i)
{
    return w->welded[w->mesh->indices[3 * face_index + i]];
}

static void measure_face(work *w, uint32_t index)
{
    face *f = &w->faces[index];
    const uint32_t c[3] = {corner(w, index, 0), corner(w, index, 1), corner(w, index, 2)};
    const vrm_vec3 p[3] = {position(w->mesh, c[0]), position(w->mesh, c[1]), position(w->mesh, c[2])};
    const float *uv[3];
    *f = (face){0};
    for (int i = 0; i < 3; ++i) {
        uv[i] = vertex_values(w->mesh, c[i]) + 6;
        f->neighbours[i] = f->groups[i] = NONE;
    }
    f->degenerate = vrmi_vec3_same(p[0], p[1]) || vrmi_vec3_same(p[0], p[2]) || vrmi_vec3_same(p[1], p[2]);
    const float u1 = uv[1][0] - uv[0][0], v1 = uv[1][1] - uv[0][1], u2 = uv[2][0] - uv[0][0], v2 = uv[2][1] - uv[0][1];
    const float area = u1 * v2 - v1 * u2;
    const vrm_vec3 d1 = vrmi_vec3_sub(p[1], p[0]), d2 = vrmi_vec3_sub(p[2], p[0]);
    const vrm_vec3 s = added(vrmi_vec3_scale(d1, v2), d2, -v1), t = added(vrmi_vec3_scale(d1, -u2), d2, u1);
    f->mirrored = !(area > 0.0f);
    f->any = true;
    if (vrmi_abs(area) > FLT_MIN) {
        f->along_u = vrmi_vec3_scale(unit(s), f->mirrored ? -1.0f : 1.0f);
        f->along_v = vrmi_vec3_scale(unit(t), f->mirrored ? -1.0f : 1.0f);
        f->any = !(vrmi_vec3_length(s) / vrmi_abs(area) > FLT_MIN && vrmi_vec3_length(t) / vrmi_abs(area) > FLT_MIN);
    }
}

static int compare_edges(const void *left, const void *right)
{
    const edge *a = left, *b = right;
    const uint32_t x[3] = {a->low, a->high, a->face}, y[3] = {b->low, b->high, b->face};
    for (int i = 0; i < 3; ++i) {
        if (x[i] != y[i]) {
            return x[i] < y[i] ? -1 : 1;
        }
    }
    return 0;
}

// Finds neighbouring triangles. These share an edge, which they traverse in opposite directions.
static void find_neighbours(work *w)
{
    uint32_t count = 0;
    for (uint32_t f = 0; f < w->face_count; ++f) {
        for (uint32_t i = 0; i < 3 && !w->faces[f].degenerate; ++i) {
            const uint32_t a = corner(w, f, i), b = corner(w, f, (i + 1) % 3);
            w->edges[count++] = (edge){a < b ? a : b, a < b ? b : a, f, i};
        }
    }
    qsort(w->edges, count, sizeof *w->edges, compare_edges);
    for (uint32_t i = 0; i < count; ++i) {
        const edge *e = &w->edges[i];
        for (uint32_t k = i + 1; w->faces[e->face].neighbours[e->side] == NONE && k < count; ++k) {
            const edge *o = &w->edges[k];
            if (o->low != e->low || o->high != e->high) {
                break;
            }
            if (w->faces[o->face].neighbours[o->side] == NONE &&
                corner(w, e->face, e->side) == corner(w, o->face, (o->side + 1) % 3)) {
                w->faces[e->face].neighbours[e->side] = (int32_t)o->face;
                w->faces[o->face].neighbours[o->side] = (int32_t)e->face;
            }
        }
    }
}

static int find_corner(const work *w, uint32_t face_index, uint32_t vertex)
{
    for (uint32_t i = 0; i < 3; ++i) {
        if (corner(w, face_index, i) == vertex) {
            return (int)i;
        }
    }
    return NONE;
}

static bool joins(face *f, int at, const group *g)
{
    if (at == NONE || f->groups[at] != NONE) {
        return false;
    }
    if (f->any && f->groups[0] == NONE && f->groups[1] == NONE && f->groups[2] == NONE) {
        f->mirrored = g->mirrored; // the first group that reaches this face decides its orientation
    }
    return f->mirrored == g->mirrored;
}

// Collects the connected triangles around a corner, depth-first. The stack is explicit because the file determines the
// depth.
static void grow_group(work *w, uint32_t start, uint32_t start_corner)
{
    group *g = &w->groups[w->group_count];
    *g = (group){corner(w, start, start_corner), w->member_count, 0, w->faces[start].mirrored};
    uint32_t waiting = 0;
    w->stack[waiting++] = start;
    while (waiting != 0) {
        const uint32_t index = w->stack[--waiting];
        face *f = &w->faces[index];
        const int at = find_corner(w, index, g->vertex);
        if (!joins(f, at, g)) {
            continue;
        }
        f->groups[at] = (int32_t)w->group_count;
        w->members[w->member_count++] = index;
        ++g->count;
        const int32_t left = f->neighbours[at], right = f->neighbours[(at + 2) % 3];
        if (right != NONE) {
            w->stack[waiting++] = (uint32_t)right;
        }
        if (left != NONE) {
            w->stack[waiting++] = (uint32_t)left;
        }
    }
    ++w->group_count;
}

static void measure_shares(work *w, const group *g)
{
    const vrm_vec3 normal = normal_of(w->mesh, g->vertex), at = position(w->mesh, g->vertex);
    for (uint32_t i = 0; i < g->count; ++i) {
        const uint32_t index = w->members[g->first + i], c = (uint32_t)find_corner(w, index, g->vertex);
        const face *f = &w->faces[index];
        const vrm_vec3 before = in_plane(vrmi_vec3_sub(position(w->mesh, corner(w, index, (c + 2) % 3)), at), normal);
        const vrm_vec3 after = in_plane(vrmi_vec3_sub(position(w->mesh, corner(w, index, (c + 1) % 3)), at), normal);
        const float angle = vrmi_acos(vrmi_vec3_dot(before, after));
        w->shares[i] =
            (share){in_plane(f->along_u, normal), in_plane(f->along_v, normal), f->any ? 0.0f : angle, f->any};
    }
}

// Whether two faces contribute to each other's tangent. Exactly opposite directions are ignored instead of cancelling
// out.
static bool add_up(const share *a, const share *b)
{
    return a->any || b->any ||
           (vrmi_vec3_dot(a->along_u, b->along_u) > -1.0f && vrmi_vec3_dot(a->along_v, b->along_v) > -1.0f);
}

// Computes the tangent that a group gives to one member. With `all`, every member contributes; this is used for large
// groups, where comparing each pair would take too long.
static vrm_vec3 group_tangent(const work *w, const group *g, uint32_t member, bool all)
{
    vrm_vec3 sum = {0, 0, 0};
    for (uint32_t i = 0; i < g->count; ++i) {
        if (all || i == member || add_up(&w->shares[member], &w->shares[i])) {
            sum = added(sum, w->shares[i].along_u, w->shares[i].angle);
        }
    }
    const vrm_vec3 tangent = unit(sum);
    return vrmi_vec3_finite(tangent) ? tangent
                                     : vrmi_vec3(1.0f, 0.0f, 0.0f); // fallback if very large coordinates overflow
}

static void solve_group(work *w, const group *g, float (*corners)[4])
{
    const bool large = g->count > 512;
    measure_shares(w, g);
    vrm_vec3 t = {0, 0, 0};
    for (uint32_t i = 0; i < g->count; ++i) {
        if (!large || i == 0) {
            t = group_tangent(w, g, i, large);
        }
        const uint32_t index = w->members[g->first + i];
        // In glTF, v increases downwards. So for an image that is not mirrored, the bitangent points against v.
        const float out[4] = {t.x, t.y, t.z, g->mirrored ? 1.0f : -1.0f};
        memcpy(corners[3 * index + (uint32_t)find_corner(w, index, g->vertex)], out, sizeof out);
    }
}

// Copies to each degenerate triangle the tangents of valid triangles at the same vertices.
static void lend_to_degenerate(work *w, float (*corners)[4], int32_t *lender)
{
    memset(lender, 0xff, w->mesh->vertex_count * sizeof *lender);
    for (uint32_t i = w->face_count * 3; i-- > 0;) {
        if (!w->faces[i / 3].degenerate) {
            lender[corner(w, i / 3, i % 3)] = (int32_t)i;
        }
    }
    for (uint32_t i = 0; i < w->face_count * 3; ++i) {
        const int32_t from = lender[corner(w, i / 3, i % 3)];
        if (w->faces[i / 3].degenerate && from != NONE) {
            memcpy(corners[i], corners[from], sizeof corners[i]);
        }
    }
}

static void solve(work *w, float (*corners)[4])
{
    for (uint32_t f = 0; f < w->face_count; ++f) {
        measure_face(w, f);
    }
    find_neighbours(w);
    for (uint32_t i = 0; i < w->face_count * 3; ++i) {
        const face *f = &w->faces[i / 3];
        if (!f->degenerate && !f->any && f->groups[i % 3] == NONE) {
            grow_group(w, i / 3, i % 3);
        }
    }
    for (uint32_t i = 0; i < w->face_count * 3; ++i) {
        memcpy(corners[i], (const float[4]){1.0f, 0.0f, 0.0f, 1.0f}, sizeof corners[i]);
    }
    for (uint32_t g = 0; g < w->group_count; ++g) {
        solve_group(w, &w->groups[g], corners);
    }
}

static size_t place(work *w, int32_t **lender, int32_t **table, size_t capacity, void *memory)
{
    const size_t corners = (size_t)w->mesh->index_count, vertices = (size_t)w->mesh->vertex_count;
    size_t total = 0;
    w->faces = vrmi_block_take(memory, w->face_count, sizeof *w->faces, &total);
    w->edges = vrmi_block_take(memory, corners, sizeof *w->edges, &total);
    w->groups = vrmi_block_take(memory, corners, sizeof *w->groups, &total);
    w->shares = vrmi_block_take(memory, corners, sizeof *w->shares, &total);
    w->members = vrmi_block_take(memory, corners, sizeof *w->members, &total);
    w->stack = vrmi_block_take(memory, 2 * corners + 1, sizeof *w->stack, &total); // at most two pushes per corner
    w->welded = vrmi_block_take(memory, vertices, sizeof *w->welded, &total);
    *lender = vrmi_block_take(memory, vertices, sizeof **lender, &total);
    *table = vrmi_block_take(memory, capacity, sizeof **table, &total);
    return vrmi_block_size(total);
}

bool vrmi_tangents(const vrmi_tangent_mesh *mesh, const vrm_allocator *allocator, float (*corners)[4])
{
    work w = {.mesh = mesh, .face_count = mesh->index_count / 3};
    int32_t *lender, *table;
    size_t capacity = 16;
    while (capacity < 2 * (size_t)mesh->vertex_count) {
        capacity *= 2;
    }
    const size_t size = place(&w, &lender, &table, capacity, NULL);
    void *memory = size != 0 ? vrmi_block_allocate(allocator, size) : NULL;
    if (memory == NULL) {
        return false;
    }
    (void)place(&w, &lender, &table, capacity, memory);
    weld(&w, table, capacity);
    solve(&w, corners);
    lend_to_degenerate(&w, corners, lender);
    vrmi_release(allocator, memory, size);
    return true;
}
