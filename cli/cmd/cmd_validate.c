// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "validate_fix.h"
#include "validate_report.h"

#include <stdatomic.h>
#include <string.h>

enum { FORMAT_TEXT, FORMAT_JSON, FORMAT_NDJSON };
enum { FAIL_ON_ERROR, FAIL_ON_WARNING, FAIL_ON_NEVER };
enum { FILES_AT_ONCE = 256 }; // reports that wait to be printed in order

typedef struct validate_options {
    int format;
    int severity; // vrm_severity, the lowest one shown
    int fail_on;
    int64_t max_issues;
    int64_t threads;
    cli_list ignore, only, override;
    validate_fix_options fix;
    cli_dialect dialect;
} validate_options;

// --- codes ---------------------------------------------------------------------------------------------------------

static int find_code(const char *name, size_t length)
{
    for (int id = 0; id < VRM_FINDING_COUNT; ++id) {
        const char *code = vrm_finding_get_info((vrm_finding_id)id)->name;
        if (strlen(code) == length && memcmp(code, name, length) == 0) {
            return id;
        }
    }
    return -1;
}

// Applies one code of --ignore, --only or --override to the severities.
typedef int code_fn(cli_job *job, int id, const char *value, size_t length, uint8_t *severities);

// Applies each code of an option of the form "CODE,CODE=value,...", which may be repeated.
static int for_each_code(cli_job *job, const cli_list *list, const char *option, code_fn *apply, uint8_t *severities)
{
    for (uint32_t i = 0; i < list->count; ++i) {
        for (const char *word = list->items[i];;) {
            const size_t length = strcspn(word, ","), name = strcspn(word, ",=");
            const int id = find_code(word, name);
            if (id < 0) {
                char typed[80];
                vrmi_format(typed, name + 1 < sizeof(typed) ? name + 1 : sizeof(typed), "%s", word);
                return cli_fail(job, CLI_EXIT_USAGE, "--%s: unknown code \"%s\"; docs/validation.md lists the codes",
                    option, typed);
            }
            const bool has_value = name < length;
            const int code =
                apply(job, id, has_value ? word + name + 1 : "", has_value ? length - name - 1 : 0, severities);
            if (code != CLI_EXIT_DONE) {
                return code;
            }
            if (word[length] == '\0') {
                break;
            }
            word += length + 1;
        }
    }
    return CLI_EXIT_DONE;
}

static int ignore_code(cli_job *job, int id, const char *value, size_t length, uint8_t *severities)
{
    (void)job, (void)value, (void)length;
    severities[id] = VRM_SEVERITY_OFF;
    return CLI_EXIT_DONE;
}

static int keep_code(cli_job *job, int id, const char *value, size_t length, uint8_t *severities)
{
    uint8_t own[VRM_FINDING_COUNT];
    (void)job, (void)value, (void)length;
    vrm_validate_get_severities(own, VRM_FINDING_COUNT);
    severities[id] = own[id];
    return CLI_EXIT_DONE;
}

static int override_code(cli_job *job, int id, const char *value, size_t length, uint8_t *severities)
{
    for (int severity = 0; severity < VRM_SEVERITY_COUNT; ++severity) {
        const bool digit = length == 1 && value[0] == '0' + severity;
        if (digit || (strlen(cli_severity_words[severity]) == length &&
                         memcmp(cli_severity_words[severity], value, length) == 0)) {
            severities[id] = severities[id] < VRM_SEVERITY_COUNT ? (uint8_t)severity : severities[id];
            return CLI_EXIT_DONE;
        }
    }
    return cli_fail(job, CLI_EXIT_USAGE, "--override: %s=... must be error, warning, info or hint (or 0 to 3)",
        vrm_finding_get_info((vrm_finding_id)id)->name);
}

