// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Expressions, blinking, the voice; and where the avatar looks.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "view.h"

static const char *const overrides[] = {"", "blocks", "blends"};

static void add_override(char *text, size_t size, vrm_expression_override how, const char *what)
{
    if (how != VRM_EXPRESSION_OVERRIDE_NONE) {
        const size_t length = strlen(text);
        snprintf(text + length, size - length, "%s%s %s", length != 0 ? ", " : "", overrides[how], what);
    }
}

// Shows the overrides of an expression and how the expression is applied.
static void show_effects(const vrm_expression *e, const vrm_expression_weight *weight)
{
    char text[160] = "";
    add_override(text, sizeof text, e->override_blink, "blinking");
    add_override(text, sizeof text, e->override_mouth, "the mouth");
    add_override(text, sizeof text, e->override_look_at, "the gaze");
    if (e->is_binary) {
        add_override(text, sizeof text, VRM_EXPRESSION_OVERRIDE_BLOCK, "halves: on or off");
    }
    const bool overridden = fabsf(weight->input - weight->applied) > 1e-4f;
    if (text[0] != '\0' || overridden) {
        gui_text(overridden ? GUI_WARN : GUI_DIM, "    %s%s", text,
            overridden ? " (another expression, or on or off, changes its weight now)" : "");
    }
}

static void show_expression(view *v, uint32_t index, const vrm_outputs *out)
{
    figure *f = v->figure;
    vrm_expression e = {.struct_size = sizeof e};
    char name[96];
    if (vrm_avatar_get_expression(f->avatar, index, &e) != VRM_SUCCESS) {
        return;
    }
    const vrm_expression_weight *weight = &out->expressions[index];
    float value = f->weights[index] >= 0.0f ? f->weights[index] : weight->input;
    panel_name(name, sizeof name, e.name, "(no name)");
    gui_push_id((int)index);
    if (gui_bar(name, &value, 0.0f, 1.0f, 116.0f)) {
        f->weights[index] = fminf(fmaxf(value, 0.0f), 1.0f);
        (void)vrm_instance_set_expression(f->instance, VRM_EXPRESSION_LAYER_HOST, index, f->weights[index]);
    }
    gui_same_line();
    gui_meter(weight->applied, 44.0f);
    gui_tooltip("the applied weight");
    gui_same_line();
    if (f->weights[index] >= 0.0f) {
        if (gui_button("x")) {
            f->weights[index] = -1.0f;
            (void)vrm_instance_clear_expression(f->instance, VRM_EXPRESSION_LAYER_HOST, index);
        }
        gui_tooltip("let motion, blinking and voice set it again");
        gui_same_line();
    }
    gui_text(f->weights[index] >= 0.0f ? GUI_TITLE : GUI_PLAIN, "%s", name);
    gui_pop_id();
    show_effects(&e, weight);
}

static void show_blink(view *v)
{
    vrm_blink_params *b = &v->face.blink;
    gui_heading("Blinking");
    gui_check("Blink by itself", &b->enabled);
    gui_same_line_at(190.0f);
    if (gui_button("Blink now")) {
        vrm_instance_blink(v->figure->instance);
    }
    if (gui_slider("shortest pause, s", &b->interval_min, 0.1f, 10.0f)) {
        b->interval_max = fmaxf(b->interval_max, b->interval_min);
    }
    if (gui_slider("longest pause, s", &b->interval_max, 0.1f, 20.0f)) {
        b->interval_min = fminf(b->interval_min, b->interval_max);
    }
    gui_slider("chance of a double blink", &b->double_chance, 0.0f, 1.0f);
}

static void show_voice(view *v)
{
    static const char *const voices[] = {"silent", "loudness", "vowels", "talks by itself"};
    static const char *const vowels[] = {"aa", "ih", "ou", "ee", "oh"};
    gui_heading("Lip-sync");
    gui_combo("voice", &v->face.voice, voices, 4);
    if (v->face.voice == VIEW_VOICE_LOUDNESS) {
        gui_slider("heard loudness", &v->face.loudness, 0.0f, 1.0f);
    }
    for (int i = 0; i < 5 && v->face.voice == VIEW_VOICE_VOWELS; ++i) {
        char label[16];
        snprintf(label, sizeof label, "heard %s", vowels[i]);
        gui_slider(label, &v->face.vowels[i], 0.0f, 1.0f);
    }
}

