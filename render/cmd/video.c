// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Pictures into ffmpeg's stdin, as they are drawn. It writes beside the wanted name; the name appears when all is there.

#if !defined(_WIN32)
#define _POSIX_C_SOURCE 200809L
#endif

#include "cmd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct format {
    const char *suffix, *name;
    const char *arguments[8]; // NULL at the end
} format;

// Sizes that are odd are made even for codecs that halve colours. One thread: the same bytes at each run.
static const format formats[] = {
    {".mp4", "mp4", {"-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-c:v", "libx264", "-pix_fmt", "yuv420p", NULL}},
    {".webm", "webm", {"-c:v", "libvpx-vp9", "-crf", "24", "-b:v", "0", NULL}},
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

#if defined(_WIN32)

int video_begin(video *v, cli_job *job, const char *path, const vrm_render_scene *scene, double fps)
{
    (void)scene;
    (void)fps;
    *v = (video){.job = job, .pipe = -1};
    return cli_fail(job, CLI_EXIT_UNSUPPORTED, "%s: name a folder, and join its pictures with ffmpeg", path);
}

int video_add(video *v, const uint8_t *pixels)
{
    (void)v;
    (void)pixels;
    return CLI_EXIT_UNSUPPORTED;
}

int video_end(video *v, int code)
{
    (void)v;
    return code;
}

#else

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void become_ffmpeg(const char *const *arguments, int in)
{
    const int nothing = open("/dev/null", O_WRONLY);
    if (dup2(in, 0) >= 0 && nothing >= 0 && dup2(nothing, 1) >= 0) {
        execvp(arguments[0], (char *const *)(uintptr_t)arguments);
    }
    _exit(127);
}

int video_begin(video *v, cli_job *job, const char *path, const vrm_render_scene *scene, double fps)
{
    const format *f = find_format(path);
    char size[32], rate[32];
    const char *arguments[32] = {"ffmpeg", "-nostdin", "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgba",
        "-s", size, "-r", rate, "-i", "pipe:0", "-threads", "1", "-fflags", "+bitexact", "-flags", "+bitexact"};
    int count = 21, ends[2];
    const size_t length = strlen(path) + 32;
    *v = (video){.job = job,
        .path = path,
        .part = malloc(length),
        .pipe = -1,
        .child = -1,
        .picture = (size_t)scene->width * scene->height * 4};
    if (v->part == NULL || pipe(ends) != 0) {
        return cli_fail(job, CLI_EXIT_AGAIN, "%s", vrm_result_sentence(VRM_ERROR_OUT_OF_MEMORY));
    }
    snprintf(v->part, length, "%s.%ld.part", path, (long)getpid());
    snprintf(size, sizeof size, "%ux%u", scene->width, scene->height);
    snprintf(rate, sizeof rate, "%ld/1000", (long)(fps * 1000.0 + 0.5));
    for (int i = 0; f->arguments[i] != NULL; ++i) {
        arguments[count++] = f->arguments[i];
    }
    arguments[count++] = "-f";
    arguments[count++] = f->name;
    arguments[count++] = v->part;
    // A child that ends early is told by its exit code, not by a signal to us.
    signal(SIGPIPE, SIG_IGN);
    (void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        become_ffmpeg(arguments, ends[0]);
    }
    close(ends[0]);
    v->pipe = ends[1];
    v->child = child;
    return child > 0 ? CLI_EXIT_DONE : cli_fail(job, CLI_EXIT_AGAIN, "%s: no child process could be made", path);
}

int video_add(video *v, const uint8_t *pixels)
{
    for (size_t done = 0; done < v->picture;) {
        const ssize_t count = write(v->pipe, pixels + done, v->picture - done);
        if (count > 0) {
            done += (size_t)count;
        } else if (count < 0 && (errno != EINTR || cli_cancelled())) {
            return CLI_EXIT_OUTPUT; // video_end() says why
        }
    }
    return CLI_EXIT_DONE;
}

static int judge(const video *v, int status, int code)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
        return cli_fail(v->job, CLI_EXIT_UNSUPPORTED,
            "%s: ffmpeg is not installed (Debian: ffmpeg); without it name a folder for the pictures", v->path);
    }
    if (code == CLI_EXIT_OUTPUT || (code == CLI_EXIT_DONE && status != 0)) {
        return cli_fail(v->job, CLI_EXIT_OUTPUT, "%s: ffmpeg could not write it", v->path);
    }
    if (code == CLI_EXIT_DONE && rename(v->part, v->path) != 0) {
        return cli_fail(v->job, CLI_EXIT_OUTPUT, "%s: %s", v->path, strerror(errno));
    }
    return code;
}

int video_end(video *v, int code)
{
    if (v->pipe >= 0) {
        close(v->pipe);
    }
    if (v->child > 0) {
        int status = 0;
        if (code != CLI_EXIT_DONE && code != CLI_EXIT_OUTPUT) {
            kill((pid_t)v->child, SIGTERM); // nobody wants what there is
        }
        while (waitpid((pid_t)v->child, &status, 0) < 0 && errno == EINTR) {
        }
        cli_progress_clear(v->job);
        code = judge(v, status, code);
        if (code != CLI_EXIT_DONE) {
            (void)unlink(v->part);
        }
    }
    free(v->part);
    return code;
}

#endif
