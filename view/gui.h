// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VIEW_GUI_H
#define VIEW_GUI_H

// The widgets of the panels, as plain C over Dear ImGui; gui.cpp is the only C++ file of the viewer. A label is shown
// unchanged, whatever text a file contains. The label identifies the widget within its panel and gui_push_id(). Letters
// missing from the font are loaded from the system's fonts for the next frame.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vrm/base.h>

#ifdef __cplusplus
extern "C" {
#endif

struct GLFWwindow;

typedef struct gui_rect {
    float x, y, width, height; // window coordinates, with the origin at the top left
} gui_rect;

typedef enum gui_tone { GUI_PLAIN, GUI_DIM, GUI_GOOD, GUI_BAD, GUI_WARN, GUI_TITLE } gui_tone;

// Starts Dear ImGui, whose callbacks call those of the window. `font` may be NULL. Returns false if OpenGL functions
// are missing.
bool gui_start(struct GLFWwindow *window, const char *font);
void gui_stop(void);
void gui_begin_frame(void);
// Ends the frame. If `seen`, draws the widgets over the framebuffer's content.
void gui_end_frame(bool seen);
// gui_has_mouse() returns true if the pointer is over a panel, gui_has_keyboard() if the keyboard is in a text field.
bool gui_has_mouse(void);
bool gui_has_keyboard(void);
// Returns a message that names a missing font and its Debian package, or "" if all letters can be shown.
const char *gui_missing_font(void);
// Finds the middle of the widget that had this label in the last frame.
bool gui_find(const char *label, float *out_x, float *out_y);

// Begins a fixed part of the window. Call the end function even if nothing is visible.
void gui_begin_panel(const char *name, gui_rect rect);
void gui_end_panel(void);
// Begins a part of a panel that scrolls separately. A height of 0 is the remaining height.
void gui_begin_child(const char *name, float width, float height);
void gui_end_child(void);
void gui_push_id(int id);
void gui_pop_id(void);
void gui_begin_disabled(bool disabled);
void gui_end_disabled(void);

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void gui_text(gui_tone tone, const char *format, ...); // wraps at the panel's edge
void gui_string(gui_tone tone, vrm_string text);
// Shows a name on the left and a value on the right.
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void gui_row(const char *name, const char *format, ...);
void gui_heading(const char *text);
void gui_space(void);
void gui_same_line(void);
void gui_same_line_at(float x);
float gui_width(void);              // remaining width of the line
void gui_tooltip(const char *text); // for the last widget

bool gui_button(const char *label);
bool gui_check(const char *label, bool *value);
bool gui_flag(const char *label, uint32_t *bits, uint32_t bit);
bool gui_slider(const char *label, float *value, float low, float high);
bool gui_bar(const char *label, float *value, float low, float high, float width); // a slider without a visible label
bool gui_combo(const char *label, int *value, const char *const *words, int count);
int gui_menu(const char *label, const char *const *words, int count, float width); // returns the chosen index, or -1
bool gui_input(const char *label, char *text, size_t size);
bool gui_selectable(const char *label, bool selected, float indent);
void gui_progress(float fraction, const char *text);
void gui_meter(float fraction, float width); // a thin bar that shows a fraction
void gui_swatch(const char *label, const float *linear_rgba);
void gui_plot(const char *label, const float *values, int count, int first, float high);
void gui_picture(uint32_t texture, float width, float height);
// Returns true if a change of the last widget began in this frame (for undo).
bool gui_activated(void);

#ifdef __cplusplus
}
#endif

#endif
