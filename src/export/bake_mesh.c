// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Bakes meshes. Nodes with the same mesh and the same transform keep sharing the mesh. Each further transform gets a
// copy of the mesh with its own vertices.

#include <string.h>

#include "base/text.h"
#include "export/bake_vertex.h"
#include "format/edit/edit_accessor.h"
#include "format/gltf/elements.h"

// A mesh with one transform, shared by all nodes that use both.
typedef struct mesh_shape {
    uint32_t mesh, node; // node: the first one with this shape
    uint32_t first_part; // index in vrmi_bake.parts of the first primitive's buffer; the others follow
    uint32_t next;       // 1 + the mesh's next shape; 0: none
    uint32_t out_mesh;   // the mesh with the baked vertices
    bool changed;
} mesh_shape;

static mesh_shape *shape_at(const vrmi_bake *bake, uint32_t shape)
{
    return (mesh_shape *)bake->shapes.items + shape;
}

static uint32_t buffer_of_part(const vrmi_bake *bake, const mesh_shape *shape, uint32_t primitive)
{
    return ((const uint32_t *)bake->parts.items)[shape->first_part + primitive];
}

// --- claims ----------------------------------------------------------------------------------------------------------

static void claim(vrmi_bake *bake, uint32_t object, const char *key, vrmi_bake_claim_kind kind, uint32_t index)
{
    uint32_t accessor = 0;
    if (vrmi_json_uint(bake->json, vrmi_json_member(bake->json, object, key), &accessor)) {
        vrmi_bake_claim_accessor(bake, accessor, (vrmi_bake_claim){kind, kind == VRMI_BAKE_AS_IS ? 0 : index});
    }
}

// Claims all accessors of an object. If `changed`, positions and normals are converted; other accessors stay.
static void claim_object(vrmi_bake *bake, uint32_t object, uint32_t buffer, bool changed, bool morph)
{
    const vrmi_json *json = bake->json;
    for (uint32_t key = vrmi_json_first(json, object); key != VRMI_JSON_NONE; key = vrmi_json_next(json, key)) {
        vrmi_bake_claim_kind kind = VRMI_BAKE_AS_IS;
        if (changed && vrmi_json_string_equal(json, key, "POSITION")) {
            kind = morph ? VRMI_BAKE_MORPH_POSITION : VRMI_BAKE_POSITION;
        } else if (changed && vrmi_json_string_equal(json, key, "NORMAL")) {
            kind = morph ? VRMI_BAKE_MORPH_NORMAL : VRMI_BAKE_NORMAL;
        }
        uint32_t accessor = 0;
        if (vrmi_json_uint(json, vrmi_json_value(json, key), &accessor)) {
            vrmi_bake_claim_accessor(bake, accessor, (vrmi_bake_claim){kind, kind == VRMI_BAKE_AS_IS ? 0 : buffer});
        }
    }
}

static void claim_primitive(vrmi_bake *bake, const vrmi_gltf_primitive *primitive, uint32_t buffer, bool changed)
{
    const vrmi_json *json = bake->json;
    claim(bake, primitive->json, "indices", VRMI_BAKE_AS_IS, 0);
    claim_object(bake, primitive->attributes_json, buffer, changed, false);
    for (uint32_t item = vrmi_json_first(json, primitive->targets_json); item != VRMI_JSON_NONE;
         item = vrmi_json_next(json, item)) {
        claim_object(bake, item, buffer, changed, true);
    }
}

