// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
// Eyes, head, neck and spine look at something that moves around the figure. Then they stop looking, and a head tracker
// takes over.
//
//     cc gaze.c $(pkg-config --cflags --libs vrm) -lm -o gaze
//     ./gaze avatar.vrm
//
// Prints the rotation of the eyes and the angle by which they miss the target.
#include <math.h>
#include <stdio.h>
#include <vrm/vrm.h>

static bool set_chain(vrm_instance *instance, const vrm_avatar *avatar)
{
    vrm_look_chain_def chain = {.struct_size = sizeof chain};
    vrm_look_bone bones[VRM_LOOK_CHAIN_PRESET_BONES];
    vrm_look_chain_error error = {.struct_size = sizeof error};
    if (vrm_look_chain_preset_def(avatar, VRM_LOOK_CHAIN_PRESET_WHOLE_SPINE, &chain, bones) != VRM_SUCCESS) {
        return false;
    }
    for (uint32_t i = 0; i < chain.bone_count; ++i) {
        // The head follows the head tracker by 70 %, the neck by 30 %.
        bones[i].orientation_share = i == 1 ? 0.7f : i == 2 ? 0.3f : 0.0f;
    }
    chain.saccade = true; // the eyes jump to a new target before the head moves
    chain.idle = true;    // the eyes never keep completely still
    if (vrm_instance_set_look_chain(instance, &chain, &error) != VRM_SUCCESS) {
        fprintf(stderr, "bone %d: %s (%s)\n", error.bone, vrm_look_chain_fault_sentence(error.fault),
            vrm_look_chain_fault_name(error.fault));
        return false;
    }
    return true;
}

// A chain without a preset: the eyes, and a head that turns by at most 40 degrees.
static bool set_two_bones(vrm_instance *instance, const vrm_avatar *avatar)
{
    vrm_look_bone bones[2];
    vrm_look_chain_def chain;
    vrm_look_chain_def_default(&chain);
    vrm_look_bone_default(&bones[0]);
    vrm_look_bone_default(&bones[1]);
    bones[0].node = VRM_LOOK_CHAIN_EYES;
    bones[1].node = vrm_avatar_get_bone_node(avatar, VRM_HUMAN_BONE_HEAD);
    bones[1].limit = 0.7f;
    chain.bones = bones;
    chain.bone_count = 2;
    return vrm_instance_set_look_chain(instance, &chain, NULL) == VRM_SUCCESS;
}

int main(int argc, char **argv)
{
    vrm_avatar *avatar;
    if (argc < 2 || vrm_avatar_load_file(NULL, argv[1], NULL, &avatar) != VRM_SUCCESS) {
        fprintf(stderr, "usage: gaze avatar.vrm\n");
        return 1;
    }
    vrm_instance *instance;
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = avatar;
    def.look_chain_bones = VRM_LOOK_CHAIN_PRESET_BONES; // the instance reserves memory for the chain
    if (vrm_instance_create(&def, &instance) != VRM_SUCCESS || !set_chain(instance, avatar)) {
        return 1;
    }
    for (uint32_t frame = 0; frame < 600; ++frame) {
        const double angle = 2.0 * sin((double)frame / 60.0); // from side to side, farther than a body can turn
        const vrm_dvec3 ball = {2.0 * sin(angle), 1.2, 2.0 * cos(angle)};
        vrm_instance_set_look_at_target(instance, &ball);
        if (frame == 300) {
            vrm_instance_disable_look_chain(instance, 0.5f, 0);
        } else if (frame == 400) {
            vrm_instance_enable_look_chain(instance, 0.5f, VRM_TRANSITION_KEEP);
        } else if (frame == 480) {
            vrm_instance_set_head_orientation(instance, 0.3f, -0.1f, 0.2f);
        } else if (frame == 560) {
            vrm_instance_clear_head_orientation(instance);
        } else if (frame == 570 && !set_two_bones(instance, avatar)) {
            return 1;
        }
        vrm_update_dt(instance, 1.0f / 60.0f);
        vrm_look_chain_state state = {.struct_size = sizeof state};
        vrm_instance_get_look_chain_state(instance, &state);
        if (frame % 20 == 19) {
            printf("%4.1f s: target %+4.0f degrees, eyes %+3.0f, missed by %3.0f, weight %.2f", (double)frame / 60.0,
                angle * 57.29578, (double)state.eye_yaw * 57.29578, (double)state.error * 57.29578,
                (double)vrm_instance_get_look_chain_weight(instance));
            if (vrm_instance_is_look_chain_in_transition(instance)) {
                printf(
                    ", changing for %.2f s more", (double)vrm_instance_get_look_chain_transition_time_left(instance));
            }
            printf("\n");
        }
    }
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
    return 0;
}
