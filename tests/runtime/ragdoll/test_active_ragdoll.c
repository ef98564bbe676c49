// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The active ragdoll in an instance, with engines that do exactly what a test specifies: the bodies' targets, how the
// bodies' states become the pose, and the order of both in the frame. test_ragdoll_life.c tests impulses and falls.

#include "pose_of.h"
#include "ragdoll_fixture.h"
#include "test.h"

// Sets a random pose of the normalized humanoid. `turns` receives each bone's own rotation.
static void pose_at_random(vrm_instance *instance, test_random *random, vrm_quat turns[VRM_HUMAN_BONE_COUNT])
{
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        turns[bone] = ragdoll_small_turn(random, 1.0f);
        if (vrm_instance_set_normalized_rotation(instance, (vrm_human_bone)bone, &turns[bone]) != VRM_SUCCESS) {
            turns[bone] = vrmi_quat_identity(); // the avatar has no such bone
        }
    }
}

// Computes a bone's rotation in the world relative to the T-pose, from normalized rotations alone.
static ref_quat world_turn(const vrm_instance *instance, vrm_human_bone bone, const vrm_quat *turns)
{
    ref_quat all = ref_quat_of(turns[bone]);
    for (int32_t up = vrm_human_bone_parent(bone); up >= 0; up = vrm_human_bone_parent((vrm_human_bone)up)) {
        all = ref_mul(ref_quat_of(turns[up]), all);
    }
    vrm_root root;
    vrm_instance_get_root(instance, &root);
    return ref_mul(ref_quat_of(root.rotation), all);
}

static ref_vec in_world(const vrm_dvec3 *origin, vrm_vec3 position)
{
    return ref_add(ref_v(origin->x, origin->y, origin->z), ref_vec_of(position));
}

// --- targets -------------------------------------------------------------------------------------------------------

static void targets_are_this_frames_pose(void)
{
    for (int rig = 0; rig < LOOK_RIG_COUNT; ++rig) {
        vrm_avatar *avatar = look_avatar((look_rig)rig, VRM_LOOK_AT_BONE);
        vrm_ragdoll_params settings;
        ragdoll_settings_always(&settings);
        vrm_instance *instance = ragdoll_instance(avatar, &settings);
        ragdoll_put_root(instance, 3.0, 0.7f, 1.5f);
        test_random random = test_random_make(7 + (uint64_t)rig);
        for (int frame = 0; frame < 5; ++frame) {
            vrm_quat turns[VRM_HUMAN_BONE_COUNT];
            pose_at_random(instance, &random, turns);
            vrm_update_params params;
            vrm_update_params_default(&params);
            params.dt = RAGDOLL_FRAME;
            vrm_update_pose(instance, &params);
            vrm_ragdoll_targets targets = {.struct_size = sizeof targets};
            CHECK_INT(vrm_instance_get_ragdoll_targets(instance, &targets), VRM_SUCCESS);
            CHECK(targets.active);
            CHECK_INT(targets.body_count, RAGDOLL_BODIES);
            for (uint32_t i = 0; i < targets.body_count; ++i) {
                const ref_quat expected = world_turn(instance, ragdoll_sticks[i].bone, turns);
                const ref_quat found = ref_quat_of(targets.bodies[i].state.rotation);
                CHECK_NEAR(ref_angle(found, expected), 0, 2e-6);
                const int32_t node = vrm_avatar_get_bone_node(avatar, ragdoll_sticks[i].bone);
                const ref_vec p = in_world(&targets.origin, targets.bodies[i].state.position);
                CHECK_NEAR(ref_length(ref_sub(look_position(instance, node), p)), 0, 4e-6);
            }
            vrm_update_secondary(instance, &params);
        }
        vrm_instance_destroy(instance);
        vrm_avatar_release(avatar);
    }
}

