// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_KERNEL_CLIP_H
#define VRMI_RUNTIME_KERNEL_CLIP_H

// Rotations of eight bones in lockstep: sampling, blending and fitting of poses. Every path gives the same bits
// (tests/runtime/clip/test_clip_lanes.c). `groups` selects the groups of a pose to work on.

#include "model/pose_lanes.h"

typedef struct vrmi_clip_kernels {
    // Between two frames of a clip's bank (model/clip.h), which hold the groups one after the other; `part` from 0 to 1.
    void (*between)(const float *a, const float *b, float part, uint32_t groups, vrmi_pose_lanes *out);
    // a becomes slerp(a, b, parts), each lane with its own fraction from 0 to 1: the short way round, exact at 0 and 1.
    void (*blend)(vrmi_pose_lanes *a, const vrmi_pose_lanes *b, const float *parts, uint32_t groups);
    // out = before * pose * after, unit; by bone.
    void (*fit)(const vrmi_pose_lanes *before, const vrmi_pose_lanes *pose, const vrmi_pose_lanes *after,
        uint32_t groups, vrm_quat out[VRMI_POSE_LANES]);
} vrmi_clip_kernels;

extern const vrmi_clip_kernels vrmi_clip_kernels_scalar;
// NULL if the build does not have this path.
const vrmi_clip_kernels *vrmi_clip_kernels_four(void);
const vrmi_clip_kernels *vrmi_clip_kernels_avx2(void);
// The best path of build and processor.
const vrmi_clip_kernels *vrmi_clip_kernels_best(void);

#endif
