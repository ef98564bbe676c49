// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "cmd.h"
#include "matrix.h"
#include "platform.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct rendering {
    stage stage;
    const render_options *options;
    cli_job *job;
    vrm_render_scene scene;
    camera *cameras;
    uint32_t camera_count, expression_count, picture_count;
    bool matrices; // true if view and projection were read from files
    bool own_light;
    uint8_t *pixels; // pixels of one picture
    uint8_t *sheet;  // pixels of all pictures, side by side and row by row
    uint32_t columns, rows;
    video video;
    int64_t frames; // number of times, each drawn by every camera
    double fps;
    uint32_t drawn;
    uint32_t empty_count, first_empty; // the number of empty pictures, and the number of the first one
    const char *why_empty;             // reason for the first empty picture
} rendering;

static int usage(rendering *r, const char *option, const char *text, const char *wanted)
{
    return cli_fail(r->job, CLI_EXIT_USAGE, "--%s %s: %s", option, text, wanted);
}

static bool parse_size(const char *text, uint32_t *out_width, uint32_t *out_height)
{
    double width = 0.0, height = 0.0;
    const size_t length = strlen(text), used = vrmi_parse_double(text, length, &width);
    height = width;
    if (used == 0 ||
        (used != length &&
            (text[used] != 'x' || vrmi_parse_double(text + used + 1, length - used - 1, &height) != length - used - 1 ||
                length == used + 1))) {
        return false;
    }
    if (!(width >= 1.0 && height >= 1.0 && width <= 16384.0 && height <= 16384.0) || width != floor(width) ||
        height != floor(height)) {
        return false;
    }
    *out_width = (uint32_t)width;
    *out_height = (uint32_t)height;
    return true;
}

static bool parse_light(rendering *r, const char *text)
{
    double n[3];
    const char *end = text + strlen(text);
    for (int i = 0; i < 3; ++i) {
        const size_t used = vrmi_parse_double(text, (size_t)(end - text), &n[i]);
        text += used;
        if (used == 0 || !isfinite(n[i]) || (i < 2 ? *text != ',' : text != end)) {
            return false;
        }
        text += i < 2 ? 1 : 0;
    }
    const double yaw = n[0] * 3.14159265358979 / 180.0, pitch = n[1] * 3.14159265358979 / 180.0;
    r->scene.light_direction =
        (vrm_vec3){(float)(sin(yaw) * cos(pitch)), (float)sin(pitch), (float)(cos(yaw) * cos(pitch))};
    r->scene.light_color = (vrm_vec3){(float)n[2], (float)n[2], (float)n[2]};
    r->own_light = true;
    return n[2] >= 0.0;
}

static bool parse_debug(const char *text, uint32_t *out)
{
    static const char *const words[] = {
        "bones", "springs", "colliders", "constraints", "gaze", "boxes", "lines", "wireframe", "ragdoll"};
    while (text != NULL && *text != '\0') {
        const size_t length = strcspn(text, ",");
        uint32_t bit = 0;
        for (uint32_t i = 0; i < sizeof words / sizeof *words; ++i) {
            bit |= strlen(words[i]) == length && strncmp(words[i], text, length) == 0 ? 1u << i : 0u;
        }
        if (bit == 0) {
            return false;
        }
        *out |= bit;
        text += text[length] == ',' ? length + 1 : length;
    }
    return true;
}

// Reads "[a, b, ... p]" from a file.
static int read_matrix(rendering *r, const char *path, double out[16])
{
    vrm_bytes bytes = {0};
    vrm_result result = VRM_SUCCESS;
    const int code = cli_read_input(r->job, path, false, &bytes, &result);
    if (code != CLI_EXIT_DONE) {
        return code;
    }
    const char *text = bytes.data;
    size_t at = 0;
    int count = 0;
    bool good = true;
    for (char wanted = '['; good && wanted != '\0';) {
        while (at < bytes.size && strchr(" \t\r\n", text[at]) != NULL) {
            ++at;
        }
        if (wanted != '0') {
            good = at < bytes.size && text[at] == wanted;
            ++at;
            wanted = wanted == ']' ? '\0' : '0';
            continue;
        }
        const size_t used =
            count < 16 && at < bytes.size ? vrmi_parse_double(text + at, bytes.size - at, &out[count]) : 0;
        good = used != 0 && isfinite(out[count]);
        at += used;
        wanted = ++count == 16 ? ']' : ',';
    }
    vrm_bytes_free(&bytes);
    if (!good) {
        return cli_fail(r->job, CLI_EXIT_USAGE, "%s: not a JSON array of 16 numbers", path);
    }
    return matrix_is_regular(out)
               ? CLI_EXIT_DONE
               : cli_fail(r->job, CLI_EXIT_USAGE, "%s: the matrix has no inverse, so it would show nothing", path);
}

