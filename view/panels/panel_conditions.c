// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Shows, before everything else, the conditions of use in words.

#include "view.h"

static void show_use(const vrm_meta *meta, vrm_use use, vrm_user who)
{
    static const struct {
        gui_tone tone;
        const char *words;
    } answers[] = {
        [VRM_PERMISSION_ALLOWED] = {GUI_GOOD, "allowed"},
        [VRM_PERMISSION_ALLOWED_WITH_CREDIT] = {GUI_GOOD, "allowed, with credit to the author"},
        [VRM_PERMISSION_NOT_ALLOWED] = {GUI_BAD, "not allowed"},
        [VRM_PERMISSION_NOT_STATED] = {GUI_BAD, "not stated, therefore not allowed"},
    };
    const char *field;
    const vrm_permission permission = vrm_meta_get_permission(meta, use, who, &field);
    gui_text(GUI_PLAIN, "%s", vrm_use_sentence(use));
    gui_text(answers[permission].tone, "    %s", answers[permission].words);
    gui_tooltip(field);
    gui_space();
}

static void show_field(const char *label, vrm_string value)
{
    if (value.length != 0) {
        gui_text(GUI_DIM, "%s", label);
        gui_string(GUI_PLAIN, value);
    }
}

static void show_text(const vrm_meta *meta)
{
    for (uint32_t i = 0; i < meta->author_count; ++i) {
        show_field(i == 0 ? "author" : "and", meta->authors[i]);
    }
    show_field("version", meta->version);
    show_field("copyright", meta->copyright_information);
    show_field("contact", meta->contact_information);
    show_field("licence", meta->license_url);
    show_field("other licence", meta->other_license_url);
    show_field("third-party licences", meta->third_party_licenses);
    for (uint32_t i = 0; i < meta->reference_count; ++i) {
        show_field("reference", meta->references[i]);
    }
    for (uint32_t i = 0; i < meta->old_term_count; ++i) {
        if (i == 0) {
            gui_heading("In the words of the older file");
        }
        show_field("", meta->old_terms[2 * i]);
        gui_same_line();
        gui_string(GUI_PLAIN, meta->old_terms[2 * i + 1]);
    }
}

void panel_conditions(view *v)
{
    static const char *const askers[] = {"the author", "somebody with the author's licence", "anybody else"};
    const vrm_meta *meta = &v->figure->meta;
    char name[128];
    gui_heading("Conditions of use");
    if (vrm_avatar_get_dialect(v->figure->avatar)[0] == '\0') {
        gui_text(GUI_BAD, "This file is not a VRM and states no conditions of use, so it permits nothing.");
        return;
    }
    gui_text(GUI_TITLE, "%s", panel_name(name, sizeof name, meta->name, "(no name)"));
    gui_text(GUI_DIM, "VRM %s", vrm_avatar_get_dialect(v->figure->avatar));
    gui_space();
    gui_combo("asks", &v->asker, askers, 3);
    gui_space();
    for (int use = 0; use < VRM_USE_COUNT; ++use) {
        show_use(meta, (vrm_use)use, (vrm_user)v->asker);
    }
    gui_heading("The file says");
    show_text(meta);
    gui_space();
    gui_text(GUI_DIM, "This is what the file says, not legal advice.");
}
