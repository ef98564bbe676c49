// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef CLI_CLI_H
#define CLI_CLI_H

// The frame of the `vrm` command. A verb is a row in main.c's table and a function (inputs, options, job) -> exit code
// in its own file, cmd_<verb>.c. This header declares everything that verbs share: options (options.c), help, man pages
// and completion from the same tables (help.c), reading (input.c), writing (output.c) and printing (print.c), findings
// (findings.c), the job and its progress (job.c, progress.c), the operating system (platform.c). Verbs use the public
// headers and base/text.h, because numbers must not pass through the C locale.

#include <vrm/vrm.h>

#include "base/text.h"
#include "json_out.h"
#include "procedural_motion.h"
#include "ragdoll_scene.h"
#include "stage_motion.h"

// One table for all verbs. With several inputs the command's code is the highest one that occurred.
#define CLI_EXITS(X) \
    X(DONE, 0, "done") \
    X(ASSET, 1, "the asset has errors, or a required permission is not granted") \
    X(USAGE, 2, "the command line is wrong") \
    X(INPUT, 3, "an input is missing, unreadable or not glTF") \
    X(OUTPUT, 4, "an output could not be written: path or permission") \
    X(UNSUPPORTED, 5, "the asset needs a feature that this build does not have") \
    X(LIMIT, 6, "a limit was reached: memory, time, size") \
    X(INTERNAL, 70, "a fault in the program itself") \
    X(AGAIN, 75, "try again: out of memory, input or output error, full disk, interrupted")

typedef enum cli_exit {
#define CLI_EXIT_ENUM(name, code, sentence) CLI_EXIT_##name = code,
    CLI_EXITS(CLI_EXIT_ENUM)
#undef CLI_EXIT_ENUM
} cli_exit;

// --- options (options.c) -------------------------------------------------------------------------------------------

typedef enum cli_option_type {
    CLI_FLAG,    // bool
    CLI_TEXT,    // const char *
    CLI_LIST,    // cli_list: the option may be repeated
    CLI_NUMBER,  // double in [min, max]
    CLI_INTEGER, // int64_t in [min, max]
    CLI_SIZE,    // uint64_t: bytes, with K, M or G for 2^10, 2^20, 2^30
    CLI_CHOICE,  // int: index of the word in `choices`
    CLI_VECTOR   // double[3]: "x,y,z"
} cli_option_type;

typedef struct cli_list {
    const char **items;
    uint32_t count;
} cli_list;

typedef struct cli_option {
    const char *name; // without dashes
    char letter;      // one-letter form, or 0
    cli_option_type type;
    size_t offset;       // of the field in the verb's options struct; its type is beside the option type above
    const char *value;   // name of the value in the help ("FILE"); CLI_CHOICE: NULL
    const char *choices; // CLI_CHOICE: words separated by spaces
    double min, max;     // CLI_NUMBER, CLI_INTEGER; both 0: any
    const char *help;    // one sentence, without the default's value unless it is not obvious
} cli_option;

// Options of every verb.
typedef struct cli_common {
    bool help;
    bool quiet;          // no warnings, infos and hints on stderr
    bool strict;         // models with errors are refused instead of repaired
    uint64_t max_memory; // 0: the library's own limit
    double timeout;      // seconds, 0: none
    int color;           // cli_color
    const char *record;  // also write findings to this file as JSON; NULL: no
} cli_common;

// Additional options of verbs on many files (many/many.c).
typedef struct cli_many {
    const char *files_from;
    int64_t jobs;
    bool skip_existing;
    const char *manifest;
    const char *shard;
    double file_timeout;
    // Options to pass on to the processes for single files: all except the ones above and the output.
    cli_list kept;
    const char *output; // as the user wrote it; NULL: not given
    bool named;         // one of the options above was given
} cli_many;

typedef enum cli_color { CLI_COLOR_AUTO, CLI_COLOR_ALWAYS, CLI_COLOR_NEVER } cli_color;

