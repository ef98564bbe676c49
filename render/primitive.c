// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// A primitive's arrays on the GPU: one buffer with the attributes that are there, interleaved; indices with those
// triangles first that the wearer sees; morph targets as a texture of deltas, each only as long as what it moves.

#include "internal.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_ATTRIBUTES = 10, NO_ACCESSOR = -1 };

typedef struct attribute {
    const char *name;
    GLuint location;
    uint32_t components; // of the shader's attribute
    uint32_t at;         // first component that this accessor fills
    bool integers;       // joints, as 16 bits
    float filler;        // of components that the accessor lacks
} attribute;

// UV sets share attributes in pairs.
static const attribute attributes[] = {
    {"POSITION", 0, 3, 0, false, 0.0f},
    {"NORMAL", 1, 3, 0, false, 0.0f},
    {"TANGENT", 2, 4, 0, false, 1.0f},
    {"TEXCOORD_0", 3, 4, 0, false, 0.0f},
    {"TEXCOORD_1", 3, 4, 2, false, 0.0f},
    {"TEXCOORD_2", 4, 4, 0, false, 0.0f},
    {"TEXCOORD_3", 4, 4, 2, false, 0.0f},
    {"JOINTS_0", 5, 4, 0, true, 0.0f},
    {"WEIGHTS_0", 6, 4, 0, false, 0.0f},
    {"JOINTS_1", 7, 4, 0, true, 0.0f},
    {"WEIGHTS_1", 8, 4, 0, false, 0.0f},
    {"COLOR_0", 9, 4, 0, false, 1.0f},
};
enum { ATTRIBUTE_COUNT = sizeof attributes / sizeof attributes[0] };

typedef struct loader {
    vrm_render_model *model;
    vrm_renderer *renderer;
    const vrmr_primitive_source *source;
    vrmr_primitive *out;
    int64_t accessors[ATTRIBUTE_COUNT];
    uint32_t offsets[MAX_ATTRIBUTES]; // in the interleaved vertex
    bool present[MAX_ATTRIBUTES];
    uint32_t stride;
    uint8_t *vertices;
    void *scratch;      // a whole accessor of up to four components
    uint32_t *indices;
    bool *on_head;      // per vertex; NULL: none
} loader;

static void find_attributes(loader *l)
{
    const vrmr_primitive_source *s = l->source;
    for (int i = 0; i < ATTRIBUTE_COUNT; ++i) {
        char format[96] = "/meshes/%u/primitives/%u/attributes/";
        strcat(format, attributes[i].name);
        l->accessors[i] = vrmr_json_integer(s->gltf, NO_ACCESSOR, format, s->mesh->gltf_mesh, s->primitive, 0);
        const bool skin = attributes[i].location >= 5 && attributes[i].location <= 8;
        if (l->accessors[i] < 0 || (skin && s->mesh->palette < 0)) {
            l->accessors[i] = NO_ACCESSOR;
            continue;
        }
        l->present[attributes[i].location] = true;
    }
    for (int i = 0; i < ATTRIBUTE_COUNT; ++i) {
        const attribute *a = &attributes[i];
        if (l->present[a->location] && a->at == 0) {
            l->offsets[a->location] = l->stride;
            l->stride += a->components * (uint32_t)(a->integers ? sizeof(uint16_t) : sizeof(float));
        }
    }
}

static vrm_result read_error(loader *l, vrm_result result, const char *what)
{
    return vrmr_fail(l->renderer, result == VRM_ERROR_INVALID_ARGUMENT ? VRM_ERROR_UNSUPPORTED : result,
        "mesh %u, primitive %u: %s cannot be read: %s", l->source->mesh->gltf_mesh, l->source->primitive, what,
        vrm_result_sentence(result));
}

static void put_floats(loader *l, const attribute *a, const float *values, uint32_t components)
{
    const uint32_t wanted = a->location == 3 || a->location == 4 ? 2 : a->components;
    for (uint32_t v = 0; v < l->out->vertex_count; ++v) {
        float *to = (float *)(void *)(l->vertices + (size_t)v * l->stride + l->offsets[a->location]) + a->at;
        for (uint32_t c = 0; c < wanted; ++c) {
            to[c] = c < components ? values[(size_t)v * components + c] : a->filler;
        }
    }
}

static void put_joints(loader *l, const attribute *a, const uint32_t *values, const vrm_palette *palette)
{
    for (uint32_t v = 0; v < l->out->vertex_count; ++v) {
        uint16_t *to = (uint16_t *)(void *)(l->vertices + (size_t)v * l->stride + l->offsets[a->location]);
        for (uint32_t c = 0; c < 4; ++c) {
            const uint32_t joint = values[(size_t)v * 4 + c];
            to[c] = (uint16_t)(joint < palette->joint_count ? joint : 0);
        }
    }
}

