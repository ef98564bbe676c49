// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Compressed buffer views are decoded by the host's decoder. The codec is the test's own: each byte plus one.

#include <vrm/mesh.h>

#include "gltf_builder.h"
#include "report_fixture.h"

typedef struct codec {
    int calls;
    vrm_result result;
} codec;

static vrm_result decode(const vrm_meshopt_request *request, void *user)
{
    codec *c = user;
    ++c->calls;
    CHECK(request->count == 3 && request->stride == 12 && request->size == 36);
    CHECK(request->mode.length == 10 && memcmp(request->mode.data, "ATTRIBUTES", 10) == 0);
    CHECK(request->filter.length == 4 && memcmp(request->filter.data, "NONE", 4) == 0);
    for (size_t i = 0; i < request->size; ++i) {
        ((uint8_t *)request->out_elements)[i] = (uint8_t)(((const uint8_t *)request->bytes)[i] - 1);
    }
    return c->result;
}

static const float positions[9] = {0, 0, 0, 1, 2, 3, 4, 5, 6};

// Buffer 0 has the compressed bytes, buffer 1 is the fallback without bytes.
static vrm_result load(const char *extension, const vrm_gltf_def *def, vrm_report *report, vrm_gltf **out)
{
    gltf_builder b = {0};
    uint8_t bytes[36];
    memcpy(bytes, positions, sizeof bytes);
    for (size_t i = 0; i < sizeof bytes; ++i) {
        ++bytes[i];
    }
    gltf_builder_view(&b, bytes, sizeof bytes, "");
    gltf_builder_add(&b, "bufferViews",
        "{\"buffer\":1,\"byteLength\":36,\"byteStride\":12,\"extensions\":{\"EXT_meshopt_compression\":{%s}}}",
        extension);
    gltf_builder_add(&b, "buffers", "{\"byteLength\":36}");
    gltf_builder_add(
        &b, "buffers", "{\"byteLength\":36,\"extensions\":{\"EXT_meshopt_compression\":{\"fallback\":true}}}");
    gltf_builder_add(&b, "accessors", "{\"bufferView\":1,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}");
    gltf_builder_add(&b, "meshes", "{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}");
    gltf_builder_add(&b, "extensionsUsed", "\"EXT_meshopt_compression\"");
    gltf_builder_add(&b, "extensionsRequired", "\"EXT_meshopt_compression\"");
    size_t size;
    uint8_t *glb = gltf_builder_glb(&b, &size);
    const vrm_result result = vrm_gltf_load(def, glb, size, report, out);
    free(glb);
    gltf_builder_free(&b);
    return result;
}

#define GOOD "\"buffer\":0,\"byteLength\":36,\"byteStride\":12,\"count\":3,\"mode\":\"ATTRIBUTES\""

// Loads a file and checks the decoder's calls, whether the view became readable, and the finding.
static void check(const char *extension, vrm_result decoder, int calls, bool readable, bool finding)
{
    codec c = {.result = decoder};
    vrm_gltf_def def;
    vrm_gltf_def_default(&def);
    def.decode_meshopt = decode;
    def.decode_user = &c;
    vrm_report *report;
    vrm_gltf *gltf = NULL;
    vrm_report_create(NULL, &report);
    CHECK_INT(load(extension, &def, report, &gltf), VRM_SUCCESS);
    CHECK_INT(c.calls, calls);
    CHECK_INT(
        has_finding(report, VRM_FINDING_PRIMITIVE_UNREADABLE, "/bufferViews/1/extensions/EXT_meshopt_compression"),
        finding);
    CHECK(!has_finding(report, VRM_FINDING_EXTENSION_GEOMETRY_UNREADABLE, NULL));
    CHECK_INT((vrm_gltf_get_flags(gltf) & VRM_GLTF_GEOMETRY_UNREADABLE) == 0, readable);
    float read[9] = {0};
    CHECK_INT(vrm_gltf_read_floats(gltf, 0, 0, 3, read), readable ? VRM_SUCCESS : VRM_ERROR_UNSUPPORTED);
    CHECK_INT(memcmp(read, positions, sizeof read) == 0, readable);
    vrm_gltf_primitive primitive = {.struct_size = sizeof primitive};
    CHECK_INT(vrm_gltf_get_primitive(gltf, 0, 0, &primitive), VRM_SUCCESS);
    CHECK_INT(primitive.is_readable, readable);
    vrm_gltf_destroy(gltf);
    vrm_report_destroy(report);
}

static void decoded_vertices_are_read_as_any(void)
{
    check(GOOD, VRM_SUCCESS, 1, true, false);
}

static void what_the_decoder_refuses_stays_compressed(void)
{
    check(GOOD, VRM_ERROR_INVALID_ASSET, 1, false, true);
}

static void the_decoder_is_not_asked_for_what_does_not_fit(void)
{
    static const char *const wrong[] = {"\"buffer\":0,\"byteLength\":36,\"byteStride\":12,\"count\":4",
        "\"buffer\":0,\"byteLength\":36,\"byteStride\":4294967295,\"count\":4294967295",
        "\"buffer\":1,\"byteLength\":36,\"byteStride\":12,\"count\":3", "\"buffer\":0,\"byteLength\":36,\"count\":3"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        check(wrong[i], VRM_SUCCESS, 0, false, true);
    }
}

static void without_a_decoder_it_is_as_before(void)
{
    vrm_gltf *gltf = NULL;
    CHECK_INT(load(GOOD, NULL, NULL, &gltf), VRM_SUCCESS);
    CHECK((vrm_gltf_get_flags(gltf) & VRM_GLTF_GEOMETRY_UNREADABLE) != 0);
    vrm_gltf_destroy(gltf);
}

static const test_case cases[] = {
    {"decoded_vertices_are_read_as_any", decoded_vertices_are_read_as_any},
    {"what_the_decoder_refuses_stays_compressed", what_the_decoder_refuses_stays_compressed},
    {"the_decoder_is_not_asked_for_what_does_not_fit", the_decoder_is_not_asked_for_what_does_not_fit},
    {"without_a_decoder_it_is_as_before", without_a_decoder_it_is_as_before},
};

RUN_TESTS(cases)
