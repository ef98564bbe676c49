// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include <string.h>

#include "cli.h"
#include "fall.h"
#include "look.h"

typedef struct simulate_options {
    const char *output;
    double duration, fps;
    const char *motion; // name of a built-in motion, or a file
    bool loop, feet, force, repair;
    cli_list expressions;
    const char *look_at; // "x,y,z" or a file; NULL: a point in front of the face
    int look_chain;      // 0: none; otherwise a preset + 1
    double look_weight;
    bool look_debug, no_look_at, no_blink, pointer;
    int time, lod;
    int profile; // vrm_profile
    fall_options fall;
    cli_dialect dialect;
} simulate_options;

// --expression NAME=W@T: from time T on, the expression fades to weight W.
typedef struct expression_key {
    uint32_t expression;
    double weight, time;
} expression_key;

// Seconds in which an expression fades to its new weight. A sudden change would look like a fault.
static const double fade_seconds = 0.15;

typedef struct simulation {
    cli_job *job;
    const simulate_options *options;
    cli_model model;
    vrm_instance *instance;
    vrm_recorder *recorder;
    look_path path;
    look_lines lines;
    scene_stage_motion motion;
    vrm_clip *clip; // the clip of --motion; NULL for a built-in motion
    vrm_clip_player *player;
    fall fall;
    double duration;
    expression_key *keys; // sorted by time
    uint32_t key_count;
} simulation;

// Splits "NAME=W@T" from the right, since names may contain any character. Returns false if the text does not have that
// form.
static bool parse_key(simulation *s, const char *text, expression_key *out)
{
    const char *at = strrchr(text, '@');
    const size_t head = at != NULL ? (size_t)(at - text) : strlen(text);
    size_t equals = head;
    while (equals > 0 && text[equals - 1] != '=') {
        --equals;
    }
    if (equals < 2) {
        return false;
    }
    const size_t weight_length = head - equals;
    const size_t time_length = at != NULL ? strlen(at + 1) : 0;
    *out = (expression_key){0};
    if (weight_length == 0 || vrmi_parse_double(text + equals, weight_length, &out->weight) != weight_length ||
        !(out->weight >= 0.0 && out->weight <= 1.0)) {
        return false;
    }
    if (at != NULL && (time_length == 0 || vrmi_parse_double(at + 1, time_length, &out->time) != time_length ||
                          !(out->time >= 0.0))) {
        return false;
    }
    const int32_t expression = vrm_avatar_find_expression(s->model.avatar, text, equals - 1);
    out->expression = (uint32_t)expression;
    return expression >= 0;
}

static int list_names(simulation *s, const char *text)
{
    vrmi_text names;
    vrmi_text_init(&names, &s->job->allocator);
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(s->model.avatar, &counts);
    for (uint32_t i = 0; i < counts.expressions; ++i) {
        vrm_expression expression = {.struct_size = sizeof expression};
        (void)vrm_avatar_get_expression(s->model.avatar, i, &expression);
        vrmi_text_add_string(&names, i > 0 ? ", " : "");
        vrmi_text_add(&names, expression.name.data, expression.name.length);
    }
    const int code = cli_fail(s->job, CLI_EXIT_USAGE,
        "--expression %s: expected NAME=W@T with W from 0 to 1, T in seconds and NAME one of: %s", text,
        names.data != NULL ? names.data : "(the avatar has none)");
    vrmi_text_free(&names);
    return code;
}

static int read_keys(simulation *s)
{
    const cli_list *list = &s->options->expressions;
    for (uint32_t i = 0; i < list->count; ++i) {
        expression_key key;
        if (!parse_key(s, list->items[i], &key)) {
            return list_names(s, list->items[i]);
        }
        uint32_t at = s->key_count++;
        for (; at > 0 && s->keys[at - 1].time > key.time; --at) {
            s->keys[at] = s->keys[at - 1];
        }
        s->keys[at] = key;
    }
    return CLI_EXIT_DONE;
}

static bool clip_moves_face(const simulation *s)
{
    vrm_clip_info info = {.struct_size = sizeof info};
    if (s->clip != NULL) {
        vrm_clip_get_info(s->clip, &info);
    }
    return info.expressions > 0;
}

