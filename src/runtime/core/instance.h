// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_INSTANCE_H
#define VRMI_RUNTIME_INSTANCE_H

// The internals of an instance: one block of memory with arrays in the order of the X-macro, frequently used ones
// first. `world` and all spatial values in this file have the axes of the world and their origin at the root's
// translation ("root-relative world"), so that floats are precise enough.

#include <vrm/clip.h>
#include <vrm/output.h>

#include "math/mat34.h"
#include "model/model.h"
#include "runtime/core/lod.h"
#include "runtime/expression/expression.h"
#include "runtime/look/look.h"
#include "runtime/ragdoll/ragdoll.h"
#include "runtime/spring/spring.h"

// X(array, type, count): the layout of the block, part by part (vrm_instance_part). `m` is the model, `d` the def. The
// comments give bytes per item. Poses have the rows of node_pose in model.h: rows for the tree, and rows for the hair
// if the def asks for them. Without rows, hair is at rest except for the rotations in the springs' own state
// (hair_pose.h). So three of four nodes of an avatar with long hair take no memory here.
#define VRMI_POSE_ROWS(m, d) ((d)->hair_inputs ? (m)->node_parent.count : (m)->head.tree_count)
#define VRMI_NODE_HOT_ARRAYS(X) \
    X(local, vrm_transform, VRMI_POSE_ROWS(m, d))     /* 40: output pose */ \
    X(world, vrm_mat34, m->node_parent.count)         /* 48: world matrix relative to the root */ \
    X(world_rotation, vrm_quat, VRMI_POSE_ROWS(m, d)) /* 16: without scale */ \
    X(node_hash, uint32_t, \
        m->node_parent.count) /* 4: high bits of a hash of the output pose of the last output stage */ \
    X(node_hash_low, uint8_t, m->node_parent.count) /* 1: the lowest bits of the hash */ \
    X(node_changed, uint32_t, (m->node_parent.count + 31) / 32) \
    X(input_set, uint32_t, (m->node_parent.count + 31) / 32) /* if clear, `input` is the rest pose and not read */
#define VRMI_NODE_COLD_ARRAYS(X) X(input, vrm_transform, VRMI_POSE_ROWS(m, d)) /* 40: written only by the host */
#define VRMI_PALETTE_ARRAYS(X) \
    X(palette, vrm_mat34, m->palette_node.count) /* 48 */ \
    X(palette_changed, uint32_t, (m->palette.count + 31) / 32)
#define VRMI_MESH_ARRAYS(X) \
    X(mesh_boxes, vrm_box, m->mesh.count) /* 24 */ \
    X(mesh_changed, uint32_t, \
        (m->mesh.count + 31) / 32) /* meshes whose morphs have changed; set by the expression stage */
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
    /* cold, from `expressions` on: used only if something is set or a face moves */ \
    VRMI_EXPRESSION_ARRAYS(X) \
    VRMI_NODE_COLD_ARRAYS(X)

