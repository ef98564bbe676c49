// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef SCENES_PROTECTIVE_FALL_H
#define SCENES_PROTECTIVE_FALL_H

// Falls with a protective motion, for the command, the viewer and the acts (fall_act.h). An instance that goes limp for
// any reason falls as people do.

#include <vrm/active_ragdoll.h>
#include <vrm/fall.h>

typedef struct scene_fall {
    bool on;        // false: the instance falls limp
    double ground;  // height, metres
    uint32_t seed;  // random seed of the differences between left and right
    bool under_way; // the instance is falling or lies, and `fall` is valid
    uint32_t moved; // value of `moved` in the last targets that came with states
    vrm_fall fall;
    vrm_ragdoll_target bodies[VRM_RAGDOLL_MAX_BODIES];
} scene_fall;

// Changes the targets of an instance that falls or lies. Call it after the targets of a frame and before the engine's
// step. `params->states` are the bodies' states as the engine returned them last, relative to `origin`.
void scene_fall_frame(scene_fall *scene, const vrm_instance *instance, const vrm_fall_params *params,
    const vrm_dvec3 *origin, vrm_ragdoll_targets *targets);

#endif
