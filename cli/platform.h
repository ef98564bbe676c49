// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef CLI_PLATFORM_H
#define CLI_PLATFORM_H

// Functions of the operating system that the command needs beyond the library's own file calls.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// The arguments in UTF-8, whatever the system gave to main() (Windows: its code page, in which most names cannot be
// written).
// Also has a console show UTF-8 until the program ends. The result lives as long as the program; without memory it is
// `argv`.
char **cli_platform_arguments(int *argc, char **argv);

// malloc and free, with fewer page faults for large blocks. `alignment` is a power of two.
void *cli_platform_allocate(size_t size, size_t alignment);
void cli_platform_release(void *memory);

// The reason to stop the work.
typedef enum cli_stop { CLI_STOP_NONE, CLI_STOP_SIGNAL, CLI_STOP_TIMEOUT } cli_stop;

// Handlers for SIGINT, SIGTERM, SIGHUP, and a timer (seconds, 0: none). The first signal only asks to stop; a second
// one, or two seconds without an answer, ends the process with these codes.
void cli_platform_watch(double timeout, int signal_code, int timeout_code);
cli_stop cli_platform_stop(void);
// A steady clock.
double cli_platform_seconds(void);
// The system that the process runs on.
typedef struct cli_machine {
    char system[64], version[128]; // "Linux", "6.1.0"; "unknown" where the system does not say
    uint64_t peak_memory;          // peak memory of this process, bytes; 0: not known
} cli_machine;
void cli_platform_machine(cli_machine *out);
// Streams: 0 stdin, 1 stdout, 2 stderr.
bool cli_platform_is_terminal(int stream);
// Switches stdin and stdout from text to bytes where there is a difference.
void cli_platform_binary_streams(void);
// Opens a file to read, whatever its size; -1 when it cannot be.
int cli_platform_open(const char *path);
// Reads at most `size` bytes of an open file or stream into `buffer`: how many, 0 at the end, -1 on an error, -2 to
// stop.
int64_t cli_platform_read(int file, void *buffer, size_t size);
// True for pipes and sockets (also behind /dev/stdin or /dev/fd/3): these cannot be read as files. Gives an open file.
bool cli_platform_open_stream(const char *path, int *out_file);
void cli_platform_close(int file);
// Waits at most that long for input or its end.
bool cli_platform_wait(int file, int milliseconds);

typedef enum cli_path_kind { CLI_PATH_MISSING, CLI_PATH_FILE, CLI_PATH_FOLDER, CLI_PATH_OTHER } cli_path_kind;
cli_path_kind cli_platform_path_kind(const char *path, bool follow_links);
// Identity of a file, the same for all its names and links.
typedef struct cli_file_id {
    uint64_t volume, file;
} cli_file_id;
// False if it does not exist or is not a plain file. "-": the file that stdin reads.
bool cli_platform_file_id(const char *path, cli_file_id *out_id);
// The same for any kind of file, including folders.
bool cli_platform_real_id(const char *path, cli_file_id *out_id);
// Whether a file can be created or replaced: its folder exists and is writable. The disk may still be full.
bool cli_platform_can_write(const char *path);
// Calls `each` with every name in a folder (no order, without "." and ".."). False when it cannot be read or `each`
// returned false.
bool cli_platform_list(const char *folder, bool (*each)(const char *name, void *user), void *user);

// The absolute path without links; free it with free(). NULL if it does not exist.
char *cli_platform_whole_path(const char *path);
// Opens a file for appending and creates it if necessary; NULL on failure. A line that is written and flushed at once
// is not mixed with lines of other processes.
FILE *cli_platform_append(const char *path);
// Truncates a file to `size` bytes.
bool cli_platform_shorten(const char *path, uint64_t size);
// On Windows alone: UTF-8 of a UTF-16 text, for free(). NULL without memory.
char *cli_platform_narrow(const wchar_t *wide);
// Makes a folder whose parent is there. True when it then exists.
bool cli_platform_make_folder(const char *path);

// --- processes -----------------------------------------------------------------------------------------------------

// A number that no other process has now.
long cli_platform_process(void);
// Replaces this process by a program: one beside this executable, else one on the path. Returns only if there is none
// (-1), or with its exit code.
int cli_platform_become(const char *program, char **argv);

// A program with files as its streams, and limits: it may crash, hang and use too much memory.
typedef struct cli_limited {
    const char *program, *argument;
    FILE *in, *out, *err;
    uint64_t memory;             // bytes
    double seconds;              // limits of wall-clock and of processor time
    bool (*goes_on)(void *user); // called every few milliseconds
    void *user;
} cli_limited;

typedef enum cli_ending {
    CLI_ENDED,         // exited; 127: there is no such program
    CLI_ENDED_LIMIT,   // killed by the system because of its limits
    CLI_ENDED_CRASH,   // killed by a signal
    CLI_ENDED_STOPPED, // stopped by us: its time was over, or goes_on() returned false
    CLI_NOT_STARTED,
    CLI_NO_LIMITS // not supported on this system
} cli_ending;

// Runs it to its end; `out_code` is the exit code or the signal.
cli_ending cli_platform_run_limited(const cli_limited *limited, int *out_code);

// Starts this program again, with files as stdout and stderr and nothing on stdin. `arguments` begin with the program's
// name and end with NULL. False if it could not be started.
bool cli_platform_start(const char *const *arguments, FILE *out, FILE *err, int64_t *out_process);
// Whether it has ended: then also its exit code (negative: the signal that killed it) and its peak memory in bytes; 0:
// not known here. Do not call it again after that.
bool cli_platform_has_ended(int64_t process, int *out_code, uint64_t *out_memory);
// Kills it now.
void cli_platform_end(int64_t process);
// Lets other programs run.
void cli_platform_rest(int milliseconds);

// A program that reads our output and prints nothing to stdout.
typedef struct cli_pipe {
    int file;      // -1: none
    int64_t child; // -1: none
} cli_pipe;

// False where this system has no pipes to programs.
bool cli_platform_has_pipes(void);
// False without memory or processes. `arguments` begin with the program and end with NULL.
bool cli_platform_open_pipe(cli_pipe *pipe, const char *const *arguments);
// False when the program has ended or the work must stop.
bool cli_platform_write_pipe(const cli_pipe *pipe, const void *bytes, size_t size);
// Closes the input and waits for the program; `stop` asks it to end at once. Returns its exit code, 127: there is no
// such program, -1: it was killed by a signal or was not running.
int cli_platform_close_pipe(cli_pipe *pipe, bool stop);

#endif
