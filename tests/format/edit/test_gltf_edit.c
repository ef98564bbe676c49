// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Lossless edits: untouched parts keep every byte, and a saved file loads again with the new values.

#include <time.h>

#include <vrm/gltf.h>

#include "gltf_builder.h"
#include "test.h"
#include "test_allocator.h"
#include "test_random.h"

static vrm_gltf *load_text(const char *json)
{
    vrm_gltf *gltf = NULL;
    CHECK_INT(vrm_gltf_load(NULL, json, strlen(json), NULL, &gltf), VRM_SUCCESS);
    return gltf;
}

static vrm_result set(vrm_gltf *gltf, const char *pointer, const char *json)
{
    return vrm_gltf_set_json(gltf, pointer, json, strlen(json));
}

// Checks the saved text of a .gltf.
static void check_saved(const vrm_gltf *gltf, const char *expected)
{
    vrm_bytes bytes;
    CHECK_INT(vrm_gltf_save(gltf, &bytes), VRM_SUCCESS);
    if (bytes.size != strlen(expected) || memcmp(bytes.data, expected, bytes.size) != 0) {
        printf("  differs: saved    %.*s\n  expected %s\n", (int)bytes.size, (const char *)bytes.data, expected);
        ++test_failures;
    }
    vrm_bytes_free(&bytes);
}

static void check_json(const vrm_gltf *gltf, const char *pointer, const char *expected)
{
    vrm_string text;
    const vrm_result result = vrm_gltf_get_json(gltf, pointer, &text);
    CHECK_INT(result, expected != NULL ? VRM_SUCCESS : VRM_ERROR_NOT_FOUND);
    if (expected != NULL && result == VRM_SUCCESS) {
        if (text.length != strlen(expected) || memcmp(text.data, expected, text.length) != 0) {
            printf("  differs: %s is %.*s, expected %s\n", pointer, (int)text.length, text.data, expected);
            ++test_failures;
        }
    }
}

typedef struct edit_case {
    const char *before;
    const char *pointer;
    const char *json; // NULL: remove
    vrm_result result;
    const char *after; // NULL: no change
} edit_case;

#define HEAD "{\"asset\":{\"version\":\"2.0\"}"
#define BAD VRM_ERROR_INVALID_ARGUMENT