static int read_matrices(rendering *r)
{
    const render_options *o = r->options;
    if ((o->view_matrix == NULL) != (o->projection == NULL)) {
        return cli_fail(r->job, CLI_EXIT_USAGE, "--view-matrix and --projection must be given together");
    }
    if (o->view_matrix == NULL) {
        return CLI_EXIT_DONE;
    }
    // With matrices, -c first-person is allowed: it selects the meshes that the wearer sees, wherever the camera is.
    const bool only_wearer = o->cameras.count == 1 && strcmp(o->cameras.items[0], "first-person") == 0;
    if (o->cameras.count != 0 && !only_wearer) {
        return cli_fail(r->job, CLI_EXIT_USAGE, "--view-matrix replaces --camera; use only one of them");
    }
    double projection[16];
    int code = read_matrix(r, o->view_matrix, r->scene.view);
    code = code == CLI_EXIT_DONE ? read_matrix(r, o->projection, projection) : code;
    for (int i = 0; i < 16 && code == CLI_EXIT_DONE; ++i) {
        r->scene.projection[i] = (float)projection[i];
    }
    r->matrices = true;
    return code;
}

static int read_cameras(rendering *r)
{
    const cli_list *list = &r->options->cameras;
    r->camera_count = list->count != 0 ? list->count : 1;
    r->cameras = calloc(r->camera_count, sizeof *r->cameras);
    if (r->cameras == NULL) {
        return cli_fail(r->job, CLI_EXIT_AGAIN, "%s", vrm_result_sentence(VRM_ERROR_OUT_OF_MEMORY));
    }
    for (uint32_t i = 0; i < list->count; ++i) {
        if (!camera_parse(list->items[i], &r->cameras[i])) {
            return usage(r, "camera", list->items[i],
                "expected body, bust, face, first-person, orbit:YAW,PITCH,DISTANCE or X,Y,Z:TX,TY,TZ");
        }
    }
    return CLI_EXIT_DONE;
}

static bool is_joined(const render_options *o)
{
    return o->strip || o->sheet != SHEET_NONE;
}

// Checks the options of --sheet. For a turntable, replaces the camera by one for each side.
static int read_sheet(rendering *r)
{
    enum { SIDES = 12 };
    const render_options *o = r->options;
    if (o->sheet == SHEET_NONE) {
        return CLI_EXIT_DONE;
    }
    const char *wrong =
        o->strip                                    ? "--strip also joins pictures; use only one of the two options"
        : r->camera_count > 1                       ? "a sheet can have only one --camera"
        : video_is_name(o->output)                  ? "a sheet is a PNG file; name the output OUT.png"
        : o->figure.expressions.count > 1           ? "a sheet can have only one --expression"
        : o->sheet != SHEET_MOTION && o->frames > 1 ? "--frames can only be used with --sheet motion"
        : o->sheet == SHEET_EXPRESSIONS && o->figure.expressions.count != 0
            ? "this sheet shows every expression; leave out --expression"
        : o->sheet == SHEET_MOTION && o->figure.motion == NULL ? "give a motion with --motion"
        : o->sheet == SHEET_TURNTABLE &&
                (o->view_matrix != NULL || r->cameras[0].part == CAMERA_POINT || r->cameras[0].first_person)
            ? "the camera of a turntable must be body, bust, face or orbit"
            : NULL;
    if (wrong != NULL) {
        static const char *const words[] = {"none", "expressions", "turntable", "motion"};
        return usage(r, "sheet", words[o->sheet], wrong);
    }
    if (o->sheet == SHEET_EXPRESSIONS && o->cameras.count == 0) {
        r->cameras[0].part = CAMERA_FACE;
    }
    if (o->sheet == SHEET_TURNTABLE) {
        camera *sides = realloc(r->cameras, SIDES * sizeof *sides);
        if (sides == NULL) {
            return cli_fail(r->job, CLI_EXIT_AGAIN, "%s", vrm_result_sentence(VRM_ERROR_OUT_OF_MEMORY));
        }
        for (int i = SIDES - 1; i >= 0; --i) {
            sides[i] = sides[0];
            sides[i].yaw += i * 6.28318530717958648 / SIDES;
        }
        r->cameras = sides;
        r->camera_count = SIDES;
    }
    return CLI_EXIT_DONE;
}