void panel_expressions(view *v)
{
    figure *f = v->figure;
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(f->instance, &out);
    gui_heading("Expressions");
    if (f->counts.expressions == 0) {
        gui_text(GUI_DIM, "The avatar has none.");
    } else if (gui_button("Clear all")) {
        for (uint32_t i = 0; i < f->counts.expressions; ++i) {
            f->weights[i] = -1.0f;
        }
        (void)vrm_instance_clear_expressions(f->instance, VRM_EXPRESSION_LAYER_HOST);
    }
    for (uint32_t i = 0; i < f->counts.expressions; ++i) {
        show_expression(v, i, &out);
    }
    show_blink(v);
    show_voice(v);
}

// --- gaze ----------------------------------------------------------------------------------------------------------

static void show_chain(view *v)
{
    static const char *const chains[] = {"none", "eyes", "eyes and head", "upper body", "whole spine"};
    view_look *l = &v->look;
    bool changed = gui_combo("chain", &l->chain, chains, 5);
    if (l->fault != VRM_LOOK_CHAIN_FAULT_NONE) {
        gui_text(GUI_BAD, "%s", vrm_look_chain_fault_sentence(l->fault));
    }
    gui_begin_disabled(l->chain == 0);
    if (gui_slider("weight", &l->weight, 0.0f, 1.0f) && l->chain != 0) {
        (void)vrm_instance_set_look_chain_weight(v->figure->instance, l->weight);
    }
    changed |= gui_slider("blend speed, 1/s", &l->blend_speed, 0.0f, 30.0f);
    changed |= gui_slider("soft limit", &l->soft_limit, 0.0f, 0.9f);
    changed |= gui_check("Both eyes meet at the target", &l->vergence);
    changed |= gui_check("Eyes jump first, the head follows", &l->saccade);
    changed |= gui_check("Small movements of the eyes", &l->idle);
    changed |= gui_check("Show the chain's lines", &l->lines);
    gui_end_disabled();
    if (changed) {
        acting_set_chain(v);
    }
    if (l->chain != 0) {
        vrm_look_chain_state state = {.struct_size = sizeof state};
        const double degree = 57.29577951308232;
        vrm_instance_get_look_chain_state(v->figure->instance, &state);
        gui_space();
        gui_row("off target by", state.aiming ? "%.2f degrees" : "no target to aim at", (double)state.error * degree);
        gui_row(
            "eyes, degrees", "yaw %.1f, pitch %.1f", (double)state.eye_yaw * degree, (double)state.eye_pitch * degree);
        gui_row("passes", "%u%s", state.passes, state.at_limit != 0 ? ", some bones at their limit" : "");
    }
}

void panel_gaze(view *v)
{
    static const char *const gazes[] = {"as animated", "the camera", "the mouse", "angles"};
    static const char *const kinds[] = {"none in the file", "bones of the eyes", "expressions"};
    vrm_look_at look = {.struct_size = sizeof look};
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_avatar_get_look_at(v->figure->avatar, &look);
    vrm_instance_get_outputs(v->figure->instance, &out);
    gui_heading("Gaze");
    gui_combo("looks at", &v->look.gaze, gazes, 4);
    gui_begin_disabled(v->look.gaze != VIEW_GAZE_ANGLES);
    gui_slider("yaw, left", &v->look.yaw, -90.0f, 90.0f);
    gui_slider("pitch, down", &v->look.pitch, -60.0f, 60.0f);
    gui_end_disabled();
    gui_row("moved by", "%s", kinds[look.type]);
    // The text always has one line. With a gaze at the mouse, a second line would move the widget that is about to be
    // clicked.
    gui_row("now, degrees", "yaw %.1f, pitch %.1f", (double)out.look_yaw * 57.29577951308232,
        (double)out.look_pitch * 57.29577951308232);
    gui_heading("Look chain");
    show_chain(v);
}
