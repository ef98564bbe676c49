// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Calls of vrm_validate(): defaults, severities, the description of the file, lack of memory, cancelling, repairs.
// test_validate_codes.py tests the findings for each file.

#include <vrm/sample.h>
#include <vrm/validate.h>

#include "model_fixture.h"
#include "sample_avatar.h"
#include "test.h"

static vrm_report *new_report(void)
{
    vrm_report *report = NULL;
    CHECK_INT(vrm_report_create(NULL, &report), VRM_SUCCESS);
    return report;
}

static void sample_is_clean(void)
{
    vrm_bytes bytes = sample_bytes(0);
    vrm_report *report = new_report();
    vrm_validation *validation = NULL;
    vrm_validate_info info = {.struct_size = sizeof info};
    CHECK_INT(vrm_validate(NULL, bytes.data, bytes.size, report, &validation), VRM_SUCCESS);
    CHECK_INT(vrm_report_get_count(report), 0);
    vrm_validation_get_info(validation, &info);
    CHECK(info.is_gltf && info.has_skins && info.has_morph_targets && info.has_textures && info.has_default_scene);
    CHECK_STRING(info.mime_type, "model/gltf-binary");
    CHECK_STRING(info.dialect, "1.0");
    CHECK_STRING(info.version.data, "2.0");
    CHECK_INT(info.max_influences, 4);
    CHECK_STRING(info.resources[0].storage, "glb");
    CHECK_STRING(info.resources[1].mime_type, "image/png");
    CHECK_INT(vrm_validate(NULL, bytes.data, bytes.size, NULL, NULL), VRM_SUCCESS);
    vrm_validation_destroy(validation);
    vrm_validation_destroy(NULL);
    vrm_report_destroy(report);
    vrm_bytes_free(&bytes);
}

static const char faulty[] = "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{"
                             "\"rotation\":[0,0,0,0.5]}],\"x\":1}";

static void severities_decide(void)
{
    vrm_report *report = new_report();
    vrm_validate_params def;
    uint8_t severities[VRM_FINDING_COUNT];
    vrm_validate_get_severities(severities, VRM_FINDING_COUNT);
    CHECK_INT(vrm_finding_get_info(VRM_FINDING_ROTATION_NON_UNIT)->severity, VRM_SEVERITY_WARNING);
    CHECK_INT(severities[VRM_FINDING_ROTATION_NON_UNIT], VRM_SEVERITY_ERROR);
    CHECK_INT(vrm_validate(NULL, faulty, sizeof(faulty) - 1, report, NULL), VRM_SUCCESS);
    CHECK_INT(vrm_report_get_severity_count(report, VRM_SEVERITY_ERROR), 1);
    CHECK_INT(vrm_report_get_count(report), 3); // the rotation, the unknown member, and the missing VRM extension
    vrm_validate_params_default(&def);
    severities[VRM_FINDING_ROTATION_NON_UNIT] = VRM_SEVERITY_HINT;
    severities[VRM_FINDING_UNEXPECTED_PROPERTY] = VRM_SEVERITY_OFF;
    def.severities = severities;
    def.severity_count = VRM_FINDING_COUNT;
    vrm_report_clear(report);
    CHECK_INT(vrm_validate(&def, faulty, sizeof(faulty) - 1, report, NULL), VRM_SUCCESS);
    CHECK_INT(vrm_report_get_count(report), 2);
    CHECK_INT(vrm_report_get_severity_count(report, VRM_SEVERITY_HINT), 1);

    // Findings beyond the end of an older program's array have their own severity. A newer program's array may be
    // longer.
    def.severity_count = VRM_FINDING_ROTATION_NON_UNIT;
    vrm_report_clear(report);
    CHECK_INT(vrm_validate(&def, faulty, sizeof(faulty) - 1, report, NULL), VRM_SUCCESS);
    CHECK_INT(vrm_report_get_severity_count(report, VRM_SEVERITY_ERROR), 1);
    uint8_t newer[VRM_FINDING_COUNT + 4];
    memset(newer, 0xee, sizeof newer);
    vrm_validate_get_severities(newer, VRM_FINDING_COUNT + 2);
    CHECK_INT(newer[VRM_FINDING_ROTATION_NON_UNIT], VRM_SEVERITY_ERROR);
    CHECK_INT(newer[VRM_FINDING_COUNT + 1], VRM_SEVERITY_OFF);
    CHECK_INT(newer[VRM_FINDING_COUNT + 2], 0xee);
    def.severities = newer;
    def.severity_count = VRM_FINDING_COUNT + 2;
    CHECK_INT(vrm_validate(&def, faulty, sizeof(faulty) - 1, report, NULL), VRM_SUCCESS);
    vrm_report_destroy(report);
}