// How files with several or older dialects are read. A verb with these options passes them to the job before it loads.
typedef struct cli_dialect {
    int prefer;        // vrm_prefer
    int look_at_unit;  // vrm_look_at_unit
    int look_at_range; // vrm_look_at_range
} cli_dialect;

// For verbs that write a file, with the same text in all of them; `more` is appended to it. The field is a string,
// which the verb passes to cli_begin_output() with the next one.
#define CLI_OUTPUT_OPTION(options, field, form, more) \
    { \
        .name = "output", .letter = 'o', .type = CLI_TEXT, .offset = offsetof(options, field), .value = form, \
        .help = "Where the output goes" more "." \
    }
// The field is a bool. Verbs that read no file do not need it.
#define CLI_FORCE_OPTION(options, field) \
    { \
        .name = "force", .letter = 'f', .type = CLI_FLAG, .offset = offsetof(options, field), \
        .help = "Allow an output to overwrite a file that was read as input." \
    }

// For verbs that write a model; the field is a bool.
#define CLI_REPAIR_OPTION(options, field) \
    { \
        .name = "repair", .type = CLI_FLAG, .offset = offsetof(options, field), \
        .help = "First repair the model as vrm validate --fix does. Without this option the output keeps the file's " \
                "values." \
    }
// The field is an int, a vrm_profile.
#define CLI_PROFILE_OPTION(options, field) \
    { \
        .name = "profile", .type = CLI_CHOICE, .offset = offsetof(options, field), .choices = CLI_PROFILE_WORDS, \
        .help = "Move the avatar as another runtime does, where it differs from libvrm (default libvrm; " \
                "docs/profiles.md). The profile UniVRM follows its source code; UniVRM itself was not run." \
    }
#define CLI_PROFILE_WORDS "libvrm spec univrm three-vrm" // by vrm_profile

#define CLI_DIALECT_OPTIONS(options, field) \
    {.name = "prefer", \
        .type = CLI_CHOICE, \
        .offset = offsetof(options, field.prefer), \
        .choices = "1 0", \
        .help = "Which VRM to read from a file that contains both 1.0 and 0.x; default 1."}, \
        {.name = "look-at-unit", \
            .type = CLI_CHOICE, \
            .offset = offsetof(options, field.look_at_unit), \
            .choices = "auto degrees radians", \
            .help = \
                "Unit of a gaze's outputScale in drafts and 1.0-beta, whose texts disagree; auto decides by the size " \
                "of the values."}, \
    { \
        .name = "look-at-range", .type = CLI_CHOICE, .offset = offsetof(options, field.look_at_range), \
        .choices = "schema text", \
        .help = \
            "A gaze's inputMaxValue above 180 degrees: limited to 180 (default), or used unchanged, as the text says." \
    }

// --- verbs ---------------------------------------------------------------------------------------------------------

typedef cli_list cli_inputs; // arguments that are not options, in their order; "-" is stdin (or stdout)

typedef struct cli_job cli_job;

// Does the verb's work; gives its exit code.
typedef int cli_run_fn(const cli_inputs *inputs, const void *options, cli_job *job);

typedef struct cli_command {
    const char *name;
    const char *summary;     // one line
    const char *arguments;   // "FILE..."
    const char *description; // paragraphs separated by an empty line; lines are wrapped by help.c
    const char *examples;    // lines "command\n    what it does"; may be NULL
    uint32_t min_inputs, max_inputs;
    const cli_option *options;
    uint32_t option_count;
    size_t options_size;             // of the verb's options struct, zeroed before `defaults`
    void (*defaults)(void *options); // may be NULL
    cli_run_fn *run;
    // A separate program that does the work, called with the same arguments; `run` is then NULL. NULL: none.
    const char *program;
    const char *packages; // Debian packages that this program is built with
    // Suffix of the outputs, "" if the verb only prints. Verbs that set it process one file after the other, and so can
    // take many. NULL: they do not.
    const char *many;
} cli_command;

