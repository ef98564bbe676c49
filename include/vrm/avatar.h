// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_AVATAR_H
#define VRM_AVATAR_H

/// @file avatar.h
/// The avatar: everything about a VRM model that the runtime needs, immutable, one block of memory, free to share
/// between threads and instances. Nodes are numbered in **node order**: depth-first, parents before children, so
/// that a subtree is a contiguous range; maps from and to glTF's indices are given. Views live as long as the avatar.

#include <vrm/constraint.h>
#include <vrm/expression.h>
#include <vrm/first_person.h>
#include <vrm/gltf.h>
#include <vrm/humanoid.h>
#include <vrm/look_at.h>
#include <vrm/material.h>
#include <vrm/meta.h>
#include <vrm/spring.h>

/// A file may contain both VRM 0.x and 1.0, for readers of either.
typedef enum vrm_prefer {
    VRM_PREFER_1_0 = 0, ///< 1.0 (its betas and drafts too), else 0.x.
    VRM_PREFER_0_X = 1  ///< 0.x, else 1.0.
} vrm_prefer;

/// For outputScale of a bone gaze, the texts of the drafts and of 1.0-beta give radians, their schemas degrees.
typedef enum vrm_look_at_unit {
    /// Radians when none of the four is above 1.6, else degrees; a finding reports the choice.
    VRM_LOOK_AT_UNIT_AUTO = 0,
    VRM_LOOK_AT_UNIT_DEGREES = 1,
    VRM_LOOK_AT_UNIT_RADIANS = 2
} vrm_look_at_unit;

/// How far the input of a gaze's range map may reach. The specification's text (lookAt.md) names no limit, its JSON schema 180 degrees.
typedef enum vrm_look_at_range {
    VRM_LOOK_AT_RANGE_SCHEMA = 0, ///< inputMaxValue is limited to 180 degrees, with the finding VRM1_LOOK_AT_RANGE.
    VRM_LOOK_AT_RANGE_TEXT = 1    ///< The value is used unchanged: above 180 the eyes turn less for the same angle.
} vrm_look_at_range;

/// How an avatar is read.
typedef struct vrm_avatar_def {
    uint32_t struct_size;
    vrm_allocator allocator;
    vrm_limits limits; ///< Used by the load functions below.
    vrm_progress_fn *progress;
    void *progress_user;
    /// True: a glTF without VRMC_vrm becomes an avatar too, with its springs and constraints but without bones, look-at
    /// and expressions (a warning says so). Default false: VRM1_NO_VRM_EXTENSION is an error.
    bool allow_plain_gltf;
    /// Which VRM to read from a file that contains both. Default VRM_PREFER_1_0.
    vrm_prefer prefer;
    /// Unit of a bone gaze's outputScale before 1.0 was final. Default VRM_LOOK_AT_UNIT_AUTO.
    vrm_look_at_unit look_at_unit;
    /// True: a file with errors in meta, expressions, gaze, first person, springs, constraints or materials is refused.
    /// Default false: it is repaired in the avatar (docs/validation.md says how, finding by finding), each repair is a
    /// warning, and vrm_avatar_counts.flags has VRM_AVATAR_REPAIRED. The document stays as it is.
    bool strict;
    /// Of VRM 1.0, its betas and drafts; below 0 is 0 in both. Default VRM_LOOK_AT_RANGE_SCHEMA.
    vrm_look_at_range look_at_range;
} vrm_avatar_def;

/// Fills it with the defaults.
VRM_API void vrm_avatar_def_default(vrm_avatar_def *def, size_t size);
#define vrm_avatar_def_default(def) vrm_avatar_def_default(def, sizeof *(def))

/// Builds the avatar from a document; the document may be freed afterwards. `def` may be NULL; `report` too. Common
/// mistakes that have a sensible meaning are repaired with a warning, unless `strict` is set; everything else is an
/// error.
/// Repairs never grant a permission: an unknown word counts as the strictest value of its field. Errors:
/// INVALID_ARGUMENT, OUT_OF_MEMORY, INVALID_ASSET, UNSUPPORTED, LIMIT, CANCELLED.
VRM_API vrm_result vrm_avatar_import(
    const vrm_avatar_def *def, const vrm_gltf *gltf, vrm_report *report, vrm_avatar **out_avatar);
/// Load and import in one call, for hosts that have meshes from elsewhere. Also NOT_GLTF.
VRM_API vrm_result vrm_avatar_load(
    const vrm_avatar_def *def, const void *bytes, size_t size, vrm_report *report, vrm_avatar **out_avatar);
/// The same from a path. Also NOT_FOUND, READ.
VRM_API vrm_result vrm_avatar_load_file(
    const vrm_avatar_def *def, const char *path, vrm_report *report, vrm_avatar **out_avatar);
/// From only the text of the JSON chunk, without buffers: no bounds of meshes, no inverse bind matrices (identity).
VRM_API vrm_result vrm_avatar_load_json(
    const vrm_avatar_def *def, const void *json, size_t size, vrm_report *report, vrm_avatar **out_avatar);

