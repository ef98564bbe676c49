// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_SPRING_SPRING_H
#define VRMI_RUNTIME_SPRING_SPRING_H

// The state of the springs between updates, and the functions that the rest of the runtime calls.
//
// All values are in "spring space": it has the axes of the world and its origin at the root's translation, and is
// divided by the root's scale. So floats are precise at any distance, and lengths, radii and forces follow the scale.
// Tails are relative to their heads. Heads are relative to the root's position at the last tick, so the motion of the
// root is one difference per tick.

#include <vrm/update.h>

#include "math/rigid.h"
#include "model/model.h"

struct vrmi_cursor;

typedef enum vrmi_spring_stretch_kind {
    VRMI_SPRING_UNSTRETCHED,
    VRMI_SPRING_STRETCHED_EVENLY, // stretched by the factor `scale`
    VRMI_SPRING_STRETCHED         // stretched by a matrix in spring_stretch
} vrmi_spring_stretch_kind;

// An anchor (vrmi_spring_anchor_row). The avatar's own anchors come first, then one per slot of host colliders.
typedef struct vrmi_spring_anchor {
    uint32_t stretch; // vrmi_spring_stretch_kind, relative to the scale at rest
    float scale;      // even factor of the stretch
    float fold;       // scale at rest that is not included in the rows and colliders on the anchor
    // Kernels read the seven floats of a pose together. Anchors on joints do not use `now` and `last`.
    vrmi_pose last;  // pose at the end of the last update
    vrmi_pose tick;  // pose at the last tick
    vrmi_pose now;   // pose in this update
    vrmi_pose pose;  // pose in the current step
    vrmi_pose ahead; // for a look ahead: pose at the end of the current tick
} vrmi_spring_anchor;

// A matrix, stored in rows, that maps the anchor's own axes to the stretched axes. It does not contain the scales that
// the model folds (`scale` and `base` of an anchor's row). If the stretch is uniform, it is `scale` times the identity.
typedef struct vrmi_spring_stretch {
    float m[9];
} vrmi_spring_stretch;

// A collider in spring space, computed again for each step. Kernels write the first eight floats together.
typedef struct vrmi_spring_collider {
    vrm_vec3 a; // centre, first end of a capsule, or point of a plane
    float radius;
    vrm_vec3 b;     // capsule: from the first end to the second; plane: unit normal; else 0
    float inverse;  // capsule: 1 / (b . b), 0 without length
    uint32_t shape; // vrm_collider_shape
    int32_t chain;  // collides only with this chain; -1: with all
} vrmi_spring_collider;

typedef struct vrmi_spring_host {
    vrm_host_collider_def collider;
    vrm_dvec3 last_offset, last_tail; // positions at the end of the last update
    bool used;                        // false: the slot is empty
    bool jumped;                      // the collider had no valid position in the last update
    vrmi_spring_anchor_row anchor;    // for a collider on a node
    // The collider relative to its anchor; a collider in the world is relative to the root in the current step.
    vrmi_collider_row placed;
} vrmi_spring_host;

// A row of joints in lanes (model/spring_lanes.h). Slots without a joint are never used.
typedef struct vrmi_spring_state_lanes {
    vrmi_vec3_lanes tail;     // tail relative to its head, at the last tick
    vrmi_vec3_lanes velocity; // displacement of the tail in the last tick
    vrmi_vec3_lanes head;     // head at the last tick
    vrmi_quat_lanes shown;    // shown local rotation, before the chain's weight
} vrmi_spring_state_lanes;

// The pose of a row's joints in the current step, for anchors on these joints.
typedef struct vrmi_spring_frame {
    vrmi_vec3_lanes head;
    float matrix[9][VRMI_LANES];
} vrmi_spring_frame;

// X(array, type, count), as in VRMI_INSTANCE_ARRAYS. Bytes per slot: 52 + 1/8.
// clang-format off
#define VRMI_SPRING_ARRAYS(X) \
    X(spring_state, vrmi_spring_state_lanes, m->spring_row.count) \
    X(spring_hit, uint8_t, m->spring_row.count)      /* bits of a row's lanes: the last tick hit a collider */ \
    X(spring_weight, float, m->spring_chain.count) \
    X(spring_shows, uint8_t, m->spring_group.count)  /* bits of lanes whose rotations the steps write out */ \
    X(spring_anchor, vrmi_spring_anchor, m->spring_anchor.count + d->host_colliders) \
    X(spring_stretch, vrmi_spring_stretch, m->spring_anchor.count + d->host_colliders) \
    X(spring_collider, vrmi_spring_collider, m->collider.count + d->host_colliders) \
    X(spring_ahead, vrmi_spring_collider, m->collider.count + d->host_colliders) /* at the end of the current tick */ \
    X(spring_frame, vrmi_spring_frame, m->spring_frame.count + d->host_colliders) \
    X(spring_row_frame, int32_t, d->host_colliders != 0 ? m->spring_row.count : 0) /* includes host colliders */ \
    X(spring_params, vrmi_spring_param_lanes, d->spring_parameters ? m->spring_row.count : 0) \
    X(spring_host, vrmi_spring_host, d->host_colliders) \
    X(spring_host_enabled, uint32_t, d->host_colliders) /* indices in spring_collider */
