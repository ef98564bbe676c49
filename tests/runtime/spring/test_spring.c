// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Springs, compared with a reference in double precision and world space, and with closed formulas.

#include <vrm/output.h>

#include "axis.h"
#include "pose_of.h"
#include "runtime/core/instance.h"

// The arithmetic of springs for a single lane, for tests of its functions.
#include "math/real_one.h"
#define VRMI_SPRING_KERNELS static const vrmi_spring_kernels unused_kernels
#include "runtime/spring/kernel_spring_body.h"

#include "model_fixture.h"
#include "spring_reference.h"
#include "test.h"
#include "test_random.h"

typedef struct stage {
    fixture f;
    vrm_avatar *avatar;
    vrm_instance *instance;
    ref_springs ref;
} stage;

static void start(stage *s)
{
    s->avatar = fixture_finish(&s->f);
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.hair_inputs = true;
    def.avatar = s->avatar;
    def.host_colliders = 4;
    def.spring_parameters = true;
    CHECK_INT(vrm_instance_create(&def, &s->instance), VRM_SUCCESS);
    ref_springs_begin(&s->ref, s->avatar->model);
}

static void stop(stage *s)
{
    vrm_instance_destroy(s->instance);
    vrm_avatar_release(s->avatar);
    CHECK_INT(s->f.memory.live, 0);
}

// Poses a node, given by its number of addition, in the library and in the reference.
static void pose(stage *s, int32_t added, vrm_vec3 axis, float angle)
{
    const uint32_t node = (uint32_t)s->f.order[added];
    vrm_transform local = vrmi_model_node_rest(s->avatar->model)[node];
    local.rotation = vrmi_quat_mul(local.rotation, vrmi_quat_from_axis_angle(axis, angle));
    CHECK_INT(vrm_instance_set_local(s->instance, node, &local), VRM_SUCCESS);
    vrm_instance_get_local(s->instance, node, &local);
    s->ref.r[node] = ref_normalized(ref_quat_of(local.rotation));
}

static void place(stage *s, vrm_root root)
{
    CHECK_INT(vrm_instance_set_root(s->instance, &root), VRM_SUCCESS);
    vrm_instance_get_root(s->instance, &root);
    s->ref.root_t = ref_v(root.translation.x, root.translation.y, root.translation.z);
    s->ref.root_r = ref_normalized(ref_quat_of(root.rotation));
    s->ref.root_scale = (double)root.scale;
}

static void update(stage *s, float dt, vrm_spring_time time)
{
    vrm_update_params params;
    vrm_update_params_default(&params);
    params.dt = dt;
    params.spring_time = time;
    vrm_update(s->instance, &params);
}

// Returns the largest angle between the library's and the reference's local rotations.
static double worst_angle(const stage *s)
{
    vrm_outputs outputs = {.struct_size = sizeof outputs};
    vrm_instance_get_outputs(s->instance, &outputs);
    double worst = 0;
    for (uint32_t j = 0; j < s->avatar->model->spring_joint.count; ++j) {
        const uint32_t node = vrmi_model_spring_joint(s->avatar->model)[j].node;
        worst = fmax(worst, ref_angle(ref_quat_of(pose_of(s->instance, node).rotation), s->ref.r[node]));
    }
    return worst;
}

static vrm_root root_at(double x, double y, double z, vrm_vec3 axis, float angle, float scale)
{
    return (vrm_root){{x, y, z}, vrmi_quat_from_axis_angle(axis, angle), scale};
}