// Without --expression the face smiles in the middle of the recording.
static void add_smile(simulation *s)
{
    const int32_t happy = vrm_avatar_find_preset(s->model.avatar, VRM_EXPRESSION_PRESET_HAPPY);
    if (happy >= 0 && s->options->expressions.count == 0 && !clip_moves_face(s)) {
        s->keys[0] = (expression_key){(uint32_t)happy, 1.0, 0.35 * s->duration};
        s->keys[1] = (expression_key){(uint32_t)happy, 0.0, 0.75 * s->duration};
        s->key_count = 2;
    }
}

// Returns the weight of a fade that began at `start`.
static double faded(double from, double to, double start, double time)
{
    const double part = (time - start) / fade_seconds;
    return part < 1.0 ? from + (to - from) * part : to;
}

// Returns the weight of an expression at a time, from its sorted keys.
static double weight_at(const simulation *s, uint32_t expression, double time)
{
    double from = 0.0, to = 0.0, start = 0.0;
    for (uint32_t i = 0; i < s->key_count && s->keys[i].time <= time; ++i) {
        if (s->keys[i].expression == expression) {
            from = faded(from, to, start, s->keys[i].time);
            to = s->keys[i].weight;
            start = s->keys[i].time;
        }
    }
    return faded(from, to, start, time);
}

static void apply_expressions(simulation *s, double time)
{
    for (uint32_t i = 0; i < s->key_count; ++i) {
        const uint32_t expression = s->keys[i].expression;
        (void)vrm_instance_set_expression(
            s->instance, VRM_EXPRESSION_LAYER_HOST, expression, (float)weight_at(s, expression, time));
    }
}

static void set_gaze(simulation *s, double time)
{
    if (s->options->no_look_at) {
        return;
    }
    vrm_clip_info clip = {.struct_size = sizeof clip};
    if (s->clip != NULL) {
        vrm_clip_get_info(s->clip, &clip);
    }
    if (clip.has_gaze && s->path.count == 0 && s->options->look_chain == 0) {
        return; // keep the motion's own gaze
    }
    vrm_dvec3 target;
    if (s->path.count > 0) {
        look_path_at(&s->path, time, &target);
    } else {
        vrm_avatar_body body = {.struct_size = sizeof body};
        vrm_avatar_get_body(s->model.avatar, &body);
        target.x = 0.0;
        target.y = (double)body.eye_height;
        target.z = 1.5 * (double)(body.eye_height > 0.1f ? body.eye_height : 0.1f);
    }
    (void)vrm_instance_set_look_at_target(s->instance, &target);
}

static uint32_t frame_count(const simulation *s)
{
    return (uint32_t)(s->duration * s->options->fps + 0.5) + 1;
}

static vrm_result set_look_chain(simulation *s)
{
    if (s->options->look_chain == 0) {
        return VRM_SUCCESS;
    }
    vrm_look_chain_def def = {.struct_size = sizeof def};
    vrm_look_bone bones[VRM_LOOK_CHAIN_PRESET_BONES];
    const vrm_look_chain_preset preset = (vrm_look_chain_preset)(s->options->look_chain - 1);
    const vrm_result result = vrm_look_chain_preset_def(s->model.avatar, preset, &def, bones);
    if (result == VRM_ERROR_NOT_FOUND) {
        cli_say(s->job, "--look-chain: the avatar has none of the bones of this chain");
        return VRM_SUCCESS;
    }
    def.weight = (float)s->options->look_weight;
    def.draw_debug = s->options->look_debug;
    if (s->options->look_debug) {
        look_lines_begin(s->job, &s->lines, 2 * def.bone_count, frame_count(s));
    }
    return result == VRM_SUCCESS ? vrm_instance_set_look_chain(s->instance, &def, NULL) : result;
}

static vrm_result play_clip(simulation *s)
{
    vrm_clip_play_params play;
    vrm_clip_play_params_default(&play);
    play.wrap = s->options->loop ? VRM_CLIP_WRAP_LOOP : VRM_CLIP_WRAP_HOLD;
    const vrm_result result = cli_play_clip(s->job, s->instance, s->clip, &play, &s->player); // layer 1: getting up
    return result == VRM_SUCCESS && s->options->feet ? cli_plant_feet(s->player) : result;
}

