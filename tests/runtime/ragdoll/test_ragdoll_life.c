// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The phases of the active ragdoll, with engines that do exactly what a test specifies: impulses, falls, getting up,
// weights. Also inputs that must do no harm.

#include "plain_instance.h"
#include "pose_of.h"
#include "ragdoll_fixture.h"
#include "test.h"

// --- life ----------------------------------------------------------------------------------------------------------

static vrm_ragdoll_phase phase_of(const vrm_instance *instance)
{
    vrm_ragdoll_info info = {.struct_size = sizeof info};
    vrm_instance_get_ragdoll_info(instance, &info);
    return info.phase;
}

static bool is_active(const vrm_instance *instance)
{
    vrm_ragdoll_targets targets = {.struct_size = sizeof targets};
    vrm_instance_get_ragdoll_targets(instance, &targets);
    return targets.active;
}

// The ragdoll is off until a hit. The impulse is passed on once, and the strength is reduced most at the body that was
// hit. Then all strength returns, and the ragdoll is off again.
static void a_hit_comes_and_goes(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_RANDOM, VRM_LOOK_AT_BONE);
    vrm_ragdoll_params settings;
    vrm_ragdoll_params_default(&settings);
    settings.hit_time = settings.hit_floor = 0.0f;
    vrm_instance *instance = ragdoll_instance(avatar, &settings);
    ragdoll_frame(instance, RAGDOLL_FRAME, ragdoll_follow, NULL);
    CHECK(!is_active(instance));
    CHECK_INT(phase_of(instance), VRM_RAGDOLL_PHASE_OFF);
    const vrm_vec3 impulse = {0, 0, -26.0f}; // half of the impulse that takes all strength, for 52 kg and 1 m/s
    const vrm_dvec3 point = {0.2, 1.35, 0.05};
    CHECK_INT(vrm_instance_hit_ragdoll(instance, 4, &point, &impulse), VRM_SUCCESS);
    vrm_update_params params;
    vrm_update_params_default(&params);
    params.dt = 0.0f;
    vrm_update_pose(instance, &params);
    vrm_ragdoll_targets targets = {.struct_size = sizeof targets};
    vrm_instance_get_ragdoll_targets(instance, &targets);
    CHECK(targets.active);
    CHECK_INT(targets.impulse_count, 1);
    CHECK_INT(targets.impulses[0].body, 4);
    CHECK_NEAR(targets.impulses[0].impulse.z, -26, 0);
    CHECK_NEAR(targets.bodies[4].rotation_weight, 0.5, 1e-6);           // the body that was hit
    CHECK_NEAR(targets.bodies[5].rotation_weight, 1 - 0.5 * 0.6, 1e-6); // a body one joint away
    CHECK_NEAR(targets.bodies[2].rotation_weight, 1 - 0.5 * 0.6, 1e-6);
    CHECK_NEAR(targets.bodies[0].rotation_weight, 1 - 0.5 * 0.216, 1e-6); // three
    CHECK_NEAR(targets.bodies[4].frequency, 4 * sqrt(0.5), 1e-5);
    int frames = 0;
    for (; is_active(instance) && frames < 600; ++frames) {
        ragdoll_frame(instance, RAGDOLL_FRAME, ragdoll_follow, NULL);
        vrm_instance_get_ragdoll_targets(instance, &targets);
        CHECK_INT(targets.impulse_count, 0);
    }
    // 0.4 s for half of the strength, 0.25 s of waiting, 0.4 s to blend.
    CHECK_NEAR((double)frames / 60, 0.4 + 0.25 + 0.4, 0.1);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

// An impulse is applied over several frames, like the force of half a sine wave, at a point that moves with the body.
// It reduces the strength as it is applied.
static void a_blow_pushes_for_a_while(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_RANDOM, VRM_LOOK_AT_BONE);
    vrm_ragdoll_params settings;
    vrm_ragdoll_params_default(&settings);
    settings.hit_time = 0.2f;
    settings.hit_floor = 0.0f;
    settings.hit_recovery = 3600.0f;
    vrm_instance *instance = ragdoll_instance(avatar, &settings);
    ragdoll_frame(instance, RAGDOLL_FRAME, ragdoll_follow, NULL);
    const vrm_vec3 impulse = {0, 0, -26.0f};
    const vrm_dvec3 point = {0.2, 1.35, 0.05};
    CHECK_INT(vrm_instance_hit_ragdoll(instance, 4, &point, &impulse), VRM_SUCCESS);
    double sum = 0.0;
    int frames = 0;
    vrm_ragdoll_targets targets = {.struct_size = sizeof targets};
    for (int frame = 1; frame <= 20; ++frame) {
        const vrm_root root = {{1e5 + frame, 0, 0}, {0, 0, 0, 1}, 1.0f}; // the root's position must have no effect
        vrm_instance_teleport(instance, &root);
        ragdoll_frame(instance, RAGDOLL_FRAME, ragdoll_follow, NULL);
        vrm_instance_get_ragdoll_targets(instance, &targets);
        CHECK(targets.impulse_count <= 1);
        if (targets.impulse_count == 1) {
            ++frames;
            const double before = fmin((frame - 1) / 12.0, 1.0), after = fmin(frame / 12.0, 1.0);
            const double share = 0.5 * (cos(3.14159265 * before) - cos(3.14159265 * after));
            CHECK_NEAR(targets.impulses[0].impulse.z, -26.0 * share, 1e-4);
            CHECK_NEAR(targets.impulses[0].point.x, 0.2, 1e-5);
            CHECK_NEAR(targets.impulses[0].point.y, 1.35, 1e-5);
            sum += (double)targets.impulses[0].impulse.z;
            CHECK_NEAR(targets.bodies[4].rotation_weight, 1 - 0.5 * 0.5 * (1 - cos(3.14159265 * after)), 1e-3);
        }
    }
    CHECK_NEAR(frames, 12, 1);
    CHECK_NEAR(sum, -26, 1e-4);
    CHECK_NEAR(targets.bodies[4].rotation_weight, 0.5, 1e-2);
    // The impulses of an explosion, one for each body, are applied in the same way.
    const vrm_dvec3 center = {1e5 + 20, 1, 0.5};
    CHECK_INT(vrm_instance_explode_ragdoll(instance, &center, 52.0f, 3.0f), VRM_SUCCESS);
    ragdoll_frame(instance, RAGDOLL_FRAME, ragdoll_follow, NULL);
    vrm_instance_get_ragdoll_targets(instance, &targets);
    CHECK_INT(targets.impulse_count, RAGDOLL_BODIES);
    CHECK(vrmi_vec3_length(targets.impulses[2].impulse) < 0.02f * 10.0f);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

