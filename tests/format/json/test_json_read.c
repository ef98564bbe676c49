// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include <float.h>

#include "format/json/json_read.h"
#include "test.h"

// One object with a member of every kind, and a report of the findings.
typedef struct fixture {
    vrmi_json json;
    vrm_report *report;
    vrmi_reader reader;
} fixture;

static void begin(fixture *f, const char *text)
{
    CHECK_INT(vrm_report_create(NULL, &f->report), VRM_SUCCESS);
    CHECK_INT(vrmi_json_parse(&f->json, text, strlen(text), NULL, NULL, f->report), VRM_SUCCESS);
    f->reader = (vrmi_reader){.json = &f->json, .report = f->report};
}

static void end(fixture *f)
{
    vrmi_json_free(&f->json);
    vrm_report_destroy(f->report);
}

// Checks that this is the report's only finding, then clears the report.
static void check_only(fixture *f, vrm_finding_id id, const char *path, const char *found, const char *expected)
{
    CHECK_INT(vrm_report_get_count(f->report), 1);
    const vrm_finding *finding = vrm_report_get_finding(f->report, 0);
    if (finding != NULL) {
        CHECK_STRING(vrm_finding_get_info(finding->id)->name, vrm_finding_get_info(id)->name);
        CHECK_STRING(finding->path, path);
        CHECK_STRING(finding->found, found);
        CHECK_STRING(finding->expected, expected);
    }
    CHECK_INT(f->reader.errors, 1);
    f->reader.errors = 0;
    vrm_report_clear(f->report);
}

static void check_silent(fixture *f)
{
    CHECK_INT(vrm_report_get_count(f->report), 0);
    CHECK_INT(f->reader.errors, 0);
}

static const char everything[] =
    "{\"object\": {}, \"array\": [], \"true\": true, \"false\": false, \"number\": 1.5, \"whole\": 3.0, \"minus\": -1, "
    "\"signed zero\": -0, \"nearly zero\": 1e-999, "
    "\"big\": 1e39, \"huge\": 1e400, \"string\": \"cone\", \"null\": null, \"three\": [1, 2, 3], \"mixed\": [1, \"2\", "
    "null], "
    "\"limit\": 4294967296, \"a/b~\": \"x\"}";

static void objects_and_arrays(void)
{
    fixture f;
    begin(&f, everything);
    CHECK(vrmi_json_is(&f.json, vrmi_read_object(&f.reader, 0, "object", VRMI_REQUIRED), VRMI_JSON_OBJECT));
    CHECK(vrmi_json_is(&f.json, vrmi_read_array(&f.reader, 0, "array", VRMI_REQUIRED), VRMI_JSON_ARRAY));
    CHECK(vrmi_json_is(&f.json, vrmi_read_string(&f.reader, 0, "string", VRMI_REQUIRED), VRMI_JSON_STRING));
    CHECK(vrmi_read_object(&f.reader, 0, "absent", VRMI_OPTIONAL) == VRMI_JSON_NONE);
    check_silent(&f);
    CHECK(vrmi_read_object(&f.reader, 0, "absent", VRMI_REQUIRED) == VRMI_JSON_NONE);
    check_only(&f, VRM_FINDING_UNDEFINED_PROPERTY, "/absent", "", "an object");
    CHECK(vrmi_read_object(&f.reader, 0, "array", VRMI_OPTIONAL) == VRMI_JSON_NONE);
    check_only(&f, VRM_FINDING_TYPE_MISMATCH, "/array", "an array", "an object");
    CHECK(vrmi_read_array(&f.reader, 0, "null", VRMI_OPTIONAL) == VRMI_JSON_NONE);
    check_only(&f, VRM_FINDING_TYPE_MISMATCH, "/null", "null", "an array");
    CHECK(vrmi_read_string(&f.reader, 0, "number", VRMI_OPTIONAL) == VRMI_JSON_NONE);
    check_only(&f, VRM_FINDING_TYPE_MISMATCH, "/number", "1.5", "a string");
    end(&f);
}

