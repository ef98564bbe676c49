// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Reads blendShapeMaster of VRM 0.x. Its groups become expressions.

#include <string.h>

#include "base/checks.h"
#include "import/avatar/import_parts.h"
#include "import/table_hash.h"
#include "import/upgrade/upgrade.h"
#include "import/upgrade/upgrade_color.h"
#include "model/names.h"

enum { NAME_SIZE = 64, PROPERTY_SIZE = 32 }; // longer than any name of a preset or property

static const vrmi_word presets[] = {
    {"neutral", VRM_EXPRESSION_PRESET_NEUTRAL},
    {"a", VRM_EXPRESSION_PRESET_AA},
    {"i", VRM_EXPRESSION_PRESET_IH},
    {"u", VRM_EXPRESSION_PRESET_OU},
    {"e", VRM_EXPRESSION_PRESET_EE},
    {"o", VRM_EXPRESSION_PRESET_OH},
    {"blink", VRM_EXPRESSION_PRESET_BLINK},
    {"blink_l", VRM_EXPRESSION_PRESET_BLINK_LEFT},
    {"blink_r", VRM_EXPRESSION_PRESET_BLINK_RIGHT},
    {"joy", VRM_EXPRESSION_PRESET_HAPPY},
    {"angry", VRM_EXPRESSION_PRESET_ANGRY},
    {"sorrow", VRM_EXPRESSION_PRESET_SAD},
    {"fun", VRM_EXPRESSION_PRESET_RELAXED},
    {"lookup", VRM_EXPRESSION_PRESET_LOOK_UP},
    {"lookdown", VRM_EXPRESSION_PRESET_LOOK_DOWN},
    {"lookleft", VRM_EXPRESSION_PRESET_LOOK_LEFT},
    {"lookright", VRM_EXPRESSION_PRESET_LOOK_RIGHT},
    {"unknown", VRM_EXPRESSION_CUSTOM},
};

typedef struct expression_reading {
    vrmi_import *import;
    vrmi_mesh_users users;
    vrmi_table_hash materials; // materials, found by name
} expression_reading;

// --- presets of groups -----------------------------------------------------------------------------------------------

// Returns the preset that has the same name as a group with an unknown preset, as in UniVRM. The presets of 1.0 are
// included: people wrote "Surprised" because 0.x had no preset for it, and one name must not mean two expressions.
static uint32_t preset_of_name(const vrmi_json *json, uint32_t group)
{
    char name[NAME_SIZE];
    vrmi_json_unescape(json, vrmi_json_member(json, group, "name"), name, sizeof name);
    for (size_t i = 0; i < VRMI_COUNT_OF(presets); ++i) {
        if (vrmi_same_word(name, presets[i].text)) {
            return presets[i].value;
        }
    }
    for (uint32_t i = 0; i < VRM_EXPRESSION_PRESET_COUNT; ++i) {
        if (vrmi_same_word(name, vrm_expression_preset_name((vrm_expression_preset)i))) {
            return i;
        }
    }
    return VRM_EXPRESSION_CUSTOM;
}

static uint32_t preset_of(vrmi_import *import, uint32_t group)
{
    uint32_t preset = VRM_EXPRESSION_CUSTOM;
    (void)vrmi_read_word(&import->reader, group, "presetName", presets, VRMI_COUNT_OF(presets), &preset);
    return preset != VRM_EXPRESSION_CUSTOM ? preset : preset_of_name(import->json, group);
}

// --- binds -----------------------------------------------------------------------------------------------------------

static void report_no_target(vrmi_import *import, uint32_t bind, const char *key)
{
    const uint32_t value = vrmi_json_member(import->json, bind, key);
    vrmi_reader_report_value(&import->reader, VRM_FINDING_VRM0_BIND_NO_TARGET, value, NULL);
}

