// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_STAGES_H
#define VRMI_RUNTIME_STAGES_H

// The stages. update.c is their only caller (rule R3).

#include "runtime/instance.h"

// Input pose -> output pose.
void vrmi_stage_pose(vrm_instance *instance);
// First half of the expressions, before look-at, which needs to know how much of the gaze they override: vrmi_face_merge()
// in face.h. Runs whenever the expression stage will.
// Gaze -> eye bones, times 1 - vrmi_face_look_at_rate(), or look_weights of the look expressions.
void vrmi_stage_look_at(vrm_instance *instance);
// Merged weights -> overrides -> morphs and material values. Sets bits in mesh_changed and material_changed where values
// changed, clears none.
void vrmi_stage_expression(vrm_instance *instance);
void vrmi_stage_constraint(vrm_instance *instance);
void vrmi_stage_spring(vrm_instance *instance, const vrm_update_params *params);
// Palettes, boxes, viewpoint, UV animation, change bits.
void vrmi_stage_output(vrm_instance *instance, float dt);

#endif
