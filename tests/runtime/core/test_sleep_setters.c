// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Every setter in the headers wakes a sleeping instance. Setting the same value again does not wake it.

#include "sleep_fixture.h"

static const vrm_dvec3 far_away = {3.0, 2.0, 4.0};

static vrm_root root_at(float x)
{
    return (vrm_root){{(double)x, 0.0, 0.0}, {0.0f, 0.0f, 0.0f, 1.0f}, 1.0f};
}

static vrm_transform local_of(const bed *b, uint32_t node)
{
    vrm_transform local;
    CHECK_INT(vrm_instance_get_local(b->instance, node, &local), VRM_SUCCESS);
    return local;
}

static int32_t head_of(const bed *b)
{
    return vrm_avatar_get_bone_node(vrm_instance_get_avatar(b->instance), VRM_HUMAN_BONE_HEAD);
}

static void set_local(bed *b)
{
    vrm_transform local = local_of(b, (uint32_t)head_of(b));
    local.translation.x = b->value;
    CHECK_INT(vrm_instance_set_local(b->instance, (uint32_t)head_of(b), &local), VRM_SUCCESS);
}
static void set_locals(bed *b)
{
    vrm_transform local = local_of(b, 0);
    local.translation.x = b->value;
    const vrm_local_array array = {sizeof(vrm_local_array), &local, 0, NULL, 1, NULL};
    CHECK_INT(vrm_instance_set_locals(b->instance, &array), VRM_SUCCESS);
}
static void set_translation(bed *b)
{
    const vrm_vec3 v = {b->value, 0.1f, 0.0f};
    CHECK_INT(vrm_instance_set_translation(b->instance, (uint32_t)head_of(b), &v), VRM_SUCCESS);
}
static void set_rotation(bed *b)
{
    const vrm_quat q = about(1, 0, 0, (double)b->value);
    CHECK_INT(vrm_instance_set_rotation(b->instance, (uint32_t)head_of(b), &q), VRM_SUCCESS);
}
static void set_scale(bed *b)
{
    const vrm_vec3 v = {1.0f, 1.0f + b->value, 1.0f};
    CHECK_INT(vrm_instance_set_scale(b->instance, (uint32_t)head_of(b), &v), VRM_SUCCESS);
}
static void set_normalized_rotation(bed *b)
{
    const vrm_quat q = about(0, 1, 0, (double)b->value);
    CHECK_INT(vrm_instance_set_normalized_rotation(b->instance, VRM_HUMAN_BONE_HEAD, &q), VRM_SUCCESS);
}
static void set_hips_position(bed *b)
{
    const vrm_vec3 v = {b->value, 0.9f, 0.0f};
    CHECK_INT(vrm_instance_set_hips_position(b->instance, &v), VRM_SUCCESS);
}
static void reset_pose(bed *b)
{
    vrm_instance_reset_pose(b->instance);
}
static void set_pose(bed *b)
{
    const vrm_transform local = local_of(b, (uint32_t)head_of(b));
    CHECK_INT(vrm_instance_set_pose(b->instance, (uint32_t)head_of(b), &local), VRM_SUCCESS);
}
static void reset(bed *b)
{
    vrm_instance_reset(b->instance);
}
static void restore(bed *b)
{
    CHECK_INT(vrm_instance_restore(b->instance, b->snapshot, b->snapshot_size), VRM_SUCCESS);
}
static void set_lod(bed *b)
{
    CHECK_INT(vrm_instance_set_lod(b->instance, VRM_LOD_FULL), VRM_SUCCESS);
}
static void set_root(bed *b)
{
    const vrm_root root = root_at(b->value);
    CHECK_INT(vrm_instance_set_root(b->instance, &root), VRM_SUCCESS);
}
static void teleport(bed *b)
{
    const vrm_root root = root_at(b->value);
    CHECK_INT(vrm_instance_teleport(b->instance, &root), VRM_SUCCESS);
}
static void warp(bed *b)
{
    const vrm_root root = root_at(b->value);
    CHECK_INT(vrm_instance_warp(b->instance, &root), VRM_SUCCESS);
}
static void set_platform(bed *b)
{
    const vrm_root root = root_at(b->value);
    CHECK_INT(vrm_instance_set_platform(b->instance, &root), VRM_SUCCESS);
}
static void set_look_at_target(bed *b)
{
    const vrm_dvec3 target = {(double)b->value, 1.4, 2.0};
    CHECK_INT(vrm_instance_set_look_at_target(b->instance, &target), VRM_SUCCESS);
}
static void set_look_at_angles(bed *b)
{
    CHECK_INT(vrm_instance_set_look_at_angles(b->instance, b->value, 0.0f), VRM_SUCCESS);
}
static void clear_look_at(bed *b)
{
    vrm_instance_clear_look_at(b->instance);
}
static void set_eye_angles(bed *b)
{
    CHECK_INT(vrm_instance_set_eye_angles(b->instance, VRM_HUMAN_BONE_LEFT_EYE, b->value, 0.0f), VRM_SUCCESS);
}
static void clear_eye_angles(bed *b)
{
    CHECK_INT(vrm_instance_clear_eye_angles(b->instance, VRM_HUMAN_BONE_LEFT_EYE), VRM_SUCCESS);
}
static void set_expression_layer(bed *b)
{
    CHECK_INT(
        vrm_instance_set_expression_layer(b->instance, VRM_EXPRESSION_LAYER_HOST, VRM_EXPRESSION_MODE_MAX, b->value),
        VRM_SUCCESS);
}
static void set_expression(bed *b)
{
    CHECK_INT(vrm_instance_set_expression(b->instance, VRM_EXPRESSION_LAYER_HOST, 0, b->value), VRM_SUCCESS);
}
static void clear_expression(bed *b)
{
    CHECK_INT(vrm_instance_clear_expression(b->instance, VRM_EXPRESSION_LAYER_HOST, 0), VRM_SUCCESS);
}
static void clear_expressions(bed *b)
{
    CHECK_INT(vrm_instance_clear_expressions(b->instance, VRM_EXPRESSION_LAYER_HOST), VRM_SUCCESS);
}
static void fade_emotion(bed *b)
{
    CHECK_INT(vrm_instance_fade_emotion(b->instance, 0, b->value, 0.2f), VRM_SUCCESS);
}
static void set_expression_group(bed *b)
{
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(stage_avatar(), &counts);
    const vrm_expression_group group = b->value > 0.5f ? VRM_EXPRESSION_GROUP_MOUTH : VRM_EXPRESSION_GROUP_BLINK;
    bool done = false;
    for (uint32_t i = 0; i < counts.expressions && !done; ++i) {
        done = vrm_instance_set_expression_group(b->instance, i, group) == VRM_SUCCESS;
    }
    CHECK(done);
}
static void set_morph(bed *b)
{
    CHECK_INT(vrm_instance_set_morph(b->instance, 0, b->value), VRM_SUCCESS);
}
static void set_blink(bed *b)
{
    vrm_blink_params params;
    vrm_blink_params_default(&params);
    params.enabled = true;
    params.interval_min = 5.0f + b->value;
    params.interval_max = 7.0f;
    CHECK_INT(vrm_instance_set_blink(b->instance, &params), VRM_SUCCESS);
}
static void blink(bed *b)
{
    vrm_instance_blink(b->instance);
}
static void set_lip_sync(bed *b)
{
    vrm_lip_sync_params params;
    vrm_lip_sync_params_default(&params);
    params.gain = 1.0f + b->value;
    CHECK_INT(vrm_instance_set_lip_sync(b->instance, &params), VRM_SUCCESS);
}
static void set_visemes(bed *b)
{
    float weights[VRM_VISEME_COUNT] = {0};
    weights[VRM_VISEME_AA] = b->value;
    CHECK_INT(vrm_instance_set_visemes(b->instance, weights, VRM_VISEME_COUNT), VRM_SUCCESS);
}
static void set_vowels(bed *b)
{
    const float weights[5] = {b->value, 0.0f, 0.0f, 0.0f, 0.0f};
    CHECK_INT(vrm_instance_set_vowels(b->instance, weights), VRM_SUCCESS);
}
static void set_loudness(bed *b)
{
    CHECK_INT(vrm_instance_set_loudness(b->instance, b->value), VRM_SUCCESS);
}
static void clear_lip_sync(bed *b)
{
    vrm_instance_clear_lip_sync(b->instance);
}
static void set_spring_settings(bed *b)
{
    vrm_spring_params settings;
    vrm_spring_params_default(&settings);
    settings.external.x = b->value; // wind
    CHECK_INT(vrm_instance_set_spring_params(b->instance, &settings), VRM_SUCCESS);
}
static void set_chain_weight(bed *b)
{
    CHECK_INT(vrm_instance_set_chain_weight(b->instance, 0, b->value), VRM_SUCCESS);
}
static void set_spring_joint(bed *b)
{
    vrm_spring_joint_params params;
    CHECK_INT(vrm_instance_get_spring_joint(b->instance, 0, &params), VRM_SUCCESS);
    params.stiffness = b->value;
    CHECK_INT(vrm_instance_set_spring_joint(b->instance, 0, &params), VRM_SUCCESS);
}
static void reset_springs(bed *b)
{
    vrm_instance_reset_springs(b->instance);
}
static void settle_springs(bed *b)
{
    CHECK_INT(vrm_instance_settle_springs(b->instance, 0.5f), VRM_SUCCESS);
}
static void set_spring_tails(bed *b)
{
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(stage_avatar(), &counts);
    CHECK_INT(vrm_instance_set_spring_tails(b->instance, NULL, NULL, counts.spring_joints), VRM_SUCCESS);
}
static void set_host_collider(bed *b)
{
    vrm_host_collider_def collider;
    vrm_host_collider_def_default(&collider);
    collider.offset.x = 3.0 + (double)b->value;
    collider.radius = 0.1f;
    CHECK_INT(vrm_instance_set_host_collider(b->instance, 0, &collider), VRM_SUCCESS);
}
static void set_look_chain(bed *b)
{
    give_look_chain(b->instance);
}
static void clear_look_chain(bed *b)
{
    vrm_instance_clear_look_chain(b->instance);
}
static void set_look_chain_weight(bed *b)
{
    CHECK_INT(vrm_instance_set_look_chain_weight(b->instance, b->value), VRM_SUCCESS);
}
static void enable_look_chain(bed *b)
{
    CHECK_INT(vrm_instance_enable_look_chain(b->instance, 0.1f, 0), VRM_SUCCESS);
}
static void disable_look_chain(bed *b)
{
    CHECK_INT(vrm_instance_disable_look_chain(b->instance, 0.1f, 0), VRM_SUCCESS);
}
static void set_head_orientation(bed *b)
{
    CHECK_INT(vrm_instance_set_head_orientation(b->instance, b->value, 0.0f, 0.0f), VRM_SUCCESS);
}
static void clear_head_orientation(bed *b)
{
    vrm_instance_clear_head_orientation(b->instance);
}
static void set_clip_player(bed *b)
{
    CHECK_INT(vrm_instance_set_clip_player(b->instance, b->value > 0.4f ? NULL : b->player), VRM_SUCCESS);
}
static void set_ragdoll(bed *b)
{
    CHECK_INT(vrm_instance_set_ragdoll(b->instance, &doll, NULL), VRM_SUCCESS);
}
static void clear_ragdoll(bed *b)
{
    vrm_instance_clear_ragdoll(b->instance);
}
static void set_ragdoll_settings(bed *b)
{
    vrm_ragdoll_params settings;
    vrm_ragdoll_params_default(&settings);
    CHECK_INT(vrm_instance_set_ragdoll_params(b->instance, &settings), VRM_SUCCESS);
}
static void set_ragdoll_weights(bed *b)
{
    const vrm_ragdoll_weights weights = {0.0f, 1.0f, 1.0f};
    CHECK_INT(vrm_instance_set_ragdoll_weights(b->instance, VRM_RAGDOLL_GROUP_HEAD, &weights, 0.1f), VRM_SUCCESS);
}
static void set_ragdoll_body_weights(bed *b)
{
    const vrm_ragdoll_weights weights = {0.0f, 1.0f, 1.0f};
    CHECK_INT(vrm_instance_set_ragdoll_body_weights(b->instance, 2, &weights, 0.1f), VRM_SUCCESS);
}
static void set_ragdoll_joint_drive(bed *b)
{
    const vrm_ragdoll_joint_drive drive = {2.0f, 0.5f, 20.0f};
    CHECK_INT(vrm_instance_set_ragdoll_joint_drive(b->instance, 2, &drive), VRM_SUCCESS);
}
static void set_ragdoll_motion(bed *b)
{
    CHECK_INT(vrm_instance_set_ragdoll_motion(b->instance, VRM_RAGDOLL_GROUP_HEAD, VRM_RAGDOLL_MOTION_KINEMATIC),
        VRM_SUCCESS);
}
static void hit_ragdoll(bed *b)
{
    const vrm_vec3 impulse = {0.0f, 0.0f, 5.0f};
    CHECK_INT(vrm_instance_hit_ragdoll(b->instance, 0, &far_away, &impulse), VRM_SUCCESS);
}
static void explode_ragdoll(bed *b)
{
    CHECK_INT(vrm_instance_explode_ragdoll(b->instance, &far_away, 1.0f, 1.0f), VRM_SUCCESS);
}
static void drop_ragdoll(bed *b)
{
    CHECK_INT(vrm_instance_drop_ragdoll(b->instance), VRM_SUCCESS);
}
static void stop_ragdoll(bed *b)
{
    CHECK_INT(vrm_instance_stop_ragdoll(b->instance), VRM_SUCCESS);
}
static void set_ragdoll_states(bed *b)
{
    CHECK_INT(vrm_instance_set_ragdoll_states(b->instance, NULL, NULL, 0), VRM_SUCCESS);
}
static void player_play(bed *b)
{
    CHECK_INT(vrm_clip_player_play(b->player, 0, b->clip, NULL), VRM_SUCCESS);
}
static void player_set_layer(bed *b)
{
    vrm_clip_layer_params layer;
    vrm_clip_layer_params_default(&layer);
    layer.weight = b->value;
    CHECK_INT(vrm_clip_player_set_layer(b->player, 0, &layer), VRM_SUCCESS);
}
static void player_set_time(bed *b)
{
    CHECK_INT(vrm_clip_player_set_time(b->player, 0, (double)b->value), VRM_SUCCESS);
}
static void player_apply(bed *b)
{
    CHECK_INT(vrm_clip_player_apply(b->player, b->instance), VRM_SUCCESS);
}
static void player_restore(bed *b)
{
    char bytes[65536];
    size_t size = sizeof bytes;
    CHECK_INT(vrm_clip_player_snapshot(b->player, bytes, &size), VRM_SUCCESS);
    CHECK_INT(vrm_clip_player_restore(b->player, bytes, size), VRM_SUCCESS);
}
static void player_destroy(bed *b)
{
    vrm_clip_player_destroy(b->player);
    b->player = NULL;
}