// Checks the output. A folder for several pictures is created together with the first picture.
static int begin_output(rendering *r)
{
    const render_options *o = r->options;
    const bool several = (uint64_t)r->camera_count * r->expression_count > 1 || o->frames > 1;
    const bool folder = several && !is_joined(o) && !video_is_name(o->output);
    if (folder && cli_platform_path_kind(o->output, true) == CLI_PATH_FOLDER) {
        r->job->force = o->force;
        return CLI_EXIT_DONE;
    }
    return cli_begin_output(r->job, o->output, o->force);
}

static int read_options(rendering *r)
{
    const render_options *o = r->options;
    vrm_render_scene *scene = &r->scene;
    const float intensity = (float)o->light_intensity, ambient = (float)o->ambient, environment = (float)o->environment;
    vrm_render_scene_default(scene);
    scene->width = o->sheet == SHEET_NONE ? 768 : 240;
    scene->height = o->sheet == SHEET_NONE ? 1024 : 320;
    scene->light_color = (vrm_vec3){intensity, intensity, intensity};
    scene->ambient_up = scene->ambient_down = (vrm_vec3){ambient, ambient, ambient};
    scene->environment = (vrm_vec3){environment, environment, environment};
    scene->blend = o->web_blend ? VRM_RENDER_BLEND_ENCODED : VRM_RENDER_BLEND_LINEAR;
    scene->channel = (vrm_render_channel)o->channel;
    scene->ground = o->ground;
    scene->shadow = o->shadow;
    scene->no_outlines = o->no_outline;
    scene->all_double_sided = o->double_sided;
    if (o->output == NULL) {
        return cli_fail(r->job, CLI_EXIT_USAGE, "no output: name a picture with -o OUT.png");
    }
    if (png_is_misnamed(o->output) && !video_is_name(o->output)) {
        return usage(r, "output", o->output, "pictures are PNG files; name the output OUT.png");
    }
    if (o->size != NULL && !parse_size(o->size, &scene->width, &scene->height)) {
        return usage(r, "size", o->size, "expected WIDTHxHEIGHT or one number, from 1 to 16384");
    }
    if (!color_parse(o->background != NULL ? o->background : "#dfe4ee", &scene->background)) {
        return usage(r, "background", o->background, "expected #rrggbb, #rrggbbaa or transparent");
    }
    if (o->light != NULL && !parse_light(r, o->light)) {
        return usage(r, "light", o->light, "expected YAW,PITCH,INTENSITY");
    }
    if (!parse_debug(o->debug, &scene->debug)) {
        return usage(r, "debug", o->debug,
            "expected some of bones,springs,colliders,constraints,gaze,boxes,lines,wireframe,ragdoll");
    }
    int code = read_cameras(r);
    code = code == CLI_EXIT_DONE ? read_sheet(r) : code;
    code = code == CLI_EXIT_DONE ? begin_output(r) : code;
    return code == CLI_EXIT_DONE ? read_matrices(r) : code;
}

// --- pictures ------------------------------------------------------------------------------------------------------

static int write_png(rendering *r, const char *path, const uint8_t *pixels, uint32_t width, uint32_t height)
{
    size_t size = 0;
    void *bytes = png_encode(pixels, width, height, &size);
    if (bytes == NULL) {
        return cli_fail(r->job, CLI_EXIT_AGAIN, "%s", vrm_result_sentence(VRM_ERROR_OUT_OF_MEMORY));
    }
    cli_progress_clear(r->job);
    const int code = cli_write_output(r->job, path, bytes, size);
    free(bytes);
    return code;
}

// Keeps a finished picture. Several pictures are written into the folder as numbered files: cameras vary fastest, then
// times, then expressions.
static int keep_picture(rendering *r)
{
    const size_t row = (size_t)r->scene.width * 4;
    const uint32_t index = r->drawn++;
    if (r->sheet != NULL) {
        const size_t first = (size_t)(index / r->columns) * r->scene.height;
        for (uint32_t y = 0; y < r->scene.height; ++y) {
            memcpy(r->sheet + ((first + y) * r->columns + index % r->columns) * row, r->pixels + y * row, row);
        }
        return CLI_EXIT_DONE;
    }
    if (r->video.path != NULL) {
        return video_add(&r->video, r->pixels);
    }
    if (r->picture_count == 1) {
        return write_png(r, r->options->output, r->pixels, r->scene.width, r->scene.height);
    }
    vrmi_text path;
    vrmi_text_init(&path, NULL);
    vrmi_text_format(&path, "%s/", r->options->output);
    for (uint32_t place = 1000; place > index + 1 && place > 1; place /= 10) {
        vrmi_text_add_string(&path, "0");
    }
    vrmi_text_format(&path, "%u.png", index + 1);
    const int code = path.failed ? CLI_EXIT_AGAIN : write_png(r, path.data, r->pixels, r->scene.width, r->scene.height);
    vrmi_text_free(&path);
    return code;
}

