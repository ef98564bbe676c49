// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "cli.h"
#include "platform.h"

#include <stdio.h>

bool cli_cancelled(void)
{
    return cli_platform_stop() != CLI_STOP_NONE;
}

// Composes "3 of 40, about 2 min left", or nothing outside a batch.
static void add_batch(const cli_job *job, double now, char *out, size_t size)
{
    out[0] = '\0';
    if (job->batch_count < 2) {
        return;
    }
    char left[48] = "";
    if (job->batch_done > 0) {
        const double seconds = (now - job->started) / job->batch_done * (job->batch_count - job->batch_done);
        const double unit = seconds < 90.0 ? 1.0 : seconds < 5400.0 ? 60.0 : 3600.0;
        vrmi_format(left, sizeof left, ", about %d %s left", (int)(seconds / unit + 0.999),
            unit < 2.0      ? "s"
            : unit < 3000.0 ? "min"
                            : "h");
    }
    vrmi_format(out, size, "%u of %u%s", job->batch_done, job->batch_count, left);
}

static bool is_time_to_show(const cli_job *job, double now)
{
    return now - job->started >= 1.0 && now - job->shown >= 0.1 && !job->common.quiet && cli_platform_is_terminal(2);
}

// Shows progress only on a terminal, after a second of work, and at most ten times a second.
bool cli_progress(float fraction, const char *phase, void *user)
{
    cli_job *job = user;
    if (cli_cancelled()) {
        return false;
    }
    const double now = cli_platform_seconds();
    if (!is_time_to_show(job, now)) {
        return true;
    }
    job->shown = now;
    char line[256], batch[96];
    add_batch(job, now, batch, sizeof batch);
    const float percent = fraction < 0 ? 0 : fraction > 1 ? 100 : fraction * 100;
    vrmi_format(line, sizeof(line), "\r\x1b[K%s%s%s: %d %% %s", batch, batch[0] != '\0' ? ": " : "", job->task,
        (int)percent, phase != NULL ? phase : "");
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

void cli_batch_begin(cli_job *job, uint32_t count)
{
    job->batch_count = count;
    job->batch_done = 0;
}

void cli_batch_go_on(cli_job *job, uint32_t done)
{
    const double now = cli_platform_seconds();
    job->batch_done = done;
    if (job->batch_count < 2 || done >= job->batch_count || !is_time_to_show(job, now)) {
        return;
    }
    job->shown = now;
    char batch[96];
    add_batch(job, now, batch, sizeof batch);
    fprintf(stderr, "\r\x1b[K%s", batch);
    fflush(stderr);
}
