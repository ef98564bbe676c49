// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Writes a first-person split to a file. Vertices, materials and skins are shared; only indices are new. A part needs
// its own node, because VRM 1.0 annotates nodes, and its own mesh, because 0.x annotates meshes.

#include <string.h>

#include "base/checks.h"
#include "base/text.h"
#include "export/first_person_split.h"
#include "export/writer.h"
#include "format/edit/edit_accessor.h"
#include "format/gltf/gltf_document.h"

enum { PATH_SIZE = 4096 };

// A copy `to` that contains a part of the mesh `from`.
typedef struct mesh_copy {
    uint32_t from, to;
    uint32_t next; // 1 + the next copy of `from`; 0: none
} mesh_copy;

// What was written for a mesh node.
typedef struct written_node {
    vrm_first_person part;
    uint32_t mesh;      // its new mesh
    uint32_t head_node; // glTF index of the new node for the head part; 0: none
    uint32_t head_mesh;
} written_node;

typedef struct writer {
    const vrm_first_person_split *split;
    const vrmi_split_mesh *meshes;
    const vrmi_split_row *rows;
    vrmi_writer out;
    vrm_gltf *gltf;                  // the document that is written
    uint32_t node_count, mesh_count; // number of nodes and meshes written so far
    vrmi_array nodes;                // written_node, indexed by mesh node
    vrmi_array head_nodes;           // uint32_t, indexed by glTF node: its written_node.head_node
    vrmi_array mesh_users;           // uint32_t, indexed by glTF mesh: number of mesh nodes
    vrmi_array last_users;           // uint32_t, indexed by glTF mesh: 1 + the mesh node written last; 0: none
    vrmi_array first_copies;         // uint32_t, indexed by glTF mesh: 1 + its newest row in `copies`; 0: none
    vrmi_array copies;               // mesh_copy
} writer;

// --- meshes ----------------------------------------------------------------------------------------------------------

// Returns the part to which all triangles of a node belong, or AUTO if they belong to several parts.
static vrm_first_person part_of(const writer *w, const vrmi_split_mesh *mesh)
{
    bool any = false;
    vrm_first_person part = mesh->annotation == VRM_FIRST_PERSON_AUTO ? VRM_FIRST_PERSON_BOTH : mesh->annotation;
    for (uint32_t i = 0; i < mesh->row_count; ++i) {
        const vrmi_split_row *row = &w->rows[mesh->first_row + i];
        if (vrmi_split_row_is_split(row) || (any && row->ranges[0].count != 0 && row->ranges[0].part != part)) {
            return VRM_FIRST_PERSON_AUTO;
        }
        if (row->ranges[0].count != 0) {
            part = row->ranges[0].part;
            any = true;
        }
    }
    return part;
}

static void add_indices(
    writer *w, const vrmi_split_row *row, const vrm_first_person_range *range, uint32_t *out_accessor)
{
    const uint32_t *indices = (const uint32_t *)w->split->indices.items + row->first_index + range->first;
    if (vrmi_writer_runs(&w->out)) {
        vrmi_writer_fail(
            &w->out, vrmi_gltf_append_indices(w->gltf, indices, range->count, row->vertex_count, out_accessor));
    }
}

// Returns the range of a primitive for a part, or NULL. Primitives that draw nothing belong to BOTH.
static const vrm_first_person_range *range_of(const vrmi_split_row *row, vrm_first_person part)
{
    if (vrmi_split_row_is_split(row)) {
        return &row->ranges[part == VRM_FIRST_PERSON_BOTH ? 0 : 1];
    }
    const vrm_first_person own = row->ranges[0].count == 0 ? VRM_FIRST_PERSON_BOTH : row->ranges[0].part;
    return own == part ? &row->ranges[0] : NULL;
}