static int read_severities(cli_job *job, const validate_options *options, uint8_t *out)
{
    vrm_validate_get_severities(out, VRM_FINDING_COUNT);
    if (options->only.count != 0) {
        memset(out, VRM_SEVERITY_OFF, VRM_FINDING_COUNT);
    }
    int code = for_each_code(job, &options->only, "only", keep_code, out);
    code = code == CLI_EXIT_DONE ? for_each_code(job, &options->ignore, "ignore", ignore_code, out) : code;
    return code == CLI_EXIT_DONE ? for_each_code(job, &options->override, "override", override_code, out) : code;
}

// --- one file ------------------------------------------------------------------------------------------------------

// The progress of all threads together.
typedef struct validate_tally {
    atomic_uint done;
    atomic_flag telling; // set while a thread shows progress; the other threads do not wait for it
    cli_job *job;
} validate_tally;

// Files that are checked on several threads; their reports are printed in order.
typedef struct validate_batch {
    const cli_job *job;
    validate_tally *tally;
    const validate_options *options;
    const uint8_t *severities;
    const char *const *paths;
    bool alone; // true with one thread, which may then show progress within a file
    vrmi_text texts[FILES_AT_ONCE];
    int codes[FILES_AT_ONCE];
} validate_batch;

static bool go_on(float fraction, const char *phase, void *user)
{
    (void)fraction, (void)phase, (void)user;
    return !cli_cancelled();
}

static bool fails(const validate_options *options, const vrm_report *report)
{
    return options->fail_on != FAIL_ON_NEVER &&
           (vrm_report_get_severity_count(report, VRM_SEVERITY_ERROR) != 0 ||
               (options->fail_on == FAIL_ON_WARNING &&
                   vrm_report_get_severity_count(report, VRM_SEVERITY_WARNING) != 0));
}

static vrm_result check_bytes(const validate_batch *batch, cli_job *job, const char *path, const vrm_bytes *bytes,
    vrm_validation **out_validation)
{
    cli_beside beside = {path, job};
    vrm_validate_params def;
    vrm_validate_params_default(&def);
    def.allocator = job->allocator;
    def.limits = job->limits;
    def.read = cli_read_beside;
    def.read_user = &beside;
    def.progress = batch->alone ? cli_progress : go_on;
    def.progress_user = job;
    def.prefer = (vrm_prefer)batch->options->dialect.prefer;
    def.look_at_unit = (vrm_look_at_unit)batch->options->dialect.look_at_unit;
    def.severities = batch->severities;
    def.severity_count = VRM_FINDING_COUNT;
    return vrm_validate(&def, bytes->data, bytes->size, job->report, out_validation);
}

static void write_report(const validate_batch *batch, vrmi_text *out, const validate_outcome *outcome, bool color)
{
    if (batch->options->format == FORMAT_TEXT) {
        validate_report_text(out, outcome, color);
        return;
    }
    cli_json json = {out, false};
    validate_report_json(&json, outcome);
    vrmi_text_add_string(out, batch->options->format == FORMAT_NDJSON ? "\n" : "");
}

// Repairs the file until nothing changes any more, writes the result, and leaves the report of the result.
static vrm_result fix(
    const validate_batch *batch, cli_job *job, const char *path, vrm_bytes *bytes, vrm_validation **validation)
{
    const char *output = batch->options->fix.output;
    uint32_t count = 1, all = 0;
    vrm_result result = VRM_SUCCESS;
    for (int round = 0; round < CLI_REPAIR_ROUNDS && count != 0 && result == VRM_SUCCESS; ++round) {
        result = cli_repair_once(job, path, job->report, bytes, &count);
        all += count;
        if (result == VRM_SUCCESS && count != 0) {
            vrm_report_clear(job->report);
            vrm_validation_destroy(*validation);
            result = check_bytes(batch, job, path, bytes, validation);
        }
    }
    return result == VRM_SUCCESS ? validate_fix_write(job, path, output, all, bytes) : result;
}

