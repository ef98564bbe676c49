// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// vrm-render: what `vrm render` and `vrm thumbnail` start. It shares their tables and the command's frame; only the work
// is its own.

#include "cmd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const cli_command *const cli_commands[] = {&cli_render, &cli_thumbnail};
const uint32_t cli_command_count = sizeof(cli_commands) / sizeof(cli_commands[0]);

const cli_command *cli_find_command(const char *name)
{
    for (uint32_t i = 0; i < cli_command_count; ++i) {
        if (strcmp(cli_commands[i]->name, name) == 0) {
            return cli_commands[i];
        }
    }
    return NULL;
}

static int print_help(const cli_command *command)
{
    vrmi_text text;
    vrmi_text_init(&text, NULL);
    cli_help_command(&text, command);
    const bool good = !text.failed && fwrite(text.data, 1, text.size, stdout) == text.size && fflush(stdout) == 0;
    vrmi_text_free(&text);
    return good ? CLI_EXIT_DONE : CLI_EXIT_AGAIN;
}

static int run(const cli_command *command, int argc, char **argv, void *options)
{
    cli_common common = {0};
    cli_inputs inputs = {0};
    int code = cli_parse_options(command, argc, argv, &common, options, &inputs);
    if (code == CLI_EXIT_DONE && common.help) {
        code = print_help(command);
    } else if (code == CLI_EXIT_DONE) {
        cli_job job;
        code = cli_job_begin(&job, command, &common);
        if (code == CLI_EXIT_DONE) {
            code = (command == &cli_render ? run_render : run_thumbnail)(&inputs, options, &job);
            code = cli_finish_stdout(&job, code);
        }
        cli_job_end(&job);
    }
    cli_free_options(command, options, &inputs);
    return code;
}

int main(int argc, char **argv)
{
    const cli_command *command = argc > 1 ? cli_find_command(argv[1]) : NULL;
    if (command == NULL) {
        fputs("vrm-render is started by: vrm render, vrm thumbnail\n", stderr);
        return CLI_EXIT_USAGE;
    }
    void *options = calloc(1, command->options_size);
    if (options == NULL) {
        return CLI_EXIT_AGAIN;
    }
    command->defaults(options);
    const int code = run(command, argc - 2, argv + 2, options);
    free(options);
    return code;
}
