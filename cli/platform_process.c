// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#if !defined(_WIN32)
#define _POSIX_C_SOURCE 200809L
#define _XOPEN_SOURCE 700 // setrlimit
#define _DEFAULT_SOURCE   // wait4
#endif

#include "platform.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/platform.h"

#if defined(_WIN32)

#include <io.h>
#include <process.h>
#include <windows.h>

long cli_platform_process(void)
{
    return (long)GetCurrentProcessId();
}

// Quotes an argument for a command line, because spawn only joins the arguments with spaces. Backslashes before a quote
// are doubled.
static wchar_t *quoted(const char *argument)
{
    wchar_t *wide = vrmi_platform_widen(argument);
    const size_t length = wide != NULL ? wcslen(wide) : 0;
    wchar_t *text = wide != NULL ? malloc((2 * length + 3) * sizeof(*text)) : NULL;
    if (text != NULL) {
        size_t at = 0, slashes = 0;
        text[at++] = L'"';
        for (size_t i = 0; i <= length; ++i) {
            const bool ends = i == length || wide[i] == L'"';
            for (size_t k = 0; ends && k < slashes + (i < length); ++k) {
                text[at++] = L'\\';
            }
            slashes = wide[i] == L'\\' ? slashes + 1 : 0;
            text[at++] = i < length ? wide[i] : L'"';
        }
        text[at] = L'\0';
    }
    free(wide);
    return text;
}

// Runs the program beside vrm or on the path; Windows searches in this order.
int cli_platform_become(const char *program, char **argv)
{
    int count = 0;
    while (argv[count] != NULL) {
        ++count;
    }
    wchar_t *name = vrmi_platform_widen(program);
    wchar_t **arguments = calloc((size_t)count + 1, sizeof(*arguments));
    bool good = name != NULL && arguments != NULL;
    for (int i = 0; good && i < count; ++i) {
        arguments[i] = quoted(argv[i]);
        good = arguments[i] != NULL;
    }
    const intptr_t code = good ? _wspawnvp(_P_WAIT, name, (const wchar_t *const *)arguments) : -1;
    for (int i = 0; arguments != NULL && i < count; ++i) {
        free(arguments[i]);
    }
    free(arguments);
    free(name);
    return code >= 0 ? (int)code : -1;
}

cli_ending cli_platform_run_limited(const cli_limited *limited, int *out_code)
{
    (void)limited;
    (void)out_code;
    return CLI_NO_LIMITS;
}

