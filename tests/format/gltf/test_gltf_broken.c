// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Findings in broken files, by id, path and result. These kinds of faults were found in other glTF readers (cgltf,
// tinygltf, assimp); numbers in brackets are issues of these projects.

#include <math.h>

#include "gltf_fixture.h"

// --- containers ------------------------------------------------------------------------------------------------------

static void containers(void)
{
    const char json[] = "{\"asset\":{\"version\":\"2.0\"}}"; // 27 characters
    size_t size;
    uint8_t *glb = gltf_builder_pack(json, sizeof(json) - 1, "bin!", 4, &size);
    uint8_t *b = malloc(size + 64);
#define FRESH() memcpy(b, glb, size)
    FRESH();
    expect("empty", "", 0, VRM_ERROR_NOT_GLTF, "GLB_INVALID_MAGIC", NULL);
    expect("spaces", "  \n", 3, VRM_ERROR_NOT_GLTF, "GLB_INVALID_MAGIC", NULL);
    expect("text", "hello", 5, VRM_ERROR_NOT_GLTF, "GLB_INVALID_MAGIC", NULL);
    expect("magic alone", b, 4, VRM_ERROR_NOT_GLTF, "GLB_UNEXPECTED_END_OF_HEADER", NULL);
    b[4] = 1;
    expect("version 1", b, size, VRM_ERROR_NOT_GLTF, "GLB_INVALID_VERSION", NULL);
    FRESH();
    gltf_builder_put32(b + 8, 12);
    expect("length 12", b, size, VRM_ERROR_NOT_GLTF, "GLB_LENGTH_TOO_SMALL", NULL);
    FRESH();
    gltf_builder_put32(b + 8, size + 4);
    expect("cut off", b, size, VRM_ERROR_NOT_GLTF, "GLB_LENGTH_MISMATCH", NULL);
    FRESH();
    memcpy(b + size, "more", 4);
    expect("bytes behind the end", b, size + 4, VRM_SUCCESS, "GLB_EXTRA_DATA", NULL);
    // The chunk's length is 2^32 - 1: its sum with the offset must not overflow (cgltf, tinygltf).
    gltf_builder_put32(b + 12, 0xFFFFFFFF);
    expect("chunk of 4 GiB", b, size, VRM_ERROR_NOT_GLTF, "GLB_CHUNK_TOO_BIG", NULL);
    gltf_builder_put32(b + 12, 0xFFFFFFF8);
    expect("chunk of 4 GiB - 8", b, size, VRM_ERROR_NOT_GLTF, "GLB_CHUNK_TOO_BIG", NULL);
    FRESH();
    gltf_builder_put32(b + 20 + 28, 0xFFFFFFFC);
    expect("BIN of 4 GiB", b, size, VRM_ERROR_NOT_GLTF, "GLB_CHUNK_TOO_BIG", NULL);
    FRESH();
    memcpy(b + 16, "BIN", 4);
    expect("BIN first", b, size, VRM_ERROR_NOT_GLTF, "GLB_UNEXPECTED_FIRST_CHUNK", NULL);
    FRESH();
    gltf_builder_put32(b + 12, 0);
    expect("empty JSON", b, size, VRM_ERROR_NOT_GLTF, "GLB_EMPTY_CHUNK", NULL);
    FRESH();
    gltf_builder_put32(b + 8, size - 2);
    expect("end in a chunk", b, size - 2, VRM_ERROR_NOT_GLTF, "GLB_CHUNK_TOO_BIG", NULL);
    gltf_builder_put32(b + 8, size - 8);
    expect("end in a chunk header", b, size - 8, VRM_ERROR_NOT_GLTF, "GLB_UNEXPECTED_END_OF_CHUNK_HEADER", NULL);
    FRESH();
    memcpy(b + size, "\0\0\0\0ABCD", 8);
    gltf_builder_put32(b + 8, size + 8);
    expect("unknown chunk", b, size + 8, VRM_SUCCESS, "GLB_UNKNOWN_CHUNK_TYPE", NULL);
    memcpy(b + size + 4, "BIN", 4);
    expect("two BIN", b, size + 8, VRM_SUCCESS, "GLB_DUPLICATE_CHUNK", NULL);
    memcpy(b + 20 + 28 + 4, "ABCD", 4);
    expect("late BIN", b, size + 8, VRM_SUCCESS, "GLB_UNEXPECTED_BIN_CHUNK", NULL);
    FRESH();
    gltf_builder_put32(b + 8, size - 1);
    gltf_builder_put32(b + 20 + 28, 3);
    expect("odd chunk", b, size - 1, VRM_SUCCESS, "GLB_CHUNK_LENGTH_UNALIGNED", NULL);
    FRESH();
    b[20] = 'X';
    expect("no JSON", b, size, VRM_ERROR_NOT_GLTF, "INVALID_JSON", "");
    expect("JSON", json, sizeof(json) - 1, VRM_SUCCESS, NULL, NULL);
#undef FRESH
    free(b);
    free(glb);
}

// --- findings in JSON ------------------------------------------------------------------------------------------------

typedef struct json_case {
    const char *json; // members besides the asset
    vrm_result result;
    const char *finding; // NULL: no finding is expected
    const char *path;
} json_case;

