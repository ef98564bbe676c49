// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Reading motions: .vrma, .bvh, .glb, .vrm, .gltf.

#include <string.h>

#include "cli.h"

int cli_load_clip(cli_job *job, const char *path, const vrm_clip_def *wanted, vrm_clip **out_clip)
{
    vrm_clip_def def;
    vrm_clip_def_default(&def);
    def = wanted != NULL ? *wanted : def;
    def.allocator = job->allocator;
    def.limits = job->limits;
    def.progress = cli_progress;
    def.progress_user = job;
    *out_clip = NULL;
    vrm_result result;
    if (strcmp(path, "-") == 0) {
        vrm_bytes bytes = {0};
        const int code = cli_read_input(job, path, false, &bytes, &result);
        if (code != CLI_EXIT_DONE) {
            return code;
        }
        result = vrm_clip_load(&def, bytes.data, bytes.size, job->report, out_clip);
        vrm_bytes_free(&bytes);
    } else {
        vrm_report_clear(job->report);
        job->task = path;
        result = vrm_clip_load_file(&def, path, job->report, out_clip);
    }
    cli_progress_clear(job);
    cli_print_findings(job, path);
    const int code = cli_exit_of(job, result);
    return code == CLI_EXIT_DONE ? code : cli_fail(job, code, "%s: %s", path, cli_sentence_of(job, result));
}
