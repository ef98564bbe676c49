// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_BASE_REPORT_H
#define VRMI_BASE_REPORT_H

#include <vrm/result.h>

// Adds a finding with the severity from the catalogue. Every argument except the id may be NULL. If the report is NULL,
// nothing happens.
void vrmi_report(vrm_report *report, vrm_finding_id id, const char *path, const char *found, const char *expected);
// Adds a finding about a byte offset in a file, rather than about a JSON value.
void vrmi_report_offset(vrm_report *report, vrm_finding_id id, int64_t offset, const char *found, const char *expected);
// Marks the report as incomplete: some findings were lost.
void vrmi_report_truncate(vrm_report *report);

#endif
