// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_AVATAR_H
#define VRM_AVATAR_H

/// @file avatar.h
/// The avatar: everything that the runtime needs of a VRM model. It is immutable, is one block of memory, and may be
/// shared between threads and instances. Nodes are numbered in **node order**: depth-first, parents before children, so
/// that a subtree is a contiguous range. Functions convert between these numbers and glTF's indices. Views are valid as
/// long as the avatar.

#include <vrm/constraint.h>
#include <vrm/expression.h>
#include <vrm/first_person.h>
#include <vrm/gltf.h>
#include <vrm/humanoid.h>
#include <vrm/look_at.h>
#include <vrm/material.h>
#include <vrm/meta.h>
#include <vrm/spring.h>

/// The version of VRM to read from a file that contains both 0.x and 1.0.
typedef enum vrm_prefer {
    VRM_PREFER_1_0 = 0, ///< 1.0 (or its betas and drafts) if the file has it, else 0.x.
    VRM_PREFER_0_X = 1  ///< 0.x if the file has it, else 1.0.
} vrm_prefer;

/// Unit of outputScale of a bone gaze in the drafts and in 1.0-beta: the prose of the specifications says radians,
/// their JSON schemas say degrees.
typedef enum vrm_look_at_unit {
    /// Radians if none of the four values is above 1.6, else degrees; a finding reports the choice.
    VRM_LOOK_AT_UNIT_AUTO = 0,
    VRM_LOOK_AT_UNIT_DEGREES = 1,
    VRM_LOOK_AT_UNIT_RADIANS = 2
} vrm_look_at_unit;

/// Range of inputMaxValue in the range maps of look-at. The specification's text (lookAt.md) has no limit, its JSON
/// schema has a limit of 180 degrees.
typedef enum vrm_look_at_range {
    /// inputMaxValue is limited to 180 degrees; the finding VRM1_LOOK_AT_RANGE reports a larger value.
    VRM_LOOK_AT_RANGE_SCHEMA = 0,
    /// inputMaxValue is used unchanged. A value above 180 degrees makes the eyes turn less for the same gaze.
    VRM_LOOK_AT_RANGE_TEXT = 1
} vrm_look_at_range;

/// Options for importing an avatar.
typedef struct vrm_avatar_def {
    uint32_t struct_size;
    vrm_allocator allocator;
    vrm_limits limits; ///< Limits on the file; used by the load functions below.
    vrm_progress_fn *progress;
    void *progress_user;
    /// True: a glTF without VRMC_vrm also becomes an avatar, with its springs and constraints but without bones,
    /// look-at and expressions, and a warning is reported. Default false: such a file is refused with the error
    /// VRM1_NO_VRM_EXTENSION.
    bool allow_plain_gltf;
    /// The version of VRM to read from a file that contains both 0.x and 1.0. Default VRM_PREFER_1_0.
    vrm_prefer prefer;
    /// Unit of outputScale of a bone gaze in files from before the final 1.0. Default VRM_LOOK_AT_UNIT_AUTO.
    vrm_look_at_unit look_at_unit;
    /// True: a file with errors in meta, expressions, gaze, first person, springs, constraints or materials is refused.
    /// Default false: the errors are repaired in the avatar, as docs/validation.md says for each finding. Each repair
    /// gives a warning, and vrm_avatar_counts.flags has VRM_AVATAR_REPAIRED. The document is not changed.
    bool strict;
    /// Range of inputMaxValue in files of VRM 1.0, its betas and drafts. Values below 0 always become 0. Default
    /// VRM_LOOK_AT_RANGE_SCHEMA.
    vrm_look_at_range look_at_range;
} vrm_avatar_def;

/// Fills `def` with the defaults.
VRM_API void vrm_avatar_def_default(vrm_avatar_def *def, size_t size);
#define vrm_avatar_def_default(def) vrm_avatar_def_default(def, sizeof *(def))

