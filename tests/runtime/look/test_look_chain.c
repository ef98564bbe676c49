// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The look chain, compared with the article's rules and numbers: on rigs without rest rotations, with random ones, and
// rotated as in VRM 0.x.

#include "look_fixture.h"
#include "pose_of.h"

// --- the article's rules -------------------------------------------------------------------------------------------

static void one_bone_hits(void)
{
    for (int rig = 0; rig < LOOK_RIG_COUNT; ++rig) {
        vrm_avatar *avatar = look_avatar((look_rig)rig, VRM_LOOK_AT_BONE);
        vrm_instance *instance = look_instance(avatar);
        const int32_t head = look_node(VRM_HUMAN_BONE_HEAD);
        look_setup s;
        look_setup_make(&s, VRM_LOOK_CHAIN_MODE_ARTICLE, &head, 1);
        s.bones[0].limit = (float)(60 * DEGREES);
        look_set(instance, &s);
        look_once(instance);
        const double yaws[] = {0, 10, -25, 50, -59}, pitches[] = {0, 20, -30, 10, -5};
        for (int i = 0; i < 5; ++i) {
            const ref_vec target = look_around(instance, head, yaws[i] * DEGREES, pitches[i] * DEGREES, 2.0);
            look_at(instance, target);
            look_once(instance);
            CHECK(look_error(instance, head, target) < 1e-5);
        }
        // If a target is beyond its limit, the bone is exactly at the limit, towards the target.
        const ref_vec beyond = look_around(instance, head, 80 * DEGREES, 0, 2.0);
        look_at(instance, beyond);
        look_once(instance);
        CHECK_NEAR(look_bend(instance, head), 60 * DEGREES, 1e-5);
        CHECK_NEAR(look_error(instance, head, beyond), 20 * DEGREES, 1e-5);
        vrm_instance_destroy(instance);
        vrm_avatar_release(avatar);
    }
}

// If a target is just beyond the first bone's limit, the second bone starts, and the first bone is exactly at its
// limit.
static void second_bone_starts(void)
{
    for (int rig = 0; rig < LOOK_RIG_COUNT; ++rig) {
        vrm_avatar *avatar = look_avatar((look_rig)rig, VRM_LOOK_AT_BONE);
        vrm_instance *instance = look_instance(avatar);
        const int32_t nodes[2] = {look_node(VRM_HUMAN_BONE_HEAD), look_node(VRM_HUMAN_BONE_NECK)};
        look_setup s;
        look_setup_make(&s, VRM_LOOK_CHAIN_MODE_ARTICLE, nodes, 2);
        s.bones[0].limit = (float)(30 * DEGREES);
        s.bones[1].limit = (float)(40 * DEGREES);
        look_set(instance, &s);
        look_once(instance);
        const struct {
            double target, head, neck_least, neck_most;
        } table[] = {{29.9, 29.9, 0, 1e-5}, {30.1, 30, 0.05, 0.11}, {45, 30, 13, 16}, {69, 30, 35, 40},
            {120, 30, 39.999, 40.001}};
        for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); ++i) {
            vrm_instance_reset_pose(instance);
            vrm_instance_clear_look_at(instance);
            look_set(instance, &s);
            look_once(instance);
            look_at(instance, look_around(instance, nodes[0], table[i].target * DEGREES, 0, 3.0));
            look_once(instance);
            CHECK_NEAR(look_bend(instance, nodes[0]), table[i].head * DEGREES, 1e-5);
            const double neck = look_bend(instance, nodes[1]) / DEGREES;
            if (!(neck >= table[i].neck_least && neck <= table[i].neck_most)) {
                printf("rig %d, target %g: neck %g\n", rig, table[i].target, neck);
            }
            CHECK(neck >= table[i].neck_least && neck <= table[i].neck_most);
        }
        vrm_instance_destroy(instance);
        vrm_avatar_release(avatar);
    }
}