#define BAD VRM_ERROR_INVALID_ASSET
#define OK VRM_SUCCESS
// A data URI of 12 zero bytes, and one of 3 floats (1, NaN, inf).
#define ZEROS12 "data:application/octet-stream;base64,AAAAAAAAAAAAAAAA"
#define BUFFER12 "\"buffers\":[{\"byteLength\":12,\"uri\":\"" ZEROS12 "\"}]"
#define VIEW12 BUFFER12 ",\"bufferViews\":[{\"buffer\":0,\"byteLength\":12}]"

static const json_case json_cases[] = {
    // Types.
    {"\"nodes\":{}", BAD, "TYPE_MISMATCH", "/nodes"},
    {"\"nodes\":[null]", BAD, "TYPE_MISMATCH", "/nodes/0"},
    {"\"nodes\":[[]]", BAD, "TYPE_MISMATCH", "/nodes/0"},
    {"\"nodes\":[{\"children\":null}]", OK, "TYPE_MISMATCH", "/nodes/0/children"},
    {"\"nodes\":[{\"children\":[\"zero\"]}]", BAD, "INVALID_INDEX", "/nodes/0/children/0"},
    {"\"nodes\":[{\"children\":[-1]}]", BAD, "INVALID_INDEX", "/nodes/0/children/0"},
    {"\"nodes\":[{\"children\":[0.5]}]", BAD, "INVALID_INDEX", "/nodes/0/children/0"},
    {"\"nodes\":[{\"children\":[1e300]}]", BAD, "INVALID_INDEX", "/nodes/0/children/0"},
    {"\"extensionsRequired\":[7]", BAD, "TYPE_MISMATCH", "/extensionsRequired/0"},
    {"\"meshes\":[{\"primitives\":[3]}]", BAD, "TYPE_MISMATCH", "/meshes/0/primitives/0"},
    {"\"animations\":[{\"samplers\":[null],\"channels\":[]}]", BAD, "TYPE_MISMATCH", "/animations/0/samplers/0"},
    // References.
    {"\"scene\":0", BAD, "UNRESOLVED_REFERENCE", "/scene"},
    {"\"scenes\":[{\"nodes\":[0]}]", BAD, "UNRESOLVED_REFERENCE", "/scenes/0/nodes/0"},
    {"\"nodes\":[{\"children\":[1]}]", BAD, "UNRESOLVED_REFERENCE", "/nodes/0/children/0"},
    {"\"nodes\":[{\"children\":[4294967295]}]", BAD, NULL, NULL},
    {"\"nodes\":[{\"mesh\":0}]", BAD, "UNRESOLVED_REFERENCE", "/nodes/0/mesh"},
    {"\"nodes\":[{\"skin\":0}]", BAD, "UNRESOLVED_REFERENCE", "/nodes/0/skin"},
    {"\"nodes\":[{\"camera\":0}]", BAD, "UNRESOLVED_REFERENCE", "/nodes/0/camera"},
    {"\"nodes\":[{}],\"skins\":[{\"joints\":[0,1]}]", BAD, "UNRESOLVED_REFERENCE", "/skins/0/joints/1"},
    {"\"nodes\":[{}],\"skins\":[{\"joints\":[0],\"inverseBindMatrices\":0}]", BAD, "UNRESOLVED_REFERENCE",
        "/skins/0/inverseBindMatrices"},
    {"\"nodes\":[{}],\"skins\":[{\"joints\":[]}]", BAD, "ARRAY_LENGTH_NOT_IN_LIST", "/skins/0/joints"},
    {"\"bufferViews\":[{\"buffer\":0,\"byteLength\":1}]", BAD, "UNRESOLVED_REFERENCE", "/bufferViews/0/buffer"},
    {"\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":1,\"type\":\"SCALAR\"}]", BAD,
        "UNRESOLVED_REFERENCE", "/accessors/0/bufferView"},
    {"\"images\":[{\"bufferView\":0}]", BAD, "UNRESOLVED_REFERENCE", "/images/0/bufferView"},
    {"\"textures\":[{\"source\":0}]", OK, "UNRESOLVED_REFERENCE", "/textures/0/source"},
    {"\"textures\":[{\"sampler\":0}]", OK, "UNRESOLVED_REFERENCE", "/textures/0/sampler"},
    {"\"materials\":[{\"emissiveTexture\":{\"index\":9}}]", OK, "UNRESOLVED_REFERENCE",
        "/materials/0/emissiveTexture/index"},
    {"\"materials\":[{\"normalTexture\":{}}]", OK, "UNDEFINED_PROPERTY", NULL},
    {"\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}]", BAD, "UNRESOLVED_REFERENCE",
        "/meshes/0/primitives/0/attributes/POSITION"},
    {"\"meshes\":[{\"primitives\":[{\"attributes\":{},\"indices\":0}]}]", BAD, "UNRESOLVED_REFERENCE",
        "/meshes/0/primitives/0/indices"},
    {"\"meshes\":[{\"primitives\":[{\"attributes\":{},\"material\":0}]}]", BAD, "UNRESOLVED_REFERENCE",
        "/meshes/0/primitives/0/material"},
    {"\"meshes\":[{\"primitives\":[{\"attributes\":{},\"mode\":7}]}]", BAD, "INVALID_GL_VALUE",
        "/meshes/0/primitives/0/mode"},
    {"\"animations\":[{\"samplers\":[{\"input\":0,\"output\":0}],\"channels\":[]}]", BAD, "UNRESOLVED_REFERENCE",
        "/animations/0/samplers/0/output"},
    {"\"animations\":[{\"samplers\":[],\"channels\":[{\"sampler\":0,\"target\":{\"path\":\"scale\"}}]}]", BAD,
        "UNRESOLVED_REFERENCE", "/animations/0/channels/0/sampler"},
    // The tree.
    {"\"nodes\":[{\"children\":[0]}]", BAD, "NODE_LOOP", "/nodes/0"},
    {"\"nodes\":[{\"children\":[1]},{\"children\":[2]},{\"children\":[0]}]", BAD, "NODE_LOOP", "/nodes/0"},
    {"\"nodes\":[{},{\"children\":[2]},{\"children\":[1]}]", BAD, "NODE_LOOP", "/nodes/1"},
    {"\"nodes\":[{\"children\":[2]},{\"children\":[2]},{}]", BAD, "NODE_PARENT_OVERRIDE", "/nodes/1/children/0"},
    {"\"nodes\":[{\"children\":[1,1]},{}]", OK, "DUPLICATE_ELEMENTS", "/nodes/0/children/1"},
    {"\"nodes\":[{\"children\":[1]},{}],\"scenes\":[{\"nodes\":[1]}]", OK, "SCENE_NON_ROOT_NODE", "/scenes/0/nodes/0"},
    // Short arrays (assimp 6612), and values that are not numbers.
    {"\"nodes\":[{\"translation\":[0,1]}]", BAD, "ARRAY_LENGTH_NOT_IN_LIST", "/nodes/0/translation"},
    {"\"nodes\":[{\"rotation\":[0,0,1]}]", BAD, "ARRAY_LENGTH_NOT_IN_LIST", "/nodes/0/rotation"},
    {"\"nodes\":[{\"scale\":[]}]", BAD, "ARRAY_LENGTH_NOT_IN_LIST", "/nodes/0/scale"},
    {"\"nodes\":[{\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0]}]", BAD, "ARRAY_LENGTH_NOT_IN_LIST", "/nodes/0/matrix"},
    {"\"nodes\":[{\"rotation\":[0,null,1]}]", BAD, NULL, NULL},
    {"\"nodes\":[{\"translation\":[0,1e39,0]}]", BAD, NULL, NULL},
    // Faults that are repaired with a warning.
    {"\"nodes\":[{\"rotation\":[0,0,0,2]}]", OK, "ROTATION_NON_UNIT", "/nodes/0/rotation"},
    {"\"nodes\":[{\"rotation\":[0,0,0,0]}]", OK, "ROTATION_NON_UNIT", "/nodes/0/rotation"},
    {"\"nodes\":[{\"matrix\":[1,0,0,0,0.5,1,0,0,0,0,1,0,0,0,0,1]}]", OK, "NODE_MATRIX_NON_TRS", "/nodes/0/matrix"},
    {"\"nodes\":[{\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],\"scale\":[2,2,2]}]", OK, "NODE_MATRIX_TRS", "/nodes/0"},
    {"\"nodes\":[{\"weights\":[1]}]", OK, "NODE_WEIGHTS_INVALID", "/nodes/0/weights"},
    {"\"meshes\":[{\"primitives\":[{\"attributes\":{}}],\"weights\":[1]}]", OK, "MESH_INVALID_WEIGHTS_COUNT",
        "/meshes/0/weights"},
    {"\"meshes\":[{\"primitives\":[{\"attributes\":{}}]}]", OK, "MESH_PRIMITIVE_NO_POSITION",
        "/meshes/0/primitives/0/attributes"},
    {"\"nodes\":[{\"mesh\":0,\"skin\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":{}}]}],\"skins\":[{\"joints\":"
     "[0]}]",
        OK, "NODE_SKIN_WITH_NON_SKINNED_MESH", "/nodes/0"},
    // targetNames of any type (cgltf cb9ac10). Extras belong to the author, so nothing is reported.
    {"\"meshes\":[{\"primitives\":[{\"attributes\":{}}],\"extras\":{\"targetNames\":null}}]", OK,
        "MESH_PRIMITIVE_NO_POSITION", NULL},
    {"\"nodes\":[{\"name\":null,\"extras\":[1],\"extensions\":null}]", OK, NULL, NULL},
    // Buffers and views.
    {"\"buffers\":[{}]", BAD, "UNDEFINED_PROPERTY", "/buffers/0/byteLength"},
    {"\"buffers\":[{\"byteLength\":-1}]", BAD, NULL, NULL},
    {"\"buffers\":[{\"byteLength\":8}]", OK, "BUFFER_MISSING_GLB_DATA", "/buffers/0"},
    {"\"buffers\":[{\"byteLength\":13,\"uri\":\"" ZEROS12 "\"}]", BAD, "BUFFER_BYTE_LENGTH_MISMATCH",
        "/buffers/0/byteLength"},
    {"\"buffers\":[{\"byteLength\":12,\"uri\":\"data:application\\/octet-stream;base64,AAAAAAAAAAAAAAAA\"}]", OK, NULL,
        NULL},
    {"\"buffers\":[{\"byteLength\":12,\"uri\":\"data:;base64,AAA*AAAAAAAAAAAA\"}]", BAD, "INVALID_URI",
        "/buffers/0/uri"},
    {"\"buffers\":[{\"byteLength\":3,\"uri\":\"data:,ab%63\"}]", OK, NULL, NULL},
    {"\"buffers\":[{\"byteLength\":3,\"uri\":\"missing.bin\"}]", BAD, "IO_ERROR", "/buffers/0/uri"},
    {"\"buffers\":[{\"byteLength\":3,\"uri\":\"../a.bin\"}]", BAD, "URI_LEAVES_FOLDER", "/buffers/0/uri"},
    {"\"buffers\":[{\"byteLength\":3,\"uri\":\"%2e%2e/a.bin\"}]", BAD, "URI_LEAVES_FOLDER", "/buffers/0/uri"},
    {"\"buffers\":[{\"byteLength\":3,\"uri\":\"/etc/passwd\"}]", BAD, "NON_RELATIVE_URI", "/buffers/0/uri"},
    {"\"buffers\":[{\"byteLength\":3,\"uri\":\"http://example.org/a\"}]", BAD, "NON_RELATIVE_URI", "/buffers/0/uri"},
    {"\"buffers\":[{\"byteLength\":3,\"uri\":\"a\\\\b\"}]", BAD, "INVALID_URI", "/buffers/0/uri"},
    {"\"buffers\":[{\"byteLength\":3,\"uri\":\"a\\u0000b\"}]", BAD, "INVALID_URI", "/buffers/0/uri"},
    {"\"buffers\":[{\"byteLength\":3,\"uri\":\"\"}]", BAD, "INVALID_URI", "/buffers/0/uri"},
    {"\"buffers\":[{\"byteLength\":3,\"uri\":7}]", BAD, "TYPE_MISMATCH", "/buffers/0/uri"},
    {"\"images\":[{\"uri\":\"no.png\"}]", OK, "IMAGE_MISSING", "/images/0/uri"},
    {"\"images\":[{\"uri\":\"../no.png\"}]", OK, "URI_LEAVES_FOLDER", "/images/0/uri"},
    {"\"images\":[{\"uri\":\"data:image/png;base64,AAAA\"}]", OK, "IMAGE_UNRECOGNIZED_FORMAT", "/images/0"},
    {"\"images\":[{}]", BAD, "UNDEFINED_PROPERTY", "/images/0/uri"},
    {BUFFER12 ",\"bufferViews\":[{\"buffer\":0,\"byteLength\":13}]", BAD, "BUFFER_VIEW_TOO_LONG",
        "/bufferViews/0/byteLength"},
    {BUFFER12 ",\"bufferViews\":[{\"buffer\":0,\"byteOffset\":4294967295,\"byteLength\":2}]", BAD,
        "BUFFER_VIEW_TOO_LONG", "/bufferViews/0/byteLength"},
    {BUFFER12 ",\"bufferViews\":[{\"buffer\":0,\"byteLength\":12,\"byteStride\":3}]", BAD, "VALUE_NOT_IN_RANGE",
        "/bufferViews/0/byteStride"},
    // Accessors: overflow of offset + stride * (count - 1) + element (cgltf 301, 287, assimp 6876), count 0 (288).
    {VIEW12 ",\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"SCALAR\"}]", OK, NULL,
        NULL},
    {VIEW12 ",\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"SCALAR\"}]", BAD,
        "ACCESSOR_TOO_LONG", "/accessors/0"},
    {VIEW12
        ",\"accessors\":[{\"bufferView\":0,\"byteOffset\":4,\"componentType\":5126,\"count\":3,\"type\":\"SCALAR\"}]",
        BAD, "ACCESSOR_TOO_LONG", "/accessors/0"},
    {VIEW12 ",\"accessors\":[{\"bufferView\":0,\"byteOffset\":4294967292,\"componentType\":5126,\"count\":1,\"type\":"
            "\"SCALAR\"}]",
        BAD, "ACCESSOR_TOO_LONG", "/accessors/0"},
    {VIEW12 ",\"accessors\":[{\"bufferView\":0,\"byteOffset\":18446744073709551612,\"componentType\":5126,\"count\":1,"
            "\"type\":\"SCALAR\"}]",
        BAD, NULL, NULL},
    {VIEW12 ",\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":0,\"type\":\"SCALAR\"}]", BAD,
        "VALUE_NOT_IN_RANGE", "/accessors/0/count"},
    {VIEW12 ",\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4294967295,\"type\":\"MAT4\"}]",
        VRM_ERROR_LIMIT, "LIMIT_EXCEEDED", "/accessors/0/count"},
    {VIEW12 ",\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":16777216,\"type\":\"MAT4\"}]", BAD,
        "ACCESSOR_TOO_LONG", "/accessors/0"},
    {VIEW12 ",\"accessors\":[{\"bufferView\":0,\"componentType\":5124,\"count\":1,\"type\":\"SCALAR\"}]", BAD,
        "INVALID_GL_VALUE", "/accessors/0/componentType"},
    {VIEW12 ",\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":1,\"type\":\"VEC5\"}]", BAD,
        "ACCESSOR_TYPE_INVALID", "/accessors/0/type"},
    {VIEW12
        ",\"accessors\":[{\"bufferView\":0,\"byteOffset\":2,\"componentType\":5126,\"count\":1,\"type\":\"SCALAR\"}]",
        OK, "ACCESSOR_OFFSET_ALIGNMENT", "/accessors/0/byteOffset"},
    {BUFFER12 ",\"bufferViews\":[{\"buffer\":0,\"byteOffset\":2,\"byteLength\":8}],\"accessors\":[{\"bufferView\":0,"
              "\"componentType\":5126,\"count\":1,\"type\":\"SCALAR\"}]",
        OK, "ACCESSOR_TOTAL_OFFSET_ALIGNMENT", "/accessors/0/byteOffset"},
    {BUFFER12 ",\"bufferViews\":[{\"buffer\":0,\"byteLength\":12,\"byteStride\":4}],\"accessors\":[{\"bufferView\":0,"
              "\"componentType\":5126,\"count\":2,\"type\":\"VEC2\"}]",
        OK, "ACCESSOR_SMALL_BYTESTRIDE", "/accessors/0/bufferView"},
    {VIEW12 ",\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":1,\"type\":\"SCALAR\",\"normalized\":"
            "true}]",
        OK, "ACCESSOR_NORMALIZED_INVALID", "/accessors/0/normalized"},
    {"\"accessors\":[{\"componentType\":5126,\"count\":16777217,\"type\":\"SCALAR\"}]", VRM_ERROR_LIMIT,
        "LIMIT_EXCEEDED", "/accessors/0/count"},
    // Sparse accessors (cgltf 292, 300): two indices that are both 0, and indices out of range.
    {VIEW12
        ",\"accessors\":[{\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\",\"sparse\":{\"count\":2,\"indices\":"
        "{\"bufferView\":0,\"componentType\":5121},\"values\":{\"bufferView\":0}}}]",
        BAD, "ACCESSOR_SPARSE_INDICES_NON_INCREASING", "/accessors/0/sparse/indices"},
    {VIEW12
        ",\"accessors\":[{\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\",\"sparse\":{\"count\":3,\"indices\":"
        "{\"bufferView\":0,\"componentType\":5121},\"values\":{\"bufferView\":0}}}]",
        BAD, "ACCESSOR_SPARSE_COUNT_OUT_OF_RANGE", "/accessors/0/sparse/count"},
    {VIEW12
        ",\"accessors\":[{\"componentType\":5126,\"count\":9,\"type\":\"SCALAR\",\"sparse\":{\"count\":4,\"indices\":"
        "{\"bufferView\":0,\"componentType\":5125},\"values\":{\"bufferView\":0}}}]",
        BAD, "ACCESSOR_TOO_LONG", "/accessors/0/sparse/indices"},
    {VIEW12 ",\"accessors\":[{\"componentType\":5126,\"count\":9,\"type\":\"VEC4\",\"sparse\":{\"count\":1,\"indices\":"
            "{\"bufferView\":0,\"componentType\":5121},\"values\":{\"bufferView\":0}}}]",
        BAD, "ACCESSOR_TOO_LONG", "/accessors/0/sparse/values"},
    {VIEW12
        ",\"accessors\":[{\"componentType\":5126,\"count\":9,\"type\":\"SCALAR\",\"sparse\":{\"count\":1,\"indices\":"
        "{\"bufferView\":0,\"byteOffset\":4294967295,\"componentType\":5121},\"values\":{\"bufferView\":0}}}]",
        BAD, "ACCESSOR_TOO_LONG", "/accessors/0/sparse/indices"},
    {VIEW12
        ",\"accessors\":[{\"componentType\":5126,\"count\":9,\"type\":\"SCALAR\",\"sparse\":{\"count\":1,\"indices\":"
        "{\"bufferView\":0,\"componentType\":5126},\"values\":{\"bufferView\":0}}}]",
        BAD, "INVALID_GL_VALUE", "/accessors/0/sparse/indices/componentType"},
    // Extensions.
    {"\"extensionsRequired\":[\"VRMC_vrm\",\"KHR_texture_transform\"]", OK, NULL, NULL},
    {"\"extensionsRequired\":[\"KHR_materials_sheen\"]", OK, "EXTENSION_IGNORED", "/extensionsRequired/0"},
    {"\"extensionsRequired\":[\"KHR_draco_mesh_compression\"]", OK, "EXTENSION_GEOMETRY_UNREADABLE",
        "/extensionsRequired/0"},
    {"\"extensionsRequired\":[\"KHR_texture_basisu\"]", OK, "EXTENSION_IMAGE_UNREADABLE", "/extensionsRequired/0"},
    {"\"extensionsRequired\":[\"VRMC_vrm\",\"EXT_new\"]", VRM_ERROR_UNSUPPORTED, "UNSUPPORTED_EXTENSION",
        "/extensionsRequired/1"},
    {"\"extensionsUsed\":[\"EXT_new\"]", OK, NULL, NULL},
};

