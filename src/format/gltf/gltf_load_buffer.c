// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/text.h"
#include "format/gltf/gltf_private.h"
#include "format/uri.h"

// --- URIs ------------------------------------------------------------------------------------------------------------

static bool uri_progress(uint64_t work, void *user)
{
    return vrmi_load_work(user, work);
}

static bool decode_data_uri(vrmi_load *load, uint32_t value, const vrmi_data_uri *uri, vrmi_resource *out)
{
    uint8_t *bytes = vrmi_load_alloc(load, vrmi_data_uri_max_size(uri), 1);
    if (bytes == NULL) {
        return false;
    }
    const size_t length =
        uri->media_type.length < sizeof(out->media_type) - 1 ? uri->media_type.length : sizeof(out->media_type) - 1;
    memcpy(out->media_type, uri->media_type.data, length);
    out->media_type[length] = '\0';
    if (!vrmi_data_uri_decode(uri, bytes, &out->size, uri_progress, load)) {
        if (load->stopped != VRM_SUCCESS) {
            return false;
        }
        vrmi_reader_report(&load->reader, VRM_FINDING_INVALID_URI, value, NULL, "data:...", "base64 data");
        return true;
    }
    out->data = bytes;
    if ((load->gltf->flags & VRM_GLTF_BINARY) != 0) {
        vrmi_reader_report(&load->reader, VRM_FINDING_DATA_URI_GLB, value, NULL, NULL, NULL);
    }
    return true;
}

static bool read_file_beside(vrmi_load *load, uint32_t value, const char *path, vrmi_resource *out)
{
    const vrmi_budget *budget = &load->data->budget;
    const uint64_t left = budget->limit - budget->used, max_file = load->def->limits.max_file_size;
    const vrm_read_request request = {
        .uri = path, .max_size = left < max_file ? left : max_file, .allocator = load->data->counted};
    const vrm_result result = load->def->read(&request, &out->owned, load->def->read_user);
    if (result == VRM_ERROR_OUT_OF_MEMORY) {
        return vrmi_load_stop(load, vrmi_load_no_memory(load));
    }
    if (result == VRM_ERROR_LIMIT) {
        return vrmi_load_stop(load, result);
    }
    if (result != VRM_SUCCESS) {
        memset(&out->owned, 0, sizeof(out->owned)); // a failing callback may have set some members
        if (result == VRM_ERROR_INVALID_ASSET) {
            vrmi_reader_report_value(&load->reader, VRM_FINDING_URI_LEAVES_FOLDER, value, "a file within the folder");
        }
        return true;
    }
    if (out->owned.data == NULL || out->owned.size > request.max_size) {
        vrm_bytes_free(&out->owned);
        return true;
    }
    out->data = out->owned.data;
    out->size = out->owned.size;
    if (!vrmi_load_work(load, out->size)) {
        vrm_bytes_free(&out->owned);
        return false;
    }
    return true;
}

static bool read_relative(vrmi_load *load, uint32_t value, const char *uri, size_t length, vrmi_resource *out)
{
    char *path = vrmi_load_alloc(load, length + 1, 1);
    if (path == NULL) {
        return false;
    }
    const vrmi_uri_kind kind = vrmi_uri_decode(uri, length, path);
    if (kind == VRMI_URI_FILE) {
        return load->def->read == NULL || read_file_beside(load, value, path, out);
    }
    const vrm_finding_id id = kind == VRMI_URI_NOT_RELATIVE    ? VRM_FINDING_NON_RELATIVE_URI
                              : kind == VRMI_URI_LEAVES_FOLDER ? VRM_FINDING_URI_LEAVES_FOLDER
                                                               : VRM_FINDING_INVALID_URI;
    vrmi_reader_report_value(&load->reader, id, value, "a relative path within the folder");
    return true;
}

