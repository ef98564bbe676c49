// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_INSTANCE_H
#define VRMI_RUNTIME_INSTANCE_H

// An instance's inside: one block, arrays in the order of the X-macro, hot first. Space of `world` and of everything
// spatial in here: axes of the world, origin at the root's translation ("root-relative world"), so that floats do.

#include <vrm/clip.h>
#include <vrm/output.h>

#include "math/mat34.h"
#include "model/model.h"
#include "runtime/core/lod.h"
#include "runtime/expression/expression.h"
#include "runtime/look/look.h"
#include "runtime/ragdoll/ragdoll.h"
#include "runtime/spring/spring.h"

// X(array, type, count): the block's layout, part by part (vrm_instance_part). `m` is the model, `d` the def. Bytes per
// item in the comments.
// Poses have the rows of model.h's node_pose: of the tree, and where the def asks for them of the hair. Without, hair
// is at rest but for what the springs' own state says (hair_pose.h): three of four nodes of long hair weigh nothing
// here.
#define VRMI_POSE_ROWS(m, d) ((d)->hair_inputs ? (m)->node_parent.count : (m)->head.tree_count)
#define VRMI_NODE_HOT_ARRAYS(X) \
    X(local, vrm_transform, VRMI_POSE_ROWS(m, d))     /* 40: output pose */ \
    X(world, vrm_mat34, m->node_parent.count)         /* 48: root-relative world */ \
    X(world_rotation, vrm_quat, VRMI_POSE_ROWS(m, d)) /* 16: without scale */ \
    X(node_hash, uint32_t, \
        m->node_parent.count) /* 4: of the output pose as the last output stage saw it, high bits */ \
    X(node_hash_low, uint8_t, m->node_parent.count) /* 1: those below */ \
    X(node_changed, uint32_t, (m->node_parent.count + 31) / 32) \
    X(input_set, uint32_t, (m->node_parent.count + 31) / 32) /* where clear, `input` is the rest, and not read */
#define VRMI_NODE_COLD_ARRAYS(X) X(input, vrm_transform, VRMI_POSE_ROWS(m, d)) /* 40: held, never written by a stage */
#define VRMI_PALETTE_ARRAYS(X) \
    X(palette, vrm_mat34, m->palette_node.count) /* 48 */ \
    X(palette_changed, uint32_t, (m->palette.count + 31) / 32)
#define VRMI_MESH_ARRAYS(X) \
    X(mesh_boxes, vrm_box, m->mesh.count)                /* 24 */ \
    X(mesh_changed, uint32_t, (m->mesh.count + 31) / 32) /* of morphs; set by the expression stage */
#define VRMI_MATERIAL_ARRAYS(X) \
    X(material_changed, uint32_t, (m->material.count + 31) / 32) /* set by the expression and the output stage */
#define VRMI_INSTANCE_ARRAYS(X) \
    /* hot: read and written by every update */ \
    VRMI_NODE_HOT_ARRAYS(X) \
    VRMI_SPRING_ARRAYS(X) \
    VRMI_PALETTE_ARRAYS(X) \
    VRMI_MESH_ARRAYS(X) \
    VRMI_MATERIAL_ARRAYS(X) \
    VRMI_LOOK_CHAIN_ARRAYS(X) \
    VRMI_RAGDOLL_ARRAYS(X) \
    /* cold, from `expressions` on: only where something is set or a face moves */ \
    VRMI_EXPRESSION_ARRAYS(X) \
    VRMI_NODE_COLD_ARRAYS(X)

