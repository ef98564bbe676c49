// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef CLI_MANY_H
#define CLI_MANY_H

// Runs a verb on many files, each in its own process (this program again), several at a time, with a manifest of the
// results. A file that crashes, hangs or runs out of memory is one record and does not affect the others.

#include "cli.h"

extern const cli_option cli_many_options[];
extern const uint32_t cli_many_option_count;

// Whether the verb was called with several files, a folder or one of the options above.
bool cli_is_many(const cli_command *command, const cli_many *many, const cli_inputs *inputs);
// Runs it; returns the highest exit code that occurred.
int cli_run_many(cli_job *job, const cli_many *many, const cli_inputs *inputs);

#endif
