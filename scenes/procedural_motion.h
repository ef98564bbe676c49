// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef SCENES_PROCEDURAL_MOTION_H
#define SCENES_PROCEDURAL_MOTION_H

// Body motion from formulas, for any humanoid avatar without a clip. Tests, benchmarks and the command use the same
// motions.

#include <vrm/instance.h>

typedef enum scene_motion {
    SCENE_MOTION_NONE, // the T-pose, as it is set by the input
    SCENE_MOTION_IDLE, // stands and breathes, shifts its weight, looks around a little
    SCENE_MOTION_SWAY, // turns and nods in wide arcs, so that hair and clothes swing
    SCENE_MOTION_WALK, // walks on the spot, one stride a second
    SCENE_MOTION_COUNT
} scene_motion;

// Returns the motion's name on the command line.
const char *scene_motion_name(scene_motion motion);
// Sets the normalized pose at `seconds` from the motion's start. Bones that the avatar lacks are skipped.
void scene_motion_apply(vrm_instance *instance, scene_motion motion, double seconds);

#endif