// Chains of three and more bones. The second bone is not the parent of the first.
static void longer_chains(void)
{
    for (int rig = 0; rig < LOOK_RIG_COUNT; ++rig) {
        vrm_avatar *avatar = look_avatar((look_rig)rig, VRM_LOOK_AT_BONE);
        vrm_instance *instance = look_instance(avatar);
        const int32_t nodes[4] = {look_node(VRM_HUMAN_BONE_HEAD), look_node(VRM_HUMAN_BONE_CHEST),
            look_node(VRM_HUMAN_BONE_SPINE), look_node(VRM_HUMAN_BONE_HIPS)};
        look_setup s;
        look_setup_make(&s, VRM_LOOK_CHAIN_MODE_DEFAULT, nodes, 4);
        const double limits[4] = {40, 20, 20, 60};
        for (int i = 0; i < 4; ++i) {
            s.bones[i].limit = (float)(limits[i] * DEGREES);
        }
        look_set(instance, &s);
        look_once(instance);
        const double before = look_bend(instance, look_node(VRM_HUMAN_BONE_NECK));
        const struct {
            double yaw;
            int used; // number of bones that rotate
        } table[] = {{35, 1}, {55, 2}, {75, 3}, {100, 4}};
        for (int i = 0; i < 4; ++i) {
            look_set(instance, &s);
            vrm_instance_clear_look_at(instance);
            look_once(instance);
            const ref_vec target = look_around(instance, nodes[0], table[i].yaw * DEGREES, 0.1, 4.0);
            look_at(instance, target);
            look_once(instance);
            vrm_look_chain_state state = {.struct_size = sizeof state};
            vrm_instance_get_look_chain_state(instance, &state);
            CHECK(state.aiming && state.passes >= 1 && state.passes <= 4);
            CHECK(look_error(instance, nodes[0], target) < 0.1 * DEGREES + 1e-6);
            CHECK_NEAR(state.error, look_error(instance, nodes[0], target), 1e-5);
            for (int k = 0; k < 4; ++k) {
                CHECK((look_turn(instance, nodes[k]) > 1e-4) == (k < table[i].used));
                CHECK(look_bend(instance, nodes[k]) <= limits[k] * DEGREES + 1e-5);
            }
            // The neck is not part of the chain.
            CHECK_NEAR(look_bend(instance, look_node(VRM_HUMAN_BONE_NECK)), before, 1e-6);
        }
        vrm_instance_destroy(instance);
        vrm_avatar_release(avatar);
    }
}

// The article's blend in closed form. The axis is between that of the shortest arc and the up vector (or its opposite,
// depending on the direction of rotation). The angle about this axis brings the forward vector closest to the target.
static void around_up_blends_the_axis(void)
{
    static const double sides[][2] = {{40, 30}, {-40, 30}, {70, -20}, {-100, -35}, {5, 60}, {-3, -70}};
    for (int rig = 0; rig < LOOK_RIG_COUNT; ++rig) {
        vrm_avatar *avatar = look_avatar((look_rig)rig, VRM_LOOK_AT_BONE);
        vrm_instance *instance = look_instance(avatar);
        const int32_t head = look_node(VRM_HUMAN_BONE_HEAD);
        for (int i = 0; i < 6 * 9; ++i) {
            const double weight = (i % 9 + 1) * 0.1;
            look_setup s;
            look_setup_make(&s, VRM_LOOK_CHAIN_MODE_ARTICLE, &head, 1);
            s.bones[0].around_up = (float)weight;
            look_set(instance, &s);
            vrm_instance_clear_look_at(instance);
            look_once(instance);
            ref_mat matrix;
            ref_quat was, is;
            look_world(instance, head, &matrix, &was);
            const ref_vec forward = look_forward(instance, head), up = ref_v(0, 1, 0);
            const double *side = sides[i / 9];
            const ref_vec target = look_around(instance, head, side[0] * DEGREES, side[1] * DEGREES, 2.0);
            look_at(instance, target);
            look_once(instance);
            look_world(instance, head, &matrix, &is);
            const ref_vec to = ref_unit(ref_sub(target, ref_v(matrix.m[0][3], matrix.m[1][3], matrix.m[2][3])));
            const ref_vec shortest = ref_unit(ref_cross(forward, to));
            const ref_vec nearer = ref_scale(up, shortest.v[1] < 0 ? -1 : 1);
            const ref_vec axis = ref_unit(ref_add(ref_scale(shortest, 1 - weight), ref_scale(nearer, weight)));
            const ref_vec a = ref_sub(forward, ref_scale(axis, ref_dot(forward, axis)));
            const ref_vec b = ref_sub(to, ref_scale(axis, ref_dot(to, axis)));
            const double angle = atan2(ref_dot(ref_cross(a, b), axis), ref_dot(a, b));
            const ref_quat expected = ref_mul(ref_axis_angle(axis, angle), was);
            CHECK_NEAR(ref_angle(is, expected), 0, 3e-6);
        }
        vrm_instance_destroy(instance);
        vrm_avatar_release(avatar);
    }
}