static const struct setter {
    const char *name;
    void (*set)(bed *b);
    bool same_is_nothing; // setting the same value again does not wake the instance
    const char *after;    // the setter that must be called first for this setter to have an effect, or NULL
} setters[] = {
    {"vrm_instance_set_local", set_local, true, NULL},
    {"vrm_instance_set_locals", set_locals, true, NULL},
    {"vrm_instance_set_translation", set_translation, true, NULL},
    {"vrm_instance_set_rotation", set_rotation, true, NULL},
    {"vrm_instance_set_scale", set_scale, true, NULL},
    {"vrm_instance_set_normalized_rotation", set_normalized_rotation, true, NULL},
    {"vrm_instance_set_hips_position", set_hips_position, true, NULL},
    {"vrm_instance_reset_pose", reset_pose, true, "vrm_instance_set_rotation"},
    {"vrm_instance_set_pose", set_pose, false, NULL},
    {"vrm_instance_reset", reset, false, NULL},
    {"vrm_instance_restore", restore, false, NULL},
    {"vrm_instance_set_lod", set_lod, false, NULL},
    {"vrm_instance_set_root", set_root, true, NULL},
    {"vrm_instance_teleport", teleport, false, NULL},
    {"vrm_instance_warp", warp, false, NULL},
    {"vrm_instance_set_platform", set_platform, true, NULL},
    {"vrm_instance_set_look_at_target", set_look_at_target, true, NULL},
    {"vrm_instance_set_look_at_angles", set_look_at_angles, true, NULL},
    {"vrm_instance_clear_look_at", clear_look_at, true, "vrm_instance_set_look_at_angles"},
    {"vrm_instance_set_eye_angles", set_eye_angles, true, NULL},
    {"vrm_instance_clear_eye_angles", clear_eye_angles, true, "vrm_instance_set_eye_angles"},
    {"vrm_instance_set_expression_layer", set_expression_layer, true, NULL},
    {"vrm_instance_set_expression", set_expression, true, NULL},
    {"vrm_instance_clear_expression", clear_expression, true, "vrm_instance_set_expression"},
    {"vrm_instance_clear_expressions", clear_expressions, true, "vrm_instance_set_expression"},
    {"vrm_instance_fade_emotion", fade_emotion, false, NULL},
    {"vrm_instance_set_expression_group", set_expression_group, true, NULL},
    {"vrm_instance_set_morph", set_morph, true, NULL},
    {"vrm_instance_set_blink", set_blink, true, NULL},
    {"vrm_instance_blink", blink, false, NULL},
    {"vrm_instance_set_lip_sync", set_lip_sync, true, NULL},
    {"vrm_instance_set_visemes", set_visemes, true, NULL},
    {"vrm_instance_set_vowels", set_vowels, true, NULL},
    {"vrm_instance_set_loudness", set_loudness, true, NULL},
    {"vrm_instance_clear_lip_sync", clear_lip_sync, true, "vrm_instance_set_vowels"},
    {"vrm_instance_set_spring_params", set_spring_settings, true, NULL},
    {"vrm_instance_set_chain_weight", set_chain_weight, true, NULL},
    {"vrm_instance_set_spring_joint", set_spring_joint, true, NULL},
    {"vrm_instance_reset_springs", reset_springs, false, NULL},
    {"vrm_instance_settle_springs", settle_springs, false, NULL},
    {"vrm_instance_set_spring_tails", set_spring_tails, false, NULL},
    {"vrm_instance_set_host_collider", set_host_collider, true, NULL},
    {"vrm_instance_set_look_chain", set_look_chain, false, NULL},
    {"vrm_instance_clear_look_chain", clear_look_chain, false, NULL},
    {"vrm_instance_set_look_chain_weight", set_look_chain_weight, true, NULL},
    {"vrm_instance_enable_look_chain", enable_look_chain, false, NULL},
    {"vrm_instance_disable_look_chain", disable_look_chain, false, NULL},
    {"vrm_instance_set_head_orientation", set_head_orientation, true, NULL},
    {"vrm_instance_clear_head_orientation", clear_head_orientation, true, "vrm_instance_set_head_orientation"},
    {"vrm_instance_set_clip_player", set_clip_player, true, NULL},
    {"vrm_instance_set_ragdoll", set_ragdoll, false, NULL},
    {"vrm_instance_clear_ragdoll", clear_ragdoll, false, NULL},
    {"vrm_instance_set_ragdoll_params", set_ragdoll_settings, false, NULL},
    {"vrm_instance_set_ragdoll_weights", set_ragdoll_weights, false, NULL},
    {"vrm_instance_set_ragdoll_body_weights", set_ragdoll_body_weights, false, NULL},
    {"vrm_instance_set_ragdoll_joint_drive", set_ragdoll_joint_drive, false, NULL},
    {"vrm_instance_set_ragdoll_motion", set_ragdoll_motion, false, NULL},
    {"vrm_instance_hit_ragdoll", hit_ragdoll, false, NULL},
    {"vrm_instance_explode_ragdoll", explode_ragdoll, false, NULL},
    {"vrm_instance_drop_ragdoll", drop_ragdoll, false, NULL},
    {"vrm_instance_stop_ragdoll", stop_ragdoll, false, NULL},
    {"vrm_instance_set_ragdoll_states", set_ragdoll_states, false, NULL},
    {"vrm_clip_player_play", player_play, false, NULL},
    {"vrm_clip_player_set_layer", player_set_layer, true, NULL},
    {"vrm_clip_player_set_time", player_set_time, false, NULL},
    {"vrm_clip_player_apply", player_apply, false, NULL},
    {"vrm_clip_player_restore", player_restore, false, NULL},
    {"vrm_clip_player_destroy", player_destroy, false, NULL},
};
enum { SETTERS = sizeof setters / sizeof setters[0] };