extern const cli_command cli_bake;             // cmd_bake.c
extern const cli_command cli_bench;            // cmd_bench.c
extern const cli_command cli_compare_runtimes; // cmd_compare_runtimes.c
extern const cli_command cli_convert_motion;   // cmd_convert_motion.c
extern const cli_command cli_cook;             // cmd_cook.c
extern const cli_command cli_inspect;          // cmd_inspect.c
extern const cli_command cli_migrate;          // cmd_migrate.c
extern const cli_command cli_ragdoll;          // cmd_ragdoll.c
extern const cli_command cli_render;           // render_options.c; work: render/cmd/cmd_render.c
extern const cli_command cli_rpc;              // render_options.c; work: render/rpc/
extern const cli_command cli_sample;           // cmd_sample.c
extern const cli_command cli_simulate;         // cmd_simulate.c
extern const cli_command cli_thumbnail;        // render_options.c; work: render/cmd/cmd_thumbnail.c
extern const cli_command cli_split;            // cmd_split.c
extern const cli_command cli_stats;            // cmd_stats.c
extern const cli_command cli_trace;            // cmd_trace.c
extern const cli_command cli_validate;         // cmd_validate.c
extern const cli_command cli_view;             // view_options.c; work: view/

extern const cli_option cli_common_options[];
extern const uint32_t cli_common_option_count;

// A program, vrm or another one of this project; comes from main().
typedef struct cli_program {
    const cli_command *const *commands; // in the help's order
    uint32_t command_count;
    cli_run_fn *const *work; // programs of the commands, for cli_run_program()
    scene_engine_make *ode;  // makes ragdoll engines; NULL: this program has none
} cli_program;

// NULL: the program has no such verb (verb.c).
const cli_command *cli_find_command(const cli_program *program, const char *name);
// main() of another program than vrm: does the verb's work.
int cli_run_program(const cli_program *program, int argc, char **argv);

// The parsed command line.
typedef struct cli_parsed {
    cli_common common;
    cli_many many;
    cli_inputs inputs;
    void *options; // the verb's options; the caller's memory
} cli_parsed;

// Says that there is no memory before there is a job, and returns the exit code.
int cli_fail_to_start(const cli_command *command);
// Reads argv (after the verb). On failure says why on stderr and returns CLI_EXIT_USAGE or
// CLI_EXIT_AGAIN. Lists are freed by cli_free_options().
int cli_parse_options(const cli_command *command, int argc, char **argv, cli_parsed *out);
void cli_free_options(const cli_command *command, cli_parsed *parsed);
// The word of `words` nearest to the typed one: at most two letters differ, and no more than half, or the typed one is
// the beginning of this word only. NULL if there is none.
const char *cli_nearest(const char *typed, const char *const *words, uint32_t count);

// --- programs beside vrm (program.c) -------------------------------------------------------------------------------

// Becomes the verb's program with the same arguments. Returns only when there is none (or with its exit code).
int cli_start_program(const cli_command *command, char **argv);

// A program that turns bytes on stdin into bytes on stdout.
typedef struct cli_child {
    const char *program;
    const char *argument;
    const char *what; // the file that it works on, for messages
    uint64_t memory;  // limit of its memory, bytes
    double seconds;   // limit of its time, seconds
} cli_child;

// Runs it as a child within these limits: if it crashes, hangs or runs out of memory, the result is only a message and
// an exit code. `out` is freed by vrm_bytes_free().
int cli_run_child(cli_job *job, const cli_child *child, const vrm_bytes *input, vrm_bytes *out);

// --- help (help.c) -------------------------------------------------------------------------------------------------

void cli_help_overview(vrmi_text *out, const cli_program *program);
void cli_help_command(vrmi_text *out, const cli_command *command);
void cli_help_usage(vrmi_text *out, const cli_program *program);   // a short log, for stderr
void cli_man_overview(vrmi_text *out, const cli_program *program); // vrm.1
void cli_man_command(vrmi_text *out, const cli_command *command);  // vrm-<verb>.1
void cli_completion_bash(vrmi_text *out, const cli_program *program);
void cli_completion_zsh(vrmi_text *out, const cli_program *program);

// --- job (job.c): options, limits and state of a run ---------------------------------------------------------------

