// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/text.h"
#include "format/edit/negate.h"
#include "format/gltf/glb.h"
#include "format/gltf/gltf_private.h"
#include "format/uri.h"

// --- JSON by pointer -------------------------------------------------------------------------------------------------

vrm_result vrm_gltf_json(const vrm_gltf *gltf, const char *pointer, vrm_string *out_text)
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

static bool has_own_buffer(const vrmi_edit *edit)
{
    return edit->appended_size != 0;
}

// Which buffer takes appended bytes: the BIN chunk, if it is the first buffer or may become it; else a new buffer,
// which becomes a data URI when saved. Buffers beside the document stay as they are.
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
        capacity *= 2; // sizes stay below 4 GiB, see MAX_BUFFER
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

// What GLB's 32-bit lengths leave for the BIN chunk; the JSON chunk is checked when saving.
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
        // Nothing half-done: the view goes again. An array that was made for it goes as a whole, which needs no memory.
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
    if (!has_own_buffer(edit)) {
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

// --- saving ----------------------------------------------------------------------------------------------------------

static vrm_result give(const vrm_gltf *gltf, size_t size, vrm_bytes *out)
{
    out->data = vrmi_allocate(&gltf->allocator, size, 16);
    if (out->data == NULL) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    out->size = size;
    out->allocator = gltf->allocator;
    return VRM_SUCCESS;
}

static vrm_result save_unedited(const vrm_gltf *gltf, vrm_bytes *out)
{
    const vrm_result result = give(gltf, gltf->size, out);
    if (result == VRM_SUCCESS) {
        memcpy(out->data, gltf->bytes, gltf->size);
    }
    return result;
}

// Chunks that are neither the JSON nor the BIN chunk in use: kept behind them. With `out` NULL only their size.
static size_t write_other_chunks(const vrm_gltf *gltf, uint8_t *out)
{
    const vrmi_gltf_private *data = gltf->private_data;
    const size_t declared = vrmi_load32(gltf->bytes + 8), end = declared < gltf->size ? declared : gltf->size;
    size_t total = 0;
    for (size_t at = 12; end - at >= 8;) { // load has checked that each chunk fits
        const size_t size = vrmi_load32(gltf->bytes + at), start = at + 8;
        if (start != data->json_start && !(data->has_bin && start == data->bin_start)) {
            if (out != NULL) {
                vrmi_store32(out + total, (uint32_t)vrmi_align4(size));
                memcpy(out + total + 4, gltf->bytes + at + 4, 4 + size);
                memset(out + total + 8 + size, 0, vrmi_align4(size) - size);
            }
            total += 8 + vrmi_align4(size);
        }
        at = start + size;
    }
    return total;
}

uint8_t *vrmi_glb_begin(uint8_t *out, uint32_t total, const char *json, size_t size)
{
    const size_t padded = vrmi_align4(size);
    vrmi_store32(out, VRMI_GLB_MAGIC);
    vrmi_store32(out + 4, 2);
    vrmi_store32(out + 8, total);
    out = vrmi_glb_chunk(out + VRMI_GLB_HEADER, (uint32_t)padded, VRMI_GLB_CHUNK_JSON);
    memcpy(out, json, size);
    memset(out + size, ' ', padded - size);
    return out + padded;
}

static vrm_result save_glb(const vrm_gltf *gltf, vrmi_text *json, vrm_bytes *out)
{
    const vrmi_gltf_private *data = gltf->private_data;
    const vrmi_edit *edit = &data->edit;
    const size_t appended = has_own_buffer(edit) && edit->own_is_bin ? edit->appended_size : 0;
    const size_t old_bin = data->has_bin ? data->bin_size : 0;
    const bool has_bin = data->has_bin || appended != 0;
    const size_t bin_size = vrmi_align4(vrmi_align4(old_bin) + appended), json_size = vrmi_align4(json->size);
    const uint64_t total = VRMI_GLB_HEADER + VRMI_GLB_CHUNK_HEADER + (uint64_t)json_size +
                           (has_bin ? VRMI_GLB_CHUNK_HEADER + (uint64_t)bin_size : 0) + write_other_chunks(gltf, NULL);
    if (total > UINT32_MAX) {
        return VRM_ERROR_LIMIT;
    }
    const vrm_result result = give(gltf, (size_t)total, out);
    if (result != VRM_SUCCESS) {
        return result;
    }
    uint8_t *p = vrmi_glb_begin(out->data, (uint32_t)total, json->data, json->size);
    if (has_bin) {
        p = vrmi_glb_chunk(p, (uint32_t)bin_size, VRMI_GLB_CHUNK_BIN);
        memset(p, 0, bin_size);
        if (old_bin != 0) {
            memcpy(p, edit->bin != NULL ? edit->bin : gltf->bytes + data->bin_start, old_bin);
            vrmi_negate_bin(gltf, p);
        }
        if (appended != 0) {
            memcpy(p + vrmi_align4(old_bin), edit->appended, appended);
        }
        p += bin_size;
    }
    write_other_chunks(gltf, p);
    return VRM_SUCCESS;
}

// The URI of the own buffer is in the document only while it is written: before, it would change with every append.
static vrm_result write_json(const vrm_gltf *gltf, vrmi_text *out)
{
    static const char prefix[] = "\"data:application/octet-stream;base64,";
    vrmi_edit *edit = &gltf->private_data->edit;
    if (!has_own_buffer(edit) || edit->own_is_bin) {
        return vrmi_edit_write(edit, out) ? VRM_SUCCESS : VRM_ERROR_OUT_OF_MEMORY;
    }
    char pointer[48];
    const size_t start = sizeof(prefix) - 1, size = start + vrmi_base64_size(edit->appended_size) + 1;
    char *uri = vrmi_allocate(&edit->allocator, size, 1);
    if (uri == NULL) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    memcpy(uri, prefix, start);
    vrmi_base64_encode(edit->appended, edit->appended_size, uri + start);
    uri[size - 1] = '"';
    vrmi_format(pointer, sizeof(pointer), "/buffers/%u/uri", edit->own_buffer);
    vrm_result result = vrmi_edit_set(edit, pointer, uri, size);
    vrmi_release(&edit->allocator, uri, size);
    if (result == VRM_SUCCESS) {
        result = vrmi_edit_write(edit, out) ? VRM_SUCCESS : VRM_ERROR_OUT_OF_MEMORY;
        vrmi_edit_remove(edit, pointer);
    }
    return result;
}

vrm_result vrm_gltf_save(const vrm_gltf *gltf, vrm_bytes *out_bytes)
{
    if (!VRM_ASSERT(gltf != NULL && out_bytes != NULL)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    memset(out_bytes, 0, sizeof(*out_bytes));
    if (gltf->private_data->edit.version == 0) {
        return save_unedited(gltf, out_bytes);
    }
    vrmi_text json;
    vrmi_text_init(&json, &gltf->allocator);
    vrm_result result = write_json(gltf, &json);
    if (result == VRM_SUCCESS && (gltf->flags & VRM_GLTF_BINARY) != 0) {
        while (json.size != 0 && json.data[json.size - 1] == ' ') {
            --json.size; // the padding of the old chunk
        }
        result = save_glb(gltf, &json, out_bytes);
    } else if (result == VRM_SUCCESS) {
        result = give(gltf, json.size, out_bytes);
        if (result == VRM_SUCCESS) {
            memcpy(out_bytes->data, json.data, json.size);
        }
    }
    vrmi_text_free(&json);
    return result;
}
