// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "format/edit/edit.h"

#include <string.h>

#include "format/edit/edit_tree.h"

void vrmi_edit_init(vrmi_edit *edit, const vrmi_json *json, uint32_t max_depth, const vrm_allocator *allocator)
{
    memset(edit, 0, sizeof(*edit));
    edit->allocator = *allocator;
    edit->json = json;
    edit->max_depth = max_depth;
    edit->parsed.item_size = sizeof(vrmi_json *);
    edit->written.item_size = sizeof(vrmi_text);
    vrmi_arena_init(&edit->arena, allocator, 0);
}

static void forget_written(vrmi_edit *edit)
{
    vrmi_text *texts = edit->written.items;
    for (uint32_t i = 0; i < edit->written.count; ++i) {
        vrmi_text_free(&texts[i]);
    }
    edit->written.count = 0;
}

void vrmi_edit_free(vrmi_edit *edit)
{
    forget_written(edit);
    vrmi_array_free(&edit->written, &edit->allocator);
    vrmi_json **parsed = edit->parsed.items;
    for (uint32_t i = 0; i < edit->parsed.count; ++i) {
        vrmi_json_free(parsed[i]);
    }
    vrmi_array_free(&edit->parsed, &edit->allocator);
    vrmi_arena_free(&edit->arena);
    vrmi_release(&edit->allocator, edit->appended, edit->appended_capacity);
    vrmi_release(&edit->allocator, edit->bin, edit->bin_size);
    vrmi_release(&edit->allocator, edit->bin_readers, edit->bin_size);
}

// --- editing ---------------------------------------------------------------------------------------------------------

static void mark_changed(vrmi_edit *edit, vrmi_edit_node *node)
{
    for (; node != NULL; node = node->parent) {
        node->changed = true;
    }
    ++edit->version;
    forget_written(edit);
}

static void replace(vrmi_edit *edit, vrmi_edit_node *node, vrmi_slice text)
{
    node->text = text;
    node->json = NULL;
    node->expanded = false;
    node->children = NULL;
    node->count = node->capacity = 0;
    mark_changed(edit, node);
    node->changed = false; // the whole text of the value is replaced
}

static bool reserve_child(vrmi_edit *edit, vrmi_edit_node *node)
{
    if (node->count < node->capacity) {
        return true;
    }
    const uint32_t capacity = node->capacity < 8 ? 16 : node->capacity * 2;
    vrmi_edit_node **children = vrmi_arena_alloc(&edit->arena, capacity, sizeof(vrmi_edit_node *));
    if (children == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < node->count; ++i) {
        children[i] = node->children[i];
    }
    node->children = children;
    node->capacity = capacity;
    return true;
}

static vrmi_slice keep_text(vrmi_edit *edit, const vrmi_text *text)
{
    char *copy = text->failed ? NULL : vrmi_arena_alloc(&edit->arena, text->size + 1, 1);
    if (copy != NULL && text->size != 0) {
        memcpy(copy, text->data, text->size);
    }
    return (vrmi_slice){copy, text->size};
}

// Writes the white space, key and colon in front of a new child, formatted like those of the previous child.
static bool make_lead(vrmi_edit *edit, const vrmi_edit_node *parent, vrmi_edit_node *child)
{
    const vrmi_edit_node *before = parent->count != 0 ? parent->children[parent->count - 1] : NULL;
    vrmi_text text;
    vrmi_text_init(&text, &edit->allocator);
    if (before != NULL) {
        vrmi_text_add(&text, before->lead.data, before->indent);
        child->indent = before->indent;
    }
    if (parent->is_object) {
        vrmi_text_add_json_string(&text, child->name.data, child->name.length);
        const char *colon = ":";
        size_t length = 1;
        if (before != NULL) { // copies the text after the key of the previous child; the key ends with a quote
            const char *end = before->lead.data + before->lead.length;
            colon = end;
            while (colon[-1] != '"') {
                --colon;
            }
            length = (size_t)(end - colon);
        }
        vrmi_text_add(&text, colon, length);
    }
    child->lead = keep_text(edit, &text);
    vrmi_text_free(&text);
    return child->lead.data != NULL;
}

static vrm_result append_child(vrmi_edit *edit, vrmi_edit_node *parent, vrmi_slice name, vrmi_slice text)
{
    vrmi_edit_node *child = vrmi_arena_alloc(&edit->arena, 1, sizeof(*child));
    char *kept_name = vrmi_arena_alloc(&edit->arena, name.length, 1);
    if (child == NULL || kept_name == NULL || !reserve_child(edit, parent)) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    memcpy(kept_name, name.data, name.length);
    child->parent = parent;
    child->text = text;
    child->name = (vrmi_slice){kept_name, name.length};
    if (!make_lead(edit, parent, child)) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    parent->children[parent->count++] = child;
    mark_changed(edit, parent);
    return VRM_SUCCESS;
}

