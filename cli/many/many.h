// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef CLI_MANY_H
#define CLI_MANY_H

// Runs a verb on many files, several at a time, and writes a manifest of the results. Each file has its own process,
// which runs this program again: a file that crashes it, hangs or runs out of memory does not affect the others.

#include "cli.h"

extern const cli_option cli_many_options[];
extern const uint32_t cli_many_option_count;

// Returns true if the verb was called with several files, a folder, or one of the options above.
bool cli_is_many(const cli_command *command, const cli_many *many, const cli_inputs *inputs);
// Runs the verb on all files. Returns the highest exit code that occurred.
int cli_run_many(cli_job *job, const cli_many *many, const cli_inputs *inputs);

#endif