static vrm_result prepare(simulation *s)
{
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = s->model.avatar;
    def.allocator = s->job->allocator;
    def.look_chain_bones = VRM_LOOK_CHAIN_PRESET_BONES;
    def.ragdoll_bodies = s->options->fall.on ? VRM_RAGDOLL_MAX_BODIES : 0;
    vrm_result result = vrm_instance_create(&def, &s->instance);
    if (result != VRM_SUCCESS) {
        return result;
    }
    (void)vrm_instance_set_lod(s->instance, (vrm_lod)s->options->lod);
    vrm_recorder_def recorder;
    vrm_recorder_def_default(&recorder);
    recorder.allocator = s->job->allocator;
    recorder.pointers = s->options->pointer;
    result = vrm_recorder_create(&recorder, s->model.avatar, &s->recorder);
    if (result == VRM_SUCCESS) {
        vrm_blink_params blink;
        vrm_blink_params_default(&blink);
        blink.enabled = !s->options->no_blink;
        result = vrm_instance_set_blink(s->instance, &blink);
    }
    set_gaze(s, 0.0);
    result = result == VRM_SUCCESS ? set_look_chain(s) : result;
    result = result == VRM_SUCCESS && s->clip != NULL ? play_clip(s) : result;
    const float feet = s->options->feet ? 1.0f : 0.0f;
    return result == VRM_SUCCESS && s->options->fall.on ? fall_begin(&s->fall, &s->model, s->instance, s->player, feet)
                                                        : result;
}

static vrm_result run_frames(simulation *s)
{
    const simulate_options *o = s->options;
    const uint32_t frames = frame_count(s);
    vrm_update_params params;
    vrm_update_params_default(&params);
    params.profile = (vrm_profile)o->profile;
    params.spring_time = o->time == 1 ? VRM_SPRING_TIME_REFERENCE : VRM_SPRING_TIME_DEFAULT;
    vrm_result result = vrm_instance_settle_springs(s->instance, 2.0f); // hair is at rest when the recording begins
    for (uint32_t frame = 0; frame < frames && result == VRM_SUCCESS; ++frame) {
        const double time = (double)frame / o->fps;
        fall_advance(&s->fall, time, 1.0 / o->fps);
        if (s->clip == NULL) {
            scene_stage_motion_apply(&s->motion, s->instance, time);
        }
        apply_expressions(s, time);
        set_gaze(s, time);
        if (o->fall.on) {
            fall_frame(&s->fall, &params);
        } else {
            vrm_update(s->instance, &params);
        }
        params.dt = (float)(1.0 / o->fps); // no time has passed in the first frame
        look_lines_add(&s->lines, s->instance, time);
        result = vrm_recorder_add(s->recorder, s->instance, time);
        if (result == VRM_SUCCESS && !cli_progress((float)(frame + 1) / (float)frames, "frames", s->job)) {
            result = VRM_ERROR_CANCELLED;
        }
    }
    return result;
}