bool vrmi_load_uri(vrmi_load *load, uint32_t object, vrm_finding_id missing, vrmi_resource *out)
{
    const vrmi_json *json = &load->gltf->json;
    memset(out, 0, sizeof(*out));
    const uint32_t value = vrmi_read_string(&load->reader, object, "uri", VRMI_REQUIRED);
    if (value == VRMI_JSON_NONE) {
        return true;
    }
    const vrmi_json_token *token = &json->tokens[value];
    const char *uri = json->text + token->start;
    size_t length = token->end - token->start;
    if (token->escaped) { // some writers escape every slash: "data:image\/png"
        char *text = vrmi_load_alloc(load, length + 1, 1);
        if (text == NULL) {
            return false;
        }
        length = vrmi_json_unescape(json, value, text, length + 1);
        uri = text;
    }
    vrmi_data_uri data_uri;
    const bool is_data = vrmi_data_uri_parse(uri, length, &data_uri);
    const bool go_on =
        is_data ? decode_data_uri(load, value, &data_uri, out) : read_relative(load, value, uri, length, out);
    if (go_on && out->data == NULL) {
        char name[80];
        vrmi_reader_report(&load->reader, missing, value, NULL,
            is_data ? "data:..." : vrmi_json_excerpt(json, value, name, sizeof(name)), NULL);
    }
    return go_on;
}

// --- buffers ---------------------------------------------------------------------------------------------------------

const char *const vrmi_meshopt_names[2] = {"EXT_meshopt_compression", "KHR_meshopt_compression"};

// Returns the meshopt extension object of a buffer or buffer view, or NONE.
static uint32_t meshopt(const vrm_gltf *gltf, uint32_t object)
{
    uint32_t extension = VRMI_JSON_NONE;
    for (size_t i = 0; i < VRMI_COUNT_OF(vrmi_meshopt_names) && extension == VRMI_JSON_NONE; ++i) {
        extension = vrmi_gltf_extension(gltf, object, vrmi_meshopt_names[i]);
    }
    return extension;
}

static bool is_true(const vrmi_json *json, uint32_t value)
{
    return vrmi_json_is(json, value, VRMI_JSON_TRUE);
}

// Reports a buffer whose byteLength differs from the number of its bytes.
static void report_length(vrmi_load *load, vrm_finding_id id, uint32_t object, uint64_t found, uint64_t declared)
{
    char there[32], expected[32];
    vrmi_reader_report(&load->reader, id, object, "byteLength",
        vrmi_format(there, sizeof(there), "%llu bytes", (unsigned long long)found),
        vrmi_format(expected, sizeof(expected), "%llu bytes", (unsigned long long)declared));
}

static void use_bin_chunk(vrmi_load *load, uint32_t object, vrmi_gltf_buffer *buffer)
{
    const vrmi_gltf_private *data = load->data;
    if (!data->has_bin) {
        if (!buffer->fallback) {
            vrmi_reader_report(&load->reader, VRM_FINDING_BUFFER_MISSING_GLB_DATA, object, NULL, NULL, NULL);
        }
        return;
    }
    if (buffer->size > data->bin_size) {
        report_length(load, VRM_FINDING_BUFFER_BYTE_LENGTH_MISMATCH, object, data->bin_size, buffer->size);
        return;
    }
    if (data->bin_size - buffer->size > 3) {
        report_length(load, VRM_FINDING_BUFFER_GLB_CHUNK_TOO_BIG, object, data->bin_size, buffer->size);
    }
    buffer->data = load->gltf->bytes + data->bin_start;
}

