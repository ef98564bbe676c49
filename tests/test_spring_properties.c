// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// What must be true of springs whatever the numbers: fixed points, invariance, and what each control promises.

#include <vrm/output.h>

#include "runtime/spring_joint.h"

#include "model_fixture.h"
#include "reference_math.h"
#include "test.h"
#include "test_random.h"

enum { HAIR = 4, JOINTS = 7 };

typedef struct scene {
    fixture f;
    vrm_avatar *avatar;
    vrm_instance *instance;
    uint32_t head, joints[JOINTS];
} scene;

static void begin(scene *s, float gravity, float drag, bool center, bool colliders)
{
    fixture *f = &s->f;
    fixture_begin(f);
    fixture_humanoid(f);
    const int32_t head = f->bones[VRM_HUMAN_BONE_HEAD];
    int32_t n[HAIR + 1], m[4];
    for (int i = 0; i <= HAIR; ++i) {
        n[i] = fixture_node_add(f, i == 0 ? head : n[i - 1], "hair",
            fixture_turned(0.02f, i == 0 ? 0.1f : -0.06f, -0.02f, (vrm_vec3){1, 2, 2}, 0.2f));
    }
    fixture_chain(f, n, HAIR + 1, fixture_joint_params(1.0f, gravity, drag, 0.02f), -1);
    if (colliders) {
        fixture_collider(f, (vrm_collider){VRM_COLLIDER_SPHERE, (uint32_t)head, {0.02f, 0, -0.05f}, {0, 0, 0}, 0.08f});
        fixture_collider(f, (vrm_collider){VRM_COLLIDER_CAPSULE, (uint32_t)f->bones[VRM_HUMAN_BONE_CHEST],
                                {-0.1f, 0.1f, -0.05f}, {0.1f, 0.1f, -0.05f}, 0.08f});
    }
    for (int i = 0; i < 4; ++i) {
        m[i] = fixture_node_add(f, i == 0 ? f->bones[VRM_HUMAN_BONE_HIPS] : m[i - 1], "skirt",
            fixture_at(0.02f, i == 0 ? 0.0f : -0.1f, 0.05f));
    }
    fixture_chain(
        f, m, 4, fixture_joint_params(0.6f, gravity, drag, 0.02f), center ? f->bones[VRM_HUMAN_BONE_HIPS] : -1);
    s->avatar = fixture_finish(f);
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = s->avatar;
    def.spring_parameters = true;
    def.host_colliders = 2;
    CHECK_INT(vrm_instance_create(&def, &s->instance), VRM_SUCCESS);
    s->head = (uint32_t)f->order[head];
    for (uint32_t j = 0; j < JOINTS; ++j) {
        s->joints[j] = vrmi_model_spring_joint(s->avatar->model)[j].node;
    }
}

static void end(scene *s)
{
    vrm_instance_destroy(s->instance);
    vrm_avatar_release(s->avatar);
    CHECK_INT(s->f.memory.live, 0);
}

static vrm_quat turn(float x, float y, float z, float angle)
{
    return vrmi_quat_from_axis_angle(vrmi_vec3_normalize_or((vrm_vec3){x, y, z}, (vrm_vec3){0, 1, 0}), angle);
}

static void place(scene *s, double x, double y, double z, vrm_quat rotation, float scale)
{
    CHECK_INT(vrm_instance_set_root(s->instance, &(vrm_root){{x, y, z}, rotation, scale}), VRM_SUCCESS);
}

static void nod(scene *s, int i)
{
    float sine, cosine;
    vrmi_sincos(0.12f * (float)i, &sine, &cosine);
    const vrm_quat rest = vrmi_model_node_rest(s->avatar->model)[s->head].rotation;
    const vrm_quat local = vrmi_quat_mul(rest, turn(1, 0.3f, 0, 0.5f * sine));
    vrm_instance_set_rotation(s->instance, s->head, &local);
}

typedef struct shape {
    vrm_quat local[JOINTS];
} shape;

static shape look(const scene *s)
{
    vrm_outputs outputs;
    vrm_instance_get_outputs(s->instance, &outputs);
    shape out;
    for (int j = 0; j < JOINTS; ++j) {
        out.local[j] = outputs.local[s->joints[j]].rotation;
    }
    return out;
}

