// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_FORMAT_EDIT_TREE_H
#define VRMI_FORMAT_EDIT_TREE_H

// The tree over a document's text. edit.c changes it; edit_text.c writes it.

#include "format/edit/edit.h"

typedef struct vrmi_slice {
    const char *data;
    size_t length;
} vrmi_slice;

// A value on the path of an edit's pointer, or a sibling of such a value.
struct vrmi_edit_node {
    vrmi_edit_node *parent;
    vrmi_slice text;       // the original text; written if nothing inside changed
    const vrmi_json *json; // the JSON that the value was parsed in; NULL: not yet parsed
    uint32_t token;
    vrmi_slice name;  // decoded key, if the value is a member
    vrmi_slice lead;  // text between the preceding comma or bracket and the value: white space, key, colon
    size_t indent;    // length of the white space before the key in `lead`
    vrmi_slice trail; // white space between the value and the next comma
    vrmi_slice tail;  // of an expanded container: white space before the closing bracket
    vrmi_edit_node **children;
    uint32_t count, capacity;
    bool expanded, is_object, changed;
    uint64_t written_version; // value of vrmi_edit.version when `written` was stored; 0: never
    vrmi_slice written;       // text including changes, stored in vrmi_edit.written
};

// A JSON pointer that is being followed. `part` is the decoded part that was taken last.
typedef struct vrmi_edit_parts {
    vrmi_edit *edit;
    const char *at; // the rest of the pointer: begins with '/' or is empty
    vrmi_slice part;
    bool no_memory;
} vrmi_edit_parts;

static inline bool vrmi_edit_is_container(const vrmi_edit_node *node)
{
    return node->text.data[0] == '{' || node->text.data[0] == '[';
}

// Whether a text is a JSON pointer (RFC 6901): empty, or parts that each begin with '/'. A '~' must be followed by 0 or
// 1.
bool vrmi_edit_is_pointer(const char *pointer);
// Takes the next part of the pointer and decodes it into the arena. Returns false at the end or if memory runs out.
bool vrmi_edit_next_part(vrmi_edit_parts *p);
bool vrmi_edit_is_dash(vrmi_slice part);
// Reads an array index, which must be digits without leading zeros.
bool vrmi_edit_array_index(vrmi_slice part, uint32_t *out);
// Creates a container's children. Duplicate keys are all kept and written, but lookups find the last one. Returns false
// if memory runs out.
bool vrmi_edit_expand(vrmi_edit *edit, vrmi_edit_node *node);
// Follows a pointer as far as values exist. VRM_SUCCESS: `*out_node` is the value. VRM_ERROR_NOT_FOUND: `*out_node` is
// the last container that exists; it has no child named `p->part`. VRM_ERROR_INVALID_ARGUMENT: the pointer passes
// through a value that is not a container.
vrm_result vrmi_edit_walk(vrmi_edit *edit, vrmi_edit_parts *p, vrmi_edit_node **out_node);

#endif
