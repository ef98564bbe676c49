// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "cli.h"
#include "platform.h"

int cli_exit_of(const cli_job *job, vrm_result result)
{
    switch (result) {
    case VRM_SUCCESS:
        return CLI_EXIT_DONE;
    case VRM_ERROR_NOT_FOUND:
    case VRM_ERROR_READ:
    case VRM_ERROR_NOT_GLTF:
        return CLI_EXIT_INPUT;
    case VRM_ERROR_INVALID_ASSET:
        return CLI_EXIT_ASSET;
    case VRM_ERROR_UNSUPPORTED:
        return CLI_EXIT_UNSUPPORTED;
    case VRM_ERROR_LIMIT:
        return CLI_EXIT_LIMIT;
    case VRM_ERROR_WRITE:
        return CLI_EXIT_OUTPUT;
    case VRM_ERROR_DISK:
        return CLI_EXIT_AGAIN;
    case VRM_ERROR_OUT_OF_MEMORY:
        return job->memory_limit_hit ? CLI_EXIT_LIMIT : CLI_EXIT_AGAIN;
    case VRM_ERROR_CANCELLED:
        return cli_platform_stop() == CLI_STOP_TIMEOUT ? CLI_EXIT_LIMIT : CLI_EXIT_AGAIN;
    default:
        return CLI_EXIT_INTERNAL;
    }
}

const char *cli_sentence_of(const cli_job *job, vrm_result result)
{
    switch (result) {
    case VRM_ERROR_OUT_OF_MEMORY:
        return job->memory_limit_hit ? "more memory is needed than --max-memory allows" : "out of memory";
    case VRM_ERROR_LIMIT:
        return "a size limit was exceeded";
    case VRM_ERROR_CANCELLED:
        return cli_platform_stop() == CLI_STOP_TIMEOUT ? "the time limit of --timeout is over" : "interrupted";
    default:
        return vrm_result_sentence(result);
    }
}