// Makes an avatar with hair that skips nodes and has rest rotations, a chain below a chain, center space, colliders of
// every shape (one on a hair joint), limits of every kind, and scaled nodes.
static void busy(stage *s, bool with_limits, bool with_colliders)
{
    fixture *f = &s->f;
    fixture_begin(f);
    fixture_humanoid(f);
    const vrm_vec3 z = {0, 0, 1}, skew = {0.6f, 0.48f, 0.64f};
    const int32_t head = f->bones[VRM_HUMAN_BONE_HEAD];
    int32_t n[16], side[4], skirt[4], tuft[3];
    n[0] = fixture_node_add(f, head, "a0", fixture_turned(0, 0.1f, -0.05f, skew, 0.7f));
    for (int i = 1; i < 7; ++i) {
        n[i] =
            fixture_node_add(f, n[i - 1], "a", fixture_turned(0.01f * (float)i, -0.05f, 0.01f, skew, 0.1f * (float)i));
    }
    n[6] = fixture_node_add(f, n[6], "tip", fixture_at(0, -0.05f, 0.02f));
    const int32_t joints[] = {n[0], n[1], n[3], n[5], n[6]}; // nodes 2 and 4 are skipped
    fixture_chain(f, joints, 5, fixture_joint_params(0.8f, 0.3f, 0.4f, 0.01f), -1);
    const uint32_t first_limited = f->builder.spring_joint.count - 4;
    if (with_colliders) {
        fixture_collider(
            f, (vrmi_collider_row){VRM_COLLIDER_SPHERE, (uint32_t)head, {0, 0.05f, -0.02f}, {0, 0, 0}, 0.09f});
        fixture_collider(f, (vrmi_collider_row){VRM_COLLIDER_CAPSULE, (uint32_t)f->bones[VRM_HUMAN_BONE_CHEST],
                                {-0.1f, 0.15f, -0.02f}, {0.1f, 0.15f, -0.03f}, 0.06f});
        fixture_collider(
            f, (vrmi_collider_row){VRM_COLLIDER_INSIDE_SPHERE, (uint32_t)head, {0, 0, 0}, {0, 0, 0}, 0.3f});
    }
    for (int i = 0; i < 3; ++i) {
        tuft[i] =
            fixture_node_add(f, i == 0 ? n[4] : tuft[i - 1], "tuft", fixture_turned(0.03f, -0.02f, 0.02f, z, 0.3f));
    }
    fixture_chain(f, tuft, 3, fixture_joint_params(1.2f, 0.1f, 0.5f, 0.02f), -1);
    if (with_colliders) {
        fixture_collider(
            f, (vrmi_collider_row){VRM_COLLIDER_CAPSULE, (uint32_t)n[1], {0, 0, 0}, {0, -0.03f, 0}, 0.03f});
    }
    side[0] = fixture_node_add(f, head, "side", fixture_at(0.1f, 0.05f, 0));
    f->nodes[side[0]].rest.scale = (vrm_vec3){1.5f, 1.5f, 1.5f};
    for (int i = 1; i < 4; ++i) {
        side[i] = fixture_node_add(f, side[i - 1], "side", fixture_at(0.02f, -0.06f, 0));
    }
    fixture_chain(f, side, 4, fixture_joint_params(0.5f, 0.5f, 0.6f, 0.01f), head);
    if (with_colliders) {
        fixture_collider(
            f, (vrmi_collider_row){VRM_COLLIDER_INSIDE_CAPSULE, (uint32_t)head, {0, 0.2f, 0}, {0, -0.2f, 0}, 0.16f});
    }
    for (int i = 0; i < 4; ++i) {
        const int32_t parent = i == 0 ? f->bones[VRM_HUMAN_BONE_HIPS] : skirt[i - 1];
        skirt[i] = fixture_node_add(f, parent, "skirt", fixture_at(0.02f, i == 0 ? 0.0f : -0.12f, 0.08f));
    }
    fixture_chain(f, skirt, 4, fixture_joint_params(0.2f, 0.8f, 0.3f, 0.02f), f->bones[VRM_HUMAN_BONE_HIPS]);
    const int32_t ball = fixture_node_add(f, f->bones[VRM_HUMAN_BONE_HIPS], "ball", fixture_at(0.06f, -0.15f, 0.04f));
    f->nodes[ball].rest.scale = (vrm_vec3){1.2f, 1.8f, 1.4f};
    if (with_colliders) {
        fixture_collider(f, (vrmi_collider_row){VRM_COLLIDER_SPHERE, (uint32_t)ball, {0, 0, 0}, {0, 0, 0}, 0.03f});
    }
    if (with_colliders) {
        fixture_collider(f, (vrmi_collider_row){VRM_COLLIDER_PLANE, (uint32_t)f->bones[VRM_HUMAN_BONE_HIPS],
                                {0, 0, 0.12f}, {0, 0.6f, 0.8f}, 0.0f});
    }
    for (uint32_t i = 0; with_limits && i < 3; ++i) {
        vrmi_joint_row *joint = FIXTURE_ROW(f, spring_joint, vrmi_joint_row, first_limited + i);
        joint->limit = (vrm_spring_limit){(vrm_spring_limit_type)(VRM_SPRING_LIMIT_CONE + i), 0.25f, 0.15f,
            vrmi_quat_from_axis_angle(skew, 0.3f * (float)i)};
    }
    start(s);
}

