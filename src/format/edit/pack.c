// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Packs a document into one GLB file: external files and data URIs are copied to the BIN chunk. Resources whose bytes
// are missing keep their URI.

#include <string.h>

#include "base/text.h"
#include "format/gltf/glb.h"
#include "format/gltf/gltf_private.h"

typedef struct placed_buffer {
    uint64_t start; // offset in the BIN chunk
    uint32_t index; // index of the buffer in the packed file
} placed_buffer;

typedef struct packing {
    const vrm_gltf *gltf;
    const vrmi_gltf_private *data;
    vrmi_edit edit; // edits of the packed file; the document itself does not change
    placed_buffer *buffers;
    uint64_t images; // offset of the images in the BIN chunk, after the buffers
    uint64_t size;   // size of the BIN chunk
    vrm_result result;
} packing;

static void set(packing *p, const char *json, size_t length, const char *pointer)
{
    if (p->result == VRM_SUCCESS) {
        p->result = vrmi_edit_set(&p->edit, pointer, json, length);
    }
}

static void set_number(packing *p, uint64_t number, const char *pointer)
{
    char text[24];
    vrmi_format(text, sizeof text, "%llu", (unsigned long long)number);
    set(p, text, strlen(text), pointer);
}

// --- layout ----------------------------------------------------------------------------------------------------------

static bool is_packed(const packing *p, uint32_t buffer)
{
    return p->data->buffers[buffer].data != NULL && p->data->buffers[buffer].size != 0;
}

// Whether an image is copied to the BIN chunk: its bytes are not in a buffer view, and their type has a mimeType.
static bool is_packed_image(const packing *p, uint32_t image)
{
    const vrmi_gltf_image_data *bytes = &p->data->images[image];
    const uint32_t object = vrmi_gltf_element(p->gltf, VRM_GLTF_IMAGES, image);
    return bytes->data != NULL && bytes->mime_type[0] != '\0' &&
           vrmi_json_member(&p->gltf->json, object, "bufferView") == VRMI_JSON_NONE;
}

static void lay_out(packing *p)
{
    const uint32_t count = p->gltf->counts[VRM_GLTF_BUFFERS];
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; ++i) {
        p->buffers[i].start = p->size;
        p->size += is_packed(p, i) ? vrmi_align4((size_t)p->data->buffers[i].size) : 0;
    }
    p->images = p->size;
    for (uint32_t i = 0; i < p->gltf->counts[VRM_GLTF_IMAGES]; ++i) {
        p->size += is_packed_image(p, i) ? vrmi_align4(p->data->images[i].size) : 0;
    }
    for (uint32_t i = 0; i < count; ++i) {
        p->buffers[i].index = is_packed(p, i) ? 0 : kept++ + (p->size != 0);
    }
}

// --- JSON ------------------------------------------------------------------------------------------------------------

// Updates `buffer` and `byteOffset` of an object. `prefix` is the object's JSON pointer.
static void move_reference(packing *p, uint32_t object, const char *prefix)
{
    char pointer[128];
    uint32_t buffer, offset = 0;
    if (!vrmi_json_uint(&p->gltf->json, vrmi_json_member(&p->gltf->json, object, "buffer"), &buffer) ||
        buffer >= p->gltf->counts[VRM_GLTF_BUFFERS]) {
        return;
    }
    const placed_buffer placed = p->buffers[buffer];
    if (placed.index != buffer) {
        set_number(p, placed.index, vrmi_format(pointer, sizeof pointer, "%s/buffer", prefix));
    }
    if (is_packed(p, buffer) && placed.start != 0) {
        (void)vrmi_json_uint(&p->gltf->json, vrmi_json_member(&p->gltf->json, object, "byteOffset"), &offset);
        set_number(p, placed.start + offset, vrmi_format(pointer, sizeof pointer, "%s/byteOffset", prefix));
    }
}