// With weight 1 a bone rotates only about the up vector, with 0 along the shortest arc. In between, the rotation about
// the up vector grows.
static void around_up(void)
{
    for (int rig = 0; rig < LOOK_RIG_COUNT; ++rig) {
        vrm_avatar *avatar = look_avatar((look_rig)rig, VRM_LOOK_AT_BONE);
        vrm_instance *instance = look_instance(avatar);
        const int32_t head = look_node(VRM_HUMAN_BONE_HEAD);
        double before = -1;
        for (int step = 0; step <= 4; ++step) {
            look_setup s;
            look_setup_make(&s, VRM_LOOK_CHAIN_MODE_ARTICLE, &head, 1);
            s.bones[0].around_up = 0.25f * (float)step;
            look_set(instance, &s);
            vrm_instance_clear_look_at(instance);
            look_once(instance);
            ref_mat matrix;
            ref_quat was, is;
            look_world(instance, head, &matrix, &was);
            const ref_vec target = look_around(instance, head, 40 * DEGREES, 30 * DEGREES, 2.0);
            look_at(instance, target);
            look_once(instance);
            look_world(instance, head, &matrix, &is);
            const ref_quat turned = ref_mul(is, ref_inverse(was));
            const double axis_y = fabs(turned.q[1]) / sqrt(1 - turned.q[3] * turned.q[3]);
            const ref_vec forward = look_forward(instance, head);
            if (step == 0) {
                // The axis of the shortest arc is perpendicular to its start and end.
                const ref_vec axis = ref_v(turned.q[0], turned.q[1], turned.q[2]);
                CHECK_NEAR(ref_dot(axis, ref_v(0, 0, 1)), 0, 1e-6);
                CHECK_NEAR(ref_dot(axis, forward), 0, 1e-6);
                CHECK(look_error(instance, head, target) < 1e-5);
            }
            if (step == 4) {
                CHECK_NEAR(turned.q[0], 0, 1e-6);
                CHECK_NEAR(turned.q[2], 0, 1e-6);
                CHECK_NEAR(atan2(forward.v[0], forward.v[2]), 40 * DEGREES, 1e-5);
            }
            CHECK(axis_y > before);
            before = axis_y;
        }
        vrm_instance_destroy(instance);
        vrm_avatar_release(avatar);
    }
}

static void links_turn_alike(void)
{
    for (int rig = 0; rig < LOOK_RIG_COUNT; ++rig) {
        vrm_avatar *avatar = look_avatar((look_rig)rig, VRM_LOOK_AT_BONE);
        vrm_instance *instance = look_instance(avatar);
        const int32_t nodes[2] = {look_node(VRM_HUMAN_BONE_LEFT_EYE), look_node(VRM_HUMAN_BONE_HEAD)};
        const vrm_look_link link = {look_node(VRM_HUMAN_BONE_RIGHT_EYE), false};
        look_setup s;
        look_setup_make(&s, VRM_LOOK_CHAIN_MODE_ARTICLE, nodes, 2);
        s.bones[0].links = &link;
        s.bones[0].link_count = 1;
        s.bones[0].limit = (float)(12 * DEGREES);
        look_set(instance, &s);
        vrm_update_params params;
        vrm_update_params_default(&params);
        params.stages = VRM_STAGE_POSE | VRM_STAGE_LOOK_CHAIN; // the eyes are bones of the chain here; look-at is off
        for (int i = 0; i < 8; ++i) {
            look_at(instance, ref_v(-2.0 + 0.6 * i, 1.2 + 0.1 * i, 1.5));
            vrm_update(instance, &params);
            // The rotations of the eyes differ only by their rest rotations.
            const ref_vec left = look_forward(instance, nodes[0]), right = look_forward(instance, link.node);
            CHECK(look_angle(left, right) < 2e-6);
            CHECK(look_turn(instance, link.node) > 0.01);
            CHECK_NEAR(look_turn(instance, link.node), look_turn(instance, nodes[0]), 2e-6);
        }
        vrm_instance_destroy(instance);
        vrm_avatar_release(avatar);
    }
}

