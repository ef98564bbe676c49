// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "base/report.h"

#include <string.h>

#include "base/abi.h"
#include "base/arena.h"
#include "base/array.h"
#include "base/checks.h"

enum { DEFAULT_MAX_FINDINGS = 10000 };

struct vrm_report {
    vrm_allocator allocator;
    vrmi_arena strings;
    vrmi_array findings; // items: vrm_finding
    uint32_t max_findings;
    uint32_t counts[VRM_SEVERITY_COUNT];
    bool truncated;
};

void(vrm_report_def_default)(vrm_report_def *def, size_t size)
{
    const vrm_report_def own = {.struct_size = sizeof own, .max_findings = DEFAULT_MAX_FINDINGS};
    vrmi_write_defaults(def, size, &own, sizeof own);
}

vrm_result vrm_report_create(const vrm_report_def *def, vrm_report **out_report)
{
    if (!VRM_ASSERT(out_report != NULL)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    *out_report = NULL;
    vrm_report_def own;
    vrm_report_def_default(&own);
    if (!VRM_ASSERT(VRMI_READ_OPTIONS(vrm_report_def, &own, def))) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    def = &own;
    vrm_allocator allocator;
    vrmi_resolve_allocator(&def->allocator, &allocator);
    vrm_report *report = vrmi_allocate(&allocator, sizeof(*report), 16);
    if (report == NULL) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    memset(report, 0, sizeof(*report));
    report->allocator = allocator;
    report->max_findings = def->max_findings;
    report->findings.item_size = sizeof(vrm_finding);
    vrmi_arena_init(&report->strings, &allocator, 0);
    *out_report = report;
    return VRM_SUCCESS;
}

void vrm_report_destroy(vrm_report *report)
{
    if (report != NULL) {
        const vrm_allocator allocator = report->allocator;
        vrm_report_clear(report);
        vrmi_release(&allocator, report, sizeof(*report));
    }
}

void vrm_report_clear(vrm_report *report)
{
    if (!VRM_ASSERT(report != NULL)) {
        return;
    }
    vrmi_arena_free(&report->strings);
    vrmi_array_free(&report->findings, &report->allocator);
    memset(report->counts, 0, sizeof(report->counts));
    report->truncated = false;
}

uint32_t vrm_report_get_count(const vrm_report *report)
{
    return VRM_ASSERT(report != NULL) ? report->findings.count : 0;
}

uint32_t vrm_report_get_severity_count(const vrm_report *report, vrm_severity severity)
{
    return VRM_ASSERT(report != NULL && (unsigned)severity < VRM_SEVERITY_COUNT) ? report->counts[severity] : 0;
}

bool vrm_report_is_truncated(const vrm_report *report)
{
    return VRM_ASSERT(report != NULL) ? report->truncated : false;
}

const vrm_finding *vrm_report_get_finding(const vrm_report *report, uint32_t index)
{
    if (!VRM_ASSERT(report != NULL) || index >= report->findings.count) {
        return NULL;
    }
    return (const vrm_finding *)report->findings.items + index;
}

// Returns a copy of the string that is freed with the report; NULL if memory runs out.
static const char *keep(vrm_report *report, const char *string)
{
    if (string == NULL || string[0] == '\0') {
        return "";
    }
    const size_t size = strlen(string) + 1;
    char *copy = vrmi_arena_alloc(&report->strings, size, 1);
    if (copy != NULL) {
        memcpy(copy, string, size);
    }
    return copy;
}

void vrm_report_add(vrm_report *report, const vrm_finding *finding)
{
    if (!VRM_ASSERT(report != NULL && finding != NULL) ||
        !VRM_ASSERT((unsigned)finding->id < VRM_FINDING_COUNT && (unsigned)finding->severity < VRM_SEVERITY_COUNT)) {
        return;
    }
    uint32_t *count = &report->counts[finding->severity];
    *count += *count != UINT32_MAX;
    if (report->findings.count >= report->max_findings) {
        report->truncated = true;
        return;
    }
    vrm_finding copy = *finding;
    copy.path = keep(report, finding->path);
    copy.found = keep(report, finding->found);
    copy.expected = keep(report, finding->expected);
    copy.name = keep(report, finding->name);
    vrm_finding *kept = NULL;
    if (copy.path != NULL && copy.found != NULL && copy.expected != NULL && copy.name != NULL) {
        kept = vrmi_array_push(&report->findings, &report->allocator);
    }
    if (kept == NULL) {
        report->truncated = true;
        return;
    }
    *kept = copy;
}

static void add(
    vrm_report *report, vrm_finding_id id, int64_t offset, const char *path, const char *found, const char *expected)
{
    const vrm_finding_info *info = vrm_finding_get_info(id);
    if (report == NULL || !VRM_ASSERT(info != NULL)) {
        return;
    }
    const vrm_finding finding = {
        .id = id, .severity = info->severity, .offset = offset, .path = path, .found = found, .expected = expected};
    vrm_report_add(report, &finding);
}

void vrmi_report(vrm_report *report, vrm_finding_id id, const char *path, const char *found, const char *expected)
{
    add(report, id, -1, path, found, expected);
}

void vrmi_report_offset(vrm_report *report, vrm_finding_id id, int64_t offset, const char *found, const char *expected)
{
    add(report, id, offset, "", found, expected);
}

void vrmi_report_truncate(vrm_report *report)
{
    report->truncated = true;
}
