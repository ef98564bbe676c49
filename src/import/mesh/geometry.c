// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "import/mesh/geometry.h"

#include <string.h>

#include "base/abi.h"
#include "base/report.h"
#include "format/gltf/elements.h"
#include "import/mesh/tangent.h"
#include "math/vec3.h"

enum { TRIANGLES = 4, MODES = 7 };

void(vrm_geometry_def_default)(vrm_geometry_def *def, size_t size)
{
    const vrm_geometry_def own = {.struct_size = sizeof own, .mode = TRIANGLES, .rigid_joint = -1};
    vrmi_write_defaults(def, size, &own, sizeof own);
}

// --- checks ----------------------------------------------------------------------------------------------------------

typedef struct checker {
    const vrm_geometry *geometry;
    vrm_report *report;
    vrm_result result;
} checker;

static void refuse(checker *c, uint32_t value, vrm_result result, const char *found)
{
    char path[160];
    vrmi_report(c->report, VRM_FINDING_PRIMITIVE_UNREADABLE,
        vrmi_json_path(&c->geometry->gltf->json, value, path, sizeof path), found, NULL);
    c->result = c->result == VRM_SUCCESS ? result : c->result;
}

// Returns the accessor whose index is in `value`; NULL if it is not readable (reported).
static const vrmi_gltf_accessor *check_accessor(checker *c, uint32_t value)
{
    const vrm_gltf *gltf = c->geometry->gltf;
    uint32_t index;
    if (!vrmi_json_uint(&gltf->json, value, &index)) {
        refuse(c, value, VRM_ERROR_INVALID_ASSET, "no index");
        return NULL;
    }
    const vrm_result result =
        vrm_gltf_read_uints(gltf, index, 0, 0, NULL); // gives the reason if the accessor is unreadable
    const vrmi_gltf_accessor *accessor = vrmi_gltf_readable(gltf, index);
    if (accessor == NULL) {
        refuse(c, value, result == VRM_ERROR_NOT_FOUND ? result : VRM_ERROR_UNSUPPORTED,
            result == VRM_ERROR_NOT_FOUND ? "a buffer without bytes" : "compressed vertices");
    }
    return accessor;
}

static void check_attributes(checker *c, uint32_t attributes, vrmi_attribute_owner owner)
{
    const vrmi_json *json = &c->geometry->gltf->json;
    for (uint32_t key = vrmi_json_first(json, attributes); key != VRMI_JSON_NONE; key = vrmi_json_next(json, key)) {
        const vrmi_json_token *name = &json->tokens[key];
        if (name->end == name->start || json->text[name->start] == '_') {
            continue; // an application's own attribute
        }
        const uint32_t value = vrmi_json_value(json, key);
        const vrmi_gltf_accessor *a = check_accessor(c, value);
        if (a != NULL && (a->count != c->geometry->primitive->vertex_count ||
                             vrmi_gltf_attribute_fit(json, key, owner, a) == VRMI_ATTRIBUTE_WRONG)) {
            refuse(c, value, VRM_ERROR_INVALID_ASSET, "another number or type of values than the vertices need");
        }
    }
}

static vrm_result check_readable(const vrm_geometry *g, const vrm_geometry_def *def, vrm_report *report)
{
    const vrmi_json *json = &g->gltf->json;
    const vrmi_gltf_primitive *p = g->primitive;
    checker c = {g, report, VRM_SUCCESS};
    check_attributes(&c, p->attributes_json, VRMI_ATTRIBUTE_OF_PRIMITIVE);
    if (p->indices >= 0 && def->indices == NULL) {
        (void)check_accessor(&c, vrmi_json_member(json, p->json, "indices"));
    }
    for (uint32_t target = vrmi_json_first(json, p->targets_json); target != VRMI_JSON_NONE;
         target = vrmi_json_next(json, target)) {
        check_attributes(&c, target, VRMI_ATTRIBUTE_OF_TARGET);
    }
    return c.result;
}

// --- indices ---------------------------------------------------------------------------------------------------------

static void *allocate(const vrm_geometry *g, uint64_t count, size_t size)
{
    return count < SIZE_MAX / size - 1 ? vrmi_allocate(&g->allocator, ((size_t)count + 1) * size, 16) : NULL;
}

static void release(const vrm_geometry *g, void *memory, uint32_t count, size_t size)
{
    vrmi_release(&g->allocator, memory, ((size_t)count + 1) * size);
}

