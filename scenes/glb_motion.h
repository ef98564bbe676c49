// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef SCENES_GLB_MOTION_H
#define SCENES_GLB_MOTION_H

// The first animation of a glTF as it stands there, node by node, in front of a motion meter: what any viewer would show.
// Nothing of libvrm's own clips is between (those know bones alone).

#include "motion_meter.h"

// Interpolation LINEAR and STEP; UNSUPPORTED for CUBICSPLINE, NOT_FOUND without an animation.
vrm_result scene_glb_motion_measure(const vrm_gltf *gltf, const vrm_avatar *avatar, double rate, scene_meter *meter);

#endif
