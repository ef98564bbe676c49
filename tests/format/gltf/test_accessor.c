// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include <math.h>

#include <vrm/gltf.h>

#include "format/gltf/accessor.h"
#include "gltf_builder.h"
#include "test.h"

static uint64_t random_state = 1;

static uint32_t random_u32(void)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 32);
}

static vrm_gltf *load(gltf_builder *b, vrm_result expected)
{
    size_t size;
    uint8_t *glb = gltf_builder_glb(b, &size);
    vrm_gltf *gltf = NULL;
    vrm_report *report = NULL;
    vrm_report_create(NULL, &report);
    const vrm_result result = vrm_gltf_load(NULL, glb, size, report, &gltf);
    CHECK_INT(result, expected);
    for (uint32_t i = 0; result != expected && i < vrm_report_get_count(report); ++i) {
        const vrm_finding *f = vrm_report_get_finding(report, i);
        printf("  %s %s %s\n", vrm_finding_get_info(f->id)->name, f->path, f->found);
    }
    vrm_report_destroy(report);
    free(glb);
    gltf_builder_free(b);
    return gltf;
}

typedef struct type_info {
    const char *name;
    uint32_t columns, rows;
} type_info;

static const type_info types[] = {
    {"SCALAR", 1, 1}, {"VEC2", 1, 2}, {"VEC3", 1, 3}, {"VEC4", 1, 4}, {"MAT2", 2, 2}, {"MAT3", 3, 3}, {"MAT4", 4, 4}};
static const uint32_t component_types[] = {5120, 5121, 5122, 5123, 5125, 5126};
static const uint32_t component_sizes[] = {1, 1, 2, 2, 4, 4};

// The specification's table 3.11, computed in doubles from the bytes.
static double reference_component(const uint8_t *p, uint32_t component_type, int normalized)
{
    int8_t i8;
    int16_t i16;
    uint16_t u16;
    uint32_t u32;
    float f32;
    switch (component_type) {
    case 5120:
        memcpy(&i8, p, 1);
        return normalized ? fmax(i8 / 127.0, -1.0) : i8;
    case 5121:
        return normalized ? *p / 255.0 : *p;
    case 5122:
        memcpy(&i16, p, 2);
        return normalized ? fmax(i16 / 32767.0, -1.0) : i16;
    case 5123:
        memcpy(&u16, p, 2);
        return normalized ? u16 / 65535.0 : u16;
    case 5125:
        memcpy(&u32, p, 4);
        return u32;
    default:
        memcpy(&f32, p, 4);
        return (double)f32;
    }
}

static void fill(uint8_t *bytes, size_t size, uint32_t component_type)
{
    for (size_t i = 0; i < size; ++i) {
        bytes[i] = (uint8_t)random_u32();
    }
    for (size_t i = 0; component_type == 5126 && i + 4 <= size; i += 4) {
        const float value = (float)((double)random_u32() / 4294967296.0 * 4 - 2);
        memcpy(bytes + i, &value, 4);
    }
}

static void check_values(const vrm_gltf *gltf, const uint8_t *bytes, uint32_t stride, uint32_t count,
    const type_info *type, uint32_t t, int normalized)
{
    const uint32_t components = type->columns * type->rows;
    const uint32_t column_stride = type->columns == 1 ? 0 : (type->rows * component_sizes[t] + 3) / 4 * 4;
    float values[64 * 16];
    uint32_t uints[64 * 16];
    const uint32_t first = random_u32() % count, part = 1 + random_u32() % (count - first);
    CHECK_INT(vrm_gltf_read_floats(gltf, 0, first, part, values), VRM_SUCCESS);
    const int is_unsigned = component_types[t] == 5121 || component_types[t] == 5123 || component_types[t] == 5125;
    CHECK_INT(vrm_gltf_read_uints(gltf, 0, first, part, uints), is_unsigned ? VRM_SUCCESS : VRM_ERROR_INVALID_ARGUMENT);
    int wrong = 0;
    for (uint32_t i = 0; i < part; ++i) {
        for (uint32_t c = 0; c < components; ++c) {
            const uint8_t *p = bytes + (size_t)(first + i) * stride + c / type->rows * column_stride +
                               c % type->rows * component_sizes[t];
            const double expected = reference_component(p, component_types[t], normalized);
            wrong += !(fabs((double)values[i * components + c] - expected) <= fabs(expected) * 1.2e-7);
            wrong +=
                is_unsigned && uints[i * components + c] != (uint32_t)reference_component(p, component_types[t], 0);
        }
    }
    CHECK_INT(wrong, 0);
}