// Setters that do not affect updates, or that affect only a fallen body, which does not sleep.
static const char *const no_setters[] = {"vrm_instance_destroy", "vrm_instance_clear_status",
    "vrm_instance_set_update_interval", "vrm_instance_recover_ragdoll", "vrm_instance_start_get_up",
    "vrm_instance_take_requested_root"};

static void every_setter_wakes(void)
{
    CHECK_INT(vrm_ragdoll_def_build(stage_avatar(), NULL, NULL, NULL, &doll), VRM_SUCCESS);
    vrm_instance *fresh = make_sleeper();
    CHECK_INT(vrm_instance_set_ragdoll(fresh, &doll, NULL), VRM_SUCCESS);
    for (int i = 0; i < SETTERS; ++i) {
        bed b = make_bed(fresh);
        b.value = 0.45f;
        if (fall_asleep(b.instance, 2 * FOUR_SECONDS) < 0) {
            printf("before %s: does not fall asleep\n", setters[i].name);
            ++test_failures;
        }
        for (int k = 0; k < SETTERS && setters[i].after != NULL; ++k) {
            if (strcmp(setters[k].name, setters[i].after) == 0) {
                setters[k].set(&b);
                if (fall_asleep(b.instance, 2 * FOUR_SECONDS) < 0) {
                    printf("after %s: does not fall asleep\n", setters[k].name);
                    ++test_failures;
                }
            }
        }
        setters[i].set(&b);
        bool woke = !vrm_instance_is_asleep(b.instance);
        vrm_update_dt(b.instance, frame);
        woke = woke && !vrm_instance_is_asleep(b.instance);
        bool kept = true;
        if (setters[i].same_is_nothing && fall_asleep(b.instance, 2 * FOUR_SECONDS) >= 0) {
            setters[i].set(&b);
            vrm_update_dt(b.instance, frame);
            kept = vrm_instance_is_asleep(b.instance);
        }
        if (!woke || !kept) {
            printf("%s: %s\n", setters[i].name, woke ? "the same again wakes it" : "does not wake it");
            ++test_failures;
        }
        unmake_bed(&b);
    }
    vrm_instance_destroy(fresh);
}

