// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#if !defined(_WIN32)
#define _XOPEN_SOURCE 700
#include <sys/stat.h>
#include <unistd.h>
#endif

// Tests a document as a whole: reading, external files, and arbitrary bytes.

#include <math.h>
#include <time.h>

#include <vrm/gltf.h>

#include "format/gltf/gltf_document.h"
#include "gltf_fixture.h"
#include "shared_path.h"
#include "test_allocator.h"
#include "test_random.h"

// --- reading ---------------------------------------------------------------------------------------------------------

static void whole_document(void)
{
    size_t size;
    uint8_t *glb = whole_glb(&size);
    vrm_report *report;
    vrm_gltf *gltf = NULL;
    vrm_report_create(NULL, &report);
    CHECK_INT(vrm_gltf_load(NULL, glb, size, report, &gltf), VRM_SUCCESS);
    memset(glb, 0, size); // the document must have its own copy
    free(glb);
    CHECK_INT(vrm_report_get_count(report), 1); // joint 9 with weight 0
    CHECK(has_finding(report, VRM_FINDING_ACCESSOR_JOINTS_USED_ZERO_WEIGHT, "/accessors/1"));
    CHECK_INT(vrm_gltf_get_count(gltf, VRM_GLTF_NODES), 3);
    CHECK_INT(vrm_gltf_get_count(gltf, VRM_GLTF_ACCESSORS), 8);
    CHECK_INT(vrm_gltf_get_count(gltf, VRM_GLTF_CAMERAS), 0);
    CHECK_INT(vrm_gltf_get_flags(gltf), VRM_GLTF_BINARY);
    vrm_string text;
    CHECK_INT(vrm_gltf_get_json(gltf, "/nodes/0/name", &text), VRM_SUCCESS);
    CHECK(text.length == 6 && memcmp(text.data, "\"body\"", 6) == 0);
    CHECK_INT(vrm_gltf_get_json(gltf, "/nodes/3", &text), VRM_ERROR_NOT_FOUND);
    vrm_gltf_image image = {.struct_size = sizeof image};
    CHECK_INT(vrm_gltf_get_image(gltf, 0, &image), VRM_SUCCESS);
    CHECK_STRING(image.mime_type, "image/png");
    CHECK(image.width == 2 && image.height == 3 && image.size == 24 && image.bytes != NULL);
    CHECK(image.name.length == 3 && memcmp(image.name.data, "t\xC3\xA9", 3) == 0);
    CHECK_INT(vrm_gltf_get_image(gltf, 1, &image), VRM_ERROR_INVALID_ARGUMENT);
    // Checks the parents of nodes, which are internal data for import/.
    CHECK_INT(gltf->nodes[2].parent, 1);
    CHECK_INT(gltf->nodes[0].parent, -1);
    CHECK_INT(gltf->nodes[1].children.count, 1);
    CHECK_INT(gltf->indices[gltf->nodes[1].children.first], 2);
    CHECK_NEAR(gltf->nodes[2].local.rotation.y, 0.6, 1e-7);
    CHECK_NEAR(gltf->nodes[1].local.translation.y, 1, 0);
    CHECK_NEAR(gltf->nodes[0].local.scale.x, 1, 0);
    CHECK_INT(gltf->scene, 0);
    CHECK_INT(gltf->meshes[0].target_count, 1);
    CHECK_INT(gltf->primitives[0].vertex_count, 3);
    CHECK_INT(gltf->primitives[0].mode, 4);
    CHECK_INT(gltf->primitives[0].indices, 3);
    CHECK_INT(gltf->primitives[0].joints0, 1);
    CHECK_INT(gltf->skins[0].joints.count, 2);
    CHECK_INT(gltf->skins[0].inverse_bind_matrices, 4);
    CHECK_INT(vrmi_json_count(&gltf->json, gltf->meshes[0].target_names_json), 1);
    vrm_gltf_destroy(gltf);
    vrm_report_destroy(report);
}

