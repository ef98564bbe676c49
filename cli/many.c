// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "many.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/platform.h"
#include "manifest.h"
#include "platform.h"

enum {
    MOST_JOBS = 256,
    FILES_AHEAD = 8,    // for each process: results that wait for an earlier file, so that all are told in their order
    LONGEST_SAID = 2000 // bytes of what a process says that go into the manifest
};

const cli_option cli_many_options[] = {
    {.name = "files-from",
        .type = CLI_TEXT,
        .offset = offsetof(cli_many, files_from),
        .value = "FILE",
        .help = "Work on the files and folders that are named in FILE, too, one in each line; - for stdin."},
    {.name = "jobs",
        .letter = 'j',
        .type = CLI_INTEGER,
        .offset = offsetof(cli_many, jobs),
        .value = "N",
        .min = 0,
        .max = MOST_JOBS,
        .help =
            "Files that are worked on at once, each in a process of its own; 0, the default: one for each processor."},
    {.name = "skip-existing",
        .type = CLI_FLAG,
        .offset = offsetof(cli_many, skip_existing),
        .help = "Leave out files whose output is there already."},
    {.name = "manifest",
        .type = CLI_TEXT,
        .offset = offsetof(cli_many, manifest),
        .value = "FILE",
        .help = "Add a line of JSON for each file: hashes, output, exit code, time, memory, rights, findings. With a "
                "manifest that is "
                "there go on: leave out files whose bytes, options and output are as it says."},
    {.name = "shard",
        .type = CLI_TEXT,
        .offset = offsetof(cli_many, shard),
        .value = "I/N",
        .help = "Only the I-th of N parts of the files (1 to N), by a hash of their names below the folder that was "
                "given."},
    {.name = "file-timeout",
        .type = CLI_NUMBER,
        .offset = offsetof(cli_many, file_timeout),
        .value = "SECONDS",
        .min = 0,
        .max = 1e6,
        .help = "Give up a file after this time; 0, the default: never."},
};
const uint32_t cli_many_option_count = sizeof(cli_many_options) / sizeof(cli_many_options[0]);

bool cli_is_many(const cli_command *command, const cli_many *many, const cli_inputs *inputs)
{
    if (command->many == NULL || many->named) {
        return command->many != NULL;
    }
    return command->max_inputs == 1 &&
           (inputs->count > 1 || (inputs->count == 1 && strcmp(inputs->items[0], "-") != 0 &&
                                     cli_platform_path_kind(inputs->items[0], true) == CLI_PATH_FOLDER));
}

// --- which files ---------------------------------------------------------------------------------------------------

// A file, and where its name below the folder that was given begins.
typedef struct source {
    char *path;
    uint32_t below;
} source;

typedef struct sources {
    source *items;
    uint32_t count, room;
} sources;

