// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#if !defined(_WIN32)
#define _POSIX_C_SOURCE 200809L
#define _XOPEN_SOURCE 700 // setitimer
#define _DEFAULT_SOURCE   // madvise
#endif

#include "platform.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/platform.h"
#include "base/text.h"

static volatile sig_atomic_t stop_reason = CLI_STOP_NONE;

cli_stop cli_platform_stop(void)
{
    return (cli_stop)stop_reason;
}

#if defined(_WIN32)

#include <fcntl.h>
#include <io.h>
#include <windows.h>

// windows.h comes first, because shellapi.h needs its types.
#include <shellapi.h>

char *cli_platform_narrow(const wchar_t *wide)
{
    const int size = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
    char *text = size > 0 ? malloc((size_t)size) : NULL;
    if (text != NULL) {
        WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, size, NULL, NULL);
    }
    return text;
}

static UINT code_page_before;

static void restore_console(void)
{
    SetConsoleOutputCP(code_page_before);
}

char **cli_platform_arguments(int *argc, char **argv)
{
    code_page_before = GetConsoleOutputCP();
    if (code_page_before != 0 && SetConsoleOutputCP(CP_UTF8)) {
        atexit(restore_console);
    }
    int count = 0;
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), &count);
    char **arguments = wide != NULL ? calloc((size_t)count + 1, sizeof(*arguments)) : NULL;
    bool good = arguments != NULL;
    for (int i = 0; good && i < count; ++i) {
        arguments[i] = cli_platform_narrow(wide[i]);
        good = arguments[i] != NULL;
    }
    LocalFree(wide);
    if (!good) {
        return argv;
    }
    *argc = count;
    return arguments;
}

static BOOL WINAPI on_console(DWORD event)
{
    (void)event;
    stop_reason = CLI_STOP_SIGNAL;
    return TRUE;
}

static VOID CALLBACK on_timer(PVOID user, BOOLEAN fired)
{
    (void)user;
    (void)fired;
    stop_reason = CLI_STOP_TIMEOUT;
}

void cli_platform_watch(double timeout, int signal_code, int timeout_code)
{
    (void)signal_code;
    (void)timeout_code;
    SetConsoleCtrlHandler(on_console, TRUE);
    if (timeout > 0) {
        HANDLE timer;
        CreateTimerQueueTimer(&timer, NULL, on_timer, NULL, (DWORD)(timeout * 1000), 0, WT_EXECUTEONLYONCE);
    }
}

double cli_platform_seconds(void)
{
    return (double)GetTickCount64() / 1000.0;
}

bool cli_platform_is_terminal(int stream)
{
    return _isatty(stream) != 0;
}

void cli_platform_binary_streams(void)
{
    _setmode(0, _O_BINARY);
    _setmode(1, _O_BINARY);
}

void cli_platform_machine(cli_machine *out)
{
    *out = (cli_machine){"Windows", "unknown", 0};
}

void *cli_platform_allocate(size_t size, size_t alignment)
{
    return _aligned_malloc(size, alignment);
}

void cli_platform_release(void *memory)
{
    _aligned_free(memory);
}

#else

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

char **cli_platform_arguments(int *argc, char **argv)
{
    (void)argc;
    return argv;
}

static int exit_on_signal;
static int exit_on_timeout;

static void set_alarm(double seconds)
{
    const struct itimerval timer = {
        .it_value = {.tv_sec = (time_t)seconds, .tv_usec = (suseconds_t)((seconds - (double)(time_t)seconds) * 1e6)}};
    setitimer(ITIMER_REAL, &timer, NULL);
}

static void on_signal(int number)
{
    if (stop_reason != CLI_STOP_NONE) {
        // The process was asked to stop before. It can end here, because the library writes through temporary files: no
        // output is left half written.
        static const char over[] = "vrm: the time limit of --timeout is over\n", interrupted[] = "vrm: interrupted\n";
        const ssize_t said = stop_reason == CLI_STOP_TIMEOUT
                                 ? write(STDERR_FILENO, over, sizeof over - 1)
                                 : write(STDERR_FILENO, interrupted, sizeof interrupted - 1);
        (void)said; // if the message cannot be written, nobody can be told
        _exit(stop_reason == CLI_STOP_TIMEOUT ? exit_on_timeout : exit_on_signal);
    }
    stop_reason = number == SIGALRM ? CLI_STOP_TIMEOUT : CLI_STOP_SIGNAL;
    const int saved = errno;
    set_alarm(2.0);
    errno = saved;
}

void cli_platform_watch(double timeout, int signal_code, int timeout_code)
{
    exit_on_signal = signal_code;
    exit_on_timeout = timeout_code;
    // SA_RESTART is not set: a blocked read returns and sees that it must stop.
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGALRM};
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); ++i) {
        struct sigaction old;
        // SIGHUP stays ignored if `nohup vrm ...` has set that.
        if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN) {
            sigaction(numbers[i], &action, NULL);
        }
    }
    // With SIGXFSZ ignored, a file size limit appears as a failed write (and code 75) instead of killing the process.
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigemptyset(&ignore.sa_mask);
    sigaction(SIGXFSZ, &ignore, NULL);
    if (timeout > 0) {
        set_alarm(timeout < 0.001 ? 0.001 : timeout);
    }
}

double cli_platform_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void cli_platform_machine(cli_machine *out)
{
    struct utsname name;
    struct rusage used;
    *out = (cli_machine){"unknown", "unknown", 0};
    if (uname(&name) >= 0) {
        vrmi_format(out->system, sizeof out->system, "%s", name.sysname);
        vrmi_format(out->version, sizeof out->version, "%s", name.release);
    }
    if (getrusage(RUSAGE_SELF, &used) == 0) {
#if defined(__APPLE__)
        out->peak_memory = (uint64_t)used.ru_maxrss;
#else
        out->peak_memory = (uint64_t)used.ru_maxrss * 1024;
#endif
    }
}

bool cli_platform_is_terminal(int stream)
{
    return isatty(stream) != 0;
}

void cli_platform_binary_streams(void) {}

// Files are read and written as a whole, and the page faults of fresh 4 KiB pages cost as much time as the work itself.
// Blocks of at least this size therefore use pages of 2 MiB.
enum { LARGE_BLOCK = 4 << 20, LARGE_PAGE = 2 << 20 };

void *cli_platform_allocate(size_t size, size_t alignment)
{
#if defined(MADV_HUGEPAGE)
    if (size >= LARGE_BLOCK && size <= SIZE_MAX - LARGE_PAGE) {
        void *block = NULL;
        if (posix_memalign(&block, LARGE_PAGE, size) != 0) {
            return NULL;
        }
        // Only whole large pages: the end of the block uses small pages.
        (void)madvise(block, size & ~(size_t)(LARGE_PAGE - 1), MADV_HUGEPAGE);
        return block;
    }
#endif
    // aligned_alloc needs a multiple of the alignment. malloc's own alignment is nearly always enough.
    return alignment <= 16 ? malloc(size) : aligned_alloc(alignment, (size + alignment - 1) & ~(alignment - 1));
}

void cli_platform_release(void *memory)
{
    free(memory);
}

#endif