static void def_and_arguments(void)
{
    vrm_gltf_def def;
    vrm_gltf_def_default(&def);
    CHECK_INT(def.struct_size, sizeof(def));
    CHECK_INT(def.limits.max_depth, 128);
    CHECK_INT(def.limits.max_nodes, 65536);
    vrm_gltf *gltf = NULL;
    def.struct_size = 3;
    CHECK_INT(vrm_gltf_load(&def, "{}", 2, NULL, &gltf), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_gltf_load_file(NULL, "/nonexistent/avatar.vrm", NULL, &gltf), VRM_ERROR_NOT_FOUND);
    vrm_gltf_destroy(NULL);
}

// --- transforms ------------------------------------------------------------------------------------------------------

// A matrix composed in doubles is decomposed into its parts again.
static void matrices(void)
{
    test_random random = test_random_make(7);
    for (int round = 0; round < 300; ++round) {
        double q[4], s[3], m[16] = {0};
        double length = 0;
        for (int i = 0; i < 4; ++i) {
            q[i] = (double)test_random_float(&random, -1, 1);
            length += q[i] * q[i];
        }
        for (int i = 0; i < 4; ++i) {
            q[i] /= sqrt(length);
        }
        for (int i = 0; i < 3; ++i) {
            s[i] = (double)test_random_float(&random, 0.1f, 3);
        }
        s[0] *= round % 3 == 0 ? -1 : 1; // mirrored matrices, too
        const double x = q[0], y = q[1], z = q[2], w = q[3];
        const double r[9] = {1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y), 2 * (x * y - w * z),
            1 - 2 * (x * x + z * z), 2 * (y * z + w * x), 2 * (x * z + w * y), 2 * (y * z - w * x),
            1 - 2 * (x * x + y * y)};
        for (int c = 0; c < 3; ++c) {
            for (int i = 0; i < 3; ++i) {
                m[4 * c + i] = r[3 * c + i] * s[c];
            }
        }
        m[12] = 1;
        m[13] = -2;
        m[14] = 3;
        m[15] = 1;
        char text[640];
        int size = sprintf(text, "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"matrix\":[%.17g", m[0]);
        for (int i = 1; i < 16; ++i) {
            size += sprintf(text + size, ",%.17g", m[i]);
        }
        size += sprintf(text + size, "]}]}");
        vrm_gltf *gltf = NULL;
        vrm_report *report;
        vrm_report_create(NULL, &report);
        CHECK_INT(vrm_gltf_load(NULL, text, (size_t)size, report, &gltf), VRM_SUCCESS);
        CHECK_INT(vrm_report_get_count(report), 0);
        if (gltf != NULL) {
            const vrm_transform *t = &gltf->nodes[0].local;
            const double same = fabs((double)t->rotation.x * x + (double)t->rotation.y * y + (double)t->rotation.z * z +
                                     (double)t->rotation.w * w);
            CHECK_NEAR(same, 1, 1e-6);
            CHECK_NEAR(t->scale.x, s[0], 1e-6);
            CHECK_NEAR(t->scale.y, s[1], 1e-6);
            CHECK_NEAR(t->scale.z, s[2], 1e-6);
            CHECK(t->translation.x == 1 && t->translation.y == -2 && t->translation.z == 3);
        }
        vrm_gltf_destroy(gltf);
        vrm_report_destroy(report);
    }
}

// Scales of 0 and rotations of length 0 give finite results and unit rotations.
static void degenerate_transforms(void)
{
    static const char *const nodes[] = {"\"matrix\":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1]",
        "\"matrix\":[0,0,0,0,0,2,0,0,0,0,0,0,0,0,0,1]", "\"matrix\":[2,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1]",
        "\"matrix\":[0,0,0,0,0,2,0,0,0,0,2,0,0,0,0,1]", "\"matrix\":[2,0,0,0,2,0,0,0,2,0,0,0,0,0,0,1]",
        "\"rotation\":[0,0,0,0]", "\"rotation\":[3e38,3e38,3e38,3e38]", "\"rotation\":[1e-30,0,0,0]"};
    for (size_t i = 0; i < sizeof(nodes) / sizeof(nodes[0]); ++i) {
        char text[256];
        const int size = sprintf(text, "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{%s}]}", nodes[i]);
        vrm_gltf *gltf = NULL;
        CHECK_INT(vrm_gltf_load(NULL, text, (size_t)size, NULL, &gltf), VRM_SUCCESS);
        if (gltf != NULL) {
            const vrm_quat q = gltf->nodes[0].local.rotation;
            CHECK_NEAR((double)q.x * (double)q.x + (double)q.y * (double)q.y + (double)q.z * (double)q.z +
                           (double)q.w * (double)q.w,
                1, 1e-6);
        }
        vrm_gltf_destroy(gltf);
    }
}

