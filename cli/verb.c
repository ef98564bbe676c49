// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Finds and calls the function of a verb, in the programs that `vrm` starts.

#include "cli.h"
#include "platform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const cli_command *cli_find_command(const cli_program *program, const char *name)
{
    for (uint32_t i = 0; i < program->command_count; ++i) {
        if (strcmp(program->commands[i]->name, name) == 0) {
            return program->commands[i];
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

static int run_parsed(const cli_program *program, uint32_t verb, const cli_parsed *parsed, char **argv)
{
    const cli_command *command = program->commands[verb];
    if (parsed->common.help) {
        return print_help(command);
    }
    cli_job job;
    int code = cli_job_begin(&job, program, command, &parsed->common, argv - 2);
    if (code == CLI_EXIT_DONE) {
        code = cli_finish_stdout(&job, program->work[verb](&parsed->inputs, parsed->options, &job));
    }
    return cli_job_end(&job, code);
}

int cli_run_program(const cli_program *program, int argc, char **argv)
{
    argv = cli_platform_arguments(&argc, argv);
    const cli_command *command = argc > 1 ? cli_find_command(program, argv[1]) : NULL;
    uint32_t index = 0;
    if (command == NULL) {
        fputs("do not run this program directly; use", stderr);
        for (uint32_t i = 0; i < program->command_count; ++i) {
            fprintf(stderr, "%s vrm %s", i > 0 ? "," : "", program->commands[i]->name);
        }
        fputs("\n", stderr);
        return CLI_EXIT_USAGE;
    }
    while (program->commands[index] != command) {
        ++index;
    }
    void *options = calloc(1, command->options_size);
    if (options == NULL) {
        return cli_fail_to_start(command);
    }
    if (command->defaults != NULL) {
        command->defaults(options);
    }
    cli_parsed parsed = {.options = options};
    int code = cli_parse_options(command, argc - 2, argv + 2, &parsed);
    code = code == CLI_EXIT_DONE ? run_parsed(program, index, &parsed, argv + 2) : code;
    cli_free_options(command, &parsed);
    free(options);
    return code;
}
