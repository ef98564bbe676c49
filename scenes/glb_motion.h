// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef SCENES_GLB_MOTION_H
#define SCENES_GLB_MOTION_H

// The first animation of a glTF, node by node, as any viewer would show it. libvrm's own clips are not used, since they
// contain only bones. Morphs are not animated.

#include "motion_meter.h"

typedef struct scene_glb_motion scene_glb_motion;

// Reads the animation. `avatar` may be any avatar of the same file. Interpolation can be LINEAR or STEP. Errors:
// UNSUPPORTED for CUBICSPLINE, NOT_FOUND without an animation.
vrm_result scene_glb_motion_begin(const vrm_gltf *gltf, const vrm_avatar *avatar, scene_glb_motion **out);
void scene_glb_motion_end(scene_glb_motion *motion); // NULL does nothing
// Returns the time of the last key, seconds.
double scene_glb_motion_duration(const scene_glb_motion *motion);
// Sets the nodes of an instance. The instance must take inputs for hair (vrm_instance_def.hair_inputs).
vrm_result scene_glb_motion_apply(const scene_glb_motion *motion, vrm_instance *instance, double seconds);
// Feeds the whole animation to a motion meter.
vrm_result scene_glb_motion_measure(const vrm_gltf *gltf, const vrm_avatar *avatar, double rate, scene_meter *meter);

#endif
