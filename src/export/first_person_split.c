// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "export/first_person_split.h"

#include <string.h>

#include "base/abi.h"
#include "base/checks.h"
#include "format/gltf/elements.h"
#include "format/gltf/gltf_document.h"
#include "model/model.h"

enum { CHUNK = 1024, TICK = 65536 };

typedef struct splitter {
    vrm_first_person_split *out;
    const vrm_gltf *gltf;
    const vrmi_model *model;
    const vrm_first_person_split_def *def;
    uint32_t done, total;     // mesh nodes
    uint32_t head, head_end;  // range in node order: the head and all below; empty without a head
    vrmi_array head_joints;   // uint8_t, indexed by joint of the skin
    vrmi_array head_vertices; // uint8_t, indexed by vertex
    vrmi_array drawing;       // uint32_t: vertices in the primitive's drawing order
} splitter;

void(vrm_first_person_split_def_default)(vrm_first_person_split_def *def, size_t size)
{
    const vrm_first_person_split_def own = {.struct_size = sizeof own};
    vrmi_write_defaults(def, size, &own, sizeof own);
}

bool vrm_first_person_is_visible(vrm_first_person part, vrm_wearer wearer, vrm_view view)
{
    const bool from_inside = wearer == VRM_WEARER_SELF && view == VRM_VIEW_FIRST_PERSON;
    return part != (from_inside ? VRM_FIRST_PERSON_THIRD_PERSON_ONLY : VRM_FIRST_PERSON_FIRST_PERSON_ONLY);
}

static bool goes_on(const splitter *s)
{
    return s->def->progress == NULL ||
           s->def->progress((float)s->done / (float)s->total, "split", s->def->progress_user);
}

// Replaces the contents of an array by `count` zeroed items.
static void *fresh(splitter *s, vrmi_array *array, uint32_t count)
{
    array->count = 0;
    if (!vrmi_array_reserve(array, &s->out->allocator, count != 0 ? count : 1)) {
        return NULL;
    }
    array->count = count;
    memset(array->items, 0, (size_t)count * array->item_size);
    return array->items;
}

// --- vertices that follow the head -----------------------------------------------------------------------------------

// Marks the joints of a skin that are the head or below it.
static vrm_result find_head_joints(splitter *s, uint32_t skin_index, bool *out_any)
{
    const vrmi_gltf_skin *skin = &s->gltf->skins[skin_index];
    const uint32_t *nodes = s->gltf->indices + skin->joints.first;
    uint8_t *joints = fresh(s, &s->head_joints, skin->joints.count);
    if (joints == NULL) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    *out_any = false;
    for (uint32_t i = 0; i < skin->joints.count; ++i) {
        const uint32_t node = vrmi_model_gltf_node(s->model)[nodes[i]];
        joints[i] = node >= s->head && node < s->head_end;
        *out_any = *out_any || joints[i] != 0;
    }
    return VRM_SUCCESS;
}

static vrm_result mark_set(splitter *s, uint32_t joints_accessor, uint32_t weights_accessor, uint32_t vertex_count)
{
    const uint8_t *head_joints = s->head_joints.items;
    uint8_t *head_vertices = s->head_vertices.items;
    uint32_t joints[CHUNK * 4];
    float weights[CHUNK * 4];
    vrm_gltf_accessor info[2] = {{.struct_size = sizeof info[0]}, {.struct_size = sizeof info[1]}};
    vrm_result result = vrm_gltf_get_accessor(s->gltf, joints_accessor, &info[0]);
    result = result == VRM_SUCCESS ? vrm_gltf_get_accessor(s->gltf, weights_accessor, &info[1]) : result;
    if (result == VRM_SUCCESS && (info[0].components != 4 || info[1].components != 4)) {
        return VRM_ERROR_INVALID_ARGUMENT; // cannot happen: loading checks this
    }
    for (uint32_t first = 0; first < vertex_count && result == VRM_SUCCESS; first += CHUNK) {
        const uint32_t count = vertex_count - first < CHUNK ? vertex_count - first : CHUNK;
        result = vrm_gltf_read_uints(s->gltf, joints_accessor, first, count, joints);
        if (result == VRM_SUCCESS) {
            result = vrm_gltf_read_floats(s->gltf, weights_accessor, first, count, weights);
        }
        for (uint32_t i = 0; i < count * 4 && result == VRM_SUCCESS; ++i) {
            // Loading has checked that a joint out of range has weight 0.
            if (weights[i] > 0.0f && joints[i] < s->head_joints.count && head_joints[joints[i]] != 0) {
                head_vertices[first + i / 4] = 1;
            }
        }
        if (first % TICK == 0 && !goes_on(s)) {
            return VRM_ERROR_CANCELLED;
        }
    }
    return result;
}

