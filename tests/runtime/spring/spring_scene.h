// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef TESTS_SPRING_SCENE_H
#define TESTS_SPRING_SCENE_H

// A head with hair and everything that acts on hair, and a measure of the hair's shape. Used by tests of properties
// that hold for all numbers.

#include <vrm/output.h>

#include "model_fixture.h"
#include "pose_of.h"
#include "reference_math.h"
#include "spring_joint.h"
#include "test.h"
#include "test_random.h"

enum { HAIR = 4, JOINTS = 7 };

typedef struct scene {
    fixture f;
    vrm_avatar *avatar;
    vrm_instance *instance;
    uint32_t head, joints[JOINTS];
} scene;

static inline void begin(scene *s, float gravity, float drag, bool center, bool colliders)
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
        fixture_collider(
            f, (vrmi_collider_row){VRM_COLLIDER_SPHERE, (uint32_t)head, {0.02f, 0, -0.05f}, {0, 0, 0}, 0.08f});
        fixture_collider(f, (vrmi_collider_row){VRM_COLLIDER_CAPSULE, (uint32_t)f->bones[VRM_HUMAN_BONE_CHEST],
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

static inline void end(scene *s)
{
    vrm_instance_destroy(s->instance);
    vrm_avatar_release(s->avatar);
    CHECK_INT(s->f.memory.live, 0);
}

static inline vrm_quat turn(float x, float y, float z, float angle)
{
    return vrmi_quat_from_axis_angle(vrmi_vec3_normalize_or((vrm_vec3){x, y, z}, (vrm_vec3){0, 1, 0}), angle);
}

static inline void place(scene *s, double x, double y, double z, vrm_quat rotation, float scale)
{
    CHECK_INT(vrm_instance_set_root(s->instance, &(vrm_root){{x, y, z}, rotation, scale}), VRM_SUCCESS);
}

static inline void nod(scene *s, int i)
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

static inline shape look(const scene *s)
{
    vrm_outputs outputs = {.struct_size = sizeof outputs};
    vrm_instance_get_outputs(s->instance, &outputs);
    shape out;
    for (int j = 0; j < JOINTS; ++j) {
        out.local[j] = pose_of(s->instance, s->joints[j]).rotation;
    }
    return out;
}

static inline double difference(const shape *a, const shape *b)
{
    double worst = 0;
    for (int j = 0; j < JOINTS; ++j) {
        worst = fmax(worst, ref_angle(ref_quat_of(a->local[j]), ref_quat_of(b->local[j])));
    }
    return worst;
}

static inline shape rest_shape(const scene *s)
{
    shape out;
    for (int j = 0; j < JOINTS; ++j) {
        out.local[j] = vrmi_model_node_rest(s->avatar->model)[s->joints[j]].rotation;
    }
    return out;
}

// Poses a lively frame: the head and the root.
static inline void play(scene *s, int i, double x0, float dt)
{
    nod(s, i);
    place(s, x0 + 0.3 * sin(0.1 * i), 0, 0.02 * i, turn(0, 1, 0, 0.02f * (float)i), 1);
    vrm_update_dt(s->instance, dt);
}

#endif