// A bone that the clip does not move stays still for a thousand updates (in the article's pictures such a bone drifts).
// With `reset`, the bone starts from rest in any pose.
static void reset_to_default(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_RANDOM, VRM_LOOK_AT_BONE);
    vrm_instance *instance = look_instance(avatar);
    const int32_t head = look_node(VRM_HUMAN_BONE_HEAD), neck = look_node(VRM_HUMAN_BONE_NECK);
    const vrm_look_link link = {look_node(VRM_HUMAN_BONE_LEFT_UPPER_ARM), true};
    const int32_t nodes[2] = {head, neck};
    for (int reset = 0; reset < 2; ++reset) {
        look_setup s;
        look_setup_make(&s, VRM_LOOK_CHAIN_MODE_DEFAULT, nodes, 2);
        s.bones[0].limit = (float)(20 * DEGREES);
        s.bones[1].limit = (float)(30 * DEGREES);
        s.bones[1].reset = reset != 0;
        s.bones[1].links = &link;
        s.bones[1].link_count = 1;
        look_set(instance, &s);
        look_at(instance, ref_v(2, 1.5, 1));
        vrm_update_dt(instance, 0.016f);
        vrm_outputs out = {.struct_size = sizeof out};
        vrm_instance_get_outputs(instance, &out);
        const vrm_quat first = pose_of(instance, neck).rotation;
        for (int i = 0; i < 1000; ++i) {
            vrm_update_dt(instance, 0.016f);
        }
        vrm_instance_get_outputs(instance, &out);
        CHECK(ref_angle(ref_quat_of(first), ref_quat_of(pose_of(instance, neck).rotation)) < 1e-6);
    }
    // The clip rotates the neck and the linked arm. With `reset`, the result is the same as without the clip.
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(instance, &out);
    const vrm_quat neck_before = pose_of(instance, neck).rotation, arm_before = pose_of(instance, link.node).rotation;
    const vrm_quat tilt = {0.3f, 0.1f, 0, 0.948f};
    CHECK_INT(vrm_instance_set_normalized_rotation(instance, VRM_HUMAN_BONE_NECK, &tilt), VRM_SUCCESS);
    CHECK_INT(vrm_instance_set_normalized_rotation(instance, VRM_HUMAN_BONE_LEFT_UPPER_ARM, &tilt), VRM_SUCCESS);
    vrm_update_dt(instance, 0.016f);
    vrm_instance_get_outputs(instance, &out);
    CHECK(ref_angle(ref_quat_of(neck_before), ref_quat_of(pose_of(instance, neck).rotation)) < 1e-6);
    CHECK(ref_angle(ref_quat_of(arm_before), ref_quat_of(pose_of(instance, link.node).rotation)) < 1e-6);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

// --- further properties ----------------------------------------------------------------------------------------------

