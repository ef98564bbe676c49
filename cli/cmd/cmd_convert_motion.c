// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include <string.h>

#include "cli.h"

typedef struct convert_options {
    const char *output;
    int format; // index into `suffixes` plus 1; 0: from the output's name
    const char *avatar, *map, *trim;
    double fps, error, unit;
    int64_t animation;
    bool mirror, reverse, loop, feet, force;
} convert_options;

enum { FORMAT_VRMA, FORMAT_BVH, FORMAT_GLB, FORMAT_COUNT };
static const char *const suffixes[FORMAT_COUNT] = {".vrma", ".bvh", ".glb"};

typedef struct conversion {
    cli_job *job;
    const convert_options *options;
    cli_model avatar; // of --avatar
    vrm_bytes map;    // text of --map
    int format;
    double start, end; // times of --trim, seconds; `end` is negative without it
} conversion;

static bool parse_trim(const char *text, double *out_start, double *out_end)
{
    const size_t size = strlen(text);
    const size_t first = vrmi_parse_double(text, size, out_start);
    if (first == 0 || first + 1 >= size || text[first] != ':') {
        return false;
    }
    const size_t second = vrmi_parse_double(text + first + 1, size - first - 1, out_end);
    return first + 1 + second == size && *out_start >= 0.0 && *out_end > *out_start;
}

// Replaces a clip by the new clip that a clip operation has created.
static vrm_result replace(vrm_clip **clip, vrm_result result, vrm_clip *const *made)
{
    if (result == VRM_SUCCESS) {
        vrm_clip_release(*clip);
        *clip = *made;
    }
    return result;
}

// Seconds at the end of the clip over which --loop returns to the first pose.
static const float loop_seconds = 0.3f;

static vrm_result edit(const conversion *c, vrm_clip **clip)
{
    const convert_options *o = c->options;
    vrm_clip *made = NULL;
    vrm_result result = VRM_SUCCESS;
    if (c->end >= 0.0) {
        result = replace(clip, vrm_clip_trim(*clip, (float)c->start, (float)c->end, &made), &made);
    }
    if (result == VRM_SUCCESS && o->reverse) {
        result = replace(clip, vrm_clip_reverse(*clip, &made), &made);
    }
    if (result == VRM_SUCCESS && o->mirror) {
        result = replace(clip, vrm_clip_mirror(*clip, &made), &made);
    }
    if (result == VRM_SUCCESS && o->loop) {
        vrm_clip_info info = {.struct_size = sizeof info};
        vrm_clip_get_info(*clip, &info);
        const float seconds = info.duration < 2.0f * loop_seconds ? 0.5f * info.duration : loop_seconds;
        const float rate = o->fps > 0.0 ? (float)o->fps : 60.0f;
        // a clip of a single moment needs no loop
        result = info.duration > 0.0f ? replace(clip, vrm_clip_make_loop(*clip, seconds, rate, &made), &made) : result;
    }
    if (result == VRM_SUCCESS && o->fps > 0.0 && c->format == FORMAT_VRMA) {
        result = replace(clip, vrm_clip_resample(*clip, (float)o->fps, &made), &made);
    }
    if (result == VRM_SUCCESS && o->error > 0.0) {
        result = replace(clip, vrm_clip_reduce(*clip, (float)(o->error * 0.001), &made), &made);
    }
    return result;
}

// --- .glb: the avatar with the motion as its animation -------------------------------------------------------------------

typedef struct playback {
    vrm_instance *instance;
    vrm_clip_player *player;
    vrm_recorder *recorder;
} playback;

