// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
// A figure that is moved by hand, node by node, as by an editor or a motion capture program. A clip is sampled, and a
// few nodes are changed. The pose is copied to a second figure through an array of the host's, in Unity's axes. Finally
// it is read by glTF's node numbers.
//
//     cc puppet.c $(pkg-config --cflags --libs vrm) -lm -o puppet
//     ./puppet avatar.vrm
//
// Prints the position of the right hand, the size of the head, and the difference between the two figures.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <vrm/vrm.h>

static vrm_instance *make(const vrm_avatar *avatar)
{
    vrm_instance *instance = NULL;
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = avatar;
    def.hair_inputs = true; // every node can be moved, also hair
    vrm_instance_create(&def, &instance);
    return instance;
}

// Sets the middle of a wave: bones from the clip, then size, position and rotation of the head by hand.
static bool pose_by_nodes(vrm_instance *instance, const vrm_avatar *avatar)
{
    vrm_motion_def motion;
    vrm_clip *wave;
    vrm_motion_def_default(&motion);
    motion.avatar = avatar;
    motion.motion = VRM_MOTION_WAVE;
    if (vrm_motion_create(&motion, &wave) != VRM_SUCCESS) {
        return false;
    }
    vrm_clip_info info = {.struct_size = sizeof info};
    vrm_clip_pose pose = {.struct_size = sizeof pose};
    vrm_clip_get_info(wave, &info);
    vrm_clip_sample(wave, info.duration / 2.0f, &pose);
    for (uint32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        if ((info.bones >> bone & 1) != 0) {
            vrm_instance_set_normalized_rotation(instance, (vrm_human_bone)bone, &pose.rotations[bone]);
        }
    }
    vrm_clip_release(wave);

    const uint32_t head = (uint32_t)vrm_avatar_get_bone_node(avatar, VRM_HUMAN_BONE_HEAD);
    const vrm_vec3 larger = {1.2f, 1.2f, 1.2f};
    vrm_instance_set_scale(instance, head, &larger);
    vrm_node neck = {.struct_size = sizeof neck};
    vrm_avatar_get_node(avatar, head, &neck);
    vrm_vec3 higher = neck.rest.translation;
    higher.y += 0.02f;
    vrm_instance_set_translation(instance, head, &higher);
    const vrm_quat nod = {0.0871557f, 0.0f, 0.0f, 0.9961947f}; // a rotation of 10 degrees
    return vrm_instance_set_rotation(instance, head, &nod) == VRM_SUCCESS;
}

// Copies the pose through an array of the host's, in Unity's axes.
static bool pose_by_array(vrm_instance *to, const vrm_instance *from, uint32_t count)
{
    vrm_basis unity;
    vrm_basis_get_preset(VRM_BASIS_UNITY, &unity);
    vrm_transform *locals = malloc(count * sizeof *locals);
    if (locals == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; ++i) {
        vrm_instance_get_local(from, i, &locals[i]);
    }
    vrm_basis_to_host(&unity, VRM_BASIS_TRANSFORM, locals, 0, count);
    const vrm_local_array array = {.struct_size = sizeof array, .transforms = locals, .count = count, .basis = &unity};
    const bool done = vrm_instance_set_locals(to, &array) == VRM_SUCCESS;
    free(locals);
    return done;
}

static double difference(const vrm_instance *a, const vrm_instance *b)
{
    vrm_outputs x = {.struct_size = sizeof x}, y = {.struct_size = sizeof y};
    vrm_instance_get_outputs(a, &x);
    vrm_instance_get_outputs(b, &y);
    double most = 0.0;
    for (uint32_t i = 0; i < x.node_count; ++i) {
        for (int row = 0; row < 3; ++row) {
            most = fmax(most, fabs((double)x.world[i].m[row][3] - (double)y.world[i].m[row][3]));
        }
    }
    return most;
}

// Writes the pose for a renderer with packed 4 x 4 bone matrices, relative to the camera. Also writes the local
// transforms by glTF's node numbers.
static bool write_out(const vrm_instance *instance, const vrm_avatar *avatar)
{
    vrm_palette palette = {.struct_size = sizeof palette};
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(avatar, &counts);
    if (vrm_avatar_get_palette(avatar, 0, &palette) != VRM_SUCCESS) {
        return false;
    }
    float *matrices = malloc(palette.joint_count * 16 * sizeof *matrices);
    vrm_transform *locals = malloc(counts.nodes * sizeof *locals);
    if (matrices == NULL || locals == NULL) {
        return false;
    }
    const vrm_matrix_target target = {
        .struct_size = sizeof target, .memory = matrices, .format = VRM_MATRIX_4X4_COLUMNS, .origin = {0.0, 1.4, 1.5}};
    const bool done = vrm_instance_write_palette(instance, 0, &target) == VRM_SUCCESS &&
                      vrm_instance_write_gltf_locals(instance, 0, counts.nodes, locals) == VRM_SUCCESS;
    vrm_node head = {.struct_size = sizeof head};
    vrm_avatar_get_node(avatar, (uint32_t)vrm_avatar_get_bone_node(avatar, VRM_HUMAN_BONE_HEAD), &head);
    printf("%u matrices; the head, glTF node %u, has scale %.2f\n", palette.joint_count, head.gltf_node,
        (double)locals[head.gltf_node].scale.x);
    free(locals);
    free(matrices);
    return done;
}

int main(int argc, char **argv)
{
    vrm_avatar *avatar;
    if (argc < 2 || vrm_avatar_load_file(NULL, argv[1], NULL, &avatar) != VRM_SUCCESS) {
        fprintf(stderr, "usage: puppet avatar.vrm\n");
        return 1;
    }
    vrm_instance *a = make(avatar), *b = make(avatar);
    if (a == NULL || b == NULL || !pose_by_nodes(a, avatar)) {
        return 1;
    }
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(avatar, &counts);
    if (!pose_by_array(b, a, counts.nodes)) {
        return 1;
    }
    vrm_instance_set_morph(a, 0, 0.5f); // as by a slider of the editor, in addition to expressions
    vrm_update_dt(a, 0.0f);
    vrm_update_dt(b, 0.0f);
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(a, &out);
    const vrm_world *hand = &out.world[vrm_avatar_get_bone_node(avatar, VRM_HUMAN_BONE_RIGHT_HAND)];
    printf("right hand at %.2f %.2f %.2f m, first morph %.2f\n", (double)hand->m[0][3], (double)hand->m[1][3],
        (double)hand->m[2][3], (double)out.morphs[0]);
    const bool written = write_out(a, avatar);
    printf("by nodes and by array: %.6f m apart\n", difference(a, b));
    vrm_instance_destroy(b);
    vrm_instance_destroy(a);
    vrm_avatar_release(avatar);
    return written ? 0 : 1;
}
