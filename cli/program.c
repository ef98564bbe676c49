// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Verbs whose work is done by a program of its own, because it needs what `vrm` must not: a graphics driver, a window.

#if !defined(_WIN32)
#define _POSIX_C_SOURCE 200809L
#endif

#include "cli.h"

#include <stdio.h>
#include <string.h>

#if defined(_WIN32)

#include <process.h>
#include <stdint.h>

// Beside vrm or on the path, as Windows itself looks.
static int start(const char *program, char **argv)
{
    const intptr_t code = _spawnvp(_P_WAIT, program, (const char *const *)argv);
    return code >= 0 ? (int)code : -1;
}

#else

#include <unistd.h>

// Beside the file that runs, where the system tells it or argv[0] names a folder; else on the path. Comes back only
// when there is no such program.
static int start(const char *program, char **argv)
{
    char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
    if (length > 0) {
        path[length] = '\0';
    } else {
        vrmi_format(path, sizeof path, "%s", argv[0]);
    }
    char *slash = strrchr(path, '/');
    if (slash != NULL) {
        vrmi_format(slash + 1, sizeof path - (size_t)(slash + 1 - path), "%s", program);
        execv(path, argv);
    }
    execvp(program, argv);
    return -1;
}

#endif

int cli_start_program(const cli_command *command, char **argv)
{
    fflush(stdout);
    const int code = start(command->program, argv);
    if (code < 0) {
        fprintf(stderr,
            "vrm %s: the program %s is not there. It is built beside vrm where libepoxy, libspng and libjpeg-turbo are "
            "installed (Debian: libepoxy-dev libspng-dev libjpeg62-turbo-dev)\n",
            command->name, command->program);
        return CLI_EXIT_UNSUPPORTED;
    }
    return code;
}
