// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef CLI_VALIDATE_FIX_H
#define CLI_VALIDATE_FIX_H

// --fix of `vrm validate`.

#include "cli.h"

typedef struct validate_fix_options {
    bool on, force;
    const char *output;
} validate_fix_options;

// Refuses what makes no sense together; before anything is read.
int validate_fix_begin(cli_job *job, const validate_fix_options *options, const cli_inputs *inputs);
// Repairs what the job's report names in the bytes of `path` and writes the result; `bytes` become those that were written.
vrm_result validate_fix(cli_job *job, const char *path, const char *output, vrm_bytes *bytes);

#endif
