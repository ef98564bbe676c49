// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "format/edit/edit_tree.h"

#include <string.h>

// --- pointers --------------------------------------------------------------------------------------------------------

bool vrmi_edit_is_pointer(const char *pointer)
{
    if (pointer[0] != '\0' && pointer[0] != '/') {
        return false;
    }
    for (const char *p = pointer; *p != '\0'; ++p) {
        if (*p == '~' && p[1] != '0' && p[1] != '1') {
            return false;
        }
    }
    return true;
}

bool vrmi_edit_next_part(vrmi_edit_parts *p)
{
    if (*p->at == '\0') {
        return false;
    }
    const char *start = ++p->at;
    while (*p->at != '\0' && *p->at != '/') {
        ++p->at;
    }
    const size_t length = (size_t)(p->at - start);
    p->part = (vrmi_slice){start, length};
    if (memchr(start, '~', length) == NULL) {
        return true;
    }
    char *decoded = vrmi_arena_alloc(&p->edit->arena, length, 1);
    if (decoded == NULL) {
        p->no_memory = true;
        return false;
    }
    size_t size = 0;
    for (size_t i = 0; i < length; ++i) {
        if (start[i] == '~') {
            decoded[size++] = start[++i] == '0' ? '~' : '/';
        } else {
            decoded[size++] = start[i];
        }
    }
    p->part = (vrmi_slice){decoded, size};
    return true;
}

bool vrmi_edit_is_dash(vrmi_slice part)
{
    return part.length == 1 && part.data[0] == '-';
}

bool vrmi_edit_array_index(vrmi_slice part, uint32_t *out)
{
    uint64_t index = 0;
    if (part.length == 0 || part.length > 9 || (part.length > 1 && part.data[0] == '0')) {
        return false;
    }
    for (size_t i = 0; i < part.length; ++i) {
        if (part.data[i] < '0' || part.data[i] > '9') {
            return false;
        }
        index = index * 10 + (uint64_t)(part.data[i] - '0');
    }
    *out = (uint32_t)index;
    return true;
}

// --- growing the tree ------------------------------------------------------------------------------------------------