static void broken_json(void)
{
    for (size_t i = 0; i < sizeof(json_cases) / sizeof(json_cases[0]); ++i) {
        const json_case *c = &json_cases[i];
        char *json = malloc(strlen(c->json) + 64);
        const int size = sprintf(json, "{\"asset\":{\"version\":\"2.0\"},%s}", c->json);
        // The JSON reader decides which rule is violated, so any finding will do.
        if (c->result != VRM_SUCCESS && c->finding == NULL) {
            vrm_gltf *gltf = NULL;
            CHECK_INT(vrm_gltf_load(NULL, json, (size_t)size, NULL, &gltf), c->result);
        } else {
            expect(c->json, json, (size_t)size, c->result, c->finding, c->path);
        }
        free(json);
    }
    expect("array", "[]", 2, VRM_ERROR_NOT_GLTF, "GLB_INVALID_MAGIC", NULL);
    expect("no asset", "{}", 2, VRM_ERROR_NOT_GLTF, "UNDEFINED_PROPERTY", NULL);
    const char one[] = "{\"asset\":{\"version\":\"1.0\"}}";
    expect("glTF 1.0", one, sizeof(one) - 1, VRM_ERROR_NOT_GLTF, "UNKNOWN_ASSET_MAJOR_VERSION", "/asset/version");
    const char later[] = "{\"asset\":{\"version\":\"2.1\"}}";
    expect("glTF 2.1", later, sizeof(later) - 1, VRM_SUCCESS, "UNKNOWN_ASSET_MINOR_VERSION", "/asset/version");
}