// Returns true for some of the frames: they are enough to fit a camera's frame around all of them.
static bool is_sample(const rendering *r, int64_t frame)
{
    enum { SAMPLES = 24 };
    return r->frames <= SAMPLES || frame == r->frames - 1 || frame * SAMPLES % r->frames < SAMPLES;
}

static void note_empty(rendering *r, const vrm_render_scene *scene, bool first_person)
{
    const char *why = stage_find_empty(&r->stage, scene, first_person, r->pixels);
    if (why != NULL && r->empty_count++ == 0) {
        r->why_empty = why;
        r->first_empty = r->drawn + 1;
    }
}

static int draw_camera(rendering *r, camera *c, bool sampled)
{
    vrm_render_scene scene = r->scene;
    if (!r->matrices) {
        if (!c->framed) {
            camera_frame(c, &r->stage);
        }
        camera_apply(c, &r->stage, &scene);
        camera_add_ground(c, &scene);
    }
    if (r->own_light || r->matrices) {
        scene.light_direction = r->scene.light_direction;
    }
    const int code = stage_draw(&r->stage, &scene, c->first_person, r->pixels);
    if (code == CLI_EXIT_DONE && sampled) {
        note_empty(r, &scene, c->first_person);
    }
    return code;
}

static int draw_cameras(rendering *r, int64_t frame)
{
    int code = CLI_EXIT_DONE;
    for (uint32_t i = 0; i < r->camera_count && code == CLI_EXIT_DONE; ++i) {
        code = draw_camera(r, &r->cameras[i], is_sample(r, frame));
        code = code == CLI_EXIT_DONE ? keep_picture(r) : code;
        if (code == CLI_EXIT_DONE && !cli_progress((float)r->drawn / (float)r->picture_count, "pictures", r->job)) {
            code = cli_fail(r->job, cli_exit_of(r->job, VRM_ERROR_CANCELLED), "stopped");
        }
    }
    return code;
}

typedef int moment_fn(rendering *r, int64_t frame);

static int frame_cameras(rendering *r, int64_t frame)
{
    for (uint32_t i = 0; i < r->camera_count && is_sample(r, frame); ++i) {
        camera_frame(&r->cameras[i], &r->stage);
    }
    return cli_progress(0.0f, "framing", r->job)
               ? CLI_EXIT_DONE
               : cli_fail(r->job, cli_exit_of(r->job, VRM_ERROR_CANCELLED), "stopped");
}

static int visit_moments(rendering *r, const stage_face *face, moment_fn *visit)
{
    const render_options *o = r->options;
    int code = stage_pose(&r->stage, face);
    // The motion advances to the first picture in steps of at most a sixtieth of a second, so that hair can follow.
    const uint32_t steps = (uint32_t)ceil(o->figure.time * 60.0);
    for (uint32_t i = 1; i <= steps && code == CLI_EXIT_DONE; ++i) {
        stage_move(&r->stage, o->figure.time * i / steps, o->figure.time / steps);
    }
    for (int64_t frame = 0; frame < r->frames && code == CLI_EXIT_DONE; ++frame) {
        const uint32_t between = frame > 0 ? (uint32_t)ceil(60.0 / r->fps) : 0;
        for (uint32_t i = 1; i <= between; ++i) {
            const double before = (double)(frame - 1) + (double)i / between;
            stage_move(&r->stage, o->figure.time + before / r->fps, 1.0 / r->fps / between);
        }
        code = visit(r, frame);
    }
    return code;
}

static int visit_expressions(rendering *r, moment_fn *visit)
{
    const cli_list *expressions = &r->options->figure.expressions;
    int code = CLI_EXIT_DONE;
    for (uint32_t i = 0; i < r->expression_count && code == CLI_EXIT_DONE; ++i) {
        const bool each = r->options->sheet == SHEET_EXPRESSIONS; // the first picture shows the face at rest
        const stage_face face = {expressions->count != 0 ? expressions->items[i] : NULL, each ? (int32_t)i - 1 : -1};
        code = visit_moments(r, &face, visit);
    }
    return code;
}