/// Whether the avatar was imported from this document, judged by its nodes, their meshes and skins and the number of
/// materials. Functions that take both refuse another document.
VRM_API bool vrm_avatar_is_from(const vrm_avatar *avatar, const vrm_gltf *gltf);

// --- cooked --------------------------------------------------------------------------------------------------------

/// Saves the avatar as it is in memory, "cooked": little-endian bytes for this version of the library, which open in
/// microseconds. `*size` gives the room in `buffer` and receives the size needed; with `buffer` NULL only the size is
/// computed. LIMIT when there is too little room. The same avatar gives the same bytes. Meshes and images are not
/// included.
VRM_API vrm_result vrm_avatar_save(const vrm_avatar *avatar, void *buffer, size_t *size);
/// Whether the bytes begin like a cooked avatar of any version. False for NULL.
VRM_API bool vrm_avatar_is_cooked(const void *bytes, size_t size);
/// Opens a cooked avatar. It is copied and checked, so the bytes may be freed afterwards and need not be trusted. Needs
/// no JSON and is part of libvrm-runtime, which has no allocator of its own: INVALID_ARGUMENT without one (NULL is not
/// malloc here). INVALID_ASSET for bytes that are not a cooked avatar or were changed, UNSUPPORTED for another version
/// of the library or a machine of another byte order: cook again from the file.
VRM_API vrm_result vrm_avatar_open(
    const void *bytes, size_t size, const vrm_allocator *allocator, vrm_avatar **out_avatar);

/// Adds a reference, atomically. Returns the avatar.
VRM_API vrm_avatar *vrm_avatar_retain(vrm_avatar *avatar);
/// Drops a reference; the last one frees the block. NULL is allowed. Instances hold a reference of their own.
VRM_API void vrm_avatar_release(vrm_avatar *avatar);

/// Properties of an avatar.
typedef enum vrm_avatar_flag {
    VRM_AVATAR_NO_BOUNDS = 1 << 0, ///< Vertices could not be read: boxes come from joints alone.
    VRM_AVATAR_REPAIRED = 1 << 1 ///< The file has errors that vrm_avatar_def.strict refuses; findings name the repairs.
} vrm_avatar_flag;

/// Numbers of elements.
typedef struct vrm_avatar_counts {
    uint32_t struct_size;                             ///< Set by the caller: sizeof(vrm_avatar_counts).
    uint32_t nodes;                                   ///< Of the file, all of them.
    uint32_t expressions;                             ///< Presets that the file has, and customs.
    uint32_t morphs;                                  ///< Morph weights of all nodes with a mesh, together.
    uint32_t meshes;                                  ///< Nodes with a mesh ("mesh nodes").
    uint32_t palettes;                                ///< Skins, those with equal joints and matrices counted once.
    uint32_t palette_joints;                          ///< Of all palettes.
    uint32_t materials;                               ///< Of the file.
    uint32_t spring_chains, spring_joints, colliders; ///< Of springs as sorted at import.
    uint32_t constraints;                             ///< In evaluation order.
    uint32_t flags;                                   ///< Combination of vrm_avatar_flag.
    size_t bytes;                                     ///< Size of the block.
} vrm_avatar_counts;

/// Gives the counts.
VRM_API void vrm_avatar_get_counts(const vrm_avatar *avatar, vrm_avatar_counts *out_counts);
/// "1.0", "1.0-beta", "1.0-draft" or "0.x": the dialect the file was written in; "" for a glTF without VRM. Static.
VRM_API const char *vrm_avatar_get_dialect(const vrm_avatar *avatar);
/// The meta object; strings live as long as the avatar.
VRM_API void vrm_avatar_get_meta(const vrm_avatar *avatar, vrm_meta *out_meta);

// --- nodes ---------------------------------------------------------------------------------------------------------

/// A node as it is at rest.
typedef struct vrm_node {
    uint32_t struct_size; ///< Set by the caller: sizeof(vrm_node).
    vrm_string name;
    int32_t parent;         ///< Node order, -1 for a root.
    uint32_t subtree_end;   ///< One past the last node of its subtree.
    uint32_t gltf_node;     ///< Index in the file.
    int32_t human_bone;     ///< vrm_human_bone or -1.
    int32_t mesh;           ///< Mesh node's index or -1.
    vrm_transform rest;     ///< Local.
    vrm_quat rest_rotation; ///< In model space, without scale.
    vrm_vec3 rest_position; ///< In model space.
} vrm_node;

