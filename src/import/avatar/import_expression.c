// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/checks.h"
#include "import/avatar/import_parts.h"
#include "model/names.h"

static const char *const override_names[] = {"none", "block", "blend"};
// In the order of vrm_material_color.
static const char *const color_names[] = {
    "color", "emissionColor", "shadeColor", "matcapColor", "rimColor", "outlineColor"};

enum { PRESET_NAME_SIZE = 32 }; // longer than any preset's name

void vrmi_import_morph_bind(vrmi_import *import, uint32_t bind)
{
    vrmi_reader *reader = &import->reader;
    uint32_t node = 0, index = 0;
    float weight = 1.0f; // default as in three-vrm: a bind should have an effect
    const bool has_node = vrmi_import_node_index(import, bind, "node", VRMI_REQUIRED, &node);
    const bool has_index = vrmi_read_uint(reader, bind, "index", VRMI_REQUIRED, &index);
    if (vrmi_read_float(reader, bind, "weight", VRMI_REQUIRED, &weight) && (weight < 0.0f || weight > 1.0f)) {
        vrmi_reader_report_value(
            reader, VRM_FINDING_VRM1_MORPH_WEIGHT_RANGE, vrmi_json_member(import->json, bind, "weight"), "0 to 1");
    }
    if (!has_node) {
        return;
    }
    const int32_t mesh_index = VRMI_ROWS(import, node_mesh, int32_t)[node];
    if (mesh_index < 0) {
        vrmi_reader_report(reader, VRM_FINDING_VRM1_MORPH_TARGET_NODE_WITHOUT_MESH, bind, "node", NULL, NULL);
        return;
    }
    const vrmi_mesh_row *mesh = VRMI_ROWS(import, mesh, vrmi_mesh_row) + mesh_index;
    if (!has_index) {
        return;
    }
    if (index >= mesh->morph_count) {
        vrmi_reader_report_value(reader, VRM_FINDING_VRM1_MORPH_TARGET_INDEX_OOB,
            vrmi_json_member(import->json, bind, "index"), "an index of a morph target of the node's mesh");
        return;
    }
    vrmi_morph_bind *row = vrmi_import_push(import, &import->model.morph_bind);
    if (row != NULL) {
        *row = (vrmi_morph_bind){mesh->first_morph + index, weight};
        VRMI_ROWS(import, morph_base, float)[row->morph] = 0.0f; // a morph that expressions bind starts at 0
    }
}

// Whether a material of this type uses a colour. Other colours can be bound, but that has no effect.
bool vrmi_import_has_color(vrm_material_type type, uint32_t color)
{
    switch (type) {
    case VRM_MATERIAL_MTOON:
        return true;
    case VRM_MATERIAL_PBR:
        return color == VRM_MATERIAL_COLOR_BASE || color == VRM_MATERIAL_COLOR_EMISSION;
    default:
        return color == VRM_MATERIAL_COLOR_BASE;
    }
}

static void read_color_bind(vrmi_import *import, uint32_t bind)
{
    vrmi_reader *reader = &import->reader;
    uint32_t material = 0, color = 0;
    float target[4] = {0.0f, 0.0f, 0.0f, 1.0f};
    const uint32_t value = vrmi_json_member(import->json, bind, "targetValue");
    const bool is_rgb = reader->repairing && vrmi_json_is(import->json, value, VRMI_JSON_ARRAY) &&
                        vrmi_json_count(import->json, value) == 3;
    const bool has_material =
        vrmi_read_index(reader, bind, "material", VRMI_REQUIRED, import->model.material.count, &material);
    const bool has_color_type =
        vrmi_read_enum(reader, bind, "type", VRMI_REQUIRED, color_names, VRMI_COUNT_OF(color_names), &color);
    const bool has_target = vrmi_read_floats(reader, bind, "targetValue", VRMI_REQUIRED, 4, target) ||
                            (is_rgb && vrmi_read_floats(reader, bind, "targetValue", VRMI_OPTIONAL, 3, target));
    if (!has_material || !has_color_type || !has_target) {
        return;
    }
    if (!vrmi_import_has_color(VRMI_ROWS(import, material, vrmi_material_row)[material].params.type, color)) {
        vrmi_reader_report(reader, VRM_FINDING_VRM1_COLOR_BIND_NO_TARGET, bind, "type", color_names[color], NULL);
        return;
    }
    vrmi_color_bind *row = vrmi_import_push(import, &import->model.color_bind);
    if (row != NULL) {
        *row = (vrmi_color_bind){material, color, {target[0], target[1], target[2], target[3]}};
    }
}

