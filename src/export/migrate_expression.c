// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Converts expressions. The model's binds refer to nodes but those of 0.x to meshes, so a bind of 0.x becomes one for
// each node that uses the mesh.

#include <stdlib.h>
#include <string.h>

#include "export/migrate.h"
#include "model/names.h"

static const char *const color_types[VRM_MATERIAL_COLOR_COUNT] = {
    "color", "emissionColor", "shadeColor", "matcapColor", "rimColor", "outlineColor"};

// Returns the mesh node with a morph weight. The rows' ranges ascend, and a row without morphs comes before the next
// row with the same start.
static const vrmi_mesh_row *mesh_of(const vrmi_model *model, uint32_t morph)
{
    const vrmi_mesh_row *rows = vrmi_model_mesh(model);
    uint32_t low = 0, high = model->mesh.count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (rows[middle].first_morph <= morph) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return &rows[low];
}

static void add_morph_binds(const vrmi_migration *m, vrmi_text *text, const vrmi_expression_row *row)
{
    const vrmi_morph_bind *binds = vrmi_model_morph_bind(m->model) + row->first_morph_bind;
    for (uint32_t i = 0; i < row->morph_bind_count; ++i) {
        const vrmi_mesh_row *mesh = mesh_of(m->model, binds[i].morph);
        vrmi_text_format(text, "%s{\"node\":%u,\"index\":%u,\"weight\":", i == 0 ? ",\"morphTargetBinds\":[" : ",",
            vrmi_migrate_node(m, mesh->node), binds[i].morph - mesh->first_morph);
        vrmi_text_add_float(text, binds[i].weight);
        vrmi_text_add_string(text, "}");
    }
    vrmi_text_add_string(text, row->morph_bind_count != 0 ? "]" : "");
}

static void add_color_binds(const vrmi_migration *m, vrmi_text *text, const vrmi_expression_row *row)
{
    const vrmi_color_bind *binds = vrmi_model_color_bind(m->model) + row->first_color_bind;
    for (uint32_t i = 0; i < row->color_bind_count; ++i) {
        const vrmi_color_bind *bind = &binds[i];
        const float by = bind->color == VRM_MATERIAL_COLOR_EMISSION ? m->emission[bind->material] : 1.0f;
        const float target[4] = {bind->target.x / by, bind->target.y / by, bind->target.z / by, bind->target.w};
        vrmi_text_format(text,
            "%s{\"material\":%u,\"type\":\"%s\",\"targetValue\":", i == 0 ? ",\"materialColorBinds\":[" : ",",
            bind->material, color_types[bind->color]);
        vrmi_migrate_add_floats(text, target, 4);
        vrmi_text_add_string(text, "}");
    }
    vrmi_text_add_string(text, row->color_bind_count != 0 ? "]" : "");
}

static void add_texture_binds(const vrmi_migration *m, vrmi_text *text, const vrmi_expression_row *row)
{
    const vrmi_texture_bind *binds = vrmi_model_texture_bind(m->model) + row->first_texture_bind;
    for (uint32_t i = 0; i < row->texture_bind_count; ++i) {
        vrmi_text_format(
            text, "%s{\"material\":%u,\"scale\":", i == 0 ? ",\"textureTransformBinds\":[" : ",", binds[i].material);
        vrmi_migrate_add_floats(text, binds[i].scale, 2);
        vrmi_text_add_string(text, ",\"offset\":");
        vrmi_migrate_add_floats(text, binds[i].offset, 2);
        vrmi_text_add_string(text, "}");
    }
    vrmi_text_add_string(text, row->texture_bind_count != 0 ? "]" : "");
}

static void add_body(vrmi_migration *m, vrmi_text *text, const vrmi_expression_row *row)
{
    static const char *const overrides[] = {"none", "block", "blend"};
    const vrm_string name = vrmi_model_text(m->model, row->name);
    const bool binary = row->binary_threshold >= 0.0f;
    if (binary && row->binary_threshold != 0.5f) {
        char found[64];
        vrmi_format(found, sizeof found, "%.*s: 0 instead of 1 up to weight 0.5",
            (int)(name.length < 24 ? name.length : 24), name.data);
        vrmi_migrate_report(m, VRM_FINDING_MIGRATE_BINARY_THRESHOLD, m->vrm, "expressions", found, NULL);
    }
    vrmi_text_format(text,
        ":{\"isBinary\":%s,\"overrideMouth\":\"%s\",\"overrideBlink\":\"%s\",\"overrideLookAt\":\"%s\"",
        binary ? "true" : "false", overrides[row->overrides[VRM_EXPRESSION_GROUP_MOUTH]],
        overrides[row->overrides[VRM_EXPRESSION_GROUP_BLINK]], overrides[row->overrides[VRM_EXPRESSION_GROUP_LOOK_AT]]);
    add_morph_binds(m, text, row);
    add_color_binds(m, text, row);
    add_texture_binds(m, text, row);
    vrmi_text_add_string(text, "}");
}