static bool read_buffer(vrmi_load *load, uint32_t index)
{
    const vrmi_json *json = &load->gltf->json;
    const uint32_t object = vrmi_load_element(load, VRM_GLTF_BUFFERS, index);
    vrmi_gltf_buffer *buffer = &load->data->buffers[index];
    uint32_t byte_length = 0;
    vrmi_read_uint(&load->reader, object, "byteLength", VRMI_REQUIRED, &byte_length);
    buffer->size = byte_length;
    buffer->fallback = is_true(json, vrmi_json_member(json, meshopt(load->gltf, object), "fallback"));
    if (load->part == VRMI_GLTF_JSON) {
        return true;
    }
    if (vrmi_json_member(json, object, "uri") == VRMI_JSON_NONE) {
        // Only the first buffer may refer to the BIN chunk. Another buffer without a URI has no bytes, which an
        // extension may intend.
        if (index == 0 && (!buffer->fallback || load->data->has_bin)) {
            use_bin_chunk(load, object, buffer);
        }
        return true;
    }
    vrmi_resource resource;
    if (!vrmi_load_uri(load, object, VRM_FINDING_IO_ERROR, &resource)) {
        return false;
    }
    buffer->owned = resource.owned;
    if (resource.data != NULL && resource.size < buffer->size) {
        report_length(load, VRM_FINDING_BUFFER_BYTE_LENGTH_MISMATCH, object, resource.size, buffer->size);
    } else {
        buffer->data = resource.data;
        load->max_scan += 16 * buffer->size;
    }
    return true;
}

// --- buffer views ----------------------------------------------------------------------------------------------------

// Checks the range of a compressed view's bytes. They are not read here, but a decoder may rely on these checks.
static void check_meshopt(vrmi_load *load, uint32_t extension)
{
    uint32_t buffer = 0, offset = 0, length = 0;
    const bool known = vrmi_read_index(
        &load->reader, extension, "buffer", VRMI_REQUIRED, load->gltf->counts[VRM_GLTF_BUFFERS], &buffer);
    vrmi_read_uint(&load->reader, extension, "byteOffset", VRMI_OPTIONAL, &offset);
    vrmi_read_uint(&load->reader, extension, "byteLength", VRMI_REQUIRED, &length);
    if (known && (uint64_t)offset + length > load->data->buffers[buffer].size) {
        vrmi_reader_report(&load->reader, VRM_FINDING_BUFFER_VIEW_TOO_LONG, extension, "byteLength", NULL, NULL);
    }
}

static vrm_string word(vrmi_load *load, uint32_t object, const char *key, const char *missing)
{
    const uint32_t value = vrmi_json_member(load->reader.json, object, key);
    vrm_string text = vrmi_string(missing);
    if (vrmi_json_is(load->reader.json, value, VRMI_JSON_STRING)) {
        (void)vrmi_load_string(load, value, &text); // if memory runs out, the load stops
    }
    return text;
}

// Calls the host's decoder for a compressed view; the result is in the document's memory. Returns false if the load
// must end.
static bool decode_view(vrmi_load *load, uint32_t extension, vrmi_gltf_view *view)
{
    const vrmi_json *json = load->reader.json;
    uint32_t buffer = 0, offset = 0, size = 0;
    vrm_meshopt_request request = {
        .mode = word(load, extension, "mode", "ATTRIBUTES"), .filter = word(load, extension, "filter", "NONE")};
    const bool known = vrmi_json_uint(json, vrmi_json_member(json, extension, "buffer"), &buffer) &&
                       buffer < load->gltf->counts[VRM_GLTF_BUFFERS] &&
                       vrmi_json_uint(json, vrmi_json_member(json, extension, "byteLength"), &size) &&
                       vrmi_json_uint(json, vrmi_json_member(json, extension, "count"), &request.count) &&
                       vrmi_json_uint(json, vrmi_json_member(json, extension, "byteStride"), &request.stride);
    (void)vrmi_json_uint(json, vrmi_json_member(json, extension, "byteOffset"), &offset);
    const vrmi_gltf_buffer *from = known ? &load->data->buffers[buffer] : NULL;
    vrm_result result = load->stopped;
    if (result == VRM_SUCCESS && (from == NULL || from->data == NULL || (uint64_t)offset + size > from->size ||
                                     (uint64_t)request.count * request.stride != view->size || view->size == 0)) {
        result = VRM_ERROR_INVALID_ASSET;
    }
    if (result == VRM_SUCCESS) {
        request.bytes = from->data + offset;
        request.size = size;
        request.out_elements = vrmi_load_alloc(load, (size_t)view->size, 1);
        result =
            request.out_elements != NULL ? load->def->decode_meshopt(&request, load->def->decode_user) : load->stopped;
    }
    if (result == VRM_SUCCESS) {
        view->data = request.out_elements;
        view->compressed = false;
        load->max_scan += 16 * view->size;
    } else if (load->stopped == VRM_SUCCESS) {
        vrmi_reader_report(
            &load->reader, VRM_FINDING_PRIMITIVE_UNREADABLE, extension, NULL, "bytes that the decoder refuses", NULL);
    }
    return load->stopped == VRM_SUCCESS;
}