// Every type and component type, normalised or not, packed or with a stride.
static void every_format(void)
{
    for (size_t k = 0; k < sizeof(types) / sizeof(types[0]); ++k) {
        for (uint32_t t = 0; t < 6; ++t) {
            for (int normalized = 0; normalized < 2; ++normalized) {
                for (uint32_t padding = 0; padding < 12; padding += 4) {
                    const uint32_t column = types[k].rows * component_sizes[t];
                    const uint32_t tight = types[k].columns == 1 ? column : types[k].columns * ((column + 3) / 4 * 4);
                    const uint32_t stride = padding == 0 ? tight : (tight + 3) / 4 * 4 + padding - 4;
                    const int norm = normalized && component_sizes[t] < 4;
                    const uint32_t count = 1 + random_u32() % 40;
                    uint8_t bytes[64 * 80];
                    const size_t size = (size_t)stride * count;
                    char extra[64] = "", view[64] = "";
                    fill(bytes, size, component_types[t]);
                    if (padding != 0) {
                        snprintf(view, sizeof(view), ",\"byteStride\":%u", stride);
                    }
                    snprintf(extra, sizeof(extra), "%s", normalized ? ",\"normalized\":true" : "");
                    gltf_builder b = {0};
                    gltf_builder_view(&b, bytes, size, view);
                    gltf_builder_add(&b, "accessors",
                        "{\"bufferView\":0,\"componentType\":%u,\"count\":%u,\"type\":\"%s\"%s}", component_types[t],
                        count, types[k].name, extra);
                    vrm_gltf *gltf = load(&b, VRM_SUCCESS);
                    if (gltf != NULL) {
                        check_values(gltf, bytes, stride, count, &types[k], t, norm);
                        vrm_gltf_accessor info = {.struct_size = sizeof info};
                        CHECK_INT(vrm_gltf_get_accessor(gltf, 0, &info), VRM_SUCCESS);
                        CHECK_INT(info.count, count);
                        CHECK_INT(info.components, types[k].columns * types[k].rows);
                        CHECK_INT(info.component_type, component_types[t]);
                        CHECK_INT(info.normalized, norm);
                    }
                    vrm_gltf_destroy(gltf);
                }
            }
        }
    }
}

// A signed byte of -128 and a signed short of -32768 normalise to exactly -1.
static void lowest_normalised(void)
{
    const int8_t bytes[4] = {-128, -127, 0, 127};
    const int16_t shorts[4] = {-32768, -32767, 0, 32767};
    gltf_builder b = {0};
    gltf_builder_accessor(&b, bytes, 4, 5120, 4, "SCALAR", ",\"normalized\":true");
    gltf_builder_accessor(&b, shorts, 8, 5122, 4, "SCALAR", ",\"normalized\":true");
    vrm_gltf *gltf = load(&b, VRM_SUCCESS);
    for (uint32_t a = 0; a < 2 && gltf != NULL; ++a) {
        float out[4];
        CHECK_INT(vrm_gltf_read_floats(gltf, a, 0, 4, out), VRM_SUCCESS);
        CHECK(out[0] == -1.0f && out[1] == -1.0f && out[2] == 0.0f && out[3] == 1.0f);
    }
    vrm_gltf_destroy(gltf);
}