// When the figure goes limp, a bone that no body rotates keeps its pose, whatever the clip does. It returns to the clip
// without a jump.
static void a_limp_body_keeps_its_fingers_and_shoulders(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_RANDOM, VRM_LOOK_AT_BONE);
    vrm_instance *instance = ragdoll_instance(avatar, NULL);
    const int32_t shoulder = vrm_avatar_get_bone_node(avatar, VRM_HUMAN_BONE_LEFT_SHOULDER);
    const vrm_vec3 axis = {0, 0, 1};
    vrm_quat at_fall = {0, 0, 0, 1}, last = {0, 0, 0, 1};
    double fastest = 0.0;
    bool held = false, was_off = false;
    for (int frame = 0; frame < 300; ++frame) {
        const vrm_quat turn = vrmi_quat_from_axis_angle(axis, frame < 20 ? 0.01f * (float)frame : 0.7f);
        vrm_instance_set_normalized_rotation(instance, VRM_HUMAN_BONE_LEFT_SHOULDER, &turn);
        if (frame == 19) {
            CHECK_INT(vrm_instance_drop_ragdoll(instance), VRM_SUCCESS);
        }
        ragdoll_frame(instance, RAGDOLL_FRAME, ragdoll_follow, NULL);
        const vrm_quat now = pose_of(instance, shoulder).rotation;
        const vrm_ragdoll_phase phase = phase_of(instance);
        at_fall = frame == 19 ? now : at_fall;
        if (frame > 0) {
            fastest = fmax(fastest, ragdoll_angle_between(now, last));
        }
        last = now;
        if (frame > 19 && (phase == VRM_RAGDOLL_PHASE_LIMP || phase == VRM_RAGDOLL_PHASE_LYING)) {
            held = true;
            CHECK_NEAR(ragdoll_angle_between(now, at_fall), 0, 1e-6);
        }
        was_off = was_off || (held && phase == VRM_RAGDOLL_PHASE_OFF);
    }
    CHECK(held && was_off);
    CHECK(fastest < 0.02); // a frame's part of half a radian per second, at up to 1.5 times the mean speed
    vrm_ragdoll_targets targets = {.struct_size = sizeof targets};
    CHECK_INT(vrm_instance_get_ragdoll_targets(instance, &targets), VRM_SUCCESS);
    vrm_instance *plain = ragdoll_instance(avatar, NULL);
    const vrm_quat end = vrmi_quat_from_axis_angle(axis, 0.7f);
    vrm_instance_set_normalized_rotation(plain, VRM_HUMAN_BONE_LEFT_SHOULDER, &end);
    ragdoll_frame(plain, RAGDOLL_FRAME, NULL, NULL);
    CHECK_NEAR(ragdoll_angle_between(last, pose_of(plain, shoulder).rotation), 0, 1e-6);
    vrm_instance_destroy(plain);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

// An engine whose figure has fallen: it lies still on its back. Its head points in the direction of the yaw in `user`.
static void lie(const vrm_ragdoll_targets *targets, vrm_ragdoll_state *states, void *user)
{
    const float yaw = *(const float *)user;
    const vrm_quat back = vrmi_quat_from_axis_angle(vrmi_vec3(1, 0, 0), -1.5707963f);
    const vrm_quat turn = vrmi_quat_mul(vrmi_quat_from_axis_angle(vrmi_vec3(0, 1, 0), yaw), back);
    const double place[3] = {2, 0.1, -1};
    const vrm_quat undo = vrmi_quat_conjugate(targets->bodies[0].state.rotation);
    for (uint32_t i = 0; i < targets->body_count; ++i) {
        const vrm_ragdoll_state *target = &targets->bodies[i].state;
        const vrm_vec3 arm = vrmi_vec3_sub(target->position, targets->bodies[0].state.position);
        const vrm_quat all = vrmi_quat_mul(turn, undo);
        states[i] = (vrm_ragdoll_state){.rotation = vrmi_quat_mul(all, target->rotation)};
        states[i].position = vrmi_vec3_add(vrmi_quat_rotate(all, arm),
            vrmi_vec3((float)(place[0] - targets->origin.x), (float)(place[1] - targets->origin.y),
                (float)(place[2] - targets->origin.z)));
    }
}

