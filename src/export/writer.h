// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_EXPORT_WRITER_H
#define VRMI_EXPORT_WRITER_H

// Many edits of a document in a row. The first failure ends them: later ones do nothing, and the result reports it.

#include <vrm/gltf.h>

#include "base/array.h"
#include "base/text.h"

typedef struct vrmi_writer {
    vrm_gltf *gltf;
    vrm_allocator allocator; // of what the writing needs itself
    vrm_result result;       // SUCCESS until something failed; the first reason stays
} vrmi_writer;

static inline bool vrmi_writer_runs(const vrmi_writer *w)
{
    return w->result == VRM_SUCCESS;
}
void vrmi_writer_fail(vrmi_writer *w, vrm_result result);

// Set the value at a JSON pointer, which is a format of vrmi_text_format; one that is too long is VRM_ERROR_LIMIT.
VRMI_FORMAT(4, 5)
void vrmi_write_json(vrmi_writer *w, const char *json, size_t length, const char *pointer, ...);
VRMI_FORMAT(3, 4)
void vrmi_write_uint(vrmi_writer *w, uint32_t value, const char *pointer, ...);
// Frees the text.
VRMI_FORMAT(3, 4)
void vrmi_write_text(vrmi_writer *w, vrmi_text *text, const char *pointer, ...);
// A missing member is removed already.
VRMI_FORMAT(2, 3)
void vrmi_write_removal(vrmi_writer *w, const char *pointer, ...);
// extensions.<name> of the object at the pointer, and `extensions` with it when nothing is left there.
VRMI_FORMAT(3, 4)
void vrmi_write_extension_removal(vrmi_writer *w, const char *name, const char *pointer, ...);

// `count` zeroed items; NULL fails. Freed with vrmi_array_free().
void *vrmi_writer_reserve(vrmi_writer *w, vrmi_array *array, uint32_t count);

#endif
