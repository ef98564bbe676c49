// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Reads the expressions of drafts, an array of {preset, name, ...}.

#include <string.h>

#include "base/checks.h"
#include "import/avatar/import_parts.h"
#include "import/table_hash.h"
#include "import/upgrade/upgrade.h"
#include "model/names.h"

enum { UV_SCALE = VRM_MATERIAL_COLOR_COUNT, UV_OFFSET };

static const vrmi_word presets[] = {
#define PRESET_WORD(name, number, json, group) {json, VRM_EXPRESSION_PRESET_##name},
    VRM_EXPRESSION_PRESETS(PRESET_WORD)
#undef PRESET_WORD
        {"custom", VRM_EXPRESSION_CUSTOM},
};

// Words for the type of a colour bind. In the draft's prose, one table lists the last two words and another one the
// colours.
static const vrmi_word color_types[] = {
    {"color", VRM_MATERIAL_COLOR_BASE},
    {"emissionColor", VRM_MATERIAL_COLOR_EMISSION},
    {"shadeColor", VRM_MATERIAL_COLOR_SHADE},
    {"matcapColor", VRM_MATERIAL_COLOR_MATCAP},
    {"rimColor", VRM_MATERIAL_COLOR_RIM},
    {"outlineColor", VRM_MATERIAL_COLOR_OUTLINE},
    {"uvScale", UV_SCALE},
    {"uvOffset", UV_OFFSET},
};

static const vrmi_word overrides[] = {
    {"none", VRM_EXPRESSION_OVERRIDE_NONE},
    {"block", VRM_EXPRESSION_OVERRIDE_BLOCK},
    {"blend", VRM_EXPRESSION_OVERRIDE_BLEND},
};

static bool read_material(vrmi_import *import, uint32_t bind, uint32_t *out)
{
    return vrmi_read_index(&import->reader, bind, "material", VRMI_REQUIRED, import->model.material.count, out);
}

// Returns a bind with the material's own values, for a bind that sets only some of them.
static vrmi_texture_bind base_bind(const vrmi_import *import, uint32_t material)
{
    const vrm_texture_transform *base =
        &VRMI_ROWS(import, material, vrmi_material_row)[material].params.textures[VRM_TEXTURE_BASE_COLOR].transform;
    return (vrmi_texture_bind){material, {base->scale[0], base->scale[1]}, {base->offset[0], base->offset[1]}};
}

static void push_texture(vrmi_import *import, const vrmi_texture_bind *bind)
{
    vrmi_texture_bind *row = vrmi_import_push(import, &import->model.texture_bind);
    if (row != NULL) {
        *row = *bind;
    }
}

static void read_color_bind(vrmi_import *import, uint32_t bind)
{
    vrmi_reader *reader = &import->reader;
    uint32_t material = 0, type = 0;
    float target[4];
    if (vrmi_json_member(import->json, bind, "type") == VRMI_JSON_NONE) {
        vrmi_reader_report(
            reader, VRM_FINDING_UNDEFINED_PROPERTY, bind, "type", NULL, "a type of colour, such as \"color\"");
    }
    const bool has_material = read_material(import, bind, &material);
    const bool has_type = vrmi_read_word(reader, bind, "type", color_types, VRMI_COUNT_OF(color_types), &type);
    const bool has_target = vrmi_read_floats(reader, bind, "targetValue", VRMI_REQUIRED, 4, target);
    if (!has_material || !has_type || !has_target) {
        return;
    }
    if (type == UV_SCALE || type == UV_OFFSET) {
        vrmi_texture_bind texture = base_bind(import, material);
        float *values = type == UV_SCALE ? texture.scale : texture.offset;
        values[0] = target[0];
        values[1] = target[1];
        push_texture(import, &texture);
        return;
    }
    if (!vrmi_import_has_color(VRMI_ROWS(import, material, vrmi_material_row)[material].params.type, type)) {
        vrmi_reader_report(reader, VRM_FINDING_VRM1_COLOR_BIND_NO_TARGET, bind, "type", color_types[type].text, NULL);
        return;
    }
    vrmi_color_bind *row = vrmi_import_push(import, &import->model.color_bind);
    if (row != NULL) {
        *row = (vrmi_color_bind){material, type, {target[0], target[1], target[2], target[3]}};
    }
}

