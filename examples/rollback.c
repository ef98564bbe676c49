// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
// Rollback, as in games over a network: an input arrives late, the state of its frame is restored, and the frames since
// then are simulated again. Instance and player are in the host's own memory.
//
//     cc rollback.c $(pkg-config --cflags --libs vrm) -o rollback
//     ./rollback avatar.vrm
//
// Prints whether the frames that were simulated again have the same bits as frames for which the input came in time.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vrm/motion.h>
#include <vrm/vrm.h>

enum { FRAMES = 180, INPUT = 100, ARRIVES = 110 };

typedef struct character {
    void *memory, *player_memory;
    vrm_instance *instance;
    vrm_clip_player *player;
} character;

static void *aligned(size_t size)
{
    return aligned_alloc(64, (size + 63) / 64 * 64);
}

static bool make(const vrm_avatar *avatar, vrm_clip *clip, character *out)
{
    vrm_instance_def def;
    vrm_clip_player_def player_def;
    vrm_instance_def_default(&def);
    vrm_clip_player_def_default(&player_def);
    def.avatar = avatar;
    player_def.avatar = avatar;
    const size_t size = vrm_instance_get_size(&def), player_size = vrm_clip_player_get_size(&player_def);
    out->memory = aligned(size);
    out->player_memory = aligned(player_size);
    if (out->memory == NULL || out->player_memory == NULL ||
        vrm_instance_init(&def, out->memory, size, &out->instance) != VRM_SUCCESS ||
        vrm_clip_player_init(&player_def, out->player_memory, player_size, &out->player) != VRM_SUCCESS) {
        return false;
    }
    vrm_clip_play_params play;
    vrm_clip_play_params_default(&play);
    play.wrap = VRM_CLIP_WRAP_LOOP;
    vrm_clip_player_play(out->player, 0, clip, &play);
    return vrm_instance_set_clip_player(out->instance, out->player) == VRM_SUCCESS;
}

static void destroy(character *c)
{
    vrm_clip_player_destroy(c->player);
    vrm_instance_destroy(c->instance);
    free(c->player_memory);
    free(c->memory);
}

static void step(character *c, uint32_t frame)
{
    if (frame == INPUT) { // the player's input: a jump aside by two metres, so that hair swings
        vrm_root root;
        vrm_instance_get_root(c->instance, &root);
        root.translation.x += 2.0;
        vrm_instance_set_root(c->instance, &root);
    }
    vrm_update_dt(c->instance, 1.0f / 60.0f);
}

int main(int argc, char **argv)
{
    vrm_avatar *avatar;
    if (argc < 2 || vrm_avatar_load_file(NULL, argv[1], NULL, &avatar) != VRM_SUCCESS) {
        fprintf(stderr, "usage: rollback avatar.vrm\n");
        return 1;
    }
    vrm_motion_def motion;
    vrm_clip *walk;
    vrm_motion_def_default(&motion);
    motion.avatar = avatar;
    motion.motion = VRM_MOTION_WALK;
    character here = {0}, there = {0};
    if (vrm_motion_create(&motion, &walk) != VRM_SUCCESS || !make(avatar, walk, &here) || !make(avatar, walk, &there)) {
        fprintf(stderr, "this avatar cannot walk\n");
        return 1;
    }
    // A call without a buffer only writes the size.
    size_t size = 0, player_size = 0;
    vrm_instance_snapshot(here.instance, NULL, &size);
    vrm_clip_player_snapshot(here.player, NULL, &player_size);
    void *saved = malloc(size), *player_saved = malloc(player_size);
    if (saved == NULL || player_saved == NULL) {
        return 1;
    }
    for (uint32_t frame = 0; frame < FRAMES; ++frame) {
        step(&there, frame); // on this machine the input is known in time
        if (frame == INPUT) {
            vrm_instance_snapshot(here.instance, saved, &size);
            vrm_clip_player_snapshot(here.player, player_saved, &player_size);
        }
        if (frame < ARRIVES) {
            if (frame != INPUT) {
                step(&here, frame);
            } else {
                vrm_update_dt(here.instance, 1.0f / 60.0f); // on this machine the input has not arrived yet
            }
            continue;
        }
        if (frame == ARRIVES) {
            if (vrm_clip_player_restore(here.player, player_saved, player_size) != VRM_SUCCESS ||
                vrm_instance_restore(here.instance, saved, size) != VRM_SUCCESS) {
                fprintf(stderr, "the snapshot cannot be restored\n");
                return 1;
            }
            for (uint32_t again = INPUT; again < ARRIVES; ++again) {
                step(&here, again);
            }
        }
        step(&here, frame);
    }
    vrm_outputs a = {.struct_size = sizeof a}, b = {.struct_size = sizeof b};
    vrm_instance_get_outputs(here.instance, &a);
    vrm_instance_get_outputs(there.instance, &b);
    const bool same = memcmp(a.world, b.world, a.node_count * sizeof *a.world) == 0 &&
                      memcmp(a.palette, b.palette, a.palette_joint_count * sizeof *a.palette) == 0;
    printf("%zu + %zu bytes saved; %d frames again: %s\n", size, player_size, ARRIVES - INPUT,
        same ? "the same bits" : "DIFFERENT");
    free(player_saved);
    free(saved);
    destroy(&there);
    destroy(&here);
    vrm_clip_release(walk);
    vrm_avatar_release(avatar);
    return same ? 0 : 1;
}
