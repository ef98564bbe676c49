// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The velocity drive in two forms: as in the article named in ragdoll_drive.h, and with velocities that agree at the
// joints.

#include "base/abi.h"
#include "base/checks.h"
#include "base/float_environment.h"
#include "math/quat.h"

#include <vrm/ragdoll_drive.h>

void(vrm_ragdoll_drive_params_default)(vrm_ragdoll_drive_params *input, size_t size)
{
    const vrm_ragdoll_drive_params own = {.struct_size = sizeof own, .scale = 1.0f, .gravity = {0.0f, -9.81f, 0.0f}};
    vrmi_write_defaults(input, size, &own, sizeof own);
}

static bool is_usable(const vrm_ragdoll_drive_params *in, const void *out)
{
    return VRM_ASSERT(in != NULL && out != NULL && VRMI_OPTIONS_FIT(vrm_ragdoll_drive_params, in) && in->def != NULL &&
                      in->def->body_count <= VRM_RAGDOLL_MAX_BODIES && in->states != NULL && in->targets != NULL &&
                      in->dt > 0.0f && in->scale > 0.0f && in->velocity_mode >= VRM_RAGDOLL_VELOCITY_MODE_DEFAULT &&
                      in->velocity_mode <= VRM_RAGDOLL_VELOCITY_MODE_ARTICLE);
}

static bool is_driven(const vrm_ragdoll_target *target)
{
    return target->motion == VRM_RAGDOLL_MOTION_DYNAMIC;
}

// The vector from the body's origin to its centre of mass, in the world's axes.
static vrm_vec3 center_of(const vrm_ragdoll_drive_params *in, uint32_t i, vrm_quat rotation)
{
    return vrmi_quat_rotate(rotation, vrmi_vec3_scale(in->def->bodies[i].center_of_mass, in->scale));
}

// The displacement to the target. The caller multiplies it by the translation weight.
static vrm_vec3 way_to_target(const vrm_ragdoll_drive_params *in, uint32_t i)
{
    const vrm_ragdoll_state *s = &in->states[i], *wanted = &in->targets[i].state;
    const vrm_vec3 way = vrmi_vec3_sub(wanted->position, s->position);
    if (in->velocity_mode == VRM_RAGDOLL_VELOCITY_MODE_ARTICLE) {
        return way;
    }
    const vrm_vec3 turned = vrmi_vec3_sub(center_of(in, i, wanted->rotation), center_of(in, i, s->rotation));
    return vrmi_vec3_add(way, turned);
}

// The velocities of the article's formula. A velocity that would not be finite keeps its current value.
static vrm_ragdoll_velocity plain(const vrm_ragdoll_drive_params *in, uint32_t i)
{
    const vrm_ragdoll_state *s = &in->states[i], *wanted = &in->targets[i].state;
    vrm_ragdoll_velocity v = {s->linear_velocity, s->angular_velocity};
    const float turn = in->targets[i].rotation_weight, shift = in->targets[i].translation_weight;
    if (!is_driven(&in->targets[i])) {
        return v;
    }
    if (turn > 0.0f) {
        const vrm_quat way = vrmi_quat_mul(wanted->rotation, vrmi_quat_conjugate(s->rotation));
        const vrm_vec3 angular = vrmi_vec3_scale(vrmi_quat_to_vector(way), vrmi_min(turn, 1.0f) / in->dt);
        v.angular = vrmi_vec3_finite(angular) ? angular : v.angular;
    }
    if (shift > 0.0f) {
        const vrm_vec3 linear = vrmi_vec3_scale(way_to_target(in, i), vrmi_min(shift, 1.0f) / in->dt);
        v.linear = vrmi_vec3_finite(linear) ? linear : v.linear;
    }
    return v;
}

void vrm_ragdoll_drive_velocities_plain(const vrm_ragdoll_drive_params *input, vrm_ragdoll_velocity *out)
{
    if (!is_usable(input, out)) {
        return;
    }
    const vrmi_float_environment host = vrmi_float_enter();
    for (uint32_t i = 0; i < input->def->body_count; ++i) {
        out[i] = plain(input, i);
    }
    vrmi_float_leave(host);
}

// Computes the linear velocities of all bodies that are connected to the root, from the root outwards, and keeps their
// total momentum. A body behind an undriven body follows that body, and its momentum is not kept.
static void make_consistent(const vrm_ragdoll_drive_params *in, vrm_ragdoll_velocity *out)
{
    vrm_vec3 joint[VRM_RAGDOLL_MAX_BODIES]; // velocity of the body's origin
    bool free[VRM_RAGDOLL_MAX_BODIES];      // connected to the root through driven bodies only
    vrm_vec3 missing = {0.0f, 0.0f, 0.0f};
    float mass = 0.0f;
    for (uint32_t i = 0; i < in->def->body_count; ++i) {
        const vrm_ragdoll_body *body = &in->def->bodies[i];
        const vrm_vec3 center = center_of(in, i, in->states[i].rotation);
        const vrm_vec3 back =
            vrmi_vec3_cross(center, out[i].angular); // velocity of the origin minus that of the centre of mass
        const bool driven = is_driven(&in->targets[i]);
        free[i] = driven && (body->parent < 0 || free[body->parent]);
        if (!driven || body->parent < 0) {
            joint[i] = vrmi_vec3_add(in->states[i].linear_velocity, back);
        } else {
            // Uses the joint's current position in the engine, because the animation may have moved the joint.
            const vrm_vec3 anchor = vrmi_vec3_sub(in->states[i].position, in->states[body->parent].position);
            joint[i] = vrmi_vec3_add(joint[body->parent], vrmi_vec3_cross(out[body->parent].angular, anchor));
            out[i].linear = vrmi_vec3_sub(joint[i], back);
        }
        if (free[i]) {
            const vrm_vec3 lost = vrmi_vec3_sub(in->states[i].linear_velocity, out[i].linear);
            missing = vrmi_vec3_add(missing, vrmi_vec3_scale(lost, body->mass));
            mass += body->mass;
        }
    }
    for (uint32_t i = 0; mass > 0.0f && i < in->def->body_count; ++i) {
        if (free[i]) {
            out[i].linear = vrmi_vec3_add(out[i].linear, vrmi_vec3_scale(missing, 1.0f / mass));
        }
    }
}

void vrm_ragdoll_drive_velocities(const vrm_ragdoll_drive_params *input, vrm_ragdoll_velocity *out)
{
    if (!is_usable(input, out)) {
        return;
    }
    const vrmi_float_environment host = vrmi_float_enter();
    vrm_vec3 led[VRM_RAGDOLL_MAX_BODIES];
    bool turns = false;
    for (uint32_t i = 0; i < input->def->body_count; ++i) {
        out[i] = plain(input, i);
        // Divides by the weight to get the full displacement; the weight is applied again below.
        const float weight = vrmi_min(input->targets[i].translation_weight, 1.0f);
        led[i] = weight > 0.0f ? vrmi_vec3_scale(out[i].linear, 1.0f / weight) : out[i].linear;
        out[i].linear = input->states[i].linear_velocity;
        turns = turns || (is_driven(&input->targets[i]) && input->targets[i].rotation_weight > 0.0f);
    }
    if (turns) {
        make_consistent(input, out);
    }
    for (uint32_t i = 0; i < input->def->body_count; ++i) {
        const float weight = vrmi_min(input->targets[i].translation_weight, 1.0f);
        if (is_driven(&input->targets[i]) && weight > 0.0f) {
            out[i].linear = vrmi_vec3_lerp(out[i].linear, led[i], weight);
        }
    }
    vrmi_float_leave(host);
}
