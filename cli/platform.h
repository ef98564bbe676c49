// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef CLI_PLATFORM_H
#define CLI_PLATFORM_H

// Functions of the operating system that the command needs, in addition to the library's own file calls.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// Returns the arguments in UTF-8. (Windows passes them to main() in its code page, which cannot represent most names.)
// Also makes a console show UTF-8 until the program ends. The result lives as long as the program; if memory runs out,
// it is `argv`.
char **cli_platform_arguments(int *argc, char **argv);

// Like malloc and free, with fewer page faults for large blocks. `alignment` is a power of two.
void *cli_platform_allocate(size_t size, size_t alignment);
void cli_platform_release(void *memory);

// The reason why the work has to stop.
typedef enum cli_stop { CLI_STOP_NONE, CLI_STOP_SIGNAL, CLI_STOP_TIMEOUT } cli_stop;

// Installs handlers for SIGINT, SIGTERM and SIGHUP, and a timer (seconds, 0: none). The first signal only asks to stop.
// A second signal, or two seconds without an answer, ends the process with `signal_code` or `timeout_code`.
void cli_platform_watch(double timeout, int signal_code, int timeout_code);
cli_stop cli_platform_stop(void);
// Returns the seconds of a monotonic clock.
double cli_platform_seconds(void);
// The system that the process runs on.
typedef struct cli_machine {
    char system[64], version[128]; // such as "Linux", "6.1.0"; "unknown" if the system does not report it
    uint64_t peak_memory;          // peak memory of this process, bytes; 0: unknown
} cli_machine;
void cli_platform_machine(cli_machine *out);
// Streams are 0 stdin, 1 stdout, 2 stderr.
bool cli_platform_is_terminal(int stream);
// Switches stdin and stdout from text to bytes on systems that distinguish them.
void cli_platform_binary_streams(void);
// Opens a file for reading, whatever its size; returns -1 on failure.
int cli_platform_open(const char *path);
// Reads at most `size` bytes of an open file or stream into `buffer`. Returns their number, 0 at the end, -1 on an
// error, -2 if the work has to stop.
int64_t cli_platform_read(int file, void *buffer, size_t size);
// Returns true, and an open file, for a pipe or socket (also behind /dev/stdin or /dev/fd/3), which cannot be read as a
// file.
bool cli_platform_open_stream(const char *path, int *out_file);
void cli_platform_close(int file);
// Waits for input or its end, at most this long.
bool cli_platform_wait(int file, int milliseconds);

typedef enum cli_path_kind { CLI_PATH_MISSING, CLI_PATH_FILE, CLI_PATH_FOLDER, CLI_PATH_OTHER } cli_path_kind;
cli_path_kind cli_platform_path_kind(const char *path, bool follow_links);
// Identity of a file, the same for all its names and links.
typedef struct cli_file_id {
    uint64_t volume, file;
} cli_file_id;
// Returns false if the file does not exist or is not a regular file. "-" is the file that stdin reads.
bool cli_platform_file_id(const char *path, cli_file_id *out_id);
// Like cli_platform_file_id(), for any kind of file, including folders.
bool cli_platform_real_id(const char *path, cli_file_id *out_id);
// Returns true if a file can be created or replaced: its folder exists and is writable. The disk may still be full.
bool cli_platform_can_write(const char *path);
// Calls `each` with every name in a folder, in any order and without "." and "..". Returns false if the folder cannot
// be read or `each` returned false.
bool cli_platform_list(const char *folder, bool (*each)(const char *name, void *user), void *user);

// Returns the absolute path without links, to be freed with free(); NULL if it does not exist.
char *cli_platform_whole_path(const char *path);
// Opens a file for appending, and creates it if necessary; returns NULL on failure. A line that is written and flushed
// at once is not mixed with lines of other processes.
FILE *cli_platform_append(const char *path);
// Truncates a file to `size` bytes.
bool cli_platform_shorten(const char *path, uint64_t size);
// Only on Windows: returns a UTF-16 text as UTF-8, to be freed with free(); NULL if memory runs out.
char *cli_platform_narrow(const wchar_t *wide);
// Creates a folder whose parent exists. Returns true if the folder exists afterwards.
bool cli_platform_make_folder(const char *path);

// --- processes -----------------------------------------------------------------------------------------------------

// Returns a number that no other running process has.
long cli_platform_process(void);
// Replaces this process by a program, which is searched for beside this executable, then on the path. Returns -1 if
// there is none, or, where processes cannot be replaced, the program's exit code.
int cli_platform_become(const char *program, char **argv);

// A program that reads and writes files as its streams, within limits. It may crash, hang, or need too much memory.
typedef struct cli_limited {
    const char *program, *argument;
    FILE *in, *out, *err;
    uint64_t memory;             // bytes
    double seconds;              // limit of wall-clock time and of processor time
    bool (*goes_on)(void *user); // called every few milliseconds; false stops the program
    void *user;
} cli_limited;

typedef enum cli_ending {
    CLI_ENDED,         // exited; 127: there is no such program
    CLI_ENDED_LIMIT,   // killed by the system because it exceeded a limit
    CLI_ENDED_CRASH,   // killed by a signal
    CLI_ENDED_STOPPED, // stopped by vrm: its time was over, or goes_on() returned false
    CLI_NOT_STARTED,
    CLI_NO_LIMITS // not supported on this system
} cli_ending;

// Runs the program to its end. `out_code` is the exit code or the signal.
cli_ending cli_platform_run_limited(const cli_limited *limited, int *out_code);

// Starts this program again, with files as stdout and stderr and an empty stdin. `arguments` begins with the program's
// name and ends with NULL. Returns false if the program could not be started.
bool cli_platform_start(const char *const *arguments, FILE *out, FILE *err, int64_t *out_process);
// Returns true if the process has ended, with its exit code (negative: the signal that killed it) and its peak memory
// in bytes (0: unknown). Do not call it again afterwards.
bool cli_platform_has_ended(int64_t process, int *out_code, uint64_t *out_memory);
// Kills the process.
void cli_platform_end(int64_t process);
// Waits, so that other programs can run.
void cli_platform_rest(int milliseconds);

// A program that reads the output of this process and prints nothing to stdout.
typedef struct cli_pipe {
    int file;      // -1: none
    int64_t child; // -1: none
} cli_pipe;

// Returns false on systems without pipes to programs.
bool cli_platform_has_pipes(void);
// Starts the program. Returns false if memory or processes run out. `arguments` begins with the program and ends with
// NULL.
bool cli_platform_open_pipe(cli_pipe *pipe, const char *const *arguments);
// Returns false if the program has ended or the work has to stop.
bool cli_platform_write_pipe(const cli_pipe *pipe, const void *bytes, size_t size);
// Closes the program's input and waits for its end; `stop` asks it to end at once. Returns its exit code; 127 if there
// is no such program; -1 if a signal killed it or it was not running.
int cli_platform_close_pipe(cli_pipe *pipe, bool stop);

#endif
