// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The effect of each setting and weight of the active ragdoll, compared with the formulas of active_ragdoll.h, with
// engines that do exactly what a test specifies.

#include "ragdoll_fixture.h"
#include "test.h"

static vrm_ragdoll_params settings = {.struct_size = sizeof settings};

static vrm_instance *make(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_PLAIN, VRM_LOOK_AT_BONE);
    vrm_instance *instance = ragdoll_instance(avatar, &settings);
    CHECK(instance != NULL);
    vrm_avatar_release(avatar); // the instance keeps the avatar alive
    return instance;
}

static vrm_ragdoll_info info_of(const vrm_instance *instance)
{
    vrm_ragdoll_info info = {.struct_size = sizeof info};
    vrm_instance_get_ragdoll_info(instance, &info);
    return info;
}

static vrm_ragdoll_targets targets_of(vrm_instance *instance)
{
    vrm_update_params params;
    vrm_ragdoll_targets targets = {.struct_size = sizeof targets};
    vrm_update_params_default(&params);
    vrm_update_pose(instance, &params);
    CHECK_INT(vrm_instance_get_ragdoll_targets(instance, &targets), VRM_SUCCESS);
    return targets;
}

// Returns the seconds until the phase changes, at most 10.
static float seconds_of_phase(vrm_instance *instance, ragdoll_engine *engine, void *user)
{
    const vrm_ragdoll_phase phase = info_of(instance).phase;
    int frames = 0;
    while (frames < 600 && info_of(instance).phase == phase) {
        ragdoll_frame(instance, RAGDOLL_FRAME, engine, user);
        ++frames;
    }
    return (float)frames * RAGDOLL_FRAME;
}

// --- the engine's targets --------------------------------------------------------------------------------------------

static void targets_are_as_set(void)
{
    vrm_ragdoll_params_default(&settings);
    settings.always = true;
    settings.drive = VRM_RAGDOLL_DRIVE_VELOCITY;
    settings.frequency = 7.0f;
    settings.damping_ratio = 0.3f;
    settings.max_torque = 55.0f;
    settings.pin_frequency = 11.0f;
    vrm_instance *instance = make();
    const vrm_ragdoll_weights weights = {0.25f, 0.49f, 1.0f};
    CHECK_INT(vrm_instance_set_ragdoll_weights(instance, VRM_RAGDOLL_GROUP_TORSO, &weights, 0.0f), VRM_SUCCESS);
    const vrm_ragdoll_targets targets = targets_of(instance);
    CHECK_INT(targets.drive, VRM_RAGDOLL_DRIVE_VELOCITY);
    for (uint32_t i = 0; i < RAGDOLL_BODIES; ++i) {
        const vrm_ragdoll_target *t = &targets.bodies[i];
        const bool torso = ragdoll_sticks[i].group == VRM_RAGDOLL_GROUP_TORSO;
        const float pin = i == 0 ? 1.0f : torso ? 0.25f : 0.0f, muscle = torso ? 0.49f : 1.0f;
        CHECK_NEAR(t->translation_weight, pin, 1e-6f);
        CHECK_NEAR(t->rotation_weight, muscle, 1e-6f);
        CHECK_NEAR(t->pin_frequency, 11.0f * sqrtf(pin), 1e-5f);
        CHECK_NEAR(t->frequency, i == 0 ? 11.0f : 7.0f * sqrtf(muscle), 1e-5f);
        CHECK_NEAR(t->damping_ratio, 0.3f, 0);
        CHECK_NEAR(t->max_torque, 55.0f, 0);
    }
    vrm_instance_destroy(instance);
}

