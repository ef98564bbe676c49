// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_STAGES_H
#define VRMI_RUNTIME_STAGES_H

// The stages and the halves of a frame that they make up; update.c is their only caller (rule R3). `dt` is finite and
// not negative.

#include "runtime/core/instance.h"

// Input pose, and over it the clips of the attached player -> output pose and its world; what clips say of the face.
void vrmi_stage_pose(vrm_instance *instance, float dt);
// Target -> rotations of the look chain's bones and, for the look-at stage, of the eyes.
void vrmi_stage_look_chain(vrm_instance *instance, float dt);
// Solves the bones of the look chain that no body drives once more, if bodies have moved their ancestors.
void vrmi_stage_look_chain_again(vrm_instance *instance);
// Animated pose -> what is asked of the bodies.
void vrmi_stage_ragdoll_drive(vrm_instance *instance, float dt);
// Bodies -> pose.
void vrmi_stage_ragdoll_read(vrm_instance *instance);
// Gaze -> eye bones, or `look_active` and `look_weights` for the expression stage. Reads the face's look_at_rate.
void vrmi_stage_look_at(vrm_instance *instance, vrm_profile profile);
// Where the head is at the end of a frame, for a gaze that starts from there in the next one.
void vrmi_look_at_keep(vrm_instance *instance);
// Merged weights (vrmi_expression_merge) -> applied weights -> morphs and material values but for UV animation. Sets
// the bits of mesh_changed and material_changed, which the update has cleared.
void vrmi_stage_expression(vrm_instance *instance, vrm_profile profile);
void vrmi_stage_constraint(vrm_instance *instance);
void vrmi_stage_spring(vrm_instance *instance, const vrm_update_params *params);
// Palettes, boxes, viewpoint, UV animation (uv_scroll, uv_rotation of materials), change bits of nodes and palettes.
void vrmi_stage_output(vrm_instance *instance, float dt);

void vrmi_run_pose(vrm_instance *instance, const vrm_update_params *params);
void vrmi_run_secondary(vrm_instance *instance, const vrm_update_params *params);

#endif
