// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef CAMPAIGN_FIGURES_H
#define CAMPAIGN_FIGURES_H

// The figures of campaigns with pushes, each given by a word: "sample" (the minimal one), "tall" (the sample, 2 m
// high), "made:SEED" (figure_shapes.h), or the path of a model.

#include "figure_shapes.h"
#include "minimal_sample.h"

#include <vrm/vrm.h>

#include <stdlib.h>
#include <string.h>

typedef struct campaign_figure {
    const char *name; // name of the file, without its folder
    vrm_gltf *gltf;
    vrm_avatar *avatar;
    vrm_ragdoll_def def;
} campaign_figure;

static inline vrm_result campaign_figure_make(const char *word, vrm_bytes *out)
{
    if (strncmp(word, "made:", 5) == 0) {
        return scene_figure_create((uint32_t)strtoul(word + 5, NULL, 10), out);
    }
    if (strcmp(word, "sample") == 0) {
        return scene_minimal_sample(0, out);
    }
    vrm_sample_params params;
    vrm_sample_params_default(&params);
    params.height = 2.0f;
    return vrm_sample_create(&params, out);
}

static inline bool campaign_figure_load(const char *word, campaign_figure *out)
{
    const bool made = strncmp(word, "made:", 5) == 0 || strcmp(word, "sample") == 0 || strcmp(word, "tall") == 0;
    const char *slash = strrchr(word, '/');
    vrm_bytes bytes = {0};
    *out = (campaign_figure){.name = slash != NULL ? slash + 1 : word};
    vrm_ragdoll_def_default(&out->def);
    vrm_result result = made ? campaign_figure_make(word, &bytes) : VRM_SUCCESS;
    if (result == VRM_SUCCESS) {
        result = made ? vrm_gltf_load(NULL, bytes.data, bytes.size, NULL, &out->gltf)
                      : vrm_gltf_load_file(NULL, word, NULL, &out->gltf);
    }
    vrm_bytes_free(&bytes);
    return result == VRM_SUCCESS && vrm_avatar_import(NULL, out->gltf, NULL, &out->avatar) == VRM_SUCCESS &&
           vrm_ragdoll_def_build(out->avatar, out->gltf, NULL, NULL, &out->def) == VRM_SUCCESS;
}

static inline void campaign_figure_free(campaign_figure *figure)
{
    vrm_avatar_release(figure->avatar);
    vrm_gltf_destroy(figure->gltf);
}

#endif
