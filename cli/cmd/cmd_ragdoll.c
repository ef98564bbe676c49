// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include <string.h>

#include "cli.h"

typedef struct ragdoll_options {
    const char *output, *edit;
    bool force;
    int detail; // vrm_ragdoll_detail
    int format;
    double mass;
} ragdoll_options;

enum { FORMAT_TEXT, FORMAT_JSON };

static const double degrees = 57.295779513082320877;

// --- text ------------------------------------------------------------------------------------------------------------

static void add_padded(vrmi_text *out, const char *text, size_t width)
{
    vrmi_text_add_string(out, text);
    for (size_t i = strlen(text); i < width; ++i) {
        vrmi_text_add_string(out, " ");
    }
}

static void add_millimetres(vrmi_text *out, float metres)
{
    vrmi_text_add_int(out, (int64_t)(metres * 1000.0f + 0.5f));
}

static void add_range(vrmi_text *out, const char *name, float low, float high)
{
    char text[64];
    const int a = (int)((double)low * degrees + (low < 0.0f ? -0.5 : 0.5));
    const int b = (int)((double)high * degrees + (high < 0.0f ? -0.5 : 0.5));
    vrmi_text_add_string(out, vrmi_format(text, sizeof text, " %s %d to %d", name, a, b));
}

static void add_shape(vrmi_text *out, const vrm_ragdoll_shape *shape)
{
    vrmi_text cell;
    vrmi_text_init(&cell, &out->allocator);
    if (shape->type == VRM_RAGDOLL_SHAPE_CAPSULE) {
        vrmi_text_add_string(&cell, "capsule ");
        add_millimetres(&cell, shape->radius);
        vrmi_text_add_string(&cell, ", ");
        add_millimetres(&cell, 2.0f * shape->half_length);
    } else {
        vrmi_text_add_string(&cell, "box ");
        add_millimetres(&cell, 2.0f * shape->half_extents.x);
        vrmi_text_add_string(&cell, " x ");
        add_millimetres(&cell, 2.0f * shape->half_extents.y);
        vrmi_text_add_string(&cell, " x ");
        add_millimetres(&cell, 2.0f * shape->half_extents.z);
    }
    add_padded(out, cell.data != NULL ? cell.data : "", 22);
    vrmi_text_free(&cell);
}

static void add_joint(vrmi_text *out, const vrm_ragdoll_joint *joint)
{
    if (joint->type == VRM_RAGDOLL_JOINT_FREE) {
        vrmi_text_add_string(out, "free");
    } else if (joint->type == VRM_RAGDOLL_JOINT_HINGE) {
        vrmi_text_add_string(out, "hinge");
        add_range(out, "angle", joint->min_angle, joint->max_angle);
    } else {
        vrmi_text_add_string(out, "cone");
        add_range(out, "y", joint->center_y - joint->swing_y, joint->center_y + joint->swing_y);
        add_range(out, "z", joint->center_z - joint->swing_z, joint->center_z + joint->swing_z);
        add_range(out, "twist", joint->min_angle, joint->max_angle);
    }
}

static void add_text(vrmi_text *out, const char *path, const vrm_ragdoll_def *def, bool color)
{
    double total = 0.0;
    for (uint32_t i = 0; i < def->body_count; ++i) {
        total += (double)def->bodies[i].mass;
    }
    vrmi_text_add_string(out, cli_styled(color, CLI_BOLD));
    cli_add_file_text(out, path, strlen(path));
    vrmi_text_add_string(out, cli_styled(color, CLI_PLAIN));
    vrmi_text_format(out, def->body_count == 1 ? "\n%u body, " : "\n%u bodies, ", def->body_count);
    vrmi_text_add_digits(out, (double)def->height, 3);
    vrmi_text_add_string(out, " m, ");
    vrmi_text_add_digits(out, total, 3);
    vrmi_text_add_string(out, " kg\n");
    add_padded(out, "bone", 26);
    add_padded(out, "hangs on", 26);
    add_padded(out, "kg", 8);
    add_padded(out, "shape, mm", 22);
    vrmi_text_add_string(out, "joint, degrees from the T-pose\n");
    for (uint32_t i = 0; i < def->body_count; ++i) {
        const vrm_ragdoll_body *body = &def->bodies[i];
        vrmi_text mass;
        vrmi_text_init(&mass, &out->allocator);
        vrmi_text_add_digits(&mass, (double)body->mass, 3);
        add_padded(out, vrm_human_bone_name(body->bone), 26);
        add_padded(out, body->parent >= 0 ? vrm_human_bone_name(def->bodies[body->parent].bone) : "", 26);
        add_padded(out, mass.data != NULL ? mass.data : "", 8);
        add_shape(out, &body->shape);
        add_joint(out, &body->joint);
        vrmi_text_add_string(out, "\n");
        vrmi_text_free(&mass);
    }
}

// --- work ------------------------------------------------------------------------------------------------------------

// Applies --edit. Findings in that file are printed under its name.
static int edit(cli_job *job, const cli_model *model, const char *path, vrm_ragdoll_def *def)
{
    vrm_bytes bytes = {0};
    vrm_result result;
    int code = cli_read_input(job, path, false, &bytes, &result);
    if (code == CLI_EXIT_DONE) {
        const vrm_string text = {bytes.data != NULL ? (const char *)bytes.data : "", (uint32_t)bytes.size};
        result = bytes.size > UINT32_MAX
                     ? VRM_ERROR_LIMIT
                     : vrm_ragdoll_def_edit_json(model->avatar, text, &job->allocator, job->report, def);
        cli_record_findings(job);
        cli_print_findings(job, path, VRM_SEVERITY_WARNING);
        code = cli_exit_of(job, result);
        if (code != CLI_EXIT_DONE) {
            cli_fail(job, code, "%s: %s", path, cli_sentence_of(job, result));
        }
    }
    vrm_bytes_free(&bytes);
    return code;
}

