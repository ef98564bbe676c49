// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "stats.h"

#include <stdlib.h>
#include <string.h>

// --- quantiles -----------------------------------------------------------------------------------------------------

enum { QUANTILES = 5 };

static const double shares[QUANTILES] = {0.0, 0.5, 0.9, 0.99, 1.0};
static const char *const share_names[QUANTILES] = {"least", "median", "p90", "p99", "most"};

typedef double measure(const cli_stats_entry *e);

static double seconds_of(const cli_stats_entry *e)
{
    return e->seconds;
}

static double memory_of(const cli_stats_entry *e)
{
    return (double)e->memory / (1 << 20);
}

static double input_of(const cli_stats_entry *e)
{
    return (double)e->input_bytes / (1 << 20);
}

static double output_of(const cli_stats_entry *e)
{
    return (double)e->output_bytes / (1 << 20);
}

static const struct {
    const char *name, *member, *unit;
    measure *of;
} measures[] = {{"time", "seconds", "s", seconds_of}, {"memory", "memoryMebibytes", "MiB", memory_of},
    {"input", "inputMebibytes", "MiB", input_of}, {"output", "outputMebibytes", "MiB", output_of}};
enum { MEASURES = sizeof measures / sizeof measures[0] };

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Finds, for each share, the smallest value that at least this share of the values does not exceed.
static bool find_quantiles(const cli_sums *s, measure *of, double out[QUANTILES])
{
    double *values = malloc(((size_t)s->count + 1) * sizeof *values);
    if (values == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < s->count; ++i) {
        values[i] = of(&s->entries[i]);
    }
    qsort(values, s->count, sizeof *values, compare_numbers);
    for (int i = 0; i < QUANTILES; ++i) {
        const uint32_t up = (uint32_t)(shares[i] * s->count + 0.9999999);
        out[i] = s->count > 0 ? values[up > 0 ? up - 1 : 0] : 0.0;
    }
    free(values);
    return true;
}

// --- printing ------------------------------------------------------------------------------------------------------

static bool next_finding(const cli_sums *s, bool *printed, int *out)
{
    int best = -1;
    for (int i = 0; i < VRM_FINDING_COUNT; ++i) {
        if (!printed[i] && s->times[i] > 0 && (best < 0 || s->files_with[i] > s->files_with[best])) {
            best = i;
        }
    }
    if (best >= 0) {
        printed[best] = true;
    }
    *out = best;
    return best >= 0;
}

static void add_cell(vrmi_text *out, const char *text, size_t width)
{
    for (size_t length = strlen(text); length < width; ++length) {
        vrmi_text_add_string(out, " ");
    }
    vrmi_text_add_string(out, text);
}

static void add_number(vrmi_text *out, double number, int digits, size_t width)
{
    vrmi_text cell;
    vrmi_text_init(&cell, NULL);
    vrmi_text_add_digits(&cell, number, digits);
    add_cell(out, cell.data != NULL ? cell.data : "", width);
    vrmi_text_free(&cell);
}

bool cli_stats_add_text(const cli_sums *s, vrmi_text *out)
{
    bool printed[VRM_FINDING_COUNT] = {false}, good = true;
    vrmi_text_format(out, "%u files", s->count);
    if (s->unread > 0) {
        vrmi_text_format(out, ", %u lines that are not records", s->unread);
    }
    vrmi_text_add_string(out, "\n\nexit code\n");
    for (int i = 0; i <= CLI_STATS_MOST_CODE; ++i) {
        if (s->codes[i] > 0) {
            vrmi_text_format(out, "  %d  %u\n", i, s->codes[i]);
        }
    }
    vrmi_text_add_string(out, "\n              least    median       90 %      99 %      most\n");
    for (int m = 0; m < MEASURES; ++m) {
        double quantiles[QUANTILES];
        good = good && find_quantiles(s, measures[m].of, quantiles);
        vrmi_text_format(out, "%s", measures[m].name);
        add_cell(out, measures[m].unit, 10 - strlen(measures[m].name));
        for (int i = 0; good && i < QUANTILES; ++i) {
            add_number(out, quantiles[i], 3, i == 0 ? 9 : 10);
        }
        vrmi_text_add_string(out, "\n");
    }
    vrmi_text_add_string(out, "\ndialect\n");
    for (int i = 0; i < CLI_STATS_DIALECTS; ++i) {
        if (s->dialects[i] > 0) {
            vrmi_text_format(out, "  %s  %u\n", s->dialect_names[i], s->dialects[i]);
        }
    }
    vrmi_text_format(
        out, "\nrights for everyone, %u files    allowed  with credit  not allowed  not stated\n", s->with_rights);
    for (int use = 0; s->with_rights > 0 && use < VRM_USE_COUNT; ++use) {
        const char *name = vrm_use_name((vrm_use)use);
        vrmi_text_format(out, "  %s", name);
        for (int p = 0; p < CLI_PERMISSIONS; ++p) {
            static const size_t widths[CLI_PERMISSIONS] = {36, 13, 13, 12};
            add_number(out, (double)s->rights[use][p], 15, p == 0 ? widths[0] - strlen(name) : widths[p]);
        }
        vrmi_text_add_string(out, "\n");
    }
    vrmi_text_add_string(out, "\nfindings: files, occurrences, severity, code\n");
    for (int id; next_finding(s, printed, &id);) {
        add_number(out, (double)s->files_with[id], 15, 9);
        add_number(out, (double)s->times[id], 15, 10);
        vrmi_text_format(
            out, "  %s  %s\n", cli_severity_words[s->severity[id]], vrm_finding_get_info((vrm_finding_id)id)->name);
    }
    vrmi_text_format(out, "\nduplicates: %u files occur more than once, %u copies of %llu bytes\n", s->duplicate_groups,
        s->duplicates, (unsigned long long)s->duplicate_bytes);
    return good;
}

