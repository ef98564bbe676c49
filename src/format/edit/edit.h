// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_FORMAT_EDIT_H
#define VRMI_FORMAT_EDIT_H

// Edits of JSON text without loss. A tree is built over the text only along the pointers that were used. All other
// values stay slices of the original text, whitespace included, and are written unchanged. The cost of an edit depends
// on the length of its pointer and of the arrays on it, not on the size of the document.

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
    vrmi_array parsed;     // of vrmi_json: fragments that pointers led into, on the heap
    vrmi_array written;    // of vrmi_text: results of vrmi_edit_text since the last edit
    uint32_t max_depth;
    uint64_t version; // counts edits
    // Bytes appended to the document's own buffer:
    uint8_t *appended;
    size_t appended_size, appended_capacity;
    uint32_t own_buffer; // index, once something was appended
    bool own_is_bin;     // it is the BIN chunk; otherwise a data URI made when saving
    // The BIN chunk with overwritten values, NULL while there are none (edit_accessor.c):
    uint8_t *bin;
    uint8_t *bin_readers; // for each byte of it: how many accessors and images use it, 2 for more
    size_t bin_size;
} vrmi_edit;

void vrmi_edit_init(vrmi_edit *edit, const vrmi_json *json, uint32_t max_depth, const vrm_allocator *allocator);
void vrmi_edit_free(vrmi_edit *edit);
// INVALID_ARGUMENT, OUT_OF_MEMORY.
vrm_result vrmi_edit_set(vrmi_edit *edit, const char *pointer, const char *json, size_t length);
// NOT_FOUND, OUT_OF_MEMORY.
vrm_result vrmi_edit_remove(vrmi_edit *edit, const char *pointer);
// The value's text with all edits, until the next edit. NOT_FOUND, OUT_OF_MEMORY.
vrm_result vrmi_edit_text(vrmi_edit *edit, const char *pointer, vrm_string *out_text);
// Number of elements or members; 0 when there is no such container.
vrm_result vrmi_edit_count(vrmi_edit *edit, const char *pointer, uint32_t *out_count);
static inline bool vrmi_edit_has_own_buffer(const vrmi_edit *edit)
{
    return edit->appended_size != 0;
}
// The whole text with all edits, including the text around the root value. False without memory.
bool vrmi_edit_write(vrmi_edit *edit, vrmi_text *out);

#endif
