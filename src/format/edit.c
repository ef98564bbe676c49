// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "format/edit.h"

#include <string.h>

#include "base/checks.h"

typedef struct slice {
    const char *data;
    size_t length;
} slice;

// A value that was reached by a pointer, or the sibling of one.
struct vrmi_edit_node {
    vrmi_edit_node *parent;
    slice text;            // as it came; what is written while nothing beneath was changed
    const vrmi_json *json; // where it was parsed, NULL for a fragment that nobody has looked into
    uint32_t token;
    slice name;    // of a member, decoded
    slice lead;    // from the comma or bracket before it up to the value: white space, key, colon
    size_t indent; // of which so much is white space before the key
    slice trail;   // white space between the value and the comma behind it
    slice tail;    // of an expanded container: white space before its closing bracket
    vrmi_edit_node **children;
    uint32_t count, capacity;
    bool expanded, is_object, changed;
    uint64_t written_version; // of vrmi_edit.version; 0: never
    slice written;            // text with the changes, in vrmi_edit.written
};

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

// --- pointers --------------------------------------------------------------------------------------------------------

// Takes the next part off a JSON pointer and decodes it into the arena. False at the end or without memory.
typedef struct parts {
    vrmi_edit *edit;
    const char *at; // at a '/', or at the end
    slice part;
    bool no_memory;
} parts;

// RFC 6901: empty, or every part behind a '/', and '~' only as ~0 or ~1.
static bool is_pointer(const char *pointer)
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

static bool next_part(parts *p)
{
    if (*p->at == '\0') {
        return false;
    }
    const char *start = ++p->at;
    while (*p->at != '\0' && *p->at != '/') {
        ++p->at;
    }
    const size_t length = (size_t)(p->at - start);
    p->part = (slice){start, length};
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
    p->part = (slice){decoded, size};
    return true;
}

static bool is_dash(slice part)
{
    return part.length == 1 && part.data[0] == '-';
}

// Digits without leading zeros.
static bool array_index(slice part, uint32_t *out)
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

// Parses a fragment; kept, because nodes point into it.
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
        --edit->parsed.count; // it was JSON when it was set: only memory can be missing
        return false;
    }
    node->json = json;
    node->token = 0;
    return true;
}

static bool decode_name(vrmi_edit *edit, const vrmi_json *json, uint32_t key, slice *out)
{
    const vrmi_json_token *token = &json->tokens[key];
    *out = (slice){json->text + token->start, token->end - token->start};
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

// Fills a child from its token (a key's, in an object) and moves `*at` behind its comma.
static bool fill_child(vrmi_edit *edit, vrmi_edit_node *parent, uint32_t token, vrmi_edit_node *child, const char **at)
{
    const vrmi_json *json = parent->json;
    const uint32_t value = parent->is_object ? token + 1 : token;
    const vrm_string text = vrmi_json_text(json, value);
    const char *end = text.data + text.length;
    child->parent = parent;
    child->text = (slice){text.data, text.length};
    child->json = json;
    child->token = value;
    child->lead = (slice){*at, (size_t)(text.data - *at)};
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
        child->trail = (slice){end, (size_t)(p - end)};
        *at = p + 1;
    } else {
        parent->tail = (slice){end, (size_t)(p - end)};
        *at = p;
    }
    return true;
}

static bool is_container(const vrmi_edit_node *node)
{
    return node->text.data[0] == '{' || node->text.data[0] == '[';
}

// Gives a container its children. Duplicate keys stay: the last one is found, all are written.
static bool expand(vrmi_edit *edit, vrmi_edit_node *node)
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
        node->tail = (slice){at, node->text.length - 2};
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
    root->text = (slice){text.data, text.length};
    root->json = edit->json;
    edit->root = root;
    return true;
}

static uint32_t find_member(const vrmi_edit_node *object, slice name)
{
    for (uint32_t i = object->count; i > 0; --i) { // of equal keys the last one counts, as everywhere
        const slice *other = &object->children[i - 1]->name;
        if (other->length == name.length && memcmp(other->data, name.data, name.length) == 0) {
            return i - 1;
        }
    }
    return UINT32_MAX;
}

