// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef CLI_PLATFORM_H
#define CLI_PLATFORM_H

// What the command needs of the operating system beyond the library's own file calls.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// The arguments in UTF-8, whatever the system gave to main() (Windows: its code page, in which most names cannot be written).
// Also has a console show UTF-8 until the program ends. The result lives as long as the program; without memory it is `argv`.
char **cli_platform_arguments(int *argc, char **argv);

// malloc and free, but that large blocks take few page faults. `alignment` is a power of two.
void *cli_platform_allocate(size_t size, size_t alignment);
void cli_platform_release(void *memory);

// Why the work must stop.
typedef enum cli_stop { CLI_STOP_NONE, CLI_STOP_SIGNAL, CLI_STOP_TIMEOUT } cli_stop;

// Handlers for SIGINT, SIGTERM, SIGHUP, and a timer (seconds, 0: none). The first signal only asks to stop; a second one, or two
// seconds without an answer, ends the process with these codes.
void cli_platform_watch(double timeout, int signal_code, int timeout_code);
cli_stop cli_platform_stop(void);
// A steady clock.
double cli_platform_seconds(void);
// What the work runs on.
typedef struct cli_machine {
    char system[64], version[128]; // "Linux", "6.1.0"; "unknown" where the system does not say
    uint64_t peak_memory;          // bytes that this process has had at most; 0: not known
} cli_machine;
void cli_platform_machine(cli_machine *out);
// Streams: 0 stdin, 1 stdout, 2 stderr.
bool cli_platform_is_terminal(int stream);
// Bytes instead of text on stdin and stdout where there is a difference.
void cli_platform_binary_streams(void);
// Opens a file to read, whatever its size; -1 when it cannot be.
int cli_platform_open(const char *path);
// Reads at most `size` bytes of an open file or stream into `buffer`: how many, 0 at the end, -1 on an error, -2 to stop.
int64_t cli_platform_read(int file, void *buffer, size_t size);
// True for pipes and sockets (also behind /dev/stdin or /dev/fd/3): these cannot be read as files. Gives an open file.
bool cli_platform_open_stream(const char *path, int *out_file);
void cli_platform_close(int file);
// Waits at most that long for something to read, or for the end of it.
bool cli_platform_wait(int file, int milliseconds);

typedef enum cli_path_kind { CLI_PATH_MISSING, CLI_PATH_FILE, CLI_PATH_FOLDER, CLI_PATH_OTHER } cli_path_kind;
cli_path_kind cli_platform_path_kind(const char *path, bool follow_links);
// What two names of one file have in common, also through links.
typedef struct cli_file_id {
    uint64_t volume, file;
} cli_file_id;
// False for what is not there and what is no plain file. "-": what stdin reads.
bool cli_platform_file_id(const char *path, cli_file_id *out_id);
// The same for anything with a name, folders too.
bool cli_platform_real_id(const char *path, cli_file_id *out_id);
// Whether a file may be made or replaced: its folder is there and may be changed. Disks may be full all the same.
bool cli_platform_can_write(const char *path);
// Calls `each` with every name in a folder (no order, without "." and ".."). False when it cannot be read or `each`
// returned false.
bool cli_platform_list(const char *folder, bool (*each)(const char *name, void *user), void *user);

// The path from the root, without links; freed by free(). NULL for what is not there.
char *cli_platform_whole_path(const char *path);
// Opens a file to write behind its end, made when it is not there; NULL when it cannot be. A line that is written and flushed at once
// stays whole beside those of other processes.
FILE *cli_platform_append(const char *path);
// Cuts off what a file has behind its first `size` bytes.
bool cli_platform_shorten(const char *path, uint64_t size);
// On Windows alone: UTF-8 of a UTF-16 text, for free(). NULL without memory.
char *cli_platform_narrow(const wchar_t *wide);
// Makes a folder whose parent is there. True when it then exists.
bool cli_platform_make_folder(const char *path);

// --- processes -----------------------------------------------------------------------------------------------------

// A number that no other process has now.
long cli_platform_process(void);
// Becomes a program: beside the file that runs, else on the path. Returns only when there is none (-1), or with its exit code.
int cli_platform_become(const char *program, char **argv);

// A program with files as its streams and limits: it may crash, hang and eat memory.
typedef struct cli_limited {
    const char *program, *argument;
    FILE *in, *out, *err;
    uint64_t memory;             // bytes
    double seconds;              // of the clock, and of the processor
    bool (*goes_on)(void *user); // asked every few milliseconds
    void *user;
} cli_limited;

typedef enum cli_ending {
    CLI_ENDED,         // with an exit code; 127: there is no such program
    CLI_ENDED_LIMIT,   // by the system: it wanted more than it may have
    CLI_ENDED_CRASH,   // by a signal
    CLI_ENDED_STOPPED, // by us: its time was over, or goes_on() said no
    CLI_NOT_STARTED,
    CLI_NO_LIMITS // this system has none
} cli_ending;

// Runs it to its end; `out_code` is the exit code or the signal.
cli_ending cli_platform_run_limited(const cli_limited *limited, int *out_code);

// This program once more, beside itself, with files as stdout and stderr and nothing on stdin. `arguments` begin with the name
// that it goes by and end with NULL. False where it could not be started.
bool cli_platform_start(const char *const *arguments, FILE *out, FILE *err, int64_t *out_process);
// Whether it has ended: then its exit code (a signal that ended it: less than 0) and the most memory that it had, in bytes; 0:
// not known here. What has ended is not to be asked for again.
bool cli_platform_has_ended(int64_t process, int *out_code, uint64_t *out_memory);
// Ends it now.
void cli_platform_end(int64_t process);
// Lets other programs run.
void cli_platform_rest(int milliseconds);

// A program that reads what is written to it; it prints nothing to stdout.
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
// Ends the input and waits for the program; `stop` asks it to end at once. Its exit code, 127: there is no such program, -1: it
// died of a signal or was none.
int cli_platform_close_pipe(cli_pipe *pipe, bool stop);

#endif
