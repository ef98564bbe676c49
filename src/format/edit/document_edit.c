// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "base/text.h"
#include "format/gltf/glb.h"
#include "format/gltf/gltf_private.h"

#include <string.h>

// --- JSON by pointer -------------------------------------------------------------------------------------------------

vrm_result vrm_gltf_get_json(const vrm_gltf *gltf, const char *pointer, vrm_string *out_text)
{
    if (!VRM_ASSERT(gltf != NULL && pointer != NULL && out_text != NULL)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    memset(out_text, 0, sizeof(*out_text));
    return vrmi_edit_text(&gltf->private_data->edit, pointer, out_text);
}

vrm_result vrm_gltf_set_json(vrm_gltf *gltf, const char *pointer, const char *json, size_t length)
{
    if (!VRM_ASSERT(gltf != NULL && pointer != NULL && json != NULL)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    return vrmi_edit_set(&gltf->private_data->edit, pointer, json, length);
}

vrm_result vrm_gltf_remove_json(vrm_gltf *gltf, const char *pointer)
{
    if (!VRM_ASSERT(gltf != NULL && pointer != NULL)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    return vrmi_edit_remove(&gltf->private_data->edit, pointer);
}

// --- bytes -----------------------------------------------------------------------------------------------------------

// Chooses the buffer to which bytes are appended: the BIN chunk if it is the first buffer or can become the first
// buffer, otherwise a new buffer. A new buffer becomes a data URI when the document is saved. Buffers in other files
// stay unchanged.
static vrm_result choose_buffer(const vrm_gltf *gltf, uint32_t *out_buffer, bool *out_is_bin)
{
    vrmi_gltf_private *data = gltf->private_data;
    vrm_string uri;
    uint32_t count;
    const vrm_result result = vrmi_edit_count(&data->edit, "/buffers", &count);
    if (result != VRM_SUCCESS) {
        return result;
    }
    const vrm_result has_uri = count != 0 ? vrmi_edit_text(&data->edit, "/buffers/0/uri", &uri) : VRM_ERROR_NOT_FOUND;
    if (has_uri == VRM_ERROR_OUT_OF_MEMORY) {
        return has_uri;
    }
    const bool binary = (gltf->flags & VRM_GLTF_BINARY) != 0;
    *out_is_bin = binary && (count == 0 || (data->has_bin && has_uri == VRM_ERROR_NOT_FOUND));
    *out_buffer = *out_is_bin ? 0 : count;
    return VRM_SUCCESS;
}

static bool reserve_bytes(vrmi_edit *edit, size_t size)
{
    if (size <= edit->appended_capacity) {
        return true;
    }
    size_t capacity = edit->appended_capacity < 4096 ? 4096 : edit->appended_capacity;
    while (capacity < size) {
        capacity *= 2; // cannot overflow: sizes stay below MAX_BUFFER
    }
    uint8_t *grown = vrmi_allocate(&edit->allocator, capacity, 16);
    if (grown == NULL) {
        return false;
    }
    if (edit->appended_size != 0) {
        memcpy(grown, edit->appended, edit->appended_size);
    }
    vrmi_release(&edit->allocator, edit->appended, edit->appended_capacity);
    edit->appended = grown;
    edit->appended_capacity = capacity;
    return true;
}

// The largest BIN chunk that GLB's 32-bit lengths allow. The size of the JSON chunk is checked when saving.
#define MAX_BUFFER ((uint64_t)UINT32_MAX - 64)

static vrm_result add_view_json(vrmi_edit *edit, uint32_t buffer, size_t offset, size_t size, uint32_t *out_view)
{
    char view[128], length[64], pointer[48];
    vrm_result result = vrmi_edit_count(edit, "/bufferViews", out_view);
    if (result != VRM_SUCCESS) {
        return result;
    }
    vrmi_format(view, sizeof(view), "{\"buffer\":%u,\"byteOffset\":%llu,\"byteLength\":%llu}", buffer,
        (unsigned long long)offset, (unsigned long long)size);
    result = vrmi_edit_set(edit, "/bufferViews/-", view, strlen(view));
    if (result != VRM_SUCCESS) {
        return result;
    }
    uint32_t buffers;
    result = vrmi_edit_count(edit, "/buffers", &buffers);
    if (result == VRM_SUCCESS) {
        const bool is_new = buffer >= buffers;
        vrmi_format(
            length, sizeof(length), is_new ? "{\"byteLength\":%llu}" : "%llu", (unsigned long long)(offset + size));
        vrmi_format(pointer, sizeof(pointer), is_new ? "/buffers/-" : "/buffers/%u/byteLength", buffer);
        result = vrmi_edit_set(edit, pointer, length, strlen(length));
    }
    if (result != VRM_SUCCESS) {
        // Undo the unfinished edit by removing the view. If the array has no other views, the whole array is removed,
        // which needs no memory.
        vrmi_format(pointer, sizeof(pointer), *out_view == 0 ? "/bufferViews" : "/bufferViews/%u", *out_view);
        vrmi_edit_remove(edit, pointer);
    }
    return result;
}

vrm_result vrm_gltf_append_buffer_view(vrm_gltf *gltf, const void *bytes, size_t size, uint32_t *out_view)
{
    if (!VRM_ASSERT(gltf != NULL && bytes != NULL && out_view != NULL && size != 0)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    vrmi_gltf_private *data = gltf->private_data;
    vrmi_edit *edit = &data->edit;
    uint32_t buffer = edit->own_buffer;
    bool is_bin = edit->own_is_bin;
    if (!vrmi_edit_has_own_buffer(edit)) {
        const vrm_result chosen = choose_buffer(gltf, &buffer, &is_bin);
        if (chosen != VRM_SUCCESS) {
            return chosen;
        }
    }
    const size_t base = is_bin && data->has_bin ? vrmi_align4(data->bin_size) : 0;
    const size_t start = vrmi_align4(edit->appended_size);
    if (size > MAX_BUFFER || (uint64_t)base + start + size > MAX_BUFFER) {
        return VRM_ERROR_LIMIT;
    }
    if (!reserve_bytes(edit, start + size)) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    const vrm_result result = add_view_json(edit, buffer, base + start, size, out_view);
    if (result != VRM_SUCCESS) {
        return result;
    }
    memset(edit->appended + edit->appended_size, 0, start - edit->appended_size);
    memcpy(edit->appended + start, bytes, size);
    edit->appended_size = start + size;
    edit->own_buffer = buffer;
    edit->own_is_bin = is_bin;
    return VRM_SUCCESS;
}
