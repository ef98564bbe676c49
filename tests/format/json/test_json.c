// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include <stdlib.h>

#include "base/platform.h"
#include "base/text.h"
#include "format/json/json.h"
#include "json_cases.h"
#include "report_fixture.h"
#include "test_allocator.h"
#include "test_random.h"

// test_json tests the reader. With --stream or --numbers it prints results for test_json_python.py, which compares them
// with another reader's.

static vrmi_json parse(const char *text)
{
    vrmi_json json;
    const vrm_result result = vrmi_json_parse(&json, text, strlen(text), NULL, NULL, NULL);
    if (result != VRM_SUCCESS) {
        printf("%s: %s\n", vrm_result_name(result), text);
        CHECK(false);
    }
    return json;
}

static void conformance(void)
{
    static const struct {
        char verdict;
        const char *text;
        size_t size;
    } rows[] = {
#define ROW(verdict, text) {#verdict[0], text, sizeof(text) - 1},
        JSON_CASES(ROW)
#undef ROW
    };
    size_t count = sizeof(rows) / sizeof(rows[0]);
    CHECK(count > 250);
    for (size_t i = 0; i < count; ++i) {
        // A copy in a block of exactly its size, so that a sanitizer detects a read beyond its end.
        char *text = malloc(rows[i].size + (rows[i].size == 0));
        memcpy(text, rows[i].text, rows[i].size);
        vrm_report *report;
        CHECK_INT(vrm_report_create(NULL, &report), VRM_SUCCESS);
        vrmi_json json;
        const vrm_result result = vrmi_json_parse(&json, text, rows[i].size, NULL, NULL, report);
        const bool refused = rows[i].verdict == 'n';
        if ((result != VRM_SUCCESS) != refused) {
            printf("%c %s\n", rows[i].verdict, rows[i].text);
        }
        CHECK_INT(result, refused ? VRM_ERROR_INVALID_ASSET : VRM_SUCCESS);
        const vrm_finding *finding = vrm_report_get_finding(report, vrm_report_get_count(report) - 1);
        if (refused) {
            CHECK(finding != NULL && finding->id == VRM_FINDING_INVALID_JSON);
            CHECK(finding != NULL && finding->offset >= 0 && finding->offset <= (int64_t)rows[i].size);
            CHECK(json.count == 0 && json.tokens == NULL);
        } else if (rows[i].verdict == 'i') {
            CHECK(finding != NULL && finding->severity == VRM_SEVERITY_WARNING);
        }
        vrmi_json_free(&json);
        vrm_report_destroy(report);
        free(text);
    }
}

// A zero byte is neither white space nor the end of a text, neither within the text nor as padding after it.
static void zero_bytes(void)
{
    static const struct {
        const char *text;
        size_t size;
    } rows[] = {{"\0", 1}, {"{}\0", 3}, {"[\0]", 3}, {"\"a\0b\"", 5}, {"1\0", 2}, {"{}\0\0\0 ", 6}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); ++i) {
        vrmi_json json;
        CHECK_INT(vrmi_json_parse(&json, rows[i].text, rows[i].size, NULL, NULL, NULL), VRM_ERROR_INVALID_ASSET);
    }
}