// Poses frame `i` of a fast motion.
static void move(stage *s, int i, bool root_moves)
{
    const float t = (float)i / 60.0f;
    float sine, cosine;
    vrmi_sincos(6.0f * t, &sine, &cosine);
    pose(s, s->f.bones[VRM_HUMAN_BONE_HEAD], (vrm_vec3){1, 0, 0}, 0.5f * sine);
    pose(s, s->f.bones[VRM_HUMAN_BONE_NECK], (vrm_vec3){0, 1, 0}, 0.4f * cosine - 0.4f);
    pose(s, s->f.bones[VRM_HUMAN_BONE_HIPS], (vrm_vec3){0, 0, 1}, 0.2f * sine);
    if (root_moves) {
        const vrm_vec3 y = {0, 1, 0};
        place(s, root_at(0.5 * (double)sine, 0.02 * (double)t, (double)t, y, 0.8f * t, 1.0f));
    }
}

// Compares the avatar's colliders in the last step. (Colliders on the hair of a later chain are a tick behind by
// design.)
static void compare_colliders(const stage *s)
{
    for (uint32_t i = 0; i < s->avatar->model->collider.count; ++i) {
        const vrmi_collider_row *collider = &vrmi_model_collider(s->avatar->model)[i];
        const vrmi_spring_collider *found = &s->instance->spring_collider[i];
        const ref_collider expected = ref_place(&s->ref, collider);
        const ref_vec a = ref_sub(expected.a, s->ref.root_t);
        CHECK_NEAR(ref_length(ref_sub(ref_vec_of(found->a), a)), 0, 2e-6);
        if (collider->shape == VRM_COLLIDER_PLANE) {
            CHECK_NEAR(ref_length(ref_sub(ref_vec_of(found->b), expected.b)), 0, 2e-6);
        } else {
            const ref_vec end = ref_sub(expected.b, s->ref.root_t);
            const bool sphere = collider->shape == VRM_COLLIDER_SPHERE || collider->shape == VRM_COLLIDER_INSIDE_SPHERE;
            CHECK_NEAR(ref_length(ref_sub(ref_vec_of(vrmi_vec3_add(found->a, found->b)), sphere ? a : end)), 0, 2e-6);
            CHECK_NEAR(found->radius, expected.radius, 1e-6);
        }
    }
}

static void compare_run(bool limits, bool colliders, vrm_spring_time time, const float *steps, double tolerance)
{
    static stage s;
    busy(&s, limits, colliders);
    move(&s, 0, true);
    ref_springs_reset(&s.ref);
    double worst = 0;
    for (int i = 0; i < 240; ++i) {
        move(&s, i, true);
        const float dt = steps[i % 3];
        update(&s, dt, time);
        ref_springs_step(&s.ref, time == VRM_SPRING_TIME_DEFAULT ? 1.0 / 60.0 : (double)dt);
        worst = fmax(worst, worst_angle(&s));
    }
    if (!(worst <= tolerance)) {
        printf("limits %d colliders %d time %d\n", limits, colliders, (int)time);
    }
    CHECK_NEAR(worst, 0, tolerance);
    compare_colliders(&s);
    CHECK_INT(vrm_instance_get_status(s.instance), 0);
    stop(&s);
}

static void reference_time(void)
{
    const float steady[3] = {1.0f / 60, 1.0f / 60, 1.0f / 60}, uneven[3] = {0.008f, 0.021f, 0.0166f};
    for (int k = 0; k < 4; ++k) {
        compare_run(k & 1, k & 2, VRM_SPRING_TIME_REFERENCE, steady, 1e-4);
        compare_run(k & 1, k & 2, VRM_SPRING_TIME_REFERENCE, uneven, 1e-4);
    }
}

static void default_time_at_60_hz(void)
{
    const float exact[3] = {1.0f / 60, 1.0f / 60, 1.0f / 60}, coarse[3] = {0.01667f, 0.01666f, 0.016683f};
    for (int k = 0; k < 4; ++k) {
        compare_run(k & 1, k & 2, VRM_SPRING_TIME_DEFAULT, exact, 1e-4);
        compare_run(k & 1, k & 2, VRM_SPRING_TIME_DEFAULT, coarse, 1e-4);
    }
}