// The last matrix of an accessor may omit the padding after its last column.
static void last_column_without_padding(void)
{
    uint8_t bytes[11 + 12];
    for (uint8_t i = 0; i < sizeof(bytes); ++i) {
        bytes[i] = i;
    }
    gltf_builder b = {0};
    gltf_builder_accessor(&b, bytes, sizeof(bytes), 5121, 2, "MAT3", "");
    vrm_gltf *gltf = load(&b, VRM_SUCCESS);
    float out[18];
    CHECK_INT(vrm_gltf_read_floats(gltf, 0, 0, 2, out), VRM_SUCCESS);
    const float expected[18] = {0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 16, 17, 18, 20, 21, 22};
    CHECK(memcmp(out, expected, sizeof(out)) == 0);
    vrm_gltf_destroy(gltf);
    gltf_builder short_by_one = {0};
    gltf_builder_accessor(&short_by_one, bytes, sizeof(bytes) - 1, 5121, 2, "MAT3", "");
    CHECK(load(&short_by_one, VRM_ERROR_INVALID_ASSET) == NULL);
}

// Sparse values over a base and over zeros. Sparse values are packed even if the base has a stride (cgltf 295).
static void sparse(void)
{
    for (int round = 0; round < 200; ++round) {
        const uint32_t count = 1 + random_u32() % 60, index_type = random_u32() % 3;
        const int has_base = random_u32() % 2;
        float base[60][4], values[60][2], expected[60][2];
        uint32_t indices[60], used = 0;
        for (uint32_t i = 0; i < count; ++i) {
            for (int c = 0; c < 4; ++c) {
                base[i][c] = (float)random_u32();
            }
            expected[i][0] = has_base ? base[i][0] : 0;
            expected[i][1] = has_base ? base[i][1] : 0;
            if (random_u32() % 3 == 0 || (i + 1 == count && used == 0)) {
                expected[i][0] = values[used][0] = (float)random_u32();
                expected[i][1] = values[used][1] = (float)random_u32();
                indices[used++] = i;
            }
        }
        uint8_t packed[240];
        const uint32_t sizes[3] = {1, 2, 4}, gl[3] = {5121, 5123, 5125};
        for (uint32_t i = 0; i < used; ++i) {
            // Tests run on little-endian machines.
            memcpy(packed + i * sizes[index_type], &indices[i], sizes[index_type]);
        }
        gltf_builder b = {0};
        gltf_builder_view(&b, base, count * sizeof(base[0]), ",\"byteStride\":16");
        gltf_builder_view(&b, packed, used * sizes[index_type], "");
        gltf_builder_view(&b, values, used * sizeof(values[0]), "");
        gltf_builder_add(&b, "accessors",
            "{%s\"componentType\":5126,\"count\":%u,\"type\":\"VEC2\",\"sparse\":{\"count\":%u,\"indices\":"
            "{\"bufferView\":1,\"componentType\":%u},\"values\":{\"bufferView\":2}}}",
            has_base ? "\"bufferView\":0," : "", count, used, gl[index_type]);
        vrm_gltf *gltf = load(&b, VRM_SUCCESS);
        for (int part = 0; part < 5 && gltf != NULL; ++part) {
            float out[120];
            const uint32_t first = random_u32() % count, n = random_u32() % (count - first + 1);
            CHECK_INT(vrm_gltf_read_floats(gltf, 0, first, n, out), VRM_SUCCESS);
            CHECK(memcmp(out, expected[first], n * sizeof(expected[0])) == 0);
        }
        vrm_gltf_destroy(gltf);
    }
}

static void sparse_integers(void)
{
    const uint16_t values[2] = {500, 600};
    const uint8_t indices[2] = {1, 3};
    gltf_builder b = {0};
    gltf_builder_view(&b, indices, 2, "");
    gltf_builder_view(&b, values, 4, "");
    gltf_builder_add(&b, "accessors",
        "{\"componentType\":5123,\"count\":5,\"type\":\"SCALAR\",\"sparse\":{\"count\":2,\"indices\":"
        "{\"bufferView\":0,\"componentType\":5121},\"values\":{\"bufferView\":1}}}");
    vrm_gltf *gltf = load(&b, VRM_SUCCESS);
    uint32_t out[5];
    CHECK_INT(vrm_gltf_read_uints(gltf, 0, 0, 5, out), VRM_SUCCESS);
    const uint32_t expected[5] = {0, 500, 0, 600, 0};
    CHECK(memcmp(out, expected, sizeof(out)) == 0);
    vrm_gltf_destroy(gltf);
}