static void values(void)
{
    vrmi_json json = parse(" {\"a\": [1, -2.50, \"x\\n\", {}], \"b\": null, \"c\": true, \"d\": {\"e\": false}} ");
    CHECK_INT(json.count, 15);
    CHECK_INT(vrmi_json_kind_of(&json, 0), VRMI_JSON_OBJECT);
    CHECK_INT(vrmi_json_count(&json, 0), 4);
    const uint32_t a = vrmi_json_member(&json, 0, "a");
    CHECK(vrmi_json_is(&json, a, VRMI_JSON_ARRAY));
    CHECK_INT(vrmi_json_count(&json, a), 4);
    CHECK(vrmi_string_equal(vrmi_json_text(&json, a), "[1, -2.50, \"x\\n\", {}]"));
    CHECK(vrmi_string_equal(vrmi_json_text(&json, vrmi_json_element(&json, a, 1)), "-2.50"));
    CHECK(vrmi_string_equal(vrmi_json_text(&json, vrmi_json_element(&json, a, 2)), "\"x\\n\""));
    CHECK(vrmi_json_element(&json, a, 4) == VRMI_JSON_NONE);
    CHECK_INT(vrmi_json_count(&json, vrmi_json_element(&json, a, 3)), 0);
    CHECK(vrmi_json_first(&json, vrmi_json_element(&json, a, 3)) == VRMI_JSON_NONE);
    CHECK(vrmi_json_is(&json, vrmi_json_member(&json, 0, "b"), VRMI_JSON_NULL));
    CHECK(vrmi_json_is(&json, vrmi_json_at(&json, "/d/e"), VRMI_JSON_FALSE));
    uint32_t key = vrmi_json_first(&json, 0);
    const char *const names[] = {"a", "b", "c", "d"};
    for (int i = 0; i < 4; ++i, key = vrmi_json_next(&json, key)) {
        CHECK(vrmi_json_string_equal(&json, key, names[i]));
        CHECK(vrmi_json_value(&json, key) == vrmi_json_member(&json, 0, names[i]));
        CHECK_INT(vrmi_json_count(&json, key), 0);
    }
    CHECK(key == VRMI_JSON_NONE);
    uint32_t element = vrmi_json_first(&json, a);
    for (uint32_t i = 0; i < 4; ++i, element = vrmi_json_next(&json, element)) {
        CHECK(element == vrmi_json_element(&json, a, i));
    }
    CHECK(element == VRMI_JSON_NONE);
    CHECK(vrmi_json_next(&json, 0) == VRMI_JSON_NONE);
    // Neither an element nor a key has this value.
    CHECK(vrmi_json_next(&json, vrmi_json_member(&json, 0, "b")) == VRMI_JSON_NONE);
    CHECK(vrmi_json_value(&json, a) == VRMI_JSON_NONE);
    CHECK(vrmi_json_member(&json, a, "a") == VRMI_JSON_NONE);
    CHECK(vrmi_json_element(&json, 0, 0) == VRMI_JSON_NONE);
    vrmi_json_free(&json);
    vrmi_json_free(&json);
}

// Every function accepts VRMI_JSON_NONE.
static void nothing(void)
{
    vrmi_json json = parse("{}");
    const uint32_t none = VRMI_JSON_NONE;
    double number;
    uint32_t whole;
    char buffer[8] = "x";
    CHECK(vrmi_json_kind_of(&json, none) == VRMI_JSON_NULL && !vrmi_json_is(&json, none, VRMI_JSON_NULL));
    CHECK(vrmi_json_count(&json, none) == 0 && vrmi_json_first(&json, none) == none);
    CHECK(vrmi_json_next(&json, none) == none && vrmi_json_value(&json, none) == none);
    CHECK(vrmi_json_member(&json, none, "a") == none && vrmi_json_element(&json, none, 0) == none);
    CHECK(vrmi_json_text(&json, none).length == 0 && !vrmi_json_number(&json, none, &number));
    CHECK(!vrmi_json_uint(&json, none, &whole) && !vrmi_json_string_equal(&json, none, ""));
    CHECK_INT(vrmi_json_unescape(&json, none, buffer, sizeof(buffer)), 0);
    CHECK_STRING(buffer, "");
    CHECK_STRING(vrmi_json_path(&json, none, buffer, sizeof(buffer)), "");
    vrmi_json_free(&json);
    CHECK(vrmi_json_at(&json, "") == none);
}

