// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "cli.h"

#include <string.h>

typedef struct migrate_options {
    const char *output;
    bool force, repair;
    int turn; // vrm_half_turn
    cli_dialect dialect;
} migrate_options;

static int migrate_model(cli_job *job, cli_model *model, const void *options_in)
{
    const migrate_options *options = options_in;
    vrm_migrate_params def;
    vrm_migrate_params_default(&def);
    def.allocator = job->allocator;
    def.turn = (vrm_half_turn)options->turn;
    def.strict = job->common.strict;
    const char *dialect = vrm_avatar_get_dialect(model->avatar);
    vrm_bytes bytes = {0};
    vrm_report_clear(job->report); // the findings of the load have been printed already
    vrm_result result = vrm_migrate(&def, model->gltf, model->avatar, job->report);
    // Prints all findings, because the user has to judge what was approximated or left out.
    cli_record_findings(job);
    cli_print_findings(job, model->path, VRM_SEVERITY_INFO);
    if (result == VRM_ERROR_UNSUPPORTED && job->common.strict) {
        return cli_fail(job, CLI_EXIT_ASSET,
            "%s: VRM 1.0 cannot express everything in this file; nothing was written (--strict)", model->path);
    }
    if (result == VRM_SUCCESS) {
        result = vrm_gltf_save(model->gltf, &bytes);
    }
    cli_progress_clear(job);
    int code = cli_exit_of(job, result);
    if (result == VRM_SUCCESS) {
        code = cli_write_model(job, model, options->output, &bytes);
    } else {
        cli_fail(job, code, "%s: %s", model->path, cli_sentence_of(job, result));
    }
    if (code == CLI_EXIT_DONE) {
        cli_say(job,
            strcmp(dialect, "1.0") == 0 ? "the input is already VRM %s; it was written unchanged"
                                        : "converted from VRM %s to 1.0",
            dialect);
    }
    vrm_bytes_free(&bytes);
    return code;
}

static int run_migrate(const cli_inputs *inputs, const void *options_in, cli_job *job)
{
    const migrate_options *options = options_in;
    const cli_conversion conversion = {options->output, options->force, "OUT.vrm",
        CLI_LOAD_AVATAR | (options->repair ? CLI_LOAD_REPAIRED : 0u), migrate_model};
    job->dialect = options->dialect;
    return cli_convert(job, inputs, &conversion, options);
}

static const cli_option options[] = {
    CLI_OUTPUT_OPTION(migrate_options, output, "OUT.vrm", "; - for stdout"),
    CLI_FORCE_OPTION(migrate_options, force),
    CLI_REPAIR_OPTION(migrate_options, repair),
    {.name = "turn",
        .type = CLI_CHOICE,
        .offset = offsetof(migrate_options, turn),
        .choices = "data root",
        .help = "How a model of VRM 0.x is turned to face +Z. data (default): all its numbers are rotated; root: a new "
                "node above the roots has the rotation, and the vertices stay as they are."},
    CLI_DIALECT_OPTIONS(migrate_options, dialect),
};

const cli_command cli_migrate = {
    .name = "migrate",
    .summary = "Convert a file of VRM 0.x, of a draft or of a beta to VRM 1.0.",
    .arguments = "IN -o OUT.vrm",
    .description = "Everything that VRM describes is rewritten as VRM 1.0: bones, meta, expressions, look-at, springs, "
                   "constraints, MToon. Everything else stays: buffers, images, names, indices, extras and other "
                   "extensions. A model of 0.x is turned to face +Z.\n\nPermissions are never widened: each older term "
                   "becomes the strictest term of 1.0 that covers it, a Creative Commons licence grants nothing in the "
                   "terms of 1.0, and the older terms are kept in the file as text.\n\nA value that 1.0 cannot express "
                   "is replaced by the nearest one, and stderr reports the difference; with --strict the command fails "
                   "instead. A file of VRM 1.0 is written unchanged. A .gltf becomes a GLB with all its files inside "
                   "if OUT ends in .vrm or .glb; otherwise it stays JSON text.",
    .examples = "vrm migrate old.vrm -o new.vrm\n    most files\n"
                "vrm migrate old.vrm -o new.vrm --strict\n    only if nothing is lost\n",
    .min_inputs = 1,
    .max_inputs = 1,
    .options = options,
    .option_count = sizeof(options) / sizeof(options[0]),
    .options_size = sizeof(migrate_options),
    .run = run_migrate,
    .many = ".vrm",
    .endings = ".vrm .glb .gltf",
};
