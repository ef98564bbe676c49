// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Writes pictures to ffmpeg's stdin as they are drawn. ffmpeg writes a temporary file beside the target, and the file
// is renamed when it is complete.

#include "cmd.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct format {
    const char *suffix, *name;
    const char *arguments[9]; // the list ends with NULL
} format;

// ffmpeg's arguments. Odd sizes are made even for codecs with chroma subsampling. A single thread makes each run give
// the same bytes.
static const format formats[] = {
    {".mp4", "mp4", {"-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-c:v", "libx264", "-pix_fmt", "yuv420p", NULL}},
    {".webm", "webm", {"-c:v", "libvpx-vp9", "-crf", "24", "-b:v", "0", NULL}},
    {".webp", "webp", {"-c:v", "libwebp_anim", "-quality", "82", "-compression_level", "6", "-loop", "0", NULL}},
    {".apng", "apng", {"-plays", "0", "-pred", "mixed", NULL}},
    {".gif", "gif", {"-vf", "split[a][b];[a]palettegen[p];[b][p]paletteuse", NULL}},
};

static const format *find_format(const char *path)
{
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; ++i) {
        if (cli_has_suffix(path, formats[i].suffix, false)) {
            return &formats[i];
        }
    }
    return NULL;
}

bool video_is_name(const char *path)
{
    return find_format(path) != NULL;
}

int video_begin(video *v, cli_job *job, const char *path, const vrm_render_scene *scene, double fps)
{
    const format *f = find_format(path);
    char size[32], rate[32];
    const char *arguments[40] = {"ffmpeg", "-nostdin", "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgba",
        "-s", size, "-r", rate, "-i", "pipe:0", "-threads", "1", "-fflags", "+bitexact", "-flags", "+bitexact"};
    int count = 21;
    const size_t length = strlen(path) + 32;
    *v = (video){.job = job, .path = path, .pipe = {-1, -1}, .picture = (size_t)scene->width * scene->height * 4};
    if (!cli_platform_has_pipes()) {
        return cli_fail(job, CLI_EXIT_UNSUPPORTED,
            "%s: cannot start ffmpeg on this system; give a folder as output, and make the video from its pictures "
            "with ffmpeg",
            path);
    }
    v->part = malloc(length);
    if (v->part == NULL) {
        return cli_fail(job, CLI_EXIT_AGAIN, "%s", vrm_result_sentence(VRM_ERROR_OUT_OF_MEMORY));
    }
    snprintf(v->part, length, "%s.%ld.part", path, cli_platform_process());
    snprintf(size, sizeof size, "%ux%u", scene->width, scene->height);
    snprintf(rate, sizeof rate, "%ld/1000", (long)(fps * 1000.0 + 0.5));
    for (int i = 0; f->arguments[i] != NULL; ++i) {
        arguments[count++] = f->arguments[i];
    }
    arguments[count++] = "-f";
    arguments[count++] = f->name;
    arguments[count++] = v->part;
    return cli_platform_open_pipe(&v->pipe, arguments)
               ? CLI_EXIT_DONE
               : cli_fail(job, CLI_EXIT_AGAIN, "%s: ffmpeg could not be started", path);
}

int video_add(video *v, const uint8_t *pixels)
{
    return cli_platform_write_pipe(&v->pipe, pixels, v->picture) ? CLI_EXIT_DONE
                                                                 : CLI_EXIT_OUTPUT; // video_end() reports the reason
}

static int judge(const video *v, int status, int code)
{
    if (status == 127) {
        return cli_fail(v->job, CLI_EXIT_UNSUPPORTED,
            "%s: ffmpeg is not installed (Debian: ffmpeg); install it, or name a folder for the pictures", v->path);
    }
    if (code == CLI_EXIT_OUTPUT || (code == CLI_EXIT_DONE && status != 0)) {
        return cli_fail(v->job, CLI_EXIT_OUTPUT, "%s: ffmpeg could not write this file", v->path);
    }
    if (code == CLI_EXIT_DONE && rename(v->part, v->path) != 0) {
        return cli_fail(v->job, CLI_EXIT_OUTPUT, "%s: %s", v->path, strerror(errno));
    }
    return code;
}

int video_end(video *v, int code)
{
    if (v->pipe.child > 0) {
        // Otherwise the incomplete output is deleted.
        const bool wanted = code == CLI_EXIT_DONE || code == CLI_EXIT_OUTPUT;
        const int status = cli_platform_close_pipe(&v->pipe, !wanted);
        cli_progress_clear(v->job);
        code = judge(v, status, code);
        if (code != CLI_EXIT_DONE) {
            (void)remove(v->part);
        }
    }
    free(v->part);
    return code;
}