static bool read_view(vrmi_load *load, uint32_t index)
{
    vrmi_reader *reader = &load->reader;
    const uint32_t object = vrmi_load_element(load, VRM_GLTF_BUFFER_VIEWS, index);
    vrmi_gltf_view *view = &load->data->views[index];
    uint32_t buffer_index = 0, offset = 0, length = 0, stride = 0;
    const bool known =
        vrmi_read_index(reader, object, "buffer", VRMI_REQUIRED, load->gltf->counts[VRM_GLTF_BUFFERS], &buffer_index);
    vrmi_read_uint(reader, object, "byteOffset", VRMI_OPTIONAL, &offset);
    const bool has_length = vrmi_read_uint(reader, object, "byteLength", VRMI_REQUIRED, &length);
    if (vrmi_read_uint(reader, object, "byteStride", VRMI_OPTIONAL, &stride) &&
        (stride < 4 || stride > 252 || stride % 4 != 0)) {
        // A stride below 4 is meaningless. For other invalid strides, the bounds check of each accessor decides.
        vrmi_reader_report_value(reader, VRM_FINDING_VALUE_NOT_IN_RANGE,
            vrmi_json_member(reader->json, object, "byteStride"), "4 to 252, a multiple of 4");
        stride = 0;
    }
    view->stride = stride;
    const uint32_t extension = meshopt(load->gltf, object);
    if (extension != VRMI_JSON_NONE) {
        check_meshopt(load, extension);
    }
    if (!known || !has_length) {
        return true;
    }
    const vrmi_gltf_buffer *buffer = &load->data->buffers[buffer_index];
    if ((uint64_t)offset + length > buffer->size) {
        char found[64], expected[48];
        vrmi_reader_report(reader, VRM_FINDING_BUFFER_VIEW_TOO_LONG, object, "byteLength",
            vrmi_format(found, sizeof(found), "an end at byte %llu", (unsigned long long)offset + length),
            vrmi_format(expected, sizeof(expected), "at most %llu", (unsigned long long)buffer->size));
        return true;
    }
    view->size = length;
    view->data = buffer->data != NULL ? buffer->data + offset : NULL;
    view->compressed = extension != VRMI_JSON_NONE && (buffer->data == NULL || buffer->fallback);
    if (view->compressed && load->def->decode_meshopt != NULL && load->part != VRMI_GLTF_JSON &&
        !decode_view(load, extension, view)) {
        return false;
    }
    if (view->compressed) {
        load->gltf->flags |= VRM_GLTF_GEOMETRY_UNREADABLE;
    }
    return true;
}

bool vrmi_load_buffers(vrmi_load *load)
{
    const uint32_t buffers = load->gltf->counts[VRM_GLTF_BUFFERS], views = load->gltf->counts[VRM_GLTF_BUFFER_VIEWS];
    load->data->buffers = vrmi_load_alloc(load, buffers, sizeof(*load->data->buffers));
    load->data->views = vrmi_load_alloc(load, views, sizeof(*load->data->views));
    if (load->data->buffers == NULL || load->data->views == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < buffers; ++i) {
        if (!read_buffer(load, i) || !vrmi_load_work(load, VRMI_ELEMENT_WORK)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < views; ++i) {
        if (!read_view(load, i) || !vrmi_load_work(load, VRMI_ELEMENT_WORK)) {
            return false;
        }
    }
    return true;
}
