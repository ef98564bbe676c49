// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "cmd.h"

int stage_failed(stage *s, vrm_result result)
{
    const char *why = s->renderer != NULL ? vrm_renderer_get_error(s->renderer) : "";
    const bool limited = result == VRM_ERROR_LIMIT && s->job->common.max_memory != 0;
    return cli_fail(s->job, cli_exit_of(s->job, result), "%s: %s%s", s->model.path,
        why[0] != '\0' ? why : vrm_result_sentence(result), limited ? " of --max-memory" : "");
}
