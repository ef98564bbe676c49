// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The widgets around the picture: a bar for files at the top, a bar for time at the bottom, the list of files on the
// left, a panel on the right.

#include <math.h>
#include <string.h>

#include "platform.h"
#include "view.h"

static const float bar_height = 46.0f, side_width = 452.0f, list_width = 108.0f, gallery_width = 190.0f;

static void (*const panels[])(view *v) = {panel_conditions, panel_expressions, panel_gaze, panel_springs, panel_motion,
    panel_bones, panel_ragdoll, panel_materials, panel_drawing, panel_messages, panel_statistics};

// --- top -----------------------------------------------------------------------------------------------------------

static void show_recent(view *v)
{
    const char *words[RECENT_FILES];
    for (int i = 0; i < v->recent.count; ++i) {
        words[i] = cli_file_name(v->recent.paths[i]);
    }
    const int chosen = gui_menu("Recent files", words, v->recent.count, 132.0f);
    if (chosen >= 0) {
        char path[RECENT_PATH]; // a copy, since opening a file changes the list
        memcpy(path, v->recent.paths[chosen], sizeof path);
        view_open(v, path);
    }
}

static void show_top(view *v, float width)
{
    static const char *const parts[] = {"Body", "Bust", "Face"};
    gui_begin_panel("top", (gui_rect){0.0f, 0.0f, width, bar_height});
    show_recent(v);
    gui_same_line();
    gui_begin_disabled(v->gallery.count == 0);
    if (gui_button("Previous")) {
        view_step(v, -1);
    }
    gui_same_line();
    if (gui_button("Next")) {
        view_step(v, 1);
    }
    gui_end_disabled();
    for (int i = 0; i < ORBIT_PART_COUNT; ++i) {
        gui_same_line();
        if (gui_button(parts[i])) {
            view_frame_camera(v, (orbit_part)i);
        }
    }
    gui_same_line();
    gui_begin_disabled(v->figure == NULL);
    if (gui_button("Eyes")) {
        view_wear(v);
    }
    gui_end_disabled();
    gui_same_line();
    if (gui_button("Screenshot")) {
        view_screenshot(v);
    }
    if (v->figure != NULL) {
        char name[96];
        gui_same_line();
        gui_text(GUI_TITLE, "  %s", panel_name(name, sizeof name, v->figure->meta.name, v->figure->name));
        gui_same_line();
        gui_text(GUI_DIM, "%s", v->figure->name);
    }
    gui_end_panel();
}

// --- bottom --------------------------------------------------------------------------------------------------------

static void show_timeline(view *v)
{
    const repertoire_clip *clip = &v->repertoire.clips[v->repertoire.playing];
    vrm_clip_info info = {.struct_size = sizeof info};
    vrm_clip_get_info(clip->clip, &info);
    float time = vrm_clip_player_get_time(v->figure->player, 0);
    gui_text(GUI_DIM, "%.2f / %.2f s", (double)time, (double)info.duration);
    gui_same_line();
    if (gui_bar("Timeline", &time, 0.0f, info.duration, fmaxf(gui_width() - 8.0f, 60.0f))) {
        (void)vrm_clip_player_set_time(v->figure->player, 0, (double)time);
    }
}

static void show_bottom(view *v, float width, float height)
{
    gui_begin_panel("bottom", (gui_rect){0.0f, height - bar_height, width, bar_height});
    if (gui_button(v->paused ? "Go on" : "Pause")) {
        v->paused = !v->paused;
    }
    gui_same_line();
    if (gui_button("Step")) {
        v->paused = true;
        ++v->steps;
    }
    gui_tooltip("One frame of 1/60 s");
    gui_same_line();
    if (gui_button("Reset")) {
        view_reset(v);
    }
    gui_same_line();
    gui_bar("Speed", &v->speed, 0.05f, 2.0f, 110.0f);
    gui_tooltip("Speed of time: slow motion to twice as fast");
    gui_same_line();
    if (v->figure != NULL && v->repertoire.playing >= 0) {
        show_timeline(v);
    } else {
        gui_text(GUI_DIM, "%.2f s", v->time);
    }
    gui_end_panel();
}

// --- left ----------------------------------------------------------------------------------------------------------

