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

// Refuses, before anything is read, options that exclude each other.
int validate_fix_begin(cli_job *job, const validate_fix_options *options, const cli_inputs *inputs);
// Writes the repaired bytes of `path`, as a GLB if the output's name ends in .vrm or .glb, and prints the number of
// repairs.
vrm_result validate_fix_write(cli_job *job, const char *path, const char *output, uint32_t repairs, vrm_bytes *bytes);

#endif
