// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "cli.h"
#include "platform.h"

#include <stdlib.h>
#include <string.h>

// The command's allocator: malloc with a sum of all sizes, so that --max-memory applies to the whole library.
static void *job_allocate(size_t size, size_t alignment, void *user)
{
    cli_job *job = user;
    if (job->common.max_memory != 0 && (size > job->common.max_memory || job->used > job->common.max_memory - size)) {
        job->memory_limit_hit = true;
        return NULL;
    }
    void *memory = cli_platform_allocate(size, alignment);
    if (memory != NULL) {
        job->used += size;
        job->peak = job->used > job->peak ? job->used : job->peak;
    }
    return memory;
}

static void job_release(void *memory, size_t size, void *user)
{
    cli_job *job = user;
    job->used -= size;
    cli_platform_release(memory);
}

static bool wants_color(const cli_common *common)
{
    const char *no_color = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");
    switch (common->color) {
    case CLI_COLOR_ALWAYS:
        return true;
    case CLI_COLOR_NEVER:
        return false;
    default:
        return cli_platform_is_terminal(1) && (no_color == NULL || no_color[0] == '\0') &&
               (terminal == NULL || strcmp(terminal, "dumb") != 0);
    }
}

int cli_job_begin(
    cli_job *job, const cli_program *program, const cli_command *command, const cli_common *common, char **argv)
{
    memset(job, 0, sizeof(*job));
    job->program = program;
    job->command = command;
    job->common = *common;
    job->argv = argv;
    job->color = wants_color(common);
    job->allocator = (vrm_allocator){job_allocate, job_release, job};
    job->started = cli_platform_seconds();
    job->task = "";
    vrm_gltf_def gltf;
    vrm_gltf_def_default(&gltf);
    job->limits = gltf.limits;
    if (common->max_memory != 0 && common->max_memory < job->limits.max_memory) {
        job->limits.max_memory = common->max_memory;
    }
    cli_platform_binary_streams();
    cli_platform_watch(common->timeout, CLI_EXIT_AGAIN, CLI_EXIT_LIMIT);
    vrm_report_def report;
    vrm_report_def_default(&report);
    report.allocator = job->allocator;
    const vrm_result result = vrm_report_create(&report, &job->report);
    if (common->record != NULL && result == VRM_SUCCESS) {
        job->record = malloc(sizeof *job->record);
        if (job->record == NULL) {
            return cli_fail(job, CLI_EXIT_AGAIN, "%s", "not enough memory to start");
        }
        vrmi_text_init(job->record, NULL);
        vrmi_text_add_string(job->record, "[");
    }
    return result == VRM_SUCCESS ? CLI_EXIT_DONE
                                 : cli_fail(job, cli_exit_of(job, result), "%s", "not enough memory to start");
}

int cli_job_end(cli_job *job, int code)
{
    cli_progress_clear(job);
    if (job->record != NULL) {
        vrmi_text_add_string(job->record, "]\n");
        const vrm_result result = job->record->failed
                                      ? VRM_ERROR_OUT_OF_MEMORY
                                      : vrm_write_file(job->common.record, job->record->data, job->record->size);
        if (result != VRM_SUCCESS) {
            const int failed = cli_fail_output(job, job->common.record, result);
            code = failed > code ? failed : code;
        }
        vrmi_text_free(job->record);
        free(job->record);
    }
    vrm_report_destroy(job->report);
    job->report = NULL;
    free(job->read);
    return code;
}
