// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "cli.h"

typedef struct sample_options {
    const char *output;
    int64_t seed;
    bool minimal;
    int outfit, hair; // values of the library's enums
    double height;
} sample_options;

static int run_sample(const cli_inputs *inputs, const void *options_in, cli_job *job)
{
    const sample_options *options = options_in;
    const char *path = options->output;
    (void)inputs; // this verb has no inputs
    if (path == NULL) {
        return cli_fail(job, CLI_EXIT_USAGE, "no output: name a file with -o OUT.vrm");
    }
    if (options->minimal && (options->outfit != 0 || options->hair != 0 || options->height != 0.0)) {
        return cli_fail(job, CLI_EXIT_USAGE, "--minimal cannot be combined with --outfit, --hair or --height");
    }
    vrm_sample_params def;
    vrm_sample_params_default(&def);
    def.seed = (uint32_t)options->seed;
    def.allocator = job->allocator;
    def.detail = options->minimal ? VRM_SAMPLE_DETAIL_MINIMAL : VRM_SAMPLE_DETAIL_FULL;
    def.outfit = (vrm_sample_outfit)options->outfit;
    def.hair = (vrm_sample_hair)options->hair;
    def.height = (float)options->height;
    vrm_bytes bytes = {0};
    const int begun = cli_begin_output(job, path, false);
    if (begun != CLI_EXIT_DONE) {
        return begun;
    }
    const vrm_result result = vrm_sample_create(&def, &bytes);
    if (result != VRM_SUCCESS) {
        return cli_fail(job, cli_exit_of(job, result), "%s", cli_sentence_of(job, result));
    }
    const int code = cli_write_output(job, path, bytes.data, bytes.size);
    vrm_bytes_free(&bytes);
    return code;
}

static const cli_option options[] = {
    CLI_OUTPUT_OPTION(sample_options, output, "OUT.vrm", "; - for stdout"),
    {.name = "seed",
        .type = CLI_INTEGER,
        .offset = offsetof(sample_options, seed),
        .value = "N",
        .min = 0,
        .max = 4294967295.0,
        .help = "Vary colours, hair and proportions; 0, the default, is the figure in the README."},
    {.name = "outfit",
        .type = CLI_CHOICE,
        .offset = offsetof(sample_options, outfit),
        .choices = "by-seed uniform hoodie",
        .help = "Clothes (default by-seed)."},
    {.name = "hair",
        .type = CLI_CHOICE,
        .offset = offsetof(sample_options, hair),
        .choices = "by-seed long short",
        .help = "Hairstyle (default by-seed)."},
    {.name = "height",
        .type = CLI_NUMBER,
        .offset = offsetof(sample_options, height),
        .value = "METRES",
        .min = VRM_SAMPLE_MIN_HEIGHT,
        .max = VRM_SAMPLE_MAX_HEIGHT,
        .help = "Height from the soles to the top of the skull (default by seed)."},
    {.name = "minimal",
        .type = CLI_FLAG,
        .offset = offsetof(sample_options, minimal),
        .help = "Write a fixed figure of 4,000 triangles that has the same features, for tests and benchmarks."},
};

const cli_command cli_sample = {
    .name = "sample",
    .summary = "Write a generated avatar that uses every feature of VRM 1.0.",
    .arguments = "-o OUT.vrm",
    .description =
        "Makes a complete VRM 1.0 avatar from nothing: body, face, hair and skirt with springs, expressions, "
        "constraints, MToon materials. It is free of rights (CC0), and the same seed gives the same bytes on "
        "every machine.",
    .examples = "vrm sample -o avatar.vrm\n    the figure in the README\nvrm sample --seed 7 -o - | vrm inspect -\n    "
                "another one, piped into inspect\n",
    .min_inputs = 0,
    .max_inputs = 0,
    .endings = ".vrm .glb",
    .options = options,
    .option_count = sizeof(options) / sizeof(options[0]),
    .options_size = sizeof(sample_options),
    .run = run_sample,
};
