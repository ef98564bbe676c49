// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#if !defined(_WIN32)
#define _POSIX_C_SOURCE 200809L
#define _XOPEN_SOURCE 700 // setitimer, setrlimit, realpath
#define _DEFAULT_SOURCE   // madvise
#endif

#include "platform.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/platform.h"

static volatile sig_atomic_t stop_reason = CLI_STOP_NONE;

cli_stop cli_platform_stop(void)
{
    return (cli_stop)stop_reason;
}

#if defined(_WIN32)

#include <fcntl.h>
#include <io.h>
#include <process.h>
#include <sys/stat.h>
#include <time.h>
#include <windows.h>

// In this order: shellapi.h needs the types of windows.h.
#include <shellapi.h>

static char *narrow(const wchar_t *wide)
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
        arguments[i] = narrow(wide[i]);
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

int64_t cli_platform_read(int file, void *buffer, size_t size)
{
    return _read(file, buffer, size > 1u << 30 ? 1u << 30 : (unsigned)size);
}

bool cli_platform_open_stream(const char *path, int *out_file)
{
    (void)path;
    (void)out_file;
    return false;
}

void cli_platform_close(int file)
{
    _close(file);
}

cli_path_kind cli_platform_path_kind(const char *path, bool follow_links)
{
    (void)follow_links;
    wchar_t *wide = vrmi_platform_widen(path);
    const DWORD attributes = wide != NULL ? GetFileAttributesW(wide) : INVALID_FILE_ATTRIBUTES;
    free(wide);
    if (attributes == INVALID_FILE_ATTRIBUTES) {
        return CLI_PATH_MISSING;
    }
    return (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0 ? CLI_PATH_FOLDER : CLI_PATH_FILE;
}

void *cli_platform_allocate(size_t size, size_t alignment)
{
    return _aligned_malloc(size, alignment);
}

void cli_platform_release(void *memory)
{
    _aligned_free(memory);
}

static bool id_of(HANDLE file, bool folders, cli_file_id *out_id)
{
    BY_HANDLE_FILE_INFORMATION info;
    if (GetFileType(file) != FILE_TYPE_DISK || !GetFileInformationByHandle(file, &info) ||
        (!folders && (info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0)) {
        return false;
    }
    *out_id = (cli_file_id){info.dwVolumeSerialNumber, (uint64_t)info.nFileIndexHigh << 32 | info.nFileIndexLow};
    return true;
}

static bool path_id(const char *path, bool folders, cli_file_id *out_id)
{
    wchar_t *wide = vrmi_platform_widen(path);
    HANDLE file = wide == NULL ? INVALID_HANDLE_VALUE
                               : CreateFileW(wide, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                                     OPEN_EXISTING, folders ? FILE_FLAG_BACKUP_SEMANTICS : 0, NULL);
    free(wide);
    if (file == INVALID_HANDLE_VALUE) {
        return false;
    }
    const bool good = id_of(file, folders, out_id);
    CloseHandle(file);
    return good;
}

bool cli_platform_file_id(const char *path, cli_file_id *out_id)
{
    return strcmp(path, "-") == 0 ? id_of(GetStdHandle(STD_INPUT_HANDLE), false, out_id) : path_id(path, false, out_id);
}

bool cli_platform_real_id(const char *path, cli_file_id *out_id)
{
    return path_id(path, true, out_id);
}

// Windows tells by trying only; what can be said before is that there is a folder, and no folder of the file's own name.
bool cli_platform_can_write(const char *path)
{
    char folder[4096];
    size_t length = strlen(path);
    while (length > 0 && path[length - 1] != '/' && path[length - 1] != '\\' && path[length - 1] != ':') {
        --length;
    }
    if (path[0] == '\0' || length >= sizeof folder || cli_platform_path_kind(path, true) == CLI_PATH_FOLDER) {
        return false;
    }
    memcpy(folder, path, length);
    folder[length] = '\0';
    return length == 0 || cli_platform_path_kind(folder, true) == CLI_PATH_FOLDER;
}

bool cli_platform_list(const char *folder, bool (*each)(const char *name, void *user), void *user)
{
    wchar_t *wide = vrmi_platform_widen(folder);
    const size_t length = wide != NULL ? wcslen(wide) : 0;
    wchar_t *pattern = wide != NULL ? malloc((length + 3) * sizeof(*pattern)) : NULL;
    WIN32_FIND_DATAW found;
    HANDLE search = INVALID_HANDLE_VALUE;
    if (pattern != NULL) {
        memcpy(pattern, wide, length * sizeof(*pattern));
        memcpy(pattern + length, L"\\*", 3 * sizeof(*pattern));
        search = FindFirstFileW(pattern, &found);
    }
    free(pattern);
    free(wide);
    if (search == INVALID_HANDLE_VALUE) {
        return false;
    }
    bool good = true;
    do {
        if (wcscmp(found.cFileName, L".") != 0 && wcscmp(found.cFileName, L"..") != 0) {
            char *name = narrow(found.cFileName);
            good = name != NULL && each(name, user);
            free(name);
        }
    } while (good && FindNextFileW(search, &found));
    FindClose(search);
    return good;
}

FILE *cli_platform_append(const char *path)
{
    wchar_t *wide = vrmi_platform_widen(path);
    FILE *file = wide != NULL ? _wfopen(wide, L"ab") : NULL;
    free(wide);
    return file;
}

bool cli_platform_make_folder(const char *path)
{
    wchar_t *wide = vrmi_platform_widen(path);
    const bool good = wide != NULL && (CreateDirectoryW(wide, NULL) || GetLastError() == ERROR_ALREADY_EXISTS);
    free(wide);
    return good;
}

bool cli_platform_wait(int file, int milliseconds)
{
    return WaitForSingleObject((HANDLE)_get_osfhandle(file), (DWORD)milliseconds) == WAIT_OBJECT_0;
}

char *cli_platform_whole_path(const char *path)
{
    wchar_t *wide = cli_platform_path_kind(path, true) != CLI_PATH_MISSING ? vrmi_platform_widen(path) : NULL;
    const DWORD size = wide != NULL ? GetFullPathNameW(wide, 0, NULL, NULL) : 0;
    wchar_t *whole = size != 0 ? malloc(size * sizeof(*whole)) : NULL;
    char *text = whole != NULL && GetFullPathNameW(wide, size, whole, NULL) < size ? narrow(whole) : NULL;
    free(whole);
    free(wide);
    return text;
}

// --- processes -----------------------------------------------------------------------------------------------------

long cli_platform_process(void)
{
    return (long)GetCurrentProcessId();
}

// An argument as it stands in a command line: spawn only puts spaces between them. Backslashes before a quote double.
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

// Beside vrm or on the path, as Windows itself looks.
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
    *out_code = code > 255 ? -1 : (int)code; // an exception's number
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

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
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
        // Asked once already. The library writes through temporary files, so no output is half written.
        static const char over[] = "vrm: the time of --timeout is over\n", interrupted[] = "vrm: interrupted\n";
        const ssize_t said = stop_reason == CLI_STOP_TIMEOUT
                                 ? write(STDERR_FILENO, over, sizeof over - 1)
                                 : write(STDERR_FILENO, interrupted, sizeof interrupted - 1);
        (void)said; // nobody is left to hear of it
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
    // Without SA_RESTART: a blocked read returns and sees that it must stop.
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGALRM};
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); ++i) {
        struct sigaction old;
        // `nohup vrm ...` ignores SIGHUP; that stays.
        if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN) {
            sigaction(numbers[i], &action, NULL);
        }
    }
    // A file size limit shows as a failed write (and code 75), not as a death by signal.
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