// Reads a morph target bind. It refers to a mesh, so it moves every node that uses the mesh.
static void read_morph_bind(expression_reading *r, uint32_t bind)
{
    vrmi_import *import = r->import;
    vrmi_reader *reader = &import->reader;
    uint32_t mesh = 0, index = 0;
    float weight = 100.0f;
    const bool has_mesh = vrmi_read_index_or_none(reader, bind, "mesh", import->gltf->counts[VRM_GLTF_MESHES], &mesh);
    const bool has_index = vrmi_read_uint(reader, bind, "index", VRMI_REQUIRED, &index);
    if (vrmi_read_float(reader, bind, "weight", VRMI_OPTIONAL, &weight) && (weight < 0.0f || weight > 100.0f)) {
        vrmi_reader_report_value(
            reader, VRM_FINDING_VRM1_MORPH_WEIGHT_RANGE, vrmi_json_member(import->json, bind, "weight"), "0 to 100");
    }
    if (!has_mesh || !has_index) {
        return;
    }
    if (r->users.first[mesh] == 0) {
        report_no_target(import, bind, "mesh");
    }
    for (uint32_t i = r->users.first[mesh]; i != 0 && vrmi_import_tick(import, 1); i = r->users.next[i - 1]) {
        const vrmi_mesh_row *user = VRMI_ROWS(import, mesh, vrmi_mesh_row) + (i - 1);
        if (index >= user->morph_count) {
            vrmi_reader_report_value(reader, VRM_FINDING_VRM1_MORPH_TARGET_INDEX_OOB,
                vrmi_json_member(import->json, bind, "index"), "an index of a morph target of the mesh");
            return;
        }
        vrmi_morph_bind *row = vrmi_import_push(import, &import->model.morph_bind);
        if (row != NULL) {
            *row = (vrmi_morph_bind){user->first_morph + index, weight * 0.01f};
            VRMI_ROWS(import, morph_base, float)[row->morph] = 0.0f;
        }
    }
}

static const vrmi_word properties[] = {
    {"_Color", VRM_MATERIAL_COLOR_BASE},
    {"_EmissionColor", VRM_MATERIAL_COLOR_EMISSION},
    {"_ShadeColor", VRM_MATERIAL_COLOR_SHADE},
    {"_RimColor", VRM_MATERIAL_COLOR_RIM},
    {"_OutlineColor", VRM_MATERIAL_COLOR_OUTLINE},
};

static void bind_color(vrmi_import *import, uint32_t value, uint32_t material, uint32_t color, const float target[4])
{
    if (!vrmi_import_has_color(VRMI_ROWS(import, material, vrmi_material_row)[material].params.type, color)) {
        vrmi_reader_report_value(&import->reader, VRM_FINDING_VRM1_COLOR_BIND_NO_TARGET,
            vrmi_json_member(import->json, value, "propertyName"), NULL);
        return;
    }
    vrmi_color_bind *row = vrmi_import_push(import, &import->model.color_bind);
    if (row != NULL) {
        const vrm_vec4 read = {target[0], target[1], target[2], target[3]};
        *row = (vrmi_color_bind){material, color, color == VRM_MATERIAL_COLOR_EMISSION ? read : vrmi_linear(read)};
    }
}

// Adds a texture bind. "_ST" sets scale and offset; "_ST_S" and "_ST_T" set only one axis, and the other axis keeps the
// material's values.
static void bind_texture(vrmi_import *import, uint32_t material, const char *kind, const float target[4])
{
    const vrm_texture_transform *base =
        &VRMI_ROWS(import, material, vrmi_material_row)[material].params.textures[VRM_TEXTURE_BASE_COLOR].transform;
    vrmi_texture_bind bind = {material, {base->scale[0], base->scale[1]}, {base->offset[0], base->offset[1]}};
    if (strcmp(kind, "_T") != 0) {
        bind.scale[0] = target[0];
        bind.offset[0] = target[2];
    }
    if (strcmp(kind, "_S") != 0) {
        bind.scale[1] = target[1];
        bind.offset[1] = 1.0f - target[3] - target[1]; // V points upwards in 0.x but downwards in glTF
    }
    vrmi_texture_bind *row = vrmi_import_push(import, &import->model.texture_bind);
    if (row != NULL) {
        *row = bind;
    }
}

// Binds one value to one material. Only the main texture's transform can be animated, because MToon 0.x uses it for all
// textures.
static bool bind_property(
    vrmi_import *import, uint32_t value, const char *property, uint32_t material, const float target[4])
{
    static const char main_texture[] = "_MainTex_ST";
    if (strncmp(property, main_texture, sizeof main_texture - 1) == 0) {
        const char *kind = property + sizeof main_texture - 1;
        if (*kind == '\0' || strcmp(kind, "_S") == 0 || strcmp(kind, "_T") == 0) {
            bind_texture(import, material, kind, target);
            return true;
        }
        return false;
    }
    for (size_t i = 0; i < VRMI_COUNT_OF(properties); ++i) {
        if (strcmp(property, properties[i].text) == 0) {
            bind_color(import, value, material, properties[i].value, target);
            return true;
        }
    }
    return false;
}

