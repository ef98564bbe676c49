// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "validate/soles.h"

#include <string.h>

#include "math/mat34.h"

enum { CHUNK = 256, MAX_SETS = 8 };
#define NONE UINT32_MAX

typedef struct sole_search {
    vrmi_run *run;
    const vrmi_model *model;
    uint32_t first[2], end[2]; // node ranges of the feet's subtrees; empty if a foot is missing
    float *heights;
} sole_search;

typedef struct sole_chunk {
    float position[CHUNK * 3], weights[CHUNK * 4];
    uint32_t joints[CHUNK * 4];
    float height[CHUNK], on_foot[2][CHUNK];
} sole_chunk;

typedef void add_influence(
    const sole_search *search, sole_chunk *chunk, uint32_t palette, uint32_t vertex, uint32_t influence);

static bool is_below(const sole_search *search, int foot, uint32_t node)
{
    return node >= search->first[foot] && node < search->end[foot];
}

// Whether any vertex of the mesh follows a foot. Most meshes have none and need not be read.
static bool is_on_feet(const sole_search *search, uint32_t mesh)
{
    const vrmi_range bounds = vrmi_model_mesh_bounds(search->model)[mesh];
    for (uint32_t i = 0; i < bounds.count; ++i) {
        const uint32_t node = vrmi_model_bound(search->model)[bounds.first + i].node;
        if (is_below(search, 0, node) || is_below(search, 1, node)) {
            return true;
        }
    }
    return false;
}

static float height_of(const vrm_mat34 *model_from_local, const float *p)
{
    return vrmi_mat34_point(model_from_local, (vrm_vec3){p[0], p[1], p[2]}).y;
}

// Returns the palette entry of an influence; NONE if its weight is 0 or its joint is out of range.
static uint32_t node_of(const sole_search *search, const sole_chunk *chunk, uint32_t palette, uint32_t influence)
{
    const vrmi_palette_row row = vrmi_model_palette(search->model)[palette];
    const uint32_t joint = chunk->joints[influence];
    return chunk->weights[influence] > 0.0f && joint < row.joint_count ? row.first_joint + joint : NONE;
}

static void add_feet(
    const sole_search *search, sole_chunk *chunk, uint32_t palette, uint32_t vertex, uint32_t influence)
{
    const uint32_t at = node_of(search, chunk, palette, influence);
    for (int foot = 0; foot < 2 && at != NONE; ++foot) {
        const bool below = is_below(search, foot, vrmi_model_palette_node(search->model)[at]);
        chunk->on_foot[foot][vertex] += below ? chunk->weights[influence] : 0.0f;
    }
}

static bool is_of_foot(const sole_chunk *chunk, uint32_t vertex)
{
    return chunk->on_foot[0][vertex] > 0.5f || chunk->on_foot[1][vertex] > 0.5f;
}

static void add_height(
    const sole_search *search, sole_chunk *chunk, uint32_t palette, uint32_t vertex, uint32_t influence)
{
    const uint32_t at = is_of_foot(chunk, vertex) ? node_of(search, chunk, palette, influence) : NONE;
    if (at != NONE) {
        vrm_mat34 model_from_vertex;
        vrmi_mat34_mul(&vrmi_model_node_rest_matrix(search->model)[vrmi_model_palette_node(search->model)[at]],
            &vrmi_model_palette_inverse_bind(search->model)[at], &model_from_vertex);
        chunk->height[vertex] +=
            chunk->weights[influence] * height_of(&model_from_vertex, &chunk->position[3 * vertex]);
    }
}

static bool has_shape(const vrmi_gltf_accessor *accessor, uint32_t components, uint32_t count)
{
    return accessor != NULL && accessor->components == components && accessor->count >= count;
}

// Calls `add` for each influence of a chunk's vertices.
static void each_influence(const sole_search *search, const vrmi_gltf_primitive *primitive, uint32_t palette,
    sole_chunk *chunk, uint32_t first, uint32_t count, add_influence *add)
{
    const vrm_gltf *gltf = search->run->gltf;
    uint32_t joints, weights;
    for (uint32_t set = 0; set < MAX_SETS && vrmi_gltf_joint_set(gltf, primitive, set, &joints, &weights); ++set) {
        const vrmi_gltf_accessor *j = vrmi_gltf_readable(gltf, joints), *w = vrmi_gltf_readable(gltf, weights);
        if (!has_shape(j, 4, first + count) || !has_shape(w, 4, first + count)) {
            return;
        }
        vrmi_accessor_uints(j, first, count, chunk->joints);
        vrmi_accessor_floats(w, first, count, chunk->weights);
        for (uint32_t i = 0; i < 4 * count; ++i) {
            add(search, chunk, palette, i / 4, i);
        }
    }
}

