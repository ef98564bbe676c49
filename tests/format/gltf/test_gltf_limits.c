// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Loading a document: progress, cancelling, too little memory, and limits.

#include "gltf_fixture.h"
#include "test_allocator.h"

typedef struct watcher {
    int calls, cancel_at;
    float last;
    int fell, ended;
} watcher;

static bool watch(float fraction, const char *phase, void *user)
{
    watcher *w = user;
    ++w->calls;
    w->fell += !(fraction >= w->last && fraction <= 1.0f) || phase == NULL;
    w->last = fraction;
    w->ended = fraction == 1.0f;
    return w->calls != w->cancel_at;
}

// Makes several megabytes of everything that loading processes: bytes, base64, JSON, elements.
static uint8_t *big_document(size_t *out_size)
{
    gltf_builder b = {0};
    float *values = calloc(1 << 20, sizeof(float));
    gltf_builder_floats(&b, values, 3 << 18, 1 << 18, "VEC3");
    gltf_builder_accessor(&b, values, 1 << 20, 5125, 1 << 18, "SCALAR", "");
    gltf_builder_member(&b, "meshes", "[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}]");
    for (int i = 0; i < 3000; ++i) {
        gltf_builder_add(&b, "nodes", "{\"translation\":[0,%d,0]}", i);
    }
    char *uri = malloc((3 << 20) + 64);
    strcpy(uri, "{\"byteLength\":2000000,\"uri\":\"data:;base64,");
    const size_t start = strlen(uri);
    memset(uri + start, 'A', 3 << 20);
    strcpy(uri + start + (3 << 20), "\"}");
    gltf_builder_add(&b, "buffers", "{\"byteLength\":%llu}", (unsigned long long)b.bin_size);
    gltf_builder_add(&b, "buffers", "%s", uri);
    uint8_t *glb = gltf_builder_glb(&b, out_size);
    free(uri);
    free(values);
    gltf_builder_free(&b);
    return glb;
}

static void cancel_at_every_call(void)
{
    size_t size;
    uint8_t *glb = big_document(&size);
    test_allocator counter;
    vrm_gltf_def def;
    vrm_gltf_def_default(&def);
    def.allocator = test_allocator_make(&counter);
    watcher w = {0};
    def.progress = watch;
    def.progress_user = &w;
    vrm_gltf *gltf = NULL;
    CHECK_INT(vrm_gltf_load(&def, glb, size, NULL, &gltf), VRM_SUCCESS);
    vrm_gltf_destroy(gltf);
    CHECK_INT(w.fell, 0);
    CHECK(w.ended);
    // Progress is reported at least once for each megabyte that is copied, and once for each that is checked.
    CHECK((size_t)w.calls >= size / (1 << 20) * 2);
    const int calls = w.calls;
    for (int at = 1; at <= calls; ++at) {
        w = (watcher){.cancel_at = at};
        CHECK_INT(vrm_gltf_load(&def, glb, size, NULL, &gltf), VRM_ERROR_CANCELLED);
        CHECK(gltf == NULL);
        CHECK_INT(w.calls, at);
        CHECK_INT(counter.live_blocks, 0);
    }
    CHECK_INT(counter.wrong, 0);
    free(glb);
}

typedef struct fail_once {
    vrm_allocator inner;
    uint64_t calls, fail_at; // counted from 0
} fail_once;

static void *fail_once_allocate(size_t size, size_t alignment, void *user)
{
    fail_once *f = user;
    return f->calls++ == f->fail_at ? NULL : f->inner.allocate(size, alignment, f->inner.user);
}

static void fail_once_release(void *memory, size_t size, void *user)
{
    fail_once *f = user;
    f->inner.release(memory, size, f->inner.user);
}

static void every_allocation_fails_once(void)
{
    size_t size;
    uint8_t *glb = whole_glb(&size);
    for (int later_too = 0; later_too < 2; ++later_too) {
        for (uint64_t at = 0;; ++at) {
            test_allocator counter;
            fail_once once = {.inner = test_allocator_make(&counter), .fail_at = later_too ? UINT64_MAX : at};
            counter.fail_at = later_too ? at : UINT64_MAX;
            vrm_gltf_def def;
            vrm_gltf_def_default(&def);
            def.allocator = (vrm_allocator){fail_once_allocate, fail_once_release, &once};
            vrm_gltf *gltf = NULL;
            const vrm_result result = vrm_gltf_load(&def, glb, size, NULL, &gltf);
            const int reached = once.calls > at;
            CHECK_INT(result, reached ? VRM_ERROR_OUT_OF_MEMORY : VRM_SUCCESS);
            CHECK((gltf == NULL) == reached);
            vrm_gltf_destroy(gltf);
            CHECK_INT(counter.live_blocks, 0);
            CHECK_INT(counter.wrong, 0);
            if (!reached) {
                CHECK(at > 5);
                break;
            }
        }
    }
    free(glb);
}