static bool add_shape(vrmi_bake *bake, uint32_t node)
{
    const uint32_t mesh_index = (uint32_t)bake->gltf->nodes[node].mesh;
    const vrmi_gltf_mesh *mesh = &bake->gltf->meshes[mesh_index];
    const uint32_t first_part = bake->parts.count;
    if (!vrmi_array_reserve(&bake->parts, &bake->out.allocator, mesh->primitives.count)) {
        vrmi_writer_fail(&bake->out, VRM_ERROR_OUT_OF_MEMORY);
        return false;
    }
    mesh_shape shape = {.mesh = mesh_index, .node = node, .first_part = first_part, .out_mesh = mesh_index};
    for (uint32_t i = 0; i < mesh->primitives.count; ++i) {
        const uint32_t buffer = vrmi_bake_find_buffer(bake, mesh->primitives.first + i, node);
        if (!vrmi_writer_runs(&bake->out)) {
            return false;
        }
        ((uint32_t *)bake->parts.items)[bake->parts.count++] = buffer;
        shape.changed = shape.changed || ((const vrmi_bake_buffer *)bake->buffers.items)[buffer].changed;
    }
    vrmi_bake_node *at = (vrmi_bake_node *)bake->nodes.items + node;
    uint32_t *last = (uint32_t *)bake->shapes_of.items + mesh_index;
    const uint32_t *parts = bake->parts.items;
    for (uint32_t other = *last; other != 0; other = shape_at(bake, other - 1)->next) {
        if (mesh->primitives.count != 0 && memcmp(parts + first_part, parts + shape_at(bake, other - 1)->first_part,
                                               mesh->primitives.count * sizeof(uint32_t)) == 0) {
            bake->parts.count = first_part;
            at->shape = other;
            return true;
        }
    }
    mesh_shape *kept = vrmi_array_push(&bake->shapes, &bake->out.allocator);
    if (kept == NULL) {
        vrmi_writer_fail(&bake->out, VRM_ERROR_OUT_OF_MEMORY);
        return false;
    }
    shape.next = *last;
    *kept = shape;
    *last = at->shape = bake->shapes.count;
    return true;
}

// Claims the accessors of meshes without a node and of skins' matrices, so that unchanged ones are kept.
static void claim_rest(vrmi_bake *bake)
{
    for (uint32_t i = 0; i < bake->gltf->counts[VRM_GLTF_MESHES] && vrmi_writer_runs(&bake->out); ++i) {
        const vrmi_range primitives = {bake->gltf->meshes[i].primitives.first, bake->gltf->meshes[i].primitives.count};
        for (uint32_t p = 0; p < primitives.count && ((const uint32_t *)bake->shapes_of.items)[i] == 0; ++p) {
            claim_primitive(bake, &bake->gltf->primitives[primitives.first + p], 0, false);
        }
    }
    for (uint32_t i = 0; i < bake->skins.count; ++i) {
        claim(bake, bake->gltf->skins[i].json, "inverseBindMatrices", VRMI_BAKE_INVERSE_BIND, i);
    }
}

void vrmi_bake_claim_meshes(vrmi_bake *bake)
{
    const vrm_gltf *gltf = bake->gltf;
    bake->buffers.item_size = sizeof(vrmi_bake_buffer);
    bake->shapes.item_size = sizeof(mesh_shape);
    bake->buffers_at.item_size = bake->shapes_of.item_size = bake->parts.item_size = sizeof(uint32_t);
    (void)vrmi_writer_reserve(&bake->out, &bake->buffers_at, gltf->counts[VRM_GLTF_ACCESSORS]);
    (void)vrmi_writer_reserve(&bake->out, &bake->shapes_of, gltf->counts[VRM_GLTF_MESHES]);
    if (vrmi_writer_runs(&bake->out)) {
        vrmi_bake_find_skins(bake);
    }
    for (uint32_t node = 0; node < gltf->counts[VRM_GLTF_NODES] && vrmi_bake_tick(bake); ++node) {
        if (gltf->nodes[node].mesh >= 0 && !add_shape(bake, node)) {
            return;
        }
    }
    for (uint32_t i = 0; i < bake->shapes.count && vrmi_bake_tick(bake); ++i) {
        const mesh_shape *shape = shape_at(bake, i);
        const vrmi_gltf_mesh *mesh = &gltf->meshes[shape->mesh];
        bake->steps += mesh->primitives.count;
        for (uint32_t p = 0; p < mesh->primitives.count; ++p) {
            const uint32_t buffer = buffer_of_part(bake, shape, p);
            claim_primitive(bake, &gltf->primitives[mesh->primitives.first + p], buffer,
                ((const vrmi_bake_buffer *)bake->buffers.items)[buffer].changed);
        }
    }
    if (vrmi_writer_runs(&bake->out)) {
        claim_rest(bake);
    }
}