// Half way through a transition each weight has changed by half, whether it was set for a group or for a single body.
static void weights_go_linearly(void)
{
    vrm_ragdoll_params_default(&settings);
    for (int single = 0; single < 2; ++single) {
        vrm_instance *instance = make();
        const vrm_ragdoll_weights to = {0.6f, 0.8f, 0.3f};
        if (single) {
            CHECK_INT(vrm_instance_set_ragdoll_body_weights(instance, 4, &to, 2.0f), VRM_SUCCESS);
        } else {
            CHECK_INT(vrm_instance_set_ragdoll_weights(instance, VRM_RAGDOLL_GROUP_LEFT_ARM, &to, 2.0f), VRM_SUCCESS);
        }
        for (int frame = 0; frame < 60; ++frame) {
            ragdoll_frame(instance, RAGDOLL_FRAME, ragdoll_follow, NULL);
        }
        for (uint32_t i = 0; i < RAGDOLL_BODIES; ++i) {
            vrm_ragdoll_weights now;
            CHECK_INT(vrm_instance_get_ragdoll_body_weights(instance, i, &now), VRM_SUCCESS);
            const bool goes = single ? i == 4 : ragdoll_sticks[i].group == VRM_RAGDOLL_GROUP_LEFT_ARM;
            CHECK_NEAR(now.pin, i == 0 ? 1.0f : goes ? 0.3f : 0.0f, 1e-5f);
            CHECK_NEAR(now.muscle, goes ? 0.9f : 1.0f, 1e-5f);
            CHECK_NEAR(now.mapping, goes ? 0.65f : 1.0f, 1e-5f);
        }
        vrm_instance_destroy(instance);
    }
}

// --- hits and explosions ---------------------------------------------------------------------------------------------

// With 52 kg and 2 m/s, an impulse of 26 N s takes a quarter of the strength. With each joint farther away, the loss is
// a quarter of the previous one. All strength returns within 2 s.
static void a_hit_takes_and_gives_back(void)
{
    vrm_ragdoll_params_default(&settings);
    settings.hit_speed = 2.0f;
    settings.hit_spread = 0.25f;
    settings.hit_recovery = 2.0f;
    settings.hit_time = settings.hit_floor = 0.0f;
    vrm_instance *instance = make();
    ragdoll_put_root(instance, 3.0, 0.0f, 1.0f);
    ragdoll_frame(instance, RAGDOLL_FRAME, ragdoll_follow, NULL);
    const vrm_vec3 impulse = {0.0f, 26.0f, 0.0f};
    const vrm_dvec3 point = {3.1, 0.9, -5.8}; // by the leg
    CHECK_INT(vrm_instance_hit_ragdoll(instance, 4, &point, &impulse), VRM_SUCCESS);
    vrm_ragdoll_targets targets = targets_of(instance);
    CHECK_INT(targets.impulse_count, 1);
    CHECK_INT(targets.impulses[0].body, 4); // the body and the point are the given ones
    CHECK_NEAR((double)targets.impulses[0].point.x + targets.origin.x, point.x, 1e-6);
    CHECK_NEAR((double)targets.impulses[0].point.y + targets.origin.y, point.y, 1e-6);
    CHECK_NEAR((double)targets.impulses[0].point.z + targets.origin.z, point.z, 1e-6);
    CHECK_NEAR(targets.bodies[4].rotation_weight, 1.0f - 0.25f, 1e-6f);
    CHECK_NEAR(targets.bodies[5].rotation_weight, 1.0f - 0.25f * 0.25f, 1e-6f);
    CHECK_NEAR(targets.bodies[1].rotation_weight, 1.0f - 0.25f * 0.0625f, 1e-6f);
    for (int frame = 0; frame < 15; ++frame) {
        ragdoll_frame(instance, RAGDOLL_FRAME, ragdoll_follow, NULL);
    }
    CHECK_NEAR(targets_of(instance).bodies[4].rotation_weight, 0.75f + 0.25f / 2.0f, 0.01f);
    // If no body is given, the nearest one is hit: the leg.
    CHECK_INT(vrm_instance_hit_ragdoll(instance, -1, &point, &impulse), VRM_SUCCESS);
    targets = targets_of(instance);
    CHECK_INT(ragdoll_sticks[targets.impulses[targets.impulse_count - 1].body].group, VRM_RAGDOLL_GROUP_LEFT_LEG);
    vrm_instance_destroy(instance);
}