static void show_gallery(view *v, float height)
{
    gui_begin_panel("files", (gui_rect){0.0f, bar_height, gallery_width, height - 2.0f * bar_height});
    gui_text(GUI_DIM, "%u file%s", v->gallery.count, v->gallery.count == 1 ? "" : "s");
    gui_begin_child("list", 0.0f, 0.0f);
    for (uint32_t i = 0; i < v->gallery.count; ++i) {
        const gallery_item *item = &v->gallery.items[i];
        gui_push_id((int)i);
        if (gui_selectable(item->file, v->figure != NULL && strcmp(v->figure->path, item->path) == 0, 0.0f)) {
            view_open(v, item->path);
        }
        if (atomic_load(&item->seen) != 0) {
            if (item->texture != 0) {
                const float scale =
                    112.0f / (float)(item->thumbnail.width > item->thumbnail.height ? item->thumbnail.width
                                                                                    : item->thumbnail.height);
                gui_picture(item->texture, (float)item->thumbnail.width * scale, (float)item->thumbnail.height * scale);
            }
            if (item->name[0] != '\0') {
                gui_text(GUI_DIM, "%s", item->name);
            }
            gui_text(GUI_DIM, "%s%s",
                strcmp(item->dialect, "unreadable") == 0 || item->dialect[0] == '\0' ? "" : "VRM ",
                item->dialect[0] != '\0' ? item->dialect : "glTF");
        }
        gui_space();
        gui_pop_id();
    }
    gui_end_child();
    gui_end_panel();
}

// --- right ---------------------------------------------------------------------------------------------------------

static void show_side(view *v, float width, float height)
{
    static const char *const labels[] = {
#define PANEL_LABEL(id, label) label,
        VIEW_PANELS(PANEL_LABEL)
#undef PANEL_LABEL
    };
    gui_begin_panel("side", (gui_rect){width - side_width, bar_height, side_width, height - 2.0f * bar_height});
    gui_begin_child("list", list_width, 0.0f);
    for (int i = 0; i < VIEW_PANEL_COUNT; ++i) {
        if (gui_selectable(labels[i], i == v->panel, 0.0f)) {
            v->panel = i;
        }
    }
    gui_end_child();
    gui_same_line();
    gui_begin_child(labels[v->panel], 0.0f, 0.0f);
    const bool needs_figure = v->panel != VIEW_PANEL_DRAWING && v->panel != VIEW_PANEL_MESSAGES;
    if (v->figure == NULL && needs_figure) {
        gui_text(GUI_DIM, "There is no avatar on the stage. Drop a .vrm file onto the window.");
    } else {
        panels[v->panel](v);
    }
    gui_end_child();
    gui_end_panel();
}

// --- over the picture ----------------------------------------------------------------------------------------------

static void show_loading(view *v)
{
    const gui_rect *p = &v->picture;
    const float width = fminf(420.0f, p->width - 20.0f);
    char text[256];
    gui_begin_panel("loading", (gui_rect){p->x + (p->width - width) * 0.5f, p->y + 16.0f, width, 76.0f});
    vrmi_format(text, sizeof text, "loading %s", cli_file_name(v->loader.path));
    gui_progress(v->arriving != NULL ? 1.0f : (float)atomic_load(&v->loader.permille) / 1000.0f, text);
    if (v->arriving != NULL) {
        gui_text(GUI_DIM, "decoding pictures");
    } else if (gui_button("Cancel")) {
        loader_cancel(&v->loader);
    }
    gui_end_panel();
}

static void show_message(const view *v)
{
    const gui_rect *p = &v->picture;
    const float width = fminf(640.0f, p->width - 20.0f);
    const char *text = v->log[v->log_count - 1];
    const float lines = 1.0f + floorf((float)strlen(text) * 7.6f / (width - 24.0f));
    const float height = 22.0f + 18.0f * lines;
    gui_begin_panel(
        "message", (gui_rect){p->x + (p->width - width) * 0.5f, p->y + p->height - height - 14.0f, width, height});
    gui_text(v->log_bad[v->log_count - 1] ? GUI_BAD : GUI_PLAIN, "%s", text);
    gui_end_panel();
}

static void show_welcome(const view *v)
{
    const gui_rect *p = &v->picture;
    const float width = fminf(420.0f, p->width - 20.0f);
    gui_begin_panel(
        "welcome", (gui_rect){p->x + (p->width - width) * 0.5f, p->y + p->height * 0.5f - 50.0f, width, 100.0f});
    gui_text(GUI_TITLE, "Drop an avatar here");
    gui_text(GUI_DIM,
        ".vrm of every version, .glb and .gltf; a motion (.vrma, .bvh, .fbx) or a pose (.json) after an avatar. "
        "A folder becomes a list.");
    gui_end_panel();
}

void panels_show(view *v, float width, float height)
{
    const bool files = v->gallery.count != 0 && !v->panels_hidden;
    v->picture = (gui_rect){0.0f, 0.0f, width, height};
    if (!v->panels_hidden) {
        const float left = files ? gallery_width : 0.0f;
        v->picture = (gui_rect){
            left, bar_height, fmaxf(width - left - side_width, 16.0f), fmaxf(height - 2.0f * bar_height, 16.0f)};
        show_top(v, width);
        show_bottom(v, width, height);
        show_side(v, width, height);
    }
    if (files) {
        show_gallery(v, height);
    }
    if (atomic_load(&v->loader.state) == LOADER_BUSY || v->arriving != NULL) {
        show_loading(v);
    } else if (v->figure == NULL) {
        show_welcome(v);
    }
    if (v->log_count != 0 && cli_platform_seconds() < v->message_until) {
        show_message(v);
    }
}