static void booleans(void)
{
    fixture f;
    begin(&f, everything);
    bool out = false;
    CHECK(vrmi_read_bool(&f.reader, 0, "true", VRMI_REQUIRED, &out) && out);
    CHECK(vrmi_read_bool(&f.reader, 0, "false", VRMI_REQUIRED, &out) && !out);
    out = true;
    CHECK(!vrmi_read_bool(&f.reader, 0, "absent", VRMI_OPTIONAL, &out) && out);
    check_silent(&f);
    CHECK(!vrmi_read_bool(&f.reader, 0, "whole", VRMI_OPTIONAL, &out) && out);
    check_only(&f, VRM_FINDING_TYPE_MISMATCH, "/whole", "3.0", "true or false");
    CHECK(!vrmi_read_bool(&f.reader, 0, "absent", VRMI_REQUIRED, &out));
    check_only(&f, VRM_FINDING_UNDEFINED_PROPERTY, "/absent", "", "true or false");
    end(&f);
}

static void floats(void)
{
    fixture f;
    begin(&f, everything);
    float out = 7, three[3] = {7, 8, 9};
    CHECK(vrmi_read_float(&f.reader, 0, "number", VRMI_REQUIRED, &out) && out == 1.5f);
    CHECK(vrmi_read_float_range(&f.reader, 0, "number", 1.5f, 2, &out) && out == 1.5f);
    CHECK(!vrmi_read_float(&f.reader, 0, "absent", VRMI_OPTIONAL, &out) && out == 1.5f);
    CHECK(!vrmi_read_float_range(&f.reader, 0, "absent", 0, 1, &out) && out == 1.5f);
    CHECK(vrmi_read_floats(&f.reader, 0, "three", VRMI_REQUIRED, 3, three));
    CHECK(three[0] == 1 && three[1] == 2 && three[2] == 3);
    check_silent(&f);
    CHECK(!vrmi_read_float_range(&f.reader, 0, "number", 0, 1, &out) && out == 1.5f);
    check_only(&f, VRM_FINDING_VALUE_NOT_IN_RANGE, "/number", "1.5", "0 to 1");
    CHECK(!vrmi_read_float(&f.reader, 0, "big", VRMI_OPTIONAL, &out) && out == 1.5f);
    check_only(&f, VRM_FINDING_VALUE_NOT_IN_RANGE, "/big", "1e39", "a number that fits a 32-bit float");
    CHECK(!vrmi_read_float(&f.reader, 0, "huge", VRMI_OPTIONAL, &out) && out == 1.5f);
    check_only(&f, VRM_FINDING_VALUE_NOT_IN_RANGE, "/huge", "1e400", "a number that fits a 32-bit float");
    CHECK(!vrmi_read_float(&f.reader, 0, "string", VRMI_OPTIONAL, &out));
    check_only(&f, VRM_FINDING_TYPE_MISMATCH, "/string", "\"cone\"", "a number");
    CHECK(!vrmi_read_floats(&f.reader, 0, "three", VRMI_OPTIONAL, 4, three));
    check_only(&f, VRM_FINDING_ARRAY_LENGTH_NOT_IN_LIST, "/three", "3 elements", "4 numbers");
    CHECK(!vrmi_read_floats(&f.reader, 0, "mixed", VRMI_OPTIONAL, 3, three));
    CHECK_INT(vrm_report_get_count(f.report), 2); // one for each wrong element
    CHECK_STRING(vrm_report_get_finding(f.report, 1)->path, "/mixed/2");
    CHECK(three[0] == 1); // either all elements are read or none
    end(&f);
    // The largest number that rounds to a float, and the first one that does not.
    begin(&f, "{\"in\": 3.4028235677973362e38, \"out\": 3.4028235677973366e38, \"below\": -3.5e38}");
    CHECK(vrmi_read_float(&f.reader, 0, "in", VRMI_REQUIRED, &out) && out == FLT_MAX);
    CHECK(!vrmi_read_float(&f.reader, 0, "out", VRMI_REQUIRED, &out));
    CHECK(!vrmi_read_float(&f.reader, 0, "below", VRMI_REQUIRED, &out));
    end(&f);
}