// Says which joint the clip bends farthest beyond the limits of the ragdoll.
static vrm_result say_beyond_limits(simulation *s)
{
    const vrm_ragdoll_def *def = s->fall.def;
    vrm_instance_def instance_def;
    vrm_instance_def_default(&instance_def);
    instance_def.avatar = s->model.avatar;
    instance_def.allocator = s->job->allocator;
    vrm_instance *instance = NULL;
    scene_stage_motion motion = {0};
    vrm_result result = vrm_instance_create(&instance_def, &instance);
    if (result == VRM_SUCCESS) {
        result = scene_stage_motion_begin_clip(&motion, s->clip, s->model.avatar);
    }
    double largest = 1.0; // smaller angles cannot be seen
    double when = 0.0;
    const vrm_ragdoll_body *worst = NULL;
    vrm_update_params params;
    vrm_update_params_default(&params);
    params.dt = 0.0f;
    const uint32_t frames = frame_count(s);
    for (uint32_t frame = 0; frame < frames && result == VRM_SUCCESS; ++frame) {
        vrm_ragdoll_state pose[VRM_RAGDOLL_MAX_BODIES];
        scene_stage_motion_apply(&motion, instance, (double)frame / s->options->fps);
        vrm_update(instance, &params);
        vrm_ragdoll_get_pose_states(def, instance, pose);
        for (uint32_t i = 1; i < def->body_count; ++i) {
            const vrm_ragdoll_body *body = &def->bodies[i];
            const double beyond =
                scene_ragdoll_beyond_limit(&body->joint, pose[body->parent].rotation, pose[i].rotation);
            if (beyond > largest) {
                largest = beyond;
                when = (double)frame / s->options->fps;
                worst = body;
            }
        }
    }
    if (worst != NULL) {
        cli_say(s->job, "%s bends %s by %d degrees beyond the ragdoll's limit at %g s; the limits widen to the motion",
            s->options->motion, vrm_human_bone_name(worst->bone), (int)(largest + 0.5),
            (double)(int)(100.0 * when + 0.5) / 100.0);
    }
    scene_stage_motion_end(&motion);
    vrm_instance_destroy(instance);
    return result;
}

static void say_what_is_missing(simulation *s)
{
    for (uint32_t i = 0; i < vrm_report_get_count(s->job->report); ++i) {
        const vrm_finding *finding = vrm_report_get_finding(s->job->report, i);
        if (finding->id == VRM_FINDING_ANIMATION_NOT_BAKED) {
            cli_say(s->job, "%s: %s changes, but core glTF cannot animate it; use --pointer", finding->path,
                finding->found);
        }
    }
}

static int write_result(simulation *s)
{
    vrm_report_clear(s->job->report);
    vrm_bytes bytes = {0};
    vrm_result result = vrm_recorder_write(s->recorder, s->model.gltf, s->job->report);
    if (result == VRM_SUCCESS) {
        result = vrm_gltf_save(s->model.gltf, &bytes);
    }
    if (result == VRM_SUCCESS) {
        result = look_lines_write(s->job, &s->lines, &bytes);
    }
    if (result != VRM_SUCCESS) {
        return cli_fail(s->job, cli_exit_of(s->job, result), "%s: %s", s->model.path, cli_sentence_of(s->job, result));
    }
    cli_progress_clear(s->job);
    say_what_is_missing(s);
    const int code = cli_write_model(s->job, &s->model, s->options->output, &bytes);
    vrm_bytes_free(&bytes);
    return code;
}

static int simulate(simulation *s)
{
    int code = read_keys(s);
    if (code == CLI_EXIT_DONE) {
        code = fall_read(&s->fall, &s->model, s->duration);
    }
    if (code != CLI_EXIT_DONE) {
        fall_free(&s->fall);
        return code;
    }
    add_smile(s);
    vrm_result result = prepare(s);
    if (result == VRM_SUCCESS && s->options->fall.on && s->clip != NULL && !s->job->common.quiet) {
        result = say_beyond_limits(s);
    }
    if (result == VRM_SUCCESS) {
        result = run_frames(s);
    }
    code = result == VRM_SUCCESS ? write_result(s)
                                 : cli_fail(s->job, cli_exit_of(s->job, result), "%s: %s", s->model.path,
                                       cli_sentence_of(s->job, result));
    fall_free(&s->fall);
    vrm_clip_player_destroy(s->player);
    look_lines_free(s->job, &s->lines);
    vrm_recorder_destroy(s->recorder);
    vrm_instance_destroy(s->instance);
    return code;
}

// Reads --motion, a name or a file, and sets the length of the recording.
static int choose_motion(simulation *s)
{
    const simulate_options *o = s->options;
    s->duration = o->duration >= 0.0 ? o->duration : 5.0;
    const int code = cli_begin_motion(s->job, &s->model, o->motion, &s->motion, &s->clip);
    if (code == CLI_EXIT_DONE && s->clip != NULL && o->duration < 0.0) {
        vrm_clip_info info = {.struct_size = sizeof info};
        vrm_clip_get_info(s->clip, &info);
        s->duration = info.duration < 3600.0f ? (double)info.duration : 3600.0;
    }
    return code;
}

