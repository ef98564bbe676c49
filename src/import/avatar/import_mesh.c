// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/text.h"
#include "import/import.h"
#include "import/table_hash.h"
#include "math/mat34.h"

// The morph target names of a mesh. They are read once for all nodes that use the mesh.
typedef struct mesh_morphs {
    uint32_t first_row; // row of the first target in the morph tables, for the first node with this mesh
    bool read;
} mesh_morphs;

typedef struct mesh_pass {
    vrmi_import *import;
    mesh_morphs *morphs;    // indexed by glTF mesh
    int32_t *skin_palettes; // indexed by glTF skin; -2: not read yet
    vrmi_table_hash palettes;
} mesh_pass;

// --- morph targets ---------------------------------------------------------------------------------------------------

static bool name_taken(
    const vrmi_import *import, vrmi_table_hash *taken, const vrmi_name *rows, const char *text, size_t length)
{
    const uint32_t hash = vrmi_hash_bytes(text, length, 0);
    const char *strings = import->model.string.items;
    uint32_t slot = 0;
    for (uint32_t row = vrmi_table_hash_first(taken, hash, &slot); row != VRMI_HASH_NONE;
         row = vrmi_table_hash_next(taken, hash, &slot)) {
        if (rows[row].length == length && memcmp(strings + rows[row].offset, text, length) == 0) {
            return true;
        }
    }
    return false;
}

// Returns a unique name for a morph target. A missing name becomes the target's index, and a duplicate gets the index
// appended ("smile_7"). Counting duplicates from 2 would look nicer, but takes quadratic time if a file repeats one
// name.
static vrmi_name unique_name(
    vrmi_import *import, vrmi_table_hash *taken, const vrmi_name *rows, uint32_t token, uint32_t target)
{
    vrmi_model_builder *model = &import->model;
    char number[16];
    vrmi_name name = vrmi_import_name(import->json, model, token);
    if (name.length == 0) {
        vrmi_format(number, sizeof number, "%u", target);
        name = vrmi_model_builder_name(model, number, strlen(number));
    }
    for (uint32_t suffix = 1; vrmi_import_runs(import) && !model->out_of_memory; ++suffix) {
        const char *text = (const char *)model->string.items + name.offset;
        if (!name_taken(import, taken, rows, text, name.length)) {
            break;
        }
        vrmi_format(number, sizeof number, "_%u", suffix == 1 ? target : suffix);
        const size_t tail = strlen(number);
        const vrmi_name old = name;
        char *longer = vrmi_model_builder_text(model, old.length + tail, &name);
        if (longer != NULL) { // the table may have moved, so the old name is found again by its offset
            memcpy(longer, (const char *)model->string.items + old.offset, old.length);
            memcpy(longer + old.length, number, tail);
        }
    }
    return name;
}

static void read_morph_names(vrmi_import *import, const vrmi_gltf_mesh *mesh, uint32_t first_row)
{
    vrmi_table_hash taken;
    if (!vrmi_table_hash_init(&taken, import, mesh->target_count)) {
        return;
    }
    vrmi_name *rows = VRMI_ROWS(import, morph_name, vrmi_name);
    uint32_t token = vrmi_json_first(import->json, mesh->target_names_json);
    for (uint32_t i = 0; i < mesh->target_count && vrmi_import_tick(import, 1); ++i) {
        const vrmi_name name = unique_name(import, &taken, rows, token, i);
        if (import->model.out_of_memory) {
            return;
        }
        rows[first_row + i] = name;
        const char *text = (const char *)import->model.string.items + name.offset;
        vrmi_table_hash_add(&taken, vrmi_hash_bytes(text, name.length, 0), first_row + i);
        token = vrmi_json_next(import->json, token);
    }
}

// Reads the file's default weights. Morphs that expressions bind are later set to 0.
static void read_morph_weights(vrmi_import *import, uint32_t node_json, uint32_t mesh_json, float *out, uint32_t count)
{
    const vrmi_json *json = import->json;
    uint32_t weights = vrmi_json_member(json, node_json, "weights");
    if (!vrmi_json_is(json, weights, VRMI_JSON_ARRAY)) {
        weights = vrmi_json_member(json, mesh_json, "weights");
    }
    uint32_t item = vrmi_json_first(json, weights);
    for (uint32_t i = 0; i < count && item != VRMI_JSON_NONE; ++i, item = vrmi_json_next(json, item)) {
        double weight = 0.0;
        if (vrmi_json_number(json, item, &weight) && weight >= -1e6 && weight <= 1e6) {
            out[i] = (float)weight;
        }
    }
}