// --- files beside the document ---------------------------------------------------------------------------------------

typedef struct beside {
    char asked[256];
    vrm_result result;
    int calls;
} beside;

static vrm_result read_beside(const vrm_read_request *request, vrm_bytes *out, void *user)
{
    beside *b = user;
    ++b->calls;
    snprintf(b->asked, sizeof(b->asked), "%s", request->uri);
    if (b->result != VRM_SUCCESS) {
        return b->result;
    }
    out->allocator = request->allocator;
    out->size = 12;
    out->data = request->allocator.allocate(12, 4, request->allocator.user);
    if (out->data == NULL) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    memset(out->data, 7, 12);
    return VRM_SUCCESS;
}

static void files_beside(void)
{
    static const char json[] =
        "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":12,\"uri\":\"./my%20data/%E3%81%82.bin\"}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":12}],\"accessors\":[{\"bufferView\":0,\"componentType\":5121,"
        "\"count\":12,\"type\":\"SCALAR\"}]}";
    static const struct {
        vrm_result read, load;
    } results[] = {{VRM_SUCCESS, VRM_SUCCESS}, {VRM_ERROR_NOT_FOUND, VRM_ERROR_INVALID_ASSET},
        {VRM_ERROR_READ, VRM_ERROR_INVALID_ASSET}, {VRM_ERROR_OUT_OF_MEMORY, VRM_ERROR_OUT_OF_MEMORY},
        {VRM_ERROR_LIMIT, VRM_ERROR_LIMIT}};
    for (size_t i = 0; i < sizeof(results) / sizeof(results[0]); ++i) {
        beside state = {.result = results[i].read};
        test_allocator counter;
        vrm_gltf_def def;
        vrm_gltf_def_default(&def);
        def.allocator = test_allocator_make(&counter);
        def.read = read_beside;
        def.read_user = &state;
        vrm_gltf *gltf = NULL;
        CHECK_INT(vrm_gltf_load(&def, json, sizeof(json) - 1, NULL, &gltf), results[i].load);
        CHECK_STRING(state.asked, "./my data/\xE3\x81\x82.bin");
        CHECK_INT(state.calls, 1);
        if (gltf != NULL) {
            uint32_t values[12];
            CHECK_INT(vrm_gltf_read_uints(gltf, 0, 0, 12, values), VRM_SUCCESS);
            CHECK(values[0] == 7 && values[11] == 7);
        }
        vrm_gltf_destroy(gltf);
        CHECK_INT(counter.live_blocks, 0);
        CHECK_INT(counter.wrong, 0);
    }
}

