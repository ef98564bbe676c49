// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Calls on clips and players: their sources, memory and owners.

#include "clip_fixture.h"
#include "gltf_builder.h"
#include "skeleton_json.h"

// Makes a humanoid that is recognised by its names, with an animation that rotates the head by each of the angles about
// Y.
static vrm_gltf *make_document(const double *angles, uint32_t count)
{
    const float times[2] = {0.0f, 1.0f};
    gltf_builder b = {0};
    const uint32_t input =
        gltf_builder_accessor(&b, times, sizeof times, 5126, 2, "SCALAR", ",\"min\":[0],\"max\":[1]");
    for (int i = 0; i < SKELETON_BONES; ++i) {
        char children[64];
        gltf_builder_add(&b, "nodes", "{\"name\":\"%s\",\"translation\":[0,0.25,0]%s}", skeleton_bones[i],
            skeleton_children(children, sizeof children, skeleton_parents, SKELETON_BONES, i));
    }
    gltf_builder_add(&b, "scenes", "{\"nodes\":[0]}");
    for (uint32_t i = 0; i < count; ++i) {
        const vrm_quat keys[2] = {{0, 0, 0, 1}, about(0, 1, 0, angles[i])};
        const uint32_t output = gltf_builder_accessor(&b, keys, sizeof keys, 5126, 2, "VEC4", "");
        gltf_builder_add(&b, "animations",
            "{\"name\":\"%u\",\"samplers\":[{\"input\":%u,\"output\":%u}],\"channels\":[{\"sampler\":0,\"target\":"
            "{\"node\":2,\"path\":\"rotation\"}}]}",
            i, input, output);
    }
    size_t size;
    uint8_t *glb = gltf_builder_glb(&b, &size);
    gltf_builder_free(&b);
    vrm_gltf *gltf = NULL;
    CHECK_INT(vrm_gltf_load(NULL, glb, size, NULL, &gltf), VRM_SUCCESS);
    free(glb);
    return gltf;
}

static void animations_are_chosen(void)
{
    static const double angles[3] = {0.3, -0.7, 1.1};
    vrm_gltf *gltf = make_document(angles, 3);
    vrm_clip_def def;
    vrm_clip_def_default(&def);
    for (uint32_t i = 0; i < 4; ++i) {
        def.animation = i;
        vrm_clip *clip = NULL;
        CHECK_INT(vrm_clip_import(&def, gltf, NULL, &clip), i < 3 ? VRM_SUCCESS : VRM_ERROR_INVALID_ASSET);
        CHECK((clip != NULL) == (i < 3));
        if (clip != NULL) {
            vrm_clip_pose pose = {.struct_size = sizeof pose};
            vrm_clip_sample(clip, 1.0f, &pose);
            CHECK_NEAR(apart(pose.rotations[BONE(HEAD)], about(0, 1, 0, angles[i])), 0, 1e-6);
            vrm_clip_release(clip);
        }
    }
    vrm_gltf_destroy(gltf);
    gltf = make_document(angles, 0);
    vrm_clip *clip = NULL;
    CHECK_INT(vrm_clip_import(NULL, gltf, NULL, &clip), VRM_ERROR_INVALID_ASSET);
    CHECK(clip == NULL);
    CHECK_INT(vrm_clip_import(NULL, NULL, NULL, &clip), VRM_ERROR_INVALID_ARGUMENT);
    vrm_gltf_destroy(gltf);
}

static void clips_are_counted(void)
{
    vrm_clip *clip = make_clip(1);
    CHECK(vrm_clip_retain(clip) == clip);
    vrm_clip_release(clip);
    vrm_clip_info info = {.struct_size = sizeof info};
    vrm_clip_get_info(clip, &info); // still there
    CHECK(info.keys != 0);
    vrm_clip_release(clip);
    vrm_clip_release(NULL);
}

static void a_player_in_the_callers_memory(void)
{
    stage s;
    set_stage(&s, 1);
    vrm_clip_player_def def;
    vrm_clip_player_def_default(&def);
    CHECK_INT(vrm_clip_player_get_size(&def), 0); // no avatar
    def.avatar = s.avatar;
    def.layers = 9;
    CHECK_INT(vrm_clip_player_get_size(&def), 0);
    def.layers = 3;
    const size_t size = vrm_clip_player_get_size(&def);
    CHECK(size != 0 && size % 64 == 0);
    unsigned char *memory = aligned_alloc(64, size + 64);
    vrm_clip_player *player = NULL;
    CHECK_INT(vrm_clip_player_init(&def, memory, size - 1, &player), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_clip_player_init(&def, memory + 8, size, &player), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_clip_player_init(&def, NULL, size, &player), VRM_ERROR_INVALID_ARGUMENT);
    CHECK(player == NULL);
    memset(memory, 0xa5, size + 64); // any content
    CHECK_INT(vrm_clip_player_init(&def, memory, size, &player), VRM_SUCCESS);
    CHECK((void *)player == (void *)memory);

    // Applying a pose by hand has the same effect as an attached player in the clip stage.
    vrm_clip *clip = make_clip(4);
    CHECK_INT(vrm_clip_player_play(player, 0, clip, NULL), VRM_SUCCESS);
    CHECK_INT(vrm_clip_player_play(s.player, 0, clip, NULL), VRM_SUCCESS);
    CHECK_INT(vrm_clip_player_set_time(player, 0, 0.75), VRM_SUCCESS);
    CHECK_INT(vrm_clip_player_set_time(s.player, 0, 0.75), VRM_SUCCESS);
    stage by_hand;
    set_stage(&by_hand, 1);
    CHECK_INT(vrm_instance_set_clip_player(by_hand.instance, NULL), VRM_SUCCESS);
    CHECK_INT(vrm_clip_player_apply(player, by_hand.instance), VRM_SUCCESS);
    vrm_update_dt(s.instance, 0.0f);
    vrm_update_dt(by_hand.instance, 0.0f);
    CHECK_NEAR(vrm_clip_player_get_time(player, 0), 0.75, 1e-6); // applying a pose does not advance the time
    for (int i = 0; i < MOVED; ++i) {
        CHECK_NEAR(apart(shown(&s, (vrm_human_bone)moved[i]), shown(&by_hand, (vrm_human_bone)moved[i])), 0, 1e-6);
    }
    CHECK_INT(vrm_clip_player_apply(NULL, by_hand.instance), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_clip_player_apply(player, NULL), VRM_ERROR_INVALID_ARGUMENT);

    vrm_clip_release(clip); // the players keep the clip alive
    vrm_clip_player_destroy(player);
    for (size_t i = size; i < size + 64; ++i) {
        CHECK_INT(memory[i], 0xa5);
    }
    free(memory);
    strike(&by_hand);
    strike(&s);
}

static const test_case cases[] = {
    {"animations_are_chosen", animations_are_chosen},
    {"clips_are_counted", clips_are_counted},
    {"a_player_in_the_callers_memory", a_player_in_the_callers_memory},
};

RUN_TESTS(cases)
