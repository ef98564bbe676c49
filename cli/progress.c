// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "cli.h"
#include "platform.h"

#include <stdio.h>

bool cli_cancelled(void)
{
    return cli_platform_stop() != CLI_STOP_NONE;
}

// Only on a terminal, only for work over a second, and at most ten times a second.
bool cli_progress(float fraction, const char *phase, void *user)
{
    cli_job *job = user;
    if (cli_cancelled()) {
        return false;
    }
    const double now = cli_platform_seconds();
    if (now - job->started < 1.0 || now - job->shown < 0.1 || job->common.quiet || !cli_platform_is_terminal(2)) {
        return true;
    }
    job->shown = now;
    char line[256];
    const float percent = fraction < 0 ? 0 : fraction > 1 ? 100 : fraction * 100;
    vrmi_format(line, sizeof(line), "\r\x1b[K%s: %d %% %s", job->task, (int)percent, phase != NULL ? phase : "");
    fputs(line, stderr);
    fflush(stderr);
    return true;
}

void cli_progress_clear(cli_job *job)
{
    if (job->shown != 0) {
        fputs("\r\x1b[K", stderr);
        fflush(stderr);
        job->shown = 0;
    }
}