static void ranges(void)
{
    const float values[6] = {1, 2, 3, 4, 5, 6};
    gltf_builder b = {0};
    gltf_builder_floats(&b, values, 6, 3, "VEC2");
    vrm_gltf *gltf = load(&b, VRM_SUCCESS);
    float out[8];
    CHECK_INT(vrm_gltf_read_floats(gltf, 0, 0, 3, out), VRM_SUCCESS);
    CHECK_INT(vrm_gltf_read_floats(gltf, 0, 3, 0, out), VRM_SUCCESS);
    CHECK_INT(vrm_gltf_read_floats(gltf, 0, 0, 4, out), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_gltf_read_floats(gltf, 0, 3, 1, out), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_gltf_read_floats(gltf, 0, 4, 0, out), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_gltf_read_floats(gltf, 0, UINT32_MAX, 2, out), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_gltf_read_floats(gltf, 1, 0, 1, out), VRM_ERROR_INVALID_ARGUMENT);
    vrm_gltf_accessor info = {.struct_size = sizeof info};
    CHECK_INT(vrm_gltf_get_accessor(gltf, 1, &info), VRM_ERROR_INVALID_ARGUMENT);
    vrm_gltf_destroy(gltf);
}

// NaN and infinity are read as 0, in the base and in sparse values. Such data cannot be accessed directly.
static void not_finite(void)
{
    const float values[8] = {1, NAN, 3, INFINITY, 5, -INFINITY, 7, 8};
    const float clean[4] = {1, 2, 3, 4};
    const uint8_t index = 2;
    const float sparse_value = NAN;
    gltf_builder b = {0};
    gltf_builder_floats(&b, values, 8, 4, "VEC2");
    const uint32_t view = gltf_builder_view(&b, clean, sizeof(clean), "");
    const uint32_t index_view = gltf_builder_view(&b, &index, 1, "");
    const uint32_t value_view = gltf_builder_view(&b, &sparse_value, 4, "");
    gltf_builder_add(&b, "accessors",
        "{\"bufferView\":%u,\"componentType\":5126,\"count\":4,\"type\":\"SCALAR\",\"sparse\":{\"count\":1,"
        "\"indices\":{\"bufferView\":%u,\"componentType\":5121},\"values\":{\"bufferView\":%u}}}",
        view, index_view, value_view);
    gltf_builder_add(
        &b, "accessors", "{\"bufferView\":%u,\"componentType\":5126,\"count\":4,\"type\":\"SCALAR\"}", view);
    vrm_gltf *gltf = load(&b, VRM_SUCCESS);
    float out[8];
    const float expected[8] = {1, 0, 3, 0, 5, 0, 7, 8};
    CHECK_INT(vrm_gltf_read_floats(gltf, 0, 0, 4, out), VRM_SUCCESS);
    CHECK(memcmp(out, expected, sizeof(expected)) == 0);
    const float expected_sparse[4] = {1, 2, 0, 4};
    CHECK_INT(vrm_gltf_read_floats(gltf, 1, 0, 4, out), VRM_SUCCESS);
    CHECK(memcmp(out, expected_sparse, sizeof(expected_sparse)) == 0);
    vrm_gltf_destroy(gltf);
}

// An unaligned accessor can still be read.
static void unaligned(void)
{
    const float values[2] = {1.5f, -2.5f};
    uint8_t bytes[9];
    memcpy(bytes + 1, values, 8);
    gltf_builder b = {0};
    gltf_builder_view(&b, bytes, 9, "");
    gltf_builder_add(
        &b, "accessors", "{\"bufferView\":0,\"byteOffset\":1,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\"}");
    vrm_gltf *gltf = load(&b, VRM_SUCCESS);
    float out[2];
    CHECK_INT(vrm_gltf_read_floats(gltf, 0, 0, 2, out), VRM_SUCCESS);
    CHECK(memcmp(out, values, 8) == 0);
    vrm_gltf_destroy(gltf);
}

