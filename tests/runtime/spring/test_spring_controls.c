// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The guarantees of each control of springs: teleports, warps, pauses, weights, settings, snapshots.

#include "axis.h"
#include "spring_scene.h"

static void teleport_is_not_felt(void)
{
    static scene s;
    begin(&s, 0.5f, 0.4f, false, true);
    for (int i = 0; i < 50; ++i) {
        play(&s, i, 0, 1.0f / 60);
    }
    const shape before = look(&s);
    CHECK_INT(vrm_instance_teleport(s.instance, &(vrm_root){{900, 5, -3000}, turn(0, 1, 0, 2), 3}), VRM_SUCCESS);
    vrm_update_dt(s.instance, 1.0f / 60);
    const shape after = look(&s);
    CHECK(memcmp(&before, &after, sizeof(before)) == 0);
    vrm_dvec3 current[JOINTS], previous[JOINTS];
    vrm_instance_get_spring_tails(s.instance, current, previous, JOINTS);
    for (unsigned k = 0; k < 3 * JOINTS; ++k) {
        // At rest in the hanging pose.
        CHECK_NEAR(*test_axis(&current[k / 3], k % 3), *test_axis(&previous[k / 3], k % 3), 0);
    }
    vrm_update_dt(s.instance, 1.0f / 60);
    const shape later = look(&s);
    CHECK(difference(&later, &after) < 0.1); // from here on only gravity and stiffness act
    CHECK_INT(
        vrm_instance_teleport(s.instance, &(vrm_root){{NAN, 0, 0}, turn(0, 1, 0, 0), 1}), VRM_ERROR_INVALID_ARGUMENT);
    end(&s);
}

// After a warp the motion continues as if the world had rotated. Tested without gravity, since its direction does not
// rotate.
static void warp_keeps_the_motion(void)
{
    static scene a, b;
    begin(&a, 0, 0.3f, true, true);
    begin(&b, 0, 0.3f, true, true);
    const vrm_quat g = turn(0, 1, 0, 2.2f);
    const ref_quat gd = ref_quat_of(g);
    for (int i = 0; i < 150; ++i) {
        const ref_vec at = ref_v(0.3 * sin(0.1 * i), 0, 0.02 * i);
        const ref_vec there = ref_add(ref_rotate(gd, at), ref_v(1000, 20, 3));
        const vrm_quat q = turn(0, 1, 0, 0.02f * (float)i);
        nod(&a, i);
        nod(&b, i);
        place(&a, at.v[0], at.v[1], at.v[2], q, 1);
        if (i < 75) {
            place(&b, at.v[0], at.v[1], at.v[2], q, 1);
        } else {
            place(&b, there.v[0], there.v[1], there.v[2], vrmi_quat_mul(g, q), 1);
        }
        vrm_update_dt(a.instance, 1.0f / 100);
        vrm_update_dt(b.instance, 1.0f / 100);
        if (i == 74) {
            CHECK_INT(vrm_instance_warp(
                          b.instance, &(vrm_root){{there.v[0], there.v[1], there.v[2]}, vrmi_quat_mul(g, q), 1}),
                VRM_SUCCESS);
        }
        const shape x = look(&a), y = look(&b);
        CHECK_NEAR(difference(&x, &y), 0, 1e-4);
    }
    end(&a);
    end(&b);
}

