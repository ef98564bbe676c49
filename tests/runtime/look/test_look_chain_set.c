// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Refused look chains, and the weight of a chain.

#include "look_fixture.h"
#include "pose_of.h"

// --- refusals ------------------------------------------------------------------------------------------------------

static void expect_fault(
    vrm_instance *instance, const look_setup *s, vrm_look_chain_fault fault, int32_t bone, int32_t link)
{
    vrm_look_chain_error error = {.struct_size = sizeof error};
    CHECK_INT(vrm_instance_set_look_chain(instance, &s->def, &error), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_STRING(vrm_look_chain_fault_name(error.fault), vrm_look_chain_fault_name(fault));
    CHECK_INT(error.bone, bone);
    CHECK_INT(error.link, link);
    CHECK(vrm_instance_get_look_chain_weight(instance) == 1.0f); // the old chain is kept
}

static void refusals(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_PLAIN, VRM_LOOK_AT_BONE);
    vrm_instance *instance = look_instance(avatar);
    const int32_t nodes[3] = {
        look_node(VRM_HUMAN_BONE_HEAD), look_node(VRM_HUMAN_BONE_NECK), look_node(VRM_HUMAN_BONE_SPINE)};
    look_setup good, s;
    look_setup_make(&good, VRM_LOOK_CHAIN_MODE_DEFAULT, nodes, 3);
    look_set(instance, &good);
    const vrm_look_link links[2] = {{look_node(VRM_HUMAN_BONE_LEFT_EYE), false}, {nodes[1], false}};
    const vrm_look_link nowhere = {-1, false}, twice[2] = {links[0], links[0]};
#define REFUSE(change, fault, bone, link) \
    s = good; \
    s.def.bones = s.bones; \
    change; \
    expect_fault(instance, &s, VRM_LOOK_CHAIN_FAULT_##fault, bone, link)
    REFUSE(s.def.bone_count = 0, EMPTY, -1, -1);
    REFUSE(s.def.bones = NULL, EMPTY, -1, -1);
    REFUSE(s.def.bone_count = 17, TOO_LONG, -1, -1);
    REFUSE(s.bones[1].node = -1, BONE_MISSING, 1, -1);
    REFUSE(s.bones[2].node = 100000, BONE_MISSING, 2, -1);
    REFUSE(s.bones[1].node = nodes[0], BONE_REPEATED, 1, -1);
    REFUSE(s.bones[2].node = nodes[0], BONE_REPEATED, 2, -1);
    REFUSE(s.bones[1].node = look_node(VRM_HUMAN_BONE_LEFT_EYE), BONE_NOT_ANCESTOR, 1, -1);
    REFUSE(s.bones[2].node = look_node(VRM_HUMAN_BONE_LEFT_SHOULDER), BONE_NOT_ANCESTOR, 2, -1);
    REFUSE(s.bones[1].node = VRM_LOOK_CHAIN_EYES, EYES_NOT_FIRST, 1, -1);
    REFUSE(s.bones[0].limit = -0.1f, BONE_VALUE, 0, -1);
    REFUSE(s.bones[0].limit = NAN, BONE_VALUE, 0, -1);
    REFUSE(s.bones[1].limit_roll = 4.0f, BONE_VALUE, 1, -1);
    REFUSE(s.bones[2].around_up = 1.5f, BONE_VALUE, 2, -1);
    REFUSE(s.bones[2].forward.x = INFINITY, BONE_VALUE, 2, -1);
    REFUSE(s.bones[0].orientation_share = -1.0f, BONE_VALUE, 0, -1);
    REFUSE((s.bones[0].links = &nowhere, s.bones[0].link_count = 1), LINK_MISSING, 0, 0);
    REFUSE((s.bones[0].links = links, s.bones[0].link_count = 2), LINK_REPEATED, 0, 1);
    REFUSE((s.bones[1].links = twice, s.bones[1].link_count = 2), LINK_REPEATED, 1, 1);
    REFUSE((s.bones[0].links = links, s.bones[0].link_count = 9), TOO_MANY_LINKS, 0, -1);
    REFUSE((s.bones[0].links = NULL, s.bones[0].link_count = 1), TOO_MANY_LINKS, 0, -1);
    REFUSE(s.def.blend_speed = -1.0f, VALUE, -1, -1);
    REFUSE(s.def.up = ((vrm_vec3){0, 0, 0}), VALUE, -1, -1);
    REFUSE(s.def.weight = 1.01f, VALUE, -1, -1);
    REFUSE(s.def.soft_limit = 1.0f, VALUE, -1, -1);
    REFUSE(s.def.behind_margin = 2.0f, VALUE, -1, -1);
    REFUSE(s.def.expression_yaw = 0.0f, VALUE, -1, -1);
    REFUSE(s.def.expression_pitch = NAN, VALUE, -1, -1);
    REFUSE(s.def.saccade_threshold = -1.0f, VALUE, -1, -1);
    REFUSE(s.def.saccade_speed = 0.0f, VALUE, -1, -1);
    REFUSE(s.def.head_delay = -1.0f, VALUE, -1, -1);
    REFUSE(s.def.head_speed = 0.0f, VALUE, -1, -1);
    REFUSE(s.def.idle_angle = 0.3f, VALUE, -1, -1);
    REFUSE(s.def.idle_interval_min = 0.0f, VALUE, -1, -1);
    REFUSE(s.def.idle_interval_max = 0.3f, VALUE, -1, -1);
    REFUSE(s.def.blink_angle = -1.0f, VALUE, -1, -1);
    REFUSE(s.def.struct_size = 3, VALUE, -1, -1);
    REFUSE(s.def.mode = (vrm_look_chain_mode)7, VALUE, -1, -1);
#undef REFUSE
    CHECK_INT(vrm_instance_set_look_chain(instance, NULL, NULL), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_set_look_chain(NULL, &good.def, NULL), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_set_look_chain_weight(instance, 1.5f), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_set_look_chain_weight(instance, NAN), VRM_ERROR_INVALID_ARGUMENT);
    CHECK((vrm_instance_get_status(instance) & VRM_STATUS_INPUT_NOT_FINITE) != 0);
    CHECK_INT(vrm_instance_enable_look_chain(instance, -1.0f, 0), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_enable_look_chain(instance, 1.0f, 8), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_disable_look_chain(instance, INFINITY, 0), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_set_head_orientation(instance, 4.0f, 0, 0), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_set_head_orientation(instance, NAN, 0, 0), VRM_ERROR_INVALID_ARGUMENT);
    vrm_instance_clear_look_chain(instance);
    CHECK(vrm_instance_get_look_chain_weight(instance) == 0.0f);
    CHECK_INT(vrm_instance_set_look_chain_weight(instance, 0.5f), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_enable_look_chain(instance, 1.0f, 0), VRM_ERROR_INVALID_ARGUMENT);
    vrm_instance_destroy(instance);
    // A chain is refused if none was reserved. Eyes are refused on an avatar without eyes.
    vrm_instance *bare = fixture_instance(avatar);
    vrm_look_chain_error error = {.struct_size = sizeof error};
    CHECK_INT(vrm_instance_set_look_chain(bare, &good.def, &error), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(error.fault, VRM_LOOK_CHAIN_FAULT_TOO_LONG);
    vrm_instance_destroy(bare);
    vrm_avatar_release(avatar);
    avatar = look_avatar(LOOK_RIG_PLAIN, VRM_LOOK_AT_NONE);
    instance = look_instance(avatar);
    const int32_t eyes = VRM_LOOK_CHAIN_EYES;
    look_setup_make(&s, VRM_LOOK_CHAIN_MODE_DEFAULT, &eyes, 1);
    CHECK_INT(vrm_instance_set_look_chain(instance, &s.def, &error), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(error.fault, VRM_LOOK_CHAIN_FAULT_EYES_MISSING);
    CHECK_STRING(vrm_look_chain_fault_name((vrm_look_chain_fault)99), "UNKNOWN");
    CHECK(vrm_look_chain_fault_sentence(VRM_LOOK_CHAIN_FAULT_EMPTY)[0] != '\0');
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = avatar;
    def.look_chain_bones = 17;
    CHECK(vrm_instance_get_size(&def) == 0);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

// --- weight --------------------------------------------------------------------------------------------------------

// A table of times and calls, compared with the article's rules.
static void transitions(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_PLAIN, VRM_LOOK_AT_BONE);
    vrm_instance *instance = look_instance(avatar);
    const int32_t head = look_node(VRM_HUMAN_BONE_HEAD);
    look_setup s;
    look_setup_make(&s, VRM_LOOK_CHAIN_MODE_ARTICLE, &head, 1);
    look_set(instance, &s);
    const struct {
        double time;
        char call; // e: enable, d: disable, w: set the weight; a capital letter: KEEP
        float argument;
        double weight, left; // results of the update that ends at `time` and of the call after it
    } table[] = {
        {0.0, 'd', 2.0f, 1.0, 2.0},
        {0.5, 0, 0, 0.75, 1.5},
        {1.0, 'E', 1.0f, 0.5, 1.0},  // a transition is running, so the call is ignored
        {1.5, 'e', 1.0f, 0.25, 1.0}, // from 0.25 to 1 in a second
        {2.0, 0, 0, 0.625, 0.5},
        {2.5, 0, 0, 1.0, 0.0},
        {2.6, 'D', 0.5f, 1.0, 0.5},  // no transition is running, so this one starts
        {2.85, 'w', 0.3f, 0.3, 0.0}, // cancels
        {3.0, 'e', 0.0f, 1.0, 0.0},  // at once
        {3.1, 'd', 1.0f, 1.0, 1.0},
        {9.0, 0, 0, 0.0, 0.0},
    };
    double now = 0;
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); ++i) {
        vrm_update_dt(instance, (float)(table[i].time - now));
        now = table[i].time;
        const uint32_t flags = table[i].call == 'E' || table[i].call == 'D' ? (uint32_t)VRM_TRANSITION_KEEP : 0;
        vrm_result result = VRM_SUCCESS;
        switch (table[i].call) {
        case 'e':
        case 'E':
            result = vrm_instance_enable_look_chain(instance, table[i].argument, flags);
            break;
        case 'd':
        case 'D':
            result = vrm_instance_disable_look_chain(instance, table[i].argument, flags);
            break;
        case 'w':
            result = vrm_instance_set_look_chain_weight(instance, table[i].argument);
            break;
        default:
            break;
        }
        CHECK_INT(result, VRM_SUCCESS);
        CHECK_NEAR(vrm_instance_get_look_chain_weight(instance), table[i].weight, 1e-6);
        CHECK_NEAR(vrm_instance_get_look_chain_transition_time_left(instance), table[i].left, 1e-6);
        CHECK(vrm_instance_is_look_chain_in_transition(instance) == (table[i].left > 0));
    }
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

// Weight 0 shows exactly the animation, weight 1 exactly the look. In between, the angle is proportional to the weight.
static void weight_blends(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_RANDOM, VRM_LOOK_AT_BONE);
    vrm_instance *instance = look_instance(avatar), *plain = look_instance(avatar);
    const int32_t head = look_node(VRM_HUMAN_BONE_HEAD);
    const vrm_quat pose = {0.1f, 0.05f, 0.02f, 0.99f};
    look_setup s;
    look_setup_make(&s, VRM_LOOK_CHAIN_MODE_ARTICLE, &head, 1);
    look_set(instance, &s);
    vrm_instance *both[2] = {instance, plain};
    for (int i = 0; i < 2; ++i) {
        CHECK_INT(vrm_instance_set_normalized_rotation(both[i], VRM_HUMAN_BONE_HEAD, &pose), VRM_SUCCESS);
        look_at(both[i], ref_v(1, 1.7, 1));
    }
    look_once(plain);
    look_once(instance);
    vrm_outputs a = {.struct_size = sizeof a}, b = {.struct_size = sizeof b};
    vrm_instance_get_outputs(instance, &a);
    vrm_instance_get_outputs(plain, &b);
    const ref_quat whole = ref_quat_of(pose_of(instance, head).rotation),
                   none = ref_quat_of(pose_of(plain, head).rotation);
    const double angle = ref_angle(none, whole);
    CHECK(angle > 0.3);
    for (int i = 1; i < 4; ++i) {
        CHECK_INT(vrm_instance_set_look_chain_weight(instance, 0.25f * (float)i), VRM_SUCCESS);
        look_once(instance);
        const ref_quat part = ref_quat_of(pose_of(instance, head).rotation);
        CHECK_NEAR(ref_angle(none, part), 0.25 * i * angle, 1e-5);
        CHECK_NEAR(ref_angle(part, whole), (1 - 0.25 * i) * angle, 1e-5);
    }
    CHECK_INT(vrm_instance_set_look_chain_weight(instance, 0.0f), VRM_SUCCESS);
    look_once(instance);
    CHECK(same_poses(instance, plain));
    // The mask of stages can also turn the chain off.
    CHECK_INT(vrm_instance_set_look_chain_weight(instance, 1.0f), VRM_SUCCESS);
    vrm_update_params params;
    vrm_update_params_default(&params);
    params.stages = VRM_STAGE_ALL & ~(uint32_t)VRM_STAGE_LOOK_CHAIN;
    vrm_update(instance, &params);
    CHECK(same_poses(instance, plain));
    vrm_instance_destroy(instance);
    vrm_instance_destroy(plain);
    vrm_avatar_release(avatar);
}

static const test_case cases[] = {
    {"refusals", refusals},
    {"transitions", transitions},
    {"weight_blends", weight_blends},
};

RUN_TESTS(cases)
