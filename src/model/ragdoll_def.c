// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Is a ragdoll's definition one that can be simulated? Whoever takes one asks here: instance, solver, adapters, files.

#include <vrm/ragdoll.h>

#include "base/checks.h"
#include "math/quat.h"

const char *vrm_ragdoll_fault_name(vrm_ragdoll_fault fault)
{
    static const char *const names[] = {
#define FAULT_NAME(name, sentence) #name,
        VRM_RAGDOLL_FAULTS(FAULT_NAME)
#undef FAULT_NAME
    };
    return (int)fault >= 0 && fault < VRM_RAGDOLL_FAULT_COUNT ? names[fault] : "UNKNOWN";
}

const char *vrm_ragdoll_fault_sentence(vrm_ragdoll_fault fault)
{
    static const char *const sentences[] = {
#define FAULT_SENTENCE(name, sentence) sentence,
        VRM_RAGDOLL_FAULTS(FAULT_SENTENCE)
#undef FAULT_SENTENCE
    };
    return (int)fault >= 0 && fault < VRM_RAGDOLL_FAULT_COUNT ? sentences[fault] : "UNKNOWN";
}

void vrm_ragdoll_def_default(vrm_ragdoll_def *def)
{
    if (VRM_ASSERT(def != NULL)) {
        *def = (vrm_ragdoll_def){.struct_size = sizeof(*def)};
    }
}

// Sizes, masses and moments beyond these are nobody's body, and floats have room for what is computed from them.
static const float smallest = 1e-9f, largest = 1e9f;

static bool possible_size(float value)
{
    return value >= smallest && value <= largest;
}

static bool possible_place(vrm_vec3 p)
{
    const vrm_vec3 a = {vrmi_abs(p.x), vrmi_abs(p.y), vrmi_abs(p.z)};
    return a.x <= largest && a.y <= largest && a.z <= largest; // false for NaN
}

static bool is_unit(vrm_quat q)
{
    return vrmi_abs(vrmi_quat_dot(q, q) - 1.0f) < 1e-3f;
}

static bool shape_possible(const vrm_ragdoll_shape *shape)
{
    if (!possible_place(shape->center) || !is_unit(shape->rotation)) {
        return false;
    }
    if (shape->type == VRM_RAGDOLL_SHAPE_CAPSULE) {
        return possible_size(shape->radius) && shape->half_length >= 0.0f && shape->half_length <= largest;
    }
    const vrm_vec3 h = shape->half_extents;
    return shape->type == VRM_RAGDOLL_SHAPE_BOX && possible_size(h.x) && possible_size(h.y) && possible_size(h.z);
}

static bool mass_possible(const vrm_ragdoll_body *body)
{
    const vrm_vec3 i = body->inertia;
    return possible_size(body->mass) && possible_place(body->center_of_mass) && is_unit(body->inertia_rotation) &&
           possible_size(i.x) && possible_size(i.y) && possible_size(i.z);
}

static bool joint_possible(const vrm_ragdoll_body *body)
{
    const vrm_ragdoll_joint *joint = &body->joint;
    const bool is_root = body->parent < 0;
    return (int)joint->type >= 0 && joint->type < VRM_RAGDOLL_JOINT_COUNT &&
           is_root == (joint->type == VRM_RAGDOLL_JOINT_FREE) && possible_place(joint->anchor) && is_unit(joint->frame);
}

static bool angle_possible(float angle)
{
    return angle >= -VRMI_PI && angle <= VRMI_PI;
}

static bool limits_possible(const vrm_ragdoll_joint *joint)
{
    if (joint->type == VRM_RAGDOLL_JOINT_FREE) {
        return true;
    }
    if (!angle_possible(joint->min_angle) || !angle_possible(joint->max_angle) ||
        joint->min_angle > joint->max_angle) {
        return false;
    }
    return joint->type == VRM_RAGDOLL_JOINT_HINGE ||
           (angle_possible(joint->center_y) && angle_possible(joint->center_z) && possible_size(joint->swing_y) &&
               possible_size(joint->swing_z) && angle_possible(joint->swing_y) && angle_possible(joint->swing_z));
}

static bool contacts_agree(const vrm_ragdoll_def *def, uint32_t body)
{
    for (uint32_t other = 0; other < def->body_count; ++other) {
        const bool here = (def->bodies[body].no_contact >> other & 1u) != 0;
        const bool there = (def->bodies[other].no_contact >> body & 1u) != 0;
        if (here != there) {
            return false;
        }
    }
    return true;
}

static vrm_ragdoll_fault fault_of(const vrm_ragdoll_def *def, uint32_t index)
{
    const vrm_ragdoll_body *body = &def->bodies[index];
    if ((int)body->bone < 0 || body->bone >= VRM_HUMAN_BONE_COUNT) {
        return VRM_RAGDOLL_FAULT_BONE;
    }
    for (uint32_t i = 0; i < index; ++i) {
        if (def->bodies[i].bone == body->bone) {
            return VRM_RAGDOLL_FAULT_BONE;
        }
    }
    if (body->parent >= (int32_t)index || (body->parent < 0) != (index == 0)) {
        return VRM_RAGDOLL_FAULT_PARENT;
    }
    if ((int)body->group < 0 || body->group >= VRM_RAGDOLL_GROUP_COUNT) {
        return VRM_RAGDOLL_FAULT_GROUP;
    }
    if (!shape_possible(&body->shape)) {
        return VRM_RAGDOLL_FAULT_SHAPE;
    }
    if (!mass_possible(body)) {
        return VRM_RAGDOLL_FAULT_MASS;
    }
    if (!joint_possible(body)) {
        return VRM_RAGDOLL_FAULT_JOINT;
    }
    if (!limits_possible(&body->joint)) {
        return VRM_RAGDOLL_FAULT_LIMIT;
    }
    return contacts_agree(def, index) ? VRM_RAGDOLL_FAULT_NONE : VRM_RAGDOLL_FAULT_NO_CONTACT;
}

vrm_result vrm_ragdoll_def_check(const vrm_ragdoll_def *def, vrm_ragdoll_error *out_error)
{
    vrm_ragdoll_error error = {VRM_RAGDOLL_FAULT_NONE, -1};
    if (def == NULL || def->struct_size != sizeof(*def) || def->body_count == 0 ||
        def->body_count > VRM_RAGDOLL_MAX_BODIES) {
        error.fault = VRM_RAGDOLL_FAULT_BODY_COUNT;
    }
    for (uint32_t i = 0; error.fault == VRM_RAGDOLL_FAULT_NONE && i < def->body_count; ++i) {
        error.fault = fault_of(def, i);
        error.body = error.fault != VRM_RAGDOLL_FAULT_NONE ? (int32_t)i : -1;
    }
    if (out_error != NULL) {
        *out_error = error;
    }
    return error.fault == VRM_RAGDOLL_FAULT_NONE ? VRM_SUCCESS : VRM_ERROR_INVALID_ARGUMENT;
}
