// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// vrm_gltf_pack(): a single file has the same vertices and images; a URI without bytes keeps its text; nothing is
// returned on failure.

#include <vrm/gltf.h>

#include "test.h"
#include "test_allocator.h"

static const char document[] =
    "\xEF\xBB\xBF{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"EXT_meshopt_compression\"],"
    "\"buffers\":[{\"byteLength\":8,\"extensions\":{\"EXT_meshopt_compression\":{\"fallback\":true}}},"
    "{\"uri\":\"a.bin\",\"byteLength\":5,\"name\":\"a\"},"
    "{\"uri\":\"data:;base64,AQACAAMABAA=\",\"byteLength\":8,\"extras\":{\"x\":1}}],"
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":8,\"extensions\":{\"EXT_meshopt_compression\":"
    "{\"buffer\":2,\"byteOffset\":2,\"byteLength\":4,\"byteStride\":4,\"count\":2,\"mode\":\"ATTRIBUTES\"}}},"
    "{\"buffer\":1,\"byteOffset\":1,\"byteLength\":4},{\"buffer\":2,\"byteLength\":8}],"
    "\"accessors\":[{\"bufferView\":1,\"componentType\":5121,\"count\":4,\"type\":\"SCALAR\"},"
    "{\"bufferView\":2,\"componentType\":5123,\"count\":4,\"type\":\"SCALAR\"}],"
    "\"images\":[{\"uri\":\"p.png\"},{\"uri\":\"what.xyz\"}]}\n\n";
static const unsigned char png[] = {
    0x89, 'P', 'N', 'G', 13, 10, 26, 10, 0, 0, 0, 13, 'I', 'H', 'D', 'R', 0, 0, 0, 5, 0, 0, 0, 6, 8, 2, 0, 0, 0};

static vrm_result give(const vrm_read_request *request, const void *bytes, size_t size, vrm_bytes *out)
{
    out->allocator = request->allocator;
    out->data =
        request->allocator.allocate != NULL ? request->allocator.allocate(size, 16, request->allocator.user) : NULL;
    if (out->data == NULL) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    memcpy(out->data, bytes, size);
    out->size = size;
    return VRM_SUCCESS;
}

static vrm_result read_part(const vrm_read_request *request, vrm_bytes *out, void *user)
{
    (void)user;
    if (strcmp(request->uri, "a.bin") == 0) {
        return give(request, "\x09\x05\x06\x07\x08", 5, out);
    }
    if (strcmp(request->uri, "p.png") == 0) {
        return give(request, png, sizeof png, out);
    }
    return strcmp(request->uri, "what.xyz") == 0 ? give(request, "noise", 5, out) : VRM_ERROR_NOT_FOUND;
}

static vrm_gltf *load(const void *bytes, size_t size, const vrm_allocator *allocator)
{
    vrm_gltf_def def;
    vrm_gltf *gltf = NULL;
    vrm_gltf_def_default(&def);
    def.read = read_part;
    def.allocator = allocator != NULL ? *allocator : def.allocator;
    CHECK_INT(vrm_gltf_load(&def, bytes, size, NULL, &gltf), VRM_SUCCESS);
    return gltf;
}

static void check_json(const vrm_gltf *gltf, const char *pointer, const char *wanted)
{
    vrm_string text;
    const vrm_result result = vrm_gltf_get_json(gltf, pointer, &text);
    if (wanted == NULL) {
        CHECK_INT(result, VRM_ERROR_NOT_FOUND);
        return;
    }
    char have[256];
    snprintf(have, sizeof have, "%.*s", result == VRM_SUCCESS ? (int)text.length : 0, text.data);
    CHECK_STRING(have, wanted);
}

