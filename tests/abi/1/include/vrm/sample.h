// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_SAMPLE_H
#define VRM_SAMPLE_H

/// @file sample.h
/// A generated avatar (CC0) that has everything VRM 1.0 can say: for demos, tests and benchmarks. Not in libvrm-runtime.

#include <vrm/gltf.h>

/// Which sample is made.
typedef struct vrm_sample_params {
    uint32_t struct_size;
    uint32_t seed; ///< 0, the default: the figure of the README; others vary colours, hair and proportions.
    vrm_allocator allocator;
} vrm_sample_params;

/// Fills it with the defaults.
VRM_API void vrm_sample_params_default(vrm_sample_params *def, size_t size);
#define vrm_sample_params_default(def) vrm_sample_params_default(def, sizeof *(def))
/// Makes the avatar as .vrm bytes. `def` may be NULL for the default. The same def gives the same
/// bytes on every machine.
VRM_API vrm_result vrm_sample_create(const vrm_sample_params *def, vrm_bytes *out_bytes);

#endif
