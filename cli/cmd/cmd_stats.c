// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "many/lines.h"
#include "stats.h"

enum { FORMAT_TEXT, FORMAT_JSON };

typedef struct stats_options {
    int format;
} stats_options;

static int read_manifest(cli_job *job, cli_sums *s, const char *path)
{
    cli_lines lines;
    const int begun = cli_begin_input(job, path);
    if (begun != CLI_EXIT_DONE) {
        return begun;
    }
    vrm_result result = cli_lines_open(path, &lines);
    size_t length;
    char *line;
    while (result == VRM_SUCCESS && (line = cli_lines_next(&lines, &length, &result)) != NULL) {
        result = cli_stats_add_line(s, line, length) ? VRM_SUCCESS : VRM_ERROR_OUT_OF_MEMORY;
    }
    cli_lines_close(&lines);
    return result == VRM_SUCCESS
               ? CLI_EXIT_DONE
               : cli_fail(job, cli_exit_of(job, result), "%s: %s", path, cli_why_no_lines(job, path, result));
}

static int run_stats(const cli_inputs *inputs, const void *options_in, cli_job *job)
{
    const stats_options *options = options_in;
    static cli_sums s; // too large for a stack
    s = (cli_sums){0};
    int code = CLI_EXIT_DONE;
    for (uint32_t i = 0; i < inputs->count; ++i) {
        const int read = read_manifest(job, &s, inputs->items[i]);
        code = read > code ? read : code;
    }
    if (code == CLI_EXIT_DONE && s.count == 0) {
        code = cli_fail(
            job, CLI_EXIT_INPUT, "%s: contains no records; commands write manifests with --manifest", inputs->items[0]);
    }
    if (code == CLI_EXIT_DONE) {
        vrmi_text out;
        vrmi_text_init(&out, NULL);
        cli_stats_count(&s);
        const bool good = options->format == FORMAT_JSON ? cli_stats_add_json(&s, &out) : cli_stats_add_text(&s, &out);
        if (!good || out.failed) {
            code = cli_fail(job, CLI_EXIT_AGAIN, "%s", cli_sentence_of(job, VRM_ERROR_OUT_OF_MEMORY));
        } else {
            cli_print(&out);
        }
        vrmi_text_free(&out);
    }
    cli_stats_free(&s);
    return code;
}

static const cli_option options[] = {
    {.name = "format",
        .type = CLI_CHOICE,
        .offset = offsetof(stats_options, format),
        .choices = "text json",
        .help = "Print tables for people (default), or JSON."},
};

const cli_command cli_stats = {
    .name = "stats",
    .summary = "Summarise manifests: times, sizes, rights, findings, duplicates.",
    .arguments = "MANIFEST...",
    .description = "Reads manifests that other commands have written with --manifest, all shards together, and prints: "
                   "the number of files for each exit code, quantiles of time, memory and sizes, the dialects, the "
                   "permissions for everyone, the number of files with each finding, and duplicate files. If a file "
                   "was processed several times with the same options, its last record counts.",
    .examples =
        "vrm validate models/ --manifest m.ndjson --format ndjson > reports.ndjson\n    checks a collection\nvrm stats "
        "m.ndjson\n    summarises it\nvrm stats --format json shard-*.ndjson\n    all shards, for a program\n",
    .min_inputs = 1,
    .max_inputs = UINT32_MAX,
    .options = options,
    .option_count = sizeof(options) / sizeof(options[0]),
    .options_size = sizeof(stats_options),
    .run = run_stats,
};
