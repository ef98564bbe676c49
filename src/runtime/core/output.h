// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_OUTPUT_H
#define VRMI_RUNTIME_OUTPUT_H

#include "runtime/core/instance.h"

// Computes LookAt space, which is also the first-person viewpoint, in root-relative world. It is a child of the head:
// its origin is offsetFromHeadBone transformed by the head's world matrix, and its axes are the model's in the rest
// pose, rotated with the head.
void vrmi_look_at_space(const vrm_instance *instance, vrm_vec3 *out_origin, vrm_quat *out_rotation);

// Clears the change bits, before the stages of an update set them.
void vrmi_outputs_begin(vrm_instance *instance);
// Evaluates the change bits, after the last stage of an update.
void vrmi_outputs_end(vrm_instance *instance);

// The part of the output stage that depends only on time: textures that scroll or rotate.
void vrmi_output_animate(vrm_instance *instance, float dt);
// Whether any texture scrolls or rotates.
bool vrmi_output_animates(const vrm_instance *instance);

#endif
