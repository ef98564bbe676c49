// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
// A character that walks through a world. Root motion moves it, markers of the clip are its footsteps, and a second
// layer waves.
//
//     cc walk.c $(pkg-config --cflags --libs vrm) -o walk
//     ./walk avatar.vrm
//
// Prints each footstep with the distance that the character has walked.
#include <math.h>
#include <stdio.h>
#include <vrm/motion.h>
#include <vrm/vrm.h>

// Moves the root by the clip's root motion, in the direction that the character faces.
static void move_root(vrm_instance *instance, const vrm_clip_player *player)
{
    vrm_root root;
    vrm_vec3 way;
    vrm_instance_get_root(instance, &root);
    vrm_clip_player_get_root_motion(player, &way);
    // The root only rotates about the vertical. Computes sine and cosine of its heading from the quaternion.
    const double sine = 2.0 * (double)root.rotation.y * (double)root.rotation.w;
    const double cosine = 1.0 - 2.0 * (double)root.rotation.y * (double)root.rotation.y;
    root.translation.x += cosine * (double)way.x + sine * (double)way.z;
    root.translation.z += cosine * (double)way.z - sine * (double)way.x;
    const double heading = atan2(sine, cosine) + (double)vrm_clip_player_get_root_turn(player);
    root.rotation = (vrm_quat){0.0f, (float)sin(heading / 2.0), 0.0f, (float)cos(heading / 2.0)};
    vrm_instance_set_root(instance, &root);
}

static void print_steps(
    const vrm_clip_player *player, const vrm_clip *walk, const vrm_instance *instance, uint32_t frame)
{
    uint32_t passed[4];
    const uint32_t count = vrm_clip_player_get_markers(player, 0, passed, 4);
    vrm_root root;
    vrm_instance_get_root(instance, &root);
    for (uint32_t i = 0; i < count && i < 4; ++i) {
        vrm_clip_marker marker;
        if (vrm_clip_get_marker(walk, passed[i], &marker) == VRM_SUCCESS) {
            printf("%5.2f s: %.*s foot, %.2f m ahead\n", (double)frame / 60.0, (int)marker.name.length,
                marker.name.data, root.translation.z);
        }
    }
}

static vrm_clip *make(const vrm_avatar *avatar, const char *name, size_t length)
{
    vrm_motion_def def;
    vrm_clip *clip = NULL;
    vrm_motion_def_default(&def);
    def.avatar = avatar;
    def.motion = (vrm_motion)vrm_motion_from_name(name, length);
    if (vrm_motion_create(&def, &clip) != VRM_SUCCESS) {
        fprintf(stderr, "%s cannot be created for this avatar\n", vrm_motion_name(def.motion));
    } else if (vrm_motion_get_speed(&def) > 0.0f) {
        printf("%s: %.2f m/s\n", vrm_motion_name(def.motion), (double)vrm_motion_get_speed(&def));
    }
    return clip;
}

int main(int argc, char **argv)
{
    vrm_avatar *avatar;
    if (argc < 2 || vrm_avatar_load_file(NULL, argv[1], NULL, &avatar) != VRM_SUCCESS) {
        fprintf(stderr, "usage: walk avatar.vrm\n");
        return 1;
    }
    vrm_clip *walk = make(avatar, "walk", 4), *wave = make(avatar, "wave", 4), *idle = make(avatar, "idle", 4);
    vrm_clip *arm = NULL;
    // The additive clip is the difference between waving and standing, which can be added to any motion.
    if (walk == NULL || wave == NULL || idle == NULL || vrm_clip_make_additive(wave, idle, 0.0f, &arm) != VRM_SUCCESS) {
        return 1;
    }
    vrm_instance *instance = NULL;
    vrm_clip_player *player = NULL;
    vrm_instance_def def;
    vrm_clip_player_def player_def;
    vrm_instance_def_default(&def);
    vrm_clip_player_def_default(&player_def);
    def.avatar = avatar;
    player_def.avatar = avatar;
    player_def.layers = 2;
    if (vrm_instance_create(&def, &instance) != VRM_SUCCESS ||
        vrm_clip_player_create(&player_def, &player) != VRM_SUCCESS) {
        return 1;
    }
    vrm_clip_layer_params legs;
    vrm_clip_layer_params_default(&legs);
    legs.root_motion = true;
    legs.root_turn = true;
    vrm_clip_player_set_layer(player, 0, &legs);
    vrm_clip_play_params play;
    vrm_clip_play_params_default(&play);
    play.wrap = VRM_CLIP_WRAP_LOOP;
    vrm_clip_player_play(player, 0, walk, &play);
    vrm_instance_set_clip_player(instance, player);

    bool waving = false;
    for (uint32_t frame = 0; frame < 600; ++frame) {
        if (frame == 120) {
            vrm_clip_play_params once;
            vrm_clip_play_params_default(&once);
            once.seconds = 0.3f; // duration of the transition
            waving = vrm_clip_player_play(player, 1, arm, &once) == VRM_SUCCESS;
        }
        vrm_update_dt(instance, 1.0f / 60.0f);
        move_root(instance, player);
        print_steps(player, walk, instance, frame);
        if (waving && vrm_clip_player_is_finished(player, 1)) {
            printf("%5.2f s: has waved\n", (double)frame / 60.0);
            waving = false;
        }
    }
    vrm_clip_player_destroy(player);
    vrm_instance_destroy(instance);
    vrm_clip_release(arm);
    vrm_clip_release(idle);
    vrm_clip_release(wave);
    vrm_clip_release(walk);
    vrm_avatar_release(avatar);
    return 0;
}