// Writes the primitives of one part to the mesh `to`, which starts as a copy of the file's mesh.
static void set_primitives(writer *w, const vrmi_split_mesh *mesh, uint32_t to, vrm_first_person part)
{
    const vrmi_gltf_mesh *source = &w->gltf->meshes[mesh->gltf_mesh];
    vrmi_text list;
    vrmi_text_init(&list, &w->split->allocator);
    for (uint32_t i = 0; i < mesh->row_count; ++i) {
        if (range_of(&w->rows[mesh->first_row + i], part) != NULL) {
            const vrm_string text =
                vrmi_json_text(&w->gltf->json, w->gltf->primitives[source->primitives.first + i].json);
            vrmi_text_add_string(&list, list.size == 0 ? "[" : ",");
            vrmi_text_add(&list, text.data, text.length);
        }
    }
    vrmi_text_add_string(&list, "]");
    vrmi_write_text(&w->out, &list, "/meshes/%u/primitives", to);
    uint32_t place = 0;
    for (uint32_t i = 0; i < mesh->row_count && vrmi_writer_runs(&w->out); ++i) {
        const vrmi_split_row *row = &w->rows[mesh->first_row + i];
        const vrm_first_person_range *range = range_of(row, part);
        if (range != NULL && vrmi_split_row_is_split(row)) {
            uint32_t accessor = 0;
            add_indices(w, row, range, &accessor);
            vrmi_write_uint(&w->out, accessor, "/meshes/%u/primitives/%u/indices", to, place);
            if (row->mode != w->gltf->primitives[source->primitives.first + i].mode) {
                vrmi_write_uint(&w->out, row->mode, "/meshes/%u/primitives/%u/mode", to, place);
            }
        }
        place += range != NULL;
    }
}

// Sets the name "<old name> (head)" if there is an old name.
static void set_head_name(writer *w, const char *array, uint32_t from_json, uint32_t to)
{
    const uint32_t name = vrmi_json_member(&w->gltf->json, from_json, "name");
    if (!vrmi_json_is(&w->gltf->json, name, VRMI_JSON_STRING)) {
        return;
    }
    const vrm_string old = vrmi_json_text(&w->gltf->json, name);
    vrmi_text text;
    vrmi_text_init(&text, &w->split->allocator);
    vrmi_text_add(&text, old.data, old.length - 1); // without the closing quote
    vrmi_text_add_string(&text, " (head)\"");
    vrmi_write_text(&w->out, &text, "/%s/%u/name", array, to);
}

static void add_copy(writer *w, uint32_t from, uint32_t to)
{
    mesh_copy *copy = vrmi_writer_runs(&w->out) ? vrmi_array_push(&w->copies, &w->split->allocator) : NULL;
    if (copy == NULL) {
        vrmi_writer_fail(&w->out, VRM_ERROR_OUT_OF_MEMORY);
        return;
    }
    uint32_t *first = (uint32_t *)w->first_copies.items + from;
    *copy = (mesh_copy){from, to, *first};
    *first = w->copies.count;
}

// Appends a copy of the node's mesh.
static uint32_t append_mesh(writer *w, const vrmi_split_mesh *mesh)
{
    const vrm_string text = vrmi_json_text(&w->gltf->json, w->gltf->meshes[mesh->gltf_mesh].json);
    vrmi_write_json(&w->out, text.data, text.length, "/meshes/-");
    add_copy(w, mesh->gltf_mesh, w->mesh_count);
    return w->mesh_count++;
}

static bool same_rows(const writer *w, const vrmi_split_mesh *a, const vrmi_split_mesh *b)
{
    bool same = a->row_count == b->row_count;
    for (uint32_t i = 0; same && i < a->row_count; ++i) {
        const vrmi_split_row *p = &w->rows[a->first_row + i], *q = &w->rows[b->first_row + i];
        same = p->first_index == q->first_index && p->ranges[0].part == q->ranges[0].part;
    }
    return same;
}