static vrm_result read_attribute(loader *l, int index)
{
    const attribute *a = &attributes[index];
    const uint32_t accessor = (uint32_t)l->accessors[index], count = l->out->vertex_count;
    vrm_gltf_accessor info;
    vrm_result result = vrm_gltf_accessor_info(l->source->gltf, accessor, &info);
    if (result != VRM_SUCCESS || info.count != count || info.components > 4 || (a->integers && info.components != 4)) {
        return read_error(l, VRM_ERROR_UNSUPPORTED, a->name);
    }
    if (a->integers) {
        vrm_palette palette;
        result = vrm_avatar_get_palette(l->source->avatar, (uint32_t)l->source->mesh->palette, &palette);
        result = result == VRM_SUCCESS
            ? vrm_gltf_accessor_read_uint(l->source->gltf, accessor, 0, count, l->scratch) : result;
        if (result == VRM_SUCCESS) {
            put_joints(l, a, l->scratch, &palette);
        }
    } else {
        result = vrm_gltf_accessor_read_float(l->source->gltf, accessor, 0, count, l->scratch);
        if (result == VRM_SUCCESS) {
            put_floats(l, a, l->scratch, info.components);
        }
    }
    return result == VRM_SUCCESS ? VRM_SUCCESS : read_error(l, result, a->name);
}

static vrm_result read_vertices(loader *l)
{
    vrm_gltf_accessor info;
    if (l->accessors[0] == NO_ACCESSOR ||
        vrm_gltf_accessor_info(l->source->gltf, (uint32_t)l->accessors[0], &info) != VRM_SUCCESS) {
        return VRM_SUCCESS; // nothing to show; the document's findings have named it
    }
    l->out->vertex_count = info.count;
    l->vertices = calloc(info.count, l->stride);
    l->scratch = malloc((size_t)info.count * 16);
    if (l->vertices == NULL || l->scratch == NULL) {
        return vrmr_fail(l->renderer, VRM_ERROR_OUT_OF_MEMORY, "no memory for a mesh");
    }
    for (int i = 0; i < ATTRIBUTE_COUNT; ++i) {
        if (l->accessors[i] != NO_ACCESSOR) {
            const vrm_result result = read_attribute(l, i);
            if (result != VRM_SUCCESS) {
                return result;
            }
        }
    }
    l->out->has_normals = l->present[1];
    l->out->has_tangents = l->present[2] && l->present[1];
    return VRM_SUCCESS;
}

// Strips and fans become triangles; an odd triangle of a strip is turned over.
static void unroll(uint32_t *to, const uint32_t *from, uint32_t triangles, bool fan)
{
    for (uint32_t i = 0; i < triangles; ++i) {
        const uint32_t odd = i & 1u;
        to[3 * i] = fan ? from[i + 1] : from[i + odd];
        to[3 * i + 1] = fan ? from[i + 2] : from[i + 1 - odd];
        to[3 * i + 2] = fan ? from[0] : from[i + 2];
    }
}

static vrm_result read_indices(loader *l)
{
    const vrmr_primitive_source *s = l->source;
    const unsigned mesh = s->mesh->gltf_mesh, primitive = s->primitive;
    const int64_t mode = vrmr_json_integer(s->gltf, 4, "/meshes/%u/primitives/%u/mode", mesh, primitive, 0);
    const int64_t accessor = vrmr_json_integer(s->gltf, -1, "/meshes/%u/primitives/%u/indices", mesh, primitive, 0);
    vrm_gltf_accessor info = {.count = l->out->vertex_count};
    if (mode < 4 || mode > 6) {
        return VRM_SUCCESS;
    }
    if (accessor >= 0 && vrm_gltf_accessor_info(s->gltf, (uint32_t)accessor, &info) != VRM_SUCCESS) {
        return read_error(l, VRM_ERROR_UNSUPPORTED, "indices");
    }
    const uint32_t triangles = mode == 4 ? info.count / 3 : info.count > 2 ? info.count - 2 : 0;
    uint32_t *raw = malloc(((size_t)info.count + 1) * sizeof *raw);
    l->indices = malloc(((size_t)triangles + 1) * 3 * sizeof *l->indices);
    if (raw == NULL || l->indices == NULL) {
        free(raw);
        return vrmr_fail(l->renderer, VRM_ERROR_OUT_OF_MEMORY, "no memory for a mesh");
    }
    vrm_result result = VRM_SUCCESS;
    if (accessor >= 0) {
        result = vrm_gltf_accessor_read_uint(s->gltf, (uint32_t)accessor, 0, info.count, raw);
    } else {
        for (uint32_t i = 0; i < info.count; ++i) {
            raw[i] = i;
        }
    }
    if (result == VRM_SUCCESS && mode == 4) {
        memcpy(l->indices, raw, (size_t)triangles * 3 * sizeof *raw);
    } else if (result == VRM_SUCCESS) {
        unroll(l->indices, raw, triangles, mode == 6);
    }
    free(raw);
    for (uint32_t i = 0; i < triangles * 3 && result == VRM_SUCCESS; ++i) {
        result = l->indices[i] < l->out->vertex_count ? VRM_SUCCESS : VRM_ERROR_INVALID_ARGUMENT;
    }
    l->out->index_count = result == VRM_SUCCESS ? triangles * 3 : 0;
    return result == VRM_SUCCESS ? VRM_SUCCESS : read_error(l, result, "indices");
}