// clang-format on

typedef enum vrmi_spring_pending {
    VRMI_SPRING_PENDING_RESET = 1 << 0,  // start from the rest shape
    VRMI_SPRING_PENDING_CARRY = 1 << 1,  // start from the shown shape, without motion, and skip this frame
    VRMI_SPRING_PENDING_SETTLE = 1 << 2, // first simulate for a time in the current pose
    VRMI_SPRING_PENDING_ALL = (1 << 3) - 1
} vrmi_spring_pending;

typedef struct vrmi_spring_globals {
    vrm_spring_params settings;
    uint32_t pending;    // vrmi_spring_pending
    float settle;        // seconds
    uint32_t host_count; // length of spring_host_enabled
    uint32_t met_count;  // host_count plus one for the ground: the colliders that every chain may hit
    float ground;        // height of the ground in the spring space of the current step
    bool hosts_changed;  // the list of hosts and spring_row_frame are outdated
    bool stretched;      // in this update, the scale of an anchor differs from rest or is uneven
    bool posed;          // in this update, some nodes of spring_path are not at rest
    bool shows;          // the current step writes the outputs
    bool shown;          // a step of this update has written the outputs
    bool chosen;         // spring_shows matches the weights
    bool has_platform, had_platform;
    double ticks; // time since the last tick, as a fraction of a tick
    // World position of the origin of the spring space that contains the last tick's state. It is the root's position
    // at that tick, moved by all later motion that hair does not feel (motion of the platform, or of the root if
    // root_motion is below 1). `turn` is the rotation of this motion.
    vrm_dvec3 origin;
    vrm_quat turn;
    vrm_root root; // the root at the end of the last update
    vrm_root platform;
    vrm_root platform_last;
} vrmi_spring_globals;

// Resets the spring part of a zeroed or used instance: defaults, no host colliders, springs at rest.
void vrmi_spring_init(vrm_instance *instance);
// Moves the springs' state with the world under the instance, including the root (vrm_instance_warp()).
void vrmi_spring_warp(vrm_instance *instance, const vrmi_warp *warp);
// Whether the hair is at rest, or moves too slowly to be seen.
bool vrmi_spring_is_still(const vrm_instance *instance);
// Saves or loads the springs' state (snapshot.h).
void vrmi_spring_snapshot(vrm_instance *instance, struct vrmi_cursor *cursor);

// The motion of a joint in its slot.
typedef struct vrmi_spring_motion {
    vrm_vec3 tail, velocity, head; // as in vrmi_spring_state_lanes
} vrmi_spring_motion;

static inline vrmi_spring_motion vrmi_spring_get_motion(const vrmi_spring_state_lanes *rows, uint32_t slot)
{
    const vrmi_spring_state_lanes *row = &rows[slot / VRMI_LANES];
    const uint32_t lane = slot % VRMI_LANES;
    return (vrmi_spring_motion){
        vrmi_lane_vec3(&row->tail, lane), vrmi_lane_vec3(&row->velocity, lane), vrmi_lane_vec3(&row->head, lane)};
}

static inline vrmi_spring_motion vrmi_spring_moved(const vrmi_rigid *by, const vrmi_spring_motion *motion)
{
    return (vrmi_spring_motion){vrmi_rigid_vector(by, motion->tail), vrmi_rigid_vector(by, motion->velocity),
        vrmi_rigid_point(by, motion->head)};
}

static inline void vrmi_spring_set_motion(
    vrmi_spring_state_lanes *rows, uint32_t slot, const vrmi_spring_motion *motion)
{
    vrmi_spring_state_lanes *row = &rows[slot / VRMI_LANES];
    const uint32_t lane = slot % VRMI_LANES;
    vrmi_lane_set_vec3(&row->tail, lane, motion->tail);
    vrmi_lane_set_vec3(&row->velocity, lane, motion->velocity);
    vrmi_lane_set_vec3(&row->head, lane, motion->head);
}

#endif