// Sums heights only if some vertex belongs to a foot, because this takes most of the time.
static void read_skinned(const sole_search *search, const vrmi_gltf_primitive *primitive, uint32_t palette,
    sole_chunk *chunk, uint32_t first, uint32_t count)
{
    bool any = false;
    each_influence(search, primitive, palette, chunk, first, count, add_feet);
    for (uint32_t i = 0; i < count && !any; ++i) {
        any = is_of_foot(chunk, i);
    }
    if (any) {
        each_influence(search, primitive, palette, chunk, first, count, add_height);
    }
}

static void read_rigid(const sole_search *search, const vrmi_mesh_row *mesh, sole_chunk *chunk, uint32_t count)
{
    const vrm_mat34 *rest = &vrmi_model_node_rest_matrix(search->model)[mesh->node];
    for (uint32_t i = 0; i < count; ++i) {
        chunk->height[i] = height_of(rest, &chunk->position[3 * i]);
        for (int foot = 0; foot < 2; ++foot) {
            chunk->on_foot[foot][i] = is_below(search, foot, mesh->node) ? 1.0f : 0.0f;
        }
    }
}

// Counts the bytes of a primitive before they are read. Returns false if the validation has ended.
static bool scan(const sole_search *search, const vrmi_gltf_primitive *primitive, const vrmi_gltf_accessor *positions)
{
    const vrm_gltf *gltf = search->run->gltf;
    uint32_t joints, weights;
    bool goes_on = vrmi_run_scan(search->run, positions);
    for (uint32_t set = 0; goes_on && set < MAX_SETS && vrmi_gltf_joint_set(gltf, primitive, set, &joints, &weights);
         ++set) {
        const vrmi_gltf_accessor *j = vrmi_gltf_readable(gltf, joints), *w = vrmi_gltf_readable(gltf, weights);
        goes_on = (j == NULL || vrmi_run_scan(search->run, j)) && (w == NULL || vrmi_run_scan(search->run, w));
    }
    return goes_on;
}

static void read_primitive(const sole_search *search, const vrmi_mesh_row *mesh, const vrmi_gltf_primitive *primitive)
{
    const vrmi_gltf_accessor *positions =
        primitive->position >= 0 ? vrmi_gltf_readable(search->run->gltf, (uint32_t)primitive->position) : NULL;
    if (!has_shape(positions, 3, 1) || !scan(search, primitive, positions)) {
        return;
    }
    sole_chunk chunk;
    for (uint32_t first = 0; first < positions->count; first += CHUNK) {
        const uint32_t count = positions->count - first < CHUNK ? positions->count - first : CHUNK;
        vrmi_accessor_floats(positions, first, count, chunk.position);
        memset(chunk.height, 0, sizeof chunk.height);
        memset(chunk.on_foot, 0, sizeof chunk.on_foot);
        if (mesh->palette >= 0) {
            read_skinned(search, primitive, (uint32_t)mesh->palette, &chunk, first, count);
        } else {
            read_rigid(search, mesh, &chunk, count);
        }
        for (uint32_t i = 0; i < count; ++i) {
            for (int foot = 0; foot < 2; ++foot) {
                const bool lower = chunk.on_foot[foot][i] > 0.5f && chunk.height[i] < search->heights[foot];
                search->heights[foot] = lower ? chunk.height[i] : search->heights[foot];
            }
        }
    }
}

void vrmi_find_soles(vrmi_run *run, const vrmi_model *model, const int32_t feet[2], float out_heights[2])
{
    sole_search search = {.run = run, .model = model, .heights = out_heights};
    for (int foot = 0; foot < 2; ++foot) {
        out_heights[foot] = VRMI_NO_SOLE;
        if (feet[foot] >= 0) {
            search.first[foot] = (uint32_t)feet[foot];
            search.end[foot] = vrmi_model_node_subtree_end(model)[feet[foot]];
        }
    }
    for (uint32_t m = 0; m < model->mesh.count && vrmi_run_goes_on(run); ++m) {
        const vrmi_mesh_row *mesh = &vrmi_model_mesh(model)[m];
        const vrmi_gltf_range primitives = run->gltf->meshes[mesh->gltf_mesh].primitives;
        const uint32_t count = is_on_feet(&search, m) ? primitives.count : 0;
        for (uint32_t p = 0; p < count; ++p) {
            read_primitive(&search, mesh, &run->gltf->primitives[primitives.first + p]);
        }
    }
}