static int run_simulate(const cli_inputs *inputs, const void *options_in, cli_job *job)
{
    simulation s = {.job = job, .options = options_in};
    if (s.options->output == NULL) {
        return cli_fail(job, CLI_EXIT_USAGE, "no output: name a file with -o OUT.glb");
    }
    if (s.options->look_chain == 0 && (s.options->look_debug || s.options->look_weight < 1.0)) {
        return cli_fail(job, CLI_EXIT_USAGE, "--look-weight and --look-debug need --look-chain");
    }
    if (s.options->no_look_at && (s.options->look_chain != 0 || s.options->look_at != NULL)) {
        return cli_fail(job, CLI_EXIT_USAGE, "--no-look-at cannot be combined with --look-at or --look-chain");
    }
    job->dialect = s.options->dialect;
    int code = fall_choose(job, &s.options->fall, &s.fall);
    if (code == CLI_EXIT_DONE) {
        code = cli_begin_output(job, s.options->output, s.options->force);
    }
    if (code != CLI_EXIT_DONE) {
        return code;
    }
    code = cli_load(job, inputs->items[0],
        (s.options->repair ? CLI_LOAD_REPAIRED : 0u) | CLI_LOAD_AVATAR | CLI_LOAD_PLAIN, &s.model);
    code = code == CLI_EXIT_DONE ? cli_read_as(job, (vrm_profile)s.options->profile, &s.model) : code;
    if (code == CLI_EXIT_DONE) {
        code = choose_motion(&s);
    }
    if (code == CLI_EXIT_DONE && s.options->look_at != NULL) {
        code = look_path_read(job, s.options->look_at, &s.path);
    }
    if (code == CLI_EXIT_DONE) {
        const size_t keys_size = ((size_t)s.options->expressions.count + 2) * sizeof(expression_key); // 2: the smile
        s.keys = job->allocator.allocate(keys_size, 16, job->allocator.user);
        if (s.keys != NULL) {
            code = simulate(&s);
            job->allocator.release(s.keys, keys_size, job->allocator.user);
        } else {
            code = cli_fail(
                job, cli_exit_of(job, VRM_ERROR_OUT_OF_MEMORY), "%s", cli_sentence_of(job, VRM_ERROR_OUT_OF_MEMORY));
        }
    }
    look_path_free(job, &s.path);
    vrm_clip_release(s.clip);
    scene_stage_motion_end(&s.motion);
    cli_model_free(&s.model);
    return code;
}

static void defaults(void *options_in)
{
    simulate_options *options = options_in;
    options->duration = -1.0;
    options->fps = 60.0;
    options->look_weight = 1.0;
    options->motion = "sway";
}

