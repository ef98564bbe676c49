// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Plays one motion with every profile and compares each frame with the profile of the specification.

#include "runtime_points.h"

#include <math.h>

typedef struct compare_options {
    const char *motion;
    double duration;
    int format;
    cli_dialect dialect;
} compare_options;

typedef struct contestant {
    cli_model model; // a document of its own, read as this runtime reads it
    vrm_instance *instance;
    scene_stage_motion motion; // generated for this avatar
    vrm_clip_player *player;   // plays the comparison's clip; NULL without a clip
    vrm_transform *locals;
    double worst, at; // the largest difference in radians, and its time in seconds
    uint32_t node;
} contestant;

typedef struct comparison {
    cli_job *job;
    const compare_options *options;
    contestant by[VRM_PROFILE_COUNT];
    vrm_clip *clip; // clip of --motion; NULL for a built-in motion
    bool gazes;     // the clip moves the gaze
    double duration;
    uint32_t nodes;
} comparison;

static const char *const names[VRM_PROFILE_COUNT] = {"libvrm", "spec", "univrm", "three-vrm"};

// A clip is read once. A built-in motion is generated for each contestant's avatar.
static int begin_motion(comparison *c, contestant *one)
{
    const double longest = 600.0;
    if (c->clip == NULL) {
        const int code = cli_begin_motion(c->job, &one->model, c->options->motion, &one->motion, &c->clip);
        if (code != CLI_EXIT_DONE || c->clip == NULL) {
            return code;
        }
        vrm_clip_info info = {.struct_size = sizeof info};
        vrm_clip_get_info(c->clip, &info);
        c->gazes = info.has_gaze;
        if (c->options->duration < 0.0) {
            c->duration = fmin((double)info.duration, longest);
        }
    }
    vrm_clip_play_params play;
    vrm_clip_play_params_default(&play);
    play.wrap = VRM_CLIP_WRAP_HOLD;
    const vrm_result result = cli_play_clip(c->job, one->instance, c->clip, &play, &one->player);
    return result == VRM_SUCCESS ? CLI_EXIT_DONE
                                 : cli_fail(c->job, cli_exit_of(c->job, result), "%s", cli_sentence_of(c->job, result));
}

static int begin(comparison *c, const char *path)
{
    int code = CLI_EXIT_DONE;
    for (int p = 0; p < VRM_PROFILE_COUNT && code == CLI_EXIT_DONE; ++p) {
        contestant *one = &c->by[p];
        const uint32_t silent = p > 0 ? CLI_LOAD_SILENT : 0;
        code = cli_load(c->job, path, CLI_LOAD_AVATAR | CLI_LOAD_PLAIN | silent, &one->model);
        if (code != CLI_EXIT_DONE && silent != 0) { // the first load succeeded, so no error is printed yet
            cli_words words;
            return cli_fail(c->job, code, "%s: %s", path, cli_why_unloaded(c->job, one->model.result, &words));
        }
        code = code == CLI_EXIT_DONE ? cli_read_as(c->job, (vrm_profile)p, &one->model) : code;
        if (code != CLI_EXIT_DONE) {
            return code;
        }
        vrm_avatar_counts counts = {.struct_size = sizeof counts};
        vrm_avatar_get_counts(one->model.avatar, &counts);
        c->nodes = counts.nodes;
        vrm_instance_def def;
        vrm_instance_def_default(&def);
        def.avatar = one->model.avatar;
        def.allocator = c->job->allocator;
        const size_t size = (counts.nodes + 1) * sizeof *one->locals;
        one->locals = c->job->allocator.allocate(size, 16, c->job->allocator.user);
        const vrm_result result =
            one->locals != NULL ? vrm_instance_create(&def, &one->instance) : VRM_ERROR_OUT_OF_MEMORY;
        if (result != VRM_SUCCESS) {
            return cli_fail(c->job, cli_exit_of(c->job, result), "%s: %s", path, cli_sentence_of(c->job, result));
        }
        code = begin_motion(c, one);
    }
    return code;
}

static void end(comparison *c)
{
    for (int p = 0; p < VRM_PROFILE_COUNT; ++p) {
        contestant *one = &c->by[p];
        scene_stage_motion_end(&one->motion);
        vrm_instance_destroy(one->instance);
        vrm_clip_player_destroy(one->player);
        if (one->locals != NULL) {
            c->job->allocator.release(one->locals, (c->nodes + 1) * sizeof *one->locals, c->job->allocator.user);
        }
        cli_model_free(&one->model);
    }
    vrm_clip_release(c->clip);
}