static void add_meshes(writer *w, uint32_t index, written_node *out)
{
    const vrmi_split_mesh *mesh = &w->meshes[index];
    uint32_t *last_user = (uint32_t *)w->last_users.items + mesh->gltf_mesh;
    if (*last_user != 0 && same_rows(w, mesh, &w->meshes[*last_user - 1])) {
        const written_node *other = &((const written_node *)w->nodes.items)[*last_user - 1];
        out->mesh = other->mesh;
        out->head_mesh = other->head_mesh;
    } else {
        // If other nodes also use the mesh, it stays unchanged and both parts are copies.
        const bool shared = ((const uint32_t *)w->mesh_users.items)[mesh->gltf_mesh] > 1;
        out->mesh = shared ? append_mesh(w, mesh) : mesh->gltf_mesh;
        out->head_mesh = append_mesh(w, mesh);
        set_primitives(w, mesh, out->mesh, VRM_FIRST_PERSON_BOTH);
        set_primitives(w, mesh, out->head_mesh, VRM_FIRST_PERSON_THIRD_PERSON_ONLY);
        set_head_name(w, "meshes", w->gltf->meshes[mesh->gltf_mesh].json, out->head_mesh);
    }
    *last_user = index + 1;
}

// Adds a node for the head part. It is a child of the old node, so that it is hidden and moved together with that node.
static void add_head_node(writer *w, const vrmi_split_mesh *mesh, written_node *out)
{
    const uint32_t node_json = w->gltf->nodes[mesh->gltf_node].json;
    char text[128];
    vrmi_format(text, sizeof text, "{\"mesh\":%u,\"skin\":%u}", out->head_mesh, (uint32_t)mesh->gltf_skin);
    vrmi_write_json(&w->out, text, strlen(text), "/nodes/-");
    out->head_node = w->node_count++;
    ((uint32_t *)w->head_nodes.items)[mesh->gltf_node] = out->head_node;
    set_head_name(w, "nodes", node_json, out->head_node);
    const uint32_t weights = vrmi_json_member(&w->gltf->json, node_json, "weights");
    if (weights != VRMI_JSON_NONE) {
        const vrm_string values = vrmi_json_text(&w->gltf->json, weights);
        vrmi_write_json(&w->out, values.data, values.length, "/nodes/%u/weights", out->head_node);
    }
    vrmi_write_uint(&w->out, out->head_node, "/nodes/%u/children/-", mesh->gltf_node);
    if (out->mesh != mesh->gltf_mesh) {
        vrmi_write_uint(&w->out, out->mesh, "/nodes/%u/mesh", mesh->gltf_node);
    }
}

static void write_node(writer *w, uint32_t index)
{
    const vrmi_split_mesh *mesh = &w->meshes[index];
    written_node *out = (written_node *)w->nodes.items + index;
    *out = (written_node){.part = part_of(w, mesh), .mesh = mesh->gltf_mesh};
    if (out->part == VRM_FIRST_PERSON_AUTO) {
        out->part = VRM_FIRST_PERSON_BOTH;
        add_meshes(w, index, out);
        add_head_node(w, mesh, out);
    }
}

// --- references to nodes and meshes ----------------------------------------------------------------------------------

// Appends a copy of an array element and sets its index at `below`, which is "/node" or "/target/node".
static void copy_element(
    writer *w, uint32_t array, uint32_t element, uint32_t *count, const char *below, uint32_t index)
{
    char path[PATH_SIZE];
    vrmi_json_path(&w->gltf->json, array, path, sizeof path);
    const vrm_string text = vrmi_json_text(&w->gltf->json, element);
    vrmi_write_json(&w->out, text.data, text.length, "%s/-", path);
    vrmi_write_uint(&w->out, index, "%s/%u%s", path, (*count)++, below);
}

static uint32_t head_of(const writer *w, uint32_t value)
{
    uint32_t node = 0;
    const bool found = vrmi_json_uint(&w->gltf->json, value, &node) && node < w->head_nodes.count;
    return found ? ((const uint32_t *)w->head_nodes.items)[node] : 0;
}