static vrm_result read_drawing(vrm_geometry *g, const vrm_geometry_def *def)
{
    const bool own = def->indices != NULL;
    const uint32_t count = own ? def->index_count : vrmi_gltf_drawing_size(g->gltf, g->primitive);
    g->info.mode = own ? def->mode : g->primitive->mode;
    g->indices = allocate(g, count, sizeof *g->indices);
    if (g->indices == NULL) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    g->index_room = g->info.index_count = count;
    if (own) {
        memcpy(g->indices, def->indices, (size_t)count * sizeof *g->indices);
    } else {
        const vrm_result result = vrmi_gltf_read_drawing(g->gltf, g->primitive, g->indices);
        if (result != VRM_SUCCESS) {
            return result;
        }
    }
    for (uint32_t i = 0; i < count; ++i) {
        if (g->indices[i] >= g->info.vertex_count) {
            return VRM_ERROR_INVALID_ARGUMENT; // the index comes from the caller; loading has checked those of the file
        }
    }
    return VRM_SUCCESS;
}

// Converts strips and fans to separate triangles, which tangents and reversed winding need.
static vrm_result take_apart(vrm_geometry *g)
{
    const vrmi_elements e = vrmi_take_apart(g->info.mode, g->info.index_count);
    if (g->info.mode < TRIANGLES) {
        return VRM_SUCCESS;
    }
    if (g->info.mode == TRIANGLES) {
        g->info.index_count = e.count * 3;
        return VRM_SUCCESS;
    }
    uint32_t *list = e.count <= UINT32_MAX / 3 ? allocate(g, (uint64_t)e.count * 3, sizeof *list) : NULL;
    if (list == NULL) {
        return e.count <= UINT32_MAX / 3 ? VRM_ERROR_OUT_OF_MEMORY : VRM_ERROR_LIMIT;
    }
    for (uint32_t i = 0; i < e.count; ++i) {
        uint32_t corners[3];
        vrmi_element_corners(&e, i, corners);
        for (uint32_t k = 0; k < 3; ++k) {
            list[3 * i + k] = g->indices[corners[k]];
        }
    }
    release(g, g->indices, g->index_room, sizeof *g->indices);
    g->indices = list;
    g->index_room = g->info.index_count = e.count * 3;
    g->info.mode = TRIANGLES;
    return VRM_SUCCESS;
}

// Makes a separate vertex for each corner of each triangle.
static vrm_result flatten(vrm_geometry *g)
{
    const uint32_t count = g->info.index_count;
    g->origins = allocate(g, count, sizeof *g->origins);
    if (g->origins == NULL) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    g->origin_room = g->info.vertex_count = count;
    g->kept = 0;
    for (uint32_t i = 0; i < count; ++i) {
        g->origins[i] = g->indices[i];
        g->indices[i] = i;
    }
    g->flat = g->info.has_normals = true;
    return VRM_SUCCESS;
}

// --- tangents --------------------------------------------------------------------------------------------------------

// Collects the position, normal and UV of each vertex.
static void gather(const vrm_geometry *g, uint32_t tex_coord, float *out)
{
    static const uint32_t places[3] = {0, 3, 6}, components[3] = {3, 3, 2};
    const vrm_vertex_attribute attributes[3] = {{.semantic = VRM_VERTEX_POSITION}, {.semantic = VRM_VERTEX_NORMAL},
        {.semantic = VRM_VERTEX_TEX_COORD, .set = tex_coord}};
    const vrmi_morph_weights unmoved = {NULL, 0};
    for (uint32_t first = 0; first < g->info.vertex_count; first += VRMI_GEOMETRY_CHUNK) {
        const uint32_t left = g->info.vertex_count - first;
        const uint32_t count = left < VRMI_GEOMETRY_CHUNK ? left : VRMI_GEOMETRY_CHUNK;
        for (uint32_t a = 0; a < 3; ++a) {
            float values[VRMI_GEOMETRY_CHUNK][4];
            vrmi_geometry_values(g, &attributes[a], &unmoved, first, count, values);
            for (uint32_t i = 0; i < count; ++i) {
                memcpy(out + 8 * (size_t)(first + i) + places[a], values[i], components[a] * sizeof(float));
            }
        }
    }
}

typedef struct splitter {
    vrm_geometry *geometry;
    uint32_t *next;   // indexed by vertex: its next copy with another tangent; 0: none
    uint32_t *copies; // indexed by copy: the original vertex
    uint32_t before;  // number of vertices before copying
} splitter;