// However hard a hit is, each joint keeps the strength hit_floor.
static void a_hit_leaves_its_floor(void)
{
    const float floors[2] = {0.0f, 0.45f};
    for (int k = 0; k < 2; ++k) {
        vrm_ragdoll_params_default(&settings);
        settings.hit_time = 0.0f;
        settings.hit_floor = floors[k];
        vrm_instance *instance = make();
        ragdoll_frame(instance, RAGDOLL_FRAME, ragdoll_follow, NULL);
        const vrm_vec3 impulse = {0.0f, 520.0f, 0.0f};
        const vrm_dvec3 point = {0.1, 1.2, 0.0};
        CHECK_INT(vrm_instance_hit_ragdoll(instance, 2, &point, &impulse), VRM_SUCCESS);
        const vrm_ragdoll_targets targets = targets_of(instance);
        CHECK_NEAR(targets.bodies[2].rotation_weight, floors[k], 1e-6f);
        CHECK_NEAR(targets.bodies[0].translation_weight, floors[k], 1e-6f);
        vrm_instance_destroy(instance);
    }
}

// A joint uses its own drive unless the settings give a drive, and the weight of its muscle. The torque scales with the
// size.
static void joints_have_drives_of_their_own(void)
{
    vrm_ragdoll_params_default(&settings);
    settings.always = true;
    vrm_instance *instance = make();
    const vrm_ragdoll_joint_drive hand = {3.0f, 0.25f, 8.0f}, hips = {1.5f, 0.7f, 0.0f}, none = {0.0f, 0.0f, 0.0f};
    CHECK_INT(vrm_instance_set_ragdoll_joint_drive(instance, 5, &hand), VRM_SUCCESS);
    CHECK_INT(vrm_instance_set_ragdoll_joint_drive(instance, 0, &hips), VRM_SUCCESS);
    ragdoll_put_root(instance, 1.0, 0.0f, 2.0f);
    const vrm_ragdoll_weights weights = {0.0f, 0.25f, 1.0f};
    CHECK_INT(vrm_instance_set_ragdoll_body_weights(instance, 5, &weights, 0.0f), VRM_SUCCESS);
    vrm_ragdoll_targets targets = targets_of(instance);
    CHECK_NEAR(targets.bodies[5].frequency, 1.5f, 1e-6f);
    CHECK_NEAR(targets.bodies[5].damping_ratio, 0.25f, 0);
    CHECK_NEAR(targets.bodies[5].max_torque, 8.0f * 16.0f, 1e-4f);
    CHECK_NEAR(targets.bodies[0].pin_frequency, 1.5f, 1e-6f);
    CHECK_NEAR(targets.bodies[0].frequency, 1.5f, 1e-6f);
    CHECK_NEAR(targets.bodies[0].damping_ratio, 0.7f, 0);
    CHECK_NEAR(targets.bodies[4].frequency, 4.0f, 1e-6f);
    CHECK_NEAR(targets.bodies[4].damping_ratio, 1.0f, 0);
    unsigned char bytes[16384];
    size_t size = sizeof bytes;
    CHECK_INT(vrm_instance_snapshot(instance, bytes, &size), VRM_SUCCESS);
    CHECK_INT(vrm_instance_set_ragdoll_joint_drive(instance, 5, &none), VRM_SUCCESS);
    CHECK_NEAR(targets_of(instance).bodies[5].frequency, 2.0f, 1e-6f);
    CHECK_INT(vrm_instance_restore(instance, bytes, size), VRM_SUCCESS);
    CHECK_NEAR(targets_of(instance).bodies[5].frequency, 1.5f, 1e-6f);
    // A frequency and a torque in the settings replace those of the joint.
    settings.frequency = 5.0f;
    settings.pin_frequency = 9.0f;
    settings.max_torque = 70.0f;
    CHECK_INT(vrm_instance_set_ragdoll_params(instance, &settings), VRM_SUCCESS);
    targets = targets_of(instance);
    CHECK_NEAR(targets.bodies[5].frequency, 2.5f, 1e-6f);
    CHECK_NEAR(targets.bodies[5].damping_ratio, 1.0f, 0);
    CHECK_NEAR(targets.bodies[5].max_torque, 70.0f, 0);
    CHECK_NEAR(targets.bodies[0].pin_frequency, 9.0f, 1e-6f);
    const vrm_ragdoll_joint_drive wrong[] = {{-1.0f, 1.0f, 0.0f}, {61.0f, 1.0f, 0.0f}, {1.0f, -0.1f, 0.0f},
        {1.0f, 11.0f, 0.0f}, {1.0f, 1.0f, -1.0f}, {NAN, 1, 0}};
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; ++k) {
        CHECK_INT(vrm_instance_set_ragdoll_joint_drive(instance, 5, &wrong[k]), VRM_ERROR_INVALID_ARGUMENT);
    }
    CHECK_INT(vrm_instance_set_ragdoll_joint_drive(instance, RAGDOLL_BODIES, &hand), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_set_ragdoll_joint_drive(instance, 5, NULL), VRM_ERROR_INVALID_ARGUMENT);
    vrm_instance_destroy(instance);
}

