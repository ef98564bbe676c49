// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_FIRST_PERSON_H
#define VRM_FIRST_PERSON_H

/// @file first_person.h
/// The meshes that the wearer of an avatar sees (VRMC_vrm-1.0 firstPerson). A mesh marked `auto` is split: the camera
/// in the wearer's head draws it without the head, and all other cameras draw the whole mesh.

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

/// Whose avatar a camera sees: the wearer's own, or another user's.
typedef enum vrm_wearer {
    VRM_WEARER_SELF = 0, ///< The avatar of the user who looks through the first-person camera.
    VRM_WEARER_OTHER = 1 ///< The avatar of anybody else.
} vrm_wearer;

/// The view in which an avatar is drawn.
typedef enum vrm_view {
    VRM_VIEW_FIRST_PERSON = 0, ///< As seen by the camera in the wearer's head.
    VRM_VIEW_THIRD_PERSON = 1, ///< As seen by any other camera.
    VRM_VIEW_MIRROR = 2,       ///< A reflection, even if the first-person camera sees it.
    VRM_VIEW_SHADOW = 3        ///< A shadow map, even if it is for the first-person camera.
} vrm_view;

/// Returns true if a part of an avatar is drawn. The first-person view of the wearer's own avatar shows
/// FIRST_PERSON_ONLY and hides THIRD_PERSON_ONLY. All other views do the reverse: mirrors and shadows show the wearer
/// as other cameras see it. AUTO, which no range of a split has, counts as BOTH.
VRM_API bool vrm_first_person_is_visible(vrm_first_person part, vrm_wearer wearer, vrm_view view);

/// A part of a mesh that is drawn or hidden as a whole.
typedef struct vrm_first_person_range {
    vrm_first_person part; ///< Never AUTO.
    uint32_t first, count; ///< Range of indices; of vertices in drawing order if the primitive has no indices.
} vrm_first_person_range;

/// A primitive of a mesh node.
typedef struct vrm_first_person_primitive {
    uint32_t struct_size; ///< Set by the caller: sizeof(vrm_first_person_primitive).
    uint32_t mesh;        ///< Mesh node, as in vrm_avatar_get_mesh_node().
    uint32_t primitive;   ///< Index in the file's mesh.
    /// GL's number: as in the file if `indices` is NULL, else POINTS (0), LINES (1) or TRIANGLES (4). Loops, strips and
    /// fans that had to be split become lines or triangles.
    uint32_t mode;
    /// Vertex indices, range after range, each range in the file's order and winding. NULL: the primitive was not
    /// split; draw it with the indices of the file.
    const uint32_t *indices;
    /// A split primitive has BOTH in ranges[0] and THIRD_PERSON_ONLY in ranges[1]. Otherwise ranges[0] is the whole
    /// primitive and ranges[1] is empty. Together the ranges contain each triangle once.
    vrm_first_person_range ranges[2];
} vrm_first_person_primitive;

/// The split primitives of all mesh nodes of an avatar. Immutable. Once created, a split needs neither the document nor
/// the avatar.
typedef struct vrm_first_person_split vrm_first_person_split;

/// Options of a split.
typedef struct vrm_first_person_split_def {
    uint32_t struct_size;
    vrm_allocator allocator;   ///< Default: malloc and free.
    vrm_progress_fn *progress; ///< NULL: no progress reports.
    void *progress_user;
} vrm_first_person_split_def;

/// Fills `def` with the defaults.
VRM_API void vrm_first_person_split_def_default(vrm_first_person_split_def *def, size_t size);
#define vrm_first_person_split_def_default(def) vrm_first_person_split_def_default(def, sizeof *(def))

/// Splits the meshes of an avatar; `gltf` is the document from which the avatar was imported. `def` may be NULL.
///
/// In a mesh marked `auto`, a triangle (line, point) is THIRD_PERSON_ONLY if one of its vertices has a weight above 0,
/// in any set of joints, on the head bone or a node below it. A mesh without a skin is THIRD_PERSON_ONLY as a whole if
/// its node is the head or below it. Everything else is BOTH, and so is every `auto` mesh of an avatar without a head.
/// A mesh with another annotation becomes a single range with that annotation. Vertices are read only if the result
/// depends on them.
///
/// Errors: INVALID_ARGUMENT (also for a document of another avatar), OUT_OF_MEMORY, UNSUPPORTED (compressed vertices),
/// NOT_FOUND (vertices without bytes), LIMIT (over 4 billion indices), CANCELLED.
VRM_API vrm_result vrm_first_person_split_create(const vrm_first_person_split_def *def, const vrm_gltf *gltf,
    const vrm_avatar *avatar, vrm_first_person_split **out_split);
/// Frees the split; NULL is allowed.
VRM_API void vrm_first_person_split_destroy(vrm_first_person_split *split);
/// Returns the number of primitives. They are sorted by mesh node, then in the file's order.
VRM_API uint32_t vrm_first_person_split_get_count(const vrm_first_person_split *split);
/// Describes a primitive; views are valid as long as the split. Returns INVALID_ARGUMENT for an index out of range.
VRM_API vrm_result vrm_first_person_split_get_primitive(
    const vrm_first_person_split *split, uint32_t index, vrm_first_person_primitive *out_primitive);

/// Writes the split into the document from which it was made, which must not have been edited since it was loaded. Save
/// the document afterwards. A mesh node with two parts keeps the part that is BOTH. A new node below it, "<name>
/// (head)", gets the rest, with the same skin, vertices, morph targets, expression binds and animated weights. After
/// that every mesh node has an annotation other than `auto`. Vertices are shared and not changed. The file keeps its
/// dialect: VRM 1.0, its beta and drafts, 0.x (annotated by mesh), or two of them. A glTF without VRM has nothing to
/// split and is not changed. Errors: INVALID_ARGUMENT (another document), OUT_OF_MEMORY, LIMIT. After an error, destroy
/// the document.
VRM_API vrm_result vrm_first_person_split_write(const vrm_first_person_split *split, vrm_gltf *gltf);

#endif