// Stores a corner's tangent at its vertex and returns the vertex. If the vertex already has another tangent, a copy of
// it is used. A sign of 0 means no tangent yet.
static uint32_t place_tangent(const splitter *s, uint32_t vertex, const float wanted[4])
{
    vrm_geometry *g = s->geometry;
    for (uint32_t at = vertex;; at = s->next[at]) {
        float *tangent = g->tangents[at];
        if (tangent[3] == 0.0f) {
            memcpy(tangent, wanted, 4 * sizeof *tangent);
            return at;
        }
        if (memcmp(tangent, wanted, 4 * sizeof *tangent) == 0) {
            return at;
        }
        if (s->next[at] == 0) {
            const uint32_t copy = g->info.vertex_count++;
            memcpy(g->tangents[copy], wanted, 4 * sizeof *wanted);
            s->copies[copy - s->before] = vertex;
            s->next[at] = copy;
            s->next[copy] = 0;
            return copy;
        }
    }
}

// Stores the origins of the copies. Vertices of flat triangles are already copies, so their origins in the file are
// looked up.
static vrm_result keep_copies(vrm_geometry *g, const splitter *s)
{
    const uint32_t before = g->flat ? s->before : 0, made = g->info.vertex_count - s->before;
    if (made == 0) {
        return VRM_SUCCESS;
    }
    uint32_t *origins = allocate(g, (uint64_t)before + made, sizeof *origins);
    if (origins == NULL) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    if (before != 0) {
        memcpy(origins, g->origins, before * sizeof *origins);
    }
    for (uint32_t i = 0; i < made; ++i) {
        origins[before + i] = g->flat ? g->origins[s->copies[i]] : s->copies[i];
    }
    release(g, g->origins, g->origin_room, sizeof *g->origins);
    g->origins = origins;
    g->origin_room = before + made;
    return VRM_SUCCESS;
}

static vrm_result split_vertices(vrm_geometry *g, float (*corners)[4], uint64_t most)
{
    splitter s = {.geometry = g, .before = g->info.vertex_count};
    s.next = allocate(g, most, sizeof *s.next);
    s.copies = allocate(g, g->info.index_count, sizeof *s.copies);
    vrm_result result = VRM_ERROR_OUT_OF_MEMORY;
    if (s.next != NULL && s.copies != NULL) {
        memset(s.next, 0, (size_t)most * sizeof *s.next);
        for (uint32_t i = 0; i < g->info.index_count; ++i) {
            g->indices[i] = place_tangent(&s, g->indices[i], corners[i]);
        }
        result = keep_copies(g, &s);
    }
    release(g, s.next, (uint32_t)most, sizeof *s.next);
    release(g, s.copies, g->info.index_count, sizeof *s.copies);
    return result;
}

static vrm_result make_tangents(vrm_geometry *g, uint32_t tex_coord)
{
    const uint32_t vertices = g->info.vertex_count, indices = g->info.index_count;
    const uint64_t most = (uint64_t)vertices + indices; // at most one copy for each corner
    if (most >= UINT32_MAX) {
        return VRM_ERROR_LIMIT;
    }
    float *values = allocate(g, vertices, 8 * sizeof *values);
    float(*corners)[4] = allocate(g, indices, sizeof *corners);
    float(*tangents)[4] = allocate(g, most, sizeof *tangents);
    g->tangent_room = (uint32_t)most;
    vrm_result result = VRM_ERROR_OUT_OF_MEMORY;
    if (values != NULL && corners != NULL && tangents != NULL) {
        gather(g, tex_coord, values);
        const vrmi_tangent_mesh mesh = {values, vertices, g->indices, indices};
        memset(tangents, 0, (size_t)most * sizeof *tangents);
        g->tangents = tangents;
        g->info.has_tangents = true;
        result = vrmi_tangents(&mesh, &g->allocator, corners) ? split_vertices(g, corners, most) : result;
    } else {
        release(g, tangents, (uint32_t)most, sizeof *tangents);
    }
    release(g, values, vertices, 8 * sizeof *values);
    release(g, corners, indices, sizeof *corners);
    return result;
}

// --- the whole geometry ----------------------------------------------------------------------------------------------

static void turn_triangles(vrm_geometry *g)
{
    for (uint32_t i = 0; i + 2 < g->info.index_count; i += 3) {
        const uint32_t second = g->indices[i + 1];
        g->indices[i + 1] = g->indices[i + 2];
        g->indices[i + 2] = second;
    }
}