/// Imports an avatar from a document, which may be freed afterwards. `def` and `report` may be NULL. Common mistakes
/// with an obvious meaning are repaired with a warning, unless `strict` is set; everything else is an error. Repairs
/// never grant a permission: an unknown word counts as the strictest value of its field. Errors: INVALID_ARGUMENT,
/// OUT_OF_MEMORY, INVALID_ASSET, UNSUPPORTED, LIMIT, CANCELLED.
VRM_API vrm_result vrm_avatar_import(
    const vrm_avatar_def *def, const vrm_gltf *gltf, vrm_report *report, vrm_avatar **out_avatar);
/// Loads and imports a file from its bytes in one call, for hosts that get the meshes from elsewhere. Errors: as
/// vrm_avatar_import(), and NOT_GLTF.
VRM_API vrm_result vrm_avatar_load(
    const vrm_avatar_def *def, const void *bytes, size_t size, vrm_report *report, vrm_avatar **out_avatar);
/// Loads and imports a file from its path. Errors: as vrm_avatar_load(), and NOT_FOUND, READ.
VRM_API vrm_result vrm_avatar_load_file(
    const vrm_avatar_def *def, const char *path, vrm_report *report, vrm_avatar **out_avatar);
/// Imports an avatar from the text of the JSON chunk alone. Without buffers there are no bounds of meshes, and all
/// inverse bind matrices are the identity.
VRM_API vrm_result vrm_avatar_load_json(
    const vrm_avatar_def *def, const void *json, size_t size, vrm_report *report, vrm_avatar **out_avatar);

/// Returns true if the avatar was imported from this document. Compares nodes, their meshes and skins, and the number
/// of materials. Functions that take an avatar and a document refuse another document.
VRM_API bool vrm_avatar_is_from(const vrm_avatar *avatar, const vrm_gltf *gltf);

// --- cooked --------------------------------------------------------------------------------------------------------

/// Saves the avatar in "cooked" form: little-endian bytes for this version of the library, which open in microseconds.
/// `*size` gives the room in `buffer` and receives the size needed; with `buffer` NULL only the size is computed.
/// Returns LIMIT if there is too little room. The same avatar always gives the same bytes. Meshes and images are not
/// included.
VRM_API vrm_result vrm_avatar_save(const vrm_avatar *avatar, void *buffer, size_t *size);
/// Returns true if the bytes begin like a cooked avatar of any version; false for NULL.
VRM_API bool vrm_avatar_is_cooked(const void *bytes, size_t size);
/// Opens a cooked avatar. The bytes are checked and copied, so they need not be trusted and may be freed afterwards.
/// The function needs no JSON and is part of libvrm-runtime, which has no default allocator: `allocator` must not be
/// NULL. Errors: INVALID_ARGUMENT (also without an allocator), OUT_OF_MEMORY, INVALID_ASSET (the bytes are not a cooked
/// avatar, or were changed), UNSUPPORTED (cooked by another version of the library or for another byte order: cook the
/// file again).
VRM_API vrm_result vrm_avatar_open(
    const void *bytes, size_t size, const vrm_allocator *allocator, vrm_avatar **out_avatar);

/// Adds a reference, atomically, and returns the avatar.
VRM_API vrm_avatar *vrm_avatar_retain(vrm_avatar *avatar);
/// Drops a reference; dropping the last one frees the avatar. NULL is allowed. Instances have references of their own.
VRM_API void vrm_avatar_release(vrm_avatar *avatar);

/// Properties of an avatar.
typedef enum vrm_avatar_flag {
    VRM_AVATAR_NO_BOUNDS = 1 << 0, ///< Vertices could not be read; boxes are computed from joints alone.
    /// The file has errors that vrm_avatar_def.strict refuses; findings report the repairs.
    VRM_AVATAR_REPAIRED = 1 << 1
} vrm_avatar_flag;

