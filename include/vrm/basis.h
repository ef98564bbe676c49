// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_BASIS_H
#define VRM_BASIS_H

/// @file basis.h
/// Axes and unit of a host's space. libvrm itself is right-handed, +Y up, avatars face +Z, one unit is a metre. Arrays
/// of positions, rotations or matrices are converted in place to another space and back; vrm_matrix_target.basis
/// converts outputs as they are written, vrm_local_array.basis inputs as they are read.
///
/// Where the handedness differs, triangles turn around: reverse the order of their indices.

#include <vrm/math.h>
#include <vrm/result.h>

/// A direction along an axis.
typedef enum vrm_axis {
    VRM_AXIS_POSITIVE_X = 0,
    VRM_AXIS_POSITIVE_Y = 1,
    VRM_AXIS_POSITIVE_Z = 2,
    VRM_AXIS_NEGATIVE_X = 3,
    VRM_AXIS_NEGATIVE_Y = 4,
    VRM_AXIS_NEGATIVE_Z = 5
} vrm_axis;

/// Which hand's thumb, index and middle finger lie along X, Y and Z.
typedef enum vrm_handedness { VRM_HANDEDNESS_RIGHT = 0, VRM_HANDEDNESS_LEFT = 1 } vrm_handedness;

/// A coordinate space: its up axis, the direction that avatars face, and its unit of length. Together with the
/// handedness this determines the avatar's left. A plain value.
typedef struct vrm_basis {
    vrm_handedness handedness;
    vrm_axis up;      ///< In libvrm: +Y.
    vrm_axis forward; ///< The direction that avatars face; in libvrm: +Z. Not parallel to `up`.
    float unit;       ///< Metres of one unit of length, above 0; 0.01 for centimetres.
} vrm_basis;

/// Spaces of well-known hosts.
typedef enum vrm_basis_preset {
    VRM_BASIS_VRM = 0,   ///< libvrm's own, glTF's: right-handed, up +Y, forward +Z, metres.
    VRM_BASIS_UNITY = 1, ///< Left-handed, up +Y, forward +Z, metres: x changes its sign, as in UniVRM.
    /// Left-handed, up +Z, forward +X, centimetres, as FVector::ForwardVector has it. Unreal's importers leave skeletal
    /// meshes facing +Y: set `forward` for those.
    VRM_BASIS_UNREAL = 2,
    VRM_BASIS_GODOT = 3,   ///< As VRM's: imported models face Vector3.MODEL_FRONT, +Z. Cameras look along -Z.
    VRM_BASIS_BLENDER = 4, ///< Right-handed, up +Z, forward -Y, metres, as its glTF importer converts.
    VRM_BASIS_PRESET_COUNT = 5
} vrm_basis_preset;

/// Gives a preset's space. INVALID_ARGUMENT outside the enum.
VRM_API vrm_result vrm_basis_get_preset(vrm_basis_preset preset, vrm_basis *out_basis);
/// Its word: "vrm", "unity", "unreal", "godot", "blender"; "" outside the enum. Static.
VRM_API const char *vrm_basis_preset_name(vrm_basis_preset preset);

/// The kind of values in an array.
typedef enum vrm_basis_item {
    VRM_BASIS_POSITION = 0,        ///< vrm_vec3: a place or a velocity; axes and unit change.
    VRM_BASIS_DIRECTION = 1,       ///< vrm_vec3: a normal or an axis of gravity; only axes change.
    VRM_BASIS_AXIAL = 2,           ///< vrm_vec3: an angular velocity or a torque; changes its sign with the handedness.
    VRM_BASIS_ROTATION = 3,        ///< vrm_quat.
    VRM_BASIS_TRANSFORM = 4,       ///< vrm_transform.
    VRM_BASIS_MATRIX_3X4 = 5,      ///< vrm_mat34.
    VRM_BASIS_DOUBLE_POSITION = 6, ///< vrm_dvec3.
    VRM_BASIS_ITEM_COUNT = 7
} vrm_basis_item;

/// Converts `count` items in place from libvrm's space to `basis`; the first is at `items`, each further one `stride`
/// bytes on (0: packed). INVALID_ARGUMENT, and nothing is changed, for an invalid `basis` (up and forward parallel, a
/// unit that is not above 0) or an unknown enumerator.
VRM_API vrm_result vrm_basis_to_host(
    const vrm_basis *basis, vrm_basis_item item, void *items, size_t stride, uint32_t count);
/// The reverse: from `basis` to libvrm's space.
VRM_API vrm_result vrm_basis_from_host(
    const vrm_basis *basis, vrm_basis_item item, void *items, size_t stride, uint32_t count);

#endif
