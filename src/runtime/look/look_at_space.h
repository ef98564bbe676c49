// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_LOOK_AT_SPACE_H
#define VRMI_RUNTIME_LOOK_AT_SPACE_H

#include "runtime/core/instance.h"

// Where the avatar sees from and which way is ahead, root-relative world: LookAt space, and the first-person viewpoint.
void vrmi_look_at_space(const vrm_instance *instance, vrm_vec3 *out_origin, vrm_quat *out_rotation);
// The range map of a direction, and what comes out of it (its curve included): the size of the output for an input v.
const vrm_range_map *vrmi_look_at_map(const vrm_look_at *look, vrm_look_direction direction);
float vrmi_look_at_mapped(const vrmi_model *model, vrm_look_direction direction, float v);
// The gaze's target, root-relative world.
vrm_vec3 vrmi_look_at_target(const vrm_instance *instance);

#endif