static bool below_head(const vrm_avatar *avatar, uint32_t node)
{
    const int32_t head = vrm_avatar_bone_node(avatar, VRM_HUMAN_BONE_HEAD);
    vrm_node info;
    return head >= 0 && vrm_avatar_get_node(avatar, (uint32_t)head, &info) == VRM_SUCCESS && node >= (uint32_t)head &&
        node < info.subtree_end;
}

// Vertices that hang on the head or what is below it.
static bool mark_head(loader *l)
{
    const vrm_mesh *mesh = l->source->mesh;
    vrm_palette palette;
    l->on_head = calloc(l->out->vertex_count + 1u, sizeof *l->on_head);
    if (l->on_head == NULL) {
        return false;
    }
    if (mesh->palette < 0 || !l->present[5] ||
        vrm_avatar_get_palette(l->source->avatar, (uint32_t)mesh->palette, &palette) != VRM_SUCCESS) {
        memset(l->on_head, below_head(l->source->avatar, mesh->node) ? 1 : 0, l->out->vertex_count);
        return true;
    }
    for (uint32_t v = 0; v < l->out->vertex_count; ++v) {
        const uint8_t *vertex = l->vertices + (size_t)v * l->stride;
        for (uint32_t set = 0; set < 2; ++set) {
            if (!l->present[5 + 2 * set] || !l->present[6 + 2 * set]) {
                continue;
            }
            const uint16_t *joints = (const uint16_t *)(const void *)(vertex + l->offsets[5 + 2 * set]);
            const float *weights = (const float *)(const void *)(vertex + l->offsets[6 + 2 * set]);
            for (uint32_t c = 0; c < 4; ++c) {
                l->on_head[v] = l->on_head[v] ||
                    (weights[c] > 0.0f && palette.joint_count != 0 && below_head(l->source->avatar, palette.nodes[joints[c]]));
            }
        }
    }
    return true;
}

// Moves the triangles that the wearer sees to the front, in their order.
static vrm_result sort_for_wearer(loader *l)
{
    vrmr_primitive *p = l->out;
    p->first_person_count = l->source->mesh->first_person == VRM_FIRST_PERSON_THIRD_PERSON_ONLY ? 0 : p->index_count;
    if (l->source->mesh->first_person != VRM_FIRST_PERSON_AUTO) {
        return VRM_SUCCESS;
    }
    uint32_t *sorted = malloc((p->index_count + 1u) * sizeof *sorted);
    if (sorted == NULL || !mark_head(l)) {
        free(sorted);
        return vrmr_fail(l->renderer, VRM_ERROR_OUT_OF_MEMORY, "no memory for a mesh");
    }
    uint32_t count = 0;
    for (int pass = 0; pass < 2; ++pass) {
        for (uint32_t i = 0; i < p->index_count; i += 3) {
            const uint32_t *t = l->indices + i;
            const int head = l->on_head[t[0]] || l->on_head[t[1]] || l->on_head[t[2]];
            if (head == pass) {
                memcpy(sorted + count, t, 3 * sizeof *t);
                count += 3;
            }
        }
        p->first_person_count = pass == 0 ? count : p->first_person_count;
    }
    free(l->indices);
    l->indices = sorted;
    return VRM_SUCCESS;
}

