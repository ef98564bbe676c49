// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Uploads a primitive's arrays: one interleaved buffer of its attributes, and its indices, beginning with those visible
// to the wearer.

#include "primitive.h"

#include <stdlib.h>

enum { LOCATIONS = 10, PARTS = 12 };

// The attributes of the shaders and their content. UV sets share attributes in pairs.
static const struct {
    GLuint location;
    vrm_vertex_attribute is; // offset: relative to the start of the shader's attribute
} parts[PARTS] = {
    {0, {VRM_VERTEX_POSITION, 0, VRM_VERTEX_FLOAT32, 3, 0}},
    {1, {VRM_VERTEX_NORMAL, 0, VRM_VERTEX_FLOAT32, 3, 0}},
    {2, {VRM_VERTEX_TANGENT, 0, VRM_VERTEX_FLOAT32, 4, 0}},
    {3, {VRM_VERTEX_TEX_COORD, 0, VRM_VERTEX_FLOAT32, 2, 0}},
    {3, {VRM_VERTEX_TEX_COORD, 1, VRM_VERTEX_FLOAT32, 2, 8}},
    {4, {VRM_VERTEX_TEX_COORD, 2, VRM_VERTEX_FLOAT32, 2, 0}},
    {4, {VRM_VERTEX_TEX_COORD, 3, VRM_VERTEX_FLOAT32, 2, 8}},
    {5, {VRM_VERTEX_JOINTS, 0, VRM_VERTEX_UINT16, 4, 0}},
    {6, {VRM_VERTEX_WEIGHTS, 0, VRM_VERTEX_FLOAT32, 4, 0}},
    {7, {VRM_VERTEX_JOINTS, 1, VRM_VERTEX_UINT16, 4, 0}},
    {8, {VRM_VERTEX_WEIGHTS, 1, VRM_VERTEX_FLOAT32, 4, 0}},
    {9, {VRM_VERTEX_COLOR, 0, VRM_VERTEX_FLOAT32, 4, 0}},
};

typedef struct layout {
    vrm_vertex_attribute attributes[PARTS];
    uint32_t count, stride;
    uint32_t offsets[LOCATIONS];
    uint32_t present; // bits of the locations that the primitive has
} layout;

static bool is_present(const vrmr_loader *l, GLuint location)
{
    const vrm_geometry_info *info = &l->info;
    const uint32_t joint_sets = l->source->mesh->palette >= 0 ? info->joint_sets : 0;
    switch (location) {
    case 0:
        return true;
    case 1:
        return info->has_normals;
    case 2:
        return info->has_tangents;
    case 3:
    case 4:
        return info->tex_coord_sets > (location - 3) * 2;
    case 9:
        return info->color_sets != 0;
    default:
        return joint_sets > (location - 5) / 2;
    }
}

static void lay_out(const vrmr_loader *l, layout *out)
{
    for (int i = 0; i < PARTS; ++i) {
        const GLuint location = parts[i].location;
        const uint32_t bit = 1u << location;
        if (!is_present(l, location)) {
            continue;
        }
        if ((out->present & bit) == 0) {
            out->present |= bit;
            out->offsets[location] = out->stride;
            out->stride += location == 5 || location == 7 ? 8 : location < 2 ? 12 : 16;
        }
        out->attributes[out->count] = parts[i].is;
        out->attributes[out->count++].offset += out->offsets[location];
    }
}

static void define_attributes(const layout *laid)
{
    for (int i = 0; i < PARTS; ++i) {
        const GLuint location = parts[i].location;
        const void *offset = (const void *)(uintptr_t)laid->offsets[location];
        if ((laid->present >> location & 1u) == 0 || parts[i].is.offset != 0) {
            continue;
        }
        glEnableVertexAttribArray(location);
        if (parts[i].is.semantic == VRM_VERTEX_JOINTS) {
            glVertexAttribIPointer(location, 4, GL_UNSIGNED_SHORT, (GLsizei)laid->stride, offset);
        } else {
            glVertexAttribPointer(location, location < 2 ? 3 : 4, GL_FLOAT, GL_FALSE, (GLsizei)laid->stride, offset);
        }
    }
}

