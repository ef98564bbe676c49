// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Hair without input poses gives the same bits as hair with input poses, for any springs, levels, weights and masks. A
// setter that moves hair is refused unless hair inputs were reserved.

#include <vrm/vrm.h>

#include "plain_instance.h"
#include "pose_of.h"
#include "procedural_motion.h"
#include "sample_avatar.h"
#include "test.h"
#include "test_random.h"

static bool same_outputs(const vrm_instance *a, const vrm_instance *b)
{
    vrm_outputs x = {.struct_size = sizeof x}, y = {.struct_size = sizeof y};
    vrm_instance_get_outputs(a, &x);
    vrm_instance_get_outputs(b, &y);
    return memcmp(x.world, y.world, x.node_count * sizeof *x.world) == 0 &&
           memcmp(x.palette, y.palette, x.palette_joint_count * sizeof *x.palette) == 0 &&
           memcmp(x.mesh_boxes, y.mesh_boxes, x.mesh_count * sizeof *x.mesh_boxes) == 0 &&
           memcmp(x.node_changes.bits, y.node_changes.bits, (x.node_count + 31) / 32 * sizeof(uint32_t)) == 0 &&
           x.node_changes.counter == y.node_changes.counter;
}

// Drives a frame. Sometimes a stage is left out, chains have less weight, or a host's collider is on hair.
static void drive(vrm_instance *instance, test_random *random, int frame, vrm_update_params *params)
{
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(vrm_instance_get_avatar(instance), &counts);
    scene_motion_apply(instance, SCENE_MOTION_WALK, (double)frame / 47.0);
    if (frame % 9 == 4) {
        const float weight = 0.5f * (float)test_random_below(random, 3);
        CHECK_INT(vrm_instance_set_chain_weight(instance, test_random_below(random, counts.spring_chains), weight),
            VRM_SUCCESS);
    }
    params->dt = frame % 7 == 0 ? 0.0f : test_random_float(random, 0.005f, 0.03f);
    params->stages = VRM_STAGE_ALL;
    if (frame % 13 == 5) {
        params->stages &= ~(uint32_t)(frame % 2 == 0 ? VRM_STAGE_SPRING : VRM_STAGE_POSE);
    }
}

static void same_as_with_poses(void)
{
    vrm_avatar *avatar = sample_avatar(0);
    vrm_instance *without = plain_instance(avatar), *with = instance_with_hair_inputs(avatar);
    for (int frame = 0; frame < 400 && test_failures == 0; ++frame) {
        test_random random = test_random_make((uint64_t)frame + 1), again = random;
        vrm_update_params params;
        vrm_update_params_default(&params);
        drive(without, &random, frame, &params);
        drive(with, &again, frame, &params);
        vrm_update(without, &params);
        vrm_update(with, &params);
        CHECK(same_poses(without, with) && same_outputs(without, with));
    }
    vrm_instance_destroy(without);
    vrm_instance_destroy(with);
    vrm_avatar_release(avatar);
}

