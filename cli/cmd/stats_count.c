// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "stats.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(CLI_PERMISSIONS <= 4 && VRM_USE_COUNT <= 16, "rights are two bits for each use");

// --- lines to entries ----------------------------------------------------------------------------------------------

// Makes room for one more item. Returns NULL if memory runs out.
static void *grow(void *items, uint64_t count, uint64_t *room, size_t size)
{
    if (count < *room) {
        return items;
    }
    const uint64_t wanted = *room == 0 ? 1024 : *room * 2;
    void *grown = wanted <= SIZE_MAX / size ? realloc(items, (size_t)wanted * size) : NULL;
    *room = grown != NULL ? wanted : *room;
    return grown;
}

static uint8_t dialect_of(cli_sums *s, const char *name)
{
    const size_t last = CLI_STATS_DIALECTS - 1;
    name = name[0] != '\0' ? name : "none";
    for (size_t i = 0; i < last && strlen(name) < sizeof s->dialect_names[0]; ++i) {
        if (s->dialect_names[i][0] == '\0') {
            strcpy(s->dialect_names[i], name);
        }
        if (strcmp(s->dialect_names[i], name) == 0) {
            return (uint8_t)i;
        }
    }
    strcpy(s->dialect_names[last], "other");
    return (uint8_t)last;
}

static void read_rights(cli_stats_entry *entry, char *json)
{
    cli_members members = cli_members_of(json);
    cli_member member;
    entry->has_rights = members.at != NULL;
    while (cli_next_member(&members, &member)) {
        int use = 0;
        while (use < VRM_USE_COUNT && strcmp(cli_json_camel(vrm_use_name((vrm_use)use)).text, member.name) != 0) {
            ++use;
        }
        for (uint32_t p = 0; use < VRM_USE_COUNT && p < CLI_PERMISSIONS; ++p) {
            entry->rights |= strcmp(cli_manifest_permissions[p], member.value) == 0 ? p << (2 * use) : 0;
        }
    }
}

// Returns a finding's number and severity; the number is -1 for a code that this version does not know.
static int read_finding(char *json, int *out_severity)
{
    cli_members members = cli_members_of(json);
    cli_member member;
    int id = -1;
    *out_severity = VRM_SEVERITY_COUNT - 1;
    while (cli_next_member(&members, &member)) {
        const bool is_code = strcmp(member.name, "code") == 0;
        for (int i = 0; is_code && id < 0 && i < VRM_FINDING_COUNT; ++i) {
            id = strcmp(vrm_finding_get_info((vrm_finding_id)i)->name, member.value) == 0 ? i : id;
        }
        for (int i = 0; strcmp(member.name, "severity") == 0 && i < VRM_SEVERITY_COUNT; ++i) {
            *out_severity = strcmp(cli_severity_words[i], member.value) == 0 ? i : *out_severity;
        }
    }
    return id;
}

static bool read_findings(cli_sums *s, cli_stats_entry *entry, char *json)
{
    cli_members findings = cli_members_of(json);
    cli_member member;
    entry->findings = s->finding_count;
    while (cli_next_member(&findings, &member)) {
        int severity;
        const int id = read_finding(member.value, &severity);
        cli_stats_finding *known = NULL;
        for (uint32_t i = 0; i < entry->finding_count; ++i) {
            cli_stats_finding *f = &s->findings[entry->findings + i];
            known = f->id == id ? f : known;
        }
        if (known != NULL) {
            ++known->times;
        } else if (id >= 0) {
            cli_stats_finding *grown = grow(s->findings, s->finding_count, &s->finding_room, sizeof *grown);
            if (grown == NULL) {
                return false;
            }
            s->findings = grown;
            s->findings[s->finding_count++] = (cli_stats_finding){(uint16_t)id, (uint8_t)severity, 1};
            ++entry->finding_count;
        }
    }
    return true;
}

