// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef CLI_PLATFORM_H
#define CLI_PLATFORM_H

// What the command needs of the operating system beyond the library's own file calls.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
// Streams: 0 stdin, 1 stdout, 2 stderr.
bool cli_platform_is_terminal(int stream);
// Bytes instead of text on stdin and stdout where there is a difference.
void cli_platform_binary_streams(void);
// Reads at most `size` bytes of an open stream into `buffer`: how many, 0 at the end, -1 on an error, -2 to stop.
int64_t cli_platform_read(int file, void *buffer, size_t size);
// True for pipes and sockets (also behind /dev/stdin or /dev/fd/3): these cannot be read as files. Gives an open file.
bool cli_platform_open_stream(const char *path, int *out_file);
void cli_platform_close(int file);

typedef enum cli_path_kind { CLI_PATH_MISSING, CLI_PATH_FILE, CLI_PATH_FOLDER, CLI_PATH_OTHER } cli_path_kind;
cli_path_kind cli_platform_path_kind(const char *path, bool follow_links);
// What two names of one file have in common, also through links.
typedef struct cli_file_id {
    uint64_t volume, file;
} cli_file_id;
// False for what is not there and what is no plain file. "-": what stdin reads.
bool cli_platform_file_id(const char *path, cli_file_id *out_id);
// Whether a file may be made or replaced: its folder is there and may be changed. Disks may be full all the same.
bool cli_platform_can_write(const char *path);
// Calls `each` with every name in a folder (no order, without "." and ".."). False when it cannot be read or `each`
// returned false.
bool cli_platform_list(const char *folder, bool (*each)(const char *name, void *user), void *user);

// Makes a folder whose parent is there. True when it then exists.
bool cli_platform_make_folder(const char *path);

#endif