static void one_file_of_many(void)
{
    vrm_gltf *gltf = load(document, sizeof document - 1, NULL);
    vrm_bytes glb;
    CHECK_INT(vrm_gltf_pack(gltf, &glb), VRM_SUCCESS);
    vrm_gltf_destroy(gltf);
    vrm_gltf *packed = load(glb.data, glb.size, NULL);
    CHECK(vrm_gltf_get_flags(packed) & VRM_GLTF_BINARY);
    // The chunk has 5 bytes padded to 8, then 8 bytes, then the picture. Buffers without bytes come after the chunk's
    // buffer.
    CHECK_INT(vrm_gltf_get_count(packed, VRM_GLTF_BUFFERS), 2);
    check_json(packed, "/buffers/0", "{\"byteLength\":48,\"name\":\"a\"}");
    check_json(packed, "/buffers/1/extensions/EXT_meshopt_compression/fallback", "true");
    check_json(packed, "/bufferViews/0/buffer", "1");
    check_json(packed, "/bufferViews/0/byteOffset", NULL);
    check_json(packed, "/bufferViews/0/extensions/EXT_meshopt_compression/buffer", "0");
    check_json(packed, "/bufferViews/0/extensions/EXT_meshopt_compression/byteOffset", "10");
    check_json(packed, "/bufferViews/1", "{\"buffer\":0,\"byteOffset\":1,\"byteLength\":4}");
    check_json(packed, "/bufferViews/2/byteOffset", "8");
    check_json(packed, "/images/0", "{\"bufferView\":3,\"mimeType\":\"image/png\"}");
    check_json(packed, "/images/1/uri", "\"what.xyz\"");
    uint32_t bytes[4], shorts[4];
    CHECK_INT(vrm_gltf_read_uints(packed, 0, 0, 4, bytes), VRM_SUCCESS);
    CHECK_INT(vrm_gltf_read_uints(packed, 1, 0, 4, shorts), VRM_SUCCESS);
    for (uint32_t i = 0; i < 4; ++i) {
        CHECK_INT(bytes[i], 5 + i);
        CHECK_INT(shorts[i], 1 + i);
    }
    vrm_gltf_image image = {.struct_size = sizeof image};
    CHECK_INT(vrm_gltf_get_image(packed, 0, &image), VRM_SUCCESS);
    CHECK(
        image.size == sizeof png && memcmp(image.bytes, png, sizeof png) == 0 && image.width == 5 && image.height == 6);
    // Packing a GLB changes nothing.
    vrm_bytes again;
    CHECK_INT(vrm_gltf_pack(packed, &again), VRM_SUCCESS);
    CHECK(again.size == glb.size && memcmp(again.data, glb.data, glb.size) == 0);
    vrm_bytes_free(&again);
    vrm_gltf_destroy(packed);
    vrm_bytes_free(&glb);
}

static void nothing_to_pack(void)
{
    static const char text[] = " {\"asset\":{\"version\":\"2.0\"} }\n";
    vrm_gltf *gltf = load(text, sizeof text - 1, NULL);
    vrm_bytes glb;
    CHECK_INT(vrm_gltf_pack(gltf, &glb), VRM_SUCCESS);
    static const char wanted[] = "{\"asset\":{\"version\":\"2.0\"} }";
    CHECK_INT(glb.size, 20 + 28);
    CHECK(glb.size == 48 && memcmp((char *)glb.data + 20, wanted, 28) == 0);
    vrm_bytes_free(&glb);
    CHECK_INT(vrm_gltf_set_json(gltf, "/extras", "1", 1), VRM_SUCCESS);
    CHECK_INT(vrm_gltf_pack(gltf, &glb), VRM_ERROR_INVALID_ARGUMENT); // edited
    vrm_gltf_destroy(gltf);
}

static void each_allocation_fails_once(void)
{
    uint64_t count = 1;
    for (uint64_t at = 0; at < count; ++at) {
        test_allocator counter;
        const vrm_allocator allocator = test_allocator_make(&counter);
        vrm_gltf *gltf = load(document, sizeof document - 1, &allocator);
        const uint64_t before = counter.calls;
        counter.fail_at = before + at;
        vrm_bytes glb;
        const vrm_result result = vrm_gltf_pack(gltf, &glb);
        count = counter.calls > counter.fail_at ? at + 2 : at;
        CHECK_INT(result, counter.calls > counter.fail_at ? VRM_ERROR_OUT_OF_MEMORY : VRM_SUCCESS);
        counter.fail_at = UINT64_MAX;
        vrm_bytes_free(&glb);
        vrm_gltf_destroy(gltf);
        CHECK(counter.live == 0 && counter.wrong == 0);
    }
    CHECK(count > 5);
}

static const test_case cases[] = {
    {"one_file_of_many", one_file_of_many},
    {"nothing_to_pack", nothing_to_pack},
    {"each_allocation_fails_once", each_allocation_fails_once},
};

RUN_TESTS(cases)