static void read_texture_bind(vrmi_import *import, uint32_t bind)
{
    static const char *const scales[] = {"scale", "scaling", NULL}; // names in the prose and in the schema
    vrmi_texture_bind read = {0, {1.0f, 1.0f}, {0.0f, 0.0f}};
    const bool has_material = read_material(import, bind, &read.material);
    const char *scale = vrmi_first_key(import->json, bind, scales);
    if (scale != NULL) {
        (void)vrmi_read_floats(&import->reader, bind, scale, VRMI_OPTIONAL, 2, read.scale);
    }
    (void)vrmi_read_floats(&import->reader, bind, "offset", VRMI_OPTIONAL, 2, read.offset);
    if (has_material) {
        push_texture(import, &read);
    }
}

static uint32_t read_override(vrmi_import *import, uint32_t expression, const char *key)
{
    uint32_t value = VRM_EXPRESSION_OVERRIDE_NONE;
    (void)vrmi_read_word(&import->reader, expression, key, overrides, VRMI_COUNT_OF(overrides), &value);
    return value;
}

static void read_expression(vrmi_import *import, uint32_t expression, vrmi_name name, uint32_t preset)
{
    vrmi_model_builder *model = &import->model;
    vrmi_expression_row row;
    memset(&row, 0, sizeof row);
    row.name = name;
    row.preset = preset;
    row.group = (uint32_t)vrmi_preset_group((vrm_expression_preset)preset);
    row.overrides[VRM_EXPRESSION_GROUP_MOUTH] = read_override(import, expression, "overrideMouth");
    row.overrides[VRM_EXPRESSION_GROUP_BLINK] = read_override(import, expression, "overrideBlink");
    row.overrides[VRM_EXPRESSION_GROUP_LOOK_AT] = read_override(import, expression, "overrideLookAt");
    bool is_binary = false;
    (void)vrmi_read_bool(&import->reader, expression, "isBinary", VRMI_OPTIONAL, &is_binary);
    row.binary_threshold = is_binary ? 0.0f : -1.0f; // the draft says: "value != 0 is 1"
    vrmi_import_binds(import, expression, "morphTargetBinds", vrmi_import_morph_bind, &model->morph_bind,
        &row.first_morph_bind, &row.morph_bind_count);
    row.first_texture_bind = model->texture_bind.count; // colour binds of drafts may become texture binds
    vrmi_import_binds(import, expression, "materialColorBinds", read_color_bind, &model->color_bind,
        &row.first_color_bind, &row.color_bind_count);
    uint32_t first = 0, count = 0;
    vrmi_import_binds(
        import, expression, "textureTransformBinds", read_texture_bind, &model->texture_bind, &first, &count);
    row.texture_bind_count = model->texture_bind.count - row.first_texture_bind;
    vrmi_expression_row *out = vrmi_import_runs(import) ? vrmi_import_push(import, &model->expression) : NULL;
    if (out != NULL) {
        *out = row;
    }
}

// --- the array -------------------------------------------------------------------------------------------------------

typedef struct expression_list {
    uint32_t found[VRM_EXPRESSION_PRESET_COUNT];
    vrmi_table_hash customs; // rows of the expression table, found by name
} expression_list;

static void find_presets(vrmi_import *import, uint32_t array, expression_list *list)
{
    const vrmi_json *json = import->json;
    for (uint32_t item = vrmi_json_first(json, array); item != VRMI_JSON_NONE && vrmi_import_tick(import, 1);
         item = vrmi_json_next(json, item)) {
        uint32_t preset = VRM_EXPRESSION_CUSTOM;
        if (!vrmi_json_is(json, item, VRMI_JSON_OBJECT)) {
            vrmi_reader_report_value(&import->reader, VRM_FINDING_TYPE_MISMATCH, item, "an object");
        } else if (vrmi_json_member(json, item, "preset") == VRMI_JSON_NONE) {
            vrmi_reader_report(
                &import->reader, VRM_FINDING_UNDEFINED_PROPERTY, item, "preset", NULL, "a preset, or custom");
        } else if (vrmi_read_word(&import->reader, item, "preset", presets, VRMI_COUNT_OF(presets), &preset) &&
                   preset != VRM_EXPRESSION_CUSTOM) {
            if (list->found[preset] != VRMI_JSON_NONE) {
                vrmi_reader_report(&import->reader, VRM_FINDING_VRM1_EXPRESSION_DUPLICATE, item, "preset",
                    vrm_expression_preset_name((vrm_expression_preset)preset), "each preset once");
            } else {
                list->found[preset] = item;
            }
            const uint32_t name = vrmi_json_member(json, item, "name");
            if (vrmi_json_unescape(json, name, NULL, 0) != 0) {
                vrmi_reader_report_value(&import->reader, VRM_FINDING_VRM1_DRAFT_PRESET_NAME, name, NULL);
            }
        }
    }
}