static const edit_case edit_cases[] = {
    // Members.
    {HEAD ",\"x\":1}", "/x", "2", VRM_SUCCESS, HEAD ",\"x\":2}"},
    {HEAD ",\"x\":1}", "/y", "2", VRM_SUCCESS, HEAD ",\"x\":1,\"y\":2}"},
    {HEAD ",\"x\":{}}", "/x/a", "2", VRM_SUCCESS, HEAD ",\"x\":{\"a\":2}}"},
    {HEAD ",\"x\":{ }}", "/x/a", "2", VRM_SUCCESS, HEAD ",\"x\":{\"a\":2 }}"},
    {HEAD "}", "/a/b/c", "[1]", VRM_SUCCESS, HEAD ",\"a\":{\"b\":{\"c\":[1]}}}"},
    {HEAD "}", "/a/-/c", "1", VRM_SUCCESS, HEAD ",\"a\":[{\"c\":1}]}"},
    {HEAD "}", "/a", "  {\"b\" : 1}\n", VRM_SUCCESS, HEAD ",\"a\":{\"b\" : 1}}"},
    {HEAD "}", "/a", "\"text\"", VRM_SUCCESS, HEAD ",\"a\":\"text\"}"},
    // The edit follows the existing formatting and keeps numbers and white space elsewhere.
    {"{\n  \"asset\" : { \"version\" : \"2.0\" },\n  \"n\" : 1.50e+01\n}\n", "/m", "7", VRM_SUCCESS,
        "{\n  \"asset\" : { \"version\" : \"2.0\" },\n  \"n\" : 1.50e+01,\n  \"m\" : 7\n}\n"},
    {HEAD " , \"a\":[ 1 ,2.0 , 3 ] }", "/a/1", "9", VRM_SUCCESS, HEAD " , \"a\":[ 1 ,9 , 3 ] }"},
    // Elements.
    {HEAD ",\"a\":[1,2]}", "/a/-", "3", VRM_SUCCESS, HEAD ",\"a\":[1,2,3]}"},
    {HEAD ",\"a\":[1,2]}", "/a/2", "3", VRM_SUCCESS, HEAD ",\"a\":[1,2,3]}"},
    {HEAD ",\"a\":[]}", "/a/-", "3", VRM_SUCCESS, HEAD ",\"a\":[3]}"},
    {HEAD ",\"a\":[1,2]}", "/a/3", "3", BAD, NULL},
    {HEAD ",\"a\":[1,2]}", "/a/01", "3", BAD, NULL},
    {HEAD ",\"a\":[1,2]}", "/a/x", "3", BAD, NULL},
    {HEAD ",\"a\":[1,2]}", "/a/99999999999", "3", BAD, NULL},
    // Pointers.
    {HEAD ",\"a/b\":1,\"m~n\":2}", "/a~1b", "3", VRM_SUCCESS, HEAD ",\"a/b\":3,\"m~n\":2}"},
    {HEAD ",\"a/b\":1,\"m~n\":2}", "/m~0n", "3", VRM_SUCCESS, HEAD ",\"a/b\":1,\"m~n\":3}"},
    {HEAD ",\"\":1}", "/", "3", VRM_SUCCESS, HEAD ",\"\":3}"},
    {HEAD ",\"\\u0061\":1}", "/a", "3", VRM_SUCCESS, HEAD ",\"\\u0061\":3}"},
    {HEAD "}", "/q\"\\", "3", VRM_SUCCESS, HEAD ",\"q\\\"\\\\\":3}"},
    {HEAD "}", "/a~2b", "3", BAD, NULL},
    {HEAD "}", "/a~", "3", BAD, NULL},
    {HEAD "}", "a", "3", BAD, NULL},
    {HEAD "}", "/asset/version/x", "3", BAD, NULL},
    {HEAD "}", "", HEAD ",\"k\":0}", VRM_SUCCESS, HEAD ",\"k\":0}"},
    // An edit changes the last of several equal keys and keeps the others.
    {HEAD ",\"x\":1,\"x\":2}", "/x", "3", VRM_SUCCESS, HEAD ",\"x\":1,\"x\":3}"},
    // Invalid JSON.
    {HEAD "}", "/a", "", BAD, NULL},
    {HEAD "}", "/a", "{", BAD, NULL},
    {HEAD "}", "/a", "1 2", BAD, NULL},
    {HEAD "}", "/a", "NaN", BAD, NULL},
    {HEAD "}", "/a", "1,\"b\":2", BAD, NULL},
    // Removal.
    {HEAD ",\"x\":1,\"y\":2}", "/x", NULL, VRM_SUCCESS, HEAD ",\"y\":2}"},
    {HEAD ",\"x\":1,\"y\":2}", "/y", NULL, VRM_SUCCESS, HEAD ",\"x\":1}"},
    {HEAD ",\"x\":{\"a\":1}}", "/x/a", NULL, VRM_SUCCESS, HEAD ",\"x\":{}}"},
    {HEAD ",\"x\":[1, 2 ,3]}", "/x/1", NULL, VRM_SUCCESS, HEAD ",\"x\":[1,3]}"},
    {HEAD ",\"x\":[1,2]}", "/x/2", NULL, VRM_ERROR_NOT_FOUND, NULL},
    {HEAD ",\"x\":[1,2]}", "/x/-", NULL, VRM_ERROR_NOT_FOUND, NULL},
    {HEAD ",\"x\":[1,2]}", "/y", NULL, VRM_ERROR_NOT_FOUND, NULL},
    {HEAD ",\"x\":[1,2]}", "/x/0/y", NULL, VRM_ERROR_NOT_FOUND, NULL},
    {HEAD "}", "", NULL, VRM_ERROR_NOT_FOUND, NULL},
};

static void one_edit(void)
{
    for (size_t i = 0; i < sizeof(edit_cases) / sizeof(edit_cases[0]); ++i) {
        const edit_case *c = &edit_cases[i];
        vrm_gltf *gltf = load_text(c->before);
        const vrm_result result =
            c->json != NULL ? set(gltf, c->pointer, c->json) : vrm_gltf_remove_json(gltf, c->pointer);
        if (result != c->result) {
            printf("  %s %s\n", c->pointer, c->json != NULL ? c->json : "(removed)");
        }
        CHECK_INT(result, c->result);
        check_saved(gltf, c->after != NULL ? c->after : c->before);
        vrm_gltf_destroy(gltf);
    }
}