// The article's rule: weights 0, then stillness, then weights that grow to 1, then the return to the animation, then
// off.
static void an_explosion_ends_in_the_animation(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_RANDOM, VRM_LOOK_AT_BONE);
    vrm_instance *instance = ragdoll_instance(avatar, NULL);
    const vrm_dvec3 center = {0, 0, 0.5};
    CHECK_INT(vrm_instance_explode_ragdoll(instance, &center, 200.0f, 3.0f), VRM_SUCCESS);
    float yaw = 0.4f, elapsed = 0.0f, last_muscle = 0.0f;
    vrm_ragdoll_phase phase = VRM_RAGDOLL_PHASE_LIMP;
    float entered[VRM_RAGDOLL_PHASE_COUNT] = {0};
    for (int frame = 0; frame < 600 && (frame == 0 || is_active(instance)); ++frame) {
        ragdoll_frame(instance, RAGDOLL_FRAME, lie, &yaw);
        elapsed += RAGDOLL_FRAME;
        vrm_ragdoll_targets targets = {.struct_size = sizeof targets};
        vrm_instance_get_ragdoll_targets(instance, &targets);
        if (frame == 0) {
            CHECK(targets.impulse_count == RAGDOLL_BODIES);
        }
        const vrm_ragdoll_phase now = phase_of(instance);
        if (now != phase) {
            CHECK(now > phase || now == VRM_RAGDOLL_PHASE_OFF);
            entered[now] = elapsed;
            phase = now;
        }
        if (phase == VRM_RAGDOLL_PHASE_LIMP || phase == VRM_RAGDOLL_PHASE_LYING) {
            CHECK_NEAR(targets.bodies[3].frequency, 0, 0);
            CHECK_NEAR(targets.bodies[0].pin_frequency, 0, 0);
            vrm_ragdoll_info info = {.struct_size = sizeof info};
            vrm_instance_get_ragdoll_info(instance, &info);
            CHECK_INT(info.lying, VRM_RAGDOLL_LYING_BACK);
        } else if (phase == VRM_RAGDOLL_PHASE_RECOVERING) {
            CHECK(targets.bodies[3].rotation_weight >= last_muscle);
            last_muscle = targets.bodies[3].rotation_weight;
        }
    }
    CHECK_INT(phase, VRM_RAGDOLL_PHASE_OFF);
    CHECK_NEAR(entered[VRM_RAGDOLL_PHASE_LYING], 0.5, 0.05);
    CHECK_NEAR(entered[VRM_RAGDOLL_PHASE_BLENDING] - entered[VRM_RAGDOLL_PHASE_RECOVERING], 1.0, 0.05);
    // A quarter turn at 3 rad/s.
    CHECK_NEAR(entered[VRM_RAGDOLL_PHASE_OFF] - entered[VRM_RAGDOLL_PHASE_BLENDING], 1.5708 / 3, 0.05);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

// In the clip's first pose the figure also lies on its back, but at another position and with another heading. The root
// moves so that both agree. No bone jumps, then or on the way to the animation.
static void getting_up_begins_where_the_body_lies(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_RANDOM, VRM_LOOK_AT_BONE);
    vrm_ragdoll_params settings = {.struct_size = sizeof settings};
    vrm_ragdoll_params_default(&settings);
    settings.recovery = VRM_RAGDOLL_RECOVERY_MANUAL;
    vrm_instance *instance = ragdoll_instance(avatar, &settings);
    ragdoll_put_root(instance, 4.0, 2.0f, 1.0f);
    float yaw = -0.9f;
    vrm_instance_drop_ragdoll(instance);
    for (int frame = 0; frame < 120; ++frame) {
        ragdoll_frame(instance, RAGDOLL_FRAME, lie, &yaw);
    }
    CHECK_INT(phase_of(instance), VRM_RAGDOLL_PHASE_LYING);
    const int32_t hips = vrm_avatar_get_bone_node(avatar, VRM_HUMAN_BONE_HIPS);
    const int32_t head = vrm_avatar_get_bone_node(avatar, VRM_HUMAN_BONE_HEAD);
    const ref_vec head_before = look_position(instance, head);
    // The clip: the hips are low and rotated onto the back.
    const vrm_quat back = vrmi_quat_from_axis_angle(vrmi_vec3(1, 0, 0), -1.5707963f);
    vrm_instance_set_normalized_rotation(instance, VRM_HUMAN_BONE_HIPS, &back);
    const vrm_vec3 low = {0.3f, -0.4f, 0.2f}; // the root is at a height of 0.5, the body lies at 0.1
    vrm_instance_set_hips_position(instance, &low);
    vrm_instance_start_get_up(instance);
    // The engine continues from the bodies' positions. The targets agree with these positions, so the bodies stay.
    ref_vec last = head_before;
    for (int frame = 0; frame < 120; ++frame) {
        ragdoll_frame(instance, RAGDOLL_FRAME, frame < 30 ? lie : ragdoll_follow, &yaw);
        const ref_vec here = look_position(instance, head);
        CHECK_NEAR(ref_length(ref_sub(here, last)), 0, 1e-3);
        last = here;
    }
    CHECK_INT(phase_of(instance), VRM_RAGDOLL_PHASE_OFF);
    CHECK_NEAR(ref_length(ref_sub(last, head_before)), 0, 1e-3);
    // The animation's hips are where the body lay, and its spine has the body's direction.
    const ref_vec at = look_position(instance, hips);
    CHECK_NEAR(at.v[0], 2, 1e-4);
    CHECK_NEAR(at.v[2], -1, 1e-4);
    const ref_vec spine = ref_sub(look_position(instance, head), at);
    CHECK_NEAR(atan2(spine.v[0], spine.v[2]), atan2(-sin((double)yaw), -cos((double)yaw)), 2e-3);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

