// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VIEW_FIGURE_H
#define VIEW_FIGURE_H

// An avatar ready for display. Loading it needs no OpenGL, so that it can run on a thread of its own; the meshes are
// uploaded afterwards.

#include <vrm/vrm.h>
#include <vrm_render/render.h>

#include "stage_motion.h"

typedef struct figure {
    char *path;
    const char *name; // the file name, within `path`
    vrm_gltf *gltf;
    vrm_avatar *avatar;
    vrm_instance *instance;
    vrm_clip_player *player; // one layer
    scene_stage_motion motion;
    int moving;             // index of the built-in motion in `motion`
    double moved;           // start time of that motion, seconds of the stage
    vrm_report *report;     // findings of loading and uploading
    vrm_report *validation; // findings of validation
    vrm_render_model *meshes;
    vrm_avatar_counts counts;
    vrm_meta meta;
    float *weights; // value of each expression's slider; negative: not set
    double load_seconds, import_seconds, validate_seconds, upload_seconds;
    size_t instance_bytes;
} figure;

typedef struct figure_def {
    const char *path;
    vrm_limits limits;
    vrm_prefer prefer;
    vrm_look_at_unit look_at_unit;
    vrm_look_at_range look_at_range;
    vrm_progress_fn *progress;
    void *progress_user;
} figure_def;

enum { FIGURE_MESSAGE = 512 };

// Loads a figure. On failure nothing is left, and `message` has the reason: file, path, found and expected.
vrm_result figure_load(const figure_def *def, figure **out_figure, char message[FIGURE_MESSAGE]);
// Uploads the figure's meshes. Must be called in the renderer's context.
vrm_result figure_upload(figure *f, vrm_renderer *renderer, char message[FIGURE_MESSAGE]);
// Frees a figure and, in the renderer's context, its meshes; NULL is allowed.
void figure_destroy(figure *f);

// Sets the pose of a motion at a time. `motion` is an index of stage_motion.h, `seconds` the time of the stage.
void figure_move(figure *f, int motion, double seconds);

// Returns the phase of the figure's ragdoll as a word.
const char *figure_ragdoll_phase(const figure *f);

// Writes the first error of a report as a sentence.
void figure_describe(const char *path, vrm_result result, const vrm_report *report, char message[FIGURE_MESSAGE]);

#endif