// --- one step from given tails -------------------------------------------------------------------------------------

// From any tails of the reference, the library must step as the reference does.
static void one_step_from_given_tails(void)
{
    static stage s;
    busy(&s, false, false);
    test_random random = test_random_make(7);
    const uint32_t count = s.avatar->model->spring_joint.count;
    vrm_dvec3 current[REF_MAX_JOINTS], previous[REF_MAX_JOINTS], now[REF_MAX_JOINTS], before[REF_MAX_JOINTS];
    for (int i = 0; i < 60; ++i) {
        move(&s, i, true);
        ref_springs_reset(&s.ref);
        for (uint32_t c = 0; c < s.avatar->model->spring_chain.count; ++c) {
            const vrmi_chain_row *chain = &vrmi_model_spring_chain(s.avatar->model)[c];
            for (uint32_t j = chain->first_joint; j < chain->first_joint + chain->joint_count; ++j) {
                const ref_vec tail = ref_from_center(&s.ref, chain, s.ref.current[j]);
                for (uint32_t k = 0; k < 3; ++k) {
                    double *at = test_axis(&current[j], k);
                    *at = tail.v[k] + (double)test_random_float(&random, -0.02f, 0.02f);
                    *test_axis(&previous[j], k) = *at + (double)test_random_float(&random, -0.01f, 0.01f);
                }
            }
        }
        // In center space, tails are relative to the center's last pose, which is the same in this case.
        update(&s, 0.0f, VRM_SPRING_TIME_REFERENCE);
        vrm_instance_reset_springs(s.instance);
        update(&s, 0.0f, VRM_SPRING_TIME_REFERENCE);
        CHECK_INT(vrm_instance_set_spring_tails(s.instance, current, previous, count), VRM_SUCCESS);
        CHECK_INT(vrm_instance_get_spring_tails(s.instance, now, before, count), VRM_SUCCESS);
        for (uint32_t j = 0; j < 3 * count; ++j) {
            CHECK_NEAR(*test_axis(&now[j / 3], j % 3), *test_axis(&current[j / 3], j % 3), 1e-6);
            CHECK_NEAR(*test_axis(&before[j / 3], j % 3), *test_axis(&previous[j / 3], j % 3), 1e-6);
        }
        for (uint32_t c = 0; c < s.avatar->model->spring_chain.count; ++c) {
            const vrmi_chain_row *chain = &vrmi_model_spring_chain(s.avatar->model)[c];
            for (uint32_t j = chain->first_joint; j < chain->first_joint + chain->joint_count; ++j) {
                const vrm_dvec3 a = current[j], b = previous[j];
                s.ref.current[j] = ref_to_center(&s.ref, chain, ref_v(a.x, a.y, a.z));
                s.ref.previous[j] = ref_to_center(&s.ref, chain, ref_v(b.x, b.y, b.z));
            }
        }
        update(&s, 1.0f / 60, VRM_SPRING_TIME_REFERENCE);
        ref_springs_step(&s.ref, (double)(1.0f / 60));
        CHECK_NEAR(worst_angle(&s), 0, 1e-5 + 1e-6 / 0.05);
    }
    current[0].x = NAN;
    CHECK_INT(vrm_instance_set_spring_tails(s.instance, current, previous, count), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_set_spring_tails(s.instance, NULL, previous, count - 1), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_get_spring_tails(s.instance, now, NULL, count + 1), VRM_ERROR_INVALID_ARGUMENT);
    CHECK(vrm_instance_get_status(s.instance) & VRM_STATUS_INPUT_NOT_FINITE);
    stop(&s);
}

// --- colliders and limits, closed forms ----------------------------------------------------------------------------

// A tail that is larger than the collider around it goes to the collider's middle, not beyond.
static void too_big_for_its_room(void)
{
    const vrmi_spring_collider room = {
        .a = {1, 0, 0}, .radius = 0.1f, .shape = VRM_COLLIDER_INSIDE_SPHERE, .chain = -1};
    const vrmi_spring_row row = {.lanes = 1};
    const bones bone = {.row = &row, .length = 1, .hit_radius = 0.5f, .active = 1};
    v3 tail = {0.8f, 0.6f, 0};
    CHECK_INT(collide(&bone, tail, &room, 1, &tail), 1);
    CHECK_NEAR(tail.x, 1, 1e-6);
    CHECK_NEAR(tail.y, 0, 1e-6);
}

