// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_SAMPLE_H
#define VRM_SAMPLE_H

/// @file sample.h
/// A generated avatar (CC0) that uses everything in VRM 1.0, for demos, tests and benchmarks. Not part of
/// libvrm-runtime.

#include <vrm/gltf.h>

/// The generated avatars.
typedef enum vrm_sample_detail {
    VRM_SAMPLE_DETAIL_FULL = 0, ///< A detailed avatar, with all presets and the 52 expressions of face tracking.
    /// An avatar of 4,000 triangles and 19 morph targets, for this project's tests and benchmarks.
    VRM_SAMPLE_DETAIL_MINIMAL = 1,
    VRM_SAMPLE_DETAIL_COUNT = 2
} vrm_sample_detail;

/// Clothes of the FULL avatar.
typedef enum vrm_sample_outfit {
    VRM_SAMPLE_OUTFIT_BY_SEED = 0, ///< The seed chooses one of the other outfits.
    VRM_SAMPLE_OUTFIT_UNIFORM = 1, ///< Blouse with a sailor's collar, pleated skirt, knee socks, loafers.
    VRM_SAMPLE_OUTFIT_HOODIE = 2,  ///< Wide hoodie, shorts, sneakers.
    VRM_SAMPLE_OUTFIT_COUNT = 3
} vrm_sample_outfit;

/// Hairstyle of the FULL avatar.
typedef enum vrm_sample_hair {
    VRM_SAMPLE_HAIR_BY_SEED = 0, ///< The seed chooses one of the other hairstyles.
    VRM_SAMPLE_HAIR_LONG = 1,    ///< Long hair down the back.
    VRM_SAMPLE_HAIR_SHORT = 2,   ///< Short hair: a bob that ends at the chin.
    VRM_SAMPLE_HAIR_COUNT = 3
} vrm_sample_hair;

#define VRM_SAMPLE_MIN_HEIGHT 1.2 ///< Least height of an avatar, in metres.
#define VRM_SAMPLE_MAX_HEIGHT 2.1 ///< Greatest height of an avatar, in metres.

/// Options of the sample.
typedef struct vrm_sample_params {
    uint32_t struct_size;
    uint32_t seed; ///< 0, the default: the avatar shown in the README. Other seeds vary colours, hair and proportions.
    vrm_allocator allocator;
    vrm_sample_detail detail; ///< Default VRM_SAMPLE_DETAIL_FULL. With MINIMAL the members below must be 0.
    vrm_sample_outfit outfit; ///< Default VRM_SAMPLE_OUTFIT_BY_SEED.
    vrm_sample_hair hair;     ///< Default VRM_SAMPLE_HAIR_BY_SEED.
    /// Height from the soles to the top of the skull, metres, VRM_SAMPLE_MIN_HEIGHT to VRM_SAMPLE_MAX_HEIGHT; 0, the
    /// default: chosen by the seed.
    float height;
} vrm_sample_params;

/// Fills `def` with the defaults.
VRM_API void vrm_sample_params_default(vrm_sample_params *def, size_t size);
#define vrm_sample_params_default(def) vrm_sample_params_default(def, sizeof *(def))
/// Creates the avatar as the bytes of a .vrm file. `def` may be NULL for the defaults. The same def gives the same
/// bytes on every machine. Returns VRM_ERROR_INVALID_ARGUMENT for a member out of range.
VRM_API vrm_result vrm_sample_create(const vrm_sample_params *def, vrm_bytes *out_bytes);

#endif
