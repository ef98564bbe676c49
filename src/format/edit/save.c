// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/text.h"
#include "format/edit/negate.h"
#include "format/gltf/glb.h"
#include "format/gltf/gltf_private.h"
#include "format/uri.h"

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

// Writes all chunks except the JSON and BIN chunks in use and returns their size. If `out` is NULL, only computes the
// size.
static size_t write_other_chunks(const vrm_gltf *gltf, uint8_t *out)
{
    const vrmi_gltf_private *data = gltf->private_data;
    const size_t declared = vrmi_load32(gltf->bytes + 8), end = declared < gltf->size ? declared : gltf->size;
    size_t total = 0;
    for (size_t at = 12; end - at >= 8;) { // loading has checked that each chunk fits
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
    const size_t appended = vrmi_edit_has_own_buffer(edit) && edit->own_is_bin ? edit->appended_size : 0;
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

// Writes the JSON. The data URI of the appended bytes is set only while writing: otherwise each append would have to
// rewrite it.
static vrm_result write_json(const vrm_gltf *gltf, vrmi_text *out)
{
    static const char prefix[] = "\"data:application/octet-stream;base64,";
    vrmi_edit *edit = &gltf->private_data->edit;
    if (!vrmi_edit_has_own_buffer(edit) || edit->own_is_bin) {
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
            --json.size; // removes the padding of the loaded chunk
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