static void not_gltf_is_told(void)
{
    vrm_report *report = new_report();
    vrm_validation *validation = NULL;
    CHECK_INT(vrm_validate(NULL, "noise", 5, report, &validation), VRM_ERROR_NOT_GLTF);
    CHECK(validation != NULL);
    vrm_validate_info info = {.struct_size = sizeof info};
    vrm_validation_get_info(validation, &info);
    CHECK_STRING(info.mime_type, "");
    CHECK(!info.is_gltf);
    CHECK_INT(vrm_report_get_count(report), 1);
    vrm_validation_destroy(validation);
    CHECK_INT(vrm_validate(NULL, NULL, 0, report, NULL), VRM_ERROR_NOT_GLTF);
    vrm_report_destroy(report);
}

// Each allocation fails once: the call returns an error or the complete result, and nothing leaks.
static void memory_runs_out(void)
{
    vrm_bytes bytes = sample_bytes(0);
    bool done = false;
    for (long after = 1; after < 100000 && !done; after += 1 + after / 16) {
        fixture_memory memory = {.fail_after = after};
        vrm_validate_params def;
        vrm_validation *validation = NULL;
        vrm_validate_params_default(&def);
        def.allocator = (vrm_allocator){fixture_allocate, fixture_release, &memory};
        const vrm_result result = vrm_validate(&def, bytes.data, bytes.size, NULL, &validation);
        CHECK(result == VRM_SUCCESS || result == VRM_ERROR_OUT_OF_MEMORY);
        CHECK((result == VRM_SUCCESS) == (validation != NULL));
        done = result == VRM_SUCCESS && memory.allocations < after;
        vrm_validation_destroy(validation);
        CHECK_INT(memory.live, 0);
    }
    CHECK(done);
    vrm_bytes_free(&bytes);
}

static bool stop_after(float fraction, const char *phase, void *user)
{
    int *left = user;
    CHECK(fraction >= 0.0f && fraction <= 1.0f && phase != NULL);
    return --*left > 0;
}

static void can_be_cancelled(void)
{
    vrm_bytes bytes = sample_bytes(0);
    vrm_validate_params def;
    vrm_validate_params_default(&def);
    def.progress = stop_after;
    for (int calls = 1; calls < 40; calls += 3) {
        int left = calls;
        vrm_validation *validation = NULL;
        def.progress_user = &left;
        const vrm_result result = vrm_validate(&def, bytes.data, bytes.size, NULL, &validation);
        CHECK_INT(result, left > 0 ? VRM_SUCCESS : VRM_ERROR_CANCELLED);
        vrm_validation_destroy(validation);
    }
    vrm_bytes_free(&bytes);
}

static void repairs_are_counted(void)
{
    vrm_report *report = new_report();
    vrm_gltf *gltf = NULL;
    vrm_string text;
    uint32_t count = 0;
    CHECK_INT(vrm_validate(NULL, faulty, sizeof(faulty) - 1, report, NULL), VRM_SUCCESS);
    CHECK_INT(vrm_gltf_load(NULL, faulty, sizeof(faulty) - 1, NULL, &gltf), VRM_SUCCESS);
    CHECK_INT(vrm_validate_repair(gltf, report, &count), VRM_SUCCESS);
    CHECK_INT(count, 1);
    CHECK_INT(vrm_gltf_get_json(gltf, "/nodes/0/rotation/3", &text), VRM_SUCCESS);
    CHECK(text.length == 1 && text.data[0] == '1');
    vrm_gltf_destroy(gltf);
    vrm_report_destroy(report);
}

static bool stop_at(float fraction, const char *phase, void *user)
{
    (void)fraction;
    return strcmp(phase, user) != 0;
}

// The passes after loading can also be cancelled.
static void passes_can_be_cancelled(void)
{
    vrm_bytes bytes = sample_bytes(0);
    vrm_validate_params def;
    vrm_validate_params_default(&def);
    def.progress = stop_at;
    static const char *const phases[] = {"unused", "no phase"};
    for (int i = 0; i < 2; ++i) {
        def.progress_user = (void *)(uintptr_t)phases[i];
        CHECK_INT(vrm_validate(&def, bytes.data, bytes.size, NULL, NULL), i == 0 ? VRM_ERROR_CANCELLED : VRM_SUCCESS);
    }
    vrm_bytes_free(&bytes);
}

static bool finds(const vrm_validate_params *def, const char *json, vrm_finding_id id)
{
    vrm_report *report = new_report();
    bool found = false;
    (void)vrm_validate(def, json, strlen(json), report, NULL);
    for (uint32_t i = 0; i < vrm_report_get_count(report); ++i) {
        found = found || vrm_report_get_finding(report, i)->id == id;
    }
    vrm_report_destroy(report);
    return found;
}