// The drive balances the weight of the limbs in proportion to the muscles that the host sets and to how firmly the hips
// are held. A hit does not reduce this, so no arm sinks. A falling body's weight is not balanced. Of accelerations, the
// drive adds in advance only those of the animation.
static void loads_are_borne_where_there_is_support(void)
{
    vrm_ragdoll_params_default(&settings);
    settings.always = true;
    settings.hit_time = 0.0f;
    vrm_instance *instance = make();
    const vrm_ragdoll_weights half = {0.0f, 0.5f, 1.0f}, hips = {0.8f, 1.0f, 1.0f};
    CHECK_INT(vrm_instance_set_ragdoll_body_weights(instance, 4, &half, 0.0f), VRM_SUCCESS);
    CHECK_INT(vrm_instance_set_ragdoll_body_weights(instance, 0, &hips, 0.0f), VRM_SUCCESS);
    ragdoll_frame(instance, RAGDOLL_FRAME, ragdoll_follow, NULL);
    const vrm_vec3 impulse = {0.0f, 100.0f, 0.0f};
    const vrm_dvec3 point = {0.0, 1.2, 0.0};
    CHECK_INT(vrm_instance_hit_ragdoll(instance, 2, &point, &impulse), VRM_SUCCESS);
    vrm_ragdoll_targets targets = targets_of(instance);
    CHECK(targets.bodies[2].rotation_weight < 0.5f);
    CHECK_NEAR(targets.bodies[2].load, 0.8f, 1e-6f);
    CHECK_NEAR(targets.bodies[0].load, 0.8f, 1e-6f);
    CHECK_NEAR(targets.bodies[4].load, 0.4f, 1e-6f);
    CHECK_INT(vrm_instance_drop_ragdoll(instance), VRM_SUCCESS);
    CHECK_NEAR(targets_of(instance).bodies[2].load, 0.0f, 0);
    vrm_instance_destroy(instance);
    // The accelerations are the animation's, here those of the root.
    instance = make();
    for (int frame = 0; frame < 6; ++frame) {
        const double time = frame * (double)RAGDOLL_FRAME;
        const vrm_root root = {{time * time, 0, 0}, {0, 0, 0, 1}, 1.0f};
        vrm_instance_set_root(instance, &root);
        ragdoll_frame(instance, RAGDOLL_FRAME, ragdoll_follow, NULL);
        CHECK_INT(vrm_instance_get_ragdoll_targets(instance, &targets), VRM_SUCCESS);
    }
    for (uint32_t i = 0; i < RAGDOLL_BODIES; ++i) {
        CHECK_NEAR(targets.bodies[i].linear_acceleration.x, 2.0, 0.02);
        CHECK_NEAR(vrmi_vec3_length(targets.bodies[i].angular_acceleration), 0.0, 0.02);
    }
    // A cut in the clip causes no acceleration.
    const vrm_vec3 aside = {1.0f, 0.0f, 0.0f};
    vrm_instance_set_hips_position(instance, &aside);
    ragdoll_frame(instance, RAGDOLL_FRAME, ragdoll_follow, NULL);
    CHECK_INT(vrm_instance_get_ragdoll_targets(instance, &targets), VRM_SUCCESS);
    CHECK_NEAR(vrmi_vec3_length(targets.bodies[3].linear_acceleration), 0.0, 0);
    vrm_instance_destroy(instance);
}