static int check_file(const validate_batch *batch, cli_job *job, const char *path, vrmi_text *out)
{
    vrm_bytes bytes = {0};
    vrm_validation *validation = NULL;
    vrm_result result = VRM_SUCCESS;
    validate_outcome outcome = {.path = path, .report = job->report, .least = (vrm_severity)batch->options->severity};
    outcome.code = cli_read_input(job, path, true, &bytes, &result);
    const bool read = outcome.code == CLI_EXIT_DONE;
    if (outcome.code == CLI_EXIT_USAGE) {
        return outcome.code; // the message is already printed and concerns no file
    }
    if (read) {
        result = check_bytes(batch, job, path, &bytes, &validation);
        if (result == VRM_SUCCESS && batch->options->fix.on) {
            result = fix(batch, job, path, &bytes, &validation);
        }
        outcome.code = cli_exit_of(job, result);
    }
    cli_words words;
    if (result != VRM_SUCCESS) {
        outcome.error = read ? cli_why_unloaded(job, result, &words) : cli_why_unread(job, path, result);
    } else if (fails(batch->options, job->report)) {
        outcome.code = CLI_EXIT_ASSET;
    }
    if (validation != NULL) {
        outcome.info.struct_size = sizeof outcome.info;
        vrm_validation_get_info(validation, &outcome.info);
    }
    cli_record_findings(job);
    write_report(batch, out, &outcome, job->color);
    vrm_validation_destroy(validation);
    vrm_bytes_free(&bytes);
    return outcome.code;
}

// Each file has its own job, so that --max-memory applies to each file and threads share nothing.
static int check_alone(const validate_batch *batch, const char *path, vrmi_text *out)
{
    cli_job job = *batch->job;
    vrm_report_def def;
    vrm_report_def_default(&def);
    job.allocator.user = &job;
    job.used = job.peak = 0;
    job.shown = 0;
    job.report = NULL;
    job.read = NULL;
    job.read_count = job.read_capacity = 0;
    def.allocator = job.allocator;
    if (batch->options->max_issues != 0) {
        def.max_findings = (uint32_t)batch->options->max_issues;
    }
    const vrm_result result = vrm_report_create(&def, &job.report);
    if (result != VRM_SUCCESS) {
        return cli_fail(&job, cli_exit_of(&job, result), "%s: %s", path, cli_sentence_of(&job, result));
    }
    const int code = check_file(batch, &job, path, out);
    job.record = NULL; // the verb's own job writes the record
    return cli_job_end(&job, code);
}

static void count_file(validate_tally *tally)
{
    atomic_fetch_add(&tally->done, 1);
    if (!atomic_flag_test_and_set(&tally->telling)) {
        cli_batch_go_on(tally->job, atomic_load(&tally->done));
        atomic_flag_clear(&tally->telling);
    }
}

static void check_some(uint32_t first, uint32_t end, void *context)
{
    validate_batch *batch = context;
    for (uint32_t i = first; i < end; ++i) {
        batch->codes[i] = cli_cancelled() ? cli_exit_of(batch->job, VRM_ERROR_CANCELLED)
                                          : check_alone(batch, batch->paths[i], &batch->texts[i]);
        if (!cli_cancelled()) {
            count_file(batch->tally);
        }
    }
}

// --- the verb ------------------------------------------------------------------------------------------------------

static void print_words(const char *words)
{
    vrmi_text text;
    vrmi_text_init(&text, NULL);
    vrmi_text_add_string(&text, words);
    cli_print(&text);
    vrmi_text_free(&text);
}

static void print_batch(validate_batch *batch, uint32_t count, bool first, int *code)
{
    cli_progress_clear(batch->tally->job);
    for (uint32_t i = 0; i < count; ++i) {
        if (batch->options->format == FORMAT_JSON && !(first && i == 0)) {
            print_words(",\n");
        }
        cli_print(&batch->texts[i]);
        vrmi_text_free(&batch->texts[i]);
        *code = batch->codes[i] > *code ? batch->codes[i] : *code;
    }
}