static bool add_source(sources *all, const char *path, size_t below)
{
    if (all->count == all->room) {
        const uint32_t room = all->room == 0 ? 64 : all->room * 2;
        source *grown = realloc(all->items, room * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        all->items = grown;
        all->room = room;
    }
    char *copy = malloc(strlen(path) + 1);
    if (copy == NULL) {
        return false;
    }
    strcpy(copy, path);
    all->items[all->count++] = (source){copy, (uint32_t)below};
    return true;
}

static void free_sources(sources *all)
{
    for (uint32_t i = 0; i < all->count; ++i) {
        free(all->items[i].path);
    }
    free(all->items);
    *all = (sources){0};
}

static int no_memory(cli_job *job)
{
    return cli_fail(job, CLI_EXIT_AGAIN, "%s", cli_sentence_of(job, VRM_ERROR_OUT_OF_MEMORY));
}

static int add_input(cli_job *job, sources *all, const char *input)
{
    if (strcmp(input, "-") == 0) {
        return cli_fail(job, CLI_EXIT_USAGE, "stdin cannot be one of many files");
    }
    const size_t name = (size_t)(cli_file_name(input) - input);
    if (cli_platform_path_kind(input, true) != CLI_PATH_FOLDER) {
        return add_source(all, input, name) ? CLI_EXIT_DONE : no_memory(job);
    }
    const cli_inputs folder = {&input, 1};
    cli_list paths = {0};
    int code = cli_expand_folders(job, &folder, true, &paths);
    size_t below = strlen(input);
    for (uint32_t i = 0; i < paths.count; ++i) {
        const char *path = paths.items[i];
        const size_t slash = path[below] == '/' || path[below] == '\\';
        code = add_source(all, path, below + slash) ? code : no_memory(job);
    }
    cli_free_paths(&paths);
    return code;
}

static int add_listed(cli_job *job, sources *all, const char *list)
{
    vrm_bytes bytes = {0};
    vrm_result result;
    int code = cli_read_input(job, list, false, &bytes, &result);
    char *text = code == CLI_EXIT_DONE ? malloc(bytes.size + 1) : NULL;
    if (text != NULL) {
        if (bytes.size > 0) {
            memcpy(text, bytes.data, bytes.size);
        }
        text[bytes.size] = '\0';
        for (char *line = text; line < text + bytes.size;) {
            const size_t length = strcspn(line, "\r\n");
            char *end = line + length;
            *end = '\0';
            const int added = length > 0 ? add_input(job, all, line) : CLI_EXIT_DONE;
            code = added > code ? added : code;
            line = end + 1;
        }
    } else if (code == CLI_EXIT_DONE) {
        code = no_memory(job);
    }
    free(text);
    vrm_bytes_free(&bytes);
    return code;
}

// FNV-1a.
static uint64_t hash_of(const char *text)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (; *text != '\0'; ++text) {
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    }
    return hash;
}

static int keep_shard(cli_job *job, sources *all, const char *shard)
{
    char *end;
    const unsigned long part = strtoul(shard, &end, 10), parts = *end == '/' ? strtoul(end + 1, &end, 10) : 0;
    if (*end != '\0' || part < 1 || part > parts || parts > 1000000) {
        return cli_fail(job, CLI_EXIT_USAGE, "--shard wants I/N, I from 1 to N, such as 2/8; not \"%s\"", shard);
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < all->count; ++i) {
        // The low bits of FNV's last steps are the last letters' alone: the middle ones are mixed.
        const uint64_t hash = hash_of(all->items[i].path + all->items[i].below);
        if ((hash >> 24) % parts == part - 1) {
            all->items[kept++] = all->items[i];
        } else {
            free(all->items[i].path);
        }
    }
    all->count = kept;
    return CLI_EXIT_DONE;
}

// --- where outputs go ----------------------------------------------------------------------------------------------

typedef struct run {
    cli_job *job;
    const cli_many *many;
    const char *pattern; // of outputs; NULL: the verb prints
    cli_digest options;  // of verb, options and version
    cli_manifest manifest;
    bool keeps_manifest;
    uint32_t done, failed, as_before, skipped;
    int code;
} run;

static size_t stem_length(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot != NULL && dot > cli_file_name(path) ? (size_t)(dot - path) : strlen(path);
}

// "{stem}": the file's name without its ending; "{name}": with it; "{path}": as {stem}, with the folders below the one that was
// given; "{hash}": the first 16 digits of the SHA-256 of its bytes.
static bool add_output(vrmi_text *out, const char *pattern, const source *from, const char *hash)
{
    const char *below = from->path + from->below, *name = cli_file_name(from->path);
    while (*pattern != '\0') {
        const size_t plain = strcspn(pattern, "{");
        vrmi_text_add(out, pattern, plain);
        pattern += plain;
        if (*pattern == '\0') {
            break;
        }
        const size_t length = strcspn(pattern, "}") + 1;
        const struct {
            const char *word, *text;
            size_t size;
        } words[] = {{"{stem}", name, stem_length(name)}, {"{name}", name, strlen(name)},
            {"{path}", below, stem_length(below)}, {"{hash}", hash, 16}};
        bool known = false;
        for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i) {
            if (strlen(words[i].word) == length && memcmp(words[i].word, pattern, length) == 0) {
                vrmi_text_add(out, words[i].text, words[i].size);
                known = true;
            }
        }
        if (!known) {
            return false;
        }
        pattern += length;
    }
    return true;
}