// Compares two runs. In one the root does not move; in the other it moves in a way that hair must not feel.
static void moves_unfelt(int way, float dt, double tolerance)
{
    static scene a, b;
    begin(&a, 0, 0.4f, false, true);
    begin(&b, 0, 0.4f, false, true);
    if (way == 0) {
        vrm_spring_params settings = {.struct_size = sizeof settings};
        vrm_spring_params_default(&settings);
        settings.root_motion = 0;
        CHECK_INT(vrm_instance_set_spring_params(b.instance, &settings), VRM_SUCCESS);
    }
    for (int i = 0; i < 200; ++i) {
        nod(&a, i);
        nod(&b, i);
        const vrm_quat q = turn(0.2f, 1, 0, 0.05f * (float)i);
        const ref_vec at = ref_v(2 * sin(0.2 * i), 0.1 * i, 5000);
        const ref_vec foot = ref_add(at, ref_rotate(ref_quat_of(q), ref_v(1, 0, 2)));
        if (way == 1) { // two steps from the middle of a rotating, moving stage
            vrm_instance_set_platform(b.instance, &(vrm_root){{at.v[0], at.v[1], at.v[2]}, q, 1});
        }
        place(&b, foot.v[0], foot.v[1], foot.v[2], q, 1);
        if (i == 0) {
            vrm_instance_reset_springs(b.instance);
        }
        vrm_update_dt(a.instance, dt);
        vrm_update_dt(b.instance, dt);
        const shape x = look(&a), y = look(&b);
        CHECK_NEAR(difference(&x, &y), 0, tolerance);
    }
    end(&a);
    end(&b);
}

static void root_motion_0(void)
{
    moves_unfelt(0, 1.0f / 60, 1e-4);
    moves_unfelt(0, 1.0f / 144, 1e-4);
}

static void platform(void)
{
    moves_unfelt(1, 1.0f / 60, 1e-4);
    moves_unfelt(1, 1.0f / 144, 1e-4);
}

// A portal on a lift: the lift goes through the portal together with its passenger.
static void warp_on_a_platform(void)
{
    static scene s;
    begin(&s, 0, 0.4f, false, false);
    const vrm_quat g = turn(0, 1, 0, 1.0f), none = turn(0, 1, 0, 0);
    for (int i = 0; i < 60; ++i) {
        const double up = 0.05 * i;
        const bool there = i >= 30;
        const vrm_root lift = {{there ? 70 : 0, up, there ? 9 : 0}, there ? g : none, 1};
        vrm_instance_set_platform(s.instance, &lift);
        vrm_instance_set_root(s.instance, &lift);
        vrm_update_dt(s.instance, 1.0f / 60);
        if (i == 29) {
            vrm_instance_warp(s.instance, &(vrm_root){{70, up, 9}, g, 1});
        }
        const shape now = look(&s), rest = rest_shape(&s);
        CHECK_NEAR(difference(&now, &rest), 0, 1e-4);
    }
    end(&s);
}

// A host's collider that appears at another position does not sweep the space in between.
static void a_new_host_collider_sweeps_nothing(void)
{
    static scene s;
    begin(&s, 0, 0.4f, false, false);
    vrm_host_collider_def host;
    vrm_host_collider_def_default(&host);
    host.radius = 0.3f;
    host.offset.x = -2;
    host.offset.y = 1.5;
    vrm_instance_set_host_collider(s.instance, 0, &host);
    vrm_update_dt(s.instance, 1.0f / 60);
    vrm_instance_set_host_collider(s.instance, 0, NULL);
    host.offset.x = 2;
    vrm_instance_set_host_collider(s.instance, 0, &host);
    vrm_update_dt(s.instance, 0.2f);
    const shape now = look(&s), rest = rest_shape(&s);
    CHECK_NEAR(difference(&now, &rest), 0, 1e-5);
    host.offset.x = -2; // a collider that the host moves sweeps hair along
    vrm_instance_set_host_collider(s.instance, 0, &host);
    vrm_update_dt(s.instance, 0.2f);
    const shape swept = look(&s);
    CHECK(difference(&swept, &rest) > 1e-3);
    end(&s);
}

