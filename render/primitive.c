// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// A primitive's arrays on the GPU: one buffer with the attributes that are there, interleaved, and indices with those
// first that the wearer sees.

#include "primitive.h"

#include <stdlib.h>
#include <string.h>

enum { NO_ACCESSOR = -1 };

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
_Static_assert(sizeof attributes / sizeof attributes[0] == VRMR_ATTRIBUTE_COUNT, "one accessor each");

static float *float_attribute(const vrmr_loader *l, uint32_t vertex, GLuint location)
{
    return (float *)(void *)(l->vertices + (size_t)vertex * l->stride + l->offsets[location]);
}

// UV set of the normal map where tangents are to be made: the material has one, the file has normals and that set, and
// no tangents. -1: none are needed.
static int tangent_set(const vrmr_loader *l)
{
    const uint32_t material = l->out->material >= 0 ? (uint32_t)l->out->material : UINT32_MAX;
    if (material >= l->model->material_count || l->mode < GL_TRIANGLES || !l->present[1] || l->present[2]) {
        return -1;
    }
    const vrm_texture *map = &l->model->materials[material].params.textures[VRM_TEXTURE_NORMAL];
    const bool set_is_there = map->tex_coord < 4 && l->accessors[3 + map->tex_coord] != NO_ACCESSOR;
    return map->index >= 0 && set_is_there ? (int)map->tex_coord : -1;
}

