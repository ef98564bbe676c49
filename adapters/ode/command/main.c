// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// vrm-ode: `vrm simulate` and `vrm trace` with ODE simulating the bodies. The subcommands are compiled from the same
// source files; only the engine is added.

#include "engine.h"
#include "scene_ode.h"

int main(int argc, char **argv)
{
    static const cli_command *const commands[] = {&cli_simulate, &cli_trace};
    cli_run_fn *const work[] = {cli_simulate.run, cli_trace.run};
    const cli_program program = {commands, 2, work, scene_ode_engine};
    return cli_run_program(&program, argc, argv);
}
