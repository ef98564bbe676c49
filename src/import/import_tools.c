// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/text.h"
#include "import/import.h"

// Number of elements processed between two calls of progress.
#define TICKS_PER_CALL 1000u

enum { LONGEST_TERM = 64 }; // number of characters kept of a value that is not a string

void vrmi_import_stop(vrmi_import *import, vrm_result result)
{
    if (import->result == VRM_SUCCESS) {
        import->result = result;
    }
}

void *vrmi_import_scratch(vrmi_import *import, size_t count, size_t size)
{
    void *memory = vrmi_arena_alloc(&import->scratch, count, size);
    if (memory == NULL) {
        vrmi_import_stop(import, import->scratch.limit_hit ? VRM_ERROR_LIMIT : VRM_ERROR_OUT_OF_MEMORY);
    }
    return memory;
}

void *vrmi_import_push(vrmi_import *import, vrmi_array *table)
{
    void *row = vrmi_array_push(table, &import->model.allocator);
    if (row == NULL) {
        vrmi_import_stop(import, VRM_ERROR_OUT_OF_MEMORY);
    }
    return row;
}

void *vrmi_import_extend(vrmi_import *import, vrmi_array *table, uint32_t count)
{
    if (!vrmi_array_reserve(table, &import->model.allocator, count)) {
        vrmi_import_stop(import, VRM_ERROR_OUT_OF_MEMORY);
        return NULL;
    }
    if (count == 0) {
        return NULL;
    }
    char *first = (char *)table->items + (size_t)table->count * table->item_size;
    memset(first, 0, (size_t)count * table->item_size);
    table->count += count;
    return first;
}

bool vrmi_import_tick(vrmi_import *import, uint32_t work)
{
    if (import->def->progress != NULL && vrmi_import_runs(import)) {
        if (work >= TICKS_PER_CALL || import->ticks >= TICKS_PER_CALL - work) {
            import->ticks = 0;
            if (!import->def->progress(import->fraction, import->phase, import->def->progress_user)) {
                vrmi_import_stop(import, VRM_ERROR_CANCELLED);
            }
        } else {
            import->ticks += work;
        }
    }
    return vrmi_import_runs(import);
}

vrmi_name vrmi_import_name(const vrmi_json *json, vrmi_model_builder *model, uint32_t token)
{
    vrmi_name name = {0, 0};
    if (!vrmi_json_is(json, token, VRMI_JSON_STRING)) {
        return name;
    }
    const size_t length = vrmi_json_unescape(json, token, NULL, 0);
    if (length != 0) {
        char *text = vrmi_model_builder_text(model, length, &name);
        if (text != NULL) {
            vrmi_json_unescape(json, token, text, length + 1);
        }
    }
    return name;
}

vrmi_name vrmi_import_object_name(vrmi_import *import, uint32_t object)
{
    const bool repairing = import->reader.repairing;
    import->reader.repairing = !import->def->strict; // an invalid specVersion is no reason to refuse an avatar
    const uint32_t name = vrmi_read_string(&import->reader, object, "name", VRMI_OPTIONAL);
    import->reader.repairing = repairing;
    return vrmi_import_name(import->json, &import->model, name);
}

bool vrmi_import_node_index(vrmi_import *import, uint32_t object, const char *key, vrmi_need need, uint32_t *out_node)
{
    uint32_t index = 0;
    if (!vrmi_read_index(&import->reader, object, key, need, import->model.gltf_node.count, &index)) {
        return false;
    }
    *out_node = VRMI_ROWS(import, gltf_node, uint32_t)[index];
    return true;
}

bool vrmi_read_index_element(vrmi_reader *reader, uint32_t element, uint32_t limit, uint32_t *out)
{
    uint32_t index = 0;
    if (!vrmi_json_uint(reader->json, element, &index)) {
        vrmi_reader_report_value(reader, VRM_FINDING_TYPE_MISMATCH, element, "a whole number from 0");
        return false;
    }
    if (index >= limit) {
        char expected[48];
        vrmi_format(expected, sizeof expected, "an index below %u", limit);
        vrmi_reader_report_value(reader, VRM_FINDING_UNRESOLVED_REFERENCE, element, expected);
        return false;
    }
    *out = index;
    return true;
}

void vrmi_import_spec_version(vrmi_import *import, uint32_t extension, const char *draft)
{
    const vrmi_json *json = import->json;
    const uint32_t version = vrmi_json_member(json, extension, "specVersion");
    if (vrmi_json_string_equal(json, version, "1.0") || vrmi_json_string_equal(json, version, "1.0-beta") ||
        (draft != NULL && vrmi_json_string_equal(json, version, draft))) {
        return;
    }
    if (version == VRMI_JSON_NONE) {
        vrmi_reader_report(&import->reader, VRM_FINDING_VRM1_SPEC_VERSION, extension, "specVersion", NULL, "\"1.0\"");
    } else {
        vrmi_reader_report_value(&import->reader, VRM_FINDING_VRM1_SPEC_VERSION, version, "\"1.0\"");
    }
}

void vrmi_keep_term(vrmi_reader *reader, vrmi_model_builder *model, uint32_t object, const char *key)
{
    const uint32_t value = vrmi_json_member(reader->json, object, key);
    if (value == VRMI_JSON_NONE) {
        return;
    }
    vrmi_name names[2] = {vrmi_model_builder_name(model, key, strlen(key)), {0, 0}};
    if (vrmi_json_is(reader->json, value, VRMI_JSON_STRING)) {
        names[1] = vrmi_import_name(reader->json, model, value);
    } else {
        const vrm_string text = vrmi_json_text(reader->json, value);
        names[1] = vrmi_model_builder_name(model, text.data, text.length < LONGEST_TERM ? text.length : LONGEST_TERM);
    }
    for (int i = 0; i < 2; ++i) {
        vrmi_name *row = vrmi_array_push(&model->old_term, &model->allocator);
        if (row == NULL) {
            model->out_of_memory = true;
            return;
        }
        *row = names[i];
    }
}

uint32_t vrmi_root_extension(const vrmi_json *json, const char *name)
{
    return vrmi_json_member(json, vrmi_json_member(json, 0, "extensions"), name);
}
