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

void vrmi_write_removal(vrmi_writer *w, const char *pointer, ...)
{
    char buffer[POINTER_SIZE];
    va_list arguments;
    va_start(arguments, pointer);
    const bool whole = vrmi_format_list(buffer, sizeof buffer, pointer, &arguments);
    va_end(arguments);
    if (!vrmi_writer_runs(w)) {
        return;
    }
    const vrm_result result = whole ? vrm_gltf_remove_json(w->gltf, buffer) : VRM_ERROR_LIMIT;
    if (result != VRM_ERROR_NOT_FOUND) {
        vrmi_writer_fail(w, result);
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