// An explosion pushes bodies outwards in proportion to their mass, less with the distance, and not beyond the radius.
static void an_explosion_pushes_within_its_radius(void)
{
    vrm_ragdoll_params_default(&settings);
    settings.hit_time = 0.0f;
    const vrm_dvec3 center = {0.1, 1.0, 0.2};
    const float radii[2] = {0.5f, 2.0f}, sizes[2] = {130.0f, 40.0f};
    for (int k = 0; k < 2; ++k) {
        vrm_instance *instance = make();
        ragdoll_frame(instance, RAGDOLL_FRAME, ragdoll_follow, NULL);
        CHECK_INT(vrm_instance_explode_ragdoll(instance, &center, sizes[k], radii[k]), VRM_SUCCESS);
        const vrm_ragdoll_targets targets = targets_of(instance);
        float mass = 0.0f;
        uint32_t within = 0;
        for (uint32_t i = 0; i < RAGDOLL_BODIES; ++i) {
            mass += ragdoll_sticks[i].mass;
            const vrm_vec3 half = vrmi_vec3_scale(ragdoll_sticks[i].stick, 0.5f);
            const vrm_vec3 at = vrmi_vec3_add(targets.bodies[i].state.position, half);
            const vrm_vec3 from = {(float)center.x, (float)center.y, (float)center.z};
            within += vrmi_vec3_length(vrmi_vec3_sub(at, from)) < radii[k];
        }
        CHECK(k == 1 ? within == RAGDOLL_BODIES : within > 0 && within < RAGDOLL_BODIES);
        CHECK_INT(targets.impulse_count, within);
        for (uint32_t i = 0; i < targets.impulse_count; ++i) {
            const vrm_ragdoll_impulse *p = &targets.impulses[i];
            const vrm_vec3 way = {
                p->point.x - (float)center.x, p->point.y - (float)center.y, p->point.z - (float)center.z};
            const float far = vrmi_vec3_length(way);
            const float size = sizes[k] * (1.0f - far / radii[k]) * ragdoll_sticks[p->body].mass / mass;
            CHECK_NEAR(vrmi_vec3_length(p->impulse), size, 1e-4f * size);
            CHECK_NEAR(vrmi_vec3_dot(p->impulse, way), size * far, 1e-4f * size);
        }
        vrm_instance_destroy(instance);
    }
}

// --- falling ---------------------------------------------------------------------------------------------------------

// States of an engine: the animated pose, lowered by a fraction of the hips' height or leaning about X.
typedef struct fallen {
    float sunk, lean;
} fallen;

static void sink(const vrm_ragdoll_targets *targets, vrm_ragdoll_state *states, void *user)
{
    const fallen *f = user;
    const vrm_quat turn = vrmi_quat_from_axis_angle(vrmi_vec3(1, 0, 0), f->lean);
    ragdoll_follow(targets, states, NULL);
    const float height = states[0].position.y;
    for (uint32_t i = 0; i < targets->body_count; ++i) {
        states[i].position.y -= f->sunk * height;
        states[i].rotation = vrmi_quat_mul(turn, states[i].rotation);
    }
}

static void a_fall_is_what_the_settings_say(void)
{
    const struct {
        fallen is;
        float height, tilt;
        bool falls;
    } rows[] = {
        {{0.25f, 0.0f}, 0.2f, 3.0f, true},
        {{0.25f, 0.0f}, 0.3f, 3.0f, false},
        {{0.55f, 0.0f}, 0.6f, 3.0f, false},
        {{0.0f, 0.55f}, 0.9f, 0.5f, true},
        {{0.0f, 0.55f}, 0.9f, 0.6f, false},
        {{0.0f, 1.5f}, 0.9f, 1.6f, false},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k) {
        vrm_ragdoll_params_default(&settings);
        settings.always = true;
        settings.fall_height = rows[k].height;
        settings.fall_tilt = rows[k].tilt;
        vrm_instance *instance = make();
        for (int frame = 0; frame < 4; ++frame) {
            fallen is = rows[k].is;
            ragdoll_frame(instance, RAGDOLL_FRAME, sink, &is);
        }
        CHECK_INT(info_of(instance).phase, rows[k].falls ? VRM_RAGDOLL_PHASE_LIMP : VRM_RAGDOLL_PHASE_ACTIVE);
        vrm_instance_destroy(instance);
    }
}

// --- stillness and the way back --------------------------------------------------------------------------------------