static void add_morphs(mesh_pass *pass, const vrmi_gltf_node *node, vrmi_mesh_row *row)
{
    vrmi_import *import = pass->import;
    vrmi_model_builder *model = &import->model;
    const vrmi_gltf_mesh *mesh = &import->gltf->meshes[node->mesh];
    mesh_morphs *morphs = &pass->morphs[node->mesh];
    row->first_morph = model->morph_base.count;
    row->morph_count = mesh->target_count;
    // The number of rows is a product that the file's size does not bound: any number of nodes may use the mesh.
    if (mesh->target_count > import->def->limits.max_elements - row->first_morph) {
        vrmi_reader_report(
            &import->reader, VRM_FINDING_LIMIT_EXCEEDED, node->json, "mesh", NULL, "fewer morph weights");
        vrmi_import_stop(import, VRM_ERROR_LIMIT);
        return;
    }
    float *weights = vrmi_import_extend(import, &model->morph_base, mesh->target_count);
    vrmi_name *names = vrmi_import_extend(import, &model->morph_name, mesh->target_count);
    if (!vrmi_import_runs(import) || mesh->target_count == 0) {
        return;
    }
    read_morph_weights(import, node->json, mesh->json, weights, mesh->target_count);
    if (morphs->read) {
        memcpy(names, VRMI_ROWS(import, morph_name, vrmi_name) + morphs->first_row, mesh->target_count * sizeof *names);
        (void)vrmi_import_tick(import, mesh->target_count);
        return;
    }
    *morphs = (mesh_morphs){row->first_morph, true};
    read_morph_names(import, mesh, row->first_morph);
}

// --- palettes --------------------------------------------------------------------------------------------------------

static void column_major_to_mat34(const float *in, vrm_mat34 *out)
{
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 4; ++column) {
            out->m[row][column] = in[column * 4 + row];
        }
    }
}

static void read_joints(vrmi_import *import, const vrmi_gltf_skin *skin, uint32_t *nodes, vrm_mat34 *matrices)
{
    enum { CHUNK = 16 };
    const uint32_t *order = VRMI_ROWS(import, gltf_node, uint32_t);
    vrm_gltf_accessor info = {.struct_size = sizeof info};
    if (skin->inverse_bind_matrices >= 0) {
        (void)vrm_gltf_get_accessor(import->gltf, (uint32_t)skin->inverse_bind_matrices, &info);
    }
    for (uint32_t first = 0; first < skin->joints.count; first += CHUNK) {
        const uint32_t left = skin->joints.count - first, count = left < CHUNK ? left : CHUNK;
        float values[CHUNK * 16];
        // Missing matrices are identities, as glTF says. Unreadable ones, as in an avatar loaded from JSON alone, are
        // treated the same.
        const bool readable = info.components == 16 && first + count <= info.count &&
                              vrm_gltf_read_floats(import->gltf, (uint32_t)skin->inverse_bind_matrices, first, count,
                                  values) == VRM_SUCCESS;
        for (uint32_t i = 0; i < count; ++i) {
            nodes[first + i] = order[import->gltf->indices[skin->joints.first + first + i]];
            if (readable) {
                column_major_to_mat34(values + i * 16, &matrices[first + i]);
                vrmi_mat34_make_possible(&matrices[first + i]);
            } else {
                vrmi_mat34_identity(&matrices[first + i]);
            }
        }
    }
}