// Copies the binds of expressions. In 1.0 expressions are members by name, in drafts elements of an array.
static void copy_node_binds(writer *w, uint32_t expressions)
{
    const vrmi_json *json = &w->gltf->json;
    const bool listed = vrmi_json_is(json, expressions, VRMI_JSON_ARRAY);
    for (uint32_t key = vrmi_json_first(json, expressions); key != VRMI_JSON_NONE && vrmi_writer_runs(&w->out);
         key = vrmi_json_next(json, key)) {
        const uint32_t binds = vrmi_json_member(json, listed ? key : vrmi_json_value(json, key), "morphTargetBinds");
        uint32_t count = vrmi_json_count(json, binds);
        for (uint32_t bind = vrmi_json_first(json, binds); bind != VRMI_JSON_NONE; bind = vrmi_json_next(json, bind)) {
            const uint32_t head = head_of(w, vrmi_json_member(json, bind, "node"));
            if (head != 0) {
                copy_element(w, binds, bind, &count, "/node", head);
            }
        }
    }
}

static void copy_animated_weights(writer *w)
{
    const vrmi_json *json = &w->gltf->json;
    for (uint32_t i = 0; i < w->gltf->counts[VRM_GLTF_ANIMATIONS] && vrmi_writer_runs(&w->out); ++i) {
        const uint32_t channels =
            vrmi_json_member(json, vrmi_gltf_element(w->gltf, VRM_GLTF_ANIMATIONS, i), "channels");
        uint32_t count = vrmi_json_count(json, channels);
        for (uint32_t channel = vrmi_json_first(json, channels); channel != VRMI_JSON_NONE && vrmi_writer_runs(&w->out);
             channel = vrmi_json_next(json, channel)) {
            const uint32_t target = vrmi_json_member(json, channel, "target");
            const uint32_t head = head_of(w, vrmi_json_member(json, target, "node"));
            if (head != 0 && vrmi_json_string_equal(json, vrmi_json_member(json, target, "path"), "weights")) {
                copy_element(w, channels, channel, &count, "/target/node", head);
            }
        }
    }
}

// --- VRM -------------------------------------------------------------------------------------------------------------

// Returns the key of an annotation's type. Drafts have two keys, one in their prose and one in their schemas.
static const char *type_key(const writer *w, uint32_t vrm)
{
    static const char *const keys[] = {"type", "firstPersonFlag", "firstPersonType"};
    const vrmi_json *json = &w->gltf->json;
    const uint32_t version = vrmi_json_member(json, vrm, "specVersion");
    const uint32_t annotations = vrmi_json_member(json, vrmi_json_member(json, vrm, "firstPerson"), "meshAnnotations");
    const bool prose = vrmi_json_string_equal(json, version, "1.0.0");
    if (!prose && !vrmi_json_string_equal(json, version, "1.0-draft") &&
        !vrmi_json_is(json, vrmi_json_member(json, vrm, "expressions"), VRMI_JSON_ARRAY)) {
        return keys[0];
    }
    for (size_t i = 0; i < VRMI_COUNT_OF(keys); ++i) {
        if (vrmi_json_member(json, vrmi_json_first(json, annotations), keys[i]) != VRMI_JSON_NONE) {
            return keys[i];
        }
    }
    return keys[prose ? 1 : 2];
}

static void annotate_nodes(writer *w, uint32_t vrm)
{
    static const char *const types[] = {"auto", "both", "thirdPersonOnly", "firstPersonOnly"};
    const written_node *nodes = w->nodes.items;
    const char *key = type_key(w, vrm);
    vrmi_text list;
    vrmi_text_init(&list, &w->split->allocator);
    for (uint32_t i = 0; i < w->nodes.count; ++i) {
        vrmi_text_format(&list, "%s{\"node\":%u,\"%s\":\"%s\"}", list.size == 0 ? "[" : ",", w->meshes[i].gltf_node,
            key, types[nodes[i].part]);
        if (nodes[i].head_node != 0) {
            vrmi_text_format(&list, ",{\"node\":%u,\"%s\":\"thirdPersonOnly\"}", nodes[i].head_node, key);
        }
    }
    vrmi_text_add_string(&list, "]");
    vrmi_write_text(&w->out, &list, "/extensions/VRMC_vrm/firstPerson/meshAnnotations");
}