#if !defined(_WIN32)
// A buffer in a file of the folder, through a link within the folder, and through a link that leaves it.
static void symbolic_links_stay_in_the_folder(void)
{
    static const char json[] = "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":3,\"uri\":\"%s\"}]}";
    static const struct {
        const char *uri;
        vrm_result result;
        int leaves;
    } cases[] = {{"file.bin", VRM_SUCCESS, 0}, {"near.bin", VRM_SUCCESS, 0}, {"far.bin", VRM_ERROR_INVALID_ASSET, 1},
        {"up/out.bin", VRM_ERROR_INVALID_ASSET, 1}, {"none.bin", VRM_ERROR_INVALID_ASSET, 0}};
    const char *temporary = getenv("TMPDIR");
    char outer[256], paths[6][300];
    snprintf(outer, sizeof(outer), "%s/vrm-test-XXXXXX", temporary != NULL ? temporary : "/tmp");
    CHECK(mkdtemp(outer) != NULL);
    static const char *const names[6] = {"/out.bin", "/in", "/in/file.bin", "/in/near.bin", "/in/far.bin", "/in/up"};
    for (int i = 0; i < 6; ++i) {
        snprintf(paths[i], sizeof(paths[i]), "%s%s", outer, names[i]);
    }
    CHECK_INT(mkdir(paths[1], 0700), 0);
    CHECK_INT(vrm_write_file(paths[0], "abc", 3), VRM_SUCCESS);
    CHECK_INT(vrm_write_file(paths[2], "abc", 3), VRM_SUCCESS);
    CHECK_INT(symlink("file.bin", paths[3]), 0);
    CHECK_INT(symlink("../out.bin", paths[4]), 0);
    CHECK_INT(symlink("..", paths[5]), 0);
    char model[320];
    snprintf(model, sizeof(model), "%s/model.gltf", paths[1]);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        char text[200];
        const int length = snprintf(text, sizeof(text), json, cases[i].uri);
        CHECK_INT(vrm_write_file(model, text, (size_t)length), VRM_SUCCESS);
        vrm_gltf *gltf = NULL;
        vrm_report *report;
        vrm_report_create(NULL, &report);
        CHECK_INT(vrm_gltf_load_file(NULL, model, report, &gltf), cases[i].result);
        CHECK_INT(has_finding(report, VRM_FINDING_URI_LEAVES_FOLDER, "/buffers/0/uri"), cases[i].leaves);
        CHECK_INT(has_finding(report, VRM_FINDING_IO_ERROR, "/buffers/0/uri"), cases[i].result != VRM_SUCCESS);
        vrm_gltf_destroy(gltf);
        vrm_report_destroy(report);
    }
    unlink(model);
    for (int i = 5; i >= 0; --i) {
        CHECK_INT(remove(paths[i]), 0);
    }
    CHECK_INT(rmdir(outer), 0);
}
#endif

// --- any bytes -------------------------------------------------------------------------------------------------------

// Loads bytes from a block of exactly their size. A document that loads can be read and saved.
static int load_anything(const uint8_t *bytes, size_t size)
{
    uint8_t *exact = malloc(size != 0 ? size : 1);
    memcpy(exact, bytes, size);
    vrm_gltf_def def;
    vrm_gltf_def_default(&def);
    def.borrow_bytes = true;
    vrm_gltf *gltf = NULL;
    vrm_report *report;
    vrm_report_create(NULL, &report);
    const vrm_result result = vrm_gltf_load(&def, exact, size, report, &gltf);
    CHECK(result == VRM_SUCCESS || vrm_report_get_severity_count(report, VRM_SEVERITY_ERROR) > 0);
    CHECK(result != VRM_SUCCESS || vrm_report_get_severity_count(report, VRM_SEVERITY_ERROR) == 0);
    for (uint32_t a = 0; gltf != NULL && a < vrm_gltf_get_count(gltf, VRM_GLTF_ACCESSORS); ++a) {
        vrm_gltf_accessor info = {.struct_size = sizeof info};
        CHECK_INT(vrm_gltf_get_accessor(gltf, a, &info), VRM_SUCCESS);
        float one[16];
        uint32_t one_uint[16];
        for (uint32_t i = 0; i < info.count && i < 100; ++i) {
            vrm_gltf_read_floats(gltf, a, i, 1, one);
            vrm_gltf_read_uints(gltf, a, info.count - 1 - i, 1, one_uint);
        }
    }
    if (gltf != NULL) {
        vrm_bytes saved;
        CHECK_INT(vrm_gltf_save(gltf, &saved), VRM_SUCCESS);
        CHECK(saved.size == size && memcmp(saved.data, exact, size) == 0);
        vrm_bytes_free(&saved);
    }
    vrm_gltf_destroy(gltf);
    vrm_report_destroy(report);
    free(exact);
    return result == VRM_SUCCESS;
}

static void truncated_anywhere(void)
{
    size_t size;
    uint8_t *glb = whole_glb(&size);
    for (size_t length = 0; length < size; ++length) {
        CHECK(!load_anything(glb, length));
        if (length >= 12) { // the same bytes with a valid header
            uint8_t *fixed = malloc(length);
            memcpy(fixed, glb, length);
            gltf_builder_put32(fixed + 8, length);
            load_anything(fixed, length);
            free(fixed);
        }
    }
    CHECK(load_anything(glb, size));
    free(glb);
}