bool cli_stats_add_json(const cli_sums *s, vrmi_text *out)
{
    bool printed[VRM_FINDING_COUNT] = {false}, good = true;
    cli_json json = {out, false};
    cli_json_open(&json, NULL, '{');
    cli_json_uint(&json, "schemaVersion", 1);
    cli_json_uint(&json, "files", s->count);
    cli_json_uint(&json, "unreadLines", s->unread);
    cli_json_open(&json, "exitCodes", '{');
    for (int i = 0; i <= CLI_STATS_MOST_CODE; ++i) {
        char name[16];
        if (s->codes[i] > 0) {
            cli_json_uint(&json, vrmi_format(name, sizeof name, "%d", i), s->codes[i]);
        }
    }
    cli_json_close(&json, '}');
    cli_json_open(&json, "quantiles", '{');
    for (int m = 0; m < MEASURES; ++m) {
        double quantiles[QUANTILES];
        good = good && find_quantiles(s, measures[m].of, quantiles);
        cli_json_open(&json, measures[m].member, '{');
        for (int i = 0; good && i < QUANTILES; ++i) {
            cli_json_float(&json, share_names[i], (float)quantiles[i]);
        }
        cli_json_close(&json, '}');
    }
    cli_json_close(&json, '}');
    cli_json_open(&json, "dialects", '{');
    for (int i = 0; i < CLI_STATS_DIALECTS; ++i) {
        if (s->dialects[i] > 0) {
            cli_json_uint(&json, s->dialect_names[i], s->dialects[i]);
        }
    }
    cli_json_close(&json, '}');
    cli_json_open(&json, "rights", '{');
    for (int use = 0; s->with_rights > 0 && use < VRM_USE_COUNT; ++use) {
        cli_json_open(&json, cli_json_camel(vrm_use_name((vrm_use)use)).text, '{');
        for (int p = 0; p < CLI_PERMISSIONS; ++p) {
            cli_json_uint(&json, cli_manifest_permissions[p], s->rights[use][p]);
        }
        cli_json_close(&json, '}');
    }
    cli_json_close(&json, '}');
    cli_json_open(&json, "findings", '[');
    for (int id; next_finding(s, printed, &id);) {
        cli_json_open(&json, NULL, '{');
        cli_json_text(&json, "code", vrm_finding_get_info((vrm_finding_id)id)->name);
        cli_json_text(&json, "severity", cli_severity_words[s->severity[id]]);
        cli_json_uint(&json, "files", s->files_with[id]);
        cli_json_uint(&json, "times", s->times[id]);
        cli_json_close(&json, '}');
    }
    cli_json_close(&json, ']');
    cli_json_open(&json, "duplicates", '{');
    cli_json_uint(&json, "groups", s->duplicate_groups);
    cli_json_uint(&json, "copies", s->duplicates);
    cli_json_uint(&json, "bytes", s->duplicate_bytes);
    cli_json_close(&json, '}');
    cli_json_close(&json, '}');
    vrmi_text_add_string(out, "\n");
    return good;
}