static void upload(loader *l)
{
    vrmr_primitive *p = l->out;
    glGenVertexArrays(1, &p->vertex_array);
    glGenBuffers(2, p->buffers);
    glBindVertexArray(p->vertex_array);
    glBindBuffer(GL_ARRAY_BUFFER, p->buffers[0]);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)p->vertex_count * l->stride), l->vertices, GL_STATIC_DRAW);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, p->buffers[1]);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)(p->index_count * sizeof(uint32_t)), l->indices, GL_STATIC_DRAW);
    for (int i = 0; i < ATTRIBUTE_COUNT; ++i) {
        const attribute *a = &attributes[i];
        if (!l->present[a->location] || a->at != 0) {
            continue;
        }
        const void *offset = (const void *)(uintptr_t)l->offsets[a->location];
        glEnableVertexAttribArray(a->location);
        if (a->integers) {
            glVertexAttribIPointer(a->location, (GLint)a->components, GL_UNSIGNED_SHORT, (GLsizei)l->stride, offset);
        } else {
            glVertexAttribPointer(a->location, (GLint)a->components, GL_FLOAT, GL_FALSE, (GLsizei)l->stride, offset);
        }
    }
    glBindVertexArray(0);
    l->model->statistics.buffer_bytes += (uint64_t)p->vertex_count * l->stride + p->index_count * sizeof(uint32_t);
}

// --- morph targets -------------------------------------------------------------------------------------------------

typedef struct deltas {
    float *texels;
    uint32_t count, capacity;
    float *position, *normal; // one target, three floats per vertex
} deltas;

static bool moves(const float *v)
{
    return v[0] != 0.0f || v[1] != 0.0f || v[2] != 0.0f;
}

static vrm_result read_deltas(loader *l, uint32_t target, const char *format, float *out)
{
    const vrmr_primitive_source *s = l->source;
    const uint32_t count = l->out->vertex_count;
    const int64_t accessor = vrmr_json_integer(s->gltf, -1, format, s->mesh->gltf_mesh, s->primitive, target);
    vrm_gltf_accessor info;
    memset(out, 0, (size_t)count * 3 * sizeof *out);
    if (accessor < 0) {
        return VRM_SUCCESS;
    }
    if (vrm_gltf_accessor_info(s->gltf, (uint32_t)accessor, &info) != VRM_SUCCESS || info.count != count ||
        info.components != 3) {
        return read_error(l, VRM_ERROR_UNSUPPORTED, "a morph target");
    }
    const vrm_result result = vrm_gltf_accessor_read_float(s->gltf, (uint32_t)accessor, 0, count, out);
    return result == VRM_SUCCESS ? VRM_SUCCESS : read_error(l, result, "a morph target");
}

static vrm_result add_target(loader *l, uint32_t target, deltas *d)
{
    vrmr_primitive *p = l->out;
    vrmr_morph *morph = &p->morphs[target];
    vrm_result result = read_deltas(l, target, "/meshes/%u/primitives/%u/targets/%u/POSITION", d->position);
    if (result == VRM_SUCCESS) {
        result = read_deltas(l, target, "/meshes/%u/primitives/%u/targets/%u/NORMAL", d->normal);
    }
    if (result != VRM_SUCCESS) {
        return result;
    }
    uint32_t first = 0, end = p->vertex_count;
    while (first < end && !moves(d->position + 3 * first) && !moves(d->normal + 3 * first)) {
        ++first;
    }
    while (end > first && !moves(d->position + 3 * (end - 1)) && !moves(d->normal + 3 * (end - 1))) {
        --end;
    }
    *morph = (vrmr_morph){d->count, 1, 0};
    if (first == end) {
        return VRM_SUCCESS;
    }
    *morph = (vrmr_morph){d->count, first, end - 1};
    const uint64_t needed = d->count + (uint64_t)(end - first) * (uint32_t)p->texels_per_delta;
    // First texels travel as floats, which hold whole numbers up to here; it is also 1,024 x 16,384 texels.
    if (needed > 1u << 24 || needed > (uint64_t)VRMR_TEXEL_ROW * l->renderer->max_texture_size) {
        return vrmr_fail(l->renderer, VRM_ERROR_LIMIT, "mesh %u, primitive %u: more morph targets than fit a texture",
            l->source->mesh->gltf_mesh, l->source->primitive);
    }
    if (!vrmr_reserve((void **)&d->texels, &d->capacity, (uint32_t)needed + VRMR_TEXEL_ROW, 4 * sizeof(float))) {
        return vrmr_fail(l->renderer, VRM_ERROR_OUT_OF_MEMORY, "no memory for morph targets");
    }
    for (uint32_t v = first; v < end; ++v) {
        float *to = d->texels + (size_t)d->count * 4;
        memcpy(to, d->position + 3 * v, 3 * sizeof *to);
        to[3] = 0.0f;
        if (p->texels_per_delta == 2) {
            memcpy(to + 4, d->normal + 3 * v, 3 * sizeof *to);
            to[7] = 0.0f;
        }
        d->count += (uint32_t)p->texels_per_delta;
    }
    return VRM_SUCCESS;
}

