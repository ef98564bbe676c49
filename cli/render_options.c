// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "render_options.h"

// Options of `vrm render` and `vrm thumbnail`. A render_figure is the first member of both option structs.
#define FIGURE_OPTIONS \
    {.name = "pose", \
        .type = CLI_TEXT, \
        .offset = offsetof(render_figure, pose), \
        .value = "NAME|FILE", \
        .help = "Pose of the figure: relaxed (default), t, a, wave, or the first frame of a .vrma, .bvh, .fbx or " \
                "glTF animation."}, \
        {.name = "expression", \
            .type = CLI_LIST, \
            .offset = offsetof(render_figure, expressions), \
            .value = "NAME=W,...", \
            .help = "Expressions to show, with weights from 0 to 1; the default weight is 1. Each use of the option " \
                    "adds a picture."}, \
        {.name = "look-at", \
            .type = CLI_TEXT, \
            .offset = offsetof(render_figure, look_at), \
            .value = "X,Y,Z|FILE", \
            .help = "The point that the eyes follow, in metres, or a file with lines of time, x, y, z (default: " \
                    "none, the eyes keep their rest pose)."}, \
        {.name = "look-chain", \
            .type = CLI_CHOICE, \
            .offset = offsetof(render_figure, look_chain), \
            .choices = "none eyes eyes-head upper-body whole-spine", \
            .help = "Bones that turn towards the point together with the eyes (default none: only the eyes turn, as " \
                    "the file defines)."}, \
        {.name = "look-around-up", \
            .type = CLI_TEXT, \
            .offset = offsetof(render_figure, around_up), \
            .value = "W,...", \
            .help = "For each bone of the look chain, from the first one: how much it turns only about the vertical " \
                    "axis, 0 to 1."}, \
    { \
        .name = "settle", .type = CLI_NUMBER, .offset = offsetof(render_figure, settle), .value = "S", .min = 0, \
        .max = 10, .help = "Seconds for hair and clothes to come to rest (default 2)." \
    }

static void figure_defaults(render_figure *figure)
{
    figure->settle = 2.0;
}

static void render_defaults(void *options_in)
{
    render_options *options = options_in;
    figure_defaults(&options->figure);
    options->ambient = 0.1;
    options->environment = 0.5;
    options->light_intensity = 0.92;
    options->samples = 4;
}

