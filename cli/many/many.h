// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef CLI_MANY_H
#define CLI_MANY_H

// A verb on many files: each in a process of its own (this program again), several at a time, with a manifest of what came of
// each. So a file that crashes, hangs or eats memory is one record, and the others are as if it were not there.

#include "cli.h"

extern const cli_option cli_many_options[];
extern const uint32_t cli_many_option_count;

// Is the verb called with several files, a folder or one of the options above?
bool cli_is_many(const cli_command *command, const cli_many *many, const cli_inputs *inputs);
// Does it; the highest exit code that occurred.
int cli_run_many(cli_job *job, const cli_many *many, const cli_inputs *inputs);

#endif
