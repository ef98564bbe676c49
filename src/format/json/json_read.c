// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "format/json/json_read.h"

#include <string.h>

#include "base/report.h"
#include "base/text.h"

enum { LONGEST_PATH = 1024, LONGEST_NAME = 128, LONGEST_FOUND = 80, LONGEST_LIST = 256 };

static const char *kind_name(vrmi_json_kind kind)
{
    static const char *const names[] = {"null", "false", "true", "a number", "a string", "an array", "an object"};
    return names[kind];
}

void vrmi_reader_report(
    vrmi_reader *reader, vrm_finding_id id, uint32_t value, const char *key, const char *found, const char *expected)
{
    const vrm_finding_info *info = vrm_finding_get_info(id);
    const bool is_error = info != NULL && info->severity == VRM_SEVERITY_ERROR;
    uint32_t *count = reader->repairing ? &reader->repairs : &reader->errors;
    *count += is_error && *count != UINT32_MAX;
    if (reader->report == NULL) {
        return;
    }
    char path[LONGEST_PATH], name[LONGEST_NAME];
    vrmi_json_path(reader->json, value, path, sizeof(path));
    if (key != NULL) {
        vrmi_text text = {.data = path, .size = strlen(path), .capacity = sizeof(path)};
        vrmi_text_add(&text, "/", 1);
        for (; *key != '\0'; ++key) {
            if (*key == '~' || *key == '/') {
                vrmi_text_add(&text, *key == '~' ? "~0" : "~1", 2);
            } else {
                vrmi_text_add(&text, key, 1);
            }
        }
    }
    const vrm_finding finding = {.id = id,
        .severity = is_error && reader->repairing ? VRM_SEVERITY_WARNING
                    : info != NULL                ? info->severity
                                                  : VRM_SEVERITY_ERROR,
        .offset = -1,
        .path = path,
        .found = found,
        .expected = expected,
        .name = vrmi_json_name(reader->json, value, name, sizeof(name))};
    vrm_report_add(reader->report, &finding);
}

void vrmi_reader_report_value(vrmi_reader *reader, vrm_finding_id id, uint32_t value, const char *expected)
{
    char found[LONGEST_FOUND];
    vrmi_reader_report(reader, id, value, NULL, vrmi_json_excerpt(reader->json, value, found, sizeof(found)), expected);
}

static void report_type(vrmi_reader *reader, uint32_t value, const char *expected)
{
    const vrmi_json_kind kind = vrmi_json_kind_of(reader->json, value);
    if (kind == VRMI_JSON_ARRAY || kind == VRMI_JSON_OBJECT) {
        vrmi_reader_report(reader, VRM_FINDING_TYPE_MISMATCH, value, NULL, kind_name(kind), expected);
    } else {
        vrmi_reader_report_value(reader, VRM_FINDING_TYPE_MISMATCH, value, expected);
    }
}

// Finds a member. Returns NONE if it is missing, with a finding if it is required. A null counts as present but has the
// wrong type.
static uint32_t find(vrmi_reader *reader, uint32_t object, const char *key, vrmi_need need, const char *expected)
{
    const uint32_t value = vrmi_json_member(reader->json, object, key);
    if (value == VRMI_JSON_NONE && need == VRMI_REQUIRED) {
        vrmi_reader_report(reader, VRM_FINDING_UNDEFINED_PROPERTY, object, key, "", expected);
    }
    return value;
}

static uint32_t read_kind(vrmi_reader *reader, uint32_t object, const char *key, vrmi_need need, vrmi_json_kind kind)
{
    const uint32_t value = find(reader, object, key, need, kind_name(kind));
    if (value == VRMI_JSON_NONE || vrmi_json_is(reader->json, value, kind)) {
        return value;
    }
    report_type(reader, value, kind_name(kind));
    return VRMI_JSON_NONE;
}

