// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef CLI_VALIDATE_REPORT_H
#define CLI_VALIDATE_REPORT_H

// The output of `vrm validate` for one file (validate_report.c), as text or with the structure of Khronos' reports.

#include "cli.h"

typedef struct validate_outcome {
    const char *path;
    int code;               // exit code of this file
    const char *error;      // reason why the file could not be checked, or NULL
    vrm_validate_info info; // zero if the file could not be read
    const vrm_report *report;
    vrm_severity least; // the lowest severity shown
} validate_outcome;

void validate_report_text(vrmi_text *out, const validate_outcome *outcome, bool color);
// An object.
void validate_report_json(cli_json *json, const validate_outcome *outcome);

#endif