// DIR/{path}SUFFIX for a folder, which a name without braces is.
static int make_pattern(run *r, vrmi_text *pattern)
{
    const char *output = r->many->output, *suffix = r->job->command->many;
    if (suffix[0] == '\0') {
        return output == NULL ? CLI_EXIT_DONE
                              : cli_fail(r->job, CLI_EXIT_USAGE, "-o names one file; for many files leave it out");
    }
    if (output == NULL) {
        return cli_fail(r->job, CLI_EXIT_USAGE, "no output: name a folder with -o DIR, or -o 'DIR/{stem}%s'", suffix);
    }
    vrmi_text_add_string(pattern, output);
    if (strchr(output, '{') == NULL) {
        const cli_path_kind kind = cli_platform_path_kind(output, true);
        if (kind == CLI_PATH_FILE || strcmp(output, "-") == 0 ||
            (kind == CLI_PATH_MISSING && strchr(cli_file_name(output), '.') != NULL)) {
            return cli_fail(r->job, CLI_EXIT_USAGE,
                "%s: many files go into a folder, whose name ends with / where it has a dot", output);
        }
        const char last = output[0] != '\0' ? output[strlen(output) - 1] : '/';
        vrmi_text_format(pattern, "%s{path}%s", last == '/' || last == '\\' ? "" : "/", suffix);
    }
    if (pattern->failed) {
        return no_memory(r->job);
    }
    const source nothing = {(char *)(uintptr_t) "x.vrm", 0};
    vrmi_text tried;
    vrmi_text_init(&tried, NULL);
    const bool good = add_output(&tried, pattern->data, &nothing, "0000000000000000");
    vrmi_text_free(&tried);
    r->pattern = pattern->data;
    return good ? CLI_EXIT_DONE
                : cli_fail(r->job, CLI_EXIT_USAGE, "%s: in braces stand stem, name, path or hash", output);
}

typedef struct named {
    uint64_t hash;
    uint32_t index;
} named;

static int compare_named(const void *a, const void *b)
{
    const named *x = a, *y = b;
    return x->hash != y->hash ? (x->hash < y->hash ? -1 : 1) : (x->index > y->index) - (x->index < y->index);
}

// Two files that would be written over each other are found before any work. By content they are the same.
static int find_collisions(run *r, const sources *all)
{
    if (r->pattern == NULL || strstr(r->pattern, "{hash}") != NULL) {
        return CLI_EXIT_DONE;
    }
    named *names = malloc((all->count + (size_t)1) * sizeof *names);
    int code = names != NULL ? CLI_EXIT_DONE : no_memory(r->job);
    for (uint32_t i = 0; code == CLI_EXIT_DONE && i < all->count; ++i) {
        vrmi_text output;
        vrmi_text_init(&output, NULL);
        add_output(&output, r->pattern, &all->items[i], "");
        names[i] = (named){output.failed || output.data == NULL ? 0 : hash_of(output.data), i};
        code = output.failed ? no_memory(r->job) : code;
        vrmi_text_free(&output);
    }
    if (code == CLI_EXIT_DONE) {
        qsort(names, all->count, sizeof *names, compare_named);
    }
    for (uint32_t i = 1; code == CLI_EXIT_DONE && i < all->count; ++i) {
        if (names[i].hash == names[i - 1].hash) {
            code = cli_fail(r->job, CLI_EXIT_USAGE,
                "%s and %s would be written over each other; name outputs with {path}, {name} or {hash}",
                all->items[names[i - 1].index].path, all->items[names[i].index].path);
        }
    }
    free(names);
    return code;
}

static bool make_folders(char *path)
{
    for (char *c = path + 1; *c != '\0'; ++c) {
        if (*c == '/' || *c == '\\') {
            const char kept = *c;
            *c = '\0';
            const bool made = cli_platform_make_folder(path);
            *c = kept;
            if (!made && cli_platform_path_kind(path, true) == CLI_PATH_FILE) {
                return false;
            }
        }
    }
    return true;
}