static vrm_result start(const conversion *c, vrm_clip *clip, playback *p)
{
    vrm_instance_def instance;
    vrm_instance_def_default(&instance);
    instance.avatar = c->avatar.avatar;
    instance.allocator = c->job->allocator;
    vrm_clip_player_def player;
    vrm_clip_player_def_default(&player);
    player.avatar = c->avatar.avatar;
    player.allocator = c->job->allocator;
    vrm_recorder_def recorder;
    vrm_recorder_def_default(&recorder);
    recorder.allocator = c->job->allocator;
    recorder.name = "motion";
    vrm_result result = vrm_instance_create(&instance, &p->instance);
    if (result == VRM_SUCCESS) {
        result = vrm_clip_player_create(&player, &p->player);
    }
    if (result == VRM_SUCCESS) {
        result = vrm_recorder_create(&recorder, c->avatar.avatar, &p->recorder);
    }
    if (result == VRM_SUCCESS) {
        result = vrm_clip_player_play(p->player, 0, clip, NULL);
    }
    if (result == VRM_SUCCESS && c->options->feet) {
        result = cli_plant_feet(p->player);
    }
    return result == VRM_SUCCESS ? vrm_instance_set_clip_player(p->instance, p->player) : result;
}

static vrm_result record(const conversion *c, vrm_clip *clip, playback *p)
{
    vrm_clip_info info = {.struct_size = sizeof info};
    vrm_clip_get_info(clip, &info);
    const double fps = c->options->fps > 0.0 ? c->options->fps : 60.0;
    const double length = info.duration < 3600.0f ? (double)info.duration : 3600.0;
    const uint32_t frames = (uint32_t)(length * fps + 0.5) + 1;
    vrm_update_params params;
    vrm_update_params_default(&params);
    params.stages = VRM_STAGE_POSE | VRM_STAGE_LOOK_AT | VRM_STAGE_EXPRESSION | VRM_STAGE_CONSTRAINT | VRM_STAGE_OUTPUT;
    vrm_result result = VRM_SUCCESS;
    for (uint32_t frame = 0; frame < frames && result == VRM_SUCCESS; ++frame) {
        (void)vrm_clip_player_set_time(p->player, 0, (double)frame / fps);
        vrm_update(p->instance, &params);
        result = vrm_recorder_add(p->recorder, p->instance, (double)frame / fps);
        if (result == VRM_SUCCESS && !cli_progress((float)(frame + 1) / (float)frames, "frames", c->job)) {
            result = VRM_ERROR_CANCELLED;
        }
    }
    return result;
}

// Writes a .glb. Each file needs its own document, since the recorder appends to the document.
static vrm_result write_glb(const conversion *c, vrm_clip *clip, vrm_bytes *out_bytes)
{
    playback p = {0};
    vrm_gltf *gltf = NULL;
    vrm_gltf_def def;
    vrm_gltf_def_default(&def);
    def.borrow_bytes = true;
    def.allocator = c->job->allocator;
    def.limits = c->job->limits;
    vrm_result result = start(c, clip, &p);
    if (result == VRM_SUCCESS) {
        result = record(c, clip, &p);
    }
    if (result == VRM_SUCCESS) {
        result = vrm_gltf_load(&def, c->avatar.bytes.data, c->avatar.bytes.size, NULL, &gltf);
    }
    if (result == VRM_SUCCESS) {
        result = vrm_recorder_write(p.recorder, gltf, NULL);
    }
    if (result == VRM_SUCCESS) {
        result = vrm_gltf_save(gltf, out_bytes);
    }
    vrm_gltf_destroy(gltf);
    vrm_recorder_destroy(p.recorder);
    vrm_clip_player_destroy(p.player);
    vrm_instance_destroy(p.instance);
    return result;
}

static vrm_result write_motion(const conversion *c, vrm_clip *clip, vrm_bytes *out_bytes)
{
    vrm_clip_write_params def;
    vrm_clip_write_params_default(&def);
    def.allocator = c->job->allocator;
    def.rate = c->options->fps > 0.0 ? (float)c->options->fps : def.rate;
    switch (c->format) {
    case FORMAT_VRMA:
        return vrm_clip_write_vrma(&def, clip, out_bytes);
    case FORMAT_BVH:
        return vrm_clip_write_bvh(&def, clip, out_bytes);
    default:
        return write_glb(c, clip, out_bytes);
    }
}

