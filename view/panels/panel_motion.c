// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Clips and built-in motions.

#include "view.h"

static void show_clips(view *v)
{
    repertoire *r = &v->repertoire;
    if (r->count == 0) {
        gui_text(GUI_DIM, "Drop .vrma, .bvh, .fbx, .dae or animated .glb files onto the window.");
    }
    for (uint32_t i = 0; i < r->count; ++i) {
        gui_push_id((int)i);
        if (gui_selectable(r->clips[i].name, r->playing == (int32_t)i, 0.0f)) {
            repertoire_play(r, v->figure, (int32_t)i);
        }
        gui_pop_id();
    }
    gui_begin_disabled(r->playing < 0);
    if (gui_button("Stop")) {
        repertoire_play(r, v->figure, -1);
    }
    gui_end_disabled();
}

static void show_how(view *v)
{
    static const char *const wraps[] = {"keep the last pose", "loop", "back and forth"};
    repertoire *r = &v->repertoire;
    bool changed = gui_combo("at the end", &r->wrap, wraps, 3);
    changed |= gui_slider("clip's speed", &r->speed, -2.0f, 2.0f);
    if (changed) {
        repertoire_retune(r, v->figure);
    }
    gui_slider("cross-fade, s", &r->fade, 0.0f, 3.0f);
    gui_check("Inertial: the old motion fades out", &r->inertial);
}

static void show_info(const view *v)
{
    vrm_clip_info info = {.struct_size = sizeof info};
    uint32_t bones = 0;
    vrm_clip_get_info(v->repertoire.clips[v->repertoire.playing].clip, &info);
    for (uint64_t left = info.bones; left != 0; left &= left - 1) {
        ++bones;
    }
    gui_space();
    gui_row("duration", "%.2f s", (double)info.duration);
    gui_row("moves", "%u bone%s%s, %u expression%s%s", bones, bones == 1 ? "" : "s",
        info.has_hips_position ? " and the hips' position" : "", info.expressions, info.expressions == 1 ? "" : "s",
        info.has_gaze ? ", the gaze" : "");
    gui_row("keys", "%llu", (unsigned long long)info.keys);
}

void panel_motion(view *v)
{
    const char *motions[SCENE_STAGE_WORDS_ON_PLACE];
    for (uint32_t i = 0; i < SCENE_STAGE_WORDS_ON_PLACE; ++i) {
        motions[i] = scene_stage_word(i);
    }
    gui_heading("Clips");
    show_clips(v);
    gui_space();
    show_how(v);
    if (v->repertoire.playing >= 0) {
        show_info(v);
    }
    gui_heading("Without a clip");
    if (gui_combo("motion", &v->motion, motions, SCENE_STAGE_WORDS_ON_PLACE)) {
        v->angles_known = false;
    }
    gui_text(GUI_DIM, "Moves the bones that no clip moves. With none the pose stays as it is.");
    if (gui_button("T-pose")) {
        view_touch_pose(v);
        vrm_instance_reset_pose(v->figure->instance);
        v->angles_known = false;
    }
}