static void write_vrm1(writer *w, uint32_t vrm)
{
    const vrmi_json *json = &w->gltf->json;
    const uint32_t expressions = vrmi_json_member(json, vrm, "expressions");
    if (w->nodes.count != 0) {
        annotate_nodes(w, vrm);
    }
    if (vrmi_json_is(json, expressions, VRMI_JSON_ARRAY)) {
        copy_node_binds(w, expressions);
        return;
    }
    copy_node_binds(w, vrmi_json_member(json, vrm, "expression")); // an overview in the draft's prose has this form
    copy_node_binds(w, vrmi_json_member(json, expressions, "preset"));
    copy_node_binds(w, vrmi_json_member(json, expressions, "custom"));
}

static void copy_mesh_binds(writer *w, uint32_t binds)
{
    const vrmi_json *json = &w->gltf->json;
    const mesh_copy *copies = w->copies.items;
    uint32_t count = vrmi_json_count(json, binds), mesh = 0;
    for (uint32_t bind = vrmi_json_first(json, binds); bind != VRMI_JSON_NONE && vrmi_writer_runs(&w->out);
         bind = vrmi_json_next(json, bind)) {
        if (vrmi_json_uint(json, vrmi_json_member(json, bind, "mesh"), &mesh) && mesh < w->first_copies.count) {
            for (uint32_t at = ((const uint32_t *)w->first_copies.items)[mesh]; at != 0; at = copies[at - 1].next) {
                copy_element(w, binds, bind, &count, "/mesh", copies[at - 1].to);
            }
        }
    }
}

// Annotates meshes, as in 0.x. If the nodes of a mesh need different annotations, the mesh stays Auto. This is possible
// only for an unskinned mesh.
static void annotate_meshes(writer *w)
{
    static const char *const flags[] = {"Auto", "Both", "ThirdPersonOnly", "FirstPersonOnly"};
    enum { NOT_SHOWN = 0xff };
    const written_node *nodes = w->nodes.items;
    vrmi_array parts = {.item_size = 1};
    uint8_t *part = NULL;
    if (vrmi_array_reserve(&parts, &w->split->allocator, w->mesh_count)) {
        part = memset(parts.items, NOT_SHOWN, w->mesh_count);
    } else {
        vrmi_writer_fail(&w->out, VRM_ERROR_OUT_OF_MEMORY);
    }
    vrmi_text list;
    vrmi_text_init(&list, &w->split->allocator);
    for (uint32_t i = 0; i < w->nodes.count && part != NULL; ++i) {
        uint8_t *own = &part[nodes[i].mesh];
        const uint8_t wanted = (uint8_t)nodes[i].part;
        *own = *own == NOT_SHOWN || *own == wanted ? wanted : (uint8_t)VRM_FIRST_PERSON_AUTO;
        if (nodes[i].head_node != 0) {
            part[nodes[i].head_mesh] = (uint8_t)VRM_FIRST_PERSON_THIRD_PERSON_ONLY;
        }
    }
    for (uint32_t i = 0; i < w->mesh_count && part != NULL; ++i) {
        if (part[i] != NOT_SHOWN) {
            vrmi_text_format(
                &list, "%s{\"mesh\":%u,\"firstPersonFlag\":\"%s\"}", list.size == 0 ? "[" : ",", i, flags[part[i]]);
        }
    }
    vrmi_text_add_string(&list, "]");
    vrmi_write_text(&w->out, &list, "/extensions/VRM/firstPerson/meshAnnotations");
    vrmi_array_free(&parts, &w->split->allocator);
}