static void root_motion_half(void)
{
    double swing[3];
    for (int k = 0; k < 3; ++k) {
        static scene s;
        begin(&s, 0, 0.4f, false, false);
        vrm_spring_params settings = {.struct_size = sizeof settings};
        vrm_spring_params_default(&settings);
        settings.root_motion = 0.5f * (float)k;
        vrm_instance_set_spring_params(s.instance, &settings);
        swing[k] = 0;
        for (int i = 0; i < 60; ++i) {
            place(&s, 0.002 * i, 0, 0, turn(0, 1, 0, 0), 1);
            vrm_update_dt(s.instance, 1.0f / 60);
            const shape now = look(&s), rest = rest_shape(&s);
            swing[k] = fmax(swing[k], difference(&now, &rest));
        }
        end(&s);
    }
    CHECK_NEAR(swing[0], 0, 1e-5);
    CHECK_NEAR(swing[1] / swing[2], 0.5, 0.05); // for small motion, the effect is linear
}

static void pause_keeps_the_shape(void)
{
    static scene s;
    begin(&s, 0.5f, 0.4f, false, true);
    for (int i = 0; i < 50; ++i) {
        play(&s, i, 0, 1.0f / 60);
    }
    vrm_spring_params settings = {.struct_size = sizeof settings};
    vrm_instance_get_spring_params(s.instance, &settings);
    settings.paused = true;
    vrm_instance_set_spring_params(s.instance, &settings);
    const shape before = look(&s);
    for (int i = 50; i < 90; ++i) {
        play(&s, 5 * i, 0, 1.0f / 60);
        const shape now = look(&s);
        CHECK(memcmp(&before, &now, sizeof(now)) == 0);
    }
    settings.paused = false;
    vrm_instance_set_spring_params(s.instance, &settings);
    play(&s, 5 * 89, 0, 1.0f / 60);
    const shape after = look(&s);
    CHECK(memcmp(&before, &after, sizeof(after)) == 0); // continues without a jerk
    vrm_update_dt(s.instance, 1.0f / 60);
    const shape later = look(&s);
    CHECK(difference(&later, &after) < 0.1);
    CHECK(difference(&later, &after) > 1e-4);
    end(&s);
}

static void settle_and_reset(void)
{
    static scene a, b;
    begin(&a, 1, 0.4f, false, true);
    begin(&b, 1, 0.4f, false, true);
    nod(&a, 12);
    nod(&b, 12);
    CHECK_INT(vrm_instance_settle_springs(a.instance, 2), VRM_SUCCESS);
    vrm_update_dt(a.instance, 1.0f / 60);
    for (int i = 0; i < 121; ++i) {
        vrm_update_dt(b.instance, 1.0f / 60);
    }
    shape x = look(&a), y = look(&b);
    CHECK_NEAR(difference(&x, &y), 0, 1e-6);
    // Settling simulates the requested time, even during the fade.
    vrm_instance_reset_springs(a.instance);
    vrm_instance_reset_springs(b.instance);
    CHECK_INT(vrm_instance_settle_springs(a.instance, 0.1f), VRM_SUCCESS);
    vrm_update_dt(a.instance, 1.0f / 60);
    for (int i = 0; i < 7; ++i) {
        vrm_update_dt(b.instance, 1.0f / 60);
    }
    x = look(&a);
    y = look(&b);
    CHECK_NEAR(difference(&x, &y), 0, 1e-6);
    const shape rest = rest_shape(&a);
    CHECK(difference(&x, &rest) > 1e-3);
    CHECK_INT(vrm_instance_settle_springs(a.instance, 10.1f), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_settle_springs(a.instance, NAN), VRM_ERROR_INVALID_ARGUMENT);
    vrm_instance_reset_springs(a.instance);
    vrm_update_dt(a.instance, 0);
    x = look(&a);
    y = rest_shape(&a);
    CHECK_NEAR(difference(&x, &y), 0, 1e-6);
    end(&a);
    end(&b);
}