// The upper arm rotates steadily while the root moves. The targets have the animation's own velocities.
static void targets_have_the_animations_velocities(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_RANDOM, VRM_LOOK_AT_BONE);
    vrm_ragdoll_params settings;
    ragdoll_settings_always(&settings);
    vrm_instance *instance = ragdoll_instance(avatar, &settings);
    const vrm_vec3 axis = {0, 0, 1};
    const float rate = 3.0f;
    vrm_ragdoll_targets targets = {.struct_size = sizeof targets};
    for (int frame = 0; frame < 4; ++frame) {
        const vrm_quat turn = vrmi_quat_from_axis_angle(axis, rate * RAGDOLL_FRAME * (float)frame);
        vrm_instance_set_normalized_rotation(instance, VRM_HUMAN_BONE_LEFT_UPPER_ARM, &turn);
        const vrm_root root = {{1e6 + 2.0 * frame * (double)RAGDOLL_FRAME, 0, 0}, {0, 0, 0, 1}, 1.0f};
        vrm_instance_set_root(instance, &root);
        ragdoll_frame(instance, RAGDOLL_FRAME, ragdoll_follow, NULL);
        vrm_instance_get_ragdoll_targets(instance, &targets);
    }
    const vrm_ragdoll_state *arm = &targets.bodies[4].state, *hips = &targets.bodies[0].state;
    CHECK_NEAR(arm->angular_velocity.z, rate, 1e-3);
    CHECK_NEAR(hips->angular_velocity.z, 0, 1e-3);
    CHECK_NEAR(hips->linear_velocity.x, 2, 1e-4);
    // The arm's centre of mass is half a stick away from its joint. In a frame it moves along a chord of its circle.
    const double chord = 2.0 * 0.125 * sin(0.5 * (double)(rate * RAGDOLL_FRAME)) / (double)RAGDOLL_FRAME;
    const ref_vec own = ref_sub(ref_vec_of(arm->linear_velocity), ref_v(2, 0, 0));
    CHECK_NEAR(ref_length(own), chord, 1e-4);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

// --- read-back -----------------------------------------------------------------------------------------------------

// Bones take the rotations of their bodies, and the hips also the position. Nothing else moves, so bones keep their
// lengths.
static void bodies_become_the_pose(void)
{
    for (int rig = 0; rig < LOOK_RIG_COUNT; ++rig) {
        vrm_avatar *avatar = look_avatar((look_rig)rig, VRM_LOOK_AT_BONE);
        vrm_ragdoll_params settings;
        ragdoll_settings_always(&settings);
        vrm_instance *instance = ragdoll_instance(avatar, &settings);
        ragdoll_put_root(instance, 1e5, -1.1f, 0.4f);
        ragdoll_strewn s = {.random = test_random_make(3)};
        vrm_quat turns[VRM_HUMAN_BONE_COUNT];
        pose_at_random(instance, &s.random, turns);
        ragdoll_frame(instance, RAGDOLL_FRAME, ragdoll_strew, &s);
        vrm_outputs outputs = {.struct_size = sizeof outputs};
        vrm_instance_get_outputs(instance, &outputs);
        for (uint32_t i = 0; i < RAGDOLL_BODIES; ++i) {
            const int32_t index = vrm_avatar_get_bone_node(avatar, ragdoll_sticks[i].bone);
            vrm_node node = {.struct_size = sizeof node};
            vrm_avatar_get_node(avatar, (uint32_t)index, &node);
            ref_mat world;
            ref_quat rotation;
            look_world(instance, index, &world, &rotation);
            const ref_quat body = ref_mul(rotation, ref_inverse(ref_quat_of(node.rest_rotation)));
            CHECK_NEAR(ref_angle(body, ref_quat_of(s.rotations[i])), 0, 3e-6);
            if (i > 0) {
                const ref_vec own = ref_vec_of(pose_of(instance, index).translation);
                CHECK_NEAR(ref_length(ref_sub(own, ref_vec_of(node.rest.translation))), 0, 1e-7);
            } else {
                const ref_vec hips = in_world(&outputs.origin, s.hips);
                CHECK_NEAR(ref_length(ref_sub(look_position(instance, index), hips)), 0, 1e-5);
            }
        }
        vrm_instance_destroy(instance);
        vrm_avatar_release(avatar);
    }
}