static void whole_numbers(void)
{
    static const char expected[] = "a whole number from 0 to 4294967295";
    fixture f;
    begin(&f, everything);
    uint32_t out = 7;
    CHECK(vrmi_read_uint(&f.reader, 0, "whole", VRMI_REQUIRED, &out) && out == 3);
    CHECK(vrmi_read_index(&f.reader, 0, "whole", VRMI_REQUIRED, 4, &out) && out == 3);
    CHECK(!vrmi_read_index(&f.reader, 0, "absent", VRMI_OPTIONAL, 4, &out) && out == 3);
    check_silent(&f);
    CHECK(!vrmi_read_index(&f.reader, 0, "whole", VRMI_REQUIRED, 3, &out) && out == 3);
    check_only(&f, VRM_FINDING_UNRESOLVED_REFERENCE, "/whole", "3.0", "an index from 0 to 2");
    CHECK(!vrmi_read_index(&f.reader, 0, "whole", VRMI_REQUIRED, 0, &out));
    check_only(&f, VRM_FINDING_UNRESOLVED_REFERENCE, "/whole", "3.0",
        "no index, because the array that it refers to is empty");
    CHECK(!vrmi_read_uint(&f.reader, 0, "minus", VRMI_OPTIONAL, &out));
    check_only(&f, VRM_FINDING_VALUE_NOT_IN_RANGE, "/minus", "-1", expected);
    CHECK(!vrmi_read_index(&f.reader, 0, "signed zero", VRMI_OPTIONAL, 3, &out) && out == 3);
    check_only(&f, VRM_FINDING_VALUE_NOT_IN_RANGE, "/signed zero", "-0", expected);
    CHECK(!vrmi_read_index(&f.reader, 0, "nearly zero", VRMI_OPTIONAL, 3, &out) && out == 3);
    check_only(&f, VRM_FINDING_TYPE_MISMATCH, "/nearly zero", "1e-999", expected);
    CHECK(!vrmi_read_uint(&f.reader, 0, "limit", VRMI_OPTIONAL, &out));
    check_only(&f, VRM_FINDING_VALUE_NOT_IN_RANGE, "/limit", "4294967296", expected);
    CHECK(!vrmi_read_uint(&f.reader, 0, "number", VRMI_OPTIONAL, &out));
    check_only(&f, VRM_FINDING_TYPE_MISMATCH, "/number", "1.5", expected);
    CHECK(!vrmi_read_uint(&f.reader, 0, "huge", VRMI_OPTIONAL, &out));
    check_only(&f, VRM_FINDING_VALUE_NOT_IN_RANGE, "/huge", "1e400", expected);
    CHECK(!vrmi_read_index(&f.reader, 0, "string", VRMI_OPTIONAL, 3, &out) && out == 3);
    check_only(&f, VRM_FINDING_TYPE_MISMATCH, "/string", "\"cone\"", expected);
    end(&f);
}

static void words(void)
{
    static const char *const names[] = {"none", "cone", "hinge"};
    fixture f;
    begin(&f, everything);
    uint32_t out = 7;
    CHECK(vrmi_read_enum(&f.reader, 0, "string", VRMI_REQUIRED, names, 3, &out) && out == 1);
    CHECK(!vrmi_read_enum(&f.reader, 0, "absent", VRMI_OPTIONAL, names, 3, &out) && out == 1);
    check_silent(&f);
    CHECK(!vrmi_read_enum(&f.reader, 0, "string", VRMI_REQUIRED, names, 1, &out) && out == 1);
    check_only(&f, VRM_FINDING_VALUE_NOT_IN_LIST, "/string", "\"cone\"", "one of none");
    CHECK(!vrmi_read_enum(&f.reader, 0, "a/b~", VRMI_REQUIRED, names, 3, &out));
    check_only(&f, VRM_FINDING_VALUE_NOT_IN_LIST, "/a~1b~0", "\"x\"", "one of none, cone, hinge");
    CHECK(!vrmi_read_enum(&f.reader, 0, "number", VRMI_REQUIRED, names, 3, &out));
    check_only(&f, VRM_FINDING_TYPE_MISMATCH, "/number", "1.5", "a string");
    end(&f);
}

