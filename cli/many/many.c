// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "many.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/platform.h"
#include "platform.h"
#include "run.h"

enum {
    MOST_JOBS = 256,
    FILES_AHEAD = 8 // for each process: results that wait for an earlier file, because they are printed in order
};

const cli_option cli_many_options[] = {
    {.name = "files-from",
        .type = CLI_TEXT,
        .offset = offsetof(cli_many, files_from),
        .value = "FILE",
        .help = "Also process the files and folders listed in FILE, one per line; - for stdin."},
    {.name = "jobs",
        .letter = 'j',
        .type = CLI_INTEGER,
        .offset = offsetof(cli_many, jobs),
        .value = "N",
        .min = 0,
        .max = MOST_JOBS,
        .help =
            "Number of files to process at once, each in a process of its own; 0 (default): one for each processor."},
    {.name = "skip-existing",
        .type = CLI_FLAG,
        .offset = offsetof(cli_many, skip_existing),
        .help = "Skip files whose output exists already."},
    {.name = "manifest",
        .type = CLI_TEXT,
        .offset = offsetof(cli_many, manifest),
        .value = "FILE",
        .help = "Append a line of JSON for each file: hashes, output, exit code, time, memory, rights, findings. If "
                "the manifest exists, the run is resumed: files whose bytes, options and output match their record are "
                "skipped."},
    {.name = "shard",
        .type = CLI_TEXT,
        .offset = offsetof(cli_many, shard),
        .value = "I/N",
        .help = "Process only the I-th of N parts of the files (1 to N). A hash of the file's name below the given "
                "folder selects the part."},
    {.name = "file-timeout",
        .type = CLI_NUMBER,
        .offset = offsetof(cli_many, file_timeout),
        .value = "SECONDS",
        .min = 0,
        .max = 1e6,
        .help = "Stop working on a file after this time; 0 (default): never."},
};
const uint32_t cli_many_option_count = sizeof(cli_many_options) / sizeof(cli_many_options[0]);

bool cli_is_many(const cli_command *command, const cli_many *many, const cli_inputs *inputs)
{
    if (command->many == NULL || many->named) {
        return command->many != NULL;
    }
    if (command->max_inputs != 1 || inputs->count != 1) {
        return command->max_inputs == 1 && inputs->count > 1;
    }
    // Braces in the output's name need this mode even for a single file.
    return (many->output != NULL && strchr(many->output, '{') != NULL) ||
           (strcmp(inputs->items[0], "-") != 0 && cli_platform_path_kind(inputs->items[0], true) == CLI_PATH_FOLDER);
}

// --- the ring of processes -----------------------------------------------------------------------------------------

// A ring of files in order: files whose process runs, and finished files that wait for an earlier one.
typedef struct ring {
    cli_slot *slots;
    uint32_t size, first, count, running;
} ring;

static cli_slot *slot_at(const ring *q, uint32_t i)
{
    return &q->slots[(q->first + i) % q->size];
}

static void settle(cli_many_run *r, ring *q)
{
    q->running = 0;
    for (uint32_t i = 0; i < q->count; ++i) {
        cli_slot_poll(r, slot_at(q, i));
        q->running += slot_at(q, i)->state == CLI_SLOT_RUNNING;
    }
    while (q->count > 0 && slot_at(q, 0)->state == CLI_SLOT_ENDED) {
        cli_slot_finish(r, slot_at(q, 0));
        q->first = (q->first + 1) % q->size;
        --q->count;
    }
}

static void work(cli_many_run *r, const cli_sources *all, uint32_t jobs)
{
    ring q = {.size = jobs * FILES_AHEAD};
    q.slots = calloc(q.size, sizeof *q.slots);
    if (q.slots == NULL) {
        r->code = cli_no_memory(r->job);
        return;
    }
    uint32_t next = 0;
    int pause = 1;
    while ((next < all->count || q.count > 0) && !cli_cancelled()) {
        const uint32_t before = r->done + next;
        if (next < all->count && q.running < jobs && q.count < q.size) {
            q.count += cli_slot_begin(r, slot_at(&q, q.count), &all->items[next++]);
        }
        settle(r, &q);
        cli_batch_go_on(r->job, r->done + r->as_before + r->skipped);
        pause = before != r->done + next ? 1 : pause < 8 ? pause * 2 : 8;
        if (q.running >= jobs || q.count >= q.size || next >= all->count) {
            cli_platform_rest(q.count > 0 ? pause : 0);
        }
    }
    for (uint32_t i = 0; i < q.count; ++i) {
        if (slot_at(&q, i)->state == CLI_SLOT_RUNNING) {
            cli_platform_end(slot_at(&q, i)->process);
        }
        cli_slot_free(slot_at(&q, i));
    }
    free(q.slots);
}

// Computes the hash of command, options and version. Returns false if memory runs out.
static bool digest_of_options(const cli_many_run *r, cli_digest *out)
{
    vrmi_text text;
    vrmi_text_init(&text, NULL);
    vrmi_text_format(
        &text, "%s %s %s", VRM_VERSION_STRING, r->job->command->name, r->pattern != NULL ? r->pattern : "");
    for (uint32_t i = 0; i < r->many->kept.count; ++i) {
        vrmi_text_format(&text, "\n%s", r->many->kept.items[i]);
    }
    const bool whole = !text.failed;
    *out = cli_digest_of(text.data != NULL ? text.data : "", text.size);
    vrmi_text_free(&text);
    return whole;
}

static int run_all(cli_many_run *r, const cli_sources *all)
{
    const uint32_t jobs = r->many->jobs != 0 ? (uint32_t)r->many->jobs : vrmi_platform_processors();
    cli_batch_begin(r->job, all->count);
    work(r, all, jobs < MOST_JOBS ? jobs : MOST_JOBS);
    r->job->batch_done = r->done + r->as_before + r->skipped;
    const int code = cli_batch_end(r->job, r->code);
    if (all->count > 0) {
        cli_say(r->job, "%u file%s: %u processed, %u of them failed; %u unchanged, %u skipped", all->count,
            all->count == 1 ? "" : "s", r->done, r->failed, r->as_before, r->skipped);
    }
    return code;
}

int cli_run_many(cli_job *job, const cli_many *many, const cli_inputs *inputs)
{
    cli_many_run r = {.job = job, .many = many};
    cli_sources all = {0};
    vrmi_text pattern;
    vrmi_text_init(&pattern, NULL);
    int code = cli_make_pattern(&r, &pattern);
    if (code == CLI_EXIT_DONE) {
        code = cli_sources_collect(job, many, inputs, &all);
    }
    // A folder that could not be read does not stop the other files.
    if (code != CLI_EXIT_USAGE && code != CLI_EXIT_AGAIN && all.count > 0) {
        const int collided = cli_find_collisions(&r, &all);
        code = collided > code ? collided : code;
    }
    if (code != CLI_EXIT_USAGE && code != CLI_EXIT_AGAIN && !digest_of_options(&r, &r.options)) {
        code = cli_no_memory(job);
    }
    if (code != CLI_EXIT_USAGE && code != CLI_EXIT_AGAIN) {
        r.keeps_manifest = many->manifest != NULL;
        const int opened = r.keeps_manifest ? cli_manifest_open(job, many->manifest, &r.manifest) : CLI_EXIT_DONE;
        const int worked = opened == CLI_EXIT_DONE ? run_all(&r, &all) : opened;
        code = worked > code ? worked : code;
        cli_manifest_close(&r.manifest);
    }
    cli_sources_free(&all);
    vrmi_text_free(&pattern);
    return code;
}