// No body rotates the neck, so it keeps the animation's rotation relative to the chest. Head and arms follow neck and
// chest.
static void bones_without_a_body_keep_their_animation(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_RANDOM, VRM_LOOK_AT_BONE);
    vrm_ragdoll_params settings;
    ragdoll_settings_always(&settings);
    vrm_instance *instance = ragdoll_instance(avatar, &settings), *plain = ragdoll_instance(avatar, NULL);
    static const vrm_human_bone bones[] = {
        VRM_HUMAN_BONE_NECK, VRM_HUMAN_BONE_LEFT_SHOULDER, VRM_HUMAN_BONE_RIGHT_SHOULDER, VRM_HUMAN_BONE_LEFT_HAND};
    ragdoll_strewn s = {.random = test_random_make(11)};
    for (int frame = 0; frame < 5; ++frame) {
        test_random random = test_random_make(40 + (uint64_t)frame), same = random;
        vrm_quat turns[VRM_HUMAN_BONE_COUNT];
        pose_at_random(instance, &random, turns);
        pose_at_random(plain, &same, turns);
        ragdoll_frame(instance, RAGDOLL_FRAME, ragdoll_strew, &s);
        ragdoll_frame(plain, RAGDOLL_FRAME, NULL, NULL);
        for (size_t k = 0; k < sizeof bones / sizeof bones[0]; ++k) {
            const int32_t node = vrm_avatar_get_bone_node(avatar, bones[k]);
            const vrm_transform shown = pose_of(instance, node), animated = pose_of(plain, node);
            CHECK(memcmp(&shown, &animated, sizeof shown) == 0);
        }
    }
    vrm_instance_destroy(instance);
    vrm_instance_destroy(plain);
    vrm_avatar_release(avatar);
}

// Anchors are the joints' positions in the pose, in the frame of the parent body, at any scale and position.
static void anchors_follow_the_pose(void)
{
    for (int rig = 0; rig < LOOK_RIG_COUNT; ++rig) {
        vrm_avatar *avatar = look_avatar((look_rig)rig, VRM_LOOK_AT_BONE);
        vrm_ragdoll_params settings;
        ragdoll_settings_always(&settings);
        vrm_instance *instance = ragdoll_instance(avatar, &settings);
        const float scale = 1.5f;
        ragdoll_put_root(instance, 300.0, 0.7f, scale);
        test_random random = test_random_make(70 + (uint64_t)rig);
        vrm_quat turns[VRM_HUMAN_BONE_COUNT];
        pose_at_random(instance, &random, turns);
        ragdoll_frame(instance, RAGDOLL_FRAME, ragdoll_follow, NULL);
        vrm_ragdoll_targets targets = {.struct_size = sizeof targets};
        CHECK_INT(vrm_instance_get_ragdoll_targets(instance, &targets), VRM_SUCCESS);
        vrm_ragdoll_def def = {.struct_size = sizeof def};
        ragdoll_fixture_def(avatar, &def);
        double moved = 0.0;
        for (uint32_t i = 1; i < RAGDOLL_BODIES; ++i) {
            const vrm_ragdoll_body *body = &def.bodies[i];
            const ref_vec at = look_position(instance, (int32_t)body->node);
            const ref_vec up = look_position(instance, (int32_t)def.bodies[body->parent].node);
            const ref_quat turn = world_turn(instance, def.bodies[body->parent].bone, turns);
            const ref_vec expected = ref_scale(ref_rotate(ref_inverse(turn), ref_sub(at, up)), 1.0 / (double)scale);
            CHECK_NEAR(ref_length(ref_sub(ref_vec_of(targets.anchors[i]), expected)), 0, 1e-4 / 3);
            moved = fmax(moved, ref_length(ref_sub(expected, ref_vec_of(body->joint.anchor))));
        }
        CHECK(moved > 0.02); // neck and shoulders have moved the anchors of head and arms
        vrm_instance_destroy(instance);
        vrm_avatar_release(avatar);
    }
}

