// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Springs against a double-precision reference in world space, and against closed formulas.

#include <vrm/output.h>

#include "runtime/kernel_spring.h"

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

// Poses a node (as added) in both.
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
    s->ref.root_t = ref_v(root.translation[0], root.translation[1], root.translation[2]);
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

// Largest angle between the two local rotations over all joints.
static double worst_angle(const stage *s)
{
    vrm_outputs outputs;
    vrm_instance_get_outputs(s->instance, &outputs);
    double worst = 0;
    for (uint32_t j = 0; j < s->avatar->model->spring_joint.count; ++j) {
        const uint32_t node = vrmi_model_spring_joint(s->avatar->model)[j].node;
        worst = fmax(worst, ref_angle(ref_quat_of(outputs.local[node].rotation), s->ref.r[node]));
    }
    return worst;
}

static vrm_root root_at(double x, double y, double z, vrm_vec3 axis, float angle, float scale)
{
    return (vrm_root){{x, y, z}, vrmi_quat_from_axis_angle(axis, angle), scale};
}

// A busy avatar: hair with skipped nodes and rest rotations, a chain under a chain, center space, colliders of every
// shape (one on a hair joint), limits of every kind, scaled nodes.
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
        n[i] = fixture_node_add(f, n[i - 1], "a", fixture_turned(0.01f * (float)i, -0.05f, 0.01f, skew, 0.1f * (float)i));
    }
    n[6] = fixture_node_add(f, n[6], "tip", fixture_at(0, -0.05f, 0.02f));
    const int32_t joints[] = {n[0], n[1], n[3], n[5], n[6]}; // 2 and 4 are skipped
    fixture_chain(f, joints, 5, fixture_joint_params(0.8f, 0.3f, 0.4f, 0.01f), -1);
    const uint32_t first_limited = f->builder.spring_joint.count - 4;
    if (with_colliders) {
        fixture_collider(f, (vrm_collider){VRM_COLLIDER_SPHERE, (uint32_t)head, {0, 0.05f, -0.02f}, {0, 0, 0}, 0.09f});
        fixture_collider(f, (vrm_collider){VRM_COLLIDER_CAPSULE, (uint32_t)f->bones[VRM_HUMAN_BONE_CHEST],
            {-0.1f, 0.15f, -0.02f}, {0.1f, 0.15f, -0.03f}, 0.06f});
        fixture_collider(f, (vrm_collider){VRM_COLLIDER_INSIDE_SPHERE, (uint32_t)head, {0, 0, 0}, {0, 0, 0}, 0.3f});
    }
    for (int i = 0; i < 3; ++i) {
        tuft[i] = fixture_node_add(f, i == 0 ? n[4] : tuft[i - 1], "tuft", fixture_turned(0.03f, -0.02f, 0.02f, z, 0.3f));
    }
    fixture_chain(f, tuft, 3, fixture_joint_params(1.2f, 0.1f, 0.5f, 0.02f), -1);
    if (with_colliders) {
        fixture_collider(f, (vrm_collider){VRM_COLLIDER_CAPSULE, (uint32_t)n[1], {0, 0, 0}, {0, -0.03f, 0}, 0.03f});
    }
    side[0] = fixture_node_add(f, head, "side", fixture_at(0.1f, 0.05f, 0));
    f->nodes[side[0]].rest.scale = (vrm_vec3){1.5f, 1.5f, 1.5f};
    for (int i = 1; i < 4; ++i) {
        side[i] = fixture_node_add(f, side[i - 1], "side", fixture_at(0.02f, -0.06f, 0));
    }
    fixture_chain(f, side, 4, fixture_joint_params(0.5f, 0.5f, 0.6f, 0.01f), head);
    if (with_colliders) {
        fixture_collider(f, (vrm_collider){VRM_COLLIDER_INSIDE_CAPSULE, (uint32_t)head, {0, 0.2f, 0}, {0, -0.2f, 0}, 0.16f});
    }
    for (int i = 0; i < 4; ++i) {
        const int32_t parent = i == 0 ? f->bones[VRM_HUMAN_BONE_HIPS] : skirt[i - 1];
        skirt[i] = fixture_node_add(f, parent, "skirt", fixture_at(0.02f, i == 0 ? 0.0f : -0.12f, 0.08f));
    }
    fixture_chain(f, skirt, 4, fixture_joint_params(0.2f, 0.8f, 0.3f, 0.02f), f->bones[VRM_HUMAN_BONE_HIPS]);
    if (with_colliders) {
        fixture_collider(f, (vrm_collider){VRM_COLLIDER_PLANE, (uint32_t)f->bones[VRM_HUMAN_BONE_HIPS],
            {0, 0, 0.12f}, {0, 0.6f, 0.8f}, 0.0f});
    }
    for (uint32_t i = 0; with_limits && i < 3; ++i) {
        vrm_spring_joint *joint = FIXTURE_ROW(f, spring_joint, vrm_spring_joint, first_limited + i);
        joint->limit = (vrm_spring_limit){(vrm_spring_limit_type)(VRM_SPRING_LIMIT_CONE + i), 0.25f, 0.15f,
            vrmi_quat_from_axis_angle(skew, 0.3f * (float)i)};
    }
    start(s);
}

// Frame `i` of a lively motion.
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
    CHECK_INT(vrm_instance_status(s.instance), 0);
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

static const test_case cases[] = {
    {"reference_time", reference_time},
    {"default_time_at_60_hz", default_time_at_60_hz},
};

RUN_TESTS(cases)
