// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_SAMPLE_H
#define VRM_SAMPLE_H

/// @file sample.h
/// A generated avatar (CC0) that uses everything in VRM 1.0: for demos, tests and benchmarks. Not in
/// libvrm-runtime.

#include <vrm/gltf.h>

/// Which of the generated figures.
typedef enum vrm_sample_detail {
    VRM_SAMPLE_DETAIL_FULL = 0, ///< A figure to look at, with all presets and the 52 expressions of face tracking.
    /// 4,000 triangles and 19 morph targets: the model of this project's tests and benches.
    VRM_SAMPLE_DETAIL_MINIMAL = 1,
    VRM_SAMPLE_DETAIL_COUNT = 2
} vrm_sample_detail;

/// Clothes of the full figure.
typedef enum vrm_sample_outfit {
    VRM_SAMPLE_OUTFIT_BY_SEED = 0, ///< One of the others.
    VRM_SAMPLE_OUTFIT_UNIFORM = 1, ///< Blouse with a sailor's collar, pleated skirt, knee socks, loafers.
    VRM_SAMPLE_OUTFIT_HOODIE = 2,  ///< Wide hoodie, shorts, sneakers.
    VRM_SAMPLE_OUTFIT_COUNT = 3
} vrm_sample_outfit;

/// Hairstyle of the full figure.
typedef enum vrm_sample_hair {
    VRM_SAMPLE_HAIR_BY_SEED = 0, ///< One of the others.
    VRM_SAMPLE_HAIR_LONG = 1,    ///< Down the back.
    VRM_SAMPLE_HAIR_SHORT = 2,   ///< A bob that ends at the chin.
    VRM_SAMPLE_HAIR_COUNT = 3
} vrm_sample_hair;

#define VRM_SAMPLE_MIN_HEIGHT 1.2 ///< Least height of a figure, in metres.
#define VRM_SAMPLE_MAX_HEIGHT 2.1 ///< Greatest height of a figure, in metres.

/// Options of the sample.
typedef struct vrm_sample_params {
    uint32_t struct_size;
    uint32_t seed; ///< 0, the default: the figure of the README; others vary colours, hair and proportions.
    vrm_allocator allocator;
    vrm_sample_detail detail; ///< Full by default; of MINIMAL the members below must be 0.
    vrm_sample_outfit outfit; ///< By seed by default.
    vrm_sample_hair hair;     ///< By seed by default.
    /// From the soles to the top of the skull, in metres, VRM_SAMPLE_MIN_HEIGHT to VRM_SAMPLE_MAX_HEIGHT; 0, the
    /// default:
    /// by seed.
    float height;
} vrm_sample_params;

/// Fills it with the defaults.
VRM_API void vrm_sample_params_default(vrm_sample_params *def, size_t size);
#define vrm_sample_params_default(def) vrm_sample_params_default(def, sizeof *(def))
/// Makes the avatar as .vrm bytes. `def` may be NULL for the default. The same def gives the same
/// bytes on every machine. A member outside its range is VRM_ERROR_INVALID_ARGUMENT.
VRM_API vrm_result vrm_sample_create(const vrm_sample_params *def, vrm_bytes *out_bytes);

#endif