static void edits_are_seen(void)
{
    vrm_gltf *gltf = load_text(HEAD ",\"a\":[1,{\"b\":2}],\"c\":3}");
    check_json(gltf, "/a/1/b", "2");
    check_json(gltf, "/a", "[1,{\"b\":2}]");
    CHECK_INT(set(gltf, "/a/1/b", "{\"d\":[4,5]}"), VRM_SUCCESS);
    check_json(gltf, "/a/1/b/d/1", "5");
    check_json(gltf, "/a", "[1,{\"b\":{\"d\":[4,5]}}]");
    check_json(gltf, "/c", "3");
    check_json(gltf, "/x", NULL);
    check_json(gltf, "/c/x", NULL);
    CHECK_INT(set(gltf, "/a/1/b/d/-", "6"), VRM_SUCCESS); // an edit of a value that was just set
    CHECK_INT(set(gltf, "/a/1/b/d/0", "\"\\u00e9\""), VRM_SUCCESS);
    check_json(gltf, "/a/1/b", "{\"d\":[\"\\u00e9\",5,6]}");
    check_json(gltf, "/a/1/b", "{\"d\":[\"\\u00e9\",5,6]}"); // a second read gives the same text
    CHECK_INT(vrm_gltf_remove_json(gltf, "/a/1"), VRM_SUCCESS);
    check_json(gltf, "/a", "[1]");
    CHECK_INT(set(gltf, "/a", "null"), VRM_SUCCESS);
    check_json(gltf, "/a/0", NULL);
    check_json(gltf, "", HEAD ",\"a\":null,\"c\":3}");
    check_saved(gltf, HEAD ",\"a\":null,\"c\":3}");
    vrm_gltf_destroy(gltf);
}

// Edits a table of numbers at random, together with a copy in the test. The text must always have the copy's values.
static void random_edits(void)
{
    enum { ROWS = 6, COLUMNS = 5 };
    test_random random = test_random_make(17);
    for (int round = 0; round < 60; ++round) {
        int table[ROWS][COLUMNS], counts[ROWS] = {0};
        vrm_gltf *gltf = load_text(HEAD ", \"t\" : [ [] , [] , [ ] ,\n[],[],[] ] }");
        for (int step = 0; step < 120; ++step) {
            const uint32_t row = test_random_below(&random, ROWS);
            char pointer[64], value[32], expected[128] = "";
            const int number = (int)test_random_below(&random, 1000);
            const uint32_t what = test_random_below(&random, 4);
            sprintf(value, "%d", number);
            if (what == 0 && counts[row] < COLUMNS) {
                sprintf(pointer, "/t/%u/-", row);
                CHECK_INT(set(gltf, pointer, value), VRM_SUCCESS);
                table[row][counts[row]++] = number;
            } else if (what == 1 && counts[row] > 0) {
                const uint32_t column = test_random_below(&random, (uint32_t)counts[row]);
                sprintf(pointer, "/t/%u/%u", row, column);
                CHECK_INT(set(gltf, pointer, value), VRM_SUCCESS);
                table[row][column] = number;
            } else if (what == 2 && counts[row] > 0) {
                const uint32_t column = test_random_below(&random, (uint32_t)counts[row]);
                sprintf(pointer, "/t/%u/%u", row, column);
                CHECK_INT(vrm_gltf_remove_json(gltf, pointer), VRM_SUCCESS);
                memmove(&table[row][column], &table[row][column + 1], ((size_t)counts[row] - column - 1) * sizeof(int));
                --counts[row];
            } else { // replaces the whole row
                int size = sprintf(expected, "[");
                for (int c = 0; c < counts[row]; ++c) {
                    size += sprintf(expected + size, "%s%d", c > 0 ? "," : "", table[row][c]);
                }
                sprintf(expected + size, "]");
                sprintf(pointer, "/t/%u", row);
                CHECK_INT(set(gltf, pointer, expected), VRM_SUCCESS);
                check_json(gltf, pointer, expected);
            }
            for (int c = 0; c < counts[row]; ++c) {
                sprintf(pointer, "/t/%u/%d", row, c);
                sprintf(expected, "%d", table[row][c]);
                check_json(gltf, pointer, expected);
            }
        }
        vrm_bytes bytes;
        vrm_gltf *again = NULL;
        CHECK_INT(vrm_gltf_save(gltf, &bytes), VRM_SUCCESS);
        CHECK_INT(vrm_gltf_load(NULL, bytes.data, bytes.size, NULL, &again), VRM_SUCCESS);
        for (int row = 0; row < ROWS && again != NULL; ++row) {
            char pointer[64], expected[32];
            for (int c = 0; c <= counts[row]; ++c) {
                sprintf(pointer, "/t/%d/%d", row, c);
                sprintf(expected, "%d", c < counts[row] ? table[row][c] : 0);
                check_json(again, pointer, c < counts[row] ? expected : NULL);
            }
        }
        vrm_bytes_free(&bytes);
        vrm_gltf_destroy(again);
        vrm_gltf_destroy(gltf);
    }
}