// Marks the vertices that follow the head. All sets of joints are used, as in glTF; three-vrm uses only the first.
static vrm_result mark_vertices(splitter *s, const vrmi_gltf_primitive *primitive)
{
    if (fresh(s, &s->head_vertices, primitive->vertex_count) == NULL) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    vrm_result result = VRM_SUCCESS;
    uint32_t joints, weights;
    for (uint32_t set = 0; result == VRM_SUCCESS && vrmi_gltf_joint_set(s->gltf, primitive, set, &joints, &weights);
         ++set) {
        result = mark_set(s, joints, weights, primitive->vertex_count);
    }
    return result;
}

// --- elements with these vertices ------------------------------------------------------------------------------------

static bool has_head_vertex(const splitter *s, const vrmi_elements *e, uint32_t i)
{
    const uint32_t *drawing = s->drawing.items;
    const uint8_t *head_vertices = s->head_vertices.items;
    uint32_t corners[3];
    vrmi_element_corners(e, i, corners);
    for (uint32_t corner = 0; corner < e->corners; ++corner) {
        const uint32_t vertex = drawing[corners[corner]];
        if (vertex < s->head_vertices.count && head_vertices[vertex] != 0) {
            return true;
        }
    }
    return false;
}

// Writes the indices of both parts, first BOTH and then THIRD_PERSON_ONLY. Each part is in the file's order.
static vrm_result write_parts(splitter *s, const vrmi_elements *e, uint32_t head_count, vrmi_split_row *row)
{
    vrm_first_person_split *out = s->out;
    const uint32_t *drawing = s->drawing.items;
    const uint64_t size = (uint64_t)e->count * e->corners;
    if (size + out->indices.count >= VRMI_SPLIT_NO_INDICES) {
        return VRM_ERROR_LIMIT;
    }
    if (!vrmi_array_reserve(&out->indices, &out->allocator, (uint32_t)size)) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    row->first_index = out->indices.count;
    row->mode = vrmi_elements_mode(e);
    uint32_t *both = (uint32_t *)out->indices.items + row->first_index;
    uint32_t *head = both + (size_t)(e->count - head_count) * e->corners;
    row->ranges[0] = (vrm_first_person_range){VRM_FIRST_PERSON_BOTH, 0, (uint32_t)(head - both)};
    row->ranges[1] =
        (vrm_first_person_range){VRM_FIRST_PERSON_THIRD_PERSON_ONLY, (uint32_t)(head - both), head_count * e->corners};
    for (uint32_t i = 0; i < e->count; ++i) {
        uint32_t **to = has_head_vertex(s, e, i) ? &head : &both;
        uint32_t corners[3];
        vrmi_element_corners(e, i, corners);
        for (uint32_t corner = 0; corner < e->corners; ++corner) {
            *(*to)++ = drawing[corners[corner]];
        }
    }
    out->indices.count += (uint32_t)size;
    return VRM_SUCCESS;
}

static vrm_result split_skinned(splitter *s, const vrmi_gltf_primitive *primitive, uint32_t size, vrmi_split_row *row)
{
    vrm_result result = mark_vertices(s, primitive);
    if (result != VRM_SUCCESS || memchr(s->head_vertices.items, 1, s->head_vertices.count) == NULL) {
        return result;
    }
    uint32_t *drawing = fresh(s, &s->drawing, size);
    result = drawing != NULL ? vrmi_gltf_read_drawing(s->gltf, primitive, drawing) : VRM_ERROR_OUT_OF_MEMORY;
    if (result != VRM_SUCCESS) {
        return result;
    }
    const vrmi_elements e = vrmi_take_apart(primitive->mode, size);
    uint32_t head_count = 0;
    for (uint32_t i = 0; i < e.count; ++i) {
        head_count += has_head_vertex(s, &e, i);
    }
    if (head_count != 0 && head_count == e.count) {
        row->ranges[0].part = VRM_FIRST_PERSON_THIRD_PERSON_ONLY;
    } else if (head_count != 0) {
        return write_parts(s, &e, head_count, row);
    }
    return VRM_SUCCESS;
}

// --- meshes ----------------------------------------------------------------------------------------------------------