static void limits(void)
{
    size_t size;
    uint8_t *glb = big_document(&size);
    vrm_gltf *gltf = NULL;
    vrm_gltf_def def;
    test_allocator counter;
    vrm_gltf_def_default(&def);
    def.allocator = test_allocator_make(&counter);
    CHECK_INT(vrm_gltf_load(&def, glb, size, NULL, &gltf), VRM_SUCCESS);
    vrm_gltf_destroy(gltf);
    const uint64_t peak = counter.peak;
    // A load never exceeds its memory limit, whatever the limit is. With the peak as the limit, the load succeeds.
    for (uint64_t limit = 1000; limit < peak; limit = limit * 3 / 2) {
        def.allocator = test_allocator_make(&counter);
        def.limits.max_memory = limit;
        CHECK_INT(vrm_gltf_load(&def, glb, size, NULL, &gltf), VRM_ERROR_LIMIT);
        CHECK(counter.peak <= limit + 2048); // the document's own two structs are allocated before the limit applies
        CHECK_INT(counter.live_blocks, 0);
    }
    def.limits.max_memory = peak;
    CHECK_INT(vrm_gltf_load(&def, glb, size, NULL, &gltf), VRM_SUCCESS);
    vrm_gltf_destroy(gltf);
    vrm_gltf_def_default(&def);
    def.limits.max_file_size = size - 1;
    CHECK_INT(vrm_gltf_load(&def, glb, size, NULL, &gltf), VRM_ERROR_LIMIT);
    vrm_gltf_def_default(&def);
    def.limits.max_nodes = 2999;
    CHECK_INT(vrm_gltf_load(&def, glb, size, NULL, &gltf), VRM_ERROR_LIMIT);
    vrm_gltf_def_default(&def);
    def.limits.max_elements = 1000;
    CHECK_INT(vrm_gltf_load(&def, glb, size, NULL, &gltf), VRM_ERROR_LIMIT);
    vrm_gltf_def_default(&def);
    def.limits.max_depth = 3;
    CHECK_INT(vrm_gltf_load(&def, glb, size, NULL, &gltf), VRM_ERROR_LIMIT);
    free(glb);
}

// A declared count alone allocates no memory. Allocations depend on the bytes that exist.
static void declared_counts_cost_nothing(void)
{
    gltf_builder b = {0};
    const float value[3] = {1, 2, 3};
    gltf_builder_floats(&b, value, 3, 1, "VEC3");
    for (int i = 0; i < 20; ++i) {
        gltf_builder_add(&b, "accessors", "{\"componentType\":5126,\"count\":16000000,\"type\":\"MAT4\"}");
    }
    size_t size;
    uint8_t *glb = gltf_builder_glb(&b, &size);
    gltf_builder_free(&b);
    test_allocator counter;
    vrm_gltf_def def;
    vrm_gltf_def_default(&def);
    def.allocator = test_allocator_make(&counter);
    vrm_gltf *gltf = NULL;
    CHECK_INT(vrm_gltf_load(&def, glb, size, NULL, &gltf), VRM_SUCCESS);
    CHECK(counter.peak < 64 * size);
    float last[16];
    CHECK_INT(vrm_gltf_read_floats(gltf, 20, 15999999, 1, last), VRM_SUCCESS);
    CHECK(last[0] == 0 && last[15] == 0);
    vrm_gltf_destroy(gltf);
    free(glb);
}

// Thousands of accessors over the same megabytes would cause minutes of scanning although the file is small. So the
// file is refused.
static void same_bytes_again_and_again(void)
{
    gltf_builder b = {0};
    float *values = calloc(1 << 18, sizeof(float));
    gltf_builder_view(&b, values, 1 << 20, "");
    for (int i = 0; i < 10000; ++i) {
        gltf_builder_add(&b, "accessors",
            "{\"bufferView\":0,\"byteOffset\":%d,\"componentType\":5126,\"count\":200000,\"type\":\"SCALAR\"}", i * 4);
    }
    size_t size;
    uint8_t *glb = gltf_builder_glb(&b, &size);
    gltf_builder_free(&b);
    vrm_gltf *gltf = NULL;
    CHECK_INT(vrm_gltf_load(NULL, glb, size, NULL, &gltf), VRM_ERROR_LIMIT);
    vrm_gltf_destroy(gltf);
    free(values);
    free(glb);
}

static const test_case cases[] = {
    {"cancel_at_every_call", cancel_at_every_call},
    {"every_allocation_fails_once", every_allocation_fails_once},
    {"limits", limits},
    {"declared_counts_cost_nothing", declared_counts_cost_nothing},
    {"same_bytes_again_and_again", same_bytes_again_and_again},
};

RUN_TESTS(cases)