// Mapping 0 shows the animation and mapping 1 the bodies. Mapping 0.5 shows the pose half way, joint by joint.
static void mapping_blends(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_TURNED, VRM_LOOK_AT_BONE);
    vrm_ragdoll_params settings;
    ragdoll_settings_always(&settings);
    vrm_quat shown[3];
    const float mappings[3] = {0.0f, 0.5f, 1.0f};
    const int32_t arm = vrm_avatar_get_bone_node(avatar, VRM_HUMAN_BONE_LEFT_LOWER_ARM);
    for (int k = 0; k < 3; ++k) {
        vrm_instance *instance = ragdoll_instance(avatar, &settings);
        const vrm_ragdoll_weights weights = {1.0f, 1.0f, mappings[k]};
        vrm_instance_set_ragdoll_weights(instance, VRM_RAGDOLL_GROUP_ALL, &weights, 0.0f);
        ragdoll_strewn s = {.random = test_random_make(5)};
        ragdoll_frame(instance, RAGDOLL_FRAME, ragdoll_strew, &s);
        vrm_outputs outputs = {.struct_size = sizeof outputs};
        vrm_instance_get_outputs(instance, &outputs);
        shown[k] = pose_of(instance, arm).rotation;
        vrm_instance_destroy(instance);
    }
    vrm_node node = {.struct_size = sizeof node};
    vrm_avatar_get_node(avatar, (uint32_t)arm, &node);
    CHECK_NEAR(ragdoll_angle_between(shown[0], node.rest.rotation), 0, 1e-6);
    const ref_quat middle = ref_slerp(ref_quat_of(shown[0]), ref_quat_of(shown[2]), 0.5);
    CHECK_NEAR(ref_angle(ref_quat_of(shown[1]), middle), 0, 1e-5);
    vrm_avatar_release(avatar);
}

// --- the frame -----------------------------------------------------------------------------------------------------

static vrm_avatar *avatar_with_hair(int32_t *out_tail, int32_t *out_twist)
{
    fixture *f = &look_fix;
    fixture_begin(f);
    fixture_humanoid(f);
    const int32_t head = f->bones[VRM_HUMAN_BONE_HEAD];
    const int32_t hair = fixture_hair(f, head, 4, 0.1f);
    const int32_t twist = fixture_node_add(f, head, "twist", fixture_at(0, 0.1f, 0));
    fixture_constraint(
        f, VRM_CONSTRAINT_ROTATION, twist, f->bones[VRM_HUMAN_BONE_LEFT_LOWER_ARM], vrmi_vec3(0, 0, 0), 1);
    vrm_avatar *avatar = fixture_finish(f);
    *out_tail = vrm_avatar_find_gltf_node(avatar, (uint32_t)hair + 3);
    *out_twist = vrm_avatar_find_gltf_node(avatar, (uint32_t)twist);
    return avatar;
}

