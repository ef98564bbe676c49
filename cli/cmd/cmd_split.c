// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "cli.h"

typedef struct split_options {
    const char *output;
    bool force, repair;
} split_options;

// Prints on stderr how many primitives were split.
static void say_what_was_split(cli_job *job, const vrm_first_person_split *split)
{
    uint32_t primitives = 0;
    const uint32_t count = vrm_first_person_split_get_count(split);
    for (uint32_t i = 0; i < count; ++i) {
        vrm_first_person_primitive primitive = {.struct_size = sizeof primitive};
        (void)vrm_first_person_split_get_primitive(split, i, &primitive);
        primitives += primitive.indices != NULL;
    }
    if (primitives == 0) {
        cli_say(job, "no primitive had to be split; every mesh is now marked with the cameras that see it");
    } else {
        cli_say(job, count == 1 ? "%u of %u primitive split" : "%u of %u primitives split", primitives, count);
    }
}

static int split_model(cli_job *job, cli_model *model, const void *options_in)
{
    const char *output = ((const split_options *)options_in)->output;
    vrm_first_person_split_def def;
    vrm_first_person_split_def_default(&def);
    def.allocator = job->allocator;
    def.progress = cli_progress;
    def.progress_user = job;
    vrm_first_person_split *split = NULL;
    vrm_bytes bytes = {0};
    vrm_result result = vrm_first_person_split_create(&def, model->gltf, model->avatar, &split);
    if (result == VRM_SUCCESS) {
        result = vrm_first_person_split_write(split, model->gltf);
    }
    if (result == VRM_SUCCESS) {
        result = vrm_gltf_save(model->gltf, &bytes);
    }
    cli_progress_clear(job);
    int code;
    if (result == VRM_SUCCESS) {
        say_what_was_split(job, split);
        code = cli_write_model(job, model, output, &bytes);
    } else {
        code = cli_fail_vertices(job, model, result);
    }
    vrm_bytes_free(&bytes);
    vrm_first_person_split_destroy(split);
    return code;
}

static int run_split(const cli_inputs *inputs, const void *options_in, cli_job *job)
{
    const split_options *options = options_in;
    const cli_conversion conversion = {options->output, options->force, "OUT.glb",
        CLI_LOAD_AVATAR | (options->repair ? CLI_LOAD_REPAIRED : 0u), split_model};
    return cli_convert(job, inputs, &conversion, options);
}

static const cli_option options[] = {
    CLI_OUTPUT_OPTION(split_options, output, "OUT.glb", "; - for stdout"),
    CLI_FORCE_OPTION(split_options, force),
    CLI_REPAIR_OPTION(split_options, repair),
};

const cli_command cli_split = {
    .name = "split",
    .summary = "Split the head off the meshes that a first-person camera should see without it.",
    .arguments = "IN -o OUT.glb",
    .description =
        "A first-person camera sits in the wearer's head and must not see that head. For meshes that VRM marks auto, "
        "or does not mark, every engine therefore has to leave out the triangles that have a vertex weighted to the "
        "head bone or a bone below it. This command does that work once: each such mesh becomes two, a body that both "
        "kinds of camera see and a head that only third-person cameras see. Vertices, skins, materials, morph targets "
        "and springs stay as they are, expressions move both parts, and every mesh is then marked.\n\nThe output has "
        "the dialect (VRM 1.0, a draft, 0.x) of the input. A .gltf becomes a GLB with all its files inside if OUT ends "
        "in .vrm or .glb; otherwise it stays JSON text.",
    .examples = "vrm split avatar.vrm -o ready.vrm\n    for engines that read the marks but cannot split meshes\n",
    .min_inputs = 1,
    .max_inputs = 1,
    .options = options,
    .option_count = sizeof(options) / sizeof(options[0]),
    .options_size = sizeof(split_options),
    .run = run_split,
    .many = ".glb",
    .endings = ".vrm .glb .gltf",
};
