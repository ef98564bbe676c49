// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_SPRING_SPRING_PLACE_H
#define VRMI_RUNTIME_SPRING_SPRING_PLACE_H

// Where the anchors of springs and colliders are, in an update and in a step, and rigid motions between poses.

#include "math/quat.h"
#include "runtime/spring/kernel_spring.h"

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

static inline uint32_t vrmi_spring_anchor_count(const vrm_instance *instance)
{
    return instance->model->spring_anchor.count + instance->def.host_colliders;
}

// Takes the anchors' poses of this update from the world matrices, and notes scales and moved nodes of hair.
void vrmi_spring_refresh(vrm_instance *instance);
// What this update gave becomes what the last update gave.
void vrmi_spring_keep(vrm_instance *instance);
// Poses for a step: between the two updates, or, on a joint, where it was at the last tick until the joint moves it.
void vrmi_spring_place_anchors(vrm_instance *instance, const vrmi_spring_step *step);
// Poses of the anchors on the joints of the wave before, which has run; of a look ahead those ahead, too.
void vrmi_spring_place_carried(vrm_instance *instance, uint32_t wave, const vrmi_spring_step *step);
// Where anchors will be when the tick that is under way ends, if they go on as since the last one.
void vrmi_spring_look_ahead(vrm_instance *instance, const vrmi_spring_step *step);
// The avatar's colliders of a wave (0: all of them) and the host's.
void vrmi_spring_place_colliders(vrm_instance *instance, uint32_t wave, const vrmi_spring_step *step, bool ahead);
// The step's poses become those of the last tick.
void vrmi_spring_keep_ticks(vrm_instance *instance);
// Hangs a host collider's slot on a node (-1: the space above the roots; -2: none).
void vrmi_spring_attach_host(vrm_instance *instance, uint32_t slot, int32_t node);
// After a change of host colliders: which of them take part.
void vrmi_spring_list_hosts(vrm_instance *instance);
// Forgets where a host's collider was.
void vrmi_spring_forget_host(vrm_instance *instance, uint32_t slot);

#endif