// Prints why the library returned VRM_ERROR_INVALID_ARGUMENT.
static int refuse(const conversion *c, const char *input, const vrm_clip *clip)
{
    vrm_clip_info info = {.struct_size = sizeof info};
    vrm_clip_get_info(clip, &info);
    if (c->end >= 0.0 && !((float)c->start < info.duration)) {
        return cli_fail(c->job, CLI_EXIT_USAGE, "%s: --trim begins after the end of the motion (%g s)", input,
            (double)info.duration);
    }
    if (info.keys == 0) {
        return cli_fail(c->job, CLI_EXIT_ASSET, "%s: the motion has no frames", input);
    }
    return cli_fail(c->job, CLI_EXIT_USAGE, "%s: %s", input,
        c->format == FORMAT_BVH ? "the motion moves no bones, and a .bvh can only contain the motion of bones"
                                : "the output format cannot represent this motion");
}

// --- files ---------------------------------------------------------------------------------------------------------------

static int convert(conversion *c, const char *input, const char *output)
{
    vrm_clip_def def;
    vrm_clip_def_default(&def);
    def.animation = (uint32_t)c->options->animation;
    def.unit = (float)c->options->unit;
    def.bone_map = (vrm_string){c->map.data, (uint32_t)c->map.size};
    vrm_clip *clip = NULL;
    int code = cli_begin_output(c->job, output, c->options->force);
    if (code == CLI_EXIT_DONE) {
        code = cli_load_clip(c->job, input, &def, &clip);
    }
    if (code != CLI_EXIT_DONE) {
        return code;
    }
    vrm_bytes bytes = {0};
    vrm_result result = edit(c, &clip);
    if (result == VRM_SUCCESS) {
        result = write_motion(c, clip, &bytes);
    }
    cli_progress_clear(c->job);
    if (result == VRM_ERROR_INVALID_ARGUMENT) {
        code = refuse(c, input, clip);
    } else if (result != VRM_SUCCESS) {
        code = cli_fail(c->job, cli_exit_of(c->job, result), "%s: %s", input, cli_sentence_of(c->job, result));
    } else {
        code = cli_write_output(c->job, output, bytes.data, bytes.size);
    }
    vrm_bytes_free(&bytes);
    vrm_clip_release(clip);
    return code;
}

// Returns a file's name without folder and suffix.
static const char *stem_of(const char *input, size_t *out_length)
{
    const char *name = cli_file_name(input);
    const char *dot = strrchr(name, '.');
    *out_length = dot != NULL && dot != name ? (size_t)(dot - name) : strlen(name);
    return name;
}

// Returns another input whose output would have the same name, or NULL.
static const char *find_twin(const cli_inputs *inputs, uint32_t input)
{
    size_t length, other_length;
    const char *name = stem_of(inputs->items[input], &length);
    for (uint32_t i = 0; i < inputs->count; ++i) {
        const char *other = stem_of(inputs->items[i], &other_length);
        if (i != input && length == other_length && memcmp(name, other, length) == 0) {
            return inputs->items[i];
        }
    }
    return NULL;
}

// Adds FOLDER/name-of-the-input.suffix.
static void output_in_folder(const conversion *c, const char *input, vrmi_text *out)
{
    const char *folder = c->options->output;
    size_t length;
    const char *name = stem_of(input, &length);
    vrmi_text_add_string(out, folder);
    vrmi_text_add_string(out, folder[strlen(folder) - 1] == '/' ? "" : "/");
    vrmi_text_add(out, name, length);
    vrmi_text_add_string(out, suffixes[c->format]);
}

