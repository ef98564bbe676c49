// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MODEL_SPRING_BUILDER_H
#define VRMI_MODEL_SPRING_BUILDER_H

#include "model/model.h"

// Writes the tables of spring lanes from the tables of chains, joints and colliders. Sets `out_of_memory` on failure.
void vrmi_model_builder_lay_springs(vrmi_model_builder *builder);

#endif