// Whether a custom expression already has a name. If not, the name is registered for the next expression.
static bool name_is_taken(vrmi_import *import, expression_list *list, vrmi_name name)
{
    const char *text = (const char *)import->model.string.items + name.offset;
    const uint32_t hash = vrmi_hash_bytes(text, name.length, 0);
    const vrmi_expression_row *rows = VRMI_ROWS(import, expression, vrmi_expression_row);
    uint32_t slot = 0;
    for (uint32_t i = vrmi_table_hash_first(&list->customs, hash, &slot); i != VRMI_HASH_NONE;
         i = vrmi_table_hash_next(&list->customs, hash, &slot)) {
        const char *other = (const char *)import->model.string.items + rows[i].name.offset;
        if (rows[i].name.length == name.length && memcmp(other, text, name.length) == 0) {
            return true;
        }
    }
    vrmi_table_hash_add(&list->customs, hash, import->model.expression.count);
    return false;
}

static void read_customs(vrmi_import *import, uint32_t array, expression_list *list)
{
    const vrmi_json *json = import->json;
    for (uint32_t item = vrmi_json_first(json, array); item != VRMI_JSON_NONE && vrmi_import_tick(import, 1);
         item = vrmi_json_next(json, item)) {
        vrmi_reader silent = {.json = json};
        uint32_t preset = 0;
        if (!vrmi_read_word(&silent, item, "preset", presets, VRMI_COUNT_OF(presets), &preset) ||
            preset != VRM_EXPRESSION_CUSTOM) {
            continue;
        }
        const vrmi_name name = vrmi_import_object_name(import, item);
        const char *text = (const char *)import->model.string.items + name.offset;
        if (name.length == 0) {
            vrmi_reader_report(&import->reader, VRM_FINDING_UNDEFINED_PROPERTY, item, "name", NULL, "a name");
        } else if (vrmi_preset_from_name(text, name.length) >= 0) {
            vrmi_reader_report(&import->reader, VRM_FINDING_VRM1_CUSTOM_NAME_IS_PRESET, item, "name", NULL, NULL);
        } else if (name_is_taken(import, list, name)) {
            vrmi_reader_report(
                &import->reader, VRM_FINDING_VRM1_EXPRESSION_DUPLICATE, item, "name", NULL, "each name once");
        } else {
            read_expression(import, item, name, VRM_EXPRESSION_CUSTOM);
        }
    }
}

void vrmi_draft_expressions(vrmi_import *import)
{
    static const char *const keys[] = {
        "expressions", "expression", NULL}; // the second is from an overview in the draft
    const char *key = vrmi_first_key(import->json, import->vrm, keys);
    if (key == NULL) {
        return;
    }
    if (vrmi_json_is(import->json, vrmi_json_member(import->json, import->vrm, key), VRMI_JSON_OBJECT)) {
        vrmi_import_expressions(import); // has the form of the betas
        return;
    }
    const uint32_t array = vrmi_read_array(&import->reader, import->vrm, key, VRMI_OPTIONAL);
    expression_list list;
    for (int i = 0; i < VRM_EXPRESSION_PRESET_COUNT; ++i) {
        list.found[i] = VRMI_JSON_NONE;
    }
    if (!vrmi_table_hash_init(&list.customs, import, vrmi_json_count(import->json, array))) {
        return;
    }
    find_presets(import, array, &list);
    for (uint32_t i = 0; i < VRM_EXPRESSION_PRESET_COUNT && vrmi_import_runs(import); ++i) {
        if (list.found[i] != VRMI_JSON_NONE) {
            const char *name = vrm_expression_preset_name((vrm_expression_preset)i);
            import->model.head.preset_expression[i] = (int32_t)import->model.expression.count;
            read_expression(import, list.found[i], vrmi_model_builder_name(&import->model, name, strlen(name)), i);
        }
    }
    read_customs(import, array, &list);
}
