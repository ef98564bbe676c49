// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_STAGES_H
#define VRMI_RUNTIME_STAGES_H

// The stages of a frame and their order in its halves; update.c is their only caller (rule R3). `dt` is finite and not
// negative.

#include "runtime/core/instance.h"

// Input pose, overlaid with the clips of the attached player, to output pose and its world; also the clips'
// expressions.
void vrmi_stage_pose(vrm_instance *instance, float dt);
// Target to rotations of the look chain's bones and, for the look-at stage, of the eyes.
void vrmi_stage_look_chain(vrm_instance *instance, float dt);
// If bodies have moved their ancestors, solves the look chain's bones that no body drives once more.
void vrmi_stage_look_chain_again(vrm_instance *instance);
// Animated pose to the bodies' targets.
void vrmi_stage_ragdoll_drive(vrm_instance *instance, float dt);
// Bodies to pose.
void vrmi_stage_ragdoll_read(vrm_instance *instance);
// Gaze to eye bones, or to `look_active` and `look_weights` for the expression stage. Uses the face's look_at_rate.
void vrmi_stage_look_at(vrm_instance *instance, vrm_profile profile);
// Stores the head's pose at the end of a frame, for profiles whose gaze starts from there in the next one.
void vrmi_look_at_keep(vrm_instance *instance);
// Merged weights (vrmi_expression_merge) to applied weights, then to morphs and material values except UV animation.
// Sets the bits of mesh_changed and material_changed, which the update has cleared.
void vrmi_stage_expression(vrm_instance *instance, vrm_profile profile);
void vrmi_stage_constraint(vrm_instance *instance);
void vrmi_stage_spring(vrm_instance *instance, const vrm_update_params *params);
// Palettes, boxes, viewpoint, UV animation (uv_scroll, uv_rotation of materials), change bits of nodes and palettes.
void vrmi_stage_output(vrm_instance *instance, float dt);

void vrmi_run_pose(vrm_instance *instance, const vrm_update_params *params);
void vrmi_run_secondary(vrm_instance *instance, const vrm_update_params *params);

#endif
