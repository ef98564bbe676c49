// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Work that a program of its own does: because it needs what `vrm` must not (a graphics driver, a window), or because its faults
// must stay outside (a reader of strangers' files that is not ours).

#if !defined(_WIN32)
#define _POSIX_C_SOURCE 200809L
#define _XOPEN_SOURCE 700 // setrlimit
#endif

#include "cli.h"
#include "platform.h"

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

int cli_run_child(cli_job *job, const cli_child *child, const vrm_bytes *input, vrm_bytes *out)
{
    (void)input;
    (void)out;
    return cli_fail(
        job, CLI_EXIT_UNSUPPORTED, "%s: limits for %s are not known on this system", child->what, child->program);
}

#else

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// Becomes the program: beside the file that runs, where the system tells it or argv[0] names a folder; else on the path. Comes
// back only when there is no such program.
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

// --- a child, within limits ----------------------------------------------------------------------------------------------

static void limit(int resource, rlim_t most)
{
    const struct rlimit limits = {most, most};
    (void)setrlimit(resource, &limits);
}

// In the child, between fork and exec: only calls that are safe there.
static void become(const cli_child *child, int in, int out, int err)
{
    char *argv[] = {(char *)(uintptr_t)child->program, (char *)(uintptr_t)child->argument, NULL};
    if (dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0) {
        _exit(126);
    }
#if !defined(VRM_SANITIZED) // whose shadow memory is larger than any limit
    limit(RLIMIT_AS, (rlim_t)child->memory);
#endif
    limit(RLIMIT_CPU, (rlim_t)child->seconds + 1);
    limit(RLIMIT_FSIZE, (rlim_t)child->memory / 4); // what it hands back was in its memory, and in ours next
    limit(RLIMIT_CORE, 0);
    signal(SIGXFSZ, SIG_DFL);
    start(child->program, argv);
    _exit(127);
}

// Looks at the child every few milliseconds, so that neither its end nor a signal to us is missed. -1: killed by us.
static int wait_for(cli_job *job, pid_t pid, double seconds)
{
    const double begun = cli_platform_seconds();
    for (long pause = 200000;; pause = pause < 10000000 ? pause * 2 : pause) {
        int status = 0;
        if (waitpid(pid, &status, WNOHANG) == pid) {
            return status;
        }
        if (cli_platform_seconds() - begun > seconds || !cli_progress(0.0f, "converting", job)) {
            (void)kill(pid, SIGKILL);
            while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
            }
            return -1;
        }
        const struct timespec rest = {0, pause};
        (void)nanosleep(&rest, NULL);
    }
}

static bool slurp(FILE *file, cli_job *job, vrm_bytes *out)
{
    const long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    rewind(file);
    out->allocator = job->allocator;
    out->data = size > 0 ? vrmi_allocate(&job->allocator, (size_t)size, 16) : NULL;
    out->size = out->data != NULL ? (size_t)size : 0;
    return size == 0 || (out->data != NULL && fread(out->data, 1, out->size, file) == out->size);
}

// The first line that the child wrote to stderr.
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

static int judge(cli_job *job, const cli_child *child, int status, FILE *err)
{
    char line[300];
    if (status == -1) {
        return cli_cancelled() ? cli_fail(job, cli_exit_of(job, VRM_ERROR_CANCELLED), "%s: %s", child->what,
                                     cli_sentence_of(job, VRM_ERROR_CANCELLED))
                               : cli_fail(job, CLI_EXIT_LIMIT, "%s: %s was stopped after %g seconds", child->what,
                                     child->program, child->seconds);
    }
    if (WIFSIGNALED(status)) {
        const int number = WTERMSIG(status);
        return number == SIGXCPU || number == SIGXFSZ
                   ? cli_fail(job, CLI_EXIT_LIMIT, "%s: %s needs more than it may have", child->what, child->program)
                   : cli_fail(
                         job, CLI_EXIT_ASSET, "%s: %s crashed on it (signal %d)", child->what, child->program, number);
    }
    switch (WEXITSTATUS(status)) {
    case 0:
        return CLI_EXIT_DONE;
    case 127:
        return cli_fail(job, CLI_EXIT_UNSUPPORTED,
            "%s: the program %s is not there. It is built beside vrm where assimp is "
            "installed (Debian: libassimp-dev)",
            child->what, child->program);
    case CLI_EXIT_LIMIT:
        return cli_fail(job, CLI_EXIT_LIMIT, "%s: %s needs more than it may have: %s", child->what, child->program,
            complaint(err, line, (int)sizeof line));
    default:
        return cli_fail(job, CLI_EXIT_ASSET, "%s: %s", child->what, complaint(err, line, (int)sizeof line));
    }
}

int cli_run_child(cli_job *job, const cli_child *child, const vrm_bytes *input, vrm_bytes *out)
{
    // Files without a name instead of pipes: neither side ever waits for the other one.
    FILE *in = tmpfile(), *made = tmpfile(), *err = tmpfile();
    int code = CLI_EXIT_AGAIN;
    const bool ready = in != NULL && made != NULL && err != NULL &&
                       fwrite(input->data, 1, input->size, in) == input->size && fflush(in) == 0;
    fflush(stdout);
    if (ready) {
        rewind(in);
    }
    const pid_t pid = ready ? fork() : -1;
    if (pid == 0) {
        become(child, fileno(in), fileno(made), fileno(err));
    }
    if (pid < 0) {
        cli_fail(job, code, "%s: %s could not be started", child->what, child->program);
    } else {
        code = judge(job, child, wait_for(job, pid, child->seconds), err);
        if (code == CLI_EXIT_DONE && !slurp(made, job, out)) {
            vrm_bytes_free(out);
            code = cli_fail(job, cli_exit_of(job, VRM_ERROR_OUT_OF_MEMORY), "%s: %s", child->what,
                cli_sentence_of(job, VRM_ERROR_OUT_OF_MEMORY));
        } else if (code == CLI_EXIT_DONE && out->size == 0) {
            code = cli_fail(job, CLI_EXIT_ASSET, "%s: %s found nothing in it", child->what, child->program);
        }
    }
    FILE *const files[] = {in, made, err};
    for (int i = 0; i < 3; ++i) {
        if (files[i] != NULL) {
            fclose(files[i]);
        }
    }
    return code;
}

#endif

int cli_start_program(const cli_command *command, char **argv)
{
    fflush(stdout);
    const int code = start(command->program, argv);
    if (code < 0) {
        fprintf(stderr,
            "vrm %s: the program %s is not there. It is built beside vrm where these Debian packages (or their like) "
            "are "
            "installed: %s\n",
            command->name, command->program, command->packages);
        return CLI_EXIT_UNSUPPORTED;
    }
    return code;
}