struct cli_job {
    const cli_program *program;
    const cli_command *command;
    cli_common common;
    bool color;              // of stdout
    bool stdin_taken;        // "-" can be read once
    vrm_allocator allocator; // counts against --max-memory
    vrm_limits limits;       // passed to load defs
    cli_dialect dialect;
    vrm_report *report;  // reset by cli_read_input() and cli_load() for each input
    uint64_t used, peak; // bytes
    bool memory_limit_hit;
    const char *output; // of cli_begin_output()
    bool force;
    struct cli_file_id *read; // the files that were read, for output.c
    uint32_t read_count, read_capacity;
    double started;                   // cli_platform_seconds()
    uint32_t batch_count, batch_done; // number of files; 0: not one of many
    double shown;                     // when progress was last printed, 0: not yet
    const char *task;                 // named in progress, e.g. the input's path
    vrmi_text *record;                // record of all findings so far; NULL: not wanted
    const char *decodes;              // an extension whose images this program shows, NULL: none
    const char *heading;              // heading of the last findings on stderr, until something else is printed there
    char **argv;                      // the process's arguments
};

// Makes report and allocator, installs signal handlers and the timer. CLI_EXIT_DONE, or AGAIN without memory.
int cli_job_begin(
    cli_job *job, const cli_program *program, const cli_command *command, const cli_common *common, char **argv);
// Frees it and writes the record; `code`, or a higher one when that failed.
int cli_job_end(cli_job *job, int code);

// --- going on (progress.c) and ending (exits.c) ---------------------------------------------------------------------

// A vrm_progress_fn, `user` is the job: shows progress on a terminal after a second, stops when cancelled.
bool cli_progress(float fraction, const char *phase, void *job);
// True after a signal or the end of the time limit. Verbs check it in their loops, or call cli_progress().
bool cli_cancelled(void);
// Begins work on several files: progress then shows how many are done and an estimate of the remaining time.
void cli_batch_begin(cli_job *job, uint32_t count);
void cli_batch_go_on(cli_job *job, uint32_t done);
// If the work was stopped, prints how many files were not processed. Returns the larger of `code` and the exit code of
// the stop (batch.c).
int cli_batch_end(cli_job *job, int code);
// Removes the progress line before anything else is printed.
void cli_progress_clear(cli_job *job);
// The exit code of a result; distinguishes limits, signals and --max-memory.
int cli_exit_of(const cli_job *job, vrm_result result);
// The result in the command's terms: with options instead of allocators and callbacks.
const char *cli_sentence_of(const cli_job *job, vrm_result result);

// --- paths (paths.c) ------------------------------------------------------------------------------------------------

// The path without its folders.
const char *cli_file_name(const char *path);
// Whether the path ends in the lower-case `suffix` and has something before it. `any_case`: in capitals as well.
bool cli_has_suffix(const char *path, const char *suffix, bool any_case);

// --- reading (input.c) ---------------------------------------------------------------------------------------------

// A loaded file. Zero it, load it, free it whatever came out.
typedef struct cli_model {
    const char *path;
    vrm_bytes bytes; // the file's bytes; the document reads them in place
    vrm_gltf *gltf;  // NULL for a cooked avatar
    vrm_avatar *avatar;
    vrm_result result; // result of the failing (or last) call
    char compression
        [96]; // the compression that keeps vertices from being read, by its common name and its extension, or ""
} cli_model;

typedef enum cli_load_flag {
    CLI_LOAD_BYTES = 0,
    CLI_LOAD_GLTF = 1 << 0,    // also the document
    CLI_LOAD_AVATAR = 1 << 1,  // also the avatar (implies the document)
    CLI_LOAD_SILENT = 1 << 2,  // the verb prints findings and errors itself
    CLI_LOAD_PLAIN = 1 << 3,   // a glTF without VRM becomes an avatar too, with its springs and constraints
    CLI_LOAD_PACKED = 1 << 4,  // a .gltf becomes a GLB first, which includes its files; see also cli_wants_glb()
    CLI_LOAD_COOKED = 1 << 5,  // a cooked avatar, which has no document, is accepted
    CLI_LOAD_REPAIRED = 1 << 6 // repairs of the avatar that loading would make are made in the bytes first
} cli_load_flag;

