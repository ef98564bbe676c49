// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MODEL_NODE_BUILDER_H
#define VRMI_MODEL_NODE_BUILDER_H

#include "model/model.h"

// Writes node_row, node_slot, node_pose and the tables of the hair. The springs must already be arranged in lanes. Sets
// `out_of_memory` on failure.
void vrmi_model_builder_lay_nodes(vrmi_model_builder *builder);

#endif
