// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef SCENES_GET_UP_MOTION_H
#define SCENES_GET_UP_MOTION_H

// Getting up out of a few poses, for any humanoid avatar: what stands in for a clip after a fall.

#include <vrm/active_ragdoll.h>

// Seconds that it takes, from lying to standing.
double scene_get_up_seconds(void);
// Sets the normalized pose of the moment: from the back or, for everything else, from the front; before the beginning it lies,
// behind the end it stands.
void scene_get_up_apply(vrm_instance *instance, vrm_ragdoll_lying lying, double seconds);

// Once it is over: the root goes to where it has brought the hips, so that the next motion goes on there.
void scene_get_up_end(vrm_instance *instance, vrm_ragdoll_lying lying);

#endif