uint32_t vrmi_read_object(vrmi_reader *reader, uint32_t object, const char *key, vrmi_need need)
{
    return read_kind(reader, object, key, need, VRMI_JSON_OBJECT);
}

uint32_t vrmi_read_array(vrmi_reader *reader, uint32_t object, const char *key, vrmi_need need)
{
    return read_kind(reader, object, key, need, VRMI_JSON_ARRAY);
}

uint32_t vrmi_read_string(vrmi_reader *reader, uint32_t object, const char *key, vrmi_need need)
{
    return read_kind(reader, object, key, need, VRMI_JSON_STRING);
}

bool vrmi_read_bool(vrmi_reader *reader, uint32_t object, const char *key, vrmi_need need, bool *out)
{
    const uint32_t value = find(reader, object, key, need, "true or false");
    if (value == VRMI_JSON_NONE) {
        return false;
    }
    const vrmi_json_kind kind = vrmi_json_kind_of(reader->json, value);
    if (kind != VRMI_JSON_TRUE && kind != VRMI_JSON_FALSE) {
        report_type(reader, value, "true or false");
        return false;
    }
    *out = kind == VRMI_JSON_TRUE;
    return true;
}

static bool fits_float(double number)
{
    // 2^128 - 2^103, the midpoint of the largest float and 2^128. Numbers from here on round to infinity.
    static const double end_of_floats = 3.4028235677973366e38;
    return number < end_of_floats && number > -end_of_floats;
}

// Reads a number that fits in a float. Returns false, with a finding, for other values.
static bool float_of(vrmi_reader *reader, uint32_t value, float *out)
{
    double number;
    if (!vrmi_json_is(reader->json, value, VRMI_JSON_NUMBER)) {
        report_type(reader, value, "a number");
        return false;
    }
    if (!vrmi_json_number(reader->json, value, &number) || !fits_float(number)) {
        vrmi_reader_report_value(reader, VRM_FINDING_VALUE_NOT_IN_RANGE, value, "a number that fits a 32-bit float");
        return false;
    }
    *out = (float)number;
    return true;
}

bool vrmi_read_float(vrmi_reader *reader, uint32_t object, const char *key, vrmi_need need, float *out)
{
    const uint32_t value = find(reader, object, key, need, "a number");
    return value != VRMI_JSON_NONE && float_of(reader, value, out);
}

bool vrmi_read_float_range(vrmi_reader *reader, uint32_t object, const char *key, float low, float high, float *out)
{
    const uint32_t value = find(reader, object, key, VRMI_OPTIONAL, "a number");
    double number;
    if (value == VRMI_JSON_NONE) {
        return false;
    }
    if (!vrmi_json_number(reader->json, value, &number)) {
        return float_of(reader, value, out); // reports the reason
    }
    if (fits_float(number) && (float)number >= low && (float)number <= high) {
        *out = (float)number;
        return true;
    }
    char expected[80];
    vrmi_text text = {.data = expected, .capacity = sizeof(expected)};
    vrmi_text_add_float(&text, low);
    vrmi_text_add_string(&text, " to ");
    vrmi_text_add_float(&text, high);
    vrmi_reader_report_value(reader, VRM_FINDING_VALUE_NOT_IN_RANGE, value, expected);
    if (reader->repairing) {
        *out = number < (double)low ? low : high;
    }
    return reader->repairing;
}

