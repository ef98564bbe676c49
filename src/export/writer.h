// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_EXPORT_WRITER_H
#define VRMI_EXPORT_WRITER_H

// Makes a series of edits to a document. After the first failure, later edits do nothing and the result reports that
// failure.

#include <vrm/gltf.h>

#include "base/array.h"
#include "base/text.h"

typedef struct vrmi_writer {
    vrm_gltf *gltf;
    vrm_allocator allocator; // for the writer's own memory
    vrm_result result;       // SUCCESS, or the first failure
} vrmi_writer;

static inline bool vrmi_writer_runs(const vrmi_writer *w)
{
    return w->result == VRM_SUCCESS;
}
void vrmi_writer_fail(vrmi_writer *w, vrm_result result);

// Sets the value at a JSON pointer, which is formatted by vrmi_text_format(). If the pointer is too long, the writer
// fails with VRM_ERROR_LIMIT.
VRMI_FORMAT(4, 5)
void vrmi_write_json(vrmi_writer *w, const char *json, size_t length, const char *pointer, ...);
VRMI_FORMAT(3, 4)
void vrmi_write_uint(vrmi_writer *w, uint32_t value, const char *pointer, ...);
// Sets the value at a JSON pointer to the text, and frees the text.
VRMI_FORMAT(3, 4)
void vrmi_write_text(vrmi_writer *w, vrmi_text *text, const char *pointer, ...);
// Removes a member. A missing member is not an error.
VRMI_FORMAT(2, 3)
void vrmi_write_removal(vrmi_writer *w, const char *pointer, ...);
// Removes extensions.<name> of the object at the pointer, and also `extensions` if it becomes empty.
VRMI_FORMAT(3, 4)
void vrmi_write_extension_removal(vrmi_writer *w, const char *name, const char *pointer, ...);

// Allocates `count` zeroed items, to be freed with vrmi_array_free(). If this fails, returns NULL and the writer fails.
void *vrmi_writer_reserve(vrmi_writer *w, vrmi_array *array, uint32_t count);

#endif