// Checks that the value is JSON and wraps it in those members of the pointer that do not exist yet:
// `{"b":{"c":value}}`.
static vrm_result make_fragment(
    vrmi_edit *edit, vrmi_edit_parts *missing, const char *json, size_t length, vrmi_slice *out)
{
    const vrmi_json_limits limits = {.max_depth = edit->max_depth, .max_memory = UINT64_MAX};
    vrmi_json parsed;
    const vrm_result result = vrmi_json_parse(&parsed, json, length, &edit->allocator, &limits, NULL);
    if (result != VRM_SUCCESS) {
        return result == VRM_ERROR_OUT_OF_MEMORY ? result : VRM_ERROR_INVALID_ARGUMENT;
    }
    const vrm_string value = vrmi_json_text(&parsed, 0);
    vrmi_text text, closing;
    vrmi_text_init(&text, &edit->allocator);
    vrmi_text_init(&closing, &edit->allocator);
    while (vrmi_edit_next_part(missing)) {
        if (vrmi_edit_is_dash(missing->part)) {
            vrmi_text_add(&text, "[", 1);
            vrmi_text_add(&closing, "]", 1);
        } else {
            vrmi_text_add(&text, "{", 1);
            vrmi_text_add_json_string(&text, missing->part.data, missing->part.length);
            vrmi_text_add(&text, ":", 1);
            vrmi_text_add(&closing, "}", 1);
        }
    }
    vrmi_text_add(&text, value.data, value.length);
    for (size_t i = closing.failed ? 0 : closing.size; i > 0; --i) {
        vrmi_text_add(&text, &closing.data[i - 1], 1);
    }
    *out = closing.failed || missing->no_memory ? (vrmi_slice){NULL, 0} : keep_text(edit, &text);
    vrmi_text_free(&text);
    vrmi_text_free(&closing);
    vrmi_json_free(&parsed);
    return out->data == NULL ? VRM_ERROR_OUT_OF_MEMORY : VRM_SUCCESS;
}

static uint32_t pointer_depth(const char *pointer)
{
    uint32_t depth = 0;
    for (; *pointer != '\0'; ++pointer) {
        depth += *pointer == '/';
    }
    return depth;
}

vrm_result vrmi_edit_set(vrmi_edit *edit, const char *pointer, const char *json, size_t length)
{
    vrmi_edit_parts p = {.edit = edit, .at = pointer};
    vrmi_edit_node *node = NULL;
    vrmi_slice text;
    if (!vrmi_edit_is_pointer(pointer) || pointer_depth(pointer) > edit->max_depth) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const vrm_result found = vrmi_edit_walk(edit, &p, &node);
    if (found != VRM_SUCCESS && found != VRM_ERROR_NOT_FOUND) {
        return found;
    }
    const vrmi_slice missing = p.part;
    if (found == VRM_ERROR_NOT_FOUND && !node->is_object) {
        uint32_t index;
        const bool is_end =
            vrmi_edit_is_dash(missing) || (vrmi_edit_array_index(missing, &index) && index == node->count);
        if (!is_end) {
            return VRM_ERROR_INVALID_ARGUMENT;
        }
    }
    const vrm_result made = make_fragment(edit, &p, json, length, &text);
    if (made != VRM_SUCCESS) {
        return made;
    }
    if (found == VRM_SUCCESS) {
        replace(edit, node, text);
        return VRM_SUCCESS;
    }
    return append_child(edit, node, node->is_object ? missing : (vrmi_slice){"", 0}, text);
}

vrm_result vrmi_edit_remove(vrmi_edit *edit, const char *pointer)
{
    vrmi_edit_parts p = {.edit = edit, .at = pointer};
    vrmi_edit_node *node = NULL;
    if (!vrmi_edit_is_pointer(pointer) || pointer[0] == '\0') {
        return VRM_ERROR_NOT_FOUND;
    }
    const vrm_result found = vrmi_edit_walk(edit, &p, &node);
    if (found != VRM_SUCCESS) {
        return found == VRM_ERROR_OUT_OF_MEMORY ? found : VRM_ERROR_NOT_FOUND;
    }
    vrmi_edit_node *parent = node->parent;
    uint32_t at = 0;
    while (parent->children[at] != node) {
        ++at;
    }
    --parent->count;
    memmove(&parent->children[at], &parent->children[at + 1], (parent->count - at) * sizeof(vrmi_edit_node *));
    mark_changed(edit, parent);
    return VRM_SUCCESS;
}

vrm_result vrmi_edit_count(vrmi_edit *edit, const char *pointer, uint32_t *out_count)
{
    vrmi_edit_parts p = {.edit = edit, .at = pointer};
    vrmi_edit_node *node = NULL;
    *out_count = 0;
    const vrm_result found = vrmi_edit_walk(edit, &p, &node);
    if (found != VRM_SUCCESS) {
        return found == VRM_ERROR_OUT_OF_MEMORY ? found : VRM_SUCCESS;
    }
    if (vrmi_edit_is_container(node)) {
        if (!vrmi_edit_expand(edit, node)) {
            return VRM_ERROR_OUT_OF_MEMORY;
        }
        *out_count = node->count;
    }
    return VRM_SUCCESS;
}