static void find_attributes(vrmr_loader *l)
{
    const vrmr_primitive_source *s = l->source;
    for (int i = 0; i < VRMR_ATTRIBUTE_COUNT; ++i) {
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
    l->tangent_set = tangent_set(l);
    l->present[2] = l->present[2] || l->tangent_set >= 0;
    for (int i = 0; i < VRMR_ATTRIBUTE_COUNT; ++i) {
        const attribute *a = &attributes[i];
        if (l->present[a->location] && a->at == 0) {
            l->offsets[a->location] = l->stride;
            l->stride += a->components * (uint32_t)(a->integers ? sizeof(uint16_t) : sizeof(float));
        }
    }
}

static void put_floats(vrmr_loader *l, const attribute *a, const float *values, uint32_t components)
{
    const uint32_t wanted = a->location == 3 || a->location == 4 ? 2 : a->components;
    for (uint32_t v = 0; v < l->out->vertex_count; ++v) {
        float *to = float_attribute(l, v, a->location) + a->at;
        for (uint32_t c = 0; c < wanted; ++c) {
            to[c] = c < components ? values[(size_t)v * components + c] : a->filler;
        }
    }
}

static void put_joints(vrmr_loader *l, const attribute *a, const uint32_t *values, const vrm_palette *palette)
{
    for (uint32_t v = 0; v < l->out->vertex_count; ++v) {
        uint16_t *to = (uint16_t *)(void *)(l->vertices + (size_t)v * l->stride + l->offsets[a->location]);
        for (uint32_t c = 0; c < 4; ++c) {
            const uint32_t joint = values[(size_t)v * 4 + c];
            to[c] = (uint16_t)(joint < palette->joint_count ? joint : 0);
        }
    }
}

static vrm_result read_attribute(vrmr_loader *l, int index)
{
    const attribute *a = &attributes[index];
    const uint32_t accessor = (uint32_t)l->accessors[index], count = l->out->vertex_count;
    vrm_gltf_accessor info = {.struct_size = sizeof info};
    vrm_result result = vrm_gltf_get_accessor(l->source->gltf, accessor, &info);
    if (result != VRM_SUCCESS || info.count != count || info.components > 4 || (a->integers && info.components != 4)) {
        return vrmr_read_error(l, VRM_ERROR_UNSUPPORTED, a->name);
    }
    if (a->integers) {
        vrm_palette palette = {.struct_size = sizeof palette};
        result = vrm_avatar_get_palette(l->source->avatar, (uint32_t)l->source->mesh->palette, &palette);
        result = result == VRM_SUCCESS ? vrm_gltf_read_uints(l->source->gltf, accessor, 0, count, l->scratch) : result;
        if (result == VRM_SUCCESS) {
            put_joints(l, a, l->scratch, &palette);
        }
    } else {
        result = vrm_gltf_read_floats(l->source->gltf, accessor, 0, count, l->scratch);
        if (result == VRM_SUCCESS) {
            put_floats(l, a, l->scratch, info.components);
        }
    }
    return result == VRM_SUCCESS ? VRM_SUCCESS : vrmr_read_error(l, result, a->name);
}

static vrm_result read_vertices(vrmr_loader *l)
{
    vrm_gltf_accessor info = {.struct_size = sizeof info};
    if (l->accessors[0] == NO_ACCESSOR ||
        vrm_gltf_get_accessor(l->source->gltf, (uint32_t)l->accessors[0], &info) != VRM_SUCCESS) {
        return VRM_SUCCESS; // nothing to show; the document's findings have named it
    }
    l->out->vertex_count = l->file_vertex_count = info.count;
    l->vertices = calloc(info.count, l->stride);
    l->scratch = malloc((size_t)info.count * 16);
    if (l->vertices == NULL || l->scratch == NULL) {
        return vrmr_fail(l->renderer, VRM_ERROR_OUT_OF_MEMORY, "no memory for a mesh");
    }
    for (int i = 0; i < VRMR_ATTRIBUTE_COUNT; ++i) {
        if (l->accessors[i] != NO_ACCESSOR) {
            const vrm_result result = read_attribute(l, i);
            if (result != VRM_SUCCESS) {
                return result;
            }
        }
    }
    l->out->has_normals = l->present[1];
    l->out->has_tangents = l->present[2] && l->present[1];
    l->out->has_eight_joints = l->present[7] && l->present[8];
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

// What the file draws: its indices, or all vertices in their order.
static vrm_result read_file_indices(vrmr_loader *l, uint32_t **out_indices, uint32_t *out_count)
{
    const vrmr_primitive_source *s = l->source;
    const int64_t accessor =
        vrmr_json_integer(s->gltf, -1, "/meshes/%u/primitives/%u/indices", s->mesh->gltf_mesh, s->primitive, 0);
    vrm_gltf_accessor info = {.struct_size = sizeof info, .count = l->out->vertex_count};
    if (accessor >= 0 && vrm_gltf_get_accessor(s->gltf, (uint32_t)accessor, &info) != VRM_SUCCESS) {
        return vrmr_read_error(l, VRM_ERROR_UNSUPPORTED, "indices");
    }
    uint32_t *indices = malloc(((size_t)info.count + 1) * sizeof *indices);
    if (indices == NULL) {
        return vrmr_fail(l->renderer, VRM_ERROR_OUT_OF_MEMORY, "no memory for a mesh");
    }
    vrm_result result = VRM_SUCCESS;
    if (accessor >= 0) {
        result = vrm_gltf_read_uints(s->gltf, (uint32_t)accessor, 0, info.count, indices);
    } else {
        for (uint32_t i = 0; i < info.count; ++i) {
            indices[i] = i;
        }
    }
    *out_indices = indices;
    *out_count = info.count;
    return result == VRM_SUCCESS ? VRM_SUCCESS : vrmr_read_error(l, result, "indices");
}

// Strips and fans as triangles, which is what tangents and the wireframe are made of.
static vrm_result take_apart(vrmr_loader *l, uint32_t **indices, uint32_t *count)
{
    const uint32_t triangles = *count > 2 ? *count - 2 : 0;
    uint32_t *list = malloc(((size_t)triangles + 1) * 3 * sizeof *list);
    if (list == NULL) {
        return vrmr_fail(l->renderer, VRM_ERROR_OUT_OF_MEMORY, "no memory for a mesh");
    }
    unroll(list, *indices, triangles, l->mode == GL_TRIANGLE_FAN);
    free(*indices);
    *indices = list;
    *count = triangles * 3;
    l->mode = GL_TRIANGLES;
    return VRM_SUCCESS;
}

// Vertices in drawing order, with those first that the wearer sees.
static vrm_result read_indices(vrmr_loader *l)
{
    const vrm_first_person_primitive *split = &l->source->split;
    uint32_t count = split->ranges[0].count + split->ranges[1].count;
    vrm_result result = VRM_SUCCESS;
    if (split->indices == NULL) {
        result = read_file_indices(l, &l->indices, &count);
    } else {
        l->indices = malloc(((size_t)count + 1) * sizeof *l->indices);
        if (l->indices == NULL) {
            return vrmr_fail(l->renderer, VRM_ERROR_OUT_OF_MEMORY, "no memory for a mesh");
        }
        memcpy(l->indices, split->indices, (size_t)count * sizeof *l->indices);
    }
    for (uint32_t i = 0; i < count && result == VRM_SUCCESS; ++i) {
        if (l->indices[i] >= l->out->vertex_count) {
            result = vrmr_read_error(l, VRM_ERROR_INVALID_ARGUMENT, "indices");
        }
    }
    if (result == VRM_SUCCESS && (l->mode == GL_TRIANGLE_STRIP || l->mode == GL_TRIANGLE_FAN)) {
        result = take_apart(l, &l->indices, &count);
    }
    if (result != VRM_SUCCESS) {
        return result;
    }
    l->out->mode = l->mode;
    l->out->index_count = l->mode == GL_TRIANGLES ? count - count % 3 : count;
    l->out->first_person_count = l->out->index_count;
    if (!vrm_first_person_is_visible(split->ranges[0].part, VRM_WEARER_SELF, VRM_VIEW_FIRST_PERSON)) {
        l->out->first_person_count = 0;
    } else if (split->ranges[1].count != 0) {
        l->out->first_person_count = split->ranges[0].count;
    }
    return VRM_SUCCESS;
}

// --- tangents -------------------------------------------------------------------------------------------------------

// A vertex whose corners want other tangents is there once for each of them.
static uint32_t place_tangent(vrmr_loader *l, uint32_t vertex, const float wanted[4], uint32_t *next)
{
    uint32_t at = vertex;
    for (;;) {
        float *tangent = float_attribute(l, at, 2);
        if (tangent[3] == 0.0f) {
            memcpy(tangent, wanted, 4 * sizeof *tangent);
            return at;
        }
        if (memcmp(tangent, wanted, 4 * sizeof *tangent) == 0) {
            return at;
        }
        if (next[at] == 0) {
            break;
        }
        at = next[at];
    }
    const uint32_t copy = l->out->vertex_count++;
    memcpy(l->vertices + (size_t)copy * l->stride, l->vertices + (size_t)vertex * l->stride, l->stride);
    memcpy(float_attribute(l, copy, 2), wanted, 4 * sizeof *wanted);
    l->origins[copy - l->file_vertex_count] = vertex;
    next[at] = copy;
    next[copy] = 0;
    return copy;
}

static vrm_result make_tangents(vrmr_loader *l)
{
    const uint32_t vertices = l->out->vertex_count, indices = l->out->index_count;
    const size_t most = (size_t)vertices + indices; // a copy for each corner, at worst
    const GLuint uv_location = 3u + (GLuint)l->tangent_set / 2u;
    float *values = malloc((size_t)vertices * 8 * sizeof *values);
    float(*corners)[4] = malloc((indices + 1u) * sizeof *corners);
    uint32_t *next = calloc(most + 1, sizeof *next);
    uint8_t *grown = realloc(l->vertices, most * l->stride + 1);
    l->vertices = grown != NULL ? grown : l->vertices;
    l->origins = malloc((indices + 1u) * sizeof *l->origins);
    bool good = values != NULL && corners != NULL && next != NULL && grown != NULL && l->origins != NULL;
    if (good) {
        for (uint32_t v = 0; v < vertices; ++v) {
            memcpy(values + 8 * (size_t)v, float_attribute(l, v, 0), 3 * sizeof *values);
            memcpy(values + 8 * (size_t)v + 3, float_attribute(l, v, 1), 3 * sizeof *values);
            memcpy(values + 8 * (size_t)v + 6, float_attribute(l, v, uv_location) + 2 * (l->tangent_set % 2),
                2 * sizeof *values);
        }
        good = vrmr_tangents(&(vrmr_tangent_mesh){values, vertices, l->indices, indices}, corners);
    }
    for (uint32_t i = 0; good && i < indices; ++i) {
        l->indices[i] = place_tangent(l, l->indices[i], corners[i], next);
    }
    free(values);
    free(corners);
    free(next);
    return good ? VRM_SUCCESS : vrmr_fail(l->renderer, VRM_ERROR_OUT_OF_MEMORY, "no memory for tangents");
}

static void upload(vrmr_loader *l)
{
    vrmr_primitive *p = l->out;
    glGenVertexArrays(1, &p->vertex_array);
    glGenBuffers(2, p->buffers);
    glBindVertexArray(p->vertex_array);
    glBindBuffer(GL_ARRAY_BUFFER, p->buffers[0]);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)p->vertex_count * l->stride), l->vertices, GL_STATIC_DRAW);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, p->buffers[1]);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)(p->index_count * sizeof(uint32_t)), l->indices, GL_STATIC_DRAW);
    for (int i = 0; i < VRMR_ATTRIBUTE_COUNT; ++i) {
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

vrm_result vrmr_load_primitive(vrm_render_model *model, const vrmr_primitive_source *source, vrmr_primitive *out)
{
    vrmr_loader l = {
        .model = model, .renderer = model->renderer, .source = source, .out = out, .mode = source->split.mode};
    *out = (vrmr_primitive){0};
    out->material = (int32_t)vrmr_json_integer(
        source->gltf, -1, "/meshes/%u/primitives/%u/material", source->mesh->gltf_mesh, source->primitive, 0);
    find_attributes(&l);
    vrm_result result = read_vertices(&l);
    if (result == VRM_SUCCESS && out->vertex_count != 0) {
        result = read_indices(&l);
    }
    if (result == VRM_SUCCESS && out->index_count != 0) {
        result = l.tangent_set >= 0 ? make_tangents(&l) : VRM_SUCCESS;
        if (result == VRM_SUCCESS) {
            upload(&l);
            result = vrmr_load_morphs(&l);
        }
    }
    free(l.vertices);
    free(l.scratch);
    free(l.indices);
    free(l.origins);
    model->statistics.vertices += out->vertex_count;
    model->statistics.triangles += out->mode == GL_TRIANGLES ? out->index_count / 3 : 0;
    return result;
}

void vrmr_free_primitive(vrmr_primitive *primitive)
{
    glDeleteVertexArrays(1, &primitive->vertex_array);
    glDeleteBuffers(2, primitive->buffers);
    glDeleteBuffers(1, &primitive->edge_buffer);
    glDeleteTextures(1, &primitive->morph_texture);
    free(primitive->morphs);
    *primitive = (vrmr_primitive){0};
}