// --- vertices --------------------------------------------------------------------------------------------------------

typedef struct part_writer {
    vrmi_bake *bake;
    const vrmi_gltf_primitive *primitive;
    uint32_t mesh, index; // indices of the primitive in the file
    uint32_t buffer;
    vrmi_bake_vertices *vertices;
    uint32_t *tangents; // number of TANGENT attributes removed so far
} part_writer;

// Converts the values of `accessor` and returns the accessor with the result.
static uint32_t bake_values(const part_writer *w, uint32_t accessor, vrmi_bake_claim_kind kind)
{
    vrmi_bake *bake = w->bake;
    const vrmi_bake_claim wanted = {kind, w->buffer};
    uint32_t made = accessor;
    if (vrmi_bake_find(bake, accessor, wanted, &made) || !vrmi_bake_open(bake, w->buffer, w->vertices)) {
        return made;
    }
    size_t size = 0;
    float *values = vrmi_bake_read(bake, accessor, &size);
    if (values != NULL && size == (size_t)w->vertices->count * 3 * sizeof(float)) {
        vrmi_bake_transform(w->vertices, kind, values);
        made = vrmi_bake_write(bake, accessor, wanted, values);
    }
    vrmi_release(&bake->out.allocator, values, size);
    return made;
}

// Bakes positions and normals of a primitive, or of a morph target if `target` is not -1.
static void bake_object(const part_writer *w, uint32_t object, int32_t target)
{
    static const char *const keys[] = {"POSITION", "NORMAL"};
    vrmi_bake *bake = w->bake;
    char where[96];
    vrmi_format(where, sizeof where, "/meshes/%u/primitives/%u/", w->mesh, w->index);
    const size_t length = strlen(where);
    if (target < 0) {
        vrmi_format(where + length, sizeof where - length, "attributes");
    } else {
        vrmi_format(where + length, sizeof where - length, "targets/%d", target);
    }
    for (int i = 0; i < 2 && vrmi_bake_tick(bake); ++i) {
        uint32_t accessor = 0;
        if (vrmi_json_uint(bake->json, vrmi_json_member(bake->json, object, keys[i]), &accessor)) {
            const vrmi_bake_claim_kind first = target < 0 ? VRMI_BAKE_POSITION : VRMI_BAKE_MORPH_POSITION;
            const uint32_t made = bake_values(w, accessor, i == 0 ? first : first + 1);
            if (made != accessor) {
                vrmi_write_uint(&bake->out, made, "%s/%s", where, keys[i]);
            }
        }
    }
    if (vrmi_json_member(bake->json, object, "TANGENT") != VRMI_JSON_NONE) {
        vrmi_write_removal(&bake->out, "%s/TANGENT", where);
        ++*w->tangents;
    }
}

// Reverses the winding of triangles with at least two mirrored corners.
static uint32_t turn_triangles(
    const vrmi_elements *e, const vrmi_bake_vertices *vertices, const uint32_t *drawing, uint32_t *out)
{
    uint32_t turned = 0;
    for (uint32_t i = 0; i < e->count; ++i) {
        uint32_t corners[3], mirrored = 0;
        vrmi_element_corners(e, i, corners);
        for (int k = 0; k < 3; ++k) {
            const uint32_t vertex = drawing[corners[k]];
            mirrored += vertex < vertices->count && vertices->mirrored[vertex] != 0;
        }
        const bool turn = mirrored >= 2;
        turned += turn;
        for (uint32_t k = 0; k < 3; ++k) {
            out[(size_t)i * 3 + (turn && k != 0 ? 3 - k : k)] = drawing[corners[k]];
        }
    }
    return turned;
}

