// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_OUTPUT_H
#define VRMI_RUNTIME_OUTPUT_H

#include "runtime/core/instance.h"

// LookAt space, which is the first-person viewpoint, root-relative world: a child of the head. Its origin is the head's world
// matrix times offsetFromHeadBone, its axes are those of the model in the rest pose, turned with the head.
void vrmi_look_at_space(const vrm_instance *instance, vrm_vec3 *out_origin, vrm_quat *out_rotation);

// Around the stages of an update: clears the change bits that the stages set, and counts what they have set.
void vrmi_outputs_begin(vrm_instance *instance);
void vrmi_outputs_end(vrm_instance *instance);

// The part of the output stage that time alone moves: textures that scroll or turn.
void vrmi_output_animate(vrm_instance *instance, float dt);
// Is there anything of that?
bool vrmi_output_animates(const vrm_instance *instance);

#endif