static int convert_all(conversion *c, const cli_inputs *inputs, bool into_folder)
{
    int code = CLI_EXIT_DONE;
    cli_batch_begin(c->job, inputs->count);
    for (uint32_t i = 0; i < inputs->count && !cli_cancelled(); ++i) {
        vrmi_text path;
        vrmi_text_init(&path, &c->job->allocator);
        if (into_folder) {
            output_in_folder(c, inputs->items[i], &path);
        } else {
            vrmi_text_add_string(&path, c->options->output);
        }
        // If two inputs have the same output, neither is converted, because the output of the first may be the second
        // input.
        const char *twin = into_folder ? find_twin(inputs, i) : NULL;
        int own = CLI_EXIT_DONE;
        if (path.failed) {
            own = cli_exit_of(c->job, VRM_ERROR_OUT_OF_MEMORY);
        } else if (twin != NULL) {
            own = cli_fail(c->job, CLI_EXIT_USAGE, "%s: its output %s would also be the output of %s", inputs->items[i],
                path.data, twin);
        } else {
            own = convert(c, inputs->items[i], path.data);
        }
        if (into_folder && !path.failed) {
            vrmi_text line;
            vrmi_text_init(&line, &c->job->allocator);
            const char *made = own == CLI_EXIT_DONE ? path.data : "failed";
            cli_add_file_text(&line, inputs->items[i], strlen(inputs->items[i]));
            vrmi_text_add_string(&line, ": ");
            cli_add_file_text(&line, made, strlen(made));
            vrmi_text_add_string(&line, "\n");
            cli_progress_clear(c->job);
            cli_print(&line);
            vrmi_text_free(&line);
        }
        code = own > code ? own : code;
        vrmi_text_free(&path);
        cli_batch_go_on(c->job, cli_cancelled() ? i : i + 1);
    }
    return cli_batch_end(c->job, code);
}

static int prepare(conversion *c, bool into_folder)
{
    const convert_options *o = c->options;
    c->format = o->format > 0 ? o->format - 1 : -1;
    for (int i = 0; i < FORMAT_COUNT && c->format < 0; ++i) {
        c->format = !into_folder && cli_has_suffix(o->output, suffixes[i], false) ? i : -1;
    }
    if (c->format < 0) {
        return cli_fail(c->job, CLI_EXIT_USAGE, "%s",
            into_folder ? "an output folder needs --to vrma, bvh or glb"
                        : "the output must end in .vrma, .bvh or .glb");
    }
    if (c->format == FORMAT_GLB && o->avatar == NULL) {
        return cli_fail(c->job, CLI_EXIT_USAGE, "a .glb output needs --avatar, the avatar to animate");
    }
    if (c->format != FORMAT_GLB && o->feet) {
        return cli_fail(c->job, CLI_EXIT_USAGE, "--feet works for .glb outputs only");
    }
    c->end = -1.0;
    if (o->trim != NULL && !parse_trim(o->trim, &c->start, &c->end)) {
        return cli_fail(c->job, CLI_EXIT_USAGE, "--trim %s: expected START:END in seconds", o->trim);
    }
    // A single output is checked before anything is read; several outputs are checked one by one, before each
    // conversion.
    int code = into_folder ? CLI_EXIT_DONE : cli_begin_output(c->job, o->output, o->force);
    if (code == CLI_EXIT_DONE && o->map != NULL) {
        code = cli_read_bone_map(c->job, o->map, &c->map);
    }
    return code == CLI_EXIT_DONE && o->avatar != NULL
               ? cli_load(c->job, o->avatar, CLI_LOAD_AVATAR | CLI_LOAD_PACKED, &c->avatar)
               : code;
}

static int run_convert(const cli_inputs *inputs, const void *options, cli_job *job)
{
    conversion c = {.job = job, .options = options};
    if (c.options->output == NULL || c.options->output[0] == '\0') {
        return cli_fail(job, CLI_EXIT_USAGE, "no output: name a file or a folder with -o");
    }
    const size_t length = strlen(c.options->output);
    const bool into_folder = inputs->count > 1 || c.options->output[length - 1] == '/';
    int code = prepare(&c, into_folder);
    if (code == CLI_EXIT_DONE) {
        code = convert_all(&c, inputs, into_folder);
    }
    cli_model_free(&c.avatar);
    vrm_bytes_free(&c.map);
    return code;
}