static void bake_winding(const part_writer *w)
{
    vrmi_bake *bake = w->bake;
    const vrm_allocator *allocator = &bake->out.allocator;
    const uint32_t size = vrmi_gltf_drawing_size(bake->gltf, w->primitive);
    if (w->primitive->mode < 4 || !vrmi_bake_open(bake, w->buffer, w->vertices) || !w->vertices->any_mirrored) {
        return;
    }
    const vrmi_elements e = vrmi_take_apart(w->primitive->mode, size);
    const size_t drawing_size = (size_t)size * 4, out_size = (size_t)e.count * 3 * 4;
    uint32_t *drawing = e.count != 0 ? vrmi_allocate(allocator, drawing_size, 16) : NULL;
    uint32_t *out = e.count != 0 ? vrmi_allocate(allocator, out_size, 16) : NULL;
    if (e.count != 0 && (drawing == NULL || out == NULL)) {
        vrmi_writer_fail(&bake->out, VRM_ERROR_OUT_OF_MEMORY);
    } else if (e.count != 0) {
        vrmi_writer_fail(&bake->out, vrmi_gltf_read_drawing(bake->gltf, w->primitive, drawing));
    }
    uint32_t made = 0;
    if (e.count != 0 && vrmi_writer_runs(&bake->out) && turn_triangles(&e, w->vertices, drawing, out) != 0) {
        vrmi_writer_fail(
            &bake->out, vrmi_gltf_append_indices(bake->out.gltf, out, e.count * 3, w->primitive->vertex_count, &made));
        vrmi_write_uint(&bake->out, made, "/meshes/%u/primitives/%u/indices", w->mesh, w->index);
        if (w->primitive->mode != vrmi_elements_mode(&e)) {
            vrmi_write_uint(&bake->out, vrmi_elements_mode(&e), "/meshes/%u/primitives/%u/mode", w->mesh, w->index);
        }
    }
    vrmi_release(allocator, drawing, drawing_size);
    vrmi_release(allocator, out, out_size);
}

static void bake_part(const part_writer *w)
{
    vrmi_bake *bake = w->bake;
    const vrmi_json *json = bake->json;
    bake_object(w, w->primitive->attributes_json, -1);
    int32_t target = 0;
    for (uint32_t item = vrmi_json_first(json, w->primitive->targets_json);
         item != VRMI_JSON_NONE && vrmi_writer_runs(&bake->out); item = vrmi_json_next(json, item)) {
        bake_object(w, item, target++);
    }
    bake_winding(w);
    vrmi_bake_bind_unweighted(bake, w->buffer);
    const vrmi_bake_buffer *buffer = (const vrmi_bake_buffer *)bake->buffers.items + w->buffer;
    if (buffer->joints != VRMI_BAKE_NONE && buffer->weights != VRMI_BAKE_NONE) {
        vrmi_write_uint(&bake->out, buffer->joints, "/meshes/%u/primitives/%u/attributes/JOINTS_0", w->mesh, w->index);
        vrmi_write_uint(
            &bake->out, buffer->weights, "/meshes/%u/primitives/%u/attributes/WEIGHTS_0", w->mesh, w->index);
    }
}

// --- assigning meshes to shapes --------------------------------------------------------------------------------------

// Assigns a mesh to each shape. A shape without changes keeps the file's mesh. If all shapes change, the first one
// keeps it. The other shapes get copies of the mesh's JSON.
static void assign_meshes(vrmi_bake *bake, uint32_t *count)
{
    const vrmi_json *json = bake->json;
    for (uint32_t mesh = 0; mesh < bake->shapes_of.count && vrmi_writer_runs(&bake->out); ++mesh) {
        const uint32_t last = ((const uint32_t *)bake->shapes_of.items)[mesh];
        uint32_t keeper = 0;
        for (uint32_t at = last; at != 0; at = shape_at(bake, at - 1)->next) {
            const bool kept = keeper != 0 && !shape_at(bake, keeper - 1)->changed;
            keeper = kept && shape_at(bake, at - 1)->changed ? keeper : at; // the first shape is at the end of the list
        }
        for (uint32_t at = last; at != 0; at = shape_at(bake, at - 1)->next) {
            mesh_shape *shape = shape_at(bake, at - 1);
            if (at != keeper && shape->changed) {
                const vrm_string text = vrmi_json_text(json, bake->gltf->meshes[mesh].json);
                vrmi_write_json(&bake->out, text.data, text.length, "/meshes/-");
                shape->out_mesh = (*count)++;
            }
        }
    }
}

