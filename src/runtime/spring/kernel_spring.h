// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_KERNEL_SPRING_H
#define VRMI_RUNTIME_KERNEL_SPRING_H

// The arithmetic of one spring joint in one step: inertia, stiffness, forces, length, limit, colliders
// (VRMC_springBone-1.0, VRMC_springBone_extended_collider-1.0, VRMC_springBone_limit-1.0-draft). Pure functions of
// their arguments, in spring space (spring_state.h); products, square roots and divisions only, no angles.

#include "math/quat.h"
#include "runtime/spring/spring_state.h"

// See snap() in spring_run.c.
#define VRMI_SPRING_SNAP 2.2737367544323206e-13f // 2^-42

// One joint, gathered for a step. "Carried" means: after what hair does not feel (center, platform) has moved it.
typedef struct vrmi_spring_bone {
    vrm_quat rest;                // world rotation that the joint has at rest under this step's parent
    vrm_vec3 axis;                // direction of the bone in the joint's own space, unit
    float length, inverse_length; // of the bone
    vrm_vec3 head;                // in this step
    vrm_vec3 base;                // the last tick's tail, carried, from this step's head
    vrm_vec3 first_base;          // after vrmi_spring_lead(): the base before it
    vrm_vec3 tail;                // the last tick's tail, carried, from the last tick's head
    vrm_vec3 velocity;            // way of the tail in the last tick, carried
    vrm_vec3 force;               // gravity and wind
    float stiffness;
    float keep; // 1 - drag
    float hit_radius;
    const vrmi_spring_limit_data *limit; // NULL: none
} vrmi_spring_bone;

// What a chain can meet: some of the avatar's colliders, then the host's.
typedef struct vrmi_spring_contacts {
    const vrmi_spring_collider *colliders;
    const uint32_t *indices;
    uint32_t count;
    const vrmi_spring_collider *host;
    uint32_t host_count;
    int32_t chain; // index that the host's colliders ask for
    bool ahead;    // looking ahead: they are where they will be at the end of the tick under way
} vrmi_spring_contacts;

// One step of `dt` seconds: the new tail from the head. `*out_hit` tells whether it met a collider.
vrm_vec3 vrmi_spring_solve(const vrmi_spring_bone *bone, const vrmi_spring_contacts *contacts, float dt, bool *out_hit);
// Where the tail is seen `part` of a tick (`dt`, 0 < part < 1) after the last one, from the head. `hit`: the last tick
// met a collider.
vrm_vec3 vrmi_spring_look_ahead(
    const vrmi_spring_bone *bone, const vrmi_spring_contacts *contacts, float dt, float part, bool hit);

// Lets a tick pass first, in which the head goes a part (0 to 1) of its way since the last one. `hit`: the last tick met a
// collider; only then are colliders met.
void vrmi_spring_lead(vrmi_spring_bone *bone, const vrmi_spring_contacts *contacts, float dt, float part, bool hit);

// Where the tail is seen a part of a tick, after a whole one where `lead` is above 0, without meeting anything: what touched
// something slides on as it did.
vrm_vec3 vrmi_spring_skim(vrmi_spring_bone *bone, float dt, float lead, float part, bool hit);

// A unit direction in limit space, limited.
vrm_vec3 vrmi_spring_limit_direction(const vrmi_spring_limit_data *limit, vrm_vec3 direction);
// Signed distance of a tail (spring space) from a collider, and the direction that leads out of it; a zero direction
// where there is none.
float vrmi_spring_distance(
    const vrmi_spring_collider *collider, vrm_vec3 tail, float hit_radius, vrm_vec3 *out_direction);

#endif