// The report shows only the beginning of a long value. A reader without a report still counts errors.
static void reports(void)
{
    fixture f;
    begin(&f, "{\"long\": \"0123456789012345678901234567890123456789012345678901234567890123456789012345678901234\"}");
    vrmi_reader_report_value(&f.reader, VRM_FINDING_TYPE_MISMATCH, vrmi_json_member(&f.json, 0, "long"), "short");
    const char *found = vrm_report_get_finding(f.report, 0)->found;
    CHECK_INT(strlen(found), 79);
    CHECK(strncmp(found, "\"0123456789", 11) == 0 && strcmp(found + 76, "...") == 0);
    vrmi_reader_report(&f.reader, VRM_FINDING_UNDEFINED_PROPERTY, 0, "x/~y", "", "");
    CHECK_STRING(vrm_report_get_finding(f.report, 1)->path, "/x~1~0y");
    CHECK_INT(f.reader.errors, 2);
    vrmi_reader_report(&f.reader, VRM_FINDING_DUPLICATE_KEY, 0, NULL, "", ""); // a warning
    CHECK_INT(f.reader.errors, 2);
    f.reader.report = NULL;
    CHECK(vrmi_read_array(&f.reader, 0, "long", VRMI_OPTIONAL) == VRMI_JSON_NONE);
    CHECK_INT(f.reader.errors, 3);
    CHECK_INT(vrm_report_get_count(f.report), 3);
    end(&f);
}

// A finding names the innermost array element around it that has a name. Without such an element it has no name.
static void findings_carry_names(void)
{
    static const struct {
        const char *pointer, *name;
    } rows[] = {{"/nodes/0", "h\"\xC3\xA4r"}, {"/nodes/0/scale/1", "h\"\xC3\xA4r"}, {"/nodes/1", ""},
        {"/nodes/2/scale", ""}, {"/springs/0/joints/0/node", "front"}, {"/springs/0/joints/1/node", "tip"},
        {"/meta/title", ""}, {"/meta", ""}, {"", ""}};
    fixture f;
    begin(&f, "{\"name\":\"no\",\"nodes\":[{\"name\":\"h\\\"\\u00e4r\",\"scale\":[1,2]},7,{\"name\":5,\"scale\":1}],"
              "\"springs\":[{\"name\":\"front\",\"joints\":[{\"node\":1},{\"node\":2,\"name\":\"tip\"}]}],"
              "\"meta\":{\"name\":\"no\",\"title\":1}}");
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); ++i) {
        char name[64];
        const uint32_t value = vrmi_json_at(&f.json, rows[i].pointer);
        CHECK_STRING(vrmi_json_name(&f.json, value, name, sizeof(name)), rows[i].name);
        vrm_report_clear(f.report);
        vrmi_reader_report(&f.reader, VRM_FINDING_TYPE_MISMATCH, value, NULL, NULL, NULL);
        CHECK_STRING(vrm_report_get_finding(f.report, 0)->name, rows[i].name);
    }
    char name[4];
    CHECK_STRING(vrmi_json_name(&f.json, vrmi_json_at(&f.json, "/nodes/0"), name, sizeof(name)), "h\"");
    CHECK_STRING(vrmi_json_name(&f.json, VRMI_JSON_NONE, name, sizeof(name)), "");
    end(&f);
}

static const test_case cases[] = {{"objects_and_arrays", objects_and_arrays}, {"booleans", booleans},
    {"floats", floats}, {"whole_numbers", whole_numbers}, {"words", words}, {"reports", reports},
    {"findings_carry_names", findings_carry_names}};

RUN_TESTS(cases)