// Checks an input before it is read: stdin is read only once, and no output may overwrite its own input. Returns the
// exit code.
int cli_begin_input(cli_job *job, const char *path);
// Reads a path or "-" into memory. Prints errors (unless `silent`) and returns the exit code.
int cli_read_input(cli_job *job, const char *path, bool silent, vrm_bytes *out_bytes, vrm_result *out_result);
// The reason why bytes are not a model, in words: "cut off" if the report says so. `buffer` holds the text.
typedef struct cli_words {
    char text[160];
} cli_words;
const char *cli_why_unloaded(const cli_job *job, vrm_result result, cli_words *buffer);
// The reason why it could not be read, in words.
const char *cli_why_unread(const cli_job *job, const char *path, vrm_result result);
// A vrm_read_fn for files beside the input ("-" has none); `user` is a cli_beside. The library has checked that the URI
// stays in the folder.
typedef struct cli_beside {
    const char *path;
    cli_job *job; // NULL: nothing is written
} cli_beside;
vrm_result cli_read_beside(const vrm_read_request *request, vrm_bytes *out_bytes, void *user);
// Reads and loads; findings go to job->report and, unless silent, to stderr. Files beside a .gltf are found.
int cli_load(cli_job *job, const char *path, uint32_t flags, cli_model *out_model);
// The same for bytes that are already in the model, without messages. The bytes may be replaced.
vrm_result cli_load_bytes(cli_job *job, uint32_t flags, cli_model *model);
void cli_model_free(cli_model *model);
// Makes the certain repairs of vrm_validate_repair() in a file's bytes, until there is nothing more to repair.
vrm_result cli_repair(cli_job *job, const char *path, vrm_bytes *bytes);
// Repairs the findings of a report of these bytes. One repair may reveal the next finding: an invalid shape, then its
// collider.
vrm_result cli_repair_once(
    cli_job *job, const char *path, const vrm_report *report, vrm_bytes *bytes, uint32_t *out_count);
enum { CLI_REPAIR_ROUNDS = 10 };
// Makes the model's avatar again, read as another runtime reads the file (profile.c). The document is not changed.
int cli_read_as(cli_job *job, vrm_profile profile, cli_model *model);
// Prints why work on a model's vertices failed; returns the exit code.
int cli_fail_vertices(cli_job *job, const cli_model *model, vrm_result result);
// The work of a verb that makes one file of one model.
typedef struct cli_conversion {
    const char *output; // as the user named it; NULL is refused
    bool force;         // CLI_FORCE_OPTION
    const char *form;   // of the output, for that message: "OUT.vrm"
    uint32_t flags;     // cli_load_flag
    int (*work)(cli_job *job, cli_model *model, const void *options);
} cli_conversion;
// Loads the one input, works on it and frees it.
int cli_convert(cli_job *job, const cli_inputs *inputs, const cli_conversion *conversion, const void *options);
// Reads a motion (clip.c); findings go to job->report and to stderr. `def` may be NULL.
int cli_load_clip(cli_job *job, const char *path, const vrm_clip_def *def, vrm_clip **out_clip);
// --motion of `vrm bench`: a formula by its name, or a clip by its file; then the motion is SCENE_MOTION_NONE.
int cli_choose_motion(cli_job *job, const char *wanted, scene_motion *out_motion, vrm_clip **out_clip);
// --motion: a motion of stage_motion.h by name, made for this avatar, or a clip from a file; then the motion is "none".
// The caller must end the motion even after an error.
int cli_begin_motion(
    cli_job *job, const cli_model *model, const char *wanted, scene_stage_motion *out_motion, vrm_clip **out_clip);
// Reads the text of --map and prints its errors (bone_map.c).
int cli_read_bone_map(cli_job *job, const char *path, vrm_bytes *out_map);
// --feet: the player's ankles stand where the clip's do.
vrm_result cli_plant_feet(vrm_clip_player *player);
// --- folders (folders.c) -------------------------------------------------------------------------------------------