static double difference(const shape *a, const shape *b)
{
    double worst = 0;
    for (int j = 0; j < JOINTS; ++j) {
        worst = fmax(worst, ref_angle(ref_quat_of(a->local[j]), ref_quat_of(b->local[j])));
    }
    return worst;
}

static shape rest_shape(const scene *s)
{
    shape out;
    for (int j = 0; j < JOINTS; ++j) {
        out.local[j] = vrmi_model_node_rest(s->avatar->model)[s->joints[j]].rotation;
    }
    return out;
}

// A lively frame: head, root.
static void play(scene *s, int i, double x0, float dt)
{
    nod(s, i);
    place(s, x0 + 0.3 * sin(0.1 * i), 0, 0.02 * i, turn(0, 1, 0, 0.02f * (float)i), 1);
    vrm_update_dt(s->instance, dt);
}

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
    vrm_spring_settings wind;
    vrm_spring_settings_default(&wind);
    wind.external = (vrm_vec3){0.3f, 0.1f, -0.2f};
    vrm_instance_set_spring_settings(a.instance, &wind);
    wind.external = vrmi_quat_rotate(g, wind.external);
    vrm_instance_set_spring_settings(b.instance, &wind);
    for (int i = 0; i < 300; ++i) {
        const ref_vec at = ref_v(0.3 * sin(0.1 * i), 0, 0.02 * i), moved = ref_rotate(gd, at);
        const ref_vec hit = ref_add(at, ref_v(0, 1.4, -0.25)), hit_moved = ref_rotate(gd, hit);
        vrm_host_collider collider;
        vrm_host_collider_default(&collider);
        collider.radius = 0.15f;
        for (int k = 0; k < 3; ++k) {
            collider.offset[k] = hit.v[k];
        }
        vrm_instance_set_host_collider(a.instance, 0, &collider);
        for (int k = 0; k < 3; ++k) {
            collider.offset[k] = hit_moved.v[k] + 5;
        }
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

// A giant in a world that is as much larger moves the same.
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
        vrm_outputs outputs;
        vrm_instance_get_outputs(s.instance, &outputs);
        for (uint32_t j = 0; j < JOINTS; ++j) {
            const vrm_spring_joint *joint = &vrmi_model_spring_joint(s.avatar->model)[j];
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
    vrm_outputs outputs;
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

// Nothing decays into denormals, which cost hosts dearly and depend on their settings.
static void no_denormals(void)
{
    static scene s;
    begin(&s, 0, 0.9f, false, false);
    test_random random = test_random_make(5);
    for (int i = 0; i < 2000; ++i) {
        if (i < 20) {
            play(&s, i, 0, 1.0f / 60);
        }
        for (int j = 0; j < JOINTS && i == 20; ++j) { // about to die out
            const uint32_t slot = vrmi_spring_slot(s.instance, (uint32_t)j);
            vrmi_spring_motion motion = vrmi_spring_get_motion(s.instance, slot);
            motion.velocity.x = test_random_float(&random, 1e-24f, 1e-22f);
            vrmi_spring_set_motion(s.instance, slot, &motion);
        }
        vrm_update_dt(s.instance, 1.0f / 60);
        for (int j = 0; j < JOINTS; ++j) {
            const vrmi_spring_motion motion =
                vrmi_spring_get_motion(s.instance, vrmi_spring_slot(s.instance, (uint32_t)j));
            const vrm_vec3 v = motion.velocity, t = motion.tail;
            const float all[] = {v.x, v.y, v.z, t.x, t.y, t.z};
            for (int k = 0; k < 6; ++k) {
                CHECK(all[k] == 0.0f || vrmi_abs(all[k]) >= 1e-20f);
            }
        }
    }
    end(&s);
    // Straight down with nothing to push it aside: the sideways parts halve for ever.
    static fixture f;
    fixture_begin(&f);
    fixture_hair(&f, fixture_node_add(&f, -1, "root", fixture_at(0, 1, 0)), 3, 0.1f);
    vrm_avatar *avatar = fixture_finish(&f);
    vrm_instance *instance = fixture_instance(avatar);
    vrm_update_dt(instance, 1.0f / 60);
    const uint32_t slot = vrmi_spring_slot(instance, 0);
    vrmi_spring_motion motion = vrmi_spring_get_motion(instance, slot);
    motion.tail.x = 1e-6f;
    vrmi_spring_set_motion(instance, slot, &motion);
    for (int i = 0; i < 3000; ++i) {
        vrm_update_dt(instance, 1.0f / 60);
        motion = vrmi_spring_get_motion(instance, slot);
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
    CHECK((vrm_instance_status(s.instance) & VRM_STATUS_SPRING_RESET) == 0);
    end(&s);
}

static void a_lost_chain_starts_again(void)
{
    static scene s;
    begin(&s, 0.5f, 0.4f, false, true);
    for (int i = 0; i < 20; ++i) {
        play(&s, i, 0, 1.0f / 60);
    }
    vrmi_spring_motion broken = vrmi_spring_get_motion(s.instance, vrmi_spring_slot(s.instance, 1));
    broken.tail.x = NAN;
    vrmi_spring_set_motion(s.instance, vrmi_spring_slot(s.instance, 1), &broken);
    vrm_update_dt(s.instance, 1.0f / 60);
    CHECK(vrm_instance_status(s.instance) & VRM_STATUS_SPRING_RESET);
    CHECK(finite(&s));
    const shape now = look(&s), rest = rest_shape(&s);
    CHECK_NEAR(ref_angle(ref_quat_of(now.local[0]), ref_quat_of(rest.local[0])), 0, 1e-6);
    CHECK(ref_angle(ref_quat_of(now.local[HAIR]), ref_quat_of(rest.local[HAIR])) > 1e-3); // the other one goes on
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

// A rounded dt does not creep away from the ticks that it is a part of.
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
    CHECK((vrm_instance_status(s.instance) & VRM_STATUS_TIME_CLAMPED) == 0);
    place(&s, 0, 0, 149 * 1.3 / 60, turn(0, 1, 0, 0), 1); // half a second in one frame, on the same way
    vrm_update_dt(s.instance, 0.5f);
    CHECK(vrm_instance_status(s.instance) & VRM_STATUS_TIME_CLAMPED);
    const shape x = look(&s), y = look(&t);
    CHECK_NEAR(difference(&x, &y), 0, 2e-3); // walking on was steady, and still is
    end(&s);
    end(&t);
}

// --- controls ------------------------------------------------------------------------------------------------------

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
    double current[3 * JOINTS], previous[3 * JOINTS];
    vrm_instance_get_spring_tails(s.instance, current, previous, JOINTS);
    for (int k = 0; k < 3 * JOINTS; ++k) {
        CHECK_NEAR(current[k], previous[k], 0); // at rest where it hangs
    }
    vrm_update_dt(s.instance, 1.0f / 60);
    const shape later = look(&s);
    CHECK(difference(&later, &after) < 0.1); // only gravity and stiffness from here
    CHECK_INT(
        vrm_instance_teleport(s.instance, &(vrm_root){{NAN, 0, 0}, turn(0, 1, 0, 0), 1}), VRM_ERROR_INVALID_ARGUMENT);
    end(&s);
}

// Motion goes on through a portal as if the world had turned. Gravity is none, for it does not turn along.
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

// Two runs: one stands, one moves with its root in a way that hair is not to feel.
static void moves_unfelt(int way, float dt, double tolerance)
{
    static scene a, b;
    begin(&a, 0, 0.4f, false, true);
    begin(&b, 0, 0.4f, false, true);
    if (way == 0) {
        vrm_spring_settings settings;
        vrm_spring_settings_default(&settings);
        settings.root_motion = 0;
        CHECK_INT(vrm_instance_set_spring_settings(b.instance, &settings), VRM_SUCCESS);
    }
    for (int i = 0; i < 200; ++i) {
        nod(&a, i);
        nod(&b, i);
        const vrm_quat q = turn(0.2f, 1, 0, 0.05f * (float)i);
        const ref_vec at = ref_v(2 * sin(0.2 * i), 0.1 * i, 5000);
        const ref_vec foot = ref_add(at, ref_rotate(ref_quat_of(q), ref_v(1, 0, 2)));
        if (way == 1) { // stands two steps from the middle of a turning, travelling stage
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

// A portal on a lift: the lift goes through with who stands on it.
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

// A host's collider that appears elsewhere has not come through what lies between.
static void a_new_host_collider_sweeps_nothing(void)
{
    static scene s;
    begin(&s, 0, 0.4f, false, false);
    vrm_host_collider host;
    vrm_host_collider_default(&host);
    host.radius = 0.3f;
    host.offset[0] = -2;
    host.offset[1] = 1.5;
    vrm_instance_set_host_collider(s.instance, 0, &host);
    vrm_update_dt(s.instance, 1.0f / 60);
    vrm_instance_set_host_collider(s.instance, 0, NULL);
    host.offset[0] = 2;
    vrm_instance_set_host_collider(s.instance, 0, &host);
    vrm_update_dt(s.instance, 0.2f);
    const shape now = look(&s), rest = rest_shape(&s);
    CHECK_NEAR(difference(&now, &rest), 0, 1e-5);
    host.offset[0] = -2; // moved by its host it does come through
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
        vrm_spring_settings settings;
        vrm_spring_settings_default(&settings);
        settings.root_motion = 0.5f * (float)k;
        vrm_instance_set_spring_settings(s.instance, &settings);
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
    CHECK_NEAR(swing[1] / swing[2], 0.5, 0.05); // small motion: linear
}

static void pause_keeps_the_shape(void)
{
    static scene s;
    begin(&s, 0.5f, 0.4f, false, true);
    for (int i = 0; i < 50; ++i) {
        play(&s, i, 0, 1.0f / 60);
    }
    vrm_spring_settings settings;
    vrm_instance_get_spring_settings(s.instance, &settings);
    settings.paused = true;
    vrm_instance_set_spring_settings(s.instance, &settings);
    const shape before = look(&s);
    for (int i = 50; i < 90; ++i) {
        play(&s, 5 * i, 0, 1.0f / 60);
        const shape now = look(&s);
        CHECK(memcmp(&before, &now, sizeof(now)) == 0);
    }
    settings.paused = false;
    vrm_instance_set_spring_settings(s.instance, &settings);
    play(&s, 5 * 89, 0, 1.0f / 60);
    const shape after = look(&s);
    CHECK(memcmp(&before, &after, sizeof(after)) == 0); // picks up without a jerk
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
    CHECK(memcmp(&full.local[HAIR], &part.local[HAIR], sizeof(vrm_quat)) == 0); // the other chain
    vrm_instance_set_chain_weight(b.instance, 0, 0);
    play(&b, 60, 0, 1.0f / 60);
    play(&a, 60, 0, 1.0f / 60);
    const shape none = look(&b);
    CHECK(memcmp(none.local, rest.local, HAIR * sizeof(vrm_quat)) == 0);
    vrm_instance_set_chain_weight(b.instance, 0, 1);
    play(&b, 61, 0, 1.0f / 60);
    play(&a, 61, 0, 1.0f / 60);
    const shape again = look(&a), back = look(&b);
    CHECK(memcmp(&again, &back, sizeof(back)) == 0); // the simulation went on unseen
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
    vrm_spring_settings settings;
    vrm_spring_settings_default(&settings);
    settings.gravity_scale = 2;
    settings.stiffness_scale = 3;
    settings.external = (vrm_vec3){0, 0.25f, 0};
    CHECK_INT(vrm_instance_set_spring_settings(a.instance, &settings), VRM_SUCCESS);
    for (uint32_t j = 0; j < JOINTS; ++j) { // the same by parameters
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
    CHECK_INT(vrm_instance_set_spring_settings(a.instance, &settings), VRM_ERROR_INVALID_ARGUMENT);
    settings.root_motion = 1;
    settings.stiffness_scale = -1;
    CHECK_INT(vrm_instance_set_spring_settings(a.instance, &settings), VRM_ERROR_INVALID_ARGUMENT);
    settings.external.z = NAN;
    CHECK_INT(vrm_instance_set_spring_settings(a.instance, &settings), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_status(a.instance), VRM_STATUS_INPUT_NOT_FINITE);
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

static void snapshot_goes_on_with_the_same_bits(void)
{
    static scene s;
    begin(&s, 0.5f, 0.3f, true, true);
    vrm_host_collider host;
    vrm_host_collider_default(&host);
    host.node = (int32_t)s.joints[1]; // rides on hair
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
        CHECK_INT(vrm_instance_restore(s.instance, bytes, size), VRM_SUCCESS);
    }
    end(&s);
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
    {"snapshot_goes_on_with_the_same_bits", snapshot_goes_on_with_the_same_bits},
};

RUN_TESTS(cases)
