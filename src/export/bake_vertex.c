// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Transforms vertices to the rest pose: by the blended matrices of a skin's joints, or by the node's own axes.

#include "export/bake_vertex.h"

#include <string.h>

#include "format/edit/edit_accessor.h"

enum { CHUNK = 1024, GL_ARRAY_BUFFER = 34962 };

static const vrmi_gltf_primitive *primitive_of(const vrmi_bake *bake, const vrmi_bake_buffer *buffer)
{
    return &bake->gltf->primitives[buffer->primitive];
}

static vrmi_bake_buffer *buffer_at(const vrmi_bake *bake, uint32_t buffer)
{
    return (vrmi_bake_buffer *)bake->buffers.items + buffer;
}

// --- skins -----------------------------------------------------------------------------------------------------------

static bool is_identity(const vrmi_matrix *matrix)
{
    const vrmi_matrix one = vrmi_matrix_identity();
    bool same = true;
    for (int i = 0; i < 12; ++i) {
        same = same && vrmi_bake_same(one.m[i / 4][i % 4], matrix->m[i / 4][i % 4]);
    }
    return same;
}

// Returns the skeleton root if it is a joint; otherwise the first joint that has no joint above it.
static uint32_t find_root(const vrmi_bake *bake, const vrmi_gltf_skin *skin)
{
    const uint32_t *joints = bake->gltf->indices + skin->joints.first;
    const uint32_t *order = vrmi_model_gltf_node(bake->model);
    uint32_t skeleton = UINT32_MAX, highest = 0;
    (void)vrmi_json_uint(bake->json, vrmi_json_member(bake->json, skin->json, "skeleton"), &skeleton);
    for (uint32_t i = 0; i < skin->joints.count; ++i) {
        if (joints[i] == skeleton) {
            return i;
        }
        highest = order[joints[i]] < order[joints[highest]] ? i : highest; // in node order, ancestors come first
    }
    return highest;
}

static void fill_skin(vrmi_bake *bake, uint32_t index)
{
    const vrmi_gltf_skin *from = &bake->gltf->skins[index];
    vrmi_bake_skin *skin = (vrmi_bake_skin *)bake->skins.items + index;
    const uint32_t *joints = bake->gltf->indices + from->joints.first;
    *skin = (vrmi_bake_skin){.first_matrix = bake->skin_matrices.count, .joint_count = from->joints.count};
    skin->root = find_root(bake, from);
    if (!vrmi_array_reserve(&bake->skin_matrices, &bake->out.allocator, skin->joint_count)) {
        vrmi_writer_fail(&bake->out, VRM_ERROR_OUT_OF_MEMORY);
        return;
    }
    bake->skin_matrices.count += skin->joint_count;
    vrmi_matrix *matrices = (vrmi_matrix *)bake->skin_matrices.items + skin->first_matrix;
    for (uint32_t i = 0; i < skin->joint_count && vrmi_writer_runs(&bake->out); ++i) {
        float m[16];
        vrmi_matrix bind = vrmi_matrix_identity();
        if (from->inverse_bind_matrices >= 0) {
            vrmi_writer_fail(
                &bake->out, vrm_gltf_read_floats(bake->gltf, (uint32_t)from->inverse_bind_matrices, i, 1, m));
            for (int k = 0; k < 12; ++k) {
                bind.m[k / 4][k % 4] = (double)m[k % 4 * 4 + k / 4]; // column-major
            }
        }
        vrmi_matrix_mul(&vrmi_bake_node_at(bake, joints[i])->world, &bind, &matrices[i]);
        skin->changed = skin->changed || !is_identity(&matrices[i]);
    }
}

void vrmi_bake_find_skins(vrmi_bake *bake)
{
    bake->skins.item_size = sizeof(vrmi_bake_skin);
    bake->skin_matrices.item_size = sizeof(vrmi_matrix);
    (void)vrmi_writer_reserve(&bake->out, &bake->skins, bake->gltf->counts[VRM_GLTF_SKINS]);
    for (uint32_t i = 0; i < bake->skins.count && vrmi_bake_tick(bake); ++i) {
        fill_skin(bake, i);
    }
}

