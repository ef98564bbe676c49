// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_BAKE_H
#define VRM_BAKE_H

/// @file bake.h
/// The T-pose bake: a model whose nodes have neither rotation nor scale, as VRM 0.x and the drafts of 1.0 demand it,
/// and as many tools like it best (VRMC_vrm-1.0_draft, T-Pose bake).

#include <vrm/avatar.h>

/// Options of a bake.
typedef struct vrm_bake_params {
    uint32_t struct_size;
    vrm_allocator allocator; ///< Default: malloc and free.
    /// True: arms, hands, fingers, and legs if they are far from it, are first posed as in the T-pose, which becomes
    /// the rest pose. Default false: the rest pose of the file stays.
    bool t_pose;
    vrm_progress_fn *progress; ///< NULL: no progress reports.
    void *progress_user;
} vrm_bake_params;

/// Fills it with the defaults.
VRM_API void vrm_bake_params_default(vrm_bake_params *def, size_t size);
#define vrm_bake_params_default(def) vrm_bake_params_default(def, sizeof *(def))

/// Bakes a document (not edited since it was loaded); `avatar` was imported from it. Save the document afterwards.
/// Every node keeps its position and its parent and loses rotation and scale. Vertices take these over: those of a skin
/// in their rest shape, others through their node's transform. A skin's inverse bind matrices become pure translations;
/// a vertex without weights follows the root of its skin; the winding of mirrored triangles is reversed, so that their
/// front stays in front. Morph targets move positions and normals as before. Colliders, limits, constraints, the
/// viewpoint and the file's animations are converted to the new axes, in the dialect (VRM 0.x, a draft, 1.0) of the
/// file; in a file with 0.x and 1.0, both. TANGENT is removed from changed primitives. Nodes without rotation and scale
/// are left alone: a second bake changes nothing.
/// Normalized poses, clips, gaze, expressions and springs move the baked avatar as they moved the original. Exceptions
/// go to the report (may be NULL): a rest pose that differs from the pose in which a skin was bound, with the largest
/// distance between vertices; scales that are not uniform; constraints about axes that the nodes no longer have.
/// `def` may be NULL. Errors: INVALID_ARGUMENT (also another avatar's document), OUT_OF_MEMORY, UNSUPPORTED (compressed
/// vertices), NOT_FOUND (vertices without bytes), INVALID_ASSET (a value would exceed the range of a float), LIMIT,
/// CANCELLED. After an error destroy the document.
VRM_API vrm_result vrm_bake(const vrm_bake_params *def, vrm_gltf *gltf, const vrm_avatar *avatar, vrm_report *report);

#endif