// The digits decide whether a number is an integer. The nearest double would often give another result.
static void integers_are_exact(void)
{
    static const struct {
        const char *text;
        vrmi_json_integer kind;
        uint32_t value;
    } cases[] = {{"0", VRMI_JSON_INTEGER, 0}, {"0.0", VRMI_JSON_INTEGER, 0}, {"0e999", VRMI_JSON_INTEGER, 0},
        {"0.00e-99999999999999999999", VRMI_JSON_INTEGER, 0}, {"-0", VRMI_JSON_INTEGER_BEYOND, 0},
        {"-0.0", VRMI_JSON_INTEGER_BEYOND, 0}, {"-0e5", VRMI_JSON_INTEGER_BEYOND, 0},
        {"1e-999", VRMI_JSON_NO_INTEGER, 0}, {"-1e-999", VRMI_JSON_NO_INTEGER, 0},
        {"1e-99999999999999999999", VRMI_JSON_NO_INTEGER, 0}, {"1e99999999999999999999", VRMI_JSON_INTEGER_BEYOND, 0},
        {"0.99999999999999999999999", VRMI_JSON_NO_INTEGER, 0}, {"1.00000000000000000000001", VRMI_JSON_NO_INTEGER, 0},
        {"1.00000000000000000000000", VRMI_JSON_INTEGER, 1}, {"30e-1", VRMI_JSON_INTEGER, 3},
        {"30e-2", VRMI_JSON_NO_INTEGER, 0}, {"0.25E+2", VRMI_JSON_INTEGER, 25}, {"1.05e1", VRMI_JSON_NO_INTEGER, 0},
        {"10203.0405e4", VRMI_JSON_INTEGER, 102030405}, {"4294967295", VRMI_JSON_INTEGER, 4294967295u},
        {"4294967295.0", VRMI_JSON_INTEGER, 4294967295u}, {"4294967295000e-3", VRMI_JSON_INTEGER, 4294967295u},
        {"4294967296", VRMI_JSON_INTEGER_BEYOND, 0}, {"4294967295.5", VRMI_JSON_NO_INTEGER, 0},
        {"18446744073709551616", VRMI_JSON_INTEGER_BEYOND, 0}, {"18446744073709551616.5", VRMI_JSON_NO_INTEGER, 0},
        {"1e400", VRMI_JSON_INTEGER_BEYOND, 0}, {"-1", VRMI_JSON_INTEGER_BEYOND, 0}, {"-1.5", VRMI_JSON_NO_INTEGER, 0},
        {"\"1\"", VRMI_JSON_NO_INTEGER, 0}, {"null", VRMI_JSON_NO_INTEGER, 0}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        vrmi_json json = parse(cases[i].text);
        uint32_t value = 77;
        CHECK_INT(vrmi_json_read_integer(&json, 0, &value), cases[i].kind);
        CHECK_INT(value, cases[i].kind == VRMI_JSON_INTEGER ? cases[i].value : 77);
        vrmi_json_free(&json);
    }
}

static void numbers(void)
{
    vrmi_json json = parse("[0, 3.0, 4294967295, 4294967296, -1, 1.5, 1e2, -0, 1e400, \"1\", 0.1, 1e-400, 2e9, null]");
    static const double doubles[] = {0, 3, 4294967295.0, 4294967296.0, -1, 1.5, 100, 0, -1, -1, 0.1, 0, 2e9, -1};
    static const int64_t wholes[] = {0, 3, 4294967295, -1, -1, -1, 100, -1, -1, -1, -1, -1, 2000000000, -1};
    for (uint32_t i = 0; i < 14; ++i) {
        double number = -1;
        uint32_t whole = 77;
        const uint32_t element = vrmi_json_element(&json, 0, i);
        CHECK(vrmi_json_number(&json, element, &number) == (doubles[i] != -1 || i == 4));
        CHECK(number == doubles[i]);
        CHECK(vrmi_json_uint(&json, element, &whole) == (wholes[i] >= 0));
        CHECK_INT(whole, wholes[i] >= 0 ? wholes[i] : 77);
    }
    vrmi_json_free(&json);
}