// Exporters write one skin per mesh, often with the same joints. Equal skins share a palette, which is then computed
// only once.
static int32_t find_equal_palette(mesh_pass *pass, uint32_t hash, uint32_t first, uint32_t count)
{
    const vrmi_import *import = pass->import;
    const uint32_t *nodes = VRMI_ROWS(import, palette_node, uint32_t);
    const vrm_mat34 *matrices = VRMI_ROWS(import, palette_inverse_bind, vrm_mat34);
    uint32_t slot = 0;
    for (uint32_t i = vrmi_table_hash_first(&pass->palettes, hash, &slot); i != VRMI_HASH_NONE;
         i = vrmi_table_hash_next(&pass->palettes, hash, &slot)) {
        const vrmi_palette_row *row = VRMI_ROWS(import, palette, vrmi_palette_row) + i;
        if (row->joint_count == count && memcmp(nodes + row->first_joint, nodes + first, count * sizeof *nodes) == 0 &&
            memcmp(matrices + row->first_joint, matrices + first, count * sizeof *matrices) == 0) {
            return (int32_t)i;
        }
    }
    return -1;
}

static int32_t read_palette(mesh_pass *pass, uint32_t skin_index)
{
    vrmi_import *import = pass->import;
    vrmi_model_builder *model = &import->model;
    const vrmi_gltf_skin *skin = &import->gltf->skins[skin_index];
    const uint32_t first = model->palette_node.count, count = skin->joints.count;
    uint32_t *nodes = vrmi_import_extend(import, &model->palette_node, count);
    vrm_mat34 *matrices = vrmi_import_extend(import, &model->palette_inverse_bind, count);
    if (!vrmi_import_runs(import) || count == 0 || !vrmi_import_tick(import, count)) {
        return -1;
    }
    read_joints(import, skin, nodes, matrices);
    uint32_t hash = vrmi_hash_bytes(nodes, count * sizeof *nodes, 0);
    hash = vrmi_hash_bytes(matrices, count * sizeof *matrices, hash);
    const int32_t equal = find_equal_palette(pass, hash, first, count);
    if (equal >= 0) {
        model->palette_node.count = first;
        model->palette_inverse_bind.count = first;
        return equal;
    }
    vrmi_palette_row *row = vrmi_import_push(import, &model->palette);
    if (row == NULL) {
        return -1;
    }
    *row = (vrmi_palette_row){first, count};
    vrmi_table_hash_add(&pass->palettes, hash, model->palette.count - 1);
    return (int32_t)model->palette.count - 1;
}

// --- mesh nodes ------------------------------------------------------------------------------------------------------

static void add_mesh_node(mesh_pass *pass, uint32_t order, const vrmi_gltf_node *node)
{
    vrmi_import *import = pass->import;
    vrmi_model_builder *model = &import->model;
    vrmi_mesh_row row = {.node = order,
        .gltf_mesh = (uint32_t)node->mesh,
        .gltf_skin = node->skin,
        .palette = -1,
        .first_person = VRM_FIRST_PERSON_AUTO};
    if (node->skin >= 0) {
        if (pass->skin_palettes[node->skin] == -2) {
            pass->skin_palettes[node->skin] = read_palette(pass, (uint32_t)node->skin);
        }
        row.palette = pass->skin_palettes[node->skin];
    }
    add_morphs(pass, node, &row);
    vrmi_mesh_row *out = vrmi_import_runs(import) ? vrmi_import_push(import, &model->mesh) : NULL;
    if (out != NULL) {
        *out = row;
        VRMI_ROWS(import, node_mesh, int32_t)[order] = (int32_t)model->mesh.count - 1;
    }
}

void vrmi_import_meshes(vrmi_import *import)
{
    const vrm_gltf *gltf = import->gltf;
    const uint32_t skins = gltf->counts[VRM_GLTF_SKINS];
    mesh_pass pass = {.import = import};
    pass.morphs = vrmi_import_scratch(import, gltf->counts[VRM_GLTF_MESHES], sizeof *pass.morphs);
    pass.skin_palettes = vrmi_import_scratch(import, skins, sizeof *pass.skin_palettes);
    if (!vrmi_import_runs(import) || !vrmi_table_hash_init(&pass.palettes, import, skins)) {
        return;
    }
    for (uint32_t i = 0; i < skins; ++i) {
        pass.skin_palettes[i] = -2;
    }
    const uint32_t count = import->model.node_gltf.count;
    for (uint32_t order = 0; order < count && vrmi_import_tick(import, 1); ++order) {
        const vrmi_gltf_node *node = &gltf->nodes[VRMI_ROWS(import, node_gltf, uint32_t)[order]];
        if (node->mesh >= 0) {
            add_mesh_node(&pass, order, node);
        }
    }
}