// --- one file ------------------------------------------------------------------------------------------------------

typedef enum slot_state { SLOT_FREE, SLOT_RUNS, SLOT_ENDED } slot_state;

// A file from when it is looked at until it is told.
typedef struct slot {
    slot_state state;
    const source *from;
    vrmi_text output, record_path;
    cli_digest hash;
    uint64_t size, memory;
    vrmi_text facts; // JSON members that a peek gave
    int64_t process;
    FILE *out, *err;
    double started, seconds;
    int code;
    const char *why; // of an end that the process did not choose; NULL: none
} slot;

static void free_slot(slot *s)
{
    if (s->record_path.data != NULL) {
        remove(s->record_path.data);
    }
    vrmi_text_free(&s->output);
    vrmi_text_free(&s->record_path);
    vrmi_text_free(&s->facts);
    if (s->out != NULL) {
        fclose(s->out);
    }
    if (s->err != NULL) {
        fclose(s->err);
    }
    *s = (slot){0};
}

// Dialect, and what the file allows to everyone, where it is a model that can be looked into.
static void peek(slot *s, const vrm_bytes *bytes)
{
    vrm_peek *found = NULL;
    if (bytes->size == 0 || vrm_peek_create(NULL, bytes->data, bytes->size, NULL, &found) != VRM_SUCCESS) {
        return;
    }
    vrm_peek_info info = {.struct_size = sizeof info};
    vrm_meta meta = {.struct_size = sizeof meta};
    vrm_peek_get_info(found, &info);
    vrm_peek_get_meta(found, &meta);
    cli_json json = {&s->facts, true};
    cli_json_text(&json, "dialect", info.dialect);
    if (info.dialect[0] != '\0') {
        cli_json_open(&json, "rights", '{');
        for (int use = 0; use < VRM_USE_COUNT; ++use) {
            const vrm_permission permission = vrm_meta_get_permission(&meta, (vrm_use)use, VRM_USER_EVERYONE, NULL);
            cli_json_text(&json, cli_json_camel(vrm_use_name((vrm_use)use)).text, cli_manifest_permissions[permission]);
        }
        cli_json_close(&json, '}');
    }
    vrm_peek_destroy(found);
}

static bool is_as_before(const run *r, const slot *s)
{
    const cli_done *done = r->keeps_manifest ? cli_manifest_find(&r->manifest, s->from->path, r->options.text) : NULL;
    if (done == NULL || strcmp(done->input_hash, s->hash.text) != 0 || done->exit_code == CLI_EXIT_AGAIN) {
        return false;
    }
    if (r->pattern == NULL || done->exit_code != CLI_EXIT_DONE) {
        return true;
    }
    return s->output.data != NULL && strcmp(done->output, s->output.data) == 0 &&
           cli_platform_path_kind(s->output.data, true) == CLI_PATH_FILE;
}

static bool start(run *r, slot *s)
{
    const cli_many *many = r->many;
    const char **arguments = calloc((size_t)many->kept.count + 10, sizeof *arguments);
    uint32_t count = 0;
    s->out = tmpfile();
    s->err = tmpfile();
    vrmi_text_init(&s->record_path, NULL);
    vrmi_text_format(&s->record_path, "%s.%lld-%llu.part", many->manifest != NULL ? many->manifest : "",
        (long long)cli_platform_process(), (unsigned long long)(hash_of(s->from->path)));
    if (arguments == NULL || s->out == NULL || s->err == NULL || s->record_path.failed) {
        free((void *)arguments);
        return false;
    }
    arguments[count++] = "vrm";
    arguments[count++] = r->job->command->name;
    for (uint32_t i = 0; i < many->kept.count; ++i) {
        arguments[count++] = many->kept.items[i];
    }
    if (r->keeps_manifest) {
        arguments[count++] = "--record";
        arguments[count++] = s->record_path.data;
    }
    if (r->pattern != NULL) {
        arguments[count++] = "-o";
        arguments[count++] = s->output.data;
    }
    arguments[count++] = "--";
    arguments[count++] = s->from->path;
    const bool started = cli_platform_start(arguments, s->out, s->err, &s->process);
    free((void *)arguments);
    s->started = cli_platform_seconds();
    s->state = SLOT_RUNS;
    return started;
}