bool cli_stats_add_line(cli_sums *s, char *line, size_t length)
{
    cli_record record;
    if (!cli_record_read(line, length, &record)) {
        s->unread += length > 0;
        return true;
    }
    uint64_t room = s->room;
    cli_stats_entry *grown = grow(s->entries, s->count, &room, sizeof *grown);
    if (grown == NULL || s->count == UINT32_MAX) {
        return false;
    }
    s->entries = grown;
    s->room = room < UINT32_MAX ? (uint32_t)room : UINT32_MAX;
    cli_stats_entry entry = {.run = cli_run_key(record.input, record.options_hash),
        .content = cli_key_of_text(record.input_hash),
        .input = cli_key_of_text(record.input).high,
        .input_bytes = record.input_bytes,
        .output_bytes = record.output_bytes,
        .memory = record.memory,
        .seconds = record.seconds,
        .order = s->count,
        .dialect = dialect_of(s, record.dialect),
        .exit_code = (uint8_t)(record.exit_code < CLI_STATS_MOST_CODE ? record.exit_code : CLI_STATS_MOST_CODE)};
    read_rights(&entry, (char *)(uintptr_t)record.rights);
    if (!read_findings(s, &entry, (char *)(uintptr_t)record.findings)) {
        return false;
    }
    s->entries[s->count++] = entry;
    return true;
}

// --- counting ------------------------------------------------------------------------------------------------------

static int by_run(const void *a, const void *b)
{
    const cli_stats_entry *x = a, *y = b;
    const int runs = cli_key_compare(&x->run, &y->run);
    return runs != 0 ? runs : (x->order > y->order) - (x->order < y->order);
}

static void keep_last(cli_sums *s)
{
    uint32_t kept = 0;
    qsort(s->entries, s->count, sizeof *s->entries, by_run);
    for (uint32_t i = 0; i < s->count; ++i) {
        if (i + 1 == s->count || cli_key_compare(&s->entries[i].run, &s->entries[i + 1].run) != 0) {
            s->entries[kept++] = s->entries[i];
        }
    }
    s->count = kept;
}

static int by_content(const void *a, const void *b)
{
    const cli_stats_entry *x = a, *y = b;
    const int contents = cli_key_compare(&x->content, &y->content);
    return contents != 0 ? contents : (x->input > y->input) - (x->input < y->input);
}

// Counts files with the same bytes under several names. A file that several commands have processed counts once.
static void count_duplicates(cli_sums *s)
{
    qsort(s->entries, s->count, sizeof *s->entries, by_content);
    bool group = false;
    for (uint32_t i = 1; i < s->count; ++i) {
        const cli_stats_entry *a = &s->entries[i - 1], *b = &s->entries[i];
        if (cli_key_compare(&a->content, &b->content) != 0) {
            group = false;
        } else if (a->input != b->input) {
            s->duplicate_groups += !group;
            group = true;
            ++s->duplicates;
            s->duplicate_bytes += b->input_bytes;
        }
    }
}

void cli_stats_count(cli_sums *s)
{
    if (s->count == 0) {
        return;
    }
    keep_last(s);
    for (uint32_t i = 0; i < s->count; ++i) {
        const cli_stats_entry *e = &s->entries[i];
        ++s->codes[e->exit_code];
        ++s->dialects[e->dialect];
        s->with_rights += e->has_rights;
        for (int use = 0; e->has_rights && use < VRM_USE_COUNT; ++use) {
            ++s->rights[use][e->rights >> (2 * use) & 3];
        }
        for (uint32_t k = 0; k < e->finding_count; ++k) {
            const cli_stats_finding *f = &s->findings[e->findings + k];
            s->severity[f->id] = f->severity;
            s->times[f->id] += f->times;
            ++s->files_with[f->id];
        }
    }
    count_duplicates(s);
}

void cli_stats_free(cli_sums *s)
{
    free(s->entries);
    free(s->findings);
    *s = (cli_sums){0};
}
