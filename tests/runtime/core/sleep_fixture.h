// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef TESTS_SLEEP_FIXTURE_H
#define TESTS_SLEEP_FIXTURE_H

// An avatar that has every feature and may sleep.

#include <vrm/ragdoll_build.h>

#include "clip_fixture.h"

static const float frame = 1.0f / 60.0f;
enum { FOUR_SECONDS = 240 };

static vrm_ragdoll_def doll = {.struct_size = sizeof doll}; // the sample's ragdoll, for instances with a ragdoll

static inline vrm_instance *make_sleeper(void)
{
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = stage_avatar();
    def.host_colliders = 2;
    def.spring_parameters = true;
    def.look_chain_bones = VRM_LOOK_CHAIN_PRESET_BONES;
    def.ragdoll_bodies = VRM_RAGDOLL_MAX_BODIES;
    vrm_instance *instance = NULL;
    CHECK_INT(vrm_instance_create(&def, &instance), VRM_SUCCESS);
    CHECK_INT(vrm_instance_set_lod(instance, VRM_LOD_SLEEP), VRM_SUCCESS);
    return instance;
}

// Returns the number of frames until the instance sleeps, or -1 if it does not sleep within `most` frames.
static inline int fall_asleep(vrm_instance *instance, int most)
{
    for (int i = 0; i < most; ++i) {
        vrm_update_dt(instance, frame);
        if (vrm_instance_is_asleep(instance)) {
            return i;
        }
    }
    return -1;
}

// An instance for testing setters, with a look chain, a ragdoll, and a player with a constant clip.
typedef struct bed {
    vrm_instance *instance;
    vrm_clip_player *player;
    vrm_clip *clip;
    float value; // a different value for each call of a setter
    void *snapshot;
    size_t snapshot_size;
} bed;

static inline void give_look_chain(vrm_instance *instance)
{
    vrm_look_chain_def def = {.struct_size = sizeof def};
    vrm_look_bone bones[VRM_LOOK_CHAIN_PRESET_BONES];
    CHECK_INT(vrm_look_chain_preset_def(stage_avatar(), VRM_LOOK_CHAIN_PRESET_EYES_HEAD, &def, bones), VRM_SUCCESS);
    CHECK_INT(vrm_instance_set_look_chain(instance, &def, NULL), VRM_SUCCESS);
}

// Makes a bed. `before`: an instance to whose state the bed may be restored.
static inline bed make_bed(const vrm_instance *before)
{
    bed b = {.instance = make_sleeper(), .clip = make_clip(3)};
    vrm_clip_player_def def;
    vrm_clip_player_def_default(&def);
    def.avatar = stage_avatar();
    CHECK_INT(vrm_clip_player_create(&def, &b.player), VRM_SUCCESS);
    vrm_clip_play_params play;
    vrm_clip_play_params_default(&play);
    play.speed = 0.0f;
    CHECK_INT(vrm_clip_player_play(b.player, 0, b.clip, &play), VRM_SUCCESS);
    CHECK_INT(vrm_instance_set_clip_player(b.instance, b.player), VRM_SUCCESS);
    give_look_chain(b.instance);
    CHECK_INT(vrm_instance_set_ragdoll(b.instance, &doll, NULL), VRM_SUCCESS);
    CHECK_INT(vrm_instance_snapshot(before, NULL, &b.snapshot_size), VRM_SUCCESS);
    b.snapshot = malloc(b.snapshot_size);
    CHECK_INT(vrm_instance_snapshot(before, b.snapshot, &b.snapshot_size), VRM_SUCCESS);
    return b;
}

static inline void unmake_bed(bed *b)
{
    vrm_clip_player_destroy(b->player);
    vrm_instance_destroy(b->instance);
    vrm_clip_release(b->clip);
    free(b->snapshot);
}

#endif