static bool same_name(const vrmi_import *import, uint32_t material, const char *text, size_t length)
{
    const vrmi_name name = VRMI_ROWS(import, material, vrmi_material_row)[material].name;
    return name.length == length && memcmp((const char *)import->model.string.items + name.offset, text, length) == 0;
}

// Binds a value to all materials with its name. A value's property decides its table, and the rows of a table must be
// contiguous, so all values are read twice: first colours, then textures.
static void read_value(expression_reading *r, uint32_t value, bool textures)
{
    vrmi_import *import = r->import;
    const vrmi_json *json = import->json;
    vrmi_reader silent = {.json = json};
    vrmi_reader *reader = textures ? &silent : &import->reader; // the second reading does not report the same errors
                                                                // again
    char property[PROPERTY_SIZE];
    float target[4] = {0.0f, 0.0f, 0.0f, 1.0f};
    const uint32_t name = vrmi_read_string(reader, value, "materialName", VRMI_REQUIRED);
    const uint32_t key = vrmi_read_string(reader, value, "propertyName", VRMI_REQUIRED);
    vrmi_json_unescape(json, key, property, sizeof property);
    if (name == VRMI_JSON_NONE || key == VRMI_JSON_NONE ||
        !vrmi_read_floats(reader, value, "targetValue", VRMI_REQUIRED, 4, target)) {
        return;
    }
    if (strstr(property, "_ST") != NULL ? !textures : textures) {
        return;
    }
    const uint32_t strings = import->model.string.count;
    const vrmi_name text = vrmi_import_name(json, &import->model, name);
    const char *bytes = (const char *)import->model.string.items + text.offset;
    uint32_t slot = 0;
    bool found = false;
    const uint32_t hash = text.length != 0 ? vrmi_hash_bytes(bytes, text.length, 0) : 0;
    for (uint32_t m = text.length != 0 ? vrmi_table_hash_first(&r->materials, hash, &slot) : VRMI_HASH_NONE;
         m != VRMI_HASH_NONE && vrmi_import_tick(import, 1); m = vrmi_table_hash_next(&r->materials, hash, &slot)) {
        if (same_name(import, m, bytes, text.length)) {
            found = bind_property(import, value, property, m, target) || found;
        }
    }
    import->model.string.count = strings; // the name is no longer needed
    if (!found) {
        report_no_target(import, value, "propertyName");
    }
}

// --- groups ----------------------------------------------------------------------------------------------------------

static void read_binds(expression_reading *r, uint32_t group, vrmi_expression_row *row)
{
    vrmi_import *import = r->import;
    vrmi_model_builder *model = &import->model;
    const vrmi_json *json = import->json;
    const uint32_t binds = vrmi_read_array(&import->reader, group, "binds", VRMI_OPTIONAL);
    const uint32_t values = vrmi_read_array(&import->reader, group, "materialValues", VRMI_OPTIONAL);
    row->first_morph_bind = model->morph_bind.count;
    for (uint32_t item = vrmi_json_first(json, binds); item != VRMI_JSON_NONE && vrmi_import_tick(import, 1);
         item = vrmi_json_next(json, item)) {
        if (vrmi_json_is(json, item, VRMI_JSON_OBJECT)) {
            read_morph_bind(r, item);
        } else {
            vrmi_reader_report_value(&import->reader, VRM_FINDING_TYPE_MISMATCH, item, "an object");
        }
    }
    row->morph_bind_count = model->morph_bind.count - row->first_morph_bind;
    row->first_color_bind = model->color_bind.count;
    row->first_texture_bind = model->texture_bind.count;
    for (int textures = 0; textures < 2; ++textures) {
        for (uint32_t item = vrmi_json_first(json, values); item != VRMI_JSON_NONE && vrmi_import_tick(import, 1);
             item = vrmi_json_next(json, item)) {
            if (vrmi_json_is(json, item, VRMI_JSON_OBJECT)) {
                read_value(r, item, textures != 0);
            } else if (textures == 0) {
                vrmi_reader_report_value(&import->reader, VRM_FINDING_TYPE_MISMATCH, item, "an object");
            }
        }
    }
    row->color_bind_count = model->color_bind.count - row->first_color_bind;
    row->texture_bind_count = model->texture_bind.count - row->first_texture_bind;
}