static vrm_result read_nothing(const vrm_read_request *request, vrm_bytes *out_bytes, void *user)
{
    (void)request;
    (void)out_bytes;
    ++*(int *)user;
    return VRM_ERROR_NOT_FOUND;
}

static void limits_and_files_are_the_hosts(void)
{
    static const char nodes[] = "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{},{},{}]}";
    static const char beside[] = "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":4,\"uri\":\"a.bin\"}]}";
    vrm_validate_params def;
    vrm_validate_params_default(&def);
    CHECK(!finds(&def, nodes, VRM_FINDING_LIMIT_EXCEEDED));
    def.limits.max_nodes = 2;
    CHECK(finds(&def, nodes, VRM_FINDING_LIMIT_EXCEEDED));
    int reads = 0;
    vrm_validate_params_default(&def);
    def.read = read_nothing;
    def.read_user = &reads;
    CHECK(finds(&def, beside, VRM_FINDING_IO_ERROR));
    CHECK_INT(reads, 1);
}

// The gaze of a draft is read in the host's unit. Without a unit from the host it is a guess, and a finding reports
// this.
static void the_gaze_has_its_unit(void)
{
    static const char json[] =
        "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"VRMC_vrm\"],\"extensions\":{\"VRMC_vrm\":{"
        "\"specVersion\":"
        "\"1.0-beta\",\"lookAt\":{\"type\":\"bone\",\"rangeMapHorizontalOuter\":{\"inputMaxValue\":90,"
        "\"outputScale\":1}}}}}";
    for (int unit = VRM_LOOK_AT_UNIT_AUTO; unit <= VRM_LOOK_AT_UNIT_RADIANS; ++unit) {
        vrm_validate_params def;
        vrm_validate_params_default(&def);
        def.look_at_unit = (vrm_look_at_unit)unit;
        CHECK_INT(finds(&def, json, VRM_FINDING_VRM1_LOOK_AT_UNIT), unit == VRM_LOOK_AT_UNIT_AUTO);
    }
}

// If a file has two dialects, the preferred one is reported. Objects that only the other dialect uses are not reported
// as unused.
static void two_dialects_side_by_side(void)
{
    static const char json[] =
        "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"VRM\",\"VRMC_vrm\"],\"images\":[{\"uri\":\"x.png\"}],"
        "\"textures\":[{\"source\":0}],\"extensions\":{\"VRM\":{\"meta\":{\"texture\":0}},"
        "\"VRMC_vrm\":{\"specVersion\":\"1.0\"}}}";
    for (int old = 0; old < 2; ++old) {
        vrm_validate_params def;
        vrm_report *report = NULL;
        vrm_validation *validation = NULL;
        vrm_validate_info info = {.struct_size = sizeof info};
        vrm_validate_params_default(&def);
        def.prefer = old ? VRM_PREFER_0_X : VRM_PREFER_1_0;
        CHECK_INT(vrm_report_create(NULL, &report), VRM_SUCCESS);
        CHECK_INT(vrm_validate(&def, json, sizeof(json) - 1, report, &validation), VRM_SUCCESS);
        vrm_validation_get_info(validation, &info);
        CHECK_STRING(info.dialect, old ? "0.x" : "1.0");
        bool told = false;
        for (uint32_t i = 0; i < vrm_report_get_count(report); ++i) {
            const vrm_finding *finding = vrm_report_get_finding(report, i);
            CHECK(finding->id != VRM_FINDING_UNUSED_OBJECT);
            told = told || (finding->id == VRM_FINDING_VRM_TWO_DIALECTS && finding->found != NULL &&
                               strcmp(finding->found, old ? "VRM 0.x is read" : "VRM 1.0 is read") == 0);
        }
        CHECK(told);
        vrm_validation_destroy(validation);
        vrm_report_destroy(report);
    }
}

static const test_case cases[] = {
    {"sample_is_clean", sample_is_clean},
    {"severities_decide", severities_decide},
    {"not_gltf_is_told", not_gltf_is_told},
    {"memory_runs_out", memory_runs_out},
    {"can_be_cancelled", can_be_cancelled},
    {"passes_can_be_cancelled", passes_can_be_cancelled},
    {"limits_and_files_are_the_hosts", limits_and_files_are_the_hosts},
    {"the_gaze_has_its_unit", the_gaze_has_its_unit},
    {"repairs_are_counted", repairs_are_counted},
    {"two_dialects_side_by_side", two_dialects_side_by_side},
};

RUN_TESTS(cases)