static vrmi_spring_limit_row limit_of(vrm_spring_limit_type type, double angle, double yaw)
{
    return (vrmi_spring_limit_row){.type = {(float)type},
        .cos_angle = {(float)cos(angle)},
        .sin_angle = {(float)sin(angle)},
        .sin_yaw = {(float)sin(yaw)}};
}

static ref_vec ref_of(v3 v)
{
    return ref_v((double)v.x, (double)v.y, (double)v.z);
}

static v3 within(const vrmi_spring_limit_row *row, v3 t)
{
    return v3_limited(row->type[0], row->cos_angle[0], row->sin_angle[0], row->sin_yaw[0], t);
}

static void limits(void)
{
    test_random random = test_random_make(3);
    const ref_quat identity = {{0, 0, 0, 1}};
    for (int i = 0; i < 3000; ++i) {
        const vrm_spring_limit_type type = (vrm_spring_limit_type)(VRM_SPRING_LIMIT_CONE + i % 3);
        const float angle = test_random_float(&random, 0.01f, 3.1f), yaw = test_random_float(&random, 0.01f, 1.5f);
        const ref_vec t = ref_unit(ref_v((double)test_random_float(&random, -1, 1),
            (double)test_random_float(&random, -1, 1), (double)test_random_float(&random, -1, 1) + 1e-3));
        const vrm_spring_limit limit = {type, angle, yaw, {0, 0, 0, 1}};
        const ref_vec expected = ref_limit(&limit, identity, ref_v(0, 1, 0), t);
        const vrmi_spring_limit_row row = limit_of(type, (double)angle, (double)yaw);
        const v3 found = within(&row, (v3){(float)t.v[0], (float)t.v[1], (float)t.v[2]});
        CHECK_NEAR(ref_length(ref_sub(ref_of(found), expected)), 0, 2e-5);
    }
    // If the specification's formula gives 0/0, the result has unit length and is within the limit.
    const v3 back = {0, -1, 0}, aside = {1, 0, 0};
    for (int type = VRM_SPRING_LIMIT_CONE; type <= VRM_SPRING_LIMIT_SPHERICAL; ++type) {
        const vrmi_spring_limit_row row = limit_of((vrm_spring_limit_type)type, 0.5, 0.25);
        for (int k = 0; k < 2; ++k) {
            const v3 found = within(&row, k == 0 ? back : aside);
            CHECK_NEAR(ref_length(ref_of(found)), 1, 1e-6);
            CHECK(found.y >= (float)(cos(0.5) * cos(0.25)) - 1e-6f);
        }
    }
}

