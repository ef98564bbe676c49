// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Prints how many files were left when work on several files ends early. The function needs both printing and progress,
// which must not depend on each other; it therefore has a file of its own.

#include "cli.h"

int cli_batch_end(cli_job *job, int code)
{
    cli_progress_clear(job);
    const uint32_t count = job->batch_count, left = count - job->batch_done;
    job->batch_count = 0;
    if (count < 2 || left == 0 || !cli_cancelled()) {
        return code;
    }
    const int stopped = cli_exit_of(job, VRM_ERROR_CANCELLED);
    cli_fail(
        job, stopped, "%s: %u of %u files were not processed", cli_sentence_of(job, VRM_ERROR_CANCELLED), left, count);
    return stopped > code ? stopped : code;
}