static void read_texture_bind(vrmi_import *import, uint32_t bind)
{
    vrmi_reader *reader = &import->reader;
    vrmi_texture_bind read = {0, {1.0f, 1.0f}, {0.0f, 0.0f}};
    const bool has_material =
        vrmi_read_index(reader, bind, "material", VRMI_REQUIRED, import->model.material.count, &read.material);
    (void)vrmi_read_floats(reader, bind, "scale", VRMI_OPTIONAL, 2, read.scale);
    (void)vrmi_read_floats(reader, bind, "offset", VRMI_OPTIONAL, 2, read.offset);
    vrmi_texture_bind *row = has_material ? vrmi_import_push(import, &import->model.texture_bind) : NULL;
    if (row != NULL) {
        *row = read;
    }
}

// Reads all binds of one kind. Their rows are contiguous because expressions are read one by one.
void vrmi_import_binds(vrmi_import *import, uint32_t expression, const char *key, vrmi_read_bind *read,
    const vrmi_array *table, uint32_t *out_first, uint32_t *out_count)
{
    const vrmi_json *json = import->json;
    *out_first = table->count;
    const uint32_t array = vrmi_read_array(&import->reader, expression, key, VRMI_OPTIONAL);
    if (array != VRMI_JSON_NONE && vrmi_json_count(json, array) == 0) {
        vrmi_reader_report(&import->reader, VRM_FINDING_VRM1_EMPTY_ARRAY, array, NULL, NULL, NULL);
    }
    for (uint32_t item = vrmi_json_first(json, array); item != VRMI_JSON_NONE && vrmi_import_tick(import, 1);
         item = vrmi_json_next(json, item)) {
        if (vrmi_json_is(json, item, VRMI_JSON_OBJECT)) {
            read(import, item);
        } else {
            vrmi_reader_report_value(&import->reader, VRM_FINDING_TYPE_MISMATCH, item, "an object");
        }
    }
    *out_count = table->count - *out_first;
}

static uint32_t read_override(vrmi_import *import, uint32_t expression, const char *key)
{
    uint32_t value = VRM_EXPRESSION_OVERRIDE_NONE;
    (void)vrmi_read_enum(
        &import->reader, expression, key, VRMI_OPTIONAL, override_names, VRMI_COUNT_OF(override_names), &value);
    return value;
}

static void read_expression(vrmi_import *import, uint32_t expression, vrmi_name name, vrm_expression_preset preset)
{
    vrmi_model_builder *model = &import->model;
    vrmi_expression_row row;
    memset(&row, 0, sizeof row);
    row.name = name;
    row.preset = (uint32_t)preset;
    row.group = (uint32_t)vrmi_preset_group(preset);
    row.overrides[VRM_EXPRESSION_GROUP_MOUTH] = read_override(import, expression, "overrideMouth");
    row.overrides[VRM_EXPRESSION_GROUP_BLINK] = read_override(import, expression, "overrideBlink");
    row.overrides[VRM_EXPRESSION_GROUP_LOOK_AT] = read_override(import, expression, "overrideLookAt");
    bool is_binary = false;
    (void)vrmi_read_bool(&import->reader, expression, "isBinary", VRMI_OPTIONAL, &is_binary);
    row.binary_threshold = is_binary ? 0.5f : -1.0f;
    vrmi_import_binds(import, expression, "morphTargetBinds", vrmi_import_morph_bind, &model->morph_bind,
        &row.first_morph_bind, &row.morph_bind_count);
    vrmi_import_binds(import, expression, "materialColorBinds", read_color_bind, &model->color_bind,
        &row.first_color_bind, &row.color_bind_count);
    vrmi_import_binds(import, expression, "textureTransformBinds", read_texture_bind, &model->texture_bind,
        &row.first_texture_bind, &row.texture_bind_count);
    vrmi_expression_row *out = vrmi_import_runs(import) ? vrmi_import_push(import, &model->expression) : NULL;
    if (out != NULL) {
        *out = row;
    }
}