static void presets(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_PLAIN, VRM_LOOK_AT_BONE);
    vrm_look_chain_def def = {.struct_size = sizeof def};
    vrm_look_bone bones[VRM_LOOK_CHAIN_PRESET_BONES];
    const uint32_t counts[] = {1, 2, 4, 5}; // the test humanoid has no upper chest
    for (int preset = 0; preset < VRM_LOOK_CHAIN_PRESET_COUNT; ++preset) {
        CHECK_INT(vrm_look_chain_preset_def(avatar, (vrm_look_chain_preset)preset, &def, bones), VRM_SUCCESS);
        CHECK_INT(def.bone_count, counts[preset]);
        CHECK_INT(bones[0].node, VRM_LOOK_CHAIN_EYES);
        vrm_instance *instance = look_instance(avatar);
        CHECK_INT(vrm_instance_set_look_chain(instance, &def, NULL), VRM_SUCCESS);
        vrm_instance_destroy(instance);
    }
    CHECK_INT(bones[4].node, look_node(VRM_HUMAN_BONE_SPINE));
    CHECK_NEAR(bones[4].around_up, 0.7, 1e-6);
    CHECK_NEAR(bones[3].around_up, 0.2, 1e-6);
    CHECK_NEAR(bones[2].around_up, 0, 0);
    CHECK_INT(vrm_look_chain_preset_def(avatar, VRM_LOOK_CHAIN_PRESET_COUNT, &def, bones), VRM_ERROR_INVALID_ARGUMENT);
    vrm_avatar_release(avatar);
    avatar = look_avatar(LOOK_RIG_PLAIN, VRM_LOOK_AT_NONE);
    CHECK_INT(vrm_look_chain_preset_def(avatar, VRM_LOOK_CHAIN_PRESET_EYES, &def, bones), VRM_ERROR_NOT_FOUND);
    CHECK_INT(vrm_look_chain_preset_def(avatar, VRM_LOOK_CHAIN_PRESET_EYES_HEAD, &def, bones), VRM_SUCCESS);
    CHECK_INT(bones[0].node, look_node(VRM_HUMAN_BONE_HEAD));
    vrm_avatar_release(avatar);
}

// Debug lines: for each bone, a red line to the target and a green line along the forward vector.
static void debug_lines(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_RANDOM, VRM_LOOK_AT_BONE);
    vrm_instance *instance = look_instance(avatar);
    const int32_t nodes[2] = {look_node(VRM_HUMAN_BONE_HEAD), look_node(VRM_HUMAN_BONE_SPINE)};
    look_setup s;
    look_setup_make(&s, VRM_LOOK_CHAIN_MODE_ARTICLE, nodes, 2);
    s.bones[0].limit = s.bones[1].limit = (float)(20 * DEGREES);
    s.def.draw_debug = true;
    look_set(instance, &s);
    const ref_vec target = ref_v(2, 1.5, 0.5);
    look_at(instance, target);
    look_once(instance);
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(instance, &out);
    CHECK_INT(out.debug_line_count, 4);
    const ref_vec eye = look_position(instance, nodes[0]), forward = look_forward(instance, nodes[0]);
    for (int i = 0; i < 2; ++i) {
        const ref_vec at = look_position(instance, nodes[i]), arm = ref_sub(eye, at);
        const ref_vec ends[2] = {
            ref_add(at, ref_add(arm, ref_unit(ref_sub(target, eye)))), ref_add(at, ref_add(arm, forward))};
        for (int end = 0; end < 2; ++end) {
            const vrm_debug_line *line = &out.debug_lines[2 * i + end];
            CHECK(line->color == (end == 0 ? 0xff0000ffu : 0x00ff00ffu));
            CHECK(ref_length(ref_sub(ref_vec_of(line->from), at)) < 1e-5);
            CHECK(ref_length(ref_sub(ref_vec_of(line->to), ends[end])) < 1e-5);
        }
    }
    vrm_instance_clear_look_at(instance);
    look_once(instance);
    vrm_instance_get_outputs(instance, &out);
    CHECK_INT(out.debug_line_count, 0);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

