// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// vrm-render, which `vrm render`, `vrm rpc` and `vrm thumbnail` start. It shares their tables and the command's main
// program; only the work of these verbs is implemented here.

#include "cmd.h"
#include "rpc/rpc.h"

int main(int argc, char **argv)
{
    static const cli_command *const commands[] = {&cli_render, &cli_rpc, &cli_thumbnail};
    static cli_run_fn *const work[] = {run_render, run_rpc, run_thumbnail};
    static const cli_program program = {commands, 3, work, NULL};
    return cli_run_program(&program, argc, argv);
}