// Returns an instance that has lain on the ground and begins to get up. The first half of that frame has run.
static vrm_instance *make_getting_up(const vrm_avatar *avatar, bool recovers, float *yaw)
{
    vrm_ragdoll_params settings = {.struct_size = sizeof settings};
    vrm_ragdoll_params_default(&settings);
    settings.recovery = VRM_RAGDOLL_RECOVERY_MANUAL;
    settings.get_up_pin = 0.0f;
    vrm_instance *instance = ragdoll_instance(avatar, &settings);
    vrm_instance_drop_ragdoll(instance);
    for (int frame = 0; frame < 60; ++frame) {
        ragdoll_frame(instance, RAGDOLL_FRAME, lie, yaw);
    }
    CHECK_INT(phase_of(instance), VRM_RAGDOLL_PHASE_LYING);
    CHECK_INT((recovers ? vrm_instance_recover_ragdoll : vrm_instance_start_get_up)(instance), VRM_SUCCESS);
    vrm_update_params params;
    vrm_update_params_default(&params);
    params.dt = RAGDOLL_FRAME;
    vrm_update_pose(instance, &params);
    return instance;
}

// Runs the second half of that frame and some more frames, without taking a requested root.
static void go_on(vrm_instance *instance, float *yaw)
{
    vrm_update_params params;
    vrm_update_params_default(&params);
    params.dt = RAGDOLL_FRAME;
    for (int frame = 0; frame < 90; ++frame) {
        vrm_ragdoll_targets targets = {.struct_size = sizeof targets};
        vrm_ragdoll_state states[VRM_RAGDOLL_MAX_BODIES];
        if (frame > 0) {
            vrm_update_pose(instance, &params);
        }
        (void)vrm_instance_get_ragdoll_targets(instance, &targets);
        (frame < 30 ? lie : ragdoll_follow)(&targets, states, yaw);
        (void)vrm_instance_set_ragdoll_states(instance, &targets.origin, states, targets.body_count);
        vrm_update_secondary(instance, &params);
    }
}

// The host decides about the root. If it does not take the requested root, getting up is the same as recovering at the
// current root.
static void a_host_may_keep_its_root(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_RANDOM, VRM_LOOK_AT_BONE);
    float yaw = 0.7f;
    vrm_instance *up = make_getting_up(avatar, false, &yaw), *back = make_getting_up(avatar, true, &yaw);
    vrm_root asked, held;
    CHECK_INT(vrm_instance_get_requested_root(up, &asked), VRM_SUCCESS);
    CHECK_INT(vrm_instance_get_requested_root(back, &asked), VRM_ERROR_NOT_FOUND);
    CHECK_INT(vrm_instance_take_requested_root(back), VRM_ERROR_NOT_FOUND);
    go_on(up, &yaw);
    go_on(back, &yaw);
    CHECK_INT(vrm_instance_get_requested_root(up, &asked), VRM_ERROR_NOT_FOUND); // the request was valid for one frame
    vrm_instance_get_root(up, &held);
    CHECK_NEAR(held.translation.x, 0, 0);
    CHECK_NEAR(held.translation.y, 0, 0);
    CHECK_NEAR(held.translation.z, 0, 0);
    vrm_outputs a = {.struct_size = sizeof a}, b = {.struct_size = sizeof b};
    vrm_instance_get_outputs(up, &a);
    vrm_instance_get_outputs(back, &b);
    CHECK(memcmp(a.world, b.world, a.node_count * sizeof *a.world) == 0);
    vrm_instance_destroy(up);
    vrm_instance_destroy(back);
    vrm_avatar_release(avatar);
}