/// Numbers of elements in an avatar.
typedef struct vrm_avatar_counts {
    uint32_t struct_size;                             ///< Set by the caller: sizeof(vrm_avatar_counts).
    uint32_t nodes;                                   ///< All nodes of the file.
    uint32_t expressions;                             ///< Presets that the file has, and custom expressions.
    uint32_t morphs;                                  ///< Morph weights of all mesh nodes together.
    uint32_t meshes;                                  ///< Nodes with a mesh ("mesh nodes").
    uint32_t palettes;                                ///< Skins; those with equal joints and matrices count once.
    uint32_t palette_joints;                          ///< Joints of all palettes together.
    uint32_t materials;                               ///< Materials of the file.
    uint32_t spring_chains, spring_joints, colliders; ///< Numbers of each, after the import.
    uint32_t constraints;                             ///< Constraints.
    uint32_t flags;                                   ///< Combination of vrm_avatar_flag.
    size_t bytes;                                     ///< Size of the avatar's memory.
} vrm_avatar_counts;

/// Gives the numbers of the avatar's elements.
VRM_API void vrm_avatar_get_counts(const vrm_avatar *avatar, vrm_avatar_counts *out_counts);
/// Returns the dialect in which the file was written: "1.0", "1.0-beta", "1.0-draft" or "0.x"; "" for a glTF without
/// VRM. The string is static.
VRM_API const char *vrm_avatar_get_dialect(const vrm_avatar *avatar);
/// Gives the meta object. Its strings are valid as long as the avatar.
VRM_API void vrm_avatar_get_meta(const vrm_avatar *avatar, vrm_meta *out_meta);

// --- nodes ---------------------------------------------------------------------------------------------------------

/// A node in the rest pose.
typedef struct vrm_node {
    uint32_t struct_size; ///< Set by the caller: sizeof(vrm_node).
    vrm_string name;
    int32_t parent;         ///< Parent node (node order), -1 for a root.
    uint32_t subtree_end;   ///< One past the last node of the subtree.
    uint32_t gltf_node;     ///< Index of the node in the file.
    int32_t human_bone;     ///< A vrm_human_bone, or -1.
    int32_t mesh;           ///< Index of the mesh node, or -1.
    vrm_transform rest;     ///< Local.
    vrm_quat rest_rotation; ///< Rotation in model space, without scale.
    vrm_vec3 rest_position; ///< Position in model space, metres.
} vrm_node;

/// Describes a node. Returns INVALID_ARGUMENT for an index out of range.
VRM_API vrm_result vrm_avatar_get_node(const vrm_avatar *avatar, uint32_t node, vrm_node *out_node);
/// Returns the node (node order) of a glTF node; -1 for an index out of range.
VRM_API int32_t vrm_avatar_find_gltf_node(const vrm_avatar *avatar, uint32_t gltf_node);
/// Returns the first node in node order with this name, or -1.
VRM_API int32_t vrm_avatar_find_node(const vrm_avatar *avatar, const char *name, size_t length);
/// Returns the node of a humanoid bone, or -1.
VRM_API int32_t vrm_avatar_get_bone_node(const vrm_avatar *avatar, vrm_human_bone bone);
/// Returns the nearest ancestor bone that the avatar has, or -1.
VRM_API int32_t vrm_avatar_get_bone_parent(const vrm_avatar *avatar, vrm_human_bone bone);

/// Measures of the avatar in the rest pose.
typedef struct vrm_avatar_body {
    uint32_t struct_size; ///< Set by the caller: sizeof(vrm_avatar_body).
    float hips_height;    ///< Height of the hips above Y = 0, metres.
    float eye_height;     ///< Height of the look-at origin above Y = 0, metres.
    float height;         ///< Height of the top of the meshes, metres; of the head bone if there are no vertices.
} vrm_avatar_body;

/// Gives the measures of the avatar in the rest pose.
VRM_API void vrm_avatar_get_body(const vrm_avatar *avatar, vrm_avatar_body *out_body);

// --- concepts ------------------------------------------------------------------------------------------------------