static const cli_option options[] = {
    CLI_PROFILE_OPTION(simulate_options, profile),
    CLI_DIALECT_OPTIONS(simulate_options, dialect),
    CLI_OUTPUT_OPTION(simulate_options, output, "OUT.glb", "; - for stdout"),
    CLI_FORCE_OPTION(simulate_options, force),
    CLI_REPAIR_OPTION(simulate_options, repair),
    {.name = "duration",
        .type = CLI_NUMBER,
        .offset = offsetof(simulate_options, duration),
        .value = "S",
        .min = 0,
        .max = 3600,
        .help = "Seconds to record (default 5, or the length of the motion file)."},
    {.name = "fps",
        .type = CLI_NUMBER,
        .offset = offsetof(simulate_options, fps),
        .value = "N",
        .min = 1,
        .max = 1000,
        .help = "Frames per second (default 60)."},
    {.name = "motion",
        .type = CLI_TEXT,
        .offset = offsetof(simulate_options, motion),
        .value = "NAME|FILE",
        .help =
            "How the body moves: sway (default), idle, walk, run (walk-ahead, run-ahead: over the ground), wave, bow, "
            "sit-down, stand-up, none, or a .vrma, .bvh, .fbx, .dae or glTF animation."},
    {.name = "feet",
        .type = CLI_FLAG,
        .offset = offsetof(simulate_options, feet),
        .help = "With a motion from a file: keep the feet where the motion's own figure has them, so that they do not "
                "slide."},
    {.name = "loop",
        .type = CLI_FLAG,
        .offset = offsetof(simulate_options, loop),
        .help = "Repeat the motion file; without this option the last pose is kept."},
    {.name = "expression",
        .type = CLI_LIST,
        .offset = offsetof(simulate_options, expressions),
        .value = "NAME=W@T",
        .help = "Fade the expression to weight W from T seconds on; may be repeated. Without this option the face "
                "smiles once."},
    {.name = "look-at",
        .type = CLI_TEXT,
        .offset = offsetof(simulate_options, look_at),
        .value = "X,Y,Z|FILE",
        .help = "The point that the eyes follow, in metres, or a file with lines of time, x, y, z (default: in front "
                "of the face)."},
    {.name = "look-chain",
        .type = CLI_CHOICE,
        .offset = offsetof(simulate_options, look_chain),
        .choices = "none eyes eyes-head upper-body whole-spine",
        .help = "Bones that turn towards the point together with the eyes (default none: only the eyes turn, as the "
                "file defines)."},
    {.name = "look-weight",
        .type = CLI_NUMBER,
        .offset = offsetof(simulate_options, look_weight),
        .value = "W",
        .min = 0,
        .max = 1,
        .help = "How strongly the look chain is applied, 0 to 1 (default 1)."},
    {.name = "look-debug",
        .type = CLI_FLAG,
        .offset = offsetof(simulate_options, look_debug),
        .help = "Add lines that show the look chain's target directions (red) and forward directions (green)."},
    {.name = "no-look-at",
        .type = CLI_FLAG,
        .offset = offsetof(simulate_options, no_look_at),
        .help = "Do not move the eyes."},
    {.name = "no-blink",
        .type = CLI_FLAG,
        .offset = offsetof(simulate_options, no_blink),
        .help = "Switch automatic blinking off."},
    FALL_OPTIONS(simulate_options, fall),
    {.name = "time",
        .type = CLI_CHOICE,
        .offset = offsetof(simulate_options, time),
        .choices = "default reference",
        .help = "default: springs move alike at every frame rate; reference: one step of the specification per frame."},
    {.name = "lod",
        .type = CLI_CHOICE,
        .offset = offsetof(simulate_options, lod),
        .choices = "full sleep",
        .help = "Level of detail to simulate at (default full)."},
    {.name = "pointer",
        .type = CLI_FLAG,
        .offset = offsetof(simulate_options, pointer),
        .help = "Write material changes as KHR_animation_pointer, which not every viewer reads."},
};

const cli_command cli_simulate = {
    .name = "simulate",
    .summary = "Run an avatar frame by frame and write its motion into a glTF file.",
    .arguments = "FILE -o OUT.glb",
    .description =
        "Moves the body, lets the eyes follow a point, blinks, plays expressions, constraints and spring bones, and "
        "writes all of this into the model as one glTF animation that any viewer plays. With --ragdoll the body can be "
        "hit, fall and get up.\n\nChanges that core glTF cannot animate (colours and texture positions of materials) "
        "are listed on stderr, or written with --pointer. The same input, options and version give the same bytes.",
    .examples =
        "vrm simulate avatar.vrm -o moved.glb\n    five seconds of swaying, with a smile\nvrm simulate avatar.vrm -o "
        "walk.glb --motion walk --duration 10 --expression happy=1@2\n    a walk on the spot; the smile begins after "
        "two seconds\nvrm simulate avatar.vrm -o fall.glb --duration 10 --ragdoll --explode 1,0.1,0.2,0.5,160,3 "
        "--get-up auto\n    knocked over by an explosion after one second; gets up again\n",
    .min_inputs = 1,
    .max_inputs = 1,
    .options = options,
    .option_count = sizeof(options) / sizeof(options[0]),
    .options_size = sizeof(simulate_options),
    .defaults = defaults,
    .run = run_simulate,
    .many = ".glb",
    .endings = ".vrm .glb .gltf",
};
