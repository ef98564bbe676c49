// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Properties of springs that hold for all numbers: fixed points, invariance, time.

#include "spring_scene.h"

// --- invariances ---------------------------------------------------------------------------------------------------

static void rest_is_a_fixed_point(void)
{
    static const float steps[] = {1.0f / 60, 1.0f / 144, 0.05f, 0.3f};
    for (int k = 0; k < 4; ++k) {
        static scene s;
        begin(&s, 0, 0.4f, k % 2, false);
        nod(&s, 5);
        place(&s, 3, 1, -4, turn(1, 2, 3, 1.0f), 2.5f);
        const shape rest = rest_shape(&s);
        for (int i = 0; i < 300; ++i) {
            vrm_update_dt(s.instance, steps[k]);
            const shape now = look(&s);
            CHECK_NEAR(difference(&now, &rest), 0, 1e-5);
        }
        end(&s);
    }
}

static void a_rigid_motion_of_all_changes_nothing(void)
{
    static scene a, b;
    begin(&a, 0.5f, 0.4f, false, true);
    begin(&b, 0.5f, 0.4f, false, true);
    const vrm_quat g = turn(3, -1, 2, 2.0f);
    const ref_quat gd = ref_normalized(ref_quat_of(g));
    for (uint32_t j = 0; j < JOINTS; ++j) {
        vrm_spring_joint_params params;
        vrm_instance_get_spring_joint(b.instance, j, &params);
        params.gravity_dir = vrmi_quat_rotate(g, params.gravity_dir);
        CHECK_INT(vrm_instance_set_spring_joint(b.instance, j, &params), VRM_SUCCESS);
    }
    vrm_spring_params wind;
    vrm_spring_params_default(&wind);
    wind.external = (vrm_vec3){0.3f, 0.1f, -0.2f};
    vrm_instance_set_spring_params(a.instance, &wind);
    wind.external = vrmi_quat_rotate(g, wind.external);
    vrm_instance_set_spring_params(b.instance, &wind);
    for (int i = 0; i < 300; ++i) {
        const ref_vec at = ref_v(0.3 * sin(0.1 * i), 0, 0.02 * i), moved = ref_rotate(gd, at);
        const ref_vec hit = ref_add(at, ref_v(0, 1.4, -0.25)), hit_moved = ref_rotate(gd, hit);
        vrm_host_collider_def collider;
        vrm_host_collider_def_default(&collider);
        collider.radius = 0.15f;
        collider.offset = (vrm_dvec3){hit.v[0], hit.v[1], hit.v[2]};
        vrm_instance_set_host_collider(a.instance, 0, &collider);
        collider.offset = (vrm_dvec3){hit_moved.v[0] + 5, hit_moved.v[1] + 5, hit_moved.v[2] + 5};
        vrm_instance_set_host_collider(b.instance, 0, &collider);
        nod(&a, i);
        nod(&b, i);
        const vrm_quat q = turn(0, 1, 0, 0.02f * (float)i);
        place(&a, at.v[0], at.v[1], at.v[2], q, 1);
        place(&b, moved.v[0] + 5, moved.v[1] + 5, moved.v[2] + 5, vrmi_quat_mul(g, q), 1);
        const float dt = i % 3 == 0 ? 0.01f : 0.02f;
        vrm_update_dt(a.instance, dt);
        vrm_update_dt(b.instance, dt);
        const shape x = look(&a), y = look(&b);
        CHECK_NEAR(difference(&x, &y), 0, 1e-4);
    }
    end(&a);
    end(&b);
}

static void far_from_the_origin_is_the_same(void)
{
    static const double distances[] = {1e3, 1e5};
    for (int k = 0; k < 2; ++k) {
        static scene a, b;
        begin(&a, 0.5f, 0.4f, k == 1, true);
        begin(&b, 0.5f, 0.4f, k == 1, true);
        for (int i = 0; i < 300; ++i) {
            play(&a, i, 0, 1.0f / 72);
            play(&b, i, distances[k], 1.0f / 72);
            const shape x = look(&a), y = look(&b);
            CHECK_NEAR(difference(&x, &y), 0, 1e-5);
        }
        end(&a);
        end(&b);
    }
}