static void strings(void)
{
    vrmi_json json =
        parse("[\"a\\u00e9\\ud83d\\ude00\\\"\\/\\b\", \"\xE3\x82\xA2\", \"\\ud800x\\udc00\", \"\xE3\x82x\", "
              "\"\", \"\\u0000a\", \"plain\"]");
    static const char *const expected[] = {"a\xC3\xA9\xF0\x9F\x98\x80\"/\b", "\xE3\x82\xA2",
        "\xEF\xBF\xBDx\xEF\xBF\xBD", "\xEF\xBF\xBDx", "", "", "plain"};
    static const size_t lengths[] = {10, 3, 7, 4, 0, 2, 5};
    char buffer[32];
    for (uint32_t i = 0; i < 7; ++i) {
        const uint32_t element = vrmi_json_element(&json, 0, i);
        CHECK_INT(vrmi_json_unescape(&json, element, buffer, sizeof(buffer)), lengths[i]);
        CHECK_STRING(buffer, expected[i]);
        if (i != 5) {
            CHECK(vrmi_json_string_equal(&json, element, expected[i]));
        }
        CHECK(!vrmi_json_string_equal(&json, element, "other"));
        for (size_t size = 0; size < 12; ++size) { // truncated between characters
            memset(buffer, 'x', sizeof(buffer));
            CHECK_INT(vrmi_json_unescape(&json, element, buffer, size), lengths[i]);
            CHECK(size == 0 ? buffer[0] == 'x' : strlen(buffer) < size && buffer[size] == 'x');
            CHECK(size == 0 || strncmp(buffer, expected[i], strlen(buffer)) == 0);
            CHECK(size == 0 || (expected[i][strlen(buffer)] & 0xC0) != 0x80);
        }
    }
    CHECK_INT(vrmi_json_unescape(&json, 0, buffer, sizeof(buffer)), 0);
    vrmi_json_free(&json);
}

// The table of RFC 6901, section 5, and more cases.
static void pointers(void)
{
    vrmi_json json = parse("{\"foo\": [\"bar\", \"baz\"], \"\": 0, \"a/b\": 1, \"c%d\": 2, \"e^f\": 3, \"g|h\": 4, "
                           "\"i\\\\j\": 5, \"k\\\"l\": 6, \" \": 7, \"m~n\": 8, \"\\u006f~1/\": 9}");
    static const struct {
        const char *pointer, *text;
    } rows[] = {{"/foo", "[\"bar\", \"baz\"]"}, {"/foo/0", "\"bar\""}, {"/foo/1", "\"baz\""}, {"/", "0"},
        {"/a~1b", "1"}, {"/c%d", "2"}, {"/e^f", "3"}, {"/g|h", "4"}, {"/i\\j", "5"}, {"/k\"l", "6"}, {"/ ", "7"},
        {"/m~0n", "8"}, {"/o~01~1", "9"}};
    CHECK_INT(vrmi_json_at(&json, ""), 0);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); ++i) {
        const uint32_t value = vrmi_json_at(&json, rows[i].pointer);
        char path[32];
        CHECK(vrmi_string_equal(vrmi_json_text(&json, value), rows[i].text));
        CHECK_STRING(vrmi_json_path(&json, value, path, sizeof(path)), rows[i].pointer);
    }
    static const char *const absent[] = {"foo", "/foo/2", "/foo/-", "/foo/00", "/foo/01", "/foo/-1", "/foo/1e0",
        "/foo/", "/foo/4294967296", "/foo/18446744073709551616", "/m~n", "/m~2n", "/m~", "/a/b", "/none", "/foo/0/x",
        "//", "/foo/0/"};
    for (size_t i = 0; i < sizeof(absent) / sizeof(absent[0]); ++i) {
        if (vrmi_json_at(&json, absent[i]) != VRMI_JSON_NONE) {
            printf("%s\n", absent[i]);
            CHECK(false);
        }
    }
    char path[32];
    // A key has the path of its value.
    CHECK_STRING(vrmi_json_path(&json, vrmi_json_first(&json, 0), path, sizeof(path)), "/foo");
    CHECK_STRING(vrmi_json_path(&json, vrmi_json_at(&json, "/foo/1"), path, 4), "/fo");
    vrmi_json_free(&json);
}