// --- bytes -----------------------------------------------------------------------------------------------------------

// Appends two views and adds accessors for them. Saves, loads and reads both. The existing data is kept.
static void append_to(const void *bytes, size_t size, const char *own_buffer, int was_binary)
{
    vrm_gltf *gltf = NULL, *again = NULL;
    vrm_bytes saved;
    const uint8_t odd[5] = {1, 2, 3, 4, 5};
    const float floats[3] = {1.5f, -2, 3};
    uint32_t view_a, view_b, first;
    char json[160];
    CHECK_INT(vrm_gltf_load(NULL, bytes, size, NULL, &gltf), VRM_SUCCESS);
    first = vrm_gltf_get_count(gltf, VRM_GLTF_BUFFER_VIEWS);
    CHECK_INT(vrm_gltf_append_buffer_view(gltf, odd, 5, &view_a), VRM_SUCCESS);
    CHECK_INT(vrm_gltf_append_buffer_view(gltf, floats, 12, &view_b), VRM_SUCCESS);
    CHECK_INT(view_a, first);
    CHECK_INT(view_b, first + 1);
    const uint32_t accessors = vrm_gltf_get_count(gltf, VRM_GLTF_ACCESSORS);
    sprintf(json, "{\"bufferView\":%u,\"componentType\":5121,\"count\":5,\"type\":\"SCALAR\"}", view_a);
    CHECK_INT(set(gltf, "/accessors/-", json), VRM_SUCCESS);
    sprintf(json, "{\"bufferView\":%u,\"componentType\":5126,\"count\":3,\"type\":\"SCALAR\"}", view_b);
    CHECK_INT(set(gltf, "/accessors/-", json), VRM_SUCCESS);
    CHECK_INT(vrm_gltf_save(gltf, &saved), VRM_SUCCESS);
    vrm_bytes twice;
    CHECK_INT(vrm_gltf_save(gltf, &twice), VRM_SUCCESS);
    CHECK(twice.size == saved.size && memcmp(twice.data, saved.data, saved.size) == 0);
    vrm_bytes_free(&twice);
    vrm_report *report;
    vrm_report_create(NULL, &report);
    CHECK_INT(vrm_gltf_load(NULL, saved.data, saved.size, report, &again), VRM_SUCCESS);
    for (uint32_t i = 0; i < vrm_report_get_count(report); ++i) {
        const vrm_finding *f = vrm_report_get_finding(report, i);
        CHECK(
            // Only the buffer that was missing before may be reported.
            f->severity >= VRM_SEVERITY_INFO || strcmp(f->path, "/buffers/0") == 0);
    }
    if (again != NULL) {
        uint32_t bytes_read[5];
        float floats_read[3], old[1];
        CHECK_INT(vrm_gltf_read_uints(again, accessors, 0, 5, bytes_read), VRM_SUCCESS);
        CHECK(bytes_read[0] == 1 && bytes_read[4] == 5);
        CHECK_INT(vrm_gltf_read_floats(again, accessors + 1, 0, 3, floats_read), VRM_SUCCESS);
        CHECK(memcmp(floats_read, floats, 12) == 0);
        if (accessors != 0 && (vrm_gltf_get_flags(again) & VRM_GLTF_GEOMETRY_UNREADABLE) == 0) {
            CHECK_INT(vrm_gltf_read_floats(again, 0, 0, 1, old), VRM_SUCCESS);
            CHECK(old[0] == 42);
        }
        sprintf(json, "/bufferViews/%u/buffer", view_a);
        check_json(again, json, own_buffer);
        CHECK_INT((vrm_gltf_get_flags(again) & VRM_GLTF_BINARY) != 0, was_binary);
    }
    vrm_report_destroy(report);
    vrm_bytes_free(&saved);
    vrm_gltf_destroy(again);
    vrm_gltf_destroy(gltf);
}