static void weight_blends(void)
{
    static scene a, b;
    begin(&a, 1, 0.4f, false, true);
    begin(&b, 1, 0.4f, false, true);
    for (int i = 0; i < 60; ++i) {
        vrm_instance_set_chain_weight(b.instance, 0, i < 59 ? 1.0f : 0.25f);
        play(&a, i, 0, 1.0f / 60);
        play(&b, i, 0, 1.0f / 60);
    }
    const shape full = look(&a), part = look(&b), rest = rest_shape(&a);
    for (int j = 0; j < HAIR; ++j) {
        const ref_quat expected = ref_slerp(ref_quat_of(rest.local[j]), ref_quat_of(full.local[j]), 0.25);
        CHECK_NEAR(ref_angle(expected, ref_quat_of(part.local[j])), 0, 1e-5);
    }
    CHECK(memcmp(&full.local[HAIR], &part.local[HAIR], sizeof(vrm_quat)) == 0); // the other chain has the same bits
    vrm_instance_set_chain_weight(b.instance, 0, 0);
    play(&b, 60, 0, 1.0f / 60);
    play(&a, 60, 0, 1.0f / 60);
    const shape none = look(&b);
    CHECK(memcmp(none.local, rest.local, HAIR * sizeof(vrm_quat)) == 0);
    vrm_instance_set_chain_weight(b.instance, 0, 1);
    play(&b, 61, 0, 1.0f / 60);
    play(&a, 61, 0, 1.0f / 60);
    const shape again = look(&a), back = look(&b);
    CHECK(memcmp(&again, &back, sizeof(back)) == 0); // the simulation went on while it was not shown
    CHECK_INT(vrm_instance_set_chain_weight(b.instance, 2, 1), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_set_chain_weight(b.instance, 0, 1.5f), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_set_chain_weight(b.instance, 0, NAN), VRM_ERROR_INVALID_ARGUMENT);
    end(&a);
    end(&b);
}

