// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "inspect.h"

#include <string.h>

enum { FORMAT_TEXT, FORMAT_JSON, FORMAT_NDJSON };

typedef struct inspect_options {
    int format;
    cli_list require;
    int who; // vrm_user
    cli_dialect dialect;
} inspect_options;

// --- gathering -----------------------------------------------------------------------------------------------------

// Measures the avatar. The box of the rest pose is an output of the runtime, so this function updates an instance once.
static vrm_result measure(cli_job *job, inspection *file)
{
    file->counts.struct_size = sizeof file->counts;
    file->body.struct_size = sizeof file->body;
    vrm_avatar_get_counts(file->model.avatar, &file->counts);
    vrm_avatar_get_body(file->model.avatar, &file->body);
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = file->model.avatar;
    def.allocator = job->allocator;
    vrm_instance *instance = NULL;
    const vrm_result result = vrm_instance_create(&def, &instance);
    if (result == VRM_SUCCESS) {
        vrm_outputs outputs = {.struct_size = sizeof outputs};
        vrm_update_dt(instance, 0);
        vrm_instance_get_outputs(instance, &outputs);
        file->box = outputs.box;
        vrm_instance_destroy(instance);
    }
    return result;
}

static bool all_granted(const inspection *file)
{
    for (int use = 0; use < VRM_USE_COUNT; ++use) {
        if (file->require->wanted[use] && !(file->has_meta && inspect_is_granted(vrm_meta_get_permission(&file->meta,
                                                                  (vrm_use)use, file->require->who, NULL)))) {
            return false;
        }
    }
    return true;
}

// Peeks at a file; one that could not be loaded may still have readable parts. The report already has the findings of
// the load.
static vrm_result peek_at(const cli_job *job, inspection *file)
{
    if (file->model.gltf != NULL) {
        return vrm_peek_create_from_gltf(file->model.gltf, &file->peek);
    }
    vrm_gltf_def def;
    vrm_gltf_def_default(&def);
    def.allocator = job->allocator;
    def.limits = job->limits;
    return file->size != 0 ? vrm_peek_create(&def, file->model.bytes.data, file->size, NULL, &file->peek)
                           : VRM_ERROR_NOT_GLTF;
}

static void gather(cli_job *job, inspection *file)
{
    file->code = cli_load(job, file->path, CLI_LOAD_AVATAR | CLI_LOAD_SILENT, &file->model);
    file->result = file->model.result;
    file->size = file->model.bytes.size;
    const vrm_result peeked = peek_at(job, file);
    if (peeked == VRM_ERROR_OUT_OF_MEMORY) {
        file->result = peeked;
        file->code = cli_exit_of(job, peeked);
    }
    if (peeked == VRM_SUCCESS) {
        file->info.struct_size = sizeof file->info;
        file->meta.struct_size = sizeof file->meta;
        vrm_peek_get_info(file->peek, &file->info);
        vrm_peek_get_meta(file->peek, &file->meta);
        file->has_meta = file->info.dialect[0] != '\0';
    }
    if (file->model.avatar != NULL) {
        file->meta.struct_size = sizeof file->meta;
        vrm_avatar_get_meta(file->model.avatar, &file->meta);
        file->has_meta = true;
        const vrm_result measured = measure(job, file);
        if (measured != VRM_SUCCESS) {
            file->result = measured;
            file->code = cli_exit_of(job, measured);
        }
    }
    if (file->code == CLI_EXIT_DONE && !all_granted(file)) {
        file->code = CLI_EXIT_ASSET;
    }
}

// --- the verb ------------------------------------------------------------------------------------------------------

static bool require_use(const char *name, size_t length, inspect_require *out)
{
    for (int use = 0; use < VRM_USE_COUNT; ++use) {
        const char *word = vrm_use_name((vrm_use)use);
        if (strlen(word) == length && memcmp(word, name, length) == 0) {
            out->wanted[use] = true;
            return true;
        }
    }
    return false;
}

static int parse_require(cli_job *job, const inspect_options *options, inspect_require *out)
{
    out->who = (vrm_user)options->who;
    for (uint32_t i = 0; i < options->require.count; ++i) {
        for (const char *word = options->require.items[i];;) {
            const size_t length = strcspn(word, ",");
            if (!require_use(word, length, out)) {
                char typed[64];
                vrmi_format(typed, length + 1 < sizeof(typed) ? length + 1 : sizeof(typed), "%s", word);
                return cli_fail(
                    job, CLI_EXIT_USAGE, "--require: unknown use \"%s\"; vrm inspect --help lists the uses", typed);
            }
            if (word[length] == '\0') {
                break;
            }
            word += length + 1;
        }
    }
    return CLI_EXIT_DONE;
}