// Few keys are compared in pairs, many keys are sorted. Both must give the same result.
static void duplicate_keys(void)
{
    for (int padding = 0; padding < 30; padding += 29) {
        vrmi_text text;
        vrmi_text_init(&text, NULL);
        vrmi_text_add_string(&text, "{\"in\": [0, {");
        for (int i = 0; i < padding; ++i) {
            vrmi_text_format(&text, "\"key%d\": %d, ", i, i);
        }
        vrmi_text_add_string(&text, "\"a\": 1, \"b\": {\"c\": 7}, \"\\u0061\": 2, \"a/\": 3, \"a\": 4, \"b\": 5}]}");
        vrm_report *report;
        CHECK_INT(vrm_report_create(NULL, &report), VRM_SUCCESS);
        vrmi_json json;
        CHECK_INT(vrmi_json_parse(&json, text.data, text.size, NULL, NULL, report), VRM_SUCCESS);
        const uint32_t object = vrmi_json_at(&json, "/in/1");
        CHECK_INT(vrmi_json_count(&json, object), padding + 3);
        uint32_t members = 0;
        for (uint32_t key = vrmi_json_first(&json, object); key != VRMI_JSON_NONE; key = vrmi_json_next(&json, key)) {
            ++members;
        }
        CHECK_INT(members, padding + 3);
        CHECK(vrmi_string_equal(vrmi_json_text(&json, vrmi_json_member(&json, object, "a")), "4"));
        CHECK(vrmi_string_equal(vrmi_json_text(&json, vrmi_json_member(&json, object, "b")), "5"));
        CHECK(vrmi_json_at(&json, "/in/1/b/c") == VRMI_JSON_NONE);
        CHECK_INT(vrm_report_get_count(report), 3);
        check_finding(report, 0, VRM_FINDING_DUPLICATE_KEY, "/in/1/a");
        check_finding(report, 1, VRM_FINDING_DUPLICATE_KEY, "/in/1/b");
        check_finding(report, 2, VRM_FINDING_DUPLICATE_KEY, "/in/1/a");
        CHECK_STRING(vrm_report_get_finding(report, 0)->found, "1");
        CHECK_STRING(vrm_report_get_finding(report, 1)->found, "{\"c\": 7}");
        vrmi_json_free(&json);
        vrm_report_destroy(report);
        vrmi_text_free(&text);
    }
}

// The reader sorts keys by their FNV-1a hash. Two different keys with the same hash stay different, and each of them is
// a duplicate if it occurs twice.
static void keys_of_one_hash(void)
{
    static const char *const keys[] = {"8yn0iYCKYHlIj4-BwPqk", "GReLUrM4wMqfg9yzV3KQ"};
    vrmi_text text;
    vrmi_text_init(&text, NULL);
    vrmi_text_add_string(&text, "{\"\":0");
    for (int i = 0; i < 20; ++i) {
        vrmi_text_format(&text, ",\"%d\":0,\"%s\":%d", i, keys[i % 2], i);
    }
    vrmi_text_add_string(&text, "}");
    vrmi_json json;
    CHECK_INT(vrmi_json_parse(&json, text.data, text.size, NULL, NULL, NULL), VRM_SUCCESS);
    CHECK_INT(vrmi_json_count(&json, 0), 1 + 20 + 2);
    uint32_t value = 0;
    CHECK(vrmi_json_uint(&json, vrmi_json_member(&json, 0, keys[0]), &value) && value == 18);
    CHECK(vrmi_json_uint(&json, vrmi_json_member(&json, 0, keys[1]), &value) && value == 19);
    vrmi_json_free(&json);
    vrmi_text_free(&text);
}

