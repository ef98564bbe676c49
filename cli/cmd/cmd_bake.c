// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "cli.h"

typedef struct bake_options {
    const char *output;
    bool force, repair, t_pose;
    cli_dialect dialect;
} bake_options;

static int bake_model(cli_job *job, cli_model *model, const void *options_in)
{
    const bake_options *options = options_in;
    vrm_bake_params def;
    vrm_bake_params_default(&def);
    def.allocator = job->allocator;
    def.t_pose = options->t_pose;
    def.progress = cli_progress;
    def.progress_user = job;
    vrm_bytes bytes = {0};
    vrm_report_clear(job->report); // the input's findings have been printed already
    vrm_result result = vrm_bake(&def, model->gltf, model->avatar, job->report);
    if (result == VRM_SUCCESS) {
        result = vrm_gltf_save(model->gltf, &bytes);
    }
    cli_progress_clear(job);
    int code;
    if (result == VRM_SUCCESS) {
        cli_record_findings(job);
        cli_print_findings(job, model->path, VRM_SEVERITY_WARNING);
        code = cli_write_model(job, model, options->output, &bytes);
    } else if (result == VRM_ERROR_INVALID_ASSET) {
        code = cli_fail(job, CLI_EXIT_ASSET, "%s: a baked value would exceed the range of a float", model->path);
    } else {
        code = cli_fail_vertices(job, model, result);
    }
    vrm_bytes_free(&bytes);
    return code;
}

static int run_bake(const cli_inputs *inputs, const void *options_in, cli_job *job)
{
    const bake_options *options = options_in;
    const cli_conversion conversion = {options->output, options->force, "OUT.vrm",
        CLI_LOAD_AVATAR | (options->repair ? CLI_LOAD_REPAIRED : 0u), bake_model};
    job->dialect = options->dialect;
    return cli_convert(job, inputs, &conversion, options);
}

static const cli_option options[] = {
    CLI_OUTPUT_OPTION(bake_options, output, "OUT.vrm", "; - for stdout"),
    CLI_FORCE_OPTION(bake_options, force),
    CLI_REPAIR_OPTION(bake_options, repair),
    {.name = "t-pose",
        .type = CLI_FLAG,
        .offset = offsetof(bake_options, t_pose),
        .help = "First move arms, hands and fingers into the T-pose, and legs if they are far from it."},
    CLI_DIALECT_OPTIONS(bake_options, dialect),
};

const cli_command cli_bake = {
    .name = "bake",
    .summary = "Remove rotation and scale from every node (T-pose bake).",
    .arguments = "IN -o OUT.vrm",
    .description =
        "Every node keeps its position but loses its rotation and scale. The vertices take these over, so that the "
        "inverse bind matrices of skins become pure translations. Colliders, limits, constraints, the viewpoint and "
        "the file's animations are converted to the new axes; poses, springs, gaze and expressions move the model as "
        "before. Parts without rotation and scale are not changed.\n\nThe command reports what a bake cannot keep: a "
        "rest pose that differs from the pose in which a skin was bound, uneven scales, constraints about axes between "
        "those of the model.\n\nThe output has the dialect (VRM 0.x, a draft, 1.0) of the input. A .gltf becomes a GLB "
        "with all its files inside if OUT ends in .vrm or .glb; otherwise it stays JSON text.",
    .examples = "vrm bake avatar.vrm -o baked.vrm\n    for tools that want bones without rotations\nvrm bake "
                "a-pose.vrm --t-pose -o t-pose.vrm\n    a model whose rest pose has its arms down\n",
    .min_inputs = 1,
    .max_inputs = 1,
    .options = options,
    .option_count = sizeof(options) / sizeof(options[0]),
    .options_size = sizeof(bake_options),
    .run = run_bake,
    .many = ".vrm",
    .endings = ".vrm .glb .gltf",
};
