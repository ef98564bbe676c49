// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef CLI_CLI_H
#define CLI_CLI_H

// The common part of the `vrm` command. Each verb has a row in main.c's table and a file of its own, cmd_<verb>.c,
// whose function takes (inputs, options, job) and returns the exit code.
// This header declares everything that verbs share: options (options.c); help, man pages and completion, generated from
// the same tables (help.c); reading (input.c), writing (output.c) and printing (print.c); findings (findings.c); the
// job and its progress (job.c, progress.c); the operating system (platform.c).
// Besides the public headers, verbs use base/text.h, which formats numbers independently of the C locale.

#include <vrm/vrm.h>

#include "base/text.h"
#include "json_out.h"
#include "procedural_motion.h"
#include "ragdoll_scene.h"
#include "stage_motion.h"

// The exit codes of all verbs. With several inputs, the command returns the highest code that occurred.
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
    size_t offset;       // offset of the field in the verb's options struct; see cli_option_type for its type
    const char *value;   // name of the value in the help, such as "FILE"; NULL for CLI_CHOICE
    const char *choices; // for CLI_CHOICE: words separated by spaces
    double min, max;     // range for CLI_NUMBER and CLI_INTEGER; no limits if both are 0
    const char *help;    // one sentence; names the default value only if it is not obvious
} cli_option;

// Options that every verb has.
typedef struct cli_common {
    bool help;
    bool quiet;          // print no warnings, infos or hints on stderr
    bool strict;         // refuse models with errors instead of repairing them
    uint64_t max_memory; // bytes; 0: the library's own limit
    double timeout;      // seconds; 0: no limit
    int color;           // cli_color
    const char *record;  // file to which findings are also written as JSON, or NULL
} cli_common;

// Additional options of verbs that can process many files (many/many.c).
typedef struct cli_many {
    const char *files_from;
    int64_t jobs;
    bool skip_existing;
    const char *manifest;
    const char *shard;
    double file_timeout;
    // Options passed on to the processes for single files: all except the fields above and the output.
    cli_list kept;
    const char *output; // as the user wrote it, or NULL
    bool named;         // true if one of the options above was given
} cli_many;

typedef enum cli_color { CLI_COLOR_AUTO, CLI_COLOR_ALWAYS, CLI_COLOR_NEVER } cli_color;

// How to read files that contain several dialects or an older one. A verb with these options copies them to the job
// before it loads a file.
typedef struct cli_dialect {
    int prefer;        // vrm_prefer
    int look_at_unit;  // vrm_look_at_unit
    int look_at_range; // vrm_look_at_range
} cli_dialect;

// For verbs that write a file. All of them have the same help text, with `more` appended. The field is a string, which
// the verb passes to cli_begin_output() together with the field of CLI_FORCE_OPTION.
#define CLI_OUTPUT_OPTION(options, field, form, more) \
    { \
        .name = "output", .letter = 'o', .type = CLI_TEXT, .offset = offsetof(options, field), .value = form, \
        .help = "Where to write the output" more "." \
    }
// The field is a bool. Verbs that read no file do not need this option.
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
        .help = "Move the avatar as another runtime does (default libvrm; docs/profiles.md lists the differences). " \
                "The profile univrm follows UniVRM's source code; UniVRM itself was not run." \
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
            .help = "Unit of the gaze's outputScale in drafts and 1.0-beta, whose specifications disagree; auto " \
                    "(default) decides by the size of the values."}, \
    { \
        .name = "look-at-range", .type = CLI_CHOICE, .offset = offsetof(options, field.look_at_range), \
        .choices = "schema text", \
        .help = "How to read a gaze's inputMaxValue above 180 degrees: limit it to 180 (default), or use it " \
                "unchanged, as the specification says." \
    }

// --- verbs ---------------------------------------------------------------------------------------------------------

typedef cli_list cli_inputs; // arguments that are not options, in order; "-" is stdin (or stdout)

typedef struct cli_job cli_job;

// Does the verb's work and returns the exit code.
typedef int cli_run_fn(const cli_inputs *inputs, const void *options, cli_job *job);