struct vrm_instance {
    vrmi_lod lod; // must be first, and the clock must follow (see vrmi_lod)
    double clock; // seconds of UV animation
    const vrm_avatar *avatar;
    const vrmi_model *model; // the avatar's model
    vrm_allocator allocator;
    size_t size;    // bytes of the block
    bool allocated; // allocated by vrm_instance_create(), not the caller's memory
    vrm_instance_def def;
    uint32_t pose_rows; // rows of `local`, `input` and `world_rotation`
    uint32_t lanes;     // vrmi_lanes_path; all paths give the same bits
    uint32_t status;    // vrm_status
    vrm_root root;
    // From the space of the glTF roots to root-relative world: rotation and scale of `root`, and root_from_nodes.
    vrm_mat34 root_world;
    vrm_quat root_rotation; // the rotation of root_world, without scale
    bool scaled;            // some node's scale differs from the rest pose
    bool local_set;         // the host has changed `local` since the springs ran
    // The next pose stage must reset the rows of hair in `local` to the rest pose.
    bool hair_stale;
    bool hair_early;     // something reads world transforms of hair before the springs run
    bool hair_at_rest;   // hair without poses is shown at rest, since the springs have not run yet
    bool hair_moved;     // springs have moved hair since the last output stage
    bool hair_had_moved; // hair_moved at the last output stage
    bool pose_changed;   // the host changed `local` or the root after the first half, so `world` is outdated
#define VRMI_INSTANCE_POINTER(array, type, count) type *array;
    VRMI_INSTANCE_ARRAYS(VRMI_INSTANCE_POINTER)
#undef VRMI_INSTANCE_POINTER
    vrmi_spring_globals springs;
    vrmi_face face;
    vrmi_gaze gaze;
    vrmi_look_chain look;
    vrmi_ragdoll ragdoll;
    vrm_clip_player *player; // the attached player, or NULL
    // Indexed by expression, set by the pose stage: the attached player's array, or NULL. A weight of a clip replaces
    // the host's weight in layer CLIP.
    const vrmi_expression_entry *clip_expressions;
    // The gaze of the clips. The look-at stage uses it if the host has set no gaze. vrm_clip_player_apply() also sets
    // it.
    bool clip_gaze;
    float clip_yaw, clip_pitch;
    // Gaze by expressions, written by the look-at stage and read by the expression stage. While active, it replaces the
    // input of lookUp, lookDown, lookLeft and lookRight.
    bool look_active;
    float look_weights[VRMI_LOOK_COUNT];
    // Outputs of the whole instance.
    float look_yaw, look_pitch;
    vrm_transform viewpoint;
    vrm_box box;
    float height, eye_height;
    vrm_mat34 root_seen; // root_world at the last output stage
    bool outputs_stale;  // there are no earlier outputs to compare with, so all outputs are reported as changed
    uint32_t node_counter, palette_counter, mesh_counter, material_counter;
};

// Checks, normalises and stores a root without moving the springs along; `world` is then outdated. Returns what
// vrm_instance_set_root() returns.
vrm_result vrmi_instance_place_root(vrm_instance *instance, const vrm_root *root);
// Checks `local`, normalises its rotation and stores it in `poses`, which is the input or the output pose. Hair without
// rows accepts only its rest transform; for other transforms the function returns UNSUPPORTED.
vrm_result vrmi_instance_store(vrm_instance *instance, uint32_t node, const vrm_transform *local, vrm_transform *poses);
// Whether a node has rows in the poses.
static inline bool vrmi_has_pose(const vrm_instance *instance, uint32_t node)
{
    return vrmi_model_node_pose(instance->model)[node] < instance->pose_rows;
}
// Return the node's row; only for nodes with rows in the poses.
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
// Sets the rows of a pose to the rest pose: the tree's rows, and with `with_hair` also the hair's rows, if there are
// any.
void vrmi_instance_rest(const vrm_instance *instance, bool with_hair, vrm_transform *rows);
// Stores an input at `to`. If the value changes, a sleeping instance wakes.
void vrmi_instance_put(vrm_instance *instance, void *to, const void *value, size_t size);
// Marks a node's input as set: it may differ from the rest pose.
static inline void vrmi_instance_mark_input(vrm_instance *instance, uint32_t node)
{
    instance->input_set[node / 32] |= 1u << (node % 32);
}
// Resets all input to the rest pose.
void vrmi_instance_rest_input(vrm_instance *instance);
// Sets the status bit for a number that is not finite. Returns the result that a setter then has to return.
vrm_result vrmi_instance_refuse_not_finite(vrm_instance *instance);

// The largest values that a frame can compute with: squares, and products of three, do not overflow. Larger finite
// input is clamped, and a status bit is set.
#define VRMI_LARGEST_TRANSLATION 1e9f // of a node or a body, metres
#define VRMI_LARGEST_SCALE 1e6f       // of a node
#define VRMI_LARGEST_PLACE 1e15       // in the world
#define VRMI_LARGEST_NUMBER 1e6f      // weights, angles, radii, forces, speeds
void vrmi_instance_clamp(vrm_instance *instance, float *number, float largest);
void vrmi_instance_clamp_vec3(vrm_instance *instance, vrm_vec3 *vector, float largest);
void vrmi_instance_clamp_place(vrm_instance *instance, vrm_dvec3 *place);

// Runs a constraint of the drafts (constraint_draft.c): writes the node's local transform and updates its subtree.
void vrmi_run_draft_constraint(vrm_instance *instance, const vrmi_constraint_row *constraint);

// Notes that an input has changed: a sleeping instance wakes.
static inline void vrmi_instance_stir(vrm_instance *instance)
{
    instance->lod.stirred = true;
}

#endif