// A request is part of a snapshot. Calls that make it meaningless remove it.
static void a_request_lives_as_long_as_it_means_something(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_RANDOM, VRM_LOOK_AT_BONE);
    float yaw = -0.3f;
    for (int what = 0; what < 4; ++what) {
        vrm_instance *instance = make_getting_up(avatar, false, &yaw);
        vrm_root asked, found;
        CHECK_INT(vrm_instance_get_requested_root(instance, &asked), VRM_SUCCESS);
        unsigned char bytes[16384];
        size_t size = sizeof bytes;
        CHECK_INT(vrm_instance_snapshot(instance, bytes, &size), VRM_SUCCESS);
        if (what == 0) {
            CHECK_INT(vrm_instance_teleport(instance, &asked), VRM_SUCCESS);
        } else if (what == 1) {
            CHECK_INT(vrm_instance_drop_ragdoll(instance), VRM_SUCCESS);
        } else if (what == 2) {
            CHECK_INT(vrm_instance_stop_ragdoll(instance), VRM_SUCCESS);
        } else {
            CHECK_INT(vrm_instance_take_requested_root(instance), VRM_SUCCESS);
            vrm_instance_get_root(instance, &found);
            CHECK_NEAR(found.translation.x, asked.translation.x, 0);
            // The targets of hips and spine are where the body lies, and have no velocity.
            vrm_ragdoll_targets targets = {.struct_size = sizeof targets};
            CHECK_INT(vrm_instance_get_ragdoll_targets(instance, &targets), VRM_SUCCESS);
            CHECK_NEAR(targets.origin.x + (double)targets.bodies[0].state.position.x, 2, 1e-4);
            CHECK_NEAR(targets.origin.z + (double)targets.bodies[0].state.position.z, -1, 1e-4);
            CHECK_NEAR(vrmi_vec3_length(targets.bodies[0].state.linear_velocity), 0, 0);
        }
        CHECK_INT(vrm_instance_get_requested_root(instance, &found), VRM_ERROR_NOT_FOUND);
        CHECK_INT(vrm_instance_restore(instance, bytes, size), VRM_SUCCESS);
        CHECK_INT(vrm_instance_get_requested_root(instance, &found), VRM_SUCCESS);
        CHECK_NEAR(found.translation.z, asked.translation.z, 0);
        CHECK_NEAR(found.rotation.y, asked.rotation.y, 0);
        vrm_instance_destroy(instance);
    }
    vrm_avatar_release(avatar);
}

// If the hips sink or lean beyond the settings, the figure goes limp.
static void a_fall_is_noticed(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_TURNED, VRM_LOOK_AT_BONE);
    vrm_ragdoll_params settings = {.struct_size = sizeof settings};
    vrm_ragdoll_params_default(&settings);
    settings.always = true;
    float yaw = 0.0f;
    vrm_instance *instance = ragdoll_instance(avatar, &settings);
    ragdoll_frame(instance, RAGDOLL_FRAME, ragdoll_follow, NULL);
    CHECK_INT(phase_of(instance), VRM_RAGDOLL_PHASE_ACTIVE);
    ragdoll_frame(instance, RAGDOLL_FRAME, lie, &yaw);
    ragdoll_frame(instance, RAGDOLL_FRAME, lie, &yaw);
    CHECK_INT(phase_of(instance), VRM_RAGDOLL_PHASE_LIMP);
    settings.detect_fall = false;
    vrm_instance_destroy(instance);
    instance = ragdoll_instance(avatar, &settings);
    for (int frame = 0; frame < 3; ++frame) {
        ragdoll_frame(instance, RAGDOLL_FRAME, lie, &yaw);
    }
    CHECK_INT(phase_of(instance), VRM_RAGDOLL_PHASE_ACTIVE);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

// Only one arm is simulated. The other bodies are kinematic, follow their targets, and do not change the pose.
static void a_part_can_be_a_ragdoll(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_RANDOM, VRM_LOOK_AT_BONE);
    vrm_ragdoll_params settings = {.struct_size = sizeof settings};
    ragdoll_settings_always(&settings);
    vrm_instance *instance = ragdoll_instance(avatar, &settings), *plain = ragdoll_instance(avatar, NULL);
    vrm_instance_set_ragdoll_motion(instance, VRM_RAGDOLL_GROUP_ALL, VRM_RAGDOLL_MOTION_KINEMATIC);
    vrm_instance_set_ragdoll_motion(instance, VRM_RAGDOLL_GROUP_LEFT_ARM, VRM_RAGDOLL_MOTION_DYNAMIC);
    ragdoll_strewn s = {.random = test_random_make(23)};
    ragdoll_frame(instance, RAGDOLL_FRAME, ragdoll_strew, &s);
    vrm_update_dt(plain, RAGDOLL_FRAME);
    vrm_outputs a = {.struct_size = sizeof a}, b = {.struct_size = sizeof b};
    vrm_instance_get_outputs(instance, &a);
    vrm_instance_get_outputs(plain, &b);
    for (uint32_t i = 0; i < RAGDOLL_BODIES; ++i) {
        const int32_t node = vrm_avatar_get_bone_node(avatar, ragdoll_sticks[i].bone);
        const double angle = ragdoll_angle_between(pose_of(instance, node).rotation, pose_of(plain, node).rotation);
        CHECK(ragdoll_sticks[i].group == VRM_RAGDOLL_GROUP_LEFT_ARM ? angle > 1e-3 : angle < 1e-6);
    }
    vrm_instance_set_ragdoll_motion(instance, VRM_RAGDOLL_GROUP_ALL, VRM_RAGDOLL_MOTION_KINEMATIC);
    for (int frame = 0; frame < 120; ++frame) {
        ragdoll_frame(instance, RAGDOLL_FRAME, ragdoll_follow, NULL);
    }
    CHECK(!is_active(instance)); // there is nothing to simulate
    vrm_instance_destroy(instance);
    vrm_instance_destroy(plain);
    vrm_avatar_release(avatar);
}