static vrm_result prepare(vrm_geometry *g, const vrm_geometry_def *def, vrm_report *report)
{
    vrm_gltf_primitive file = {.struct_size = sizeof file};
    vrm_result result = vrm_gltf_get_primitive(g->gltf, def->mesh, def->primitive, &file);
    g->info = (vrm_geometry_info){.struct_size = sizeof g->info, .mode = file.mode, .material = file.material};
    if (result != VRM_SUCCESS || g->primitive->position < 0) {
        return result; // no positions: loading has already reported this
    }
    result = check_readable(g, def, report);
    if (result != VRM_SUCCESS) {
        return result;
    }
    g->kept = g->info.vertex_count = file.vertex_count;
    g->info.target_count = file.target_count;
    g->info.has_normals = file.has_normals;
    g->info.tex_coord_sets = file.tex_coord_sets;
    g->info.color_sets = file.color_sets;
    g->file_joint_sets = def->ignore_joints ? 0 : file.joint_sets;
    g->info.joint_sets = g->four_joints && g->file_joint_sets > 1 ? 1 : g->file_joint_sets;
    result = read_drawing(g, def);
    result = result == VRM_SUCCESS ? take_apart(g) : result;
    const bool triangles = g->info.mode == TRIANGLES;
    if (result == VRM_SUCCESS && def->flat_normals && triangles && !file.has_normals) {
        result = flatten(g);
    }
    g->info.has_tangents = file.has_tangents && file.has_normals && def->tangents != VRM_TANGENTS_MADE;
    if (result == VRM_SUCCESS && def->tangents != VRM_TANGENTS_FILE && !g->info.has_tangents && triangles &&
        g->info.has_normals && def->tangent_tex_coord < file.tex_coord_sets) {
        result = make_tangents(g, def->tangent_tex_coord);
    }
    if (result == VRM_SUCCESS && triangles && g->axes.hand < 0) {
        turn_triangles(g);
    }
    return result;
}

vrm_result vrm_geometry_create(
    const vrm_gltf *gltf, const vrm_geometry_def *def, vrm_report *report, vrm_geometry **out_geometry)
{
    vrm_geometry_def own;
    vrm_geometry_def_default(&own);
    if (!VRM_ASSERT(gltf != NULL && out_geometry != NULL)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    *out_geometry = NULL;
    const bool known = VRMI_READ_OPTIONS(vrm_geometry_def, &own, def);
    const vrmi_gltf_primitive *primitive = known ? vrmi_gltf_primitive_at(gltf, own.mesh, own.primitive) : NULL;
    vrm_geometry made = {.gltf = gltf,
        .primitive = primitive,
        .four_joints = own.four_joints,
        .flip_v = own.flip_v,
        .first_joint = own.first_joint,
        .joint_count = own.joint_count,
        .rigid_joint = own.rigid_joint};
    if (primitive == NULL || !vrmi_axes_to_host(own.basis, &made.axes) || (uint32_t)own.tangents > VRM_TANGENTS_MADE ||
        own.mode >= MODES) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    vrmi_resolve_allocator(&own.allocator, &made.allocator);
    vrm_geometry *geometry = vrmi_allocate(&made.allocator, sizeof *geometry, 16);
    if (geometry == NULL) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    *geometry = made;
    const vrm_result result = prepare(geometry, &own, report);
    if (result != VRM_SUCCESS) {
        vrm_geometry_destroy(geometry);
        return result;
    }
    *out_geometry = geometry;
    return VRM_SUCCESS;
}

void vrm_geometry_destroy(vrm_geometry *geometry)
{
    if (geometry != NULL) {
        release(geometry, geometry->indices, geometry->index_room, sizeof *geometry->indices);
        release(geometry, geometry->origins, geometry->origin_room, sizeof *geometry->origins);
        release(geometry, geometry->tangents, geometry->tangent_room, sizeof *geometry->tangents);
        const vrm_allocator allocator = geometry->allocator;
        vrmi_release(&allocator, geometry, sizeof *geometry);
    }
}

void vrm_geometry_get_info(const vrm_geometry *geometry, vrm_geometry_info *out_info)
{
    if (VRM_ASSERT(geometry != NULL && out_info != NULL)) {
        (void)VRM_ASSERT(VRMI_WRITE_OUTPUT(vrm_geometry_info, out_info, &geometry->info));
    }
}