static void move_views(packing *p)
{
    char prefix[96];
    for (uint32_t i = 0; i < p->gltf->counts[VRM_GLTF_BUFFER_VIEWS]; ++i) {
        const uint32_t object = vrmi_gltf_element(p->gltf, VRM_GLTF_BUFFER_VIEWS, i);
        move_reference(p, object, vrmi_format(prefix, sizeof prefix, "/bufferViews/%u", i));
        for (size_t name = 0; name < VRMI_COUNT_OF(vrmi_meshopt_names); ++name) {
            const uint32_t extension = vrmi_gltf_extension(p->gltf, object, vrmi_meshopt_names[name]);
            vrmi_format(prefix, sizeof prefix, "/bufferViews/%u/extensions/%s", i, vrmi_meshopt_names[name]);
            move_reference(p, extension, prefix);
        }
    }
}

// Writes the buffer of the BIN chunk. It gets the name, extensions and extras of the first buffer in it.
static void add_chunk_buffer(const packing *p, vrmi_text *text)
{
    static const char *const kept[] = {"name", "extensions", "extras"};
    const vrmi_json *json = &p->gltf->json;
    uint32_t first = 0;
    while (first < p->gltf->counts[VRM_GLTF_BUFFERS] && !is_packed(p, first)) {
        ++first;
    }
    const uint32_t object = vrmi_gltf_element(p->gltf, VRM_GLTF_BUFFERS, first); // NONE if only images are packed
    vrmi_text_format(text, "{\"byteLength\":%llu", (unsigned long long)p->size);
    for (size_t name = 0; name < VRMI_COUNT_OF(kept); ++name) {
        const uint32_t value = vrmi_json_member(json, object, kept[name]);
        const vrm_string member = vrmi_json_text(json, value);
        if (value != VRMI_JSON_NONE) {
            vrmi_text_format(text, ",\"%s\":%.*s", kept[name], (int)member.length, member.data);
        }
    }
    vrmi_text_add_string(text, "}");
}

static void write_buffers(packing *p)
{
    vrmi_text text;
    vrmi_text_init(&text, &p->edit.allocator);
    if (p->size != 0) {
        vrmi_text_add_string(&text, "[");
        add_chunk_buffer(p, &text);
    }
    for (uint32_t i = 0; i < p->gltf->counts[VRM_GLTF_BUFFERS]; ++i) {
        if (!is_packed(p, i)) {
            const vrm_string object = vrmi_json_text(&p->gltf->json, vrmi_gltf_element(p->gltf, VRM_GLTF_BUFFERS, i));
            vrmi_text_format(&text, "%s%.*s", text.size == 0 ? "[" : ",", (int)object.length, object.data);
        }
    }
    if (text.size != 0) {
        vrmi_text_add_string(&text, "]");
        if (text.failed) {
            p->result = VRM_ERROR_OUT_OF_MEMORY;
        }
        set(p, text.data, text.size, "/buffers");
    }
    vrmi_text_free(&text);
}

static void write_images(packing *p)
{
    char text[128], pointer[48];
    uint64_t at = p->images;
    uint32_t views = p->gltf->counts[VRM_GLTF_BUFFER_VIEWS];
    for (uint32_t i = 0; i < p->gltf->counts[VRM_GLTF_IMAGES]; ++i) {
        const vrmi_gltf_image_data *image = &p->data->images[i];
        if (!is_packed_image(p, i)) {
            continue;
        }
        vrmi_format(text, sizeof text, "{\"buffer\":0,\"byteOffset\":%llu,\"byteLength\":%llu}", (unsigned long long)at,
            (unsigned long long)image->size);
        set(p, text, strlen(text), "/bufferViews/-");
        set_number(p, views++, vrmi_format(pointer, sizeof pointer, "/images/%u/bufferView", i));
        vrmi_format(text, sizeof text, "\"%s\"", image->mime_type);
        set(p, text, strlen(text), vrmi_format(pointer, sizeof pointer, "/images/%u/mimeType", i));
        if (p->result == VRM_SUCCESS) {
            p->result = vrmi_edit_remove(&p->edit, vrmi_format(pointer, sizeof pointer, "/images/%u/uri", i));
        }
        at += vrmi_align4(image->size);
    }
}