// A weight below 1 keeps the simulation running. A weight changes in the given time, at any frame rate.
static void weights_go_over_time(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_RANDOM, VRM_LOOK_AT_BONE);
    float found[2];
    for (int k = 0; k < 2; ++k) {
        const int rate = k == 0 ? 30 : 120;
        vrm_instance *instance = ragdoll_instance(avatar, NULL);
        const vrm_ragdoll_weights soft = {0.5f, 0.2f, 1.0f};
        CHECK_INT(vrm_instance_set_ragdoll_weights(instance, VRM_RAGDOLL_GROUP_LEFT_LEG, &soft, 1.0f), VRM_SUCCESS);
        for (int frame = 0; frame < rate / 2; ++frame) {
            ragdoll_frame(instance, 1.0f / (float)rate, ragdoll_follow, NULL);
        }
        vrm_ragdoll_weights now;
        CHECK_INT(vrm_instance_get_ragdoll_body_weights(instance, 8, &now), VRM_SUCCESS);
        CHECK(is_active(instance));
        found[k] = now.muscle;
        vrm_instance_destroy(instance);
    }
    CHECK_NEAR(found[0], 0.6, 1e-5);
    CHECK_NEAR(found[1], 0.6, 1e-5);
    vrm_avatar_release(avatar);
}

// --- what must not hurt --------------------------------------------------------------------------------------------

static void break_one(const vrm_ragdoll_targets *targets, vrm_ragdoll_state *states, void *user)
{
    ragdoll_follow(targets, states, NULL);
    const uint32_t body = *(const uint32_t *)user;
    states[body].rotation.y = (float)NAN;
    states[body].position.x = (float)INFINITY;
}

static void a_lost_body_follows_the_animation(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_RANDOM, VRM_LOOK_AT_BONE);
    vrm_ragdoll_params settings = {.struct_size = sizeof settings};
    ragdoll_settings_always(&settings);
    vrm_instance *instance = ragdoll_instance(avatar, &settings), *plain = ragdoll_instance(avatar, NULL);
    for (uint32_t body = 0; body <= RAGDOLL_BODIES; ++body) {
        vrm_instance_clear_status(instance);
        if (body < RAGDOLL_BODIES) {
            ragdoll_frame(instance, RAGDOLL_FRAME, break_one, &body);
        } else {
            vrm_update_params params;
            vrm_update_params_default(&params);
            params.dt = RAGDOLL_FRAME;
            vrm_update_pose(instance, &params);
            CHECK_INT(vrm_instance_set_ragdoll_states(instance, NULL, NULL, 0), VRM_SUCCESS);
            vrm_update_secondary(instance, &params);
        }
        CHECK(vrm_instance_get_status(instance) & VRM_STATUS_RAGDOLL_LOST);
        vrm_update_dt(plain, RAGDOLL_FRAME);
        vrm_outputs a = {.struct_size = sizeof a}, b = {.struct_size = sizeof b};
        vrm_instance_get_outputs(instance, &a);
        vrm_instance_get_outputs(plain, &b);
        double farthest = 0.0;
        for (uint32_t i = 0; i < a.node_count; ++i) {
            farthest = fmax(farthest, ragdoll_angle_between(pose_of(instance, i).rotation, pose_of(plain, i).rotation));
            CHECK(vrmi_vec3_finite(pose_of(instance, i).translation));
        }
        CHECK_NEAR(farthest, 0, 1e-5);
    }
    vrm_instance_destroy(instance);
    vrm_instance_destroy(plain);
    vrm_avatar_release(avatar);
}