// Draco: accessors without bytes are not read as zeros. Meshopt: accessors are unreadable unless the fallback buffer
// has bytes.
static void compressed(void)
{
    const float values[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    float out[9];
    gltf_builder draco = {0};
    gltf_builder_view(&draco, values, 36, "");
    gltf_builder_add(&draco, "accessors", "{\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}");
    gltf_builder_add(&draco, "accessors", "{\"componentType\":5123,\"count\":3,\"type\":\"SCALAR\"}");
    gltf_builder_member(&draco, "meshes",
        "[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1,\"extensions\":{\"KHR_draco_mesh_"
        "compression\":"
        "{\"bufferView\":0,\"attributes\":{\"POSITION\":0}}}}]}]");
    gltf_builder_member(&draco, "extensionsRequired", "[\"KHR_draco_mesh_compression\"]");
    vrm_gltf *gltf = load(&draco, VRM_SUCCESS);
    CHECK_INT(vrm_gltf_read_floats(gltf, 0, 0, 3, out), VRM_ERROR_UNSUPPORTED);
    CHECK(gltf != NULL && (vrm_gltf_get_flags(gltf) & VRM_GLTF_GEOMETRY_UNREADABLE) != 0);
    vrm_gltf_destroy(gltf);

    for (int with_bytes = 0; with_bytes < 2; ++with_bytes) {
        gltf_builder b = {0};
        gltf_builder_view(&b, values, 36, "");
        gltf_builder_add(&b, "buffers", "{\"byteLength\":36}");
        if (with_bytes) { // 36 bytes of zeros
            gltf_builder_add(&b, "buffers",
                "{\"byteLength\":36,\"uri\":\"data:;base64,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\"}");
        } else {
            gltf_builder_add(
                &b, "buffers", "{\"byteLength\":36,\"extensions\":{\"EXT_meshopt_compression\":{\"fallback\":true}}}");
        }
        gltf_builder_add(&b, "bufferViews",
            "{\"buffer\":1,\"byteLength\":36,\"extensions\":{\"EXT_meshopt_compression\":{\"buffer\":0,\"byteLength\":"
            "20,\"byteStride\":12,\"count\":3,\"mode\":\"ATTRIBUTES\"}}}");
        gltf_builder_add(&b, "accessors", "{\"bufferView\":1,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}");
        gltf = load(&b, VRM_SUCCESS);
        CHECK_INT(vrm_gltf_read_floats(gltf, 0, 0, 3, out), with_bytes ? VRM_SUCCESS : VRM_ERROR_UNSUPPORTED);
        CHECK_INT((vrm_gltf_get_flags(gltf) & VRM_GLTF_GEOMETRY_UNREADABLE) != 0, !with_bytes);
        vrm_gltf_destroy(gltf);
    }
}

// The file is JSON alone, so the buffer of the BIN chunk has no bytes.
static void missing_bytes(void)
{
    static const char json[] =
        "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":12}],\"bufferViews\":[{\"buffer\":0,"
        "\"byteLength\":12}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":1,\"type\":\"VEC3\"}]}";
    vrm_gltf *gltf = NULL;
    float out[3];
    CHECK_INT(vrm_gltf_load(NULL, json, sizeof(json) - 1, NULL, &gltf), VRM_SUCCESS);
    CHECK_INT(vrm_gltf_read_floats(gltf, 0, 0, 1, out), VRM_ERROR_NOT_FOUND);
    CHECK((vrm_gltf_get_flags(gltf) & VRM_GLTF_GEOMETRY_UNREADABLE) != 0);
    vrm_gltf_destroy(gltf);
}

static const test_case cases[] = {
    {"every_format", every_format},
    {"lowest_normalised", lowest_normalised},
    {"last_column_without_padding", last_column_without_padding},
    {"sparse", sparse},
    {"sparse_integers", sparse_integers},
    {"ranges", ranges},
    {"not_finite", not_finite},
    {"unaligned", unaligned},
    {"compressed", compressed},
    {"missing_bytes", missing_bytes},
};

RUN_TESTS(cases)