static const cli_option render_table[] = {
    CLI_OUTPUT_OPTION(render_options, output, "OUT.png",
        "; - for stdout. A folder for several pictures. For .mp4, .webm, .gif, .webp or .apng, ffmpeg encodes a video"),
    CLI_FORCE_OPTION(render_options, force),
    {.name = "size",
        .letter = 's',
        .type = CLI_TEXT,
        .offset = offsetof(render_options, size),
        .value = "WxH",
        .help = "Size of a picture in pixels (default 768x1024)."},
    {.name = "camera",
        .letter = 'c',
        .type = CLI_LIST,
        .offset = offsetof(render_options, cameras),
        .value = "CAMERA",
        .help = "body (default), bust or face, each fitted around the visible figure, with an optional yaw, as in "
                "face:35; first-person, with an optional yaw and pitch (first-person:0,60 looks down); "
                "orbit:YAW,PITCH,DISTANCE around the middle of the body; or X,Y,Z:TX,TY,TZ, the positions of camera "
                "and target. Angles are in degrees, distances in metres. May be repeated."},
    {.name = "view-matrix",
        .type = CLI_TEXT,
        .offset = offsetof(render_options, view_matrix),
        .value = "FILE",
        .help = "View matrix: a JSON array of 16 numbers, column-major, as in OpenGL. Used together with --projection, "
                "instead of --camera. It may be combined with -c first-person, which hides the wearer's head."},
    {.name = "projection",
        .type = CLI_TEXT,
        .offset = offsetof(render_options, projection),
        .value = "FILE",
        .help = "Projection matrix: a JSON array of 16 numbers, column-major, as in OpenGL."},
    FIGURE_OPTIONS,
    {.name = "motion",
        .type = CLI_TEXT,
        .offset = offsetof(render_options, figure.motion),
        .value = "NAME|FILE",
        .help = "How the body moves, instead of a pose: none (default), idle, walk, run (walk-ahead, run-ahead: over "
                "the ground), wave, bow, sit-down, stand-up, sway; a .vrma, .bvh, .fbx or glTF animation; or own, the "
                "first animation of the model's file, played with the hair's motion in it, as vrm simulate writes it."},
    {.name = "loop",
        .type = CLI_FLAG,
        .offset = offsetof(render_options, figure.loop),
        .help = "Repeat the motion file; without this option the last pose is kept."},
    {.name = "time",
        .type = CLI_NUMBER,
        .offset = offsetof(render_options, figure.time),
        .value = "S",
        .min = 0,
        .max = 3600,
        .help = "Seconds of motion before the first picture (default 0)."},
    {.name = "frames",
        .type = CLI_INTEGER,
        .offset = offsetof(render_options, frames),
        .value = "N",
        .min = 1,
        .max = 100000,
        .help = "Number of pictures (default 1; for a video the length of the motion file, else 5 seconds). With "
                "several pictures -o names a folder, unless --strip is given."},
    {.name = "fps",
        .type = CLI_NUMBER,
        .offset = offsetof(render_options, fps),
        .value = "N",
        .min = 0.1,
        .max = 1000,
        .help = "Pictures per second of motion (default 30)."},
    {.name = "strip",
        .type = CLI_FLAG,
        .offset = offsetof(render_options, strip),
        .help = "Draw all pictures side by side into one file."},
    {.name = "sheet",
        .type = CLI_CHOICE,
        .offset = offsetof(render_options, sheet),
        .choices = "none expressions turntable motion",
        .help = "Draw many pictures into one file, row by row. expressions: the face at rest and with each expression "
                "in the file's order; turntable: the figure from 12 sides, each 30 degrees further to its left; "
                "motion: 12 moments (or as many as --frames says) of the whole motion file, or of one second of a "
                "built-in motion (--fps changes the time between them). Default size 240x320 each."},
    {.name = "background",
        .letter = 'b',
        .type = CLI_TEXT,
        .offset = offsetof(render_options, background),
        .value = "COLOR",
        .help = "Background colour: #rrggbb, #rrggbbaa or transparent (default #dfe4ee)."},
    {.name = "ground",
        .type = CLI_FLAG,
        .offset = offsetof(render_options, ground),
        .help = "Draw a grid of one metre, with round shadows under hands, feet and hips."},
    {.name = "shadow",
        .type = CLI_FLAG,
        .offset = offsetof(render_options, shadow),
        .help = "Draw the figure's own shadow on the ground, softer where the figure is higher above it."},
    {.name = "light",
        .type = CLI_TEXT,
        .offset = offsetof(render_options, light),
        .value = "YAW,PITCH,I",
        .help = "Direction of the light, in degrees from the front, and its intensity (default: over the camera's left "
                "shoulder, 0.92)."},
    {.name = "ambient",
        .type = CLI_NUMBER,
        .offset = offsetof(render_options, ambient),
        .value = "I",
        .min = 0,
        .max = 100,
        .help = "Intensity of the ambient light (default 0.1)."},
    {.name = "environment",
        .type = CLI_NUMBER,
        .offset = offsetof(render_options, environment),
        .value = "I",
        .min = 0,
        .max = 100,
        .help = "Intensity of the light that metals mirror, the same from all directions (default 0.5)."},
    {.name = "debug",
        .type = CLI_TEXT,
        .offset = offsetof(render_options, debug),
        .value = "LIST",
        .help = "Overlays to draw: bones,springs,colliders,constraints,gaze,boxes,lines,wireframe,ragdoll."},
    {.name = "channel",
        .type = CLI_CHOICE,
        .offset = offsetof(render_options, channel),
        .choices = "color normal uv shading",
        .help = "Values to draw: colours (default), normals, UVs or shading."},
    {.name = "samples",
        .type = CLI_INTEGER,
        .offset = offsetof(render_options, samples),
        .value = "N",
        .min = 1,
        .max = 16,
        .help = "Samples per pixel for smooth edges (default 4)."},
    {.name = "tangents",
        .type = CLI_CHOICE,
        .offset = offsetof(render_options, tangents),
        .choices = "file made",
        .help = "Tangents for normal maps. file (default): those of the file, generated by MikkTSpace if it has none; "
                "made: always generated, as the draft of VRM 1.0 requires."},
    {.name = "web-blend",
        .type = CLI_FLAG,
        .offset = offsetof(render_options, web_blend),
        .help = "Blend sRGB-encoded colours, as web pages do, instead of linear light."},
    {.name = "no-outline",
        .type = CLI_FLAG,
        .offset = offsetof(render_options, no_outline),
        .help = "Do not draw MToon's outlines."},
    {.name = "double-sided",
        .type = CLI_FLAG,
        .offset = offsetof(render_options, double_sided),
        .help = "Draw the back faces of every material."},
    {.name = "statistics",
        .type = CLI_FLAG,
        .offset = offsetof(render_options, statistics),
        .help = "Print statistics of the rendering on stderr."},
};

const cli_command cli_render = {
    .name = "render",
    .summary = "Draw an avatar to PNG files, without a display.",
    .arguments = "FILE -o OUT.png",
    .description =
        "Poses the figure, lets hair and clothes come to rest, and draws it with its own materials (MToon, unlit, "
        "metallic-roughness) by OpenGL ES 3.0. No display is needed; a machine without a graphics processor draws in "
        "software. The same input, options and machine give the same bytes.\n\nThe work is done by the program "
        "vrm-render, which is installed beside vrm if libepoxy, libspng and libjpeg-turbo are available.",
    .examples =
        "vrm render avatar.vrm -o body.png\n    the whole figure\n"
        "vrm render avatar.vrm -o face.png -c face -s 512 --expression happy=0.8,blinkLeft\n"
        "    a smile with a wink\n"
        "vrm render avatar.vrm -o walk.png --motion walk --frames 8 --fps 8 --strip -s 240x480\n"
        "    eight moments of a walk side by side\n"
        "vrm render avatar.vrm -o faces.png --sheet expressions\n    the face with each expression, in one picture\n"
        "vrm render avatar.vrm -o dance.mp4 --motion dance.vrma --ground\n    a video, if ffmpeg is installed\n",
    .min_inputs = 1,
    .max_inputs = 1,
    .options = render_table,
    .option_count = sizeof(render_table) / sizeof(render_table[0]),
    .options_size = sizeof(render_options),
    .defaults = render_defaults,
    .program = "vrm-render",
    .packages = "libepoxy-dev libspng-dev libjpeg62-turbo-dev",
    .many = ".png",
};