bool cli_platform_is_terminal(int stream)
{
    return isatty(stream) != 0;
}

void cli_platform_binary_streams(void) {}

int64_t cli_platform_read(int file, void *buffer, size_t size)
{
    for (;;) {
        // A signal that another thread takes does not end this one's read().
        while (!cli_platform_wait(file, 100)) {
            if (stop_reason != CLI_STOP_NONE) {
                return -2;
            }
        }
        const ssize_t got = read(file, buffer, size);
        if (got >= 0) {
            return got;
        }
        if (errno != EINTR) {
            return -1;
        }
        if (stop_reason != CLI_STOP_NONE) {
            return -2;
        }
    }
}

bool cli_platform_open_stream(const char *path, int *out_file)
{
    struct stat info;
    if (stat(path, &info) != 0 || !(S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode))) {
        return false;
    }
    *out_file = open(path, O_RDONLY | O_CLOEXEC);
    return *out_file >= 0;
}

void cli_platform_close(int file)
{
    close(file);
}

cli_path_kind cli_platform_path_kind(const char *path, bool follow_links)
{
    struct stat info;
    if ((follow_links ? stat(path, &info) : lstat(path, &info)) != 0) {
        return CLI_PATH_MISSING;
    }
    return S_ISREG(info.st_mode) ? CLI_PATH_FILE : S_ISDIR(info.st_mode) ? CLI_PATH_FOLDER : CLI_PATH_OTHER;
}

// Files are read and written whole: fresh pages of 4 KiB cost as much as the work on them, so that blocks of this size ask
// for pages of 2 MiB.
enum { LARGE_BLOCK = 4 << 20, LARGE_PAGE = 2 << 20 };