// --- findings in the data --------------------------------------------------------------------------------------------

static void expect_built(gltf_builder *b, const char *what, vrm_result result, const char *finding, const char *path)
{
    size_t size;
    uint8_t *glb = gltf_builder_glb(b, &size);
    expect(what, glb, size, result, finding, path);
    free(glb);
    gltf_builder_free(b);
}

typedef struct data_case {
    const char *what;
    int joint;         // joint of the first vertex
    float weight;      // weight of the first vertex
    int index;         // largest vertex index
    int indices_bytes; // component size of the indices
    vrm_result result;
    const char *finding, *path;
} data_case;

static void broken_data(void)
{
    static const data_case cases_of_data[] = {
        {"good", 1, 1, 2, 2, OK, NULL, NULL},
        {"index 3 of 3", 1, 1, 3, 1, BAD, "ACCESSOR_INDEX_OOB", "/accessors/3"},
        {"index 3 of 3", 1, 1, 3, 2, BAD, "ACCESSOR_INDEX_OOB", "/accessors/3"},
        {"index 3 of 3", 1, 1, 3, 4, BAD, "ACCESSOR_INDEX_OOB", "/accessors/3"},
        {"restart", 1, 1, 65535, 2, BAD, "ACCESSOR_INDEX_OOB", "/accessors/3"},
        {"joint 2 of 2", 2, 1, 2, 2, BAD, "ACCESSOR_JOINTS_INDEX_OOB", "/accessors/1"},
        {"joint 2 of 2, weight 0", 2, 0, 2, 2, OK, "ACCESSOR_JOINTS_USED_ZERO_WEIGHT", "/accessors/1"},
        {"joint 2 of 2, weight NaN", 2, NAN, 2, 2, OK, "ACCESSOR_INVALID_FLOAT", "/accessors/2"},
    };
    for (size_t i = 0; i < sizeof(cases_of_data) / sizeof(cases_of_data[0]); ++i) {
        const data_case *c = &cases_of_data[i];
        const float positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
        const float weights[12] = {c->weight, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
        const uint8_t joints[12] = {(uint8_t)c->joint, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0};
        uint8_t indices[12] = {0};
        memcpy(indices + 2 * c->indices_bytes, &c->index, (size_t)c->indices_bytes);
        const uint32_t type = c->indices_bytes == 1 ? 5121 : c->indices_bytes == 2 ? 5123 : 5125;
        gltf_builder b = {0};
        gltf_builder_floats(&b, positions, 9, 3, "VEC3");
        gltf_builder_accessor(&b, joints, 12, 5121, 3, "VEC4", "");
        gltf_builder_floats(&b, weights, 12, 3, "VEC4");
        gltf_builder_accessor(&b, indices, (size_t)c->indices_bytes * 3, type, 3, "SCALAR", "");
        gltf_builder_member(&b, "meshes",
            "[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":1,\"WEIGHTS_0\":2},\"indices\":3}]}]");
        gltf_builder_member(&b, "nodes", "[{\"mesh\":0,\"skin\":0},{},{}]");
        gltf_builder_member(&b, "skins", "[{\"joints\":[1,2]}]");
        expect_built(&b, c->what, c->result, c->finding, c->path);
    }
}

// Each case replaces one member or accessor of the same document.
static void broken_meshes(void)
{
    static const struct {
        const char *name, *json;
        vrm_result result;
        const char *finding, *path;
    } edits[] = {
        {"meshes", "[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"NORMAL\":5}}]}]", BAD,
            "MESH_PRIMITIVE_UNEQUAL_ACCESSOR_COUNT", "/meshes/0/primitives/0/attributes/NORMAL"},
        {"meshes", "[{\"primitives\":[{\"attributes\":{\"POSITION\":2}}]}]", BAD,
            "MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT", "/meshes/0/primitives/0/attributes/POSITION"},
        {"meshes", "[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":2,\"WEIGHTS_0\":2}}]}]", BAD,
            "MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT", "/meshes/0/primitives/0/attributes/JOINTS_0"},
        {"meshes", "[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":1}}]}]", BAD,
            "MESH_PRIMITIVE_JOINTS_WEIGHTS_MISMATCH", "/meshes/0/primitives/0/attributes"},
        {"meshes", "[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":0}]}]", BAD,
            "MESH_PRIMITIVE_INDICES_ACCESSOR_INVALID_FORMAT", "/meshes/0/primitives/0/indices"},
        {"meshes", "[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"targets\":[{\"POSITION\":5}]}]}]", OK,
            "MESH_PRIMITIVE_MORPH_TARGET_INVALID_ATTRIBUTE_COUNT", "/meshes/0/primitives/0/targets/0/POSITION"},
        {"meshes",
            "[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"targets\":[{\"POSITION\":0}]},"
            "{\"attributes\":{\"POSITION\":0}}]}]",
            OK, "MESH_PRIMITIVES_UNEQUAL_TARGETS_COUNT", "/meshes/0/primitives/1"},
        {"meshes", "[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"targets\":[7]}]}]", OK, "TYPE_MISMATCH",
            "/meshes/0/primitives/0/targets/0"},
        {"skins", "[{\"joints\":[1,2],\"inverseBindMatrices\":0}]", BAD, "SKIN_IBM_INVALID_FORMAT",
            "/skins/0/inverseBindMatrices"},
        {"skins", "[{\"joints\":[0,1,2],\"inverseBindMatrices\":4}]", BAD, "INVALID_IBM_ACCESSOR_COUNT",
            "/skins/0/inverseBindMatrices"},
        {"animations", "[{\"samplers\":[{\"input\":0,\"output\":6}],\"channels\":[]}]", BAD,
            "ANIMATION_SAMPLER_INPUT_ACCESSOR_INVALID_FORMAT", "/animations/0/samplers/0/input"},
        {"animations",
            "[{\"samplers\":[{\"input\":5,\"output\":6}],\"channels\":[{\"sampler\":0,\"target\":{\"node\":1,"
            "\"path\":\"scale\"}}]}]",
            BAD, "ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT", "/animations/0/channels/0/sampler"},
        {"animations",
            "[{\"samplers\":[{\"input\":5,\"output\":0}],\"channels\":[{\"sampler\":0,\"target\":{\"node\":1,"
            "\"path\":\"scale\"}}]}]",
            BAD, "ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT", "/animations/0/channels/0/sampler"},
        {"animations",
            "[{\"samplers\":[{\"input\":5,\"output\":6,\"interpolation\":\"CUBICSPLINE\"}],\"channels\":"
            "[{\"sampler\":0,\"target\":{\"node\":1,\"path\":\"rotation\"}}]}]",
            BAD, "ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT", "/animations/0/channels/0/sampler"},
        {"animations",
            "[{\"samplers\":[{\"input\":5,\"output\":6}],\"channels\":[{\"sampler\":0,\"target\":{\"path\":"
            "\"pointer\"}}]}]",
            OK, "ACCESSOR_JOINTS_USED_ZERO_WEIGHT", NULL},
        {"nodes", "[{\"mesh\":0},{\"children\":[2]},{}]", OK, "NODE_SKINNED_MESH_WITHOUT_SKIN", "/nodes/0"},
        {"images", "[{\"bufferView\":9,\"mimeType\":\"image/jpeg\"}]", OK, "IMAGE_MIME_TYPE_INVALID",
            "/images/0/mimeType"},
        {"buffers", "[{\"byteLength\":100000}]", BAD, "BUFFER_BYTE_LENGTH_MISMATCH", "/buffers/0/byteLength"},
    };
    for (size_t i = 0; i < sizeof(edits) / sizeof(edits[0]); ++i) {
        gltf_builder b = {0};
        build_whole(&b);
        gltf_builder_member(&b, edits[i].name, edits[i].json);
        expect_built(&b, edits[i].json, edits[i].result, edits[i].finding, edits[i].path);
    }
    const float falling[3] = {0, 1, 1}, negative[1] = {-1},
                bad_bind[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2};
    gltf_builder b = {0};
    gltf_builder_floats(&b, falling, 3, 3, "SCALAR");
    gltf_builder_member(&b, "animations", "[{\"samplers\":[{\"input\":0,\"output\":0}],\"channels\":[]}]");
    expect_built(&b, "times", OK, "ACCESSOR_ANIMATION_INPUT_NON_INCREASING", "/accessors/0");
    gltf_builder_floats(&b, negative, 1, 1, "SCALAR");
    gltf_builder_member(&b, "animations", "[{\"samplers\":[{\"input\":0,\"output\":0}],\"channels\":[]}]");
    expect_built(&b, "times", OK, "ACCESSOR_ANIMATION_INPUT_NEGATIVE", "/accessors/0");
    gltf_builder_floats(&b, bad_bind, 16, 1, "MAT4");
    gltf_builder_member(&b, "skins", "[{\"joints\":[0],\"inverseBindMatrices\":0}]");
    gltf_builder_member(&b, "nodes", "[{}]");
    expect_built(&b, "inverse bind", OK, "ACCESSOR_INVALID_IBM", "/accessors/0");
}

