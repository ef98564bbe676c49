// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "view.h"

void panel_drawing(view *v)
{
    static const char *const channels[] = {"colours", "normals", "UV", "shading"};
    static const char *const blends[] = {"as light", "as web pages do"};
    static const struct {
        const char *label;
        uint32_t bit;
    } lines[] = {{"Bones", VRM_RENDER_DEBUG_BONES}, {"Springs", VRM_RENDER_DEBUG_SPRINGS},
        {"Colliders", VRM_RENDER_DEBUG_COLLIDERS}, {"Constraints", VRM_RENDER_DEBUG_CONSTRAINTS},
        {"Gaze", VRM_RENDER_DEBUG_GAZE}, {"Boxes", VRM_RENDER_DEBUG_BOXES}, {"Look chain", VRM_RENDER_DEBUG_LINES},
        {"Wireframe", VRM_RENDER_DEBUG_WIREFRAME}, {"Ragdoll", VRM_RENDER_DEBUG_RAGDOLL}};
    view_drawing *d = &v->drawing;
    gui_heading("Lines over the picture");
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; ++i) {
        if (i % 2 == 1) {
            gui_same_line_at(160.0f);
        }
        gui_flag(lines[i].label, &d->debug, lines[i].bit);
    }
    gui_heading("Picture");
    gui_combo("shows", &d->channel, channels, 4);
    gui_combo("blends", &d->blend, blends, 2);
    gui_check("Ground", &d->ground);
    gui_same_line_at(160.0f);
    gui_check("Shadow", &d->shadow);
    gui_check("Without outlines", &d->no_outlines);
    gui_check("Draw both sides of all surfaces", &d->all_double_sided);
    gui_check("Hide meshes that the wearer does not see", &d->first_person);
    gui_heading("Light");
    gui_slider("from the side", &d->light_yaw, -180.0f, 180.0f);
    gui_slider("from above", &d->light_pitch, -89.0f, 89.0f);
    gui_slider("strength", &d->light, 0.0f, 3.0f);
    gui_slider("from everywhere", &d->ambient, 0.0f, 1.0f);
    gui_heading("Background (linear)");
    gui_slider("red", &d->background[0], 0.0f, 1.0f);
    gui_slider("green", &d->background[1], 0.0f, 1.0f);
    gui_slider("blue", &d->background[2], 0.0f, 1.0f);
}