typedef struct cli_command {
    const char *name;
    const char *summary;     // one line
    const char *arguments;   // "FILE..."
    const char *description; // paragraphs separated by an empty line; help.c wraps the lines
    const char *examples;    // lines "command\n    what it does"; may be NULL
    uint32_t min_inputs, max_inputs;
    const cli_option *options;
    uint32_t option_count;
    size_t options_size;             // size of the verb's options struct, which is zeroed before `defaults`
    void (*defaults)(void *options); // may be NULL
    cli_run_fn *run;
    // A separate program that does the work, called with the same arguments; `run` is then NULL. NULL if the verb needs
    // none.
    const char *program;
    const char *packages; // Debian packages needed to build that program
    // Suffix of the output files, or "" if the verb only prints. A verb with a suffix processes its input files one by
    // one, so it accepts many files. NULL for all other verbs.
    const char *many;
    // Suffixes that the name of an output may have, separated by spaces. A name with another suffix is refused, because
    // the command would write a file of another kind than its name says. NULL if the verb checks the name itself.
    const char *endings;
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

// Describes vrm or another program of this project; filled in by main().
typedef struct cli_program {
    const cli_command *const *commands; // in the help's order
    uint32_t command_count;
    cli_run_fn *const *work; // the function of each command, for cli_run_program()
    scene_engine_make *ode;  // creates ragdoll engines; NULL if this program has none
} cli_program;

// Returns NULL if the program has no such verb (verb.c).
const cli_command *cli_find_command(const cli_program *program, const char *name);
// The main() of the programs other than vrm: does the verb's work.
int cli_run_program(const cli_program *program, int argc, char **argv);

// The parsed command line.
typedef struct cli_parsed {
    cli_common common;
    cli_many many;
    cli_inputs inputs;
    void *options; // the verb's options, in the caller's memory
} cli_parsed;

// Prints that memory ran out before the job existed, and returns the exit code.
int cli_fail_to_start(const cli_command *command);
// Parses argv, beginning after the verb. On failure, prints the reason on stderr and returns CLI_EXIT_USAGE or
// CLI_EXIT_AGAIN. Free the lists with cli_free_options().
int cli_parse_options(const cli_command *command, int argc, char **argv, cli_parsed *out);
void cli_free_options(const cli_command *command, cli_parsed *parsed);
// Returns the word of `words` that is nearest to `typed`. A word is near if at most two letters differ, and at most
// half of the typed letters, or if it is the only word that begins with `typed`. Returns NULL if no word is near.
const char *cli_nearest(const char *typed, const char *const *words, uint32_t count);

// --- programs beside vrm (program.c) -------------------------------------------------------------------------------

// Replaces this process by the verb's program, with the same arguments. Returns only if the program is missing, or,
// where processes cannot be replaced, with the program's exit code.
int cli_start_program(const cli_command *command, char **argv);

// A program that turns bytes on stdin into bytes on stdout.
typedef struct cli_child {
    const char *program;
    const char *argument;
    const char *what; // path of the file being converted, for messages
    uint64_t memory;  // memory limit, bytes
    double seconds;   // time limit, seconds
} cli_child;

// Runs the program as a child process within these limits. If the child crashes, hangs or runs out of memory, this
// function prints a message and returns an exit code. Free `out` with vrm_bytes_free().
int cli_run_child(cli_job *job, const cli_child *child, const vrm_bytes *input, vrm_bytes *out);

// --- help (help.c) -------------------------------------------------------------------------------------------------

void cli_help_overview(vrmi_text *out, const cli_program *program);
void cli_help_command(vrmi_text *out, const cli_command *command);
void cli_help_usage(vrmi_text *out, const cli_program *program);   // a short overview for stderr
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
    bool stdin_taken;        // stdin ("-") was an input already; it can be read only once
    vrm_allocator allocator; // counts its memory against --max-memory
    vrm_limits limits;       // copied into the library's load parameters
    cli_dialect dialect;
    vrm_report *report;  // cleared for each input by cli_read_input() and cli_load()
    uint64_t used, peak; // bytes
    bool memory_limit_hit;
    const char *output; // the path given to cli_begin_output()
    bool force;
    struct cli_file_id *read; // files read so far, which output.c does not overwrite
    uint32_t read_count, read_capacity;
    double started;                   // time of the start, by cli_platform_seconds()
    uint32_t batch_count, batch_done; // number of files in all, and finished; 0 outside a batch
    double shown;                     // time of the last printed progress, seconds; 0: none was printed
    const char *task;                 // named in progress, e.g. the input's path
    vrmi_text *record;                // all findings so far, as JSON for --record; NULL without it
    const char *decodes;              // an extension whose images this program can show, or NULL
    const char *heading;              // heading of the findings last printed on stderr; NULL after any other message
    char **argv;                      // the process's arguments
};