static void wrong_calls_are_refused(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_RANDOM, VRM_LOOK_AT_BONE);
    vrm_ragdoll_def def = {.struct_size = sizeof def};
    ragdoll_fixture_def(avatar, &def);
    vrm_instance_def plain_def;
    vrm_instance_def_default(&plain_def);
    plain_def.avatar = avatar;
    vrm_instance *plain = NULL;
    CHECK_INT(vrm_instance_create(&plain_def, &plain), VRM_SUCCESS);
    CHECK_INT(vrm_instance_set_ragdoll(plain, &def, NULL), VRM_ERROR_LIMIT);
    const vrm_dvec3 point = {0, 1, 0}, nowhere = {(double)NAN, 0, 0};
    const vrm_vec3 impulse = {1, 0, 0}, broken = {(float)NAN, 0, 0};
    CHECK_INT(
        // The instance has no ragdoll yet.
        vrm_instance_hit_ragdoll(plain, -1, &point, &impulse), VRM_ERROR_UNSUPPORTED);
    CHECK_INT(vrm_instance_explode_ragdoll(plain, &point, 1.0f, 1.0f), VRM_ERROR_UNSUPPORTED);
    CHECK_INT(vrm_instance_start_get_up(plain), VRM_ERROR_UNSUPPORTED);
    vrm_root asked;
    CHECK_INT(vrm_instance_get_requested_root(plain, &asked), VRM_ERROR_UNSUPPORTED);
    CHECK_INT(vrm_instance_take_requested_root(plain), VRM_ERROR_UNSUPPORTED);
    CHECK_INT(vrm_instance_get_requested_root(NULL, &asked), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_take_requested_root(NULL), VRM_ERROR_INVALID_ARGUMENT);
    plain_def.ragdoll_bodies = VRM_RAGDOLL_MAX_BODIES + 1;
    CHECK_INT(vrm_instance_get_size(&plain_def), 0);
    vrm_instance *instance = ragdoll_instance(avatar, NULL);
    CHECK_INT(vrm_instance_hit_ragdoll(instance, -1, &nowhere, &impulse), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_hit_ragdoll(instance, -1, &point, &broken), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_hit_ragdoll(instance, RAGDOLL_BODIES, &point, &impulse), VRM_ERROR_INVALID_ARGUMENT);
    CHECK(vrm_instance_get_status(instance) & VRM_STATUS_INPUT_NOT_FINITE);
    CHECK_INT(vrm_instance_explode_ragdoll(instance, &point, 1.0f, 0.0f), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_explode_ragdoll(instance, &point, (float)INFINITY, 1.0f), VRM_ERROR_INVALID_ARGUMENT);
    for (int i = 0; i < 2 * RAGDOLL_BODIES; ++i) {
        CHECK_INT(vrm_instance_hit_ragdoll(instance, -1, &point, &impulse), VRM_SUCCESS);
    }
    CHECK_INT(vrm_instance_hit_ragdoll(instance, -1, &point, &impulse), VRM_ERROR_LIMIT);
    vrm_ragdoll_state states[RAGDOLL_BODIES] = {{.rotation = {0, 0, 0, 1}}};
    CHECK_INT(vrm_instance_set_ragdoll_states(instance, NULL, states, RAGDOLL_BODIES - 1), VRM_ERROR_INVALID_ARGUMENT);
    vrm_ragdoll_weights weights = {1, 1, 1.5f};
    CHECK_INT(
        vrm_instance_set_ragdoll_weights(instance, VRM_RAGDOLL_GROUP_ALL, &weights, 0), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_set_ragdoll_body_weights(instance, RAGDOLL_BODIES, &weights, 0), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_set_ragdoll_motion(instance, VRM_RAGDOLL_GROUP_HEAD, VRM_RAGDOLL_MOTION_OFF),
        VRM_ERROR_INVALID_ARGUMENT);
    vrm_ragdoll_params settings = {.struct_size = sizeof settings};
    vrm_ragdoll_params_default(&settings);
    settings.grow_time = 0.0f;
    CHECK_INT(vrm_instance_set_ragdoll_params(instance, &settings), VRM_ERROR_INVALID_ARGUMENT);
    def.bodies[3].mass = -1.0f;
    CHECK_INT(vrm_instance_set_ragdoll(instance, &def, NULL), VRM_ERROR_INVALID_ARGUMENT);
    ragdoll_fixture_def(avatar, &def);
    def.bodies[3].node = def.bodies[2].node; // as in the definition of another avatar
    CHECK_INT(vrm_instance_set_ragdoll(instance, &def, NULL), VRM_ERROR_INVALID_ASSET);
    vrm_instance_destroy(instance);
    vrm_instance_destroy(plain);
    vrm_avatar_release(avatar);
}

// If the ragdoll is set again, the engine must notice that the bodies begin anew.
static void a_ragdoll_that_is_given_again_moves_its_bodies(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_RANDOM, VRM_LOOK_AT_BONE);
    vrm_instance *instance = ragdoll_instance(avatar, NULL);
    vrm_ragdoll_def def = {.struct_size = sizeof def};
    uint32_t seen[3];
    ragdoll_fixture_def(avatar, &def);
    for (int k = 0; k < 3; ++k) {
        vrm_ragdoll_targets targets = {.struct_size = sizeof targets};
        CHECK_INT(vrm_instance_drop_ragdoll(instance), VRM_SUCCESS);
        vrm_update_dt(instance, 1.0f / 60.0f);
        CHECK_INT(vrm_instance_get_ragdoll_targets(instance, &targets), VRM_SUCCESS);
        CHECK(targets.active);
        seen[k] = targets.moved;
        if (k == 0) {
            CHECK_INT(vrm_instance_set_ragdoll(instance, &def, NULL), VRM_SUCCESS);
        } else {
            vrm_instance_clear_ragdoll(instance);
            CHECK_INT(vrm_instance_set_ragdoll(instance, &def, NULL), VRM_SUCCESS);
        }
    }
    CHECK(seen[0] != seen[1] && seen[1] != seen[2] && seen[0] != seen[2]);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

// A teleport also moves a lying body; the engine must place the body there.
static void a_teleport_takes_the_body_along(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_RANDOM, VRM_LOOK_AT_BONE);
    vrm_instance *instance = ragdoll_instance(avatar, NULL);
    float yaw = 0.3f;
    vrm_instance_drop_ragdoll(instance);
    ragdoll_frame(instance, RAGDOLL_FRAME, lie, &yaw);
    vrm_ragdoll_targets targets = {.struct_size = sizeof targets};
    vrm_instance_get_ragdoll_targets(instance, &targets);
    const uint32_t moved = targets.moved;
    const vrm_root root = {{100, 5, 0}, {0, 0.70710678f, 0, 0.70710678f}, 1.0f};
    CHECK_INT(vrm_instance_teleport(instance, &root), VRM_SUCCESS);
    vrm_instance_get_ragdoll_targets(instance, &targets);
    CHECK_INT(targets.moved, moved + 1);
    // The hips lay at (2, 0.1, -1). A quarter turn about Y takes x to -z.
    CHECK_NEAR(targets.places[0].position.x, -1, 1e-5);
    CHECK_NEAR(targets.places[0].position.y, 0.1, 1e-5);
    CHECK_NEAR(targets.places[0].position.z, -2, 1e-5);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