static int check_all(cli_job *job, const validate_options *options, const uint8_t *severities, const cli_list *paths)
{
    static validate_batch batch; // too large for a stack
    vrm_task_pool *pool = NULL;
    const uint32_t wanted = paths->count == 1 || job->record != NULL ? 1 : (uint32_t)options->threads;
    const vrm_result result = vrm_task_pool_create(wanted, &job->allocator, &pool);
    if (result != VRM_SUCCESS) {
        return cli_fail(job, cli_exit_of(job, result), "%s", cli_sentence_of(job, result));
    }
    const vrm_tasks *tasks = vrm_task_pool_get_tasks(pool);
    validate_tally tally = {.telling = ATOMIC_FLAG_INIT, .job = job};
    int code = CLI_EXIT_DONE;
    cli_batch_begin(job, paths->count);
    for (uint32_t first = 0; first < paths->count; first += FILES_AT_ONCE) {
        const uint32_t count = paths->count - first < FILES_AT_ONCE ? paths->count - first : FILES_AT_ONCE;
        batch = (validate_batch){.job = job,
            .tally = &tally,
            .options = options,
            .severities = severities,
            .paths = paths->items + first,
            .alone = vrm_task_pool_get_thread_count(pool) == 1};
        for (uint32_t i = 0; i < count; ++i) {
            vrmi_text_init(&batch.texts[i], NULL);
        }
        void *work = tasks->enqueue(check_some, count, 1, &batch, tasks->user);
        if (work != NULL) {
            tasks->finish(work, tasks->user);
        }
        print_batch(&batch, count, first == 0, &code);
    }
    vrm_task_pool_destroy(pool);
    cli_batch_go_on(job, atomic_load(&tally.done)); // show the progress that the threads did not show
    return cli_batch_end(job, code);
}

static bool reads_stdin_twice(const cli_inputs *inputs)
{
    uint32_t times = 0;
    for (uint32_t i = 0; i < inputs->count; ++i) {
        times += strcmp(inputs->items[i], "-") == 0;
    }
    return times > 1;
}

static int run_validate(const cli_inputs *inputs, const void *options_in, cli_job *job)
{
    const validate_options *options = options_in;
    uint8_t severities[VRM_FINDING_COUNT];
    cli_list paths = {0};
    int code = read_severities(job, options, severities);
    if (code != CLI_EXIT_DONE) {
        return code;
    }
    if (reads_stdin_twice(inputs)) {
        return cli_fail(job, CLI_EXIT_USAGE, "stdin can be read only once");
    }
    code = validate_fix_begin(job, &options->fix, inputs);
    if (code != CLI_EXIT_DONE) {
        return code;
    }
    code = cli_expand_folders(job, inputs, true, &paths);
    const bool list = paths.count != 1 || inputs->count != 1 || strcmp(paths.items[0], inputs->items[0]) != 0;
    if (options->fix.on && (code != CLI_EXIT_DONE || list)) {
        cli_free_paths(&paths);
        return code != CLI_EXIT_DONE
                   ? code
                   : cli_fail(job, CLI_EXIT_USAGE, "%s: is a folder; --fix repairs a single file", inputs->items[0]);
    }
    if (options->format == FORMAT_JSON && list) {
        print_words("[\n");
    }
    const int checked = check_all(job, options, severities, &paths);
    if (options->format == FORMAT_JSON) {
        print_words(list ? "\n]\n" : "\n");
    }
    cli_free_paths(&paths);
    return checked > code ? checked : code;
}

static void set_defaults(void *options)
{
    ((validate_options *)options)->severity = VRM_SEVERITY_HINT;
}