// Sparse indices beyond the accessor would write out of bounds (cgltf 292, 300).
static void sparse_index_beyond(void)
{
    for (uint32_t index = 2; index <= 255; index += index < 4 ? 1 : 251) {
        const uint8_t indices[2] = {1, (uint8_t)index};
        const float values[2] = {5, 6};
        gltf_builder b = {0};
        gltf_builder_view(&b, indices, 2, "");
        gltf_builder_view(&b, values, 8, "");
        gltf_builder_add(&b, "accessors",
            "{\"componentType\":5126,\"count\":3,\"type\":\"SCALAR\",\"sparse\":{\"count\":2,\"indices\":"
            "{\"bufferView\":0,\"componentType\":5121},\"values\":{\"bufferView\":1}}}");
        expect_built(&b, "sparse index", index < 3 ? OK : BAD, index < 3 ? NULL : "ACCESSOR_SPARSE_INDEX_OOB",
            "/accessors/0/sparse/indices");
    }
}

// Sparse indices in a compressed stream: a reader checked other bytes than it used (filament 10201). libvrm does not
// read such indices at all.
static void sparse_indices_in_a_compressed_view(void)
{
    const uint8_t bytes[16] = {0};
    gltf_builder b = {0};
    gltf_builder_view(&b, bytes, 16, "");
    gltf_builder_add(&b, "buffers", "{\"byteLength\":16}");
    gltf_builder_add(
        &b, "buffers", "{\"byteLength\":16,\"extensions\":{\"EXT_meshopt_compression\":{\"fallback\":true}}}");
    gltf_builder_add(&b, "bufferViews",
        "{\"buffer\":1,\"byteLength\":16,\"extensions\":{\"EXT_meshopt_compression\":{\"buffer\":0,\"byteLength\":16,"
        "\"byteStride\":4,\"count\":4,\"mode\":\"ATTRIBUTES\"}}}");
    gltf_builder_add(&b, "accessors",
        "{\"componentType\":5126,\"count\":3,\"type\":\"SCALAR\",\"sparse\":{\"count\":2,\"indices\":"
        "{\"bufferView\":1,\"componentType\":5121},\"values\":{\"bufferView\":0}}}");
    size_t size;
    uint8_t *glb = gltf_builder_glb(&b, &size);
    gltf_builder_free(&b);
    vrm_gltf *gltf = NULL;
    float out[3];
    CHECK_INT(vrm_gltf_load(NULL, glb, size, NULL, &gltf), VRM_SUCCESS);
    CHECK_INT(vrm_gltf_read_floats(gltf, 0, 0, 3, out), VRM_ERROR_UNSUPPORTED);
    vrm_gltf_destroy(gltf);
    free(glb);
    // The range of the compressed bytes must be within their buffer.
    static const char json[] =
        "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":1,\"uri\":\"data:,x\"},{\"byteLength\":16}],"
        "\"bufferViews\":[{\"buffer\":1,\"byteLength\":16,\"extensions\":{\"EXT_meshopt_compression\":{\"buffer\":0,"
        "\"byteLength\":2}}}]}";
    expect("compressed bytes", json, sizeof(json) - 1, BAD, "BUFFER_VIEW_TOO_LONG",
        "/bufferViews/0/extensions/EXT_meshopt_compression/byteLength");
}