static int32_t preset_of_key(const vrmi_import *import, uint32_t key)
{
    char name[PRESET_NAME_SIZE];
    const size_t length = vrmi_json_unescape(import->json, key, name, sizeof name);
    return length < sizeof name ? vrmi_preset_from_name(name, length) : -1;
}

// Reports an element that is not an object. It still becomes an expression without binds, as in three-vrm, so that it
// can be found and set.
static void check_is_object(vrmi_import *import, uint32_t value)
{
    if (!vrmi_json_is(import->json, value, VRMI_JSON_OBJECT)) {
        vrmi_reader_report_value(&import->reader, VRM_FINDING_TYPE_MISMATCH, value, "an object");
    }
}

static void read_presets(vrmi_import *import, uint32_t presets)
{
    const vrmi_json *json = import->json;
    uint32_t found[VRM_EXPRESSION_PRESET_COUNT];
    for (int i = 0; i < VRM_EXPRESSION_PRESET_COUNT; ++i) {
        found[i] = VRMI_JSON_NONE;
    }
    for (uint32_t key = vrmi_json_first(json, presets); key != VRMI_JSON_NONE; key = vrmi_json_next(json, key)) {
        const uint32_t value = vrmi_json_value(json, key);
        const int32_t preset = preset_of_key(import, key);
        if (preset < 0) {
            vrmi_reader_report(&import->reader, VRM_FINDING_VRM1_UNKNOWN_PRESET, value, NULL, NULL, NULL);
        } else {
            found[preset] = value;
            check_is_object(import, value);
        }
    }
    for (int32_t i = 0; i < VRM_EXPRESSION_PRESET_COUNT && vrmi_import_runs(import); ++i) {
        if (found[i] != VRMI_JSON_NONE) {
            const char *name = vrm_expression_preset_name((vrm_expression_preset)i);
            import->model.head.preset_expression[i] = (int32_t)import->model.expression.count;
            read_expression(import, found[i], vrmi_model_builder_name(&import->model, name, strlen(name)),
                (vrm_expression_preset)i);
        }
    }
}

static void read_customs(vrmi_import *import, uint32_t customs)
{
    const vrmi_json *json = import->json;
    for (uint32_t key = vrmi_json_first(json, customs); key != VRMI_JSON_NONE && vrmi_import_tick(import, 1);
         key = vrmi_json_next(json, key)) {
        const uint32_t value = vrmi_json_value(json, key);
        if (preset_of_key(import, key) >= 0) {
            vrmi_reader_report(&import->reader, VRM_FINDING_VRM1_CUSTOM_NAME_IS_PRESET, value, NULL, NULL, NULL);
        } else {
            check_is_object(import, value);
            read_expression(import, value, vrmi_import_name(json, &import->model, key), VRM_EXPRESSION_CUSTOM);
        }
    }
}

void vrmi_import_expressions(vrmi_import *import)
{
    const uint32_t expressions = vrmi_read_object(&import->reader, import->vrm, "expressions", VRMI_OPTIONAL);
    read_presets(import, vrmi_read_object(&import->reader, expressions, "preset", VRMI_OPTIONAL));
    read_customs(import, vrmi_read_object(&import->reader, expressions, "custom", VRMI_OPTIONAL));
}