static void append_buffer_views(void)
{
    const float value[1] = {42};
    size_t size;
    gltf_builder b = {0};
    gltf_builder_floats(&b, value, 1, 1, "SCALAR");
    uint8_t *glb = gltf_builder_glb(&b, &size);
    append_to(glb, size, "0", 1); // a GLB with a BIN chunk
    free(glb);
    gltf_builder_free(&b);
    const uint8_t odd[3] = {1, 2, 3};
    gltf_builder_view(&b, odd, 3, "");
    glb = gltf_builder_glb(&b, &size);
    append_to(glb, size, "0", 1); // a buffer that ends within the chunk's padding
    free(glb);
    gltf_builder_free(&b);
    glb = gltf_builder_pack(HEAD "}", strlen(HEAD "}"), NULL, 0, &size);
    append_to(glb, size, "0", 1); // without any buffer
    free(glb);
    const char *embedded = HEAD ",\"buffers\":[{\"byteLength\":4,\"uri\":\"data:;base64,AAAoQg==\"}],\"bufferViews\":"
                                "[{\"buffer\":0,\"byteLength\":4}],\"accessors\":[{\"bufferView\":0,\"componentType\":"
                                "5126,\"count\":1,\"type\":\"SCALAR\"}]}";
    append_to(embedded, strlen(embedded), "1", 0); // .gltf
    glb = gltf_builder_pack(embedded, strlen(embedded), NULL, 0, &size);
    append_to(glb, size, "1", 1); // a GLB whose first buffer is not its BIN chunk
    free(glb);
    append_to(HEAD "}", strlen(HEAD "}"), "0", 0);
    const char *missing = HEAD ",\"buffers\":[{\"byteLength\":400}]}";
    glb = gltf_builder_pack(missing, strlen(missing), NULL, 0, &size);
    append_to(glb, size, "1", 1); // the BIN chunk is missing: appended bytes must not take its place
    free(glb);
}

// Unknown chunks survive an edit, and so do BIN bytes that the edit does not touch.
static void other_chunks_stay(void)
{
    size_t size;
    uint8_t *glb = gltf_builder_pack(
        HEAD ",\"buffers\":[{\"byteLength\":4}]}", strlen(HEAD ",\"buffers\":[{\"byteLength\":4}]}"), "1234", 4, &size);
    glb = realloc(glb, size + 12);
    memcpy(glb + size, "\4\0\0\0ABCDwxyz", 12);
    size += 12;
    gltf_builder_put32(glb + 8, size);
    vrm_gltf *gltf = NULL;
    CHECK_INT(vrm_gltf_load(NULL, glb, size, NULL, &gltf), VRM_SUCCESS);
    CHECK_INT(set(gltf, "/extras", "1"), VRM_SUCCESS);
    CHECK_INT(vrm_gltf_remove_json(gltf, "/extras"), VRM_SUCCESS);
    vrm_bytes saved;
    CHECK_INT(vrm_gltf_save(gltf, &saved), VRM_SUCCESS);
    CHECK(saved.size == size && memcmp(saved.data, glb, size) == 0);
    vrm_bytes_free(&saved);
    vrm_gltf_destroy(gltf);
    free(glb);
}

// --- memory and time -------------------------------------------------------------------------------------------------

static vrm_result several_edits(vrm_gltf *gltf, int *done)
{
    const uint8_t bytes[6] = {1, 2, 3, 4, 5, 6};
    vrm_string text;
    uint32_t view;
    vrm_result result = set(gltf, "/a/b/c", "{\"d\":[1,2]}");
    *done = 0;
    if (result == VRM_SUCCESS) {
        ++*done;
        result = set(gltf, "/a/b/c/d/-", "3");
    }
    if (result == VRM_SUCCESS) {
        ++*done;
        result = vrm_gltf_append_buffer_view(gltf, bytes, 6, &view);
    }
    if (result == VRM_SUCCESS) {
        ++*done;
        result = vrm_gltf_get_json(gltf, "/a", &text);
    }
    if (result == VRM_SUCCESS) {
        ++*done;
        result = vrm_gltf_remove_json(gltf, "/a/b");
    }
    return result;
}