// Draws all pictures. A camera does not move between its pictures, so it is first placed to fit all of them.
static int draw_pictures(rendering *r)
{
    bool frames = false;
    for (uint32_t i = 0; i < r->camera_count; ++i) {
        frames = frames || (camera_is_framed(&r->cameras[i]) && !r->matrices);
    }
    const bool turns = r->options->sheet == SHEET_TURNTABLE;
    const bool several = r->frames > 1 || r->expression_count > 1 || turns;
    const int code = frames && several ? visit_expressions(r, frame_cameras) : CLI_EXIT_DONE;
    if (turns) {
        camera_join(r->cameras, r->camera_count);
    }
    return code == CLI_EXIT_DONE ? visit_expressions(r, draw_cameras) : code;
}

static int say_empty(rendering *r)
{
    if (r->empty_count == 0) {
        return CLI_EXIT_DONE;
    }
    vrmi_text text;
    vrmi_text_init(&text, NULL);
    if (r->picture_count == 1) {
        vrmi_text_format(&text, "the picture is empty: %s", r->why_empty);
    } else {
        vrmi_text_format(&text, "%u of %u pictures are empty, the first of them number %u: %s", r->empty_count,
            r->picture_count, r->first_empty, r->why_empty);
    }
    const int code = stage_say_empty(&r->stage, text.failed ? r->why_empty : text.data);
    vrmi_text_free(&text);
    return code;
}

static int begin_video(rendering *r)
{
    const render_options *o = r->options;
    if (r->camera_count > 1 || r->expression_count > 1 || o->strip) {
        return cli_fail(r->job, CLI_EXIT_USAGE,
            "%s: a video can have only one camera and one --expression, and no --strip", o->output);
    }
    return video_begin(&r->video, r->job, o->output, &r->scene, r->fps);
}

// Arranges the pictures of a sheet in a nearly square grid, with as few empty cells in the last row as possible.
static void arrange(rendering *r)
{
    const uint32_t count = r->picture_count;
    const double wanted = sqrt((double)count * r->scene.height / r->scene.width);
    uint32_t best = count, fewest = UINT32_MAX;
    for (uint32_t columns = 1; !r->options->strip && columns <= count; ++columns) {
        const uint32_t empty = (count + columns - 1) / columns * columns - count;
        const bool nearer = fabs(columns - wanted) < fabs(best - wanted);
        if (columns > wanted / 1.4 && columns < wanted * 1.4 && (empty < fewest || (empty == fewest && nearer))) {
            best = columns;
            fewest = empty;
        }
    }
    r->columns = best;
    r->rows = (count + best - 1) / best;
}

static void count_pictures(rendering *r)
{
    enum { MOMENTS = 12 };
    const render_options *o = r->options;
    const bool whole = o->sheet == SHEET_MOTION || video_is_name(o->output);
    r->fps = o->fps != 0.0 ? o->fps : 30.0;
    r->frames = o->frames != 0 ? o->frames : o->sheet == SHEET_MOTION ? MOMENTS : 1;
    if (o->sheet == SHEET_MOTION && o->fps == 0.0) {
        r->fps = (double)r->frames / pose_round(&r->stage);
    } else if (whole && o->frames == 0) {
        r->frames = o->sheet == SHEET_MOTION ? MOMENTS : (int64_t)(pose_duration(&r->stage) * r->fps + 0.5) + 1;
    }
    if (o->sheet == SHEET_EXPRESSIONS) {
        vrm_avatar_counts counts = {.struct_size = sizeof counts};
        vrm_avatar_get_counts(r->stage.model.avatar, &counts);
        r->expression_count = counts.expressions + 1;
    }
}