// Changes bytes or replaces numbers of the JSON by awkward ones.
static void mutated(void)
{
    static const char *const numbers[] = {"0", "1", "2", "3", "7", "9", "12", "255", "5121", "5123", "5125", "5126",
        "65535", "65536", "16777216", "2147483647", "4294967295", "4294967296", "-1", "1e9", "null", "[]", "{}"};
    size_t size;
    uint8_t *glb = whole_glb(&size);
    const size_t json_size = (size_t)glb[12] | (size_t)glb[13] << 8;
    test_random random = test_random_make(11);
    int loaded = 0;
    for (int round = 0; round < 4000; ++round) {
        uint8_t *copy = malloc(size + 64);
        memcpy(copy, glb, size);
        size_t copy_size = size;
        if (round % 2 == 0) {
            for (uint32_t k = test_random_below(&random, 4) + 1; k > 0; --k) {
                const uint32_t at = test_random_below(&random, (uint32_t)size);
                copy[at] = (uint8_t)test_random_bits(&random);
            }
        } else { // replaces a number of the JSON and corrects the lengths, so that the number itself is tested
            size_t at = 20 + test_random_below(&random, (uint32_t)json_size), end;
            while (at < 20 + json_size && (glb[at] < '0' || glb[at] > '9')) {
                ++at;
            }
            for (end = at; end < 20 + json_size && glb[end] >= '0' && glb[end] <= '9';) {
                ++end;
            }
            const char *number = numbers[test_random_below(&random, sizeof(numbers) / sizeof(numbers[0]))];
            char *json = malloc(json_size + 32);
            const size_t new_size = (size_t)sprintf(json, "%.*s%s%.*s", (int)(at - 20), (const char *)glb + 20, number,
                (int)(20 + json_size - end), (const char *)glb + end);
            free(copy);
            const size_t bin = 20 + json_size + 8;
            copy = gltf_builder_pack(json, new_size, glb + bin, size - bin, &copy_size);
            free(json);
        }
        loaded += load_anything(copy, copy_size);
        free(copy);
    }
    CHECK(loaded > 100); // enough changes must be harmless, or the mutations would test nothing
    free(glb);
}

// --- files -----------------------------------------------------------------------------------------------------------

static const char *const model_files[] = {"avatars/Godette_vrm_v4.vrm", "blender/VrmaInspector_Example.vrm",
    "blender/basic_armature.vrm", "blender/custom_normal.vrm", "blender/debug_robot.vrm", "blender/tga_texture.vrm",
    "blender/mtoon1_2_20_61_vrm1.vrm", "blender/uninitialized_texture.vrm", "blender/minimal.vrm",
    "conformance/VRMC_materials_mtoon_UV_Animation_Test.vrm", "conformance/VRMC_vrm_expressions_isBinary_Overrides.vrm",
    "conformance/mtoon_default.vrm", "conformance/smoke_spring.vrm", "conformance/springbone_extended_icaps_pmed.vrm",
    "conformance/vrm_node_constraint_examples.glb", "animations/idle_loop.vrma", "animations/original_01.vrma",
    "animations/test.vrma", "gltf/AnimatedMorphCube.glb", "gltf/Box.glb", "gltf/BoxAnimated.glb",
    "gltf/BoxTextured.glb", "gltf/RiggedFigure.glb", "gltf/RiggedSimple.glb",
    "gltf/three-vrm-node-constraint/cubes.gltf", "gltf/three-vrm-springbone/inside-collider.gltf",
    "gltf/three-vrm-springbone/plane-collider.gltf", "gltf/three-vrm-springbone/sphere-collider.gltf",
    "negative/draco.vrm", "negative/empty.vrm", "negative/extensions_required.vrm", "negative/human_bone.vrm"};