// Asymmetric limits: left and right are equal, up and down differ. A clip's roll is removed.
static void asymmetric_limits(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_RANDOM, VRM_LOOK_AT_BONE);
    vrm_instance *instance = look_instance(avatar);
    const int32_t head = look_node(VRM_HUMAN_BONE_HEAD);
    look_setup s;
    look_setup_make(&s, VRM_LOOK_CHAIN_MODE_DEFAULT, &head, 1);
    s.bones[0].asymmetric = true;
    s.bones[0].limit_yaw = (float)(50 * DEGREES);
    s.bones[0].limit_up = (float)(20 * DEGREES);
    s.bones[0].limit_down = (float)(35 * DEGREES);
    s.bones[0].limit_roll = (float)(5 * DEGREES);
    look_set(instance, &s);
    look_once(instance);
    const struct {
        double yaw, pitch, limit;
    } table[] = {{90, 0, 50}, {-90, 0, 50}, {0, 80, 20}, {0, -80, 35}};
    for (int i = 0; i < 4; ++i) {
        look_set(instance, &s);
        vrm_instance_clear_look_at(instance);
        look_once(instance);
        look_at(instance, look_around(instance, head, table[i].yaw * DEGREES, table[i].pitch * DEGREES, 2));
        look_once(instance);
        CHECK_NEAR(look_bend(instance, head), table[i].limit * DEGREES, 2e-5);
    }
    const vrm_quat rolled = {0, 0, (float)sin(15 * DEGREES), (float)cos(15 * DEGREES)}; // 30 degrees
    CHECK_INT(vrm_instance_set_normalized_rotation(instance, VRM_HUMAN_BONE_HEAD, &rolled), VRM_SUCCESS);
    look_set(instance, &s);
    vrm_instance_clear_look_at(instance);
    look_once(instance);
    look_at(instance, look_around(instance, head, 10 * DEGREES, 0, 2));
    look_once(instance);
    vrm_quat normalized;
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(instance, &out);
    const vrm_quat turned = pose_of(instance, head).rotation;
    CHECK_INT(vrm_instance_set_rotation(instance, (uint32_t)head, &turned), VRM_SUCCESS);
    CHECK_INT(vrm_instance_get_normalized_rotation(instance, VRM_HUMAN_BONE_HEAD, &normalized), VRM_SUCCESS);
    CHECK_NEAR(fabs(2 * atan2((double)normalized.z, (double)normalized.w)), 5 * DEGREES, 1e-3);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

// The orientation from a tracker: the rotations of head, neck and chest add up to all of it.
static void head_orientation(void)
{
    for (int rig = 0; rig < LOOK_RIG_COUNT; ++rig) {
        vrm_avatar *avatar = look_avatar((look_rig)rig, VRM_LOOK_AT_BONE);
        vrm_instance *instance = look_instance(avatar);
        const int32_t nodes[3] = {
            look_node(VRM_HUMAN_BONE_HEAD), look_node(VRM_HUMAN_BONE_NECK), look_node(VRM_HUMAN_BONE_CHEST)};
        look_setup s;
        look_setup_make(&s, VRM_LOOK_CHAIN_MODE_DEFAULT, nodes, 3);
        const float shares[3] = {5, 3, 2};
        for (int i = 0; i < 3; ++i) {
            s.bones[i].orientation_share = shares[i];
        }
        look_set(instance, &s);
        look_once(instance);
        ref_mat matrix;
        ref_quat before, after;
        look_world(instance, nodes[0], &matrix, &before);
        CHECK_INT(vrm_instance_set_head_orientation(instance, 0.5f, -0.3f, 0.2f), VRM_SUCCESS);
        look_once(instance);
        look_once(instance);
        look_world(instance, nodes[0], &matrix, &after);
        const ref_quat wanted = ref_mul(ref_axis_angle(ref_v(0, 1, 0), 0.5),
            ref_mul(ref_axis_angle(ref_v(1, 0, 0), -0.3), ref_axis_angle(ref_v(0, 0, 1), 0.2)));
        CHECK(ref_angle(ref_mul(after, ref_inverse(before)), wanted) < 1e-5);
        const double whole = ref_angle(wanted, (ref_quat){{0, 0, 0, 1}});
        for (int i = 0; i < 3; ++i) {
            CHECK_NEAR(look_turn(instance, nodes[i]), whole * (double)shares[i] / 10, 1e-5);
        }
        vrm_instance_clear_head_orientation(instance);
        look_once(instance);
        look_world(instance, nodes[0], &matrix, &after);
        CHECK(ref_angle(after, before) < 1e-5);
        vrm_instance_destroy(instance);
        vrm_avatar_release(avatar);
    }
}

