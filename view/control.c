// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Commands on standard input, one per line, for tests. Each command is answered, when it is done, by a line "ok ..." or
// "error ...". User input (keys, clicks) still goes through the window, and frames run only when requested.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <GLFW/glfw3.h>

#include "platform.h"
#include "view.h"

static void answer(const char *kind, const char *text)
{
    printf("%s%s%s\n", kind, text[0] != '\0' ? " " : "", text);
    fflush(stdout);
}

// Runs some frames. Drawing takes a hundred times as long as an update, so only the last frame is drawn, and only if
// `seen`.
static bool frames(view *v, long count, bool seen)
{
    for (long i = 0; i < count; ++i) {
        v->unseen = !seen || i + 1 < count;
        glfwPollEvents();
        if (view_frame(v) != VRM_SUCCESS) {
            return false;
        }
    }
    return true;
}

// Runs frames until loading has ended and its result has been drawn.
static bool arrive(view *v)
{
    while (atomic_load(&v->loader.state) != LOADER_IDLE || v->arriving != NULL) {
        if (!frames(v, 1, false)) {
            return false;
        }
    }
    return frames(v, 2, true);
}

static void open_file(view *v, const char *path, bool dropped)
{
    const uint32_t before = v->log_count;
    if (dropped) {
        // The window's own callback is called, as the system would call it.
        const GLFWdropfun on_drop = glfwSetDropCallback(v->window, NULL);
        glfwSetDropCallback(v->window, on_drop);
        on_drop(v->window, 1, &path);
    } else {
        view_open(v, path);
    }
    const bool drawn = arrive(v);
    const bool bad = v->log_count > before && v->log_bad[v->log_count - 1];
    if (!drawn) {
        answer("error", vrm_renderer_get_error(v->renderer));
    } else {
        answer(bad ? "error" : "ok", v->log_count > before ? v->log[v->log_count - 1] : "");
    }
}

static int panel_of(const char *name)
{
    static const char *const labels[] = {
#define PANEL_LABEL(id, label) label,
        VIEW_PANELS(PANEL_LABEL)
#undef PANEL_LABEL
    };
    for (int i = 0; i < VIEW_PANEL_COUNT; ++i) {
        if (strcmp(labels[i], name) == 0) {
            return i;
        }
    }
    return -1;
}

// Reports the position of a widget.
static void where(view *v, const char *label)
{
    float x, y;
    char text[64];
    if (!frames(v, 2, false)) {
        answer("error", vrm_renderer_get_error(v->renderer));
    } else if (gui_find(label, &x, &y)) {
        snprintf(text, sizeof text, "%d %d", (int)x, (int)y);
        answer("ok", text);
    } else {
        answer("error", "no such widget is shown");
    }
}