// --- vertex buffers --------------------------------------------------------------------------------------------------

static bool is_skinned(const vrmi_gltf_primitive *primitive, int32_t skin)
{
    return skin >= 0 && primitive->joints0 >= 0 && primitive->weights0 >= 0;
}

static bool same_sets(const vrmi_bake *bake, const vrmi_gltf_primitive *a, const vrmi_gltf_primitive *b)
{
    for (uint32_t set = 0;; ++set) {
        uint32_t joints[2] = {0, 0}, weights[2] = {0, 0};
        const bool in_a = vrmi_gltf_joint_set(bake->gltf, a, set, &joints[0], &weights[0]);
        const bool in_b = vrmi_gltf_joint_set(bake->gltf, b, set, &joints[1], &weights[1]);
        if (in_a != in_b || joints[0] != joints[1] || weights[0] != weights[1]) {
            return false;
        }
        if (!in_a) {
            return true;
        }
    }
}

static bool same_axes(const vrmi_bake *bake, uint32_t node_a, uint32_t node_b)
{
    const vrmi_bake_node *a = vrmi_bake_node_at(bake, node_a), *b = vrmi_bake_node_at(bake, node_b);
    bool same = true;
    for (int i = 0; i < 9; ++i) {
        same = same && vrmi_bake_same(a->world.m[i / 3][i % 3], b->world.m[i / 3][i % 3]);
    }
    return same;
}

// Marks the vertices that have weights. The array has one byte more than there are vertices; free it with that size.
static uint8_t *find_held(vrmi_bake *bake, const vrmi_gltf_primitive *primitive)
{
    uint32_t joints, weights;
    uint8_t *held = vrmi_allocate(&bake->out.allocator, (size_t)primitive->vertex_count + 1, 16);
    if (held == NULL) {
        vrmi_writer_fail(&bake->out, VRM_ERROR_OUT_OF_MEMORY);
        return NULL;
    }
    memset(held, 0, (size_t)primitive->vertex_count + 1);
    for (uint32_t set = 0; vrmi_gltf_joint_set(bake->gltf, primitive, set, &joints, &weights); ++set) {
        for (uint32_t first = 0; first < primitive->vertex_count && vrmi_bake_tick(bake); first += CHUNK) {
            float values[CHUNK * 4];
            const uint32_t left = primitive->vertex_count - first, size = left < CHUNK ? left : CHUNK;
            vrmi_writer_fail(&bake->out, vrm_gltf_read_floats(bake->gltf, weights, first, size, values));
            for (uint32_t i = 0; i < size * 4 && vrmi_writer_runs(&bake->out); ++i) {
                held[first + i / 4] |= values[i] > 0.0f;
            }
        }
    }
    return held;
}

static uint32_t count_unweighted(vrmi_bake *bake, const vrmi_gltf_primitive *primitive)
{
    uint32_t count = 0;
    uint8_t *held = find_held(bake, primitive);
    for (uint32_t i = 0; i < primitive->vertex_count && vrmi_writer_runs(&bake->out); ++i) {
        count += held[i] == 0;
    }
    vrmi_release(&bake->out.allocator, held, (size_t)primitive->vertex_count + 1);
    return count;
}

