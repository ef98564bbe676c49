// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_BAKE_H
#define VRM_BAKE_H

/// @file bake.h
/// The T-pose bake: turns a model into one whose nodes have neither rotation nor scale. VRM 0.x and the drafts of 1.0
/// require this, and many tools prefer it (VRMC_vrm-1.0_draft, T-Pose bake).

#include <vrm/avatar.h>

/// Options of a bake.
typedef struct vrm_bake_params {
    uint32_t struct_size;
    vrm_allocator allocator; ///< Default: malloc and free.
    /// True: before the bake, arms, hands and fingers are put into the T-pose, and the legs, too, if they are far from
    /// it. The T-pose becomes the rest pose. Default false: the rest pose of the file stays.
    bool t_pose;
    vrm_progress_fn *progress; ///< NULL: no progress reports.
    void *progress_user;
} vrm_bake_params;

/// Fills `def` with the defaults.
VRM_API void vrm_bake_params_default(vrm_bake_params *def, size_t size);
#define vrm_bake_params_default(def) vrm_bake_params_default(def, sizeof *(def))

/// Bakes a document that was not edited since it was loaded; `avatar` must have been imported from it. Save the
/// document afterwards. `def` and `report` may be NULL.
///
/// Every node keeps its position and its parent, and loses its rotation and scale. Vertices are transformed instead:
/// vertices of a skin into their rest shape, others by the transform of their node. Inverse bind matrices become pure
/// translations. A vertex without weights follows the root of its skin. The winding of mirrored triangles is reversed,
/// so that their front sides stay the same. Morph targets move positions and normals as before. Colliders, limits,
/// constraints, the viewpoint and the file's animations are converted to the new axes in the file's dialect (VRM 0.x, a
/// draft, 1.0); a file with 0.x and 1.0 is converted in both. TANGENT is removed from changed primitives. Nodes without
/// rotation and scale are not changed, so that a second bake changes nothing.
///
/// Normalized poses, clips, gaze, expressions and springs move the baked avatar as they moved the original. Exceptions
/// are reported: a rest pose that differs from the pose in which a skin was bound, with the largest distance between
/// vertices; scales that are not uniform; constraints about axes that the nodes no longer have.
///
/// Errors: INVALID_ARGUMENT (also for another avatar's document), OUT_OF_MEMORY, UNSUPPORTED (compressed vertices),
/// NOT_FOUND (vertices without bytes), INVALID_ASSET (a value would exceed the range of a float), LIMIT, CANCELLED.
/// After an error, destroy the document.
VRM_API vrm_result vrm_bake(const vrm_bake_params *def, vrm_gltf *gltf, const vrm_avatar *avatar, vrm_report *report);

#endif