static void say(cli_job *job, const inspect_options *options, const inspection *file, bool first)
{
    vrmi_text text;
    vrmi_text_init(&text, NULL);
    if (options->format == FORMAT_TEXT) {
        vrmi_text_add_string(&text, first ? "" : "\n");
        inspect_text(&text, file, job->report, job->color);
    } else {
        cli_json json = {&text, false};
        vrmi_text_add_string(&text, options->format == FORMAT_JSON && !first ? ",\n" : "");
        cli_json_open(&json, NULL, '{');
        if (options->format == FORMAT_NDJSON) {
            cli_json_uint(&json, "schemaVersion", 1);
        }
        inspect_json(&json, file, job->report);
        cli_json_close(&json, '}');
        vrmi_text_add_string(&text, options->format == FORMAT_NDJSON ? "\n" : "");
    }
    cli_progress_clear(job);
    cli_print(&text);
    vrmi_text_free(&text);
}

static int inspect_file(
    cli_job *job, const inspect_options *options, const inspect_require *require, const char *path, bool first)
{
    inspection file = {.path = path, .require = require, .box = {{1, 1, 1}, {-1, -1, -1}}};
    gather(job, &file);
    // For a file that could not be read, the error's message says everything.
    const bool was_read = file.size != 0 || vrm_report_get_count(job->report) != 0;
    if (was_read || options->format != FORMAT_TEXT) {
        say(job, options, &file, first);
    }
    if (file.result != VRM_SUCCESS && file.code != CLI_EXIT_USAGE) { // the message of the error is already printed
        cli_words words;
        cli_fail(job, file.code, "%s: %s", path, cli_why_unloaded(job, file.result, &words));
    } else if (file.result == VRM_SUCCESS && file.code != CLI_EXIT_DONE) {
        cli_fail(job, file.code, "%s: a required permission is not granted", path);
    }
    vrm_peek_destroy(file.peek);
    cli_model_free(&file.model);
    return file.code;
}

static void print_words(const char *words)
{
    vrmi_text text;
    vrmi_text_init(&text, NULL);
    vrmi_text_add_string(&text, words);
    cli_print(&text);
    vrmi_text_free(&text);
}

static int run_inspect(const cli_inputs *inputs, const void *options_in, cli_job *job)
{
    const inspect_options *options = options_in;
    inspect_require require = {0};
    cli_list paths = {0};
    job->dialect = options->dialect;
    int code = parse_require(job, options, &require);
    if (code != CLI_EXIT_DONE) {
        return code;
    }
    code = cli_expand_folders(job, inputs, false, &paths);
    if (options->format == FORMAT_JSON) {
        print_words("{\"schemaVersion\":1,\"tool\":\"vrm " VRM_VERSION_STRING "\",\"files\":[\n");
    }
    cli_batch_begin(job, paths.count);
    for (uint32_t i = 0; i < paths.count && !cli_cancelled(); ++i) {
        const int file_code = inspect_file(job, options, &require, paths.items[i], i == 0);
        code = file_code > code ? file_code : code;
        cli_batch_go_on(job, cli_cancelled() ? i : i + 1);
    }
    code = cli_batch_end(job, code);
    if (options->format == FORMAT_JSON) {
        print_words("\n]}\n");
    }
    cli_free_paths(&paths);
    return code;
}

static void set_defaults(void *options)
{
    ((inspect_options *)options)->who = VRM_USER_EVERYONE;
}

static const cli_option options[] = {
    {.name = "format",
        .type = CLI_CHOICE,
        .offset = offsetof(inspect_options, format),
        .choices = "text json ndjson",
        .help = "Text for people (default), one JSON document, or one JSON line per file."},
    {.name = "require",
        .type = CLI_LIST,
        .offset = offsetof(inspect_options, require),
        .value = "USE,...",
        .help = "Exit with code 1 unless these uses are permitted."},
    {.name = "who",
        .type = CLI_CHOICE,
        .offset = offsetof(inspect_options, who),
        .choices = "author licensed everyone",
        .help = "Whose permissions --require checks: the author's, those of somebody with a separate licence, or "
                "everyone's (default)."},
    CLI_DIALECT_OPTIONS(inspect_options, dialect),
};

#define USE_WORDS(name, number, option, sentence) "\n  " option ": " sentence "."

const cli_command cli_inspect = {
    .name = "inspect",
    .summary = "Print the contents, permissions and errors of an avatar.",
    .arguments = "FILE...",
    .description =
        "Prints versions, author, conditions of use, size, bones, expressions, springs, constraints, materials, "
        "textures with the memory they take, and every finding with its place in the file. FILE may be a .vrm, .glb or "
        ".gltf file, a folder (all such files in it and below), or - for stdin. A bad file does not stop the others; "
        "the exit code is the highest one that occurred.\n\nThe uses for --require:" VRM_USES(
            USE_WORDS) "\n\ndocs/commands.md describes the JSON.",
    .examples = "vrm inspect avatar.vrm\n    everything about one avatar\nvrm inspect --require "
                "stream-for-profit,modify avatar.vrm > /dev/null\n    exit code 0 if everyone may do both, else 1\nvrm "
                "inspect --format ndjson models/ | jq -r .meta.name\n    the names of a whole collection\n",
    .min_inputs = 1,
    .max_inputs = UINT32_MAX,
    .options = options,
    .option_count = sizeof(options) / sizeof(options[0]),
    .options_size = sizeof(inspect_options),
    .defaults = set_defaults,
    .run = run_inspect,
    .many = "",
};
