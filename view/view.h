// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VIEW_VIEW_H
#define VIEW_VIEW_H

// The viewer: the state of the window. window.c: the window and its events; frame.c: a frame; open.c: opening and
// closing files; start.c: the initial state; picture.c: the avatar's picture; acting.c: gaze, voice and wind of a
// frame; panels/: the rest of the window; control.c: commands on standard input.

#include <vrm_render/render.h>

#include "camera.h"
#include "figure.h"
#include "gallery.h"
#include "gui.h"
#include "loader.h"
#include "pose.h"
#include "puppet/puppet.h"
#include "recent.h"
#include "repertoire.h"
#include "stage_times.h"
#include "view_options.h"

// The panels, X(NAME, "Label"), in the order of the list.
#define VIEW_PANELS(X) \
    X(CONDITIONS, "Conditions") \
    X(EXPRESSIONS, "Expressions") \
    X(GAZE, "Gaze") \
    X(SPRINGS, "Springs") \
    X(MOTION, "Motion") \
    X(BONES, "Bones") \
    X(RAGDOLL, "Ragdoll") \
    X(MATERIALS, "Materials") \
    X(DRAWING, "Drawing") \
    X(MESSAGES, "Messages") \
    X(STATISTICS, "Statistics")

typedef enum view_panel {
#define VIEW_PANEL_ENUM(name, label) VIEW_PANEL_##name,
    VIEW_PANELS(VIEW_PANEL_ENUM)
#undef VIEW_PANEL_ENUM
        VIEW_PANEL_COUNT
} view_panel;

typedef enum view_gaze { VIEW_GAZE_NONE, VIEW_GAZE_CAMERA, VIEW_GAZE_MOUSE, VIEW_GAZE_ANGLES } view_gaze;
typedef enum view_voice { VIEW_VOICE_NONE, VIEW_VOICE_LOUDNESS, VIEW_VOICE_VOWELS, VIEW_VOICE_TALK } view_voice;

// The action of the left button on the figure.
typedef enum view_hand { VIEW_HAND_CAMERA, VIEW_HAND_HITS, VIEW_HAND_DRAGS } view_hand;

typedef struct view_look {
    int gaze;         // view_gaze
    float yaw, pitch; // degrees
    int chain;        // 0: none; otherwise vrm_look_chain_preset + 1
    float weight, blend_speed, soft_limit;
    bool vergence, saccade, idle, lines;
    vrm_look_chain_fault fault;
} view_look;

typedef struct view_face {
    vrm_blink_params blink;
    int voice; // view_voice
    float loudness, vowels[5];
} view_face;

typedef struct view_wind {
    float strength, yaw, gusts; // strength: force; yaw: degrees from the front; gusts: 0 to 1
} view_wind;

typedef struct view_drawing {
    uint32_t debug;
    int channel, blend;
    float background[3];                          // linear
    float light_yaw, light_pitch, light, ambient; // degrees
    bool ground, shadow, no_outlines, all_double_sided, first_person;
} view_drawing;

enum { VIEW_TIMES = 160, VIEW_LOG = 24, VIEW_PATH = 1024, VIEW_CONTROL = 8192 };

typedef struct view_statistics {
    float frames[VIEW_TIMES]; // milliseconds between frames
    int at;
    double update, draw, panels, show; // milliseconds, smoothed
} view_statistics;

