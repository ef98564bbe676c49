// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_BASIS_H
#define VRM_BASIS_H

/// @file basis.h
/// Axes and unit of a host's space. libvrm itself is right-handed with +Y up, avatars face +Z, and one unit is a metre.
/// The functions of this header convert arrays of positions, rotations or matrices in place to another space and back.
/// vrm_matrix_target.basis converts outputs as they are written, vrm_local_array.basis converts inputs as they are
/// read.
///
/// A conversion to the other handedness reverses the winding of triangles: reverse the order of their indices.

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

/// Handedness of a space: the hand whose thumb, index finger and middle finger point along X, Y and Z.
typedef enum vrm_handedness { VRM_HANDEDNESS_RIGHT = 0, VRM_HANDEDNESS_LEFT = 1 } vrm_handedness;

/// A coordinate space: its up axis, the direction that avatars face, and its unit of length. Together with the
/// handedness this determines the avatar's left. A plain value.
typedef struct vrm_basis {
    vrm_handedness handedness;
    vrm_axis up;      ///< The direction that is up; +Y in libvrm.
    vrm_axis forward; ///< The direction that avatars face; +Z in libvrm. Not parallel to `up`.
    float unit;       ///< Metres per unit of length, above 0; 0.01 for centimetres.
} vrm_basis;

/// Spaces of well-known engines and programs.
typedef enum vrm_basis_preset {
    VRM_BASIS_VRM = 0,   ///< The space of libvrm and glTF: right-handed, up +Y, forward +Z, metres.
    VRM_BASIS_UNITY = 1, ///< Left-handed, up +Y, forward +Z, metres: x changes its sign, as in UniVRM.
    /// Left-handed, up +Z, forward +X (FVector::ForwardVector), centimetres. Unreal's importers leave skeletal meshes
    /// facing +Y: set `forward` to +Y for those.
    VRM_BASIS_UNREAL = 2,
    /// The same as VRM_BASIS_VRM: imported models face +Z (Vector3.MODEL_FRONT), but cameras look along -Z.
    VRM_BASIS_GODOT = 3,
    VRM_BASIS_BLENDER = 4, ///< Right-handed, up +Z, forward -Y, metres, as converted by Blender's glTF importer.
    VRM_BASIS_PRESET_COUNT = 5
} vrm_basis_preset;

/// Gives a preset's space. Returns INVALID_ARGUMENT for a value outside the enum.
VRM_API vrm_result vrm_basis_get_preset(vrm_basis_preset preset, vrm_basis *out_basis);
/// Returns the preset's name: "vrm", "unity", "unreal", "godot", "blender"; "" for a value outside the enum. The string
/// is static.
VRM_API const char *vrm_basis_preset_name(vrm_basis_preset preset);

/// The kind of values in an array.
typedef enum vrm_basis_item {
    VRM_BASIS_POSITION = 0,   ///< vrm_vec3: a position or a velocity; its axes and its unit are converted.
    VRM_BASIS_DIRECTION = 1,  ///< vrm_vec3: a normal or the direction of gravity; only its axes are converted.
    VRM_BASIS_AXIAL = 2,      ///< vrm_vec3: an angular velocity or a torque; its sign changes if the handedness does.
    VRM_BASIS_ROTATION = 3,   ///< vrm_quat.
    VRM_BASIS_TRANSFORM = 4,  ///< vrm_transform.
    VRM_BASIS_MATRIX_3X4 = 5, ///< vrm_mat34.
    VRM_BASIS_DOUBLE_POSITION = 6, ///< vrm_dvec3.
    VRM_BASIS_ITEM_COUNT = 7
} vrm_basis_item;

/// Converts `count` items in place from libvrm's space to `basis`. The first item is at `items`; `stride` is the
/// distance in bytes from one item to the next (0: packed). Returns INVALID_ARGUMENT, and changes nothing, for an
/// invalid `basis` (parallel `up` and `forward`, or a `unit` that is not above 0) or an unknown enumerator.
VRM_API vrm_result vrm_basis_to_host(
    const vrm_basis *basis, vrm_basis_item item, void *items, size_t stride, uint32_t count);
/// Converts items in place from `basis` to libvrm's space: the reverse of vrm_basis_to_host().
VRM_API vrm_result vrm_basis_from_host(
    const vrm_basis *basis, vrm_basis_item item, void *items, size_t stride, uint32_t count);

#endif