static vrm_result add_row(
    splitter *s, const vrmi_split_mesh *mesh, uint32_t mesh_index, uint32_t primitive_index, bool skin_has_head)
{
    const vrmi_gltf_mesh *source = &s->gltf->meshes[mesh->gltf_mesh];
    const vrmi_gltf_primitive *primitive = &s->gltf->primitives[source->primitives.first + primitive_index];
    const uint32_t node = vrmi_model_gltf_node(s->model)[mesh->gltf_node];
    vrmi_split_row row = {.mesh = mesh_index,
        .primitive = primitive_index,
        .mode = primitive->mode,
        .first_index = VRMI_SPLIT_NO_INDICES,
        .vertex_count = primitive->vertex_count};
    row.ranges[0].part = mesh->annotation;
    row.ranges[0].count = vrmi_gltf_drawing_size(s->gltf, primitive);
    row.ranges[1].part = VRM_FIRST_PERSON_THIRD_PERSON_ONLY;
    vrm_result result = VRM_SUCCESS;
    if (mesh->annotation == VRM_FIRST_PERSON_AUTO) {
        row.ranges[0].part = VRM_FIRST_PERSON_BOTH;
        // A skinned mesh follows its joints, so it is irrelevant whether its node is below the head.
        const bool skinned = mesh->gltf_skin >= 0 && primitive->joints0 >= 0 && primitive->weights0 >= 0;
        if (skinned && skin_has_head) {
            result = split_skinned(s, primitive, row.ranges[0].count, &row);
        } else if (!skinned && node >= s->head && node < s->head_end) {
            row.ranges[0].part = VRM_FIRST_PERSON_THIRD_PERSON_ONLY;
        }
    }
    vrmi_split_row *kept = result == VRM_SUCCESS ? vrmi_array_push(&s->out->rows, &s->out->allocator) : NULL;
    if (kept != NULL) {
        *kept = row;
    }
    return result == VRM_SUCCESS && kept == NULL ? VRM_ERROR_OUT_OF_MEMORY : result;
}

// Copies the rows of a node with the same split, because a file may use one mesh thousands of times.
static vrm_result copy_rows(splitter *s, const vrmi_split_mesh *from, uint32_t mesh_index)
{
    for (uint32_t i = 0; i < from->row_count; ++i) {
        vrmi_split_row *row = vrmi_array_push(&s->out->rows, &s->out->allocator);
        if (row == NULL) {
            return VRM_ERROR_OUT_OF_MEMORY;
        }
        *row = ((const vrmi_split_row *)s->out->rows.items)[from->first_row + i];
        row->mesh = mesh_index;
    }
    return VRM_SUCCESS;
}

// Splits the mesh of a mesh node. `last_user` is 1 + the previous mesh node with this mesh; 0: none.
static vrm_result split_mesh(splitter *s, uint32_t mesh_index, uint32_t *last_user)
{
    const vrmi_mesh_row *source = &vrmi_model_mesh(s->model)[mesh_index];
    vrmi_split_mesh *meshes = s->out->meshes.items, *mesh = &meshes[mesh_index];
    const uint32_t head = s->head, end = s->head_end;
    *mesh = (vrmi_split_mesh){.gltf_node = vrmi_model_node_gltf(s->model)[source->node],
        .gltf_mesh = source->gltf_mesh,
        .gltf_skin = source->gltf_skin,
        .annotation = source->first_person,
        .first_row = s->out->rows.count};
    const vrmi_split_mesh *before = *last_user != 0 ? &meshes[*last_user - 1] : NULL;
    *last_user = mesh_index + 1;
    vrm_result result = VRM_SUCCESS;
    bool skin_has_head = false;
    const uint32_t before_node = before != NULL ? vrmi_model_gltf_node(s->model)[before->gltf_node] : 0;
    if (before != NULL && before->gltf_skin == mesh->gltf_skin && before->annotation == mesh->annotation &&
        (before_node >= head && before_node < end) == (source->node >= head && source->node < end)) {
        result = copy_rows(s, before, mesh_index);
    } else {
        if (mesh->gltf_skin >= 0 && mesh->annotation == VRM_FIRST_PERSON_AUTO) {
            result = find_head_joints(s, (uint32_t)mesh->gltf_skin, &skin_has_head);
        }
        const uint32_t count = s->gltf->meshes[mesh->gltf_mesh].primitives.count;
        for (uint32_t i = 0; i < count && result == VRM_SUCCESS; ++i) {
            result = goes_on(s) ? add_row(s, mesh, mesh_index, i, skin_has_head) : VRM_ERROR_CANCELLED;
        }
    }
    mesh->row_count = s->out->rows.count - mesh->first_row;
    return result;
}