// Real files load without an error and are written back byte for byte. After a change that is undone, the JSON has its
// bytes again.
static void real_files(void)
{
    const char *shared = shared_folder();
    char path[512];
    int found = 0;
    for (size_t i = 0; i < sizeof(model_files) / sizeof(model_files[0]); ++i) {
        snprintf(path, sizeof(path), "%s/models/%s", shared, model_files[i]);
        vrm_bytes file = {0}, saved = {0}, edited = {0};
        if (vrm_read_file(path, UINT64_MAX, NULL, &file) != VRM_SUCCESS) {
            continue;
        }
        ++found;
        vrm_report *report;
        vrm_report_create(NULL, &report);
        vrm_gltf *gltf = NULL;
        const vrm_result result = vrm_gltf_load_file(NULL, path, report, &gltf);
        CHECK_INT(result, VRM_SUCCESS);
        if (gltf != NULL) {
            CHECK_INT(vrm_gltf_save(gltf, &saved), VRM_SUCCESS);
            CHECK(saved.size == file.size && memcmp(saved.data, file.data, file.size) == 0);
            CHECK_INT(vrm_gltf_set_json(gltf, "/asset/extras/new", "[1]", 3), VRM_SUCCESS);
            CHECK_INT(vrm_gltf_remove_json(gltf, "/asset/extras/new"), VRM_SUCCESS);
            vrm_gltf_save(gltf, &edited);
            CHECK(edited.size + 64 > file.size);
            vrm_gltf *again = NULL;
            vrm_gltf_def def;
            vrm_gltf_def_default(&def);
            if ((vrm_gltf_get_flags(gltf) & VRM_GLTF_BINARY) != 0) {
                CHECK_INT(vrm_gltf_load(&def, edited.data, edited.size, NULL, &again), VRM_SUCCESS);
            }
            vrm_gltf_destroy(again);
        } else {
            printf("  %s\n", path);
            print_report(report);
        }
        vrm_gltf_destroy(gltf);
        vrm_report_destroy(report);
        vrm_bytes_free(&file);
        vrm_bytes_free(&saved);
        vrm_bytes_free(&edited);
    }
    if (found == 0) {
        SKIP("the model files are not here");
    }
    CHECK_INT(found, sizeof(model_files) / sizeof(model_files[0]));
}

// --- speed -----------------------------------------------------------------------------------------------------------

// No speed is required, since the machine may be busy; quadratic time would take minutes.
static void large_documents(void)
{
    gltf_builder b = {0};
    for (int i = 0; i < 65535; ++i) {
        gltf_builder_add(&b, "nodes", "{\"children\":[%d]}", i + 1);
    }
    gltf_builder_add(&b, "nodes", "{}");
    size_t size;
    uint8_t *glb = gltf_builder_glb(&b, &size);
    gltf_builder_free(&b);
    vrm_gltf *gltf = NULL;
    clock_t start = clock();
    CHECK_INT(vrm_gltf_load(NULL, glb, size, NULL, &gltf), VRM_SUCCESS);
    printf("65,536 nodes in a chain: %.1f ms\n", (double)(clock() - start) * 1e3 / CLOCKS_PER_SEC);
    vrm_gltf_destroy(gltf);
    free(glb);

    const uint32_t vertices = 2 << 20;
    float *values = malloc(vertices * 12);
    uint16_t *indices = calloc(vertices, 2);
    for (uint32_t i = 0; i < vertices * 3; ++i) {
        values[i] = (float)i;
    }
    gltf_builder_floats(&b, values, vertices * 3, vertices, "VEC3");
    gltf_builder_accessor(&b, indices, vertices * 2, 5123, vertices, "SCALAR", "");
    gltf_builder_member(&b, "meshes", "[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}]");
    glb = gltf_builder_glb(&b, &size);
    gltf_builder_free(&b);
    vrm_gltf_def def;
    vrm_gltf_def_default(&def);
    def.borrow_bytes = true;
    start = clock();
    CHECK_INT(vrm_gltf_load(&def, glb, size, NULL, &gltf), VRM_SUCCESS);
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    printf(
        "%.1f MB of vertices: %.1f ms, %.0f MB/s\n", (double)size / 1e6, seconds * 1e3, (double)size / 1e6 / seconds);
    vrm_gltf_destroy(gltf);
    free(values);
    free(indices);
    free(glb);
}

static const test_case cases[] = {
    {"whole_document", whole_document},
    {"def_and_arguments", def_and_arguments},
    {"matrices", matrices},
    {"degenerate_transforms", degenerate_transforms},
    {"files_beside", files_beside},
#if !defined(_WIN32)
    {"symbolic_links_stay_in_the_folder", symbolic_links_stay_in_the_folder},
#endif
    {"truncated_anywhere", truncated_anywhere},
    {"mutated", mutated},
    {"real_files", real_files},
    {"large_documents", large_documents},
};

RUN_TESTS(cases)
