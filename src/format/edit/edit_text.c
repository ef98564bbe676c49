// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Writes an edited tree as text. Unchanged values are copied verbatim.

#include "format/edit/edit_tree.h"

typedef struct frame {
    const vrmi_edit_node *node;
    uint32_t next; // index of the next child
} frame;

// Writes a value and its children, without recursion. Unchanged children are copied.
static bool write_node(const vrmi_edit *edit, const vrmi_edit_node *top, vrmi_text *out)
{
    vrmi_array stack = {.item_size = sizeof(frame)};
    frame *at = NULL;
    const vrmi_edit_node *node = top; // the next node to write, or NULL
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
                const vrmi_slice *trail = &container->children[at->next - 1]->trail;
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
    vrmi_edit_parts p = {.edit = edit, .at = pointer};
    vrmi_edit_node *node = NULL;
    if (!vrmi_edit_is_pointer(pointer)) {
        return VRM_ERROR_NOT_FOUND;
    }
    if (edit->version == 0) { // without edits there is no tree
        const uint32_t value = vrmi_json_at(edit->json, pointer);
        *out_text = vrmi_json_text(edit->json, value);
        return value == VRMI_JSON_NONE ? VRM_ERROR_NOT_FOUND : VRM_SUCCESS;
    }
    const vrm_result found = vrmi_edit_walk(edit, &p, &node);
    if (found != VRM_SUCCESS) {
        return found == VRM_ERROR_OUT_OF_MEMORY ? found : VRM_ERROR_NOT_FOUND;
    }
    vrmi_slice text = node->text;
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
        node->written = (vrmi_slice){written->data, written->size};
        node->written_version = edit->version;
    }
    if (node->changed) {
        text = node->written;
    }
    out_text->data = text.data;
    out_text->length = (uint32_t)text.length;
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