// The table "Singular Directions" of the draft of August 2026.
static void limits_at_singular_directions(void)
{
    const float c = (float)cos(0.5), s = (float)sin(0.5), most = (float)sin(0.25), rest = (float)cos(0.25);
    const struct {
        vrm_spring_limit_type type;
        v3 tail, limited;
    } rows[] = {
        {VRM_SPRING_LIMIT_CONE, {0, -1, 0}, {0, c, s}},
        {VRM_SPRING_LIMIT_HINGE, {1, 0, 0}, {0, 1, 0}},
        {VRM_SPRING_LIMIT_HINGE, {-1, 0, 0}, {0, 1, 0}},
        {VRM_SPRING_LIMIT_HINGE, {0, -1, 0}, {0, c, s}},
        {VRM_SPRING_LIMIT_SPHERICAL, {1, 0, 0}, {most, rest, 0}},
        {VRM_SPRING_LIMIT_SPHERICAL, {-1, 0, 0}, {-most, rest, 0}},
        {VRM_SPRING_LIMIT_SPHERICAL, {0, -1, 0}, {0, c, s}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        const vrmi_spring_limit_row row = limit_of(rows[i].type, 0.5, 0.25);
        CHECK_NEAR(ref_length(ref_sub(ref_of(within(&row, rows[i].tail)), ref_of(rows[i].limited))), 0, 1e-6);
    }
}

// A collider holds a tail where geometry says. One joint is pulled strongly into the collider.
static void rests_on_colliders(void)
{
    const struct {
        vrmi_collider_row collider;
        double y; // height of the head above the tail: the cosine of the bone's angle from straight down
    } rows[] = {
        // The head is at (0, 1, 0), and the bone is 1 m long and pulled down and to the side. Hit radius 0.1.
        {{VRM_COLLIDER_PLANE, 0, {0, 0.4f, 0}, {0, 1, 0}, 0}, 0.5},         // the tail is at y 0.4 + 0.1
        {{VRM_COLLIDER_INSIDE_SPHERE, 0, {0, 1, 0}, {0, 0, 0}, 1.2f}, 0.0}, // large: the tail does not touch it
        // The tail is 0.5 from (0, 0, 0): a chord of 0.5.
        {{VRM_COLLIDER_SPHERE, 0, {0, 0, 0}, {0, 0, 0}, 0.4f}, 0.875},
        {{VRM_COLLIDER_CAPSULE, 0, {0, 0, -2}, {0, 0, 2}, 0.4f}, 0.875}, // a bar across gives the same height
        {{VRM_COLLIDER_CAPSULE, 0, {0, -2, 0}, {0, 0, 0}, 0.4f}, 0.875}, // the cap at the capsule's tail
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); ++i) {
        static stage s;
        fixture_begin(&s.f);
        const int32_t root = fixture_node_add(&s.f, -1, "root", fixture_at(0, 0, 0));
        const int32_t n[] = {fixture_node_add(&s.f, root, "a", fixture_at(0, 1, 0)),
            fixture_node_add(&s.f, 1, "b", fixture_at(0, -1, 0))};
        vrm_spring_joint_params params = fixture_joint_params(0.0f, 1.0f, 0.5f, 0.1f);
        params.gravity_dir = (vrm_vec3){0.02f, -1, 0};
        fixture_chain(&s.f, n, 2, params, -1);
        fixture_collider(&s.f, rows[i].collider);
        start(&s);
        for (int k = 0; k < 1200; ++k) {
            update(&s, 1.0f / 60, VRM_SPRING_TIME_DEFAULT);
        }
        vrm_dvec3 tail;
        vrm_instance_get_spring_tails(s.instance, &tail, NULL, 1);
        const double expected =
            rows[i].collider.shape == VRM_COLLIDER_INSIDE_SPHERE ? 1 / sqrt(1 + 0.02 * 0.02) : rows[i].y;
        // The step that pushes the tail out changes the length, so the tolerance is a few mm.
        CHECK_NEAR(1 - tail.y, expected, 6e-3);
        stop(&s);
    }
}