// A snapshot is taken during the return to the animation. Another instance that restores it gives the same bits in the
// next frames.
static void a_snapshot_goes_on_the_same(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_RANDOM, VRM_LOOK_AT_BONE);
    vrm_instance *a = ragdoll_instance(avatar, NULL), *b = ragdoll_instance(avatar, NULL);
    const vrm_dvec3 center = {0, 0, 0.5};
    vrm_instance_explode_ragdoll(a, &center, 100.0f, 2.0f);
    float yaw = 1.0f;
    for (int frame = 0; frame < 70; ++frame) {
        ragdoll_frame(a, RAGDOLL_FRAME, lie, &yaw);
    }
    CHECK_INT(phase_of(a), VRM_RAGDOLL_PHASE_RECOVERING);
    unsigned char bytes[16384];
    size_t size = sizeof(bytes);
    CHECK_INT(vrm_instance_snapshot(a, bytes, &size), VRM_SUCCESS);
    CHECK_INT(vrm_instance_restore(b, bytes, size), VRM_SUCCESS);
    for (int frame = 0; frame < 90; ++frame) {
        ragdoll_frame(a, RAGDOLL_FRAME, lie, &yaw);
        ragdoll_frame(b, RAGDOLL_FRAME, lie, &yaw);
        CHECK(same_poses(a, b));
        CHECK_INT(phase_of(a), phase_of(b));
    }
    bytes[size - 1] = 7; // a flag that is neither 0 nor 1
    CHECK_INT(vrm_instance_restore(b, bytes, size), VRM_ERROR_INVALID_ASSET);
    vrm_instance_clear_ragdoll(b);
    CHECK_INT(vrm_instance_restore(b, bytes, size), VRM_ERROR_INVALID_ASSET);
    vrm_instance_destroy(a);
    vrm_instance_destroy(b);
    vrm_avatar_release(avatar);
}

// With manual recovery, a body lies until the host requests its recovery. The host may stop the ragdoll at any time.
static void a_host_calls_it_back(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_RANDOM, VRM_LOOK_AT_BONE);
    vrm_instance *plain = plain_instance(avatar);
    CHECK_INT(vrm_instance_recover_ragdoll(plain), VRM_ERROR_UNSUPPORTED);
    CHECK_INT(vrm_instance_stop_ragdoll(plain), VRM_ERROR_UNSUPPORTED);
    vrm_instance_destroy(plain);

    vrm_ragdoll_params settings, found = {.struct_size = sizeof found};
    vrm_ragdoll_params_default(&settings);
    vrm_instance *instance = ragdoll_instance(avatar, NULL);
    vrm_instance_get_ragdoll_params(instance, &found);
    CHECK(found.recovery == settings.recovery && found.grow_time == settings.grow_time && !found.always);
    settings.recovery = VRM_RAGDOLL_RECOVERY_MANUAL;
    settings.grow_time = 0.25f;
    CHECK_INT(vrm_instance_set_ragdoll_params(instance, &settings), VRM_SUCCESS);
    vrm_instance_get_ragdoll_params(instance, &found);
    CHECK(found.recovery == VRM_RAGDOLL_RECOVERY_MANUAL && found.grow_time == 0.25f);

    float yaw = 0.0f;
    CHECK_INT(vrm_instance_drop_ragdoll(instance), VRM_SUCCESS);
    for (int frame = 0; frame < 300; ++frame) { // much longer than a body lies with automatic recovery
        ragdoll_frame(instance, RAGDOLL_FRAME, lie, &yaw);
    }
    CHECK_INT(phase_of(instance), VRM_RAGDOLL_PHASE_LYING);
    CHECK_INT(vrm_instance_recover_ragdoll(instance), VRM_SUCCESS);
    ragdoll_frame(instance, RAGDOLL_FRAME, lie, &yaw);
    CHECK_INT(phase_of(instance), VRM_RAGDOLL_PHASE_RECOVERING);
    CHECK_INT(vrm_instance_stop_ragdoll(instance), VRM_SUCCESS);
    CHECK_INT(phase_of(instance), VRM_RAGDOLL_PHASE_OFF);
    CHECK(!is_active(instance));
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

static const test_case cases[] = {
    {"a_hit_comes_and_goes", a_hit_comes_and_goes},
    {"a_blow_pushes_for_a_while", a_blow_pushes_for_a_while},
    {"a_limp_body_keeps_its_fingers_and_shoulders", a_limp_body_keeps_its_fingers_and_shoulders},
    {"an_explosion_ends_in_the_animation", an_explosion_ends_in_the_animation},
    {"a_host_calls_it_back", a_host_calls_it_back},
    {"getting_up_begins_where_the_body_lies", getting_up_begins_where_the_body_lies},
    {"a_host_may_keep_its_root", a_host_may_keep_its_root},
    {"a_request_lives_as_long_as_it_means_something", a_request_lives_as_long_as_it_means_something},
    {"a_fall_is_noticed", a_fall_is_noticed},
    {"a_part_can_be_a_ragdoll", a_part_can_be_a_ragdoll},
    {"weights_go_over_time", weights_go_over_time},
    {"a_lost_body_follows_the_animation", a_lost_body_follows_the_animation},
    {"wrong_calls_are_refused", wrong_calls_are_refused},
    {"a_ragdoll_that_is_given_again_moves_its_bodies", a_ragdoll_that_is_given_again_moves_its_bodies},
    {"a_teleport_takes_the_body_along", a_teleport_takes_the_body_along},
    {"a_snapshot_goes_on_the_same", a_snapshot_goes_on_the_same},
};

RUN_TESTS(cases)