// Index of the child that a part names in an expanded container, or UINT32_MAX.
static uint32_t find_child(const vrmi_edit_node *node, slice part)
{
    uint32_t index;
    if (node->is_object) {
        return find_member(node, part);
    }
    return array_index(part, &index) && index < node->count ? index : UINT32_MAX;
}

// Follows a pointer as far as there are values. VRM_SUCCESS: `*out_node` is the value. VRM_ERROR_NOT_FOUND: it is the
// container in which the part `p->part` is missing. VRM_ERROR_INVALID_ARGUMENT: it leads through a scalar.
static vrm_result walk(vrmi_edit *edit, parts *p, vrmi_edit_node **out_node)
{
    if (!grow_root(edit)) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    vrmi_edit_node *node = edit->root;
    while (next_part(p)) {
        *out_node = node;
        if (!is_container(node)) {
            return VRM_ERROR_INVALID_ARGUMENT;
        }
        if (!expand(edit, node)) {
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

// --- editing ---------------------------------------------------------------------------------------------------------

static void mark_changed(vrmi_edit *edit, vrmi_edit_node *node)
{
    for (; node != NULL; node = node->parent) {
        node->changed = true;
    }
    ++edit->version;
    forget_written(edit);
}

static void replace(vrmi_edit *edit, vrmi_edit_node *node, slice text)
{
    node->text = text;
    node->json = NULL;
    node->expanded = false;
    node->children = NULL;
    node->count = node->capacity = 0;
    mark_changed(edit, node);
    node->changed = false; // its text is new as a whole
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

static slice keep_text(vrmi_edit *edit, const vrmi_text *text)
{
    char *copy = text->failed ? NULL : vrmi_arena_alloc(&edit->arena, text->size + 1, 1);
    if (copy != NULL && text->size != 0) {
        memcpy(copy, text->data, text->size);
    }
    return (slice){copy, text->size};
}

// White space, key and colon of a new child, in the manner of the one before it.
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
        if (before != NULL) { // what stands behind the key of the one before, which ends with a quote
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

static vrm_result append_child(vrmi_edit *edit, vrmi_edit_node *parent, slice name, slice text)
{
    vrmi_edit_node *child = vrmi_arena_alloc(&edit->arena, 1, sizeof(*child));
    char *kept_name = vrmi_arena_alloc(&edit->arena, name.length, 1);
    if (child == NULL || kept_name == NULL || !reserve_child(edit, parent)) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    memcpy(kept_name, name.data, name.length);
    child->parent = parent;
    child->text = text;
    child->name = (slice){kept_name, name.length};
    if (!make_lead(edit, parent, child)) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    parent->children[parent->count++] = child;
    mark_changed(edit, parent);
    return VRM_SUCCESS;
}

// The value within the members that are missing on the way: `{"b":{"c":value}}`; and the check that it is JSON.
static vrm_result make_fragment(vrmi_edit *edit, parts *missing, const char *json, size_t length, slice *out)
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
    while (next_part(missing)) {
        if (is_dash(missing->part)) {
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
    *out = closing.failed || missing->no_memory ? (slice){NULL, 0} : keep_text(edit, &text);
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
    parts p = {.edit = edit, .at = pointer};
    vrmi_edit_node *node = NULL;
    slice text;
    if (!is_pointer(pointer) || pointer_depth(pointer) > edit->max_depth) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const vrm_result found = walk(edit, &p, &node);
    if (found != VRM_SUCCESS && found != VRM_ERROR_NOT_FOUND) {
        return found;
    }
    const slice missing = p.part;
    if (found == VRM_ERROR_NOT_FOUND && !node->is_object) {
        uint32_t index;
        const bool is_end = is_dash(missing) || (array_index(missing, &index) && index == node->count);
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
    return append_child(edit, node, node->is_object ? missing : (slice){"", 0}, text);
}

vrm_result vrmi_edit_remove(vrmi_edit *edit, const char *pointer)
{
    parts p = {.edit = edit, .at = pointer};
    vrmi_edit_node *node = NULL;
    if (!is_pointer(pointer) || pointer[0] == '\0') {
        return VRM_ERROR_NOT_FOUND;
    }
    const vrm_result found = walk(edit, &p, &node);
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

// --- writing ---------------------------------------------------------------------------------------------------------

typedef struct frame {
    const vrmi_edit_node *node;
    uint32_t next; // child
} frame;

// Writes a value whose children changed, without recursion.
static bool write_node(const vrmi_edit *edit, const vrmi_edit_node *top, vrmi_text *out)
{
    vrmi_array stack = {.item_size = sizeof(frame)};
    frame *at = NULL;
    const vrmi_edit_node *node = top; // to be begun, or NULL
    while (node != NULL || stack.count != 0) {
        if (node != NULL && !node->changed) {
            vrmi_text_add(out, node->text.data, node->text.length);
        } else if (node != NULL) {
            vrmi_text_add(out, node->is_object ? "{" : "[", 1);
            at = vrmi_array_push(&stack, &edit->allocator);
            if (at == NULL) {
                out->failed = true;
                break;
            }
            at->node = node;
        }
        node = NULL;
        if (stack.count == 0) {
            break;
        }
        at = (frame *)stack.items + (stack.count - 1);
        const vrmi_edit_node *container = at->node;
        if (at->next < container->count) {
            if (at->next > 0) {
                const slice *trail = &container->children[at->next - 1]->trail;
                vrmi_text_add(out, trail->data, trail->length);
                vrmi_text_add(out, ",", 1);
            }
            node = container->children[at->next++];
            vrmi_text_add(out, node->lead.data, node->lead.length);
        } else {
            vrmi_text_add(out, container->tail.data, container->tail.length);
            vrmi_text_add(out, container->is_object ? "}" : "]", 1);
            --stack.count;
        }
    }
    vrmi_array_free(&stack, &edit->allocator);
    return !out->failed;
}

vrm_result vrmi_edit_text(vrmi_edit *edit, const char *pointer, vrm_string *out_text)
{
    parts p = {.edit = edit, .at = pointer};
    vrmi_edit_node *node = NULL;
    if (!is_pointer(pointer)) {
        return VRM_ERROR_NOT_FOUND;
    }
    if (edit->version == 0) { // nothing was edited: no need to grow anything
        const uint32_t value = vrmi_json_at(edit->json, pointer);
        *out_text = vrmi_json_text(edit->json, value);
        return value == VRMI_JSON_NONE ? VRM_ERROR_NOT_FOUND : VRM_SUCCESS;
    }
    const vrm_result found = walk(edit, &p, &node);
    if (found != VRM_SUCCESS) {
        return found == VRM_ERROR_OUT_OF_MEMORY ? found : VRM_ERROR_NOT_FOUND;
    }
    slice text = node->text;
    if (node->changed && node->written_version != edit->version) {
        vrmi_text *written = vrmi_array_push(&edit->written, &edit->allocator);
        if (written == NULL) {
            return VRM_ERROR_OUT_OF_MEMORY;
        }
        vrmi_text_init(written, &edit->allocator);
        if (!write_node(edit, node, written)) {
            vrmi_text_free(written);
            --edit->written.count;
            return VRM_ERROR_OUT_OF_MEMORY;
        }
        node->written = (slice){written->data, written->size};
        node->written_version = edit->version;
    }
    if (node->changed) {
        text = node->written;
    }
    out_text->data = text.data;
    out_text->length = (uint32_t)text.length;
    return VRM_SUCCESS;
}

vrm_result vrmi_edit_count(vrmi_edit *edit, const char *pointer, uint32_t *out_count)
{
    parts p = {.edit = edit, .at = pointer};
    vrmi_edit_node *node = NULL;
    *out_count = 0;
    const vrm_result found = walk(edit, &p, &node);
    if (found != VRM_SUCCESS) {
        return found == VRM_ERROR_OUT_OF_MEMORY ? found : VRM_SUCCESS;
    }
    if (is_container(node)) {
        if (!expand(edit, node)) {
            return VRM_ERROR_OUT_OF_MEMORY;
        }
        *out_count = node->count;
    }
    return VRM_SUCCESS;
}

bool vrmi_edit_write(vrmi_edit *edit, vrmi_text *out)
{
    const vrmi_json *json = edit->json;
    const vrm_string root = vrmi_json_text(json, 0);
    const size_t before = (size_t)(root.data - json->text), end = before + root.length;
    vrmi_text_add(out, json->text, before);
    if (edit->root != NULL) {
        write_node(edit, edit->root, out);
    } else {
        vrmi_text_add(out, root.data, root.length);
    }
    vrmi_text_add(out, json->text + end, json->size - end);
    return !out->failed;
}
