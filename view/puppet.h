// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VIEW_PUPPET_H
#define VIEW_PUPPET_H

// The active ragdoll of the figure with the light solver, and the hand that hits or drags it.

#include "carried_hair.h"
#include "figure.h"
#include "get_up.h"
#include "protective_fall.h"
#include "ragdoll_scene.h"

enum { PUPPET_LINES = 1024 };

typedef struct puppet {
    bool on;
    vrm_ragdoll_def def;
    vrm_ragdoll_solver *solver;
    vrm_ragdoll_params settings;
    float strength; // impulse of a hit, N s
    int32_t held;   // body that is dragged, -1: none
    double hand[3]; // position of the hand, world
    double grip[3]; // where the hand holds the body, in its frame
    double depth;   // distance of the grip from the eye
    int story;      // 0: none, else scene_ragdoll_story + 1
    double story_time;
    bool gets_up; // by a motion made for it
    scene_get_up get_up;
    scene_fall fall;
    scene_carried_hair hair;
    vrm_debug_line lines[PUPPET_LINES]; // for the last frame: targets, torques, contacts
    uint32_t line_count;
} puppet;

// The first body that a ray meets.
typedef struct puppet_touch {
    int32_t body;    // -1: nothing
    double point[3]; // world
    double distance; // distance along the ray
} puppet_touch;

void puppet_defaults(puppet *p);
// Creates the bodies and gives them to the figure. False with a message.
bool puppet_begin(puppet *p, figure *f, char message[FIGURE_MESSAGE]);
// Removes the bodies, so that the animation shows again.
void puppet_end(puppet *p, figure *f);
void puppet_touch_ray(
    const puppet *p, const figure *f, const double eye[3], const double direction[3], puppet_touch *out);
void puppet_hit(puppet *p, figure *f, const puppet_touch *touch, const double direction[3]);
void puppet_hold(puppet *p, figure *f, const puppet_touch *touch);
void puppet_let_go(puppet *p, figure *f);
// Starts a story of scenes/ with new bodies; 0: none.
void puppet_choose_story(puppet *p, figure *f, int story);
// Advances the story; false when there is none.
bool puppet_tell(puppet *p, figure *f, double dt);
// Runs a frame of the figure, with the bodies between its two halves.
void puppet_update(puppet *p, figure *f, float dt);
const char *puppet_phase(const figure *f);

#endif