// Returns the angle of the rotation from one to the other, radians.
static double angle_between(vrm_quat a, vrm_quat b)
{
    const double side =
        (double)a.x * b.x + (double)a.y * b.y + (double)a.z * b.z + (double)a.w * b.w < 0.0 ? -1.0 : 1.0;
    const double x = a.x - side * b.x, y = a.y - side * b.y, z = a.z - side * b.z, w = a.w - side * b.w;
    return 4.0 * asin(fmin(1.0, 0.5 * sqrt(x * x + y * y + z * z + w * w)));
}

static void measure(comparison *c, double time)
{
    const vrm_transform *spec = c->by[VRM_PROFILE_SPEC].locals;
    for (int p = 0; p < VRM_PROFILE_COUNT; ++p) {
        contestant *one = &c->by[p];
        for (uint32_t node = 0; node < c->nodes; ++node) {
            const double angle = angle_between(one->locals[node].rotation, spec[node].rotation);
            if (angle > one->worst) {
                one->worst = angle;
                one->at = time;
                one->node = node;
            }
        }
    }
}

static int run(comparison *c)
{
    const uint32_t frames = (uint32_t)fmax(1.0, round(c->duration * 60.0));
    for (uint32_t frame = 0; frame < frames; ++frame) {
        const double time = frame / 60.0;
        for (int p = 0; p < VRM_PROFILE_COUNT; ++p) {
            contestant *one = &c->by[p];
            const vrm_dvec3 target = {1.5 * sin(0.8 * time), 1.3 + 0.9 * sin(1.1 * time), 1.6};
            vrm_update_params params;
            vrm_update_params_default(&params);
            params.dt = frame > 0 ? 1.0f / 60.0f : 0.0f;
            params.profile = (vrm_profile)p;
            if (c->clip == NULL) {
                scene_stage_motion_apply(&one->motion, one->instance, time);
            }
            if (!c->gazes) {
                (void)vrm_instance_set_look_at_target(one->instance, &target);
            }
            vrm_update(one->instance, &params);
            (void)vrm_instance_write_locals(one->instance, 0, c->nodes, one->locals);
        }
        measure(c, time);
        if (!cli_progress((float)(frame + 1) / (float)frames, "frames", c->job)) {
            return cli_fail(
                c->job, cli_exit_of(c->job, VRM_ERROR_CANCELLED), "%s", cli_sentence_of(c->job, VRM_ERROR_CANCELLED));
        }
    }
    return CLI_EXIT_DONE;
}

static vrm_string name_of(const comparison *c, uint32_t index)
{
    vrm_node node = {.struct_size = sizeof node};
    (void)vrm_avatar_get_node(c->by[0].model.avatar, index, &node);
    return node.name;
}

static const double degrees = 180.0 / 3.14159265358979323846;

static void add_text(vrmi_text *out, const comparison *c)
{
    vrmi_text_format(out, "%s, %s for %g s, against spec:\n", c->by[0].model.path, c->options->motion, c->duration);
    for (int p = 0; p < VRM_PROFILE_COUNT; ++p) {
        const contestant *one = &c->by[p];
        if (p == VRM_PROFILE_SPEC) {
            continue;
        }
        vrmi_text_format(out, "  %s%s: ", names[p], p == VRM_PROFILE_UNIVRM ? " (from its source code, not run)" : "");
        vrmi_text_add_digits(out, one->worst * degrees, 3);
        vrmi_text_add_string(out, " degrees at most");
        if (one->worst > 0.0) {
            const vrm_string name = name_of(c, one->node);
            vrmi_text_add_string(out, ", ");
            cli_add_file_text(out, name.data, name.length);
            vrmi_text_add_string(out, " at ");
            vrmi_text_add_digits(out, one->at, 3);
            vrmi_text_add_string(out, " s");
        }
        vrmi_text_add_string(out, "\n");
    }
    vrmi_text_add_string(out, "differences that concern this file:\n");
    for (uint32_t i = 0; i < runtime_point_count; ++i) {
        const runtime_point *point = &runtime_points[i];
        const uint32_t count = point->count(&c->by[0].model);
        if (count == 0) {
            continue;
        }
        vrmi_text_format(out, "  %u %s:", count, point->name);
        for (int p = 0; p < VRM_PROFILE_COUNT; ++p) {
            const uint32_t bit = 1u << p;
            if (((point->shown | point->unknown) & bit) != 0) {
                vrmi_text_format(out, " %s%s", names[p], (point->unknown & bit) != 0 ? " (not shown)" : "");
            }
        }
        vrmi_text_add_string(out, "\n");
    }
}