// A report is complete: a single load reports the faults of every pass.
static void report_is_whole(void)
{
    static const char json[] =
        "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":5,\"children\":[0]}],\"buffers\":[{\"byteLength\":4,"
        "\"uri\":\"x\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":8}],\"accessors\":[{\"componentType\":1,"
        "\"count\":0}],\"materials\":[{\"normalTexture\":{\"index\":0}}],\"extensionsRequired\":[\"X\"]}";
    vrm_report *report;
    vrm_gltf *gltf = NULL;
    vrm_report_create(NULL, &report);
    CHECK_INT(vrm_gltf_load(NULL, json, sizeof(json) - 1, report, &gltf), VRM_ERROR_UNSUPPORTED);
    CHECK(has_finding(report, VRM_FINDING_UNSUPPORTED_EXTENSION, "/extensionsRequired/0"));
    CHECK_STRING(find_finding(report, VRM_FINDING_IO_ERROR, "/buffers/0/uri")->found, "\"x\"");
    CHECK(has_finding(report, VRM_FINDING_BUFFER_VIEW_TOO_LONG, "/bufferViews/0/byteLength"));
    CHECK(has_finding(report, VRM_FINDING_INVALID_GL_VALUE, "/accessors/0/componentType"));
    CHECK(has_finding(report, VRM_FINDING_UNDEFINED_PROPERTY, "/accessors/0/type"));
    CHECK(has_finding(report, VRM_FINDING_VALUE_NOT_IN_RANGE, "/accessors/0/count"));
    CHECK(has_finding(report, VRM_FINDING_UNRESOLVED_REFERENCE, "/nodes/0/mesh"));
    CHECK(has_finding(report, VRM_FINDING_NODE_LOOP, "/nodes/0"));
    CHECK(has_finding(report, VRM_FINDING_UNRESOLVED_REFERENCE, "/materials/0/normalTexture/index"));
    vrm_report_destroy(report);
}

static const test_case cases[] = {
    {"containers", containers},
    {"broken_json", broken_json},
    {"broken_data", broken_data},
    {"broken_meshes", broken_meshes},
    {"sparse_index_beyond", sparse_index_beyond},
    {"sparse_indices_in_a_compressed_view", sparse_indices_in_a_compressed_view},
    {"report_is_whole", report_is_whole},
};

RUN_TESTS(cases)
