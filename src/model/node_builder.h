// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MODEL_NODE_BUILDER_H
#define VRMI_MODEL_NODE_BUILDER_H

#include "model/model.h"

// Writes node_row, node_slot, node_pose and the hair's tables, after springs are arranged in lanes; sets
// `out_of_memory` on failure.
void vrmi_model_builder_lay_nodes(vrmi_model_builder *builder);

#endif