static void add_json(vrmi_text *out, const comparison *c)
{
    cli_json json = {out, false};
    cli_json_open(&json, NULL, '{');
    cli_json_text(&json, "file", c->by[0].model.path);
    cli_json_text(&json, "motion", c->options->motion);
    cli_json_float(&json, "duration", (float)c->duration);
    cli_json_open(&json, "runtimes", '[');
    for (int p = 0; p < VRM_PROFILE_COUNT; ++p) {
        const contestant *one = &c->by[p];
        cli_json_open(&json, NULL, '{');
        cli_json_text(&json, "name", names[p]);
        cli_json_text(&json, "basis",
            p == VRM_PROFILE_UNIVRM      ? "its source, not run"
            : p == VRM_PROFILE_THREE_VRM ? "compared with the package"
                                         : "libvrm");
        cli_json_float(&json, "degrees", (float)(one->worst * degrees));
        cli_json_view(&json, "node", name_of(c, one->node));
        cli_json_float(&json, "seconds", (float)one->at);
        cli_json_close(&json, '}');
    }
    cli_json_close(&json, ']');
    cli_json_open(&json, "points", '[');
    for (uint32_t i = 0; i < runtime_point_count; ++i) {
        const runtime_point *point = &runtime_points[i];
        const uint32_t count = point->count(&c->by[0].model);
        if (count == 0) {
            continue;
        }
        cli_json_open(&json, NULL, '{');
        cli_json_text(&json, "name", point->name);
        cli_json_uint(&json, "count", count);
        for (int shown = 1; shown >= 0; --shown) {
            cli_json_open(&json, shown ? "shown" : "unknown", '[');
            for (int p = 0; p < VRM_PROFILE_COUNT; ++p) {
                if (((shown ? point->shown : point->unknown) & 1u << p) != 0) {
                    cli_json_text(&json, NULL, names[p]);
                }
            }
            cli_json_close(&json, ']');
        }
        cli_json_close(&json, '}');
    }
    cli_json_close(&json, ']');
    cli_json_close(&json, '}');
    vrmi_text_add_string(out, "\n");
}

static int run_compare(const cli_inputs *inputs, const void *options, cli_job *job)
{
    comparison c = {.job = job, .options = options};
    c.duration = c.options->duration >= 0.0 ? c.options->duration : 5.0;
    job->dialect = c.options->dialect;
    int code = begin(&c, inputs->items[0]);
    code = code == CLI_EXIT_DONE ? run(&c) : code;
    cli_progress_clear(job);
    if (code == CLI_EXIT_DONE) {
        vrmi_text out;
        vrmi_text_init(&out, &job->allocator);
        (c.options->format == 1 ? add_json : add_text)(&out, &c);
        cli_print(&out);
        vrmi_text_free(&out);
    }
    end(&c);
    return code;
}

static void defaults(void *options)
{
    compare_options *o = options;
    o->motion = "sway";
    o->duration = -1.0;
}

static const cli_option options[] = {
    {.name = "motion",
        .type = CLI_TEXT,
        .offset = offsetof(compare_options, motion),
        .value = "NAME|FILE",
        .help = "What the avatar does: sway (default), another motion of vrm simulate, or a .vrma, .bvh, .fbx, .dae or "
                "glTF animation."},
    {.name = "duration",
        .type = CLI_NUMBER,
        .offset = offsetof(compare_options, duration),
        .value = "S",
        .min = 0.1,
        .max = 600,
        .help = "Seconds of motion to compare (default 5, or the length of the motion file, at most 600)."},
    {.name = "format",
        .type = CLI_CHOICE,
        .offset = offsetof(compare_options, format),
        .choices = "text json",
        .help = "Output format (default text)."},
    CLI_DIALECT_OPTIONS(compare_options, dialect),
};

const cli_command cli_compare_runtimes = {
    .name = "compare-runtimes",
    .summary = "Show how other runtimes would move an avatar.",
    .arguments = "MODEL",
    .description =
        "Moves the avatar with the same motion and gaze by the specification's algorithm, by libvrm, and by the "
        "profiles of UniVRM and three-vrm. Prints for each the bone that differs most from the specification. Then "
        "lists the known differences that concern this file, with the runtimes that have them; \"not shown\" marks a "
        "difference that the runtime's profile does not reproduce. The profile of UniVRM follows its source code; "
        "UniVRM itself was not run. docs/profiles.md lists all differences.",
    .examples = "vrm compare-runtimes avatar.vrm\n    the bone that differs most, for each runtime\n",
    .min_inputs = 1,
    .max_inputs = 1,
    .options = options,
    .option_count = sizeof(options) / sizeof(options[0]),
    .options_size = sizeof(compare_options),
    .defaults = defaults,
    .run = run_compare,
};