static bool is_white(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// Parses the text of a node. The result is kept because child nodes point into it.
static bool parse_node(vrmi_edit *edit, vrmi_edit_node *node)
{
    vrmi_json *json = vrmi_arena_alloc(&edit->arena, 1, sizeof(*json));
    vrmi_json **slot = json != NULL ? vrmi_array_push(&edit->parsed, &edit->allocator) : NULL;
    if (slot == NULL) {
        return false;
    }
    const vrmi_json_limits limits = {.max_depth = edit->max_depth, .max_memory = UINT64_MAX};
    *slot = json;
    if (vrmi_json_parse(json, node->text.data, node->text.length, &edit->allocator, &limits, NULL) != VRM_SUCCESS) {
        --edit->parsed.count; // the text was valid JSON when it was set, so only memory can be missing
        return false;
    }
    node->json = json;
    node->token = 0;
    return true;
}

static bool decode_name(vrmi_edit *edit, const vrmi_json *json, uint32_t key, vrmi_slice *out)
{
    const vrmi_json_token *token = &json->tokens[key];
    *out = (vrmi_slice){json->text + token->start, token->end - token->start};
    if (!token->escaped) {
        return true;
    }
    char *name = vrmi_arena_alloc(&edit->arena, out->length + 1, 1);
    if (name == NULL) {
        return false;
    }
    out->length = vrmi_json_unescape(json, key, name, out->length + 1);
    out->data = name;
    return true;
}

// Fills in a child from its token. In an object, this is the token of the child's key. Moves `*at` past the comma after
// the child.
static bool fill_child(vrmi_edit *edit, vrmi_edit_node *parent, uint32_t token, vrmi_edit_node *child, const char **at)
{
    const vrmi_json *json = parent->json;
    const uint32_t value = parent->is_object ? token + 1 : token;
    const vrm_string text = vrmi_json_text(json, value);
    const char *end = text.data + text.length;
    child->parent = parent;
    child->text = (vrmi_slice){text.data, text.length};
    child->json = json;
    child->token = value;
    child->lead = (vrmi_slice){*at, (size_t)(text.data - *at)};
    if (parent->is_object) {
        child->indent = (size_t)(json->text + json->tokens[token].start - 1 - *at);
        if (!decode_name(edit, json, token, &child->name)) {
            return false;
        }
    } else {
        child->indent = child->lead.length;
    }
    const char *p = end;
    while (is_white(*p)) {
        ++p;
    }
    if (*p == ',') {
        child->trail = (vrmi_slice){end, (size_t)(p - end)};
        *at = p + 1;
    } else {
        parent->tail = (vrmi_slice){end, (size_t)(p - end)};
        *at = p;
    }
    return true;
}

bool vrmi_edit_expand(vrmi_edit *edit, vrmi_edit_node *node)
{
    if (node->expanded) {
        return true;
    }
    if (node->json == NULL && !parse_node(edit, node)) {
        return false;
    }
    const vrmi_json_token *token = &node->json->tokens[node->token];
    node->is_object = token->kind == VRMI_JSON_OBJECT;
    uint32_t count = 0;
    for (uint32_t at = node->token + 1; at < token->next; at = node->json->tokens[at].next) {
        ++count;
    }
    vrmi_edit_node *block = vrmi_arena_alloc(&edit->arena, count, sizeof(*block));
    node->children = vrmi_arena_alloc(&edit->arena, count, sizeof(vrmi_edit_node *));
    if (block == NULL || node->children == NULL) {
        return false;
    }
    const char *at = node->text.data + 1;
    uint32_t child = node->token + 1;
    for (uint32_t i = 0; i < count; ++i, child = node->json->tokens[child].next) {
        node->children[i] = &block[i];
        if (!fill_child(edit, node, child, &block[i], &at)) {
            return false;
        }
    }
    if (count == 0) {
        node->tail = (vrmi_slice){at, node->text.length - 2};
    }
    node->count = node->capacity = count;
    node->expanded = true;
    return true;
}

static bool grow_root(vrmi_edit *edit)
{
    if (edit->root != NULL) {
        return true;
    }
    vrmi_edit_node *root = vrmi_arena_alloc(&edit->arena, 1, sizeof(*root));
    if (root == NULL) {
        return false;
    }
    const vrm_string text = vrmi_json_text(edit->json, 0);
    root->text = (vrmi_slice){text.data, text.length};
    root->json = edit->json;
    edit->root = root;
    return true;
}

static uint32_t find_member(const vrmi_edit_node *object, vrmi_slice name)
{
    for (uint32_t i = object->count; i > 0; --i) { // the last of duplicate keys is used, as everywhere
        const vrmi_slice *other = &object->children[i - 1]->name;
        if (other->length == name.length && memcmp(other->data, name.data, name.length) == 0) {
            return i - 1;
        }
    }
    return UINT32_MAX;
}

// Returns the index of the child that a part of a pointer names, UINT32_MAX if there is none.
static uint32_t find_child(const vrmi_edit_node *node, vrmi_slice part)
{
    uint32_t index;
    if (node->is_object) {
        return find_member(node, part);
    }
    return vrmi_edit_array_index(part, &index) && index < node->count ? index : UINT32_MAX;
}

vrm_result vrmi_edit_walk(vrmi_edit *edit, vrmi_edit_parts *p, vrmi_edit_node **out_node)
{
    if (!grow_root(edit)) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    vrmi_edit_node *node = edit->root;
    while (vrmi_edit_next_part(p)) {
        *out_node = node;
        if (!vrmi_edit_is_container(node)) {
            return VRM_ERROR_INVALID_ARGUMENT;
        }
        if (!vrmi_edit_expand(edit, node)) {
            return VRM_ERROR_OUT_OF_MEMORY;
        }
        const uint32_t child = find_child(node, p->part);
        if (child == UINT32_MAX) {
            return VRM_ERROR_NOT_FOUND;
        }
        node = node->children[child];
    }
    *out_node = node;
    return p->no_memory ? VRM_ERROR_OUT_OF_MEMORY : VRM_SUCCESS;
}