// A collider has the same effect whether it belongs to the avatar or to the host, and whether it is on a node or in the
// world.
static void host_colliders(void)
{
    vrm_quat results[3];
    for (int way = 0; way < 3; ++way) {
        static stage s;
        fixture_begin(&s.f);
        const int32_t root = fixture_node_add(&s.f, -1, "root", fixture_at(0, 0, 0));
        const int32_t n[] = {fixture_node_add(&s.f, root, "a", fixture_at(0, 1, 0)),
            fixture_node_add(&s.f, 1, "b", fixture_at(0, -1, 0))};
        fixture_chain(&s.f, n, 2, fixture_joint_params(1.0f, 1.0f, 0.5f, 0.1f), -1);
        if (way == 0) {
            fixture_collider(&s.f, (vrmi_collider_row){VRM_COLLIDER_CAPSULE, 0, {0.1f, 0, -1}, {0.1f, 0, 1}, 0.4f});
        }
        start(&s);
        vrm_host_collider_def host;
        vrm_host_collider_def_default(&host);
        host.shape = VRM_COLLIDER_CAPSULE;
        host.offset.x = host.tail.x = 0.1;
        host.offset.z = -1;
        host.tail.z = 1;
        host.radius = 0.4f;
        const double far_away = way == 2 ? 5e6 : 0;
        host.node = way == 1 ? 0 : -1;
        host.offset.x += far_away;
        host.tail.x += far_away;
        if (way != 0) {
            CHECK_INT(vrm_instance_set_host_collider(s.instance, 2, &host), VRM_SUCCESS);
        }
        place(&s, root_at(far_away, 0, 0, (vrm_vec3){0, 1, 0}, 0, 1));
        for (int k = 0; k < 100; ++k) {
            update(&s, 1.0f / 72, VRM_SPRING_TIME_DEFAULT);
        }
        vrm_outputs outputs = {.struct_size = sizeof outputs};
        vrm_instance_get_outputs(s.instance, &outputs);
        results[way] = pose_of(s.instance, 1).rotation;
        CHECK(ref_angle(ref_quat_of(results[way]), (ref_quat){{0, 0, 0, 1}}) > 0.3);
        if (way == 1) { // a collider has no effect if it is off, belongs to another chain, or has been removed
            host.enabled = false;
            CHECK_INT(vrm_instance_set_host_collider(s.instance, 2, &host), VRM_SUCCESS);
            for (int k = 0; k < 600; ++k) {
                update(&s, 1.0f / 60, VRM_SPRING_TIME_DEFAULT);
            }
            vrm_instance_get_outputs(s.instance, &outputs);
            CHECK_NEAR(ref_angle(ref_quat_of(pose_of(s.instance, 1).rotation), (ref_quat){{0, 0, 0, 1}}), 0, 1e-3);
            CHECK_INT(vrm_instance_set_host_collider(s.instance, 2, NULL), VRM_SUCCESS);
            host.chain = 1; // there is no such chain
            CHECK_INT(vrm_instance_set_host_collider(s.instance, 2, &host), VRM_ERROR_INVALID_ARGUMENT);
            host.chain = -1;
            host.node = 99;
            CHECK_INT(vrm_instance_set_host_collider(s.instance, 2, &host), VRM_ERROR_INVALID_ARGUMENT);
            host.node = -1;
            CHECK_INT(vrm_instance_set_host_collider(s.instance, 4, &host), VRM_ERROR_INVALID_ARGUMENT);
            host.shape = VRM_COLLIDER_PLANE;
            host.tail.x = host.tail.y = host.tail.z = 0;
            CHECK_INT(vrm_instance_set_host_collider(s.instance, 2, &host), VRM_ERROR_INVALID_ARGUMENT);
            host.offset.x = INFINITY;
            CHECK_INT(vrm_instance_set_host_collider(s.instance, 2, &host), VRM_ERROR_INVALID_ARGUMENT);
        }
        stop(&s);
    }
    CHECK_NEAR(ref_angle(ref_quat_of(results[0]), ref_quat_of(results[1])), 0, 1e-6);
    CHECK_NEAR(ref_angle(ref_quat_of(results[0]), ref_quat_of(results[2])), 0, 1e-5);
}

// --- degenerate chains ---------------------------------------------------------------------------------------------

static void zero_length_bone_stays(void)
{
    static stage s;
    fixture_begin(&s.f);
    const int32_t root = fixture_node_add(&s.f, -1, "root", fixture_at(0, 0, 0));
    int32_t n[4];
    n[0] = fixture_node_add(&s.f, root, "a", fixture_at(0, 1, 0));
    n[1] = fixture_node_add(&s.f, n[0], "b", fixture_at(0, 0, 0));
    n[2] = fixture_node_add(&s.f, n[1], "c", fixture_at(0, -0.2f, 0));
    fixture_chain(&s.f, n, 3, fixture_joint_params(0.1f, 1.0f, 0.5f, 0), -1);
    start(&s);
    vrm_spring_joint_params params;
    vrm_instance_get_spring_joint(s.instance, 1, &params);
    params.gravity_dir = (vrm_vec3){1, 0, 0};
    CHECK_INT(vrm_instance_set_spring_joint(s.instance, 1, &params), VRM_SUCCESS);
    pose(&s, n[0], (vrm_vec3){0, 0, 1}, 0.5f);
    for (int k = 0; k < 200; ++k) {
        update(&s, 1.0f / 60, VRM_SPRING_TIME_DEFAULT);
    }
    vrm_outputs outputs = {.struct_size = sizeof outputs};
    vrm_instance_get_outputs(s.instance, &outputs);
    CHECK_NEAR(ref_angle(ref_quat_of(pose_of(s.instance, 1).rotation), ref_axis_angle(ref_v(0, 0, 1), 0.5)), 0, 1e-6);
    vrm_dvec3 tails[2];
    vrm_instance_get_spring_tails(s.instance, tails, NULL, 2);
    CHECK(tails[1].x > 0.15); // the next joint hangs along its own gravity
    stop(&s);
}