static bool is_listed(const char *name)
{
    bool listed = false;
    for (int i = 0; i < SETTERS; ++i) {
        listed = listed || strcmp(setters[i].name, name) == 0;
    }
    for (size_t i = 0; i < sizeof no_setters / sizeof no_setters[0]; ++i) {
        listed = listed || strcmp(no_setters[i], name) == 0;
    }
    return listed;
}

// The table must contain every function of the headers that takes a non-const instance or player.
static void no_setter_is_forgotten(void)
{
    static const char *const headers[] = {"instance", "update", "lod", "look_chain", "active_ragdoll", "animation"};
    uint32_t found = 0;
    for (size_t h = 0; h < sizeof headers / sizeof headers[0]; ++h) {
        char path[64], line[512];
        (void)snprintf(path, sizeof path, "include/vrm/%s.h", headers[h]);
        FILE *file = fopen(path, "r");
        if (file == NULL) {
            SKIP("runs at the checkout's root");
        }
        char name[128] = "";
        while (fgets(line, sizeof line, file) != NULL) {
            const char *at = strstr(line, "VRM_API ");
            const char *start = at != NULL ? strstr(at, "vrm_instance_") : NULL;
            start = start == NULL && at != NULL ? strstr(at, "vrm_clip_player_") : start;
            if (start != NULL) {
                (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(start, "( "), start);
            }
            const bool takes = strstr(line, "(vrm_instance *instance") != NULL ||
                               strstr(line, "    vrm_instance *instance,") != NULL ||
                               strstr(line, "(vrm_clip_player *player") != NULL ||
                               strstr(line, "    vrm_clip_player *player,") != NULL;
            if (takes && strncmp(name, "vrm_", 4) == 0 && strstr(line, "vrm_update") == NULL) {
                ++found;
                if (!is_listed(name)) {
                    printf("%s: not in the table of setters\n", name);
                    ++test_failures;
                }
                name[0] = '\0';
            }
        }
        (void)fclose(file);
    }
    CHECK_INT(found, SETTERS + sizeof no_setters / sizeof no_setters[0]);
}

static const test_case cases[] = {
    {"every_setter_wakes", every_setter_wakes},
    {"no_setter_is_forgotten", no_setter_is_forgotten},
};
RUN_TESTS(cases)
