// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_SPRING_STATE_H
#define VRMI_RUNTIME_SPRING_STATE_H

// What the spring stage keeps between updates: arrays of the instance's block, the rest in one struct.
//
// All of it is in "spring space": axes of the world, origin at the root's translation, divided by the root's scale. So
// floats do at any distance, and lengths, radii and forces follow the scale by themselves. Tails are relative to their
// heads, heads to the origin that the root had at the last tick; the root's travel enters as one difference per tick.

#include <vrm/update.h>

#include "model/model.h"

struct vrmi_cursor;

typedef struct vrmi_spring_pose {
    vrm_vec3 position;
    vrm_quat rotation;
} vrmi_spring_pose;

// A node that moves springs without being one: parent of a chain's first joint, a collider's node, a center. Rows of
// the avatar's own come first, one per node in node order, then one per host collider's slot.
typedef struct vrmi_spring_driver {
    int32_t node;           // -1: the space above the roots; -2: unused
    int32_t carrier;        // spring joint that moves it (itself or its nearest ancestor that is one), or -1
    float scale;            // largest factor of its node's scale, without the root's
    vrmi_spring_pose last;  // at the end of the last update; without a carrier only
    vrmi_spring_pose tick;  // at the last tick
    vrmi_spring_pose now;   // this update's; with a carrier: relative to it
    vrmi_spring_pose pose;  // of the step at hand
    vrmi_spring_pose ahead; // of a look ahead: at the end of the tick under way
} vrmi_spring_driver;

typedef struct vrmi_spring_chain_state {
    float weight;
    uint32_t root;                // driver of the first joint
    int32_t center;               // driver, or -1
    uint32_t first_limit;         // in spring_limit
    bool plain;                   // spring_group.h
    bool shown;                   // the step at hand writes what it shows to the outputs
    uint32_t tips;                // the first joint of its tip, which freezing concerns
    uint32_t live;                // joints that are simulated; those behind them are frozen
    vrmi_spring_pose center_tick; // the center at the last tick
} vrmi_spring_chain_state;

// A joint's limit, ready to use: the limit space against the joint's rest rotation, and no angles any more.
typedef struct vrmi_spring_limit_data {
    vrm_quat rotation;
    uint32_t type;              // vrm_spring_limit_type
    float cos_angle, sin_angle; // cone, hinge; spherical: pitch
    float sin_yaw;
} vrmi_spring_limit_data;

// A collider in spring space, ready for the kernel; made anew for each step.
typedef struct vrmi_spring_collider {
    // Eight floats in a row (kernel_place_body.h).
    vrm_vec3 a; // centre, capsule's first end, or a point of the plane
    float radius;
    vrm_vec3 b;    // capsule: from the first end to the second; plane: unit normal; else 0
    float inverse; // capsule: 1 / (b . b), 0 for one without length
    float side;    // 1: keeps out, -1: keeps in, 0: plane
    int32_t chain; // only this chain, -1: all, -2: off
} vrmi_spring_collider;

static inline bool vrmi_spring_is_capsule(vrm_collider_shape shape)
{
    return shape == VRM_COLLIDER_CAPSULE || shape == VRM_COLLIDER_INSIDE_CAPSULE;
}

static inline float vrmi_spring_side(vrm_collider_shape shape)
{
    const bool keeps_in = shape == VRM_COLLIDER_INSIDE_SPHERE || shape == VRM_COLLIDER_INSIDE_CAPSULE;
    return shape == VRM_COLLIDER_PLANE ? 0.0f : (keeps_in ? -1.0f : 1.0f);
}

typedef struct vrmi_spring_host {
    vrm_host_collider collider;
    double last_offset[3], last_tail[3]; // at the end of the last update
    bool used;                           // else the slot is empty
    bool jumped;                         // has no "last" yet, or it means nothing any more
} vrmi_spring_host;

// A row of joints in lanes (model/spring_lanes.h); slots without a joint hold nothing that is read.
typedef struct vrmi_spring_state_lanes {
    vrmi_vec3_lanes tail;     // last tick's tail - its head
    vrmi_vec3_lanes velocity; // way of the tail in the last tick
    vrmi_vec3_lanes head;     // last tick's head
    vrmi_quat_lanes shown;    // local rotation as last shown, before the chain's weight
} vrmi_spring_state_lanes;

// The lanes of a group whose chains are plain and run (spring_group.h), as bits.
typedef struct vrmi_spring_plain_lanes {
    uint8_t all, centered;
    uint8_t shown;            // those whose steps write what they show (spring_show.h)
    bool whole;               // every chain of the group is among them, with all of its joints
    int32_t root;             // driver that all of them hang on, or -1: they hang on different ones
    uint32_t row_count;       // down to the last joint that runs
    float joints[VRMI_LANES]; // joints that run
} vrmi_spring_plain_lanes;