// Creates the report and the allocator, and installs signal handlers and the timer. Returns CLI_EXIT_DONE, or
// CLI_EXIT_AGAIN if memory runs out.
int cli_job_begin(
    cli_job *job, const cli_program *program, const cli_command *command, const cli_common *common, char **argv);
// Frees the job and writes the record. Returns `code`, or a higher exit code if the record could not be written.
int cli_job_end(cli_job *job, int code);

// --- going on (progress.c) and ending (exits.c) ---------------------------------------------------------------------

// A vrm_progress_fn with the job as its user pointer. Shows progress on a terminal after a second of work; returns
// false once the work is cancelled.
bool cli_progress(float fraction, const char *phase, void *job);
// Returns true after a signal or once the time limit has passed. Verbs call this function or cli_progress() in their
// loops.
bool cli_cancelled(void);
// Begins work on several files: progress then shows the number of finished files and an estimate of the remaining time.
void cli_batch_begin(cli_job *job, uint32_t count);
void cli_batch_go_on(cli_job *job, uint32_t done);
// If the work was stopped, prints how many files were not processed. Returns the larger of `code` and the exit code of
// the stop (batch.c).
int cli_batch_end(cli_job *job, int code);
// Removes the progress line before anything else is printed.
void cli_progress_clear(cli_job *job);
// Returns the exit code for a result. The job shows whether --max-memory, a signal or the time limit was the cause.
int cli_exit_of(const cli_job *job, vrm_result result);
// Describes the result in the command's terms: it names options, not allocators or callbacks.
const char *cli_sentence_of(const cli_job *job, vrm_result result);

// --- paths (paths.c) ------------------------------------------------------------------------------------------------

// Returns the path without its folders.
const char *cli_file_name(const char *path);
// Returns true if the path ends in the lower-case `suffix` and has other characters before the suffix. With `any_case`,
// capital letters match too.
bool cli_has_suffix(const char *path, const char *suffix, bool any_case);

// --- reading (input.c) ---------------------------------------------------------------------------------------------

// A loaded file. Zero the struct before loading, and free it even if loading fails.
typedef struct cli_model {
    const char *path;
    vrm_bytes bytes; // the file's bytes; the document reads them in place
    vrm_gltf *gltf;  // NULL for a cooked avatar
    vrm_avatar *avatar;
    vrm_result result;    // result of the failing (or last) call
    char compression[96]; // compression that prevents reading the vertices, as "name (extension)", or ""
} cli_model;

typedef enum cli_load_flag {
    CLI_LOAD_BYTES = 0,
    CLI_LOAD_GLTF = 1 << 0,    // load the document
    CLI_LOAD_AVATAR = 1 << 1,  // load the avatar, which needs the document
    CLI_LOAD_SILENT = 1 << 2,  // the verb prints findings and errors itself
    CLI_LOAD_PLAIN = 1 << 3,   // also create an avatar from a glTF without VRM, with its springs and constraints
    CLI_LOAD_PACKED = 1 << 4,  // convert a .gltf to a GLB that includes its files; see also cli_wants_glb()
    CLI_LOAD_COOKED = 1 << 5,  // accept a cooked avatar, which has no document
    CLI_LOAD_REPAIRED = 1 << 6 // repair the bytes first, wherever loading would repair the avatar
} cli_load_flag;