struct vrm_instance {
    vrmi_lod lod; // first, with the clock: see there
    double clock; // seconds of UV animation
    const vrm_avatar *avatar;
    const vrmi_model *model; // of the avatar
    vrm_allocator allocator;
    size_t size;    // of the block
    bool allocated; // by vrm_instance_create(); else the caller's memory
    vrm_instance_def def;
    uint32_t pose_rows; // of `local`, `input` and `world_rotation`
    uint32_t lanes;     // vrmi_lanes_path; every path gives the same bits
    uint32_t status;    // vrm_status
    vrm_root root;
    vrm_mat34 root_world;   // root-relative world from glTF roots: rotation and scale of `root`, root_from_nodes
    vrm_quat root_rotation; // the same without scale
    bool scaled;            // a node has got another scale than at rest
    bool local_set;         // the host has changed `local` since the springs ran
    bool hair_stale;        // hair's `local` is not the rest and what was set of the input, but for what springs write
    bool hair_early;        // something reads hair's worlds before the springs run
    bool hair_at_rest;      // hair without poses is shown at rest, whatever the springs hold: nobody has run them
    bool hair_moved;        // by springs, since the last output stage
    bool hair_had_moved;    // before that
    bool pose_changed;      // the host changed `local` or the root after the pose half: world is stale
#define VRMI_INSTANCE_POINTER(array, type, count) type *array;
    VRMI_INSTANCE_ARRAYS(VRMI_INSTANCE_POINTER)
#undef VRMI_INSTANCE_POINTER
    vrmi_spring_globals springs;
    vrmi_face face;
    vrmi_gaze gaze;
    vrmi_look_chain look;
    vrmi_ragdoll ragdoll;
    vrm_clip_player *player; // attached, or NULL
    // By expression, from the pose stage: the player's own array, or NULL. A clip's weight replaces the host's in layer
    // CLIP.
    const vrmi_expression_entry *clip_expressions;
    // The clips' gaze, for the look-at stage where the host has set none; vrm_clip_player_apply() sets it too.
    bool clip_gaze;
    float clip_yaw, clip_pitch;
    // Expression gaze, written by the look-at stage, read by the expression stage: takes the place of the input of
    // lookUp, lookDown, lookLeft, lookRight while active.
    bool look_active;
    float look_weights[VRMI_LOOK_COUNT];
    // Outputs that are single.
    float look_yaw, look_pitch;
    vrm_transform viewpoint;
    vrm_box box;
    float height, eye_height;
    vrm_mat34 root_seen; // root_world as the last output stage saw it
    bool outputs_stale;  // nothing to compare with: everything counts as changed
    uint32_t node_counter, palette_counter, mesh_counter, material_counter;
};

// Checks, normalises and stores a root without telling the springs; `world` becomes stale. Results as
// vrm_instance_set_root().
vrm_result vrmi_instance_place_root(vrm_instance *instance, const vrm_root *root);
// Checks `local`, makes its rotation unit and stores it in `poses`, the input or the output pose. Hair without rows
// there accepts only its rest transform: otherwise UNSUPPORTED.
vrm_result vrmi_instance_store(vrm_instance *instance, uint32_t node, const vrm_transform *local, vrm_transform *poses);
// Has a node rows in the poses?
static inline bool vrmi_has_pose(const vrm_instance *instance, uint32_t node)
{
    return vrmi_model_node_pose(instance->model)[node] < instance->pose_rows;
}
// Rows of nodes that have some.
static inline vrm_transform *vrmi_local(const vrm_instance *instance, int64_t node)
{
    return &instance->local[vrmi_model_node_pose(instance->model)[node]];
}
static inline vrm_transform *vrmi_input(const vrm_instance *instance, int64_t node)
{
    return &instance->input[vrmi_model_node_pose(instance->model)[node]];
}
static inline vrm_quat *vrmi_world_rotation(const vrm_instance *instance, int64_t node)
{
    return &instance->world_rotation[vrmi_model_node_pose(instance->model)[node]];
}
// Rows of a pose become the rest: the tree's, and hair's where `with_hair` and there are some.
void vrmi_instance_rest(const vrm_instance *instance, bool with_hair, vrm_transform *rows);
// Stores an input at `to`; where it is another one than before, a sleeper wakes.
void vrmi_instance_put(vrm_instance *instance, void *to, const void *value, size_t size);
// A node's input is set: it may differ from the rest.
static inline void vrmi_instance_mark_input(vrm_instance *instance, uint32_t node)
{
    instance->input_set[node / 32] |= 1u << (node % 32);
}
// All input is the rest again.
void vrmi_instance_rest_input(vrm_instance *instance);
// What a setter returns for a number that is not finite: sets the status bit.
vrm_result vrmi_instance_refuse_not_finite(vrm_instance *instance);

// What a frame can compute with: squares, and products of three, stay within floats. Finite input beyond it is clamped,
// with a status bit.
#define VRMI_LARGEST_TRANSLATION 1e9f // of a node, a body
#define VRMI_LARGEST_SCALE 1e6f       // of a node
#define VRMI_LARGEST_PLACE 1e15       // in the world
#define VRMI_LARGEST_NUMBER 1e6f      // weights, angles, radii, forces, speeds
void vrmi_instance_clamp(vrm_instance *instance, float *number, float largest);
void vrmi_instance_clamp_vec3(vrm_instance *instance, vrm_vec3 *vector, float largest);
void vrmi_instance_clamp_place(vrm_instance *instance, vrm_dvec3 *place);

// A constraint of the drafts (constraint_draft.c): writes the node's local transform and refreshes its subtree.
void vrmi_run_draft_constraint(vrm_instance *instance, const vrmi_constraint_row *constraint);

// An input has changed: a sleeper wakes.
static inline void vrmi_instance_stir(vrm_instance *instance)
{
    instance->lod.stirred = true;
}

#endif
