// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
// The host's own inverse kinematics between the two halves of a frame. The right hand reaches for a point that is given
// in the axes of another engine (Unreal's: left-handed, +Z up, centimetres).
//
//     cc reach.c $(pkg-config --cflags --libs vrm) -lm -o reach
//     ./reach avatar.vrm
//
// Prints the position of the wrist in the engine's axes.
#include <math.h>
#include <stdio.h>
#include <vrm/vrm.h>

static vrm_vec3 position_of(const vrm_mat34 *m)
{
    return (vrm_vec3){m->m[0][3], m->m[1][3], m->m[2][3]};
}

static vrm_quat multiply(vrm_quat a, vrm_quat b)
{
    return (vrm_quat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z,
        a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

// Returns the rotation of a node without mirrored scales.
static vrm_quat rotation_of(const vrm_mat34 *m)
{
    float r[3][3];
    for (int column = 0; column < 3; ++column) {
        const float length = sqrtf(
            m->m[0][column] * m->m[0][column] + m->m[1][column] * m->m[1][column] + m->m[2][column] * m->m[2][column]);
        for (int row = 0; row < 3; ++row) {
            r[row][column] = m->m[row][column] / length;
        }
    }
    const vrm_quat q = {copysignf(sqrtf(fmaxf(0.0f, 1.0f + r[0][0] - r[1][1] - r[2][2])) / 2.0f, r[2][1] - r[1][2]),
        copysignf(sqrtf(fmaxf(0.0f, 1.0f - r[0][0] + r[1][1] - r[2][2])) / 2.0f, r[0][2] - r[2][0]),
        copysignf(sqrtf(fmaxf(0.0f, 1.0f - r[0][0] - r[1][1] + r[2][2])) / 2.0f, r[1][0] - r[0][1]),
        sqrtf(fmaxf(0.0f, 1.0f + r[0][0] + r[1][1] + r[2][2])) / 2.0f};
    return q;
}

static vrm_mat34 world_of(const vrm_instance *instance, uint32_t node)
{
    vrm_mat34 world = {0};
    const vrm_matrix_target target = {.struct_size = sizeof target, .memory = &world};
    vrm_instance_write_world(instance, node, 1, &target);
    return world;
}

// Rotates a node so that its world rotation becomes `wanted`. `parent` is the world rotation of its parent.
static void turn(vrm_instance *instance, uint32_t node, vrm_quat parent, vrm_quat wanted)
{
    vrm_transform local;
    vrm_instance_write_locals(instance, node, 1, &local);
    local.rotation = multiply((vrm_quat){-parent.x, -parent.y, -parent.z, parent.w}, wanted);
    vrm_instance_set_pose(instance, node, &local);
}

static void reach(vrm_instance *instance, const uint32_t arm[3], vrm_vec3 target, float weight)
{
    const vrm_avatar *avatar = vrm_instance_get_avatar(instance);
    const vrm_mat34 upper = world_of(instance, arm[0]), lower = world_of(instance, arm[1]),
                    hand = world_of(instance, arm[2]);
    vrm_two_bone_limb limb = {.root = position_of(&upper),
        .middle = position_of(&lower),
        .end = position_of(&hand),
        .target = target,
        .soft = 0.05f,
        .weight = weight};
    limb.pole = limb.root; // the elbow bends to its current side
    vrm_quat before_upper, before_lower;
    vrm_two_bone_ik(&limb, &before_upper, &before_lower);

    vrm_node node = {.struct_size = sizeof node};
    vrm_avatar_get_node(avatar, arm[0], &node);
    const vrm_mat34 shoulder = world_of(instance, (uint32_t)node.parent);
    const vrm_quat new_upper = multiply(before_upper, rotation_of(&upper));
    const vrm_quat new_lower = multiply(before_lower, rotation_of(&lower));
    turn(instance, arm[0], rotation_of(&shoulder), new_upper);
    turn(instance, arm[1], new_upper, new_lower);
}

int main(int argc, char **argv)
{
    vrm_avatar *avatar;
    if (argc < 2 || vrm_avatar_load_file(NULL, argv[1], NULL, &avatar) != VRM_SUCCESS) {
        fprintf(stderr, "usage: reach avatar.vrm\n");
        return 1;
    }
    vrm_instance *instance;
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = avatar;
    const int32_t upper = vrm_avatar_get_bone_node(avatar, VRM_HUMAN_BONE_RIGHT_UPPER_ARM),
                  lower = vrm_avatar_get_bone_node(avatar, VRM_HUMAN_BONE_RIGHT_LOWER_ARM),
                  hand = vrm_avatar_get_bone_node(avatar, VRM_HUMAN_BONE_RIGHT_HAND);
    if (upper < 0 || lower < 0 || hand < 0 || vrm_instance_create(&def, &instance) != VRM_SUCCESS) {
        return 1;
    }
    const uint32_t arm[3] = {(uint32_t)upper, (uint32_t)lower, (uint32_t)hand};

    // The handle of a door, in the engine's coordinates. It is in front of the right shoulder, at 60 % of an arm's
    // length.
    vrm_basis unreal;
    vrm_basis_get_preset(VRM_BASIS_UNREAL, &unreal);
    vrm_update_dt(instance, 0.0f);
    const vrm_mat34 rest = world_of(instance, arm[0]), wrist = world_of(instance, arm[2]);
    vrm_vec3 handle = position_of(&rest);
    handle.z += fabsf(position_of(&wrist).x - handle.x) * 0.6f;
    vrm_basis_to_host(&unreal, VRM_BASIS_POSITION, &handle, 0, 1);
    printf("%s: handle at %.1f %.1f %.1f cm\n", vrm_basis_preset_name(VRM_BASIS_UNREAL), (double)handle.x,
        (double)handle.y, (double)handle.z);

    vrm_update_params params;
    vrm_update_params_default(&params);
    params.dt = 1.0f / 60.0f;
    for (int frame = 0; frame <= 60; ++frame) {
        vrm_update_pose(instance, &params);
        vrm_vec3 target = handle;
        vrm_basis_from_host(&unreal, VRM_BASIS_POSITION, &target, 0, 1);
        reach(instance, arm, target, (float)frame / 60.0f);
        vrm_update_secondary(instance, &params); // eyes, constraints and hair follow the arm
        if (frame % 15 == 0) {
            vrm_mat34 now;
            const vrm_matrix_target out = {.struct_size = sizeof out, .memory = &now, .basis = &unreal};
            vrm_instance_write_world(instance, arm[2], 1, &out);
            const vrm_vec3 at = position_of(&now);
            printf(
                "%.2f s: wrist at %.1f %.1f %.1f cm\n", (double)frame / 60.0, (double)at.x, (double)at.y, (double)at.z);
        }
    }
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
    return 0;
}
