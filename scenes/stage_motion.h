// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef SCENES_STAGE_MOTION_H
#define SCENES_STAGE_MOTION_H

// Motions by name, for command, viewer and meter: the library's built-in clips, on the spot or ahead, and the formulas
// of procedural_motion.h. Other clips can be played in the same way.

#include <vrm/motion.h>

#include "procedural_motion.h"

// The number of names: "none", "idle", "sway", "walk", ... Motions in place come first.
enum { SCENE_STAGE_WORDS = 13, SCENE_STAGE_WORDS_ON_PLACE = 9 };
// Returns the name at an index below SCENE_STAGE_WORDS, "" for any other index.
const char *scene_stage_word(uint32_t index);
// Returns the index of a name, -1 if the name is unknown.
int32_t scene_stage_find_word(const char *word);

typedef struct scene_stage_motion {
    scene_motion plain; // the formula that is used if there is no clip
    vrm_clip *clip;     // NULL: the formula `plain`
    vrm_clip_player *player;
    bool ahead; // the root moves with the motion
    bool loops;
    float duration, speed; // duration of the clip, s; speed at which it advances, or would advance, m/s
    double started;        // distance of the root along its path at the start
} scene_stage_motion;

// Creates the motion for an avatar. `ragdoll` may be NULL. Call scene_stage_motion_end() even after a failure. Errors:
// INVALID_ARGUMENT for an unknown name or an avatar for which the motion is not possible, OUT_OF_MEMORY.
vrm_result scene_stage_motion_begin(
    scene_stage_motion *motion, const char *word, const vrm_avatar *avatar, const vrm_ragdoll_def *ragdoll);
// Creates a walk or run at a speed, m/s. 0 is the comfortable speed.
vrm_result scene_stage_motion_begin_at(scene_stage_motion *motion, const char *word, const vrm_avatar *avatar,
    const vrm_ragdoll_def *ragdoll, float speed);
// Plays a clip once and then holds its last pose. The motion keeps a reference to the clip. Error: OUT_OF_MEMORY.
vrm_result scene_stage_motion_begin_clip(scene_stage_motion *motion, vrm_clip *clip, const vrm_avatar *avatar);
// Sets the motion's pose at `seconds` as the instance's input. Also sets the root if the motion moves ahead.
void scene_stage_motion_apply(scene_stage_motion *motion, vrm_instance *instance, double seconds);
void scene_stage_motion_end(scene_stage_motion *motion);

#endif
