// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The JSON reader with too much input, with too little memory, and when cancelled.

#include <stdlib.h>

#include "base/text.h"
#include "format/json/json.h"
#include "report_fixture.h"
#include "test_allocator.h"

static void depth_is_capped(void)
{
    enum { DEEP = 1000000 };
    char *text = malloc(2 * DEEP);
    memset(text, '[', DEEP);
    memset(text + DEEP, ']', DEEP);
    vrm_report *report;
    CHECK_INT(vrm_report_create(NULL, &report), VRM_SUCCESS);
    vrmi_json json;
    CHECK_INT(vrmi_json_parse(&json, text, 2 * DEEP, NULL, NULL, report), VRM_ERROR_LIMIT);
    check_finding(report, 0, VRM_FINDING_LIMIT_EXCEEDED, "");
    CHECK_STRING(vrm_report_get_finding(report, 0)->expected, "at most 128");
    CHECK_INT(vrmi_json_parse(&json, text + DEEP - 128, 256, NULL, NULL, NULL), VRM_SUCCESS);
    vrmi_json_free(&json);
    CHECK_INT(vrmi_json_parse(&json, text + DEEP - 129, 258, NULL, NULL, NULL), VRM_ERROR_LIMIT);
    // If the limit allows the depth, it needs memory but no stack.
    const vrmi_json_limits limits = {.max_depth = DEEP};
    CHECK_INT(vrmi_json_parse(&json, text, 2 * DEEP, NULL, &limits, NULL), VRM_SUCCESS);
    CHECK_INT(json.count, DEEP);
    vrmi_json_free(&json);
    vrm_report_destroy(report);
    free(text);
}

static void size_is_capped(void)
{
    if (SIZE_MAX == UINT32_MAX) {
        return;
    }
    vrmi_json json;
    CHECK_INT(vrmi_json_parse(&json, "{}", (size_t)UINT32_MAX + 1, NULL, NULL, NULL), VRM_ERROR_LIMIT);
    CHECK_INT(vrmi_json_parse(&json, "{}", UINT32_MAX, NULL, NULL, NULL), VRM_ERROR_LIMIT);
}

// Makes a document with everything that allocates: many tokens, an object with many keys, an array whose elements are
// looked up.
static void make_document(vrmi_text *text, int size)
{
    vrmi_text_add_string(text, "{\"keys\":{");
    for (int i = 0; i < size; ++i) {
        vrmi_text_format(text, "%s\"k%d\":[%d,\"\\u00e9%d\"]", i == 0 ? "" : ",", i, i, i);
    }
    vrmi_text_add_string(text, "},\"list\":[");
    for (int i = 0; i < size; ++i) {
        vrmi_text_format(text, "%s[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]", i == 0 ? "" : ",\n");
    }
    vrmi_text_add_string(text, "]}");
}

static void memory_is_capped(void)
{
    vrmi_text text;
    vrmi_text_init(&text, NULL);
    make_document(&text, 1000);
    test_allocator state;
    vrm_allocator allocator = test_allocator_make(&state);
    vrmi_json json;
    CHECK_INT(vrmi_json_parse(&json, text.data, text.size, &allocator, NULL, NULL), VRM_SUCCESS);
    const uint64_t enough = state.peak;
    vrmi_json_free(&json);
    for (uint64_t limit = 1; limit <= enough; limit += enough / 50) {
        allocator = test_allocator_make(&state);
        const vrmi_json_limits limits = {.max_memory = limit};
        vrm_report *report;
        CHECK_INT(vrm_report_create(NULL, &report), VRM_SUCCESS);
        const vrm_result result = vrmi_json_parse(&json, text.data, text.size, &allocator, &limits, report);
        CHECK(result == VRM_ERROR_LIMIT || result == VRM_SUCCESS);
        CHECK_INT(vrm_report_get_count(report), result == VRM_ERROR_LIMIT);
        CHECK(state.peak <= limit);
        vrmi_json_free(&json);
        CHECK_INT(state.live_blocks, 0);
        vrm_report_destroy(report);
    }
    const vrmi_json_limits limits = {.max_memory = enough};
    CHECK_INT(vrmi_json_parse(&json, text.data, text.size, NULL, &limits, NULL), VRM_SUCCESS);
    vrmi_json_free(&json);
    vrmi_text_free(&text);
}

static void every_allocation_fails_once(void)
{
    vrmi_text text;
    vrmi_text_init(&text, NULL);
    make_document(&text, 300);
    uint64_t fail_at = 0;
    for (;; ++fail_at) {
        test_allocator state;
        const vrm_allocator allocator = test_allocator_make(&state);
        state.fail_at = fail_at;
        vrmi_json json;
        const vrm_result result = vrmi_json_parse(&json, text.data, text.size, &allocator, NULL, NULL);
        vrmi_json_free(&json);
        CHECK_INT(state.live_blocks, 0);
        CHECK_INT(state.wrong, 0);
        if (result == VRM_SUCCESS) {
            break;
        }
        CHECK_INT(result, VRM_ERROR_OUT_OF_MEMORY);
    }
    CHECK(fail_at >= 4);
    vrmi_text_free(&text);
}

typedef struct watcher {
    uint64_t calls, stop_at;
    float last;
    bool backwards;
} watcher;

static bool watch(float fraction, void *user)
{
    watcher *w = user;
    w->backwards = w->backwards || fraction < w->last || fraction < 0 || fraction > 1;
    w->last = fraction;
    return w->calls++ != w->stop_at;
}

static void cancelled_at_every_call(void)
{
    vrmi_text text;
    vrmi_text_init(&text, NULL);
    make_document(&text, 30000);
    // Progress is also reported during long strings and long white space.
    for (int kind = 0; kind < 3; ++kind) {
        const size_t size = kind == 0 ? text.size : 4000000;
        char *bytes = malloc(size);
        memset(bytes, kind == 1 ? 'a' : ' ', size);
        bytes[0] = bytes[size - 1] = '"';
        if (kind == 2) {
            memcpy(bytes, "{ ", 2);
            bytes[size - 1] = '}';
        }
        if (kind == 0) {
            memcpy(bytes, text.data, size);
        }
        uint64_t stop_at = 0;
        for (;; ++stop_at) {
            test_allocator state;
            const vrm_allocator allocator = test_allocator_make(&state);
            watcher w = {.stop_at = stop_at};
            const vrmi_json_limits limits = {.progress = watch, .progress_user = &w};
            vrmi_json json;
            const vrm_result result = vrmi_json_parse(&json, bytes, size, &allocator, &limits, NULL);
            CHECK(!w.backwards);
            vrmi_json_free(&json);
            CHECK_INT(state.live_blocks, 0);
            if (result == VRM_SUCCESS) {
                CHECK(w.last == 1);
                break;
            }
            CHECK_INT(result, VRM_ERROR_CANCELLED);
            CHECK_INT(w.calls, stop_at + 1);
        }
        CHECK(stop_at > size / 1000000 + 1);
        free(bytes);
    }
    vrmi_text_free(&text);
}

static const test_case cases[] = {
    {"depth_is_capped", depth_is_capped},
    {"size_is_capped", size_is_capped},
    {"memory_is_capped", memory_is_capped},
    {"every_allocation_fails_once", every_allocation_fails_once},
    {"cancelled_at_every_call", cancelled_at_every_call},
};

RUN_TESTS(cases)