// The space of a limit on a bone along -Y is rotated by half a turn about X, not about another axis. A narrow cone
// tilted by 20 degrees about X leads forwards and down to (0, -cos, -sin).
static void limit_of_a_bone_straight_down(void)
{
    static stage s;
    fixture_begin(&s.f);
    int32_t n[3];
    n[0] = fixture_node_add(&s.f, -1, "root", fixture_at(0, 1, 0));
    n[1] = fixture_node_add(&s.f, n[0], "a", fixture_at(0, 0, 0.1f));
    n[2] = fixture_node_add(&s.f, n[1], "b", fixture_at(0, -0.5f, 0));
    fixture_chain(&s.f, &n[1], 2, fixture_joint_params(0.5f, 0.0f, 0.5f, 0), -1);
    const float lean = 20.0f * VRMI_PI / 180.0f;
    vrmi_joint_row *joint = FIXTURE_ROW(&s.f, spring_joint, vrmi_joint_row, 0);
    joint->limit =
        (vrm_spring_limit){VRM_SPRING_LIMIT_CONE, 0.001f, 0.0f, vrmi_quat_from_axis_angle((vrm_vec3){1, 0, 0}, lean)};
    start(&s);
    for (int k = 0; k < 60; ++k) {
        update(&s, 1.0f / 60, VRM_SPRING_TIME_DEFAULT);
    }
    vrm_dvec3 tail;
    vrm_instance_get_spring_tails(s.instance, &tail, NULL, 1);
    CHECK_NEAR(tail.x, 0, 1e-3);
    CHECK_NEAR(tail.y, 1 - 0.5 * cos((double)lean), 1e-3);
    CHECK_NEAR(tail.z, 0.1 - 0.5 * sin((double)lean), 1e-3);
    stop(&s);
}

// A node is so small in its parent's space that no even scale can be computed, but has normal size in the model.
// Nothing is divided by 0, and the joint below is at the position that the node tree gives.
static void tiny_node_between_joints(void)
{
    static stage s;
    fixture_begin(&s.f);
    int32_t n[5];
    vrm_transform large = fixture_at(0, 1, 0), tiny = fixture_at(0, -1e-6f, 0), last = fixture_at(0, -1e5f, 0);
    large.scale = vrmi_vec3(1e6f, 1e6f, 1e6f);
    tiny.scale = vrmi_vec3(1e-12f, 1e-12f, 1e-12f);
    n[0] = fixture_node_add(&s.f, -1, "root", large);
    n[1] = fixture_node_add(&s.f, n[0], "a", fixture_at(0, 0, 0));
    const int32_t between = fixture_node_add(&s.f, n[1], "between", tiny);
    n[2] = fixture_node_add(&s.f, between, "b", fixture_at(0, 0, 0));
    n[3] = fixture_node_add(&s.f, n[2], "c", last);
    fixture_chain(&s.f, &n[1], 3, fixture_joint_params(0.5f, 1.0f, 0.5f, 0), -1);
    start(&s);
    for (int k = 0; k < 60; ++k) {
        vrm_update_dt(s.instance, 1.0f / 60.0f);
    }
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(s.instance, &out);
    for (uint32_t node = 0; node < out.node_count; ++node) {
        for (int k = 0; k < 12; ++k) {
            CHECK(vrmi_finite(out.world[node].m[k / 4][k % 4]));
        }
    }
    CHECK(vrm_instance_get_status(s.instance) == 0);
    CHECK_NEAR(out.world[s.f.order[n[2]]].m[1][3], 0.0, 1e-4); // 1e6 * 1e-6 below the root
    stop(&s);
}

static const test_case cases[] = {
    {"reference_time", reference_time},
    {"default_time_at_60_hz", default_time_at_60_hz},
    {"one_step_from_given_tails", one_step_from_given_tails},

    {"too_big_for_its_room", too_big_for_its_room},
    {"limits", limits},
    {"limits_at_singular_directions", limits_at_singular_directions},
    {"limit_of_a_bone_straight_down", limit_of_a_bone_straight_down},
    {"tiny_node_between_joints", tiny_node_between_joints},
    {"rests_on_colliders", rests_on_colliders},
    {"host_colliders", host_colliders},
    {"zero_length_bone_stays", zero_length_bone_stays},
};

RUN_TESTS(cases)
