// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Runs separate programs. They are separate because they need libraries that `vrm` must not link (a graphics driver, a
// window), or because their crashes must not affect `vrm` (another project's reader, given hostile files).

#include "cli.h"
#include "platform.h"

#include <stdio.h>

static bool slurp(FILE *file, cli_job *job, vrm_bytes *out)
{
    const long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    rewind(file);
    out->allocator = job->allocator;
    out->data = size > 0 ? vrmi_allocate(&job->allocator, (size_t)size, 16) : NULL;
    out->size = out->data != NULL ? (size_t)size : 0;
    return size == 0 || (out->data != NULL && fread(out->data, 1, out->size, file) == out->size);
}

// Returns the first line that the child wrote to stderr.
static const char *complaint(FILE *file, char *line, int size)
{
    rewind(file);
    if (fgets(line, size, file) == NULL || line[0] == '\n') {
        return "no reason given";
    }
    for (char *c = line; *c != '\0'; ++c) {
        *c = *c == '\n' ? '\0' : ((unsigned char)*c < 32 || *c == 127 ? ' ' : *c);
    }
    return line;
}

static int judge(cli_job *job, const cli_child *child, cli_ending ending, int code, FILE *err)
{
    char line[300];
    switch (ending) {
    case CLI_ENDED:
        break;
    case CLI_ENDED_LIMIT:
        return cli_fail(
            job, CLI_EXIT_LIMIT, "%s: %s needs more memory or time than allowed", child->what, child->program);
    case CLI_ENDED_CRASH:
        return cli_fail(job, CLI_EXIT_ASSET, "%s: %s crashed while reading the file (signal %d)", child->what,
            child->program, code);
    case CLI_ENDED_STOPPED:
        return cli_cancelled() ? cli_fail(job, cli_exit_of(job, VRM_ERROR_CANCELLED), "%s: %s", child->what,
                                     cli_sentence_of(job, VRM_ERROR_CANCELLED))
                               : cli_fail(job, CLI_EXIT_LIMIT, "%s: %s was stopped after %g seconds", child->what,
                                     child->program, child->seconds);
    case CLI_NOT_STARTED:
        return cli_fail(job, CLI_EXIT_AGAIN, "%s: %s could not be started", child->what, child->program);
    default:
        return cli_fail(job, CLI_EXIT_UNSUPPORTED, "%s: this system cannot limit the memory and time of %s",
            child->what, child->program);
    }
    switch (code) {
    case 0:
        return CLI_EXIT_DONE;
    case 127:
        return cli_fail(job, CLI_EXIT_UNSUPPORTED,
            "%s: the program %s is missing. It is built together with vrm if assimp is installed (Debian: "
            "libassimp-dev)",
            child->what, child->program);
    case CLI_EXIT_LIMIT:
        return cli_fail(job, CLI_EXIT_LIMIT, "%s: %s needs more memory or time than allowed: %s", child->what,
            child->program, complaint(err, line, (int)sizeof line));
    default:
        return cli_fail(job, CLI_EXIT_ASSET, "%s: %s", child->what, complaint(err, line, (int)sizeof line));
    }
}

static bool goes_on(void *job)
{
    return cli_progress(0.0f, "converting", job);
}

int cli_run_child(cli_job *job, const cli_child *child, const vrm_bytes *input, vrm_bytes *out)
{
    // Unnamed files are used instead of pipes, so that neither process ever waits for the other.
    FILE *const files[] = {tmpfile(), tmpfile(), tmpfile()};
    const cli_limited limited = {
        child->program, child->argument, files[0], files[1], files[2], child->memory, child->seconds, goes_on, job};
    int ended_with = 0;
    cli_ending ending = CLI_NOT_STARTED;
    if (limited.in != NULL && limited.out != NULL && limited.err != NULL &&
        fwrite(input->data, 1, input->size, limited.in) == input->size && fflush(limited.in) == 0) {
        rewind(limited.in);
        ending = cli_platform_run_limited(&limited, &ended_with);
    }
    int code = judge(job, child, ending, ended_with, limited.err);
    if (code == CLI_EXIT_DONE && !slurp(limited.out, job, out)) {
        vrm_bytes_free(out);
        code = cli_fail(job, cli_exit_of(job, VRM_ERROR_OUT_OF_MEMORY), "%s: %s", child->what,
            cli_sentence_of(job, VRM_ERROR_OUT_OF_MEMORY));
    } else if (code == CLI_EXIT_DONE && out->size == 0) {
        code = cli_fail(job, CLI_EXIT_ASSET, "%s: %s found no motion in the file", child->what, child->program);
    }
    for (int i = 0; i < 3; ++i) {
        if (files[i] != NULL) {
            fclose(files[i]);
        }
    }
    return code;
}

int cli_start_program(const cli_command *command, char **argv)
{
    fflush(stdout);
    const int code = cli_platform_become(command->program, argv);
    if (code < 0) {
        fprintf(stderr,
            "vrm %s: the program %s is missing. It is built together with vrm if these Debian packages (or their "
            "equivalents) are installed: %s\n",
            command->name, command->program, command->packages);
        return CLI_EXIT_UNSUPPORTED;
    }
    return code;
}
