// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_FIRST_PERSON_H
#define VRM_FIRST_PERSON_H

/// @file first_person.h
/// Which meshes the wearer sees (VRMC_vrm-1.0 firstPerson), and the split that it asks for: a mesh marked `auto` is
/// drawn without its head to the camera in that head, and whole to all others.

#include <vrm/gltf.h>

typedef struct vrm_avatar vrm_avatar;

/// Who sees a mesh: firstPerson.meshAnnotations[].type.
typedef enum vrm_first_person {
    /// The default: triangles with a vertex weighted to the head count as THIRD_PERSON_ONLY.
    VRM_FIRST_PERSON_AUTO = 0,
    VRM_FIRST_PERSON_BOTH = 1,
    VRM_FIRST_PERSON_THIRD_PERSON_ONLY = 2,
    VRM_FIRST_PERSON_FIRST_PERSON_ONLY = 3
} vrm_first_person;

/// Whose avatar a camera sees.
typedef enum vrm_wearer {
    VRM_WEARER_SELF = 0, ///< The one whose eyes the first-person camera is.
    VRM_WEARER_OTHER = 1 ///< Anybody else's.
} vrm_wearer;

/// What a picture is for.
typedef enum vrm_view {
    VRM_VIEW_FIRST_PERSON = 0, ///< The camera in the wearer's head.
    VRM_VIEW_THIRD_PERSON = 1, ///< Any other camera.
    VRM_VIEW_MIRROR = 2,       ///< A reflection, also one that the first-person camera sees.
    VRM_VIEW_SHADOW = 3        ///< A shadow map, also one for the first-person camera.
} vrm_view;

/// Whether a part of an avatar is drawn. Only the wearer's own avatar in the first-person view shows FIRST_PERSON_ONLY
/// and hides THIRD_PERSON_ONLY; mirrors and shadows show the wearer as others see them. AUTO, which no range of a split
/// has, counts as BOTH.
VRM_API bool vrm_first_person_is_visible(vrm_first_person part, vrm_wearer wearer, vrm_view view);

/// A part of a mesh that is drawn or hidden as a whole.
typedef struct vrm_first_person_range {
    vrm_first_person part; ///< Never AUTO.
    uint32_t first, count; ///< Indices; or vertices in drawing order, where the primitive has no indices.
} vrm_first_person_range;

/// A primitive of a mesh node.
typedef struct vrm_first_person_primitive {
    uint32_t struct_size; ///< Set by the caller: sizeof(vrm_first_person_primitive).
    uint32_t mesh;        ///< Mesh node, see vrm_avatar_get_mesh_node().
    uint32_t primitive;   ///< Index in the file's mesh.
    /// GL's number. As in the file where `indices` is NULL; else POINTS (0), LINES (1) or TRIANGLES (4): loops, strips
    /// and fans that had to be split are taken apart.
    uint32_t mode;
    /// Vertices by range, each range in the file's order and winding. NULL: the primitive was not split; draw it with
    /// the indices of the file.
    const uint32_t *indices;
    /// A split primitive has BOTH in ranges[0] and THIRD_PERSON_ONLY in ranges[1]; otherwise ranges[0] is the whole
    /// primitive and ranges[1] is empty. Together they contain each triangle once.
    vrm_first_person_range ranges[2];
} vrm_first_person_primitive;

/// Every primitive of every mesh node of an avatar, split. Immutable; needs neither document nor avatar once made.
typedef struct vrm_first_person_split vrm_first_person_split;

/// Options of a split.
typedef struct vrm_first_person_split_def {
    uint32_t struct_size;
    vrm_allocator allocator;   ///< Default: malloc and free.
    vrm_progress_fn *progress; ///< NULL: no progress reports.
    void *progress_user;
} vrm_first_person_split_def;

/// Fills it with the defaults.
VRM_API void vrm_first_person_split_def_default(vrm_first_person_split_def *def, size_t size);
#define vrm_first_person_split_def_default(def) vrm_first_person_split_def_default(def, sizeof *(def))

/// Splits the meshes of an avatar; `gltf` is the document that it was imported from. `def` may be NULL. Under `auto` a
/// triangle (line, point) is THIRD_PERSON_ONLY if one of its vertices has a weight above 0, in any set of joints, on
/// the head bone or a node below it; a mesh without a skin is THIRD_PERSON_ONLY as a whole if its node is the head or
/// below it. Everything else is BOTH, as is every `auto` mesh of an avatar without a head. Meshes with another
/// annotation are one range of that part. Vertices are read only where they matter. Errors: INVALID_ARGUMENT (also a
/// document of another avatar), OUT_OF_MEMORY, UNSUPPORTED (compressed vertices), NOT_FOUND (vertices without bytes),
/// LIMIT (over 4 billion indices), CANCELLED.
VRM_API vrm_result vrm_first_person_split_create(const vrm_first_person_split_def *def, const vrm_gltf *gltf,
    const vrm_avatar *avatar, vrm_first_person_split **out_split);
/// Frees it; NULL is allowed.
VRM_API void vrm_first_person_split_destroy(vrm_first_person_split *split);
/// Number of primitives, those of mesh node 0 first, each node's in the file's order.
VRM_API uint32_t vrm_first_person_split_get_count(const vrm_first_person_split *split);
/// Describes a primitive; views live as long as the split. INVALID_ARGUMENT outside.
VRM_API vrm_result vrm_first_person_split_get_primitive(
    const vrm_first_person_split *split, uint32_t index, vrm_first_person_primitive *out_primitive);

/// Writes the split into the document that it was made from (not edited since it was loaded): a mesh node with two
/// parts keeps those that BOTH see, and a new node below it, "<name> (head)", has the rest with the same skin,
/// vertices, morph targets, expression binds and animated weights. Then every mesh node has an annotation, none of them
/// `auto`. Vertices are shared and not changed; save the document afterwards. The file keeps its dialect: VRM 1.0, its
/// beta and drafts, 0.x (annotated by mesh), or two of them; a glTF without VRM has nothing to split and is not
/// changed. Errors: INVALID_ARGUMENT (another document), OUT_OF_MEMORY, LIMIT. After an error destroy the document.
VRM_API vrm_result vrm_first_person_split_write(const vrm_first_person_split *split, vrm_gltf *gltf);

#endif
