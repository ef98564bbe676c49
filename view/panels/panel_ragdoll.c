// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "view.h"

static void begin(view *v)
{
    const figure *f = v->figure;
    const scene_puppet_def def = {
        .instance = f->instance, .gltf = f->gltf, .player = f->player, .layer = 1, .report = f->report};
    const vrm_result result = scene_puppet_begin(&v->puppet, &def);
    if (result != VRM_SUCCESS) {
        view_say(v, true, "%s: cannot have a ragdoll: %s", f->name,
            result == VRM_ERROR_INVALID_ARGUMENT ? "it is not a humanoid" : vrm_result_sentence(result));
    }
}

static void show_events(view *v)
{
    vrm_instance *instance = v->figure->instance;
    vrm_outputs out = {.struct_size = sizeof out};
    if (gui_button("Drop")) {
        (void)vrm_instance_drop_ragdoll(instance);
    }
    gui_same_line();
    if (gui_button("Explode")) {
        vrm_instance_get_outputs(instance, &out);
        const vrm_dvec3 center = {out.origin.x + 0.2, out.origin.y + 0.1, out.origin.z + 0.4};
        (void)vrm_instance_explode_ragdoll(instance, &center, v->puppet.strength * 20.0f, 3.0f);
    }
    gui_same_line();
    if (gui_button("Recover")) {
        (void)vrm_instance_recover_ragdoll(instance);
    }
    gui_same_line();
    if (gui_button("Stop now")) {
        (void)vrm_instance_stop_ragdoll(instance);
    }
}

static void show_settings(view *v)
{
    static const char *const drives[] = {"velocities", "springs at the joints"};
    vrm_ragdoll_params *s = &v->puppet.settings;
    int drive = (int)s->drive;
    bool changed = gui_combo("drive", &drive, drives, 2);
    s->drive = (vrm_ragdoll_drive)drive;
    changed |= gui_slider("firmness, Hz (0: default)", &s->frequency, 0.0f, 12.0f);
    changed |= gui_slider("damping", &s->damping_ratio, 0.0f, 3.0f);
    changed |= gui_slider("held in place, Hz (0: default)", &s->pin_frequency, 0.0f, 12.0f);
    changed |= gui_slider("recovery time, s", &s->hit_recovery, 0.1f, 4.0f);
    changed |= gui_check("Falls when it leans too far", &s->detect_fall);
    changed |= gui_check("Steps to keep its balance", &s->steps);
    if (s->steps) {
        changed |= gui_slider("assist: pushes are divided by", &s->step_assist, 1.0f, 4.0f);
        gui_row("the assist absorbs", "%.0f %% of each push", 100.0 - 100.0 / (double)s->step_assist);
    }
    changed |= gui_check("Always simulated", &s->always);
    if (changed) {
        (void)vrm_instance_set_ragdoll_params(v->figure->instance, s);
    }
}

void panel_ragdoll(view *v)
{
    static const char *const hands[] = {"turns the camera", "hits", "drags"};
    static const char *const stories[SCENE_RAGDOLL_STORY_COUNT + 1] = {
        "what you do", "it is hit", "it walks, is pushed", "explosion, gets up", "its left arm hangs"};
    scene_puppet *p = &v->puppet;
    bool on = p->on;
    gui_heading("Ragdoll");
    if (gui_check("Give it a body", &on)) {
        if (!on) {
            scene_puppet_end(p);
        } else {
            begin(v);
        }
    }
    gui_begin_disabled(!p->on);
    gui_combo("left button", &v->hand, hands, 3);
    gui_slider("strength, N s", &p->strength, 1.0f, 200.0f);
    int story = p->story;
    if (gui_combo("what happens", &story, stories, SCENE_RAGDOLL_STORY_COUNT + 1)) {
        scene_puppet_choose_story(p, story);
    }
    show_events(v);
    gui_check("Falls as people do", &p->fall.on);
    gui_flag("Draw bodies, targets, contacts", &v->drawing.debug, VRM_RENDER_DEBUG_RAGDOLL);
    gui_heading("Control of the body");
    show_settings(v);
    gui_end_disabled();
    if (p->on) {
        vrm_ragdoll_info info = {.struct_size = sizeof info};
        vrm_instance_get_ragdoll_info(v->figure->instance, &info);
        gui_space();
        gui_row("phase", "%s, %.1f s", figure_ragdoll_phase(v->figure), (double)info.phase_time);
        gui_row("bodies", "%u", info.body_count);
        gui_row("deviation", "%.1f degrees", (double)info.deviation * 57.29577951308232);
        gui_row("speed", "%.2f m/s", (double)info.speed);
    }
}
