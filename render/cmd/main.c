// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// vrm-render: what `vrm render` and `vrm thumbnail` start. It shares their tables and the command's frame; only the work
// is its own.

#include "cmd.h"

const cli_command *const cli_commands[] = {&cli_render, &cli_thumbnail};
const uint32_t cli_command_count = sizeof(cli_commands) / sizeof(cli_commands[0]);

int main(int argc, char **argv)
{
    static cli_run_fn *const work[] = {run_render, run_thumbnail};
    return cli_run_program(argc, argv, work);
}
