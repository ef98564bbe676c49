// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_MIGRATE_H
#define VRM_MIGRATE_H

/// @file migrate.h
/// Migration of files in older dialects of VRM (0.x, drafts, 1.0-beta) to VRM 1.0: the VRM data is rewritten,
/// everything else stays unchanged.

#include <vrm/avatar.h>

/// How a file of VRM 0.x, which faces -Z, is turned to face +Z.
typedef enum vrm_half_turn {
    /// The numbers are rotated about Y: nodes, vertices, morph targets, bind matrices, animations. x and z change their
    /// sign and lose no digit. If something cannot be rotated in this way (compressed vertices, bytes that two
    /// accessors use differently, unsigned integers, cameras and lights with children), VRM_HALF_TURN_ROOT is used, and
    /// the finding MIGRATE_ROOT_TURNED gives the reason.
    VRM_HALF_TURN_DATA = 0,
    /// A new node above the roots of each scene is rotated; no other number changes.
    VRM_HALF_TURN_ROOT = 1
} vrm_half_turn;

/// Options of a migration.
typedef struct vrm_migrate_params {
    uint32_t struct_size;
    vrm_allocator allocator; ///< Default: malloc and free.
    vrm_half_turn turn;      ///< Only for VRM 0.x; default VRM_HALF_TURN_DATA.
    /// True: content that 1.0 cannot express (a warning MIGRATE_...) is refused with VRM_ERROR_UNSUPPORTED, after all
    /// of it was reported. Default false: it is approximated, and the finding gives the error of the approximation.
    bool strict;
} vrm_migrate_params;

/// Fills `def` with the defaults.
VRM_API void vrm_migrate_params_default(vrm_migrate_params *def, size_t size);
#define vrm_migrate_params_default(def) vrm_migrate_params_default(def, sizeof *(def))

/// Rewrites a document as VRM 1.0; save it afterwards. The document must not have been edited since it was loaded, and
/// `avatar` must have been imported from it. If a file has both versions, the import has decided which one is used; of
/// 0.x only the terms of its permissions are kept, as text (meta.extras.olderTerms). A file of VRM 1.0 is not changed.
/// `def` and `report` may be NULL.
///
/// Permissions are never widened: an older term becomes the strictest term of 1.0 that covers it. A named licence
/// (Creative Commons) grants nothing in the terms of 1.0, because only the author can license anew. Buffers, images,
/// extras and other extensions are kept, and so are indices. TANGENT is removed, since VRM 1.0 asks readers to compute
/// tangents.
///
/// Errors: INVALID_ARGUMENT (another document, a glTF without VRM, or an unknown `turn`), OUT_OF_MEMORY, LIMIT,
/// UNSUPPORTED (`strict`, or roots that several scenes share and that cannot be rotated). After an error, destroy the
/// document.
VRM_API vrm_result vrm_migrate(
    const vrm_migrate_params *def, vrm_gltf *gltf, const vrm_avatar *avatar, vrm_report *report);

#endif