static void end_without(slot *s, int code, const char *why)
{
    s->state = SLOT_ENDED;
    s->code = code;
    s->why = why;
}

// Looks at the next file. False: there is nothing to do for it, and nothing to tell.
static bool begin(run *r, slot *s, const source *from)
{
    *s = (slot){.from = from};
    vrmi_text_init(&s->output, NULL);
    vrmi_text_init(&s->facts, NULL);
    vrm_bytes bytes = {0};
    const vrm_result result = vrm_read_file(from->path, r->job->limits.max_file_size, NULL, &bytes);
    s->size = bytes.size;
    s->hash = cli_sha256(bytes.data != NULL ? bytes.data : "", bytes.size);
    if (r->pattern != NULL) {
        add_output(&s->output, r->pattern, from, s->hash.text);
    }
    bool wanted = true;
    if (result != VRM_SUCCESS) {
        end_without(s, cli_exit_of(r->job, result), cli_why_unread(r->job, from->path, result));
    } else if (s->output.failed) {
        end_without(s, CLI_EXIT_AGAIN, cli_sentence_of(r->job, VRM_ERROR_OUT_OF_MEMORY));
    } else if (is_as_before(r, s)) {
        ++r->as_before;
        wanted = false;
    } else if (r->many->skip_existing && r->pattern != NULL &&
               cli_platform_path_kind(s->output.data, true) == CLI_PATH_FILE) {
        ++r->skipped;
        wanted = false;
    } else if (r->pattern != NULL && !make_folders(s->output.data)) {
        end_without(s, CLI_EXIT_OUTPUT, "its output's folder cannot be made");
    } else {
        if (r->keeps_manifest) {
            peek(s, &bytes);
        }
        if (!start(r, s)) {
            end_without(s, CLI_EXIT_AGAIN, "no process could be started for it");
        }
    }
    vrm_bytes_free(&bytes);
    if (!wanted) {
        free_slot(s);
    }
    return wanted;
}

// --- what came of it -----------------------------------------------------------------------------------------------

static void poll_slot(const run *r, slot *s)
{
    int code = 0;
    if (s->state != SLOT_RUNS) {
        return;
    }
    s->seconds = cli_platform_seconds() - s->started;
    if (cli_platform_has_ended(s->process, &code, &s->memory)) {
        if (code < 0) {
            end_without(s, CLI_EXIT_INTERNAL, "its process crashed");
        } else if (code == 127) {
            end_without(s, CLI_EXIT_AGAIN, "no process could be started for it");
        } else {
            end_without(s, code, NULL);
        }
    } else if (r->many->file_timeout > 0.0 && s->seconds > r->many->file_timeout) {
        cli_platform_end(s->process);
        end_without(s, CLI_EXIT_LIMIT, "--file-timeout was over");
    }
}

static void read_stream(FILE *file, size_t most, vrmi_text *out)
{
    char buffer[4096];
    rewind(file);
    for (size_t got; most > 0 && (got = fread(buffer, 1, most < sizeof buffer ? most : sizeof buffer, file)) > 0;) {
        vrmi_text_add(out, buffer, got);
        most -= got;
    }
}

static void add_findings(const slot *s, vrmi_text *line)
{
    vrm_bytes bytes = {0};
    vrmi_text_add_string(line, ",\"findings\":");
    const bool there =
        s->record_path.data != NULL && cli_platform_path_kind(s->record_path.data, false) == CLI_PATH_FILE &&
        vrm_read_file(s->record_path.data, UINT64_C(1) << 28, NULL, &bytes) == VRM_SUCCESS && bytes.size > 2;
    if (there) {
        vrmi_text_add(line, bytes.data, bytes.size - 1); // without its line's end
    } else {
        vrmi_text_add_string(line, "[]");
    }
    vrm_bytes_free(&bytes);
}