static vrm_result upload(vrmr_loader *l)
{
    vrmr_primitive *p = l->out;
    layout laid = {.count = 0};
    lay_out(l, &laid);
    const size_t vertex_bytes = (size_t)p->vertex_count * laid.stride, index_bytes = p->index_count * sizeof(uint32_t);
    void *vertices = malloc(vertex_bytes), *indices = malloc(index_bytes);
    const vrm_vertex_target target = {.struct_size = sizeof target,
        .memory = vertices,
        .size = vertex_bytes,
        .stride = laid.stride,
        .attributes = laid.attributes,
        .attribute_count = laid.count};
    vrm_result result = VRM_ERROR_OUT_OF_MEMORY;
    if (vertices != NULL && indices != NULL) {
        result = vrm_geometry_write_vertices(l->geometry, &target);
    }
    if (result == VRM_SUCCESS) {
        result = vrm_geometry_write_indices(l->geometry, sizeof(uint32_t), indices, index_bytes);
    }
    if (result == VRM_SUCCESS) {
        glGenVertexArrays(1, &p->vertex_array);
        glGenBuffers(2, p->buffers);
        glBindVertexArray(p->vertex_array);
        glBindBuffer(GL_ARRAY_BUFFER, p->buffers[0]);
        glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)vertex_bytes, vertices, GL_STATIC_DRAW);
        glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, p->buffers[1]);
        glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)index_bytes, indices, GL_STATIC_DRAW);
        define_attributes(&laid);
        glBindVertexArray(0);
        l->model->statistics.buffer_bytes += vertex_bytes + index_bytes;
    }
    free(vertices);
    free(indices);
    return result;
}

static vrm_geometry_def geometry_def(const vrmr_loader *l)
{
    const vrmr_primitive_source *s = l->source;
    vrm_geometry_def def;
    vrm_geometry_def_default(&def);
    def.mesh = s->mesh->gltf_mesh;
    def.primitive = s->primitive;
    if (s->split.indices != NULL) {
        def.indices = s->split.indices;
        def.index_count = s->split.ranges[0].count + s->split.ranges[1].count;
        def.mode = s->split.mode;
    }
    vrm_palette palette = {.struct_size = sizeof palette};
    if (s->mesh->palette >= 0 &&
        vrm_avatar_get_palette(s->avatar, (uint32_t)s->mesh->palette, &palette) == VRM_SUCCESS) {
        def.joint_count = palette.joint_count;
    }
    vrm_gltf_primitive file = {.struct_size = sizeof file};
    (void)vrm_gltf_get_primitive(s->gltf, def.mesh, def.primitive, &file);
    if (file.material >= 0 && (uint32_t)file.material < l->model->material_count) {
        const vrm_texture *map = &l->model->materials[file.material].params.textures[VRM_TEXTURE_NORMAL];
        def.tangents = map->index >= 0 ? l->renderer->tangents : VRM_TANGENTS_FILE;
        def.tangent_tex_coord = map->tex_coord;
    }
    return def;
}

// Loads the indices, beginning with those visible to the wearer.
static uint32_t first_person_count(const vrmr_loader *l)
{
    const vrm_first_person_primitive *split = &l->source->split;
    if (!vrm_first_person_is_visible(split->ranges[0].part, VRM_WEARER_SELF, VRM_VIEW_FIRST_PERSON)) {
        return 0;
    }
    return split->ranges[1].count != 0 ? split->ranges[0].count : l->info.index_count;
}

static vrm_result load(vrmr_loader *l)
{
    vrmr_primitive *p = l->out;
    l->info.struct_size = sizeof l->info;
    vrm_geometry_get_info(l->geometry, &l->info);
    p->material = l->info.material;
    p->mode = l->info.mode; // glTF's modes have the numbers of OpenGL's modes
    p->vertex_count = l->info.vertex_count;
    p->index_count = l->info.index_count;
    p->first_person_count = first_person_count(l);
    p->has_normals = l->info.has_normals;
    p->has_tangents = l->info.has_tangents;
    p->has_eight_joints = is_present(l, 7);
    vrm_result result = p->index_count != 0 ? upload(l) : VRM_SUCCESS;
    return result == VRM_SUCCESS && p->index_count != 0 ? vrmr_load_morphs(l) : result;
}

vrm_result vrmr_load_primitive(vrm_render_model *model, const vrmr_primitive_source *source, vrmr_primitive *out)
{
    vrmr_loader l = {.model = model, .renderer = model->renderer, .source = source, .out = out};
    *out = (vrmr_primitive){0};
    const vrm_geometry_def def = geometry_def(&l);
    vrm_result result = vrm_geometry_create(source->gltf, &def, source->report, &l.geometry);
    model->renderer->error[0] = '\0';
    result = result == VRM_SUCCESS ? load(&l) : result;
    vrm_geometry_destroy(l.geometry);
    model->statistics.vertices += out->vertex_count;
    model->statistics.triangles += out->mode == GL_TRIANGLES ? out->index_count / 3 : 0;
    if (result != VRM_SUCCESS && model->renderer->error[0] == '\0') {
        vrmr_fail(model->renderer, result, "mesh %u, primitive %u cannot be read: %s", def.mesh, def.primitive,
            vrm_result_sentence(result));
    }
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