// A giant in an equally enlarged world moves in the same way.
static void scale_changes_nothing(void)
{
    static const float scales[] = {0.1f, 10.0f};
    for (int k = 0; k < 2; ++k) {
        static scene a, b;
        begin(&a, 0.5f, 0.4f, false, true);
        begin(&b, 0.5f, 0.4f, false, true);
        for (int i = 0; i < 200; ++i) {
            const double x = 0.2 * sin(0.1 * i);
            nod(&a, i);
            nod(&b, i);
            place(&a, x, 0, 0, turn(0, 1, 0, 0.02f * (float)i), 1);
            place(&b, x * (double)scales[k], 0, 0, turn(0, 1, 0, 0.02f * (float)i), scales[k]);
            vrm_update_dt(a.instance, 1.0f / 60);
            vrm_update_dt(b.instance, 1.0f / 60);
            const shape p = look(&a), q = look(&b);
            CHECK_NEAR(difference(&p, &q), 0, 1e-4);
        }
        end(&a);
        end(&b);
    }
}

static void bones_keep_their_length(void)
{
    static scene s;
    begin(&s, 1, 0.1f, false, true);
    for (int i = 0; i < 500; ++i) {
        play(&s, i * 3, 0, i % 7 == 0 ? 0.4f : 0.011f);
        vrm_outputs outputs = {.struct_size = sizeof outputs};
        vrm_instance_get_outputs(s.instance, &outputs);
        for (uint32_t j = 0; j < JOINTS; ++j) {
            const vrmi_joint_row *joint = &vrmi_model_spring_joint(s.avatar->model)[j];
            const vrm_mat34 *head = &outputs.world[joint->node], *tail = &outputs.world[joint->tail_node];
            const double length =
                ref_length(ref_sub(ref_vec_of(vrmi_mat34_translation(tail)), ref_vec_of(vrmi_mat34_translation(head))));
            CHECK_NEAR(length, ref_length(ref_vec_of(joint->tail)), 2e-6);
        }
    }
    end(&s);
}

static void at_rest_nothing_moves(void)
{
    static scene s;
    begin(&s, 0.5f, 0.4f, false, true);
    for (int i = 0; i < 1000; ++i) {
        vrm_update_dt(s.instance, 1.0f / 60);
    }
    vrm_outputs outputs = {.struct_size = sizeof outputs};
    vrm_instance_get_outputs(s.instance, &outputs);
    vrm_vec3 last = vrmi_mat34_translation(&outputs.world[s.joints[HAIR - 1] + 1]);
    for (int i = 0; i < 300; ++i) {
        vrm_update_dt(s.instance, 1.0f / 144);
        vrm_instance_get_outputs(s.instance, &outputs);
        const vrm_vec3 now = vrmi_mat34_translation(&outputs.world[s.joints[HAIR - 1] + 1]);
        CHECK_NEAR(ref_length(ref_sub(ref_vec_of(now), ref_vec_of(last))), 0, 1e-5);
        last = now;
    }
    end(&s);
}

