// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "cli.h"
#include "engine.h"

typedef struct trace_options {
    const char *output;
    const char *motion;
    bool force;
    int profile; // vrm_profile
    cli_dialect dialect;
} trace_options;

// The ragdoll's body, if the script has one.
typedef struct trace_body {
    cli_job *job;
    const cli_model *model;
    scene_engine engine;
    int code; // exit code if there is no engine; its message is already printed
} trace_body;

static vrm_result begin_body(const vrm_trace_ragdoll *ragdoll, vrm_ragdoll_def *out_def, void *user)
{
    trace_body *body = user;
    const bool none = vrmi_string_equal(ragdoll->engine, "none"), ode = vrmi_string_equal(ragdoll->engine, "ode");
    const scene_engine_params params = {out_def, ragdoll->ground, body->job->allocator};
    scene_engine_make *make = NULL;
    if (!none && !ode && !vrmi_string_equal(ragdoll->engine, "light")) {
        return VRM_ERROR_NOT_FOUND;
    }
    if (!none) {
        body->code = cli_find_engine(body->job, ode ? CLI_ENGINE_ODE : CLI_ENGINE_LIGHT, &make);
    }
    if (body->code != CLI_EXIT_DONE) {
        return VRM_ERROR_UNSUPPORTED;
    }
    const vrm_string text = ragdoll->definition;
    const vrm_result result =
        text.length > 0
            ? vrm_ragdoll_def_from_json(body->model->avatar, text, &body->job->allocator, body->job->report, out_def)
            : vrm_ragdoll_def_build(body->model->avatar, body->model->gltf, NULL, body->job->report, out_def);
    if (result == VRM_ERROR_INVALID_ASSET && text.length == 0) { // the error is in the avatar, not in the script
        cli_print_findings(body->job, body->model->path, VRM_SEVERITY_ERROR);
        body->code =
            cli_fail(body->job, CLI_EXIT_ASSET, "%s: %s", body->model->path, cli_sentence_of(body->job, result));
    }
    return result == VRM_SUCCESS && make != NULL ? make(&params, &body->engine) : result;
}

static void step_body(const vrm_ragdoll_targets *targets, float dt, vrm_ragdoll_state *out_states, void *user)
{
    const scene_engine *engine = &((trace_body *)user)->engine;
    engine->step(engine->self, targets, dt, out_states);
}

static int trace(
    cli_job *job, const cli_model *model, vrm_clip *motion, const char *script_path, const trace_options *options)
{
    vrm_bytes script = {0}, out = {0};
    trace_body body = {.job = job, .model = model};
    vrm_result result;
    int code = cli_read_input(job, script_path, false, &script, &result);
    if (code != CLI_EXIT_DONE) {
        return code;
    }
    vrm_trace_params def;
    vrm_trace_params_default(&def);
    def.allocator = job->allocator;
    def.file = cli_file_name(model->path); // name without folders, so that traces do not differ between machines
    def.model = model->bytes.data;
    def.model_size = model->bytes.size;
    def.motion = motion;
    def.profile = (vrm_profile)options->profile;
    def.progress = cli_progress;
    def.progress_user = job;
    def.engine = (vrm_trace_engine){begin_body, step_body, &body};
    vrm_report_clear(job->report);
    if (script.size > UINT32_MAX) {
        result = VRM_ERROR_LIMIT;
    } else {
        const vrm_string text = {script.data, (uint32_t)script.size};
        result = vrm_trace_run(&def, model->avatar, text, job->report, &out);
    }
    cli_progress_clear(job);
    cli_record_findings(job);
    if (body.engine.self != NULL) {
        body.engine.end(body.engine.self);
    }
    if (body.code != CLI_EXIT_DONE) {
        code = body.code;
    } else if (result == VRM_SUCCESS) {
        code = cli_write_output(job, options->output, out.data, out.size);
    } else {
        cli_print_findings(job, script_path, VRM_SEVERITY_WARNING);
        // A script with errors is a usage error, not an asset with errors.
        code = cli_fail(job, result == VRM_ERROR_INVALID_ASSET ? CLI_EXIT_USAGE : cli_exit_of(job, result), "%s: %s",
            script_path, result == VRM_ERROR_INVALID_ASSET ? "the script has errors" : cli_sentence_of(job, result));
    }
    vrm_bytes_free(&out);
    vrm_bytes_free(&script);
    return code;
}

static int run_trace(const cli_inputs *inputs, const void *options, cli_job *job)
{
    const trace_options *o = options;
    cli_model model = {0};
    vrm_clip *motion = NULL;
    job->dialect = o->dialect;
    if (o->output == NULL) {
        return cli_fail(job, CLI_EXIT_USAGE, "no output: name a file with -o OUT.json");
    }
    int code = cli_begin_output(job, o->output, o->force);
    if (code == CLI_EXIT_DONE) {
        code = cli_load(job, inputs->items[0], CLI_LOAD_AVATAR | CLI_LOAD_PLAIN | CLI_LOAD_COOKED, &model);
    }
    if (code == CLI_EXIT_DONE) {
        code = cli_read_as(job, (vrm_profile)o->profile, &model);
    }
    if (code == CLI_EXIT_DONE && o->motion != NULL) {
        code = cli_load_clip(job, o->motion, NULL, &motion);
    }
    if (code == CLI_EXIT_DONE) {
        code = trace(job, &model, motion, inputs->items[1], o);
    }
    vrm_clip_release(motion);
    cli_model_free(&model);
    return code;
}

static const cli_option options[] = {
    CLI_OUTPUT_OPTION(trace_options, output, "OUT.json", "; - for stdout"),
    CLI_FORCE_OPTION(trace_options, force),
    {.name = "motion",
        .type = CLI_TEXT,
        .offset = offsetof(trace_options, motion),
        .value = "FILE",
        .help = "Play a .vrma, .bvh, .fbx, .dae or glTF animation from its start; the script's events are applied "
                "after it."},
    CLI_PROFILE_OPTION(trace_options, profile),
    CLI_DIALECT_OPTIONS(trace_options, dialect),
};

const cli_command cli_trace = {
    .name = "trace",
    .summary = "Run a script of inputs and write the numbers of every frame, to compare runtimes.",
    .arguments = "MODEL SCRIPT.json -o OUT.json",
    .description =
        "The script describes the inputs. The trace contains, by glTF index, the result of each frame: local and world "
        "transforms, expression weights, morphs, material values, gaze, spring tails and the bodies of a ragdoll. "
        "docs/trace.md describes both formats.\n\nOne of the inputs may be -. MODEL may be a cooked avatar (vrm cook). "
        "It has no vertices, so ragdoll bodies that the script does not define are sized by its bones.",
    .examples = "vrm trace avatar.vrm nod.json -o trace.json\n    300 frames of a nod\n",
    .min_inputs = 2,
    .max_inputs = 2,
    .endings = ".json",
    .options = options,
    .option_count = sizeof(options) / sizeof(options[0]),
    .options_size = sizeof(trace_options),
    .run = run_trace,
};