// --- names -----------------------------------------------------------------------------------------------------------

// A custom expression's name. The names are sorted; equal names are in the order of the expressions.
typedef struct custom_name {
    vrm_string text;
    uint32_t expression;
} custom_name;

static int compare_text(vrm_string a, vrm_string b)
{
    const uint32_t shorter = a.length < b.length ? a.length : b.length;
    const int order = shorter != 0 ? memcmp(a.data, b.data, shorter) : 0;
    return order != 0 ? order : a.length < b.length ? -1 : a.length > b.length;
}

static int compare_names(const void *left, const void *right)
{
    const custom_name *a = left, *b = right;
    const int order = compare_text(a->text, b->text);
    return order != 0 ? order : a->expression < b->expression ? -1 : 1;
}

// Returns the first expression with a name, or NULL.
static const custom_name *find_name(const vrmi_array *names, vrm_string text)
{
    const custom_name *rows = names->items;
    uint32_t low = 0, high = names->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (compare_text(rows[middle].text, text) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < names->count && compare_text(rows[low].text, text) == 0 ? &rows[low] : NULL;
}

static bool is_free(const vrmi_array *names, vrm_string text)
{
    return text.length != 0 && vrmi_preset_from_name(text.data, text.length) < 0 && find_name(names, text) == NULL;
}

// Writes the name of a custom expression, which must be unique in 1.0. An empty or duplicate name gets an unused number
// appended.
static void add_custom_name(vrmi_migration *m, vrmi_text *text, const vrmi_array *names, uint32_t expression)
{
    const vrm_string name = vrmi_model_text(m->model, vrmi_model_expression(m->model)[expression].name);
    if (name.length != 0 && find_name(names, name)->expression == expression) {
        vrmi_text_add_json_string(text, name.data, name.length);
        return;
    }
    vrmi_text other;
    vrmi_text_init(&other, &m->out.allocator);
    // The step is the number of expressions, so that no two expressions ever get the same number.
    for (uint32_t number = expression + 1; !other.failed; number += m->model->expression.count) {
        other.size = 0;
        vrmi_text_format(&other, "%.*s %u", name.length != 0 ? (int)name.length : 10,
            name.length != 0 ? name.data : "expression", number);
        if (other.failed || is_free(names, (vrm_string){other.data, (uint32_t)other.size})) {
            break;
        }
    }
    if (other.failed) {
        vrmi_writer_fail(&m->out, VRM_ERROR_OUT_OF_MEMORY);
    } else {
        vrmi_migrate_report(m, VRM_FINDING_MIGRATE_EXPRESSION_RENAMED, m->vrm,
            m->is_vrm0 ? "blendShapeMaster" : "expressions", other.data, NULL);
        vrmi_text_add_json_string(text, other.data, other.size);
    }
    vrmi_text_free(&other);
}

static void sort_names(vrmi_migration *m, vrmi_array *names)
{
    const vrmi_expression_row *rows = vrmi_model_expression(m->model);
    custom_name *out = vrmi_writer_reserve(&m->out, names, m->model->expression.count);
    names->count = 0;
    for (uint32_t i = 0; i < m->model->expression.count && out != NULL; ++i) {
        if (rows[i].preset == VRM_EXPRESSION_CUSTOM) {
            out[names->count++] = (custom_name){vrmi_model_text(m->model, rows[i].name), i};
        }
    }
    if (out != NULL) {
        qsort(out, names->count, sizeof *out, compare_names);
    }
}

static void add_kind(vrmi_migration *m, vrmi_text *text, const vrmi_array *names, bool customs)
{
    const vrmi_expression_row *rows = vrmi_model_expression(m->model);
    uint32_t added = 0;
    for (uint32_t i = 0; i < m->model->expression.count && vrmi_writer_runs(&m->out); ++i) {
        if ((rows[i].preset == VRM_EXPRESSION_CUSTOM) != customs) {
            continue;
        }
        vrmi_text_add_string(text, added++ == 0 ? "" : ",");
        if (customs) {
            add_custom_name(m, text, names, i);
        } else {
            vrmi_text_format(text, "\"%s\"", vrm_expression_preset_name((vrm_expression_preset)rows[i].preset));
        }
        add_body(m, text, &rows[i]);
    }
}

void vrmi_migrate_expressions(vrmi_migration *m, vrmi_text *text)
{
    if (m->model->expression.count == 0) {
        return;
    }
    vrmi_array names = {.item_size = sizeof(custom_name)};
    sort_names(m, &names);
    vrmi_text_add_string(text, ",\"expressions\":{\"preset\":{");
    add_kind(m, text, &names, false);
    vrmi_text_add_string(text, "},\"custom\":{");
    add_kind(m, text, &names, true);
    vrmi_text_add_string(text, "}}");
    vrmi_array_free(&names, &m->out.allocator);
}