static int prepare(rendering *r)
{
    const render_options *o = r->options;
    const bool is_video = video_is_name(o->output);
    count_pictures(r);
    const uint64_t pictures = (uint64_t)r->camera_count * (uint64_t)r->frames * r->expression_count;
    const uint64_t bytes = (uint64_t)r->scene.width * r->scene.height * 4;
    if (pictures > 100000 || (is_joined(o) && bytes * pictures > (uint64_t)1 << 30)) {
        return cli_fail(r->job, CLI_EXIT_LIMIT, "too many pictures");
    }
    r->picture_count = (uint32_t)pictures;
    arrange(r);
    r->pixels = malloc((size_t)bytes);
    r->sheet = is_joined(o) ? calloc((size_t)r->columns * r->rows, (size_t)bytes) : NULL;
    if (r->pixels == NULL || (is_joined(o) && r->sheet == NULL)) {
        return cli_fail(r->job, CLI_EXIT_AGAIN, "%s", vrm_result_sentence(VRM_ERROR_OUT_OF_MEMORY));
    }
    if (is_video) {
        return begin_video(r);
    }
    if (pictures > 1 && !is_joined(o)) {
        if (strcmp(o->output, "-") == 0) {
            return cli_fail(
                r->job, CLI_EXIT_USAGE, "several pictures cannot be written to stdout; name a folder, or add --strip");
        }
        if (!cli_platform_make_folder(o->output)) {
            return cli_fail(r->job, CLI_EXIT_OUTPUT,
                "%s: several pictures need a folder, and a folder of this name cannot be created", o->output);
        }
    }
    return CLI_EXIT_DONE;
}

static void say_statistics(rendering *r)
{
    vrm_render_statistics s = {.struct_size = sizeof s};
    vrm_render_model_get_statistics(r->stage.meshes, &s);
    const cli_count counts[] = {{s.triangles, "triangle", NULL}, {s.vertices, "vertex", "vertices"},
        {s.primitives, "primitive", NULL}, {s.textures, "texture", NULL}};
    vrmi_text text;
    vrmi_text_init(&text, NULL);
    cli_add_counts(&text, counts, 4);
    vrmi_text_format(
        &text, " of %u KiB, buffers of %u KiB", (unsigned)(s.texture_bytes >> 10), (unsigned)(s.buffer_bytes >> 10));
    cli_say(r->job, "%s", text.failed ? "" : text.data);
    vrmi_text_free(&text);
    cli_say(r->job, "%s", vrm_renderer_get_driver(r->stage.renderer));
}

// Writes the sheet. The rest of its last row is filled with the background.
static int write_sheet(rendering *r)
{
    const uint32_t width = r->scene.width * r->columns, height = r->scene.height * r->rows;
    const uint32_t from = r->picture_count - (r->rows - 1) * r->columns;
    for (uint32_t y = height - r->scene.height; y < height; ++y) {
        for (uint32_t x = from * r->scene.width; x < width; ++x) {
            memcpy(r->sheet + ((size_t)y * width + x) * 4, r->sheet, 4);
        }
    }
    return write_png(r, r->options->output, r->sheet, width, height);
}

static void say_expressions(rendering *r)
{
    vrmi_text text;
    vrmi_text_init(&text, NULL);
    vrmi_text_format(&text, "%u in a row: at rest", r->columns);
    for (uint32_t i = 0; i + 1 < r->expression_count; ++i) {
        vrm_expression expression = {.struct_size = sizeof expression};
        (void)vrm_avatar_get_expression(r->stage.model.avatar, i, &expression);
        vrmi_text_add_string(&text, ", ");
        cli_add_file_text(&text, expression.name.data, expression.name.length);
    }
    cli_say(r->job, "%s", text.failed ? "" : text.data);
    vrmi_text_free(&text);
}

int run_render(const cli_inputs *inputs, const void *options, cli_job *job)
{
    rendering r = {.options = options, .job = job};
    r.stage.job = job;
    r.expression_count = r.options->figure.expressions.count != 0 ? r.options->figure.expressions.count : 1;
    int code = read_options(&r);
    if (code == CLI_EXIT_DONE) {
        vrm_renderer_def how;
        vrm_renderer_def_default(&how);
        how.samples = (uint32_t)r.options->samples;
        how.tangents = r.options->tangents == 1 ? VRM_TANGENTS_MADE : VRM_TANGENTS_MISSING;
        code = stage_begin(&r.stage, job, inputs->items[0], &r.options->figure, &how);
    }
    code = code == CLI_EXIT_DONE ? prepare(&r) : code;
    code = code == CLI_EXIT_DONE ? draw_pictures(&r) : code;
    if (code == CLI_EXIT_DONE && r.sheet != NULL) {
        code = write_sheet(&r);
    }
    code = r.video.path != NULL ? video_end(&r.video, code) : code;
    if (code == CLI_EXIT_DONE && r.options->statistics) {
        say_statistics(&r);
    }
    if (code == CLI_EXIT_DONE && r.options->sheet == SHEET_EXPRESSIONS) {
        say_expressions(&r);
    }
    code = code == CLI_EXIT_DONE ? say_empty(&r) : code;
    free(r.cameras);
    free(r.pixels);
    free(r.sheet);
    stage_end(&r.stage);
    return code;
}