uint32_t vrmi_bake_find_buffer(vrmi_bake *bake, uint32_t primitive_index, uint32_t node)
{
    const vrmi_gltf_primitive *primitive = &bake->gltf->primitives[primitive_index];
    const int32_t skin = is_skinned(primitive, bake->gltf->nodes[node].skin) ? bake->gltf->nodes[node].skin : -1;
    uint32_t normals = VRMI_BAKE_NONE;
    (void)vrmi_json_uint(bake->json, vrmi_json_member(bake->json, primitive->attributes_json, "NORMAL"), &normals);
    uint32_t *last = primitive->position >= 0 ? (uint32_t *)bake->buffers_at.items + primitive->position : NULL;
    for (uint32_t at = last != NULL ? *last : 0; at != 0; at = buffer_at(bake, at - 1)->next) {
        const vrmi_bake_buffer *other = buffer_at(bake, at - 1);
        if (other->skin == skin && other->normals == normals &&
            (skin >= 0 ? same_sets(bake, primitive, primitive_of(bake, other)) : same_axes(bake, node, other->node))) {
            return at - 1;
        }
    }
    vrmi_bake_buffer *buffer = vrmi_array_push(&bake->buffers, &bake->out.allocator);
    if (buffer == NULL) {
        vrmi_writer_fail(&bake->out, VRM_ERROR_OUT_OF_MEMORY);
        return VRMI_BAKE_NONE;
    }
    *buffer = (vrmi_bake_buffer){.primitive = primitive_index,
        .node = node,
        .skin = skin,
        .normals = normals,
        .next = last != NULL ? *last : 0,
        .joints = VRMI_BAKE_NONE,
        .weights = VRMI_BAKE_NONE};
    if (last != NULL) {
        *last = bake->buffers.count;
    }
    buffer->changed = skin < 0 && vrmi_bake_node_at(bake, node)->turned;
    if (skin >= 0 && !primitive->compressed && primitive->vertex_count != 0) {
        vrmi_bake_skin *row = (vrmi_bake_skin *)bake->skins.items + skin;
        buffer->unweighted = count_unweighted(bake, primitive);
        row->unweighted += buffer->unweighted;
    }
    buffer->changed = buffer->changed || buffer->unweighted != 0 ||
                      (skin >= 0 && ((const vrmi_bake_skin *)bake->skins.items)[skin].changed);
    return bake->buffers.count - 1;
}

// --- transformations -------------------------------------------------------------------------------------------------

// Adds the matrices of one set of joints, multiplied by their weights, and sums the weights. If `positions` is not
// NULL, sums weighted distances instead: each from the position that a joint alone gives the vertex to the blended
// position.
static void blend_set(vrmi_bake *bake, const vrmi_bake_skin *skin, const uint32_t accessors[2], const float *positions,
    const vrmi_bake_vertices *vertices, double *sums)
{
    const vrmi_matrix *from = (const vrmi_matrix *)bake->skin_matrices.items + skin->first_matrix;
    for (uint32_t first = 0; first < vertices->count && vrmi_bake_tick(bake); first += CHUNK) {
        uint32_t joints[CHUNK * 4];
        float weights[CHUNK * 4];
        const uint32_t left = vertices->count - first, size = left < CHUNK ? left : CHUNK;
        vrmi_writer_fail(&bake->out, vrm_gltf_read_uints(bake->gltf, accessors[0], first, size, joints));
        vrmi_writer_fail(&bake->out, vrm_gltf_read_floats(bake->gltf, accessors[1], first, size, weights));
        for (uint32_t i = 0; i < size * 4 && vrmi_writer_runs(&bake->out); ++i) {
            if (!(weights[i] > 0.0f) || joints[i] >= skin->joint_count) {
                continue;
            }
            const uint32_t vertex = first + i / 4;
            const vrmi_matrix *joint = &from[joints[i]];
            vrmi_matrix *blend = &vertices->matrices[vertex];
            if (positions == NULL) {
                sums[vertex] += (double)weights[i];
                for (int k = 0; k < 12; ++k) {
                    blend->m[k / 4][k % 4] += (double)weights[i] * joint->m[k / 4][k % 4];
                }
                continue;
            }
            const float *p = positions + (size_t)vertex * 3;
            const double v[3] = {(double)p[0], (double)p[1], (double)p[2]};
            double a[3], b[3];
            vrmi_matrix_point(joint, v, a);
            vrmi_matrix_point(blend, v, b);
            const double way =
                sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
            sums[vertex] += (double)weights[i] * way;
        }
    }
}

