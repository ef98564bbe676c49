// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "../manifest.h"

#include <stdlib.h>
#include <string.h>

enum { FORMAT_TEXT, FORMAT_JSON };
enum { QUANTILES = 5, MOST_CODE = 255 };

static const double shares[QUANTILES] = {0.0, 0.5, 0.9, 0.99, 1.0};
static const char *const share_names[QUANTILES] = {"least", "median", "p90", "p99", "most"};

typedef struct stats_options {
    int format;
} stats_options;

// A record that counts: the last one of its input and options.
typedef struct entry {
    const char *input, *input_hash, *options_hash;
    uint64_t order, input_bytes, output_bytes, memory;
    double seconds;
    char *rights, *findings;
    const char *dialect;
    int exit_code;
} entry;

typedef struct dialect_count {
    const char *name;
    uint32_t count;
} dialect_count;

typedef struct stats {
    vrm_bytes *texts;
    uint32_t text_count;
    entry *entries;
    uint32_t count, room, unread; // unread: lines that are no record
    uint32_t codes[MOST_CODE + 1];
    dialect_count dialects[8];
    uint64_t rights[VRM_USE_COUNT][CLI_PERMISSIONS];
    uint32_t with_rights;
    uint64_t findings[VRM_FINDING_COUNT], files_with[VRM_FINDING_COUNT];
    uint8_t severity[VRM_FINDING_COUNT];
    uint32_t duplicate_groups, duplicates;
    uint64_t duplicate_bytes;
} stats;