static void read_group(expression_reading *r, uint32_t group, uint32_t preset)
{
    vrmi_import *import = r->import;
    vrmi_expression_row row;
    memset(&row, 0, sizeof row);
    if (preset != VRM_EXPRESSION_CUSTOM) {
        const char *name = vrm_expression_preset_name((vrm_expression_preset)preset);
        row.name = vrmi_model_builder_name(&import->model, name, strlen(name));
        row.own_name = vrmi_import_object_name(import, group);
        import->model.head.preset_expression[preset] = (int32_t)import->model.expression.count;
    } else {
        row.name = vrmi_import_object_name(import, group);
    }
    row.preset = preset;
    row.group = (uint32_t)vrmi_preset_group((vrm_expression_preset)preset);
    bool is_binary = false;
    (void)vrmi_read_bool(&import->reader, group, "isBinary", VRMI_OPTIONAL, &is_binary);
    row.binary_threshold = is_binary ? 0.5f : -1.0f;
    read_binds(r, group, &row);
    vrmi_expression_row *out = vrmi_import_runs(import) ? vrmi_import_push(import, &import->model.expression) : NULL;
    if (out != NULL) {
        *out = row;
    }
}

static bool find_materials(expression_reading *r)
{
    vrmi_import *import = r->import;
    const uint32_t count = import->model.material.count;
    if (!vrmi_table_hash_init(&r->materials, import, count)) {
        return false;
    }
    const vrmi_material_row *rows = VRMI_ROWS(import, material, vrmi_material_row);
    for (uint32_t i = 0; i < count; ++i) {
        if (rows[i].name.length != 0) {
            const char *text = (const char *)import->model.string.items + rows[i].name.offset;
            vrmi_table_hash_add(&r->materials, vrmi_hash_bytes(text, rows[i].name.length, 0), i);
        }
    }
    return true;
}

void vrmi_vrm0_expressions(vrmi_import *import)
{
    const vrmi_json *json = import->json;
    const uint32_t master = vrmi_read_object(&import->reader, import->vrm, "blendShapeMaster", VRMI_OPTIONAL);
    const uint32_t groups = vrmi_read_array(&import->reader, master, "blendShapeGroups", VRMI_OPTIONAL);
    expression_reading r = {.import = import};
    if (groups == VRMI_JSON_NONE || !vrmi_find_mesh_users(import, &r.users) || !find_materials(&r)) {
        return;
    }
    uint32_t found[VRM_EXPRESSION_PRESET_COUNT];
    for (int i = 0; i < VRM_EXPRESSION_PRESET_COUNT; ++i) {
        found[i] = VRMI_JSON_NONE;
    }
    uint8_t *custom = vrmi_import_scratch(import, vrmi_json_count(json, groups), sizeof *custom);
    uint32_t index = 0;
    for (uint32_t item = vrmi_json_first(json, groups); item != VRMI_JSON_NONE && vrmi_import_tick(import, 1);
         item = vrmi_json_next(json, item), ++index) {
        if (!vrmi_json_is(json, item, VRMI_JSON_OBJECT)) {
            vrmi_reader_report_value(&import->reader, VRM_FINDING_TYPE_MISMATCH, item, "an object");
            continue;
        }
        const uint32_t preset = preset_of(import, item);
        if (preset == VRM_EXPRESSION_CUSTOM) {
            custom[index] = 1;
        } else if (found[preset] != VRMI_JSON_NONE) {
            vrmi_reader_report(&import->reader, VRM_FINDING_VRM1_EXPRESSION_DUPLICATE, item, NULL,
                vrm_expression_preset_name((vrm_expression_preset)preset), "each preset once");
        } else {
            found[preset] = item;
        }
    }
    for (uint32_t i = 0; i < VRM_EXPRESSION_PRESET_COUNT && vrmi_import_runs(import); ++i) {
        if (found[i] != VRMI_JSON_NONE) {
            read_group(&r, found[i], i);
        }
    }
    index = 0;
    for (uint32_t item = vrmi_json_first(json, groups); item != VRMI_JSON_NONE && vrmi_import_tick(import, 1);
         item = vrmi_json_next(json, item), ++index) {
        if (custom[index] != 0) {
            read_group(&r, item, VRM_EXPRESSION_CUSTOM);
        }
    }
}