static void settings_and_parameters(void)
{
    static scene a, b;
    begin(&a, 0.5f, 0.4f, false, false);
    begin(&b, 0.5f, 0.4f, false, false);
    vrm_spring_params settings = {.struct_size = sizeof settings};
    vrm_spring_params_default(&settings);
    settings.gravity_scale = 2;
    settings.stiffness_scale = 3;
    settings.external = (vrm_vec3){0, 0.25f, 0};
    CHECK_INT(vrm_instance_set_spring_params(a.instance, &settings), VRM_SUCCESS);
    for (uint32_t j = 0; j < JOINTS; ++j) { // the same, set by parameters
        vrm_spring_joint_params params;
        CHECK_INT(vrm_instance_get_spring_joint(b.instance, j, &params), VRM_SUCCESS);
        params.gravity_power = 0.5f * 2 - 0.25f;
        params.stiffness *= 3;
        CHECK_INT(vrm_instance_set_spring_joint(b.instance, j, &params), VRM_SUCCESS);
    }
    for (int i = 0; i < 100; ++i) {
        play(&a, i, 0, 1.0f / 60);
        play(&b, i, 0, 1.0f / 60);
    }
    const shape x = look(&a), y = look(&b);
    CHECK_NEAR(difference(&x, &y), 0, 1e-5);
    settings.root_motion = 1.1f;
    CHECK_INT(vrm_instance_set_spring_params(a.instance, &settings), VRM_ERROR_INVALID_ARGUMENT);
    settings.root_motion = 1;
    settings.stiffness_scale = -1;
    CHECK_INT(vrm_instance_set_spring_params(a.instance, &settings), VRM_ERROR_INVALID_ARGUMENT);
    settings.external.z = NAN;
    CHECK_INT(vrm_instance_set_spring_params(a.instance, &settings), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_get_status(a.instance), VRM_STATUS_INPUT_NOT_FINITE);
    vrm_spring_joint_params params = fixture_joint_params(1, 1, 1.1f, 0);
    CHECK_INT(vrm_instance_set_spring_joint(a.instance, 0, &params), VRM_ERROR_INVALID_ARGUMENT);
    params.drag_force = 1;
    CHECK_INT(vrm_instance_set_spring_joint(a.instance, JOINTS, &params), VRM_ERROR_INVALID_ARGUMENT);
    params.gravity_dir.x = INFINITY;
    CHECK_INT(vrm_instance_set_spring_joint(a.instance, 0, &params), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(
        vrm_instance_set_platform(a.instance, &(vrm_root){{0, 0, 0}, {0, 0, 0, 0}, 1}), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(
        vrm_instance_set_platform(a.instance, &(vrm_root){{NAN, 0, 0}, {0, 0, 0, 1}, 1}), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_set_platform(a.instance, NULL), VRM_SUCCESS);
    vrm_instance *plain = fixture_instance(a.avatar);
    params = fixture_joint_params(1, 1, 1, 0);
    CHECK_INT(vrm_instance_set_spring_joint(plain, 0, &params), VRM_ERROR_UNSUPPORTED);
    vrm_instance_destroy(plain);
    end(&a);
    end(&b);
}

// With `hanging`, the step is the specification's with other parameters: less stiffness, and more gravity straight down.
static void hanging_is_weight(void)
{
    static scene a, b;
    const double hanging = 0.7;
    begin(&a, 0.3f, 0.4f, true, true);
    begin(&b, 0.3f, 0.4f, true, true);
    vrm_spring_params settings;
    vrm_spring_params_default(&settings);
    settings.hanging = (float)hanging;
    CHECK_INT(vrm_instance_set_spring_params(a.instance, &settings), VRM_SUCCESS);
    int changed = 0;
    for (uint32_t j = 0; j < JOINTS; ++j) {
        vrm_spring_joint joint = {.struct_size = sizeof joint};
        vrm_node node = {.struct_size = sizeof node};
        CHECK_INT(vrm_avatar_get_spring_joint(b.avatar, j, &joint), VRM_SUCCESS);
        CHECK_INT(vrm_avatar_get_node(b.avatar, joint.node, &node), VRM_SUCCESS);
        const ref_vec bone = ref_rotate(ref_quat_of(node.rest_rotation), ref_vec_of(joint.tail));
        const double weight = hanging * fmax(0.0, -bone.v[1] / ref_length(bone));
        changed += weight > 0.3;
        vrm_spring_joint_params params = joint.params;
        params.gravity_dir.y -= (float)(weight * (double)params.stiffness / (double)params.gravity_power);
        params.stiffness *= (float)(1.0 - weight);
        CHECK_INT(vrm_instance_set_spring_joint(b.instance, j, &params), VRM_SUCCESS);
    }
    CHECK(changed > 4);
    for (int i = 0; i < 100; ++i) {
        play(&a, i, 0, 1.0f / 60);
        play(&b, i, 0, 1.0f / 60);
    }
    const shape x = look(&a), y = look(&b);
    CHECK_NEAR(difference(&x, &y), 0, 1e-5);
    settings.hanging = 1.01f;
    CHECK_INT(vrm_instance_set_spring_params(a.instance, &settings), VRM_ERROR_INVALID_ARGUMENT);
    settings.hanging = -0.01f;
    CHECK_INT(vrm_instance_set_spring_params(a.instance, &settings), VRM_ERROR_INVALID_ARGUMENT);
    settings.hanging = NAN;
    CHECK_INT(vrm_instance_set_spring_params(a.instance, &settings), VRM_ERROR_INVALID_ARGUMENT);
    end(&a);
    end(&b);
}

// A file's hair without gravity stands out from a head that lies, and hangs from it with `hanging`. A tuft that points
// up stays as it is.
static void hair_of_a_lying_head_hangs(void)
{
    for (int side = 0; side < 3; ++side) {
        static scene s;
        begin(&s, 0.0f, 0.4f, false, false);
        const vrm_quat lying =
            turn(side == 0 ? 1.0f : 0.0f, 0.0f, side > 0 ? 1.0f : 0.0f, side == 1 ? 1.5708f : -1.5708f);
        place(&s, 0.0, 0.0, 0.0, lying, 1.0f);
        double down[2];
        for (int k = 0; k < 2; ++k) {
            vrm_spring_params settings;
            vrm_spring_params_default(&settings);
            settings.hanging = k == 0 ? 0.0f : 0.85f;
            CHECK_INT(vrm_instance_set_spring_params(s.instance, &settings), VRM_SUCCESS);
            for (int i = 0; i < 300; ++i) {
                vrm_update_dt(s.instance, 1.0f / 60);
            }
            vrm_dvec3 tails[JOINTS], old[JOINTS];
            vrm_instance_get_spring_tails(s.instance, tails, old, JOINTS);
            const double x = tails[HAIR - 1].x - tails[0].x, y = tails[HAIR - 1].y - tails[0].y,
                         z = tails[HAIR - 1].z - tails[0].z;
            down[k] = 57.29577951308232 * acos(-y / sqrt(x * x + y * y + z * z));
        }
        CHECK(down[0] > 35.0);
        CHECK(down[1] < 20.0);
        end(&s);
    }
}

static void snapshot_goes_on_with_the_same_bits(void)
{
    static scene s;
    begin(&s, 0.5f, 0.3f, true, true);
    vrm_spring_params settings;
    vrm_spring_params_default(&settings);
    settings.hanging = 0.8f;
    CHECK_INT(vrm_instance_set_spring_params(s.instance, &settings), VRM_SUCCESS);
    vrm_host_collider_def host;
    vrm_host_collider_def_default(&host);
    host.node = (int32_t)s.joints[1]; // moves with hair
    host.radius = 0.02f;
    host.chain = 1;
    vrm_instance_set_host_collider(s.instance, 1, &host);
    vrm_instance_set_platform(s.instance, &(vrm_root){{0, 0, 1}, turn(0, 1, 0, 0.1f), 1});
    for (int i = 0; i < 77; ++i) {
        play(&s, i, 0, 0.011f);
    }
    static unsigned char bytes[1 << 16];
    size_t size = sizeof(bytes);
    CHECK_INT(vrm_instance_snapshot(s.instance, bytes, &size), VRM_SUCCESS);
    shape first[40];
    for (int run = 0; run < 2; ++run) {
        for (int i = 0; i < 40; ++i) {
            play(&s, 77 + i, 0, 0.011f);
            const shape now = look(&s);
            CHECK(run == 0 || memcmp(&first[i], &now, sizeof(now)) == 0);
            first[i] = now;
        }
        vrm_instance_reset_springs(s.instance);
        CHECK_INT(vrm_instance_set_host_collider(s.instance, 1, NULL), VRM_SUCCESS);
        settings.hanging = 0.1f;
        CHECK_INT(vrm_instance_set_spring_params(s.instance, &settings), VRM_SUCCESS);
        CHECK_INT(vrm_instance_restore(s.instance, bytes, size), VRM_SUCCESS);
    }
    end(&s);
}

static const test_case cases[] = {
    {"teleport_is_not_felt", teleport_is_not_felt},
    {"warp_keeps_the_motion", warp_keeps_the_motion},
    {"warp_on_a_platform", warp_on_a_platform},
    {"a_new_host_collider_sweeps_nothing", a_new_host_collider_sweeps_nothing},
    {"root_motion_0", root_motion_0},
    {"root_motion_half", root_motion_half},
    {"platform", platform},
    {"pause_keeps_the_shape", pause_keeps_the_shape},
    {"settle_and_reset", settle_and_reset},
    {"weight_blends", weight_blends},
    {"settings_and_parameters", settings_and_parameters},
    {"hanging_is_weight", hanging_is_weight},
    {"hair_of_a_lying_head_hangs", hair_of_a_lying_head_hangs},
    {"snapshot_goes_on_with_the_same_bits", snapshot_goes_on_with_the_same_bits},
};

RUN_TESTS(cases)