void *cli_platform_allocate(size_t size, size_t alignment)
{
#if defined(MADV_HUGEPAGE)
    if (size >= LARGE_BLOCK && size <= SIZE_MAX - LARGE_PAGE) {
        void *block = NULL;
        if (posix_memalign(&block, LARGE_PAGE, size) != 0) {
            return NULL;
        }
        // Whole pages only: the last part of a block stays small.
        (void)madvise(block, size & ~(size_t)(LARGE_PAGE - 1), MADV_HUGEPAGE);
        return block;
    }
#endif
    // aligned_alloc wants a multiple of the alignment; malloc's own alignment serves nearly always.
    return alignment <= 16 ? malloc(size) : aligned_alloc(alignment, (size + alignment - 1) & ~(alignment - 1));
}

void cli_platform_release(void *memory)
{
    free(memory);
}

bool cli_platform_file_id(const char *path, cli_file_id *out_id)
{
    struct stat info;
    if ((strcmp(path, "-") == 0 ? fstat(0, &info) : stat(path, &info)) != 0 || !S_ISREG(info.st_mode)) {
        return false;
    }
    *out_id = (cli_file_id){(uint64_t)info.st_dev, (uint64_t)info.st_ino};
    return true;
}

bool cli_platform_real_id(const char *path, cli_file_id *out_id)
{
    struct stat info;
    if (stat(path, &info) != 0) {
        return false;
    }
    *out_id = (cli_file_id){(uint64_t)info.st_dev, (uint64_t)info.st_ino};
    return true;
}

bool cli_platform_can_write(const char *path)
{
    const cli_path_kind kind = cli_platform_path_kind(path, true);
    if (kind == CLI_PATH_FOLDER || kind == CLI_PATH_OTHER || path[0] == '\0') {
        return kind == CLI_PATH_OTHER && access(path, W_OK) == 0;
    }
    // A file is replaced where it lies, behind all links.
    char *target = kind == CLI_PATH_FILE ? realpath(path, NULL) : strdup(path);
    char *slash = target != NULL ? strrchr(target, '/') : NULL;
    if (slash != NULL) {
        slash[1] = '\0';
    }
    const bool good = target == NULL || access(slash != NULL ? target : ".", W_OK | X_OK) == 0;
    free(target);
    return good;
}

bool cli_platform_list(const char *folder, bool (*each)(const char *name, void *user), void *user)
{
    DIR *directory = opendir(folder);
    if (directory == NULL) {
        return false;
    }
    bool good = true;
    const struct dirent *entry;
    while (good && (entry = readdir(directory)) != NULL) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            good = each(entry->d_name, user);
        }
    }
    closedir(directory);
    return good;
}

FILE *cli_platform_append(const char *path)
{
    return fopen(path, "ab");
}

bool cli_platform_make_folder(const char *path)
{
    return mkdir(path, 0777) == 0 || cli_platform_path_kind(path, true) == CLI_PATH_FOLDER;
}

bool cli_platform_wait(int file, int milliseconds)
{
    struct pollfd input = {.fd = file, .events = POLLIN};
    return poll(&input, 1, milliseconds) > 0;
}

char *cli_platform_whole_path(const char *path)
{
    return realpath(path, NULL);
}

// --- processes -----------------------------------------------------------------------------------------------------

long cli_platform_process(void)
{
    return (long)getpid();
}

// Where the system says which file runs, or argv[0] names a folder.
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

// In the child, between fork and exec: only calls that are safe there.
static void become_limited(const cli_limited *limited)
{
    char *argv[] = {(char *)(uintptr_t)limited->program, (char *)(uintptr_t)limited->argument, NULL};
    if (dup2(fileno(limited->in), 0) < 0 || dup2(fileno(limited->out), 1) < 0 || dup2(fileno(limited->err), 2) < 0) {
        _exit(126);
    }
#if !defined(VRM_SANITIZED) // whose shadow memory is larger than any limit
    limit(RLIMIT_AS, (rlim_t)limited->memory);
#endif
    limit(RLIMIT_CPU, (rlim_t)limited->seconds + 1);
    limit(RLIMIT_FSIZE, (rlim_t)limited->memory / 4); // what it hands back was in its memory, and in ours next
    limit(RLIMIT_CORE, 0);
    signal(SIGXFSZ, SIG_DFL);
    cli_platform_become(limited->program, argv);
    _exit(127);
}

// Until the child has ended, whatever signals come to us.
static int wait_for_end(pid_t child)
{
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

// Looks at the child every few milliseconds, so that neither its end nor a signal to us is missed. False: stopped by us.
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
    // A child that ends early is noticed by its exit code, not by a signal to us.
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
        } else if (count < 0 && (errno != EINTR || stop_reason != CLI_STOP_NONE)) {
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
