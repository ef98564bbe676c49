// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_BASE_REPORT_H
#define VRMI_BASE_REPORT_H

#include <vrm/result.h>

// Adds a finding with the catalogue's severity; every argument but the id may be NULL. A NULL report swallows it.
void vrmi_report(vrm_report *report, vrm_finding_id id, const char *path, const char *found, const char *expected);
// The same for findings below the JSON.
void vrmi_report_offset(vrm_report *report, vrm_finding_id id, int64_t offset, const char *found, const char *expected);
// Marks it as truncated: findings were lost on the way to it.
void vrmi_report_truncate(vrm_report *report);

#endif