static void blend_all(vrmi_bake *bake, const vrmi_bake_buffer *buffer, const float *positions,
    const vrmi_bake_vertices *vertices, double *sums)
{
    const vrmi_bake_skin *skin = (const vrmi_bake_skin *)bake->skins.items + buffer->skin;
    uint32_t accessors[2];
    for (uint32_t set = 0;
         vrmi_gltf_joint_set(bake->gltf, primitive_of(bake, buffer), set, &accessors[0], &accessors[1]); ++set) {
        blend_set(bake, skin, accessors, positions, vertices, sums);
    }
}

// Divides blended matrices by their sum of weights. The result is then the same in readers that normalise weights and
// in those that do not.
static void divide_by_sums(
    const vrmi_bake *bake, const vrmi_bake_skin *skin, const vrmi_bake_vertices *vertices, double *sums)
{
    const vrmi_matrix *from = (const vrmi_matrix *)bake->skin_matrices.items + skin->first_matrix;
    for (uint32_t i = 0; i < vertices->count; ++i) {
        if (!(sums[i] > 0.0)) {
            vertices->matrices[i] = from[skin->root];
        }
        for (int k = 0; k < 12 && sums[i] > 0.0; ++k) {
            vertices->matrices[i].m[k / 4][k % 4] /= sums[i];
        }
    }
}

static void measure(vrmi_bake *bake, const vrmi_bake_buffer *buffer, const vrmi_bake_vertices *vertices, double *sums)
{
    size_t size = 0;
    double *weights = vrmi_allocate(&bake->out.allocator, vertices->count * sizeof(double), 16);
    float *positions = vrmi_bake_read(bake, (uint32_t)primitive_of(bake, buffer)->position, &size);
    if (weights != NULL && positions != NULL) {
        vrmi_bake_skin *skin = (vrmi_bake_skin *)bake->skins.items + buffer->skin;
        memcpy(weights, sums, vertices->count * sizeof(double));
        memset(sums, 0, vertices->count * sizeof(double));
        blend_all(bake, buffer, positions, vertices, sums);
        for (uint32_t i = 0; i < vertices->count; ++i) {
            const double apart = weights[i] > 0.0 ? sums[i] / weights[i] : 0.0;
            skin->apart = apart > skin->apart ? apart : skin->apart;
        }
    } else if (weights == NULL) {
        vrmi_writer_fail(&bake->out, VRM_ERROR_OUT_OF_MEMORY);
    }
    vrmi_release(&bake->out.allocator, positions, size);
    vrmi_release(&bake->out.allocator, weights, vertices->count * sizeof(double));
}

static void open_skinned(vrmi_bake *bake, const vrmi_bake_buffer *buffer, vrmi_bake_vertices *vertices)
{
    const vrmi_bake_skin *skin = (const vrmi_bake_skin *)bake->skins.items + buffer->skin;
    double *sums = vrmi_allocate(&bake->out.allocator, vertices->count * sizeof(double), 16);
    if (sums == NULL) {
        vrmi_writer_fail(&bake->out, VRM_ERROR_OUT_OF_MEMORY);
        return;
    }
    memset(sums, 0, vertices->count * sizeof(double));
    blend_all(bake, buffer, NULL, vertices, sums);
    if (vrmi_writer_runs(&bake->out)) {
        divide_by_sums(bake, skin, vertices, sums);
        measure(bake, buffer, vertices, sums);
    }
    vrmi_release(&bake->out.allocator, sums, vertices->count * sizeof(double));
}

static const vrmi_matrix *matrix_of(const vrmi_bake_vertices *vertices, uint32_t vertex)
{
    return &vertices->matrices[vertices->all_alike ? 0 : vertex];
}

