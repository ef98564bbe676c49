// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_FRAME_H
#define VRMI_RUNTIME_FRAME_H

#include "runtime/core/instance.h"

// The halves of a frame (update.c); dt is finite and not negative.
void vrmi_run_pose(vrm_instance *instance, const vrm_update_params *params);
void vrmi_run_secondary(vrm_instance *instance, const vrm_update_params *params);
// The host changes the pose between them: a sleeper wakes and makes up for its first half. False in a frame that is not
// shown.
bool vrmi_frame_takes_pose(vrm_instance *instance);

#endif