static void who_moves_hair(void)
{
    vrm_avatar *avatar = sample_avatar(0);
    vrm_instance *without = plain_instance(avatar), *with = instance_with_hair_inputs(avatar);
    vrm_spring_joint joint = {.struct_size = sizeof joint};
    vrm_node row = {.struct_size = sizeof row};
    CHECK_INT(vrm_avatar_get_spring_joint(avatar, 0, &joint), VRM_SUCCESS);
    CHECK_INT(vrm_avatar_get_node(avatar, joint.node, &row), VRM_SUCCESS);
    vrm_transform moved = row.rest, held;
    moved.translation.x += 0.1f;
    const vrm_vec3 scale = {2.0f, 2.0f, 2.0f};
    const vrm_quat turn = {0.6f, 0.0f, 0.0f, 0.8f};
    const uint32_t node = joint.node;
    const vrm_transform both[2] = {row.rest, moved};
    const uint32_t nodes[2] = {node, node};
    const vrm_local_array array = {.struct_size = sizeof array, .transforms = both, .nodes = nodes, .count = 2};
    for (int k = 0; k < 2; ++k) {
        vrm_instance *instance = k == 0 ? without : with;
        const vrm_result expected = k == 0 ? VRM_ERROR_UNSUPPORTED : VRM_SUCCESS;
        CHECK_INT(vrm_instance_set_local(instance, node, &row.rest), VRM_SUCCESS);
        CHECK_INT(vrm_instance_set_translation(instance, node, &moved.translation), expected);
        CHECK_INT(vrm_instance_set_rotation(instance, node, &turn), expected);
        CHECK_INT(vrm_instance_set_scale(instance, node, &scale), expected);
        CHECK_INT(vrm_instance_set_locals(instance, &array), expected);
        CHECK_INT(vrm_instance_set_local(instance, node, &moved), expected);
        CHECK_INT(vrm_instance_get_local(instance, node, &held), VRM_SUCCESS);
        CHECK(memcmp(&held, k == 0 ? &row.rest : &moved, sizeof held) == 0);
        vrm_update_dt(instance, 0.0f);
        const vrm_transform shown = pose_of(instance, node);
        CHECK(shown.translation.x == held.translation.x);
        CHECK_INT(vrm_instance_set_pose(instance, node, &moved), expected);
        vrm_instance_reset_pose(instance);
    }
    // Poses set one at a time and as an array: a rounded rest pose is accepted as the rest pose, any other pose is
    // refused.
    for (int k = 0; k < 2; ++k) {
        const vrm_result expected = k == 0 ? VRM_SUCCESS : VRM_ERROR_UNSUPPORTED;
        vrm_transform near_rest = row.rest;
        near_rest.translation.x += k == 0 ? 2e-7f : 1e-5f;
        const vrm_local_array one = {.struct_size = sizeof one, .transforms = &near_rest, .nodes = nodes, .count = 1};
        CHECK_INT(vrm_instance_set_local(without, node, &near_rest), expected);
        CHECK_INT(vrm_instance_set_translation(without, node, &near_rest.translation), expected);
        CHECK_INT(vrm_instance_set_locals(without, &one), expected);
        CHECK_INT(vrm_instance_get_local(without, node, &held), VRM_SUCCESS);
        CHECK(memcmp(&held, &row.rest, sizeof held) == 0);
    }
    vrm_transform locals[2];
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(without, &out);
    // Each node's rest pose is converted to centimetres and back. The hair stays, and no status bit is set.
    vrm_basis unreal;
    CHECK_INT(vrm_basis_get_preset(VRM_BASIS_UNREAL, &unreal), VRM_SUCCESS);
    vrm_transform *rests = calloc(out.node_count, sizeof *rests);
    for (uint32_t i = 0; i < out.node_count; ++i) {
        CHECK_INT(vrm_avatar_get_node(avatar, i, &row), VRM_SUCCESS);
        rests[i] = row.rest;
    }
    CHECK_INT(vrm_basis_to_host(&unreal, VRM_BASIS_TRANSFORM, rests, 0, out.node_count), VRM_SUCCESS);
    const vrm_local_array all = {
        .struct_size = sizeof all, .transforms = rests, .count = out.node_count, .basis = &unreal};
    vrm_instance_clear_status(without);
    CHECK_INT(vrm_instance_set_locals(without, &all), VRM_SUCCESS);
    CHECK_INT(vrm_instance_get_status(without), 0);
    free(rests);
    CHECK_INT(vrm_instance_write_locals(without, out.node_count - 1, 2, locals), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_write_locals(without, out.node_count + 1, 0, locals), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_write_locals(without, 0, 1, NULL), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_write_locals(NULL, 0, 1, locals), VRM_ERROR_INVALID_ARGUMENT);
    vrm_instance_destroy(without);
    vrm_instance_destroy(with);
    vrm_avatar_release(avatar);
}

// A node moved by a spring may be a link of a look chain only if such nodes have input poses. A snapshot can only be
// restored with the same setting.
static void links_and_snapshots(void)
{
    vrm_avatar *avatar = sample_avatar(0);
    vrm_spring_joint joint = {.struct_size = sizeof joint};
    CHECK_INT(vrm_avatar_get_spring_joint(avatar, 0, &joint), VRM_SUCCESS);
    vrm_instance *instances[2];
    for (int k = 0; k < 2; ++k) {
        vrm_instance_def def;
        vrm_instance_def_default(&def);
        def.avatar = avatar;
        def.hair_inputs = k == 1;
        def.look_chain_bones = VRM_LOOK_CHAIN_PRESET_BONES;
        def.look_chain_links = 1;
        CHECK_INT(vrm_instance_create(&def, &instances[k]), VRM_SUCCESS);
        vrm_look_chain_def chain = {.struct_size = sizeof chain};
        vrm_look_bone bones[VRM_LOOK_CHAIN_PRESET_BONES];
        CHECK_INT(vrm_look_chain_preset_def(avatar, VRM_LOOK_CHAIN_PRESET_UPPER_BODY, &chain, bones), VRM_SUCCESS);
        const vrm_look_link link = {.node = (int32_t)joint.node};
        bones[1].links = &link;
        bones[1].link_count = 1;
        vrm_look_chain_error error = {.struct_size = sizeof error};
        CHECK_INT(vrm_instance_set_look_chain(instances[k], &chain, &error),
            k == 0 ? VRM_ERROR_INVALID_ARGUMENT : VRM_SUCCESS);
        CHECK_INT(error.fault, k == 0 ? VRM_LOOK_CHAIN_FAULT_HAIR : VRM_LOOK_CHAIN_FAULT_NONE);
    }
    vrm_instance_clear_look_chain(instances[1]);
    unsigned char bytes[20000];
    size_t size = sizeof bytes;
    CHECK_INT(vrm_instance_snapshot(instances[1], bytes, &size), VRM_SUCCESS);
    CHECK_INT(vrm_instance_restore(instances[0], bytes, size), VRM_ERROR_INVALID_ASSET);
    CHECK_INT(vrm_instance_restore(instances[1], bytes, size), VRM_SUCCESS);
    vrm_instance_destroy(instances[0]);
    vrm_instance_destroy(instances[1]);
    vrm_avatar_release(avatar);
}

static const test_case cases[] = {{"same_as_with_poses", same_as_with_poses}, {"who_moves_hair", who_moves_hair},
    {"links_and_snapshots", links_and_snapshots}};
RUN_TESTS(cases)