static void write_record(run *r, const slot *s, const vrmi_text *said)
{
    vrmi_text line;
    vrm_bytes written = {0};
    vrmi_text_init(&line, NULL);
    cli_json json = {&line, false};
    cli_json_open(&json, NULL, '{');
    cli_json_uint(&json, "schemaVersion", CLI_MANIFEST_VERSION);
    cli_json_text(&json, "input", s->from->path);
    cli_json_uint(&json, "inputBytes", s->size);
    cli_json_text(&json, "inputHash", s->hash.text);
    cli_json_text(&json, "command", r->job->command->name);
    cli_json_text(&json, "optionsHash", r->options.text);
    cli_json_uint(&json, "exitCode", (uint64_t)s->code);
    if (r->pattern != NULL && s->code == CLI_EXIT_DONE &&
        vrm_read_file(s->output.data, UINT64_C(1) << 40, NULL, &written) == VRM_SUCCESS) {
        cli_json_text(&json, "output", s->output.data);
        cli_json_uint(&json, "outputBytes", written.size);
        cli_json_text(&json, "outputHash", cli_sha256(written.data != NULL ? written.data : "", written.size).text);
        vrm_bytes_free(&written);
    }
    cli_json_float(&json, "seconds", (float)(int64_t)(s->seconds * 1000.0 + 0.5) / 1000.0f);
    cli_json_uint(&json, "memory", s->memory);
    if (said->size > 0) {
        cli_json_view(
            &json, "said", (vrm_string){said->data, said->size < LONGEST_SAID ? (uint32_t)said->size : LONGEST_SAID});
    }
    if (s->facts.size > 0) {
        vrmi_text_add(&line, s->facts.data, s->facts.size);
    }
    add_findings(s, &line);
    vrmi_text_add_string(&line, "}\n");
    if (!cli_manifest_add(&r->manifest, &line)) {
        r->code =
            cli_fail(r->job, CLI_EXIT_AGAIN, "%s: %s", r->many->manifest, cli_sentence_of(r->job, VRM_ERROR_WRITE));
    }
    vrmi_text_free(&line);
}

static void tell(run *r, slot *s)
{
    vrmi_text out, said;
    vrmi_text_init(&out, NULL);
    vrmi_text_init(&said, NULL);
    if (s->out != NULL) {
        read_stream(s->out, SIZE_MAX, &out);
        read_stream(s->err, (size_t)1 << 20, &said);
    }
    cli_progress_clear(r->job);
    if (out.size > 0) {
        cli_print(&out);
    }
    if (said.size > 0) {
        fwrite(said.data, 1, said.size, stderr);
    }
    if (s->why != NULL) {
        cli_fail(r->job, s->code, "%s: %s", s->from->path, s->why);
        vrmi_text_add_string(&said, s->why);
    }
    if (r->keeps_manifest) {
        write_record(r, s, &said);
    }
    ++r->done;
    r->failed += s->code != CLI_EXIT_DONE;
    r->code = s->code > r->code ? s->code : r->code;
    vrmi_text_free(&said);
    vrmi_text_free(&out);
    free_slot(s);
}

// --- all of them ---------------------------------------------------------------------------------------------------

// A ring of files in their order: those that run, and those that ended and wait for an earlier one.
typedef struct ring {
    slot *slots;
    uint32_t size, first, count, running;
} ring;

static slot *slot_at(const ring *q, uint32_t i)
{
    return &q->slots[(q->first + i) % q->size];
}

static void settle(run *r, ring *q)
{
    q->running = 0;
    for (uint32_t i = 0; i < q->count; ++i) {
        poll_slot(r, slot_at(q, i));
        q->running += slot_at(q, i)->state == SLOT_RUNS;
    }
    while (q->count > 0 && slot_at(q, 0)->state == SLOT_ENDED) {
        tell(r, slot_at(q, 0));
        q->first = (q->first + 1) % q->size;
        --q->count;
    }
}