// 100,000 keys of three kinds: all different, all equal, and with a long common prefix.
static void many_keys(void)
{
    for (int kind = 0; kind < 3; ++kind) {
        vrmi_text text;
        vrmi_text_init(&text, NULL);
        vrmi_text_add_string(&text, "{");
        for (int i = 0; i < 100000; ++i) {
            vrmi_text_format(&text,
                kind == 0   ? "%s\"%d\":0"
                : kind == 1 ? "%s\"k\":%d"
                            : "%s\"aaaaaaaaaaaaaaaaaaaaaaaa%d\":0",
                i == 0 ? "" : ",", i);
        }
        vrmi_text_add_string(&text, "}");
        vrm_report *report;
        CHECK_INT(vrm_report_create(NULL, &report), VRM_SUCCESS);
        vrmi_json json;
        const double start = vrmi_platform_seconds();
        CHECK_INT(vrmi_json_parse(&json, text.data, text.size, NULL, NULL, report), VRM_SUCCESS);
        const double seconds = vrmi_platform_seconds() - start;
        printf("100,000 keys, kind %d: %.0f ms\n", kind, seconds * 1e3);
        CHECK(seconds < 2);
        CHECK_INT(vrmi_json_count(&json, 0), kind == 1 ? 1 : 100000);
        CHECK_INT(vrm_report_get_severity_count(report, VRM_SEVERITY_WARNING), kind == 1 ? 99999 : 0);
        if (kind == 1) {
            CHECK(vrmi_string_equal(vrmi_json_text(&json, vrmi_json_member(&json, 0, "k")), "99999"));
        }
        vrmi_json_free(&json);
        vrm_report_destroy(report);
        vrmi_text_free(&text);
    }
}

// Finds any element of any array by its index, and its path.
static void large_arrays(void)
{
    enum { COUNT = 200000 };
    vrmi_text text;
    vrmi_text_init(&text, NULL);
    vrmi_text_add_string(&text, "{\"flat\":[");
    for (int i = 0; i < COUNT; ++i) {
        vrmi_text_format(&text, "%s%d", i == 0 ? "" : ",", i);
    }
    vrmi_text_add_string(&text, "],\"deep\":[");
    for (int i = 0; i < COUNT; ++i) {
        vrmi_text_format(&text, i % 2 == 0 ? "%s{\"v\":%d}" : "%s[[],%d]", i == 0 ? "" : ",", i);
    }
    vrmi_text_add_string(&text, "]}");
    vrmi_json json;
    CHECK_INT(vrmi_json_parse(&json, text.data, text.size, NULL, NULL, NULL), VRM_SUCCESS);
    const uint32_t flat = vrmi_json_member(&json, 0, "flat"), deep = vrmi_json_member(&json, 0, "deep");
    const double start = vrmi_platform_seconds();
    bool good = true;
    for (uint32_t i = COUNT; i-- > 0;) {
        uint32_t a = 0, b = 0;
        const uint32_t element = vrmi_json_element(&json, deep, i);
        const uint32_t inner =
            i % 2 == 0 ? vrmi_json_member(&json, element, "v") : vrmi_json_element(&json, element, 1);
        good = good && vrmi_json_uint(&json, vrmi_json_element(&json, flat, i), &a) && a == i;
        good = good && vrmi_json_uint(&json, inner, &b) && b == i;
        if (i % 100 < 2) {
            char path[40], expected[40];
            snprintf(expected, sizeof(expected), "/deep/%u/%s", i, i % 2 == 0 ? "v" : "1");
            CHECK_STRING(vrmi_json_path(&json, inner, path, sizeof(path)), expected);
            CHECK(vrmi_json_at(&json, expected) == inner);
        }
    }
    CHECK(good);
    CHECK(vrmi_platform_seconds() - start < 1);
    vrmi_json_free(&json);
    vrmi_text_free(&text);
}

static void places_of_errors(void)
{
    static const struct {
        const char *text;
        int64_t offset;
        const char *found, *expected;
    } rows[] = {{"{\n  \"a\": NaN\n}", 9, "'NaN' at line 2, column 8", "a value"},
        {"[\"\xE3\x82\xA2\", x]", 8, "'x' at line 1, column 7", "a value"},
        {"[1", 2, "end of text at line 1, column 3", "',' or the end of the container"},
        {"\r\n\r\n[1 2]", 7, "'2' at line 3, column 4", "',' or ']'"},
        {"\"\x01\"", 1, "byte 0x1 at line 1, column 2", "control characters in strings written as escapes"},
        {"{\"a\"=1}", 4, "'=' at line 1, column 5", "':'"},
        {"{}\n{}", 3, "'{' at line 2, column 1", "nothing after the value"}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); ++i) {
        vrm_report *report;
        CHECK_INT(vrm_report_create(NULL, &report), VRM_SUCCESS);
        const vrmi_json_limits limits = {.text_offset = 20};
        vrmi_json json;
        CHECK_INT(
            vrmi_json_parse(&json, rows[i].text, strlen(rows[i].text), NULL, &limits, report), VRM_ERROR_INVALID_ASSET);
        CHECK_INT(vrm_report_get_count(report), 1);
        const vrm_finding *finding = vrm_report_get_finding(report, 0);
        CHECK_INT(finding->offset, rows[i].offset + 20);
        CHECK_STRING(finding->found, rows[i].found);
        CHECK_STRING(finding->expected, rows[i].expected);
        vrm_report_destroy(report);
    }
}

