// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_KERNEL_CLIP_H
#define VRMI_RUNTIME_KERNEL_CLIP_H

// Rotations of eight bones at a time: sampling, blending and fitting of poses. Every implementation gives the same bits
// (tests/runtime/clip/test_clip_lanes.c). `groups` selects the groups of a pose, as a bit mask.

#include "model/pose_lanes.h"

typedef struct vrmi_clip_kernels {
    // Interpolates between two frames of a clip's bank (model/clip.h), which contain the groups one after the other.
    // `part` is from 0 to 1.
    void (*between)(const float *a, const float *b, float part, uint32_t groups, vrmi_pose_lanes *out);
    // Sets a to slerp(a, b, parts). Each lane has its own fraction from 0 to 1. Takes the short way round; exact at 0
    // and 1.
    void (*blend)(vrmi_pose_lanes *a, const vrmi_pose_lanes *b, const float *parts, uint32_t groups);
    // Computes out = before * pose * after, normalised, for each bone.
    void (*fit)(const vrmi_pose_lanes *before, const vrmi_pose_lanes *pose, const vrmi_pose_lanes *after,
        uint32_t groups, vrm_quat out[VRMI_POSE_LANES]);
} vrmi_clip_kernels;

extern const vrmi_clip_kernels vrmi_clip_kernels_scalar;
// Return NULL if the build does not have these instructions.
const vrmi_clip_kernels *vrmi_clip_kernels_four(void);
const vrmi_clip_kernels *vrmi_clip_kernels_avx2(void);
// Returns the fastest kernels that the build has and the processor supports.
const vrmi_clip_kernels *vrmi_clip_kernels_best(void);

#endif