// Checks an input before it is read: stdin can be read only once, and the output must not overwrite its own input.
// Returns the exit code.
int cli_begin_input(cli_job *job, const char *path);
// Reads a path or "-" into memory. Prints errors (unless `silent`) and returns the exit code.
int cli_read_input(cli_job *job, const char *path, bool silent, vrm_bytes *out_bytes, vrm_result *out_result);
// Room for a reason that cli_why_unloaded() composes.
typedef struct cli_words {
    char text[160];
} cli_words;
const char *cli_why_unloaded(const cli_job *job, vrm_result result, cli_words *buffer);
// Returns the reason why a file could not be read, in words.
const char *cli_why_unread(const cli_job *job, const char *path, vrm_result result);
// A vrm_read_fn that reads files beside the input; "-" has no files beside it. `user` is a cli_beside. The library has
// already checked that the URI stays in the folder.
typedef struct cli_beside {
    const char *path;
    cli_job *job; // NULL: nothing is written
} cli_beside;
vrm_result cli_read_beside(const vrm_read_request *request, vrm_bytes *out_bytes, void *user);
// Reads and loads a file and the files beside a .gltf. Findings go to job->report and, unless CLI_LOAD_SILENT is set,
// to stderr.
int cli_load(cli_job *job, const char *path, uint32_t flags, cli_model *out_model);
// Like cli_load(), but for bytes that are already in the model, and without messages. The bytes may be replaced.
vrm_result cli_load_bytes(cli_job *job, uint32_t flags, cli_model *model);
void cli_model_free(cli_model *model);
// Makes the repairs of vrm_validate_repair() that need no guess in a file's bytes, until nothing is left to repair.
vrm_result cli_repair(cli_job *job, const char *path, vrm_bytes *bytes);
// Repairs the findings of a report of these bytes. A repair may reveal another finding: once a shape is repaired, its
// collider can be checked.
vrm_result cli_repair_once(
    cli_job *job, const char *path, const vrm_report *report, vrm_bytes *bytes, uint32_t *out_count);
enum { CLI_REPAIR_ROUNDS = 10 };
// Creates the model's avatar again, with the file read as another runtime reads it (profile.c). The document is not
// changed.
int cli_read_as(cli_job *job, vrm_profile profile, cli_model *model);
// Prints why the model's vertices could not be processed, and returns the exit code.
int cli_fail_vertices(cli_job *job, const cli_model *model, vrm_result result);
// The work of a verb that makes one file from one model.
typedef struct cli_conversion {
    const char *output; // path from the command line; NULL is an error
    bool force;         // value of CLI_FORCE_OPTION
    const char *form;   // example for the message about a missing output: "OUT.vrm"
    uint32_t flags;     // bits of cli_load_flag
    int (*work)(cli_job *job, cli_model *model, const void *options);
} cli_conversion;
// Loads the single input, runs the conversion and frees the model.
int cli_convert(cli_job *job, const cli_inputs *inputs, const cli_conversion *conversion, const void *options);
// Reads a motion (clip.c); findings go to job->report and to stderr. `def` may be NULL.
int cli_load_clip(cli_job *job, const char *path, const vrm_clip_def *def, vrm_clip **out_clip);
// Reads --motion of `vrm bench`: the name of a built-in motion, or a clip's file. For a clip, `out_motion` becomes
// SCENE_MOTION_NONE.
int cli_choose_motion(cli_job *job, const char *wanted, scene_motion *out_motion, vrm_clip **out_clip);
// Reads --motion of the other verbs: the name of a motion of stage_motion.h, generated for this avatar, or a clip's
// file. For a clip, `out_motion` becomes "none". The caller must end the motion even after an error.
int cli_begin_motion(
    cli_job *job, const cli_model *model, const char *wanted, scene_stage_motion *out_motion, vrm_clip **out_clip);
// Plays a clip on an instance. The player has a second, unused layer. The caller destroys the player, even after an
// error.
vrm_result cli_play_clip(const cli_job *job, vrm_instance *instance, vrm_clip *clip, const vrm_clip_play_params *params,
    vrm_clip_player **out_player);
// Reads the file of --map and prints its errors (bone_map.c).
int cli_read_bone_map(cli_job *job, const char *path, vrm_bytes *out_map);
// --feet: places the player's ankles where the clip's figure has them.
vrm_result cli_plant_feet(vrm_clip_player *player);
// --- folders (folders.c) -------------------------------------------------------------------------------------------

// Replaces each folder by the .vrm, .glb and .gltf files in it and below, sorted; with `motions`, by the .vrma files
// too. Symbolic links are followed, but each real file and folder is visited once. Free the result with
// cli_free_paths().
int cli_expand_folders(cli_job *job, const cli_inputs *inputs, bool motions, cli_list *out_paths);
void cli_free_paths(cli_list *paths);

