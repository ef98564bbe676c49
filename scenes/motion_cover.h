// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef SCENES_MOTION_COVER_H
#define SCENES_MOTION_COVER_H

// Impulses on moving figures, for the motion meter. Contains a small set of combinations of figure, motion, bone,
// direction, impulse, drive and engine, chosen so that every pair of values occurs.

#include "motion_act.h"

typedef enum scene_factor {
    SCENE_FACTOR_FIGURE,
    SCENE_FACTOR_BONE,
    SCENE_FACTOR_DIRECTION,
    SCENE_FACTOR_IMPULSE,
    SCENE_FACTOR_MOTION,
    SCENE_FACTOR_DRIVE,
    SCENE_FACTOR_ENGINE, // 0: the light solver, 1: another engine
    SCENE_FACTORS
} scene_factor;

// The number of values of each factor. The caller supplies the figures.
enum {
    SCENE_COVER_FIGURES = 6,
    SCENE_COVER_BONES = 8,
    SCENE_COVER_DIRECTIONS = 4,
    SCENE_COVER_IMPULSES = 4,
    SCENE_COVER_MOTIONS = 3,
    SCENE_COVER_DRIVES = 2,
    SCENE_COVER_ENGINES = 2,
    SCENE_COVER_ROWS = SCENE_COVER_FIGURES * SCENE_COVER_BONES
};

typedef struct scene_cover_row {
    uint32_t values[SCENE_FACTORS];
} scene_cover_row;

uint32_t scene_cover_count(scene_factor factor);
// Writes rows with every combination of figure and bone. The other values are chosen so that all pairs occur. The rows
// are the same on every machine.
void scene_cover_make(scene_cover_row out[SCENE_COVER_ROWS]);
// Writes the act of a row: two and a half seconds, with the impulse after half a second. The impulse is scaled by the
// body's mass. The caller chooses the engine.
void scene_cover_act(const scene_cover_row *row, const vrm_avatar *avatar, const vrm_ragdoll_def *def, scene_act *out);

// Returns the impulse of a row for a kilogram of the whole body, N s/kg.
float scene_cover_impulse(const scene_cover_row *row);

typedef struct scene_cover_words {
    char text[96];
} scene_cover_words;

// Describes a row, for example "figure 2, walk-ahead: chest from the left, 0.5 N s/kg, torque, light".
const char *scene_cover_describe(const scene_cover_row *row, scene_cover_words *buffer);

#endif
