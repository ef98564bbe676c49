// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_MIGRATE_H
#define VRM_MIGRATE_H

/// @file migrate.h
/// Files of older dialects as VRM 1.0: what VRM says is said anew, everything else stays as it is.

#include <vrm/avatar.h>

/// How a file of VRM 0.x, which faces -Z, comes to face +Z.
typedef enum vrm_half_turn {
    /// The numbers are turned about Y: nodes, vertices, morph targets, bind matrices, animations; x and z change their
    /// sign and no digit. What cannot be turned so (compressed vertices, bytes that two accessors use differently,
    /// whole numbers without a negative, cameras and lights that carry something) makes it VRM_HALF_TURN_ROOT, and
    /// MIGRATE_ROOT_TURNED says why.
    VRM_HALF_TURN_DATA = 0,
    /// A new node above the roots of each scene carries the turn; no other number changes.
    VRM_HALF_TURN_ROOT = 1
} vrm_half_turn;

/// How to migrate.
typedef struct vrm_migrate_params {
    uint32_t struct_size;
    vrm_allocator allocator; ///< Default: malloc and free.
    vrm_half_turn turn;      ///< Default VRM_HALF_TURN_DATA; only for VRM 0.x.
    /// True: what 1.0 cannot say (a warning MIGRATE_...) is refused with VRM_ERROR_UNSUPPORTED once all of it is
    /// found. Default false: it is approximated, and the finding says how far off.
    bool strict;
} vrm_migrate_params;

/// Fills it with the defaults.
VRM_API void vrm_migrate_params_default(vrm_migrate_params *def, size_t size);
#define vrm_migrate_params_default(def) vrm_migrate_params_default(def, sizeof *(def))

/// Rewrites a document as VRM 1.0; save it afterwards. `avatar` was imported from it, and it was not edited since it
/// was loaded. Which VRM of a file with two is taken was decided at the import; of 0.x nothing is left but its words about
/// permissions, as text (meta.extras.olderTerms). A file of VRM 1.0 stays as it is. `def` and `report` may be NULL.
///
/// Permissions are never widened: an older term becomes the strictest of 1.0 that covers it, and a licence by name
/// (Creative Commons) grants nothing in the terms of 1.0, because only the author can license anew.
/// Buffers, images, extras and extensions of others stay, and indices with them. TANGENT goes: VRM 1.0 asks readers to
/// compute it.
/// Errors: INVALID_ARGUMENT (another document, a glTF without VRM, an unknown turn), OUT_OF_MEMORY, LIMIT, UNSUPPORTED
/// (`strict`; roots that several scenes share and that cannot be turned). On an error the document is to be thrown away.
VRM_API vrm_result vrm_migrate(
    const vrm_migrate_params *def, vrm_gltf *gltf, const vrm_avatar *avatar, vrm_report *report);

#endif
