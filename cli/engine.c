// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "engine.h"

int cli_find_engine(cli_job *job, cli_engine wanted, scene_engine_make **out_make)
{
    *out_make = wanted == CLI_ENGINE_ODE ? job->program->ode : scene_light_engine;
    if (*out_make != NULL) {
        return CLI_EXIT_DONE;
    }
    if (job->stdin_taken) {
        return cli_fail(job, CLI_EXIT_USAGE, "with --engine ode the input cannot be stdin (-)");
    }
    cli_command other = *job->command;
    other.program = "vrm-ode";
    other.packages = "libode-dev";
    return cli_start_program(&other, job->argv);
}