static void times_are_as_set(void)
{
    for (int k = 0; k < 2; ++k) {
        const float slower = k == 0 ? 1.0f : 2.0f;
        vrm_ragdoll_params_default(&settings);
        settings.still_time = 0.25f * slower;
        settings.grow_time = 0.4f * slower;
        settings.blend_time = 0.3f * slower;
        vrm_instance *instance = make();
        CHECK_INT(vrm_instance_drop_ragdoll(instance), VRM_SUCCESS);
        CHECK_NEAR(seconds_of_phase(instance, ragdoll_follow, NULL), settings.still_time, 2.5f * RAGDOLL_FRAME);
        CHECK_INT(info_of(instance).phase, VRM_RAGDOLL_PHASE_LYING);
        (void)seconds_of_phase(instance, ragdoll_follow, NULL);
        CHECK_INT(info_of(instance).phase, VRM_RAGDOLL_PHASE_RECOVERING);
        for (int frame = 0; frame < 6; ++frame) {
            ragdoll_frame(instance, RAGDOLL_FRAME, ragdoll_follow, NULL);
        }
        CHECK_NEAR(targets_of(instance).bodies[3].rotation_weight, 0.1f / settings.grow_time, 0.1f * RAGDOLL_FRAME);
        CHECK_NEAR(seconds_of_phase(instance, ragdoll_follow, NULL) + 0.1f, settings.grow_time, 2.5f * RAGDOLL_FRAME);
        CHECK_INT(info_of(instance).phase, VRM_RAGDOLL_PHASE_BLENDING);
        CHECK_NEAR(seconds_of_phase(instance, ragdoll_follow, NULL), settings.blend_time, 2.5f * RAGDOLL_FRAME);
        CHECK_INT(info_of(instance).phase, VRM_RAGDOLL_PHASE_OFF);
        vrm_instance_destroy(instance);
    }
}

// An engine that gives speeds to the bodies: one to the hips and one to all other bodies, m/s.
static void creep(const vrm_ragdoll_targets *targets, vrm_ragdoll_state *states, void *user)
{
    const float *speeds = user;
    ragdoll_follow(targets, states, NULL);
    for (uint32_t i = 0; i < targets->body_count; ++i) {
        states[i].linear_velocity = vrmi_vec3(i == 0 ? speeds[0] : speeds[1], 0.0f, 0.0f);
    }
}

static void stillness_is_what_the_settings_say(void)
{
    const struct {
        float hips, others, still_speed;
        bool pelvis, lies;
    } rows[] = {
        {0.3f, 0.3f, 0.35f, false, true},
        {0.3f, 0.3f, 0.25f, false, false},
        {0.05f, 0.05f, 0.04f, false, false},
        {0.0f, 1.0f, 0.15f, false, false},
        {0.0f, 1.0f, 0.15f, true, true},
        {0.3f, 0.1f, 0.15f, true, false},
        {0.3f, 0.1f, 0.15f, false, true},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k) {
        vrm_ragdoll_params_default(&settings);
        settings.recovery = VRM_RAGDOLL_RECOVERY_MANUAL;
        settings.still_speed = rows[k].still_speed;
        settings.pelvis_speed = rows[k].pelvis;
        vrm_instance *instance = make();
        CHECK_INT(vrm_instance_drop_ragdoll(instance), VRM_SUCCESS);
        float speeds[2] = {rows[k].hips, rows[k].others};
        for (int frame = 0; frame < 60; ++frame) {
            ragdoll_frame(instance, RAGDOLL_FRAME, creep, speeds);
        }
        CHECK_INT(info_of(instance).phase, rows[k].lies ? VRM_RAGDOLL_PHASE_LYING : VRM_RAGDOLL_PHASE_LIMP);
        vrm_instance_destroy(instance);
    }
}

static const test_case cases[] = {
    {"targets_are_as_set", targets_are_as_set},
    {"weights_go_linearly", weights_go_linearly},
    {"a_hit_takes_and_gives_back", a_hit_takes_and_gives_back},
    {"a_hit_leaves_its_floor", a_hit_leaves_its_floor},
    {"joints_have_drives_of_their_own", joints_have_drives_of_their_own},
    {"loads_are_borne_where_there_is_support", loads_are_borne_where_there_is_support},
    {"an_explosion_pushes_within_its_radius", an_explosion_pushes_within_its_radius},
    {"a_fall_is_what_the_settings_say", a_fall_is_what_the_settings_say},
    {"times_are_as_set", times_are_as_set},
    {"stillness_is_what_the_settings_say", stillness_is_what_the_settings_say},
};

RUN_TESTS(cases)
