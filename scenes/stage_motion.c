// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "stage_motion.h"

#include <string.h>

#include "math/quat.h"

typedef struct word_row {
    const char *word;
    int motion; // a vrm_motion, or -1 for a formula
    scene_motion plain;
    bool ahead;
} word_row;

static const word_row rows[SCENE_STAGE_WORDS] = {
    {"none", -1, SCENE_MOTION_NONE, false},
    {"idle", VRM_MOTION_IDLE, SCENE_MOTION_NONE, false},
    {"sway", -1, SCENE_MOTION_SWAY, false},
    {"walk", VRM_MOTION_WALK, SCENE_MOTION_NONE, false},
    {"run", VRM_MOTION_RUN, SCENE_MOTION_NONE, false},
    {"wave", VRM_MOTION_WAVE, SCENE_MOTION_NONE, false},
    {"bow", VRM_MOTION_BOW, SCENE_MOTION_NONE, false},
    {"sit-down", VRM_MOTION_SIT_DOWN, SCENE_MOTION_NONE, false},
    {"stand-up", VRM_MOTION_STAND_UP, SCENE_MOTION_NONE, false},
    {"walk-ahead", VRM_MOTION_WALK, SCENE_MOTION_NONE, true},
    {"run-ahead", VRM_MOTION_RUN, SCENE_MOTION_NONE, true},
    // Formulas that are used for the published results of benchmarks and traces.
    {"plain-idle", -1, SCENE_MOTION_IDLE, false},
    {"plain-walk", -1, SCENE_MOTION_WALK, false},
};

const char *scene_stage_word(uint32_t index)
{
    return index < SCENE_STAGE_WORDS ? rows[index].word : "";
}

int32_t scene_stage_find_word(const char *word)
{
    for (int32_t i = 0; i < SCENE_STAGE_WORDS; ++i) {
        if (strcmp(rows[i].word, word) == 0) {
            return i;
        }
    }
    return -1;
}

vrm_result scene_stage_motion_begin(
    scene_stage_motion *motion, const char *word, const vrm_avatar *avatar, const vrm_ragdoll_def *ragdoll)
{
    return scene_stage_motion_begin_at(motion, word, avatar, ragdoll, 0.0f);
}

// Plays the motion's clip at the time that each frame sets.
static vrm_result start_player(scene_stage_motion *motion, const vrm_avatar *avatar)
{
    vrm_clip_info info = {.struct_size = sizeof info};
    vrm_clip_get_info(motion->clip, &info);
    motion->duration = info.duration;
    vrm_clip_player_def player;
    vrm_clip_player_def_default(&player);
    player.avatar = avatar;
    const vrm_result result = vrm_clip_player_create(&player, &motion->player);
    if (result != VRM_SUCCESS) {
        return result;
    }
    vrm_clip_play_params play;
    vrm_clip_play_params_default(&play);
    play.speed = 0.0f;
    play.wrap = motion->loops ? VRM_CLIP_WRAP_LOOP : VRM_CLIP_WRAP_HOLD;
    return vrm_clip_player_play(motion->player, 0, motion->clip, &play);
}

vrm_result scene_stage_motion_begin_clip(scene_stage_motion *motion, vrm_clip *clip, const vrm_avatar *avatar)
{
    *motion = (scene_stage_motion){.plain = SCENE_MOTION_NONE, .clip = vrm_clip_retain(clip)};
    return start_player(motion, avatar);
}

vrm_result scene_stage_motion_begin_at(
    scene_stage_motion *motion, const char *word, const vrm_avatar *avatar, const vrm_ragdoll_def *ragdoll, float speed)
{
    const int32_t index = scene_stage_find_word(word);
    *motion = (scene_stage_motion){.plain = SCENE_MOTION_NONE};
    if (index < 0) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    motion->plain = rows[index].plain;
    motion->ahead = rows[index].ahead;
    if (rows[index].motion < 0) {
        return VRM_SUCCESS;
    }
    vrm_motion_def def;
    vrm_motion_def_default(&def);
    def.motion = (vrm_motion)rows[index].motion;
    def.avatar = avatar;
    def.ragdoll = ragdoll;
    def.in_place = true;
    def.speed = speed;
    const vrm_result result = vrm_motion_create(&def, &motion->clip);
    if (result != VRM_SUCCESS) {
        return result;
    }
    motion->speed = vrm_motion_get_speed(&def);
    motion->loops = vrm_motion_is_loop(def.motion);
    return start_player(motion, avatar);
}

// Moves the root from its position in the direction that it faces.
static void go_ahead(scene_stage_motion *motion, vrm_instance *instance, double seconds)
{
    vrm_root root;
    vrm_instance_get_root(instance, &root);
    const double way = (double)motion->speed * seconds * (double)root.scale;
    const vrm_vec3 ahead = vrmi_quat_rotate(root.rotation, vrmi_vec3(0.0f, 0.0f, 1.0f));
    const double more = way - motion->started;
    root.translation.x += (double)ahead.x * more;
    root.translation.y += (double)ahead.y * more;
    root.translation.z += (double)ahead.z * more;
    motion->started = way;
    (void)vrm_instance_set_root(instance, &root);
}

void scene_stage_motion_apply(scene_stage_motion *motion, vrm_instance *instance, double seconds)
{
    if (motion->player == NULL) {
        scene_motion_apply(instance, motion->plain, seconds);
        return;
    }
    (void)vrm_clip_player_set_time(motion->player, 0, seconds);
    (void)vrm_clip_player_apply(motion->player, instance);
    if (motion->ahead) {
        go_ahead(motion, instance, seconds);
    }
}

void scene_stage_motion_end(scene_stage_motion *motion)
{
    vrm_clip_player_destroy(motion->player);
    vrm_clip_release(motion->clip);
    *motion = (scene_stage_motion){.plain = SCENE_MOTION_NONE};
}
