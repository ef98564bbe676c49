// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "cli.h"

typedef struct cook_options {
    const char *output;
    bool force;
    cli_dialect dialect;
} cook_options;

static int cook_model(cli_job *job, cli_model *model, const void *options_in)
{
    const char *output = ((const cook_options *)options_in)->output;
    size_t size = 0;
    vrm_result result = vrm_avatar_save(model->avatar, NULL, &size);
    void *bytes = result == VRM_SUCCESS ? job->allocator.allocate(size, 16, job->allocator.user) : NULL;
    if (bytes == NULL) {
        result = result == VRM_SUCCESS ? VRM_ERROR_OUT_OF_MEMORY : result;
        return cli_fail(job, cli_exit_of(job, result), "%s: %s", model->path, cli_sentence_of(job, result));
    }
    (void)vrm_avatar_save(model->avatar, bytes, &size);
    cli_progress_clear(job);
    const int code = cli_write_output(job, output, bytes, size);
    job->allocator.release(bytes, size, job->allocator.user);
    return code;
}

static int run_cook(const cli_inputs *inputs, const void *options_in, cli_job *job)
{
    const cook_options *options = options_in;
    const cli_conversion conversion = {
        options->output, options->force, "OUT.vrmc", CLI_LOAD_AVATAR | CLI_LOAD_PLAIN, cook_model};
    job->dialect = options->dialect;
    return cli_convert(job, inputs, &conversion, options);
}

static const cli_option options[] = {
    CLI_DIALECT_OPTIONS(cook_options, dialect),
    CLI_OUTPUT_OPTION(cook_options, output, "OUT.vrmc", "; - for stdout"),
    CLI_FORCE_OPTION(cook_options, force),
};

const cli_command cli_cook = {
    .name = "cook",
    .summary = "Save an avatar in a form that programs open in microseconds.",
    .arguments = "IN -o OUT.vrmc",
    .description = "Writes the avatar as it is in memory after loading: nodes, humanoid, expressions, gaze, "
                   "constraints, spring bones and material values, checked and sorted, without meshes, images and "
                   "JSON. libvrm-runtime opens it without the rest of the library (vrm_avatar_open()), so that a game "
                   "does not have to include the glTF reader.\n\nA cooked avatar can be read only by the version of "
                   "libvrm that wrote it, on little-endian machines. Keep the model, so that you can cook it again.",
    .examples = "vrm cook avatar.vrm -o avatar.vrmc\n    for an engine that has the meshes in a format of its own\n",
    .min_inputs = 1,
    .max_inputs = 1,
    .options = options,
    .option_count = sizeof(options) / sizeof(options[0]),
    .options_size = sizeof(cook_options),
    .run = run_cook,
    .many = ".vrmc",
    .endings = ".vrmc",
};