// In the frame of the hit, hair, twist bone and eyes are already the same as on an avatar with the bodies' pose.
static void what_follows_the_body_follows_it_at_once(void)
{
    int32_t tail, twist;
    vrm_avatar *avatar = avatar_with_hair(&tail, &twist);
    vrm_ragdoll_params settings;
    ragdoll_settings_always(&settings);
    vrm_instance *hit = ragdoll_instance(avatar, &settings), *posed = ragdoll_instance(avatar, NULL);
    const vrm_dvec3 target = {1, 1.5, 3};
    vrm_instance_set_look_at_target(hit, &target);
    vrm_instance_set_look_at_target(posed, &target);
    ragdoll_strewn s = {.random = test_random_make(17)};
    for (int frame = 0; frame < 3; ++frame) {
        ragdoll_frame(hit, RAGDOLL_FRAME, frame < 2 ? ragdoll_follow : ragdoll_strew, &s);
        vrm_outputs outputs = {.struct_size = sizeof outputs};
        vrm_instance_get_outputs(hit, &outputs);
        for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
            const int32_t node = vrm_avatar_get_bone_node(avatar, (vrm_human_bone)bone);
            if (node >= 0 && bone != VRM_HUMAN_BONE_LEFT_EYE && bone != VRM_HUMAN_BONE_RIGHT_EYE) {
                const vrm_transform local = pose_of(hit, node);
                vrm_instance_set_local(posed, (uint32_t)node, &local);
            }
        }
        vrm_update_dt(posed, RAGDOLL_FRAME);
    }
    vrm_outputs a = {.struct_size = sizeof a}, b = {.struct_size = sizeof b};
    vrm_instance_get_outputs(hit, &a);
    vrm_instance_get_outputs(posed, &b);
    const int32_t nodes[] = {tail, twist, vrm_avatar_get_bone_node(avatar, VRM_HUMAN_BONE_LEFT_EYE)};
    for (int i = 0; i < 3; ++i) {
        vrm_node rest = {.struct_size = sizeof rest};
        vrm_avatar_get_node(avatar, (uint32_t)nodes[i], &rest);
        CHECK_NEAR(ragdoll_angle_between(pose_of(hit, nodes[i]).rotation, pose_of(posed, nodes[i]).rotation), 0, 1e-5);
        for (int k = 0; k < 3; ++k) {
            CHECK_NEAR(a.world[nodes[i]].m[k][3], b.world[nodes[i]].m[k][3], 1e-5);
        }
    }
    CHECK(ragdoll_angle_between(pose_of(hit, twist).rotation, vrmi_quat_identity()) >
          0.1); // the arm of ragdoll_strew() has rotated the twist bone
    vrm_instance_destroy(hit);
    vrm_instance_destroy(posed);
    vrm_avatar_release(avatar);
}

// An engine that bends the chest; all other joints keep their rotations.
static void bend_chest(const vrm_ragdoll_targets *targets, vrm_ragdoll_state *states, void *user)
{
    ragdoll_follow(targets, states, NULL);
    const vrm_quat bend = vrmi_quat_from_axis_angle(vrmi_vec3(0, 1, 0), *(const float *)user);
    for (uint32_t i = 2; i < 8; ++i) { // chest, head, arms
        states[i].rotation = vrmi_quat_mul(bend, states[i].rotation);
    }
}

// While the head's group is kinematic, the look chain rotates the head. If bodies bend its parents, the chain looks
// again, and bones with driven bodies keep the bodies' poses.
static void the_look_chain_turns_what_no_body_drives(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_RANDOM, VRM_LOOK_AT_BONE);
    vrm_ragdoll_params settings;
    ragdoll_settings_always(&settings);
    vrm_instance *instance = ragdoll_instance(avatar, &settings);
    vrm_instance_set_ragdoll_motion(instance, VRM_RAGDOLL_GROUP_HEAD, VRM_RAGDOLL_MOTION_KINEMATIC);
    const int32_t head = vrm_avatar_get_bone_node(avatar, VRM_HUMAN_BONE_HEAD);
    const int32_t chest = vrm_avatar_get_bone_node(avatar, VRM_HUMAN_BONE_CHEST);
    const int32_t nodes[2] = {head, chest};
    look_setup setup;
    look_setup_make(&setup, VRM_LOOK_CHAIN_MODE_DEFAULT, nodes, 2);
    look_set(instance, &setup);
    const vrm_dvec3 target = {0.6, 1.5, 2};
    vrm_instance_set_look_at_target(instance, &target);
    float bend = 0.35f;
    for (int frame = 0; frame < 3; ++frame) {
        ragdoll_frame(instance, RAGDOLL_FRAME, bend_chest, &bend);
        const ref_vec way = ref_unit(ref_sub(ref_v(target.x, target.y, target.z), look_position(instance, head)));
        CHECK_NEAR(acos(fmin(1.0, ref_dot(way, look_forward(instance, head)))), 0, 2e-3);
        vrm_ragdoll_targets targets = {.struct_size = sizeof targets};
        vrm_instance_get_ragdoll_targets(instance, &targets);
        ref_mat unused;
        ref_quat rotation;
        look_world(instance, chest, &unused, &rotation);
        vrm_node node = {.struct_size = sizeof node};
        vrm_avatar_get_node(avatar, (uint32_t)chest, &node);
        const vrm_quat turned =
            vrmi_quat_mul(vrmi_quat_from_axis_angle(vrmi_vec3(0, 1, 0), bend), targets.bodies[2].state.rotation);
        const ref_quat body = ref_mul(rotation, ref_inverse(ref_quat_of(node.rest_rotation)));
        CHECK_NEAR(ref_angle(body, ref_quat_of(turned)), 0, 1e-5);
    }
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