// Transforms a normal by the inverse transpose, which equals the cofactors up to sign and scale. Returns the length of
// the result, which is not normalised.
static double turn_normal(const vrmi_matrix *matrix, const float in[3], double out[3])
{
    double c[3][3];
    const double sign = vrmi_matrix_cofactors(matrix, c) < 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < 3; ++i) {
        out[i] = sign * (c[i][0] * (double)in[0] + c[i][1] * (double)in[1] + c[i][2] * (double)in[2]);
    }
    return sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
}

static void describe(vrmi_bake *bake, const vrmi_bake_buffer *buffer, vrmi_bake_vertices *vertices)
{
    size_t size = 0;
    float *normals = buffer->normals != VRMI_BAKE_NONE ? vrmi_bake_read(bake, buffer->normals, &size) : NULL;
    for (uint32_t i = 0; i < vertices->count && vrmi_writer_runs(&bake->out); ++i) {
        double c[3][3], turned[3];
        const vrmi_matrix *matrix = matrix_of(vertices, i);
        vertices->mirrored[i] = vrmi_matrix_cofactors(matrix, c) < 0.0;
        vertices->any_mirrored = vertices->any_mirrored || vertices->mirrored[i] != 0;
        vertices->normal_scale[i] = 1.0f;
        if (normals != NULL && size == (size_t)vertices->count * 3 * sizeof(float)) {
            const double length = turn_normal(matrix, normals + (size_t)i * 3, turned);
            vertices->normal_scale[i] = length > 1e-12 ? (float)length : 0.0f;
        }
    }
    vrmi_release(&bake->out.allocator, normals, size);
}

bool vrmi_bake_open(vrmi_bake *bake, uint32_t index, vrmi_bake_vertices *vertices)
{
    if (vertices->buffer == index) {
        return vrmi_writer_runs(&bake->out);
    }
    vrmi_bake_close(bake, vertices);
    const vrmi_bake_buffer *buffer = buffer_at(bake, index);
    const uint32_t count = primitive_of(bake, buffer)->vertex_count;
    const vrm_allocator *allocator = &bake->out.allocator;
    vertices->all_alike = buffer->skin < 0;
    vertices->count = count;
    const size_t matrices = vertices->all_alike ? 1 : count;
    if (count == 0 || !vrmi_writer_runs(&bake->out)) {
        return false;
    }
    vertices->buffer = index;
    vertices->matrices = vrmi_allocate(allocator, matrices * sizeof(vrmi_matrix), 16);
    vertices->mirrored = vrmi_allocate(allocator, count, 16);
    vertices->normal_scale = vrmi_allocate(allocator, count * sizeof(float), 16);
    if (vertices->matrices == NULL || vertices->mirrored == NULL || vertices->normal_scale == NULL) {
        vrmi_writer_fail(&bake->out, VRM_ERROR_OUT_OF_MEMORY);
        return false;
    }
    memset(vertices->matrices, 0, matrices * sizeof(vrmi_matrix));
    if (vertices->all_alike) {
        vertices->matrices[0] = vrmi_bake_node_at(bake, buffer->node)->world;
        for (int i = 0; i < 3; ++i) {
            vertices->matrices[0].m[i][3] = 0.0; // the node keeps its position
        }
    } else {
        open_skinned(bake, buffer, vertices);
    }
    describe(bake, buffer, vertices);
    return vrmi_writer_runs(&bake->out);
}

void vrmi_bake_close(vrmi_bake *bake, vrmi_bake_vertices *vertices)
{
    const vrm_allocator *allocator = &bake->out.allocator;
    const size_t matrices = vertices->all_alike ? 1 : vertices->count;
    vrmi_release(allocator, vertices->matrices, matrices * sizeof(vrmi_matrix));
    vrmi_release(allocator, vertices->mirrored, vertices->count);
    vrmi_release(allocator, vertices->normal_scale, vertices->count * sizeof(float));
    *vertices = (vrmi_bake_vertices){.buffer = VRMI_BAKE_NONE};
}

