// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef CLI_MANY_RUN_H
#define CLI_MANY_RUN_H

// The parts of a command on many files (many.c): the list of files (sources.c), the names of their outputs (outputs.c),
// and the processing of a single file up to its record (file.c, record.c).

#include "cli.h"
#include "manifest.h"

// --- which files (sources.c) ----------------------------------------------------------------------------------

// A file's path. `below` is the index in the path at which the part below the given folder begins.
typedef struct cli_source {
    char *path;
    uint32_t below;
} cli_source;

typedef struct cli_sources {
    cli_source *items;
    uint32_t count, room;
} cli_sources;

// Collects the files of the inputs and of --files-from, without the files of other shards. Returns the exit code. A
// folder that cannot be read does not stop the others.
int cli_sources_collect(cli_job *job, const cli_many *many, const cli_inputs *inputs, cli_sources *out);
void cli_sources_free(cli_sources *sources);
// Prints that memory ran out and returns the exit code.
int cli_no_memory(cli_job *job);
// FNV-1a.
uint64_t cli_hash_text(const char *text);

// --- the run -------------------------------------------------------------------------------------------------------

typedef struct cli_many_run {
    cli_job *job;
    const cli_many *many;
    const char *pattern; // pattern of the outputs' names; NULL if the command prints
    cli_digest options;  // hash of command, options and version
    cli_manifest manifest;
    bool keeps_manifest;
    uint32_t done, failed, as_before, skipped;
    int code;
} cli_many_run;

// --- names of outputs (outputs.c) -----------------------------------------------------------------------------

// Makes the run's pattern from -o. The pattern points into `pattern`.
int cli_make_pattern(cli_many_run *run, vrmi_text *pattern);
// Adds the name of a file's output; `hash` is the file's SHA-256 as 64 hexadecimal digits. Returns false for an unknown
// word in braces.
bool cli_add_output(vrmi_text *out, const char *pattern, const cli_source *from, const char *hash);
// Finds, before any work, two files with the same output.
int cli_find_collisions(cli_many_run *run, const cli_sources *sources);
// Creates the folders of an output.
bool cli_make_folders(char *path);

// --- one file (file.c, record.c) -------------------------------------------------------------------------

typedef enum cli_slot_state { CLI_SLOT_FREE, CLI_SLOT_RUNNING, CLI_SLOT_ENDED } cli_slot_state;

// One file, from the first look at it until its result is printed.
typedef struct cli_slot {
    cli_slot_state state;
    const cli_source *from;
    vrmi_text output, record_path;
    cli_digest hash;
    uint64_t size, memory;
    vrmi_text facts; // JSON members: dialect and rights
    int64_t process;
    FILE *out, *err;
    double started, seconds;
    int code;
    const char *why; // why the process did not exit by itself; NULL if it did
} cli_slot;

// Reads a file and starts its process. Returns false if nothing has to be done for the file.
bool cli_slot_begin(cli_many_run *run, cli_slot *slot, const cli_source *from);
// Checks whether the file's process has ended or run out of time.
void cli_slot_poll(const cli_many_run *run, cli_slot *slot);
// Prints what the process printed, adds the record to the manifest, and frees the slot.
void cli_slot_finish(cli_many_run *run, cli_slot *slot);
void cli_slot_free(cli_slot *slot);

#endif