/// Describes an expression. Returns INVALID_ARGUMENT for an index out of range, as do the indexed calls below.
VRM_API vrm_result vrm_avatar_get_expression(const vrm_avatar *avatar, uint32_t expression, vrm_expression *out);
/// Returns the index of the expression with this preset name or custom name, or -1. If no expression has the name, a
/// preset of VRM 0.x is also found by its name in the file ("Surprised", "Joy").
VRM_API int32_t vrm_avatar_find_expression(const vrm_avatar *avatar, const char *name, size_t length);
/// Returns the index of a preset expression, or -1.
VRM_API int32_t vrm_avatar_find_preset(const vrm_avatar *avatar, vrm_expression_preset preset);
/// Describes how the eyes follow a gaze. The type is NONE if the file has no lookAt.
VRM_API void vrm_avatar_get_look_at(const vrm_avatar *avatar, vrm_look_at *out);
/// Returns the keys of the curve that a file of VRM 0.x gives for one of the look-at's range maps, and their number.
/// Returns NULL and 0 keys if the map is linear, as it always is in VRM 1.0.
VRM_API const vrm_curve_key *vrm_avatar_get_look_curve(
    const vrm_avatar *avatar, vrm_look_direction direction, uint32_t *out_count);
/// Describes a constraint; indices are in evaluation order.
VRM_API vrm_result vrm_avatar_get_constraint(const vrm_avatar *avatar, uint32_t constraint, vrm_constraint *out);
/// Describes a spring chain. Chains, joints and colliders are in simulation order: a chain comes after the chains that
/// move its anchor or its colliders.
VRM_API vrm_result vrm_avatar_get_spring_chain(const vrm_avatar *avatar, uint32_t chain, vrm_spring_chain *out);
/// Describes a spring joint of any chain.
VRM_API vrm_result vrm_avatar_get_spring_joint(const vrm_avatar *avatar, uint32_t joint, vrm_spring_joint *out);
/// Describes a collider, by its index in the file's list.
VRM_API vrm_result vrm_avatar_get_collider(const vrm_avatar *avatar, uint32_t collider, vrm_collider *out);
/// Returns the collider indices of all chains, one chain after the other (see vrm_spring_chain); NULL if there are
/// none.
VRM_API const uint32_t *vrm_avatar_get_chain_colliders(const vrm_avatar *avatar);
/// Describes a material, by its index in the file.
VRM_API vrm_result vrm_avatar_get_material(const vrm_avatar *avatar, uint32_t material, vrm_material *out);

/// A node that has a mesh.
typedef struct vrm_mesh_node {
    uint32_t struct_size;              ///< Set by the caller: sizeof(vrm_mesh_node).
    uint32_t node;                     ///< Node order.
    uint32_t gltf_mesh;                ///< Index of the mesh in the file.
    int32_t gltf_skin;                 ///< Index of the skin in the file, or -1.
    int32_t palette;                   ///< Palette that skins the mesh, or -1.
    uint32_t first_morph, morph_count; ///< Range of the avatar's morph weights.
    vrm_first_person first_person;
} vrm_mesh_node;

/// Describes a mesh node. Returns INVALID_ARGUMENT for an index out of range.
VRM_API vrm_result vrm_avatar_get_mesh_node(const vrm_avatar *avatar, uint32_t mesh, vrm_mesh_node *out);
/// Gives the name of a morph weight, which is unique within its mesh; empty for an index out of range.
VRM_API void vrm_avatar_get_morph_name(const vrm_avatar *avatar, uint32_t morph, vrm_string *out_name);

/// A palette: one skinning matrix per joint.
typedef struct vrm_palette {
    uint32_t struct_size;              ///< Set by the caller: sizeof(vrm_palette).
    uint32_t first_joint, joint_count; ///< Range of the avatar's palette joints.
    const uint32_t *nodes;             ///< Joints in node order, `joint_count` of them.
} vrm_palette;

/// Describes a palette. Returns INVALID_ARGUMENT for an index out of range.
VRM_API vrm_result vrm_avatar_get_palette(const vrm_avatar *avatar, uint32_t palette, vrm_palette *out);

#endif
