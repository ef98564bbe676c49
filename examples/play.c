// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
// Plays a motion file of any supported format on an avatar. Prints the file's contents, its markers, and how the motion
// moves the face and the feet.
//
//     cc play.c $(pkg-config --cflags --libs vrm) -o play
//     ./play avatar.vrm motion.vrma        (or .bvh, .glb)
#include <stdio.h>
#include <vrm/vrm.h>

// Adds a marker at the beginning of each second, as a game would mark footsteps and hits.
static vrm_clip *marked(vrm_clip *clip, float duration)
{
    static const char *const names[4] = {"first", "second", "third", "fourth"};
    static const size_t lengths[4] = {5, 6, 5, 6};
    vrm_clip_marker markers[4];
    uint32_t count = 0;
    while (count < 4 && (float)count <= duration) {
        markers[count] = (vrm_clip_marker){(float)count, {names[count], lengths[count]}};
        ++count;
    }
    vrm_clip *with = NULL;
    if (vrm_clip_set_markers(clip, markers, count, &with) != VRM_SUCCESS) {
        return clip;
    }
    vrm_clip_release(clip);
    return with;
}

int main(int argc, char **argv)
{
    vrm_avatar *avatar = NULL;
    vrm_clip *clip = NULL;
    if (argc < 3 || vrm_avatar_load_file(NULL, argv[1], NULL, &avatar) != VRM_SUCCESS ||
        vrm_clip_load_file(NULL, argv[2], NULL, &clip) != VRM_SUCCESS) {
        fprintf(stderr, "usage: play avatar.vrm motion.vrma\n");
        vrm_avatar_release(avatar);
        return 1;
    }
    vrm_clip_info info = {.struct_size = sizeof info};
    vrm_clip_get_info(clip, &info);
    printf("%.2f s, %u expressions%s\n", (double)info.duration, info.expressions, info.has_gaze ? ", a gaze" : "");
    for (uint32_t i = 0; i < info.expressions; ++i) {
        vrm_string name;
        if (vrm_clip_get_expression(clip, i, &name) == VRM_SUCCESS) {
            printf("%.*s: %.2f in the middle\n", (int)name.length, name.data,
                (double)vrm_clip_sample_expression(clip, i, info.duration / 2.0f));
        }
    }
    clip = marked(clip, info.duration);

    vrm_instance *instance = NULL;
    vrm_clip_player *player = NULL;
    vrm_instance_def def;
    vrm_clip_player_def player_def;
    vrm_instance_def_default(&def);
    vrm_clip_player_def_default(&player_def);
    def.avatar = avatar;
    player_def.avatar = avatar;
    if (vrm_instance_create(&def, &instance) != VRM_SUCCESS ||
        vrm_clip_player_create(&player_def, &player) != VRM_SUCCESS) {
        return 1;
    }
    vrm_clip_player_play(player, 0, clip, NULL);
    vrm_instance_set_clip_player(instance, player);
    for (uint32_t frame = 0; !vrm_clip_player_is_finished(player, 0); ++frame) {
        vrm_update_dt(instance, 1.0f / 60.0f);
        uint32_t passed[4];
        const uint32_t count = vrm_clip_player_get_markers(player, 0, passed, 4);
        for (uint32_t i = 0; i < count && i < 4; ++i) {
            vrm_clip_marker marker;
            vrm_outputs out = {.struct_size = sizeof out};
            vrm_clip_get_marker(clip, passed[i], &marker);
            vrm_instance_get_outputs(instance, &out);
            const vrm_world *foot = &out.world[vrm_avatar_get_bone_node(avatar, VRM_HUMAN_BONE_LEFT_FOOT)];
            printf("%.*s second: left ankle at %.2f %.2f %.2f m\n", (int)marker.name.length, marker.name.data,
                (double)foot->m[0][3], (double)foot->m[1][3], (double)foot->m[2][3]);
        }
    }
    vrm_clip_player_destroy(player);
    vrm_instance_destroy(instance);
    vrm_clip_release(clip);
    vrm_avatar_release(avatar);
    return 0;
}
