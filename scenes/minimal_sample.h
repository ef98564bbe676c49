// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef SCENES_MINIMAL_SAMPLE_H
#define SCENES_MINIMAL_SAMPLE_H

// The model of tests and benchmarks. Its bytes never change, so that measurements of different versions can be
// compared.

#include <vrm/sample.h>

// Creates the minimal sample. Seed 0 is the usual one.
static inline vrm_result scene_minimal_sample(uint32_t seed, vrm_bytes *out_bytes)
{
    vrm_sample_params params;
    vrm_sample_params_default(&params);
    params.seed = seed;
    params.detail = VRM_SAMPLE_DETAIL_MINIMAL;
    return vrm_sample_create(&params, out_bytes);
}

#endif