// Appends a copy of an array element. The copy refers to another mesh.
static void copy_element(vrmi_bake *bake, uint32_t array, uint32_t element, uint32_t *count, uint32_t mesh)
{
    char path[VRMI_BAKE_PATH];
    const vrm_string text = vrmi_json_text(bake->json, element);
    vrmi_json_path(bake->json, array, path, sizeof path);
    vrmi_write_json(&bake->out, text.data, text.length, "%s/-", path);
    vrmi_write_uint(&bake->out, mesh, "%s/%u/mesh", path, (*count)++);
}

// Repeats the binds and annotations of a mesh for its copies, because in 0.x these refer to meshes.
static void copy_mesh_rows(vrmi_bake *bake, uint32_t array)
{
    const vrmi_json *json = bake->json;
    uint32_t count = vrmi_json_count(json, array), mesh = 0;
    for (uint32_t item = vrmi_json_first(json, array); item != VRMI_JSON_NONE && vrmi_writer_runs(&bake->out);
         item = vrmi_json_next(json, item)) {
        if (!vrmi_json_uint(json, vrmi_json_member(json, item, "mesh"), &mesh) || mesh >= bake->shapes_of.count) {
            continue;
        }
        for (uint32_t at = ((const uint32_t *)bake->shapes_of.items)[mesh]; at != 0;
             at = shape_at(bake, at - 1)->next) {
            if (shape_at(bake, at - 1)->out_mesh != mesh) {
                copy_element(bake, array, item, &count, shape_at(bake, at - 1)->out_mesh);
            }
        }
    }
}

static void copy_vrm0_rows(vrmi_bake *bake)
{
    const vrmi_json *json = bake->json;
    const uint32_t vrm = vrmi_gltf_extension(bake->gltf, bake->gltf->root, "VRM");
    const uint32_t groups = vrmi_json_member(json, vrmi_json_member(json, vrm, "blendShapeMaster"), "blendShapeGroups");
    for (uint32_t group = vrmi_json_first(json, groups); group != VRMI_JSON_NONE && vrmi_writer_runs(&bake->out);
         group = vrmi_json_next(json, group)) {
        copy_mesh_rows(bake, vrmi_json_member(json, group, "binds"));
    }
    copy_mesh_rows(bake, vrmi_json_member(json, vrmi_json_member(json, vrm, "firstPerson"), "meshAnnotations"));
}

// --- skins -----------------------------------------------------------------------------------------------------------

static void write_skin(vrmi_bake *bake, uint32_t index)
{
    const vrmi_gltf_skin *from = &bake->gltf->skins[index];
    const uint32_t *joints = bake->gltf->indices + from->joints.first;
    const bool given = from->inverse_bind_matrices >= 0;
    const size_t size = (size_t)from->joints.count * 16 * sizeof(float);
    size_t old_size = 0;
    float *values = from->joints.count != 0 ? vrmi_allocate(&bake->out.allocator, size, 16) : NULL;
    float *old =
        given && values != NULL ? vrmi_bake_read(bake, (uint32_t)from->inverse_bind_matrices, &old_size) : NULL;
    bool same = !given || old_size >= size;
    if (values == NULL) {
        vrmi_writer_fail(&bake->out, from->joints.count != 0 ? VRM_ERROR_OUT_OF_MEMORY : VRM_SUCCESS);
        return;
    }
    for (uint32_t i = 0; i < from->joints.count; ++i) {
        const double *place = vrmi_bake_node_at(bake, joints[i])->place;
        for (uint32_t k = 0; k < 16; ++k) {
            float *value = &values[(size_t)i * 16 + k];
            *value = k % 5 == 0 ? 1.0f : 0.0f;
            if (k >= 12 && k < 15) {
                *value = place[k - 12] == 0.0 ? 0.0f : (float)-place[k - 12];
            }
            const double before = given && same ? (double)old[(size_t)i * 16 + k] : (k % 5 == 0 ? 1.0 : 0.0);
            same = same && vrmi_bake_same(before, (double)*value);
        }
    }
    if (!same && given && old_size == size) {
        const vrmi_bake_claim wanted = {VRMI_BAKE_INVERSE_BIND, index};
        const uint32_t accessor = (uint32_t)from->inverse_bind_matrices;
        const uint32_t made = vrmi_bake_write(bake, accessor, wanted, values);
        if (made != accessor) {
            vrmi_write_uint(&bake->out, made, "/skins/%u/inverseBindMatrices", index);
        }
    } else if (!same && vrmi_writer_runs(&bake->out)) {
        uint32_t made = 0;
        const vrmi_floats floats = {.values = values, .count = from->joints.count, .components = 16};
        vrmi_writer_fail(&bake->out, vrmi_gltf_append_floats(bake->out.gltf, &floats, &made));
        vrmi_write_uint(&bake->out, made, "/skins/%u/inverseBindMatrices", index);
    }
    vrmi_release(&bake->out.allocator, values, size);
    vrmi_release(&bake->out.allocator, old, old_size);
}