// Replaces folders by the .vrm, .glb, .gltf files (with `motions` the .vrma too) in them and below, sorted. Symbolic
// links are followed, each real file and folder once. Freed by cli_free_paths().
int cli_expand_folders(cli_job *job, const cli_inputs *inputs, bool motions, cli_list *out_paths);
void cli_free_paths(cli_list *paths);

// --- printing (print.c) ---------------------------------------------------------------------------------------------

// "vrm inspect: <message>" on stderr; formats of vrmi_text_format. Returns `code`.
int cli_fail(cli_job *job, int code, const char *format, ...);
// The same for remarks, unless --quiet.
void cli_say(cli_job *job, const char *format, ...);
// Text to stdout; a failure is remembered and reported by cli_finish_stdout().
void cli_print(const vrmi_text *text);
void cli_print_bytes(const void *bytes, size_t size);
// Flushes stdout; returns `code`, or OUTPUT/AGAIN when something printed was lost and `code` is lower.
int cli_finish_stdout(cli_job *job, int code);
// Text from a file, for people to read: control characters become spaces, so that no file can move the cursor.
void cli_add_file_text(vrmi_text *out, const char *bytes, size_t size);
// "3 meshes, 1 skin"; a word without `many` takes an s.
typedef struct cli_count {
    uint64_t number;
    const char *one, *many;
} cli_count;
void cli_add_counts(vrmi_text *out, const cli_count *counts, size_t size);
// Styles for a terminal: "" when colours are off.
typedef enum cli_style { CLI_PLAIN, CLI_BOLD, CLI_DIM, CLI_RED, CLI_YELLOW, CLI_GREEN } cli_style;
const char *cli_styled(bool color, cli_style style);

// --- writing (output.c) --------------------------------------------------------------------------------------------

// Checks before any work that the output's folder exists and is writable, and that the output is none of the files that
// are read from now on, unless `force`. A verb may check several outputs, one after the other.
int cli_begin_output(cli_job *job, const char *path, bool force);
// Whether the output is named as a GLB, .vrm or .glb: then a .gltf input becomes one, as readers of VRM expect.
bool cli_wants_glb(const cli_job *job);
// Remembers an input file; false without memory.
bool cli_note_input(cli_job *job, const char *path);
// Refuses an output that is one of these files, unless it may be overwritten.
int cli_guard_input(cli_job *job, const char *path);
// Says why nothing can be written there and returns the exit code.
int cli_fail_output(cli_job *job, const char *path, vrm_result result);
// Writes to a path (atomically: the old file stays whole on any error) or, for "-", to stdout. Says what failed.
int cli_write_output(cli_job *job, const char *path, const void *bytes, size_t size);
// The same for a model made from another one; lists the files beside the input that are missing for a reader of the
// output.
int cli_write_model(cli_job *job, const cli_model *model, const char *path, const vrm_bytes *bytes);

// --- findings (findings.c) -----------------------------------------------------------------------------------------

// "error", "warning", "info", "hint", by vrm_severity.
extern const char *const cli_severity_words[VRM_SEVERITY_COUNT];
// "Draco" of "KHR_draco_mesh_compression" and so on; NULL for other extensions.
const char *cli_compression_name(const char *extension);
// The report as text lines, the most severe first; `least` is the lowest severity shown.
void cli_findings_text(vrmi_text *out, const vrm_report *report, vrm_severity least, bool color);
// "1 error, 2 warnings, 0 infos, 0 hints".
void cli_finding_counts_text(vrmi_text *out, const vrm_report *report);
// A finding as an object with the names of Khronos' report.
void cli_finding_json(cli_json *json, const vrm_finding *finding);
// The members "findings" and "findingCounts" of a JSON object.
void cli_findings_json(cli_json *json, const vrm_report *report);
// Adds the report's findings to the record.
void cli_record_findings(cli_job *job);
// Prints findings down to `least` (only errors with --quiet) to stderr under the path's name.
void cli_print_findings(cli_job *job, const char *path, vrm_severity least);

#endif
