// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_EXPORT_WRITER_H
#define VRMI_EXPORT_WRITER_H

// A series of edits of a document. After the first failure later edits do nothing, and the result reports the failure.

#include <vrm/gltf.h>

#include "base/array.h"
#include "base/text.h"

typedef struct vrmi_writer {
    vrm_gltf *gltf;
    vrm_allocator allocator; // for the writer's own memory
    vrm_result result;       // SUCCESS until something failed; the first reason is kept
} vrmi_writer;

static inline bool vrmi_writer_runs(const vrmi_writer *w)
{
    return w->result == VRM_SUCCESS;
}
void vrmi_writer_fail(vrmi_writer *w, vrm_result result);

// Sets the value at a JSON pointer, which is a format of vrmi_text_format; a pointer that is too long is
// VRM_ERROR_LIMIT.
VRMI_FORMAT(4, 5)
void vrmi_write_json(vrmi_writer *w, const char *json, size_t length, const char *pointer, ...);
VRMI_FORMAT(3, 4)
void vrmi_write_uint(vrmi_writer *w, uint32_t value, const char *pointer, ...);
// Frees the text.
VRMI_FORMAT(3, 4)
void vrmi_write_text(vrmi_writer *w, vrmi_text *text, const char *pointer, ...);
// Removes a member; success if there is none.
VRMI_FORMAT(2, 3)
void vrmi_write_removal(vrmi_writer *w, const char *pointer, ...);
// Removes extensions.<name> of the object at the pointer, and an `extensions` that becomes empty.
VRMI_FORMAT(3, 4)
void vrmi_write_extension_removal(vrmi_writer *w, const char *name, const char *pointer, ...);

// Allocates `count` zeroed items; NULL fails. Free with vrmi_array_free().
void *vrmi_writer_reserve(vrmi_writer *w, vrmi_array *array, uint32_t count);

#endif
