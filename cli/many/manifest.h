// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef CLI_MANIFEST_H
#define CLI_MANIFEST_H

// The manifest of a verb on many files. It has one record, a line of JSON, for each processed file.

#include <stdio.h>

#include "cli.h"
#include "digest.h"

enum { CLI_MANIFEST_VERSION = 1 };

// The words for the permissions in a record, indexed by vrm_permission.
enum { CLI_PERMISSIONS = 4 };
extern const char *const cli_manifest_permissions[CLI_PERMISSIONS];

// A record, read from its line. The strings point into the line, which is decoded in place.
typedef struct cli_record {
    const char *input;      // name as given on the command line
    const char *input_hash; // SHA-256
    const char *options_hash;
    const char *output; // "" for none
    const char *dialect;
    uint64_t input_bytes, output_bytes, memory;
    double seconds;
    int exit_code;
    const char *rights;   // JSON object, or "" if the file has none
    const char *findings; // JSON array
} cli_record;

// Returns the key of one run of a command: its version, its options and one input.
cli_key cli_run_key(const char *input, const char *options_hash);

// Reads a line; returns false if the line is not a record. The line is changed, and must live as long as the record.
bool cli_record_read(char *line, size_t length, cli_record *out);

// A cursor over the members of an object or the elements of an array, in JSON that this program wrote itself.
// cli_next_member() returns false at the end and for malformed text.
typedef struct cli_members {
    char *at; // NULL at the end
    bool object;
} cli_members;
typedef struct cli_member {
    const char *name; // decoded; "" in an array
    char *value;      // decoded text, or the JSON of any other value
    size_t size;
    bool is_text;
} cli_member;
cli_members cli_members_of(char *json);
bool cli_next_member(cli_members *members, cli_member *out);

// The part of a record that a resumed run needs. It takes 48 bytes, however long the names are.
typedef struct cli_done {
    cli_key run;
    cli_key input_hash;
    uint64_t output; // cli_key_of_text(output).high
    uint32_t order;  // of its line
    uint8_t exit_code;
} cli_done;

typedef struct cli_manifest {
    cli_done *done; // the last record of each run, sorted by run
    uint32_t count, room;
    FILE *file; // at its end
} cli_manifest;

// Reads the records, cuts off an incomplete last line, and keeps the file open for further records. Returns the exit
// code.
int cli_manifest_open(cli_job *job, const char *path, cli_manifest *out);
// Returns the last record of an input with these options, or NULL.
const cli_done *cli_manifest_find(const cli_manifest *manifest, const char *input, const char *options_hash);
// Adds a line and flushes it. Returns false if the line could not be written.
bool cli_manifest_add(cli_manifest *manifest, const vrmi_text *line);
void cli_manifest_close(cli_manifest *manifest);

#endif
