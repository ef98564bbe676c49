// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_FORMAT_EDIT_H
#define VRMI_FORMAT_EDIT_H

// Edits JSON text without loss. A tree is built only along the pointers that are used. All other values stay slices of
// the original text, including white space, and are written unchanged. The cost of an edit depends on the length of its
// pointer and of the arrays along it, not on the size of the document.

#include "base/arena.h"
#include "base/array.h"
#include "base/text.h"
#include "format/json/json.h"

typedef struct vrmi_edit_node vrmi_edit_node;

typedef struct vrmi_edit {
    vrm_allocator allocator;
    vrmi_arena arena;
    const vrmi_json *json; // the document as loaded
    vrmi_edit_node *root;  // NULL: nothing was edited
    vrmi_array parsed;     // vrmi_json items: fragments that were parsed because a pointer led into them
    vrmi_array written;    // vrmi_text items: results of vrmi_edit_text() since the last edit
    uint32_t max_depth;
    uint64_t version; // counts edits
    // The bytes that were appended to the document's own buffer.
    uint8_t *appended;
    size_t appended_size, appended_capacity;
    uint32_t own_buffer; // index of the buffer for appended bytes, valid once something was appended
    bool own_is_bin;     // the buffer is the BIN chunk; otherwise it becomes a data URI when saving
    // A copy of the BIN chunk with overwritten values; NULL if none were overwritten (edit_accessor.c).
    uint8_t *bin;
    uint8_t *bin_readers; // for each byte of the chunk: the number of accessors and images that use it, at most 2
    size_t bin_size;
} vrmi_edit;

void vrmi_edit_init(vrmi_edit *edit, const vrmi_json *json, uint32_t max_depth, const vrm_allocator *allocator);
void vrmi_edit_free(vrmi_edit *edit);
// Sets the value at a pointer. Errors: INVALID_ARGUMENT, OUT_OF_MEMORY.
vrm_result vrmi_edit_set(vrmi_edit *edit, const char *pointer, const char *json, size_t length);
// Removes the value at a pointer. Errors: NOT_FOUND, OUT_OF_MEMORY.
vrm_result vrmi_edit_remove(vrmi_edit *edit, const char *pointer);
// Returns the text of a value with all edits. It is valid until the next edit. Errors: NOT_FOUND, OUT_OF_MEMORY.
vrm_result vrmi_edit_text(vrmi_edit *edit, const char *pointer, vrm_string *out_text);
// Counts the elements or members of a container; 0 if there is no such container.
vrm_result vrmi_edit_count(vrmi_edit *edit, const char *pointer, uint32_t *out_count);
static inline bool vrmi_edit_has_own_buffer(const vrmi_edit *edit)
{
    return edit->appended_size != 0;
}
// Writes the whole text with all edits, including the text around the root value. Returns false if memory runs out.
bool vrmi_edit_write(vrmi_edit *edit, vrmi_text *out);

#endif