static bool add_line(stats *s, char *line, size_t length)
{
    cli_record record;
    if (!cli_record_read(line, length, &record)) {
        s->unread += length > 0;
        return true;
    }
    if (s->count == s->room) {
        const uint32_t room = s->room == 0 ? 256 : s->room * 2;
        entry *grown = realloc(s->entries, room * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        s->entries = grown;
        s->room = room;
    }
    s->entries[s->count] = (entry){.input = record.done.input,
        .input_hash = record.done.input_hash,
        .options_hash = record.done.options_hash,
        .order = s->count,
        .input_bytes = record.input_bytes,
        .output_bytes = record.done.output_bytes,
        .memory = record.memory,
        .seconds = record.seconds,
        .rights = (char *)(uintptr_t)record.rights,
        .findings = (char *)(uintptr_t)record.findings,
        .dialect = record.dialect,
        .exit_code = record.done.exit_code};
    ++s->count;
    return true;
}

static int read_manifest(cli_job *job, stats *s, const char *path)
{
    vrm_bytes read = {0};
    vrm_result result;
    const int code = cli_read_input(job, path, false, &read, &result);
    if (code != CLI_EXIT_DONE) {
        return code;
    }
    // With a zero behind it, for lines that are decoded where they stand.
    vrm_bytes *text = &s->texts[s->text_count++];
    text->data = malloc(read.size + 1);
    bool good = text->data != NULL;
    if (good && read.size > 0) {
        memcpy(text->data, read.data, read.size);
    }
    for (size_t at = 0; good && at < read.size;) {
        char *line = (char *)text->data + at;
        const char *end = memchr(line, '\n', read.size - at);
        const size_t length = end != NULL ? (size_t)(end - line) : read.size - at;
        good = add_line(s, line, length);
        at += length + 1;
    }
    vrm_bytes_free(&read);
    return good ? CLI_EXIT_DONE
                : cli_fail(job, CLI_EXIT_AGAIN, "%s: %s", path, cli_sentence_of(job, VRM_ERROR_OUT_OF_MEMORY));
}

// --- counting ------------------------------------------------------------------------------------------------------

static int by_input(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    int order = strcmp(x->input, y->input);
    order = order != 0 ? order : strcmp(x->options_hash, y->options_hash);
    return order != 0 ? order : (x->order > y->order) - (x->order < y->order);
}

static void keep_last(stats *s)
{
    uint32_t kept = 0;
    if (s->count > 0) {
        qsort(s->entries, s->count, sizeof *s->entries, by_input);
    }
    for (uint32_t i = 0; i < s->count; ++i) {
        const bool again = i + 1 < s->count && strcmp(s->entries[i].input, s->entries[i + 1].input) == 0 &&
                           strcmp(s->entries[i].options_hash, s->entries[i + 1].options_hash) == 0;
        if (!again) {
            s->entries[kept++] = s->entries[i];
        }
    }
    s->count = kept;
}

static void count_dialect(stats *s, const char *name)
{
    const size_t most = sizeof s->dialects / sizeof s->dialects[0];
    for (size_t i = 0; i < most; ++i) {
        if (s->dialects[i].name == NULL || strcmp(s->dialects[i].name, name) == 0) {
            s->dialects[i].name = name;
            ++s->dialects[i].count;
            return;
        }
    }
}

static void count_rights(stats *s, char *json)
{
    cli_members members = cli_members_of(json);
    cli_member member;
    s->with_rights += members.at != NULL;
    while (cli_next_member(&members, &member)) {
        for (int use = 0; use < VRM_USE_COUNT; ++use) {
            for (int p = 0; p < CLI_PERMISSIONS; ++p) {
                if (strcmp(cli_json_camel(vrm_use_name((vrm_use)use)).text, member.name) == 0 &&
                    strcmp(cli_manifest_permissions[p], member.value) == 0) {
                    ++s->rights[use][p];
                }
            }
        }
    }
}

static void count_finding(stats *s, char *json, bool *seen)
{
    cli_members members = cli_members_of(json);
    cli_member member;
    int id = -1, severity = 3;
    while (cli_next_member(&members, &member)) {
        for (int i = 0; strcmp(member.name, "code") == 0 && i < VRM_FINDING_COUNT; ++i) {
            id = strcmp(vrm_finding_get_info((vrm_finding_id)i)->name, member.value) == 0 ? i : id;
        }
        for (int i = 0; strcmp(member.name, "severity") == 0 && i < VRM_SEVERITY_COUNT; ++i) {
            severity = strcmp(cli_severity_words[i], member.value) == 0 ? i : severity;
        }
    }
    if (id >= 0) {
        s->severity[id] = (uint8_t)severity;
        ++s->findings[id];
        s->files_with[id] += !seen[id];
        seen[id] = true;
    }
}

static int by_hash(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    const int hashes = strcmp(x->input_hash, y->input_hash);
    return hashes != 0 ? hashes : strcmp(x->input, y->input);
}

// Files of the same bytes under several names; one file that several verbs worked on is one.
static void count_duplicates(stats *s)
{
    if (s->count > 0) {
        qsort(s->entries, s->count, sizeof *s->entries, by_hash);
    }
    bool group = false;
    for (uint32_t i = 1; i < s->count; ++i) {
        const entry *a = &s->entries[i - 1], *b = &s->entries[i];
        if (strcmp(a->input_hash, b->input_hash) != 0) {
            group = false;
        } else if (strcmp(a->input, b->input) != 0) {
            s->duplicate_groups += !group;
            group = true;
            ++s->duplicates;
            s->duplicate_bytes += b->input_bytes;
        }
    }
}

static void count_all(stats *s)
{
    keep_last(s);
    for (uint32_t i = 0; i < s->count; ++i) {
        entry *e = &s->entries[i];
        bool seen[VRM_FINDING_COUNT] = {false};
        ++s->codes[e->exit_code < MOST_CODE ? e->exit_code : MOST_CODE];
        count_dialect(s, e->dialect[0] != '\0' ? e->dialect : "none");
        count_rights(s, e->rights);
        cli_members findings = cli_members_of(e->findings);
        cli_member finding;
        while (cli_next_member(&findings, &finding)) {
            count_finding(s, finding.value, seen);
        }
    }
    count_duplicates(s);
}

// --- quantiles -----------------------------------------------------------------------------------------------------

typedef double measure(const entry *e);

static double seconds_of(const entry *e)
{
    return e->seconds;
}

static double memory_of(const entry *e)
{
    return (double)e->memory / (1 << 20);
}

static double input_of(const entry *e)
{
    return (double)e->input_bytes / (1 << 20);
}

static double output_of(const entry *e)
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

// The smallest value that at least that share of them does not exceed.
static bool find_quantiles(const stats *s, measure *of, double out[QUANTILES])
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

// --- telling -------------------------------------------------------------------------------------------------------

static bool next_finding(const stats *s, bool *told, int *out)
{
    int best = -1;
    for (int i = 0; i < VRM_FINDING_COUNT; ++i) {
        if (!told[i] && s->findings[i] > 0 && (best < 0 || s->files_with[i] > s->files_with[best])) {
            best = i;
        }
    }
    if (best >= 0) {
        told[best] = true;
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

static bool add_text(const stats *s, vrmi_text *out)
{
    bool told[VRM_FINDING_COUNT] = {false}, good = true;
    vrmi_text_format(out, "%u files", s->count);
    if (s->unread > 0) {
        vrmi_text_format(out, ", %u lines that are no record", s->unread);
    }
    vrmi_text_add_string(out, "\n\nexit code\n");
    for (int i = 0; i <= MOST_CODE; ++i) {
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
    for (size_t i = 0; i < sizeof s->dialects / sizeof s->dialects[0] && s->dialects[i].name != NULL; ++i) {
        vrmi_text_format(out, "  %s  %u\n", s->dialects[i].name, s->dialects[i].count);
    }
    vrmi_text_format(
        out, "\nwhat %u files allow everyone     allowed  with credit  not allowed  not stated\n", s->with_rights);
    for (int use = 0; s->with_rights > 0 && use < VRM_USE_COUNT; ++use) {
        const char *name = vrm_use_name((vrm_use)use);
        vrmi_text_format(out, "  %s", name);
        for (int p = 0; p < CLI_PERMISSIONS; ++p) {
            static const size_t widths[CLI_PERMISSIONS] = {36, 13, 13, 12};
            add_number(out, (double)s->rights[use][p], 15, p == 0 ? widths[0] - strlen(name) : widths[p]);
        }
        vrmi_text_add_string(out, "\n");
    }
    vrmi_text_add_string(out, "\nfindings: files, times, severity, code\n");
    for (int id; next_finding(s, told, &id);) {
        add_number(out, (double)s->files_with[id], 15, 9);
        add_number(out, (double)s->findings[id], 15, 10);
        vrmi_text_format(
            out, "  %s  %s\n", cli_severity_words[s->severity[id]], vrm_finding_get_info((vrm_finding_id)id)->name);
    }
    vrmi_text_format(out, "\nsame bytes: %u files more than once, %u copies of %llu bytes\n", s->duplicate_groups,
        s->duplicates, (unsigned long long)s->duplicate_bytes);
    return good;
}

static bool add_json(const stats *s, vrmi_text *out)
{
    bool told[VRM_FINDING_COUNT] = {false}, good = true;
    cli_json json = {out, false};
    cli_json_open(&json, NULL, '{');
    cli_json_uint(&json, "schemaVersion", 1);
    cli_json_uint(&json, "files", s->count);
    cli_json_uint(&json, "unreadLines", s->unread);
    cli_json_open(&json, "exitCodes", '{');
    for (int i = 0; i <= MOST_CODE; ++i) {
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
    for (size_t i = 0; i < sizeof s->dialects / sizeof s->dialects[0] && s->dialects[i].name != NULL; ++i) {
        cli_json_uint(&json, s->dialects[i].name, s->dialects[i].count);
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
    for (int id; next_finding(s, told, &id);) {
        cli_json_open(&json, NULL, '{');
        cli_json_text(&json, "code", vrm_finding_get_info((vrm_finding_id)id)->name);
        cli_json_text(&json, "severity", cli_severity_words[s->severity[id]]);
        cli_json_uint(&json, "files", s->files_with[id]);
        cli_json_uint(&json, "times", s->findings[id]);
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

static int run_stats(const cli_inputs *inputs, const void *options_in, cli_job *job)
{
    const stats_options *options = options_in;
    static stats s; // too large for a stack
    s = (stats){.texts = calloc((size_t)inputs->count + 1, sizeof(vrm_bytes))};
    int code = s.texts != NULL ? CLI_EXIT_DONE
                               : cli_fail(job, CLI_EXIT_AGAIN, "%s", cli_sentence_of(job, VRM_ERROR_OUT_OF_MEMORY));
    for (uint32_t i = 0; s.texts != NULL && i < inputs->count; ++i) {
        const int read = read_manifest(job, &s, inputs->items[i]);
        code = read > code ? read : code;
    }
    if (code == CLI_EXIT_DONE && s.count == 0) {
        code = cli_fail(
            job, CLI_EXIT_INPUT, "%s: no record in it; verbs write manifests with --manifest", inputs->items[0]);
    }
    if (code == CLI_EXIT_DONE) {
        vrmi_text out;
        vrmi_text_init(&out, NULL);
        count_all(&s);
        if (!(options->format == FORMAT_JSON ? add_json(&s, &out) : add_text(&s, &out)) || out.failed) {
            code = cli_fail(job, CLI_EXIT_AGAIN, "%s", cli_sentence_of(job, VRM_ERROR_OUT_OF_MEMORY));
        } else {
            cli_print(&out);
        }
        vrmi_text_free(&out);
    }
    for (uint32_t i = 0; i < s.text_count; ++i) {
        free(s.texts[i].data);
    }
    free(s.texts);
    free(s.entries);
    return code;
}

static const cli_option options[] = {
    {.name = "format",
        .type = CLI_CHOICE,
        .offset = offsetof(stats_options, format),
        .choices = "text json",
        .help = "Tables for people (default), or JSON."},
};

const cli_command cli_stats = {
    .name = "stats",
    .summary = "Sum up manifests: times, sizes, rights, findings, duplicates.",
    .arguments = "MANIFEST...",
    .description = "Reads the manifests that other commands write with --manifest, those of all shards together, and "
                   "prints how many files "
                   "ended with which exit code, the quantiles of time, memory and sizes, which dialects there are, "
                   "what the files allow "
                   "everyone, which findings there are in how many files, and how many files have the same bytes. Of "
                   "several records of one "
                   "file and the same options the last one counts.",
    .examples = "vrm validate models/ --manifest m.ndjson --format ndjson > reports.ndjson\n    checks a collection\n"
                "vrm stats m.ndjson\n    and sums it up\n"
                "vrm stats --format json shard-*.ndjson\n    all shards, for a program\n",
    .min_inputs = 1,
    .max_inputs = UINT32_MAX,
    .options = options,
    .option_count = sizeof(options) / sizeof(options[0]),
    .options_size = sizeof(stats_options),
    .run = run_stats,
};