static const cli_option options[] = {
    CLI_OUTPUT_OPTION(
        convert_options, output, "OUT", "; - for stdout. A .vrma, .bvh or .glb file, or a folder for several inputs"),
    CLI_FORCE_OPTION(convert_options, force),
    {.name = "to",
        .type = CLI_CHOICE,
        .offset = offsetof(convert_options, format),
        .choices = "auto vrma bvh glb",
        .help = "Output format (default: by the output's name)."},
    {.name = "avatar",
        .type = CLI_TEXT,
        .offset = offsetof(convert_options, avatar),
        .value = "A.vrm",
        .help = "For .glb: the avatar to write the motion into."},
    {.name = "feet",
        .type = CLI_FLAG,
        .offset = offsetof(convert_options, feet),
        .help = "For .glb: keep the feet where the motion's own figure has them, so that they do not slide on legs of "
                "another length."},
    {.name = "fps",
        .type = CLI_NUMBER,
        .offset = offsetof(convert_options, fps),
        .value = "N",
        .min = 1,
        .max = 1000,
        .help = "Keys per second (default: .vrma keeps the motion's keys, .bvh has 30, .glb 60)."},
    {.name = "trim",
        .type = CLI_TEXT,
        .offset = offsetof(convert_options, trim),
        .value = "START:END",
        .help = "Convert only this part, in seconds."},
    {.name = "mirror",
        .type = CLI_FLAG,
        .offset = offsetof(convert_options, mirror),
        .help = "Exchange left and right."},
    {.name = "reverse",
        .type = CLI_FLAG,
        .offset = offsetof(convert_options, reverse),
        .help = "Reverse the motion in time."},
    {.name = "loop",
        .type = CLI_FLAG,
        .offset = offsetof(convert_options, loop),
        .help = "Make the motion loop: over its last 0.3 seconds it returns to its first pose, while the movement over "
                "the ground is kept."},
    {.name = "error",
        .type = CLI_NUMBER,
        .offset = offsetof(convert_options, error),
        .value = "MM",
        .min = 0,
        .max = 1000,
        .help = "Leave out keys as long as no end of a limb moves by more than this distance, in millimetres."},
    {.name = "map",
        .type = CLI_TEXT,
        .offset = offsetof(convert_options, map),
        .value = "FILE",
        .help = "File with lines \"joint = boneName\" for joints whose names are not recognised."},
    {.name = "unit",
        .type = CLI_NUMBER,
        .offset = offsetof(convert_options, unit),
        .value = "M",
        .min = 0,
        .max = 100,
        .help = "Metres per unit of a .bvh input (default: guessed from the legs)."},
    {.name = "animation",
        .type = CLI_INTEGER,
        .offset = offsetof(convert_options, animation),
        .value = "I",
        .min = 0,
        .max = 1000000,
        .help = "Index of the animation in a glTF input (default 0)."},
};

const cli_command cli_convert_motion = {
    .name = "convert-motion",
    .summary = "Convert motions: .vrma, .bvh, .fbx, .dae and glTF.",
    .arguments = "IN... -o OUT",
    .description = "Reads VRM animations, BVH motion capture, glTF animations of a humanoid, and, if vrm-assimp is "
                   "installed, FBX (such as Mixamo's) and COLLADA. Writes a VRM animation, BVH, or an avatar's .glb "
                   "with the motion as its animation.\n\nSeveral inputs are written into a folder, with one line each "
                   "on stdout; an input that fails does not stop the others. Guesses (bones found by their names "
                   "alone, the unit, a rest pose that is not a T-pose) are reported on stderr.",
    .examples =
        "vrm convert-motion walk.bvh -o walk.vrma --error 1\n    motion capture as VRM animation, to the millimetre\n"
        "vrm convert-motion a.vrma b.vrma -o bvh/ --to bvh\n    several at once\n"
        "vrm convert-motion dance.vrma -o dance.glb --avatar avatar.vrm\n    the avatar, dancing, for any viewer\n",
    .min_inputs = 1,
    .max_inputs = UINT32_MAX,
    .options = options,
    .option_count = sizeof(options) / sizeof(options[0]),
    .options_size = sizeof(convert_options),
    .run = run_convert,
    .many = ".vrma",
};
