// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "cli.h"
#include "many/many.h"
#include "platform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cli_command *const commands[] = {
    &cli_bake,
    &cli_bench,
    &cli_compare_runtimes,
    &cli_convert_motion,
    &cli_cook,
    &cli_inspect,
    &cli_migrate,
    &cli_ragdoll,
    &cli_render,
    &cli_rpc,
    &cli_sample,
    &cli_simulate,
    &cli_split,
    &cli_stats,
    &cli_thumbnail,
    &cli_trace,
    &cli_validate,
    &cli_view,
};

static const cli_program program = {.commands = commands, .command_count = sizeof(commands) / sizeof(commands[0])};

static int print(const vrmi_text *text, FILE *stream)
{
    const bool good = !text->failed && fwrite(text->data, 1, text->size, stream) == text->size && fflush(stream) == 0;
    if (!good) {
        fprintf(stderr, "vrm: some of the output could not be printed\n");
    }
    return good ? CLI_EXIT_DONE : CLI_EXIT_AGAIN;
}

static int unknown_command(const char *typed)
{
    if (typed[0] == '-') {
        fprintf(stderr, "vrm: the option %s must follow the command\nTry: vrm --help\n", typed);
        return CLI_EXIT_USAGE;
    }
    const char *names[32];
    uint32_t count = 0;
    for (uint32_t i = 0; i < program.command_count && count < 32; ++i) {
        names[count++] = commands[i]->name;
    }
    const char *near = cli_nearest(typed, names, count);
    if (near != NULL) {
        fprintf(stderr, "vrm: unknown command \"%s\"; did you mean \"%s\"?\nTry: vrm help\n", typed, near);
    } else {
        fprintf(stderr, "vrm: unknown command \"%s\"; vrm help lists all commands\n", typed);
    }
    return CLI_EXIT_USAGE;
}

// Runs vrm help [COMMAND], and the options for packagers: --man [COMMAND], --completion bash|zsh.
static int run_help(int argc, char **argv)
{
    vrmi_text text;
    vrmi_text_init(&text, NULL);
    int code = CLI_EXIT_DONE;
    const bool man = argc > 0 && strcmp(argv[0], "--man") == 0;
    const char *topic = argc > (man ? 1 : 0) ? argv[man ? 1 : 0] : NULL;
    const cli_command *command = topic != NULL ? cli_find_command(&program, topic) : NULL;
    if (topic == NULL || strcmp(topic, "--help") == 0) {
        (man ? cli_man_overview : cli_help_overview)(&text, &program);
    } else if (strcmp(topic, "--completion") == 0 && argc == 2 && strcmp(argv[1], "bash") == 0) {
        cli_completion_bash(&text, &program);
    } else if (strcmp(topic, "--completion") == 0 && argc == 2 && strcmp(argv[1], "zsh") == 0) {
        cli_completion_zsh(&text, &program);
    } else if (command == NULL) {
        code = unknown_command(topic);
    } else {
        (man ? cli_man_command : cli_help_command)(&text, command);
    }
    code = code == CLI_EXIT_DONE ? print(&text, stdout) : code;
    vrmi_text_free(&text);
    return code;
}

// Runs a parsed command line. `argv` begins after the verb: a verb's program gets all of it, and processes for single
// files get a part.
static int run_parsed(const cli_command *command, const cli_parsed *parsed, char **argv)
{
    if (parsed->common.help) {
        char *topic = (char *)(uintptr_t)command->name;
        return run_help(1, &topic);
    }
    const bool many = cli_is_many(command, &parsed->many, &parsed->inputs);
    if (command->program != NULL && !many) {
        return cli_start_program(command, argv - 2);
    }
    cli_job job;
    int code = cli_job_begin(&job, &program, command, &parsed->common, argv - 2);
    if (code == CLI_EXIT_DONE) {
        code = many ? cli_run_many(&job, &parsed->many, &parsed->inputs)
                    : command->run(&parsed->inputs, parsed->options, &job);
        code = cli_finish_stdout(&job, code);
    }
    return cli_job_end(&job, code);
}

static int run_command(const cli_command *command, int argc, char **argv)
{
    void *options = calloc(1, command->options_size != 0 ? command->options_size : 1);
    if (options == NULL) {
        return cli_fail_to_start(command);
    }
    if (command->defaults != NULL) {
        command->defaults(options);
    }
    cli_parsed parsed = {.options = options};
    int code = cli_parse_options(command, argc, argv, &parsed);
    code = code == CLI_EXIT_DONE ? run_parsed(command, &parsed, argv) : code;
    cli_free_options(command, &parsed);
    free(options);
    return code;
}

int main(int argc, char **argv)
{
    argv = cli_platform_arguments(&argc, argv);
    if (argc < 2) {
        vrmi_text text;
        vrmi_text_init(&text, NULL);
        cli_help_usage(&text, &program);
        print(&text, stderr);
        vrmi_text_free(&text);
        return CLI_EXIT_USAGE;
    }
    const char *verb = argv[1];
    if (strcmp(verb, "--help") == 0 || strcmp(verb, "-h") == 0) {
        return run_help(0, NULL);
    }
    if (strcmp(verb, "help") == 0) {
        return run_help(argc - 2, argv + 2);
    }
    if (strcmp(verb, "--version") == 0 || strcmp(verb, "version") == 0) {
        vrmi_text text;
        vrmi_text_init(&text, NULL);
        vrmi_text_add_string(&text, "vrm " VRM_VERSION_STRING "\n");
        const int code = print(&text, stdout);
        vrmi_text_free(&text);
        return code;
    }
    const cli_command *command = cli_find_command(&program, verb);
    return command != NULL ? run_command(command, argc - 2, argv + 2) : unknown_command(verb);
}
