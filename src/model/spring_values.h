// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MODEL_SPRING_VALUES_H
#define VRMI_MODEL_SPRING_VALUES_H

// Checks of the numbers that hosts set for springs: whether they are finite, in range, and different from before.

#include <vrm/instance.h>

#include "model/model.h"

bool vrmi_spring_settings_finite(const vrm_spring_params *settings);
bool vrmi_spring_settings_valid(const vrm_spring_params *settings);
bool vrmi_spring_settings_same(const vrm_spring_params *a, const vrm_spring_params *b);
bool vrmi_spring_params_finite(const vrm_spring_joint_params *params);
bool vrmi_spring_params_valid(const vrm_spring_joint_params *params);
bool vrmi_host_collider_finite(const vrm_host_collider_def *collider);
bool vrmi_host_collider_valid(const vrmi_model *model, const vrm_host_collider_def *collider);
bool vrmi_host_collider_same(const vrm_host_collider_def *a, const vrm_host_collider_def *b);

#endif
