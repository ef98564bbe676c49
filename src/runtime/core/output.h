// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_OUTPUT_H
#define VRMI_RUNTIME_OUTPUT_H

#include "runtime/core/instance.h"

// Around the stages of an update: clears the change bits that the stages set, and counts what they have set.
void vrmi_outputs_begin(vrm_instance *instance);
void vrmi_outputs_end(vrm_instance *instance);

// The part of the output stage that time alone moves: textures that scroll or turn.
void vrmi_output_animate(vrm_instance *instance, float dt);
// Is there anything of that?
bool vrmi_output_animates(const vrm_instance *instance);

#endif
