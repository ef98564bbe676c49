// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef CLI_MANIFEST_H
#define CLI_MANIFEST_H

// The manifest of a verb on many files: a record, as a line of JSON, for each processed file.

#include <stdio.h>

#include "cli.h"
#include "digest.h"

enum { CLI_MANIFEST_VERSION = 1 };

// The words of a record's rights, by vrm_permission.
enum { CLI_PERMISSIONS = 4 };
extern const char *const cli_manifest_permissions[CLI_PERMISSIONS];

// A record's line, without the line feed. The strings are views of the text, which is decoded in place.
typedef struct cli_record {
    const char *input;      // the name as given
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

// One run of a command with its options, in one version of the program, on one input.
cli_key cli_run_key(const char *input, const char *options_hash);

// Reads a line; false for one that is no record. The line is changed, and lives as long as the record is used.
bool cli_record_read(char *line, size_t length, cli_record *out);

// A cursor over the members of an object or the elements of an array, in JSON that this program wrote itself. False at
// the end and for malformed text.
typedef struct cli_members {
    char *at; // NULL: no more
    bool object;
} cli_members;
typedef struct cli_member {
    const char *name; // decoded; "" in an array
    char *value;      // decoded text, or the JSON of anything else
    size_t size;
    bool is_text;
} cli_member;
cli_members cli_members_of(char *json);
bool cli_next_member(cli_members *members, cli_member *out);

// A record as a resumed run needs it: 48 bytes, whatever the names are.
typedef struct cli_done {
    cli_key run;
    cli_key input_hash;
    uint64_t output; // cli_key_of_text(output).high
    uint32_t order;  // of its line
    uint8_t exit_code;
} cli_done;

typedef struct cli_manifest {
    cli_done *done; // sorted; the last record of each run
    uint32_t count, room;
    FILE *file; // at its end
} cli_manifest;

// Reads the records, cuts off a last line that was not finished, and keeps the file open to add more. The exit code.
int cli_manifest_open(cli_job *job, const char *path, cli_manifest *out);
// The last record of an input with these options, or NULL.
const cli_done *cli_manifest_find(const cli_manifest *manifest, const char *input, const char *options_hash);
// Adds a line and hands it to the system; false when it could not be written.
bool cli_manifest_add(cli_manifest *manifest, const vrmi_text *line);
void cli_manifest_close(cli_manifest *manifest);

#endif