static void write_vrm0(writer *w, uint32_t vrm)
{
    const vrmi_json *json = &w->gltf->json;
    if (w->nodes.count != 0) {
        annotate_meshes(w);
    }
    const uint32_t groups = vrmi_json_member(json, vrmi_json_member(json, vrm, "blendShapeMaster"), "blendShapeGroups");
    for (uint32_t group = vrmi_json_first(json, groups); group != VRMI_JSON_NONE && vrmi_writer_runs(&w->out);
         group = vrmi_json_next(json, group)) {
        copy_mesh_binds(w, vrmi_json_member(json, group, "binds"));
    }
}

// --- the whole file --------------------------------------------------------------------------------------------------

static void write_all(writer *w)
{
    const vrmi_json *json = &w->gltf->json;
    const uint32_t extensions = vrmi_json_member(json, w->gltf->root, "extensions");
    const uint32_t vrm1 = vrmi_json_member(json, extensions, "VRMC_vrm");
    const uint32_t vrm0 = vrmi_json_member(json, extensions, "VRM");
    uint32_t *users = vrmi_writer_reserve(&w->out, &w->mesh_users, w->mesh_count);
    vrmi_writer_reserve(&w->out, &w->nodes, w->split->meshes.count);
    vrmi_writer_reserve(&w->out, &w->head_nodes, w->node_count);
    vrmi_writer_reserve(&w->out, &w->last_users, w->mesh_count);
    vrmi_writer_reserve(&w->out, &w->first_copies, w->mesh_count);
    for (uint32_t i = 0; i < w->split->meshes.count && vrmi_writer_runs(&w->out); ++i) {
        ++users[w->meshes[i].gltf_mesh];
    }
    for (uint32_t i = 0; i < w->split->meshes.count && vrmi_writer_runs(&w->out); ++i) {
        write_node(w, i);
    }
    copy_animated_weights(w);
    if (vrm1 != VRMI_JSON_NONE && vrmi_writer_runs(&w->out)) {
        write_vrm1(w, vrm1);
    }
    if (vrm0 != VRMI_JSON_NONE && vrmi_writer_runs(&w->out)) {
        write_vrm0(w, vrm0);
    }
}

// Whether the split was made from this document.
static bool belongs(const vrm_first_person_split *split, const vrm_gltf *gltf)
{
    const vrmi_split_mesh *meshes = split->meshes.items;
    bool same = split->node_count == gltf->counts[VRM_GLTF_NODES] &&
                split->mesh_count == gltf->counts[VRM_GLTF_MESHES] && !vrmi_gltf_has_grown(gltf);
    for (uint32_t i = 0; same && i < split->meshes.count; ++i) {
        const vrmi_gltf_node *node = &gltf->nodes[meshes[i].gltf_node];
        same = node->mesh == (int32_t)meshes[i].gltf_mesh && node->skin == meshes[i].gltf_skin &&
               gltf->meshes[node->mesh].primitives.count == meshes[i].row_count;
    }
    return same;
}

vrm_result vrm_first_person_split_write(const vrm_first_person_split *split, vrm_gltf *gltf)
{
    if (!VRM_ASSERT(split != NULL && gltf != NULL) || !belongs(split, gltf)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    writer w = {.split = split,
        .meshes = split->meshes.items,
        .rows = split->rows.items,
        .gltf = gltf,
        .out = {.gltf = gltf, .allocator = split->allocator},
        .node_count = gltf->counts[VRM_GLTF_NODES],
        .mesh_count = gltf->counts[VRM_GLTF_MESHES],
        .nodes = {.item_size = sizeof(written_node)},
        .head_nodes = {.item_size = sizeof(uint32_t)},
        .mesh_users = {.item_size = sizeof(uint32_t)},
        .last_users = {.item_size = sizeof(uint32_t)},
        .first_copies = {.item_size = sizeof(uint32_t)},
        .copies = {.item_size = sizeof(mesh_copy)}};
    write_all(&w);
    vrmi_array *const arrays[] = {&w.nodes, &w.head_nodes, &w.mesh_users, &w.last_users, &w.first_copies, &w.copies};
    for (size_t i = 0; i < VRMI_COUNT_OF(arrays); ++i) {
        vrmi_array_free(arrays[i], &split->allocator);
    }
    return w.out.result;
}