// --- bytes -----------------------------------------------------------------------------------------------------------

static uint8_t *put(uint8_t *out, const uint8_t *bytes, size_t size)
{
    memcpy(out, bytes, size);
    memset(out + size, 0, vrmi_align4(size) - size);
    return out + vrmi_align4(size);
}

static void write_chunk(const packing *p, uint8_t *out)
{
    out = vrmi_glb_chunk(out, (uint32_t)p->size, VRMI_GLB_CHUNK_BIN);
    for (uint32_t i = 0; i < p->gltf->counts[VRM_GLTF_BUFFERS]; ++i) {
        out = is_packed(p, i) ? put(out, p->data->buffers[i].data, (size_t)p->data->buffers[i].size) : out;
    }
    for (uint32_t i = 0; i < p->gltf->counts[VRM_GLTF_IMAGES]; ++i) {
        out = is_packed_image(p, i) ? put(out, p->data->images[i].data, p->data->images[i].size) : out;
    }
}

static vrm_result write_glb(packing *p, vrm_bytes *out)
{
    vrmi_text text;
    vrmi_text_init(&text, &p->edit.allocator);
    if (!vrmi_edit_write(&p->edit, &text)) {
        vrmi_text_free(&text);
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    // A GLB has no text around the JSON value, such as a byte order mark or line ends.
    const char *json = text.data, *end = text.data + text.size;
    json = memchr(json, '{', text.size);
    while (end[-1] != '}') {
        --end;
    }
    const uint64_t total = VRMI_GLB_HEADER + VRMI_GLB_CHUNK_HEADER + (uint64_t)vrmi_align4((size_t)(end - json)) +
                           (p->size != 0 ? VRMI_GLB_CHUNK_HEADER + p->size : 0);
    vrm_result result = total > UINT32_MAX ? VRM_ERROR_LIMIT : VRM_SUCCESS;
    if (result == VRM_SUCCESS) {
        out->allocator = p->gltf->allocator;
        out->data = vrmi_allocate(&out->allocator, (size_t)total, 16);
        out->size = out->data != NULL ? (size_t)total : 0;
        result = out->data != NULL ? VRM_SUCCESS : VRM_ERROR_OUT_OF_MEMORY;
    }
    if (result == VRM_SUCCESS) {
        uint8_t *chunk = vrmi_glb_begin(out->data, (uint32_t)total, json, (size_t)(end - json));
        if (p->size != 0) {
            write_chunk(p, chunk);
        }
    }
    vrmi_text_free(&text);
    return result;
}

vrm_result vrm_gltf_pack(const vrm_gltf *gltf, vrm_bytes *out_bytes)
{
    if (!VRM_ASSERT(gltf != NULL && out_bytes != NULL)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    memset(out_bytes, 0, sizeof *out_bytes);
    if (!vrmi_gltf_is_unedited(gltf)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const size_t size = (gltf->counts[VRM_GLTF_BUFFERS] + (size_t)1) * sizeof(placed_buffer);
    packing p = {.gltf = gltf, .data = gltf->private_data};
    vrmi_edit_init(&p.edit, &gltf->json, gltf->limits.max_depth, &gltf->allocator);
    p.buffers = vrmi_allocate(&gltf->allocator, size, sizeof(uint64_t));
    p.result = p.buffers != NULL ? VRM_SUCCESS : VRM_ERROR_OUT_OF_MEMORY;
    if (p.result == VRM_SUCCESS) {
        lay_out(&p);
        p.result = p.size > UINT32_MAX ? VRM_ERROR_LIMIT : VRM_SUCCESS;
    }
    if (p.result == VRM_SUCCESS) {
        move_views(&p);
        write_buffers(&p);
        write_images(&p);
    }
    if (p.result == VRM_SUCCESS) {
        p.result = write_glb(&p, out_bytes);
    }
    vrmi_release(&gltf->allocator, p.buffers, size);
    vrmi_edit_free(&p.edit);
    return p.result;
}
