// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_STAGES_H
#define VRMI_RUNTIME_STAGES_H

// The stages. update.c is their only caller (rule R3).

#include "runtime/instance.h"

// Input pose -> output pose.
void vrmi_stage_pose(vrm_instance *instance);
// Gaze -> eye bones, or weights of the look expressions.
void vrmi_stage_look_at(vrm_instance *instance);
// Layers -> weights -> morphs and material values. dt drives fades, blink and lip-sync.
void vrmi_stage_expression(vrm_instance *instance, float dt);
void vrmi_stage_constraint(vrm_instance *instance);
void vrmi_stage_spring(vrm_instance *instance, const vrm_update_params *params);
// Palettes, boxes, viewpoint, UV animation, change bits.
void vrmi_stage_output(vrm_instance *instance, float dt);

#endif