// A snapshot during a transition, a head movement and idle gaze: the restored instance continues with the same bits,
// and so does a clone. A reset removes the chain, and an update with dt 0 changes nothing.
static void snapshots(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_RANDOM, VRM_LOOK_AT_BONE);
    vrm_instance *a = look_instance(avatar), *b = look_instance(avatar);
    vrm_look_chain_def def = {.struct_size = sizeof def};
    vrm_look_bone bones[VRM_LOOK_CHAIN_PRESET_BONES];
    CHECK_INT(vrm_look_chain_preset_def(avatar, VRM_LOOK_CHAIN_PRESET_WHOLE_SPINE, &def, bones), VRM_SUCCESS);
    def.saccade = def.idle = def.vergence = true;
    const vrm_look_link link = {look_node(VRM_HUMAN_BONE_LEFT_SHOULDER), true};
    bones[2].links = &link;
    bones[2].link_count = 1;
    CHECK_INT(vrm_instance_set_look_chain(a, &def, NULL), VRM_SUCCESS);
    look_at(a, ref_v(1, 1.5, 2));
    for (int i = 0; i < 40; ++i) {
        if (i == 30) {
            look_at(a, ref_v(-2, 1.7, 0.5));
            CHECK_INT(vrm_instance_disable_look_chain(a, 1.0f, 0), VRM_SUCCESS);
        }
        vrm_update_dt(a, 0.016f);
    }
    static uint8_t buffer[1 << 16];
    size_t size = sizeof(buffer);
    CHECK_INT(vrm_instance_snapshot(a, buffer, &size), VRM_SUCCESS);
    CHECK_INT(vrm_instance_restore(b, buffer, size), VRM_SUCCESS);
    vrm_instance *c = NULL;
    CHECK_INT(vrm_instance_clone(a, &c), VRM_SUCCESS);
    vrm_outputs oa = {.struct_size = sizeof oa};
    vrm_instance_get_outputs(a, &oa);
    for (int i = 0; i < 100; ++i) {
        vrm_update_dt(a, 0.013f);
        vrm_update_dt(b, 0.013f);
        vrm_update_dt(c, 0.013f);
        CHECK(same_poses(a, b) && same_poses(a, c));
    }
    CHECK(vrm_instance_get_look_chain_weight(b) == 0.0f);
    CHECK_INT(vrm_instance_enable_look_chain(a, 0.0f, 0), VRM_SUCCESS);
    vrm_update_dt(a, 0.5f);
    vrm_update_dt(a, 0.0f);
    vrm_transform *kept = poses_of(a);
    vrm_update_dt(a, 0.0f);
    vrm_transform *still = poses_of(a);
    CHECK(memcmp(still, kept, oa.node_count * sizeof(*kept)) == 0);
    free(still);
    free(kept);
    vrm_instance_reset(a);
    CHECK(vrm_instance_get_look_chain_weight(a) == 0.0f);
    vrm_instance_destroy(a);
    vrm_instance_destroy(b);
    vrm_instance_destroy(c);
    vrm_avatar_release(avatar);
}

// A target inside the first bone has no direction: nothing moves, and the status reports this.
static void degenerate_target(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_PLAIN, VRM_LOOK_AT_BONE);
    vrm_instance *instance = look_instance(avatar);
    const int32_t head = look_node(VRM_HUMAN_BONE_HEAD);
    look_setup s;
    look_setup_make(&s, VRM_LOOK_CHAIN_MODE_DEFAULT, &head, 1);
    look_set(instance, &s);
    look_once(instance);
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(instance, &out);
    const vrm_mat34 *w = &out.world[head];
    const vrm_dvec3 inside = {(double)w->m[0][3], (double)w->m[1][3], (double)w->m[2][3]};
    CHECK_INT(vrm_instance_set_look_at_target(instance, &inside), VRM_SUCCESS);
    look_once(instance);
    CHECK(look_turn(instance, head) < 1e-6);
    CHECK((vrm_instance_get_status(instance) & VRM_STATUS_DEGENERATE) != 0);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

static const test_case cases[] = {
    {"one_bone_hits", one_bone_hits},
    {"second_bone_starts", second_bone_starts},
    {"longer_chains", longer_chains},
    {"around_up_blends_the_axis", around_up_blends_the_axis},
    {"around_up", around_up},
    {"links_turn_alike", links_turn_alike},
    {"reset_to_default", reset_to_default},
    {"presets", presets},
    {"debug_lines", debug_lines},
    {"asymmetric_limits", asymmetric_limits},
    {"head_orientation", head_orientation},
    {"snapshots", snapshots},
    {"degenerate_target", degenerate_target},
};

RUN_TESTS(cases)
