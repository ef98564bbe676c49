// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef SCENES_GLB_MOTION_H
#define SCENES_GLB_MOTION_H

// The first animation of a glTF, node by node, as any viewer would show it. libvrm's own clips are not involved (they
// hold only bones). Morphs are not animated.

#include "motion_meter.h"

typedef struct scene_glb_motion scene_glb_motion;

// Interpolation LINEAR and STEP; UNSUPPORTED for CUBICSPLINE, NOT_FOUND without an animation. The avatar may be another one
// of the same file.
vrm_result scene_glb_motion_begin(const vrm_gltf *gltf, const vrm_avatar *avatar, scene_glb_motion **out);
void scene_glb_motion_end(scene_glb_motion *motion); // NULL does nothing
// Until its last key.
double scene_glb_motion_duration(const scene_glb_motion *motion);
// Sets the nodes of an instance that takes inputs for hair (vrm_instance_def.hair_inputs).
vrm_result scene_glb_motion_apply(const scene_glb_motion *motion, vrm_instance *instance, double seconds);
// Feeds the whole animation to a motion meter.
vrm_result scene_glb_motion_measure(const vrm_gltf *gltf, const vrm_avatar *avatar, double rate, scene_meter *meter);

#endif