// No value decays into denormals, which are slow and depend on the host's settings.
static void no_denormals(void)
{
    static scene s;
    begin(&s, 0, 0.9f, false, false);
    test_random random = test_random_make(5);
    for (int i = 0; i < 2000; ++i) {
        if (i < 20) {
            play(&s, i, 0, 1.0f / 60);
        }
        for (int j = 0; j < JOINTS && i == 20; ++j) { // once sets velocities so small that they are about to decay to 0
            vrmi_spring_motion motion = spring_motion(s.instance, (uint32_t)j);
            motion.velocity.x = test_random_float(&random, 1e-24f, 1e-22f);
            set_spring_motion(s.instance, (uint32_t)j, &motion);
        }
        vrm_update_dt(s.instance, 1.0f / 60);
        for (int j = 0; j < JOINTS; ++j) {
            const vrmi_spring_motion motion = spring_motion(s.instance, (uint32_t)j);
            const vrm_vec3 v = motion.velocity, t = motion.tail;
            const float all[] = {v.x, v.y, v.z, t.x, t.y, t.z};
            for (int k = 0; k < 6; ++k) {
                CHECK(all[k] == 0.0f || vrmi_abs(all[k]) >= 1e-20f);
            }
        }
    }
    end(&s);
    // The chain hangs straight down and nothing pushes it aside, so its sideways components halve forever.
    static fixture f;
    fixture_begin(&f);
    fixture_hair(&f, fixture_node_add(&f, -1, "root", fixture_at(0, 1, 0)), 3, 0.1f);
    vrm_avatar *avatar = fixture_finish(&f);
    vrm_instance *instance = fixture_instance(avatar);
    vrm_update_dt(instance, 1.0f / 60);
    vrmi_spring_motion motion = spring_motion(instance, 0);
    motion.tail.x = 1e-6f;
    set_spring_motion(instance, 0, &motion);
    for (int i = 0; i < 3000; ++i) {
        vrm_update_dt(instance, 1.0f / 60);
        motion = spring_motion(instance, 0);
        const float x = motion.tail.x, v = motion.velocity.x;
        CHECK((x == 0.0f || vrmi_abs(x) >= 1e-20f) && (v == 0.0f || vrmi_abs(v) >= 1e-20f));
    }
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

static bool finite(const scene *s)
{
    const shape now = look(s);
    bool ok = true;
    for (int j = 0; j < JOINTS; ++j) {
        const vrm_quat q = now.local[j];
        ok = ok && vrmi_abs(vrmi_quat_dot(q, q) - 1) < 1e-4f;
    }
    return ok;
}

static void random_frames(void)
{
    static scene s;
    begin(&s, 1, 0.1f, true, true);
    test_random random = test_random_make(11);
    for (int i = 0; i < 10000; ++i) {
        const uint32_t dice = test_random_below(&random, 40);
        const float dt = dice == 0 ? 0 : dice == 1 ? 5e8f : dice == 2 ? 1e-6f : test_random_float(&random, 0, 0.06f);
        const double far_away = dice == 3 ? 1e30 : 1;
        const float scale = dice < 5 ? test_random_float(&random, 0.1f, 10) : 1;
        vrm_vec3 axis = {test_random_float(&random, -1, 1), 1, test_random_float(&random, -1, 1)};
        place(&s, far_away * (double)test_random_float(&random, -1, 1), 0, 0, turn(axis.x, axis.y, axis.z, axis.x),
            scale);
        const vrm_quat head = turn(axis.z, axis.x, 1, test_random_float(&random, -3, 3));
        vrm_instance_set_rotation(s.instance, s.head, &head);
        vrm_update_params params;
        vrm_update_params_default(&params);
        params.dt = dt;
        params.spring_time = dice % 8 == 7 ? VRM_SPRING_TIME_REFERENCE : VRM_SPRING_TIME_DEFAULT;
        vrm_update(s.instance, &params);
        if (!finite(&s)) {
            CHECK(finite(&s));
            break;
        }
    }
    CHECK((vrm_instance_get_status(s.instance) & VRM_STATUS_SPRING_RESET) == 0);
    end(&s);
}

static void a_lost_chain_starts_again(void)
{
    static scene s;
    begin(&s, 0.5f, 0.4f, false, true);
    for (int i = 0; i < 20; ++i) {
        play(&s, i, 0, 1.0f / 60);
    }
    vrmi_spring_motion broken = spring_motion(s.instance, 1);
    broken.tail.x = NAN;
    set_spring_motion(s.instance, 1, &broken);
    vrm_update_dt(s.instance, 1.0f / 60);
    CHECK(vrm_instance_get_status(s.instance) & VRM_STATUS_SPRING_RESET);
    CHECK(finite(&s));
    const shape now = look(&s), rest = rest_shape(&s);
    CHECK_NEAR(ref_angle(ref_quat_of(now.local[0]), ref_quat_of(rest.local[0])), 0, 1e-6);
    CHECK(ref_angle(ref_quat_of(now.local[HAIR]), ref_quat_of(rest.local[HAIR])) > 1e-3); // the other chain continues
    end(&s);
}

// --- time ----------------------------------------------------------------------------------------------------------

static void no_time_no_change(void)
{
    static scene a, b;
    begin(&a, 0.5f, 0.4f, true, true);
    begin(&b, 0.5f, 0.4f, true, true);
    const float nothing[] = {0, -1, NAN, INFINITY};
    for (int i = 0; i < 100; ++i) {
        play(&a, i, 0, 0.013f);
        play(&b, i, 0, 0.013f);
        const shape before = look(&b);
        vrm_update_dt(b.instance, nothing[i % 4]);
        const shape after = look(&b), other = look(&a);
        CHECK(memcmp(&before, &after, sizeof(before)) == 0);
        CHECK(memcmp(&other, &after, sizeof(other)) == 0);
    }
    end(&a);
    end(&b);
}

// The rounding of dt does not let frames drift away from the ticks.
static void frames_stay_on_ticks(void)
{
    static scene s;
    begin(&s, 0.5f, 0.4f, false, false);
    vrm_update_dt(s.instance, 0);
    for (int i = 1; i <= 40000; ++i) {
        vrm_update_dt(s.instance, 1.0f / 240);
        if (i % 4 == 0) {
            CHECK_NEAR(s.instance->springs.ticks, 0, 0);
        }
    }
    end(&s);
}

static void a_hitch_carries_hair_along(void)
{
    static scene s, t;
    begin(&s, 0.5f, 0.4f, false, false);
    begin(&t, 0.5f, 0.4f, false, false);
    for (int i = 0; i < 120; ++i) { // walking
        place(&s, 0, 0, i * 1.3 / 60, turn(0, 1, 0, 0), 1);
        vrm_update_dt(s.instance, 1.0f / 60);
        place(&t, 0, 0, i * 1.3 / 60, turn(0, 1, 0, 0), 1);
        vrm_update_dt(t.instance, 1.0f / 60);
    }
    CHECK((vrm_instance_get_status(s.instance) & VRM_STATUS_TIME_CLAMPED) == 0);
    place(&s, 0, 0, 149 * 1.3 / 60, turn(0, 1, 0, 0), 1); // half a second in one frame, along the same path
    vrm_update_dt(s.instance, 0.5f);
    CHECK(vrm_instance_get_status(s.instance) & VRM_STATUS_TIME_CLAMPED);
    const shape x = look(&s), y = look(&t);
    CHECK_NEAR(difference(&x, &y), 0, 2e-3); // the walk was steady and still is
    end(&s);
    end(&t);
}

static const test_case cases[] = {
    {"rest_is_a_fixed_point", rest_is_a_fixed_point},
    {"a_rigid_motion_of_all_changes_nothing", a_rigid_motion_of_all_changes_nothing},
    {"far_from_the_origin_is_the_same", far_from_the_origin_is_the_same},
    {"scale_changes_nothing", scale_changes_nothing},
    {"bones_keep_their_length", bones_keep_their_length},
    {"at_rest_nothing_moves", at_rest_nothing_moves},
    {"no_denormals", no_denormals},
    {"random_frames", random_frames},
    {"a_lost_chain_starts_again", a_lost_chain_starts_again},
    {"no_time_no_change", no_time_no_change},
    {"frames_stay_on_ticks", frames_stay_on_ticks},
    {"a_hitch_carries_hair_along", a_hitch_carries_hair_along},
};

RUN_TESTS(cases)
