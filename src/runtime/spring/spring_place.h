// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_SPRING_PLACE_H
#define VRMI_RUNTIME_SPRING_PLACE_H

// Poses, rigid motions, drivers and colliders of a step (spring_run.c).

#include "runtime/spring/kernel_spring.h"
#include "runtime/spring/spring_run.h"

// Rotation, then translation.
typedef struct vrmi_spring_carry {
    bool turns; // else the rotation is identity
    vrm_quat rotation;
    vrm_vec3 translation;
} vrmi_spring_carry;

// A product of unit quaternions drifts: one Newton step brings it back.
static inline vrm_quat vrmi_spring_unit(vrm_quat q)
{
    const float s = 1.5f - 0.5f * vrmi_quat_dot(q, q);
    return (vrm_quat){q.x * s, q.y * s, q.z * s, q.w * s};
}

static inline vrmi_spring_pose vrmi_spring_compose(const vrmi_spring_pose *a, const vrmi_spring_pose *b)
{
    return (vrmi_spring_pose){vrmi_vec3_add(a->position, vrmi_quat_rotate(a->rotation, b->position)),
        vrmi_spring_unit(vrmi_quat_mul(a->rotation, b->rotation))};
}

static inline vrm_vec3 vrmi_spring_carry_vector(const vrmi_spring_carry *carry, vrm_vec3 v)
{
    return carry->turns ? vrmi_quat_rotate(carry->rotation, v) : v;
}

static inline vrm_vec3 vrmi_spring_carry_point(const vrmi_spring_carry *carry, vrm_vec3 p)
{
    return vrmi_vec3_add(vrmi_spring_carry_vector(carry, p), carry->translation);
}

static inline void vrmi_spring_carry_pose(const vrmi_spring_carry *carry, vrmi_spring_pose *pose)
{
    pose->position = vrmi_spring_carry_point(carry, pose->position);
    pose->rotation = carry->turns ? vrmi_spring_unit(vrmi_quat_mul(carry->rotation, pose->rotation)) : pose->rotation;
}

// The rigid motion that takes a pose to another.
static inline vrmi_spring_carry vrmi_spring_carry_between(const vrmi_spring_pose *from, const vrmi_spring_pose *to)
{
    const vrm_quat rotation = vrmi_spring_unit(vrmi_quat_mul(to->rotation, vrmi_quat_conjugate(from->rotation)));
    return (vrmi_spring_carry){true, rotation, vrmi_vec3_sub(to->position, vrmi_quat_rotate(rotation, from->position))};
}

static inline vrmi_spring_carry vrmi_spring_step_carry(const vrmi_spring_step *step)
{
    const vrm_quat q = step->turn;
    return (vrmi_spring_carry){q.x != 0.0f || q.y != 0.0f || q.z != 0.0f, q, step->shift};
}

// A vector in a node's local space (-1: the space above the roots) with the scales of the node and of all above but the
// root applied, still in the node's axes.
vrm_vec3 vrmi_spring_scaled(const vrm_instance *instance, int32_t node, vrm_vec3 v);
// Where a node is in the local space of an ancestor, and the rotation from the node's parent to the ancestor: through
// the nodes between, which no spring turns.
vrm_vec3 vrmi_spring_path_to(const vrm_instance *instance, int32_t node, int32_t ancestor, vrm_quat *out_rotation);

uint32_t vrmi_spring_driver_rows(const vrm_instance *instance);
// Poses for a step: between the two updates, or, on a joint, where it was at the last tick until the joint moves it.
void vrmi_spring_place_drivers(vrm_instance *instance, const vrmi_spring_step *step);
// Gives a joint's pose to all that hangs on it. `*cursor` runs over the carried drivers beside the joints.
void vrmi_spring_carry_drivers(
    vrm_instance *instance, uint32_t joint, const vrmi_spring_pose *pose, bool is_tick, uint32_t *cursor);
// Forgets where a host's collider was.
void vrmi_spring_forget_host(vrm_instance *instance, uint32_t slot);
// All colliders for the kernel. `ahead`: at the end of the tick under way; else at this step.
void vrmi_spring_place_colliders(vrm_instance *instance, const vrmi_spring_step *step, bool ahead);
// What the chain can meet. Colliders on other springs' joints are where these put them in this step.
vrmi_spring_contacts vrmi_spring_chain_contacts(
    vrm_instance *instance, uint32_t chain, const vrmi_spring_step *step, bool ahead);

#endif
