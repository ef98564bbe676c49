// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "get_up.h"

#include <vrm/clip.h>

// The next motion takes over `overlap` seconds before the clip's end, with a transition of `take_over` seconds.
static const double overlap = 0.35;
static const float take_over = 0.6f;
// A body is lying when it is slow, even if a leg is still on its way down. Getting up waits for the leg, at most this
// long, seconds.
static const double longest_wait = 1.0;

void scene_get_up_settings(vrm_ragdoll_params *settings)
{
    settings->recovery = VRM_RAGDOLL_RECOVERY_MANUAL;
    settings->grow_time = 0.3f;
    settings->blend_time = 0.15f; // short, so that the blend ends before the clip has moved far
}

vrm_result scene_get_up_begin(scene_get_up *get_up, const scene_get_up_def *def)
{
    *get_up = (scene_get_up){.instance = def->instance,
        .player = def->player,
        .foot_weight = def->foot_weight,
        .file = def->file,
        .fall = def->fall};
    vrm_result result = VRM_SUCCESS;
    if (def->file == NULL) {
        vrm_get_up_body_def body;
        vrm_get_up_body_def_default(&body);
        body.allocator = def->allocator;
        body.avatar = vrm_instance_get_avatar(def->instance);
        body.gltf = def->gltf;
        result = vrm_get_up_body_create(&body, &get_up->body);
    }
    if (result == VRM_SUCCESS && get_up->player == NULL) {
        vrm_clip_player_def player;
        vrm_clip_player_def_default(&player);
        player.avatar = vrm_instance_get_avatar(def->instance);
        player.allocator = def->allocator;
        result = vrm_clip_player_create(&player, &get_up->own);
        get_up->player = get_up->own;
    }
    get_up->layer = get_up->own != NULL ? 0 : def->layer != 0 ? def->layer : 1;
    return result;
}

static void set_feet(scene_get_up *get_up, float weight)
{
    if (get_up->own == NULL && get_up->foot_weight > 0.0f) {
        vrm_clip_layer_params layer;
        vrm_clip_layer_params_default(&layer);
        layer.foot_weight = weight;
        (void)vrm_clip_player_set_layer(get_up->player, 0, &layer);
    }
}

static void start(scene_get_up *get_up, double ground)
{
    vrm_clip *clip = get_up->file;
    if (clip != NULL) {
        (void)vrm_clip_retain(clip);
    } else {
        vrm_get_up_params params;
        vrm_get_up_params_default(&params);
        params.ground = ground;
        if (vrm_get_up_create_clip(get_up->body, get_up->instance, &params, &get_up->way, &clip) != VRM_SUCCESS) {
            (void)vrm_instance_recover_ragdoll(get_up->instance);
            return;
        }
    }
    vrm_clip_play_params play;
    vrm_clip_play_params_default(&play);
    play.speed = 0.0f; // the clip stays at its first pose until the body has this pose
    vrm_clip_release(get_up->clip);
    get_up->clip = clip;
    get_up->elapsed = 0.0;
    get_up->plays = false;
    set_feet(get_up, 0.0f);
    (void)vrm_instance_start_get_up(get_up->instance);
    (void)vrm_instance_set_clip_player(get_up->instance, get_up->player);
    (void)vrm_clip_player_play(get_up->player, get_up->layer, clip, &play);
}

void scene_get_up_hand_back(scene_get_up *get_up, float seconds)
{
    if (get_up->clip == NULL) {
        return;
    }
    vrm_clip_play_params play;
    vrm_clip_play_params_default(&play);
    play.seconds = seconds;
    play.transition = VRM_CLIP_TRANSITION_FADE;
    (void)vrm_clip_player_play(get_up->player, get_up->layer, NULL, &play);
    set_feet(get_up, get_up->foot_weight);
    vrm_clip_release(get_up->clip);
    get_up->clip = NULL;
}

static bool still_falls(const scene_get_up *get_up)
{
    const scene_fall *fall = get_up->fall;
    return fall != NULL && fall->on && fall->under_way && fall->fall.phase < VRM_FALL_PHASE_LIE &&
           get_up->waits < longest_wait;
}

void scene_get_up_frame(scene_get_up *get_up, double ground, double dt)
{
    vrm_ragdoll_info info = {.struct_size = sizeof info};
    vrm_instance_get_ragdoll_info(get_up->instance, &info);
    get_up->waits = info.phase == VRM_RAGDOLL_PHASE_LYING ? get_up->waits + dt : 0.0;
    if (info.phase == VRM_RAGDOLL_PHASE_LYING) {
        if (!still_falls(get_up)) {
            start(get_up, ground);
        }
        return;
    }
    if (get_up->clip == NULL || info.phase == VRM_RAGDOLL_PHASE_RECOVERING) {
        return;
    }
    if (info.phase == VRM_RAGDOLL_PHASE_LIMP) { // the figure has fallen again
        scene_get_up_hand_back(get_up, take_over);
        return;
    }
    if (!get_up->plays) {
        (void)vrm_clip_player_play(get_up->player, get_up->layer, get_up->clip, NULL);
        get_up->plays = true;
    }
    get_up->elapsed += dt;
    vrm_clip_info clip = {.struct_size = sizeof clip};
    vrm_clip_get_info(get_up->clip, &clip);
    if (get_up->elapsed >= (double)clip.duration - overlap) {
        scene_get_up_hand_back(get_up, take_over);
    }
}

void scene_get_up_free(scene_get_up *get_up)
{
    vrm_clip_release(get_up->clip);
    vrm_clip_player_destroy(get_up->own);
    vrm_get_up_body_destroy(get_up->body);
    *get_up = (scene_get_up){.instance = NULL};
}