bool cli_platform_start(const char *const *arguments, FILE *out, FILE *err, int64_t *out_process)
{
    wchar_t program[32768], line[32768];
    size_t length = 0;
    if (GetModuleFileNameW(NULL, program, 32768) == 0) {
        return false;
    }
    for (int i = 0; arguments[i] != NULL; ++i) {
        wchar_t *word = quoted(arguments[i]);
        const size_t size = word != NULL ? wcslen(word) : 0;
        const bool fits = word != NULL && length + size + 2 < sizeof line / sizeof line[0];
        if (fits) {
            memcpy(line + length, word, size * sizeof(*word));
            length += size;
            line[length++] = L' ';
        }
        free(word);
        if (!fits) {
            return false;
        }
    }
    line[length] = L'\0';
    SECURITY_ATTRIBUTES inherited = {sizeof inherited, NULL, TRUE};
    STARTUPINFOW start = {.cb = sizeof start, .dwFlags = STARTF_USESTDHANDLES};
    start.hStdInput =
        CreateFileW(L"NUL", GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE, &inherited, OPEN_EXISTING, 0, NULL);
    start.hStdOutput = (HANDLE)_get_osfhandle(_fileno(out));
    start.hStdError = (HANDLE)_get_osfhandle(_fileno(err));
    SetHandleInformation(start.hStdOutput, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
    SetHandleInformation(start.hStdError, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
    PROCESS_INFORMATION process;
    const bool started = CreateProcessW(program, line, NULL, NULL, TRUE, 0, NULL, NULL, &start, &process) != 0;
    SetHandleInformation(start.hStdOutput, HANDLE_FLAG_INHERIT, 0);
    SetHandleInformation(start.hStdError, HANDLE_FLAG_INHERIT, 0);
    CloseHandle(start.hStdInput);
    if (started) {
        CloseHandle(process.hThread);
        *out_process = (int64_t)(intptr_t)process.hProcess;
    }
    return started;
}

bool cli_platform_has_ended(int64_t process, int *out_code, uint64_t *out_memory)
{
    HANDLE handle = (HANDLE)(intptr_t)process;
    DWORD code = 0;
    if (WaitForSingleObject(handle, 0) != WAIT_OBJECT_0) {
        return false;
    }
    GetExitCodeProcess(handle, &code);
    CloseHandle(handle);
    *out_code = code > 255 ? -1 : (int)code; // code of an exception
    *out_memory = 0;
    return true;
}

void cli_platform_end(int64_t process)
{
    HANDLE handle = (HANDLE)(intptr_t)process;
    TerminateProcess(handle, 75);
    WaitForSingleObject(handle, INFINITE);
    CloseHandle(handle);
}

void cli_platform_rest(int milliseconds)
{
    Sleep((DWORD)milliseconds);
}

bool cli_platform_has_pipes(void)
{
    return false;
}

bool cli_platform_open_pipe(cli_pipe *pipe, const char *const *arguments)
{
    (void)arguments;
    *pipe = (cli_pipe){-1, -1};
    return false;
}

bool cli_platform_write_pipe(const cli_pipe *pipe, const void *bytes, size_t size)
{
    (void)pipe;
    (void)bytes;
    (void)size;
    return false;
}

int cli_platform_close_pipe(cli_pipe *pipe, bool stop)
{
    (void)pipe;
    (void)stop;
    return -1;
}

#else

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

long cli_platform_process(void)
{
    return (long)getpid();
}

// The program beside vrm is used if the system gives the path of the executable, or if argv[0] contains a folder.
int cli_platform_become(const char *program, char **argv)
{
    char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
    if (length > 0) {
        path[length] = '\0';
    } else {
        (void)snprintf(path, sizeof path, "%s", argv[0]);
    }
    char *slash = strrchr(path, '/');
    if (slash != NULL) {
        (void)snprintf(slash + 1, sizeof path - (size_t)(slash + 1 - path), "%s", program);
        execv(path, argv);
    }
    execvp(program, argv);
    return -1;
}

static void limit(int resource, rlim_t most)
{
    const struct rlimit limits = {most, most};
    (void)setrlimit(resource, &limits);
}

// Runs in the child, between fork and exec, so it may only call functions that are safe there.
static void become_limited(const cli_limited *limited)
{
    char *argv[] = {(char *)(uintptr_t)limited->program, (char *)(uintptr_t)limited->argument, NULL};
    if (dup2(fileno(limited->in), 0) < 0 || dup2(fileno(limited->out), 1) < 0 || dup2(fileno(limited->err), 2) < 0) {
        _exit(126);
    }
#if !defined(VRM_SANITIZED) // the sanitizer's shadow memory is larger than any limit
    limit(RLIMIT_AS, (rlim_t)limited->memory);
#endif
    limit(RLIMIT_CPU, (rlim_t)limited->seconds + 1);
    limit(RLIMIT_FSIZE,
        (rlim_t)limited->memory / 4); // a smaller limit, because child and parent each keep the result
    limit(RLIMIT_CORE, 0);
    signal(SIGXFSZ, SIG_DFL);
    cli_platform_become(limited->program, argv);
    _exit(127);
}

// Waits until the child has ended, even if signals arrive.
static int wait_for_end(pid_t child)
{
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

// Checks the child every few milliseconds, so that neither its end nor a signal to this process is missed. Returns
// false if this function stopped the child.
static bool watch_child(const cli_limited *limited, pid_t child, int *out_status)
{
    const double begun = cli_platform_seconds();
    for (long pause = 200000;; pause = pause < 10000000 ? pause * 2 : pause) {
        if (waitpid(child, out_status, WNOHANG) == child) {
            return true;
        }
        if (cli_platform_seconds() - begun > limited->seconds || !limited->goes_on(limited->user)) {
            (void)kill(child, SIGKILL);
            (void)wait_for_end(child);
            return false;
        }
        const struct timespec rest = {0, pause};
        (void)nanosleep(&rest, NULL);
    }
}

cli_ending cli_platform_run_limited(const cli_limited *limited, int *out_code)
{
    int status = 0;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        become_limited(limited);
    }
    if (child < 0) {
        return CLI_NOT_STARTED;
    }
    if (!watch_child(limited, child, &status)) {
        return CLI_ENDED_STOPPED;
    }
    *out_code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    if (!WIFSIGNALED(status)) {
        return CLI_ENDED;
    }
    return *out_code == SIGXCPU || *out_code == SIGXFSZ ? CLI_ENDED_LIMIT : CLI_ENDED_CRASH;
}

bool cli_platform_start(const char *const *arguments, FILE *out, FILE *err, int64_t *out_process)
{
    char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
    (void)snprintf(
        path + (length > 0 ? length : 0), length > 0 ? 1 : sizeof path, "%s", length > 0 ? "" : arguments[0]);
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        const int nothing = open("/dev/null", O_RDONLY);
        if (nothing >= 0 && dup2(nothing, 0) >= 0 && dup2(fileno(out), 1) >= 0 && dup2(fileno(err), 2) >= 0) {
            execvp(path, (char *const *)(uintptr_t)arguments);
        }
        _exit(127);
    }
    *out_process = child;
    return child > 0;
}

bool cli_platform_has_ended(int64_t process, int *out_code, uint64_t *out_memory)
{
    int status = 0;
    struct rusage used;
    if (wait4((pid_t)process, &status, WNOHANG, &used) != (pid_t)process) {
        return false;
    }
    *out_code = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
#if defined(__APPLE__)
    *out_memory = (uint64_t)used.ru_maxrss;
#else
    *out_memory = (uint64_t)used.ru_maxrss * 1024;
#endif
    return true;
}

void cli_platform_end(int64_t process)
{
    (void)kill((pid_t)process, SIGKILL);
    (void)wait_for_end((pid_t)process);
}

void cli_platform_rest(int milliseconds)
{
    const struct timespec rest = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
    (void)nanosleep(&rest, NULL);
}

bool cli_platform_has_pipes(void)
{
    return true;
}

static void become_reader(const char *const *arguments, int in)
{
    const int nothing = open("/dev/null", O_WRONLY);
    if (dup2(in, 0) >= 0 && nothing >= 0 && dup2(nothing, 1) >= 0) {
        execvp(arguments[0], (char *const *)(uintptr_t)arguments);
    }
    _exit(127);
}

bool cli_platform_open_pipe(cli_pipe *out_pipe, const char *const *arguments)
{
    int ends[2];
    *out_pipe = (cli_pipe){-1, -1};
    if (pipe(ends) != 0) {
        return false;
    }
    // The exit code already shows that a child ended early, so SIGPIPE must not end this process.
    signal(SIGPIPE, SIG_IGN);
    (void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        become_reader(arguments, ends[0]);
    }
    close(ends[0]);
    if (child < 0) {
        close(ends[1]);
        return false;
    }
    *out_pipe = (cli_pipe){ends[1], child};
    return true;
}

bool cli_platform_write_pipe(const cli_pipe *to, const void *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        const ssize_t count = write(to->file, (const char *)bytes + done, size - done);
        if (count > 0) {
            done += (size_t)count;
        } else if (count < 0 && (errno != EINTR || cli_platform_stop() != CLI_STOP_NONE)) {
            return false;
        }
    }
    return true;
}

int cli_platform_close_pipe(cli_pipe *from, bool stop)
{
    if (from->file >= 0) {
        close(from->file);
    }
    if (from->child <= 0) {
        return -1;
    }
    if (stop) {
        kill((pid_t)from->child, SIGTERM);
    }
    const int status = wait_for_end((pid_t)from->child);
    *from = (cli_pipe){-1, -1};
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#endif