// A failed edit leaves the document unchanged, and the document can still be saved.
static void every_allocation_fails_once(void)
{
    static const char *const after[] = {
        HEAD "}", HEAD ",\"a\":{\"b\":{\"c\":{\"d\":[1,2]}}}}", HEAD ",\"a\":{\"b\":{\"c\":{\"d\":[1,2,3]}}}}"};
    for (uint64_t at = 0;; ++at) {
        test_allocator counter;
        vrm_gltf_def def;
        vrm_gltf *gltf = NULL;
        int done;
        vrm_gltf_def_default(&def);
        def.allocator = test_allocator_make(&counter);
        CHECK_INT(vrm_gltf_load(&def, HEAD "}", strlen(HEAD "}"), NULL, &gltf), VRM_SUCCESS);
        const uint64_t before = counter.calls;
        counter.fail_at = before + at;
        const vrm_result result = several_edits(gltf, &done);
        const int reached = counter.calls > counter.fail_at;
        counter.fail_at = UINT64_MAX;
        CHECK_INT(result, reached ? VRM_ERROR_OUT_OF_MEMORY : VRM_SUCCESS);
        if (done < 3) {
            check_saved(gltf, after[done]);
        }
        vrm_bytes saved;
        CHECK_INT(vrm_gltf_save(gltf, &saved), VRM_SUCCESS);
        vrm_bytes_free(&saved);
        vrm_gltf_destroy(gltf);
        CHECK_INT(counter.live_blocks, 0);
        CHECK_INT(counter.wrong, 0);
        if (!reached) {
            break;
        }
    }
}

// Makes ten thousand edits all over a document, and adds ten thousand elements to one array.
static void many_edits(void)
{
    gltf_builder b = {0};
    for (int i = 0; i < 10000; ++i) {
        gltf_builder_add(&b, "nodes", "{\"name\":\"node%d\",\"translation\":[0,1,0]}", i);
    }
    size_t size;
    uint8_t *glb = gltf_builder_glb(&b, &size);
    gltf_builder_free(&b);
    vrm_gltf *gltf = NULL, *again = NULL;
    vrm_bytes saved;
    CHECK_INT(vrm_gltf_load(NULL, glb, size, NULL, &gltf), VRM_SUCCESS);
    const clock_t start = clock();
    for (int i = 0; i < 10000; ++i) {
        char pointer[64], value[64];
        uint32_t view;
        sprintf(pointer, "/nodes/%d/translation", i);
        sprintf(value, "[%d,0,0]", i);
        CHECK_INT(set(gltf, pointer, value), VRM_SUCCESS);
        CHECK_INT(set(gltf, "/extras/list/-", value), VRM_SUCCESS);
        CHECK_INT(vrm_gltf_append_buffer_view(gltf, value, 8, &view), VRM_SUCCESS);
    }
    CHECK_INT(vrm_gltf_save(gltf, &saved), VRM_SUCCESS);
    printf("30,000 edits of %.1f MB and saving: %.0f ms\n", (double)size / 1e6,
        (double)(clock() - start) * 1e3 / CLOCKS_PER_SEC);
    CHECK_INT(vrm_gltf_load(NULL, saved.data, saved.size, NULL, &again), VRM_SUCCESS);
    check_json(again, "/nodes/9999/translation", "[9999,0,0]");
    check_json(again, "/nodes/9999/name", "\"node9999\"");
    check_json(again, "/extras/list/1234", "[1234,0,0]");
    check_json(again, "/bufferViews/9999/byteLength", "8");
    vrm_bytes_free(&saved);
    vrm_gltf_destroy(again);
    vrm_gltf_destroy(gltf);
    free(glb);
}

// Deep pointers cause no recursion: a pointer as deep as the limit works, and a deeper one is refused.
static void deep_pointers(void)
{
    char pointer[2048] = "";
    for (int i = 0; i < 128; ++i) {
        strcat(pointer, "/a");
    }
    vrm_gltf *gltf = load_text(HEAD "}");
    CHECK_INT(set(gltf, pointer, "1"), VRM_SUCCESS);
    check_json(gltf, pointer, "1");
    strcat(pointer, "/a");
    CHECK_INT(set(gltf, pointer, "1"), BAD);
    vrm_gltf_destroy(gltf);
}

static const test_case cases[] = {
    {"one_edit", one_edit},
    {"edits_are_seen", edits_are_seen},
    {"random_edits", random_edits},
    {"append_buffer_views", append_buffer_views},
    {"other_chunks_stay", other_chunks_stay},
    {"every_allocation_fails_once", every_allocation_fails_once},
    {"many_edits", many_edits},
    {"deep_pointers", deep_pointers},
};

RUN_TESTS(cases)
