// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Measures clip playback by a crowd of one avatar. Each instance has its own player at another time of the clip.
// `bench_clips MODEL CLIP... [--json]`
// "applied": the clip's pose is fitted to the avatar's bones, expressions and gaze. "with world matrices": a frame with
// the pose only, including the world matrices of all nodes. The values are medians of rounds, in microseconds per
// avatar.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vrm/vrm.h>

#include "base/platform.h"
#include "timing.h"

enum { CROWD = 20, FRAMES = 24, ROUNDS = 301 };

typedef struct actor {
    vrm_instance *instance;
    vrm_clip_player *player;
} actor;

static void cast(vrm_avatar *avatar, vrm_clip *clip, actor *crowd)
{
    vrm_clip_info info = {.struct_size = sizeof info};
    vrm_clip_get_info(clip, &info);
    for (int i = 0; i < CROWD; ++i) {
        vrm_instance_def instance;
        vrm_instance_def_default(&instance);
        instance.avatar = avatar;
        vrm_clip_player_def player;
        vrm_clip_player_def_default(&player);
        player.avatar = avatar;
        vrm_clip_play_params play;
        vrm_clip_play_params_default(&play);
        play.wrap = VRM_CLIP_WRAP_LOOP;
        play.start = info.duration * (float)i / (float)CROWD;
        if (vrm_instance_create(&instance, &crowd[i].instance) != VRM_SUCCESS ||
            vrm_clip_player_create(&player, &crowd[i].player) != VRM_SUCCESS ||
            vrm_clip_player_play(crowd[i].player, 0, clip, &play) != VRM_SUCCESS) {
            fprintf(stderr, "bench_clips: no memory\n");
            exit(1);
        }
    }
}

static void dismiss(actor *crowd)
{
    for (int i = 0; i < CROWD; ++i) {
        vrm_clip_player_destroy(crowd[i].player);
        vrm_instance_destroy(crowd[i].instance);
    }
}

static double time_apply(actor *crowd, float duration)
{
    double rounds[ROUNDS];
    for (int round = 0; round < ROUNDS; ++round) {
        const double start = vrmi_platform_seconds();
        for (int frame = 0; frame < FRAMES; ++frame) {
            for (int i = 0; i < CROWD; ++i) {
                const double at = (double)frame / 60.0 + (double)duration * i / CROWD;
                (void)vrm_clip_player_set_time(crowd[i].player, 0, at);
                (void)vrm_clip_player_apply(crowd[i].player, crowd[i].instance);
            }
        }
        rounds[round] = (vrmi_platform_seconds() - start) * 1e6 / (FRAMES * CROWD);
    }
    return median(rounds, ROUNDS);
}

static double time_update(actor *crowd)
{
    double rounds[ROUNDS];
    vrm_update_params params;
    vrm_update_params_default(&params);
    params.stages = VRM_STAGE_POSE;
    params.dt = 1.0f / 60.0f;
    for (int i = 0; i < CROWD; ++i) {
        (void)vrm_instance_set_clip_player(crowd[i].instance, crowd[i].player);
    }
    for (int round = 0; round < ROUNDS; ++round) {
        const double start = vrmi_platform_seconds();
        for (int frame = 0; frame < FRAMES; ++frame) {
            for (int i = 0; i < CROWD; ++i) {
                vrm_update(crowd[i].instance, &params);
            }
        }
        rounds[round] = (vrmi_platform_seconds() - start) * 1e6 / (FRAMES * CROWD);
    }
    return median(rounds, ROUNDS);
}

static int fail(const char *path, vrm_result result)
{
    fprintf(stderr, "bench_clips: %s: %s\n", path, vrm_result_sentence(result));
    return 1;
}

int main(int argc, char **argv)
{
    const bool json = argc > 1 && strcmp(argv[argc - 1], "--json") == 0;
    const int end = json ? argc - 1 : argc;
    if (end < 3) {
        fprintf(stderr, "usage: bench_clips MODEL CLIP... [--json]\n");
        return 2;
    }
    vrm_avatar *avatar = NULL;
    vrm_result result = vrm_avatar_load_file(NULL, argv[1], NULL, &avatar);
    if (result != VRM_SUCCESS) {
        return fail(argv[1], result);
    }
    printf("%s", json ? "[" : "");
    for (int i = 2; i < end; ++i) {
        vrm_clip *clip = NULL;
        result = vrm_clip_load_file(NULL, argv[i], NULL, &clip);
        if (result != VRM_SUCCESS) {
            vrm_avatar_release(avatar);
            return fail(argv[i], result);
        }
        vrm_clip_info info = {.struct_size = sizeof info};
        vrm_clip_get_info(clip, &info);
        actor crowd[CROWD];
        cast(avatar, clip, crowd);
        const double apply = time_apply(crowd, info.duration), update = time_update(crowd);
        dismiss(crowd);
        vrm_clip_release(clip);
        printf(json ? "%s{\"apply_us\":%.4f,\"update_us\":%.4f}\n" : "%s%.3f us applied, %.3f us with world matrices",
            i > 2 ? "," : "", apply, update);
        printf("%s", json ? "" : "\n");
    }
    printf("%s", json ? "]\n" : "");
    vrm_avatar_release(avatar);
    return 0;
}