static void tell_state(view *v)
{
    vrmi_text text;
    vrmi_text_init(&text, NULL);
    cli_json json = {.out = &text};
    const figure *f = v->figure;
    cli_json_open(&json, NULL, '{');
    cli_json_uint(&json, "schemaVersion", 1);
    cli_json_text(&json, "file", f != NULL ? f->path : "");
    cli_json_int(&json, "panel", v->panel);
    cli_json_bool(&json, "paused", v->paused);
    cli_json_float(&json, "speed", v->speed);
    cli_json_float(&json, "time", (float)v->time);
    cli_json_int(&json, "motion", v->motion);
    cli_json_int(&json, "clip", v->repertoire.playing);
    cli_json_uint(&json, "clips", v->repertoire.count);
    cli_json_float(&json, "clipTime", f != NULL ? vrm_clip_player_get_time(f->player, 0) : 0.0f);
    cli_json_int(&json, "gaze", v->look.gaze);
    cli_json_int(&json, "chain", v->look.chain);
    cli_json_uint(&json, "undo", v->history.undo);
    cli_json_uint(&json, "files", v->gallery.count);
    cli_json_bool(&json, "panelsHidden", v->panels_hidden);
    cli_json_uint(&json, "debug", v->drawing.debug);
    cli_json_bool(&json, "loading", atomic_load(&v->loader.state) != LOADER_IDLE || v->arriving != NULL);
    cli_json_text(&json, "missingFont", gui_missing_font());
    cli_json_text(&json, "screenshot", v->last_shot);
    cli_json_text(&json, "message", v->log_count != 0 ? v->log[v->log_count - 1] : "");
    const float turn[3] = {(float)v->orbit.yaw, (float)v->orbit.pitch, (float)v->orbit.distance};
    cli_json_floats(&json, "orbit", turn, 3);
    const float wearer[2] = {(float)v->wearer_yaw, (float)v->wearer_pitch};
    cli_json_bool(&json, "wearing", v->wearing);
    cli_json_floats(&json, "wearer", wearer, 2);
    if (f != NULL) {
        vrm_outputs out = {.struct_size = sizeof out};
        cli_json_text(&json, "ragdoll", figure_ragdoll_phase(f));
        cli_json_int(&json, "held", v->puppet.held);
        vrm_instance_get_outputs(f->instance, &out);
        cli_json_floats(&json, "weights", f->weights, f->counts.expressions);
        cli_json_open(&json, "applied", '[');
        for (uint32_t i = 0; i < out.expression_count; ++i) {
            cli_json_float(&json, NULL, out.expressions[i].applied);
        }
        cli_json_close(&json, ']');
    }
    cli_json_close(&json, '}');
    answer("ok", text.data != NULL ? text.data : "");
    vrmi_text_free(&text);
}

static bool obey(view *v, char *line)
{
    char *rest = strchr(line, ' ');
    if (rest != NULL) {
        *rest++ = '\0';
    } else {
        rest = line + strlen(line);
    }
    if (strcmp(line, "quit") == 0) {
        answer("ok", "");
        return false;
    }
    if (strcmp(line, "open") == 0 || strcmp(line, "drop") == 0) {
        open_file(v, rest, line[0] == 'd');
    } else if (strcmp(line, "begin") == 0) {
        view_open(v, rest);
        answer("ok", "");
    } else if (strcmp(line, "frames") == 0) {
        answer(frames(v, strtol(rest, NULL, 10), false) ? "ok" : "error", vrm_renderer_get_error(v->renderer));
    } else if (strcmp(line, "panel") == 0 && panel_of(rest) >= 0) {
        v->panel = panel_of(rest);
        answer(frames(v, 2, true) ? "ok" : "error", vrm_renderer_get_error(v->renderer));
    } else if (strcmp(line, "where") == 0) {
        where(v, rest);
    } else if (strcmp(line, "state") == 0) {
        tell_state(v);
    } else if (strcmp(line, "window") == 0) {
        v->window_path = rest;
        v->window_written = false;
        answer(frames(v, 1, true) && v->window_written ? "ok" : "error", rest);
    } else {
        answer("error", "commands: open PATH, begin PATH, drop PATH, frames N, panel NAME, where LABEL, state, window "
                        "FILE.png, quit");
    }
    return true;
}

bool control_run(view *v)
{
    char *text = v->control_text;
    size_t size = v->control_size;
    if (!cli_platform_wait(0, 100)) {
        return true;
    }
    const int64_t got = cli_platform_read(0, text + size, VIEW_CONTROL - 1 - size);
    if (got <= 0) {
        return false; // standard input was closed
    }
    size += (size_t)got;
    text[size] = '\0';
    for (char *end = strchr(text, '\n'); end != NULL; end = strchr(text, '\n')) {
        *end = '\0';
        const bool goes_on = obey(v, text);
        size -= (size_t)(end + 1 - text);
        memmove(text, end + 1, size + 1);
        if (!goes_on) {
            return false;
        }
    }
    v->control_size = size;
    return size + 1 < VIEW_CONTROL;
}
