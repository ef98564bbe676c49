// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_FORMAT_EDIT_TREE_H
#define VRMI_FORMAT_EDIT_TREE_H

// The tree over a document's text, shared by editing (edit.c) and writing (edit_text.c).

#include "format/edit/edit.h"

typedef struct vrmi_slice {
    const char *data;
    size_t length;
} vrmi_slice;

// A value that a pointer led to, or a sibling of one.
struct vrmi_edit_node {
    vrmi_edit_node *parent;
    vrmi_slice text;       // the original text; written while nothing inside was changed
    const vrmi_json *json; // where it was parsed, NULL for a fragment that is not parsed yet
    uint32_t token;
    vrmi_slice name;  // of a member, decoded
    vrmi_slice lead;  // from the comma or bracket before it up to the value: white space, key, colon
    size_t indent;    // length of the white space before the key in it
    vrmi_slice trail; // white space between the value and the comma behind it
    vrmi_slice tail;  // of an expanded container: white space before its closing bracket
    vrmi_edit_node **children;
    uint32_t count, capacity;
    bool expanded, is_object, changed;
    uint64_t written_version; // of vrmi_edit.version; 0: never
    vrmi_slice written;       // text with the changes, in vrmi_edit.written
};

// A JSON pointer that is being followed, and the part taken last, decoded.
typedef struct vrmi_edit_parts {
    vrmi_edit *edit;
    const char *at; // at a '/', or at the end
    vrmi_slice part;
    bool no_memory;
} vrmi_edit_parts;

static inline bool vrmi_edit_is_container(const vrmi_edit_node *node)
{
    return node->text.data[0] == '{' || node->text.data[0] == '[';
}

// RFC 6901: empty, or every part behind a '/', and '~' only as ~0 or ~1.
bool vrmi_edit_is_pointer(const char *pointer);
// Takes the next part off and decodes it into the arena. False at the end or without memory.
bool vrmi_edit_next_part(vrmi_edit_parts *p);
bool vrmi_edit_is_dash(vrmi_slice part);
// Digits without leading zeros.
bool vrmi_edit_array_index(vrmi_slice part, uint32_t *out);
// Creates a container's children. Duplicate keys stay: lookups find the last one, all are written. False without
// memory.
bool vrmi_edit_expand(vrmi_edit *edit, vrmi_edit_node *node);
// Follows a pointer as far as values exist. VRM_SUCCESS: `*out_node` is the value. VRM_ERROR_NOT_FOUND: it is the
// container that lacks the part `p->part`. VRM_ERROR_INVALID_ARGUMENT: the pointer leads through a scalar.
vrm_result vrmi_edit_walk(vrmi_edit *edit, vrmi_edit_parts *p, vrmi_edit_node **out_node);

#endif