static const cli_option options[] = {
    {.name = "format",
        .type = CLI_CHOICE,
        .offset = offsetof(validate_options, format),
        .choices = "text json ndjson",
        .help = "Text for people (default), JSON (one report, or an array of them), or one JSON line per file."},
    {.name = "severity",
        .type = CLI_CHOICE,
        .offset = offsetof(validate_options, severity),
        .choices = "error warning info hint",
        .help = "The lowest severity to show; default hint: all findings."},
    {.name = "fail-on",
        .type = CLI_CHOICE,
        .offset = offsetof(validate_options, fail_on),
        .choices = "error warning never",
        .help = "The lowest severity that makes the exit code 1; default error."},
    {.name = "ignore",
        .type = CLI_LIST,
        .offset = offsetof(validate_options, ignore),
        .value = "CODE,...",
        .help = "Do not report these findings."},
    {.name = "only",
        .type = CLI_LIST,
        .offset = offsetof(validate_options, only),
        .value = "CODE,...",
        .help = "Report these findings only."},
    {.name = "override",
        .type = CLI_LIST,
        .offset = offsetof(validate_options, override),
        .value = "CODE=SEVERITY,...",
        .help = "Give findings another severity: error, warning, info or hint."},
    {.name = "max-issues",
        .type = CLI_INTEGER,
        .offset = offsetof(validate_options, max_issues),
        .value = "N",
        .min = 0,
        .max = 4294967295.0,
        .help = "Largest number of findings to list for a file; 0 (default): 10,000."},
    {.name = "threads",
        .type = CLI_INTEGER,
        .offset = offsetof(validate_options, threads),
        .value = "N",
        .min = 0,
        .max = 64,
        .help = "Number of files to check at once; 0 (default): one for each processor that may be used."},
    {.name = "fix",
        .type = CLI_FLAG,
        .offset = offsetof(validate_options, fix.on),
        .help = "Make the repairs that need no guess, write the result to --output and report the result's findings."},
    CLI_OUTPUT_OPTION(validate_options, fix.output, "FILE", "; needs --fix"),
    CLI_FORCE_OPTION(validate_options, fix.force),
    CLI_DIALECT_OPTIONS(validate_options, dialect),
};

const cli_command cli_validate = {
    .name = "validate",
    .summary = "Check files against their specifications.",
    .arguments = "FILE...",
    .description =
        "Checks .vrm (0.x, drafts, 1.0), .vrma, .glb and .gltf files completely: the glTF, with the codes of Khronos' "
        "glTF validator, and the rules of VRM. Each finding has a code, a severity, its place in the file, the found "
        "and the expected value, the section of the specification, and a hint on how to repair it. FILE may be a "
        "folder (all .vrm, .vrma, .glb and .gltf files in it and below) or - for stdin. A bad file does not stop the "
        "others; the exit code is the highest one that occurred: 1 when a file has errors.\n\nThe JSON report has the "
        "structure of Khronos' reports (uri, mimeType, validatorVersion, issues, info); in addition a message has "
        "name, found, expected, hint and section, and a file that could not be checked has error. docs/validation.md "
        "lists all codes.\n\n--fix makes the repairs that have only one possible result and leaves alone whatever "
        "would need a guess. It repairs bounds of accessors, names in extensionsUsed, empty lists, lengths of "
        "rotations, a matrix beside translation, rotation and scale, and the like. The output keeps the dialect and "
        "everything else in the file.",
    .examples = "vrm validate avatar.vrm\n    everything that is wrong with one avatar\nvrm validate --severity error "
                "--format ndjson models/ | jq -r .issues.messages[].code | sort | uniq -c\n    which errors a "
                "collection has, and how often\nvrm validate --fix avatar.vrm -o repaired.vrm\n    makes the certain "
                "repairs and reports the rest\nvrm validate --ignore UNUSED_OBJECT --override VRM1_LICENSE_URL=warning "
                "avatar.vrm\n    with your own choice of findings\n",
    .min_inputs = 1,
    .max_inputs = UINT32_MAX,
    .options = options,
    .option_count = sizeof(options) / sizeof(options[0]),
    .options_size = sizeof(validate_options),
    .defaults = set_defaults,
    .run = run_validate,
    .many = "",
    .endings = ".vrm .vrma .glb .gltf",
};
