// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef EXAMPLES_RAGDOLL_HOST_BULLET_RAGDOLL_H
#define EXAMPLES_RAGDOLL_HOST_BULLET_RAGDOLL_H

// A ragdoll in its own Bullet world with a floor. It takes targets and returns states.

#include <vrm/ragdoll_drive.h>

typedef struct bullet_ragdoll bullet_ragdoll;

// Copies `def`, which vrm_ragdoll_def_check() must have accepted. The ragdoll keeps the root's scale of the first step.
VRM_API bullet_ragdoll *bullet_ragdoll_create(const vrm_ragdoll_def *def, double floor_height);
VRM_API void bullet_ragdoll_destroy(bullet_ragdoll *ragdoll);
// Advances by dt seconds. Writes the states of all bodies, relative to the targets' origin.
VRM_API void bullet_ragdoll_step(
    bullet_ragdoll *ragdoll, const vrm_ragdoll_targets *targets, float dt, vrm_ragdoll_state *out_states);

#endif
