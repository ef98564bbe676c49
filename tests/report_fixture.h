// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef TESTS_REPORT_FIXTURE_H
#define TESTS_REPORT_FIXTURE_H

// Looking into reports.

#include <vrm/result.h>

#include "test.h"

// The first finding of that kind (and, unless it is NULL, with that path), or NULL.
static inline const vrm_finding *find_finding(const vrm_report *report, vrm_finding_id id, const char *path)
{
    for (uint32_t i = 0; i < vrm_report_count(report); ++i) {
        const vrm_finding *f = vrm_report_get(report, i);
        if (f->id == id && (path == NULL || strcmp(f->path, path) == 0)) {
            return f;
        }
    }
    return NULL;
}

static inline int has_finding(const vrm_report *report, vrm_finding_id id, const char *path)
{
    return find_finding(report, id, path) != NULL;
}

// For tables of cases.
static inline int has_finding_named(const vrm_report *report, const char *name, const char *path)
{
    for (uint32_t i = 0; i < vrm_report_count(report); ++i) {
        const vrm_finding *f = vrm_report_get(report, i);
        if (strcmp(vrm_finding_lookup(f->id)->name, name) == 0 && (path == NULL || strcmp(f->path, path) == 0)) {
            return 1;
        }
    }
    return 0;
}

// The finding at an index is this one.
static inline void check_finding(const vrm_report *report, uint32_t index, vrm_finding_id id, const char *path)
{
    const vrm_finding *finding = vrm_report_get(report, index);
    CHECK(finding != NULL);
    if (finding != NULL) {
        CHECK_STRING(vrm_finding_lookup(finding->id)->name, vrm_finding_lookup(id)->name);
        CHECK_STRING(finding->path, path);
    }
}

// For a failed test.
static inline void print_report(const vrm_report *report)
{
    for (uint32_t i = 0; i < vrm_report_count(report); ++i) {
        const vrm_finding *f = vrm_report_get(report, i);
        printf("    %s at \"%s\" %lld: found %s, expected %s\n", vrm_finding_lookup(f->id)->name, f->path,
            (long long)f->offset, f->found, f->expected);
    }
}

#endif