// --- random documents ----------------------------------------------------------------------------------------------

static void add_random_value(vrmi_text *text, test_random *random, int depth)
{
    const uint32_t kind = test_random_below(random, depth > 5 ? 6 : 9);
    if (kind >= 6) { // a container
        const bool object = kind == 8;
        const uint32_t count = test_random_below(random, 100) == 0 ? 40 : test_random_below(random, 5);
        vrmi_text_add_string(text, object ? "{" : "[");
        for (uint32_t i = 0; i < count; ++i) {
            vrmi_text_add_string(text, i == 0 ? "" : test_random_below(random, 2) != 0 ? "," : " ,\n");
            if (object) {
                vrmi_text_format(text, "\"%s%u\":", test_random_below(random, 2) != 0 ? "~/" : "\\u0041\xC3\xA9", i);
            }
            add_random_value(text, random, depth + 1);
        }
        vrmi_text_add_string(text, object ? "}" : "]");
        return;
    }
    static const char *const scalars[] = {"null", "true", "\"x\\n\"", "0", "[]"};
    if (kind == 5) {
        vrmi_text_add_double(text, (double)test_random_float(random, -1e6f, 1e6f));
    } else {
        vrmi_text_add_string(text, scalars[kind]);
    }
}

static void check_tree(const vrmi_json *json)
{
    char path[4096];
    for (uint32_t i = 0; i < json->count; ++i) {
        const vrmi_json_token *token = &json->tokens[i];
        const uint32_t value = token->is_key ? i + 1 : i;
        CHECK(token->start <= token->end && token->end <= json->size);
        CHECK(token->next > i && token->next <= json->count);
        CHECK(vrmi_json_at(json, vrmi_json_path(json, i, path, sizeof(path))) == value);
        uint32_t children = 0;
        for (uint32_t c = vrmi_json_first(json, i); c != VRMI_JSON_NONE; c = vrmi_json_next(json, c)) {
            CHECK(token->kind == VRMI_JSON_OBJECT || vrmi_json_element(json, i, children) == c);
            ++children;
        }
        CHECK_INT(children, vrmi_json_count(json, i));
    }
}

static void random_documents_hold_together(void)
{
    test_random random = test_random_make(7);
    for (int i = 0; i < 300; ++i) {
        vrmi_text text;
        vrmi_text_init(&text, NULL);
        vrmi_text_add_string(&text, "[");
        add_random_value(&text, &random, 0);
        vrmi_text_add_string(&text, "]");
        vrmi_json json;
        CHECK_INT(vrmi_json_parse(&json, text.data, text.size, NULL, NULL, NULL), VRM_SUCCESS);
        check_tree(&json);
        vrmi_json_free(&json);
        // A truncated document is never valid. It is copied to a block of its own size, so that a sanitizer detects a
        // read beyond its end.
        const size_t cut = test_random_below(&random, (uint32_t)text.size);
        char *part = malloc(cut + 1);
        memcpy(part, text.data, cut);
        CHECK_INT(vrmi_json_parse(&json, part, cut, NULL, NULL, NULL), VRM_ERROR_INVALID_ASSET);
        free(part);
        vrmi_text_free(&text);
    }
}

// --- for the comparison with another reader ------------------------------------------------------------------------

