// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "export/writer.h"

#include <string.h>

enum { POINTER_SIZE = 4096 };

void vrmi_writer_fail(vrmi_writer *w, vrm_result result)
{
    w->result = vrmi_writer_runs(w) ? result : w->result;
}

static void set(vrmi_writer *w, const char *json, size_t length, const char *format, va_list *arguments)
{
    char pointer[POINTER_SIZE];
    if (!vrmi_writer_runs(w)) {
        return;
    }
    if (vrmi_format_list(pointer, sizeof pointer, format, arguments)) {
        vrmi_writer_fail(w, vrm_gltf_set_json(w->gltf, pointer, json, length));
    } else {
        vrmi_writer_fail(w, VRM_ERROR_LIMIT);
    }
}

void vrmi_write_json(vrmi_writer *w, const char *json, size_t length, const char *pointer, ...)
{
    va_list arguments;
    va_start(arguments, pointer);
    set(w, json, length, pointer, &arguments);
    va_end(arguments);
}

void vrmi_write_uint(vrmi_writer *w, uint32_t value, const char *pointer, ...)
{
    char number[16];
    vrmi_format(number, sizeof number, "%u", value);
    va_list arguments;
    va_start(arguments, pointer);
    set(w, number, strlen(number), pointer, &arguments);
    va_end(arguments);
}

void vrmi_write_text(vrmi_writer *w, vrmi_text *text, const char *pointer, ...)
{
    if (text->failed) {
        vrmi_writer_fail(w, VRM_ERROR_OUT_OF_MEMORY);
    }
    va_list arguments;
    va_start(arguments, pointer);
    set(w, text->data, text->size, pointer, &arguments);
    va_end(arguments);
    vrmi_text_free(text);
}

static void remove_value(vrmi_writer *w, const char *pointer)
{
    const vrm_result result = vrm_gltf_remove_json(w->gltf, pointer);
    if (result != VRM_ERROR_NOT_FOUND) {
        vrmi_writer_fail(w, result);
    }
}

void vrmi_write_removal(vrmi_writer *w, const char *pointer, ...)
{
    char buffer[POINTER_SIZE];
    va_list arguments;
    va_start(arguments, pointer);
    const bool whole = vrmi_format_list(buffer, sizeof buffer, pointer, &arguments);
    va_end(arguments);
    if (!whole) {
        vrmi_writer_fail(w, VRM_ERROR_LIMIT);
    } else if (vrmi_writer_runs(w)) {
        remove_value(w, buffer);
    }
}

static bool is_empty(vrm_string object)
{
    for (uint32_t i = 1; i + 1 < object.length; ++i) {
        if (strchr(" \t\r\n", object.data[i]) == NULL) {
            return false;
        }
    }
    return true;
}

void vrmi_write_extension_removal(vrmi_writer *w, const char *name, const char *pointer, ...)
{
    char object[POINTER_SIZE], path[POINTER_SIZE];
    vrm_string left;
    va_list arguments;
    va_start(arguments, pointer);
    (void)vrmi_format_list(object, sizeof object, pointer, &arguments);
    va_end(arguments);
    vrmi_write_removal(w, "%s/extensions/%s", object, name);
    vrmi_format(path, sizeof path, "%s/extensions", object);
    if (vrmi_writer_runs(w) && vrm_gltf_get_json(w->gltf, path, &left) == VRM_SUCCESS && is_empty(left)) {
        remove_value(w, path);
    }
}

void *vrmi_writer_reserve(vrmi_writer *w, vrmi_array *array, uint32_t count)
{
    if (!vrmi_array_reserve(array, &w->allocator, count != 0 ? count : 1)) {
        vrmi_writer_fail(w, VRM_ERROR_OUT_OF_MEMORY);
        return NULL;
    }
    array->count = count;
    return memset(array->items, 0, (size_t)(count != 0 ? count : 1) * array->item_size);
}
