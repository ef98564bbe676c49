// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef SCENES_STAGE_MOTION_H
#define SCENES_STAGE_MOTION_H

// Motions by name, as command, viewer and meter use them: the library's built-in clips, on the spot or ahead, and the
// formulas of procedural_motion.h.

#include <vrm/motion.h>

#include "procedural_motion.h"

// Every name: "none", "idle", "sway", "walk", ... Motions in place come first.
enum { SCENE_STAGE_WORDS = 13, SCENE_STAGE_WORDS_ON_PLACE = 9 };
// The name at an index below SCENE_STAGE_WORDS; "" for another one.
const char *scene_stage_word(uint32_t index);
// The index of a name, or -1.
int32_t scene_stage_find_word(const char *word);

typedef struct scene_stage_motion {
    scene_motion plain; // used if there is no clip
    vrm_clip *clip;     // NULL: plain
    vrm_clip_player *player;
    bool ahead; // the root moves with it
    bool loops;
    float duration, speed; // of the clip; m/s that it advances, or would advance
    double started;        // position of the root at the start, along its path
} scene_stage_motion;

// Makes the motion for an avatar; `ragdoll` may be NULL. Ends with scene_stage_motion_end(), whatever is returned.
// INVALID_ARGUMENT for an unknown name, and for an avatar that does not allow the motion; OUT_OF_MEMORY.
vrm_result scene_stage_motion_begin(
    scene_stage_motion *motion, const char *word, const vrm_avatar *avatar, const vrm_ragdoll_def *ragdoll);
// The same for a walk or run at a speed, m/s; 0: the comfortable speed.
vrm_result scene_stage_motion_begin_at(scene_stage_motion *motion, const char *word, const vrm_avatar *avatar,
    const vrm_ragdoll_def *ragdoll, float speed);
// Sets the motion's pose at `seconds` as the instance's input, and the root of a motion that moves ahead.
void scene_stage_motion_apply(scene_stage_motion *motion, vrm_instance *instance, double seconds);
void scene_stage_motion_end(scene_stage_motion *motion);

#endif
