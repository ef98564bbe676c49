// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
// A face that speaks: emotions fade, lip-sync opens the mouth, the eyes blink, one of them winks.
//
//     cc speak.c $(pkg-config --cflags --libs vrm) -o speak
//     ./speak avatar.vrm > weights.csv
//
// Prints the weight of every preset expression in each frame of six seconds. The figure does not blink while an
// expression is shown that overrides blinks (overrideBlink).
#include <stdio.h>
#include <vrm/vrm.h>

// The output of an audio analyser: visemes and their durations.
static const struct {
    vrm_viseme viseme;
    float seconds;
} spoken[] = {{VRM_VISEME_SIL, 0.5f}, {VRM_VISEME_KK, 0.08f}, {VRM_VISEME_OH, 0.16f}, {VRM_VISEME_NN, 0.1f},
    {VRM_VISEME_NN, 0.1f}, {VRM_VISEME_IH, 0.14f}, {VRM_VISEME_CH, 0.08f}, {VRM_VISEME_IH, 0.12f},
    {VRM_VISEME_AA, 0.3f}, {VRM_VISEME_SIL, 10.0f}};

static vrm_viseme heard(float time)
{
    uint32_t i = 0;
    while (time >= spoken[i].seconds) {
        time -= spoken[i++].seconds;
    }
    return spoken[i].viseme;
}

static void set_up_face(vrm_instance *instance)
{
    vrm_blink_params blink;
    vrm_blink_params_default(&blink);
    blink.enabled = true;
    blink.interval_min = 1.0f;
    blink.interval_max = 2.0f;
    vrm_instance_set_blink(instance, &blink);

    vrm_lip_sync_params lips;
    vrm_lip_sync_params_default(&lips);
    lips.release = 0.06f; // shorter than the default, for short consonants
    vrm_instance_set_lip_sync(instance, &lips);

    // The avatar's own wink is treated as a blink, so that expressions which override blinks override it.
    const int32_t wink = vrm_avatar_find_expression(vrm_instance_get_avatar(instance), "wink", 4);
    if (wink >= 0) {
        vrm_instance_set_expression_group(instance, (uint32_t)wink, VRM_EXPRESSION_GROUP_BLINK);
    }

    // Emotions are shown at 80 % of their strength, but not below the weight that another layer requests.
    vrm_instance_set_expression_layer(instance, VRM_EXPRESSION_LAYER_EMOTION, VRM_EXPRESSION_MODE_MAX, 0.8f);
}

static void act(vrm_instance *instance, const vrm_avatar *avatar, uint32_t frame)
{
    if (frame == 30) {
        vrm_instance_fade_emotion(instance, vrm_avatar_find_preset(avatar, VRM_EXPRESSION_PRESET_HAPPY), 1.0f, 0.3f);
    } else if (frame == 150) {
        vrm_instance_fade_emotion(instance, -1, 0.0f, 0.5f); // back to neutral
    } else if (frame == 180) {
        vrm_instance_set_eye_angles(instance, VRM_HUMAN_BONE_LEFT_EYE, 0.15f, 0.0f); // a lazy eye looks aside ...
    } else if (frame == 220) {
        vrm_instance_clear_eye_angles(instance, VRM_HUMAN_BONE_LEFT_EYE); // ... and looks ahead again
    }
    float visemes[VRM_VISEME_COUNT] = {0};
    visemes[heard((float)frame / 60.0f)] = 1.0f;
    vrm_instance_set_visemes(instance, visemes, VRM_VISEME_COUNT);
}

int main(int argc, char **argv)
{
    vrm_avatar *avatar;
    if (argc < 2 || vrm_avatar_load_file(NULL, argv[1], NULL, &avatar) != VRM_SUCCESS) {
        fprintf(stderr, "usage: speak avatar.vrm\n");
        return 1;
    }
    vrm_instance *instance;
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = avatar;
    if (vrm_instance_create(&def, &instance) != VRM_SUCCESS) {
        vrm_avatar_release(avatar);
        return 1;
    }
    set_up_face(instance);

    printf("seconds");
    for (uint32_t preset = 0; preset < VRM_EXPRESSION_PRESET_COUNT; ++preset) {
        if (vrm_avatar_find_preset(avatar, (vrm_expression_preset)preset) >= 0) {
            printf(",%s", vrm_expression_preset_name((vrm_expression_preset)preset));
        }
    }
    printf("\n");
    for (uint32_t frame = 0; frame < 360; ++frame) {
        act(instance, avatar, frame);
        vrm_update_dt(instance, 1.0f / 60.0f);
        vrm_outputs out = {.struct_size = sizeof out};
        vrm_instance_get_outputs(instance, &out);
        printf("%.3f", (double)frame / 60.0);
        for (uint32_t preset = 0; preset < VRM_EXPRESSION_PRESET_COUNT; ++preset) {
            const int32_t expression = vrm_avatar_find_preset(avatar, (vrm_expression_preset)preset);
            if (expression >= 0) {
                printf(",%.3f", (double)out.expressions[expression].applied);
            }
        }
        printf("\n");
    }
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
    return 0;
}