/// INVALID_ARGUMENT outside.
VRM_API vrm_result vrm_avatar_get_node(const vrm_avatar *avatar, uint32_t node, vrm_node *out_node);
/// Node order of a glTF node, -1 outside.
VRM_API int32_t vrm_avatar_find_gltf_node(const vrm_avatar *avatar, uint32_t gltf_node);
/// First node of that name in node order, or -1.
VRM_API int32_t vrm_avatar_find_node(const vrm_avatar *avatar, const char *name, size_t length);
/// Node of a humanoid bone, or -1.
VRM_API int32_t vrm_avatar_get_bone_node(const vrm_avatar *avatar, vrm_human_bone bone);
/// The nearest existing ancestor bone, or -1.
VRM_API int32_t vrm_avatar_get_bone_parent(const vrm_avatar *avatar, vrm_human_bone bone);

/// The size of the figure.
typedef struct vrm_avatar_body {
    uint32_t struct_size; ///< Set by the caller: sizeof(vrm_avatar_body).
    float hips_height;    ///< Of the hips in the rest pose above Y = 0, metres.
    float eye_height;     ///< Of the look-at origin in the rest pose, metres.
    float height;         ///< Top of the meshes in the rest pose (the head bone where there are no vertices), metres.
} vrm_avatar_body;

/// Gives the measures of the rest pose.
VRM_API void vrm_avatar_get_body(const vrm_avatar *avatar, vrm_avatar_body *out_body);

// --- concepts ------------------------------------------------------------------------------------------------------

/// Describes an expression. INVALID_ARGUMENT outside, as for the other indexed calls below.
VRM_API vrm_result vrm_avatar_get_expression(const vrm_avatar *avatar, uint32_t expression, vrm_expression *out);
/// Index of an expression by preset name or custom name, or -1. Where no expression has the name, a preset of VRM 0.x
/// is also found by the name that its file gives it ("Surprised", "Joy").
VRM_API int32_t vrm_avatar_find_expression(const vrm_avatar *avatar, const char *name, size_t length);
/// Index of a preset, or -1.
VRM_API int32_t vrm_avatar_find_preset(const vrm_avatar *avatar, vrm_expression_preset preset);
/// Describes how the eyes follow a gaze; type NONE when the file has no lookAt.
VRM_API void vrm_avatar_get_look_at(const vrm_avatar *avatar, vrm_look_at *out);
/// The curve of one of its maps (VRM 0.x), `*out_count` keys; NULL and 0 where the map is linear, as always in VRM 1.0.
VRM_API const vrm_curve_key *vrm_avatar_get_look_curve(
    const vrm_avatar *avatar, vrm_look_direction direction, uint32_t *out_count);
/// Describes a constraint; indices are in evaluation order.
VRM_API vrm_result vrm_avatar_get_constraint(const vrm_avatar *avatar, uint32_t constraint, vrm_constraint *out);
/// Chains, joints and colliders in simulation order: a chain comes after those that move its anchor or its colliders.
VRM_API vrm_result vrm_avatar_get_spring_chain(const vrm_avatar *avatar, uint32_t chain, vrm_spring_chain *out);
/// Describes a joint of any chain.
VRM_API vrm_result vrm_avatar_get_spring_joint(const vrm_avatar *avatar, uint32_t joint, vrm_spring_joint *out);
/// A collider by its index in the file's list.
VRM_API vrm_result vrm_avatar_get_collider(const vrm_avatar *avatar, uint32_t collider, vrm_collider *out);
/// Collider indices of all chains, one after the other (see vrm_spring_chain). NULL when there are none.
VRM_API const uint32_t *vrm_avatar_get_chain_colliders(const vrm_avatar *avatar);
/// A material by its index in the file.
VRM_API vrm_result vrm_avatar_get_material(const vrm_avatar *avatar, uint32_t material, vrm_material *out);

/// A node that carries a mesh.
typedef struct vrm_mesh_node {
    uint32_t struct_size;              ///< Set by the caller: sizeof(vrm_mesh_node).
    uint32_t node;                     ///< Node order.
    uint32_t gltf_mesh;                ///< Index in the file.
    int32_t gltf_skin;                 ///< Index in the file, or -1.
    int32_t palette;                   ///< Palette that skins it, or -1.
    uint32_t first_morph, morph_count; ///< Range of the avatar's morph weights.
    vrm_first_person first_person;
} vrm_mesh_node;

/// Describes a mesh node. INVALID_ARGUMENT outside.
VRM_API vrm_result vrm_avatar_get_mesh_node(const vrm_avatar *avatar, uint32_t mesh, vrm_mesh_node *out);
/// Name of a morph weight (unique within its mesh); empty outside.
VRM_API void vrm_avatar_get_morph_name(const vrm_avatar *avatar, uint32_t morph, vrm_string *out_name);

/// A palette: one skinning matrix per joint.
typedef struct vrm_palette {
    uint32_t struct_size;              ///< Set by the caller: sizeof(vrm_palette).
    uint32_t first_joint, joint_count; ///< Range of the avatar's palette joints.
    const uint32_t *nodes;             ///< Joints in node order, `joint_count` of them.
} vrm_palette;

/// Describes a palette. INVALID_ARGUMENT outside.
VRM_API vrm_result vrm_avatar_get_palette(const vrm_avatar *avatar, uint32_t palette, vrm_palette *out);

#endif