static void upload_deltas(loader *l, deltas *d)
{
    const uint32_t rows = (d->count + VRMR_TEXEL_ROW - 1) / VRMR_TEXEL_ROW;
    if (rows == 0) {
        return;
    }
    memset(d->texels + (size_t)d->count * 4, 0, ((size_t)rows * VRMR_TEXEL_ROW - d->count) * 4 * sizeof(float));
    glGenTextures(1, &l->out->morph_texture);
    glActiveTexture(GL_TEXTURE0 + VRMR_UNIT_MORPH);
    glBindTexture(GL_TEXTURE_2D, l->out->morph_texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA32F, VRMR_TEXEL_ROW, (GLsizei)rows);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, VRMR_TEXEL_ROW, (GLsizei)rows, GL_RGBA, GL_FLOAT, d->texels);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    l->model->statistics.buffer_bytes += (uint64_t)rows * VRMR_TEXEL_ROW * 16;
}

static vrm_result read_morphs(loader *l)
{
    vrmr_primitive *p = l->out;
    const vrmr_primitive_source *s = l->source;
    const unsigned mesh = s->mesh->gltf_mesh, primitive = s->primitive;
    p->texels_per_delta = 1;
    while (p->morph_count < s->mesh->morph_count &&
        vrmr_json_exists(s->gltf, "/meshes/%u/primitives/%u/targets/%u", mesh, primitive, p->morph_count)) {
        if (p->has_normals && vrmr_json_exists(s->gltf, "/meshes/%u/primitives/%u/targets/%u/NORMAL", mesh, primitive,
                                  p->morph_count)) {
            p->texels_per_delta = 2;
        }
        ++p->morph_count;
    }
    if (p->morph_count == 0) {
        return VRM_SUCCESS;
    }
    deltas d = {0};
    p->morphs = calloc(p->morph_count, sizeof *p->morphs);
    d.position = malloc((size_t)p->vertex_count * 12 + 1);
    d.normal = malloc((size_t)p->vertex_count * 12 + 1);
    vrm_result result = p->morphs != NULL && d.position != NULL && d.normal != NULL
        ? VRM_SUCCESS : vrmr_fail(l->renderer, VRM_ERROR_OUT_OF_MEMORY, "no memory for morph targets");
    for (uint32_t i = 0; i < p->morph_count && result == VRM_SUCCESS; ++i) {
        result = add_target(l, i, &d);
    }
    if (result == VRM_SUCCESS) {
        upload_deltas(l, &d);
    }
    free(d.position);
    free(d.normal);
    free(d.texels);
    return result;
}

vrm_result vrmr_load_primitive(vrm_render_model *model, const vrmr_primitive_source *source, vrmr_primitive *out)
{
    loader l = {.model = model, .renderer = model->renderer, .source = source, .out = out};
    *out = (vrmr_primitive){0};
    out->material = (int32_t)vrmr_json_integer(
        source->gltf, -1, "/meshes/%u/primitives/%u/material", source->mesh->gltf_mesh, source->primitive, 0);
    find_attributes(&l);
    vrm_result result = read_vertices(&l);
    if (result == VRM_SUCCESS && out->vertex_count != 0) {
        result = read_indices(&l);
    }
    if (result == VRM_SUCCESS && out->index_count != 0) {
        result = sort_for_wearer(&l);
        if (result == VRM_SUCCESS) {
            upload(&l);
            result = read_morphs(&l);
        }
    }
    free(l.vertices);
    free(l.scratch);
    free(l.indices);
    free(l.on_head);
    model->statistics.vertices += out->vertex_count;
    model->statistics.triangles += out->index_count / 3;
    return result;
}

void vrmr_free_primitive(vrmr_primitive *primitive)
{
    glDeleteVertexArrays(1, &primitive->vertex_array);
    glDeleteVertexArrays(1, &primitive->edge_array);
    glDeleteBuffers(2, primitive->buffers);
    glDeleteBuffers(1, &primitive->edge_buffer);
    glDeleteTextures(1, &primitive->morph_texture);
    free(primitive->morphs);
    *primitive = (vrmr_primitive){0};
}