static void work(run *r, const sources *all, uint32_t jobs)
{
    ring q = {.size = jobs * FILES_AHEAD};
    q.slots = calloc(q.size, sizeof *q.slots);
    if (q.slots == NULL) {
        r->code = no_memory(r->job);
        return;
    }
    uint32_t next = 0;
    int pause = 1;
    while ((next < all->count || q.count > 0) && !cli_cancelled()) {
        const uint32_t before = r->done + next;
        if (next < all->count && q.running < jobs && q.count < q.size) {
            q.count += begin(r, slot_at(&q, q.count), &all->items[next++]);
        }
        settle(r, &q);
        cli_batch_go_on(r->job, r->done + r->as_before + r->skipped);
        pause = before != r->done + next ? 1 : pause < 8 ? pause * 2 : 8;
        if (q.running >= jobs || q.count >= q.size || next >= all->count) {
            cli_platform_rest(q.count > 0 ? pause : 0);
        }
    }
    for (uint32_t i = 0; i < q.count; ++i) {
        if (slot_at(&q, i)->state == SLOT_RUNS) {
            cli_platform_end(slot_at(&q, i)->process);
        }
        free_slot(slot_at(&q, i));
    }
    free(q.slots);
}

static cli_digest digest_of_options(const run *r)
{
    vrmi_text text;
    vrmi_text_init(&text, NULL);
    vrmi_text_format(
        &text, "%s %s %s", VRM_VERSION_STRING, r->job->command->name, r->pattern != NULL ? r->pattern : "");
    for (uint32_t i = 0; i < r->many->kept.count; ++i) {
        vrmi_text_format(&text, "\n%s", r->many->kept.items[i]);
    }
    const cli_digest digest = cli_sha256(text.data, text.size);
    vrmi_text_free(&text);
    return digest;
}

static int run_all(run *r, const sources *all)
{
    const uint32_t jobs = r->many->jobs != 0 ? (uint32_t)r->many->jobs : vrmi_platform_processors();
    cli_batch_begin(r->job, all->count);
    work(r, all, jobs < MOST_JOBS ? jobs : MOST_JOBS);
    r->job->batch_done = r->done + r->as_before + r->skipped;
    const int code = cli_batch_end(r->job, r->code);
    if (all->count > 0) {
        cli_say(r->job, "%u files: %u done, %u of them failed; %u as before, %u skipped", all->count, r->done,
            r->failed, r->as_before, r->skipped);
    }
    return code;
}

int cli_run_many(cli_job *job, const cli_many *many, const cli_inputs *inputs)
{
    run r = {.job = job, .many = many};
    sources all = {0};
    vrmi_text pattern;
    vrmi_text_init(&pattern, NULL);
    int code = make_pattern(&r, &pattern);
    const bool good = code == CLI_EXIT_DONE;
    for (uint32_t i = 0; good && i < inputs->count; ++i) {
        const int added = add_input(job, &all, inputs->items[i]);
        code = added > code ? added : code;
    }
    if (good && many->files_from != NULL) {
        const int added = add_listed(job, &all, many->files_from);
        code = added > code ? added : code;
    }
    if (good && many->shard != NULL) {
        const int kept = keep_shard(job, &all, many->shard);
        code = kept > code ? kept : code;
    }
    // A folder that cannot be read does not stop the others.
    if (code != CLI_EXIT_USAGE && code != CLI_EXIT_AGAIN && all.count > 0) {
        const int collided = find_collisions(&r, &all);
        code = collided > code ? collided : code;
    }
    if (code != CLI_EXIT_USAGE && code != CLI_EXIT_AGAIN) {
        r.options = digest_of_options(&r);
        r.keeps_manifest = many->manifest != NULL;
        const int opened = r.keeps_manifest ? cli_manifest_open(job, many->manifest, &r.manifest) : CLI_EXIT_DONE;
        const int worked = opened == CLI_EXIT_DONE ? run_all(&r, &all) : opened;
        code = worked > code ? worked : code;
        cli_manifest_close(&r.manifest);
    }
    free_sources(&all);
    vrmi_text_free(&pattern);
    return code;
}