bool vrmi_read_floats(vrmi_reader *reader, uint32_t object, const char *key, vrmi_need need, uint32_t count, float *out)
{
    const uint32_t array = vrmi_read_array(reader, object, key, need);
    if (array == VRMI_JSON_NONE) {
        return false;
    }
    if (vrmi_json_count(reader->json, array) != count) {
        char found[32], expected[32];
        vrmi_reader_report(reader, VRM_FINDING_ARRAY_LENGTH_NOT_IN_LIST, array, NULL,
            vrmi_format(found, sizeof(found), "%u elements", vrmi_json_count(reader->json, array)),
            vrmi_format(expected, sizeof(expected), "%u numbers", count));
        if (!reader->repairing || vrmi_json_count(reader->json, array) < count) {
            return false;
        }
    }
    // All numbers are checked before the first is written. If one is invalid, all of `out` keeps its default.
    float number;
    bool good = true;
    uint32_t element = vrmi_json_first(reader->json, array);
    for (uint32_t i = 0; i < count; ++i, element = vrmi_json_next(reader->json, element)) {
        good = float_of(reader, element, &number) && good;
    }
    if (!good) {
        return false;
    }
    element = vrmi_json_first(reader->json, array);
    for (uint32_t i = 0; i < count; ++i, element = vrmi_json_next(reader->json, element)) {
        (void)float_of(reader, element, &out[i]);
    }
    return true;
}

bool vrmi_read_uint(vrmi_reader *reader, uint32_t object, const char *key, vrmi_need need, uint32_t *out)
{
    static const char expected[] = "a whole number from 0 to 4294967295";
    const uint32_t value = find(reader, object, key, need, expected);
    if (value == VRMI_JSON_NONE) {
        return false;
    }
    const vrmi_json_integer integer = vrmi_json_read_integer(reader->json, value, out);
    if (integer == VRMI_JSON_INTEGER) {
        return true;
    }
    if (integer == VRMI_JSON_INTEGER_BEYOND) {
        vrmi_reader_report_value(reader, VRM_FINDING_VALUE_NOT_IN_RANGE, value, expected);
    } else {
        report_type(reader, value, expected);
    }
    return false;
}

bool vrmi_read_index(
    vrmi_reader *reader, uint32_t object, const char *key, vrmi_need need, uint32_t limit, uint32_t *out)
{
    uint32_t index;
    if (!vrmi_read_uint(reader, object, key, need, &index)) {
        return false;
    }
    if (index >= limit) {
        char expected[48];
        vrmi_reader_report_value(reader, VRM_FINDING_UNRESOLVED_REFERENCE, vrmi_json_member(reader->json, object, key),
            limit == 0 ? "no index, because the array that it refers to is empty"
                       : vrmi_format(expected, sizeof(expected), "an index from 0 to %u", limit - 1));
        return false;
    }
    *out = index;
    return true;
}

bool vrmi_read_enum(vrmi_reader *reader, uint32_t object, const char *key, vrmi_need need, const char *const *names,
    uint32_t count, uint32_t *out)
{
    const uint32_t value = vrmi_read_string(reader, object, key, need);
    if (value == VRMI_JSON_NONE) {
        return false;
    }
    for (uint32_t i = 0; i < count; ++i) {
        if (vrmi_json_string_equal(reader->json, value, names[i])) {
            *out = i;
            return true;
        }
    }
    char expected[LONGEST_LIST];
    vrmi_text text = {.data = expected, .capacity = sizeof(expected)};
    vrmi_text_add_string(&text, "one of ");
    for (uint32_t i = 0; i < count; ++i) {
        vrmi_text_add_string(&text, i == 0 ? "" : ", ");
        vrmi_text_add_string(&text, names[i]);
    }
    vrmi_reader_report_value(reader, VRM_FINDING_VALUE_NOT_IN_LIST, value, expected);
    return false;
}

void vrmi_read_keys(vrmi_reader *reader, uint32_t object, const char *const *keys, uint32_t count,
    vrm_finding_id unknown, const char *expected)
{
    for (uint32_t key = vrmi_json_first(reader->json, object); key != VRMI_JSON_NONE;
         key = vrmi_json_next(reader->json, key)) {
        bool known = false;
        for (uint32_t i = 0; i < count && !known; ++i) {
            known = vrmi_json_string_equal(reader->json, key, keys[i]);
        }
        if (!known) {
            vrmi_reader_report(reader, unknown, vrmi_json_value(reader->json, key), NULL, "", expected);
        }
    }
}