static void thumbnail_defaults(void *options_in)
{
    thumbnail_options *options = options_in;
    figure_defaults(&options->figure);
    options->size = 512;
}

static const cli_option thumbnail_table[] = {
    CLI_OUTPUT_OPTION(thumbnail_options, output, "OUT.png", "; - for stdout"),
    {.name = "size",
        .letter = 's',
        .type = CLI_INTEGER,
        .offset = offsetof(thumbnail_options, size),
        .value = "N",
        .min = 16,
        .max = 8192,
        .help = "Size of each side in pixels (default 512)."},
    FIGURE_OPTIONS,
    {.name = "background",
        .letter = 'b',
        .type = CLI_TEXT,
        .offset = offsetof(thumbnail_options, background),
        .value = "COLOR",
        .help = "Background colour: #rrggbb, #rrggbbaa or transparent (default #dfe4ee)."},
    {.name = "embedded",
        .type = CLI_FLAG,
        .offset = offsetof(thumbnail_options, embedded),
        .help = "Use the thumbnail in the file, if there is one."},
    {.name = "embed",
        .type = CLI_TEXT,
        .offset = offsetof(thumbnail_options, embed),
        .value = "OUT.vrm",
        .help = "Write a copy of the model with this picture as its thumbnail."},
    CLI_FORCE_OPTION(thumbnail_options, force),
};

const cli_command cli_thumbnail = {
    .name = "thumbnail",
    .summary = "Draw an avatar's face as a square picture, or extract the one in the file.",
    .arguments = "FILE",
    .description =
        "Draws the face from the front in a relaxed pose, or extracts the thumbnail in the file (--embedded). With "
        "--embed the command writes a copy of the model that has the picture as its thumbnail.",
    .examples =
        "vrm thumbnail avatar.vrm -o avatar.png\n    the face, 512 by 512\n"
        "vrm thumbnail avatar.vrm --embed with-picture.vrm --expression happy\n    a smiling thumbnail in the file\n",
    .min_inputs = 1,
    .max_inputs = 1,
    .options = thumbnail_table,
    .option_count = sizeof(thumbnail_table) / sizeof(thumbnail_table[0]),
    .options_size = sizeof(thumbnail_options),
    .defaults = thumbnail_defaults,
    .program = "vrm-render",
    .packages = "libepoxy-dev libspng-dev libjpeg62-turbo-dev",
    .many = ".png",
};

static const cli_option rpc_table[] = {
    {.name = "step-on-render",
        .type = CLI_FLAG,
        .offset = offsetof(rpc_options, step_on_render),
        .help = "Advance springs by 1/60 s in each render, as the suite's three-vrm adapter does. The suite's contract "
                "leaves this open; without this option a render does not advance springs."},
    {.name = "web-blend",
        .type = CLI_FLAG,
        .offset = offsetof(rpc_options, web_blend),
        .help = "Blend sRGB-encoded colours, as web pages do, instead of linear light."},
    {.name = "format",
        .type = CLI_CHOICE,
        .offset = offsetof(rpc_options, format),
        .choices = "text json",
        .help = "Output format of describe; default text."},
};

const cli_command cli_rpc = {
    .name = "rpc",
    .summary = "Serve the operations of the VRM conformance suite over stdin and stdout.",
    .arguments = "[describe | MANIFEST.json RESULTS.ndjson]",
    .description = "An adapter of the suite arkavo-org/vrm-conformance: JSON-RPC 2.0, each message framed by "
                   "Content-Length as in the Language Server Protocol, one response per request, in order. Its "
                   "operations load, show, move and measure models; docs/conformance.md lists them with their errors. "
                   "The process exits with code 0 at the end of stdin.\n\nWith two files it runs the tests of a batch "
                   "manifest and writes a line of results for each. With the word describe it lists the operations and "
                   "their parameters.\n\nThe work is done by the program vrm-render, which is installed together with "
                   "vrm if libepoxy, libspng and libjpeg-turbo are available. Only pictures need OpenGL ES.",
    .examples = "vrm rpc\n    waits for requests\nvrm rpc describe --format json\n    the list of requests\nvrm rpc "
                "manifest.json results.ndjson\n    all tests of a manifest\n",
    .min_inputs = 0,
    .max_inputs = 2,
    .options = rpc_table,
    .option_count = sizeof(rpc_table) / sizeof(rpc_table[0]),
    .options_size = sizeof(rpc_options),
    .program = "vrm-render",
    .packages = "libepoxy-dev libspng-dev libjpeg62-turbo-dev",
};
