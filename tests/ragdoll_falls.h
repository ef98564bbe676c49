// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef TESTS_RAGDOLL_FALLS_H
#define TESTS_RAGDOLL_FALLS_H

// Random falls, the same for every engine: the sample avatar's ragdoll in a random pose within its limits, turned any
// way, a metre above the ground.

#include <vrm/vrm.h>

#include <math.h>

#include "math/quat.h"
#include "math/random.h"

typedef struct fall {
    vrm_ragdoll_def def;
    vrm_ragdoll_state places[VRM_RAGDOLL_MAX_BODIES];
    vrm_ragdoll_target targets[VRM_RAGDOLL_MAX_BODIES];
    vrm_ragdoll_targets exchange;
} fall;

static inline float fall_random(uint64_t *state, float low, float high)
{
    return low + (high - low) * vrmi_random_unit(state);
}

static inline vrm_quat fall_turn(uint64_t *state)
{
    vrm_quat q;
    do {
        q = (vrm_quat){
            fall_random(state, -1, 1), fall_random(state, -1, 1), fall_random(state, -1, 1), fall_random(state, -1, 1)};
    } while (vrmi_quat_dot(q, q) > 1.0f || vrmi_quat_dot(q, q) < 0.01f);
    return vrmi_quat_normalize(q);
}

// A rotation within a joint's limits, at most `share` of the way to them.
static inline vrm_quat fall_joint(const vrm_ragdoll_joint *joint, float share, uint64_t *state)
{
    const float twist = share * fall_random(state, joint->min_angle, joint->max_angle);
    const vrm_quat turn = vrmi_quat_from_axis_angle(vrmi_vec3(1, 0, 0), twist);
    vrm_quat q = turn;
    if (joint->type == VRM_RAGDOLL_JOINT_CONE) {
        const float angle = fall_random(state, -VRMI_PI, VRMI_PI), size = sqrtf(vrmi_random_unit(state));
        const float y = share * (joint->center_y + joint->swing_y * size * cosf(angle));
        const float z = share * (joint->center_z + joint->swing_z * size * sinf(angle));
        const vrm_vec3 axis = vrmi_vec3_normalize_or(vrmi_vec3(0, y, z), vrmi_vec3(0, 1, 0));
        q = vrmi_quat_mul(vrmi_quat_from_axis_angle(axis, sqrtf(y * y + z * z)), turn);
    }
    return vrmi_quat_mul(vrmi_quat_mul(joint->frame, q), vrmi_quat_conjugate(joint->frame));
}

static inline void fall_place(fall *f, uint64_t *state)
{
    float lowest = 1e9f;
    for (uint32_t i = 0; i < f->def.body_count; ++i) {
        const vrm_ragdoll_body *body = &f->def.bodies[i];
        vrm_ragdoll_state *s = &f->places[i];
        *s = (vrm_ragdoll_state){.rotation = fall_turn(state)};
        if (body->parent >= 0) {
            const vrm_ragdoll_state *above = &f->places[body->parent];
            s->rotation = vrmi_quat_normalize(vrmi_quat_mul(above->rotation, fall_joint(&body->joint, 0.7f, state)));
            s->position = vrmi_vec3_add(above->position, vrmi_quat_rotate(above->rotation, body->joint.anchor));
        }
        const vrm_vec3 center = vrmi_vec3_add(s->position, vrmi_quat_rotate(s->rotation, body->shape.center));
        lowest = fminf(lowest,
            center.y - vrmi_vec3_length(body->shape.half_extents) - body->shape.radius - body->shape.half_length);
    }
    for (uint32_t i = 0; i < f->def.body_count; ++i) {
        f->places[i].position.y += f->def.height / 1.6f - lowest;
    }
}

// `frequency` 0: limp.
static inline void fall_begin(fall *f, const vrm_ragdoll_def *def, uint32_t seed, float frequency)
{
    uint64_t state = vrmi_random_seeded(seed);
    *f = (fall){.def = *def};
    fall_place(f, &state);
    for (uint32_t i = 0; i < def->body_count; ++i) {
        f->targets[i] = (vrm_ragdoll_target){.state = f->places[i],
            .motion = VRM_RAGDOLL_MOTION_DYNAMIC,
            .frequency = i > 0 ? frequency : 0.0f,
            .damping_ratio = 1.0f};
    }
    f->exchange = (vrm_ragdoll_targets){.root = {{0, 0, 0}, {0, 0, 0, 1}, 1.0f},
        .root_from_model = {0, 0, 0, 1},
        .drive = VRM_RAGDOLL_DRIVE_TORQUE,
        .body_count = def->body_count,
        .bodies = f->targets,
        .active = true,
        .moved = 1,
        .places = f->places};
}

// The sample's definition.
static inline bool fall_sample(vrm_ragdoll_def *out)
{
    vrm_bytes bytes = {0};
    vrm_gltf *gltf = NULL;
    vrm_avatar *avatar = NULL;
    vrm_result result = vrm_sample_create(NULL, &bytes);
    result = result == VRM_SUCCESS ? vrm_gltf_load(NULL, bytes.data, bytes.size, NULL, &gltf) : result;
    result = result == VRM_SUCCESS ? vrm_avatar_import(NULL, gltf, NULL, &avatar) : result;
    vrm_ragdoll_def_default(out);
    result = result == VRM_SUCCESS ? vrm_ragdoll_def_build(avatar, gltf, NULL, NULL, out) : result;
    vrm_avatar_release(avatar);
    vrm_gltf_destroy(gltf);
    vrm_bytes_free(&bytes);
    return result == VRM_SUCCESS;
}

#endif