void vrmi_bake_transform(const vrmi_bake_vertices *vertices, vrmi_bake_claim_kind kind, float *values)
{
    for (uint32_t i = 0; i < vertices->count; ++i) {
        float *value = values + (size_t)i * 3;
        const vrmi_matrix *matrix = matrix_of(vertices, i);
        const double v[3] = {(double)value[0], (double)value[1], (double)value[2]};
        const bool is_normal = kind == VRMI_BAKE_NORMAL || kind == VRMI_BAKE_MORPH_NORMAL;
        double out[3], scale = 1.0;
        if (is_normal && vertices->normal_scale[i] == 0.0f) {
            continue; // a zero normal, or the surface was flattened
        }
        if (is_normal) {
            // A morph delta is added before the sum is normalised, so it is divided by the length of the base normal.
            const double length = turn_normal(matrix, value, out);
            scale = 1.0 / (kind == VRMI_BAKE_NORMAL ? length : (double)vertices->normal_scale[i]);
        } else if (kind == VRMI_BAKE_POSITION) {
            vrmi_matrix_point(matrix, v, out);
        } else {
            vrmi_matrix_vector(matrix, v, out);
        }
        for (int k = 0; k < 3; ++k) {
            value[k] = (float)(out[k] * scale);
        }
    }
}

static void append_weights(
    vrmi_bake *bake, vrmi_bake_buffer *buffer, uint32_t *joints, float *weights, const uint8_t *held)
{
    const uint32_t count = primitive_of(bake, buffer)->vertex_count;
    const uint32_t root = ((const vrmi_bake_skin *)bake->skins.items)[buffer->skin].root;
    for (uint32_t i = 0; i < count; ++i) {
        if (held[i] == 0) {
            joints[(size_t)i * 4] = root;
            weights[(size_t)i * 4] = 1.0f;
        }
    }
    const vrmi_uints uints = {.values = joints, .count = count, .components = 4, .target = GL_ARRAY_BUFFER};
    const vrmi_floats floats = {.values = weights, .count = count, .components = 4, .target = GL_ARRAY_BUFFER};
    vrmi_writer_fail(&bake->out, vrmi_gltf_append_uints(bake->out.gltf, &uints, &buffer->joints));
    if (vrmi_writer_runs(&bake->out)) {
        vrmi_writer_fail(&bake->out, vrmi_gltf_append_floats(bake->out.gltf, &floats, &buffer->weights));
    }
}

void vrmi_bake_bind_unweighted(vrmi_bake *bake, uint32_t index)
{
    vrmi_bake_buffer *buffer = buffer_at(bake, index);
    const vrmi_gltf_primitive *primitive = primitive_of(bake, buffer);
    const size_t joints_size = (size_t)primitive->vertex_count * 4 * sizeof(uint32_t);
    size_t weights_size = 0;
    if (buffer->unweighted == 0 || buffer->joints != VRMI_BAKE_NONE || !vrmi_writer_runs(&bake->out)) {
        return;
    }
    uint32_t *joints = vrmi_allocate(&bake->out.allocator, joints_size, 16);
    float *weights = vrmi_bake_read(bake, (uint32_t)primitive->weights0, &weights_size);
    uint8_t *held = find_held(bake, primitive);
    if (joints == NULL) {
        vrmi_writer_fail(&bake->out, VRM_ERROR_OUT_OF_MEMORY);
    } else if (vrmi_writer_runs(&bake->out)) {
        vrmi_writer_fail(&bake->out,
            vrm_gltf_read_uints(bake->gltf, (uint32_t)primitive->joints0, 0, primitive->vertex_count, joints));
    }
    if (vrmi_writer_runs(&bake->out)) {
        append_weights(bake, buffer, joints, weights, held);
    }
    vrmi_release(&bake->out.allocator, joints, joints_size);
    vrmi_release(&bake->out.allocator, weights, weights_size);
    vrmi_release(&bake->out.allocator, held, (size_t)primitive->vertex_count + 1);
}