// Nodes first to end - 1.
typedef struct vrmi_spring_subtree {
    uint32_t first, end;
} vrmi_spring_subtree;

// X(array, type, count), as VRMI_INSTANCE_ARRAYS. Bytes per slot: 52 + 1/8.
// clang-format off
#define VRMI_SPRING_ARRAYS(X) \
    X(spring_state, vrmi_spring_state_lanes, m->spring_bone_lanes.count) \
    X(spring_hit, uint8_t, m->spring_bone_lanes.count)   /* bits of a row's lanes: the last tick met a collider */ \
    X(spring_chain_state, vrmi_spring_chain_state, m->spring_chain.count) \
    X(spring_plain, vrmi_spring_plain_lanes, m->spring_group.count) \
    X(spring_moves, uint32_t, (m->node_parent.count + 31) / 32) /* bit per node on or under a joint */ \
    X(spring_subtree, vrmi_spring_subtree, m->spring_chain.count) /* of plain chains, adjacent ones joined */ \
    X(spring_loose, uint32_t, vrmi_spring_loose_capacity(m)) /* nodes in them that are no joints */ \
    X(spring_driver, vrmi_spring_driver, vrmi_spring_driver_capacity(m, d)) \
    X(spring_carried, uint32_t, vrmi_spring_driver_capacity(m, d)) /* drivers with a carrier, by carrier */ \
    X(spring_collider_driver, uint32_t, m->collider.count) \
    X(spring_collider, vrmi_spring_collider, m->collider.count) \
    X(spring_limit, vrmi_spring_limit_data, vrmi_spring_limit_count(m)) \
    X(spring_params, vrmi_spring_param_lanes, d->spring_parameters ? m->spring_bone_lanes.count : 0) \
    X(spring_host, vrmi_spring_host, d->host_colliders) \
    X(spring_host_collider, vrmi_spring_collider, d->host_colliders)
// clang-format on

typedef enum vrmi_spring_pending {
    VRMI_SPRING_PENDING_RESET = 1 << 0,  // start from the rest shape
    VRMI_SPRING_PENDING_CARRY = 1 << 1,  // start from the shape as shown, without motion, and let this frame pass
    VRMI_SPRING_PENDING_SETTLE = 1 << 2, // run some simulation in the pose at hand first
    VRMI_SPRING_PENDING_ALL = (1 << 3) - 1
} vrmi_spring_pending;

typedef struct vrmi_spring_globals {
    vrm_spring_settings settings;
    uint32_t pending;                   // vrmi_spring_pending
    uint32_t driver_count;              // rows in use of the avatar's own
    uint32_t carried_count;             // of spring_carried
    bool has_plain, has_plain_centered; // chains that run in lanes
    bool all_plain;                     // no others
    bool chosen;                        // which chains' steps show them: found, and nothing has changed since
    bool all_shown;                     // all do, with all of their joints
    bool scaled;                        // in this update some node has a scale
    bool may_scale; // some node has had one, of the input or the output pose, when this was last looked for
    // spring_show.h:
    uint32_t subtree_count; // of spring_subtree
    uint32_t loose_count;   // of spring_loose
    uint32_t loose_direct;  // of these, those whose parents are joints, which come first
    bool all_wait;          // in these subtrees are all nodes that the model lets wait
    bool deferring;         // the subtrees' world matrices wait for the springs
    bool shown;             // a step of this update has written what chains show that say so
    uint32_t shown_mark;    // of the chains that say so, 0 for none
    uint32_t told_mark;     // of those that had written when changes were told last
    float settle;           // seconds
    bool frozen;            // the chains' tips (spring_tips.c)
    bool thaws;             // they were, and stand where they were left at the next tick
    float tip_mix;          // how much of their rest rotation they show, 0 to 1
    double ticks;           // time since the last tick, in ticks
    // World place of the spring space in which the last tick's state is: the root's then, carried since by what hair
    // does not feel (platform, root_motion below 1); `turn` is the rotation of that carrying.
    double origin[3];
    vrm_quat turn;
    vrm_root root; // at the end of the last update
    vrm_root platform;
    vrm_root platform_last;
    bool has_platform, had_platform;
} vrmi_spring_globals;

// Rows that the arrays above need.
uint32_t vrmi_spring_driver_capacity(const vrmi_model *model, const vrm_instance_def *def);
uint32_t vrmi_spring_limit_count(const vrmi_model *model);
uint32_t vrmi_spring_loose_capacity(const vrmi_model *model);
// Makes the spring part of a zeroed or used instance as new: defaults, no host colliders, springs at rest.
void vrmi_spring_init(vrm_instance *instance);
// Is the hair at rest, or so slow that nobody sees it?
bool vrmi_spring_is_still(const vrm_instance *instance);
// Walks the springs' state (snapshot.h).
void vrmi_spring_snapshot(vrm_instance *instance, struct vrmi_cursor *cursor);

#endif