// Prints the value in ASCII: strings are decoded and escaped again, numbers are printed as parsed doubles.
static void print_value(const vrmi_json *json, uint32_t value)
{
    const vrmi_json_kind kind = vrmi_json_kind_of(json, value);
    if (kind == VRMI_JSON_STRING) {
        const size_t size = vrmi_json_unescape(json, value, NULL, 0) + 1;
        char *text = malloc(size);
        vrmi_json_unescape(json, value, text, size);
        putchar('"');
        for (size_t i = 0; i + 1 < size; ++i) {
            printf("\\u%04x", (unsigned)(unsigned char)text[i]); // an escape for each byte
        }
        putchar('"');
        free(text);
        return;
    }
    double number = 0;
    if (kind == VRMI_JSON_NUMBER) {
        if (vrmi_json_number(json, value, &number)) {
            printf("%.17g", number);
        } else { // too large for a double
            printf("%.*s", (int)vrmi_json_text(json, value).length, vrmi_json_text(json, value).data);
        }
        return;
    }
    if (kind != VRMI_JSON_ARRAY && kind != VRMI_JSON_OBJECT) {
        printf("%s", kind == VRMI_JSON_NULL ? "null" : kind == VRMI_JSON_TRUE ? "true" : "false");
        return;
    }
    putchar(kind == VRMI_JSON_ARRAY ? '[' : '{');
    const char *comma = "";
    for (uint32_t c = vrmi_json_first(json, value); c != VRMI_JSON_NONE; c = vrmi_json_next(json, c)) {
        printf("%s", comma);
        comma = ",";
        if (kind == VRMI_JSON_OBJECT) {
            print_value(json, c);
            putchar(':');
        }
        print_value(json, kind == VRMI_JSON_OBJECT ? vrmi_json_value(json, c) : c);
    }
    putchar(kind == VRMI_JSON_ARRAY ? ']' : '}');
}

// Repeatedly reads "<size>
// <bytes>" and prints a line: the value, or "error" and the offset.
static int stream(void)
{
    unsigned size;
    while (scanf("%u", &size) == 1 && getchar() == '\n') {
        char *text = malloc((size_t)size + 1);
        if (text == NULL || fread(text, 1, size, stdin) != size) {
            free(text);
            return 1;
        }
        vrm_report *report;
        vrmi_json json;
        if (vrm_report_create(NULL, &report) != VRM_SUCCESS) {
            return 1;
        }
        if (vrmi_json_parse(&json, text, size, NULL, NULL, report) == VRM_SUCCESS) {
            print_value(&json, 0);
            putchar('\n');
        } else {
            printf("error %lld\n", (long long)vrm_report_get_finding(report, vrm_report_get_count(report) - 1)->offset);
        }
        vrmi_json_free(&json);
        vrm_report_destroy(report);
        free(text);
    }
    return 0;
}

// Reads the bits of doubles in hexadecimal and prints the shortest text of each, one in a line.
static int numbers_of_bits(void)
{
    unsigned long long bits;
    while (scanf("%llx", &bits) == 1) {
        double value;
        memcpy(&value, &bits, sizeof(value));
        char text[32];
        puts(vrmi_format(text, sizeof(text), "%g", value));
    }
    return 0;
}

static const test_case cases[] = {
    {"conformance", conformance},
    {"zero_bytes", zero_bytes},
    {"values", values},
    {"nothing", nothing},
    {"integers_are_exact", integers_are_exact},
    {"numbers", numbers},
    {"strings", strings},
    {"pointers", pointers},
    {"duplicate_keys", duplicate_keys},
    {"keys_of_one_hash", keys_of_one_hash},
    {"many_keys", many_keys},
    {"large_arrays", large_arrays},
    {"places_of_errors", places_of_errors},
    {"random_documents_hold_together", random_documents_hold_together},
};

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--stream") == 0) {
        return stream();
    }
    if (argc == 2 && strcmp(argv[1], "--numbers") == 0) {
        return numbers_of_bits();
    }
    return test_main(cases, (int)(sizeof(cases) / sizeof(cases[0])), argc, argv);
}