typedef struct view {
    cli_job *job;
    const view_options *options;
    struct GLFWwindow *window;
    vrm_renderer *renderer;
    figure *figure;   // NULL: an empty stage
    figure *arriving; // loaded, but not uploaded yet
    loader loader;
    gallery gallery;
    recent recent;
    repertoire repertoire;
    pose_history history;
    scene_puppet puppet;
    stage_times stage_times;
    view_statistics statistics;
    orbit orbit;
    bool wearing;                    // the camera is at the wearer's eyes
    double wearer_yaw, wearer_pitch; // to the left and down from the head's direction, radians
    view_look look;
    view_face face;
    view_wind wind;
    view_drawing drawing;
    vrm_spring_params springs;
    // Time.
    bool paused;
    int steps; // frames to run while paused
    float speed;
    double time; // seconds of the stage
    double last; // start time of the last frame, seconds
    uint64_t frame;
    bool unseen; // true: do not draw the next frame
    // State of the panels.
    int panel;
    bool panels_hidden;
    int bone, material, chain, joint;
    float angles[3]; // rotation of the selected bone, degrees
    bool angles_known;
    int motion; // index in stage_motion.h; 0: none
    int asker;  // vrm_user
    char pose_path[VIEW_PATH], patch_path[VIEW_PATH], model_path[VIEW_PATH];
    gui_rect picture; // the part of the window that the panels leave free
    // Log of events, newest last.
    char log[VIEW_LOG][FIGURE_MESSAGE];
    bool log_bad[VIEW_LOG];
    uint32_t log_count;
    bool font_told;       // true once missing letters were reported
    double message_until; // time at which the newest message disappears from the picture, seconds
    char last_shot[VIEW_PATH];
    const char *window_path; // file for the next frame of the whole window, or NULL
    bool window_written;
    char control_text[VIEW_CONTROL]; // input read but not executed yet
    size_t control_size;
    // Mouse.
    double mouse_x, mouse_y;
    bool turning, panning;
    int hand; // view_hand
} view;

// --- frame.c --------------------------------------------------------------------------------------------------------

// Runs one frame of the window.
vrm_result view_frame(view *v);

// --- start.c --------------------------------------------------------------------------------------------------------

void view_start(view *v, cli_job *job, const view_options *options);
void view_end(view *v);
// Returns the avatar to the state of its file. Settings of clips and drawing stay.
void view_begin_anew(view *v);
// Returns motion, gaze, face, springs, camera and drawing to the initial state, and stops the clip.
void view_reset(view *v);
void view_frame_camera(view *v, orbit_part part);
// Puts the camera at the wearer's eyes, until the user chooses another one.
void view_wear(view *v);

// --- open.c ---------------------------------------------------------------------------------------------------------

// Opens an avatar, a clip, a pose or a folder, distinguished by name and content.
void view_open(view *v, const char *path);
// Opens the next or previous file of the list.
void view_step(view *v, int direction);
// Makes a loaded figure the displayed one, over two frames: the first frame shows that images are being uploaded.
void view_receive(view *v);

// --- posing.c -------------------------------------------------------------------------------------------------------

// Keeps the present pose for undo, and stops the motion, which would overwrite a pose set by hand. Call this function
// before such a change.
void view_touch_pose(view *v);
bool view_load_pose(view *v, const char *path);

// --- picture.c ------------------------------------------------------------------------------------------------------

// Draws the avatar with `scale` pixels per window coordinate.
vrm_result view_draw(view *v, double scale);
// Writes a PNG of the picture alone under the next unused name.
void view_screenshot(view *v);
// Writes the frame that is about to be shown, including panels, to a PNG file.
bool view_write_window(view *v, const char *path);

// --- say.c ----------------------------------------------------------------------------------------------------------

// Shows a message in the picture and in the log.
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
void view_say(view *v, bool bad, const char *format, ...);

// --- window.c ------------------------------------------------------------------------------------------------------

// Creates window, context and renderer. Reports failures and returns the exit code.
int window_open(view *v);
void window_close(view *v);

// --- acting.c ------------------------------------------------------------------------------------------------------

// Sets the instance's inputs for the current time, `dt` seconds after the last frame.
void acting_apply(view *v, double dt);
// Computes the ray through the mouse's position in the picture: eye and unit direction.
void acting_mouse_ray(const view *v, double eye[3], double direction[3]);
// Sets the look chain from its settings.
void acting_set_chain(view *v);

// --- control.c -----------------------------------------------------------------------------------------------------

// Executes pending commands and answers them. Returns false if the program must end.
bool control_run(view *v);

// --- panels/ --------------------------------------------------------------------------------------------------------

// Shows all panels and sets v->picture.
void panels_show(view *v, float width, float height);
void panel_conditions(view *v);
void panel_expressions(view *v);
void panel_gaze(view *v);
void panel_springs(view *v);
void panel_motion(view *v);
void panel_bones(view *v);
void panel_ragdoll(view *v);
void panel_materials(view *v);
void panel_drawing(view *v);
void panel_messages(view *v);
void panel_statistics(view *v);
// Copies a text of the file to `buffer`, for a label; copies `missing` if the text is empty. Returns `buffer`.
const char *panel_name(char *buffer, size_t size, vrm_string name, const char *missing);

#endif