static void report_skin(vrmi_bake *bake, uint32_t index)
{
    const vrmi_bake_skin *skin = (const vrmi_bake_skin *)bake->skins.items + index;
    char found[64];
    if (skin->apart > 1e-5) {
        vrmi_text told = {.data = found, .capacity = sizeof found};
        vrmi_text_add_string(&told, "up to ");
        vrmi_text_add_digits(&told, (double)skin->apart * 1.005, 3); // rounded up because it is an upper bound
        vrmi_text_add_string(&told, " m apart");
        vrmi_bake_report(bake, VRM_FINDING_BAKE_REST_NOT_BIND, bake->gltf->skins[index].json, NULL, found);
    }
    if (skin->unweighted != 0) {
        vrmi_format(found, sizeof found, "%u vertices", skin->unweighted);
        vrmi_bake_report(bake, VRM_FINDING_BAKE_UNWEIGHTED, bake->gltf->skins[index].json, NULL, found);
    }
}

// --- the whole pass --------------------------------------------------------------------------------------------------

static void bake_shape(vrmi_bake *bake, const mesh_shape *shape, vrmi_bake_vertices *vertices, uint32_t *tangents)
{
    const vrmi_gltf_mesh *mesh = &bake->gltf->meshes[shape->mesh];
    for (uint32_t p = 0; p < mesh->primitives.count && vrmi_bake_tick(bake); ++p) {
        const part_writer w = {.bake = bake,
            .primitive = &bake->gltf->primitives[mesh->primitives.first + p],
            .mesh = shape->out_mesh,
            .index = p,
            .buffer = buffer_of_part(bake, shape, p),
            .vertices = vertices,
            .tangents = tangents};
        if (((const vrmi_bake_buffer *)bake->buffers.items)[w.buffer].changed) {
            bake_part(&w);
        }
        ++bake->steps_done;
    }
}

void vrmi_bake_meshes(vrmi_bake *bake)
{
    vrmi_bake_vertices vertices = {.buffer = VRMI_BAKE_NONE};
    const uint32_t before = bake->gltf->counts[VRM_GLTF_MESHES];
    uint32_t count = before, tangents = 0;
    assign_meshes(bake, &count);
    for (uint32_t i = 0; i < bake->shapes.count && vrmi_writer_runs(&bake->out); ++i) {
        bake_shape(bake, shape_at(bake, i), &vertices, &tangents);
    }
    vrmi_bake_close(bake, &vertices);
    for (uint32_t node = 0; node < bake->nodes.count && vrmi_writer_runs(&bake->out); ++node) {
        const uint32_t shape = vrmi_bake_node_at(bake, node)->shape;
        if (shape != 0 && shape_at(bake, shape - 1)->out_mesh != shape_at(bake, shape - 1)->mesh) {
            vrmi_write_uint(&bake->out, shape_at(bake, shape - 1)->out_mesh, "/nodes/%u/mesh", node);
        }
    }
    if (count != before) {
        copy_vrm0_rows(bake);
    }
    for (uint32_t i = 0; i < bake->skins.count && vrmi_writer_runs(&bake->out); ++i) {
        write_skin(bake, i);
        report_skin(bake, i);
    }
    if (tangents != 0) {
        char found[48];
        vrmi_format(found, sizeof found, "%u attributes", tangents);
        vrmi_bake_report(bake, VRM_FINDING_BAKE_TANGENTS, bake->gltf->root, NULL, found);
    }
}