// --- printing (print.c) ---------------------------------------------------------------------------------------------

// Prints "vrm inspect: <message>" on stderr, with the verb's name, and returns `code`. `format` is a format of
// vrmi_text_format().
int cli_fail(cli_job *job, int code, const char *format, ...);
// Prints a remark in the same form, unless --quiet is given.
void cli_say(cli_job *job, const char *format, ...);
// Prints text on stdout. cli_finish_stdout() reports a failure.
void cli_print(const vrmi_text *text);
void cli_print_bytes(const void *bytes, size_t size);
// Flushes stdout. Returns `code`, or CLI_EXIT_OUTPUT or CLI_EXIT_AGAIN if output was lost and `code` is lower.
int cli_finish_stdout(cli_job *job, int code);
// Adds text from a file for people to read. Control characters become spaces, so that no file can move the cursor.
void cli_add_file_text(vrmi_text *out, const char *bytes, size_t size);
// A number and its noun, as in "3 meshes, 1 skin". If `many` is NULL, the plural is `one` with an s.
typedef struct cli_count {
    uint64_t number;
    const char *one, *many;
} cli_count;
void cli_add_counts(vrmi_text *out, const cli_count *counts, size_t size);
// Styles for a terminal. cli_styled() returns "" if colours are off.
typedef enum cli_style { CLI_PLAIN, CLI_BOLD, CLI_DIM, CLI_RED, CLI_YELLOW, CLI_GREEN } cli_style;
const char *cli_styled(bool color, cli_style style);

// --- writing (output.c) --------------------------------------------------------------------------------------------

// Refuses an output if its name has a suffix that is not one of the command's `endings`.
int cli_check_ending(cli_job *job, const char *path);
// Checks, before any work, the suffix of the output's name, and that the output's folder exists and is writable. Unless
// `force` is set, also makes sure that the output is none of the files read from now on. A verb may check several
// outputs, one after the other.
int cli_begin_output(cli_job *job, const char *path, bool force);
// Returns true if the output's name ends in .vrm or .glb. A .gltf input then becomes a GLB, as readers of VRM expect.
bool cli_wants_glb(const cli_job *job);
// Remembers an input file. Returns false if memory runs out.
bool cli_note_input(cli_job *job, const char *path);
// Refuses an output that is one of the input files, unless --force allows it.
int cli_guard_input(cli_job *job, const char *path);
// Prints why the output could not be written and returns the exit code.
int cli_fail_output(cli_job *job, const char *path, vrm_result result);
// Writes to a path, or to stdout for "-", and prints any failure. A file is written atomically: on an error the old
// file stays whole.
int cli_write_output(cli_job *job, const char *path, const void *bytes, size_t size);
// Like cli_write_output(), for a model made from another one. Prints a remark if readers of the output also need files
// beside the input.
int cli_write_model(cli_job *job, const cli_model *model, const char *path, const vrm_bytes *bytes);

// --- findings (findings.c) -----------------------------------------------------------------------------------------

// "error", "warning", "info", "hint", indexed by vrm_severity.
extern const char *const cli_severity_words[VRM_SEVERITY_COUNT];
// Returns the common name of a compression, such as "Draco" for KHR_draco_mesh_compression; NULL for other extensions.
const char *cli_compression_name(const char *extension);
// Adds the report as lines of text, the most severe findings first. `least` is the lowest severity shown.
void cli_findings_text(vrmi_text *out, const vrm_report *report, vrm_severity least, bool color);
// Adds the number of findings by severity: "1 error, 2 warnings, 0 infos, 0 hints".
void cli_finding_counts_text(vrmi_text *out, const vrm_report *report);
// Adds a finding as a JSON object with the member names of Khronos' report.
void cli_finding_json(cli_json *json, const vrm_finding *finding);
// Adds the members "findings" and "findingCounts" to a JSON object.
void cli_findings_json(cli_json *json, const vrm_report *report);
// Adds the report's findings to the record.
void cli_record_findings(cli_job *job);
// Prints the findings down to severity `least` on stderr under the path's name; with --quiet, only errors.
void cli_print_findings(cli_job *job, const char *path, vrm_severity least);

#endif
