// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef CLI_STATS_H
#define CLI_STATS_H

// The sums of `vrm stats`. A record of a manifest takes 104 bytes, and 8 for each finding, however long its names are.
// A million records therefore fit into memory, and every figure is exact.

#include "many/manifest.h"

enum { CLI_STATS_MOST_CODE = 255, CLI_STATS_DIALECTS = 16 };

typedef struct cli_stats_finding {
    uint16_t id; // vrm_finding_id
    uint8_t severity;
    uint32_t times;
} cli_stats_finding;

typedef struct cli_stats_entry {
    cli_key run, content; // run: key of the input and options; content: key of the input's bytes
    uint64_t input;       // key of the input's name: cli_key_of_text(name).high
    uint64_t input_bytes, output_bytes, memory;
    uint64_t findings; // index of the first finding
    double seconds;
    uint32_t order, finding_count;
    uint32_t rights; // two bits for each use
    uint8_t dialect, exit_code;
    bool has_rights;
} cli_stats_entry;

typedef struct cli_sums {
    cli_stats_entry *entries;
    uint32_t count, room, unread; // unread: lines that are not records
    cli_stats_finding *findings;
    uint64_t finding_count, finding_room;
    uint32_t codes[CLI_STATS_MOST_CODE + 1];
    char dialect_names[CLI_STATS_DIALECTS][24]; // the last entry stands for all other dialects
    uint32_t dialects[CLI_STATS_DIALECTS];
    uint64_t rights[VRM_USE_COUNT][CLI_PERMISSIONS];
    uint32_t with_rights;
    uint64_t times[VRM_FINDING_COUNT], files_with[VRM_FINDING_COUNT];
    uint8_t severity[VRM_FINDING_COUNT];
    uint32_t duplicate_groups, duplicates;
    uint64_t duplicate_bytes;
} cli_sums;

// Adds a line of a manifest, and overwrites parts of the line. Returns false if memory runs out.
bool cli_stats_add_line(cli_sums *stats, char *line, size_t length);
// Drops all records of a run except the last, and counts the rest.
void cli_stats_count(cli_sums *stats);
void cli_stats_free(cli_sums *stats);

// Both functions return false if memory runs out.
bool cli_stats_add_text(const cli_sums *stats, vrmi_text *out);
bool cli_stats_add_json(const cli_sums *stats, vrmi_text *out);

#endif
