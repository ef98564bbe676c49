// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_STAGES_H
#define VRMI_RUNTIME_STAGES_H

// The stages of a frame, in the order of its two halves. Only update.c calls them (rule R3). `dt` is finite and not
// negative.

#include "runtime/core/instance.h"

// Computes the output pose and its world transforms from the input pose and the clips of the attached player. Also
// takes over the expressions of the clips.
void vrmi_stage_pose(vrm_instance *instance, float dt);
// Rotates the bones of the look chain towards the target, and computes the eyes' directions for the look-at stage.
void vrmi_stage_look_chain(vrm_instance *instance, float dt);
// Repeats the solution for the bones of the look chain that no body drives, if bodies have moved their ancestors.
void vrmi_stage_look_chain_again(vrm_instance *instance);
// Computes the bodies' targets from the animated pose.
void vrmi_stage_ragdoll_drive(vrm_instance *instance, float dt);
// Computes the pose from the bodies' states.
void vrmi_stage_ragdoll_read(vrm_instance *instance);
// Rotates the eye bones by the gaze, or writes `look_active` and `look_weights` for the expression stage. Uses the
// face's look_at_rate.
void vrmi_stage_look_at(vrm_instance *instance, vrm_profile profile);
// Stores the head's pose at the end of a frame, for profiles in which the gaze of the next frame starts there.
void vrmi_look_at_keep(vrm_instance *instance);
// Computes applied weights from the merged weights (vrmi_expression_merge), then morphs and material values except UV
// animation. Sets bits of mesh_changed and material_changed, which the update has cleared.
void vrmi_stage_expression(vrm_instance *instance, vrm_profile profile);
void vrmi_stage_constraint(vrm_instance *instance);
void vrmi_stage_spring(vrm_instance *instance, const vrm_update_params *params);
// Computes palettes, boxes, viewpoint, UV animation (uv_scroll and uv_rotation of materials), and the change bits of
// nodes and palettes.
void vrmi_stage_output(vrm_instance *instance, float dt);

void vrmi_run_pose(vrm_instance *instance, const vrm_update_params *params);
void vrmi_run_secondary(vrm_instance *instance, const vrm_update_params *params);

#endif