static vrm_result split_all(splitter *s)
{
    const uint32_t count = s->model->mesh.count;
    vrmi_array users = {.item_size = sizeof(uint32_t)};
    uint32_t *last_user = fresh(s, &users, s->gltf->counts[VRM_GLTF_MESHES]);
    vrm_result result = VRM_ERROR_OUT_OF_MEMORY;
    if (last_user != NULL && fresh(s, &s->out->meshes, count) != NULL) {
        result = VRM_SUCCESS;
        for (s->done = 0; s->done < count && result == VRM_SUCCESS; ++s->done) {
            result = split_mesh(s, s->done, &last_user[vrmi_model_mesh(s->model)[s->done].gltf_mesh]);
        }
    }
    vrmi_array_free(&users, &s->out->allocator);
    return result;
}

vrm_result vrm_first_person_split_create(const vrm_first_person_split_def *def, const vrm_gltf *gltf,
    const vrm_avatar *avatar, vrm_first_person_split **out_split)
{
    vrm_first_person_split_def own;
    vrm_first_person_split_def_default(&own);
    if (!VRM_ASSERT(gltf != NULL && avatar != NULL && out_split != NULL) ||
        !VRM_ASSERT(VRMI_READ_OPTIONS(vrm_first_person_split_def, &own, def))) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    def = &own;
    *out_split = NULL;
    const vrmi_model *model = avatar->model;
    if (!vrm_avatar_is_from(avatar, gltf)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    vrm_allocator allocator;
    vrmi_resolve_allocator(&def->allocator, &allocator);
    vrm_first_person_split *split = vrmi_allocate(&allocator, sizeof *split, 16);
    if (split == NULL) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    *split = (vrm_first_person_split){.allocator = allocator,
        .meshes = {.item_size = sizeof(vrmi_split_mesh)},
        .rows = {.item_size = sizeof(vrmi_split_row)},
        .indices = {.item_size = sizeof(uint32_t)},
        .node_count = gltf->counts[VRM_GLTF_NODES],
        .mesh_count = gltf->counts[VRM_GLTF_MESHES]};
    splitter s = {.out = split,
        .gltf = gltf,
        .model = model,
        .def = def,
        .total = model->mesh.count,
        .head_joints = {.item_size = 1},
        .head_vertices = {.item_size = 1},
        .drawing = {.item_size = sizeof(uint32_t)}};
    const int32_t head = model->head.bone_node[VRM_HUMAN_BONE_HEAD];
    if (head >= 0) {
        s.head = (uint32_t)head;
        s.head_end = vrmi_model_node_subtree_end(model)[head];
    }
    const vrm_result result = split_all(&s);
    vrmi_array_free(&s.head_joints, &allocator);
    vrmi_array_free(&s.head_vertices, &allocator);
    vrmi_array_free(&s.drawing, &allocator);
    if (result != VRM_SUCCESS) {
        vrm_first_person_split_destroy(split);
        return result;
    }
    *out_split = split;
    return VRM_SUCCESS;
}

void vrm_first_person_split_destroy(vrm_first_person_split *split)
{
    if (split != NULL) {
        const vrm_allocator allocator = split->allocator;
        vrmi_array_free(&split->meshes, &allocator);
        vrmi_array_free(&split->rows, &allocator);
        vrmi_array_free(&split->indices, &allocator);
        vrmi_release(&allocator, split, sizeof *split);
    }
}

uint32_t vrm_first_person_split_get_count(const vrm_first_person_split *split)
{
    return VRM_ASSERT(split != NULL) ? split->rows.count : 0;
}

vrm_result vrm_first_person_split_get_primitive(
    const vrm_first_person_split *split, uint32_t index, vrm_first_person_primitive *out_primitive)
{
    if (!VRM_ASSERT(split != NULL && out_primitive != NULL) || index >= split->rows.count) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const vrmi_split_row *row = &((const vrmi_split_row *)split->rows.items)[index];
    const uint32_t *indices = split->indices.items;
    const vrm_first_person_primitive found = {.mesh = row->mesh,
        .primitive = row->primitive,
        .mode = row->mode,
        .indices = row->first_index != VRMI_SPLIT_NO_INDICES ? indices + row->first_index : NULL,
        .ranges = {row->ranges[0], row->ranges[1]}};
    return VRMI_ANSWER(vrm_first_person_primitive, out_primitive, &found);
}
