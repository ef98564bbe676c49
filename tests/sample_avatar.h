// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef TESTS_SAMPLE_AVATAR_H
#define TESTS_SAMPLE_AVATAR_H

// The generated avatar (seed 0 is the default) as a file, as a document, as an avatar; each is the caller's to free.

#include <vrm/vrm.h>

#include "test.h"

static inline vrm_bytes sample_bytes(uint32_t seed)
{
    vrm_sample_def def;
    vrm_sample_def_default(&def);
    def.seed = seed;
    vrm_bytes bytes = {0};
    CHECK_INT(vrm_sample_create(&def, &bytes), VRM_SUCCESS);
    return bytes;
}

static inline vrm_gltf *sample_document(uint32_t seed)
{
    vrm_bytes bytes = sample_bytes(seed);
    vrm_gltf *gltf = NULL;
    CHECK_INT(vrm_gltf_load(NULL, bytes.data, bytes.size, NULL, &gltf), VRM_SUCCESS);
    vrm_bytes_free(&bytes);
    return gltf;
}

static inline vrm_avatar *sample_avatar(uint32_t seed)
{
    vrm_bytes bytes = sample_bytes(seed);
    vrm_avatar *avatar = NULL;
    CHECK_INT(vrm_avatar_load(NULL, bytes.data, bytes.size, NULL, &avatar), VRM_SUCCESS);
    vrm_bytes_free(&bytes);
    return avatar;
}

#endif