// If the bodies are exactly at their targets, the frame is the same as without a ragdoll.
static void a_ragdoll_at_rest_changes_nothing(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_RANDOM, VRM_LOOK_AT_BONE);
    vrm_ragdoll_params settings;
    ragdoll_settings_always(&settings);
    vrm_instance *with = ragdoll_instance(avatar, &settings), *without = ragdoll_instance(avatar, NULL);
    vrm_look_chain_def chain = {.struct_size = sizeof chain};
    vrm_look_bone bones[VRM_LOOK_CHAIN_PRESET_BONES];
    vrm_look_chain_preset_def(avatar, VRM_LOOK_CHAIN_PRESET_WHOLE_SPINE, &chain, bones);
    vrm_instance *const both[] = {with, without};
    for (int i = 0; i < 2; ++i) {
        CHECK_INT(vrm_instance_set_look_chain(both[i], &chain, NULL), VRM_SUCCESS);
        const vrm_dvec3 target = {1.5, 1.2, 0.5};
        vrm_instance_set_look_at_target(both[i], &target);
    }
    for (int frame = 0; frame < 30; ++frame) {
        ragdoll_frame(with, RAGDOLL_FRAME, ragdoll_follow, NULL);
        vrm_update_dt(without, RAGDOLL_FRAME);
    }
    vrm_outputs a = {.struct_size = sizeof a}, b = {.struct_size = sizeof b};
    vrm_instance_get_outputs(with, &a);
    vrm_instance_get_outputs(without, &b);
    for (uint32_t i = 0; i < a.node_count; ++i) {
        CHECK_NEAR(ragdoll_angle_between(pose_of(with, i).rotation, pose_of(without, i).rotation), 0, 1e-5);
    }
    const int32_t head = vrm_avatar_get_bone_node(avatar, VRM_HUMAN_BONE_HEAD);
    vrm_ragdoll_targets targets = {.struct_size = sizeof targets};
    vrm_instance_get_ragdoll_targets(with, &targets);
    const ref_vec body = ref_vec_of(targets.bodies[3].state.position);
    CHECK_NEAR(ref_length(ref_sub(look_position(with, head), body)), 0, 1e-5);
    vrm_instance_destroy(with);
    vrm_instance_destroy(without);
    vrm_avatar_release(avatar);
}

static const test_case cases[] = {
    {"targets_are_this_frames_pose", targets_are_this_frames_pose},
    {"targets_have_the_animations_velocities", targets_have_the_animations_velocities},
    {"bodies_become_the_pose", bodies_become_the_pose},
    {"bones_without_a_body_keep_their_animation", bones_without_a_body_keep_their_animation},
    {"anchors_follow_the_pose", anchors_follow_the_pose},
    {"mapping_blends", mapping_blends},
    {"what_follows_the_body_follows_it_at_once", what_follows_the_body_follows_it_at_once},
    {"the_look_chain_turns_what_no_body_drives", the_look_chain_turns_what_no_body_drives},
    {"a_ragdoll_at_rest_changes_nothing", a_ragdoll_at_rest_changes_nothing},
};

RUN_TESTS(cases)