static int build(cli_job *job, const cli_model *model, const ragdoll_options *options, vrm_ragdoll_def *def)
{
    vrm_ragdoll_build_params params;
    vrm_ragdoll_build_params_default(&params);
    params.detail = (vrm_ragdoll_detail)options->detail;
    params.mass = (float)options->mass;
    params.allocator = job->allocator;
    vrm_report_clear(job->report); // the model's findings are recorded already
    const vrm_result result = vrm_ragdoll_def_build(model->avatar, model->gltf, &params, job->report, def);
    cli_record_findings(job);
    if (result != VRM_SUCCESS) {
        cli_print_findings(job, model->path, VRM_SEVERITY_ERROR);
        return cli_fail(job, cli_exit_of(job, result), "%s: %s", model->path, cli_sentence_of(job, result));
    }
    return options->edit != NULL ? edit(job, model, options->edit, def) : CLI_EXIT_DONE;
}

static int write(cli_job *job, const cli_model *model, const ragdoll_options *options, const vrm_ragdoll_def *def)
{
    int code = CLI_EXIT_DONE;
    if (options->output != NULL || options->format == FORMAT_JSON) {
        vrm_bytes json = {0};
        const vrm_result result = vrm_ragdoll_def_to_json(def, &job->allocator, &json);
        if (result != VRM_SUCCESS) {
            return cli_fail(job, cli_exit_of(job, result), "%s: %s", model->path, cli_sentence_of(job, result));
        }
        if (options->output != NULL) {
            code = cli_write_output(job, options->output, json.data, json.size);
        } else {
            vrmi_text text;
            vrmi_text_init(&text, &job->allocator);
            vrmi_text_add(&text, json.data, json.size);
            cli_print(&text);
            vrmi_text_free(&text);
        }
        vrm_bytes_free(&json);
        return code;
    }
    vrmi_text text;
    vrmi_text_init(&text, &job->allocator);
    add_text(&text, model->path, def, job->color);
    cli_print(&text);
    vrmi_text_free(&text);
    return code;
}

static int run_ragdoll(const cli_inputs *inputs, const void *options_in, cli_job *job)
{
    vrm_ragdoll_def def = {.struct_size = sizeof def};
    cli_model model = {0};
    const ragdoll_options *o = options_in;
    int code = o->output != NULL ? cli_begin_output(job, o->output, o->force) : CLI_EXIT_DONE;
    if (code == CLI_EXIT_DONE) {
        code = cli_load(job, inputs->items[0], CLI_LOAD_AVATAR | CLI_LOAD_COOKED, &model);
    }
    if (code == CLI_EXIT_DONE) {
        code = build(job, &model, o, &def);
    }
    if (code == CLI_EXIT_DONE) {
        code = write(job, &model, o, &def);
    }
    cli_model_free(&model);
    return code;
}

static const cli_option options[] = {
    {.name = "detail",
        .type = CLI_CHOICE,
        .offset = offsetof(ragdoll_options, detail),
        .choices = "16 11 7 all",
        .help = "Number of bodies (default 16); all: every humanoid bone except eyes and jaw."},
    {.name = "mass",
        .type = CLI_NUMBER,
        .offset = offsetof(ragdoll_options, mass),
        .value = "KG",
        .min = 0.001,
        .max = 1000000,
        .help = "Mass of the whole body (default: 21.5 kg/m^2 times the height squared)."},
    {.name = "edit",
        .type = CLI_TEXT,
        .offset = offsetof(ragdoll_options, edit),
        .value = "FILE",
        .help = "Change the definition by a JSON file of the same structure; members missing from the file keep their "
                "values."},
    {.name = "format",
        .type = CLI_CHOICE,
        .offset = offsetof(ragdoll_options, format),
        .choices = "text json",
        .help = "Print a table, or the whole definition as JSON."},
    CLI_OUTPUT_OPTION(ragdoll_options, output, "FILE", "; - for stdout. The format is JSON"),
    CLI_FORCE_OPTION(ragdoll_options, force),
};

const cli_command cli_ragdoll = {
    .name = "ragdoll",
    .summary = "Show or write a ragdoll's bodies and joints.",
    .arguments = "FILE",
    .description =
        "Builds a ragdoll from the body without hair and clothes: capsules and boxes around the vertices that follow "
        "each bone, masses from the height, joints with anatomical limits. Hair, skirts and everything else that "
        "springs move are left out. A cooked avatar (vrm cook) has no vertices; its bodies are sized by the "
        "bones.\n\nThe JSON contains every number. Edit it by hand, or change some members with --edit.",
    .examples = "vrm ragdoll avatar.vrm\n    a table of its bodies\nvrm ragdoll avatar.vrm -o avatar.ragdoll.json\n    "
                "all numbers, for editing\nvrm ragdoll avatar.vrm --edit heavy.json --format json\n    with a part of "
                "them changed\n",
    .min_inputs = 1,
    .max_inputs = 1,
    .options = options,
    .option_count = sizeof(options) / sizeof(options[0]),
    .options_size = sizeof(ragdoll_options),
    .run = run_ragdoll,
    .many = "",
    .endings = ".json",
};
